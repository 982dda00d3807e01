"""Single rounds of cup games between players, from the first throw to the challenge."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from liarsolve._checks import check_instance, check_rng
from liarsolve.claims import Claim
from liarsolve.errors import IllegalActionError, InputError, PlayerError
from liarsolve.play._asking import ask, name_of
from liarsolve.play._spawning import spawn_seeds
from liarsolve.play.cup.players import CupPlayer, CupPlayerLike, CupStrategyPlayer, as_cup_player
from liarsolve.play.cup.turn import CupTurn
from liarsolve.rules import (
    Call,
    CupAction,
    CupHolding,
    CupMove,
    CupOutcome,
    CupPhase,
    CupRound,
    CupState,
    Keep,
    Thrown,
    loser_pays,
)
from liarsolve.rules.cup.actions import format_cup_action

if TYPE_CHECKING:
    from liarsolve.dice import Hand

__all__ = ["CupLuck", "CupTable", "PlayedCupRound", "play_cup_round"]

_MOST_TURNS = 1000
"""Where claims may be repeated, players who never challenge would play for ever."""


@dataclass(frozen=True, slots=True)
class PlayedCupRound:
    """A round of a cup game that was played to its end."""

    round: CupRound
    actions: tuple[CupAction, ...]
    """All that happened, throws and what was kept included."""
    outcome: CupOutcome
    utilities: tuple[float, ...]
    """What every seat got."""

    @property
    def caller(self) -> int:
        """The seat whose answer ended the round."""
        return self.outcome.challenger

    def __str__(self) -> str:
        rules = self.round.rules
        return ", ".join(format_cup_action(action, rules) for action in self.actions)


class CupLuck:
    """The throws of a deal: a number from 0 to 1 for each turn, the higher the better the hand.

    Players may keep other dice when the deal is played again from other seats, so hands can differ
    from there on; but who has the cup for the third time then throws as luckily as who had it for
    the third time before.
    """

    def __init__(self, seed: np.random.SeedSequence) -> None:
        self._streams = [np.random.default_rng(child) for child in seed.spawn(2)]
        self._points: tuple[list[float], list[float]] = ([], [])

    def throw(self, turn: int) -> float:
        """Luck of the throw in a turn, counted from 0."""
        return self._point(0, turn)

    def try_for_top(self, n_tries: int) -> float:
        """Luck of a throw for the top hand, after ``n_tries`` others (CL.10)."""
        return self._point(1, n_tries)

    def _point(self, kind: int, place: int) -> float:
        points = self._points[kind]
        while len(points) <= place:
            points.append(float(self._streams[kind].random()))
        return points[place]


class CupTable:
    """A round of a cup game made ready to be played many times.

    What is legal, and what a throw may leave, is asked of the rules once for each place.
    """

    def __init__(self, round_: CupRound) -> None:
        self.round = round_
        self.n_seats = round_.n_players
        self._legal: dict[object, tuple[CupAction, ...]] = {}
        self._laws: dict[object, tuple[list[Hand], list[float]]] = {}

    def check_players(self, players: Sequence[CupPlayer]) -> None:
        """Refuse strategies for other rounds.

        Raises
        ------
        InputError
            If there is one.
        """
        for player in players:
            if isinstance(player, CupStrategyPlayer):
                player.check_round(self.round)

    def deal(self, seed: np.random.SeedSequence) -> CupLuck:
        """Make the throws of a deal."""
        return CupLuck(seed)

    def play(
        self,
        players: Sequence[CupPlayer],
        luck: CupLuck,
        streams: Sequence[np.random.Generator],
    ) -> PlayedCupRound:
        """Play one round; every seat has its own random numbers."""
        round_, state, actions = self.round, self.round.initial_state(), list[CupAction]()
        views = [_View(round_, seat) for seat in range(self.n_seats)]
        while not state.is_terminal:
            seat = round_.to_act(state)
            if seat is None:
                action: CupAction = self._throw(state, luck)
            else:
                action = self._ask(players[seat], views[seat], state, streams[seat], actions)
            actions.append(action)
            state = round_.next_state(state, action)
            if len(state.turns) > _MOST_TURNS:
                raise PlayerError(
                    f"nobody challenged in {_MOST_TURNS} turns; such players would play for ever"
                )
        outcome = round_.outcome(state)
        utilities = tuple(map(float, loser_pays(round_, outcome)))
        return PlayedCupRound(round_, tuple(actions), outcome, utilities)

    def _ask(
        self,
        player: CupPlayer,
        view: "_View",
        state: CupState,
        rng: np.random.Generator,
        actions: Sequence[CupAction],
    ) -> CupAction:
        def place() -> str:
            rules = self.round.rules
            after = ", ".join(format_cup_action(a, rules) for a in actions)
            return f"seat {view.seat + 1}, after {after}"

        round_, legal = self.round, self._legal_actions(state)
        turn = CupTurn(round_, view.seat, state.phase, view.of(state), legal)
        answer = ask(player, turn, rng, place)
        if not isinstance(answer, Claim | Call | CupMove | Keep):
            raise IllegalActionError(
                f"{name_of(player)} in {place()} answered {name_of(answer)}: an action of a cup "
                "game is a Claim, CHALLENGE, a CupMove or Keep, one of turn.actions"
            )
        if answer not in legal:
            raise IllegalActionError(
                f"{name_of(player)} in {place()} answered {self._write(answer)}: "
                f"{round_.illegal_reason(state, answer)}"
            )
        return answer

    def _write(self, action: CupAction) -> str:
        try:
            return format_cup_action(action, self.round.rules)
        except Exception:  # a claim of faces that there are not
            return name_of(action)

    def _legal_actions(self, state: CupState) -> tuple[CupAction, ...]:
        """What may be done, asked of the rules once for all states where it is the same."""
        passed = state.turns[-2].hand if state.phase is CupPhase.KEEP else None
        key = (state.phase, state.last_claim, state.turns[-1].is_blind, passed)
        legal = self._legal.get(key)
        if legal is None:
            legal = self._legal[key] = self.round.legal_actions(state)
        return legal

    def _throw(self, state: CupState, luck: CupLuck) -> Thrown:
        """Draw what a throw leaves: the hands in rising order, by the luck of the turn."""
        is_try = state.phase is CupPhase.TRY
        key = (is_try, state.tried_hand if is_try else state.turns[-1].kept)
        law = self._laws.get(key)
        if law is None:
            chances, height = self.round.chance_distribution(state), self.round.rules.ranking.key
            hands = sorted(chances, key=lambda hand: (height(hand), hand))
            law = self._laws[key] = (hands, list(accumulate(float(chances[h]) for h in hands)))
        hands, rising = law
        point = luck.try_for_top(state.n_tries) if is_try else luck.throw(len(state.turns) - 1)
        return Thrown(hands[min(bisect_right(rising, point * rising[-1]), len(hands) - 1)])


class _View:
    """What one player knows of each turn, as `CupRound.view` says, in time for long rounds.

    What is known of a turn changes no more once two others have followed it.
    """

    def __init__(self, round_: CupRound, seat: int) -> None:
        self.round, self.seat = round_, seat
        self._settled: list[CupHolding] = []

    def of(self, state: CupState) -> tuple[CupHolding, ...]:
        """What the player knows now; states come in the order in which they were played."""
        first_open = len(self._settled)
        seen = self.round.view(replace(state, turns=state.turns[first_open:]), self.seat)
        known = (*self._settled, *seen)
        self._settled.extend(seen[:-2])
        return known


def play_cup_round(
    round_: CupRound, players: Sequence[CupPlayerLike], *, rng: np.random.Generator | int
) -> PlayedCupRound:
    """Play one round of a cup game.

    Parameters
    ----------
    round_ : CupRound
        Rules, and how many players there are.
    players : sequence
        One for each seat, the one who throws first the first: players, or solved rounds.
    rng : numpy.random.Generator or int
        A generator or a seed; the throws and every seat get random numbers of their own from it.

    Raises
    ------
    InputError, InputTypeError
        If there is not one player for every seat, or a strategy is for another round.
    IllegalActionError
        If a player does what the rules do not allow.
    PlayerError
        If a player raises, or nobody ever challenges.

    Examples
    --------
    >>> from liarsolve import CupRound, HonestPlayer, ProbabilityPlayer, presets
    >>> played = play_cup_round(
    ...     CupRound(presets.MIA), [HonestPlayer(), ProbabilityPlayer()], rng=0
    ... )
    >>> print(played, played.utilities)
    thrown 62, 62, liar (1.0, -1.0)
    """
    check_instance("round_", round_, CupRound, "a CupRound such as CupRound(presets.MIA)")
    if len(players) != round_.n_players:
        raise InputError(f"a round for {round_.n_players} players got {len(players)}")
    seated = [as_cup_player(player) for player in players]
    table = CupTable(round_)
    table.check_players(seated)
    thrown, *seeds = spawn_seeds(check_rng(rng), 1 + round_.n_players)
    return table.play(seated, table.deal(thrown), [np.random.default_rng(s) for s in seeds])

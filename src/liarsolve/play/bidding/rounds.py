"""Single rounds between players, from the throw to the showdown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from liarsolve._checks import check_rng
from liarsolve.dice import Hand, parse_hand
from liarsolve.errors import IllegalActionError, InputError, RuleError
from liarsolve.game import Payoffs
from liarsolve.game.bidding.payoffs import OUTCOMES
from liarsolve.play._asking import ask, name_of
from liarsolve.play._spawning import check_spawns
from liarsolve.play.bidding.players import Player, PlayerLike, StrategyPlayer, as_player, payoffs_of
from liarsolve.play.bidding.turn import Turn
from liarsolve.rules import Action, Bid, Call, Outcome, PublicState, Round


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that was played to its end."""

    round: Round
    hands: tuple[Hand, ...]
    """Dice of every player, by seat."""
    actions: tuple[Action, ...]
    """All that was said: bids by the seats in turn, and the call at the end."""
    outcome: Outcome
    utilities: tuple[float, ...]
    """What every seat got."""

    @property
    def caller(self) -> int:
        """The seat whose call ended the round."""
        return self.outcome.caller

    def __str__(self) -> str:
        return " ".join(map(str, self.actions))


class Table:
    """A round made ready to be played many times: what is legal is asked of the rules once.

    Players are asked on their turn alone. Where they may also call out of turn, they have to agree
    to that by ``on_turn_alone``.

    Raises
    ------
    RuleError
        If players out of turn may call, and ``on_turn_alone`` is not given.
    """

    def __init__(self, round_: Round, payoffs: Payoffs, *, on_turn_alone: bool = False) -> None:
        self.round = round_
        self.n_seats = round_.n_players
        self._payoff = payoffs.table(round_.n_players).tolist()
        self._legal: dict[tuple[int, int, bool], tuple[Action, ...]] = {}
        if not on_turn_alone:
            self._refuse_calls_out_of_turn()

    def check_players(self, players: Sequence[Player]) -> None:
        """Refuse strategies for other rounds.

        Raises
        ------
        InputError
            If there is one.
        """
        for player in players:
            if isinstance(player, StrategyPlayer):
                player.check_round(self.round)

    def deal(self, seed: np.random.SeedSequence) -> tuple[Hand, ...]:
        """Throw the dice of a deal."""
        return throw_hands(self.round, np.random.default_rng(seed))

    def play(
        self,
        players: Sequence[Player],
        hands: Sequence[Hand],
        streams: Sequence[np.random.Generator],
    ) -> PlayedRound:
        """Play one round; every seat has its own dice and its own random numbers."""
        round_, state = self.round, PublicState()
        while True:
            seat = len(state.bids) % round_.n_players
            turn = Turn(round_, hands[seat], state.bids, self._legal_actions(state))
            action = self._ask(players[seat], turn, streams[seat])
            if not isinstance(action, Bid):
                break
            state = PublicState((*state.bids, action))
        end = PublicState(state.bids, action, seat)
        outcome = round_.showdown(end, hands)
        utilities = tuple(self._payoff[OUTCOMES.index(outcome.kind)][seat])
        return PlayedRound(round_, tuple(hands), (*state.bids, action), outcome, utilities)

    def _legal_actions(self, state: PublicState) -> tuple[Action, ...]:
        key = self.round.graph_key(state)
        legal = self._legal.get(key)
        if legal is None:
            legal = self._legal[key] = self.round.legal_actions(state)
        return legal

    def _ask(self, player: Player, turn: Turn, rng: np.random.Generator) -> Action:
        def place() -> str:
            held = ",".join(map(str, turn.hand))
            after = f"after {' '.join(map(str, turn.bids))}" if turn.bids else "at the start"
            return f"seat {turn.seat + 1}, holding {held} {after},"

        answer = ask(player, turn, rng, place)
        if not isinstance(answer, Bid | Call):
            raise IllegalActionError(
                f"{name_of(player)} in {place()} answered {name_of(answer)}: an action is a Bid "
                "or a call, one of turn.actions"
            )
        if answer not in turn.actions:
            reason = self.round.illegal_reason(PublicState(turn.bids), answer)
            raise IllegalActionError(f"{name_of(player)} in {place()} answered {answer}: {reason}")
        return answer

    def _refuse_calls_out_of_turn(self) -> None:
        round_ = self.round
        state = PublicState((round_.legal_actions(PublicState())[0],))  # type: ignore[arg-type]  # a round opens with a bid
        for seat in range(round_.n_players):
            if seat != round_.to_act(state) and round_.legal_actions(state, seat):
                raise RuleError(
                    "players are asked on their turn alone, so calls out of turn cannot be played; "
                    "use challenge_who=next and exact_who=next"
                )


def play_round(
    round_: Round,
    players: Sequence[PlayerLike],
    hands: Sequence[Iterable[int] | str] | None = None,
    *,
    rng: np.random.Generator | int,
    payoffs: Payoffs | None = None,
) -> PlayedRound:
    """Play one round.

    Parameters
    ----------
    round_ : Round
        Rules and dice.
    players : sequence
        One for each seat, the first bidder first: players, or solved rounds to be played.
    hands : sequence, optional
        Dice of every seat; they are thrown if not given.
    rng : numpy.random.Generator or int
        A generator or a seed; the throw and every seat get random numbers of their own from it.
    payoffs : Payoffs, optional
        What the outcomes are worth; if not given what the first strategy among the players was
        solved for, without one +1 to the winner of two and -1 to the loser.

    Raises
    ------
    InputError
        If there is not one player and one hand for every seat.
    IllegalActionError
        If a player does what the rules do not allow.
    PlayerError
        If a player raises.
    RuleError
        If the rules allow calls out of turn.

    Examples
    --------
    >>> from liarsolve import HonestPlayer, ProbabilityPlayer, Round, presets
    >>> round_ = Round(presets.COMMON, (2, 2))
    >>> players = [HonestPlayer(), ProbabilityPlayer()]
    >>> played = play_round(round_, players, ["3,3", "4,6"], rng=0)
    >>> print(played, played.utilities)
    2x3 liar (1.0, -1.0)
    """
    if len(players) != round_.n_players:
        raise InputError(f"a round for {round_.n_players} players got {len(players)}")
    seated = [as_player(player) for player in players]
    table = Table(round_, payoffs or payoffs_of(seated))
    table.check_players(seated)
    generator = check_rng(rng)
    check_spawns(generator)
    thrown, *streams = generator.spawn(1 + round_.n_players)
    dealt = throw_hands(round_, thrown) if hands is None else _check_hands(round_, hands)
    return table.play(seated, dealt, streams)


def throw_hands(round_: Round, rng: np.random.Generator | int) -> tuple[Hand, ...]:
    """Throw all dice of a round; a hand for every seat.

    >>> from liarsolve import Round, presets
    >>> throw_hands(Round(presets.COMMON, (3, 1)), rng=1)
    ((3, 4, 5), (6,))
    """
    faces = (check_rng(rng).integers(round_.rules.faces, size=round_.total_dice) + 1).tolist()
    hands, start = [], 0
    for n_dice in round_.dice:
        hands.append(tuple(sorted(faces[start : start + n_dice])))
        start += n_dice
    return tuple(hands)


def _check_hands(round_: Round, hands: Sequence[Iterable[int] | str]) -> tuple[Hand, ...]:
    parsed = tuple(parse_hand(hand, round_.rules.faces) for hand in hands)
    sizes = tuple(map(len, parsed))
    if sizes != round_.dice:
        raise InputError(f"the dice of the seats are {round_.dice}, got hands of {sizes}")
    return parsed

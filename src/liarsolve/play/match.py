"""Whole matches between players, round by round, until somebody has won."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from liarsolve._checks import check_rng
from liarsolve.errors import IllegalActionError, InputError, PlayerError
from liarsolve.game import Payoffs
from liarsolve.play._spawning import check_spawns
from liarsolve.play.bidding.players import (
    HonestPlayer,
    ProbabilityPlayer,
    StrategyPlayer,
    as_player,
)
from liarsolve.play.bidding.rounds import PlayedRound, Table, throw_hands
from liarsolve.play.bidding.turn import Turn
from liarsolve.play.cup.players import CupStrategyPlayer, as_cup_player
from liarsolve.play.cup.rounds import CupTable, PlayedCupRound
from liarsolve.rules import (
    BiddingMatch,
    BiddingScore,
    CupMatch,
    CupRules,
    CupScore,
    MatchState,
    PublicState,
    Round,
    RuleSet,
    Thrown,
    WildUntil,
    match_of,
)

if TYPE_CHECKING:
    from liarsolve.dice import Hand

__all__ = ["Forfeit", "MatchPlayer", "MatchSeat", "MatchTables", "PlayedMatch", "play_match"]

_REMEMBERED = 1 << 18
"""Answers of ready players that are kept for all matches together, some 100 MB at the most."""
_MOST_ROUNDS = 10_000
"""Players whose exact calls always bring dice back would play for ever."""

Score: TypeAlias = BiddingScore | CupScore


@dataclass(frozen=True, slots=True)
class MatchSeat:
    """Where a player sits in a match, and where the match stands, before a round."""

    match: BiddingMatch | CupMatch
    player: int
    """Number of the player as they sit in the match, from 0."""
    score: Score
    number: int
    """Number of the round, from 1."""


@runtime_checkable
class MatchPlayer(Protocol):
    """A player who wants to know of the match too; `act` is asked as in single rounds.

    Examples
    --------
    >>> class Counting:
    ...     def begin_match(self, match, player): self.n_rounds = 0
    ...     def begin_round(self, seat): self.n_rounds += 1
    ...     def end_round(self, played, score): pass
    ...     def end_match(self, winners): pass
    ...     def act(self, turn, rng): return turn.actions[-1]
    >>> isinstance(Counting(), MatchPlayer)
    True
    """

    def begin_match(self, match: BiddingMatch | CupMatch, player: int) -> None:
        """Sit down at a new match."""
        ...

    def begin_round(self, seat: MatchSeat) -> None:
        """Learn where the match stands."""
        ...

    def end_round(self, played: PlayedRound | PlayedCupRound, score: Score) -> None:
        """See how a round has ended, and what it cost."""
        ...

    def end_match(self, winners: tuple[int, ...]) -> None:
        """Learn who has won."""
        ...


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A player could not go on, and so has lost the match."""

    player: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A match that was played to its end."""

    match: BiddingMatch | CupMatch
    first: int
    """Who started the first round."""
    rounds: tuple[PlayedRound | PlayedCupRound, ...]
    score: Score
    """Where it ended."""
    winners: tuple[int, ...]
    """Players who have not lost, as they sit."""
    forfeit: Forfeit | None = None
    """Who has lost because they could not go on, if anybody; the round that they left is not
    among the others."""

    def state(self) -> MatchState:
        """The match as a position with all that has happened, for logs and for replaying.

        >>> from liarsolve import RandomPlayer, presets
        >>> played = play_match([RandomPlayer()] * 2, presets.LIAR_DIE, rng=1)
        >>> played.state().winners == played.winners
        True
        """
        state = MatchState(self.match, first=self.first)
        for played in self.rounds:
            if isinstance(played, PlayedRound):
                for hand in played.hands:
                    state = state.apply(Thrown(hand))
            for action in played.actions:
                state = state.apply(action)
        return state


class MatchTables:
    """Rounds made ready to be played, kept for all matches by the same rules."""

    def __init__(self, rules: RuleSet | CupRules) -> None:
        self.rules = rules
        self._tables: dict[Any, Any] = {}
        self._answers: dict[Any, Any] = {}

    def of(self, match: Any, score: Any, seats: tuple[int, ...]) -> Any:  # Any: either family
        """The table for the round that is played from a score."""
        key: Any = len(seats)
        if isinstance(score, BiddingScore):
            had = score.had_palifico
            key = (
                tuple(score.dice[seat] for seat in seats),
                score.is_palifico,
                tuple(had[seat] for seat in seats) if score.is_palifico and had else (),
            )
        table = self._tables.get(key)
        if table is None:
            round_ = match.round(score)
            is_bidding = isinstance(round_, Round)
            table = Table(round_, Payoffs(), on_turn_alone=True) if is_bidding else CupTable(round_)
            self._tables[key] = table
        return table

    def remembering(self, player: Any) -> Callable[..., Any]:
        """How a player acts, but without thinking twice where they answer the same each time.

        What the ready players do in bidding, but for the random one, goes by their dice, the
        standing bid, whose turn it is, and whether ones are still wild.
        """
        act: Callable[..., Any] = player.act
        kind = type(player)
        if kind not in (ProbabilityPlayer, HonestPlayer) or isinstance(self.rules, CupRules):
            return act
        is_locking = self.rules.wild_until is not WildUntil.NEVER_LOCKED
        answers = self._answers

        def answer(turn: Turn, rng: np.random.Generator) -> Any:
            bids, round_ = turn.bids, turn.round
            is_locked = is_locking and round_.is_locked(PublicState(bids))
            seat = len(bids) % round_.n_players
            # the tables keep their rounds, so that no other one gets the same id
            key = (kind, id(round_), seat, turn.hand, bids[-1] if bids else None, is_locked)
            found = answers.get(key)
            if found is None:
                found = act(turn, rng)
                if len(answers) < _REMEMBERED:
                    answers[key] = found
            return found

        return answer


class _Luck:
    """Throws under a cup, straight from a generator."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._random = rng.random

    def throw(self, turn: int) -> float:
        """Luck of a throw, from 0 to 1."""
        return float(self._random())

    def try_for_top(self, n_tries: int) -> float:
        """Luck of a throw for the top hand."""
        return float(self._random())


class _Asked:
    """A player at the table, who notes that they were asked."""

    __slots__ = ("_player", "act")

    def __init__(self, player: Any, seat: int, asked: list[int], own: Callable[..., Any]) -> None:
        self._player = player

        def act(turn: Any, rng: np.random.Generator) -> Any:
            asked[0] = seat
            return own(turn, rng)

        self.act = act

    def __repr__(self) -> str:
        return repr(self._player)


def play_match(
    players: Sequence[Any],  # Any: players of either family of games
    rules: RuleSet | CupRules,
    *,
    rng: np.random.Generator | int,
    first: int = 0,
    forfeits: bool = False,
    tables: MatchTables | None = None,
) -> PlayedMatch:
    """Play a match, round by round.

    Players are asked on their turn alone: where the rules let others call out of turn, nobody does.

    Parameters
    ----------
    players : sequence
        Two or more, as they sit, to the left. The ready players play every game; whoever has the
        methods of `MatchPlayer` is told of the match too.
    rules : RuleSet or CupRules
        The rules.
    rng : numpy.random.Generator or int
        A generator or a seed; the dice and every player get random numbers of their own from it.
    first : int
        Who starts the first round.
    forfeits : bool
        Whether a player who raises, or does what is not allowed, loses the match; they are errors
        otherwise.
    tables : MatchTables, optional
        What was made ready for earlier matches by the same rules.

    Raises
    ------
    InputError, InputTypeError
        If there are too few players, or one is no player, or can play single rounds alone.
    IllegalActionError
        If a player does what the rules do not allow.
    PlayerError
        If a player raises, or a match does not end.

    Examples
    --------
    >>> from liarsolve import HonestPlayer, ProbabilityPlayer, presets
    >>> played = play_match([HonestPlayer(), ProbabilityPlayer()], presets.PERUDO, rng=0)
    >>> len(played.winners), played.score.live == played.winners
    (1, True)
    """
    match = match_of(rules, len(players))
    seated = [_seat(player, rules) for player in players]
    generator = check_rng(rng)
    check_spawns(generator)
    thrown, *streams = generator.spawn(1 + len(players))
    running = _Running(match, seated, thrown, streams, tables or MatchTables(rules))
    if not forfeits:
        return running.play(first, None)
    caught: list[Forfeit] = []
    return running.play(first, caught)


def _seat(player: Any, rules: RuleSet | CupRules) -> Any:
    """Take a player of this family who can play any of its rounds."""
    is_cup = isinstance(rules, CupRules)
    seated = as_cup_player(player) if is_cup else as_player(player)
    if isinstance(seated, StrategyPlayer | CupStrategyPlayer):
        raise InputError(
            f"a strategy is solved for one round, and a match has others too, got {player!r}; take "
            "ready players, or one of your own"
        )
    return seated


class _Running:
    """A match that goes on."""

    def __init__(
        self,
        match: BiddingMatch | CupMatch,
        players: Sequence[Any],
        thrown: np.random.Generator,
        streams: Sequence[np.random.Generator],
        tables: MatchTables,
    ) -> None:
        self.match, self.players, self.thrown = match, players, thrown
        self.streams, self.tables = streams, tables
        self.asked = [0]
        self.seats = [
            _Asked(player, seat, self.asked, tables.remembering(player))
            for seat, player in enumerate(players)
        ]
        self.told = [p if isinstance(p, MatchPlayer) else None for p in players]
        self.rounds: list[PlayedRound | PlayedCupRound] = []

    def play(self, first: int, caught: list[Forfeit] | None) -> PlayedMatch:
        """Play to the end; a player who fails is noted in ``caught``, if there is such a list."""
        match: Any = self.match
        score = match.start(first)
        winners: tuple[int, ...] = ()
        try:
            self._tell("begin_match", lambda seat: (match, seat))
            while not winners:
                score = self._round(score)
                winners = match.winners(score)
        except (PlayerError, IllegalActionError) as error:
            if caught is None:
                raise
            player = self.asked[0]
            caught.append(Forfeit(player, str(error.__cause__ or error)))
            winners = tuple(p for p in range(match.n_players) if p != player)
        self._tell_winners(winners)
        return PlayedMatch(
            match=match,
            first=first,
            rounds=tuple(self.rounds),
            score=score,
            winners=winners,
            forfeit=caught[0] if caught else None,
        )

    def _round(self, score: Any) -> Any:
        """Play one round; the score after it."""
        match: Any = self.match
        if len(self.rounds) >= _MOST_ROUNDS:
            raise PlayerError(f"nobody has won in {_MOST_ROUNDS:,} rounds")
        number = len(self.rounds) + 1
        self._tell("begin_round", lambda seat: (MatchSeat(match, seat, score, number),), score.live)
        seats = match.seats(score)
        table = self.tables.of(match, score, seats)
        dealt: tuple[Hand, ...] | _Luck = (
            throw_hands(table.round, self.thrown)
            if isinstance(table, Table)
            else _Luck(self.thrown)
        )
        played = table.play(
            [self.seats[seat] for seat in seats], dealt, [self.streams[seat] for seat in seats]
        )
        self.rounds.append(played)
        after = match.after(score, played.outcome)
        self._tell("end_round", lambda _: (played, after))
        return after

    def _tell(
        self, name: str, what: Callable[[int], tuple[Any, ...]], seats: Sequence[int] | None = None
    ) -> None:
        """Tell players who want to know."""
        for seat, player in enumerate(self.told):
            if player is not None and (seats is None or seat in seats):
                self.asked[0] = seat
                getattr(player, name)(*what(seat))

    def _tell_winners(self, winners: tuple[int, ...]) -> None:
        """Tell everybody who has won; whoever fails only now has not lost by it."""
        for player in self.told:
            if player is not None:
                with suppress(PlayerError):
                    player.end_match(winners)

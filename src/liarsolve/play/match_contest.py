"""Many matches between the same players: how often each of them wins."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np

from liarsolve._checks import check_callable, check_number, check_rng, check_whole
from liarsolve.errors import InputError
from liarsolve.play._spawning import spawn_seeds
from liarsolve.play.head_to_head import Interval
from liarsolve.play.match import MatchTables, PlayedMatch, play_match
from liarsolve.rules import CupRules, RuleSet

__all__ = [
    "Contestant",
    "ContestedMatch",
    "MatchContest",
    "MatchContestProgress",
    "contest_matches",
]


@dataclass(frozen=True, slots=True)
class ContestedMatch:
    """One match of a contest, as ``on_match`` receives it."""

    number: int
    """From 1."""
    order: tuple[int, ...]
    """Contestants by seat: who sits at seat 1, seat 2, and so on, from 0."""
    played: PlayedMatch


@dataclass(frozen=True, slots=True)
class MatchContestProgress:
    """How far a contest is, as ``on_progress`` receives it after every match."""

    n_played: int
    n_matches: int
    wins: tuple[int, ...]
    """Matches that each contestant has won so far."""
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """What came out for one of the players."""

    n_wins: int
    win_chance: Interval
    """Chance of winning a match, with its exact binomial interval."""
    seat_wins: tuple[int, ...]
    """Matches won by seat, the first being the one that starts."""
    n_forfeits: int
    """Matches lost because the player could not go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchContest:
    """What came out when the same players met in many matches, from every seat in turn."""

    contestants: tuple[Contestant, ...]
    n_matches: int
    n_rounds: int
    seat_matches: tuple[int, ...]
    """Matches that every contestant has played from each seat, the first contestant's."""
    confidence: float
    is_interrupted: bool = False
    """Whether Ctrl-C came before all matches were played."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON."""
        return {
            "n_matches": self.n_matches,
            "n_rounds": self.n_rounds,
            "confidence": self.confidence,
            "contestants": [
                {
                    "n_wins": c.n_wins,
                    "win_chance": asdict(c.win_chance),
                    "seats": [
                        {"seat": seat, "n_wins": n_wins}
                        for seat, n_wins in enumerate(c.seat_wins, 1)
                    ],
                    "n_forfeits": c.n_forfeits,
                }
                for c in self.contestants
            ],
            "is_interrupted": self.is_interrupted,
        }


ProgressCallback: TypeAlias = Callable[[MatchContestProgress], None]
MatchCallback: TypeAlias = Callable[[ContestedMatch], None]


def contest_matches(
    players: Sequence[Any],  # Any: players of either family of games
    rules: RuleSet | CupRules,
    *,
    n_matches: int,
    rng: np.random.Generator | int,
    confidence: float = 0.95,
    on_match: MatchCallback | None = None,
    on_progress: ProgressCallback | None = None,
) -> MatchContest:
    """Let players meet in many matches, the seats moving on by one from match to match.

    Seat 1 starts each match, so that everybody starts equally often if the number of matches is a
    multiple of the number of players. A player who raises, or does what is not allowed, loses that
    match, and the others have won it.

    Parameters
    ----------
    players : sequence
        Two or more, as `play_match` takes them.
    rules : RuleSet or CupRules
        The rules.
    n_matches : int
        Matches, at least 1.
    rng : numpy.random.Generator or int
        A generator or a seed; every match has random numbers of its own.
    confidence : float
        Of the intervals, between 0 and 1.
    on_match, on_progress : callable, optional
        They are called after every match.

    Raises
    ------
    InputError, InputTypeError
        If an argument is not as described.

    References
    ----------
    Clopper and Pearson (1934), "The use of confidence or fiducial limits illustrated in the case
    of the binomial".

    Examples
    --------
    >>> from liarsolve import ProbabilityPlayer, RandomPlayer, presets
    >>> contest = contest_matches(
    ...     [ProbabilityPlayer(), RandomPlayer()], presets.LIARS_DICE, n_matches=50, rng=1
    ... )
    >>> contest.contestants[0].win_chance.lo > 0.8
    True
    """
    n_matches = check_whole("n_matches", n_matches, at_least=1)
    if not 0.0 < check_number("confidence", confidence) < 1.0:
        raise InputError(f"confidence lies between 0 and 1, such as 0.95, got {confidence}")
    check_callable("on_match", on_match)
    check_callable("on_progress", on_progress)
    tally, started, is_interrupted = _Tally(len(players)), perf_counter(), False
    try:
        for number, contested in enumerate(_matches(players, rules, n_matches, check_rng(rng)), 1):
            tally.add(contested.order, contested.played)
            if on_match is not None:
                on_match(contested)
            if on_progress is not None:
                on_progress(
                    MatchContestProgress(
                        number, n_matches, tuple(map(sum, tally.wins)), perf_counter() - started
                    )
                )
    except KeyboardInterrupt:
        if tally.n_matches == 0:
            raise
        is_interrupted = True
    return tally.result(confidence, is_interrupted=is_interrupted)


def _matches(
    players: Sequence[Any],
    rules: RuleSet | CupRules,
    n_matches: int,
    generator: np.random.Generator,
) -> Iterator[ContestedMatch]:
    """Play one match after the other."""
    tables = MatchTables(rules)
    for number in range(1, n_matches + 1):
        order = _order(len(players), number)
        played = play_match(
            [players[who] for who in order],
            rules,
            rng=np.random.default_rng(spawn_seeds(generator, 1)[0]),
            forfeits=True,
            tables=tables,
        )
        yield ContestedMatch(number, order, played)


def _order(n_players: int, number: int) -> tuple[int, ...]:
    """Contestants by seat in a match, the first match as they are listed."""
    shift = (number - 1) % n_players
    return tuple((seat + shift) % n_players for seat in range(n_players))


class _Tally:
    """What has come out so far."""

    def __init__(self, n_players: int) -> None:
        self.n_players, self.n_matches, self.n_rounds = n_players, 0, 0
        self.wins = [[0] * n_players for _ in range(n_players)]
        self.forfeits = [0] * n_players
        self.seat_matches = [0] * n_players

    def add(self, order: tuple[int, ...], played: PlayedMatch) -> None:
        """Count a match."""
        self.n_matches += 1
        self.n_rounds += len(played.rounds)
        self.seat_matches[order.index(0)] += 1
        for seat in played.winners:
            self.wins[order[seat]][seat] += 1
        if played.forfeit is not None:
            self.forfeits[order[played.forfeit.player]] += 1

    def result(self, confidence: float, *, is_interrupted: bool) -> MatchContest:
        """Sum up the matches played so far."""
        return MatchContest(
            contestants=tuple(
                Contestant(
                    n_wins=sum(wins),
                    win_chance=_interval(sum(wins), self.n_matches, confidence),
                    seat_wins=tuple(wins),
                    n_forfeits=self.forfeits[who],
                )
                for who, wins in enumerate(self.wins)
            ),
            n_matches=self.n_matches,
            n_rounds=self.n_rounds,
            seat_matches=tuple(self.seat_matches),
            confidence=confidence,
            is_interrupted=is_interrupted,
        )


def _interval(n_wins: int, n_matches: int, confidence: float) -> Interval:
    """Exact interval of a chance, by Clopper and Pearson."""
    from scipy.stats import binomtest

    found = binomtest(n_wins, n_matches).proportion_ci(confidence, method="exact")
    return Interval(n_wins / n_matches, float(found.low), float(found.high))

"""One player against another over paired deals, with confidence intervals."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from liarsolve._checks import check_callable, check_instance, check_number, check_rng, check_whole
from liarsolve._typing import F8
from liarsolve.errors import InputError, InputTypeError
from liarsolve.game import Payoffs
from liarsolve.play._spawning import spawn_seeds
from liarsolve.play.bidding.players import PlayerLike, StrategyPlayer, as_player, payoffs_of
from liarsolve.play.bidding.rounds import Table
from liarsolve.play.cup.players import CupPlayerLike, CupStrategyPlayer, as_cup_player
from liarsolve.play.cup.rounds import CupTable
from liarsolve.rules import CupOutcomeKind, CupRound, CupRules, OutcomeKind, Round, RuleSet
from liarsolve.strategy import BiddingSolution, CupSolution, CupStrategy, Strategy

_FEWEST_DEALS = 2

EndingKind: TypeAlias = OutcomeKind | CupOutcomeKind
"""How a round ended, of bidding or of a cup game."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over deals, and the confidence interval around it."""

    mean: float
    lo: float
    hi: float

    def __contains__(self, value: float) -> bool:
        return self.lo <= value <= self.hi


@dataclass(frozen=True, slots=True)
class HeadToHeadProgress:
    """How far a contest is, as ``on_progress`` receives it after every deal."""

    n_played: int
    n_deals: int
    mean: float
    """Utility of the challenger per round so far."""
    seconds: float


ProgressCallback: TypeAlias = Callable[[HeadToHeadProgress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadToHead:
    """What came out when a challenger met its rivals over the same dice from every seat."""

    utility: Interval
    """Utility of the challenger per round, with equal shares of all seats."""
    seats: tuple[Interval, ...]
    """The same for every seat in which the challenger sat."""
    win_share: float
    """Share of the rounds that brought the challenger more than 0."""
    n_deals: int
    """Deals that were played, each from every seat."""
    confidence: float
    """Chance with which an interval covers the true mean, over repetitions of the contest."""
    endings: Mapping[EndingKind, int]
    """How many rounds ended in which way."""
    own_calls: Mapping[EndingKind, int]
    """The same for the rounds that a call of the challenger ended."""
    is_interrupted: bool = False
    """Whether Ctrl-C came before all deals were played."""

    @property
    def n_rounds(self) -> int:
        """Rounds that were played."""
        return self.n_deals * len(self.seats)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON."""

        def counts(by_kind: Mapping[EndingKind, int]) -> dict[str, int]:
            return {kind.value: count for kind, count in by_kind.items()}

        return {
            "utility": asdict(self.utility),
            "seats": [{"seat": seat} | asdict(x) for seat, x in enumerate(self.seats, 1)],
            "win_share": self.win_share,
            "n_deals": self.n_deals,
            "n_rounds": self.n_rounds,
            "confidence": self.confidence,
            "endings": counts(self.endings),
            "own_calls": counts(self.own_calls),
            "is_interrupted": self.is_interrupted,
        }


def head_to_head(
    game: Round | RuleSet | CupRound | CupRules,
    challenger: PlayerLike | CupPlayerLike,
    rival: PlayerLike | CupPlayerLike,
    *,
    n_deals: int,
    rng: np.random.Generator | int,
    dice: Sequence[int] | None = None,
    confidence: float = 0.95,
    payoffs: Payoffs | None = None,
    on_progress: ProgressCallback | None = None,
) -> HeadToHead:
    """Let a challenger meet its rivals over paired deals.

    The same dice are played once for every seat: the challenger sits there, and rivals in all
    other seats. What a deal yields is the mean over these rounds. Luck with the dice and the
    advantage of a seat so cancel out, and a player that meets its like gets 0 in every deal. Every
    seat of a deal has random numbers of its own, the same in all its rounds, so that players who
    mix alike also act alike; no deal depends on those before it.

    In a cup game the dice of a deal are its luck: who has the cup in a turn throws the equally
    good hand of those that can come, whoever it is (`liarsolve.play.CupLuck`).

    The intervals are t intervals of the mean over deals. Deals are independent and yield amounts
    between fixed bounds, so that their mean is close to normal from some dozens of deals on, and
    what the rounds of a deal have in common is within each amount. A few deals that all happen to
    yield the same give an interval that is too narrow: play hundreds.

    Parameters
    ----------
    game : Round, RuleSet, CupRound or CupRules
        What is played. A `RuleSet` needs ``dice`` too; `CupRules` are played by two, a `CupRound`
        says how many there are.
    challenger, rival
        A `Player` each, or a `BiddingSolution` or `Strategy` that is played as it says; in a cup
        game a `CupPlayer`, `CupSolution` or `CupStrategy`. The ready players play both. With three
        and more seats the rival sits in all but one.
    n_deals : int
        Deals, at least 2; each is played from every seat.
    rng : numpy.random.Generator or int
        A generator or a seed.
    dice : sequence of int, optional
        Dice of every seat, if ``game`` is rules alone. Seats with unequal dice are as they are:
        the challenger sits in each of them in turn.
    confidence : float
        Of the intervals, between 0 and 1.
    payoffs : Payoffs, optional
        What the outcomes are worth; if not given what the first strategy among the two was solved
        for, without one the loser of a round pays 1 and the others share it. In a cup game it is
        always so, and the loser pays 2 where the rules take two lives.
    on_progress : callable, optional
        It is called after every deal.

    Raises
    ------
    InputError, InputTypeError
        If an argument is not as described.
    IllegalActionError
        If a player does what the rules do not allow.
    PlayerError
        If a player raises.

    References
    ----------
    Bard et al. (2013), "The Annual Computer Poker Competition", for duplicate matches; Student
    (1908), "The probable error of a mean", for the interval.

    Examples
    --------
    >>> from liarsolve import ProbabilityPlayer, RandomPlayer, presets
    >>> result = head_to_head(
    ...     presets.COMMON, ProbabilityPlayer(), RandomPlayer(), dice=(3, 3), n_deals=100, rng=1
    ... )
    >>> result.n_rounds, result.utility.lo > 0.5
    (200, True)
    >>> contest = head_to_head(presets.MIA, ProbabilityPlayer(), RandomPlayer(), n_deals=50, rng=1)
    >>> contest.utility.lo > 0.3
    True
    """
    n_deals = check_whole("n_deals", n_deals, at_least=_FEWEST_DEALS)
    if not 0.0 < check_number("confidence", confidence) < 1.0:
        raise InputError(f"confidence lies between 0 and 1, such as 0.95, got {confidence}")
    check_callable("on_progress", on_progress)
    generator = check_rng(rng)
    contest = _Contest(*_seat(game, challenger, rival, dice, payoffs))
    started, is_interrupted = perf_counter(), False
    try:
        for deal in range(n_deals):
            contest.play_deal(spawn_seeds(generator, 1)[0])
            if on_progress is not None:
                mean = contest.total / ((deal + 1) * contest.table.n_seats)
                on_progress(HeadToHeadProgress(deal + 1, n_deals, mean, perf_counter() - started))
    except KeyboardInterrupt:
        if contest.n_played < _FEWEST_DEALS:
            raise
        is_interrupted = True
    return contest.result(confidence, is_interrupted=is_interrupted)


class _Contest:
    """A contest that goes on: what the challenger got, by deal and seat."""

    def __init__(
        self,
        table: Any,  # Any: a table of either family with players of that family
        challenger: Any,
        rival: Any,
    ) -> None:
        self.table, self.challenger, self.rival = table, challenger, rival
        self.utilities: list[list[float]] = []
        self.total = 0.0
        self.endings: Counter[EndingKind] = Counter()
        self.own_calls: Counter[EndingKind] = Counter()

    @property
    def n_played(self) -> int:
        """Deals that were played from every seat."""
        return len(self.utilities)

    def play_deal(self, seed: np.random.SeedSequence) -> None:
        """Play one throw of the dice, or the luck of a cup, from every seat."""
        n_seats = self.table.n_seats
        thrown, *seeds = seed.spawn(1 + n_seats)
        dealt = self.table.deal(thrown)
        endings, own_calls, row = [], [], []
        for seat in range(n_seats):
            players = [self.rival] * n_seats
            players[seat] = self.challenger
            streams = [np.random.default_rng(seed) for seed in seeds]
            played = self.table.play(players, dealt, streams)
            row.append(float(played.utilities[seat]))
            endings.append(played.outcome.kind)
            if played.caller == seat:
                own_calls.append(played.outcome.kind)
        self.endings.update(endings)  # only whole deals count, should Ctrl-C come in one
        self.own_calls.update(own_calls)
        self.total += sum(row)
        self.utilities.append(row)

    def result(self, confidence: float, *, is_interrupted: bool) -> HeadToHead:
        """Sum up the deals played so far."""
        utilities = np.array(self.utilities)
        return HeadToHead(
            utility=_interval(utilities.mean(axis=1), confidence),
            seats=tuple(_interval(column, confidence) for column in utilities.T),
            win_share=float((utilities > 0.0).mean()),
            n_deals=self.n_played,
            confidence=confidence,
            endings=_by_kind(self.endings),
            own_calls=_by_kind(self.own_calls),
            is_interrupted=is_interrupted,
        )


def _interval(values: F8, confidence: float) -> Interval:
    """T interval of a mean; a single point where all values are the same."""
    from scipy import stats

    mean, spread = float(values.mean()), float(stats.sem(values))
    if spread == 0.0:  # scipy would divide by it
        return Interval(mean, mean, mean)
    lo, hi = stats.t.interval(confidence, values.size - 1, loc=mean, scale=spread)
    return Interval(mean, float(lo), float(hi))


def _by_kind(counts: Counter[EndingKind]) -> Mapping[EndingKind, int]:
    kinds = (*OutcomeKind, *CupOutcomeKind)
    return MappingProxyType({kind: counts[kind] for kind in kinds if counts[kind]})


def _seat(
    game: Round | RuleSet | CupRound | CupRules,
    challenger: PlayerLike | CupPlayerLike,
    rival: PlayerLike | CupPlayerLike,
    dice: Sequence[int] | None,
    payoffs: Payoffs | None,
) -> tuple[Any, Any, Any]:  # Any: as in _Contest
    """The table for what is played, and both players as it wants them."""
    pair: tuple[Any, Any]
    table: Table | CupTable
    if isinstance(game, CupRules | CupRound):
        for name, value in (("dice", dice), ("payoffs", payoffs)):
            if value is not None:
                raise InputError(f"a cup game takes no {name}, got {name}={value!r}")
        table = CupTable(game if isinstance(game, CupRound) else CupRound(game))
        pair = _cup_player(challenger), _cup_player(rival)
    else:
        if payoffs is not None:
            check_instance("payoffs", payoffs, Payoffs, "Payoffs, such as Payoffs(exact_right=2.0)")
        round_ = _round_of(game, dice)
        pair = _bidding_player(challenger), _bidding_player(rival)
        table = Table(round_, payoffs or payoffs_of(pair))
    table.check_players(pair)
    return table, *pair


def _cup_player(player: Any) -> Any:  # Any: whatever a caller hands over
    if isinstance(player, BiddingSolution | Strategy | StrategyPlayer):
        raise InputError(f"a cup game cannot be played by a strategy of bidding, got {player!r}")
    return as_cup_player(player)


def _bidding_player(player: Any) -> Any:
    if isinstance(player, CupSolution | CupStrategy | CupStrategyPlayer):
        raise InputError(f"bidding cannot be played by a strategy of a cup game, got {player!r}")
    return as_player(player)


def _round_of(game: Round | RuleSet, dice: Sequence[int] | None) -> Round:
    if isinstance(game, Round):
        if dice is not None:
            raise InputError(f"a Round has its dice, {game.dice}; leave out dice={dice!r}")
        return game
    if not isinstance(game, RuleSet):
        raise InputTypeError(
            f"what is played is a Round, a RuleSet with dice, CupRules or a CupRound, got {game!r}"
        )
    if dice is None:
        raise InputError("rules alone do not say how many dice there are; give dice, or a Round")
    if isinstance(dice, str) or not isinstance(dice, Sequence):
        raise InputTypeError(f"dice are numbers, one for each player, as in (2, 1), got {dice!r}")
    return Round(game, tuple(dice))

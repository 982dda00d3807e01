"""One round of a match: its bracket, from the table of values that were proved, or solved anew.

Everything in here can be sent to another process.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from liarsolve.game import Payoffs, StrategyProfile, compile_graph
from liarsolve.matches.scores import Ending
from liarsolve.rules import CupRules, Round, RuleSet, get_preset
from liarsolve.solvers import StopReason, hand_values, solve_lp, suggest_abstraction
from liarsolve.solvers.cup.payoffs import CupEndings, solve_cup_for
from liarsolve.solvers.two_player.best_response import bound_visits
from liarsolve.strategy import BiddingSolution, CupSolution, certified_values, solve

_ROUNDING = 1e-12
"""More than the rounding error of a best response; see `Certificate`."""
_MEMORY = 2e9
"""Bytes for a round that is too large to remember everything."""
_NO_LIMIT = 3600.0
_MOST_BIDS = 9
"""Of a round that a linear program solves in a second for any stakes; iterations came to a stop at
4e-5 in one of four bids. With twelve it takes ten to thirty seconds, and iterations do better."""

Bracket = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stake:
    """What an ending of a round is worth to its starter: their chance of winning the match."""

    guess: float
    """What the round is solved for."""
    low: float
    """The chance is at least this."""
    high: float
    """The chance is at most this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundJob:
    """A round, and how it is to be solved."""

    rules: RuleSet | CupRules
    dice: tuple[int, int] | None
    """Dice of both players, the first bidder's first; None in a cup game."""
    stakes: tuple[tuple[Ending, Stake], ...] = ()
    """What every ending is worth; empty where only winning the round counts."""
    target: float
    """How far from optimal the strategies may be, in utility per round."""
    max_seconds: float | None
    n_threads: int | None = None
    is_kept: bool = False
    """Whether the strategies are wanted too."""

    def to_dict(self) -> dict[str, Any]:
        """What the result depends on, as plain values."""
        return {
            "rules": self.rules.to_dict(),
            "dice": None if self.dice is None else list(self.dice),
            "stakes": [
                {"ending": kind, "caller": caller + 1, "guess": s.guess, "bounds": [s.low, s.high]}
                for (kind, caller), s in self.stakes
            ],
            "target": self.target,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResult:
    """What is known of a round."""

    bounds: Bracket
    """Bounds of the starter's chance: of winning the round, or with stakes the match."""
    stop: StopReason | None
    """Why the solver stopped; None if the values were known before."""
    seconds: float
    solution: BiddingSolution | None = field(default=None, repr=False)
    """The strategies, where they were wanted."""


def solve_round(job: RoundJob) -> RoundResult:
    """Solve a round, or look it up where it has been solved before.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> job = RoundJob(rules=presets.COMMON, dice=(1, 1), target=1e-3, max_seconds=None)
    >>> low, high = solve_round(job).bounds  # 4 out of 9, exactly
    >>> low < 4 / 9 < high, high - low < 1e-15
    (True, True)
    """
    started = perf_counter()
    if isinstance(job.rules, CupRules):
        return _solve_cup(job.rules, job, started)
    assert job.dice is not None
    if job.stakes:
        return _solve_for_stakes(job.rules, job.dice, job, started)
    known = _known_bounds(job.rules, job.dice)
    if known is not None:
        return RoundResult(bounds=known, stop=None, seconds=perf_counter() - started)
    solution = _solve_bidding(job.rules, job.dice, Payoffs(), job)
    bounds = _chances(solution)
    return RoundResult(bounds=bounds, stop=solution.stop, seconds=perf_counter() - started)


def is_known(job: RoundJob) -> bool:
    """Whether the round needs no solving."""
    if isinstance(job.rules, CupRules) or job.stakes or job.dice is None:
        return False
    return _known_bounds(job.rules, job.dice) is not None


def bounds_for(profile: StrategyProfile, stakes: Mapping[Ending, Bracket]) -> Bracket:
    """Bounds of the starter's chance of winning the match, by given strategies of a round.

    A round is worth no less where its endings are worth no less. So what the starter's strategy
    earns at least, with every ending worth its lower bound, is a lower bound of the score's value;
    and likewise from above.
    """
    low = -_best_response(profile, 1, {ending: s[0] for ending, s in stakes.items()})
    high = _best_response(profile, 0, {ending: s[1] for ending, s in stakes.items()})
    least, most = min(s[0] for s in stakes.values()), max(s[1] for s in stakes.values())
    low, high = (1.0 + low - _ROUNDING) / 2, (1.0 + high + _ROUNDING) / 2
    return min(max(low, least), most), max(min(high, most), least)


def ending_probs(profile: StrategyProfile, endings: tuple[Ending, ...]) -> dict[Ending, float]:
    """How likely each ending is where both players follow their strategies."""
    graph = profile.tree.graph
    probs = {}
    for ending in endings:
        worth = dict.fromkeys(endings, 0.5) | {ending: 1.0}
        paid = replace(profile, payoffs=_payoffs(worth))
        values = hand_values(paid, 0, is_best_response=False)
        probs[ending] = min(max(float(graph.hand_probs[0] @ values), 0.0), 1.0)
    return probs


def _best_response(profile: StrategyProfile, player: int, worth: Mapping[Ending, float]) -> float:
    tree = profile.tree
    paid = replace(profile, payoffs=_payoffs(worth))
    values = hand_values(paid, player, max_visits=bound_visits(tree.n_states))
    return float(tree.graph.hand_probs[player] @ values)


def _payoffs(worth: Mapping[Ending, float]) -> Payoffs:
    """Payoffs of a round whose endings are worth these chances to the starter.

    A chance p counts as the utility 2 p - 1, and payoffs are those of who calls.
    """
    kinds = {kind for kind, _ in worth}
    return Payoffs(
        **{
            kind: tuple(
                (2.0 * worth[kind, caller] - 1.0) * (1.0 if caller == 0 else -1.0)
                for caller in range(2)
            )
            for kind in kinds
        }
    )


def _solve_for_stakes(
    rules: RuleSet, dice: tuple[int, int], job: RoundJob, started: float
) -> RoundResult:
    stakes = dict(job.stakes)
    payoffs = _payoffs({ending: stake.guess for ending, stake in stakes.items()})
    table = Round(rules, dice)
    if len(table.bids) <= _MOST_BIDS:
        solution = BiddingSolution(solve_lp(compile_graph(table), payoffs=payoffs))
    else:
        solution = _solve_bidding(rules, dice, payoffs, job)
    profile = solution.result.profile
    if all(s.low == s.guess == s.high for s in stakes.values()):
        bounds = _chances(solution)
    else:
        bounds = bounds_for(profile, {ending: (s.low, s.high) for ending, s in stakes.items()})
    return RoundResult(
        bounds=bounds,
        stop=solution.stop,
        seconds=perf_counter() - started,
        solution=solution if job.is_kept else None,
    )


def _solve_bidding(
    rules: RuleSet, dice: tuple[int, int], payoffs: Payoffs, job: RoundJob
) -> BiddingSolution:
    """Solve a round, with players who forget early bids where it is too large otherwise."""
    abstraction = None
    if not job.stakes:
        abstraction = suggest_abstraction(
            compile_graph(Round(rules, dice)),
            max_seconds=job.max_seconds or _NO_LIMIT,
            max_memory=_MEMORY,
        )
    return solve(
        rules,
        dice,
        target=job.target,
        max_seconds=job.max_seconds,
        payoffs=payoffs,
        abstraction=abstraction,
        n_threads=job.n_threads,
    )


def _solve_cup(rules: CupRules, job: RoundJob, started: float) -> RoundResult:
    if job.stakes:
        solved = solve_cup_for(
            rules,
            *(
                CupEndings.of({e: getattr(s, name) for e, s in job.stakes})
                for name in ("low", "high")
            ),
            target=job.target,
            max_seconds=job.max_seconds,
            n_threads=job.n_threads,
        )
        return RoundResult(bounds=solved.bounds, stop=solved.stop, seconds=perf_counter() - started)
    solution = solve(rules, target=job.target, max_seconds=job.max_seconds, n_threads=job.n_threads)
    assert isinstance(solution, CupSolution)  # between two players
    bounds, exact = solution.win_bounds, solution.exact_win_probability
    if exact is not None:
        bounds = _around(float(exact))
    return RoundResult(bounds=bounds, stop=solution.stop, seconds=perf_counter() - started)


def _chances(solution: BiddingSolution) -> Bracket:
    """Bounds of the first bidder's chance of winning, from those of the value."""
    bounds = solution.value_bounds
    assert bounds is not None  # two players who play for the same stake
    return (1.0 + bounds[0]) / 2, (1.0 + bounds[1]) / 2


def _known_bounds(rules: RuleSet, dice: tuple[int, int]) -> Bracket | None:
    """Bounds of the chance of winning a round that was solved before."""
    for row in certified_values():
        if row.dice != dice or row.faces != rules.faces:
            continue
        preset = get_preset(row.rules)
        if isinstance(preset, RuleSet) and preset.round_rules == rules.round_rules:
            if row.exact_value is not None:
                return _around(float((1 + row.exact_value) / 2))
            return (1.0 + row.value_bounds[0]) / 2, (1.0 + row.value_bounds[1]) / 2
    return None


def _around(chance: float) -> Bracket:
    """The least bracket that holds a fraction which was rounded to this."""
    return max(math.nextafter(chance, -1.0), 0.0), min(math.nextafter(chance, 2.0), 1.0)

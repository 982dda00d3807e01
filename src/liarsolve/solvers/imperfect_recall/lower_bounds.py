"""What strategies lose at least, where best responses in the full game cannot be traversed."""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from scipy.special import stdtrit

from liarsolve._typing import F8
from liarsolve.errors import InputError
from liarsolve.game import PublicTree, StrategyProfile
from liarsolve.solvers.core.certificate import Certificate, LowerBound
from liarsolve.solvers.core.halt import Halt, Interrupts, listen
from liarsolve.solvers.imperfect_recall.abstract_response import (
    count_remembered,
    count_states,
    find_response,
    refine_response,
)
from liarsolve.solvers.imperfect_recall.local_response import (
    play_local_response,
    replies_of_a_deal,
)
from liarsolve.solvers.imperfect_recall.pieces import HaltedError

_MEMORY = 2e9
"""Bytes for tables of replies, if it is not given. It decides how much more a responder remembers
than the strategy."""
_SHARE, _MOST_SECONDS = 0.1, 60.0
"""Share of the time for a solve that goes into a bound, and the most."""
_BYTES_AN_ENTRY = 2 * 22
"""Of a (state, hand) pair in the tables of both seats, while replies are found or evaluated."""
_WORK = 2.5e9
"""(reply, reply, hand) triples of all deals of a seat, where the number is not given. With five
dice each it makes 5,000 deals, which take about 10 s of one core and an interval of +-0.002."""
_MOST_DEALS, _LEAST_DEALS = 20_000, 200
_FEWEST_DEALS = 50
"""Deals of each seat below which an interval is not worth the name."""
_REPLIES_A_SECOND = 1e8
"""Such triples in a second of a slow core, to see whether there is time for so many deals: at 10,
10 dice, 0.2 s a deal."""
_LEAST_MORE, _MORE_SHARE = 1.0, 0.25
"""What the least deals may take beyond the share of a solve: so many seconds, or this part of all
that it may take."""
_CONFIDENCE = 0.95
_EXACT_THRESHOLD = 1e-10
"""Where the opponent comes with no more than this, a policy that is evaluated counts as lost."""
_FOUND_A_SECOND, _REFINED_A_SECOND = 4e6, 2e6
"""(state, hand) pairs for which replies are found and refined in a second, on a slow core: to see
what there is time for."""
LEAST_REFINED = 100
"""Sequences of bids for which it is worth the while."""
_EXACTLY = " and evaluated exactly"


def measure_lower_bound(
    profile: StrategyProfile,
    *,
    recall: int | None = None,
    n_deals: int | None = None,
    max_seconds: float | None = None,
    max_memory: float | None = None,
    n_refined: int | None = None,
    confidence: float = _CONFIDENCE,
    rng: np.random.Generator | int = 0,
    n_threads: int = 2,
) -> LowerBound:
    """Find out what strategies of two players with imperfect recall lose at least in the true game.

    Two kinds of responders are tried for each seat. The first has imperfect recall, except where
    play is likely to come; their reply is found on merged states and evaluated exactly. The second
    is a local best response that remembers all and is guided by that reply, and plays many deals.
    The better of the two bounds is returned, by the lower ends of their intervals.

    Parameters
    ----------
    profile : StrategyProfile
        Written on merged states; the payoffs must sum to 0.
    recall : int, optional
        Bids that the first kind of responder remembers. If not given, as many as ``max_memory``
        allows, but no fewer than the strategy.
    n_deals : int, optional
        Deals for each seat; if not given, what takes ten seconds or less.
    max_seconds : float, optional
        Play fewer deals where they would take longer, and do without the first kind of responder
        where that would. The result then depends on the clock.
    max_memory : float, optional
        Bytes for the first kind of responder, who is left out if they need more; 2 GB if not given.
    n_refined : int, optional
        Likely sequences of bids that they remember in full, at the most; if not given, as many as
        memory and time allow.
    confidence : float
        Of the interval.
    rng : Generator or int
        Source of the draws, or a seed.
    n_threads : int
        1 or 2. The result does not depend on it.

    Raises
    ------
    InputError
        If there are more than two players, or the arguments leave nothing to do.

    Examples
    --------
    >>> from liarsolve.game import Recall, StrategyProfile, compile_graph, merge_states
    >>> from liarsolve.rules import Round, presets
    >>> from liarsolve.solvers import AbstractionCFR, certify
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=3), (2, 1)))
    >>> solver = AbstractionCFR(merge_states(graph, Recall(1)))
    >>> for _ in range(10):
    ...     solver.step()
    >>> profile = StrategyProfile(*solver.average_strategy())
    >>> bound = measure_lower_bound(profile, recall=2, n_deals=1000)
    >>> 0 < bound.lo < certify(profile).exploitability + 1e-9
    True
    """
    # The parameters are the documentation, so there are more than eight.
    tree = profile.tree
    _check(profile, n_deals, max_seconds, confidence)
    started = perf_counter()
    plan = _make_plan(tree, recall, n_refined, max_seconds, max_memory)
    stop = math.inf if max_seconds is None else started + max_seconds
    wanted = _Wanted(plan, n_deals, stop, confidence, n_threads)
    with listen() as interrupts:
        with interrupts.held():
            bound = _seek(profile, wanted, rng, Halt(interrupts=interrupts))
        interrupts.raise_waiting()
    assert bound is not None  # only an interrupt ends it before
    return bound


@dataclass(frozen=True, slots=True)
class _Wanted:
    """How a bound is sought."""

    plan: "_Plan"
    n_deals: int | None
    stop: float
    """When to play no more than the least deals; a time of `time.perf_counter`."""
    confidence: float
    n_threads: int


def _seek(
    profile: StrategyProfile, wanted: _Wanted, rng: np.random.Generator | int, halt: Halt
) -> LowerBound | None:
    """Find a bound; None if ``halt`` ends the search before there were deals enough for one."""
    tree, plan = profile.tree, wanted.plan
    streams = np.random.default_rng(rng).spawn(2)

    def respond(player: int) -> tuple[F8, float | None]:
        guide, exact = None, None
        if plan.recall is not None:
            guide = find_response(profile, player, recall=plan.recall, halt=halt)
            if plan.n_refined:
                guide = refine_response(guide, plan.n_refined, halt=halt)
            values = guide.evaluate(threshold=_EXACT_THRESHOLD, halt=halt)
            exact = float(tree.graph.hand_probs[player] @ values)

        def play(n: int) -> F8:
            return play_local_response(
                profile, player, n_deals=n, rng=streams[player], guide=guide, halt=halt
            )

        n_deals = wanted.n_deals or _count_deals(tree, 1 - player)
        return _play_until(play, n_deals, wanted.stop, halt), exact

    try:
        with ThreadPoolExecutor(min(wanted.n_threads, 2)) as pool:
            (first, first_exact), (second, second_exact) = pool.map(respond, range(2))
    except HaltedError:
        return None
    if halt.interrupts.is_waiting or min(first.size, second.size) < min(
        _FEWEST_DEALS, wanted.n_deals or _FEWEST_DEALS
    ):
        return None
    bound = _from_deals((first, second), wanted.confidence, plan.local_words)
    if first_exact is None or second_exact is None:
        return bound
    exact = _from_values((first_exact, second_exact), plan.reply_words(tree))
    return exact if exact.lo > bound.lo else bound


def _check(
    profile: StrategyProfile,
    n_deals: int | None,
    max_seconds: float | None,
    confidence: float,
) -> None:
    if profile.tree.graph.n_players != 2 or np.any(profile.payoffs.table(2).sum(axis=2)):
        raise InputError("exploitability is about two players whose payoffs sum to 0")
    if not 0.0 < confidence < 1.0:
        raise InputError(f"confidence must lie between 0 and 1, got {confidence}")
    if n_deals is not None and n_deals < 2:
        raise InputError(f"an interval needs 2 deals or more, got n_deals={n_deals}")
    if max_seconds is not None and not max_seconds > 0.0:
        raise InputError(f"max_seconds must be more than 0, got {max_seconds}")


@dataclass(frozen=True, slots=True)
class _Plan:
    """What there is memory and time for."""

    recall: int | None
    """Bids that the first kind of responder remembers; None to do without them."""
    n_refined: int
    """Likely sequences that they remember in full, at the most."""

    @property
    def local_words(self) -> str:
        words = "a local best response with perfect recall"
        if self.recall is not None:
            words += f", guided by replies found with recall {self.recall}"
        return words + (" and refined for likely bids" if self.n_refined else "")

    def reply_words(self, tree: PublicTree) -> str:
        words = f"a reply found with recall {self.recall}"
        if self.recall is not None and self.recall >= len(tree.graph.round.bids):
            words = "a best response found"
        return words + (", refined for likely bids" if self.n_refined else "") + _EXACTLY


def _make_plan(
    tree: PublicTree,
    recall: int | None,
    n_refined: int | None,
    max_seconds: float | None,
    max_memory: float | None,
) -> _Plan:
    if tree.abstraction is None:  # it may lack states, and all bids are remembered anyway
        return _Plan(None, 0)
    most_entries = (_MEMORY if max_memory is None else max_memory) / _BYTES_AN_ENTRY
    seconds = math.inf if max_seconds is None else max_seconds / 2
    if recall is None:
        recall = _choose_recall(tree, min(most_entries, seconds * _FOUND_A_SECOND) / 2)
    n_entries = _count_entries(tree, recall)
    seconds -= n_entries / _FOUND_A_SECOND
    if n_entries > most_entries or seconds < 0.0:
        return _Plan(None, 0)
    if n_refined is None:
        left = min(most_entries - n_entries, seconds * _REFINED_A_SECOND)
        n_refined = int(left / max(tree.graph.n_hands))
    is_worth_it = n_refined >= LEAST_REFINED and recall < len(tree.graph.round.bids)
    return _Plan(recall, n_refined if is_worth_it else 0)


def bound_seconds(max_seconds: float) -> float:
    """Time that a solve which may take so long keeps for a lower bound.

    >>> bound_seconds(300.0)
    30.0
    """
    return min(_SHARE * max_seconds, _MOST_SECONDS)


def bound_solved(
    profile: StrategyProfile,
    *,
    max_seconds: float | None,
    max_memory: float,
    seed: int,
    n_threads: int,
    interrupts: Interrupts | None = None,
) -> LowerBound | None:
    """Measure a lower bound within a share of the limits of the solve that made the strategies.

    None if that is too little time for the deals that it takes, or if somebody interrupts.
    """
    if max_seconds is not None and not has_time_for_bound(profile.tree, max_seconds):
        return None
    left = max_memory - sum(policy.nbytes for policy in profile.weights)
    seconds = None if max_seconds is None else bound_seconds(max_seconds)
    halt = Halt(interrupts=interrupts or Interrupts())
    stop = math.inf
    if max_seconds is not None and seconds is not None:
        stop = perf_counter() + seconds
        halt.deadline = stop + _more_seconds(max_seconds)
    plan = _make_plan(profile.tree, None, None, seconds, min(_MEMORY, left))
    return _seek(profile, _Wanted(plan, None, stop, _CONFIDENCE, n_threads), seed, halt)


def bound_by_plans(certificate: Certificate) -> LowerBound:
    """Lower bound by the plans that a search by branch and bound has found.

    Examples
    --------
    >>> str(bound_by_plans(Certificate((0.5, 0.5), least_br_values=(0.25, 0.0))))
    'at least 0.125 to plans found by branch and bound'
    """
    first, second = certificate.least_br_values or (-math.inf, -math.inf)
    value = certificate.exploitability_bounds[0]
    return LowerBound(
        value=value,
        lo=value,
        hi=value,
        confidence=1.0,
        n_deals=0,
        br_values=(first, second),
        method="plans found by branch and bound",
    )


def has_time_for_bound(tree: PublicTree, max_seconds: float) -> bool:
    """Whether a solve that may take so long can play the deals that a lower bound needs.

    Examples
    --------
    >>> from liarsolve.game import Recall, compile_graph, merge_states
    >>> from liarsolve.rules import Round, presets
    >>> tree = merge_states(compile_graph(Round(presets.COMMON, (8, 8))), Recall(1))
    >>> has_time_for_bound(tree, 3.0), has_time_for_bound(tree, 60.0)
    (False, True)
    """
    replies = max(replies_of_a_deal(tree.every_raise.graph, player) for player in range(2))
    left = bound_seconds(max_seconds) + _more_seconds(max_seconds)
    return _FEWEST_DEALS * replies / _REPLIES_A_SECOND <= left


def _more_seconds(max_seconds: float) -> float:
    return max(_LEAST_MORE, _MORE_SHARE * max_seconds)


def _play_until(play: Callable[[int], F8], n_deals: int, stop: float, halt: Halt) -> F8:
    """Play so many deals, or fewer if the time is up."""
    if stop == math.inf:
        return play(n_deals)
    parts = [play(min(n_deals, _LEAST_DEALS))]
    n_left = n_deals - parts[0].size
    while n_left > 0 and perf_counter() < stop and not halt():
        parts.append(play(min(n_left, _LEAST_DEALS)))
        n_left -= parts[-1].size
    return np.concatenate(parts)


def _from_deals(utilities: tuple[F8, F8], confidence: float, method: str) -> LowerBound:
    means = (float(utilities[0].mean()), float(utilities[1].mean()))
    value = sum(means) / 2
    spread = _half_width(utilities, confidence)
    return LowerBound(
        value=value,
        lo=value - spread,
        hi=value + spread,
        confidence=confidence,
        n_deals=min(part.size for part in utilities),
        br_values=means,
        method=method,
    )


def _half_width(utilities: tuple[F8, F8], confidence: float) -> float:
    """Half the width of the interval of half the sum of two means.

    References
    ----------
    Welch (1947), "The generalization of Student's problem when several different population
    variances are involved", Biometrika 34, for the degrees of freedom.
    """
    variances = [float(part.var(ddof=1)) / part.size for part in utilities]
    total = sum(variances)
    if total == 0.0:
        return 0.0
    freedom = total**2 / sum(
        variance**2 / (part.size - 1) for variance, part in zip(variances, utilities, strict=True)
    )
    return float(stdtrit(freedom, (1.0 + confidence) / 2)) * math.sqrt(total) / 2


def _from_values(values: tuple[float, float], method: str) -> LowerBound:
    value = sum(values) / 2
    return LowerBound(
        value=value,
        lo=value,
        hi=value,
        confidence=1.0,
        n_deals=0,
        br_values=values,
        method=method,
    )


def _choose_recall(tree: PublicTree, most_entries: float) -> int:
    """Most bids that a responder can remember, but no fewer than the strategy does."""
    n_bids = len(tree.graph.round.bids)
    recall = count_remembered(tree)
    while recall < n_bids and _count_entries(tree, recall + 1) <= most_entries:
        recall += 1
    return recall


def _count_entries(tree: PublicTree, recall: int) -> float:
    return count_states(tree.every_raise.graph, recall) * max(tree.graph.n_hands)


def _count_deals(tree: PublicTree, opponent: int) -> int:
    n_deals = _WORK / replies_of_a_deal(tree.every_raise.graph, opponent)
    return int(min(max(n_deals, _LEAST_DEALS), _MOST_DEALS))

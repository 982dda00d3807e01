"""Solve a round for players who forget, until its true price is low enough or falls no more."""

import math
import os
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter

import numpy as np

from liarsolve.errors import GameTooLargeError
from liarsolve.game import (
    Abstraction,
    BidGraph,
    Payoffs,
    PublicTree,
    Recall,
    compile_graph,
    merge_states,
)
from liarsolve.rules import Round, presets
from liarsolve.solvers.abstraction.cfr import AbstractionCFR, estimate_bytes
from liarsolve.solvers.abstraction.true_price import TruePrice, measure_true_price
from liarsolve.solvers.limits import check_limits, limit_reached
from liarsolve.solvers.result import ProgressCallback, SolveProgress, SolveResult, StopReason
from liarsolve.solvers.two_player.solve import (
    DEFAULT_MEMORY_SHARE,
    estimate_seconds_left,
    machine_memory,
)
from liarsolve.solvers.variants import DISCOUNTED_CFR, CFRVariant

DEFAULT_ITERATIONS = 1_000
"""Iterations at the most if no limit is given."""
_WALK = 1_000_000_000
"""(public state, hand) pairs that a best response walks at the most: about half a minute."""
_PROGRESS_WALK = 25_000_000
"""The same for the measurements on the way."""
_THRESHOLD = 1e-7
"""What is reached with no more counts in full in the final measurement, and with ten times as much
on the way. On 2 v 2 and 3 v 2 ``common`` with recall 3, 1e-6 and 1e-8 differ by 1e-5."""
_EXACT_WORK = 1e9
"""(edge, hand, hand) triples of one iteration up to which a pass meets all hands of the opponent:
below a second. Measured on 2 v 2 ``common`` with recall 3, discounted: all 21 hands have a price of
0.010 after 250 iterations and 3 s, 4 drawn hands 0.031 after 2,000 iterations and 11 s."""
_SLOW_FROM = 100
"""Iteration from which on progress is watched."""
_DRAWN = 8
"""Hands that are drawn in larger rounds."""


def solve_abstraction(
    graph: BidGraph,
    abstraction: Abstraction,
    *,
    payoffs: Payoffs | None = None,
    target: float = 1e-3,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    max_memory: float | None = None,
    variant: CFRVariant = DISCOUNTED_CFR,
    n_drawn: int | None = None,
    seed: int = 0,
    max_visits: int | None = None,
    n_threads: int | None = None,
    on_progress: ProgressCallback | None = None,
) -> SolveResult:
    """Solve a two-player round by CFR over merged states, and measure the price in the true game.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    abstraction : Abstraction
        What the players leave out of account.
    payoffs, max_seconds, n_threads, on_progress
        As for `liarsolve.solvers.two_player.solve`.
    target : float
        Stop when the exploitability in the true game is at or below this. The solver also stops
        where it falls no more, since what players forget may have a price above the target.
    max_iterations : int, optional
        Stop there; `DEFAULT_ITERATIONS` if neither this nor ``max_seconds`` is given.
    max_memory : float, optional
        Bytes that may be used; four fifths of the machine's memory if not given.
    variant : CFRVariant
        Which member of the CFR family.
    n_drawn : int, optional
        Hands of the opponent that a pass draws. If not given, all hands are met where that takes
        less than about a second, and a few are drawn elsewhere.
    seed : int
        Of the draws.
    max_visits : int, optional
        Public states that each best response walks at the most; if not given, what takes about
        half a minute, or a second once the time is up. If that is not enough, ``is_walked`` of the
        result is false, and the certificate is a bound that may say little.

    Raises
    ------
    GameTooLargeError
        If the merged states do not fit into ``max_memory``.

    Examples
    --------
    >>> from liarsolve.game import Recall, compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
    >>> result = solve_abstraction(graph, Recall(1), target=1e-4)
    >>> result.is_walked, result.certificate.exploitability <= 1e-4
    (True, True)
    """
    check_limits(
        "an exploitability",
        target,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
        max_memory=max_memory,
        max_visits=max_visits,
    )
    if max_iterations is None and max_seconds is None:
        max_iterations = DEFAULT_ITERATIONS
    max_memory = DEFAULT_MEMORY_SHARE * machine_memory() if max_memory is None else max_memory
    n_threads = n_threads or os.cpu_count() or 1
    _compile()
    started = perf_counter()
    tree = merge_states(graph, abstraction, max_entries=max_memory / 8)
    if n_drawn is None and _exact_work(tree) > _EXACT_WORK:
        n_drawn = _DRAWN
    _refuse_if_too_large(estimate_bytes(tree, np.float32, n_drawn, n_threads), tree, max_memory)
    solver = AbstractionCFR(
        tree,
        payoffs,
        variant,
        dtype=np.float32,
        n_drawn=n_drawn,
        seed=seed,
        n_threads=n_threads,
    )
    watch = _Watch(solver, target, max_iterations, max_seconds, max_visits, n_threads, started)
    try:
        while watch.stop is None:
            solver.step()
            if watch.is_due():
                watch.measure()
                if on_progress is not None:
                    on_progress(watch.progress())
    except KeyboardInterrupt:
        watch.stop = StopReason.INTERRUPTED
    n_bytes, seconds = solver.n_bytes, watch.seconds
    _, strategy = solver.average_strategy(is_last=True)
    price = measure_true_price(
        tree,
        strategy,
        solver.payoffs,
        threshold=_THRESHOLD,
        max_visits=watch.last_visits,
        n_threads=n_threads,
    )
    return SolveResult(
        tree=tree,
        strategy=strategy,
        payoffs=solver.payoffs,
        certificate=price.certificate,
        stop=watch.stop,
        method=variant.name,
        iterations=solver.iteration,
        seconds=seconds,
        peak_memory_mb=n_bytes / 1e6,
        is_walked=price.is_complete,
    )


def most_visits(graph: BidGraph, walk: int = _WALK) -> int:
    """Public states that a best response walks if so many (state, hand) pairs are allowed."""
    return walk // max(graph.n_hands)


@cache
def _compile() -> None:
    """Run every kernel once on the smallest round, so that compiling does not count as solving."""
    graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    solver = AbstractionCFR(merge_states(graph, Recall(1)), dtype=np.float32, n_threads=1)
    solver.step()
    tree, strategy = solver.average_strategy()
    measure_true_price(tree, strategy, solver.payoffs, max_visits=1, n_threads=1)


@dataclass(eq=False)
class _Watch:
    """Decides when to measure and when to stop."""

    solver: AbstractionCFR
    target: float
    max_iterations: int | None
    max_seconds: float | None
    max_visits: int | None
    n_threads: int
    started: float
    price: TruePrice | None = None
    stop: StopReason | None = None
    next_check: int = 4
    history: list[tuple[int, float, float]] = field(default_factory=list)
    """(iteration, seconds, exploitability) of every complete measurement."""

    @property
    def seconds(self) -> float:
        return perf_counter() - self.started

    def is_due(self) -> bool:
        """Whether it is time to measure, because of the iterations or of a limit."""
        iteration = self.solver.iteration
        self.stop = limit_reached(iteration, self.seconds, self.max_iterations, self.max_seconds)
        return self.stop is not None or iteration >= self.next_check

    def measure(self) -> None:
        """Measure the average strategy, and see whether that is enough."""
        solver = self.solver
        price = self.price = measure_true_price(
            solver.tree,
            solver.weights(),
            solver.payoffs,
            threshold=10 * _THRESHOLD,
            max_visits=self._visits(_PROGRESS_WALK),
            n_threads=self.n_threads,
        )
        iteration = solver.iteration
        exploitability = price.certificate.exploitability
        if exploitability <= self.target:
            self.stop = StopReason.CONVERGED
        if price.is_complete:
            self.history.append((iteration, self.seconds, exploitability))
            self.next_check = iteration + max(2, iteration // 10)
            if self.stop is None and self._is_slow():
                self.stop = StopReason.ABSTRACTION_LIMIT
        else:  # later strategies play less, so that their walks are shorter
            self.next_check = 2 * iteration

    @property
    def last_visits(self) -> int:
        """States that the best responses to what is returned may walk."""
        is_short = self.price is not None and not self.price.is_complete
        is_late = self.stop is StopReason.TIME_LIMIT and is_short
        return self._visits(_PROGRESS_WALK if is_late else _WALK)

    def _visits(self, walk: int) -> int:
        if self.max_visits is not None:
            return self.max_visits
        return most_visits(self.solver.graph, walk)

    def _is_slow(self) -> bool:
        """Whether twice as many iterations have not brought a tenth."""
        iteration, _, last = self.history[-1]
        before = [e for i, _, e in self.history if _SLOW_FROM <= i <= iteration / 2]
        return bool(before) and last > 0.9 * min(before)

    def progress(self) -> SolveProgress:
        solver, price = self.solver, self.price
        assert price is not None
        return SolveProgress(
            iteration=solver.iteration,
            certificate=price.certificate,
            target=self.target,
            seconds=self.seconds,
            seconds_left=self._seconds_left(),
            n_states=solver.tree.n_states,
            memory_mb=solver.n_bytes / 1e6,
        )

    def _seconds_left(self) -> float | None:
        if not self.history:
            return None
        return estimate_seconds_left([(s, e) for _, s, e in self.history], self.target)


def _exact_work(tree: PublicTree) -> float:
    """(edge, hand, hand) triples of an iteration that meets all hands."""
    pairs = float(math.prod(tree.graph.n_hands))
    return 2.0 * pairs * sum(children.size for children in tree.children)


def _refuse_if_too_large(n_bytes: int, tree: PublicTree, max_memory: float) -> None:
    if n_bytes > max_memory:
        dice = ",".join(map(str, tree.graph.round.dice))
        raise GameTooLargeError(
            f"{tree.abstraction} of {tree.graph.round.rules.name} with {dice} dice needs "
            f"{n_bytes / 1e9:.3g} GB, but {max_memory / 1e9:.3g} GB may be used; remember fewer "
            "bids, or raise max_memory"
        )

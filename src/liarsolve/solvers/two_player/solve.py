"""Run CFR until the certificate is good enough."""

import math
import os
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter

import numpy as np

from liarsolve._lanes import pad
from liarsolve.errors import GameTooLargeError
from liarsolve.game import BidGraph, Payoffs, compile_graph, measure_complete_tree
from liarsolve.rules import Round, presets
from liarsolve.solvers.checkpoint_clock import CheckpointClock
from liarsolve.solvers.limits import check_limits, limit_reached, refuse_endless
from liarsolve.solvers.result import (
    CheckpointCallback,
    ProgressCallback,
    SolveProgress,
    SolveResult,
    SolverState,
    StopReason,
)
from liarsolve.solvers.two_player.best_response import Certificate, bound_visits, certify
from liarsolve.solvers.two_player.cfr import CFRSolver
from liarsolve.solvers.two_player.growing_tree import FIRST_EDGES, FIRST_STATES
from liarsolve.solvers.variants import DISCOUNTED_CFR, CFRVariant

_LARGE_ENTRIES = 2e7
"""(edge, hand) pairs of the complete tree from which on trees are split and stored in float32."""
_FIRST_THRESHOLD = 1e-3
_THRESHOLD_SHARE = 0.01
"""Threshold of the growing tree as a share of the exploitability. Measured on 2 v 2 and 3 v 2
``common``: 0.3 and 0.1 stop at ten times the target, 0.03 and 0.01 reach it in the same time, the
smaller share is the safer one and takes a quarter more states."""
_CERTIFICATE_SHARE = 0.01
"""Threshold of the certificate as a share of that of the tree; what it leaves out is counted."""
DEFAULT_MEMORY_SHARE = 0.8
_REVISIT_PERIOD = 4
"""Iterations between visits to actions that nobody plays, once the exploitability is below
`_REVISIT_BELOW`. Measured on 3 v 2 ``common`` to 1e-3: 231 iterations and 38 s of processor time
with 1, 242 and 29 s with 2, 292 and 27 s with 4, 517 and 38 s with 8."""
_REVISIT_BELOW = 0.1
_FIRST_DROP = 16
_DROP_GROWTH = 1.3
"""Stale states are dropped from iteration `_FIRST_DROP` on, when there are so many times the
states that were left the last time. Measured on 3 v 2 ``common`` to 1e-3: 122,201 states and 31 s
of processor time at the end, instead of 145,974 and 35 s."""
_LEAST_DROP = 1.05
"""Where memory has run out, so many times the states that are left must have been there before
for the tree to grow on."""


def solve_cfr(
    graph: BidGraph,
    *,
    payoffs: Payoffs | None = None,
    target: float = 1e-3,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    max_memory: float | None = None,
    variant: CFRVariant = DISCOUNTED_CFR,
    n_threads: int | None = None,
    on_progress: ProgressCallback | None = None,
    on_checkpoint: CheckpointCallback | None = None,
    checkpoint_seconds: float = 600.0,
    resume_from: SolverState | None = None,
) -> SolveResult:
    """Solve a two-player round by CFR on a growing tree.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    payoffs : Payoffs
        What the outcomes are worth.
    target : float
        Stop when the certified exploitability is at or below this, in utility per round.
    max_iterations, max_seconds : optional
        Stop there if the target has not been reached; without them the target alone decides.
    max_memory : float, optional
        Bytes that the trees may take, where most of the memory goes; four fifths of the
        machine's memory if not given. When they are used up, the solver goes on with the states
        that it has as long as that helps.
    variant : CFRVariant
        Which member of the CFR family.
    n_threads : int, optional
        Threads for large rounds; the result does not depend on it.
    on_progress : callable
        Called with a `SolveProgress` at each certificate.
    on_checkpoint : callable
        Called with a `SolverState` every ``checkpoint_seconds``; its arrays are views that the
        next iteration overwrites.
    resume_from : SolverState, optional
        Go on from there; the result has the same bits as that of an unbroken run.

    Raises
    ------
    GameTooLargeError
        If not even the replies to the opening bids fit into ``max_memory``; nothing is allocated
        then.
    """
    check_limits(
        "an exploitability",
        target,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
        max_memory=max_memory,
    )
    refuse_endless(target, max_iterations, max_seconds, ", or use solve_exact")
    checkpoints = CheckpointClock(on_checkpoint, checkpoint_seconds)
    max_memory = DEFAULT_MEMORY_SHARE * machine_memory() if max_memory is None else max_memory
    refuse_if_too_large(graph, estimate_least_memory(graph), max_memory)
    is_large = measure_complete_tree(graph).n_entries > _LARGE_ENTRIES
    dtype = np.float32 if is_large else np.float64
    _compile(dtype)
    started = perf_counter()
    solver = CFRSolver(
        graph,
        payoffs,
        variant,
        dtype=dtype,
        max_memory=max_memory,
        is_split=is_large,
        n_threads=n_threads,
    )
    watch = _Watch(solver, target, max_iterations, max_seconds, started)
    if resume_from is not None:
        watch.restore(resume_from)
    try:
        while watch.stop is None:
            solver.step()
            if watch.is_due():
                watch.certify()
                if on_progress is not None:
                    on_progress(watch.progress())
            checkpoints.tick(watch.to_state)
    except KeyboardInterrupt:
        watch.certify()
        watch.stop = StopReason.INTERRUPTED
    else:
        if watch.stop is not StopReason.CONVERGED:  # more time or memory can go on from here
            checkpoints.call(watch.to_state)
    tree, strategy = solver.average_strategy(is_last=True)
    return SolveResult(
        tree=tree,
        strategy=strategy,
        payoffs=solver.payoffs,
        certificate=certify(  # anew, since the strategy returned is rounded to its dtype
            tree,
            strategy,
            solver.payoffs,
            threshold=_CERTIFICATE_SHARE * solver.threshold,
            max_visits=bound_visits(tree.n_states),
        ),
        stop=watch.stop,
        method=variant.name,
        iterations=solver.iteration,
        seconds=watch.seconds,
        peak_memory_mb=watch.peak_bytes / 1e6,
    )


@cache
def _compile(dtype: type[np.float32] | type[np.float64]) -> None:
    """Run every kernel once on the smallest round, so that compiling does not count as solving."""
    graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    solver = CFRSolver(graph, dtype=dtype, is_split=True, n_threads=1)
    solver.step()
    solver.certify()
    solver.average_strategy()


@dataclass(eq=False)
class _Watch:
    """Decides when to certify and when to stop, and lowers the solver's threshold."""

    solver: CFRSolver
    target: float
    max_iterations: int | None
    max_seconds: float | None
    started: float
    certificate: Certificate = field(init=False)
    stop: StopReason | None = None
    next_check: int = 1
    n_fresh: int = 0
    """States that were left when stale ones were dropped last."""
    threshold_share: float = _THRESHOLD_SHARE
    peak_bytes: int = 0
    slow_from: int = 10
    """Iteration from which on progress is watched."""
    history: list[tuple[int, float, float]] = field(default_factory=list)
    """(iteration, seconds, exploitability) of every certificate."""

    def __post_init__(self) -> None:
        self.solver.threshold = _FIRST_THRESHOLD
        if self.max_seconds is not None:
            self.solver.deadline = self.started + self.max_seconds

    @property
    def seconds(self) -> float:
        return perf_counter() - self.started

    def to_state(self) -> SolverState:
        """Everything that `restore` needs."""
        values, arrays = self.solver.to_state()
        values |= {
            "next_check": self.next_check,
            "n_fresh": self.n_fresh,
            "peak_bytes": self.peak_bytes,
            "threshold_share": self.threshold_share,
            "slow_from": self.slow_from,
            "seconds": self.seconds,
            "history": [list(entry) for entry in self.history],
        }
        return SolverState(values, arrays)

    def restore(self, state: SolverState) -> None:
        """Go on where `to_state` was taken."""
        self.solver.restore(state.values, state.arrays)
        self.next_check = int(state.values["next_check"])
        self.n_fresh = int(state.values["n_fresh"])
        self.peak_bytes = int(state.values["peak_bytes"])
        self.threshold_share = float(state.values["threshold_share"])
        self.slow_from = int(state.values["slow_from"])
        self.started -= float(state.values["seconds"])
        self.solver.deadline -= float(state.values["seconds"])
        self.history = [(int(i), float(s), float(e)) for i, s, e in state.values["history"]]

    def is_due(self) -> bool:
        """Whether it is time for a certificate, because of the iterations or of a limit."""
        iteration = self.solver.iteration
        self.stop = limit_reached(iteration, self.seconds, self.max_iterations, self.max_seconds)
        return self.stop is not None or iteration >= self.next_check

    def certify(self) -> None:
        """Measure the average strategy, and see whether that is enough."""
        solver = self.solver
        self.peak_bytes = max(self.peak_bytes, solver.n_bytes)
        self.certificate = solver.certify(_CERTIFICATE_SHARE * solver.threshold)
        exploitability = self.certificate.exploitability
        self.history.append((solver.iteration, self.seconds, exploitability))
        # A certificate costs less than an iteration: a tenth of the time at the most.
        self.next_check = solver.iteration + max(1, solver.iteration // 10)
        if exploitability <= self.target:
            self.stop = StopReason.CONVERGED
        elif self._is_slow():
            if solver.is_out_of_memory:
                self.stop = StopReason.MEMORY_LIMIT
            self.threshold_share *= 0.5
            self.slow_from = solver.iteration
        wanted = self.threshold_share * max(exploitability, self.target)
        solver.threshold = min(solver.threshold, wanted)
        if exploitability < _REVISIT_BELOW:
            solver.revisit_period = _REVISIT_PERIOD
        if self.stop is None and solver.iteration >= _FIRST_DROP:
            self._drop_stale()

    def _drop_stale(self) -> None:
        """Forget stale states once there are many new ones, or no memory is left for others."""
        solver = self.solver
        before = solver.n_states
        if before < _DROP_GROWTH * self.n_fresh and not solver.is_out_of_memory:
            return
        solver.drop_stale()
        self.n_fresh = solver.n_states
        # A few free states would only be filled and dropped again.
        solver.is_out_of_memory &= before < _LEAST_DROP * self.n_fresh

    def _is_slow(self) -> bool:
        """Whether half as many iterations again have not brought a quarter; measured anew then."""
        iteration, _, last = self.history[-1]
        before = [e for i, _, e in self.history if self.slow_from <= i <= iteration / 1.5]
        return bool(before) and last > 0.75 * before[-1]

    def progress(self) -> SolveProgress:
        return SolveProgress(
            iteration=self.solver.iteration,
            certificate=self.certificate,
            target=self.target,
            seconds=self.seconds,
            seconds_left=estimate_seconds_left([(s, e) for _, s, e in self.history], self.target),
            n_states=self.solver.n_states,
            memory_mb=self.solver.n_bytes / 1e6,
        )


def estimate_seconds_left(history: list[tuple[float, float]], target: float) -> float | None:
    """Time to the target, if exploitability goes on falling as the same power of time.

    ``history`` holds pairs (seconds, exploitability); the second half of them is fitted.
    """
    seconds, last = history[-1]
    if last <= target:
        return 0.0
    earlier_seconds, earlier = history[len(history) // 2 - 1] if len(history) > 3 else history[-1]
    if target <= 0 or not earlier > last or not seconds > earlier_seconds:
        return None
    exponent = math.log(earlier / last) / math.log(seconds / earlier_seconds)
    growth = math.log(last / target) / exponent
    return seconds * math.expm1(growth) if growth < 50 else None


def estimate_least_memory(graph: BidGraph) -> float:
    """Bytes of the tables of the hands and of the trees before they grow, in float32."""
    n_hands = np.array([pad(n) for n in graph.n_hands], float)
    tables = 8 * graph.n_nodes * n_hands.sum()
    n_trees = 1 + int(graph.action_start[1])
    return float(tables + n_trees * (8 * FIRST_EDGES * n_hands.sum() + 12 * FIRST_STATES))


def refuse_if_too_large(graph: BidGraph, memory: float, max_memory: float) -> None:
    """Raise `GameTooLargeError` with the estimate if the memory needed is not to be had."""
    if memory > max_memory:
        dice = ",".join(map(str, graph.round.dice))
        n_states = measure_complete_tree(graph).n_states
        raise GameTooLargeError(
            f"{graph.round.rules.name} with {dice} dice of {graph.round.rules.faces} faces has "
            f"{n_states:.4g} public states and needs at least {_format_bytes(memory)}, but "
            f"{_format_bytes(max_memory)} may be used; take fewer dice or faces, or raise "
            "max_memory"
        )


def machine_memory() -> float:
    """Bytes of memory of this machine; 8e9 where the system does not tell."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return 8e9


def _format_bytes(n_bytes: float) -> str:
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if n_bytes >= scale:
            return f"{n_bytes / scale:,.3g} {unit}"
    return f"{n_bytes / 1e3:,.3g} kB"

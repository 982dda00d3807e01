"""Run CFR until the certificate is good enough, with linear programs at the end if need be."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarsolve._lanes import pad
from liarsolve._typing import Real
from liarsolve.errors import GameTooLargeError
from liarsolve.game import BidGraph, Payoffs, PublicTree, compile_graph, measure_complete_tree
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
from liarsolve.solvers.two_player.polish import Polished, polish
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
_FINISHED = "polished_"
"""Before the names of the arrays of a finished strategy."""
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
_POLISH_BELOW = 1e-5
"""Exploitability, as a share of half the range of payoffs, from which on linear programs are tried.
From 1e-5 they end 2 v 1 ``common`` after 1.4 s in place of 3.3 to 5.8 s for 1e-6; from 1e-4 they
take longer than CFR at 1 v 1 ``openspiel``."""
_POLISH_SHARE = 2 / 3
_VISITS_PER_ENTRY = 33
"""A state in an iteration takes some 150 ns, an entry of a program some 5 microseconds. A clock in
place of such counts would make results depend on what else the machine does."""
_POLISH_AGAIN = 1 / 3
"""Tried in vain, they are tried again when CFR has brought the exploitability down to so much."""
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

    For targets below 1e-5 linear programs finish what CFR has begun, see `polish`; how much they
    may do depends on the target and on the size of the tree, never on the clock.

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
    _compile(dtype, is_split=is_large)
    if target < _polish_below(payoffs or Payoffs()):
        _compile_polish()
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
                watch.polish(on_progress)
            checkpoints.tick(watch.to_state)
    except KeyboardInterrupt:
        watch.certify()
        watch.stop = StopReason.INTERRUPTED
    else:
        if watch.stop is not StopReason.CONVERGED:  # more time or memory can go on from here
            checkpoints.call(watch.to_state)
    finished = watch.polished
    if finished is None or finished.certificate.exploitability > watch.certificate.exploitability:
        finished = _average(solver)
    return SolveResult(
        tree=finished.tree,
        strategy=finished.strategy,
        payoffs=solver.payoffs,
        certificate=finished.certificate,
        stop=watch.stop,
        method=variant.name if finished is not watch.polished else f"{variant.name}, then lp",
        iterations=solver.iteration,
        seconds=watch.seconds,
        peak_memory_mb=watch.peak_bytes / 1e6,
    )


@dataclass(frozen=True, eq=False)
class _Finished:
    """A strategy that can be returned."""

    tree: PublicTree
    strategy: tuple[Real, ...]
    certificate: Certificate

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that `restore` needs."""
        arrays: dict[str, NDArray[Any]] = {
            "node": self.tree.node,
            "first_edge": self.tree.first_edge,
            "br_values": np.array(self.certificate.br_values),
        }
        for p, (children, policy) in enumerate(zip(self.tree.children, self.strategy, strict=True)):
            arrays |= {f"children_{p}": children, f"policy_{p}": policy}
        return {f"{_FINISHED}{name}": array for name, array in arrays.items()}

    @classmethod
    def restore(
        cls, graph: BidGraph, payoffs: Payoffs, arrays: Mapping[str, NDArray[Any]]
    ) -> "_Finished | None":
        """What `to_arrays` was taken of, None if there was nothing."""
        own = {
            name.removeprefix(_FINISHED): np.array(array)
            for name, array in arrays.items()
            if name.startswith(_FINISHED)
        }
        if not own:
            return None
        return cls(
            PublicTree(
                graph=graph,
                node=own["node"],
                first_edge=own["first_edge"],
                children=tuple(own[f"children_{p}"] for p in range(2)),
            ),
            tuple(own[f"policy_{p}"] for p in range(2)),
            Certificate.of(own["br_values"].tolist(), payoffs),
        )


def _average(solver: CFRSolver) -> _Finished:
    """The solver's average strategy, of which nothing is left then."""
    tree, strategy = solver.average_strategy(is_last=True)
    certificate = certify(  # anew, since the strategy returned is rounded to its dtype
        tree,
        strategy,
        solver.payoffs,
        threshold=_CERTIFICATE_SHARE * solver.threshold,
        max_visits=bound_visits(tree.n_states),
    )
    return _Finished(tree, strategy, certificate)


@cache
def _compile(dtype: type[np.float32] | type[np.float64], *, is_split: bool) -> None:
    """Run every kernel once on the smallest round, so that compiling does not count as solving."""
    graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    solver = CFRSolver(graph, dtype=dtype, is_split=is_split, n_threads=1)
    solver.step()
    solver.certify()
    solver.average_strategy()


@cache
def _compile_polish() -> None:
    """The same for the kernels of `polish`."""
    graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    solver = CFRSolver(graph)
    solver.step()
    polish(*solver.average_strategy(), solver.payoffs, 1e-9)


def _polish_below(payoffs: Payoffs) -> float:
    table = payoffs.table(2)
    return _POLISH_BELOW * float(table.max() - table.min()) / 2


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
    polished: _Finished | None = None
    """The best that linear programs have made of an average strategy."""
    polish_below: float = field(init=False)
    """Exploitability from which on they are tried."""
    history: list[tuple[int, float, float]] = field(default_factory=list)
    """(iteration, seconds, exploitability) of every certificate."""

    def __post_init__(self) -> None:
        self.solver.threshold = _FIRST_THRESHOLD
        self.polish_below = _polish_below(self.solver.payoffs)
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
            "polish_below": self.polish_below,
            "seconds": self.seconds,
            "history": [list(entry) for entry in self.history],
        }
        if self.polished is not None:
            arrays |= self.polished.to_arrays()
        return SolverState(values, arrays)

    def restore(self, state: SolverState) -> None:
        """Go on where `to_state` was taken."""
        self.solver.restore(state.values, state.arrays)
        self.next_check = int(state.values["next_check"])
        self.n_fresh = int(state.values["n_fresh"])
        self.peak_bytes = int(state.values["peak_bytes"])
        self.threshold_share = float(state.values["threshold_share"])
        self.slow_from = int(state.values["slow_from"])
        self.polish_below = float(state.values["polish_below"])
        self.polished = _Finished.restore(self.solver.graph, self.solver.payoffs, state.arrays)
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

    def polish(self, on_progress: ProgressCallback | None) -> None:
        """Try to finish by linear programs, if the strategy is near enough to an equilibrium.

        A target of 0 asks for iterations alone.
        """

        def keep(polished: Polished) -> None:
            self.peak_bytes = max(self.peak_bytes, int(self.solver.n_bytes + polished.n_bytes))
            if polished.certificate.exploitability < self.best_certificate.exploitability:
                self.polished = _Finished(tree, polished.strategy, polished.certificate)
            if on_progress is not None:
                on_progress(self.progress())

        exploitability = self.certificate.exploitability
        is_near = 0 < self.target < exploitability <= self.polish_below
        if not is_near or perf_counter() > self.solver.deadline:
            return
        self.polish_below = _POLISH_AGAIN * exploitability
        tree, strategy = self.solver.average_strategy()
        polish(
            tree,
            strategy,
            self.solver.payoffs,
            self.target,
            threshold=_CERTIFICATE_SHARE * _THRESHOLD_SHARE * self.target,
            max_memory=self.solver.max_memory - self.solver.n_bytes,
            budget=self._polish_budget(exploitability),
            deadline=self.solver.deadline,
            on_round=keep,
        )
        if self.best_certificate.exploitability <= self.target:
            self.stop = StopReason.CONVERGED

    def _polish_budget(self, exploitability: float) -> float:
        """Entries of programs that take `_POLISH_SHARE` of the time that CFR would still need.

        That is guessed from a fall as iterations to the power of -2, as on 2 v 1 ``common``; it
        is seldom surpassed.
        """
        n_visits = self.solver.iteration * self.solver.n_states
        still_needed = n_visits * (math.sqrt(exploitability / self.target) - 1.0)
        return _POLISH_SHARE * still_needed / _VISITS_PER_ENTRY

    @property
    def best_certificate(self) -> Certificate:
        """Of the best strategy so far."""
        if self.polished is None:
            return self.certificate
        return min(self.certificate, self.polished.certificate, key=lambda c: c.exploitability)

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
            certificate=self.best_certificate,
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

"""Run CFR until the certificate is good enough, with linear programs at the end if need be."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarsolve._checks import check_whole
from liarsolve._lanes import pad
from liarsolve._typing import Real
from liarsolve.game import (
    BidGraph,
    Payoffs,
    PublicTree,
    StrategyProfile,
    compile_graph,
    measure_complete_tree,
)
from liarsolve.rules import Round, presets
from liarsolve.solvers.core.certificate import Certificate
from liarsolve.solvers.core.checkpoints import NO_CALLBACKS, Callbacks
from liarsolve.solvers.core.halt import Halt, listen
from liarsolve.solvers.core.limits import BYTES_A_SECOND, DEFAULT_LIMITS, Limits
from liarsolve.solvers.core.memory import refuse_if_too_large, usable_memory
from liarsolve.solvers.core.result import (
    SolveProgress,
    SolveResult,
    SolverState,
    StopReason,
)
from liarsolve.solvers.core.run import Measurement, Run
from liarsolve.solvers.core.variants import DISCOUNTED_CFR, CFRVariant
from liarsolve.solvers.two_player.best_response import bound_visits, certify
from liarsolve.solvers.two_player.cfr import CFRSolver
from liarsolve.solvers.two_player.growing_tree import FIRST_EDGES, FIRST_STATES
from liarsolve.solvers.two_player.polish import Polished, polish
from liarsolve.solvers.two_player.traversals import stack_sizes

_LARGE_ENTRIES = 2e7
"""(edge, hand) pairs of the complete tree from which on trees are split and stored in float32."""
_FIRST_THRESHOLD = 1e-3
_FIRST_THRESHOLD_IN_TIME = 0.3
"""The same for large trees where there is a limit of time, which a first iteration at the other one
may use up: 3 v 3 ``liars_dice`` is at 0.76 after 1.2 s with this one, and at 1 with 0.01. It falls
to the other one as long as little time is used up."""
_THRESHOLD_SHARE = 0.01
"""Threshold of the growing tree as a share of the exploitability. Measured on 2 v 2 and 3 v 2
``common``: 0.3 and 0.1 stop at ten times the target, 0.03 and 0.01 reach it in the same time, the
smaller share is the safer one and takes a quarter more states."""
_CERTIFICATE_SHARE = 0.01
"""Threshold of the certificate as a share of that of the tree; what it leaves out is counted."""
_FINISHING_SHARE = _CERTIFICATE_SHARE * _THRESHOLD_SHARE
"""The same for linear programs, as a share of the target."""
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
_TABLES = 4
"""Numbers that are held for each (node, hand) pair: what is done by default, on its own and padded,
and what calls pay to either player."""


def solve_cfr(
    graph: BidGraph,
    *,
    payoffs: Payoffs | None = None,
    limits: Limits = DEFAULT_LIMITS,
    variant: CFRVariant = DISCOUNTED_CFR,
    n_threads: int | None = None,
    callbacks: Callbacks = NO_CALLBACKS,
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
    limits : Limits
        When to stop. The target is a certified exploitability. The memory is that of the trees,
        where most of it goes; when it is used up, the solver goes on with the states that it has
        as long as that helps.
    variant : CFRVariant
        Which member of the CFR family.
    n_threads : int, optional
        Threads for large rounds; the result does not depend on it.
    callbacks : Callbacks
        Whom to tell about progress and checkpoints, and where to go on from.

    Raises
    ------
    GameTooLargeError
        If not even the replies to the opening bids fit into ``max_memory``; nothing is allocated
        then.

    Examples
    --------
    >>> from liarsolve import Round, presets
    >>> from liarsolve.game import compile_graph
    >>> from liarsolve.solvers import Limits
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    >>> solve_cfr(graph, limits=Limits(target=1e-2)).certificate.exploitability <= 1e-2
    True
    """
    limits.check("an exploitability")
    limits.refuse_endless(", or use solve_exact")
    if n_threads is not None:
        check_whole("n_threads", n_threads, at_least=1)
    with listen() as interrupts:
        memory = usable_memory(limits.max_memory)
        refuse_if_too_large(graph, estimate_least_memory(graph), memory)
        is_large = measure_complete_tree(graph).n_entries > _LARGE_ENTRIES
        dtype = np.float32 if is_large else np.float64
        _compile(dtype, is_split=is_large)
        if limits.target < _polish_below(payoffs or Payoffs()):
            _compile_polish()
        interrupts.raise_waiting()
        started = perf_counter()
        solver = CFRSolver(
            graph,
            payoffs,
            variant,
            dtype=dtype,
            max_memory=memory - (0.0 if limits.max_memory is None else _table_bytes(graph)),
            is_split=is_large,
            n_threads=n_threads,
        )
        task = _Task(solver, limits.target)
        solver.threshold = _first_threshold(limits, is_large=is_large)
        run = Run(task, limits, started, interrupts, callbacks.on_progress)
        if callbacks.resume_from is not None:
            run.restore(callbacks.resume_from)
        run.go(callbacks)
        with interrupts.held():
            return task.finish(run)


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
    certificate = certify(
        StrategyProfile(tree, strategy, solver.payoffs),
        threshold=_CERTIFICATE_SHARE * solver.threshold,
        max_visits=bound_visits(tree.n_states),
        halt=solver.halt,
    )
    return _Finished(tree, strategy, certificate)


def _with_lower_ends(finished: _Finished, solver: CFRSolver, threshold: float) -> _Finished:
    """The same strategy and upper ends; linear programs say nothing of the lower ones."""
    found = certify(
        StrategyProfile(finished.tree, finished.strategy, solver.payoffs),
        threshold=threshold,
        max_visits=bound_visits(finished.tree.n_states),
        halt=solver.halt,
    )
    most, least = finished.certificate.br_values, found.least_br_values
    assert least is not None
    certificate = replace(finished.certificate, least_br_values=tuple(map(min, least, most)))
    return replace(finished, certificate=certificate)


def _first_threshold(limits: Limits, *, is_large: bool) -> float:
    has_limit = limits.max_seconds is not None
    return _FIRST_THRESHOLD_IN_TIME if is_large and has_limit else _FIRST_THRESHOLD


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
    polish(StrategyProfile(*solver.average_strategy(), solver.payoffs), 1e-9)


def _polish_below(payoffs: Payoffs) -> float:
    table = payoffs.table(2)
    return _POLISH_BELOW * float(table.max() - table.min()) / 2


@dataclass(eq=False)
class _Task:
    """A solver that lowers its threshold, drops states and calls in linear programs in time."""

    solver: CFRSolver
    target: float
    certificate: Certificate = field(init=False)
    """The last one."""
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
    seconds_kept: float = 0.0
    """What the last certificate takes, which one thread measures where two have measured others,
    and the strategies that it is of, with something to spare."""

    def __post_init__(self) -> None:
        self.polish_below = _polish_below(self.solver.payoffs)

    @property
    def iteration(self) -> int:
        return self.solver.iteration

    @property
    def halt(self) -> Halt:
        return self.solver.halt

    @halt.setter
    def halt(self, halt: Halt) -> None:
        self.solver.halt = halt

    def step(self, run: Run) -> None:
        self.solver.step()

    def to_state(self) -> SolverState:
        values, arrays = self.solver.to_state()
        values |= {
            "n_fresh": self.n_fresh,
            "peak_bytes": self.peak_bytes,
            "threshold_share": self.threshold_share,
            "slow_from": self.slow_from,
            "polish_below": self.polish_below,
        }
        if self.polished is not None:
            arrays |= self.polished.to_arrays()
        return SolverState(values, arrays)

    def restore(self, state: SolverState) -> None:
        self.solver.restore(state.values, state.arrays)
        self.n_fresh = int(state.values["n_fresh"])
        self.peak_bytes = int(state.values["peak_bytes"])
        self.threshold_share = float(state.values["threshold_share"])
        self.slow_from = int(state.values["slow_from"])
        self.polish_below = float(state.values["polish_below"])
        self.polished = _Finished.restore(self.solver.graph, self.solver.payoffs, state.arrays)

    def measure(self, run: Run) -> Measurement:
        before, solver = perf_counter(), self.solver
        self.peak_bytes = max(self.peak_bytes, solver.n_bytes)
        self.certificate = solver.certify(_CERTIFICATE_SHARE * solver.threshold)
        self.seconds_kept = 3.0 * (perf_counter() - before) + solver.n_bytes / BYTES_A_SECOND
        return Measurement(self.certificate.exploitability)

    def measures_at(self, stop: StopReason) -> bool:
        # Where time has run out, `finish` does it once for all.
        return stop is StopReason.ITERATION_LIMIT or self.polished is not None

    def pause(self, measured: Measurement) -> int:
        # A certificate costs less than an iteration: a tenth of the time at the most.
        return max(1, self.solver.iteration // 10)

    def judge(self, run: Run, measured: Measurement) -> StopReason | None:
        solver, stop = self.solver, run.stop
        exploitability = self.certificate.exploitability
        if stop is not StopReason.CONVERGED and self._is_slow(run):
            if solver.is_out_of_memory:
                stop = StopReason.MEMORY_LIMIT
            self.threshold_share *= 0.5
            self.slow_from = solver.iteration
        wanted = self.threshold_share * max(exploitability, self.target)
        if solver.threshold > _FIRST_THRESHOLD and run.has_much_time:
            wanted = min(wanted, max(0.1 * solver.threshold, _FIRST_THRESHOLD))
        solver.threshold = min(solver.threshold, wanted)
        if exploitability < _REVISIT_BELOW:
            solver.revisit_period = _REVISIT_PERIOD
        if stop is None and solver.iteration >= _FIRST_DROP:
            self._drop_stale()
        return stop

    def improve(self, run: Run) -> bool:
        """Try to finish by linear programs, if the strategy is near enough to an equilibrium.

        A target of 0 asks for iterations alone.
        """

        def keep(polished: Polished) -> None:
            self.peak_bytes = max(self.peak_bytes, int(self.solver.n_bytes + polished.n_bytes))
            if polished.certificate.exploitability < self.best_certificate.exploitability:
                self.polished = _Finished(tree, polished.strategy, polished.certificate)
            if run.on_progress is not None:
                run.on_progress(self.progress(run))

        exploitability = self.certificate.exploitability
        is_near = 0 < self.target < exploitability <= self.polish_below
        if not is_near or run.is_out_of_time or self.halt():
            return False
        self.polish_below = _POLISH_AGAIN * exploitability
        tree, strategy = self.solver.average_strategy()
        polish(
            StrategyProfile(tree, strategy, self.solver.payoffs),
            self.target,
            threshold=_FINISHING_SHARE * self.target,
            max_memory=self.solver.max_memory - self.solver.n_bytes,
            budget=self._polish_budget(exploitability),
            halt=self.halt,
            on_round=keep,
        )
        return self.best_certificate.exploitability <= self.target

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

    def _is_slow(self, run: Run) -> bool:
        """Whether half as many iterations again have not brought a quarter; measured anew then."""
        iteration, _, last = run.history[-1]
        before = [e for i, _, e in run.history if self.slow_from <= i <= iteration / 1.5]
        return bool(before) and last > 0.75 * before[-1]

    def progress(self, run: Run) -> SolveProgress:
        return SolveProgress(
            iteration=self.solver.iteration,
            certificate=self.best_certificate,
            target=self.target,
            seconds=run.seconds,
            seconds_left=run.seconds_left(),
            n_states=self.solver.n_states,
            memory_mb=self.solver.n_bytes / 1e6,
        )

    def finish(self, run: Run) -> SolveResult:
        """The best strategy that was found; nothing is left of the solver then."""
        assert run.stop is not None
        solver, best = self.solver, self.polished
        self.peak_bytes = max(self.peak_bytes, solver.n_bytes)
        if best is None or best.certificate.exploitability > self.certificate.exploitability:
            best = _average(solver)
        if run.stop is StopReason.TIME_LIMIT:
            if best.certificate.exploitability <= self.target:
                run.stop = StopReason.CONVERGED
            if run.on_progress is not None:
                self.certificate = best.certificate
                run.on_progress(self.progress(run))
        name, is_polished = solver.variant.name, best is self.polished
        if is_polished:
            best = _with_lower_ends(best, solver, _FINISHING_SHARE * self.target)
        return SolveResult(
            tree=best.tree,
            strategy=best.strategy,
            payoffs=solver.payoffs,
            certificate=best.certificate,
            stop=run.stop,
            method=f"{name}, then lp" if is_polished else name,
            iterations=solver.iteration,
            seconds=run.seconds,
            peak_memory_mb=self.peak_bytes / 1e6,
        )


def estimate_least_memory(graph: BidGraph) -> float:
    """Bytes of the tables of the hands and of the trees before they grow, in float32."""
    n_hands = np.array([pad(n) for n in graph.n_hands], float)
    n_trees = 1 + int(graph.action_start[1])
    trees = n_trees * (8 * FIRST_EDGES * n_hands.sum() + 12 * FIRST_STATES)
    return float(_table_bytes(graph) + trees)


def _table_bytes(graph: BidGraph) -> float:
    """Bytes of what is needed beside the trees: hands by node, and the stacks of a traversal."""
    n_hands = np.array([pad(n) for n in graph.n_hands], float)
    _, n_rows = stack_sizes(graph)
    return float(_TABLES * 8 * graph.n_nodes * n_hands.sum() + 8 * n_rows * n_hands.max())

"""Run CFR for three and more players until the measured distance from equilibrium is small."""

import math
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter

import numpy as np

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
from liarsolve.solvers.core.certificate import ProfileCertificate
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
from liarsolve.solvers.core.variants import PREDICTIVE_CFR_PLUS, CFRVariant
from liarsolve.solvers.multiplayer.cfr import MultiplayerCFR
from liarsolve.solvers.multiplayer.growing_tree import least_bytes
from liarsolve.solvers.multiplayer.profile import certify_profile
from liarsolve.solvers.two_player.best_response import bound_visits

DEFAULT_VARIANT = PREDICTIVE_CFR_PLUS
"""Which member of the CFR family to take. Least ``nash_conv`` measured in 1,000 iterations of cfr,
cfr+, linear, discounted and predictive+: ``common`` at 1, 1, 1 dice of six faces 1.1e-2, 2.3e-3,
5.7e-3, 2.9e-3 and 5.0e-5; ``perudo`` there 6.6e-3, 1.7e-4, 2.2e-3, 4.7e-4 and 1.1e-6;
``liars_dice`` at 2, 2, 2 dice of three faces 1.5e-2, 1.7e-4, 1.5e-2, 2.0e-4 and 2.7e-5. Where
everything converges discounted is somewhat ahead. (``benchmarks/multiplayer.py --variants 1000``)
"""
_LARGE_ENTRIES = 2e7
"""(edge, hand) pairs of the complete tree from which on the tree is stored in float32."""
_FIRST_THRESHOLD = 1e-3
_FIRST_THRESHOLD_IN_TIME = 0.3
"""As for two players: the same for large trees where there is a limit of time."""
_THRESHOLD_SHARE = 0.01
"""Threshold of the growing tree as a share of ``nash_conv``, as for two players."""
_CERTIFICATE_SHARE = 0.01
"""Threshold of the certificate as a share of that of the tree; what it leaves out is counted."""
_REVISIT_PERIOD = 4
_REVISIT_BELOW = 0.03
"""As for two players: the period, and the ``nash_conv`` below which it is used."""
_FIRST_STALL = 3000
"""Iteration from which on a solve may be called stalled. Play may run in circles for long before it
comes to rest: four players with a die each under ``liars_dice`` and a fixed threshold of 1e-4 stay
at 4e-2 up to iteration 500, and are at 7e-4 after 2,600."""
_TABLES = 3
"""Numbers that are held for each (node, hand) pair: what is done by default, and for all seats."""


def solve_multiplayer(
    graph: BidGraph,
    *,
    payoffs: Payoffs | None = None,
    limits: Limits = DEFAULT_LIMITS,
    variant: CFRVariant = DEFAULT_VARIANT,
    callbacks: Callbacks = NO_CALLBACKS,
) -> SolveResult:
    """Look for an equilibrium of a round of three or more players, and measure how near it is.

    With more than two players no method that is known promises to get near an equilibrium, and
    ``nash_conv`` may rise again, so the strategies returned are the best that were measured, and
    without a limit the solver stops where more iterations do not help. The certificate holds in any
    case: exact best responses of every player in the true game.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    payoffs : Payoffs
        What the outcomes are worth.
    limits : Limits
        When to stop. The target is ``nash_conv``, what all players together could gain. The memory
        is that of the tree; when it is used up, the solver goes on with the states that it has.
    variant : CFRVariant
        Which member of the CFR family.
    callbacks : Callbacks
        Whom to tell about progress and checkpoints, and where to go on from.

    Raises
    ------
    GameTooLargeError
        If not even the first states fit into ``max_memory``; nothing is allocated then.

    Examples
    --------
    >>> from liarsolve import Round, presets
    >>> from liarsolve.game import compile_graph
    >>> from liarsolve.solvers import Limits
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1, 1)))
    >>> solve_multiplayer(graph, limits=Limits(target=1e-2)).certificate.nash_conv <= 1e-2
    True
    """
    limits.check("a nash_conv")
    limits.refuse_endless()
    with listen() as interrupts:
        memory = usable_memory(limits.max_memory)
        least = least_bytes(graph)
        refuse_if_too_large(graph, least, memory)
        if limits.max_memory is not None:
            memory -= _TABLES * 8.0 * graph.n_nodes * max(graph.n_hands)
        is_large = measure_complete_tree(graph).n_entries > _LARGE_ENTRIES
        dtype = np.float32 if is_large else np.float64
        _compile(dtype)
        interrupts.raise_waiting()
        started = perf_counter()
        solver = MultiplayerCFR(graph, payoffs, variant, dtype=dtype, max_memory=memory)
        task = _Task(solver, memory, limits.target)
        solver.threshold = _first_threshold(limits, is_large=is_large)
        run = Run(task, limits, started, interrupts, callbacks.on_progress)
        if callbacks.resume_from is not None:
            run.restore(callbacks.resume_from)
        run.go(callbacks)
        with interrupts.held():
            return task.finish(run)


def _first_threshold(limits: Limits, *, is_large: bool) -> float:
    has_limit = limits.max_seconds is not None
    return _FIRST_THRESHOLD_IN_TIME if is_large and has_limit else _FIRST_THRESHOLD


@cache
def _compile(dtype: type[np.float32] | type[np.float64]) -> None:
    """Run every kernel once on the smallest round, so that compiling does not count as solving."""
    graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1, 1)))
    solver = MultiplayerCFR(graph, dtype=dtype)
    solver.step()
    solver.certify()
    certify_profile(StrategyProfile(*solver.average_strategy()))


@dataclass(eq=False)
class _Task:
    """A solver that lowers its threshold, and whose best strategies so far are kept."""

    solver: MultiplayerCFR
    max_memory: float
    target: float
    certificate: ProfileCertificate = field(init=False)
    best: tuple[PublicTree, tuple[Real, ...]] | None = None
    """The average strategies that were measured best; None where memory is too short for a copy."""
    least_nash_conv: float = math.inf
    peak_bytes: int = 0
    seconds_kept: float = 0.0
    """What a certificate takes, and as much for the last one and the strategies that it is of."""

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
            "has_best": self.best is not None,
            "least_nash_conv": self.least_nash_conv,
            "peak_bytes": self.peak_bytes,
        }
        if self.best is not None:
            tree, strategy = self.best
            arrays |= {"best_node": tree.node, "best_first_edge": tree.first_edge}
            for player, (children, policy) in enumerate(zip(tree.children, strategy, strict=True)):
                arrays[f"best_children_{player}"] = children
                arrays[f"best_policy_{player}"] = policy
        return SolverState(values, arrays)

    def restore(self, state: SolverState) -> None:
        values, arrays = state.values, state.arrays
        self.solver.restore(values, arrays)
        if values["has_best"]:
            graph = self.solver.graph
            players = range(graph.n_players)
            tree = PublicTree(
                graph=graph,
                node=np.array(arrays["best_node"]),
                first_edge=np.array(arrays["best_first_edge"]),
                children=tuple(np.array(arrays[f"best_children_{p}"]) for p in players),
            )
            self.best = tree, tuple(np.array(arrays[f"best_policy_{p}"]) for p in players)
        self.least_nash_conv = float(values["least_nash_conv"])
        self.peak_bytes = int(values["peak_bytes"])

    def measure(self, run: Run) -> Measurement:
        before, solver = perf_counter(), self.solver
        self.certificate = solver.certify(_CERTIFICATE_SHARE * solver.threshold)
        self.seconds_kept = 2.0 * (perf_counter() - before) + solver.n_bytes / BYTES_A_SECOND
        self._keep_best(self.certificate.nash_conv)
        return Measurement(self.certificate.nash_conv)

    def measures_at(self, stop: StopReason) -> bool:
        # Where time has run out, `finish` does it once for all.
        return stop is StopReason.ITERATION_LIMIT

    def pause(self, measured: Measurement) -> int:
        return max(1, self.solver.iteration // 10)

    def judge(self, run: Run, measured: Measurement) -> StopReason | None:
        solver, nash_conv = self.solver, self.certificate.nash_conv
        stop = run.stop
        if stop is not StopReason.CONVERGED and self._is_stalled(run):
            is_full = solver.is_out_of_memory
            stop = StopReason.MEMORY_LIMIT if is_full else StopReason.STALLED
        wanted = _THRESHOLD_SHARE * max(nash_conv, self.target)
        if solver.threshold > _FIRST_THRESHOLD and run.has_much_time:
            wanted = min(wanted, max(0.1 * solver.threshold, _FIRST_THRESHOLD))
        solver.threshold = min(solver.threshold, wanted)
        if nash_conv < _REVISIT_BELOW:
            solver.revisit_period = _REVISIT_PERIOD
        return stop

    def improve(self, run: Run) -> bool:
        return False

    def _keep_best(self, nash_conv: float) -> None:
        """Copy the average strategies if none were better; the tree goes before the copy."""
        solver = self.solver
        if nash_conv < self.least_nash_conv:
            self.least_nash_conv = nash_conv
            has_room = 2 * solver.n_bytes <= self.max_memory
            self.best = solver.average_strategy() if has_room else None
        elif solver.is_out_of_memory and self.best is not None:
            self.best, solver.is_out_of_memory = None, False
        copied = 0
        if self.best is not None:
            tree, strategy = self.best
            copied = tree.node.nbytes + tree.first_edge.nbytes
            copied += sum(children.nbytes for children in tree.children)
            copied += sum(policy.nbytes for policy in strategy)
        solver.max_memory = self.max_memory - copied
        self.peak_bytes = max(self.peak_bytes, solver.n_bytes + copied)

    def _is_stalled(self, run: Run) -> bool:
        """Whether there is no limit, and twice as many iterations have not brought a tenth."""
        if run.limits.max_iterations is not None or run.limits.max_seconds is not None:
            return False
        iteration = self.solver.iteration
        first_half = [n for i, _, n in run.history if i <= iteration / 2]
        second_half = [n for i, _, n in run.history if i > iteration / 2]
        return iteration >= _FIRST_STALL and min(second_half) > 0.9 * min(first_half)

    def progress(self, run: Run) -> SolveProgress:
        return SolveProgress(
            iteration=self.solver.iteration,
            certificate=self.certificate,
            target=self.target,
            seconds=run.seconds,
            seconds_left=run.seconds_left(),
            n_states=self.solver.n_states,
            memory_mb=self.solver.n_bytes / 1e6,
        )

    def _certify(self, tree: PublicTree, strategy: tuple[Real, ...]) -> ProfileCertificate:
        return certify_profile(
            StrategyProfile(tree, strategy, self.solver.payoffs),
            threshold=_CERTIFICATE_SHARE * self.solver.threshold,
            max_visits=bound_visits(tree.n_states),
            halt=self.halt,
        )

    def finish(self, run: Run) -> SolveResult:
        """The best strategies that were measured."""
        assert run.stop is not None
        solver = self.solver
        is_hurried = run.stop in (StopReason.TIME_LIMIT, StopReason.INTERRUPTED)
        last = solver.average_strategy() if is_hurried or self.best is None else self.best
        tree, strategy = last
        certificate = self._certify(*last)
        if is_hurried and self.best is not None and certificate.nash_conv > self.least_nash_conv:
            tree, strategy = self.best
            certificate = self._certify(*self.best)
        if is_hurried:
            self.peak_bytes = max(self.peak_bytes, solver.n_bytes)
        if run.stop is StopReason.TIME_LIMIT:
            if certificate.nash_conv <= self.target:
                run.stop = StopReason.CONVERGED
            if run.on_progress is not None:
                self.certificate = certificate
                run.on_progress(self.progress(run))
        return SolveResult(
            tree=tree,
            strategy=strategy,
            payoffs=solver.payoffs,
            certificate=certificate,
            stop=run.stop,
            method=solver.variant.name,
            iterations=solver.iteration,
            seconds=run.seconds,
            peak_memory_mb=self.peak_bytes / 1e6,
        )

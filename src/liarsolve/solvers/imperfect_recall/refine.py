"""Solve a round for forgetful players, and let them remember what they were exploited by."""

import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from time import perf_counter
from typing import NamedTuple

import numpy as np

from liarsolve._typing import I8
from liarsolve.errors import InputError
from liarsolve.game import (
    Abstraction,
    BidGraph,
    Payoffs,
    PublicTree,
    Recall,
    Sequences,
    StrategyProfile,
    compile_graph,
    join_sequences,
    merge_states,
    refine_states,
)
from liarsolve.rules import Round, presets
from liarsolve.solvers.core.certificate import Certificate, certificate_after
from liarsolve.solvers.core.checkpoints import NO_CALLBACKS, Callbacks
from liarsolve.solvers.core.halt import Halt, listen
from liarsolve.solvers.core.limits import DEFAULT_LIMITS, Limits
from liarsolve.solvers.core.memory import usable_memory
from liarsolve.solvers.core.result import SolveProgress, SolveResult, SolverState, StopReason
from liarsolve.solvers.core.run import Measurement, Run
from liarsolve.solvers.imperfect_recall.cfr import AbstractionCFR, estimate_bytes
from liarsolve.solvers.imperfect_recall.full_game import FullGameMeasure
from liarsolve.solvers.imperfect_recall.growing import refine_solver
from liarsolve.solvers.imperfect_recall.lower_bounds import bound_by_plans
from liarsolve.solvers.imperfect_recall.options import AbstractionOptions
from liarsolve.solvers.imperfect_recall.solve import (
    BOUND_WORK,
    DEFAULT_ITERATIONS,
    TRAVERSAL_RATE,
    Settings,
    compile_kernels,
    make_solver,
    most_visits,
    time_loading,
)
from liarsolve.solvers.two_player.bounded_response import MetStates, search_response

REFINED = ", refined"
"""What is added to the name of the method."""
_DEFAULT_OPTIONS = AbstractionOptions()
_REFINED_AT = (1 / 16, 1 / 8, 1 / 4, 1 / 2)
"""Parts of the way to a limit after which states are told apart, and everything is learned anew. At
2, 2 dice of ``common`` with recall 1 the exploitability is 0.12 before the first and 6e-3, 2e-3 and
6e-4 at the others of 1,000 iterations; four times as often, with 100 iterations between, 3e-3."""
_MEASURED_AT = (*_REFINED_AT, 0.65, 0.8, 0.9)
"""The same for measurements; there is another one at the end."""
_LEAST_OF_ALL, _LEAST_ITERATIONS = 10, 30
"""Iterations before states are told apart; the second if it is the clock that sets the limit."""
_ENOUGH_ITERATIONS = 60
"""The same after they were told apart; there are no more states than allow for so many."""
_GAP_SHARE, _LEAST_GAP = 0.01, 1e-6
"""Distance of the bounds of a response at which a search ends, as a share of the exploitability."""
_FIRST_GAP = 1e-3
_RECORD_GAP_SHARE = 0.1
"""The same for the search that says what states are told apart: closer ones meet more, of which
little comes. At 3, 3 dice of ``common`` with recall 2, where 0.044 is lost, 0.5, 0.1 and 0.03 leave
34,000, 58,000 and 64,000 states, by which 0.023, 0.023 and 0.024 is lost after 40 iterations."""
_WEIGHT_SHARE = 0.02
"""Chance of a sequence that gets a state of its own, the responder willing, as a share of the
exploitability. There, 11,000 states are left with it instead of 58,000, and 0.025 is lost."""
_MOST_PAIRS = 1_000_000_000
_INTERRUPTED_PAIRS = 25_000_000
"""(public state, hand) pairs that a search may take as much time for as a traversal; the second
where somebody is waiting."""
_MEASURED_SHARE = 0.05
"""Part of ``max_seconds`` that one measurement may take."""
_MOST_RECORDS = 1_000_000
"""Sequences of bids that a search keeps in mind."""
_RECORD_BYTES = 200
"""Memory for one of them, with what it takes to build a tree of them."""


def solve_refined(
    graph: BidGraph,
    abstraction: Abstraction,
    *,
    payoffs: Payoffs | None = None,
    limits: Limits = DEFAULT_LIMITS,
    options: AbstractionOptions = _DEFAULT_OPTIONS,
    callbacks: Callbacks = NO_CALLBACKS,
) -> SolveResult:
    """Solve merged states, and tell those apart that best responses make use of, time and again.

    Players begin with the abstraction. Four times on the way to a limit the best responses to what
    they have learned are searched for in the true game; the sequences of bids that the two searches
    met get states of their own, the likeliest first as far as there is memory; and all is learned
    anew. The result are the strategies that measured best on the way, so that it is never worse
    than what the first refinement began with.

    Parameters
    ----------
    graph : BidGraph
        The compiled round, of two players.
    abstraction : Abstraction
        What the players forget at first, such as ``Recall(3)``.
    payoffs, limits, options, callbacks
        As for `solve_abstraction`; there are no checkpoints. What is done depends on the iterations
        alone if there is no limit of time.

    Raises
    ------
    InputError
        If there are more than two players, payoffs do not sum to 0, something else than bids is
        left out, or checkpoints are wanted.
    GameTooLargeError
        If the merged states do not fit into ``max_memory``.

    Examples
    --------
    >>> from liarsolve.game import Recall, compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> from liarsolve.solvers import Limits, solve_abstraction
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=3), (2, 1)))
    >>> limits = Limits(target=0.0, max_iterations=200)
    >>> coarse = solve_abstraction(graph, Recall(1), limits=limits)
    >>> fine = solve_refined(graph, Recall(1), limits=limits)
    >>> fine.certificate.exploitability < coarse.certificate.exploitability / 10
    True

    References
    ----------
    Burch, Johanson and Bowling (2014), arXiv:1303.4441, and Brown and Sandholm (2015),
    "Simultaneous abstraction and equilibrium finding in games", for abstractions that are refined
    where they are exploited while they are solved.
    """
    payoffs = payoffs or Payoffs()
    check_refinement(graph.n_players, abstraction, payoffs)
    if callbacks.on_checkpoint is not None or callbacks.resume_from is not None:
        raise InputError(NO_CHECKPOINTS)
    limits.check("an exploitability")
    if limits.max_iterations is None and limits.max_seconds is None:
        limits = replace(limits, max_iterations=DEFAULT_ITERATIONS)
    n_threads = options.n_threads or os.cpu_count() or 1
    max_memory = usable_memory(limits.max_memory)
    settings = Settings(options, n_threads, max_memory)
    with listen() as interrupts:
        started = perf_counter()
        started += time_loading(_compile)
        interrupts.raise_waiting()
        solver = make_solver(graph, abstraction, payoffs, settings)
        task = _Task(solver, max_memory, n_threads, options.max_visits)
        run = Run(task, limits, started, interrupts, callbacks.on_progress)
        run.go(callbacks)
        return _finish(task, run, options)


NO_CHECKPOINTS = (
    "a solve that refines its states cannot be resumed yet, so leave out checkpoint, or refine"
)


def check_refinement(n_players: int, abstraction: Abstraction | None, payoffs: Payoffs) -> None:
    """Refuse what cannot be refined.

    Raises
    ------
    InputError
        With the reason.

    Examples
    --------
    >>> check_refinement(2, None, Payoffs())
    Traceback (most recent call last):
    liarsolve.errors.InputError: refine is about players who forget; give an abstraction such as Recall(1), or leave out refine
    """  # noqa: E501  # the message is one line
    if abstraction is None or abstraction.recall is None:
        raise InputError(
            "refine is about players who forget; give an abstraction such as Recall(1), or leave "
            "out refine"
        )
    if abstraction.max_jump is not None or abstraction.similar_hands is not None:
        raise InputError(
            "refine tells apart sequences of bids and nothing else; with it, give "
            f"Recall({abstraction.recall}) alone, got {abstraction!r}"
        )
    if n_players != 2:
        raise InputError(f"refine is for rounds of two players, got {n_players}")
    if np.any(payoffs.table(2).sum(axis=2)):
        raise InputError("refine is for two players who play for the same stake; leave it out")


@cache
def _compile() -> None:
    """Run every kernel once on the smallest round."""
    compile_kernels(n_players=2, has_value=True, is_by_class=False)
    graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    solver = AbstractionCFR(merge_states(graph, Recall(1)), dtype=np.float32, n_threads=1)
    solver.step()
    refine_solver(solver, *refine_states(solver.tree, Sequences.start()))


def _finish(task: "_Task", run: Run, options: AbstractionOptions) -> SolveResult:
    """Measure what was reached more closely; nothing is left of the solver then."""
    with run.interrupts.held():
        task.measure_last(run)
    assert run.stop is not None
    best = task.best
    assert best is not None
    if run.stop is not StopReason.INTERRUPTED and run.on_progress is not None:
        run.on_progress(task.progress(run))
    bound = None if best.measured.is_complete else bound_by_plans(best.measured.certificate)
    return SolveResult(
        tree=best.profile.tree,
        strategy=best.profile.weights,
        payoffs=best.profile.payoffs,
        certificate=certificate_after(
            best.measured.certificate, is_complete=best.measured.is_complete, lower_bound=bound
        ),
        stop=run.stop,
        method=options.variant.name + ("" if best.profile.tree is task.merged else REFINED),
        iterations=task.iteration,
        seconds=run.seconds,
        peak_memory_mb=task.n_bytes / 1e6,
    )


class _Best(NamedTuple):
    """Strategies, and what they lose."""

    profile: StrategyProfile
    measured: FullGameMeasure

    @property
    def exploitability(self) -> float:
        """The most that they lose."""
        return self.measured.certificate.exploitability

    @property
    def n_bytes(self) -> int:
        """Memory of the strategies."""
        return sum(weights.nbytes for weights in self.profile.weights)


@dataclass(eq=False)
class _Task:
    """A solver whose states are told apart where it is exploited, as `Run` sees it."""

    solver: AbstractionCFR
    max_memory: float
    n_threads: int
    max_visits: int | None
    halt: Halt = field(default_factory=Halt)
    best: _Best | None = None
    """The best strategies so far."""
    met: Sequences = field(default_factory=Sequences.start)
    """What the last searches met."""
    earlier_iterations: int = 0
    """Iterations before the states were last told apart."""
    n_refined: int = 0
    """How often that was done."""
    is_full: bool = False
    """Whether there is no memory for more states."""
    step_seconds: float = 0.0
    measure_seconds: float = 0.0
    visits_per_second: float = field(init=False)
    n_bytes: int = 0
    """Most memory that solvers and strategies have held."""
    measured_at: int = -1
    """Iteration of the last measurement."""
    next_part: float = _MEASURED_AT[0]
    """Part of the way after which the next one comes."""
    merged: PublicTree = field(init=False)
    """The states before any were told apart."""

    def __post_init__(self) -> None:
        self.merged = self.solver.tree
        self.visits_per_second = _usual_rate(self.solver.graph)

    @property
    def iteration(self) -> int:
        """Iterations done, by all solvers."""
        return self.earlier_iterations + self.solver.iteration

    @property
    def seconds_kept(self) -> float:
        """Time for the last measurement, and half a step."""
        return 2.0 * self.measure_seconds + self.step_seconds / 2

    def step(self, run: Run) -> None:
        """One iteration."""
        before = perf_counter()
        self.solver.halt = self.halt
        self.solver.step()
        self.step_seconds = perf_counter() - before
        held = 0 if self.best is None else self.best.n_bytes
        self.n_bytes = max(self.n_bytes, self.solver.n_bytes + held)
        run.next_check = self.iteration + (0 if self._is_due(run) else 1)

    def measures_at(self, stop: StopReason) -> bool:
        """No: `measure_last` does."""
        return False

    def measure(self, run: Run) -> Measurement:
        """Measure the averages, and keep them if they are the best."""
        gap = _FIRST_GAP if self.best is None else _GAP_SHARE * self.best.exploitability
        profile = StrategyProfile(*self.solver.average_strategy(), self.solver.payoffs)
        found = self._search(profile, gap, self._visits(run))
        self.measured_at = self.iteration
        if self.best is None or found.exploitability < self.best.exploitability:
            self.best = found
        return Measurement(self.best.exploitability, self.best.measured.is_complete)

    def _visits(self, run: Run) -> int:
        """States that a measurement may meet."""
        if self.max_visits is not None:
            return self.max_visits
        pairs = _INTERRUPTED_PAIRS if run.stop is StopReason.INTERRUPTED else _MOST_PAIRS
        visits = most_visits(self.solver.graph, pairs / BOUND_WORK)
        if run.budget is not None:
            visits = min(visits, int(_MEASURED_SHARE * run.budget * self.visits_per_second))
        return max(visits, 1)

    def _search(self, profile: StrategyProfile, gap: float, max_visits: int) -> _Best:
        before = perf_counter()
        last = 0.0 if self.best is None else self.best.exploitability
        n_records = int(min(max_visits, _MOST_RECORDS))

        def search(player: int) -> tuple[float, float, int, MetStates]:
            found, met = search_response(
                profile,
                player,
                gap=max(gap, _LEAST_GAP),
                max_visits=max_visits,
                n_records=n_records,
                record_gap=_RECORD_GAP_SHARE * last,
                halt=self.halt,
            )
            return found.lo, found.hi, found.n_visits, met

        if self.n_threads > 1:
            with ThreadPoolExecutor(2) as pool:
                los, his, visits, met = zip(*pool.map(search, range(2)), strict=True)
        else:
            los, his, visits, met = zip(*map(search, range(2)), strict=True)
        self.met = join_sequences(
            [Sequences.start(), *(_sequences(part) for part in met if part.mass.size)]
        )
        self.measure_seconds = perf_counter() - before
        rate = max(visits) / max(self.measure_seconds, 1e-6)  # of a few it says little
        self.visits_per_second = max(rate, 0.25 * _usual_rate(self.solver.graph))
        certificate = Certificate.of(his, profile.payoffs, los)
        return _Best(profile, FullGameMeasure(certificate, max(visits)))

    def pause(self, measured: Measurement) -> int:
        """One iteration: `step` says when the next measurement is due."""
        return 1

    def judge(self, run: Run, measured: Measurement) -> StopReason | None:
        """Say that nothing is given up before a limit."""
        return run.stop

    def improve(self, run: Run) -> bool:
        """Tell states apart if it is time to, and plan the next measurement."""
        progress = self._progress(run)
        self.next_part = next((part for part in _MEASURED_AT if part > progress), math.inf)
        if run.stop is None and self._wants_states(progress) and self._is_ready(run):
            self.n_refined = _count_refinements(progress)
            self._refine(self._most_states(run))
        return False

    def _progress(self, run: Run) -> float:
        """How much of the limit that comes first is used up."""
        parts = [0.0]
        if run.limits.max_iterations is not None:
            parts.append(self.iteration / run.limits.max_iterations)
        if run.limits.max_seconds is not None:
            parts.append(run.seconds / run.limits.max_seconds)
        return max(parts)

    def _wants_states(self, progress: float) -> bool:
        return _count_refinements(progress) > self.n_refined and not self.is_full

    def _is_ready(self, run: Run) -> bool:
        """Whether enough was learned since states were told apart."""
        least = _LEAST_OF_ALL if run.limits.max_seconds is None else _LEAST_ITERATIONS
        return self.solver.iteration >= least

    def _is_due(self, run: Run) -> bool:
        """Whether to measure now."""
        progress = self._progress(run)
        return self._is_ready(run) if self._wants_states(progress) else progress >= self.next_part

    def _most_states(self, run: Run) -> float:
        """States with which there is time to learn something until they are told apart again."""
        if run.limits.max_seconds is None:
            return math.inf
        part = (*_REFINED_AT, 1.0)[self.n_refined]
        left = part * run.limits.max_seconds - run.seconds
        per_state = self.step_seconds / self.solver.tree.n_states
        return left / (_ENOUGH_ITERATIONS * max(per_state, 1e-9))

    def _refine(self, most_states: float) -> None:
        """Go on with a solver that tells apart what the last searches met."""
        n_most = most_states - self.solver.tree.n_states
        if n_most < 1:
            return
        chosen = self._choose(n_most)
        if chosen is None:
            self.is_full = True
            return
        self.earlier_iterations += self.solver.iteration
        held = self.solver.n_bytes
        is_first = self.solver.tree is self.merged
        self.solver = refine_solver(self.solver, *chosen, is_first=is_first)
        self.n_bytes = max(self.n_bytes, held + self.solver.n_bytes)

    def _choose(self, n_most: float) -> tuple[PublicTree, I8] | None:
        """Tree with states for so many of the heaviest sequences, and their origins.

        They are fewer if there is no memory for so many; None if there is none for any.
        """
        solver, met = self.solver, self.met
        held = sum(array.nbytes for array in solver.to_state()[1].values())
        held += 0 if self.best is None else self.best.n_bytes
        room = self.max_memory - held - _RECORD_BYTES * met.n_sequences
        usual = self._estimate(solver.tree) / solver.tree.n_states
        least = _WEIGHT_SHARE * (0.0 if self.best is None else self.best.exploitability)
        by_weight = np.argsort(-met.weight, kind="stable")
        n_heavy = int(np.count_nonzero(met.weight > least))
        n_most = int(min(n_heavy, 2.0 * room / usual, n_most))
        while n_most > 1:
            tree, origin = refine_states(solver.tree, met.take(np.sort(by_weight[:n_most])))
            needed = self._estimate(tree)
            if needed <= room:
                return tree, origin
            n_most = min(int(n_most * room / needed), int(0.9 * n_most))
        return None

    def _estimate(self, tree: PublicTree) -> float:
        """Bytes of a solver on a tree, two copies of its strategies, and what measuring takes."""
        solver, graph = self.solver, tree.graph
        item = solver.entries.dtype.itemsize
        n_entries = sum(c.size * n for c, n in zip(tree.children, graph.n_hands, strict=True))
        solving = estimate_bytes(tree, solver.entries.dtype, solver.n_drawn, self.n_threads)
        return float(solving + 2 * item * n_entries + 8 * tree.n_states * sum(graph.n_hands))

    def measure_last(self, run: Run) -> None:
        """Measure what has not been measured, and the best once more, closely."""
        if self.measured_at < self.iteration and (
            run.stop is not StopReason.INTERRUPTED or self.best is None
        ):
            self.measure(run)
        assert self.best is not None
        if run.stop is StopReason.INTERRUPTED:
            return
        if run.limits.max_seconds is not None and self.best.measured.is_complete:
            self._settle_stop(run)
            return
        gap = _GAP_SHARE * self.best.exploitability / 10
        closer = self._search(self.best.profile, gap, self._visits(run))
        if closer.exploitability <= self.best.exploitability:
            self.best = closer
        self._settle_stop(run)

    def _settle_stop(self, run: Run) -> None:
        """See whether the last measurement has reached the target."""
        assert self.best is not None
        is_limit = run.stop in (StopReason.ITERATION_LIMIT, StopReason.TIME_LIMIT)
        if is_limit and self.best.exploitability <= run.limits.target:
            run.stop = StopReason.CONVERGED

    def progress(self, run: Run) -> SolveProgress:
        """What ``on_progress`` is told."""
        assert self.best is not None
        measured = self.best.measured
        return SolveProgress(
            iteration=self.iteration,
            certificate=certificate_after(measured.certificate, is_complete=measured.is_complete),
            target=run.limits.target,
            seconds=run.seconds,
            seconds_left=run.seconds_left(),
            n_states=self.solver.tree.n_states,
            memory_mb=self.n_bytes / 1e6,
        )

    def to_state(self) -> SolverState:
        """Raise `InputError`: there are no checkpoints."""
        raise InputError(NO_CHECKPOINTS)

    def restore(self, state: SolverState) -> None:
        """Raise `InputError`: there are no checkpoints."""
        raise InputError(NO_CHECKPOINTS)


def _usual_rate(graph: BidGraph) -> float:
    """States that a search meets in a second, until one has been timed."""
    return TRAVERSAL_RATE / (BOUND_WORK * max(graph.n_hands))


def _count_refinements(progress: float) -> int:
    """How often states are told apart until then."""
    return sum(progress >= part for part in _REFINED_AT)


def _sequences(met: MetStates) -> Sequences:
    parent, action, state = (np.ascontiguousarray(column) for column in met.record.T)
    return Sequences(parent, action, state, met.mass)

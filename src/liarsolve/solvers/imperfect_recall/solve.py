"""Solve a round with imperfect recall, until its exploitability in the full game falls no more."""

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from time import perf_counter
from typing import NamedTuple

import numpy as np

from liarsolve._typing import Real
from liarsolve.errors import GameTooLargeError
from liarsolve.game import (
    Abstraction,
    BidGraph,
    Payoffs,
    PublicTree,
    Recall,
    SimilarHands,
    StrategyProfile,
    compile_graph,
    merge_states,
)
from liarsolve.rules import Round, presets
from liarsolve.solvers.core.certificate import LowerBound, ProfileCertificate, certificate_after
from liarsolve.solvers.core.checkpoints import NO_CALLBACKS, Callbacks
from liarsolve.solvers.core.halt import NEVER, Halt, listen
from liarsolve.solvers.core.limits import DEFAULT_LIMITS, Limits
from liarsolve.solvers.core.memory import format_bytes, usable_memory
from liarsolve.solvers.core.result import (
    SolveProgress,
    SolveResult,
    SolverState,
    StopReason,
)
from liarsolve.solvers.core.run import Measurement, Run
from liarsolve.solvers.imperfect_recall.cfr import AbstractionCFR, estimate_bytes
from liarsolve.solvers.imperfect_recall.full_game import FullGameMeasure, measure_in_full_game
from liarsolve.solvers.imperfect_recall.full_game_profile import (
    FullGameProfileMeasure,
    measure_profile_in_full_game,
)
from liarsolve.solvers.imperfect_recall.layout import LEAST_DRAWN
from liarsolve.solvers.imperfect_recall.lower_bounds import (
    LEAST_REFINED,
    bound_by_plans,
    bound_seconds,
    bound_solved,
    has_time_for_bound,
    measure_lower_bound,
)
from liarsolve.solvers.imperfect_recall.options import AbstractionOptions

DEFAULT_ITERATIONS = 1_000
"""Iterations at the most if no limit is given."""
_DEFAULT_OPTIONS = AbstractionOptions()
_TRAVERSAL_PAIRS = 1_000_000_000
"""(public state, hand) pairs that a best response visits at the most: about half a minute."""
_MULTIPLAYER_DIVISOR = 4.0
"""By what this is divided with more than two players: two traversals for each, and slower ones."""
_FIRST_CHECK = 4
"""Iterations before the first measurement."""
_PROGRESS_PAIRS = 25_000_000
"""The same for the measurements on the way."""
TRAVERSAL_RATE = 25_000_000.0
"""(public state, hand) pairs that two players visit in a second, until a traversal has been timed;
four visit half as many."""
_TRAVERSAL_SHARE = 0.15
"""Part of ``max_seconds`` that is kept for the last traversal where none has been complete; half of
it for one on the way."""
_LOADING = 3.0
"""Seconds in which kernels are ready that were compiled before; compiling takes longer, and does
not count as solving."""
_THRESHOLD = 1e-7
"""What is reached with no more counts in full in the final measurement, and with ten times as much
on the way. On 2 v 2 and 3 v 2 ``common`` with recall 3, 1e-6 and 1e-8 differ by 1e-5."""
_GAP_PER_THRESHOLD = 1.0
"""Distance of the bounds of a response, in the same measure: 1e-7 at last, 1e-6 on the way;"""
_GAP_SHARE_PER_THRESHOLD = 3e3
"""or, if that is more, this share of the exploitability: 0.03 % and 0.3 %, so that bounds which are
found in time count as a measurement."""
_CLOSE_BOUND = 0.75
"""A lower bound of so large a part of the upper one is not improved by playing deals."""
BOUND_WORK = 8.0
"""Time for a state in a search by branch and bound, which bounds all raises there, as a multiple of
what it takes in a traversal of all states."""
_EXACT_WORK = 1e9
"""(edge, joint hand) pairs of one iteration up to which every pass meets all hands of the others:
below a second."""
_REVISIT_PERIOD = 4
"""As of `AbstractionCFR`, in larger rounds: an iteration takes half the time of one that leaves
nothing out. In small ones that would save less than it costs: with 8 at 2, 1 dice of three faces of
``perudo``, players who remember all come to 3e-3 after 200 iterations, with 1 to 6e-4."""
_SLOW_FROM = 100
"""Iteration from which on progress is watched."""
_OPPONENT_MODEL_PROB = 0.2
"""What every player at a full table reckons with, since strategies that learned from one another
alone do not know what to do when others bid low and true: at 5, 5, 5, 5 dice of ``common`` with
recall 1 they lose 0.21 a round to players who go by the odds. With 0.1 and 0.2, after a minute on a
busy machine, strategies get from such players +0.06 and +0.12 a round under ``common``, -0.11 and
-0.05 under ``liars_dice``, -0.02 and +0.05 under ``perudo``; against honest players there is no
difference but 0.03 more under ``common``, and none against those with 0.1 under the other two,
where alone they met. (``benchmarks/opponent_model.py``; intervals of 0.03 to either side.)"""
_MOST_DRAWN = 256
"""Joint hands that are drawn in larger rounds at the most; two players with five dice each have 252
hands, so that late passes meet them all. It is noise in the regrets that keeps drawn hands from
getting further: what replies with the same recall gain at 5, 5 dice of ``common`` with recall 2, in
regrets that counted all histories alike and with slower passes than now, was 0.020 a round with 16
hands in every pass (1,500 iterations, 88 s), 0.010 with 64 (500, 69 s), 0.009 with all (150,
52 s)."""


def solve_abstraction(
    graph: BidGraph,
    abstraction: Abstraction,
    *,
    payoffs: Payoffs | None = None,
    limits: Limits = DEFAULT_LIMITS,
    options: AbstractionOptions = _DEFAULT_OPTIONS,
    callbacks: Callbacks = NO_CALLBACKS,
) -> SolveResult:
    """Solve a round by CFR over merged states, and measure the exploitability in the full game.

    With more than two players, or payoffs that do not sum to 0, it is ``nash_conv`` that is
    measured, where best responses can be traversed to the end. Where they cannot, the certificate
    of the result is `Unmeasured`.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    abstraction : Abstraction
        What the players leave out of account.
    payoffs : Payoffs
        What the outcomes are worth.
    limits : Limits
        When to stop. The target is the exploitability, or ``nash_conv``, in the true game; the
        solver also stops where it falls no more, since the abstraction may cost more than that.
        `DEFAULT_ITERATIONS` are done if there is no limit of iterations or seconds. The seconds
        include the last measurement, if one iteration can be done by then.
    options : AbstractionOptions
        How it is solved.
    callbacks : Callbacks
        Whom to tell about progress and checkpoints, and where to go on from.

    Raises
    ------
    GameTooLargeError
        If the merged states do not fit into ``max_memory``.

    Examples
    --------
    >>> from liarsolve.game import Recall, compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> from liarsolve.solvers import Limits
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
    >>> result = solve_abstraction(graph, Recall(1), limits=Limits(target=1e-4))
    >>> result.is_traversed, result.certificate.exploitability <= 1e-4
    (True, True)
    """
    payoffs = payoffs or Payoffs()
    has_value = graph.n_players == 2 and not np.any(payoffs.table(2).sum(axis=2))
    measure = "an exploitability" if has_value else "a nash_conv"
    limits.check(measure)
    if limits.max_iterations is None and limits.max_seconds is None:
        limits = replace(limits, max_iterations=DEFAULT_ITERATIONS)
    n_threads = options.n_threads or os.cpu_count() or 1
    settings = Settings(options, n_threads, usable_memory(limits.max_memory))
    with listen() as interrupts:
        started = perf_counter()
        started += time_loading(
            lambda: compile_kernels(
                n_players=min(graph.n_players, 3),
                has_value=has_value,
                is_by_class=abstraction.similar_hands is not None,
            )
        )
        interrupts.raise_waiting()
        solver = make_solver(graph, abstraction, payoffs, settings)
        task = _Task(solver, has_value, n_threads, options.max_visits)
        run = Run(task, limits, started, interrupts, callbacks.on_progress, next_check=_FIRST_CHECK)
        if callbacks.resume_from is not None:
            run.restore(callbacks.resume_from)
        run.go(callbacks)
        return _finish(task, run, settings)


class Settings(NamedTuple):
    """What `solve_abstraction` was asked for, and the machine that it has."""

    options: AbstractionOptions
    n_threads: int
    max_memory: float


def make_solver(
    graph: BidGraph, abstraction: Abstraction, payoffs: Payoffs, settings: Settings
) -> AbstractionCFR:
    """Choose how many joint hands are drawn, and see whether everything fits."""
    max_memory, n_drawn = settings.max_memory, settings.options.n_drawn
    tree = merge_states(graph, abstraction, max_entries=max_memory / 8)
    is_large = n_drawn is None and _exact_work(tree) > _EXACT_WORK
    opponent_model_prob = settings.options.opponent_model_prob
    if opponent_model_prob is None:
        is_full_table = graph.n_players > 2 and (is_large or n_drawn is not None)
        opponent_model_prob = _OPPONENT_MODEL_PROB if is_full_table else 0.0

    def count_bytes(n_drawn: int | None) -> int:
        n_threads = settings.n_threads
        return estimate_bytes(
            tree, np.float32, n_drawn, n_threads, opponent_model_prob=opponent_model_prob
        )

    if is_large:
        n_drawn = _MOST_DRAWN
        while n_drawn > LEAST_DRAWN and count_bytes(n_drawn) > max_memory:
            n_drawn //= 2
    _refuse_if_too_large(count_bytes(n_drawn), tree, max_memory)
    return AbstractionCFR(
        tree,
        payoffs,
        settings.options.variant,
        dtype=np.float32,
        n_drawn=n_drawn,
        opponent_model_prob=opponent_model_prob,
        revisit_period=_REVISIT_PERIOD if is_large else 1,
        seed=settings.options.seed,
        n_threads=settings.n_threads,
    )


def _finish(task: "_Task", run: Run, settings: Settings) -> SolveResult:
    """Measure what was reached; nothing is left of the solver then."""
    with run.interrupts.held():
        strategy = task.measure_last(run)
    assert run.stop is not None
    bound: LowerBound | None = None
    if run.stop is not StopReason.INTERRUPTED:
        if run.on_progress is not None:
            run.on_progress(task.progress(run))
        if isinstance(task.measured, FullGameMeasure) and not task.measured.is_complete:
            bound = bound_by_plans(task.measured.certificate)
            if bound.value < _CLOSE_BOUND * task.measured.certificate.exploitability:
                drawn = _seek_bound(task, run, strategy, settings)
                bound = drawn if drawn is not None and drawn.lo > bound.lo else bound
    solver = task.solver
    return SolveResult(
        tree=solver.tree,
        strategy=strategy,
        payoffs=solver.payoffs,
        certificate=certificate_after(
            task.measured.certificate, is_complete=task.measured.is_complete, lower_bound=bound
        ),
        stop=run.stop,
        method=settings.options.variant.name,
        iterations=solver.iteration,
        seconds=run.seconds,
        peak_memory_mb=task.n_bytes / 1e6,
        opponent_model_prob=solver.opponent_model_prob,
    )


def _seek_bound(
    task: "_Task", run: Run, strategy: tuple[Real, ...], settings: Settings
) -> LowerBound | None:
    """What the strategies lose at least; None if there is no time for it, or somebody waits."""
    if run.budget is not None and not has_time_for_bound(task.solver.tree, run.budget):
        return None
    try:
        run.interrupts.raise_waiting()
        run.started += time_loading(_compile_bound)
        with run.interrupts.held():
            bound = bound_solved(
                StrategyProfile(task.solver.tree, strategy, task.solver.payoffs),
                max_seconds=run.budget,
                max_memory=settings.max_memory,
                seed=settings.options.seed,
                n_threads=settings.n_threads,
                interrupts=run.interrupts,
            )
        run.interrupts.raise_waiting()
    except KeyboardInterrupt:
        run.interrupts.n_answered = run.interrupts.n_come
        run.stop = StopReason.INTERRUPTED
        return None
    return bound


def most_visits(graph: BidGraph, n_pairs: float = _TRAVERSAL_PAIRS) -> int:
    """Public states that a best response visits if so many (state, hand) pairs are allowed."""
    return int(n_pairs // max(graph.n_hands))


@cache
def compile_kernels(*, n_players: int, has_value: bool, is_by_class: bool) -> None:
    """Run every kernel once on the smallest round, so that compiling does not count as solving."""
    graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1,) * n_players))
    tree = merge_states(graph, Recall(1) & SimilarHands(1) if is_by_class else Recall(1))
    solver = AbstractionCFR(tree, dtype=np.float32, n_threads=1)
    solver.step()
    entries = solver.entries
    tree, strategy = solver.average_strategy(is_last=True)
    _measure(solver, entries, strategy, has_value, _TraversalLimits(0.0, 1, 1))


@cache
def _compile_bound() -> None:
    """The same for the kernels of the lower bound, which only a large round needs."""
    graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    solver = AbstractionCFR(merge_states(graph, Recall(1)), dtype=np.float32, n_threads=1)
    tree, strategy = solver.average_strategy(is_last=True)
    measure_lower_bound(
        StrategyProfile(tree, strategy), recall=1, n_refined=LEAST_REFINED, n_deals=2, n_threads=1
    )


def time_loading(load: Callable[[], None]) -> float:
    """Seconds that getting kernels ready took, if more than it takes where they were compiled."""
    before = perf_counter()
    load()
    seconds = perf_counter() - before
    return seconds if seconds > _LOADING else 0.0


class _TraversalLimits(NamedTuple):
    """How far a measurement goes."""

    threshold: float
    max_visits: int
    n_threads: int
    halt: Halt = NEVER
    gap: float = 0.0


def _measure(
    solver: AbstractionCFR,
    entries: Real,
    strategy: tuple[Real, ...],
    has_value: bool,
    traversal: _TraversalLimits,
) -> FullGameMeasure | FullGameProfileMeasure:
    if has_value:
        return measure_in_full_game(
            StrategyProfile(solver.tree, strategy, solver.payoffs),
            gap=traversal.gap,
            max_visits=traversal.max_visits,
            n_threads=traversal.n_threads,
            halt=traversal.halt,
        )
    return measure_profile_in_full_game(
        solver.tree,
        entries,
        solver.payoffs,
        threshold=traversal.threshold,
        max_visits=traversal.max_visits,
        n_threads=traversal.n_threads,
        halt=traversal.halt,
    )


@dataclass(eq=False)
class _Task:
    """A solver that is measured in the true game, as far as there is time for that."""

    solver: AbstractionCFR
    has_value: bool
    n_threads: int
    max_visits: int | None
    measured: FullGameMeasure | FullGameProfileMeasure = field(init=False)
    """The last measurement."""
    is_traversed: bool = False
    """Whether it was complete."""
    n_traversed: int = 0
    """(state, hand) pairs that it visited."""
    step_seconds: float = 0.0
    traversal_seconds: float = 0.0
    """Time that the last measurement took."""
    n_bytes: int = 0
    """Most memory that the solver has held."""
    traversal_rate: float = field(init=False)
    """(state, hand) pairs of its largest traversal in a second."""
    seconds_kept: float = 0.0
    """Half a step more or less than there is time for, and what the last traversal will take."""

    def __post_init__(self) -> None:
        self.traversal_rate = 2.0 * TRAVERSAL_RATE / self.solver.graph.n_players

    @property
    def iteration(self) -> int:
        return self.solver.iteration

    @property
    def halt(self) -> Halt:
        return self.solver.halt

    @halt.setter
    def halt(self, halt: Halt) -> None:
        self.solver.halt = halt

    def to_state(self) -> SolverState:
        values, arrays = self.solver.to_state()
        values |= {
            "is_walked": self.is_traversed,
            "n_walked": self.n_traversed,
            "step_seconds": self.step_seconds,
            "walk_seconds": self.traversal_seconds,
            "walk_rate": self.traversal_rate,
            "n_bytes": self.n_bytes,
        }
        return SolverState(values, arrays)

    def restore(self, state: SolverState) -> None:
        values = state.values
        self.solver.restore(values, state.arrays)
        self.is_traversed = bool(values["is_walked"])
        self.n_traversed = int(values["n_walked"])
        self.step_seconds = float(values["step_seconds"])
        self.traversal_seconds = float(values["walk_seconds"])
        self.traversal_rate = float(values["walk_rate"])
        self.n_bytes = int(values["n_bytes"])

    def step(self, run: Run) -> None:
        before = perf_counter()
        self.solver.step()
        self.step_seconds = perf_counter() - before
        self.n_bytes = max(self.n_bytes, self.solver.n_bytes)
        self.seconds_kept = self._last_traversal_seconds(run) + self.step_seconds / 2

    def _last_traversal_seconds(self, run: Run) -> float:
        """Time to be kept for the last traversal, which goes to a smaller threshold."""
        budget = run.budget
        if budget is None:
            return 0.0
        if run.history and self.is_traversed:
            return 2.0 * self.traversal_seconds
        return self._short_traversal_seconds(budget) + self._bound_seconds(budget)

    def _short_traversal_seconds(self, budget: float) -> float:
        """Time for a last traversal, where those before it have not come to an end."""
        return min(_TRAVERSAL_SHARE * budget, _PROGRESS_PAIRS / self.traversal_rate)

    def _bound_seconds(self, budget: float) -> float:
        """Time to be kept for a lower bound, where the last traversal will not be complete."""
        return bound_seconds(budget) if self.has_value else 0.0

    def measure(self, run: Run) -> Measurement:
        solver = self.solver
        n_pairs = float(_PROGRESS_PAIRS)
        if run.budget is not None:
            n_pairs = min(n_pairs, 0.5 * _TRAVERSAL_SHARE * run.budget * self.traversal_rate)
        self._traverse(run, solver.entries, solver.weights(), 10 * _THRESHOLD, n_pairs)
        return Measurement(self._distance, self.is_traversed)

    def measures_at(self, stop: StopReason) -> bool:
        return False

    def pause(self, measured: Measurement) -> int:
        iteration = self.solver.iteration
        if measured.is_complete:
            return max(2, iteration // 10)
        return 3 * iteration  # later strategies play less, so that their traversals are shorter

    def judge(self, run: Run, measured: Measurement) -> StopReason | None:
        if run.stop is None and self.is_traversed and self._is_slow(run):
            return StopReason.ABSTRACTION_LIMIT if self.has_value else StopReason.STALLED
        return run.stop

    def improve(self, run: Run) -> bool:
        return False

    def measure_last(self, run: Run) -> tuple[Real, ...]:
        """The strategies, measured; nothing is left of the solver then."""
        entries = self.solver.entries
        _, strategy = self.solver.average_strategy(is_last=True)
        n_pairs = _TRAVERSAL_PAIRS / (1.0 if self.has_value else _MULTIPLAYER_DIVISOR)
        if run.stop is StopReason.INTERRUPTED:  # somebody is waiting
            n_pairs = float(_PROGRESS_PAIRS)
        if run.history:
            n_pairs = max(n_pairs, 4.0 * self.n_traversed)
        elif run.limits.max_seconds is not None and run.budget is not None:
            left = run.limits.max_seconds - run.seconds - self._bound_seconds(run.budget)
            n_pairs = min(
                n_pairs, max(left, self._short_traversal_seconds(run.budget)) * self.traversal_rate
            )
        self._traverse(run, entries, strategy, _THRESHOLD, n_pairs)
        is_limit = run.stop in (StopReason.ITERATION_LIMIT, StopReason.TIME_LIMIT)
        if is_limit and self._distance <= run.limits.target:
            run.stop = StopReason.CONVERGED
        return strategy

    def _traverse(
        self,
        run: Run,
        entries: Real,
        strategy: tuple[Real, ...],
        threshold: float,
        n_pairs: float,
    ) -> None:
        """Measure; ``n_pairs`` are (state, hand) pairs at the most."""
        last = run.history[-1][2] if run.history else 0.0
        before = perf_counter()
        max_visits = self.max_visits
        if max_visits is None:
            max_visits = max(most_visits(self.solver.graph, n_pairs / self._work), 1)
        gap = threshold * max(_GAP_PER_THRESHOLD, _GAP_SHARE_PER_THRESHOLD * last)
        how = _TraversalLimits(threshold, max_visits, self.n_threads, self.halt, gap)
        self.measured = _measure(self.solver, entries, strategy, self.has_value, how)
        self.traversal_seconds = perf_counter() - before
        self.is_traversed = self.measured.is_complete
        self.n_traversed = int(self.measured.n_visits * max(self.solver.graph.n_hands) * self._work)
        self.traversal_rate = max(self.n_traversed, 1) / max(self.traversal_seconds, 1e-6)

    @property
    def _work(self) -> float:
        """Time for a state, as a multiple of what it takes in a traversal."""
        return BOUND_WORK if self.has_value else 1.0

    @property
    def _distance(self) -> float:
        """What the target is about."""
        certificate = self.measured.certificate
        if isinstance(certificate, ProfileCertificate):
            return certificate.nash_conv
        return certificate.exploitability

    def _is_slow(self, run: Run) -> bool:
        """Whether twice as many iterations have not brought a tenth."""
        iteration, _, last = run.history[-1]
        before = [e for i, _, e in run.history if _SLOW_FROM <= i <= iteration / 2]
        return bool(before) and last > 0.9 * min(before)

    def progress(self, run: Run) -> SolveProgress:
        return SolveProgress(
            iteration=self.solver.iteration,
            certificate=certificate_after(self.measured.certificate, is_complete=self.is_traversed),
            target=run.limits.target,
            seconds=run.seconds,
            seconds_left=run.seconds_left(),
            n_states=self.solver.tree.n_states,
            memory_mb=self.n_bytes / 1e6,
        )


def choose_revisit_period(tree: PublicTree) -> int:
    """How seldom a pass that meets all hands meets what nobody plays on a tree."""
    return _REVISIT_PERIOD if _exact_work(tree) > _EXACT_WORK else 1


def _exact_work(tree: PublicTree) -> float:
    """(edge, joint hand) pairs of an iteration that meets all hands."""
    graph = tree.graph
    joint_hands = float(math.prod(graph.n_hands))
    return graph.n_players * joint_hands * sum(children.size for children in tree.children)


def _refuse_if_too_large(n_bytes: int, tree: PublicTree, max_memory: float) -> None:
    if n_bytes > max_memory:
        dice = ",".join(map(str, tree.graph.round.dice))
        raise GameTooLargeError(
            f"{tree.abstraction} of {tree.graph.round.rules.name} with {dice} dice needs "
            f"{format_bytes(n_bytes)}, but {format_bytes(max_memory)} may be used; remember fewer "
            "bids, or raise max_memory"
        )

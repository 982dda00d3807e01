"""Solve a round for forgetful players, until its true price is low enough or falls no more."""

import math
import os
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter

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
    compile_graph,
    merge_states,
)
from liarsolve.rules import Round, presets
from liarsolve.solvers.checkpoint_clock import CheckpointClock
from liarsolve.solvers.imperfect_recall.cfr import AbstractionCFR, estimate_bytes
from liarsolve.solvers.imperfect_recall.layout import LEAST_DRAWN
from liarsolve.solvers.imperfect_recall.lower_bounds import (
    LowerBound,
    bound_seconds,
    bound_solved,
    measure_lower_bound,
)
from liarsolve.solvers.imperfect_recall.profile_price import ProfilePrice, measure_profile_price
from liarsolve.solvers.imperfect_recall.true_price import TruePrice, measure_true_price
from liarsolve.solvers.limits import check_limits, limit_reached
from liarsolve.solvers.multiplayer.profile import ProfileCertificate
from liarsolve.solvers.result import (
    CheckpointCallback,
    ProgressCallback,
    SolveProgress,
    SolveResult,
    SolverState,
    StopReason,
)
from liarsolve.solvers.two_player.solve import (
    DEFAULT_MEMORY_SHARE,
    estimate_seconds_left,
    machine_memory,
)
from liarsolve.solvers.variants import DISCOUNTED_CFR, CFRVariant

DEFAULT_ITERATIONS = 1_000
"""Iterations at the most if no limit is given."""
DEFAULT_VARIANT = DISCOUNTED_CFR
"""Which member of the CFR family to take. ``nash_conv`` of ``common`` and ``perudo`` at 1, 1, 1
dice of six faces and of ``common`` at 2, 2, 2 dice of three, recall 2, after 300 iterations or when
it falls no more: cfr 2.0e-2, 2.5e-2, 4.5e-2; cfr+ 8.3e-3, 5.0e-3, 7.4e-4; linear 1.5e-2, 4.4e-3,
3.4e-2; discounted 9.7e-3, 4.9e-3, 2.9e-3 (all three after 215). With 4 joint hands drawn in a
pass: cfr 6.0e-2, 1.2e-1, 9.2e-2; cfr+ 5.5e-2, 7.7e-2, 7.9e-2; linear 6.5e-2, 1.6e-1, 9.9e-2;
discounted 5.1e-2, 8.2e-2, 9.3e-2. Between cfr+ and discounted nothing is decided."""
_WALK = 1_000_000_000
"""(public state, hand) pairs that a best response walks at the most: about half a minute."""
_MANY_WALKS = 4.0
"""By what this is divided with more than two players, who take two walks each, and slower ones."""
_PROGRESS_WALK = 25_000_000
"""The same for the measurements on the way."""
_WALK_RATE = 25_000_000.0
"""(public state, hand) pairs that two players walk in a second, until a walk has been timed; four
walk half as many."""
_WALK_SHARE = 0.1
"""Part of ``max_seconds`` that is kept for the last walk where none has been complete; half of it
for one on the way."""
_LOADING = 3.0
"""Seconds in which kernels are ready that were compiled before; compiling takes longer, and does
not count as solving."""
_THRESHOLD = 1e-7
"""What is reached with no more counts in full in the final measurement, and with ten times as much
on the way. On 2 v 2 and 3 v 2 ``common`` with recall 3, 1e-6 and 1e-8 differ by 1e-5."""
_EXACT_WORK = 1e9
"""(edge, joint hand) pairs of one iteration up to which every pass meets all hands of the others:
below a second."""
_REVISIT_PERIOD = 4
"""As of `AbstractionCFR`, in larger rounds: an iteration takes half the time of one that leaves
nothing out. In small ones that would save less than it costs: with 8 at 2, 1 dice of three faces of
``perudo``, players who remember all come to 3e-3 after 200 iterations, with 1 to 6e-4."""
_SLOW_FROM = 100
"""Iteration from which on progress is watched."""
_ODDS_SHARE = 0.2
"""What every player at a full table reckons with, since strategies that learned from one another
alone do not know what to do when others bid low and true: at 5, 5, 5, 5 dice of ``common`` with
recall 1 they lose 0.21 a round to players who go by the odds. With 0.1 and 0.2, after a minute on a
busy machine, strategies get from such players +0.06 and +0.12 a round under ``common``, -0.11 and
-0.05 under ``liars_dice``, -0.02 and +0.05 under ``perudo``; against honest players there is no
difference but 0.03 more under ``common``, and none against those with 0.1 under the other two,
where alone they met. (``benchmarks/odds_share.py``; intervals of 0.03 to either side.)"""
_MOST_DRAWN = 256
"""Joint hands that are drawn in larger rounds at the most; two players with five dice each have 252
hands, so that late passes meet them all. It is noise in the regrets that keeps drawn hands from
getting further: what replies with the same recall gain at 5, 5 dice of ``common`` with recall 2, in
regrets that counted all ways alike and with slower passes than now, was 0.020 a round with 16 hands
in every pass (1,500 iterations, 88 s), 0.010 with 64 (500, 69 s), 0.009 with all (150, 52 s)."""


def solve_abstraction(
    graph: BidGraph,
    abstraction: Abstraction,
    *,
    payoffs: Payoffs | None = None,
    target: float = 1e-3,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    max_memory: float | None = None,
    variant: CFRVariant = DEFAULT_VARIANT,
    n_drawn: int | None = None,
    odds_share: float | None = None,
    seed: int = 0,
    max_visits: int | None = None,
    n_threads: int | None = None,
    on_progress: ProgressCallback | None = None,
    on_checkpoint: CheckpointCallback | None = None,
    checkpoint_seconds: float = 600.0,
    resume_from: SolverState | None = None,
) -> SolveResult:
    """Solve a round by CFR over merged states, and measure the price in the true game.

    With more than two players, or payoffs that do not sum to 0, the price is ``nash_conv``, and it
    is measured where best responses can be walked to the end. Where they cannot, ``is_walked`` of
    the result is false, and its certificate is that of any strategies: it says nothing.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    abstraction : Abstraction
        What the players leave out of account.
    payoffs, n_threads, on_progress, on_checkpoint, checkpoint_seconds
        As for `liarsolve.solvers.two_player.solve`.
    target : float
        Stop when the exploitability, or ``nash_conv``, in the true game is at or below this. The
        solver also stops where it falls no more, since what players forget may have a price above
        the target.
    max_iterations : int, optional
        Stop there; `DEFAULT_ITERATIONS` if neither this nor ``max_seconds`` is given.
    max_seconds : float, optional
        Be done by then, with the last measurement too, if one iteration can be.
    max_memory : float, optional
        Bytes that may be used; four fifths of the machine's memory if not given.
    variant : CFRVariant
        Which member of the CFR family.
    n_drawn : int, optional
        Joint hands of the others that a pass draws. If not given, all are met where that takes
        less than about a second, and a few are drawn elsewhere.
    odds_share : float, optional
        As for `AbstractionCFR`. If not given, `_ODDS_SHARE` at full tables, where hands of three
        and more players are drawn, and 0 elsewhere.
    seed : int
        Of the draws.
    max_visits : int, optional
        Public states that each best response walks at the most; if not given, what takes about
        half a minute, or less if ``max_seconds`` asks for it. If that is not enough, ``is_walked``
        of the result is false, and the certificate is a bound that may say little.
    resume_from : SolverState, optional
        Go on from there. With the same arguments, and unless the clock ends it, the result has the
        same bits as that of an unbroken run.

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
    started = perf_counter()
    payoffs = payoffs or Payoffs()
    has_value = graph.n_players == 2 and not np.any(payoffs.table(2).sum(axis=2))
    check_limits(
        "an exploitability" if has_value else "a nash_conv",
        target,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
        max_memory=max_memory,
        max_visits=max_visits,
    )
    checkpoints = CheckpointClock(on_checkpoint, checkpoint_seconds)
    if max_iterations is None and max_seconds is None:
        max_iterations = DEFAULT_ITERATIONS
    max_memory = DEFAULT_MEMORY_SHARE * machine_memory() if max_memory is None else max_memory
    n_threads = n_threads or os.cpu_count() or 1
    loading = _compile(is_by_class=abstraction.similar_hands is not None)
    if loading > _LOADING:
        started += loading
    tree = merge_states(graph, abstraction, max_entries=max_memory / 8)
    is_large = n_drawn is None and _exact_work(tree) > _EXACT_WORK
    if odds_share is None:
        is_full_table = graph.n_players > 2 and (is_large or n_drawn is not None)
        odds_share = _ODDS_SHARE if is_full_table else 0.0

    def count_bytes(n_drawn: int | None) -> int:
        return estimate_bytes(tree, np.float32, n_drawn, n_threads, odds_share=odds_share)

    if is_large:
        n_drawn = _MOST_DRAWN
        while n_drawn > LEAST_DRAWN and count_bytes(n_drawn) > max_memory:
            n_drawn //= 2
    _refuse_if_too_large(count_bytes(n_drawn), tree, max_memory)
    solver = AbstractionCFR(
        tree,
        payoffs,
        variant,
        dtype=np.float32,
        n_drawn=n_drawn,
        odds_share=odds_share,
        revisit_period=_REVISIT_PERIOD if is_large else 1,
        seed=seed,
        n_threads=n_threads,
    )
    limits = _Limits(target, max_iterations, max_seconds, max_visits)
    watch = _Watch(solver, limits, has_value, n_threads, started)
    if resume_from is not None:
        watch.restore(resume_from)
    try:
        while watch.stop is None:
            watch.step()
            if watch.is_due():
                watch.measure()
                if on_progress is not None:
                    on_progress(watch.progress())
            checkpoints.tick(watch.to_state)
    except KeyboardInterrupt:
        watch.stop = StopReason.INTERRUPTED
    else:
        if watch.stop is not StopReason.CONVERGED:  # more time can go on from here
            checkpoints.call(watch.to_state)
    entries = solver.entries
    _, strategy = solver.average_strategy(is_last=True)
    stop = watch.measure_last(entries, strategy)
    if on_progress is not None and stop is not StopReason.INTERRUPTED:
        on_progress(watch.progress())
    bound: LowerBound | None = None
    if has_value and not watch.price.is_complete and stop is not StopReason.INTERRUPTED:
        bound = bound_solved(
            tree,
            strategy,
            payoffs,
            max_seconds=watch.budget,
            max_memory=max_memory,
            seed=seed,
            n_threads=n_threads,
        )
    return SolveResult(
        tree=tree,
        strategy=strategy,
        payoffs=payoffs,
        certificate=watch.price.certificate,
        stop=stop,
        method=variant.name,
        iterations=solver.iteration,
        seconds=watch.seconds,
        peak_memory_mb=watch.n_bytes / 1e6,
        is_walked=watch.price.is_complete,
        odds_share=odds_share,
        lower_bound=bound,
    )


def most_visits(graph: BidGraph, walk: float = _WALK) -> int:
    """Public states that a best response walks if so many (state, hand) pairs are allowed."""
    return int(walk // max(graph.n_hands))


@cache
def _compile_once(*, is_by_class: bool) -> None:
    for dice in ((1, 1), (1, 1, 1)):
        graph = compile_graph(Round(presets.COMMON.replace(faces=2), dice))
        tree = merge_states(graph, Recall(1) & SimilarHands(1) if is_by_class else Recall(1))
        solver = AbstractionCFR(tree, dtype=np.float32, n_threads=1)
        solver.step()
        entries = solver.entries
        tree, strategy = solver.average_strategy(is_last=True)
        _measure(tree, entries, strategy, solver.payoffs, graph.n_players == 2, 0.0, 1, 1)
        if graph.n_players == 2:
            measure_lower_bound(tree, strategy, n_deals=2, n_threads=1)


def _compile(*, is_by_class: bool) -> float:
    """Run every kernel once on the smallest rounds; returns the seconds that it took."""
    started = perf_counter()
    _compile_once(is_by_class=is_by_class)
    return perf_counter() - started


def _measure(
    tree: PublicTree,
    entries: Real,
    strategy: tuple[Real, ...],
    payoffs: Payoffs,
    has_value: bool,
    threshold: float,
    max_visits: int,
    n_threads: int,
) -> TruePrice | ProfilePrice:
    if has_value:
        return measure_true_price(
            tree,
            strategy,
            payoffs,
            threshold=threshold,
            max_visits=max_visits,
            n_threads=n_threads,
        )
    return measure_profile_price(
        tree, entries, payoffs, threshold=threshold, max_visits=max_visits, n_threads=n_threads
    )


@dataclass(frozen=True, slots=True)
class _Limits:
    target: float
    max_iterations: int | None
    max_seconds: float | None
    max_visits: int | None


@dataclass(eq=False)
class _Watch:
    """Decides when to measure and when to stop."""

    solver: AbstractionCFR
    limits: _Limits
    has_value: bool
    n_threads: int
    started: float
    resumed_after: float = 0.0
    """Seconds that had been spent before, if the solve goes on from a checkpoint."""
    price: TruePrice | ProfilePrice = field(init=False)
    """The last measurement."""
    is_walked: bool = False
    """Whether it was complete."""
    n_walked: int = 0
    """(state, hand) pairs that it walked."""
    stop: StopReason | None = None
    next_check: int = 4
    step_seconds: float = 0.0
    walk_seconds: float = 0.0
    """Time that the last measurement took."""
    n_bytes: int = 0
    """Most memory that the solver has held."""
    walk_rate: float = field(init=False)
    """(state, hand) pairs of its largest walk in a second."""
    history: list[tuple[int, float, float]] = field(default_factory=list)
    """(iteration, seconds, distance) of every complete measurement."""

    def __post_init__(self) -> None:
        self.walk_rate = 2.0 * _WALK_RATE / self.solver.graph.n_players

    @property
    def seconds(self) -> float:
        return perf_counter() - self.started

    @property
    def budget(self) -> float | None:
        """Seconds that there were for this part of the solve, of which some go into measuring."""
        if self.limits.max_seconds is None:
            return None
        return max(self.limits.max_seconds - self.resumed_after, 0.0)

    def to_state(self) -> SolverState:
        """Everything that `restore` needs."""
        values, arrays = self.solver.to_state()
        values |= {
            "is_walked": self.is_walked,
            "n_walked": self.n_walked,
            "next_check": self.next_check,
            "step_seconds": self.step_seconds,
            "walk_seconds": self.walk_seconds,
            "walk_rate": self.walk_rate,
            "n_bytes": self.n_bytes,
            "seconds": self.seconds,
            "history": [list(entry) for entry in self.history],
        }
        return SolverState(values, arrays)

    def restore(self, state: SolverState) -> None:
        """Go on where `to_state` was taken."""
        values = state.values
        self.solver.restore(values, state.arrays)
        self.is_walked = bool(values["is_walked"])
        self.n_walked = int(values["n_walked"])
        self.next_check = int(values["next_check"])
        self.step_seconds = float(values["step_seconds"])
        self.walk_seconds = float(values["walk_seconds"])
        self.walk_rate = float(values["walk_rate"])
        self.n_bytes = int(values["n_bytes"])
        self.resumed_after = float(values["seconds"])
        self.started -= self.resumed_after
        self.history = [(int(i), float(s), float(e)) for i, s, e in values["history"]]

    def step(self) -> None:
        """One iteration, timed."""
        before = perf_counter()
        self.solver.step()
        self.step_seconds = perf_counter() - before
        self.n_bytes = max(self.n_bytes, self.solver.n_bytes)

    def is_due(self) -> bool:
        """Whether it is time to measure; `stop` is set where a limit has come."""
        limits, iteration = self.limits, self.solver.iteration
        # Half a step more or less than there is time for.
        seconds = self.seconds + self._last_walk_seconds + self.step_seconds / 2
        self.stop = limit_reached(iteration, seconds, limits.max_iterations, limits.max_seconds)
        return self.stop is None and iteration >= self.next_check

    @property
    def _last_walk_seconds(self) -> float:
        """Time to be kept for the last walk, which goes to a smaller threshold."""
        if self.limits.max_seconds is None:
            return 0.0
        if self.history and self.is_walked:
            return 2.0 * self.walk_seconds
        return self._short_walk_seconds + self._bound_seconds

    @property
    def _short_walk_seconds(self) -> float:
        """Time for a last walk, where those before it have not come to an end."""
        assert self.budget is not None
        return min(_WALK_SHARE * self.budget, _PROGRESS_WALK / self.walk_rate)

    @property
    def _bound_seconds(self) -> float:
        """Time to be kept for a lower bound, where the last walk will not be complete."""
        budget = self.budget
        return bound_seconds(budget) if self.has_value and budget is not None else 0.0

    def measure(self) -> None:
        """Measure the average strategy, and see whether that is enough."""
        solver = self.solver
        walk = float(_PROGRESS_WALK)
        if self.budget is not None:
            walk = min(walk, 0.5 * _WALK_SHARE * self.budget * self.walk_rate)
        self._walk(solver.entries, solver.weights(), 10 * _THRESHOLD, walk)
        iteration = solver.iteration
        if self._is_at_target():
            self.stop = StopReason.CONVERGED
        if self.is_walked:
            self.history.append((iteration, self.seconds, self._distance))
            self.next_check = iteration + max(2, iteration // 10)
            if self.stop is None and self._is_slow():
                self.stop = StopReason.ABSTRACTION_LIMIT if self.has_value else StopReason.STALLED
        else:  # later strategies play less, so that their walks are shorter
            self.next_check = 4 * iteration

    def measure_last(self, entries: Real, strategy: tuple[Real, ...]) -> StopReason:
        """Measure what is returned; returns why the solver stopped."""
        assert self.stop is not None
        walk = _WALK / (1.0 if self.has_value else _MANY_WALKS)
        is_short = not self.history
        if self.history:
            walk = max(walk, 4.0 * self.n_walked)
        if self.limits.max_seconds is not None and is_short:
            left = self.limits.max_seconds - self.seconds - self._bound_seconds
            walk = min(walk, max(left, self._short_walk_seconds) * self.walk_rate)
        elif self.stop is StopReason.INTERRUPTED and is_short:
            walk = float(_PROGRESS_WALK)
        self._walk(entries, strategy, _THRESHOLD, walk)
        is_limit = self.stop in (StopReason.ITERATION_LIMIT, StopReason.TIME_LIMIT)
        if is_limit and self._is_at_target():
            self.stop = StopReason.CONVERGED
        return self.stop

    def _walk(
        self, entries: Real, strategy: tuple[Real, ...], threshold: float, walk: float
    ) -> None:
        """Measure; ``walk`` are (state, hand) pairs at the most."""
        before = perf_counter()
        max_visits = self.limits.max_visits
        if max_visits is None:
            max_visits = max(most_visits(self.solver.graph, walk), 1)
        self.price = _measure(
            self.solver.tree,
            entries,
            strategy,
            self.solver.payoffs,
            self.has_value,
            threshold,
            max_visits,
            self.n_threads,
        )
        self.walk_seconds = perf_counter() - before
        self.is_walked = self.price.is_complete
        self.n_walked = self.price.n_visits * max(self.solver.graph.n_hands)
        self.walk_rate = max(self.n_walked, 1) / max(self.walk_seconds, 1e-6)

    @property
    def _distance(self) -> float:
        """What the target is about."""
        certificate = self.price.certificate
        if isinstance(certificate, ProfileCertificate):
            return certificate.nash_conv
        return certificate.exploitability

    def _is_at_target(self) -> bool:
        return self._distance <= self.limits.target

    def _is_slow(self) -> bool:
        """Whether twice as many iterations have not brought a tenth."""
        iteration, _, last = self.history[-1]
        before = [e for i, _, e in self.history if _SLOW_FROM <= i <= iteration / 2]
        return bool(before) and last > 0.9 * min(before)

    def progress(self) -> SolveProgress:
        return SolveProgress(
            iteration=self.solver.iteration,
            certificate=self.price.certificate,
            target=self.limits.target,
            seconds=self.seconds,
            seconds_left=self._seconds_left(),
            n_states=self.solver.tree.n_states,
            memory_mb=self.n_bytes / 1e6,
            is_walked=self.is_walked,
        )

    def _seconds_left(self) -> float | None:
        if not self.history:
            return None
        return estimate_seconds_left([(s, e) for _, s, e in self.history], self.limits.target)


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
            f"{n_bytes / 1e9:.3g} GB, but {max_memory / 1e9:.3g} GB may be used; remember fewer "
            "bids, or raise max_memory"
        )

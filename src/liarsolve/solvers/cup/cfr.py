"""CFR on cup games that are no recursion over claims: blind passes, three or more players.

What the strategies are worth is measured by exact best responses in the true round, where a player
has perfect recall, whatever the strategies themselves remember.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from liarsolve._typing import F8
from liarsolve.errors import GameTooLargeError, InputError, InputTypeError
from liarsolve.game.cup.graph import (
    CupGraph,
    CupInfosets,
    CupPruning,
    build_cup_graph,
)
from liarsolve.game.cup.memory import PERFECT_RECALL, SINCE_HELD, CupMemory
from liarsolve.rules import CupPayoff, CupRound, CupRules, loser_pays, presets
from liarsolve.solvers.core.checkpoints import NO_CALLBACKS, Callbacks
from liarsolve.solvers.core.halt import NEVER, Halt, listen
from liarsolve.solvers.core.limits import DEFAULT_LIMITS, Limits, check_limits
from liarsolve.solvers.core.result import SolverState, StopReason
from liarsolve.solvers.core.run import Measurement, Run
from liarsolve.solvers.core.variants import PREDICTIVE_CFR_PLUS, CFRVariant
from liarsolve.solvers.cup import _cfr_kernels as kernels
from liarsolve.solvers.cup.action_values import to_kernel
from liarsolve.solvers.cup.cfr_cleaning import CupCleaner
from liarsolve.solvers.cup.cfr_result import CupCFRResult, CupMeasure, CupProfile

__all__ = [
    "CupCFR",
    "CupCFRProgress",
    "CupCFRProgressCallback",
    "CupResponses",
    "measure_cup",
    "solve_cup_cfr",
]

_THRESHOLD_SHARE, _LEAST_THRESHOLD, _MOST_THRESHOLD = 1e-3, 1e-7, 1e-6
"""Threshold of best responses that do not fit, as a share of the target, and its limits. Measured
on three players with a box of two dice of three faces, after 60 iterations: 40,000 nodes with
1e-7, of which a chance of 2e-4 is left out, instead of 900,000; 32,000 and 1e-3 with 1e-6."""
_FIRST_PRUNED_CHECK = 32
_NOBODY = -2
"""A traverser who decides nowhere; -1 is chance."""


@dataclass(frozen=True, slots=True)
class CupCFRProgress:
    """State of a running solve, as ``on_progress`` receives it."""

    iteration: int
    nash_conv: float | None
    """`None` where it cannot be measured."""
    target: float
    seconds: float
    seconds_left: float | None
    """Estimate of the time to the target, `None` while there is nothing to go by."""
    n_states: int
    """Information sets."""


CupCFRProgressCallback: TypeAlias = Callable[[CupCFRProgress], None]


class CupCFR:
    """CFR with alternating updates, in the order of the seats.

    Parameters
    ----------
    graph, infosets
        The round, as `build_cup_graph` makes it.
    variant : CFRVariant
        Which member of the CFR family.

    References
    ----------
    Lanctot et al. (2012), "No-regret learning in extensive-form games with imperfect recall",
    arXiv:1205.0622, for CFR with imperfect recall: what it converges to is then an approximation.
    """

    def __init__(
        self, graph: CupGraph, infosets: CupInfosets, variant: CFRVariant = PREDICTIVE_CFR_PLUS
    ) -> None:
        self.graph, self.variant = graph, variant
        self.iteration = 0
        """Iterations done."""
        self._arrays = to_kernel(graph)
        self._first = np.array(infosets.first, np.int64)
        self._owner = np.array(infosets.player, np.int64)
        n_actions = int(self._first[-1])
        self._fair = np.empty(n_actions)
        kernels.normalise_infosets(self._first, np.zeros(n_actions), self._fair)
        self._tables = kernels.Tables(
            cfv=np.zeros(n_actions),
            own_sum=np.zeros(n_actions),
            regret=np.zeros(n_actions),
            policy=self._fair.copy(),
            strategy_sum=np.zeros(n_actions),
        )
        n_places = graph.n_nodes + graph.payoff.shape[1]
        self._reach = np.zeros(n_places)
        self._own = np.zeros(n_places)
        self._value = np.zeros(n_places)

    @property
    def n_bytes(self) -> int:
        """Memory of the arrays."""
        arrays = (*self._arrays, *self._tables, self._fair, self._reach, self._own, self._value)
        return sum(array.nbytes for array in arrays)

    def step(self) -> None:
        """Do one iteration: update every player in turn."""
        self.iteration += 1
        step = self.variant.step(
            self.iteration, self.iteration, threshold=0.0, may_create=False, revisit_period=1
        )
        weights = kernels.Weights(
            step.average_weight, step.keep_positive, step.keep_negative, step.is_predictive
        )
        tables = self._tables
        for player, payoff in enumerate(self.graph.payoff):
            self._value[self.graph.n_nodes :] = payoff
            kernels.reach_nodes(
                self._arrays,
                player,
                tables.policy,
                self._fair,
                self._reach,
                self._own,
                tables.own_sum,
            )
            kernels.regret_nodes(
                self._arrays, player, tables.policy, self._reach, self._value, tables.cfv
            )
            kernels.update_infosets(self._first, self._owner, player, weights, tables)

    def to_state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Everything that `restore` needs: plain values, and arrays that are views."""
        return {"iteration": self.iteration}, dict(self._tables._asdict())

    def restore(self, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on where `to_state` was taken, to the last bit."""
        self.iteration = int(values["iteration"])
        for name, array in self._tables._asdict().items():
            array[:] = arrays[name]

    def average_strategy(self) -> F8:
        """Average strategy so far, float64[A]."""
        strategy = np.empty_like(self._fair)
        kernels.normalise_infosets(self._first, self._tables.strategy_sum, strategy)
        return strategy


def expected_values(graph: CupGraph, strategy: F8) -> tuple[float, ...]:
    """Expected payoff of every player."""
    arrays = to_kernel(graph)
    n_places = graph.n_nodes + graph.payoff.shape[1]
    value, everywhere, nothing = np.zeros(n_places), np.ones(n_places), np.zeros(0)
    found = []
    for payoff in graph.payoff:
        value[graph.n_nodes :] = payoff
        kernels.regret_nodes(arrays, _NOBODY, strategy, everywhere, value, nothing)
        found.append(float(value[0]))
    return tuple(found)


class CupResponses:
    """Best responses of every player with perfect recall, to strategies with or without it.

    The round is unrolled once for each player if it fits. Else it is unrolled anew for each
    strategy, without what the others hardly ever let the player get to: there they are taken to get
    the most that can be had, so that their payoff is never too low.

    Parameters
    ----------
    table, memory, infosets, payoff
        The round, and what the strategies are written on.
    max_nodes : int
        Most nodes to traverse for one player.
    best_payoffs : sequence of float
        The most that each player can get.
    threshold : float
        What the others reach with no more than this is left out where the round does not fit.
    """

    def __init__(
        self,
        table: CupRound,
        memory: CupMemory,
        infosets: CupInfosets,
        *,
        payoff: CupPayoff = loser_pays,
        max_nodes: int = 200_000,
        best_payoffs: Sequence[float],
        threshold: float = 1e-6,
    ) -> None:
        self._table, self._memory, self._infosets = table, memory, infosets
        self._payoff, self._max_nodes = payoff, max_nodes
        self._best_payoffs, self._threshold = best_payoffs, threshold
        self._traversals: list[tuple[CupGraph, CupInfosets]] | None = None
        try:
            self._traversals = [self._unroll(player, None) for player in range(table.n_players)]
        except GameTooLargeError:
            self._traversals = None

    @property
    def fits(self) -> bool:
        """Whether nothing is left out."""
        return self._traversals is not None

    @property
    def n_edges(self) -> int:
        """Edges traversed for all players where nothing is left out, else 0."""
        return sum(graph.n_edges for graph, _ in self._traversals or [])

    def measure(self, strategy: F8, values: tuple[float, ...]) -> CupMeasure:
        """Measure what each player gets by a best response; they get ``values`` as it is."""
        left_out, found = 0.0, []
        try:
            for player in range(self._table.n_players):
                graph, own = (
                    self._traversals[player] if self._traversals else self._unroll(player, strategy)
                )
                left_out = max(left_out, graph.left_out)
                found.append(_respond(graph, own, player, strategy))
        except GameTooLargeError:
            return CupMeasure(values=values, br_values=None)
        return CupMeasure(values=values, br_values=tuple(found), left_out=left_out)

    def _unroll(self, player: int, strategy: F8 | None) -> tuple[CupGraph, CupInfosets]:
        memories = [self._memory] * self._table.n_players
        memories[player] = PERFECT_RECALL
        pruning = None
        if strategy is not None:
            pruning = CupPruning(
                action_probs=strategy,
                threshold=self._threshold,
                payoff=self._best_payoffs[player],
            )
        return build_cup_graph(
            self._table,
            memories,
            infosets=self._infosets,
            responder=player,
            pruning=pruning,
            payoff=self._payoff,
            max_nodes=self._max_nodes,
        )


def _respond(graph: CupGraph, own: CupInfosets, player: int, strategy: F8) -> float:
    """Payoff of a player's best response."""
    n_places = graph.n_nodes + graph.payoff.shape[1]
    value = np.zeros(n_places)
    value[graph.n_nodes :] = graph.payoff[player]
    n_actions = own.first[-1]
    kernels.respond(
        to_kernel(graph),
        player,
        strategy,
        np.zeros(n_places),
        value,
        np.zeros(n_actions),
        np.full(n_actions, -1, np.int64),
    )
    return float(value[0])


def measure_cup(
    strategy: CupProfile,
    *,
    payoff: CupPayoff = loser_pays,
    max_nodes: int = 1_000_000,
    max_response_nodes: int = 200_000,
    threshold: float = 1e-6,
) -> CupMeasure:
    """Measure strategies by the best responses of players with perfect recall.

    Parameters
    ----------
    strategy : CupProfile
        Strategies of all players.
    payoff : callable
        What each player gets at the end.
    max_nodes : int
        Most nodes of the round as the strategies see it.
    max_response_nodes : int
        Most nodes of the round as a player sees it with perfect recall.
    threshold : float
        Where they are too few, leave out what the others reach with no more than this; it
        counts in full against the strategies.

    Raises
    ------
    GameTooLargeError
        If there are more nodes, also without what is left out.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> from liarsolve.solvers import Limits, solve_cup_cfr
    >>> rules, limits = presets.LIAR_DIE.replace(faces=2), Limits(max_iterations=20)
    >>> result = solve_cup_cfr(rules, limits=limits)
    >>> measure_cup(result.strategy).nash_conv == result.measure.nash_conv
    True
    """
    table, memory = strategy.table, strategy.memory
    graph, _ = build_cup_graph(
        table,
        [memory] * table.n_players,
        infosets=strategy.infosets,
        payoff=payoff,
        max_nodes=max_nodes,
    )
    responses = CupResponses(
        table,
        memory,
        strategy.infosets,
        payoff=payoff,
        max_nodes=max_response_nodes,
        best_payoffs=graph.payoff.max(axis=1).tolist(),
        threshold=threshold,
    )
    probs = strategy.action_probs
    measured = responses.measure(probs, expected_values(graph, probs))
    if measured.br_values is None:
        raise GameTooLargeError(
            f"{table.rules.name} with {table.n_players} players has more than "
            f"max_response_nodes={max_response_nodes} nodes with perfect recall; "
            "raise it, or the threshold"
        )
    return measured


@dataclass(frozen=True, slots=True, kw_only=True)
class CupCFROptions:
    """What `solve_cup_cfr` solves, and how.

    Raises
    ------
    InputError, InputTypeError
        If a number of nodes is no whole number above 0, or ``memory`` is no memory.

    Examples
    --------
    >>> CupCFROptions(max_nodes=5_000).variant.name
    'predictive+'
    """

    memory: CupMemory = SINCE_HELD
    """What of the round the strategies go by."""
    payoff: CupPayoff = loser_pays
    """What each player gets at the end, given the `CupRound` and its `CupOutcome`."""
    max_nodes: int = 1_000_000
    """Most nodes of the round as the strategies see it."""
    max_response_nodes: int = 200_000
    """Most nodes of the round as a player sees it with perfect recall. If there are more, what the
    others hardly ever let them get to is left out, and counted in full against the strategies; if
    that does not help, ``nash_conv`` is `None`."""
    variant: CFRVariant = PREDICTIVE_CFR_PLUS
    """Which member of the CFR family. Measured: two players, three dice of three faces, to 1e-3,
    136 iterations with ``predictive+`` and more than 600 with ``discounted``; three players, boxes
    of two and three dice, about as many with either."""

    def __post_init__(self) -> None:
        check_limits(
            "the mean gain of a player",
            0.0,
            max_nodes=self.max_nodes,
            max_response_nodes=self.max_response_nodes,
        )
        if not isinstance(self.memory, CupMemory):
            raise InputTypeError(f"memory is a CupMemory such as SINCE_HELD, got {self.memory!r}")


_DEFAULT_OPTIONS = CupCFROptions()


def solve_cup_cfr(
    rules: CupRules,
    n_players: int = 2,
    *,
    limits: Limits = DEFAULT_LIMITS,
    options: CupCFROptions = _DEFAULT_OPTIONS,
    callbacks: Callbacks = NO_CALLBACKS,
) -> CupCFRResult:
    """Solve a round of a cup game by CFR, for any number of players and with blind passes.

    With three or more players CFR promises nothing, and an equilibrium would promise a player
    nothing if two others change their play: what the result says is how much each player could
    gain by changing their own (``nash_conv``).

    Parameters
    ----------
    rules : CupRules
        The rules; rounds that may go on for ever are refused.
    n_players : int
        Two or more.
    limits : Limits
        When to stop. The target is ``nash_conv / n_players``: the exploitability between two, else
        what a player could gain in the mean. The time counts from the unrolling on.
    options : CupCFROptions
        What is solved, and how.
    callbacks : Callbacks
        Whom to tell about progress, with a `CupCFRProgress` at each measurement, and about
        checkpoints.

    Returns
    -------
    CupCFRResult
        Equal to the bit for equal arguments, unless ``max_seconds`` ended it.

    Raises
    ------
    GameTooLargeError
        If the round has more than ``max_nodes`` nodes.
    RuleError
        If a round may go on for ever.
    InputError
        If limits are not positive, or nothing would ever end the work.

    Examples
    --------
    >>> result = solve_cup_cfr(presets.LIAR_DIE)
    >>> low, high = result.value_bounds  # the value is 11/30
    >>> low < 11 / 30 < high, result.stop.name
    (True, 'CONVERGED')
    """
    limits.check("the mean gain of a player")
    limits.refuse_endless()
    if limits.max_memory is not None:
        raise InputError(
            f"a cup game is limited by max_nodes, not by max_memory, got {limits.max_memory:g}"
        )
    memory, payoff = options.memory, options.payoff
    with listen() as interrupts:
        _compile()
        interrupts.raise_waiting()
        started = perf_counter()
        table = CupRound(rules, n_players)
        graph, infosets = build_cup_graph(
            table, [memory] * n_players, payoff=payoff, max_nodes=options.max_nodes
        )
        solver = CupCFR(graph, infosets, options.variant)
        responses = CupResponses(
            table,
            memory,
            infosets,
            payoff=payoff,
            max_nodes=options.max_response_nodes,
            best_payoffs=graph.payoff.max(axis=1).tolist(),
            threshold=min(max(_THRESHOLD_SHARE * limits.target, _LEAST_THRESHOLD), _MOST_THRESHOLD),
        )
        is_endless = limits.max_iterations is None and limits.max_seconds is None
        if not responses.fits and is_endless:
            raise InputError(
                f"{rules.name} with {n_players} players has more than "
                f"max_response_nodes={options.max_response_nodes} nodes, so that the target may "
                "never be measured; give max_iterations or max_seconds"
            )
        task = _Task(
            solver,
            responses,
            CupCleaner(table, infosets, payoff),
            limits.target,
            len(infosets.player),
        )
        run = Run(task, limits, started, interrupts, callbacks.on_progress)
        # To unroll the round anew is slow, the more so as long as everything is played a little.
        run.next_check = 1 if responses.fits else _FIRST_PRUNED_CHECK
        if callbacks.resume_from is not None:
            run.restore(callbacks.resume_from)
        run.go(callbacks)
    assert run.stop is not None
    return CupCFRResult(
        strategy=CupProfile(
            table=table, memory=memory, infosets=infosets, action_probs=task.strategy
        ),
        measure=task.result,
        stop=run.stop,
        method=options.variant.name,
        iterations=solver.iteration,
        seconds=perf_counter() - started,
        is_zero_sum=n_players == 2 and not graph.payoff.sum(axis=0).any(),
        payoff_bounds=(float(graph.payoff[0].min()), float(graph.payoff[0].max())),
        n_nodes=graph.n_nodes,
        peak_memory_mb=solver.n_bytes / 1e6,
    )


@cache
def _compile() -> None:
    """Run every kernel once on the smallest round, so that compiling does not count as solving."""
    table = CupRound(presets.LIAR_DIE.replace(faces=2))
    graph, infosets = build_cup_graph(table, [SINCE_HELD] * 2)
    solver = CupCFR(graph, infosets)
    solver.step()
    strategy = solver.average_strategy()
    responses = CupResponses(table, SINCE_HELD, infosets, best_payoffs=[1.0, 1.0])
    responses.measure(strategy, expected_values(graph, strategy))


@dataclass(eq=False)
class _Task:
    """A solver whose average strategies are measured where the round can be unrolled."""

    solver: CupCFR
    responses: CupResponses
    cleaner: CupCleaner
    target: float
    n_states: int
    halt: Halt = NEVER
    strategy: F8 = field(init=False)
    result: CupMeasure = field(init=False)
    seconds_kept: float = 0.0
    """What a measurement takes."""

    @property
    def iteration(self) -> int:
        return self.solver.iteration

    def step(self, run: Run) -> None:
        self.solver.step()

    def measure(self, run: Run) -> Measurement:
        before = perf_counter()
        self.strategy = self.cleaner.clean(self.solver.average_strategy())
        values = expected_values(self.solver.graph, self.strategy)
        self.result = self.responses.measure(self.strategy, values)
        self.seconds_kept = perf_counter() - before
        nash_conv = self.result.nash_conv
        return Measurement(None if nash_conv is None else nash_conv / len(values))

    def measures_at(self, stop: StopReason) -> bool:
        return True

    def pause(self, measured: Measurement) -> int:
        iteration = self.solver.iteration
        if not self.responses.fits:
            return iteration
        # At the least as many as take about as long as a measurement.
        per_step = 2 * len(self.result.values) * self.solver.graph.n_edges
        return max(1 + 2 * self.responses.n_edges // per_step, iteration // 10)

    def judge(self, run: Run, measured: Measurement) -> StopReason | None:
        return run.stop

    def improve(self, run: Run) -> bool:
        return False

    def to_state(self) -> SolverState:
        return SolverState(*self.solver.to_state())

    def restore(self, state: SolverState) -> None:
        self.solver.restore(state.values, state.arrays)

    def progress(self, run: Run) -> CupCFRProgress:
        return CupCFRProgress(
            iteration=self.solver.iteration,
            nash_conv=self.result.nash_conv,
            target=self.target,
            seconds=run.seconds,
            seconds_left=run.seconds_left(),
            n_states=self.n_states,
        )

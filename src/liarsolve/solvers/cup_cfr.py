"""CFR on cup games that are no recursion over claims: blind passes, three or more players.

What the strategies are worth is measured by exact best responses in the true round, where a player
forgets nothing, whatever the strategies themselves forget.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter
from typing import TypeAlias

import numpy as np

from liarsolve._typing import F8
from liarsolve.errors import GameTooLargeError, InputError, InputTypeError
from liarsolve.game.cup_graph import (
    CupGraph,
    CupInfosets,
    CupPayoff,
    build_cup_graph,
    loser_pays,
)
from liarsolve.game.cup_memory import PERFECT_RECALL, SINCE_HELD, CupMemory
from liarsolve.rules import CupRound, CupRules, presets
from liarsolve.solvers import _cup_cfr_kernels as kernels
from liarsolve.solvers.cup_cfr_result import CupCFRResult, CupMeasure, CupProfile
from liarsolve.solvers.result import StopReason
from liarsolve.solvers.solve_cfr import estimate_seconds_left
from liarsolve.solvers.variants import PREDICTIVE_CFR_PLUS, CFRVariant

__all__ = [
    "CupCFR",
    "CupCFRProgress",
    "CupCFRProgressCallback",
    "CupResponses",
    "measure_cup",
    "solve_cup_cfr",
]

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
    arXiv:1205.0622, for CFR where players forget: what it converges to is then an approximation.
    """

    def __init__(
        self, graph: CupGraph, infosets: CupInfosets, variant: CFRVariant = PREDICTIVE_CFR_PLUS
    ) -> None:
        self.graph, self.variant = graph, variant
        self.iteration = 0
        """Iterations done."""
        self._arrays = _to_kernel(graph)
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

    def average_strategy(self) -> F8:
        """Average strategy so far, float64[A]."""
        strategy = np.empty_like(self._fair)
        kernels.normalise_infosets(self._first, self._tables.strategy_sum, strategy)
        return strategy


def expected_values(graph: CupGraph, strategy: F8) -> tuple[float, ...]:
    """Expected payoff of every player."""
    arrays = _to_kernel(graph)
    n_places = graph.n_nodes + graph.payoff.shape[1]
    value, everywhere, nothing = np.zeros(n_places), np.ones(n_places), np.zeros(0)
    found = []
    for payoff in graph.payoff:
        value[graph.n_nodes :] = payoff
        kernels.regret_nodes(arrays, _NOBODY, strategy, everywhere, value, nothing)
        found.append(float(value[0]))
    return tuple(found)


class CupResponses:
    """Best responses of every player who forgets nothing, to strategies that may forget.

    Parameters
    ----------
    table, memory, infosets, payoff
        The round, and what the strategies are written on.
    max_nodes : int
        Most nodes to walk for one player.

    Raises
    ------
    GameTooLargeError
        If there are more.
    """

    def __init__(
        self,
        table: CupRound,
        memory: CupMemory,
        infosets: CupInfosets,
        *,
        payoff: CupPayoff = loser_pays,
        max_nodes: int = 500_000,
    ) -> None:
        self._walks: list[tuple[CupGraph, CupInfosets]] = []
        for player in range(table.n_players):
            memories = [memory] * table.n_players
            memories[player] = PERFECT_RECALL
            self._walks.append(
                build_cup_graph(
                    table,
                    memories,
                    infosets=infosets,
                    responder=player,
                    payoff=payoff,
                    max_nodes=max_nodes,
                )
            )

    @property
    def n_edges(self) -> int:
        """Edges walked for all players."""
        return sum(graph.n_edges for graph, _ in self._walks)

    def values(self, strategy: F8) -> tuple[float, ...]:
        """What each player gets by a best response to the others' strategies."""
        found = []
        for player, (graph, own) in enumerate(self._walks):
            n_places = graph.n_nodes + graph.payoff.shape[1]
            value = np.zeros(n_places)
            value[graph.n_nodes :] = graph.payoff[player]
            first = np.array(own.first, np.int64)
            kernels.respond(
                _to_kernel(graph),
                player,
                strategy,
                np.zeros(n_places),
                value,
                np.zeros(first[-1]),
                np.full(first[-1], -1, np.int64),
            )
            found.append(float(value[0]))
        return tuple(found)


def measure_cup(
    strategy: CupProfile, *, payoff: CupPayoff = loser_pays, max_nodes: int = 500_000
) -> CupMeasure:
    """Measure strategies by the best responses of players who forget nothing.

    Parameters
    ----------
    strategy : CupProfile
        Strategies of all players.
    payoff : callable
        What each player gets at the end.
    max_nodes : int
        Most nodes to walk for one player.

    Raises
    ------
    GameTooLargeError
        If there are more.
    """
    table, memory = strategy.table, strategy.memory
    graph, _ = build_cup_graph(
        table,
        [memory] * table.n_players,
        infosets=strategy.infosets,
        payoff=payoff,
        max_nodes=max_nodes,
    )
    responses = CupResponses(table, memory, strategy.infosets, payoff=payoff, max_nodes=max_nodes)
    return CupMeasure(
        values=expected_values(graph, strategy.action_probs),
        br_values=responses.values(strategy.action_probs),
    )


def solve_cup_cfr(
    rules: CupRules,
    n_players: int = 2,
    *,
    memory: CupMemory = SINCE_HELD,
    payoff: CupPayoff = loser_pays,
    target: float = 1e-3,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    max_nodes: int = 1_000_000,
    max_response_nodes: int = 500_000,
    variant: CFRVariant = PREDICTIVE_CFR_PLUS,
    on_progress: CupCFRProgressCallback | None = None,
) -> CupCFRResult:
    """Solve a round of a cup game by CFR, for any number of players and with blind passes.

    With three or more players CFR promises nothing, and an equilibrium would promise a player
    nothing if two others change their play: what the result says is how much each player could
    gain by changing his own (``nash_conv``).

    Parameters
    ----------
    rules : CupRules
        The rules; rounds that may go on for ever are refused.
    n_players : int
        Two or more.
    memory : CupMemory
        What of the round the strategies go by.
    payoff : callable
        What each player gets at the end, given the `CupRound` and its `CupOutcome`.
    target : float
        Stop when ``nash_conv / n_players`` is at or below this: the exploitability between two,
        else what a player could gain in the mean.
    max_iterations, max_seconds : optional
        Stop there if the target has not been reached; the time counts from the unrolling on.
    max_nodes : int
        Most nodes of the round as the strategies see it.
    max_response_nodes : int
        Most nodes of the round as a player sees it who forgets nothing. If there are more, nothing
        is measured, and ``nash_conv`` is `None`.
    variant : CFRVariant
        Which member of the CFR family. Measured: two players, three dice of three faces, to 1e-3,
        136 iterations with ``predictive+`` and more than 600 with ``discounted``; three players,
        boxes of two and three dice, about as many with either.
    on_progress : callable
        Called with a `CupCFRProgress` at each measurement.

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
    >>> result = solve_cup_cfr(presets.LIAR_DIE, target=1e-3)
    >>> low, high = result.value_bounds  # the value is 11/30
    >>> low < 11 / 30 < high, result.stop.name
    (True, 'CONVERGED')
    """
    _check_limits(target, max_iterations, max_seconds, max_nodes, max_response_nodes)
    if not isinstance(memory, CupMemory):
        raise InputTypeError(f"memory is a CupMemory such as SINCE_HELD, got {memory!r}")
    _compile()
    started = perf_counter()
    table = CupRound(rules, n_players)
    graph, infosets = build_cup_graph(
        table, [memory] * n_players, payoff=payoff, max_nodes=max_nodes
    )
    solver = CupCFR(graph, infosets, variant)
    try:
        responses = CupResponses(
            table, memory, infosets, payoff=payoff, max_nodes=max_response_nodes
        )
    except GameTooLargeError:
        responses = None
        if max_iterations is None and max_seconds is None:
            raise InputError(
                f"{rules.name} with {n_players} players has more than "
                f"max_response_nodes={max_response_nodes} nodes, so that no target can be "
                "measured; give max_iterations or max_seconds"
            ) from None
    watch = _Watch(solver, responses, target, max_iterations, max_seconds, started)
    try:
        while watch.stop is None:
            solver.step()
            if watch.is_due():
                watch.measure()
                if on_progress is not None:
                    on_progress(watch.progress(len(infosets.player)))
    except KeyboardInterrupt:
        watch.measure()
        watch.stop = StopReason.INTERRUPTED
    return CupCFRResult(
        strategy=CupProfile(
            table=table, memory=memory, infosets=infosets, action_probs=watch.strategy
        ),
        measure=watch.result,
        stop=watch.stop or StopReason.INTERRUPTED,
        method=variant.name,
        iterations=solver.iteration,
        seconds=perf_counter() - started,
        is_zero_sum=n_players == 2 and not graph.payoff.sum(axis=0).any(),
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
    expected_values(graph, strategy)
    CupResponses(table, SINCE_HELD, infosets).values(strategy)


@dataclass(eq=False)
class _Watch:
    """Decides when to measure and when to stop."""

    solver: CupCFR
    responses: CupResponses | None
    target: float
    max_iterations: int | None
    max_seconds: float | None
    started: float
    strategy: F8 = field(init=False)
    result: CupMeasure = field(init=False)
    stop: StopReason | None = None
    next_check: int = 1
    history: list[tuple[float, float]] = field(default_factory=list)
    """(seconds, mean gain) of every measurement."""

    @property
    def seconds(self) -> float:
        return perf_counter() - self.started

    def is_due(self) -> bool:
        """Whether it is time to measure, because of the iterations or of a limit."""
        iteration = self.solver.iteration
        if self.max_iterations is not None and iteration >= self.max_iterations:
            self.stop = StopReason.ITERATION_LIMIT
        elif self.max_seconds is not None and self.seconds >= self.max_seconds:
            self.stop = StopReason.TIME_LIMIT
        return self.stop is not None or iteration >= self.next_check

    def measure(self) -> None:
        """Measure the average strategy, and see whether that is enough."""
        self.strategy = self.solver.average_strategy()
        self.result = CupMeasure(
            values=expected_values(self.solver.graph, self.strategy),
            br_values=None if self.responses is None else self.responses.values(self.strategy),
        )
        nash_conv = self.result.nash_conv
        if nash_conv is not None:
            gain = nash_conv / len(self.result.values)
            self.history.append((self.seconds, gain))
            if gain <= self.target:
                self.stop = StopReason.CONVERGED
        self.next_check = self.solver.iteration + max(self._pause, self.solver.iteration // 10)

    @property
    def _pause(self) -> int:
        """Iterations that take about as long as a measurement."""
        n_players = len(self.result.values)
        per_step = 2 * n_players * self.solver.graph.n_edges
        n_edges = 0 if self.responses is None else 2 * self.responses.n_edges
        return 1 + n_edges // per_step

    def progress(self, n_states: int) -> CupCFRProgress:
        return CupCFRProgress(
            iteration=self.solver.iteration,
            nash_conv=self.result.nash_conv,
            target=self.target,
            seconds=self.seconds,
            seconds_left=(
                estimate_seconds_left(self.history, self.target) if self.history else None
            ),
            n_states=n_states,
        )


def _to_kernel(graph: CupGraph) -> kernels.Graph:
    return kernels.Graph(
        graph.edge_start, graph.child, graph.prob, graph.player, graph.action, graph.level_start
    )


def _check_limits(
    target: float,
    max_iterations: int | None,
    max_seconds: float | None,
    max_nodes: int,
    max_response_nodes: int,
) -> None:
    if not target >= 0:
        raise InputError(f"target is what a player could gain, 0 or more, got {target}")
    limits = {
        "max_iterations": max_iterations,
        "max_seconds": max_seconds,
        "max_nodes": max_nodes,
        "max_response_nodes": max_response_nodes,
    }
    for name, limit in limits.items():
        if limit is not None and not limit > 0:
            raise InputError(f"{name} must be more than 0, got {limit}")
    if target == 0 and max_iterations is None and max_seconds is None:
        raise InputError("target 0 is never reached exactly; give max_iterations or max_seconds")

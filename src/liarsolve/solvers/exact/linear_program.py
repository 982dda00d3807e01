"""Exact solution of small rounds: the sequence-form linear program.

One player, the leader, chooses realization weights (the chance of their hand times their action
probabilities along a sequence); the other answers at every information set with the action that is
worst for them. The program maximises what the leader is sure of; its dual variables are the other
player's weights.
"""

from dataclasses import dataclass, field
from functools import partial
from time import perf_counter

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from liarsolve._typing import F8, I8
from liarsolve.errors import InputError, LiarsolveError
from liarsolve.game import (
    BidGraph,
    Payoffs,
    PublicTree,
    StrategyProfile,
    build_complete_tree,
    default_actions,
    measure_complete_tree,
    outcome_ids,
)
from liarsolve.rules import Action, Bid, Call
from liarsolve.solvers.core.aside import run_aside
from liarsolve.solvers.core.memory import refuse_if_too_large, usable_memory
from liarsolve.solvers.core.result import SolveResult, StopReason
from liarsolve.solvers.two_player.best_response import certify
from liarsolve.solvers.two_player.cfr import normalise_strategy

_BYTES_PER_ENTRY = 4000
"""Memory of HiGHS for each (edge, hand) pair; measured 2.2 to 3.6 kB on programs of 5e3 to 6e4."""

_TIME_LIMIT = 1
"""Status of `linprog` after an iteration or time limit."""


def solve_lp(
    graph: BidGraph,
    *,
    payoffs: Payoffs | None = None,
    max_memory: float | None = None,
    leader: int = 0,
    max_seconds: float | None = None,
) -> SolveResult:
    """Solve a two-player round to the accuracy of floating-point numbers.

    The value bounds are those of best responses to the strategies found, so they hold whatever
    the accuracy of the linear program was.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    payoffs : Payoffs
        What the outcomes are worth.
    max_memory : float, optional
        Bytes that may be used; four fifths of the machine's memory if not given.
    leader : int
        Player whose weights are the variables. The value is the same; the strategies of the leader
        are those of a vertex, which is what `prove_value` wants.
    max_seconds : float, optional
        Time for the linear program.

    Raises
    ------
    LiarsolveError
        If the program is not solved in ``max_seconds``.
    GameTooLargeError
        If the program would need more than ``max_memory`` bytes.

    Examples
    --------
    >>> from liarsolve import Round, presets
    >>> from liarsolve.game import compile_graph
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
    >>> round(solve_lp(graph).certificate.value_bounds[0], 6)
    -0.111111

    References
    ----------
    Koller, Megiddo and von Stengel (1996), "Efficient computation of equilibria for extensive
    two-person games", for the sequence form.
    """
    if graph.n_players != 2:
        raise InputError(f"only rounds of two players can be solved, got {graph.n_players} players")
    payoffs = payoffs or Payoffs()
    memory = _BYTES_PER_ENTRY * measure_complete_tree(graph).n_entries
    refuse_if_too_large(graph, memory, usable_memory(max_memory))
    started = perf_counter()
    tree = build_complete_tree(graph)
    program = _Program(tree, payoffs, leader)
    strategy = normalise_strategy(tree, program.solve(started, max_seconds), default_actions(graph))
    return SolveResult(
        tree=tree,
        strategy=strategy,
        payoffs=payoffs,
        certificate=certify(StrategyProfile(tree, strategy, payoffs)),
        stop=StopReason.EXACT,
        method="lp",
        iterations=program.n_iterations,
        seconds=perf_counter() - started,
        peak_memory_mb=memory / 1e6,
    )


@dataclass
class _Rows:
    """A sparse matrix under construction, one block of entries at a time."""

    rows: list[I8] = field(default_factory=list)
    columns: list[I8] = field(default_factory=list)
    entries: list[F8] = field(default_factory=list)
    n_rows: int = 0

    def add(self, rows: I8, columns: I8, entries: F8 | float) -> None:
        """Add entries, all broadcast against each other; those at one place are summed."""
        shape = np.broadcast_shapes(np.shape(rows), np.shape(columns), np.shape(entries))
        self.rows.append(np.broadcast_to(rows, shape).ravel())
        self.columns.append(np.broadcast_to(columns, shape).ravel())
        self.entries.append(np.broadcast_to(np.asarray(entries, np.float64), shape).ravel())

    def new(self, count: int) -> I8:
        """Indices of ``count`` new rows."""
        self.n_rows += count
        return np.arange(self.n_rows - count, self.n_rows)

    def matrix(self, n_columns: int) -> coo_array:
        """Return the finished matrix."""
        triple = (np.concatenate(self.rows), np.concatenate(self.columns))
        return coo_array((np.concatenate(self.entries), triple), shape=(self.n_rows, n_columns))


class _Program:
    """The linear program of one player.

    Columns: weights x[e, h] of the leader's edges; the worst case w[s, h'] at the other's states,
    by the other's hand; and t[m], the weight of a sequence summed by the number of matching dice,
    which keeps the showdown rows short.
    """

    def __init__(self, tree: PublicTree, payoffs: Payoffs, leader: int) -> None:
        self.tree = tree
        self.graph = tree.graph
        self.leader, self.other = leader, 1 - leader
        self.payoff = payoffs.table(2)[:, :, leader]
        self.own_probs = self.graph.hand_probs[leader]
        self.other_probs = self.graph.hand_probs[self.other]
        self.n_weights = tree.children[leader].size * self.own_probs.size
        self.n_columns = self.n_weights
        self.upper = _Rows()  # w - (what the action leaves the leader) <= 0
        self.equal = _Rows()
        self.equal_to: list[F8] = []
        self.objective: list[tuple[I8, F8]] = []
        self.n_iterations = 0
        self.edge_rows = np.zeros((tree.children[self.other].size, self.other_probs.size), np.int64)
        self._build()

    def solve(self, started: float, max_seconds: float | None = None) -> tuple[F8, ...]:
        """Weights of both players, player 0 first, float64[E, H]."""
        cost = np.zeros(self.n_columns)
        for columns, coefficients in self.objective:
            np.add.at(cost, columns, -coefficients)
        bounds = np.full((self.n_columns, 2), [-np.inf, np.inf])
        bounds[: self.n_weights, 0] = 0.0
        options = {}
        if max_seconds is not None:
            options["time_limit"] = max(max_seconds - (perf_counter() - started), 0.0)
        solve = partial(
            linprog,
            cost,
            A_ub=self.upper.matrix(self.n_columns).tocsc(),
            b_ub=np.zeros(self.upper.n_rows),
            A_eq=self.equal.matrix(self.n_columns).tocsc(),
            b_eq=np.concatenate(self.equal_to),
            bounds=bounds,
            method="highs",
            options=options,
        )
        result = run_aside(solve)
        if result.status == _TIME_LIMIT and max_seconds is not None:
            raise LiarsolveError(
                f"the linear program was not solved in the {max_seconds:g} s that it may take; "
                "allow more, or solve by iterations"
            )
        if result.status != 0:
            raise LiarsolveError(f"the linear program could not be solved: {result.message}")
        self.n_iterations = int(result.nit)
        own = np.maximum(result.x[: self.n_weights].reshape(-1, self.own_probs.size), 0.0)
        other = np.maximum(-result.ineqlin.marginals[self.edge_rows], 0.0)
        return (own, other) if self.leader == 0 else (other, own)

    def _build(self) -> None:
        """Traverse the tree; a frame is (state, own edge above it, rows its value is added to)."""
        waiting: list[tuple[int, int, I8 | None]] = [(0, -1, None)]
        while waiting:
            state, edge_above, into = waiting.pop()
            if self.graph.player[self.tree.node[state]] == self.leader:
                waiting.extend(self._add_own_state(state, edge_above, into))
            else:
                waiting.extend(self._add_other_state(state, edge_above, into))

    def _add_own_state(
        self, state: int, edge_above: int, into: I8 | None
    ) -> list[tuple[int, int, I8 | None]]:
        first, actions = self._edges(state)
        below: list[tuple[int, int, I8 | None]] = []
        rows = self._new_equalities(
            self.own_probs if edge_above < 0 else np.zeros(self.own_probs.size)
        )
        if edge_above >= 0:
            self.equal.add(rows, self._weights(edge_above), -1.0)
        for edge, action in enumerate(actions, first):
            self.equal.add(rows, self._weights(edge), 1.0)
            if isinstance(action, Bid):
                below.append((int(self.tree.children[self.leader][edge]), edge, into))
            else:
                self._add_showdown(state, action, edge, into)
        return below

    def _add_other_state(
        self, state: int, edge_above: int, into: I8 | None
    ) -> list[tuple[int, int, I8 | None]]:
        first, actions = self._edges(state)
        worst = self._new_columns(self.other_probs.size)
        self._add_value(into, worst[:, None], np.ones((self.other_probs.size, 1)))
        below: list[tuple[int, int, I8 | None]] = []
        for edge, action in enumerate(actions, first):
            rows = self.upper.new(self.other_probs.size)
            self.edge_rows[edge] = rows
            self.upper.add(rows, worst, 1.0)
            if isinstance(action, Bid):
                below.append((int(self.tree.children[self.other][edge]), edge_above, rows))
            else:
                self._add_showdown(state, action, edge_above, rows)
        return below

    def _add_showdown(self, state: int, call: Call, edge_above: int, into: I8 | None) -> None:
        """Add what a call pays the leader, by the other's hand."""
        graph = self.graph
        node = self.tree.node[state]
        caller, quantity = graph.player[node], int(graph.quantity[node])
        own = graph.matches[self.leader][graph.match_class[node]]
        other = graph.matches[self.other][graph.match_class[node]]
        sums = self._new_columns(int(own.max()) + 1)
        count = np.arange(sums.size)[None, :] + other[:, None]
        outcome = outcome_ids(call, count, quantity)
        rows = self._new_equalities(np.zeros(sums.size))
        self.equal.add(rows, sums, -1.0)
        if edge_above >= 0:
            self.equal.add(rows[own], self._weights(edge_above), 1.0)
        else:  # the leader has not acted yet: their weights are the chances of their hands
            np.subtract.at(self.equal_to[-1], own, self.own_probs)
        self._add_value(into, sums[None, :], self.payoff[outcome, caller])

    def _add_value(self, into: I8 | None, columns: I8, coefficients: F8) -> None:
        """Add a value by the other's hand, (H, n), to an action's rows or the total."""
        if into is None:
            chance = self.other_probs[:, None]
            columns = np.broadcast_to(columns, coefficients.shape)
            self.objective.append((columns.ravel(), (chance * coefficients).ravel()))
        else:
            self.upper.add(into[:, None], columns, -coefficients)

    def _edges(self, state: int) -> tuple[int, tuple[Action, ...]]:
        return int(self.tree.first_edge[state]), self.graph.actions(int(self.tree.node[state]))

    def _weights(self, edge: int) -> I8:
        return np.arange(edge * self.own_probs.size, (edge + 1) * self.own_probs.size)

    def _new_columns(self, count: int) -> I8:
        self.n_columns += count
        return np.arange(self.n_columns - count, self.n_columns)

    def _new_equalities(self, right_hand_side: F8) -> I8:
        self.equal_to.append(right_hand_side)
        return self.equal.new(right_hand_side.size)

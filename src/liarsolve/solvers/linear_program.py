"""Exact solution of small rounds: the sequence-form linear program.

Player 0 chooses realization weights (the chance of his hand times his action probabilities along a
sequence), player 1 answers at every information set with the action that is worst for player 0.
The program maximises what player 0 is sure of; its dual variables are player 1's weights.
"""

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from liarsolve._typing import F8, I8
from liarsolve.errors import InputError, LiarsolveError
from liarsolve.game import (
    ActionKind,
    BidGraph,
    Payoffs,
    PublicTree,
    build_complete_tree,
    measure_complete_tree,
)
from liarsolve.solvers.best_response import certify
from liarsolve.solvers.cfr import normalise_strategy
from liarsolve.solvers.result import SolveResult, StopReason
from liarsolve.solvers.solve_cfr import refuse_if_too_large

_BYTES_PER_ENTRY = 4000
"""Memory of HiGHS for each (edge, hand) pair; measured 2.2 to 3.6 kB on programs of 5e3 to 6e4."""


def solve_lp(
    graph: BidGraph, *, payoffs: Payoffs | None = None, max_memory: float | None = None
) -> SolveResult:
    """Solve a two-player round to the accuracy of floating-point numbers.

    The value bounds are those of best responses to the strategies found, so they hold whatever
    the accuracy of the linear program was.

    Raises
    ------
    GameTooLargeError
        If the program would need more than ``max_memory`` bytes.

    References
    ----------
    Koller, Megiddo and von Stengel (1996), "Efficient computation of equilibria for extensive
    two-person games", for the sequence form.
    """
    if graph.n_players != 2:
        raise InputError(f"a linear program solves rounds of two players, got {graph.n_players}")
    payoffs = payoffs or Payoffs()
    size = measure_complete_tree(graph)
    memory = _BYTES_PER_ENTRY * size.n_entries
    refuse_if_too_large(graph, size, memory, max_memory)
    started = perf_counter()
    tree = build_complete_tree(graph)
    program = _Program(tree, payoffs)
    strategy = normalise_strategy(tree, program.solve())
    return SolveResult(
        tree=tree,
        strategy=strategy,
        payoffs=payoffs,
        certificate=certify(tree, strategy, payoffs),
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
        """Add entries at (rows, columns), broadcast against each other; repeated ones are summed."""
        shape = np.broadcast_shapes(np.shape(rows), np.shape(columns), np.shape(entries))
        self.rows.append(np.broadcast_to(rows, shape).ravel())
        self.columns.append(np.broadcast_to(columns, shape).ravel())
        self.entries.append(np.broadcast_to(entries, shape).ravel())

    def new(self, count: int) -> I8:
        """Indices of ``count`` new rows."""
        self.n_rows += count
        return np.arange(self.n_rows - count, self.n_rows)

    def matrix(self, n_columns: int) -> coo_array:
        """Return the finished matrix."""
        triple = (np.concatenate(self.rows), np.concatenate(self.columns))
        return coo_array((np.concatenate(self.entries), triple), shape=(self.n_rows, n_columns))


class _Program:
    """The linear program of player 0.

    Columns: weights x[e, h] of player 0's edges; the worst case w[s, h'] at player 1's states, by
    player 1's hand; and t[m], the weight of a sequence summed by the number of matching dice, which
    keeps the showdown rows short.
    """

    def __init__(self, tree: PublicTree, payoffs: Payoffs) -> None:
        self.tree = tree
        self.graph = tree.graph
        self.payoff = payoffs.table(2)
        self.n_hands = self.graph.n_hands
        self.n_weights = tree.children[0].size * self.n_hands[0]
        self.n_columns = self.n_weights
        self.upper = _Rows()  # w - (what the action leaves player 0) <= 0, one row per edge and h'
        self.equal = _Rows()
        self.equal_to: list[F8] = []
        self.objective: list[tuple[I8, F8]] = []
        self.n_iterations = 0
        self.edge_rows = np.zeros((tree.children[1].size, self.n_hands[1]), np.int64)
        self._build()

    def solve(self) -> tuple[F8, F8]:
        """Weights of both players, float64[E, H]."""
        cost = np.zeros(self.n_columns)
        for columns, coefficients in self.objective:
            np.add.at(cost, columns, -coefficients)
        bounds = np.full((self.n_columns, 2), [-np.inf, np.inf])
        bounds[: self.n_weights, 0] = 0.0
        result = linprog(
            cost,
            A_ub=self.upper.matrix(self.n_columns).tocsc(),
            b_ub=np.zeros(self.upper.n_rows),
            A_eq=self.equal.matrix(self.n_columns).tocsc(),
            b_eq=np.concatenate(self.equal_to),
            bounds=bounds,
            method="highs",
        )
        if result.status != 0:
            raise LiarsolveError(f"the linear program could not be solved: {result.message}")
        self.n_iterations = int(result.nit)
        weights = result.x[: self.n_weights].reshape(-1, self.n_hands[0])
        duals = -result.ineqlin.marginals[self.edge_rows]
        return np.maximum(weights, 0.0), np.maximum(duals, 0.0)

    def _build(self) -> None:
        """Walk the tree; a frame is (state, own edge above it, rows its value is added to)."""
        waiting: list[tuple[int, int, I8 | None]] = [(0, -1, None)]
        while waiting:
            state, edge_above, into = waiting.pop()
            if self.graph.player[self.tree.node[state]] == 0:
                waiting.extend(self._add_own_state(state, edge_above, into))
            else:
                waiting.extend(self._add_opponent_state(state, edge_above, into))

    def _add_own_state(
        self, state: int, edge_above: int, into: I8 | None
    ) -> list[tuple[int, int, I8 | None]]:
        first, kinds = self._edges(state)
        below: list[tuple[int, int, I8 | None]] = []
        rows = self._new_equalities(
            self.graph.hand_probs[0] if edge_above < 0 else np.zeros(self.n_hands[0])
        )
        if edge_above >= 0:
            self.equal.add(rows, self._weights(edge_above), -1.0)
        for edge, kind in enumerate(kinds, first):
            self.equal.add(rows, self._weights(edge), 1.0)
            if kind == ActionKind.RAISE:
                below.append((int(self.tree.children[0][edge]), edge, into))
            else:
                self._add_showdown(state, kind, edge, into)
        return below

    def _add_opponent_state(
        self, state: int, edge_above: int, into: I8 | None
    ) -> list[tuple[int, int, I8 | None]]:
        first, kinds = self._edges(state)
        worst = self._new_columns(self.n_hands[1])
        self._add_value(into, worst[:, None], np.ones((self.n_hands[1], 1)))
        below: list[tuple[int, int, I8 | None]] = []
        for edge, kind in enumerate(kinds, first):
            rows = self.upper.new(self.n_hands[1])
            self.edge_rows[edge] = rows
            self.upper.add(rows, worst, 1.0)
            if kind == ActionKind.RAISE:
                below.append((int(self.tree.children[1][edge]), edge_above, rows))
            else:
                self._add_showdown(state, kind, edge_above, rows)
        return below

    def _add_showdown(self, state: int, kind: int, edge_above: int, into: I8 | None) -> None:
        """Add what a call pays player 0, by player 1's hand."""
        graph = self.graph
        node = self.tree.node[state]
        caller, quantity = graph.player[node], graph.quantity[node]
        own, other = (table[graph.match_class[node]] for table in graph.matches)
        sums = self._new_columns(int(own.max()) + 1)
        count = np.arange(sums.size)[None, :] + other[:, None]
        if kind == ActionKind.CHALLENGE:
            outcome = np.where(count < quantity, 0, 1)
        else:
            outcome = np.where(count == quantity, 2, 3)
        rows = self._new_equalities(np.zeros(sums.size))
        self.equal.add(rows, sums, -1.0)
        if edge_above >= 0:
            self.equal.add(rows[own], self._weights(edge_above), 1.0)
        else:  # player 0 has not acted yet: his weights are the chances of his hands
            constants = np.bincount(own, graph.hand_probs[0], sums.size)
            self.equal_to[-1] = -constants
        self._add_value(into, sums[None, :], self.payoff[outcome, caller, 0])

    def _add_value(self, into: I8 | None, columns: I8, coefficients: F8) -> None:
        """Add a value by player 1's hand, (H, n) coefficients, to an action's rows or the total."""
        if into is None:
            chance = self.graph.hand_probs[1][:, None]
            columns = np.broadcast_to(columns, coefficients.shape)
            self.objective.append((columns.ravel(), (chance * coefficients).ravel()))
        else:
            self.upper.add(into[:, None], columns, -coefficients)

    def _edges(self, state: int) -> tuple[int, list[int]]:
        node = self.tree.node[state]
        start, stop = self.graph.action_start[node], self.graph.action_start[node + 1]
        return int(self.tree.first_edge[state]), self.graph.action_kind[start:stop].tolist()

    def _weights(self, edge: int) -> I8:
        return np.arange(edge * self.n_hands[0], (edge + 1) * self.n_hands[0])

    def _new_columns(self, count: int) -> I8:
        self.n_columns += count
        return np.arange(self.n_columns - count, self.n_columns)

    def _new_equalities(self, right_hand_side: F8) -> I8:
        self.equal_to.append(right_hand_side)
        return self.equal.new(right_hand_side.size)

"""Trees for any number of players: one that grows as play reaches it, and stored ones as copies."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from liarsolve._typing import F8, I8, Real
from liarsolve.game import BidGraph, PublicTree
from liarsolve.solvers.core.halt import NEVER, Halt, pause_after
from liarsolve.solvers.core.pauses import run_with_pauses
from liarsolve.solvers.core.variants import Step
from liarsolve.solvers.multiplayer import _traversal_kernels as kernels
from liarsolve.solvers.multiplayer import _traversal_records as records
from liarsolve.solvers.two_player._traversal_kernels import Graph

_GROWTH = 1.25
"""Arrays become this much longer when they are full; the system moves pages, not bytes."""
_LEAST_GROWTH = 1.02
"""Where memory is short they grow by less, but not by so little that they are full at once."""
_FIRST_STATES = 64
_FIRST_EDGES = 1024


def least_bytes(graph: BidGraph) -> float:
    """Bytes of a tree before it grows, in float32, and of the stacks of a traversal."""
    n_hands, depth = max(graph.n_hands), len(graph.round.bids) + 2
    return float(n_hands * (8 * _FIRST_EDGES + 8 * depth**2))


def make_seats(graph: BidGraph, defaults: tuple[I8, ...]) -> records.Seats:
    """Hands of all players in one array, padded to the largest number of hands."""
    n_hands = np.array(graph.n_hands)
    matches = np.zeros((graph.n_players, graph.matches[0].shape[0], n_hands.max()), np.int64)
    default_action = np.zeros((graph.n_nodes, n_hands.max()), np.int64)
    for player, n in enumerate(graph.n_hands):
        matches[player, :, :n] = graph.matches[player]
        mine = graph.player == player
        default_action[mine, :n] = defaults[player][mine]
    return records.Seats(n_hands, matches, default_action)


def make_scratch(graph: BidGraph) -> records.Scratch:
    """Stacks deep enough for every path: one level for each bid, the start and a call."""
    depth = len(graph.round.bids) + 2
    n_hands, n_players = max(graph.n_hands), graph.n_players
    # Actions on a path: the node after bid b has at most the later bids and two calls.
    n_rows = sum(range(depth)) + 3 * depth
    return records.Scratch(
        state=np.zeros(depth, np.int64),
        node=np.zeros(depth, np.int64),
        cursor=np.zeros(depth, np.int64),
        policy_start=np.zeros(depth, np.int64),
        only_average=np.zeros(depth, np.int64),
        reach_row=np.zeros((depth, n_players), np.int64),
        reach=np.zeros((n_players + depth, n_hands)),
        mass=np.zeros(n_players + depth),
        others=np.zeros(depth),
        weight=np.ones(depth),
        value=np.zeros((depth, n_hands)),
        policy=np.zeros((n_rows, n_hands)),
        is_live=np.zeros(n_rows, np.int64),
        action_value=np.zeros((n_rows, n_hands)),
        action_weight=np.ones(n_rows),
        match_sum=np.zeros(graph.round.total_dice + 2),
        match_mass=np.zeros(graph.round.total_dice + 2),
        progress=np.zeros(3, np.int64),
        n_left=np.zeros(1, np.int64),
    )


def start_traversal(
    scratch: records.Scratch, traverser: int, state: int, node: int, reach: Sequence[F8]
) -> None:
    """Set row 0 of the stacks: where a traversal begins, and the reach of every player by hand."""
    scratch.state[0], scratch.node[0] = state, node
    scratch.cursor[0], scratch.policy_start[0], scratch.only_average[0] = -1, 0, 0
    scratch.weight[0] = 1.0
    scratch.progress[:] = 0
    others = 1.0
    for player, own in enumerate(reach):
        scratch.reach_row[0, player] = player
        scratch.reach[player, : own.size] = own
        # As kernels add up, so that a round of two has the same bits here as there.
        scratch.mass[player] = sum(own.tolist())
        if player != traverser:
            others *= scratch.mass[player]
    scratch.others[0] = others


@dataclass(eq=False)
class MultiplayerTree:
    """A public tree that grows as play reaches it, with what CFR stores at its states."""

    graph: BidGraph
    seats: records.Seats
    dtype: DTypeLike
    is_predictive: bool
    arrays: records.Tree = field(init=False)
    scratch: records.Scratch = field(init=False)

    def __post_init__(self) -> None:
        graph = self.graph
        n_actions = int(graph.action_start[1])
        n_hands = max(graph.n_hands)
        self.scratch = make_scratch(graph)
        n_edges = max(_FIRST_EDGES, n_actions)
        n_entries = n_edges * n_hands
        self.arrays = records.Tree(
            node=np.zeros(_FIRST_STATES, np.int32),
            first_edge=np.zeros(_FIRST_STATES, np.int64),
            first_entry=np.zeros(_FIRST_STATES, np.int64),
            children=np.full(n_edges, kernels.NO_STATE, np.int32),
            is_live=np.zeros(n_edges, np.uint8),
            cum_regret=np.zeros(n_entries, self.dtype),
            prediction=np.zeros(n_entries if self.is_predictive else 0, self.dtype),
            cum_policy=np.zeros(n_entries, self.dtype),
            n_used=np.array([1, n_actions, n_actions * graph.n_hands[graph.player[0]]]),
        )

    @property
    def n_states(self) -> int:
        """Number of states created."""
        return int(self.arrays.n_used[0])

    @property
    def n_bytes(self) -> int:
        """Memory of the arrays."""
        return sum(array.nbytes for array in self.arrays)

    def grow(self, max_bytes: float) -> bool:
        """Make the arrays longer, if they may take so much; returns whether they may."""
        growth = min(_GROWTH, max_bytes / self.n_bytes)
        if growth < _LEAST_GROWTH:
            return False
        grown: dict[str, NDArray[Any]] = {}  # arrays of several dtypes
        for name, array in self.arrays._asdict().items():
            if name == "n_used":
                continue
            size = max(int(growth * array.size), array.size + 1) if array.size else 0
            longer = np.empty(size, array.dtype)
            longer[: array.size] = array
            longer[array.size :] = kernels.NO_STATE if name == "children" else 0
            grown[name] = longer
        self.arrays = self.arrays._replace(**grown)
        return True

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that `restore` needs: the arrays as they are."""
        return dict(self.arrays._asdict())

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Become the tree of which `to_arrays` was taken, to the last bit."""
        self.arrays = records.Tree(*(np.array(arrays[name]) for name in records.Tree._fields))

    def run_pass(
        self,
        graph: Graph,
        traverser: int,
        averaged: int,
        reach: Sequence[F8],
        step: Step,
        max_bytes: float,
        halt: Halt = NEVER,
    ) -> bool:
        """Traverse the tree for one player, growing it up to ``max_bytes``.

        Returns whether states were left out because there was no memory for them. Where ``halt``
        says so, the pass is brought to its end; no other should follow.
        """
        if halt():  # the averages so far are as good as they are
            return False
        start_traversal(self.scratch, traverser, 0, int(self.arrays.node[0]), reach)
        depth, was_refused = 0, False
        n_left = self.scratch.n_left
        n_left[0] = piece = pause_after(self.scratch.value.shape[1])
        while True:
            depth = kernels.cfr_pass(
                graph, self.seats, self.arrays, traverser, averaged, step, depth, self.scratch
            )
            if depth == kernels.DONE:
                return was_refused
            if n_left[0] == 0:
                n_left[0] = piece
                if halt():
                    step = step._replace(threshold=math.inf, may_create=False)
            elif halt():  # it takes long to grow, and nobody would see what has grown
                step = step._replace(threshold=math.inf, may_create=False)
            elif not self.grow(max_bytes):
                was_refused = True
                step = step._replace(may_create=False)

    def drop_regrets(self) -> None:
        """Set all regrets to zero."""
        self.arrays.is_live[:] = 0
        self.arrays.cum_regret[:] = 0
        self.arrays.prediction[:] = 0

    def finished(self) -> tuple[PublicTree, tuple[Real, ...]]:
        """The tree as it is, and the cumulative policies by player, edge and hand."""
        graph, arrays = self.graph, self.arrays
        n_states = self.n_states
        node = arrays.node[:n_states]
        mover = graph.player[node]
        n_actions = np.diff(graph.action_start)[node]
        first_edge = np.zeros(n_states, np.int64)
        children, weights = [], []
        for player, n_hands in enumerate(graph.n_hands):
            mine = np.flatnonzero(mover == player)
            count = n_actions[mine]
            first_edge[mine] = np.cumsum(count) - count
            offset = np.arange(int(count.sum())) - np.repeat(first_edge[mine], count)
            children.append(arrays.children[np.repeat(arrays.first_edge[mine], count) + offset])
            entry = np.repeat(arrays.first_entry[mine], count) + offset * n_hands
            weights.append(arrays.cum_policy[entry[:, None] + np.arange(n_hands)])
        return PublicTree(graph, node.copy(), first_edge, tuple(children)), tuple(weights)


def run_traversal(
    graph: Graph,
    seats: records.Seats,
    tree: records.Tree,
    question: records.Question,
    scratch: records.Scratch,
    halt: Halt = NEVER,
) -> int:
    """Evaluate strategies from where `start_traversal` has set it; returns the states visited.

    If ``halt`` ends it, everything that is left is treated as after ``max_visits`` states, and so
    many are returned at the least.
    """

    def evaluate(max_visits: int) -> None:
        kernels.evaluate(graph, seats, tree, question._replace(max_visits=max_visits), scratch)

    n_hands = scratch.value.shape[1]
    return run_with_pauses(evaluate, scratch.progress, n_hands, question.max_visits, halt)


def flatten_tree(tree: PublicTree, weights: tuple[Real, ...]) -> records.Tree:
    """A stored tree and the weights of all players as the traversals take them: a copy."""
    graph = tree.graph
    mover = graph.player[tree.node]
    n_edges = np.array([children.size for children in tree.children])
    n_entries = n_edges * np.array(graph.n_hands)
    edge_start = np.cumsum(n_edges) - n_edges
    entry_start = np.cumsum(n_entries) - n_entries
    nothing = np.empty(0, weights[0].dtype)
    return records.Tree(
        node=np.array(tree.node),
        first_edge=edge_start[mover] + tree.first_edge,
        first_entry=entry_start[mover] + tree.first_edge * np.array(graph.n_hands)[mover],
        children=np.concatenate(tree.children),
        is_live=np.empty(0, np.uint8),
        cum_regret=nothing,
        prediction=nothing,
        cum_policy=np.concatenate([weight.ravel() for weight in weights]),
        n_used=np.zeros(3, np.int64),
    )

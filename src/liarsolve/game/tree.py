"""The public tree: the bid graph unrolled, one state for every sequence of bids."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from liarsolve._typing import I8
from liarsolve.game import _tree_kernels
from liarsolve.game.graph import ActionKind, BidGraph

TERMINAL = -1
"""``child`` of a call: the round is over."""


@dataclass(frozen=True, eq=False)
class PublicTree:
    """States of the public tree, each the end of one sequence of bids; state 0 is the start.

    Axes: S states in depth-first order (a child has a larger id than its parent), E edges of one
    player. State s of player p owns the edges ``first_edge[s]:first_edge[s] + A`` of p, one for
    every action of its graph node.
    """

    graph: BidGraph
    node: I8
    """Graph node of each state, int64[S]."""
    first_edge: I8
    """First edge of each state, among the edges of the player to act, int64[S]."""
    children: tuple[I8, ...]
    """For each player, the state that each of his edges leads to or `TERMINAL`, int64[E]."""

    @property
    def n_states(self) -> int:
        """Number of states at which somebody has to act."""
        return self.node.size


@dataclass(frozen=True, slots=True)
class TreeSize:
    """Size of the complete public tree, counted without building it."""

    n_states: int
    n_edges: tuple[int, ...]
    """Edges of each player."""
    n_entries: int
    """(edge, hand) pairs of all players."""
    n_infosets: tuple[int, ...]
    """Information sets of each player: his states times his hands."""


def measure_complete_tree(graph: BidGraph) -> TreeSize:
    """Count states and edges of the complete tree, exactly and at once.

    Examples
    --------
    >>> from liarsolve.game import compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> measure_complete_tree(compile_graph(Round(presets.COMMON, (3, 3)))).n_states
    68719476736
    """
    n_players = graph.n_players
    # below[g][p]: (states, edges) of player p in the tree that grows from node g; Python integers,
    # since four dice against four already pass 2**48 states.
    below: list[list[tuple[int, int]]] = [[] for _ in range(graph.n_nodes)]
    for node in range(graph.n_nodes - 1, -1, -1):
        first, stop = int(graph.action_start[node]), int(graph.action_start[node + 1])
        totals = [(0, 0)] * n_players
        totals[graph.player[node]] = (1, stop - first)
        for edge in range(first, stop):
            if graph.action_kind[edge] == ActionKind.RAISE:
                totals = [
                    (s + s2, e + e2)
                    for (s, e), (s2, e2) in zip(
                        totals, below[graph.action_target[edge]], strict=True
                    )
                ]
        below[node] = totals
    n_hands = graph.n_hands
    return TreeSize(
        n_states=sum(states for states, _ in below[0]),
        n_edges=tuple(edges for _, edges in below[0]),
        n_entries=sum(edges * n for (_, edges), n in zip(below[0], n_hands, strict=True)),
        n_infosets=tuple(states * n for (states, _), n in zip(below[0], n_hands, strict=True)),
    )


def build_complete_tree(graph: BidGraph) -> PublicTree:
    """Unroll the whole graph. Measure it first: the number of states doubles with every bid."""
    size = measure_complete_tree(graph)
    node = np.empty(size.n_states, np.int64)
    first_edge = np.empty(size.n_states, np.int64)
    edge_start = np.concatenate([[0], np.cumsum(size.n_edges)])
    children = np.full(edge_start[-1], TERMINAL, np.int64)
    _tree_kernels.unroll(
        graph.player,
        graph.action_start,
        graph.action_kind,
        graph.action_target,
        edge_start,
        node,
        first_edge,
        children,
    )
    by_player = tuple(np.ascontiguousarray(children[a:b]) for a, b in pairwise(edge_start))
    return PublicTree(graph, node, first_edge, by_player)

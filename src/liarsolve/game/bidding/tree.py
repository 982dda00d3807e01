"""The public tree: the bid graph unrolled, one state for every sequence of bids.

A tree need not be complete. Where a state is missing, players act by `default_actions`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from liarsolve._typing import I4, I8
from liarsolve.errors import InputError
from liarsolve.game.bidding import _tree_kernels
from liarsolve.game.bidding.abstraction import Abstraction
from liarsolve.game.bidding.graph import ActionKind, BidGraph
from liarsolve.game.bidding.restricted_graph import action_places

NO_STATE = -1
"""Child of a call, since the round is over, and of a raise whose state the tree does not have."""


@dataclass(frozen=True, eq=False, repr=False)
class PublicTree:
    """States of the public tree, each the end of one sequence of bids; state 0 is the start.

    Axes: S states (a child has a larger id than its parent), E edges of one player. State s of
    player p owns the edges ``first_edge[s]:first_edge[s] + A`` of p, one for every action of its
    graph node.
    """

    graph: BidGraph
    node: I4
    """Graph node of each state, int32[S]."""
    first_edge: I8
    """First edge of each state, among the edges of the player to act, int64[S]."""
    children: tuple[I4, ...]
    """For each player, the state that each of their edges leads to or `NO_STATE`, int32[E]."""
    abstraction: Abstraction | None = None
    """What players forget: several sequences of bids then lead to the same state."""
    legal: "PublicTree | None" = None
    """Where the abstraction leaves out raises, and ``graph`` with it: the same states with every
    raise that the rules allow, and where each of them leads. None if nothing is left out."""

    @property
    def every_raise(self) -> "PublicTree":
        """The tree with all legal raises: ``legal``, or this one if it has them itself."""
        return self if self.legal is None else self.legal

    @property
    def n_states(self) -> int:
        """Number of states at which somebody has to act."""
        return self.node.size

    def __repr__(self) -> str:
        return f"PublicTree(graph={self.graph!r}, n_states={self.n_states})"

    def copy(self) -> "PublicTree":
        """The same tree in arrays of its own."""
        return PublicTree(
            self.graph,
            self.node.copy(),
            self.first_edge.copy(),
            tuple(children.copy() for children in self.children),
            self.abstraction,
            None if self.legal is None else self.legal.copy(),
        )


def check_tree(tree: PublicTree) -> None:
    """Make sure that every index of a tree read from disk points at what it should.

    Raises
    ------
    InputError
        If one does not: traversing such a tree would read foreign memory.

    Examples
    --------
    >>> from liarsolve import Round, presets
    >>> from liarsolve.game import compile_graph
    >>> check_tree(build_complete_tree(compile_graph(Round(presets.COMMON, (1, 1)))))
    """
    graph = tree.graph
    if tree.n_states == 0 or tree.node[0] != 0:
        raise InputError("the first state of a tree must be the start of the round")
    if tree.node.min() < 0 or tree.node.max() >= graph.n_nodes:
        raise InputError(f"the nodes of a tree must lie in 0..{graph.n_nodes - 1}")
    n_actions = np.diff(graph.action_start)[tree.node]
    for player, children in enumerate(tree.children):
        first = tree.first_edge[graph.player[tree.node] == player]
        stop = first + n_actions[graph.player[tree.node] == player]
        if first.size and (first.min() < 0 or stop.max() > children.size):
            raise InputError(f"the edges of player {player} must lie in 0..{children.size - 1}")
        if children.size and (children.min() < NO_STATE or children.max() >= tree.n_states):
            raise InputError(f"the children in a tree must lie in -1..{tree.n_states - 1}")
    for state, k, child in _raises(tree):
        action = graph.action_start[tree.node[state]] + k
        if np.any(graph.action_target[action] != tree.node[child]):
            raise InputError("a child in a tree is not where the rules lead")
    if tree.legal is not None:
        check_tree(tree.legal)
        _check_same_children(tree, tree.legal)


def _check_same_children(tree: PublicTree, legal: PublicTree) -> None:
    """Make sure that a raise of a restricted tree leads where it does among all legal ones."""
    graph, places = tree.graph, action_places(tree.graph, legal.graph)
    for state, k, child in _raises(tree):
        place = places[graph.action_start[tree.node[state]] + k]
        for player, children in enumerate(legal.children):
            own = graph.player[tree.node[state]] == player
            if np.any(children[legal.first_edge[state[own]] + place[own]] != child[own]):
                raise InputError("a raise leads elsewhere than among all that are legal")


def _raises(tree: PublicTree) -> Iterator[tuple[I8, int, I8]]:
    """States, action and child of all edges that lead to a state, one action at a time."""
    graph = tree.graph
    n_actions = np.diff(graph.action_start)[tree.node]
    for player, children in enumerate(tree.children):
        for k in range(int(n_actions.max())):
            state = np.flatnonzero((graph.player[tree.node] == player) & (n_actions > k))
            child = children[tree.first_edge[state] + k]
            yield state[child != NO_STATE], k, child[child != NO_STATE]


def join_trees(trees: Sequence[PublicTree]) -> PublicTree:
    """One tree out of a root and the tree below each of its raises, in their order.

    Edges of the result are those of the root, then those of the first tree, and so on.

    Examples
    --------
    >>> from liarsolve import Round, presets
    >>> from liarsolve.game import build_complete_tree, compile_graph
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    >>> tree = build_complete_tree(graph)
    >>> join_trees([tree]).n_states == tree.n_states
    True
    """
    root = trees[0]
    state_start = np.cumsum([0] + [tree.n_states for tree in trees])
    graph = root.graph
    first_edge = []
    children: list[list[I8]] = [[] for _ in range(graph.n_players)]
    edge_start = np.zeros(graph.n_players, np.int64)
    for start, tree in zip(state_start[:-1], trees, strict=True):
        first_edge.append(tree.first_edge + edge_start[graph.player[tree.node]])
        for player, own in enumerate(tree.children):
            children[player].append(np.where(own == NO_STATE, NO_STATE, own + start))
            edge_start[player] += own.size
    children[graph.player[0]][0] = state_start[1:-1]
    return PublicTree(
        graph,
        np.concatenate([tree.node for tree in trees]),
        np.concatenate(first_edge),
        tuple(np.concatenate(parts).astype(np.int32) for parts in children),
    )


@dataclass(frozen=True, slots=True)
class TreeSize:
    """Size of the complete public tree, counted without building it."""

    n_states: int
    n_edges: tuple[int, ...]
    """Edges of each player."""
    n_entries: int
    """(edge, hand) pairs of all players."""
    n_infosets: tuple[int, ...]
    """Information sets of each player: their states times their hands."""


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
    """Unroll the whole graph. Measure it first: the number of states doubles with every bid.

    Examples
    --------
    >>> from liarsolve import Round, presets
    >>> from liarsolve.game import compile_graph
    >>> build_complete_tree(compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))).n_states
    16
    """
    size = measure_complete_tree(graph)
    node = np.empty(size.n_states, np.int32)
    first_edge = np.empty(size.n_states, np.int64)
    edge_start = np.concatenate([[0], np.cumsum(size.n_edges)])
    children = np.full(edge_start[-1], NO_STATE, np.int32)
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

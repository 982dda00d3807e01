"""Merged states of which some are told apart again: the sequences of bids that matter most."""

from dataclasses import dataclass, replace

import numpy as np

from liarsolve._typing import F8, I4, I8
from liarsolve.errors import InputError
from liarsolve.game.bidding.merged_states import number_edges
from liarsolve.game.bidding.tree import NO_STATE, PublicTree


@dataclass(frozen=True, slots=True, eq=False)
class Sequences:
    """Sequences of bids, each with the one that it goes on from before it: M of them.

    Examples
    --------
    >>> start = Sequences.start()
    >>> start.n_sequences, start.state.tolist()
    (1, [0])
    """

    parent: I4
    """The sequence without its last bid, int32[M]; -1 at the start, which is sequence 0."""
    action: I4
    """The place of the last bid among the actions that could be taken, int32[M]."""
    state: I4
    """State of a tree to which it leads, int32[M]."""
    weight: F8
    """How much a sequence matters, float64[M]; never more than its parent."""

    @property
    def n_sequences(self) -> int:
        """How many they are."""
        return self.parent.size

    @staticmethod
    def start() -> "Sequences":
        """The start of the round alone."""
        zero = np.zeros(1, np.int32)
        return Sequences(zero - 1, zero, zero, np.ones(1))

    def take(self, wanted: I8) -> "Sequences":
        """Some of them in their order; the parents of all must be among them."""
        place = np.full(self.n_sequences + 1, -1, np.int32)
        place[wanted] = np.arange(wanted.size)
        return Sequences(
            place[self.parent[wanted]], self.action[wanted], self.state[wanted], self.weight[wanted]
        )


def join_sequences(parts: list[Sequences]) -> Sequences:
    """Every sequence of several sets once, with the largest of its weights.

    They come by their number of bids.

    Examples
    --------
    >>> join_sequences([Sequences.start(), Sequences.start()]).n_sequences
    1
    """
    depths = [_depths(part) for part in parts]
    joined = [np.full(part.n_sequences, -1, np.int64) for part in parts]
    found: list[tuple[I8, I8, I8, F8]] = []
    n_found = 0
    for depth in range(max(int(depth.max()) for depth in depths) + 1):
        here = [np.flatnonzero(of_part == depth) for of_part in depths]
        rows = list(zip(parts, joined, here, strict=True))
        parent = np.concatenate(
            [
                numbers[part.parent[own]] if depth else part.parent[own]
                for part, numbers, own in rows
            ]
        ).astype(np.int64)
        action = np.concatenate([part.action[own] for part, _, own in rows]).astype(np.int64)
        state = np.concatenate([part.state[own] for part, _, own in rows]).astype(np.int64)
        weight = np.concatenate([part.weight[own] for part, _, own in rows])
        key = (parent + 1) * (int(action.max()) + 1) + action
        _, first, place = np.unique(key, return_index=True, return_inverse=True)
        most = np.zeros(first.size)
        np.maximum.at(most, place, weight)
        if depth:  # the parent was found in the round before; rounding may have made it smaller
            most = np.minimum(most, found[-1][3][parent[first] - (n_found - found[-1][3].size)])
        found.append((parent[first], action[first], state[first], most))
        start = 0
        for _, numbers, own in rows:
            numbers[own] = n_found + place[start : start + own.size]
            start += own.size
        n_found += first.size
    parent, action, state, weight = (np.concatenate(column) for column in zip(*found, strict=True))
    return Sequences(
        parent.astype(np.int32), action.astype(np.int32), state.astype(np.int32), weight
    )


def _depths(sequences: Sequences) -> I8:
    """Number of bids of each sequence."""
    depth = np.zeros(sequences.n_sequences, np.int64)
    at = sequences.parent.astype(np.int64)
    while np.any(at >= 0):
        depth[at >= 0] += 1
        at = np.where(at >= 0, sequences.parent[at], -1)
    return depth


def count_histories(tree: PublicTree) -> I8:
    """Sequences of bids that lead to each state, int64[S]; 2 where there are more."""
    graph = tree.graph
    n_histories = np.zeros(tree.n_states, np.int64)
    n_histories[0] = 1
    n_actions = np.diff(graph.action_start)
    for g, states in _states_by_node(tree):
        children = tree.children[graph.player[g]]
        for k in range(int(n_actions[g])):
            child = children[tree.first_edge[states] + k]
            known = child != NO_STATE
            np.add.at(n_histories, child[known], n_histories[states[known]])
            n_histories[child[known]] = np.minimum(n_histories[child[known]], 2)
    return n_histories


def _states_by_node(tree: PublicTree) -> list[tuple[int, I8]]:
    """Nodes of the graph with their states, parents first."""
    order = np.argsort(tree.node, kind="stable")
    nodes, first = np.unique(tree.node[order], return_index=True)
    return list(zip(nodes.tolist(), np.split(order, first[1:]), strict=True))


def refine_states(tree: PublicTree, sequences: Sequences) -> tuple[PublicTree, I8]:
    """Give each of some sequences of bids a state of its own.

    Where play leaves them it goes on from the merged states. States to which nothing leads any
    more are left out.

    Parameters
    ----------
    tree : PublicTree
        Merged states with all legal raises, some of which may have been told apart before.
    sequences : Sequences
        Which sequences; ``state`` is that of ``tree``.

    Returns
    -------
    tuple
        The tree, whose states are ordered by their graph nodes, and for each of its states the one
        of ``tree`` that it comes from, int64[S].

    Raises
    ------
    InputError
        If the abstraction leaves out raises.

    Examples
    --------
    >>> from liarsolve import Recall, Round, presets
    >>> from liarsolve.game import compile_graph, merge_states
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    >>> tree = merge_states(graph, Recall(1))
    >>> refined, origin = refine_states(tree, Sequences.start())
    >>> refined.n_states == tree.n_states  # nothing but the start, which is no merged state
    True
    """
    if tree.legal is not None:
        raise InputError("states are told apart again where every legal raise can be made")
    graph, n_old = tree.graph, tree.n_states
    is_merged = count_histories(tree)[sequences.state] > 1
    new = np.flatnonzero(is_merged)
    own_state = sequences.state.astype(np.int64)
    own_state[new] = n_old + np.arange(new.size)
    source = np.concatenate([np.arange(n_old), sequences.state[new].astype(np.int64)])
    node = tree.node[source]
    n_actions = np.diff(graph.action_start)[node]
    start = np.cumsum(n_actions) - n_actions
    children = np.empty(int(n_actions.sum()), np.int64)
    mover = graph.player[node]
    for player, below in enumerate(tree.children):
        own = np.flatnonzero(mover == player)
        children[_ranges(start[own], n_actions[own])] = below[
            _ranges(tree.first_edge[source[own]], n_actions[own])
        ]
    later = np.flatnonzero(sequences.parent >= 0)
    edge = start[own_state[sequences.parent[later]]] + sequences.action[later]
    children[edge] = own_state[later]
    is_reached = _find_reached(node, start, n_actions, children)
    kept = np.flatnonzero(is_reached)
    kept = kept[np.argsort(node[kept], kind="stable")]
    number = np.full(source.size + 1, NO_STATE, np.int64)
    number[kept] = np.arange(kept.size)
    parts = []
    for player in range(graph.n_players):
        own = kept[mover[kept] == player]
        parts.append(number[children[_ranges(start[own], n_actions[own])]].astype(np.int32))
    refined = replace(
        tree,
        node=node[kept],
        first_edge=number_edges(graph, node[kept]),
        children=tuple(parts),
    )
    return refined, source[kept]


def _ranges(first: I8, length: I8) -> I8:
    """Numbers from each of ``first`` on, so many of them, one range after the other."""
    offset = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
    numbers: I8 = np.repeat(first, length) + offset
    return numbers


def _find_reached(node: I4, start: I8, n_actions: I8, children: I8) -> np.ndarray:
    """Whether a sequence of bids leads to a state, bool[S]."""
    is_reached = np.zeros(node.size, np.bool_)
    is_reached[0] = True
    order = np.argsort(node, kind="stable")
    _, first = np.unique(node[order], return_index=True)
    for states in np.split(order, first[1:]):
        own = states[is_reached[states]]
        below = children[_ranges(start[own], n_actions[own])]
        is_reached[below[below != NO_STATE]] = True
    return is_reached

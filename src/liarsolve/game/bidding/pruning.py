"""Cutting a public tree down to what play can reach."""

import numpy as np

from liarsolve._typing import B1, I8
from liarsolve.game.bidding.tree import NO_STATE, PublicTree


def prune_tree(tree: PublicTree, is_played: tuple[B1, ...]) -> tuple[PublicTree, tuple[I8, ...]]:
    """Keep the states to which the players come by their own choice, or all but one of them.

    A state to which two players would have to come by actions that they never play has no part in
    any value or best response.

    Parameters
    ----------
    tree : PublicTree
        The tree to cut.
    is_played : tuple of bool[E]
        For each player, whether any hand ever plays an edge.

    Returns
    -------
    PublicTree
        The states that are left, parents before children.
    tuple of int64[E]
        For each player, the edges of ``tree`` that its edges were.
    """
    graph = tree.graph
    n_actions = np.diff(graph.action_start)
    states = [np.zeros(1, np.int64)]
    parents: list[tuple[I8, I8, I8]] = []  # (player, edge, place among all kept states) by level
    chosen = np.ones((1, graph.n_players), np.bool_)
    n_kept = 1
    while states[-1].size:
        level = states[-1]
        place = np.arange(n_kept - level.size, n_kept)
        count = n_actions[tree.node[level]]
        source = np.repeat(np.arange(level.size), count)
        edge = tree.first_edge[level][source] + _count_up(count)
        player = graph.player[tree.node[level]][source]
        child = np.full(edge.size, NO_STATE, np.int64)
        chosen_below = chosen[source]
        for p in range(graph.n_players):
            own = player == p
            child[own] = tree.children[p][edge[own]]
            chosen_below[own, p] &= is_played[p][edge[own]]
        kept = (child != NO_STATE) & (chosen_below.sum(axis=1) >= graph.n_players - 1)
        states.append(child[kept])
        chosen = chosen_below[kept]
        parents.append((player[kept], place[source[kept]], edge[kept]))
        n_kept += int(kept.sum())
    return _gather(tree, np.concatenate(states), parents)


def _gather(
    tree: PublicTree, kept: I8, parents: list[tuple[I8, I8, I8]]
) -> tuple[PublicTree, tuple[I8, ...]]:
    graph = tree.graph
    node = tree.node[kept]
    player = graph.player[node]
    count = np.diff(graph.action_start)[node]
    first_edge = np.zeros(kept.size, np.int64)
    old_edges, children = [], []
    parent_player, parent, edge = (np.concatenate(part) for part in zip(*parents, strict=True))
    child = np.arange(1, kept.size)  # every kept state but the first is the child of one
    for p in range(graph.n_players):
        own = np.flatnonzero(player == p)
        first_edge[own] = np.cumsum(count[own]) - count[own]
        old_edges.append(np.repeat(tree.first_edge[kept[own]], count[own]) + _count_up(count[own]))
        below = np.full(int(count[own].sum()), NO_STATE, np.int32)
        mine = parent_player == p
        shift = edge[mine] - tree.first_edge[kept[parent[mine]]]
        below[first_edge[parent[mine]] + shift] = child[mine]
        children.append(below)
    return PublicTree(graph, node, first_edge, tuple(children)), tuple(old_edges)


def _count_up(counts: I8) -> I8:
    """0, 1, ... for each count, one after the other."""
    starts: I8 = np.cumsum(counts) - counts
    return np.arange(int(counts.sum())) - np.repeat(starts, counts)

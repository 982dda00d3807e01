"""The public tree: the graph unrolled, whole or in parts."""

from dataclasses import replace

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import InputError
from liarsolve.game import (
    NO_STATE,
    build_complete_tree,
    check_tree,
    compile_graph,
    join_trees,
    measure_complete_tree,
)
from liarsolve.solvers import CFRSolver


def graph_of(rules, dice):
    return compile_graph(Round(rules, dice))


GRAPH = graph_of(presets.COMMON.replace(faces=2), (1, 1))


@pytest.mark.parametrize(
    ("dice", "faces", "n_states"),
    [((1, 1), 2, 16), ((1, 1), 3, 64), ((2, 1), 2, 64), ((3, 3), 6, 2**36)],
)
def test_every_bid_doubles_the_tree(dice, faces, n_states):
    size = measure_complete_tree(graph_of(presets.COMMON.replace(faces=faces), dice))
    assert size.n_states == n_states


def test_huge_trees_are_counted_exactly():
    size = measure_complete_tree(graph_of(presets.COMMON, (5, 5)))
    assert size.n_states == 2**60
    assert sum(size.n_edges) == 2**60 - 1 + 2**60 - 1  # one bid leads to a state, one call ends it
    assert sum(size.n_infosets) == 252 * 2**60


@pytest.mark.parametrize(
    "graph",
    [
        graph_of(presets.PERUDO.replace(faces=3), (2, 1)),
        graph_of(presets.LIARS_DICE.replace(faces=2), (1, 2)),
        graph_of(presets.COMMON.replace(faces=2), (1, 1, 1)),
    ],
    ids=["perudo", "liars_dice", "three players"],
)
def test_complete_tree_is_as_large_as_measured(graph):
    tree, size = build_complete_tree(graph), measure_complete_tree(graph)
    check_tree(tree)
    assert tree.n_states == size.n_states
    assert tuple(children.size for children in tree.children) == size.n_edges
    entries = sum(c.size * n for c, n in zip(tree.children, graph.n_hands, strict=True))
    assert entries == size.n_entries
    # Every state but the first is the child of one edge, and every edge belongs to one state.
    below = np.concatenate([c[c != NO_STATE] for c in tree.children])
    assert sorted(below.tolist()) == list(range(1, tree.n_states))
    n_actions = np.diff(graph.action_start)[tree.node]
    for player, children in enumerate(tree.children):
        mine = graph.player[tree.node] == player
        owned = [
            edge
            for first, n in zip(tree.first_edge[mine], n_actions[mine], strict=True)
            for edge in range(first, first + n)
        ]
        assert sorted(owned) == list(range(children.size))


def test_parts_are_joined_below_their_root():
    solver = CFRSolver(GRAPH, is_split=True)
    solver.step()
    tree, _ = solver.average_strategy()
    check_tree(tree)
    openings = tree.children[0][: GRAPH.action_start[1]]
    assert tree.node[openings].tolist() == GRAPH.action_target[: GRAPH.action_start[1]].tolist()


def test_joining_keeps_what_each_part_says():
    whole = build_complete_tree(GRAPH)
    parts = [tree.finished()[0] for tree in _split_after_some_steps()._trees]
    joined = join_trees(parts)
    check_tree(joined)
    assert joined.n_states == sum(part.n_states for part in parts)
    assert joined.n_states <= whole.n_states


def _split_after_some_steps():
    solver = CFRSolver(GRAPH, is_split=True)
    for _ in range(5):
        solver.step()
    return solver


def test_copies_share_nothing():
    tree = build_complete_tree(GRAPH)
    twin = tree.copy()
    twin.node[0], twin.children[0][0], twin.first_edge[0] = 7, 7, 7
    assert (tree.node[0], tree.children[0][0], tree.first_edge[0]) == (0, 1, 0)


def changed(array, index, value):
    array = array.copy()
    array[index] = value
    return array


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda t: {"node": changed(t.node, 0, 1)},
            "the first state of a tree must be the start of the round",
        ),
        (
            lambda t: {"node": changed(t.node, 3, 99)},
            "the nodes of a tree must lie in 0..7",
        ),
        (
            lambda t: {"first_edge": changed(t.first_edge, 0, t.children[0].size)},
            "the edges of player 0 must lie in 0..14",
        ),
        (
            lambda t: {"children": (changed(t.children[0], 0, 16), t.children[1])},
            "the children in a tree must lie in -1..15",
        ),
        (
            lambda t: {"children": (changed(t.children[0], 0, 2), t.children[1])},
            "a child in a tree is not where the rules lead",
        ),
    ],
)
def test_a_tree_that_would_read_foreign_memory_is_refused(change, message):
    tree = build_complete_tree(GRAPH)
    with pytest.raises(InputError) as caught:
        check_tree(replace(tree, **change(tree)))
    assert str(caught.value) == message

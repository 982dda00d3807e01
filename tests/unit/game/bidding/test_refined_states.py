"""Merged states of which some are told apart again."""

import numpy as np
import pytest

from liarsolve import MaxJump, Recall, Round, presets
from liarsolve.errors import InputError
from liarsolve.game import (
    NO_STATE,
    Sequences,
    build_complete_tree,
    check_tree,
    compile_graph,
    join_sequences,
    merge_states,
    refine_states,
)
from liarsolve.game.bidding.refined_states import count_histories

GRAPHS = [
    compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1))),
    compile_graph(Round(presets.PERUDO.replace(faces=2), (2, 1))),
    compile_graph(Round(presets.LIARS_DICE.replace(faces=2), (1, 2))),
]


def every_sequence(tree):
    """All sequences of bids that a tree allows, with a weight that falls with each bid."""
    graph = tree.graph
    parent, action, state, weight = [-1], [0], [0], [1.0]
    for at, s in enumerate(state):  # which grows meanwhile
        g = tree.node[s]
        for k in range(graph.action_start[g + 1] - graph.action_start[g]):
            child = tree.children[graph.player[g]][tree.first_edge[s] + k]
            if child != NO_STATE:
                parent.append(at)
                action.append(k)
                state.append(int(child))
                weight.append(weight[at] * 0.5 ** (k + 1))
    return Sequences(
        *(np.array(column, np.int32) for column in (parent, action, state)), np.array(weight)
    )


def heaviest(sequences, n):
    return sequences.take(np.sort(np.argsort(-sequences.weight, kind="stable")[:n]))


def follow(tree, actions):
    """Every state on a path of actions."""
    state, states = 0, [0]
    for k in actions:
        mover = tree.graph.player[tree.node[state]]
        state = int(tree.children[mover][tree.first_edge[state] + k])
        states.append(state)
    return states


def paths(sequences):
    """The actions of each sequence."""
    found = []
    for parent, action in zip(sequences.parent, sequences.action, strict=True):
        found.append([] if parent < 0 else [*found[parent], int(action)])
    return found


@pytest.mark.parametrize("graph", GRAPHS, ids=repr)
@pytest.mark.parametrize("recall", [1, 2])
@pytest.mark.parametrize("n_exact", [1, 5, 20])
def test_sequences_get_states_of_their_own_and_others_stay_merged(graph, recall, n_exact):
    tree = merge_states(graph, Recall(recall))
    every = every_sequence(tree)
    chosen = heaviest(every, n_exact)
    refined, origin = refine_states(tree, chosen)
    check_tree(refined)
    assert refined.abstraction == Recall(recall)
    assert np.array_equal(refined.node, tree.node[origin])
    assert np.all(np.diff(refined.node) >= 0)  # children have larger numbers
    exact = {tuple(path) for path in paths(chosen)}
    n_ways = np.zeros(refined.n_states, np.int64)
    by_state = {}
    for path in paths(every):
        states, merged = follow(refined, path), follow(tree, path)
        assert [int(origin[s]) for s in states] == merged
        n_ways[states[-1]] += 1
        by_state.setdefault(states[-1], []).append(tuple(path))
    assert n_ways.min() == 1  # nothing is left to which no sequence leads
    assert np.array_equal(count_histories(refined), np.minimum(n_ways, 2))
    for ways in by_state.values():
        assert len(ways) == 1 or not exact.intersection(ways)


@pytest.mark.parametrize("graph", GRAPHS, ids=repr)
def test_with_every_sequence_it_is_the_complete_tree(graph):
    tree = merge_states(graph, Recall(1))
    refined, _ = refine_states(tree, every_sequence(tree))
    assert refined.n_states == build_complete_tree(graph).n_states
    again, origin = refine_states(refined, every_sequence(refined))
    assert np.array_equal(origin, np.arange(refined.n_states))
    assert np.array_equal(again.children[0], refined.children[0])


def test_states_are_told_apart_in_steps():
    graph = GRAPHS[0]
    tree = merge_states(graph, Recall(1))
    every = every_sequence(tree)
    few, more = heaviest(every, 6), heaviest(every, 20)
    at_once, _ = refine_states(tree, more)
    half, _ = refine_states(tree, few)
    ends = np.array([follow(half, path)[-1] for path in paths(more)], np.int32)
    in_steps, _ = refine_states(half, Sequences(more.parent, more.action, ends, more.weight))
    assert at_once.n_states == in_steps.n_states > half.n_states > tree.n_states
    assert sorted(at_once.node) == sorted(in_steps.node)


def test_joined_sequences_come_once_with_their_largest_weight():
    every = every_sequence(merge_states(GRAPHS[0], Recall(1)))
    some, others = heaviest(every, 9), every.take(np.arange(12))
    others = Sequences(others.parent, others.action, others.state, 0.9 * others.weight)
    joined = join_sequences([some, others])
    weights = [
        dict(zip(map(tuple, paths(part)), part.weight, strict=True)) for part in (some, others)
    ]
    expected = {
        path: max(weight.get(path, 0.0) for weight in weights) for path in weights[0] | weights[1]
    }
    found = dict(zip(map(tuple, paths(joined)), joined.weight, strict=True))
    assert found == expected
    later = joined.parent >= 0
    assert np.all(joined.weight[later] <= joined.weight[joined.parent[later]])
    assert np.all(joined.parent < np.arange(joined.n_sequences))


def test_jumps_are_not_refined():
    tree = merge_states(GRAPHS[0], Recall(1) & MaxJump(1))
    with pytest.raises(InputError, match="every legal raise can be made"):
        refine_states(tree, Sequences.start())

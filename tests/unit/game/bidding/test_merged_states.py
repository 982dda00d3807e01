"""What players remember, and the public states that this leaves."""

from math import comb

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import GameTooLargeError
from liarsolve.game import (
    MaxJump,
    Recall,
    build_complete_tree,
    check_tree,
    compile_graph,
    measure_merged_states,
    merge_states,
    mix_trees,
)
from liarsolve.rules import CHALLENGE, Bid

ROUNDS = {
    "common": Round(presets.COMMON.replace(faces=3), (1, 1)),
    "unequal dice": Round(presets.COMMON.replace(faces=2), (2, 1)),
    "wild lock": Round(presets.LIARS_DICE.replace(faces=3), (1, 1)),
    "half rule, exact call": Round(presets.PERUDO.replace(faces=3), (1, 1)),
    "palifico": Round(presets.PERUDO.replace(faces=2), (1, 2), palifico=True),
    "three players": Round(presets.LIARS_DICE.replace(faces=2), (1, 1, 1)),
}


def states_by_history(tree):
    """Where every sequence of bids leads, found through the edges."""
    graph, found, waiting = tree.graph, {}, [((), 0)]
    while waiting:
        history, state = waiting.pop()
        found[history] = state
        node = tree.node[state]
        for k, action in enumerate(graph.actions(node)):
            if isinstance(action, Bid):
                child = tree.children[graph.player[node]][tree.first_edge[state] + k]
                assert child > state
                waiting.append(((*history, action), int(child)))
    return found


@pytest.mark.parametrize("n_bids", [1, 2, 3])
@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_a_state_is_what_is_remembered(round_, n_bids):
    tree = merge_states(compile_graph(round_), Recall(n_bids))
    memories = {}
    for history, state in states_by_history(tree).items():
        public = round_.state_after(history)
        known = (round_.graph_key(public), history[-n_bids:], len(history) < n_bids)
        assert memories.setdefault(state, known) == known
        assert tree.graph.actions(tree.node[state]) == round_.legal_actions(public)
    assert sorted(memories) == list(range(tree.n_states))
    assert len(set(memories.values())) == tree.n_states
    check_tree(tree)


@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_who_remembers_every_bid_forgets_nothing(round_):
    graph = compile_graph(round_)
    merged, complete = merge_states(graph, Recall(10**6)), build_complete_tree(graph)
    assert merged.n_states == complete.n_states
    assert [c.size for c in merged.children] == [c.size for c in complete.children]
    assert set(states_by_history(merged)) == set(states_by_history(complete))


def test_five_dice_each_remember_36051_sequences_of_three_bids():
    graph = compile_graph(Round(presets.COMMON, (5, 5)))
    tree = merge_states(graph, Recall(3))
    n_memories = sum(comb(60, n) for n in range(4))
    assert (n_memories, graph.n_hands) == (36_051, (252, 252))
    # Of a memory of three bids either player may be on turn, but if the lowest bid is its first,
    # or fewer have been made, then only one.
    n_of_one = 1 + 60 + comb(60, 2) + comb(59, 2)
    by_player = np.bincount(graph.player[tree.node])
    assert by_player.sum() == 2 * n_memories - n_of_one
    assert by_player.tolist() == [1 + comb(60, 2) + comb(59, 3), 60 + comb(60, 3)]


def test_the_lock_is_not_forgotten():
    round_ = Round(presets.LIARS_DICE.replace(faces=3), (1, 1))
    tree = merge_states(compile_graph(round_), Recall(1))
    where = states_by_history(tree)
    locked, open_ = (tuple(map(Bid.parse, bids)) for bids in (["1x1", "1x3"], ["1x2", "1x3"]))
    assert where[locked] != where[open_]


def test_states_are_counted_before_they_are_built():
    graph = compile_graph(Round(presets.COMMON, (5, 5)))
    with pytest.raises(
        GameTooLargeError,
        match=r"recall 9 leaves 4\.7e\+13 .* no more than 1e\+06 may be .* fewer bids",
    ):
        merge_states(graph, Recall(9), max_entries=1e6)


def test_a_call_leads_nowhere():
    tree = merge_states(compile_graph(ROUNDS["common"]), Recall(2))
    graph = tree.graph
    for state in range(tree.n_states):
        node = tree.node[state]
        calls = [k for k, action in enumerate(graph.actions(node)) if action is CHALLENGE]
        for k in calls:
            assert tree.children[graph.player[node]][tree.first_edge[state] + k] == -1


# --- jumps ------------------------------------------------------------------------------------


@pytest.mark.parametrize("abstraction", [Recall(2), Recall(10**6)])
@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_a_cap_above_all_bids_changes_nothing(round_, abstraction):
    graph = compile_graph(round_)
    plain, capped = (merge_states(graph, a) for a in (abstraction, abstraction & MaxJump(99)))
    assert capped.legal is None
    assert capped.graph is plain.graph is graph
    arrays = ((t.node, t.first_edge, *t.children) for t in (plain, capped))
    for one, other in zip(*arrays, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)


def after(tree, *bids):
    legal, state = tree.every_raise, 0
    for bid in map(Bid.parse, bids):
        node = legal.node[state]
        edge = legal.first_edge[state] + legal.graph.actions(node).index(bid)
        state = legal.children[legal.graph.player[node]][edge]
    return state


def test_bids_before_a_far_jump_are_read_as_near_ones():
    graph = compile_graph(Round(presets.COMMON, (2, 2)))
    tree = merge_states(graph, Recall(3) & MaxJump(2))
    assert after(tree, "1x1", "1x6") == after(tree, "1x4", "1x6")
    assert after(tree, "1x1", "1x2", "2x1") == after(tree, "1x3", "1x5", "2x1")
    # What is within the cap stays, and so does all that comes after it.
    assert after(tree, "1x1", "1x4", "1x6", "2x1") != after(tree, "1x1", "1x5", "1x6", "2x1")
    # The opening bid is free, and a bid that nobody could make is not imputed to the player.
    assert after(tree, "3x3") != after(tree, "1x1", "3x3") == after(tree, "3x1", "3x3")


def test_a_reading_keeps_the_lock():
    graph = compile_graph(Round(presets.LIARS_DICE, (2, 2)))
    tree = merge_states(graph, Recall(3) & MaxJump(5))
    # Only an opening of ones explains that they are not wild any more after the second bid.
    assert after(tree, "1x1", "3x5") == after(tree, "3x1", "3x5")
    assert after(tree, "1x2", "3x5") == after(tree, "2x6", "3x5")


@pytest.mark.parametrize("abstraction", [Recall(1) & MaxJump(1), Recall(2) & MaxJump(1)])
@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_trees_share_their_states(round_, abstraction):
    graph = compile_graph(round_)
    tree = merge_states(graph, abstraction)
    assert tree.legal.graph is graph
    assert tree.legal.node is tree.node
    check_tree(tree)
    for responder in range(graph.n_players):
        mixed = mix_trees(tree, responder)
        check_tree(mixed)
        for player, children in enumerate(mixed.children):
            same = (tree.legal if player == responder else tree).children[player]
            assert children is same
    assert mix_trees(tree.legal, 0) is tree.legal


def test_four_players_have_some_thousand_states():
    graph = compile_graph(Round(presets.LIARS_DICE, (5, 5, 5, 5)))
    abstraction = Recall(2) & MaxJump(12)
    tree = merge_states(graph, abstraction)
    assert tree.n_states == 9_187
    size = measure_merged_states(graph, abstraction)
    assert size.n_states == tree.n_states
    assert size.n_edges == tuple(children.size for children in tree.children)
    assert size.n_entries == sum(252 * n for n in size.n_edges)


def test_smallest_jumps_leave_histories_that_nobody_knows():
    """Ones that were bid lie too far below 2x5 to be reached in jumps of 1."""
    graph = compile_graph(Round(presets.LIARS_DICE, (1, 1)))
    abstraction = Recall(3) & MaxJump(1)
    tree = merge_states(graph, abstraction)
    assert tree.n_states > measure_merged_states(graph, abstraction).n_states
    assert after(tree, "1x1", "2x5") != after(tree, "1x2", "2x5")


def test_whoever_does_not_forget_is_told_to():
    graph = compile_graph(Round(presets.COMMON, (5, 5)))
    with pytest.raises(GameTooLargeError, match=r"as with Recall\(3\) & MaxJump\(12\), or raise"):
        merge_states(graph, MaxJump(12), max_entries=1e9)

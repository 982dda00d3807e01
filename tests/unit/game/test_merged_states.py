"""What players remember, and the public states that this leaves."""

from math import comb

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import GameTooLargeError, InputError, InputTypeError
from liarsolve.game import Recall, build_complete_tree, check_tree, compile_graph, merge_states
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
    with pytest.raises(GameTooLargeError, match=r"recall 9 leaves more than 1e\+06 .* fewer bids"):
        merge_states(graph, Recall(9), max_entries=1e6)


def test_a_call_leads_nowhere():
    tree = merge_states(compile_graph(ROUNDS["common"]), Recall(2))
    graph = tree.graph
    for state in range(tree.n_states):
        node = tree.node[state]
        calls = [k for k, action in enumerate(graph.actions(node)) if action is CHALLENGE]
        for k in calls:
            assert tree.children[graph.player[node]][tree.first_edge[state] + k] == -1


def test_recall_is_printed_as_people_say_it():
    assert (repr(Recall(3)), str(Recall(3))) == ("Recall(3)", "recall 3")
    assert Recall(np.int64(3)) == Recall(3)


def test_recall_below_one_is_refused():
    with pytest.raises(InputError, match="recall 1 or more, got 0"):
        Recall(0)


@pytest.mark.parametrize("n_bids", [True, 1.5, "3"])
def test_recall_is_a_whole_number(n_bids):
    with pytest.raises(InputTypeError, match="whole number of bids, got"):
        Recall(n_bids)

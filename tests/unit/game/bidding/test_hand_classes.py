"""Hands that are alike: which, what is stored for them, and how it is spread over the hands."""

from math import comb

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.dice import count_matches
from liarsolve.game import (
    MaxJump,
    Recall,
    SimilarHands,
    compile_graph,
    default_actions,
    group_hands,
    measure_merged_states,
    merge_states,
)
from liarsolve.rules import Bid

ROUNDS = {
    "common": Round(presets.COMMON.replace(faces=4), (2, 3)),
    "wild lock": Round(presets.LIARS_DICE.replace(faces=3), (2, 2)),
    "half rule, exact call": Round(presets.PERUDO.replace(faces=3), (2, 1)),
    "palifico": Round(presets.PERUDO.replace(faces=3), (1, 3), palifico=True),
    "three players": Round(presets.LIARS_DICE.replace(faces=3), (1, 2, 1)),
}


@pytest.mark.parametrize("n_bids", [1, 2])
@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_hands_are_alike_by_their_matches(round_, n_bids):
    graph = compile_graph(round_)
    classes = group_hands(graph, SimilarHands(n_bids))
    waiting, seen = [((), 0)], {0}
    while waiting:
        history, node = waiting.pop()
        hands = graph.hands[graph.player[node]]
        found = {}
        for hand, alike in zip(hands, classes.of_hand[node], strict=False):
            found.setdefault(int(alike), []).append(hand)
        assert sorted(found) == list(range(classes.n_classes[node]))
        raises = [a for a in graph.actions(node) if isinstance(a, Bid)]
        if history:
            counts = [matches(round_, history, hand, raises[:n_bids]) for hand in hands]
            assert len(set(counts)) == classes.n_classes[node]
            for alike in found.values():
                assert len({matches(round_, history, h, raises[:n_bids]) for h in alike}) == 1
        else:
            assert classes.n_classes[0] == len(hands)
        for k, bid in enumerate(raises):
            target = int(graph.action_target[graph.action_start[node] + k])
            if target not in seen:
                seen.add(target)
                waiting.append(((*history, bid), target))
    assert len(seen) == graph.n_nodes


def matches(round_, history, hand, raises):
    """How many dice of a hand match the standing bid and each of some raises."""
    after = [history, *((*history, bid) for bid in raises)]
    states = [round_.state_after(bids) for bids in after]
    return tuple(count_matches(hand, s.last_bid.face, round_.wild_face(s)) for s in states)


def test_five_dice_have_as_many_classes_as_counts():
    graph = compile_graph(Round(presets.COMMON, (5, 5)))
    for n_bids in (1, 2, 3, 4):
        classes = group_hands(graph, SimilarHands(n_bids))
        # That many counts whose sum is at most five.
        assert classes.n_classes[1] == comb(5 + n_bids + 1, n_bids + 1)
    assert group_hands(graph, Recall(3)) is group_hands(graph, None) is None


def test_a_locked_face_is_all_that_matters_in_palifico():
    graph = compile_graph(Round(presets.PERUDO, (5, 5), palifico=True))
    classes = group_hands(graph, SimilarHands(99))
    assert classes.n_classes[0] == 252
    assert set(classes.n_classes[1:]) == {6}


@pytest.mark.parametrize("abstraction", [Recall(2), Recall(1) & MaxJump(2)])
@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_entries_are_spread_and_gathered(round_, abstraction):
    graph = compile_graph(round_)
    abstraction &= SimilarHands(1)
    tree, classes = merge_states(graph, abstraction), group_hands(graph, abstraction)
    first, n_entries = classes.first_entries(tree)
    assert n_entries.sum() == measure_merged_states(graph, abstraction).n_entries
    rows = tuple(np.arange(n, dtype=np.float32) for n in n_entries)
    by_hand = classes.spread(tree, rows)
    for state in range(tree.n_states):
        node = tree.node[state]
        player, n = int(graph.player[node]), int(classes.n_classes[node])
        for k in range(len(tree.graph.actions(node))):
            edge = by_hand[player][tree.first_edge[state] + k]
            alike = classes.of_hand[node, : edge.size]
            assert np.array_equal(edge, first[state] + k * n + alike)
    again = classes.gather(tree, by_hand)
    assert all(np.array_equal(a, b) for a, b in zip(rows, again, strict=True))


def test_a_class_acts_as_most_of_it_would():
    graph = compile_graph(ROUNDS["common"])
    classes = group_hands(graph, SimilarHands(1))
    alone, alike = default_actions(graph), classes.act_alike(default_actions(graph))
    n_changed = 0
    for node in range(graph.n_nodes):
        player = int(graph.player[node])
        probs = graph.hand_probs[player]
        for c in range(classes.n_classes[node]):
            hands = np.flatnonzero(classes.of_hand[node, : probs.size] == c)
            (action,) = set(alike[player][node, hands].tolist())
            votes = np.bincount(alone[player][node, hands], probs[hands])
            assert votes[action] == votes.max()
            n_changed += int((alone[player][node, hands] != action).sum())
    assert n_changed > 0

"""Graphs with fewer raises: which are left, and whose."""

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import InputError
from liarsolve.game import ActionKind, action_places, compile_graph, restrict_raises
from liarsolve.rules import Bid

ROUNDS = {
    "common": Round(presets.COMMON.replace(faces=3), (2, 1)),
    "wild lock": Round(presets.LIARS_DICE.replace(faces=3), (1, 1)),
    "half rule, exact call": Round(presets.PERUDO.replace(faces=3), (1, 1)),
    "palifico": Round(presets.PERUDO.replace(faces=3), (1, 2), palifico=True),
    "three players": Round(presets.LIARS_DICE.replace(faces=2), (1, 1, 1)),
}


def raises(graph, node):
    return [action for action in graph.actions(node) if isinstance(action, Bid)]


@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_a_node_keeps_its_first_raises_and_its_calls(round_):
    graph = compile_graph(round_)
    part = restrict_raises(graph, 2)
    assert part.actions(0) == graph.actions(0)  # the opening bid is free
    for node in range(1, graph.n_nodes):
        calls = [action for action in graph.actions(node) if not isinstance(action, Bid)]
        assert part.actions(node) == (*raises(graph, node)[:2], *calls)
        edges = slice(part.action_start[node], part.action_start[node + 1])
        kinds, targets = part.action_kind[edges], part.action_target[edges]
        assert np.all((targets >= 0) == (kinds == ActionKind.RAISE))


def test_palifico_counts_what_is_legal_at_the_node():
    graph = compile_graph(ROUNDS["palifico"])
    part = restrict_raises(graph, 1)
    opened = graph.actions(0).index(Bid(1, 2))
    node = int(graph.action_target[opened])
    # The second player has two dice and may not change the face.
    assert [str(action) for action in part.actions(node)] == ["2x2", "liar"]


def test_one_player_may_be_left_free():
    graph = compile_graph(ROUNDS["three players"])
    mixed = restrict_raises(graph, [1, None, 1])
    for node in range(1, graph.n_nodes):
        free = graph.player[node] == 1
        assert raises(mixed, node) == raises(graph, node)[: None if free else 1]


def test_a_cap_above_all_bids_leaves_the_graph_itself():
    graph = compile_graph(ROUNDS["common"])
    assert restrict_raises(graph, 8) is graph
    assert restrict_raises(graph, None) is graph
    assert restrict_raises(graph, 7) is not graph


def test_caps_are_one_for_all_or_one_each():
    with pytest.raises(InputError, match="one for each of 2 players, got 3 numbers"):
        restrict_raises(compile_graph(ROUNDS["common"]), [1, 2, 3])


@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_places_are_those_of_the_same_actions(round_):
    graph = compile_graph(round_)
    part = restrict_raises(graph, [2, None, None][: graph.n_players])
    places = action_places(part, graph)
    for node in range(graph.n_nodes):
        own = places[part.action_start[node] : part.action_start[node + 1]]
        assert [graph.actions(node)[k] for k in own] == list(part.actions(node))

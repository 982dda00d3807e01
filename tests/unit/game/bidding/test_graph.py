"""The bid graph: nodes, actions and hands of a compiled round."""

from fractions import Fraction

import numpy as np
import pytest

from liarsolve import CHALLENGE, EXACT, Bid, Round, presets
from liarsolve.errors import RuleError
from liarsolve.game import ActionKind, compile_graph


def graph_of(rules, dice, **options):
    return compile_graph(Round(rules, dice, **options))


def test_nodes_are_what_the_rules_care_about():
    # The start, and each of 12 bids made by either player; the lowest only by the first,
    # since nothing stands below it.
    assert graph_of(presets.COMMON, (1, 1)).n_nodes == 1 + 2 * 12 - 1
    # With the lock, bids are made before and after somebody has bid ones.
    assert graph_of(presets.LIARS_DICE, (1, 1)).n_nodes > 2 * 12
    # With more players, by any of them.
    three = graph_of(presets.COMMON.replace(faces=2), (1, 1, 1))
    assert three.n_nodes == 1 + 3 * 6 - 2 - 1
    assert set(three.player.tolist()) == {0, 1, 2}


@pytest.mark.parametrize("rules", [presets.PERUDO, presets.LIARS_DICE, presets.DUDO], ids=str)
def test_actions_are_those_of_the_round(rules):
    graph = graph_of(rules.replace(faces=3), (2, 1))
    round_ = graph.round
    state, node = round_.initial_state(), 0
    rng = np.random.default_rng(2)
    for _ in range(200):
        actions = graph.actions(node)
        assert actions == round_.legal_actions(state)
        assert graph.player[node] == round_.to_act(state)
        raises = [k for k, action in enumerate(actions) if isinstance(action, Bid)]
        if not raises:
            state, node = round_.initial_state(), 0
            continue
        k = int(rng.choice(raises))
        state = round_.next_state(state, actions[k])
        target = int(graph.action_target[graph.action_start[node] + k])
        assert target > node
        assert graph.quantity[target] == actions[k].quantity
        node = target


def test_calls_come_last_and_lead_nowhere():
    graph = graph_of(presets.PERUDO.replace(faces=2), (1, 1))
    assert graph.actions(1)[-2:] == (CHALLENGE, EXACT)
    is_raise = graph.action_kind == ActionKind.RAISE
    assert np.all((graph.action_target >= 0) == is_raise)


def test_hands_and_their_chances():
    graph = graph_of(presets.COMMON.replace(faces=2), (2, 1))
    assert graph.n_hands == (3, 2)
    assert graph.hands[0] == ((1, 1), (1, 2), (2, 2))
    assert graph.exact_hand_probs[0] == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    assert graph.hand_probs[1].tolist() == [0.5, 0.5]
    assert [graph.hand_ids[0][hand] for hand in graph.hands[0]] == [0, 1, 2]


def test_matches_follow_the_lock():
    graph = graph_of(presets.LIARS_DICE.replace(faces=2), (1, 1))
    on_twos = [
        graph.matches[0][graph.match_class[node]].tolist()
        for node in range(1, graph.n_nodes)
        if graph.round.bids[graph.standing[node]].face == 2
    ]
    assert [1, 1] in on_twos  # a one counts as a two
    assert [0, 1] in on_twos  # until ones have been bid


def test_arrays_cannot_be_written():
    graph = graph_of(presets.COMMON.replace(faces=2), (1, 1))
    arrays = [graph.player, graph.action_target, graph.quantity, graph.matches[0]]
    for array in [*arrays, graph.hand_probs[0]]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize(
    "options",
    [{"challenge_who": "any"}, {"exact_who": "any_but_bidder"}, {"exact_who": "off_turn_only"}],
    ids=str,
)
def test_calls_out_of_turn_are_refused(options):
    rules = presets.COMMON.replace(faces=2, **options)
    with pytest.raises(RuleError) as caught:
        graph_of(rules, (1, 1, 1))
    assert str(caught.value) == (
        "calls out of turn cannot be solved; use challenge_who=next and exact_who=next"
    )
    # Of two players, the one who is not the bidder is on turn.
    assert graph_of(rules, (1, 1)).n_nodes > 1

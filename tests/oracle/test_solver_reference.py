"""Trees, values, best responses and CFR against the slow recursive reference."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve.game import StrategyProfile
from liarsolve.solvers import (
    CFR,
    CFR_PLUS,
    CFRSolver,
    certify,
    expected_value,
    hand_values,
)
from liarsolve.solvers.exact.rational import exact_br_value
from liarsolve.solvers.two_player.best_response import InitialPolicy
from oracle.two_sides import (
    TwoSides,
    exact_weights_of,
    histories_of,
    plain,
    small_rounds,
)
from reference.bidding import ReferenceCFR

SEEDS = st.integers(0, 10**6)
ROUNDING = 1e-12
"""Payoffs of at most 2, chances that sum to 1, paths of at most nine factors."""


@given(sides=small_rounds())
@settings(max_examples=60, deadline=None)
def test_tree_has_the_histories_and_actions_of_the_reference(sides):
    expected = {
        history: set(sides.game.legal_actions(history)) for history in sides.game.histories()
    }
    histories = histories_of(sides.tree)
    actions = [sides.graph.actions(node) for node in sides.tree.node]
    assert len(histories) == len(expected)
    assert {h: set(map(plain, a)) for h, a in zip(histories, actions, strict=True)} == expected


@given(sides=small_rounds(), seed=SEEDS)
@settings(max_examples=30, deadline=None)
def test_values_of_a_strategy_agree(sides, seed):
    table, weights = sides.seeded(seed)
    value = expected_value(StrategyProfile(sides.tree, weights, sides.payoffs))
    assert value == pytest.approx(float(sides.game.expected_value(table)), abs=ROUNDING)
    to_second = hand_values(
        StrategyProfile(sides.tree, weights, sides.payoffs), 1, is_best_response=False
    )
    assert sides.graph.hand_probs[1] @ to_second == pytest.approx(-value, abs=ROUNDING)


@given(sides=small_rounds(), seed=SEEDS)
@settings(max_examples=30, deadline=None)
def test_best_responses_agree(sides, seed):
    table, weights = sides.seeded(seed)
    certificate = certify(StrategyProfile(sides.tree, weights, sides.payoffs))
    best = [sides.game.best_response_value(player, table) for player in range(2)]
    assert certificate.br_values == pytest.approx([float(v) for v in best], abs=ROUNDING)
    assert certificate.nash_conv == pytest.approx(
        float(sides.game.nash_conv(table)), abs=2 * ROUNDING
    )


@given(sides=small_rounds(), seed=SEEDS)
@settings(max_examples=20, deadline=None)
def test_rational_best_responses_are_equal(sides, seed):
    table, _ = sides.seeded(seed)
    exact = exact_weights_of(sides.tree, table)
    for player in range(2):
        value = exact_br_value(sides.tree, exact[1 - player], player, sides.payoffs)
        assert isinstance(value, Fraction)
        assert value == sides.game.best_response_value(player, table)


TILTED = (Fraction(17, 16), Fraction(-15, 16), Fraction(2), Fraction(-9, 16))
"""With payoffs of +-1 actions often tie, and then rounding decides what is played next."""
CFR_ROUNDS = {
    "common": TwoSides({"faces": 3}, (1, 1), to_caller=TILTED),
    "two dice against one": TwoSides({"faces": 2}, (2, 1), to_caller=TILTED),
    "stars": TwoSides({"faces": 3, "wild": "top_face"}, (1, 1), to_caller=TILTED),
    "wild lock": TwoSides(
        {"faces": 3, "wild": "ones", "wild_until": "any_ones_bid"}, (1, 1), to_caller=TILTED
    ),
    "half rule, exact call": TwoSides(
        {"faces": 3, "wild": "ones", "ones_slot": "after_2n", "exact_who": "next"},
        (1, 1),
        to_caller=TILTED,
    ),
    "palifico": TwoSides({"faces": 2, "wild": "ones"}, (1, 2), palifico=True, to_caller=TILTED),
}


def by_information_set(tree, strategy):
    """Policies of a solver as the reference keeps them; nothing where there is no state."""
    graph, table = tree.graph, {}
    for state, history in enumerate(histories_of(tree)):
        node, first = tree.node[state], tree.first_edge[state]
        player = int(graph.player[node])
        for h, hand in enumerate(graph.hands[player]):
            table[player, hand, history] = {
                plain(action): strategy[player][first + k, h]
                for k, action in enumerate(graph.actions(node))
            }
    return table


@pytest.mark.parametrize("variant", [CFR, CFR_PLUS], ids=lambda variant: variant.name)
@pytest.mark.parametrize("sides", CFR_ROUNDS.values(), ids=CFR_ROUNDS)
def test_cfr_goes_through_the_same_averages(sides, variant):
    solver = CFRSolver(sides.graph, sides.payoffs, variant, initial=InitialPolicy.UNIFORM)
    reference = ReferenceCFR(sides.game, plus=variant is CFR_PLUS)
    for _ in range(12):
        solver.step()
        reference.iterate()
        table = by_information_set(*solver.average_strategy())
        for key, expected in reference.average_strategy().items():
            # Neither player has come to a state that was not created: uniform there.
            policy = table.get(key, dict.fromkeys(expected, 1 / len(expected)))
            assert policy == pytest.approx(expected, abs=1e-9)
        br_values = [
            reference.game.best_response_value(player, reference.average_strategy())
            for player in range(2)
        ]
        assert solver.certify().br_values == pytest.approx(br_values, abs=1e-9)

"""CFR over merged states, and what its strategies cost, against slow walks of every history."""

from fractions import Fraction

import pytest

from liarsolve.game import Recall, merge_states
from liarsolve.rules import Bid
from liarsolve.solvers import CFR, CFR_PLUS, certify, expected_value
from liarsolve.solvers.abstraction.cfr import AbstractionCFR
from liarsolve.solvers.two_player.best_response import InitialPolicy
from oracle.two_sides import TwoSides, plain
from reference.bidding import ReferenceCFR
from reference.forgetful import ForgetfulCFR

TILTED = (Fraction(17, 16), Fraction(-15, 16), Fraction(2), Fraction(-9, 16))
"""With payoffs of +-1 actions often tie, and then rounding decides what is played next."""
ROUNDS = {
    "common": TwoSides({"faces": 3}, (1, 1), to_caller=TILTED),
    "two dice against one": TwoSides({"faces": 2}, (2, 1), to_caller=TILTED),
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
ROUNDING = 1e-9


def by_history(tree, strategy):
    """Policies at every history, as the reference keeps them."""
    graph, table, waiting = tree.graph, {}, [((), 0)]
    while waiting:
        history, state = waiting.pop()
        node, first = tree.node[state], tree.first_edge[state]
        player, actions = int(graph.player[node]), graph.actions(node)
        for h, hand in enumerate(graph.hands[player]):
            table[player, hand, history] = {
                plain(action): strategy[player][first + k, h] for k, action in enumerate(actions)
            }
        for k, action in enumerate(actions):
            if isinstance(action, Bid):
                waiting.append(((*history, plain(action)), tree.children[player][first + k]))
    return table


def make_solver(sides, n_bids, variant, **options):
    return AbstractionCFR(
        merge_states(sides.graph, Recall(n_bids)),
        sides.payoffs,
        variant,
        initial=InitialPolicy.UNIFORM,
        **options,
    )


@pytest.mark.parametrize("variant", [CFR, CFR_PLUS], ids=lambda variant: variant.name)
@pytest.mark.parametrize("n_bids", [1, 2])
@pytest.mark.parametrize("sides", ROUNDS.values(), ids=ROUNDS)
def test_who_forgets_goes_through_the_averages_of_the_reference(sides, n_bids, variant):
    solver = make_solver(sides, n_bids, variant)
    reference = ForgetfulCFR(sides.game, n_bids, plus=variant is CFR_PLUS)
    for _ in range(8):
        solver.step()
        reference.iterate()
        tree, strategy = solver.average_strategy()
        table = by_history(tree, strategy)
        for player, hand, history in table:
            expected = reference.average(player, hand, history)
            assert table[player, hand, history] == pytest.approx(expected, abs=ROUNDING)
    certificate = certify(tree, strategy, sides.payoffs)
    best = [float(sides.game.best_response_value(player, reference.average)) for player in range(2)]
    assert certificate.br_values == pytest.approx(best, abs=ROUNDING)
    value = float(sides.game.expected_value(table))
    assert expected_value(tree, strategy, sides.payoffs) == pytest.approx(value, abs=ROUNDING)


@pytest.mark.parametrize("variant", [CFR, CFR_PLUS], ids=lambda variant: variant.name)
@pytest.mark.parametrize("sides", ROUNDS.values(), ids=ROUNDS)
def test_who_forgets_nothing_goes_through_the_textbook_averages(sides, variant):
    solver = make_solver(sides, len(sides.round.bids), variant)
    reference = ReferenceCFR(sides.game, plus=variant is CFR_PLUS)
    for _ in range(8):
        solver.step()
        reference.iterate()
    table = by_history(*solver.average_strategy())
    expected = reference.average_strategy()
    assert set(table) == set(expected)
    for key, policy in table.items():
        assert policy == pytest.approx(expected[key], abs=ROUNDING)

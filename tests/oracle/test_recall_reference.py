"""CFR over merged states, and what its strategies cost, against slow traversals."""

from fractions import Fraction

import pytest

from liarsolve.game import NO_STATE, Recall, StrategyProfile, merge_states
from liarsolve.rules import Bid
from liarsolve.solvers import (
    CFR,
    CFR_PLUS,
    AbstractionCFR,
    MultiplayerCFR,
    certify,
    certify_profile,
    expected_value,
)
from liarsolve.solvers.two_player.best_response import InitialPolicy
from oracle.more_sides import MoreSides
from oracle.two_sides import TILTED_ROUNDS, plain
from reference.bidding import ReferenceCFR
from reference.imperfect_recall import ImperfectRecallCFR

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
            child = tree.children[player][first + k]
            if isinstance(action, Bid) and child != NO_STATE:
                waiting.append(((*history, plain(action)), child))
    return table


def make_solver(sides, n_bids, variant, *, own_reach_floor=1.0):
    return AbstractionCFR(
        merge_states(sides.graph, Recall(n_bids)),
        sides.payoffs,
        variant,
        initial=InitialPolicy.UNIFORM,
        own_reach_floor=own_reach_floor,
    )


@pytest.mark.parametrize("variant", [CFR, CFR_PLUS], ids=lambda variant: variant.name)
@pytest.mark.parametrize("own_reach_floor", [0.125, 1.0])
@pytest.mark.parametrize("n_bids", [1, 2])
@pytest.mark.parametrize("sides", TILTED_ROUNDS.values(), ids=TILTED_ROUNDS)
def test_who_forgets_goes_through_the_averages_of_the_reference(
    sides, n_bids, own_reach_floor, variant
):
    solver = make_solver(sides, n_bids, variant, own_reach_floor=own_reach_floor)
    reference = ImperfectRecallCFR(
        sides.game, n_bids, plus=variant is CFR_PLUS, own_reach_floor=own_reach_floor
    )
    for _ in range(8):
        solver.step()
        reference.iterate()
        tree, strategy = solver.average_strategy()
        table = by_history(tree, strategy)
        for player, hand, history in table:
            expected = reference.average(player, hand, history)
            assert table[player, hand, history] == pytest.approx(expected, abs=ROUNDING)
    certificate = certify(StrategyProfile(tree, strategy, sides.payoffs))
    best = [float(sides.game.best_response_value(player, reference.average)) for player in range(2)]
    assert certificate.br_values == pytest.approx(best, abs=ROUNDING)
    value = float(sides.game.expected_value(table))
    assert expected_value(StrategyProfile(tree, strategy, sides.payoffs)) == pytest.approx(
        value, abs=ROUNDING
    )


@pytest.mark.parametrize("own_reach_floor", [0.125, 1.0])
@pytest.mark.parametrize("variant", [CFR, CFR_PLUS], ids=lambda variant: variant.name)
@pytest.mark.parametrize("sides", TILTED_ROUNDS.values(), ids=TILTED_ROUNDS)
def test_who_forgets_nothing_goes_through_the_textbook_averages(sides, variant, own_reach_floor):
    solver = make_solver(sides, len(sides.round.bids), variant, own_reach_floor=own_reach_floor)
    reference = ReferenceCFR(sides.game, plus=variant is CFR_PLUS)
    for _ in range(8):
        solver.step()
        reference.iterate()
    table = by_history(*solver.average_strategy())
    expected = reference.average_strategy()
    assert set(table) == set(expected)
    for key, policy in table.items():
        assert policy == pytest.approx(expected[key], abs=ROUNDING)


# --- more players -----------------------------------------------------------------------------

PAID = tuple(
    tuple(tuple(Fraction(n, 16) for n in row) for row in by_caller)
    for by_caller in (
        ((15, 3, -17), (-15, 9, 6), (7, -16, 8)),
        ((-17, 8, 9), (9, -15, 5), (6, 10, -18)),
        ((20, -9, -11), (-8, 17, -10), (-9, -9, 21)),
        ((-9, 4, 5), (3, -8, 4), (2, 5, -10)),
    )
)
"""What every player gets by outcome and caller; with payoffs of 1 actions often tie."""
TABLES = {
    "common": MoreSides({"faces": 2}, (1, 1, 1), paid=PAID),
    "two dice": MoreSides({"faces": 2}, (1, 2, 1), paid=PAID),
    "wild lock, exact call": MoreSides(
        {"faces": 2, "wild": "ones", "wild_until": "any_ones_bid", "exact_who": "next"},
        (1, 1, 1),
        paid=PAID,
    ),
    "four players": MoreSides(
        {"faces": 2},
        (1, 1, 1, 1),
        paid=tuple(
            tuple(
                tuple(Fraction((7 * kind + 5 * caller + 3 * seat) % 11 - 5, 8) for seat in range(4))
                for caller in range(4)
            )
            for kind in range(4)
        ),
    ),
}


@pytest.mark.parametrize("variant", [CFR, CFR_PLUS], ids=lambda variant: variant.name)
@pytest.mark.parametrize("own_reach_floor", [0.125, 1.0])
@pytest.mark.parametrize("n_bids", [1, 2])
@pytest.mark.parametrize("sides", TABLES.values(), ids=TABLES)
def test_imperfect_recall_goes_through_the_averages_of_the_reference(
    sides, n_bids, own_reach_floor, variant
):
    solver = make_solver(sides, n_bids, variant, own_reach_floor=own_reach_floor)
    reference = ImperfectRecallCFR(
        sides.game, n_bids, plus=variant is CFR_PLUS, own_reach_floor=own_reach_floor
    )
    for _ in range(4):
        solver.step()
        reference.iterate()
        tree, strategy = solver.average_strategy()
        table = by_history(tree, strategy)
        for player, hand, history in table:
            expected = reference.average(player, hand, history)
            assert table[player, hand, history] == pytest.approx(expected, abs=ROUNDING)
    certificate = certify_profile(StrategyProfile(tree, strategy, sides.payoffs))
    players = range(len(sides.dice))
    best = [float(sides.game.best_response_value(p, reference.average)) for p in players]
    assert certificate.br_values == pytest.approx(best, abs=ROUNDING)
    values = [float(v) for v in sides.game.expected_values(table)]
    assert certificate.values == pytest.approx(values, abs=ROUNDING)


@pytest.mark.parametrize("own_reach_floor", [0.125, 1.0])
@pytest.mark.parametrize("sides", TABLES.values(), ids=TABLES)
def test_a_table_with_an_opponent_model_goes_through_the_averages_of_the_reference(
    sides, own_reach_floor
):
    tree = merge_states(sides.graph, Recall(2))
    solver = AbstractionCFR(
        tree,
        sides.payoffs,
        CFR_PLUS,
        initial=InitialPolicy.UNIFORM,
        opponent_model_prob=0.25,
        own_reach_floor=own_reach_floor,
    )
    reference = ImperfectRecallCFR(
        sides.game, 2, plus=True, opponent_model_prob=0.25, own_reach_floor=own_reach_floor
    )
    for _ in range(3):
        solver.step()
        reference.iterate()
    table = by_history(*solver.average_strategy())
    for player, hand, history in table:
        expected = reference.average(player, hand, history)
        assert table[player, hand, history] == pytest.approx(expected, abs=ROUNDING)


@pytest.mark.parametrize("variant", [CFR, CFR_PLUS], ids=lambda variant: variant.name)
@pytest.mark.parametrize("sides", TABLES.values(), ids=TABLES)
def test_a_table_that_forgets_nothing_goes_through_the_averages_of_the_tree(sides, variant):
    solver = make_solver(sides, len(sides.round.bids), variant)
    on_tree = MultiplayerCFR(sides.graph, sides.payoffs, variant, initial=InitialPolicy.UNIFORM)
    for _ in range(8):
        solver.step()
        on_tree.step()
    table, expected = (
        by_history(*solver.average_strategy()),
        by_history(*on_tree.average_strategy()),
    )
    for key, policy in expected.items():  # the tree leaves out where nothing is to be decided
        assert policy == pytest.approx(table[key], abs=ROUNDING)

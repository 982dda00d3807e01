"""The sequence-form linear program on games that are solved by hand."""

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import GameTooLargeError, InputError
from liarsolve.game import Payoffs, StrategyProfile, compile_graph
from liarsolve.solvers import StopReason, certify, solve_lp


def graph_of(rules, dice=(1, 1), **options):
    return compile_graph(Round(rules, dice, **options))


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        # "Two twos" is true whatever the dice show.
        (presets.SNYD.replace(faces=2), 1.0),
        # Nobody can be made to say more than he sees.
        (presets.COMMON.replace(faces=2), 0.0),
        (presets.COMMON.replace(faces=3), -1 / 9),
        (presets.OPENSPIEL.replace(faces=2), 1 / 2),
    ],
    ids=["sure win", "common 2", "common 3", "stars"],
)
@pytest.mark.parametrize("leader", [0, 1])
def test_known_values_whoever_leads(rules, value, leader):
    result = solve_lp(graph_of(rules), leader=leader)
    assert result.certificate.value_bounds == pytest.approx((value, value), abs=2e-12)
    assert result.stop is StopReason.EXACT
    assert result.method == "lp"


def test_both_strategies_are_whole_and_optimal():
    graph = graph_of(presets.PERUDO.replace(faces=3), (2, 1))
    payoffs = Payoffs.for_exact_call((3, 0.5))
    result = solve_lp(graph, payoffs=payoffs)
    assert certify(StrategyProfile(result.tree, result.strategy, payoffs)).nash_conv < 1e-9
    n_states = np.bincount(graph.player[result.tree.node])
    for player, policy in enumerate(result.strategy):
        assert policy.min() >= 0.0
        assert policy.sum() == pytest.approx(n_states[player] * graph.n_hands[player])


def test_payoffs_move_the_value():
    graph = graph_of(presets.SNYD.replace(faces=2))
    # The only question is whether the second bidder believes what is certain.
    result = solve_lp(graph, payoffs=Payoffs(bidder_loses=1.0, challenger_loses=-3.0))
    assert result.certificate.value_bounds == pytest.approx((3.0, 3.0), abs=1e-9)


def test_a_palifico_round_is_another_game():
    rules = presets.SNYD.replace(faces=2)
    result = solve_lp(graph_of(rules, palifico=True))
    assert result.certificate.value_bounds == pytest.approx((0.0, 0.0), abs=1e-9)


def test_a_large_program_is_refused_with_the_estimate():
    with pytest.raises(GameTooLargeError) as caught:
        solve_lp(graph_of(presets.COMMON, (2, 2)))
    assert str(caught.value).startswith(
        "common with 2,2 dice of 6 faces has 1.678e+07 public states and needs at least 2.82 TB"
    )


def test_three_players_are_refused():
    with pytest.raises(InputError) as caught:
        solve_lp(graph_of(presets.COMMON.replace(faces=2), (1, 1, 1)))
    assert str(caught.value) == "only rounds of two players can be solved, got 3 players"

"""Three and more players who forget: solving, asking, storing, and what an answer rests on."""

from dataclasses import replace

import numpy as np
import pytest

from liarsolve import BiddingSolution, Recall, Round, compact, load, presets, solve
from liarsolve.game import Payoffs, compile_graph
from liarsolve.rules import Bid
from liarsolve.solvers import (
    AbstractionOptions,
    Callbacks,
    Limits,
    ProfileCertificate,
    StopReason,
    Unmeasured,
    solve_abstraction,
    values_of_actions,
)

RULES = presets.PERUDO.replace(faces=3)
TABLE = solve(RULES, (2, 1, 1), abstraction=Recall(1), target=0, max_iterations=60)
UNMEASURED = BiddingSolution(replace(TABLE.result, certificate=Unmeasured()))
ROUNDING = 1e-6
"""Policies are stored in float32."""
LEFT_OUT = 1e-5
"""Walks leave out what is reached with 1e-7 or less, and count the least that may be won there."""


def test_solution_says_what_it_rests_on():
    assert TABLE.abstraction == Recall(1)
    assert isinstance(TABLE.certificate, ProfileCertificate)
    assert TABLE.result.is_traversed
    assert sum(TABLE.values) == pytest.approx(0.0, abs=LEFT_OUT)
    assert TABLE.nash_conv < 0.5
    assert TABLE.rests_on == (
        "recall 1: strategies of every seat, with a measured nash_conv of "
        f"{TABLE.nash_conv:.3g} in the true game"
    )
    assert f"nash_conv={TABLE.nash_conv:.3g}" in repr(TABLE)


def test_what_was_not_measured_is_not_given_out():
    assert "was not measured" in UNMEASURED.rests_on
    assert "nash_conv not measured" in repr(UNMEASURED)
    assert (UNMEASURED.values, UNMEASURED.nash_conv) == (None, None)
    assert (UNMEASURED.value_bounds, UNMEASURED.exploitability) == (None, None)
    numbers = UNMEASURED.to_dict()
    assert [numbers[name] for name in ("values", "nash_conv", "br_values")] == [None] * 3


def test_a_walk_that_is_too_long_is_not_measured():
    graph, seen = TABLE.result.tree.graph, []
    limits = Limits(max_iterations=8, target=0)
    table = BiddingSolution(
        solve_abstraction(
            graph,
            Recall(1),
            limits=limits,
            options=AbstractionOptions(max_visits=20),
            callbacks=Callbacks(on_progress=seen.append),
        )
    )
    assert table.certificate == Unmeasured()
    assert table.stop is StopReason.ITERATION_LIMIT
    assert [(p.iteration, p.is_traversed) for p in seen] == [(4, False), (8, False)]


def test_who_reckons_with_the_odds_says_so(tmp_path):
    graph = compile_graph(Round(RULES, (2, 1, 1)))
    limits, options = Limits(max_iterations=2), AbstractionOptions(max_visits=1, n_drawn=4)
    by_default, without = (
        BiddingSolution(solve_abstraction(graph, Recall(1), limits=limits, options=how))
        for how in (options, replace(options, opponent_model_prob=0.0))
    )
    assert "with a chance of 20 % that another player goes by the odds" in by_default.rests_on
    assert "by the odds" not in without.rests_on
    by_default.save(tmp_path / "table")
    assert load(tmp_path / "table").rests_on == by_default.rests_on


def test_with_all_hands_or_two_players_nobody_reckons_with_the_odds():
    assert TABLE.result.opponent_model_prob == 0.0
    two = compile_graph(Round(RULES, (2, 1)))
    assert (
        solve_abstraction(
            two, Recall(1), limits=Limits(max_iterations=2), options=AbstractionOptions(n_drawn=2)
        ).opponent_model_prob
        == 0.0
    )


@pytest.mark.parametrize("solution", [TABLE, UNMEASURED], ids=["measured", "unmeasured"])
def test_saved_and_loaded_it_is_the_same(tmp_path, solution):
    solution.save(tmp_path / "three")
    loaded = load(tmp_path / "three")
    assert loaded.to_dict() == solution.to_dict()
    assert loaded.rests_on == solution.rests_on
    asked = ((1,), ["1x2", "1x3"])
    assert loaded.strategy.advise(*asked) == solution.strategy.advise(*asked)


def test_a_compact_copy_is_measured_in_the_true_game():
    copy = compact(TABLE, bits=16)
    assert isinstance(copy.certificate, ProfileCertificate)
    assert copy.nash_conv == pytest.approx(TABLE.nash_conv, abs=0.02)


def test_advice_expects_what_the_strategies_bring():
    """All joint hands are met in so small a round, so nothing is estimated."""
    strategy, (first, *_) = TABLE.strategy, TABLE.values
    graph = strategy.tree.graph
    value = 0.0
    for hand, prob in zip(graph.hands[0], graph.hand_probs[0], strict=True):
        advice = strategy.advise(hand)
        assert {a.standard_error for a in advice} == {0.0}
        value += prob * sum(a.probability * a.expected_value for a in advice)
    assert value == pytest.approx(first, abs=LEFT_OUT)


def test_estimates_are_near_and_say_how_near():
    strategy = TABLE.strategy
    graph = strategy.tree.graph
    question = (TABLE.result.profile, 0, 2, 0, graph.hand_probs)
    exact, nothing = values_of_actions(*question)
    drawn, errors = values_of_actions(*question, n_drawn=6)
    is_raise = [isinstance(action, Bid) for action in graph.actions(0)]
    assert not np.any(nothing)
    assert np.all(errors[is_raise] >= 0.0)
    assert 0.0 < errors.max() < 0.7
    assert np.all(np.abs(drawn - exact) <= 4 * errors + ROUNDING)


def test_two_players_may_play_for_different_stakes():
    payoffs = Payoffs(bidder_loses=((1.0, 0.0), (0.0, 1.0)))
    solution = solve(RULES, (1, 1), abstraction=Recall(2), payoffs=payoffs, max_iterations=50)
    assert solution.value_bounds is None
    assert solution.nash_conv < 0.5


def test_a_full_table_stops_at_its_time_with_nothing_measured():
    table = solve(presets.COMMON, (2, 2, 2), abstraction=Recall(1), target=0, max_seconds=1e-9)
    assert (table.stop, table.iterations) == (StopReason.TIME_LIMIT, 1)
    assert table.certificate == Unmeasured()

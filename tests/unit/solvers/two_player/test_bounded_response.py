"""Bounds by branch and bound, held against best responses that are traversed in full."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve import load, presets, solve
from liarsolve.errors import LiarsolveError
from liarsolve.game import (
    MaxJump,
    Payoffs,
    Recall,
    StrategyProfile,
    compile_graph,
    merge_states,
)
from liarsolve.rules import Round, RuleSet
from liarsolve.solvers.core.halt import Halt
from liarsolve.solvers.imperfect_recall.full_game import traverse_full_game
from liarsolve.solvers.two_player.bounded_response import bound_response

ROUNDING = 1e-12
"""Both methods sum some thousand terms that add up to 1 in size, in another order."""

OPTIONS = st.fixed_dictionaries(
    {"faces": st.integers(2, 3)},
    optional={
        "wild": st.sampled_from(["none", "ones", "top_face"]),
        "wild_until": st.sampled_from(["never_locked", "any_ones_bid", "opening_ones"]),
        "ones_slot": st.sampled_from(["face_low", "after_2n", "before_2n", "face_high"]),
        "open_ones": st.sampled_from(["yes", "no"]),
        "raise_rule": st.sampled_from(["count_or_face", "reset_quantity", "strict", "face_wrap"]),
        "exact_who": st.sampled_from(["off", "next"]),
        "cap_bids": st.booleans(),
        "palifico_face": st.sampled_from(["one_die_may_change", "locked_all"]),
    },
)
ABSTRACTIONS = st.sampled_from(
    [Recall(1), Recall(2), MaxJump(1), MaxJump(2), Recall(1) & MaxJump(1)]
)
NUMBERS = st.floats(-2, 2, allow_nan=False).map(lambda number: round(number, 2))


def random_profile(graph, abstraction, payoffs, seed):
    """Return strategies of which a third of the actions and some hands have no weight."""
    tree, rng = merge_states(graph, abstraction), np.random.default_rng(seed)
    weights = tuple(
        rng.random((children.size, n_hands)) * (rng.random((children.size, n_hands)) > 0.33)
        for children, n_hands in zip(tree.children, graph.n_hands, strict=True)
    )
    for policy in weights:
        policy[:, rng.integers(policy.shape[1])] = 0.0  # this hand plays the default
    return StrategyProfile(tree, weights, payoffs)


@settings(max_examples=200, deadline=None)
@given(
    options=OPTIONS,
    dice=st.sampled_from([(1, 1), (2, 1), (1, 2), (2, 2)]),
    palifico=st.booleans(),
    abstraction=ABSTRACTIONS,
    payoffs=st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS),
    seed=st.integers(0, 10**6),
)
def test_bounds_hold_and_meet(options, dice, palifico, abstraction, payoffs, seed):
    try:
        graph = compile_graph(Round(RuleSet().replace(**options), dice, palifico=palifico))
    except LiarsolveError:
        return  # the options make no sense together
    names = ("bidder_loses", "challenger_loses", "exact_right", "exact_wrong")
    worth = Payoffs(**dict(zip(names, payoffs, strict=True)))
    profile = random_profile(graph, abstraction, worth, seed)
    for responder in range(2):
        exact, _ = traverse_full_game(profile, responder)
        for gap in (0.3, 0.03, 0.0):
            found = bound_response(profile, responder, gap=gap)
            assert found.lo - ROUNDING <= exact <= found.hi + ROUNDING
            assert found.hi - found.lo <= max(gap, ROUNDING)
        stopped = bound_response(profile, responder, max_visits=seed % 50)
        assert stopped.lo - ROUNDING <= exact <= stopped.hi + ROUNDING
        assert stopped.n_visits <= seed % 50


@pytest.mark.parametrize("name", ["common", "liars_dice", "perudo", "openspiel", "snyd", "dudo"])
def test_solved_rounds_are_bounded_as_they_are_certified(name):
    solution = solve(presets.get_preset(name).replace(faces=4), (2, 1), max_iterations=30)
    result = solution.result
    for responder in range(2):
        exact, n_full = traverse_full_game(result.profile, responder)
        found = bound_response(result.profile, responder)
        assert found.lo == pytest.approx(exact, abs=ROUNDING)
        assert found.hi == pytest.approx(exact, abs=ROUNDING)
        assert n_full > 0


def test_far_fewer_states_are_met_than_there_are():
    solution = solve(presets.COMMON, (2, 2), abstraction=Recall(2), max_iterations=20)
    found = bound_response(solution.result.profile, 0, gap=1e-3)
    assert found.hi - found.lo <= 1e-3
    assert found.n_visits < 20_000  # of 1.7e7, and 5,000 when this was written


def test_a_smaller_gap_takes_more_visits():
    solution = solve(presets.COMMON.replace(faces=3), (2, 2), max_iterations=20)
    visits = [bound_response(solution.result.profile, 0, gap=gap).n_visits for gap in (0.1, 0.0)]
    assert visits[0] < visits[1]


def test_nothing_is_searched_after_a_halt():
    solution = solve(presets.COMMON.replace(faces=2), (1, 1), max_iterations=5)
    found = bound_response(solution.result.profile, 0, halt=Halt(deadline=0.0))
    assert (found.lo, found.hi, found.n_visits) == (-1.0, 1.0, 0)


@pytest.mark.parametrize("target", [1e-2, 1e-9])
def test_solutions_of_two_players_have_proved_bounds_at_both_ends(target):
    solution = solve(presets.COMMON.replace(faces=3), (2, 1), target=target)
    lo, hi = solution.exploitability_bounds
    exact = sum(traverse_full_game(solution.result.profile, player)[0] for player in range(2)) / 2
    assert 0 <= lo <= exact + ROUNDING <= hi + 2 * ROUNDING
    assert hi == solution.exploitability
    assert hi - lo <= 0.01 * hi + ROUNDING
    assert solution.to_dict()["exploitability_bounds"] == [lo, hi]


def test_bounds_are_stored_with_a_solution(tmp_path):
    solution = solve(presets.COMMON.replace(faces=3), (2, 1), target=1e-2)
    solution.save(tmp_path / "stored")
    assert load(tmp_path / "stored").exploitability_bounds == solution.exploitability_bounds

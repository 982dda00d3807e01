"""Solutions of players who forget: solving, asking, storing, and what an answer rests on."""

import json
from dataclasses import replace

import numpy as np
import pytest

from liarsolve import BiddingSolution, Recall, compact, load, presets, solve
from liarsolve.errors import InputError, InputTypeError, LiarsolveError, StorageError
from liarsolve.game import StrategyProfile
from liarsolve.rules import CHALLENGE, Bid
from liarsolve.solvers import BoundedLoss, LowerBound, hand_values

RULES = presets.LIARS_DICE.replace(faces=3)
IMPERFECT = solve(RULES, (2, 1), abstraction=Recall(2), target=0, max_iterations=60)
ROUNDING = 1e-6
"""Policies are stored in float32."""


def test_solution_says_what_it_rests_on():
    assert IMPERFECT.abstraction == Recall(2)
    assert IMPERFECT.rests_on == (
        "recall 2: strategies of players who forget all other bids, which lose "
        f"{IMPERFECT.exploitability:.3g} a round to a best response that forgets nothing, measured "
        "in the true game"
    )
    assert "abstraction=Recall(2), value_bounds=(" in repr(IMPERFECT)
    assert IMPERFECT.to_dict()["recall"] == 2


def test_solution_says_when_the_exploitability_was_not_measured():
    unmeasured = BiddingSolution(
        replace(IMPERFECT.result, certificate=BoundedLoss(IMPERFECT.certificate))
    )
    assert "was not measured" in unmeasured.rests_on
    assert f"at most {unmeasured.exploitability:.3g}" in unmeasured.rests_on


def test_solution_says_what_is_lost_at_least(tmp_path):
    result = IMPERFECT.result
    bound = LowerBound(
        value=0.0005,
        lo=0.0004,
        hi=0.0006,
        confidence=0.95,
        n_deals=100,
        br_values=(0.334, -0.333),
        method="somebody",
    )
    assert IMPERFECT.lower_bound is None
    assert IMPERFECT.to_dict()["lower_bound"] is None
    bounded = BiddingSolution(replace(result, certificate=BoundedLoss(result.certificate, bound)))
    assert bounded.lower_bound is bound
    assert bounded.rests_on == (
        f"recall 2: strategies of players who forget all other bids, which lose {bound}; that is a "
        f"lower bound, the true loss may be larger, at most {bounded.exploitability:.3g}, since a "
        "best response is too long to compute"
    )
    bounded.save(tmp_path / "two")
    assert load(tmp_path / "two").lower_bound == bound


def test_other_solutions_say_what_they_rest_on():
    plain = solve(presets.COMMON.replace(faces=2), (1, 1), target=1e-3)
    assert plain.abstraction is None
    assert plain.rests_on.startswith("an equilibrium with a certified exploitability of ")
    three = solve(presets.COMMON.replace(faces=2), (1, 1, 1), max_iterations=5)
    assert "measured nash_conv of" in three.rests_on


def test_what_was_forgotten_makes_no_difference():
    probs = IMPERFECT.strategy.probs
    known = ["2x2", "2x3"]
    assert probs((1, 2), ["1x2", "1x3", *known]) == probs((1, 2), known)
    # Ones have been bid: that they are not wild any more is never forgotten.
    locked = probs((1, 2), ["1x1", "1x2", *known])
    assert locked != probs((1, 2), ["1x2", "1x3", *known])


def test_advice_expects_what_the_strategies_bring():
    strategy = IMPERFECT.strategy
    advice = strategy.advise((1, 2), [])
    value = sum(a.probability * a.expected_value for a in advice)
    by_hand = hand_values(
        StrategyProfile(strategy.tree, strategy.weights, strategy.payoffs),
        0,
        is_best_response=False,
    )
    hand_id = strategy.tree.graph.hand_ids[0][1, 2]
    assert value == pytest.approx(by_hand[hand_id], abs=ROUNDING)
    assert {a.action for a in strategy.advise((2,), ["3x3"])} == {CHALLENGE}
    assert all(isinstance(a.action, Bid) for a in advice)


def test_values_are_those_of_the_strategies():
    result = IMPERFECT.result
    values = hand_values(result.profile, 0, is_best_response=False)
    expected = float(result.tree.graph.hand_probs[0] @ values)
    assert IMPERFECT.values == pytest.approx((expected, -expected), abs=ROUNDING)
    lo, hi = IMPERFECT.value_bounds
    assert lo < expected < hi


def test_saved_and_loaded_it_is_the_same(tmp_path):
    IMPERFECT.save(tmp_path / "two")
    loaded = load(tmp_path / "two")
    assert loaded.to_dict() == IMPERFECT.to_dict()
    assert (loaded.abstraction, loaded.rests_on) == (Recall(2), IMPERFECT.rests_on)
    asked = ((1, 3), ["1x2", "1x3"])
    assert loaded.strategy.advise(*asked) == IMPERFECT.strategy.advise(*asked)


def test_a_damaged_recall_is_found(tmp_path):
    IMPERFECT.save(tmp_path / "two")
    path = tmp_path / "two" / "manifest.json"
    manifest = json.loads(path.read_text()) | {"crc32": None}
    path.write_text(json.dumps(manifest | {"recall": 0}))
    with pytest.raises(StorageError, match=r"damaged manifest: .* recall 1 or more, got 0"):
        load(tmp_path / "two")


def test_a_compact_copy_is_measured_in_the_true_game():
    copy = compact(IMPERFECT, bits=8)
    assert copy.abstraction == Recall(2)
    assert copy.result.strategy[0].dtype == np.uint8
    assert copy.result.is_traversed
    assert copy.exploitability != IMPERFECT.exploitability
    assert copy.exploitability == pytest.approx(IMPERFECT.exploitability, abs=0.02)


def test_who_remembers_every_bid_comes_to_the_unabstracted_value():
    rules = presets.PERUDO.replace(faces=3)
    plain = solve(rules, (2, 1), target=1e-4)
    whole = solve(rules, (2, 1), abstraction=Recall(9), target=1e-3)
    lo, hi = whole.value_bounds
    assert whole.exploitability <= 1e-3
    assert max(lo, plain.value_bounds[0]) <= min(hi, plain.value_bounds[1])


# --- what makes no sense ----------------------------------------------------------------------


def test_an_abstraction_is_a_value():
    with pytest.raises(InputTypeError, match=r"a value such as Recall\(3\), got 3"):
        solve(RULES, (1, 1), abstraction=3)


def test_a_seed_without_draws_is_refused():
    with pytest.raises(InputError, match="nothing is drawn without an abstraction"):
        solve(RULES, (1, 1), seed=1)


@pytest.mark.parametrize("seed", [-1, 0.5, True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(LiarsolveError, match="seed is a whole number of 0 or more"):
        solve(RULES, (1, 1), abstraction=Recall(2), seed=seed)

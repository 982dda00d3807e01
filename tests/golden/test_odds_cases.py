"""Questions that people asked in public, with the exact answer worked out by counting.

``data/odds_cases.json`` names the source of each, the number that was claimed there (if any), and
whether it was right; the exact answers come from enumeration, the binomial sum and convolution.

Left out of the file, as they ask for something else than the odds of dice: the values of whole
games (for solvers), and whether a lone die can still make a true higher bid (that depends on the
order of bids, which belongs to the rules).
"""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from liarsolve import (
    Posterior,
    count_distribution,
    hand_distribution,
    largest_count_distribution,
    p_at_least,
    p_exactly,
    p_fewer,
)
from liarsolve.claims import MIA, POKER, ClaimSet
from liarsolve.dice.equipment import Equipment
from liarsolve.odds import Threshold

CASES = json.loads((Path(__file__).parent / "data" / "odds_cases.json").read_text())


def table_of(inputs, *, exact=True):
    """Keywords that describe the table of a case: by the hand if it is known."""
    table = {"wild": inputs["wild"], "sides": inputs["sides"], "exact": exact}
    if inputs["hand"] is not None:
        return table | {"total": inputs["total_dice"], "hand": inputs["hand"]}
    return table | {"unseen": inputs["unseen_dice"], "own": inputs["own_matches"]}


def answer_posterior(inputs):
    if "prior_true" in inputs:  # a double six of two dice, announced by somebody who may lie
        prior = Posterior((2,), wild=None, exact=True)
        assert prior.hand_probs(0)[6, 6] == Fraction(inputs["prior_true"])
        lie_rate = Fraction(inputs["p_claim_given_false"]) / Fraction(inputs["p_claim_given_true"])
        return prior.after_bid(0, 2, 6, Threshold(2, lie_rate)).hand_probs(0)[6, 6]
    model = inputs["likelihood"]
    assert model["at_or_above"] == "1"
    dice = inputs["bidder_dice"], inputs["other_unseen_dice"]
    belief = Posterior(dice, hand=inputs["hand"], wild=inputs["wild"], exact=True)
    threshold = Threshold(model["threshold"], Fraction(model["below"]))
    bid = inputs["quantity"], inputs["face"]
    return belief.after_bid(0, *bid, threshold).p_at_least(*bid)


def answer_poker_hand(inputs):
    equipment = Equipment.dice(inputs["dice"], inputs["sides"])
    if inputs["category"] == "all six faces":
        weight = equipment.weights[equipment.hand_ids[1, 2, 3, 4, 5, 6]]
        return Fraction(weight, equipment.total_weight)
    names = {"two_pair": ["two_pairs"], "straight": ["low_run", "high_run"]}
    distribution = hand_distribution(ClaimSet(equipment, POKER), exact=True)
    kinds = names.get(inputs["category"], [inputs["category"]])
    return sum(distribution.p_category(kind) for kind in kinds)


def answer_mia(inputs):
    distribution = hand_distribution(
        ClaimSet(Equipment.dice(inputs["dice"], inputs["sides"]), MIA), exact=True
    )
    if "order" in inputs:
        order = [MIA.say(hand) for hand in sorted(distribution.claims.equipment.hands, key=MIA.key)]
        assert [10 * first + second for first, second in order] == inputs["order"]
        assert inputs["event"] == "one roll ranks strictly above 54"
        return distribution.p_higher("54")
    return distribution.p_hand(inputs["event"].split()[1])


def answer(case):
    inputs = case["inputs"]
    match case["question_type"]:
        case "at_least":
            return p_at_least(inputs["quantity"], inputs["face"], **table_of(inputs))
        case "exactly":
            return p_exactly(inputs["quantity"], inputs["face"], **table_of(inputs))
        case "call_wins":
            return p_fewer(inputs["quantity"], inputs["face"], **table_of(inputs))
        case "expected_count":
            return count_distribution(inputs["face"], **table_of(inputs)).mean
        case "some_face_exactly":
            largest = largest_count_distribution(
                inputs["total_dice"], faces=range(2, 7), wild=inputs["wild"], exact=True
            )
            return largest.some_face_exactly(inputs["quantity"])
        case "expected_best_count":
            return largest_count_distribution(
                inputs["total_dice"], faces=range(2, 7), wild=inputs["wild"], exact=True
            ).mean
        case "joint_counts":
            hand = [face for face, n in enumerate(inputs["counts"], start=1) for _ in range(n)]
            distribution = Posterior((inputs["total_dice"],), wild=inputs["wild"], exact=True)
            return distribution.hand_probs(0)[tuple(hand)]
        case "posterior":
            return answer_posterior(inputs)
        case "poker_hand":
            return answer_poker_hand(inputs)
        case "mia":
            return answer_mia(inputs)
    raise AssertionError(case["question_type"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_answer_is_exact(case):
    assert answer(case) == Fraction(case["exact_answer"])


ASKS_FOR_BID = [case for case in CASES if case["question_type"] in ("at_least", "exactly")]


@pytest.mark.parametrize("case", ASKS_FOR_BID, ids=lambda case: case["id"])
def test_float_is_the_exact_answer_rounded_once(case):
    ask = p_at_least if case["question_type"] == "at_least" else p_exactly
    inputs = case["inputs"]
    prob = ask(inputs["quantity"], inputs["face"], **table_of(inputs, exact=False))
    assert prob == float(Fraction(case["exact_answer"]))


CLAIMS = [case for case in CASES if isinstance(case["claimed_value"], float)]


@pytest.mark.parametrize("case", CLAIMS, ids=lambda case: case["id"])
def test_claimed_number_is_as_right_as_recorded(case):
    error = abs(case["claimed_value"] / float(answer(case)) - 1)
    if case["verdict"].startswith("wrong"):
        assert error > 0.01
    else:  # rounded to one significant digit at the coarsest: 0.002 for 0.00244
        assert error < 0.2

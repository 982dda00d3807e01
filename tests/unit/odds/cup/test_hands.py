from fractions import Fraction

import numpy as np
import pytest

from liarsolve import hand_distribution, passed_distribution, presets
from liarsolve.claims import Category, Claim, Truth
from liarsolve.errors import InputError, InputTypeError

BOX, CLASSIC, CARDS, MIA = (
    rules.claims for rules in (presets.BOX, presets.CLASSIC, presets.LIAR_CARDS, presets.MIA)
)


def test_law_sums_to_one():
    for claims in (BOX, CARDS, MIA, presets.LIAR_DIE.claims):
        distribution = hand_distribution(claims, exact=True)
        assert sum(distribution.probs()) == 1
        assert sum(distribution.categories().values()) == 1
        assert sum(distribution.p_hand(hand) for hand in claims.equipment.hands) == 1


def test_floats_are_the_fractions_rounded():
    for distribution, exact in (
        (hand_distribution(CARDS, "AQ"), hand_distribution(CARDS, "AQ", exact=True)),
        (passed_distribution(BOX, "QQQ99", 3), passed_distribution(BOX, "QQQ99", 3, exact=True)),
    ):
        assert distribution.probs().dtype == np.float64
        assert exact.probs().dtype == object
        assert distribution.probs().tolist() == [float(p) for p in exact.probs()]
        assert distribution.p_claims().tolist() == [float(p) for p in exact.p_claims()]
        assert distribution.p_claim("pair of queens") == float(exact.p_claim("pair of queens"))


def test_one_question_agrees_with_all():
    distribution = hand_distribution(BOX, "JJ", exact=True)
    for truth in Truth:
        column = distribution.p_claims(truth)
        for claim_id in range(0, len(BOX), 31):
            assert distribution.p_claim(BOX[claim_id], truth) == column[claim_id]
            assert distribution.p_claim(BOX[claim_id], truth.value) == column[claim_id]


def test_keeping_all_leaves_the_hand():
    distribution = hand_distribution(BOX, "QQQ99", exact=True)
    assert distribution.p_hand("99QQQ") == 1
    assert distribution.p_claim("QQQ99") == 1
    assert distribution.p_higher("QQQ99") == 0


def test_the_order_of_rules_counts():
    """A run beats four of a kind in the classic game only."""
    run = "AKQJT"
    assert hand_distribution(CLASSIC, run).p_higher("QQQQ9") == 1
    assert hand_distribution(BOX, run).p_higher("QQQQ9") == 0


def test_kinds_of_hands_by_name():
    distribution = hand_distribution(BOX, exact=True)
    assert (
        distribution.p_category("full")
        == distribution.p_category(Category.FULL)
        == Fraction(300, 7776)
    )


def test_a_claim_may_name_less_than_is_usual():
    distribution = hand_distribution(CLASSIC, exact=True)
    assert distribution.p_claim("a pair") == Fraction(7296, 7776)
    assert distribution.p_claim("pair of aces", "contains") == Fraction(1526, 7776)
    assert distribution.p_claim("ace high") == 1  # which the classic game does not let one claim


def test_mia_odds():
    distribution = hand_distribution(MIA, exact=True)
    assert distribution.p_claim("21") == Fraction(2, 36)
    assert distribution.p_claim("66") == Fraction(3, 36)
    assert distribution.p_higher("54") == Fraction(1, 2)


def test_unknown_dice_are_the_mean_over_all_choices():
    """Of two equal dice and a third, two thrown: the pair, or one of it with the third."""
    distribution = passed_distribution(BOX, "QQQ99", 4, exact=True)
    queen, nine = hand_distribution(BOX, "Q", exact=True), hand_distribution(BOX, "9", exact=True)
    expected = [(3 * q + 2 * n) / 5 for q, n in zip(queen.probs(), nine.probs(), strict=True)]
    assert distribution.probs().tolist() == expected
    assert passed_distribution(BOX, "QQQ99", 5).weights == hand_distribution(BOX).weights
    assert passed_distribution(BOX, "QQQ99", 0, exact=True).p_hand("QQQ99") == 1


def test_beliefs_about_what_was_kept():
    keeps = {"QQQ": 3, "QQ9": 1, (1, 1, 4): 0}
    distribution = passed_distribution(BOX, "QQQ99", 2, keeps=keeps, exact=True)
    queens, mixed = (
        hand_distribution(BOX, "QQQ", exact=True),
        hand_distribution(BOX, "QQ9", exact=True),
    )
    for claim in ("QQQ99", "QQQQ", "999+A"):
        assert distribution.p_claim(claim) == (3 * queens.p_claim(claim) + mixed.p_claim(claim)) / 4
    halves = passed_distribution(BOX, "QQQ99", 2, keeps={"QQQ": 0.75, "9QQ": 0.25}, exact=True)
    assert halves.p_claim("QQQQ") == distribution.p_claim("QQQQ")


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (
            lambda: hand_distribution(BOX).p_category("flush"),
            InputError,
            "the kinds of hands are nothing, pair, two_pairs, three, low_run, high_run, full, "
            "four, five, got 'flush'",
        ),
        (
            lambda: hand_distribution(BOX).p_claim("a pair", "nearly"),
            InputError,
            "truth must be one of at_least, matches, contains, got 'nearly'",
        ),
        (
            lambda: hand_distribution(BOX).p_claim(Claim(Category.PAIR, (1,))),
            InputError,
            "the claim pair with the faces 1 is not one of the 363 claims",
        ),
        (
            lambda: hand_distribution(BOX).p_claim("royal mess"),
            InputError,
            "'royal mess' is not one of",
        ),
        (
            lambda: hand_distribution(BOX).p_hand("QQ"),
            InputError,
            "a hand has 5 dice, got 2 in 'QQ'",
        ),
        (
            lambda: hand_distribution(BOX, "QQQ999"),
            InputError,
            "a hand has 5 dice, got 6 in 'QQQ999'",
        ),
        (
            lambda: hand_distribution(CARDS, "QQQQQ"),
            InputError,
            "the pack has 4 queens, got 5 in 'QQQQQ'",
        ),
        (
            lambda: passed_distribution(BOX, "QQQ99", 6),
            InputError,
            r"n_thrown must lie in 0\.\.5, got 6",
        ),
        (
            lambda: passed_distribution(BOX, "QQQ99", 1.5),
            InputTypeError,
            "n_thrown must be a whole number, got 1.5",
        ),
        (
            lambda: passed_distribution(BOX, "QQQ99", 2, keeps={"QQA": 1}),
            InputError,
            "when 2 are thrown of QQQ99, 3 of them stay, got 'QQA'",
        ),
        (
            lambda: passed_distribution(BOX, "QQQ99", 2, keeps={"QQ": 1}),
            InputError,
            "when 2 are thrown of QQQ99, 3 of them stay, got 'QQ'",
        ),
        (
            lambda: passed_distribution(BOX, "QQQ99", 2, keeps={"QQQ": -1}),
            InputError,
            "a weight must be a finite number, 0 or more, got -1 for 'QQQ'",
        ),
        (
            lambda: passed_distribution(BOX, "QQQ99", 2, keeps={"QQQ": float("nan")}),
            InputError,
            "a weight must be a finite number, 0 or more, got nan for 'QQQ'",
        ),
        (
            lambda: passed_distribution(BOX, "QQQ99", 2, keeps={}),
            InputError,
            "some set of dice must have been kept, got no weight above 0",
        ),
    ],
)
def test_what_cannot_be_is_said(ask, error, message):
    with pytest.raises(error, match=message):
        ask()

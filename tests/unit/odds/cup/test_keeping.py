from fractions import Fraction
from itertools import combinations

import pytest

from liarsolve import best_keep, hand_distribution, keep_options, p_claim, p_five_aces, presets
from liarsolve.claims import Category, Claim
from liarsolve.errors import InputError, InputTypeError

BOX, CLASSIC, CARDS = (rules.claims for rules in (presets.BOX, presets.CLASSIC, presets.LIAR_CARDS))


def test_a_throw_is_what_the_law_says():
    for claims in (BOX, CARDS):
        for kept in ("", "J", "JJ", "AKQ", "JJQ9T"):
            distribution = hand_distribution(claims, kept, exact=True)
            for claim in ("two pairs", "JJ+A", "AAAxx"):
                for truth in ("at_least", "matches", "contains"):
                    chance = p_claim(claim, claims, kept=kept, truth=truth, exact=True)
                    assert chance == distribution.p_claim(claim, truth)


def test_claims_may_be_given_as_such():
    jacks = Claim(Category.PAIR, (3, 3))
    assert p_claim(jacks, BOX) == p_claim("pair of jacks", BOX)


def test_two_throws_by_hand():
    """One die of two: a six by the first throw or, if not, by the second."""
    claims = presets.LIAR_DIE.claims
    assert p_claim("6", claims, throws=2, exact=True) == 1 - Fraction(5, 6) ** 2
    assert p_claim("4", claims, throws=3, exact=True) == 1 - Fraction(1, 2) ** 3


def test_more_throws_never_harm_and_aces_are_kept():
    chances = [p_claim("AAAAA", CLASSIC, throws=n) for n in (1, 2, 3)]
    assert chances == pytest.approx([p_five_aces(n) for n in (1, 2, 3)], rel=1e-14)
    assert chances == sorted(chances)


def test_every_choice_is_listed_once_the_best_first():
    options = keep_options("JJQ9T", BOX, "two pairs", exact=True)
    parts = {
        tuple(sorted(part)) for size in range(6) for part in combinations((1, 2, 3, 3, 4), size)
    }
    assert {option.kept for option in options} == parts
    assert len(options) == len(parts) == 24
    chances = [option.prob for option in options]
    assert chances == sorted(chances, reverse=True)
    assert all(option.n_thrown == 5 - len(option.kept) for option in options)
    assert options[0] == best_keep("JJQ9T", BOX, "two pairs", exact=True)
    assert options[0].kept == (3, 3)


def test_among_equals_few_dice_are_thrown_and_high_ones_kept():
    aces = best_keep("AAAAA", BOX, exact=True)  # nothing beats them
    assert (aces.kept, aces.prob) == ((6,) * 5, 0)
    run = best_keep("AKQJT", CLASSIC, exact=True)  # only five alike do
    assert (run.kept, run.prob) == ((6,), Fraction(1, 1296))


def test_limits_on_the_number_thrown():
    """DD.8: not none; some house rules: not all."""
    assert best_keep("QQQ99", BOX, "QQQ99").n_thrown == 0
    assert best_keep("QQQ99", BOX, "QQQ99", min_thrown=1).kept == (4, 4, 4)
    options = keep_options("QQQ99", BOX, "QQQ99", min_thrown=2, max_thrown=3)
    assert {option.n_thrown for option in options} == {2, 3}


def test_rules_change_what_is_best():
    """Four of a kind beats a run in the box game; in the classic one it is the other way round."""
    assert best_keep("KQJT9", BOX).prob < best_keep("QQQQ9", CLASSIC).prob
    contains = best_keep("QQQ99", BOX, "QQ", truth="contains", min_thrown=1)
    assert contains.prob == 1


def test_cards_are_drawn_with_the_discards():
    assert best_keep("AAAA9", CARDS, "AAAA+K", exact=True).prob == Fraction(4, 20)
    assert best_keep("AAAK9", CARDS, "AAAA", exact=True) == best_keep(
        "AAAK9", CARDS, "four aces", exact=True
    )


def test_kept_dice_take_part_in_later_throws():
    """With two throws the second may throw what the first kept."""
    two = best_keep("JJQ9T", BOX, "two pairs", throws=2, exact=True)
    one = best_keep("JJQ9T", BOX, "two pairs", exact=True)
    assert one.prob < two.prob < 1
    floats = best_keep("JJQ9T", BOX, "two pairs", throws=2)
    assert floats.prob == pytest.approx(float(two.prob), rel=1e-14)


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda: p_claim("pair", BOX, throws=0), InputError, "throws must be 1 or more, got 0"),
        (
            lambda: p_claim("pair", BOX, throws=True),
            InputTypeError,
            "throws must be a whole number, got True",
        ),
        (
            lambda: keep_options("QQQ99", BOX, min_thrown=3, max_thrown=2),
            InputError,
            "min_thrown must not exceed max_thrown, got 3 and 2",
        ),
        (
            lambda: best_keep("QQQ99", BOX, max_thrown=6),
            InputError,
            r"max_thrown must lie in 0\.\.5, got 6",
        ),
        (lambda: best_keep("QQ", BOX), InputError, "a hand has 5 dice, got 2 in 'QQ'"),
        (lambda: best_keep("QQQ99", BOX, "mess"), InputError, "'mess' is not one of the 363"),
    ],
)
def test_what_cannot_be_is_said(ask, error, message):
    with pytest.raises(error, match=message):
        ask()

"""Truth of claims, chances and best dice to keep, held against plain counting."""

from fractions import Fraction
from itertools import combinations

import pytest

from liarsolve import best_keep, keep_options, p_claim, presets
from liarsolve.claims import Truth, format_claim, format_hand, parse_hand
from reference.claims_by_hand import (
    ALL_HANDS,
    BOX_ORDER,
    CLASSIC_ORDER,
    arrange,
    chance_of,
    chance_of_cards,
    is_true,
    rank,
)

BOX, CLASSIC, CARDS = (rules.claims for rules in (presets.BOX, presets.CLASSIC, presets.LIAR_CARDS))


@pytest.mark.parametrize("truth", Truth)
def test_truth_of_claims(truth):
    for claim_id in range(0, len(BOX), 5):
        text = format_claim(BOX[claim_id], BOX)
        for hand in ALL_HANDS[claim_id % 3 :: 3]:
            expected = is_true(text, hand, truth.value)
            assert BOX.is_true(claim_id, parse_hand(hand, BOX), truth) == expected, (text, hand)


@pytest.mark.parametrize(
    ("claims", "order"), [(BOX, BOX_ORDER), (CLASSIC, CLASSIC_ORDER)], ids=["box", "classic"]
)
def test_order_of_hands(claims, order):
    hands = sorted(claims.equipment.hands, key=claims.ranking.key)
    expected = sorted(ALL_HANDS, key=lambda hand: rank(hand, order))
    assert [format_hand(hand, claims.ranking) for hand in hands] == expected


@pytest.mark.parametrize("kept", ["JJQ", "A9", "QQQ", "KQJT", "99"])
@pytest.mark.parametrize("claim", ["JJ+Q", "AAKK", "KQJT9", "QQQ99", "999"])
@pytest.mark.parametrize("truth", ["at_least", "matches", "contains"])
def test_chance_of_a_claim(kept, claim, truth):
    def is_good(hand):
        return is_true(claim, arrange(hand), truth)

    assert p_claim(claim, BOX, kept=kept, truth=truth, exact=True) == chance_of(is_good, kept)
    cards = p_claim(claim, CARDS, kept=kept, truth=truth, exact=True)
    assert cards == chance_of_cards(is_good, kept)


@pytest.mark.parametrize("hand", ["JJQT9", "QQQ99", "AAKK9", "AKQJ9", "KQJT9"])
def test_best_dice_to_keep_with_two_thrown_at_most(hand):
    def beats(other):
        return rank(arrange(other)) > rank(arrange(hand))

    keeps = {"".join(part) for n in (3, 4, 5) for part in combinations(hand, n)}
    chances = {kept: chance_of(beats, kept) for kept in keeps}
    best = best_keep(hand, BOX, max_thrown=2, exact=True)
    assert best.prob == max(chances.values())
    for option in keep_options(hand, BOX, max_thrown=2, exact=True):
        assert option.prob == chances[next(k for k in keeps if arrange(k) == arrange_kept(option))]


def arrange_kept(option):
    return format_hand(option.kept, BOX.ranking)


def test_two_throws_by_going_through_everything():
    """Three plain dice of three faces: three alike of the top face within two throws."""
    claims = presets.LIAR_DIE.replace(equipment="dice(3,3)", ranking="multiplicity").claims
    per_kept = {j: Fraction(1, 3) ** (3 - j) for j in range(4)}  # keep j threes, throw the others
    by_hand = sum(
        Fraction(1, 27) * per_kept[(a, b, c).count(3)]
        for a in (1, 2, 3)
        for b in (1, 2, 3)
        for c in (1, 2, 3)
    )
    assert p_claim("333", claims, throws=2, exact=True) == by_hand

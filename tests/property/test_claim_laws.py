"""Laws of claims and of their odds, over dice and packs of many sizes."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve import best_keep, hand_distribution, keep_options, p_claim, passed_distribution
from liarsolve.claims import (
    MULTIPLICITY,
    ClaimDetail,
    ClaimSet,
    Truth,
    format_claim,
    format_hand,
    parse_claim,
    parse_hand,
    spell_claim,
)
from liarsolve.dice.equipment import Equipment
from liarsolve.rules import CUP_PRESETS

EQUIPMENTS = [Equipment.dice(n, f) for n in range(1, 5) for f in range(2, 5)] + [
    Equipment.cards(2, 3, 2),
    Equipment.cards(3, 3, 2),
    Equipment.cards(3, 4, 3),
]
CLAIM_SETS = [
    ClaimSet(equipment, MULTIPLICITY, detail) for equipment in EQUIPMENTS for detail in ClaimDetail
]
claim_sets = st.sampled_from(CLAIM_SETS)
few = settings(max_examples=40, deadline=None)


def draw_hand(data, claims):
    return data.draw(st.sampled_from(claims.equipment.hands))


def draw_claim(data, claims):
    return data.draw(st.sampled_from(claims.claims))


@few
@given(claims=claim_sets, data=st.data())
def test_texts_are_read_as_they_were_meant(claims, data):
    claim, hand = draw_claim(data, claims), draw_hand(data, claims)
    assert parse_claim(format_claim(claim, claims), claims) == claim
    assert parse_claim(spell_claim(claim, claims).upper(), claims) == claim
    assert parse_hand(format_hand(hand, claims.ranking), claims) == hand


@pytest.mark.parametrize("rules", CUP_PRESETS.values(), ids=CUP_PRESETS)
@pytest.mark.parametrize("detail", ClaimDetail)
def test_every_claim_of_every_preset_is_read_as_it_was_meant(rules, detail):
    """Under the detail of the preset and under every other one."""
    claims = rules.replace(claim_detail=detail).claims
    for claim in claims:
        for write in (format_claim, spell_claim):
            assert parse_claim(write(claim, claims), claims) == claim


@few
@given(claims=claim_sets, data=st.data())
def test_a_higher_claim_is_true_of_fewer_hands(claims, data):
    """Under truth at least: of two claims, the higher one implies the lower."""
    table = claims.truth_table(Truth.AT_LEAST)
    low, high = sorted(data.draw(st.lists(st.integers(0, len(claims) - 1), min_size=2, max_size=2)))
    assert (table[high] <= table[low]).all()


@few
@given(claims=claim_sets, data=st.data())
def test_what_matches_is_also_contained_and_at_least(claims, data):
    claim_id, hand = claims.index(draw_claim(data, claims)), draw_hand(data, claims)
    if claims.is_true(claim_id, hand, Truth.MATCHES):
        assert claims.is_true(claim_id, hand, Truth.CONTAINS)
        assert claims.is_true(claim_id, hand, Truth.AT_LEAST)
    assert claims.is_true(claim_id, hand, Truth.MATCHES) == (
        claims[claim_id] in claims.claims_of_hand(hand)
    )


@few
@given(claims=claim_sets, data=st.data())
def test_throwing_some_dice_of_a_fresh_throw_is_a_fresh_throw(claims, data):
    """The mean of `passed_distribution` over all hands is the distribution of the first throw."""
    equipment = claims.equipment
    n_thrown = data.draw(st.integers(0, equipment.n_items))
    mean = [Fraction(0)] * len(equipment.hands)
    for hand, weight in zip(equipment.hands, equipment.weights, strict=True):
        distribution = passed_distribution(claims, hand, n_thrown, exact=True)
        share = Fraction(weight, equipment.total_weight)
        mean = [a + share * b for a, b in zip(mean, distribution.probs(), strict=True)]
    assert mean == hand_distribution(claims, exact=True).probs().tolist()


@few
@given(claims=claim_sets, data=st.data())
def test_choosing_and_more_throws_do_not_harm(claims, data):
    hand, claim = draw_hand(data, claims), draw_claim(data, claims)
    truth = data.draw(st.sampled_from(Truth))
    options = keep_options(hand, claims, claim, truth=truth, exact=True)
    best = best_keep(hand, claims, claim, truth=truth, exact=True)
    assert best.prob == max(option.prob for option in options)
    is_true_now = claims.is_true(claims.index(claim), hand, truth)
    assert best.prob >= is_true_now
    for option in options:
        assert option.prob == p_claim(claim, claims, kept=option.kept, truth=truth, exact=True)
    again = best_keep(hand, claims, claim, truth=truth, throws=2, exact=True)
    assert again.prob >= best.prob

import numpy as np
import pytest

from liarsolve.claims import (
    CLASSIC,
    FACES,
    GENERALA_BOXES,
    GENERALA_POKER,
    MIA,
    MULTIPLICITY,
    POKER,
    Category,
    Claim,
    ClaimDetail,
    ClaimSet,
    NothingClaims,
    Truth,
)
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import InputError, RuleError

DICE, CARDS = Equipment.dice(5, 6), Equipment.cards()
BOX = ClaimSet(DICE, POKER, ClaimDetail.PREFIX)
CLASSIC_CLAIMS = ClaimSet(DICE, CLASSIC, ClaimDetail.FULL, NothingClaims.FORBIDDEN)
DOUBTFUL = ClaimSet(DICE, GENERALA_POKER, ClaimDetail.LEAD, NothingClaims.FORBIDDEN)
LIAR_CARDS = ClaimSet(CARDS, POKER, ClaimDetail.PREFIX)
BOXES = ClaimSet(DICE, GENERALA_BOXES, ClaimDetail.CATEGORY)
SMALL = [
    ClaimSet(Equipment.dice(n, f), MULTIPLICITY, detail)
    for n, f in [(1, 4), (2, 3), (3, 3)]
    for detail in ClaimDetail
]
SETS = [BOX, CLASSIC_CLAIMS, DOUBTFUL, LIAR_CARDS, BOXES, *SMALL] + [
    ClaimSet(DICE, POKER, detail, nothing)
    for detail in (ClaimDetail.SUBSET, ClaimDetail.PRIMARY, ClaimDetail.CATEGORY)
    for nothing in NothingClaims
]


def test_sizes_of_the_published_vocabularies():
    assert [len(claims) for claims in (CLASSIC_CLAIMS, BOX, LIAR_CARDS, DOUBTFUL)] == [
        *(248, 363, 357, 37)
    ]
    assert len(ClaimSet(Equipment.dice(2, 6), MIA)) == 21
    assert len(ClaimSet(Equipment.dice(1, 6), FACES)) == 6


def test_bx_9_a_longer_quote_beats_a_shorter_one():
    """The four quotes of J J Q 10 9, and 99+J below 99+J10."""
    quotes = BOX.claims_of_hand((1, 2, 3, 3, 4))
    assert quotes == tuple(
        Claim(Category.PAIR, faces) for faces in ((3, 3), (3, 3, 4), (3, 3, 4, 2), (3, 3, 4, 2, 1))
    )
    ids = [BOX.index(quote) for quote in quotes]
    assert ids == sorted(ids)
    assert len({tuple(BOX.truth_table()[claim_id]) for claim_id in ids}) == 1  # free raises


def test_bx_9_363_claims_have_252_truth_sets():
    assert len({tuple(row) for row in BOX.truth_table(Truth.AT_LEAST)}) == 252


def test_bx_q2_subsets_may_leave_a_higher_odd_die_out():
    subset = ClaimSet(DICE, POKER, ClaimDetail.SUBSET)
    skipping = Claim(Category.PAIR, (3, 3, 2))  # a pair of jacks with a ten
    assert skipping in subset
    assert skipping not in BOX


def test_bx_q3_two_pairs_and_full_houses_are_quoted_whole():
    for category in (Category.FULL, Category.TWO_PAIRS):
        assert min(len(claim.faces) for claim in BOX if claim.category is category) >= 4


def test_bx_q9_nothing_claims():
    counts = {
        nothing: len(ClaimSet(DICE, POKER, ClaimDetail.PREFIX, nothing))
        for nothing in NothingClaims
    }
    assert counts == {
        NothingClaims.NAMED: 363,
        NothingClaims.PREFIX: 373,
        NothingClaims.FORBIDDEN: 359,
    }


def test_bx_q10_lc_3_the_highest_claim_of_cards_is_aces_with_a_king():
    """A bare AAAA can still be raised by AAAA+9 and so on; five of a kind cannot occur."""
    aces = Claim(Category.FOUR, (6, 6, 6, 6))
    raises = [Claim(Category.FOUR, (6, 6, 6, 6, face)) for face in range(1, 6)]
    assert list(LIAR_CARDS)[LIAR_CARDS.index(aces) :] == [aces, *raises]
    assert all(claim.category is not Category.FIVE for claim in LIAR_CARDS)
    counts = {
        nothing: len(ClaimSet(CARDS, POKER, ClaimDetail.PREFIX, nothing))
        for nothing in NothingClaims
    }
    assert counts[NothingClaims.NAMED] == 357
    assert counts[NothingClaims.FORBIDDEN] == 353


def test_dd_q2_after_threes_full_comes_fours_full():
    threes = DOUBTFUL.index(Claim(Category.FULL, (3, 3, 3)))
    assert DOUBTFUL[threes + 1] == Claim(Category.FULL, (4, 4, 4))
    assert DOUBTFUL.is_true(threes, (1, 1, 3, 3, 3))
    assert not DOUBTFUL.is_true(threes, (2, 2, 2, 6, 6))


def test_dd_q10_nothing_is_not_claimed():
    assert all(claim.category is not Category.NOTHING for claim in DOUBTFUL)
    assert all(claim.category is not Category.NOTHING for claim in CLASSIC_CLAIMS)  # CL.5


def test_dd_q1_boxes_claim_numbers_by_their_sum():
    two_threes = BOXES.index(Claim(Category.NUMBER, (3, 3)))
    one_six = BOXES.index(Claim(Category.NUMBER, (6,)))
    assert BOXES.ranks[two_threes] == BOXES.ranks[one_six]
    hand = (1, 3, 3, 4, 5)
    assert [BOXES.is_true(one_six, hand, truth) for truth in Truth] == [True, False, False]
    assert [BOXES.is_true(two_threes, hand, truth) for truth in Truth] == [True, True, True]
    assert [str(claim.category.value) for claim in BOXES][-4:] == [
        *("straight", "full", "four", "five")
    ]


def test_bx_q1_truths_differ_as_they_say():
    jacks = BOX.index(Claim(Category.PAIR, (3, 3)))
    queens_full = (1, 1, 4, 4, 4)
    assert [BOX.is_true(jacks, queens_full, truth) for truth in Truth] == [True, False, False]
    three_jacks = (1, 2, 3, 3, 3)
    assert [BOX.is_true(jacks, three_jacks, truth) for truth in Truth] == [True, False, True]


def test_a_bare_category_is_contained_in_what_has_more_alike():
    bare = ClaimSet(DICE, POKER, ClaimDetail.CATEGORY)
    pair, full = bare.index(Claim(Category.PAIR)), bare.index(Claim(Category.FULL))
    assert bare.is_true(pair, (1, 1, 4, 4, 4), Truth.CONTAINS)  # a full house makes a pair true
    assert not bare.is_true(full, (1, 4, 4, 4, 4), Truth.CONTAINS)
    assert not bare.is_true(pair, (2, 3, 4, 5, 6), Truth.CONTAINS)


@pytest.mark.parametrize(
    "claims", SETS, ids=lambda c: f"{c.ranking.name}-{c.detail.value}-{len(c)}"
)
class TestEverySet:
    def test_a_larger_id_is_a_higher_claim(self, claims):
        assert list(claims.ranks) == sorted(claims.ranks)
        assert list(claims.least_ranks) == sorted(claims.least_ranks)

    def test_ids_and_claims_are_inverses(self, claims):
        assert [claims.index(claim) for claim in claims] == list(range(len(claims)))
        assert claims[len(claims) - 1] == claims.claims[-1]

    def test_a_claim_that_fits_is_true_in_every_sense(self, claims):
        for truth in Truth:
            table = claims.truth_table(truth)
            assert table.dtype == np.bool_
            assert table.shape == (len(claims), len(claims.equipment.hands))
            assert not table.flags.writeable
            for hand_id, hand in enumerate(claims.equipment.hands):
                for claim in claims.claims_of_hand(hand):
                    assert table[claims.index(claim), hand_id]

    def test_table_and_question_agree(self, claims):
        for truth in Truth:
            table = claims.truth_table(truth)
            for claim_id in range(0, len(claims), 7):
                for hand_id in range(0, len(claims.equipment.hands), 11):
                    hand = claims.equipment.hands[hand_id]
                    assert claims.is_true(claim_id, hand, truth) == table[claim_id, hand_id]


def test_the_toy_games_claim_every_hand():
    for n, f in [(1, 2), (2, 2), (2, 4), (3, 3)]:
        claims = ClaimSet(Equipment.dice(n, f), MULTIPLICITY)
        assert len(claims) == len(claims.equipment.hands)
        assert sorted(claims.least_ranks) == list(range(len(claims)))


def test_what_cannot_be_said_is_said():
    with pytest.raises(InputError, match="the claim pair with the faces 3 3 2 is not one of the 3"):
        BOX.index(Claim(Category.PAIR, (3, 3, 2)))
    with pytest.raises(
        InputError, match="a hand here has 5 faces from 1 to 6 in rising order, got"
    ):
        BOX.is_true(0, (2, 1, 1, 1, 1))
    with pytest.raises(RuleError, match="the ranking poker is made for 6 faces, got 7"):
        ClaimSet(Equipment.dice(5, 7), POKER)
    with pytest.raises(RuleError, match="number boxes are claimed as a whole, so the claim detail"):
        ClaimSet(DICE, GENERALA_BOXES, ClaimDetail.FULL)

import pytest

from liarsolve.claims import (
    CLASSIC,
    FACES,
    GENERALA_ACE_RUNS,
    GENERALA_BOXES,
    GENERALA_POKER,
    GENERALA_WRAP_RUN,
    MIA,
    MULTIPLICITY,
    POKER,
    RANKINGS,
    Category,
    Ranking,
)
from liarsolve.dice import enumerate_hands, hand_weight
from liarsolve.errors import RuleError

HANDS = enumerate_hands(5, 6)


def hands_low_to_high(ranking, hands=HANDS):
    return sorted(hands, key=ranking.key)


def test_cl_12_runs_stand_above_four_and_odd_dice_break_ties():
    order = hands_low_to_high(CLASSIC)
    assert order[4] == (1, 1, 2, 3, 4)  # the lowest that may be claimed: 99QJ10
    assert order[-1] == (6,) * 5
    assert order[-8:-6] == [(1, 2, 3, 4, 5), (2, 3, 4, 5, 6)]
    assert order[-9] == (5, 6, 6, 6, 6)


def test_bx_10_full_house_stands_above_runs():
    order = hands_low_to_high(POKER)
    below_full = order.index((1, 1, 1, 2, 2))
    assert order[below_full - 2 : below_full] == [(1, 2, 3, 4, 5), (2, 3, 4, 5, 6)]
    assert order[:4] == [(1, 2, 3, 4, 6), (1, 2, 3, 5, 6), (1, 2, 4, 5, 6), (1, 3, 4, 5, 6)]
    # triple first, then the pair
    assert POKER.key((5, 5, 5, 1, 1)) < POKER.key((6, 6, 6, 1, 1)) < POKER.key((2, 2, 6, 6, 6))


@pytest.mark.parametrize("ranking", [CLASSIC, POKER, GENERALA_POKER, GENERALA_WRAP_RUN])
def test_five_dice_are_in_strict_order(ranking):
    assert len({ranking.key(hand) for hand in HANDS}) == 252
    assert ranking.is_strict


def test_dd_q1_generala_as_poker_has_the_order_of_box():
    assert hands_low_to_high(GENERALA_POKER) == hands_low_to_high(POKER)


def test_dd_q8_straights():
    """Rolls of 7776 that make a run: two straights, with a wrap, with a one as two or six."""
    counts = {}
    for ranking in (GENERALA_POKER, GENERALA_WRAP_RUN, GENERALA_ACE_RUNS):
        counts[ranking.name] = sum(
            hand_weight(hand) for hand in HANDS if ranking.category(hand).value.endswith("_run")
        )
    assert counts == {"generala_poker": 240, "generala_wrap_run": 360, "generala_ace_runs": 420}
    assert GENERALA_POKER.key((1, 2, 3, 4, 5)) < GENERALA_POKER.key((2, 3, 4, 5, 6))
    assert GENERALA_WRAP_RUN.key((2, 3, 4, 5, 6)) < GENERALA_WRAP_RUN.key((1, 3, 4, 5, 6))
    assert GENERALA_ACE_RUNS.key((1, 1, 3, 4, 5)) == GENERALA_ACE_RUNS.key((1, 2, 3, 4, 5))
    assert not GENERALA_ACE_RUNS.is_strict


def test_dd_q1_boxes_tie_where_sums_do():
    key = GENERALA_BOXES.key
    assert key((1, 2, 3, 3, 4)) == key((1, 2, 3, 4, 6))  # two threes are one six
    assert (
        key((1, 1, 2, 2, 6)) < key((1, 1, 4, 4, 6)) < key((1, 2, 3, 4, 5)) == key((2, 3, 4, 5, 6))
    )
    assert key((1, 1, 1, 2, 2)) == key((6, 6, 6, 5, 5)) < key((1, 1, 1, 1, 2))
    assert not GENERALA_BOXES.is_strict


def test_mia_has_21_values_with_21_on_top():
    order = hands_low_to_high(MIA, enumerate_hands(2, 6))
    assert [MIA.say(hand) for hand in order] == [
        *[(3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 1), (5, 2), (5, 3), (5, 4)],
        *[(6, 1), (6, 2), (6, 3), (6, 4), (6, 5)],
        *[(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)],
        (2, 1),
    ]
    assert len({MIA.key(hand) for hand in order}) == 21


def test_one_die_goes_by_its_face():
    assert hands_low_to_high(FACES, enumerate_hands(1, 8)) == [(face,) for face in range(1, 9)]


def test_more_alike_is_higher_without_runs():
    assert hands_low_to_high(MULTIPLICITY, enumerate_hands(2, 3)) == [
        *[(1, 2), (1, 3), (2, 3)],
        *[(1, 1), (2, 2), (3, 3)],
    ]
    assert MULTIPLICITY.category((1, 2, 3, 4, 5)) is Category.SINGLES


def test_order_of_faces_can_differ_from_their_numbers():
    """Plain dice on which the one is the ace, above the six."""
    aces_high = Ranking("aces_high", MULTIPLICITY.categories, faces_low_to_high=(2, 3, 4, 5, 6, 1))
    assert aces_high.key((1, 1)) > aces_high.key((6, 6))
    assert aces_high.say((1, 1, 4, 4, 6)) == (1, 1, 4, 4, 6)


def test_dice_of_a_category():
    assert POKER.ranking_dice((1, 1, 3, 4, 6)) == (1, 1)
    assert POKER.ranking_dice((1, 1, 3, 3, 6)) == (3, 3, 1, 1)
    assert POKER.leading_dice((1, 1, 3, 3, 6)) == (3, 3)
    assert POKER.leading_dice((1, 1, 1, 3, 3)) == (1, 1, 1)
    assert POKER.leading_dice((2, 3, 4, 5, 6)) == (6, 5, 4, 3, 2)
    assert POKER.ranking_dice((1, 2, 3, 4, 6)) == (6,)


def test_ready_rankings_go_by_their_names():
    assert set(RANKINGS) == {ranking.name for ranking in RANKINGS.values()}
    assert RANKINGS["mia"] is MIA


def test_what_cannot_be_ranked_is_said():
    with pytest.raises(RuleError, match="the ranking faces knows singles, but no place for the"):
        FACES.category((1, 1))
    with pytest.raises(RuleError, match="the ranking mia has the categories singles, pair, mia, n"):
        MIA.level(Category.FULL)
    with pytest.raises(RuleError, match="a ranking lists each of its categories once, got pair, p"):
        Ranking("twice", (Category.PAIR, Category.PAIR))
    with pytest.raises(RuleError, match=r"the hand \(1, 2\) belongs to mia, which is not among"):
        Ranking("odd", (Category.PAIR,), ((Category.MIA, (1, 2)),))
    with pytest.raises(RuleError, match=r"faces_low_to_high lists each face from 1 up once, got"):
        Ranking("holes", (Category.PAIR,), faces_low_to_high=(1, 3))

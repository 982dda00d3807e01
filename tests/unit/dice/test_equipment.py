from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest

from liarsolve.dice.equipment import Equipment
from liarsolve.errors import InputError

EQUIPMENTS = [
    Equipment.dice(1, 6),
    Equipment.dice(3, 4),
    Equipment.dice(5, 6),
    Equipment.cards(),
    Equipment.cards(3, 3, 2),
]


def all_outcomes(equipment, kept):
    """The sorted hands of every throw or draw, one by one: the physical dice and cards."""
    n = equipment.n_items - len(kept)
    if not equipment.is_cards:
        for thrown in product(range(1, equipment.n_faces + 1), repeat=n):
            yield tuple(sorted((*kept, *thrown)))
        return
    pack = [rank for rank in range(1, equipment.n_faces + 1) for _ in range(equipment.n_suits)]
    for rank in kept:
        pack.remove(rank)
    for drawn in combinations(pack, n):
        yield tuple(sorted((*kept, *drawn)))


def test_standard_counts():
    dice, cards = Equipment.dice(5, 6), Equipment.cards()
    assert (len(dice.hands), dice.total_weight, len(dice.kept_hands)) == (252, 7776, 462)
    assert (len(cards.hands), cards.total_weight, len(cards.kept_hands)) == (246, 42504, 456)
    assert (dice.is_cards, cards.is_cards) == (False, True)


@pytest.mark.parametrize("equipment", EQUIPMENTS, ids=str)
def test_weights_sum_to_all_throws_or_deals(equipment):
    assert sum(equipment.weights) == equipment.total_weight
    assert dict(zip(equipment.hands, equipment.weights, strict=True)) == dict(equipment.redraw(()))


@pytest.mark.parametrize("equipment", EQUIPMENTS, ids=str)
def test_position_of_a_hand_is_its_id(equipment):
    assert list(equipment.hands) == sorted(equipment.hands)
    assert [equipment.hand_ids[hand] for hand in equipment.hands] == list(
        range(len(equipment.hands))
    )


@pytest.mark.parametrize("equipment", [e for e in EQUIPMENTS if e.n_items < 5], ids=str)
def test_redraws_are_those_of_physical_dice_and_cards(equipment):
    for kept in equipment.kept_hands:
        outcomes = list(all_outcomes(equipment, kept))
        distribution = dict(equipment.redraw(kept))
        assert len(outcomes) == equipment.n_redraws(equipment.n_items - len(kept))
        assert distribution == {hand: outcomes.count(hand) for hand in set(outcomes)}


def test_lc_2_discards_are_drawn_from_again():
    pack = Equipment.cards()
    assert [pack.n_redraws(k) for k in range(6)] == [comb(19 + k, k) for k in range(6)]
    # four aces kept: the 20 other cards are all in the pack, the discarded king too
    assert sum(ways for _, ways in pack.redraw((6, 6, 6, 6))) == 20
    assert dict(pack.redraw((6, 6, 6, 6)))[5, 6, 6, 6, 6] == 4
    # two aces kept, two left: the chance of four is C(2, 2) * 20 of C(22, 3)
    four = sum(ways for hand, ways in pack.redraw((6, 6)) if hand.count(6) == 4)
    assert Fraction(four, pack.n_redraws(3)) == Fraction(20, 1540)


def test_kept_hands_are_parts_of_hands():
    for equipment in EQUIPMENTS:
        parts = {
            tuple(part)
            for hand in equipment.hands
            for size in range(equipment.n_items + 1)
            for part in combinations(hand, size)
        }
        assert set(equipment.kept_hands) == parts
        assert len(equipment.kept_hands) == len(parts)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Equipment.dice(0, 6), "a hand needs a die with a face, got 0 dice of 6 faces"),
        (
            lambda: Equipment.cards(5, 2, 2),
            "a hand of 5 cards needs a pack at least as large, got 2 ranks in 2 suits",
        ),
        (
            lambda: Equipment.dice(2, 6).redraw((3, 1)),
            "what is kept must be part of a hand of 2, in rising order of the faces 1 to 6, "
            r"got \(3, 1\)",
        ),
        (lambda: Equipment.cards().redraw((6,) * 5), "what is kept must be part of a hand of 5"),
    ],
)
def test_what_cannot_be_is_said(make, message):
    with pytest.raises(InputError, match=message):
        make()

"""The table of values that the library ships: what it must hold, and a sample solved anew."""

from fractions import Fraction
from itertools import product

import pytest

from liarsolve import certified_values, presets, solve
from liarsolve.rules import get_preset

VALUES = {(row.rules, row.dice): row for row in certified_values()}
SAMPLE = [
    ("common", (1, 1), 1e-5),
    ("common", (2, 1), 1e-4),
    ("common", (1, 3), 1e-3),
    ("common", (2, 2), 1e-3),
    ("liars_dice", (1, 2), 1e-3),
    ("perudo", (1, 1), 1e-4),
    ("perudo", (2, 1), 1e-3),
]


def test_common_rounds_of_up_to_five_dice_are_there():
    pairs = {(a, b) for a, b in product(range(1, 5), repeat=2) if a + b <= 5}
    assert {dice for rules, dice in VALUES if rules == "common"} == pairs
    assert all(row.faces == 6 for row in VALUES.values())


@pytest.mark.parametrize(
    ("rules", "dice", "exact"),
    [
        # Linear programs of the sequence form, proved in rational arithmetic.
        ("common", (1, 1), Fraction(-1, 9)),
        ("common", (2, 1), Fraction(212027, 771552)),
        ("common", (1, 2), Fraction(-22, 81)),
        ("common", (2, 2), Fraction(-97993266983069, 5815959611262048)),
        ("liars_dice", (1, 1), Fraction(-7, 327)),
        ("liars_dice", (1, 2), Fraction(-5, 54)),
    ],
)
def test_known_fractions_are_named_and_lie_between_the_bounds(rules, dice, exact):
    row = VALUES[rules, dice]
    lower, upper = row.value_bounds
    assert row.exact_value == exact
    assert lower <= exact <= upper


def test_two_against_two_lies_where_four_digits_were_published():
    lower, upper = VALUES["common", (2, 2)].value_bounds
    assert lower <= -0.0168 + 5e-5
    assert upper >= -0.0168 - 5e-5
    assert upper - lower < 3e-9


def test_rounds_of_up_to_three_dice_are_known_to_nine_digits():
    small = [row for row in VALUES.values() if sum(row.dice) <= 3]
    assert len(small) == 9
    assert all(row.exploitability <= 1e-9 for row in small)


@pytest.mark.parametrize("row", VALUES.values(), ids=lambda row: f"{row.rules}{row.dice}")
def test_bounds_are_as_far_apart_as_the_exploitability_says(row):
    lower, upper = row.value_bounds
    # The bounds are widened by 1e-12 for rounding.
    assert (upper - lower) / 2 == pytest.approx(row.exploitability, abs=2e-12)
    assert -1 <= lower < upper <= 1
    assert row.rules in presets.BIDDING_PRESETS


@pytest.mark.parametrize(("rules", "dice", "target"), SAMPLE, ids=str)
def test_a_sample_solved_anew_agrees(rules, dice, target):
    row = VALUES[rules, dice]
    solution = solve(get_preset(rules), dice, target=target)
    assert solution.exploitability <= target
    lower, upper = solution.value_bounds
    assert lower <= row.value_bounds[1]
    assert upper >= row.value_bounds[0]
    assert row.exploitability < target

import math
from fractions import Fraction
from itertools import product

import pytest

from liarsolve import largest_count_distribution
from liarsolve.errors import InputError, InputTypeError

# sides, wild, hidden dice, hand, faces
TABLES = [
    (6, 1, 4, (), range(1, 7)),
    (6, 1, 3, (1, 2, 2), range(2, 7)),
    (6, None, 4, (3, 3), (3, 5)),
    (6, 6, 3, (6, 1), (6,)),
    (6, 6, 3, (6, 1), (1, 6)),
    (3, 2, 5, (), (1, 3)),
    (2, 1, 5, (2,), (1, 2)),
    (2, None, 0, (2,), (1, 2)),
]


@pytest.mark.parametrize(("sides", "wild", "n", "hand", "faces"), TABLES)
def test_matches_enumeration(sides, wild, n, hand, faces):
    distribution = largest_count_distribution(
        n, hand=hand, faces=faces, wild=wild, sides=sides, exact=True
    )
    rolls = [
        [sum(die in (face, wild) for die in roll + hand) for face in faces]
        for roll in product(range(1, sides + 1), repeat=n)
    ]
    for q in range(-1, n + len(hand) + 2):
        assert distribution.exactly(q) == Fraction(sum(max(c) == q for c in rolls), len(rolls))
        assert distribution.at_least(q) == Fraction(sum(max(c) >= q for c in rolls), len(rolls))
        assert distribution.some_face_exactly(q) == Fraction(sum(q in c for c in rolls), len(rolls))


def test_wild_face_itself_makes_no_difference_to_the_largest():
    every, others = (
        largest_count_distribution(total=9, hand=(1, 4), faces=faces, exact=True)
        for faces in (None, (6, 5, 4, 3, 2, 2))
    )
    assert (every.faces, others.faces) == ((1, 2, 3, 4, 5, 6), (2, 3, 4, 5, 6))
    assert every.pmf.tolist() == others.pmf.tolist()
    assert every.some_face_exactly(1) > others.some_face_exactly(1)


def test_floats_are_the_fractions_rounded():
    exact, rounded = (largest_count_distribution(25, exact=exact) for exact in (True, False))
    assert rounded.pmf.tolist() == [float(p) for p in exact.pmf]
    assert rounded.at_least(9) == float(exact.at_least(9))
    assert rounded.mean == float(exact.mean)
    assert rounded.some_face_exactly(9) == float(exact.some_face_exactly(9))
    assert exact.unseen == 25


def test_dice_with_many_sides():
    distribution = largest_count_distribution(3, wild=None, sides=1000, exact=True)
    assert distribution.pmf.tolist() == [
        0,
        Fraction(999 * 998, 10**6),
        Fraction(3 * 999, 10**6),
        Fraction(1, 10**6),
    ]


def test_bad_arguments_are_named():
    with pytest.raises(InputError, match="faces must name at least one face from 1 to 6"):
        largest_count_distribution(4, faces=())
    with pytest.raises(InputError, match=r"face must lie in 1\.\.6, got 7"):
        largest_count_distribution(4, faces=(3, 7))
    with pytest.raises(InputTypeError, match="face must be a whole number, got '2'"):
        largest_count_distribution(4, faces="23")
    with pytest.raises(InputError, match="give either unseen"):
        largest_count_distribution()
    with pytest.raises(InputError, match="at least 3, got 2"):
        largest_count_distribution(total=2, hand=(1, 2, 3))
    for call in (
        lambda: largest_count_distribution(math.nan),
        lambda: largest_count_distribution(4).some_face_exactly(math.nan),
    ):
        with pytest.raises(InputError, match="must be a number, got nan"):
            call()

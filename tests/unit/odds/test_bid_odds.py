import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from liarsolve import (
    log_p_at_least,
    log_p_exactly,
    log_p_fewer,
    p_at_least,
    p_exactly,
    p_fewer,
)
from liarsolve.errors import InputError, InputTypeError

PROBS = [p_at_least, p_exactly, p_fewer]
LOGS = [log_p_at_least, log_p_exactly, log_p_fewer]
ALL = PROBS + LOGS


def test_own_dice_and_hidden_dice_are_put_together():
    by_hand = p_at_least(4, 3, total=15, hand=(1, 3, 3, 5, 6), exact=True)
    assert by_hand == p_at_least(4, 3, 10, hand=[5, 3, 1, 3, 6], exact=True)
    assert by_hand == p_at_least(4, 3, 10, own=3, exact=True)
    assert by_hand == p_at_least(1, 3, 10, exact=True) == 1 - Fraction(2, 3) ** 10


def test_wild_face_counts_for_every_bid_but_its_own():
    assert p_exactly(1, 3, 1, exact=True) == Fraction(2, 6)
    assert p_exactly(1, 1, 1, exact=True) == Fraction(1, 6)
    assert p_exactly(1, 1, 1, wild=6, exact=True) == Fraction(2, 6)
    assert p_exactly(1, 6, 1, wild=6, exact=True) == Fraction(1, 6)
    assert p_exactly(1, 3, 1, wild=None, exact=True) == Fraction(1, 6)
    assert p_exactly(1, 3, 1, sides=4, exact=True) == Fraction(2, 4)
    hand = (1, 1, 3, 6)
    certain = [p_exactly(n, face, 0, hand=hand) for n, face in ((2, 1), (3, 3), (3, 6), (2, 2))]
    assert certain == [1.0] * 4
    assert p_exactly(1, 3, 0, hand=hand, wild=None) == 1.0


@pytest.mark.parametrize("n", [0, 5, 128, 129, 10**6])
def test_certain_and_impossible_are_exact(n):
    for q in (-3, 0, 2):
        assert p_at_least(q, 3, n, own=2) == 1.0
        assert p_fewer(q, 3, n, own=2) == 0.0
        assert log_p_at_least(q, 3, n, own=2) == 0.0
        assert log_p_fewer(q, 3, n, own=2) == -math.inf
    assert p_exactly(1, 3, n, own=2) == 0.0
    assert log_p_exactly(1, 3, n, own=2) == -math.inf
    for q in (n + 3, 10**30):
        assert p_at_least(q, 3, n, own=2) == p_exactly(q, 3, n, own=2) == 0.0
        assert p_fewer(q, 3, n, own=2) == 1.0
        assert log_p_at_least(q, 3, n, own=2) == log_p_exactly(q, 3, n, own=2) == -math.inf
        assert log_p_fewer(q, 3, n, own=2) == 0.0


@pytest.mark.parametrize("n", [7, 1000])
@pytest.mark.parametrize("sides", [1, 2])
def test_dice_that_always_match(n, sides):
    ask = {"unseen": n, "sides": sides, "wild": 1 if sides == 2 else None}
    face = sides
    assert [f(n, face, **ask) for f in PROBS] == [1.0, 1.0, 0.0]
    assert [f(n - 1, face, **ask) for f in PROBS] == [1.0, 0.0, 0.0]
    assert [f(n + 1, face, **ask) for f in LOGS] == [-math.inf, -math.inf, 0.0]


@pytest.mark.parametrize("n", [129, 10**4, 10**9])
def test_logarithms_stay_finite_where_the_chance_underflows(n):
    assert (p_at_least(n, 1, n) == 0.0) == (n > 129)
    assert log_p_at_least(n, 1, n) == pytest.approx(-n * math.log(6), rel=1e-14)
    assert log_p_exactly(n, 1, n) == log_p_at_least(n, 1, n)
    assert log_p_fewer(1, 3, n) == pytest.approx(n * math.log(2 / 3), rel=1e-14)
    assert log_p_exactly(0, 3, n) == log_p_fewer(1, 3, n)
    assert math.isfinite(log_p_at_least(n - 1, 1, n))


def test_small_chance_of_falsehood_keeps_its_digits():
    assert p_fewer(1, 3, 60) == float(Fraction(2, 3) ** 60)
    assert log_p_at_least(1, 3, 60) == pytest.approx(-(2.0**60) / 3.0**60, rel=1e-15)
    assert log_p_at_least(1, 3, 10**4) == pytest.approx(0.0, abs=1e-300)


@pytest.mark.parametrize("ask", ALL)
def test_numbers_of_every_type_mean_the_same(ask):
    expected = ask(4, 3, 10, own=1)
    assert type(expected) is float
    for kind in (float, np.uint8, np.int16, np.uint64, np.float32, np.float64):
        assert ask(kind(4), kind(3), kind(10), own=kind(1)) == expected
    assert ask(4, 3, total=kind(12), hand=(3, 4)) == expected


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint64, np.float16, np.float64, object])
def test_arrays_of_every_type_mean_the_same(dtype):
    q = np.array([0, 1, 4, 11], dtype=dtype)
    expected = [p_at_least(n, 3, 10, own=2) for n in (0, 1, 4, 11)]
    assert p_at_least(q, 3, 10, own=np.array([2], dtype=dtype)).tolist() == expected
    assert p_at_least(q, np.array(3, dtype=dtype), np.array(10, dtype=dtype), own=2).tolist() == (
        expected
    )


def test_unsigned_arrays_do_not_wrap_around():
    q = np.array([1, 2], dtype=np.uint8)
    assert p_at_least(q, 3, 10, own=np.array([5, 200], dtype=np.uint8)).tolist() == [1.0, 1.0]
    assert p_at_least(np.uint8(250), 3, np.uint8(255), own=np.uint8(250)) == 1.0
    assert p_exactly(np.array([255], dtype=np.uint8), 3, np.array([1], dtype=np.uint8)) == [0.0]
    extremes = np.array([-(2**63), 2**63 - 1])
    assert p_at_least(extremes, 3, 10, own=3).tolist() == [1.0, 0.0]
    assert p_at_least(np.tile(extremes, 150_000), 3, 10, own=3)[:2].tolist() == [1.0, 0.0]


def test_arrays_broadcast():
    q, n = np.arange(5)[:, np.newaxis], np.array([0, 3, 8])
    grid = p_at_least(q, 3, n)
    assert grid.shape == (5, 3)
    assert grid.dtype == np.float64
    for i in range(5):
        for j in range(3):
            assert grid[i, j] == p_at_least(i, 3, int(n[j]))
    assert p_at_least([1, 2], 3, 5).tolist() == [p_at_least(1, 3, 5), p_at_least(2, 3, 5)]
    assert p_at_least(range(3), 3, 5).shape == (3,)
    assert p_at_least(np.zeros((0, 3), dtype=int), 3, 5).shape == (0, 3)
    zero_dim = p_at_least(np.array(2), 3, 5)
    assert isinstance(zero_dim, float)
    assert zero_dim == p_at_least(2, 3, 5)


def test_read_only_and_strided_arrays_are_fine():
    q = np.arange(400_000)
    q.flags.writeable = False
    assert p_at_least(q, 3, 60)[:60].tolist() == p_at_least(q[:60], 3, 60).tolist()
    assert p_at_least(q[::-2], 3, 60)[-1] == p_at_least(1, 3, 60)
    assert q[7] == 7


def test_faces_may_differ_within_an_array():
    faces = np.array([1, 2, 6, 1])
    expected = [p_at_least(2, face, 9) for face in (1, 2, 6, 1)]
    assert p_at_least(2, faces, 9).tolist() == expected
    assert p_at_least([[2], [2]], faces, 9).tolist() == [expected, expected]
    without = p_at_least(2, faces, 9, wild=None).tolist()
    assert without == [expected[0]] * 4


def test_small_and_large_tables_may_mix():
    n = np.array([3, 2000, 128, 129])
    expected = [log_p_at_least(2, 3, m) for m in n.tolist()]
    assert log_p_at_least(2, 3, n).tolist() == expected
    assert log_p_at_least([2, 2], 3, n[[1, 3]]).tolist() == [expected[1], expected[3]]


def test_hands_may_be_an_array():
    hands = np.array([[1, 3, 0, 0], [3, 3, 3, 0], [2, 2, 2, 2]], dtype=np.uint8)
    as_tuples = [(1, 3), (3, 3, 3), (2, 2, 2, 2)]
    expected = [p_at_least(3, 3, total=9, hand=hand) for hand in as_tuples]
    assert p_at_least(3, 3, total=9, hand=hands).tolist() == expected
    assert p_at_least(3, 3, total=9, hand=hands.tolist()).tolist() == expected
    faces = np.array([1, 3, 2])
    both = [p_at_least(3, f, total=9, hand=h) for f, h in zip((1, 3, 2), as_tuples, strict=True)]
    assert p_at_least(3, faces, total=9, hand=hands).tolist() == both
    grid = p_at_least(3, faces[:, np.newaxis], unseen=6, hand=hands)
    assert grid.shape == (3, 3)
    assert grid[1, 0] == p_at_least(3, 3, 6, hand=(1, 3))
    assert p_at_least(3, faces, total=9, hand=(1, 3)).tolist() == [
        p_at_least(3, face, total=9, hand=(1, 3)) for face in (1, 3, 2)
    ]
    assert p_at_least(3, 3, total=9, hand=np.array([1, 3, 0])) == expected[0]


def test_exact_gives_fractions():
    assert p_at_least(2, 3, 2, exact=True) == Fraction(1, 9)
    assert p_at_least(5, 3, 2, exact=True) == Fraction(0)
    assert isinstance(p_at_least(0, 3, 2, exact=True), Fraction)
    array = p_fewer([[0, 1, 2]], [[3], [1]], 2, exact=True)
    assert array.dtype == object
    assert array.tolist() == [
        [Fraction(0), Fraction(4, 9), Fraction(8, 9)],
        [Fraction(0), Fraction(25, 36), Fraction(35, 36)],
    ]
    assert p_at_least(999, 3, 1000, exact=True) == Fraction(2001, 3**1000)


@pytest.mark.parametrize("ask", ALL)
def test_nan_propagates(ask):
    nan = math.nan
    for answer in (
        ask(nan, 3, 10),
        ask(4, nan, 10, hand=(3,)),
        ask(4, 3, nan),
        ask(4, 3, total=nan, hand=(3,)),
        ask(4, 3, 10, own=np.float32(nan)),
    ):
        assert math.isnan(answer)
    assert np.isnan(ask([2.0, nan], 3, 10)).tolist() == [False, True]
    assert np.isnan(ask([2, 3], [nan, 3.0], 10)).tolist() == [True, False]
    assert np.isnan(ask(2, 3, [10.0, nan, 10.0])).tolist() == [False, True, False]
    assert np.isnan(ask(2, 3, total=[10.0, nan], hand=(3, 4))).tolist() == [False, True]
    assert np.isnan(ask(2, 3, 4, own=[nan, 0])).tolist() == [True, False]
    assert np.isnan(ask(2, 3, 4, hand=np.array([[3.0], [nan]]))).tolist() == [False, True]
    with_object = np.array([nan, 2], dtype=object)
    assert np.isnan(ask(with_object, 3, 10)).tolist() == [True, False]


def test_nan_is_no_fraction():
    with pytest.raises(InputError, match="NaN is none"):
        p_at_least(math.nan, 3, 10, exact=True)
    with pytest.raises(InputError, match="NaN is none"):
        p_at_least([math.nan, 1], 3, 10, exact=True)


BAD_VALUES = [
    ({"quantity": 2.5}, "quantity must be a whole number, got 2.5"),
    ({"quantity": math.inf}, "quantity must be a whole number, got inf"),
    ({"face": 0}, r"face must lie in 1\.\.6, got 0"),
    ({"face": 7}, r"face must lie in 1\.\.6, got 7"),
    ({"face": 5, "sides": 4}, r"face must lie in 1\.\.4, got 5"),
    ({"unseen": -1}, r"unseen must lie in 0\.\.10\*\*12, got -1"),
    ({"unseen": 10**12 + 1}, r"unseen must lie in 0\.\.10\*\*12, got 1000000000001"),
    ({"unseen": 1.5}, "unseen must be a whole number, got 1.5"),
    ({"own": -2}, r"own must lie in 0\.\.10\*\*12, got -2"),
    ({"unseen": None, "total": -1}, r"total must lie in 0\.\.10\*\*12, got -1"),
    ({"unseen": None, "total": 2, "hand": (1, 2, 3)}, "at least 3, got 2"),
    ({"unseen": None}, "give either unseen .* or total .*, got neither"),
    ({"total": 12}, "give either unseen .* or total .*, got unseen=.* and total=12"),
    ({"hand": (3,), "own": 1}, "give either hand or own"),
    ({"unseen": None, "total": 12, "own": 1}, "own=1 does not say how many dice you hold"),
    ({"hand": (1, 7)}, "a die of the hand must show 1..6, got 7"),
    ({"hand": (0,)}, "a die of the hand must show 1..6, got 0"),
    ({"hand": (2.5,)}, "a die of the hand must be a whole number, got 2.5"),
    ({"wild": 0}, "wild must be a face from 1 to 6, or None, got 0"),
    ({"wild": 7}, "wild must be a face from 1 to 6, or None, got 7"),
    ({"sides": 0}, r"sides must lie in 1\.\.10\*\*6, got 0"),
    ({"sides": 10**6 + 1}, r"sides must lie in 1\.\.10\*\*6, got 1000001"),
]


@pytest.mark.parametrize(("change", "message"), BAD_VALUES)
@pytest.mark.parametrize("ask", ALL)
def test_bad_values_are_named(ask, change, message):
    arguments = {"quantity": 4, "face": 3, "unseen": 10} | change
    with pytest.raises(ValueError, match=message):
        ask(**arguments)
    if "quantity" not in change:  # the same of arrays
        with pytest.raises(InputError, match=message):
            ask(**arguments | {"quantity": [4, 5]})


@pytest.mark.parametrize("bad", [True, "4", None, [True, 4], ["4"], 4j, np.bool_(True)])
@pytest.mark.parametrize("name", ["quantity", "face"])
def test_bad_types_are_named(bad, name):
    with pytest.raises(TypeError, match=f"{name} must (be a|hold) whole number"):
        p_at_least(**{"quantity": 4, "face": 3, "unseen": 10} | {name: bad})


@pytest.mark.parametrize("name", ["unseen", "total", "own", "wild", "sides", "hand"])
@pytest.mark.parametrize("bad", [True, "4"])
def test_bad_types_of_the_table_are_named(name, bad):
    table = {"total": {"total": bad}, "own": {"unseen": 10, "own": bad}}.get(
        name, {"unseen": 10} | {name: bad}
    )
    for quantity in (4, [4, 5]):
        with pytest.raises(InputTypeError, match=f"{name} must"):
            p_at_least(quantity, 3, **table)
    for hand in ((1, True), (1, "3"), ("3",)):
        with pytest.raises(InputTypeError, match="a die of the hand must"):
            p_at_least(4, 3, 10, hand=hand)


BAD_ARRAYS = [
    ({"quantity": [1.0, 2.5]}, "quantity must be a whole number, got 2.5"),
    ({"quantity": [1.0, -math.inf]}, "got -inf"),
    ({"quantity": [2.0**63, 1.0]}, "quantity must be below 2\\*\\*63, got 9.2"),
    ({"quantity": np.array([2**63])}, "quantity must be below 2\\*\\*63, got 9223372036854775808"),
    ({"quantity": [2**70, 1]}, "quantity must be below 2\\*\\*63, got 1180591620717411303424"),
    ({"quantity": [[1, 2], [3]]}, "rows of different lengths"),
    ({"face": [3, 9]}, r"face must lie in 1\.\.6, got 9"),
    ({"unseen": [3.0, math.nan, -4.0]}, "unseen must lie in .*, got -4"),
    ({"own": [3, -1]}, "own must lie in .*, got -1"),
    ({"unseen": None, "total": [2, 1], "hand": [[3, 0], [3, 3]]}, "at least 2, got 1"),
    ({"hand": [[1, 7]]}, "a die of the hand must show 1..6, or 0 for no die, got 7"),
    ({"hand": np.array(3)}, "hand must be an array of faces"),
    ({"quantity": [1, 2], "unseen": [1, 2, 3]}, "do not broadcast"),
    ({"face": [1, 2], "hand": [[1], [2], [3]]}, "do not broadcast"),
]


@pytest.mark.parametrize(("change", "message"), BAD_ARRAYS)
def test_bad_arrays_are_named(change, message):
    with pytest.raises(InputError, match=message):
        p_at_least(**{"quantity": 4, "face": 3, "unseen": 10} | change)


@pytest.mark.parametrize("bad", [np.array([True]), np.array(["1"]), np.array([1j]), ["a", 1]])
def test_arrays_of_other_things_are_refused(bad):
    with pytest.raises(InputTypeError, match="quantity must hold whole numbers"):
        p_at_least(bad, 3, 10)
    with pytest.raises(InputTypeError, match="a die of the hand must hold whole numbers"):
        p_at_least(4, 3, 10, hand=np.array([[True]]))


def test_numpy_comes_only_with_arrays():
    code = (
        "import sys; from liarsolve import count_distribution, log_p_fewer, odds_table;"
        "from liarsolve import p_at_least, Posterior;"
        "p_at_least(4.0, 3, total=300, hand=[3, 1]); log_p_fewer(4, 3, 10, own=1);"
        "count_distribution(3, 10).max_bid(); Posterior((2,)).p_at_least(1, 3); odds_table(5);"
        "assert not {'numpy', 'numba', 'scipy'} & set(sys.modules);"
        "p_at_least([4], 3, 10);"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

from fractions import Fraction

import numpy as np
import pytest

from liarsolve import p_five_aces
from liarsolve.errors import InputError, InputTypeError


def test_cl_q1_three_readings_differ():
    fresh_keep, carry_keep, fresh_all = p_five_aces(), p_five_aces(aces=2), p_five_aces(keep=False)
    assert fresh_all < fresh_keep < carry_keep


def test_without_a_throw_only_five_aces_are_five_aces():
    assert [p_five_aces(0, aces=j) for j in range(6)] == [0, 0, 0, 0, 0, 1]
    assert p_five_aces(0, keep=False) == 0


def test_arrays_broadcast():
    table = p_five_aces(np.arange(6)[:, None], aces=np.arange(6))
    assert table.dtype == np.float64
    assert table.shape == (6, 6)
    assert table[3, 2] == p_five_aces(3, aces=2)
    exact = p_five_aces([1, 2], keep=False, exact=True)
    assert exact.tolist() == [p_five_aces(n, keep=False, exact=True) for n in (1, 2)]


@pytest.mark.parametrize("keep", [True, False])
def test_many_throws_agree_with_the_exact_chance(keep):
    """Beyond 256 throws floats come from a logarithm."""
    for n in (256, 257, 1000):
        exact = p_five_aces(n, keep=keep, exact=True)
        assert p_five_aces(n, keep=keep) == pytest.approx(float(exact), rel=1e-15)
    assert p_five_aces(10**12, keep=keep) == 1


def test_whole_floats_are_numbers_too():
    assert p_five_aces(5.0, exact=True) == p_five_aces(exact=True)
    assert isinstance(p_five_aces(5, exact=True), Fraction)


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda: p_five_aces(-1), InputError, r"throws must lie in 0\.\.10\*\*12, got -1"),
        (
            lambda: p_five_aces(5, aces=6),
            InputError,
            "five dice show 0 to 5 aces in 0 or more throws, got 6 in 5",
        ),
        (
            lambda: p_five_aces(float("nan")),
            InputError,
            "five dice show 0 to 5 aces in 0 or more throws, got 0 in nan",
        ),
        (
            lambda: p_five_aces(5, aces=1, keep=False),
            InputError,
            "aces are kept only with keep=True, got aces=1 and keep=False",
        ),
        (lambda: p_five_aces("5"), InputTypeError, "throws must be a whole number, got '5'"),
    ],
)
def test_what_cannot_be_is_said(ask, error, message):
    with pytest.raises(error, match=message):
        ask()

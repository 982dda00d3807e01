"""The odds of bids against plain counting: enumeration, rational sums, and long decimals."""

import math
from fractions import Fraction
from random import Random

import mpmath
import numpy as np
import pytest
from scipy.stats import binom

from liarsolve import (
    log_p_at_least,
    log_p_exactly,
    log_p_fewer,
    p_at_least,
    p_exactly,
    p_fewer,
)
from reference.odds_by_counting import odds, pmf_by_enumeration, pmf_by_terms, precise_odds

FUNCTIONS = {"at_least": p_at_least, "exactly": p_exactly, "fewer": p_fewer}
LOGS = {"at_least": log_p_at_least, "exactly": log_p_exactly, "fewer": log_p_fewer}


@pytest.mark.parametrize("wild", [None, 1, 2])
@pytest.mark.parametrize(("sides", "n"), [(2, 0), (2, 5), (3, 4), (4, 3), (6, 1), (6, 4)])
@pytest.mark.parametrize("kind", FUNCTIONS)
def test_odds_match_enumeration(kind, sides, n, wild):
    for face in range(1, sides + 1):
        pmf = pmf_by_enumeration(n, face, wild, sides)
        for q in range(-1, n + 3):
            expected = odds(kind, q, pmf)
            answer = FUNCTIONS[kind](q, face, n, wild=wild, sides=sides, exact=True)
            assert answer == expected
            assert FUNCTIONS[kind](q, face, n, wild=wild, sides=sides) == float(expected)


@pytest.mark.parametrize("kind", FUNCTIONS)
@pytest.mark.parametrize("face", [1, 3], ids=["sixth", "third"])
def test_floats_are_correctly_rounded_up_to_sixty_dice(kind, face):
    for n in range(61):
        pmf = pmf_by_terms(n, Fraction(1 if face == 1 else 2, 6))
        expected = [float(odds(kind, q, pmf)) for q in range(n + 2)]
        assert [FUNCTIONS[kind](q, face, n) for q in range(n + 2)] == expected
        assert FUNCTIONS[kind](range(n + 2), face, n).tolist() == expected


@pytest.mark.parametrize("kind", FUNCTIONS)
@pytest.mark.parametrize(
    ("n", "wild", "sides"), [(61, 1, 6), (128, 1, 6), (128, 1, 7), (90, 2, 20)]
)
def test_floats_are_correctly_rounded_up_to_128_dice(kind, n, wild, sides):
    pmf = pmf_by_terms(n, Fraction(2, sides))
    for q in range(n + 2):
        assert FUNCTIONS[kind](q, 3, n, wild=wild, sides=sides) == float(odds(kind, q, pmf))


def questions(n, hit_prob, rng):
    """Numbers of needed matches beside the mean, in both tails and at both ends."""
    mean = n * hit_prob
    sd = math.sqrt(mean * (1 - hit_prob))
    spread = [int(mean + sd * z) for z in (-30, -8, -2.5, -0.5, 0, 0.4, 2, 9, 35)]
    anywhere = [rng.randrange(1, n + 1) for _ in range(3)]
    return [q for q in {1, 2, 17, *spread, *anywhere, n - 1, n} if 1 <= q <= n]


@pytest.mark.parametrize("sides", [2, 3, 6, 1000, 500_000])
@pytest.mark.parametrize("n", [129, 703, 20_000, 1_000_000])
def test_many_dice_keep_twelve_digits(n, sides):
    hit_prob = Fraction(1, sides)
    rng = Random(f"{n} dice of {sides} sides")
    for q in questions(n, hit_prob, rng):
        for kind in FUNCTIONS:
            truth, log_truth = precise_odds(kind, q, n, hit_prob)
            prob = FUNCTIONS[kind](q, 1, n, wild=None, sides=sides)
            if truth > 1e-300:
                assert abs(prob / truth - 1) <= 2e-12
            log_prob = LOGS[kind](q, 1, n, wild=None, sides=sides)
            assert math.isfinite(log_prob)
            # Near certainty the logarithm is minus the small tail, and as precise as that.
            bound = 1e-12 if log_truth < -1e-3 else 2e-12
            assert abs(log_prob / log_truth - 1) <= bound or abs(log_truth) < 1e-300


@pytest.mark.parametrize("kind", LOGS)
@pytest.mark.parametrize(("n", "sides"), [(1, 6), (10, 6), (60, 3), (128, 6), (128, 10**6)])
def test_logarithms_of_few_dice(kind, n, sides):
    pmf = pmf_by_terms(n, Fraction(1, sides))
    for q in range(-1, n + 3):
        prob = odds(kind, q, pmf)
        log_prob = LOGS[kind](q, 1, n, wild=None, sides=sides)
        if prob in (0, 1):
            assert log_prob == (0.0 if prob else -math.inf)
        else:
            with mpmath.workdps(400):  # 1 - 1e-300 has a logarithm too
                truth = mpmath.log(mpmath.mpf(prob.numerator) / prob.denominator)
            assert abs(log_prob - truth) <= 1e-15 * abs(truth) + 5e-324


def test_right_where_scipy_is_wrong():
    truth, _ = precise_odds("at_least", 665, 703, Fraction(1, 3))
    assert mpmath.nstr(truth, 5) == "1.1455e-261"
    assert binom.sf(664, 703, 1 / 3) == 0.0  # else there is nothing left to be better at
    assert abs(p_at_least(665, 3, 703) / truth - 1) < 2e-12


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_compiled_lookups_equal_single_answers(kind):
    rng = np.random.default_rng(5)
    n = rng.integers(0, 129, 200_000)
    q = rng.integers(-2, 132, 200_000)
    own = rng.integers(0, 3, 200_000)
    for own_or_none, start in ((None, 0), (own, 0), (None, 7)):
        many = FUNCTIONS[kind](q, 3, n, own=own_or_none)
        some = slice(start, None, 1777)
        sure = np.zeros_like(q) if own_or_none is None else own
        single = [
            FUNCTIONS[kind](a, 3, b, own=c)
            for a, b, c in zip(q[some].tolist(), n[some].tolist(), sure[some].tolist(), strict=True)
        ]
        assert many[some].tolist() == single


@pytest.mark.parametrize("kind", FUNCTIONS)
@pytest.mark.parametrize("functions", [FUNCTIONS, LOGS], ids=["prob", "log"])
def test_compiled_tails_agree_with_single_answers(kind, functions):
    rng = np.random.default_rng(6)
    n = rng.integers(1, 5000, 1000)
    q = rng.integers(-2, n + 2)
    many = functions[kind](q, 3, n)
    single = [functions[kind](a, 3, b) for a, b in zip(q.tolist(), n.tolist(), strict=True)]
    # The same operations in the same order; the two mathematics libraries may round differently.
    np.testing.assert_allclose(many, single, rtol=1e-13)

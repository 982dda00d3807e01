import math
from fractions import Fraction

import numpy as np
import pytest

from liarsolve import count_distribution, p_at_least, p_exactly, p_fewer
from liarsolve.errors import InputError, InputTypeError
from liarsolve.odds import CountDistribution, TabulatedDistribution

TABLE = {"total": 15, "hand": (1, 3, 3, 5, 6)}


def test_odds_are_those_of_the_bid():
    distribution = count_distribution(3, **TABLE)
    for q in range(-1, 18):
        assert distribution.at_least(q) == p_at_least(q, 3, **TABLE)
        assert distribution.exactly(q) == p_exactly(q, 3, **TABLE)
        assert distribution.fewer(q) == p_fewer(q, 3, **TABLE)
    assert distribution.at_least([4, 5]).tolist() == [
        distribution.at_least(4),
        distribution.at_least(5),
    ]
    assert math.isnan(distribution.at_least(math.nan))


@pytest.mark.parametrize("exact", [False, True])
def test_pmf_and_moments(exact):
    distribution = count_distribution(3, **TABLE, exact=exact)
    pmf = distribution.pmf
    assert pmf.tolist() == [p_exactly(q, 3, **TABLE, exact=exact) for q in range(16)]
    assert pmf[2] == pmf[14] == pmf[15] == 0  # two of the own dice do not match
    mean = sum(count * Fraction(p) for count, p in enumerate(pmf))
    var = sum((count - mean) ** 2 * Fraction(p) for count, p in enumerate(pmf))
    assert float(distribution.mean) == pytest.approx(float(mean), rel=1e-14)
    assert float(distribution.var) == pytest.approx(float(var), rel=1e-14)
    assert type(distribution.mean) is type(distribution.var) is (Fraction if exact else float)
    if exact:
        assert (sum(pmf), distribution.mean, distribution.var) == (
            1,
            Fraction(19, 3),
            Fraction(20, 9),
        )


def test_fields_describe_the_question():
    distribution = count_distribution(3, **TABLE)
    assert distribution == CountDistribution(
        face=3, own=3, unseen=10, total=15, wild=1, sides=6, exact=False
    )
    assert distribution == count_distribution(3.0, np.int64(10), hand=[1, 3, 3, 5, 6])
    assert hash(distribution) == hash(count_distribution(3, **TABLE))
    assert (distribution.hit_prob, distribution.support, distribution.n_counts) == (
        Fraction(1, 3),
        (3, 13),
        16,
    )
    assert count_distribution(3, 10, own=3).total == 13  # no other dice are known of
    assert count_distribution(1, 4, wild=None).hit_prob == Fraction(1, 6)
    assert count_distribution(1, 4, sides=1, wild=None).support == (4, 4)


def check_inverses(distribution):
    """The largest bid and the quantile by their definition, count by count."""
    low, high = distribution.support
    for level in (1e-9, 0.1, Fraction(1, 3), 0.5, 0.9, 1 - 1e-12, 1):
        reached = [q for q in range(high + 1) if distribution.at_least(q) >= level]
        assert distribution.max_bid(level) == (max(reached) if level < 1 else low)
        enough = [c for c in range(high + 1) if 1 - distribution.at_least(c + 1) >= level]
        assert distribution.quantile(level) == (min(enough) if level < 1 else high)


@pytest.mark.parametrize(("n", "own"), [(0, 0), (0, 2), (1, 0), (10, 3), (20, 0)])
def test_largest_bid_and_quantile_invert_the_odds(n, own):
    distribution = count_distribution(3, n, own=own, exact=True)
    check_inverses(distribution)
    check_inverses(TabulatedDistribution(weights=tuple(distribution.pmf), exact=True))


def test_a_level_that_is_met_exactly_counts():
    distribution = count_distribution(3, 2)  # true with 1, 5/9, 1/9
    assert [distribution.max_bid(5 / 9), distribution.max_bid(math.nextafter(5 / 9, 1))] == [1, 0]
    assert [distribution.quantile(4 / 9), distribution.quantile(math.nextafter(4 / 9, 1))] == [0, 1]


def test_certainty_is_not_rounded_to():
    distribution = count_distribution(3, 1000)
    assert distribution.at_least(100) == 1.0  # as a float
    assert distribution.max_bid(1) == 0
    assert distribution.quantile(1) == 1000
    assert count_distribution(3, 10**6).max_bid(0.5) == 333_333


def test_tabulated_distribution_scales_its_weights():
    distribution = TabulatedDistribution(weights=(0, 3, 1))
    assert [distribution.at_least(q) for q in (-1, 0, 1, 2, 3)] == [1.0, 1.0, 1.0, 0.25, 0.0]
    assert [distribution.exactly(q) for q in (-1, 0, 1, 2, 3)] == [0.0, 0.0, 0.75, 0.25, 0.0]
    assert [distribution.fewer(q) for q in (-1, 0, 1, 2, 3)] == [0.0, 0.0, 0.0, 0.75, 1.0]
    assert distribution.pmf.tolist() == [0.0, 0.75, 0.25]
    assert (distribution.support, distribution.mean, distribution.var) == ((1, 2), 1.25, 0.1875)
    exact = TabulatedDistribution(weights=(0, 3, 1), exact=True)
    assert (exact.mean, exact.at_least(2)) == (Fraction(5, 4), Fraction(1, 4))
    assert exact.pmf.tolist() == [0, Fraction(3, 4), Fraction(1, 4)]
    floats = TabulatedDistribution(weights=(0.1, 0.2, 0.1))
    assert floats.at_least([[1.0, math.nan]]).tolist()[0][0] == pytest.approx(0.75)
    assert math.isnan(floats.at_least(math.nan))
    assert np.isnan(floats.at_least([[1.0, math.nan]])).tolist() == [[False, True]]
    assert (floats.mean, floats.var) == (pytest.approx(1.0), pytest.approx(0.5))


def test_bad_arguments_are_named():
    distribution = count_distribution(3, 10)
    for find in (distribution.max_bid, distribution.quantile):
        for level in (0, -0.5, 1.01, math.nan):
            with pytest.raises(InputError, match="level must be a chance above 0 and at most 1"):
                find(level)
        for level in (True, "0.5", None):
            with pytest.raises(InputTypeError, match="level must be a number"):
                find(level)
    with pytest.raises(InputError, match="a distribution needs numbers, got NaN"):
        count_distribution(3, math.nan)
    with pytest.raises(
        InputError, match="total must be at least 5, the dice that may match, got 4"
    ):
        CountDistribution(face=3, own=2, unseen=3, total=4)
    with pytest.raises(InputError, match="a distribution needs numbers, got NaN in"):
        CountDistribution(face=3, own=2, unseen=math.nan, total=4)
    with pytest.raises(InputError, match=r"face must lie in 1\.\.6, got 7"):
        count_distribution(7, 10)
    for weights in ((), (0, 0), (1, -1), (1, math.nan)):
        with pytest.raises(InputError, match="weights must be 0 or more"):
            TabulatedDistribution(weights=weights)
    with pytest.raises(InputError, match="exact=True needs whole numbers or fractions"):
        TabulatedDistribution(weights=(0.5, 0.5), exact=True)

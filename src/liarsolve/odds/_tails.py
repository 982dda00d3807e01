"""Binomial odds for any number of dice, in floating point, to about 1e-13.

Plain functions of numbers, so that one text serves two uses: called as they are for a single
question, and compiled by `liarsolve.odds._odds_kernels` for large arrays. ``n`` dice match with
chance ``hits / sides`` each.

References
----------
C. Loader (2000), "Fast and Accurate Computation of Binomial Probabilities", for the split of the
logarithm into two deviances and three Stirling errors. The deviances here start from the integer
``sides * x - n * hits``, so that they keep their relative precision beside the mean.
"""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from liarsolve._typing import F8, I8

HALF_LOG_2PI = 0.9189385332046727


def stirling_error(x: float) -> float:
    """``log(x!)`` minus Stirling's formula, for ``x >= 1``, to an absolute 2e-14."""
    if x < 16.0:
        return math.lgamma(x + 1.0) - (x + 0.5) * math.log(x) + x - HALF_LOG_2PI
    y = 1.0 / (x * x)
    series = 1.0 / 1260.0 - (1.0 / 1680.0 - y / 1188.0) * y
    return (1.0 / 12.0 - (1.0 / 360.0 - series * y) * y) / x


def relative_deviance(u: float) -> float:
    """``(1 + u) log(1 + u) - u`` for ``u > -1``, to a few units in the last place."""
    v = u / (2.0 + u)
    if abs(v) > 0.5:
        return (1.0 + u) * math.log1p(u) - u
    # log(1 + u) = 2 atanh(v); its first term cancels against u and leaves u * v.
    power = v * v * v
    total = power / 3.0
    order = 3.0
    while abs(power) > 1e-19 * abs(v):
        power *= v * v
        order += 2.0
        total += power / order
    return u * v + 2.0 * (1.0 + u) * total


def log_ratio(part: int, whole: int) -> float:
    """Logarithm of ``part / whole``, precise beside 1 too."""
    if 2 * part > whole:
        return math.log1p((part - whole) / whole)
    return math.log(part / whole)


def log_mass(x: int, n: int, hits: int, sides: int) -> float:
    """Logarithm of the chance that exactly ``x`` of ``n`` dice match, ``0 <= x <= n``."""
    misses = sides - hits
    if misses == 0:
        return 0.0 if x == n else -math.inf
    if x == 0:
        return n * log_ratio(misses, sides)
    if x == n:
        return n * log_ratio(hits, sides)
    excess = float(sides * x - n * hits)
    mean_hits = n * (hits / sides)
    mean_misses = n * (misses / sides)
    deviance = mean_hits * relative_deviance(excess / (float(n) * hits))
    deviance += mean_misses * relative_deviance(-excess / (float(n) * misses))
    y = float(n - x)
    errors = stirling_error(float(n)) - stirling_error(float(x)) - stirling_error(y)
    return errors - deviance - HALF_LOG_2PI - 0.5 * math.log(x * (y / n))


def tail_over_mass(x: int, n: int, hits: int, sides: int) -> float:
    """``P(X >= x) / P(X = x)`` for ``x`` above the mean, by adding falling terms."""
    odds = hits / (sides - hits)
    total = 1.0
    term = 1.0
    i = float(x)
    while term > 1e-20 * total:
        term *= (n - i) / (i + 1.0) * odds
        total += term
        i += 1.0
    return total


def large_odds(kind: int, needed: int, n: int, hits: int, sides: int) -> float:
    """Odds of a kind (a value of `Kind`) for ``n >= 1`` dice; accurate on both sides of the mean.

    The smaller tail is summed, so neither it nor its complement loses digits.
    """
    is_log = kind >= 3
    if kind % 3 == 1:  # exactly
        if needed < 0 or needed > n:
            return -math.inf if is_log else 0.0
        log_prob = log_mass(needed, n, hits, sides)
        return log_prob if is_log else math.exp(log_prob)
    wants_upper = kind % 3 == 0
    if needed <= 0 or needed > n or hits == sides:
        is_certain = (needed <= 0 or (needed <= n and hits == sides)) == wants_upper
        if is_log:
            return 0.0 if is_certain else -math.inf
        return 1.0 if is_certain else 0.0
    upper_is_small = sides * needed > n * hits
    if upper_is_small:
        log_small = log_mass(needed, n, hits, sides)
        log_small += math.log(tail_over_mass(needed, n, hits, sides))
    else:  # fewer matches than needed = at least so many misses
        misses = n - needed + 1
        log_small = log_mass(misses, n, sides - hits, sides)
        log_small += math.log(tail_over_mass(misses, n, sides - hits, sides))
    if wants_upper == upper_is_small:
        return log_small if is_log else math.exp(log_small)
    return math.log1p(-math.exp(log_small)) if is_log else -math.expm1(log_small)


def fill_large_odds(
    kind: int, needed: "I8", unseen: "I8", hits: int, sides: int, odds: "F8"
) -> None:
    """`large_odds` for many questions.

    needed : int64[n]
    unseen : int64[n], at least 1
    odds   : float64[n], modified in place
    """
    for i in range(odds.size):
        odds[i] = large_odds(kind, needed[i], unseen[i], hits, sides)

"""The odds of counts, slow and obvious: every roll looked at, or every term added up.

Imports nothing of the library. Kinds are "at_least", "exactly" and "fewer".
"""

from fractions import Fraction
from itertools import product
from math import comb

import mpmath


def is_match(die, face, wild):
    return die in (face, wild)


def pmf_by_enumeration(n, face, wild, sides):
    """Chance of each number of matches, from all ``sides ** n`` rolls."""
    counts = [0] * (n + 1)
    for roll in product(range(1, sides + 1), repeat=n):
        counts[sum(is_match(die, face, wild) for die in roll)] += 1
    return [Fraction(count, sides**n) for count in counts]


def pmf_by_terms(n, hit_prob):
    """Chance of each number of matches, from the binomial formula."""
    return [comb(n, k) * hit_prob**k * (1 - hit_prob) ** (n - k) for k in range(n + 1)]


def odds(kind, needed, pmf):
    if kind == "exactly":
        return pmf[needed] if 0 <= needed < len(pmf) else Fraction(0)
    upper = sum(pmf[max(needed, 0) :], Fraction(0))
    return upper if kind == "at_least" else 1 - upper


def precise_odds(kind, needed, n, hit_prob, digits=60):
    """Odds for many dice and their logarithm, by adding binomial terms with so many digits.

    Starts from the term beside the question and follows the tail that falls, so that a tail of
    any smallness has all its digits.
    """
    with mpmath.workdps(digits):
        p = mpmath.mpf(hit_prob.numerator) / hit_prob.denominator

        def mass(k):
            log_comb = mpmath.loggamma(n + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1)
            return mpmath.exp(log_comb + k * mpmath.log(p) + (n - k) * mpmath.log(1 - p))

        if kind == "exactly":
            return mass(needed), mpmath.log(mass(needed))
        is_above_mean = needed > n * hit_prob
        term = tail = mass(needed if is_above_mean else needed - 1)
        k = needed if is_above_mean else needed - 1
        while term > tail * mpmath.mpf(10) ** (5 - digits):
            if is_above_mean:
                term *= (n - k) * p / ((k + 1) * (1 - p))
                k += 1
            else:
                term *= k * (1 - p) / ((n - k + 1) * p)
                k -= 1
            tail += term
        if is_above_mean == (kind == "at_least"):
            return tail, mpmath.log(tail)
        return 1 - tail, mpmath.log1p(-tail)

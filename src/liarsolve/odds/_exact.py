"""Odds of one count from integers: rolls with it over all rolls, converted to a float once.

``n`` hidden dice match with chance ``hits / sides`` each, so ``sides ** n`` rolls are equally
likely and every probability is a whole number of them. Python divides integers with correct
rounding, however long they are.
"""

import math
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache

from liarsolve.errors import InputError
from liarsolve.odds._tails import large_odds

EXACT_DICE = 128
"""Up to this many hidden dice every float is the exact value, rounded once."""

MOST_EXACT_DICE = 100_000
"""Fractions take a second or two up to here, and then soon hours."""


class Kind(IntEnum):
    """What is asked about a count. The logarithms follow in the same order."""

    AT_LEAST = 0
    EXACTLY = 1
    FEWER = 2
    LOG_AT_LEAST = 3
    LOG_EXACTLY = 4
    LOG_FEWER = 5


def roll_counts(
    n: int, hits: int, sides: int, first: int = 0, stop: int | None = None
) -> list[int]:
    """Count the rolls of ``n`` dice with ``first`` up to ``stop - 1`` matches, in that order.

    >>> roll_counts(2, hits=1, sides=3)
    [4, 4, 1]
    """
    stop = n + 1 if stop is None else stop
    misses = sides - hits
    if misses == 0:
        return [sides**n if matches == n else 0 for matches in range(first, stop)]
    count = math.comb(n, first) * hits**first * misses ** (n - first)
    counts = []
    for matches in range(first, stop):
        counts.append(count)
        count = count * ((n - matches) * hits) // ((matches + 1) * misses)
    return counts


def exact_odds(kind: Kind, needed: int, n: int, hits: int, sides: int) -> Fraction:
    """Chance that at least, exactly or fewer than ``needed`` of ``n`` dice match.

    >>> exact_odds(Kind.AT_LEAST, 2, 2, 1, 3)
    Fraction(1, 9)
    """
    if n > MOST_EXACT_DICE:
        raise InputError(
            f"a fraction can be calculated for up to {MOST_EXACT_DICE:,} hidden dice, got {n:,}; "
            "exact=False gives a float for any number"
        )
    n_rolls: int = sides**n
    if kind is Kind.EXACTLY:
        counts = roll_counts(n, hits, sides, needed, needed + 1) if 0 <= needed <= n else [0]
        return Fraction(counts[0], n_rolls)
    needed = min(max(needed, 0), n + 1)
    if 2 * needed <= n:
        n_fewer = sum(roll_counts(n, hits, sides, 0, needed))
    else:
        n_fewer = n_rolls - sum(roll_counts(n, hits, sides, needed))
    return Fraction(n_fewer if kind is Kind.FEWER else n_rolls - n_fewer, n_rolls)


@lru_cache(maxsize=2048)
def exact_row(kind: Kind, n: int, hits: int, sides: int) -> tuple[float, ...]:
    """Odds of one kind for every number of needed matches, from -1 to ``n + 1``.

    >>> exact_row(Kind.AT_LEAST, 2, 1, 2)
    (1.0, 1.0, 0.75, 0.25, 0.0)
    """
    n_rolls: int = sides**n
    counts = [0, *roll_counts(n, hits, sides), 0]
    wanted = counts
    if kind % 3 != Kind.EXACTLY:
        n_fewer = 0
        wanted = []
        for count in counts:
            wanted.append(n_fewer if kind % 3 == Kind.FEWER else n_rolls - n_fewer)
            n_fewer += count
    if kind < Kind.LOG_AT_LEAST:
        return tuple(count / n_rolls for count in wanted)
    return tuple(_log_ratio(count, n_rolls) for count in wanted)


def _log_ratio(count: int, n_rolls: int) -> float:
    """Logarithm of ``count / n_rolls``, precise beside 1 and where the ratio underflows."""
    if count == 0:
        return -math.inf
    if 2 * count > n_rolls:
        return math.log1p((count - n_rolls) / n_rolls)
    ratio = count / n_rolls
    return math.log(ratio) if ratio > 1e-300 else math.log(count) - math.log(n_rolls)


@lru_cache(maxsize=65536)
def _large_odds(kind: Kind, needed: int, n: int, hits: int, sides: int) -> float:
    return large_odds(int(kind), needed, n, hits, sides)


def scalar_odds(kind: Kind, needed: int, n: int, hits: int, sides: int) -> float:
    """Odds of one kind for one question; ``hits / sides`` in lowest terms.

    >>> scalar_odds(Kind.FEWER, 2, 2, 1, 2)
    0.75
    """
    needed = min(max(needed, -1), n + 1)
    if n <= EXACT_DICE:
        return exact_row(kind, n, hits, sides)[needed + 1]
    return _large_odds(kind, needed, n, hits, sides)

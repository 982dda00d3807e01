"""The distribution of a count of dice: how likely every quantity is, at once."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, overload

from liarsolve._checks import check_flag
from liarsolve.errors import InputError, InputTypeError
from liarsolve.odds._ask import ask_odds
from liarsolve.odds._exact import Kind
from liarsolve.odds._inputs import is_array, read_face, read_question, read_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from liarsolve._typing import F8
    from liarsolve.odds._signatures import Fractions, Number

__all__ = ["CountDistribution", "Distribution", "TabulatedDistribution", "count_distribution"]

MAX_COUNTS = 10**7
"""Most counts whose chances are listed; they take 80 MB."""

Probability: TypeAlias = float | Fraction
"""A float, or a fraction where exact answers were asked for."""


class Distribution(ABC):
    """Distribution of a count of matching dice.

    Probabilities are floats, or fractions if the distribution was made with ``exact=True``. From
    an array of quantities comes an array of probabilities.

    Examples
    --------
    >>> count_distribution(6, 2, exact=True).at_least([1, 2]).tolist()
    [Fraction(5, 9), Fraction(1, 9)]
    """

    __slots__ = ()

    @property
    @abstractmethod
    def support(self) -> tuple[int, int]:
        """Smallest and largest count that can occur."""

    @property
    @abstractmethod
    def n_counts(self) -> int:
        """One more than the number of dice."""

    @property
    @abstractmethod
    def mean(self) -> Probability:
        """Expected count."""

    @property
    @abstractmethod
    def var(self) -> Probability:
        """Variance of the count."""

    @abstractmethod
    def _odds(self, kind: Kind, quantity: ArrayLike) -> Probability | F8 | Fractions: ...

    @overload
    def at_least(self, quantity: Number) -> Probability: ...
    @overload
    def at_least(self, quantity: ArrayLike) -> F8 | Fractions: ...
    def at_least(self, quantity: ArrayLike) -> Probability | F8 | Fractions:
        """Chance of ``quantity`` or more."""
        return self._odds(Kind.AT_LEAST, quantity)

    @overload
    def exactly(self, quantity: Number) -> Probability: ...
    @overload
    def exactly(self, quantity: ArrayLike) -> F8 | Fractions: ...
    def exactly(self, quantity: ArrayLike) -> Probability | F8 | Fractions:
        """Chance of ``quantity``, neither more nor fewer."""
        return self._odds(Kind.EXACTLY, quantity)

    @overload
    def fewer(self, quantity: Number) -> Probability: ...
    @overload
    def fewer(self, quantity: ArrayLike) -> F8 | Fractions: ...
    def fewer(self, quantity: ArrayLike) -> Probability | F8 | Fractions:
        """Chance of less than ``quantity``."""
        return self._odds(Kind.FEWER, quantity)

    @property
    def pmf(self) -> F8 | Fractions:
        """Chance of each count from 0 to the number of dice, [n_counts].

        Raises
        ------
        InputError
            If there are more than ten million counts.
        """
        if self.n_counts > MAX_COUNTS:
            raise InputError(
                f"the chances of all counts of {self.n_counts - 1:,} dice are too many to list, at "
                f"most {MAX_COUNTS:,} are; ask exactly for some of them"
            )
        return self.exactly(range(self.n_counts))

    def max_bid(self, level: Probability = 0.5) -> int:
        """Find the largest quantity that is reached with a chance of at least ``level``.

        Raises
        ------
        InputError
            If ``level`` is not above 0 and at most 1.
        """
        _check_level(level)
        low, high = self.support
        if level == 1:  # certain, not merely certain to sixteen digits
            return low
        quantities = range(low, high + 1)
        first_below = bisect_left(quantities, True, key=lambda q: self.at_least(q) < level)
        return low + first_below - 1

    def quantile(self, level: Probability) -> int:
        """Find the smallest count that is not exceeded with a chance of at least ``level``.

        Raises
        ------
        InputError
            If ``level`` is not above 0 and at most 1.
        """
        _check_level(level)
        low, high = self.support
        if level == 1:
            return high
        counts = range(low, high)
        return low + bisect_left(counts, True, key=lambda c: self.fewer(c + 1) >= level)


def _check_level(level: object) -> None:
    if isinstance(level, bool) or not isinstance(level, int | float | Fraction):
        raise InputTypeError(f"level must be a number, got {level!r}")
    if not 0 < level <= 1:
        raise InputError(f"level must be a chance above 0 and at most 1, got {level!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CountDistribution(Distribution):
    """Distribution of the number of dice that match a face; made by `count_distribution`.

    Raises
    ------
    InputError, InputTypeError
        If a number is not as described.

    Examples
    --------
    >>> sixes = CountDistribution(face=6, own=1, unseen=2, total=3)
    >>> sixes.support, sixes.hit_prob, sixes.exactly(1)
    ((1, 3), Fraction(1, 3), 0.4444444444444444)
    """

    face: int
    own: int
    """Matches among one's own dice."""
    unseen: int
    """Hidden dice."""
    total: int
    """All dice on the table, as far as they are known: at least ``own + unseen``."""
    wild: int | None = 1
    sides: int = 6
    exact: bool = False

    def __post_init__(self) -> None:
        question = read_question(
            0, self.face, self.unseen, (), None, self.own, self.wild, self.sides
        )
        if question is None:
            raise InputError(f"a distribution needs numbers, got NaN in {self}")
        if self.total < self.own + self.unseen:
            raise InputError(
                f"total must be at least {self.own + self.unseen}, the dice that may match, "
                f"got {self.total}"
            )

    @property
    def hit_prob(self) -> Fraction:
        """Chance that a hidden die matches."""
        chance = read_face(self.face, self.wild, self.sides)
        assert chance is not None  # None stands for NaN
        return Fraction(chance.hits, chance.sides)

    @property
    def support(self) -> tuple[int, int]:
        """Smallest and largest count that can occur."""
        most = self.own + self.unseen
        return (most if self.hit_prob == 1 else self.own), most

    @property
    def n_counts(self) -> int:
        """One more than the number of dice."""
        return self.total + 1

    @property
    def mean(self) -> Probability:
        """Expected count."""
        mean = self.own + self.unseen * self.hit_prob
        return mean if self.exact else float(mean)

    @property
    def var(self) -> Probability:
        """Variance of the count."""
        var = self.unseen * self.hit_prob * (1 - self.hit_prob)
        return var if self.exact else float(var)

    def _odds(self, kind: Kind, quantity: ArrayLike) -> Probability | F8 | Fractions:
        return ask_odds(
            kind,
            quantity,
            self.face,
            self.unseen,
            hand=(),
            total=None,
            own=self.own,
            wild=self.wild,
            sides=self.sides,
            exact=self.exact,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TabulatedDistribution(Distribution):
    """Distribution of a count, given as a table.

    Raises
    ------
    InputError
        If a weight is negative, all are 0, or some are floats though ``exact`` is set.

    Examples
    --------
    >>> table = TabulatedDistribution(weights=(0, 3, 1))
    >>> table.at_least(2), table.mean
    (0.25, 1.25)
    """

    weights: tuple[Probability, ...]
    """Weight of each count 0, 1, 2, ...; whole numbers, fractions or floats of any positive sum."""
    exact: bool = False
    """Whether to answer in fractions; the weights must not be floats then."""

    @property
    def support(self) -> tuple[int, int]:
        """Smallest and largest count that can occur."""
        possible = [count for count, weight in enumerate(self.weights) if weight > 0]
        return possible[0], possible[-1]

    @property
    def n_counts(self) -> int:
        """Number of weights."""
        return len(self.weights)

    @property
    def mean(self) -> Probability:
        """Expected count."""
        return self._answer(self._expect(range(self.n_counts)))

    @property
    def var(self) -> Probability:
        """Variance of the count."""
        mean = self._expect(range(self.n_counts))
        return self._answer(self._expect([(count - mean) ** 2 for count in range(self.n_counts)]))

    def __post_init__(self) -> None:
        if not all(weight >= 0 for weight in self.weights) or not any(self.weights):
            raise InputError(f"weights must be 0 or more, one of them more, got {self.weights}")
        if self.exact and self._has_floats:
            raise InputError(f"exact=True needs whole numbers or fractions, got {self.weights}")

    @property
    def _has_floats(self) -> bool:
        return any(isinstance(weight, float) for weight in self.weights)

    def _expect(self, values: Sequence[Probability]) -> Probability:
        terms = [value * weight for value, weight in zip(values, self.weights, strict=True)]
        return self._divide(terms)

    def _divide(self, part: Sequence[Probability]) -> Probability:
        if self._has_floats:
            return math.fsum(part) / math.fsum(self.weights)
        return Fraction(sum(part)) / Fraction(sum(self.weights))

    def _answer(self, value: Probability) -> Probability:
        return value if self.exact else float(value)

    def _odds(self, kind: Kind, quantity: ArrayLike) -> Probability | F8 | Fractions:
        if is_array(quantity):
            from liarsolve.odds._arrays import map_numbers

            return map_numbers(partial(self._odds, kind), quantity, "quantity", exact=self.exact)
        number = read_whole(quantity, "quantity")
        if number is None:
            return math.nan
        start = min(max(number, 0), self.n_counts)
        if kind is Kind.AT_LEAST:
            return self._answer(self._divide(self.weights[start:]))
        if kind is Kind.FEWER:
            return self._answer(self._divide(self.weights[:start]))
        return self._answer(self._divide(self.weights[start : start + 1] if number >= 0 else ()))


def count_distribution(
    face: int,
    unseen: int | None = None,
    *,
    hand: Sequence[int] = (),
    total: int | None = None,
    own: int | None = None,
    wild: int | None = 1,
    sides: int = 6,
    exact: bool = False,
) -> CountDistribution:
    """Distribution of the number of dice that show ``face``, your own included.

    Arguments and errors are those of `liarsolve.odds.p_at_least`, for one table.

    Examples
    --------
    >>> threes = count_distribution(3, total=15, hand=(1, 3, 3, 5, 6))
    >>> round(threes.mean, 4), threes.max_bid(0.5), threes.at_least(4).__round__(4)
    (6.3333, 6, 0.9827)
    """
    exact = check_flag("exact", exact)
    question = read_question(0, face, unseen, hand, total, own, wild, sides)
    if question is None:
        raise InputError(
            f"a distribution needs numbers, got NaN among face={face!r}, unseen={unseen!r}, "
            f"total={total!r}, own={own!r}"
        )
    return CountDistribution(
        face=int(face),
        own=question.own,
        unseen=question.unseen,
        total=question.unseen + (len(hand) or question.own),
        wild=None if wild is None else int(wild),
        sides=int(sides),
        exact=exact,
    )

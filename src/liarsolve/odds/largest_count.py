"""The distribution of the largest count over several faces: how high a true bid could be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, TypeAlias

from liarsolve._checks import check_flag
from liarsolve.dice import Hand, count_matches
from liarsolve.errors import InputError, InputTypeError
from liarsolve.odds._inputs import (
    check_choice,
    read_face,
    read_hand,
    read_unseen,
    read_whole,
    read_wild_and_sides,
)
from liarsolve.odds.distribution import Probability, TabulatedDistribution

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LargestCountDistribution", "largest_count_distribution"]

MAX_UNSEEN = 300

Arrangements: TypeAlias = tuple[int, ...]
"""Arrangements[m]: in how many orders m dice can show some faces under some condition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LargestCountDistribution(TabulatedDistribution):
    """Distribution of the largest count over some faces; made by `largest_count_distribution`.

    The weights count rolls of the hidden dice.

    Examples
    --------
    >>> largest = largest_count_distribution(2, wild=None, exact=True)
    >>> largest.exactly(2)
    Fraction(1, 6)
    """

    faces: tuple[int, ...]
    hand: Hand
    unseen: int
    wild: int | None = 1
    sides: int = 6

    def some_face_exactly(self, quantity: int) -> Probability:
        """Chance that one or more of the faces have a count of exactly ``quantity``.

        Raises
        ------
        InputError, InputTypeError
            If the quantity is no whole number.

        >>> some = largest_count_distribution(14, faces=range(2, 7))
        >>> round(some.some_face_exactly(7), 4)
        0.3567
        """
        number = read_whole(quantity, "quantity")
        if number is None:
            raise InputError(f"quantity must be a number, got {quantity!r}")
        table = self.faces, self.hand, self.unseen, self.wild, self.sides
        n_without = _count_rolls(number, *table, at_most=False)
        n_rolls = self.sides**self.unseen
        return self._answer(self._divide([n_rolls - n_without]))


def largest_count_distribution(
    unseen: int | None = None,
    *,
    hand: Sequence[int] = (),
    total: int | None = None,
    faces: Iterable[int] | None = None,
    wild: int | None = 1,
    sides: int = 6,
    exact: bool = False,
) -> LargestCountDistribution:
    """Distribution of the largest number of dice that match one face, over all faces or some.

    The work grows with the cube of the hidden dice: about a tenth of a second for sixty.

    Parameters
    ----------
    unseen, hand, total, wild, sides, exact
        As in `liarsolve.odds.p_at_least`, for one table.
    faces
        Faces to look at; all if left out. The wild face itself then makes no difference, as any
        other face has at least its count.

    Raises
    ------
    InputError, InputTypeError
        As `liarsolve.odds.p_at_least`; also if ``faces`` is empty or holds no faces.

    Examples
    --------
    Twelve dice that nobody has looked at, ones wild:

    >>> largest = largest_count_distribution(12)
    >>> round(largest.mean, 4), largest.max_bid(0.5)
    (5.7498, 6)
    """
    wild_face, n_faces = read_wild_and_sides(wild, sides)
    dice = tuple(sorted(read_hand(hand, n_faces)))
    check_choice(unseen, len(dice) > 0, total, None)
    n_unseen = read_unseen(unseen, total, len(dice))
    if n_unseen is None:
        raise InputError(f"the number of dice must be a number, got {unseen!r}, total={total!r}")
    exact = check_flag("exact", exact)
    chosen = _chosen_faces(faces, wild, sides, n_faces)
    if n_unseen > MAX_UNSEEN:
        raise InputError(
            f"the largest count is calculated for up to {MAX_UNSEEN} hidden dice, got "
            f"{n_unseen:,}, since the work grows with their cube; take fewer dice"
        )
    table = chosen, dice, n_unseen, wild_face, n_faces
    n_within = [_count_rolls(q, *table, at_most=True) for q in range(-1, n_unseen + len(dice) + 1)]
    return LargestCountDistribution(
        weights=tuple(n - before for before, n in pairwise(n_within)),
        exact=exact,
        faces=table[0],
        hand=dice,
        unseen=n_unseen,
        wild=wild_face,
        sides=n_faces,
    )


def _count_rolls(
    quantity: int,
    faces: tuple[int, ...],
    hand: Hand,
    n: int,
    wild: int | None,
    sides: int,
    *,
    at_most: bool,
) -> int:
    """Count the rolls of ``n`` hidden dice where all ``faces`` keep to a condition.

    The condition is a count of at most ``quantity``, or else one other than ``quantity``. The
    hidden wild dice count for all other faces, so their number is fixed first.
    """
    own = tuple(sorted(count_matches(hand, face, wild) for face in faces if face != wild))
    n_free = sides - len(own) - (wild is not None)
    n_rolls = 0
    for n_wild in range(1 if wild is None else n + 1):
        if wild in faces:
            count = count_matches(hand, wild) + n_wild
            if (count > quantity) if at_most else (count == quantity):
                continue
        arrangements = _arrange(quantity - n_wild, own, n, n_free, at_most)
        n_rolls += comb(n, n_wild) * arrangements[n - n_wild]
    return n_rolls


@lru_cache(maxsize=1024)
def _arrange(
    quantity: int, own: tuple[int, ...], n: int, n_free: int, at_most: bool
) -> Arrangements:
    """Arrange up to ``n`` dice on faces that hold ``own`` already, and on ``n_free`` others."""
    arrangements: Arrangements = tuple(n_free**m for m in range(n + 1))
    for count, n_faces in Counter(own).items():
        left = quantity - count
        one_face = tuple(int(m <= left if at_most else m != left) for m in range(n + 1))
        arrangements = _combine(_power(one_face, n_faces), arrangements)
    return arrangements


def _combine(a: Arrangements, b: Arrangements) -> Arrangements:
    """Arrange m dice so that some of them show the faces of ``a`` and the others those of ``b``."""
    return tuple(
        sum(comb(m, k) * a[k] * b[m - k] for k in range(m + 1) if a[k] and b[m - k])
        for m in range(len(a))
    )


def _power(arrangements: Arrangements, exponent: int) -> Arrangements:
    """Combine ``exponent`` copies of ``arrangements``."""
    if exponent == 1:
        return arrangements
    half = _power(arrangements, exponent // 2)
    square = _combine(half, half)
    return _combine(square, arrangements) if exponent % 2 else square


def _chosen_faces(
    faces: Iterable[int] | None, wild: int | None, sides: int, n_faces: int
) -> tuple[int, ...]:
    """Faces to look at, in rising order: those that were named, or all."""
    if faces is not None and not isinstance(faces, Iterable):
        raise InputTypeError(f"faces are numbers, as in (2, 3), got {faces!r}")
    named = range(1, n_faces + 1) if faces is None else faces
    chances = [read_face(face, wild, sides) for face in named]
    chosen = tuple(sorted({chance.face for chance in chances if chance is not None}))
    if not chosen:
        raise InputError(f"faces must name at least one face from 1 to {n_faces}, got none")
    return chosen

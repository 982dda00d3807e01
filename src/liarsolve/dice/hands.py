"""A player's own dice as a multiset.

Rolled dice have no order, so a hand is the sorted tuple of its faces: 252 hands stand for the
7,776 rolls of five dice. `hand_weight` says how many rolls a hand stands for.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import TypeAlias

from liarsolve._checks import check_whole
from liarsolve.errors import GameTooLargeError, InputError, InputTypeError

Hand: TypeAlias = tuple[int, ...]
"""Faces in rising order, for instance ``(1, 3, 3)``."""


MAX_LISTED = 10**7
"""Most hands that are listed, in a few gigabytes at worst."""


def count_hands(n_dice: int, n_faces: int) -> int:
    """Count the different hands of ``n_dice`` dice: multisets of size ``n_dice``.

    >>> count_hands(5, 6)
    252
    """
    _check_sizes(n_dice, n_faces)
    return comb(n_dice + n_faces - 1, n_dice)


def _check_sizes(n_dice: object, n_faces: object) -> None:
    check_whole("n_dice", n_dice, at_least=0)
    check_whole("n_faces", n_faces, at_least=1)


def count_hands_within(n_dice: int, n_faces: int, most: int) -> int | None:
    """Count the different hands, at once; None if they are more than ``most``.

    >>> count_hands_within(5, 6, 1000), count_hands_within(10**9, 10**9, 1000)
    (252, None)
    """
    count, rest = 1, max(n_dice, n_faces - 1)
    for i in range(1, min(n_dice, n_faces - 1) + 1):
        count = count * (rest + i) // i
        if count > most:
            return None
    return count


@lru_cache(maxsize=64)
def enumerate_hands(n_dice: int, n_faces: int) -> tuple[Hand, ...]:
    """List all hands in rising order; the position of a hand is its ``hand_id``.

    Raises
    ------
    GameTooLargeError
        If there are too many to list.

    >>> enumerate_hands(2, 3)
    ((1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3))
    """
    _check_sizes(n_dice, n_faces)
    if count_hands_within(n_dice, n_faces, MAX_LISTED) is None:
        raise GameTooLargeError(
            f"{n_dice} dice of {n_faces} faces show more than {MAX_LISTED:,} different hands, too "
            "many to list; take fewer dice or faces"
        )
    return tuple(combinations_with_replacement(range(1, n_faces + 1), n_dice))


def hand_weight(hand: Hand) -> int:
    """Count the ordered rolls that show this hand, a multinomial coefficient.

    >>> hand_weight((1, 3, 3))
    3
    """
    return factorial(len(hand)) // prod(factorial(k) for k in Counter(hand).values())


def count_matches(hand: Iterable[int], face: int, wild: int | None = None) -> int:
    """Count the dice that show ``face`` or the ``wild`` face.

    >>> count_matches((1, 3, 3, 5), 3, wild=1)
    3
    """
    return sum(die in (face, wild) for die in hand)


def parse_hand(text: str | Iterable[int], n_faces: int = 6) -> Hand:
    """Read a hand, in any order, from ``"6,6,1"``, ``"6 6 1"``, ``"661"`` or a sequence of faces.

    Raises
    ------
    InputError
        If a face lies outside ``1..n_faces`` or the text is not a list of faces.
    InputTypeError
        If a die is not an integer.

    >>> parse_hand("6,6,1")
    (1, 6, 6)
    """
    check_whole("n_faces", n_faces, at_least=1)
    if isinstance(text, str):
        if "," in text and not all(part.strip() for part in text.split(",")):
            raise InputError(f"a hand has a face between any two commas, got {text!r}")
        words = text.replace(",", " ").split()
        if len(words) == 1 and n_faces <= 9:
            words = list(words[0])
        try:
            dice = [int(word) for word in words]
        except ValueError:
            raise InputError(f"a hand is a list of faces such as 6,6,1, got {text!r}") from None
    else:
        if not isinstance(text, Iterable):
            raise InputTypeError(f"a hand is a list of faces such as 6,6,1, got {text!r}")
        dice = []
        for die in text:
            if isinstance(die, bool) or not hasattr(die, "__index__"):
                raise InputTypeError(f"a die shows a whole number from 1 to {n_faces}, got {die!r}")
            dice.append(die.__index__())
    for die in dice:
        if not 1 <= die <= n_faces:
            raise InputError(
                f"a die shows 1 to {n_faces}, got {die} in the hand {format_hand(dice)}"
            )
    return tuple(sorted(dice))


def format_hand(hand: Iterable[int]) -> str:
    """Write a hand as `parse_hand` reads it.

    >>> format_hand((1, 3, 3))
    '1,3,3'
    """
    return ",".join(str(die) for die in hand)

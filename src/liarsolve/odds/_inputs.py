"""What callers may pass to the odds functions, checked and turned into plain integers."""

import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import gcd
from operator import index
from typing import NamedTuple

from liarsolve.errors import InputError, InputTypeError

MAX_DICE = 10**12
"""Largest number of dice; ``sides * dice`` then fits an int64."""
MAX_SIDES = 10**6


class Question(NamedTuple):
    """One question about a count: ``own`` dice match for sure, ``unseen`` with a chance each."""

    quantity: int
    own: int
    unseen: int
    hits: int
    sides: int


def is_array(value: object) -> bool:
    """Say whether ``value`` is an array or list, as opposed to a number (numpy's own included)."""
    if value is None or isinstance(value, (int, float, str)):  # a tuple is faster than a union
        return False
    if isinstance(value, (list, tuple, range)):
        return True
    numpy = sys.modules.get("numpy")  # a number of numpy's cannot exist before numpy does
    return hasattr(value, "__array__") and not (numpy and isinstance(value, numpy.generic))


def is_hand_array(hand: object) -> bool:
    """Say whether ``hand`` is an array of hands, as opposed to a plain sequence of faces."""
    if isinstance(hand, list | tuple):
        return any(is_array(die) for die in hand)
    return is_array(hand)


def read_whole(value: object, name: str) -> int | None:
    """Read a whole number, ``4`` or ``4.0``; ``None`` stands for NaN.

    Raises
    ------
    InputError
        If the number has a fraction or is infinite.
    InputTypeError
        If it is not a number, or a bool.
    """
    if type(value) is int:
        return value
    if not isinstance(value, bool | str):
        try:
            return index(value)  # type: ignore[arg-type]  # what has no __index__ is caught below
        except TypeError:
            pass
        is_integer = getattr(value, "is_integer", None)
        if is_integer is not None:
            if value != value:
                return None
            if is_integer():
                return int(value)  # type: ignore[call-overload, no-any-return]  # a float of some width
            raise InputError(f"{name} must be a whole number, got {value!r}")
    raise InputTypeError(f"{name} must be a whole number, got {value!r}")


def read_count(value: object, name: str) -> int | None:
    """Read a number of dice; ``None`` stands for NaN."""
    count = read_whole(value, name)
    if count is not None and not 0 <= count <= MAX_DICE:
        raise InputError(f"{name} must lie in 0..10**12, got {count}")
    return count


def read_wild_and_sides(wild: object, sides: object) -> tuple[int | None, int]:
    """Check the wild face (``None`` for no wild face) and the number of sides."""
    try:
        return _read_wild_and_sides(wild, sides)
    except TypeError as error:
        _refuse_collections(error, wild=wild, sides=sides)
        raise


def _refuse_collections(error: TypeError, **arguments: object) -> None:
    """Name the argument that is no number, if that is why it could not be looked up."""
    for name, value in arguments.items():
        if getattr(value, "__hash__", None) is None and not isinstance(error, InputTypeError):
            raise InputTypeError(f"{name} must be a whole number, got {value!r}") from None


@lru_cache(maxsize=256, typed=True)
def _read_wild_and_sides(wild: object, sides: object) -> tuple[int | None, int]:
    n_sides = read_whole(sides, "sides")
    if n_sides is None or not 1 <= n_sides <= MAX_SIDES:
        raise InputError(f"sides must lie in 1..10**6, got {sides!r}")
    if wild is None:
        return None, n_sides
    wild_face = read_whole(wild, "wild")
    if wild_face is None or not 1 <= wild_face <= n_sides:
        raise InputError(f"wild must be a face from 1 to {n_sides}, or None, got {wild!r}")
    return wild_face, n_sides


def count_hits(face: int, wild: int | None) -> int:
    """Count the faces that match a bid on ``face``: itself, and the wild one if it is another."""
    return 1 if wild is None or wild == face else 2


class Chance(NamedTuple):
    """What a bid on a face asks of each hidden die: a match with chance ``hits / sides``."""

    face: int
    wild: int | None
    n_faces: int
    """Sides of the die."""
    hits: int
    """Numerator of the chance in lowest terms."""
    sides: int
    """Its denominator."""


def read_face(face: object, wild: object, sides: object) -> Chance | None:
    """Check a face, the wild face and the number of sides; ``None`` if the face is NaN."""
    try:
        return _read_face(face, wild, sides)
    except TypeError as error:
        _refuse_collections(error, face=face, wild=wild, sides=sides)
        raise


@lru_cache(maxsize=4096, typed=True)
def _read_face(face: object, wild: object, sides: object) -> Chance | None:
    wild_face, n_faces = read_wild_and_sides(wild, sides)
    number = read_whole(face, "face")
    if number is None:
        return None
    if not 1 <= number <= n_faces:
        raise InputError(f"face must lie in 1..{n_faces}, got {number}")
    hits = count_hits(number, wild_face)
    divisor = gcd(hits, n_faces)
    return Chance(number, wild_face, n_faces, hits // divisor, n_faces // divisor)


def read_hand(hand: object, n_faces: int) -> Sequence[int]:
    """Check every die of a hand; the order stays.

    Raises
    ------
    InputError
        If a die shows a face outside ``1..n_faces``.
    InputTypeError
        If the hand is a text, or a die is not a whole number.
    """
    if isinstance(hand, str) or not isinstance(hand, Iterable):
        raise InputTypeError(f"hand must be a sequence of faces such as (1, 3, 3), got {hand!r}")
    dice = []
    for die in hand:
        face = die if type(die) is int else read_whole(die, "a die of the hand")
        if face is None or not 1 <= face <= n_faces:
            raise InputError(f"a die of the hand must show 1..{n_faces}, got {die!r}")
        dice.append(face)
    return dice


def check_choice(unseen: object, has_hand: bool, total: object, own: object) -> None:
    """Refuse arguments that say the same thing twice, or leave it open.

    Raises
    ------
    InputError
        Unless exactly one of ``unseen`` and ``total`` is given, at most one of ``hand`` and
        ``own``, and ``own`` only beside ``unseen``.
    """
    if (unseen is None) == (total is None):
        given = "neither" if unseen is None else f"unseen={unseen!r} and total={total!r}"
        raise InputError(
            f"give either unseen (the hidden dice) or total (all dice on the table), got {given}"
        )
    if own is None:
        return
    if has_hand:
        raise InputError(f"give either hand or own (how many of it match), got own={own!r} as well")
    if total is not None:
        raise InputError(
            f"own={own!r} does not say how many dice you hold, so total={total!r} leaves open how "
            "many are hidden; give unseen instead"
        )


def read_unseen(unseen: object, total: object, n_own: int) -> int | None:
    """Read the number of hidden dice, given as such or through all dice on the table."""
    if total is None:
        return read_count(unseen, "unseen")
    n_all = read_count(total, "total")
    if n_all is not None and n_all < n_own:
        raise InputError(f"total counts your own dice too, so at least {n_own}, got {total!r}")
    return None if n_all is None else n_all - n_own


def read_question(
    quantity: object,
    face: object,
    unseen: object,
    hand: object,
    total: object,
    own: object,
    wild: object,
    sides: object,
) -> Question | None:
    """Check the arguments of one question; ``None`` if one of them is NaN.

    Raises
    ------
    InputError, InputTypeError
        As `read_whole`, `read_face`, `read_hand` and `check_choice`; also if ``unseen``, ``total``
        or ``own`` is negative, or ``total`` is smaller than the hand.
    """
    chance = read_face(face, wild, sides)
    needed = quantity if type(quantity) is int else read_whole(quantity, "quantity")
    dice: Sequence[int] = ()
    if hand != ():
        dice = read_hand(hand, chance.n_faces if chance else read_wild_and_sides(wild, sides)[1])
    check_choice(unseen, len(dice) > 0, total, own)
    n_unseen = read_unseen(unseen, total, len(dice))
    n_own = 0 if own is None else read_count(own, "own")
    if chance is None or needed is None or n_unseen is None or n_own is None:
        return None
    if dice:
        n_own = dice.count(chance.face)
        if chance.wild is not None and chance.wild != chance.face:
            n_own += dice.count(chance.wild)
    return Question(needed, n_own, n_unseen, chance.hits, chance.sides)

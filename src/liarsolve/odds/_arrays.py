"""The odds of many bids at once: arrays checked, broadcast, and sent down the fastest road."""

from collections.abc import Callable
from functools import lru_cache
from math import gcd
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from liarsolve._typing import B1, F8, I8
from liarsolve.errors import InputError, InputTypeError
from liarsolve.odds._exact import EXACT_DICE, Kind, exact_odds, exact_row, scalar_odds
from liarsolve.odds._inputs import (
    MAX_DICE,
    check_choice,
    is_hand_array,
    read_hand,
    read_whole,
    read_wild_and_sides,
)

COMPILED_LOOKUPS = 200_000
"""From so many elements on a compiled loop pays for loading numba, about half a second once."""
COMPILED_TAILS = 500
"""The same for elements with more than `EXACT_DICE` hidden dice, 0.02 to 1 ms each in Python."""

FractionArray: TypeAlias = NDArray[np.object_]


class Numbers(NamedTuple):
    """Whole numbers, and where NaN stood instead (``None``: nowhere)."""

    values: I8
    is_nan: B1 | None = None


def array_odds(
    kind: Kind,
    quantity: object,
    face: object,
    unseen: object,
    hand: object,
    total: object,
    own: object,
    wild: object,
    sides: object,
    exact: bool,
) -> F8 | FractionArray:
    """Answer the questions of `liarsolve.odds.p_at_least` where an argument is an array.

    Raises
    ------
    InputError, InputTypeError
        As for single questions; also if the shapes do not broadcast.
    """
    wild_face, n_faces = read_wild_and_sides(wild, sides)
    wanted = read_numbers(quantity, "quantity")
    faces = _read_range(face, "face", 1, n_faces, f"lie in 1..{n_faces}")
    dice = _read_dice(hand, n_faces)
    check_choice(unseen, dice.values.shape[-1] > 0, total, own)
    try:
        held = _count_own(own, dice, faces, wild_face)
        hidden = _count_hidden(unseen, total, dice)
        parts = (wanted.values, held.values, hidden.values)
        shape = np.broadcast_shapes(faces.values.shape, *(part.shape for part in parts))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the shapes of the arguments do not broadcast: {error}") from None

    odds = _count_odds_of_faces(kind, faces.values, wild_face, n_faces, parts, shape, exact)
    for numbers in (wanted, faces, held, hidden):
        if numbers.is_nan is not None:
            if exact:
                raise InputError("exact=True gives fractions, and NaN is none, got a NaN")
            odds[np.broadcast_to(numbers.is_nan, shape)] = np.nan
    return odds[()]  # type: ignore[no-any-return]  # a number, not an array, if the shape is ()


def _count_odds_of_faces(
    kind: Kind,
    faces: I8,
    wild: int | None,
    n_faces: int,
    parts: tuple[I8, I8, I8],
    shape: tuple[int, ...],
    exact: bool,
) -> Any:  # Any: float64 or objects
    """Odds of counts, with the chance of a match that belongs to each face."""

    def ask(hits: int, quantity: I8, own: I8, unseen: I8) -> Any:  # Any: as above
        divisor = gcd(hits, n_faces)
        chance = hits // divisor, n_faces // divisor
        return count_odds(kind, quantity, own, unseen, *chance, exact=exact)

    is_alone = np.ones(faces.shape, dtype=bool) if wild is None else faces == wild
    if faces.size == 1:
        return ask(1 if is_alone.all() else 2, *parts).reshape(shape)
    odds = np.empty(shape, dtype=object if exact else np.float64)
    for hits, is_meant in ((1, is_alone), (2, ~is_alone)):
        where = np.broadcast_to(is_meant, shape)
        odds[where] = ask(hits, *(np.broadcast_to(part, shape)[where] for part in parts))
    return odds


def count_odds(
    kind: Kind, quantity: I8, own: I8, unseen: I8, hits: int, sides: int, *, exact: bool = False
) -> F8 | FractionArray:
    """Odds of counts: ``own`` dice match for sure, ``unseen`` with chance ``hits / sides`` each.

    ``hits / sides`` is in lowest terms; the arrays are checked and broadcast against each other.
    """
    shape = np.broadcast_shapes(quantity.shape, own.shape, unseen.shape)
    quantity, own, unseen = (_flatten(part, shape) for part in (quantity, own, unseen))
    if exact:
        fractions = np.empty(shape, dtype=object)
        flat = fractions.reshape(-1)
        needed, hidden = _stretch(flat.size, _needed(quantity, own, unseen), unseen)
        for i, (x, n) in enumerate(zip(needed.tolist(), hidden.tolist(), strict=True)):
            flat[i] = exact_odds(kind, x, n, hits, sides)
        return fractions
    odds = np.empty(shape)
    if odds.size:
        _fill(kind, quantity, own, unseen, hits, sides, odds.reshape(-1))
    return odds


def _fill(kind: Kind, quantity: I8, own: I8, unseen: I8, hits: int, sides: int, odds: F8) -> None:
    """Fill ``odds``, float64[n], from arguments of length n or 1."""
    most = int(unseen.max())
    if most <= EXACT_DICE:
        _fill_from_table(kind, quantity, own, unseen, most, hits, sides, odds)
        return
    quantity, own, unseen = _stretch(odds.size, quantity, own, unseen)
    is_small = unseen <= EXACT_DICE
    if is_small.any():
        small = np.empty(int(is_small.sum()))
        parts = quantity[is_small], own[is_small], unseen[is_small]
        _fill_from_table(kind, *parts, EXACT_DICE, hits, sides, small)
        odds[is_small] = small
    needed = _needed(quantity, own, unseen)[~is_small]
    unseen = unseen[~is_small]
    large = np.empty(needed.size)
    if large.size >= COMPILED_TAILS:
        from liarsolve.odds import _odds_kernels

        _odds_kernels.fill_large_odds(int(kind), needed, unseen, hits, sides, large)
    else:
        for i, (x, n) in enumerate(zip(needed.tolist(), unseen.tolist(), strict=True)):
            large[i] = scalar_odds(kind, x, n, hits, sides)
    odds[~is_small] = large


def _fill_from_table(
    kind: Kind, quantity: I8, own: I8, unseen: I8, most: int, hits: int, sides: int, odds: F8
) -> None:
    """Fill ``odds`` where no ``unseen`` is above ``most``."""
    n_rows = min(1 << (most | 15).bit_length(), EXACT_DICE + 1)  # few different sizes to cache
    table = _exact_table(kind, n_rows, hits, sides)
    if odds.size < COMPILED_LOOKUPS:
        odds[:] = table[unseen, _needed(quantity, own, unseen) + 1]
        return
    from liarsolve.odds import _odds_kernels

    sure = int(own[0])
    if own.size > 1:
        quantity, sure = _needed(quantity, own, unseen), 0
    quantity, unseen = (
        np.require(part, requirements=["C", "W"])  # another layout is another type to compile for
        for part in _stretch(odds.size, quantity, unseen)
    )
    _odds_kernels.look_up_odds(table, quantity, sure, unseen, odds)


@lru_cache(maxsize=64)
def _exact_table(kind: Kind, n_rows: int, hits: int, sides: int) -> F8:
    """Rows of `exact_row` for 0 to ``n_rows - 1`` hidden dice, float64[n_rows, n_rows + 2]."""
    table = np.zeros((n_rows, n_rows + 2))
    for n in range(n_rows):
        table[n, : n + 3] = exact_row(kind, n, hits, sides)
    return table


def _needed(quantity: I8, own: I8, unseen: I8) -> I8:
    """Find the matches needed among the hidden dice: -1 if met, at most ``unseen + 1``."""
    within: I8 = np.clip(quantity, -1, 4 * MAX_DICE)  # so that the difference cannot overflow
    needed: I8 = np.clip(within - own, -1, unseen + 1)
    return needed


def _flatten(array: I8, shape: tuple[int, ...]) -> I8:
    """Make ``array`` int64[n] for the n elements of ``shape``, or int64[1] if one number does."""
    if array.size > 1 and array.shape != shape:
        array = np.broadcast_to(array, shape)
    return array.reshape(-1)


def _stretch(size: int, *parts: I8) -> list[I8]:
    return [part if part.size == size else np.broadcast_to(part, size) for part in parts]


def _read_dice(hand: object, n_faces: int) -> Numbers:
    """Read one hand, int64[k], or an array of hands, int64[..., k] with 0 for "no die"."""
    if not is_hand_array(hand):
        return Numbers(np.array(read_hand(hand, n_faces), dtype=np.int64))
    dice = _read_range(hand, "a die of the hand", 0, n_faces, f"show 1..{n_faces}, or 0 for no die")
    if dice.values.ndim == 0:
        raise InputError(f"hand must be an array of faces (..., k), got the number {hand!r}")
    return dice


def _count_own(own: object, dice: Numbers, faces: Numbers, wild: int | None) -> Numbers:
    if own is not None:
        return _read_range(own, "own", 0, MAX_DICE, "lie in 0..10**12")
    face = faces.values[..., np.newaxis]
    is_match = dice.values == face
    if wild is not None:
        is_match |= dice.values == wild
    is_nan = None if dice.is_nan is None else np.asarray(dice.is_nan.any(axis=-1))
    return Numbers(is_match.sum(axis=-1, dtype=np.int64), is_nan)


def _count_hidden(unseen: object, total: object, dice: Numbers) -> Numbers:
    if total is None:
        return _read_range(unseen, "unseen", 0, MAX_DICE, "lie in 0..10**12")
    table = _read_range(total, "total", 0, MAX_DICE, "lie in 0..10**12")
    n_own = np.asarray(np.count_nonzero(dice.values, axis=-1))
    hidden = np.asarray(table.values - n_own)
    is_short = hidden < 0
    if table.is_nan is not None:
        is_short &= ~table.is_nan
        hidden = np.maximum(hidden, 0)
    if is_short.any():
        totals, sizes = np.broadcast_arrays(table.values, n_own)
        raise InputError(
            f"total counts your own dice too, so at least {sizes[is_short][0]}, "
            f"got {totals[is_short][0]}"
        )
    return Numbers(hidden, table.is_nan)


def map_numbers(
    function: Callable[[int], Any], value: object, name: str, *, exact: bool
) -> F8 | FractionArray:
    """Apply ``function`` to each number of an array; NaN stays NaN."""
    numbers = read_numbers(value, name)
    results = [function(number) for number in numbers.values.reshape(-1).tolist()]
    mapped = np.array(results, dtype=object if exact else np.float64).reshape(numbers.values.shape)
    if numbers.is_nan is not None:
        mapped[numbers.is_nan] = np.nan
    return mapped


def read_numbers(value: object, name: str) -> Numbers:
    """Read an array of whole numbers of any integer or float dtype, without wrap-around.

    Raises
    ------
    InputError
        If an element has a fraction, is infinite or beyond 64 bits, or rows differ in length.
    InputTypeError
        If an element is not a number, or a bool.
    """
    if isinstance(value, list | tuple) and _holds_bool(value):
        raise InputTypeError(f"{name} must hold whole numbers, got a bool among them")
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError(f"{name} must be an array, got rows of different lengths") from None
    if array.dtype.kind == "O":
        numbers = [read_whole(element, name) for element in array.flat]
        array = np.array([np.nan if n is None else n for n in numbers]).reshape(array.shape)
        if array.dtype.kind == "O":  # numpy found an integer too long for any of its own
            raise InputError(f"{name} must be below 2**63, got {max(array.flat, key=abs)}")
    if array.dtype.kind == "f":
        array = array.astype(np.float64)
        is_nan = np.isnan(array)
        whole = np.where(is_nan, 0.0, array)
        _refuse(
            whole[np.isinf(whole) | (np.floor(whole) != whole)], f"{name} must be a whole number"
        )
        _refuse(whole[abs(whole) >= 2.0**63], f"{name} must be below 2**63")
        return Numbers(whole.astype(np.int64), is_nan if is_nan.any() else None)
    if array.dtype.kind not in "iu":
        raise InputTypeError(f"{name} must hold whole numbers, got an array of {array.dtype}")
    if array.dtype == np.uint64:
        _refuse(array[array > np.iinfo(np.int64).max], f"{name} must be below 2**63")
    return Numbers(array.astype(np.int64, copy=False))


def _holds_bool(values: list[Any] | tuple[Any, ...]) -> bool:  # Any: whatever a caller passes
    return any(
        _holds_bool(value)
        if isinstance(value, list | tuple)
        else isinstance(value, bool | np.bool_)
        for value in values
    )


def _refuse(offenders: NDArray[Any], complaint: str) -> None:  # Any: of any number type
    if offenders.size:
        raise InputError(f"{complaint}, got {offenders.flat[0]}")


def _read_range(value: object, name: str, low: int, high: int, limits: str) -> Numbers:
    """Read numbers that lie in a range; NaN is as good as the lowest."""
    values, is_nan = read_numbers(value, name)
    if is_nan is not None:
        values = np.where(is_nan, low, values)
    # One pass instead of two: a negative number is a huge one without its sign.
    if values.size and ((values - low) if low else values).view(np.uint64).max() > high - low:
        _refuse(values[(values < low) | (values > high)], f"{name} must {limits}")
    return Numbers(values, is_nan)

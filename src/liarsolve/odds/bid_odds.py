"""The odds of a bid: that at least, exactly or fewer than so many dice show a face.

A hidden die matches a bid with chance ``2 / sides`` if another face is wild, and ``1 / sides`` if
none is or the bid is on the wild face itself; the number of matches is binomial. Up to 128 hidden
dice every float is the exact value, rounded once. Beyond that the relative error stays below 2e-12
up to a million dice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Unpack, overload

from liarsolve.odds._ask import ask_odds
from liarsolve.odds._exact import Kind

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import ArrayLike

    from liarsolve._typing import F8
    from liarsolve.odds._signatures import Dice, Fractions, ManyTables, Number, OneTable

__all__ = [
    "log_p_at_least",
    "log_p_exactly",
    "log_p_fewer",
    "p_at_least",
    "p_exactly",
    "p_fewer",
]


@overload
def p_at_least(
    quantity: Number,
    face: Number,
    unseen: Number | None = None,
    *,
    exact: Literal[False] = False,
    **table: Unpack[OneTable],
) -> float: ...
@overload
def p_at_least(
    quantity: Number,
    face: Number,
    unseen: Number | None = None,
    *,
    exact: Literal[True],
    **table: Unpack[OneTable],
) -> Fraction: ...
@overload
def p_at_least(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    exact: Literal[False] = False,
    **table: Unpack[ManyTables],
) -> F8: ...
@overload
def p_at_least(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    exact: Literal[True],
    **table: Unpack[ManyTables],
) -> Fractions: ...
def p_at_least(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    hand: Dice = (),
    total: ArrayLike | None = None,
    own: ArrayLike | None = None,
    wild: int | None = 1,
    sides: int = 6,
    exact: bool = False,
) -> float | Fraction | F8 | Fractions:
    """Chance that at least ``quantity`` dice show ``face``: that the bid is true.

    Your own dice count too, through ``hand`` or ``own``. Numbers give a float; if any argument is
    an array they broadcast against each other, and the result is a float64 array. NaN propagates.

    Parameters
    ----------
    quantity
        Dice that the bid names. Whole, of any integer or float type; zero or less is always met.
    face
        Face that the bid names, in ``1..sides``.
    unseen
        Hidden dice, those of all other players. Give either this or ``total``.
    hand
        Your own dice, a sequence of faces; or an array of hands, (..., k), where 0 is no die.
    total
        All dice on the table, your own included.
    own
        How many of your own dice match, in place of ``hand``; it goes with ``unseen``.
    wild
        Face that matches every bid except one on itself, or ``None`` if there is none. Then only
        the named face counts.
    sides
        Faces of a die, at most a million.
    exact
        Give a `fractions.Fraction` (from arrays: an object array of them), at a cost that grows
        with the square of ``unseen``.

    Returns
    -------
    float, Fraction or array
        Exactly 1 if your own dice meet the bid, exactly 0 if the dice cannot.

    Raises
    ------
    InputError
        If ``quantity`` is not whole, ``face`` or a die is not in ``1..sides``, a number of dice is
        negative or beyond 10**12, ``total`` is less than the dice in ``hand``, the choices above
        are not kept, or arrays do not broadcast. It is a `ValueError`.
    InputTypeError
        If an argument is a bool, a text or another thing than a number. It is a `TypeError`.

    See Also
    --------
    log_p_at_least : Its logarithm, also where the chance is too small for a float.
    count_distribution : The chances of all quantities.

    Examples
    --------
    Four threes among fifteen dice, when you hold two threes and a wild one:

    >>> p_at_least(4, 3, total=15, hand=(1, 3, 3, 5, 6))
    0.9826584700841674
    >>> p_at_least(4, 3, unseen=10, own=3, exact=True)
    Fraction(58025, 59049)

    A bid on ones gets no help from a wild face:

    >>> p_at_least([2, 3, 4], 1, 10).round(4)
    array([0.5155, 0.2248, 0.0697])
    """
    return ask_odds(Kind.AT_LEAST, quantity, face, unseen, hand, total, own, wild, sides, exact)


@overload
def p_exactly(
    quantity: Number,
    face: Number,
    unseen: Number | None = None,
    *,
    exact: Literal[False] = False,
    **table: Unpack[OneTable],
) -> float: ...
@overload
def p_exactly(
    quantity: Number,
    face: Number,
    unseen: Number | None = None,
    *,
    exact: Literal[True],
    **table: Unpack[OneTable],
) -> Fraction: ...
@overload
def p_exactly(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    exact: Literal[False] = False,
    **table: Unpack[ManyTables],
) -> F8: ...
@overload
def p_exactly(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    exact: Literal[True],
    **table: Unpack[ManyTables],
) -> Fractions: ...
def p_exactly(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    hand: Dice = (),
    total: ArrayLike | None = None,
    own: ArrayLike | None = None,
    wild: int | None = 1,
    sides: int = 6,
    exact: bool = False,
) -> float | Fraction | F8 | Fractions:
    """Chance that exactly ``quantity`` dice show ``face``: that an exact call wins.

    Arguments, result and errors are those of `p_at_least`.

    Examples
    --------
    >>> p_exactly(6, 4, total=15, hand=(4, 4, 1, 2, 6), exact=True)
    Fraction(5120, 19683)
    """
    return ask_odds(Kind.EXACTLY, quantity, face, unseen, hand, total, own, wild, sides, exact)


@overload
def p_fewer(
    quantity: Number,
    face: Number,
    unseen: Number | None = None,
    *,
    exact: Literal[False] = False,
    **table: Unpack[OneTable],
) -> float: ...
@overload
def p_fewer(
    quantity: Number,
    face: Number,
    unseen: Number | None = None,
    *,
    exact: Literal[True],
    **table: Unpack[OneTable],
) -> Fraction: ...
@overload
def p_fewer(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    exact: Literal[False] = False,
    **table: Unpack[ManyTables],
) -> F8: ...
@overload
def p_fewer(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    exact: Literal[True],
    **table: Unpack[ManyTables],
) -> Fractions: ...
def p_fewer(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    hand: Dice = (),
    total: ArrayLike | None = None,
    own: ArrayLike | None = None,
    wild: int | None = 1,
    sides: int = 6,
    exact: bool = False,
) -> float | Fraction | F8 | Fractions:
    """Chance that fewer than ``quantity`` dice show ``face``: that a challenge wins.

    It is found directly, not as one minus `p_at_least`, so small chances keep all their digits.
    Arguments, result and errors are those of `p_at_least`.

    Examples
    --------
    >>> p_fewer(1, 3, 60)
    2.7197216389364318e-11
    >>> 1 - p_at_least(1, 3, 60)  # most digits are gone
    2.7197244...e-11
    """
    return ask_odds(Kind.FEWER, quantity, face, unseen, hand, total, own, wild, sides, exact)


@overload
def log_p_at_least(
    quantity: Number, face: Number, unseen: Number | None = None, **table: Unpack[OneTable]
) -> float: ...
@overload
def log_p_at_least(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    **table: Unpack[ManyTables],
) -> F8: ...
def log_p_at_least(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    hand: Dice = (),
    total: ArrayLike | None = None,
    own: ArrayLike | None = None,
    wild: int | None = 1,
    sides: int = 6,
) -> float | Fraction | F8 | Fractions:
    """Natural logarithm of `p_at_least`; finite unless the bid is impossible.

    Arguments and errors are those of `p_at_least`, without ``exact``. The result is 0.0 if the bid
    is met already and ``-inf`` if it is impossible.

    Examples
    --------
    A million threes in a row have a chance that no float can hold:

    >>> p_at_least(10**6, 3, 10**6), log_p_at_least(10**6, 3, 10**6)
    (0.0, -1098612.288668...)
    """
    return ask_odds(Kind.LOG_AT_LEAST, quantity, face, unseen, hand, total, own, wild, sides, False)


@overload
def log_p_exactly(
    quantity: Number, face: Number, unseen: Number | None = None, **table: Unpack[OneTable]
) -> float: ...
@overload
def log_p_exactly(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    **table: Unpack[ManyTables],
) -> F8: ...
def log_p_exactly(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    hand: Dice = (),
    total: ArrayLike | None = None,
    own: ArrayLike | None = None,
    wild: int | None = 1,
    sides: int = 6,
) -> float | Fraction | F8 | Fractions:
    """Natural logarithm of `p_exactly`; ``-inf`` only where that count is impossible.

    Arguments and errors are those of `p_at_least`, without ``exact``.

    Examples
    --------
    >>> log_p_exactly(0, 3, 5)  # five times log(2/3)
    -2.02732554054082...
    """
    return ask_odds(Kind.LOG_EXACTLY, quantity, face, unseen, hand, total, own, wild, sides, False)


@overload
def log_p_fewer(
    quantity: Number, face: Number, unseen: Number | None = None, **table: Unpack[OneTable]
) -> float: ...
@overload
def log_p_fewer(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    **table: Unpack[ManyTables],
) -> F8: ...
def log_p_fewer(
    quantity: ArrayLike,
    face: ArrayLike,
    unseen: ArrayLike | None = None,
    *,
    hand: Dice = (),
    total: ArrayLike | None = None,
    own: ArrayLike | None = None,
    wild: int | None = 1,
    sides: int = 6,
) -> float | Fraction | F8 | Fractions:
    """Natural logarithm of `p_fewer`; ``-inf`` only if the bid is met already.

    Arguments and errors are those of `p_at_least`, without ``exact``.

    Examples
    --------
    >>> log_p_fewer(1, 3, 10**6)  # not one match among a million dice
    -405465.1081081...
    """
    return ask_odds(Kind.LOG_FEWER, quantity, face, unseen, hand, total, own, wild, sides, False)

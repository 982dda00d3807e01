"""Five aces, or all alike of any one face, within a number of throws."""

from __future__ import annotations

from fractions import Fraction
from math import expm1, log1p
from typing import TYPE_CHECKING, Literal, overload

from liarsolve.errors import InputError
from liarsolve.odds._inputs import is_array, read_count

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from liarsolve._typing import F8
    from liarsolve.odds._signatures import Fractions, Number

__all__ = ["p_five_aces"]

_MOST_THROWS_COUNTED = 256
"""Up to here floats come from fractions, rounded once; beyond, from a logarithm, to 1e-15."""


@overload
def p_five_aces(
    throws: Number = 5, *, aces: Number = 0, keep: bool = True, exact: Literal[False] = False
) -> float: ...
@overload
def p_five_aces(
    throws: Number = 5, *, aces: Number = 0, keep: bool = True, exact: Literal[True]
) -> Fraction: ...
@overload
def p_five_aces(
    throws: ArrayLike, *, aces: ArrayLike = 0, keep: bool = True, exact: Literal[False] = False
) -> F8: ...
@overload
def p_five_aces(
    throws: ArrayLike, *, aces: ArrayLike = 0, keep: bool = True, exact: Literal[True]
) -> Fractions: ...
def p_five_aces(
    throws: ArrayLike = 5, *, aces: ArrayLike = 0, keep: bool = True, exact: bool = False
) -> float | Fraction | F8 | Fractions:
    """Chance to make five aces with five dice in up to ``throws`` throws (clause CL?1).

    A player who accepts five aces has five throws to make them. The three readings of that rule:
    all dice are thrown first and aces are kept (``fresh_keep``: the default); the aces among the
    dice that were passed are kept from the start (``carry_keep``: give ``aces``); or all five are
    thrown each time (``fresh_all``: ``keep=False``).

    Parameters
    ----------
    throws
        Throws there are, 0 or more; arrays broadcast against ``aces``.
    aces
        Aces that lie already and are kept, 0 to 5.
    keep
        Whether aces stay from throw to throw; if not, all five dice are thrown each time.
    exact
        Give a fraction.

    Returns
    -------
    float, Fraction or array
        ``(1 - (5/6)**throws) ** (5 - aces)``, or ``1 - (1 - 6**-5)**throws`` without keeping.

    Raises
    ------
    InputError
        If a number is negative or not whole, there are more than five aces, or ``aces`` are given
        though none are kept.
    InputTypeError
        If a number is none.

    Examples
    --------
    >>> round(p_five_aces(), 6), round(p_five_aces(keep=False), 6)
    (0.076551, 0.000643)
    >>> p_five_aces(2, aces=3, exact=True)
    Fraction(121, 1296)
    >>> p_five_aces(5, aces=range(6)).round(3)
    array([0.077, 0.128, 0.214, 0.358, 0.598, 1.   ])
    """
    if is_array(throws) or is_array(aces):
        import numpy as np

        each = np.frompyfunc(lambda n, j: _chance(n, j, keep=keep, exact=exact), 2, 1)
        chances = each(np.asarray(throws, dtype=object), np.asarray(aces, dtype=object))
        return chances if exact else chances.astype(np.float64)  # type: ignore[no-any-return]  # a ufunc is untyped
    return _chance(throws, aces, keep=keep, exact=exact)


def _chance(throws: object, aces: object, *, keep: bool, exact: bool) -> float | Fraction:
    n, j = read_count(throws, "throws"), read_count(aces, "aces")
    if n is None or j is None or j > 5:
        raise InputError(
            f"five dice show 0 to 5 aces in 0 or more throws, got {aces!r} in {throws!r}"
        )
    if j and not keep:
        raise InputError(f"aces are kept only with keep=True, got aces={aces!r} and keep=False")
    hit = Fraction(1, 6) if keep else Fraction(1, 6**5)  # an ace, or all five at once
    n_missing = 5 - j if keep else 1
    if n > _MOST_THROWS_COUNTED and not exact:
        return float((-expm1(n * log1p(-hit))) ** n_missing)
    chance = (1 - (1 - hit) ** n) ** n_missing
    return chance if exact else float(chance)

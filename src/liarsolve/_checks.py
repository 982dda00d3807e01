"""What an argument must be before anything is done with it, checked in one place.

Every function takes the name that its caller knows the argument by, so that the sentence in the
error is about that argument, and returns the value as a plain Python one.
"""

import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

from liarsolve.errors import InputError, InputTypeError

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")


def check_whole(
    name: str, value: object, *, at_least: int | None = None, at_most: int | None = None
) -> int:
    """Take a whole number: an int, or anything that stands for one as numpy integers do.

    Raises
    ------
    InputTypeError
        If it is not one; booleans and 2.0 are not.
    InputError
        If it is smaller than ``at_least`` or larger than ``at_most``.

    Examples
    --------
    >>> check_whole("deals", 3, at_least=1)
    3
    >>> check_whole("deals", 0, at_least=1)
    Traceback (most recent call last):
    liarsolve.errors.InputError: deals is a whole number of 1 or more, got 0
    """
    wanted = f"{name} is a whole number{_limits(at_least, at_most)}, got {value!r}"
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InputTypeError(wanted)
    try:
        number = int(value.__index__())
    except TypeError:  # an array of several numbers
        raise InputTypeError(wanted) from None
    if (at_least is not None and number < at_least) or (at_most is not None and number > at_most):
        raise InputError(wanted)
    return number


def check_number(
    name: str, value: object, *, at_least: float | None = None, at_most: float | None = None
) -> float:
    """Take a finite number.

    Raises
    ------
    InputTypeError
        If it is no number; a boolean is none.
    InputError
        If it is not finite, smaller than ``at_least`` or larger than ``at_most``.

    Examples
    --------
    >>> check_number("target", 1e-3, at_least=0)
    0.001
    >>> check_number("target", float("nan"), at_least=0)
    Traceback (most recent call last):
    liarsolve.errors.InputError: target is a number of 0 or more, got nan
    """
    wanted = f"{name} is a number{_limits(at_least, at_most)}, got {value!r}"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputTypeError(wanted)
    try:
        number = float(value)
    except OverflowError:  # an int of 400 digits
        raise InputError(wanted) from None
    if not math.isfinite(number):
        raise InputError(wanted)
    if (at_least is not None and number < at_least) or (at_most is not None and number > at_most):
        raise InputError(wanted)
    return number


def check_flag(name: str, value: object) -> bool:
    """Take True or False, and nothing that merely counts as either.

    Raises
    ------
    InputTypeError
        If it is anything else, such as the text "yes".

    Examples
    --------
    >>> check_flag("palifico", "yes")
    Traceback (most recent call last):
    liarsolve.errors.InputTypeError: palifico is True or False, got 'yes'
    """
    if not isinstance(value, bool):
        raise InputTypeError(f"{name} is True or False, got {value!r}")
    return value


def check_instance(name: str, value: object, kind: type[T], example: str) -> T:
    """Take a value of one class; ``example`` says in words what that is.

    Raises
    ------
    InputTypeError
        If it is of another class.

    Examples
    --------
    >>> check_instance("payoffs", 3, dict, "a mapping")
    Traceback (most recent call last):
    liarsolve.errors.InputTypeError: payoffs is a mapping, got 3
    """
    if not isinstance(value, kind):
        raise InputTypeError(f"{name} is {example}, got {value!r}")
    return value


def check_mapping(name: str, value: object) -> None:
    """Take a mapping, such as a dict.

    Raises
    ------
    InputTypeError
        If it is none.

    Examples
    --------
    >>> check_mapping("options", "faces=3")
    Traceback (most recent call last):
    liarsolve.errors.InputTypeError: options is a mapping from names to values, got 'faces=3'
    """
    if not isinstance(value, Mapping):
        raise InputTypeError(f"{name} is a mapping from names to values, got {value!r}")


def check_callable(name: str, value: Callable[..., Any] | None) -> None:
    """Take a function, or None for none.

    Raises
    ------
    InputTypeError
        If it cannot be called.

    Examples
    --------
    >>> check_callable("on_progress", 5)
    Traceback (most recent call last):
    liarsolve.errors.InputTypeError: on_progress is a function, got 5
    """
    if value is not None and not callable(value):
        raise InputTypeError(f"{name} is a function, got {value!r}")


def check_rng(value: object) -> "np.random.Generator":
    """Take a numpy generator, or a seed for a new one.

    Raises
    ------
    InputTypeError
        If it is neither.
    InputError
        If the seed is negative.

    Examples
    --------
    >>> check_rng(-1)
    Traceback (most recent call last):
    liarsolve.errors.InputError: rng is a numpy random Generator, or a seed of 0 or more, got -1
    """
    import numpy as np

    if isinstance(value, np.random.Generator):
        return value
    wanted = f"rng is a numpy random Generator, or a seed of 0 or more, got {value!r}"
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InputTypeError(wanted)
    if value < 0:
        raise InputError(wanted)
    return np.random.default_rng(int(value))


def _limits(at_least: float | None, at_most: float | None) -> str:
    if at_least is not None and at_most is not None:
        return f" from {at_least} to {at_most}"
    if at_least is not None:
        return f" of {at_least} or more"
    return "" if at_most is None else f" of {at_most} or less"

"""Targets and limits that every solver takes, and when a limit has come."""

import math

from liarsolve.errors import InputError
from liarsolve.solvers.result import StopReason


def check_limits(measure: str, target: float, **limits: float | None) -> None:
    """Refuse a target below 0, and limits that leave nothing to do.

    Parameters
    ----------
    measure : str
        What the target is, with its article.
    target : float
        To be reached.
    **limits : float or None
        By the names of the caller's arguments; None is no limit.

    Raises
    ------
    InputError
        With the name of what is wrong, and its value.
    """
    if not target >= 0 or math.isinf(target):
        raise InputError(f"target is {measure} of 0 or more, got {target}")
    for name, limit in limits.items():
        if limit is not None and not limit > 0:
            raise InputError(f"{name} must be more than 0, got {limit}")


def refuse_endless(
    target: float, max_iterations: int | None, max_seconds: float | None, advice: str = ""
) -> None:
    """Refuse to go on until the exploitability is 0, which takes for ever."""
    if target == 0 and max_iterations is None and max_seconds is None:
        raise InputError(
            "target 0 is never reached exactly; give max_iterations or max_seconds too" + advice
        )


def limit_reached(
    iteration: int, seconds: float, max_iterations: int | None, max_seconds: float | None
) -> StopReason | None:
    """Say which limit has come; None if none has."""
    if max_iterations is not None and iteration >= max_iterations:
        return StopReason.ITERATION_LIMIT
    if max_seconds is not None and seconds >= max_seconds:
        return StopReason.TIME_LIMIT
    return None

"""Targets and limits that every solver takes, and when a limit has come."""

import math
from dataclasses import dataclass

from liarsolve._checks import check_number, check_whole
from liarsolve.errors import InputError
from liarsolve.solvers.core.result import StopReason

BYTES_A_SECOND = 1e9
"""Memory of a solver of which a strategy is made in a second; a cautious estimate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When a solver stops.

    Examples
    --------
    >>> Limits(target=1e-2, max_seconds=60).reached(iteration=5, seconds=61).name
    'TIME_LIMIT'
    """

    target: float = 1e-3
    """What is to be reached, in utility per round: an exploitability, or ``nash_conv`` of more than
    two players."""
    max_iterations: int | None = None
    max_seconds: float | None = None
    """Stop there if the target has not been reached; without either the target alone decides."""
    max_memory: float | None = None
    """Bytes that may be used; four fifths of the machine's memory if not given."""

    def check(self, measure: str) -> None:
        """Refuse a target below 0, and limits that leave nothing to do.

        Parameters
        ----------
        measure : str
            What the target is, with its article.

        Raises
        ------
        InputError, InputTypeError
            With the name of what is wrong, and its value.
        """
        check_limits(
            measure,
            self.target,
            max_iterations=self.max_iterations,
            max_seconds=self.max_seconds,
            max_memory=self.max_memory,
        )

    def refuse_endless(self, advice: str = "") -> None:
        """Refuse to go on until the exploitability is 0, which takes for ever."""
        if self.target == 0 and self.max_iterations is None and self.max_seconds is None:
            raise InputError(
                "target 0 is never reached exactly; give max_iterations or max_seconds too" + advice
            )

    def reached(self, iteration: int, seconds: float) -> StopReason | None:
        """Say which limit has come; None if none has."""
        if self.max_iterations is not None and iteration >= self.max_iterations:
            return StopReason.ITERATION_LIMIT
        if self.max_seconds is not None and seconds >= self.max_seconds:
            return StopReason.TIME_LIMIT
        return None


DEFAULT_LIMITS = Limits()


def check_limits(measure: str, target: float, **limits: float | None) -> None:
    """Refuse a target below 0, and limits that leave nothing to do.

    Parameters
    ----------
    measure : str
        What the target is, with its article.
    target : float
        To be reached.
    **limits : float or None
        By the names of the caller's arguments; None is no limit. Those of which there are only
        whole ones, such as iterations, are whole numbers.

    Raises
    ------
    InputError, InputTypeError
        With the name of what is wrong, and its value.
    """
    _check_is_number("target", target)
    if not target >= 0 or math.isinf(target):
        raise InputError(f"target is {measure} of 0 or more, got {target}")
    for name, limit in limits.items():
        if limit is None:
            continue
        if name in ("max_seconds", "max_memory"):
            _check_is_number(name, limit)
        else:
            check_whole(name, limit)
        if not limit > 0:
            raise InputError(f"{name} must be more than 0, got {limit}")


def _check_is_number(name: str, value: float) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        return  # the caller says what is right in its place
    check_number(name, value)

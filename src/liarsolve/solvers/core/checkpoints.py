"""When a running solve hands out what it needs to go on later."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from liarsolve._checks import check_callable, check_number
from liarsolve.errors import InputError
from liarsolve.solvers.core.result import CheckpointCallback, SolverState


@dataclass(frozen=True, slots=True, kw_only=True)
class Callbacks:
    """Whom a solver tells how far it is, and where it goes on from.

    Raises
    ------
    InputError, InputTypeError
        If something cannot be called, or the time is negative or no number.
    """

    on_progress: Callable[[Any], None] | None = None  # Any: each family has a record of its own
    """Called with a `SolveProgress`, or the like of a cup game, at each measurement."""
    on_checkpoint: CheckpointCallback | None = None
    """Called with a `SolverState` every ``checkpoint_seconds``; its arrays are views that the next
    iteration overwrites."""
    checkpoint_seconds: float = 600.0
    resume_from: SolverState | None = None
    """Go on from there. With the same arguments, and unless the clock ends it, the result has the
    same bits as that of an unbroken run."""

    def __post_init__(self) -> None:
        check_callable("on_progress", self.on_progress)
        check_callable("on_checkpoint", self.on_checkpoint)
        seconds = check_number("checkpoint_seconds", self.checkpoint_seconds)
        if seconds < 0:
            raise InputError(f"checkpoint_seconds must be 0 or more, got {seconds:g}")


NO_CALLBACKS = Callbacks()


@dataclass(eq=False)
class CheckpointClock:
    """Calls back with the state of a solve every so many seconds, if somebody wants it."""

    callback: CheckpointCallback | None
    seconds: float
    last: float
    """When it was called the last time, or the solve began."""

    def tick(self, to_state: Callable[[], SolverState]) -> None:
        """Call back if it is time."""
        if perf_counter() - self.last >= self.seconds:
            self.call(to_state)

    def call(self, to_state: Callable[[], SolverState]) -> None:
        """Call back now."""
        if self.callback is not None:
            self.callback(to_state())
            self.last = perf_counter()

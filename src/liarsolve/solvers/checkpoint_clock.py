"""When a running solve hands out what it needs to go on later."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

from liarsolve.errors import InputError
from liarsolve.solvers.result import CheckpointCallback, SolverState


@dataclass(eq=False)
class CheckpointClock:
    """Calls back with the state of a solve every so many seconds, if somebody wants it.

    Raises
    ------
    InputError
        If the time is negative or no number.
    """

    callback: CheckpointCallback | None
    seconds: float
    last: float = field(default_factory=perf_counter)

    def __post_init__(self) -> None:
        if not self.seconds >= 0:
            raise InputError(f"checkpoint_seconds must be 0 or more, got {self.seconds}")

    def tick(self, to_state: Callable[[], SolverState]) -> None:
        """Call back if it is time."""
        if perf_counter() - self.last >= self.seconds:
            self.call(to_state)

    def call(self, to_state: Callable[[], SolverState]) -> None:
        """Call back now."""
        if self.callback is not None:
            self.callback(to_state())
            self.last = perf_counter()

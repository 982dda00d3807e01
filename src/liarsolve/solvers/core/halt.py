"""Ctrl-C and deadlines, as long work asks about them.

A signal may arrive while a kernel is compiled or a linear program is solved, in a callback that
swallows exceptions. So it is noted first, and whoever works looks whether one was.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from types import FrameType

_PIECE = 1_000_000
"""(state, hand) pairs traversed between two looks at the clock: some hundredths of a second."""
_ENOUGH = 3
"""Interrupts after which work is left where it stands, whatever it is."""


@dataclass(eq=False)
class Interrupts:
    """Signals of Ctrl-C that came, and how many were answered."""

    on_interrupt: Callable[[], None] | None = None
    """Called at each, from the handler."""
    n_come: int = 0
    n_answered: int = 0
    is_held: bool = False
    """Whether somebody looks at `is_waiting` often enough; if not, `KeyboardInterrupt` is raised
    at once."""

    @property
    def is_waiting(self) -> bool:
        """Whether there was an interrupt that nobody has answered yet."""
        return self.n_come > self.n_answered

    def handle(self, signum: int, frame: FrameType | None) -> None:
        """Note an interrupt: the handler of the signal."""
        self.n_come += 1
        if self.on_interrupt is not None:
            self.on_interrupt()
        if not self.is_held or self.n_come >= self.n_answered + _ENOUGH:
            raise KeyboardInterrupt

    def raise_waiting(self) -> None:
        """Raise `KeyboardInterrupt` if there is one that got lost on its way."""
        if self.is_waiting:
            raise KeyboardInterrupt

    @contextmanager
    def held(self) -> Iterator[None]:
        """Inside, interrupts only wait for whoever asks, and nothing is broken off half-way."""
        was_held, self.is_held = self.is_held, True
        try:
            yield
        finally:
            self.is_held = was_held


_active: list[Interrupts] = []
"""The one that handles the signal, if there is one."""


@contextmanager
def listen(on_interrupt: Callable[[], None] | None = None) -> Iterator[Interrupts]:
    """Note interrupts inside, if Python itself would raise `KeyboardInterrupt` for them.

    In other threads, and where a program has a handler of its own, nothing is changed. Inside of
    another such context it is that one which listens.
    """
    is_ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if not is_ours:
        is_main = threading.current_thread() is threading.main_thread()
        yield _active[0] if _active and is_main else Interrupts(on_interrupt)
        return
    interrupts = Interrupts(on_interrupt)
    _active.append(interrupts)
    signal.signal(signal.SIGINT, interrupts.handle)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _active.remove(interrupts)


@dataclass(eq=False)
class Halt:
    """Whether work should end before it is done; whoever works asks now and then."""

    deadline: float = inf
    """A time of `time.perf_counter`."""
    interrupts: Interrupts = field(default_factory=Interrupts)

    def __call__(self) -> bool:
        """Whether it is time to end."""
        return self.interrupts.is_waiting or perf_counter() >= self.deadline


def pause_after(n_hands: int) -> int:
    """States to traverse between two looks at the clock."""
    return max(_PIECE // n_hands, 1)


NEVER = Halt()
"""For work that goes on to its end."""

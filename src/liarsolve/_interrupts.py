"""Ctrl-C as long work meets it: noted first, and raised where nothing swallows it.

A signal may arrive while a module is imported, a kernel is compiled or an object is thrown away, in
a callback that drops exceptions, or worse, in one after which a compiler is left half-way. So it is
noted first; whoever works looks whether one was; and where it is not safe to raise at once it is
tried again a moment later.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

_ENOUGH = 3
"""Interrupts after which work is left where it stands, whatever it is."""
_AGAIN = 0.02
"""Seconds until it is tried again."""
_CALLBACKS = frozenset(
    {
        "cb",  # of the import system, when a module's lock is thrown away
        "remove",  # of dictionaries and sets with weak references
        "_remove",
        "__del__",
        "_raw_object_cache_notify",  # of the compiler: what it raises leaves no code behind
        "_raw_object_cache_getbuffer",
    }
)
"""Functions that are called from C, which prints what they raise and goes on."""


def _is_in_callback(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name in _CALLBACKS:
            return True
        frame = frame.f_back
    return False


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
        self._raise_if_safe(frame)

    def try_again(self, signum: int, frame: FrameType | None) -> None:
        """Raise what could not be raised when it came: the handler of the timer."""
        if self.is_waiting:
            self._raise_if_safe(frame)

    def _raise_if_safe(self, frame: FrameType | None) -> None:
        if self.is_held and self.n_come < self.n_answered + _ENOUGH:
            return
        if not _is_in_callback(frame):
            raise KeyboardInterrupt
        if _has_timer(self):
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)

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


def _has_timer(interrupts: Interrupts) -> bool:
    """Whether the system has a timer, and nobody else uses it."""
    if not hasattr(signal, "setitimer"):
        return False
    return signal.getsignal(signal.SIGALRM) == interrupts.try_again


@contextmanager
def listen(on_interrupt: Callable[[], None] | None = None) -> Iterator[Interrupts]:
    """Note interrupts inside, if Python itself would raise `KeyboardInterrupt` for them.

    In other threads, and where a program has a handler of its own, nothing is changed. Inside of
    another such context it is that one which listens, and calls ``on_interrupt`` meanwhile.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        outer = _active[0] if _active and is_main else Interrupts()
        before = outer.on_interrupt
        outer.on_interrupt = on_interrupt or before
        try:
            yield outer
        finally:
            outer.on_interrupt = before
        return
    interrupts = Interrupts(on_interrupt)
    is_free = hasattr(signal, "setitimer") and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    _active.append(interrupts)
    if is_free:
        signal.signal(signal.SIGALRM, interrupts.try_again)
    signal.signal(signal.SIGINT, interrupts.handle)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if is_free:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
        _active.remove(interrupts)

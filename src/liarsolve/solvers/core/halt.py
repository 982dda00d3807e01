"""Ctrl-C and deadlines, as long work asks about them."""

from dataclasses import dataclass, field
from math import inf
from time import perf_counter

from liarsolve._interrupts import Interrupts, listen

__all__ = ["NEVER", "Halt", "Interrupts", "listen", "pause_after"]

_PIECE = 100_000
"""(state, hand) pairs walked between two looks at the clock: a hundredth of a second, and in the
first walk of a round with many bids, where every state is new, some tenths."""


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

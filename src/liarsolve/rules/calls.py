"""The calls that end a round, in both families."""

from enum import Enum

__all__ = ["CHALLENGE", "EXACT", "Call"]


class Call(Enum):
    """A call ends the round: all dice are shown."""

    CHALLENGE = "liar"
    """The standing bid is false (dudo)."""
    EXACT = "exact"
    """The standing bid is exactly right (calza)."""

    def __str__(self) -> str:
        return str(self.value)


CHALLENGE = Call.CHALLENGE
"""The standing bid is false (dudo)."""
EXACT = Call.EXACT
"""The standing bid is exactly right (calza)."""

"""What actions are worth at one place of a round, in either family."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Values:
    """All that a solved round says about one decision."""

    options: tuple[tuple[Any, float, float], ...]  # Any: actions of either family
    """Every action with how often it is played and what it is worth, the most played first."""
    margin: float | None
    """What a difference of two values may be wrong by; None where nothing is known of it."""
    exploitability: float | None
    """What the strategies lose at most against perfect opponents, if that is known."""
    p_true: float | None = None
    """Chance that what stands is true if the others go by the strategy."""

"""What chance does in both families: dice fall, or cards are drawn."""

from dataclasses import dataclass

from liarsolve.dice.hands import Hand

__all__ = ["Thrown"]


@dataclass(frozen=True, slots=True)
class Thrown:
    """The hand that a throw or a draw leaves, kept dice included, in rising order.

    >>> Thrown((1, 6)).hand
    (1, 6)
    """

    hand: Hand

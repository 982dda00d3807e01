"""How many dice of a bid one hand counts for, with what hands like stairs add or take away."""

from itertools import pairwise

from liarsolve.dice import Hand, count_matches
from liarsolve.rules.bidding.options import HandBonus

__all__ = ["count_hand", "most_extra"]

_WHOLE = 5
"""Dice from which a hand is a straight, or five alike."""


def count_hand(hand: Hand, face: int, wild: int | None, bonus: HandBonus) -> int:
    """Dice that a hand counts for a bid on ``face``.

    Parameters
    ----------
    hand : Hand
        Faces in rising order.
    face : int
        The face that is bid.
    wild : int or None
        The face that counts for it too.
    bonus : HandBonus
        Which hands count more or less than their dice.

    Examples
    --------
    >>> count_hand((1, 2, 3), 6, 1, HandBonus.STAIRS), count_hand((1, 2, 4), 6, 1, HandBonus.STAIRS)
    (4, 1)
    """
    count = count_matches(hand, face, wild)
    if bonus is HandBonus.STAIRS:
        return len(hand) + 1 if hand == tuple(range(1, len(hand) + 1)) else count
    if bonus is HandBonus.NONE or len(hand) < _WHOLE:
        return count
    if bonus is HandBonus.STRAIGHT_ZERO:
        return 0 if all(high == low + 1 for low, high in pairwise(hand)) else count
    return count + 1 if count == len(hand) else count


def most_extra(dice: tuple[int, ...], faces: int, bonus: HandBonus) -> int:
    """How many more than their dice all hands together can count.

    >>> most_extra((5, 2), 6, HandBonus.STAIRS), most_extra((5, 2), 6, HandBonus.FIVE_ALIKE_PLUS_1)
    (2, 1)
    """
    if bonus is HandBonus.STAIRS:
        return sum(n_dice <= faces for n_dice in dice)
    if bonus is HandBonus.FIVE_ALIKE_PLUS_1:
        return sum(n_dice >= _WHOLE for n_dice in dice)
    return 0

"""The one place where a question, of numbers or arrays, becomes its odds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from liarsolve._checks import check_flag
from liarsolve.errors import InputError
from liarsolve.odds._exact import Kind, exact_odds, scalar_odds
from liarsolve.odds._inputs import is_array, is_hand_array, read_question

if TYPE_CHECKING:
    from fractions import Fraction

    from liarsolve._typing import F8
    from liarsolve.odds._signatures import Fractions


def ask_odds(
    kind: Kind,
    quantity: object,
    face: object,
    unseen: object,
    hand: object,
    total: object,
    own: object,
    wild: object,
    sides: object,
    exact: bool,
) -> float | Fraction | F8 | Fractions:
    """Answer what the arguments of `liarsolve.odds.p_at_least` ask, for any kind of odds."""
    if exact is not True and exact is not False:
        check_flag("exact", exact)
    if (
        is_array(quantity)
        or is_array(face)
        or is_array(unseen)
        or is_array(total)
        or is_array(own)
        or is_hand_array(hand)
    ):
        from liarsolve.odds._arrays import array_odds

        return array_odds(kind, quantity, face, unseen, hand, total, own, wild, sides, exact=exact)
    question = read_question(quantity, face, unseen, hand, total, own, wild, sides)
    if question is None:
        if exact:
            raise InputError("exact=True gives a fraction, and NaN is none, got a NaN")
        return math.nan
    needed = question.quantity - question.own
    chance = question.unseen, question.hits, question.sides
    if exact:
        return exact_odds(kind, needed, *chance)
    return scalar_odds(kind, needed, *chance)

"""What a player may say: a bid, or one of the two calls that end the round."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from liarsolve.errors import InputError, InputTypeError

_BID_PATTERN = re.compile(r"([0-9]+)[xX]([0-9]+)")


@dataclass(frozen=True, slots=True)
class Bid:
    """The claim that at least ``quantity`` dice of all players show ``face``.

    Bids have no order of their own: whether 3x1 beats 5x6 depends on the rules, see
    `liarsolve.rules.Round.bid_id`.

    Raises
    ------
    InputTypeError
        If quantity or face is not a whole number.
    InputError
        If quantity or face is below 1.

    >>> str(Bid(4, 3))
    '4x3'
    """

    quantity: int
    """Number of dice claimed, at least 1."""
    face: int
    """Face claimed, counted from 1."""

    def __post_init__(self) -> None:
        for name in ("quantity", "face"):
            value = getattr(self, name)
            if isinstance(value, bool) or not hasattr(value, "__index__"):
                raise InputTypeError(f"the {name} of a bid is a whole number, got {value!r}")
            if value < 1:
                raise InputError(f"the {name} of a bid is at least 1, got {value}")
            object.__setattr__(self, name, value.__index__())

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}"

    @classmethod
    def parse(cls, text: str) -> "Bid":
        """Read a bid as players write it, the inverse of ``str``.

        Raises
        ------
        InputError
            If the text is not of the form ``QxF``.

        >>> Bid.parse("4x3")
        Bid(quantity=4, face=3)
        """
        match = _BID_PATTERN.fullmatch(text.strip())
        if match is None:
            raise InputError(f"a bid is written QxF, such as 4x3 for four threes, got {text!r}")
        return cls(int(match[1]), int(match[2]))


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

Action: TypeAlias = Bid | Call
"""A bid or a call."""

_CALL_WORDS = {
    "liar": CHALLENGE,
    "dudo": CHALLENGE,
    "challenge": CHALLENGE,
    "exact": EXACT,
    "calza": EXACT,
}


def parse_action(text: str) -> Action:
    """Read a bid such as ``"4x3"``, or a call: liar, dudo, challenge; exact, calza.

    Raises
    ------
    InputError
        If the text is neither.

    >>> parse_action("dudo") is CHALLENGE
    True
    """
    if not isinstance(text, str):
        raise InputTypeError(f"an action is written as text such as 4x3 or liar, got {text!r}")
    call = _CALL_WORDS.get(text.strip().lower())
    if call is not None:
        return call
    if _BID_PATTERN.fullmatch(text.strip()) is None:
        raise InputError(f"an action is a bid such as 4x3, liar or exact, got {text!r}")
    return Bid.parse(text)


def format_action(action: Action) -> str:
    """Write an action as `parse_action` reads it.

    >>> format_action(Bid(4, 3)), format_action(EXACT)
    ('4x3', 'exact')
    """
    return str(action)

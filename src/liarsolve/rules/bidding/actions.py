"""What a player may say: a bid, or one of the two calls that end the round."""

import re
from dataclasses import dataclass
from typing import TypeAlias

from liarsolve._checks import check_whole
from liarsolve.dice.words import COUNT_OF_WORD, FACE_OF_WORD, spell_bid
from liarsolve.errors import InputError, InputTypeError
from liarsolve.rules.calls import CHALLENGE, EXACT, Call

__all__ = [
    "CHALLENGE",
    "EXACT",
    "Action",
    "Bid",
    "Call",
    "format_action",
    "parse_action",
    "parse_actions",
]

_MOST_DIGITS = 18
"""Longer numbers are no count of dice."""
_NUMBER = rf"([0-9]{{1,{_MOST_DIGITS}}})"
_TIMES = "x*\N{MULTIPLICATION SIGN}"
_BID_PATTERN = re.compile(rf"{_NUMBER}\s*[{_TIMES}]\s*{_NUMBER}|{_NUMBER}-{_NUMBER}")
_TAGGED_PATTERN = re.compile(
    rf"\[\s*bid\s*\]\s*{_NUMBER}(?:\s*,\s*|\s+){_NUMBER}"
    rf"|\[\s*bid\s*:?\s*{_NUMBER}(?:\s*,\s*|\s+){_NUMBER}\s*\]"
)
"""As programs write a bid: ``[Bid] 2 5``, ``[Bid: 2, 5]``."""
_TAGGED_CALL_PATTERN = re.compile(r"\[\s*([a-z]+)\s*\]")
_PLURAL_PATTERN = re.compile(rf"{_NUMBER}'?s")
_LONGEST_PHRASE = 2
"""Words of a bid or call, as in four threes."""


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
            number = value if type(value) is int else check_whole(f"the {name} of a bid", value)
            if number < 1:
                raise InputError(f"the {name} of a bid is at least 1, got {value}")
            object.__setattr__(self, name, number)

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}"

    @classmethod
    def parse(cls, text: str) -> "Bid":
        """Read a bid as players and programs write it, the inverse of ``str``.

        Beside ``4x3`` these are four threes: ``4 x 3``, ``4*3``, ``4-3``, ``4 threes``,
        ``four threes``, ``4 3s`` and ``[Bid] 4 3``.

        Raises
        ------
        InputError
            If the text is not a bid, or could be another one as well.

        >>> Bid.parse("4x3")
        Bid(quantity=4, face=3)
        >>> str(Bid.parse("nine sixes"))
        '9x6'
        """
        if not isinstance(text, str):
            raise InputTypeError(f"a bid is written as text such as 4x3, got {text!r}")
        bid = _read_bid(text)
        if bid is None:
            raise InputError(
                f"a bid is written QxF, such as 4x3 for four threes, got {_shorten(text)!r}"
                + _explain_doubt(text)
            )
        return bid


Action: TypeAlias = Bid | Call
"""A bid or a call."""

_CALL_WORDS = {
    "liar": CHALLENGE,
    "dudo": CHALLENGE,
    "challenge": CHALLENGE,
    "exact": EXACT,
    "calza": EXACT,
}
_TAGGED_CALLS = _CALL_WORDS | {"call": CHALLENGE}
"""Programs that write ``[Call]`` know one call only."""


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
    action = _read_action(text)
    if action is None:
        raise InputError(
            f"an action is a bid such as 4x3, liar or exact, got {_shorten(text)!r}"
            + _explain_doubt(text)
        )
    return action


def parse_actions(text: str) -> tuple[Action, ...]:
    """Read bids and calls in a row, oldest first; an empty text is the start of a round.

    Commas, semicolons or line ends separate them, or mere spaces.

    Raises
    ------
    InputError
        If a part is neither a bid nor a call, could mean two things, or is empty.

    >>> [str(action) for action in parse_actions("1x2, 1 X 5")]
    ['1x2', '1x5']
    >>> [str(action) for action in parse_actions("two threes, 2-5 3x5 liar")]
    ['2x3', '2x5', '3x5', 'liar']
    """
    if not isinstance(text, str):
        raise InputTypeError(f"a history is written as text such as '1x2,1x5', got {text!r}")
    if not text.strip():
        return ()
    plain = _TAGGED_PATTERN.sub(_write_plain, text.lower())  # its comma separates nothing
    plain = _BID_PATTERN.sub(_write_plain, plain)
    parts = re.split(r"[,;\n]", plain.strip())
    if not all(part.strip() for part in parts):
        raise InputError(
            f"a history has a bid or a call between any two commas, got {_shorten(text)!r}"
        )
    return tuple(action for part in parts for action in _read_row(part))


def _read_row(part: str) -> tuple[Action, ...]:
    """Read actions between which there are spaces alone."""
    words, actions = part.split(), []
    start = 0
    while start < len(words):
        for end in range(min(len(words), start + _LONGEST_PHRASE), start, -1):
            action = _read_action(" ".join(words[start:end]))
            if action is not None:
                break
        else:
            parse_action(" ".join(words[start : start + _LONGEST_PHRASE]))  # to say why not
            raise AssertionError(words)
        actions.append(action)
        start = end
    return tuple(actions)


def _write_plain(match: re.Match[str]) -> str:
    quantity, face = (number for number in match.groups() if number is not None)
    return f" {quantity}x{face} "


def _read_action(text: str) -> Action | None:
    word = " ".join(text.lower().split()).removesuffix("!")
    tagged = _TAGGED_CALL_PATTERN.fullmatch(word)
    call = _CALL_WORDS.get(word) if tagged is None else _TAGGED_CALLS.get(tagged[1])
    return _read_bid(text) if call is None else call


def _read_bid(text: str) -> Bid | None:
    """Read a bid; None if there is none, or it could mean two things."""
    word = " ".join(text.lower().split())
    match = _BID_PATTERN.fullmatch(word) or _TAGGED_PATTERN.fullmatch(word)
    if match is not None:
        quantity, face = (int(number) for number in match.groups() if number is not None)
        return Bid(quantity, face)
    first, _, second = word.partition(" ")
    count = _read_count(first)
    if count is None:
        return None
    plural = _PLURAL_PATTERN.fullmatch(second)
    number = int(plural[1]) if plural else FACE_OF_WORD.get(second, (0, False))[0]
    if number == 0 and first in COUNT_OF_WORD and count == 1:
        number = _read_count(second) or 0  # "one 7", as dice of more than six faces are said
    is_plural = plural is not None or FACE_OF_WORD.get(second, (0, False))[1]
    if number < 1 or not (is_plural or count == 1):
        return None  # "six one": neither is said to be the number of dice
    return Bid(count, number)


def _read_count(word: str) -> int | None:
    if word in COUNT_OF_WORD:
        return COUNT_OF_WORD[word]
    is_number = word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS
    return int(word) if is_number else None


def _explain_doubt(text: str) -> str:
    """Say how to write two numbers of which either could be the face; empty if there are none."""
    words = text.lower().split()
    if len(words) != 2:
        return ""
    count = _read_count(words[0])
    face, _ = FACE_OF_WORD.get(words[1], (_read_count(words[1]), False))
    if not count or not face:
        return ""
    one, other = Bid(count, face), Bid(face, count)
    says = " and ".join(
        f"{bid} for {spell_bid(bid.quantity, bid.face)}" for bid in dict.fromkeys((one, other))
    )
    return f", which could be two things; write {says}"


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def format_action(action: Action) -> str:
    """Write an action as `parse_action` reads it.

    >>> format_action(Bid(4, 3)), format_action(EXACT)
    ('4x3', 'exact')
    """
    return str(action)

"""Options as text: reading what a caller wrote, and writing it back, for both families of rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from liarsolve.errors import RuleError

__all__ = [
    "OptionKind",
    "choice",
    "flag",
    "format_option",
    "number",
    "parse_option",
    "parse_whole_number",
]

_MOST_DIGITS = 18
"""Longer numbers stand for nothing that is counted here."""
_SHOWN = 60
"""Characters of a value that a message repeats."""
_BOOL_WORDS = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True)
class OptionKind:
    """How the values of one option are read and described."""

    values: str
    """The allowed values, in words."""
    parse: Callable[[object], object]
    """Reads a value; raises ``ValueError`` if it is none of the allowed ones."""


def choice(enum: type[Enum], *, without: Enum | None = None) -> OptionKind:
    """Make an option whose values are the members of an enum, all or all but one."""

    def parse(value: object) -> object:
        member = value if isinstance(value, enum) else enum(str(value).strip().lower())
        if member is without:
            raise ValueError(value)
        return member

    return OptionKind(", ".join(str(m.value) for m in enum if m is not without), parse)


def number(least: int) -> OptionKind:
    """Make an option whose values are whole numbers; how small they may be is checked later."""
    return OptionKind(f"a whole number of at least {least}", parse_whole_number)


def flag() -> OptionKind:
    """Make an option that is on or off."""

    def parse(value: object) -> object:
        word = str(value).strip().lower()
        if word not in _BOOL_WORDS:
            raise ValueError(word)
        return _BOOL_WORDS[word]

    return OptionKind("true, false", parse)


def parse_whole_number(value: object) -> int:
    """Read a number without a sign.

    Raises
    ------
    ValueError
        If it is none.

    >>> parse_whole_number(" 3")
    3
    """
    word = str(value).strip()
    is_number = word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS
    if isinstance(value, bool) or not is_number:
        raise ValueError(word)
    return int(word)


class OptionSizeError(ValueError):
    """A value that is written as it should be, but stands for too much."""


def parse_option(kinds: Mapping[str, OptionKind], option: str, value: object) -> object:
    """Turn what a caller wrote into the value of an option.

    Raises
    ------
    RuleError
        If there is no such option, or it has no such value.

    >>> parse_option({"cap_bids": flag()}, "cap_bids", "no")
    False
    """
    if option not in kinds:
        close = get_close_matches(option, kinds, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise RuleError(
            f"there is no rule option {option!r}; {hint}the options are {', '.join(kinds)}"
        )
    try:
        return kinds[option].parse(value)
    except ValueError as error:
        shown = value if isinstance(value, str) else repr(value)
        shown = shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 3]}..."
        problem = f"{option}={shown} is not allowed; allowed: {kinds[option].values}"
        if isinstance(error, OptionSizeError):  # written well, so the size is the news
            problem = f"{option}={shown} is not allowed: {error}"
        raise RuleError(problem) from None


def format_option(value: object) -> str:
    """Write a value as `parse_option` reads it.

    >>> format_option(False)
    'false'
    """
    return str(value.value if isinstance(value, Enum) else value).lower()

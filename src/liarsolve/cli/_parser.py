"""The argument parser of all commands: it complains in one sentence, with the way to the help."""

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

__all__ = ["Parser", "shorten"]

_SHOWN = 40
"""Characters of an argument that a complaint repeats."""


class Parser(argparse.ArgumentParser):
    """A parser without a usage block, which refuses an option with one value that comes twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.register("type", int, _whole_number)
        self.register("type", float, _number)
        self.register("action", None, _StoreOnce)
        self.register("action", "store", _StoreOnce)
        self.given: dict[str, str] = {}
        """Destinations that have a value so far, each with the option that gave it."""

    def parse_known_args(  # type: ignore[override]  # argparse overloads by the type of namespace
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse the arguments; one that this parser does not know is its own to complain about."""
        self.given = {}
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            words = " ".join(map(shorten, unknown))
            self.error(f"unrecognized arguments: {words}{self._did_you_mean(unknown[0])}")
        return parsed, unknown

    def _did_you_mean(self, word: str) -> str:
        name = word.partition("=")[0]
        close = get_close_matches(name, self._option_string_actions, n=1, cutoff=0.7)
        return f"; did you mean {close[0]}?" if close and word.startswith("-") else ""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Complain of a command that does not exist, with the one that may be meant."""
        if action.choices is not None and value not in action.choices:
            close = get_close_matches(str(value), list(map(str, action.choices)), n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            raise argparse.ArgumentError(
                action,
                f"there is no {shorten(str(value))!r}; {hint}choose from "
                f"{', '.join(map(str, action.choices))}",
            )

    def error(self, message: str) -> None:  # type: ignore[override]  # argparse: NoReturn; exit below never returns
        self.exit(2, f"{self.prog}: {message}\nTry '{self.prog} --help'.\n")


class _StoreOnce(argparse.Action):
    """Store a value, and refuse a second one, for which argparse would drop the first."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the value."""
        if option_string is not None and isinstance(parser, Parser):
            if self.dest in parser.given:
                names = tuple(dict.fromkeys((parser.given[self.dest], option_string)))
                problem = (
                    f"{names[0]} takes one value and is given twice"
                    if len(names) == 1
                    else f"{' and '.join(names)} are one option, which takes one value"
                )
                parser.error(f"{problem}; leave one of them out")
            parser.given[self.dest] = option_string
        setattr(namespace, self.dest, values)


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = f"a whole number is wanted, such as 3, got {shorten(text)!r}"
        raise argparse.ArgumentTypeError(message) from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        message = f"a number is wanted, such as 1e-3 or 60, got {shorten(text)!r}"
        raise argparse.ArgumentTypeError(message) from None


def shorten(text: str) -> str:
    """Cut what a message repeats, so that its sentence does not drown in it.

    >>> shorten("three"), len(shorten(300 * "x"))
    ('three', 40)
    """
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."

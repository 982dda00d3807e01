"""How arguments are written in messages: as in Python, or as in a terminal."""

from typing import Protocol

__all__ = ["Spelling", "as_keyword", "as_option"]


def as_keyword(name: str, value: object = None) -> str:
    """Write an argument as it is given in Python.

    >>> as_keyword("passed"), as_keyword("passed", "QQ9")
    ('passed', "passed='QQ9'")
    """
    return name if value is None else f"{name}={value!r}"


def as_option(name: str, value: object = None) -> str:
    """Write an argument as it is given in a terminal.

    >>> as_option("passed"), as_option("passed", "QQ9")
    ('--passed', '--passed QQ9')
    """
    return f"--{name}" if value is None else f"--{name} {value}"


class Spelling(Protocol):
    """How arguments are written in what is said about them."""

    def __call__(self, name: str, value: object = None, /) -> str:
        """Write the name of an argument, or one with its value."""

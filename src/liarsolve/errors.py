"""Every error that the library raises on purpose.

Each class is a `LiarsolveError`, and also the builtin that a caller would expect, so that both
``except LiarsolveError`` and ``except ValueError`` work. A message says what is wrong, shows the
value, and says what would be right.
"""

__all__ = [
    "GameTooLargeError",
    "IllegalActionError",
    "InputError",
    "InputTypeError",
    "LiarsolveError",
    "NotSolvedError",
    "PlayerError",
    "RuleError",
    "StorageError",
]


class LiarsolveError(Exception):
    """Base of all errors raised by liarsolve on purpose.

    Examples
    --------
    >>> from liarsolve import LiarsolveError, p_at_least
    >>> try:
    ...     p_at_least(4, 7, total=15)
    ... except LiarsolveError as error:
    ...     print(error)
    face must lie in 1..6, got 7
    """


class InputError(LiarsolveError, ValueError):
    """A value outside what an argument can mean: a face 7, a negative number of dice.

    Examples
    --------
    >>> from liarsolve import InputError, p_at_least
    >>> try:
    ...     p_at_least(4, 3, total=-1)
    ... except InputError as error:
    ...     print(error)
    total must lie in 0..10**12, got -1
    """


class InputTypeError(LiarsolveError, TypeError):
    """An argument of a kind that cannot be meant, such as a bool where a number is due."""


class RuleError(LiarsolveError, ValueError):
    """Options that make no game, or an option value that does not exist."""


class IllegalActionError(LiarsolveError, ValueError):
    """An action that may not be played at this public state.

    Examples
    --------
    >>> from liarsolve import IllegalActionError, Round, presets
    >>> try:
    ...     Round(presets.COMMON, (1, 1)).state_after(["liar"])
    ... except IllegalActionError as error:
    ...     print(error)
    action 1, liar: challenge refused: there is no bid to challenge yet
    """


class GameTooLargeError(LiarsolveError, MemoryError):
    """A game whose arrays would not fit into the memory that was allowed."""


class NotSolvedError(LiarsolveError, KeyError):
    """A question about a public state that the stored strategy does not cover."""

    def __str__(self) -> str:  # KeyError would print the message in quotes
        return str(self.args[0]) if self.args else ""


class PlayerError(LiarsolveError, RuntimeError):
    """A player who failed when asked what to do: it raised, or it would play for ever."""


class StorageError(LiarsolveError, OSError):
    """A strategy folder that is missing, damaged, or not one of ours.

    Examples
    --------
    >>> from liarsolve import StorageError, load
    >>> try:
    ...     load("no-such-folder")
    ... except StorageError as error:
    ...     print(error)
    there is no folder no-such-folder
    """

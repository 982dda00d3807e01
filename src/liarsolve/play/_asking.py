"""Asking players what they do, so that whatever goes wrong names the player and the place."""

from collections.abc import Callable
from typing import Any

import numpy as np

from liarsolve.errors import PlayerError

_LONGEST = 120


def ask(
    player: Any,  # Any: a player of either family of games, and bots answer anything
    turn: Any,
    rng: np.random.Generator,
    place: Callable[[], str],
) -> object:
    """Ask a player; ``place`` says in words which seat it is, and what has happened there.

    Raises
    ------
    PlayerError
        If the player raises anything but an interrupt.
    """
    try:
        return player.act(turn, rng)
    except Exception as error:  # it is the bot's, whatever it is, and named below
        words = str(error) or "no message"
        raise PlayerError(
            f"{name_of(player)} in {place()} raised {type(error).__name__}: {words}"
        ) from error


def name_of(thing: object) -> str:
    """Write a player or an answer shortly, whatever its own ``repr`` does.

    >>> name_of(3), name_of("x" * 200) == "'" + "x" * 119 + "..."
    ('3', True)
    """
    try:
        words = repr(thing)
    except Exception:  # a bot's repr may raise as well as its play
        words = f"a {type(thing).__name__}"
    return words if len(words) <= _LONGEST else words[:_LONGEST] + "..."

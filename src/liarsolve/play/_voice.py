"""How players are named to the one who sits at the terminal: you, or by their seat."""

import re
from dataclasses import dataclass

_PLAYER = re.compile(r"\bplayer (on turn, )?([0-9]+)\b")
"""How the rules name a player in their sentences, from 0."""


@dataclass(frozen=True, slots=True)
class Voice:
    """Speaks to one player about all of them.

    >>> Voice(0).tell(0, "bid"), Voice(0).tell(2, "bid"), Voice(0).tell(1, "have")
    ('You bid', 'Seat 3 bids', 'Seat 2 has')
    """

    player: int
    """Whom it speaks to, counted from 0."""

    def name(self, player: int) -> str:
        """Name a player inside of a sentence."""
        return "you" if player == self.player else f"seat {player + 1}"

    def tell(self, player: int, verb: str) -> str:
        """Begin a sentence about what a player does."""
        if player == self.player:
            return f"You {verb}"
        return f"Seat {player + 1} {'has' if verb == 'have' else f'{verb}s'}"

    def own(self, player: int) -> str:
        """Say whose something is."""
        return "your" if player == self.player else f"seat {player + 1}'s"

    def by_seat(self, reason: str) -> str:
        """Name players by their seats in a sentence of the rules.

        >>> Voice(0).by_seat("player 1 has 2 dice")
        'seat 2 has 2 dice'
        """
        return _PLAYER.sub(lambda found: f"seat {int(found.group(2)) + 1}", reason)


def join_words(words: list[str]) -> str:
    """List words as one says them.

    >>> join_words(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last

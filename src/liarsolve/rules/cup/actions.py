"""What a player may do in a cup game, and what chance does."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from liarsolve.claims import Claim
from liarsolve.dice.hands import Hand
from liarsolve.errors import InputTypeError
from liarsolve.rules.calls import CHALLENGE, Call
from liarsolve.rules.chance import Thrown
from liarsolve.rules.cup.round_rules import CupRoundRules

__all__ = ["CupAction", "CupMove", "Keep", "Thrown", "format_cup_action", "parse_cup_action"]


class CupMove(Enum):
    """What a player says or does with the cup, beside claiming, keeping and challenging."""

    ACCEPT = "accept"
    """Take the cup over."""
    CONCEDE = "concede"
    """Pay for the highest claim without looking (Mia)."""
    LOOK = "look"
    """Look at what was passed."""
    BLIND_PASS = "blind"
    """Pass it on unseen (BX.7)."""
    THROW_UNSEEN = "throw unseen"
    """Throw all of it without having looked (BX?4)."""

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these dice or cards, in rising order, and throw or draw the rest.

    >>> Keep((3, 3)).faces  # a pair of jacks, in a game with poker dice
    (3, 3)
    """

    faces: Hand


CupAction: TypeAlias = Claim | Call | CupMove | Keep | Thrown
"""A claim, `CHALLENGE`, a move, what is kept, or the outcome of a throw."""

_MOVE_WORDS: dict[str, CupMove | Call] = {
    **{str(move): move for move in CupMove},
    "liar": CHALLENGE,
    "dudo": CHALLENGE,
    "challenge": CHALLENGE,
    "believe": CupMove.ACCEPT,
    "pass blind": CupMove.BLIND_PASS,
}


def parse_cup_action(text: str, rules: CupRoundRules) -> CupAction:
    """Read an action: a claim, liar, accept, concede, look, blind, keep JJ, thrown QQQ99.

    Raises
    ------
    InputError
        If it is none of them, or names dice or claims that there are not.
    InputTypeError
        If it is not text.

    Examples
    --------
    >>> from liarsolve.rules.presets import BOX
    >>> parse_cup_action("keep JJ", BOX), parse_cup_action("dudo", BOX)
    (Keep(faces=(3, 3)), <Call.CHALLENGE: 'liar'>)
    """
    if not isinstance(text, str):
        raise InputTypeError(f"an action is written as text such as accept or liar, got {text!r}")
    words = text.strip()
    move = _MOVE_WORDS.get(" ".join(words.lower().split()))
    if move is not None:
        return move
    first, _, rest = words.partition(" ")
    if first.lower() == "keep":
        return Keep(rules.parse_kept("" if rest.strip().lower() == "none" else rest))
    if first.lower() == "thrown":
        return Thrown(rules.parse_hand(rest))
    return rules.parse_claim(words)


def format_cup_action(action: CupAction, rules: CupRoundRules) -> str:
    """Write an action, the inverse of `parse_cup_action`.

    >>> from liarsolve.rules.presets import BOX
    >>> format_cup_action(Keep(()), BOX), format_cup_action(Thrown((1, 1, 4, 4, 4)), BOX)
    ('keep none', 'thrown QQQ99')
    """
    match action:
        case Claim():
            return rules.format_claim(action)
        case Keep(faces):
            return f"keep {rules.format_hand(faces) or 'none'}"
        case Thrown(hand):
            return f"thrown {rules.format_hand(hand)}"
    return str(action)

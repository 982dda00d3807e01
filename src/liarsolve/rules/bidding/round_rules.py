"""The rules of one round of bidding: all that decides how it is played, checked as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

from liarsolve.errors import RuleError
from liarsolve.rules.bidding.options import (
    ChallengeWho,
    ExactWho,
    HandBonus,
    OnesEntry,
    OnesSlot,
    OpenMin,
    OpenOnes,
    PalificoFace,
    RaiseRule,
    Wild,
    WildUntil,
)

__all__ = ["ENUM_OF_ROUND_OPTION", "NUMBERS_OF_ROUND", "BiddingRoundRules"]

ENUM_OF_ROUND_OPTION: dict[str, type[Enum]] = {
    "wild": Wild,
    "wild_until": WildUntil,
    "ones_slot": OnesSlot,
    "open_ones": OpenOnes,
    "ones_entry": OnesEntry,
    "raise_rule": RaiseRule,
    "open_min": OpenMin,
    "challenge_who": ChallengeWho,
    "exact_who": ExactWho,
    "palifico_face": PalificoFace,
    "hand_bonus": HandBonus,
}
NUMBERS_OF_ROUND = ("faces", "exact_min_players")
_MOST = 10**6
"""Largest number of faces, as for odds, and of players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BiddingRoundRules:
    """The rules of one round of bidding, for any number of dice and players.

    What a round costs, who starts the next one and when the match is over is not among them:
    `RuleSet` adds these options. Two sets of rules are equal if all their options are; the name
    does not count.

    Raises
    ------
    RuleError
        If an option has a value it cannot have, or two options together make no sense.

    Examples
    --------
    >>> from liarsolve.rules.presets import PERUDO
    >>> PERUDO.replace(dice=3).round_rules == PERUDO.round_rules
    True
    >>> PERUDO.replace(wild="none", ones_slot="face_low").round_rules == PERUDO.round_rules
    False
    """

    family: ClassVar[str] = "bidding"
    """What kind of game this is; the other kind is ``cup``."""

    name: str = field(default="custom", compare=False)
    """What to call the rules in reports."""
    faces: int = 6
    """Faces of a die, at least 2."""
    wild: Wild = Wild.NONE
    wild_until: WildUntil = WildUntil.NEVER_LOCKED
    ones_slot: OnesSlot = OnesSlot.FACE_LOW
    open_ones: OpenOnes = OpenOnes.YES
    ones_entry: OnesEntry = OnesEntry.AT_LEAST_HALF
    raise_rule: RaiseRule = RaiseRule.COUNT_OR_FACE
    open_min: OpenMin = OpenMin.ONE
    cap_bids: bool = True
    """Whether a bid on more dice than are on the table is refused (PE?7)."""
    challenge_who: ChallengeWho = ChallengeWho.NEXT
    exact_who: ExactWho = ExactWho.OFF
    exact_min_players: int = 2
    """Fewest players in the round for which there is an exact call (PE.6), at least 2."""
    palifico_face: PalificoFace = PalificoFace.ONE_DIE_MAY_CHANGE
    hand_bonus: HandBonus = HandBonus.NONE

    def __post_init__(self) -> None:
        problem = self._value_problem() or self._conflict()
        if problem is not None:
            raise RuleError(problem)

    def _value_problem(self) -> str | None:
        """Say which option has a value that is not of its kind."""
        if not isinstance(self.name, str):
            return f"name must be text, got {self.name!r}"
        if not isinstance(self.cap_bids, bool):
            return f"cap_bids must be True or False, got {self.cap_bids!r}"
        least = dict.fromkeys(NUMBERS_OF_ROUND, 2)
        return enum_problem(self, ENUM_OF_ROUND_OPTION) or number_problem(self, least)

    def _conflict(self) -> str | None:
        """Say which two options make no sense together, and what would; None if all do."""
        return _round_conflict(self)

    @property
    def ones_face(self) -> int:
        """The face that the options on ones speak of: the wild one; 1 if there is none."""
        return self.faces if self.wild is Wild.TOP_FACE else 1

    @property
    def has_half_rule(self) -> bool:
        """Whether n ones stand beside 2n of the other faces."""
        return self.ones_slot in (OnesSlot.AFTER_2N, OnesSlot.BEFORE_2N)


def enum_problem(rules: object, enum_of_option: Mapping[str, type[Enum]]) -> str | None:
    """Say which option is no member of its enum; None if all are."""
    for option, enum in enum_of_option.items():
        value = getattr(rules, option)
        if not isinstance(value, enum):
            return (
                f"{option} must be a member of {enum.__name__}, got {value!r}; "
                "text goes through RuleSet.replace or RuleSet.from_dict"
            )
    return None


def number_problem(rules: object, least: Mapping[str, int]) -> str | None:
    """Say which option is no whole number, or too small or large a one; None if all fit."""
    for option, smallest in least.items():
        value = getattr(rules, option)
        if type(value) is not int or value < smallest:
            return f"{option} must be a whole number of at least {smallest}, got {value!r}"
        if value > _MOST:
            return f"{option} must be a whole number of at most {_MOST}, got {value}"
    return None


def _round_conflict(rules: BiddingRoundRules) -> str | None:
    """Say which two options make no sense together, and what would."""
    lock = f"wild_until={rules.wild_until.value}"
    slot = f"ones_slot={rules.ones_slot.value}"
    is_locking = rules.wild_until is not WildUntil.NEVER_LOCKED
    if is_locking and rules.wild is not Wild.ONES:
        return (
            f"{lock} ends the wildness of ones, which wild={rules.wild.value} never gave them; "
            "use wild=ones or wild_until=never_locked"
        )
    if is_locking and rules.ones_slot is OnesSlot.FORBIDDEN:
        return (
            f"{lock} waits for a bid on ones, which {slot} rules out; "
            "use wild_until=never_locked or another ones_slot"
        )
    if rules.wild_until is WildUntil.OPENING_ONES and rules.open_ones is OpenOnes.NO:
        return (
            f"{lock} waits for an opening bid on ones, which open_ones=no rules out; "
            "use open_ones=yes or wild_until=never_locked"
        )
    if rules.wild is Wild.NONE and rules.ones_slot is OnesSlot.FORBIDDEN:
        return (
            f"{slot} with wild=none leaves dice that show a one without any use; "
            "use ones_slot=face_low or wild=ones"
        )
    if rules.wild is Wild.TOP_FACE and rules.ones_slot is OnesSlot.FACE_HIGH:
        return (
            f"{slot} is for ones, but with wild=top_face the wild face is the highest already; "
            "use ones_slot=face_low, the plain order of the faces"
        )
    if rules.has_half_rule and rules.raise_rule is not RaiseRule.COUNT_OR_FACE:
        return (
            f"{slot} weighs quantities of different faces against each other, which "
            f"raise_rule={rules.raise_rule.value} does not; use raise_rule=count_or_face or "
            "ones_slot=face_low"
        )
    is_special = rules.ones_entry is not OnesEntry.AT_LEAST_HALF
    if is_special and rules.ones_slot is not OnesSlot.AFTER_2N:
        return (
            f"ones_entry={rules.ones_entry.value} is part of the half rule, but {slot}; "
            "use ones_slot=after_2n or ones_entry=at_least_half"
        )
    return None

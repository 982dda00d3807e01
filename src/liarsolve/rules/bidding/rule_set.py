"""A rule set: one value for every option, checked as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import ClassVar

from liarsolve._checks import check_mapping
from liarsolve.errors import RuleError
from liarsolve.rules.bidding.options import (
    ChallengeWho,
    ExactWho,
    OnesEntry,
    OnesSlot,
    OpenMin,
    OpenOnes,
    PalificoFace,
    RaiseRule,
    Wild,
    WildUntil,
)
from liarsolve.rules.option_text import choice, flag, format_option, number, parse_option

_ENUM_OF_OPTION: dict[str, type[Enum]] = {
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
}
_NUMBER_OPTIONS = ("faces", "exact_min_players")
_MOST = 10**6
"""Largest number of faces, as for odds, and of players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules of one round of the bidding game, for any number of dice and players.

    Two rule sets are equal if all their options are; the name does not count.

    Raises
    ------
    RuleError
        If an option has a value it cannot have, or two options together make no sense.

    >>> rules = RuleSet(wild=Wild.ONES, ones_slot=OnesSlot.AFTER_2N)
    >>> rules.replace(ones_slot="forbidden", faces="3").faces
    3
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

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise RuleError(f"name must be text, got {self.name!r}")
        for option, enum in _ENUM_OF_OPTION.items():
            value = getattr(self, option)
            if not isinstance(value, enum):
                raise RuleError(
                    f"{option} must be a member of {enum.__name__}, got {value!r}; "
                    "text goes through RuleSet.replace or RuleSet.from_dict"
                )
        for option in _NUMBER_OPTIONS:
            value = getattr(self, option)
            if type(value) is not int or value < 2:
                raise RuleError(f"{option} must be a whole number of at least 2, got {value!r}")
            if value > _MOST:
                raise RuleError(f"{option} must be a whole number of at most {_MOST}, got {value}")
        if not isinstance(self.cap_bids, bool):
            raise RuleError(f"cap_bids must be True or False, got {self.cap_bids!r}")
        problem = _conflict(self)
        if problem is not None:
            raise RuleError(problem)

    @property
    def ones_face(self) -> int:
        """The face that the options on ones speak of: the wild one; 1 if there is none."""
        return self.faces if self.wild is Wild.TOP_FACE else 1

    @property
    def has_half_rule(self) -> bool:
        """Whether n ones stand beside 2n of the other faces."""
        return self.ones_slot in (OnesSlot.AFTER_2N, OnesSlot.BEFORE_2N)

    def replace(self, **options: object) -> "RuleSet":
        """Change some options, given as enum members, numbers, or text as players write it.

        A lock of the wild ones goes with them: ``replace(wild="none")`` and
        ``replace(wild="top_face")`` also set ``wild_until`` to ``never_locked``, unless it is
        given. The name grows by what has changed, unless it is given.

        Raises
        ------
        RuleError
            If there is no such option or value, or the options make no sense together.

        >>> RuleSet(name="mine").replace(faces="3", open_ones="no").name
        'mine, faces=3, open_ones=no'
        """
        changes = {option: _parse_option(option, value) for option, value in options.items()}
        if changes.get("wild", Wild.ONES) is not Wild.ONES:
            changes.setdefault("wild_until", WildUntil.NEVER_LOCKED)
        if "name" not in changes:
            changes["name"] = ", ".join(
                [self.name]
                + [
                    f"{option}={format_option(changes[option])}"
                    for option in options
                    if changes[option] != getattr(self, option)
                ]
            )
        return replace(self, **changes)  # type: ignore[arg-type]  # each value was parsed for its option

    def to_dict(self) -> dict[str, str | int]:
        """Name and options as plain text and numbers, the inverse of `from_dict`.

        >>> RuleSet().to_dict()["wild"]
        'none'
        """
        plain: dict[str, str | int] = {}
        for option in (f.name for f in fields(self)):
            value = getattr(self, option)
            plain[option] = value.value if isinstance(value, Enum) else value
        return plain

    @classmethod
    def from_dict(cls, options: Mapping[str, object]) -> "RuleSet":
        """Read what `to_dict` wrote; options that are missing take their default.

        Raises
        ------
        RuleError
            If there is no such option or value, or the options make no sense together.

        >>> RuleSet.from_dict({"wild": "ones"}).wild
        <Wild.ONES: 'ones'>
        """
        check_mapping("options", options)
        parsed = {option: _parse_option(option, value) for option, value in options.items()}
        return cls(**parsed)  # type: ignore[arg-type]  # each value was parsed for its option


def option_values() -> dict[str, str]:
    """Every option with the values it may take, in words.

    >>> option_values()["open_ones"]
    'yes, no'
    """
    return {option: kind.values for option, kind in _KINDS.items()}


def _parse_option(option: str, value: object) -> object:
    """Turn what a caller wrote into the value of an option; `RuleSet` checks the rest."""
    return value if option == "name" else parse_option(_KINDS, option, value)


_KINDS = {
    option: choice(_ENUM_OF_OPTION[option])
    if option in _ENUM_OF_OPTION
    else (number(2) if option in _NUMBER_OPTIONS else flag())
    for option in (f.name for f in fields(RuleSet) if f.name != "name")
}
"""How each option is read."""


def _conflict(rules: RuleSet) -> str | None:
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
    if rules.wild is Wild.NONE and rules.has_half_rule:
        return (
            f"{slot} counts a one double because it is wild, but wild=none; "
            "use ones_slot=face_low or wild=ones"
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
    if rules.ones_entry is OnesEntry.EXACT_HALF and rules.ones_slot is not OnesSlot.AFTER_2N:
        return (
            f"ones_entry=exact_half is part of the half rule, but {slot}; "
            "use ones_slot=after_2n or ones_entry=at_least_half"
        )
    return None

"""The rules of bidding: of a round, and of the match that rounds add up to."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum

from liarsolve._checks import check_mapping
from liarsolve.rules.bidding.options import (
    ExactWho,
    ExactWin,
    Loss,
    Palifico,
    Wild,
    WildUntil,
)
from liarsolve.rules.bidding.round_rules import (
    ENUM_OF_ROUND_OPTION,
    NUMBERS_OF_ROUND,
    BiddingRoundRules,
    enum_problem,
    number_problem,
)
from liarsolve.rules.match_options import ExtraLife, MatchEnd, NextStarter, StarterIfOut
from liarsolve.rules.option_text import (
    OptionKind,
    choice,
    flag,
    format_option,
    number,
    parse_option,
    parse_whole_number,
)

__all__ = ["RuleSet", "option_values"]

_ENUM_OF_MATCH_OPTION: dict[str, type[Enum]] = {
    "loss": Loss,
    "exact_win": ExactWin,
    "palifico": Palifico,
    "next_starter": NextStarter,
    "starter_if_out": StarterIfOut,
    "extra_life": ExtraLife,
    "end": MatchEnd,
}
_ENUM_OF_OPTION = ENUM_OF_ROUND_OPTION | _ENUM_OF_MATCH_OPTION
_LEAST_OF_MATCH_NUMBER = {"dice": 1, "lives": 0, "exact_fail": 1, "min_players": 2}
_LEAST_OF_NUMBER = dict.fromkeys(NUMBERS_OF_ROUND, 2) | _LEAST_OF_MATCH_NUMBER
_AT_START = "start"
"""What people write for a ``gain_cap`` of as many dice as there were at the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet(BiddingRoundRules):
    """The rules of bidding: of a round, and of the match that rounds add up to.

    Two rule sets are equal if all their options are; the name does not count.

    Raises
    ------
    RuleError
        If an option has a value it cannot have, or two options together make no sense.

    Examples
    --------
    >>> from liarsolve.rules.bidding.options import OnesSlot
    >>> rules = RuleSet(wild=Wild.ONES, ones_slot=OnesSlot.AFTER_2N)
    >>> rules.replace(ones_slot="forbidden", faces="3").faces
    3
    """

    dice: int = 5
    """Dice of each player at the start of a match."""
    lives: int = 0
    """Lives of each player; 0 if dice are what is lost. With lives everybody throws all ``dice``
    in every round, and what would cost dice costs lives."""
    loss: Loss = Loss.ONE
    exact_win: ExactWin = ExactWin.GAIN_1
    exact_fail: int = 1
    """Dice that a wrong exact call costs, at least 1."""
    gain_cap: int | None = None
    """Most dice that a player may have by gaining some; None for as many as at the start (PE?4)."""
    exact_bid_bonus: bool = False
    """Whether all but the bidder lose one die where a challenged bid was exactly right (Bluff)."""
    palifico: Palifico = Palifico.OFF
    next_starter: NextStarter = NextStarter.LOSER
    starter_if_out: StarterIfOut = StarterIfOut.NEXT_LEFT
    extra_life: ExtraLife = ExtraLife.OFF
    end: MatchEnd = MatchEnd.LAST_STANDING
    min_players: int = 2
    """Fewest players at the start of a match, at least 2."""

    def _value_problem(self) -> str | None:
        """Say which option has a value that is not of its kind."""
        problem = (
            BiddingRoundRules._value_problem(self)
            or enum_problem(self, _ENUM_OF_MATCH_OPTION)
            or number_problem(self, _LEAST_OF_MATCH_NUMBER)
        )
        if problem is not None:
            return problem
        if self.gain_cap is not None:
            problem = number_problem(self, {"gain_cap": 1})
        if problem is None and not isinstance(self.exact_bid_bonus, bool):
            problem = f"exact_bid_bonus must be True or False, got {self.exact_bid_bonus!r}"
        return problem

    def _conflict(self) -> str | None:
        """Say which options make no sense together, in one sentence; None if all do."""
        return (
            BiddingRoundRules._conflict(self)
            or _exact_conflict(self)
            or _palifico_conflict(self)
            or _discard_conflict(self)
        )

    @property
    def round_rules(self) -> BiddingRoundRules:
        """The options that decide how a round is played; rules that differ in others share them.

        >>> from liarsolve.rules.presets import PERUDO
        >>> PERUDO.replace(dice=3, next_starter="winner").round_rules == PERUDO.round_rules
        True
        """
        options = {f.name: getattr(self, f.name) for f in fields(BiddingRoundRules)}
        return BiddingRoundRules(**options)

    def replace(self, **options: object) -> "RuleSet":
        """Change some options, given as enum members, numbers, or text as players write it.

        What an option rests on goes with it: ``replace(wild="none")`` and
        ``replace(wild="top_face")`` also set ``wild_until`` to ``never_locked``,
        ``replace(exact_who="off")`` also ``exact_win``, ``exact_fail`` and ``gain_cap`` to their
        defaults, unless they are given. The name grows by what has changed, unless it is given.

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
        if changes.get("exact_who") is ExactWho.OFF:
            usual = {"exact_win": ExactWin.GAIN_1, "exact_fail": 1, "gain_cap": None}
            changes = usual | changes
        if "name" not in changes:
            changes["name"] = ", ".join(
                [self.name]
                + [
                    f"{option}={format_option(_plain(changes[option]))}"
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
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}

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


def _plain(value: object) -> str | int:
    """Write the value of an option as `_parse_option` reads it; numbers and booleans stay."""
    if isinstance(value, int | str):
        return value
    return _AT_START if value is None else str(value.value if isinstance(value, Enum) else value)


def _parse_cap(value: object) -> object:
    """Read a ``gain_cap``: a number, or the word for as many dice as at the start."""
    if value is None or str(value).strip().lower() == _AT_START:
        return None
    return parse_whole_number(value)


def _kind(option: str) -> OptionKind:
    if option in _ENUM_OF_OPTION:
        return choice(_ENUM_OF_OPTION[option])
    if option in _LEAST_OF_NUMBER:
        return number(_LEAST_OF_NUMBER[option])
    if option == "gain_cap":
        return OptionKind("start, or a whole number of at least 1", _parse_cap)
    return flag()


_KINDS = {f.name: _kind(f.name) for f in fields(RuleSet) if f.name != "name"}
"""How each option is read."""


def _exact_conflict(rules: RuleSet) -> str | None:
    """Say which options of exact calls make no sense together."""
    win = f"exact_win={rules.exact_win.value}"
    is_gain = rules.exact_win in (ExactWin.GAIN_1, ExactWin.GAIN_2)
    if rules.exact_who is ExactWho.OFF:
        idle = {
            win: rules.exact_win is not ExactWin.GAIN_1,
            f"exact_fail={rules.exact_fail}": rules.exact_fail != 1,
            f"gain_cap={rules.gain_cap}": rules.gain_cap is not None,
        }
        for option, is_set in idle.items():
            if is_set:
                return (
                    f"{option} is about exact calls, but exact_who=off allows none; "
                    "use exact_who=next or leave it out"
                )
        return None
    if rules.gain_cap is not None and not is_gain:
        return (
            f"gain_cap={rules.gain_cap} limits gains, but {win} brings none; "
            "use exact_win=gain_1 or leave it out"
        )
    if rules.loss is Loss.TRANSFER and is_gain:
        return (
            f"{win} brings in dice that nobody has lost, but loss=transfer passes them from player "
            "to player; use exact_win=bidder_loses_1, others_lose_1 or nothing"
        )
    return None


def _palifico_conflict(rules: RuleSet) -> str | None:
    """Say which option keeps palifico rounds from coming up."""
    if rules.palifico is Palifico.OFF:
        return None
    if rules.lives > 0:
        return (
            f"palifico=first_time waits for a player with one die left, but with lives="
            f"{rules.lives} nobody loses dice; use palifico=off or lives=0"
        )
    if rules.loss in (Loss.WHOLE_ROUND, Loss.WINNER_DISCARDS):
        return (
            f"palifico=first_time waits for a player who has lost the last die but one, which does "
            f"not happen with loss={rules.loss.value}; use palifico=off or loss=one"
        )
    return None


def _discard_conflict(rules: RuleSet) -> str | None:
    """Say which option does not go with winners who put dice away."""
    if rules.loss is not Loss.WINNER_DISCARDS:
        return None
    for option, is_set in {
        f"lives={rules.lives}": rules.lives > 0,
        f"exact_who={rules.exact_who.value}": rules.exact_who is not ExactWho.OFF,
        "exact_bid_bonus=true": rules.exact_bid_bonus,
        f"extra_life={rules.extra_life.value}": rules.extra_life is not ExtraLife.OFF,
        f"end={rules.end.value}": rules.end is MatchEnd.FIRST_OUT_LOSES,
    }.items():
        if is_set:
            return (
                f"{option} speaks of players who lose something, but with loss=winner_discards "
                "winners put dice away; leave it out or use loss=one"
            )
    return None

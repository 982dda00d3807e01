"""The rules of a cup game: of a round, and of the game that rounds add up to."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import cached_property

from liarsolve._checks import check_mapping
from liarsolve.claims import Ranking
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import RuleError
from liarsolve.rules.cup.checks import kind_problem, number_problem
from liarsolve.rules.cup.options import BlindClaim, BlindPass, ShortPay, TopAccept, TopClaim
from liarsolve.rules.cup.round_rules import ENUM_OF_ROUND_OPTION, CupRoundRules
from liarsolve.rules.cup.text import (
    EQUIPMENT,
    NUMBER_OR_ALL,
    PENALTY,
    PROB,
    RANKING,
    format_equipment,
    format_penalty,
    is_penalty,
)
from liarsolve.rules.match_options import ExtraLife, MatchEnd, NextStarter, StarterIfOut
from liarsolve.rules.option_text import (
    OptionKind,
    choice,
    flag,
    format_option,
    number,
    parse_option,
)

__all__ = ["CupRules", "cup_option_values"]

_ENUM_OF_MATCH_OPTION: dict[str, type[Enum]] = {
    "short_pay": ShortPay,
    "next_starter": NextStarter,
    "starter_if_out": StarterIfOut,
    "extra_life": ExtraLife,
    "end": MatchEnd,
}
_ENUM_OF_OPTION = ENUM_OF_ROUND_OPTION | _ENUM_OF_MATCH_OPTION
_LEAST_OF_NUMBER = {"min_rethrow": 0, "top_throws": 1, "lives": 1, "min_players": 2}


@dataclass(frozen=True, kw_only=True)
class CupRules(CupRoundRules):
    """The rules of a cup game: of a round, and of the game that rounds add up to.

    One hand lies under one cup, which is passed on with a claim. The options of `CupRoundRules` say
    how a round is played, those added here what it costs and how rounds add up to a game. Two sets
    of rules are equal if all their options are; the name does not count.

    Raises
    ------
    RuleError
        If an option has a value it cannot have, or two options together make no sense.

    Examples
    --------
    >>> from liarsolve.rules.presets import CLASSIC
    >>> len(CLASSIC.claims), CLASSIC.reroll_counts
    (248, (0, 1, 2, 3, 4, 5))
    >>> house_rules = CLASSIC.replace(top_claim="must_challenge", lives="5")
    >>> house_rules.lives, house_rules.name
    (5, 'classic, top_claim=must_challenge, lives=5')
    """

    lives: int = 3
    """Lives, or stakes, of each player at the start of a game."""
    penalty_liar: tuple[int, int] = (1, 0)
    """What a player pays whose claim was false: to the pool, and to the challenger."""
    penalty_doubter: tuple[int, int] = (1, 0)
    """What a player pays who challenged a true claim: to the pool, and to the one who made it."""
    short_pay: ShortPay = ShortPay.POOL_FIRST
    next_starter: NextStarter = NextStarter.LOSER
    starter_if_out: StarterIfOut = StarterIfOut.NEXT_LEFT
    extra_life: ExtraLife = ExtraLife.OFF
    end: MatchEnd = MatchEnd.LAST_STANDING
    min_players: int = 2
    """Fewest players at the start of a game, at least 2 (CL?7)."""

    def _value_problem(self) -> str | None:
        """Say which option has a value that is not of its kind."""
        problem = (
            super()._value_problem()
            or kind_problem(self, _ENUM_OF_MATCH_OPTION)
            or number_problem(self, _LEAST_OF_NUMBER)
        )
        if problem is not None:
            return problem
        for option in ("penalty_liar", "penalty_doubter"):
            parts = getattr(self, option)
            if not is_penalty(parts):
                return (
                    f"{option} must be two whole numbers, to the pool and to the other player, "
                    f"at least one of them above 0, got {parts!r}"
                )
        return None

    def _conflict(self) -> str | None:
        """Say which options make no sense together, in one sentence; ``None`` if all do."""
        problem = super()._conflict()
        if problem is not None:
            return problem
        if self.next_starter is NextStarter.CALLER_OF_EXACT:
            return (
                "next_starter=caller_of_exact is for bidding, where there are exact calls; use "
                "next_starter=challenger, loser, winner or rotate"
            )
        is_shared = any(min(parts) > 0 for parts in (self.penalty_liar, self.penalty_doubter))
        if self.short_pay is ShortPay.CHALLENGER_FIRST and not is_shared:
            return (
                "short_pay=challenger_first divides what is owed to two, but no penalty goes to "
                "both the pool and a player; use penalty_liar=1,1 or short_pay=pool_first"
            )
        return None

    @cached_property
    def round_rules(self) -> CupRoundRules:
        """The options that decide how a round is played; rules that differ in others share them.

        >>> from liarsolve.rules.presets import MIA
        >>> MIA.replace(lives=3, next_starter="winner").round_rules == MIA.round_rules
        True
        """
        options = {f.name: getattr(self, f.name) for f in fields(CupRoundRules)}
        return CupRoundRules(**options)

    def replace(self, **options: object) -> "CupRules":
        """Change some options, given as values, or as text as players write it.

        ``faces`` changes the faces of the dice alone. What is said about the top claim or a blind
        pass goes with it: ``replace(top_claim="must_challenge")`` also sets ``top_accept`` and
        ``top_throws`` to their defaults, ``replace(blind_pass="off")`` also ``blind_claim``, unless
        they are given. The name grows by what has changed, unless it is given.

        Raises
        ------
        RuleError
            If there is no such option or value, or the options make no sense together.

        >>> from liarsolve.rules.presets import LIAR_DIE
        >>> LIAR_DIE.replace(faces=8).equipment
        Equipment(n_items=1, n_faces=8, n_suits=None)
        """
        changes = self._parsed(options)
        changed = [
            f"{option}={format_option(_plain(value))}"
            for option, value in changes.items()
            if value != getattr(self, option)
        ]
        if changes.get("top_claim", TopClaim.ACCEPT_TRY) is not TopClaim.ACCEPT_TRY:
            changes = {"top_accept": TopAccept.FRESH_KEEP, "top_throws": 5} | changes
        if changes.get("blind_pass") is BlindPass.OFF:
            changes = {"blind_claim": BlindClaim.HIGHER} | changes
        if "name" not in changes:
            changes["name"] = ", ".join([self.name, *changed])
        return replace(self, **changes)  # type: ignore[arg-type]  # each value was parsed for its option

    def to_dict(self) -> dict[str, str | int]:
        """Name and options as plain text and numbers, the inverse of `from_dict`.

        A ranking is written by its name, so `from_dict` reads back only those of
        `liarsolve.claims.RANKINGS`.

        >>> from liarsolve.rules.presets import DOUBTFUL_DICE
        >>> DOUBTFUL_DICE.to_dict()["penalty_liar"]
        '1,1'
        """
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}

    @classmethod
    def from_dict(cls, options: Mapping[str, object]) -> "CupRules":
        """Read what `to_dict` wrote; options that are missing take their default.

        Raises
        ------
        RuleError
            If there is no such option or value, or the options make no sense together.

        >>> CupRules.from_dict({"equipment": "cards24"}).equipment.is_cards
        True
        """
        check_mapping("options", options)
        parsed = {option: _parse(option, value) for option, value in options.items()}
        return cls(**parsed)  # type: ignore[arg-type]  # each value was parsed for its option

    def _parsed(self, options: Mapping[str, object]) -> dict[str, object]:
        options = dict(options)
        if "faces" in options:
            if "equipment" in options or self.equipment.is_cards:
                raise RuleError(
                    f"faces={options['faces']} changes the faces of the dice; "
                    "give the whole equipment instead, such as equipment=dice(5,6)"
                )
            kinds = {"faces": number(2)}
            n_faces = parse_option(kinds, "faces", options.pop("faces"))
            options["equipment"] = f"dice({self.equipment.n_items},{n_faces})"
        return {option: _parse(option, value) for option, value in options.items()}


def cup_option_values() -> dict[str, str]:
    """Every option of the cup games with the values it may take, in words.

    >>> cup_option_values()["blind_pass"]
    'off, only_if_bare, any'
    """
    return {option: kind.values for option, kind in _KINDS.items()}


def _parse(option: str, value: object) -> object:
    """Turn what a caller wrote into the value of an option; `CupRules` checks the rest."""
    return value if option == "name" else parse_option(_KINDS, option, value)


def _plain(value: object) -> str | int:
    """Write the value of an option as `_parse` reads it; numbers and booleans stay."""
    if isinstance(value, Equipment):
        return format_equipment(value)
    if isinstance(value, Ranking):
        return value.name
    if isinstance(value, tuple):
        return format_penalty(value)
    if isinstance(value, int | str):
        return value
    return "all" if value is None else format_option(value)


def _kind(option: str) -> OptionKind:
    if option == "next_starter":
        return choice(NextStarter, without=NextStarter.CALLER_OF_EXACT)
    if option in _ENUM_OF_OPTION:
        return choice(_ENUM_OF_OPTION[option])
    if option in _LEAST_OF_NUMBER:
        return number(_LEAST_OF_NUMBER[option])
    return _OTHER_KINDS[option]


_OTHER_KINDS = {
    "equipment": EQUIPMENT,
    "ranking": RANKING,
    "max_rethrow": NUMBER_OR_ALL,
    "rethrow_all": flag(),
    "announce_count": flag(),
    "dislodge_prob": PROB,
    "penalty_liar": PENALTY,
    "penalty_doubter": PENALTY,
}
_KINDS = {f.name: _kind(f.name) for f in fields(CupRules) if f.name != "name"}
"""How each option is read."""

"""The rules of a cup game: one value for every option, checked as a whole."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache

from liarsolve.claims import (
    POKER,
    Claim,
    ClaimDetail,
    ClaimSet,
    NothingClaims,
    Ranking,
    Truth,
)
from liarsolve.claims.notation import (
    format_claim,
    format_hand,
    parse_claim,
    parse_hand,
    parse_kept,
)
from liarsolve.claims.ranking import count_ranking_dice
from liarsolve.dice.equipment import Equipment
from liarsolve.dice.hands import Hand
from liarsolve.errors import RuleError
from liarsolve.rules.cup.conflicts import cup_conflict
from liarsolve.rules.cup.options import (
    BlindClaim,
    BlindPass,
    ClaimRaise,
    ExtraLife,
    Look,
    MatchEnd,
    NextStarter,
    ShortPay,
    StarterIfOut,
    TopAccept,
    TopClaim,
)
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
from liarsolve.rules.option_text import (
    OptionKind,
    choice,
    flag,
    format_option,
    number,
    parse_option,
)

_FIVE_DICE = Equipment.dice(5, 6)

_ENUM_OF_OPTION: dict[str, type[Enum]] = {
    "claim_detail": ClaimDetail,
    "nothing_claims": NothingClaims,
    "truth": Truth,
    "raise_rule": ClaimRaise,
    "look": Look,
    "blind_pass": BlindPass,
    "blind_claim": BlindClaim,
    "top_claim": TopClaim,
    "top_accept": TopAccept,
    "short_pay": ShortPay,
    "next_starter": NextStarter,
    "starter_if_out": StarterIfOut,
    "extra_life": ExtraLife,
    "end": MatchEnd,
}
_LEAST_OF_NUMBER = {"min_rethrow": 0, "top_throws": 1, "lives": 1, "min_players": 2}


@dataclass(frozen=True, kw_only=True)
class CupRules:
    """The rules of a cup game: of a round, and of the game that rounds add up to.

    One hand lies under one cup, which is passed on with a claim. Two sets of rules are equal if all
    their options are; the name does not count.

    Raises
    ------
    RuleError
        If an option has a value it cannot have, or two options together make no sense.

    Examples
    --------
    >>> from liarsolve.rules.presets import CLASSIC
    >>> len(CLASSIC.claims), CLASSIC.rethrow_counts
    (248, (0, 1, 2, 3, 4, 5))
    >>> house_rules = CLASSIC.replace(top_claim="must_challenge", lives="5")
    >>> house_rules.lives, house_rules.name
    (5, 'classic, top_claim=must_challenge, lives=5')
    """

    name: str = field(default="custom", compare=False)
    """What to call the rules in reports."""
    equipment: Equipment = _FIVE_DICE
    """What lies under the cup."""
    ranking: Ranking = POKER
    """Which hand beats which."""
    claim_detail: ClaimDetail = ClaimDetail.FULL
    nothing_claims: NothingClaims = NothingClaims.FORBIDDEN
    truth: Truth = Truth.AT_LEAST
    raise_rule: ClaimRaise = ClaimRaise.HIGHER
    min_rethrow: int = 0
    """Fewest dice that a player who has accepted must throw (DD?3)."""
    max_rethrow: int | None = None
    """Most dice that he may throw; ``None`` for all."""
    rethrow_all: bool = False
    """Whether he must throw all of them, as in Mia; the other two limits then have no part."""
    look: Look = Look.BEFORE_THROW
    blind_pass: BlindPass = BlindPass.OFF
    blind_claim: BlindClaim = BlindClaim.HIGHER
    announce_count: bool = True
    """Whether the others learn how many dice a player has thrown (CL?8, DD?4)."""
    dislodge_prob: Fraction = Fraction(0)
    """Chance that a throw knocks a kept die over, each on its own and unannounced (BX?8)."""
    top_claim: TopClaim = TopClaim.MUST_CHALLENGE
    top_accept: TopAccept = TopAccept.FRESH_KEEP
    top_throws: int = 5
    """Throws to make the top hand with, under ``accept_try``."""
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

    def __post_init__(self) -> None:
        problem = _value_problem(self) or cup_conflict(self)
        if problem is not None:
            raise RuleError(problem)

    @cached_property
    def claims(self) -> ClaimSet:
        """Everything that can be claimed, from low to high; a ``claim_id`` is a position in it."""
        return _claim_set(self.equipment, self.ranking, self.claim_detail, self.nothing_claims)

    @property
    def top_claim_id(self) -> int:
        """The highest claim."""
        return len(self.claims) - 1

    @cached_property
    def top_hand(self) -> Hand:
        """The highest hand, which is tried for under ``accept_try``."""
        return max(self.equipment.hands, key=self.ranking.key)

    @property
    def rethrow_counts(self) -> tuple[int, ...]:
        """How many dice a player may throw who has accepted and looked."""
        n_items = self.equipment.n_items
        if self.rethrow_all:
            return (n_items,)
        return tuple(range(self.min_rethrow, (self.max_rethrow or n_items) + 1))

    def follow_problem(self, previous: int | None, claim_id: int) -> str | None:
        """Say why a claim may not follow an accepted one (``None``: open); ``None`` if it may."""
        if previous is None:
            return None
        ranks, claims = self.claims.ranks, self.claims
        if previous == self.top_claim_id and self.top_claim is not TopClaim.MUST_REPEAT:
            return f"top_claim={self.top_claim.value} nothing may follow the highest claim"
        if self.raise_rule is ClaimRaise.EQUAL_OR_HIGHER:
            if ranks[claim_id] < ranks[previous]:
                return "raise_rule=equal_or_higher a claim may not be lower than the last one"
            return None
        if ranks[claim_id] <= ranks[previous]:
            return "CL.9 a claim must be higher than the last one"
        if self.raise_rule is ClaimRaise.COMPONENTWISE:
            return self._component_problem(claims[previous], claims[claim_id])
        return None

    def may_follow(self, previous: int | None, claim_id: int) -> bool:
        """Whether a claim may follow an accepted one; ``None`` stands for the opening claim.

        >>> from liarsolve.rules.presets import MIA
        >>> MIA.may_follow(0, 0), MIA.may_follow(0, 1)
        (False, True)
        """
        return self.follow_problem(previous, claim_id) is None

    def legal_claims(self, previous: int | None) -> tuple[int, ...]:
        """List all claims that may follow an accepted one, from low to high."""
        return tuple(c for c in range(len(self.claims)) if self.may_follow(previous, c))

    @cached_property
    def bare_claims(self) -> frozenset[int]:
        """Claims that leave odd dice to name, and name none of them (BX?4)."""
        n_items = self.equipment.n_items
        return frozenset(
            claim_id
            for claim_id, claim in enumerate(self.claims)
            if len(claim.faces) <= count_ranking_dice(claim.category, n_items) < n_items
        )

    def try_kept(self, hand: Hand) -> Hand:
        """List the dice of a hand that stay when the top hand is tried for again."""
        if self.top_accept is TopAccept.FRESH_ALL:
            return ()
        return tuple(face for face in hand if face in self.top_hand)

    def try_success(self, hand: Hand) -> Fraction:
        """Chance that a player who accepts the top claim on a hand makes the top hand (CL?1).

        The throws are independent: a die that is thrown up to n times and kept as soon as it fits
        misses with chance (5/6)^n.

        >>> from liarsolve.rules.presets import CLASSIC
        >>> round(float(CLASSIC.try_success((6, 6, 6, 6, 6))), 6)
        0.076551
        """
        n_items, miss = self.equipment.n_items, Fraction(self.equipment.n_faces - 1)
        miss /= self.equipment.n_faces
        if self.top_accept is TopAccept.FRESH_ALL:
            return 1 - (1 - (1 - miss) ** n_items) ** self.top_throws
        is_carried = self.top_accept is TopAccept.CARRY_KEEP
        n_thrown = n_items - (len(self.try_kept(hand)) if is_carried else 0)
        return (1 - miss**self.top_throws) ** n_thrown

    def parse_hand(self, text: str | Iterable[int]) -> Hand:
        """Read a whole hand, as `liarsolve.claims.parse_hand`."""
        return parse_hand(text, self.claims)

    def parse_kept(self, text: str | Iterable[int]) -> Hand:
        """Read some dice or cards of a hand, as `liarsolve.claims.parse_kept`."""
        return parse_kept(text, self.claims)

    def format_hand(self, hand: Iterable[int]) -> str:
        """Write a hand, or some dice of it, as `parse_hand` and `parse_kept` read it."""
        return format_hand(hand, self.ranking)

    def parse_claim(self, text: str) -> Claim:
        """Read a claim, as `liarsolve.claims.parse_claim`."""
        return parse_claim(text, self.claims)

    def format_claim(self, claim: Claim) -> str:
        """Write a claim as `parse_claim` reads it.

        >>> from liarsolve.rules.presets import BOX
        >>> BOX.format_claim(BOX.parse_claim("a pair of jacks with a queen"))
        'JJ+Q'
        """
        return format_claim(claim, self.claims)

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

    def _component_problem(self, previous: Claim, claim: Claim) -> str | None:
        """Compare claims of one category group by group (DD?2)."""
        if claim.category is not previous.category:
            return None
        pip = self.ranking.pip
        pairs = zip(map(pip, previous.faces), map(pip, claim.faces), strict=True)
        is_rising = pip(claim.faces[0]) > pip(previous.faces[0])
        if is_rising and all(new >= old for old, new in pairs):
            return None
        return (
            "raise_rule=componentwise in the same category the first group must rise and no "
            "other may fall"
        )


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


@lru_cache(maxsize=64)
def _claim_set(
    equipment: Equipment, ranking: Ranking, detail: ClaimDetail, nothing: NothingClaims
) -> ClaimSet:
    """Share the claims of rules that differ in other options."""
    return ClaimSet(equipment, ranking, detail, nothing)


def _value_problem(rules: CupRules) -> str | None:
    """Say which option has a value that is not of its kind."""
    text = "text goes through CupRules.replace or CupRules.from_dict"
    if not isinstance(rules.name, str):
        return f"name must be text, got {rules.name!r}"
    kinds: dict[str, type] = _ENUM_OF_OPTION | {"equipment": Equipment, "ranking": Ranking}
    for option, kind in kinds.items():
        value = getattr(rules, option)
        if not isinstance(value, kind):
            member = "a member of " if issubclass(kind, Enum) else "of type "
            return f"{option} must be {member}{kind.__name__}, got {value!r}; {text}"
    for option, least in _LEAST_OF_NUMBER.items():
        value = getattr(rules, option)
        if type(value) is not int or value < least:
            return f"{option} must be a whole number of at least {least}, got {value!r}"
    for option in ("rethrow_all", "announce_count"):
        value = getattr(rules, option)
        if not isinstance(value, bool):
            return f"{option} must be True or False, got {value!r}"
    most = rules.max_rethrow
    if most is not None and (type(most) is not int or most < 1):
        return f"max_rethrow must be a whole number of at least 1, or None for all, got {most!r}"
    prob = rules.dislodge_prob
    if not isinstance(prob, Fraction) or not 0 <= prob <= 1:
        return f"dislodge_prob must be a Fraction from 0 to 1, got {prob!r}"
    for option in ("penalty_liar", "penalty_doubter"):
        parts = getattr(rules, option)
        if not is_penalty(parts):
            return (
                f"{option} must be two whole numbers, to the pool and to the other player, "
                f"at least one of them above 0, got {parts!r}"
            )
    return None

"""The rules of one round of a cup game: all that decides how to play it, checked as a whole."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar

from liarsolve.claims import (
    POKER,
    Category,
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
from liarsolve.rules.cup.checks import kind_problem, number_problem
from liarsolve.rules.cup.options import (
    BlindClaim,
    BlindPass,
    ClaimRaise,
    Look,
    TopAccept,
    TopClaim,
)

__all__ = ["ENUM_OF_ROUND_OPTION", "CupRoundRules"]

_FIVE_DICE = Equipment.dice(5, 6)
_DEFAULT_TOP_THROWS = 5

ENUM_OF_ROUND_OPTION: dict[str, type[Enum]] = {
    "claim_detail": ClaimDetail,
    "nothing_claims": NothingClaims,
    "truth": Truth,
    "raise_rule": ClaimRaise,
    "look": Look,
    "blind_pass": BlindPass,
    "blind_claim": BlindClaim,
    "top_claim": TopClaim,
    "top_accept": TopAccept,
}
_KIND_OF_OPTION = {**ENUM_OF_ROUND_OPTION, "equipment": Equipment, "ranking": Ranking}
_LEAST_OF_NUMBER = {"min_rethrow": 0, "top_throws": 1}


@dataclass(frozen=True, kw_only=True)
class CupRoundRules:
    """The rules of one round of a cup game: all that decides how it is played.

    What a round costs, who starts the next one and when the game is over is not among them: the
    loser of a round loses it, whatever that is worth. `CupRules` adds these options. Two sets of
    rules are equal if all their options are; the name does not count.

    Raises
    ------
    RuleError
        If an option has a value it cannot have, or two options together make no sense.

    Examples
    --------
    >>> from liarsolve.rules.presets import CLASSIC
    >>> CLASSIC.replace(lives=5).round_rules == CLASSIC.round_rules
    True
    >>> CLASSIC.replace(truth="matches").round_rules == CLASSIC.round_rules
    False
    """

    family: ClassVar[str] = "cup"
    """What kind of game this is; the other kind is ``bidding``."""

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
    """Most dice that they may throw; ``None`` for all."""
    rethrow_all: bool = False
    """Whether they must throw all of them, as in Mia; the other two limits then have no part."""
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

    def __post_init__(self) -> None:
        problem = self._value_problem() or self._conflict()
        if problem is not None:
            raise RuleError(problem)

    def _value_problem(self) -> str | None:
        """Say which option has a value that is not of its kind."""
        return _round_value_problem(self)

    def _conflict(self) -> str | None:
        """Say which options make no sense together, in one sentence; ``None`` if all do."""
        for find in (_claim_conflict, _throw_conflict, _blind_conflict, _top_conflict):
            problem = find(self)
            if problem is not None:
                return problem
        return None

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
    def reroll_counts(self) -> tuple[int, ...]:
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
            return f"with top_claim={self.top_claim.value} nothing may follow the highest claim"
        if self.raise_rule is ClaimRaise.EQUAL_OR_HIGHER:
            if ranks[claim_id] < ranks[previous]:
                return "with raise_rule=equal_or_higher a claim may not be lower than the last one"
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
            "with raise_rule=componentwise, in the same category the first group must rise and no "
            "other may fall"
        )


@lru_cache(maxsize=64)
def _claim_set(
    equipment: Equipment, ranking: Ranking, detail: ClaimDetail, nothing: NothingClaims
) -> ClaimSet:
    """Share the claims of rules that differ in other options."""
    return ClaimSet(equipment, ranking, detail, nothing)


def _round_value_problem(rules: CupRoundRules) -> str | None:
    """Say which option has a value that is not of its kind."""
    if not isinstance(rules.name, str):
        return f"name must be text, got {rules.name!r}"
    problem = kind_problem(rules, _KIND_OF_OPTION) or number_problem(rules, _LEAST_OF_NUMBER)
    if problem is not None:
        return problem
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
    return None


def _claim_conflict(rules: CupRoundRules) -> str | None:
    problem = _vocabulary_problem(
        rules.equipment, rules.ranking, rules.claim_detail, rules.nothing_claims
    )
    if problem is not None:
        return problem
    is_grouped = rules.claim_detail in (ClaimDetail.FULL, ClaimDetail.PRIMARY)
    if rules.raise_rule is ClaimRaise.COMPONENTWISE and not is_grouped:
        return (
            "raise_rule=componentwise compares claims group by group, which "
            f"claim_detail={rules.claim_detail.value} does not name throughout; use "
            "claim_detail=full or claim_detail=primary"
        )
    return None


@lru_cache(maxsize=256)
def _vocabulary_problem(
    equipment: Equipment, ranking: Ranking, detail: ClaimDetail, nothing: NothingClaims
) -> str | None:
    """Say why a ranking does not fit the equipment, or leaves nothing to claim."""
    if ranking.face_names and equipment.n_faces > len(ranking.face_names):
        return (
            f"ranking={ranking.name} names the {len(ranking.face_names)} faces "
            f"{', '.join(ranking.face_names)}, the equipment has {equipment.n_faces}; "
            "use ranking=multiplicity, or fewer faces"
        )
    try:
        ClaimSet(equipment, ranking, detail, nothing)
        categories = {ranking.category(hand) for hand in equipment.hands}
    except RuleError as error:
        return str(error)
    if nothing is NothingClaims.FORBIDDEN and categories == {Category.NOTHING}:
        return (
            f"nothing_claims={nothing.value} leaves nothing to claim with this equipment under "
            f"ranking={ranking.name}; use nothing_claims=named or ranking=multiplicity"
        )
    return None


def _throw_conflict(rules: CupRoundRules) -> str | None:
    n_items, most = rules.equipment.n_items, rules.max_rethrow
    limits = f"min_rethrow={rules.min_rethrow}, max_rethrow={'all' if most is None else most}"
    if rules.rethrow_all and (rules.min_rethrow > 0 or most is not None):
        return (
            f"rethrow_all=true throws everything each time, which leaves no part to {limits}; "
            "use min_rethrow=0, max_rethrow=all"
        )
    if (most is not None and most > n_items) or rules.min_rethrow > (most or n_items):
        return (
            f"{limits} cannot be met with a hand of {n_items}; "
            f"use 0 <= min_rethrow <= max_rethrow <= {n_items}"
        )
    if rules.look is Look.NEVER and not rules.rethrow_all:
        return (
            "look=never leaves players no choice of what they throw; use rethrow_all=true, or "
            "look=before_throw"
        )
    if rules.look is Look.OPTIONAL and most is not None and most < n_items:
        return (
            "look=optional lets a player throw everything unseen, which "
            f"max_rethrow={most} forbids; use max_rethrow=all or look=before_throw"
        )
    if not rules.announce_count and len(rules.reroll_counts) == 1:
        return (
            f"announce_count=false hides a number that is always {rules.reroll_counts[0]}; use "
            "announce_count=true"
        )
    if rules.dislodge_prob > 0 and rules.equipment.is_cards:
        return (
            f"dislodge_prob={rules.dislodge_prob} knocks dice over, but cards are drawn; use "
            "dislodge_prob=0"
        )
    if rules.dislodge_prob > 0 and rules.rethrow_all:
        return (
            f"dislodge_prob={rules.dislodge_prob} knocks kept dice over, but rethrow_all=true "
            "keeps none; use dislodge_prob=0"
        )
    return None


def _blind_conflict(rules: CupRoundRules) -> str | None:
    blind = f"blind_pass={rules.blind_pass.value}"
    if rules.blind_pass is BlindPass.OFF:
        if rules.blind_claim is BlindClaim.SAME:
            return (
                "blind_claim=same is for players who pass on unseen, but blind_pass=off; use "
                "blind_pass=any or blind_claim=higher"
            )
        return None
    if rules.min_rethrow > 0:
        return (
            f"{blind} throws nothing, which min_rethrow={rules.min_rethrow} forbids; use "
            "min_rethrow=0 or blind_pass=off"
        )
    is_extendable = rules.claim_detail in (ClaimDetail.PREFIX, ClaimDetail.SUBSET)
    if rules.blind_pass is BlindPass.ONLY_IF_BARE and not is_extendable:
        return (
            f"{blind} asks whether odd dice were named, which "
            f"claim_detail={rules.claim_detail.value} leaves no choice about; use "
            "claim_detail=prefix or blind_pass=any"
        )
    return None


def _top_conflict(rules: CupRoundRules) -> str | None:
    top = f"top_claim={rules.top_claim.value}"
    if rules.top_claim is TopClaim.MUST_REPEAT:
        if rules.raise_rule is not ClaimRaise.EQUAL_OR_HIGHER:
            return (
                f"{top} repeats a claim, which raise_rule={rules.raise_rule.value} forbids; use "
                "raise_rule=equal_or_higher or top_claim=must_challenge"
            )
    elif rules.top_claim is TopClaim.ACCEPT_TRY:
        if rules.equipment.is_cards:
            return (
                f"{top} throws dice to make the top hand, but cards are drawn; use "
                "top_claim=must_challenge"
            )
        if len(set(rules.top_hand)) > 1:
            return (
                f"{top} needs a top hand of equal dice, but the highest hand of "
                f"ranking={rules.ranking.name} is {rules.top_hand}; use top_claim=must_challenge"
            )
        return None
    if rules.top_throws != _DEFAULT_TOP_THROWS:
        return (
            f"top_throws={rules.top_throws} counts the throws for the top hand, which {top} does "
            f"not allow; use top_claim=accept_try or top_throws={_DEFAULT_TOP_THROWS}"
        )
    if rules.top_accept is not TopAccept.FRESH_KEEP:
        return (
            f"top_accept={rules.top_accept.value} says how the top hand is tried for, which {top} "
            "does not allow; use top_claim=accept_try or top_accept=fresh_keep"
        )
    return None

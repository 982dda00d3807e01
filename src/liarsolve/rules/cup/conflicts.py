"""Which options of a cup game make no sense together, and what would."""

from functools import lru_cache
from typing import TYPE_CHECKING

from liarsolve.claims import Category, ClaimDetail, ClaimSet, NothingClaims, Ranking
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import RuleError
from liarsolve.rules.cup.options import (
    BlindClaim,
    BlindPass,
    ClaimRaise,
    Look,
    ShortPay,
    TopAccept,
    TopClaim,
)

if TYPE_CHECKING:
    from liarsolve.rules.cup.rule_set import CupRules

_DEFAULT_TOP_THROWS = 5


def cup_conflict(rules: "CupRules") -> str | None:
    """Say which options make no sense together, in one sentence; ``None`` if all do."""
    for find in (
        _claim_conflict,
        _throw_conflict,
        _blind_conflict,
        _top_conflict,
        _match_conflict,
    ):
        problem = find(rules)
        if problem is not None:
            return problem
    return None


def _claim_conflict(rules: "CupRules") -> str | None:
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


def _throw_conflict(rules: "CupRules") -> str | None:
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
            "look=never leaves a player no way to choose what he throws; use rethrow_all=true, or "
            "look=before_throw"
        )
    if rules.look is Look.OPTIONAL and most is not None and most < n_items:
        return (
            "look=optional lets a player throw everything unseen, which "
            f"max_rethrow={most} forbids; use max_rethrow=all or look=before_throw"
        )
    if not rules.announce_count and len(rules.rethrow_counts) == 1:
        return (
            f"announce_count=false hides a number that is always {rules.rethrow_counts[0]}; use "
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


def _blind_conflict(rules: "CupRules") -> str | None:
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


def _top_conflict(rules: "CupRules") -> str | None:
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


def _match_conflict(rules: "CupRules") -> str | None:
    is_shared = any(min(parts) > 0 for parts in (rules.penalty_liar, rules.penalty_doubter))
    if rules.short_pay is ShortPay.CHALLENGER_FIRST and not is_shared:
        return (
            "short_pay=challenger_first divides what is owed to two, but no penalty goes to both "
            "the pool and a player; use penalty_liar=1,1 or short_pay=pool_first"
        )
    return None

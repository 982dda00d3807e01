"""Rules of a cup game compiled to arrays, or refused where the recursion over claims fails."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from liarsolve.dice import Hand
from liarsolve.errors import GameTooLargeError, RuleError
from liarsolve.game.cup.game import CupGame, build_cup_game
from liarsolve.rules.cup.options import BlindClaim, BlindPass, ClaimRaise, Look, TopClaim
from liarsolve.rules.cup.rule_set import CupRules

_MOST_HANDS = 4_000
"""Five dice of six faces make 252, five of ten 2,002. Claims are of the same order."""
_MOST_BYTES = 1e9
_MOST_THROWS = 1_000
"""Throws for the top hand: its chance is a fraction with as many digits as throws."""


def size_problem(rules: CupRules) -> str | None:
    """Say how large the arrays of a round would be that cannot be laid out; `None` if it can.

    Nothing is enumerated before its number is known to be small.

    >>> from liarsolve.rules.presets import MIA
    >>> print(size_problem(MIA.replace(equipment="dice(2,300)")))
    2 dice with 300 faces make 45,150 hands, and up to 4,000 can be solved; take fewer dice or faces
    """
    kit = rules.equipment
    items = "cards" if kit.is_cards else "dice" if kit.n_items != 1 else "die"
    name = f"{kit.n_items} {items} with {kit.n_faces} {'ranks' if kit.is_cards else 'faces'}"
    n_hands = comb(kit.n_items + kit.n_faces - 1, kit.n_items)
    verb = "makes" if items == "die" else "make"
    if n_hands > _MOST_HANDS:
        return (
            f"{name} {verb} {_count(n_hands)} hands, and up to {_MOST_HANDS:,} can be solved; take "
            "fewer dice or faces"
        )
    if rules.top_throws > _MOST_THROWS:
        return (
            f"top_throws={rules.top_throws} is more than can be computed in fractions; up to "
            f"{_MOST_THROWS:,} throws can, which hardly ever fail"
        )
    n_keeps = 1 if rules.rethrow_all else len(kit.kept_hands)
    n_claims = len(rules.claims)
    n_bytes = 8 * n_hands * (n_keeps + 8 * n_claims) + n_claims**2
    if n_bytes > _MOST_BYTES:
        return (
            f"{name} {verb} {n_hands:,} hands, {n_keeps:,} choices of what to keep and "
            f"{n_claims:,} claims, which take about {n_bytes / 1e9:.1f} GB; up to "
            f"{_MOST_BYTES / 1e9:.0f} GB can be solved; take fewer dice or faces"
        )
    return None


def _count(n: int) -> str:
    return f"{n:,}" if n < 10**9 else f"{n:.1e}" if n < 10**300 else "far too many"


def compile_cup(rules: CupRules) -> CupGame:
    """Lay out a round of two players in arrays.

    Raises
    ------
    GameTooLargeError
        If there are too many hands, choices of what to keep, or claims.
    RuleError
        If the round is no recursion over rising claims; the message names the option to change.
    GameTooLargeError
        If there are more than 5,000 hands.

    Examples
    --------
    >>> from liarsolve.rules.presets import CLASSIC
    >>> game = compile_cup(CLASSIC)
    >>> game.n_hands, game.n_claims, game.n_families
    (252, 248, 1056)
    """
    reason = recursion_problem(rules)
    if reason is not None:
        raise RuleError(reason)
    too_large = size_problem(rules)
    if too_large is not None:
        raise GameTooLargeError(too_large)
    top = rules.top_claim_id
    end_values = {}
    if rules.top_claim is TopClaim.ACCEPT_TRY:
        end_values[top] = tuple(1 - rules.try_success(hand) for hand in rules.equipment.hands)
    n_claims = len(rules.claims)
    follows = np.zeros((n_claims, n_claims), np.bool_)
    for claim_id in range(n_claims):
        follows[claim_id, list(rules.legal_claims(claim_id))] = True
    return build_cup_game(
        hands=rules.equipment.hands,
        distributions={
            keep: throw_distribution(rules, keep) for keep in rules.equipment.kept_hands
        },
        thrown=rules.reroll_counts,
        is_announced=rules.announce_count,
        truth=rules.claims.truth_table(rules.truth),
        follows=follows,
        end_values=end_values,
    )


def without_idle_passes(rules: CupRules) -> CupRules:
    """Leave out blind passes where two players gain nothing by them.

    Whoever passes on without looking (BX.7) may as well look, keep all and claim the same: they
    know more, which they need not use, and the other player is told as much. So the game without
    blind passes has the same value, and its strategies stay optimal against an opponent who passes
    blind, if that is answered as looking and throwing none.

    >>> from liarsolve.rules.presets import BOX
    >>> BOX.blind_pass.value, without_idle_passes(BOX).blind_pass.value
    ('any', 'off')
    """
    may_keep_all = 0 in rules.reroll_counts and rules.blind_claim is BlindClaim.HIGHER
    if rules.look is Look.BEFORE_THROW and may_keep_all:
        return rules.replace(blind_pass=BlindPass.OFF)
    return rules


def recursion_problem(rules: CupRules) -> str | None:
    """Say why two players' round cannot be solved claim by claim; `None` if it can.

    >>> from liarsolve.rules.presets import BOX
    >>> recursion_problem(BOX)[:46]
    'blind_pass=any cannot be solved claim by claim'
    """
    if rules.blind_pass is not BlindPass.OFF:
        return (
            f"blind_pass={rules.blind_pass.value} cannot be solved claim by claim, since who "
            "passes knows more of the hand than who receives it; use blind_pass=off"
        )
    if rules.look is Look.OPTIONAL and rules.equipment.n_items not in rules.reroll_counts:
        return (
            "look=optional cannot be solved claim by claim where all dice may be thrown only "
            "unseen; use max_rethrow=all, or look=before_throw"
        )
    if rules.raise_rule is ClaimRaise.EQUAL_OR_HIGHER:
        return (
            "raise_rule=equal_or_higher cannot be solved claim by claim, since a round may go on "
            "for ever; use raise_rule=higher"
        )
    if rules.top_claim not in (TopClaim.MUST_CHALLENGE, TopClaim.ACCEPT_TRY):
        return (
            f"top_claim={rules.top_claim.value} cannot be solved claim by claim; "
            "use top_claim=must_challenge or top_claim=accept_try"
        )
    return None


def throw_distribution(rules: CupRules, kept: Hand) -> dict[Hand, Fraction]:
    """Distribution of the hand after a throw; dice that are kept may fall over (BX?8)."""
    equipment, prob = rules.equipment, rules.dislodge_prob
    if not prob or len(kept) in (0, equipment.n_items):
        n_throws = equipment.n_redraws(equipment.n_items - len(kept))
        return {hand: Fraction(count, n_throws) for hand, count in equipment.redraw(kept)}
    distribution: defaultdict[Hand, Fraction] = defaultdict(Fraction)
    for n_upright in range(len(kept) + 1):
        weight = (1 - prob) ** n_upright * prob ** (len(kept) - n_upright)
        n_throws = equipment.n_redraws(equipment.n_items - n_upright)
        for upright in combinations(kept, n_upright):
            for hand, count in equipment.redraw(upright):
                distribution[hand] += weight * Fraction(count, n_throws)
    return dict(distribution)

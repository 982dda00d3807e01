"""Rules of a cup game compiled to arrays, or refused where the recursion over claims fails."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations

import numpy as np

from liarsolve.dice import Hand
from liarsolve.errors import GameTooLargeError, RuleError
from liarsolve.game.cup.game import CupGame, build_cup_game
from liarsolve.rules.cup.options import BlindClaim, BlindPass, ClaimRaise, Look, TopClaim
from liarsolve.rules.cup.rule_set import CupRules

MAX_HANDS = 5_000
"""Most hands: what each throw leads to is listed. Ten dice of six faces have 3,003."""


def compile_cup(rules: CupRules) -> CupGame:
    """Lay out a round of two players in arrays.

    Raises
    ------
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
    n_hands = len(rules.equipment.hands)
    if n_hands > MAX_HANDS:
        raise GameTooLargeError(
            f"{rules.name} has {n_hands:,} hands, and at most {MAX_HANDS:,} can be laid out; take "
            "equipment with fewer dice or faces"
        )
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
        laws={keep: throw_law(rules, keep) for keep in rules.equipment.kept_hands},
        thrown=rules.reroll_counts,
        is_announced=rules.announce_count,
        truth=rules.claims.truth_table(rules.truth),
        follows=follows,
        end_values=end_values,
    )


def without_idle_passes(rules: CupRules) -> CupRules:
    """Leave out blind passes where two players gain nothing by them.

    Whoever passes on without looking (BX.7) may as well look, keep all and claim the same: he knows
    more, which he can forget, and the other player is told as much. So the game without blind
    passes has the same value, and its strategies stay optimal against an opponent who passes blind,
    if that is answered as looking and throwing none.

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


def throw_law(rules: CupRules, kept: Hand) -> dict[Hand, Fraction]:
    """Law of the hand that a throw leaves under the cup; kept dice may fall over (BX?8)."""
    equipment, prob = rules.equipment, rules.dislodge_prob
    if not prob or len(kept) in (0, equipment.n_items):
        n_ways = equipment.n_redraws(equipment.n_items - len(kept))
        return {hand: Fraction(ways, n_ways) for hand, ways in equipment.redraw(kept)}
    law: defaultdict[Hand, Fraction] = defaultdict(Fraction)
    for n_upright in range(len(kept) + 1):
        weight = (1 - prob) ** n_upright * prob ** (len(kept) - n_upright)
        n_ways = equipment.n_redraws(equipment.n_items - n_upright)
        for upright in combinations(kept, n_upright):
            for hand, ways in equipment.redraw(upright):
                law[hand] += weight * Fraction(ways, n_ways)
    return dict(law)

"""The same small cup game on both sides: rules of the library and the slow reference."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from hypothesis import strategies as st

from liarsolve.claims import (
    CLASSIC,
    MIA,
    MULTIPLICITY,
    POKER,
    Category,
    Claim,
)
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import RuleError
from liarsolve.rules import CHALLENGE as LIAR
from liarsolve.rules import CupMove, CupRules, Keep
from reference import cup
from reference.cup import ReferenceCup

CATEGORIES = {
    (): "singles",
    (2,): "pair",
    (2, 2): "two_pairs",
    (3,): "three",
    (3, 2): "full",
    (4,): "four",
    (5,): "five",
    cup.LOW_RUN: "low_run",
    cup.HIGH_RUN: "high_run",
    cup.MIA_TOP: "mia",
}
"""Name in the library of a category, by its groups of two and more."""


def said(game: ReferenceCup, claim: cup.Claim) -> Claim:
    """Write a claim of the reference as the library does."""
    if isinstance(claim.category, str):
        name = CATEGORIES[claim.category]
        (described,) = game.described[claim]
        is_named = game.claim_detail != "category"
        return Claim(Category(name), described[::-1] if is_named else ())
    name = CATEGORIES[tuple(n for n in claim.category if n > 1)]
    if name == "singles" and game.ranking in ("classic", "poker"):
        name = "nothing"
    faces = [face for face, n in zip(claim.groups, claim.category, strict=False) for _ in range(n)]
    return Claim(Category(name), (*faces, *claim.kickers))


@dataclass(frozen=True)
class TwoCups:
    """One game twice."""

    rules: CupRules
    n_players: int = 2

    @cached_property
    def game(self) -> ReferenceCup:
        return reference_of(self.rules, self.n_players)

    @cached_property
    def claims(self) -> dict[Claim, cup.Claim]:
        """The claims of the reference by what the library says, low to high."""
        return {said(self.game, claim): claim for claim in self.game.claims}

    def action(self, action: cup.Action) -> list[object]:
        """What the library does for an action of the reference, step by step."""
        word = action[0]
        if word == "claim":
            return [said(self.game, action[1])]
        if word == "keep":
            return [Keep(action[1])]
        if action == cup.CHALLENGE:
            return [LIAR]
        if word == "blind":
            return [CupMove.ACCEPT, CupMove.BLIND_PASS, said(self.game, action[1])]
        look = CupMove.LOOK if action == cup.ACCEPT else CupMove.THROW_UNSEEN
        return [CupMove.ACCEPT, look]


def reference_of(rules: CupRules, n_players: int = 2) -> ReferenceCup:
    """Read the options of the library one by one."""
    kit = rules.equipment
    lists_nothing = Category.NOTHING in rules.ranking.categories
    ranking = rules.ranking.name
    return ReferenceCup(
        n_dice=kit.n_items,
        n_faces=kit.n_faces,
        n_suits=kit.n_suits,
        ranking={"faces": "multiplicity", "generala_poker": "poker"}.get(ranking, ranking),
        claim_detail=rules.claim_detail.value,
        # Where all different is a hand like others, it is quoted like others.
        nothing_claims=rules.nothing_claims.value if lists_nothing else "prefix",
        truth=rules.truth.value,
        raise_rule=rules.raise_rule.value,
        min_rethrow=kit.n_items if rules.rethrow_all else rules.min_rethrow,
        max_rethrow=rules.max_rethrow,
        look=rules.look.value,
        blind_pass=rules.blind_pass.value,
        blind_claim=rules.blind_claim.value,
        dislodge_prob=Fraction(rules.dislodge_prob),
        announce_count=rules.announce_count,
        top_claim=rules.top_claim.value,
        top_accept=rules.top_accept.value,
        top_throws=rules.top_throws,
        n_players=n_players,
    )


SMALL_KITS = [
    (Equipment.dice(1, 3), MULTIPLICITY),
    (Equipment.dice(1, 4), MULTIPLICITY),
    (Equipment.dice(2, 2), MULTIPLICITY),
    (Equipment.dice(2, 3), MULTIPLICITY),
    (Equipment.dice(3, 2), MULTIPLICITY),
    (Equipment.dice(2, 3), MIA),
    (Equipment.cards(2, 3, 2), MULTIPLICITY),
    (Equipment.cards(3, 2, 3), MULTIPLICITY),
]
LARGER_KITS = [
    *SMALL_KITS,
    (Equipment.dice(3, 4), MULTIPLICITY),
    (Equipment.dice(5, 2), MULTIPLICITY),
    (Equipment.dice(4, 3), MULTIPLICITY),
    (Equipment.dice(2, 6), MIA),
    (Equipment.dice(5, 6), POKER),
    (Equipment.dice(5, 6), CLASSIC),
    (Equipment.cards(5, 6, 4), POKER),
]
CHOICES = {
    "claim_detail": ["full", "prefix", "subset", "primary", "lead", "category"],
    "nothing_claims": ["named", "prefix", "forbidden"],
    "truth": ["at_least", "matches", "contains"],
    "raise_rule": ["higher", "higher", "componentwise"],
    "min_rethrow": [0, 0, 1, 2],
    "max_rethrow": ["all", "all", 1, 2],
    "rethrow_all": [False, False, True],
    "announce_count": [True, False],
    "dislodge_prob": [0, 0, "1/3"],
    "top_claim": ["must_challenge", "accept_try"],
    "top_accept": ["fresh_keep", "carry_keep", "fresh_all"],
    "top_throws": [1, 2],
}
ALL_CHOICES = {
    **CHOICES,
    "look": ["before_throw", "never", "optional"],
    "blind_pass": ["off", "only_if_bare", "any"],
    "blind_claim": ["higher", "same"],
    "raise_rule": ["higher", "equal_or_higher", "componentwise", "higher"],
}


@st.composite
def cup_rules(draw, kits=SMALL_KITS, choices=CHOICES):
    """Draw rules: options are tried one after another, and those that make no sense left out."""
    equipment, ranking = draw(st.sampled_from(kits))
    rules = CupRules(equipment=equipment, ranking=ranking)
    for option, values in draw(st.permutations(sorted(choices.items()))):
        value = draw(st.sampled_from(values))
        try:
            rules = rules.replace(**{option: value})
        except RuleError:
            continue
    return rules

"""Rule sets under the names players know them by."""

from difflib import get_close_matches

from liarsolve.claims import CLASSIC as CLASSIC_RANKING
from liarsolve.claims import FACES, GENERALA_POKER, ClaimDetail, NothingClaims
from liarsolve.claims import MIA as MIA_RANKING
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import RuleError
from liarsolve.rules.bidding.options import ExactWho, OnesSlot, OpenOnes, Palifico, Wild, WildUntil
from liarsolve.rules.bidding.rule_set import RuleSet
from liarsolve.rules.cup.options import BlindPass, Look, TopClaim
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.rules.match_options import ExtraLife, NextStarter

__all__ = [
    "BIDDING_PRESETS",
    "BOX",
    "CLASSIC",
    "COMMON",
    "CUP_PRESETS",
    "DOUBTFUL_DICE",
    "DUDO",
    "LIARS_DICE",
    "LIAR_CARDS",
    "LIAR_DIE",
    "MIA",
    "OPENSPIEL",
    "PERUDO",
    "PRESETS",
    "SNYD",
    "get_preset",
]

LIARS_DICE = RuleSet(name="liars_dice", wild=Wild.ONES, wild_until=WildUntil.ANY_ONES_BID)
"""Ones are the lowest face, and wild until somebody bids them."""

PERUDO = RuleSet(
    name="perudo",
    wild=Wild.ONES,
    ones_slot=OnesSlot.AFTER_2N,
    open_ones=OpenOnes.NO,
    exact_who=ExactWho.NEXT,
    palifico=Palifico.FIRST_TIME,
    next_starter=NextStarter.CALLER_OF_EXACT,
)
"""Ones are wild, may not open, and are bid by the half rule; with an exact call that can win a die
back, and palifico rounds."""

COMMON = RuleSet(name="common")
"""No wild face; quantity, then face."""

OPENSPIEL = RuleSet(name="openspiel", wild=Wild.TOP_FACE)
"""The highest face is wild; quantity, then face; the game of most solver papers."""

SNYD = RuleSet(name="snyd", wild=Wild.ONES, ones_slot=OnesSlot.FORBIDDEN, open_ones=OpenOnes.NO)
"""Ones are wild and may not be bid."""

DUDO = RuleSet(name="dudo", wild=Wild.ONES, ones_slot=OnesSlot.BEFORE_2N)
"""Ones are wild; n ones stand just below 2n twos."""

CLASSIC = CupRules(
    name="classic",
    ranking=CLASSIC_RANKING,
    top_claim=TopClaim.ACCEPT_TRY,
    next_starter=NextStarter.CHALLENGER,
)
"""Liar dice with five poker dice: whole hands are claimed, runs rank above four of a kind."""

BOX = CupRules(
    name="box",
    claim_detail=ClaimDetail.PREFIX,
    nothing_claims=NothingClaims.NAMED,
    blind_pass=BlindPass.ANY,
    extra_life=ExtraLife.FIRST_OUT,
)
"""Liar dice with a box: as many odd dice are named as one likes, and it may be passed unseen."""

LIAR_CARDS = BOX.replace(name="liar_cards", equipment=Equipment.cards(5, 6, 4))
"""The box game with 24 cards; what is put away goes back into the pack."""

DOUBTFUL_DICE = CupRules(
    name="doubtful_dice",
    ranking=GENERALA_POKER,
    claim_detail=ClaimDetail.LEAD,
    min_rethrow=1,
    penalty_liar=(1, 1),
    next_starter=NextStarter.CHALLENGER,
)
"""The game with three stakes and the list of Generala; a liar pays the pool and the doubter."""

MIA = CupRules(
    name="mia",
    equipment=Equipment.dice(2, 6),
    ranking=MIA_RANKING,
    rethrow_all=True,
    look=Look.NEVER,
    lives=6,
)
"""Two dice, all thrown unseen each time; 21 is the highest and must be challenged."""

LIAR_DIE = CupRules(
    name="liar_die",
    equipment=Equipment.dice(1, 6),
    ranking=FACES,
    rethrow_all=True,
    look=Look.NEVER,
    lives=1,
)
"""One die, thrown unseen each time: the smallest game of the family."""

BIDDING_PRESETS: dict[str, RuleSet] = {
    rules.name: rules for rules in (LIARS_DICE, PERUDO, COMMON, OPENSPIEL, SNYD, DUDO)
}
"""The presets of the bidding game by their names."""

CUP_PRESETS: dict[str, CupRules] = {
    rules.name: rules for rules in (CLASSIC, BOX, LIAR_CARDS, DOUBTFUL_DICE, MIA, LIAR_DIE)
}
"""The presets of the cup games by their names."""

PRESETS: dict[str, RuleSet | CupRules] = {**BIDDING_PRESETS, **CUP_PRESETS}
"""Every preset by its name."""


def get_preset(name: str) -> RuleSet | CupRules:
    """Look up a preset.

    Raises
    ------
    RuleError
        If there is none of that name.

    >>> get_preset("perudo").to_dict()["ones_slot"]
    'after_2n'
    """
    word = str(name).strip().lower().replace("-", "_").replace(" ", "_")
    if word not in PRESETS:
        close = get_close_matches(word, PRESETS, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise RuleError(f"there is no preset {name!r}; {hint}the presets are {', '.join(PRESETS)}")
    return PRESETS[word]

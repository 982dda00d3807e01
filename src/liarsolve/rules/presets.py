"""Rule sets under the names players know them by."""

from difflib import get_close_matches

from liarsolve.claims import CLASSIC as CLASSIC_RANKING
from liarsolve.claims import FACES, GENERALA_POKER, ClaimDetail, NothingClaims
from liarsolve.claims import MIA as MIA_RANKING
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import RuleError
from liarsolve.rules.bidding.options import (
    ChallengeWho,
    ExactWho,
    ExactWin,
    Loss,
    OnesSlot,
    OpenMin,
    OpenOnes,
    Palifico,
    RaiseRule,
    Wild,
    WildUntil,
)
from liarsolve.rules.bidding.rule_set import RuleSet
from liarsolve.rules.cup.options import BlindPass, Look, TopClaim
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.rules.match_options import ExtraLife, MatchEnd, NextStarter

__all__ = [
    "ARMY_MESS",
    "ASMODEE",
    "BIDDING_PRESETS",
    "BLUFF",
    "BOX",
    "CHUI_NIU",
    "CLASSIC",
    "COMMON",
    "CUP_PRESETS",
    "DOUBTFUL_DICE",
    "DUDO",
    "DUDO_AI",
    "LIARS_BAR",
    "LIARS_DICE",
    "LIAR_CARDS",
    "LIAR_DIE",
    "MIA",
    "MU_ZHAO",
    "OPENSPIEL",
    "PERUDO",
    "PRESETS",
    "RED_DEAD",
    "SNYD",
    "TRANSFER",
    "WIKIPEDIA",
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

ASMODEE = PERUDO.replace(name="asmodee", exact_who=ExactWho.ANY_BUT_BIDDER, exact_min_players=3)
"""Perudo as it is sold: every player but the bidder may call exact, while three are in."""

BLUFF = RuleSet(
    name="bluff",
    wild=Wild.TOP_FACE,
    ones_slot=OnesSlot.BEFORE_2N,
    loss=Loss.DIFFERENCE,
    exact_bid_bonus=True,
)
"""Stars are wild, and n of them stand just below 2n ones; a challenge costs the difference, and if
the bid was exactly right, everybody but the bidder loses a die."""

CHUI_NIU = RuleSet(
    name="chui_niu",
    wild=Wild.ONES,
    wild_until=WildUntil.ANY_ONES_BID,
    ones_slot=OnesSlot.FACE_HIGH,
    open_min=OpenMin.N_PLAYERS,
)
"""Ones rank highest and are wild until somebody bids them; the first bid names a die a player."""

DUDO_AI = SNYD.replace(name="dudo_ai", loss=Loss.WINNER_DISCARDS)
"""As snyd, but the winner of a challenge puts a die away, and who has none left has won."""

LIARS_BAR = RuleSet(name="liars_bar", raise_rule=RaiseRule.FACE_WRAP, lives=2)
"""Two lives and always five dice; more of the same face, as many of a higher one, and more ones
after sixes."""

MU_ZHAO = DUDO.replace(name="mu_zhao", exact_who=ExactWho.NEXT, exact_win=ExactWin.OTHERS_LOSE_1)
"""Ones weigh double: three of them stand between five sixes and six twos; a right exact call costs
everybody else a die."""

RED_DEAD = RuleSet(
    name="red_dead",
    exact_who=ExactWho.NEXT,
    exact_win=ExactWin.OTHERS_LOSE_1,
    next_starter=NextStarter.ROTATE,
)
"""No wild face; a right exact call costs everybody else a die; the first bid goes round."""

TRANSFER = LIARS_DICE.replace(name="transfer", loss=Loss.TRANSFER)
"""As liars_dice, but the loser gives a die to the winner; who has all of them has won."""

WIKIPEDIA = RuleSet(
    name="wikipedia",
    challenge_who=ChallengeWho.ANY,
    exact_who=ExactWho.NEXT,
    exact_win=ExactWin.OTHERS_LOSE_1,
    end=MatchEnd.SINGLE_ROUND,
)
"""The single hand: one round without wild faces, which any player may challenge."""

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

ARMY_MESS = BOX.replace(name="army_mess", extra_life=ExtraLife.OFF, end=MatchEnd.FIRST_OUT_LOSES)
"""The box game without a spare life: the first to lose three has lost, and pays."""

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
    rules.name: rules
    for rules in (
        *(LIARS_DICE, PERUDO, COMMON, OPENSPIEL, SNYD, DUDO),
        *(ASMODEE, BLUFF, CHUI_NIU, DUDO_AI, LIARS_BAR, MU_ZHAO, RED_DEAD, TRANSFER, WIKIPEDIA),
    )
}
"""The presets of the bidding game by their names."""

CUP_PRESETS: dict[str, CupRules] = {
    rules.name: rules
    for rules in (CLASSIC, BOX, ARMY_MESS, LIAR_CARDS, DOUBTFUL_DICE, MIA, LIAR_DIE)
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

"""What every option of both families is about: its values, default, meaning and clauses."""

from dataclasses import dataclass

from liarsolve.rules.bidding.rule_set import RuleSet, option_values
from liarsolve.rules.cup.rule_set import CupRules, cup_option_values

__all__ = ["OptionHelp", "explain_options"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionHelp:
    """One option of the rules, for people who want to change it.

    Examples
    --------
    >>> option = explain_options(RuleSet())[0]
    >>> option.option, option.default, option.meaning
    ('faces', '6', 'How many faces a die has.')
    """

    option: str
    family: str
    """``bidding`` or ``cup``."""
    values: str
    """The allowed values, in words."""
    default: str
    """The value in rules of one's own, `RuleSet()` or `CupRules()`."""
    value: str
    """The value in the rules that were asked about."""
    meaning: str
    """One plain sentence."""
    clauses: tuple[str, ...]
    """Clauses of the presets that it stands for, if they have any."""

    def to_dict(self) -> dict[str, object]:
        """Write the option for programs."""
        return {
            "option": self.option,
            "family": self.family,
            "values": self.values,
            "default": self.default,
            "value": self.value,
            "meaning": self.meaning,
            "clauses": self.clauses,
        }


_MATCH = {
    "next_starter": (
        "Who starts the next round: who challenged or called (challenger), who lost, who won, the "
        "next one to the left of who started (rotate), or who lost, but the caller after an exact "
        "call (caller_of_exact).",
        "CL.8 BX.5 DD.6 CL?2 LD.3 PE?5",
    ),
    "starter_if_out": (
        "Who starts if that player is out: the next one to the left, or the winner of the call.",
        "CL?3 BX?5 LD.3 PE?5",
    ),
    "extra_life": (
        "Who gets one more life, or die, after losing all: nobody, the first of the match, or "
        "everyone.",
        "CL.11 BX.1 CL?5",
    ),
    "end": (
        "Whether a match goes on until one player is left, until the first one is out, or for one "
        "round.",
        "CL.13 BX.1 DD.10 LD.1",
    ),
    "min_players": ("How many players a match takes at least.", "CL.1 CL?7 LD.1"),
}  # fmt: skip

_BIDDING = {
    "faces": ("How many faces a die has.", ""),
    "wild": (
        "Which face counts for bids on every other face too; top_face is the star of Bluff.",
        "PE.4 LD.4",
    ),
    "wild_until": (
        "Whether ones stay wild all round, until anybody bids them, or unless they open.",
        "LD.4 LD?2",
    ),
    "ones_slot": (
        "Where bids on the wild face stand in the order: as the lowest or highest face, n of them "
        "just after or before 2n of the others (the half rule), or nowhere.",
        "PE.3 LD?1",
    ),
    "open_ones": ("Whether the first bid of a round may be on ones.", "PE.2 LD?2"),
    "ones_entry": (
        "With ones_slot=after_2n, whether a bid on ones must be exactly half the quantity before "
        "it, rounded up, or may be more, or must be one more at least.",
        "PE.3b PE?1",
    ),
    "raise_rule": (
        "Which bids may follow: more dice of any face or as many of a higher one "
        "(count_or_face); any number of a higher face or more of the same (reset_quantity); more "
        "of the same face or as many of a higher one (strict); neither may fall (no_decrease); as "
        "strict, with the lowest face after the highest (face_wrap).",
        "PE.3a LD.2",
    ),
    "open_min": ("The fewest dice that the first bid may name; n is the number of players.", ""),
    "cap_bids": ("Whether a bid on more dice than are on the table is refused.", "PE?7"),
    "challenge_who": (
        "Who may challenge: the next player, or every player but the bidder.",
        "LD?3 PE?8",
    ),
    "exact_who": (
        "Who may say that a bid is exactly right: nobody, the next player, every player but the "
        "bidder, or only those who are not on turn.",
        "PE.6 PE?3",
    ),
    "exact_min_players": (
        "How many players it takes at least for an exact call.",
        "PE.6 PE?4",
    ),
    "palifico_face": (
        "Who may change the face after the first bid of a palifico round: players with one die, "
        "nobody, players who have had such a round, or everybody (none).",
        "PE.7 PE?2",
    ),
    "hand_bonus": (
        "Hands that count for more or fewer dice than they have: none, five in a row for nothing "
        "(straight_zero), five that match for one more (five_alike_plus_1), or 1 to k for k+1 of "
        "any face (stairs).",
        "",
    ),
    "dice": ("How many dice a player has at the start of a match.", "PE.1 LD.1"),
    "lives": (
        "How many lives a player has: with 0 dice are lost; with more, everybody always throws all "
        "dice, and lives are lost instead.",
        "",
    ),
    "loss": (
        "What a challenge costs: one die; as many as the count is away from the bid (difference); "
        "one that the winner gets (transfer); all dice (whole_round); or the winner puts one away "
        "(winner_discards).",
        "PE.5 LD.5",
    ),
    "exact_win": (
        "What a right exact call brings: one or two dice for the caller, the loss of one die for "
        "all others or for the bidder, or nothing.",
        "PE.6",
    ),
    "exact_fail": ("How many dice a wrong exact call costs.", "PE.6"),
    "gain_cap": (
        "The most dice that a player may have by gaining some; start stands for as many as at the "
        "start of the match.",
        "PE?4",
    ),
    "exact_bid_bonus": (
        "Whether all but the bidder lose one die where a challenged bid was exactly right.",
        "",
    ),
    "palifico": (
        "Whether a player who has lost the last die but one starts a palifico round, once a match "
        "and while three or more are left.",
        "PE.7 PE?6",
    ),
    **_MATCH,
}

_CUP = {
    "equipment": (
        "What lies under the cup: how many dice of how many faces, or cards.",
        "CL.1 LC.1",
    ),
    "ranking": ("Which hand beats which.", "CL.12 BX.10 DD?1 DD?8"),
    "claim_detail": (
        "How much of a hand a claim names: all of it (full), the kind and as many odd dice from "
        "the highest down as one likes (prefix), any odd dice (subset), the kind without odd dice "
        "(primary), its first group alone (lead), or no face (category).",
        "CL.4 BX.9 BX?2 DD?2",
    ),
    "nothing_claims": (
        "Whether a hand that makes nothing can be claimed: not at all, as a whole (named), or by "
        "its highest dice (prefix).",
        "CL.5 BX?9 DD?10",
    ),
    "truth": (
        "When a claim is true: if the hand is at least as high, if it is of that kind and no "
        "higher one (matches), or if what was named is among it (contains).",
        "CL.7 BX?1",
    ),
    "raise_rule": (
        "Which claims may follow: higher ones, the same one too, or in one kind only those where "
        "the first group rises and no other falls (componentwise).",
        "CL.9 BX.6 DD.9 DD?2",
    ),
    "min_rethrow": ("The fewest dice that a player throws who has accepted.", "DD?3"),
    "max_rethrow": ("The most dice that they may throw.", "CL.9 BX.6"),
    "rethrow_all": ("Whether they throw all dice again, as in Mia.", ""),
    "look": (
        "Whether a player who accepts sees the hand before throwing: always, never, or as they "
        "like.",
        "CL?4 BX?4",
    ),
    "blind_pass": (
        "Whether a player who accepts may pass the hand on unseen: never, only after a claim "
        "without odd dice, or always.",
        "BX.7 BX?4",
    ),
    "blind_claim": (
        "What a player claims who passes on unseen: something higher, or the same as well.",
        "BX.7",
    ),
    "announce_count": ("Whether the others learn how many dice were thrown.", "CL?8 DD?4"),
    "dislodge_prob": ("The chance that a throw knocks a kept die over.", "BX.11 BX?8"),
    "top_claim": (
        "What may be answered to the highest claim: only a challenge; also to accept and try for "
        "it in a few throws; to pay once or to look for double; or to claim it again.",
        "CL.10 BX.8 DD?7",
    ),
    "top_accept": (
        "How the highest hand is tried for: all dice first and then what does not fit "
        "(fresh_keep), what fits staying from the start (carry_keep), or all dice each time.",
        "CL?1",
    ),
    "top_throws": ("How many throws there are to make the highest hand.", "CL.10 CL?1"),
    "lives": ("How many lives, or stakes, a player has at the start.", "CL.1 BX.1 DD.1"),
    "penalty_liar": (
        "What a false claim costs: so much to the pool, so much to the challenger.",
        "CL.7 BX.5 DD.5",
    ),
    "penalty_doubter": (
        "What a wrong challenge costs: so much to the pool, so much to the other player.",
        "CL.7 BX.5 DD.5",
    ),
    "short_pay": ("Who is paid first by a player who has too little.", "DD?5"),
    **_MATCH,
}  # fmt: skip


def explain_options(rules: RuleSet | CupRules) -> tuple[OptionHelp, ...]:
    """Explain every option of the family that these rules belong to.

    >>> explain_options(RuleSet())[1].meaning[:43]
    'Which face counts for bids on every other f'
    """
    is_cup = isinstance(rules, CupRules)
    texts, values = (_CUP, cup_option_values()) if is_cup else (_BIDDING, option_values())
    plain = rules.to_dict()
    usual = (CupRules() if is_cup else RuleSet()).to_dict()
    return tuple(
        OptionHelp(
            option=option,
            family="cup" if is_cup else "bidding",
            values=values[option],
            default=str(usual[option]).lower(),
            value=str(plain[option]).lower(),
            meaning=texts[option][0],
            clauses=tuple(texts[option][1].split()),
        )
        for option in values
    )

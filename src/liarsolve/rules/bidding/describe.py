"""The rules of bidding in plain words, put together option by option."""

from collections.abc import Sequence

from liarsolve.dice.words import count_word
from liarsolve.rules.bidding.bid_order import biddable_faces
from liarsolve.rules.bidding.describe_match import match_sentences
from liarsolve.rules.bidding.options import (
    ChallengeWho,
    ExactWho,
    HandBonus,
    Loss,
    OnesEntry,
    OnesSlot,
    OpenMin,
    OpenOnes,
    Palifico,
    PalificoFace,
    RaiseRule,
    Wild,
    WildUntil,
)
from liarsolve.rules.bidding.rule_set import RuleSet
from liarsolve.rules.match_options import MatchEnd, NextStarter

__all__ = ["bidding_sentences", "face_name", "summarize_bidding_rules"]

_MOST_FACES_LISTED = 12
_FACE_NAMES = ("ones", "twos", "threes", "fours", "fives", "sixes")


def bidding_sentences(rules: RuleSet) -> tuple[str, ...]:
    """List the rules as one paragraph each, in the order in which play meets them.

    >>> bidding_sentences(RuleSet())[1]
    'No face is wild: a die counts only for the face it shows.'
    """
    return (
        f"Players roll their own dice in secret. The dice have faces 1 to {rules.faces}. A bid QxF "
        "claims that at least Q dice of all players together show face F: "
        "2x1 is two ones (PE.1).",
        _wild_sentence(rules),
        _opening_sentence(rules),
        _raise_sentence(rules),
        _cap_sentence(rules),
        _challenge_sentence(rules),
        _exact_sentence(rules),
        _palifico_sentence(rules),
        *match_sentences(rules),
    )


def summarize_bidding_rules(rules: RuleSet) -> str:
    """Tell the rules of bidding from others in one line.

    >>> from liarsolve.rules.presets import PERUDO
    >>> summarize_bidding_rules(PERUDO)
    'ones wild; quantity, then face; n ones just above 2n sixes; ones may not open; exact call'
    """
    ones = face_name(rules, rules.ones_face)
    wild = "no wild face" if rules.wild is Wild.NONE else f"{ones} wild"
    wild += {
        WildUntil.NEVER_LOCKED: "",
        WildUntil.ANY_ONES_BID: " until anybody bids them",
        WildUntil.OPENING_ONES: " unless they open",
    }[rules.wild_until]
    order = (
        "face, then quantity"
        if rules.raise_rule is RaiseRule.RESET_QUANTITY
        else ("quantity, then face")
    )
    others = [face for face in biddable_faces(rules) if face != rules.ones_face]
    low, high = face_name(rules, others[0]), face_name(rules, others[-1])
    parts = [wild, order]
    if rules.ones_slot is OnesSlot.FACE_HIGH:
        parts.append("ones rank highest")
    elif rules.ones_slot is OnesSlot.AFTER_2N:
        parts.append(f"n {ones} just above 2n {high}")
    elif rules.ones_slot is OnesSlot.BEFORE_2N:
        parts.append(f"n {ones} just below 2n {low}")
    elif rules.ones_slot is OnesSlot.FORBIDDEN:
        parts.append(f"no bids on {ones}")
    if rules.open_ones is OpenOnes.NO and rules.ones_slot is not OnesSlot.FORBIDDEN:
        parts.append(f"{ones} may not open")
    return "; ".join([*parts, *_summarize_match(rules)])


def _summarize_match(rules: RuleSet) -> list[str]:
    """Name what a match has that most have not."""
    others = " by anybody" if rules.exact_who is ExactWho.ANY_BUT_BIDDER else ""
    named = {
        "more ones after sixes": rules.raise_rule is RaiseRule.FACE_WRAP,
        "anybody may challenge": rules.challenge_who is ChallengeWho.ANY,
        f"exact call{others}": rules.exact_who is not ExactWho.OFF,
        "the difference is lost": rules.loss is Loss.DIFFERENCE,
        "the winner gets the die": rules.loss is Loss.TRANSFER,
        "winners put dice away": rules.loss is Loss.WINNER_DISCARDS,
        f"{count_word(rules.lives)} lives": rules.lives > 1,
        "the first bid goes round": rules.next_starter is NextStarter.ROTATE,
        "one round": rules.end is MatchEnd.SINGLE_ROUND,
    }
    return [words for words, applies in named.items() if applies]


def face_name(rules: RuleSet, face: int) -> str:
    """Name the dice that show a face, as players do.

    >>> face_name(RuleSet(faces=8), 6), face_name(RuleSet(faces=8), 8)
    ('sixes', '8s')
    """
    return _FACE_NAMES[face - 1] if face <= len(_FACE_NAMES) else f"{face}s"


def _list_faces(faces: Sequence[int]) -> str:
    """List faces from low to high, those in the middle left out if they are many.

    >>> _list_faces([2, 3, 4, 1]), _list_faces([*range(2, 21), 1])
    ('2, 3, 4, 1', '2, 3, ..., 19, 20, 1')
    """
    words = [str(face) for face in faces]
    if len(words) > _MOST_FACES_LISTED:
        words = [*words[:2], "...", *words[-3:]]
    return ", ".join(words)


def _wild_sentence(rules: RuleSet) -> str:
    if rules.wild is Wild.NONE:
        return "No face is wild: a die counts only for the face it shows."
    ones = face_name(rules, rules.ones_face)
    text = (
        f"{ones.capitalize()} are wild: they count for every bid on another face; "
        f"a bid on {ones} counts {ones} alone (PE.4)."
    )
    if rules.wild_until is WildUntil.ANY_ONES_BID:
        text += (
            " As soon as anybody has bid ones, they count only as ones for the rest of the "
            "round, also for later bids on other faces (LD.4)."
        )
    elif rules.wild_until is WildUntil.OPENING_ONES:
        text += (
            " If the opening bid is on ones, they count only as ones for the whole round, "
            "also for later bids on other faces (LD?2)."
        )
    return text


def _opening_sentence(rules: RuleSet) -> str:
    ones = face_name(rules, rules.ones_face)
    text = "The first player opens with a bid on any face"
    if rules.ones_slot is OnesSlot.FORBIDDEN:
        text += f" except {ones}, which may never be bid"
    elif rules.open_ones is OpenOnes.NO:
        text += f" except {ones} (PE.2)"
    least = {
        OpenMin.ONE: "",
        OpenMin.N_PLAYERS: ", on at least as many dice as there are players",
        OpenMin.ONE_AND_A_HALF_N: ", on at least one and a half times as many dice as there are "
        "players, rounded up",
    }[rules.open_min]
    return f"{text}{least}."


def _raise_sentence(rules: RuleSet) -> str:
    ones = face_name(rules, rules.ones_face)
    faces = list(biddable_faces(rules))
    if rules.has_half_rule:
        faces.remove(rules.ones_face)
    low, high = face_name(rules, faces[0]), face_name(rules, faces[-1])
    clause = "PE.3a" if rules.ones_slot is OnesSlot.AFTER_2N else "LD.2"
    how = {
        RaiseRule.COUNT_OR_FACE: "more dice of any face, or as many dice of a higher face "
        f"({clause})",
        RaiseRule.RESET_QUANTITY: "any number of dice of a higher face, or more dice of the same "
        "face",
        RaiseRule.STRICT: "more dice of the same face, or as many dice of a higher face",
        RaiseRule.NO_DECREASE: "more dice, or a higher face, or both; neither may fall",
        RaiseRule.FACE_WRAP: "more dice of the same face, or as many dice of a higher face, or, "
        f"after {high}, more dice of the lowest face, {low}",
    }[rules.raise_rule]
    text = f"Then players in turn raise: {how}. Faces rank {_list_faces(faces)}."
    if not rules.has_half_rule:
        return text
    text += f" {ones.capitalize()} stand apart, since they count double: "
    if rules.ones_slot is OnesSlot.BEFORE_2N:
        return text + (
            f"n {ones} are the bid just below 2n {low}. So {ones} must be more than half the "
            f"quantity of a bid on another face, and after {ones} another face needs at least "
            "double their quantity."
        )
    half, clause = {
        OnesEntry.AT_LEAST_HALF: ("at least", "PE.3b"),
        OnesEntry.EXACT_HALF: ("exactly", "PE?1"),
        OnesEntry.HALF_PLUS_ONE: ("at least one more than", "PE?1"),
    }[rules.ones_entry]
    after = "After" if rules.ones_entry is OnesEntry.HALF_PLUS_ONE else "So after"
    return text + (
        f"n {ones} are the bid just above 2n {high} and just below 2n+1 {low}. {after} a bid on "
        f"another face, {ones} must be {half} half its quantity, rounded up ({clause}); after "
        f"{ones}, more {ones}, or more than double their quantity of another face (PE.3c)."
    )


def _cap_sentence(rules: RuleSet) -> str:
    if rules.cap_bids:
        return "Nobody may bid more dice than are on the table (PE?7)."
    return "A bid may claim one die more than are on the table, though it is always false."


def _challenge_sentence(rules: RuleSet) -> str:
    who = {
        ChallengeWho.NEXT: "Instead of raising, the player on turn may challenge the standing bid",
        ChallengeWho.ANY: "Every player but the bidder may challenge the standing bid, also out "
        "of turn (LD?3)",
    }[rules.challenge_who]
    bonus = {
        HandBonus.NONE: "",
        HandBonus.STRAIGHT_ZERO: " A hand of five dice or more in a row counts nothing.",
        HandBonus.FIVE_ALIKE_PLUS_1: " A hand of five dice or more that all match counts one more.",
        HandBonus.STAIRS: " A hand 1 to k, such as 1,2,3, counts one more than its dice for any "
        "face.",
    }[rules.hand_bonus]
    return (
        f'{who} by saying "liar" (dudo). All dice are shown: if at least as many match as were '
        f"bid, the challenger loses, otherwise the bidder loses (PE.5).{bonus}"
    )


def _exact_sentence(rules: RuleSet) -> str:
    if rules.exact_who is ExactWho.OFF:
        return "There is no exact call."
    who = {
        ExactWho.NEXT: "The player on turn",
        ExactWho.ANY_BUT_BIDDER: "Every player but the bidder",
        ExactWho.OFF_TURN_ONLY: "Every player who is neither the bidder nor on turn",
    }[rules.exact_who]
    text = (
        f'{who} may say "exact" (calza). The caller wins if exactly as many dice match as were '
        "bid, otherwise they lose (PE.6)."
    )
    if rules.exact_min_players > 2:
        text += f" This needs at least {rules.exact_min_players} players."
    return text


def _palifico_sentence(rules: RuleSet) -> str:
    who = {
        PalificoFace.ONE_DIE_MAY_CHANGE: "only players with one die may change the face",
        PalificoFace.LOCKED_ALL: "nobody may change the face",
        PalificoFace.EX_PALIFICO_MAY_CHANGE: "only players who have had such a round of their own "
        "may change the face",
        PalificoFace.NONE: "everybody may change the face",
    }[rules.palifico_face]
    when = {
        Palifico.OFF: "In a palifico round, which a match by these rules does not have,",
        Palifico.FIRST_TIME: "A player who has come down to one die for the first time starts a "
        "palifico round, while three or more are left (PE?6). In it",
    }[rules.palifico]
    return (
        f"{when} no face is wild, the faces rank from 1 upwards, each may be bid and may open, and "
        f"there is no exact call; after the opening bid {who} (PE.7)."
    )

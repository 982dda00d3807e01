"""The rules of a cup game in plain words, put together option by option."""

from liarsolve.claims import Category, ClaimDetail, NothingClaims, Truth
from liarsolve.dice.words import count_word
from liarsolve.rules.cup.options import (
    BlindClaim,
    BlindPass,
    ClaimRaise,
    Look,
    ShortPay,
    TopAccept,
    TopClaim,
)
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.rules.match_options import ExtraLife, MatchEnd, NextStarter, StarterIfOut

__all__ = ["cup_sentences", "summarize_cup_rules"]

_CATEGORY_WORDS = {
    Category.NOTHING: "nothing",
    Category.SINGLES: "all different",
    Category.NUMBER: "so many dice of one face, by their sum",
    Category.PAIR: "pair",
    Category.TWO_PAIRS: "two pairs",
    Category.THREE: "three of a kind",
    Category.FULL: "full house",
    Category.FOUR: "four of a kind",
    Category.FIVE: "five of a kind",
}


def cup_sentences(rules: CupRules) -> tuple[str, ...]:
    """List the rules as one paragraph each, in the order in which play meets them.

    >>> from liarsolve.rules.presets import LIAR_DIE
    >>> cup_sentences(LIAR_DIE)[0]
    'One die with faces 1 to 6 lies hidden under one cup. The first player throws it and looks.'
    """
    return (
        _equipment_sentence(rules),
        _ranking_sentence(rules),
        _claim_sentence(rules),
        _answer_sentence(rules),
        _accept_sentence(rules),
        _blind_sentence(rules),
        _raise_sentence(rules),
        _top_sentence(rules),
        _penalty_sentence(rules),
        _starter_sentence(rules),
        _match_sentence(rules),
    )


def summarize_cup_rules(rules: CupRules) -> str:
    """Tell the rules of a cup game from others in one line.

    >>> from liarsolve.rules.presets import CLASSIC
    >>> summarize_cup_rules(CLASSIC)
    'cup, 5 dice; whole hands claimed; keep any; top may be tried for in 5 throws'
    """
    n_items, odd = rules.equipment.n_items, f"odd {_item(rules, 2)}"
    claims = {
        ClaimDetail.FULL: "whole hands claimed",
        ClaimDetail.PREFIX: f"{odd} named at will",
        ClaimDetail.SUBSET: f"any {odd} named, or none",
        ClaimDetail.PRIMARY: f"no {odd} named",
        ClaimDetail.LEAD: "first group claimed",
        ClaimDetail.CATEGORY: "categories claimed",
    }[rules.claim_detail]
    counts = rules.reroll_counts
    if rules.rethrow_all:
        throws = "all thrown each time"
    elif counts[0] == 0:
        throws = "keep any" if counts[-1] == n_items else f"throw up to {counts[-1]}"
    else:
        throws = f"throw {counts[0]} to {counts[-1]}"
    top = {
        TopClaim.MUST_CHALLENGE: "top must be challenged",
        TopClaim.ACCEPT_TRY: f"top may be tried for in {rules.top_throws} throws",
        TopClaim.CONCEDE_1_OR_LOOK_2: "top conceded, or challenged for double",
        TopClaim.MUST_REPEAT: "top may be repeated",
    }[rules.top_claim]
    parts = [f"cup, {n_items} {_item(rules, n_items)}", claims, throws]
    if rules.look is Look.OPTIONAL:
        parts.append("look or not")
    if rules.blind_pass is not BlindPass.OFF:
        parts.append("blind pass")
    parts.append(top)
    if rules.end is MatchEnd.FIRST_OUT_LOSES:
        parts.append("the first one out loses")
    return "; ".join(parts)


def _item(rules: CupRules, count: int) -> str:
    """Name the dice or cards of the game."""
    if rules.equipment.is_cards:
        return "card" if count == 1 else "cards"
    return "die" if count == 1 else "dice"


def _faces(rules: CupRules) -> str:
    letters = rules.ranking.face_names[: rules.equipment.n_faces]
    if letters:
        return ", ".join(letter.replace("T", "10") for letter in letters)
    return f"1 to {rules.equipment.n_faces}"


def _equipment_sentence(rules: CupRules) -> str:
    equipment = rules.equipment
    n_items = equipment.n_items
    number, item = count_word(n_items), _item(rules, n_items)
    if equipment.is_cards:
        return (
            f"{number.capitalize()} {item} are dealt to the first player, who looks at them, from "
            f"a pack of {equipment.n_cards}: {_faces(rules)} in "
            f"{count_word(equipment.n_suits or 0)} suits, which never count (LC.1, LC.3)."
        )
    verb, them = ("lies", "it") if n_items == 1 else ("lie", "all of them once")
    clause = "" if n_items == 1 else " (CL.3, BX.3, DD.2)"
    return (
        f"{number.capitalize()} {item} with faces {_faces(rules)} {verb} hidden under one cup. The "
        f"first player throws {them} and looks{clause}."
    )


def _ranking_sentence(rules: CupRules) -> str:
    ranking, equipment = rules.ranking, rules.equipment
    present = {ranking.category(hand) for hand in equipment.hands}
    if len(present) == 1 and equipment.n_items == 1:
        return "The higher face is the higher hand."
    words = dict(_CATEGORY_WORDS)
    for category, hand in ranking.special_hands:
        if category not in words:
            said = " ".join(_face_letter(rules, face) for face in ranking.say(hand))
            kind = "" if equipment.n_items == len(set(hand)) == 2 else "run "
            words[category] = f"{kind}{said}"
    order = ", ".join(words[c] for c in reversed(ranking.categories) if c in present)
    text = f"Hands rank, from high to low: {order}."
    if not ranking.has_boxes:
        text += (
            " Within a kind the most repeated face compares first, then the others from the "
            "highest down (CL.12, BX.10)."
        )
    return text


def _face_letter(rules: CupRules, face: int) -> str:
    letters = rules.ranking.face_names
    return letters[face - 1].replace("T", "10") if letters else str(face)


def _claim_sentence(rules: CupRules) -> str:
    item = _item(rules, 2)
    named = {
        ClaimDetail.FULL: "names the whole hand (CL.4)",
        ClaimDetail.PREFIX: f"names the {item} that make the kind, then as many of the odd {item} "
        "as one likes, from the highest down; of two claims that agree, the one that names more is "
        "higher (BX.9)",
        ClaimDetail.SUBSET: f"names the {item} that make the kind, and any odd ones (BX?2)",
        ClaimDetail.PRIMARY: f"names the {item} that make the kind, and no odd ones (BX?2)",
        ClaimDetail.LEAD: "names the kind and its first group, such as a full house of fours, and "
        "nothing else (DD?2)",
        ClaimDetail.CATEGORY: "names the kind alone, such as a pair (BX?2)",
    }[rules.claim_detail]
    if rules.equipment.n_items == 1:
        named = "names a face"
    goes = "the cards go" if rules.equipment.is_cards else "the cup goes"
    text = f"Then {goes} to the left with a claim, true or false, which {named}."
    if Category.NOTHING in {rules.ranking.category(hand) for hand in rules.equipment.hands}:
        text += {
            NothingClaims.NAMED: " A hand that makes nothing is claimed as a whole (BX.10).",
            NothingClaims.PREFIX: f" Of a hand that makes nothing, the highest {item} are named, "
            "as many as one likes (BX?9).",
            NothingClaims.FORBIDDEN: " A hand that makes nothing cannot be claimed (CL.5, DD?10).",
        }[rules.nothing_claims]
    return text


def _answer_sentence(rules: CupRules) -> str:
    truth = {
        Truth.AT_LEAST: "if the hand is at least as high as was claimed, the claim is true (CL.7)",
        Truth.MATCHES: "if the hand is of the kind that was claimed and agrees in everything that "
        "was named, the claim is true; a higher hand does not help (BX?1)",
        Truth.CONTAINS: "if what was named is among the hand, the claim is true (BX?1)",
    }[rules.truth]
    return (
        'Only the left neighbour answers: they challenge, saying "liar", or accept. After a '
        f"challenge the hand is shown; {truth}."
    )


def _accept_sentence(rules: CupRules) -> str:
    equipment, counts = rules.equipment, rules.reroll_counts
    throw = "draw" if equipment.is_cards else "throw"
    one = equipment.n_items == 1
    if rules.look is Look.NEVER:
        text = f"Players who accept do not look at what they were passed; they {throw} "
        text += "it again" if one else "all of it again"
        return f"{text}, and look at what comes."
    text = "Players who accept "
    if rules.look is Look.OPTIONAL:
        text += f"either {throw} everything again unseen (BX?4), or "
    text += "look at what they were passed, "
    if rules.rethrow_all:
        text += f"{throw} {'it' if one else 'all of it'} again"
    else:
        how_many = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])
        clause = "DD?3" if counts[0] > 0 else "CL.9, BX.6"
        text += f"keep what they like, and {throw} the rest again, once: "
        text += f"{how_many} {_item(rules, 2)} ({clause})"
        text += (
            "; they say how many, not which"
            if rules.announce_count
            else "; the others do not learn how many (DD?4)"
        )
    text += ". They look at what comes (BX?7)."
    if equipment.is_cards:
        text += " What they put away goes back into the pack before they draw (LC.2)."
    if rules.dislodge_prob > 0:
        text += (
            f" A throw knocks each kept die over with chance {rules.dislodge_prob}; it stays as it "
            "falls, and nobody says so (BX.11, BX?8)."
        )
    return text


def _blind_sentence(rules: CupRules) -> str:
    if rules.blind_pass is BlindPass.OFF:
        return "Nobody passes on a hand they have not seen."
    when = {
        BlindPass.ANY: "",
        BlindPass.ONLY_IF_BARE: ", if the accepted claim could have named odd dice and named none",
    }[rules.blind_pass]
    claim = {
        BlindClaim.HIGHER: "with a claim that may follow",
        BlindClaim.SAME: "with the same claim, or one that may follow",
    }[rules.blind_claim]
    return (
        f"Instead, players who accept may pass the hand on unseen{when}, {claim}; everybody sees "
        "that they have not looked (BX.7)."
    )


def _raise_sentence(rules: CupRules) -> str:
    return {
        ClaimRaise.HIGHER: "Then they claim in turn: strictly higher than the accepted claim, "
        "whatever they hold (CL.9, BX.6, DD.9).",
        ClaimRaise.EQUAL_OR_HIGHER: "Then they claim in turn: as high as the accepted claim, or "
        "higher, whatever they hold.",
        ClaimRaise.COMPONENTWISE: "Then they claim in turn: a higher kind; or, in the same kind, "
        "one where the first group is higher and no other is lower (DD?2).",
    }[rules.raise_rule]


def _top_sentence(rules: CupRules) -> str:
    top = f"The highest claim, {rules.format_claim(rules.claims[rules.top_claim_id])},"
    if rules.top_claim is TopClaim.MUST_CHALLENGE:
        return f"{top} must be challenged (BX.8, DD?7)."
    if rules.top_claim is TopClaim.MUST_REPEAT:
        return f"{top} may be accepted, but then has to be claimed again."
    if rules.top_claim is TopClaim.CONCEDE_1_OR_LOOK_2:
        return (
            f"{top} is not accepted: the neighbour pays once without looking, or challenges, and "
            "pays twice if it is true."
        )
    throws = "one throw" if rules.top_throws == 1 else f"{count_word(rules.top_throws)} throws"
    how = {
        TopAccept.FRESH_KEEP: "they throw everything, and then again what does not fit",
        TopAccept.CARRY_KEEP: "what fits among the dice they were passed stays from the start, and "
        "they throw the rest again and again",
        TopAccept.FRESH_ALL: "they throw everything each time",
    }[rules.top_accept]
    return (
        f"{top} may be challenged, or accepted: the neighbour then has {throws} to make it; {how} "
        "(CL?1). If they make it, the claimant loses; if not, they do (CL.10)."
    )


def _penalty_sentence(rules: CupRules) -> str:
    liar = _payment(rules, rules.penalty_liar, "the challenger")
    doubter = _payment(rules, rules.penalty_doubter, "the player they challenged")
    text = (
        f"A false claim costs its maker {liar}; a wrong challenge costs the challenger {doubter} "
    )
    text += "(CL.7, BX.5, DD.5)."
    if any(min(parts) > 0 for parts in (rules.penalty_liar, rules.penalty_doubter)):
        first = "the pool" if rules.short_pay is ShortPay.POOL_FIRST else "the other player"
        text += f" Who has too little pays {first} first (DD?5)."
    return text


def _payment(rules: CupRules, parts: tuple[int, int], other: str) -> str:
    to_pool, to_other = parts
    texts = [_chips(rules, to_pool) + " to the pool" * (to_other > 0)] if to_pool else []
    texts += [f"{_chips(rules, to_other)} to {other}"] if to_other else []
    return " and ".join(texts)


def _chips(rules: CupRules, count: int) -> str:
    """Say so many lives; they are stakes where players pay each other."""
    is_staked = rules.penalty_liar[1] + rules.penalty_doubter[1] > 0
    one, many = ("stake", "stakes") if is_staked else ("life", "lives")
    return f"{count_word(count)} {one if count == 1 else many}"


def _starter_sentence(rules: CupRules) -> str:
    starter = {
        NextStarter.CHALLENGER: "the player who answered the last claim, whoever has lost (CL.8, "
        "DD.6, CL?2)",
        NextStarter.LOSER: "the player who has lost (BX.5)",
        NextStarter.WINNER: "the player who has won",
        NextStarter.ROTATE: "the next player to the left of the one who started",
    }[rules.next_starter]
    if_out = {
        StarterIfOut.NEXT_LEFT: "the next player to their left",
        StarterIfOut.WINNER_OF_CALL: "the winner of the round",
    }[rules.starter_if_out]
    return (
        f"The next round is started by {starter}; if that player is out, by {if_out} (CL?3, BX?5)."
    )


def _match_sentence(rules: CupRules) -> str:
    text = (
        f"A game takes {count_word(rules.min_players)} players or more, who start with "
        f"{_chips(rules, rules.lives)} each; who has none left is out."
    )
    text += {
        ExtraLife.OFF: "",
        ExtraLife.FIRST_OUT: " The first player of the game to lose all gets one more (BX.1, "
        "CL.11).",
        ExtraLife.EVERYONE: " Every player who has lost all gets one more, once (CL?5).",
    }[rules.extra_life]
    return (
        text
        + {
            MatchEnd.LAST_STANDING: " The last player in wins (CL.13, BX.1, DD.10).",
            MatchEnd.FIRST_OUT_LOSES: " The first player to go out has lost the game.",
            MatchEnd.SINGLE_ROUND: " The game is one round, which its loser has lost.",
        }[rules.end]
    )

"""What rounds add up to, in plain words: what is lost, who starts, when a match is over."""

from liarsolve.dice.words import count_word
from liarsolve.rules.bidding.options import ExactWho, ExactWin, Loss
from liarsolve.rules.bidding.rule_set import RuleSet
from liarsolve.rules.match_options import ExtraLife, MatchEnd, NextStarter, StarterIfOut

__all__ = ["match_sentences"]


def match_sentences(rules: RuleSet) -> tuple[str, ...]:
    """List the rules of a match as one paragraph each.

    >>> from liarsolve.rules.presets import LIARS_DICE
    >>> match_sentences(LIARS_DICE)[1]
    'Whoever loses a challenge loses one die (PE.5, LD.5).'
    """
    sentences = [_start_sentence(rules), _loss_sentence(rules)]
    if rules.exact_who is not ExactWho.OFF:
        sentences.append(_exact_sentence(rules))
    return (*sentences, _starter_sentence(rules), _end_sentence(rules))


def _unit(rules: RuleSet, count: int) -> str:
    """Say so many dice, or lives."""
    one, many = ("life", "lives") if rules.lives else ("die", "dice")
    return f"{count_word(count)} {one if count == 1 else many}"


def _all(rules: RuleSet) -> str:
    return "lives" if rules.lives else "dice"


def _start_sentence(rules: RuleSet) -> str:
    dice = f"{count_word(rules.dice)} {'die' if rules.dice == 1 else 'dice'}"
    text = f"A match takes {count_word(rules.min_players)} players or more, with {dice} each"
    if rules.lives:
        return f"{text} in every round, and {_unit(rules, rules.lives)}."
    return f"{text} at the start."


def _loss_sentence(rules: RuleSet) -> str:
    one = _unit(rules, 1)
    text = {
        Loss.ONE: f"Whoever loses a challenge loses {one} (PE.5, LD.5).",
        Loss.DIFFERENCE: "Whoever loses a challenge loses as much as the count is away from the "
        f"bid, {one} at least.",
        Loss.TRANSFER: f"Whoever loses a challenge gives {one} to the winner.",
        Loss.WINNER_DISCARDS: "Whoever wins a challenge puts one die away.",
        Loss.WHOLE_ROUND: f"Whoever loses a challenge loses all {_all(rules)}.",
    }[rules.loss]
    if rules.exact_bid_bonus:
        text += f" If the challenged bid was exactly right, all but the bidder lose {one}."
    return text


def _exact_sentence(rules: RuleSet) -> str:
    limit = rules.gain_cap or rules.lives or rules.dice
    cap = f", up to {count_word(limit)}"
    to = " to the caller" if rules.loss is Loss.TRANSFER else ""
    verb = "give" if to else "lose"
    win = {
        ExactWin.GAIN_1: f"wins the caller {_unit(rules, 1)}{cap} (PE.6, PE?4)",
        ExactWin.GAIN_2: f"wins the caller {_unit(rules, 2)}{cap}",
        ExactWin.OTHERS_LOSE_1: f"makes all others {verb} {_unit(rules, 1)}{to}",
        ExactWin.BIDDER_LOSES_1: f"makes the bidder {verb} {_unit(rules, 1)}{to}",
        ExactWin.NOTHING: "brings nothing",
    }[rules.exact_win]
    return f"A right exact call {win}; a wrong one costs {_unit(rules, rules.exact_fail)} (PE.6)."


def _starter_sentence(rules: RuleSet) -> str:
    starter = {
        NextStarter.CHALLENGER: "the player who challenged or called",
        NextStarter.LOSER: "the player who has lost (LD.3)",
        NextStarter.WINNER: "the player who has won",
        NextStarter.ROTATE: "the next player to the left of the one who started",
        NextStarter.CALLER_OF_EXACT: "the player who has lost; after an exact call by its caller, "
        "right or wrong (PE?5)",
    }[rules.next_starter]
    if_out = {
        StarterIfOut.NEXT_LEFT: "the next player to their left",
        StarterIfOut.WINNER_OF_CALL: "the winner of the round",
    }[rules.starter_if_out]
    return f"The next round is started by {starter}; if that player is out, by {if_out}."


def _end_sentence(rules: RuleSet) -> str:
    one = _unit(rules, 1)
    text = {
        ExtraLife.OFF: f"Who has no {_all(rules)} left is out.",
        ExtraLife.FIRST_OUT: f"The first player of the match to lose all gets {one} more.",
        ExtraLife.EVERYONE: f"Every player who has lost all gets {one} more, once.",
    }[rules.extra_life]
    if rules.loss is Loss.WINNER_DISCARDS:
        text = "The first player without dice has won."
    end = {
        MatchEnd.LAST_STANDING: " The last player in wins (LD.1).",
        MatchEnd.FIRST_OUT_LOSES: " The first player to go out has lost the match.",
        MatchEnd.SINGLE_ROUND: " The match is one round, and who loses nothing in it wins.",
    }[rules.end]
    if rules.loss is Loss.WINNER_DISCARDS:
        end = (
            " The match is one round, and its winner wins."
            if (rules.end is MatchEnd.SINGLE_ROUND)
            else ""
        )
    return text + end

"""Advice on cup games in words that a player understands."""

import math
from typing import TYPE_CHECKING

from liarsolve.claims import Claim, spell_claim
from liarsolve.cli._page import print_text
from liarsolve.cli._progress import format_seconds
from liarsolve.cli.bidding.advice_words import describe_unlisted, join_mixture
from liarsolve.cli.cup.arguments import name_items
from liarsolve.cli.cup.layout import list_mixture, print_table
from liarsolve.cli.cup.solve import describe_stop
from liarsolve.odds import format_percent
from liarsolve.rules import CHALLENGE, Keep, Look, format_cup_action
from liarsolve.strategy.cup.analysis import best_reply, claims_after, weigh_offer
from liarsolve.strategy.cup.situation import CupSituation, Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from liarsolve.dice import Hand
    from liarsolve.odds import KeepOption
    from liarsolve.rules import CupAction, CupRules
    from liarsolve.strategy.cup.analysis import ClaimsAfter, WeighedOffer
    from liarsolve.strategy.cup.solution import CupSolution
    from liarsolve.strategy.cup.strategy import CupAdvice

_RARE = 0.001
"""Actions that come less often are not listed."""
_FEWEST_SHOWN = 3
_NOTABLE_GAIN = 0.01
_TAKES_ARTICLE = ("pair of", "full house", "low straight", "high straight", "straight", "wrapped")
_WEAK = 0.05
"""Width of a chance of winning from which on advice is called a guess."""


def show_cup_advice(
    solution: "CupSolution",
    situation: CupSituation,
    advice: "Sequence[CupAdvice]",
    *,
    show_all: bool,
    note: str | None,
) -> None:
    """Print the recommendation, the odds, the actions and what the answer rests on."""
    low, high = solution.strategy.win_bounds(situation)
    if high - low > _WEAK:
        print_text(
            "This is a first guess: the solver has not come far in the time it had (see below). "
            "Give it more with --max-seconds, or load a solved strategy."
        )
    print_text(recommend(situation, [(a.action, a.probability) for a in advice]))
    if situation.question is Question.ANSWER:
        for sentence in _weigh_offer(solution, situation, advice):
            print_text(sentence)
    show_played(
        [
            (format_cup_action(a.action, situation.rules), a.probability, a.win_probability)
            for a in advice
        ],
        "you win",
        show_all=show_all,
    )
    best = advice[0].action
    if isinstance(best, Keep):
        _show_claims_after(claims_after(solution.strategy, situation, best), situation)
    if note is not None:
        print_text(f"{note[0].upper()}{note[1:]}.")
    print_text(_basis(solution, situation, low, high))


def show_played(
    actions: "Sequence[tuple[str, float, float]]", heading: str, *, show_all: bool
) -> None:
    """Print the actions that are played, or all, and how many were left out.

    Parameters
    ----------
    actions
        Each with how often it is played and its chance of winning or losing the round, the most
        played first.
    heading
        What the chance is about, such as "you win".
    show_all
        Whether to list those that are hardly ever played.
    """
    shown = [
        (action, f"{100 * probability:.1f} %", f"{100 * chance:.1f} %")
        for k, (action, probability, chance) in enumerate(actions)
        if show_all or probability >= _RARE or k < _FEWEST_SHOWN
    ]
    print_table(("action", "how often", heading), shown, right=(False, True, True))
    if len(shown) < len(actions):
        print_text(describe_unlisted(len(actions) - len(shown)))


def _spell(claim: "Claim", rules: "CupRules") -> str:
    """Say a claim in words and in its short form, if that is another."""
    words, short = spell_claim(claim, rules.claims), rules.format_claim(claim)
    return words if words == short else f"{words} ({short})"


def _name_claim(claim: "Claim", rules: "CupRules") -> str:
    """Say a claim within a sentence, with an article where English wants one."""
    words = _spell(claim, rules)
    return f"a {words}" if words.startswith(_TAKES_ARTICLE) else words


def recommend(situation: CupSituation, actions: "Sequence[tuple[CupAction, float]]") -> str:
    """Say what to do, given actions with their probabilities, the most played first."""
    rules = situation.rules
    what = join_mixture([(_describe_action(action, rules), p) for action, p in actions])
    holding = "" if situation.hand is None else situation.write(situation.hand)
    match situation.question:
        case Question.OPENING:
            return f"You threw {holding} and open the round: {what}."
        case Question.KEEP:
            assert situation.claim is not None
            return f"You accepted {_name_claim(situation.claim, rules)} and see {holding}: {what}."
        case Question.CLAIM:
            assert situation.claim is not None
            must = f"must claim more than {situation.write(situation.claim)}"
            return f"You hold {holding} and {must}: {what}."
        case Question.ANSWER:
            assert situation.offered is not None
            return f"You are offered {_name_claim(situation.offered, rules)}: {what}."


def _describe_action(action: "CupAction", rules: "CupRules") -> str:
    if action is CHALLENGE:
        return "challenge"
    if isinstance(action, Keep):
        n_thrown = rules.equipment.n_items - len(action.faces)
        if n_thrown == 0:
            return f"keep all {name_items(rules)}"
        verb = "draw" if rules.equipment.is_cards else "throw"
        if not action.faces:
            return f"keep nothing and {verb} all {n_thrown}"
        return f"keep {rules.format_hand(action.faces)} and {verb} {n_thrown}"
    words = format_cup_action(action, rules)
    return f"claim {words}" if isinstance(action, Claim) else words


def _weigh_offer(
    solution: "CupSolution", situation: CupSituation, advice: "Sequence[CupAdvice]"
) -> "list[str]":
    """Say how likely the claim is that is offered, and how it was judged."""
    rules, offered = situation.rules, situation.offered
    assert offered is not None
    sentences = []
    if situation.is_assumed:
        assert situation.claim is not None
        assert situation.passed is not None
        sentences.append(
            f"Taken that {situation.write(situation.claim)} had been accepted, the highest claim "
            f"that {situation.write(situation.passed)} made true; say --claim if it was another."
        )
    offer = weigh_offer(solution.strategy, situation)
    words = describe_offer(offer, situation)
    if offer.is_made:
        return [*sentences, words]
    sentences.append(f"{words} Your answer is one that gives them no reason to.")
    reply = best_reply(advice)
    if reply.gain > _NOTABLE_GAIN:
        sentences.append(
            f"If you are sure that they know no better, to {_describe_action(reply.action, rules)} "
            f"wins {100 * reply.gain:.1f} % more."
        )
    return sentences


def describe_offer(offer: "WeighedOffer", situation: CupSituation) -> str:
    """Say how likely the claim is that is offered, and how it was judged."""
    odds, p_true = _describe_odds(offer.odds, situation), format_percent(offer.p_true)
    if not offer.is_made:
        return (
            f"{odds} By the strategy the other player would not claim it here, so the "
            f"{name_items(situation.rules)} are taken as they fall if they do: it is true with "
            f"{p_true} %."
        )
    return (
        f"{odds} It is true with {p_true} % when it is claimed, if the other player goes by the "
        "strategy."
    )


def _describe_odds(odds: "KeepOption", situation: CupSituation) -> str:
    """Say how often the claim is made by the dice, whatever the other player wants."""
    rules, percent = situation.rules, format_percent(float(odds.prob))
    verb = "draw" if rules.equipment.is_cards else "throw"
    if situation.passed is None or rules.look is Look.NEVER:
        where = f"in the first {verb}" if situation.claim is None else f"in one {verb}"
        return f"It comes {where} with {percent} %."
    return (
        f"Tried for in the best way it comes of {situation.write(situation.passed)} with "
        f"{percent} %, {verb}ing {odds.n_thrown}."
    )


def _show_claims_after(after: "ClaimsAfter", situation: CupSituation) -> None:
    """Print what to claim after what comes out of the dice that are kept."""
    rules, rows = situation.rules, []
    for row in after.rows:
        mixture = {format_cup_action(action, rules): p for action, p in row.probs.items()}
        chance = f"{format_percent(row.prob)} %"
        rows.append((rules.format_hand(row.hand), chance, list_mixture(mixture)))
    print_table(("you then see", "chance", "claim"), rows, right=(True, True, False))
    if after.n_other:
        print_text(
            f"{after.n_other} other hands come with {format_percent(after.other_prob)} % together; "
            f"once you see one, ask with --passed {situation.write(situation.hand or ())}"
            f"{f' --thrown {after.n_thrown}' if rules.announce_count else ''}."
        )


def describe_known(situation: CupSituation) -> dict[str, object]:
    """What the player knows, as plain values for JSON."""

    def write(thing: "Claim | Hand | None") -> str | None:
        return None if thing is None else situation.write(thing)

    return {
        "holding": write(situation.hand),
        "claim": write(situation.claim),
        "passed": write(situation.passed),
        "thrown": situation.thrown,
        "offered": write(situation.offered),
    }


def _basis(solution: "CupSolution", situation: CupSituation, low: float, high: float) -> str:
    bounds = _percent_bounds(low, high)
    match situation.question:
        case Question.OPENING:
            words = (
                f"With perfect play on both sides whoever throws first wins {bounds} % of rounds"
            )
        case Question.KEEP:
            words = f"With perfect play on both sides you win {bounds} % of rounds from here"
        case Question.CLAIM:
            words = f"Before your throw, perfect play on both sides gave you {bounds} %"
        case Question.ANSWER:
            words = f"Before that throw, perfect play on both sides gave you {bounds} %"
    result = solution.result
    what = "the whole round"
    if result.last_claim > 0:
        what = f"all that can follow {situation.write(situation.rules.claims[result.last_claim])}"
    return (
        f"{words}; this is proved by solving {what}, which took {format_seconds(result.seconds)}: "
        f"{describe_stop(solution)}."
    )


def _percent_bounds(low: float, high: float) -> str:
    """Write bounds in percent with at most two decimals, rounded outward.

    >>> _percent_bounds(0.12345, 0.12346), _percent_bounds(0.25, 0.25)
    ('12.34 to 12.35', '25.00')
    """
    least = math.floor(1e4 * low + 1e-6) / 100
    most = math.ceil(1e4 * high - 1e-6) / 100
    return f"{least:.2f}" if least == most else f"{least:.2f} to {most:.2f}"

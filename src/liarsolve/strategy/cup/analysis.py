"""What an answer of the strategy of a cup game says about a situation, beside what to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from liarsolve.dice import Hand
from liarsolve.odds import KeepOption, keep_options, p_claim
from liarsolve.rules import Keep, Look
from liarsolve.rules.cup.actions import CupAction
from liarsolve.strategy.cup.first_turns import CupFirstTurns
from liarsolve.strategy.cup.situation import CupSituation
from liarsolve.strategy.cup.strategy import CupAdvice, CupStrategy
from liarsolve.strategy.cup.table_strategy import CupTableStrategy

__all__ = [
    "BestReply",
    "ClaimsAfter",
    "ThrowRow",
    "WeighedOffer",
    "best_reply",
    "claims_after",
    "odds_of_offer",
    "weigh_offer",
]

_MOST_THROWS = 10


@dataclass(frozen=True, slots=True)
class WeighedOffer:
    """How likely a claim is that is offered."""

    odds: KeepOption
    """How often it comes by the dice alone; see `odds_of_offer`."""
    p_true: float
    """Chance that it is true if the other player goes by the strategy, or where the strategy would
    not make it, by the dice as they fall."""
    is_made: bool
    """Whether the strategy makes it here at all."""


@dataclass(frozen=True, slots=True)
class BestReply:
    """The action that is worth most against the dice as `CupStrategy.advise` takes them."""

    action: CupAction
    gain: float
    """Chance of winning that it has more than the mixture that the strategy plays."""


@dataclass(frozen=True, slots=True)
class ThrowRow:
    """One hand that may come out of a throw."""

    hand: Hand
    prob: float
    """How often it comes."""
    probs: Mapping[CupAction, float]
    """How often each claim is made with it."""


@dataclass(frozen=True, slots=True)
class ClaimsAfter:
    """What to claim after a throw."""

    n_thrown: int
    rows: tuple[ThrowRow, ...]
    """The hands that come most often, up to ten, the most frequent first."""
    n_other: int
    """Hands that may come and are not listed."""
    other_prob: float
    """How often one of those comes."""


def odds_of_offer(situation: CupSituation) -> KeepOption:
    """How often the dice make the claim offered, tried for in the best way that the rules allow.

    Nothing is kept in a first throw, and where all is thrown again unseen.

    Examples
    --------
    >>> from liarsolve import presets, read_situation
    >>> odds_of_offer(read_situation(presets.MIA, offered="64", claim="52"))
    KeepOption(kept=(), n_thrown=2, prob=0.3333333333333333)
    """
    rules, offered = situation.rules, situation.offered
    assert offered is not None
    name = rules.format_claim(offered)
    if situation.passed is None or rules.look is Look.NEVER:
        chance = p_claim(name, rules.claims, truth=rules.truth)
        return KeepOption((), rules.equipment.n_items, chance)
    counts = rules.reroll_counts if situation.thrown is None else (situation.thrown,)
    return keep_options(
        situation.passed,
        rules.claims,
        name,
        truth=rules.truth,
        min_thrown=min(counts),
        max_thrown=max(counts),
    )[0]


def weigh_offer(
    strategy: CupStrategy | CupTableStrategy | CupFirstTurns, situation: CupSituation
) -> WeighedOffer:
    """How likely the claim is that is offered, by the dice alone and by the strategy.

    Examples
    --------
    >>> from liarsolve import presets, read_situation, solve
    >>> strategy = solve(presets.LIAR_DIE).strategy
    >>> offer = weigh_offer(strategy, read_situation(presets.LIAR_DIE, offered="5"))
    >>> round(offer.odds.prob, 3), round(offer.p_true, 3), offer.is_made
    (0.333, 0.833, True)
    """
    return WeighedOffer(
        odds=odds_of_offer(situation),
        p_true=strategy.p_true(situation),
        is_made=strategy.offer_frequency(situation) > 0.0,
    )


def best_reply(advice: Sequence[CupAdvice]) -> BestReply:
    """The action that is worth most, and what it is worth more than the strategy's mixture.

    Examples
    --------
    >>> from liarsolve.rules import CHALLENGE, CupMove
    >>> reply = best_reply([CupAdvice(CHALLENGE, 0.75, 0.5), CupAdvice(CupMove.ACCEPT, 0.25, 0.7)])
    >>> str(reply.action), round(reply.gain, 3)
    ('accept', 0.15)
    """
    best = max(advice, key=lambda a: a.win_probability)
    mixture = sum(a.probability * a.win_probability for a in advice)
    return BestReply(best.action, best.win_probability - mixture)


def claims_after(strategy: CupStrategy, situation: CupSituation, keep: Keep) -> ClaimsAfter:
    """What to claim after what comes out of the dice that are kept of the hand seen.

    Examples
    --------
    >>> from liarsolve import presets, read_situation, solve
    >>> rules = presets.CLASSIC.replace(equipment="dice(2,3)", nothing_claims="named")
    >>> known = read_situation(rules, hand="JT", claim="T9")
    >>> after = claims_after(solve(rules).strategy, known, Keep((3,)))
    >>> [(rules.format_hand(row.hand), round(row.prob, 3)) for row in after.rows]
    [('JJ', 0.333), ('JT', 0.333), ('J9', 0.333)]
    """
    rules, game = situation.rules, strategy.policy.game
    n_thrown = rules.equipment.n_items - len(keep.faces)
    distribution = game.distributions[game.keeps.index(keep.faces)]
    order = sorted(
        distribution,
        key=lambda hand_id: (distribution[hand_id], rules.ranking.key(game.hands[hand_id])),
        reverse=True,
    )
    rows = []
    for hand_id in order[:_MOST_THROWS]:
        probs = strategy.probs(
            hand=game.hands[hand_id],
            claim=situation.claim,
            passed=situation.hand,
            thrown=n_thrown if rules.announce_count else None,
        )
        rows.append(ThrowRow(game.hands[hand_id], float(distribution[hand_id]), probs))
    others = order[_MOST_THROWS:]
    other_prob = float(sum(distribution[hand_id] for hand_id in others))
    return ClaimsAfter(n_thrown, tuple(rows), len(others), other_prob)

"""What an answer of a strategy says about a position, beside what to do."""

from collections.abc import Sequence

from liarsolve.game import Payoffs
from liarsolve.rules import CHALLENGE
from liarsolve.strategy.bidding.situation import BiddingSituation
from liarsolve.strategy.bidding.strategy import Advice

__all__ = ["gain_by_best_reply", "p_true_after_bids"]


def p_true_after_bids(
    advice: Sequence[Advice], payoffs: Payoffs, situation: BiddingSituation
) -> float | None:
    """Chance that the standing bid is true if the other players bid by their strategies.

    It is what the value of a challenge says; None where there is nothing to challenge.

    Examples
    --------
    >>> from liarsolve import presets, read_situation, solve
    >>> rules = presets.COMMON.replace(faces=2)
    >>> solution = solve(rules, dice=(1, 1), target=1e-6)
    >>> known = read_situation(rules, hand="1", dice=(1, 1), history=["2x1"])
    >>> known.p_true()
    0.5
    >>> 0.0 <= p_true_after_bids(solution.advise(known), solution.result.payoffs, known) <= 1.0
    True
    """
    player = situation.player
    values = [a.expected_value for a in advice if a.action is CHALLENGE]
    if_false, if_true = payoffs.table(situation.round.n_players)[:2, player, player].tolist()
    if not values or if_false == if_true:
        return None
    return float(min(max((if_false - values[0]) / (if_false - if_true), 0.0), 1.0))


def gain_by_best_reply(advice: Sequence[Advice]) -> float:
    """What the best action is worth more than the mixture that the strategy plays.

    Examples
    --------
    >>> from liarsolve.rules import Bid
    >>> gain_by_best_reply([Advice(Bid(1, 2), 0.75, 0.5), Advice(Bid(1, 3), 0.25, 0.1)])
    0.09999999999999998
    """
    mixture = sum(a.probability * a.expected_value for a in advice)
    return max(a.expected_value for a in advice) - mixture

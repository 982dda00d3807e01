"""Odds and values of a decision in a round of bidding, in lines."""

from collections.abc import Sequence

from liarsolve.odds import format_percent
from liarsolve.play._values import Values
from liarsolve.play.bidding.turn import Turn
from liarsolve.rules import CHALLENGE, Action, Bid, PublicState
from liarsolve.strategy import BiddingSituation, BiddingSolution, p_true_after_bids

__all__ = ["bidding_odds", "bidding_values", "bidding_why"]

_MOST_SEEN = 2.0
"""No margin is wider than what can be won and lost."""
_SURE = 2.0
"""Standard errors that a difference of estimated values must exceed."""


def bidding_odds(turn: Turn, listed: Sequence[Action]) -> list[str]:
    """The odds of the standing bid and of those around it, by the player's own dice."""
    lines = ["By your dice, if all others are random:"]
    if turn.standing_bid is not None:
        true, exact = format_percent(turn.p_true()), format_percent(turn.p_exact())
        lines.append(f"{turn.standing_bid}, which stands: true {true} %, exact {exact} %.")
    bids = [action for action in listed if isinstance(action, Bid)]
    return lines + [f"{bid}: true {format_percent(turn.p_true(bid))} %." for bid in bids]


def bidding_values(solution: BiddingSolution, turn: Turn) -> Values:
    """What a solved round says about a turn of it.

    To play otherwise at one place only gains its difference as often as the place comes up, and no
    more than `nash_conv` in all. So ``nash_conv`` over that chance bounds what can be wrong.
    """
    situation = BiddingSituation(turn.round, PublicState(turn.bids), turn.hand)
    strategy, advice = solution.strategy, solution.advise(situation)
    standing = strategy.standing(situation)
    graph = strategy.tree.every_raise.graph
    reach = standing.own_reach * standing.rival_reach
    reach *= float(graph.hand_probs[standing.place.player][standing.hand_id])
    margin = None
    if solution.nash_conv is not None and reach > 0.0 and standing.is_learned:
        error = max(a.standard_error for a in advice)
        margin = min(solution.nash_conv / reach + _SURE * error, _MOST_SEEN)
    return Values(
        options=tuple((a.action, a.probability, a.expected_value) for a in advice),
        margin=margin,
        exploitability=solution.exploitability,
        p_true=p_true_after_bids(advice, solution.result.payoffs, situation),
    )


def bidding_why(solution: BiddingSolution, turn: Turn, action: Action) -> str:
    """Say in one sentence what speaks for or against an action."""
    if not isinstance(action, Bid):
        p = turn.p_true() if action is CHALLENGE else turn.p_exact()
        what = "true" if action is CHALLENGE else "exactly right"
        return f"{turn.standing_bid} is {what} with {format_percent(p)} % by your dice."
    odds = f"{action} is true with {format_percent(turn.p_true(action))} % by your dice"
    reply, share = _likeliest_reply(solution, turn, action)
    return f"{odds}, and the likeliest reply is {reply} ({format_percent(share)} %)."


def _likeliest_reply(solution: BiddingSolution, turn: Turn, bid: Bid) -> tuple[Action, float]:
    """What the next player does most often after a bid, by the strategy."""
    strategy = solution.strategy
    graph, place = strategy.tree.every_raise.graph, strategy.start()
    reach = [probs.copy() for probs in graph.hand_probs]
    for made in (*turn.bids, bid):
        k = graph.actions(place.node).index(made)
        if made is not bid:
            reach[place.player] *= strategy.policy(place)[k]
        place = strategy.after(place, k)
    belief = reach[place.player]
    belief = belief / belief.sum() if belief.sum() > 0.0 else graph.hand_probs[place.player]
    shares = strategy.policy(place) @ belief
    k = int(shares.argmax())
    return graph.actions(place.node)[k], float(shares[k])

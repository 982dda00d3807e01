"""Every way in which a round of bidding between two players may end."""

from collections.abc import Iterator

from liarsolve.errors import IllegalActionError
from liarsolve.rules.bidding.actions import Bid
from liarsolve.rules.bidding.match import BiddingMatch, BiddingScore
from liarsolve.rules.bidding.options import Loss
from liarsolve.rules.bidding.round import Outcome, OutcomeKind, Round
from liarsolve.rules.calls import EXACT

_IS_CALLER_RIGHT = {
    OutcomeKind.BIDDER_LOSES: True,
    OutcomeKind.CHALLENGER_LOSES: False,
    OutcomeKind.EXACT_RIGHT: True,
    OutcomeKind.EXACT_WRONG: False,
}


def bidding_outcomes(
    match: BiddingMatch, score: BiddingScore
) -> Iterator[tuple[str, int, bool, tuple[Outcome, ...]]]:
    """Give every ending of the next round, and the outcomes that it may be.

    Yields
    ------
    kind : str
        How the round ended, as in `OutcomeKind`.
    caller : int
        Who called, 0 for the first bidder.
    is_won : bool
        Whether the first bidder has won the round.
    outcomes : tuple of Outcome
        More than one where it matters by how much a bid was wrong.
    """
    table = match.round(score)
    kinds = [OutcomeKind.BIDDER_LOSES, OutcomeKind.CHALLENGER_LOSES]
    if _has_exact_call(table):
        kinds += [OutcomeKind.EXACT_RIGHT, OutcomeKind.EXACT_WRONG]
    for kind in kinds:
        for caller in range(2):
            is_won = _IS_CALLER_RIGHT[kind] == (caller == 0)
            gaps = _gaps(match, table, kind)
            yield kind.value, caller, is_won, tuple(_outcome(kind, caller, gap) for gap in gaps)


def _has_exact_call(table: Round) -> bool:
    """Whether the player on turn may call exact."""
    start = table.initial_state()
    opening = next(bid for bid in table.bids if table.illegal_reason(start, bid) is None)
    try:
        table.next_state(table.next_state(start, opening), EXACT)
    except IllegalActionError:
        return False
    return True


def _gaps(match: BiddingMatch, table: Round, kind: OutcomeKind) -> range:
    """By how much a bid may have been wrong, or true with some to spare, where that counts."""
    most = table.max_quantity
    if kind is OutcomeKind.BIDDER_LOSES:
        return range(1, most + 1 if match.rules.loss is Loss.DIFFERENCE else 2)
    if kind is OutcomeKind.CHALLENGER_LOSES:
        counts = match.rules.loss is Loss.DIFFERENCE or match.rules.exact_bid_bonus
        return range(most if counts else 1)
    return range(1)


def _outcome(kind: OutcomeKind, caller: int, gap: int) -> Outcome:
    bidder = 1 - caller
    is_right = _IS_CALLER_RIGHT[kind]
    return Outcome(
        kind=kind,
        count=1 if kind is OutcomeKind.BIDDER_LOSES else 1 + gap,
        bid=Bid(1 + gap if kind is OutcomeKind.BIDDER_LOSES else 1, 1),
        bidder=bidder,
        caller=caller,
        loser=bidder if is_right else caller,
        winner=caller if is_right else bidder,
    )

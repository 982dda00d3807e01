"""Every way in which a round of a cup game between two players may end."""

from collections.abc import Iterator

from liarsolve.rules.cup.match import CupMatch, CupScore
from liarsolve.rules.cup.options import TopClaim
from liarsolve.rules.cup.state import CupOutcome, CupOutcomeKind


def cup_outcomes(
    match: CupMatch, score: CupScore
) -> Iterator[tuple[str, int, bool, tuple[CupOutcome, ...]]]:
    """Give every ending of the next round, and the outcome that it is.

    Yields
    ------
    kind : str
        How the round ended, as in `CupOutcomeKind`.
    challenger : int
        Who answered the claim, 0 for the first player.
    is_won : bool
        Whether the first player has won the round.
    outcomes : tuple of CupOutcome
        One outcome: all claims and hands cost the same.
    """
    table = match.round(score)
    kinds = [CupOutcomeKind.CLAIMANT_LOSES, CupOutcomeKind.CHALLENGER_LOSES]
    if match.rules.top_claim is TopClaim.ACCEPT_TRY:
        kinds += [CupOutcomeKind.TOP_MADE, CupOutcomeKind.TOP_MISSED]
    claim, hand = match.rules.claims[0], match.rules.equipment.hands[0]
    for kind in kinds:
        for challenger in range(2):
            outcome = table.settle(kind, claim=claim, hand=hand, claimant=1 - challenger)
            yield kind.value, challenger, outcome.winner == 0, (outcome,)

"""Odds and values of a decision in a cup game, in lines."""

from collections.abc import Sequence

from liarsolve.claims import Claim
from liarsolve.odds import format_percent
from liarsolve.play._values import Values
from liarsolve.play.cup.players import situation_items
from liarsolve.play.cup.turn import CupTurn
from liarsolve.rules import CHALLENGE, CupAction, CupMove, CupPhase, Keep
from liarsolve.strategy import CupSolution
from liarsolve.strategy.cup.situation import situation_from

__all__ = ["cup_odds", "cup_values", "cup_why"]


def cup_odds(turn: CupTurn, listed: Sequence[CupAction]) -> list[str]:
    """The odds of the claim to be answered, or of what may be kept."""
    if turn.phase is CupPhase.ANSWER:
        p = format_percent(turn.p_true())
        return [f"The claim is true with {p} %, if the dice that fit it best were kept."]
    if turn.phase is CupPhase.KEEP:
        keeps = [action for action in listed if isinstance(action, Keep)]
        return [
            "Chance that a claim that may follow will be true:",
            *(
                f"keep {turn.rules.format_hand(keep.faces) or 'none'}: "
                f"{format_percent(turn.p_reach(keep.faces))} %."
                for keep in keeps
            ),
        ]
    if turn.hand is None:
        return ["There are no odds for what you have not seen."]
    n_true = sum(isinstance(a, Claim) and turn.is_true(a) for a in turn.actions)
    return [f"Of the {len(turn.actions)} claims that may be made {n_true} are true of your hand."]


def cup_values(solution: CupSolution, turn: CupTurn) -> Values | None:
    """What a solved round says about a turn; None where a player only looks or not."""
    if turn.phase is CupPhase.LOOK:
        return None
    strategy = solution.strategy
    known = situation_from(solution.rules, None, **dict(situation_items(turn, solution.rules)))
    advice = strategy.advise(known)
    low, high = strategy.win_bounds(known)
    return Values(
        options=tuple((a.action, a.probability, a.expected_value) for a in advice),
        margin=max(2.0 * (high - low), solution.nash_conv),
        exploitability=solution.exploitability,
        p_true=strategy.p_true(known) if turn.phase is CupPhase.ANSWER else None,
    )


def cup_why(solution: CupSolution, turn: CupTurn, action: CupAction) -> str:
    """Say in one sentence what speaks for or against an action."""
    match action:
        case Claim() if turn.hand is not None:
            word = "true" if turn.is_true(action) else "false"
            return f"{turn.rules.format_claim(action)} would be {word} of your hand."
        case Keep():
            p = format_percent(turn.p_reach(action.faces))
            return f"Some claim that may follow comes true with {p} % then."
        case _ if action in (CHALLENGE, CupMove.ACCEPT, CupMove.CONCEDE):
            values = cup_values(solution, turn)
            if values is not None and values.p_true is not None:
                p = format_percent(values.p_true)
                return f"By the strategy the claim is true with {p} %."
    return "It is a move without odds."

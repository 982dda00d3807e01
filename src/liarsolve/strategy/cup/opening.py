"""How the strategy of a cup game opens a round: what is claimed with which hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from liarsolve._typing import F8
from liarsolve.claims import Claim
from liarsolve.dice import Hand
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.solvers.cup.policy import OPENING
from liarsolve.solvers.cup.stages import Side
from liarsolve.strategy.cup.solution import CupSolution
from liarsolve.strategy.cup.table_strategy import CupTableStrategy

__all__ = ["CupOpening", "CupOpeningRow", "tabulate_cup_opening"]

_MOST_HANDS = 21
"""As many hands as two dice of six faces have; of more, `_FEW_HANDS` are listed."""
_FEW_HANDS = 12


@dataclass(frozen=True, slots=True)
class CupOpeningRow:
    """One hand that the first player may throw."""

    hand: Hand
    probs: Mapping[Claim, float]
    """How often each claim opens the round."""
    win_probability: float | None
    """Chance of winning the round with this hand; None with three or more players, of whom one
    loses and none wins."""
    loss_probability: float
    """Chance of losing it."""


@dataclass(frozen=True, slots=True)
class CupOpening:
    """How the first player opens."""

    rows: tuple[CupOpeningRow, ...]
    """Hands from low to high: all, or of two players some if they are many."""
    n_hands: int
    """Hands that may be thrown, listed or not."""
    probs: Mapping[Claim, float]
    """How often each claim opens the round, over all hands."""
    win_probability: float | None
    """The first player's chance of winning the round; None with three or more players."""
    loss_probability: float
    """The first player's chance of losing it."""


def tabulate_cup_opening(solution: CupSolution | CupTableStrategy) -> CupOpening:
    """Tabulate what the first player claims with what they throw, and what the hands are worth.

    Parameters
    ----------
    solution : CupSolution or CupTableStrategy
        A solution for two players; of more, their strategy where all is thrown again unseen.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> opening = tabulate_cup_opening(solve(presets.LIAR_DIE.replace(faces=3)))
    >>> [(row.hand, round(row.win_probability, 3)) for row in opening.rows]
    [((1,), 0.333), ((2,), 0.833), ((3,), 1.0)]
    """
    if isinstance(solution, CupSolution):
        return _two_player_opening(solution)
    return _multiplayer_opening(solution)


def _two_player_opening(solution: CupSolution) -> CupOpening:
    rules, strategy = solution.rules, solution.strategy
    game = strategy.policy.game
    mover = strategy.policy.solve(OPENING, 0, Side.MOVER)
    distribution = game.redraw[mover.keeps[0], mover.hands]
    claims = [rules.claims[claim] for claim in mover.claims]
    hands = [game.hands[hand] for hand in mover.hands]
    rows = []
    for place in _telling_hands(_from_low_to_high(rules, hands), distribution):
        advice = strategy.advise(hand=hands[place])
        chance = sum(a.probability * a.win_probability for a in advice)
        probs = dict(zip(claims, mover.claim_probs[place].tolist(), strict=True))
        rows.append(CupOpeningRow(hands[place], probs, chance, 1.0 - chance))
    overall = dict(zip(claims, (distribution @ mover.claim_probs).tolist(), strict=True))
    chance = sum(solution.win_bounds) / 2
    return CupOpening(tuple(rows), len(hands), overall, chance, 1.0 - chance)


def _multiplayer_opening(strategy: CupTableStrategy) -> CupOpening:
    rules, result = strategy.rules, strategy.result
    hands = rules.equipment.hands
    rows = []
    for place in _from_low_to_high(rules, hands):
        advice = strategy.advise(hand=hands[place])
        chance = sum(a.probability * a.loss_probability for a in advice)
        probs = {a.action: a.probability for a in advice if isinstance(a.action, Claim)}
        rows.append(CupOpeningRow(hands[place], probs, None, chance))
    frequencies = result.tables.distribution @ result.claim_probs[OPENING]
    overall = dict(zip(rules.claims, frequencies.tolist(), strict=True))
    chance = strategy.loss_probability(result.values[0])
    return CupOpening(tuple(rows), len(rows), overall, None, chance)


def _from_low_to_high(rules: CupRules, hands: Sequence[Hand]) -> list[int]:
    """Places of hands, the lowest hand first."""
    return sorted(range(len(hands)), key=lambda place: rules.ranking.key(hands[place]))


def _telling_hands(order: list[int], distribution: F8) -> list[int]:
    """Choose hands: all if they are few; else some between which equal parts of all throws lie.

    >>> _telling_hands([2, 0, 1], np.array([0.25, 0.25, 0.5]))
    [2, 0, 1]
    """
    if len(order) <= _MOST_HANDS:
        return order
    total = np.cumsum(distribution[order])
    middles = (np.arange(_FEW_HANDS) + 0.5) / _FEW_HANDS
    places = dict.fromkeys(np.searchsorted(total, middles).tolist())
    return [order[place] for place in places]

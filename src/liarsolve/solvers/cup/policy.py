"""Strategies of a cup game, found again stage by stage from the bounds of its states.

The bounds of all states are the solution: at each state, what both players do is the solution of
one small linear program over the bounds of later states. It is solved when it is asked for, and
cleaned of rounding dust and of dominated actions; its bounds are those of what is left.
"""

from functools import lru_cache

import numpy as np

from liarsolve._typing import F8
from liarsolve.game.cup.game import CupGame
from liarsolve.solvers.cup.cleaning import clean_stage
from liarsolve.solvers.cup.stages import (
    Side,
    StageSolution,
    is_dominated,
    solve_one_stage,
    tabulate_claims,
)

OPENING = -1
"""In place of an accepted claim: the first throw of a round."""

_CACHED_STAGES = 4096


class CupPolicy:
    """What both players do at every state, given bounds of the chance of winning, [H, C]."""

    def __init__(self, game: CupGame, low: F8, high: F8) -> None:
        self.game = game
        self.low = low
        self.high = high
        self.solve = lru_cache(_CACHED_STAGES)(self._solve)
        self._useful = lru_cache(_CACHED_STAGES)(self._find_useful)

    def useful_claims(self, accepted: int) -> dict[int, int]:
        """Claims that may follow, and for each the one that it is answered like.

        They are answered like themselves, unless a higher claim is true of the same hands.
        """
        return self._useful(accepted)

    def _find_useful(self, accepted: int) -> dict[int, int]:
        game = self.game
        claims = list(range(game.n_claims))
        if accepted != OPENING:
            claims = np.flatnonzero(game.follows[accepted]).tolist()
        answered_like: dict[int, int] = {}
        kept: list[int] = []
        for claim in reversed(claims):
            like = next((o for o in kept if is_dominated(game, claim, o, self.low)), claim)
            answered_like[claim] = like
            if like == claim:
                kept.append(claim)
        return answered_like

    def _solve(self, accepted: int, family: int, side: Side) -> StageSolution:
        claims = [claim for claim, like in self.useful_claims(accepted).items() if claim == like]
        tables = tabulate_claims(self.game, claims, self.low, self.high)
        return clean_stage(
            self.game, tables, solve_one_stage(self.game, family, claims, tables, side)
        )

    def opening_bounds(self) -> tuple[float, float]:
        """Bounds of the chance that the first player wins the round."""
        return self.stage_bounds(OPENING, 0)

    def stage_bounds(self, accepted: int, family: int) -> tuple[float, float]:
        """Bounds of the mover's chance of winning, once the number thrown is known."""
        low = self.solve(accepted, family, Side.MOVER).low
        return low, self.solve(accepted, family, Side.RESPONDER).high

    def best_number(self, hand: int, accepted: int) -> int:
        """Column of the number that the mover announces with a hand: they are surest with it."""
        lows = [
            self.solve(accepted, int(family), Side.MOVER).low
            for family in self.game.hand_family[hand]
        ]
        return int(np.argmax(lows))

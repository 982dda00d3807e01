"""What a player may ask during a match: strategies of its rounds, stored or solved on the spot."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from liarsolve.errors import LiarsolveError
from liarsolve.play._values import Values
from liarsolve.play.bidding.counsel import bidding_values, bidding_why
from liarsolve.play.bidding.players import ProbabilityPlayer
from liarsolve.play.bidding.turn import Turn
from liarsolve.play.cup.counsel import cup_values, cup_why
from liarsolve.play.cup.turn import CupTurn
from liarsolve.rules import CupRound, Round
from liarsolve.strategy import BiddingSolution, CupSolution, solve

__all__ = ["Counsel"]

_SECONDS = 5.0
_TARGET = 1e-6
_MOST_MEMORY = 1e9
_MOST_BIDS = 24
"""Bids of a round of two that is solved on the spot: two dice each with six faces."""
_MOST_BIDS_OF_MANY = 9
"""The same with more players."""
_MOST_CLAIMS = 30
"""Claims of a cup game that is solved on the spot."""
_WEAK = 0.05
"""Strategies that may lose more than this are no counsel: one round in forty."""


class Counsel:
    """Knows strategies of some rounds, and solves small rounds when it is asked.

    Parameters
    ----------
    stored : iterable of BiddingSolution or CupSolution
        Strategies that are there already.
    on_solving : callable, optional
        Called with a line to be shown before a round is solved.

    Examples
    --------
    >>> from liarsolve import presets
    >>> rules = presets.COMMON.replace(faces=2)
    >>> solution = Counsel().solution(Round(rules, (1, 1)))
    >>> solution.exploitability < 1e-5
    True
    >>> Counsel().solution(Round(presets.PERUDO, (5, 5))) is None  # it takes too long
    True
    """

    def __init__(
        self,
        stored: Iterable[BiddingSolution | CupSolution] = (),
        on_solving: Callable[[str], None] | None = None,
    ) -> None:
        self._stored = tuple(stored)
        self._on_solving = on_solving
        self._solved: dict[Round | CupRound, BiddingSolution | CupSolution | None] = {}

    def solution(
        self, table: Round | CupRound, *, may_solve: bool = True
    ) -> BiddingSolution | CupSolution | None:
        """The strategies of a round, if they are there or the round is small enough to be solved.

        Raises
        ------
        KeyboardInterrupt
            If the solver was interrupted.
        """
        for stored in self._stored:
            if _is_of(stored, table):
                return stored
        if table not in self._solved:
            if not may_solve:
                return None
            self._solved[table] = self._solve(table) if _is_small(table) else None
        return self._solved[table]

    def values(self, turn: Turn | CupTurn, *, may_solve: bool = True) -> Values | None:
        """What every action is worth at a turn; None where no strategy is there, or it is silent.

        Raises
        ------
        KeyboardInterrupt
            If the solver was interrupted.
        """
        solution = self.solution(turn.round, may_solve=may_solve)
        try:
            if isinstance(solution, BiddingSolution) and isinstance(turn, Turn):
                return bidding_values(solution, turn)
            if isinstance(solution, CupSolution) and isinstance(turn, CupTurn):
                return cup_values(solution, turn)
        except LiarsolveError:  # a place that the strategy was not solved for
            pass
        return None

    def why(self, turn: Turn | CupTurn, action: Any) -> str:
        """Say in one sentence what speaks for or against an action, where `values` are there."""
        solution = self.solution(turn.round)
        if isinstance(solution, BiddingSolution) and isinstance(turn, Turn):
            return bidding_why(solution, turn, action)
        assert isinstance(solution, CupSolution)
        assert isinstance(turn, CupTurn)
        return cup_why(solution, turn, action)

    def by_the_odds(self, turn: Any) -> Any:
        """What the player who goes by the odds would do; it takes no chances."""
        return ProbabilityPlayer().act(turn, np.random.default_rng(0))  # it never draws

    def _solve(self, table: Round | CupRound) -> BiddingSolution | CupSolution | None:
        from liarsolve.solvers import StopReason

        if self._on_solving is not None:
            self._on_solving(f"Solving this round, for at most {_SECONDS:g} seconds.")
        limits: dict[str, Any] = {"target": _TARGET, "max_seconds": _SECONDS}
        solution: Any  # of either family
        if isinstance(table, Round):
            solution = solve(
                table.rules,
                table.dice,
                palifico=table.palifico,
                max_memory=_MOST_MEMORY,
                **limits,
            )
        else:
            solution = solve(table.rules, **limits)
        if solution.stop is StopReason.INTERRUPTED:
            raise KeyboardInterrupt
        loss = solution.nash_conv
        if loss is None or loss > _WEAK:
            return None
        found: BiddingSolution | CupSolution = solution
        return found


def _is_small(table: Round | CupRound) -> bool:
    if isinstance(table, CupRound):
        return table.n_players == 2 and len(table.rules.claims) <= _MOST_CLAIMS
    if table.ex_palifico and table.palifico:
        return False
    return len(table.bids) <= (_MOST_BIDS if table.n_players == 2 else _MOST_BIDS_OF_MANY)


def _is_of(stored: BiddingSolution | CupSolution, table: Round | CupRound) -> bool:
    if isinstance(stored, BiddingSolution):
        return stored.strategy.tree.graph.round == table
    return (
        isinstance(table, CupRound)
        and table.n_players == 2
        and stored.rules.round_rules == table.rules.round_rules
    )

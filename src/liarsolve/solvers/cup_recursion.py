"""The recursion over rising claims, from the highest down, with bounds that are proved.

After a claim c was accepted, the player who looked at hand h is to move: his chance of winning
depends on (h, c) alone, and on later claims only. Bounds of the later states give bounds of this
one: what the mover is sure of is computed with what his opponent can reach there at most, and the
other way round.
"""

import math
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import numpy as np

from liarsolve._typing import F8, I8
from liarsolve.game.cup_game import CupGame
from liarsolve.solvers import _cup_kernels as kernels
from liarsolve.solvers.cup_stages import (
    Scratch,
    lay_out_families,
    make_effort,
    make_standing,
    make_tables,
    set_column,
)

_BLOCK = 4
"""Families that a thread takes at a time: a few milliseconds of work."""


class CupRecursion:
    """Bounds of every state of a cup game, claim by claim from the highest down.

    Parameters
    ----------
    game : CupGame
        The game.
    tolerance : float
        How far apart the bounds of a state may stay, beside what comes from later states.
    n_threads : int, optional
        Threads that solve stages; the number of processors if not given. The result does not
        depend on it.
    """

    def __init__(self, game: CupGame, tolerance: float, *, n_threads: int | None = None) -> None:
        self.game = game
        self.tolerance = tolerance
        n_hands, n_claims = game.n_hands, game.n_claims
        self.low: F8 = np.zeros((n_hands, n_claims))
        """Chance of winning of the player to move, from below, by hand and accepted claim."""
        self.high: F8 = np.ones((n_hands, n_claims))
        self.next_claim = n_claims - 1
        """The highest claim whose states are not solved yet."""
        self._first = game.first_followers
        self._families = lay_out_families(game)
        self._standing = make_standing(self._families, n_claims)
        self._tables = make_tables(n_hands, n_claims)
        self._columns: list[int] = []
        self._added = n_claims
        self._effort = make_effort(n_claims)
        n_keeps = int(np.diff(game.family_start).max())
        n_threads = n_threads or os.cpu_count() or 1
        self._scratch: SimpleQueue[Scratch] = SimpleQueue()
        for _ in range(n_threads):
            self._scratch.put(Scratch(n_hands, n_claims, n_keeps))
        self._pool = ThreadPoolExecutor(n_threads) if n_threads > 1 else None

    def solve_next(self, is_late: Callable[[], bool]) -> bool:
        """Solve all states of the next claim; False if time ran out."""
        claim = self.next_claim
        if claim in self.game.end_values:
            self._end(claim)
        elif self._first is not None:
            self._add_columns(int(self._first[claim]))
            if not self._solve_states(claim, is_late):
                return False
        self.next_claim -= 1
        return True

    def _end(self, claim: int) -> None:
        """States that nobody moves in: the round ends with the answer to the claim."""
        values = self.game.end_values[claim]
        if values is None:  # never accepted
            won = self.game.truth[claim].astype(np.float64)
        else:
            won = np.array([float(p) for p in values])
        self.low[:, claim] = self.high[:, claim] = 1.0 - won

    def _add_columns(self, first: int) -> None:
        """Add to the tables the claims from ``first`` up that are worth making."""
        truth = self.game.truth
        for claim in range(self._added - 1, first - 1, -1):
            if not any(self._is_dominated(claim, other) for other in self._columns):
                set_column(
                    self._tables,
                    len(self._columns),
                    truth[claim].astype(np.float64),
                    1.0 - self.high[:, claim],
                    1.0 - self.low[:, claim],
                )
                self._columns.append(claim)
        self._added = min(self._added, first)

    def _is_dominated(self, claim: int, other: int) -> bool:
        """Whether ``other`` is true of the same hands, and accepted worth as much or more."""
        truth = self.game.truth
        return bool(
            (truth[claim] == truth[other]).all()
            and (self.low[:, claim] >= self.low[:, other]).all()
        )

    def _solve_states(self, claim: int, is_late: Callable[[], bool]) -> bool:
        """Solve as many families as the bounds of the states ask for."""
        standing, family = self._standing, self.game.hand_family
        n = len(self._columns)
        kernels.extend_families(n, self._families, standing, self._tables, self._effort.margin)
        rows = np.arange(len(family))
        fresh = np.zeros(self.game.n_families, np.bool_)  # solved for this claim
        is_first = True
        while True:
            low, high = standing.low[family], standing.high[family]
            sure = low.max(axis=1)
            # first the number that was best so far, then the one that may be better
            column = low.argmax(axis=1) if is_first else high.argmax(axis=1)
            chosen = family[rows, column]
            is_open = standing.high[chosen] - sure > self.tolerance
            wanted = np.unique(chosen[is_open & ~fresh[chosen]])
            if wanted.size == 0 and not is_first:
                break
            is_first = False
            if not self._solve(wanted, n, is_late):
                return False
            fresh[wanted] = True
        self.low[:, claim] = sure
        self.high[:, claim] = high.max(axis=1)
        return True

    def _solve(self, which: I8, n: int, is_late: Callable[[], bool]) -> bool:
        """Solve families, several at a time; False if time ran out before the last."""
        blocks = [which[i : i + _BLOCK] for i in range(0, which.size, _BLOCK)]

        def solve(block: I8) -> bool:
            if is_late():
                return False
            scratch = self._scratch.get()
            try:
                kernels.solve_families(
                    block,
                    n,
                    self.tolerance,
                    self._families,
                    self._standing,
                    self._tables,
                    self._effort,
                    scratch.work,
                    scratch.keep,
                    scratch.claim,
                )
            finally:
                self._scratch.put(scratch)
            return True

        if self._pool is None:
            return all(map(solve, blocks))
        return all(list(self._pool.map(solve, blocks)))

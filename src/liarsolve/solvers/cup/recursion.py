"""The recursion over rising claims, from the highest down, with bounds that are proved.

After a claim c was accepted, the player who looked at hand h is to move: their chance of winning
depends on (h, c) alone, and on later claims only. Bounds of the later states give bounds of this
one: what the mover is sure of is computed with what their opponent can reach there at most, and the
other way round.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import numpy as np

from liarsolve._typing import F8, I8
from liarsolve.game.cup.game import CupGame
from liarsolve.solvers.cup import _stage_kernels as kernels
from liarsolve.solvers.cup.stages import (
    SLACK,
    Scratch,
    is_dominated,
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
        """The highest claim whose states are not solved yet; -1 when all are."""
        self._first = game.first_followers
        self._families = lay_out_families(game)
        self._effort = make_effort(n_claims, SLACK)
        n_keeps = int(np.diff(game.family_start).max())
        n_threads = n_threads or os.cpu_count() or 1
        self._scratch: SimpleQueue[Scratch] = SimpleQueue()
        for _ in range(n_threads):
            self._scratch.put(Scratch(n_hands, n_claims, n_keeps))
        self._n_threads = n_threads
        self._begin()

    def _begin(self) -> None:
        """Go back to tables without claims and families without solutions."""
        game = self.game
        self._standing = make_standing(self._families, game.n_claims)
        self._tables = make_tables(game.n_hands, game.n_claims)
        self._columns: list[int] = []
        self._added = game.n_claims
        self._n_stages = self._n_pivots = 0

    @property
    def n_stages(self) -> int:
        """Stages solved, each for all hands that share its keeps."""
        return int(self._n_stages + self._standing.solved.sum())

    @property
    def n_pivots(self) -> int:
        """Pivots of all stages."""
        return int(self._n_pivots + self._standing.pivots.sum())

    @property
    def n_bytes(self) -> int:
        """Memory of the arrays."""
        groups = (self._families, self._standing, self._tables)
        scratch = self._n_threads * 16 * (self.game.n_claims + 1) ** 2
        return self.low.nbytes * 2 + scratch + sum(a.nbytes for group in groups for a in group)

    def solve_next(self, is_late: Callable[[], bool]) -> bool:
        """Solve all states of the next claim; False if time ran out before they were."""
        claim = self.next_claim
        if claim in self.game.end_values:
            self._end(claim)
        else:
            if self._first is not None:
                self._add_columns(range(self._added - 1, int(self._first[claim]) - 1, -1))
            else:
                stages, pivots = self.n_stages, self.n_pivots
                self._begin()
                self._n_stages, self._n_pivots = stages, pivots
                self._add_columns(np.flatnonzero(self.game.follows[claim])[::-1].tolist())
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

    def _add_columns(self, claims: "range | list[int]") -> None:
        """Add to the tables the claims that are worth making."""
        for claim in claims:
            self._added = claim
            if not any(is_dominated(self.game, claim, other, self.low) for other in self._columns):
                set_column(
                    self._tables,
                    len(self._columns),
                    self.game.truth[claim].astype(np.float64),
                    1.0 - self.high[:, claim],
                    1.0 - self.low[:, claim],
                )
                self._columns.append(claim)

    def _solve_states(self, claim: int, is_late: Callable[[], bool]) -> bool:
        """Solve as many families as the bounds of the states ask for."""
        standing, family = self._standing, self.game.hand_family
        n = len(self._columns)
        kernels.extend_families(n, self._families, standing, self._tables, self._effort.margin)
        rows = np.arange(len(family))
        is_fresh = np.zeros(self.game.n_families, np.bool_)  # solved for this claim
        column = standing.low[family].argmax(axis=1)  # the number that was best so far
        while True:
            sure = standing.low[family].max(axis=1)
            chosen = family[rows, column]
            is_open = standing.high[chosen] - sure > self.tolerance
            wanted = np.unique(chosen[is_open & ~is_fresh[chosen]])
            if not self._solve(wanted, n, is_late):
                return False
            is_fresh[wanted] = True
            high = standing.high[family]
            # then the number that may be best, unless it is solved already
            best = np.where(is_fresh[family], 0.0, high).max(axis=1)
            sure = standing.low[family].max(axis=1)
            if not (best - sure > self.tolerance).any():
                break
            column = np.where(is_fresh[family], -1.0, high).argmax(axis=1)
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
                    kernels.Order(block, n, self.tolerance),
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

        if self._n_threads == 1 or len(blocks) < 2:
            return all(map(solve, blocks))
        return all(list(self._get_pool().map(solve, blocks)))  # wait for every block

    def _get_pool(self) -> ThreadPoolExecutor:
        if not hasattr(self, "_pool"):
            self._pool = ThreadPoolExecutor(self._n_threads)
        return self._pool

"""Cup games solved to a target, within limits."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from time import perf_counter
from typing import TypeAlias

import numpy as np

from liarsolve._checks import check_callable, check_whole
from liarsolve._typing import F8
from liarsolve.errors import InputError
from liarsolve.game.cup.game import CupGame, build_cup_game
from liarsolve.solvers.core.certificate import Certificate
from liarsolve.solvers.core.halt import Halt, Interrupts, listen
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.core.result import StopReason
from liarsolve.solvers.cup.policy import CupPolicy
from liarsolve.solvers.cup.recursion import CupRecursion

_LEAST_TOLERANCE = 1e-8
"""Of a stage: ten times what rounding, and the slack of the bounds, leave."""

_TOLERANCE_SHARE = 0.1
"""Tolerance of a stage as a part of the target. A hundred times the accuracy costs a tenth more
time, so there is room: in all presets the bracket of the opening comes out below the tolerance."""

_MOST_TOLERANCE = 1e-5

_PROGRESS_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class CupProgress:
    """State of a running solve, as ``on_progress`` receives it."""

    claims_done: int
    """Claims after which every state is solved, from the highest down."""
    n_claims: int
    """Claims to solve."""
    share: float
    """Estimate of the part of the work that is done."""
    target: float
    seconds: float
    seconds_left: float | None
    """Estimate of the time to the end, `None` while there is nothing to go by."""
    n_states: int
    """States solved: a hand, and a claim that was accepted."""
    memory_mb: float
    """Memory of the arrays, in units of 1e6 bytes."""


CupProgressCallback: TypeAlias = Callable[[CupProgress], None]


@dataclass(frozen=True, eq=False, kw_only=True)
class CupResult:
    """Bounds of every state of a cup game, and what they prove about its opening."""

    game: CupGame
    low: F8
    """Chance of winning of the player who looks at a hand after they have accepted a claim, from
    below, [H, C]."""
    high: F8
    """The same from above."""
    win_bounds: tuple[float, float]
    """Between which the first player's chance of winning lies."""
    next_claim: int
    """The highest claim whose states were not solved; -1 if all were."""
    last_claim: int
    """The lowest claim whose states were to be solved; 0 for the whole round."""
    stop: StopReason
    n_stages: int
    """Stages solved."""
    n_pivots: int
    """Pivots of their linear programs."""
    seconds: float
    peak_memory_mb: float
    """Memory of the solver's arrays, in units of 1e6 bytes."""

    @property
    def certificate(self) -> Certificate:
        """What the bounds prove, in utility: +1 to the winner and -1 to the loser."""
        low, high = self.win_bounds
        return Certificate((2.0 * high - 1.0, 1.0 - 2.0 * low), (-1.0, 1.0))

    @property
    def exploitability(self) -> float:
        """What the strategies lose on average to perfect opponents, in utility per round.

        Where only the states after high claims were to be solved, it is the most that they lose
        from any of those on.
        """
        if self.last_claim == 0:
            return self.certificate.exploitability
        return float((self.high - self.low)[:, self.last_claim :].max())

    @property
    def n_states(self) -> int:
        """States solved, and the opening."""
        return 1 + self.game.n_hands * (self.game.n_claims - 1 - self.next_claim)


def solve_cup(
    game: CupGame,
    *,
    target: float = 1e-3,
    max_seconds: float | None = None,
    n_threads: int | None = None,
    on_progress: CupProgressCallback | None = None,
    last_claim: int = 0,
) -> CupResult:
    """Solve a cup game of two players by recursion over rising claims.

    Parameters
    ----------
    game : CupGame
        The compiled game.
    target : float
        How large the exploitability may be, in utility per round: the width of the bracket of the
        first player's chance of winning.
    max_seconds : float, optional
        Stop there in any case; the bounds then are those that the states solved so far prove.
    n_threads : int, optional
        Threads; the number of processors if not given. The result does not depend on it.
    on_progress : callable
        Called with a `CupProgress` now and then.
    last_claim : int
        Solve only the states after this claim and higher ones: enough for advice on them.

    Raises
    ------
    InputError
        If a number is out of range.
    """
    limits = Limits(target=target, max_seconds=max_seconds)
    limits.check("an exploitability")
    check_callable("on_progress", on_progress)
    if n_threads is not None:
        check_whole("n_threads", n_threads, at_least=1)
    if not 0 <= last_claim < game.n_claims:
        raise InputError(f"claims are numbered 0 to {game.n_claims - 1}, got {last_claim}")
    with listen() as interrupts:
        _compile()
        interrupts.raise_waiting()
        tolerance = max(min(_TOLERANCE_SHARE * target, _MOST_TOLERANCE), _LEAST_TOLERANCE)
        recursion = CupRecursion(game, tolerance, n_threads=n_threads)
        run = _Run(recursion, last_claim, limits, interrupts)
        with interrupts.held():
            run.go(on_progress)
            return run.result()


class _Run:
    """A recursion that watches the clock."""

    def __init__(
        self, recursion: CupRecursion, last_claim: int, limits: Limits, interrupts: Interrupts
    ) -> None:
        self.recursion = recursion
        self.last_claim = last_claim
        self.target = limits.target
        self.started = perf_counter()
        seconds = np.inf if limits.max_seconds is None else limits.max_seconds
        self.halt = Halt(self.started + seconds, interrupts)
        self.stop: StopReason | None = None
        self.shown = self.started

    @property
    def seconds(self) -> float:
        return perf_counter() - self.started

    def go(self, on_progress: CupProgressCallback | None) -> None:
        """Solve claim after claim, down to the last one wanted."""
        recursion = self.recursion
        try:
            while recursion.next_claim >= self.last_claim:
                if self.halt() or not recursion.solve_next(self.halt):
                    is_asked = self.halt.interrupts.is_waiting
                    self.stop = StopReason.INTERRUPTED if is_asked else StopReason.TIME_LIMIT
                    break
                if on_progress is not None and self._is_due():
                    on_progress(self.progress())
        except KeyboardInterrupt:
            self.stop = StopReason.INTERRUPTED

    def _is_due(self) -> bool:
        is_due = perf_counter() - self.shown >= _PROGRESS_SECONDS
        if is_due:
            self.shown = perf_counter()
        return is_due

    def progress(self) -> CupProgress:
        recursion, game = self.recursion, self.recursion.game
        n_claims = game.n_claims - self.last_claim
        done = game.n_claims - 1 - recursion.next_claim
        share = share_of_work(done / n_claims)
        seconds = self.seconds
        return CupProgress(
            claims_done=done,
            n_claims=n_claims,
            share=share,
            target=self.target,
            seconds=seconds,
            seconds_left=seconds * (1.0 / share - 1.0) if share > 0.01 else None,
            n_states=done * game.n_hands,
            memory_mb=recursion.n_bytes / 1e6,
        )

    def result(self) -> CupResult:
        recursion, game = self.recursion, self.recursion.game
        low, high = self._bounds()
        policy = CupPolicy(game, low, high)
        win_bounds = policy.opening_bounds()
        for array in (low, high):
            array.flags.writeable = False
        result = CupResult(
            game=game,
            low=low,
            high=high,
            win_bounds=win_bounds,
            next_claim=recursion.next_claim,
            last_claim=self.last_claim,
            stop=self.stop or StopReason.CONVERGED,
            n_stages=recursion.n_stages,
            n_pivots=recursion.n_pivots,
            seconds=self.seconds,
            peak_memory_mb=recursion.n_bytes / 1e6,
        )
        if result.stop is StopReason.CONVERGED and result.exploitability > self.target:
            return replace(result, stop=StopReason.ROUNDING_LIMIT)
        return result

    def _bounds(self) -> tuple[F8, F8]:
        """Bounds of all states; those not solved follow from the lowest claim that was.

        After a lower claim the mover may say all that they may say after a higher one, if whatever
        is later may follow: they have at least the same chance.
        """
        recursion, game = self.recursion, self.recursion.game
        low, high = recursion.low.copy(), recursion.high.copy()
        lowest = recursion.next_claim + 1
        is_nested = game.first_followers is not None and lowest not in game.end_values
        if is_nested and 0 < lowest < game.n_claims:
            low[:, :lowest] = low[:, lowest : lowest + 1]
        return low, high


def share_of_work(share_of_claims: float) -> float:
    """Part of the work, given the part of the claims that is done.

    Stages grow with the number of claims above them, and the lowest claims change nothing any
    more. Measured on ``classic``: half of the claims take a fifth of the time, four fifths take
    nearly all.

    >>> [round(share_of_work(x), 2) for x in (0.0, 0.5, 0.8, 1.0)]
    [0.0, 0.21, 0.98, 1.0]
    """
    if share_of_claims >= 0.8:
        return 0.98 + 0.1 * (share_of_claims - 0.8)
    return float(0.98 * (share_of_claims / 0.8) ** 3.3)


@cache
def _compile() -> None:
    """Run every kernel once on the smallest game, so that compiling does not count as solving."""
    from fractions import Fraction

    half = Fraction(1, 2)
    game = build_cup_game(
        hands=((1,), (2,)),
        distributions={
            (): {(1,): half, (2,): half},
            (1,): {(1,): Fraction(1)},
            (2,): {(2,): Fraction(1)},
        },
        thrown=(0, 1),
        is_announced=True,
        truth=np.array([[True, True], [False, True]]),
        follows=np.array([[False, True], [False, False]]),
    )
    recursion = CupRecursion(game, 0.0, n_threads=1)
    while recursion.next_claim >= 0:
        recursion.solve_next(lambda: False)
    CupPolicy(game, recursion.low, recursion.high).opening_bounds()

"""Cup rounds whose endings are worth what a match is worth from there on.

Where the challenger starts the next round, or stakes move, it matters who challenged and not only
who has won: the first player's turns and the second's are then two games, each of which the other
leads to. Both are solved side by side, claim by claim from the highest down, by the recursion that
serves rounds of two outcomes; a state has the same bounds, of the mover's chance of winning the
match.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from liarsolve._typing import F8
from liarsolve.game.cup.compile import compile_cup, without_idle_passes
from liarsolve.game.cup.game import CupGame
from liarsolve.rules.cup.options import TopClaim
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.solvers.core.halt import Halt, listen
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.core.result import StopReason
from liarsolve.solvers.cup.recursion import CupRecursion
from liarsolve.solvers.cup.stages import is_dominated, set_column

_LEAST_TOLERANCE, _MOST_TOLERANCE, _TOLERANCE_SHARE = 1e-8, 1e-5, 0.1
"""As in `solve_cup`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CupEndings:
    """The first player's chance of winning the match, by ending and who answered the claim."""

    claimant_loses: tuple[float, float]
    challenger_loses: tuple[float, float]
    top_made: tuple[float, float] = (0.0, 0.0)
    top_missed: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, chances: Mapping[tuple[str, int], float]) -> "CupEndings":
        """Read chances by kind of ending and challenger."""
        kinds = {kind for kind, _ in chances}
        return cls(**{kind: (chances[kind, 0], chances[kind, 1]) for kind in kinds})

    def of_claimant(self, kind: str, claimant: int) -> float:
        """What an ending is worth to the player who made the claim."""
        first: float = getattr(self, kind)[1 - claimant]
        return first if claimant == 0 else 1.0 - first


@dataclass(frozen=True, slots=True, kw_only=True)
class CupMatchRound:
    """Bounds of the first player's chance of winning the match, and why the solver stopped."""

    bounds: tuple[float, float]
    stop: StopReason


class _Turns(CupRecursion):
    """The states in which one of the players is to move; those of the other follow them."""

    def __init__(
        self,
        game: CupGame,
        tolerance: float,
        mover: int,
        endings: CupEndings,
        try_probs: F8 | None,
        *,
        n_threads: int | None,
    ) -> None:
        super().__init__(game, tolerance, n_threads=n_threads)
        self.mover = mover
        self.endings = endings
        self.try_probs = try_probs
        self.others = self

    def _end(self, claim: int) -> None:
        """The mover has accepted a claim on top of which none can be made."""
        claimant = 1 - self.mover
        made = self.endings.of_claimant("top_made", claimant)
        missed = self.endings.of_claimant("top_missed", claimant)
        if self.game.end_values[claim] is None or self.try_probs is None:
            won = _challenged(self.game, claim, self.endings, claimant)
        else:
            won = self.try_probs * made + (1.0 - self.try_probs) * missed
        self.low[:, claim] = self.high[:, claim] = 1.0 - won

    def _add_columns(self, claims: "range | list[int]") -> None:
        others = self.others
        for claim in claims:
            self._added = claim
            if not any(is_dominated(self.game, claim, o, others.low) for o in self._columns):
                set_column(
                    self._tables,
                    len(self._columns),
                    _challenged(self.game, claim, self.endings, self.mover),
                    1.0 - others.high[:, claim],
                    1.0 - others.low[:, claim],
                )
                self._columns.append(claim)

    def opening(self) -> tuple[float, float]:
        """Bounds of the mover's chance at the first throw, once all later states are solved."""
        self._begin()
        self._add_columns(range(self.game.n_claims - 1, -1, -1))
        self._solve(np.zeros(1, np.int64), len(self._columns), lambda: False)
        return float(self._standing.low[0]), float(self._standing.high[0])


def solve_cup_for(
    rules: CupRules,
    low: CupEndings,
    high: CupEndings,
    *,
    target: float = 1e-3,
    max_seconds: float | None = None,
    n_threads: int | None = None,
) -> CupMatchRound:
    """Solve a round for what its endings are worth.

    Parameters
    ----------
    rules : CupRules
        The rules.
    low, high : CupEndings
        Bounds of what the endings are worth. A round is worth no less where its endings are, and
        by no more than they are apart, so it is solved for their middle, and widened by that.
    target : float
        Half the width of the bracket, in utility, for given worths.
    max_seconds : float, optional
        Stop there in any case; the bounds then are 0 and 1.
    n_threads : int, optional
        Threads; the number of processors if not given. The result does not depend on it.

    Examples
    --------
    >>> from liarsolve.rules.presets import LIAR_DIE
    >>> won = CupEndings(claimant_loses=(1.0, 0.0), challenger_loses=(0.0, 1.0))
    >>> bounds = solve_cup_for(LIAR_DIE.replace(faces=3), won, won).bounds
    >>> bounds[0] <= 13 / 18 <= bounds[1]
    True
    """
    Limits(target=target, max_seconds=max_seconds).check("an exploitability")
    rules = without_idle_passes(rules)
    game = compile_cup(rules)
    middle, doubt = _middle(low, high)
    tolerance = max(min(_TOLERANCE_SHARE * target, _MOST_TOLERANCE), _LEAST_TOLERANCE)
    try_probs = None
    if rules.top_claim is TopClaim.ACCEPT_TRY:
        try_probs = np.array([float(rules.try_success(hand)) for hand in game.hands])
    first, second = (
        _Turns(game, tolerance, mover, middle, try_probs, n_threads=n_threads) for mover in range(2)
    )
    first.others, second.others = second, first
    with listen() as interrupts, interrupts.held():
        halt = Halt(interrupts=interrupts)
        if max_seconds is not None:
            halt.deadline = perf_counter() + max_seconds
        while first.next_claim >= 0:
            is_done = not halt() and first.solve_next(halt) and second.solve_next(halt)
            if not is_done:
                is_asked = interrupts.is_waiting
                stop = StopReason.INTERRUPTED if is_asked else StopReason.TIME_LIMIT
                return CupMatchRound(bounds=(0.0, 1.0), stop=stop)
        least, most = first.opening()
    stop = StopReason.CONVERGED if most - least <= target else StopReason.ROUNDING_LIMIT
    return CupMatchRound(bounds=(max(least - doubt, 0.0), min(most + doubt, 1.0)), stop=stop)


def _challenged(game: CupGame, claim: int, endings: CupEndings, claimant: int) -> F8:
    """What a claim is worth to its player by hand if it is challenged."""
    won = endings.of_claimant("challenger_loses", claimant)
    lost = endings.of_claimant("claimant_loses", claimant)
    worth: F8 = np.where(game.truth[claim], won, lost)
    return worth


def _middle(low: CupEndings, high: CupEndings) -> tuple[CupEndings, float]:
    """The middle of all worths, and how far from it they may be."""
    middle: dict[str, tuple[float, float]] = {}
    doubt = 0.0
    for kind in CupEndings.__dataclass_fields__:
        pairs = list(zip(getattr(low, kind), getattr(high, kind), strict=True))
        first, second = (0.5 * (a + b) for a, b in pairs)
        middle[kind] = (first, second)
        doubt = max(doubt, *(0.5 * (b - a) for a, b in pairs))
    return CupEndings(**middle), doubt * (1.0 + 1e-12)

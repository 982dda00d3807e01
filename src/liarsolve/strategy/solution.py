"""What every solution has, whatever the game and however many play it."""

from collections.abc import Sequence
from fractions import Fraction
from os import PathLike
from typing import Any, Protocol, TypeAlias, runtime_checkable

from liarsolve.rules import CupRules, RuleSet
from liarsolve.solvers import StopReason
from liarsolve.solvers.cup.cfr_result import CupProfile
from liarsolve.strategy.bidding.strategy import Advice, Strategy
from liarsolve.strategy.cup.strategy import CupAdvice, CupStrategy
from liarsolve.strategy.cup.table_strategy import CupTableAdvice, CupTableStrategy
from liarsolve.strategy.situation import Situation

__all__ = ["AnyAdvice", "AnyStrategy", "Solution"]

AnyAdvice: TypeAlias = Advice | CupAdvice | CupTableAdvice
"""One legal action with its probability and what it is worth, in any game."""

AnyStrategy: TypeAlias = Strategy | CupStrategy | CupTableStrategy | CupProfile
"""What a solution says that the players do."""


@runtime_checkable
class Solution(Protocol):
    """What `solve` returns and `load` reads back, in what all families of games share.

    `BiddingSolution`, `CupSolution` and `CupTableSolution` keep it. Programs that only ask how good
    a solution is, ask for advice, or store it, need to know no more than this. What does not exist
    for a solution is None: with three and more players there is no value of the round, and so no
    bounds of one and no exploitability.

    Examples
    --------
    >>> from liarsolve import Solution, presets, solve
    >>> for rules, dice in ((presets.COMMON.replace(faces=2), (1, 1)), (presets.LIAR_DIE, None)):
    ...     solution = solve(rules, dice)
    ...     print(isinstance(solution, Solution), solution.n_players, solution.stop.name)
    True 2 CONVERGED
    True 2 EXACT
    """

    @property
    def rules(self) -> RuleSet | CupRules:
        """Rules of the round."""

    @property
    def n_players(self) -> int:
        """Players at the table."""

    @property
    def value_bounds(self) -> tuple[float, float] | None:
        """Bounds between which the value of the round lies for who begins; they are proved.

        None where the round has no value.
        """

    @property
    def exploitability(self) -> float | None:
        """What the strategies lose at most, on average, to perfect opponents; half of `nash_conv`.

        None where the round has no value.
        """

    @property
    def nash_conv(self) -> float | None:
        """Sum over players of what each could gain by a best response; None if unmeasured."""

    @property
    def exact_value(self) -> Fraction | None:
        """The value of the round, if it was proved in rational arithmetic."""

    @property
    def stop(self) -> StopReason:
        """Why the solver stopped."""

    @property
    def iterations(self) -> int:
        """Iterations or stages of the solver."""

    @property
    def seconds(self) -> float:
        """Time of the solver, without compilation."""

    @property
    def strategy(self) -> AnyStrategy:
        """All players' strategies."""

    @property
    def n_bytes_stored(self) -> int:
        """Bytes of the arrays that `save` writes, without headers and manifest."""

    def advise(self, situation: Situation, /) -> Sequence[AnyAdvice]:
        """Every legal action where a player stands, the most played first.

        Each family also takes what a player knows by name, such as ``hand``.
        """

    def save(self, folder: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the solution as a folder, which `load` opens."""

    def to_dict(self) -> dict[str, Any]:
        """Everything but the strategy, as plain values for JSON."""

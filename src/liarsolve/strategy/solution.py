"""A solved round: strategy, certificate and where they come from."""

from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import Any

from liarsolve.game import PublicTree
from liarsolve.rules import RuleSet
from liarsolve.solvers import Certificate, SolveResult, StopReason
from liarsolve.strategy.storage import write_folder
from liarsolve.strategy.strategy import Strategy


@dataclass(frozen=True, eq=False)
class Solution:
    """What `solve` and `solve_exact` return, and `load` reads back.

    Values are utilities of the first bidder: +1 if he wins the round, -1 if he loses it.
    """

    result: SolveResult
    exact_value: Fraction | None = None
    """The value of the round, if it was proved in rational arithmetic."""

    @property
    def rules(self) -> RuleSet:
        """Rules of the round."""
        return self._tree.graph.round.rules

    @property
    def dice(self) -> tuple[int, ...]:
        """Dice of each player, the first bidder's first."""
        return self._tree.graph.round.dice

    @property
    def strategy(self) -> Strategy:
        """Both players' strategies, to be asked by hand and history."""
        return Strategy(self._tree, self.result.strategy, self.result.payoffs)

    @property
    def value_bounds(self) -> tuple[float, float]:
        """Bounds between which the value of the round lies, proved by exact best responses."""
        return self._certificate.value_bounds

    @property
    def exploitability(self) -> float:
        """What the strategies lose on average against perfect opponents, in utility per round."""
        return self._certificate.exploitability

    @property
    def nash_conv(self) -> float:
        """Sum over players of what each could gain by a best response."""
        return self._certificate.nash_conv

    @property
    def stop(self) -> StopReason:
        """Why the solver stopped."""
        return self.result.stop

    @property
    def iterations(self) -> int:
        """Iterations of the solver."""
        return self.result.iterations

    @property
    def seconds(self) -> float:
        """Time of the solver, without compilation."""
        return self.result.seconds

    @property
    def n_states(self) -> int:
        """Number of public states at which the strategy is written."""
        return self._tree.n_states

    @property
    def _tree(self) -> PublicTree:
        return self.result.tree

    @property
    def _certificate(self) -> Certificate:
        return self.result.certificate

    def to_dict(self) -> dict[str, Any]:
        """Everything but the strategy, as plain values for JSON."""
        result = self.result
        return {
            "rules": self.rules.to_dict(),
            "dice": list(self.dice),
            "palifico": self._tree.graph.round.palifico,
            "payoffs": result.payoffs.to_dict(),
            "value_bounds": list(self.value_bounds),
            "exact_value": None if self.exact_value is None else str(self.exact_value),
            "exploitability": self.exploitability,
            "nash_conv": self.nash_conv,
            "br_values": list(self._certificate.br_values),
            "stop": self.stop.name.lower(),
            "method": result.method,
            "iterations": result.iterations,
            "seconds": result.seconds,
            "states": self._tree.n_states,
            "peak_memory_mb": result.peak_memory_mb,
        }

    def save(self, folder: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the solution as a folder: ``manifest.json`` and one ``.npy`` file for each array.

        The folder appears whole or not at all.

        Raises
        ------
        StorageError
            If the folder exists (and is not a stored solution that ``overwrite`` may replace), or
            cannot be written.
        """
        tree = self._tree
        players = range(len(self.dice))
        arrays: dict[str, Any] = {  # Any: arrays of several dtypes
            "node": tree.node,
            "first_edge": tree.first_edge,
            **{f"children_{player}": tree.children[player] for player in players},
            **{f"policy_{player}": self.result.strategy[player] for player in players},
        }
        write_folder(folder, self.to_dict(), arrays, overwrite=overwrite)

    def __repr__(self) -> str:
        lo, hi = self.value_bounds
        return (
            f"Solution(rules={self.rules.name!r}, dice={self.dice}, "
            f"value_bounds=({lo:.6g}, {hi:.6g}), exploitability={self.exploitability:.3g}, "
            f"stop={self.stop.name})"
        )

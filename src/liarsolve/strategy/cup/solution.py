"""A solved round of a cup game: bounds of all states, and the strategies they stand for."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np

from liarsolve._checks import check_number, check_whole
from liarsolve.errors import StorageError
from liarsolve.game.cup.compile import compile_cup
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.solvers import StopReason
from liarsolve.solvers.core.certificate import Certificate
from liarsolve.solvers.cup.policy import CupPolicy
from liarsolve.solvers.cup.solve import CupResult
from liarsolve.strategy.cup.strategy import CupAdvice, CupStrategy
from liarsolve.strategy.disk_space import refuse_if_too_large
from liarsolve.strategy.showing import Browsable
from liarsolve.strategy.situation import Situation
from liarsolve.strategy.storage import read_fraction, refuse_other_arrays, write_folder

FAMILY = "cup"
"""What the manifest of a stored solution says about its game."""


@dataclass(frozen=True, eq=False)
class CupSolution(Browsable):
    """What `solve` returns for the rules of a cup game, and `load` reads back.

    Values are utilities of the first player: +1 for a round won, -1 for
    one lost. A chance
    of winning p is the utility 2 p - 1, so the exploitability is also the width of the bracket of
    the chance of winning.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> solution = solve(presets.LIAR_DIE.replace(faces=3))
    >>> solution.exact_win_probability, solution.exact_value
    (Fraction(13, 18), Fraction(4, 9))
    """

    rules: CupRules
    result: CupResult
    exact_win_probability: Fraction | None = None
    """The first player's chance of winning, if it was found in rational arithmetic."""

    @cached_property
    def strategy(self) -> CupStrategy:
        """Both players' strategies, to be asked by situation."""
        result = self.result
        policy = CupPolicy(result.game, result.low, result.high)
        return CupStrategy(self.rules, policy, result.last_claim)

    @property
    def n_players(self) -> int:
        """Players at the table: two."""
        return 2

    def advise(self, situation: Situation | None = None, **known: Any) -> tuple[CupAdvice, ...]:
        """Every legal action with its probability and worth; see `CupStrategy.advise`."""
        return self.strategy.advise(situation, **known)

    @property
    def value_bounds(self) -> tuple[float, float]:
        """Bounds between which the value of the round lies, in utility; they are proved."""
        low, high = self._certificate.value_bounds
        return max(low, -1.0), min(high, 1.0)

    @property
    def win_bounds(self) -> tuple[float, float]:
        """Bounds of the first player's chance of winning."""
        return self.result.win_bounds

    @property
    def exact_value(self) -> Fraction | None:
        """The value of the round in utility, if it was found in rational arithmetic."""
        exact = self.exact_win_probability
        return None if exact is None else 2 * exact - 1

    @property
    def exploitability(self) -> float:
        """What the strategies lose on average against perfect opponents, in utility per round.

        Where only what follows high claims was solved, it is the most that they lose from there on;
        the bounds of the opening are then wide.
        """
        return self.result.exploitability

    @property
    def nash_conv(self) -> float:
        """Sum over players of what each could gain by a best response."""
        return 2.0 * self.exploitability

    @property
    def stop(self) -> StopReason:
        """Why the solver stopped."""
        return self.result.stop

    @property
    def iterations(self) -> int:
        """Stages solved: small games of one throw and one claim."""
        return self.result.n_stages

    @property
    def seconds(self) -> float:
        """Time of the solver, without compilation."""
        return self.result.seconds

    @property
    def n_states(self) -> int:
        """Number of states that were solved: a hand, and the claim that was accepted with it."""
        return self.result.n_states

    @property
    def n_bytes_stored(self) -> int:
        """Bytes of the arrays that `save` writes, without headers and manifest."""
        return int(self.result.low.nbytes + self.result.high.nbytes)

    @property
    def _certificate(self) -> Certificate:
        return self.result.certificate

    def to_dict(self) -> dict[str, Any]:
        """Everything but the strategy, as plain values for JSON."""
        result, exact = self.result, self.exact_value
        return {
            "family": FAMILY,
            "rules": self.rules.to_dict(),
            "dice": [self.rules.equipment.n_items],
            "players": 2,
            "values": None,
            "value_bounds": list(self.value_bounds),
            "win_bounds": list(self.win_bounds),
            "exact_value": None if exact is None else str(exact),
            "exploitability": self.exploitability,
            "nash_conv": self.nash_conv,
            "br_values": list(self._certificate.br_values),
            "approximations": [],
            "stop": self.stop.name.lower(),
            "method": "recursion",
            "memory": None,
            "left_out": None,
            "iterations": self.iterations,
            "pivots": result.n_pivots,
            "next_claim": result.next_claim,
            "last_claim": result.last_claim,
            "seconds": result.seconds,
            "states": self.n_states,
            "nodes": None,
            "peak_memory_mb": result.peak_memory_mb,
        }

    def save(self, folder: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the solution as a folder: ``manifest.json`` and one ``.npy`` file for each array.

        The bounds of all states are the solution; the strategy at a state is found from them when
        it is asked for. The folder appears whole or not at all.

        Raises
        ------
        StorageError
            If the folder exists (and is not a stored solution that ``overwrite`` may replace), or
            cannot be written, as when the disk has less than `n_bytes_stored` free.
        """
        refuse_if_too_large(folder, self.n_bytes_stored)
        arrays: dict[str, Any] = {"low": self.result.low, "high": self.result.high}
        write_folder(folder, self.to_dict(), arrays, overwrite=overwrite)

    def __repr__(self) -> str:
        lo, hi = self.value_bounds
        return (
            f"CupSolution(rules={self.rules.name!r}, value_bounds=({lo:.6g}, {hi:.6g}), "
            f"exploitability={self.exploitability:.3g}, stop={self.stop.name})"
        )


def solution_from(
    manifest: Mapping[str, Any], arrays: Mapping[str, Any], *, verify: bool
) -> CupSolution:
    """Read back what `CupSolution.save` wrote.

    Raises
    ------
    StorageError
        If arrays are missing or do not fit the rules; what a damaged manifest raises comes as is.
    """
    rules = CupRules.from_dict(manifest["rules"])
    game = compile_cup(rules)
    expected = (game.n_hands, game.n_claims)
    refuse_other_arrays(arrays, ("low", "high"))
    for name in ("low", "high"):
        if name not in arrays:
            raise StorageError(f"the array {name} is missing")
        if arrays[name].shape != expected or arrays[name].dtype != np.float64:
            raise StorageError(
                f"{name} should be float64{list(expected)} for these rules, "
                f"got {arrays[name].dtype}{list(arrays[name].shape)}"
            )
    low, high = arrays["low"], arrays["high"]
    if verify and not ((low >= 0.0).all() and (low <= high).all() and (high <= 1.0).all()):
        raise StorageError("low and high are not bounds of probabilities")
    win_bounds = tuple(check_number("win_bounds", p) for p in manifest["win_bounds"])
    if len(win_bounds) != 2 or not 0.0 <= win_bounds[0] <= win_bounds[1] <= 1.0:
        raise ValueError(f"win_bounds must be two chances in rising order, got {win_bounds}")
    highest = game.n_claims - 1
    exact = read_fraction(manifest["exact_value"])
    result = CupResult(
        game=game,
        low=low,
        high=high,
        win_bounds=(win_bounds[0], win_bounds[1]),
        next_claim=check_whole("next_claim", manifest["next_claim"], at_least=-1, at_most=highest),
        last_claim=check_whole("last_claim", manifest["last_claim"], at_least=0, at_most=highest),
        stop=StopReason[manifest["stop"].upper()],
        n_stages=check_whole("iterations", manifest["iterations"], at_least=0),
        n_pivots=check_whole("pivots", manifest["pivots"], at_least=0),
        seconds=check_number("seconds", manifest["seconds"], at_least=0),
        peak_memory_mb=check_number("peak_memory_mb", manifest["peak_memory_mb"], at_least=0),
    )
    return CupSolution(rules, result, None if exact is None else (1 + exact) / 2)

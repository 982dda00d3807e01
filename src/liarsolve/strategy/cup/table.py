"""A solved round of a cup game with three or more players: strategies, and what was measured."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np

from liarsolve._typing import F8
from liarsolve.errors import GameTooLargeError, StorageError
from liarsolve.game.cup.graph import build_cup_graph
from liarsolve.game.cup.memory import CupMemory
from liarsolve.rules.cup.round import CupRound
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.solvers import StopReason
from liarsolve.solvers.cup.cfr_result import CupCFRResult, CupMeasure, CupProfile
from liarsolve.solvers.cup.unseen import (
    METHOD,
    UnseenResult,
    UnseenTables,
    measure_unseen,
)
from liarsolve.strategy.cup.first_turns import CupFirstTurns
from liarsolve.strategy.cup.table_strategy import CupTableAdvice, CupTableStrategy
from liarsolve.strategy.disk_space import refuse_if_too_large
from liarsolve.strategy.situation import Situation
from liarsolve.strategy.storage import write_folder

__all__ = ["TABLE_FAMILY", "CupTableSolution", "table_solution_from"]

TABLE_FAMILY = "cup_table"
"""What the manifest of a stored solution says about its game."""

_SEVERAL = (
    "with three or more players there may be several equilibria with other values, and none of "
    "them protects a player against two others who change their play together"
)


@dataclass(frozen=True, eq=False)
class CupTableSolution:
    """What `solve` returns for a cup game with three or more players, and `load` reads back.

    Payoffs: the loser of the round pays 1, which the others share. There is no value of the round
    then, and no bounds of one: what is known is what every seat gets if all play so, and what each
    could gain by changing its own play alone.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> solution = solve(presets.LIAR_DIE, players=3)
    >>> solution.n_players, len(solution.values), solution.value_bounds
    (3, 3, None)
    """

    result: UnseenResult | CupCFRResult

    @property
    def rules(self) -> CupRules:
        """The rules of the round."""
        return self.result.table.rules

    @property
    def n_players(self) -> int:
        """Players at the table."""
        return self.result.table.n_players

    @property
    def is_unseen(self) -> bool:
        """Whether everything is thrown again unseen, so that the last claim is all that counts."""
        return isinstance(self.result, UnseenResult)

    @cached_property
    def strategy(self) -> CupTableStrategy | CupProfile:
        """The strategies of all players.

        Where everything is thrown again unseen they are asked by situation, else by the state of
        the round: `CupProfile.policy`.
        """
        if isinstance(self.asked, CupTableStrategy):
            return self.asked
        return self.asked.result.strategy

    def advise(
        self, situation: Situation | None = None, **known: Any
    ) -> tuple[CupTableAdvice, ...]:
        """Every legal action with its probability and worth; see `CupTableStrategy.advise`.

        Raises
        ------
        InputError
            If it matters who has seen which hand: ask ``strategy.policy(state)`` then.
        """
        return self.asked.advise(situation, **known)

    @cached_property
    def asked(self) -> CupTableStrategy | CupFirstTurns:
        """The strategies, to be asked by situation: where players look, by those of first turns."""
        if isinstance(self.result, UnseenResult):
            return CupTableStrategy(self.result)
        return CupFirstTurns(self.result)

    @property
    def value_bounds(self) -> None:
        """None: with three and more players a round has no value."""

    @property
    def exploitability(self) -> None:
        """None: it is about two players who play for the same stake; see `nash_conv`."""

    @property
    def exact_value(self) -> None:
        """None: with three and more players a round has no value."""

    @property
    def values(self) -> tuple[float, ...]:
        """Expected payoff of every seat if all play so; the first one throws first."""
        return self.result.values

    @property
    def br_values(self) -> tuple[float, ...] | None:
        """Payoff of every seat if it alone changes its play for the best; `None` if unmeasured."""
        if isinstance(self.result, UnseenResult):
            return self.result.br_values
        return self.result.measure.br_values

    @property
    def nash_conv(self) -> float | None:
        """Sum over players of what each could gain alone; `None` if it was not measured."""
        return self.result.nash_conv

    @property
    def stop(self) -> StopReason:
        """Why the solver stopped."""
        return self.result.stop

    @property
    def iterations(self) -> int:
        """Iterations of the solver, of all stages where it goes claim by claim."""
        return self.result.iterations

    @property
    def seconds(self) -> float:
        """Time of the solver."""
        return self.result.seconds

    @property
    def n_states(self) -> int:
        """States that were solved: claims accepted last, or information sets."""
        return self.result.n_states

    @property
    def approximations(self) -> tuple[str, ...]:
        """What is approximate about the strategies, a sentence for each thing."""
        if isinstance(self.result, CupCFRResult):
            return self.result.approximations
        gain = self.result.nash_conv / self.n_players
        return (
            f"a player could still gain {gain:.2g} in the mean by changing their own play, "
            "computed exactly in the whole round",
            _SEVERAL,
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything but the strategies, as plain values for JSON."""
        result = self.result
        profile = None if isinstance(result, UnseenResult) else result
        br_values = self.br_values
        return {
            "family": TABLE_FAMILY,
            "rules": self.rules.to_dict(),
            "dice": [self.rules.equipment.n_items],
            "players": self.n_players,
            "values": list(self.values),
            "value_bounds": None,
            "win_bounds": None,
            "exact_value": None,
            "exploitability": None,
            "nash_conv": self.nash_conv,
            "br_values": None if br_values is None else list(br_values),
            "approximations": list(self.approximations),
            "stop": self.stop.name.lower(),
            "method": METHOD if profile is None else profile.method,
            "memory": None if profile is None else asdict(profile.strategy.memory),
            "left_out": None if profile is None else profile.measure.left_out,
            "iterations": self.iterations,
            "pivots": None,
            "next_claim": None,
            "last_claim": None,
            "seconds": self.seconds,
            "states": self.n_states,
            "nodes": None if profile is None else profile.n_nodes,
            "peak_memory_mb": result.peak_memory_mb,
        }

    @property
    def n_bytes_stored(self) -> int:
        """Bytes of the arrays that `save` writes, without headers and manifest."""
        return sum(int(array.nbytes) for array in self._arrays.values())

    @property
    def _arrays(self) -> dict[str, F8]:
        if isinstance(self.result, UnseenResult):
            return {"claim_probs": self.result.claim_probs, "accept": self.result.accept}
        return {"action_probs": self.result.strategy.action_probs}

    def save(self, folder: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the solution as a folder: ``manifest.json`` and one ``.npy`` file for each array.

        Raises
        ------
        StorageError
            If the folder exists (and is not a stored solution that ``overwrite`` may replace), or
            cannot be written, as when the disk has less than `n_bytes_stored` free.
        """
        refuse_if_too_large(folder, self.n_bytes_stored)
        write_folder(folder, self.to_dict(), self._arrays, overwrite=overwrite)

    def __repr__(self) -> str:
        gain = "not measured" if self.nash_conv is None else f"{self.nash_conv:.3g}"
        values = ", ".join(f"{value:.6g}" for value in self.values)
        return (
            f"CupTableSolution(rules={self.rules.name!r}, players={self.n_players}, "
            f"values=({values}), nash_conv={gain}, stop={self.stop.name})"
        )


def table_solution_from(
    manifest: Mapping[str, Any], arrays: Mapping[str, Any], *, verify: bool
) -> CupTableSolution:
    """Read back what `CupTableSolution.save` wrote.

    Raises
    ------
    StorageError
        If arrays are missing or do not fit the rules; what a damaged manifest raises comes as is.
    """
    table = CupRound(CupRules.from_dict(manifest["rules"]), int(manifest["players"]))
    stop = StopReason[manifest["stop"].upper()]
    if manifest["memory"] is not None:
        return CupTableSolution(_profile_from(manifest, arrays, table, stop, verify=verify))
    tables = UnseenTables.of(table)
    n_claims, n_hands, _ = tables.challenged.shape
    claim_probs = _array(arrays, "claim_probs", (n_claims + 1, n_hands, n_claims))
    accept = _array(arrays, "accept", (n_claims + 1, n_claims))
    if verify:
        totals = claim_probs[tables.states].sum(axis=2)
        is_sound = (claim_probs >= 0.0).all() and np.allclose(totals, 1.0, atol=1e-9)
        if not (is_sound and (accept >= 0.0).all() and (accept <= 1.0).all()):
            raise StorageError("claim_probs and accept are not probabilities")
    places, br_places = measure_unseen(tables, claim_probs, accept)
    result = UnseenResult(
        tables=tables,
        claim_probs=claim_probs,
        accept=accept,
        places=places,
        br_places=br_places,
        stop=stop,
        iterations=int(manifest["iterations"]),
        seconds=float(manifest["seconds"]),
    )
    return CupTableSolution(result)


def _profile_from(
    manifest: Mapping[str, Any],
    arrays: Mapping[str, Any],
    table: CupRound,
    stop: StopReason,
    *,
    verify: bool,
) -> CupCFRResult:
    memory = CupMemory(**manifest["memory"])
    n_nodes = int(manifest["nodes"])
    try:
        graph, infosets = build_cup_graph(table, [memory] * table.n_players, max_nodes=n_nodes)
    except GameTooLargeError as error:
        raise StorageError("nodes is not the number of nodes of these rules") from error
    probs = _array(arrays, "action_probs", (infosets.first[-1],))
    if verify:
        totals = np.add.reduceat(probs, infosets.first[:-1])
        if not ((probs >= 0.0).all() and np.allclose(totals, 1.0, atol=1e-9)):
            raise StorageError("action_probs are not probabilities")
    br_values = manifest["br_values"]
    measure = CupMeasure(
        values=_numbers(manifest["values"], table.n_players),
        br_values=None if br_values is None else _numbers(br_values, table.n_players),
        left_out=float(manifest["left_out"]),
    )
    return CupCFRResult(
        strategy=CupProfile(table=table, memory=memory, infosets=infosets, action_probs=probs),
        measure=measure,
        stop=stop,
        method=str(manifest["method"]),
        iterations=int(manifest["iterations"]),
        seconds=float(manifest["seconds"]),
        is_zero_sum=False,
        n_nodes=graph.n_nodes,
        peak_memory_mb=float(manifest["peak_memory_mb"]),
    )


def _numbers(values: Any, n_players: int) -> tuple[float, ...]:  # Any: parsed JSON
    numbers = tuple(float(x) for x in values)
    if len(numbers) != n_players or not all(map(math.isfinite, numbers)):
        raise ValueError(f"one finite number per player is due, got {numbers}")
    return numbers


def _array(arrays: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> Any:
    if name not in arrays:
        raise StorageError(f"the array {name} is missing")
    if arrays[name].shape != shape or arrays[name].dtype != np.float64:
        raise StorageError(
            f"{name} should be float64{list(shape)} for these rules, "
            f"got {arrays[name].dtype}{list(arrays[name].shape)}"
        )
    return arrays[name]

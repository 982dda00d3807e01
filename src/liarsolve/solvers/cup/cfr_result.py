"""What CFR on a cup game returns: a strategy, and what was measured about it."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from liarsolve._typing import F8
from liarsolve.errors import InputError
from liarsolve.game.cup.graph import CupInfosets, Decision
from liarsolve.game.cup.memory import SINCE_HELD, CupMemory, observe
from liarsolve.rules import BlindPass, CupAction, CupPhase, CupRound, CupState, Look
from liarsolve.solvers.core.result import StopReason

__all__ = ["CupCFRResult", "CupMeasure", "CupProfile"]

_DECISIONS = {
    CupPhase.ANSWER: Decision.ANSWER,
    CupPhase.LOOK: Decision.LOOK,
    CupPhase.KEEP: Decision.KEEP,
    CupPhase.CLAIM: Decision.CLAIM,
}
_ROUNDING = 1e-12
"""More than the rounding error of a best response: values are sums of at most some thousand terms
that add up to a payoff, and each addition is off by at most 1.1e-16 of the sum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CupMeasure:
    """What strategies earn, and what the best responses of a player with perfect recall would."""

    values: tuple[float, ...]
    """Expected payoff of every player if all play their strategies."""
    br_values: tuple[float, ...] | None
    """Payoff of each player's best response to the others' strategies, or a little more; `None`
    where the round is too large to traverse."""
    left_out: float = 0.0
    """Largest chance, over players, with which the others let a best response get to what was not
    traversed. There it is taken to get the most that can be had."""

    @property
    def nash_conv(self) -> float | None:
        """Sum over players of what each could still gain; `None` if it was not measured."""
        if self.br_values is None:
            return None
        gains = (b - v for b, v in zip(self.br_values, self.values, strict=True))
        return max(sum(gains), 0.0)  # less than 0 only by rounding


@dataclass(frozen=True, eq=False, kw_only=True)
class CupProfile:
    """Strategies of all players in a round of a cup game, which go by what each remembers."""

    table: CupRound
    memory: CupMemory
    """What of the round they go by."""
    infosets: CupInfosets
    action_probs: F8
    """Action probabilities by information set, float64[A]."""

    def policy(self, state: CupState) -> dict[CupAction, float]:
        """Chances of the actions of the player who has to act.

        Of the state only what that player remembers counts.

        Raises
        ------
        InputError
            If nobody has to act.
        """
        player = self.table.to_act(state)
        if player is None:
            raise InputError(
                "nobody has to act: a throw has to come out, or the round is over; give a state "
                "in which a player decides"
            )
        actions = self.table.legal_actions(state)
        if len(actions) == 1:
            return {actions[0]: 1.0}
        first, stop = self.actions_at(state)
        probs: list[float] = np.asarray(self.action_probs[first:stop]).tolist()
        return dict(zip(actions, probs, strict=True))

    def actions_at(self, state: CupState) -> tuple[int, int]:
        """Where the actions of the player who has to act stand in the arrays: from, and up to.

        There must be a choice: nothing stands there for what has to be done.
        """
        player = self.table.to_act(state)
        assert player is not None
        memories = self.infosets.memories[player]
        memory_id = 0
        for seen in observe(self.table, self.table.view(state, player), player):
            memory_id = memories.after(memory_id, seen)
        infoset = self.infosets.ids[player, _DECISIONS[state.phase], memory_id]
        return self.infosets.first[infoset], self.infosets.first[infoset + 1]


@dataclass(frozen=True, eq=False, kw_only=True)
class CupCFRResult:
    """Strategies for a round of a cup game, and how good they are."""

    strategy: CupProfile
    measure: CupMeasure
    stop: StopReason
    method: str
    """Name of the CFR variant."""
    iterations: int
    seconds: float
    is_zero_sum: bool
    """Whether two players play for opposite payoffs, as they do by default."""
    n_nodes: int
    """Nodes of the round as the strategies see it."""
    peak_memory_mb: float
    """Memory of the solver's arrays, in units of 1e6 bytes."""
    payoff_bounds: tuple[float, float] = (-1.0, 1.0)
    """The least and the most that player 0 can get."""

    @property
    def table(self) -> CupRound:
        """The round."""
        return self.strategy.table

    def policy(self, state: CupState) -> dict[CupAction, float]:
        """Chances of the actions of the player who has to act, as `CupProfile.policy`."""
        return self.strategy.policy(state)

    @property
    def n_states(self) -> int:
        """Information sets on which the strategies are written."""
        return len(self.strategy.infosets.player)

    @property
    def values(self) -> tuple[float, ...]:
        """Expected payoff of every seat if all play these strategies; player 0 throws first."""
        return self.measure.values

    @property
    def nash_conv(self) -> float | None:
        """Sum over players of what each could gain by a best response with perfect recall.

        `None` if the round was too large to traverse for that.
        """
        return self.measure.nash_conv

    @property
    def exploitability(self) -> float | None:
        """Half of `nash_conv` between two players with opposite payoffs, else `None`."""
        if self.nash_conv is None or not self.is_zero_sum:
            return None
        return self.nash_conv / 2

    @property
    def value_bounds(self) -> tuple[float, float] | None:
        """Proved bounds of the value of the round to player 0, in payoffs.

        `None` if nothing was measured, and with more than two players, where a round has no value.
        """
        if self.measure.br_values is None or not self.is_zero_sum:
            return None
        first, second = self.measure.br_values
        least, most = self.payoff_bounds
        return (max(-second - _ROUNDING, least), min(first + _ROUNDING, most))

    @property
    def approximations(self) -> tuple[str, ...]:
        """What is approximate about the strategies, a sentence for each thing."""
        table, memory = self.strategy.table, self.strategy.memory
        rules, n_players = table.rules, table.n_players
        found = []
        if self.nash_conv is None:
            found.append(
                "how far the strategies are from an equilibrium was not measured, since the round "
                "is too large to traverse with perfect recall"
            )
        else:
            found.append(
                f"a player could still gain {self.nash_conv / n_players:.2g} in the mean by "
                "changing their own play, measured by best responses with perfect recall"
            )
        if self.measure.left_out > 0:
            found.append(
                f"that is an upper bound: what is reached with a chance of "
                f"{self.measure.left_out:.2g} in all was not traversed, and counts in full against "
                "the strategies"
            )
        is_reset = (
            n_players == 2
            and memory == SINCE_HELD
            and rules.blind_pass is BlindPass.OFF
            and rules.look is not Look.OPTIONAL
        )
        if not (memory.is_perfect or is_reset):
            found.append(f"the strategies go by this alone, an abstraction: {memory}")
        if n_players > 2:
            found.append(
                "with three or more players CFR may end at strategies that are no equilibrium, "
                "there may be several equilibria with other values, and none of them protects a "
                "player against two others who change their play together"
            )
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the strategies, as plain values for JSON."""
        bounds, br_values = self.value_bounds, self.measure.br_values
        return {
            "rules": self.table.rules.to_dict(),
            "players": self.table.n_players,
            "memory": asdict(self.strategy.memory),
            "values": list(self.values),
            "br_values": None if br_values is None else list(br_values),
            "nash_conv": self.nash_conv,
            "left_out": self.measure.left_out,
            "exploitability": self.exploitability,
            "value_bounds": None if bounds is None else list(bounds),
            "approximations": list(self.approximations),
            "stop": self.stop.name.lower(),
            "method": self.method,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "states": self.n_states,
            "nodes": self.n_nodes,
            "peak_memory_mb": self.peak_memory_mb,
        }

    def __repr__(self) -> str:
        gain = "not measured" if self.nash_conv is None else f"{self.nash_conv:.3g}"
        values = ", ".join(f"{value:.6g}" for value in self.values)
        return (
            f"CupCFRResult(rules={self.table.rules.name!r}, players={self.table.n_players}, "
            f"memory={str(self.strategy.memory)!r}, values=({values}), nash_conv={gain}, "
            f"stop={self.stop.name})"
        )

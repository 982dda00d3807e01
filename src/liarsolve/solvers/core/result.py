"""What a solver returns: a strategy, its certificate, and why the work stopped."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from numpy.typing import NDArray

from liarsolve._typing import Real
from liarsolve.game import Payoffs, PublicTree, StrategyProfile
from liarsolve.solvers.core.certificate import (
    AnyCertificate,
    BoundedLoss,
    LowerBound,
    Unmeasured,
)


class StopReason(Enum):
    """Why a solver stopped; the value is a sentence that says what to do about it.

    Examples
    --------
    >>> from liarsolve import StopReason, presets, solve
    >>> solution = solve(presets.COMMON.replace(faces=2), dice=(1, 1))
    >>> solution.stop is StopReason.CONVERGED, solution.stop.value
    (True, 'the certified exploitability is at or below the target')
    """

    CONVERGED = "the certified exploitability is at or below the target"
    EXACT = "a linear program was solved to its optimum"
    ITERATION_LIMIT = (
        "max_iterations came before the target; raise it, or accept the certified exploitability"
    )
    TIME_LIMIT = (
        "max_seconds came before the target; raise it, or accept the certified exploitability"
    )
    MEMORY_LIMIT = (
        "max_memory was used up and the states that fit do not come nearer to the target; "
        "raise it, or accept the certified exploitability"
    )
    ROUNDING_LIMIT = (
        "rounding errors hide an exploitability as small as the target; accept the certified one"
    )
    STALLED = (
        "twice as many iterations have not brought nash_conv down by a tenth; with more than two "
        "players nothing promises that they will, so accept it, or try another variant"
    )
    ABSTRACTION_LIMIT = (
        "twice as many iterations have not brought the true exploitability down by a tenth; what "
        "the players forget sets a limit, so remember more bids, or accept it"
    )
    INTERRUPTED = "interrupted before the target; the certificate is of the strategy reached"


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """State of a running solve, as ``on_progress`` receives it."""

    iteration: int
    certificate: AnyCertificate
    target: float
    seconds: float
    seconds_left: float | None
    """Estimate of the time to the target, `None` while there is nothing to go by."""
    n_states: int
    memory_mb: float
    """Memory of the trees, in units of 1e6 bytes."""

    @property
    def is_traversed(self) -> bool:
        """Whether the best responses were traversed to the end; if not, bounds may say little."""
        return not isinstance(self.certificate, BoundedLoss | Unmeasured)

    @property
    def distance(self) -> float | None:
        """What ``target`` is about: exploitability of two players, ``nash_conv`` of more.

        None where it was not measured.
        """
        exploitability = self.certificate.exploitability
        return self.certificate.nash_conv if exploitability is None else exploitability


ProgressCallback: TypeAlias = Callable[[SolveProgress], None]


@dataclass(frozen=True, slots=True, eq=False)
class SolverState:
    """A running solve, complete: plain values for JSON, and arrays by name."""

    values: dict[str, Any]
    arrays: Mapping[str, NDArray[Any]]


CheckpointCallback: TypeAlias = Callable[[SolverState], None]


@dataclass(frozen=True, eq=False, kw_only=True)
class SolveResult:
    """The strategies of all players on a public tree, with the proof of how good they are."""

    tree: PublicTree
    strategy: tuple[Real, ...]
    """Action probabilities of each player, [E, H]: float64, float32 for large rounds, or whole
    numbers in proportion to them in a compact copy."""
    payoffs: Payoffs
    certificate: AnyCertificate
    stop: StopReason
    method: str
    """Name of the CFR variant, followed by ", then lp" where linear programs finished what it had
    begun; ``lp`` where they did everything."""
    iterations: int
    seconds: float
    peak_memory_mb: float
    """Memory of the solver's arrays, in units of 1e6 bytes."""
    opponent_model_prob: float = 0.0
    """Chance with which every player reckoned, of each other one, that they go by the odds."""

    @property
    def is_traversed(self) -> bool | None:
        """Whether the best responses traversed all of the full game that matters.

        None without an abstraction, whose responses always do.
        """
        if self.tree.abstraction is None:
            return None
        return not isinstance(self.certificate, BoundedLoss | Unmeasured)

    @property
    def lower_bound(self) -> LowerBound | None:
        """What the strategies lose at least, where only bounds of that are known."""
        certificate = self.certificate
        return certificate.lower_bound if isinstance(certificate, BoundedLoss) else None

    @property
    def profile(self) -> StrategyProfile:
        """The strategies with their tree and payoffs, as what measures them takes them."""
        return StrategyProfile(self.tree, self.strategy, self.payoffs)

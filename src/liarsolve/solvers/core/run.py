"""The loop that runs every solver that iterates: limits, measurements, Ctrl-C and checkpoints."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from liarsolve.solvers.core.checkpoints import Callbacks, CheckpointClock
from liarsolve.solvers.core.halt import Halt, Interrupts
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.core.result import SolverState, StopReason

_LAST_SECONDS = 0.5
"""What the last measurement may take beyond ``max_seconds``, and of what was kept for it."""
_ANSWER_SECONDS = 0.5
_ANSWER_SHARE = 0.75
"""What it may take after an interrupt: so much, or this share of what is kept for it at a limit,
where that is more, lest a long solve loses its certificate."""
_LITTLE_SHARE = 0.05
"""Part of ``max_seconds`` in which iterations may become ten times as long at once."""
_FIRST_SHARE = 0.8
"""Part of ``max_seconds`` after which a first iteration is cut, since nobody knows yet how long it
takes to measure what it has made."""


class Measurement(NamedTuple):
    """What a solver has found out about its strategies."""

    distance: float | None
    """What the target is about; None if it is not known."""
    is_complete: bool = True
    """Whether it is the distance itself, and not only a bound that may say little."""


class Task(Protocol):
    """A solver, as `Run` sees it. Long work in it asks ``halt`` now and then."""

    halt: Halt

    @property
    def iteration(self) -> int:
        """Iterations done."""

    @property
    def seconds_kept(self) -> float:
        """Time that is needed after the last iteration, before there is a result."""

    def measures_at(self, stop: StopReason) -> bool:
        """Whether `measure` is wanted when a limit has come, or whoever takes the result will."""

    def step(self, run: "Run") -> None:
        """Do one iteration, or a part of it where ``halt`` says so."""

    def measure(self, run: "Run") -> Measurement:
        """Find out how good the average strategies are."""

    def pause(self, measured: Measurement) -> int:
        """Say how many iterations to do before the next measurement."""

    def judge(self, run: "Run", measured: Measurement) -> StopReason | None:
        """Say whether to give up the target, and go by what was measured in what follows."""

    def improve(self, run: "Run") -> bool:
        """Try something else than iterations; whether that has reached the target."""

    def progress(self, run: "Run") -> Any:  # Any: each family has a record of its own
        """What ``on_progress`` is told."""

    def to_state(self) -> SolverState:
        """Everything that `restore` needs."""

    def restore(self, state: SolverState) -> None:
        """Go on where `to_state` was taken."""


class History(NamedTuple):
    """One measurement, as `Run` remembers it."""

    iteration: int
    seconds: float
    distance: float


@dataclass(eq=False)
class Run:
    """A solver on its way to a target, within limits."""

    task: Task
    limits: Limits
    started: float
    """When it began, without pauses; a time of `time.perf_counter`."""
    interrupts: Interrupts
    on_progress: Callable[[Any], None] | None = None
    stop: StopReason | None = None
    next_check: int = 1
    resumed_after: float = 0.0
    """Seconds that had been spent before, if it goes on from a checkpoint."""
    resumed_iteration: int = 0
    """Iterations that had been done before."""
    history: list[History] = field(default_factory=list)
    """Every complete measurement."""

    def __post_init__(self) -> None:
        self._set_deadline()

    @property
    def seconds(self) -> float:
        """Time since the beginning, without pauses."""
        return perf_counter() - self.started

    @property
    def budget(self) -> float | None:
        """Seconds that there are for this part of the solve; None without a limit."""
        if self.limits.max_seconds is None:
            return None
        return max(self.limits.max_seconds - self.resumed_after, 0.0)

    @property
    def is_out_of_time(self) -> bool:
        """Whether all of ``max_seconds`` are used up."""
        return self.limits.max_seconds is not None and self.seconds > self.limits.max_seconds

    @property
    def has_much_time(self) -> bool:
        """Whether there is a limit of time of which little is used up."""
        budget = self.budget
        return budget is not None and self.seconds - self.resumed_after < _LITTLE_SHARE * budget

    def _set_deadline(self) -> None:
        deadline = math.inf
        if self.limits.max_seconds is not None and self.budget is not None:
            is_first = self.task.iteration == self.resumed_iteration
            kept = self.budget * (1.0 - _FIRST_SHARE) if is_first else self.task.seconds_kept
            deadline = self.started + self.limits.max_seconds - min(kept, self.budget / 2)
        self.task.halt = Halt(deadline, self.interrupts)

    def to_state(self) -> SolverState:
        """Everything that `restore` needs."""
        state = self.task.to_state()
        own = {
            "next_check": self.next_check,
            "seconds": self.seconds,
            "stop": None if self.stop is None else self.stop.name,
            "history": [list(entry) for entry in self.history],
        }
        return SolverState(state.values | own, state.arrays)

    def restore(self, state: SolverState) -> None:
        """Go on where `to_state` was taken."""
        values = state.values
        self.task.restore(state)
        self.next_check = int(values["next_check"])
        self.resumed_after = float(values["seconds"])
        self.resumed_iteration = self.task.iteration
        self.started -= self.resumed_after
        self.history = [History(int(i), float(s), float(d)) for i, s, d in values["history"]]
        self._set_deadline()

    def go(self, callbacks: Callbacks) -> None:
        """Iterate until the target or a limit has come, or somebody interrupts.

        Interrupts are answered between iterations, and inside of long ones. Afterwards there is a
        moment for the last measurement, which another interrupt cuts short.
        """
        checkpoints = CheckpointClock(
            callbacks.on_checkpoint, callbacks.checkpoint_seconds, perf_counter()
        )
        self.interrupts.raise_waiting()
        try:
            with self.interrupts.held():
                while self.stop is None:
                    self._set_deadline()
                    self.task.step(self)
                    self.interrupts.raise_waiting()
                    if self._is_due():
                        self._measure()
                    if self.stop is None:
                        self.interrupts.raise_waiting()
                    checkpoints.tick(self.to_state)
        except KeyboardInterrupt:
            self.stop = StopReason.INTERRUPTED
            self._begin_last()
            if self.task.measures_at(self.stop):
                self._find_distance()
        else:
            if self.stop is not StopReason.CONVERGED:  # more time or memory can go on from here
                checkpoints.call(self.to_state)
            self._begin_last()

    def _begin_last(self) -> None:
        """Allow for the last measurement: the interrupt before it is answered."""
        self.interrupts.n_answered = self.interrupts.n_come
        deadline = math.inf
        if self.stop is StopReason.INTERRUPTED:
            more = max(_ANSWER_SECONDS, _ANSWER_SHARE * self.task.seconds_kept)
            deadline = perf_counter() + more
        elif self.limits.max_seconds is not None:
            deadline = max(self.started + self.limits.max_seconds, perf_counter()) + _LAST_SECONDS
        self.task.halt = Halt(deadline, self.interrupts)

    def _is_due(self) -> bool:
        """Whether it is time to measure, because of the iterations or of a limit."""
        iteration = self.task.iteration
        self.stop = self.limits.reached(iteration, self.seconds + self.task.seconds_kept)
        if self.stop is None and self.task.halt():  # the iteration was cut
            self.stop = StopReason.TIME_LIMIT
        if self.stop is not None:
            is_wanted = self.task.measures_at(self.stop)
            if is_wanted:
                self._begin_last()
            return is_wanted
        return iteration >= self.next_check

    def _find_distance(self) -> Measurement:
        measured = self.task.measure(self)
        if measured.is_complete and measured.distance is not None:
            self.history.append(History(self.task.iteration, self.seconds, measured.distance))
        return measured

    def _measure(self) -> None:
        """Measure the average strategies, and see whether that is enough."""
        measured = self._find_distance()
        self.next_check = self.task.iteration + self.task.pause(measured)
        if measured.distance is not None and measured.distance <= self.limits.target:
            self.stop = StopReason.CONVERGED
        self.stop = self.task.judge(self, measured) or self.stop
        if self.on_progress is not None:
            self.on_progress(self.task.progress(self))
        if self.task.improve(self):
            self.stop = StopReason.CONVERGED

    def seconds_left(self) -> float | None:
        """Estimate of the time to the target; None while there is nothing to go by."""
        if not self.history:
            return None
        return estimate_seconds_left([(s, d) for _, s, d in self.history], self.limits.target)


def estimate_seconds_left(history: list[tuple[float, float]], target: float) -> float | None:
    """Time to the target, if exploitability goes on falling as the same power of time.

    ``history`` holds pairs (seconds, exploitability); the second half of them is fitted.
    """
    seconds, last = history[-1]
    if last <= target:
        return 0.0
    earlier_seconds, earlier = history[len(history) // 2 - 1] if len(history) > 3 else history[-1]
    if target <= 0 or not earlier > last or not seconds > earlier_seconds:
        return None
    exponent = math.log(earlier / last) / math.log(seconds / earlier_seconds)
    growth = math.log(last / target) / exponent
    return seconds * math.expm1(growth) if growth < 50 else None

"""The loop that runs every solver: limits, interrupts, checkpoints, and a clock that can be set."""

import signal
from contextlib import suppress

import pytest

from liarsolve.errors import InputError, InputTypeError
from liarsolve.solvers import SolverState, StopReason
from liarsolve.solvers.core import halt as halt_module
from liarsolve.solvers.core import run as run_module
from liarsolve.solvers.core.checkpoints import Callbacks
from liarsolve.solvers.core.halt import Halt, Interrupts, listen
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.core.run import Measurement, Run


class Clock:
    """Seconds that only a test moves on."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    for module in (halt_module, run_module):
        monkeypatch.setattr(module, "perf_counter", clock)
    monkeypatch.setattr("liarsolve.solvers.core.checkpoints.perf_counter", clock)
    return clock


class Halving:
    """A solver whose distance halves with every iteration."""

    def __init__(self, clock, *, seconds=1.0, on_step=None):
        self.clock, self.seconds, self.on_step = clock, seconds, on_step
        self.iteration, self.n_measured, self.seconds_kept = 0, 0, 0.0
        self.halt = Halt()
        self.halts = []

    def step(self, run):
        self.iteration += 1
        self.clock.now += self.seconds
        if self.on_step is not None:
            self.on_step(self)
        self.halts.append(self.halt())

    def measure(self, run):
        self.n_measured += 1
        return Measurement(0.5**self.iteration)

    def measures_at(self, stop):
        return True

    def pause(self, measured):
        return 1

    def judge(self, run, measured):
        return run.stop

    def improve(self, run):
        return False

    def progress(self, run):
        return self.iteration

    def to_state(self):
        return SolverState({"iteration": self.iteration}, {})

    def restore(self, state):
        self.iteration = int(state.values["iteration"])


def make_run(task, interrupts=None, on_progress=None, **limits):
    limits = Limits(**{"target": 1e-9, **limits})
    return Run(task, limits, task.clock(), interrupts or Interrupts(), on_progress)


def test_the_target_ends_it_at_the_measurement_that_reaches_it(clock):
    run = make_run(Halving(clock), target=0.1)
    run.go(Callbacks())
    assert (run.stop, run.task.iteration, run.task.n_measured) == (StopReason.CONVERGED, 4, 4)
    assert [tuple(entry) for entry in run.history] == [
        (1, 1.0, 0.5),
        (2, 2.0, 0.25),
        (3, 3.0, 0.125),
        (4, 4.0, 0.0625),
    ]


def test_iterations_and_seconds_end_it(clock):
    run = make_run(Halving(clock), max_iterations=3)
    run.go(Callbacks())
    assert (run.stop, run.task.iteration) == (StopReason.ITERATION_LIMIT, 3)
    run = make_run(Halving(clock), max_seconds=5.5)
    run.go(Callbacks())
    assert (run.stop, run.task.iteration) == (StopReason.TIME_LIMIT, 6)


def test_time_is_kept_for_what_follows_the_last_iteration(clock):
    task = Halving(clock)
    task.seconds_kept = 2.0
    run = make_run(task, max_seconds=6.0)
    run.go(Callbacks())
    assert (run.stop, task.iteration) == (StopReason.TIME_LIMIT, 4)


def test_a_long_iteration_is_told_that_time_is_up_and_is_the_last(clock):
    task = Halving(clock, seconds=4.0)
    run = make_run(task, max_seconds=10.0)
    run.go(Callbacks())
    assert task.halts == [False, False, True]
    # of a first one, nobody knows how long it takes to measure what it has made
    first = Halving(clock, seconds=8.5)
    run = make_run(first, max_seconds=10.0)
    run.go(Callbacks())
    assert (first.halts, first.iteration, run.stop) == ([True], 1, StopReason.TIME_LIMIT)
    assert not first.halt()  # what is left is for the last measurement, and a moment more
    clock.now += 1.9
    assert not first.halt()
    clock.now += 0.2
    assert first.halt()


@pytest.mark.parametrize(("kept", "allowed"), [(0.0, 0.5), (8.0, 6.0)])
def test_an_interrupt_is_answered_soon_but_not_without_what_was_measured_before(
    clock, kept, allowed
):
    interrupts = Interrupts()

    def interrupt(task):
        interrupts.n_come += task.iteration == 2

    task = Halving(clock, on_step=interrupt)
    task.seconds_kept = kept
    run = make_run(task, interrupts)
    run.go(Callbacks())
    assert run.stop is StopReason.INTERRUPTED
    assert not task.halt()
    clock.now += allowed
    assert task.halt()


def test_an_interrupt_that_got_lost_still_ends_it(clock):
    interrupts = Interrupts()

    def swallow(task):
        if task.iteration == 3:
            with suppress(KeyboardInterrupt):  # as callbacks of a compiler do
                interrupts.handle(signal.SIGINT, None)

    task = Halving(clock, on_step=swallow)
    run = make_run(task, interrupts)
    run.go(Callbacks())
    assert (run.stop, task.iteration) == (StopReason.INTERRUPTED, 3)
    assert task.n_measured == 3  # also what was reached at last
    assert not task.halt()  # the interrupt is answered
    interrupts.n_come += 1
    assert task.halt()  # another one gives up the measurement


def test_an_interrupt_that_got_lost_before_the_first_iteration_is_raised(clock):
    interrupts = Interrupts(n_come=1)
    run = make_run(Halving(clock), interrupts)
    with pytest.raises(KeyboardInterrupt):
        run.go(Callbacks())
    assert run.task.iteration == 0


def test_a_callback_may_interrupt(clock):
    def stop(iteration):
        if iteration == 2:
            raise KeyboardInterrupt

    run = make_run(Halving(clock), on_progress=stop)
    run.go(Callbacks())
    assert (run.stop, run.task.iteration) == (StopReason.INTERRUPTED, 2)


def test_interrupts_wait_only_where_somebody_looks():
    seen = []
    interrupts = Interrupts(lambda: seen.append(interrupts.n_come))
    with pytest.raises(KeyboardInterrupt):
        interrupts.handle(signal.SIGINT, None)
    interrupts.n_answered = 1
    with interrupts.held():
        interrupts.handle(signal.SIGINT, None)
        interrupts.handle(signal.SIGINT, None)
        with pytest.raises(KeyboardInterrupt):  # whoever presses on wants out
            interrupts.handle(signal.SIGINT, None)
    assert seen == [1, 2, 3, 4]
    assert not interrupts.is_held


def test_the_handler_is_there_while_somebody_listens():
    before = signal.getsignal(signal.SIGINT)
    with listen() as outer:
        assert signal.getsignal(signal.SIGINT) == outer.handle
        with listen() as inner:
            assert inner is outer
        with outer.held():
            signal.raise_signal(signal.SIGINT)
        assert outer.is_waiting
        assert Halt(interrupts=outer)()
    assert signal.getsignal(signal.SIGINT) is before


def test_a_handler_of_the_program_stays():
    def own(signum, frame):
        """Of the program."""

    before = signal.signal(signal.SIGINT, own)
    try:
        with listen():
            assert signal.getsignal(signal.SIGINT) is own
    finally:
        signal.signal(signal.SIGINT, before)


def test_checkpoints_come_by_the_clock_and_at_a_limit(clock):
    states = []
    run = make_run(Halving(clock), max_iterations=8)
    run.go(Callbacks(on_checkpoint=states.append, checkpoint_seconds=3.0))
    assert [state.values["iteration"] for state in states] == [3, 6, 8]
    assert [state.values["stop"] for state in states] == [None, None, "ITERATION_LIMIT"]
    again = make_run(Halving(clock), max_iterations=10)
    again.restore(states[-1])
    assert (again.seconds, again.budget, len(again.history)) == (8.0, None, 8)
    again.go(Callbacks())
    assert again.task.iteration == 10


@pytest.mark.parametrize(
    ("limits", "error", "sentence"),
    [
        ({"target": -1.0}, InputError, "target is an exploitability of 0 or more, got -1.0"),
        ({"target": "x"}, InputTypeError, "target is a number, got 'x'"),
        ({"target": float("inf")}, InputError, "target is an exploitability of 0 or more, got inf"),
        ({"max_iterations": 2.5}, InputTypeError, "max_iterations is a whole number, got 2.5"),
        ({"max_iterations": 0}, InputError, "max_iterations must be more than 0, got 0"),
        ({"max_seconds": True}, InputTypeError, "max_seconds is a number, got True"),
        ({"max_seconds": float("nan")}, InputError, "max_seconds must be more than 0, got nan"),
        ({"max_memory": "4GB"}, InputTypeError, "max_memory is a number, got '4GB'"),
    ],
)
def test_limits_are_checked(limits, error, sentence):
    with pytest.raises(error) as raised:
        Limits(**{"target": 0.1, **limits}).check("an exploitability")
    assert str(raised.value) == sentence

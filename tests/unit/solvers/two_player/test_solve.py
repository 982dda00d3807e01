"""When a solve stops and what it reports; what it refuses before it begins."""

import tracemalloc
from importlib import import_module
from itertools import count, pairwise

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import GameTooLargeError, InputError
from liarsolve.game import compile_graph
from liarsolve.solvers import Callbacks, Limits, StopReason, solve_cfr
from liarsolve.solvers.core.memory import machine_memory
from liarsolve.solvers.core.run import estimate_seconds_left
from liarsolve.solvers.two_player import growing_tree
from liarsolve.solvers.two_player.best_response import certify
from liarsolve.solvers.two_player.cfr import CFRSolver
from liarsolve.solvers.two_player.solve import estimate_least_memory

STARS_2V1 = compile_graph(Round(presets.OPENSPIEL.replace(faces=3), (2, 1)))
VALUE = 7 / 27
"""Row of the table of values, proved as a fraction."""
ROUNDING = 1e-14
MODULE = import_module("liarsolve.solvers.two_player.solve")


def bits(result):
    return [a.tobytes() for a in (result.tree.node, *result.tree.children, *result.strategy)]


def assert_is_certified(result, slack=ROUNDING, value=VALUE):
    """The bracket contains the value, and best responses to what was returned stay inside."""
    lo, hi = result.certificate.value_bounds
    assert lo - ROUNDING <= value <= hi + ROUNDING
    exact = certify(result.profile)
    for bound, br_value in zip(result.certificate.br_values, exact.br_values, strict=True):
        assert br_value <= bound + slack


# --- stopping ---------------------------------------------------------------------------------


def test_stops_at_the_target():
    result = solve_cfr(STARS_2V1, limits=Limits(target=1e-3))
    assert result.stop is StopReason.CONVERGED
    assert result.certificate.exploitability <= 1e-3
    assert result.method == "discounted"
    assert_is_certified(result)


def test_stops_at_the_iteration_limit():
    result = solve_cfr(STARS_2V1, limits=Limits(target=0, max_iterations=37))
    assert result.stop is StopReason.ITERATION_LIMIT
    assert result.iterations == 37
    assert_is_certified(result)


def test_stops_at_the_time_limit(ticks):
    result = solve_cfr(STARS_2V1, limits=Limits(target=0, max_seconds=1e-9))
    assert result.stop is StopReason.TIME_LIMIT
    assert result.iterations == 1
    assert_is_certified(result)
    started = ticks.now
    result = solve_cfr(STARS_2V1, limits=Limits(target=0, max_seconds=500))
    assert result.stop is StopReason.TIME_LIMIT
    assert result.iterations > 1
    assert 400 <= result.seconds <= ticks.now - started


def test_a_large_round_begins_coarsely_only_if_time_is_short(monkeypatch):
    monkeypatch.setattr(MODULE, "_LARGE_ENTRIES", 1)
    begun = []
    step = CFRSolver.step

    def note(solver):
        begun.append(solver.threshold)
        step(solver)

    solve_cfr(STARS_2V1, limits=Limits(target=0, max_iterations=1))  # what is compiled first too
    monkeypatch.setattr(CFRSolver, "step", note)
    for seconds in (None, 1e9):
        solve_cfr(STARS_2V1, limits=Limits(target=0, max_iterations=1, max_seconds=seconds))
    assert begun == [1e-3, 0.3]


def test_stops_where_the_memory_ends(monkeypatch):
    for module in (growing_tree, MODULE):
        monkeypatch.setattr(module, "FIRST_STATES", 8)
        monkeypatch.setattr(module, "FIRST_EDGES", 8 * 8)
    free = solve_cfr(STARS_2V1, limits=Limits(target=1e-4))
    max_memory = 0.5e6 * free.peak_memory_mb
    result = solve_cfr(STARS_2V1, limits=Limits(target=1e-4, max_memory=max_memory))
    assert result.stop is StopReason.MEMORY_LIMIT
    assert result.peak_memory_mb * 1e6 <= max_memory
    assert result.tree.n_states < free.tree.n_states
    assert_is_certified(result)


def test_stops_at_an_interrupt_with_what_it_has():
    calls = count(1)

    def interrupt(_):
        if next(calls) == 5:
            raise KeyboardInterrupt

    result = solve_cfr(
        STARS_2V1,
        limits=Limits(target=0, max_iterations=10**6),
        callbacks=Callbacks(on_progress=interrupt),
    )
    assert result.stop is StopReason.INTERRUPTED
    assert result.iterations == 5
    assert_is_certified(result)


def test_an_interrupt_in_the_first_iteration_finds_a_strategy(monkeypatch):
    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(CFRSolver, "step", interrupt)
    result = solve_cfr(STARS_2V1, limits=Limits(target=0.9))
    assert result.stop is StopReason.INTERRUPTED
    assert result.iterations == 0
    assert_is_certified(result)  # of the initial policy


def test_every_stop_reason_says_what_it_means():
    # Two names with the same words would be one reason with an alias.
    assert len(StopReason.__members__) == len(StopReason)
    assert all(len(reason.value.split()) > 4 for reason in StopReason)


# --- same arguments, same bits ----------------------------------------------------------------


def test_two_solves_end_with_the_same_bits():
    one, two = (solve_cfr(STARS_2V1, limits=Limits(target=1e-4)) for _ in range(2))
    assert bits(one) == bits(two)
    assert one.certificate == two.certificate
    assert one.iterations == two.iterations


def test_watching_changes_nothing():
    watched = solve_cfr(
        STARS_2V1, limits=Limits(target=1e-4), callbacks=Callbacks(on_progress=lambda _: None)
    )
    assert bits(watched) == bits(solve_cfr(STARS_2V1, limits=Limits(target=1e-4)))


def test_large_rounds_do_not_depend_on_threads(monkeypatch):
    monkeypatch.setattr(MODULE, "_LARGE_ENTRIES", 0)
    one, two = (solve_cfr(STARS_2V1, n_threads=n, limits=Limits(target=1e-3)) for n in (1, 2))
    assert one.strategy[0].dtype == np.float32
    assert bits(one) == bits(two)
    assert one.certificate == two.certificate
    # Probabilities are rounded to float32 once more when they are returned: 2**-24 of each, at most
    # ten of them on a path, and payoffs differ by 2.
    assert_is_certified(one, slack=10 * 2.0**-23)


# --- progress ---------------------------------------------------------------------------------


def test_progress_tells_how_things_stand():
    seen = []
    result = solve_cfr(
        STARS_2V1, limits=Limits(target=1e-4), callbacks=Callbacks(on_progress=seen.append)
    )
    assert len(seen) > 10
    # The certificate is taken anew of the strategy that is returned, which is rounded once more.
    assert seen[-1].certificate.br_values == pytest.approx(result.certificate.br_values, abs=1e-14)
    assert seen[-1].iteration == result.iterations
    assert seen[-1].n_states == result.tree.n_states
    assert max(progress.memory_mb for progress in seen) <= result.peak_memory_mb
    assert seen[-1].seconds_left == 0.0
    assert {p.target for p in seen} == {1e-4}
    assert all(a.iteration < b.iteration for a, b in pairwise(seen))
    assert all(a.seconds <= b.seconds for a, b in pairwise(seen))
    assert all(p.seconds_left is None or p.seconds_left > 0 for p in seen[:-1])
    assert any(p.seconds_left is not None for p in seen[:-1])


def test_stale_states_are_dropped_on_the_way(monkeypatch):
    counts = []
    drop = CFRSolver.drop_stale

    def count_and_drop(solver):
        before = solver.n_states
        drop(solver)
        counts.append((before, solver.n_states))

    monkeypatch.setattr(CFRSolver, "drop_stale", count_and_drop)
    graph = compile_graph(Round(presets.COMMON, (2, 1)))
    result = solve_cfr(graph, limits=Limits(target=1e-3))
    assert_is_certified(result, value=212027 / 771552)
    assert any(after < before for before, after in counts)
    # The first time there is nothing to compare with; then a third more must have come.
    assert all(before >= 1.3 * last for (_, last), (before, _) in pairwise(counts))


def test_time_left_follows_the_power_law():
    history = [(t, 1.0 / t) for t in (1.0, 2.0, 4.0, 8.0)]
    assert estimate_seconds_left(history, 1 / 32) == pytest.approx(32.0 - 8.0)
    slow = [(t, t**-0.5) for t in (1.0, 2.0, 4.0, 8.0)]
    assert estimate_seconds_left(slow, 8**-0.5 / 2) == pytest.approx(32.0 - 8.0)


def test_time_left_is_unknown_or_nothing_at_the_ends():
    falling = [(t, 1.0 / t) for t in (1.0, 2.0, 4.0, 8.0)]
    assert estimate_seconds_left(falling, 0.2) == 0.0
    assert estimate_seconds_left(falling[:1], 1e-3) is None
    assert estimate_seconds_left(falling, 0.0) is None
    assert estimate_seconds_left([(t, 0.5) for t in (1.0, 2.0, 4.0, 8.0)], 1e-3) is None
    hopeless = [(t, 1.0 - 1e-9 * t) for t in (1.0, 2.0, 4.0, 8.0)]
    assert estimate_seconds_left(hopeless, 1e-3) is None


# --- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"target": -0.1}, "target is an exploitability of 0 or more, got -0.1"),
        ({"target": float("nan")}, "target is an exploitability of 0 or more, got nan"),
        ({"max_iterations": 0}, "max_iterations must be more than 0, got 0"),
        ({"max_seconds": -1}, "max_seconds must be more than 0, got -1"),
        ({"max_memory": 0}, "max_memory must be more than 0, got 0"),
        (
            {"target": 0},
            "target 0 is never reached exactly; give max_iterations or max_seconds too, "
            "or use solve_exact",
        ),
    ],
)
def test_limits_that_cannot_be_meant(limits, message):
    with pytest.raises(InputError) as caught:
        solve_cfr(STARS_2V1, limits=Limits(**limits))
    assert str(caught.value) == message


def test_what_does_not_fit_is_refused_with_the_estimate():
    graph = compile_graph(Round(presets.LIARS_DICE, (3, 3)))
    least = estimate_least_memory(graph)
    tracemalloc.start()
    with pytest.raises(GameTooLargeError) as caught:
        solve_cfr(graph, limits=Limits(max_memory=least / 2))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert str(caught.value) == (
        "liars_dice with 3,3 dice of 6 faces has 6.872e+10 public states and needs at least "
        f"{least / 1e6:.3g} MB, but {least / 2e6:.3g} MB may be used; take fewer dice or faces, "
        "or raise max_memory"
    )
    assert isinstance(caught.value, MemoryError)
    assert peak < least


def test_memory_of_this_machine_is_known():
    assert machine_memory() > 1e8

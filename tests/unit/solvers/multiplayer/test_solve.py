"""Solving rounds of three and more players: when it stops, and what it returns."""

from importlib import import_module
from itertools import count, pairwise

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import GameTooLargeError, InputError
from liarsolve.game import Payoffs, compile_graph
from liarsolve.solvers import (
    CFR_PLUS,
    Callbacks,
    Limits,
    MultiplayerCFR,
    ProfileCertificate,
    StopReason,
    certify_profile,
    solve_multiplayer,
)
from liarsolve.solvers.multiplayer import growing_tree

MODULE = import_module("liarsolve.solvers.multiplayer.solve")
CALZA = compile_graph(Round(presets.PERUDO.replace(faces=3), (1, 1, 1)))
RESTLESS = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1, 2)))
"""Its nash_conv goes up and down, and stays above 1e-3 for long."""


def bits(result):
    tree = result.tree
    arrays = (tree.node, tree.first_edge, *tree.children, *result.strategy)
    return [array.tobytes() for array in arrays]


def assert_is_certified(result):
    """Whole best responses gain no more than the certificate says, up to rounding."""
    whole = certify_profile(result.profile)
    assert isinstance(result.certificate, ProfileCertificate)
    assert whole.nash_conv <= result.certificate.nash_conv + 1e-9


def test_stops_at_the_target():
    result = solve_multiplayer(CALZA, limits=Limits(target=1e-3))
    assert result.stop is StopReason.CONVERGED
    assert result.certificate.nash_conv <= 1e-3
    assert result.method == "predictive+"
    assert result.peak_memory_mb > 0
    assert_is_certified(result)


def test_stops_at_the_iteration_limit():
    result = solve_multiplayer(CALZA, variant=CFR_PLUS, limits=Limits(target=0, max_iterations=23))
    assert (result.stop, result.iterations) == (StopReason.ITERATION_LIMIT, 23)
    assert result.method == "cfr+"
    assert_is_certified(result)


def test_stops_at_the_time_limit(ticks):
    result = solve_multiplayer(CALZA, limits=Limits(target=0, max_seconds=1e-9))
    assert (result.stop, result.iterations) == (StopReason.TIME_LIMIT, 1)
    assert_is_certified(result)
    started = ticks.now
    result = solve_multiplayer(CALZA, limits=Limits(target=0, max_seconds=500))
    assert result.iterations > 1
    assert 400 <= result.seconds <= ticks.now - started


def test_without_a_limit_it_stops_where_more_iterations_do_not_help(monkeypatch):
    monkeypatch.setattr(MODULE, "_FIRST_STALL", 200)
    result = solve_multiplayer(RESTLESS, variant=CFR_PLUS, limits=Limits(target=1e-6))
    assert result.stop is StopReason.STALLED
    assert result.iterations >= 200
    limited = solve_multiplayer(
        RESTLESS,
        variant=CFR_PLUS,
        limits=Limits(target=1e-6, max_iterations=result.iterations + 50),
    )
    assert limited.stop is StopReason.ITERATION_LIMIT  # who gives a limit has it used


def test_stops_at_an_interrupt_with_what_it_has():
    calls = count(1)

    def interrupt(_):
        if next(calls) == 5:
            raise KeyboardInterrupt

    result = solve_multiplayer(
        CALZA,
        limits=Limits(target=0, max_iterations=10**6),
        callbacks=Callbacks(on_progress=interrupt),
    )
    assert (result.stop, result.iterations) == (StopReason.INTERRUPTED, 5)
    assert_is_certified(result)


def test_the_best_strategies_that_were_measured_are_returned():
    seen = []
    result = solve_multiplayer(
        RESTLESS,
        limits=Limits(target=1e-6, max_iterations=500),
        callbacks=Callbacks(on_progress=seen.append),
    )
    distances = [progress.distance for progress in seen]
    assert min(distances) < 0.8 * distances[-1]
    # The threshold of the certificate may have fallen since, which makes it smaller.
    assert result.certificate.nash_conv <= min(distances) + 1e-12
    assert_is_certified(result)


def test_memory_is_a_limit_for_the_copy_too(monkeypatch):
    monkeypatch.setattr(growing_tree, "_FIRST_STATES", 8)
    monkeypatch.setattr(growing_tree, "_FIRST_EDGES", 64)
    free = solve_multiplayer(RESTLESS, limits=Limits(target=1e-6, max_iterations=300))
    for share in (0.75, 0.4):
        max_memory = share * 1e6 * free.peak_memory_mb
        result = solve_multiplayer(
            RESTLESS, limits=Limits(target=1e-6, max_iterations=300, max_memory=max_memory)
        )
        assert result.peak_memory_mb * 1e6 <= max_memory
        assert_is_certified(result)


def test_a_full_tree_that_does_not_help_is_the_reason(monkeypatch):
    monkeypatch.setattr(growing_tree, "_FIRST_STATES", 8)
    monkeypatch.setattr(growing_tree, "_FIRST_EDGES", 64)
    monkeypatch.setattr(MODULE, "_FIRST_STALL", 60)
    free = solve_multiplayer(RESTLESS, limits=Limits(target=1e-6, max_iterations=60))
    result = solve_multiplayer(
        RESTLESS, limits=Limits(target=1e-6, max_memory=0.2e6 * free.peak_memory_mb)
    )
    assert result.stop is StopReason.MEMORY_LIMIT


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_two_solves_end_with_the_same_bits(monkeypatch, dtype):
    if dtype is np.float32:
        monkeypatch.setattr(MODULE, "_LARGE_ENTRIES", 0)
    one, two = (solve_multiplayer(CALZA, limits=Limits(target=1e-3)) for _ in range(2))
    assert one.strategy[0].dtype == dtype
    assert bits(one) == bits(two)
    assert one.certificate == two.certificate
    assert one.iterations == two.iterations


def test_progress_tells_how_things_stand():
    seen = []
    result = solve_multiplayer(
        CALZA, limits=Limits(target=1e-4), callbacks=Callbacks(on_progress=seen.append)
    )
    assert seen[-1].iteration == result.iterations
    assert seen[-1].distance <= seen[-1].target == 1e-4
    assert seen[-1].seconds_left == 0.0
    assert all(a.iteration < b.iteration for a, b in pairwise(seen))
    assert seen[-1].n_states == result.tree.n_states


def test_two_players_with_different_stakes_have_no_value():
    """Player 1 plays for a tenth of what player 0 plays for, which changes nothing for either."""
    graph = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
    right, wrong = ((1.0, -0.1), (-1.0, 0.1)), ((-1.0, 0.1), (1.0, -0.1))
    payoffs = Payoffs(bidder_loses=right, challenger_loses=wrong)
    result = solve_multiplayer(graph, payoffs=payoffs, limits=Limits(target=1e-4))
    assert result.certificate.values[0] == pytest.approx(-1 / 9, abs=2e-4)
    assert result.certificate.values[1] == pytest.approx(1 / 90, abs=2e-4)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"target": -1}, "target is a nash_conv of 0 or more, got -1"),
        ({"target": float("nan")}, "target is a nash_conv of 0 or more, got nan"),
        (
            {"target": 0},
            "target 0 is never reached exactly; give max_iterations or max_seconds too",
        ),
        ({"max_iterations": 0}, "max_iterations must be more than 0, got 0"),
        ({"max_seconds": -1}, "max_seconds must be more than 0, got -1"),
        ({"max_memory": 0}, "max_memory must be more than 0, got 0"),
    ],
)
def test_limits_that_make_no_sense(options, sentence):
    with pytest.raises(InputError) as caught:
        solve_multiplayer(CALZA, limits=Limits(**options))
    assert str(caught.value) == sentence


def test_a_round_without_room_is_refused_before_the_work(monkeypatch):
    monkeypatch.setattr(MultiplayerCFR, "__init__", None)
    with pytest.raises(GameTooLargeError) as caught:
        solve_multiplayer(CALZA, limits=Limits(max_memory=1e3))
    assert "needs at least 27.5 kB, but 1 kB may be used" in str(caught.value)

"""What is worked out for the opening table, in what time there is."""

from dataclasses import replace

import pytest

from liarsolve import presets, solve
from liarsolve._clock import counting_from
from liarsolve.cli.bidding import opening as module
from liarsolve.solvers import StopReason
from liarsolve.strategy.bidding import opening as tables

NOW, BEGAN = 100.0, 90.0


@pytest.fixture
def solution():
    return solve(presets.COMMON.replace(faces=2), (1, 1), max_iterations=3, target=0)


@pytest.mark.parametrize(
    ("max_seconds", "stop", "deadline"),
    [
        (None, StopReason.CONVERGED, float("inf")),
        (60.0, StopReason.CONVERGED, 150.0),  # with what is left of the time of the command
        (3.0, StopReason.TIME_LIMIT, 100.3),
        (None, StopReason.INTERRUPTED, 100.3),
        (60.0, StopReason.INTERRUPTED, 100.3),
    ],
)
def test_the_time_of_the_command_is_kept(monkeypatch, solution, max_seconds, stop, deadline):
    tabulate, deadlines = tables.tabulate_opening, []

    def note(solution, halt):
        deadlines.append(halt.deadline)
        return tabulate(solution)

    monkeypatch.setattr(tables, "tabulate_opening", note)
    monkeypatch.setattr(module, "perf_counter", lambda: NOW)
    stopped = replace(solution, result=replace(solution.result, stop=stop))
    with counting_from(BEGAN):
        module.opening_table(stopped, max_seconds)
    assert deadlines == [pytest.approx(deadline)]


def test_the_heading_fits_where_nothing_is_known(monkeypatch, solution, capsys):
    from liarsolve.cli._page import show_table

    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(tables, "_values_of", lambda *_: {})
    show_table(module.opening_table(solution))
    assert "wins" in capsys.readouterr().out

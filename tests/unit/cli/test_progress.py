import io
from contextlib import redirect_stderr

import pytest

from liarsolve.cli._progress import describe_progress, share_done, show_progress, show_status
from liarsolve.solvers import Certificate, SolveProgress


def progress(exploitability, *, target=1e-4, seconds_left=12.0):
    return SolveProgress(
        iteration=7,
        certificate=Certificate((exploitability, exploitability)),
        target=target,
        seconds=3.0,
        seconds_left=seconds_left,
        n_states=41243,
        memory_mb=146.3,
    )


class Terminal(io.StringIO):
    def isatty(self):
        return True


def drawn(monkeypatch, *states):
    """What the bar leaves on a terminal."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with redirect_stderr(Terminal()) as terminal, show_progress() as draw:
        for state in states:
            draw(state)
    return terminal.getvalue()


def test_nothing_is_drawn_where_nobody_looks(capsys):
    with show_progress() as draw, show_status("working"):
        assert draw is None
    assert capsys.readouterr() == ("", "")


def test_the_bar_is_drawn_on_standard_error(monkeypatch, capsys):
    seen = drawn(monkeypatch, progress(1e-1), progress(1e-2), progress(1e-4))
    assert "1.0e-04 of 1e-04, 41,243 states, 146 MB, 12 s left" in seen
    assert "starting" in drawn(monkeypatch)
    assert capsys.readouterr() == ("", "")


def test_a_target_of_zero_has_a_bar_without_end(monkeypatch):
    seen = drawn(monkeypatch, progress(1e-3, target=0.0, seconds_left=None))
    assert "1.0e-03 of 0e+00, 41,243 states, 146 MB" in seen


def test_a_status_is_shown_on_standard_error(monkeypatch, capsys):
    monkeypatch.setenv("TERM", "xterm")
    with redirect_stderr(Terminal()) as terminal, show_status("solving the linear program"):
        pass
    assert "solving the linear program" in terminal.getvalue()
    assert capsys.readouterr() == ("", "")


def test_the_bar_measures_decades():
    assert share_done(1e-1, 1e-1, 1e-3) == 0.0
    assert share_done(1e-1, 1e-2, 1e-3) == pytest.approx(0.5)
    assert share_done(1e-1, 1e-4, 1e-3) == share_done(1e-1, 0.0, 1e-3) == 1.0
    assert share_done(1e-1, 2e-1, 1e-3) == 0.0
    assert share_done(1e-3, 1e-3, 1e-2) is share_done(1e-1, 1e-2, 0.0) is None


def test_the_time_left_is_told_if_it_is_known():
    assert describe_progress(progress(2e-3)).endswith("146 MB, 12 s left")
    assert describe_progress(progress(2e-3, seconds_left=None)).endswith("146 MB")

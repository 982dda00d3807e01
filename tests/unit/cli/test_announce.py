"""Standard error says that kernels are being compiled, once, and nothing if none is."""

import io
from contextlib import redirect_stderr

import numba
import pytest

from liarsolve import _jit, _jit_folder
from liarsolve._compiling import report_compiling, watch_compiling
from liarsolve.cli import _progress
from liarsolve.cli._announce import announce_compiling

LINE = "compiling (once; later runs start at once)\n"


@pytest.fixture(autouse=True)
def aloud(monkeypatch):
    monkeypatch.delenv("LIARSOLVE_QUIET", raising=False)


def compile_two():
    for _ in range(2):
        report_compiling(True)
        report_compiling(False)


def test_one_line_is_said_off_a_terminal(capsys):
    with announce_compiling():
        compile_two()
    assert capsys.readouterr() == ("", LINE)


def test_nothing_is_said_where_nothing_is_compiled(capsys):
    with announce_compiling():
        pass
    compile_two()  # when nobody watches any more
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("value", "expected"), [("1", ""), ("0", LINE), ("", LINE)])
def test_the_line_can_be_switched_off(monkeypatch, capsys, value, expected):
    monkeypatch.setenv("LIARSOLVE_QUIET", value)
    with announce_compiling():
        compile_two()
    assert capsys.readouterr().err == expected


def test_without_a_folder_it_says_that_every_run_compiles(monkeypatch, capsys):
    monkeypatch.setattr(_jit_folder, "cache_folder", lambda: None)
    monkeypatch.setattr(_jit_folder, "_config", type("Config", (), {"CACHE_DIR": ""}))
    monkeypatch.setenv("COLUMNS", "40")
    with announce_compiling():
        compile_two()
    lines = capsys.readouterr().err.splitlines()
    assert max(map(len, lines)) <= 40
    assert " ".join(lines) == (
        "compiling: there is no folder for machine code that can be written, so that every run "
        "compiles anew; name one by the environment variable NUMBA_CACHE_DIR"
    )


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("show", [_progress.show_progress, lambda: _progress.show_status("work")])
def test_on_a_terminal_the_line_of_progress_says_it(monkeypatch, show):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with redirect_stderr(Terminal()) as terminal, announce_compiling():
        with show():
            report_compiling(True)
            _progress.print_beside("a line above")  # has the line redrawn
            report_compiling(False)
        assert not _progress.is_live()
    assert LINE.strip() in terminal.getvalue()
    assert LINE not in terminal.getvalue()


def test_a_closed_standard_error_is_no_reason_to_fail(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr", None)
    with announce_compiling():
        compile_two()
    assert capsys.readouterr().out == ""


def test_progress_of_a_library_is_for_those_who_watch():
    seen = []
    with watch_compiling(seen.append):
        compile_two()
    compile_two()
    assert seen == [True, False, True, False]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_kernels_of_this_package_are_reported_with_all_that_they_call(monkeypatch):
    def add_one(x):
        return x + 1

    def other(x):
        return x + 2

    add_one.__module__ = "liarsolve.solvers.some"
    seen = []
    with watch_compiling(seen.append):
        numba.njit(other)(1)
        assert seen == []
        _jit.kernel(add_one)(1)
    assert seen == [True, False]

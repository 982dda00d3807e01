"""Tests compare what commands print, whatever has been compiled before; a clock that is counted."""

import os
import sys

import pytest

os.environ.setdefault("LIARSOLVE_QUIET", "1")


class Ticks:
    """A clock that goes on by a second whenever somebody looks at it."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1.0
        return self.now


@pytest.fixture
def ticks(monkeypatch):
    """Let all that is loaded count looks at the clock in place of seconds."""
    clock = Ticks()
    for name, module in list(sys.modules.items()):
        if name.startswith("liarsolve.") and hasattr(module, "perf_counter"):
            monkeypatch.setattr(module, "perf_counter", clock)
    return clock

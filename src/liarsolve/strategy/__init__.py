"""Solved rounds: solving, asking, storing and loading."""

from liarsolve.strategy.compact import compact
from liarsolve.strategy.loading import load
from liarsolve.strategy.solution import Solution
from liarsolve.strategy.solve import resume, solve, solve_exact
from liarsolve.strategy.strategy import Advice, Strategy

__all__ = ["Advice", "Solution", "Strategy", "compact", "load", "resume", "solve", "solve_exact"]

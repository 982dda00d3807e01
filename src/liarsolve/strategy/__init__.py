"""Solved rounds: solving, asking, storing and loading."""

from liarsolve.strategy.solution import Solution
from liarsolve.strategy.solve import load, solve, solve_exact
from liarsolve.strategy.strategy import Advice, Strategy

__all__ = ["Advice", "Solution", "Strategy", "load", "solve", "solve_exact"]

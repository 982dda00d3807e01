"""Solved rounds: solving, asking, storing and loading."""

from liarsolve.strategy.certified_values import CertifiedValue, certified_values
from liarsolve.strategy.compact import compact
from liarsolve.strategy.cup_solution import CupSolution
from liarsolve.strategy.cup_strategy import CupAdvice, CupStrategy
from liarsolve.strategy.exact import solve_exact
from liarsolve.strategy.loading import load
from liarsolve.strategy.recall_prices import RecallPrice, recall_prices
from liarsolve.strategy.solution import Solution
from liarsolve.strategy.solve import resume, solve
from liarsolve.strategy.strategy import Advice, Strategy

__all__ = [
    "Advice",
    "CertifiedValue",
    "CupAdvice",
    "CupSolution",
    "CupStrategy",
    "RecallPrice",
    "Solution",
    "Strategy",
    "certified_values",
    "compact",
    "load",
    "recall_prices",
    "resume",
    "solve",
    "solve_exact",
]

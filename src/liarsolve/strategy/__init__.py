"""Solved rounds: solving, asking, storing and loading."""

from liarsolve.strategy.bidding.compact import compact
from liarsolve.strategy.bidding.solution import Solution
from liarsolve.strategy.bidding.strategy import Advice, Strategy
from liarsolve.strategy.cup.solution import CupSolution
from liarsolve.strategy.cup.strategy import CupAdvice, CupStrategy
from liarsolve.strategy.loading import load
from liarsolve.strategy.solve import resume, solve, solve_exact
from liarsolve.strategy.tables.certified_values import CertifiedValue, certified_values
from liarsolve.strategy.tables.recall_prices import RecallPrice, recall_prices

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

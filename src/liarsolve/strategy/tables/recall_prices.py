"""What forgetting costs: true prices of recall abstractions that were measured before."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from liarsolve.game import Abstraction, Recall

FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPrice:
    """What the strategies of two players who forget lose in the true game."""

    rules: str
    """Name of the preset."""
    dice: tuple[int, int]
    """Dice of both players, the first bidder's first; dice have six faces."""
    abstraction: Abstraction
    """What the players remember."""
    exploitability: float
    """Utility per round lost on average to a best response that forgets nothing."""
    value_bounds: tuple[float, float]
    """Bounds of the value of the true game that the strategies prove."""
    iterations: int
    """Iterations of the solver. They end where the price falls no more."""


@cache
def recall_prices() -> tuple[RecallPrice, ...]:
    """Return the table of prices that comes with the library.

    ``python benchmarks/recall_prices.py`` measures it anew.

    Examples
    --------
    >>> for row in recall_prices():
    ...     if row.rules == "common" and row.dice == (2, 2):
    ...         print(row.abstraction, f"{row.exploitability:.3f}")
    recall 1 0.106
    recall 2 0.043
    recall 3 0.004
    recall 4 0.001
    """
    rows = json.loads(FILE.read_text(encoding="utf-8"))["prices"]
    return tuple(
        RecallPrice(
            rules=row["rules"],
            dice=(row["dice"][0], row["dice"][1]),
            abstraction=Recall(row["recall"]),
            exploitability=row["exploitability"],
            value_bounds=(row["value_bounds"][0], row["value_bounds"][1]),
            iterations=row["iterations"],
        )
        for row in rows
    )

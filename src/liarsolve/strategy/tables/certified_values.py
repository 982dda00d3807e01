"""Values of rounds that were solved before, each between bounds that were proved."""

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedValue:
    """What a round of two players is worth to the first bidder: +1 if won, -1 if lost."""

    rules: str
    """Name of the preset."""
    faces: int
    """Faces of a die."""
    dice: tuple[int, int]
    """Dice of both players, the first bidder's first."""
    value_bounds: tuple[float, float]
    """Bounds of the value, proved by exact best responses in the true game."""
    exploitability: float
    """Of the strategies that prove it: half the distance of the bounds."""
    exact_value: Fraction | None
    """The value itself, where it was proved as a fraction."""


@cache
def certified_values() -> tuple[CertifiedValue, ...]:
    """Return the table of values that comes with the library.

    Solving the rounds anew, with ``python benchmarks/certified_values.py``, takes hours.

    Examples
    --------
    >>> for row in certified_values():
    ...     if row.rules == "common" and sum(row.dice) == 3:
    ...         print(row.dice, row.exact_value, row.exploitability <= 1e-6)
    (1, 2) -22/81 True
    (2, 1) 212027/771552 True
    """
    rows = json.loads(FILE.read_text(encoding="utf-8"))["values"]
    return tuple(
        CertifiedValue(
            rules=row["rules"],
            faces=row["faces"],
            dice=(row["dice"][0], row["dice"][1]),
            value_bounds=(row["value_bounds"][0], row["value_bounds"][1]),
            exploitability=row["exploitability"],
            exact_value=None if row["exact_value"] is None else Fraction(row["exact_value"]),
        )
        for row in rows
    )

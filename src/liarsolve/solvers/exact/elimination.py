"""Sparse linear equations, solved in whole numbers."""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import TypeAlias

Row: TypeAlias = dict[int, int]
"""Coefficients by column, none of them zero."""

_GRID = 2**60
"""Columns that the equations leave free become multiples of one over this."""


def solve_near(
    rows: Sequence[Mapping[int, float]],
    known: Mapping[int, Fraction],
    guess: Mapping[int, float],
    on_step: Callable[[float], None],
) -> dict[int, Fraction] | None:
    """Exact solution of homogeneous equations that is near a guess.

    Columns that are neither known nor guessed are eliminated first: the equations must say what
    they are. Among the others it is the free ones that keep their guess.

    Parameters
    ----------
    rows : sequence of mapping
        Equations: the sum of coefficient times column is zero.
    known, guess : mapping by column
        Columns whose value is given, and about what the solution is at others.
    on_step : callable
        Called with the part that is done, after every step; it may raise.

    Returns
    -------
    mapping by column, or None
        Without the columns that had neither a value nor a guess; None if there is no solution.

    Examples
    --------
    >>> rows = [{0: 1.0, 1: -1.0, 2: -1.0}, {1: 1.0, 2: -2.0}]
    >>> solution = solve_near(rows, {0: Fraction(1)}, {1: 0.66, 2: 0.34}, lambda share: None)
    >>> [str(solution[column]) for column in range(3)]
    ['1', '2/3', '1/3']
    """
    system = _System([_whole_numbers(row) for row in rows])
    unguessed = [c for c in system.rows_of if c not in known and c not in guess]
    for column in sorted(unguessed, reverse=True):  # those further down the tree first
        if system.rows_of[column]:
            pivot = min(system.rows_of[column], key=lambda i: len(system.rows[i]))
            system.eliminate(pivot, column)
        on_step(system.share_done)
    pivots: list[tuple[int, int]] = []
    while system.waiting:
        pivot = system.shortest()
        columns = [c for c in system.rows[pivot] if c not in known]
        if columns:
            column = min(columns, key=lambda c: len(system.rows_of[c]))
            pivots.append((pivot, column))
            system.eliminate(pivot, column)
        elif sum(a * known[c] for c, a in system.rows[pivot].items()):
            return None
        else:
            system.waiting.discard(pivot)
        on_step(system.share_done)
    solution = dict(known)
    solved = {column for _, column in pivots}
    for column, x in guess.items():
        if column not in solved:
            solution[column] = Fraction(round(x * _GRID), _GRID)
    for pivot, column in reversed(pivots):  # a row has columns that were solved after its own
        row = system.rows[pivot]
        rest = sum((a * solution[c] for c, a in row.items() if c != column), Fraction(0))
        solution[column] = -rest / row[column]
    return solution


def _whole_numbers(row: Mapping[int, float]) -> Row:
    exact = {column: Fraction(x) for column, x in row.items()}
    scale = math.lcm(*(x.denominator for x in exact.values()))
    return {column: int(x * scale) for column, x in exact.items() if x}


class _System:
    """Rows, and for every column those that have it and wait to be a pivot."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self.waiting = set(range(len(rows)))
        self.by_length = [(len(row), i) for i, row in enumerate(rows)]
        """A heap of rows, some of which have another length by now."""
        heapify(self.by_length)
        self.rows_of: dict[int, set[int]] = {}
        for i, row in enumerate(rows):
            for column in row:
                self.rows_of.setdefault(column, set()).add(i)

    @property
    def share_done(self) -> float:
        """Part of the rows that wait no more."""
        return 1.0 - len(self.waiting) / len(self.rows)

    def shortest(self) -> int:
        """The shortest row that waits."""
        while True:
            length, i = heappop(self.by_length)
            if i in self.waiting and length == len(self.rows[i]):
                return i

    def eliminate(self, pivot: int, column: int) -> None:
        """Take a column out of all other rows that wait; the pivot waits no more."""
        self.waiting.discard(pivot)
        for c in self.rows[pivot]:
            self.rows_of[c].discard(pivot)
        for i in list(self.rows_of[column]):
            self._subtract(pivot, i, column)

    def _subtract(self, pivot: int, i: int, column: int) -> None:
        """Subtract such a multiple of the pivot row from row ``i`` that it lacks the column."""
        ours, row = self.rows[pivot], self.rows[i]
        common = math.gcd(ours[column], row[column])
        scale, multiple = ours[column] // common, row[column] // common
        if scale != 1:
            row = {c: a * scale for c, a in row.items()}
        for c, a in ours.items():
            x = row.get(c, 0) - multiple * a
            if x:
                row[c] = x
                self.rows_of[c].add(i)
            else:
                del row[c]
                self.rows_of[c].discard(i)
        divisor = math.gcd(*row.values())
        self.rows[i] = row if divisor <= 1 else {c: a // divisor for c, a in row.items()}
        heappush(self.by_length, (len(row), i))

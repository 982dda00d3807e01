"""Rounds of three to six players with their nash_conv: ``python benchmarks/multiplayer.py``.

Without a game, all rows that end within minutes are run; ``--list`` shows every row that there is,
``--rows 1,4-6`` chooses among them, and ``--variants`` compares the members of the CFR family after
as many iterations. What is printed as nash_conv is what all players together could gain by exact
best responses in the true game; values are those of the seats by the strategies found.
"""

import argparse
import sys
from dataclasses import dataclass

from games import describe_machine

from liarsolve import presets, solve
from liarsolve.cli._rule_arguments import parse_dice
from liarsolve.game import measure_complete_tree
from liarsolve.rules import get_preset
from liarsolve.solvers import VARIANTS, StopReason


@dataclass(frozen=True)
class Row:
    """A game, the nash_conv to reach, and the time after which it is given up."""

    rules: str
    dice: tuple[int, ...]
    faces: int = 6
    target: float = 1e-4
    max_seconds: float = 120
    palifico: bool = False
    is_long: bool = False

    def __str__(self) -> str:
        words = f"{self.rules} {' '.join(map(str, self.dice))}, {self.faces} faces"
        return words + (", palifico" if self.palifico else "")


_RULES = ("common", "liars_dice", "perudo")

ROWS = (
    *(Row(rules, (1, 1, 1)) for rules in _RULES),
    *(Row(rules, (1, 1, 1, 1), 4) for rules in _RULES),
    *(Row(rules, (2, 2, 2), 3) for rules in _RULES),
    Row("perudo", (1, 2, 2), 3, palifico=True),
    Row("perudo", (1, 2, 1), target=1e-3, palifico=True),
    Row("common", (1, 1, 1, 1, 1), 4),
    Row("perudo", (1, 1, 1, 1, 1, 1), 3),
    *(Row(rules, (1, 1, 1, 1), target=1e-3) for rules in _RULES),
    *(Row(rules, (2, 2, 2), 4, 1e-3, 300, is_long=True) for rules in _RULES),
    *(Row(rules, (2, 2, 2), 6, 1e-3, 600, is_long=True) for rules in _RULES),
)

_HEADINGS = ("game", "nash_conv", "iterations", "seconds", "states", "of", "values of the seats")
_WIDTHS = (32, 10, 10, 8, 9, 9, 8)


def choose_rows(text: str | None) -> list[Row]:
    """Rows by number, as in 1,4-6; without a text those that are not long."""
    if text is None:
        return [row for row in ROWS if not row.is_long]
    chosen = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers = range(int(first), int(last or first) + 1)
        if not 1 <= numbers.start < numbers.stop <= len(ROWS) + 1:
            sys.exit(f"rows are numbered 1 to {len(ROWS)}, got {part}; --list shows them")
        chosen += [ROWS[number - 1] for number in numbers]
    return chosen


def run_row(row: Row) -> tuple[str, ...]:
    """Solve one game, and write what came out."""
    solution = solve(
        get_preset(row.rules).replace(faces=row.faces),
        row.dice,
        target=row.target,
        max_seconds=row.max_seconds,
        palifico=row.palifico,
    )
    stop = "" if solution.stop is StopReason.CONVERGED else f" {solution.stop.name.lower()}"
    return (
        str(row),
        f"{solution.nash_conv:.1e}",
        f"{solution.iterations:,}",
        f"{solution.seconds:.1f}",
        f"{solution.n_states:,}",
        f"{measure_complete_tree(solution.result.tree.graph).n_states:.2g}",
        " ".join(f"{value:+.4f}" for value in solution.values) + stop,
    )


def compare_variants(row: Row, n_iterations: int) -> tuple[str, ...]:
    """Measure every member of the CFR family after as many iterations, the best so far."""
    measured = [
        solve(
            get_preset(row.rules).replace(faces=row.faces),
            row.dice,
            target=0,
            max_iterations=n_iterations,
            palifico=row.palifico,
            variant=variant,
        ).nash_conv
        for variant in VARIANTS
    ]
    return (str(row), *(f"{nash_conv:.1e}" for nash_conv in measured))


def print_cells(cells: tuple[str, ...], widths: tuple[int, ...]) -> None:
    """Print one line of the table, at once."""
    first, *others = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    print(first.strip().ljust(widths[0]), *others, flush=True)


def main() -> None:
    """Read the arguments, and print one row for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rules", nargs="?", help="a preset; without it, rows of the table")
    parser.add_argument("dice", nargs="?", default="1,1,1", help="dice of the players (1,1,1)")
    parser.add_argument("target", nargs="?", type=float, default=1e-3, help="nash_conv (1e-3)")
    parser.add_argument("--faces", type=int, default=6, help="faces of a die (6)")
    parser.add_argument("--palifico", action="store_true", help="a palifico round")
    parser.add_argument("--max-seconds", type=float, default=600.0, help="of a game (600)")
    parser.add_argument("--rows", metavar="1,4-6", help="rows by number")
    parser.add_argument("--variants", metavar="N", type=int, help="compare after N iterations")
    parser.add_argument("--list", action="store_true", help="number the rows, and do nothing")
    args = parser.parse_args()
    if args.list:
        for number, row in enumerate(ROWS, 1):
            print(f"{number:3}  {row} to {row.target:g}" + (" (long)" if row.is_long else ""))
        return
    if args.rules is None:
        rows = choose_rows(args.rows)
    else:
        dice = parse_dice(args.dice)
        rows = [Row(args.rules, dice, args.faces, args.target, args.max_seconds, args.palifico)]
    print(describe_machine())
    if args.variants is not None:
        widths = (_WIDTHS[0],) + (11,) * len(VARIANTS)
        print_cells(("game", *VARIANTS), widths)
        for row in rows:
            print_cells(compare_variants(row, args.variants), widths)
        return
    solve(presets.COMMON, (1, 1, 1), max_iterations=2)  # so that compiling is not counted
    print_cells(_HEADINGS, _WIDTHS)
    for row in rows:
        print_cells(run_row(row), _WIDTHS)


if __name__ == "__main__":
    main()

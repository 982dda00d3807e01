"""A table of certified games: ``python benchmarks/certified.py common 2,2 1e-4 --memory 1GB``.

Without a game, all rows that end within minutes are run; ``--list`` shows every row that there is,
and ``--rows 1,4-6`` chooses among them. Seconds are those of the solver, the first run included,
after compilation; memory is that of the solver's arrays. The bracket of the value is proved by
exact best responses, whatever the target and the limits.
"""

import argparse
import resource
import sys
from dataclasses import dataclass

from games import describe_machine

from liarsolve import BiddingSolution, presets, solve
from liarsolve.cli._rule_arguments import parse_dice
from liarsolve.cli._solver_arguments import parse_memory
from liarsolve.cli.bidding.certificate import format_bounds
from liarsolve.rules import get_preset
from liarsolve.solvers import StopReason


@dataclass(frozen=True)
class Row:
    """A game, how exactly it is to be solved, and with what."""

    rules: str
    dice: tuple[int, ...]
    target: float
    seconds: float
    """Time within which it should be done; it is not a limit."""
    memory: str = "1GB"
    is_long: bool = False

    def __str__(self) -> str:
        dice = ",".join(map(str, self.dice))
        return (
            f"{self.rules} {dice} to {self.target:g}, {self.seconds:g} s, memory {self.memory}"
            + (" (long)" if self.is_long else "")
        )


_WILD = ("liars_dice", "perudo", "snyd", "dudo", "openspiel")

ROWS = (
    Row("openspiel", (1, 1), 1e-6, 3),
    Row("common", (2, 1), 1e-6, 3),
    Row("common", (1, 2), 1e-6, 3),
    Row("common", (2, 2), 1e-4, 10),
    *(Row("common", dice, 1e-3, 40, "2GB") for dice in ((3, 2), (2, 3), (4, 1))),
    *(Row("common", dice, 1e-3, 240, "8GB", is_long=True) for dice in ((3, 3), (4, 2))),
    *(Row(rules, (2, 2), 1e-3, 60, "2GB") for rules in _WILD[:3]),
    *(Row(rules, (2, 2), 1e-3, 180, "4GB") for rules in _WILD[3:]),
    *(
        Row(rules, dice, 5e-3, 3600, "16GB", is_long=True)
        for rules in _WILD
        for dice in ((3, 2), (2, 3))
    ),
    Row("common", (2, 2), 1e-6, 60),
    *(Row(rules, (2, 1), 1e-9, 60) for rules in ("common", *_WILD)),
)

HEADINGS = (
    "game",
    "target",
    "exploitability",
    "seconds",
    "states",
    "MB",
    "value of the first bidder",
)
_WIDTHS = (18, 8, 14, 8, 12, 8, 26)


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


def solve_row(row: Row, *, max_seconds: float | None = None, faces: int = 6) -> BiddingSolution:
    """Solve one game."""
    return solve(
        get_preset(row.rules).replace(faces=faces),
        row.dice,
        target=row.target,
        max_seconds=max_seconds,
        max_memory=parse_memory(row.memory),
    )


def format_row(row: Row, solution: BiddingSolution) -> tuple[str, ...]:
    """Write what came out of one game."""
    result = solution.result
    stop = "" if solution.stop is StopReason.CONVERGED else f" {solution.stop.name.lower()}"
    lower, upper = format_bounds(*solution.value_bounds)
    game = f"{row.rules} {' v '.join(map(str, row.dice))}"
    return (
        game,
        f"{row.target:.0e}",
        f"{solution.exploitability:.2e}",
        f"{result.seconds:.1f}",
        f"{result.tree.n_states:,}",
        f"{result.peak_memory_mb:,.0f}",
        f"{lower} .. {upper}{stop}",
    )


def print_cells(cells: tuple[str, ...]) -> None:
    """Print one line of the table, at once."""
    first, *others = (cell.rjust(width) for cell, width in zip(cells, _WIDTHS, strict=True))
    print(first.strip().ljust(_WIDTHS[0]), *others, flush=True)


def compile_kernels() -> None:
    """Compile for float64, and for the float32 of large rounds."""
    for dice in ((1, 1), (2, 2)):
        solve(presets.COMMON, dice, max_iterations=2)


def main() -> None:
    """Read the arguments, and print one row for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rules", nargs="?", help="a preset; without it, rows of the table")
    parser.add_argument("dice", nargs="?", default="2,2", help="dice of both players (2,2)")
    parser.add_argument("target", nargs="?", type=float, default=1e-3, help="exploitability (1e-3)")
    parser.add_argument("--memory", default="4GB", help="of a game that is named (4GB)")
    parser.add_argument("--faces", type=int, default=6, help="faces of a die (6)")
    parser.add_argument("--max-seconds", type=float, help="stop every row there")
    parser.add_argument("--rows", metavar="1,4-6", help="rows by number")
    parser.add_argument("--list", action="store_true", help="number the rows, and do nothing")
    args = parser.parse_args()
    if args.list:
        for number, row in enumerate(ROWS, 1):
            print(f"{number:3}  {row}")
        return
    if args.rules is None:
        rows = choose_rows(args.rows)
    else:
        rows = [Row(args.rules, parse_dice(args.dice), args.target, 0, args.memory)]
    print(describe_machine())
    compile_kernels()
    print_cells(HEADINGS)
    for row in rows:
        solution = solve_row(row, max_seconds=args.max_seconds, faces=args.faces)
        print_cells(format_row(row, solution))
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # on Linux
    print(f"most memory that the process held at one time: {kilobytes / 1e3:,.0f} MB")


if __name__ == "__main__":
    main()

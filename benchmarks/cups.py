"""Solve the games of the cup and print their brackets: the table of the README.

    python benchmarks/cups.py
    python benchmarks/cups.py --target 1e-6 classic
    python benchmarks/cups.py --set truth=matches box

Seconds are those of the solver after compilation, on all processors; CPU seconds are those of all
threads together. Memory is that of the solver's arrays. The bracket of the first player's chance of
winning is proved by the bounds of all states, whatever the target and the limits.
"""

import argparse
import resource
import time

from games import describe_machine

from liarsolve import CupRules, CupSolution, presets, solve
from liarsolve.solvers import StopReason

NAMES = ("classic", "box", "liar_cards", "doubtful_dice", "mia", "liar_die")

_HEADINGS = (
    "game",
    "chance of the first player",
    "width",
    "seconds",
    "CPU s",
    "states",
    "stages",
    "pivots",
    "MB",
)
_WIDTHS = (14, 28, 8, 8, 8, 8, 8, 10, 6)


def rules_of(name: str, options: list[str]) -> CupRules:
    """Rules of a preset, without blind passes, and changed as asked."""
    rules = presets.CUP_PRESETS[name]
    changes = dict(option.split("=", 1) for option in options)
    return rules.replace(**{"blind_pass": "off", "name": name} | changes)


def row_of(name: str, solution: CupSolution, cpu_seconds: float) -> tuple[str, ...]:
    """What is printed of a solution."""
    low, high = solution.win_bounds
    exact = solution.exact_win_probability
    chance = f"{low:.9f} .. {high:.9f}" if exact is None else str(exact)
    if solution.stop not in (StopReason.CONVERGED, StopReason.EXACT):
        chance += f" {solution.stop.name.lower()}"
    return (
        name,
        chance,
        f"{high - low:.1e}",
        f"{solution.seconds:.1f}",
        f"{cpu_seconds:.1f}",
        f"{solution.n_states:,}",
        f"{solution.iterations:,}",
        f"{solution.result.n_pivots:,}",
        f"{solution.result.peak_memory_mb:,.0f}",
    )


def print_cells(cells: tuple[str, ...]) -> None:
    """Print one line of the table, at once."""
    first, *others = (cell.rjust(width) for cell, width in zip(cells, _WIDTHS, strict=True))
    print(first.strip().ljust(_WIDTHS[0]), *others, flush=True)


def main() -> None:
    """Read the arguments, and print one row for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", choices=[[], *NAMES], help="presets (all of them)")
    parser.add_argument("--target", type=float, default=1e-3, help="width of the bracket (1e-3)")
    parser.add_argument("--max-seconds", type=float, help="stop every game there")
    parser.add_argument("--threads", type=int, help="threads (the number of processors)")
    parser.add_argument(
        "--set", dest="options", action="append", default=[], metavar="OPTION=VALUE"
    )
    args = parser.parse_args()
    print(describe_machine())
    solve(presets.LIAR_DIE)  # compile outside the clock
    print_cells(_HEADINGS)
    for name in args.games or NAMES:
        started = time.process_time()
        solution = solve(
            rules_of(name, args.options),
            target=args.target,
            max_seconds=args.max_seconds,
            n_threads=args.threads,
        )
        print_cells(row_of(name, solution, time.process_time() - started))
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # on Linux
    print(f"most memory that the process held at one time: {kilobytes / 1e3:,.0f} MB")


if __name__ == "__main__":
    main()

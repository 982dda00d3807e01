"""The table of certified values that the library ships: ``python benchmarks/certified_values.py``.

Solves every round of the table that is not in the file yet, or not to its target, and writes the
file anew after each; ``--only common --dice 3,2`` keeps to some, ``--again`` solves them even if
they are there. Rounds of five dice with wild ones take minutes each, the whole table some hours.

``--recall 2 --seconds 120`` goes on with the sizes up to five dice each that are not in the file
yet, the small ones first: players who remember two bids, solved for so long. Their strategies prove
a bracket of the value of the round as it is, however wide. With ``--again`` a row gives way only to
a narrower bracket.
"""

import argparse
import json
import os
from fractions import Fraction
from typing import Any

from certified import HEADINGS, Row, compile_kernels, format_row, print_cells, solve_row
from games import describe_machine

from liarsolve import BiddingSolution, Recall, solve
from liarsolve.cli._solver_arguments import parse_memory
from liarsolve.rules import get_preset
from liarsolve.strategy.tables.certified_values import FILE

_PAIRS = [(a, total - a) for total in range(2, 6) for a in range(1, total)]
_TARGETS = {"common": (1e-9, 1e-9, 1e-9, 3e-4), "liars_dice": (1e-9, 1e-9, 1e-5, 5e-3)}
_TARGETS["perudo"] = _TARGETS["liars_dice"]
"""Exploitability to reach with 2, 3, 4 and 5 dice in all."""

_MOST_DICE_PROVED = 3
_LARGER_SIZES = sorted(
    ((a, b) for a in range(1, 6) for b in range(1, 6) if a + b > 5),
    key=lambda dice: (sum(dice), dice),
)
_LARGER_MEMORY = "3GB"

ROWS = sorted(
    (
        Row(rules, dice, targets[sum(dice) - 2], 0, "16GB")
        for rules, targets in _TARGETS.items()
        for dice in _PAIRS
    ),
    key=lambda row: (sum(row.dice), row.rules, row.dice),
)


def exact_value(row: Row, solution: BiddingSolution) -> Fraction | None:
    """The value as a fraction, if it can be proved within minutes; it must lie in the bracket."""
    if sum(row.dice) > _MOST_DICE_PROVED and (row.rules, row.dice) != ("common", (2, 2)):
        return None
    exact = solution.prove().exact_value
    lower, upper = solution.value_bounds
    if exact is not None and not lower <= exact <= upper:
        raise ArithmeticError(f"{row}: {exact} is not between {lower} and {upper}")
    return exact


def read_entries() -> dict[tuple[str, tuple[int, ...]], dict[str, Any]]:
    """Entries of the file as it is, by rules and dice."""
    if not FILE.exists():
        return {}
    entries = json.loads(FILE.read_text(encoding="utf-8"))["values"]
    return {(entry["rules"], tuple(entry["dice"])): entry for entry in entries}


def write_entries(entries: dict[tuple[str, tuple[int, ...]], dict[str, Any]]) -> None:
    """Write the file anew, in the order of the table, one entry a line."""
    keys = sorted(entries, key=lambda key: (sum(key[1]), *key))
    lines = [json.dumps(entries[key]) for key in keys]
    text = (
        '{"command": "python benchmarks/certified_values.py",\n "values": [\n  '
        + ",\n  ".join(lines)
        + "\n]}\n"
    )
    new = FILE.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, FILE)


def to_entry(row: Row, solution: BiddingSolution) -> dict[str, Any]:
    """What the file says about one round."""
    exact = exact_value(row, solution)
    return {
        "rules": row.rules,
        "faces": solution.rules.faces,
        "dice": list(row.dice),
        "value_bounds": list(solution.value_bounds),
        "exploitability": solution.exploitability,
        "exact_value": None if exact is None else str(exact),
        "iterations": solution.result.iterations,
        "states": solution.result.tree.n_states,
    }


def bracket_larger_sizes(args: argparse.Namespace) -> None:
    """Bound the values of rounds that are too large to solve for players with perfect recall."""
    entries = read_entries()
    for rules in _TARGETS if args.only is None else [args.only]:
        for dice in _LARGER_SIZES:
            is_wanted = args.dice in (None, "{},{}".format(*dice))
            known = entries.get((rules, dice))
            if not is_wanted or (known is not None and not args.again):
                continue
            row = Row(rules, dice, 0.0, args.seconds, _LARGER_MEMORY)
            solution = solve(
                get_preset(rules),
                dice,
                abstraction=Recall(args.recall),
                max_seconds=args.seconds,
                max_memory=parse_memory(_LARGER_MEMORY),
            )
            print_cells(format_row(row, solution))
            entry = to_entry(row, solution) | {"recall": args.recall}
            if known is None or entry["exploitability"] < known["exploitability"]:
                entries[rules, dice] = entry
                write_entries(entries)


def main() -> None:
    """Solve what is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="RULES", help="keep to one preset")
    parser.add_argument("--dice", metavar="3,2", help="keep to one number of dice on each side")
    parser.add_argument("--again", action="store_true", help="solve what is in the file too")
    parser.add_argument("--recall", type=int, help="bids to remember at larger sizes")
    parser.add_argument("--seconds", type=float, default=120.0, help="of each of those (120)")
    args = parser.parse_args()
    entries = read_entries()
    print(describe_machine())
    compile_kernels()
    print_cells(HEADINGS)
    if args.recall is not None:
        bracket_larger_sizes(args)
        return
    for row in ROWS:
        key = (row.rules, row.dice)
        is_done = key in entries and entries[key]["exploitability"] <= row.target
        is_wanted = args.only in (None, row.rules) and args.dice in (
            None,
            "{},{}".format(*row.dice),
        )
        if not is_wanted or (is_done and not args.again):
            continue
        solution = solve_row(row)
        print_cells(format_row(row, solution))
        entries[key] = to_entry(row, solution)
        write_entries(entries)


if __name__ == "__main__":
    main()

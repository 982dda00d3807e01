"""The table of true prices that the library ships: ``python benchmarks/recall_prices.py``.

Solves every round of the table that is not in the file yet for players who remember the last bids
only, measures what they lose to best responses that forget nothing, and writes the file anew after
each. ``--only common`` keeps to one preset, ``--dice 2,2`` to one size, ``--again`` measures all of
them. Up to 2 v 2 it takes some minutes, the whole table some hours.
"""

import argparse
import json
import os
from typing import Any

from games import describe_machine

from liarsolve import Recall, Solution, solve
from liarsolve.rules import get_preset
from liarsolve.strategy.tables.recall_prices import FILE

ITERATIONS = 500
KEYS = [
    (rules, dice, n_bids)
    for dice in ((2, 1), (2, 2), (3, 2), (3, 3))
    for rules in ("common", "liars_dice", "perudo")
    for n_bids in (1, 2, 3, 4)
]


def read_entries() -> dict[tuple[str, tuple[int, ...], int], dict[str, Any]]:
    """Entries of the file as it is, by rules, dice and recall."""
    if not FILE.exists():
        return {}
    entries = json.loads(FILE.read_text(encoding="utf-8"))["prices"]
    return {(entry["rules"], tuple(entry["dice"]), entry["recall"]): entry for entry in entries}


def write_entries(entries: dict[tuple[str, tuple[int, ...], int], dict[str, Any]]) -> None:
    """Write the file anew, in the order of the table, one entry a line."""
    lines = [json.dumps(entries[key]) for key in KEYS if key in entries]
    text = (
        '{"command": "python benchmarks/recall_prices.py",\n "prices": [\n  '
        + ",\n  ".join(lines)
        + "\n]}\n"
    )
    new = FILE.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, FILE)


def to_entry(rules: str, dice: tuple[int, ...], n_bids: int, solution: Solution) -> dict[str, Any]:
    """What the file says about one row."""
    return {
        "rules": rules,
        "dice": list(dice),
        "recall": n_bids,
        "exploitability": solution.exploitability,
        "value_bounds": list(solution.value_bounds),
        "iterations": solution.iterations,
        "states": solution.n_states,
    }


def main() -> None:
    """Measure what is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="RULES", help="keep to one preset")
    parser.add_argument("--dice", metavar="A,B", help="keep to one size")
    parser.add_argument("--again", action="store_true", help="measure what is in the file too")
    args = parser.parse_args()
    size = None if args.dice is None else tuple(map(int, args.dice.split(",")))
    entries = read_entries()
    print(describe_machine())
    for rules, dice, n_bids in KEYS:
        if ((rules, dice, n_bids) in entries and not args.again) or size not in (None, dice):
            continue
        if args.only not in (None, rules):
            continue
        solution = solve(
            get_preset(rules),
            dice,
            abstraction=Recall(n_bids),
            target=0,
            max_iterations=ITERATIONS,
        )
        print(rules, dice, solution, f"{solution.seconds:.1f} s", flush=True)
        if solution.result.is_traversed:  # a bound alone is no price
            entries[rules, dice, n_bids] = to_entry(rules, dice, n_bids, solution)
            write_entries(entries)


if __name__ == "__main__":
    main()

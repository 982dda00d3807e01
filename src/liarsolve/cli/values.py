"""The command ``liarsolve values``: values of rounds that were proved before."""

import argparse
from typing import TYPE_CHECKING

from liarsolve.cli._json import print_json
from liarsolve.cli._page import page_width, print_text, show_table
from liarsolve.cli._parser import shorten
from liarsolve.cli._rule_arguments import parse_dice
from liarsolve.cli.bidding.certificate import format_bounds, format_exploitability
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from liarsolve.strategy.tables.certified_values import CertifiedValue

_ROOMY = 78
"""Columns from which the exploitability has a column of its own."""
_LONGEST_FRACTION = 24
"""Longer ones would push all other columns aside; --json has them."""

_EPILOG = """\
examples:
  liarsolve values
  liarsolve values --rules common
  liarsolve values --rules perudo --dice 3,1 --json

Values are those of the first bidder: +1 if they win the round, -1 if they lose
it. Each lies between bounds that exact best responses prove; where a fraction is
given, it was proved in rational arithmetic."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    parser.add_argument("--rules", metavar="PRESET", help="only rounds of these rules")
    parser.add_argument(
        "--dice", metavar="A,B", help="only rounds with these dice, the first bidder's first"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Pick the rows that were asked for, and print them."""
    from liarsolve.strategy import certified_values

    rows = _choose(args, certified_values())
    if args.json:
        print_json("values", {"values": [_describe(row) for row in rows]})
        return 0
    print_text("What a round of two players is worth to the first bidder, who gets 1 for a round "
               "won and pays 1 for a round lost; all values are proved.")  # fmt: skip
    show_table(values_table(rows))
    return 0


def _describe(row: "CertifiedValue") -> dict[str, object]:
    from liarsolve.rules import get_preset

    return {
        "rules": get_preset(row.rules).replace(faces=row.faces).to_dict(),
        "dice": list(row.dice),
        "value_bounds": list(row.value_bounds),
        "exact_value": None if row.exact_value is None else str(row.exact_value),
        "exploitability": row.exploitability,
    }


def values_table(rows: "Sequence[CertifiedValue]") -> "Table":
    """Tabulate values, by rules and dice."""
    from rich import box
    from rich.table import Table

    is_roomy = page_width() >= _ROOMY
    table = Table(box=box.SIMPLE, padding=(0, 1) if is_roomy else 0)
    table.add_column("rules")
    table.add_column("dice", no_wrap=True)
    table.add_column("value", justify="right")
    table.add_column("wins", justify="right", no_wrap=True)
    if is_roomy:
        table.add_column("exploitability", justify="right", no_wrap=True)
    last = None
    for row in rows:
        if last is not None and row.rules != last:
            table.add_section()
        name = row.rules if row.rules != last else ""
        last = row.rules
        cells = [name, f"{row.dice[0]} v {row.dice[1]}", _describe_value(row)]
        cells.append(_describe_chance(row))
        if is_roomy:
            cells.append(format_exploitability(row.exploitability))
        table.add_row(*cells)
    return table


def _describe_value(row: "CertifiedValue") -> str:
    lower, upper = format_bounds(*row.value_bounds)
    if row.exact_value is not None:
        fraction = str(row.exact_value)
        middle = f"{float(row.exact_value):.6f}"
        if row.exact_value.denominator == 1:
            return fraction
        return f"{fraction} = {middle}" if len(fraction) <= _LONGEST_FRACTION else middle
    return lower if lower == upper else f"{lower} to {upper}"


def _describe_chance(row: "CertifiedValue") -> str:
    """Write the first bidder's chance of winning, with no more digits than are sure."""
    lower, upper = (50 * (1 + bound) for bound in row.value_bounds)
    doubt = (upper - lower) / 2
    decimals = 2 if doubt < 0.005 else 1 if doubt < 0.05 else 0
    return f"{(lower + upper) / 2:.{decimals}f}\N{NO-BREAK SPACE}%"


def _choose(args: argparse.Namespace, rows: "Sequence[CertifiedValue]") -> "list[CertifiedValue]":
    """The rows of the rules and dice that were asked for.

    Raises
    ------
    InputError
        If there are none.
    """
    names = list(dict.fromkeys(row.rules for row in rows))
    chosen = list(rows)
    if args.rules is not None:
        if args.rules not in names:
            raise InputError(
                f"values are stored for {', '.join(names)}, got {shorten(args.rules)!r}"
            )
        chosen = [row for row in chosen if row.rules == args.rules]
    if args.dice is not None:
        dice = parse_dice(args.dice)
        if len(dice) != 2:
            raise InputError(f"values are of two players, as in --dice 2,1, got {args.dice}")
        held = ", ".join(dict.fromkeys(",".join(map(str, row.dice)) for row in chosen))
        chosen = [row for row in chosen if row.dice == dice]
        if not chosen:
            raise InputError(f"no value is stored for dice {args.dice}; there are {held}")
    return sorted(chosen, key=lambda row: (names.index(row.rules), sum(row.dice), row.dice))

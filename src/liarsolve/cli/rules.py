"""The command ``liarsolve rules``: presets, options, and rules in plain words."""

import argparse
import json
import textwrap
from typing import TYPE_CHECKING

from liarsolve.cli._rule_arguments import add_option_arguments, parse_dice, rules_from
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from liarsolve.rules import RuleSet

_WIDTH = 90


_CLAUSES = (
    "PE.n and LD.n number the clauses of Perudo and of Liar's Dice; PE?n is a point on which\n"
    "players differ, with the reading that is taken here."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = "example: liarsolve rules perudo --set open_ones=yes --dice 2,1"
    parser.add_argument(
        "rules", nargs="?", metavar="PRESET", help="without it, all presets and options are listed"
    )
    add_option_arguments(parser)
    parser.add_argument(
        "--dice", metavar="A,B,...", help="dice of each player; also prints the order of the bids"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the rules of a preset, or the list of presets and options."""
    if args.rules is not None:
        _print_rules(rules_from(args), args.dice, as_json=args.json)
    elif args.set_options or args.faces or args.dice:
        raise InputError("name the preset first, such as: liarsolve rules perudo --set wild=ones")
    else:
        _print_presets(as_json=args.json)
    return 0


def _print_rules(rules: "RuleSet", dice: str | None, *, as_json: bool) -> None:
    from liarsolve.rules import Round, rule_sentences

    bids = [] if dice is None else [str(bid) for bid in Round(rules, parse_dice(dice)).bids]
    sentences = rule_sentences(rules)
    if as_json:
        report: dict[str, object] = {
            "name": rules.name,
            "options": {k: v for k, v in rules.to_dict().items() if k != "name"},
            "rules": sentences,
        }
        if dice is not None:
            report |= {"dice": parse_dice(dice), "bids": bids}
        print(json.dumps(report))
        return
    print(f"The rules of {rules.name}\n")
    for sentence in sentences:
        print(textwrap.fill(sentence, _WIDTH, initial_indent="- ", subsequent_indent="  "))
    print(f"\n{_CLAUSES}")
    if dice is not None:
        print(f"\nWith dice {dice} there are {len(bids)} bids; from the lowest to the highest:")
        print(textwrap.fill(" ".join(bids), _WIDTH, initial_indent="  ", subsequent_indent="  "))


def _print_presets(*, as_json: bool) -> None:
    from liarsolve.rules import PRESETS, option_values, summarize_rules

    if as_json:
        presets = {name: rules.to_dict() for name, rules in PRESETS.items()}
        print(json.dumps({"presets": presets, "options": option_values()}))
        return
    print("Presets (liarsolve rules PRESET):")
    for name, rules in PRESETS.items():
        print(f"  {name:<12}{summarize_rules(rules)}")
    print("\nOptions (--set OPTION=VALUE):")
    for option, values in option_values().items():
        print(f"  {option:<19}{values}")

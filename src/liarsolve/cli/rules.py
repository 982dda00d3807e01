"""The command ``liarsolve rules``: presets, options, and rules in plain words."""

import argparse
import json
import textwrap
from typing import TYPE_CHECKING

from liarsolve.cli._rule_arguments import add_option_arguments, any_rules_from, parse_dice
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from liarsolve.rules import CupRules, RuleSet

_WIDTH = 90


_CLAUSES = (
    "PE.n and LD.n number the clauses of Perudo and of Liar's Dice; PE?n is a point on which\n"
    "players differ, with the reading that is taken here."
)
_CUP_CLAUSES = (
    "CL.n, BX.n, LC.n and DD.n number the clauses of the cup games classic, box, liar_cards\n"
    "and doubtful_dice; CL?n is a point on which players differ, with the reading that is\n"
    "taken here."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (
        "examples: liarsolve rules perudo --set open_ones=yes --dice 2,1\n"
        "          liarsolve rules classic --set top_claim=must_challenge --claims"
    )
    parser.add_argument(
        "rules", nargs="?", metavar="PRESET", help="without it, all presets and options are listed"
    )
    add_option_arguments(parser)
    parser.add_argument(
        "--dice", metavar="A,B,...", help="dice of each player; also prints the order of the bids"
    )
    parser.add_argument(
        "--claims", action="store_true", help="also print the order of the claims of a cup game"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the rules of a preset, or the list of presets and options."""
    if args.rules is not None:
        _print_rules(any_rules_from(args), args)
    elif args.set_options or args.faces or args.dice or args.claims:
        raise InputError("name the preset first, such as: liarsolve rules perudo --set wild=ones")
    else:
        _print_presets(as_json=args.json)
    return 0


def _print_rules(rules: "RuleSet | CupRules", args: argparse.Namespace) -> None:
    from liarsolve.rules import CupRules, rule_sentences

    is_cup = isinstance(rules, CupRules)
    said = _list_claims(rules, args) if isinstance(rules, CupRules) else _list_bids(rules, args)
    sentences = rule_sentences(rules)
    if args.json:
        report: dict[str, object] = {
            "name": rules.name,
            "options": {k: v for k, v in rules.to_dict().items() if k != "name"},
            "rules": sentences,
        }
        if args.dice is not None:
            report |= {"dice": parse_dice(args.dice), "bids": said}
        if args.claims:
            report |= {"claims": said}
        print(json.dumps(report))
        return
    print(f"The rules of {rules.name}\n")
    for sentence in sentences:
        print(textwrap.fill(sentence, _WIDTH, initial_indent="- ", subsequent_indent="  "))
    print(f"\n{_CUP_CLAUSES if is_cup else _CLAUSES}")
    if args.dice is not None or args.claims:
        these = f"There are {len(said)} claims" if is_cup else f"With dice {args.dice} there are "
        these += "" if is_cup else f"{len(said)} bids"
        print(f"\n{these}; from the lowest to the highest:")
        between = ", " if any(" " in word for word in said) else " "
        words = between.join(said)
        print(textwrap.fill(words, _WIDTH, initial_indent="  ", subsequent_indent="  "))


def _list_bids(rules: "RuleSet", args: argparse.Namespace) -> list[str]:
    from liarsolve.rules import Round

    if args.claims:
        raise InputError(
            f"--claims is for cup games; {rules.name} is a game of bidding, whose bids --dice lists"
        )
    return [] if args.dice is None else [str(b) for b in Round(rules, parse_dice(args.dice)).bids]


def _list_claims(rules: "CupRules", args: argparse.Namespace) -> list[str]:
    if args.dice is not None:
        raise InputError(
            f"--dice is for bidding; {rules.name} is a cup game with one hand for all: change it "
            "by --set, such as --set 'equipment=dice(5,6)'"
        )
    return [rules.format_claim(claim) for claim in rules.claims] if args.claims else []


def _print_presets(*, as_json: bool) -> None:
    from liarsolve.rules import (
        BIDDING_PRESETS,
        CUP_PRESETS,
        cup_option_values,
        option_values,
        summarize_rules,
    )

    families: tuple[tuple[str, Mapping[str, RuleSet | CupRules], dict[str, str]], ...] = (
        ("bidding", BIDDING_PRESETS, option_values()),
        ("the cup games", CUP_PRESETS, cup_option_values()),
    )
    if as_json:
        report: dict[str, object] = {}
        for prefix, (_, presets, options) in zip(("", "cup_"), families, strict=True):
            report[f"{prefix}presets"] = {name: r.to_dict() for name, r in presets.items()}
            report[f"{prefix}options"] = options
        print(json.dumps(report))
        return
    for family, presets, _ in families:
        print(f"Presets of {family} (liarsolve rules PRESET):")
        for name, rules in presets.items():
            print(f"  {name:<15}{summarize_rules(rules)}")
        print()
    for family, _, options in families:
        print(f"Options of {family} (--set OPTION=VALUE):")
        for option, values in options.items():
            print(f"  {option:<19}{values}")
        if family == "bidding":
            print()

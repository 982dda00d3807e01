"""The command ``liarsolve rules``: presets, options, and rules in plain words."""

import argparse
from typing import TYPE_CHECKING

from liarsolve.cli._json import print_json
from liarsolve.cli._page import page_width, print_text
from liarsolve.cli._rule_arguments import add_option_arguments, any_rules_from, parse_table
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from liarsolve.rules import CupRules, OptionHelp, RuleSet

    Families: TypeAlias = tuple[
        tuple[str, Mapping[str, RuleSet | CupRules], Sequence[OptionHelp]], ...
    ]
    """Name, presets and options of each family."""

_MOST_BIDS = 10_000
"""Bids that are listed."""
_BESIDE = 60
"""From this width on, what a name means stands beside it, and below it on narrower pages."""

_CLAUSES = (
    "PE.n and LD.n number the clauses of Perudo and of Liar's Dice; PE?n is a point on which "
    "players differ, with the reading that is taken here. All are in docs/rules.md."
)
_CUP_CLAUSES = (
    "CL.n, BX.n, LC.n and DD.n number the clauses of the cup games classic, box, liar_cards and "
    "doubtful_dice; CL?n is a point on which players differ, with the reading that is taken here. "
    "All are in docs/rules.md."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (
        "examples: liarsolve rules perudo --set open_ones=yes --dice 2,1\n"
        "          liarsolve rules classic --set top_claim=must_challenge --claims\n"
        "          liarsolve rules --options"
    )
    parser.add_argument(
        "rules", nargs="?", metavar="PRESET", help="without it, all presets and options are listed"
    )
    add_option_arguments(parser)
    parser.add_argument(
        "--options", action="store_true", help="explain every option, of PRESET or of all rules"
    )
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
    elif args.set_options or args.faces is not None or args.dice is not None or args.claims:
        raise InputError("name the preset first, such as: liarsolve rules perudo --set wild=ones")
    else:
        _print_presets(as_json=args.json, only_options=args.options)
    return 0


def _print_rules(rules: "RuleSet | CupRules", args: argparse.Namespace) -> None:
    from liarsolve.rules import CupRules, explain_options, rule_sentences

    is_cup = isinstance(rules, CupRules)
    said = _list_claims(rules, args) if isinstance(rules, CupRules) else _list_bids(rules, args)
    sentences = rule_sentences(rules)
    options = explain_options(rules) if args.options else None
    if args.json:
        report: dict[str, object] = {
            "family": rules.family,
            "rules": rules.to_dict(),
            "sentences": sentences,
            "dice": None if args.dice is None else parse_table(args.dice),
            "bids": None if is_cup else said,
            "claims": said if is_cup else None,
            "options": None if options is None else [option.to_dict() for option in options],
        }
        print_json("rules", report, kind="preset")
        return
    print_text(f"The rules of {rules.name}")
    print()
    for sentence in sentences:
        print_text(sentence, initial_indent="- ", subsequent_indent="  ")
    print()
    print_text(_CUP_CLAUSES if is_cup else _CLAUSES)
    if said is not None:
        print()
        count = "There are" if is_cup else f"With dice {args.dice} there are"
        what = "claims" if is_cup else "bids"
        print_text(f"{count} {len(said)} {what}; from the lowest to the highest:")
        between = ", " if any(" " in word for word in said) else " "
        print_text(between.join(said), initial_indent="  ")
    if options is not None:
        print()
        _show_options("Options of these rules (--set OPTION=VALUE):", options, show_value=True)


def _list_bids(rules: "RuleSet", args: argparse.Namespace) -> list[str] | None:
    from liarsolve.rules import Round

    if args.claims:
        raise InputError(
            f"--claims is for cup games; {rules.name} is a game of bidding, whose bids --dice lists"
        )
    if args.dice is None:
        return None
    dice = parse_table(args.dice)
    n_bids = (sum(dice) + (not rules.cap_bids)) * rules.faces
    if n_bids > _MOST_BIDS:
        raise InputError(
            f"with --dice {args.dice} and {rules.faces} faces there are up to {n_bids:,} bids, and "
            f"{_MOST_BIDS:,} at most are listed; name fewer dice"
        )
    return [str(bid) for bid in Round(rules, dice).bids]


def _list_claims(rules: "CupRules", args: argparse.Namespace) -> list[str] | None:
    if args.dice is not None:
        raise InputError(
            f"--dice is for bidding; {rules.name} is a cup game with one hand for all: change it "
            "by --set, such as --set 'equipment=dice(5,6)'"
        )
    return [rules.format_claim(claim) for claim in rules.claims] if args.claims else None


def _print_presets(*, as_json: bool, only_options: bool) -> None:
    from liarsolve.rules import (
        BIDDING_PRESETS,
        CUP_PRESETS,
        CupRules,
        RuleSet,
        explain_options,
    )

    families: Families = (
        ("bidding", BIDDING_PRESETS, explain_options(RuleSet())),
        ("the cup games", CUP_PRESETS, explain_options(CupRules())),
    )  # fmt: skip
    if as_json:
        report: dict[str, object] = {}
        for prefix, (_, presets, options) in zip(("", "cup_"), families, strict=True):
            report[f"{prefix}presets"] = [rules.to_dict() for rules in presets.values()]
            report[f"{prefix}options"] = [option.to_dict() for option in options]
        print_json("rules", report, kind="list")
        return
    _show_presets(families, only_options=only_options)


def _show_presets(families: "Families", *, only_options: bool) -> None:
    """Print presets and options of both families, or explain the options alone."""
    from liarsolve.rules import summarize_rules

    if not only_options:
        for family, presets, _ in families:
            print_text(f"Presets of {family} (liarsolve rules PRESET):")
            for name, rules in presets.items():
                _print_beside(name, summarize_rules(rules), 15)
            print()
    for number, (family, _, options) in enumerate(families):
        if number:
            print()
        title = f"Options of {family} (--set OPTION=VALUE):"
        if only_options:
            _show_options(title, options, show_value=False)
            continue
        print_text(title)
        for option in options:
            _print_beside(option.option, option.values, 19)
    print()
    if only_options:
        print_text(
            "Defaults are those of rules of one's own; presets have values of their own, which "
            "liarsolve rules PRESET --options shows. Clauses such as PE.3b are in docs/rules.md."
        )
    else:
        print_text("liarsolve rules --options explains them.")


def _print_beside(name: str, text: str, indent: int) -> None:
    """Print a name and what it stands for."""
    if page_width() >= _BESIDE:
        heading = "  " + name.ljust(indent)
        print_text(text, initial_indent=heading, subsequent_indent=" " * len(heading))
    else:
        print(f"  {name}")
        print_text(text, initial_indent="    ")


def _show_options(title: str, options: "Sequence[OptionHelp]", *, show_value: bool) -> None:
    """Print what every option is about, with its value in these rules if it is asked for."""
    print_text(title)
    for option in options:
        clauses = f" ({', '.join(option.clauses)})" if option.clauses else ""
        print(f"\n  {option.option}")
        print_text(f"{option.meaning[:-1]}{clauses}.", initial_indent="    ")
        print_text(f"Values: {option.values}.", initial_indent="    ")
        here = f"; here: {option.value}" if show_value else ""
        print_text(f"Default: {option.default}{here}.", initial_indent="    ")

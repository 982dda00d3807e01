"""Arguments that several commands share: rules, dice and the bids made so far."""

import argparse
import re
from typing import TYPE_CHECKING

from liarsolve.errors import InputError

if TYPE_CHECKING:
    from liarsolve.rules import Action, CupRules, RuleSet


def add_rule_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--rules``, ``--set`` and ``--faces``, which `rules_from` reads."""
    parser.add_argument(
        "--rules",
        metavar="PRESET",
        default="liars_dice",
        help="the rules to play by (default: liars_dice); `liarsolve rules` lists them",
    )
    add_option_arguments(parser)


def add_option_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--set`` and ``--faces``, the changes to a preset."""
    parser.add_argument(
        "--set",
        dest="set_options",
        metavar="OPTION=VALUE",
        action="append",
        default=[],
        help="change one option of the rules, such as wild=none; may be repeated",
    )
    parser.add_argument("--faces", metavar="N", help="faces of a die (default: 6)")


def rules_from(args: argparse.Namespace, *, preset: "RuleSet | None" = None) -> "RuleSet":
    """Build the rules of bidding that the arguments ask for.

    Raises
    ------
    InputError
        If a ``--set`` is not of the form OPTION=VALUE, or the preset is a cup game.
    RuleError
        If there is no such preset, option or value, or they make no sense together.
    """
    from liarsolve.rules import RuleSet

    rules = any_rules_from(args, preset=preset)
    if not isinstance(rules, RuleSet):
        raise InputError(
            f"{args.rules} is a cup game; this command takes the rules of bidding, such as perudo"
        )
    return rules


def any_rules_from(
    args: argparse.Namespace, *, preset: "RuleSet | CupRules | None" = None
) -> "RuleSet | CupRules":
    """Build the rules that the arguments ask for, from ``preset`` or the one that they name.

    Raises
    ------
    InputError
        If a ``--set`` is not of the form OPTION=VALUE.
    RuleError
        If there is no such preset, option or value, or they make no sense together.
    """
    from liarsolve.rules import get_preset

    options = {} if args.faces is None else {"faces": args.faces}
    for entry in args.set_options:
        option, equals, value = entry.partition("=")
        if not equals:
            raise InputError(f"--set takes OPTION=VALUE, such as wild=none, got {entry!r}")
        options[option.strip()] = value
    return (preset or get_preset(args.rules)).replace(**options)


def parse_dice(text: str) -> tuple[int, ...]:
    """Read the number of dice of each player, the first bidder first.

    Raises
    ------
    InputError
        If the text is not a list of whole numbers.

    >>> parse_dice("2,1")
    (2, 1)
    """
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() for word in words):
        raise InputError(
            f"dice are written as the number of each player, such as 2,1, got {text!r}"
        )
    return tuple(int(word) for word in words)


def parse_history(text: str) -> tuple["Action", ...]:
    """Read the bids made so far, oldest first; an empty text is the start of the round.

    Raises
    ------
    InputError
        If a word is neither a bid nor a call.

    >>> [str(action) for action in parse_history("1x2, 1 X 5")]
    ['1x2', '1x5']
    """
    from liarsolve.rules import parse_action

    words = re.sub(r"(?<=\d)\s*[x]\s*(?=\d)", "x", text, flags=re.IGNORECASE)  # as in 1 x 2
    return tuple(parse_action(word) for word in words.replace(",", " ").split())

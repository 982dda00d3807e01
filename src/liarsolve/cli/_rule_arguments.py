"""Arguments that several commands share: rules, dice and the bids made so far."""

import argparse
from typing import TYPE_CHECKING

from liarsolve.cli._parser import shorten
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from liarsolve.rules import Action, CupRules, RuleSet

_MOST_DIGITS = 18
"""Longer numbers are no count of dice."""
_FEWEST_FACES = 2


def add_rule_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--rules``, ``--set`` and ``--faces``, which `rules_from` reads."""
    parser.add_argument(
        "--rules",
        metavar="PRESET",
        default="liars_dice",
        help="the rules to play by (default: liars_dice); `liarsolve rules` lists them",
    )
    add_option_arguments(parser)


def add_option_arguments(parser: argparse.ArgumentParser, *, also_sides: bool = False) -> None:
    """Add ``--set`` and ``--faces``, the changes to a preset; ``--sides`` is another name."""
    parser.add_argument(
        "--set",
        dest="set_options",
        metavar="OPTION=VALUE",
        action="append",
        default=[],
        help="change one option of the rules, such as wild=none; may be repeated",
    )
    names = ("--faces", "--sides") if also_sides else ("--faces",)
    parser.add_argument(*names, dest="faces", metavar="N", help="faces of a die (default: 6)")


def rules_from(args: argparse.Namespace, *, preset: "RuleSet | None" = None) -> "RuleSet":
    """Build the rules of bidding that the arguments ask for.

    Raises
    ------
    InputError
        If a ``--set`` is not of the form OPTION=VALUE or changes what another one has changed, the
        preset is a cup game, or ``--exact-payoff`` is given without an exact call.
    RuleError
        If there is no such preset, option or value, or they make no sense together.
    """
    from liarsolve.rules import RuleSet

    rules = any_rules_from(args, preset=preset)
    if not isinstance(rules, RuleSet):
        raise InputError(
            f"{args.rules} is a cup game; this command takes the rules of bidding, such as perudo"
        )
    check_exact_payoff(args, rules)
    return rules


def any_rules_from(
    args: argparse.Namespace, *, preset: "RuleSet | CupRules | None" = None
) -> "RuleSet | CupRules":
    """Build the rules that the arguments ask for, from ``preset`` or the one that they name.

    Raises
    ------
    InputError
        If a ``--set`` is not of the form OPTION=VALUE, or changes what another one has changed, or
        ``--faces`` is no number of faces.
    RuleError
        If there is no such preset, option or value, or they make no sense together.
    """
    from liarsolve.rules import get_preset

    rules = preset or get_preset(args.rules)
    if args.faces is not None:
        _check_faces(args.faces)
    options = {} if args.faces is None else {"faces": args.faces}
    for entry in args.set_options:
        option, equals, value = (part.strip() for part in entry.partition("="))
        if not equals or not option:
            raise InputError(f"--set takes OPTION=VALUE, such as wild=none, got {entry!r}")
        if option in options:
            first = f"--faces {args.faces}" if args.faces is not None and option == "faces" else (
                f"--set {option}={options[option]}"
            )  # fmt: skip
            raise InputError(f"{first} and --set {entry} say two things; leave one of them out")
        options[option] = value
    return rules.replace(**options)


def _check_faces(text: str) -> None:
    from liarsolve.rules.option_text import parse_whole_number

    try:
        is_number = parse_whole_number(text) >= _FEWEST_FACES
    except ValueError:
        is_number = text.isascii() and text.strip().isdigit()  # too long a one: the rules say so
    if not is_number:
        raise InputError(
            f"a die has a whole number of faces, at least {_FEWEST_FACES}, got {shorten(text)!r}"
        )


def check_exact_payoff(args: argparse.Namespace, rules: "RuleSet") -> None:
    """Refuse ``--exact-payoff``, if the command has it, where there is no exact call.

    Raises
    ------
    InputError
        If nobody may call exact by these rules, with these dice or in a palifico round.
    """
    from liarsolve.rules import ExactWho

    if getattr(args, "exact_payoff", None) is None:
        return
    dice = getattr(args, "dice", None)
    n_players = None if dice is None else len(parse_dice(dice))
    way_out = "leave out --exact-payoff"
    if getattr(args, "palifico", False):
        problem = "there is no exact call in a palifico round"
    elif rules.exact_who is ExactWho.OFF:
        problem = f"there is no exact call by the rules of {rules.name}"
        way_out += ", or add --set exact_who=next"
    elif n_players is not None and n_players < rules.exact_min_players:
        problem = f"an exact call needs {rules.exact_min_players} players by the rules of "
        problem += f"{rules.name}, and there are {n_players}"
    else:
        return
    raise InputError(f"{problem}, so --exact-payoff would do nothing; {way_out}")


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
    if not all(word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS for word in words):
        raise InputError(
            f"dice are written as the number of each player, such as 2,1, got {text!r}"
        )
    dice = tuple(int(word) for word in words)
    if 0 in dice and len(dice) > 1:
        raise InputError(f"each player needs a die, got {text}; a player without dice has lost")
    return dice


def parse_history(text: str) -> tuple["Action", ...]:
    """Read the bids made so far, oldest first; an empty text is the start of the round.

    Raises
    ------
    InputError
        If a word is neither a bid nor a call.

    >>> [str(action) for action in parse_history("1x2, 1 X 5")]
    ['1x2', '1x5']
    """
    from liarsolve.rules import parse_actions

    return parse_actions(text)


def parse_table(text: str) -> tuple[int, ...]:
    """Read the number of dice of each player of a round, as `parse_dice` does.

    Raises
    ------
    InputError
        If the text is not a list of whole numbers, or has only one.

    >>> parse_table("2,1")
    (2, 1)
    """
    dice = parse_dice(text)
    if len(dice) < 2:
        raise InputError(f"a round needs two players or more, as in --dice 2,1, got {text}")
    return dice

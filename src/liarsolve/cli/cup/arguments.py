"""Arguments of the commands about cup games, and those that mean nothing there."""

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from liarsolve.cli._rule_arguments import any_rules_from
from liarsolve.errors import GameTooLargeError, InputError

if TYPE_CHECKING:
    from liarsolve.rules import CupRules

SITUATION_FLAGS = ("hand", "claim", "passed", "thrown", "offered")
"""Arguments that say where a player stands in a cup game."""

CUP_FLAGS = ("claim", "passed", "thrown", "offered", "guide", "players")
"""Arguments of ``advise`` that only cup games know."""

_BIDDING_FLAGS = (
    "dice",
    "history",
    "seat",
    "palifico",
    "exact_payoff",
    "max_iterations",
    "max_memory",
    "variant",
    "recall",
    "max_jump",
    "similar_hands",
    "refine",
    "checkpoint",
    "checkpoint_seconds",
    "resume",
)


_MOST_PLAYERS = 12


def is_cup_preset(name: str | None) -> bool:
    """Whether a preset is one of the cup games.

    Raises
    ------
    RuleError
        If there is no such preset.
    """
    from liarsolve.rules import CupRules, get_preset

    return name is not None and isinstance(get_preset(name), CupRules)


def given_flags(args: argparse.Namespace, names: Iterable[str]) -> list[str]:
    """Which of these arguments were given, as they are written."""
    return [
        f"--{name.replace('_', '-')}"
        for name in names
        if getattr(args, name, None) not in (None, False, "")
    ]


def refuse_bidding_arguments(args: argparse.Namespace, rules_name: str) -> None:
    """Raise `InputError` if an argument was given that only bidding makes use of."""
    for flag in given_flags(args, _BIDDING_FLAGS):
        hint = "; say --players, or --set equipment=dice(2,6)" if flag == "--dice" else ""
        raise InputError(
            f"{rules_name} is a cup game with one hand for all, so {flag} would do nothing{hint}"
        )


def add_players_argument(parser: argparse._ActionsContainer) -> None:
    """Add ``--players``, which only cup games know: in bidding ``--dice`` says it."""
    parser.add_argument(
        "--players",
        type=int,
        metavar="N",
        help="players of a cup game (default: 2); with three or more, any game in which all is "
        "thrown again unseen, such as mia, and small ones of the others",
    )


def players_from(args: argparse.Namespace) -> int:
    """Read ``--players``.

    Raises
    ------
    InputError
        If there are fewer than two, or more than a game is for.
    """
    if args.players is None:
        return 2
    if not 2 <= args.players <= _MOST_PLAYERS:
        raise InputError(f"--players is a number from 2 to {_MOST_PLAYERS}, got {args.players}")
    return int(args.players)


def target_from(args: argparse.Namespace, usual: float) -> float:
    """Read ``--target``.

    Raises
    ------
    InputError
        If it is no number of 0 or more, or ``--max-seconds`` no time.
    """
    if args.max_seconds is not None and not 0.0 < args.max_seconds < float("inf"):
        raise InputError(f"--max-seconds is a time above 0, got {args.max_seconds:g}")
    if args.target is None:
        return usual
    if not 0.0 <= args.target < float("inf"):
        raise InputError(f"--target is an exploitability of 0 or more, got {args.target:g}")
    return float(args.target)


def check_size(rules: "CupRules") -> None:
    """Raise `GameTooLargeError` before any work if hands and claims are too many."""
    from liarsolve.game.cup.compile import size_problem

    problem = size_problem(rules)
    if problem is not None:
        raise GameTooLargeError(problem)


def cup_rules_from(
    args: argparse.Namespace, *, preset: "CupRules | None" = None
) -> "tuple[CupRules, str | None]":
    """Build the rules of a cup game that the arguments ask for, as they can be solved.

    Returns
    -------
    CupRules, str or None
        The rules, and a sentence on what was left out of them.

    Raises
    ------
    InputError
        If the rules are those of bidding.
    RuleError
        If there is no such preset, option or value, or they make no sense together.
    """
    from liarsolve.game.cup.compile import without_idle_passes
    from liarsolve.rules import CupRules

    rules = any_rules_from(args, preset=preset)
    if not isinstance(rules, CupRules):
        raise InputError(
            f"{args.rules} is a game of bidding; --offered, --claim and --guide are about cup "
            "games, such as classic"
        )
    if players_from(args) > 2:
        return rules, None
    solved = without_idle_passes(rules)
    if solved == rules:
        return rules, None
    return solved, (
        "blind passes are left out: between two players they gain nothing, since whoever looks, "
        "keeps all and claims the same does as well"
    )


def name_items(rules: "CupRules", n: int | None = None) -> str:
    """Name what lies under the cup, with its number if it is given.

    >>> from liarsolve.rules import presets
    >>> name_items(presets.CLASSIC, 1), name_items(presets.LIAR_CARDS)
    ('1 die', 'cards')
    """
    return rules.equipment.name_items(n)

"""Strategies that `liarsolve solve --out` saved, and whether they are those of a given game."""

import argparse
from typing import TYPE_CHECKING

from liarsolve.cli._rule_arguments import parse_dice, rules_from
from liarsolve.cli._solver_arguments import parse_exact_payoff
from liarsolve.errors import InputError, StorageError

if TYPE_CHECKING:
    from liarsolve.strategy import BiddingSolution


def open_stored(folder: str) -> "BiddingSolution":
    """Open a stored strategy of a bidding game.

    Raises
    ------
    InputError
        If there is none.
    """
    from liarsolve.strategy import BiddingSolution, load

    try:
        solution = load(folder)
    except StorageError as error:
        raise InputError(str(error)) from error
    if not isinstance(solution, BiddingSolution):
        raise InputError(f"{folder} holds the cup game {solution.rules.name}, not bidding")
    return solution


def refuse_other_game(
    args: argparse.Namespace, solution: "BiddingSolution", folder: str, *, way_out: str
) -> None:
    """Raise `InputError` if the arguments speak of another game than the one in the folder.

    ``way_out`` is what may be left out in place of the argument.
    """
    from liarsolve.game import Payoffs

    round_ = solution.result.tree.graph.round
    held = f"{folder} holds"
    if args.rules is not None or args.set_options or args.faces is not None:
        asked = rules_from(args, preset=None if args.rules is not None else solution.rules)
        if asked != solution.rules:
            raise InputError(
                f"{held} {solution.rules.name}, not {asked.name}; leave out the rules, or {way_out}"
            )
    if args.dice is not None and parse_dice(args.dice) != solution.dice:
        dice = ",".join(map(str, solution.dice))
        raise InputError(
            f"{held} a round with dice {dice}, not {args.dice}; leave out --dice, or {way_out}"
        )
    if args.palifico and not round_.palifico:
        raise InputError(f"{held} an ordinary round, not a palifico round")
    if args.exact_payoff is not None:
        asked_payoffs = Payoffs.for_exact_call(parse_exact_payoff(args.exact_payoff))
        if asked_payoffs != solution.result.payoffs:
            raise InputError(f"{held} a strategy for other payoffs than {args.exact_payoff}")

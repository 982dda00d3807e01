"""The command ``liarsolve play``: a whole match in the terminal against other players."""

import argparse
import sys
from typing import TYPE_CHECKING

from liarsolve.cli._page import print_text
from liarsolve.cli._rule_arguments import add_rule_arguments, any_rules_from
from liarsolve.errors import InputError, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from liarsolve.play.session import Opponent, Session
    from liarsolve.rules import CupRules, RuleSet
    from liarsolve.strategy import BiddingSolution, CupSolution

_MOST_PLAYERS = 20

_EPILOG = """\
examples:
  liarsolve play
  liarsolve play --rules perudo --players 3 --seat 2 --seed 7
  liarsolve play --rules mia --opponents honest
  liarsolve play --rules perudo --players 3 --opponents odds,random

Everything is told in plain lines, so that it works over a pipe and with a
screen reader. A move is typed as people say it (4x3, four threes, liar, QQQ99,
keep JJ), or as its number in the list that is shown, with a dot: 1. Other words
are help, list, score, log, odds, advise, number and quit. The same seed and the same moves
bring the same match. Opponents are odds (challenges what has less than an even
chance, bids what is likeliest), honest (bids and claims the most that they
believe) and random (does anything that is allowed)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    add_rule_arguments(parser)
    parser.add_argument(
        "--players", type=int, metavar="N", default=2, help="players, you included (default: 2)"
    )
    parser.add_argument(
        "--seat", type=int, metavar="N", default=1, help="where you sit (default: 1)"
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="of dice and mixed play (default: another each time)"
    )
    parser.add_argument(
        "--opponents",
        metavar="A,B,...",
        default="odds",
        help="who sits in the other seats, one name for each or one for all: odds, honest, random "
        "(default: odds)",
    )
    parser.add_argument(
        "--coach",
        choices=("after", "now", "off"),
        default="off",
        help="judge your decisions by a strategy of the round, where one is there: after each, or "
        "now, before it is final (default: off)",
    )
    parser.add_argument(
        "--strategy",
        metavar="FOLDER",
        action="append",
        default=[],
        help="a strategy that `liarsolve solve --out` saved, to advise by in rounds that it is "
        "for; may be repeated (small rounds are solved when advice is asked for)",
    )


def run(args: argparse.Namespace) -> int:
    """Play the match."""
    session = _seat_players(args)
    _show(session.begin())
    try:
        _converse(session)
    except KeyboardInterrupt:
        print()
        _show(session.say("quit"))
        raise
    return 0


def _converse(session: "Session") -> None:
    """Hand over what is typed until the match is over; the end of the input is a quit."""
    is_terminal = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    if sys.stdin is not None and hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    while not session.is_over:
        if is_terminal:
            print("> ", end="", flush=True)
        line = "" if sys.stdin is None else sys.stdin.readline()
        if is_terminal and not line.endswith("\n"):
            print()
        _show(session.say(line if line else "quit"))


def _show(lines: "Iterable[str]") -> None:
    for line in lines:
        is_listed = line.split(" ", 1)[0].rstrip(".").isdecimal()
        print_text(line, subsequent_indent="   " if is_listed else "")
    sys.stdout.flush()


def _seat_players(args: argparse.Namespace) -> "Session":
    """Read who plays what.

    Raises
    ------
    InputError
        If there is no such seat or player, or not one for every seat.
    """
    from secrets import randbelow

    from liarsolve.play.coach import Coaching
    from liarsolve.play.counsel import Counsel
    from liarsolve.play.session import Session

    rules = any_rules_from(args)
    n_players = args.players
    if not 2 <= n_players <= _MOST_PLAYERS:
        raise InputError(f"--players is a whole number from 2 to {_MOST_PLAYERS}, got {n_players}")
    if not 1 <= args.seat <= n_players:
        raise InputError(f"--seat is a whole number from 1 to {n_players} here, got {args.seat}")
    if args.seed is not None and args.seed < 0:
        raise InputError(f"--seed is a whole number of 0 or more, got {args.seed}")
    seed = randbelow(10**6) if args.seed is None else args.seed
    opponents = _read_opponents(args.opponents, n_players - 1)
    counsel = Counsel(_open_strategies(args.strategy, rules), lambda line: _show([line]))
    return Session(
        rules, opponents, seat=args.seat, seed=seed, counsel=counsel, coaching=Coaching(args.coach)
    )


def _open_strategies(
    folders: "Iterable[str]", rules: "RuleSet | CupRules"
) -> "list[BiddingSolution | CupSolution]":
    """Open stored strategies, if they can be of rounds of these rules."""
    from liarsolve.strategy import CupTableSolution, load

    opened: list[BiddingSolution | CupSolution] = []
    for folder in folders:
        try:
            solution = load(folder)
        except StorageError as error:
            raise InputError(str(error)) from error
        if isinstance(solution, CupTableSolution):
            raise InputError(f"{folder} holds strategies of more than two players of a cup game")
        if solution.rules.round_rules != rules.round_rules:
            raise InputError(
                f"{folder} holds {solution.rules.name}, whose rounds are not those of "
                f"{rules.name}; leave out --strategy, or choose another folder"
            )
        opened.append(solution)
    return opened


def _read_opponents(text: str, n_others: int) -> "list[Opponent]":
    """Read ``--opponents``: a name for each other seat, or one for all."""
    from liarsolve.play import READY_PLAYERS
    from liarsolve.play.session import Opponent

    makers = {"odds": READY_PLAYERS["probability"]} | dict(READY_PLAYERS)
    names = [word.strip() for word in text.split(",")]
    for name in names:
        if name not in makers:
            raise InputError(f"--opponents are {', '.join(makers)}, got {name!r}")
    if len(names) == 1:
        names *= n_others
    if len(names) != n_others:
        seats = "seat" if n_others == 1 else "seats"
        raise InputError(
            f"--opponents takes one name for all, or one for each of the {n_others} other {seats}, "
            f"got {len(names)}"
        )
    return [Opponent(name, makers[name]()) for name in names]

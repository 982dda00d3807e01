"""The command ``liarsolve play``: a whole match in the terminal against other players."""

import argparse
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from liarsolve.cli._json import print_json
from liarsolve.cli._page import print_text
from liarsolve.cli._rule_arguments import add_rule_arguments, any_rules_from
from liarsolve.errors import InputError, LiarsolveError, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from liarsolve.cli._play_file import PlayFile, Table
    from liarsolve.play.session import Opponent, Session
    from liarsolve.rules import CupRules, RuleSet
    from liarsolve.strategy import BiddingSolution, CupSolution

_MOST_PLAYERS = 20
_RULES = "liars_dice"
_OPPONENT = "odds"

_EPILOG = """\
examples:
  liarsolve play
  liarsolve play --rules perudo --players 3 --seat 2 --seed 7
  liarsolve play --rules mia --opponents honest
  liarsolve play --rules perudo --players 3 --opponents odds,random
  liarsolve play --set dice=1 --set lives=3 --coach now
  liarsolve play --save match.jsonl
  liarsolve play --continue match.jsonl

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
    parser.set_defaults(rules=None)  # so that --continue can tell whether rules were given
    parser.add_argument(
        "--players", type=int, metavar="N", help="players, you included (default: 2)"
    )
    parser.add_argument("--seat", type=int, metavar="N", help="where you sit (default: 1)")
    parser.add_argument(
        "--seed", type=int, metavar="N", help="of dice and mixed play (default: another each time)"
    )
    parser.add_argument(
        "--opponents",
        metavar="A,B,...",
        help="who sits in the other seats, one name for each or one for all: odds, honest, random "
        "(default: odds)",
    )
    _add_help_and_files(parser)


def _add_help_and_files(parser: argparse.ArgumentParser) -> None:
    """Add what is not about the match itself: coach, strategies, files."""
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
    parser.add_argument(
        "--save", metavar="FILE", help="write rules, seed and your answers, as JSON lines"
    )
    parser.add_argument(
        "--continue",
        dest="continue_",
        metavar="FILE",
        help="go on with a match that --save wrote, and write on there",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print the result as one JSON object, and the match itself on standard error",
    )


def run(args: argparse.Namespace) -> int:
    """Play the match."""
    from contextlib import nullcontext, redirect_stdout

    with redirect_stdout(sys.stderr) if args.json else nullcontext():
        session, table, lines, file = _open(args)
        _show(lines)
        try:
            _converse(session, file)
        except KeyboardInterrupt:
            print()
            _show(session.say("quit"))
            raise
    if args.json:
        print_json("play", _report(session, table))
    return 0


def _converse(session: "Session", file: "PlayFile | None") -> None:
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
        told = session.say(line if line else "quit")
        if file is not None:
            file.note(session)
        _show(told)


def _show(lines: "Iterable[str]") -> None:
    for line in lines:
        is_listed = line.split(" ", 1)[0].rstrip(".").isdecimal()
        print_text(line, subsequent_indent="   " if is_listed else "")
    sys.stdout.flush()


def _open(
    args: argparse.Namespace,
) -> "tuple[Session, Table, list[str], PlayFile | None]":
    """Seat the players for a match, or go on with one; also the lines to begin with.

    Raises
    ------
    InputError
        If the arguments make no match, or a file holds none.
    """
    from liarsolve.cli._play_file import PlayFile, read_play_file, replay
    from liarsolve.play.coach import Coaching
    from liarsolve.play.counsel import Counsel
    from liarsolve.play.session import Session

    typed: list[str] = []
    if args.continue_ is None:
        table = _read_table(args)
    else:
        _refuse_beside_continue(args)
        table, typed = read_play_file(args.continue_)
    counsel = Counsel(_open_strategies(args.strategy, table.rules), lambda line: _show([line]))
    with _naming(args.continue_):
        opponents = _seat_opponents(table.opponents)
        session = Session(table.rules, opponents, seat=table.seat, seed=table.seed, counsel=counsel)
    lines = session.begin()
    if args.continue_ is None:
        session.coaching = Coaching(args.coach)
        file = None if args.save is None else PlayFile(args.save)
        if file is not None:
            file.begin(table)
        return session, table, lines, file
    replay(args.continue_, session, typed)
    session.coaching = Coaching(args.coach)
    answers = "answer" if len(typed) == 1 else "answers"
    lines = [f"{args.continue_}: {len(typed)} {answers} of yours played again.", *lines[:2]]
    lines += session.log[-1] if session.is_over else session.ask()
    return session, table, lines, PlayFile(args.continue_, len(typed))


@contextmanager
def _naming(path: str | None) -> "Iterator[None]":
    """Name the file, if there is one, in what is wrong with its first line."""
    try:
        yield
    except LiarsolveError as error:
        if path is None:
            raise
        raise InputError(f"{path}, line 1: {error}") from error


def _refuse_beside_continue(args: argparse.Namespace) -> None:
    given = {
        "--rules": args.rules,
        "--set": args.set_options or None,
        "--faces": args.faces,
        "--players": args.players,
        "--seat": args.seat,
        "--seed": args.seed,
        "--opponents": args.opponents,
        "--save": args.save,
    }
    for flag, value in given.items():
        if value is not None:
            raise InputError(
                f"--continue goes on with the match in {args.continue_}, and writes on there, so "
                f"{flag} would do nothing; leave it out"
            )


def _read_table(args: argparse.Namespace) -> "Table":
    """Read who plays what.

    Raises
    ------
    InputError
        If there is no such seat or player, or not one for every seat.
    """
    from secrets import randbelow

    from liarsolve.cli._play_file import Table

    args.rules = _RULES if args.rules is None else args.rules
    rules = any_rules_from(args)
    n_players = 2 if args.players is None else args.players
    seat = 1 if args.seat is None else args.seat
    if not 2 <= n_players <= _MOST_PLAYERS:
        raise InputError(f"--players is a whole number from 2 to {_MOST_PLAYERS}, got {n_players}")
    if not 1 <= seat <= n_players:
        raise InputError(f"--seat is a whole number from 1 to {n_players} here, got {seat}")
    if args.seed is not None and args.seed < 0:
        raise InputError(f"--seed is a whole number of 0 or more, got {args.seed}")
    seed = randbelow(10**6) if args.seed is None else args.seed
    text = _OPPONENT if args.opponents is None else args.opponents
    return Table(rules, _read_opponents(text, n_players - 1), seat, seed)


def _report(session: "Session", table: "Table") -> "dict[str, Any]":
    """What came out, as plain values for JSON."""
    from liarsolve.play.coach import Coaching

    unit, counts = session.count()
    coach = None
    if session.coaching is not Coaching.OFF:
        coach = {
            "n_judged": len(session.decisions),
            "n_unjudged": session.n_unjudged,
            "loss": sum(decision.loss for decision in session.decisions),
            "decisions": [decision.to_dict() for decision in session.decisions],
        }
    return {
        "rules": table.rules.to_dict(),
        "family": table.rules.family,
        "seat": table.seat,
        "seed": table.seed,
        "opponents": list(table.opponents),
        "is_over": session.state.is_terminal,
        "n_rounds": session.n_rounds,
        "winners": [player + 1 for player in session.state.winners],
        "unit": unit,
        "score": [{"seat": seat, "left": left} for seat, left in enumerate(counts, 1)],
        "coach": coach,
    }


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


def _opponents() -> "dict[str, Callable[[], Any]]":
    """Players that take a seat, by their names."""
    from liarsolve.play import READY_PLAYERS

    return {_OPPONENT: READY_PLAYERS["probability"]} | dict(READY_PLAYERS)


def _read_opponents(text: str, n_others: int) -> tuple[str, ...]:
    """Read ``--opponents``: a name for each other seat, or one for all."""
    names = [word.strip() for word in text.split(",")]
    if len(names) == 1:
        names *= n_others
    if len(names) != n_others:
        seats = "seat" if n_others == 1 else "seats"
        raise InputError(
            f"--opponents takes one name for all, or one for each of the {n_others} other {seats}, "
            f"got {len(names)}"
        )
    _seat_opponents(names)
    return tuple(names)


def _seat_opponents(names: "Iterable[str]") -> "list[Opponent]":
    from liarsolve.play.session import Opponent

    makers = _opponents()
    for name in names:
        if name not in makers:
            raise InputError(f"opponents are {', '.join(makers)}, got {name!r}")
    return [Opponent(name, makers[name]()) for name in names]

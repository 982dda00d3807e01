"""The part of ``liarsolve arena`` that plays whole matches: ``--match``."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO

from liarsolve.cli._json import print_json
from liarsolve.cli._page import page_width, print_text, show_table
from liarsolve.cli._progress import format_seconds, show_contest_progress
from liarsolve.cli._rule_arguments import any_rules_from
from liarsolve.errors import InputError, StorageError

if TYPE_CHECKING:
    from rich.table import Table

    from liarsolve.play import ContestedMatch, MatchContest
    from liarsolve.rules import CupRules, RuleSet

DEFAULT_MATCHES = 1000
DEFAULT_TIMEOUT = 5.0

_DEFAULT_RULES = "liars_dice"
_MOST_PLAYERS = 6
_MOST_MATCHES = 10_000_000
_FORFEITS_SHOWN = 20
_HEADING = 16
_ROOMY = 60
_OF_ROUNDS = {
    "deals": "single rounds, and --matches says how many matches there are",
    "dice": "single rounds; a match begins with --set dice=N each",
    "seats": "single rounds; --players names all who sit at the table",
    "palifico": "single rounds; --set palifico=first_time gives a match such rounds",
    "exact_payoff": "single rounds; a match is won or lost",
    "target": "solving, and no player of a match is solved",
    "max_seconds": "solving, and no player of a match is solved",
    "computed": "single rounds of two strategies",
}
_OF_MATCHES = ("player", "matches", "log", "timeout")


def add_match_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of whole matches."""
    group = parser.add_argument_group("whole matches, from the first throw to the winner")
    group.add_argument(
        "--match", action="store_true", help="play matches of two to six players, not rounds"
    )
    group.add_argument(
        "--player",
        metavar="P",
        action="append",
        help="one player: a name, or a program such as './mybot --level 3'; may be repeated, in "
        "place of --players or after them",
    )
    group.add_argument(
        "--matches", type=int, metavar="N", help=f"matches (default: {DEFAULT_MATCHES})"
    )
    group.add_argument(
        "--log", metavar="FILE", help="write every match to a file, one event a line, as JSON"
    )
    group.add_argument(
        "--timeout",
        type=float,
        metavar="S",
        help=f"seconds in which a program has to answer (default: {DEFAULT_TIMEOUT:g})",
    )


def refuse_match_arguments(args: argparse.Namespace) -> None:
    """Refuse arguments of matches where single rounds are played.

    Raises
    ------
    InputError
        With the first of them.
    """
    for name in _OF_MATCHES:
        if getattr(args, name) is not None:
            raise InputError(f"--{name} is about whole matches, so it needs --match")


def run_matches(args: argparse.Namespace) -> int:
    """Play matches, and print what came out."""
    from liarsolve.play import contest_matches

    n_matches = _read_number(args)
    args.rules = args.rules or _DEFAULT_RULES
    rules = any_rules_from(args)
    names = _read_names(args)
    _check_number(rules, names)
    record = _Record(rules, names)
    started = perf_counter()
    with ExitStack() as stack:
        players = _make_players(args, names, stack)
        if args.log is not None:
            record.file = stack.enter_context(_open_log(args.log))
        on_progress = stack.enter_context(show_contest_progress(_short_names(names)))
        result = contest_matches(
            players,
            rules,
            n_matches=n_matches,
            rng=args.seed,
            confidence=args.confidence,
            on_match=record.add,
            on_progress=on_progress,
        )
    seconds = perf_counter() - started
    if args.json:
        report = {
            "rules": rules.to_dict(),
            "family": rules.family,
            "seed": args.seed,
            "players": names,
            "log": args.log,
            "forfeits": record.forfeits,
            "seconds": seconds,
        }
        print_json("arena", report | result.to_dict(), kind="match")
    else:
        _show(rules, names, result, record, args=args, seconds=seconds)
    return 1 if result.is_interrupted else 0


def _read_number(args: argparse.Namespace) -> int:
    """Read how many matches there are, and refuse what is about single rounds."""
    for name, what in _OF_ROUNDS.items():
        if getattr(args, name) not in (None, False):
            flag = name.replace("_", "-")
            raise InputError(f"--{flag} is about {what}, so it does not go with --match")
    n_matches = DEFAULT_MATCHES if args.matches is None else int(args.matches)
    if not 1 <= n_matches <= _MOST_MATCHES:
        raise InputError(f"--matches is a number from 1 to {_MOST_MATCHES:,}, got {n_matches}")
    return n_matches


def _read_names(args: argparse.Namespace) -> list[str]:
    """Read all players, in the order of their seats in the first match."""
    names = [] if args.players is None else [word.strip() for word in args.players.split(",")]
    names += [word.strip() for word in args.player or ()]
    if not names:
        raise InputError("say who plays, such as --players probability,honest,random")
    if not all(names):
        raise InputError(f"every player has a name, got --players {args.players!r}")
    if not 2 <= len(names) <= _MOST_PLAYERS:
        raise InputError(f"a match is for 2 to {_MOST_PLAYERS} players here, got {len(names)}")
    return names


def _check_number(rules: "RuleSet | CupRules", names: list[str]) -> None:
    from liarsolve.rules import match_of

    match_of(rules, len(names))  # complain before the work


def _make_players(
    args: argparse.Namespace, names: list[str], stack: ExitStack
) -> list[Any]:  # Any: players of both families
    """Make every player; programs are ended when the contest is over."""
    import shlex
    import shutil

    from liarsolve.play import READY_PLAYERS, ProgramPlayer

    timeout = DEFAULT_TIMEOUT if args.timeout is None else args.timeout
    players: list[Any] = []
    for name in names:
        if name in READY_PLAYERS:
            players.append(READY_PLAYERS[name]())
            continue
        if name == "strategy" or Path(name).is_dir():
            raise InputError(
                f"{name} is a strategy, which is solved for one round, and a match has others too; "
                f"the players of matches are {', '.join(READY_PLAYERS)} and programs"
            )
        player = ProgramPlayer(name, timeout=timeout)
        program = shlex.split(name)[0]
        if shutil.which(program) is None:
            raise InputError(
                f"{name} is neither a player ({', '.join(READY_PLAYERS)}) nor a program that can "
                "be run; docs/bots.md says what such a program does"
            )
        stack.callback(player.close)
        players.append(player)
    if args.timeout is not None and all(name in READY_PLAYERS for name in names):
        raise InputError(
            f"--timeout is for players that are programs, so --timeout {args.timeout:g} would do "
            "nothing"
        )
    return players


@contextmanager
def _open_log(path: str) -> Iterator[TextIO]:
    with ExitStack() as stack:
        try:
            file = stack.enter_context(Path(path).open("x", encoding="utf-8"))
        except FileExistsError as error:
            raise InputError(f"{path} exists already; choose another file for --log") from error
        except OSError as error:
            raise StorageError(f"{path} cannot be written: {error.strerror}") from error
        yield file


class _Record:
    """What is noted of every match: its log, if it is asked for, and who has forfeited it."""

    def __init__(self, rules: "RuleSet | CupRules", names: list[str]) -> None:
        self.rules, self.names = rules, names
        self.file: TextIO | None = None
        self.forfeits: list[dict[str, object]] = []

    def add(self, contested: "ContestedMatch") -> None:
        """Note a match."""
        forfeit = contested.played.forfeit
        if forfeit is not None:
            self.forfeits.append(
                {
                    "match": contested.number,
                    "seat": forfeit.player + 1,
                    "name": self.names[contested.order[forfeit.player]],
                    "reason": forfeit.reason,
                }
            )
        if self.file is not None:
            self._write(contested, self.file.write)

    def _write(self, contested: "ContestedMatch", write: Callable[[str], object]) -> None:
        from liarsolve.rules import write_log
        from liarsolve.rules.match_events import MatchForfeited
        from liarsolve.rules.match_log import write_event

        played = contested.played
        names = tuple(self.names[who] for who in contested.order)
        for line in write_log(played.state(), names=names):
            write(f"{line}\n")
        if played.forfeit is not None:
            event = MatchForfeited(player=played.forfeit.player, reason=played.forfeit.reason)
            write(f"{write_event(event, self.rules)}\n")


def _short_names(names: list[str]) -> list[str]:
    """Names for the columns of a table; the same one twice is told apart by its number.

    >>> _short_names(["honest", "./mybot --level 3", "python3 bots/other.py", "honest"])
    ['honest (1)', 'mybot', 'other.py', 'honest (4)']
    """
    paths = [next((word for word in name.split() if "/" in word), name) for name in names]
    short = [Path(path).name for path in paths]
    return [
        f"{name} ({number})" if short.count(name) > 1 else name
        for number, name in enumerate(short, 1)
    ]


def _show(
    rules: "RuleSet | CupRules",
    names: list[str],
    result: "MatchContest",
    record: _Record,
    *,
    args: argparse.Namespace,
    seconds: float,
) -> None:
    """Print how often everybody has won."""
    short = _short_names(names)
    print_text(f"{rules.name}: matches of {len(names)} players")
    print_text(", ".join(f"{name} as {own}" if name != own else own
                         for name, own in zip(names, short, strict=True)))  # fmt: skip
    print()
    n_matches = result.n_matches
    rounds = f"{result.n_rounds / n_matches:.1f} rounds each"
    stopped = " (interrupted)" if result.is_interrupted else ""
    rows = [
        (
            "matches",
            f"{n_matches:,}, {rounds}, seed {args.seed}, {format_seconds(seconds)}{stopped}",
        ),
        ("interval", f"{100 * result.confidence:g} %, exact"),
    ]
    rows += [] if args.log is None else [("log", args.log)]
    for heading, text in rows:
        print_text(text, initial_indent=heading.ljust(_HEADING), subsequent_indent=" " * _HEADING)
    print()
    show_table(_win_table(short, result))
    shared = " A match that is forfeited is won by all others." if record.forfeits else ""
    print_text(
        f"The columns of the seats count the matches that were won there; seat 1 begins.{shared}"
    )
    _show_forfeits(record, result)


def _win_table(short: list[str], result: "MatchContest") -> "Table":
    """How often everybody has won, in all and from every seat."""
    from rich import box
    from rich.table import Table

    table = Table(
        title="Matches won",
        title_justify="left",
        box=box.SIMPLE,
        padding=(0, 1) if page_width() >= _ROOMY else 0,
    )
    table.add_column("player")
    for heading in ("won", "from", "to"):
        table.add_column(heading, justify="right", no_wrap=True)
    for seat in range(len(short)):
        table.add_column(f"seat {seat + 1}" if page_width() >= _ROOMY else f"{seat + 1}",
                         justify="right", no_wrap=len(short) < 4)  # fmt: skip
    for name, own in zip(short, result.contestants, strict=True):
        chance = own.win_chance
        shares = [f"{100 * x:.1f}%" for x in (chance.mean, chance.lo, chance.hi)]
        table.add_row(name, *shares, *(f"{n:,}" for n in own.seat_wins))
    return table


def _show_forfeits(record: _Record, result: "MatchContest") -> None:
    """Say which matches were lost because a player could not go on."""
    if not record.forfeits:
        return
    n_lost = sum(own.n_forfeits for own in result.contestants)
    print()
    print_text(f"{n_lost:,} {'match was' if n_lost == 1 else 'matches were'} forfeited:")
    for entry in record.forfeits[:_FORFEITS_SHOWN]:
        said = f"match {entry['match']}, seat {entry['seat']}: {entry['reason']}"
        print_text(said, initial_indent="  ", subsequent_indent="    ")
    if len(record.forfeits) > _FORFEITS_SHOWN:
        print_text(f"  and {len(record.forfeits) - _FORFEITS_SHOWN:,} more; --json lists them all")

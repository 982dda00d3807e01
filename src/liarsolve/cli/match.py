"""The command ``liarsolve match``: the chance of winning a match from every score."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from liarsolve.cli._json import print_json
from liarsolve.cli._page import page_width, print_text
from liarsolve.cli._progress import format_seconds, show_match_progress
from liarsolve.cli._rule_arguments import add_rule_arguments, any_rules_from
from liarsolve.cli._solver_arguments import options_in_errors
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from liarsolve.matches import MatchValues

_TARGET = 1e-3
_HEADING = 10

_EPILOG = """\
examples:
  liarsolve match --rules common --dice 2
  liarsolve match --rules liars_dice --dice 5 --folder rounds --out table.json
  liarsolve match --rules perudo --dice 2 --max-seconds 600 --folder rounds
  liarsolve match --rules mia
  liarsolve match --rules box --svg box.svg

The table says how likely the player who starts the next round is to win the
match, in per cent: their dice (or lives) down, the opponent's across, x for an
extra life. All chances are proved; where two numbers stand, the chance lies
between them. Rounds that `liarsolve values` lists are not solved anew. With
--folder, finished rounds are kept as they come, and a run that was stopped goes
on from there. After Ctrl-C the table is printed as far as it is known, with
exit status 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    add_rule_arguments(parser)
    parser.add_argument(
        "--dice",
        metavar="N",
        help="dice of each player at the start; smaller numbers are in the table too (default: "
        "those of the rules)",
    )
    parser.add_argument(
        "--target",
        type=float,
        metavar="X",
        default=_TARGET,
        help=f"solve rounds to this exploitability, in utility per round (default: {_TARGET:g})",
    )
    parser.add_argument(
        "--round-seconds",
        type=float,
        metavar="S",
        help="stop the solver of a round there in any case (default: 60, and no limit in cup "
        "games)",
    )
    parser.add_argument(
        "--max-seconds", type=float, metavar="S", help="stop there in any case (default: no limit)"
    )
    parser.add_argument(
        "--folder", metavar="FOLDER", help="keep solved rounds there, and take them from there"
    )
    parser.add_argument("--out", metavar="FILE", help="save the values there, as JSON")
    parser.add_argument("--svg", metavar="FILE", help="draw them there, as a picture")
    parser.add_argument(
        "--overwrite", action="store_true", help="replace the files of --out and --svg"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Solve what is not known, save and print the table."""
    with options_in_errors():
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    from liarsolve.matches import MatchStop, match_values

    rules = any_rules_from(args)
    dice = None if args.dice is None else _parse_dice(args.dice)
    if dice is not None and rules.family == "cup":
        raise InputError(
            f"{args.rules} is a cup game with one hand for all, so --dice would do nothing; say "
            "--set lives=N for other lives"
        )
    _check_files(args)
    with show_match_progress() as on_progress:
        values = match_values(
            rules,
            dice=dice,
            target=args.target,
            round_seconds=args.round_seconds,
            max_seconds=args.max_seconds,
            on_progress=on_progress,
            folder=args.folder,
        )
    problem = _save(args, values)
    if args.json:
        files = {"out": args.out, "svg": args.svg, "folder": args.folder}
        print_json("match", values.to_dict() | files)
    else:
        _show(args, values)
    if problem is not None:
        raise problem
    return 1 if values.stop is MatchStop.INTERRUPTED else 0


def _parse_dice(text: str) -> int:
    word = text.strip()
    if not (word.isascii() and word.isdigit() and len(word) < 4 and int(word) > 0):
        raise InputError(
            f"--dice is the number of each player at the start, such as 5, got {text!r}"
        )
    return int(word)


def _check_files(args: argparse.Namespace) -> None:
    """See before the work begins that its results have a place."""
    if args.overwrite and args.out is None and args.svg is None:
        raise InputError("--overwrite needs --out or --svg, the file to replace")
    if args.out and args.svg and Path(args.out).resolve() == Path(args.svg).resolve():
        raise InputError(
            f"--out and --svg are both {args.out}; choose another file for one of them"
        )
    for flag, name in (("--out", args.out), ("--svg", args.svg), ("--folder", args.folder)):
        if name is None:
            continue
        if not name:
            raise InputError(f"{flag} names a place to write to, got ''")
        path = Path(name)
        if flag == "--folder":
            if path.exists() and not path.is_dir():
                raise InputError(f"--folder {name} is there already, and is no folder")
        elif path.is_dir():
            raise InputError(f"{flag} {name} is a folder; name a file")
        elif (path.exists() or path.is_symlink()) and not args.overwrite:
            raise InputError(f"{name} exists already; choose another file, or add --overwrite")


def _save(args: argparse.Namespace, values: "MatchValues") -> OSError | None:
    """Write the files that were asked for; what cannot be written is still worth printing."""
    try:
        if args.out is not None:
            values.save(args.out, overwrite=args.overwrite)
        if args.svg is not None:
            path = Path(args.svg)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(values.to_svg(), encoding="utf-8")
    except OSError as problem:
        args.out = args.svg = None
        return problem
    return None


def _show(args: argparse.Namespace, values: "MatchValues") -> None:
    from liarsolve.matches import MatchStop
    from liarsolve.matches.text import tabulate

    print_text(f"{values.rules.name}: the starter's chance of winning the match, in per cent.")
    print()
    print(tabulate(values, width=page_width()))
    print()
    rows = [
        ("width", f"the widest bracket is {100 * values.width():.2g} % wide"),
        ("rounds", _describe_rounds(values)),
    ]
    if values.stop is not MatchStop.DONE:
        rows.append(("stopped", values.stop.value))
    rows.append(("work", format_seconds(values.seconds)))
    for heading, words in rows:
        print_text(words, initial_indent=heading.ljust(_HEADING), subsequent_indent=" " * _HEADING)
    for name in (args.out, args.svg):
        if name is not None:
            print("saved".ljust(_HEADING) + name)


def _describe_rounds(values: "MatchValues") -> str:
    known = values.n_rounds - values.n_solved - values.n_open
    words = [f"{known:,} known before", f"{values.n_solved:,} solved"]
    if values.n_open:
        words.append(f"{values.n_open:,} left unsolved")
    return ", ".join(words)

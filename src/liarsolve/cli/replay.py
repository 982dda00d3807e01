"""The command ``liarsolve replay``: a match of a log, in plain words."""

import argparse
from pathlib import Path

from liarsolve.cli._json import print_json
from liarsolve.cli._page import print_text
from liarsolve.errors import InputError, StorageError

_EPILOG = """\
examples:
  liarsolve arena --match --players honest,random --matches 5 --log matches.jsonl
  liarsolve replay matches.jsonl
  liarsolve replay matches.jsonl --number 3

The log has one JSON object a line, and is played again move by move: a line that
is damaged, or does not follow from those before, is named. docs/bots.md lists
the events."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    parser.add_argument("file", metavar="FILE", help="what `liarsolve arena --match --log` wrote")
    parser.add_argument(
        "--number", type=int, metavar="N", default=1, help="which match of the log (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print one match."""
    from liarsolve.rules.match_events import MatchEnds
    from liarsolve.rules.match_log import read_matches
    from liarsolve.rules.match_words import describe_events

    if args.number < 1:
        raise InputError(f"--number is 1 or more, got {args.number}")
    found, n_matches = None, 0
    for logged in read_matches(_lines(args.file)):
        n_matches += 1
        if n_matches == args.number:
            found = logged
    if found is None:
        held = "1 match" if n_matches == 1 else f"{n_matches:,} matches"
        raise InputError(f"{args.file} holds {held}, got --number {args.number}")
    lines = describe_events(found.events)
    if args.json:
        rules = found.state.match.rules
        ends = (event for event in found.events if isinstance(event, MatchEnds))
        end = next(ends, None)
        report = {
            "rules": rules.to_dict(),
            "family": rules.family,
            "match": args.number,
            "n_matches": n_matches,
            "n_players": found.state.n_players,
            "n_rounds": len(found.state.past),
            "winners": None if end is None else [player + 1 for player in end.winners],
            "lines": lines,
        }
        print_json("replay", report)
        return 0
    for line in lines:
        told = line.lstrip()
        indent = " " * (len(line) - len(told))
        print_text(told, initial_indent=indent, subsequent_indent=f"{indent}  ")
    return 0


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no log: it is not text") from error

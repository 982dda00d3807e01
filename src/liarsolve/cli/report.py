"""The command ``liarsolve report``: a page to look around in a stored strategy."""

import argparse
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from liarsolve.cli._json import print_json
from liarsolve.cli._page import print_text
from liarsolve.cli._progress import format_seconds, show_status
from liarsolve.cli._solver_arguments import options_in_errors
from liarsolve.errors import InputError, StorageError

if TYPE_CHECKING:
    from liarsolve.strategy import BiddingSolution, CupSolution

_HEADING = 10

_EPILOG = """\
examples:
  liarsolve solve --rules common --dice 2,1 --out two-one
  liarsolve report two-one --html page.html
  liarsolve report two-one --html all.html --min-reach 0

The page is one file that any browser opens from disk, without a network. It
has what every hand does after the bids so far, what that is worth, what the
others hold, and the odds by dice alone."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    parser.add_argument("folder", metavar="FOLDER", help="what `liarsolve solve --out` saved")
    parser.add_argument("--html", metavar="FILE", required=True, help="the page to write")
    parser.add_argument(
        "--min-reach",
        type=float,
        metavar="P",
        help="leave out what play comes to with a smaller chance (default: 0 for small rounds, "
        "else 0.001)",
    )
    parser.add_argument(
        "--no-values",
        action="store_true",
        help="leave out expected values, which take long in large rounds of bidding",
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace the file if it is there already"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Open the strategy, write the page, and say what is on it."""
    from liarsolve.report.browser import export_html
    from liarsolve.strategy import BiddingSolution
    from liarsolve.strategy.disk_space import format_bytes

    _check_arguments(args)
    solution = _open(args.folder)
    is_bidding = isinstance(solution, BiddingSolution)
    if not is_bidding and args.no_values:
        raise InputError(
            "--no-values is about rounds of bidding; pages about cup games have values anyway"
        )
    started = perf_counter()
    with options_in_errors(), show_status("making the page"):
        page = export_html(solution, args.html, min_reach=args.min_reach, values=not args.no_values)
    seconds = perf_counter() - started
    if args.json:
        report = {
            "rules": solution.rules.to_dict(),
            "dice": solution.to_dict()["dice"],
            "folder": args.folder,
            "file": args.html,
            "bytes": page.n_bytes,
            "places": page.n_written,
            "min_reach": page.min_reach,
            "has_values": not args.no_values,
            "seconds": seconds,
        }
        print_json("report", report, kind="bidding" if is_bidding else "cup")
        return 0
    places = f"{page.n_written:,} to look at"
    if page.min_reach > 0.0:
        places += f", where play comes with a chance of {page.min_reach:g} or more"
    for heading, words in (
        ("page", f"{args.html}, {format_bytes(page.n_bytes)}"),
        ("places", places),
        ("work", format_seconds(seconds)),
    ):
        print_text(words, initial_indent=heading.ljust(_HEADING), subsequent_indent=" " * _HEADING)
    return 0


def _open(folder: str) -> "BiddingSolution | CupSolution":
    from liarsolve.strategy import BiddingSolution, CupSolution, load

    try:
        solution = load(folder)
    except StorageError as error:
        raise InputError(str(error)) from error
    if not isinstance(solution, BiddingSolution | CupSolution):
        raise InputError(
            f"{folder} holds the cup game {solution.rules.name} for {solution.n_players} players, "
            "and pages are made of cup games of two"
        )
    return solution


def _check_arguments(args: argparse.Namespace) -> None:
    """Complain before the work begins."""
    if args.min_reach is not None and not 0.0 <= args.min_reach <= 1.0:
        raise InputError(f"--min-reach is a chance from 0 to 1, got {args.min_reach}")
    if not args.html:
        raise InputError("--html names the file to write, such as --html page.html, got ''")
    target = Path(args.html)
    if Path(args.folder).resolve() in target.resolve().parents:
        raise InputError(f"--html is {target}, which lies in {args.folder}; choose another place")
    if target.is_dir():
        raise InputError(f"--html names the file to write, and {target} is a folder")
    if target.exists() and not target.is_file():
        raise InputError(f"--html names the file to write, and {target} is no ordinary file")
    if not target.parent.is_dir():
        raise InputError(f"--html is {target}, and there is no folder {target.parent}")
    if (target.exists() or target.is_symlink()) and not args.overwrite:
        raise InputError(f"{target} exists already; choose another file, or add --overwrite")

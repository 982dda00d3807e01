"""The command ``liarsolve compact``: a small copy of a stored strategy, and what it costs."""

import argparse
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from liarsolve.cli._json import print_json
from liarsolve.cli._page import print_text
from liarsolve.cli._progress import format_seconds, show_status
from liarsolve.cli._saved import folder_bytes
from liarsolve.cli.bidding.certificate import describe_game, format_measure, measure_name
from liarsolve.cli.bidding.stored import open_stored
from liarsolve.errors import InputError, StorageError

if TYPE_CHECKING:
    from liarsolve.strategy import BiddingSolution

_CUTOFF = 1e-3
_BITS = 16
_HEADING = 16

_EPILOG = """\
examples:
  liarsolve solve --rules common --dice 2,2 --out large
  liarsolve compact large small
  liarsolve compact large smaller --bits 8 --cutoff 1e-2

Actions less likely than --cutoff are dropped, states that play then does not
reach are left out, and probabilities are stored in --bits. What the copy loses
to a perfect opponent is measured anew, in the true game."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    parser.add_argument("folder", metavar="FOLDER", help="what `liarsolve solve --out` saved")
    parser.add_argument("out", metavar="OUT", help="the folder to write")
    parser.add_argument(
        "--cutoff",
        type=float,
        metavar="P",
        default=_CUTOFF,
        help=f"probability below which an action is dropped (default: {_CUTOFF:g})",
    )
    parser.add_argument(
        "--bits",
        type=int,
        metavar="N",
        default=_BITS,
        help=f"of a stored probability, 8 or 16 (default: {_BITS})",
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace the strategy that OUT has already"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Open, make the copy, measure and save it, and print what became of it."""
    from liarsolve.strategy import compact

    _check_arguments(args)
    solution = open_stored(args.folder)
    started = perf_counter()
    with show_status("making the copy, and measuring what it loses"):
        small = compact(solution, cutoff=args.cutoff, bits=args.bits)
    seconds = perf_counter() - started
    small.save(args.out, overwrite=args.overwrite)
    folders = {"before": (args.folder, solution), "after": (args.out, small)}
    if args.json:
        report = {
            "rules": solution.rules.to_dict(),
            "dice": list(solution.dice),
            "cutoff": args.cutoff,
            "bits": args.bits,
            **{name: _describe(*pair) for name, pair in folders.items()},
            "seconds": seconds,
        }
        print_json("compact", report)
        return 0
    print_text(describe_game(solution))
    print()
    for heading, words in _rows(args, solution, small, seconds):
        print_text(words, initial_indent=heading.ljust(_HEADING), subsequent_indent=" " * _HEADING)
    return 0


def _describe(folder: str, solution: "BiddingSolution") -> dict[str, Any]:
    bounds = solution.value_bounds
    return {
        "folder": folder,
        "bytes": folder_bytes(folder),
        "states": solution.n_states,
        "value_bounds": None if bounds is None else list(bounds),
        "exploitability": solution.exploitability,
        "nash_conv": solution.nash_conv,
        "is_walked": solution.result.is_traversed,
    }


def _rows(
    args: argparse.Namespace, solution: "BiddingSolution", small: "BiddingSolution", seconds: float
) -> list[tuple[str, str]]:
    """List size and loss before and after, as pairs of a heading and a text."""
    from liarsolve.solvers import BoundedLoss, Unmeasured
    from liarsolve.strategy.disk_space import format_bytes

    before, after = folder_bytes(args.folder), folder_bytes(args.out)
    was, now = format_measure(solution), format_measure(small)
    loss = f"{was} before, {now} after, measured in the true game"
    if isinstance(solution.certificate, Unmeasured):
        loss = "not measured, before and after: best responses are too long to compute"
    elif isinstance(small.certificate, Unmeasured):
        loss = f"{was} before, not measured after: best responses are too long to compute"
    elif isinstance(small.certificate, BoundedLoss):
        loss = f"at most {was} before, at most {now} after"
    return [
        ("size", f"{format_bytes(before)} before, {format_bytes(after)} after"),
        ("states", f"{solution.n_states:,} before, {small.n_states:,} after"),
        (measure_name(solution), loss),
        ("stored", f"{args.bits} bits each, none below {args.cutoff:g}"),
        ("work", format_seconds(seconds)),
        ("saved", args.out),
    ]


def _check_arguments(args: argparse.Namespace) -> None:
    """Complain before the work begins."""
    from liarsolve.strategy.storage import read_folder

    if not 0.0 <= args.cutoff < 0.5:
        raise InputError(f"--cutoff is a probability below 0.5, got {args.cutoff:g}")
    if args.bits not in (8, 16):
        raise InputError(f"--bits is 8 or 16, got {args.bits}")
    for name, folder in (("FOLDER", args.folder), ("OUT", args.out)):
        if not folder.strip():
            raise InputError(f"{name} is the name of a folder, such as small, got {folder!r}")
    source, target = Path(args.folder), Path(args.out)
    if source.resolve() == target.resolve():
        raise InputError(f"OUT is {args.out}, the folder that is copied; choose another")
    if source.resolve() in target.resolve().parents:
        raise InputError(f"OUT lies in {args.folder}, the folder that is copied; choose another")
    if target.exists() or target.is_symlink():
        if not args.overwrite:
            raise InputError(f"{target} exists already; choose another folder, or add --overwrite")
        try:
            read_folder(target, verify=False)
        except StorageError as error:
            raise InputError(f"--overwrite replaces only a stored strategy: {error}") from error

"""``liarsolve warm-up``: compile ahead what first answers need."""

import argparse
import sys
from time import perf_counter

from liarsolve.cli._json import print_json
from liarsolve.cli._page import fill, print_text
from liarsolve.cli._progress import format_seconds, show_status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.epilog = """\
examples:
  liarsolve warm-up
  NUMBA_CACHE_DIR=/var/cache/liarsolve liarsolve warm-up

The solvers are compiled for this machine's processor when they are first used,
which takes seconds for each kind of question; the machine code is kept on disk.
This compiles all of it, once after installation; what is ready is left as it is.
It is kept in the folder that the environment variable NUMBA_CACHE_DIR names,
else in the package's own folders, else in your folder for caches. Progress goes
to standard error, unless LIARSOLVE_QUIET=1 is set."""


def run(args: argparse.Namespace) -> int:
    """Ask each kind of question once, and say what was compiled."""
    from liarsolve.cli._announce import is_quiet

    started = perf_counter()
    with show_status("looking for what is compiled already"):
        from liarsolve.strategy import warm_up

        folder = warm_up.kernel_folder()
    parts = []
    names = warm_up.part_names()
    questions = warm_up.warm_up()
    for number, name in enumerate(names, 1):
        place = f"{number} of {len(names)}: {name}"
        with show_status(f"compiling {place}"):
            part = next(questions)
        parts.append(part)
        if part.n_compiled and not is_quiet():
            line = (
                f"{place}, {_kernels(part.n_compiled)} compiled in {format_seconds(part.seconds)}"
            )
            print(fill(line), file=sys.stderr)
    n_compiled = sum(part.n_compiled for part in parts)
    seconds, n_bytes = perf_counter() - started, warm_up.kernel_bytes()
    if args.json:
        report = {
            "folder": str(folder),
            "compiled": n_compiled,
            "seconds": seconds,
            "bytes": n_bytes,
            "parts": [
                {"name": part.name, "compiled": part.n_compiled, "seconds": part.seconds}
                for part in parts
            ],
        }
        print_json("warm-up", report)
    else:
        done = (
            f"Compiled {_kernels(n_compiled)}" if n_compiled else "Everything was compiled already"
        )
        print_text(
            f"{done} ({format_seconds(seconds)}); {n_bytes / 1e6:,.0f} MB of machine code are "
            "kept in"
        )
        print(folder)
    return 0


def _kernels(n: int) -> str:
    return "1 kernel" if n == 1 else f"{n} kernels"

"""The command ``liarsolve``: finds the subcommand, turns errors into sentences and exit codes."""

import sys
from importlib import import_module
from time import perf_counter

_LOADED = perf_counter()
"""What the time limits of a command count from, if it has the process for itself."""

TYPE_CHECKING = False
if TYPE_CHECKING:  # what loads more waits until `main` can answer Ctrl-C
    import argparse
    from collections.abc import Sequence
    from types import ModuleType

COMMANDS = {
    "odds": "the odds of a bid, or of a claim about one hand",
    "rules": "the rules of a preset in plain words",
    "solve": "an equilibrium strategy with a certificate",
    "advise": "what to play with these dice, after these bids or claims",
    "match": "the chance of winning a match from every score",
    "play": "a whole match against other players, in plain lines",
    "arena": "players against each other, in rounds or whole matches",
    "replay": "a match that arena wrote down, in plain words",
    "values": "values of rounds that were proved before",
    "compact": "a small copy of a stored strategy, and what it loses",
    "report": "a page to look around in a stored strategy, in any browser",
    "warm-up": "compile ahead what first answers need, once after installation",
    "schema": "what --json prints, for programs that read it",
}
"""Subcommand and the line that describes it; its module is ``liarsolve.cli.<name>``, with ``_`` for
``-``."""


def _module(command: str) -> "ModuleType":
    return import_module(f"liarsolve.cli.{command.replace('-', '_')}")


_LONGEST_WORD = 100
"""Characters of a word in a complaint."""


def build_parser(command: str | None = None) -> "argparse.ArgumentParser":
    """Build the argument parser; only the module of ``command`` is imported, the others by name."""
    import argparse

    from liarsolve import __version__
    from liarsolve.cli._parser import Parser

    parser = Parser(
        prog="liarsolve",
        description="Liar's Dice: the odds of a bid, and optimal play with a certificate.",
    )
    parser.add_argument("--version", action="version", version=f"liarsolve {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == command:
            _module(name).add_arguments(subparser)
    return parser


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run one command; 0 on success, 1 if it failed, 2 for bad input."""
    program = "liarsolve"
    began = _LOADED if argv is None else perf_counter()
    try:
        argv = list(sys.argv[1:] if argv is None else argv)
        command = next((word for word in argv if word in COMMANDS), None)
        program = program if command is None else f"{program} {command}"
        from liarsolve._clock import counting_from
        from liarsolve._interrupts import listen

        with listen(), counting_from(began):
            return _run(argv, command, program)
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 1


def _explain_clause(reason: str) -> str:
    """Say where such a clause as LD.2 can be read, where the rules refuse something."""
    import re

    found = re.search(r" refused: ([A-Z]{2}[.?][0-9]+[a-z]?) ", reason)
    return reason if found is None else f"{reason} (docs/rules.md explains {found[1]})"


def _run(argv: "Sequence[str]", command: str | None, program: str) -> int:
    """Run a command, and turn its errors into sentences."""
    from contextlib import nullcontext

    from liarsolve.cli._announce import announce_compiling
    from liarsolve.cli._output import READER_LEFT, describe_failure, guarded_output, print_remark
    from liarsolve.errors import InputTypeError, LiarsolveError

    status = 1
    try:
        with guarded_output():
            args = build_parser(command).parse_args(argv)
            with nullcontext() if args.command == "warm-up" else announce_compiling():
                return int(_module(args.command).run(args))
    except LiarsolveError as error:
        reason = _explain_clause(str(error))
        status = 2 if isinstance(error, ValueError | InputTypeError | KeyError) else 1
    except KeyboardInterrupt:
        reason = "interrupted"
    except OSError as error:
        if error.errno in READER_LEFT:  # the reader of a pipe has seen enough, as in `| head`
            return 1
        reason = describe_failure(error)
    except MemoryError as error:
        needed = f": {error}" if str(error) else ""
        reason = f"there is not enough memory{needed}; a smaller game would do"
    print_remark(f"{program}: {_shorten_words(reason)}")
    return status


def _shorten_words(reason: str) -> str:
    """Cut words that are so long that a sentence would drown in them, such as mistyped paths.

    >>> len(_shorten_words("no file " + 300 * "x"))
    108
    """
    words = reason.split(" ")
    most = _LONGEST_WORD
    return " ".join(word if len(word) <= most else f"{word[: most - 3]}..." for word in words)


if __name__ == "__main__":
    sys.exit(main())

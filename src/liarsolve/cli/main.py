"""The command ``liarsolve``: finds the subcommand, turns errors into sentences and exit codes."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from types import ModuleType
from typing import Any

from liarsolve import __version__
from liarsolve.cli._announce import announce_compiling
from liarsolve.errors import InputTypeError, LiarsolveError

COMMANDS = {
    "odds": "the odds of a bid, or of a claim about one hand",
    "rules": "the rules of a preset in plain words",
    "solve": "an equilibrium strategy with a certificate",
    "advise": "what to play with these dice, after these bids or claims",
    "arena": "one player against another over the same dice from every seat",
    "warm-up": "compile ahead what first answers need, once after installation",
}
"""Subcommand and the line that describes it; its module is ``liarsolve.cli.<name>``, with ``_`` for
``-``."""


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence, without the usage block in front of it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.register("type", int, _whole_number)
        self.register("type", float, _number)

    def error(self, message: str) -> None:  # type: ignore[override]  # argparse: NoReturn; exit below never returns
        self.exit(2, f"{self.prog}: {message}\nTry '{self.prog} --help'.\n")


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = f"a whole number is wanted, such as 3, got {text!r}"
        raise argparse.ArgumentTypeError(message) from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        message = f"a number is wanted, such as 1e-3 or 60, got {text!r}"
        raise argparse.ArgumentTypeError(message) from None


def _module(command: str) -> ModuleType:
    return import_module(f"liarsolve.cli.{command.replace('-', '_')}")


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """Build the argument parser; only the module of ``command`` is imported, the others by name."""
    parser = _Parser(
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 on success, 1 if it failed, 2 for bad input."""
    argv = list(sys.argv[1:] if argv is None else argv)
    command = next((word for word in argv if word in COMMANDS), None)
    args = build_parser(command).parse_args(argv)
    try:
        with nullcontext() if args.command == "warm-up" else announce_compiling():
            return int(_module(args.command).run(args))
    except LiarsolveError as error:
        print(f"liarsolve {args.command}: {error}", file=sys.stderr)
        bad_input = isinstance(error, ValueError | InputTypeError | KeyError)
        return 2 if bad_input else 1
    except KeyboardInterrupt:
        print(f"liarsolve {args.command}: interrupted", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of a pipe has seen enough, as in `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())

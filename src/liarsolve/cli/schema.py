"""The command ``liarsolve schema``: what ``--json`` prints, as a JSON Schema or as a page."""

import argparse

from liarsolve.cli._json import load_schema, schema_commands, schema_of, write_schema
from liarsolve.errors import InputError

_EPILOG = """\
examples:
  liarsolve schema
  liarsolve schema solve > solve.schema.json
  liarsolve schema odds --page

The schema is a JSON Schema (draft 2020-12) of the object that a command prints
with --json. Each object names its schema (1), its command and its kind: a
command such as odds has several answers, and each has the same fields every
time."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "of", nargs="?", metavar="COMMAND", help="only what this command prints, such as solve"
    )
    parser.add_argument(
        "--page", action="store_true", help="print it as a page to read, and not as a schema"
    )


def run(args: argparse.Namespace) -> int:
    """Print the schema or a part of it."""
    commands = schema_commands()
    if args.of is not None and args.of not in commands:
        raise InputError(f"COMMAND is one that has --json: {', '.join(commands)}; got {args.of!r}")
    schema = load_schema() if args.of is None else schema_of(args.of)
    if args.page:
        from liarsolve.cli._schema_page import schema_page

        print(schema_page(schema))
    else:
        print(write_schema(schema))
    return 0

"""What ``--json`` prints: every command writes its object here, as ``schema.json`` describes it."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from liarsolve.strategy import CupSolution, CupTableSolution, Solution

__all__ = [
    "SCHEMA_VERSION",
    "load_schema",
    "print_json",
    "report_solution",
    "schema_commands",
    "schema_of",
    "write_json_line",
    "write_schema",
]

SCHEMA_VERSION = 1
"""Number of the schema; it grows when a field goes or changes, not when one is added."""


def print_json(command: str, report: Mapping[str, Any], *, kind: str | None = None) -> None:
    """Print what a command has found as one JSON object in one line.

    Parameters
    ----------
    command : str
        The command, such as ``"solve"``.
    report : mapping
        What it has found; a number that does not exist (nan, infinity) is written as null.
    kind : str, optional
        Which of its answers this is, where a command has several, such as ``"bidding"``.
    """
    head = {"schema": SCHEMA_VERSION, "command": command, "kind": kind}
    assert head.keys().isdisjoint(report), "these names are taken"
    print(json.dumps(head | _without_gaps(report), allow_nan=False))


def write_json_line(entry: Mapping[str, Any]) -> str:
    r"""Write one line of a file of JSON lines.

    >>> write_json_line({"typed": "4x3"})
    '{"typed": "4x3"}\n'
    """
    return json.dumps(entry, allow_nan=False) + "\n"


def report_solution(solution: "Solution | CupSolution | CupTableSolution") -> dict[str, Any]:
    """Everything but the strategies, with the family of games first for either family."""
    from liarsolve.strategy import BiddingSolution

    report = {"family": solution.rules.family} | solution.to_dict()
    if isinstance(solution, BiddingSolution) and solution.values is None:
        report["values"] = None  # the stored bounds of an unfinished measurement are no values
    return report


def _without_gaps(value: Any) -> Any:  # Any: whatever JSON has
    """Replace numbers that do not exist, which JSON cannot write, by None."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _without_gaps(part) for name, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_without_gaps(part) for part in value]
    return value


@cache
def load_schema() -> dict[str, Any]:
    """Read the schema of everything that ``--json`` prints."""
    text = files("liarsolve.cli").joinpath("schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def schema_commands() -> list[str]:
    """Commands that have ``--json``, in the order of the schema.

    Examples
    --------
    >>> schema_commands()[:6]
    ['odds', 'rules', 'solve', 'advise', 'match', 'play']
    """
    schema = load_schema()
    return list(dict.fromkeys(_command(schema, answer) for answer in schema["oneOf"]))


def schema_of(command: str) -> dict[str, Any]:
    """The part of the schema that is about one command, with all definitions that it needs.

    Examples
    --------
    >>> schema_of("rules")["oneOf"]
    [{'$ref': '#/$defs/rules_preset'}, {'$ref': '#/$defs/rules_list'}]
    """
    schema = load_schema()
    defs = schema["$defs"]
    answers = [answer for answer in schema["oneOf"] if _command(schema, answer) == command]
    needed: set[str] = set()
    to_do = answers.copy()
    while to_do:
        for name in _referred(to_do.pop()) - needed:
            needed.add(name)
            to_do.append(defs[name])
    return schema | {
        "$id": f"{schema['$id']}/{command}",
        "title": f"What liarsolve {command} --json prints",
        "oneOf": answers,
        "$defs": {name: part for name, part in defs.items() if name in needed},
    }


def write_schema(schema: Mapping[str, Any]) -> str:
    """Write a schema as text that people can read too."""
    return json.dumps(schema, indent=2, ensure_ascii=False)


def _command(schema: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    """The command that prints what ``{"$ref": ...}`` refers to."""
    part = schema["$defs"][answer["$ref"].removeprefix("#/$defs/")]
    command: str = part["properties"]["command"]["const"]
    return command


def _referred(part: Any) -> set[str]:  # Any: a piece of a schema
    """Names of the definitions that a piece of a schema refers to by itself."""
    if isinstance(part, list):
        return set().union(*map(_referred, part))
    if not isinstance(part, dict):
        return set()
    name = part.get("$ref")
    found = {name.removeprefix("#/$defs/")} if isinstance(name, str) else set()
    return found.union(*map(_referred, part.values()))

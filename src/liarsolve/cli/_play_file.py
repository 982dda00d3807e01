"""Files of ``liarsolve play``: rules, seats and seed, then what was typed, as JSON lines."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from liarsolve.cli._json import write_json_line
from liarsolve.errors import InputError, LiarsolveError

if TYPE_CHECKING:
    from liarsolve.play.session import Session
    from liarsolve.rules import CupRules, RuleSet

FORMAT = 1
_LARGEST = 10_000_000
"""Bytes; a match has some kilobytes."""
_FIELDS: dict[str, type] = {
    "play": int,
    "rules": dict,
    "family": str,
    "opponents": list,
    "seat": int,
    "seed": int,
}


@dataclass(frozen=True, slots=True)
class Table:
    """What a match is played by."""

    rules: "RuleSet | CupRules"
    opponents: tuple[str, ...]
    seat: int
    seed: int


class PlayFile:
    """A file that a match is written to while it goes on, every answer at once."""

    def __init__(self, path: str, n_written: int = 0) -> None:
        self.path = path
        self._n_written = n_written

    def begin(self, table: Table) -> None:
        """Write the first line.

        Raises
        ------
        InputError
            If the file is there already.
        OSError
            If it cannot be written.
        """
        head = {
            "play": FORMAT,
            "rules": table.rules.to_dict(),
            "family": table.rules.family,
            "opponents": list(table.opponents),
            "seat": table.seat,
            "seed": table.seed,
        }
        try:
            with Path(self.path).open("x", encoding="utf-8") as file:
                file.write(write_json_line(head))
        except FileExistsError:
            raise InputError(
                f"{self.path} is there already; --continue {self.path} goes on with it, or choose "
                "another name"
            ) from None

    def note(self, session: "Session") -> None:
        """Write what was typed since the last time."""
        fresh = session.inputs[self._n_written :]
        if not fresh:
            return
        with Path(self.path).open("a", encoding="utf-8") as file:
            file.writelines(write_json_line({"typed": typed}) for typed in fresh)
        self._n_written = len(session.inputs)


def read_play_file(path: str) -> tuple[Table, list[str]]:
    """Read a file: what is played, and what was typed.

    Raises
    ------
    InputError
        If the file is not there, or damaged; the sentence says where.
    """
    try:
        if Path(path).stat().st_size > _LARGEST:
            raise InputError(f"{path} is no match: it is larger than {_LARGEST // 10**6} MB")
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise InputError(f"{path} is no match that --save wrote: it is not text") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    if not lines:
        raise InputError(f"{path} is no match that --save wrote: it is empty")
    table = _read_table(path, _read_line(path, 1, lines[0]))
    typed = []
    for number, line in enumerate(lines[1:], start=2):
        entry = _read_line(path, number, line)
        if list(entry) != ["typed"] or not isinstance(entry["typed"], str):
            raise InputError(
                f'{path}, line {number}: a line is {{"typed": "4x3"}}, got {line[:40]}'
            )
        typed.append(entry["typed"])
    return table, typed


def replay(path: str, session: "Session", typed: list[str]) -> None:
    """Play again what was typed, in a session that has begun.

    Raises
    ------
    InputError
        If something was typed that is no move there.
    """
    for number, words in enumerate(typed, start=2):
        n_before = len(session.inputs)
        told = session.say(words)
        if len(session.inputs) == n_before:
            raise InputError(f"{path}, line {number}: {words[:40]!r} is no move there: {told[0]}")


def _read_line(path: str, number: int, line: str) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(f"{path}, line {number}: this is no line of JSON: {line[:40]!r}") from None
    if not isinstance(entry, dict):
        raise InputError(f"{path}, line {number}: a line is a JSON object, got {line[:40]}")
    return entry


def _read_table(path: str, head: dict[str, Any]) -> Table:
    from liarsolve.rules import CupRules, RuleSet

    for field, kind in _FIELDS.items():
        value = head.get(field)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise InputError(f"{path} is no match that --save wrote: line 1 has no right {field!r}")
    if head["play"] != FORMAT:
        raise InputError(f"{path} is of format {head['play']}; this version reads {FORMAT}")
    if not all(isinstance(name, str) for name in head["opponents"]):
        raise InputError(f"{path}, line 1: opponents are names, got {head['opponents']}")
    maker: Any = {"bidding": RuleSet, "cup": CupRules}.get(head["family"])
    if maker is None:
        raise InputError(f"{path}, line 1: a family is bidding or cup, got {head['family'][:40]!r}")
    try:
        rules = maker.from_dict(head["rules"])
    except LiarsolveError as error:
        raise InputError(f"{path}, line 1: {error}") from error
    return Table(rules, tuple(head["opponents"]), head["seat"], head["seed"])

"""The schema of what ``--json`` prints, as a page to read; docs/json.md is such a page."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from liarsolve.cli._page import fill

__all__ = ["schema_page"]

_HEAD = ("schema", "command", "kind")
"""Fields of all objects, which are told once."""
_MANY = 10
"""An object that has all fields of another one with so many refers to it."""
_INTRODUCTION = (
    "Every command prints one JSON object with `--json`, and nothing else on standard output. Each "
    "object says first which it is: `schema` is the number of this schema (1), which grows when a "
    "field goes or changes, not when one is added; `command` is the command, and `kind` says which "
    "of its answers it is, null if it has one only.",
    "`liarsolve schema` prints the JSON Schema (draft 2020-12) to check such objects by, and "
    "`liarsolve schema solve` the part that is about one command; with `--page` they print this "
    "page.",
)


def schema_page(schema: Mapping[str, Any]) -> str:
    """Describe all objects and their fields, in Markdown as wide as the page.

    Parameters
    ----------
    schema : mapping
        The whole schema, or what `liarsolve.cli._json.schema_of` makes of it.
    """
    defs = schema["$defs"]
    answers = [_name(answer) for answer in schema["oneOf"]]
    parts = [name for name, part in defs.items() if "properties" in part and name not in answers]
    lines = [f"# {schema['title']}", ""]
    for sentence in (*_INTRODUCTION, schema["description"]):
        lines += [fill(sentence), ""]
    for name in answers:
        fields = defs[name]["properties"]
        kind = fields["kind"].get("const")
        title = f"liarsolve {fields['command']['const']}" + (f", kind {kind}" if kind else "")
        lines += [f"## {title}", "", *_describe(defs, name), ""]
    lines += [fill("## Parts, by the names that stand for them above"), ""]
    for name in parts:
        lines += [f"### {name}", "", *_describe(defs, name), ""]
    return "\n".join(lines[:-1])


def _describe(defs: Mapping[str, Any], name: str) -> Iterator[str]:
    """Describe one object: what it is, then its fields in their order."""
    fields = {n: about for n, about in defs[name]["properties"].items() if n not in _HEAD}
    yield fill(defs[name]["description"])
    yield ""
    for other, part in defs.items():
        shared = part.get("properties", {}).items()
        if other != name and len(shared) >= _MANY and shared <= fields.items():
            yield fill(f"- all fields of {other}", subsequent_indent="  ")
            fields = {n: about for n, about in fields.items() if n not in part["properties"]}
    for field, about in fields.items():
        own = defs[_name(about)] | about if "$ref" in about else about
        words = f"- `{field}` ({_type_words(defs, about)}): {own['description']}"
        yield fill(words, subsequent_indent="  ")


def _type_words(defs: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    """Say what values a piece of the schema allows."""
    if "$ref" in about:
        name = _name(about)
        return name if "properties" in defs[name] else _type_words(defs, defs[name])
    if "anyOf" in about:
        return " or ".join(_type_words(defs, option) for option in about["anyOf"])
    if "const" in about:
        return json.dumps(about["const"])
    if "enum" in about:
        return " or ".join(json.dumps(value) for value in about["enum"])
    kinds = [about["type"]] if isinstance(about["type"], str) else about["type"]
    words = {"array": f"array of {_type_words(defs, about['items'])}" if "items" in about else ""}
    return " or ".join(words.get(kind, kind) for kind in kinds)


def _name(reference: Mapping[str, Any]) -> str:
    """Name of the definition that a piece of the schema refers to."""
    name: str = reference["$ref"]
    return name.removeprefix("#/$defs/")

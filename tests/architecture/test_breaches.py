"""Where the house breaks its own rules of size: CONTRIBUTING lists all of it, with reasons."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "liarsolve"
LONGEST_MODULE, LONGEST_FUNCTION, MOST_PARAMETERS = 600, 40, 8


def lines_of(function):
    """Lines of a function without its docstring."""
    first = function.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = first.end_lineno - first.lineno + 1 if is_text else 0
    return function.end_lineno - function.lineno + 1 - docstring


def parameters_of(function):
    given = function.args
    named = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len([name for name in named if name not in ("self", "cls")])


def found(kind):
    for path in sorted(SRC.rglob("*.py")):
        text, name = path.read_text(), str(path.relative_to(SRC))
        if kind == "modules" and len(text.splitlines()) > LONGEST_MODULE:
            yield name
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.FunctionDef):
                continue
            if kind == "functions" and lines_of(node) > LONGEST_FUNCTION:
                yield f"{name}:{node.name}"
            if kind == "parameters" and parameters_of(node) > MOST_PARAMETERS:
                yield f"{name}:{node.name}"


def listed(kind):
    """What the table of CONTRIBUTING on this kind lists; a row may name several of one file."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = re.search(rf"<!-- breaches: {kind} -->\n(.*?)<!-- end -->", text, re.DOTALL)
    assert section, kind
    for row in section[1].strip().splitlines()[2:]:
        place, reason = (cell.strip() for cell in row.strip("|").split("|"))
        assert reason, f"no reason for {place}"
        names = re.findall(r"`([^`]+)`", place)
        yield from [f"{names[0]}:{name}" for name in names[1:]] or [names[0]]


@pytest.mark.parametrize("kind", ["modules", "functions", "parameters"])
def test_breaches_are_those_that_are_listed(kind):
    assert sorted(set(listed(kind))) == sorted(set(found(kind)))


def test_every_place_that_the_map_names_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    places = re.findall(r"`((?:[\w]+/)*[\w]+\.py)`", text)
    assert len(places) > 50
    for place in places:
        assert (SRC / place).exists() or (ROOT / place).exists(), place

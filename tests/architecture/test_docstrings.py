"""Docstrings say what is so: their parameters are the signature's, and examples are there."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

import liarsolve

SRC = Path(__file__).parents[2] / "src" / "liarsolve"
HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


def sections(docstring):
    """The sections of a numpydoc docstring by heading."""
    text = inspect.cleandoc(docstring)
    parts = HEADING.split(text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def documented_parameters(docstring):
    """Names in the section on parameters, in order; None without that section."""
    section = sections(docstring).get("Parameters")
    if section is None:
        return None
    lines = [line for line in section.splitlines() if line and not line.startswith(" ")]
    return [name.strip().lstrip("*") for line in lines for name in line.split(" : ")[0].split(",")]


def own_parameters(function):
    arguments = function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    names += [a.arg for a in (arguments.vararg,) if a] + [a.arg for a in arguments.kwonlyargs]
    names += [a.arg for a in (arguments.kwarg,) if a]
    return [name for name in names if name not in ("self", "cls")]


def iter_documented_functions():
    for path in sorted(SRC.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and not path.name.endswith("_kernels.py"):
                names = documented_parameters(ast.get_docstring(node) or "")
                if names is not None:
                    yield pytest.param(node, names, id=f"{path.relative_to(SRC)}:{node.name}")


@pytest.mark.parametrize(("function", "names"), list(iter_documented_functions()))
def test_documented_parameters_are_those_of_the_signature(function, names):
    own = own_parameters(function)
    extra = [name for name in names if name not in own]
    assert not extra, f"documents {extra}, which it does not take"
    missing = [name for name in own if name not in names]
    assert not missing, f"does not document {missing}"


PUBLIC = [
    name for name in liarsolve.__all__ if callable(getattr(liarsolve, name)) and name[0] != "_"
]


def examples_of(thing):
    members = vars(thing).values() if inspect.isclass(thing) else ()
    docs = [thing.__doc__, *(getattr(member, "__doc__", None) for member in members)]
    return sum((doc or "").count(">>> ") for doc in docs)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_of_the_public_face_has_an_example(name):
    assert examples_of(getattr(liarsolve, name)) > 0


LAYERS = ("claims", "dice", "game", "odds", "play", "report", "rules", "solvers", "strategy")


def public_functions():
    for layer in LAYERS:
        module = importlib.import_module(f"liarsolve.{layer}")
        for name in module.__all__:
            if inspect.isfunction(getattr(module, name)):
                yield pytest.param(getattr(module, name), id=f"{layer}.{name}")


@pytest.mark.parametrize("function", list(public_functions()))
def test_every_public_function_of_a_layer_has_an_example(function):
    assert examples_of(function) > 0

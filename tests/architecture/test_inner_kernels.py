"""Kernels without a way in from Python are called by kernels alone.

Python would jump to no address, and the process would end without a word.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"
INNER = {"inner_kernel", "inlined_kernel"}
SOURCES = [
    path for folder in ("src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")
]


def module_name(path):
    return ".".join(path.relative_to(SRC).with_suffix("").parts)


def inner_kernels(tree):
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(d, ast.Name) and d.id in INNER for d in node.decorator_list)
    }


INNER_NAMES = {
    module_name(path): inner_kernels(ast.parse(path.read_text()))
    for path in SRC.rglob("*_kernels.py")
}


def reached(tree):
    """(module, name) of what a file takes from modules of kernels."""
    aliases = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module = f"{node.module}.{alias.name}"
                if module in INNER_NAMES:
                    aliases[alias.asname or alias.name] = module
                elif node.module in INNER_NAMES:
                    yield node.module, alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) in aliases:
            yield aliases[node.value.id], node.attr


def test_there_are_inner_kernels():
    assert len(INNER_NAMES["liarsolve.solvers.cup._stage_kernels"]) > 30
    source = "from liarsolve.solvers.cup import _stage_kernels as k\nk._put(1)\n"
    assert list(reached(ast.parse(source))) == [("liarsolve.solvers.cup._stage_kernels", "_put")]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_inner_kernels_are_called_by_kernels_alone(path):
    if path.name.endswith("_kernels.py"):
        return  # kernels call them wherever they stand; the cache looks at the text of both modules
    for module, name in reached(ast.parse(path.read_text())):
        assert name not in INNER_NAMES[module], f"{module}.{name} has no way in from Python"

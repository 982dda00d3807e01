"""Every test file has tests, every test asserts something, and nothing that cannot fail."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FILES = sorted(TESTS.rglob("test_*.py"))
NEVER_NEGATIVE = {"iterations", "size", "n_states", "seconds"}
"""What counts or measures: that it is not negative says nothing."""


def iter_tests(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def name_of(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def helpers_that_assert(tree):
    """Functions of a file that assert something, themselves or through one another."""
    bodies = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    found: set[str] = set()
    while True:
        more = {name for name, node in bodies.items() if asserts(node, found)} - found
        if not more:
            return found
        found |= more


def asserts(function, helpers):
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            name = name_of(node)
            if name in helpers or name in {"raises", "warns", "fail"} or name.startswith("assert"):
                return True
            if any(word.arg == "check" and cannot_fail(word.value) for word in node.keywords):
                return True  # a subprocess that has to end well
    return False


def cannot_fail(test):
    """Whether an asserted expression is true whatever the code does."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.Tuple):
        return bool(test.elts)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return any(cannot_fail(part) for part in test.values)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    left, op, right = test.left, test.ops[0], test.comparators[0]
    if isinstance(op, ast.Eq | ast.Is | ast.GtE | ast.LtE) and ast.dump(left) == ast.dump(right):
        return not any(isinstance(node, ast.Call) for node in ast.walk(left))
    if not (isinstance(op, ast.GtE) and isinstance(right, ast.Constant) and right.value == 0):
        return False
    is_length = isinstance(left, ast.Call) and name_of(left) == "len"
    return is_length or (isinstance(left, ast.Attribute) and left.attr in NEVER_NEGATIVE)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(TESTS)))
def test_every_file_has_tests_and_every_test_asserts(path):
    tree = ast.parse(path.read_text())
    helpers = helpers_that_assert(tree)
    tests = list(iter_tests(tree))
    assert tests, f"{path} holds no test"
    idle = [test.name for test in tests if not asserts(test, helpers)]
    assert not idle, f"{path}: {idle} assert nothing"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(TESTS)))
def test_no_assertion_is_true_by_itself(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Assert):
            assert not cannot_fail(node.test), f"{path}:{node.lineno} cannot fail"


@pytest.mark.parametrize(
    "text",
    ["True", "'text'", "(a, 1)", "a or True", "result.iterations >= 0", "len(a) >= 0", "a == a"],
)
def test_such_assertions_are_found(text):
    assert cannot_fail(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize("text", ["a", "a == b", "f() == f()", "value >= 0", "len(a) > 0"])
def test_others_may_fail(text):
    assert not cannot_fail(ast.parse(text, mode="eval").body)

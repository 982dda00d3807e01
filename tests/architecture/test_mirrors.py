"""Unit tests lie where the code lies that they test."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNIT, SRC = ROOT / "tests" / "unit", ROOT / "src" / "liarsolve"
FILES = sorted(UNIT.rglob("test_*.py"))
ELSEWHERE = {
    "test_warm_up.py": "about the first call of every layer",
    "test_arguments.py": "about the arguments of public functions of every layer",
}
"""Test files that are named after a module of another folder, with the reason."""


def is_mirrored(path):
    """Whether the folder is one of the code, and holds the module if one has this name."""
    folder = SRC / path.parent.relative_to(UNIT)
    stem = path.stem.removeprefix("test_")
    homes = {found.parent for name in (stem, f"_{stem}") for found in SRC.rglob(f"{name}.py")}
    return folder.is_dir() and (not homes or folder in homes)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(UNIT)))
def test_unit_tests_mirror_the_code(path):
    name = path.relative_to(UNIT).as_posix()
    assert is_mirrored(path) != (name in ELSEWHERE), f"{name} lies apart from what it tests"


def test_a_misplaced_file_is_found():
    assert not is_mirrored(UNIT / "strategy" / "test_recommendation.py")
    assert is_mirrored(UNIT / "strategy" / "bidding" / "test_recommendation.py")
    assert not is_mirrored(UNIT / "no_such_layer" / "test_something.py")

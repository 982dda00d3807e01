import ast
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src" / "liarsolve"

# Lower layers first; an import may point to its own layer or one below it.
LAYERS = [
    [
        "errors",
        "_interrupts",
        "_typing",
        "_compiling",
        "_jit_folder",
        "_jit_cache",
        "_jit",
        "_lanes",
        "_checks",
    ],
    ["dice"],
    ["claims"],
    ["odds", "rules"],
    ["game"],
    ["solvers"],
    ["strategy"],
    ["play"],
    ["report"],
    ["interop"],
    ["cli"],
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
SIBLINGS_APART = {("odds", "rules"), ("rules", "odds")}
FACE = {"__init__", "__main__"}  # the public face may import from anywhere


def imported_layers(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            parts = str(node.module).split(".")
            if parts[0] == "liarsolve":
                yield from parts[1:2] or [a.name for a in node.names if not a.name.startswith("__")]
        elif isinstance(node, ast.Import):
            assert not any(a.name.startswith("liarsolve") for a in node.names), path


@pytest.mark.parametrize("path", sorted(SRC.rglob("*.py")), ids=lambda p: str(p.relative_to(SRC)))
def test_imports_point_downward(path):
    own = path.relative_to(SRC).parts[0].removesuffix(".py")
    if own in FACE:
        return
    for layer in imported_layers(path):
        assert LEVEL[layer] <= LEVEL[own], f"{path} imports {layer}"
        assert (own, layer) not in SIBLINGS_APART, f"{path} imports {layer}"


FAMILIES = {"bidding", "cup"}
"""Folders inside a layer; what both families of rules need stands beside them."""


def imported_modules(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("liarsolve."):
            yield str(node.module).removeprefix("liarsolve.")


@pytest.mark.parametrize(
    "path",
    [path for family in sorted(FAMILIES) for path in sorted(SRC.glob(f"rules/{family}/*.py"))],
    ids=lambda path: str(path.relative_to(SRC)),
)
def test_families_of_rules_do_not_import_each_other(path):
    others = FAMILIES - {path.parent.name}
    for module in imported_modules(path):
        assert not others & set(module.split(".")), f"{path} imports {module}"


def test_modules_of_rules_do_not_import_in_circles():
    paths = {
        ".".join(path.relative_to(SRC).with_suffix("").parts): path
        for path in SRC.glob("rules/**/*.py")
        if path.stem not in FACE
    }
    below = {name: set(imported_modules(path)) & set(paths) for name, path in paths.items()}
    assert below["rules.describe"] >= {"rules.bidding.describe", "rules.cup.describe"}
    while ends := {name for name, needed in below.items() if not needed & set(below)}:
        for name in ends:
            del below[name]
    assert not below, f"import each other: {sorted(below)}"


def loaded_modules(statement):
    code = f"{statement}; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_odds_load_neither_numba_nor_scipy():
    modules = loaded_modules("from liarsolve import p_at_least; p_at_least(4, 3, 10)")
    assert not modules & {"numba", "scipy", "numpy"}


def test_the_odds_of_a_claim_load_nothing_heavy():
    modules = loaded_modules(
        "from liarsolve import best_keep, p_claim, presets; "
        "p_claim('two pairs', presets.BOX.claims); best_keep('QQQ99', presets.BOX.claims)"
    )
    assert not modules & {"numba", "scipy", "numpy"}


@pytest.mark.parametrize("command", ["odds", "arena"])
def test_command_help_loads_nothing_heavy(command):
    modules = loaded_modules(
        f"from liarsolve.cli.main import build_parser; build_parser({command!r})"
    )
    assert not modules & {"numba", "scipy", "numpy", "rich"}

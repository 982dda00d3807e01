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
        "_clock",
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
    ["matches"],
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


MUST_IMPORT = {
    ("play/bidding/players.py", "play.cup.players"): "players of one name play both families",
    ("play/bidding/players.py", "play.cup.turn"): "players of one name play both families",
    ("strategy/bidding/strategy.py", "strategy.cup.situation"): "the other family's is refused",
    ("cli/cup/table_words.py", "cli.bidding.certificate"): "exploitability is written alike",
    ("cli/cup/solve.py", "cli.bidding.certificate"): "exploitability is written alike",
    ("cli/cup/words.py", "cli.bidding.advice_words"): "mixtures are written alike",
}
"""Imports from one family into the other, each with its reason; the list may only shrink."""


def test_families_do_not_import_each_other():
    paths = [path for family in sorted(FAMILIES) for path in SRC.glob(f"*/{family}/**/*.py")]
    layers = {path.relative_to(SRC).parts[0] for path in paths}
    assert layers >= {"rules", "game", "odds", "strategy", "play", "cli"}
    found = {
        (path.relative_to(SRC).as_posix(), module)
        for path in paths
        for module in imported_modules(path)
        if (FAMILIES - {path.relative_to(SRC).parts[1]}) & set(module.split("."))
    }
    assert found == set(MUST_IMPORT)


SOLVERS = ["core", "two_player", "multiplayer", "exact", "imperfect_recall", "cup"]
"""Folders inside `solvers/`, lower ones first: what all share, then who builds on whom."""


def test_every_folder_of_solvers_has_its_place():
    folders = {path.parent.name for path in SRC.glob("solvers/*/*.py")}
    assert folders == set(SOLVERS)


@pytest.mark.parametrize(
    "path", sorted(SRC.glob("solvers/*/**/*.py")), ids=lambda path: str(path.relative_to(SRC))
)
def test_imports_inside_solvers_point_downward(path):
    own = path.relative_to(SRC).parts[1]
    for module in imported_modules(path):
        layer, *rest = module.split(".")
        if layer == "solvers":
            assert rest, f"{path} imports the face of the solvers"
            assert SOLVERS.index(rest[0]) <= SOLVERS.index(own), f"{path} imports {module}"


def test_the_core_of_the_solvers_knows_no_solver():
    for path in SRC.glob("solvers/core/*.py"):
        for module in imported_modules(path):
            assert not module.startswith("solvers") or module.startswith("solvers.core.")


def test_bidding_and_cup_solvers_do_not_import_each_other():
    for path in SRC.glob("solvers/cup/*.py"):
        for module in imported_modules(path):
            layer, *rest = module.split(".")
            assert layer != "solvers" or rest[0] in ("core", "cup"), f"{path} imports {module}"


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

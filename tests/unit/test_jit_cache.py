"""Machine code on disk: whatever happens to its files, kernels are compiled anew and run."""

import json
import os
import subprocess
import sys

import pytest

from liarsolve import _jit_cache

MODULE = """
from liarsolve._jit import kernel


@kernel
def add_one(x):
    return x + 1
"""

TRY = """
import importlib, json, sys
from pathlib import Path

folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
import one_kernel

def run():
    global one_kernel
    one_kernel = importlib.reload(one_kernel)  # a dispatcher that has compiled nothing yet
    result = one_kernel.add_one(4)
    stats = one_kernel.add_one.stats
    return [result, sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]

def flip(place):
    def damage(content):
        return content[:place] + bytes([content[place] ^ 64]) + content[place + 1 :]
    return damage

DAMAGE = {
    "emptied": lambda content: b"",
    "cut short": lambda content: content[: len(content) // 2],
    "without its end": lambda content: content[:-1],
    "zeros": lambda content: bytes(len(content)),
    "foreign": lambda content: b"cos\\nsystem\\n(S'touch ran'\\ntR.",
    "first byte": flip(0),
    "some byte": flip(60),
    "last byte": flip(len(b"crc32") + 4 - 10),
}
found = {"": [run(), run()]}
for kind in ("*.nbi", "*.nbc"):
    for name, damage in DAMAGE.items():
        (path,) = (folder / "cache").rglob(kind)
        path.write_bytes(damage(path.read_bytes()))
        found[f"{kind} {name}"] = [run(), run()]
path.unlink()
found["data gone"] = [run(), run()]
path.unlink()
path.mkdir()
found["a folder in its place"] = [run()]
print(json.dumps(found))
"""

COMPILED, READ = [5, 0, 1], [5, 1, 0]


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_damaged_files_are_compiled_anew(tmp_path):
    (tmp_path / "one_kernel.py").write_text(MODULE)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", TRY, str(tmp_path)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert found.pop("a folder in its place") == [COMPILED]
    assert len(found) == 18
    assert found == {name: [COMPILED, READ] for name in found}
    assert not (tmp_path / "ran").exists()


def test_an_index_that_names_a_module_of_another_version_is_damaged(monkeypatch, tmp_path):
    def load(_self):
        raise ModuleNotFoundError("No module named 'liarsolve.gone'")

    monkeypatch.setattr("liarsolve._jit_cache._Files._load_index", load)
    files = _jit_cache._CheckedFiles(str(tmp_path), "kernel", None)
    with pytest.raises(_jit_cache._DamagedFileError):
        files._load_index()


BORROWED = """
from liarsolve._jit import inlined_kernel


@inlined_kernel
def step(x):
    return x + 1
"""
BORROWER = """
from borrowed import step
from liarsolve._jit import kernel


@kernel
def add(x):
    return step(x)
"""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_change_of_a_borrowed_kernel_is_noticed(tmp_path):
    (tmp_path / "borrower.py").write_text(BORROWER)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    code = "import sys; sys.path.insert(0, sys.argv[1]); import borrower; print(borrower.add(4))"
    printed = []
    for text in (BORROWED, BORROWED.replace("x + 1", "x + 100")):
        (tmp_path / "borrowed.py").write_text(text)
        run = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        printed.append(run.stdout.strip())
    assert printed == ["5", "104"]

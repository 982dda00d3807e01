"""After ``liarsolve warm-up`` no first question compiles anything."""

import json
import os
import subprocess
import sys

import numba
import pytest

from liarsolve._compiling import report_compiling
from liarsolve.cli.main import main
from liarsolve.strategy import warm_up

RUN = """
import json, sys
from numba.core import event

class Listener(event.Listener):
    names = []
    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__qualname__)
    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
from liarsolve._compiling import report_compiling
from liarsolve.cli.main import main
status = main(sys.argv[1:])
print(json.dumps({"status": status, "compiled": Listener.names}))
"""

QUESTIONS = [
    "odds --bid 9x6 --total 25",
    "advise --rules liars_dice --dice 1,1 --hand 4 --history 1x2,1x5",
    "advise --rules perudo --dice 1,1 --faces 3 --hand 3 --exact-payoff 0.5,1",
    "solve --rules common --dice 2,1 --out {}/two",
    "solve --rules common --dice 2,1 --variant cfr+ --max-iterations 20 --checkpoint {}/kept",
    "solve --resume {}/kept --max-iterations 30",
    "advise --load {}/two --hand 2,3",
    "solve --rules common --dice 1,1 --target 1e-9",
    "solve --rules perudo --dice 1,1 --faces 4 --exact",
    "solve --rules snyd --dice 1,1 --faces 3 --prove",
    "solve --rules common --dice 3,2 --max-iterations 1",
    "solve --rules common --dice 1,1,1 --faces 3 --out {}/three",
    "solve --rules perudo --dice 2,1,1 --max-iterations 1",
    "solve --rules common --dice 2,2 --recall 1 --max-iterations 4 --out {}/recall",
    "solve --rules common --dice 2,2 --recall 1 --max-jump 3 --max-iterations 4",
    "solve --rules common --dice 2,1 --recall 1 --similar-hands 1 --max-iterations 4",
    "solve --rules perudo --dice 1,1 --recall 1 --exact-payoff 1,0.5 --max-iterations 4",
    "solve --rules common --dice 1,1,1 --faces 3 --recall 1 --max-iterations 4",
    "solve --rules common --dice 4,4 --recall 1 --max-iterations 1 --max-seconds 4",
    "advise --load {}/recall --hand 2,3 --history 1x4",
    "advise --rules mia --offered 64",
    "solve --rules liar_die",
    "solve --rules liar_die --exact",
    "arena --dice 2,2 --deals 20 --players probability,honest",
    "arena --deals 20 --players {}/two,{}/two --computed",
    "arena --deals 20 --players {}/recall,{}/recall --computed",
    "arena --deals 20 --players {}/three,random",
]


def run(question, folder):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")}
    words = question.format(*[folder] * 2).split()
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{question}: {done.stderr}"
    *printed, last = done.stdout.splitlines()
    return printed, json.loads(last)


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_after_warming_up_nothing_is_compiled(tmp_path):
    (printed,), found = run("warm-up --json", tmp_path)
    report = json.loads(printed)
    assert found["status"] == 0
    assert found["compiled"]
    assert report["folder"] == str(tmp_path / "cache")
    assert report["compiled"] == sum(part["compiled"] for part in report["parts"]) > 0
    assert report["bytes"] > 1_000_000
    compiled = {question: run(question, tmp_path)[1] for question in (*QUESTIONS, "warm-up")}
    assert compiled == {question: {"status": 0, "compiled": []} for question in compiled}


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="refused then, see below")
def test_each_part_is_reported(monkeypatch, capsys):
    asked = []
    parts = {"one thing": lambda: asked.append(1), "another": lambda: asked.append(2)}
    monkeypatch.setattr(warm_up, "_PARTS", parts)
    assert main(["warm-up", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert asked == [1, 2]
    assert [(part["name"], part["compiled"]) for part in report["parts"]] == [
        ("one thing", 0),
        ("another", 0),
    ]
    assert report["compiled"] == 0
    assert main(["warm-up"]) == 0
    assert capsys.readouterr().out.startswith("Everything was compiled already")


def test_without_compilation_there_is_nothing_to_do(monkeypatch, capsys):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert main(["warm-up"]) == 2
    assert capsys.readouterr() == (
        "",
        "liarsolve warm-up: NUMBA_DISABLE_JIT is set, so that nothing is compiled; unset it\n",
    )


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="refused then, see above")
@pytest.mark.parametrize(("quiet", "expected"), [("0", True), ("1", False)])
def test_each_part_that_compiles_is_a_line_on_standard_error(monkeypatch, capsys, quiet, expected):
    def ask():
        report_compiling(True)
        report_compiling(False)

    monkeypatch.setenv("LIARSOLVE_QUIET", quiet)
    monkeypatch.setattr(warm_up, "_PARTS", {"ready": lambda: None, "one thing": ask})
    assert main(["warm-up"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Compiled 1 kernel (")
    assert err.startswith("2 of 2: one thing, 1 kernel compiled in ") is expected
    assert len(err.splitlines()) == expected

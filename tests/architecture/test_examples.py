"""What strangers try first: the public names, the examples and the README."""

import doctest
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest

import liarsolve

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("name", liarsolve.__all__)
def test_every_public_name_is_there(name):
    assert getattr(liarsolve, name) is not None
    assert name in dir(liarsolve)


def test_other_names_are_not():
    with pytest.raises(AttributeError) as caught:
        _ = liarsolve.solve_everything
    assert str(caught.value) == "module 'liarsolve' has no attribute 'solve_everything'"


def test_there_are_examples():
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example_runs_alone(path, tmp_path):
    started = perf_counter()
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []  # it leaves nothing behind
    # Ten seconds are promised; machines that run tests may be slow and must compile first.
    assert perf_counter() - started < 60


def test_the_plot_says_what_it_needs(tmp_path):
    path = ROOT / "examples" / "cup_strategy_plot.py"
    code = f"""
import runpy, sys
sys.modules["matplotlib"] = None  # as if it were not installed
sys.argv = ["plot", "picture.png"]
runpy.run_path({str(path)!r}, run_name="__main__")
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "drawing needs matplotlib; install it with: pip install 'liarsolve[plot]'\n"
    )


@pytest.mark.parametrize("name", ["cup_strategy_plot.py", "recall_exploitability_plot.py"])
@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        (
            "nowhere/picture.png",
            "nowhere/picture.png could not be drawn: No such file or directory",
        ),
        ("picture.xyz", "picture.xyz could not be drawn: Format 'xyz' is not supported"),
    ],
)
def test_a_picture_that_cannot_be_written_is_one_sentence(name, picture, sentence, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "examples" / name), picture],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("folder", "sentence"),
    [
        ("nowhere", "there is no folder nowhere"),
        (
            str(ROOT / "tests" / "golden" / "data" / "stored-bidding"),
            "holds a round of bidding, and this draws cup games",
        ),
    ],
)
def test_the_plot_refuses_what_it_cannot_draw(folder, sentence, tmp_path):
    path = ROOT / "examples" / "cup_strategy_plot.py"
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path), "picture.png", "--load", folder],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_plot_draws_saved_solutions(tmp_path):
    path = ROOT / "examples" / "cup_strategy_plot.py"
    liarsolve.solve(liarsolve.presets.LIAR_DIE).save(tmp_path / "die")
    subprocess.run(
        [sys.executable, "-W", "error", str(path), "picture.png", "--load", "die"],
        cwd=tmp_path,
        check=True,
    )
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_readme_examples_print_what_they_say():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 0
    assert failed == 0

"""Output that nobody can take: a full disk, a closed stream, a reader who has left."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from liarsolve.cli.main import main

FULL = Path("/dev/full")
RUN = "import sys; from liarsolve.cli.main import main; sys.exit(main(sys.argv[1:]))"
COMMANDS = [
    ["odds", "--bid", "4x3", "--total", "15"],
    ["odds", "--bid", "4x3", "--total", "15", "--json"],
    ["rules"],
    ["rules", "perudo", "--json"],
    ["solve", "--rules", "common", "--set", "faces=2", "--dice", "1,1", "--exact"],
    ["--help"],
    ["odds", "--help"],
    ["--version"],
]

needs_a_full_device = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


def run(argv, *, unbuffered=False, before="", **streams):
    environment = os.environ | {"PYTHONUNBUFFERED": "1" if unbuffered else ""}
    command = [sys.executable, "-c", before + RUN, *argv]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, text=True, check=False, env=environment, **streams
    )


def name_of(argv):
    return "liarsolve" if argv[0].startswith("--") else f"liarsolve {argv[0]}"


@needs_a_full_device
@pytest.mark.parametrize("unbuffered", [False, True], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_a_full_disk_is_one_sentence(argv, unbuffered):
    with FULL.open("w") as full:
        done = run(argv, unbuffered=unbuffered, stdout=full, stderr=subprocess.PIPE)
    assert done.stderr == (
        f"{name_of(argv)}: standard output could not be written: No space left on device\n"
    )
    assert done.returncode == 1


@pytest.mark.skipif(os.name != "posix", reason="closes the stream as a shell does with >&-")
@pytest.mark.parametrize("argv", COMMANDS[:4], ids=" ".join)
def test_a_closed_output_is_one_sentence(argv):
    before = "import sys; sys.stdout = None; "  # what Python finds where the shell has closed it
    done = run(argv, before=before, capture_output=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"{name_of(argv)}: standard output is closed; send it somewhere, such as to /dev/null\n"
    )


@pytest.mark.parametrize("argv", COMMANDS[:4], ids=" ".join)
@pytest.mark.parametrize("unbuffered", [False, True], ids=["buffered", "unbuffered"])
def test_a_reader_who_has_left_is_no_traceback(argv, unbuffered):
    reading, writing = os.pipe()
    os.close(reading)
    done = run(argv, unbuffered=unbuffered, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


def test_remarks_never_go_where_the_answer_goes():
    before = "import sys; sys.stderr = None; "
    done = run(["rules", "nonsense"], before=before, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@needs_a_full_device
@pytest.mark.parametrize("unbuffered", [False, True], ids=["buffered", "unbuffered"])
def test_remarks_that_cannot_be_written_change_nothing(unbuffered):
    with FULL.open("w") as full:
        good = run(["rules"], unbuffered=unbuffered, stdout=subprocess.PIPE, stderr=full)
        bad = run(["rules", "x"], unbuffered=unbuffered, stdout=subprocess.PIPE, stderr=full)
        usage = run(["rules", "-x"], unbuffered=unbuffered, stdout=subprocess.PIPE, stderr=full)
    assert good.returncode == 0
    assert good.stdout.startswith("Presets")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert (usage.returncode, usage.stdout) == (2, "")


def test_characters_that_the_output_lacks_are_escaped(monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    before = (
        "import liarsolve.cli.rules as r; "
        "r.run = lambda args: print('\\N{HIRAGANA LETTER A}\\udcff') or 0; "
    )
    done = run(["rules"], before=before, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\\u3042\\udcff\n", "")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (PermissionError(13, "Permission denied", "x.json"), "x.json: Permission denied"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (MemoryError("Unable to allocate 9 TiB"), "there is not enough memory: Unable to"),
        (MemoryError(), "there is not enough memory; a smaller game would do"),
    ],
)
def test_what_the_system_refuses_is_one_sentence(monkeypatch, capsys, error, sentence):
    def fail(_):
        raise error

    monkeypatch.setattr("liarsolve.cli.rules.run", fail)
    assert main(["rules"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"liarsolve rules: {sentence}")
    assert err.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="other systems keep a folder that is in use")
def test_a_folder_that_has_vanished_is_one_sentence(tmp_path):
    before = "import liarsolve.cli.rules, os; os.mkdir('x'); os.chdir('x'); os.rmdir('../x'); "
    before += "liarsolve.cli.rules.run = lambda args: os.getcwd(); "
    done = run(["rules"], before=before, capture_output=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "liarsolve rules: the folder that you are in is not there any more; go to another one\n"
    )

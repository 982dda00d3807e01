import subprocess
import sys

import pytest

from liarsolve import __version__
from liarsolve.cli.main import COMMANDS, main
from liarsolve.errors import (
    GameTooLargeError,
    IllegalActionError,
    InputError,
    InputTypeError,
    NotSolvedError,
    RuleError,
    StorageError,
)


def fail_with(monkeypatch, error):
    def run(_):
        raise error

    monkeypatch.setattr("liarsolve.cli.rules.run", run)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InputError, 2),
        (InputTypeError, 2),
        (RuleError, 2),
        (IllegalActionError, 2),
        (NotSolvedError, 2),
        (GameTooLargeError, 1),
        (StorageError, 1),
    ],
)
def test_errors_become_a_sentence_and_a_status(monkeypatch, capsys, error, status):
    fail_with(monkeypatch, error("this is why"))
    assert main(["rules"]) == status
    assert capsys.readouterr() == ("", "liarsolve rules: this is why\n")


def test_a_fault_of_the_program_is_not_hidden(monkeypatch):
    fail_with(monkeypatch, ZeroDivisionError("a bug"))
    with pytest.raises(ZeroDivisionError):
        main(["rules"])


def test_ctrl_c_is_no_traceback(monkeypatch, capsys):
    fail_with(monkeypatch, KeyboardInterrupt())
    assert main(["rules"]) == 1
    assert capsys.readouterr() == ("", "liarsolve rules: interrupted\n")


def test_a_reader_who_leaves_is_no_traceback():
    code = (
        "import sys; from liarsolve.cli.main import main\n"
        "sys.exit(main(['rules', 'perudo', '--dice', '40,40']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 1
    process.stderr.close()


def test_version_and_help_list_what_there_is(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"liarsolve {__version__}\n"
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    out = capsys.readouterr().out
    assert stopped.value.code == 0
    for name, summary in COMMANDS.items():
        assert name in out
        assert summary in out


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        ([], "liarsolve: the following arguments are required: COMMAND"),
        (["gamble"], "liarsolve: argument COMMAND: invalid choice: 'gamble'"),
        (["rules", "--shout"], "liarsolve: unrecognized arguments: --shout"),
        (
            ["advise", "--thrown", "two"],
            "liarsolve advise: argument --thrown: a whole number is wanted",
        ),
    ],
)
def test_usage_errors_point_to_the_help(capsys, argv, sentence):
    with pytest.raises(SystemExit) as stopped:
        main(argv)
    out, err = capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    assert err.startswith(sentence)
    assert err.splitlines()[1].startswith("Try 'liarsolve")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_loads_nothing_heavy(command):
    code = (
        "import sys; from liarsolve.cli.main import main\n"
        f"try: main([{command!r}, '--help'])\n"
        "except SystemExit: print('loaded:', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    usage, loaded = done.stdout.split("loaded:")
    assert f"usage: liarsolve {command}" in usage
    assert not set(loaded.split()) & {"numba", "scipy", "numpy", "rich", "json.tool"}

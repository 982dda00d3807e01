import json
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
        (["gamble"], "liarsolve: argument COMMAND: there is no 'gamble'; choose from"),
        (["rules", "--shout"], "liarsolve rules: unrecognized arguments: --shout"),
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
    prog = sentence.partition(":")[0]
    assert err.splitlines()[1:] == [f"Try '{prog} --help'."]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_hint_names_the_command(capsys, command):
    for argv in ([command, "--shout"], [command, "--faces"]):
        with pytest.raises(SystemExit) as stopped:
            main(argv)
        assert stopped.value.code == 2
        assert capsys.readouterr().err.splitlines()[1] == f"Try 'liarsolve {command} --help'."


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"warm-up", "schema"}))
def test_an_option_with_one_value_is_not_given_twice(capsys, command):
    options = {
        "values": "--rules",
        "compact": "--bits",
        "replay": "--number",
        "report": "--min-reach",
    }
    option = options.get(command, "--faces")
    places = {"compact": ["here", "there"], "replay": ["here"], "report": ["here"]}.get(command, [])
    with pytest.raises(SystemExit) as stopped:
        main([command, *places, option, "4", f"{option}=5"])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith(
        f"liarsolve {command}: {option} takes one value and is given twice; leave one of them out\n"
    )


def test_two_names_of_an_option_are_one(capsys):
    with pytest.raises(SystemExit):
        main(["odds", "--faces", "4", "--sides", "5"])
    assert (
        "--faces and --sides are one option, which takes one value; leave one"
        in capsys.readouterr().err
    )


def test_what_is_not_a_number_is_shown_in_part(capsys):
    with pytest.raises(SystemExit):
        main(["odds", "--total", "9" * 5000])
    assert len(capsys.readouterr().err) < 250


CTRL_C_DURING_AN_IMPORT = """
import importlib.abc, runpy, sys

class Stop(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.modules.pop({module!r}, None)
sys.meta_path.insert(0, Stop())
sys.argv = ["liarsolve", *{argv!r}]
{start}
"""
MODULE = "runpy.run_module('liarsolve', run_name='__main__')"
SCRIPT = "from liarsolve.cli.main import main; sys.exit(main())"


@pytest.mark.parametrize("start", [MODULE, SCRIPT], ids=["module", "script"])
@pytest.mark.parametrize(
    "module",
    ["argparse", "liarsolve.cli._parser", "liarsolve.cli.odds", "liarsolve.rules", "rich"],
)
def test_ctrl_c_during_the_imports_is_one_line(start, module):
    argv = ["odds", "--bid", "3x6", "--dice", "2,2", "--history", "1x2,1x3"]
    code = CTRL_C_DURING_AN_IMPORT.format(module=module, argv=argv, start=start)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "liarsolve odds: interrupted\n")


def test_ctrl_c_before_the_command_is_known_is_one_line():
    code = CTRL_C_DURING_AN_IMPORT.format(module="liarsolve.cli.main", argv=["odds"], start=MODULE)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "liarsolve: interrupted\n")


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


def test_odds_of_a_bid_load_no_compiler_and_no_solver():
    code = (
        "import sys; from liarsolve.cli.main import main\n"
        "status = main(['odds', '--bid', '9x6', '--total', '25', '--json'])\n"
        "print('loaded:', status, *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    answer, loaded = done.stdout.split("loaded:")
    status, *modules = loaded.split()
    assert (status, json.loads(answer)["command"]) == ("0", "odds")
    assert "liarsolve.odds" in modules
    assert not set(modules) & {"numba", "scipy", "llvmlite"}
    layers = {module.split(".")[1] for module in modules if module.startswith("liarsolve.")}
    assert not layers & {"solvers", "game", "strategy"}


@pytest.mark.parametrize(
    ("argv", "hint"),
    [(["slove"], "did you mean solve?"), (["solve", "--dce", "1,1"], "did you mean --dice?")],
)
def test_what_was_meant_is_named(capsys, argv, hint):
    with pytest.raises(SystemExit) as stopped:
        main(argv)
    assert stopped.value.code == 2
    assert hint in capsys.readouterr().err


def test_long_words_that_are_no_arguments_are_cut(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["solve", "--load", 300 * "x"])
    assert stopped.value.code == 2
    assert f"unrecognized arguments: --load {37 * 'x'}..." in capsys.readouterr().err


@pytest.mark.parametrize("command", ["odds", "advise"])
def test_a_clause_is_named_with_the_place_to_read_it(capsys, command):
    assert main([command, *["--dice", "1,1", "--history", "2x4,2x3", "--hand", "1"]]) == 2
    assert capsys.readouterr().err == (
        f"liarsolve {command}: action 2, 2x3: raise refused: LD.2 a raise needs more dice, or as "
        "many of a higher face; got 2x3 on 2x4 (docs/rules.md explains LD.2)\n"
    )


@pytest.mark.parametrize(
    "option", ["--target=-1", "--target=0", "--recall=0", "--max-jump=0", "--similar-hands=0"]
)
def test_values_out_of_range_are_refused_by_the_name_of_the_option(capsys, option):
    argv = ["solve", "--rules", "common", "--faces", "2", "--dice", "1,1", option]
    assert main(argv) == 2
    assert option.partition("=")[0] in capsys.readouterr().err

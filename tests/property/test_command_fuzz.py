"""Random command lines: each ends in an answer or in one sentence, never in a traceback.

`pytest -m slow tests/property/test_command_fuzz.py` tries many more. The options come from the
parsers themselves, so that a new one takes part at once; one that takes a value needs a line in
`VALUES` for right values, and gets wrong ones in any case.
"""

import argparse
import contextlib
import io
import json
import random
import subprocess
import sys
import warnings
from pathlib import Path
from unittest.mock import patch

import pytest
from jsonschema import Draft202012Validator

from liarsolve.cli._json import load_schema
from liarsolve.cli.main import COMMANDS, build_parser, main

SCHEMA = Draft202012Validator(load_schema())

FACES = ["faces=2", "faces=3", "wild=none", "wild=ones", "exact_who=next", "equipment=dice(2,3)"]
RIGHT = {
    "bid": ["1x2", "4x3", "2x1"],
    "total": ["4", "15"],
    "unseen": ["3", "10"],
    "hand": ["1", "2", "1,2", "6,6,1", "QQQ99", "JJQ9T"],
    "own": ["0", "1"],
    "wild": ["1", "2", "none"],
    "sides": ["6", "3"],
    "claim": ["QQQ99", "two pairs", "full house"],
    "keep": ["JJ", "QQ"],
    "thrown": ["1", "2"],
    "throws": ["1", "2"],
    "rules": ["common", "perudo", "liars_dice", "mia", "liar_die"],
    "of": ["solve", "odds"],
    "preset": ["common", "perudo", "mia"],
    "set_options": FACES,
    "dice": ["1,1", "1,1", "2,1", "1,1,1"],
    "faces": ["2", "3"],
    "players": ["2", "random,honest", "honest,probability", "random"],
    "history": ["", "1x2", "1x1,1x2"],
    "deals": ["1", "3"],
    "seed": ["0", "7"],
    "target": ["0.5", "0.1"],
    "max_iterations": ["1", "3"],
    "max_seconds": ["0.2"],
    "max_memory": ["1GB", "100MB"],
    "recall": ["1", "2"],
    "max_jump": ["1", "4"],
    "similar_hands": ["1", "2"],
    "variant": ["cfr+", "discounted"],
    "exact_payoff": ["2,1", "1,1"],
    "threads": ["1"],
    "holding": ["1", "2", "12"],
    "passed": ["1", "2"],
    "offered": ["1", "2"],
    "position": ["perudo faces=3; dice 1,1; hand 1", "liar_die; lives 1,1; offered 3"],
    "matches": ["1", "3"],
    "player": ["honest", "random"],
    "timeout": ["1"],
    "number": ["1", "2"],
    "file": [str(Path(__file__).parents[1] / "golden" / "data" / "matches.jsonl")],
}
WRONG = [
    "", " ", "-1", "0", "x", "nan", "inf", "-inf", "1e999", "1.5", "9" * 30, "1,x", ",", "1,,1",
    "10000,10000", "0,1", "None", "null", "{}", "[1]", "a=b", "=", "faces=", "faces=1", "faces=999",
    "wild=nope", "nonsense", "é", "\u200b", "%s", "../x", "0x1", "x1", "1x", "1x0", "99999x99999",
    "--", "1 2", "dice(0,0)", "equipment=dice(9,99)", "'", "[red]x[/red]", "[/]", "\x1b[0m",
]  # fmt: skip
NEVER = {"help", "version", "out", "log", "checkpoint", "resume", "overwrite", "load", "strategy"}
NEVER |= {"svg", "folder", "html", "save", "continue_"}
"""Options that end everything, or write to the disk; folders are tried below."""
ALWAYS = {
    "solve": {"max_iterations": "3"},
    "advise": {"max_iterations": "3"},
    "arena": {},
    "match": {"max_seconds": "0.2", "dice": "1"},
}
SMALL = {"solve": ["faces=2"], "advise": ["faces=2"], "arena": ["faces=3"]}


def options_of(command):
    """Every option of a command, as its parser has it."""
    parser = build_parser(command)
    (subparsers,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return [a for a in subparsers.choices[command]._actions if a.dest not in NEVER]


def value_for(random_, action, p_wrong):
    if random_.random() < p_wrong:
        return random_.choice(WRONG)
    if action.choices:
        return random_.choice(sorted(map(str, action.choices)))
    return random_.choice(RIGHT.get(action.dest, WRONG))


def random_command(random_):
    """A command line, most of which means something."""
    command = random_.choice(sorted(COMMANDS))
    p_wrong = random_.choice([0.0, 0.0, 0.1, 0.4])
    words = [command]
    wanted = {"solve": ["rules", "dice"], "advise": ["rules", "dice", "hand"], "arena": ["dice"]}
    for action in options_of(command):
        p = 0.9 if action.dest in wanted.get(command, ()) else random_.choice([0.03, 0.03, 0.2])
        if action.dest in ALWAYS.get(command, ()) or random_.random() >= p:
            continue
        value = value_for(random_, action, p_wrong)
        if not action.option_strings:
            words.append(value)
        elif action.nargs == 0:
            words.append(random_.choice(action.option_strings))
        else:
            words += [random_.choice(action.option_strings), value]
    for dest, value in ALWAYS.get(command, {}).items():
        words += [f"--{dest.replace('_', '-')}", value]
    if command in SMALL and random_.random() < 0.9:
        words += ["--set", random_.choice(SMALL[command])]
    if command == "arena":
        words += ["--deals", "2"]
    return words


def run(argv):
    """Status, output and remarks of one command in this process."""
    out, err = io.StringIO(), io.StringIO()
    typed = patch("sys.stdin", io.StringIO("quit\n"))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), typed:
        try:
            status = main(argv)
        except SystemExit as stopped:  # argparse
            status = stopped.code
    return status, out.getvalue(), err.getvalue()


def check(argv, status, out, err):
    lines = err.splitlines()
    usage = len(lines) == 2 and lines[1].startswith("Try 'liarsolve")
    assert status in (0, 1, 2), argv
    assert "Traceback" not in out + err, argv
    if status == 0:
        assert out.strip(), argv
        if argv[0] != "play" or "--json" not in argv:  # it talks there then
            assert err == "", argv
    else:
        assert len(lines) == 1 or usage or (status == 1 and out), (argv, err)
        assert not lines or lines[0].startswith("liarsolve"), (argv, err)
    if status == 2:
        assert out == "", argv
    if out and "--json" in argv:
        assert out.count("\n") == 1, argv
        report = json.loads(out, parse_constant=pytest.fail)
        problems = [error.message for error in SCHEMA.iter_errors(report)]
        assert problems == [], argv


def try_commands(seed, n_tries):
    random_ = random.Random(seed)
    statuses = []
    for _ in range(n_tries):
        argv = random_command(random_)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                status, out, err = run(argv)
        except BaseException as error:
            raise AssertionError(f"liarsolve {argv}: {error!r}") from error
        check(argv, status, out, err)
        statuses.append(status)
    return statuses


def test_random_commands_end_in_an_answer_or_a_sentence():
    statuses = try_commands(1, 100)
    assert statuses.count(0) > 10  # else the lines would show nothing but the parser
    assert statuses.count(2) > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 40))
def test_many_more_commands_end_in_an_answer_or_a_sentence(seed):
    try_commands(seed, 400)


@pytest.mark.parametrize("seed", range(3))
def test_a_process_of_its_own_says_the_same(seed):
    argv = random_command(random.Random(f"process {seed}"))
    code = "import sys; from liarsolve.cli.main import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *argv],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    check(argv, done.returncode, done.stdout, done.stderr)

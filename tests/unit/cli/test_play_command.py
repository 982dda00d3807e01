"""The command play, over a pipe and in a terminal."""

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from liarsolve import presets, solve
from liarsolve.cli.main import main
from liarsolve.play.session import COMMANDS

RULES = presets.LIARS_DICE.replace(faces=3, dice=1)
TINY = "--rules liars_dice --faces 3 --set dice=1 --opponents random --seed 3"


def play(monkeypatch, capsys, options, typed):
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    status = main(["play", *options.split()])
    return status, *capsys.readouterr()


@pytest.mark.parametrize("options", [TINY, "--rules liar_die --seed 3", f"{TINY} --players 3"])
def test_a_match_over_a_pipe_goes_to_the_winner(monkeypatch, capsys, options):
    status, out, err = play(monkeypatch, capsys, options, "liar\n1.\n" * 40)
    assert (status, err) == (0, "")
    assert "the match after" in out.splitlines()[-1]
    assert play(monkeypatch, capsys, options, "liar\n1.\n" * 40)[1] == out


@pytest.mark.parametrize("typed", ["", "quit\n", "nonsense\nquit", "exit"])
def test_the_end_of_the_input_is_a_quit(monkeypatch, capsys, typed):
    status, out, err = play(monkeypatch, capsys, TINY, typed)
    assert (status, err) == (0, "")
    assert out.endswith("You leave the match in round 1.\nScore: you one die, seat 2 one die.\n")


@pytest.mark.parametrize("rules", ["perudo", "doubtful_dice", "mia"])
def test_everything_fits_forty_columns(monkeypatch, capsys, rules):
    monkeypatch.setenv("COLUMNS", "40")
    typed = "help\nlist\n1.\n" + "liar\naccept\nlook\n1.\nscore\nlog all\n" * 20
    _, out, _ = play(monkeypatch, capsys, f"--rules {rules} --seed 3 --players 3", typed)
    assert max(map(len, out.splitlines())) <= 40


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--players 1", "--players is a whole number from 2 to 20, got 1"),
        ("--players 21", "--players is a whole number from 2 to 20, got 21"),
        ("--seat 3", "--seat is a whole number from 1 to 2 here, got 3"),
        ("--seed -1", "--seed is a whole number of 0 or more, got -1"),
        ("--opponents odds,odds", "--opponents takes one name for all, or one for each of the 1 "),
        ("--opponents me", "opponents are odds, probability, honest, random, got 'me'"),
        ("--rules perudoo", "there is no preset 'perudoo'; did you mean perudo?"),
        ("--set challenge_who=any", "players are asked on their turn alone"),
    ],
)
def test_wrong_options_are_one_sentence(monkeypatch, capsys, options, sentence):
    status, out, err = play(monkeypatch, capsys, options, "")
    assert (status, out) == (2, "")
    assert err.startswith(f"liarsolve play: {sentence}")
    assert err.count("\n") == 1


def converse(options, typed):
    """Play in a pseudo-terminal, typing each line once the prompt is there; all output."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "liarsolve", "play", *options.split()]
    environment = os.environ | {"COLUMNS": "60", "LIARSOLVE_QUIET": "1"}
    with subprocess.Popen(command, stdin=follower, stdout=follower, env=environment) as running:
        os.close(follower)
        seen, waiting = "", iter(typed)
        while True:
            try:
                more = os.read(leader, 4096).decode()
            except OSError:  # the other side is closed
                break
            if not more:
                break
            seen += more
            if seen.endswith("> "):
                word = next(waiting)
                if isinstance(word, int):
                    time.sleep(0.1)
                    running.send_signal(word)
                else:
                    os.write(leader, f"{word}\n".encode())
    os.close(leader)
    return running.returncode, seen.replace("\r\n", "\n")


@pytest.mark.parametrize("options", [TINY, "--rules liar_die --seed 3"])
def test_a_match_in_a_terminal_goes_to_the_winner(options):
    status, seen = converse(options, ["what?", "score"] + ["liar", "1."] * 40)
    assert status == 0
    assert "> what?\n" in seen
    assert "the match after" in seen.splitlines()[-1]
    assert "Traceback" not in seen


def test_ctrl_c_leaves_with_the_score():
    status, seen = converse(TINY, [signal.SIGINT])
    assert status == 1
    assert seen.endswith("You leave the match in round 1.\nScore: you one die, seat 2 one die.\n")


def test_bytes_that_are_no_text_are_a_wrong_answer():
    done = subprocess.run(
        [sys.executable, "-m", "liarsolve", "play", *TINY.split()],
        input=b"\xff\xfe\x00\n",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"an action is a bid such as 4x3" in done.stdout


SAVED = "--rules perudo --set dice=2 --opponents odds,random --players 3 --seed 4"


def test_a_match_goes_on_where_it_was_left(monkeypatch, capsys, tmp_path):
    file = tmp_path / "match.jsonl"
    whole = play(monkeypatch, capsys, SAVED, "1.\nnumber\nliar\n1.\nnumber\n")[1]
    play(monkeypatch, capsys, f"{SAVED} --save {file}", "1.\nnumber\n9x9\nscore\n")
    status, out, err = play(monkeypatch, capsys, f"--continue {file}", "liar\n1.\nnumber\n")
    assert (status, err) == (0, "")
    assert "2 answers of yours played again." in " ".join(out.split())
    assert out.splitlines()[-12:] == whole.splitlines()[-12:]
    assert "Number: " in "".join(out.splitlines()[-12:])
    typed = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    assert [list(entry) for entry in typed] == [["typed"]] * 4
    again = play(monkeypatch, capsys, f"--continue {file}", "")[1]
    assert "4 answers of yours played again." in " ".join(again.split())


def test_a_match_that_is_over_is_told_to_be(monkeypatch, capsys, tmp_path):
    file = tmp_path / "match.jsonl"
    whole = play(monkeypatch, capsys, f"{TINY} --save {file}", "liar\n1.\n" * 40)[1]
    status, out, _ = play(monkeypatch, capsys, f"--continue {file}", "")
    assert status == 0
    assert out.splitlines()[-1] == whole.splitlines()[-1]


HEAD = {
    "play": 1,
    "rules": RULES.to_dict(),
    "family": "bidding",
    "opponents": ["odds"],
    "seat": 1,
    "seed": 3,
}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", " is no match that --save wrote: it is empty"),
        ("{", ", line 1: this is no line of JSON: '{'"),
        ("[1]", ", line 1: a line is a JSON object, got [1]"),
        ("{}", " is no match that --save wrote: line 1 has no right 'play'"),
        (HEAD | {"play": 2}, " is of format 2; this version reads 1"),
        (HEAD | {"seed": True}, " is no match that --save wrote: line 1 has no right 'seed'"),
        (HEAD | {"family": "cards"}, ", line 1: a family is bidding or cup, got 'cards'"),
        (HEAD | {"rules": {"wild": "often"}}, ", line 1: wild"),
        (HEAD | {"opponents": [3]}, ", line 1: opponents are names, got [3]"),
        (HEAD | {"opponents": ["me"]}, ", line 1: opponents are odds, probability, honest, random"),
        (HEAD | {"opponents": []}, ", line 1: "),
        (HEAD | {"seat": 3}, ", line 1: seat"),
        (HEAD | {"seed": -1}, ", line 1: seed"),
        (f'{json.dumps(HEAD)}\n{{"typed": 3}}', ', line 2: a line is {"typed": "4x3"}, got'),
        (f'{json.dumps(HEAD)}\n{{"typed": "9x9"}}', ", line 2: '9x9' is no move there: "),
        (f'{json.dumps(HEAD)}\n{{"typed": "quit"}}', ", line 2: 'quit' is no move there: "),
        (f'{json.dumps(HEAD)}\n{{"typed": "1', ", line 2: this is no line of JSON: "),
        (b"\xff\xfe\x00", " is no match that --save wrote: it is not text"),
    ],
)
def test_a_damaged_file_is_one_sentence(monkeypatch, capsys, tmp_path, text, sentence):
    file = tmp_path / "match.jsonl"
    text = json.dumps(text) if isinstance(text, dict) else text
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    status, out, err = play(monkeypatch, capsys, f"--continue {file}", "")
    assert (status, out) == (2, "")
    assert err.startswith(f"liarsolve play: {file}{sentence}")
    assert err.count("\n") == 1


def test_a_file_that_is_there_is_not_written_over(monkeypatch, capsys, tmp_path):
    file = tmp_path / "match.jsonl"
    file.write_text("mine")
    status, out, err = play(monkeypatch, capsys, f"{TINY} --save {file}", "")
    assert (status, out) == (2, "")
    assert "is there already" in err
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    "option", ["--rules mia", "--set dice=1", "--faces 3", "--players 2", "--seat 1", "--seed 1"]
)
def test_what_a_file_settles_is_refused_beside_it(monkeypatch, capsys, option):
    status, _, err = play(monkeypatch, capsys, f"--continue match.jsonl {option}", "")
    assert status == 2
    assert f"so {option.split()[0]} would do nothing; leave it out" in err


def test_a_file_that_is_not_there_is_one_sentence(monkeypatch, capsys):
    status, _, err = play(monkeypatch, capsys, "--continue nowhere.jsonl", "")
    assert (status, err) == (
        2,
        "liarsolve play: nowhere.jsonl cannot be read: No such file or directory\n",
    )


def test_json_is_alone_on_standard_output(monkeypatch, capsys):
    status, out, err = play(monkeypatch, capsys, f"{TINY} --json", "liar\n1.\n" * 40)
    report = json.loads(out)
    assert (status, out.count("\n")) == (0, 1)
    assert (report["is_over"], len(report["winners"]), report["unit"]) == (True, 1, "dice")
    assert "the match after" in err
    left = {entry["seat"]: entry["left"] for entry in report["score"]}
    assert [seat for seat, n_left in left.items() if n_left] == report["winners"]


def test_stored_strategies_advise(monkeypatch, capsys, tmp_path):
    solve(RULES, dice=(1, 1), target=1e-3).save(tmp_path / "one")
    options = f"{TINY} --strategy {tmp_path / 'one'}"
    _, out, _ = play(monkeypatch, capsys, options, "advise\n")
    assert "Solving" not in out
    assert "The strategy, and what the round is then worth to you" in out
    status, _, err = play(monkeypatch, capsys, f"--strategy {tmp_path / 'one'}", "")
    assert status == 2
    assert "whose rounds are not those of liars_dice" in err


PAGE = Path(__file__).parents[3] / "docs" / "play.md"
SESSIONS = re.findall(r"```console\n\$ liarsolve play (.*)\n((?:.*\n)*?)```", PAGE.read_text())


@pytest.mark.parametrize(("options", "printed"), SESSIONS, ids=[o for o, _ in SESSIONS])
def test_the_sessions_of_the_page_are_what_is_printed(monkeypatch, capsys, options, printed):
    monkeypatch.setenv("COLUMNS", "80")
    lines = printed.splitlines()
    typed = "".join(line[2:] + "\n" for line in lines if line.startswith("> "))
    status, out, _ = play(monkeypatch, capsys, options, typed)
    assert status == 0
    assert out.splitlines() == [line for line in lines if not line.startswith("> ")]


def test_the_page_has_sessions_and_all_words():
    assert len(SESSIONS) == 3
    for word in COMMANDS:
        assert f"| `{word}`" in PAGE.read_text()

"""The command play, over a pipe and in a terminal."""

import io
import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from liarsolve.cli.main import main

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
        ("--opponents me", "--opponents are odds, probability, honest, random, got 'me'"),
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

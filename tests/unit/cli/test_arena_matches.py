"""``liarsolve arena --match`` and ``liarsolve replay``: matches, their logs, and their words."""

import json
import sys
from pathlib import Path

import pytest

from liarsolve import HonestPlayer, RandomPlayer, presets
from liarsolve.cli.main import main
from liarsolve.play import contest_matches
from liarsolve.rules import read_log

RULES = "--rules liars_dice --faces 3 --set dice=1"
BOT = Path(__file__).parents[3] / "examples" / "bot.py"


def run(capsys, *words):
    status = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return status, out, err


def arena(capsys, command):
    return run(capsys, "arena", "--match", *command.split())


def test_it_plays_what_the_library_plays(capsys):
    status, out, err = arena(
        capsys, f"--players honest,random --matches 20 --seed 3 {RULES} --json"
    )
    report = json.loads(out)
    rules = presets.LIARS_DICE.replace(dice=1, faces=3)
    expected = contest_matches([HonestPlayer(), RandomPlayer()], rules, n_matches=20, rng=3)
    assert (status, err) == (0, "")
    assert {name: report[name] for name in expected.to_dict()} == expected.to_dict()
    assert (report["kind"], report["players"]) == ("match", ["honest", "random"])
    assert report["forfeits"] == []


@pytest.mark.parametrize("columns", ["40", "80"])
def test_the_page_fits(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    status, out, _ = arena(capsys, f"--players honest,random,probability --matches 6 {RULES}")
    assert status == 0
    assert max(map(len, out.splitlines())) <= int(columns)
    assert "Matches won" in out
    assert "seat 1 begins" in " ".join(out.split())


def test_a_log_is_played_again_and_told(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "40")
    log = tmp_path / "log.jsonl"
    arena(capsys, f"--players honest,random --matches 3 {RULES} --log {log}")
    states = list(read_log(log.read_text().splitlines()))
    assert [state.is_terminal for state in states] == [True] * 3
    status, out, _ = run(capsys, "replay", log, "--number", 2)
    assert status == 0
    assert max(map(len, out.splitlines())) <= 40
    assert " ".join(out.split()).startswith("liars_dice, faces=3, dice=1: 2 players, one die each.")
    assert "Seat 1 is random and seat 2 is honest." in " ".join(out.split())
    winner = states[1].winners[0] + 1
    assert out.endswith(f"Seat {winner} has won the match.\n")
    _, text, _ = run(capsys, "replay", log, "--number", 2, "--json")
    report = json.loads(text)
    assert (report["match"], report["n_matches"], report["winners"]) == (2, 3, [winner])


def test_a_program_plays_and_one_that_fails_is_named(capsys, tmp_path):
    log = tmp_path / "log.jsonl"
    words = ["--player", f"{sys.executable} {BOT}", "--player", "false", "--matches", "2"]
    status, out, _ = run(capsys, "arena", "--match", *words, *RULES.split(), "--log", log)
    text = " ".join(out.split())
    assert status == 0
    assert (
        "2 matches were forfeited: match 1, seat 2: false has ended with status 1 match 2" in text
    )
    assert "A match that is forfeited is won by all others." in text
    assert len(list(read_log(log.read_text().splitlines()))) == 2
    _, out, _ = run(capsys, "replay", log)
    assert out.splitlines()[-1] == "Seat 2 has lost the match: false has ended with status 1."


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("arena --match", "say who plays, such as --players probability,honest,random"),
        ("arena --match --players honest", "a match is for 2 to 6 players here, got 1"),
        ("arena --match --players honest,,random", "every player has a name, got --players"),
        ("arena --match --players honest,nobody", "nobody is neither a player (probability, "),
        ("arena --match --players honest,strategy", "strategy is a strategy, which is solved for"),
        ("arena --match --players honest,random --matches 0",
         "--matches is a number from 1 to 10,000,000, got 0"),
        ("arena --match --players honest,random --dice 1,1",
         "--dice is about single rounds; a match begins with --set dice=N each, so it does not "),
        ("arena --match --players honest,random --deals 5", "--deals is about single rounds, and "),
        ("arena --match --players honest,random --timeout 5",
         "--timeout is for players that are programs, so --timeout 5 would do nothing"),
        ("arena --match --players honest,random --set min_players=3", "min_players=3 asks for as "),
        ("arena --match --players honest,random --confidence 2", "--confidence lies between 0 "),
        ("arena --players honest,random --dice 1,1 --log x", "--log is about whole matches, so it"),
        ("arena --players honest,random --dice 1,1 --matches 2", "--matches is about whole matche"),
    ],
)  # fmt: skip
def test_what_makes_no_contest_is_refused(capsys, command, message):
    status, out, err = run(capsys, *command.split())
    assert (status, out) == (2, "")
    assert err.startswith(f"liarsolve arena: {message}")
    assert err.count("\n") == 1


def test_logs_that_cannot_be_written_or_read(capsys, tmp_path):
    nowhere = tmp_path / "no" / "log"
    status, out, err = arena(capsys, f"--players honest,random --matches 1 --log {nowhere}")
    assert (status, out) == (1, "")
    assert err == f"liarsolve arena: {nowhere} cannot be written: No such file or directory\n"
    status, _, err = run(capsys, "replay", nowhere)
    assert (status, err) == (
        1, f"liarsolve replay: {nowhere} cannot be read: No such file or directory\n",
    )  # fmt: skip
    damaged = tmp_path / "damaged"
    damaged.write_text('{"event": "acts"}\n')
    status, _, err = run(capsys, "replay", damaged)
    assert (status, err) == (
        2,
        "liarsolve replay: line 1 of the log: a match begins with match_begins, got acts\n",
    )
    damaged.write_bytes(b"\xff\xfe")
    assert run(capsys, "replay", damaged)[0] == 2
    assert run(capsys, "replay", damaged, "--number", 0)[2].startswith(
        "liarsolve replay: --number is 1 or more, got 0"
    )


def test_a_log_takes_no_file_that_is_there(capsys, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    words = ["--players", "random,honest", "--matches", "1", "--rules", "liar_die"]
    assert main(["arena", "--match", *words, "--log", str(precious)]) == 2
    assert "exists already; choose another file for --log" in capsys.readouterr().err
    assert precious.read_text() == "mine"

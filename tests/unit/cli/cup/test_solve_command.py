import json
import os
import pty
import subprocess
import sys
from fractions import Fraction

import pytest

from command_words import replacing
from liarsolve import load, presets, solve
from liarsolve.cli._progress import describe_cup_progress
from liarsolve.cli.main import main
from liarsolve.solvers.cup.solve import CupProgress
from liarsolve.strategy.cup.solution import CupSolution

SMALL = "--rules doubtful_dice --set equipment=dice(2,3)"
FIELDS = {
    "rules", "dice", "value_bounds", "exploitability", "nash_conv", "stop", "iterations",
    "seconds", "states", "peak_memory_mb", "folder", "target", "win_bounds", "note",
}  # fmt: skip


def run(capsys, command):
    status = main(["solve", *command.split()])
    return status, *capsys.readouterr()


def run_json(capsys, command):
    status, out, err = run(capsys, f"{command} --json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    return json.loads(out)


def test_json_is_one_object_with_the_certificate(capsys):
    report = run_json(capsys, "--rules classic --set equipment=dice(3,3) --target 1e-4")
    assert set(report) >= FIELDS
    rules = presets.CLASSIC.replace(equipment="dice(3,3)")
    assert report["rules"] == rules.to_dict()
    expected = solve(rules, target=1e-4).to_dict()
    del expected["seconds"]
    assert {key: report[key] for key in expected} == expected
    assert report["exploitability"] <= report["target"] == 1e-4
    assert (report["stop"], report["folder"], report["note"]) == ("converged", None, None)


@pytest.mark.parametrize(
    ("option", "key"),
    [
        ("--rules classic", "rules"),
        ("--set equipment=dice(2,4)", "states"),
        ("--set nothing_claims=named", "value_bounds"),
        ("--target 1e-9", "target"),
        ("--max-seconds 1e-9", "stop"),
        ("--exact", "exact_value"),
    ],
)
def test_every_option_changes_the_result(capsys, option, key):
    assert run_json(capsys, replacing(SMALL, option))[key] != run_json(capsys, SMALL)[key]


@pytest.mark.parametrize(
    ("command", "chance"),
    [
        ("--rules mia", "4078225781/6294150720"),
        ("--rules liar_die", "41/60"),
        ("--rules liar_die --faces 8 --exact", "1497/2240"),
    ],
)
def test_games_thrown_unseen_come_out_as_fractions(capsys, command, chance):
    report = run_json(capsys, command)
    assert Fraction(report["exact_value"]) == 2 * Fraction(chance) - 1
    assert report["stop"] == "exact"
    _, out, _ = run(capsys, command)
    text, value = " ".join(out.split()), 2 * Fraction(chance) - 1
    assert f"value {value} ({float(value):.9f}) for the first player, proved in rational" in text
    assert f"they win {chance} of the rounds ({100 * float(Fraction(chance)):.7f} %)" in text
    assert "exactly" not in text
    assert "stopped         the value is proved as a fraction\n" in out


def test_text_says_what_is_proved_and_how_to_open(capsys):
    status, out, err = run(capsys, "--rules liar_die --faces 4")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "liar_die, equipment=dice(1,4): 1 die under one cup, 4 claims, two players"
    headings = [line[:16].strip() for line in lines[2:9] if line[0] != " "]
    assert headings == [*("value", "they win", "exploitability", "states", "work", "stopped")]
    assert lines[4].split()[2:] == ["17/24", "of", "the", "rounds", "(70.8333333", "%)"]
    assert "(target 0.001)" in lines[5]
    assert "What the first player claims" in out
    rows = {line.split()[0]: line.split()[1:] for line in lines if "%" in line}
    assert rows["4"] == ["100.0", "%", "4", "100", "%"]
    assert rows["all"][:4] == ["70.8", "%", "2", "42"]
    assert max(map(len, lines)) <= 80


def test_of_many_hands_some_are_shown_from_low_to_high(capsys):
    _, out, _ = run(capsys, "--rules doubtful_dice --set equipment=dice(3,5)")
    title = next(line for line in out.splitlines() if line.startswith("What the first"))
    assert title.strip() == "What the first player claims: 12 of 35 hands"
    hands = [line.split()[0] for line in out[out.index(title) :].splitlines() if "%" in line]
    rules = presets.DOUBTFUL_DICE.replace(equipment="dice(3,5)")
    keys = [rules.ranking.key(rules.parse_hand(hand)) for hand in hands if hand.isdigit()]
    assert len(keys) == 12
    assert keys == sorted(keys)
    assert max(map(len, out.splitlines())) <= 80


def test_out_saves_what_load_opens(capsys, tmp_path):
    folder = tmp_path / "small"
    status, out, _ = run(capsys, f"{SMALL} --out {folder}")
    assert status == 0
    assert f"saved           {folder}" in out.replace("\n                ", "")
    solution = load(folder)
    assert isinstance(solution, CupSolution)
    assert solution.rules == presets.DOUBTFUL_DICE.replace(equipment="dice(2,3)")
    assert run(capsys, f"{SMALL} --out {folder}")[0] == 2
    assert run(capsys, f"{SMALL} --out {folder} --overwrite")[0] == 0


def test_a_target_that_was_missed_is_a_result(capsys):
    status, out, err = run(capsys, f"{SMALL} --max-seconds 1e-9")
    assert (status, err) == (0, "")
    assert "--max-seconds" in out


def test_blind_passes_are_left_out_and_said_to_be(capsys):
    box = "--rules box --set equipment=dice(2,3)"
    report = run_json(capsys, box)
    assert report["rules"]["blind_pass"] == "off"
    assert "between two players they gain nothing" in report["note"]
    assert report["value_bounds"] == run_json(capsys, f"{box} --set blind_pass=off")["value_bounds"]
    _, out, _ = run(capsys, box)
    assert "note            blind passes are left out" in out


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (
            "--rules mia --dice 2,1",
            "mia is a cup game with one hand for all, so --dice would do nothing",
        ),
        ("--rules mia --max-iterations 3", "so --max-iterations would do nothing"),
        ("--rules mia --max-memory 1GB", "so --max-memory would do nothing"),
        ("--rules mia --variant cfr", "so --variant would do nothing"),
        ("--rules mia --palifico", "so --palifico would do nothing"),
        ("--rules mia --exact-payoff 2,1", "so --exact-payoff would do nothing"),
        ("--rules mia --checkpoint x", "so --checkpoint would do nothing"),
        ("--rules mia --resume x", "so --resume would do nothing"),
        (
            "--rules mia --prove --exact",
            "--exact proves the value of a cup game, so --prove would do nothing",
        ),
        (
            "--rules mia --exact --target 1",
            "--exact solves in fractions, so --target would do nothing",
        ),
        (
            "--rules mia --exact --max-seconds 1",
            "--exact solves in fractions, so --max-seconds would do nothing",
        ),
        ("--rules mia --target -1", "--target is an exploitability of 0 or more, got -1"),
        ("--rules mia --target nan", "--target is an exploitability of 0 or more, got nan"),
        ("--rules mia --max-seconds 0", "--max-seconds is a time above 0, got 0"),
        ("--rules mia --players 1", "--players is a number from 2 to 12, got 1"),
        ("--rules mia --players 3 --exact", "--exact solves rounds of two players in fractions"),
        ("--rules common --dice 1,1 --players 3", "so --players would do nothing"),
        ("--rules mia --overwrite", "--overwrite needs --out, the folder to replace"),
        (
            "--rules classic --set raise_rule=equal_or_higher",
            "raise_rule=equal_or_higher cannot be solved claim by claim, since a round may go on",
        ),
        ("--rules box --set min_rethrow=1", "min_rethrow"),
        ("--rules maia", "there is no preset 'maia'; did you mean mia?"),
    ],
)
def test_what_means_nothing_is_refused_in_a_sentence(capsys, command, sentence):
    status, out, err = run(capsys, command)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_a_game_too_large_for_fractions_is_said_to_be(capsys):
    status, out, err = run(capsys, "--rules classic --exact")
    assert (status, out) == (1, "")
    assert "too large for rational arithmetic" in err


def test_progress_is_told_in_one_line():
    progress = CupProgress(
        claims_done=120,
        n_claims=248,
        share=0.2,
        target=1e-3,
        seconds=3.0,
        seconds_left=12.0,
        n_states=30_240,
        memory_mb=5.0,
    )
    assert describe_cup_progress(progress) == "120 of 248 claims, 30,240 states, 12 s left"


def test_progress_is_drawn_on_a_terminal_alone():
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "liarsolve", "solve", "--json"]
    command += ["--rules", "doubtful_dice", "--set", "equipment=dice(4,4)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower) as process:
        os.close(follower)
        drawn = b""
        while True:
            try:
                chunk = os.read(leader, 4096)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            drawn += chunk
        out = process.stdout.read()
    os.close(leader)
    assert json.loads(out)["stop"] == "converged"
    assert b"starting" in drawn

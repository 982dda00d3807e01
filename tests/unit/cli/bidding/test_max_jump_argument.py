"""``--max-jump``: strategies of players who do not jump far, and what the commands say of them."""

import json

import pytest

from liarsolve import MaxJump, Recall, presets, solve
from liarsolve.cli.main import main

GAME = "--rules common --faces 3 --dice 2,1 --recall 2 --max-jump 3 --max-iterations 40"


def run(capsys, command):
    status = main(command.split())
    return status, *(" ".join(text.split()) for text in capsys.readouterr())


def solution():
    return solve(
        presets.COMMON.replace(faces=3),
        (2, 1),
        abstraction=Recall(2) & MaxJump(3),
        max_iterations=40,
    )


def test_solve_is_the_function(capsys):
    status, out, _ = run(capsys, f"solve {GAME} --json")
    report, expected = json.loads(out), solution().to_dict()
    assert status == 0
    assert (report["recall"], report["max_jump"]) == (2, 3)
    for name in ("exploitability", "value_bounds", "is_walked", "states"):
        assert report[name] == expected[name]


def test_solve_says_what_the_strategies_rest_on(capsys):
    status, out, _ = run(capsys, f"solve {GAME}")
    assert status == 0
    assert "rests on recall 2, jumps of up to 3: strategies of players who forget all" in out
    assert "and think of no higher raises, which lose" in out
    assert "that players with recall 2, jumps of up to 3 tell apart" in out


def test_jumps_alone_are_enough(capsys):
    status, out, _ = run(capsys, "solve --rules common --faces 2 --dice 1,1 --max-jump 1 --json")
    report = json.loads(out)
    assert (status, report["recall"], report["max_jump"]) == (0, None, 1)


def test_advice_answers_a_bid_that_its_players_do_not_think_of(capsys, tmp_path):
    solution().save(tmp_path / "two")
    asked = "--hand 2 --history 1x1 --all --json"
    _, solved, _ = run(capsys, f"advise {GAME} {asked}")
    _, loaded, _ = run(capsys, f"advise --load {tmp_path / 'two'} {asked}")
    for report in map(json.loads, (solved, loaded)):
        assert report["max_jump"] == 3
        by_action = {a["action"]: a for a in report["advice"]}
        assert set(by_action) >= {"1x2", "3x3", "liar"}
        assert by_action["3x3"]["probability"] == 0.0
        assert by_action["3x3"]["expected_value"] < 0.0
    status, out, _ = run(capsys, f"advise --load {tmp_path / 'two'} --hand 1,2 --history 1x1,3x2")
    assert status == 0
    assert "This rests on recall 2, jumps of up to 3: strategies of players who" in out


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("solve --rules common --dice 1,1 --max-jump 0", "--max-jump 1 or more, got 0"),
        ("solve --rules common --dice 1,1 --exact --max-jump 2", "so --max-jump would do nothing"),
        ("solve --rules mia --max-jump 2", "--max-jump would do nothing"),
    ],
)
def test_what_makes_no_sense_is_refused(capsys, command, complaint):
    status, out, err = run(capsys, command)
    assert (status, out) == (2, "")
    assert complaint in err


def test_the_opening_table_of_a_large_round_does_not_take_for_ever(capsys):
    game = "--rules common --faces 3 --dice 5,5 --recall 2 --max-jump 4 --max-iterations 4"
    status, out, _ = run(capsys, f"solve {game} --max-seconds 1")
    assert status == 0
    assert "How the first bidder opens" in out


def test_hands_are_worth_what_the_function_says(capsys):
    status, out, _ = run(capsys, f"solve {GAME}")
    value = 50 * (1 + solution().values[0])
    assert status == 0
    assert f" all {value:.1f} %" in out


def test_similar_hands_are_asked_for_too(capsys):
    game = "--rules common --faces 3 --dice 2,1 --similar-hands 1 --max-iterations 20"
    status, out, _ = run(capsys, f"solve {game} --max-jump 2 --json")
    report = json.loads(out)
    assert (status, report["max_jump"], report["similar_hands"]) == (0, 2, 1)
    status, out, _ = run(capsys, f"advise {game} --hand 1,2")
    assert status == 0
    assert "This rests on hands by the next 1: strategies of players who tell hands apart" in out
    status, _, err = run(capsys, "solve --rules mia --similar-hands 2")
    assert status == 2
    assert "--similar-hands would do nothing" in err

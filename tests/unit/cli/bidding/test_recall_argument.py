"""``--recall``: strategies of players who forget, and what the commands say of them."""

import json

import pytest

from liarsolve import Recall, presets, solve
from liarsolve.cli.main import main

GAME = "--rules common --faces 3 --dice 2,1 --recall 2 --max-iterations 40"


def run(capsys, command):
    status = main(command.split())
    return status, *(" ".join(text.split()) for text in capsys.readouterr())


def solution():
    return solve(presets.COMMON.replace(faces=3), (2, 1), abstraction=Recall(2), max_iterations=40)


def test_solve_is_the_function(capsys):
    status, out, _ = run(capsys, f"solve {GAME} --json")
    report, expected = json.loads(out), solution().to_dict()
    assert status == 0
    for name in ("recall", "exploitability", "value_bounds", "is_walked", "states"):
        assert report[name] == expected[name]


def test_solve_says_what_the_strategies_rest_on(capsys):
    status, out, _ = run(capsys, f"solve {GAME}")
    assert status == 0
    assert "rests on recall 2: strategies of players who forget all other bids" in out
    assert f"{solution().n_states} that players with recall 2 tell apart" in out


def test_advice_says_what_it_rests_on(capsys, tmp_path):
    _, solved, _ = run(capsys, f"advise {GAME} --hand 1,2")
    solution().save(tmp_path / "two")
    _, loaded, _ = run(capsys, f"advise --load {tmp_path / 'two'} --hand 1,2")
    for text in (solved, loaded):
        assert "This rests on recall 2: strategies of players who forget all other bids" in text


def test_a_full_table_says_what_was_measured(capsys):
    status, out, _ = run(capsys, "solve --faces 3 --dice 1,1,1 --recall 1 --max-iterations 40")
    assert status == 0
    assert "rests on recall 1: strategies of every seat, with a measured nash_conv of" in out
    assert "values seat 1 " in out


def test_a_table_too_large_to_walk_says_so(capsys):
    game = "--rules common --dice 5,5,5 --recall 1 --max-seconds 1"
    status, out, _ = run(capsys, f"solve {game}")
    assert status == 0
    assert "values not measured" in out
    assert "nash_conv not measured (target 0.001)" in out
    assert "stopped --max-seconds came first; whether the target is reached is not known" in out
    status, out, _ = run(capsys, f"advise {game} --hand 1,2,3,4,5 --history 3x2")
    assert status == 0
    assert "How good this advice is was not measured" in out
    assert "what each could gain in the true game was not measured" in out


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("solve --rules common --dice 1,1 --recall 0", "recall 1 or more, got 0"),
        ("solve --rules common --dice 1,1 --exact --recall 2", "so --recall would do nothing"),
        ("solve --rules mia --recall 2", "--recall"),
    ],
)
def test_what_makes_no_sense_is_refused(capsys, command, complaint):
    status, out, err = run(capsys, command)
    assert (status, out) == (2, "")
    assert complaint in err

"""``--refine``: players who forget remember what best responses would make use of."""

import json

import pytest

from liarsolve import Recall, presets, solve
from liarsolve.cli.main import main

GAME = "--rules common --faces 3 --dice 2,1"
REFINED = f"{GAME} --recall 1 --refine --max-iterations 40"


def run(capsys, command):
    status = main(command.split())
    return status, *(" ".join(text.split()) for text in capsys.readouterr())


def test_solve_is_the_function(capsys):
    status, out, _ = run(capsys, f"solve {REFINED} --json")
    report = json.loads(out)
    expected = solve(
        presets.COMMON.replace(faces=3),
        (2, 1),
        abstraction=Recall(1),
        refine=True,
        max_iterations=40,
    ).to_dict()
    assert status == 0
    for name in ("recall", "method", "exploitability", "value_bounds", "states"):
        assert report[name] == expected[name]
    assert report["method"] == "discounted, refined"


def test_pages_say_that_it_is_refined(capsys, tmp_path):
    status, out, _ = run(capsys, f"solve {REFINED} --out {tmp_path / 'fine'}")
    assert status == 0
    assert "rests on recall 1, refined: strategies of players who forget all other bids" in out
    assert "that players with recall 1, refined, tell apart" in out
    status, out, _ = run(capsys, f"advise --load {tmp_path / 'fine'} --hand 2 --history 1x2")
    assert status == 0
    assert "rests on recall 1, refined" in out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (f"{GAME} --refine", "it needs --recall, such as --recall 2, got no --recall"),
        (f"{GAME} --refine --max-jump 2", "it needs --recall, such as --recall 2, got no --rec"),
        (f"{GAME} --refine --exact", "it needs --recall, such as --recall 2, got --exact"),
        (f"{GAME} --refine --recall 1 --max-jump 2", "does not go together with --max-jump"),
        (f"{GAME} --refine --recall 1 --similar-hands 2", "not go together with --similar-hands"),
        (f"{GAME} --refine --recall 1 --checkpoint x", "leave out --checkpoint or --refine"),
        (f"{GAME} --refine --recall 1 --resume x", "leave out --resume or --refine"),
        ("--rules common --dice 1,1,1 --refine --recall 1", "--refine is for rounds of two player"),
        ("--rules mia --refine", "--refine"),
    ],
)
def test_what_would_do_nothing_is_refused(capsys, command, message):
    status, out, err = run(capsys, f"solve {command}")
    assert status == 2
    assert out == ""
    assert message in err

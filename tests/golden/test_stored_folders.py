"""Folders that version 0.1.0 has stored: whatever comes later must open them to the same answers.

A new format brings folders of its own beside these, and reads these too, by migration.
"""

import json
import shutil
from pathlib import Path

import pytest

from liarsolve import load, resume, solve
from liarsolve.rules import presets
from liarsolve.solvers import StopReason
from liarsolve.strategy.checkpoints import list_checkpoints

DATA = Path(__file__).parent / "data"
PERUDO = presets.PERUDO.replace(faces=3)
TWO_DICE = presets.DOUBTFUL_DICE.replace(
    equipment="dice(2,3)", claim_detail="full", name="two dice"
)


def test_a_bidding_round_gives_the_same_answers():
    # solve(PERUDO, (1, 1), target=1e-4).save(...)
    solution = load(DATA / "stored-bidding")
    assert solution.rules.round_rules == PERUDO.round_rules
    assert solution.dice == (1, 1)
    assert solution.stop is StopReason.CONVERGED
    assert solution.value_bounds == pytest.approx((-0.0001346510, 0.0000626904), abs=1e-9)
    probs = solution.strategy.probs((1,))
    assert {str(bid): round(p, 5) for bid, p in probs.items() if p > 1e-3} == {
        "1x2": 0.50016,
        "1x3": 0.49984,
    }
    best = solution.strategy.advise((2,), ["1x3"])[0]
    assert str(best.action) == "exact"
    assert best.probability == pytest.approx(0.604342262287, abs=1e-9)


def test_a_cup_round_gives_the_same_answers():
    # solve(TWO_DICE).save(...)
    solution = load(DATA / "stored-cup")
    assert solution.rules == TWO_DICE
    assert solution.win_bounds == pytest.approx((1 / 3, 1 / 3), abs=1e-9)
    pair = next(iter(solution.rules.claims))
    assert solution.strategy.probs(holding=(1, 1))[pair] == pytest.approx(1.0, abs=1e-9)


def test_a_checkpoint_goes_on(tmp_path):
    # solve(presets.COMMON.replace(faces=3), (1, 1), target=0, max_iterations=30, checkpoint=...)
    shutil.copytree(DATA / "checkpoint", tmp_path / "c")
    resumed = resume(tmp_path / "c", max_iterations=30)
    whole = solve(presets.COMMON.replace(faces=3), (1, 1), target=0, max_iterations=60)
    assert resumed.iterations == whole.iterations == 60
    # Additions may come in another order on another machine.
    assert resumed.exploitability == pytest.approx(whole.exploitability, rel=1e-6)
    assert resumed.value_bounds == pytest.approx(whole.value_bounds, rel=1e-6)


def test_they_are_of_the_first_format():
    folders = [DATA / "stored-bidding", DATA / "stored-cup", *list_checkpoints(DATA / "checkpoint")]
    versions = [json.loads((f / "manifest.json").read_text())["format_version"] for f in folders]
    assert versions == [1, 1, 1]

"""What a solution says of itself."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from liarsolve import BiddingSolution, presets, solve, solve_exact
from liarsolve.solvers import Certificate, Proof, ProofOutcome, StopReason

RULES = presets.PERUDO.replace(faces=3)


@pytest.fixture(scope="module")
def solution():
    return solve(RULES, dice=(2, 1), target=1e-3, exact_payoff=(2, 1))


def test_bounds_and_exploitability_belong_together(solution):
    lo, hi = solution.value_bounds
    assert lo < hi
    assert solution.nash_conv == pytest.approx(hi - lo, abs=2.1e-12)  # 1e-12 a side for rounding
    assert solution.exploitability == solution.nash_conv / 2 <= 1e-3


def test_summary_is_plain_json(solution):
    summary = solution.to_dict()
    assert json.loads(json.dumps(summary)) == summary
    assert summary["rules"] == RULES.to_dict()
    assert summary["dice"] == [2, 1]
    assert summary["palifico"] is False
    assert summary["payoffs"] == {
        "bidder_loses": 1.0,
        "challenger_loses": -1.0,
        "exact_right": 2.0,
        "exact_wrong": -1.0,
    }
    assert summary["value_bounds"] == list(solution.value_bounds)
    assert summary["exploitability"] == solution.exploitability
    assert summary["nash_conv"] == solution.nash_conv
    assert summary["exact_value"] is None
    assert summary["stop"] == "converged"
    assert summary["method"] == "discounted"
    assert summary["iterations"] == solution.result.iterations > 1
    assert summary["states"] == solution.result.tree.n_states > 1
    assert summary["seconds"] > 0
    assert summary["peak_memory_mb"] > 0


def test_a_proved_value_is_written_as_a_fraction():
    proved = solve_exact(presets.COMMON.replace(faces=3), dice=(1, 1), prove=True)
    assert proved.exact_value == Fraction(-1, 9)
    assert proved.to_dict()["exact_value"] == "-1/9"
    assert proved.to_dict()["stop"] == "exact"
    assert proved.to_dict()["method"] == "lp"
    assert proved.stop is StopReason.EXACT


def test_repr_tells_the_result(solution):
    lo, hi = solution.value_bounds
    assert repr(solution) == (
        f"BiddingSolution(rules='perudo, faces=3', dice=(2, 1), value_bounds=({lo:.6g}, {hi:.6g}), "
        f"exploitability={solution.exploitability:.3g}, exact_value=not sought, stop=CONVERGED)"
    )


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (ProofOutcome.NOT_FOUND, "not found"),
        (ProofOutcome.INTERRUPTED, "interrupted"),
        (ProofOutcome.TIME_LIMIT, "time limit"),
    ],
)
def test_repr_tells_what_the_search_for_a_proof_came_to(outcome, words):
    solution = solve(presets.COMMON.replace(faces=3), dice=(1, 1), target=1e-9)
    assert "exact_value=-1/9, " in repr(solution.prove())
    sought = replace(solution, proof=Proof(outcome=outcome, reason=outcome.value))
    assert f"exact_value={words}, " in repr(sought)
    assert "exact_value=time limit, " in repr(solution.prove(max_seconds=0))


def test_bounds_are_never_outside_of_what_can_be_won():
    solution = solve(presets.COMMON.replace(faces=2), dice=(1, 1))
    wide = replace(solution.result, certificate=Certificate((1.5, 1.01)))
    assert BiddingSolution(wide).value_bounds == (-1.0, 1.0)
    assert BiddingSolution(wide).to_dict()["value_bounds"] == [-1.0, 1.0]
    part = replace(solution.result, certificate=Certificate((0.25, 1.01)))
    low, high = BiddingSolution(part).value_bounds
    assert (low, high) == (-1.0, part.certificate.value_bounds[1])

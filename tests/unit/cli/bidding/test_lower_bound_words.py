"""What commands say of strategies whose loss is only bounded."""

import json
from dataclasses import replace

from liarsolve import BiddingSolution, Recall, presets, solve
from liarsolve.cli.bidding.certificate import certificate_rows
from liarsolve.cli.main import main
from liarsolve.solvers import BoundedLoss, LowerBound

BOUND = LowerBound(
    value=0.0312,
    lo=0.027,
    hi=0.0354,
    confidence=0.95,
    n_deals=5000,
    br_values=(0.04, 0.0224),
    method="a local best response that forgets nothing",
)


def bounded():
    solution = solve(presets.COMMON.replace(faces=2), (1, 1), abstraction=Recall(1))
    return BiddingSolution(
        replace(solution.result, certificate=BoundedLoss(solution.certificate, BOUND))
    )


def test_the_table_has_both_bounds():
    solution = bounded()
    rows = dict(certificate_rows(solution, 0.001))
    distance = f"0.0312 or more, {solution.exploitability:.3g} or less (target 0.001)"
    assert rows["exploitability"] == distance
    assert (
        "which lose at least 0.0312 (95 %: 0.027 to 0.0354) to a local best response that forgets "
        "nothing; that is a lower bound, the true loss may be larger"
    ) in rows["rests on"]


def test_advice_from_a_file_has_the_bound(capsys, tmp_path):
    bounded().save(tmp_path / "file")
    assert main(["advise", "--load", str(tmp_path / "file"), "--hand", "1"]) == 0
    assert "lose at least 0.0312 (95 %: 0.027 to 0.0354)" in " ".join(
        capsys.readouterr().out.split()
    )


def test_a_solve_in_a_second_looks_for_a_bound(capsys):
    command = "solve --rules common --dice 5,5 --recall 1 --max-seconds 1 --json"
    assert main(command.split()) == 0
    report = json.loads(capsys.readouterr().out)
    bound = LowerBound.from_dict(report["lower_bound"])
    assert report["is_walked"] is False
    assert bound.n_deals == 0 or bound.n_deals >= 50  # plans of a search, or deals
    assert bound.value < report["exploitability"]

"""The commands solve and advise with three and more players."""

import json
from dataclasses import replace

import pytest

from liarsolve import BiddingSolution, Recall, load, presets, solve
from liarsolve.cli.bidding.certificate import certificate_rows, describe_stop
from liarsolve.cli.main import main
from liarsolve.solvers import BoundedLoss, Certificate

TABLE = "--rules perudo --faces 3 --dice 1,2,1"


def run(capsys, command):
    status = main(command.split())
    out, err = capsys.readouterr()
    return status, out, err


def run_json(capsys, command):
    status, out, err = run(capsys, f"{command} --json")
    assert (status, err) == (0, "")
    return json.loads(out)


def test_solve_reports_every_seat(capsys, tmp_path):
    folder = tmp_path / "three"
    report = run_json(capsys, f"solve {TABLE} --target 5e-3 --out {folder}")
    assert report["dice"] == [1, 2, 1]
    assert len(report["values"]) == 3
    gains = [
        best - value for best, value in zip(report["br_values"], report["values"], strict=True)
    ]
    assert report["nash_conv"] == pytest.approx(sum(gains), abs=1e-11)
    assert report["nash_conv"] <= report["target"] == 5e-3
    assert report["exploitability"] is report["value_bounds"] is None
    assert report["stop"] == "converged"
    assert load(folder).values == tuple(report["values"])


def test_solve_prints_values_and_gains(capsys):
    status, out, err = run(capsys, f"solve {TABLE} --target 5e-3")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "perudo, faces=3: 1 die against 2 against 1"
    assert any(line.startswith("values          seat 1 +0.") for line in lines)
    assert any(line.startswith("could gain      seat 1 ") for line in lines)
    assert any(line.startswith("nash_conv       ") and "(target 0.005)" in line for line in lines)
    assert "stopped         the certified nash_conv is at or below the target" in out
    assert "exploitability" not in out
    assert "How the first bidder opens" in out
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("options", "changed"),
    [
        ("--palifico", ("palifico", True)),
        ("--variant cfr+", ("method", "cfr+")),
        ("--exact-payoff 3,2", ("payoffs", None)),
    ],
)
def test_solve_options_change_the_table(capsys, options, changed):
    plain = run_json(capsys, f"solve {TABLE} --max-iterations 10")
    other = run_json(capsys, f"solve {TABLE} --max-iterations 10 {options}")
    name, value = changed
    assert other[name] != plain[name]
    assert value is None or other[name] == value
    assert other["values"] != plain["values"]


@pytest.mark.parametrize("options", ["", "--recall 2"])
def test_the_command_goes_on_from_a_checkpoint(capsys, tmp_path, options):
    folder = tmp_path / "a"
    limit = "--target 0 --max-iterations"
    whole = run_json(capsys, f"solve {TABLE} {options} {limit} 20")
    run_json(capsys, f"solve {TABLE} {options} {limit} 8 --checkpoint {folder}")
    status, out, err = run(capsys, f"solve --resume {folder} --max-iterations 12 --json")
    assert status == 0
    assert f"going on with {whole['rules']['name']}" in err
    assert "--max-iterations 12 from now on" in err
    resumed = json.loads(out)
    assert resumed["iterations"] == whole["iterations"] == 20
    assert resumed["values"] == whole["values"]
    assert resumed["recall"] == whole["recall"]


def test_advise_answers_at_a_full_table(capsys, tmp_path):
    folder = tmp_path / "three"
    run_json(capsys, f"solve {TABLE} --target 5e-3 --out {folder}")
    question = "--hand 1,3 --history 1x2"
    report = run_json(capsys, f"advise --load {folder} {question}")
    assert report["seat"] == 2
    assert sum(a["probability"] for a in report["advice"]) == pytest.approx(1.0)
    assert all(a["win_probability"] is None for a in report["advice"])
    # A one is wild, so the own hand has the two that was bid.
    assert report["p_true"] == 1.0
    status, out, err = run(capsys, f"advise --load {folder} {question}")
    assert (status, err) == (0, "")
    assert "must be true, whatever the others hold." in " ".join(out.split())
    assert "all 3 players together could gain at most" in " ".join(out.split())
    assert "other player" not in out


def test_advise_solves_when_nothing_is_stored(capsys):
    command = f"advise {TABLE} --hand 2 --history 1x2,1x3 --max-iterations 60"
    status, out, err = run(capsys, command)
    assert (status, err) == (0, "")
    words = " ".join(out.split())
    assert "given the bids, if the others bid by the strategy" in words
    assert (
        "--max-iterations came before the target; raise it, or accept the certified nash_conv"
        in (words)
    )


def test_advise_knows_who_makes_which_bids(capsys):
    """The bids of the others, each over all his hands, and one's own."""
    from liarsolve import presets, solve
    from liarsolve.rules import parse_action

    solution = solve(presets.COMMON.replace(faces=2), (1, 1, 1), max_iterations=3)
    strategy, history = solution.strategy, "1x1,1x2,2x1,2x2"
    bids = [parse_action(bid) for bid in history.split(",")]

    def chance(player, hand):
        result = 1.0
        for k in range(player, 4, 3):
            result *= strategy.probs((hand,), bids[:k])[bids[k]]
        return result

    recommended = solution.recommend("2", bids)
    assert recommended.seat == 2
    assert recommended.own_reach == chance(1, 2)
    rivals = [(chance(player, 1) + chance(player, 2)) / 2 for player in (0, 2)]
    assert recommended.rival_reach == pytest.approx(rivals[0] * rivals[1])


def test_hands_are_those_of_the_seat_on_turn(capsys):
    status, _, err = run(capsys, f"advise {TABLE} --hand 1,2 --history 1x2,1x3")
    assert status == 2
    assert err == ("liarsolve advise: seat 3 is on turn and has 1 die, got the hand '1,2'\n")


def test_the_reason_to_stop_names_the_measure():
    table = solve(presets.PERUDO.replace(faces=2), (1, 1, 1), max_iterations=2)
    assert describe_stop(table).endswith("or accept the certified nash_conv")
    two = solve(presets.COMMON.replace(faces=2), (1, 1), abstraction=Recall(1), max_iterations=2)
    cut_short = BiddingSolution(replace(two.result, certificate=BoundedLoss(two.certificate)))
    assert describe_stop(cut_short) == (
        "--max-iterations came first; what the strategies lose lies between the bounds"
    )
    unknown = BiddingSolution(replace(two.result, certificate=BoundedLoss(Certificate((1.0, 1.0)))))
    assert ("value", "nothing is known of it") in certificate_rows(unknown, None)
    whole = BiddingSolution(replace(two.result, certificate=Certificate((1.0, 1.0))))
    assert ("value", "nothing is known of it") not in certificate_rows(whole, None)

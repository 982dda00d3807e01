import json

import pytest

from liarsolve import count_distribution, odds_table, p_at_least, p_exactly, p_fewer
from liarsolve.cli.main import main

TABLE = {"total": 25, "hand": (6, 6, 1, 2, 3)}


def run(capsys, command):
    status = main(["odds", *command.split()])
    out, err = capsys.readouterr()
    return status, out, err


def run_json(capsys, command):
    status, out, err = run(capsys, f"{command} --json")
    assert (status, err) == (0, "")
    return json.loads(out)


def test_json_of_a_bid(capsys):
    report = run_json(capsys, "--bid 9x6 --total 25 --hand 6,6,1,2,3")
    assert report["p_at_least"] == p_at_least(9, 6, **TABLE)
    assert report["p_exactly"] == p_exactly(9, 6, **TABLE)
    assert report["p_fewer"] == p_fewer(9, 6, **TABLE)
    assert report["largest_even_quantity"] == count_distribution(6, **TABLE).max_bid(0.5)
    facts = {key: report[key] for key in ("bid", "quantity", "face", "own", "needed", "unseen")}
    assert facts == {"bid": "9x6", "quantity": 9, "face": 6, "own": 3, "needed": 6, "unseen": 20}
    assert (report["hand"], report["wild"], report["sides"]) == ([1, 2, 3, 6, 6], 1, 6)
    bids = [rung["bid"] for rung in report["ladder"]]
    assert bids == ["8x6", "9x1", "9x2", "9x3", "9x4", "9x5", "9x6", "10x6", "11x6"]
    for rung in report["ladder"]:
        assert rung["p_at_least"] == p_at_least(rung["quantity"], rung["face"], **TABLE)
        assert rung["p_exactly"] == p_exactly(rung["quantity"], rung["face"], **TABLE)
        assert rung["p_fewer"] == p_fewer(rung["quantity"], rung["face"], **TABLE)


def test_ladder_keeps_to_the_face_if_only_its_matches_are_known(capsys):
    report = run_json(capsys, "--bid 1x6 --unseen 10 --own 2")
    assert [rung["bid"] for rung in report["ladder"]] == ["1x6", "2x6", "3x6"]
    assert report["own"] == 2


def test_ladder_ends_where_bids_are_impossible(capsys):
    report = run_json(capsys, "--bid 5x6 --total 5 --hand 6")
    assert [rung["bid"] for rung in report["ladder"]] == ["4x6", "5x6"]
    report = run_json(capsys, "--bid 9x2 --total 5 --hand 6")
    assert [rung["bid"] for rung in report["ladder"]] == ["9x2"]


def test_options_reach_the_odds(capsys):
    base = run_json(capsys, "--bid 4x3 --unseen 10")["p_at_least"]
    for options, keywords in (
        ("--wild none", {"wild": None}),
        ("--wild 3", {"wild": 3}),
        ("--sides 4", {"sides": 4}),
        ("--own 1", {"own": 1}),
        ("--hand 3", {"hand": (3,)}),
    ):
        report = run_json(capsys, f"--bid 4x3 --unseen 10 {options}")
        assert report["p_at_least"] == p_at_least(4, 3, 10, **keywords) != base


def test_text_of_a_bid(capsys):
    status, out, err = run(capsys, "--bid 9x6 --total 25 --hand 6,6,1,2,3")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert " ".join(lines[:2]) == (
        "Nine sixes: you hold 3 (two sixes and a wild one), so at least 6 of the 20 hidden dice "
        "must match, and each does with a chance of 1/3."
    )
    words = [line.split() for line in lines]
    assert ["true,", "9", "or", "more", "70.3", "%"] in words
    assert ["exactly", "9", "18.2", "%"] in words
    assert ["false,", "8", "or", "fewer", "29.7", "%"] in words
    assert ["bid", "yours", "true", "%", "exactly", "%", "false", "%"] in words
    assert ["9x2", "2", "52.1", "18.2", "47.9"] in words
    assert lines[-1] == "The highest bid on this face that is at least even is ten sixes."


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("--bid 2x6 --total 5 --hand 6,1", "(one six and a wild one), so the bid is true whatever"),
        ("--bid 9x6 --total 5 --hand 6", "so 8 more would have to match, and only 4 are hidden."),
        ("--bid 3x6 --total 3 --hand 1,1", "(two wild ones), so the hidden die must match"),
        ("--bid 1x1 --total 3", "One one: you hold none, so at least 1 of the 3 hidden dice"),
        ("--bid 20x4 --unseen 30 --own 2", "20 fours: you hold 2, so at least 18 of the 30"),
        ("--bid 1x6 --total 3", "false, none"),
    ],
)
def test_sentence_fits_the_case(capsys, command, sentence):
    status, out, _ = run(capsys, command)
    assert status == 0
    assert sentence in " ".join(out.split())


def test_no_bid_is_praised_where_none_is_even(capsys):
    assert "The highest bid" not in run(capsys, "--bid 1x1 --total 2")[1]


def test_without_bid_the_table_is_printed(capsys):
    status, out, err = run(capsys, "--total 5 --hand 4,1")
    title, _, body = odds_table(5, hand=(1, 4)).to_text().partition("\n")
    assert (status, err) == (0, "")
    said, _, printed = out.partition("\n\n")
    assert (" ".join(said.split()), printed) == (title, body[1:] + "\n")
    assert run(capsys, "--unseen 3 --hand 41")[1] == out
    report = run_json(capsys, "--total 5 --hand 4,1 --wild none --sides 8")
    table = odds_table(5, hand=(1, 4), wild=None, sides=8)
    assert (report["total"], report["hand"]) == (5, [1, 4])
    assert (report["wild"], report["sides"]) == (None, 8)
    assert report["rows"] == [
        {"faces": list(row.faces), "own": row.own, "p_at_least": list(row.p_at_least)}
        for row in table.rows
    ]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("--bid 9x7 --total 5", "the dice have faces 1 to 6, got --bid 9x7"),
        ("--bid nine --total 5", "a bid is written QxF, such as 4x3 for four threes, got 'nine'"),
        ("--bid 9x6", "--total (all dice on the table), --unseen (those of the others) or --dice"),
        ("--bid 9x6 --total 3 --unseen 3", "got --total and --unseen"),
        ("--bid 9x6 --total 3 --hand 1,2,3,4", "at least 4, got 3"),
        (
            "--bid 9x6 --total 9 --own 3",
            "--own 3 does not say how many dice you hold, so --total leaves open",
        ),
        (
            "--bid 9x6 --unseen 9 --own 3 --hand 6",
            "--hand says how many of your dice match, and --own too; leave one out",
        ),
        ("--bid 9x6 --unseen -1", "--unseen is a number of dice from 0 to 10**12, got -1"),
        ("--bid 9x6 --unseen 5 --hand 6,7", "a die shows 1 to 6, got 7 in the hand 6,7"),
        ("--bid 9x6 --unseen 5 --wild x", "--wild must be a face such as 1, or none, got 'x'"),
        ("--bid 9x6 --unseen 5 --wild 8", "--wild must be a face from 1 to 6, or none, got 8"),
        ("--bid 9x6 --unseen 5 --sides 0", "a whole number of faces, at least 2, got '0'"),
        ("--dice 0", "a round needs two players or more, as in --dice 2,1, got 0"),
        ("--unseen 5 --own 1", "--own belongs to one face, so it needs --bid"),
    ],
)
def test_bad_input_is_one_sentence(capsys, command, sentence):
    for option in ("", " --json"):
        status, out, err = run(capsys, command + option)
        assert (status, out) == (2, "")
        assert err.startswith("liarsolve odds: ")
        assert sentence in err
        assert err.count("\n") == 1

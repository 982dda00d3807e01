"""``--position`` of the commands odds and advise: the same answers as by their other options."""

import json
import re

import pytest

from liarsolve.cli.main import main


def run(capsys, *words):
    status = main(words)
    out, err = capsys.readouterr()
    return status, out, err


def test_advice_at_a_position_is_that_of_its_round(capsys):
    position = "common faces=2; dice 1,0,1; starts 3; seat 1; hand 1; said 1x1"
    status, out, _ = run(capsys, "advise", "--json", "--position", position)
    by_position = json.loads(out)
    options = ["--rules", "common", "--faces", "2", "--dice", "1,1", "--hand", "1"]
    _, out, _ = run(capsys, "advise", "--json", *options, "--history", "1x1")
    by_options = json.loads(out)
    assert status == 0
    assert by_position.pop("position") == position
    assert by_options.pop("position") == (
        "common faces=2; dice 1,1; starts 1; seat 2; hand 1; said 1x1"
    )
    for report in (by_position, by_options):
        del report["seconds"], report["peak_memory_mb"]
    assert by_position == by_options


def test_the_position_is_printed_and_read_again(capsys):
    _, out, _ = run(capsys, "advise", "--rules", "liar_die", "--offered", "3")
    line = out.splitlines()[-1]
    assert line == "Position: liar_die; lives 1,1; starts 1; seat 2; offered 3"
    _, again, _ = run(capsys, "advise", "--position", line.removeprefix("Position: "))
    same, once = (re.sub(r"took \S+ s", "took", " ".join(text.split())) for text in (again, out))
    assert same == once


def test_seats_of_the_answer_are_explained(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    position = "perudo; dice 2,0,1; starts 3; hand 3,3; said 1x3"
    status, out, _ = run(capsys, "odds", "--position", position)
    assert status == 0
    assert out.endswith(
        "Above, seats count from the starter of\nthe round, who is seat 3 of the\nposition.\n"
    )
    assert max(map(len, out.splitlines())) <= 40


@pytest.mark.parametrize(
    ("position", "options"),
    [
        ("perudo; dice 1,2; hand 3,3; said 1x3",
         "--rules perudo --dice 1,2 --hand 3,3 --history 1x3"),
        ("perudo; dice 2,2; palifico; said 1x3 2x3",
         "--rules perudo --dice 2,2 --palifico --history 1x3,2x3"),
        ("classic; lives 3,3; offered KKAA9; passed QQQ99; thrown 2",
         "--rules classic --hand QQQ99 --thrown 2 --claim KKAA9"),
        ("mia; lives 6,6; offered 64; claim 52", "--rules mia --claim 64"),
    ],
)  # fmt: skip
def test_odds_at_a_position_are_those_of_its_round(capsys, position, options):
    _, by_position, _ = run(capsys, "odds", "--json", "--position", position)
    _, by_options, _ = run(capsys, "odds", "--json", *options.split())
    assert json.loads(by_position) == json.loads(by_options)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("advise|--position|perudo; dice 1,1",
         "say which dice you hold, such as --hand 3,3"),
        ("advise|--position|perudo; dice 1,1; hand 3|--dice|1,1",
         "--position says it all, so --dice would do nothing; leave one out"),
        ("advise|--position|perudo; dice 1,1; hand 3|--set|faces=3",
         "--position says it all, so --set would do nothing; leave one out"),
        ("advise|--position|perudo; dice 1,1; hand 3; seat 2",
         "after 0 bids seat 1 is on turn, not seat 2; leave out --seat, or give the whole"),
        ("advise|--position|mia; lives 6,6; hand 21|--guide",
         "--guide is about the whole game, so --position would do nothing"),
        ("advise|--position|perudo palifico_face=ex_palifico_may_change; dice 1,1,2; palifico",
         "palifico_face=ex_palifico_may_change goes by who has had a palifico round"),
        ("odds|--position|perudo; dice 1,1; hand 3|--beat",
         "--beat is about a cup game, and the position about bidding"),
        ("odds|--position|mia; lives 6,6; offered 21|--bid|1x3",
         "--bid is about bidding, and the position about a cup game"),
        ("odds|--position|mia; lives 6,6; hand 21",
         "odds are about the claim that is offered, and this position has none"),
        ("odds|--position|perudo; lives 1,1", "perudo is about dice, so the position says dice"),
    ],
)  # fmt: skip
def test_what_does_not_go_with_a_position_is_refused(capsys, command, message):
    status, out, err = run(capsys, *command.split("|"))
    assert (status, out) == (2, "")
    assert err.startswith(f"liarsolve {command.partition('|')[0]}: {message}")
    assert err.count("\n") == 1

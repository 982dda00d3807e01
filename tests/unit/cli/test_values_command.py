"""The command values."""

import json
from fractions import Fraction

import pytest

from liarsolve import certified_values
from liarsolve.cli.main import main
from liarsolve.rules import RuleSet, presets


def run(capsys, command):
    status = main(["values", *command.split()])
    return status, *capsys.readouterr()


def test_json_has_every_row(capsys):
    status, out, err = run(capsys, "--json")
    assert (status, err) == (0, "")
    rows = json.loads(out)["values"]
    assert len(rows) == len(certified_values())
    expected = {(r.rules, r.dice): r for r in certified_values()}
    for row in rows:
        rules = RuleSet.from_dict(row["rules"])
        held = expected.pop((rules.name, tuple(row["dice"])))
        assert rules.faces == held.faces == 6
        assert tuple(row["value_bounds"]) == held.value_bounds
        assert row["exploitability"] == held.exploitability
        exact = row["exact_value"]
        assert (None if exact is None else Fraction(exact)) == held.exact_value
    assert not expected


def test_rows_can_be_chosen(capsys):
    rows = json.loads(run(capsys, "--json --rules perudo --dice 2,1")[1])["values"]
    assert [(row["rules"]["name"], row["dice"]) for row in rows] == [("perudo", [2, 1])]
    by_dice = json.loads(run(capsys, "--json --dice 2,1")[1])["values"]
    assert len(by_dice) == len({row["rules"]["name"] for row in by_dice}) > 1
    by_rules = json.loads(run(capsys, "--json --rules common")[1])["values"]
    assert {RuleSet.from_dict(row["rules"]) for row in by_rules} == {presets.COMMON}
    assert [1, 2] in [row["dice"] for row in by_rules]


def test_people_see_the_values(capsys):
    status, out, err = run(capsys, "--rules common")
    assert (status, err) == (0, "")
    lines = [" ".join(line.replace("\N{NO-BREAK SPACE}", " ").split()) for line in out.splitlines()]
    assert "common 1 v 1 -1/9 = -0.111111 44.44 % 6.94e-18" in lines
    assert "1 v 2 -22/81 = -0.271605 36.42 % 0" in lines
    assert any(line.startswith("4 v 1 0.42496 to 0.42552 71.3 %") for line in lines)


@pytest.mark.parametrize("columns", [40, 60, 77, 78, 100])
def test_it_fits_the_page(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    _, out, _ = run(capsys, "")
    assert max(map(len, out.splitlines())) <= columns
    assert "\N{HORIZONTAL ELLIPSIS}" not in out
    assert ("exploitability" in out) == (columns >= 78)
    assert "212027/771552" in out


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("--rules chess", "values are stored for common, liars_dice, perudo, got 'chess'"),
        ("--rules mia", "values are stored for common, liars_dice, perudo, got 'mia'"),
        ("--rules=", "perudo, got ''"),
        ("--dice 5,5", "no value is stored for dice 5,5; there are 1,1, "),
        ("--dice 5", "values are of two players, as in --dice 2,1, got 5"),
        ("--dice 1,1,1", "values are of two players"),
        ("--dice x", "dice are written as the number of each player"),
    ],
)
def test_bad_input_gets_one_sentence(capsys, command, complaint):
    status, out, err = run(capsys, command)
    assert (status, out) == (2, "")
    assert err.startswith("liarsolve values: ")
    assert complaint in err
    assert len(err.splitlines()) == 1

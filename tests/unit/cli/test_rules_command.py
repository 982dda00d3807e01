import argparse
import json

import pytest

from liarsolve.cli._rule_arguments import (
    add_rule_arguments,
    parse_dice,
    parse_history,
    rules_from,
)
from liarsolve.cli.main import main
from liarsolve.errors import InputError
from liarsolve.rules import (
    BIDDING_PRESETS,
    CHALLENGE,
    CUP_PRESETS,
    PRESETS,
    Bid,
    CupRules,
    RuleSet,
    cup_option_values,
    option_values,
    presets,
)


def run(capsys, *argv):
    status = main(["rules", *argv])
    return status, *capsys.readouterr()


def test_the_command_prints_the_rules_of_a_preset(capsys):
    status, out, err = run(capsys, "perudo")
    assert (status, err) == (0, "")
    assert out.startswith("The rules of perudo\n\n- Players roll their own dice in secret.")
    said = " ".join(out.split())
    assert "ones must be at least half its quantity, rounded up (PE.3b)" in said
    assert max(map(len, out.splitlines())) <= 80


def test_set_and_faces_change_the_rules(capsys):
    _, out, _ = run(capsys, "liars_dice", "--set", "wild=none", "--faces", "4")
    assert out.startswith("The rules of liars_dice, faces=4, wild=none\n")
    assert "The dice have faces 1 to 4" in out
    assert "No face is wild" in out


def test_dice_add_the_order_of_the_bids(capsys):
    _, out, _ = run(capsys, "perudo", "--faces", "3", "--dice", "2,1")
    assert out.endswith(
        "\nWith dice 2,1 there are 9 bids; from the lowest to the highest:\n"
        "  1x2 1x3 2x2 2x3 1x1 3x2 3x3 2x1 3x1\n"
    )


def test_json_is_one_object_that_rebuilds_the_rules(capsys):
    status, out, err = run(capsys, "snyd", "--faces", "2", "--dice", "1,1", "--json")
    report = json.loads(out)
    assert (status, err, out.count("\n")) == (0, "", 1)
    assert RuleSet.from_dict(report["rules"]) == presets.SNYD.replace(faces=2)
    assert report["rules"]["name"] == "snyd, faces=2"
    assert report["sentences"][1].startswith("Ones are wild")
    assert (report["dice"], report["bids"]) == ([1, 1], ["1x2", "2x2"])
    assert report["family"] == "bidding"


HEAD = {"schema", "command", "kind"}
FILLED = HEAD | {"family", "rules", "sentences"}
FIELDS = FILLED | {"dice", "bids", "claims", "options"}


@pytest.mark.parametrize("preset", ["snyd", "mia"])
def test_what_json_does_not_hold_is_null(capsys, preset):
    _, out, _ = run(capsys, preset, "--json")
    report = json.loads(out)
    assert set(report) == FIELDS
    assert [name for name in sorted(report) if report[name] is None] == sorted(FIELDS - FILLED)


def test_a_cup_game_in_plain_words(capsys):
    status, out, err = run(capsys, "classic", "--set", "lives=5")
    assert (status, err) == (0, "")
    assert out.startswith("The rules of classic, lives=5\n\n- Five dice with faces 9, 10, J,")
    assert "who start with five lives each" in out
    assert "CL?n is a point on which players differ" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80


def test_the_claims_of_a_cup_game_from_the_lowest_to_the_highest(capsys):
    _, out, _ = run(capsys, "mia", "--claims")
    assert out.endswith(
        "\nThere are 21 claims; from the lowest to the highest:\n"
        "  31 32 41 42 43 51 52 53 54 61 62 63 64 65 11 22 33 44 55 66 21\n"
    )
    _, out, _ = run(capsys, "box", "--set", "claim_detail=category", "--claims")
    assert "  AQJT9, AKJT9, AKQT9, AKQJ9, a pair, two pairs, three of a kind," in out


def test_json_of_a_cup_game_rebuilds_its_rules(capsys):
    _, out, _ = run(capsys, "liar_die", "--faces", "3", "--claims", "--json")
    report = json.loads(out)
    assert CupRules.from_dict(report["rules"]) == presets.LIAR_DIE.replace(faces=3)
    assert report["rules"]["name"] == "liar_die, equipment=dice(1,3)"
    assert report["claims"] == ["1", "2", "3"]
    assert report["family"] == "cup"
    assert set(report) == FIELDS


def test_commands_for_bidding_refuse_a_cup_game():
    with pytest.raises(InputError, match=r"^mia is a cup game; this command takes the rules of "):
        parsed("--rules", "mia")


def test_without_a_name_presets_and_options_are_listed(capsys):
    status, out, _ = run(capsys)
    assert status == 0
    assert "\n  dudo           ones wild; quantity, then face; n ones just below 2n twos\n" in out
    assert out.endswith("\nliarsolve rules --options explains them.\n")
    assert "\n  mia            cup, 2 dice; whole hands claimed; all thrown each time;" in out
    assert "\n  open_ones          yes, no\n" in out
    names = [line[2:].split(" ")[0] for line in out.splitlines() if line.startswith("  ")]
    listed = {name for name in names if name}
    assert listed == set(PRESETS) | set(option_values()) | set(cup_option_values())


def test_the_list_as_json(capsys):
    _, out, _ = run(capsys, "--json")
    report = json.loads(out)
    assert set(report) == HEAD | {"presets", "options", "cup_presets", "cup_options"}
    for key, values in (("options", option_values()), ("cup_options", cup_option_values())):
        assert {entry["option"]: entry["values"] for entry in report[key]} == values
    assert json.loads(run(capsys, "--options", "--json")[1]) == report
    bidding = {rules["name"]: RuleSet.from_dict(rules) for rules in report["presets"]}
    assert bidding == BIDDING_PRESETS
    cups = {rules["name"]: CupRules.from_dict(rules) for rules in report["cup_presets"]}
    assert cups == CUP_PRESETS


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["perudo", "--set", "wild"], "--set takes OPTION=VALUE, such as wild=none, got 'wild'"),
        (["perudo", "--set", "wild=x"], "wild=x is not allowed; allowed: none, ones, top_face"),
        (["perudo", "--faces", "one"], "a die has a whole number of faces, at least 2, got "
            "'one'"),
        (["mia", "--faces", ""], "a die has a whole number of faces, at least 2, got ''"),
        (["perudo", "--dice", "2;1"], "dice are written as the number of each player, such as "
            "2,1, got '2;1'"),
        (["perudo", "--dice", "2,,1"], "dice are written as the number of each player, such as "
            "2,1, got '2,,1'"),
        (["perudo", "--dice", "1000000,1000000"], "with --dice 1000000,1000000 and 6 faces there "
            "are up to 12,000,000 bids, and 10,000 at most are listed; name fewer dice"),
        (["perudo", "--dice", "9" * 30 + ",1"], "dice are written as the number of each player, "
            f"such as 2,1, got '{'9' * 30},1'"),
        (["common", "--faces", "99999999999"], "faces must be a whole number of at most 1000000, "
            "got 99999999999"),
        (["mia", "--faces", "99999999999"], "equipment=dice(2,99999999999) is not "
            "allowed: 2 dice of 99999999999 faces make more than 50,000 "
            "different hands; take fewer dice or faces"),
        (["classic", "--set", "equipment=dice(60,60)"], "equipment=dice(60,60) is not "
            "allowed: 60 dice of 60 faces make more than "
            "50,000 different hands; take fewer dice or faces"),
        (["classic", "--set", "dislodge_prob=1e999999999"], "dislodge_prob=1e999999999 is not "
            "allowed; allowed: a chance from 0 to 1, such as 1/20"),
        (["perudo", "--faces", "9" * 100], f"faces={'9' * 57}... is not allowed; allowed: a whole "
            "number of at least 2"),
        (["common", "--set", "wild=none", "--set", "wild = ones"], "--set wild=none and --set "
            "wild = ones say two things; leave one of them out"),
        (["common", "--set", "faces=4", "--faces", "5"], "--faces 5 and --set faces=4 say two "
            "things; leave one of them out"),
        (["common", "--set", "=4"], "--set takes OPTION=VALUE, such as wild=none, got '=4'"),
        (["--dice", ""], "name the preset first, such as: liarsolve rules perudo --set "
            "wild=ones"),
        (["perudo", "--dice", "2"], "a round needs two players or more, as in --dice 2,1, got 2"),
        (["--faces", "3"], "name the preset first, such as: liarsolve rules perudo --set "
            "wild=ones"),
        (["--claims"], "name the preset first, such as: liarsolve rules perudo --set wild=ones"),
        (["perudo", "--claims"], "--claims is for cup games; perudo is a game of bidding, whose "
            "bids --dice lists"),
        (["classic", "--dice", "2,1"], "--dice is for bidding; classic is a cup game with one hand "
            "for all: change it by --set, such as --set 'equipment=dice(5,6)'"),
        (["classic", "--set", "look=maybe"], "look=maybe is not allowed; allowed: before_throw, "
            "never, optional"),
    ],
)  # fmt: skip
def test_bad_input_ends_with_one_sentence_and_status_2(capsys, argv, message):
    status, out, err = run(capsys, *argv)
    assert (status, out, err) == (2, "", f"liarsolve rules: {message}\n")


def parsed(*argv):
    parser = argparse.ArgumentParser()
    add_rule_arguments(parser)
    for name in ("--exact-payoff", "--dice"):
        parser.add_argument(name)
    parser.add_argument("--palifico", action="store_true")
    return rules_from(parser.parse_args(argv))


def test_other_commands_name_their_rules():
    assert parsed() == presets.LIARS_DICE
    rules = parsed("--rules", "common", "--set", "wild=ones", "--set", "ones_slot=after_2n")
    assert rules == presets.COMMON.replace(wild="ones", ones_slot="after_2n")
    assert parsed("--faces", "3").faces == 3


def test_dice_are_read():
    assert parse_dice("5, 5,4") == (5, 5, 4)
    for text in ("", "2,", "1,,2", ",1", "2,-1", "two", "²,1"):
        with pytest.raises(InputError, match=r"^dice are written as the number of each player"):
            parse_dice(text)


def test_histories_are_read():
    assert parse_history("1x2, 1x5 liar") == (Bid(1, 2), Bid(1, 5), CHALLENGE)
    assert parse_history("1 x 2, two fives, dudo") == (Bid(1, 2), Bid(2, 5), CHALLENGE)
    assert parse_history("") == ()
    with pytest.raises(InputError, match=r"^an action is a bid such as 4x3, liar or exact, got "):
        parse_history("1x2,raise")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--rules", "common"), "there is no exact call by the rules of common, so --exact-payoff "
            "would do nothing; leave out --exact-payoff, or add --set exact_who=next"),
        (("--rules", "perudo", "--palifico"), "there is no exact call in a palifico round, so "
            "--exact-payoff would do nothing; leave out --exact-payoff"),
        (("--rules", "perudo", "--set", "exact_min_players=3", "--dice", "1,1"),
            "an exact call needs 3 players by the rules of perudo, exact_min_players=3, and there "
            "are 2, so --exact-payoff would do nothing; leave out --exact-payoff"),
    ],
)  # fmt: skip
def test_a_payoff_of_exact_calls_needs_an_exact_call(argv, message):
    with pytest.raises(InputError) as refused:
        parsed(*argv, "--exact-payoff", "2,1")
    assert str(refused.value) == message
    assert parsed("--rules", "perudo", "--exact-payoff", "2,1") == presets.PERUDO


def test_options_are_explained_one_by_one(capsys):
    status, out, err = run(capsys, "--options")
    assert (status, err) == (0, "")
    names = {line.strip() for line in out.splitlines() if line.startswith("  ") and line[2] != " "}
    assert names == set(option_values()) | set(cup_option_values())
    assert (
        "\n  open_ones\n    Whether the first bid of a round may be on ones (PE.2, LD?2).\n"
        "    Values: yes, no.\n    Default: yes.\n" in out
    )


def test_options_of_a_preset_show_its_values(capsys):
    _, out, _ = run(capsys, "perudo", "--options", "--set", "faces=8")
    assert "\n    Default: yes; here: no.\n" in out
    assert "\n    Default: 6; here: 8.\n" in out
    report = json.loads(run(capsys, "mia", "--options", "--json")[1])
    by_name = {entry["option"]: entry for entry in report["options"]}
    assert set(by_name) == set(cup_option_values())
    assert by_name["look"]["value"] == "never"
    assert by_name["look"]["default"] == "before_throw"
    for entry in by_name.values():
        assert set(entry) == {
            *("option", "family", "values", "default", "value", "meaning", "clauses"),
        }
        assert entry["family"] == "cup"


def test_many_faces_are_not_all_listed(capsys):
    _, out, _ = run(capsys, "common", "--faces", "1000000")
    assert "Faces rank 1, 2, ..., 999998, 999999, 1000000." in " ".join(out.split())


PAGES = [
    (),
    ("--options",),
    ("perudo",),
    ("perudo", "--dice", "2,2", "--options"),
    ("liars_dice", "--set", "palifico_face=ex_palifico_may_change"),
    ("classic", "--options"),
    ("box", "--claims"),
    ("doubtful_dice",),
    ("mia", "--claims"),
]


@pytest.mark.parametrize("argv", PAGES, ids=" ".join)
def test_every_page_fits_from_40_columns_on(capsys, monkeypatch, argv):
    monkeypatch.setenv("COLUMNS", "100")
    words = run(capsys, *argv)[1].split()
    for width in range(40, 101):
        monkeypatch.setenv("COLUMNS", str(width))
        out = run(capsys, *argv)[1]
        assert max(map(len, out.splitlines())) <= width
        assert out.split() == words  # so no word is broken

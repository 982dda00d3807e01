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
    assert out.startswith("The rules of perudo\n\n- Every player rolls his own dice in secret;")
    assert "ones must be at least half its quantity, rounded up (PE.3b)" in out
    assert max(map(len, out.splitlines())) <= 90


def test_set_and_faces_change_the_rules(capsys):
    _, out, _ = run(capsys, "liars_dice", "--set", "wild=none", "--faces", "4")
    assert out.startswith("The rules of liars_dice, faces=4, wild=none\n")
    assert "they have faces 1 to 4" in out
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
    assert RuleSet.from_dict(report["options"]) == presets.SNYD.replace(faces=2)
    assert report["name"] == "snyd, faces=2"
    assert report["rules"][1].startswith("Ones are wild")
    assert (report["dice"], report["bids"]) == ([1, 1], ["1x2", "2x2"])


def test_without_dice_json_has_no_bids(capsys):
    _, out, _ = run(capsys, "snyd", "--json")
    assert set(json.loads(out)) == {"name", "options", "rules"}


def test_a_cup_game_in_plain_words(capsys):
    status, out, err = run(capsys, "classic", "--set", "lives=5")
    assert (status, err) == (0, "")
    assert out.startswith("The rules of classic, lives=5\n\n- Five dice with faces 9, 10, J,")
    assert "who start with five lives each" in out
    assert "CL?n is a point on which players differ" in out
    assert max(map(len, out.splitlines())) <= 90


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
    assert CupRules.from_dict(report["options"]) == presets.LIAR_DIE.replace(faces=3)
    assert (report["name"], report["claims"]) == ("liar_die, equipment=dice(1,3)", ["1", "2", "3"])
    assert set(report) == {"name", "options", "rules", "claims"}


def test_commands_for_bidding_refuse_a_cup_game():
    with pytest.raises(InputError, match=r"^mia is a cup game; this command takes the rules of "):
        parsed("--rules", "mia")


def test_without_a_name_presets_and_options_are_listed(capsys):
    status, out, _ = run(capsys)
    assert status == 0
    assert "\n  dudo           ones wild; quantity, then face; n ones just below 2n twos\n" in out
    assert "\n  mia            cup, 2 dice; whole hands claimed; all thrown each time;" in out
    assert "\n  open_ones          yes, no\n" in out
    listed = {line.split()[0] for line in out.splitlines() if line.startswith("  ")}
    assert listed == set(PRESETS) | set(option_values()) | set(cup_option_values())


def test_the_list_as_json(capsys):
    _, out, _ = run(capsys, "--json")
    report = json.loads(out)
    assert report["options"] == option_values()
    assert report["cup_options"] == cup_option_values()
    assert {name: RuleSet.from_dict(d) for name, d in report["presets"].items()} == BIDDING_PRESETS
    cups = report["cup_presets"]
    assert {name: CupRules.from_dict(d) for name, d in cups.items()} == CUP_PRESETS


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["perudo", "--set", "wild"], "--set takes OPTION=VALUE, such as wild=none, got 'wild'"),
        (["perudo", "--set", "wild=x"], "wild=x is not allowed; allowed: none, ones, top_face"),
        (["perudo", "--faces", "one"], "faces=one is not allowed; allowed: a whole number of at "
            "least 2"),
        (["perudo", "--dice", "2;1"], "dice are written as the number of each player, such as "
            "2,1, got '2;1'"),
        (["perudo", "--dice", "2"], "a round needs two players or more, got dice=(2,)"),
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
    return rules_from(parser.parse_args(argv))


def test_other_commands_name_their_rules():
    assert parsed() == presets.LIARS_DICE
    rules = parsed("--rules", "common", "--set", "wild=ones", "--set", "ones_slot=after_2n")
    assert rules == presets.COMMON.replace(wild="ones", ones_slot="after_2n")
    assert parsed("--faces", "3").faces == 3


def test_dice_are_read():
    assert parse_dice("5, 5,4") == (5, 5, 4)
    for text in ("", "2,", "2,-1", "two", "²,1"):
        with pytest.raises(InputError, match=r"^dice are written as the number of each player"):
            parse_dice(text)


def test_histories_are_read():
    assert parse_history("1x2, 1x5 liar") == (Bid(1, 2), Bid(1, 5), CHALLENGE)
    assert parse_history("") == ()
    with pytest.raises(InputError, match=r"^an action is a bid such as 4x3, liar or exact, got "):
        parse_history("1x2,raise")

"""``liarsolve odds`` about bids: by which rules, after which bids, on which page."""

import json
from itertools import product

import pytest

from liarsolve import Honest, Posterior, Threshold, Uninformative, p_at_least, presets
from liarsolve.cli.main import main
from liarsolve.dice import count_matches
from liarsolve.rules import RuleSet

TABLE = "--bid 9x6 --total 25"
BID_FIELDS = {
    *("schema", "command", "kind"),
    *("rules", "palifico", "sides", "wild", "hand", "total", "dice", "seat", "history", "believe"),
    *("bid", "quantity", "face", "own", "needed", "unseen", "illegal_reason"),
    *("p_at_least", "p_exactly", "p_fewer", "dice_alone", "largest_even_quantity", "ladder"),
}
RUNG_FIELDS = {
    *("bid", "quantity", "face", "own", "p_at_least", "p_exactly", "p_fewer", "may_follow"),
}
TABLE_FIELDS = {
    *("schema", "command", "kind"),
    *("rules", "palifico", "sides", "wild", "hand", "total", "dice", "seat", "rows"),
}


def run(capsys, *argv):
    status = main(["odds", *argv])
    return status, *capsys.readouterr()


def run_json(capsys, command, *more):
    status, out, err = run(capsys, *command.split(), *more, "--json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    return json.loads(out)


def ladder(report):
    return [rung["bid"] for rung in report["ladder"]]


def test_set_changes_the_odds(capsys):
    report = run_json(capsys, f"{TABLE} --set wild=none")
    assert report["p_at_least"] == p_at_least(9, 6, total=25, wild=None)
    assert RuleSet.from_dict(report["rules"]) == presets.LIARS_DICE.replace(wild="none")
    _, out, _ = run(capsys, *TABLE.split(), "--set", "wild=none")
    assert ["true,", "9", "or", "more", "1.6", "%"] in [line.split() for line in out.splitlines()]
    _, out, _ = run(capsys, "--total", "5", "--set", "wild=none")
    assert "no face wild" in " ".join(out.split())


def test_rules_are_the_default_unless_others_are_named(capsys):
    assert RuleSet.from_dict(run_json(capsys, TABLE)["rules"]) == presets.LIARS_DICE
    for name in ("perudo", "common", "openspiel", "snyd", "dudo"):
        report = run_json(capsys, f"--bid 4x5 --total 9 --rules {name} --faces 5")
        rules = presets.BIDDING_PRESETS[name].replace(faces=5)
        wild = {"none": None, "ones": 1, "top_face": 5}[rules.wild.value]
        assert RuleSet.from_dict(report["rules"]) == rules
        assert (report["wild"], report["sides"]) == (wild, 5)
        assert report["p_at_least"] == p_at_least(4, 5, total=9, wild=wild, sides=5)


@pytest.mark.parametrize(
    ("command", "bids"),
    [
        (f"{TABLE} --rules perudo", "8x6 9x2 9x3 9x4 9x5 9x6 10x6 5x1 11x6"),
        ("--bid 8x3 --total 25 --rules perudo", "7x3 8x2 8x3 8x4 8x5 8x6 4x1 9x3 10x3"),
        ("--bid 5x1 --total 25 --rules perudo", "4x1 5x1 11x2 11x3 11x4 11x5 11x6 6x1 7x1"),
        ("--bid 5x1 --total 25 --rules dudo", "4x1 5x1 10x2 10x3 10x4 10x5 10x6 6x1 7x1"),
        (f"{TABLE} --rules dudo", "8x6 9x2 9x3 9x4 9x5 9x6 5x1 10x6 11x6"),
        (f"{TABLE} --rules snyd", "8x6 9x2 9x3 9x4 9x5 9x6 10x6 11x6"),
        ("--bid 3x2 --total 9 --set ones_slot=face_high", "2x2 3x2 3x3 3x4 3x5 3x6 3x1 4x2 5x2"),
        (f"{TABLE} --rules perudo --palifico", "8x6 9x1 9x2 9x3 9x4 9x5 9x6 10x6 11x6"),
        ("--bid 3x2 --total 9 --rules common --faces 3 --set raise_rule=reset_quantity",
            "3x1 2x2 3x2 4x2 5x2 3x3"),
        ("--bid 2x3 --unseen 5 --own 1 --rules perudo", "1x3 2x3 3x3 4x3"),
    ],
)  # fmt: skip
def test_the_bids_around_are_those_of_the_rules_in_their_order(capsys, command, bids):
    assert ladder(run_json(capsys, command)) == bids.split()


def test_what_may_follow_is_said(capsys):
    report = run_json(capsys, f"{TABLE} --rules perudo")
    follow = {rung["bid"] for rung in report["ladder"] if rung["may_follow"]}
    assert follow == {"10x6", "5x1", "11x6"}
    by_bid = {rung["bid"]: rung for rung in report["ladder"]}
    assert by_bid["5x1"]["p_at_least"] == p_at_least(5, 1, total=25)


def test_ones_that_are_bid_are_wild_no_more(capsys):
    by_rules = {
        rules: {
            rung["bid"]: rung["p_at_least"]
            for rung in run_json(capsys, f"--bid 3x1 --total 10 {rules}")["ladder"]
        }
        for rules in ("", "--set wild_until=never_locked", "--set wild_until=opening_ones")
    }
    assert by_rules[""]["3x2"] == p_at_least(3, 2, total=10, wild=None)
    for rules in ("--set wild_until=never_locked", "--set wild_until=opening_ones"):
        assert by_rules[rules]["3x2"] == p_at_least(3, 2, total=10)
    opened = run_json(capsys, "--bid 3x1 --dice 5,5 --set wild_until=opening_ones", "--history", "")
    assert {r["bid"]: r["p_at_least"] for r in opened["ladder"]}["3x2"] == by_rules[""]["3x2"]
    later = run_json(
        capsys, "--dice 5,5 --history 1x2,3x1,3x4 --believe uninformative --rules liars_dice"
    )
    assert later["wild"] is None
    assert later["p_at_least"] == pytest.approx(p_at_least(3, 4, total=10, wild=None), rel=1e-12)


def test_text_says_until_when_ones_are_wild(capsys):
    said = "As soon as anybody bids ones, they are wild no more: ask with --set wild=none then."
    for argv in (("--bid", "3x2"), ()):
        _, out, _ = run(capsys, "--total", "5", "--rules", "liars_dice", *argv)
        assert said in " ".join(out.split())
        _, out, _ = run(capsys, "--total", "5", "--rules", "perudo", *argv)
        assert "wild no more" not in out


def test_a_table_has_the_faces_that_may_be_bid(capsys):
    report = run_json(capsys, "--total 4 --hand 1,3 --rules snyd")
    assert sorted(face for row in report["rows"] for face in row["faces"]) == [2, 3, 4, 5, 6]
    assert set(report) == TABLE_FIELDS
    assert run_json(capsys, "--unseen 4")["total"] == 4
    assert run_json(capsys, "--dice 2,2 --hand 1,3 --rules snyd")["rows"] == report["rows"]


def test_a_wild_face_of_ones_own(capsys):
    report = run_json(capsys, "--bid 4x3 --unseen 10 --wild 2")
    assert (report["rules"], report["wild"]) == (None, 2)
    assert report["p_at_least"] == p_at_least(4, 3, 10, wild=2)
    for face, wild in (("none", "none"), ("1", "ones"), ("6", "top_face")):
        report = run_json(capsys, f"--bid 4x3 --unseen 10 --wild {face}")
        assert RuleSet.from_dict(report["rules"]) == presets.COMMON.replace(wild=wild)


def test_a_bid_beyond_the_dice_is_false_and_not_allowed(capsys):
    report = run_json(capsys, "--bid 9x2 --total 5")
    assert report["p_at_least"] == 0
    assert report["illegal_reason"] == ("bid refused: PE?7 there are 5 dice on the table, got 9x2")
    _, out, _ = run(capsys, "--bid", "9x2", "--total", "5")
    assert "The rules do not allow this bid: PE?7 there are 5 dice on the table, got 9x2." in (
        " ".join(out.split())
    )
    assert run_json(capsys, "--bid 9x2 --total 5 --set cap_bids=no")["illegal_reason"] is None


MODELS = {
    "uninformative": Uninformative(),
    "honest": Honest(0.5),
    "honest:0.3": Honest(0.3),
    "threshold": Threshold(1, 0.3),
    "threshold:2,0.1": Threshold(2, 0.1),
    None: Threshold(1, 0.3),
}


@pytest.mark.parametrize("believe", MODELS)
def test_beliefs_are_those_of_the_library(capsys, believe):
    command = "--dice 3,3,2 --history 2x3,3x3 --hand 3,4 --rules perudo"
    report = run_json(capsys, command + (f" --believe {believe}" if believe else ""))
    model = MODELS[believe]
    belief = Posterior((3, 3), hand=(3, 4)).after_bid(0, 2, 3, model).after_bid(1, 3, 3, model)
    assert report["p_at_least"] == belief.p_at_least(3, 3)
    assert report["p_exactly"] == belief.p_exactly(3, 3)
    assert report["p_fewer"] == belief.p_fewer(3, 3)
    assert report["dice_alone"]["p_at_least"] == p_at_least(3, 3, total=8, hand=(3, 4))
    for rung in report["ladder"]:
        assert rung["p_at_least"] == belief.p_at_least(rung["quantity"], rung["face"])
    assert (report["bid"], report["seat"], report["dice"]) == ("3x3", 3, [3, 3, 2])
    assert report["history"] == ["2x3", "3x3"]
    assert report["believe"]["model"] == (believe or "threshold").partition(":")[0]


def test_beliefs_count_what_was_wild_when_a_bid_was_made(capsys):
    """One die each: 1x3 was made when ones were wild, and 1x1 has ended that."""
    report = run_json(capsys, "--dice 1,1,1 --history 1x3,2x1,2x3 --believe threshold:1,0.25")
    weights = {True: 0.0, False: 0.0}
    for hands in product(range(1, 7), repeat=3):
        weight = 1.0
        for (face, wild), die in zip(((3, 1), (1, None), (3, None)), hands, strict=True):
            weight *= 1 if count_matches((die,), face, wild) else 0.25
        weights[count_matches(hands, 3) >= 2] += weight
    assert report["p_at_least"] == pytest.approx(weights[True] / sum(weights.values()), rel=1e-12)
    assert report["seat"] is None
    assert report["unseen"] == 3


def test_own_bids_say_nothing_new(capsys):
    one = run_json(capsys, "--dice 2,2 --history 1x3,2x3 --hand 3,4 --seat 2")
    belief = Posterior((2,), hand=(3, 4)).after_bid(0, 1, 3, Threshold(1, 0.3))
    assert one["p_at_least"] == belief.p_at_least(2, 3)


def test_a_raise_of_ones_own_after_the_history(capsys):
    report = run_json(capsys, "--dice 2,2 --history 1x3 --hand 4,4 --bid 3x4")
    belief = Posterior((2,), hand=(4, 4)).after_bid(0, 1, 3, Threshold(1, 0.3))
    assert report["p_at_least"] == belief.p_at_least(3, 4)
    assert report["illegal_reason"] is None


def test_text_after_bids(capsys):
    _, out, err = run(capsys, "--dice", "5,5", "--history", "two 3s, 4-3", "--hand", "1,2,3,5,6")
    said = " ".join(out.split())
    assert err == ""
    assert said.startswith(
        "Bids so far: 2x3 (seat 1), 4x3 (seat 2). You sit at seat 1. Four threes: you hold 2 (one "
        "three and a wild one), so at least 2 of the 5 hidden dice must match. Bids are read as "
        "threshold:1,0.3: a hand with one die or more that match bids so, and any other hand 0.3 "
        "times as often."
    )
    words = [line.split() for line in out.splitlines()]
    assert ["true,", "4", "or", "more", "59.4", "%", "53.9", "%"] in words
    _, out, _ = run(capsys, "--dice", "5,5", "--history", "2x3", "--believe", "honest")
    assert "Two threes: all dice are hidden, so at least 2 of the 10 hidden dice must match." in (
        " ".join(out.split())
    )


def test_json_of_a_bid_always_has_the_same_fields(capsys):
    for command in (
        TABLE,
        "--bid 4x1 --unseen 10 --own 2",
        "--bid 4x3 --unseen 3 --wild 2",
        "--dice 2,2 --history 1x3,2x3 --hand 3,4",
        "--dice 2,2 --history 1x3 --bid 2x3",
    ):
        report = run_json(capsys, command)
        assert set(report) == BID_FIELDS
        for rung in report["ladder"]:
            assert set(rung) == RUNG_FIELDS


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (f"{TABLE} --set nonsense=1", "there is no rule option 'nonsense'; the options are faces"),
        (f"{TABLE} --set truth=contains", "there is no rule option 'truth'; the options are"),
        (f"{TABLE} --set wild=none --set wild=ones", "--set wild=none and --set wild=ones say two"),
        (f"{TABLE} --faces 6 --set faces=7", "--faces 6 and --set faces=7 say two things"),
        (f"{TABLE} --rules box", "--bid belongs to bids on the dice of all players, not to a hand"),
        (f"{TABLE} --throws 1", "--bid is about bidding and --throws about a cup game; leave out"),
        ("--total 5 --keep QQ", "--total belongs to bids on the dice of all players"),
        (f"{TABLE} --wild 1 --rules perudo", "--rules is about rules, which say what is wild, and "
            "so does --wild 1; leave one out"),
        (f"{TABLE} --wild 1 --set faces=5", "--set is about rules, which say what is wild"),
        (f"{TABLE} --wild 1 --palifico", "--palifico goes by the rules, so it needs --rules in"),
        (f"{TABLE} --seat 1", "--seat needs the dice of each player, the first bidder's first"),
        (f"{TABLE} --history 1x2", "--history needs the dice of each player"),
        (f"{TABLE} --believe honest", "--believe says how to take the bids of the other players, "
            "and there are none in --history"),
        (f"{TABLE} --dice 5,5", "got --total and --dice"),
        ("--bid 3x1 --total 9 --rules snyd", "ones_slot=forbidden 3x1 is not a bid by the rules of "
            "snyd, where ones may not be bid"),
        ("--bid 3x6 --total 9 --rules openspiel --set ones_slot=forbidden",
            "ones_slot=forbidden 3x6 is not a bid by the rules of openspiel, ones_slot=forbidden"),
        ("--total 9 --rules common --palifico", "--palifico changes no odds by the rules of "
            "common, where no face is wild"),
        ("--dice 5,5 --bid 3x3 --hand 1,2,3", "nobody has 3 dice with --dice 5,5, got --hand 1,2"),
        ("--dice 5,5 --bid 3x3 --hand 1,1,1,1,1 --seat 1", "--seat says who made which bid, so it "
            "needs --history"),
        ("--dice 1,1 --history 1x3 --seat 2", "--seat says whose dice --hand shows, so it needs"),
        ("--dice 1,1 --history 1x3 --seat 3 --hand 2", "--seat is a number from 1 to 2 here, got "),
        ("--dice 2,1 --history 1x3 --hand 2,2", "seat 2 is on turn and has 1 die, got --hand 2,2; "
            "--seat says which seat is yours"),
        ("--dice 2,1 --history 1x3 --hand 2 --seat 1", "seat 1 has 2 dice, got --hand 2"),
        ("--dice 2,1 --history 1x3,,2x3", "a history has a bid or a call between any two commas"),
        ("--dice 2,1 --history 2x3,1x3", "action 2, 1x3: raise refused: LD.2 a raise needs more"),
        ("--dice 2,1 --history 2x3,liar", "the round is over after liar; a history ends with a "),
        ("--dice 2,1 --history 2x3 --bid 1x3", "--bid 1x3 after --history: raise refused: LD.2"),
        ("--dice 2,1 --history 3x3 --bid 4x3", "--bid 4x3 after --history: raise refused: PE?7"),
        ("--dice 2,2 --history 4x3 --believe honest", "no hand of seat 1 goes with the bid 4x3 "
            "under --believe honest:0.5; take one that allows for bluffs"),
        ("--dice 2,2 --history 1x3 --believe kind", "--believe is honest, threshold or "
            "uninformative, perhaps with numbers as in honest:0.5 (a chance) or threshold:1,0.3 "
            "(dice, and a chance), got 'kind'"),
        ("--dice 2,2 --history 1x3 --believe honest:2", "got 'honest:2'"),
        ("--dice 2,2 --history 1x3 --believe honest:nan", "got 'honest:nan'"),
        ("--dice 2,2 --history 1x3 --believe threshold:-1", "got 'threshold:-1'"),
        ("--dice 2,2 --history 1x3 --believe uninformative:1", "got 'uninformative:1'"),
        ("--dice 2,,2 --bid 1x3", "dice are written as the number of each player, such as 2,1"),
        (f"{TABLE} --hand 1,,2", "a hand has a face between any two commas, got '1,,2'"),
        ("--bid 6x1x2 --total 9", "a bid is written QxF, such as 4x3 for four threes, got '6x1x2'"),
        ("--total 1000000000", "the table of all bids with 1,000,000,000 dice has as many lines, "
            "and 10,000 at most are printed; give one bid, such as --bid 3x6"),
        ("--bid 1x6 --total 9999999999999", "--total is a number of dice from 0 to 10**12, got"),
        ("--bid 1x6 --total 9 --sides 99999999999", "faces must be a whole number of at most"),
        ("--claim QQ --wild none", "--wild belongs to bids on the dice of all players"),
    ],
)  # fmt: skip
def test_what_does_nothing_or_makes_no_sense_is_refused(capsys, argv, sentence):
    status, out, err = run(capsys, *argv.split())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("liarsolve odds: ")
    assert sentence in err


def test_an_empty_hand_is_no_hand(capsys):
    status, out, err = run(capsys, *TABLE.split(), "--hand", "")
    assert (status, out) == (2, "")
    assert err == (
        "liarsolve odds: --hand is empty; give the dice that you hold, such as 3,3,1, or leave it "
        "out\n"
    )


def test_two_numbers_that_could_be_two_bids_get_a_sentence(capsys):
    status, _, err = run(capsys, "--total", "9", "--bid", "six one")
    assert status == 2
    assert "write 6x1 for six ones and 1x6 for one six" in err
    assert run_json(capsys, "--total 9 --bid", "nine sixes")["bid"] == "9x6"


def test_a_history_of_too_large_a_round_is_refused(capsys):
    for dice in ("1000000,1000000", "5000,5000"):
        status, out, err = run(capsys, "--dice", dice, "--history", "1x2")
        assert (status, out, err.count("\n")) == (1, "", 1)
    assert "a belief ranges over all hands, at most 1000000, and 5000 dice" in err


def test_sides_are_faces_of_a_cup_game_too(capsys):
    report = run_json(capsys, "--claim 8 --rules liar_die --sides 8")
    assert report["exact"] == "1/8"


PAGES = [
    TABLE,
    f"{TABLE} --hand 6,6,1,2,3 --rules liars_dice",
    "--bid 10000000000x6 --unseen 3 --own 9999999999",
    "--total 9 --hand 1,2,3,4,4,5,6 --rules liars_dice",
    "--total 30 --hand 1,1,1,2,2,3,3,3,3,4,5,5,5,5,5,7,7,7,7,7,7 --sides 20",
    "--dice 5,5 --history 2x3,4x3 --hand 1,2,3,5,6",
    "--bid 9x2 --total 5",
    "--hand QQQ99 --beat --rules box",
    "--hand QQQ99 --thrown 2",
    "--claim QQQ99 --hand QQQ99 --thrown 2",
]


@pytest.mark.parametrize("command", PAGES)
def test_every_page_fits_from_40_columns_on(capsys, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "100")
    words = set(run(capsys, *command.split())[1].split())
    for width in range(40, 101, 3):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = run(capsys, *command.split())[1].splitlines()
        assert max(map(len, lines)) <= width
        assert not any(line.strip() in ("%", "%.", "%,") for line in lines)
        plain = {word for line in lines for word in line.split() if not set(word) <= set("─-")}
        assert plain <= words | {"own", "in", "per", "cent", "it,", "false"}

import json
from fractions import Fraction

import pytest

from liarsolve import hand_distribution, keep_options, p_claim, passed_distribution, presets
from liarsolve.cli.main import main

BOX = presets.BOX.claims


def run(capsys, *arguments):
    status = main(["odds", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def run_json(capsys, *arguments):
    status, out, err = run(capsys, *arguments, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


def test_json_of_a_claim_with_kept_dice(capsys):
    report = run_json(capsys, "--hand", "JJQ9T", "--keep", "JJ", "--claim", "two pairs")
    assert report["exact"] == "13/18"
    assert report["p"] == p_claim("two pairs", BOX, kept="JJ")
    named = {
        key: report[key] for key in ("rules", "truth", "aim", "hand", "keep", "thrown", "throws")
    }
    assert named == {
        "rules": presets.CLASSIC.to_dict(),
        "truth": "at_least",
        "aim": "two pairs",
        "hand": "JJQT9",
        "keep": "JJ",
        "thrown": None,
        "throws": 1,
    }
    expected = keep_options("JJQ9T", presets.CLASSIC.claims, "two pairs", exact=True)
    assert [(option["thrown"], option["exact"]) for option in report["options"]] == [
        (option.n_thrown, str(option.prob)) for option in expected
    ]


def test_text_of_a_claim_with_kept_dice(capsys):
    status, out, err = run(capsys, "--hand", "JJQ9T", "--keep", "JJ", "--claim", "two pairs")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == ("Two pairs or better, classic rules, JJ kept and 3 thrown: 72.2 % (13/18).")
    words = [line.split() for line in lines]
    assert ["keep", "thrown", "chance", "%"] in words
    assert ["JJ", "3", "72.2"] in words
    assert ["JJQ", "2", "66.7"] in words
    assert lines[-1] == "The best 10 of 24 choices; --json gives all."


def test_kept_dice_are_shown_even_if_they_are_a_bad_choice(capsys):
    out = run(capsys, "--hand", "JJQ9T", "--keep", "Q9", "--claim", "two pairs")[1]
    assert ["Q9", "3"] in [line.split()[:2] for line in out.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("--claim", "QQQ99"),
            "Full house, queens on nines or better, classic rules, 5 dice thrown: 7.0 % (91/1296).",
        ),
        (
            ("--claim", "AAAAA", "--throws", "5"),
            "Five aces or better, classic rules, 5 dice thrown, in up to 5 throws: 7.7 %.",
        ),
        (
            ("--claim", "AAAA", "--keep", "AA", "--rules", "liar_cards"),
            "Four aces or better, liar_cards rules, AA kept and 3 drawn: 1.3 % (1/77).",
        ),
        (
            ("--hand", "QQQ99", "--beat", "--rules", "box"),
            "Beat QQQ99, box rules, QQQ kept and 2 thrown: 41.7 % (5/12).",
        ),
        (
            ("--claim", "fours full", "--rules", "doubtful_dice"),
            "Full house, fours or better, doubtful_dice rules, 5 dice thrown: 3.9 % (17/432).",
        ),
        (
            ("--claim", "54", "--rules", "mia"),
            "A five with a four or better, mia rules, 2 dice thrown: 55.6 % (5/9).",
        ),
        (
            ("--claim", "QQ", "--rules", "box", "--set", "truth=contains"),
            "Pair of queens, box, truth=contains rules, 5 dice thrown: 19.6 % (763/3888).",
        ),
        (
            ("--claim", "QQ", "--rules", "box", "--set", "truth=matches"),
            "Pair of queens, no better, box, truth=matches rules, 5 dice thrown: 7.7 % (25/324).",
        ),
        (
            ("--claim", "QQQ99", "--hand", "QQQ99"),
            "Full house, queens on nines or better, classic rules, all dice kept: 100 %.",
        ),
        (
            ("--claim", "QQQ99", "--hand", "QQQ99", "--thrown", "5"),
            "Full house, queens on nines or better, classic rules, all dice thrown: 7.0 %",
        ),
        (
            ("--claim", "QQQ99", "--hand", "QQQ99", "--thrown", "2"),
            "If it is not known which 2 were thrown: 11.1 % (1/9).",
        ),
        (
            ("--hand", "QQQ99", "--beat", "--thrown", "2"),
            "If it is not known which 2 were thrown: ",
        ),
    ],
)
def test_sentence_fits_the_case(capsys, arguments, sentence):
    status, out, err = run(capsys, *arguments)
    assert (status, err) == (0, "")
    assert sentence in out.replace("\n", " ")


def test_dd_8_no_choice_is_shown_that_the_rules_forbid(capsys):
    report = run_json(capsys, "--hand", "33322", "--beat", "--rules", "doubtful_dice")
    assert {option["thrown"] for option in report["options"]} == {1, 2, 3, 4, 5}
    report = run_json(capsys, "--hand", "54", "--beat", "--rules", "mia")
    assert [option["keep"] for option in report["options"]] == [""]


def test_unknown_dice_reach_the_report(capsys):
    report = run_json(capsys, "--claim", "QQQ99", "--hand", "QQQ99", "--thrown", "2")
    assert report["unknown_which"] == {"p": 1 / 9, "exact": "1/9"}
    assert {option["thrown"] for option in report["options"]} == {2}
    beaten = run_json(capsys, "--beat", "--hand", "QQQ99", "--thrown", "2", "--rules", "box")
    law = passed_distribution(BOX, "QQQ99", 2, exact=True)
    assert beaten["unknown_which"]["exact"] == str(law.p_higher("QQQ99"))
    for arguments in (("--keep", "QQQ"), ("--hand", "QQQ99", "--thrown", "2", "--throws", "2")):
        assert run_json(capsys, "--claim", "QQQ99", *arguments)["unknown_which"] is None


def test_several_throws(capsys):
    report = run_json(capsys, "--claim", "two pairs", "--hand", "JJQ9T", "--throws", "2")
    best = keep_options("JJQ9T", presets.CLASSIC.claims, "two pairs", throws=2)
    assert [option["p"] for option in report["options"]] == [option.prob for option in best]
    assert report["exact"] is None


def test_law_of_what_comes_out(capsys):
    report = run_json(capsys, "--keep", "AA", "--rules", "liar_cards")
    law = hand_distribution(presets.LIAR_CARDS.claims, "AA", exact=True)
    exact = {row["category"]: Fraction(row["exact"]) for row in report["categories"]}
    assert exact == {category.value: chance for category, chance in law.categories().items()}
    hands = {row["hand"]: Fraction(row["exact"]) for row in report["hands"]}
    assert sum(hands.values()) == 1
    assert hands["AAAAK"] == Fraction(1, 385)
    assert all(row["p"] == float(hands[row["hand"]]) for row in report["hands"])
    status, out, err = run(capsys, "--hand", "QQQ99", "--thrown", "2")
    assert (status, err) == (0, "")
    words = [line.split() for line in out.splitlines()]
    assert "2 thrown of QQQ99, unknown which:" in out
    assert ["full", "house", "8.9", "14.4"] in words
    assert ["pair", "30.0", "100"] in words
    five = run_json(capsys, "--rules", "box")["categories"][-1]
    assert (five["category"], five["exact"]) == ("five", "1/1296")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("--bid", "3x3", "--claim", "QQ"),
            "--bid is about bidding and --claim about a cup game; leave out one",
        ),
        *(
            (
                ("--claim", "QQ", *arguments),
                f"{arguments[0]} belongs to bids on the dice of all players, not to a hand under",
            )
            for arguments in (
                *(("--total", "5"), ("--unseen", "5"), ("--dice", "5,5"), ("--own", "1")),
                *(("--wild", "none"), ("--palifico",), ("--history", "1x2"), ("--seat", "1")),
                ("--believe", "honest"),
            )
        ),
        (("--keep", "", "--thrown", "2"), "of 5 dice, 5 are thrown when no dice stay, got"),
        (
            ("--claim", "QQ", "--rules", "perudo"),
            "need one of the rules classic, box, army_mess, liar_cards, doubtful_dice, mia, "
            "liar_die, got 'perudo'",
        ),
        (("--claim", "QQ", "--rules", "boxx"), "there is no preset 'boxx'; did you mean box?"),
        (
            ("--claim", "QQ", "--rules", "box", "--set", "dislodge_prob=1/10"),
            "these odds are those of throws that knock no die over, got dislodge_prob=1/10",
        ),
        (
            ("--beat",),
            "--beat is about beating --hand, so it needs a hand and goes without --claim",
        ),
        (("--claim", "QQ", "--thrown", "6"), "--thrown must lie in 0..5, got 6"),
        (
            ("--claim", "QQ", "--keep", "QQ", "--thrown", "2"),
            "of 5 dice, 3 are thrown when QQ stay, got --thrown 2",
        ),
        (("--claim", "QQ", "--thrown", "2"), "--thrown 2 needs the --hand or the dice in --keep"),
        (
            ("--claim", "QQ", "--hand", "QQQ99", "--keep", "QA"),
            "--keep must be part of the hand QQQ99, got QA",
        ),
        (("--claim", "QQ", "--throws", "0"), "--throws must be 1 or more, got 0"),
        (("--keep", "QQ", "--throws", "2"), "--throws needs a --claim to aim at, or --beat"),
        (("--hand", "QQQ99", "--rules", "box"), "with --hand, say what is asked: --claim, --beat"),
        (("--claim", "mess"), "'mess' is not one of the 248 claims"),
        (("--claim", "QQ", "--hand", "QQQ9"), "a hand has 5 dice, got 4 in 'QQQ9'"),
    ],
)
def test_bad_input_is_one_sentence(capsys, arguments, sentence):
    for option in ((), ("--json",)):
        status, out, err = run(capsys, *arguments, *option)
        assert (status, out) == (2, "")
        assert err.startswith("liarsolve odds: ")
        assert sentence in err
        assert err.count("\n") == 1


@pytest.mark.parametrize(("throws", "chance"), [(1, "5.6 %"), (2, "10.8 %"), (3, "15.8 %")])
def test_where_everything_is_thrown_again_throws_have_nothing_to_do_with_one_another(
    capsys, throws, chance
):
    """Mia comes with 2 of 36: in n throws of both dice with 1 - (17/18)^n."""
    for hand in ("", "--hand 43"):
        command = f"odds --rules mia --claim 21 --throws {throws} {hand}"
        assert main(command.split()) == 0
        assert chance in capsys.readouterr().out.splitlines()[0]


def test_nothing_is_kept_where_everything_is_thrown_again(capsys):
    assert main(["odds", "--rules", "mia", "--hand", "43", "--claim", "21", "--keep", "4"]) == 2
    assert "everything is thrown again, so that --keep 4 cannot be" in capsys.readouterr().err


def test_kinds_of_hands_are_named_as_claims_are(capsys):
    status, out, _ = run(capsys, "--thrown", "5")
    assert status == 0
    kinds = [line.rsplit(maxsplit=2)[0].strip() for line in out.splitlines() if line[-1:].isdigit()]
    assert kinds[:5] == [
        "five of a kind",
        "high straight",
        "low straight",
        "four of a kind",
        "full house",
    ]

"""Cup games of several players in a terminal, and every cup page in every width."""

import json

import pytest

from liarsolve import load, presets, solve
from liarsolve.cli.cup.layout import break_list
from liarsolve.cli.main import main

MIA3 = "--rules mia --players 3"


def run(capsys, command):
    status = main(command.split())
    return status, *capsys.readouterr()


def test_json_has_every_field_at_any_number_of_players(capsys):
    reports = []
    for players in ("", "--players 2", "--players 4"):
        status, out, err = run(capsys, f"solve --rules liar_die --json {players}")
        assert (status, err, out.count("\n")) == (0, "", 1)
        reports.append(json.loads(out))
    two, also_two, four = reports
    assert set(two) == set(four)
    assert {key: two[key] for key in two if key != "seconds"} == {
        key: also_two[key] for key in two if key != "seconds"
    }
    assert (four["players"], len(four["values"])) == (4, 4)
    assert four["value_bounds"] is four["exploitability"] is four["exact_value"] is None
    assert two["values"] is two["memory"] is None
    assert four["rules"] == two["rules"] == presets.LIAR_DIE.to_dict()


@pytest.mark.parametrize(
    ("flags", "seat"), [("--hand 43", 1), ("--offered 43", 2), ("--offered 64 --claim 52", None)]
)
def test_advice_as_json_has_every_field_too(capsys, flags, seat):
    reports = []
    for players in (2, 3):
        status, out, err = run(capsys, f"advise --rules mia --players {players} --json {flags}")
        assert (status, err, out.count("\n")) == (0, "", 1)
        reports.append(json.loads(out))
    assert set(reports[0]) == set(reports[1])
    assert set(reports[0]["advice"][0]) == set(reports[1]["advice"][0])
    assert [report["seat"] for report in reports] == [seat, seat]
    assert (reports[1]["p_true"] is None) == ("offered" not in flags)
    strategy = solve(presets.MIA, players=3, target=1e-4).strategy
    words = flags.replace("--hand", "--holding").split()
    keywords = dict(zip((w.strip("-") for w in words[::2]), words[1::2], strict=True))
    expected = strategy.advise(**keywords)
    assert [a["probability"] for a in reports[1]["advice"]] == [a.probability for a in expected]


def test_text_says_what_is_approximate(capsys):
    status, out, err = run(capsys, f"solve {MIA3}")
    assert (status, err) == (0, "")
    text = " ".join(out.split())
    assert text.startswith("mia: 2 dice under one cup, 21 claims, 3 players values seat 1 +0.5000,")
    assert "the loser of a round pays 1, which the others share" in text
    assert "there may be several equilibria with other values" in text
    assert "computed exactly in the whole round" in text
    _, out, _ = run(capsys, f"advise {MIA3} --offered 31")
    text = " ".join(out.split())
    assert text.startswith("You are offered a three with a one (31): accept. It comes in the first")
    assert "action how often you lose" in text
    assert "there may be several equilibria with other values" in text


def test_a_folder_is_asked_for_the_players_it_holds(capsys, tmp_path):
    folder = tmp_path / "mia"
    assert run(capsys, f"solve {MIA3} --out {folder}")[0] == 0
    assert load(folder).n_players == 3
    status, out, _ = run(capsys, f"advise --load {folder} --hand 43 --json")
    assert (status, json.loads(out)["players"]) == (0, 3)
    status, _, err = run(capsys, f"advise --load {folder} --hand 43 --players 4")
    assert status == 2
    assert "holds a round of 3 players, got --players 4" in err
    status, _, err = run(capsys, f"advise --load {folder} --guide")
    assert (status, err.count("\n")) == (2, 1)
    assert "--guide is about two players" in err


def test_a_small_game_that_looks_is_solved_and_a_large_one_refused(capsys):
    small = "solve --rules classic --set equipment=dice(2,3) --players 3 --target 1e-2"
    status, out, _ = run(capsys, small)
    assert status == 0
    assert "information sets" in out
    status, out, err = run(capsys, "solve --rules classic --players 3")
    assert (status, out) == (1, "")
    assert "more than 200,000 nodes" in err


SEEN3 = "advise --rules classic --set equipment=dice(2,3) --players 3 --target 0.1"


@pytest.mark.parametrize(("flags", "seat"), [("--hand JJ", 1), ("--offered JJ", 2)])
def test_first_turns_of_a_small_game_that_looks_get_advice(capsys, flags, seat):
    status, out, err = run(capsys, f"{SEEN3} {flags} --json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    report = json.loads(out)
    rules = presets.CLASSIC.replace(equipment="dice(2,3)")
    solution = solve(rules, players=3, target=0.1)
    word, hand = flags.strip("-").split()
    expected = solution.advise(**{word: hand})
    assert report["seat"] == seat
    assert [a["probability"] for a in report["advice"]] == [a.probability for a in expected]
    assert (report["p_true"] is None) == (seat == 1)
    status, out, _ = run(capsys, f"{SEEN3} {flags}")
    assert status == 0
    assert "action how often you lose" in " ".join(out.split())


@pytest.mark.parametrize(
    "flags", ["--hand JJ --claim TT", "--offered JJ --claim TT --passed TT --thrown 1"]
)
def test_later_turns_of_it_are_refused_in_a_sentence(capsys, flags):
    status, out, err = run(capsys, f"{SEEN3} {flags}")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "it matters later in a round who sits where and has seen which hand" in err
    assert "on the first claim, with --hand or --offered alone" in err


@pytest.mark.parametrize("command", ["solve", "advise --hand 43", "advise --guide"])
def test_huge_sizes_are_refused_before_any_work(capsys, command):
    status, out, err = run(capsys, f"{command} --rules mia --set equipment=dice(2,300)")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "2 dice with 300 faces make 45,150 hands, and up to 4,000 can be solved" in err


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        ("dice(40,40)", "equipment=dice(40,40) is not allowed: 40 dice of 40 faces make more than"),
        ("dice(2,999)", "2 dice of 999 faces make more than 50,000 different hands; take fewer"),
        ("dice(1000000,6)", "1000000 dice of 6 faces make more than 50,000 different hands"),
        ("dice(1,1000000)", "1 die of 1000000 faces make more than 50,000 different hands"),
        (
            "cards(20,30,4)",
            "20 cards of 30 ranks make more than 50,000 different hands",
        ),
    ],
)
def test_sizes_beyond_listing_are_refused_when_rules_are_made(capsys, size, sentence):
    for command in ("solve", "advise --guide"):
        status, out, err = run(capsys, f"{command} --rules mia --set equipment={size}")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert sentence in err


def test_a_million_throws_are_refused(capsys):
    status, out, err = run(capsys, "odds --rules mia --claim 21 --throws 1000000")
    assert (status, out) == (2, "")
    assert "--throws must be 1,000 or less" in err
    assert run(capsys, "odds --rules mia --claim 21 --throws 1000")[0] == 0


def test_holding_is_a_word_for_hand_in_odds_too(capsys):
    outs = [run(capsys, f"odds {word} QQQ99 --thrown 2") for word in ("--hand", "--holding")]
    assert outs[0] == outs[1]
    assert outs[0][0] == 0


PAGES = [
    "solve --rules mia",
    "solve --rules mia --players 5",
    "solve --rules classic --set equipment=dice(3,4)",
    "solve --rules box --set equipment=dice(2,3)",
    "solve --rules classic --set equipment=dice(2,3) --players 3 --target 0.1",
    "advise --rules mia --offered 43",
    "advise --rules mia --players 4 --offered 64 --claim 52",
    "advise --rules mia --players 4 --hand 65 --all",
    "advise --rules classic --set equipment=dice(3,4) --hand QTT --claim TT9",
    "advise --rules classic --set equipment=dice(3,4) --offered QQQ --claim 999 --passed 999"
    " --thrown 1",
    "advise --rules liar_cards --set equipment=cards(2,3,2) --hand J9 --claim 99",
    "advise --rules doubtful_dice --set equipment=dice(3,4) --guide",
]


@pytest.mark.parametrize("command", PAGES)
def test_every_page_fits_from_forty_columns_on(capsys, monkeypatch, command):
    pages = {}
    for width in (40, 57, 80, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        status, out, err = run(capsys, command)
        assert (status, err) == (0, "")
        lines = pages[width] = [line.rstrip() for line in out.splitlines()]
        assert max(map(len, lines)) <= width
        assert not [line for line in lines if line.lstrip().startswith("%")]
    # Nothing is cut short or broken: the narrow page has the words of the wide one.
    words = [
        {word.strip(":,") for line in page for word in line.split() if not set(word) & set("─-/.")}
        for page in (pages[40], pages[100])
    ]
    numbers = {word for word in words[0] ^ words[1] if any(c.isdigit() for c in word)}
    assert words[0] ^ words[1] <= numbers | {"ms", "s"}


def test_lists_break_after_commas():
    assert break_list("a 1 %, b 2 %, c 3 %", 13) == "a 1 %, b 2 %,\nc 3 %"
    assert break_list("a 1 %", 3) == "a 1 %"

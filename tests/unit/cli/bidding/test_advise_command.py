import json
import os
import subprocess
import sys

import pytest

from command_words import replacing
from liarsolve import load, p_at_least, presets, solve
from liarsolve.cli.bidding.advice_words import describe_mixture
from liarsolve.cli.main import main
from liarsolve.rules import parse_action

QUICK = "--rules liars_dice --faces 4 --dice 1,1 --hand 3 --history 1x2,1x4"
SMALL = "--rules common --faces 3 --dice 1,1"


def run(capsys, command):
    status = main(["advise", *command.split()])
    return status, *capsys.readouterr()


def run_json(capsys, command):
    status, out, err = run(capsys, f"{command} --json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    return json.loads(out)


def test_a_seat_must_be_the_one_on_turn(capsys):
    named, silent = (run_json(capsys, f"{QUICK}{seat}") for seat in (" --seat 1", ""))
    assert named["seat"] == silent["seat"] == 1
    assert named["advice"] == silent["advice"]
    status, out, err = run(capsys, f"{SMALL} --hand 2 --history 1x2 --seat 1")
    assert (status, out) == (2, "")
    assert "after 1 bid seat 2 is on turn, not seat 1; leave out --seat, or give the whole" in err
    status, _, err = run(capsys, f"{SMALL} --hand 2 --seat 3")
    assert status == 2
    assert "--seat is a number from 1 to 2 here, got 3" in err
    status, _, err = run(capsys, "--rules mia --seat 2 --offered 31")
    assert status == 2
    assert "mia is a cup game with one hand for all, so --seat would do nothing" in err


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("strategies") / "common"
    solve(presets.COMMON.replace(faces=3), (2, 1), target=1e-5).save(path)
    return path


def test_json_is_the_advice_with_the_certificate(capsys):
    report = run_json(capsys, QUICK)
    solution = solve(presets.LIARS_DICE.replace(faces=4), (1, 1), target=1e-4)
    expected = solution.strategy.advise("3", ["1x2", "1x4"])
    assert report["advice"] == [
        {
            "action": str(a.action),
            "probability": a.probability,
            "expected_value": a.expected_value,
            "standard_error": 0.0,
            "win_probability": a.win_probability,
            "is_dominated": str(a.action) == "2x4",  # the last bid, and false by the own three
        }
        for a in expected
    ]
    assert sum(a["probability"] for a in report["advice"]) == pytest.approx(1.0)
    assert report["value_bounds"] == list(solution.value_bounds)
    assert report["exploitability"] == solution.exploitability <= 1e-4
    assert (report["hand"], report["history"], report["seat"]) == ([3], ["1x2", "1x4"], 1)
    assert report["p_true"] == p_at_least(1, 4, total=2, hand=(3,), sides=4)
    liar = next(a for a in report["advice"] if a["action"] == "liar")
    assert report["p_true_after_bids"] == pytest.approx(1 - liar["win_probability"])
    assert 0 <= report["gain_by_best_reply"] < 0.01
    assert report["folder"] is None


def test_reach_is_that_of_both_players(capsys):
    report = run_json(capsys, QUICK)
    strategy = solve(presets.LIARS_DICE.replace(faces=4), (1, 1), target=1e-4).strategy
    own = strategy.probs("3")
    rival = [strategy.probs(str(die), ["1x2"]) for die in range(1, 5)]
    assert report["own_reach"] == {str(a): p for a, p in own.items()}["1x2"]
    assert report["rival_reach"] == pytest.approx(
        sum({str(a): p for a, p in probs.items()}["1x4"] for probs in rival) / 4
    )


@pytest.mark.parametrize("columns", [40, 50, 72, 80, 100])
@pytest.mark.parametrize(
    "command",
    [
        "--rules liars_dice --dice 1,1 --hand 1 --max-iterations 1",
        f"{SMALL} --hand 3 --all",
        "--rules perudo --faces 3 --dice 1,1 --hand 2 --history 1x2 --exact-payoff 9,1",
        "--rules common --faces 2 --dice 2,2,2 --recall 1 --hand 1,2 --max-iterations 3",
    ],
)
def test_advice_fits_the_page(capsys, monkeypatch, columns, command):
    monkeypatch.setenv("COLUMNS", str(columns))
    _, out, _ = run(capsys, command)
    assert max(map(len, out.splitlines())) <= columns
    assert not any(line.strip().startswith("%") for line in out.splitlines())
    monkeypatch.setenv("COLUMNS", "100")
    _, wide, _ = run(capsys, command)
    words = [w for w in out.split() if not w.startswith("\u2500") and not w[0].isdigit()]
    assert set(words) <= set(wide.split())  # none is broken


def test_at_the_opening_there_is_no_bid_to_weigh(capsys):
    report = run_json(capsys, f"{SMALL} --hand 3")
    assert (report["p_true"], report["p_true_after_bids"]) == (None, None)
    assert (report["own_reach"], report["rival_reach"]) == (1.0, 1.0)
    _, out, _ = run(capsys, f"{SMALL} --hand 3")
    assert out.startswith("You, at seat 1, hold 3 and open the round: bid ")
    assert "by the dice alone" not in out


@pytest.mark.parametrize(
    ("option", "key"),
    [
        ("--hand 1", "advice"),
        ("--history 1x1,1x3", "advice"),
        ("--rules liars_dice", "rules"),
        ("--faces 4", "p_true"),
        ("--set raise_rule=reset_quantity", "advice"),
        ("--palifico", "palifico"),
        ("--set exact_who=next --exact-payoff 2,1", "payoffs"),
        ("--target 1e-6", "iterations"),
        ("--max-iterations 7", "iterations"),
        ("--max-seconds 1e-9", "stop"),
        ("--variant cfr+", "method"),
    ],
)
def test_every_option_changes_the_answer(capsys, option, key):
    base = f"{SMALL} --hand 3 --history 1x1,1x2"
    assert run_json(capsys, replacing(base, option))[key] != run_json(capsys, base)[key]


def test_dice_decide_who_may_hold_what(capsys):
    report = run_json(capsys, "--rules common --faces 3 --dice 1,2 --hand 3,1 --history 1x1")
    assert (report["hand"], report["seat"]) == ([1, 3], 2)


def test_memory_is_bounded(capsys):
    status, out, err = run(capsys, f"{QUICK} --max-memory 1kB")
    assert (status, out) == (1, "")
    assert "needs at least" in err


@pytest.mark.parametrize(
    ("mixture", "words"),
    [
        ({"liar": 1.0, "2x3": 0.0}, "call liar"),
        ({"2x4": 0.97, "liar": 0.03}, "raise to 2x4, almost always"),
        ({"liar": 0.68, "2x4": 0.32}, "call liar (7 times in 10) or raise to 2x4 (3 times in 10)"),
        (
            {"exact": 0.6, "liar": 0.3, "2x3": 0.1},
            "call exact (6 times in 10), call liar (3 times in 10) or raise to 2x3 (once in 10)",
        ),
        (
            {"2x3": 0.4, "2x4": 0.3, "2x5": 0.2, "2x6": 0.1},
            "raise to 2x3 (4 times in 10), raise to 2x4 (3 times in 10), raise to 2x5 (2 times in "
            "10) or something else",
        ),
        (
            {"2x4": 0.949, "liar": 0.03, "2x5": 0.021},
            "raise to 2x4 (9 times in 10) or something else",
        ),
    ],
)
def test_mixtures_are_said_as_people_count(mixture, words):
    choice = [(parse_action(action), p) for action, p in mixture.items()]
    said = describe_mixture(choice, is_opening=False)
    assert said == words
    assert describe_mixture(choice, is_opening=True) == said.replace("raise to", "bid")


def test_text_is_for_players(capsys):
    status, out, err = run(capsys, QUICK)
    report = run_json(capsys, QUICK)
    assert (status, err) == (0, "")
    text = " ".join(out.split())
    assert report["advice"][0]["action"] == "liar"
    assert text.startswith("You, at seat 1, hold 3 and must answer 1x4: call liar")
    assert "One four is true with 50.0 % by the dice alone, and with " in text
    assert f" {100 * report['p_true_after_bids']:.1f} % given the bids," in text
    assert f"liar {100 * report['advice'][0]['probability']:.1f} %" in text
    assert "if the other player bids by the strategy." in text
    assert ["action", "how", "often", "you", "win", "expected", "value"] in [
        line.split() for line in out.splitlines()
    ]
    assert "others are hardly ever played; --all lists them." in text
    assert "This rests on strategies for the whole round that lose at most " in text
    assert text.endswith(
        "the certified exploitability is at or below the target. Position: liars_dice faces=4; "
        "dice 1,1; starts 1; seat 1; hand 3; said 1x2 1x4"
    )
    assert max(map(len, out.splitlines())) <= 80


def test_all_lists_what_is_never_played(capsys):
    _, out, _ = run(capsys, f"{QUICK} --all")
    actions = {a["action"] for a in run_json(capsys, QUICK)["advice"]}
    assert len(actions) == 5
    assert actions <= {line.split()[0] for line in out.splitlines() if line.strip()}
    assert "hardly ever played" not in out
    assert "-0.0 %" not in out


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (f"{SMALL} --hand 2 --history 1x2,2x3", "Two threes cannot be true, whatever the other"),
        (f"{SMALL} --hand 2 --history 1x1,1x2", "One two must be true, whatever the other player"),
        (f"{SMALL} --hand 1 --history 2x2", "call liar."),
        (f"{SMALL} --hand 2 --history 1x3,2x2", "Two twos are true with 33.3 % by the dice alone"),
        (f"{SMALL} --hand 1 --history 2x3", "never have bid like this, so what they hold is taken"),
        (f"{SMALL} --hand 1 --history 2x2,2x3", "you would not have bid like this with your hand."),
        (f"{SMALL} --hand 2 --max-iterations 2", "--max-iterations came before the target"),
    ],
)
def test_sentence_fits_the_case(capsys, command, sentence):
    status, out, _ = run(capsys, command)
    assert status == 0
    assert sentence in " ".join(out.split())


def test_where_the_mixture_has_not_learned_the_values_decide(capsys):
    command = "--dice 1,1 --hand 1 --max-iterations 1"
    status, out, _ = run(capsys, command)
    report = run_json(capsys, command)
    best = max(report["advice"], key=lambda a: a["expected_value"])
    played = max(report["advice"], key=lambda a: a["probability"])
    assert status == 0
    assert best["expected_value"] - played["expected_value"] == pytest.approx(1 / 3)
    assert report["gain_by_best_reply"] > 0.01
    assert report["recommended"] == [{"action": best["action"], "probability": 1.0}]
    assert report["basis"] == "not_learned"
    lines = " ".join(out.split())
    headline = f"You, at seat 1, hold 1 and open the round: bid {best['action']}."
    assert f"{headline} This goes by the expected values: " in lines
    assert "not learned enough here for its mixture to count." in lines.split("action")[0]
    rows = [line.split()[0] for line in out.splitlines() if line.split()[2:3] == ["%"]]
    assert rows[0] == best["action"]  # it stands in the table, though the strategy never plays it


def test_exact_calls_have_values_not_chances(capsys):
    command = "--rules perudo --faces 3 --dice 1,1 --hand 2 --history 1x2 --exact-payoff 9,1"
    _, out, _ = run(capsys, command)
    assert "you win" not in out
    assert "call exact" in out
    assert all(a["win_probability"] is None for a in run_json(capsys, command)["advice"])


def test_a_stored_strategy_is_asked(capsys, folder):
    report = run_json(capsys, f"--load {folder} --hand 2,1 --history 1x2,1x3")
    solution = load(folder)
    expected = solution.strategy.advise((1, 2), ["1x2", "1x3"])
    assert [a["expected_value"] for a in report["advice"]] == [a.expected_value for a in expected]
    assert (report["folder"], report["dice"]) == (str(folder), [2, 1])
    assert report["exploitability"] == solution.exploitability


@pytest.mark.parametrize(
    "flags", ["--rules common --faces 3", "--faces 3", "--dice 2,1", "--exact-payoff 1,1"]
)
def test_flags_that_agree_with_the_folder_are_welcome(capsys, folder, flags):
    assert run_json(capsys, f"--load {folder} --hand 2,1 {flags}")["dice"] == [2, 1]


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        ("--rules common", "holds common, faces=3, not common; leave out the rules, or --load"),
        ("--faces 4", "holds common, faces=3, not common, faces=3, faces=4; leave out"),
        ("--set wild=ones", "not common, faces=3, wild=ones; leave out the rules, or --load"),
        ("--dice 1,2", "holds a round with dice 2,1, not 1,2; leave out --dice, or --load"),
        ("--palifico", "holds an ordinary round, not a palifico round"),
        ("--exact-payoff 2,1", "holds a strategy for other payoffs than 2,1"),
        ("--target 1e-3", "--load opens a strategy that is solved already, so --target would do"),
        ("--max-seconds 3", "so --max-seconds would do nothing"),
    ],
)
def test_flags_that_contradict_the_folder_are_refused(capsys, folder, flags, sentence):
    status, out, err = run(capsys, f"--load {folder} --hand 2,1 {flags}")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert sentence in err


def test_damaged_and_missing_folders_are_refused(capsys, tmp_path):
    solve(presets.COMMON.replace(faces=2), (1, 1)).save(tmp_path / "mine")
    array = tmp_path / "mine" / "policy_0.npy"
    array.write_bytes(array.read_bytes()[:-1] + b"!")
    (tmp_path / "letters").mkdir()
    for name, sentence in (
        ("mine", "policy_0.npy is damaged: its checksum is not that of the manifest"),
        ("letters", "it has no manifest.json"),
        ("nowhere", "there is no folder "),
    ):
        status, out, err = run(capsys, f"--load {tmp_path / name} --hand 1")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert sentence in err


@pytest.fixture
def no_solving(monkeypatch):
    def fail(*_, **__):
        raise AssertionError("the solver was started")

    monkeypatch.setattr("liarsolve.strategy.solve", fail)


@pytest.mark.usefixtures("no_solving")
@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("--hand 4", "say how many dice each player has, such as --dice 2,1"),
        ("--dice 1 --hand 4", "takes a number for each of two to 6 players, such as 2,1, got 1"),
        (
            "--dice 1,2 --hand 4,4",
            "seat 1 (the first bidder) is on turn and has 1 die, got the hand '4,4'",
        ),
        (
            "--dice 1,2 --hand 4 --history 1x3",
            "seat 2 is on turn and has 2 dice, got the hand '4'",
        ),
        ("--dice 1,1 --hand 7", "a die shows 1 to 6, got 7 in the hand"),
        (
            "--rules perudo --dice 1,1 --hand 4 --history 1x5,1x4",
            "action 2, 1x4: raise refused: PE.3a a raise needs more dice, or as many of a higher",
        ),
        ("--dice 1,1 --hand 4 --history liar", "action 1, liar: challenge refused: there is no"),
        ("--dice 1,1 --hand 4 --history 1x2,liar", "the round is over after liar; a history ends"),
        ("--dice 1,1 --hand 4 --history one", "an action is a bid such as 4x3, liar or exact"),
        ("--dice 1,1 --hand 4 --rules poker", "there is no preset 'poker'"),
        ("--dice 1,1 --hand 4 --set wild", "--set takes OPTION=VALUE, such as wild=none"),
    ],
)
def test_bad_input_is_one_sentence_before_the_work(capsys, command, sentence):
    status, out, err = run(capsys, command)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("liarsolve advise: ")
    assert sentence in err


def test_advice_after_an_interrupt_is_given_with_status_1(capsys, monkeypatch):
    def stop(progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(
        "liarsolve.strategy.solve",
        lambda *args, **keywords: solve(*args, **keywords | {"on_progress": stop}),
    )
    status, out, err = run(capsys, f"{SMALL} --hand 3")
    assert (status, err) == (1, "")
    assert "interrupted before the target" in " ".join(out.split())


def test_the_command_of_the_shell(folder):
    done = subprocess.run(
        [sys.executable, "-m", "liarsolve", "advise", "--load", folder, "--hand", "3,3"],
        capture_output=True,
        text=True,
        env=os.environ | {"COLUMNS": "80", "PYTHONIOENCODING": "ascii"},
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.startswith("You, at seat 1, hold 3,3 and open the round: bid ")


def test_what_advice_rests_on_speaks_of_options(capsys):
    command = "advise --rules common --faces 3 --dice 2,1 --hand 1,2 --max-iterations 1"
    assert main(command.split()) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "--max-iterations came before the target" in out
    assert "max_iterations" not in out

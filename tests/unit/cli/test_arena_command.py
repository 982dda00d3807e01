"""The command arena."""

import io
import json
from contextlib import redirect_stderr

import pytest

from command_words import replacing
from liarsolve import (
    HonestPlayer,
    ProbabilityPlayer,
    RandomPlayer,
    Recall,
    expected_result,
    head_to_head,
    load,
    presets,
    solve,
)
from liarsolve.cli._arena_words import describe_verdict
from liarsolve.cli._progress import show_arena_progress
from liarsolve.cli.main import main
from liarsolve.game import Payoffs
from liarsolve.play import HeadToHeadProgress
from liarsolve.rules import CupOutcomeKind, CupRules, OutcomeKind, RuleSet

GAME = "--rules perudo --faces 3 --dice 2,1 --deals 40"
RULES = presets.PERUDO.replace(faces=3)


def run(capsys, command):
    status = main(["arena", *command.split()])
    return status, *capsys.readouterr()


def run_json(capsys, command):
    status, out, err = run(capsys, f"{command} --json")
    assert (status, err) == (0, "")
    return json.loads(out)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A solved strategy, one of players who forget, and strategies of other games."""
    folder = tmp_path_factory.mktemp("strategies")
    solve(RULES, (2, 1), target=1e-2).save(folder / "good")
    solve(RULES, (2, 1), abstraction=Recall(1), max_iterations=5).save(folder / "poor")
    solve(RULES, (1, 1), target=1e-2).save(folder / "small")
    solve(RULES, (2, 1), target=1e-2, exact_payoff=(2, 1)).save(folder / "paid")
    solve(RULES, (1, 1), palifico=True, target=1e-2).save(folder / "palifico")
    solve(presets.COMMON.replace(faces=3), (1, 1, 1), target=1e-1).save(folder / "three")
    solve(presets.LIAR_DIE).save(folder / "cup")
    return folder


def check_result(report, expected):
    """The report says what the function returns, with every way in which a round can end."""
    values = expected.to_dict()
    counts = values.pop("endings"), values.pop("own_calls")
    for name, value in values.items():
        assert report[name] == value
    for column, count in zip(("n_rounds", "n_own_calls"), counts, strict=True):
        rows = {row["ending"]: row[column] for row in report["endings"]}
        assert {ending: n for ending, n in rows.items() if n} == count
    kinds = OutcomeKind if report["family"] == "bidding" else CupOutcomeKind
    assert [row["ending"] for row in report["endings"]] == [kind.value for kind in kinds]


def test_json_is_the_function(capsys):
    report = run_json(capsys, f"{GAME} --players honest,random --seed 3 --confidence 0.9")
    expected = head_to_head(
        RULES, HonestPlayer(), RandomPlayer(), dice=(2, 1), n_deals=40, rng=3, confidence=0.9
    )
    check_result(report, expected)
    assert RuleSet.from_dict(report["rules"]) == RULES
    assert report["dice"] == [2, 1]
    assert report["players"] == ["honest", "random"]
    assert (report["seed"], report["palifico"]) == (3, False)
    assert report["seconds"] > 0.0


@pytest.mark.parametrize(
    "option",
    ["--seed 1", "--confidence 0.5", "--deals 50", "--dice 1,1", "--palifico",
     "--set exact_who=off", "--exact-payoff 5,5", "--faces 4", "--rules liars_dice"],
)  # fmt: skip
def test_every_option_changes_something(capsys, option):
    game = f"{GAME} --players random,probability"
    name = option.split()[0]
    changed = run_json(capsys, replacing(game, option))
    plain = run_json(capsys, game)
    assert changed["utility"] != plain["utility"], name


def test_the_order_of_players_matters(capsys):
    forth = run_json(capsys, f"{GAME} --players random,probability")
    back = run_json(capsys, f"{GAME} --players probability,random")
    assert forth["utility"]["mean"] == pytest.approx(-back["utility"]["mean"])
    assert forth["utility"]["mean"] < 0.0


def test_it_can_be_repeated(capsys):
    command = f"{GAME} --players random,honest"
    first, second = run_json(capsys, command), run_json(capsys, command)
    del first["seconds"], second["seconds"]
    assert first == second
    assert first["seed"] == 0


def test_strategies_are_played_from_their_folders(capsys, folders):
    good, poor = folders / "good", folders / "poor"
    report = run_json(capsys, f"--players {good},{poor} --deals 300")
    assert report["players"] == [str(good), str(poor)]
    assert (report["dice"], report["rules"]["faces"]) == ([2, 1], 3)
    named = run_json(capsys, replacing(f"--players {good},{poor} {GAME}", "--deals 300"))
    assert named["utility"] == report["utility"]
    alike = run_json(capsys, f"--players {good},{good} --deals 30")
    assert alike["utility"] == {"mean": 0.0, "lo": 0.0, "hi": 0.0}


def test_two_strategies_can_be_computed(capsys, folders):
    players = f"{folders / 'poor'},{folders / 'good'}"
    report = run_json(capsys, f"--players {players} --deals 400 --computed --confidence 0.999")
    expected = expected_result(load(folders / "poor"), load(folders / "good"))
    assert report["computed"] == expected.to_dict()
    assert report["utility"]["lo"] <= expected.utility <= report["utility"]["hi"]
    _, out, _ = run(capsys, f"--players {players} --deals 40 --computed")
    assert f"computed        {expected.utility:+.5f} a round, within " in out
    assert "What poor gets a round" in out
    assert max(map(len, out.splitlines()[2:])) <= 80
    plain = run_json(capsys, f"--players {players} --deals 40")
    assert plain["computed"] is None


def test_payoffs_are_those_of_the_folder(capsys, folders):
    report = run_json(capsys, f"--players {folders / 'paid'},random --deals 30")
    assert report["payoffs"] == Payoffs.for_exact_call((2, 1)).to_dict()
    asked = run_json(capsys, f"--players {folders / 'paid'},random --deals 30 --exact-payoff 2,1")
    assert asked["utility"] == report["utility"]


def test_full_tables_are_played_from_every_seat(capsys, folders):
    report = run_json(capsys, f"--players {folders / 'three'},honest --deals 20")
    assert len(report["seats"]) == 3
    assert report["n_rounds"] == 60


def test_people_are_told_what_came_out(capsys, folders):
    status, out, err = run(
        capsys, replacing(GAME, "--players probability,random --deals 300 --seed 1")
    )
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "perudo, faces=3: 2 dice against 1"
    assert lines[1] == "probability against random in the other seat"
    result = head_to_head(
        RULES, ProbabilityPlayer(), RandomPlayer(), dice=(2, 1), n_deals=300, rng=1
    )
    mean, lo, hi = (
        f"{x:+.4f}" for x in (result.utility.mean, result.utility.lo, result.utility.hi)
    )
    assert f"utility         {mean} ({lo} to {hi}) a round" in lines
    assert "verdict         probability is ahead, at 95 % confidence" in lines
    assert f"won             {result.win_share:.1%} of 600 rounds" in lines
    assert any(
        line.startswith("deals           300 from each of 2 seats, seed 1, ") for line in lines
    )
    for seat, n_dice, interval in zip((1, 2), (2, 1), result.seats, strict=True):
        assert f"{seat} {n_dice} {interval.mean:+.4f} {interval.lo:+.4f} {interval.hi:+.4f}" in [
            " ".join(line.split()) for line in lines
        ]
    for words in ("challenged, and the bid was false", "called exact, and wrong"):
        assert words in out
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ("random,probability", "random is behind, at 99 % confidence"),
        ("random,random", "too close to tell at 99 % confidence"),
    ],
)
def test_verdicts(capsys, players, words):
    _, out, _ = run(capsys, f"{GAME} --players {players} --confidence 0.99")
    assert f"verdict         {words}" in out


def test_a_verdict_speaks_of_the_interval():
    result = head_to_head(RULES, RandomPlayer(), RandomPlayer(), dice=(1, 1), n_deals=4, rng=0)
    assert describe_verdict(result, "it") == "too close to tell at 95 % confidence"


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("--dice 1,1", "say who plays, such as --players probability,honest"),
        ("--dice 1,1 --players honest", "takes the challenger and the rival"),
        ("--dice 1,1 --players honest,", "takes the challenger and the rival"),
        ("--dice 1,1 --players honest,random,random", "takes the challenger and the rival"),
        ("--dice 1,1 --players honest,cheat", "cheat is neither a player (probability,"),
        ("--players honest,random", "say how many dice each player has, such as --dice 2,1"),
        ("--players honest,random --dice 5", "a number for each of two to 6 players"),
        ("--players honest,random --dice 5,x", "dice are written as the number of each player"),
        ("--players honest,random --dice 1,1 --deals 0", "--deals is at least 2, for an interval"),
        ("--players honest,random --dice 1,1 --deals 1", "--deals is at least 2, for an interval"),
        ("--players honest,random --dice 1,1 --deals few", "argument --deals: a whole number"),
        ("--players honest,random --dice 1,1 --seed -1", "--seed is a whole number of 0 or more"),
        ("--players honest,random --dice 1,1 --confidence 95", "--confidence lies between 0 and 1"),
        ("--players honest,random --dice 1,1 --rules mia", "mia is a cup game"),
        ("--dice 1,1 --players honest,,random", "and the rival, such as probability,honest, got"),
        ("--dice 1,1 --players cheat,fox", "cheat and fox are neither players (probability,"),
        ("--dice 1,1 --players cheat,honest", "honest, random, strategy) nor a folder"),
        ("--players honest,random --dice 1,1 --target 1e-2", "--target 0.01 would do nothing"),
        ("--players honest,random --rules mia --max-seconds 5", "--max-seconds 5 would do nothing"),
        ("--players honest,random --rules mia --target 0", "--target 0 would do nothing"),
        ("--players strategy,random --rules mia --max-seconds 0", "--max-seconds is a time above"),
        ("--players strategy,random --dice 1,1 --target -1", "--target is a number of 0 or more"),
        ("--players strategy,random --dice 1,1 --target nan", "--target is a number of 0 or more"),
        ("--players honest,random --dice 1,1 --seats 3", "in bidding --dice says how many"),
        ("--players honest,random --rules mia --seats 1", "--seats is a whole number from 2 to 20"),
        ("--players honest,strategy --rules mia --seats 3", "are for two players, got --seats 3"),
        ("--players honest,random --rules mia --palifico", "so --palifico would do nothing"),
        ("--players honest,random --rules mia --exact-payoff 2,1", "so --exact-payoff would do"),
        ("--players honest,random --rules mia --computed", "--computed is about bidding"),
        ("--players {0}/cup,honest --rules mia", "holds liar_die, not mia; leave out the rules"),
        ("--players {0}/cup,honest --faces 4", "holds liar_die, not liar_die, equipment="),
        ("--players {0}/cup,{0}/small", "a game of bidding, not a cup"),
        ("--players {0}/small,honest --rules mia", "a game of bidding, not a cup"),
        ("--players honest,random --dice 1,1 --rules chess", "chess"),
        ("--players honest,random --rules perudo --dice 1,1 --exact-payoff 1",
         "--exact-payoff is WIN,LOSE"),
        ("--players {0}/good,honest --dice 1,1", "a round with dice 2,1, not 1,1"),
        ("--players {0}/good,honest --rules common", "holds perudo, faces=3, not common; leave"),
        ("--players {0}/good,honest --palifico", "holds an ordinary round, not a palifico round"),
        ("--players {0}/good,honest --exact-payoff 2,1", "other payoffs than 2,1"),
        ("--players {0}/good,{0}/small", "perudo, faces=3 with dice 2,1 and"),
        ("--players {0}/small,{0}/palifico", "with dice 1,1 (palifico)"),
        ("--players {0}/good,{0}/paid", "hold strategies for different payoffs"),
        ("--players {0}/good,{0}/three", "the players need strategies for the same round"),
        ("--players {0}/good,honest --computed", "so both players are folders"),
        ("--players {0}/three,{0}/three --computed", "is about two players, got dice for 3"),
        ("--players honest,{0}/cup --rules perudo", "holds the cup game liar_die, not bidding"),
        ("--players {0}/good,{0}/cup", "holds the cup game liar_die, not bidding"),
        ("--players honest,{0}/cup --dice 1,1", "so --dice would do nothing"),
        ("--players {0},honest", "is not a liarsolve strategy: it has no manifest.json"),
        ("--players honest,random --dice 1,1,1 --set exact_who=any_but_bidder --rules perudo",
         "players are asked on their turn alone"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_sentence(capsys, folders, command, complaint):
    try:
        status, out, err = run(capsys, command.format(folders))
    except SystemExit as stop:  # argparse
        status, (out, err) = stop.code, capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.startswith("liarsolve arena: ")
    assert complaint in err
    assert len(err.splitlines()) <= 2


def test_ctrl_c_prints_what_was_played(capsys, monkeypatch):
    play = ProbabilityPlayer.act
    turns = []

    def act(self, turn, rng):
        turns.append(turn)
        if len(turns) == 100:
            raise KeyboardInterrupt
        return play(self, turn, rng)

    monkeypatch.setattr(ProbabilityPlayer, "act", act)
    status, out, err = run(capsys, replacing(GAME, "--players probability,random --deals 5000"))
    assert (status, err) == (1, "")
    assert "(interrupted)" in out
    turns.clear()
    status, out, err = run(
        capsys, replacing(GAME, "--players probability,random --deals 5000 --json")
    )
    report = json.loads(out)
    assert (status, err) == (1, "")
    assert report["is_interrupted"]
    assert 2 <= report["n_deals"] < 100


def test_ctrl_c_before_the_second_deal(capsys, monkeypatch):
    def act(self, turn, rng):
        raise KeyboardInterrupt

    monkeypatch.setattr(HonestPlayer, "act", act)
    status, out, err = run(capsys, f"{GAME} --players honest,random")
    assert (status, out, err) == (1, "", "liarsolve arena: interrupted\n")


def test_progress_is_drawn_on_a_terminal(monkeypatch, capsys):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with redirect_stderr(Terminal()) as terminal, show_arena_progress() as draw:
        draw(HeadToHeadProgress(10, 40, -0.5, 1.0))
    assert "10 of 40 deals, -0.500 a round, 3.0 s left" in terminal.getvalue()
    with show_arena_progress() as draw:
        assert draw is None  # nobody would see it
    assert capsys.readouterr() == ("", "")


# Cup games


def test_cup_json_is_the_function(capsys):
    report = run_json(capsys, "--rules mia --players strategy,honest --deals 60 --seed 1")
    solution = solve(presets.MIA)
    expected = head_to_head(presets.MIA, solution, HonestPlayer(), n_deals=60, rng=1)
    check_result(report, expected)
    assert CupRules.from_dict(report["rules"]) == presets.MIA
    assert (report["dice"], report["palifico"], report["payoffs"]) == (None, None, None)
    assert (report["family"], report["players"]) == ("cup", ["strategy", "honest"])
    assert report["solved"]["value_bounds"] == list(solution.value_bounds)
    assert [seat["seat"] for seat in report["seats"]] == [1, 2]


def test_both_families_have_the_same_fields(capsys):
    cup = run_json(capsys, "--rules liar_die --players honest,random --deals 5")
    bidding = run_json(capsys, replacing(GAME, "--players honest,random --deals 5"))
    assert list(cup) == list(bidding)
    assert bidding["family"] == "bidding"


@pytest.mark.parametrize(
    "option", ["--seed 1", "--deals 50", "--seats 3", "--set look=before_throw", "--faces 5"]
)
def test_every_option_changes_a_cup_contest(capsys, option):
    game = "--rules doubtful_dice --deals 40 --players honest,random"
    if option.startswith("--set"):
        game = game.replace("doubtful_dice", "mia")
        option = "--set rethrow_all=false --set look=before_throw"
    changed, plain = run_json(capsys, replacing(game, option)), run_json(capsys, game)
    assert any(changed[name] != plain[name] for name in ("seats", "endings"))


def test_cup_folders_are_played(capsys, folders):
    report = run_json(capsys, f"--players {folders / 'cup'},probability --deals 20")
    assert report["rules"]["name"] == "liar_die"
    assert report["solved"] is None
    named = run_json(capsys, f"--rules liar_die --players {folders / 'cup'},probability --deals 20")
    assert named["utility"] == report["utility"]
    solved = run_json(capsys, "--rules liar_die --players strategy,probability --deals 20")
    assert solved["utility"] == report["utility"]


def test_bidding_is_solved_on_the_spot(capsys, folders):
    report = run_json(capsys, f"{GAME} --players strategy,honest --target 1e-2 --seed 4")
    solution = solve(RULES, (2, 1), target=1e-2)
    assert report["solved"]["exploitability"] == solution.exploitability <= 1e-2
    expected = head_to_head(RULES, solution, HonestPlayer(), dice=(2, 1), n_deals=40, rng=4)
    assert report["utility"] == expected.to_dict()["utility"]
    paid = run_json(capsys, f"--players {folders / 'paid'},strategy --deals 10 --target 1e-2")
    assert paid["solved"]["payoffs"] == Payoffs.for_exact_call((2, 1)).to_dict()
    computed = run_json(
        capsys, f"--players {folders / 'poor'},strategy --deals 10 --target 1e-2 --computed"
    )
    assert computed["computed"]["utility"] < 0.0
    _, out, _ = run(capsys, f"{GAME} --players strategy,honest --target 1e-2")
    assert f"strategy        exploitability {solution.exploitability:.3g} or less, " in out


def test_a_contest_of_three_around_a_cup(capsys):
    status, out, _ = run(capsys, "--rules box --players honest,random --seats 3 --deals 4")
    assert status == 0
    assert out.startswith("box: 5 dice under one cup, 363 claims, 3 players\nhonest against random")


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize(
    "command",
    [f"{GAME} --players probability,random", "--rules mia --players strategy,random --deals 40"],
)
def test_it_fits_the_page(capsys, monkeypatch, columns, command):
    monkeypatch.setenv("COLUMNS", str(columns))
    _, out, _ = run(capsys, command)
    assert max(map(len, out.splitlines())) <= columns
    assert "\N{HORIZONTAL ELLIPSIS}" not in out
    assert not any(line.strip().startswith("%") for line in out.splitlines())


def test_ctrl_c_in_a_cup_game_prints_what_was_played(capsys, monkeypatch):
    play, turns = RandomPlayer.act, []

    def act(self, turn, rng):
        turns.append(turn)
        if len(turns) == 60:
            raise KeyboardInterrupt
        return play(self, turn, rng)

    monkeypatch.setattr(RandomPlayer, "act", act)
    command = "--rules mia --players honest,random --deals 5000"
    status, out, err = run(capsys, command)
    assert (status, err) == (1, "")
    assert "(interrupted)" in out


def test_ctrl_c_while_solving_plays_nothing(capsys, monkeypatch):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("liarsolve.strategy.solve", interrupted)
    status, out, err = run(capsys, "--rules mia --players strategy,random --deals 50")
    assert (status, out, err) == (1, "", "liarsolve arena: interrupted\n")


def test_a_player_that_fails_is_named(capsys, monkeypatch):
    def act(self, turn, rng):
        raise ValueError("lost the dice")

    monkeypatch.setattr(HonestPlayer, "act", act)
    for game in ("--rules mia", GAME):
        status, out, err = run(capsys, f"{game} --players honest,random")
        assert (status, out) == (1, "")
        assert err.startswith("liarsolve arena: HonestPlayer() in seat 1, ")
        assert err.endswith(" raised ValueError: lost the dice\n")

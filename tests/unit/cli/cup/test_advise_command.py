import json

import pytest

from liarsolve import presets, solve
from liarsolve.cli.main import main
from liarsolve.rules import CupRules, format_cup_action
from liarsolve.solvers.cup.recursion import CupRecursion

SMALL = "--rules classic --set equipment=dice(3,4)"
RULES = presets.CLASSIC.replace(equipment="dice(3,4)")
BIDDING = "--rules common --faces 3 --dice 1,1 --hand 3"

SITUATIONS = {
    "opening": ("--holding QTT", {"holding": "QTT"}),
    "keep": ("--holding QTT --claim TT9", {"holding": "QTT", "claim": "TT9"}),
    "claim": (
        "--holding QTT --claim TT9 --passed TT9 --thrown 1",
        {"holding": "QTT", "claim": "TT9", "passed": "TT9", "thrown": 1},
    ),
    "answer": (
        "--offered QQT --claim TT9 --passed TT9 --thrown 2",
        {"offered": "QQT", "claim": "TT9", "passed": "TT9", "thrown": 2},
    ),
}


def run(capsys, command):
    status = main(["advise", *command.split()])
    return status, *capsys.readouterr()


def run_json(capsys, command):
    status, out, err = run(capsys, f"{command} --json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    return json.loads(out)


@pytest.fixture(scope="module")
def solution():
    return solve(RULES, target=1e-4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, solution):
    path = tmp_path_factory.mktemp("strategies") / "small"
    solution.save(path)
    return path


@pytest.mark.parametrize(("flags", "keywords"), SITUATIONS.values(), ids=SITUATIONS)
def test_json_is_the_advice_of_the_strategy(capsys, solution, folder, flags, keywords, request):
    report = run_json(capsys, f"--load {folder} {flags}")
    expected = solution.strategy.advise(**keywords)
    assert report["advice"] == [
        {
            "action": format_cup_action(a.action, RULES),
            "probability": a.probability,
            "expected_value": a.expected_value,
            "win_probability": a.win_probability,
            "loss_probability": 1.0 - a.win_probability,
        }
        for a in expected
    ]
    assert sum(a["probability"] for a in report["advice"]) == pytest.approx(1.0)
    assert report["question"] == request.node.callspec.id
    assert report["folder"] == str(folder)
    assert CupRules.from_dict(report["rules"]) == RULES
    low, high = report["win_bounds_here"]
    assert 0.0 <= low <= high <= 1.0
    assert high - low < 1e-4


@pytest.mark.parametrize(("flags", "keywords"), SITUATIONS.values(), ids=SITUATIONS)
def test_solving_from_the_claim_at_hand_gives_the_same(capsys, solution, flags, keywords):
    report = run_json(capsys, f"{SMALL} {flags}")
    expected = solution.strategy.advise(**keywords)
    by_action = {format_cup_action(a.action, RULES): a for a in expected}
    for item in report["advice"]:
        # Values are unique where the strategies are played; both lie within the target.
        if item["probability"] > 0.01:
            found = by_action[item["action"]].win_probability
            assert item["win_probability"] == pytest.approx(found, abs=1e-3)
    assert (report["last_claim"] == 0) == (keywords.get("claim") is None)


def test_text_of_a_first_throw(capsys, folder):
    status, out, err = run(capsys, f"--load {folder} --holding QQQ")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("You threw QQQ and open the round: claim ")
    assert "action   how often   you win" in out
    assert "are hardly ever played; --all lists them." in out
    assert "With perfect play on both sides whoever throws first wins" in out
    assert max(map(len, lines)) <= 80


def test_all_lists_every_claim(capsys, folder):
    few = run(capsys, f"--load {folder} --holding QQQ")[1]
    everything = run(capsys, f"--load {folder} --holding QQQ --all")[1]
    assert everything.count("%") - few.count("%") > 2 * (len(RULES.claims) - 10)
    assert "hardly ever" not in everything


def test_text_of_what_to_keep_goes_on_to_what_to_claim(capsys, folder, solution):
    _, out, _ = run(capsys, f"--load {folder} --holding TT9 --claim 99T")
    best = solution.strategy.advise(holding="TT9", claim="99T")[0].action
    kept = RULES.format_hand(best.faces)
    assert out.startswith(
        f"You accepted a pair of nines with a ten (99T) and see TT9: keep {kept} and throw "
    )
    then = out[out.index("you then see") :].splitlines()
    rows = [line.split() for line in then if "%" in line and set(kept) <= set(line.split()[0])]
    assert len(rows) >= 4
    n_thrown = 3 - len(best.faces)
    row = next(row for row in rows if row[0] == "QTT" or row[0] == "TTQ")
    claims = solution.strategy.probs(holding="TTQ", claim="99T", passed="TT9", thrown=n_thrown)
    favourite = max(claims, key=lambda claim: claims[claim])
    assert row[3] == RULES.format_claim(favourite)


def test_many_throws_are_cut_short_with_the_way_to_ask(capsys):
    rules = "--rules classic --set equipment=dice(3,6) --holding AT9 --claim KKK"
    _, out, _ = run(capsys, rules)
    assert "once you see one, ask with --passed AT9 --thrown " in out.replace("\n", " ")


def test_keeping_everything_and_nothing_have_words(capsys):
    _, out, _ = run(capsys, f"{SMALL} --holding QQQ --claim TTT")
    assert "keep all dice" in out.splitlines()[0] + out.splitlines()[1]
    _, out, _ = run(
        capsys,
        "--rules liar_die --set look=before_throw --set rethrow_all=no --json"
        " --holding 1 --claim 3",
    )
    assert json.loads(out)["advice"][0]["action"] == "keep none"


def test_text_of_an_offer_weighs_the_claim(capsys, folder):
    flags, _ = SITUATIONS["answer"]
    report = run_json(capsys, f"--load {folder} {flags}")
    _, out, _ = run(capsys, f"--load {folder} {flags}")
    text = " ".join(out.split())
    assert text.startswith("You are offered a pair of queens with a ten (QQT): ")
    liar = next(a for a in report["advice"] if a["action"] == "liar")
    assert report["p_true"] == 1.0 - liar["win_probability"]
    assert f"t is true with {100 * report['p_true']:.1f} %" in text
    assert "Tried for in the best way it comes of TT9 with" in text
    assert "Before that throw, perfect play on both sides gave you" in text
    assert "Taken that" not in text


def test_an_opening_claim_is_weighed_by_the_first_throw(capsys, folder):
    _, out, _ = run(capsys, f"--load {folder} --offered QQT")
    assert "It comes in the first throw with" in " ".join(out.split())


def test_the_claim_before_is_taken_to_be_the_highest_true_one(capsys, folder):
    base = f"--load {folder} --offered QQT --passed TT9 --thrown 2"
    report = run_json(capsys, base)
    assert (report["claim"], report["is_claim_assumed"]) == ("TT9", True)
    assert report["advice"] == run_json(capsys, f"{base} --claim TT9")["advice"]
    _, out, _ = run(capsys, base)
    text = " ".join(out.split())
    assert "Taken that TT9 had been accepted, the highest claim that TT9 made true" in text


def test_a_claim_never_made_is_judged_by_the_dice(capsys, folder):
    # Nobody who threw one die of three nines could have hoped for this: it cannot be true.
    report = run_json(capsys, f"--load {folder} --offered QQQ --claim 999 --passed 999 --thrown 1")
    assert report["p_true"] == 0.0
    _, out, _ = run(capsys, f"--load {folder} --offered QQQ --claim 999 --passed 999 --thrown 1")
    assert "By the strategy the other player would not claim it here" in " ".join(out.split())
    assert "Your answer is one that gives them no reason to." in " ".join(out.split())


def test_answers_that_only_deter_are_told_from_best_ones(capsys):
    command = "--rules doubtful_dice --set equipment=dice(3,3) --offered 111 --claim 22"
    command += " --passed 331 --thrown 1"
    report = run_json(capsys, command)
    wins = {a["action"]: a["win_probability"] for a in report["advice"]}
    mixture = sum(a["probability"] * a["win_probability"] for a in report["advice"])
    best = max(wins, key=lambda action: wins[action])
    gain = wins[best] - mixture
    assert gain > 0.01
    text = " ".join(run(capsys, command)[1].split())
    word = {"liar": "challenge", "accept": "accept"}[best]
    assert f"If you are sure that they know no better, to {word} wins {100 * gain:.1f} %" in text
    assert "know no better" not in run(capsys, "--rules mia --offered 64 --claim 52")[1]


def test_games_thrown_unseen_need_no_hand_passed(capsys):
    _, out, _ = run(capsys, "--rules mia --holding 41 --claim 52")
    assert out.startswith("You hold 41 and must claim more than 52: claim ")
    assert "the value is proved as a fraction" in " ".join(out.split())
    _, out, _ = run(capsys, "--rules mia --offered 64 --claim 52")
    assert "It comes in one throw with 33.3 %." in " ".join(out.split())


def test_what_is_never_done_has_no_sign(capsys):
    report = run_json(capsys, "--rules mia --offered 64 --claim 52")
    accept = next(a for a in report["advice"] if a["action"] == "accept")
    assert str(accept["probability"]) == "0.0"
    assert "-0.0" not in run(capsys, "--rules mia --offered 64 --claim 52")[1]


def test_ctrl_c_gives_what_was_reached(capsys, monkeypatch):
    solve_next = CupRecursion.solve_next
    left = [6]

    def interrupted(self, *args):
        left[0] -= 1
        if left[0] < 0 and self.game.n_hands > 2:  # not while the kernels are compiled
            raise KeyboardInterrupt
        return solve_next(self, *args)

    monkeypatch.setattr(CupRecursion, "solve_next", interrupted)
    status, out, _ = run(capsys, f"{SMALL} --holding QTT --json")
    assert (status, json.loads(out)["stop"]) == (1, "interrupted")
    status, out, _ = run(capsys, f"{SMALL} --holding QTT")
    assert status == 1
    assert out.startswith("This is a first guess")
    assert main(["solve", *SMALL.split()]) == 1


def test_cards_are_drawn_not_thrown(capsys):
    rules = "--rules liar_cards --set equipment=cards(2,3,2)"
    report = run_json(capsys, f"{rules} --holding T9")
    assert "blind passes are left out" in report["note"]
    _, out, _ = run(capsys, f"{rules} --holding J9 --claim 99")
    text = " ".join(out.split())
    assert "and draw" in text
    assert "Blind passes are left out: between two players they gain nothing" in text


def test_little_time_gives_a_first_guess(capsys):
    status, out, err = run(capsys, f"{SMALL} --holding QTT --max-seconds 1e-9")
    assert (status, err) == (0, "")
    assert out.startswith("This is a first guess: the solver has not come far in the time it had")
    assert run_json(capsys, f"{SMALL} --holding QTT --target 0.5")["stop"] == "converged"


def test_a_number_that_nobody_says_is_left_out(capsys):
    rules = f"{SMALL} --set announce_count=no"
    report = run_json(capsys, f"{rules} --holding QTT --claim TT9 --passed TT9")
    assert report["thrown"] is None
    status, _, err = run(capsys, f"{rules} --holding QTT --claim TT9 --passed TT9 --thrown 1")
    assert status == 2
    assert "nobody says how many are thrown, got 1" in err


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        ("--claim TT9", "say either --hand, the hand you see, or --offered, the claim"),
        ("--holding QTT --offered QQT", "the claim you must answer; got both"),
        ("--holding QT", "a hand has 3 dice, got 2 in 'QT'"),
        ("--holding QTX", "the faces are 9TJQ, got 'QTX'"),
        ("--holding QTT --claim QQ", "'QQ' is not one of the"),
        (
            "--offered TT9 --claim QQT --passed QQT --thrown 1",
            "claim refused: CL.9 a claim must be higher than the last one; got TT9 on QQT "
            "(docs/rules.md explains CL.9)",
        ),
        (
            "--holding QTT --claim QQQ",
            "with top_claim=accept_try whoever accepts the highest claim, QQQ, throws for it, and "
            "that ends the round",
        ),
        (
            "--holding QTT --claim QQQ --set top_claim=must_challenge",
            "accept refused: BX.8 the highest claim, QQQ, has to be challenged (docs/rules.md "
            "explains BX.8)",
        ),
        (
            "--holding QTT --claim QQQ --set top_claim=concede_1_or_look_2",
            "accept refused: with top_claim=concede_1_or_look_2 the highest claim, QQQ, is "
            "conceded or challenged",
        ),
        (
            "--holding QTT --claim TT9 --passed 999 --thrown 1",
            "TTQ cannot come of 999 when 1 is thrown: 2 dice must be the same, and 0 are",
        ),
        ("--holding QTT --claim TT9 --passed 999", "say how many dice were --thrown: one of 0, 1"),
        ("--holding QTT --claim TT9 --passed 999 --thrown 4", "0, 1, 2, 3; got 4"),
        ("--holding QTT --claim TT9 --thrown 1", "thrown again, so it needs --passed"),
        ("--holding QTT --passed 999", "--passed is about a later throw, so it needs --claim"),
        ("--offered QTT --thrown 2", "--thrown is about a later throw, so it needs --passed or"),
        ("--offered QQT --claim TT9", "needs --passed, the hand that was accepted and seen"),
        ("--offered 99T --passed 999 --thrown 1", "may follow no other claim, so it opened"),
        ("--holding QTT --hand 3", "--hand and --holding say the same, so give one of them"),
        ("--hand QTT --players 1", "--players is a number from 2 to 12, got 1"),
        ("--hand QTT --claim TT9 --players 3", "with 3 players it matters later in a round who"),
        ("--guide --players 3", "--guide is about two players, got a round of 3"),
        ("--guide --all", "--guide has no actions to list, so --all would do nothing"),
        ("--hand QTT --exact-payoff 2,1", "so --exact-payoff would do nothing"),
        ("--hand QTT --max-seconds 0", "--max-seconds is a time above 0, got 0"),
        ("--holding QTT --history 1x2", "so --history would do nothing"),
        ("--holding QTT --dice 1,1", "so --dice would do nothing"),
        ("--holding QTT --guide", "--guide is about the whole game, so --hand would do nothing"),
        ("--holding QTT --target -1", "--target is an exploitability of 0 or more, got -1"),
    ],
)  # fmt: skip
def test_nonsense_gets_one_clear_sentence(capsys, flags, sentence):
    status, out, err = run(capsys, f"{SMALL} {flags}")
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (f"{BIDDING} --offered 3", "common is a game of bidding, so --offered would do nothing"),
        (f"{BIDDING} --players 3", "common is a game of bidding, so --players would do nothing"),
        ("--guide", "--guide is about a cup game; say which one with --rules, such as --rules"),
        ("--hand 43 --claim 42", "--claim is about a cup game; say which one with --rules"),
        (f"{BIDDING} --guide", "common is a game of bidding, so --guide would do nothing"),
        ("", "say which dice you hold, such as --hand 3,3"),
        ("--rules common --dice 1,1", "say which dice you hold, such as --hand 3,3"),
        (
            "--rules mia --holding 41 --claim 52 --passed 41",
            "in mia all dice are thrown again unseen, so --passed would do nothing",
        ),
    ],
)
def test_the_families_are_told_apart(capsys, command, sentence):
    status, out, err = run(capsys, command)
    assert (status, out) == (2, "")
    assert sentence in err


def test_hand_and_holding_are_one_word_in_both_families(capsys, folder):
    advice = [run_json(capsys, f"--load {folder} {word} QTT") for word in ("--hand", "--holding")]
    assert advice[0] == advice[1]
    _, out, _ = run(capsys, BIDDING)
    assert run(capsys, BIDDING.replace("--hand", "--holding"))[1].split()[:8] == out.split()[:8]


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        ("--holding QTT --rules box", "holds classic, equipment=dice(3,4), not box"),
        ("--holding QTT --target 1e-3", "is solved already, so --target would do nothing"),
        ("--holding QTT --max-seconds 3", "so --max-seconds would do nothing"),
        ("--hand QTT --history 1x2", "so --history would do nothing"),
        ("--hand QTT --players 3", "holds a round of 2 players, got --players 3"),
        ("--hand 3", "the faces are 9TJQ, got '3'"),
    ],
)
def test_a_folder_answers_for_its_own_game(capsys, folder, flags, sentence):
    status, out, err = run(capsys, f"--load {folder} {flags}")
    assert (status, out) == (2, "")
    assert sentence in err


def test_a_folder_of_a_bidding_game_is_refused(capsys, tmp_path):
    solve(presets.COMMON.replace(faces=2), (1, 1)).save(tmp_path / "common")
    status, _, err = run(capsys, f"--load {tmp_path / 'common'} --offered QTT")
    assert status == 2
    assert "a game of bidding; ask it with --hand and --history" in err
    status, _, err = run(capsys, f"--load {tmp_path / 'nowhere'} --holding QTT")
    assert (status, err.count("\n")) == (2, 1)


def test_rules_may_be_named_beside_their_folder(capsys, folder):
    assert run_json(capsys, f"--load {folder} {SMALL} --holding QTT")["question"] == "opening"


@pytest.mark.parametrize(
    "options",
    [
        "--set lives=5",
        "--set penalty_liar=2,1 --set next_starter=winner",
        "--set end=first_out_loses --set extra_life=everyone --set min_players=3",
    ],
)
def test_a_folder_opens_whatever_lives_and_payments_are(capsys, folder, options):
    asked = run_json(capsys, f"--load {folder} {SMALL} {options} --guide")
    assert asked == run_json(capsys, f"--load {folder} --guide")


def test_a_folder_stays_closed_if_a_round_is_played_otherwise(capsys, folder):
    status, out, err = run(capsys, f"--load {folder} {SMALL} --set truth=matches --guide")
    assert (status, out) == (2, "")
    assert "holds classic, equipment=dice(3,4), not classic, equipment=dice(3,4), truth=m" in err


def test_guide_is_one_page(capsys, folder):
    status, out, err = run(capsys, f"--load {folder} --guide")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "HOW TO PLAY CLASSIC, EQUIPMENT=DICE(3,4)"
    assert len(lines) <= 66
    assert max(map(len, lines)) <= 80
    report = run_json(capsys, f"{SMALL} --guide")
    assert report["first_throws"][0]["share"] > 0.0
    assert report["folder"] is None


def test_guide_needs_the_whole_round(capsys):
    status, out, err = run(capsys, f"{SMALL} --guide --max-seconds 1e-9")
    assert (status, out) == (2, "")
    assert "a guide needs the whole round" in err


def test_a_hand_is_a_hand_in_every_game(capsys, folder):
    named = run(capsys, f"--load {folder} --hand QTT --json")
    assert named == run(capsys, f"--load {folder} --holding QTT --json")
    assert named[0] == 0

"""Strategies of cup games: situations, advice, and solutions stored and read back."""

import json
import shutil

import numpy as np
import pytest

from liarsolve import CupSolution, CupStrategy, load, presets, solve
from liarsolve.claims import MULTIPLICITY, NothingClaims
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import (
    IllegalActionError,
    InputError,
    InputTypeError,
    NotSolvedError,
    RuleError,
    StorageError,
)
from liarsolve.rules import CHALLENGE, CupMove, CupRules, Keep
from liarsolve.solvers import StopReason
from liarsolve.strategy.cup.solve import solve_cup_round_exactly
from liarsolve.strategy.storage import MANIFEST

TOY = CupRules(
    name="toy",
    equipment=Equipment.dice(2, 3),
    ranking=MULTIPLICITY,
    nothing_claims=NothingClaims.NAMED,
)


@pytest.fixture(scope="module")
def solution():
    return solve(TOY, target=1e-6)


@pytest.fixture(scope="module")
def strategy(solution):
    return solution.strategy


def total(advice):
    return sum(item.probability for item in advice)


def mean(advice):
    return sum(item.probability * item.win_probability for item in advice)


def test_what_is_claimed_first_is_worth_the_value(solution, strategy):
    low, high = solution.win_bounds
    chance = 0.0
    for hand, weight in zip(TOY.equipment.hands, TOY.equipment.weights, strict=True):
        advice = strategy.advise(holding=hand)
        assert total(advice) == pytest.approx(1.0)
        assert len(advice) == len(TOY.claims)
        best = max(item.win_probability for item in advice)
        assert mean(advice) == pytest.approx(best, abs=1e-6)
        chance += mean(advice) * weight / 9
    assert low - 1e-9 <= chance <= high + 1e-9


def test_what_is_kept_is_worth_the_value_of_the_state(strategy):
    for hand_id, hand in enumerate(TOY.equipment.hands):
        advice = strategy.advise(holding=hand, claim="21")
        assert all(isinstance(item.action, Keep) for item in advice)
        kept = {item.action.faces for item in advice}
        assert {(), hand, hand[:1], hand[1:]} == kept
        assert total(advice) == pytest.approx(1.0)
        claim = TOY.claims.index(TOY.parse_claim("21"))
        value = strategy.policy.low[hand_id, claim]
        assert mean(advice) == pytest.approx(value, abs=1e-6)
        assert max(item.win_probability for item in advice) == pytest.approx(value, abs=1e-6)


def test_keeping_all_of_a_hand_that_was_seen_makes_every_lie_plain(strategy):
    situation = {"claim": "21", "passed": "22", "thrown": 0}
    probs = {str(k): v for k, v in named(strategy.advise(holding="22", **situation)).items()}
    assert set(probs) == {"31", "32", "11", "22", "33"}
    lie = strategy.advise(offered="33", **situation)
    assert {item.action: item.probability for item in lie} == {CHALLENGE: 1.0}  # the top claim
    truth = strategy.advise(offered="22", **situation)
    assert truth[0].action is CupMove.ACCEPT
    assert {item.action: item.win_probability for item in truth}[CHALLENGE] == 0.0


def named(advice):
    return {TOY.format_claim(item.action): item.win_probability for item in advice}


def test_answers_to_a_claim(strategy):
    for offered in ("21", "31", "32", "11", "22", "33"):
        advice = strategy.advise(offered=offered)
        assert total(advice) == pytest.approx(1.0)
        chances = {item.action: item.win_probability for item in advice}
        if offered == "33":
            assert set(chances) == {CHALLENGE}
        else:
            assert set(chances) == {CHALLENGE, CupMove.ACCEPT}
        for item in advice:
            assert item.expected_value == 2 * item.win_probability - 1
            if 0.01 < item.probability < 0.99:  # both answers are as good where both are given
                assert item.win_probability == pytest.approx(max(chances.values()), abs=1e-6)


def test_the_claim_before_is_taken_to_be_the_highest_true_one(strategy):
    given = strategy.probs(offered="22", passed="11", thrown=1, claim="11")
    assert strategy.probs(offered="22", passed="11", thrown=1) == given
    # a hand below everything: the lowest claim
    low = strategy.probs(offered="31", passed="21", thrown=2)
    assert low == strategy.probs(offered="31", passed="21", thrown=2, claim="21")


def test_a_claim_that_is_never_made_is_believed_by_the_dice_alone(strategy):
    situation = {"claim": "21", "passed": "22", "thrown": 0}
    never = strategy.advise(offered="31", **situation)  # the hand is known to be 22
    assert {item.action: item.win_probability for item in never}[CHALLENGE] == 0.0


def test_draws_follow_the_probabilities(strategy):
    rng = np.random.default_rng(5)
    probs = strategy.probs(offered="31")
    drawn = [strategy.sample(offered="31", rng=rng) for _ in range(400)]
    assert drawn.count(CupMove.ACCEPT) / 400 == pytest.approx(probs[CupMove.ACCEPT], abs=0.1)
    assert strategy.sample(offered="33", rng=1) is CHALLENGE
    with pytest.raises(
        InputTypeError, match="rng is a numpy random Generator, or a seed of 0 or more, got 'x'"
    ):
        strategy.sample(offered="33", rng="x")


@pytest.mark.parametrize(
    ("situation", "error", "message"),
    [
        ({}, InputError, "say either hand, the hand you see, or offered, .* got neither"),
        ({"holding": "11", "offered": "22"}, InputError, "got both"),
        (
            {"holding": "11", "thrown": 1},
            InputError,
            "thrown is about a later throw, so it needs claim, the claim",
        ),
        ({"holding": "11", "claim": "21", "thrown": 1}, InputError, "so it needs passed"),
        (
            {"offered": "11", "thrown": 1},
            InputError,
            "thrown is about a later throw, so it needs passed or claim",
        ),
        (
            {"offered": "22", "claim": "11"},
            InputError,
            "a claim after another one needs passed, the hand that",
        ),
        (
            {"offered": "22", "claim": "11", "passed": "11", "thrown": 3},
            InputError,
            "thrown is the number of dice, 0, 1, 2; got 3",
        ),
        (
            {"offered": "11", "claim": "22", "passed": "11", "thrown": 1},
            IllegalActionError,
            "claim refused: CL.9 a claim must be higher than the last one; got 11 on 22",
        ),
        ({"offered": "21", "passed": "11", "thrown": 1}, IllegalActionError, "opened the round"),
        (
            {"holding": "11", "claim": "33"},
            IllegalActionError,
            "accept refused: BX.8 the highest claim, 33, has to be challenged",
        ),
        (
            {"holding": "11", "claim": "21", "passed": "22", "thrown": 1},
            InputError,
            "11 cannot come of 22 when 1 is thrown: 1 die must be the same, and 0 are",
        ),
        ({"holding": "44"}, InputError, "4"),
    ],
    ids=str,
)
def test_situations_that_cannot_be_are_refused(strategy, situation, error, message):
    with pytest.raises(error, match=message):
        strategy.advise(**situation)


def test_where_all_is_thrown_unseen_the_claim_says_it_all():
    strategy = solve(presets.MIA).strategy
    assert total(strategy.advise(holding="65", claim="54")) == pytest.approx(1.0)
    assert set(strategy.probs(offered="66", claim="54")) == {CHALLENGE, CupMove.ACCEPT}
    assert set(strategy.probs(offered="21", claim="54")) == {CHALLENGE}
    with pytest.raises(
        InputError, match="all dice are thrown again unseen, so passed would do nothing"
    ):
        strategy.probs(offered="66", claim="54", passed="11")


def test_where_the_number_is_not_announced_it_is_not_given():
    strategy = solve(TOY.replace(announce_count=False)).strategy
    assert total(strategy.advise(holding="22", claim="21", passed="22")) == pytest.approx(1.0)
    with pytest.raises(InputError, match="nobody says how many are thrown, got 1"):
        strategy.advise(holding="22", claim="21", passed="22", thrown=1)


def test_advice_from_a_high_claim_needs_the_higher_ones_alone(strategy):
    part = solve(TOY, target=1e-6, from_claim="11")
    assert part.stop is StopReason.CONVERGED
    assert part.exploitability <= 1e-6 < part.value_bounds[1] - part.value_bounds[0]
    for situation in (
        {"holding": "22", "claim": "11"},
        {"holding": "32", "claim": "11", "passed": "22", "thrown": 2},
        {"offered": "22", "claim": "11", "passed": "21", "thrown": 1},
    ):
        assert part.strategy.probs(**situation) == strategy.probs(**situation)
    for situation in ({"holding": "22", "claim": "32"}, {"holding": "22"}, {"offered": "22"}):
        with pytest.raises(NotSolvedError, match="only what follows 11 and higher claims was solv"):
            part.strategy.probs(**situation)


def test_an_accepted_top_claim_can_be_answered_with_a_try():
    rules = TOY.replace(top_claim="accept_try", top_throws=2)
    strategy = solve(rules, target=1e-6).strategy
    chances = {item.action: item.win_probability for item in strategy.advise(offered="33")}
    success = float(rules.try_success((1, 1)))
    assert chances[CupMove.ACCEPT] == pytest.approx(success, abs=1e-12)


# --- stored solutions ----------------------------------------------------------------------------


@pytest.fixture
def folder(solution, tmp_path):
    solution.save(tmp_path / "toy")
    return tmp_path / "toy"


def test_stored_solutions_say_the_same(solution, folder):
    again = load(folder)
    assert isinstance(again, CupSolution)
    assert isinstance(again.strategy, CupStrategy)
    assert again.to_dict() == solution.to_dict()
    assert repr(again) == repr(solution)
    assert isinstance(again.result.low, np.memmap)
    for situation in ({"holding": "21"}, {"offered": "32"}, {"holding": "22", "claim": "21"}):
        assert again.strategy.advise(**situation) == solution.strategy.advise(**situation)


def test_a_solution_is_plain_values_for_json(solution):
    report = json.loads(json.dumps(solution.to_dict()))
    low, high = solution.win_bounds
    assert report["win_bounds"] == [low, high]
    assert report["value_bounds"] == list(solution.value_bounds)
    assert report["exploitability"] == solution.exploitability == pytest.approx(high - low)
    assert report["nash_conv"] == solution.nash_conv == 2 * solution.exploitability
    assert report["stop"] == "converged"
    assert report["states"] == solution.n_states == 37
    assert report["iterations"] == solution.iterations > 0
    assert report["seconds"] == solution.seconds > 0
    assert report["exact_value"] is None
    assert report["rules"]["equipment"] == "dice(2,3)"


def test_fractions_are_stored(tmp_path):
    exact = solve_cup_round_exactly(TOY)
    assert exact.stop is StopReason.EXACT
    exact.save(tmp_path / "exact")
    again = load(tmp_path / "exact")
    assert str(again.exact_win_probability) == "421/648"
    assert str(again.exact_value) == "97/324"


def test_solutions_are_not_written_over(solution, folder):
    with pytest.raises(StorageError, match="exists already"):
        solution.save(folder)
    solution.save(folder, overwrite=True)


def change_manifest(folder, **changes):
    manifest = json.loads((folder / MANIFEST).read_text()) | {"crc32": None}
    for name, value in changes.items():
        if value is None:
            del manifest[name]
        else:
            manifest[name] = value
    (folder / MANIFEST).write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": {"equipment": "dice(2,4)"}}, r"low should be float64\[10, "),
        ({"win_bounds": [0.5]}, "damaged manifest: win_bounds "),
        ({"win_bounds": ["nan", 1.0]}, "damaged manifest: win_bounds "),
        ({"stop": "nowhere"}, "damaged manifest"),
        ({"pivots": None}, "damaged manifest"),
        ({"rules": {"look": "sideways"}}, "damaged manifest"),
    ],
    ids=str,
)
def test_damaged_manifests_are_refused(folder, changes, message):
    change_manifest(folder, **changes)
    with pytest.raises(StorageError, match=message):
        load(folder)


def test_damaged_arrays_are_refused(solution, folder):
    array = np.load(folder / "low.npy")
    np.save(folder / "low.npy", array + 1e-9)
    with pytest.raises(StorageError, match="checksum"):
        load(folder)
    shutil.rmtree(folder)
    object.__setattr__(solution.result, "low", solution.result.low + 2.0)
    try:
        solution.save(folder)
    finally:
        object.__setattr__(solution.result, "low", solution.result.low - 2.0)
    with pytest.raises(StorageError, match="low and high are not bounds of probabilities"):
        load(folder)


# --- what can be asked for -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"players": 1}, InputError, "players is a whole number of 2 or more, got 1"),
        ({"players": "2"}, InputTypeError, "players is a whole number of 2 or more, got '2'"),
        ({"target": "small"}, InputTypeError, "target is a number of 0 or more, got 'small'"),
        ({"n_threads": 0}, InputError, "n_threads is a whole number of 1 or more, got 0"),
        ({"on_progress": 3}, InputTypeError, "on_progress is a function, got 3"),
        ({"from_claim": 44}, InputTypeError, "from_claim is a claim as text, .* got 44"),
        ({"max_seconds": True}, InputTypeError, "max_seconds is a number, got True"),
        ({"dice": (2, 2)}, InputTypeError, "the rules of a cup game say how many dice"),
        ({"variant": "cfr"}, InputTypeError, "to solve a cup game there is no argument variant"),
        ({"from_claim": "44"}, InputError, "4"),
    ],
    ids=str,
)
def test_arguments_that_make_no_sense_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        solve(TOY, **arguments)


def test_arguments_of_the_cup_are_refused_for_bidding():
    with pytest.raises(InputTypeError, match="to solve a bidding round there is no argument play"):
        solve(presets.COMMON, (1, 1), players=2)
    with pytest.raises(InputTypeError, match="a bidding round needs dice"):
        solve(presets.COMMON)


def test_rules_are_refused_with_the_option_to_change():
    with pytest.raises(RuleError, match=r"blind_pass=any cannot .* use blind_pass=off"):
        solve(presets.BOX.replace(blind_claim="same"))


def test_blind_passes_that_gain_nothing_are_left_out():
    rules = presets.BOX.replace(equipment="dice(2,3)", ranking="multiplicity")
    solution = solve(rules, target=1e-6)
    assert solution.rules == rules.replace(blind_pass="off")
    assert solution.value_bounds == solve(solution.rules, target=1e-6).value_bounds


def test_bounds_are_never_outside_of_what_can_be_won():
    low, high = solve(TOY, max_seconds=1e-9).value_bounds
    assert -1.0 <= low < high <= 1.0
    assert high == 1.0

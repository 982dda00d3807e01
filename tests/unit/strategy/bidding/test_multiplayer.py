"""Solutions of three and more players: what they say, how they are asked, saved and copied."""

import json
from dataclasses import replace

import numpy as np
import pytest

from liarsolve import Bid, BiddingSolution, compact, load, presets, solve, solve_exact
from liarsolve.errors import InputError, RuleError, StorageError
from liarsolve.game import Payoffs, Start, StrategyProfile
from liarsolve.rules import CHALLENGE
from liarsolve.solvers import ProfileCertificate, ProfileEvaluator, StopReason, certify_profile

RULES = presets.PERUDO.replace(faces=3)
ROUNDING = 1e-12


@pytest.fixture(scope="module")
def solution():
    return solve(RULES, dice=(1, 2, 1), target=5e-3)


def test_values_and_nash_conv_belong_together(solution):
    assert solution.stop is StopReason.CONVERGED
    assert (solution.value_bounds, solution.exploitability) == (None, None)
    assert len(solution.values) == 3
    assert sum(solution.values) == pytest.approx(0.0, abs=1e-4)  # what was left out counts against
    gains = np.subtract(solution.result.certificate.br_values, solution.values)
    assert solution.nash_conv == pytest.approx(gains.sum(), abs=1e-11)
    assert solution.nash_conv <= 5e-3


@pytest.mark.parametrize("name", ["value_bounds", "exploitability"])
def test_there_is_no_value_of_the_round(solution, name):
    assert getattr(solution, name) is None


def test_two_players_have_values_too():
    duel = solve(presets.COMMON.replace(faces=3), dice=(1, 1), target=1e-4)
    assert duel.value_bounds is not None
    assert duel.values == pytest.approx((-1 / 9, 1 / 9), abs=2e-4)
    assert duel.to_dict()["values"] is None


def test_summary_is_plain_json(solution):
    summary = solution.to_dict()
    assert json.loads(json.dumps(summary)) == summary
    assert summary["dice"] == [1, 2, 1]
    assert summary["values"] == list(solution.values)
    assert summary["nash_conv"] == solution.nash_conv
    assert summary["value_bounds"] is summary["exploitability"] is None
    assert summary["method"] == "predictive+"


def test_repr_tells_the_result(solution):
    first = f"{solution.values[0]:.4g}"
    assert repr(solution).startswith(
        f"BiddingSolution(rules='perudo, faces=3', dice=(1, 2, 1), values=({first}, "
    )
    assert repr(solution).endswith(f"nash_conv={solution.nash_conv:.3g}, stop=CONVERGED)")


def test_palifico_and_payoffs_change_the_round(solution):
    palifico = solve(RULES, (1, 2, 1), palifico=True, max_iterations=30)
    calza = solve(RULES, (1, 2, 1), exact_payoff=(5, 0.5), max_iterations=30)
    assert palifico.result.tree.graph.round.palifico
    assert palifico.values != calza.values
    assert calza.result.payoffs.exact_right == 5.0


def test_threads_do_not_change_a_bit():
    one, many = (solve(RULES, (1, 1, 1), max_iterations=20, n_threads=n) for n in (1, 3))
    assert one.result.certificate == many.result.certificate
    for a, b in zip(arrays_of(one), arrays_of(many), strict=True):
        assert a.tobytes() == b.tobytes()


def test_calls_out_of_turn_are_refused():
    for options in ({"challenge_who": "any"}, {"exact_who": "any_but_bidder"}):
        with pytest.raises(RuleError) as caught:
            solve(RULES.replace(**options), (1, 1, 1))
        assert str(caught.value) == (
            "calls out of turn cannot be solved; use challenge_who=next and exact_who=next"
        )


def test_a_linear_program_is_for_payoffs_that_sum_to_zero():
    lopsided = Payoffs(bidder_loses=((1.0, -2.0), (-2.0, 1.0)))
    with pytest.raises(InputError) as caught:
        solve_exact(presets.COMMON.replace(faces=2), (1, 1), payoffs=lopsided)
    assert str(caught.value) == (
        "a linear program solves rounds in which the payoffs of the two players sum to 0; "
        "use solve for others"
    )
    unequal = solve(presets.COMMON.replace(faces=2), (1, 1), payoffs=lopsided)
    assert unequal.value_bounds is None


# --- asking -----------------------------------------------------------------------------------

HISTORIES = [[], ["1x3"], ["1x2", "1x1"], ["1x2", "2x3", "3x2"], ["1x2", "1x3", "2x2", "3x2"]]


@pytest.mark.parametrize("history", HISTORIES, ids=len)
def test_advice_is_a_policy_whose_mixture_is_worth_its_value(solution, history):
    """What the actions are worth, weighed by how often they are played, is worth the hand."""
    strategy, graph = solution.strategy, solution.result.tree.graph
    player = len(history) % 3
    some_hand = graph.hands[player][0]
    place, reach = strategy._locate(strategy.situation(some_hand, history))
    beliefs = [
        own / own.sum() if own.sum() > 0 else probs
        for own, probs in zip(reach, graph.hand_probs, strict=True)
    ]
    profile = StrategyProfile(strategy.tree, strategy.weights, strategy.payoffs)
    start = Start(state=place.state, node=place.node, reach=beliefs)
    values = ProfileEvaluator(profile).hand_values(player, start)
    for hand_id, hand in enumerate(graph.hands[player]):
        advice = strategy.advise(hand, history)
        probs = strategy.probs(hand, history)
        assert sum(probs.values()) == pytest.approx(1.0)
        assert {a.action: a.probability for a in advice} == probs
        mixture = sum(a.probability * a.expected_value for a in advice)
        assert mixture == pytest.approx(values[hand_id], abs=1e-9)


def test_a_challenge_is_worth_what_the_other_dice_say():
    """One two has been bid, and player 1 holds none.

    The bid is true if player 2 holds a two, of whom nothing is known, or player 0, of whom the bid
    tells something.
    """
    rules = presets.COMMON.replace(faces=3)
    solution = solve(rules, (1, 1, 1), target=1e-3)
    strategy = solution.strategy
    by_hand = np.array([strategy.probs((face,))[Bid(1, 2)] for face in (1, 2, 3)])
    assert by_hand.sum() > 0
    p_two = by_hand[1] / by_hand.sum()
    advice = {a.action: a.expected_value for a in strategy.advise((3,), ["1x2"])}
    p_true = 1 - (1 - p_two) * (2 / 3)
    assert advice[CHALLENGE] == pytest.approx(-p_true + (1 - p_true) / 2)


def test_a_sample_is_a_legal_action(solution):
    history = ["1x2"]
    for seed in range(5):
        action = solution.strategy.sample((1, 2), history, rng=seed)
        assert solution.strategy.probs((1, 2), history)[action] > 0


def test_hands_are_those_of_the_player_on_turn(solution):
    with pytest.raises(InputError, match="seat 2 is on turn and has 2 dice"):
        solution.strategy.probs((1,), ["1x2"])


# --- saving and copying -----------------------------------------------------------------------


def arrays_of(solution):
    tree = solution.result.tree
    return [tree.node, tree.first_edge, *tree.children, *solution.result.strategy]


def test_everything_comes_back(solution, tmp_path):
    vectors = ((1.0, -0.25, -0.75),) * 3
    paid = solve(RULES, (1, 1, 1), payoffs=Payoffs(exact_right=vectors), max_iterations=20)
    for number, stored in enumerate((solution, paid)):
        stored.save(tmp_path / str(number))
        back = load(tmp_path / str(number))
        assert back.to_dict() == stored.to_dict()
        assert back.result.payoffs == stored.result.payoffs
        assert back.result.certificate == stored.result.certificate
        for a, b in zip(arrays_of(back), arrays_of(stored), strict=True):
            assert (a.dtype, a.tobytes()) == (b.dtype, b.tobytes())
        hand = (1, 2) if number == 0 else (1,)
        assert back.strategy.advise(hand, ["1x2"]) == stored.strategy.advise(hand, ["1x2"])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"values": None}, "values are missing"),
        ({"values": [0.0, 0.0]}, "values must be one finite number per player, got (0.0, 0.0)"),
        ({"br_values": [0, 0, "nan"]}, "br_values must be one finite number per player"),
    ],
)
def test_damaged_certificates_are_refused(solution, tmp_path, change, sentence):
    solution.save(tmp_path / "stored")
    path = tmp_path / "stored" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"crc32": None} | change))
    with pytest.raises(StorageError) as caught:
        load(tmp_path / "stored")
    assert sentence in str(caught.value)


def test_a_small_copy_is_measured_anew(solution):
    copy = compact(solution, cutoff=0.05, bits=8)
    assert copy.result.tree.n_states < solution.result.tree.n_states
    certificate = certify_profile(copy.result.profile)
    assert copy.nash_conv == certificate.nash_conv
    assert copy.values == certificate.values
    assert copy.strategy.advise((1, 2), ["1x2"])[0].probability > 0


# --- what a measurement left out -----------------------------------------------------------------


def test_values_that_leave_much_out_are_none(monkeypatch):
    """A certificate that was cut counts the rest as lost for every seat: that is no value."""
    solution = solve(presets.COMMON.replace(faces=2), (1, 1, 1), target=1e-3)
    assert solution.left_out < 1e-9
    assert sum(solution.values) == pytest.approx(0.0, abs=1e-9)
    cut = ProfileCertificate((-0.9, -1.0, -1.0), (1.0, 1.0, 1.0))
    unfinished = BiddingSolution(replace(solution.result, certificate=cut))
    assert unfinished.left_out == pytest.approx(2.9)
    assert unfinished.values is None
    assert unfinished.nash_conv == pytest.approx(5.9)

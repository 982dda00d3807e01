"""Advice on the first throw and the first claim where players look at what they are passed."""

from dataclasses import replace

import pytest

from liarsolve import load, presets, read_situation, solve
from liarsolve.errors import InputError
from liarsolve.rules import CHALLENGE, CupMove, Thrown
from liarsolve.strategy.cup.first_turns import CupFirstTurns, first_turn_problem

RULES = presets.CLASSIC.replace(equipment="dice(2,3)", nothing_claims="named")


@pytest.fixture(scope="module")
def solution():
    return solve(RULES, players=3, target=1e-2)


def offered(claim):
    return read_situation(RULES, offered=RULES.format_claim(claim))


def mean(advice):
    assert sum(a.probability for a in advice) == pytest.approx(1.0)
    return sum(a.probability * a.expected_value for a in advice)


def test_what_is_claimed_first_is_worth_what_seat_1_gets(solution):
    total = 0.0
    kit = RULES.equipment
    for hand, weight in zip(kit.hands, kit.weights, strict=True):
        advice = solution.advise(hand=hand)
        state = solution.result.table.state_after([Thrown(hand)])
        assert {a.action: a.probability for a in advice} == solution.strategy.policy(state)
        total += weight / 9 * mean(advice)
    # Both are sums of some hundred rounded terms.
    assert total == pytest.approx(solution.values[0], abs=1e-12)


def test_answers_to_the_first_claim_are_worth_what_seat_2_gets(solution):
    asked = solution.asked
    frequencies = {claim: asked.offer_frequency(offered(claim)) for claim in RULES.claims}
    assert sum(frequencies.values()) == pytest.approx(1.0)
    total = sum(p * mean(asked.advise(offered(claim))) for claim, p in frequencies.items())
    assert total == pytest.approx(solution.values[1], abs=1e-12)


def test_a_challenge_loses_if_the_claim_is_true(solution):
    for claim in RULES.claims:
        known = offered(claim)
        advice = {a.action: a for a in solution.advise(known)}
        p_true = solution.asked.p_true(known)
        assert advice[CHALLENGE].loss_probability == pytest.approx(p_true, abs=1e-12)
        # The loser pays 1, which the two others share.
        assert advice[CHALLENGE].expected_value == pytest.approx(0.5 - 1.5 * p_true, abs=1e-12)


def test_a_claim_never_made_is_judged_by_the_dice(solution):
    lowest, table = RULES.claims[0], solution.result.table
    probs, kit = solution.strategy.action_probs.copy(), RULES.equipment
    for hand in kit.hands:  # whoever would make the lowest claim makes the highest
        first, stop = solution.strategy.actions_at(table.state_after([Thrown(hand)]))
        probs[stop - 1] += probs[first]
        probs[first] = 0.0
    changed = replace(solution.result, strategy=replace(solution.strategy, action_probs=probs))
    asked = CupFirstTurns(changed)
    assert (asked.offer_frequency(offered(lowest)), asked.p_true(offered(lowest))) == (0.0, 1.0)
    advice = {a.action: a for a in asked.advise(offered(lowest))}
    assert advice[CHALLENGE].loss_probability == pytest.approx(1.0)
    # What was claimed before is now claimed with other hands: acceptance meets any of them.
    assert 0.0 < advice[CupMove.ACCEPT].loss_probability < 1.0
    assert changed.strategy.action_probs is probs
    middle = RULES.claims[3]
    weights = zip(kit.hands, kit.weights, strict=True)
    by_dice = sum(w / 9 for h, w in weights if RULES.claims.is_true(3, h, RULES.truth))
    assert 0.0 < by_dice < 1.0
    for hand in kit.hands:
        first, stop = solution.strategy.actions_at(table.state_after([Thrown(hand)]))
        probs[stop - 1] += probs[first + 3]
        probs[first + 3] = 0.0
    assert asked.p_true(offered(middle)) == pytest.approx(by_dice)
    challenge = next(a for a in asked.advise(offered(middle)) if a.action is CHALLENGE)
    assert challenge.loss_probability == pytest.approx(by_dice)


def test_a_highest_claim_that_must_be_challenged_has_one_answer():
    rules = RULES.replace(top_claim="must_challenge")
    solution = solve(rules, players=3, target=0.1)
    known = read_situation(rules, offered="JJ")
    (only,) = solution.advise(known)
    p_true = solution.asked.p_true(known)
    assert (only.action, only.probability, only.loss_probability) == (CHALLENGE, 1.0, p_true)
    assert only.expected_value == pytest.approx(0.5 - 1.5 * p_true)


@pytest.mark.parametrize(
    "known",
    [
        {"hand": "JT", "claim": "T9"},
        {"hand": "JT", "claim": "T9", "passed": "TT", "thrown": 1},
        {"offered": "JT", "claim": "T9", "passed": "TT", "thrown": 1},
    ],
)
def test_later_turns_are_refused_in_a_sentence(solution, known):
    problem = first_turn_problem(read_situation(RULES, **known), 3)
    assert problem.endswith("advice is given on the first throw and on the first claim")
    with pytest.raises(InputError, match=r"who sits where .*; ask strategy.policy\(state\)"):
        solution.advise(**known)


def test_it_is_what_a_solution_is_asked_by(solution):
    assert isinstance(solution.asked, CupFirstTurns)
    with pytest.raises(InputError, match="no claim is offered in"):
        solution.asked.p_true(read_situation(RULES, hand="JT"))


def test_what_was_loaded_gives_the_same_advice(solution, tmp_path):
    solution.save(tmp_path / "seen")
    again = load(tmp_path / "seen")
    for known in ({"hand": "JT"}, {"offered": "JJ"}):
        assert again.advise(**known) == solution.advise(**known)

"""Strategies of cup games without rounding dust and without dominated actions."""

import numpy as np
import pytest

from liarsolve import presets, solve
from liarsolve.rules import CHALLENGE, CupMove, CupPhase, CupRound
from liarsolve.solvers import Limits, solve_cup_cfr
from liarsolve.solvers.cup.cleaning import drop_dust
from liarsolve.solvers.cup.stages import Side
from liarsolve.solvers.cup.unseen import UnseenTables, measure_unseen

SEEN = presets.CLASSIC.replace(equipment="dice(3,4)")
THROWS = [(a, b) for a in range(1, 7) for b in range(1, 7)]


def rank_in_mia(throw):
    """Height of a throw, as the rules of Mia tell it."""
    high, low = max(throw), min(throw)
    if (high, low) == (2, 1):
        return 1000
    return 100 * high if high == low else 10 * high + low


@pytest.fixture(scope="module")
def mia():
    return solve(presets.MIA)


def test_dust_goes_and_the_rest_adds_up():
    probs = np.array([[0.5, 0.5 - 1e-9, 1e-9], [0.25, 0.25, 0.5]])
    cleaned = drop_dust(probs, 1e-8)
    assert cleaned[0, 2] == 0.0
    assert cleaned[0].sum() == pytest.approx(1.0, abs=1e-15)
    assert cleaned[1].tolist() == probs[1].tolist()
    assert drop_dust(probs, 1e-12) is probs


@pytest.mark.parametrize("claim", ["31", "32", "41", "42", "43", "51"])
def test_claims_nobody_makes_are_as_true_as_the_dice_fall(mia, claim):
    height = rank_in_mia([int(face) for face in claim])
    expected = sum(rank_in_mia(throw) >= height for throw in THROWS) / 36
    liar = next(a for a in mia.strategy.advise(offered=claim) if a.action is CHALLENGE)
    assert mia.strategy.offer_frequency(claim) == 0.0
    assert 1.0 - liar.win_probability == pytest.approx(expected, abs=1e-12)


def test_43_is_true_in_7_of_9_throws(mia):
    liar = next(a for a in mia.strategy.advise(offered="43") if a.action is CHALLENGE)
    assert 1.0 - liar.win_probability == pytest.approx(7 / 9, abs=1e-12)


def test_a_claim_that_is_always_true_is_accepted(mia):
    assert mia.strategy.probs(offered="31") == {CupMove.ACCEPT: 1.0, CHALLENGE: 0.0}


@pytest.mark.parametrize("rules", [presets.MIA, presets.LIAR_DIE, SEEN], ids=str)
def test_no_stage_has_dust_or_play_that_only_loses(rules):
    solution = solve(rules, target=1e-6)
    policy, game = solution.strategy.policy, solution.result.game
    rng = np.random.default_rng(1)
    stages = [(-1, 0)]
    while len(stages) < 60:
        claim = int(rng.integers(game.n_claims))
        if claim not in game.end_values:
            stages.append((claim, int(rng.integers(game.n_families))))
    for claim, family in stages:
        for side in Side:
            stage = policy.solve(claim, family, side)
            for probs in (stage.keep_probs, stage.claim_probs, stage.accept, 1.0 - stage.accept):
                assert not ((probs > 0.0) & (probs < 1e-6)).any()
            assert stage.keep_probs.sum() == pytest.approx(1.0)
            assert stage.claim_probs.sum(axis=1) == pytest.approx(1.0)
            for column, made in enumerate(stage.claims):
                truth = game.truth[made, stage.hands]
                value = policy.high[:, made][stage.hands]
                if truth.all() and made not in game.end_values and (value < 1.0).any():
                    assert stage.accept[column] == 1.0


@pytest.mark.parametrize("rules", [presets.MIA, presets.LIAR_DIE], ids=["mia", "liar_die"])
def test_the_certificate_holds_for_what_is_advised(rules):
    # A best response to the advice, by a recursion that shares nothing with the solver's bounds.
    solution = solve(rules)
    strategy, claims, hands = solution.strategy, rules.claims, rules.equipment.hands
    tables = UnseenTables.of(CupRound(rules, 2))
    made = np.zeros((len(claims) + 1, len(hands), len(claims)))
    accept = np.zeros((len(claims) + 1, len(claims)))
    for state in tables.states:
        before = None if state < 0 else claims[state]
        for hand_id, hand in enumerate(hands):
            for claim, p in strategy.probs(holding=hand, claim=before).items():
                made[state, hand_id, claims.index(claim)] = p
        for claim in tables.followers[state]:
            answers = strategy.probs(offered=claims[claim], claim=before)
            accept[state, claim] = answers.get(CupMove.ACCEPT, 0.0)
    places, best = measure_unseen(tables, made, accept)
    gains = best[-1] - places[-1]
    low, high = solution.value_bounds
    assert gains.sum() / 2 <= solution.exploitability + 1e-12
    assert low - 1e-12 <= -best[-1, 1] <= best[-1, 0] <= high + 1e-12


def test_cfr_accepts_what_is_always_true():
    rules = presets.LIAR_DIE.replace(faces=3)
    result = solve_cup_cfr(rules, 3, limits=Limits(target=1e-3))
    table = result.table
    probs = result.strategy.action_probs
    assert not ((probs > 0.0) & (probs < 1e-9)).any()
    state = table.state_after(["thrown 3", "1"])
    assert state.phase is CupPhase.ANSWER
    assert result.policy(state) == {CHALLENGE: 0.0, CupMove.ACCEPT: 1.0}

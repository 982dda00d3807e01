"""Rounds of any number of players in which everything is thrown again unseen."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from liarsolve import presets
from liarsolve.errors import InputError, RuleError
from liarsolve.game.cup.graph import Decision, build_cup_graph
from liarsolve.game.cup.memory import SINCE_HELD
from liarsolve.rules import CupRound
from liarsolve.solvers import CupProfile, StopReason, measure_cup
from liarsolve.solvers.cup.unseen import measure_unseen, solve_unseen

DIE3 = presets.LIAR_DIE.replace(faces=3)


def as_profile(result):
    """The same strategies on the information sets of players who remember much more."""
    table = result.table
    memories = [SINCE_HELD] * table.n_players
    _, infosets = build_cup_graph(table, memories)
    probs = np.zeros(infosets.first[-1])
    for (player, decision, memory_id), infoset in infosets.ids.items():
        turns = infosets.memories[player].turns[memory_id]
        state = turns[-2][1] if len(turns) > 1 else -1
        _, claim, hand, _ = turns[-1]
        place = slice(infosets.first[infoset], infosets.first[infoset + 1])
        if decision == Decision.ANSWER:
            accept = result.accept[state, claim]
            probs[place] = (1.0 - accept, accept)
        else:
            assert decision == Decision.CLAIM
            followers = list(result.tables.followers[state])
            probs[place] = result.claim_probs[state, hand, followers]
    return CupProfile(table=table, memory=SINCE_HELD, infosets=infosets, action_probs=probs)


@pytest.mark.parametrize(
    ("rules", "chance"),
    [
        (presets.MIA, Fraction(4078225781, 6294150720)),
        (presets.LIAR_DIE, Fraction(41, 60)),
        (DIE3, Fraction(13, 18)),
    ],
    ids=["mia", "liar_die", "three faces"],
)
def test_two_players_get_the_value_that_fractions_prove(rules, chance):
    result = solve_unseen(CupRound(rules, 2), target=1e-6)
    value = 2 * float(chance) - 1
    assert result.values == pytest.approx((value, -value), abs=1e-6)
    assert result.nash_conv <= 1e-6
    assert result.stop is StopReason.CONVERGED


@pytest.mark.parametrize(("rules", "players"), [(presets.MIA, 3), (presets.LIAR_DIE, 4), (DIE3, 6)])
def test_best_responses_with_perfect_recall_gain_no_more(rules, players):
    result = solve_unseen(CupRound(rules, players), target=1e-5)
    measured = measure_cup(as_profile(result))
    assert measured.values == pytest.approx(result.values, abs=1e-12)
    assert measured.br_values == pytest.approx(result.br_values, abs=1e-12)
    assert result.nash_conv <= 1e-5


def test_a_worse_strategy_is_measured_to_be_worse():
    result = solve_unseen(CupRound(DIE3, 3), target=1e-6)
    accept = np.where(result.accept > 0.0, 0.5, result.accept)
    places, best = measure_unseen(result.tables, result.claim_probs, accept)
    measured = measure_cup(as_profile(replace(result, accept=accept)))
    assert measured.values == pytest.approx(places[-1], abs=1e-12)
    assert measured.br_values == pytest.approx(best[-1], abs=1e-12)
    assert measured.nash_conv > 0.1


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_payoffs_are_those_of_one_loser(players):
    result = solve_unseen(CupRound(presets.MIA, players))
    assert sum(result.values) == pytest.approx(0.0, abs=1e-12)
    assert all(-1.0 <= value <= 1.0 / (players - 1) for value in result.values)
    # Whoever throws first can pass on a claim that nobody would rather doubt than top.
    assert result.values[0] == pytest.approx(1.0 / (players - 1), abs=1e-3)
    assert result.nash_conv <= 1e-3


def test_the_same_bits_every_time_and_little_time_is_told():
    table = CupRound(DIE3, 3)
    first, second = solve_unseen(table), solve_unseen(table)
    assert first.claim_probs.tobytes() == second.claim_probs.tobytes()
    rough = solve_unseen(CupRound(presets.MIA, 3), target=0.0, max_seconds=1e-9)
    assert rough.stop is StopReason.TIME_LIMIT
    assert rough.nash_conv > 0.0


def test_ctrl_c_leaves_a_whole_strategy():
    def stop(progress):
        raise KeyboardInterrupt

    result = solve_unseen(CupRound(presets.MIA, 3), on_progress=stop)
    assert result.stop is StopReason.INTERRUPTED
    assert result.claim_probs[-1].sum(axis=1) == pytest.approx(1.0)


def test_other_games_are_refused():
    with pytest.raises(RuleError, match="look=before_throw lets players see what was passed"):
        solve_unseen(CupRound(presets.CLASSIC, 3))
    with pytest.raises(RuleError, match="a round may go on for ever"):
        solve_unseen(CupRound(presets.MIA.replace(raise_rule="equal_or_higher"), 3))
    with pytest.raises(InputError, match="the target is a nash_conv of 0 or more, got -1"):
        solve_unseen(CupRound(DIE3, 3), target=-1)
    with pytest.raises(InputError, match="max_seconds is a time above 0, got 0"):
        solve_unseen(CupRound(DIE3, 3), max_seconds=0)

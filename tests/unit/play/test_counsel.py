"""Advice during a match: by strategies that are there, and by the odds where none is."""

import pytest

from liarsolve import ProbabilityPlayer, presets, solve
from liarsolve.play.counsel import Counsel
from liarsolve.play.session import Opponent, Session
from liarsolve.rules import CupRound, Round

ODDS = Opponent("odds", ProbabilityPlayer())
SMALL = presets.COMMON.replace(dice=1, faces=3)


def test_a_small_round_is_solved_once_and_said_so():
    told = []
    match = Session(SMALL, [ODDS], seed=1, counsel=Counsel(on_solving=told.append))
    match.begin()
    lines = match.say("advise")
    assert told == ["Solving this round, for at most 5 seconds."]
    assert lines[0] == "The strategy, and what the round is then worth to you, from -1 to 1:"
    assert lines[-1].startswith("It loses at most ")
    assert match.say("advise") == lines
    assert len(told) == 1


def test_advice_is_that_of_the_stored_strategy():
    solved = solve(SMALL, dice=(1, 1), target=1e-3)
    counsel = Counsel([solved], on_solving=pytest.fail)
    match = Session(SMALL, [ODDS], seed=1, counsel=counsel)
    match.begin()
    turn = match.turn(match.player)
    values = counsel.values(turn)
    assert {action: (share, worth) for action, share, worth in values.options} == {
        a.action: (a.probability, a.expected_value) for a in solved.advise(turn.hand, turn.bids)
    }
    assert values.exploitability == solved.exploitability
    standing = solved.strategy.standing(turn.hand, turn.bids)
    reach = standing.own_reach * standing.rival_reach / 3  # every hand of one die is as likely
    assert values.margin == pytest.approx(min(solved.nash_conv / reach, 2.0))


def test_without_a_strategy_the_odds_advise_and_say_so():
    match = Session(presets.PERUDO, [ODDS, ODDS], seed=7)
    match.begin()
    assert match.say("advise") == [
        "A player who goes by the odds alone would say 1x3. That is no more than this: no strategy "
        "of this round is there, and it is too large to be solved here."
    ]


def test_the_odds_are_those_of_the_dice():
    match = Session(presets.PERUDO, [ODDS, ODDS], seed=7)
    match.begin()
    assert match.say("odds")[:3] == [
        "By your dice, if all others are random:",
        "1x2, which stands: true 100 %, exact 1.7 %.",
        "1x3: true 100 %.",
    ]


def test_odds_never_solve():
    match = Session(SMALL, [ODDS], seed=1, counsel=Counsel(on_solving=pytest.fail))
    match.begin()
    assert match.say("odds")


@pytest.mark.parametrize(
    ("table", "is_there"),
    [
        (Round(SMALL, (1, 1)), True),
        (Round(presets.COMMON, (5, 5)), False),
        (CupRound(presets.LIAR_DIE), True),
        (CupRound(presets.LIAR_DIE, 3), False),
        (CupRound(presets.CLASSIC), False),
    ],
    ids=str,
)
def test_small_rounds_alone_are_solved(table, is_there):
    assert (Counsel().solution(table) is not None) == is_there


def test_cups_have_odds_at_every_turn():
    match = Session(presets.CLASSIC, [ODDS], seed=3)
    match.begin()
    assert match.say("odds")[0].startswith("The claim is true with ")
    match.say("accept")
    told = match.say("odds")
    assert told == ["There are no odds for what you have not seen."] or told[0].startswith("Chance")

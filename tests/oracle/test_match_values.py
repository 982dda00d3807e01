"""Values of whole matches against a slow recursion that solves every round by linear program."""

import numpy as np
import pytest

from liarsolve import CupRules, StrategyPlayer, match_values, play_round, presets, solve
from liarsolve.matches.scores import Scores
from liarsolve.rules import RuleSet
from liarsolve.rules.bidding.match import BiddingMatch
from reference.cup import ReferenceCup
from reference.matches import Book, all_dice, cup_round, one_die_each, solve_match

TARGET = 1e-7
"""Of rounds; there are at most four before a match of these sizes is over, or circles close."""
CLOSE = 1e-8
"""How far the linear programs may be off: HiGHS works to 1e-9 in constraints."""
STARTERS = ["loser", "winner", "rotate", "challenger"]


def assert_agrees(rules, expected, *, target=TARGET, most_width=1e-5):
    values = match_values(rules, target=target)
    for score, chance in expected.items():
        low, high = values.bounds(score)
        assert low - CLOSE <= chance <= high + CLOSE, (score, chance, low, high)
    assert values.width() <= most_width


@pytest.mark.parametrize("starts", STARTERS)
@pytest.mark.parametrize("faces", [2, 3])
def test_lives_with_one_die_each(starts, faces):
    rules = RuleSet(faces=faces, dice=1, lives=2).replace(next_starter=starts)
    assert_agrees(rules, solve_match(Book(starts=starts), one_die_each(faces)))


@pytest.mark.parametrize("starts", STARTERS)
def test_dice_that_are_lost(starts):
    rules = RuleSet(faces=2, dice=2).replace(next_starter=starts)
    assert_agrees(rules, solve_match(Book(starts=starts), all_dice(2)))


@pytest.mark.parametrize("starts", ["loser", "caller_of_exact", "challenger"])
def test_exact_calls_by_which_lives_come_back(starts):
    rules = RuleSet(faces=2, dice=1, lives=2).replace(next_starter=starts, exact_who="next")
    expected = solve_match(Book(starts=starts), one_die_each(2, exact_who="next"))
    # Steps of 1e-7 are left out at the end, and circles close by a part of a half each time.
    assert_agrees(rules, expected, target=1e-5, most_width=1e-4)


def test_exact_calls_by_which_dice_come_back():
    rules = RuleSet(faces=2, dice=2).replace(exact_who="next")
    expected = solve_match(Book(), all_dice(2, exact_who="next"), tolerance=1e-6)
    assert_agrees(rules, expected, target=1e-4, most_width=1e-3)


CUP = CupRules(name="tiny").replace(
    equipment="dice(2,2)", ranking="multiplicity", lives=2, next_starter="challenger"
)


@pytest.mark.parametrize("starts", STARTERS)
def test_a_die_under_a_cup(starts):
    rules = presets.LIAR_DIE.replace(faces=3, lives=2, next_starter=starts)
    game = ReferenceCup(n_dice=1, n_faces=3, min_rethrow=1, look="never")
    expected = solve_match(Book(starts=starts), lambda _, worth: cup_round(game, worth))
    assert_agrees(rules, expected)


@pytest.mark.parametrize("starts", STARTERS)
def test_two_dice_under_a_cup_that_are_looked_at(starts):
    game = ReferenceCup(n_dice=2, n_faces=2)
    expected = solve_match(Book(starts=starts), lambda _, worth: cup_round(game, worth))
    assert_agrees(CUP.replace(next_starter=starts), expected)


def test_a_top_claim_that_may_be_accepted():
    game = ReferenceCup(n_dice=2, n_faces=2, top_claim="accept_try", top_throws=2)
    expected = solve_match(Book(starts="challenger"), lambda _, worth: cup_round(game, worth))
    assert_agrees(CUP.replace(top_claim="accept_try", top_throws=2), expected)


def test_stakes_that_go_to_the_doubter():
    rules = CUP.replace(penalty_liar="1,1", lives=3)
    game = ReferenceCup(n_dice=2, n_faces=2)
    book = Book(starts="challenger", most=3, liar_pays=(1, 1))
    expected = solve_match(book, lambda _, worth: cup_round(game, worth))
    reached = {score.stakes for score in Scores(rules)}
    assert (4, 1) in reached
    assert_agrees(rules, {score: expected[score] for score in reached})


def test_matches_between_certified_strategies_end_as_often_as_was_proved():
    rules = RuleSet(faces=2, dice=2)
    values = match_values(rules, target=1e-6)
    match, rng = BiddingMatch(rules, 2), np.random.default_rng(4)
    players = {
        dice: StrategyPlayer(solve(rules, dice, target=1e-6).strategy)
        for dice in [(1, 1), (1, 2), (2, 1), (2, 2)]
    }
    n_matches, n_won = 1500, 0
    for _ in range(n_matches):
        score = match.start()
        while not match.winners(score):
            table = match.round(score)
            played = play_round(table, [players[table.dice]] * 2, rng=rng)
            score = match.after(score, played.outcome)
        n_won += match.winners(score) == (0,)
    low, high = values.bounds((2, 2))
    # Five standard deviations; the seed is fixed.
    doubt = 5 * 0.5 / n_matches**0.5
    assert low - doubt <= n_won / n_matches <= high + doubt

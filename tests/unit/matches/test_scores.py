"""Scores of a match, what follows them, and which rules are refused."""

import pytest

from liarsolve import RuleSet, presets
from liarsolve.errors import GameTooLargeError, RuleError
from liarsolve.matches.scores import Scores, seen_from_starter
from liarsolve.rules.bidding.match import BiddingScore
from liarsolve.rules.cup.match import CupScore

SMALL = presets.COMMON.replace(faces=2)


def follows_at(rules, counts):
    scores = Scores(rules)
    step = scores.steps[scores.at(counts)]
    return {
        ending: follow.chance if follow.chance is not None else (
            next(s.dice for n, s in enumerate(scores) if n == follow.score), follow.is_starter
        )
        for ending, follow in step.follows.items()
    }  # fmt: skip


def test_every_pair_of_dice_is_a_score():
    assert [score.dice for score in Scores(SMALL.replace(dice=3))] == [
        (1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1), (2, 3), (3, 2), (3, 3)
    ]  # fmt: skip


def test_the_loser_starts_the_next_round():
    assert follows_at(SMALL.replace(dice=2), (2, 2)) == {
        ("bidder_loses", 0): ((1, 2), False),
        ("bidder_loses", 1): ((1, 2), True),
        ("challenger_loses", 0): ((1, 2), True),
        ("challenger_loses", 1): ((1, 2), False),
    }


def test_where_the_challenger_starts_it_matters_who_that_was():
    rules = SMALL.replace(dice=2, next_starter="challenger")
    assert follows_at(rules, (2, 2)) == {
        ("bidder_loses", 0): ((2, 1), True),
        ("bidder_loses", 1): ((2, 1), False),
        ("challenger_loses", 0): ((1, 2), True),
        ("challenger_loses", 1): ((1, 2), False),
    }
    scores = Scores(rules)
    assert scores.steps[scores.at((2, 2))].by_winner is None
    assert scores.steps[scores.at((1, 1))].by_winner is not None  # the match is over then


def test_a_match_that_is_over_has_been_won_or_lost():
    follows = follows_at(SMALL.replace(dice=1), (1, 1))
    assert follows[("bidder_loses", 0)] == follows[("challenger_loses", 1)] == 1.0
    assert follows[("bidder_loses", 1)] == follows[("challenger_loses", 0)] == 0.0


def test_a_match_that_nobody_has_lost_counts_half():
    rules = SMALL.replace(exact_who="next", end="single_round", dice=1)
    follows = follows_at(rules, (1, 1))
    assert follows[("exact_right", 0)] == 0.5
    assert follows[("exact_wrong", 0)] == 0.0


def test_the_winner_puts_dice_away():
    rules = SMALL.replace(loss="winner_discards", dice=2)
    follows = follows_at(rules, (1, 2))
    assert follows[("bidder_loses", 0)] == 1.0
    assert follows[("bidder_loses", 1)] == ((1, 1), True)


def test_dice_that_change_hands_go_round_in_circles():
    scores = Scores(SMALL.replace(loss="transfer", dice=2))
    assert {score.dice for score in scores} == {(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)}
    circles = [group for group in scores.groups if scores.has_loop(group)]
    assert [len(group) for group in circles] == [1, 2]


def test_without_exact_calls_no_score_comes_back():
    scores = Scores(SMALL.replace(dice=3))
    assert not any(scores.has_loop(group) for group in scores.groups)
    order = [group[0] for group in scores.groups]
    for number, step in enumerate(scores.steps):
        for follow in step.follows.values():
            if follow.chance is None:
                assert order.index(follow.score) < order.index(number)


def test_exact_calls_bring_scores_back():
    scores = Scores(SMALL.replace(dice=2, exact_who="next"))
    assert [len(group) for group in scores.groups if scores.has_loop(group)] == [3]


def test_an_exact_call_that_takes_more_players_does_nothing():
    rules = SMALL.replace(dice=2, exact_who="next", exact_min_players=3)
    assert set(Scores(rules).steps[0].follows) == set(
        Scores(SMALL.replace(dice=2)).steps[0].follows
    )


def test_extra_lives_make_scores_of_their_own():
    scores = list(Scores(presets.LIAR_DIE.replace(lives=1, extra_life="everyone")))
    assert [(s.stakes, s.has_extra, s.had_extra) for s in scores] == [
        ((0, 0), (True, True), (True, True)),
        ((0, 1), (True, False), (True, False)),
        ((1, 1), (False, False), (False, False)),
    ]


def test_a_loss_that_depends_on_the_count_is_refused():
    with pytest.raises(RuleError) as caught:
        Scores(presets.COMMON.replace(loss="difference", dice=2))
    assert str(caught.value) == (
        "with loss=difference a round at 1 v 2 has more outcomes than it can be solved for; use "
        "loss=one, or a single die each"
    )
    single = Scores(presets.COMMON.replace(loss="difference", dice=1))
    assert single.steps[0].by_winner is not None


def test_an_exact_bid_costs_two_players_the_same():
    plain, paid = (Scores(SMALL.replace(dice=2, exact_bid_bonus=b)) for b in ("no", "yes"))
    assert [step.follows for step in plain.steps] == [step.follows for step in paid.steps]


def test_matches_of_more_players_are_refused():
    with pytest.raises(RuleError, match=r"min_players=3, but values of matches are of two players"):
        Scores(SMALL.replace(min_players=3))


def test_far_too_many_scores_are_refused():
    with pytest.raises(GameTooLargeError, match="has 1,000,000 scores, and up to 100,000"):
        Scores(RuleSet(lives=1000))


def test_the_second_player_sees_the_same_match():
    assert seen_from_starter(BiddingScore(dice=(3, 1), starter=1, had_extra=(True, False))) == (
        BiddingScore(dice=(1, 3), starter=0, had_extra=(False, True))
    )
    score = CupScore(
        stakes=(3, 0), pool=3, has_extra=(False, True), had_extra=(False, True), starter=1
    )
    seen = seen_from_starter(score)
    assert (seen.stakes, seen.has_extra, seen.pool) == ((0, 3), (True, False), 0)

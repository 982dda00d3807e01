"""Matches of bidding, clause by clause: what is lost and won, who starts, when it is over."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsolve.errors import InputError, InputTypeError, RuleError
from liarsolve.rules import BiddingMatch, BiddingScore, Outcome, OutcomeKind, RuleSet, presets
from liarsolve.rules.bidding.actions import Bid

PERUDO, LIARS_DICE = presets.PERUDO, presets.LIARS_DICE


def outcome(kind, *, bidder=0, caller=1, count=3, quantity=3, n_players=3):
    """Return how a round has ended in which these players, as they sit in it, met."""
    kind = OutcomeKind(kind)
    is_right = kind in (OutcomeKind.BIDDER_LOSES, OutcomeKind.EXACT_RIGHT)
    is_exact = kind in (OutcomeKind.EXACT_RIGHT, OutcomeKind.EXACT_WRONG)
    rival = None if is_exact and n_players > 2 else bidder
    winner, loser = (caller, rival) if is_right else (rival, caller)
    return Outcome(
        kind=kind,
        count=count,
        bid=Bid(quantity, 4),
        bidder=bidder,
        caller=caller,
        loser=loser,
        winner=winner,
    )


def after(rules, result, n_players=3, **score):
    """Return the score after a round that a match begins with, or that ``score`` leads to."""
    match = BiddingMatch(rules, n_players)
    start = match.start()
    changes = {name: getattr(start, name) for name in ("dice", "starter", "lives", "had_extra")}
    changes["had_palifico"] = start.had_palifico
    return match.after(BiddingScore(**(changes | score)), result)


class TestWhatIsLost:
    def test_pe_5_and_ld_5_the_loser_of_a_challenge_loses_one_die(self):
        for rules in (PERUDO, LIARS_DICE):
            assert after(rules, outcome("bidder_loses", count=0, quantity=9)).dice == (4, 5, 5)
            assert after(rules, outcome("challenger_loses", count=9)).dice == (5, 4, 5)

    def test_pe_6_a_right_exact_call_gains_a_die_and_a_wrong_one_loses_one(self):
        dice = {"dice": (3, 3, 5)}
        assert after(PERUDO, outcome("exact_right"), **dice).dice == (3, 4, 5)
        assert after(PERUDO, outcome("exact_wrong"), **dice).dice == (3, 2, 5)

    def test_pe_q4_nobody_gains_beyond_the_dice_of_the_start(self):
        assert after(PERUDO, outcome("exact_right")).dice == (5, 5, 5)
        assert after(PERUDO.replace(gain_cap=6), outcome("exact_right")).dice == (5, 6, 5)
        assert after(PERUDO.replace(exact_win="gain_2"), outcome("exact_right"),
            dice=(5, 4, 5)).dice == (5, 5, 5)  # fmt: skip

    def test_a_cap_below_what_a_player_has_takes_nothing_away(self):
        rules = PERUDO.replace(gain_cap=2)
        assert after(rules, outcome("exact_right"), dice=(3, 4, 5)).dice == (3, 4, 5)

    @pytest.mark.parametrize(
        ("win", "dice"),
        [("others_lose_1", (4, 5, 4)), ("bidder_loses_1", (4, 5, 5)), ("nothing", (5, 5, 5))],
    )
    def test_what_else_a_right_exact_call_may_bring(self, win, dice):
        assert after(PERUDO.replace(exact_win=win), outcome("exact_right")).dice == dice

    def test_a_wrong_exact_call_may_cost_two(self):
        assert after(PERUDO.replace(exact_fail=2), outcome("exact_wrong")).dice == (5, 3, 5)

    def test_bluff_costs_the_difference_and_one_at_least(self):
        rules = LIARS_DICE.replace(loss="difference")
        assert after(rules, outcome("bidder_loses", count=1, quantity=4)).dice == (2, 5, 5)
        assert after(rules, outcome("challenger_loses", count=5, quantity=3)).dice == (5, 3, 5)
        assert after(rules, outcome("challenger_loses")).dice == (5, 4, 5)
        assert after(rules, outcome("bidder_loses", count=0, quantity=9)).dice == (0, 5, 5)

    def test_bluff_a_bid_that_is_exactly_right_costs_all_but_the_bidder_one(self):
        rules = LIARS_DICE.replace(loss="difference", exact_bid_bonus=True)
        assert after(rules, outcome("challenger_loses")).dice == (5, 4, 4)
        assert after(rules, outcome("challenger_loses", count=5)).dice == (5, 3, 5)

    def test_a_die_may_go_to_the_winner(self):
        rules = LIARS_DICE.replace(loss="transfer")
        assert after(rules, outcome("bidder_loses", count=0)).dice == (4, 6, 5)
        exact = rules.replace(exact_who="next", exact_win="others_lose_1", exact_fail=2)
        assert after(exact, outcome("exact_right")).dice == (4, 7, 4)
        assert after(exact, outcome("exact_wrong")).dice == (7, 3, 5)
        assert after(exact, outcome("exact_wrong"), dice=(5, 1, 5)).dice == (6, 0, 5)

    def test_the_winner_may_put_a_die_away_and_wins_with_the_last(self):
        rules = LIARS_DICE.replace(loss="winner_discards")
        assert after(rules, outcome("bidder_loses", count=0)).dice == (5, 4, 5)
        last = after(rules, outcome("bidder_loses", count=0), dice=(3, 1, 5))
        assert (last.dice, last.winners) == ((3, 0, 5), (1,))

    def test_the_whole_hand_may_be_lost(self):
        rules = LIARS_DICE.replace(loss="whole_round")
        assert after(rules, outcome("bidder_loses", count=0)).dice == (0, 5, 5)

    def test_lives_may_be_lost_instead_of_dice(self):
        rules = LIARS_DICE.replace(lives=2)
        score = after(rules, outcome("bidder_loses", count=0))
        assert (score.dice, score.lives) == ((5, 5, 5), (1, 2, 2))
        match = BiddingMatch(rules, 3)
        score = match.after(score, outcome("bidder_loses", count=0))
        assert (score.dice, score.lives, score.starter) == ((0, 5, 5), (0, 2, 2), 1)
        assert match.round(score).dice == (5, 5)


class TestWhoStarts:
    def test_ld_3_the_loser_starts_and_if_out_the_next_live_player(self):
        assert after(LIARS_DICE, outcome("challenger_loses")).starter == 1
        assert after(LIARS_DICE, outcome("challenger_loses"), dice=(2, 1, 1)).starter == 2
        ends = outcome("challenger_loses", bidder=1, caller=2)
        assert after(LIARS_DICE, ends, dice=(1, 1, 1)).starter == 0

    def test_pe_q5_after_an_exact_call_its_caller_starts_right_or_wrong(self):
        for kind in ("exact_right", "exact_wrong"):
            assert after(PERUDO, outcome(kind)).starter == 1
        assert after(PERUDO, outcome("bidder_loses", count=0)).starter == 0
        assert after(PERUDO, outcome("exact_wrong"), dice=(3, 1, 3)).starter == 2

    @pytest.mark.parametrize(
        ("rule", "starter"), [("challenger", 1), ("loser", 0), ("winner", 1), ("rotate", 1)]
    )
    def test_the_other_ways_to_find_a_starter(self, rule, starter):
        rules = LIARS_DICE.replace(next_starter=rule)
        assert after(rules, outcome("bidder_loses", count=0)).starter == starter
        score = after(rules, outcome("challenger_loses", bidder=1, caller=2))
        assert score.starter == {"challenger": 2, "loser": 2, "winner": 1, "rotate": 1}[rule]

    def test_loser_after_a_right_exact_call_is_the_bidder(self):
        assert after(PERUDO.replace(next_starter="loser"), outcome("exact_right")).starter == 0

    def test_the_winner_may_start_where_the_loser_is_out(self):
        rules = LIARS_DICE.replace(starter_if_out="winner_of_call")
        ends = outcome("challenger_loses", bidder=0, caller=1)
        assert after(rules, ends, dice=(1, 1, 1)).starter == 0

    def test_seats_turn_with_the_starter_and_leave_out_who_is_out(self):
        match = BiddingMatch(PERUDO, 4)
        score = BiddingScore(dice=(2, 0, 3, 1), starter=2, had_palifico=(False, True, False, True))
        assert match.seats(score) == (2, 3, 0)
        round_ = match.round(score)
        assert (round_.dice, round_.ex_palifico) == ((3, 1, 2), frozenset({1}))


class TestPalifico:
    def test_pe_7_and_pe_q6_who_drops_to_one_die_starts_a_palifico_round(self):
        score = after(PERUDO, outcome("bidder_loses", count=0), dice=(2, 4, 4), starter=0)
        assert (score.is_palifico, score.starter) == (True, 0)
        assert score.had_palifico == (True, False, False)
        assert BiddingMatch(PERUDO, 3).round(score).palifico

    def test_pe_q6_a_failed_exact_call_counts_too(self):
        score = after(PERUDO, outcome("exact_wrong"), dice=(4, 2, 4))
        assert (score.is_palifico, score.starter) == (True, 1)

    def test_pe_7_once_per_player_and_match(self):
        had = (True, False, False)
        score = after(PERUDO, outcome("bidder_loses", count=0), dice=(2, 4, 4), had_palifico=had)
        assert not score.is_palifico
        assert score.had_palifico == had

    def test_pe_7_not_with_two_left_after_the_same_reveal(self):
        two = after(PERUDO, outcome("bidder_loses", count=0), dice=(2, 4, 0))
        assert not two.is_palifico

    def test_pe_7_survival_brings_normal_rules_again(self):
        match = BiddingMatch(PERUDO, 3)
        score = after(PERUDO, outcome("bidder_loses", count=0), dice=(2, 4, 4))
        assert not match.after(score, outcome("challenger_loses")).is_palifico

    def test_pe_7_one_die_at_the_start_is_no_drop(self):
        assert not BiddingMatch(PERUDO.replace(dice=1), 3).start().is_palifico

    def test_who_has_been_given_an_extra_die_has_not_come_down_to_it(self):
        rules = PERUDO.replace(extra_life="everyone")
        score = after(rules, outcome("bidder_loses", count=0), dice=(1, 4, 4))
        assert (score.dice, score.is_palifico) == ((1, 4, 4), False)


class TestTheEnd:
    def test_ld_1_the_last_player_with_dice_wins(self):
        match = BiddingMatch(LIARS_DICE, 3)
        score = after(LIARS_DICE, outcome("bidder_loses", count=0), dice=(1, 2, 0))
        assert match.is_over(score)
        assert match.winners(score) == (1,)
        with pytest.raises(InputError, match=r"^the match is over; start begins another$"):
            match.after(score, outcome("bidder_loses", count=0))

    def test_the_first_one_out_may_lose(self):
        rules = LIARS_DICE.replace(end="first_out_loses")
        assert after(rules, outcome("bidder_loses", count=0), dice=(1, 2, 2)).winners == (1, 2)
        assert after(rules, outcome("bidder_loses", count=0), dice=(2, 2, 2)).winners == ()

    def test_a_match_may_be_one_round(self):
        rules = LIARS_DICE.replace(end="single_round")
        assert after(rules, outcome("bidder_loses", count=0)).winners == (1, 2)
        assert after(PERUDO.replace(end="single_round"), outcome("exact_right")).winners == (
            0, 1, 2)  # fmt: skip

    def test_the_first_player_out_may_get_another_die(self):
        rules = LIARS_DICE.replace(extra_life="first_out")
        score = after(rules, outcome("bidder_loses", count=0), dice=(1, 2, 2))
        assert (score.dice, score.had_extra) == ((1, 2, 2), (True, False, False))
        match = BiddingMatch(rules, 3)
        again = match.after(score, outcome("bidder_loses", count=0))
        assert again.dice == (0, 2, 2)

    def test_everybody_may_get_another_life(self):
        rules = LIARS_DICE.replace(lives=1, extra_life="everyone")
        score = after(rules, outcome("bidder_loses", count=0))
        assert (score.lives, score.dice) == ((1, 1, 1), (5, 5, 5))
        again = BiddingMatch(rules, 3).after(score, outcome("bidder_loses", count=0))
        assert again.lives == (0, 1, 1)


class TestBadInput:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"exact_win": "gain_2"}, "exact_win=gain_2 is about exact calls, but exact_who=off "
                "allows none; use exact_who=next or leave it out"),
            ({"exact_fail": 2}, "exact_fail=2 is about exact calls, but exact_who=off allows "
                "none; use exact_who=next or leave it out"),
            ({"gain_cap": 6}, "gain_cap=6 is about exact calls, but exact_who=off allows none; "
                "use exact_who=next or leave it out"),
            ({"exact_who": "next", "exact_win": "nothing", "gain_cap": 6}, "gain_cap=6 limits "
                "gains, but exact_win=nothing brings none; use exact_win=gain_1 or leave it out"),
            ({"exact_who": "next", "loss": "transfer"}, "exact_win=gain_1 brings in dice that "
                "nobody has lost, but loss=transfer passes them from player to player; use "
                "exact_win=bidder_loses_1, others_lose_1 or nothing"),
            ({"palifico": "first_time", "lives": 2}, "palifico=first_time waits for a player with "
                "one die left, but with lives=2 nobody loses dice; use palifico=off or lives=0"),
            ({"palifico": "first_time", "loss": "whole_round"}, "palifico=first_time waits for a "
                "player who has lost the last die but one, which does not happen with "
                "loss=whole_round; use palifico=off or loss=one"),
            ({"loss": "winner_discards", "lives": 1}, "lives=1 speaks of players who lose "
                "something, but with loss=winner_discards winners put dice away; leave it out or "
                "use loss=one"),
            ({"gain_cap": "all"}, "gain_cap=all is not allowed; allowed: start, or a whole number "
                "of at least 1"),
            ({"exact_who": "next", "gain_cap": 0}, "gain_cap must be a whole number of at least "
                "1, got 0"),
            ({"dice": 0}, "dice must be a whole number of at least 1, got 0"),
        ],
    )  # fmt: skip
    def test_options_that_make_no_sense_are_refused(self, options, message):
        with pytest.raises(RuleError, match=f"^{re.escape(message)}$"):
            RuleSet().replace(**options)

    def test_what_rests_on_exact_calls_goes_with_them(self):
        rules = PERUDO.replace(exact_win="gain_2", exact_fail=2, gain_cap=6)
        assert rules.replace(exact_who="off").exact_fail == 1

    def test_too_few_players(self):
        with pytest.raises(InputError, match=r"^min_players=3 asks for as many players"):
            BiddingMatch(PERUDO.replace(min_players=3), 2)
        with pytest.raises(InputError, match=r"^players are numbered 0 to 2, got 3$"):
            BiddingMatch(PERUDO, 3).start(3)

    def test_things_of_another_kind(self):
        with pytest.raises(InputTypeError, match=r"^rules of bidding are a RuleSet"):
            BiddingMatch(presets.MIA, 3)
        with pytest.raises(InputTypeError, match=r"^a score is what start or after return"):
            BiddingMatch(PERUDO, 3).round((5, 5, 5))


RULES = st.builds(
    lambda options: RuleSet(dice=3).replace(**options),
    st.fixed_dictionaries(
        {},
        optional={
            "lives": st.integers(0, 2),
            "loss": st.sampled_from(["one", "difference", "whole_round"]),
            "exact_bid_bonus": st.booleans(),
            "next_starter": st.sampled_from(["challenger", "loser", "winner", "rotate"]),
            "starter_if_out": st.sampled_from(["next_left", "winner_of_call"]),
            "extra_life": st.sampled_from(["off", "first_out", "everyone"]),
        },
    ),
)


@given(rules=RULES, n_players=st.integers(2, 6), data=st.data())
def test_every_challenge_costs_something_and_one_player_is_left(rules, n_players, data):
    match = BiddingMatch(rules, n_players)
    score = match.start()
    n_extra = {"off": 0, "first_out": 1, "everyone": n_players}[rules.extra_life.value]
    total = n_players * (rules.lives or rules.dice) + n_extra
    for _ in range(total):
        if match.is_over(score):
            break
        n_seats = len(match.seats(score))
        caller = data.draw(st.integers(0, n_seats - 1))
        bidder = (caller + data.draw(st.integers(1, n_seats - 1))) % n_seats
        count, quantity = data.draw(st.integers(0, 6)), data.draw(st.integers(1, 6))
        kind = "bidder_loses" if count < quantity else "challenger_loses"
        before = sum(score.lives or score.dice) + n_extra - sum(score.had_extra)
        score = match.after(
            score, outcome(kind, bidder=bidder, caller=caller, count=count, quantity=quantity)
        )
        now = sum(score.lives or score.dice) + n_extra - sum(score.had_extra)
        assert now < before
        assert score.starter in score.live
    assert len(match.winners(score)) == 1

"""Whole matches of both families as games: from the first throw to the winner."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsolve.errors import IllegalActionError, InputError, LiarsolveError
from liarsolve.rules import (
    PRESETS,
    BiddingScore,
    CupScore,
    MatchState,
    RuleSet,
    Starts,
    Thrown,
    follow,
    match_of,
    presets,
)
from random_matches import BIDDING, play, small

OTHER_ENDS = {"army_mess", "dudo_ai", "wikipedia"}
"""Presets of matches that do not go on until one player is left."""


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "liar_cards"])
@pytest.mark.parametrize("n_players", [2, 3, 6])
def test_every_preset_is_played_from_the_first_throw_to_the_winner(name, n_players):
    match = match_of(small(PRESETS[name]), n_players)
    for seed in range(3):
        for state in play(MatchState(match), Random(seed)):
            if state.is_terminal:
                assert state.legal_actions() == ()
                assert sum(state.returns()) == 0
                assert state.winners
                if name not in OTHER_ENDS:
                    assert len(state.winners) == 1
                    assert state.score.live == state.winners
                assert state.illegal_reason(Thrown((1,))) == "the match is over"
            elif state.is_chance:
                assert sum(state.chance_outcomes().values()) == 1
                assert state.to_act is None
                assert state.winners == ()
            else:
                assert state.to_act in state.score.live
                assert state.legal_actions()


@pytest.mark.parametrize("rules", [presets.PERUDO.replace(dice=2), small(presets.BOX)])
def test_what_players_know_does_not_depend_on_what_is_hidden(rules):
    match = match_of(rules, 3)
    for state in play(MatchState(match, first=0), Random(4)):
        for player in range(3):
            view = state.information_state(player)
            assert view.score == state.score
            assert len(view.past) == len(state.past)
            is_in = not state.is_terminal and player in state.score.live
            assert (view.now is not None) == is_in
            assert hash(view) == hash(state.information_state(player))
    with pytest.raises(InputError, match=r"^players are numbered 0 to 2, got 3$"):
        state.information_state(3)


def test_a_player_sees_their_own_dice_only_until_the_showdown():
    rules = presets.COMMON.replace(dice=1)
    start = MatchState(match_of(rules, 3), first=0)
    one = follow(start, ["thrown 2", "thrown 3", "thrown 4", "1x2"])
    other = follow(start, ["thrown 2", "thrown 3", "thrown 5", "1x2"])
    assert one.information_state(1) == other.information_state(1)
    assert one.information_state(2) != other.information_state(2)
    one, other = (follow(state, ["liar"]) for state in (one, other))
    assert one.information_state(1) != other.information_state(1)
    assert one.information_state(1).past[0].hands == ((2,), (3,), (4,))


def test_players_keep_their_numbers_when_others_are_out():
    rules = presets.LIARS_DICE.replace(dice=1)
    start = MatchState(match_of(rules, 3), first=1)
    state = follow(start, ["thrown 2", "thrown 2", "thrown 2", "2x5", "liar"])
    assert (state.score.dice, state.seats) == ((1, 0, 1), (2, 0))
    state = follow(state, ["thrown 4", "thrown 5"])
    assert state.to_act == 2
    assert state.legal_actions(1) == ()
    assert state.illegal_reason(state.parse_action("1x2"), 1) == "player 1 is out"
    assert state.illegal_reason(state.parse_action("1x2"), 7) == (
        "players are numbered 0 to 2, got 7"
    )
    assert state.information_state(1).now is None
    with pytest.raises(IllegalActionError, match=r"it is the turn of player 2, not of player 0$"):
        state.apply(state.parse_action("1x2"), 0)


def test_cl_q6_who_starts_is_left_to_chance_unless_it_is_given():
    match = match_of(presets.CLASSIC, 3)
    state = MatchState(match)
    assert state.chance_outcomes() == {Starts(player): Fraction(1, 3) for player in range(3)}
    assert state.parse_action("starts 2") == Starts(1)
    assert state.format_action(Starts(1)) == "starts 2"
    assert follow(state, ["starts 2"]) == MatchState(match, first=1)
    assert state.illegal_reason(Thrown((1, 1, 1, 1, 1))) == "who starts has to be settled first"
    assert state.illegal_reason(Starts(5)) == "players are numbered 0 to 2, got 5"
    assert MatchState(match, first=1).illegal_reason(Starts(0)) == "who starts is settled"
    with pytest.raises(InputError, match=r"^who starts is written as in 'starts 1', got '4x3'$"):
        state.parse_action("4x3")
    with pytest.raises(InputError, match=r"^the match is not over$"):
        state.returns()


def test_a_match_goes_on_from_any_score():
    match = match_of(presets.LIARS_DICE, 2)
    state = MatchState(match, score=BiddingScore(dice=(1, 2), starter=1))
    state = follow(state, ["thrown 3,4", "thrown 6", "2x6", "liar"])
    assert state.score.dice == (1, 1)
    assert not state.is_terminal


def test_lives_and_stakes_are_conserved():
    """DD?9: stakes are conserved, and each challenge sends at least one to the centre."""
    rules = small(presets.DOUBTFUL_DICE).replace(lives=3)
    for n_players, seed in ((2, 1), (3, 2), (5, 3)):
        for state in play(MatchState(match_of(rules, n_players)), Random(seed)):
            if isinstance(state.score, CupScore):
                assert sum(state.score.stakes) + state.score.pool == 3 * n_players
                assert state.score.pool >= len(state.past)
        assert len(state.past) <= 3 * n_players - 1


@given(options=BIDDING, n_players=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_random_rules_of_bidding_end_with_a_winner(options, n_players, seed):
    try:
        rules = RuleSet().replace(**options)
    except LiarsolveError:
        return  # the options make no sense together, and it was said
    rng = Random(seed)
    last = None
    for state in play(MatchState(match_of(rules, n_players)), rng):
        score, last = state.score, state
        if score is None:
            continue
        is_extra = rules.extra_life.value != "off"
        counts = score.lives or score.dice
        if rules.loss.value == "transfer" and not is_extra:
            assert sum(counts) == n_players * (rules.lives or rules.dice)
        assert all(n_dice >= 0 for n_dice in score.dice)
        assert score.is_palifico is False or len(score.live) >= 3
        if not state.is_terminal and not state.is_chance:
            player = rng.randrange(n_players)
            for action in rng.sample(state.legal_actions(), 1):
                if state.illegal_reason(action, player) is not None:
                    with pytest.raises(IllegalActionError):
                        state.apply(action, player)
    if rules.end.value == "last_standing":
        assert len(last.winners) == 1
    assert sum(last.returns()) == 0


@given(
    lives=st.integers(1, 3),
    starter=st.sampled_from(["challenger", "loser", "winner", "rotate"]),
    extra=st.sampled_from(["off", "first_out", "everyone"]),
    end=st.sampled_from(["last_standing", "first_out_loses", "single_round"]),
    liar=st.sampled_from(["1,0", "1,1", "0,1", "2,0"]),
    doubter=st.sampled_from(["1,0", "1,1"]),
    n_players=st.integers(2, 6),
    seed=st.integers(0, 10**6),
)
def test_random_rules_of_cup_games_end_with_a_winner(
    lives, starter, extra, end, liar, doubter, n_players, seed
):
    rules = presets.LIAR_DIE.replace(
        lives=lives,
        next_starter=starter,
        extra_life=extra,
        end=end,
        penalty_liar=liar,
        penalty_doubter=doubter,
    )
    for state in play(MatchState(match_of(rules, n_players)), Random(seed)):
        score = state.score
        if score is not None:
            assert sum(score.stakes) + score.pool == lives * n_players
    if end == "last_standing":
        assert len(state.winners) == 1
    else:
        assert len(state.winners) >= 1

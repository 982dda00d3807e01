"""Positions of matches in one line of text, and what commands make of them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsolve.errors import InputError, InputTypeError, LiarsolveError
from liarsolve.rules import PRESETS, MatchState, Round, RuleSet, match_of, presets
from liarsolve.rules.rules_text import format_rules, parse_rules
from liarsolve.strategy import (
    format_position,
    parse_position,
    position_at,
    position_of,
    read_situation,
)
from random_matches import BIDDING, CUP, play, small


def on_turn(state):
    return state.to_act is not None


@given(options=BIDDING, n_players=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_positions_of_bidding_are_read_as_they_are_written(options, n_players, seed):
    try:
        rules = RuleSet().replace(**options)
    except LiarsolveError:
        return  # the options make no sense together
    rng = Random(seed)
    states = [s for s in play(MatchState(match_of(rules, n_players)), rng) if on_turn(s)]
    for state in rng.sample(states, min(3, len(states))):
        position = position_at(state)
        text = format_position(position)
        assert "\n" not in text
        assert parse_position(text) == position
        assert position.score == state.score
        assert position.situation().state == state.now.public
        assert position.situation().hand == state.now.hands[state.seats.index(state.to_act)]
        assert position.round.dice == state.now.round.dice
        assert position.round.palifico == state.now.round.palifico


@given(options=CUP, n_players=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_positions_of_cup_games_are_read_as_they_are_written(options, n_players, seed):
    rules = presets.LIAR_DIE.replace(**options)
    for state in play(MatchState(match_of(rules, n_players)), Random(seed)):
        if on_turn(state):
            position = position_at(state)
            assert parse_position(format_position(position)) == position
            assert position.player == state.to_act


@pytest.mark.parametrize("name", ["classic", "doubtful_dice", "box"])
def test_positions_where_hands_are_seen(name):
    n_said = 0
    for state in play(MatchState(match_of(small(PRESETS[name]), 2)), Random(3)):
        if not on_turn(state):
            continue
        try:
            position = position_at(state)
        except InputError:
            assert name == "box" or state.now.cup.phase.value == "look"
            continue
        assert parse_position(str(position)) == position
        n_said += 1
    assert n_said > 3


@pytest.mark.parametrize("name", PRESETS)
def test_rules_are_written_as_a_preset_and_changes(name):
    rules = PRESETS[name]
    assert format_rules(rules) == name
    assert parse_rules(name) is not None
    changed = rules.replace(lives=2) if rules.family == "cup" else rules.replace(faces=4)
    text = format_rules(changed)
    assert parse_rules(text) == changed
    assert text == f"{name} {'lives=2' if rules.family == 'cup' else 'faces=4'}"


def test_rules_of_another_name_are_written_by_the_nearest_preset():
    assert format_rules(RuleSet(name="mine", faces=4)) == "common faces=4"
    wild = presets.LIARS_DICE.replace(wild="none")
    assert parse_rules(format_rules(wild)) == wild
    odd = presets.PERUDO.replace(wild="top_face", wild_until="never_locked")
    assert parse_rules(format_rules(odd)) == odd


def test_a_position_of_one_round():
    known = read_situation(presets.PERUDO, hand="3,3", dice=(1, 2), history=["1x3"])
    text = "perudo; dice 1,2; starts 1; seat 2; hand 3,3; said 1x3"
    assert str(position_of(known)) == text
    assert parse_position(text).situation() == known
    many = presets.COMMON.replace(min_players=4)
    known = read_situation(many, hand="3", dice=(1, 1))
    assert str(position_of(known)) == "common min_players=4; dice 1,1,0,0; starts 1; seat 1; hand 3"


def test_who_lives_on_an_extra_life():
    position = parse_position("box; lives 3,0; has_extra 2; hand QQQ99")
    assert (position.score.has_extra, position.score.had_extra) == ((False, True),) * 2
    assert str(position) == (
        "box; lives 3,0; starts 1; had_extra 2; has_extra 2; seat 1; hand QQQ99"
    )


def test_a_palifico_position():
    text = "perudo; dice 3,1,0,2; starts 2; palifico; had_palifico 3; seat 4; said 1x2; hand 2,5"
    position = parse_position(text)
    assert position.round == Round(presets.PERUDO, (1, 2, 3), palifico=True)
    assert position.score.had_palifico == (False, True, True, False)
    assert str(position) == (
        "perudo; dice 3,1,0,2; starts 2; palifico; had_palifico 3; seat 4; hand 2,5; said 1x2"
    )


def test_who_has_had_a_palifico_round_counts_where_the_rules_ask():
    text = "perudo palifico_face=ex_palifico_may_change; dice 3,1,2; starts 2; palifico"
    assert parse_position(text).round.ex_palifico == frozenset({0})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a position begins with its rules, as in 'perudo; dice 5,4; "),
        ("peru; dice 1,1", "there is no preset 'peru'; did you mean perudo?"),
        ("perudo faces; dice 1,1", "rules are a preset and OPTION=VALUE, such as wild=none, got "),
        ("perudo faces=3 faces=4; dice 1,1", "faces is said twice, as 3 and as 4"),
        ("perudo", "the position does not say the dice of every seat, as in 'dice 3,2'"),
        ("perudo; dice 1,1; cards 2", "a position of perudo has the parts dice, lives, starts, "),
        ("perudo; dice 1,1; dice 2,2", "dice is said twice in the position"),
        ("perudo; lives 1,1", "perudo is about dice, so the position says dice, not lives"),
        ("perudo; dice 1,x", "dice of a position are numbers such as 3,2,1, got '1,x'"),
        ("perudo; dice 1,1; starts two", "starts of a position is a whole number, got 'two'"),
        ("perudo; dice 1,1; starts 3", "the starter is a seat from 1 to 2, got 3"),
        ("perudo; dice 1,0,1; starts 2", "seat 2 starts, but is out"),
        ("perudo; dice 1,0", "two seats or more have dice while a match goes on"),
        ("perudo; dice 1,1; seat 3", "seats are numbered 1 to 2, got 3"),
        ("perudo; dice 1,0,1; seat 2", "seat 2 is out"),
        ("perudo; dice 1,1; hand 1,2", "seat 1 has 1 die, got the hand '1,2'"),
        ("perudo; dice 1,1; said 1x1", "action 1, 1x1: opening bid refused: PE.2 "),
        ("perudo; dice 1,1; said 1x2 liar", "the round is over after liar; a position ends with"),
        ("perudo; dice 1,1; palifico yes", "palifico stands by itself, got 'yes' after it"),
        ("perudo; dice 1,1; had_extra 1", "perudo gives no extra lives, so had_extra would do "),
        ("common; dice 1,1; had_palifico 1", "common has no palifico rounds, so had_palifico "),
        ("perudo; dice 1,1; had_palifico 4", "had_palifico lists seats from 1 to 2, got 4"),
        ("common end=first_out_loses; dice 1,0,1", "the match is over as soon as somebody is "),
        ("mia; lives 7,6", "mia begins with 6 lives each, got 13 in all"),
        ("mia; lives 6,0", "the match is over at this score"),
        ("mia; lives 6,6; claim 21", "claim goes with hand, the hand that is seen, or offered, "),
        ("mia; lives 6,6; hand 21; seat 2", "seat 1 has to act at this position, got seat 2"),
        (
            "mia; lives 6,6; offered 21; claim 21",
            "claim refused: with top_claim=must_challenge nothing may follow",
        ),
    ],
)
def test_wrong_positions_are_refused(text, message):
    with pytest.raises(LiarsolveError) as caught:
        parse_position(text)
    assert str(caught.value).startswith(message)
    with pytest.raises(InputTypeError, match=r"^a position is a line of text, got 5$"):
        parse_position(5)


@given(text=st.text(max_size=60) | st.text("perudo; dice1,2hansdl=x ", max_size=60))
def test_no_text_makes_it_fail_otherwise(text):
    try:
        position = parse_position(text)
    except LiarsolveError:
        return
    assert parse_position(str(position)) == position


def test_a_position_under_a_cup_has_as_many_lives_as_players():
    known = read_situation(presets.MIA, hand="31")
    assert "; lives 6,6; " in str(position_of(known))
    assert "; lives 6,6,6; " in str(position_of(known, n_players=3))

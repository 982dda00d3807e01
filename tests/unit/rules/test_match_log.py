"""Logs of matches: every match is written line by line, and played again from its lines."""

import json
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsolve.errors import InputError, LiarsolveError
from liarsolve.rules import (
    PRESETS,
    BiddingScore,
    MatchState,
    RuleSet,
    describe_match,
    follow,
    match_events,
    match_of,
    presets,
    read_log,
    replay,
    write_log,
)
from liarsolve.rules.match_log import event_to_dict
from random_matches import BIDDING, CUP, play, small


def last(states):
    *_, end = states
    return end


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "liar_cards"])
def test_every_preset_is_played_again_from_its_log(name):
    match = match_of(small(PRESETS[name]), 3)
    state = last(play(MatchState(match), Random(1)))
    lines = write_log(state)
    again = replay(lines)
    assert again == state
    assert again.score == state.score
    assert again.history == state.history
    assert write_log(again) == lines
    assert json.loads(lines[-1])["winners"] == [player + 1 for player in state.winners]


@given(options=BIDDING, n_players=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_random_matches_of_bidding_are_played_again(options, n_players, seed):
    try:
        rules = RuleSet().replace(**options)
    except LiarsolveError:
        return  # the options make no sense together
    rng = Random(seed)
    states = list(play(MatchState(match_of(rules, n_players)), rng))
    state = rng.choice(states)
    again = replay(write_log(state))
    assert again == state
    assert again.history == state.history
    assert replay(write_log(states[-1])) == states[-1]


@given(options=CUP, n_players=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_random_cup_matches_are_played_again(options, n_players, seed):
    rules = presets.LIAR_DIE.replace(**options)
    states = list(play(MatchState(match_of(rules, n_players)), Random(seed)))
    for state in (states[-1], states[len(states) // 2]):
        again = replay(write_log(state))
        assert again == state
        assert again.history == state.history


def test_the_events_of_a_short_match():
    rules = presets.LIARS_DICE.replace(dice=1)
    state = follow(MatchState(match_of(rules, 2), first=1), ["thrown 2", "thrown 3", "2x2", "liar"])
    begins, *events = (event_to_dict(event, rules) for event in match_events(state))
    assert begins == {
        "event": "match_begins",
        "rules": rules.to_dict(),
        "n_players": 2,
        "first": 2,
        "score": None,
        "names": None,
    }
    score = dict.fromkeys(("lives", "pool", "has_extra", "had_extra", "had_palifico"))
    assert events == [
        {
            "event": "round_begins",
            "round": 1,
            "seats": [2, 1],
            "score": score | {"starter": 2, "dice": [1, 1], "is_palifico": False, "winners": []},
        },
        {"event": "thrown", "seat": 2, "hand": "2", "seen_by": [2]},
        {"event": "thrown", "seat": 1, "hand": "3", "seen_by": [1]},
        {"event": "acts", "seat": 2, "action": "2x2", "is_hidden": False},
        {"event": "acts", "seat": 1, "action": "liar", "is_hidden": False},
        {
            "event": "round_ends",
            "round": 1,
            "outcome": {
                "kind": "bidder_loses",
                "said": "2x2",
                "by": 2,
                "answered_by": 1,
                "count": 1,
                "hand": None,
                "loser": 2,
                "winner": 1,
            },
            "changes": [0, -1],
            "revived": [],
            "out": [2],
        },
        {
            "event": "match_ends",
            "winners": [1],
            "score": score | {"starter": 1, "dice": [1, 0], "is_palifico": False, "winners": [1]},
        },
    ]


def test_tries_for_the_top_hand_are_seen_by_all_and_all_are_kept():
    """CL.10: the accepter throws in the open; the log keeps every throw."""
    rules = presets.CLASSIC.replace(lives=1, top_throws=2)
    state = follow(
        MatchState(match_of(rules, 3), first=2),
        ["thrown 99QJT", "AAAAA", "accept", "thrown A9999", "thrown AA999"],
    )
    thrown = [
        event_to_dict(event, rules)
        for event in match_events(state)
        if type(event).__name__ == "DiceThrown"
    ]
    assert [(event["seat"], event["hand"], event["seen_by"]) for event in thrown[:3]] == [
        (3, "99QJT", [3]),
        (1, "9999A", [1, 2, 3]),
        (1, "999AA", [1, 2, 3]),
    ]
    assert replay(write_log(state)) == state


def test_what_is_kept_is_hidden():
    rules = presets.CLASSIC
    state = follow(
        MatchState(match_of(rules, 2), first=0), ["thrown 99QJT", "99QJT", "accept", "keep 99"]
    )
    assert json.loads(write_log(state)[-1]) == {
        "event": "acts",
        "seat": 2,
        "action": "keep 99",
        "is_hidden": True,
    }


def test_a_match_from_a_score_and_names_are_in_the_log():
    match = match_of(presets.LIARS_DICE, 3)
    state = MatchState(match, score=BiddingScore(dice=(1, 0, 2), starter=2))
    lines = write_log(follow(state, ["thrown 3,4"]), names=("ann", "bob", "eve"))
    begins = json.loads(lines[0])
    assert (begins["first"], begins["score"]["dice"]) == (None, [1, 0, 2])
    assert begins["names"] == ["ann", "bob", "eve"]
    assert replay(lines).seats == (2, 0)
    assert replay(lines) == follow(state, ["thrown 3,4"])


def test_several_matches_in_one_log():
    log = write_log(MatchState(match_of(presets.MIA, 2), first=0))
    assert len(list(read_log([*log, "\n", *log]))) == 2
    with pytest.raises(InputError, match=r"^the log holds several matches; read_log reads them"):
        replay(log + log)
    with pytest.raises(InputError, match=r"^the log is empty; a match begins with match_begins$"):
        replay([])


def test_a_match_entered_in_a_round_has_no_log():
    match = match_of(presets.LIARS_DICE, 2)
    state = follow(MatchState(match, first=0), ["thrown 1,2,3,4,5"])
    with pytest.raises(InputError, match=r"^the match was entered in the middle of a round"):
        write_log(MatchState(match, score=state.score, now=state.now))


LOG = write_log(
    follow(
        MatchState(match_of(presets.LIARS_DICE.replace(dice=1), 2), first=0),
        ["thrown 2", "thrown 3", "2x2", "liar"],
    )
)


@pytest.mark.parametrize(
    ("place", "line", "message"),
    [
        (0, "{", "line 1 of the log: it is no JSON object, got '{'"),
        (0, LOG[1], "line 1 of the log: a match begins with match_begins, got round_begins"),
        (2, LOG[2][:-5], "line 3 of the log: it is no JSON object, got '{\"event\": \"thrown\", "),
        (2, "[1]", "line 3 of the log: an event is one of match_begins, starts, round_begins, "),
        (2, '{"event": "acts"}', "line 3 of the log: what happens is written as text such as "),
        (2, LOG[3], "line 3 of the log: seat of thrown is 1 here, got 2"),
        (2, LOG[4], "line 3 of the log: the dice have to fall first"),
        (3, LOG[3].replace('"3"', '"7"'), "line 4 of the log: a die shows 1 to 6, got 7 "),
        (4, LOG[4].replace("2x2", "3x2"), "line 5 of the log: opening bid refused: PE?7 "),
        (5, LOG[5].replace('"seat": 2', '"seat": 1'), "line 6 of the log: challenge refused: "),
        (6, LOG[6].replace("[-1, 0]", "[0, -1]"), "line 7 of the log: changes of round_ends is "),
        (6, LOG[7], "line 7 of the log: here comes round_ends, got match_ends"),
        (7, LOG[7].replace('"winners": [2]', '"winners": [1]', 1), "line 8 of the log: winners "),
        (8, LOG[4], "line 9 of the log: the match is over"),
    ],
)  # fmt: skip
def test_damaged_lines_are_named(place, line, message):
    lines = [*LOG]
    lines[place : place + 1] = [line]
    with pytest.raises(InputError) as caught:
        replay(lines)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@given(place=st.integers(0, len(LOG) - 1), data=st.data())
def test_no_change_of_a_line_is_taken_for_something_else(place, data):
    """Whatever one value of a line is changed to: an error names the line, or it follows later."""
    entry = json.loads(LOG[place])
    name = data.draw(st.sampled_from(sorted(entry)))
    junk = (
        st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just([]) | st.just({})
    )
    entry[name] = data.draw(junk)
    lines = [*LOG]
    lines[place] = json.dumps(entry)
    if place > 0 and entry != json.loads(LOG[place]):
        with pytest.raises(InputError, match=r"^line [1-8] of the log: "):
            replay(lines)
        return
    with suppress(InputError):  # the first line alone may begin another match
        replay(lines)
    assert replay(LOG).is_terminal


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "liar_cards"])
def test_every_event_is_told_in_a_line(name):
    rules = small(PRESETS[name])
    state = last(play(MatchState(match_of(rules, 3)), Random(2)))
    lines = describe_match(state, names=("ann", "bob", "eve")).splitlines()
    assert len(lines) == len(match_events(state))
    assert lines[0].endswith("Seat 1 is ann, seat 2 is bob and seat 3 is eve.")
    assert lines[-1].endswith(" won the match.")
    rounds = [line for line in lines if line.startswith("Round ")]
    assert len(rounds) == len(state.past)


def test_what_is_won_and_lost_is_told():
    rules = presets.PERUDO.replace(dice=2, name="two dice", extra_life="first_out")
    state = MatchState(match_of(rules, 3), score=BiddingScore(
        dice=(1, 1, 2), starter=0, had_extra=(False,) * 3, had_palifico=(True, True, False)
    ))  # fmt: skip
    state = follow(state, ["thrown 2", "thrown 3", "thrown 3,3", "2x3", "exact"])
    state = follow(state, ["thrown 3", "thrown 4,4", "thrown 4", "2x4", "3x4", "exact"])
    assert describe_match(state).splitlines()[-10:] == [
        "  There are three, so 2x3 is not exactly right. Seat 2 is given one die more.",
        "Round 2: seat 2 starts. Dice: 1, 1, 2.",
        "  Seat 2 rolls 3.",
        "  Seat 3 rolls 4,4.",
        "  Seat 1 rolls 4.",
        "  Seat 2: 2x4",
        "  Seat 3: 3x4",
        "  Seat 1: exact",
        "  There are three, so 3x4 is exactly right. Seat 1 wins one die.",
        "Round 3: seat 1 starts. Dice: 2, 1, 2.",
    ]


@pytest.mark.parametrize(
    ("bid", "words"),
    [("1x6", "There are none, so 1x6 is false."), ("1x2", "There is one, so 1x2 is true.")],
)
def test_few_dice_are_told(bid, words):
    rules = presets.LIARS_DICE.replace(dice=1)
    state = follow(MatchState(match_of(rules, 2), first=0), ["thrown 2", "thrown 3", bid, "liar"])
    assert words in describe_match(state)


def test_a_log_from_before_an_option_is_played_again():
    state = last(play(MatchState(match_of(small(presets.PERUDO), 2)), Random(2)))
    first, *others = write_log(state)
    entry = json.loads(first)
    del entry["rules"]["hand_bonus"]
    assert replay([json.dumps(entry), *others]) == state

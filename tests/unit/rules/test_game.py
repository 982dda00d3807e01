"""Positions of both families behind one protocol: play, chance, knowledge and returns."""

from fractions import Fraction
from itertools import product

import pytest

from liarsolve.claims import MULTIPLICITY
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import IllegalActionError, InputError, InputTypeError
from liarsolve.rules import (
    CHALLENGE,
    EXACT,
    Bid,
    CupRound,
    CupRules,
    Round,
    Thrown,
    first_state,
    follow,
    presets,
)

TINY = {
    "common": Round(presets.COMMON.replace(faces=2), (1, 1)),
    "perudo": Round(presets.PERUDO.replace(faces=2), (1, 1)),
    "three": Round(presets.LIARS_DICE.replace(faces=2), (1, 1, 1)),
    "any": Round(presets.COMMON.replace(faces=2, challenge_who="any"), (1, 1, 1)),
    "liar_die": CupRound(presets.LIAR_DIE.replace(faces=3)),
    "liar_die of three": CupRound(presets.LIAR_DIE.replace(faces=3), 3),
    "coins": CupRound(CupRules(equipment=Equipment.dice(2, 2), ranking=MULTIPLICITY)),
}


def iter_positions(state):
    yield state
    for action in state.legal_actions():
        yield from iter_positions(state.apply(action))


@pytest.fixture(scope="module", params=TINY, ids=str)
def positions(request):
    return list(iter_positions(first_state(TINY[request.param])))


def test_somebody_acts_or_something_falls_or_it_is_over(positions):
    for state in positions:
        kinds = [state.to_act is not None, state.is_chance, state.is_terminal]
        assert kinds.count(True) == 1
        assert bool(state.legal_actions()) == (not state.is_terminal)
        assert state.to_act is None or 0 <= state.to_act < state.n_players


def test_chances_sum_to_one_and_are_those_of_what_may_fall(positions):
    for state in positions:
        outcomes = state.chance_outcomes()
        if state.is_chance:
            assert sum(outcomes.values()) == 1
            assert tuple(outcomes) == state.legal_actions()
        else:
            assert not outcomes


def test_legal_actions_have_no_reason_against_them_and_others_are_refused(positions):
    everything = {action for state in positions for action in state.legal_actions()}
    for state in positions:
        legal = set(state.legal_actions())
        for action in everything:
            reason = state.illegal_reason(action)
            assert (reason is None) == (action in legal)
            if reason is not None:
                with pytest.raises(IllegalActionError) as caught:
                    state.apply(action)
                assert str(caught.value) == reason


def test_actions_are_read_as_they_are_written(positions):
    for state in positions:
        for action in state.legal_actions():
            assert state.parse_action(state.format_action(action)) == action


def test_returns_are_there_at_the_end_and_sum_to_zero(positions):
    for state in positions:
        if state.is_terminal:
            assert len(state.returns()) == state.n_players
            assert sum(state.returns()) == 0
        else:
            with pytest.raises(InputError, match="the round is not over"):
                state.returns()


def test_whoever_is_on_turn_knows_what_may_be_done(positions):
    """Positions that a player cannot tell apart have the same legal actions."""
    seen = {}
    for state in positions:
        if state.to_act is not None:
            known = (state.to_act, state.information_state(state.to_act))
            assert seen.setdefault(known, state.legal_actions()) == state.legal_actions()


def test_values_of_uniform_play_are_those_of_counting():
    """Chance of winning at one die each, two faces: both families, by hand."""

    def value(state):
        if state.is_terminal:
            return state.returns()[0]
        chances = state.chance_outcomes() or dict.fromkeys(
            state.legal_actions(), Fraction(1, len(state.legal_actions()))
        )
        return sum(p * value(state.apply(action)) for action, p in chances.items())

    # Claims 1 and 2 of a thrown die, each half the time. On a 1 the answer is to challenge (the
    # claim is true: +1) or to accept and throw a die of which 2 has to be claimed and challenged:
    # true half the time, so 0 to the first player. A 2 has to be challenged: true or false, 0.
    liar_die = CupRound(presets.LIAR_DIE.replace(faces=2))
    assert value(first_state(liar_die)) == Fraction(1, 2) * Fraction(1, 2)


@pytest.mark.parametrize("hands", list(product([(1,), (2,)], repeat=2)), ids=str)
def test_players_of_a_round_see_their_own_dice_alone_until_the_end(hands):
    start = first_state(TINY["common"])
    state = follow(start, [*map(Thrown, hands), Bid(1, 1)])
    for player in range(2):
        view = state.information_state(player)
        assert (view.hand, view.hands) == (hands[player], None)
    assert state.apply(CHALLENGE).information_state(0).hands == hands
    assert start.information_state(0).hand is None


def test_what_was_thrown_under_the_cup_is_hidden_from_the_others():
    start = first_state(CupRound(presets.CLASSIC, 3))
    states = [follow(start, [f"thrown {hand}", "QQ99J"]) for hand in ("99QJT", "AAAAA")]
    for player in (1, 2):
        assert len({state.information_state(player) for state in states}) == 1
    assert len({state.information_state(0) for state in states}) == 2
    looked = [state.apply(state.parse_action("accept")) for state in states]
    assert len({state.information_state(1) for state in looked}) == 2
    assert len({state.information_state(2) for state in looked}) == 1


def test_calls_out_of_turn_go_through_the_same_door():
    state = follow(first_state(TINY["any"]), ["thrown 1", "thrown 1", "thrown 1", "1x2"])
    assert state.legal_actions(2) == (CHALLENGE,)
    over = state.apply(CHALLENGE, player=2)
    assert over.returns() == (Fraction(-1), Fraction(1, 2), Fraction(1, 2))


def test_an_exact_call_among_three_is_paid_by_the_others():
    state = follow(
        first_state(Round(presets.PERUDO, (1, 1, 1))), ["thrown 2"] * 3 + ["1x2", "3x2", "exact"]
    )
    assert state.returns() == (Fraction(-1, 2), Fraction(-1, 2), Fraction(1))


@pytest.mark.parametrize(
    ("name", "actions", "message"),
    [
        ("common", ["1x1"], "action 1, 1x1: the dice have to fall first"),
        ("common", ["thrown 1", "thrown 1", "thrown 1"], "action 3, thrown 1: all dice have"),
        ("common", ["thrown 1,1"], "player 0 throws 1 dice with faces 1 to 2"),
        ("common", ["thrown 1", "thrown 2", "liar"], "there is no bid to challenge yet"),
        ("liar_die", ["thrown 1", "2", "look"], "action 3, look: "),
    ],
)
def test_illegal_actions_are_refused_with_their_number(name, actions, message):
    with pytest.raises(IllegalActionError, match=message):
        follow(first_state(TINY[name]), actions)


def test_only_actions_are_taken_and_only_rounds_are_begun():
    with pytest.raises(InputTypeError, match="an action is a Bid"):
        first_state(TINY["common"]).illegal_reason("1x1")
    with pytest.raises(InputTypeError, match="an action of a cup game"):
        first_state(TINY["liar_die"]).illegal_reason("1")
    with pytest.raises(InputTypeError, match="a round is a Round or a CupRound, got 5"):
        first_state(5)
    with pytest.raises(InputError, match="players are numbered 0 to 1, got 2"):
        first_state(TINY["common"]).information_state(2)
    assert (
        follow(first_state(TINY["perudo"]), ["thrown 1", "thrown 2", "1x2"]).illegal_reason(EXACT)
        is None
    )


def test_sizes_are_those_that_openspiel_counts():
    """One die each with four faces: 1,024 information sets, 8,181 histories, 4,080 of them over."""
    round_ = Round(presets.OPENSPIEL.replace(faces=4), (1, 1))
    positions = list(iter_positions(first_state(round_)))
    acting = [state for state in positions if state.to_act is not None]
    known = {state.information_state(state.to_act) for state in acting}
    assert len(known) == 1_024
    assert len(positions) == 8_181
    assert sum(state.is_terminal for state in positions) == 4_080

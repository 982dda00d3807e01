"""Laws of contests, for random rules, dice, players and seeds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve import Round, head_to_head, play_round, presets
from liarsolve.dice import count_matches
from liarsolve.play import READY_PLAYERS
from liarsolve.rules import CHALLENGE, PublicState

RULES = (presets.COMMON, presets.LIARS_DICE, presets.PERUDO, presets.SNYD, presets.OPENSPIEL)

rounds = st.builds(
    Round,
    st.builds(
        lambda rules, faces: rules.replace(faces=faces), st.sampled_from(RULES), st.integers(2, 6)
    ),
    st.lists(st.integers(1, 3), min_size=2, max_size=4).map(tuple),
)
players = st.sampled_from(sorted(READY_PLAYERS)).map(lambda name: READY_PLAYERS[name]())
seeds = st.integers(0, 2**64)


@settings(max_examples=60, deadline=None)
@given(round_=rounds, data=st.data(), seed=seeds)
def test_rounds_are_played_by_the_rules(round_, data, seed):
    seats = [data.draw(players) for _ in round_.dice]
    played = play_round(round_, seats, rng=seed)
    *bids, call = played.actions
    state = round_.state_after(bids)  # raises if one is illegal
    assert call in round_.legal_actions(state)
    assert sum(played.utilities) == pytest.approx(0.0, abs=1e-12)
    bid, wild = bids[-1], round_.wild_face(PublicState(tuple(bids)))
    count = count_matches([die for hand in played.hands for die in hand], bid.face, wild)
    is_right = count < bid.quantity if call is CHALLENGE else count == bid.quantity
    caller = len(bids) % round_.n_players
    assert (played.utilities[caller] > 0.0) == is_right


@settings(max_examples=30, deadline=None)
@given(round_=rounds, player=players, seed=seeds)
def test_nobody_gains_against_his_like(round_, player, seed):
    result = head_to_head(round_, player, player, n_deals=3, rng=seed)
    # A round is the same whichever of two alike is the challenger, so the utilities of a deal
    # are those of all seats of one round; of three or more they sum to 0 up to rounding.
    for value in (result.utility.mean, result.utility.lo, result.utility.hi):
        assert value == pytest.approx(0.0, abs=1e-12)
    assert sum(seat.mean for seat in result.seats) == pytest.approx(0.0, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(round_=rounds, challenger=players, rival=players, seed=seeds)
def test_of_two_players_one_gains_what_the_other_loses(round_, challenger, rival, seed):
    pair = Round(round_.rules, round_.dice[:2])
    forth = head_to_head(pair, challenger, rival, n_deals=4, rng=seed)
    back = head_to_head(pair, rival, challenger, n_deals=4, rng=seed)
    assert forth.utility.mean == pytest.approx(-back.utility.mean, abs=1e-12)
    assert forth.utility.lo == pytest.approx(-back.utility.hi, abs=1e-12)
    for seat, other in zip(forth.seats, reversed(back.seats), strict=True):
        assert seat.mean == pytest.approx(-other.mean, abs=1e-12)
    assert forth.endings == back.endings

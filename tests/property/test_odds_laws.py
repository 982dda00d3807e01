"""Laws that the odds obey for any table."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve import (
    Posterior,
    count_distribution,
    largest_count_distribution,
    log_p_at_least,
    log_p_fewer,
    p_at_least,
    p_exactly,
    p_fewer,
)
from liarsolve.odds import Threshold


@st.composite
def tables(draw, max_unseen=40, max_sides=8):
    sides = draw(st.integers(1, max_sides))
    face = st.integers(1, sides)
    return {
        "face": draw(face),
        "unseen": draw(st.integers(0, max_unseen)),
        "hand": tuple(draw(st.lists(face, max_size=6))),
        "wild": draw(st.none() | face),
        "sides": sides,
    }


quantities = st.integers(-3, 50)


@settings(max_examples=80, deadline=None)
@given(table=tables(), q=quantities)
def test_truth_and_falsehood_add_up_to_one(table, q):
    true, false = (ask(q, **table, exact=True) for ask in (p_at_least, p_fewer))
    assert true + false == 1
    assert true - p_at_least(q + 1, **table, exact=True) == p_exactly(q, **table, exact=True)
    for ask, fraction in ((p_at_least, true), (p_fewer, false)):
        assert ask(q, **table) == float(fraction)


@settings(max_examples=80, deadline=None)
@given(table=tables(), q=quantities)
def test_one_more_hidden_die_is_looked_at_last(table, q):
    """Condition on the last hidden die: it matches, or it does not."""
    distribution = count_distribution(**table, exact=True)
    more = p_at_least(q, **table | {"unseen": table["unseen"] + 1}, exact=True)
    assert more == distribution.hit_prob * distribution.at_least(q - 1) + (
        1 - distribution.hit_prob
    ) * distribution.at_least(q)


@settings(max_examples=80, deadline=None)
@given(table=tables(), q=quantities)
def test_hand_own_and_total_say_the_same(table, q):
    expected = p_exactly(q, **table)
    matches = sum(die in (table["face"], table["wild"]) for die in table["hand"])
    by_own = {key: value for key, value in table.items() if key != "hand"} | {"own": matches}
    assert p_exactly(q, **by_own) == expected
    by_total = table | {"unseen": None, "total": table["unseen"] + len(table["hand"])}
    assert p_exactly(q, **by_total) == expected


@settings(max_examples=80, deadline=None)
@given(table=tables(max_unseen=300), q=st.integers(-3, 310))
def test_logarithms_belong_to_the_odds(table, q):
    for ask, ask_log in ((p_at_least, log_p_at_least), (p_fewer, log_p_fewer)):
        prob, log_prob = ask(q, **table), ask_log(q, **table)
        if prob == 0:
            assert log_prob < -700
        else:
            assert math.isclose(math.exp(log_prob), prob, rel_tol=1e-12)


@settings(max_examples=80, deadline=None)
@given(data=st.data(), table=tables(max_unseen=200))
def test_arrays_hold_the_answers_to_single_questions(data, table):
    shape = data.draw(st.sampled_from([(3,), (2, 1), (1, 3), ()]))
    n = math.prod(shape)
    q = data.draw(st.lists(quantities, min_size=n, max_size=n))
    faces = data.draw(st.lists(st.integers(1, table["sides"]), min_size=3, max_size=3))
    many = p_at_least(np.reshape(q, shape), **table | {"face": np.array(faces)})
    for index in np.ndindex(many.shape):
        quantity = int(np.broadcast_to(np.reshape(q, shape), many.shape)[index])
        face = faces[index[-1]]
        assert many[index] == p_at_least(quantity, **table | {"face": face})


@settings(max_examples=80, deadline=None)
@given(table=tables(), level=st.floats(0.001, 0.999))
def test_largest_bid_is_the_last_that_reaches_the_level(table, level):
    distribution = count_distribution(**table)
    best = distribution.max_bid(level)
    assert distribution.at_least(best) >= level > distribution.at_least(best + 1)
    median = distribution.quantile(level)
    assert distribution.fewer(median + 1) >= level
    assert median == 0 or distribution.fewer(median) < level


@settings(max_examples=80, deadline=None)
@given(table=tables(max_unseen=9), q=st.integers(0, 12))
def test_largest_count_lies_between_one_face_and_the_sum_of_all(table, q):
    face = table.pop("face")
    largest = largest_count_distribution(**table, exact=True)
    single = [p_at_least(q, f, **table, exact=True) for f in range(1, table["sides"] + 1)]
    assert max(single) <= largest.at_least(q) <= sum(single)
    one = largest_count_distribution(**table, faces=[face], exact=True)
    assert one.at_least(q) == single[face - 1]
    assert one.some_face_exactly(q) == one.exactly(q)


@settings(max_examples=80, deadline=None)
@given(
    data=st.data(),
    table=tables(max_unseen=4, max_sides=4),
    rate=st.fractions(Fraction(1, 9), Fraction(8, 9), max_denominator=9),
)
def test_beliefs_average_to_the_prior(data, table, rate):
    """A bid that is made or not made: the two beliefs, weighed by their chances, are the prior."""
    n_dice = (table.pop("unseen"), 2)
    face = table.pop("face")
    q = data.draw(st.integers(0, 8))
    model = Threshold(data.draw(st.integers(0, 3)), rate)
    prior = Posterior(n_dice, **table, exact=True)
    backed = prior.match_distribution(0, face).at_least(model.min_matches)
    p_bid = backed + (1 - backed) * rate
    average = p_bid * prior.after_bid(0, q, face, model).p_at_least(q, face)
    if p_bid < 1:
        silent = prior.after_bid(0, q, face, _Silence(model))
        average += (1 - p_bid) * silent.p_at_least(q, face)
    assert average == prior.p_at_least(q, face)


class _Silence:
    """The chance that a player with this hand does not make the bid."""

    def __init__(self, model):
        self.model = model

    def likelihood(self, bid, hand):
        return 1 - Fraction(self.model.likelihood(bid, hand))

"""What the outcomes of a round are worth."""

import numpy as np
import pytest

from liarsolve import CHALLENGE, EXACT
from liarsolve.errors import InputError
from liarsolve.game import Payoffs, outcome_ids


def test_outcomes_by_count():
    count = np.arange(4)
    assert outcome_ids(CHALLENGE, count, 2).tolist() == [0, 0, 1, 1]
    assert outcome_ids(EXACT, count, 2).tolist() == [3, 3, 2, 3]


def test_caller_and_bidder_share_nothing():
    payoffs = Payoffs(bidder_loses=1, challenger_loses=-2, exact_right=3, exact_wrong=-4)
    table = payoffs.table(2)
    assert table.shape == (4, 2, 2)
    assert table[:, 0, 0].tolist() == table[:, 1, 1].tolist() == [1, -2, 3, -4]
    assert np.all(table.sum(axis=2) == 0)
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0, 0] = 0


def test_the_loser_pays_one_that_the_others_share():
    table = Payoffs().table(3)
    assert table[0].tolist() == [[0.5, 0.5, -1], [-1, 0.5, 0.5], [0.5, -1, 0.5]]
    assert table[1].tolist() == [[-1, 0.5, 0.5], [0.5, -1, 0.5], [0.5, 0.5, -1]]
    assert np.array_equal(table[2], -table[1])  # all others pay whoever called exact and is right
    assert np.array_equal(table[3], table[1])


def test_every_player_can_be_paid_by_name():
    vectors = ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (7.0, 8.0, 9.0))
    payoffs = Payoffs(exact_right=vectors, exact_wrong=(1.0, 2.0, (3.0, 0.0, 1.0)))
    table = payoffs.table(3)
    assert table[2].tolist() == [list(vector) for vector in vectors]
    assert table[3].tolist() == [[1, -0.5, -0.5], [-1, 2, -1], [3, 0, 1]]


def test_payoffs_are_as_many_as_players():
    with pytest.raises(InputError) as caught:
        Payoffs(exact_right=((1.0, 2.0), (1.0, 2.0), (1.0, 2.0))).table(3)
    assert str(caught.value) == (
        "exact_right needs a number for each of 3 players in every tuple, got (1.0, 2.0)"
    )
    with pytest.raises(InputError) as caught:
        Payoffs(exact_right=(1.0, 2.0)).table(3)
    assert str(caught.value) == (
        "exact_right needs one number, or one for each of 3 players, got (1.0, 2.0)"
    )


def test_exact_calls_pay_what_was_agreed():
    payoffs = Payoffs.for_exact_call((2, 0.5))
    assert payoffs == Payoffs(exact_right=2.0, exact_wrong=-0.5)
    assert Payoffs(**payoffs.to_dict()) == payoffs


@pytest.mark.parametrize("amounts", [(1,), (1, 2, 3)])
def test_an_exact_call_has_two_amounts(amounts):
    with pytest.raises(InputError) as caught:
        Payoffs.for_exact_call(amounts)
    assert str(caught.value) == (f"exact_payoff is (win, lose), for instance (1, 1), got {amounts}")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), ((1.0, float("inf")), (0.0, 0.0))])
def test_payoffs_are_finite(value):
    with pytest.raises(InputError) as caught:
        Payoffs(exact_right=value)
    assert str(caught.value) == f"a payoff must be a finite number, got exact_right={value}"

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


def test_third_players_get_nothing():
    table = Payoffs().table(3)
    assert table[0].tolist() == [[1, 0, -1], [-1, 1, 0], [0, -1, 1]]


def test_exact_calls_pay_what_was_agreed():
    payoffs = Payoffs.for_exact_call((2, 0.5))
    assert payoffs == Payoffs(exact_right=2.0, exact_wrong=-0.5)
    assert Payoffs(**payoffs.to_dict()) == payoffs


@pytest.mark.parametrize("amounts", [(1,), (1, 2, 3)])
def test_an_exact_call_has_two_amounts(amounts):
    with pytest.raises(InputError) as caught:
        Payoffs.for_exact_call(amounts)
    assert str(caught.value) == (f"exact_payoff is (win, lose), for instance (1, 1), got {amounts}")


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_payoffs_are_finite(value):
    with pytest.raises(InputError) as caught:
        Payoffs(exact_right=value)
    assert str(caught.value) == f"a payoff must be a finite number, got exact_right={value}"

import re

import pytest

from liarsolve.errors import InputError, InputTypeError
from liarsolve.rules import CHALLENGE, EXACT, Bid, Call, format_action, parse_action


def test_a_bid_is_written_quantity_x_face():
    assert str(Bid(4, 3)) == "4x3"
    assert repr(Bid(4, 3)) == "Bid(quantity=4, face=3)"
    assert Bid.parse(" 12X3 ") == Bid(12, 3)


def test_bids_have_no_order_of_their_own():
    with pytest.raises(TypeError):
        Bid(1, 2) < Bid(2, 2)  # noqa: B015  # the comparison is what must fail


def test_equal_bids_hash_alike():
    assert {Bid(2, 3): "a"}[Bid(2, 3)] == "a"


@pytest.mark.parametrize(
    ("quantity", "face", "error", "message"),
    [
        (0, 3, InputError, "the quantity of a bid is at least 1, got 0"),
        (2, 0, InputError, "the face of a bid is at least 1, got 0"),
        (True, 3, InputTypeError, "the quantity of a bid is a whole number, got True"),
        (2, 1.5, InputTypeError, "the face of a bid is a whole number, got 1.5"),
    ],
)
def test_a_bid_that_cannot_be_is_refused(quantity, face, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        Bid(quantity, face)


@pytest.mark.parametrize("text", ["4", "x3", "4x", "4x-3", "four threes", "4x3x2", "٤x٣"])
def test_a_bid_that_cannot_be_read_is_refused(text):
    message = f"a bid is written QxF, such as 4x3 for four threes, got {text!r}"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        Bid.parse(text)


@pytest.mark.parametrize(
    ("word", "call"),
    [
        ("liar", CHALLENGE),
        ("Dudo", CHALLENGE),
        ("challenge", CHALLENGE),
        ("exact", EXACT),
        (" calza", EXACT),
    ],
)
def test_calls_go_by_several_names(word, call):
    assert parse_action(word) is call


def test_calls_are_written_liar_and_exact():
    assert [format_action(call) for call in Call] == ["liar", "exact"]


def test_a_word_that_is_no_action_is_refused():
    with pytest.raises(
        InputError, match=r"^an action is a bid such as 4x3, liar or exact, got 'fold'$"
    ):
        parse_action("fold")


def test_an_action_that_is_no_text_is_refused():
    with pytest.raises(
        InputTypeError, match=r"^an action is written as text such as 4x3 or liar, got 3$"
    ):
        parse_action(3)

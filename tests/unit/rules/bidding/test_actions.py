import re

import pytest

from liarsolve.errors import InputError, InputTypeError
from liarsolve.rules import (
    CHALLENGE,
    EXACT,
    Bid,
    Call,
    format_action,
    parse_action,
    parse_actions,
)


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


@pytest.mark.parametrize(
    "text", ["4", "x3", "4x", "4x-3", "threes", "4x3x2", "٤x٣", "9" * 19 + "x3"]
)
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


@pytest.mark.parametrize(
    "text",
    [
        *(
            "4x3",
            " 4 X 3 ",
            "4\N{MULTIPLICATION SIGN}3",
            "4*3",
            "4-3",
            "4 threes",
            "four threes",
            "Four Threes",
            "4 3s",
        ),
        *("4 3's", "[Bid] 4 3", "[bid: 4, 3]", "[Bid 4 3]"),
    ],
)
def test_a_bid_is_read_as_people_and_programs_write_it(text):
    assert Bid.parse(text) == parse_action(text) == Bid(4, 3)
    assert parse_actions(text) == (Bid(4, 3),)


@pytest.mark.parametrize(
    ("text", "bid"),
    [("one six", "1x6"), ("a six", "1x6"), ("one ones", "1x1"), ("two aces", "2x1"),
     ("25 sixes", "25x6"), ("twelve twelves", "12x12"), ("3 20s", "3x20")],
)  # fmt: skip
def test_a_bid_is_printed_in_one_form(text, bid):
    assert str(Bid.parse(text)) == bid


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("six one", "write 6x1 for six ones and 1x6 for one six"),
        ("2 5", "write 2x5 for two fives and 5x2 for five twos"),
        ("4 three", "write 4x3 for four threes and 3x4 for three fours"),
        ("3 3", "write 3x3 for three threes"),
    ],
)
def test_two_numbers_of_which_either_could_be_the_face_get_a_sentence(text, hint):
    for parse in (Bid.parse, parse_action, parse_actions):
        with pytest.raises(InputError, match=f", which could be two things; {hint}$"):
            parse(text)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("", ""),
        ("1x2, 1 x 5", "1x2 1x5"),
        ("1x2 1x5 liar", "1x2 1x5 liar"),
        ("1x2;1x5\n2-5, DUDO!", "1x2 1x5 2x5 liar"),
        ("two threes two fives 2-6", "2x3 2x5 2x6"),
        ("[Bid] 2 5, [Bid: 3, 5] [Call]", "2x5 3x5 liar"),
        ("4 3s 5 3s calza", "4x3 5x3 exact"),
        ("one three four threes", "1x3 4x3"),
    ],
)
def test_histories_are_read(text, actions):
    assert " ".join(map(str, parse_actions(text))) == actions


@pytest.mark.parametrize("text", ["1x2,,1x5", "1x2,", ",1x2", ";", "1x2, ,1x5"])
def test_a_gap_in_a_history_is_no_bid(text):
    with pytest.raises(InputError, match=r"^a history has a bid or a call between any two commas"):
        parse_actions(text)


def test_a_history_that_is_no_text_is_refused():
    with pytest.raises(InputTypeError, match=r"^a history is written as text such as "):
        parse_actions(("1x2", "1x5"))
    with pytest.raises(InputTypeError, match=r"^a bid is written as text such as 4x3, got 43$"):
        Bid.parse(43)

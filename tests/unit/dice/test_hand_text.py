import pytest

from liarsolve.dice import parse_hand
from liarsolve.errors import InputError


@pytest.mark.parametrize("text", ["6,6,1", "6 6 1", "661", " 6 , 1, 6 "])
def test_a_hand_is_read_in_any_order(text):
    assert parse_hand(text) == (1, 6, 6)


@pytest.mark.parametrize("text", ["1,,2", "1,2,", ",1,2", ",", "1, ,2"])
def test_a_gap_between_commas_is_no_die(text):
    with pytest.raises(InputError, match=r"^a hand has a face between any two commas, got "):
        parse_hand(text)

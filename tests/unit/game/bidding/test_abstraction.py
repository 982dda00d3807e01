"""Abstractions as values: how they are written, combined and stored."""

import numpy as np
import pytest

from liarsolve.errors import InputError, InputTypeError
from liarsolve.game import Abstraction, MaxJump, Recall, SimilarHands


def test_it_is_printed_as_it_is_written_and_as_people_say_it():
    both = Recall(3) & MaxJump(12)
    assert (repr(Recall(3)), str(Recall(3))) == ("Recall(3)", "recall 3")
    assert (repr(MaxJump(12)), str(MaxJump(12))) == ("MaxJump(12)", "jumps of up to 12")
    assert (repr(both), str(both)) == ("Recall(3) & MaxJump(12)", "recall 3, jumps of up to 12")


def test_three_parts_read_as_a_sentence():
    all_three = SimilarHands(2) & Recall(3) & MaxJump(12)
    assert repr(all_three) == "Recall(3) & MaxJump(12) & SimilarHands(2)"
    assert str(all_three) == "recall 3, jumps of up to 12, hands by the next 2"
    assert all_three.habits == (
        "players who forget all other bids, think of no higher raises and tell hands apart by "
        "these bids alone"
    )
    assert all_three.responder == (
        "a best response that forgets nothing, makes any bid and sees all its dice"
    )
    assert MaxJump(2).habits == "players who think of no higher raises"


def test_it_is_a_value():
    assert Recall(np.int64(3)) == Recall(3) != Recall(2)
    assert Recall(3) & MaxJump(12) == MaxJump(12) & Recall(3)
    assert len({Recall(3), Recall(np.int64(3)), MaxJump(3)}) == 2
    assert (Recall(3) & MaxJump(12)).parts == {"recall": 3, "max_jump": 12}


@pytest.mark.parametrize("build", [Recall, MaxJump, SimilarHands])
@pytest.mark.parametrize("n_bids", [True, 1.5, "3", None])
def test_a_part_is_a_whole_number(build, n_bids):
    error, words = (InputTypeError, "whole number of bids, got")
    if n_bids is None:
        error, words = InputError, "leaves something out"
    with pytest.raises(error, match=words):
        build(n_bids)


def test_parts_begin_at_one():
    with pytest.raises(InputError, match="recall 1 or more, got 0"):
        Recall(0)
    with pytest.raises(InputError, match="jumps of up to 1 or more, got -2"):
        MaxJump(-2)
    with pytest.raises(InputError, match="hands by the next 1 or more, got 0"):
        SimilarHands(0)


def test_a_part_is_given_once():
    with pytest.raises(InputError, match=r"Recall\(3\) and Recall\(2\) both speak of recall"):
        Recall(3) & Recall(2)
    with pytest.raises(InputError, match=r"both speak of max jump; write that part once"):
        (Recall(3) & MaxJump(2)) & MaxJump(2)


def test_only_abstractions_combine():
    with pytest.raises(InputTypeError, match=r"with another, such as MaxJump\(12\), got 12"):
        Recall(3) & 12


@pytest.mark.parametrize(
    "abstraction", [Recall(3), MaxJump(4), Recall(3) & MaxJump(12) & SimilarHands(2)]
)
def test_plain_values_give_it_back(abstraction):
    assert Abstraction.from_dict(abstraction.to_dict()) == abstraction


def test_manifests_without_jumps_are_read():
    assert Abstraction.from_dict({"rules": {}, "recall": 3}) == Recall(3)
    assert Abstraction.from_dict({"rules": {}, "recall": None}) is None
    assert Abstraction.from_dict({"rules": {}}) is None

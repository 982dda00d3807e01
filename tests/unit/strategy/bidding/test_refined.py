"""Solutions whose players remember what best responses would make use of."""

import numpy as np
import pytest

from liarsolve import MaxJump, Payoffs, Recall, SimilarHands, load, presets, solve
from liarsolve.errors import InputError, InputTypeError
from liarsolve.solvers import StopReason

RULES = presets.COMMON.replace(faces=3)


@pytest.fixture(scope="module")
def refined():
    return solve(RULES, (2, 1), abstraction=Recall(1), refine=True, target=0.0, max_iterations=80)


def test_it_says_that_it_is_refined(refined):
    assert refined.is_refined
    assert refined.abstraction == Recall(1)
    assert refined.stop is StopReason.ITERATION_LIMIT
    words = "recall 1, refined: strategies of players who forget all other bids except where that"
    assert refined.rests_on.startswith(words)
    assert "abstraction=Recall(1), refine=True, " in repr(refined)
    assert refined.to_dict()["method"] == "discounted, refined"


def test_it_is_better_than_without(refined):
    coarse = solve(RULES, (2, 1), abstraction=Recall(1), target=0.0, max_iterations=80)
    assert not coarse.is_refined
    assert refined.exploitability < 0.2 * coarse.exploitability
    assert refined.n_states > coarse.n_states


def test_it_is_saved_and_read_back(refined, tmp_path):
    refined.save(tmp_path / "refined")
    again = load(tmp_path / "refined")
    assert again.is_refined
    assert again.to_dict() == refined.to_dict()
    for one, other in zip(again.result.strategy, refined.result.strategy, strict=True):
        assert np.array_equal(one, other)
    for hand, history in (("1,3", []), ("2", ["1x1"]), ("2,2", ["1x2", "2x1"])):
        assert again.strategy.probs(hand, history) == refined.strategy.probs(hand, history)


def test_answers_depend_on_more_than_the_last_bid(refined):
    def count_answers(solution):
        """Number of different answers to 2x3, whatever was bid before."""
        histories = [["2x3"], ["1x1", "1x2", "2x3"], ["1x2", "1x3", "2x3"], ["1x3", "2x2", "2x3"]]
        rows = [solution.strategy.probs("3", history).values() for history in histories]
        return len({tuple(row) for row in rows})

    coarse = solve(RULES, (2, 1), abstraction=Recall(1), max_iterations=80)
    assert count_answers(coarse) == 1 < count_answers(refined)


def test_its_values_are_those_of_its_bounds(refined):
    value = refined.values[0]
    low, high = refined.value_bounds
    assert low - 1e-6 <= value <= high + 1e-6


def test_what_would_do_nothing_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"refine is about players who forget; give an abstract"):
        solve(RULES, (1, 1), refine=True)
    with pytest.raises(InputError, match=r"refine is for rounds of two players, got 3"):
        solve(RULES, (1, 1, 1), abstraction=Recall(1), refine=True)
    for more in (MaxJump(2), SimilarHands(2)):
        with pytest.raises(InputError, match=r"with it, give Recall\(1\) alone, got Recall\(1\) &"):
            solve(RULES, (1, 1), abstraction=Recall(1) & more, refine=True)
    with pytest.raises(InputError, match="cannot be resumed yet, so leave out checkpoint"):
        solve(RULES, (1, 1), abstraction=Recall(1), refine=True, checkpoint=tmp_path / "c")
    assert not (tmp_path / "c").exists()
    with pytest.raises(InputError, match="who play for the same stake"):
        solve(
            presets.PERUDO.replace(faces=2),
            (1, 1),
            abstraction=Recall(1),
            refine=True,
            payoffs=Payoffs(exact_right=((2.0, -1.0), (-1.0, 2.0))),
        )
    with pytest.raises(InputTypeError, match="refine"):
        solve(RULES, (1, 1), abstraction=Recall(1), refine="yes")
    with pytest.raises(InputTypeError, match="there is no argument refine"):
        solve(presets.MIA, refine=True)

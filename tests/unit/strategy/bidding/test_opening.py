"""How a strategy opens a round."""

import pytest

from liarsolve import Recall, presets, solve
from liarsolve.solvers.core import halt as halt_module
from liarsolve.strategy.bidding import opening as module
from liarsolve.strategy.bidding.opening import tabulate_opening

RULES = presets.COMMON.replace(faces=3)


@pytest.mark.parametrize("dice", [(2, 1), (1, 1, 1)])
def test_rows_are_what_the_strategy_plays_and_is_worth(dice):
    solution = solve(RULES, dice, max_iterations=50, target=0)
    opening = tabulate_opening(solution)
    assert opening.n_hands == len(opening.rows) == (6 if dice[0] == 2 else 3)
    for row in opening.rows:
        assert row.probs == pytest.approx(dict(solution.strategy.probs(row.hand)), abs=1e-6)
        mean = sum(a.probability * a.expected_value for a in solution.strategy.advise(row.hand))
        assert row.worth == pytest.approx(mean, abs=1e-6)
    assert sum(opening.probs.values()) == pytest.approx(1.0)
    assert opening.worth == pytest.approx(solution.values[0], abs=1e-6)


def test_of_many_hands_some_are_listed(monkeypatch):
    monkeypatch.setattr(module, "_MOST_HANDS", 3)
    monkeypatch.setattr(module, "_FEW_HANDS", 2)
    solution = solve(RULES, (2, 1), abstraction=Recall(1), max_iterations=20, target=0)
    opening = tabulate_opening(solution)
    assert (len(opening.rows), opening.n_hands, opening.worth) == (2, 6, None)
    assert all(row.worth is not None for row in opening.rows)


@pytest.mark.parametrize("dice", [(2, 1), (1, 1, 1)])
@pytest.mark.parametrize("n_looks", [0, 1, 2])
def test_so_does_the_end_of_the_time(monkeypatch, dice, n_looks):
    monkeypatch.setattr(halt_module, "_PIECE", 1)
    looks = iter([False] * n_looks)
    solution = solve(RULES, dice, max_iterations=5, target=0)
    opening = tabulate_opening(solution, lambda: next(looks, True))
    assert {row.worth for row in opening.rows} == {None}
    assert opening.worth is None


def test_an_interrupt_leaves_out_what_hands_are_worth(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_values_of", interrupt)
    opening = tabulate_opening(solve(RULES, (1, 1), max_iterations=5))
    assert [row.worth for row in opening.rows] == [None] * 3
    assert opening.worth is None

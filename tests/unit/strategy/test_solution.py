"""The protocol that the solutions of all families keep."""

from fractions import Fraction

import pytest

import liarsolve
from liarsolve import (
    BiddingSolution,
    CupSolution,
    CupTableSolution,
    InputError,
    Payoffs,
    Solution,
    StopReason,
    StorageError,
    load,
    presets,
    solve,
)


@pytest.fixture(scope="module")
def solutions():
    small = presets.COMMON.replace(faces=2)
    return {
        "duel": solve(small, dice=(1, 1)),
        "table": solve(small, dice=(1, 1, 1), max_iterations=5),
        "cup": solve(presets.LIAR_DIE),
        "cup table": solve(presets.LIAR_DIE, players=3),
    }


KINDS = {
    "duel": (BiddingSolution, 2),
    "table": (BiddingSolution, 3),
    "cup": (CupSolution, 2),
    "cup table": (CupTableSolution, 3),
}


@pytest.mark.parametrize("name", KINDS)
def test_every_solution_keeps_the_protocol(solutions, name, tmp_path):
    solution = solutions[name]
    kind, n_players = KINDS[name]
    assert isinstance(solution, Solution)
    assert type(solution) is kind
    assert repr(solution).startswith(f"{kind.__name__}(")
    assert solution.n_players == n_players
    assert isinstance(solution.stop, StopReason)
    assert isinstance(solution.iterations, int)
    assert solution.seconds == solution.result.seconds
    assert solution.n_bytes_stored > 0
    solution.save(tmp_path / "saved")
    copy = load(tmp_path / "saved")
    assert type(copy) is kind
    assert copy.to_dict() == solution.to_dict()


def test_what_does_not_exist_with_three_players_is_none(solutions):
    for name in ("table", "cup table"):
        solution = solutions[name]
        assert (solution.value_bounds, solution.exploitability) == (None, None)
        assert solution.exact_value is None
        assert solution.nash_conv >= 0.0
    for name in ("duel", "cup"):
        lo, hi = solutions[name].value_bounds
        assert lo <= hi
        assert solutions[name].exploitability == solutions[name].nash_conv / 2
    assert isinstance(solutions["cup"].exact_value, Fraction)


def test_every_solution_advises(solutions):
    assert solutions["duel"].advise((1,)) == solutions["duel"].strategy.advise((1,))
    assert solutions["table"].advise((1,), ["1x1"]) == solutions["table"].strategy.advise(
        (1,), ["1x1"]
    )
    for name in ("cup", "cup table"):
        by_strategy = solutions[name].strategy.advise(offered="5")
        assert solutions[name].advise(offered="5") == by_strategy


def test_other_things_are_no_solutions(solutions):
    assert not isinstance(solutions["duel"].strategy, Solution)
    assert not isinstance(solutions["duel"].result, Solution)


def test_the_face_has_what_solve_takes_and_raises():
    assert liarsolve.Payoffs is Payoffs
    with pytest.raises(InputError, match="dice"):
        solve(presets.COMMON, dice=(1, 0))
    with pytest.raises(StorageError, match="nowhere"):
        load("nowhere")

"""Sparse equations solved in whole numbers."""

from fractions import Fraction

import numpy as np
import pytest

from liarsolve.solvers.exact.elimination import solve_near


def ignore(share):
    assert 0.0 <= share <= 1.0


def test_what_is_determined_is_solved_exactly():
    # x + y = 1, y = 3 z, x = z
    rows = [{0: 1.0, 1: -1.0, 2: -1.0}, {2: 1.0, 3: -3.0}, {1: 1.0, 3: -1.0}]
    solution = solve_near(rows, {0: Fraction(1)}, {1: 0.2, 2: 0.7, 3: 0.2}, ignore)
    assert solution == {0: 1, 1: Fraction(1, 4), 2: Fraction(3, 4), 3: Fraction(1, 4)}


def test_what_is_free_keeps_its_guess():
    solution = solve_near([{0: 1.0, 1: -1.0, 2: -1.0}], {0: Fraction(1)}, {1: 0.3, 2: 0.7}, ignore)
    assert solution[1] + solution[2] == 1
    assert float(solution[1]) == pytest.approx(0.3, abs=1e-15)
    assert max(x.denominator for x in solution.values()) <= 2**60


def test_columns_without_a_guess_are_eliminated_first():
    # Column 9 is what both x and 2 y are worth, and nobody knows how much that is.
    rows = [{9: 1.0, 1: -1.0}, {9: 1.0, 2: -2.0}, {0: 1.0, 1: -1.0, 2: -1.0}]
    solution = solve_near(rows, {0: Fraction(1)}, {1: 0.6, 2: 0.4}, ignore)
    assert solution == {0: 1, 1: Fraction(2, 3), 2: Fraction(1, 3)}


def test_equations_that_contradict_each_other_have_no_solution():
    rows = [{0: 1.0, 1: -1.0}, {0: 1.0, 1: -2.0}]
    assert solve_near(rows, {0: Fraction(1)}, {1: 0.7}, ignore) is None
    assert solve_near(rows, {0: Fraction(0)}, {1: 0.7}, ignore) == {0: 0, 1: 0}


def test_coefficients_may_be_any_floats():
    solution = solve_near([{0: 0.75, 1: -0.1}], {0: Fraction(1)}, {1: 7.5}, ignore)
    assert solution[1] == Fraction(0.75) / Fraction(0.1)


def test_random_equations_hold_exactly_near_the_guess():
    rng = np.random.default_rng(5)
    for _ in range(20):
        matrix = rng.integers(-2, 3, (6, 10)) * (rng.random((6, 10)) < 0.5)
        matrix[5] = matrix[0] + matrix[1]  # one says nothing new
        basis = np.linalg.svd(matrix)[2][np.linalg.matrix_rank(matrix) :]
        guess = rng.standard_normal(len(basis)) @ basis
        rows = [{c: float(a) for c, a in enumerate(row) if a} for row in matrix.tolist()]
        solution = solve_near(rows, {}, dict(enumerate(guess.tolist())), ignore)
        for row in rows:
            assert sum(Fraction(a) * solution[c] for c, a in row.items()) == 0
        # The condition of such matrices times the rounding of the guess.
        assert [float(solution[c]) for c in range(10)] == pytest.approx(guess.tolist(), abs=1e-10)


def test_an_exception_of_the_callback_ends_the_work():
    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_near([{0: 1.0, 1: -1.0}], {0: Fraction(1)}, {1: 0.7}, stop)

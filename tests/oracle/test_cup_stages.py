"""Stages of cup games against a linear program, on random tables."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from liarsolve.game.cup.game import build_cup_game
from liarsolve.solvers.cup.stages import Side, make_tables, set_column, solve_one_stage

PRECISION = 1e-8
"""Both are exact up to rounding; the linear program to about 1e-9."""


def solve_by_program(distribution, truth, accepted):
    """Value of a stage: least v, over q and y, with v >= distribution @ y and y >= every payoff.

    Parameters
    ----------
    distribution : float[S, J]
    truth, accepted : float[J, C]
        Chance of the mover if challenged, and if accepted.
    """
    n_keeps, n_hands = distribution.shape
    n_claims = truth.shape[1]
    n_columns = n_claims + n_hands + 1
    rows, right = [], []
    for s in range(n_keeps):
        row = np.zeros(n_columns)
        row[n_claims : n_claims + n_hands], row[-1] = distribution[s], -1.0
        rows.append(row)
        right.append(0.0)
    for j in range(n_hands):
        for c in range(n_claims):
            row = np.zeros(n_columns)
            row[c], row[n_claims + j] = accepted[j, c] - truth[j, c], -1.0
            rows.append(row)
            right.append(-truth[j, c])
    cost = np.zeros(n_columns)
    cost[-1] = 1.0
    bounds = [(0, 1)] * n_claims + [(None, None)] * (n_hands + 1)
    return linprog(cost, np.array(rows), right, bounds=bounds, method="highs").fun


@st.composite
def stages(draw):
    """A game with one family of keeps beside the first throw, and tables of payoffs."""
    n_hands, n_claims = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    n_keeps = draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    hands = tuple((h,) for h in range(n_hands))
    weights = rng.integers(0, 4, (n_keeps, n_hands)) + np.eye(n_keeps, n_hands, dtype=int)
    weights[:, 0] += weights.sum(axis=1) == 0
    distributions = [
        {h: Fraction(int(w), int(ws.sum())) for h, w in enumerate(ws) if w} for ws in weights
    ]
    game = build_cup_game(
        hands=hands,
        distributions={(): {(0,): Fraction(1)}, **{hand: {hand: Fraction(1)} for hand in hands}},
        thrown=(1,),
        is_announced=True,
        truth=np.ones((n_claims, n_hands), bool),
        follows=np.triu(np.ones((n_claims, n_claims), bool), 1),
    )
    distribution = np.array(
        [[float(distribution.get(h, 0)) for h in range(n_hands)] for distribution in distributions]
    )
    is_ordered = draw(st.booleans())
    if is_ordered:  # as under at least: true up to the own height; the higher, the better accepted
        truth = np.arange(n_hands)[:, None] >= np.arange(n_claims)[None, ::-1] * n_hands / n_claims
        values = np.sort(rng.random((n_hands, n_claims)), axis=1)
    else:
        truth = rng.random((n_hands, n_claims)) < 0.5
        values = rng.choice([0.0, 0.25, 0.5, 1.0, rng.random()], (n_hands, n_claims))
    return game, distribution, truth.astype(float), 1.0 - values


def as_family(game, distribution):
    """The game with these distributions as the keeps of its first family."""
    object.__setattr__(game, "redraw", np.ascontiguousarray(distribution))
    object.__setattr__(game, "family_keeps", np.arange(len(distribution)))
    object.__setattr__(game, "family_start", np.array([0, len(distribution)]))
    return game


@given(stage=stages())
@settings(max_examples=80, deadline=None)
def test_pivots_find_the_value_of_the_linear_program(stage):
    game, distribution, truth, accepted = stage
    expected = solve_by_program(distribution, truth, accepted)
    game = as_family(game, distribution)
    tables = make_tables(game.n_hands, truth.shape[1])
    for p in range(truth.shape[1]):
        set_column(tables, p, truth[:, p], accepted[:, p], accepted[:, p])
    solution = solve_one_stage(game, 0, range(truth.shape[1]), tables, Side.MOVER)
    assert solution.low == pytest.approx(expected, abs=PRECISION)
    assert solution.high == pytest.approx(expected, abs=PRECISION)
    assert_is_strategy(solution)
    assert_bounds_hold(solution, distribution, truth, accepted)


def assert_is_strategy(solution):
    np.testing.assert_allclose(solution.keep_probs.sum(), 1.0, rtol=1e-12)
    np.testing.assert_allclose(solution.claim_probs.sum(axis=1), 1.0, rtol=1e-12)
    assert solution.keep_probs.min() >= 0.0
    assert solution.claim_probs.min() >= 0.0
    assert 0.0 <= solution.accept.min() <= solution.accept.max() <= 1.0


def assert_bounds_hold(solution, distribution, truth, accepted):
    """Count anew what each strategy is worth against the best reply."""
    hands, low_slack = solution.hands, 1e-12
    mass = (solution.keep_probs @ distribution)[hands][:, None] * solution.claim_probs
    challenged = (mass * truth[hands]).sum(axis=0)
    believed = (mass * accepted[hands]).sum(axis=0)
    assert solution.low <= np.minimum(challenged, believed).sum() + low_slack
    payoff = truth + solution.accept * (accepted - truth)
    assert solution.high >= (distribution @ payoff.max(axis=1)).max() - low_slack


@given(stage=stages(), width=st.sampled_from([1e-3, 0.2]))
@settings(max_examples=40, deadline=None)
def test_each_side_is_exact_against_its_own_bounds(stage, width):
    """With bounds of later states apart, low is the value of the low program, high of the high."""
    game, distribution, truth, accepted = stage
    game = as_family(game, distribution)
    below, above = np.clip(accepted - width, 0, 1), np.clip(accepted + width, 0, 1)
    tables = make_tables(game.n_hands, truth.shape[1])
    for p in range(truth.shape[1]):
        set_column(tables, p, truth[:, p], below[:, p], above[:, p])
    mover = solve_one_stage(game, 0, range(truth.shape[1]), tables, Side.MOVER)
    responder = solve_one_stage(game, 0, range(truth.shape[1]), tables, Side.RESPONDER)
    assert mover.low == pytest.approx(solve_by_program(distribution, truth, below), abs=PRECISION)
    assert responder.high == pytest.approx(
        solve_by_program(distribution, truth, above), abs=PRECISION
    )

"""Members of the CFR family: what each keeps, that all converge and that no two are the same."""

from dataclasses import replace
from itertools import combinations
from math import inf

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import InputError
from liarsolve.game import compile_graph
from liarsolve.solvers import DISCOUNTED_CFR, VARIANTS, CFRSolver, CFRVariant, get_variant

COMMON_3 = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
"""Its value is -1/9."""
SNYD_2 = compile_graph(Round(presets.SNYD.replace(faces=2), (1, 1)))
"""Both dice show twos or wild ones: "two twos" is true, and the first bidder has won."""


def run(graph, variant, n_iterations, **options):
    solver = CFRSolver(graph, variant=variant, **options)
    for _ in range(n_iterations):
        solver.step()
    return solver


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_finds_the_winning_bid(name):
    solver = run(SNYD_2, get_variant(name), 500)
    lo, hi = solver.certify().value_bounds
    assert lo > 0.99
    assert hi == 1.0 + 1e-12  # room for rounding


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_closes_in_on_a_known_value(name):
    solver = run(COMMON_3, get_variant(name), 500)
    lo, hi = solver.certify().value_bounds
    assert lo <= -1 / 9 <= hi
    assert hi - lo < 0.02


def test_no_two_variants_are_the_same():
    averages = {
        name: run(COMMON_3, variant, 10).average_strategy()[1] for name, variant in VARIANTS.items()
    }
    for one, two in combinations(averages.values(), 2):
        assert any(a.shape != b.shape or np.any(a != b) for a, b in zip(one, two, strict=True))


@pytest.mark.parametrize(
    "change",
    [
        {"positive_exponent": 0.5},
        {"negative_exponent": 1.0},
        {"average_exponent": 0.0},
        {"is_predictive": True},
    ],
    ids=lambda change: next(iter(change)),
)
def test_every_setting_of_a_variant_changes_the_outcome(change):
    plain = run(COMMON_3, DISCOUNTED_CFR, 10).certify()
    assert run(COMMON_3, replace(DISCOUNTED_CFR, **change), 10).certify() != plain


def weights(variant, iteration):
    step = variant.step(iteration, iteration + 1, threshold=0.0, may_create=True, revisit_period=1)
    return step.average_weight, step.keep_positive, step.keep_negative


def test_what_each_variant_keeps_and_counts():
    # The opponent's iteration, here 4, counts for his average.
    assert weights(get_variant("cfr"), 3) == (1.0, 1.0, 1.0)
    assert weights(get_variant("cfr+"), 3) == (4.0, 1.0, 0.0)
    assert weights(get_variant("linear"), 3) == (4.0, 3 / 4, 3 / 4)
    assert weights(get_variant("discounted"), 4) == (25.0, 8 / 9, 1 / 2)
    assert weights(get_variant("predictive+"), 3) == (16.0, 1.0, 0.0)
    imperfect = CFRVariant(
        name="x", positive_exponent=-inf, negative_exponent=inf, average_exponent=0.5
    )
    assert weights(imperfect, 3) == (2.0, 0.0, 1.0)


def test_an_unknown_variant_is_refused_with_the_known_ones():
    with pytest.raises(InputError) as caught:
        get_variant("dcfr")
    assert str(caught.value) == (
        "there is no CFR variant 'dcfr'; choose one of cfr, cfr+, linear, discounted, predictive+"
    )

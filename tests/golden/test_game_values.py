"""Values of small rounds, held against a table made by a linear program written elsewhere.

``data/game_values.json`` says how its figures were obtained. CFR is held against all of its rows;
our linear program against those with at most three dice in all, and with two dice each and up to
three faces.
"""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from liarsolve import Round, presets, solve, solve_exact
from liarsolve.game import compile_graph, measure_complete_tree
from liarsolve.solvers import StopReason

STORED = json.loads((Path(__file__).parent / "data" / "game_values.json").read_text())
ALL_ENTRIES = [dict(zip(STORED["columns"], row, strict=True)) for row in STORED["values"]]
ENTRIES = [
    entry
    for entry in ALL_ENTRIES
    if entry["d1"] + entry["d2"] <= 3 or (entry["d1"] == entry["d2"] == 2 and entry["f"] <= 3)
]
WILD = {
    "none": {"wild": "none"},
    "high": {"wild": "top_face"},
    "ones": {"wild": "ones"},
    "ones_lock": {"wild": "ones", "wild_until": "any_ones_bid"},
}
ORDER = {
    "qf": {"ones_slot": "face_low"},
    "fq": {"raise_rule": "reset_quantity"},
    "ones_high": {"ones_slot": "face_high"},
    "dudo": {"ones_slot": "before_2n"},
    "perudo": {"ones_slot": "after_2n"},
    "no_ones": {"ones_slot": "forbidden"},
}
ROUNDING = 1e-12
"""The table is printed with 17 digits; values of at most 2 are summed from some thousand terms."""


def dice_of(entry):
    return entry["d1"], entry["d2"]


def rules_of(entry):
    return presets.COMMON.replace(
        faces=entry["f"],
        open_ones="yes" if entry["open_ones"] else "no",
        exact_who="next" if entry["calza"] else "off",
        **WILD[entry["wild"]],
        **ORDER[entry["order"]],
    )


def exact_payoff_of(entry):
    return entry["calza"] or (1, 1)


def entry_id(entry):
    keys = ("d1", "d2", "f", "wild", "order", "open_ones", "calza")
    return "-".join(str(entry[key]) for key in keys)


def slow_unless(is_quick):
    """Parameters for all entries; those that are not quick wait for the slow run."""
    return pytest.mark.parametrize(
        "entry",
        [
            pytest.param(entry, marks=() if is_quick(entry) else pytest.mark.slow)
            for entry in ENTRIES
        ],
        ids=entry_id,
    )


LARGER = {"1-1-6-none-qf-True-None", "1-1-6-ones-no_ones-True-None", "2-1-4-ones_lock-qf-True-None"}
"""Ones that take a second or two each."""
NINE_BIDS = {
    "2-1-3-high-qf-True-None",
    "1-2-3-ones-dudo-True-None",
    "1-2-3-ones-perudo-True-[2, 1]",
}


def test_all_kinds_of_rules_are_among_the_entries():
    assert len(ALL_ENTRIES) == 302
    assert len(ENTRIES) == 183
    assert {entry["wild"] for entry in ENTRIES} == set(WILD)
    assert {entry["order"] for entry in ENTRIES} == set(ORDER)
    assert {entry_id(entry) for entry in ENTRIES} >= LARGER | NINE_BIDS


@pytest.mark.parametrize("entry", ALL_ENTRIES, ids=entry_id)
def test_bids_and_information_sets_are_counted_alike(entry):
    round_ = Round(rules_of(entry), dice_of(entry))
    assert len(round_.bids) == entry["nbids"]
    size = measure_complete_tree(compile_graph(round_))
    assert list(size.n_infosets) == entry["infosets"]


@pytest.mark.parametrize("entry", ALL_ENTRIES, ids=entry_id)
def test_cfr_closes_in_on_the_value(entry):
    solution = solve(
        rules_of(entry),
        dice_of(entry),
        exact_payoff=exact_payoff_of(entry),
        target=1e-3,
        max_iterations=1000,  # 731 are needed at most
    )
    lo, hi = solution.value_bounds
    assert lo <= entry["upper"] + ROUNDING
    assert hi >= entry["lower"] - ROUNDING
    assert solution.stop is StopReason.CONVERGED
    assert hi - lo <= 2e-3


@slow_unless(lambda entry: entry["nbids"] <= 9 or entry_id(entry) in LARGER)
def test_linear_program_hits_the_value(entry):
    solution = solve_exact(rules_of(entry), dice_of(entry), exact_payoff=exact_payoff_of(entry))
    assert solution.stop is StopReason.EXACT
    # HiGHS is optimal to 1e-7 at each constraint; its vertices are better than that here.
    assert solution.value_bounds == pytest.approx((entry["value"],) * 2, abs=1e-9)


@slow_unless(lambda entry: entry["nbids"] <= 8 or entry_id(entry) in NINE_BIDS)
def test_value_is_proved_as_a_fraction(entry):
    solution = solve_exact(
        rules_of(entry), dice_of(entry), exact_payoff=exact_payoff_of(entry), prove=True
    )
    if entry["exact"] is None:
        proved = solution.exact_value
        assert proved is None or entry["lower"] - ROUNDING <= proved <= entry["upper"] + ROUNDING
    else:
        assert solution.exact_value == Fraction(entry["exact"])

"""Values that must be equal, and what holds for every certificate, under random rules."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve import Round, RuleSet, presets, solve_exact
from liarsolve.errors import RuleError
from liarsolve.game import StrategyProfile, compile_graph
from liarsolve.rules import option_values
from liarsolve.solvers import VARIANTS, CFRSolver, certify, solve_lp
from liarsolve.solvers.two_player.best_response import InitialPolicy

ROUNDING = 1e-12
VALUES = {
    option: words.split(", ")
    for option, words in option_values().items()
    if option not in ("faces", "exact_min_players", "cap_bids")
}


@st.composite
def small_graphs(draw):
    """Any rules, one die each with two or three faces or a second die with two."""
    options = {option: draw(st.sampled_from(words)) for option, words in VALUES.items()}
    dice, faces = draw(st.sampled_from([((1, 1), 2), ((1, 1), 3), ((2, 1), 2), ((1, 2), 2)]))
    try:
        rules = RuleSet.from_dict({**options, "faces": faces})
        return compile_graph(Round(rules, dice, palifico=draw(st.booleans())))
    except RuleError:
        harmless = {"wild": options["wild"], "exact_who": options["exact_who"], "faces": faces}
        return compile_graph(Round(RuleSet.from_dict(harmless), dice))


def value(rules, dice=(1, 1)):
    lo, hi = solve_exact(rules, dice).value_bounds
    assert hi - lo < 1e-9
    return (lo + hi) / 2


@given(graph=small_graphs(), variant=st.sampled_from(list(VARIANTS)), is_split=st.booleans())
@settings(max_examples=30, deadline=None)
def test_brackets_of_two_solvers_overlap_under_any_rules(graph, variant, is_split):
    lo, hi = solve_lp(graph).certificate.value_bounds
    assert hi - lo < 1e-9
    solver = CFRSolver(graph, variant=VARIANTS[variant], is_split=is_split, n_threads=1)
    for _ in range(150):
        solver.step()
    lower, upper = solver.certify().value_bounds
    assert lower - ROUNDING <= hi
    assert lo <= upper + ROUNDING
    assert upper - lower < 0.2


@given(
    graph=small_graphs(),
    initial=st.sampled_from(InitialPolicy),
    n_iterations=st.integers(1, 10),
    threshold=st.floats(0.0, 0.5),
)
@settings(max_examples=40, deadline=None)
def test_certificates_bound_what_they_leave_out(graph, initial, n_iterations, threshold):
    solver = CFRSolver(graph, initial=initial)
    solver.threshold = threshold / 2
    for _ in range(n_iterations):
        solver.step()
    exact = solver.certify().br_values
    for bound, best in zip(solver.certify(threshold).br_values, exact, strict=True):
        assert bound >= best - ROUNDING
    assert sum(exact) >= -ROUNDING
    told = certify(StrategyProfile(*solver.average_strategy())).br_values
    if initial is InitialPolicy.LIKELIEST:  # the default of `certify`
        assert told == pytest.approx(exact, abs=ROUNDING)


# --- equal values -----------------------------------------------------------------------------


@pytest.mark.parametrize("faces", [2, 3, 4])
def test_without_wild_faces_their_names_do_not_matter(faces):
    plain = value(presets.COMMON.replace(faces=faces))
    renamed = value(presets.COMMON.replace(faces=faces, ones_slot="face_high"))
    assert renamed == pytest.approx(plain, abs=1e-9)


@pytest.mark.parametrize("dice", [(2, 1), (1, 2)])
def test_renamed_faces_with_unequal_dice(dice):
    plain = value(presets.COMMON.replace(faces=3), dice)
    renamed = value(presets.COMMON.replace(faces=3, ones_slot="face_high"), dice)
    assert renamed == pytest.approx(plain, abs=1e-9)


def test_stars_are_ones_of_the_highest_rank():
    for faces in (2, 3, 4):
        stars = value(presets.OPENSPIEL.replace(faces=faces))
        ones_high = presets.OPENSPIEL.replace(faces=faces, wild="ones", ones_slot="face_high")
        assert value(ones_high) == pytest.approx(stars, abs=1e-9)


@pytest.mark.parametrize("faces", [3, 4, 5])
def test_at_one_die_each_nobody_needs_to_bid_lowest_ones(faces):
    forbidden = value(presets.SNYD.replace(faces=faces))
    lowest = value(presets.SNYD.replace(faces=faces, ones_slot="face_low", open_ones="yes"))
    assert lowest == pytest.approx(forbidden, abs=1e-9)


@pytest.mark.parametrize("raise_rule", ["reset_quantity", "no_decrease", "strict"])
@pytest.mark.parametrize("dice", [(1, 1), (2, 1)])
def test_a_lock_that_cannot_trigger_changes_nothing(dice, raise_rule):
    # Ones are lowest and may not open; under these rules no raise goes down to them either.
    locked = presets.LIARS_DICE.replace(faces=3, open_ones="no", raise_rule=raise_rule)
    free = locked.replace(wild_until="never_locked")
    assert certificate_after_some_steps(locked, dice) == certificate_after_some_steps(free, dice)
    assert value(locked, dice) == pytest.approx(value(free, dice), abs=1e-9)


def test_a_lock_that_can_trigger_is_seen():
    locked = presets.LIARS_DICE.replace(faces=3)
    free = locked.replace(wild_until="never_locked")
    assert certificate_after_some_steps(locked, (2, 1)) != certificate_after_some_steps(
        free, (2, 1)
    )


def certificate_after_some_steps(rules, dice):
    solver = CFRSolver(compile_graph(Round(rules, dice)))
    for _ in range(50):
        solver.step()
    return solver.certify()

"""Values of cup games known from elsewhere: all from two unrelated methods.

The fractions, and the floats beside them, are those of the tables of Liar Die, Mia, rounds in which
everything is thrown again, and toys with keeping: threshold recursions in exact fractions, linear
programs by claim, and CFR+ on the full tree for the smallest. Those of doubtful dice and the larger
toys were first found here.
"""

from fractions import Fraction

import pytest

from liarsolve import presets, solve
from liarsolve.claims import MULTIPLICITY, NothingClaims
from liarsolve.dice.equipment import Equipment
from liarsolve.game.cup.compile import compile_cup
from liarsolve.rules import CupRules
from liarsolve.solvers import StopReason
from liarsolve.solvers.cup.exact import solve_cup_exactly
from liarsolve.solvers.cup.solve import solve_cup

LIAR_DIE = {
    2: "3/4",
    3: "13/18",
    4: "17/24",
    5: "103/150",
    6: "41/60",
    7: "661/980",
    8: "1497/2240",
    10: "4169/6300",
}
TOYS = {
    (1, 5): "103/150",
    (2, 2): "11/16",
    (2, 3): "421/648",
    (3, 2): "59/96",
    (2, 4): "2277/3584",
    (3, 3): "91519/160380",
}
TOY_FLOATS = {(2, 4): 0.6353236607142857, (3, 3): 0.5706384836014464}
ALL_THROWN = {(2, 2): 0.7083333333333334, (2, 3): 0.6834215167548501, (3, 2): 0.7120535714285714}


def toy(n_dice, n_faces, **options):
    rules = CupRules(
        equipment=Equipment.dice(n_dice, n_faces),
        ranking=MULTIPLICITY,
        nothing_claims=NothingClaims.NAMED,
    )
    return rules.replace(**options)


@pytest.mark.parametrize(("n_faces", "value"), LIAR_DIE.items())
def test_liar_die(n_faces, value):
    solution = solve(presets.LIAR_DIE.replace(faces=n_faces))
    assert solution.exact_win_probability == Fraction(value)
    assert solution.exact_value == 2 * Fraction(value) - 1
    assert solution.stop is StopReason.EXACT
    low, high = solution.win_bounds
    assert low <= Fraction(value) <= high
    assert high - low < 1e-7


def test_mia():
    solution = solve(presets.MIA)
    assert solution.exact_win_probability == Fraction(4078225781, 6294150720)


@pytest.mark.parametrize(("size", "value"), TOYS.items(), ids=str)
def test_toys_with_keeping_in_fractions(size, value):
    assert solve_cup_exactly(compile_cup(toy(*size)))[0] == Fraction(value)
    if size in TOY_FLOATS:
        assert float(Fraction(value)) == pytest.approx(TOY_FLOATS[size], abs=1e-15)


@pytest.mark.parametrize("size", TOYS, ids=str)
def test_brackets_of_toys_hold_the_fractions(size):
    solution = solve(toy(*size), target=1e-7)
    low, high = solution.win_bounds
    assert low <= Fraction(TOYS[size]) <= high
    assert high - low <= 1e-7


@pytest.mark.parametrize(("size", "value"), ALL_THROWN.items(), ids=str)
def test_toys_where_all_is_thrown_again(size, value):
    """Seen first or not: what is thrown again tells nothing."""
    for look in ("before_throw", "never"):
        low, high = solve(toy(*size, rethrow_all=True, look=look), target=1e-7).win_bounds
        assert low - 1e-15 <= value <= high + 1e-15
        assert high - low <= 1e-7


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        (presets.CLASSIC.replace(top_claim="must_challenge"), 0.633883405862069),
        (presets.BOX.replace(claim_detail="full", blind_pass="off"), 0.633894239027112),
    ],
    ids=["classic", "box"],
)
def test_poker_dice_all_thrown_again(rules, value):
    low, high = solve(rules.replace(rethrow_all=True, look="never"), target=1e-6).win_bounds
    assert low - 1e-12 <= value <= high + 1e-12
    assert high - low <= 1e-6


def test_doubtful_dice():
    solution = solve(presets.DOUBTFUL_DICE, target=1e-4)
    assert solution.win_bounds == pytest.approx((0.54469944, 0.54469944), abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "value"),
    [
        (presets.CLASSIC, 0.53141051),
        (presets.BOX.replace(blind_pass="off"), 0.53086844),
        (presets.BOX.replace(blind_pass="off", claim_detail="full"), 0.53086844),
        (presets.LIAR_CARDS.replace(blind_pass="off"), 0.54396053),
    ],
    ids=lambda x: getattr(x, "name", None),
)
def test_games_of_five_dice_and_cards(rules, value):
    """Found here, each with a proof; to name odd dice is worth nothing without blind passes."""
    low, high = solve_cup(compile_cup(rules), target=1e-5).win_bounds
    assert high - low < 1e-6
    assert low - 1e-8 <= value <= high + 1e-8

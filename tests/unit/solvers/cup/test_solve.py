"""Cup games solved to a target: limits, threads, progress, and what the bounds prove."""

from fractions import Fraction

import numpy as np
import pytest

from liarsolve.claims import MULTIPLICITY, NothingClaims
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import GameTooLargeError, InputError
from liarsolve.game.cup.compile import compile_cup
from liarsolve.rules import CupRules, presets
from liarsolve.solvers import StopReason
from liarsolve.solvers.cup.exact import solve_cup_exactly, solve_linear
from liarsolve.solvers.cup.policy import OPENING, CupPolicy
from liarsolve.solvers.cup.recursion import CupRecursion
from liarsolve.solvers.cup.solve import share_of_work, solve_cup
from liarsolve.solvers.cup.stages import Side


def toy(n_dice, n_faces, **options):
    rules = CupRules(
        equipment=Equipment.dice(n_dice, n_faces),
        ranking=MULTIPLICITY,
        nothing_claims=NothingClaims.NAMED,
    )
    return rules.replace(**options)


@pytest.fixture(scope="module")
def three_dice():
    return compile_cup(toy(3, 3))


@pytest.fixture(scope="module")
def solved(three_dice):
    return solve_cup(three_dice, target=1e-6, n_threads=1)


def test_the_bracket_is_narrow_and_the_certificate_says_it_in_utility(solved):
    low, high = solved.win_bounds
    assert solved.stop is StopReason.CONVERGED
    assert 0 < high - low <= 1e-6
    assert solved.certificate.exploitability == pytest.approx(high - low, rel=1e-6)
    assert solved.certificate.value_bounds == pytest.approx((2 * low - 1, 2 * high - 1), abs=1e-11)
    assert solved.n_states == 1 + 10 * 10
    assert solved.next_claim == -1
    assert 0 < solved.n_stages <= solved.n_pivots


def test_states_are_worth_less_to_the_mover_the_higher_the_claim(solved):
    assert (np.diff(solved.low[:, :-1], axis=1) <= 1e-12).all()  # nobody moves after the top claim
    assert (solved.high - solved.low).max() <= 1e-6
    assert not solved.low.flags.writeable


def test_threads_do_not_change_a_bit(three_dice, solved):
    other = solve_cup(three_dice, target=1e-6, n_threads=3)
    assert other.win_bounds == solved.win_bounds
    np.testing.assert_array_equal(other.low, solved.low)
    np.testing.assert_array_equal(other.high, solved.high)
    assert (other.n_stages, other.n_pivots) == (solved.n_stages, solved.n_pivots)


def test_strategies_found_again_keep_the_bounds(three_dice, solved):
    policy = CupPolicy(three_dice, solved.low, solved.high)
    assert policy.opening_bounds() == solved.win_bounds
    for hand in range(three_dice.n_hands):
        for accepted in range(three_dice.n_claims - 1):
            column = policy.best_number(hand, accepted)
            family = int(three_dice.hand_family[hand, column])
            mover = policy.solve(accepted, family, Side.MOVER)
            assert mover.low >= solved.low[hand, accepted]
            for other in three_dice.hand_family[hand]:
                responder = policy.solve(accepted, int(other), Side.RESPONDER)
                assert responder.high <= solved.high[hand, accepted]


def test_a_wide_target_leaves_wide_bounds_that_hold(three_dice, solved):
    wide = CupRecursion(three_dice, 0.05, n_threads=1)
    while wide.next_claim >= 0:
        wide.solve_next(lambda: False)
    assert (wide.high - wide.low).max() > 1e-3
    assert (wide.low <= solved.high).all()
    assert (wide.high >= solved.low).all()
    low, high = CupPolicy(three_dice, wide.low, wide.high).opening_bounds()
    assert low <= solved.win_bounds[0] <= solved.win_bounds[1] <= high


class Clock:
    """Stands for the time: as many readings, then late."""

    def __init__(self, n_readings):
        self.left = n_readings

    def __call__(self):
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("n_readings", [0, 1, 5, 20])
def test_a_recursion_that_is_cut_short_keeps_the_claims_it_has_done(three_dice, solved, n_readings):
    recursion = CupRecursion(three_dice, 1e-7, n_threads=1)
    clock = Clock(n_readings)
    while recursion.solve_next(clock):
        assert recursion.next_claim >= 0
    assert recursion.next_claim >= 0
    done = slice(recursion.next_claim + 1, None)
    assert (recursion.high - recursion.low)[:, done].max(initial=0.0) < 1e-6
    assert (recursion.high - recursion.low)[:, : recursion.next_claim + 1].min() == 1.0


def test_max_seconds_ends_with_bounds_that_hold(three_dice, solved):
    hurried = solve_cup(three_dice, target=1e-6, max_seconds=1e-9)
    assert hurried.stop is StopReason.TIME_LIMIT
    assert hurried.win_bounds[0] <= solved.win_bounds[0]
    assert hurried.win_bounds[1] >= solved.win_bounds[1]
    assert hurried.n_states == 1


def test_bounds_of_the_states_that_were_solved_serve_those_that_were_not(three_dice, solved):
    """Interrupted after some claims, what follows the lowest bounds what follows lower ones."""

    def interrupt(progress):
        if progress.claims_done == 5:
            raise KeyboardInterrupt

    def solve_on(monkeypatch):
        monkeypatch.setattr("liarsolve.solvers.cup.solve._PROGRESS_SECONDS", 0.0)
        return solve_cup(three_dice, target=1e-6, on_progress=interrupt)

    with pytest.MonkeyPatch.context() as monkeypatch:
        partial = solve_on(monkeypatch)
    assert partial.stop is StopReason.INTERRUPTED
    assert partial.next_claim == 4
    assert partial.n_states == 1 + 5 * 10
    assert (partial.low <= solved.low + 1e-9).all()
    assert (partial.high >= solved.high - 1e-9).all()
    assert (partial.low[:, 0] > 0).any()
    assert 0.0 < partial.win_bounds[0] <= solved.win_bounds[0]
    assert solved.win_bounds[1] <= partial.win_bounds[1] < 1.0


def test_progress_rises_to_the_end(three_dice, monkeypatch):
    monkeypatch.setattr("liarsolve.solvers.cup.solve._PROGRESS_SECONDS", 0.0)
    seen = []
    solve_cup(three_dice, target=1e-6, on_progress=seen.append)
    assert [p.claims_done for p in seen] == list(range(1, 11))
    shares = [p.share for p in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert seen[-1].seconds_left == 0.0
    assert seen[0].seconds_left is None
    assert all(p.n_states == 10 * p.claims_done and p.memory_mb > 0 for p in seen)
    assert all(p.target == 1e-6 and p.n_claims == 10 for p in seen)
    assert share_of_work(1.0) == 1.0


def test_a_target_below_rounding_says_so(three_dice):
    result = solve_cup(three_dice, target=0.0)
    assert result.stop is StopReason.ROUNDING_LIMIT
    assert result.win_bounds[1] - result.win_bounds[0] < 1e-7


def test_later_states_can_be_solved_alone(three_dice, solved):
    part = solve_cup(three_dice, target=1e-6, last_claim=6)
    assert part.stop is StopReason.CONVERGED
    assert (part.next_claim, part.last_claim) == (5, 6)
    np.testing.assert_array_equal(part.low[:, 6:], solved.low[:, 6:])
    np.testing.assert_array_equal(part.high[:, 6:], solved.high[:, 6:])
    assert part.n_stages < solved.n_stages


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ({"target": -1.0}, "target is an exploitability of 0 or more, got -1.0"),
        ({"target": float("nan")}, "target is an exploitability of 0 or more, got nan"),
        ({"max_seconds": 0.0}, "max_seconds must be more than 0, got 0.0"),
        ({"last_claim": 10}, "claims are numbered 0 to 9, got 10"),
    ],
    ids=str,
)
def test_numbers_out_of_range_are_refused(three_dice, argument, message):
    with pytest.raises(InputError, match=message):
        solve_cup(three_dice, **argument)


def test_claims_true_of_the_same_hands_are_answered_like_the_highest():
    """Claims that name more of the odd dice change nothing where all are true together."""
    prefix = compile_cup(toy(3, 4, claim_detail="prefix"))
    full = compile_cup(toy(3, 4))
    assert prefix.n_claims > full.n_claims
    solutions = [solve_cup(game, target=1e-7) for game in (prefix, full)]
    lows, highs = zip(*(solution.win_bounds for solution in solutions), strict=True)
    assert max(lows) <= min(highs)
    useful = CupPolicy(prefix, solutions[0].low, solutions[0].high).useful_claims(OPENING)
    replaced = {claim: like for claim, like in useful.items() if claim != like}
    assert replaced
    for claim, like in replaced.items():
        assert like > claim
        np.testing.assert_array_equal(prefix.truth[claim], prefix.truth[like])


def test_options_that_should_change_the_value_do():
    def value(**options):
        low, high = solve_cup(compile_cup(toy(2, 3, **options)), target=1e-7).win_bounds
        assert high - low < 1e-7
        return (low + high) / 2

    plain = value()
    assert value(rethrow_all=True) == pytest.approx(0.6834215167548501, abs=1e-7) != plain
    for options in (
        {"top_claim": "accept_try", "top_throws": 2},
        {"claim_detail": "category"},
        {"max_rethrow": 1},
        {"dislodge_prob": "1/3"},
        {"equipment": "cards(2,3,2)"},
    ):
        assert abs(value(**options) - plain) > 1e-4, options
    # these change the game, but not the value of one so small
    for options in ({"announce_count": False}, {"min_rethrow": 1}, {"truth": "matches"}):
        assert value(**options) == pytest.approx(plain, abs=1e-7)
    tries = [
        value(top_claim="accept_try", top_throws=3, top_accept=how)
        for how in ("fresh_keep", "carry_keep", "fresh_all")
    ]
    assert len({round(v, 6) for v in tries}) == 3


def test_componentwise_raises_are_solved_from_scratch_at_every_claim():
    game = compile_cup(toy(3, 3, raise_rule="componentwise"))
    result = solve_cup(game, target=1e-6)
    assert result.stop is StopReason.CONVERGED
    assert solve_cup_exactly(game)[0] == pytest.approx(result.win_bounds[0], abs=1e-6)


def test_small_games_come_out_as_fractions():
    value, states = solve_cup_exactly(compile_cup(toy(2, 2)))
    assert value == Fraction(11, 16)
    solved = solve_cup(compile_cup(toy(2, 2)), target=1e-7)
    exact = np.array([[float(p) for p in column] for column in states]).T
    assert (solved.low <= exact).all()
    assert (exact <= solved.high).all()


def test_large_games_are_not_solved_in_fractions():
    with pytest.raises(GameTooLargeError, match="261,888 stages is too large for rational"):
        solve_cup_exactly(compile_cup(presets.CLASSIC))


def test_singular_systems_have_no_solution():
    one, zero = Fraction(1), Fraction(0)
    assert solve_linear([[zero, one], [one, zero]], [one, zero]) == [0, 1]
    assert solve_linear([[one, one], [one, one]], [one, zero]) is None

"""Exact results of one strategy against another, held against a slow traversal of all deals."""

from dataclasses import replace
from fractions import Fraction
from math import isclose

import pytest

from liarsolve import (
    CHALLENGE,
    Bid,
    MaxJump,
    Recall,
    Round,
    Strategy,
    compact,
    expected_result,
    presets,
    solve,
)
from liarsolve.dice import enumerate_hands, hand_weight
from liarsolve.errors import InputError, InputTypeError
from liarsolve.game import Payoffs
from liarsolve.rules import OutcomeKind

COMMON = presets.COMMON.replace(faces=3)
LIARS = presets.LIARS_DICE.replace(faces=2)
PERUDO = presets.PERUDO.replace(faces=3)
PLAIN = {
    OutcomeKind.BIDDER_LOSES: 1.0,
    OutcomeKind.CHALLENGER_LOSES: -1.0,
    OutcomeKind.EXACT_RIGHT: 1.0,
    OutcomeKind.EXACT_WRONG: -1.0,
}


def slow_value(round_, strategies, hands, to_caller, state=None):
    """Utility of player 0 for one deal, by what `Strategy.probs` says after every bid."""
    state = state or round_.initial_state()
    player, total = round_.to_act(state), 0.0
    for action, p in strategies[player].probs(hands[player], state.bids).items():
        if p > 0.0:
            after = round_.next_state(state, action)
            if isinstance(action, Bid):
                total += p * slow_value(round_, strategies, hands, to_caller, after)
            else:
                gained = to_caller[round_.showdown(after, hands).kind]
                total += p * (gained if player == 0 else -gained)
    return total


def slow_seats(round_, first, second, to_caller=PLAIN):
    def expect(pair):
        faces, total = round_.rules.faces, 0.0
        for a in enumerate_hands(round_.dice[0], faces):
            for b in enumerate_hands(round_.dice[1], faces):
                chance = Fraction(hand_weight(a) * hand_weight(b), faces**round_.total_dice)
                total += float(chance) * slow_value(round_, pair, (a, b), to_caller)
        return total

    return expect((first, second)), -expect((second, first))


def poor(rules, dice, *, max_iterations=3, **options):
    return solve(rules, dice, target=0, max_iterations=max_iterations, **options)


CASES = {
    "two grown trees": (COMMON, (2, 1), {}, {}),
    "merged against grown": (COMMON, (1, 2), {"abstraction": Recall(1)}, {}),
    "two merged": (LIARS, (2, 2), {"abstraction": Recall(1)}, {"abstraction": Recall(2)}),
    "short jumps": (COMMON, (2, 1), {"abstraction": Recall(2) & MaxJump(1)}, {}),
    "exact calls": (PERUDO, (1, 1), {}, {"variant": "cfr+"}),
    "palifico": (PERUDO, (1, 2), {"palifico": True}, {"variant": "cfr", "palifico": True}),
}


@pytest.mark.parametrize("case", CASES)
def test_against_a_traversal_of_all_deals(case):
    rules, dice, options, other_options = CASES[case]
    first = poor(rules, dice, **options)
    second = poor(rules, dice, max_iterations=7, **other_options)
    round_ = Round(rules, dice, palifico=options.get("palifico", False))
    slow = slow_seats(round_, first.strategy, second.strategy)
    result = expected_result(first, second, threshold=0.0)
    assert result.seats == pytest.approx(slow, abs=1e-12)
    assert result.remainders == (0.0, 0.0)
    assert result.utility == pytest.approx(sum(slow) / 2)
    assert abs(result.utility) > 1e-6  # they are not the same


def test_payoffs():
    first, second = poor(PERUDO, (1, 1)), poor(PERUDO, (1, 1), variant="cfr+")
    paid = Payoffs.for_exact_call((3, 2))
    to_caller = PLAIN | {OutcomeKind.EXACT_RIGHT: 3.0, OutcomeKind.EXACT_WRONG: -2.0}
    slow = slow_seats(Round(PERUDO, (1, 1)), first.strategy, second.strategy, to_caller)
    given = expected_result(first, second, threshold=0.0, payoffs=paid)
    assert given.seats == pytest.approx(slow, abs=1e-12)
    assert given.seats != expected_result(first, second, threshold=0.0).seats
    own = replace(first.strategy, payoffs=paid)  # those of the first strategy hold by default
    assert expected_result(own, second, threshold=0.0).seats == given.seats


@pytest.mark.parametrize(
    ("rules", "dice", "options"),
    [
        (COMMON, (2, 1), {}),
        (PERUDO, (1, 2), {}),
        (COMMON, (2, 2), {"abstraction": Recall(1)}),
    ],
)
def test_a_strategy_against_itself_gets_its_value(rules, dice, options):
    solution = poor(rules, dice, **options)
    result = expected_result(solution, solution.strategy, threshold=0.0)
    assert result.seats == pytest.approx(solution.values, abs=1e-12)
    assert result.utility == pytest.approx(0.0, abs=1e-15)


def test_no_strategy_gets_more_than_a_best_response():
    good, bad = solve(COMMON, (2, 2), target=1e-3), poor(COMMON, (2, 2))
    lo, hi = good.value_bounds
    result = expected_result(good, bad)
    assert result.seats[0] >= lo - 1e-9
    assert result.seats[1] >= -hi - 1e-9
    assert result.utility <= bad.exploitability + good.exploitability


def test_what_is_left_out_is_within_the_remainder():
    first, second = poor(COMMON, (2, 2)), solve(COMMON, (2, 2), target=1e-2)
    exact = expected_result(first, second, threshold=0.0)
    visited = exact.n_states
    for threshold in (1e-5, 1e-3, 1e-1):
        result = expected_result(first, second, threshold=threshold)
        assert result.n_states < visited
        visited = result.n_states
        for value, true, remainder in zip(
            result.seats, exact.seats, result.remainders, strict=True
        ):
            assert abs(value - true) <= remainder + 1e-12
            assert remainder > 0.0
        assert isclose(result.remainder, sum(result.remainders) / 2)


def test_the_middle_of_unequal_payoffs_counts_for_what_is_left_out():
    solution = poor(COMMON, (1, 1))
    payoffs = Payoffs(bidder_loses=((-1.0, 5.0), (7.0, -1.0)), challenger_loses=3.0)
    exact = expected_result(solution, solution, threshold=0.0, payoffs=payoffs)
    rough = expected_result(solution, solution, threshold=1.0, payoffs=payoffs)
    assert rough.seats == (2.0, 1.0)  # the middle of -3 and 7, and of -3 and 5
    assert rough.remainders == (5.0, 4.0)
    for value, true, remainder in zip(rough.seats, exact.seats, rough.remainders, strict=True):
        assert abs(value - true) <= remainder


def test_compact_copies_are_compared_too():
    solution = solve(COMMON, (2, 1), target=1e-3)
    result = expected_result(compact(solution, bits=8), solution)
    assert abs(result.utility) < 0.02  # whole numbers up to 255 in place of chances


def test_it_says_which_strategies_fit():
    one = poor(COMMON, (1, 1))
    three = solve(COMMON, (1, 1, 1), target=0, max_iterations=2)
    for first, second in [(one, poor(COMMON, (2, 1))), (three, three), (one, three)]:
        with pytest.raises(InputError, match="for the same round of two players"):
            expected_result(first, second)
    with pytest.raises(InputError, match="threshold is a chance of 0 or more, got -1"):
        expected_result(one, one, threshold=-1)
    with pytest.raises(InputError, match="threshold is a chance of 0 or more, got nan"):
        expected_result(one, one, threshold=float("nan"))
    with pytest.raises(
        InputTypeError, match="a BiddingSolution or Strategy can be compared, got 'one'"
    ):
        expected_result(one, "one")


def test_a_strategy_without_states_plays_the_odds():
    solution = poor(COMMON, (1, 1))
    empty = Strategy(
        solution.strategy.tree,
        tuple(0 * weights for weights in solution.strategy.weights),
        Payoffs(),
    )
    assert empty.probs((1,), ["2x1"])[CHALLENGE] == 1.0
    slow = slow_seats(Round(COMMON, (1, 1)), empty, solution.strategy)
    assert expected_result(empty, solution).seats == pytest.approx(slow, abs=1e-12)

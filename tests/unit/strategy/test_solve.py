"""What `solve` and `solve_exact` do with their arguments."""

from fractions import Fraction

import numpy as np
import pytest

from liarsolve import presets, solve, solve_exact
from liarsolve.errors import GameTooLargeError, InputError, LiarsolveError, RuleError
from liarsolve.game import Payoffs
from liarsolve.solvers import StopReason

RULES = presets.PERUDO.replace(faces=3)


def bits(solution):
    result = solution.result
    return [a.tobytes() for a in (result.tree.node, *result.tree.children, *result.strategy)]


def plain(**options):
    return solve(RULES, (2, 1), **{"target": 0, "max_iterations": 20, **options})


def test_the_same_arguments_give_the_same_bits():
    assert bits(plain()) == bits(plain())
    assert plain().value_bounds == plain(n_threads=1).value_bounds


@pytest.mark.parametrize(
    "options",
    [
        {"target": 0.2},
        {"max_iterations": 21},
        {"max_seconds": 1e-9},
        {"max_memory": 150_000.0},
        {"exact_payoff": (2, 1)},
        {"exact_payoff": (1, 2)},
        {"payoffs": Payoffs(bidder_loses=1.5)},
        {"palifico": True},
        {"variant": "cfr+"},
    ],
    ids=str,
)
def test_every_option_changes_something(options):
    assert bits(plain(**options)) != bits(plain())


@pytest.mark.parametrize(
    ("options", "stop"),
    [
        ({"target": 0.3, "max_iterations": None}, StopReason.CONVERGED),
        ({}, StopReason.ITERATION_LIMIT),
        ({"max_seconds": 1e-9}, StopReason.TIME_LIMIT),
    ],
    ids=lambda value: value.name if isinstance(value, StopReason) else str(value),
)
def test_the_solution_says_why_it_stopped(options, stop):
    solution = plain(**options)
    assert solution.stop is stop
    assert solution.rules == RULES
    assert solution.dice == (2, 1)


def test_on_progress_is_called():
    seen = []
    solution = plain(on_progress=seen.append)
    assert seen[-1].iteration == solution.result.iterations == 20


def test_both_ways_of_paying_an_exact_call_are_one():
    by_pair = solve_exact(RULES, (1, 1), exact_payoff=(2, 0.5))
    by_outcome = solve_exact(RULES, (1, 1), payoffs=Payoffs(exact_right=2.0, exact_wrong=-0.5))
    assert by_pair.value_bounds == by_outcome.value_bounds
    with pytest.raises(InputError) as caught:
        solve(RULES, (1, 1), exact_payoff=(1, 1), payoffs=Payoffs())
    assert str(caught.value) == "give either exact_payoff or payoffs, not both"


def test_all_payoffs_doubled_double_the_value():
    once = solve_exact(RULES, (2, 1), prove=True)
    twice = solve_exact(
        RULES,
        (2, 1),
        payoffs=Payoffs(bidder_loses=2, challenger_loses=-2, exact_right=2, exact_wrong=-2),
        prove=True,
    )
    assert twice.exact_value == 2 * once.exact_value


def test_options_of_the_exact_solver_change_the_value():
    def value(**options):
        return solve_exact(RULES, (1, 1), prove=True, **options).exact_value

    values = [value(), value(exact_payoff=(3, 1)), value(palifico=True)]
    assert all(isinstance(v, Fraction) for v in values)
    assert len(set(values)) == 3


def test_proofs_are_made_on_request():
    assert solve_exact(RULES, (1, 1)).exact_value is None
    assert solve_exact(RULES, (1, 1), prove=True).exact_value is not None


def test_dice_may_be_any_sequence_of_integers():
    rules = presets.COMMON.replace(faces=2)
    assert solve(rules, [2, 1]).dice == (2, 1)
    assert solve(rules, np.array([2, 1])).dice == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (
            (RULES, (2, 0)),
            {},
            InputError,
            "each player needs a die, got dice=(2, 0); a player without dice has lost",
        ),
        ((RULES, (2,)), {}, InputError, "a round needs two players or more, got dice=(2,)"),
        ((RULES, 2), {}, TypeError, "dice are numbers, one for each player, as in (2, 1), got 2"),
        ((RULES, (1, 1)), {"target": "x"}, TypeError, "target is a number, got 'x'"),
        ((RULES, (1, 1)), {"max_memory": "4GB"}, TypeError, "max_memory is a number, got '4GB'"),
        (
            ("perudo", (1, 1)),
            {},
            LiarsolveError,
            "rules are a RuleSet such as presets.PERUDO, got 'perudo'",
        ),
        (
            (RULES.replace(open_min="1.5n", cap_bids=True), (1, 1)),
            {},
            RuleError,
            "no opening bid is legal with 2 dice: open_min=1.5n asks for 3 or more",
        ),
        (
            (RULES, (1, 1)),
            {"variant": "best"},
            InputError,
            "there is no CFR variant 'best'; "
            "choose one of cfr, cfr+, linear, discounted, predictive+",
        ),
        (
            (RULES, (1, 1)),
            {"target": -1},
            InputError,
            "target is an exploitability of 0 or more, got -1",
        ),
        (
            (RULES, (1, 1)),
            {"exact_payoff": (1,)},
            InputError,
            "exact_payoff is (win, lose), for instance (1, 1), got (1,)",
        ),
    ],
)
def test_arguments_that_make_no_game(arguments, options, error, message):
    with pytest.raises(error) as caught:
        solve(*arguments, **options)
    assert str(caught.value) == message


def test_what_does_not_fit_is_refused_by_both_solvers():
    for solver in (solve, solve_exact):
        with pytest.raises(GameTooLargeError, match=r"needs at least .* but 1 kB may be used"):
            solver(RULES, (2, 2), max_memory=1000.0)


@pytest.mark.parametrize(
    ("rules", "dice", "is_named"),
    [
        (presets.LIARS_DICE, (15, 15), True),
        (presets.LIARS_DICE, (30, 30), False),
        (presets.LIARS_DICE.replace(faces=1000), (1, 1), False),
    ],
    ids=["15 v 15", "30 v 30", "1000 faces"],
)
def test_imperfect_recall_is_named_only_where_it_helps(rules, dice, is_named):
    with pytest.raises(GameTooLargeError) as refused:
        solve(rules, dice, max_memory=1e10)
    assert ("Recall(1)" in str(refused.value)) == is_named

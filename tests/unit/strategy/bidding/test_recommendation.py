"""What is recommended where a strategy has learned, and where it has not."""

from dataclasses import replace

import numpy as np
import pytest

from liarsolve import CHALLENGE, Bid, Round, presets, solve, solve_exact
from liarsolve.game import NO_STATE, Payoffs, PublicTree, Recall, compile_graph, default_actions
from liarsolve.strategy import Basis, Strategy, recommend

SMALL = presets.COMMON.replace(faces=3)


@pytest.fixture(scope="module")
def good():
    return solve(SMALL, (1, 1), target=1e-7)


@pytest.fixture(scope="module")
def hasty():
    return solve(SMALL, (2, 1), max_iterations=2, target=0)


def played_most(advice):
    return max(advice, key=lambda a: a.probability)


def worth_most(advice):
    return max(a.expected_value for a in advice)


def test_where_play_comes_the_mixture_of_a_solved_round_is_the_advice(good):
    known = list(good.strategy.information_sets(min_reach=1e-3))
    assert len(known) > 6
    for at in known:
        advised = good.recommend(at.hand, at.history)
        assert advised.basis is Basis.MIXTURE
        assert advised.seat == at.seat
        assert dict(advised.choice) == {a: p for a, p in at.probs.items() if p > 0.0}
    assert any(len(good.recommend(at.hand, at.history).choice) > 1 for at in known)


def test_nothing_that_is_worth_less_is_advised(hasty):
    """The mixture alone, the rule before, is worse at many information sets by far more."""
    old_losses, n_by_value = [], 0
    for at in hasty.strategy.information_sets():
        advised = hasty.recommend(at.hand, at.history)
        worth = {a.action: a.expected_value for a in advised.advice}
        for action, _ in advised.choice:
            assert worth[action] >= worth_most(advised.advice) - advised.tolerance
            assert action not in advised.dominated
        assert sum(share for _, share in advised.choice) == pytest.approx(1.0)
        old_losses.append(worth_most(advised.advice) - played_most(advised.advice).expected_value)
        n_by_value += advised.basis.is_by_value
    assert max(old_losses) > 0.3
    assert n_by_value > 0


def test_the_certificate_says_how_much_may_be_lost_where_play_comes(good):
    ask = good.strategy
    assert recommend(ask, (3,), nash_conv=0.04).tolerance == 0.04
    assert recommend(ask, (3,), nash_conv=1e-6).tolerance == 0.01
    assert recommend(ask, (3,), nash_conv=0.5).tolerance == 0.01  # it proves nothing
    assert recommend(ask, (3,)).tolerance == 0.01
    assert recommend(ask, (1,), ["2x3"], nash_conv=0.04).tolerance == 0.01  # nobody opens so


def test_a_state_that_was_never_made_is_not_learned():
    graph = compile_graph(Round(SMALL, (1, 1)))
    n_openings = int(graph.action_start[1])
    children = (np.full(n_openings, NO_STATE, np.int32), np.empty(0, np.int32))
    tree = PublicTree(graph, np.zeros(1, np.int32), np.zeros(1, np.int64), children)
    chosen = (np.arange(n_openings)[:, None] == default_actions(graph)[0][0]).astype(np.float64)
    strategy = Strategy(tree, (chosen, np.empty((0, 3))), Payoffs())
    assert recommend(strategy, (1,)).basis is not Basis.NEVER_REACHED
    advised = recommend(strategy, (2,), ["1x1"])
    assert advised.basis is Basis.NEVER_REACHED
    worth = {a.action: a.expected_value for a in advised.advice}
    assert worth[advised.choice[0][0]] == worth_most(advised.advice)


def test_a_stray_part_of_a_mixture_is_left_out_of_it(good):
    hand, worst = (1,), Bid(2, 3)
    actions = good.strategy.tree.graph.actions(0)
    worth = {a.action: a.expected_value for a in good.strategy.advise(hand)}
    assert worth[worst] < max(worth.values()) - 0.3
    for share, is_by_value in ((0.08, False), (0.3, True)):
        weights = good.result.strategy[0].copy()
        weights[: len(actions), 0] *= 1.0 - share
        weights[actions.index(worst), 0] += share
        strategy = replace(good.strategy, weights=(weights, good.result.strategy[1]))
        assert strategy.probs(hand)[worst] == pytest.approx(share, abs=1e-3)
        advised = recommend(strategy, hand, nash_conv=good.nash_conv)
        assert advised.basis.is_by_value is is_by_value
        assert worst not in dict(advised.choice)
        assert sum(dict(advised.choice).values()) == pytest.approx(1.0)


# --- what loses whatever the dice ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "dice", "hand", "history", "dominated"),
    [
        (SMALL, (1, 1), (2,), ["1x2"], {"liar", "2x3"}),  # the bid is seen to be true
        (SMALL, (1, 1), (1,), ["2x2"], {"2x3"}),  # it cannot be, and to call it wins for sure
        (SMALL, (1, 1), (3,), ["2x2"], {"2x3"}),
        (SMALL, (1, 1), (3,), ["1x2"], set()),
        (SMALL, (1, 1), (1,), ["2x3"], set()),  # there is nothing else to do
        (SMALL, (2, 1), (2, 2), ["1x1", "3x2"], {"3x3"}),  # only the call may win
        (SMALL, (2, 1), (1, 1), ["1x1", "3x2"], {"3x3"}),
        (presets.PERUDO.replace(faces=3), (1, 1), (2,), ["1x2"], {"liar"}),
        (presets.PERUDO.replace(faces=3), (1, 1), (3,), ["2x2"], {"exact", "2x3", "2x1"}),
    ],
)
def test_dominated_actions_are_known(rules, dice, hand, history, dominated):
    solution = solve(rules, dice, max_iterations=1, target=0)
    found = {str(action) for action in solution.recommend(hand, history).dominated}
    if rules.name.startswith("perudo"):
        assert found >= dominated & found
        assert ("liar" in found) == ("liar" in dominated)
    else:
        assert found == dominated


def test_a_bid_that_one_sees_to_be_true_is_never_challenged():
    """Also where all is lost by the values, and where the strategy does challenge."""
    solution = solve(SMALL, (1, 1), max_iterations=1, target=0)
    assert solution.strategy.probs((2,), ["1x1", "1x2"])[CHALLENGE] >= 0.0
    for at in solution.strategy.information_sets():
        if at.history and at.history[-1] == Bid(1, at.hand[0]) and len(at.probs) > 1:
            assert CHALLENGE not in dict(solution.recommend(at.hand, at.history).choice)
    assert solution.strategy.probs((2,), ["1x1"])[CHALLENGE] == 1.0  # and what it plays is worse


def test_linear_programs_are_asked_in_the_same_way():
    solution = solve_exact(SMALL, (1, 1))
    for at in solution.strategy.information_sets(min_reach=1e-6):
        assert solution.recommend(at.hand, at.history).basis is Basis.MIXTURE


def test_players_who_forget_and_have_hardly_learned_go_by_value():
    """What they play most loses by far more than what is advised."""
    rules = presets.LIARS_DICE.replace(faces=3)
    solution = solve(rules, (2, 2), abstraction=Recall(1), max_iterations=3, target=0)
    old_losses = []
    for hand in ((1, 1), (1, 3), (2, 2), (2, 3), (3, 3)):
        for history in ((), ("1x2",), ("2x3",), ("1x2", "2x2")):
            advised = solution.recommend(hand, history)
            worth = {a.action: a.expected_value for a in advised.advice}
            best = worth_most(advised.advice)
            assert min(worth[action] for action, _ in advised.choice) >= best - advised.tolerance
            assert solution.recommend(hand, history).choice == advised.choice
            old_losses.append(best - played_most(advised.advice).expected_value)
    assert max(old_losses) > 0.1

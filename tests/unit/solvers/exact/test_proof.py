"""Values proved from strategies that are optimal but for rounding, and what else may come out."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from liarsolve import Recall, presets, solve, solve_exact
from liarsolve.errors import InputError, LiarsolveError
from liarsolve.game import Payoffs, StrategyProfile
from liarsolve.rules import get_preset
from liarsolve.solvers import ProofOutcome, certify
from liarsolve.solvers.exact import proof as module
from liarsolve.solvers.exact.rational import exact_br_value
from liarsolve.solvers.exact.tight_play import find_exact_weights
from liarsolve.strategy import BiddingSolution

COMMON = presets.COMMON.replace(faces=4)


@pytest.fixture(scope="module")
def solution():
    return solve(COMMON, (2, 1), target=1e-9)


def outcome_of(proof):
    return proof.outcome, proof.value, proof.reason


@pytest.mark.parametrize(
    ("rules", "dice", "value"),
    [
        (COMMON, (2, 1), Fraction(345, 1696)),
        (presets.PERUDO.replace(faces=3), (2, 1), Fraction(1, 9)),
        (presets.SNYD.replace(faces=3), (2, 1), None),
        (presets.LIARS_DICE.replace(faces=3), (1, 2), None),
        (presets.DUDO.replace(faces=3), (1, 2), None),
        (presets.OPENSPIEL.replace(faces=3), (2, 1), None),
    ],
    ids=["common", "perudo", "snyd", "liars_dice", "dudo", "openspiel"],
)
def test_values_are_proved_as_fractions(rules, dice, value):
    solution = solve(rules, dice, target=1e-9)
    proved = solution.prove()
    assert solution.exact_value is None
    assert solution.proof is None
    assert proved.proof.outcome is ProofOutcome.PROVED
    assert proved.proof.value == proved.exact_value
    if value is None:  # another way to the same fraction
        value = solve_exact(rules, dice, prove=True).exact_value
    assert proved.exact_value == value
    assert proved.value_bounds[0] <= value <= proved.value_bounds[1]
    assert proved.result is solution.result


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "dice", "value"),
    [("snyd", (2, 1), Fraction(7, 27)), ("liars_dice", (1, 2), Fraction(-5, 54))],
    ids=["snyd", "liars_dice"],
)
def test_two_dice_against_one_with_wild_ones_are_proved(name, dice, value):
    assert solve(get_preset(name), dice, target=1e-9).prove().exact_value == value


@pytest.fixture(scope="module")
def rough(solution):
    """The solution with a little of everything mixed in, as if it had been stopped before."""
    result, graph = solution.result, solution.result.tree.graph
    n_actions = np.diff(graph.action_start)
    mixed = []
    for player, policy in enumerate(result.strategy):
        mine = np.flatnonzero(graph.player[result.tree.node] == player)
        order = np.argsort(result.tree.first_edge[mine])
        of_edge = np.concatenate(
            [np.full(n, n) for n in n_actions[result.tree.node[mine[order]]].tolist()]
        )
        mixed.append((1 - 1e-8) * policy + 1e-8 / of_edge[:, None])
    certificate = certify(StrategyProfile(result.tree, tuple(mixed), result.payoffs))
    return BiddingSolution(replace(result, strategy=tuple(mixed), certificate=certificate))


def test_a_strategy_that_is_only_nearly_optimal_is_finished_first(rough):
    assert 1e-10 < rough.exploitability < 1e-6
    assert rough.prove().exact_value == Fraction(345, 1696)


def test_payoffs_other_than_one_are_counted_exactly():
    payoffs = Payoffs(bidder_loses=0.75, challenger_loses=-2.5)
    solution = solve(presets.COMMON.replace(faces=3), (2, 1), target=1e-9, payoffs=payoffs)
    assert (
        solution.prove().exact_value
        == solve_exact(
            presets.COMMON.replace(faces=3), (2, 1), payoffs=payoffs, prove=True
        ).exact_value
    )
    lower, upper = solution.value_bounds
    assert lower <= solution.prove().exact_value <= upper


def test_exact_weights_make_a_strategy(solution):
    tree, payoffs = solution.result.tree, solution.result.payoffs
    graph = tree.graph
    n_actions = np.diff(graph.action_start)
    for player in range(2):
        weights = find_exact_weights(solution.result.profile, player, 1e-12, lambda share: None)
        coming = [dict.fromkeys(range(graph.n_hands[player]), 0) for _ in range(tree.n_states)]
        chances = graph.exact_hand_probs[player]
        coming[0] = {h: int(p * weights.total) for h, p in enumerate(chances)}
        assert sum(coming[0].values()) == weights.total
        for state in range(tree.n_states):
            first, node = tree.first_edge[state], tree.node[state]
            for edge in range(first, first + n_actions[node]):
                child = tree.children[graph.player[node]][edge]
                if graph.player[node] != player and child >= 0:
                    coming[child] = coming[state]
                elif child >= 0:
                    coming[child] = weights.by_edge.get(edge, {})
            if graph.player[node] == player:
                rows = [weights.by_edge.get(first + k, {}) for k in range(n_actions[node])]
                for hand, weight in coming[state].items():
                    assert sum(row.get(hand, 0) for row in rows) == weight
                assert all(weight > 0 for row in rows for weight in row.values())
        loss = exact_br_value(tree, weights, 1 - player, payoffs)
        assert loss == (Fraction(345, 1696) if player else -Fraction(345, 1696))


def test_no_proof_is_sought_for_strategies_that_are_not_optimal():
    far = solve(COMMON, (2, 1), target=1e-2).prove()
    assert far.exact_value is None
    assert far.proof.outcome is ProofOutcome.NOT_FOUND
    assert far.proof.reason == (
        f"no proof was sought, since the strategies lose {far.exploitability:.3g}; that must be "
        "1e-06 or less"
    )


def test_nothing_is_claimed_where_bounds_do_not_meet(solution, monkeypatch):
    monkeypatch.setattr(module, "find_exact_weights", lambda *arguments: None)
    proved = solution.prove()
    assert outcome_of(proved.proof) == (
        ProofOutcome.NOT_FOUND,
        None,
        "no fraction was found that both strategies prove to be the value",
    )
    assert proved.exact_value is None

    bounds = iter([Fraction(-1, 5), Fraction(1, 4)] * 3)
    monkeypatch.setattr(module, "find_exact_weights", find_exact_weights)
    monkeypatch.setattr(module, "exact_br_value", lambda *arguments: next(bounds))
    assert solution.prove().proof.outcome is ProofOutcome.NOT_FOUND
    assert not list(bounds)


def test_other_strategies_are_tried_where_what_is_tight_proves_nothing(solution, monkeypatch):
    monkeypatch.setattr(module, "find_exact_weights", lambda *arguments: None)
    rules = presets.COMMON.replace(faces=3)
    assert solve_exact(rules, (1, 1), prove=True).exact_value == Fraction(-1, 9)


@pytest.mark.parametrize("step", ["equations of seat 1", "replies to seat 2", "linear programs"])
def test_an_interrupt_ends_the_search_at_any_step(step, rough):
    def interrupt(progress):
        if progress.step == step:
            raise KeyboardInterrupt

    stopped = rough.prove(on_progress=interrupt)
    assert outcome_of(stopped.proof) == (
        ProofOutcome.INTERRUPTED,
        None,
        "interrupted before a fraction was proved; the bounds of the value hold",
    )
    assert stopped.exact_value is None
    assert stopped.result is rough.result


class Hours:
    """A clock that goes on by an hour whenever it is looked at."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 3600.0
        return self.now


def test_the_time_limit_is_kept(solution, monkeypatch):
    monkeypatch.setattr(module, "perf_counter", Hours())
    in_time = solution.prove(max_seconds=1e9)
    assert in_time.proof.outcome is ProofOutcome.PROVED
    n_looks = in_time.proof.seconds / 3600.0
    for part in (0.0, 0.3, 0.9):
        monkeypatch.setattr(module, "perf_counter", Hours())
        late = solution.prove(max_seconds=part * n_looks * 3600.0)
        assert late.proof.outcome is ProofOutcome.TIME_LIMIT
        assert late.proof.reason.startswith("the time was over before a fraction was proved")
        assert late.exact_value is None


def test_progress_tells_steps_in_order(solution):
    seen = []
    solution.prove(on_progress=seen.append)
    assert list(dict.fromkeys(progress.step for progress in seen)) == [
        "equations of seat 1",
        "replies to seat 1",
        "equations of seat 2",
        "replies to seat 2",
    ]
    shares, seconds = ([getattr(p, name) for p in seen] for name in ("share", "seconds"))
    assert shares == sorted(shares)
    assert seconds == sorted(seconds)
    assert 0.0 <= shares[0] < shares[-1] < 1.0


def test_a_value_that_is_proved_is_not_proved_again(solution, monkeypatch):
    proved = solution.prove()
    monkeypatch.setattr(module, "find_exact_weights", None)
    assert proved.prove() is proved


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_seconds": -1}, "max_seconds is a number of 0 or more, got -1"),
        ({"max_seconds": "9"}, "max_seconds is a number of 0 or more, got '9'"),
        ({"on_progress": 5}, "on_progress is a function, got 5"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(solution, options, message):
    for call in (solution.prove, lambda **options: solve_exact(COMMON, (1, 1), **options)):
        with pytest.raises((InputError, TypeError)) as caught:
            call(**options)
        assert str(caught.value) == message


def test_only_two_players_who_remember_have_a_value_to_prove():
    three = solve(presets.COMMON.replace(faces=2), (1, 1, 1), max_iterations=10)
    with pytest.raises(InputError, match="is about two players"):
        three.prove()
    imperfect = solve(
        presets.COMMON.replace(faces=2), (2, 1), abstraction=Recall(1), max_iterations=10
    )
    with pytest.raises(InputError, match="with perfect recall can prove"):
        imperfect.prove()


def test_whether_to_prove_is_a_flag():
    with pytest.raises(TypeError) as caught:
        solve_exact(COMMON, (1, 1), prove="yes")
    assert str(caught.value) == "prove is True or False, got 'yes'"


def test_a_linear_program_that_takes_too_long_is_an_error():
    with pytest.raises(LiarsolveError, match=r"was not solved in the 0 s that it may take"):
        solve_exact(COMMON, (1, 1), max_seconds=0)


def test_parts_of_a_step_move_the_share():
    seen = []
    clock = module._Clock(None, seen.append)
    clock.begin("equations", 0.2, 0.4)
    clock.reported = 0.0
    clock.check(0.5)
    assert [(p.step, p.share) for p in seen] == [("equations", 0.2), ("equations", 0.4)]

"""Linear programs that finish what CFR has begun, and their kernels against slow twins."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve import Round, presets, solve
from liarsolve.game import Payoffs, StrategyProfile, build_complete_tree, compile_graph
from liarsolve.solvers import Callbacks, CFRSolver, Limits, StopReason, certify, solve_cfr, solve_lp
from liarsolve.solvers.core.halt import Halt
from liarsolve.solvers.two_player import polish as module
from liarsolve.solvers.two_player.polish import _Game, _Program, _Side, polish

ROUNDING = 1e-12
"""As in certificates: more than the rounding error of a best response."""
TOLERANCE = 1e-9
"""To which programs are solved, by both sides of a comparison."""


def graph_of(rules, dice=(1, 1), **options):
    return compile_graph(Round(rules, dice, **options))


def average_of(graph, n_iterations, payoffs=None, **options):
    solver = CFRSolver(graph, payoffs, n_threads=1)
    for name, value in options.items():
        setattr(solver, name, value)
    for _ in range(n_iterations):
        solver.step()
    return solver.average_strategy()


small_rounds = st.sampled_from(
    [
        (presets.COMMON.replace(faces=3), (1, 1), False),
        (presets.COMMON.replace(faces=2), (2, 1), False),
        (presets.PERUDO.replace(faces=2), (1, 2), False),
        (presets.PERUDO.replace(faces=3), (1, 1), True),
        (presets.OPENSPIEL.replace(faces=3), (1, 1), False),
        (presets.DUDO.replace(faces=2), (2, 1), False),
    ]
)
some_payoffs = st.sampled_from(
    [Payoffs(), Payoffs.for_exact_call((3, 0.5)), Payoffs(bidder_loses=2.0, challenger_loses=-0.5)]
)


@given(case=small_rounds, payoffs=some_payoffs, leader=st.sampled_from([0, 1]))
@settings(max_examples=25, deadline=None)
def test_the_program_of_everything_has_the_value_of_the_round(case, payoffs, leader):
    rules, dice, palifico = case
    graph = graph_of(rules, dice, palifico=palifico)
    tree = build_complete_tree(graph)
    game = _Game(StrategyProfile(tree, (), payoffs))
    everything = [
        np.repeat(game.edges[p].is_known[:, None], graph.n_hands[p], axis=1) for p in range(2)
    ]
    program = _Program(game, leader, everything[leader], everything[1 - leader])
    shape = everything[leader].shape
    loss, weights = program.solve(np.zeros(shape), np.ones(shape), math.inf)
    value = np.mean(solve_lp(graph, payoffs=payoffs).certificate.value_bounds)
    assert loss == pytest.approx(-value if leader == 0 else value, abs=TOLERANCE)
    assert weights.min() >= 0.0
    # Each player's weights on the actions of his first state are the chances of his hands.
    if graph.player[0] == leader:
        first = weights[: graph.action_start[1]].sum(axis=0)
        assert first == pytest.approx(graph.hand_probs[leader], abs=TOLERANCE)


def near_best_by_hand(tree, payoffs, player, policy, slack):
    """Which actions of a player are near the best against a policy, from the definition."""
    graph = tree.graph
    table = payoffs.table(2)
    near = np.zeros((tree.children[player].size, graph.n_hands[player]), bool)

    def outcome(node, action, hands):
        count = sum(int(graph.matches[p][graph.match_class[node], hands[p]]) for p in range(2))
        quantity = graph.quantity[node]
        if graph.action_kind[action] == 1:
            kind = 0 if count < quantity else 1
        else:
            kind = 2 if count == quantity else 3
        return table[kind, graph.player[node], player]

    def values(state, node, reach):
        """Counterfactual values of each of the player's hands below a state."""
        n_actions = graph.action_start[node + 1] - graph.action_start[node]
        of_actions = []
        for k in range(n_actions):
            action = graph.action_start[node] + k
            carried = reach
            if graph.player[node] != player:
                carried = reach * policy[tree.first_edge[state] + k]
            if graph.action_kind[action] != 0:
                pays = np.zeros(graph.n_hands[player])
                for own in range(graph.n_hands[player]):
                    for other in range(reach.size):
                        hands = (own, other) if player == 0 else (other, own)
                        pays[own] += carried[other] * outcome(node, action, hands)
            else:
                child = tree.children[graph.player[node]][tree.first_edge[state] + k]
                pays = values(child, graph.action_target[action], carried)
            of_actions.append(pays)
        if graph.player[node] != player:
            return np.sum(of_actions, axis=0)
        best = np.max(of_actions, axis=0)
        for k, pays in enumerate(of_actions):
            near[tree.first_edge[state] + k] = best - pays <= slack * reach.sum()
        return best

    values(0, 0, graph.hand_probs[1 - player])
    return near


@given(case=small_rounds, payoffs=some_payoffs, player=st.sampled_from([0, 1]), data=st.data())
@settings(max_examples=20, deadline=None)
def test_marks_are_those_of_the_definition(case, payoffs, player, data):
    rules, dice, palifico = case
    tree = build_complete_tree(graph_of(rules, dice, palifico=palifico))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    game = _Game(StrategyProfile(tree, (), payoffs))
    policy = rng.random((tree.children[1 - player].size, tree.graph.n_hands[1 - player]))
    edges = game.edges[1 - player]
    policy /= np.add.reduceat(policy, edges.first)[edges.place]
    side = _Side(game, player, np.zeros((tree.children[player].size, tree.graph.n_hands[player])))
    side.mark_near_best(policy)
    # Trembling at ten states of a path moves a value by 1e-6 of the reach, and payoffs are at most
    # 3, so what is off the slack by a thousandth, 2e-5 of the reach, is on the same side of it.
    surely, perhaps = (
        near_best_by_hand(tree, payoffs, player, policy, module._SLACK * (1 + share))
        for share in (-1e-3, 1e-3)
    )
    assert np.all(side.is_near[surely])
    assert np.all(perhaps[side.is_near])
    assert surely.any()
    assert not side.is_near.all()


@pytest.mark.parametrize(
    ("rules", "dice", "value"),
    [
        (presets.COMMON, (1, 1), -1 / 9),
        (presets.COMMON, (2, 1), 212027 / 771552),
        (presets.OPENSPIEL, (1, 1), -7 / 258),
    ],
    ids=["common 1 v 1", "common 2 v 1", "openspiel 1 v 1"],
)
def test_known_values_come_out_to_the_last_digits(rules, dice, value):
    solution = solve(rules, dice, target=1e-10)
    lower, upper = solution.value_bounds
    assert solution.stop is StopReason.CONVERGED
    assert solution.exploitability <= 1e-10
    assert lower <= value <= upper
    assert solution.result.method == "discounted, then lp"
    # CFR alone takes more than twice the iterations to get to 1e-6.
    assert solution.result.iterations < 6_000


@pytest.mark.parametrize("payoffs", [Payoffs.for_exact_call((2, 1)), Payoffs(bidder_loses=5.0)])
def test_payoffs_of_any_size(payoffs):
    graph = graph_of(presets.PERUDO.replace(faces=3), (2, 1))
    result = solve_cfr(graph, payoffs=payoffs, limits=Limits(target=1e-9))
    assert result.certificate.exploitability <= 1e-9
    again = certify(StrategyProfile(result.tree, result.strategy, payoffs))
    assert again.br_values == pytest.approx(result.certificate.br_values, abs=1e-9)
    expected = solve_lp(graph, payoffs=payoffs).certificate.value_bounds
    assert result.certificate.value_bounds == pytest.approx(expected, abs=1e-8)


def test_nobody_ever_loses_more_than_before():
    graph = graph_of(presets.COMMON.replace(faces=4), (2, 1))
    for n_iterations in (5, 20, 80):  # far from where it is meant to begin, too
        tree, strategy = average_of(graph, n_iterations)
        before = certify(StrategyProfile(tree, strategy)).br_values
        polished = polish(StrategyProfile(tree, strategy, Payoffs()), 1e-9)
        assert polished.n_programs > 0
        after = certify(StrategyProfile(tree, polished.strategy)).br_values
        assert after == pytest.approx(polished.certificate.br_values, abs=ROUNDING)
        assert all(new <= old + ROUNDING for new, old in zip(after, before, strict=True))
        assert sum(after) < sum(before)


def test_strategies_stay_whole():
    graph = graph_of(presets.LIARS_DICE.replace(faces=3), (2, 1))
    tree, strategy = average_of(graph, 200, threshold=1e-4)
    polished = polish(StrategyProfile(tree, strategy, Payoffs()), 1e-9)
    for edges, policy in zip(
        _Game(StrategyProfile(tree, ())).edges, polished.strategy, strict=True
    ):
        assert policy.min() >= 0.0
        assert np.add.reduceat(policy, edges.first) == pytest.approx(1.0, abs=1e-9)


def test_nothing_may_be_relied_on_more_where_replies_are_missing(monkeypatch):
    graph = graph_of(presets.LIARS_DICE.replace(faces=4), (2, 1))
    tree, strategy = average_of(graph, 100, threshold=1e-2)
    game = _Game(StrategyProfile(tree, ()))
    side, other = (_Side(game, p, np.asarray(strategy[p])) for p in range(2))
    for player in (side, other):
        player.mark_near_best(strategy[1 - player.player])
    bounds = []
    solve_program = _Program.solve

    def watch(program, lower, upper, deadline):
        bounds.append((lower, upper))
        return solve_program(program, lower, upper, deadline)

    monkeypatch.setattr(_Program, "solve", watch)
    policy = side.next_policy(other.is_near, 0.1, 1e-9, math.inf)
    assert not np.array_equal(policy, side.policy)
    weights = side._carry(0, side.policy, 0.0)[game.edges[0].state] * side.policy
    is_explored = game.edges[0].is_explored
    assert 0 < is_explored.sum() < is_explored.size
    ((lower, upper),) = bounds
    assert np.array_equal(upper[~is_explored], weights[~is_explored])
    assert np.all(upper[is_explored] >= weights[is_explored] + 0.1 * graph.hand_probs[0].max())
    assert np.all(lower <= weights)


def test_limits_of_memory_work_and_time_are_kept():
    tree, strategy = average_of(graph_of(presets.COMMON.replace(faces=4), (2, 1)), 50)
    whole = polish(StrategyProfile(tree, strategy, Payoffs()), 1e-12)
    assert whole.n_programs > 2
    assert polish(StrategyProfile(tree, strategy, Payoffs()), 1e-12, budget=1).n_programs == 2
    for limit in ({"max_memory": 1e5}, {"halt": Halt(0.0)}):
        untouched = polish(StrategyProfile(tree, strategy, Payoffs()), 1e-12, **limit)
        assert untouched.n_programs == 0
        assert all(map(np.array_equal, untouched.strategy, strategy))


def test_a_program_without_a_solution_changes_nothing(monkeypatch):
    tree, strategy = average_of(graph_of(presets.COMMON.replace(faces=4), (2, 1)), 50)

    def fail(*arguments, **options):
        return type("Result", (), {"x": None})()

    monkeypatch.setattr(module, "linprog", fail)
    untouched = polish(StrategyProfile(tree, strategy, Payoffs()), 1e-12)
    assert untouched.n_programs == 2 * module._VAIN_ROUNDS
    assert all(map(np.array_equal, untouched.strategy, strategy))


def test_large_programs_are_solved_from_inside(monkeypatch):
    methods = []
    linprog = module.linprog

    def watch(*arguments, **options):
        methods.append(options["method"])
        return linprog(*arguments, **options)

    monkeypatch.setattr(module, "linprog", watch)
    graph = graph_of(presets.COMMON.replace(faces=4), (2, 1))
    expected = solve_cfr(graph, limits=Limits(target=1e-9)).certificate.value_bounds
    assert set(methods) == {"highs-ds"}
    monkeypatch.setattr(module, "_INTERIOR_ENTRIES", 0)
    assert solve_cfr(graph, limits=Limits(target=1e-9)).certificate.value_bounds == pytest.approx(
        expected, abs=4e-9
    )
    assert methods[-1] == "highs-ipm"


def test_coarse_targets_and_iterations_alone_are_left_to_cfr(monkeypatch):
    def refuse(*arguments, **options):
        raise AssertionError("no program was asked for")

    graph = graph_of(presets.COMMON.replace(faces=3))
    solve_cfr(graph, limits=Limits(target=1e-9))  # kernels are compiled by a program of their own
    monkeypatch.setattr("liarsolve.solvers.two_player.solve.polish", refuse)
    assert solve_cfr(graph, limits=Limits(target=1e-4)).method == "discounted"
    result = solve_cfr(graph, limits=Limits(target=0, max_iterations=3_000))
    assert (result.method, result.iterations) == ("discounted", 3_000)
    with pytest.raises(AssertionError, match=re.escape("no program")):
        solve_cfr(graph, limits=Limits(target=1e-9))


def test_two_runs_end_with_the_same_bits():
    graph = graph_of(presets.PERUDO.replace(faces=3), (2, 1))
    one, other = (solve_cfr(graph, limits=Limits(target=1e-10)) for _ in range(2))
    assert one.method == "discounted, then lp"
    assert one.certificate == other.certificate
    assert all(map(np.array_equal, one.strategy, other.strategy))


def test_every_round_of_programs_is_reported():
    seen = []
    graph = graph_of(presets.COMMON.replace(faces=5), (2, 1))
    result = solve_cfr(
        graph, limits=Limits(target=1e-10), callbacks=Callbacks(on_progress=seen.append)
    )
    last = seen[-1]
    assert last.certificate.br_values == result.certificate.br_values
    assert last.iteration == seen[-2].iteration == result.iterations
    values = [progress.certificate.exploitability for progress in seen]
    assert values[-1] <= 1e-10 < values[-2]

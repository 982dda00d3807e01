"""The CFR solver on a tree that grows: same bits, less memory, and what its options do."""

from itertools import pairwise

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import InputError
from liarsolve.game import (
    Payoffs,
    check_tree,
    compile_graph,
    default_actions,
    measure_complete_tree,
)
from liarsolve.solvers import CFR_PLUS, PREDICTIVE_CFR_PLUS, CFRSolver
from liarsolve.solvers.two_player import growing_tree
from liarsolve.solvers.two_player.best_response import InitialPolicy

STARS_2V1 = compile_graph(Round(presets.OPENSPIEL.replace(faces=3), (2, 1)))
TILTED = Payoffs(bidder_loses=1.0625, challenger_loses=-0.9375)
"""With payoffs of +-1 actions often tie, and then rounding decides what is played next."""


def run(n_iterations, graph=STARS_2V1, threshold=0.0, **options):
    solver = CFRSolver(graph, **options)
    solver.threshold = threshold
    for _ in range(n_iterations):
        solver.step()
    return solver


def bits(solver):
    tree, strategy = solver.average_strategy()
    return [a.tobytes() for a in (tree.node, tree.first_edge, *tree.children, *strategy)]


OPTIONS = [
    {},
    {"variant": PREDICTIVE_CFR_PLUS},
    {"dtype": np.float32, "threshold": 1e-3},
]


@pytest.mark.parametrize("options", OPTIONS, ids=["discounted", "predictive", "single"])
@pytest.mark.parametrize("is_split", [False, True], ids=["whole", "split"])
def test_two_runs_end_with_the_same_bits(options, is_split):
    assert bits(run(30, is_split=is_split, **options)) == bits(
        run(30, is_split=is_split, **options)
    )


@pytest.mark.parametrize("options", OPTIONS, ids=["discounted", "predictive", "single"])
def test_threads_do_not_change_a_bit(options):
    one = run(30, is_split=True, n_threads=1, **options)
    for n_threads in (2, 5):
        many = run(30, is_split=True, n_threads=n_threads, **options)
        assert bits(many) == bits(one)
        assert many.certify() == one.certify()


@pytest.mark.parametrize("options", OPTIONS, ids=["discounted", "predictive", "single"])
@pytest.mark.parametrize("is_split", [False, True], ids=["whole", "split"])
def test_room_at_the_start_does_not_change_a_bit(monkeypatch, options, is_split):
    ample = bits(run(20, is_split=is_split, **options))
    monkeypatch.setattr(growing_tree, "FIRST_STATES", 4)
    monkeypatch.setattr(growing_tree, "FIRST_EDGES", 8 * 4)
    tight = run(20, is_split=is_split, **options)
    assert tight.n_states > 4
    assert bits(tight) == ample


def policies(solver):
    """Average policy of every state, by the bids made."""
    tree, strategy = solver.average_strategy()
    graph = tree.graph
    table, waiting = {}, [((), 0)]
    while waiting:
        history, state = waiting.pop()
        node, first = int(tree.node[state]), int(tree.first_edge[state])
        player = int(graph.player[node])
        actions = graph.actions(node)
        table[history] = strategy[player][first : first + len(actions)]
        for k, action in enumerate(actions):
            child = int(tree.children[player][first + k])
            if child >= 0:
                waiting.append(((*history, action), child))
    return table


@pytest.mark.parametrize("variant", [CFR_PLUS, PREDICTIVE_CFR_PLUS], ids=lambda v: v.name)
def test_trees_by_opening_play_as_one_tree(variant):
    whole = run(15, payoffs=TILTED, variant=variant)
    split = run(15, payoffs=TILTED, variant=variant, is_split=True)
    expected, got = policies(whole), policies(split)
    for history, policy in expected.items():
        assert got[history] == pytest.approx(policy, abs=1e-9), history
    # The largest opening bid has a tree too, though nobody decides anything there.
    assert {str(history[0]) for history in got.keys() - expected.keys()} == {"3x3"}


# --- the average ------------------------------------------------------------------------------


@pytest.mark.parametrize("is_split", [False, True], ids=["whole", "split"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_average_is_a_strategy_on_a_sound_tree(dtype, is_split):
    solver = run(5, dtype=dtype, is_split=is_split)
    tree, strategy = solver.average_strategy()
    check_tree(tree)
    assert tree.n_states == solver.n_states
    edges = np.concatenate([tree.first_edge[STARS_2V1.player[tree.node] == 0], [len(strategy[0])]])
    for policy in strategy:
        assert policy.dtype == dtype
        assert policy.min() >= 0.0
    for first, stop in pairwise(np.sort(edges)):
        assert strategy[0][first:stop].sum(axis=0) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("initial", InitialPolicy)
def test_first_iteration_plays_the_initial_policy(initial):
    _, strategy = run(1, initial=initial).average_strategy()
    n_openings = int(STARS_2V1.action_start[1])
    opening = strategy[0][:n_openings]
    if initial is InitialPolicy.UNIFORM:
        assert opening == pytest.approx(np.full_like(opening, 1 / n_openings))
    else:
        chosen = default_actions(STARS_2V1)[0][0]
        assert np.array_equal(opening, np.arange(n_openings)[:, None] == chosen)


# --- options ----------------------------------------------------------------------------------


def test_each_option_changes_something():
    plain = run(10)
    assert run(10, payoffs=TILTED).certify() != plain.certify()
    assert run(10, variant=CFR_PLUS).certify() != plain.certify()
    assert run(10, initial=InitialPolicy.UNIFORM).certify() != plain.certify()
    assert run(10, dtype=np.float32).n_bytes < plain.n_bytes
    assert run(10, threshold=0.01).n_states < plain.n_states
    lazy = CFRSolver(STARS_2V1)
    lazy.revisit_period = 4
    for _ in range(10):
        lazy.step()
    assert lazy.certify() != plain.certify()


def test_complete_tree_is_the_limit():
    size = measure_complete_tree(STARS_2V1)
    solver = run(3, initial=InitialPolicy.UNIFORM)
    only_calls = 2**8  # after the last bid there is nothing to decide
    assert solver.n_states == size.n_states - only_calls
    assert run(3).n_states < solver.n_states


@pytest.mark.parametrize("options", [{"dtype": np.float32}, {"revisit_period": 4}, {}], ids=str)
def test_every_way_of_saving_still_converges(options):
    revisit_period = options.pop("revisit_period", 1)
    solver = CFRSolver(STARS_2V1, **options)
    solver.revisit_period = revisit_period
    for _ in range(300):
        solver.step()
        solver.threshold = 0.01 / solver.iteration
    lo, hi = solver.certify().value_bounds
    assert hi - lo < 5e-3


# --- memory -----------------------------------------------------------------------------------


@pytest.mark.parametrize("is_split", [False, True], ids=["whole", "split"])
def test_solver_goes_on_when_the_memory_is_used_up(monkeypatch, is_split):
    monkeypatch.setattr(growing_tree, "FIRST_STATES", 8)
    monkeypatch.setattr(growing_tree, "FIRST_EDGES", 8 * 8)
    free = run(60, is_split=is_split)
    lo, hi = free.certify().value_bounds
    assert not free.is_out_of_memory
    tight = run(60, is_split=is_split, max_memory=0.5 * free.n_bytes)
    assert tight.is_out_of_memory
    assert tight.n_bytes <= 0.5 * free.n_bytes
    assert tight.n_states < free.n_states
    certificate = tight.certify()
    assert certificate.value_bounds[0] <= hi
    assert certificate.value_bounds[1] >= lo
    assert certificate.exploitability < run(1, is_split=is_split).certify().exploitability
    n_states = tight.n_states
    tight.step()
    assert tight.n_states == n_states


# --- stale states -----------------------------------------------------------------------------


def list_fresh_slowly(solver, oldest):
    """States of the first tree that were visited since, depth first, and whose they are."""
    tree = solver._root
    listed = []

    def visit(state):
        listed.append(state)
        node = tree.node[state]
        player = tree.graph.player[node]
        n_actions = np.diff(tree.graph.action_start)[node]
        first = tree.first_edge[state]
        for child in tree.players[player].children[first : first + n_actions]:
            if child >= 0 and tree.last_visit[child] >= oldest:
                visit(child)

    visit(0)
    return listed


def by_history(solver, rows_of):
    """Rows of every state, by the bids made."""
    tree = solver._root
    table, waiting = {}, [((), 0)]
    while waiting:
        history, state = waiting.pop()
        node, first = int(tree.node[state]), int(tree.first_edge[state])
        actions = solver.graph.actions(node)
        player = tree.players[solver.graph.player[node]]
        table[history] = rows_of(player)[first : first + len(actions)].tolist()
        for action, child in zip(actions, player.children[first:].tolist(), strict=False):
            if child >= 0:
                waiting.append(((*history, action), child))
    return table


def test_stale_states_are_dropped_and_the_others_keep_what_they_hold():
    solver = run(60, threshold=1e-2)
    oldest = 60 // 2 - solver.revisit_period
    expected = list_fresh_slowly(solver, oldest)
    nodes = solver._root.node[expected].tolist()
    n_before = solver.n_states
    regrets = by_history(solver, lambda player: player.cum_regret)
    policies = by_history(solver, lambda player: player.cum_policy)
    live = by_history(solver, lambda player: player.is_live)
    solver.drop_stale()
    assert 1 < solver.n_states == len(expected) < n_before
    assert solver._root.node.tolist() == nodes
    assert solver._root.last_visit.min() >= oldest
    check_tree(solver._root.finished()[0])
    for before, rows_of in (
        (regrets, lambda player: player.cum_regret),
        (policies, lambda player: player.cum_policy),
        (live, lambda player: player.is_live),
    ):
        after = by_history(solver, rows_of)
        assert after == {history: before[history] for history in after}
    assert solver._root.n_used.tolist()[1:] == [p.children.size for p in solver._root.players]


@pytest.mark.parametrize("options", OPTIONS, ids=["discounted", "predictive", "single"])
@pytest.mark.parametrize("is_split", [False, True], ids=["whole", "split"])
def test_where_nothing_is_stale_dropping_changes_no_bit_of_what_follows(options, is_split):
    options = {**options, "threshold": 0.0}
    kept, dropped = (run(3, is_split=is_split, **options) for _ in range(2))
    dropped.drop_stale()
    assert dropped.n_states == kept.n_states
    for solver in (kept, dropped):
        for _ in range(20):
            solver.step()
    expected, got = policies(kept), policies(dropped)
    assert got.keys() == expected.keys()
    assert all(got[history].tobytes() == expected[history].tobytes() for history in got)


def test_a_tree_of_few_states_grows_by_states_too():
    tree = run(1)._root
    tree.drop_stale(2)  # nothing but the root was ever visited so late
    assert tree.n_states == tree.node.size == 1
    assert tree.grow(np.inf)
    assert tree.node.size > 1
    assert all(p.children.size > n for p, n in zip(tree.players, tree.n_used[1:], strict=True))


def test_three_players_are_refused():
    with pytest.raises(InputError) as caught:
        CFRSolver(compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1, 1))))
    assert str(caught.value) == "only rounds of two players can be solved, got 3 players"

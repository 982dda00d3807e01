"""CFR over merged states: draws, threads, limits, and the exploitability in the full game."""

import json

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import GameTooLargeError, InputError
from liarsolve.game import (
    MaxJump,
    Payoffs,
    PublicTree,
    Recall,
    StrategyProfile,
    build_complete_tree,
    compile_graph,
    merge_states,
)
from liarsolve.rules import Bid
from liarsolve.solvers import (
    CFR,
    CFR_PLUS,
    DISCOUNTED_CFR,
    LINEAR_CFR,
    PREDICTIVE_CFR_PLUS,
    AbstractionCFR,
    AbstractionOptions,
    Callbacks,
    Limits,
    StopReason,
    certify,
    hand_values,
    measure_in_full_game,
    solve_abstraction,
    values_against,
)
from liarsolve.solvers.imperfect_recall import cfr
from liarsolve.solvers.imperfect_recall.cfr import estimate_bytes
from liarsolve.solvers.imperfect_recall.layout import (
    all_joint_hands,
    draw_joint_hands,
    find_twins,
    make_states,
)
from liarsolve.solvers.imperfect_recall.solve import DEFAULT_ITERATIONS
from liarsolve.solvers.two_player.best_response import InitialPolicy

PERUDO_2V1 = compile_graph(Round(presets.PERUDO.replace(faces=3), (2, 1)))
COMMON_2V2 = compile_graph(Round(presets.COMMON.replace(faces=3), (2, 2)))
VALUE_1V1 = -1 / 9
COMMON_1V1 = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
COMMON_1V1V1 = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1, 1)))
ROUNDING = 1e-12


def averages(graph, n_bids=2, *, n_steps=6, **options):
    solver = AbstractionCFR(merge_states(graph, Recall(n_bids)), **options)
    for _ in range(n_steps):
        solver.step()
    return solver.average_strategy()[1]


def is_equal(one, other):
    return all(a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("options", [{}, {"n_drawn": 2, "seed": 3}, {"revisit_period": 3}], ids=str)
def test_a_restored_solver_goes_on_to_the_same_bits(options):
    tree = merge_states(PERUDO_2V1, Recall(2))
    unbroken, first, second = (AbstractionCFR(tree, **options) for _ in range(3))
    for _ in range(90):
        unbroken.step()
    for _ in range(51):  # in the middle of a period
        first.step()
    values, arrays = first.to_state()
    second.restore(json.loads(json.dumps(values)), arrays)
    for _ in range(39):
        second.step()
    assert is_equal(unbroken.average_strategy()[1], second.average_strategy()[1])


@pytest.mark.parametrize(
    "tree",
    [merge_states(PERUDO_2V1, Recall(2) & MaxJump(2)), merge_states(COMMON_2V2, Recall(2))],
    ids=["jumps", "recall"],
)
def test_twins_share_what_comes_after_them(tree):
    states = make_states(tree, Payoffs())
    twins = find_twins(states)
    n_actions = np.diff(states.action_start)[states.node]
    behind = [
        (states.node[s], *states.children[first : first + n_actions[s]])
        for s, first in enumerate(states.first_edge)
    ]
    groups = np.split(twins.state, twins.first[1:-1])
    assert sorted(np.concatenate(groups)) == list(range(tree.n_states))
    assert len(groups) == len(set(behind))  # as few groups as there can be
    for i, group in enumerate(groups):
        assert len({behind[s] for s in group}) == 1
        assert twins.group_done[group].tolist() == [-1] * (group.size - 1) + [i]
        assert group.max() == group[-1]
    assert len(groups) < tree.n_states


# --- draws ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_draws", [1, 2, 3, 7])
def test_draws_are_right_on_average(n_draws):
    probs = COMMON_2V2.hand_probs[0]  # ninths: the draws repeat in steps of a ninth of 1 / n_draws
    total, n_points = np.zeros(probs.size), 9 * n_draws
    for i in range(n_points):
        rng = FixedPoints([(i + 0.5) / n_points])
        (_, hands), weights = draw_joint_hands((probs, probs), 0, n_draws, rng)
        assert weights.sum() == pytest.approx(1.0, abs=ROUNDING)
        total[hands] += weights / n_points
    assert total == pytest.approx(probs, abs=ROUNDING)


class FixedPoints:
    """Points that are given, and no change of order."""

    def __init__(self, points):
        self.points = points

    def random(self, n):
        assert n == len(self.points)
        return np.array(self.points)

    def permutation(self, ids):
        return ids


def test_every_player_is_drawn_evenly_and_apart_from_the_others():
    probs = COMMON_2V2.hand_probs[0]
    total, n_rounds = np.zeros((probs.size, probs.size)), 4000
    for seed in range(n_rounds):
        rng = np.random.default_rng(seed)
        joint_hands, weights = draw_joint_hands((probs,) * 3, 1, 5, rng)
        for other in (0, 2):  # a hand comes as often as it should, or once more or less
            count = 5 * np.bincount(joint_hands[other], weights, probs.size)
            assert np.abs(count - 5 * probs).max() < 1 + ROUNDING
        total[joint_hands[0], joint_hands[2]] += weights / n_rounds
    # 20,000 draws of chances up to 1/81 * 4: a standard error of 0.0015 at the most.
    assert total == pytest.approx(np.outer(probs, probs), abs=0.007)


def test_drawn_regrets_are_right_on_average():
    tree = merge_states(COMMON_1V1V1, Recall(1))
    options = {
        "initial": InitialPolicy.UNIFORM,
        "variant": CFR,
        "n_threads": 1,
        "own_reach_floor": 1,
    }

    def first_regrets(**more):
        solver = AbstractionCFR(tree, **options, **more)
        solver.step()
        n_entries = solver.weights()[0].size
        return solver._sums.cum_regret[:n_entries]  # later players meet what the first has learned

    exact = first_regrets()
    n_rounds = 1000
    drawn = np.mean([first_regrets(n_drawn=2, seed=seed) for seed in range(n_rounds)], axis=0)
    # Regrets are at most 1.5 for one draw; five standard errors of 2,000 that were independent.
    assert drawn == pytest.approx(exact, abs=5 * 1.5 / np.sqrt(2 * n_rounds))
    assert np.abs(drawn - exact).max() < 0.2 * np.abs(exact).max()


def test_a_seed_says_what_is_drawn():
    one, again, other = (averages(PERUDO_2V1, n_drawn=2, seed=seed) for seed in (1, 1, 2))
    assert is_equal(one, again)
    assert not is_equal(one, other)


def test_drawn_hands_come_to_the_same_exploitability():
    tree = merge_states(COMMON_1V1, Recall(2))
    solver = AbstractionCFR(tree, n_drawn=1, seed=3)
    for _ in range(3000):
        solver.step()
    drawn = certify(StrategyProfile(*solver.average_strategy()))
    assert drawn.exploitability < 0.02  # uniform play loses 0.2
    lo, hi = drawn.value_bounds
    assert lo <= VALUE_1V1 <= hi


# --- options ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_drawn", [None, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_threads_and_blocks_do_not_change_a_bit(monkeypatch, dtype, n_drawn):
    one = averages(COMMON_2V2, dtype=dtype, n_drawn=n_drawn, n_threads=1)
    monkeypatch.setattr(cfr, "_LARGE_ENTRIES", 0)
    for n_threads in (2, 5):
        many = averages(COMMON_2V2, dtype=dtype, n_drawn=n_drawn, n_threads=n_threads)
        assert is_equal(one, many)
    monkeypatch.setattr(cfr, "_BLOCK", 8)
    assert is_equal(one, averages(COMMON_2V2, dtype=dtype, n_drawn=n_drawn, n_threads=2))


def test_threads_do_not_change_what_is_left_out(monkeypatch):
    monkeypatch.setattr(cfr, "_LARGE_ENTRIES", 0)
    one, many = (
        averages(COMMON_2V2, n_steps=40, revisit_period=3, n_threads=n_threads)
        for n_threads in (1, 3)
    )
    assert is_equal(one, many)


def test_every_option_changes_the_averages():
    plain = averages(PERUDO_2V1, variant=DISCOUNTED_CFR)
    long = averages(PERUDO_2V1, n_steps=20)
    assert not is_equal(long, averages(PERUDO_2V1, n_steps=20, revisit_period=2))
    others = [
        averages(PERUDO_2V1, n_bids=3),
        averages(PERUDO_2V1, payoffs=Payoffs(exact_right=2.0)),
        averages(PERUDO_2V1, initial=InitialPolicy.UNIFORM),
        averages(PERUDO_2V1, dtype=np.float32),
        averages(PERUDO_2V1, n_drawn=2),
        averages(PERUDO_2V1, opponent_model_prob=0.5),
        averages(PERUDO_2V1, own_reach_floor=1),
        *(averages(PERUDO_2V1, variant=variant) for variant in (CFR, CFR_PLUS, LINEAR_CFR)),
    ]
    seen = {tuple(a.tobytes() for a in average) for average in [plain, *others]}
    assert len(seen) == 1 + len(others)


@pytest.mark.parametrize(
    "variant", [CFR, CFR_PLUS, LINEAR_CFR, DISCOUNTED_CFR], ids=lambda variant: variant.name
)
def test_who_remembers_all_comes_to_the_value(variant):
    result = solve_abstraction(
        COMMON_1V1,
        Recall(6),
        limits=Limits(target=1e-2),
        options=AbstractionOptions(variant=variant),
    )
    lo, hi = result.certificate.value_bounds
    assert lo - 1e-7 <= VALUE_1V1 <= hi + 1e-7
    assert result.stop is StopReason.CONVERGED
    assert result.method == variant.name


def test_predictive_variants_are_refused():
    with pytest.raises(InputError, match=r"predictive\+ cannot be used .* such as discounted"):
        AbstractionCFR(merge_states(COMMON_1V1, Recall(1)), variant=PREDICTIVE_CFR_PLUS)


def test_equal_seats_are_worth_the_same():
    """Once a bid stands, who remembers it alone sees the same table from every seat."""
    graph = compile_graph(Round(presets.COMMON.replace(faces=2), (2, 2, 2)))
    tree = merge_states(graph, Recall(1))
    rng = np.random.default_rng(5)
    policy_at = rng.random((len(graph.round.bids) + 1, len(graph.round.bids) + 1, 3))
    strategy = tuple(np.zeros((c.size, 3)) for c in tree.children)
    places = {}
    for state, node in enumerate(tree.node):
        player, standing = int(graph.player[node]), int(graph.standing[node])
        places[standing, player] = state
        n_actions = len(graph.actions(node))
        first = tree.first_edge[state]
        strategy[player][first : first + n_actions] = policy_at[standing, :n_actions]
    first_seat = values_against(StrategyProfile(tree, strategy, Payoffs()), 0, 1, places[3, 0])
    joint_hands, _ = all_joint_hands(graph.hand_probs, 0)
    for player in (1, 2):
        moved = np.roll(joint_hands, player, axis=0)  # the same hands, a seat or two further on
        values = values_against(
            StrategyProfile(tree, strategy, Payoffs()),
            player,
            1,
            places[3, player],
            joint_hands=moved,
        )
        assert values[places[3, player]] == pytest.approx(first_seat[places[3, 0]], abs=ROUNDING)
    assert np.ptp(first_seat[places[3, 0]]) > 0.1


def test_a_pass_draws_something():
    with pytest.raises(InputError, match="chance from 0 to below 1, got opponent_model_prob=1"):
        AbstractionCFR(merge_states(COMMON_1V1, Recall(1)), opponent_model_prob=1)
    with pytest.raises(InputError, match="draws a hand or more, got n_drawn=0"):
        AbstractionCFR(merge_states(COMMON_1V1, Recall(1)), n_drawn=0)
    with pytest.raises(
        InputError, match=r"own_reach_floor is a weight above 0 .* got own_reach_floor=0"
    ):
        AbstractionCFR(merge_states(COMMON_1V1, Recall(1)), own_reach_floor=0)
    with pytest.raises(InputError, match="1 pass or more, got revisit_period=0"):
        AbstractionCFR(merge_states(COMMON_1V1, Recall(1)), revisit_period=0)


# --- exploitability in the full game ----------------------------------------------------------


def lift(tree, strategy):
    """The same strategy on the complete tree, every sequence of bids on its own."""
    graph = tree.graph
    complete = build_complete_tree(graph)
    lifted = [np.empty((c.size, h)) for c, h in zip(complete.children, graph.n_hands, strict=True)]
    waiting = [(0, 0)]
    while waiting:
        merged, state = waiting.pop()
        node = tree.node[merged]
        player, actions = int(graph.player[node]), graph.actions(node)
        here, there = tree.first_edge[merged], complete.first_edge[state]
        lifted[player][there : there + len(actions)] = strategy[player][here : here + len(actions)]
        for k, action in enumerate(actions):
            if isinstance(action, Bid):
                children = (tree.children[player][here + k], complete.children[player][there + k])
                waiting.append(children)
    return complete, tuple(lifted)


@pytest.mark.parametrize("graph", [PERUDO_2V1, COMMON_1V1], ids=repr)
def test_the_exploitability_is_that_of_the_lifted_strategy(graph):
    tree = merge_states(graph, Recall(1))
    strategy = averages(graph, 1, n_steps=20)
    complete, lifted = lift(tree, strategy)
    expected = certify(StrategyProfile(complete, lifted))
    for n_threads in (1, 2):
        measured = measure_in_full_game(
            StrategyProfile(tree, strategy, Payoffs()), max_visits=10**6, n_threads=n_threads
        )
        assert measured.is_complete
        assert measured.certificate.br_values == pytest.approx(expected.br_values, abs=ROUNDING)
    for player, hands in enumerate(graph.hands):
        against = graph.hand_probs[1 - player]
        values = hand_values(StrategyProfile(complete, lifted), player, is_best_response=False)
        for hand_id in range(len(hands)):
            table = values_against(StrategyProfile(tree, strategy, Payoffs()), player, hand_id, 0)
            assert table[0] @ against == pytest.approx(values[hand_id], abs=ROUNDING)


def test_a_traversal_that_stops_early_is_a_bound_and_says_so():
    tree = merge_states(PERUDO_2V1, Recall(1))
    strategy = averages(PERUDO_2V1, 1, n_steps=20)
    whole = measure_in_full_game(StrategyProfile(tree, strategy, Payoffs()), max_visits=10**6)
    part = measure_in_full_game(StrategyProfile(tree, strategy, Payoffs()), max_visits=5)
    assert not part.is_complete
    assert whole.n_visits > part.n_visits == 5
    for bound, best in zip(part.certificate.br_values, whole.certificate.br_values, strict=True):
        assert bound > best


def test_a_gap_leaves_out_what_matters_little():
    tree = merge_states(PERUDO_2V1, Recall(1))
    strategy = averages(PERUDO_2V1, 1, n_steps=20)
    whole = measure_in_full_game(StrategyProfile(tree, strategy, Payoffs()), max_visits=10**6)
    part = measure_in_full_game(
        StrategyProfile(tree, strategy, Payoffs()), max_visits=10**6, gap=1e-2
    )
    assert part.n_visits < whole.n_visits
    least, most = part.certificate.exploitability_bounds
    assert least < whole.certificate.exploitability < most <= least + 1e-2


def test_remembering_more_costs_less():
    measures = [
        solve_abstraction(
            COMMON_2V2, Recall(k), limits=Limits(target=0, max_iterations=300)
        ).certificate.exploitability
        for k in (1, 2, 3)
    ]
    assert measures[0] > 0.03
    assert measures[0] > measures[1] > measures[2]


def test_who_trusts_that_they_came_as_they_play_loses_less():
    graph, measures = compile_graph(Round(presets.COMMON, (2, 1))), []
    for own_reach_floor in (1, 1e-3):
        solver = AbstractionCFR(merge_states(graph, Recall(1)), own_reach_floor=own_reach_floor)
        for _ in range(100):
            solver.step()
        measures.append(certify(StrategyProfile(*solver.average_strategy())).exploitability)
    assert measures[1] < measures[0] / 2  # 0.13 and 0.04


# --- stopping ---------------------------------------------------------------------------------


def test_stops_where_imperfect_recall_sets_a_limit():
    result = solve_abstraction(COMMON_2V2, Recall(1), limits=Limits(target=1e-3))
    assert result.stop is StopReason.ABSTRACTION_LIMIT
    assert result.iterations < DEFAULT_ITERATIONS
    assert result.is_traversed


def test_stops_at_the_iteration_limit_and_is_the_same_again():
    one, again = (
        solve_abstraction(
            PERUDO_2V1,
            Recall(2),
            limits=Limits(target=0, max_iterations=7),
            options=AbstractionOptions(n_threads=n),
        )
        for n in (1, 2)
    )
    assert one.stop is StopReason.ITERATION_LIMIT
    assert one.iterations == 7
    assert is_equal(one.strategy, again.strategy)
    assert isinstance(one.tree, PublicTree)
    for side, children in zip(one.strategy, one.tree.children, strict=True):
        assert side.dtype == np.float32
        assert side.shape[0] == children.size


def test_stops_at_the_time_limit():
    result = solve_abstraction(PERUDO_2V1, Recall(2), limits=Limits(target=0, max_seconds=1e-9))
    assert (result.stop, result.iterations) == (StopReason.TIME_LIMIT, 1)


def test_progress_tells_the_exploitability_in_the_full_game():
    seen = []
    solve_abstraction(
        PERUDO_2V1,
        Recall(2),
        limits=Limits(target=0, max_iterations=20),
        callbacks=Callbacks(on_progress=seen.append),
    )
    assert [p.iteration for p in seen] == sorted({p.iteration for p in seen})
    assert seen[-1].iteration == 20
    assert seen[-1].distance < seen[0].distance
    assert seen[-1].n_states == merge_states(PERUDO_2V1, Recall(2)).n_states


def test_without_a_complete_traversal_the_result_says_so():
    result = solve_abstraction(
        PERUDO_2V1,
        Recall(2),
        limits=Limits(target=0, max_iterations=5),
        options=AbstractionOptions(max_visits=3),
    )
    assert result.is_traversed is False


def test_an_interrupt_keeps_what_was_reached():
    def interrupt(_progress):
        raise KeyboardInterrupt

    result = solve_abstraction(
        PERUDO_2V1, Recall(2), limits=Limits(target=0), callbacks=Callbacks(on_progress=interrupt)
    )
    assert result.stop is StopReason.INTERRUPTED
    assert result.is_traversed


def test_memory_is_counted_before_it_is_taken():
    tree = merge_states(PERUDO_2V1, Recall(2))
    needed = estimate_bytes(tree, np.float32, None, 1)
    result = solve_abstraction(
        PERUDO_2V1,
        Recall(2),
        limits=Limits(target=0, max_iterations=1, max_memory=needed),
        options=AbstractionOptions(n_threads=1),
    )
    assert needed / 2 < result.peak_memory_mb * 1e6 <= needed
    with pytest.raises(GameTooLargeError, match=r"recall 2 .* with 2,1 dice needs .* fewer bids"):
        solve_abstraction(
            PERUDO_2V1,
            Recall(2),
            limits=Limits(max_memory=needed - 1),
            options=AbstractionOptions(n_threads=1),
        )


@pytest.mark.parametrize("name", ["max_iterations", "max_seconds", "max_memory"])
def test_limits_are_more_than_nothing(name):
    with pytest.raises(InputError, match=f"{name} must be more than 0, got 0"):
        solve_abstraction(COMMON_1V1, Recall(1), limits=Limits(**{name: 0}))


def test_options_are_more_than_nothing():
    with pytest.raises(InputError, match="max_visits must be more than 0, got 0"):
        AbstractionOptions(max_visits=0)
    with pytest.raises(InputError, match="n_threads is a whole number of 1 or more, got 0"):
        AbstractionOptions(n_threads=0)


def test_the_target_is_not_negative():
    with pytest.raises(InputError, match="exploitability of 0 or more, got -1"):
        solve_abstraction(COMMON_1V1, Recall(1), limits=Limits(target=-1))

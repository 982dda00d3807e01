"""Players who do not jump far, against a slow translation that lists the histories they know."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve.game import (
    Abstraction,
    MaxJump,
    Recall,
    StrategyProfile,
    check_tree,
    measure_merged_states,
    merge_states,
)
from liarsolve.rules import Bid
from liarsolve.solvers import CFR, AbstractionCFR, certify, measure_in_full_game, normalise_strategy
from liarsolve.solvers.imperfect_recall.full_game_profile import (
    join_entries,
    measure_profile_in_full_game,
)
from liarsolve.solvers.two_player.best_response import InitialPolicy, initial_actions
from oracle.more_sides import MoreSides
from oracle.two_sides import TILTED, TILTED_ROUNDS, TwoSides, plain, small_rounds
from reference.short_jumps import ShortJumpCFR, ShortJumps

ROUNDS = {
    "common": TwoSides({"faces": 3}, (2, 1)),
    "wild lock": TwoSides({"faces": 3, "wild": "ones", "wild_until": "any_ones_bid"}, (1, 1)),
    "half rule, exact call": TwoSides(
        {"faces": 3, "wild": "ones", "ones_slot": "after_2n", "open_ones": "no"}, (2, 1)
    ),
    "palifico": TwoSides({"faces": 3, "wild": "ones"}, (1, 2), palifico=True),
    "three players": MoreSides(
        {"faces": 2, "wild": "ones", "wild_until": "any_ones_bid"}, (1, 1, 1)
    ),
    "four players": MoreSides({"faces": 2}, (1, 1, 1, 1)),
}


def translate(sides, abstraction):
    order = [plain(bid) for bid in sides.round.bids]
    return ShortJumps(sides.game, order, abstraction.max_jump, abstraction.recall)


def states_by_history(tree):
    """Where every sequence of legal bids leads."""
    legal, found, waiting = tree.every_raise, {}, [((), 0)]
    while waiting:
        history, state = waiting.pop()
        found[history] = state
        node = legal.node[state]
        for k, action in enumerate(legal.graph.actions(node)):
            if isinstance(action, Bid):
                child = legal.children[legal.graph.player[node]][legal.first_edge[state] + k]
                assert child > state
                waiting.append(((*history, plain(action)), int(child)))
    return found


def check_states(sides, abstraction):
    """Make sure that states are what is left of a history; return how many are known."""
    tree, jumps = merge_states(sides.graph, abstraction), translate(sides, abstraction)
    check_tree(tree)
    kinds, known = {}, set()
    for history, state in states_by_history(tree).items():
        reading = jumps.reading(history)
        kind = jumps.kind(history, reading) if history else ()
        assert kinds.setdefault(state, (kind, reading)) == (kind, reading)
        actions = [plain(action) for action in tree.graph.actions(tree.node[state])]
        raises = [a for a in actions if isinstance(a, tuple)]
        assert raises == [a for a in jumps.known_actions(history) if isinstance(a, tuple)]
        assert set(actions) == set(jumps.known_actions(history))
        if not history or reading in jumps.known[kind]:
            known.add(state)
    assert sorted(kinds) == list(range(tree.n_states))
    assert len(set(kinds.values())) == tree.n_states
    return tree, known


@pytest.mark.parametrize("recall", [None, 1, 2, 3])
@pytest.mark.parametrize("max_jump", [1, 2, 3])
@pytest.mark.parametrize("sides", ROUNDS.values(), ids=ROUNDS)
def test_every_history_leads_where_the_reference_reads_it(sides, recall, max_jump):
    abstraction = Abstraction(recall=recall, max_jump=max_jump)
    tree, known = check_states(sides, abstraction)
    assert measure_merged_states(sides.graph, abstraction).n_states == len(known)
    assert len(known) <= tree.n_states


@settings(max_examples=60, deadline=None)
@given(
    sides=small_rounds(),
    recall=st.none() | st.integers(1, 4),
    max_jump=st.integers(1, 6),
)
def test_any_rules_lead_where_the_reference_reads_them(sides, recall, max_jump):
    abstraction = Abstraction(recall=recall, max_jump=max_jump)
    tree, known = check_states(sides, abstraction)
    assert measure_merged_states(sides.graph, abstraction).n_states == len(known)
    assert len(known) <= tree.n_states


# --- what strategies learn, and what they cost -------------------------------------------------

MEASURED = TILTED_ROUNDS | {
    "palifico": TwoSides({"faces": 3, "wild": "ones"}, (1, 2), palifico=True, to_caller=TILTED),
}
ROUNDING = 1e-9


def by_history(tree, strategy):
    """Policies at every legal history, as the reference keeps them."""
    graph, table = tree.graph, {}
    for history, state in states_by_history(tree).items():
        node, first = tree.node[state], tree.first_edge[state]
        player = int(graph.player[node])
        for h, hand in enumerate(graph.hands[player]):
            table[player, hand, history] = {
                plain(action): strategy[player][first + k, h]
                for k, action in enumerate(graph.actions(node))
            }
    return table


@pytest.mark.parametrize("abstraction", [MaxJump(1), Recall(2) & MaxJump(2), MaxJump(3)], ids=str)
@pytest.mark.parametrize("sides", MEASURED.values(), ids=MEASURED)
def test_short_jumps_go_through_the_averages_of_the_reference(sides, abstraction):
    tree = merge_states(sides.graph, abstraction)
    solver = AbstractionCFR(
        tree, sides.payoffs, CFR, initial=InitialPolicy.UNIFORM, own_reach_floor=1
    )
    reference = ShortJumpCFR(sides.game, translate(sides, abstraction))
    for _ in range(6):
        solver.step()
        reference.iterate()
    tree, strategy = solver.average_strategy()
    table = by_history(tree, strategy)
    for player, hand, history in table:
        expected = reference.average(player, hand, history)
        assert table[player, hand, history] == pytest.approx(expected, abs=ROUNDING)
    measured = measure_in_full_game(
        StrategyProfile(tree, strategy, sides.payoffs), max_visits=10**6
    )
    best = [float(sides.game.best_response_value(player, reference.average)) for player in range(2)]
    assert measured.certificate.br_values == pytest.approx(best, abs=ROUNDING)
    assert measured.is_complete


@settings(max_examples=25, deadline=None)
@given(
    sides=small_rounds(),
    recall=st.none() | st.integers(1, 3),
    max_jump=st.integers(1, 5),
    seed=st.integers(0, 99),
)
def test_any_strategy_costs_what_the_reference_finds(sides, recall, max_jump, seed):
    tree = merge_states(sides.graph, Abstraction(recall=recall, max_jump=max_jump))
    rng = np.random.default_rng(seed)
    weights = tuple(
        rng.integers(1, 5, (children.size, n)).astype(np.float64)
        for children, n in zip(tree.children, sides.graph.n_hands, strict=True)
    )
    defaults = initial_actions(tree.graph, InitialPolicy.UNIFORM)
    strategy = normalise_strategy(tree, weights, defaults)
    table = by_history(tree, strategy)
    best = [float(sides.game.best_response_value(player, table)) for player in range(2)]
    measured = measure_in_full_game(
        StrategyProfile(tree, strategy, sides.payoffs), max_visits=10**6
    )
    assert measured.certificate.br_values == pytest.approx(best, abs=1e-8)


def test_a_responder_gains_by_bids_that_the_others_do_not_think_of():
    """Whoever raises by one bid at a time is beaten by far jumps, and by nothing else."""
    sides = TwoSides({"faces": 3}, (2, 1))
    tree = merge_states(sides.graph, MaxJump(1))
    solver = AbstractionCFR(tree, sides.payoffs)
    for _ in range(500):
        solver.step()
    tree, strategy = solver.average_strategy()
    within = certify(StrategyProfile(replace(tree, legal=None), strategy, sides.payoffs))
    true = measure_in_full_game(
        StrategyProfile(tree, strategy, sides.payoffs), max_visits=10**6
    ).certificate
    assert within.exploitability < 0.002
    assert true.exploitability > within.exploitability + 0.02
    table = by_history(tree, strategy)
    best = [float(sides.game.best_response_value(player, table)) for player in range(2)]
    assert true.br_values == pytest.approx(best, abs=ROUNDING)


def test_a_cap_above_all_bids_changes_no_bit():
    sides = MEASURED["wild lock"]
    found = []
    for abstraction in (Recall(2), Recall(2) & MaxJump(6)):
        tree = merge_states(sides.graph, abstraction)
        solver = AbstractionCFR(tree, sides.payoffs, n_drawn=2, seed=3)
        for _ in range(20):
            solver.step()
        tree, strategy = solver.average_strategy()
        measured = measure_in_full_game(
            StrategyProfile(tree, strategy, sides.payoffs), max_visits=10**6
        )
        found.append((strategy, measured))
    (strategy, measured), (capped, same) = found
    assert same == measured
    assert all(np.array_equal(p, q) for p, q in zip(strategy, capped, strict=True))


# --- more players -----------------------------------------------------------------------------

TABLES = {
    "common": MoreSides({"faces": 2}, (1, 1, 1)),
    "two dice": MoreSides({"faces": 2}, (1, 2, 1)),
    "wild lock, exact call": MoreSides(
        {"faces": 2, "wild": "ones", "wild_until": "any_ones_bid", "exact_who": "next"}, (1, 1, 1)
    ),
    "four players": MoreSides({"faces": 2}, (1, 1, 1, 1)),
}


@pytest.mark.parametrize("abstraction", [MaxJump(1), Recall(2) & MaxJump(2)], ids=str)
@pytest.mark.parametrize("sides", TABLES.values(), ids=TABLES)
def test_a_table_of_short_jumps_costs_what_the_reference_finds(sides, abstraction):
    tree = merge_states(sides.graph, abstraction)
    solver = AbstractionCFR(
        tree, sides.payoffs, CFR, initial=InitialPolicy.UNIFORM, own_reach_floor=1
    )
    reference = ShortJumpCFR(sides.game, translate(sides, abstraction))
    for _ in range(3):
        solver.step()
        reference.iterate()
    tree, strategy = solver.average_strategy()
    table = by_history(tree, strategy)
    for player, hand, history in table:
        expected = reference.average(player, hand, history)
        assert table[player, hand, history] == pytest.approx(expected, abs=ROUNDING)
    measured = measure_profile_in_full_game(
        tree, join_entries(strategy), sides.payoffs, max_visits=10**6
    )
    players = range(len(sides.dice))
    best = [float(sides.game.best_response_value(p, reference.average)) for p in players]
    assert measured.certificate.br_values == pytest.approx(best, abs=ROUNDING)
    values = [float(v) for v in sides.game.expected_values(table)]
    assert measured.certificate.values == pytest.approx(values, abs=ROUNDING)


@pytest.mark.parametrize("abstraction", [MaxJump(1), Recall(2) & MaxJump(2)], ids=str)
def test_two_players_are_measured_alike_at_the_table(abstraction):
    sides = MEASURED["wild lock"]
    tree = merge_states(sides.graph, abstraction)
    solver = AbstractionCFR(tree, sides.payoffs)
    for _ in range(10):
        solver.step()
    tree, strategy = solver.average_strategy()
    entries = join_entries(strategy)
    table = measure_profile_in_full_game(tree, entries, sides.payoffs, max_visits=10**6)
    pair = measure_in_full_game(StrategyProfile(tree, strategy, sides.payoffs), max_visits=10**6)
    # sums of the same terms in another order
    assert table.certificate.br_values == pytest.approx(pair.certificate.br_values, abs=1e-12)

import json

import numpy as np
import pytest

from liarsolve.claims import MULTIPLICITY
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import GameTooLargeError, InputError, InputTypeError, RuleError
from liarsolve.game.cup.graph import build_cup_graph
from liarsolve.game.cup.memory import PERFECT_RECALL, SINCE_HELD, CupMemory
from liarsolve.rules import CHALLENGE, CupMove, CupRound, CupRules, Keep, presets
from liarsolve.rules.cup.game import loser_pays, winner_takes
from liarsolve.solvers import (
    VARIANTS,
    Callbacks,
    CupCFROptions,
    Limits,
    StopReason,
    measure_cup,
    solve_cup_cfr,
)
from liarsolve.solvers.cup import _cfr_kernels as kernels
from liarsolve.solvers.cup.cfr import CupCFR

COINS = CupRules(name="coins", equipment=Equipment.dice(2, 2), ranking=MULTIPLICITY)
DIE = CupRules(name="die", equipment=Equipment.dice(1, 3), ranking=MULTIPLICITY)
COIN = CupRules(name="coin", equipment=Equipment.dice(1, 2), ranking=MULTIPLICITY)
BLIND = {"blind_pass": "any", "claim_detail": "prefix", "nothing_claims": "prefix"}


# --- what comes out ------------------------------------------------------------------------------


def test_result_of_two_players_has_a_bracket():
    result = solve_cup_cfr(COINS.replace(**BLIND), limits=Limits(target=1e-3))
    low, high = result.value_bounds
    assert low <= 3 / 8 <= high  # 2 * 11/16 - 1
    assert high - low == pytest.approx(2 * result.exploitability, abs=1e-11)
    assert result.exploitability == result.nash_conv / 2 <= 1e-3
    assert result.stop is StopReason.CONVERGED
    assert result.values[0] == pytest.approx(-result.values[1], abs=1e-12)
    assert low <= result.values[0] <= high
    assert (result.method, result.table.n_players) == ("predictive+", 2)
    assert 0 < result.n_states < result.n_nodes
    assert result.peak_memory_mb > 0


def test_result_of_three_players_has_no_bracket():
    result = solve_cup_cfr(COINS, 3, limits=Limits(target=1e-3))
    assert result.value_bounds is None
    assert result.exploitability is None
    assert result.nash_conv <= 3e-3
    assert sum(result.values) == pytest.approx(0, abs=1e-12)
    assert len(result.measure.br_values) == 3


def test_results_are_written_for_programs_and_people():
    result = solve_cup_cfr(COINS, 3, limits=Limits(max_iterations=20, target=0))
    written = json.loads(json.dumps(result.to_dict()))
    assert CupRules.from_dict(written["rules"]) == COINS
    assert (written["players"], written["stop"]) == (3, "iteration_limit")
    assert written["memory"] == {"since_held": True, "n_claims": None, "n_moves": None}
    assert written["nash_conv"] == result.nash_conv
    assert written["value_bounds"] is written["exploitability"] is None
    assert written["approximations"] == list(result.approximations)
    assert repr(result).startswith(
        "CupCFRResult(rules='coins', players=3, memory='since the cup was last held', values=("
    )
    assert repr(result).endswith("stop=ITERATION_LIMIT)")
    unmeasured = solve_cup_cfr(
        COINS, 3, limits=Limits(max_iterations=1), options=CupCFROptions(max_response_nodes=20)
    )
    assert "nash_conv=not measured" in repr(unmeasured)


def test_the_first_of_three_with_a_coin_is_safe():
    """He says 1, which is true; whoever accepts it must say 2, which must be challenged."""
    result = solve_cup_cfr(COIN, 3, limits=Limits(target=1e-4))
    assert result.values[0] == pytest.approx(1 / 2, abs=result.nash_conv + 1e-12)
    assert result.values[1] + result.values[2] == pytest.approx(-result.values[0], abs=1e-12)


def test_the_first_of_two_with_a_coin_wins_three_times_in_four():
    low, high = solve_cup_cfr(COIN, limits=Limits(target=1e-5)).value_bounds
    assert low <= 1 / 2 <= high


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_finds_the_value(name):
    result = solve_cup_cfr(
        COINS, limits=Limits(target=5e-3), options=CupCFROptions(variant=VARIANTS[name])
    )
    low, high = result.value_bounds
    assert (result.method, result.stop) == (name, StopReason.CONVERGED)
    assert low <= 3 / 8 <= high


@pytest.mark.parametrize("n_players", [2, 3])
def test_results_are_equal_to_the_bit(n_players):
    first, second = (
        solve_cup_cfr(COINS.replace(**BLIND), n_players, limits=Limits(max_iterations=30, target=0))
        for _ in range(2)
    )
    assert np.array_equal(first.strategy.action_probs, second.strategy.action_probs)
    assert first.measure == second.measure


def test_progress_is_told():
    told = []
    result = solve_cup_cfr(
        COINS, limits=Limits(target=1e-3), callbacks=Callbacks(on_progress=told.append)
    )
    assert [p.iteration for p in told] == sorted({p.iteration for p in told})
    assert told[-1].iteration == result.iterations
    assert told[-1].nash_conv == result.nash_conv
    assert told[-1].seconds_left == 0
    assert {(p.target, p.n_states) for p in told} == {(1e-3, result.n_states)}


def test_iterations_and_time_are_limits():
    result = solve_cup_cfr(COINS, limits=Limits(target=0, max_iterations=7))
    assert (result.iterations, result.stop) == (7, StopReason.ITERATION_LIMIT)
    assert (
        solve_cup_cfr(COINS, limits=Limits(target=0, max_seconds=0.01)).stop
        is StopReason.TIME_LIMIT
    )


def test_an_interrupt_ends_with_what_there_is():
    def interrupt(progress):
        if progress.iteration > 5:
            raise KeyboardInterrupt

    result = solve_cup_cfr(
        COINS,
        limits=Limits(target=0, max_iterations=100),
        callbacks=Callbacks(on_progress=interrupt),
    )
    assert result.stop is StopReason.INTERRUPTED
    assert 5 < result.iterations < 100
    assert result.nash_conv > 0


# --- what is approximate -------------------------------------------------------------------------


def test_what_cannot_be_measured_is_not_said_to_be():
    result = solve_cup_cfr(
        COINS, 3, limits=Limits(max_iterations=50), options=CupCFROptions(max_response_nodes=20)
    )
    assert result.nash_conv is result.exploitability is result.value_bounds is None
    assert result.measure.br_values is None
    assert sum(result.values) == pytest.approx(0, abs=1e-12)
    assert result.approximations[0].startswith("how far the strategies are from an equilibrium was")


@pytest.mark.parametrize("n_players", [2, 3])
def test_what_is_left_out_counts_in_full_against_the_strategies(n_players):
    rules = CupRules(equipment=Equipment.dice(3, 2), ranking=MULTIPLICITY)
    result = solve_cup_cfr(rules, n_players, limits=Limits(max_iterations=30, target=0))
    exact = result.measure
    assert exact.left_out == 0
    for threshold in (1e-4, 1e-3, 1e-2):
        pruned = measure_cup(result.strategy, max_response_nodes=800, threshold=threshold)
        assert pruned.left_out > 0
        assert pruned.values == pytest.approx(exact.values, abs=1e-12)
        for best, upper in zip(exact.br_values, pruned.br_values, strict=True):
            # Payoffs lie between -1 and 1.
            assert best - 1e-12 <= upper <= best + 2 * pruned.left_out + 1e-12
    assert pruned.nash_conv > exact.nash_conv


def test_a_round_that_does_not_fit_is_measured_in_part():
    rules = CupRules(name="coins", equipment=Equipment.dice(3, 2), ranking=MULTIPLICITY)
    result = solve_cup_cfr(
        rules,
        limits=Limits(target=2e-3, max_iterations=1_000),
        options=CupCFROptions(max_response_nodes=700),
    )
    assert result.stop is StopReason.CONVERGED
    assert result.measure.left_out > 0
    low, high = result.value_bounds
    assert low <= 2 * 59 / 96 - 1 <= high
    assert result.approximations[1].startswith("that is an upper bound: what is reached with a")


def test_what_does_not_fit_even_so_cannot_be_measured():
    result = solve_cup_cfr(COINS, limits=Limits(max_iterations=5))
    with pytest.raises(GameTooLargeError) as caught:
        measure_cup(result.strategy, max_response_nodes=45)
    assert str(caught.value) == (
        "coins with 2 players has more than max_response_nodes=45 nodes with perfect "
        "recall; raise it, or the threshold"
    )


def test_without_a_measure_something_else_must_end_the_work():
    with pytest.raises(InputError) as caught:
        solve_cup_cfr(COINS, options=CupCFROptions(max_response_nodes=20))
    assert str(caught.value) == (
        "coins with 2 players has more than max_response_nodes=20 nodes, so that the target may "
        "never be measured; give max_iterations or max_seconds"
    )


def test_approximations_are_named():
    two = solve_cup_cfr(COINS, limits=Limits(max_iterations=5)).approximations
    assert len(two) == 1
    assert "measured by best responses with perfect recall" in two[0]
    short = CupMemory(n_claims=1, n_moves=0)
    three = solve_cup_cfr(
        COINS, 3, limits=Limits(max_iterations=5), options=CupCFROptions(memory=short)
    ).approximations
    assert three[1] == ("the strategies go by this alone, an abstraction: the last claim, no moves")
    assert three[2].startswith("with three or more players")
    blind = COINS.replace(blind_pass="any")
    assert len(solve_cup_cfr(blind, limits=Limits(max_iterations=5)).approximations) == 2
    exact = solve_cup_cfr(
        blind, limits=Limits(max_iterations=5), options=CupCFROptions(memory=PERFECT_RECALL)
    )
    assert len(exact.approximations) == 1


def test_a_player_who_remembers_too_little_can_be_exploited():
    rules = CupRules(equipment=Equipment.dice(2, 3), ranking=MULTIPLICITY)
    short = CupMemory(since_held=True, n_claims=1, n_moves=0)
    poor = solve_cup_cfr(
        rules, limits=Limits(max_iterations=200, target=1e-3), options=CupCFROptions(memory=short)
    )
    rich = solve_cup_cfr(rules, limits=Limits(max_iterations=200, target=1e-3))
    assert poor.n_states < rich.n_states
    # Who does not know how many dice were thrown cannot tell when a claim is due to be true.
    assert rich.exploitability <= 1e-3
    assert poor.exploitability > 0.03
    low, high = poor.value_bounds
    assert low <= 2 * 421 / 648 - 1 <= high


# --- payoffs -------------------------------------------------------------------------------------


def test_between_two_both_payoffs_are_the_same():
    results = [
        solve_cup_cfr(COINS, limits=Limits(max_iterations=20), options=CupCFROptions(payoff=p))
        for p in (loser_pays, winner_takes)
    ]
    assert results[0].measure == results[1].measure


def test_any_payoff_can_be_given():
    result = solve_cup_cfr(
        COINS,
        limits=Limits(target=1e-3),
        options=CupCFROptions(
            payoff=lambda table, outcome: [float(outcome.winner == p) for p in range(2)]
        ),
    )
    assert sum(result.values) == pytest.approx(1)
    assert result.values[0] == pytest.approx(11 / 16, abs=2e-3)
    assert result.value_bounds is None  # not zero-sum


def test_a_round_that_pays_twice_costs_twice():
    """Mia: to concede costs one life, to look at the highest claim and find it true two."""
    table = CupRound(presets.MIA.replace(top_claim="concede_1_or_look_2"), 3)
    ends = {"liar": (2.0 / 2, -2.0, 2.0 / 2), "concede": (1.0 / 2, -1.0, 1.0 / 2)}
    for answer, paid in ends.items():
        outcome = table.outcome(table.state_after(["thrown 21", "21", answer]))
        assert tuple(loser_pays(table, outcome)) == paid
    assert winner_takes(table, outcome) == [1.0, -1.0, 0.0]
    result = solve_cup_cfr(
        presets.MIA.replace(top_claim="concede_1_or_look_2"), limits=Limits(target=5e-3)
    )
    assert result.stop is StopReason.CONVERGED


def test_a_payoff_of_the_wrong_length_is_refused():
    with pytest.raises(InputError) as caught:
        solve_cup_cfr(COINS, 3, options=CupCFROptions(payoff=lambda table, outcome: [1.0, -1.0]))
    assert str(caught.value) == (
        "the payoff must have one number for each of the 3 players, got (1.0, -1.0)"
    )


# --- asking --------------------------------------------------------------------------------------


def test_policies_are_laws_over_what_may_be_done():
    result = solve_cup_cfr(COINS.replace(**BLIND), limits=Limits(target=1e-3))
    table = result.table
    for actions in (["thrown 12"], ["thrown 12", "2"], ["thrown 12", "2", "accept"]):
        state = table.state_after(actions)
        distribution = result.policy(state)
        assert tuple(distribution) == table.legal_actions(state)
        assert sum(distribution.values()) == pytest.approx(1)
        assert distribution == result.strategy.policy(state)


def test_policies_of_a_coin_are_those_of_the_equilibrium():
    result = solve_cup_cfr(COIN, limits=Limits(target=1e-4))
    two = result.table.state_after(["thrown 2"])
    assert max(result.policy(two).values()) > 0.95  # he says 2, and is right
    after_two = result.table.state_after(["thrown 2", "2"])
    assert result.policy(after_two) == {CHALLENGE: 1.0}
    looking = result.table.state_after(["thrown 1", "1", "accept"])
    assert result.policy(looking)[Keep(())] > 0.95  # a 1 kept would be seen through


def test_nobody_is_asked_while_dice_fall():
    result = solve_cup_cfr(COIN, limits=Limits(max_iterations=1))
    with pytest.raises(InputError) as caught:
        result.policy(result.table.initial_state())
    assert str(caught.value) == (
        "nobody has to act: a throw has to come out, or the round is over; give a state "
        "in which a player decides"
    )


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"raise_rule": "equal_or_higher"},
            "raise_rule=equal_or_higher lets a round go on for ever, which cannot be unrolled; "
            "use raise_rule=higher",
        ),
        (
            {"blind_pass": "any", "blind_claim": "same"},
            "blind_claim=same lets a round go on for ever, which cannot be unrolled; "
            "use blind_claim=higher",
        ),
    ],
)
def test_endless_rounds_are_refused(options, message):
    with pytest.raises(RuleError) as caught:
        solve_cup_cfr(COINS.replace(**options))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"target": -1}, "target is the mean gain of a player of 0 or more, got -1"),
        ({"max_iterations": 0}, "max_iterations must be more than 0, got 0"),
        ({"max_memory": 1e9}, "a cup game is limited by max_nodes, not by max_memory, got 1e+09"),
        (
            {"target": 0},
            "target 0 is never reached exactly; give max_iterations or max_seconds too",
        ),
    ],
)
def test_limits_that_make_no_sense_are_refused(limits, message):
    with pytest.raises(InputError) as caught:
        solve_cup_cfr(COINS, limits=Limits(**limits))
    assert str(caught.value) == message


@pytest.mark.parametrize("name", ["max_nodes", "max_response_nodes"])
def test_a_round_has_nodes(name):
    with pytest.raises(InputError, match=f"^{name} must be more than 0, got 0$"):
        CupCFROptions(**{name: 0})


def test_a_memory_is_a_memory():
    with pytest.raises(InputTypeError) as caught:
        solve_cup_cfr(COINS, options=CupCFROptions(memory="everything"))
    assert str(caught.value) == "memory is a CupMemory such as SINCE_HELD, got 'everything'"


def test_large_rounds_are_refused():
    with pytest.raises(GameTooLargeError) as caught:
        solve_cup_cfr(presets.BOX, 3, options=CupCFROptions(max_nodes=5_000))
    assert str(caught.value) == (
        "box with 3 players and these memories has more than 5000 nodes; remember less, take "
        "fewer dice or faces, or raise max_nodes"
    )


def test_each_player_needs_a_memory():
    with pytest.raises(InputError) as caught:
        build_cup_graph(CupRound(COINS, 3), [SINCE_HELD] * 2)
    assert str(caught.value) == "each of the 3 players needs a memory, got 2"


# --- the graph -----------------------------------------------------------------------------------


def traverse(table, memory):
    """Information sets of the round as its rules tell them, with the actions."""
    found = {}
    waiting = [table.initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal:
            continue
        actions = table.legal_actions(state)
        player = table.to_act(state)
        if player is not None and len(actions) > 1:
            found[player, state.phase, table.view(state, player)] = len(actions)
        waiting += [table.next_state(state, action) for action in actions]
    return found


@pytest.mark.parametrize("n_players", [2, 3])
@pytest.mark.parametrize(
    "rules",
    [
        DIE,
        COINS,
        DIE.replace(blind_pass="any"),
        COINS.replace(announce_count=False),
        COINS.replace(look="optional"),
        presets.LIAR_DIE.replace(faces=4),
    ],
    ids=lambda rules: rules.name,
)
def test_with_perfect_recall_information_sets_are_what_players_see(rules, n_players):
    table = CupRound(rules, n_players)
    _, infosets = build_cup_graph(table, [PERFECT_RECALL] * n_players)
    seen = traverse(table, PERFECT_RECALL)
    assert len(infosets.player) == len(seen)
    assert infosets.first[-1] == sum(seen.values())


@pytest.mark.parametrize("memory", [PERFECT_RECALL, SINCE_HELD], ids=str)
def test_edges_lead_forward_and_chances_sum_to_one(memory):
    graph, infosets = build_cup_graph(CupRound(COINS.replace(**BLIND), 3), [memory] * 3)
    for node in range(graph.n_nodes):
        edges = slice(graph.edge_start[node], graph.edge_start[node + 1])
        assert min(graph.child[edges]) > node
        if graph.player[node] < 0:
            assert sum(graph.prob[edges]) == pytest.approx(1)
        else:
            place = infosets.first.index(graph.action[node])
            assert infosets.player[place] == graph.player[node]
            assert len(graph.child[edges]) == infosets.first[place + 1] - infosets.first[place]
    assert graph.level_start[-1] == graph.n_nodes
    assert not graph.child.flags.writeable


def test_a_memory_makes_the_graph_smaller():
    table = CupRound(COINS.replace(**BLIND), 3)
    sizes = [
        build_cup_graph(table, [memory] * 3)[0].n_nodes
        for memory in (PERFECT_RECALL, SINCE_HELD, CupMemory(since_held=True, n_claims=1))
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 3


def test_kernels_compile_once():
    solve_cup_cfr(COINS.replace(**BLIND), 3, limits=Limits(max_iterations=3))
    graph, infosets = build_cup_graph(CupRound(COINS), [SINCE_HELD] * 2)
    CupCFR(graph, infosets, VARIANTS["predictive+"]).step()
    names = ("reach_nodes", "regret_nodes", "update_infosets", "respond", "normalise_infosets")
    compiled = [getattr(kernels, name) for name in names]
    if hasattr(compiled[0], "signatures"):
        assert {k.__name__: len(k.signatures) for k in compiled} == dict.fromkeys(names, 1)


def test_moves_of_the_library_are_those_of_the_graph():
    result = solve_cup_cfr(COINS.replace(**BLIND), 3, limits=Limits(max_iterations=10))
    state = result.table.state_after(["thrown 12", "2", "accept"])
    assert set(result.policy(state)) == {CupMove.LOOK, CupMove.BLIND_PASS}

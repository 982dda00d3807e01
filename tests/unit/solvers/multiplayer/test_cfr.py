"""CFR for any number of players: two are as before, and what the options do with more."""

from itertools import pairwise

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import InputError
from liarsolve.game import (
    Payoffs,
    StrategyProfile,
    check_tree,
    compile_graph,
    measure_complete_tree,
)
from liarsolve.solvers import (
    CFR_PLUS,
    DISCOUNTED_CFR,
    PREDICTIVE_CFR_PLUS,
    CFRSolver,
    MultiplayerCFR,
    ProfileEvaluator,
    certify,
    certify_profile,
    expected_value,
    hand_values,
)
from liarsolve.solvers.multiplayer import growing_tree as tree_module
from liarsolve.solvers.two_player.best_response import InitialPolicy

CALZA_3 = compile_graph(Round(presets.PERUDO.replace(faces=3), (1, 1, 1)))
TWO_DICE = compile_graph(Round(presets.LIARS_DICE.replace(faces=2), (2, 1, 2)))
ROUNDING = 1e-12


def run(
    n_iterations, graph=CALZA_3, threshold=0.0, revisit_period=1, kind=MultiplayerCFR, **options
):
    solver = kind(graph, **options)
    solver.threshold, solver.revisit_period = threshold, revisit_period
    for _ in range(n_iterations):
        solver.step()
    return solver


def bits(tree, strategy):
    return [a.tobytes() for a in (tree.node, tree.first_edge, *tree.children, *strategy)]


# --- two players: the same as the solver for two, but for rounding ----------------------------

DUELS = {
    "common": (presets.COMMON.replace(faces=3), (1, 1), {}),
    "wild lock": (presets.LIARS_DICE.replace(faces=4), (1, 2), {"threshold": 1e-3}),
    "half rule, exact call": (
        presets.PERUDO.replace(faces=3),
        (2, 1),
        {"threshold": 1e-4, "revisit_period": 3, "variant": PREDICTIVE_CFR_PLUS},
    ),
    "uniform start": (
        presets.OPENSPIEL.replace(faces=2),
        (2, 2),
        {"initial": InitialPolicy.UNIFORM, "variant": CFR_PLUS},
    ),
    "single precision": (
        presets.DUDO.replace(faces=3),
        (1, 2),
        {"dtype": np.float32, "revisit_period": 4, "threshold": 1e-4},
    ),
    "payoffs by caller": (
        presets.PERUDO.replace(faces=3),
        (1, 1),
        {"payoffs": Payoffs(bidder_loses=(1.5, 0.5), exact_right=(2.0, 3.0))},
    ),
}


BEFORE_A_TIE = {"common": 6, "wild lock": 3, "half rule, exact call": 3, "payoffs by caller": 30}
"""Iterations after which two solvers, whose sums over hands are taken in different orders, still
agree to rounding: until a regret that should be 0 is a little more in one of them. Elsewhere 1."""


@pytest.mark.parametrize("name", DUELS)
def test_two_players_get_the_same_strategies(name):
    rules, dice, options = DUELS[name]
    graph = compile_graph(Round(rules, dice))
    n_iterations = BEFORE_A_TIE.get(name, 1)
    two = run(n_iterations, graph, kind=CFRSolver, **options)
    many = run(n_iterations, graph, **options)
    (tree, strategy), (many_tree, many_strategy) = two.average_strategy(), many.average_strategy()
    # States may be numbered otherwise, since here all players share one array of edges.
    assert bits(many_tree, ()) == bits(tree, ())
    for one, other in zip(many_strategy, strategy, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=ROUNDING)
    assert many.certify().br_values == pytest.approx(two.certify().br_values, abs=ROUNDING)


@pytest.mark.parametrize("name", DUELS)
def test_two_players_get_equally_far(name):
    rules, dice, options = DUELS[name]
    graph = compile_graph(Round(rules, dice))
    two = run(30, graph, kind=CFRSolver, **options).certify()
    many = run(30, graph, **options).certify()
    assert -two.br_values[1] <= many.br_values[0] + ROUNDING  # the brackets hold the same value
    assert -many.br_values[1] <= two.br_values[0] + ROUNDING
    assert 0.5 < many.nash_conv / two.nash_conv < 2


@pytest.mark.parametrize(("rules", "dice", "options"), DUELS.values(), ids=DUELS)
def test_two_players_get_the_same_values(rules, dice, options):
    tree, strategy = run(10, compile_graph(Round(rules, dice)), **options).average_strategy()
    payoffs = options.get("payoffs", Payoffs())
    certificate = certify_profile(StrategyProfile(tree, strategy, payoffs))
    assert certificate.br_values == certify(StrategyProfile(tree, strategy, payoffs)).br_values
    value = expected_value(StrategyProfile(tree, strategy, payoffs))
    assert certificate.values == pytest.approx((value, -value), abs=ROUNDING)
    profile = ProfileEvaluator(StrategyProfile(tree, strategy, payoffs))
    for player in range(2):
        for best in (False, True):
            expected = hand_values(
                StrategyProfile(tree, strategy, payoffs), player, is_best_response=best
            )
            values = profile.hand_values(player, is_best_response=best)
            assert values.tobytes() == expected.tobytes()


# --- more players -----------------------------------------------------------------------------

THREE = {
    "common": (presets.COMMON.replace(faces=3), (1, 1, 1), False),
    "wild lock": (presets.LIARS_DICE.replace(faces=3), (1, 1, 1), False),
    "exact call": (presets.PERUDO.replace(faces=3), (1, 1, 1), False),
    "palifico": (presets.PERUDO.replace(faces=3), (1, 2, 1), True),
    "four players": (presets.COMMON.replace(faces=3), (1, 1, 1, 1), False),
    "two dice": (presets.COMMON.replace(faces=2), (2, 2, 2), False),
}


@pytest.mark.parametrize(("rules", "dice", "palifico"), THREE.values(), ids=THREE)
def test_small_rounds_come_near_an_equilibrium(rules, dice, palifico):
    """Nothing promises it; it is so in these rounds, and the measure is exact."""
    graph = compile_graph(Round(rules, dice, palifico=palifico))
    solver = run(150, graph, threshold=1e-4, variant=PREDICTIVE_CFR_PLUS)
    certificate = solver.certify(max_visits=10**7)
    assert 0.0 < certificate.nash_conv < 2e-3
    assert sum(certificate.values) == pytest.approx(0.0, abs=ROUNDING)
    assert certificate.nash_conv == pytest.approx(sum(certificate.gains))
    again = certify_profile(StrategyProfile(*solver.average_strategy()))
    assert again.br_values == pytest.approx(certificate.br_values, abs=ROUNDING)


def test_seats_that_never_act_are_worth_the_same():
    """Five players, and two bids of five dice: the first three act, the others only look on."""
    rules = presets.COMMON.replace(faces=2, open_min="n_players")
    graph = compile_graph(Round(rules, (1, 1, 1, 1, 1)))
    assert sorted(set(graph.player.tolist())) == [0, 1, 2]
    certificate = run(20, graph).certify()
    assert certificate.values[3] == certificate.values[4] > 0
    assert certificate.gains[3] == certificate.gains[4] == 1e-12  # nothing but rounding


def test_who_looks_on_is_paid_by_vectors():
    """All pay player 2 whatever happens, so the others have nothing to choose."""
    nothing = ((-1.0, -1.0, 2.0),) * 3
    payoffs = Payoffs(
        bidder_loses=nothing, challenger_loses=nothing, exact_right=nothing, exact_wrong=nothing
    )
    certificate = run(3, payoffs=payoffs).certify()
    assert certificate.values == pytest.approx((-1, -1, 2), abs=ROUNDING)
    assert certificate.nash_conv == pytest.approx(0.0, abs=1e-11)


@pytest.mark.parametrize("graph", [CALZA_3, TWO_DICE], ids=["exact call", "two dice"])
@pytest.mark.parametrize(
    "options",
    [{}, {"variant": PREDICTIVE_CFR_PLUS, "revisit_period": 4}, {"dtype": np.float32}],
    ids=["discounted", "predictive", "single"],
)
def test_two_runs_end_with_the_same_bits(graph, options):
    one, two = (run(25, graph, threshold=1e-4, **options) for _ in range(2))
    assert bits(*one.average_strategy()) == bits(*two.average_strategy())
    assert one.certify() == two.certify()


def test_the_tree_grows_with_lower_thresholds_and_hangs_together():
    solvers = [run(40, TWO_DICE, threshold=threshold) for threshold in (1e-2, 1e-4, 0.0)]
    complete = measure_complete_tree(TWO_DICE).n_states
    assert all(a.n_states < b.n_states for a, b in pairwise(solvers))
    assert solvers[-1].n_states <= complete
    for solver in solvers:
        tree, strategy = solver.average_strategy()
        check_tree(tree)
        children = np.concatenate(tree.children)
        assert sorted(children[children >= 0]) == list(range(1, tree.n_states))
        n_actions = np.diff(tree.graph.action_start)[tree.node]
        for player, policy in enumerate(strategy):
            mine = tree.graph.player[tree.node] == player
            sums = np.add.reduceat(policy, tree.first_edge[mine], axis=0)
            assert sums == pytest.approx(np.ones(sums.shape), abs=1e-12)
            assert n_actions[mine].sum() == policy.shape[0]


def test_growing_step_by_step_gives_the_same_bits(monkeypatch):
    whole = run(20, TWO_DICE)
    monkeypatch.setattr(tree_module, "_FIRST_STATES", 1)
    monkeypatch.setattr(tree_module, "_FIRST_EDGES", 1)
    stepwise = run(20, TWO_DICE)
    assert bits(*whole.average_strategy()) == bits(*stepwise.average_strategy())
    assert stepwise.n_bytes < whole.n_bytes


def test_without_memory_it_goes_on_with_what_it_has(monkeypatch):
    monkeypatch.setattr(tree_module, "_FIRST_STATES", 1)
    monkeypatch.setattr(tree_module, "_FIRST_EDGES", 1)
    whole = run(40, TWO_DICE)
    solver = run(40, TWO_DICE, max_memory=whole.n_bytes / 4)
    assert solver.is_out_of_memory
    assert solver.n_bytes <= whole.n_bytes / 4
    assert 1 < solver.n_states < whole.n_states
    assert solver.certify().nash_conv < 1.0  # less than the default's


def test_what_the_options_change():
    plain = run(20)
    for options in (
        {"threshold": 0.05},
        {"revisit_period": 3},
        {"variant": CFR_PLUS},
        {"initial": InitialPolicy.UNIFORM},
        {"payoffs": Payoffs(exact_right=2.0)},
    ):
        assert bits(*run(20, **options).average_strategy()) != bits(*plain.average_strategy())
    assert plain.variant is DISCOUNTED_CFR


def test_strategies_of_the_wrong_shape_are_refused():
    tree, strategy = run(1).average_strategy()
    with pytest.raises(InputError) as caught:
        certify_profile(StrategyProfile(tree, (strategy[0], strategy[1], strategy[2][:1])))
    n_edges = tree.children[2].size
    assert str(caught.value) == (
        f"the strategy of player 2 must be float[E, H] = ({n_edges}, 3), got shape (1, 3)"
    )

"""Every kernel is compiled once, or once for each dtype that it reads; more means a drift."""

import importlib
import json
import pkgutil
import subprocess
import sys

import numba
import numpy as np
import pytest

import liarsolve
from liarsolve import Round, presets, solve
from liarsolve.game import (
    Recall,
    SimilarHands,
    StrategyProfile,
    build_complete_tree,
    compile_graph,
    merge_states,
)
from liarsolve.solvers import (
    PREDICTIVE_CFR_PLUS,
    AbstractionCFR,
    CFRSolver,
    Limits,
    MultiplayerCFR,
    certify,
    certify_profile,
    expected_value,
    measure_in_full_game,
    measure_lower_bound,
    solve_cfr,
    solve_lp,
    values_against,
)
from liarsolve.solvers.two_player.best_response import InitialPolicy
from liarsolve.strategy import Strategy, warm_up

STORED = {
    "two_player._pass_kernels.cfr_pass",
    "two_player._pass_kernels.match_regrets",
    "two_player._pass_kernels.settle",
    "two_player._bound_kernels.bound_response",
    "two_player._traversal_kernels.evaluate",
    "two_player._traversal_kernels.normalise",
    "multiplayer._traversal_kernels.cfr_pass",
    "multiplayer._traversal_kernels.evaluate",
    "imperfect_recall._opponent_kernels.reach_down",
    "imperfect_recall._cfr_kernels.average_down",
    "imperfect_recall._cfr_kernels.clear_chance",
    "imperfect_recall._cfr_kernels.weigh_down",
    "imperfect_recall._cfr_kernels.regret_up",
    "imperfect_recall._class_kernels.merge_classes",
    "imperfect_recall._class_kernels.mark_live",
    "imperfect_recall._value_kernels.values_up",
    "imperfect_recall._response_kernels.believe_down",
    "imperfect_recall._response_kernels.respond_up",
    "imperfect_recall._response_kernels.evaluate_choices",
    "imperfect_recall._response_kernels.play_deals",
}
"""Kernels that read regrets or strategies as they are stored: in float64, and in float32 where a
round is large, since memory decides which rounds can be solved."""


def is_inner(kernel):
    """Whether it is compiled with each of its callers, and read from disk with them."""
    return kernel.targetoptions.get("no_cpython_wrapper", False)


def all_kernels():
    """Kernels that are called from Python."""
    for module in pkgutil.walk_packages(liarsolve.__path__, "liarsolve."):
        if module.name.endswith("_kernels"):
            for name, member in vars(importlib.import_module(module.name)).items():
                if hasattr(member, "signatures") and not is_inner(member):
                    yield f"{'.'.join(module.name.split('.')[-2:])}.{name}", member


def play_a_little(dtype):
    """Everything that walks a tree, in one dtype."""
    graph = compile_graph(Round(presets.PERUDO.replace(faces=2), (2, 1)))
    for initial in InitialPolicy:
        for is_split in (False, True):
            solver = CFRSolver(
                graph,
                variant=PREDICTIVE_CFR_PLUS,
                initial=initial,
                dtype=dtype,
                is_split=is_split,
            )
            for _ in range(3):
                solver.step()
            solver.certify(threshold=1e-6)
            tree, strategy = solver.average_strategy()
            certify(StrategyProfile(tree, strategy))
            expected_value(StrategyProfile(tree, strategy))
            Strategy(tree, strategy, solver.payoffs).advise((1, 2))
    for n_drawn in (None, 2):
        imperfect = AbstractionCFR(merge_states(graph, Recall(1)), dtype=dtype, n_drawn=n_drawn)
        imperfect.step()
        measure_in_full_game(
            StrategyProfile(imperfect.tree, imperfect.weights(), imperfect.payoffs), max_visits=9
        )
        for max_memory in (1.0, 1e9):
            measure_lower_bound(
                StrategyProfile(imperfect.tree, imperfect.weights()),
                n_deals=2,
                max_memory=max_memory,
            )
        Strategy(*imperfect.average_strategy(), imperfect.payoffs).advise((1, 2))
        alike = merge_states(graph, Recall(1) & SimilarHands(1))
        AbstractionCFR(alike, dtype=dtype, n_drawn=n_drawn).step()


def play_a_multiplayer_round(dtype):
    """Everything that walks a tree of more players, in one dtype."""
    for dice in ((1, 2, 1), (1, 1, 1, 1)):
        graph = compile_graph(Round(presets.PERUDO.replace(faces=2), dice))
        solver = MultiplayerCFR(graph, variant=PREDICTIVE_CFR_PLUS, dtype=dtype)
        for _ in range(3):
            solver.step()
        solver.certify(threshold=1e-6)
        tree, strategy = solver.average_strategy()
        certify_profile(StrategyProfile(tree, strategy))
        Strategy(tree, strategy, solver.payoffs).advise((1,))
        for n_drawn in (None, 2):
            imperfect = AbstractionCFR(merge_states(graph, Recall(1)), dtype=dtype, n_drawn=n_drawn)
            imperfect.step()
            tree, strategy = imperfect.average_strategy()
            values_against(StrategyProfile(tree, strategy, imperfect.payoffs), 0, 0, 0)


def count_signatures():
    for dtype in (np.float64, np.float32):
        play_a_little(dtype)
        play_a_multiplayer_round(dtype)
    graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    solve_cfr(graph, limits=Limits(target=0.1))
    solve_lp(graph)
    solve(graph.round.rules, graph.round.dice, target=1e-9).prove()
    build_complete_tree(graph)
    solve(presets.COMMON, (2, 1), target=1e-2)
    solve(presets.COMMON, (2, 1), abstraction=Recall(1), refine=True, max_iterations=20)
    for ask in ("odds", "last_digits", "large_recall", "cup_cfr"):
        getattr(warm_up, f"_ask_{ask}")()
    with_keeping = presets.MIA.replace(rethrow_all=False, look="before_throw")
    for rules, claim in ((presets.LIAR_DIE, "1"), (with_keeping, "31")):
        solve(rules).strategy.probs(offered=claim)
    return {name: len(kernel.signatures) for name, kernel in all_kernels()}


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_each_kernel_compiles_once_for_each_dtype():
    # In a process of its own, so that other tests may call kernels as they like.
    done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True)
    counts = json.loads(done.stdout)
    assert set(counts) >= STORED
    assert counts == {name: 2 if name in STORED else 1 for name in counts}


if __name__ == "__main__":
    print(json.dumps(count_signatures()))

"""Figures printed by OpenSpiel 2.0.2 for ``liars_dice(numdice=1,dice_sides=...)``.

``exploitability.nash_conv`` of its uniform policy, and the exploitability (half of that) of the
average policies of its C++ ``CFRPlusSolver`` and ``CFRSolver`` after 1,000 iterations.

Ours add up the same products in another order, hands before histories. Per sum that is a few units
of 2**-53; over 1,000 iterations they stayed below 1e-9 of the exploitability, which is itself a
small difference of values near 1.
"""

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.game import StrategyProfile, build_complete_tree, compile_graph
from liarsolve.solvers import CFR, CFR_PLUS, CFRSolver, certify
from liarsolve.solvers.two_player.best_response import InitialPolicy, initial_actions

NASH_CONV_OF_UNIFORM_PLAY_SIX_FACES = 1.561488646384479
EXPLOITABILITY_FOUR_FACES = {
    CFR_PLUS.name: (CFR_PLUS, 4.533202689365606e-05),
    CFR.name: (CFR, 1.7271716367856724e-03),
}


def one_die_each(faces):
    return compile_graph(Round(presets.OPENSPIEL.replace(faces=faces), (1, 1)))


def test_uniform_play():
    graph = one_die_each(6)
    tree = build_complete_tree(graph)
    no_weights = tuple(np.zeros((children.size, 6)) for children in tree.children)
    uniform = initial_actions(graph, InitialPolicy.UNIFORM)
    nash_conv = certify(StrategyProfile(tree, no_weights, defaults=uniform)).nash_conv
    assert nash_conv == pytest.approx(NASH_CONV_OF_UNIFORM_PLAY_SIX_FACES, rel=1e-12)


@pytest.mark.parametrize("name", EXPLOITABILITY_FOUR_FACES)
def test_a_thousand_iterations(name):
    variant, expected = EXPLOITABILITY_FOUR_FACES[name]
    solver = CFRSolver(one_die_each(4), variant=variant, initial=InitialPolicy.UNIFORM)
    for _ in range(1000):
        solver.step()
    assert solver.certify().exploitability == pytest.approx(expected, rel=1e-8)

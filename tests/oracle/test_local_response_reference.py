"""Local best responses against a slow traversal of all deals and all histories."""

import numpy as np
import pytest

from liarsolve.game import StrategyProfile
from liarsolve.solvers.imperfect_recall.abstract_response import find_response
from liarsolve.solvers.imperfect_recall.local_response import play_local_response
from oracle.two_sides import TILTED_ROUNDS
from reference.local_response import LocalResponder

N_DEALS = 20_000
MOST_ERRORS = 4.0
"""Standard errors by which one of these twenty means is off once in a thousand suites."""


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("sides", TILTED_ROUNDS.values(), ids=TILTED_ROUNDS)
def test_the_mean_is_what_the_responder_gets_over_all_deals(sides, player):
    table, weights = sides.seeded(5)
    exact = float(LocalResponder(sides.game, player, table).value())
    utilities = play_local_response(
        StrategyProfile(sides.tree, weights, sides.payoffs), player, n_deals=N_DEALS, rng=2
    )
    error = utilities.std(ddof=1) / np.sqrt(N_DEALS)
    assert abs(utilities.mean() - exact) <= MOST_ERRORS * error
    best = float(sides.game.best_response_value(player, table))
    assert exact <= best  # and it is of some use: the test of bounds below would hold for nothing
    assert exact > float(sides.game.expected_value(table)) * (1 - 2 * player)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("sides", TILTED_ROUNDS.values(), ids=TILTED_ROUNDS)
def test_who_forgets_nothing_finds_a_best_response(sides, player):
    table, weights = sides.seeded(7)
    response = find_response(StrategyProfile(sides.tree, weights, sides.payoffs), player)
    best = float(sides.game.best_response_value(player, table))
    value = float(sides.graph.hand_probs[player] @ response.evaluate())
    # Choices go by float32: at each of at most ten turns they may miss 1e-7 of the payoffs of 2.
    assert best - 2e-6 <= value <= best + 1e-12
    guided = play_local_response(
        StrategyProfile(sides.tree, weights, sides.payoffs),
        player,
        n_deals=50,
        rng=0,
        guide=response,
    )
    assert guided == pytest.approx(np.full(50, best), abs=2e-6)  # no luck is left

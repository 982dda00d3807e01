"""Players to whom some hands are alike, against slow traversals of every history and every deal."""

from fractions import Fraction

import pytest

from liarsolve.game import MaxJump, Recall, SimilarHands, StrategyProfile, merge_states
from liarsolve.solvers import CFR, CFR_PLUS, AbstractionCFR, measure_in_full_game
from liarsolve.solvers.imperfect_recall.full_game_profile import measure_profile_in_full_game
from liarsolve.solvers.two_player.best_response import InitialPolicy
from oracle.more_sides import MoreSides
from oracle.test_jump_reference import by_history, translate
from oracle.two_sides import TILTED, TwoSides
from reference.short_jumps import MergedHandsCFR

ROUNDS = {
    "common": TwoSides({"faces": 2}, (3, 1), to_caller=TILTED),
    "wild lock": TwoSides(
        {"faces": 2, "wild": "ones", "wild_until": "any_ones_bid"}, (2, 2), to_caller=TILTED
    ),
    "half rule, exact call": TwoSides(
        {"faces": 2, "wild": "ones", "ones_slot": "after_2n", "exact_who": "next"},
        (1, 3),
        to_caller=TILTED,
    ),
    "palifico": TwoSides({"faces": 3, "wild": "ones"}, (1, 2), palifico=True, to_caller=TILTED),
}
TABLES = {
    "three players": MoreSides({"faces": 2}, (2, 1, 1)),
    "wild lock, exact call": MoreSides(
        {"faces": 2, "wild": "ones", "wild_until": "any_ones_bid", "exact_who": "next"}, (1, 1, 1)
    ),
}
ROUNDING = 1e-9


def step_both(sides, abstraction, n_steps, variant=CFR, own_reach_floor=1.0):
    tree = merge_states(sides.graph, abstraction)
    solver = AbstractionCFR(
        tree, sides.payoffs, variant, initial=InitialPolicy.UNIFORM, own_reach_floor=own_reach_floor
    )
    jumps = translate(sides, abstraction)
    reference = MergedHandsCFR(
        sides.game,
        jumps,
        abstraction.similar_hands,
        plus=variant is CFR_PLUS,
        own_reach_floor=own_reach_floor,
    )
    for _ in range(n_steps):
        solver.step()
        reference.iterate()
    tree, strategy = solver.average_strategy()
    table = by_history(tree, strategy)
    for player, hand, history in table:
        expected = reference.average(player, hand, history)
        assert table[player, hand, history] == pytest.approx(expected, abs=ROUNDING)
    return solver, reference


@pytest.mark.parametrize("variant", [CFR, CFR_PLUS], ids=lambda variant: variant.name)
@pytest.mark.parametrize(
    "abstraction",
    [SimilarHands(1) & Recall(1) & MaxJump(2), SimilarHands(2) & MaxJump(1)],
    ids=str,
)
@pytest.mark.parametrize("own_reach_floor", [0.125, 1.0])
@pytest.mark.parametrize("sides", ROUNDS.values(), ids=ROUNDS)
def test_classes_go_through_the_averages_of_the_reference(
    sides, abstraction, variant, own_reach_floor
):
    solver, reference = step_both(sides, abstraction, 4, variant, own_reach_floor)
    measured = measure_in_full_game(
        StrategyProfile(solver.tree, solver.weights(), sides.payoffs), max_visits=10**6
    )
    best = [float(sides.game.best_response_value(player, reference.average)) for player in range(2)]
    assert measured.certificate.br_values == pytest.approx(best, abs=ROUNDING)


@pytest.mark.parametrize("sides", TABLES.values(), ids=TABLES)
def test_classes_at_a_table_go_through_the_averages_of_the_reference(sides):
    solver, reference = step_both(sides, SimilarHands(1) & Recall(1) & MaxJump(2), 2)
    measured = measure_profile_in_full_game(
        solver.tree, solver.entries, sides.payoffs, max_visits=10**6
    )
    players = range(len(sides.dice))
    best = [float(sides.game.best_response_value(p, reference.average)) for p in players]
    assert measured.certificate.br_values == pytest.approx(best, abs=ROUNDING)


def test_where_all_faces_count_nothing_is_lost():
    """Two counts of three say the third, so that only the highest bids see classes."""
    sides = TwoSides({"faces": 3}, (2, 1), to_caller=(Fraction(1), Fraction(-1), 1, -1))
    measures = []
    for abstraction in (Recall(2), Recall(2) & SimilarHands(2)):
        solver = AbstractionCFR(merge_states(sides.graph, abstraction), sides.payoffs)
        for _ in range(150):
            solver.step()
        measured = measure_in_full_game(
            StrategyProfile(solver.tree, solver.weights(), sides.payoffs), max_visits=10**6
        )
        measures.append(measured.certificate.exploitability)
    assert measures[1] == pytest.approx(measures[0], abs=0.01)
    assert measures[0] < 0.1

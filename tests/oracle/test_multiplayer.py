"""Values, best responses and CFR of three and more players against the slow recursive reference."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve import Round, RuleSet
from liarsolve.errors import RuleError
from liarsolve.game import Start, StrategyProfile
from liarsolve.solvers import CFR, CFR_PLUS
from liarsolve.solvers.multiplayer.cfr import MultiplayerCFR
from liarsolve.solvers.multiplayer.profile import ProfileEvaluator, certify_profile
from liarsolve.solvers.two_player.best_response import InitialPolicy
from oracle.more_sides import MoreSides
from oracle.two_sides import ALL_OPTIONS, histories_of, plain
from reference.bidding import OPTIONS
from reference.multiplayer import TableCFR

SEEDS = st.integers(0, 10**6)
ROUNDING = 1e-12
"""Payoffs of at most 2, chances that sum to 1, paths of at most eleven factors."""
CERTIFIED = 1e-11
"""With what a certificate adds for every player, to be safe from rounding."""


SIZES = [((1, 1, 1), 2), ((1, 1, 1), 3), ((2, 1, 1), 2), ((1, 2, 1), 2), ((1, 1, 1, 1), 2)]
"""Dice and faces with at most nine bids."""


@st.composite
def multiplayer_rounds(draw):
    """Any rules, any payoffs, three or four players with few dice of few faces."""
    dice, faces = draw(st.sampled_from(SIZES))
    palifico = draw(st.booleans())
    options = draw(st.sampled_from(ALL_OPTIONS)) | {
        "faces": faces,
        "palifico_face": draw(st.sampled_from(OPTIONS["palifico_face"])),
    }
    if palifico:  # the rules page gives palifico rounds an order of their own (PE?2)
        options["raise_rule"] = "count_or_face"
    try:
        Round(RuleSet.from_dict(options), dice, palifico=palifico)
    except RuleError:  # with so few dice a bid of open_min may not be there
        options["open_min"] = 1
    # Quarters are exact as floats.
    payoff = st.integers(-8, 8).map(lambda n: Fraction(n, 4))
    vector = st.tuples(*[payoff] * len(dice))
    return MoreSides(
        options=options,
        dice=dice,
        palifico=palifico,
        ex_palifico=draw(st.tuples(*[st.booleans()] * len(dice))),
        paid=draw(st.none() | st.tuples(*[st.tuples(*[vector] * len(dice))] * 4)),
    )


@given(sides=multiplayer_rounds(), seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_values_and_best_responses_agree(sides, seed):
    table, weights = sides.seeded(seed)
    certificate = certify_profile(StrategyProfile(sides.tree, weights, sides.payoffs))
    values = sides.game.expected_values(table)
    best = [sides.game.best_response_value(p, table) for p in range(len(sides.dice))]
    assert certificate.values == pytest.approx([float(v) for v in values], abs=ROUNDING)
    assert certificate.br_values == pytest.approx([float(v) for v in best], abs=ROUNDING)
    exact = float(sides.game.nash_conv(table))
    assert exact <= certificate.nash_conv <= exact + CERTIFIED


@given(sides=multiplayer_rounds(), seed=SEEDS, data=st.data())
@settings(max_examples=15, deadline=None)
def test_values_of_hands_after_some_bids_agree(sides, seed, data):
    table, weights = sides.seeded(seed)
    state = data.draw(st.integers(0, sides.tree.n_states - 1))
    history = histories_of(sides.tree)[state]
    player = data.draw(st.integers(0, len(sides.dice) - 1))
    profile = ProfileEvaluator(StrategyProfile(sides.tree, weights, sides.payoffs))
    expected = [
        float(
            sum(
                prob
                * sides.game.deal_values(
                    (*others[:player], hand, *others[player:]), table, history
                )[player]
                for others, prob in sides.game.other_deals(player).items()
            )
        )
        for hand in sides.game.hands(player)
    ]
    values = profile.hand_values(player, Start(state=state))
    assert values == pytest.approx(expected, abs=ROUNDING)


@given(sides=multiplayer_rounds(), seed=SEEDS, threshold=st.sampled_from([1e-3, 0.02, 0.1]))
@settings(max_examples=15, deadline=None)
def test_what_is_left_out_counts_against_the_strategies(sides, seed, threshold):
    _, weights = sides.seeded(seed)
    whole = certify_profile(StrategyProfile(sides.tree, weights, sides.payoffs))
    for options in ({"threshold": threshold}, {"max_visits": 12}):
        partial = certify_profile(StrategyProfile(sides.tree, weights, sides.payoffs), **options)
        assert np.all(np.subtract(whole.values, partial.values) >= -ROUNDING)
        assert np.all(np.subtract(partial.br_values, whole.br_values) >= -ROUNDING)


TILTED = tuple(
    tuple(tuple(Fraction(n, 16) for n in row) for row in by_caller)
    for by_caller in (
        ((15, 3, -17), (-15, 9, 6), (7, -16, 8)),
        ((-17, 8, 9), (9, -15, 5), (6, 10, -18)),
        ((20, -9, -11), (-8, 17, -10), (-9, -9, 21)),
        ((-9, 4, 5), (3, -8, 4), (2, 5, -10)),
    )
)
"""With payoffs of 1 actions often tie, and then rounding decides what is played next."""
CFR_ROUNDS = {
    "common": MoreSides({"faces": 2}, (1, 1, 1), paid=TILTED),
    "two dice": MoreSides({"faces": 2}, (1, 2, 1), paid=TILTED),
    "wild lock, exact call": MoreSides(
        {"faces": 2, "wild": "ones", "wild_until": "any_ones_bid", "exact_who": "next"},
        (1, 1, 1),
        paid=TILTED,
    ),
    "palifico": MoreSides(
        {"faces": 2, "wild": "ones"},
        (1, 2, 1),
        palifico=True,
        ex_palifico=(False, False, False),
        paid=TILTED,
    ),
}


def by_information_set(tree, strategy):
    """Policies of a solver as the reference keeps them; nothing where there is no state."""
    graph, table = tree.graph, {}
    for state, history in enumerate(histories_of(tree)):
        node, first = tree.node[state], tree.first_edge[state]
        player = int(graph.player[node])
        for h, hand in enumerate(graph.hands[player]):
            table[player, hand, history] = {
                plain(action): strategy[player][first + k, h]
                for k, action in enumerate(graph.actions(node))
            }
    return table


@pytest.mark.parametrize("variant", [CFR, CFR_PLUS], ids=lambda variant: variant.name)
@pytest.mark.parametrize("sides", CFR_ROUNDS.values(), ids=CFR_ROUNDS)
def test_cfr_goes_through_the_same_averages(sides, variant):
    solver = MultiplayerCFR(sides.graph, sides.payoffs, variant, initial=InitialPolicy.UNIFORM)
    reference = TableCFR(sides.game, plus=variant is CFR_PLUS)
    for _ in range(8):
        solver.step()
        reference.iterate()
        table = by_information_set(*solver.average_strategy())
        for key, expected in reference.average_strategy().items():
            # Nobody has to decide anything where there is no state.
            policy = table.get(key, dict.fromkeys(expected, 1 / len(expected)))
            assert policy == pytest.approx(expected, abs=1e-9)

"""Asking a strategy: probabilities, expected values, samples, and what it refuses."""

from dataclasses import replace
from functools import cache
from itertools import islice, product
from math import prod

import numpy as np
import pytest
from scipy.stats import chisquare

from liarsolve import CHALLENGE, EXACT, Bid, Recall, Round, load, presets, solve
from liarsolve.errors import IllegalActionError, InputError, InputTypeError
from liarsolve.game import (
    NO_STATE,
    Payoffs,
    PublicTree,
    compile_graph,
    default_actions,
    measure_complete_tree,
)
from liarsolve.strategy import Advice, Strategy


def histories_of(round_, state=None):
    """Every history at which somebody has to act."""
    state = round_.initial_state() if state is None else state
    yield state.bids
    for action in round_.legal_actions(state):
        if isinstance(action, Bid):
            yield from histories_of(round_, round_.next_state(state, action))


def empty_strategy(rules, dice):
    """A tree with nothing but its first state, and no weights there: the odds decide everything."""
    graph = compile_graph(Round(rules, dice))
    n_openings = int(graph.action_start[1])
    n_edges = (n_openings, 0)
    tree = PublicTree(
        graph,
        np.zeros(1, np.int32),
        np.zeros(1, np.int64),
        tuple(np.full(n, NO_STATE, np.int32) for n in n_edges),
    )
    defaults = default_actions(graph)[0][0]
    opening = (np.arange(n_openings)[:, None] == defaults).astype(np.float64)
    return Strategy(tree, (opening, np.empty((0, graph.n_hands[1]))), Payoffs())


@pytest.fixture(scope="module")
def hasty():
    """Few iterations of a round with a lock, the half rule and an exact call."""
    rules = presets.PERUDO.replace(faces=3, wild_until="any_ones_bid", open_ones="yes")
    return solve(rules, dice=(2, 1), max_iterations=4, target=0, exact_payoff=(2, 0.5))


@pytest.fixture(scope="module")
def good():
    return solve(presets.OPENSPIEL.replace(faces=3), dice=(1, 1), target=1e-6)


# --- probabilities ----------------------------------------------------------------------------


def test_every_history_has_a_distribution_over_its_legal_actions(hasty):
    round_ = hasty.strategy.tree.graph.round
    hands = hasty.strategy.tree.graph.hands
    n_histories = 0
    for bids in histories_of(round_):
        n_histories += 1
        state = round_.state_after(bids)
        for hand in hands[round_.to_act(state)]:
            probs = hasty.strategy.probs(hand, bids)
            assert tuple(probs) == round_.legal_actions(state)
            assert min(probs.values()) >= 0
            assert sum(probs.values()) == pytest.approx(1, abs=1e-12)
    size = measure_complete_tree(hasty.strategy.tree.graph)
    assert n_histories == size.n_states > hasty.strategy.tree.n_states  # some were never created


def test_what_the_tree_lacks_is_played_by_the_odds():
    rules = presets.COMMON.replace(faces=3)
    strategy = empty_strategy(rules, (2, 1))
    # A third of the hidden dice show any face.
    assert strategy.probs((1, 3))[Bid(1, 1)] == 1.0  # true, and the lowest of those
    assert strategy.probs((2,), ["1x1"])[Bid(1, 2)] == 1.0  # five chances in nine: believed, raised
    assert strategy.probs((2,), ["2x1"])[CHALLENGE] == 1.0
    assert strategy.probs((3, 3), ["1x1", "3x3"])[CHALLENGE] == 1.0


def test_hands_and_bids_may_be_written_in_several_ways(hasty):
    ask = hasty.strategy.probs
    expected = ask((1, 3), [Bid(1, 2), Bid(1, 3)])
    assert ask((3, 1), ("1x2", "1x3")) == expected
    assert ask("3,1", iter(["1x2", Bid(1, 3)])) == expected
    assert ask(np.array([3, 1]), ["1x2", "1x3"]) == expected


# --- advice -----------------------------------------------------------------------------------


def value_of_play(strategy, hands, bids):
    """Utility of player 0 with these hands when both go on by the strategy, by plain recursion."""
    round_ = strategy.tree.graph.round

    @cache
    def value(history):
        if not isinstance(history[-1] if history else None, (Bid, type(None))):
            outcome = round_.showdown(round_.state_after(history), hands)
            to_caller = getattr(strategy.payoffs, outcome.kind.value)
            return to_caller if outcome.caller == 0 else -to_caller
        probs = strategy.probs(hands[len(history) % 2], history)
        return sum(p * value((*history, action)) for action, p in probs.items() if p)

    return value(bids)


def reach_of(strategy, player, hand, bids):
    """Chance of a hand times the probabilities with which its holder made their bids."""
    graph = strategy.tree.graph
    chance = graph.hand_probs[player][graph.hand_ids[player][hand]]
    return chance * prod(
        strategy.probs(hand, bids[:n])[bids[n]] for n in range(player, len(bids), 2)
    )


@pytest.mark.parametrize(
    "history",
    [(), ("1x2",), ("1x3", "2x2"), ("1x1", "3x3"), ("1x2", "1x3", "2x2", "2x3")],
    ids=lambda history: " ".join(history) or "opening",
)
def test_expected_values_are_those_of_play(hasty, history):
    strategy = hasty.strategy
    graph = strategy.tree.graph
    bids = tuple(map(Bid.parse, history))
    player = len(bids) % 2
    reach = {hand: reach_of(strategy, 1 - player, hand, bids) for hand in graph.hands[1 - player]}
    assert sum(reach.values()) > 0
    for hand in graph.hands[player]:
        for advice in strategy.advise(hand, history):
            expected = sum(
                mass
                * value_of_play(
                    strategy,
                    (hand, other) if player == 0 else (other, hand),
                    (*bids, advice.action),
                )
                for other, mass in reach.items()
            ) / sum(reach.values())
            sign = 1 if player == 0 else -1
            assert advice.expected_value == pytest.approx(sign * expected, abs=1e-12)


def test_advice_lists_the_same_probabilities_the_most_played_first(hasty):
    for hand, history in product([(1, 1), (1, 2), (2, 3)], [(), ("1x2", "1x3"), ("1x3", "2x2")]):
        advice = hasty.strategy.advise(hand, history)
        probs = hasty.strategy.probs(hand, history)
        assert {a.action: a.probability for a in advice} == probs
        order = [(-a.probability, -a.expected_value) for a in advice]
        assert order == sorted(order)


def test_advice_adds_up_to_the_value_of_the_round(good):
    graph = good.strategy.tree.graph
    of_hand = [
        sum(a.probability * a.expected_value for a in good.strategy.advise(hand))
        for hand in graph.hands[0]
    ]
    value = graph.hand_probs[0] @ of_hand
    assert value == pytest.approx(1 / 9, abs=2e-6)


def test_sure_outcomes_have_sure_values(good):
    def worth(hand, *history):
        return {a.action: a.expected_value for a in good.strategy.advise(hand, history)}

    sure = [
        worth((2,), "1x2")[CHALLENGE],  # I see the bid to be true
        worth((3,), "1x2")[CHALLENGE],  # threes are wild
        -worth((1,), "2x2")[CHALLENGE],  # and false
        worth((1,), "2x2")[Bid(2, 3)],  # the last bid, and false
    ]
    assert sure == pytest.approx([-1.0] * 4, abs=1e-15)  # the posterior sums to 1, rounded


def test_unplayed_bids_say_nothing_about_the_dice():
    strategy = empty_strategy(
        presets.PERUDO.replace(faces=4, wild="none", ones_slot="face_low"), (1, 1)
    )
    assert all(strategy.probs((die,))[Bid(2, 2)] == 0.0 for die in (1, 2, 3, 4))
    worth = {a.action: a.expected_value for a in strategy.advise((2,), ["2x2"])}
    assert worth[CHALLENGE] == pytest.approx(3 / 4 - 1 / 4)
    assert worth[EXACT] == pytest.approx(1 / 4 - 3 / 4)


def test_win_probability_goes_with_the_expected_value():
    assert Advice(CHALLENGE, 1.0, -1.0).win_probability == 0.0
    assert Advice(CHALLENGE, 1.0, 0.5).win_probability == 0.75


# --- samples ----------------------------------------------------------------------------------


def test_actions_are_drawn_as_often_as_the_strategy_plays_them(good):
    probs = {a: p for a, p in good.strategy.probs((3,)).items() if p > 1e-3}
    assert len(probs) > 1
    rng = np.random.default_rng(1)
    drawn = [good.strategy.sample((3,), rng=rng) for _ in range(3000)]
    counts = [drawn.count(action) for action in probs]
    expected = np.array(list(probs.values())) / sum(probs.values()) * sum(counts)
    assert sum(counts) > 2980
    assert chisquare(counts, expected).pvalue > 0.01


def test_a_seed_or_a_generator_says_what_is_drawn(good):
    draw = good.strategy.sample
    by_seed = [draw((3,), rng=seed) for seed in range(40)]
    assert by_seed == [draw((3,), rng=np.int64(seed)) for seed in range(40)]
    assert by_seed == [draw((3,), rng=np.random.default_rng(seed)) for seed in range(40)]
    assert len(set(by_seed)) > 1
    one, two = np.random.default_rng(8), np.random.default_rng(8)
    stream = [draw((3,), rng=one) for _ in range(40)]
    assert stream == [draw((3,), rng=two) for _ in range(40)]
    assert len(set(stream)) > 1


class LargestDraw(np.random.Generator):
    """Always draws the largest number below 1."""

    def random(self):
        return 1.0 - 2.0**-53


def test_no_draw_plays_what_the_strategy_does_not(hasty):
    rng = LargestDraw(np.random.PCG64(0))
    round_ = hasty.strategy.tree.graph.round
    for bids in islice(histories_of(round_), 0, None, 7):
        for hand in hasty.strategy.tree.graph.hands[len(bids) % 2]:
            action = hasty.strategy.sample(hand, bids, rng=rng)
            assert hasty.strategy.probs(hand, bids)[action] > 0.0


# --- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["probs", "advise"])
@pytest.mark.parametrize(
    ("hand", "history", "error", "message"),
    [
        (
            (1,),
            (),
            InputError,
            "seat 1 (the first bidder) is on turn and has 2 dice, got the hand '1'",
        ),
        (
            (2, 1),
            ["1x2"],
            InputError,
            "seat 2 is on turn and has 1 die, got the hand '1,2'",
        ),
        ((1, 4), (), InputError, "a die shows 1 to 3, got 4 in the hand 1,4"),
        (
            (1, 2),
            ["2x2", "1x2"],
            IllegalActionError,
            "action 2, 1x2: raise refused: PE.3a a raise needs more dice, or as many of a higher "
            "face; got 1x2 on 2x2",
        ),
        (
            (1,),
            ["4x1"],
            IllegalActionError,
            "action 1, 4x1: opening bid refused: PE?7 there are 3 dice on the table, got 4x1",
        ),
        (
            (1, 2),
            ["2x2", "dudo"],
            InputError,
            "the round is over after liar; a history ends with a bid",
        ),
        (
            (1, 2),
            ["2x2", "calza"],
            InputError,
            "the round is over after exact; a history ends with a bid",
        ),
        (
            (1, 2),
            "2x2",
            InputTypeError,
            "a history is a list of bids such as [\"1x2\"], got '2x2'",
        ),
        (
            (1, 2),
            [22],
            InputTypeError,
            "an action is a Bid, CHALLENGE or EXACT, got 22",
        ),
    ],
)
def test_questions_that_cannot_be_meant(hasty, name, hand, history, error, message):
    with pytest.raises(error) as caught:
        getattr(hasty.strategy, name)(hand, history)
    assert str(caught.value) == message


@pytest.mark.parametrize("rng", [None, True, 1.5, "seed"])
def test_chance_needs_a_generator_or_a_seed(good, rng):
    with pytest.raises(InputTypeError) as caught:
        good.strategy.sample((1,), rng=rng)
    assert (
        str(caught.value) == f"rng is a numpy random Generator, or a seed of 0 or more, got {rng!r}"
    )


def test_a_negative_seed_and_a_hand_that_is_none_are_refused(good):
    with pytest.raises(InputError, match="a seed of 0 or more, got -1"):
        good.strategy.sample((1,), rng=-1)
    for ask in (good.strategy.probs, good.strategy.advise):
        with pytest.raises(InputTypeError, match=r"a hand is its faces, such as .*, got 7"):
            ask(7)
        with pytest.raises(InputTypeError, match=r"a history is a list of bids such as .*, got 7"):
            ask((1,), 7)


@pytest.mark.parametrize("folder", [None, 7, ["a"]])
def test_a_folder_has_a_path(folder):
    with pytest.raises(InputTypeError, match="a folder is named by text or a path, got"):
        load(folder)


# --- crumbs of rounding -------------------------------------------------------------------------


def test_what_rounding_leaves_over_is_not_behaviour(good):
    """One hand in a million billion times makes a bid: nobody does, and its dice are random."""
    graph, strategy = good.strategy.tree.graph, good.strategy
    bid = graph.actions(0).index(Bid(2, 3))
    weights = strategy.weights[0].copy()
    weights[bid] = 0.0
    clean = replace(strategy, weights=(weights, strategy.weights[1]))
    crumbs = weights.copy()
    crumbs[bid, graph.hand_ids[0][(3,)]] = 1e-16
    soiled = replace(strategy, weights=(crumbs, strategy.weights[1]))
    for ask in (clean, soiled):
        assert ask.probs((3,))[Bid(2, 3)] == 0.0
        assert sum(ask.probs((3,)).values()) == pytest.approx(1.0, abs=1e-15)
        (only,) = ask.advise((3,), ["2x3"])
        assert only.expected_value == pytest.approx(2 / 3 - 1 / 3)  # the other die is random
        assert ask.standing((1,), ["2x3"]).rival_reach == 0.0
    assert soiled.advise((3,), ["2x3"]) == clean.advise((3,), ["2x3"])
    rare = weights.copy()
    rare[bid, graph.hand_ids[0][(3,)]] = 1e-9  # this is rare, and still behaviour
    assert replace(strategy, weights=(rare, strategy.weights[1])).probs((3,))[Bid(2, 3)] > 0.0


@pytest.mark.parametrize("variant", ["discounted", "cfr+"])
def test_no_solver_shows_crumbs(variant):
    strategy = solve(presets.COMMON.replace(faces=3), (2, 1), target=1e-5, variant=variant).strategy
    stored = np.concatenate([w.ravel() for w in strategy.weights])
    assert (stored[(stored > 0.0)] <= 1e-12).any()
    for known in strategy.information_sets():
        assert not any(0.0 < p <= 1e-12 for p in known.probs.values())


# --- information sets ---------------------------------------------------------------------------


def test_every_information_set_comes_once_and_in_order(hasty):
    known = list(hasty.strategy.information_sets())
    graph = hasty.strategy.tree.graph
    expected = [
        (len(bids) % 2 + 1, hand, bids)
        for bids in histories_of(graph.round)
        for hand in graph.hands[len(bids) % 2]
    ]
    assert [(k.seat, k.hand, k.history) for k in known] == expected
    for k in known[::5]:
        assert k.probs == pytest.approx(hasty.strategy.probs(k.hand, k.history), abs=1e-15)
        standing = hasty.strategy.standing(k.hand, k.history)
        chance = graph.hand_probs[k.seat - 1][standing.hand_id]
        assert k.reach == pytest.approx(chance * standing.own_reach * standing.rival_reach)


def test_information_sets_of_one_player_that_play_comes_to(hasty):
    every = list(hasty.strategy.information_sets())
    for player, least in ((0, 0.0), (1, 0.0), (None, 0.01), (1, 0.05)):
        some = list(hasty.strategy.information_sets(player, min_reach=least))
        assert some == [
            k for k in every if k.reach >= least and (player is None or k.seat == player + 1)
        ]
        assert some
    assert sum(k.reach for k in every if not k.history) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("player", "least", "message"),
    [
        (2, 0.0, "player is a whole number from 0 to 1, got 2"),
        (0.5, 0.0, "player is a whole number from 0 to 1, got 0.5"),
        (0, 2.0, "min_reach is a number from 0 to 1, got 2.0"),
        (0, "x", "min_reach is a number from 0 to 1, got 'x'"),
    ],
)
def test_what_information_sets_refuse(good, player, least, message):
    with pytest.raises((InputError, InputTypeError)) as caught:
        good.strategy.information_sets(player, min_reach=least)  # before the first one is asked for
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("dice", "options"),
    [
        ((2, 1), {"target": 1e-3}),
        ((1, 1, 1), {"max_iterations": 10}),
        ((2, 1), {"abstraction": Recall(1), "max_iterations": 10}),
    ],
)
def test_values_of_all_hands_are_those_of_advice(dice, options):
    strategy = solve(presets.COMMON.replace(faces=2), dice, **options).strategy
    graph = strategy.tree.every_raise.graph
    values, errors = strategy.expected_values(strategy.start(), list(graph.hand_probs))
    assert values.shape == errors.shape == (len(graph.actions(0)), graph.n_hands[0])
    for hand_id, hand in enumerate(graph.hands[0]):
        advice = {a.action: a for a in strategy.advise(hand)}
        for k, action in enumerate(graph.actions(0)):
            assert values[k, hand_id] == pytest.approx(advice[action].expected_value, abs=1e-12)
            assert errors[k, hand_id] == advice[action].standard_error

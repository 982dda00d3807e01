"""The reference implementation of a bidding round, held against pen, paper and brute force."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from reference.bidding import (
    EXACT,
    LIAR,
    ReferenceCFR,
    ReferenceGame,
    seeded_strategy,
    seeded_weight,
    snap,
    tabulate,
    uniform_strategy,
)

SEEDED_WEIGHTS = [2, 4, 3, 2, 2, 3, 3, 0]
GOLDEN = Path(__file__).parents[1] / "golden" / "data" / "game_values.json"


STORED = json.loads(GOLDEN.read_text())
ENTRIES = [dict(zip(STORED["columns"], row, strict=True)) for row in STORED["values"]]
WILD = {
    "none": {"wild": "none"},
    "high": {"wild": "top_face"},
    "ones": {"wild": "ones"},
    "ones_lock": {"wild": "ones", "wild_until": "any_ones_bid"},
}
ORDER = {
    "qf": {"ones_slot": "face_low"},
    "fq": {"raise_rule": "reset_quantity"},
    "ones_high": {"ones_slot": "face_high"},
    "dudo": {"ones_slot": "before_2n"},
    "perudo": {"ones_slot": "after_2n"},
    "no_ones": {"ones_slot": "forbidden"},
}


def game_of(entry):
    calza = entry["calza"]
    return ReferenceGame(
        dice=(entry["d1"], entry["d2"]),
        faces=entry["f"],
        open_ones="yes" if entry["open_ones"] else "no",
        exact_who="next" if calza else "off",
        exact_payoff=tuple(calza or (1, 1)),
        **WILD[entry["wild"]],
        **ORDER[entry["order"]],
    )


def combination(entry):
    calza = entry["calza"]
    return entry["wild"], entry["order"], entry["open_ones"], calza and tuple(calza)


def smallest_of_each_combination(n_each):
    by_size = sorted(ENTRIES, key=lambda entry: (sum(entry["infosets"]), entry["d1"]))
    chosen = {}
    for entry in by_size:
        chosen.setdefault(combination(entry), []).append(entry)
    return [entry for entries in chosen.values() for entry in entries[:n_each]]


def entry_id(entry):
    return "-".join(
        str(entry[key]) for key in ("d1", "d2", "f", "wild", "order", "open_ones", "calza")
    )


# --- legality: the examples of the rules page -------------------------------------------------


def raises(game, *history):
    return {action for action in game.legal_actions(history) if not isinstance(action, str)}


def test_liars_dice_example_three_fours():
    after_three_fours = raises(ReferenceGame(dice=(5, 5), wild="ones"), (3, 4))
    assert {(4, 2), (3, 5)} <= after_three_fours
    assert not {(3, 3), (2, 6)} & after_three_fours


def test_face_high_ranks_ones_above_the_highest_face():
    game = ReferenceGame(dice=(2, 1), wild="ones", ones_slot="face_high")
    assert (2, 1) in raises(game, (2, 6))
    assert (2, 6) not in raises(game, (2, 1))
    assert (3, 2) in raises(game, (2, 1))


PERUDO = {"wild": "ones", "ones_slot": "after_2n", "open_ones": "no"}


def test_perudo_half_rule_examples():
    game = ReferenceGame(dice=(5, 5), **PERUDO)
    assert {n for n, face in raises(game, (5, 6)) if face == 1} == set(range(3, 11))
    assert {q for q, face in raises(game, (5, 6), (4, 1)) if face == 5} == {9, 10}
    assert {n for n, face in raises(game, (5, 6), (4, 1)) if face == 1} == set(range(5, 11))
    assert (5, 2) in raises(game, (2, 6))  # jumps
    assert (2, 5) not in raises(game, (2, 6))
    assert not any(face == 1 for _, face in raises(game))


def test_exact_half_admits_one_number_of_ones():
    game = ReferenceGame(dice=(5, 5), ones_entry="exact_half", **PERUDO)
    for quantity, n_ones in ((1, 1), (2, 1), (5, 3), (6, 3), (10, 5)):
        assert {n for n, face in raises(game, (quantity, 6)) if face == 1} == {n_ones}


def test_star_board_puts_n_stars_just_before_2n():
    game = ReferenceGame(dice=(5, 5), wild="top_face", ones_slot="before_2n")
    assert (3, 6) in raises(game, (5, 5))
    assert (3, 6) not in raises(game, (6, 1))
    assert (6, 1) in raises(game, (3, 6))
    assert (5, 5) not in raises(game, (3, 6))
    exact = ReferenceGame(
        dice=(5, 5), wild="top_face", ones_slot="before_2n", ones_entry="exact_half"
    )
    assert {n for n, face in raises(exact, (6, 1)) if face == 6} == {4}


@pytest.mark.parametrize("slot", ["after_2n", "before_2n"])
def test_the_half_rule_is_a_total_order(slot):
    game = ReferenceGame(dice=(2, 2), faces=4, wild="ones", ones_slot=slot)
    for one, other in product(game.bids(), repeat=2):
        assert (other in raises(game, one)) + (one in raises(game, other)) == (one != other)
    in_order = sorted(game.bids(), key=lambda bid: -len(raises(game, bid)))
    at = in_order.index((1, 1))
    neighbours = ((2, 4), (3, 2)) if slot == "after_2n" else ((1, 4), (2, 2))
    assert (in_order[at - 1], in_order[at + 1]) == neighbours


RAISES_OVER_TWO_FOURS = {  # five faces, three dice
    "count_or_face": {(2, 5), *((3, face) for face in range(1, 6))},
    "reset_quantity": {(1, 5), (2, 5), (3, 5), (3, 4)},
    "strict": {(3, 4), (2, 5)},
    "no_decrease": {(3, 4), (2, 5), (3, 5)},
    "face_wrap": {(3, 4), (2, 5)},
}


@pytest.mark.parametrize("rule", RAISES_OVER_TWO_FOURS)
def test_raise_rules(rule):
    game = ReferenceGame(dice=(2, 1), faces=5, raise_rule=rule)
    assert raises(game, (2, 4)) == RAISES_OVER_TWO_FOURS[rule]


def test_face_wrap_goes_from_the_highest_face_to_the_lowest():
    options = {"dice": (3, 1), "faces": 5}
    straight_on = {(3, 5), (4, 5)}
    assert raises(ReferenceGame(**options, raise_rule="strict"), (2, 5)) == straight_on
    options["raise_rule"] = "face_wrap"
    assert raises(ReferenceGame(**options), (2, 5)) == straight_on | {(3, 1), (4, 1)}
    no_ones = ReferenceGame(**options, ones_slot="forbidden")
    assert raises(no_ones, (2, 5)) == straight_on | {(3, 2), (4, 2)}


def test_face_wrap_leaves_the_ones_to_the_half_rule():
    game = ReferenceGame(dice=(3, 1), faces=3, raise_rule="face_wrap", **PERUDO)
    assert raises(game, (2, 3)) == {(3, 3), (4, 3), (3, 2), (4, 2), *((n, 1) for n in range(1, 5))}
    assert raises(game, (2, 2)) == {(2, 3), (3, 2), (4, 2), *((n, 1) for n in range(1, 5))}


def test_stars_in_the_place_of_the_ones_do_not_open():
    stars = {"dice": (1, 1), "faces": 3, "wild": "top_face", "open_ones": "no"}
    opening = ReferenceGame(**stars, ones_slot="after_2n").legal_actions(())
    assert opening == ((1, 1), (1, 2), (2, 1), (2, 2))
    literal_ones = ReferenceGame(**stars).legal_actions(())
    assert literal_ones == ((1, 2), (1, 3), (2, 2), (2, 3))


def test_opening_minimum():
    dice = (2, 2, 2)
    lowest = {
        open_min: min(ReferenceGame(dice=dice, open_min=open_min).legal_actions(()))
        for open_min in (1, "n_players", "1.5n")
    }
    assert lowest == {1: (1, 1), "n_players": (3, 1), "1.5n": (5, 1)}


def test_exact_call_needs_a_bid_and_the_option():
    game = ReferenceGame(dice=(1, 1), faces=2, exact_who="next")
    assert EXACT not in game.legal_actions(())
    assert game.legal_actions(((2, 2),)) == (LIAR, EXACT)
    assert game.legal_actions(((2, 2), EXACT)) == ()
    assert ReferenceGame(dice=(1, 1), faces=2).legal_actions(((2, 2),)) == (LIAR,)


def faces_after_two_threes(player, **options):
    """Faces that ``player`` may bid on in a palifico round of five, one, two dice."""
    game = ReferenceGame(dice=(5, 1, 2), palifico=True, exact_who="next", **PERUDO, **options)
    history = ((1, 1), (2, 3), (3, 3))[: player or 3]
    assert EXACT not in game.legal_actions(history)
    return {face for _, face in raises(game, *history)}


def test_palifico_raises():
    game = ReferenceGame(dice=(5, 1, 2), palifico=True, **PERUDO)
    assert (1, 1) in game.legal_actions(())
    assert raises(game, (2, 3)) == {
        (q, f) for q in range(2, 9) for f in range(1, 7) if (q, f) > (2, 3)
    }
    assert faces_after_two_threes(0) == {3}
    assert faces_after_two_threes(1) == {1, 2, 3, 4, 5, 6}
    assert faces_after_two_threes(2) == {3}
    assert faces_after_two_threes(1, palifico_face="locked_all") == {1}
    assert faces_after_two_threes(2, palifico_face="none") == {1, 2, 3, 4, 5, 6}
    before = {"palifico_face": "ex_palifico_may_change", "ex_palifico": (False, False, True)}
    assert faces_after_two_threes(1, **before) == {1}
    assert faces_after_two_threes(2, **before) == {1, 2, 3, 4, 5, 6}


def test_contradictory_options_are_refused():
    with pytest.raises(ValueError, match="circles"):
        ReferenceGame(dice=(1, 1), ones_slot="after_2n", raise_rule="reset_quantity")
    with pytest.raises(ValueError, match="no opening bid"):
        ReferenceGame(dice=(1, 1), open_min="1.5n")
    with pytest.raises(ValueError, match="wild must be one of"):
        ReferenceGame(dice=(1, 1), wild="stars")
    with pytest.raises(ValueError, match="need a die each"):
        ReferenceGame(dice=(1, 0))


# --- showdown --------------------------------------------------------------------------------

HANDS = ((1, 3, 6), (1, 3))


@pytest.mark.parametrize(
    ("options", "bids", "count"),
    [
        ({}, ((1, 3),), 2),
        ({"wild": "ones"}, ((1, 3),), 4),
        ({"wild": "ones"}, ((1, 1),), 2),
        ({"wild": "top_face"}, ((1, 3),), 3),
        ({"wild": "top_face"}, ((1, 6),), 1),
        ({"wild": "ones", "wild_until": "any_ones_bid"}, ((1, 3), (2, 3)), 4),
        ({"wild": "ones", "wild_until": "any_ones_bid"}, ((1, 3), (2, 1), (2, 3)), 2),
        ({"wild": "ones", "wild_until": "opening_ones"}, ((1, 3), (2, 1), (2, 3)), 4),
        ({"wild": "ones", "wild_until": "opening_ones"}, ((1, 1), (1, 2), (2, 3)), 2),
        ({"wild": "ones", "palifico": True}, ((1, 3),), 2),
    ],
)
def test_count_of_matching_dice(options, bids, count):
    assert ReferenceGame(dice=(3, 2), **options).count(bids, HANDS) == count


def test_loser_and_payoffs():
    game = ReferenceGame(dice=(3, 2), exact_who="next", exact_payoff=(2, Fraction(1, 2)))
    assert game.payoffs(((2, 3), LIAR), HANDS) == (1, -1)
    assert game.payoffs(((3, 3), LIAR), HANDS) == (-1, 1)
    assert game.payoffs(((1, 3), (3, 3), LIAR), HANDS) == (1, -1)
    assert game.payoffs(((2, 3), EXACT), HANDS) == (-2, 2)
    assert game.payoffs(((1, 3), EXACT), HANDS) == (Fraction(1, 2), Fraction(-1, 2))
    three = ReferenceGame(dice=(1, 1, 1), exact_who="next")
    hands = ((2,), (2,), (5,))
    assert three.loser(((2, 2), LIAR), hands) == 1
    assert three.loser(((1, 2), (2, 2), (3, 2), LIAR), hands) == 2
    assert three.loser(((1, 2), (2, 2), EXACT), hands) is None
    assert three.loser(((1, 2), (2, 3), (3, 3), EXACT), hands) == 0
    with pytest.raises(ValueError, match="two players"):
        three.payoffs(((2, 2), LIAR), hands)
    with pytest.raises(ValueError, match="not over"):
        three.loser(((1, 2), (2, 2)), hands)


def test_hands_are_multisets_with_the_weight_of_their_throws():
    game = ReferenceGame(dice=(3, 1), faces=3)
    counted = dict.fromkeys(game.hands(0), 0)
    for throw in product(range(1, 4), repeat=3):
        counted[tuple(sorted(throw))] += 1
    assert game.hands(0) == {hand: Fraction(n, 27) for hand, n in counted.items()}
    assert sum(prob for _, prob in game.deals()) == 1


# --- values: games solved by hand ------------------------------------------------------------


def test_two_faces_without_jokers_are_worth_nothing():
    """One die each, two faces: player 0 always opens one two; player 1 believes their own die.

    After 1x2 a two in player 1's hand cannot lose more than every second time and a one cannot
    win more often, so player 0 loses nothing; whatever player 0 bids, player 1 raises it with
    the face it names and challenges it with the other, and so loses nothing either.
    """
    game = ReferenceGame(dice=(1, 1), faces=2)

    def strategy(player, hand, history):
        if not history:
            return {(1, 2): Fraction(1)}
        quantity, face = history[-1]
        if player == 1 and quantity == 1 and hand == (face,):
            return {(2, face): Fraction(1)}
        return {LIAR: Fraction(1)}

    assert game.expected_value(strategy) == 0
    assert game.best_response_value(0, strategy) == 0
    assert game.best_response_value(1, strategy) == 0


def test_two_faces_with_ones_wild_and_not_biddable():
    """Both dice match the only face: 2x2 is always true, and 1x2 is an exact call away from it."""
    options = {"dice": (1, 1), "faces": 2, "wild": "ones", "ones_slot": "forbidden"}
    game = ReferenceGame(**options)
    bold = {
        (player, hand, history): {game.legal_actions(history)[-1]: 1}
        for player in (0, 1)
        for hand, history in game.information_sets(player)
    }
    assert game.expected_value(bold) == 1
    assert game.nash_conv(bold) == 0

    half = Fraction(1, 2)
    game = ReferenceGame(**options, exact_who="next", exact_payoff=(2, half))
    answers = {(): (1, 2), ((1, 2),): EXACT, ((2, 2),): EXACT, ((1, 2), (2, 2)): EXACT}

    def careful(_player, _hand, history):
        return {answers[history]: Fraction(1)}

    assert game.expected_value(careful) == half
    assert game.best_response_value(0, careful) == half
    assert game.best_response_value(1, careful) == -half


# --- values: brute force over pure strategies ------------------------------------------------


def pure_plans(game, player, history=()):
    """Every pure plan of a player for one of their hands, as {history: action}."""
    actions = game.legal_actions(history)
    if not actions:
        yield {}
    elif game.player_to_act(history) == player:
        for action in actions:
            for plan in pure_plans(game, player, (*history, action)):
                yield {history: action, **plan}
    else:
        below = [list(pure_plans(game, player, (*history, action))) for action in actions]
        for plans in product(*below):
            yield {at: action for plan in plans for at, action in plan.items()}


def value_against_plan(game, hands, player, plan, strategy, history=()):
    """What ``player`` gets when following ``plan``, on one deal."""
    actions = game.legal_actions(history)
    if not actions:
        return game.payoffs(history, hands)[player]
    if game.player_to_act(history) == player:
        after = (*history, plan[history])
        return value_against_plan(game, hands, player, plan, strategy, after)
    policy = strategy(1 - player, hands[1 - player], history)
    return sum(
        policy[action] * value_against_plan(game, hands, player, plan, strategy, (*history, action))
        for action in actions
        if policy[action]
    )


def brute_force_best_response(game, player, strategy):
    plans = list(pure_plans(game, player))
    best = Fraction(0)
    for own_hand in game.hands(player):
        deals = [(hands, prob) for hands, prob in game.deals() if hands[player] == own_hand]
        best += max(
            sum(
                prob * value_against_plan(game, hands, player, plan, strategy)
                for hands, prob in deals
            )
            for plan in plans
        )
    return best


BRUTE_FORCE_GAMES = [
    ReferenceGame(dice=(1, 1), faces=2),
    ReferenceGame(dice=(1, 1), faces=2, exact_who="next", exact_payoff=(2, 1)),
    ReferenceGame(dice=(1, 1), faces=2, wild="top_face", raise_rule="reset_quantity"),
    ReferenceGame(dice=(1, 1), faces=3, wild="ones", ones_slot="forbidden"),
    ReferenceGame(dice=(1, 1), faces=2, wild="ones", wild_until="any_ones_bid"),
    ReferenceGame(dice=(1, 1), faces=2, **PERUDO),
    ReferenceGame(dice=(2, 1), faces=2, wild="ones", ones_slot="forbidden"),
    ReferenceGame(dice=(2, 1), faces=2, raise_rule="strict", open_min="n_players"),
]


@pytest.mark.parametrize("game", BRUTE_FORCE_GAMES, ids=range(len(BRUTE_FORCE_GAMES)))
@pytest.mark.parametrize("seed", [None, 1])
def test_best_responses_are_the_best_of_all_pure_plans(game, seed):
    strategy = uniform_strategy(game) if seed is None else seeded_strategy(game, seed)
    best = [brute_force_best_response(game, player, strategy) for player in (0, 1)]
    assert [game.best_response_value(player, strategy) for player in (0, 1)] == best
    assert game.nash_conv(strategy) == sum(best)
    assert -best[1] <= game.expected_value(strategy) <= best[0]


def test_uniform_play_against_every_pair_of_plans():
    """All 100 and 900 pure strategies of whole players, not hand by hand."""
    game = ReferenceGame(dice=(1, 1), faces=2)
    uniform = uniform_strategy(game)
    for player, n_pure in ((0, 100), (1, 900)):
        plans = list(pure_plans(game, player))
        values = [
            [
                sum(
                    prob * value_against_plan(game, hands, player, plan, uniform)
                    for hands, prob in game.deals()
                    if hands[player] == own_hand
                )
                for plan in plans
            ]
            for own_hand in ((1,), (2,))
        ]
        of_pure = [with_one + with_two for with_one, with_two in product(*values)]
        assert len(of_pure) == n_pure
        assert game.best_response_value(player, uniform) == max(of_pure)


def test_values_do_not_depend_on_how_a_strategy_is_given():
    game = ReferenceGame(dice=(2, 1), faces=2, exact_who="next", **PERUDO)
    strategy = seeded_strategy(game, seed=7)
    table = tabulate(game, strategy)
    assert game.expected_value(table) == game.expected_value(strategy)
    assert game.nash_conv(table) == game.nash_conv(strategy)
    assert game.nash_conv(table) > 0
    assert game.expected_value(table) != game.expected_value(seeded_strategy(game, seed=8))


def test_seeded_strategies_stay_the_same():
    assert [seeded_weight(seed, 0, (1, 2), ((1, 2),), LIAR) for seed in range(8)] == SEEDED_WEIGHTS


def test_policies_are_checked():
    game = ReferenceGame(dice=(1, 1), faces=2)
    with pytest.raises(ValueError, match="illegal action"):
        game.expected_value(lambda *_key: {LIAR: Fraction(1)})
    with pytest.raises(ValueError, match="not a probability distribution"):
        game.expected_value(lambda *_key: {(2, 2): Fraction(1, 2)})


# --- counts and values of the golden file ----------------------------------------------------


def test_golden_file_is_complete():
    assert len(ENTRIES) == 302
    assert len({combination(entry) for entry in ENTRIES}) == 24
    for entry in ENTRIES:  # the bounds are floats, rounded in the last place
        assert entry["lower"] - 1e-12 <= entry["value"] <= entry["upper"] + 1e-12
        assert entry["exact"] is None or abs(Fraction(entry["exact"]) - entry["value"]) < 1e-12


@pytest.mark.parametrize("entry", smallest_of_each_combination(5), ids=entry_id)
def test_bids_and_information_sets_are_counted_alike(entry):
    game = game_of(entry)
    assert len(game.bids()) == entry["nbids"]
    n_histories = [0, 0]
    for history in game.histories():
        n_histories[game.player_to_act(history)] += 1
    counted = [n * len(game.hands(player)) for player, n in enumerate(n_histories)]
    assert counted == entry["infosets"]


def n_infosets(entry):
    return sum(entry["infosets"])


BRACKET_ENTRIES = smallest_of_each_combination(1) + [
    entry
    for entry in smallest_of_each_combination(2)
    if entry not in smallest_of_each_combination(1) and n_infosets(entry) <= 200
]


@pytest.mark.parametrize("entry", BRACKET_ENTRIES, ids=entry_id)
def test_cfr_brackets_the_golden_value(entry):
    """The bracket is exact: best responses to the average, rounded to fractions first."""
    game = game_of(entry)
    cfr = ReferenceCFR(game, plus=True)
    cfr.iterate(60 if n_infosets(entry) <= 200 else 25)
    average = snap(cfr.average_strategy(), denominator=2000)
    lower = -game.best_response_value(1, average)
    upper = game.best_response_value(0, average)
    assert lower <= Fraction(entry["exact"]) <= upper
    assert upper - lower < Fraction(1, 25)


# --- counterfactual regret minimization ------------------------------------------------------

CFR_GAME = ReferenceGame(dice=(1, 1), faces=2, wild="top_face", exact_who="next")


def reach_of(player, hand, history, table, game):
    reach = Fraction(1)
    for n_made, action in enumerate(history):
        if game.player_to_act(history[:n_made]) == player:
            reach *= table[player, hand, history[:n_made]].get(action, 0)
    return reach


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("seed", [3, 4])
def test_first_regrets_add_up_to_the_gain_of_any_deviation(player, seed):
    """Regrets under uniform play, weighted with the reach and policy of a deviation.

    Their sum is what the deviation gains, whichever it is: the performance difference identity.
    """
    game = CFR_GAME
    cfr = ReferenceCFR(game, alternating=False, number=Fraction)
    cfr.iterate()
    uniform = tabulate(game, uniform_strategy(game))
    deviation = tabulate(game, seeded_strategy(game, seed))
    predicted = Fraction(0)
    for (own, hand, history), policy in deviation.items():
        if own == player:
            reach = reach_of(player, hand, history, deviation, game)
            regrets = cfr.cum_regret[player, hand, history]
            predicted += reach * sum(prob * regrets[action] for action, prob in policy.items())
    mixed = {key: (deviation if key[0] == player else uniform)[key] for key in uniform}
    gain = game.expected_value(mixed) - game.expected_value(uniform)
    assert predicted == (gain if player == 0 else -gain)
    assert gain != 0


def positive_part(regrets):
    return sum(max(0, max(of_one.values())) for of_one in regrets.values())


def test_regret_bounds_nash_conv_of_the_average():
    """Zinkevich et al. (2007), theorem 3: the sum of positive regrets bounds the distance."""
    cfr = ReferenceCFR(CFR_GAME, alternating=False, number=Fraction)
    cfr.iterate(2)
    assert 0 < CFR_GAME.nash_conv(cfr.average_strategy()) <= positive_part(cfr.cum_regret) / 2


@pytest.mark.parametrize("plus", [False, True])
def test_only_cfr_plus_cuts_regrets_at_zero(plus):
    cfr = ReferenceCFR(CFR_GAME, plus=plus, number=Fraction)
    cfr.iterate(2)
    assert (min(min(of_one.values()) for of_one in cfr.cum_regret.values()) >= 0) == plus


def test_floats_follow_the_fractions():
    exact = ReferenceCFR(CFR_GAME, number=Fraction)
    floats = ReferenceCFR(CFR_GAME)
    exact.iterate(3)
    floats.iterate(3)
    for key, regrets in exact.cum_regret.items():
        assert floats.cum_regret[key] == pytest.approx(regrets, abs=1e-14)
        assert floats.cum_policy[key] == pytest.approx(exact.cum_policy[key], abs=1e-14)


def test_average_is_the_reach_weighted_mean_of_the_iterates():
    """CFR+ with linear weights, both moments of averaging, against a replay of the iterates."""
    for average_in in ("own_update", "opponent_update"):
        cfr = ReferenceCFR(CFR_GAME, plus=True, average_in=average_in, number=Fraction)
        iterates = [cfr.current_strategy()]
        for _ in range(2):
            cfr.iterate()
            iterates.append(cfr.current_strategy())
        for (player, hand, history), weights in cfr.cum_policy.items():
            late = player == 0 and average_in == "opponent_update"
            for action in weights:
                expected = sum(
                    t
                    * reach_of(player, hand, history, table, CFR_GAME)
                    * table[player, hand, history][action]
                    for t, table in enumerate(iterates[late : late + 2], start=1)
                )
                assert weights[action] == expected


def test_alternating_updates_answer_the_new_policy():
    together = ReferenceCFR(CFR_GAME, alternating=False, number=Fraction)
    in_turn = ReferenceCFR(CFR_GAME, alternating=True, number=Fraction)
    together.iterate()
    in_turn.iterate()
    of_player = {
        name: [{k: r for k, r in cfr.cum_regret.items() if k[0] == p} for p in (0, 1)]
        for name, cfr in (("together", together), ("in_turn", in_turn))
    }
    assert of_player["together"][0] == of_player["in_turn"][0]
    assert of_player["together"][1] != of_player["in_turn"][1]


@pytest.mark.parametrize("plus", [False, True])
@pytest.mark.parametrize("alternating", [False, True])
@pytest.mark.parametrize("average_in", ["own_update", "opponent_update"])
def test_every_variant_approaches_equilibrium(plus, alternating, average_in):
    cfr = ReferenceCFR(CFR_GAME, plus=plus, alternating=alternating, average_in=average_in)
    distances = []
    for n_iterations in (5, 95):
        cfr.iterate(n_iterations)
        distances.append(CFR_GAME.nash_conv(cfr.average_strategy()))
    assert distances[1] < min(distances[0], 0.05)


def test_unknown_moment_of_averaging_is_refused():
    with pytest.raises(ValueError, match="own_update or opponent_update"):
        ReferenceCFR(CFR_GAME, average_in="never")

"""The reference implementation of the cup games, held against published values and brute force.

Tables quoted here are those of the project's rules page, sections 8.1 to 8.5, where each was
derived twice.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from reference.cup import (
    CHALLENGE,
    FIVE,
    FOUR,
    FULL,
    HIGH_RUN,
    LOW_RUN,
    NOTHING,
    PAIR,
    THREE,
    TWO_PAIRS,
    Claim,
    ReferenceCup,
)
from reference.cup_lp import (
    Recursion,
    prove_extensive,
    solve_extensive,
    solve_recursion,
    solve_unseen,
    solve_with_resets,
)
from reference.cup_values import (
    best_response,
    evaluate,
    nash_conv,
    seeded,
    survives,
    uniform,
    wins,
)

ROUNDING = 1e-9
"""Feasibility tolerance of the programs is 1e-7, but their vertices are found to about 1e-14."""

FIVE_DICE = {"n_dice": 5, "n_faces": 6}
CARDS = {"n_dice": 5, "n_faces": 6, "n_suits": 4, "ranking": "poker"}
WAYS = {
    FIVE: 6,
    HIGH_RUN: 120,
    LOW_RUN: 120,
    FOUR: 150,
    FULL: 300,
    THREE: 1200,
    TWO_PAIRS: 1800,
    PAIR: 3600,
    NOTHING: 480,
}
CARD_WAYS = {
    FIVE: 0,
    HIGH_RUN: 1024,
    LOW_RUN: 1024,
    FOUR: 120,
    FULL: 720,
    THREE: 3840,
    TWO_PAIRS: 8640,
    PAIR: 23040,
    NOTHING: 4096,
}


def faces(text):
    return tuple(sorted("9TJQKA".index(symbol) + 1 for symbol in text))


def ways_by_category(game, chances, total):
    count = Counter()
    for hand, prob in chances.items():
        count[game.category(hand)] += int(prob * total)
    return count


# --- hands and claims ----------------------------------------------------------------------------


@pytest.mark.parametrize(("n_dice", "n_faces"), [(1, 6), (2, 3), (3, 4), (5, 2)])
def test_throws_are_the_throws_of_separate_dice(n_dice, n_faces):
    game = ReferenceCup(n_dice=n_dice, n_faces=n_faces)
    for size in range(n_dice + 1):
        kept = tuple(range(1, n_faces + 1))[:size]
        n_new = n_dice - len(kept)
        rolls = Counter(
            tuple(sorted(kept + roll)) for roll in product(range(1, n_faces + 1), repeat=n_new)
        )
        counted = {hand: Fraction(ways, n_faces**n_new) for hand, ways in rolls.items()}
        assert game.redraw(kept) == counted


@pytest.mark.parametrize("ranking", ["classic", "poker"])
def test_dice_have_the_categories_of_the_rules(ranking):
    game = ReferenceCup(**FIVE_DICE, ranking=ranking)
    assert len(game.hands) == 252
    assert ways_by_category(game, game.hands, 7776) == WAYS
    at_least = [game.hands[hand] for hand in game.ordered_hands]
    for place in range(250, -1, -1):
        at_least[place] += at_least[place + 1]
    middle = next(place for place, chance in enumerate(at_least) if chance <= Fraction(1, 2))
    assert game.ordered_hands[middle] == faces("AAKQ9")
    assert at_least[middle] == Fraction(3876, 7776)


def test_flushes_beat_four_in_classic_alone():
    low_run, four, full = faces("KQJT9"), faces("AAAAK"), faces("99TTT")
    for ranking, order in (("classic", [full, four, low_run]), ("poker", [low_run, full, four])):
        game = ReferenceCup(**FIVE_DICE, ranking=ranking)
        assert sorted([four, full, low_run], key=game.hand_key) == order


@pytest.mark.parametrize(
    ("detail", "without_nothing", "named", "raw"),
    [
        ("full", 248, 252, 252),
        ("prefix", 359, 363, 373),
        ("subset", 401, 405, 431),
        ("primary", 71, 75, 72),
        ("lead", 37, 41, 38),
    ],
)
def test_claims_are_as_many_as_the_rules_count(detail, without_nothing, named, raw):
    for nothing, total in (("forbidden", without_nothing), ("named", named), ("prefix", raw)):
        rules = {"claim_detail": detail, "nothing_claims": nothing}
        assert len(ReferenceCup(**FIVE_DICE, ranking="poker", **rules).claims) == total
        assert len(ReferenceCup(**CARDS, **rules).claims) == total - 6  # no five of a kind


def test_prefix_claims_have_252_truth_sets_and_free_raises():
    game = ReferenceCup(**FIVE_DICE, ranking="poker", claim_detail="prefix")
    assert len(set(game.lowest_key.values())) == 252
    jacks = [Claim(PAIR, (3,), kickers) for kickers in ((), (4,), (4, 2), (4, 2, 1))]
    positions = [game.claims.index(claim) for claim in jacks]
    assert positions == list(range(positions[0], positions[0] + 4))  # JJ < JJ+Q < JJ+QT < JJ+QT9
    for claim in jacks:
        true = sum(prob for hand, prob in game.hands.items() if game.is_true(claim, hand))
        assert true == Fraction(6096, 7776)


@pytest.mark.parametrize(
    ("truth", "ways"), [("at_least", 6096), ("matches", 60), ("contains", 705)]
)
def test_readings_of_truth_differ(truth, ways):
    game = ReferenceCup(**FIVE_DICE, ranking="poker", claim_detail="prefix", truth=truth)
    jacks_with_queen = Claim(PAIR, (3,), (4,))
    true = sum(p for hand, p in game.hands.items() if game.is_true(jacks_with_queen, hand))
    assert true == Fraction(ways, 7776)


def test_lead_claims_make_the_worked_example_exact():
    game = ReferenceCup(
        **FIVE_DICE, ranking="poker", claim_detail="lead", nothing_claims="forbidden"
    )
    (threes_full,) = game.quotes((2, 2, 3, 3, 3))
    (fours_full,) = game.quotes((2, 2, 4, 4, 4))
    assert game.legal_claims(threes_full)[0] == fours_full
    assert threes_full in game.quotes((3, 3, 3, 4, 4))


def test_componentwise_raises_make_the_worked_example_exact():
    game = ReferenceCup(**FIVE_DICE, ranking="poker", raise_rule="componentwise")
    (old,) = game.quotes((2, 2, 3, 3, 3))
    fulls = {claim for claim in game.legal_claims(old) if claim.category == FULL}
    assert fulls == {Claim(FULL, (t, p), ()) for t in (4, 5, 6) for p in range(2, 7) if p != t}


def test_mia_has_21_values_and_21_is_the_highest():
    game = ReferenceCup(n_dice=2, n_faces=6, ranking="mia")
    ends = [(1, 3), (2, 3), (1, 4)], [(5, 5), (6, 6), (1, 2)]
    assert len(game.ordered_hands) == 21
    assert (game.ordered_hands[:3], game.ordered_hands[-3:]) == ends
    assert [game.hands[hand] * 36 for hand in game.ordered_hands] == [2] * 14 + [1] * 6 + [2]


def test_deal_of_cards_is_that_of_the_rules():
    game = ReferenceCup(**CARDS)
    assert len(game.hands) == 246
    assert ways_by_category(game, game.hands, 42504) == +Counter(CARD_WAYS)


@pytest.mark.parametrize(
    ("kept", "dice", "cards"),
    [
        # five, four, full, high run, low run, three, two pairs, pair, nothing
        ("A", (1, 25, 50, 24, 0, 200, 300, 600, 96), (0, 25, 150, 256, 0, 800, 1800, 4800, 1024)),
        ("AA", (1, 15, 20, 0, 0, 60, 60, 60, 0), (0, 20, 80, 0, 0, 320, 480, 640, 0)),
        ("AAA", (1, 10, 5, 0, 0, 20, 0, 0, 0), (0, 20, 30, 0, 0, 160, 0, 0, 0)),
        ("AAAA", (1, 5, 0, 0, 0, 0, 0, 0, 0), (0, 20, 0, 0, 0, 0, 0, 0, 0)),
        ("AAKK", (0, 0, 2, 0, 0, 0, 4, 0, 0), (0, 0, 4, 0, 0, 0, 16, 0, 0)),
        ("KQJT", (0, 0, 0, 1, 1, 0, 0, 4, 0), (0, 0, 0, 4, 4, 0, 0, 12, 0)),
    ],
)
def test_redraws_are_those_of_the_rules(kept, dice, cards):
    order = (FIVE, FOUR, FULL, HIGH_RUN, LOW_RUN, THREE, TWO_PAIRS, PAIR, NOTHING)
    for rules, ways in (({**FIVE_DICE, "ranking": "poker"}, dice), (CARDS, cards)):
        game = ReferenceCup(**rules)
        count = ways_by_category(game, game.redraw(faces(kept)), sum(ways))
        assert tuple(count[category] for category in order) == ways


@pytest.mark.parametrize(
    ("throws", "by_aces"),
    [
        (1, (".000129", ".000772", ".004630", ".027778", ".166667")),
        (3, (".013272", ".031503", ".074776", ".177491", ".421296")),
        (5, (".076551", ".127985", ".213979", ".357750", ".598122")),
    ],
)
def test_five_aces_have_the_chances_of_the_rules(throws, by_aces):
    carry = ReferenceCup(**FIVE_DICE, ranking="classic", top_accept="carry_keep", top_throws=throws)
    fresh = ReferenceCup(**FIVE_DICE, ranking="classic", top_accept="fresh_keep", top_throws=throws)
    for aces, chance in enumerate(by_aces):
        hand = (1,) * (5 - aces) + (6,) * aces
        assert f"{float(carry.top_chance(hand)):.6f}"[1:] == chance
        assert fresh.top_chance(hand) == carry.top_chance((1,) * 5)
    assert carry.top_chance((6,) * 5) == 1


def test_five_throws_of_all_dice_seldom_give_five_aces():
    rules = {**FIVE_DICE, "ranking": "classic"}
    all_dice = ReferenceCup(**rules, top_accept="fresh_all").top_chance((6,) * 5)
    assert all_dice == 1 - (1 - Fraction(1, 6**5)) ** 5
    assert ReferenceCup(**rules, top_accept="one_throw_all").top_chance(()) == Fraction(1, 6**5)


# --- published values ----------------------------------------------------------------------------

LIAR_DIE = {
    2: "3/4",
    3: "13/18",
    4: "17/24",
    5: "103/150",
    6: "41/60",
    7: "661/980",
    8: "1497/2240",
    10: "4169/6300",
}
KEEPING = {(2, 2): "11/16", (2, 3): "421/648", (3, 2): "59/96"}
SEEN_BUT_ALL_RETHROWN = {
    (2, 2): 0.7083333333333334,
    (2, 3): 0.6834215167548501,
    (3, 2): 0.7120535714285714,
}


@pytest.mark.parametrize("n_faces", LIAR_DIE)
def test_liar_die_has_its_published_value(n_faces):
    game = ReferenceCup(n_dice=1, n_faces=n_faces, look="never")
    values = solve_unseen(game)
    assert values[None] == Fraction(LIAR_DIE[n_faces])
    for claim, value in values.items():  # over a high claim everything is challenged
        if claim and 1 - Fraction(claim.groups[0], n_faces) < values[None]:
            assert value == 1 - Fraction(claim.groups[0], n_faces)


def test_mia_has_its_published_value():
    game = ReferenceCup(n_dice=2, n_faces=6, ranking="mia", look="never")
    assert solve_unseen(game)[None] == Fraction(4078225781, 6294150720)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranking", "nothing", "value"),
    [("classic", "forbidden", 0.633883405862069), ("poker", "named", 0.633894239027112)],
)
def test_five_dice_thrown_unseen_have_their_published_value(ranking, nothing, value):
    game = ReferenceCup(**FIVE_DICE, ranking=ranking, nothing_claims=nothing, look="never")
    assert float(solve_unseen(game)[None]) == pytest.approx(value, abs=1e-14)


@pytest.mark.parametrize(("n_dice", "n_faces"), [(1, 3), (1, 5), (1, 6), *KEEPING])
def test_keep_games_have_their_published_values(n_dice, n_faces):
    published = LIAR_DIE[n_faces] if n_dice == 1 else KEEPING[n_dice, n_faces]
    value = solve_recursion(ReferenceCup(n_dice=n_dice, n_faces=n_faces))
    assert value == pytest.approx(float(Fraction(published)), abs=ROUNDING)


@pytest.mark.parametrize(("size", "published"), SEEN_BUT_ALL_RETHROWN.items())
def test_games_with_all_dice_rethrown_have_their_published_values(size, published):
    game = ReferenceCup(n_dice=size[0], n_faces=size[1], min_rethrow=size[0])
    assert solve_recursion(game) == pytest.approx(published, abs=ROUNDING)
    low, high = solve_with_resets(game)
    assert low == pytest.approx(published, abs=ROUNDING)
    assert high == pytest.approx(published, abs=ROUNDING)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "published"), [((2, 4), 0.6353236607), ((3, 3), 0.5706384836)])
def test_larger_keep_games_have_their_published_values(size, published):
    game = ReferenceCup(n_dice=size[0], n_faces=size[1])
    assert solve_recursion(game) == pytest.approx(published, abs=1e-10)
    assert solve_with_resets(game)[0] == pytest.approx(published, abs=1e-9)


@pytest.mark.parametrize(
    ("size", "published"), [((1, 3), "13/18"), ((1, 4), "17/24"), ((2, 2), "11/16")]
)
def test_values_are_proved_in_the_unreduced_game(size, published):
    game = ReferenceCup(n_dice=size[0], n_faces=size[1])
    assert prove_extensive(game) == (Fraction(published), Fraction(published))


@pytest.mark.slow
def test_three_coins_are_proved_in_the_unreduced_game():
    assert prove_extensive(ReferenceCup(n_dice=3, n_faces=2)) == (Fraction(59, 96),) * 2


# --- the unreduced game against the recursion ----------------------------------------------------

RULES = {
    "one die of three faces": {"n_dice": 1, "n_faces": 3},
    "one die of four faces": {"n_dice": 1, "n_faces": 4},
    "one die, not said whether thrown": {"n_dice": 1, "n_faces": 4, "announce_count": False},
    "two coins": {"n_dice": 2, "n_faces": 2},
    "two coins, hidden number": {"n_dice": 2, "n_faces": 2, "announce_count": False},
    "two coins, at least one rethrown": {"n_dice": 2, "n_faces": 2, "min_rethrow": 1},
    "two coins, at most one rethrown": {"n_dice": 2, "n_faces": 2, "max_rethrow": 1},
    "two coins, raw nothing": {
        "n_dice": 2,
        "n_faces": 2,
        "claim_detail": "prefix",
        "nothing_claims": "prefix",
    },
    "two coins, exact claims": {"n_dice": 2, "n_faces": 2, "truth": "matches"},
    "two coins, dice contained": {"n_dice": 2, "n_faces": 2, "truth": "contains"},
    "two coins, a try at the top": {
        "n_dice": 2,
        "n_faces": 2,
        "top_claim": "accept_try",
        "top_throws": 2,
    },
    "two coins, a try with the dice as passed": {
        "n_dice": 2,
        "n_faces": 2,
        "top_claim": "accept_try",
        "top_accept": "carry_keep",
        "top_throws": 1,
    },
    "two coins, nothing forbidden": {"n_dice": 2, "n_faces": 2, "nothing_claims": "forbidden"},
    "two cards of two ranks": {"n_dice": 2, "n_faces": 2, "n_suits": 2},
    "two dice, categories": {
        "n_dice": 2,
        "n_faces": 3,
        "claim_detail": "category",
        "nothing_claims": "prefix",
    },
    "three coins, categories": {"n_dice": 3, "n_faces": 2, "claim_detail": "category"},
    "three coins, at most one rethrown": {"n_dice": 3, "n_faces": 2, "max_rethrow": 1},
}
LARGER = {
    "three coins": {"n_dice": 3, "n_faces": 2},
    "three coins, hidden number": {"n_dice": 3, "n_faces": 2, "announce_count": False},
    "two dice, categories and named nothing": {
        "n_dice": 2,
        "n_faces": 3,
        "claim_detail": "category",
    },
    "two dice, three leads": {
        "n_dice": 2,
        "n_faces": 3,
        "claim_detail": "lead",
        "nothing_claims": "forbidden",
    },
    "one die of five faces": {"n_dice": 1, "n_faces": 5},
}


BOXES = {
    "two coins, raw nothing": {"n_dice": 2, "n_faces": 2, "nothing_claims": "prefix"},
    "three coins": {"n_dice": 3, "n_faces": 2},
    "two dice": {"n_dice": 2, "n_faces": 3},
}


def assert_three_ways_agree(rules):
    game = ReferenceCup(**rules)
    low, high = solve_extensive(game)
    assert low == pytest.approx(high, abs=ROUNDING)
    assert low == pytest.approx(solve_recursion(game), abs=ROUNDING)
    assert solve_with_resets(game) == pytest.approx((low, high), abs=ROUNDING)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_program_of_the_unreduced_game_agrees_with_the_recursion(rules):
    assert_three_ways_agree(rules)


@pytest.mark.slow
@pytest.mark.parametrize("rules", LARGER.values(), ids=LARGER)
def test_program_of_larger_games_agrees_with_the_recursion(rules):
    assert_three_ways_agree(rules)


@pytest.mark.parametrize(
    "rules", [*RULES.values(), *BOXES.values()], ids=[*RULES, *(f"box, {name}" for name in BOXES)]
)
def test_play_of_the_recursion_cannot_be_bettered_in_the_unreduced_game(rules):
    game = ReferenceCup(**rules)
    recursion = Recursion(game)
    assert best_response(game, 0, recursion.strategy, wins) == pytest.approx(
        recursion.value, abs=ROUNDING
    )
    assert best_response(game, 1, recursion.strategy, wins) == pytest.approx(
        1 - recursion.value, abs=ROUNDING
    )
    assert nash_conv(game, recursion.strategy) == pytest.approx(0, abs=4 * ROUNDING)


def test_coarser_claims_are_worth_something_to_the_first_player():
    rules = {"n_dice": 2, "n_faces": 3, "claim_detail": "category", "nothing_claims": "prefix"}
    assert solve_extensive(ReferenceCup(**rules))[0] == pytest.approx(7 / 9, abs=ROUNDING)


@pytest.mark.parametrize(("n_dice", "n_faces"), [(1, 2), (1, 3), (1, 4), (2, 2), (3, 2)])
def test_unseen_throws_in_the_unreduced_game_agree_with_the_recursion(n_dice, n_faces):
    game = ReferenceCup(n_dice=n_dice, n_faces=n_faces, look="never")
    value = float(solve_unseen(game)[None])
    assert solve_extensive(game) == pytest.approx((value, value), abs=ROUNDING)


# --- the blind pass ------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", BOXES.values(), ids=BOXES)
def test_blind_pass_is_worth_nothing_between_two_players(rules):
    """To look, keep all and say the same leaves the other where the blind pass does, who knows
    the hand either way; and to know it too cannot hurt against one who knows.
    """
    box = {**rules, "claim_detail": "prefix"}
    off = solve_recursion(ReferenceCup(**box))
    low, high = solve_with_resets(ReferenceCup(**box, blind_pass="only_if_bare"))
    assert low == pytest.approx(off, abs=ROUNDING)
    assert high == pytest.approx(off, abs=ROUNDING)


@pytest.mark.parametrize("announce_count", [True, False])
@pytest.mark.parametrize("rules", BOXES.values(), ids=BOXES)
def test_play_without_blind_passes_cannot_be_bettered_by_them(rules, announce_count):
    box = {**rules, "claim_detail": "prefix", "announce_count": announce_count}
    recursion = Recursion(ReferenceCup(**box))
    game = ReferenceCup(**box, blind_pass="any")
    first = best_response(game, 0, recursion.strategy, wins)
    second = best_response(game, 1, recursion.strategy, wins)
    assert first == pytest.approx(recursion.value, abs=ROUNDING)
    assert second == pytest.approx(1 - recursion.value, abs=ROUNDING)


@pytest.mark.parametrize("blind_pass", ["only_if_bare", "any"])
def test_blind_pass_is_worth_nothing_in_the_unreduced_game(blind_pass):
    rules = {"n_dice": 2, "n_faces": 2, "claim_detail": "prefix", "nothing_claims": "prefix"}
    game = ReferenceCup(**rules, blind_pass=blind_pass)
    assert prove_extensive(game) == (Fraction(11, 16), Fraction(11, 16))


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOXES.values(), ids=BOXES)
def test_unlimited_blind_pass_is_worth_nothing_between_two_players(rules):
    box = {**rules, "claim_detail": "prefix"}
    off = solve_recursion(ReferenceCup(**box))
    assert solve_with_resets(ReferenceCup(**box, blind_pass="any")) == pytest.approx(
        (off, off), abs=ROUNDING
    )


def test_blind_pass_hides_the_hand_and_tells_the_rest():
    game = ReferenceCup(
        n_dice=2, n_faces=2, claim_detail="prefix", nothing_claims="prefix", blind_pass="any"
    )
    at, _ = next(game.chances(game.start()))
    low, higher = game.claims[0], game.claims[1]
    at = game.act(at, ("claim", low))
    assert ("blind", higher) in game.actions(at)
    after = game.act(at, ("blind", higher))
    assert after.seen[1] == ((0, "claim", low), (1, "blind", higher))
    assert after.seen[0] == (("hand", after.cup), *after.seen[1])
    assert after.knows == (True, False)
    assert game.act(after, CHALLENGE).rival == 1 - game.act(after, CHALLENGE).player


# --- values and best responses -------------------------------------------------------------------


def test_uniform_play_of_three_with_a_coin_by_hand():
    """Seat 0 says 2 half of the time and is then right by half. After 1, which is always true,
    seat 1 challenges or accepts; whatever they keep, their 2 is right by half.
    """
    game = ReferenceCup(n_dice=1, n_faces=2, n_players=3)
    assert evaluate(game, uniform, survives) == [Fraction(3, 4), Fraction(3, 8), Fraction(7, 8)]
    assert evaluate(game, uniform, wins) == [Fraction(1, 2), Fraction(3, 8), Fraction(1, 8)]
    assert evaluate(game, uniform) == [Fraction(1, 4), Fraction(-1, 4), 0]
    # Seat 0 says 2 with 2, else 1. Seat 1 accepts, keeps a 2 and rethrows a 1. Seat 2 must doubt.
    assert best_response(game, 0, uniform) == Fraction(3, 4)
    assert best_response(game, 1, uniform) == Fraction(1, 4)
    assert best_response(game, 2, uniform) == 0
    assert nash_conv(game, uniform) == 1


def pure_strategies(game, player, other):
    """Every deterministic strategy of a player, where it matters against ``other``."""
    sets = {}
    waiting = [game.start()]
    while waiting:
        at = waiting.pop()
        if at.stage in ("throw", "try"):
            waiting += [after for after, _ in game.chances(at)]
        elif at.stage != "end":
            if at.player == player:
                sets[at.seen[player]] = game.actions(at)
            waiting += [game.act(at, action) for action in game.actions(at)]

    for choice in product(*sets.values()):
        chosen = dict(zip(sets, choice, strict=True))

        def distribution(seat, seen, actions, chosen=chosen):
            return {chosen[seen]: Fraction(1)} if seat == player else other(seat, seen, actions)

        yield distribution


@pytest.mark.parametrize("n_players", [2, 3])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_best_response_is_the_best_of_all_deterministic_strategies(n_players, player, seed):
    game = ReferenceCup(n_dice=1, n_faces=2, n_players=n_players)
    other = seeded(seed)
    values = [
        evaluate(game, distribution)[player]
        for distribution in pure_strategies(game, player, other)
    ]
    assert len(values) > 1
    assert best_response(game, player, other) == max(values)


@pytest.mark.parametrize("n_players", [2, 3, 4])
@pytest.mark.parametrize(
    "rules", [{"n_dice": 1, "n_faces": 3}, {"n_dice": 2, "n_faces": 2}], ids=str
)
def test_nobody_gains_less_than_nothing_and_payoffs_sum_to_zero(rules, n_players):
    game = ReferenceCup(**rules, n_players=n_players)
    for seed in range(3):
        distribution = seeded((seed, n_players))
        values = evaluate(game, distribution)
        assert sum(values) == 0
        assert sum(evaluate(game, distribution, wins)) == 1
        assert sum(evaluate(game, distribution, survives)) == n_players - 1
        for player in range(n_players):
            assert best_response(game, player, distribution) >= values[player]

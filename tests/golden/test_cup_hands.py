"""Hands, claims, rethrows and draws of the cup games, worked out apart from this library.

``data/cup_hands.json`` was made by a script of its own, every table twice and compared exactly:
by going through all throws, deals or draws, and by a formula (products of binomials, multinomials,
the set of all prefixes of all hands).
"""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from liarsolve.claims import (
    CLASSIC,
    GENERALA_ACE_RUNS,
    GENERALA_BOXES,
    GENERALA_POKER,
    GENERALA_WRAP_RUN,
    POKER,
    Category,
    ClaimDetail,
    ClaimSet,
    NothingClaims,
    Truth,
    format_claim,
    format_hand,
    parse_hand,
    parse_kept,
)
from liarsolve.dice import hand_weight
from liarsolve.dice.equipment import Equipment
from liarsolve.odds import best_keep, hand_distribution, keep_options, p_claim, p_five_aces

GOLDEN = json.loads((Path(__file__).parent / "data" / "cup_hands.json").read_text())
EQUIPMENT = {"dice": Equipment.dice(5, 6), "cards": Equipment.cards(5, 6, 4)}
RANKING = {"classic": CLASSIC, "box": POKER, "doubtful_dice_poker_completion": GENERALA_POKER}
CATEGORY = {
    "five": Category.FIVE,
    "four": Category.FOUR,
    "full": Category.FULL,
    "run_hi": Category.HIGH_RUN,
    "run_lo": Category.LOW_RUN,
    "three": Category.THREE,
    "twopair": Category.TWO_PAIRS,
    "pair": Category.PAIR,
    "nothing": Category.NOTHING,
}
NOTHING = {"named_nothing": NothingClaims.NAMED, "raw_nothing": NothingClaims.PREFIX}


@cache
def claim_set(equipment="dice", ranking="box", detail="full", nothing="named_nothing"):
    return ClaimSet(EQUIPMENT[equipment], RANKING[ranking], ClaimDetail(detail), NOTHING[nothing])


def count(values):
    return {name: values.count(name) for name in set(values)}


def test_number_of_hands():
    numbers = GOLDEN["hand_counts"]
    hands = EQUIPMENT["dice"].hands
    assert len(hands) == numbers["multisets_5_of_6"]
    assert len(EQUIPMENT["cards"].hands) == numbers["card_rank_multisets_24"]
    kinds = count([POKER.category(hand) for hand in hands])
    assert kinds == {CATEGORY[name]: n for name, n in numbers["multisets_per_category"].items()}


@pytest.mark.parametrize("name", RANKING)
def test_order_of_categories(name):
    high_to_low = [CATEGORY[kind] for kind in GOLDEN["category_order_high_to_low"][name]]
    assert list(reversed(RANKING[name].categories)) == high_to_low


@pytest.mark.parametrize("name", ["classic", "box"])
def test_ways_to_throw_each_category(name):
    claims = claim_set(ranking=name)
    distribution = hand_distribution(claims, exact=True)
    bare = ClaimSet(claims.equipment, claims.ranking, ClaimDetail.CATEGORY, NothingClaims.PREFIX)
    at_least = dict(
        zip((claim.category for claim in bare), hand_distribution(bare).p_claims(), strict=True)
    )
    for row in GOLDEN["category_table"][name]:
        kind = CATEGORY[row["cat"]]
        assert row["count"] == GOLDEN["category_counts_dice"][row["cat"]]
        assert distribution.p_category(kind) == Fraction(row["count"], 7776)
        assert float(distribution.p_category(kind)) == row["p"]
        assert at_least[kind] == row["p_at_least"] == row["count_at_least"] / 7776


@pytest.mark.parametrize("name", ["classic", "box"])
def test_cl_12_bx_10_order_of_all_hands_of_dice(name):
    check_order(claim_set(ranking=name), GOLDEN["ordered_hands_low_to_high"][name])


def test_lc_3_order_of_all_hands_of_cards():
    check_order(claim_set("cards"), GOLDEN["ordered_card_hands_low_to_high"])


def check_order(claims, rows):
    equipment, ranking = claims.equipment, claims.ranking
    order = sorted(range(len(equipment.hands)), key=claims.hand_ranks.__getitem__)
    assert [claims.hand_ranks[hand_id] for hand_id in order] == list(range(len(order)))
    left = equipment.total_weight
    for hand_id, (text, weight, at_least) in zip(order, rows, strict=True):
        hand = equipment.hands[hand_id]
        assert format_hand(hand, ranking) == text
        assert parse_hand(text, claims) == hand
        assert (equipment.weights[hand_id], left) == (weight, at_least)
        left -= weight


@pytest.mark.parametrize("key", GOLDEN["claim_counts"])
def test_bx_9_number_of_claims(key):
    numbers = GOLDEN["claim_counts"][key]
    equipment, detail, nothing = key.split("/")
    claims = claim_set(equipment, "box", detail, nothing)
    kinds = count([claim.category for claim in claims])
    assert kinds == {CATEGORY[name]: n for name, n in numbers["per_category"].items()}
    assert len(claims) == numbers["total"]
    without = ClaimSet(claims.equipment, claims.ranking, claims.detail, NothingClaims.FORBIDDEN)
    assert len(without) == numbers["without_nothing"]
    lead = GOLDEN["doubtful_dice_generala"]["distinct_claims"]
    if key == "dice/lead/named_nothing":  # the claims of the list of Generala, DD?2
        assert len(claims) == lead["lead (category + first rank)"]


def test_bx_9_bx_q1_all_prefix_claims_with_their_three_truths():
    claims = claim_set(detail="prefix")
    rows = GOLDEN["box_prefix_claims_low_to_high"]["rows"]
    weights = EQUIPMENT["dice"].weights
    columns = [claims.truth_table(truth) @ weights for truth in Truth]
    table = [
        [format_claim(claim, claims), *map(int, ways)]
        for claim, *ways in zip(claims, *columns, strict=True)
    ]
    assert table == rows
    distinct = {tuple(row) for row in claims.truth_table()}
    assert len(distinct) == GOLDEN["box_prefix_distinct_thresholds"]


@pytest.mark.parametrize("truth", Truth)
def test_chance_of_all_prefix_claims(truth):
    claims = claim_set(detail="prefix")
    column = 1 + list(Truth).index(truth)
    distribution = hand_distribution(claims, exact=True)
    rows = GOLDEN["box_prefix_claims_low_to_high"]["rows"]
    assert distribution.p_claims(truth).tolist() == [Fraction(row[column], 7776) for row in rows]
    for row in rows[::23]:
        assert p_claim(row[0], claims, truth=truth, exact=True) == Fraction(row[column], 7776)
        assert p_claim(row[0], claims, truth=truth) == row[column] / 7776


@pytest.mark.parametrize(
    ("equipment", "table"), [("dice", "dice_redraw"), ("cards", "card_redraw")]
)
def test_bx_6_lc_2_what_comes_out_of_every_kept_hand(equipment, table):
    golden, claims = GOLDEN[table], claim_set(equipment)
    kinds = [CATEGORY[name] for name in golden["cats"]]
    kept_hands = EQUIPMENT[equipment].kept_hands
    assert len(golden["table"]) == len(kept_hands)
    for text, ways in golden["table"].items():
        kept = parse_kept("" if text == "-" else text, claims)
        assert kept in kept_hands
        n_ways = EQUIPMENT[equipment].n_redraws(5 - len(kept))
        chances = hand_distribution(claims, kept, exact=True).categories()
        assert [chances[kind] for kind in kinds] == [Fraction(way, n_ways) for way in ways]


def test_lc_2_number_of_draws():
    for k, n_ways in GOLDEN["card_redraw"]["denominators"].items():
        assert EQUIPMENT["cards"].n_redraws(int(k)) == n_ways


def test_first_deal_of_cards():
    distribution = hand_distribution(claim_set("cards"), exact=True)
    for name, row in GOLDEN["card_deal"].items():
        assert distribution.p_category(CATEGORY[name]) == Fraction(row["ways"], 42504)
        assert float(distribution.p_category(CATEGORY[name])) == row["p"]


@pytest.mark.parametrize("name", ["classic", "box"])
def test_best_dice_to_keep_to_beat_a_hand(name):
    claims = claim_set(ranking=name)
    rows = GOLDEN["best_keep_to_beat_own_hand"][name]
    assert len(rows) == 252
    for text, kept, ways, n_ways in rows:
        best = best_keep(text, claims, exact=True)
        assert best.prob == Fraction(ways, n_ways)
        assert 6**best.n_thrown == n_ways  # the fewest dice thrown among equals
        options = {option.kept: option.prob for option in keep_options(text, claims, exact=True)}
        assert options[parse_kept(kept, claims)] == best.prob


@pytest.mark.parametrize("throws", range(6))
def test_cl_q1_five_aces_with_aces_kept(throws):
    for aces, exact in enumerate(GOLDEN["five_aces"]["keep"][str(throws)]):
        assert p_five_aces(throws, aces=aces, exact=True) == Fraction(exact)
        assert p_five_aces(throws, aces=aces) == float(Fraction(exact))


@pytest.mark.parametrize("aces", [0, 3])
def test_cl_q1_best_play_for_five_aces_keeps_aces(aces):
    claims = claim_set(ranking="classic")
    exact = GOLDEN["five_aces"]["keep"]["3"][aces]
    assert p_claim("AAAAA", claims, kept="A" * aces, throws=3, exact=True) == Fraction(exact)


def test_cl_q1_readings_of_the_five_throws():
    readings = {name.split()[0]: row for name, row in GOLDEN["five_aces"]["readings"].items()}
    assert p_five_aces(exact=True) == Fraction(readings["fresh_keep"]["exact"])
    assert p_five_aces(keep=False, exact=True) == Fraction(readings["fresh_all"]["exact"])
    assert p_five_aces(1, exact=True) == Fraction(readings["one_throw_all"]["exact"])
    for row in readings["carry_keep"]:
        assert p_five_aces(aces=row["aces"], exact=True) == Fraction(row["exact"])


class TestDoubtfulDice:
    golden = GOLDEN["doubtful_dice_generala"]

    def test_dd_q1_boxes(self):
        hands = EQUIPMENT["dice"].hands
        ways, scores = {}, {}
        for hand in hands:
            kind = GENERALA_BOXES.category(hand)
            ways[kind.value] = ways.get(kind.value, 0) + hand_weight(hand)
            if kind is Category.NUMBER:
                score = str(GENERALA_BOXES.score(hand))
                scores[score] = scores.get(score, 0) + hand_weight(hand)
        assert ways == self.golden["boxes_category_counts"]
        assert scores == self.golden["number_box_best_score_counts"]

    def test_dd_q1_completed_as_in_poker(self):
        distribution = hand_distribution(
            claim_set(ranking="doubtful_dice_poker_completion"), exact=True
        )
        for name, ways in self.golden["poker_completion_counts"].items():
            kinds = ["run_lo", "run_hi"] if name == "straight" else [name]
            chance = sum(distribution.p_category(CATEGORY[kind]) for kind in kinds)
            assert chance == Fraction(ways, 7776)

    @pytest.mark.parametrize(
        ("ranking", "name"),
        [
            (GENERALA_POKER, "12345,23456"),
            (GENERALA_WRAP_RUN, "plus wrap 34561"),
            (GENERALA_ACE_RUNS, "plus ace may stand for 2 or 6 (e.g. 11345)"),
        ],
    )
    def test_dd_q8_straights(self, ranking, name):
        distribution = hand_distribution(ClaimSet(EQUIPMENT["dice"], ranking), exact=True)
        runs = {
            kind: p for kind, p in distribution.categories().items() if kind.value.endswith("_run")
        }
        ways = self.golden["straight_definitions_counts"][name]
        assert sum(runs.values()) == Fraction(ways, 7776)

    @pytest.mark.parametrize(
        ("detail", "name"),
        [("lead", "lead (category + first rank)"), ("primary", "primary"), ("full", "full")],
    )
    def test_dd_q2_number_of_announcements(self, detail, name):
        claims = claim_set("dice", "doubtful_dice_poker_completion", detail)
        assert len(claims) == self.golden["distinct_claims"][name]

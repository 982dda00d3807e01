"""Hands that count for more or fewer dice than they have."""

from itertools import product

import pytest

from liarsolve.dice import count_matches
from liarsolve.errors import InputError, RuleError
from liarsolve.game import compile_graph
from liarsolve.play import ProbabilityPlayer, RandomPlayer, Turn, play_match
from liarsolve.rules import Bid, HandBonus, Round, RuleSet, presets
from liarsolve.rules.bidding.hand_count import count_hand
from liarsolve.strategy import read_situation, solve

SNYD = presets.SNYD.replace(hand_bonus="stairs")


@pytest.mark.parametrize(
    ("bonus", "hand", "face", "count"),
    [
        ("none", (1, 2, 3, 4, 5), 4, 2),
        ("straight_zero", (1, 2, 3, 4, 5), 4, 0),
        ("straight_zero", (2, 3, 4, 5, 6), 4, 0),
        ("straight_zero", (1, 2, 3, 4, 6), 4, 2),
        ("straight_zero", (1, 2, 3, 4), 4, 2),
        ("five_alike_plus_1", (4, 4, 4, 4, 4), 4, 6),
        ("five_alike_plus_1", (1, 1, 4, 4, 4), 4, 6),
        ("five_alike_plus_1", (1, 1, 4, 4, 5), 4, 4),
        ("five_alike_plus_1", (4, 4, 4, 4), 4, 4),
        ("stairs", (1, 2, 3), 6, 4),
        ("stairs", (1,), 6, 2),
        ("stairs", (1, 2, 3, 4, 5), 6, 6),
        ("stairs", (1, 3, 4), 6, 1),
        ("stairs", (2, 3, 4), 3, 1),
    ],
)
def test_what_a_hand_counts(bonus, hand, face, count):
    assert count_hand(hand, face, 1, HandBonus(bonus)) == count


def test_without_a_bonus_dice_are_counted():
    for hand in product(range(1, 4), repeat=3):
        ordered = tuple(sorted(hand))
        assert count_hand(ordered, 2, 1, HandBonus.NONE) == count_matches(hand, 2, 1)


def test_stairs_decide_the_showdown():
    round_ = Round(SNYD, (3, 1))
    state = round_.state_after(["5x6", "liar"])
    outcome = round_.showdown(state, [(1, 2, 3), (6,)])
    assert (outcome.count, outcome.kind.value) == (5, "challenger_loses")
    plain = Round(presets.SNYD, (3, 2))
    assert plain.showdown(plain.state_after(["5x6", "liar"]), [(1, 2, 3), (6, 6)]).count == 3


def test_bids_go_as_high_as_hands_can_count():
    round_ = Round(SNYD, (3, 1))
    assert (round_.max_count, round_.max_quantity) == (6, 6)
    assert round_.illegal_reason(round_.initial_state(), Bid(7, 2)) == (
        "opening bid refused: PE?7 with hand_bonus=stairs, the 4 dice on the table count 6 at "
        "most, got 7x2"
    )
    assert Round(presets.COMMON.replace(hand_bonus="five_alike_plus_1"), (5, 2)).max_quantity == 8
    assert Round(presets.COMMON.replace(hand_bonus="straight_zero"), (5, 2)).max_quantity == 7


@pytest.mark.parametrize("bonus", ["straight_zero", "five_alike_plus_1", "stairs"])
def test_what_players_reckon_is_what_comes_out_over_all_throws(bonus):
    options = {"faces": 2 if bonus != "stairs" else 3, "wild": "ones", "hand_bonus": bonus}
    rules = RuleSet().replace(**options)
    dice = (1, 2) if bonus == "stairs" else (1, 5)
    round_ = Round(rules, dice)
    state = round_.state_after(["2x2"])
    own = (1, 2) if bonus == "stairs" else (1, 1, 2, 2, 2)
    turn = Turn(round_, own, state.bids, round_.legal_actions(state))
    throws = [(die,) for die in range(1, rules.faces + 1)]
    counts = [
        count_hand(hand, 2, 1, rules.hand_bonus) + count_hand(own, 2, 1, rules.hand_bonus)
        for hand in throws
    ]
    for quantity in range(1, round_.max_quantity + 1):
        bid = Bid(quantity, 2)
        expected = sum(count >= quantity for count in counts) / len(counts)
        if quantity >= 2:
            assert turn.p_true(bid) == expected
    assert turn.p_exact() == counts.count(2) / len(counts)
    assert turn.excess() == (2 * len(counts) - sum(counts)) / len(counts)


def test_the_ready_players_play_it():
    played = play_match([ProbabilityPlayer(), RandomPlayer()], SNYD.replace(dice=3), rng=1)
    assert played.winners == played.score.live


def test_solving_and_odds_refuse_it():
    with pytest.raises(RuleError, match=r"^hand_bonus=stairs lets hands count for other numbers"):
        solve(SNYD, (1, 1))
    with pytest.raises(RuleError, match="which solving does not know; use hand_bonus=none"):
        compile_graph(Round(SNYD, (1, 1, 1)))
    known = read_situation(SNYD, hand="2", dice=(1, 1), history=["1x2"])
    with pytest.raises(InputError, match=r"^with hand_bonus=stairs, hands count for other numbers"):
        known.p_true()

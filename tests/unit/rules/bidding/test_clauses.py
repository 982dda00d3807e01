"""Every clause of the rules of a round, by its number: PE is Perudo, LD is Liar's Dice."""

from itertools import product

import pytest

from liarsolve.errors import IllegalActionError
from liarsolve.rules import CHALLENGE, EXACT, Bid, OutcomeKind, Round, presets

PERUDO, LIARS_DICE = presets.PERUDO, presets.LIARS_DICE
TEN_EACH = (5, 5)


def is_legal(rules, history, action, dice=TEN_EACH, **round_options):
    round_ = Round(rules, dice, **round_options)
    return round_.illegal_reason(round_.state_after(history), action) is None


def reason(rules, history, action, dice=TEN_EACH, player=None, **round_options):
    round_ = Round(rules, dice, **round_options)
    return round_.illegal_reason(round_.state_after(history), action, player)


def outcome(rules, actions, hands, **round_options):
    round_ = Round(rules, tuple(map(len, hands)), **round_options)
    return round_.showdown(round_.state_after(actions), hands)


# --- Perudo ---------------------------------------------------------------------------------------


def test_pe_1_a_bid_claims_at_least_its_quantity_over_all_players():
    hands = [(3, 3), (3, 4), (3, 5)]
    assert outcome(PERUDO, ["3x3", "liar"], hands).kind is OutcomeKind.CHALLENGER_LOSES
    assert outcome(PERUDO, ["4x3", "liar"], hands).kind is OutcomeKind.CHALLENGER_LOSES
    assert outcome(PERUDO, ["5x3", "liar"], hands).kind is OutcomeKind.BIDDER_LOSES


def test_pe_2_the_round_may_open_with_anything_except_ones():
    round_ = Round(PERUDO, (2, 1))
    opening = round_.legal_actions(round_.initial_state())
    assert set(opening) == {Bid(q, f) for q, f in product((1, 2, 3), range(2, 7))}
    assert reason(PERUDO, [], Bid(2, 1)) == (
        "opening bid refused: PE.2 ones may not open the round, got 2x1"
    )


def test_pe_3a_same_quantity_and_higher_face_or_higher_quantity_of_any_face_but_ones():
    assert is_legal(PERUDO, ["2x4"], Bid(2, 5))
    assert is_legal(PERUDO, ["2x4"], Bid(3, 2))
    assert is_legal(PERUDO, ["2x4"], Bid(5, 3))  # jumps are allowed
    assert reason(PERUDO, ["2x4"], Bid(2, 3)) == (
        "raise refused: PE.3a a raise needs more dice, or as many of a higher face; got 2x3 on 2x4"
    )
    assert not is_legal(PERUDO, ["2x4"], Bid(2, 4))
    assert not is_legal(PERUDO, ["2x4"], Bid(1, 6))


def test_pe_3b_ones_need_half_the_quantity_rounded_up():
    assert is_legal(PERUDO, ["5x6"], Bid(3, 1))
    assert is_legal(PERUDO, ["4x2"], Bid(2, 1))
    assert reason(PERUDO, ["5x6"], Bid(2, 1)) == (
        "raise refused: PE.3b ones must be at least half the quantity, 5x6 needs at least 3; "
        "got 2x1"
    )


def test_pe_3c_after_ones_more_ones_or_more_than_double_of_another_face():
    history = ["7x6", "4x1"]
    assert is_legal(PERUDO, history, Bid(5, 1))
    assert is_legal(PERUDO, history, Bid(9, 5))
    assert is_legal(PERUDO, history, Bid(9, 2))
    assert not is_legal(PERUDO, history, Bid(4, 1))
    assert reason(PERUDO, history, Bid(8, 2)) == (
        "raise refused: PE.3c after ones the quantity must be more than double, "
        "4x1 needs at least 9; got 8x2"
    )


def test_pe_3d_instead_of_raising_dudo():
    assert is_legal(PERUDO, ["2x4"], CHALLENGE)
    assert reason(PERUDO, [], CHALLENGE) == ("challenge refused: there is no bid to challenge yet")


def test_pe_3e_instead_of_raising_annyi():
    assert is_legal(PERUDO, ["2x4"], EXACT)
    assert reason(PERUDO, [], EXACT) == "exact call refused: there is no bid to call exact yet"


def pe_3_literally(last, bid):
    """The clause word by word, without the order that the library makes of it."""
    if last.face == 1:
        return bid.quantity > last.quantity if bid.face == 1 else bid.quantity > 2 * last.quantity
    if bid.face == 1:
        return bid.quantity >= -(-last.quantity // 2)
    return bid.quantity > last.quantity or (bid.quantity == last.quantity and bid.face > last.face)


def test_pe_3_is_one_total_order():
    round_ = Round(PERUDO, (4, 4))
    for last, bid in product(round_.bids, repeat=2):
        assert pe_3_literally(last, bid) == (round_.bid_id(bid) > round_.bid_id(last))


def test_pe_4_ones_are_jokers_for_other_faces_only():
    hands = [(1, 4), (1, 6)]
    assert outcome(PERUDO, ["3x4", "liar"], hands).count == 3
    assert outcome(PERUDO, ["1x4", "1x1", "liar"], hands).count == 2


def test_pe_4_ones_stay_jokers_after_they_have_been_bid():
    assert outcome(PERUDO, ["1x4", "1x1", "3x4", "liar"], [(1, 4), (1, 6)]).count == 3


@pytest.mark.parametrize(
    ("bid", "kind", "winner", "loser"),
    [
        ("3x4", OutcomeKind.CHALLENGER_LOSES, 0, 1),
        ("2x4", OutcomeKind.CHALLENGER_LOSES, 0, 1),
        ("4x4", OutcomeKind.BIDDER_LOSES, 1, 0),
    ],
)
def test_pe_5_dudo_wins_if_fewer_match_than_were_bid(bid, kind, winner, loser):
    result = outcome(PERUDO, [bid, "dudo"], [(1, 4), (1, 6), (2, 3)])
    assert (result.kind, result.winner, result.loser) == (kind, winner, loser)
    assert (result.bidder, result.caller, result.count) == (0, 1, 3)


@pytest.mark.parametrize(
    ("bid", "kind", "winner", "loser"),
    [
        ("3x4", OutcomeKind.EXACT_RIGHT, 1, None),
        ("2x4", OutcomeKind.EXACT_WRONG, None, 1),
        ("4x4", OutcomeKind.EXACT_WRONG, None, 1),
    ],
)
def test_pe_6_annyi_is_right_if_exactly_as_many_match(bid, kind, winner, loser):
    result = outcome(PERUDO, [bid, "calza"], [(1, 4), (1, 6), (2, 3)])
    assert (result.kind, result.winner, result.loser) == (kind, winner, loser)


@pytest.mark.parametrize(("bid", "winner", "loser"), [("3x4", 1, 0), ("2x4", 0, 1)])
def test_pe_6_between_two_players_annyi_goes_against_the_other(bid, winner, loser):
    result = outcome(PERUDO, [bid, "calza"], [(1, 4), (1, 6)])
    assert (result.winner, result.loser) == (winner, loser)


def test_pe_6_annyi_may_ask_for_three_players():
    official = PERUDO.replace(exact_min_players=3)
    assert is_legal(official, ["2x4"], EXACT, dice=(5, 5, 5))
    assert reason(official, ["2x4"], EXACT) == (
        "exact call refused: PE.6 it needs at least 3 players, there are 2"
    )
    assert is_legal(PERUDO, ["2x4"], EXACT)


def test_pe_7_any_face_including_ones_may_open_a_palifico_round():
    round_ = Round(PERUDO, (1, 3, 2), palifico=True)
    assert round_.legal_actions(round_.initial_state()) == tuple(
        Bid(q, f) for q, f in product(range(1, 7), range(1, 7))
    )


def test_pe_7_ones_are_no_jokers_in_a_palifico_round():
    hands = [(4,), (1, 6), (1, 4)]
    assert outcome(PERUDO, ["2x4", "liar"], hands, palifico=True).count == 2
    assert outcome(PERUDO, ["2x4", "liar"], hands).count == 4


def test_pe_7_players_with_more_than_one_die_may_not_change_the_face():
    history = ["1x3"]
    assert is_legal(PERUDO, history, Bid(2, 3), dice=(1, 3, 1), palifico=True)
    assert reason(PERUDO, history, Bid(2, 4), dice=(1, 3, 1), palifico=True) == (
        "raise refused: PE.7 only players with one die may change the face in a palifico round, "
        "player 1 has 3 dice; got 2x4 on 1x3"
    )
    assert is_legal(PERUDO, history, Bid(1, 4), dice=(1, 1, 3), palifico=True)


def test_pe_7_a_palifico_round_of_two_can_be_analysed():
    round_ = Round(PERUDO, (1, 2), palifico=True)
    assert " ".join(map(str, round_.legal_actions(round_.state_after(["1x3"])))) == "2x3 3x3 liar"


def test_pe_q1_exactly_half():
    exact_half = PERUDO.replace(ones_entry="exact_half")
    assert is_legal(PERUDO, ["5x6"], Bid(4, 1))
    assert is_legal(exact_half, ["5x6"], Bid(3, 1))
    assert reason(exact_half, ["5x6"], Bid(4, 1)) == (
        "raise refused: PE?1 ones must be exactly half the quantity, rounded up, 5x6 needs 3; "
        "got 4x1"
    )
    assert not is_legal(exact_half, ["5x6"], Bid(2, 1))
    assert is_legal(exact_half, ["5x6", "3x1"], Bid(5, 1))


def test_pe_q1_one_more_than_half():
    plus_one = PERUDO.replace(ones_entry="half_plus_one")
    assert reason(plus_one, ["5x6"], Bid(3, 1)) == (
        "raise refused: PE?1 ones must be at least one more than half the quantity, rounded up, "
        "5x6 needs at least 4; got 3x1"
    )
    assert is_legal(plus_one, ["5x6"], Bid(4, 1))
    assert is_legal(plus_one, ["5x6"], Bid(5, 1))
    assert is_legal(plus_one, ["4x6"], Bid(3, 1))
    assert is_legal(plus_one, ["5x6", "4x1"], Bid(9, 2))
    assert not is_legal(plus_one, ["5x6", "4x1"], Bid(8, 6))


def test_the_half_rule_goes_without_wild_ones_too():
    plain = PERUDO.replace(wild="none")
    assert plain.ones_slot is PERUDO.ones_slot
    assert is_legal(plain, ["5x6"], Bid(3, 1))
    assert not is_legal(plain, ["5x6"], Bid(2, 1))
    assert not is_legal(plain, ["5x6", "3x1"], Bid(6, 6))
    assert is_legal(plain, ["5x6", "3x1"], Bid(7, 2))
    assert Round(plain, (5, 5)).wild_face(Round(plain, (5, 5)).state_after(["5x6"])) is None


@pytest.mark.parametrize(
    ("palifico_face", "legal_for"),
    [
        ("one_die_may_change", [1]),
        ("locked_all", []),
        ("ex_palifico_may_change", [2]),
        ("none", [1, 2, 3]),
    ],
)
def test_pe_q2_who_may_change_the_face_in_a_palifico_round(palifico_face, legal_for):
    rules = PERUDO.replace(palifico_face=palifico_face)
    round_ = Round(rules, (1, 1, 3, 3), palifico=True, ex_palifico=frozenset({2}))
    histories = {1: ["1x3"], 2: ["1x3", "2x3"], 3: ["1x3", "2x3", "3x3"]}
    may_change = [
        player
        for player, history in histories.items()
        if round_.illegal_reason(round_.state_after(history), Bid(4, 4)) is None
    ]
    assert may_change == legal_for


def test_pe_q2_refusals_say_who_may_change_the_face():
    locked = PERUDO.replace(palifico_face="locked_all")
    assert reason(locked, ["1x3"], Bid(1, 4), palifico=True) == (
        "raise refused: PE.7 nobody may change the face in a palifico round; got 1x4 on 1x3"
    )
    veterans = PERUDO.replace(palifico_face="ex_palifico_may_change")
    assert reason(veterans, ["1x3"], Bid(1, 4), palifico=True) == (
        "raise refused: PE.7 only players who have been palifico may change the face in a "
        "palifico round, player 1 has not; got 1x4 on 1x3"
    )


def test_pe_q2_in_a_palifico_round_ones_are_lowest_and_there_is_no_half_rule():
    round_ = Round(PERUDO, (1, 1), palifico=True)
    assert round_.bids == tuple(Bid(q, f) for q, f in product((1, 2), range(1, 7)))
    assert reason(PERUDO, ["3x6"], Bid(2, 1), dice=(1, 1, 9), palifico=True) == (
        "raise refused: PE?2 a raise needs more dice, or as many of a higher face; got 2x1 on 3x6"
    )
    assert is_legal(PERUDO, ["2x1"], Bid(2, 2), dice=(1, 1, 9), palifico=True)


@pytest.mark.parametrize(
    ("exact_who", "callers"),
    [("off", []), ("next", [1]), ("any_but_bidder", [1, 2, 3]), ("off_turn_only", [2, 3])],
)
def test_pe_q3_who_may_call_annyi(exact_who, callers):
    round_ = Round(PERUDO.replace(exact_who=exact_who), (2, 2, 2, 2))
    state = round_.state_after(["2x4"])
    may_call = [p for p in range(4) if EXACT in round_.legal_actions(state, player=p)]
    assert may_call == callers
    for player in callers:
        assert round_.next_state(state, EXACT, player=player).caller == player


def test_pe_q3_refusals_of_annyi():
    dice = (2, 2, 2)
    assert reason(PERUDO, ["2x4"], EXACT, dice, player=2) == (
        "exact call refused: PE?3 only the player on turn, 1, may call exact, not player 2"
    )
    assert reason(PERUDO, ["2x4"], EXACT, dice, player=0) == (
        "exact call refused: player 0 made the standing bid 2x4"
    )
    off_turn = PERUDO.replace(exact_who="off_turn_only")
    assert reason(off_turn, ["2x4"], EXACT, dice) == (
        "exact call refused: PE?3 only players who are not on turn may call exact, not player 1"
    )


def test_pe_q4_no_annyi_in_a_palifico_round():
    assert reason(PERUDO, ["2x4"], EXACT, dice=(1, 5, 5), palifico=True) == (
        "exact call refused: PE?4 there is no exact call in a palifico round"
    )


def test_pe_q7_bids_are_capped_at_the_dice_on_the_table():
    assert is_legal(PERUDO, ["2x4"], Bid(10, 6))
    assert reason(PERUDO, ["2x4"], Bid(11, 6)) == (
        "raise refused: PE?7 there are 10 dice on the table, got 11x6"
    )


def test_pe_q7_after_the_highest_bid_only_the_calls_remain():
    round_ = Round(PERUDO, (1, 1))
    assert round_.legal_actions(round_.state_after(["1x2", "2x1"])) == (CHALLENGE, EXACT)


def test_pe_q8_a_challenge_out_of_turn_is_refused():
    assert reason(PERUDO, ["2x4"], CHALLENGE, dice=(5, 5, 5), player=2) == (
        "challenge refused: LD?3 only the player on turn, 1, may challenge, not player 2"
    )


# --- Liar's Dice ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_players", range(2, 7))
def test_ld_1_two_to_six_players_with_five_dice_take_turns(n_players):
    round_ = Round(LIARS_DICE, (5,) * n_players)
    state = round_.initial_state()
    for turn in range(2 * n_players):
        assert round_.to_act(state) == turn % n_players
        state = round_.next_state(state, round_.legal_actions(state)[0])
        assert round_.bidder(state) == turn % n_players


def test_ld_2_after_three_fours():
    assert is_legal(LIARS_DICE, ["3x4"], Bid(4, 2))
    assert is_legal(LIARS_DICE, ["3x4"], Bid(3, 5))
    assert reason(LIARS_DICE, ["3x4"], Bid(3, 2)) == (
        "raise refused: LD.2 a raise needs more dice, or as many of a higher face; got 3x2 on 3x4"
    )
    assert not is_legal(LIARS_DICE, ["3x4"], Bid(2, 6))


def test_ld_4_ones_are_wild_until_somebody_bids_ones():
    hands = [(1, 4), (1, 6)]
    assert outcome(LIARS_DICE, ["3x4", "liar"], hands).count == 3
    assert outcome(LIARS_DICE, ["1x4", "2x1", "liar"], hands).count == 2


def test_ld_4_the_lock_holds_for_later_bids_on_other_faces():
    hands = [(1, 4), (1, 6)]
    assert outcome(LIARS_DICE, ["1x4", "2x1", "3x4", "liar"], hands).count == 1
    assert outcome(LIARS_DICE, ["1x1", "3x4", "liar"], hands).count == 1


def test_ld_4_the_lock_shows_in_the_state():
    round_ = Round(LIARS_DICE, (2, 2))
    before, after = round_.state_after(["1x4"]), round_.state_after(["1x4", "2x1", "2x4"])
    assert (round_.is_locked(before), round_.wild_face(before)) == (False, 1)
    assert (round_.is_locked(after), round_.wild_face(after)) == (True, None)


def test_ld_5_count_at_least_the_bid_and_the_challenger_loses():
    hands = [(4, 4), (5, 6)]
    true, false = (outcome(LIARS_DICE, [bid, "liar"], hands) for bid in ("2x4", "3x4"))
    assert (true.kind, true.loser, true.winner) == (OutcomeKind.CHALLENGER_LOSES, 1, 0)
    assert (false.kind, false.loser, false.winner) == (OutcomeKind.BIDDER_LOSES, 0, 1)


def test_ld_5_there_is_no_exact_call():
    assert reason(LIARS_DICE, ["2x4"], EXACT) == (
        "exact call refused: with exact_who=off, there is no exact call"
    )


def test_ld_q1_ones_rank_lowest_or_highest():
    assert not is_legal(LIARS_DICE, ["3x6"], Bid(3, 1))
    assert is_legal(LIARS_DICE, ["3x1"], Bid(3, 2))
    high = LIARS_DICE.replace(ones_slot="face_high")
    assert is_legal(high, ["3x6"], Bid(3, 1))
    assert reason(high, ["3x1"], Bid(3, 2)) == (
        "raise refused: LD.2 a raise needs more dice, or as many of a higher face "
        "(faces rank 2, 3, 4, 5, 6, 1); got 3x2 on 3x1"
    )


def test_ld_q2_ones_may_open_and_lock_at_once():
    round_ = Round(LIARS_DICE, (2, 2))
    assert round_.is_locked(round_.state_after(["1x1"]))


def test_ld_q2_the_milder_lock_needs_an_opening_on_ones():
    mild = LIARS_DICE.replace(wild_until="opening_ones")
    hands = [(1, 4), (1, 6)]
    assert outcome(mild, ["1x1", "3x4", "liar"], hands).count == 1
    assert outcome(mild, ["1x4", "2x1", "3x4", "liar"], hands).count == 3


def test_ld_q3_any_player_but_the_bidder_may_challenge():
    round_ = Round(LIARS_DICE.replace(challenge_who="any"), (1, 1, 1))
    state = round_.state_after(["2x4"])
    assert round_.legal_actions(state, player=0) == ()
    assert round_.legal_actions(state, player=2) == (CHALLENGE,)
    assert CHALLENGE in round_.legal_actions(state, player=1)
    called = round_.next_state(state, CHALLENGE, player=2)
    result = round_.showdown(called, [(4,), (4,), (4,)])
    assert (result.caller, result.loser, result.winner) == (2, 2, 0)
    with pytest.raises(
        IllegalActionError, match=r"^challenge refused: player 0 made the standing bid 2x4$"
    ):
        round_.next_state(state, CHALLENGE, player=0)


def test_ld_q5_bids_are_capped():
    assert not is_legal(LIARS_DICE, [], Bid(11, 2))

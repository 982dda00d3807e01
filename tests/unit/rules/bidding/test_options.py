"""Every option changes what may be done, or what it is worth."""

from itertools import product

import pytest

from liarsolve.errors import InputTypeError
from liarsolve.rules import CHALLENGE, EXACT, Bid, BiddingMatch, Round, RuleSet, option_values

ONES_WILD = {"wild": "ones"}
HALF_RULE = {"wild": "ones", "ones_slot": "after_2n"}

# option, value, value to compare with, other options, round
CHANGES = [
    ("faces", 4, 3, {}, {}),
    ("wild", "ones", "none", {}, {}),
    ("wild", "top_face", "ones", {}, {}),
    ("wild_until", "any_ones_bid", "never_locked", ONES_WILD, {}),
    ("wild_until", "opening_ones", "any_ones_bid", ONES_WILD, {}),
    ("ones_slot", "face_high", "face_low", ONES_WILD, {}),
    ("ones_slot", "after_2n", "before_2n", ONES_WILD, {}),
    ("ones_slot", "forbidden", "face_low", ONES_WILD, {}),
    ("open_ones", "no", "yes", {}, {}),
    ("ones_entry", "exact_half", "at_least_half", HALF_RULE, {}),
    ("ones_entry", "half_plus_one", "at_least_half", HALF_RULE, {}),
    ("ones_slot", "after_2n", "face_low", {}, {}),
    ("raise_rule", "count_or_face", "reset_quantity", {}, {}),
    ("raise_rule", "strict", "count_or_face", {}, {}),
    ("raise_rule", "no_decrease", "strict", {}, {}),
    ("raise_rule", "face_wrap", "strict", {}, {}),
    ("hand_bonus", "stairs", "none", {}, {}),
    ("hand_bonus", "stairs", "five_alike_plus_1", {}, {}),
    ("open_min", "n_players", "1", {}, {}),
    ("open_min", "1.5n", "n_players", {}, {}),
    ("cap_bids", False, True, {}, {}),
    ("challenge_who", "any", "next", {}, {}),
    ("exact_who", "next", "off", {}, {}),
    ("exact_who", "any_but_bidder", "next", {}, {}),
    ("exact_who", "off_turn_only", "any_but_bidder", {}, {}),
    ("exact_min_players", 4, 3, {"exact_who": "next"}, {}),
    ("palifico_face", "locked_all", "one_die_may_change", {}, {"palifico": True}),
    ("palifico_face", "none", "locked_all", {}, {"palifico": True}),
    (
        "palifico_face",
        "ex_palifico_may_change",
        "locked_all",
        {},
        {"palifico": True, "ex_palifico": frozenset({1})},
    ),
]


def picture(rules, round_options):
    """All that may be done in the first three turns of three players, and which face is wild."""
    round_ = Round(rules, (2, 1, 2), **round_options)
    seen = []
    states = [round_.initial_state()]
    for _ in range(3):
        seen += [
            (state, round_.wild_face(state), [round_.legal_actions(state, p) for p in range(3)])
            for state in states
        ]
        states = [
            round_.next_state(state, action)
            for state in states[:40]
            for action in round_.legal_actions(state)
            if isinstance(action, Bid)
        ]
    return seen


@pytest.mark.parametrize(("option", "value", "other", "options", "round_options"), CHANGES)
def test_the_option_changes_the_round(option, value, other, options, round_options):
    base = RuleSet(faces=3).replace(**options)
    with_value, with_other = (base.replace(**{option: v}) for v in (value, other))
    assert picture(with_value, round_options) != picture(with_other, round_options)


# option, value, value to compare with, other options
WITH_EXACT = {"exact_who": "next", "dice": 3}
MATCH_CHANGES = [
    ("dice", 4, 3, {}),
    ("lives", 2, 0, {}),
    ("loss", "difference", "one", {}),
    ("loss", "transfer", "one", {}),
    ("loss", "winner_discards", "one", {}),
    ("loss", "whole_round", "one", {}),
    ("exact_win", "gain_1", "gain_2", WITH_EXACT | {"gain_cap": 9}),
    ("exact_win", "others_lose_1", "gain_1", WITH_EXACT),
    ("exact_win", "bidder_loses_1", "nothing", WITH_EXACT),
    ("exact_fail", 2, 1, WITH_EXACT),
    ("gain_cap", 4, "start", WITH_EXACT),
    ("exact_bid_bonus", True, False, {}),
    ("palifico", "first_time", "off", {"dice": 2}),
    ("next_starter", "challenger", "loser", {}),
    ("next_starter", "winner", "loser", {}),
    ("next_starter", "rotate", "loser", {}),
    ("next_starter", "caller_of_exact", "loser", WITH_EXACT),
    ("starter_if_out", "winner_of_call", "next_left", {"dice": 1}),
    ("extra_life", "first_out", "off", {"dice": 1}),
    ("extra_life", "everyone", "first_out", {"dice": 1}),
    ("end", "first_out_loses", "last_standing", {"dice": 1}),
    ("end", "single_round", "last_standing", {}),
]


def picture_of_matches(rules):
    """Scores that follow of three rounds, bids being false, exactly right or too low."""
    match, seen = BiddingMatch(rules, 3), []
    scores = [match.start()]
    for _ in range(3):
        following = []
        for score in scores:
            round_ = match.round(score)
            hands = [(2,) * n_dice for n_dice in round_.dice]
            calls = [CHALLENGE]
            if rules.exact_who.value != "off" and not score.is_palifico:
                calls.append(EXACT)
            for quantity, call in product((1, 2, round_.total_dice), calls):
                state = round_.state_after([Bid(quantity, 2), call])
                for seen_hands in (hands, [(1,) * n_dice for n_dice in round_.dice]):
                    after = match.after(score, round_.showdown(state, seen_hands))
                    seen.append(after)
                    if not match.is_over(after):
                        following.append(after)
        scores = following[:30]
    return seen


@pytest.mark.parametrize(("option", "value", "other", "options"), MATCH_CHANGES)
def test_the_option_changes_the_match(option, value, other, options):
    base = RuleSet(faces=3).replace(**options)
    with_value, with_other = (base.replace(**{option: v}) for v in (value, other))
    assert with_value.round_rules == with_other.round_rules
    assert picture_of_matches(with_value) != picture_of_matches(with_other)


def test_every_option_and_every_enum_value_is_tried():
    tried = {option: set() for option in option_values()}
    for option, value, other, *_ in [*CHANGES, *MATCH_CHANGES]:
        tried[option] |= {str(value).lower(), str(other).lower()}
    tried["min_players"] = {"2", "3"}  # in test_match.py
    tried["hand_bonus"] |= {"straight_zero"}  # in test_hand_count.py, it needs five dice
    for option, values in option_values().items():
        expected = set() if "number" in values else set(values.split(", "))
        assert expected <= tried[option]
        assert tried[option]


@pytest.mark.parametrize(
    ("raise_rule", "legal"),
    [
        ("count_or_face", "2x3 3x1 3x2 3x3"),
        ("reset_quantity", "1x3 2x3 3x3 3x2"),
        ("strict", "2x3 3x2"),
        ("no_decrease", "2x3 3x2 3x3"),
        ("face_wrap", "2x3 3x2"),
    ],
)
def test_what_may_follow_two_twos(raise_rule, legal):
    round_ = Round(RuleSet(faces=3).replace(raise_rule=raise_rule), (2, 1))
    actions = round_.legal_actions(round_.state_after(["2x2"]))[:-1]
    assert {str(action) for action in actions} == set(legal.split())


def test_face_wrap_goes_from_the_highest_face_to_the_lowest_with_more_dice():
    round_ = Round(RuleSet(faces=3).replace(raise_rule="face_wrap"), (2, 1))
    actions = round_.legal_actions(round_.state_after(["1x3"]))[:-1]
    assert " ".join(map(str, actions)) == "2x1 2x3 3x1 3x3"


def test_face_wrap_goes_by_the_rank_of_the_faces():
    rules = RuleSet(faces=3).replace(raise_rule="face_wrap", ones_slot="face_high")
    round_ = Round(rules, (2, 1))
    state = round_.state_after(["1x1"])
    assert " ".join(map(str, round_.legal_actions(state)[:-1])) == "2x2 2x1 3x2 3x1"
    assert round_.illegal_reason(state, Bid(2, 3)) == (
        "raise refused: with raise_rule=face_wrap, a raise needs more dice of the same face, or as "
        "many of a higher face, or more dice of face 2 after face 1 (faces rank 2, 3, 1); "
        "got 2x3 on 1x1"
    )


@pytest.mark.parametrize(
    ("raise_rule", "last", "bid", "need"),
    [
        ("reset_quantity", "2x3", "3x2", "a higher face, or more dice of the same face"),
        ("strict", "2x3", "3x2", "more dice of the same face, or as many of a higher face"),
        ("no_decrease", "2x3", "3x2", "more dice or a higher face, and neither may fall"),
        ("no_decrease", "2x2", "2x2", "more dice or a higher face, and neither may fall"),
    ],
)
def test_refusals_of_the_raise_rules(raise_rule, last, bid, need):
    round_ = Round(RuleSet().replace(raise_rule=raise_rule), (3, 3))
    assert round_.illegal_reason(round_.state_after([last]), Bid.parse(bid)) == (
        f"raise refused: with raise_rule={raise_rule}, a raise needs {need}; got {bid} on {last}"
    )


def test_before_2n_ones_stand_just_below_double_of_the_lowest_other_face():
    dudo = RuleSet().replace(wild="ones", ones_slot="before_2n")
    round_ = Round(dudo, (5, 5))
    assert round_.bid_id(Bid(2, 1)) == round_.bid_id(Bid(4, 2)) - 1 == round_.bid_id(Bid(3, 6)) + 1
    assert round_.illegal_reason(round_.state_after(["4x2"]), Bid(2, 1)) == (
        "raise refused: with ones_slot=before_2n, ones must be more than half the quantity, "
        "4x2 needs at least 3; got 2x1"
    )
    assert round_.illegal_reason(round_.state_after(["2x1"]), Bid(3, 6)) == (
        "raise refused: with ones_slot=before_2n, after ones the quantity must be at least double, "
        "2x1 needs at least 4; got 3x6"
    )


def test_stars_stand_before_double_of_the_lowest_face():
    stars = RuleSet(faces=3).replace(wild="top_face", ones_slot="before_2n", open_ones="no")
    round_ = Round(stars, (2, 2))
    assert " ".join(map(str, round_.bids)) == "1x1 1x2 1x3 2x1 2x2 3x1 3x2 2x3 4x1 4x2 3x3 4x3"
    assert round_.illegal_reason(round_.initial_state(), Bid(1, 3)) == (
        "opening bid refused: PE.2 stars may not open the round, got 1x3"
    )
    assert round_.illegal_reason(round_.state_after(["2x1"]), Bid(1, 3)) == (
        "raise refused: with ones_slot=before_2n, stars must be more than half the quantity, "
        "2x1 needs at least 2; got 1x3"
    )


@pytest.mark.parametrize(
    ("wild", "biddable", "forbidden"), [("ones", "1x2", "1x1"), ("top_face", "1x1", "1x6")]
)
def test_the_wild_face_may_be_unbiddable(wild, biddable, forbidden):
    round_ = Round(RuleSet().replace(wild=wild, ones_slot="forbidden"), (1, 1))
    state = round_.initial_state()
    assert round_.illegal_reason(state, Bid.parse(biddable)) is None
    name = "ones" if wild == "ones" else "stars"
    assert round_.illegal_reason(state, Bid.parse(forbidden)) == (
        f"opening bid refused: with ones_slot=forbidden, {name} may not be bid, got {forbidden}"
    )


@pytest.mark.parametrize(
    ("open_min", "n_players", "least"),
    [("1", 3, 1), ("n_players", 3, 3), ("1.5n", 3, 5), ("1.5n", 4, 6)],
)
def test_smallest_opening(open_min, n_players, least):
    round_ = Round(RuleSet().replace(open_min=open_min), (2,) * n_players)
    assert min(bid.quantity for bid in round_.legal_actions(round_.initial_state())) == least


def test_a_small_opening_is_refused_and_a_small_raise_cannot_be():
    round_ = Round(RuleSet().replace(open_min="1.5n"), (2, 2))
    assert round_.illegal_reason(round_.initial_state(), Bid(2, 6)) == (
        "opening bid refused: with open_min=1.5n, an opening bid needs at least 3 dice with 2 "
        "players, got 2x6"
    )
    assert round_.illegal_reason(round_.state_after(["3x2"]), Bid(3, 3)) is None


def test_without_cap_one_die_more_than_on_the_table_may_be_bid():
    round_ = Round(RuleSet().replace(cap_bids="false"), (1, 1))
    state = round_.state_after(["2x6"])
    assert round_.illegal_reason(state, Bid(3, 1)) is None
    assert round_.illegal_reason(state, Bid(4, 1)) == (
        "raise refused: with cap_bids=false, bids still end one above the 2 dice on the table, "
        "at 3; got 4x1"
    )


def test_palifico_lifts_the_ban_on_bidding_and_opening_ones():
    for options in ({"ones_slot": "forbidden"}, {"open_ones": "no"}):
        round_ = Round(RuleSet().replace(wild="ones", **options), (1, 1), palifico=True)
        assert round_.illegal_reason(round_.initial_state(), Bid(1, 1)) is None
        assert round_.wild_face(round_.state_after(["1x2"])) is None


def test_palifico_knows_no_lock():
    rules = RuleSet().replace(wild="ones", wild_until="any_ones_bid")
    round_ = Round(rules, (1, 1), palifico=True)
    assert not round_.is_locked(round_.state_after(["1x1"]))


@pytest.mark.parametrize("raise_rule", ["reset_quantity", "strict", "no_decrease", "face_wrap"])
def test_the_raise_rule_stays_in_force_in_a_palifico_round(raise_rule):
    rules = RuleSet(faces=3).replace(raise_rule=raise_rule)
    normal, palifico = (Round(rules, (1, 1, 1), palifico=p) for p in (False, True))
    for last, bid in product(normal.bids, repeat=2):
        assert (normal.illegal_reason(normal.state_after([last]), bid) is None) == (
            palifico.illegal_reason(palifico.state_after([last]), bid) is None
        )


@pytest.mark.parametrize("actions", ["2x3", b"2x2", 5])
def test_a_history_is_listed(actions):
    with pytest.raises(
        InputTypeError, match=r"a history is a list of bids such as .*, got b?'?[25]"
    ):
        Round(RuleSet(), (1, 1)).state_after(actions)

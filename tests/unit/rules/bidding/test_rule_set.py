import re

import pytest

from liarsolve.errors import RuleError
from liarsolve.rules import OpenOnes, RuleSet, Wild, WildUntil, option_values, presets

PERUDO, LIARS_DICE = presets.PERUDO, presets.LIARS_DICE


def test_replace_takes_the_strings_of_players():
    rules = presets.COMMON.replace(wild="ones", ones_slot="after_2n", open_ones="no")
    assert rules.round_rules == PERUDO.replace(exact_who="off").round_rules
    assert rules.replace(faces="3", cap_bids="False").to_dict() == {
        "name": "common, wild=ones, ones_slot=after_2n, open_ones=no, faces=3, cap_bids=false",
        "faces": 3,
        "wild": "ones",
        "wild_until": "never_locked",
        "ones_slot": "after_2n",
        "open_ones": "no",
        "ones_entry": "at_least_half",
        "raise_rule": "count_or_face",
        "open_min": "1",
        "cap_bids": False,
        "challenge_who": "next",
        "exact_who": "off",
        "exact_min_players": 2,
        "palifico_face": "one_die_may_change",
        "hand_bonus": "none",
        "dice": 5,
        "lives": 0,
        "loss": "one",
        "exact_win": "gain_1",
        "exact_fail": 1,
        "gain_cap": "start",
        "exact_bid_bonus": False,
        "palifico": "off",
        "next_starter": "loser",
        "starter_if_out": "next_left",
        "extra_life": "off",
        "end": "last_standing",
        "min_players": 2,
    }


def test_replace_takes_members_numbers_and_booleans():
    assert PERUDO.replace(open_ones=OpenOnes.YES, faces=4, cap_bids=False, open_min=1) == (
        PERUDO.replace(open_ones="yes", faces="4", cap_bids="no", open_min="1")
    )


def test_replace_leaves_the_original_alone():
    PERUDO.replace(faces=3)
    assert PERUDO.faces == 6


def test_the_name_is_a_label_only():
    renamed = PERUDO.replace(name="house rules")
    assert renamed == PERUDO
    assert hash(renamed) == hash(PERUDO)
    assert renamed.name == "house rules"
    assert PERUDO.replace(faces=6).name == "perudo"


@pytest.mark.parametrize("wild", ["none", "top_face"])
def test_a_lock_goes_with_the_wild_ones(wild):
    rules = LIARS_DICE.replace(wild=wild)
    assert rules.wild_until is WildUntil.NEVER_LOCKED
    assert rules.name == f"liars_dice, wild={wild}"


def test_dict_round_trip():
    for rules in presets.BIDDING_PRESETS.values():
        copy = RuleSet.from_dict(rules.to_dict())
        assert (copy, copy.name) == (rules, rules.name)


def test_missing_options_take_their_default():
    assert RuleSet.from_dict({}) == RuleSet()


def test_every_option_lists_its_values():
    assert set(option_values()) | {"name"} == set(RuleSet().to_dict())
    assert option_values()["open_min"] == "1, n_players, 1.5n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"wild": "joker"}, "wild=joker is not allowed; allowed: none, ones, top_face"),
        ({"open_ones": True}, "open_ones=True is not allowed; allowed: yes, no"),
        ({"wild": OpenOnes.NO}, "wild=<OpenOnes.NO: 'no'> is not allowed; "
            "allowed: none, ones, top_face"),
        ({"cap_bids": "maybe"}, "cap_bids=maybe is not allowed; allowed: true, false"),
        ({"faces": "six"}, "faces=six is not allowed; allowed: a whole number of at least 2"),
        ({"faces": True}, "faces=True is not allowed; allowed: a whole number of at least 2"),
        ({"faces": 1}, "faces must be a whole number of at least 2, got 1"),
        (
            {"exact_min_players": "0"},
            "exact_min_players must be a whole number of at least 2, got 0",
        ),
        ({"name": 3}, "name must be text, got 3"),
    ],
)  # fmt: skip
def test_a_value_that_does_not_exist_is_refused(options, message):
    with pytest.raises(RuleError, match=f"^{re.escape(message)}$"):
        RuleSet().replace(**options)
    with pytest.raises(RuleError, match=f"^{re.escape(message)}$"):
        RuleSet.from_dict(options)


def test_an_option_that_does_not_exist_is_refused_with_the_list():
    with pytest.raises(RuleError) as caught:
        PERUDO.replace(one_slot="after_2n")
    assert str(caught.value) == (
        "there is no rule option 'one_slot'; did you mean ones_slot? the options are faces, wild, "
        "wild_until, ones_slot, open_ones, ones_entry, raise_rule, open_min, cap_bids, "
        "challenge_who, exact_who, exact_min_players, palifico_face, hand_bonus, dice, lives, "
        "loss, exact_win, exact_fail, gain_cap, exact_bid_bonus, palifico, next_starter, "
        "starter_if_out, extra_life, end, min_players"
    )
    with pytest.raises(RuleError, match=r"^there is no rule option 'qqq'; the options are faces,"):
        PERUDO.replace(qqq=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"wild": "ones"},
            "wild must be a member of Wild, got 'ones'; "
            "text goes through RuleSet.replace or RuleSet.from_dict",
        ),
        ({"cap_bids": 1}, "cap_bids must be True or False, got 1"),
        ({"faces": "6"}, "faces must be a whole number of at least 2, got '6'"),
    ],
)
def test_the_constructor_takes_no_text(options, message):
    with pytest.raises(RuleError, match=f"^{re.escape(message)}$"):
        RuleSet(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"wild": "none", "wild_until": "any_ones_bid"},
            "wild_until=any_ones_bid ends the wildness of ones, which wild=none never gave them; "
            "use wild=ones or wild_until=never_locked",
        ),
        (
            {"wild": "top_face", "wild_until": "opening_ones"},
            "wild_until=opening_ones ends the wildness of ones, which wild=top_face never gave "
            "them; use wild=ones or wild_until=never_locked",
        ),
        (
            {"wild": "ones", "wild_until": "any_ones_bid", "ones_slot": "forbidden"},
            "wild_until=any_ones_bid waits for a bid on ones, which ones_slot=forbidden rules "
            "out; use wild_until=never_locked or another ones_slot",
        ),
        (
            {"wild": "ones", "wild_until": "opening_ones", "open_ones": "no"},
            "wild_until=opening_ones waits for an opening bid on ones, which open_ones=no rules "
            "out; use open_ones=yes or wild_until=never_locked",
        ),
        (
            {"wild": "none", "ones_slot": "forbidden"},
            "ones_slot=forbidden with wild=none leaves dice that show a one without any use; "
            "use ones_slot=face_low or wild=ones",
        ),
        (
            {"wild": "top_face", "ones_slot": "face_high"},
            "ones_slot=face_high is for ones, but with wild=top_face the wild face is the highest "
            "already; use ones_slot=face_low, the plain order of the faces",
        ),
        (
            {"wild": "ones", "ones_slot": "before_2n", "raise_rule": "strict"},
            "ones_slot=before_2n weighs quantities of different faces against each other, which "
            "raise_rule=strict does not; use raise_rule=count_or_face or ones_slot=face_low",
        ),
        (
            {"wild": "ones", "ones_entry": "half_plus_one"},
            "ones_entry=half_plus_one is part of the half rule, but ones_slot=face_low; "
            "use ones_slot=after_2n or ones_entry=at_least_half",
        ),
        (
            {"wild": "ones", "ones_slot": "before_2n", "ones_entry": "exact_half"},
            "ones_entry=exact_half is part of the half rule, but ones_slot=before_2n; "
            "use ones_slot=after_2n or ones_entry=at_least_half",
        ),
    ],
)
def test_options_that_make_no_sense_together_are_refused(options, message):
    with pytest.raises(RuleError, match=f"^{re.escape(message)}$"):
        RuleSet.from_dict(options)


@pytest.mark.parametrize(
    "options",
    [
        {"wild": "ones", "wild_until": "any_ones_bid", "ones_slot": "after_2n"},
        {"wild": "ones", "wild_until": "any_ones_bid", "ones_slot": "face_high"},
        {"wild": "ones", "wild_until": "any_ones_bid", "open_ones": "no"},
        {"wild": "ones", "ones_slot": "before_2n", "open_ones": "no"},
        {"wild": "top_face", "ones_slot": "before_2n"},
        {"wild": "none", "ones_slot": "face_high"},
    ],
)
def test_unusual_options_that_can_be_played_are_allowed(options):
    rules = RuleSet.from_dict(options)
    assert {option: rules.to_dict()[option] for option in options} == options


def test_the_options_on_ones_speak_of_the_wild_face():
    assert presets.DUDO.ones_face == 1
    assert presets.OPENSPIEL.ones_face == 6
    assert presets.COMMON.ones_face == 1
    assert RuleSet(wild=Wild.TOP_FACE, faces=4).ones_face == 4

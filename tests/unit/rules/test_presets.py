from dataclasses import replace

import pytest

from liarsolve.errors import RuleError
from liarsolve.rules import (
    BIDDING_PRESETS,
    CHALLENGE,
    CUP_PRESETS,
    EXACT,
    PRESETS,
    BiddingScore,
    MatchState,
    Round,
    follow,
    get_preset,
    match_of,
    presets,
)


@pytest.mark.parametrize(
    ("name", "bids"),
    [
        ("liars_dice", "1x1 1x2 1x3 2x1 2x2 2x3 3x1 3x2 3x3"),
        ("perudo", "1x2 1x3 2x2 2x3 1x1 3x2 3x3 2x1 3x1"),
        ("common", "1x1 1x2 1x3 2x1 2x2 2x3 3x1 3x2 3x3"),
        ("openspiel", "1x1 1x2 1x3 2x1 2x2 2x3 3x1 3x2 3x3"),
        ("snyd", "1x2 1x3 2x2 2x3 3x2 3x3"),
        ("dudo", "1x2 1x3 1x1 2x2 2x3 3x2 3x3 2x1 3x1"),
        ("asmodee", "1x2 1x3 2x2 2x3 1x1 3x2 3x3 2x1 3x1"),
        ("bluff", "1x1 1x2 1x3 2x1 2x2 3x1 3x2 2x3 3x3"),
        ("chui_niu", "1x2 1x3 1x1 2x2 2x3 2x1 3x2 3x3 3x1"),
        ("dudo_ai", "1x2 1x3 2x2 2x3 3x2 3x3"),
        ("mu_zhao", "1x2 1x3 1x1 2x2 2x3 3x2 3x3 2x1 3x1"),
        ("red_dead", "1x1 1x2 1x3 2x1 2x2 2x3 3x1 3x2 3x3"),
    ],
)
def test_order_of_bids_of_each_preset(name, bids):
    assert " ".join(map(str, Round(get_preset(name).replace(faces=3), (2, 1)).bids)) == bids


def test_presets_are_named_as_their_constants():
    assert {name: getattr(presets, name.upper()) for name in PRESETS} == PRESETS
    assert [rules.name for rules in PRESETS.values()] == list(PRESETS)
    assert list(PRESETS) == [*BIDDING_PRESETS, *CUP_PRESETS]


@pytest.mark.parametrize(
    ("name", "wild", "open_ones", "exact_who"),
    [
        ("liars_dice", 1, True, "off"),
        ("perudo", 1, False, "next"),
        ("common", None, True, "off"),
        ("openspiel", 6, True, "off"),
        ("snyd", 1, False, "off"),
        ("dudo", 1, True, "off"),
        ("asmodee", 1, False, "any_but_bidder"),
        ("bluff", 6, True, "off"),
        ("dudo_ai", 1, False, "off"),
        ("liars_bar", None, True, "off"),
        ("mu_zhao", 1, True, "next"),
        ("red_dead", None, True, "next"),
        ("transfer", 1, True, "off"),
        ("wikipedia", None, True, "next"),
    ],
)
def test_what_each_preset_decides(name, wild, open_ones, exact_who):
    round_ = Round(get_preset(name), (1, 1))
    state = round_.state_after(["1x2"])
    assert round_.wild_face(state) == wild
    assert ("1x1" in map(str, round_.legal_actions(round_.initial_state()))) == open_ones
    assert round_.rules.exact_who.value == exact_who


def test_preset_names_are_read_generously():
    assert get_preset(" Liars-Dice") is presets.LIARS_DICE


def test_an_unknown_preset_is_refused_with_the_nearest_name():
    names = (
        "the presets are liars_dice, perudo, common, openspiel, snyd, dudo, asmodee, bluff, "
        "chui_niu, dudo_ai, liars_bar, mu_zhao, red_dead, transfer, wikipedia, classic, box, "
        "army_mess, liar_cards, doubtful_dice, mia, liar_die"
    )
    with pytest.raises(RuleError) as caught:
        get_preset("purdo")
    assert str(caught.value) == f"there is no preset 'purdo'; did you mean perudo? {names}"
    with pytest.raises(RuleError) as caught:
        get_preset("chess")
    assert str(caught.value) == f"there is no preset 'chess'; {names}"


def after(rules, score, *actions):
    """Where a match stands after one round from this score, the dice thrown among the actions."""
    return follow(MatchState(match_of(rules, len(score.dice)), score=score), actions)


def from_dice(*dice, starter=0, **more):
    return BiddingScore(dice=dice, starter=starter, **more)


def test_asmodee_every_player_may_call_exact_while_three_are_in():
    start = MatchState(match_of(presets.ASMODEE, 3), score=from_dice(
        1, 1, 2, had_palifico=(True, True, False)
    ))  # fmt: skip
    state = follow(start, ["thrown 2", "thrown 2", "thrown 2,2", "1x2", "4x2"])
    exact = state.parse_action("exact")
    assert [state.illegal_reason(exact, player) is None for player in range(3)] == [
        True, False, True,
    ]  # fmt: skip
    end = state.apply(exact, 0)
    assert (end.score.dice, end.score.starter) == ((2, 1, 2), 0)
    two = Round(presets.ASMODEE, (1, 1))
    reason = two.illegal_reason(two.state_after(["1x2"]), EXACT)
    assert "it needs at least 3 players" in reason


@pytest.mark.parametrize(
    ("actions", "dice"),
    [
        (["3x2", "liar"], (1, 3, 3)),  # one two: two away
        (["1x2", "liar"], (3, 2, 2)),  # exactly right: all but the bidder lose one
        (["1x1", "2x1", "liar"], (3, 1, 3)),  # none of two
    ],
)
def test_bluff_a_challenge_costs_the_difference(actions, dice):
    thrown = ["thrown 2,3,3", "thrown 3,4,4", "thrown 4,5,5"]
    assert after(presets.BLUFF, from_dice(3, 3, 3), *thrown, *actions).score.dice == dice


def test_bluff_stars_stand_on_their_own_fields():
    """Of a board of six faces: 1 star between 1 five and 2 ones."""
    order = " ".join(map(str, Round(presets.BLUFF, (1, 1)).bids))
    assert "1x5 1x6 2x1" in order


def test_chui_niu_ones_rank_highest_and_the_first_bid_names_a_die_a_player():
    round_ = Round(presets.CHUI_NIU, (5, 5, 5))
    opening = round_.legal_actions(round_.initial_state())
    assert min(bid.quantity for bid in opening) == 3
    assert [str(bid) for bid in opening[:6]] == ["3x2", "3x3", "3x4", "3x5", "3x6", "3x1"]
    assert round_.wild_face(round_.state_after(["3x2"])) == 1
    assert round_.wild_face(round_.state_after(["3x2", "4x1"])) is None


def test_dudo_ai_the_winner_puts_a_die_away():
    state = after(presets.DUDO_AI, from_dice(1, 2), "thrown 2", "thrown 3,3", "2x2", "liar")
    assert (state.score.dice, state.winners) == ((1, 1), ())
    state = after(presets.DUDO_AI, from_dice(1, 2), "thrown 2", "thrown 1,3", "2x2", "liar")
    assert (state.score.dice, state.winners) == ((0, 2), (0,))


def test_liars_bar_two_lives_and_always_five_dice():
    start = MatchState(match_of(presets.LIARS_BAR, 3), first=0)
    assert (start.score.lives, start.now.round.dice) == ((2, 2, 2), (5, 5, 5))
    state = follow(start, ["thrown 1,2,3,4,5"] * 3 + ["4x1", "liar"])
    assert (state.score.lives, state.score.dice, state.score.starter) == ((1, 2, 2), (5, 5, 5), 0)
    round_ = state.now.round
    legal = {str(a) for a in round_.legal_actions(round_.state_after(["2x6"]))}
    assert legal >= {"3x6", "3x1", "4x1", "liar"}
    assert not legal & {"2x1", "3x2", "1x6"}


def test_mu_zhao_ones_weigh_double_and_an_exact_call_costs_all_others():
    order = [str(bid) for bid in Round(presets.MU_ZHAO, (5, 5)).bids]
    assert order[order.index("3x1") - 1 : order.index("3x1") + 2] == ["5x6", "3x1", "6x2"]
    thrown = ["thrown 2,2", "thrown 3,3", "thrown 4,4"]
    assert after(presets.MU_ZHAO, from_dice(2, 2, 2), *thrown, "2x2", "exact").score.dice == (
        1, 2, 1,
    )  # fmt: skip


@pytest.mark.parametrize(("call", "dice"), [("exact", (1, 2, 1)), ("liar", (2, 1, 2))])
def test_red_dead_the_first_bid_goes_round(call, dice):
    thrown = ["thrown 1,2", "thrown 1,3", "thrown 4,4"]
    state = after(presets.RED_DEAD, from_dice(2, 2, 2), *thrown, "2x1", call)
    assert (state.score.dice, state.score.starter) == (dice, 1)
    assert after(presets.RED_DEAD, from_dice(2, 2, 2), *thrown, "1x1", "exact").score.dice == (
        2, 1, 2,
    )  # fmt: skip


def test_transfer_the_loser_gives_a_die_until_one_has_them_all():
    state = after(presets.TRANSFER, from_dice(1, 3), "thrown 2", "thrown 3,3,3", "2x2", "liar")
    assert (state.score.dice, state.winners) == ((0, 4), (1,))


def test_wikipedia_one_round_that_any_player_may_challenge():
    start = MatchState(match_of(presets.WIKIPEDIA.replace(dice=1), 3), first=0)
    state = follow(start, ["thrown 2", "thrown 3", "thrown 4", "2x2"])
    end = state.apply(CHALLENGE, 2)
    assert (end.is_terminal, end.winners) == (True, (1, 2))
    assert state.illegal_reason(CHALLENGE, 0) is not None
    for rule in ("count_or_face", "reset_quantity", "strict"):
        assert presets.WIKIPEDIA.replace(raise_rule=rule).end is presets.WIKIPEDIA.end


def test_army_mess_the_first_to_lose_three_lives_has_lost():
    match = match_of(presets.ARMY_MESS, 3)
    score = replace(match.start(), stakes=(1, 3, 3), pool=2)
    end = follow(MatchState(match, score=score), ["thrown 99QJT", "AAAAA", "liar"])
    assert (end.score.stakes, end.winners) == ((0, 3, 3), (1, 2))

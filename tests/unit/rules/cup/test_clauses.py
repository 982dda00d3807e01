"""Every clause on a round of the cup games, by its number; CL classic, BX box, LC cards, DD stakes.

Clauses on the order of hands, the claims that there are and the odds of throws are tested in
tests/unit/claims and tests/unit/odds; clauses on lives and on who is out in test_cup_match.py.
"""

from fractions import Fraction
from itertools import pairwise

import pytest

from liarsolve.claims import Category, Claim
from liarsolve.rules import (
    CHALLENGE,
    CupMove,
    CupOutcomeKind,
    CupPhase,
    CupRound,
    Keep,
    Thrown,
    presets,
)

CLASSIC, BOX, LIAR_CARDS = presets.CLASSIC, presets.BOX, presets.LIAR_CARDS
DOUBTFUL_DICE, MIA, LIAR_DIE = presets.DOUBTFUL_DICE, presets.MIA, presets.LIAR_DIE
ACCEPT, LOOK, BLIND_PASS = CupMove.ACCEPT, CupMove.LOOK, CupMove.BLIND_PASS


def state_after(rules, *actions, n_players=3):
    return CupRound(rules, n_players).state_after(actions)


def reason(rules, actions, action, player=None, n_players=3):
    table = CupRound(rules, n_players)
    return table.illegal_reason(table.state_after(actions), action, player)


def outcome(rules, *actions, n_players=3):
    table = CupRound(rules, n_players)
    return table.outcome(table.state_after(actions))


def legal_texts(rules, *actions):
    table = CupRound(rules, 3)
    legal = table.legal_actions(table.state_after(actions))
    return [rules.format_claim(claim) for claim in legal]


# --- CL: classic ----------------------------------------------------------------------------------


def test_cl_3_the_shooter_throws_all_dice_once_and_there_is_no_reroll():
    table = CupRound(CLASSIC, 3)
    state = table.initial_state()
    distribution = table.chance_distribution(state)
    assert (state.phase, table.to_act(state)) == (CupPhase.THROW, None)
    assert (len(distribution), sum(distribution.values())) == (252, 1)
    assert distribution[(1, 2, 3, 4, 5)] == Fraction(120, 7776)
    thrown = table.next_state(state, Thrown((1, 2, 3, 4, 5)))
    assert (thrown.phase, table.to_act(thrown)) == (CupPhase.CLAIM, 0)
    assert table.illegal_reason(thrown, Keep((1,))) == "keep refused: player 0 has to claim"


def test_cl_4_all_five_dice_are_named_above_equal_to_or_below_the_truth():
    legal = legal_texts(CLASSIC, "thrown QQQ99")
    assert len(legal) == 248
    assert {"AAAAA", "QQQ99", "99QJT"} <= set(legal)
    assert CLASSIC.parse_claim("full house, queens on nines") == CLASSIC.parse_claim("QQQ99")
    assert all(len(claim.faces) == 5 for claim in CLASSIC.claims)


def test_cl_5_a_hand_without_rank_cannot_be_claimed():
    nothing = BOX.parse_claim("AQJT9")
    assert nothing.category is Category.NOTHING
    assert reason(CLASSIC, ["thrown AQJT9"], nothing) == (
        "claim refused: CL.5 a hand that makes nothing cannot be claimed"
    )


def test_cl_6_only_the_left_neighbour_answers_by_challenge_or_acceptance():
    table = CupRound(CLASSIC, 3)
    state = table.state_after(["thrown QQQ99", "QQQ99"])
    assert table.to_act(state) == 1
    assert table.legal_actions(state) == (CHALLENGE, ACCEPT)
    assert table.illegal_reason(state, CHALLENGE, player=2) == (
        "challenge refused: CL.6 only the left neighbour answers: it is the turn of player 1, "
        "not of player 2"
    )
    assert table.illegal_reason(state, ACCEPT, player=1) is None
    last = table.state_after(["accept", "keep QQQ99", "QQQTT", "accept", "keep QQQ99"], state)
    last = table.state_after(["QQQJJ"], last)
    assert (last.claimant, table.to_act(last)) == (2, 0)  # and so round the table


@pytest.mark.parametrize(
    ("claim", "kind", "loser", "winner"),
    [
        ("QQQTT", CupOutcomeKind.CLAIMANT_LOSES, 0, 1),
        ("QQQ99", CupOutcomeKind.CHALLENGER_LOSES, 1, 0),
        ("JJJAA", CupOutcomeKind.CHALLENGER_LOSES, 1, 0),
    ],
)
def test_cl_7_who_is_wrong_loses_one_chip_to_the_pool(claim, kind, loser, winner):
    result = outcome(CLASSIC, "thrown QQQ99", claim, "liar")
    assert (result.kind, result.loser, result.winner) == (kind, loser, winner)
    assert (result.to_pool, result.to_winner) == (1, 0)
    assert (result.claimant, result.challenger, result.hand) == (0, 1, (1, 1, 4, 4, 4))
    assert CLASSIC.format_claim(result.claim) == claim


@pytest.mark.parametrize("claim", ["QQQTT", "QQQ99"])
def test_cl_8_the_challenger_throws_next_whoever_lost(claim):
    assert outcome(CLASSIC, "thrown QQQ99", claim, "liar").starter == 1


def test_cl_9_who_accepts_may_keep_all_or_reroll_any_number_once():
    table = CupRound(CLASSIC, 3)
    state = table.state_after(["thrown QQQ99", "JJJAA", "accept"])
    assert (state.phase, table.to_act(state)) == (CupPhase.KEEP, 1)
    kept = [keep.faces for keep in table.legal_actions(state)]
    assert {5 - len(faces) for faces in kept} == {0, 1, 2, 3, 4, 5}
    assert len(kept) == len(set(kept)) == 12  # none to two nines with none to three queens
    state = table.next_state(state, Keep((4, 4, 4)))
    assert len(table.chance_distribution(state)) == 21
    state = table.next_state(state, Thrown((3, 3, 4, 4, 4)))
    assert state.phase is CupPhase.CLAIM
    assert state.turns[-1].n_thrown == 2


def test_cl_9_dice_that_are_kept_stay_and_nothing_else_is_kept():
    history = ["thrown QQQ99", "JJJAA", "accept"]
    assert reason(CLASSIC, history, Keep((6,))) == (
        "keep refused: what is kept has to be part of QQQ99, got A"
    )
    assert reason(CLASSIC, history, Keep((4, 1))) == (
        "keep refused: what is kept is given in rising order, got (4, 1)"
    )
    assert reason(CLASSIC, [*history, "keep QQQ"], Thrown((3, 3, 3, 4, 4))) == (
        "throw refused: no throw leads to JJJQQ from here"
    )


def test_cl_9_he_states_the_number_and_does_not_show_which():
    table = CupRound(CLASSIC, 3)
    state = table.state_after(["thrown QQQ99", "JJJAA", "accept", "keep QQQ", "thrown QQQJJ"])
    own, others = table.view(state, 1)[1], table.view(state, 2)[1]
    assert (own.n_thrown, own.kept, own.hand) == (2, (4, 4, 4), (3, 3, 4, 4, 4))
    assert (others.n_thrown, others.kept, others.hand) == (2, None, None)


def test_cl_9_then_he_claims_strictly_higher_than_the_claim_he_accepted():
    history = ["thrown QQQ99", "JJJAA", "accept", "keep QQQ99"]
    legal = legal_texts(CLASSIC, *history)
    assert legal == [CLASSIC.format_claim(c) for c in CLASSIC.claims][-len(legal) :]
    assert legal[0] == "QQQ99"
    assert reason(CLASSIC, history, CLASSIC.parse_claim("JJJAA")) == (
        "claim refused: CL.9 a claim must be higher than the last one; got JJJAA on JJJAA"
    )
    higher = CLASSIC.parse_claim("QQQTT")  # then it goes on to the next
    state = CupRound(CLASSIC, 3).state_after([*history, higher])
    assert (state.phase, state.last_claim) == (CupPhase.ANSWER, higher)


def test_cl_10_the_highest_call_may_be_challenged():
    made = outcome(CLASSIC, "thrown AAAAA", "AAAAA", "liar")
    assert (made.kind, made.loser) == (CupOutcomeKind.CHALLENGER_LOSES, 1)
    bluff = outcome(CLASSIC, "thrown AAAAK", "AAAAA", "liar")
    assert (bluff.kind, bluff.loser) == (CupOutcomeKind.CLAIMANT_LOSES, 0)


def test_cl_10_accepting_it_gives_up_to_five_throws_for_five_aces():
    table = CupRound(CLASSIC, 3)
    state = table.state_after(["thrown AAAAK", "AAAAA", "accept"])
    assert (state.phase, table.to_act(state)) == (CupPhase.TRY, None)
    missed = table.state_after(["thrown AA999"] * 5, state)
    result = table.outcome(missed)
    assert (result.kind, result.loser, result.winner) == (CupOutcomeKind.TOP_MISSED, 1, 0)
    made = table.outcome(table.state_after(["thrown AA999", "thrown AAAAA"], state))
    assert (made.kind, made.loser, made.winner) == (CupOutcomeKind.TOP_MADE, 0, 1)
    assert (made.to_pool, result.to_pool) == (1, 1)
    assert not table.state_after(["thrown AA999"] * 4, state).is_terminal


@pytest.mark.parametrize(
    ("top_accept", "n_first_hands", "success_after_aaaak"),
    [("fresh_keep", 252, 0.076551), ("carry_keep", 6, 0.598122), ("fresh_all", 252, 0.000643)],
)
def test_cl_q1_which_dice_the_five_throws_start_from(
    top_accept, n_first_hands, success_after_aaaak
):
    table = CupRound(CLASSIC.replace(top_accept=top_accept), 2)
    state = table.state_after(["thrown AAAAK", "AAAAA", "accept"])
    assert len(table.chance_distribution(state)) == n_first_hands
    kept = {"fresh_all": 252}.get(top_accept, 6)  # after a throw with four aces
    assert len(table.chance_distribution(table.next_state(state, Thrown((5, 6, 6, 6, 6))))) == kept
    success = table.rules.try_success((5, 6, 6, 6, 6))
    assert round(float(success), 6) == success_after_aaaak


def chance_of_making_it(table, state):
    """Chance that the round ends with the top hand made, by walking all throws."""
    if state.is_terminal:
        return Fraction(table.outcome(state).kind is CupOutcomeKind.TOP_MADE)
    return sum(
        chance * chance_of_making_it(table, table.next_state(state, Thrown(hand)))
        for hand, chance in table.chance_distribution(state).items()
    )


@pytest.mark.parametrize("top_accept", ["fresh_keep", "carry_keep", "fresh_all"])
@pytest.mark.parametrize("top_throws", [1, 3])
def test_cl_q1_the_chance_of_making_it_is_that_of_the_throws(top_accept, top_throws):
    rules = CLASSIC.replace(
        equipment="dice(2,3)",
        ranking="multiplicity",
        top_accept=top_accept,
        top_throws=top_throws,
    )
    table = CupRound(rules, 2)
    for hand in rules.equipment.hands:
        state = table.state_after([Thrown(hand), "33", "accept"])
        assert chance_of_making_it(table, state) == rules.try_success(hand)


def test_cl_q1_under_carry_keep_a_caller_with_five_aces_loses_if_accepted():
    rules = CLASSIC.replace(top_accept="carry_keep")
    result = outcome(rules, "thrown AAAAA", "AAAAA", "accept")
    assert (result.kind, result.loser) == (CupOutcomeKind.TOP_MADE, 0)
    assert rules.try_success((6, 6, 6, 6, 6)) == 1


def test_cl_q1_one_throw_of_all_five_is_fresh_all_with_one_throw():
    rules = CLASSIC.replace(top_accept="fresh_all", top_throws=1)
    assert rules.try_success((6, 6, 6, 6, 6)) == Fraction(1, 7776)
    result = outcome(rules, "thrown AAAAA", "AAAAA", "accept", "thrown AAAAK")
    assert result.kind is CupOutcomeKind.TOP_MISSED


@pytest.mark.parametrize("throws", [["thrown AAAAA"], ["thrown 99999"] * 5])
def test_cl_q2_the_accepter_starts_after_an_attempt(throws):
    assert outcome(CLASSIC, "thrown AAAAK", "AAAAA", "accept", *throws).starter == 1


def test_cl_q4_who_accepts_looks():
    table = CupRound(CLASSIC, 3)
    state = table.state_after(["thrown QQQ99", "JJJAA", "accept"])
    assert state.turns[-1].has_looked
    assert table.view(state, 1)[0].hand == (1, 1, 4, 4, 4)
    assert reason(CLASSIC, ["thrown QQQ99", "JJJAA", "accept"], BLIND_PASS) == (
        "blind refused: player 1 has to say what they keep"
    )


def test_cl_q7_two_players_may_play():
    state = state_after(CLASSIC, "thrown QQQ99", "JJJAA", "accept", "keep QQQ99", n_players=2)
    assert CupRound(CLASSIC, 2).to_act(state) == 1


def test_cl_q8_the_number_rerolled_is_public_or_not():
    actions = ["thrown QQQ99", "JJJAA", "accept", "keep QQQ", "thrown QQQJJ"]
    hidden = CupRound(CLASSIC.replace(announce_count=False), 3)
    assert hidden.view(hidden.state_after(actions), 2)[1].n_thrown is None
    assert hidden.view(hidden.state_after(actions), 1)[1].n_thrown == 2
    assert hidden.view(hidden.state_after(actions), 2)[0].n_thrown == 5  # all know the first throw


# --- BX: box --------------------------------------------------------------------------------------


def test_bx_3_the_first_thrower_slides_the_box_to_his_left_while_naming_a_hand():
    table = CupRound(BOX, 4)
    state = table.state_after(["thrown JJQT9", "JJ+Q"])
    assert (state.claimant, table.to_act(state)) == (0, 1)


def test_bx_4_the_receiver_lifts_the_box_or_accepts():
    table = CupRound(BOX, 4)
    state = table.state_after(["thrown JJQT9", "JJ"])
    assert table.legal_actions(state) == (CHALLENGE, ACCEPT)
    assert table.illegal_reason(state, LOOK) == "look refused: player 1 has to answer the claim"


@pytest.mark.parametrize(("claim", "loser"), [("JJ+Q", 1), ("QQ", 0)])
def test_bx_5_the_player_who_is_wrong_loses_a_life_and_starts_again(claim, loser):
    result = outcome(BOX, "thrown JJQT9", claim, "liar")
    assert (result.loser, result.starter, result.to_pool) == (loser, loser, 1)


def test_bx_6_who_accepts_peeks_throws_and_says_how_many():
    table = CupRound(BOX, 3)
    state = table.state_after(["thrown JJQT9", "JJ", "accept", "look"])
    assert state.phase is CupPhase.KEEP
    assert {5 - len(keep.faces) for keep in table.legal_actions(state)} == {0, 1, 2, 3, 4, 5}
    state = table.state_after(["keep JJ", "thrown JJJ99"], state)
    assert table.view(state, 0)[1].n_thrown == 3
    assert reason(
        BOX,
        ["thrown JJQT9", "JJ", "accept", "look", "keep JJ", "thrown JJJ99"],
        BOX.parse_claim("TT+AK"),
    ) == ("claim refused: CL.9 a claim must be higher than the last one; got TT+AK on JJ")


def test_bx_7_he_may_pass_on_without_looking_by_naming_one_more_die():
    table = CupRound(BOX, 3)
    state = table.state_after(["thrown JJQT9", "JJ", "accept", "blind", "JJ+Q"])
    turn = state.turns[-1]
    assert (turn.has_looked, turn.is_blind, turn.n_thrown) == (False, True, 0)
    assert turn.hand == (1, 2, 3, 3, 4)
    result = table.outcome(table.next_state(state, CHALLENGE))
    assert (result.loser, result.claimant) == (2, 1)


def test_bx_7_everybody_knows_that_he_has_not_looked_and_he_does_not_know_the_hand():
    table = CupRound(BOX, 3)
    state = table.state_after(["thrown JJQT9", "JJ", "accept", "blind", "JJ+Q"])
    for player in range(3):
        turn = table.view(state, player)[1]
        assert (turn.has_looked, turn.is_blind, turn.n_thrown) == (False, True, 0)
        assert (turn.hand, turn.kept) == (None, None)
    assert table.view(state, 0)[0].hand == (1, 2, 3, 3, 4)
    assert table.view(state, 1)[0].hand is None


def test_bx_8_five_aces_passed_can_only_be_lifted():
    assert reason(BOX, ["thrown JJQT9", "AAAAA"], ACCEPT) == (
        "accept refused: BX.8 the highest claim, AAAAA, has to be challenged"
    )
    table = CupRound(BOX, 3)
    assert table.legal_actions(table.state_after(["thrown JJQT9", "AAAAA"])) == (CHALLENGE,)


def test_bx_9_a_longer_quote_of_the_same_thing_follows_a_shorter_one():
    quotes = ["JJ", "JJ+Q", "JJ+QT", "JJ+QT9"]
    ids = [BOX.claims.index(BOX.parse_claim(quote)) for quote in quotes]
    for shorter, longer in pairwise(ids):
        assert BOX.may_follow(shorter, longer)
        assert not BOX.may_follow(longer, shorter)
    subset = BOX.replace(claim_detail="subset")  # 99+J leaves out a higher odd die
    shorter, longer = (subset.claims.index(subset.parse_claim(q)) for q in ("99+J", "99+JT"))
    assert subset.may_follow(shorter, longer)


def test_bx_9_the_free_raises_are_true_on_the_same_hands():
    for quote in ["JJ", "JJ+Q", "JJ+QT", "JJ+QT9"]:
        result = outcome(BOX, "thrown JJQT9", quote, "liar")
        assert result.kind is CupOutcomeKind.CHALLENGER_LOSES


@pytest.mark.parametrize(
    ("truth", "true_claims"),
    [
        ("at_least", {"JJ", "JJ+Q", "TT+K", "AKQT9"}),
        ("matches", {"JJ+Q", "JJ"}),
        ("contains", {"JJ", "JJ+Q"}),
    ],
)
def test_bx_q1_as_was_stated(truth, true_claims):
    rules = BOX.replace(truth=truth)
    claims = ["JJ", "JJ+Q", "TT+K", "AKQT9", "JJ+K", "QQ"]
    found = {
        claim
        for claim in claims
        if outcome(rules, "thrown JJQT9", claim, "liar").kind is CupOutcomeKind.CHALLENGER_LOSES
    }
    assert found == true_claims


def test_bx_q1_contains_makes_a_pair_of_a_full_house():
    for truth, kind in (
        ("contains", CupOutcomeKind.CHALLENGER_LOSES),
        ("matches", CupOutcomeKind.CLAIMANT_LOSES),
    ):
        rules = BOX.replace(truth=truth)
        assert outcome(rules, "thrown QQQ99", "99", "liar").kind is kind


@pytest.mark.parametrize(
    ("claim_detail", "n_claims"),
    [
        ("prefix", 363),
        ("subset", 405),
        ("full", 252),
        ("primary", 75),
        ("lead", 41),
        ("category", 12),
    ],
)
def test_bx_q2_which_odd_dice_may_be_left_out(claim_detail, n_claims):
    assert len(BOX.replace(claim_detail=claim_detail).claims) == n_claims


def test_bx_q3_the_ranking_part_is_quoted_whole():
    table = CupRound(BOX, 3)
    state = table.state_after(["thrown QQQ99"])
    for category, faces in ((Category.FULL, (4, 4, 4)), (Category.TWO_PAIRS, (4, 4))):
        reason = table.illegal_reason(state, Claim(category, faces))
        assert reason == (
            f"claim refused: with claim_detail=prefix no claim is {category.value} with the faces "
            f"{faces}"
        )


@pytest.mark.parametrize(
    ("blind_pass", "after_bare", "after_quote"),
    [("any", True, True), ("only_if_bare", True, False), ("off", False, False)],
)
def test_bx_q4_blind_pass_after_a_bare_quote_or_any(blind_pass, after_bare, after_quote):
    table = CupRound(BOX.replace(blind_pass=blind_pass), 3)
    for claim, may_pass in (("JJ", after_bare), ("JJ+Q", after_quote), ("QQQ99", after_quote)):
        state = table.state_after(["thrown JJQT9", claim, "accept"])
        assert (BLIND_PASS in table.legal_actions(state)) == may_pass
        assert (state.phase is CupPhase.LOOK) == may_pass  # otherwise they have looked already


def test_bx_q4_refusals_of_the_blind_pass():
    rules = BOX.replace(blind_pass="only_if_bare", look="optional")
    assert reason(rules, ["thrown JJQT9", "JJ+Q", "accept"], BLIND_PASS) == (
        "blind refused: with blind_pass=only_if_bare only a claim that could have named "
        "odd dice, and "
        "named none, is passed on unseen"
    )
    rules = BOX.replace(blind_pass="off", look="optional")
    assert reason(rules, ["thrown JJQT9", "JJ+Q", "accept"], BLIND_PASS) == (
        "blind refused: with blind_pass=off nobody passes on a hand they have not seen"
    )


def test_bx_q4_throwing_everything_unseen_is_off_unless_looking_is_optional():
    history = ["thrown JJQT9", "JJ+Q", "accept"]
    assert reason(BOX, history, CupMove.THROW_UNSEEN) == (
        "throw unseen refused: with look=before_throw nobody throws before they have looked"
    )
    table = CupRound(BOX.replace(look="optional"), 3)
    state = table.state_after([*history, "throw unseen", "thrown QQ999"])
    assert (state.turns[-1].n_thrown, state.turns[-1].has_looked) == (5, False)
    assert table.view(state, 1)[0].hand is None
    assert table.view(state, 1)[1].hand == (1, 1, 1, 4, 4)  # they look before they claim


def test_bx_q7_he_sees_the_result_before_quoting():
    table = CupRound(BOX, 3)
    state = table.state_after(["thrown JJQT9", "JJ", "accept", "look", "keep JJ", "thrown JJJ99"])
    assert state.phase is CupPhase.CLAIM
    assert table.view(state, 1)[1].hand == (1, 1, 3, 3, 3)


def test_bx_11_and_bx_q8_a_kept_die_may_be_knocked_over():
    prob = Fraction(1, 10)
    table = CupRound(BOX.replace(dislodge_prob="1/10"), 3)
    state = table.state_after(["thrown JJJJ9", "JJJJ", "accept", "look", "keep JJJJ"])
    distribution = table.chance_distribution(state)
    assert sum(distribution.values()) == 1
    # five jacks: every kept die stays or falls back on a jack, and the thrown one shows one
    assert distribution[(3, 3, 3, 3, 3)] == (1 - prob + prob / 6) ** 4 / 6
    assert Fraction(1, 6) ** 5 * prob**4 == distribution[(1, 1, 1, 1, 1)]
    unthrown = table.state_after(["thrown JJJJ9", "JJJJ", "accept", "look", "keep JJJJ9"])
    assert unthrown.turns[-1].hand == (1, 3, 3, 3, 3)  # nothing falls where nothing is thrown
    still = CupRound(BOX, 3)
    state = still.state_after(["thrown JJJJ9", "JJJJ", "accept", "look", "keep JJJJ"])
    assert len(still.chance_distribution(state)) == 6


@pytest.mark.parametrize(
    ("nothing_claims", "lowest", "n_claims"),
    [("named", "AQJT9", 363), ("forbidden", "99", 359), ("prefix", "A", 373)],
)
def test_bx_q9_hands_that_make_nothing(nothing_claims, lowest, n_claims):
    rules = BOX.replace(nothing_claims=nothing_claims)
    assert rules.format_claim(rules.claims[0]) == lowest
    assert len(rules.claims) == n_claims


# --- LC: liar cards -------------------------------------------------------------------------------


def test_lc_1_five_cards_are_dealt_and_the_first_player_does_not_draw():
    table = CupRound(LIAR_CARDS, 3)
    distribution = table.chance_distribution(table.initial_state())
    assert (len(distribution), sum(distribution.values())) == (246, 1)
    assert distribution[(1, 1, 1, 1, 6)] == Fraction(4, 42504)
    state = table.state_after(["thrown JJQT9"])
    assert (state.phase, table.to_act(state)) == (CupPhase.CLAIM, 0)


def test_lc_2_discards_are_in_the_pack_that_is_drawn_from():
    table = CupRound(LIAR_CARDS, 3)
    state = table.state_after(["thrown AAAJ9", "AAA", "accept", "look", "keep AAA"])
    distribution = table.chance_distribution(state)
    assert distribution[(1, 3, 6, 6, 6)] == Fraction(
        16, 210
    )  # the same jack and nine may come back
    assert sum(chance for hand, chance in distribution.items() if hand.count(6) == 4) == Fraction(
        20, 210
    )
    assert sum(distribution.values()) == 1


def test_lc_3_five_of_a_kind_cannot_occur():
    table = CupRound(LIAR_CARDS, 3)
    assert table.illegal_reason(table.initial_state(), Thrown((6, 6, 6, 6, 6))) == (
        "throw refused: no throw leads to AAAAA from here"
    )
    assert Category.FIVE not in {claim.category for claim in LIAR_CARDS.claims}


def test_bx_q10_four_aces_with_a_king_must_be_exposed():
    assert reason(LIAR_CARDS, ["thrown JJQT9", "AAAA+K"], ACCEPT) == (
        "accept refused: BX.8 the highest claim, AAAA+K, has to be challenged"
    )
    history = ["thrown JJQT9", "AAAA", "accept", "blind"]
    assert legal_texts(LIAR_CARDS, *history) == ["AAAA+9", "AAAA+T", "AAAA+J", "AAAA+Q", "AAAA+K"]


def test_bx_q12_no_card_need_be_drawn():
    state = state_after(LIAR_CARDS, "thrown JJQT9", "JJ", "accept", "look", "keep JJQT9")
    assert (state.phase, state.turns[-1].n_thrown) == (CupPhase.CLAIM, 0)


# --- DD: doubtful dice ----------------------------------------------------------------------------


def test_dd_2_the_first_player_announces_a_combination_true_or_false():
    legal = legal_texts(DOUBTFUL_DICE, "thrown 33322")
    assert len(legal) == 37
    assert {"33333", "333xx"} <= set(legal)


def test_dd_3_the_left_neighbour_says_liar_or_agrees():
    table = CupRound(DOUBTFUL_DICE, 3)
    state = table.state_after(["thrown 33322", "threes full"])
    assert (table.to_act(state), table.legal_actions(state)) == (1, (CHALLENGE, ACCEPT))


def test_dd_5_a_true_announcement_costs_the_doubter_one_stake_to_the_centre():
    result = outcome(DOUBTFUL_DICE, "thrown 33322", "threes full", "liar")
    assert (result.loser, result.to_pool, result.to_winner) == (1, 1, 0)


def test_dd_5_a_false_one_costs_its_maker_one_to_the_centre_and_one_to_the_doubter():
    result = outcome(DOUBTFUL_DICE, "thrown 33322", "fours full", "liar")
    assert (result.loser, result.winner) == (0, 1)
    assert (result.to_pool, result.to_winner) == (1, 1)


@pytest.mark.parametrize("claim", ["threes full", "fours full"])
def test_dd_6_the_doubter_has_the_move_in_either_case(claim):
    assert outcome(DOUBTFUL_DICE, "thrown 33322", claim, "liar").starter == 1


def test_dd_7_and_dd_q3_who_agrees_has_to_throw():
    history = ["thrown 33322", "threes full", "accept"]
    assert reason(DOUBTFUL_DICE, history, Keep((2, 2, 3, 3, 3))) == (
        "keep refused: DD?3 a player throws 1 to 5; to keep 33322 is to throw 0"
    )
    rules = DOUBTFUL_DICE.replace(min_rethrow=0)
    assert reason(rules, history, Keep((2, 2, 3, 3, 3))) is None


def test_dd_7_what_the_hand_really_was_no_longer_matters():
    for claim in ("threes full", "fours full"):
        history = ["thrown 33322", claim, "accept", "keep 33", "thrown 33666", "33333", "liar"]
        result = outcome(DOUBTFUL_DICE, *history)
        assert (result.loser, result.winner) == (1, 2)


def test_dd_8_the_player_rerolls_all_dice_or_leaves_some_part():
    table = CupRound(DOUBTFUL_DICE, 3)
    state = table.state_after(["thrown 33322", "threes full", "accept"])
    assert {5 - len(keep.faces) for keep in table.legal_actions(state)} == {1, 2, 3, 4, 5}


def test_dd_9_and_dd_q2_after_threes_and_twos_no_less_than_fours_and_twos():
    legal = legal_texts(
        DOUBTFUL_DICE, "thrown 33322", "threes full", "accept", "keep 333", "thrown 33366"
    )
    assert legal[:3] == ["444xx", "555xx", "666xx"]


@pytest.mark.parametrize(
    ("options", "next_after_33322"),
    [
        ({"claim_detail": "lead"}, "444xx"),
        ({"claim_detail": "full"}, "33344"),
        ({"claim_detail": "primary"}, "33344"),
        ({"claim_detail": "full", "raise_rule": "componentwise"}, "44422"),
    ],
)
def test_dd_q2_readings_of_the_example(options, next_after_33322):
    rules = DOUBTFUL_DICE.replace(**options)
    claim = "333xx" if options["claim_detail"] == "lead" else "33322"
    last = rules.claims.index(rules.parse_claim(claim))
    first = rules.legal_claims(last)[0]
    assert rules.format_claim(rules.claims[first]) == next_after_33322


def test_dd_q2_componentwise_the_triple_must_rise_and_the_pair_may_not_fall():
    rules = DOUBTFUL_DICE.replace(claim_detail="full", raise_rule="componentwise")
    history = ["thrown 33322", "33322", "accept", "keep 333", "thrown 33366"]
    for claim in ("33366", "44411"):
        assert reason(rules, history, rules.parse_claim(claim)) == (
            "claim refused: with raise_rule=componentwise, in the same category the first "
            "group must "
            f"rise and no other may fall; got {claim} on 33322"
        )
    for claim in ("44422", "44433", "66622", "22223"):
        assert reason(rules, history, rules.parse_claim(claim)) is None


def test_dd_q4_the_number_is_announced_or_not():
    for announce_count, seen in ((True, 2), (False, None)):
        table = CupRound(DOUBTFUL_DICE.replace(announce_count=announce_count), 3)
        history = ["thrown 33322", "threes full", "accept", "keep 333", "thrown 33366"]
        assert table.view(table.state_after(history), 2)[1].n_thrown == seen


def test_dd_q6_the_truth_test_is_at_least():
    result = outcome(DOUBTFUL_DICE, "thrown 44411", "threes full", "liar")
    assert result.kind is CupOutcomeKind.CHALLENGER_LOSES


def test_dd_q7_five_sixes_must_be_challenged():
    assert reason(DOUBTFUL_DICE, ["thrown 33322", "66666"], ACCEPT) == (
        "accept refused: BX.8 the highest claim, 66666, has to be challenged"
    )


def test_dd_q10_under_claims_are_allowed_and_claims_of_nothing_are_not():
    assert legal_texts(DOUBTFUL_DICE, "thrown 33322")[0] == "11"
    nothing = BOX.parse_claim("AQJT9")
    assert reason(DOUBTFUL_DICE, ["thrown 33322"], nothing) == (
        "claim refused: CL.5 a hand that makes nothing cannot be claimed"
    )


# --- Mia and Liar Die (variants of section 7.2) ---------------------------------------------------


def test_mia_all_dice_are_thrown_unseen_each_time():
    table = CupRound(MIA, 3)
    state = table.state_after(["thrown 31", "31", "accept"])
    assert (state.phase, table.to_act(state)) == (CupPhase.THROW, None)
    assert (state.turns[-1].has_looked, state.turns[-1].n_thrown) == (False, 2)
    assert len(table.chance_distribution(state)) == 21
    assert table.view(state, 1)[0].hand is None


def test_mia_21_must_be_challenged():
    assert reason(MIA, ["thrown 31", "21"], ACCEPT) == (
        "accept refused: BX.8 the highest claim, 21, has to be challenged"
    )


def test_mia_21_may_be_conceded_for_one_or_looked_at_for_two():
    rules = MIA.replace(top_claim="concede_1_or_look_2")
    table = CupRound(rules, 3)
    state = table.state_after(["thrown 21", "21"])
    assert table.legal_actions(state) == (CHALLENGE, CupMove.CONCEDE)
    conceded = outcome(rules, "thrown 31", "21", "concede")
    assert (conceded.kind, conceded.loser) == (CupOutcomeKind.CONCEDED, 1)
    assert (conceded.to_pool, conceded.starter) == (1, 1)
    true = outcome(rules, "thrown 21", "21", "liar")
    assert (true.kind, true.loser, true.to_pool) == (CupOutcomeKind.CHALLENGER_LOSES, 1, 2)
    false = outcome(rules, "thrown 31", "21", "liar")
    assert (false.kind, false.loser, false.to_pool) == (CupOutcomeKind.CLAIMANT_LOSES, 0, 1)
    lower = outcome(rules, "thrown 66", "66", "liar")
    assert (lower.loser, lower.to_pool) == (1, 1)


def test_mia_refusals_at_the_highest_claim():
    rules = MIA.replace(top_claim="concede_1_or_look_2")
    assert reason(rules, ["thrown 31", "21"], ACCEPT) == (
        "accept refused: with top_claim=concede_1_or_look_2 the highest claim, 21, is conceded or "
        "challenged"
    )
    assert reason(rules, ["thrown 31", "66"], CupMove.CONCEDE) == (
        "concede refused: with top_claim=concede_1_or_look_2 only the highest claim is "
        "conceded, got 66"
    )
    assert reason(MIA, ["thrown 31", "21"], CupMove.CONCEDE) == (
        "concede refused: with top_claim=must_challenge no claim is conceded without looking"
    )


def test_mia_a_blind_pass_with_the_same_or_a_higher_claim():
    table = CupRound(MIA.replace(blind_pass="any", blind_claim="same"), 3)
    state = table.state_after(["thrown 31", "65", "accept"])
    assert table.legal_actions(state) == (BLIND_PASS, CupMove.THROW_UNSEEN)
    blind = table.next_state(state, BLIND_PASS)
    claims = [table.rules.format_claim(c) for c in table.legal_actions(blind)]
    assert claims == ["65", "11", "22", "33", "44", "55", "66", "21"]
    thrown = table.state_after(["throw unseen", "thrown 43"], state)
    assert len(table.legal_actions(thrown)) == len(claims) - 1
    assert table.illegal_reason(state, LOOK) == (
        "look refused: with look=never nobody looks at the hand they were passed"
    )


def test_mia_an_equal_claim_where_that_is_enough():
    rules = MIA.replace(raise_rule="equal_or_higher")
    history = ["thrown 31", "65", "accept", "thrown 43"]
    assert legal_texts(rules, *history)[0] == "65"
    assert reason(rules, history, rules.parse_claim("64")) == (
        "claim refused: with raise_rule=equal_or_higher a claim may not be lower than "
        "the last one; "
        "got 64 on 65"
    )
    assert reason(rules, ["thrown 31", "21"], ACCEPT).endswith("has to be challenged")


def test_mia_21_repeated_where_it_may_be_accepted():
    rules = MIA.replace(raise_rule="equal_or_higher", top_claim="must_repeat")
    history = ["thrown 31", "21", "accept", "thrown 43"]
    assert legal_texts(rules, *history) == ["21"]


def test_mia_the_winner_or_the_loser_starts():
    for next_starter, starter in (("loser", 0), ("winner", 1)):
        rules = MIA.replace(next_starter=next_starter)
        assert outcome(rules, "thrown 31", "65", "liar").starter == starter


def test_liar_die_is_thrown_again_each_time_and_its_top_face_must_be_doubted():
    table = CupRound(LIAR_DIE, 2)
    state = table.state_after(["thrown 2", "3", "accept"])
    assert table.chance_distribution(state) == {(face,): Fraction(1, 6) for face in range(1, 7)}
    assert reason(LIAR_DIE, ["thrown 2", "6"], ACCEPT) == (
        "accept refused: BX.8 the highest claim, 6, has to be challenged"
    )
    eight = LIAR_DIE.replace(faces=8)
    assert legal_texts(eight, "thrown 2") == [str(face) for face in range(1, 9)]


@pytest.mark.parametrize(("thrown", "loser"), [("2", 0), ("3", 1), ("5", 1)])
def test_liar_die_the_roller_wins_if_he_has_what_he_claims_or_more(thrown, loser):
    assert outcome(LIAR_DIE, f"thrown {thrown}", "3", "liar").loser == loser

"""What holds under all rules of the cup games: rounds and games end, and nothing is lost."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve.errors import RuleError
from liarsolve.rules import (
    CHALLENGE,
    CupMatch,
    CupOutcomeKind,
    CupPhase,
    CupRound,
    CupRules,
    cup_option_values,
    format_cup_action,
    parse_cup_action,
)

ENUM_OPTIONS = ("claim_detail", "truth", "raise_rule", "look", "blind_pass", "blind_claim")
ENUM_OPTIONS += ("top_claim", "top_accept", "short_pay", "next_starter", "starter_if_out")
ENUM_OPTIONS += ("extra_life", "end", "rethrow_all", "announce_count")
VALUES = {option: cup_option_values()[option].split(", ") for option in ENUM_OPTIONS}


@st.composite
def rule_sets(draw):
    """Rules of small games; options that make no sense with the others keep their default."""
    rules = CupRules(name="small").replace(
        equipment=draw(st.sampled_from(["dice(1,3)", "dice(2,3)", "dice(3,2)", "cards(2,3,2)"])),
        ranking="multiplicity",
        lives=draw(st.integers(1, 3)),
        penalty_liar=draw(st.sampled_from(["1,0", "1,1", "2,1"])),
        penalty_doubter=draw(st.sampled_from(["1,0", "2,0"])),
    )
    for option in draw(st.permutations(ENUM_OPTIONS)):
        try:
            rules = rules.replace(**{option: draw(st.sampled_from(VALUES[option]))})
        except RuleError:
            continue
    return rules


def play_round(table, data, max_turns=6):
    """Play at random; the first to answer after ``max_turns`` turns challenges."""
    state = table.initial_state()
    states = [state]
    while not state.is_terminal:
        legal = table.legal_actions(state)
        assert legal
        if state.phase is CupPhase.ANSWER and len(state.turns) >= max_turns:
            legal = (CHALLENGE,)
        state = table.next_state(state, data.draw(st.sampled_from(legal)))
        states.append(state)
    return states


@given(rules=rule_sets(), n_players=st.integers(2, 4), data=st.data())
@settings(max_examples=150, deadline=None)
def test_random_rounds_end_and_one_of_the_last_two_loses(rules, n_players, data):
    table = CupRound(rules, n_players)
    states = play_round(table, data)
    outcome = table.outcome(states[-1])
    assert {outcome.loser, outcome.winner} == {outcome.claimant, outcome.challenger}
    assert outcome.challenger == (outcome.claimant + 1) % n_players
    if rules.next_starter.value == "rotate":
        assert outcome.starter == 1  # the next after the one who started
    else:
        assert outcome.starter in (outcome.loser, outcome.winner)
    if outcome.kind in (CupOutcomeKind.CLAIMANT_LOSES, CupOutcomeKind.CHALLENGER_LOSES):
        claim_id = rules.claims.index(outcome.claim)
        is_true = rules.claims.is_true(claim_id, outcome.hand, rules.truth)
        assert is_true == (outcome.kind is CupOutcomeKind.CHALLENGER_LOSES)
    claims = [turn.claim for turn in states[-1].turns]
    ids = [rules.claims.index(claim) for claim in claims if claim is not None]
    for (previous, claim_id), turn in zip(pairwise(ids), states[-1].turns[1:], strict=False):
        assert rules.may_follow(previous, claim_id) or (turn.is_blind and previous == claim_id)


@given(rules=rule_sets(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_legal_actions_and_reasons_agree_and_are_written_and_read(rules, data):
    table = CupRound(rules, 3)
    states = play_round(table, data)
    actions = {action for state in states for action in table.legal_actions(state)}
    for state in states:
        legal = table.legal_actions(state)
        assert len(legal) == len(set(legal))
        for action in actions:
            reason = table.illegal_reason(state, action)
            assert (action in legal) == (reason is None)
            assert reason is None or " refused: " in reason
    for action in actions:
        assert parse_cup_action(format_cup_action(action, rules), rules) == action


@given(rules=rule_sets(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_throws_have_chances_that_sum_to_one_and_keep_what_is_kept(rules, data):
    table = CupRound(rules, 2)
    for state in play_round(table, data):
        distribution = table.chance_distribution(state)
        assert (sum(distribution.values()) == 1) == state.is_chance
        assert all(hand in rules.equipment.hands for hand in distribution)
        kept = (state.turns[-1].kept or ()) if state.phase is CupPhase.THROW else ()
        assert all(hand.count(face) >= kept.count(face) for hand in distribution for face in kept)


@given(rules=rule_sets(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_players_know_their_own_part_and_nobody_knows_more_later_by_himself(rules, data):
    table = CupRound(rules, 3)
    for state in play_round(table, data):
        for player in range(3):
            for turn, seen in zip(state.turns, table.view(state, player), strict=True):
                assert seen.claim == turn.claim
                assert seen.hand in (None, turn.hand)
                assert seen.n_thrown in (None, turn.n_thrown)
                if turn.player == player and not turn.is_blind:
                    assert seen == turn
                elif turn.player != player:
                    assert seen.kept is None


@given(rules=rule_sets(), n_players=st.integers(2, 4), data=st.data())
@settings(max_examples=60, deadline=None)
def test_games_end_and_stakes_are_conserved(rules, n_players, data):
    match = CupMatch(rules, n_players)
    score = match.start(data.draw(st.integers(0, n_players - 1)))
    n_rounds = 0
    while not match.is_over(score):
        assert match.winners(score) == ()
        assert score.starter == match.seats(score)[0]
        table = CupRound(rules, len(match.seats(score)))
        score = match.after(score, table.outcome(play_round(table, data, max_turns=1)[-1]))
        n_rounds += 1
        assert sum(score.stakes) + score.pool == n_players * rules.lives
        assert min(score.stakes) >= 0
    # every round sends a stake to the pool or uses up an extra life
    assert n_rounds <= n_players * (rules.lives + 1)
    if rules.end.value == "single_round":
        assert n_rounds == 1
        assert len(match.winners(score)) == n_players - 1
        return
    assert match.winners(score) == score.live
    assert len(score.live) == (1 if rules.end.value == "last_standing" else n_players - 1)

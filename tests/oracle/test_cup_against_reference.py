"""The claims and rounds of the library against the slow reference, by random play."""

from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve.claims import ClaimDetail, NothingClaims, Truth
from liarsolve.odds import keep_options, p_claim, passed_distribution
from liarsolve.rules import (
    CupMove,
    CupOutcomeKind,
    CupPhase,
    CupRound,
    CupRules,
    Thrown,
    presets,
)
from oracle.two_cups import ALL_CHOICES, LARGER_KITS, SMALL_KITS, TwoCups, cup_rules, said

PRESETS = [
    presets.CLASSIC,
    presets.BOX,
    presets.LIAR_CARDS,
    presets.DOUBTFUL_DICE,
    presets.MIA,
    presets.LIAR_DIE,
]


# --- hands and claims ----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)
def test_presets_have_the_hands_claims_and_truths_of_the_reference(rules):
    assert_same_claims(TwoCups(rules))


@pytest.mark.parametrize("kit", LARGER_KITS[:-3], ids=str)
@pytest.mark.parametrize("detail", ClaimDetail)
def test_vocabularies_have_the_claims_and_truths_of_the_reference(kit, detail):
    for truth in Truth:
        rules = CupRules(equipment=kit[0], ranking=kit[1], claim_detail=detail, truth=truth)
        assert_same_claims(TwoCups(rules))


@pytest.mark.slow
@pytest.mark.parametrize("kit", LARGER_KITS[-3:], ids=str)
@pytest.mark.parametrize("detail", ClaimDetail)
@pytest.mark.parametrize("nothing", NothingClaims)
def test_five_dice_vocabularies_have_the_claims_and_truths_of_the_reference(kit, detail, nothing):
    options = {"claim_detail": detail, "nothing_claims": nothing}
    for truth in Truth:
        rules = CupRules(equipment=kit[0], ranking=kit[1], truth=truth, **options)
        assert_same_claims(TwoCups(rules))


def assert_same_claims(sides):
    game, rules = sides.game, sides.rules
    kit = rules.equipment
    assert set(kit.hands) == set(game.hands)
    weights = zip(kit.hands, kit.weights, strict=True)
    assert {hand: Fraction(n, kit.total_weight) for hand, n in weights} == game.hands
    assert sorted(kit.hands, key=rules.ranking.key) == game.ordered_hands
    assert list(sides.claims) == list(rules.claims)
    expected = [[game.is_true(claim, hand) for hand in kit.hands] for claim in game.claims]
    wrong = np.argwhere(rules.claims.truth_table(rules.truth) != np.array(expected))
    # No clause says which dice make the category "nothing"; both take it that none does.
    assert [(rules.claims[c], kit.hands[h]) for c, h in wrong] == []


@given(rules=cup_rules(LARGER_KITS, ALL_CHOICES), data=st.data())
@settings(max_examples=60, deadline=None)
def test_claims_may_follow_as_in_the_reference(rules, data):
    sides = TwoCups(rules)
    ids = st.integers(0, len(rules.claims) - 1)
    for old in [None, *data.draw(st.lists(ids, max_size=3)), len(rules.claims) - 1]:
        claim = None if old is None else sides.game.claims[old]
        expected = [said(sides.game, new) for new in sides.game.legal_claims(claim)]
        assert [rules.claims[new] for new in rules.legal_claims(old)] == expected


@given(rules=cup_rules(LARGER_KITS), data=st.data())
@settings(max_examples=60, deadline=None)
def test_redraws_are_those_of_the_reference(rules, data):
    kit, game = rules.equipment, TwoCups(rules).game
    kept = data.draw(st.sampled_from(kit.kept_hands))
    total = kit.n_redraws(kit.n_items - len(kept))
    assert {hand: Fraction(n, total) for hand, n in kit.redraw(kept)} == game.redraw(kept)


@given(rules=cup_rules(SMALL_KITS), data=st.data(), throws=st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_odds_of_throws_are_those_of_the_reference(rules, data, throws):
    sides = TwoCups(rules)
    game = sides.game
    words, claim = data.draw(st.sampled_from(list(sides.claims.items())))
    hand = data.draw(st.sampled_from(sorted(game.hands)))
    n_thrown = data.draw(st.integers(0, game.n_dice))
    parts = {part for n in range(game.n_dice + 1) for part in combinations(hand, n)}

    @cache
    def reach(kept, throws):
        """Chance that the claim comes true with the best dice kept after each throw."""
        return sum(prob * finish(new, throws - 1) for new, prob in game.redraw(kept).items())

    def finish(hand, throws):
        if game.is_true(claim, hand):
            return 1
        sizes = range(game.n_dice + 1) if throws else ()
        return max((reach(k, throws) for n in sizes for k in combinations(hand, n)), default=0)

    options = {"throws": throws, "truth": rules.truth, "exact": True}
    for option in keep_options(hand, rules.claims, words, **options):
        assert option.prob == reach(option.kept, throws)
        assert p_claim(words, rules.claims, kept=option.kept, **options) == option.prob
        parts.remove(option.kept)
    assert parts == set()
    distribution = passed_distribution(rules.claims, hand, n_thrown, exact=True)
    choices = list(combinations(hand, game.n_dice - n_thrown))
    for new in game.hands:
        mean = sum(game.redraw(kept).get(new, Fraction(0)) for kept in choices) / len(choices)
        assert distribution.p_hand(new) == mean


# --- play ----------------------------------------------------------------------------------------


@given(
    rules=st.one_of(cup_rules(LARGER_KITS, ALL_CHOICES), st.sampled_from(PRESETS)),
    n_players=st.integers(2, 4),
    data=st.data(),
)
@settings(max_examples=150, deadline=None)
def test_rounds_offer_the_actions_and_end_as_in_the_reference(rules, n_players, data):
    sides = TwoCups(rules, n_players)
    game, table = sides.game, CupRound(rules, n_players)
    at, state = game.start(), table.initial_state()
    for _ in range(40):
        assert_same_views(sides, table, at, state)
        if at.stage == "end":
            break
        if at.stage == "try":
            assert try_chance(table, state) == game.top_chance(at.cup)
            break
        if at.stage == "throw":
            at, state = throw(game, table, at, state, data)
            continue
        assert table.to_act(state) == at.player
        assert offered(table, state) == {tuple(sides.action(a)) for a in game.actions(at)}
        action = data.draw(st.sampled_from(game.actions(at)))
        steps = sides.action(action)
        at, state = game.act(at, action), play(table, state, steps)
    if at.stage == "end":
        outcome = table.outcome(state)
        assert (outcome.loser, outcome.winner) == (at.player, at.rival)


def throw(game, table, at, state, data):
    """Draw what comes out of a throw, the same on both sides."""
    distribution = {after.cup: (after, prob) for after, prob in game.chances(at)}
    hand = data.draw(st.sampled_from(sorted(distribution)))
    if state.phase is CupPhase.CLAIM:  # nothing is thrown
        assert distribution == {state.turns[-1].hand: (distribution[hand][0], 1)}
        return distribution[hand][0], state
    assert table.to_act(state) is None
    assert table.chance_distribution(state) == {
        after: prob for after, (_, prob) in distribution.items()
    }
    (thrown,) = (a for a in table.legal_actions(state) if a.hand == hand)
    return distribution[hand][0], table.next_state(state, thrown)


def play(table, state, steps):
    """Play the steps of one action; the library takes a step itself where there is one way."""
    for step in steps:
        if step in (CupMove.LOOK, CupMove.THROW_UNSEEN, CupMove.BLIND_PASS):
            if state.phase is not CupPhase.LOOK:
                continue
        elif step is CupMove.ACCEPT:
            assert state.phase is CupPhase.ANSWER
        state = table.next_state(state, step)
    return state


def offered(table, state):
    """The histories on from a decision, acceptances followed up to what the reference calls one."""
    found = set()
    for action in table.legal_actions(state):
        if action is not CupMove.ACCEPT:
            found.add((action,))
            continue
        after = table.next_state(state, action)
        if after.phase is CupPhase.LOOK:
            moves = table.legal_actions(after)
        elif after.phase in (CupPhase.TRY, CupPhase.OVER):
            moves = [CupMove.LOOK]
        else:
            moves = [CupMove.LOOK if after.phase is CupPhase.KEEP else CupMove.THROW_UNSEEN]
        for move in moves:
            if move is CupMove.BLIND_PASS:
                claims = table.legal_actions(table.next_state(after, move))
                found |= {(action, move, claim) for claim in claims}
            else:
                found.add((action, move))
    return found


def try_chance(table, state):
    """Chance that the throws for the top hand make it, as the library throws them."""
    top = table.rules.top_hand[0]

    def made(state, known):
        if state.is_terminal:
            return Fraction(table.outcome(state).kind is CupOutcomeKind.TOP_MADE)
        hand = state.tried_hand or ()
        key = (hand.count(top), state.n_tries)  # the other dice are thrown again
        if key not in known:
            known[key] = sum(
                prob * made(table.next_state(state, Thrown(hand)), known)
                for hand, prob in table.chance_distribution(state).items()
            )
        return known[key]

    return made(state, {})


def assert_same_views(sides, table, at, state):
    """Each player has seen the same on both sides, and nothing else."""
    if state.phase not in (CupPhase.CLAIM, CupPhase.ANSWER, CupPhase.KEEP):
        return
    if at.stage == "throw":  # all was kept: what the library knows, the reference will see
        at = next(sides.game.chances(at))[0]
    for player in range(table.n_players):
        view = table.view(state, player)
        assert events(sides, table, view, player) == list(at.seen[player])
        if not sides.rules.announce_count:
            continue
        assert all(turn.n_thrown is not None for turn in view if turn.claim is not None)


def events(sides, table, view, player):
    """Rewrite what a player knows of each turn as the events of the reference."""
    found = []
    n_items, rules = sides.rules.equipment.n_items, sides.rules
    for place, turn in enumerate(view):
        is_own = turn.player == player
        followed = place + 1 < len(view) and view[place + 1]
        if place and turn.has_looked:
            found.append((turn.player, "accept"))
            if is_own:
                assert view[place - 1].hand is not None
                found.append(("hand", view[place - 1].hand))
            if rules.announce_count and turn.n_thrown is not None:
                found.append((turn.player, "throws", turn.n_thrown))
            if is_own and turn.kept is not None:
                found.append(("keep", turn.kept))
        elif place and not turn.is_blind:
            found.append((turn.player, "throw all unseen"))
        if not is_own:
            may_know = followed and followed.player == player and followed.has_looked
            assert (turn.hand is not None) == bool(may_know)
            assert turn.kept is None
        elif not turn.is_blind and turn.hand is not None:
            found.append(("hand", turn.hand))
        if turn.claim is not None:
            word = "blind" if turn.is_blind else "claim"
            found.append((turn.player, word, sides.claims[turn.claim]))
        assert turn.n_thrown is None or 0 <= turn.n_thrown <= n_items
    return found

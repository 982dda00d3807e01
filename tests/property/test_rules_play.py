"""What holds under every rule set: raises rise, rounds end, and the graph key says it all."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve.errors import RuleError
from liarsolve.rules import CHALLENGE, EXACT, Bid, Call, PublicState, Round, RuleSet, option_values

VALUES = {option: values.split(", ") for option, values in option_values().items()}
INTERACTING = ("wild", "wild_until", "ones_slot", "open_ones", "ones_entry", "raise_rule")


def all_rule_sets():
    """Every combination of the options on bids and wild faces that makes sense, at three faces."""
    for values in product(*(VALUES[option] for option in INTERACTING)):
        try:
            yield RuleSet.from_dict({"faces": 3, **dict(zip(INTERACTING, values, strict=True))})
        except RuleError:
            continue


RULE_SETS = list(all_rule_sets())
FREE = ("open_min", "cap_bids", "challenge_who", "exact_who", "palifico_face")


@st.composite
def rounds(draw, max_dice=2, max_players=3):
    rules = draw(st.sampled_from(RULE_SETS)).replace(
        **{option: draw(st.sampled_from(VALUES[option])) for option in FREE}
    )
    dice = draw(st.lists(st.integers(1, max_dice), min_size=2, max_size=max_players))
    players = st.integers(0, len(dice) - 1)
    try:
        return Round(
            rules,
            tuple(dice),
            palifico=draw(st.booleans()),
            ex_palifico=draw(st.frozensets(players)),
        )
    except RuleError:  # no legal opening with so few dice
        return Round(rules.replace(open_min="1"), tuple(dice))


def test_all_kinds_of_rules_are_among_the_rule_sets():
    # by wild face: (slots x raise rules, the half rule with its entries) x opening
    none = (2 * 5 + 3 + 1) * 2
    top_face = (2 * 5 + 3 + 1) * 2
    ones_never_locked = (3 * 5 + 3 + 1) * 2
    ones_any_bid, ones_opening = (2 * 5 + 3 + 1) * 2, 2 * 5 + 3 + 1
    assert len(RULE_SETS) == none + top_face + ones_never_locked + ones_any_bid + ones_opening
    for option in INTERACTING:
        assert {rules.to_dict()[option] for rules in RULE_SETS} == set(VALUES[option])


@pytest.mark.parametrize("palifico", [False, True])
def test_no_rule_set_has_a_cycle_of_raises(palifico):
    for rules in RULE_SETS:
        round_ = Round(rules.replace(palifico_face="none"), (2, 1), palifico=palifico)
        for last in round_.bids:
            state = PublicState(bids=(last,))  # also bids that may not open the round
            followers = [b for b in round_.bids if round_.illegal_reason(state, b) is None]
            assert all(round_.bid_id(bid) > round_.bid_id(last) for bid in followers)


def test_half_rounded_up_with_at_least_double_cannot_be_expressed():
    # it would be a cycle: 2n of the highest face, n ones, 2n of the lowest other face
    for rules in RULE_SETS:
        round_ = Round(rules, (2, 2))
        n_ones = Bid(2, rules.ones_face)
        if n_ones not in round_.bids:
            continue
        low, *_, high = sorted({1, 2, 3} - {rules.ones_face})
        after_sixes, after_ones = PublicState(bids=(Bid(4, high),)), PublicState(bids=(n_ones,))
        is_half_enough = round_.illegal_reason(after_sixes, n_ones) is None
        is_double_enough = round_.illegal_reason(after_ones, Bid(4, low)) is None
        assert not (is_half_enough and is_double_enough)


@given(round_=rounds(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_random_play_rises_and_ends(round_, data):
    state = round_.initial_state()
    while not state.is_terminal:
        legal = round_.legal_actions(state)
        assert legal
        action = data.draw(st.sampled_from(legal))
        child = round_.next_state(state, action)
        if isinstance(action, Bid) and state.last_bid is not None:
            assert round_.bid_id(action) > round_.bid_id(state.last_bid)
        state = child
    hands = [data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)) for n in round_.dice]
    outcome = round_.showdown(state, hands)
    assert outcome.bid == state.last_bid
    assert outcome.bidder != outcome.caller
    assert {outcome.winner, outcome.loser} & {outcome.caller}
    assert 0 <= outcome.count <= round_.total_dice


@given(round_=rounds(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_legal_actions_and_reasons_agree(round_, data):
    state = round_.initial_state()
    for _ in range(data.draw(st.integers(0, 3))):
        bids = [a for a in round_.legal_actions(state) if isinstance(a, Bid)]
        if bids:
            state = round_.next_state(state, data.draw(st.sampled_from(bids)))
    for player in range(round_.n_players):
        legal = round_.legal_actions(state, player)
        for action in (*round_.bids, CHALLENGE, EXACT):
            reason = round_.illegal_reason(state, action, player)
            assert (action in legal) == (reason is None)
            assert reason is None or " refused: " in reason
        if player != round_.to_act(state):
            assert all(isinstance(action, Call) for action in legal)


@given(round_=rounds(max_dice=1))
@settings(max_examples=40, deadline=None)
def test_the_graph_key_decides_what_may_follow_and_its_worth(round_):
    followers = {}
    layer = [round_.initial_state()]
    while layer:
        following = []
        for state in layer:
            legal = round_.legal_actions(state)
            children = {a: round_.next_state(state, a) for a in legal}
            # keys of children are compared too, so by induction everything later agrees
            what_follows = (
                round_.wild_face(state),
                [round_.legal_actions(state, p) for p in range(round_.n_players)],
                [round_.graph_key(child) for child in children.values()],
            )
            assert followers.setdefault(round_.graph_key(state), what_follows) == what_follows
            following += [child for child in children.values() if not child.is_terminal]
        layer = following

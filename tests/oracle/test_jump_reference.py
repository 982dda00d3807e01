"""Players who do not jump far, against a slow translation that lists the histories they know."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve.game import Abstraction, check_tree, measure_merged_states, merge_states
from liarsolve.rules import Bid
from oracle.full_table import FullTable
from oracle.two_sides import TwoSides, plain, small_rounds
from reference.short_jumps import ShortJumps

ROUNDS = {
    "common": TwoSides({"faces": 3}, (2, 1)),
    "wild lock": TwoSides({"faces": 3, "wild": "ones", "wild_until": "any_ones_bid"}, (1, 1)),
    "half rule, exact call": TwoSides(
        {"faces": 3, "wild": "ones", "ones_slot": "after_2n", "open_ones": "no"}, (2, 1)
    ),
    "palifico": TwoSides({"faces": 3, "wild": "ones"}, (1, 2), palifico=True),
    "three players": FullTable(
        {"faces": 2, "wild": "ones", "wild_until": "any_ones_bid"}, (1, 1, 1)
    ),
    "four players": FullTable({"faces": 2}, (1, 1, 1, 1)),
}


def translate(sides, abstraction):
    order = [plain(bid) for bid in sides.round.bids]
    return ShortJumps(sides.game, order, abstraction.max_jump, abstraction.recall)


def states_by_history(tree):
    """Where every sequence of legal bids leads."""
    legal, found, waiting = tree.every_raise, {}, [((), 0)]
    while waiting:
        history, state = waiting.pop()
        found[history] = state
        node = legal.node[state]
        for k, action in enumerate(legal.graph.actions(node)):
            if isinstance(action, Bid):
                child = legal.children[legal.graph.player[node]][legal.first_edge[state] + k]
                assert child > state
                waiting.append(((*history, plain(action)), int(child)))
    return found


def check_states(sides, abstraction):
    """Make sure that states are what is left of a history; return how many are known."""
    tree, jumps = merge_states(sides.graph, abstraction), translate(sides, abstraction)
    check_tree(tree)
    kinds, known = {}, set()
    for history, state in states_by_history(tree).items():
        reading = jumps.reading(history)
        kind = jumps.kind(history, reading) if history else ()
        assert kinds.setdefault(state, (kind, reading)) == (kind, reading)
        actions = [plain(action) for action in tree.graph.actions(tree.node[state])]
        raises = [a for a in actions if isinstance(a, tuple)]
        assert raises == [a for a in jumps.known_actions(history) if isinstance(a, tuple)]
        assert set(actions) == set(jumps.known_actions(history))
        if not history or reading in jumps.known[kind]:
            known.add(state)
    assert sorted(kinds) == list(range(tree.n_states))
    assert len(set(kinds.values())) == tree.n_states
    return tree, known


@pytest.mark.parametrize("recall", [None, 1, 2, 3])
@pytest.mark.parametrize("max_jump", [1, 2, 3])
@pytest.mark.parametrize("sides", ROUNDS.values(), ids=ROUNDS)
def test_every_history_leads_where_the_reference_reads_it(sides, recall, max_jump):
    abstraction = Abstraction(recall=recall, max_jump=max_jump)
    tree, known = check_states(sides, abstraction)
    assert measure_merged_states(sides.graph, abstraction).n_states == len(known)
    assert len(known) <= tree.n_states


@settings(max_examples=60, deadline=None)
@given(
    sides=small_rounds(),
    recall=st.none() | st.integers(1, 4),
    max_jump=st.integers(1, 6),
)
def test_any_rules_lead_where_the_reference_reads_them(sides, recall, max_jump):
    abstraction = Abstraction(recall=recall, max_jump=max_jump)
    tree, known = check_states(sides, abstraction)
    assert measure_merged_states(sides.graph, abstraction).n_states == len(known)
    assert len(known) <= tree.n_states

"""The default policy: what the odds say, held against counting all dice."""

from itertools import product

import numpy as np
import pytest

from liarsolve import CHALLENGE, Bid, Round, presets
from liarsolve.game import compile_graph, default_actions
from liarsolve.rules import PublicState


def chance(round_, bids, hand, n_hidden, call="liar"):
    """Chance that the last of ``bids`` is true, or exactly right, by counting hidden rolls."""
    state = PublicState(bids=bids)
    wild = round_.wild_face(state)
    bid = bids[-1]
    rolls = list(product(range(1, round_.rules.faces + 1), repeat=n_hidden))
    counts = [sum(die in (bid.face, wild) for die in (*hand, *roll)) for roll in rolls]
    hits = [c == bid.quantity if call == "exact" else c >= bid.quantity for c in counts]
    return sum(hits) / len(rolls)


@pytest.mark.parametrize(
    "rules",
    [presets.COMMON, presets.LIARS_DICE, presets.PERUDO, presets.SNYD],
    ids=lambda rules: rules.name,
)
def test_doubtful_bids_are_challenged_and_others_raised_to_the_likeliest(rules):
    graph = compile_graph(Round(rules.replace(faces=3), (2, 1)))
    round_, tables = graph.round, default_actions(graph)
    waiting, seen = [((), 0)], set()
    while waiting:
        bids, node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        player = int(graph.player[node])
        actions = graph.actions(node)
        raises = [action for action in actions if isinstance(action, Bid)]
        for hand_id, hand in enumerate(graph.hands[player]):
            n_hidden = round_.total_dice - len(hand)
            chosen = actions[tables[player][node, hand_id]]
            true = chance(round_, bids, hand, n_hidden) if bids else 1.0
            if not raises:
                exact = chance(round_, bids, hand, n_hidden, "exact")
                expected = CHALLENGE if 1 - true >= exact or len(actions) == 1 else actions[-1]
            elif true < 0.5 - 1e-12:
                expected = CHALLENGE
            else:
                merits = [round(chance(round_, (*bids, bid), hand, n_hidden), 9) for bid in raises]
                expected = raises[int(np.argmax(merits))]
            assert chosen == expected, (bids, hand)
        waiting += [
            ((*bids, bid), int(graph.action_target[graph.action_start[node] + k]))
            for k, bid in enumerate(raises)
        ]
    assert len(seen) == graph.n_nodes


def test_rows_of_the_other_player_are_empty():
    graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 2)))
    for player, table in enumerate(default_actions(graph)):
        assert np.all((table >= 0) == (graph.player[:, None] == player))
        assert not table.flags.writeable

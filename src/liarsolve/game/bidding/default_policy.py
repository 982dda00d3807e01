"""How players act where no strategy has been worked out: by the odds alone."""

from weakref import WeakKeyDictionary

import numpy as np

from liarsolve._typing import F8, I8
from liarsolve.game.bidding.graph import ActionKind, BidGraph

_known: WeakKeyDictionary[BidGraph, tuple[I8, ...]] = WeakKeyDictionary()
"""What was found before; with five dice each for six players it takes most of a second."""


def default_actions(graph: BidGraph) -> tuple[I8, ...]:
    """Pure default strategy: for each player, int64[G, H], the action by its place at the node.

    All dice but their own are taken to be random. A player challenges if the standing bid is more
    likely false than true; otherwise they make the raise that is most likely true, the lowest if
    several are; if they can only call, they make the call that is most likely right. Rows of nodes
    at which somebody else acts are -1.

    Examples
    --------
    Nobody has bid; whoever holds a two of two faces opens with the two, which is surely true:

    >>> from liarsolve import Round, presets
    >>> from liarsolve.game import compile_graph
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    >>> [str(graph.actions(0)[k]) for k in default_actions(graph)[0][0]]
    ['1x1', '1x2']
    """
    if graph not in _known:
        _known[graph] = _default_tables(graph)
    return _known[graph]


def _default_tables(graph: BidGraph) -> tuple[I8, ...]:
    tables = []
    for player in range(graph.n_players):
        table = np.full((graph.n_nodes, graph.n_hands[player]), -1, np.int64)
        p_true = _chances(graph, player, at_least=True)
        p_exact = _chances(graph, player, at_least=False)
        for node in np.flatnonzero(graph.player == player).tolist():
            edges = slice(graph.action_start[node], graph.action_start[node + 1])
            table[node] = _choose(
                graph.action_kind[edges], graph.action_target[edges], node, p_true, p_exact
            )
        table.flags.writeable = False
        tables.append(table)
    return tuple(tables)


def _choose(kinds: I8, targets: I8, node: int, p_true: F8, p_exact: F8) -> I8:
    """Place of the default action at a node, by hand, int64[H]."""
    merit = np.empty((kinds.size, p_true.shape[1]))
    raises = kinds == ActionKind.RAISE
    merit[raises] = p_true[targets[raises]]
    merit[kinds == ActionKind.CHALLENGE] = 1.0 - p_true[node]
    merit[kinds == ActionKind.EXACT] = p_exact[node]
    if raises.any() and not raises.all():
        doubts = 1.0 - p_true[node] > p_true[node]
        merit[raises] -= 2.0 * doubts  # a doubted bid is challenged, a believed one is raised
        merit[~raises] -= 2.0 * ~doubts
        merit[kinds == ActionKind.EXACT] -= 2.0
    choice: I8 = np.argmax(merit, axis=0)
    return choice


def _chances(graph: BidGraph, player: int, *, at_least: bool) -> F8:
    """Chance of the bid standing at each node, by the player's own hand, float64[G, H]."""
    chances = np.zeros((graph.n_nodes, graph.n_hands[player]))
    for node in range(graph.n_nodes):
        row, quantity = graph.match_class[node], graph.quantity[node]
        pmf = np.ones(1)  # of the number of matches among the other players' dice
        for other in range(graph.n_players):
            if other != player:
                one = np.bincount(graph.matches[other][row], graph.hand_probs[other])
                pmf = np.convolve(pmf, one)
        need = quantity - graph.matches[player][row]
        if at_least:
            tail = np.append(np.cumsum(pmf[::-1])[::-1], 0.0)
            chances[node] = tail[np.clip(need, 0, pmf.size)]
        else:
            padded = np.append(pmf, 0.0)
            possible = (need >= 0) & (need < pmf.size)
            chances[node] = padded[np.where(possible, need, pmf.size)]
    return chances

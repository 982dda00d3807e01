"""The public states that an abstraction leaves, with the branches that grow together again."""

from dataclasses import dataclass

import numpy as np

from liarsolve._typing import I4, I8
from liarsolve.errors import GameTooLargeError
from liarsolve.game.abstraction import Abstraction
from liarsolve.game.graph import NO_BID, ActionKind, BidGraph
from liarsolve.game.tree import NO_STATE, PublicTree


def merge_states(
    graph: BidGraph, abstraction: Abstraction, *, max_entries: float = np.inf
) -> PublicTree:
    """Public states that players can tell apart, as a tree whose branches grow together again.

    Sequences of bids that look alike lead to the same state. States are ordered by the bids that
    are remembered, the last one first, so that a child has a larger id than its parents, and
    states with the same children follow one another.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    abstraction : Abstraction
        What players remember.
    max_entries : float
        Number of (edge, hand) pairs of all players that may be built.

    Raises
    ------
    GameTooLargeError
        If there are more; nothing of that size is allocated then.

    Examples
    --------
    >>> from liarsolve.game import Recall, compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> graph = compile_graph(Round(presets.COMMON, (2, 2)))
    >>> merge_states(graph, Recall(3)).n_states
    4096
    """
    memory_size = min(abstraction.recall or len(graph.round.bids), len(graph.round.bids))
    arriving: list[list[_Arrival]] = [[] for _ in range(graph.n_nodes)]
    n_hands = graph.n_hands
    n_states, n_edges = 0, [0] * graph.n_players
    node, first_edge = [], []
    children: list[list[I4]] = [[] for _ in range(graph.n_players)]
    for g in range(graph.n_nodes):  # a raise leads to a larger node
        memories = np.full((1, memory_size), NO_BID, np.int64)
        if arriving[g]:
            memories, place = np.unique(
                np.concatenate([arrival.memories for arrival in arriving[g]]),
                axis=0,
                return_inverse=True,
            )
            _link(arriving[g], n_states + place.reshape(-1))
        actions = slice(int(graph.action_start[g]), int(graph.action_start[g + 1]))
        n_here, n_actions = memories.shape[0], actions.stop - actions.start
        player = int(graph.player[g])
        node.append(np.full(n_here, g, np.int32))
        first_edge.append(n_edges[player] + n_actions * np.arange(n_here))
        n_states += n_here
        n_edges[player] += n_here * n_actions
        _refuse_if_too_many(abstraction, n_edges, n_hands, max_entries)
        below = np.full((n_here, n_actions), NO_STATE, np.int32)
        children[player].append(below)
        for k, action in enumerate(range(actions.start, actions.stop)):
            if graph.action_kind[action] == ActionKind.RAISE:
                target = int(graph.action_target[action])
                arriving[target].append(_Arrival(_remember(memories, graph, target), below[:, k]))
        arriving[g].clear()
    return PublicTree(
        graph,
        np.concatenate(node),
        np.concatenate(first_edge),
        tuple(
            np.concatenate([part.reshape(-1) for part in parts]) if parts else np.empty(0, np.int32)
            for parts in children
        ),
        abstraction,
    )


@dataclass(frozen=True, slots=True)
class _Arrival:
    """One raise from all states of a node: what is remembered after it, and where its edges are."""

    memories: I8
    """The last bids, the latest first, `NO_BID` before the start, int64[states, memory size]."""
    child: I4
    """State that each of the edges leads to, int32[states], a view to be filled."""


def _remember(memories: I8, graph: BidGraph, target: int) -> I8:
    after = np.empty_like(memories)
    after[:, 0] = graph.standing[target]
    after[:, 1:] = memories[:, :-1]
    return after


def _link(arrivals: list[_Arrival], places: I8) -> None:
    start = 0
    for arrival in arrivals:
        arrival.child[:] = places[start : start + arrival.child.size]
        start += arrival.child.size


def _refuse_if_too_many(
    abstraction: Abstraction, n_edges: list[int], n_hands: tuple[int, ...], max_entries: float
) -> None:
    n_entries = sum(e * h for e, h in zip(n_edges, n_hands, strict=True))
    if n_entries > max_entries:
        raise GameTooLargeError(
            f"{abstraction} leaves more than {max_entries:.3g} (action, hand) pairs; "
            "remember fewer bids, or raise max_memory"
        )

"""The public states that an abstraction leaves, with the branches that grow together again."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from liarsolve._typing import F8, I4, I8
from liarsolve.errors import GameTooLargeError
from liarsolve.game.bidding.abstraction import Abstraction
from liarsolve.game.bidding.graph import NO_BID, ActionKind, BidGraph
from liarsolve.game.bidding.hand_classes import HandClasses, group_hands
from liarsolve.game.bidding.readings import BidReader, Memory
from liarsolve.game.bidding.restricted_graph import action_places, restrict_raises
from liarsolve.game.bidding.tree import NO_STATE, PublicTree, TreeSize


def merge_states(
    graph: BidGraph, abstraction: Abstraction, *, max_entries: float = np.inf
) -> PublicTree:
    """Public states that players can tell apart, as a tree whose branches grow together again.

    Sequences of bids that look alike lead to the same state. States are ordered by the bids that
    are remembered, the last one first, so that a child has a larger id than its parents, and
    states with the same children follow one another.

    Where raises are left out, ``graph`` of the tree is a restricted one, by which its edges are
    numbered, and its ``legal`` tree says where every other raise leads. After such a raise the
    standing bid is the true one. Of the bids before it, from the last to the first that is
    remembered, each is read as the lowest bid from which the next one is within the cap, if it was
    lower than that. Lines that rules or the wild lock make impossible do not count; where no line
    is left, nothing is read.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    abstraction : Abstraction
        What players leave out of account.
    max_entries : float
        Number of (edge, hand) pairs of all players that may be built.

    Raises
    ------
    GameTooLargeError
        If there are more; nothing of that size is allocated then.

    Examples
    --------
    >>> from liarsolve.game import MaxJump, Recall, compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> graph = compile_graph(Round(presets.COMMON, (2, 2)))
    >>> merge_states(graph, Recall(3)).n_states
    4096
    >>> merge_states(graph, Recall(3) & MaxJump(6)).n_states
    1336
    """
    within = restrict_raises(graph, abstraction.max_jump)
    memory_size = abstraction.recall or len(graph.round.bids)
    memory_size = min(memory_size, len(graph.round.bids))
    reader = BidReader(within, memory_size)
    classes = group_hands(graph, abstraction)
    _refuse_if_too_many(abstraction, _size(within, reader.count_memories(), classes), max_entries)
    arriving: list[list[_Arrival]] = [[] for _ in range(graph.n_nodes)]
    children: list[list[I4]] = [[] for _ in range(graph.n_players)]
    n_states = np.zeros(graph.n_nodes, np.int64)
    for g in range(graph.n_nodes):  # a raise leads to a larger node
        memories = np.full((1, memory_size), NO_BID, np.int16)
        if arriving[g]:
            memories = _remember(arriving[g], int(graph.standing[g]))
            if within is not graph:
                reader.read(g, memories)
            memories, place = _sort_out(memories)
            _link(arriving[g], int(n_states.sum()) + place)
            arriving[g].clear()
        elif g > 0:
            continue  # the rules lead to every node, but the first
        n_states[g] = memories.shape[0]
        _refuse_if_too_many(abstraction, _size(within, n_states, classes), max_entries)
        actions = slice(int(graph.action_start[g]), int(graph.action_start[g + 1]))
        below = np.full((memories.shape[0], actions.stop - actions.start), NO_STATE, np.int32)
        children[graph.player[g]].append(below)
        for k, action in enumerate(range(actions.start, actions.stop)):
            if graph.action_kind[action] == ActionKind.RAISE:
                target = int(graph.action_target[action])
                arriving[target].append(_Arrival(memories, below[:, k]))
    node = np.repeat(np.arange(graph.n_nodes, dtype=np.int32), n_states)
    legal = PublicTree(
        graph,
        node,
        number_edges(graph, node),
        tuple(
            np.concatenate([part.reshape(-1) for part in parts]) if parts else np.empty(0, np.int32)
            for parts in children
        ),
        abstraction,
    )
    return legal if within is graph else restrict_tree(legal, within)


def measure_merged_states(graph: BidGraph, abstraction: Abstraction) -> TreeSize:
    """Count the states and edges that an abstraction leaves, without building them.

    States that only bids outside the abstraction lead to are not counted; there are some where
    rules keep the reading of `merge_states` from working, as with the smallest of jumps.

    Examples
    --------
    >>> from liarsolve.game import MaxJump, Recall, compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> graph = compile_graph(Round(presets.COMMON, (5, 5, 5, 5)))
    >>> measure_merged_states(graph, Recall(2) & MaxJump(12)).n_states
    5497
    """
    within = restrict_raises(graph, abstraction.max_jump)
    n_bids = len(graph.round.bids)
    reader = BidReader(within, min(abstraction.recall or n_bids, n_bids))
    return _size(within, reader.count_memories(), group_hands(graph, abstraction))


def number_edges(graph: BidGraph, node: I4) -> I8:
    """First edge of each state among those of its player, in the order of states, int64[S]."""
    n_actions = np.diff(graph.action_start)[node]
    player = graph.player[node]
    first_edge = np.empty(node.size, np.int64)
    for p in range(graph.n_players):
        own = player == p
        first_edge[own] = np.cumsum(n_actions[own]) - n_actions[own]
    return first_edge


def restrict_tree(legal: PublicTree, within: BidGraph) -> PublicTree:
    """The same states with the edges of a restricted graph, and ``legal`` beside it."""
    places = action_places(within, legal.graph)
    n_actions = np.diff(within.action_start)
    player = within.player[legal.node]
    children = []
    for p, below in enumerate(legal.children):
        own = np.flatnonzero(player == p)
        count = n_actions[legal.node[own]]
        start = np.repeat(np.cumsum(count) - count, count)
        action = np.repeat(within.action_start[legal.node[own]], count)
        action += np.arange(action.size) - start
        children.append(below[np.repeat(legal.first_edge[own], count) + places[action]])
    first_edge = number_edges(within, legal.node)
    return PublicTree(
        within, legal.node, first_edge, tuple(children), legal.abstraction, legal=legal
    )


def mix_trees(tree: PublicTree, responder: int) -> PublicTree:
    """The tree in which one player may make any legal raise, and the others those they know.

    Edges of the others are numbered as in ``tree``, so that their strategies fit.

    Examples
    --------
    >>> from liarsolve import MaxJump, Round, presets
    >>> from liarsolve.game import compile_graph, merge_states
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    >>> tree = merge_states(graph, MaxJump(1))
    >>> mix_trees(tree, 0).children[0].size > tree.children[0].size
    True
    """
    legal = tree.legal
    if legal is None:
        return tree
    max_jump = None if tree.abstraction is None else tree.abstraction.max_jump
    caps = [None if p == responder else max_jump for p in range(tree.graph.n_players)]
    is_own = tree.graph.player[tree.node] == responder
    return replace(
        tree,
        graph=restrict_raises(legal.graph, caps),
        first_edge=np.where(is_own, legal.first_edge, tree.first_edge),
        children=tuple(
            legal.children[p] if p == responder else below for p, below in enumerate(tree.children)
        ),
        legal=None,
    )


class _Arrival(NamedTuple):
    """One raise from all states of a node: what is known before it, and where its edges are."""

    memories: Memory
    """The last bids, the latest first, `NO_BID` before the start, int16[states, memory size]."""
    child: I4
    """State that each of the edges leads to, int32[states], a view to be filled."""


def _remember(arrivals: list[_Arrival], standing: int) -> Memory:
    """What is remembered after raises to a bid, one raise after the other."""
    n_rows = sum(arrival.child.size for arrival in arrivals)
    after = np.empty((n_rows, arrivals[0].memories.shape[1]), np.int16)
    after[:, 0] = standing
    start = 0
    for arrival in arrivals:
        stop = start + arrival.child.size
        after[start:stop, 1:] = arrival.memories[:, :-1]
        start = stop
    return after


def _sort_out(memories: Memory) -> tuple[Memory, I8]:
    """Different rows in their order, and the place of each row among them."""
    n_bits = int(memories.max() + 1).bit_length()
    key = np.zeros(memories.shape[0], np.int64)
    n_used = 0
    for column in memories.T[1:]:  # the standing bid is the same in all rows
        if n_used + n_bits > 62:
            _, key = np.unique(key, return_inverse=True)
            n_used = int(key.max()).bit_length()
        key = (key << n_bits) + column + 1
        n_used += n_bits
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return memories[first], place


def _link(arrivals: list[_Arrival], places: I8) -> None:
    start = 0
    for arrival in arrivals:
        arrival.child[:] = places[start : start + arrival.child.size]
        start += arrival.child.size


def _size(graph: BidGraph, n_states: F8 | I8, classes: HandClasses | None) -> TreeSize:
    """What so many states at every node add up to."""
    n_actions = np.diff(graph.action_start)
    n_hands = np.array(graph.n_hands)[graph.player] if classes is None else classes.n_classes
    states, edges, infosets = (
        np.bincount(graph.player, weights, graph.n_players)
        for weights in (n_states, n_states * n_actions, n_states * n_hands)
    )
    return TreeSize(
        n_states=int(states.sum()),
        n_edges=tuple(int(n) for n in edges),
        n_entries=int((n_states * n_actions * n_hands).sum()),
        n_infosets=tuple(int(n) for n in infosets),
    )


def _refuse_if_too_many(abstraction: Abstraction, size: TreeSize, max_entries: float) -> None:
    if size.n_entries > max_entries:
        advice = "remember fewer bids"
        if abstraction.recall is None:
            advice = f"let players forget bids, as with Recall(3) & {abstraction!r}"
        raise GameTooLargeError(
            f"{abstraction} leaves {size.n_entries:.3g} (action, hand) pairs, but no more than "
            f"{max_entries:.3g} may be built; {advice}, or raise max_memory"
        )

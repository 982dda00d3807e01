"""Hands that players do not tell apart: merged by what they are worth for the next bids."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from liarsolve._typing import I8, Real
from liarsolve.game.bidding.abstraction import Abstraction
from liarsolve.game.bidding.graph import ActionKind, BidGraph
from liarsolve.game.bidding.tree import PublicTree


@dataclass(frozen=True, eq=False, repr=False)
class HandClasses:
    """For every node of a graph, which hands of the player to act are alike.

    What is stored for a player by class lies in one row, in the order of their states: for each of
    their edges an entry for every class of the node.
    """

    graph: BidGraph
    of_hand: NDArray[np.int16]
    """Class of each hand, int16[G, most hands]; 0 beyond the hands of the player to act."""
    n_classes: I8
    """int64[G]."""

    def __repr__(self) -> str:
        return f"HandClasses(graph={self.graph!r}, n_classes={int(self.n_classes.max())})"

    @cached_property
    def _first_hand(self) -> tuple[I8, ...]:
        """For each node, the first hand of every class."""
        n_hands = self.graph.n_hands
        return tuple(
            np.unique(row[: n_hands[player]], return_index=True)[1]
            for player, row in zip(self.graph.player, self.of_hand, strict=True)
        )

    def first_entries(self, tree: PublicTree) -> tuple[I8, I8]:
        """First entry of each state among those of its player, and entries of each player."""
        n_here = (np.diff(tree.graph.action_start) * self.n_classes)[tree.node]
        player = tree.graph.player[tree.node]
        first = np.empty(tree.n_states, np.int64)
        n_entries = np.zeros(tree.graph.n_players, np.int64)
        for p in range(tree.graph.n_players):
            own = player == p
            first[own] = np.cumsum(n_here[own]) - n_here[own]
            n_entries[p] = n_here[own].sum()
        return first, n_entries

    def spread(
        self, tree: PublicTree, entries: tuple[Real, ...], out: tuple[Real, ...] | None = None
    ) -> tuple[Real, ...]:
        """Entries by class as entries by hand: for each player float[E, H]."""
        if out is None:
            pairs = zip(tree.children, self.graph.n_hands, entries, strict=True)
            out = tuple(np.empty((below.size, n), row.dtype) for below, n, row in pairs)
        for player, node, edges, part in self._blocks(tree):
            row = entries[player][part].reshape(edges.stop - edges.start, -1)
            classes = self.of_hand[node, : self.graph.n_hands[player]]
            np.take(row, classes, axis=1, out=out[player][edges], mode="clip")
        return out

    def gather(self, tree: PublicTree, strategy: tuple[Real, ...]) -> tuple[Real, ...]:
        """The inverse of `spread`: one row for each player."""
        _, n_entries = self.first_entries(tree)
        out: list[Real] = [
            np.empty(n, policy.dtype) for n, policy in zip(n_entries, strategy, strict=True)
        ]
        for player, node, edges, part in self._blocks(tree):
            out[player][part] = strategy[player][edges][:, self._first_hand[node]].reshape(-1)
        return tuple(out)

    def act_alike(self, actions: tuple[I8, ...]) -> tuple[I8, ...]:
        """Actions by node and hand, int64[G, H], with that of most of a class for all of it."""
        out = tuple(array.copy() for array in actions)
        for node, player in enumerate(self.graph.player.tolist()):
            probs, chosen = self.graph.hand_probs[player], out[player][node]
            classes = self.of_hand[node, : chosen.size]
            places, place = np.unique(chosen, return_inverse=True)
            votes = np.zeros((places.size, int(self.n_classes[node])))
            np.add.at(votes, (place.reshape(-1), classes), probs)
            chosen[:] = places[votes.argmax(axis=0)][classes]
        for array in out:
            array.flags.writeable = False
        return out

    def _blocks(self, tree: PublicTree) -> list[tuple[int, int, slice, slice]]:
        """Player, node, edges and entries of all states of each node; they follow one another."""
        n_actions = np.diff(tree.graph.action_start)
        n_edges = np.bincount(tree.node, minlength=tree.graph.n_nodes) * n_actions
        found = []
        edge, entry = ([0] * tree.graph.n_players for _ in range(2))
        for node in np.flatnonzero(n_edges).tolist():
            player, rows = int(tree.graph.player[node]), int(n_edges[node])
            size = rows * int(self.n_classes[node])
            edges = slice(edge[player], edge[player] + rows)
            found.append((player, node, edges, slice(entry[player], entry[player] + size)))
            edge[player] += rows
            entry[player] += size
        return found


def group_hands(graph: BidGraph, abstraction: Abstraction | None) -> HandClasses | None:
    """Classes of hands under an abstraction; None if it tells all of them apart.

    Two hands are alike at a node if as many of their dice match the standing bid, and each of the
    next legal bids that count. Before the opening bid no hands are alike.

    Examples
    --------
    >>> from liarsolve.game import SimilarHands, compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> graph = compile_graph(Round(presets.COMMON, (5, 5)))
    >>> classes = group_hands(graph, SimilarHands(2))
    >>> classes.n_classes[:3].tolist()  # 252 hands, then three counts of at most five dice
    [252, 56, 56]
    """
    if abstraction is None or abstraction.similar_hands is None:
        return None
    of_hand = np.zeros((graph.n_nodes, max(graph.n_hands)), np.int16)
    n_classes = np.empty(graph.n_nodes, np.int64)
    known: dict[tuple[int, tuple[int, ...]], NDArray[np.int16]] = {}
    for node in range(graph.n_nodes):
        player = int(graph.player[node])
        n_hands = graph.n_hands[player]
        if node == 0:
            of_hand[0, :n_hands] = np.arange(n_hands)
        else:
            rows = _rows_that_count(graph, node, abstraction.similar_hands)
            if (player, rows) not in known:
                counts = graph.matches[player][list(rows)]
                _, alike = np.unique(counts, axis=1, return_inverse=True)
                known[player, rows] = alike.reshape(-1).astype(np.int16)
            of_hand[node, :n_hands] = known[player, rows]
        n_classes[node] = of_hand[node, :n_hands].max() + 1
    of_hand.flags.writeable = n_classes.flags.writeable = False
    return HandClasses(graph, of_hand, n_classes)


def _rows_that_count(graph: BidGraph, node: int, n_bids: int) -> tuple[int, ...]:
    """Match classes of the standing bid and of the next bids, each once."""
    edges = slice(graph.action_start[node], graph.action_start[node + 1])
    raised = graph.action_target[edges][graph.action_kind[edges] == ActionKind.RAISE]
    rows = [graph.match_class[node], *graph.match_class[raised[:n_bids]]]
    return tuple(sorted({int(row) for row in rows}))

"""Remembered bids, read as players would have made them who do not jump far.

Players who never think of a far jump have no memory of one either. Where somebody makes one all
the same, the bids before it are read as if all had gone there in jumps that they know: each as the
lowest bid, but not lower than it was, from which the next one is within the cap. The standing bid
is never changed.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from liarsolve._typing import B1, F8, I4, I8
from liarsolve.game.bidding.graph import NO_BID, ActionKind, BidGraph

Memory = NDArray[np.int16]


class BidReader:
    """What was bid, read backwards from the standing bid, in a graph of restricted raises.

    Bids do not say everything about the nodes of the graph that play has passed: whether the wild
    lock held is remembered for the standing bid alone. So a reading keeps a *trace* at every bid:
    all nodes with this bid and this player on turn from which the later bids can follow. Nodes
    count only if as many bids as are remembered can have led there, or that many and more if
    others may have been forgotten.

    Axes: T traces, B bids, G nodes.

    Parameters
    ----------
    graph : BidGraph
        The graph with the raises that players know.
    memory_size : int
        Bids that are remembered at the most.
    """

    def __init__(self, graph: BidGraph, memory_size: int) -> None:
        self.graph, self.memory_size = graph, memory_size
        self.n_bids = len(graph.round.bids)
        node = np.repeat(np.arange(graph.n_nodes), np.diff(graph.action_start))
        is_raise = graph.action_kind == ActionKind.RAISE
        self._source, self._target = node[is_raise], graph.action_target[is_raise]
        # Nodes with the same bid and player form a group; a trace is a set of nodes of a group.
        pairs = np.stack([graph.standing, graph.player], axis=1)
        _, group = np.unique(pairs, axis=0, return_inverse=True)
        self._group = group.reshape(-1)
        place = _place_in_group(self._group)
        self._bit = 1 << place
        n_traces = (1 << np.bincount(self._group)) - 1
        self._first_trace = np.cumsum(n_traces) - n_traces
        self._trace_group = np.repeat(np.arange(n_traces.size), n_traces)
        self._trace_mask = np.arange(self._trace_group.size) - self._first_trace[self._trace_group]
        self._trace_mask += 1
        self._before = self._find_traces_before()
        self._nearest: dict[tuple[int, bool], I4] = {}
        self._cuts: dict[tuple[int, bool], I8] = {}

    def _find_traces_before(self) -> I8:
        """Trace that a bid leaves when it comes before a trace, -1 if it cannot, int64[T, B]."""
        mask = np.zeros((self._trace_group.size, self.n_bids), np.int64)
        group = np.zeros_like(mask)
        is_bid = self._source > 0  # node 0 has no bid
        source, target = self._source[is_bid], self._target[is_bid]
        first, bit = self._first_trace[self._group[target]], self._bit[target]
        n_most = int(self._trace_mask.max())
        for subset in range(1, n_most + 1):
            trace = first + subset - 1
            holds = (bit & subset > 0) & (trace < self._trace_group.size)
            holds[holds] = self._trace_group[trace[holds]] == self._group[target[holds]]
            at = trace[holds], self.graph.standing[source[holds]]
            np.bitwise_or.at(mask, at, self._bit[source[holds]])
            group[at] = self._group[source[holds]]
        before: I8 = np.where(mask > 0, self._first_trace[group] + mask - 1, -1)
        return before

    @cached_property
    def _exact(self) -> B1:
        """Whether a node can be reached by exactly so many bids, bool[B + 2, G]."""
        found = np.zeros((self.n_bids + 2, self.graph.n_nodes), np.bool_)
        found[0, 0] = True
        for n in range(self.n_bids):
            found[n + 1, self._target[found[n, self._source]]] = True
        return found

    @cached_property
    def _at_least(self) -> B1:
        """Whether a node can be reached by so many bids or more, bool[B + 2, G]."""
        found: B1 = np.logical_or.accumulate(self._exact[::-1], axis=0)[::-1]
        return found

    def _cut(self, n_before: int, *, is_open: bool) -> I8:
        """What is left of a trace where so many bids, or more if open, led to it, int64[T]."""
        key = (n_before, is_open)
        if key not in self._cuts:
            reached = (self._at_least if is_open else self._exact)[n_before]
            mask_of_group = np.zeros(self._first_trace.size, np.int64)
            np.bitwise_or.at(mask_of_group, self._group[reached], self._bit[reached])
            mask = self._trace_mask & mask_of_group[self._trace_group]
            first = self._first_trace[self._trace_group]
            self._cuts[key] = np.append(np.where(mask > 0, first + mask - 1, -1), -1)
        return self._cuts[key]

    def _trace_of(self, node: int) -> int:
        return int(self._first_trace[self._group[node]] + self._bit[node] - 1)

    def _lowest(self, n_before: int, *, is_open: bool) -> I4:
        """What a bid before a trace is read as if the trace cannot follow it, int32[T, B]."""
        key = (n_before, is_open)
        if key not in self._nearest:
            possible = self._cut(n_before, is_open=is_open)[self._before] >= 0
            bid = np.where(possible, np.arange(self.n_bids, dtype=np.int32), self.n_bids)
            above = np.minimum.accumulate(bid[:, ::-1], axis=1)[:, ::-1]
            lowest = bid.min(axis=1, keepdims=True)
            self._nearest[key] = np.where(above < self.n_bids, above, lowest).astype(np.int32)
        return self._nearest[key]

    def read(self, node: int, memories: Memory) -> None:
        """Read remembered bids with which play has come to a node.

        Where no line of known raises of that length leads to the node, they stay as they are.

        Parameters
        ----------
        node : int
            Where play stands.
        memories : int16[rows, memory size], modified in place
            The last bids, the latest first, `NO_BID` before the start.
        """
        n_known = (memories != NO_BID).sum(axis=1)
        for n in np.unique(n_known).tolist():
            rows = np.flatnonzero(n_known == n)
            memories[rows] = self._read_alike(node, memories[rows], n)

    def _read_alike(self, node: int, memories: Memory, n_known: int) -> Memory:
        is_open = n_known == self.memory_size
        trace = np.full(memories.shape[0], self._trace_of(node))
        if self._cut(n_known, is_open=is_open)[trace[0]] < 0:
            return memories
        for i in range(1, n_known):
            n_before = n_known - i
            cut = self._cut(n_before, is_open=is_open)
            bid = memories[:, i]
            is_far = cut[self._before[trace, bid]] < 0
            if is_far.any():
                lowest = self._lowest(n_before, is_open=is_open)
                bid[is_far] = lowest[trace[is_far], bid[is_far]]
            trace = cut[self._before[trace, bid]]
        return memories

    def count_memories(self) -> F8:
        """Memories with which play can come to each node in known raises, float64[G]."""
        total = np.zeros(self.graph.n_nodes)
        total[0] = 1.0
        for is_open in (False, True):
            n_histories = np.append(
                np.ones(self._trace_group.size), 0.0
            )  # of no trace there is none
            n_bids = range(1, self.memory_size) if not is_open else range(1, self.memory_size + 1)
            for n in n_bids:
                if n > 1:
                    cut = self._cut(n - 1, is_open=is_open)
                    n_histories = np.append(n_histories[cut[self._before]].sum(axis=1), 0.0)
                if not is_open or n == self.memory_size:
                    at = self._first_trace[self._group] + self._bit - 1
                    total += n_histories[self._cut(n, is_open=is_open)[at]]
        return total


def _place_in_group(group: I8) -> I8:
    """How many earlier entries are the same as each, int64[G]."""
    order = np.argsort(group, kind="stable")
    start = np.searchsorted(group[order], group[order])
    place = np.empty_like(group)
    place[order] = np.arange(group.size) - start
    return place

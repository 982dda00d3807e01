"""A public tree that grows as play reaches it, with what CFR stores at its states."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from liarsolve._lanes import aligned, aligned_zeros, lengthen_aligned, pad
from liarsolve._typing import F8, I4, I8, U1, Real
from liarsolve.game import BidGraph, PublicTree
from liarsolve.solvers.core.halt import Halt, pause_after
from liarsolve.solvers.core.variants import Step
from liarsolve.solvers.two_player import _pass_kernels as kernels
from liarsolve.solvers.two_player import _stale_kernels
from liarsolve.solvers.two_player._traversal_kernels import DONE, NO_STATE, Tree
from liarsolve.solvers.two_player.traversals import start_pass

_GROWTH = 1.25
"""Arrays become this much longer when they are full; the system moves pages, not bytes."""
_LEAST_GROWTH = 1.02
"""Where memory is short they grow by less, but not by so little that they are full at once."""
FIRST_STATES = 16
FIRST_EDGES = 128
"""Length of the arrays of a new tree, unless its root has more edges."""


@dataclass(eq=False)
class PlayerArrays:
    """What one player's edges carry; longer than what is in use."""

    children: I4
    is_live: U1
    cum_regret: Real
    prediction: Real
    cum_policy: Real

    @classmethod
    def empty(cls, n_hands: int, dtype: DTypeLike) -> "PlayerArrays":
        """Arrays without edges."""
        children, is_live = np.empty(0, np.int32), np.empty(0, np.uint8)
        return cls(children, is_live, *(aligned_zeros(0, n_hands, dtype) for _ in range(3)))

    def lengthen(self, n_edges: int, *, is_predictive: bool) -> None:
        """Make room for ``n_edges`` edges in all."""
        old = self.children.size
        self.children = _lengthened(self.children, n_edges)
        self.children[old:] = NO_STATE
        self.is_live = _lengthened(self.is_live, n_edges)
        self.cum_regret = lengthen_aligned(self.cum_regret, n_edges)
        self.cum_policy = lengthen_aligned(self.cum_policy, n_edges)
        if is_predictive:
            self.prediction = lengthen_aligned(self.prediction, n_edges)

    def keep(self, rows: I8, new_state: I4) -> None:
        """Keep these rows, in this order; ``new_state`` says what became of each state."""
        old = self.children[rows]
        self.children = np.where(old >= 0, new_state[old], old)
        self.is_live = self.is_live[rows]
        self.cum_regret = aligned(self.cum_regret, rows)
        self.cum_policy = aligned(self.cum_policy, rows)
        if self.prediction.size:
            self.prediction = aligned(self.prediction, rows)

    def by_name(self) -> dict[str, NDArray[Any]]:
        """Return the arrays by name."""
        return {
            "children": self.children,
            "is_live": self.is_live,
            "cum_regret": self.cum_regret,
            "prediction": self.prediction,
            "cum_policy": self.cum_policy,
        }

    @property
    def n_bytes(self) -> int:
        """Memory of the arrays."""
        return sum(array.nbytes for array in self.by_name().values())


def _lengthened(array: NDArray[Any], n_rows: int) -> NDArray[Any]:
    """Return the array with zeros behind it. It owns its memory, so it is enlarged in place."""
    array.resize(n_rows, refcheck=False)
    return array


@dataclass(frozen=True, eq=False)
class Pass:
    """What all trees of a pass share."""

    graph: kernels.PassGraph
    defaults: tuple[I8, ...]
    traverser: int
    step: Step
    halt: Halt


@dataclass(eq=False)
class GrowingTree:
    """States below one graph node, numbered in the order in which play first reached them."""

    graph: BidGraph
    root: int
    """Graph node of state 0."""
    dtype: DTypeLike
    is_predictive: bool
    node: I4 = field(init=False)
    first_edge: I8 = field(init=False)
    last_visit: I4 = field(init=False)
    n_used: I8 = field(init=False)
    players: tuple[PlayerArrays, ...] = field(init=False)
    n_bytes: int = field(init=False)
    """Memory of the arrays."""

    def __post_init__(self) -> None:
        graph = self.graph
        n_actions = int(graph.action_start[self.root + 1] - graph.action_start[self.root])
        self.node = np.empty(0, np.int32)
        self.first_edge = np.empty(0, np.int64)
        self.last_visit = np.empty(0, np.int32)
        self.players = tuple(PlayerArrays.empty(pad(n), self.dtype) for n in graph.n_hands)
        self.n_used = np.zeros(1 + graph.n_players, np.int64)
        self._lengthen(FIRST_STATES, [max(FIRST_EDGES, n_actions)] * graph.n_players)
        self.node[0], self.first_edge[0] = self.root, 0
        self.n_used[0] = 1
        self.n_used[1 + graph.player[self.root]] = n_actions

    @property
    def n_states(self) -> int:
        """Number of states created."""
        return int(self.n_used[0])

    def _measure(self) -> None:
        own = self.node.nbytes + self.first_edge.nbytes + self.last_visit.nbytes
        self.n_bytes = own + sum(player.n_bytes for player in self.players)

    def grow(self, max_bytes: float) -> bool:
        """Make the arrays longer, if they may take so much; returns whether they may."""
        growth = min(_GROWTH, max_bytes / self.n_bytes)
        if growth < _LEAST_GROWTH:
            return False
        sizes = [self.node.size, *(p.children.size for p in self.players)]
        n_states, *n_edges = (max(int(growth * n), n + 1) for n in sizes)
        self._lengthen(n_states, n_edges)
        return True

    def _lengthen(self, n_states: int, n_edges: list[int]) -> None:
        self.node = _lengthened(self.node, n_states)
        self.first_edge = _lengthened(self.first_edge, n_states)
        self.last_visit = _lengthened(self.last_visit, n_states)
        for player, n in zip(self.players, n_edges, strict=True):
            player.lengthen(n, is_predictive=self.is_predictive)
        self._measure()

    def drop_stale(self, oldest: int) -> None:
        """Forget the states that no traversal has come to since iteration ``oldest``.

        The others are put into the order in which traversals come to them, which makes traversals
        faster.
        """
        n_states, *n_edges = self.n_used.tolist()
        order = np.empty(n_states, np.int32)
        rows = [np.empty(n, np.int64) for n in n_edges]
        _stale_kernels.list_fresh(
            self.graph.player,
            self.graph.action_start,
            self.kernel_tree(),
            self.players[0].children,
            self.players[1].children,
            oldest,
            _stale_kernels.Listing(order, *rows),
        )
        n_states, *n_edges = self.n_used.tolist()
        order = order[:n_states]
        new_state = np.full(self.node.size, NO_STATE, np.int32)
        new_state[order] = np.arange(n_states, dtype=np.int32)
        self.node, self.last_visit = self.node[order], self.last_visit[order]
        mover = self.graph.player[self.node]
        n_actions = np.diff(self.graph.action_start)[self.node]
        self.first_edge = np.empty(n_states, np.int64)
        for p, player in enumerate(self.players):
            mine = mover == p
            self.first_edge[mine] = np.cumsum(n_actions[mine]) - n_actions[mine]
            player.keep(rows[p][: n_edges[p]], new_state)
        self._measure()

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that `restore` needs: views of what is in use, and how long the arrays are."""
        n_states, *n_edges = self.n_used.tolist()
        arrays: dict[str, NDArray[Any]] = {
            "n_used": self.n_used.copy(),
            "capacity": np.array([self.node.size, *(p.children.size for p in self.players)]),
            "node": self.node[:n_states],
            "first_edge": self.first_edge[:n_states],
            "last_visit": self.last_visit[:n_states],
        }
        for p, (player, n) in enumerate(zip(self.players, n_edges, strict=True)):
            for name, array in player.by_name().items():
                arrays[f"{name}_{p}"] = array[:n]
        return arrays

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Become the tree of which `to_arrays` was taken, to the last bit."""
        capacity = [int(n) for n in arrays["capacity"]]
        self._lengthen(capacity[0], capacity[1:])
        self.n_used[:] = arrays["n_used"]
        n_states, *n_edges = self.n_used.tolist()
        self.node[:n_states] = arrays["node"]
        self.first_edge[:n_states] = arrays["first_edge"]
        self.last_visit[:n_states] = arrays["last_visit"]
        for p, (player, n) in enumerate(zip(self.players, n_edges, strict=True)):
            for name, array in player.by_name().items():
                if array.size:
                    array[:n] = arrays[f"{name}_{p}"]

    def kernel_tree(self) -> Tree:
        """Arrays of the states, as the kernels take them."""
        return Tree(self.node, self.first_edge, self.last_visit, self.n_used)

    def kernel_side(self, player: int, defaults: tuple[I8, ...]) -> kernels.PassSide:
        """Arrays of one player, as the kernels take them."""
        arrays = self.players[player]
        return kernels.PassSide(
            default_action=defaults[player],
            children=arrays.children,
            is_live=arrays.is_live,
            cum_regret=arrays.cum_regret,
            prediction=arrays.prediction,
            cum_policy=arrays.cum_policy,
        )

    def run_pass(
        self,
        pass_: Pass,
        reach: F8,
        max_bytes: float,
        scratch: kernels.PassScratch,
        weight: float = 1.0,
    ) -> tuple[F8, bool]:
        """Traverse the tree for one player, growing it up to ``max_bytes``.

        Returns the counterfactual value of each of their hands, and whether states were left out
        because there was no memory for them. Where ``pass_.halt`` says so, the pass is brought to
        its end; no other should follow.
        """
        traverser, step, defaults = pass_.traverser, pass_.step, pass_.defaults
        scratch.n_left[0] = piece = pause_after(scratch.value.shape[1])
        start_pass(scratch, reach, weight)
        depth, was_refused = 0, False
        while True:
            depth = kernels.cfr_pass(
                pass_.graph,
                self.kernel_tree(),
                self.kernel_side(traverser, defaults),
                self.kernel_side(1 - traverser, defaults),
                traverser,
                step,
                depth,
                scratch,
            )
            if depth == DONE:
                return scratch.value[0, : pad(self.graph.n_hands[traverser])].copy(), was_refused
            if scratch.n_left[0] == 0:
                scratch.n_left[0] = piece
                if pass_.halt():
                    step = step._replace(threshold=math.inf, may_create=False)
            elif pass_.halt():  # it takes long to grow, and nobody would see what has grown
                step = step._replace(threshold=math.inf, may_create=False)
            elif not self.grow(max_bytes):
                was_refused = True
                step = step._replace(may_create=False)

    def free_regrets(self) -> None:
        """Give up what only further passes need."""
        for player in self.players:
            player.cum_regret = player.cum_regret[:0].copy()
            player.prediction = player.prediction[:0].copy()
        self._measure()

    def free_policies(self) -> None:
        """Give up the cumulative policies."""
        for player in self.players:
            player.cum_policy = player.cum_policy[:0].copy()
        self._measure()

    def finished(self) -> tuple[PublicTree, tuple[Real, ...]]:
        """The tree as it is, and the cumulative policies by edge: views, not copies."""
        n_states, *n_edges = self.n_used.tolist()
        tree = PublicTree(
            graph=self.graph,
            node=self.node[:n_states],
            first_edge=self.first_edge[:n_states],
            children=tuple(p.children[:n] for p, n in zip(self.players, n_edges, strict=True)),
        )
        weights = tuple(p.cum_policy[:n] for p, n in zip(self.players, n_edges, strict=True))
        return tree, weights

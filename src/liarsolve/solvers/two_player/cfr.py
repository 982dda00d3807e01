"""Counterfactual regret minimization on a tree that grows as play reaches it."""

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from liarsolve._typing import F8, I8, Real
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, Payoffs, PublicTree, Start, StrategyProfile, join_trees
from liarsolve.solvers.core.certificate import Certificate
from liarsolve.solvers.core.halt import NEVER
from liarsolve.solvers.core.variants import DISCOUNTED_CFR, CFRVariant, Step
from liarsolve.solvers.two_player import _pass_kernels, _traversal_kernels
from liarsolve.solvers.two_player.best_response import (
    HandBounds,
    InitialPolicy,
    bound_hands,
    bound_visits,
    certificate_of,
    initial_actions,
)
from liarsolve.solvers.two_player.growing_tree import GrowingTree, Pass
from liarsolve.solvers.two_player.traversals import (
    make_pass_graph,
    make_pass_scratch,
    padded_hands,
    padded_reach,
)

T = TypeVar("T")
R = TypeVar("R")


class CFRSolver:
    """CFR for a round of two players, with a vector over hands at every public state.

    A state is created when the opponent of the player who looks there reaches it with more than
    ``threshold``; until then everybody acts by the initial policy. Subtrees that are reached with
    no more are left out of an iteration. With threshold 0 and the uniform initial policy this is
    the textbook algorithm on the complete tree.

    Actions that no hand of the traverser plays are traversed once in ``revisit_period`` iterations.

    A step or a certificate that ``halt`` ends is brought to its end as fast as may be: what it has
    not come to is left out. The strategy is valid, but no step should follow.

    Every opening bid has a tree of its own, below a root that holds only the opening policy, so
    that threads can traverse them at the same time; results are added up in a fixed order and do
    not depend on the number of threads.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    payoffs : Payoffs
        What the outcomes are worth.
    variant : CFRVariant
        Which member of the family.
    initial : InitialPolicy
        What a player does before they have anything to regret.
    dtype : numpy dtype
        Type in which regrets and averages are stored, float64 or float32; sums are float64.
    max_memory : float
        Bytes that the trees may take. When a tree cannot grow, the solver goes on with the states
        that it has, and ``is_out_of_memory`` says so.
    is_split : bool
        Whether opening bids have trees of their own. Small rounds are faster in one piece.
    n_threads : int, optional
        Threads that traverse trees; the number of processors if not given.

    Examples
    --------
    >>> from liarsolve.game import compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> solver = CFRSolver(compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1))))
    >>> for _ in range(100):
    ...     solver.step()
    >>> solver.certify().exploitability < 0.01  # the value is -1/9
    True
    """

    def __init__(
        self,
        graph: BidGraph,
        payoffs: Payoffs | None = None,
        variant: CFRVariant = DISCOUNTED_CFR,
        *,
        initial: InitialPolicy = InitialPolicy.LIKELIEST,
        dtype: DTypeLike = np.float64,
        max_memory: float = math.inf,
        is_split: bool = False,
        n_threads: int | None = None,
    ) -> None:
        if graph.n_players != 2:
            raise InputError(
                f"only rounds of two players can be solved, got {graph.n_players} players"
            )
        self.graph = graph
        self.payoffs = payoffs or Payoffs()
        self.variant = variant
        self.iteration = 0
        self.threshold = 0.0
        self.revisit_period = 1
        self.max_memory = max_memory
        self.is_out_of_memory = False
        self.halt = NEVER
        self._defaults = initial_actions(graph, initial)
        self._padded_defaults = tuple(
            np.ascontiguousarray(actions[:, padded_hands(n_hands)])
            for actions, n_hands in zip(self._defaults, graph.n_hands, strict=True)
        )
        self._reaches = tuple(padded_reach(probs) for probs in graph.hand_probs)
        self._pass_graphs = tuple(
            make_pass_graph(graph, self.payoffs, player) for player in range(2)
        )
        self._root = GrowingTree(graph, 0, dtype, variant.is_predictive)
        self._share = math.inf
        n_openings = graph.action_start[1] if is_split else 0
        self._branches = [
            GrowingTree(graph, int(node), dtype, variant.is_predictive)
            for node in graph.action_target[:n_openings]
        ]
        n_threads = (n_threads or os.cpu_count() or 1) if is_split else 1
        self._pool = ThreadPoolExecutor(n_threads) if n_threads > 1 else None
        self._scratches: SimpleQueue[_pass_kernels.PassScratch] = SimpleQueue()
        for _ in range(n_threads):
            self._scratches.put(make_pass_scratch(graph))

    @property
    def is_split(self) -> bool:
        """Whether opening bids have trees of their own."""
        return bool(self._branches)

    @property
    def n_states(self) -> int:
        """Number of public states created."""
        return sum(tree.n_states for tree in self._trees)

    @property
    def n_bytes(self) -> int:
        """Memory of the trees."""
        return sum(tree.n_bytes for tree in self._trees)

    @property
    def _trees(self) -> list[GrowingTree]:
        return [self._root, *self._branches]

    def step(self) -> None:
        """One iteration: player 0 updates against player 1's policy, then the other way round.

        A pass updates one player's regrets and the other's average. Player 1's update is put off
        to the start of the next iteration, so that after each step both averages hold exactly the
        policies of iterations 1 to ``iteration``, as in the textbook algorithm.
        """
        if self.iteration == 0:  # player 0's first policy enters the average, nothing else happens
            self._run_pass(1, 1, 1)
            for tree in self._trees:
                tree.players[1].is_live[:] = 0
                tree.players[1].cum_regret[:] = 0.0
                tree.players[1].prediction[:] = 0.0
        else:
            self._run_pass(1, self.iteration, self.iteration + 1)
        self.iteration += 1
        self._run_pass(0, self.iteration, self.iteration)

    def _run_pass(self, traverser: int, iteration: int, opponent_iteration: int) -> None:
        step = self.variant.step(
            iteration,
            opponent_iteration,
            threshold=self.threshold,
            may_create=not self.is_out_of_memory,
            revisit_period=self.revisit_period,
        )
        # In a pass a tree may take its share of what is free without asking, whatever the others
        # do at the same time, so that the outcome does not depend on their order.
        self._share = max(self.max_memory - self.n_bytes, 0.0) / max(1, len(self._branches))
        if self._branches:
            self._run_branches(traverser, step)
        else:
            refused = self._walk(self._root, traverser, self._reaches[1 - traverser], step)[1]
            self.is_out_of_memory |= refused

    def _run_branches(self, traverser: int, step: Step) -> None:
        """Act at the root, traverse the trees of the opening bids, and settle the root."""
        side = self._root.kernel_side(0, self._padded_defaults)
        n_openings = len(self._branches)
        first_reach, other_reach = self._reaches
        policy = np.zeros((n_openings + 1, first_reach.size))
        is_live = np.empty(n_openings, np.int64)
        _pass_kernels.match_regrets(side, n_openings, step.is_predictive, policy, is_live)
        policy = policy[:n_openings]
        weights = np.ones(n_openings)
        if traverser == 0:
            reaches = np.broadcast_to(other_reach, (n_openings, other_reach.size))
            turn = (step.iteration + np.arange(n_openings)) % step.revisit_period == 0
            weights = np.where(is_live, 1.0, np.where(turn, float(step.revisit_period), 0.0))
        else:
            reaches = policy * first_reach
            sums = side.cum_policy[:n_openings]
            np.add(sums, step.average_weight * reaches, out=sums, casting="same_kind")
            weights[reaches.sum(axis=1) <= step.threshold] = 0.0
        traversed = np.flatnonzero(weights)
        results = self._map(
            lambda k: self._walk(self._branches[k], traverser, reaches[k], step, float(weights[k])),
            traversed,
        )
        values = np.zeros((n_openings, self._reaches[traverser].size))
        for k, (branch_values, was_refused) in zip(traversed, results, strict=True):
            values[k] = branch_values
            if was_refused and not self.halt():
                self._make_room(self._branches[k])
        if traverser == 0 and not self.halt():
            value = np.sum(policy * values, axis=0, keepdims=True)
            _pass_kernels.settle(side, n_openings, step, value, values, weights)

    def _walk(
        self,
        tree: GrowingTree,
        traverser: int,
        reach: F8,
        step: Step,
        weight: float = 1.0,
    ) -> tuple[F8, bool]:
        if self.halt():  # the averages so far are as good as they are
            return np.zeros(self._reaches[traverser].size), False
        graph, defaults = self._pass_graphs[traverser], self._padded_defaults
        pass_ = Pass(graph, defaults, traverser, step, self.halt)
        scratch = self._scratches.get()
        try:
            return tree.run_pass(pass_, reach, tree.n_bytes + self._share, scratch, weight)
        finally:
            self._scratches.put(scratch)

    def _make_room(self, tree: GrowingTree) -> None:
        """Let a tree grow that was refused more than its share, if the others have left enough."""
        self.is_out_of_memory |= not tree.grow(self.max_memory - self.n_bytes + tree.n_bytes)

    def _map(self, function: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """Results in the order of the items, whichever thread is done first."""
        if self._pool is None:
            return [function(item) for item in items]
        futures = [self._pool.submit(function, item) for item in items]
        try:
            return [future.result() for future in futures]
        finally:  # after an interrupt, nobody may touch the trees while threads still traverse them
            wait(futures)

    def drop_stale(self) -> None:
        """Forget the states that neither player has come to in the second half of the iterations.

        Should play come back there, it starts from the initial policy. In the average strategy
        what is forgotten weighs an eighth at most of what such a state can weigh, and less with
        every iteration.
        """
        oldest = self.iteration // 2 - self.revisit_period
        for tree in self._trees:
            tree.drop_stale(oldest)

    def to_state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Everything that `restore` needs: plain values, and arrays that are views."""
        values = {
            "iteration": self.iteration,
            "threshold": self.threshold,
            "revisit_period": self.revisit_period,
            "is_out_of_memory": self.is_out_of_memory,
        }
        arrays = {
            f"tree{i}_{name}": array
            for i, tree in enumerate(self._trees)
            for name, array in tree.to_arrays().items()
        }
        return values, arrays

    def restore(self, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on where `to_state` was taken, to the last bit."""
        self.iteration = int(values["iteration"])
        self.threshold = float(values["threshold"])
        self.revisit_period = int(values["revisit_period"])
        self.is_out_of_memory = bool(values["is_out_of_memory"])
        for i, tree in enumerate(self._trees):
            prefix = f"tree{i}_"
            tree.restore(
                {
                    name.removeprefix(prefix): a
                    for name, a in arrays.items()
                    if name.startswith(prefix)
                }
            )

    def average_strategy(self, *, is_last: bool = False) -> tuple[PublicTree, tuple[Real, ...]]:
        """The strategy that converges, and the tree on which it is written.

        For each player float[E, H]; over the edges of a state it sums to 1 for every hand. Hands
        that never came to a state have the initial policy there. With ``is_last`` the solver gives
        up its arrays on the way, so that it takes no more memory than before, and is of no use
        afterwards.
        """
        trees = [tree.finished()[0] for tree in self._trees]
        tree = join_trees(trees) if self._branches else trees[0].copy()
        policies = tuple(
            np.empty((children.size, n_hands), self._root.dtype)
            for children, n_hands in zip(tree.children, self.graph.n_hands, strict=True)
        )
        if is_last:
            for part in self._trees:
                part.free_regrets()
        starts = np.zeros(2, int)
        for part in self._trees:
            part_tree, weights = part.finished()
            stops = starts + [weight.shape[0] for weight in weights]
            views = [p[i:j] for p, i, j in zip(policies, starts, stops, strict=True)]
            normalise_strategy(part_tree, weights, self._defaults, views)
            if is_last:
                part.free_policies()
            starts = stops
        return tree, policies

    def certify(self, threshold: float = 0.0) -> Certificate:
        """Best responses to the average strategy; see `certify` for ``threshold``.

        They are exact where the tree has states. The work is bounded: what is not reached within
        a few visits for every state counts in full against the strategy.

        A traversal is quicker here than a search by branch and bound, since most states of the tree
        are played: on 2 v 2 ``common`` at 8e-3 the upper end is off by 2e-6 after 16,200 states and
        20 ms, and bounds 3e-5 apart take 6,500 states and 300 ms. The lower end, which
        comes with the traversal, is lower by half a percent of the exploitability there.
        """
        found = [self._bound_hands(player, threshold) for player in range(2)]
        return certificate_of(found, self.graph, self.payoffs)

    def _bound_hands(self, player: int, threshold: float) -> HandBounds:
        graph = self.graph
        if not self._branches:
            return self._branch_br(self._root, player, graph.hand_probs, threshold)
        tree, weights = self._root.finished()
        policy = normalise_strategy(tree, weights, self._defaults)[0]
        if player == 0:
            found = self._map(
                lambda tree: self._branch_br(tree, 0, graph.hand_probs, threshold),
                self._branches,
            )
            most = np.max([bounds.most for bounds in found], axis=0)
            return HandBounds(most, max(bounds.excess for bounds in found))
        reaches = policy * graph.hand_probs[0]
        found = self._map(
            lambda k: self._branch_br(
                self._branches[k], 1, (reaches[k], graph.hand_probs[1]), threshold
            ),
            range(len(self._branches)),
        )
        most = np.sum([bounds.most for bounds in found], axis=0)
        return HandBounds(most, sum(bounds.excess for bounds in found))

    def _branch_br(
        self, branch: GrowingTree, player: int, reach: Sequence[F8], threshold: float
    ) -> HandBounds:
        return bound_hands(
            StrategyProfile(*branch.finished(), self.payoffs, self._defaults),
            player,
            Start(reach=reach),
            threshold=threshold,
            max_visits=bound_visits(branch.n_states),
            halt=self.halt,
        )


def normalise_strategy(
    tree: PublicTree,
    weights: Sequence[Real],
    defaults: Sequence[I8],
    out: Sequence[Real] | None = None,
) -> tuple[Real, ...]:
    """Scale action weights to probabilities, for each player float[E, H] of the same dtype.

    They are written into ``out`` if it is given, and returned in either case.
    A hand whose weights are all zero at a state gets its default action there, or the uniform
    policy if that is -1.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).result
    >>> from liarsolve.game import default_actions
    >>> doubled = [2 * policy for policy in result.strategy]
    >>> again = normalise_strategy(result.tree, doubled, default_actions(result.tree.graph))
    >>> bool(abs(again[0] - result.strategy[0]).max() < 1e-15)
    True
    """
    graph = tree.graph
    state_player = graph.player[tree.node]
    n_actions = np.diff(graph.action_start)
    policies = out or [
        np.empty((weight.shape[0], n_hands), weight.dtype)
        for weight, n_hands in zip(weights, graph.n_hands, strict=True)
    ]
    for player, (weight, policy) in enumerate(zip(weights, policies, strict=True)):
        policy[:] = weight[:, : policy.shape[1]]
        mine = np.flatnonzero(state_player == player)
        _traversal_kernels.normalise(
            policy,
            tree.node[mine],
            tree.first_edge[mine],
            n_actions,
            defaults[player],
            np.empty((int(n_actions.max()) + 1, policy.shape[1])),
            np.empty(int(n_actions.max()), np.int64),
        )
    return tuple(policies)

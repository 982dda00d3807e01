"""Counterfactual regret minimization for players who do not tell all hands apart."""

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise

import numpy as np
from numpy.typing import DTypeLike

from liarsolve._typing import F8, Real
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, Payoffs, PublicTree, group_hands
from liarsolve.solvers.abstraction import _class_kernels as kernels
from liarsolve.solvers.abstraction._cfr_kernels import Others, Step
from liarsolve.solvers.abstraction.layout import (
    check_options,
    make_others,
    make_states,
    meet_joint_hands,
    split_entries,
)
from liarsolve.solvers.many_player.growing_tree import make_seats
from liarsolve.solvers.two_player.best_response import InitialPolicy, initial_actions
from liarsolve.solvers.two_player.cfr import normalise_strategy
from liarsolve.solvers.two_player.walks import read_only
from liarsolve.solvers.variants import DISCOUNTED_CFR, CFRVariant

_BLOCK = 64
"""Hands of the traverser that are taken at once: the values of a block stay in the caches."""
_SHARES = 2
"""Ranges of hands whose sums are kept apart in large rounds, whatever the number of threads."""
_LARGE_ENTRIES = 100_000
"""Entries of a player from which on that pays."""


class _Scratch:
    """What one thread needs for a block of hands."""

    def __init__(self, tree: PublicTree, dtype: np.dtype, n_given: int, n_rows: int) -> None:
        width = min(_BLOCK, max(tree.graph.n_hands))
        self.is_met = np.empty(tree.n_states, np.uint8)
        self.reach: Real = np.empty((tree.n_states, width), dtype)
        self.value: Real = np.empty((tree.n_states, n_given, width), dtype)
        self.rows = np.empty(n_rows, np.int64)
        self.policy, self.gain = np.empty((n_rows, width)), np.empty(width)
        self.here = np.empty((n_given + 1, width))


class ClassCFR:
    """`AbstractionCFR` for players to whom some hands are alike, with the same methods.

    Regrets and averages are those of classes of hands; each hand counts with its chance. What is
    measured and returned is by hand all the same, so that nobody else need know of classes.

    Parameters
    ----------
    tree : PublicTree
        Merged states under an abstraction with `SimilarHands`.
    payoffs, variant, initial, dtype, n_drawn, seed, n_threads
        As for `AbstractionCFR`.

    References
    ----------
    Lanctot et al. (2012), "No-regret learning in extensive-form games with imperfect recall",
    arXiv:1205.0622, for regrets summed over what a player does not tell apart.

    Examples
    --------
    >>> from liarsolve.game import Recall, SimilarHands, compile_graph, merge_states
    >>> from liarsolve.rules import Round, presets
    >>> from liarsolve.solvers import certify
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=3), (2, 1)))
    >>> solver = ClassCFR(merge_states(graph, Recall(2) & SimilarHands(1)))
    >>> for _ in range(100):
    ...     solver.step()
    >>> certify(*solver.average_strategy()).exploitability < 0.1  # in the true game
    True
    """

    def __init__(
        self,
        tree: PublicTree,
        payoffs: Payoffs | None = None,
        variant: CFRVariant = DISCOUNTED_CFR,
        *,
        initial: InitialPolicy = InitialPolicy.LIKELIEST,
        dtype: DTypeLike = np.float64,
        n_drawn: int | None = None,
        seed: int = 0,
        n_threads: int | None = None,
    ) -> None:
        graph = tree.graph
        classes = group_hands(tree.every_raise.graph, tree.abstraction)
        if classes is None:
            raise InputError(f"{tree.abstraction} tells all hands apart; use AbstractionCFR")
        check_options(variant, n_drawn)
        self.tree, self.payoffs, self.variant = tree, payoffs or Payoffs(), variant
        self.iteration, self.n_drawn, self.seed = 0, n_drawn, seed
        self._regret_weight = 1.0
        self._dtype = np.dtype(dtype)
        self._alike = classes
        self._defaults = classes.act_alike(initial_actions(graph, initial))
        self._seats = make_seats(graph, self._defaults)
        first, self._n_entries = classes.first_entries(tree)
        start = np.cumsum(self._n_entries) - self._n_entries
        self._states = make_states(tree, self.payoffs)._replace(
            first_entry=start[graph.player[tree.node]] + first
        )
        hand_probs = np.zeros((graph.n_players, max(graph.n_hands)))
        for row, probs in zip(hand_probs, graph.hand_probs, strict=True):
            row[: probs.size] = probs
        self._classes = kernels.Classes(
            of_hand=read_only(classes.of_hand),
            n_classes=read_only(classes.n_classes),
            hand_probs=read_only(hand_probs),
            share_start=start,
            cum_regret=np.zeros(self._n_entries.sum(), dtype),
            is_live=np.zeros(self._states.children.size, np.uint8),
        )
        self._cum_policy: Real = np.zeros(self._n_entries.sum(), dtype)
        n_most = int(self._n_entries.max())
        self._shares: Real = np.zeros((_count_shares(n_most), n_most), dtype)
        self._n_threads = n_threads or os.cpu_count() or 1
        is_shared = self._n_threads > 1 and len(self._shares) > 1
        self._pool = ThreadPoolExecutor(len(self._shares)) if is_shared else None
        n_scratches = len(self._shares) if is_shared else 1
        self._scratches = [self._make_scratch() for _ in range(n_scratches)]

    @property
    def graph(self) -> BidGraph:
        """The compiled round, with the raises that the players think of."""
        return self.tree.graph

    @property
    def n_bytes(self) -> int:
        """Memory of what is stored, of the scratch arrays and of the average by hand."""
        return estimate_class_bytes(self.tree, self._dtype, self.n_drawn)

    def _make_scratch(self) -> _Scratch:
        n_rows = int(np.diff(self.graph.action_start).max()) + 1
        return _Scratch(self.tree, self._dtype, _count_given(self.graph, self.n_drawn), n_rows)

    def step(self) -> None:
        """One iteration: the players update in turn, each against the others' latest policies."""
        self.iteration += 1
        weights = self.variant.step(
            self.iteration, self.iteration, threshold=0.0, may_create=False, revisit_period=1
        )
        step = Step(
            regret_weight=self._regret_weight,
            keep_negative=weights.keep_negative / weights.keep_positive,
            visit_weight=1.0,
        )
        for traverser in range(self.graph.n_players):
            self._run_pass(traverser, step, weights.average_weight)
        self._regret_weight /= weights.keep_positive

    def _run_pass(self, traverser: int, step: Step, average_weight: float) -> None:
        others, reach, policy = self._reach_down(traverser)
        size = int(self._n_entries[traverser])
        start = int(self._classes.share_start[traverser])

        def average(scratch: _Scratch, lo: int, hi: int, share: Real) -> None:
            scratch.is_met[:] = 0
            kernels.average_down(
                self._states,
                self._seats,
                self._classes,
                traverser,
                average_weight,
                lo,
                hi,
                scratch.is_met,
                scratch.reach,
                scratch.rows,
                scratch.policy,
                share,
            )

        def learn(scratch: _Scratch, lo: int, hi: int, share: Real) -> None:
            kernels.regret_up(
                self._states,
                self._seats,
                self._classes,
                traverser,
                others,
                reach,
                policy,
                lo,
                hi,
                scratch.value,
                scratch.rows,
                scratch.policy,
                scratch.gain,
                scratch.here,
                share,
            )

        own = self._cum_policy[start : start + size]
        np.add(own, self._add_up(traverser, average)[:size], out=own)
        share = self._add_up(traverser, learn)
        kernels.settle(self._states, self._classes, traverser, step, reach, share)

    def _add_up(self, traverser: int, work: Callable[[_Scratch, int, int, Real], None]) -> Real:
        """What work adds to the entries of a player over all his hands."""
        n_hands, n_shares = self.graph.n_hands[traverser], len(self._shares)
        n_blocks = min(max(math.ceil(n_hands / _BLOCK), n_shares), n_hands)
        edges = np.linspace(0, n_hands, n_blocks + 1).astype(int).tolist()
        self._shares[:] = 0

        def run_share(part: int) -> None:
            scratch = self._scratches[part if self._pool is not None else 0]
            for lo, hi in list(pairwise(edges))[part::n_shares]:
                work(scratch, lo, hi, self._shares[part])

        if self._pool is None:
            for part in range(n_shares):
                run_share(part)
        else:
            futures = [self._pool.submit(run_share, part) for part in range(n_shares)]
            try:
                for future in futures:
                    future.result()
            finally:  # after an interrupt, nobody may touch the arrays while threads still do
                wait(futures)
        first: Real = self._shares[0]
        for other in self._shares[1:]:
            np.add(first, other, out=first)
        return first

    def _reach_down(self, traverser: int) -> tuple[Others, F8, F8]:
        """Joint hands that a pass meets, how the others come with them, and what they do."""
        joint_hands, weights = meet_joint_hands(
            self.graph.hand_probs, traverser, self.n_drawn, self.iteration, self.seed
        )
        others = make_others(self.graph, traverser, joint_hands)
        reach = np.zeros((self.tree.n_states, weights.size))
        reach[0] = weights
        policy = np.zeros((self._states.children.size, others.hands.shape[1]))
        rows = self._scratches[0].rows
        kernels.reach_down(
            self._states,
            self._seats,
            self._classes,
            traverser,
            others,
            reach,
            policy,
            rows,
            np.empty((rows.size, 1)),
        )
        return others, reach, policy

    def average_strategy(self, *, is_last: bool = False) -> tuple[PublicTree, tuple[Real, ...]]:
        """The average strategy by hand, and the merged states on which it is written.

        As for `AbstractionCFR`.
        """
        weights = self.weights()
        if is_last:
            del self._classes, self._cum_policy, self._shares
            self._scratches.clear()
        return self.tree, weights

    @property
    def entries(self) -> Real:
        """The average strategies by hand in one row, a copy: see `split_entries`."""
        graph = self.graph
        n_edges = (children.size for children in self.tree.children)
        n_entries = sum(n * h for n, h in zip(n_edges, graph.n_hands, strict=True))
        entries: Real = np.empty(n_entries, self._dtype)
        by_hand = split_entries(self.tree, entries)
        by_class = np.split(self._cum_policy, np.cumsum(self._n_entries)[:-1])
        self._alike.spread(self.tree, tuple(by_class), by_hand)
        normalise_strategy(self.tree, by_hand, self._defaults, by_hand)
        return entries

    def weights(self) -> tuple[Real, ...]:
        """The average strategies by hand, a copy: float[E, H] of each player."""
        return split_entries(self.tree, self.entries)


def _count_shares(n_entries: int) -> int:
    return _SHARES if n_entries > _LARGE_ENTRIES else 1


def _count_given(graph: BidGraph, n_drawn: int | None) -> int:
    """Most joint hands of the others that a pass meets."""
    n_joint = math.prod(graph.n_hands) // min(graph.n_hands)
    return n_joint if n_drawn is None else min(n_drawn, n_joint)


def estimate_class_bytes(tree: PublicTree, dtype: DTypeLike, n_drawn: int | None) -> int:
    """Bytes that a `ClassCFR` takes, and its average strategy by hand."""
    graph, item = tree.graph, np.dtype(dtype).itemsize
    classes = group_hands(tree.every_raise.graph, tree.abstraction)
    assert classes is not None
    _, n_entries = classes.first_entries(tree)
    n_most = int(n_entries.max())
    n_shares, n_given = _count_shares(n_most), _count_given(graph, n_drawn)
    n_edges = [children.size for children in tree.children]
    by_hand = sum(e * h for e, h in zip(n_edges, graph.n_hands, strict=True))
    stored = item * (2 * int(n_entries.sum()) + n_shares * n_most + by_hand)
    scratch = item * n_shares * tree.n_states * (n_given + 1) * min(_BLOCK, max(graph.n_hands))
    columns = min(n_given, max(graph.n_hands)) * sum(n_edges)
    return stored + scratch + 8 * (n_given * tree.n_states + columns)

"""Counterfactual regret minimization for players who forget, over merged public states."""

import math
import os
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import DTypeLike

from liarsolve._typing import F8, I8, U1, Real
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, Payoffs, PublicTree
from liarsolve.solvers.abstraction import _cfr_kernels as kernels
from liarsolve.solvers.abstraction.layout import (
    all_joint_hands,
    check_options,
    draw_joint_hands,
    make_others,
    make_states,
    split_entries,
)
from liarsolve.solvers.many_player.growing_tree import make_seats
from liarsolve.solvers.two_player.best_response import InitialPolicy, initial_actions
from liarsolve.solvers.two_player.cfr import normalise_strategy
from liarsolve.solvers.variants import DISCOUNTED_CFR, CFRVariant

_BLOCK = 64
"""Hands of the traverser that are taken at once: the values of a block stay in the caches."""

_LARGE_ENTRIES = 100_000
"""(edge, hand) pairs from which on every thread gets a block; below, threads cost more."""


def estimate_bytes(
    tree: PublicTree,
    dtype: DTypeLike,
    n_drawn: int | None,
    n_threads: int,
    *,
    odds_share: float = 0.0,
) -> int:
    """Bytes that a `AbstractionCFR` takes, if the others come everywhere with all hands."""
    n_hands, item = tree.graph.n_hands, np.dtype(dtype).itemsize
    n_given = _count_given(tree.graph, n_drawn, odds_share)
    width = min(_BLOCK, max(n_hands))
    n_edges = [children.size for children in tree.children]
    stored = 2 * item * sum(e * h for e, h in zip(n_edges, n_hands, strict=True))
    scratch = item * n_threads * tree.n_states * (n_given + 1) * width
    columns = _count_columns(tree.graph, n_given, odds_share) * sum(n_edges)
    flags = sum(n_edges) * max(_count_blocks(tree, p, n_threads) for p in range(len(n_hands)))
    return stored + scratch + flags + 12 * n_given * tree.n_states + 8 * columns


def _count_blocks(tree: PublicTree, player: int, n_threads: int) -> int:
    """Parts into which a player's hands are divided; the result does not depend on it."""
    n_hands = tree.graph.n_hands[player]
    n_blocks = math.ceil(n_hands / _BLOCK)
    if n_hands * tree.children[player].size > _LARGE_ENTRIES:
        n_blocks = min(max(n_blocks, n_threads), n_hands)
    return n_blocks


def count_joint_hands(graph: BidGraph) -> int:
    """Most joint hands of the others that a player may face."""
    return math.prod(graph.n_hands) // min(graph.n_hands)


def _count_columns(graph: BidGraph, n_given: int, odds_share: float) -> int:
    """Most hands that another player may come with, each of two kinds if some go by the odds."""
    return min(n_given, (2 if odds_share > 0.0 else 1) * max(graph.n_hands))


def _count_given(graph: BidGraph, n_drawn: int | None, odds_share: float) -> int:
    """Most joint hands of the others that a pass meets, of two kinds if some go by the odds."""
    n_joint = count_joint_hands(graph)
    if odds_share > 0.0:
        n_joint *= 2 ** (graph.n_players - 1)
    return n_joint if n_drawn is None else min(n_drawn, n_joint)


@dataclass(frozen=True, slots=True)
class _Scratch:
    """What one thread needs for a block of hands."""

    is_met: U1
    reach: Real
    value: Real
    rows: I8
    policy: F8
    gain: F8
    here: F8


class AbstractionCFR:
    """CFR for a round of two or more players who do not remember all that was bid.

    The regret of an action at what a player knows is summed over all ways to come there, each
    weighted by the chance and the choices of the others alone; his average strategy is weighted
    by his own choices alone, summed over the same ways. If nothing is forgotten there is one way,
    and this is the textbook algorithm; if something is, or with more than two players, no theorem
    promises an equilibrium, and the true price is for `certify` and `certify_profile` to say,
    which walk the round as it is.

    A pass meets every joint hand of the others, or some that are drawn: then what it adds to
    regrets is right on average.

    Parameters
    ----------
    tree : PublicTree
        Public states, merged by what the players remember: see `merge_states`.
    payoffs : Payoffs
        What the outcomes are worth.
    variant : CFRVariant
        Which member of the family; not a predictive one.
    initial : InitialPolicy
        What a player does before he has anything to regret.
    dtype : numpy dtype
        Type in which regrets, averages and values are stored; sums are float64.
    n_drawn : int, optional
        Joint hands of the others that a pass draws; all of them if not given.
    odds_share : float
        Chance, from 0 to below 1, with which a player reckons of each other one that he goes by the
        odds for the whole round (he acts by ``initial``) and not by what he has learned. At a table
        of several players nobody learns otherwise what to do after bids that nobody would make.
    seed : int
        Of the draws.
    n_threads : int, optional
        Threads that share the hands out; the number of processors if not given. The result does
        not depend on it.

    References
    ----------
    Lanctot et al. (2012), "No-regret learning in extensive-form games with imperfect recall",
    arXiv:1205.0622, for the regrets. Zinkevich et al. (2007) for regret matching. Johanson,
    Zinkevich and Bowling (2007), "Computing robust counter-strategies", for opponents who play a
    given strategy with some chance.

    Examples
    --------
    >>> from liarsolve.game import Recall, compile_graph, merge_states
    >>> from liarsolve.rules import Round, presets
    >>> from liarsolve.solvers import certify
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
    >>> solver = AbstractionCFR(merge_states(graph, Recall(1)))
    >>> for _ in range(100):
    ...     solver.step()
    >>> certify(*solver.average_strategy()).exploitability < 0.01  # in the true game
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
        odds_share: float = 0.0,
        seed: int = 0,
        n_threads: int | None = None,
    ) -> None:
        graph = tree.graph
        if tree.abstraction is not None and tree.abstraction.similar_hands is not None:
            raise InputError(f"{tree.abstraction} does not tell all hands apart; use ClassCFR")
        check_options(variant, n_drawn)
        if not 0.0 <= odds_share < 1.0:
            raise InputError(
                f"odds_share is a chance from 0 to below 1, got odds_share={odds_share}"
            )
        self.tree = tree
        self.payoffs = payoffs or Payoffs()
        self.variant = variant
        self.iteration = 0
        self.n_drawn = n_drawn
        self.odds_share = odds_share
        self.seed = seed
        self._regret_weight = 1.0
        self._states = make_states(self.tree, self.payoffs)
        self._defaults = initial_actions(graph, initial)
        self._seats = make_seats(graph, self._defaults)
        self._dtype = np.dtype(dtype)
        n_entries = sum(
            children.size * n_hands
            for children, n_hands in zip(self.tree.children, graph.n_hands, strict=True)
        )
        self._n_threads = n_threads or os.cpu_count() or 1
        n_blocks = [_count_blocks(tree, p, self._n_threads) for p in range(graph.n_players)]
        self._blocks = [
            np.linspace(0, n_hands, n + 1).astype(int).tolist()
            for n_hands, n in zip(graph.n_hands, n_blocks, strict=True)
        ]
        self._sums = kernels.Sums(
            np.zeros(n_entries, dtype),
            np.zeros(n_entries, dtype),
            np.zeros((max(n_blocks), self._states.children.size), np.uint8),
        )
        self._pool = ThreadPoolExecutor(self._n_threads) if self._n_threads > 1 else None
        self._scratches = [self._make_scratch() for _ in range(self._n_threads)]
        # Kept from pass to pass: the system takes longer to hand out clean memory than a pass does.
        n_given = _count_given(graph, n_drawn, odds_share)
        self._is_played = np.empty(self._states.children.size, np.uint8)
        self._reach = np.empty(tree.n_states * n_given)
        self._slot = np.empty(tree.n_states * n_given, np.int32)
        n_columns = _count_columns(graph, n_given, odds_share)
        self._policy = np.empty(self._states.children.size * n_columns)

    @property
    def graph(self) -> BidGraph:
        """The compiled round."""
        return self.tree.graph

    @property
    def n_bytes(self) -> int:
        """Memory of what is stored and of the scratch arrays."""
        return estimate_bytes(
            self.tree, self._dtype, self.n_drawn, self._n_threads, odds_share=self.odds_share
        )

    def _make_scratch(self) -> _Scratch:
        n_states, width = self.tree.n_states, min(_BLOCK, max(self.graph.n_hands))
        n_rows = int(np.diff(self.graph.action_start).max()) + 1
        n_given = _count_given(self.graph, self.n_drawn, self.odds_share)
        return _Scratch(
            is_met=np.empty(n_states, np.uint8),
            reach=np.empty((n_states, width), self._dtype),
            value=np.empty((n_states * n_given, width), self._dtype),
            rows=np.empty(n_rows, np.int64),
            policy=np.empty((n_rows, width)),
            gain=np.empty(width),
            here=np.empty((n_given + 1, width)),
        )

    def step(self) -> None:
        """One iteration: the players update in turn, each against the others' latest policies."""
        self.iteration += 1
        weights = self.variant.step(
            self.iteration,
            self.iteration,
            threshold=0.0,
            may_create=False,
            revisit_period=1,
        )
        # Old positive regrets are not made smaller but new ones larger: the same in proportion,
        # and right where a state is left out.
        step = kernels.Step(
            regret_weight=self._regret_weight,
            keep_negative=weights.keep_negative / weights.keep_positive,
        )
        for traverser in range(self.graph.n_players):
            self._run_pass(traverser, step, weights.average_weight)
        self._regret_weight /= weights.keep_positive

    def _run_pass(self, traverser: int, step: kernels.Step, average_weight: float) -> None:
        others, arrivals = self._reach_down(traverser)
        blocks = list(enumerate(pairwise(self._blocks[traverser])))

        def run_share(thread: int) -> None:
            scratch = self._scratches[thread]
            for block, (lo, hi) in blocks[thread :: self._n_threads]:
                scratch.is_met[:] = 0
                kernels.average_down(
                    self._states,
                    self._seats,
                    self._sums,
                    traverser,
                    average_weight,
                    block,
                    lo,
                    hi,
                    scratch.is_met,
                    scratch.reach,
                    scratch.rows,
                    scratch.policy,
                )
                kernels.regret_up(
                    self._states,
                    self._seats,
                    self._sums,
                    traverser,
                    step,
                    others,
                    arrivals,
                    block,
                    lo,
                    hi,
                    scratch.value,
                    scratch.rows,
                    scratch.policy,
                    scratch.gain,
                    scratch.here,
                )

        n_shares = min(self._n_threads, len(blocks))
        if n_shares == 1 or self._pool is None:
            for thread in range(n_shares):
                run_share(thread)
            return
        futures = [self._pool.submit(run_share, thread) for thread in range(n_shares)]
        try:
            for future in futures:
                future.result()
        finally:  # after an interrupt, nobody may touch the arrays while threads still do
            wait(futures)

    def _reach_down(self, traverser: int) -> tuple[kernels.Others, kernels.Arrivals]:
        """Joint hands that a pass meets, how the others come with them, and what they do."""
        joint_hands, weights = self._given_hands(traverser)
        others = make_others(self.graph, traverser, joint_hands)
        n_given = others.hands.shape[1]
        n_joint, n_states, n_edges = weights.size, self.tree.n_states, self._states.children.size
        arrivals = kernels.Arrivals(
            reach=self._reach[: n_states * n_joint].reshape(n_states, n_joint),
            policy=self._policy[: n_edges * n_given].reshape(n_edges, n_given),
            is_played=self._is_played,
            slot=self._slot[: n_states * n_joint].reshape(n_states, n_joint),
        )
        arrivals.reach[:] = 0.0
        arrivals.reach[0] = weights
        kernels.reach_down(
            self._states,
            self._seats,
            self._sums,
            traverser,
            others,
            arrivals,
            np.empty(n_given, np.uint8),
            np.empty((self._scratches[0].policy.shape[0], 1)),
        )
        return others, arrivals

    def _given_hands(self, traverser: int) -> tuple[I8, F8]:
        share, hand_probs = self.odds_share, self.graph.hand_probs
        if share > 0.0:
            hand_probs = tuple(np.concatenate([(1 - share) * p, share * p]) for p in hand_probs)
        if self.n_drawn is None:
            return all_joint_hands(hand_probs, traverser)
        rng = np.random.default_rng((self.seed, self.iteration, traverser))
        return draw_joint_hands(hand_probs, traverser, self.n_drawn, rng)

    def average_strategy(self, *, is_last: bool = False) -> tuple[PublicTree, tuple[Real, ...]]:
        """The average strategy, and the merged states on which it is written.

        For each player float[E, H]; over the edges of a state it sums to 1 for every hand. Hands
        that never came to a state have the initial policy there. With ``is_last`` the solver gives
        up its arrays for it, and is of no use afterwards.
        """
        weights = self.weights()
        out = weights if is_last else None
        if is_last:
            del self._sums
            self._scratches.clear()
        return self.tree, normalise_strategy(self.tree, weights, self._defaults, out)

    @property
    def entries(self) -> Real:
        """The average strategies as they are stored, in one row: see `split_entries`."""
        return self._sums.cum_policy

    def weights(self) -> tuple[Real, ...]:
        """The average strategy as it is stored, not normalised: views of float[E, H]."""
        return split_entries(self.tree, self.entries)

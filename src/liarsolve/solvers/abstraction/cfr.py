"""Counterfactual regret minimization for players who forget, over merged public states."""

import math
import os
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import DTypeLike

from liarsolve._typing import F8, I8, Real
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, Payoffs, PublicTree
from liarsolve.solvers.abstraction import _cfr_kernels as kernels
from liarsolve.solvers.two_player.best_response import InitialPolicy, initial_actions
from liarsolve.solvers.two_player.cfr import normalise_strategy
from liarsolve.solvers.two_player.walks import read_only
from liarsolve.solvers.variants import DISCOUNTED_CFR, CFRVariant

_BLOCK = 64
"""Hands of the traverser that are taken at once: the values of a block stay in the caches."""

_LARGE_ENTRIES = 100_000
"""(edge, hand) pairs from which on every thread gets a block; below, threads cost more."""


def make_states(tree: PublicTree, payoffs: Payoffs) -> kernels.States:
    """Merged states, as the kernels take them."""
    graph = tree.graph
    return kernels.States(
        node=read_only(tree.node),
        first_edge=read_only(tree.first_edge),
        player=graph.player,
        quantity=graph.quantity,
        match_class=graph.match_class,
        action_start=graph.action_start,
        action_kind=graph.action_kind,
        payoff=payoffs.table(2),
    )


def draw_hands(hand_probs: F8, n_draws: int, point: float) -> tuple[I8, F8]:
    """Hands at equal distances of probability from ``point`` on, and the weight of each.

    A hand that is drawn twice comes once with twice the weight. With ``point`` uniform in [0, 1)
    the weight of each hand is its probability on average.

    Examples
    --------
    >>> hands, weights = draw_hands(np.array([0.25, 0.5, 0.25]), 2, 0.75)
    >>> hands.tolist(), weights.tolist()
    ([1, 2], [0.5, 0.5])
    """
    places = (np.arange(n_draws) + point) / n_draws
    drawn = np.searchsorted(np.cumsum(hand_probs), places, side="right")
    hands, counts = np.unique(np.minimum(drawn, hand_probs.size - 1), return_counts=True)
    return hands, counts / n_draws


def estimate_bytes(tree: PublicTree, dtype: DTypeLike, n_drawn: int | None, n_threads: int) -> int:
    """Bytes that a `AbstractionCFR` takes."""
    n_hands, item = tree.graph.n_hands, np.dtype(dtype).itemsize
    n_given, width = _count_given(tree.graph, n_drawn), min(_BLOCK, max(n_hands))
    n_edges = [children.size for children in tree.children]
    stored = 2 * item * sum(e * h for e, h in zip(n_edges, n_hands, strict=True))
    scratch = item * n_threads * tree.n_states * (n_given + 1) * width
    return stored + scratch + 8 * n_given * (tree.n_states + max(n_edges))


def _count_given(graph: BidGraph, n_drawn: int | None) -> int:
    """Most hands of an opponent that a pass meets."""
    return max(graph.n_hands) if n_drawn is None else min(n_drawn, max(graph.n_hands))


@dataclass(frozen=True, slots=True)
class _Scratch:
    """What one thread needs for a block of hands."""

    reach: Real
    value: Real
    policy: F8
    gain: F8
    rows: F8


class AbstractionCFR:
    """CFR for a round of two players who remember the last bids only.

    The regret of an action at what a player knows is summed over all ways to come there, each
    weighted by the chance and the choices of the opponent alone; his average strategy is weighted
    by his own choices alone, summed over the same ways. If nothing is forgotten there is one way,
    and this is the textbook algorithm; if something is, no theorem promises an equilibrium, and
    the true price is for `certify` to say, which walks the round as it is.

    A pass meets every hand of the opponent, or some that are drawn: then what it adds to regrets
    is right on average.

    Parameters
    ----------
    tree : PublicTree
        Public states of two players, merged by what they remember: see `merge_states`.
    payoffs : Payoffs
        What the outcomes are worth; they must sum to 0.
    variant : CFRVariant
        Which member of the family; not a predictive one.
    initial : InitialPolicy
        What a player does before he has anything to regret.
    dtype : numpy dtype
        Type in which regrets, averages and values are stored; sums are float64.
    n_drawn : int, optional
        Hands of the opponent that a pass draws; all of them if not given.
    seed : int
        Of the draws.
    n_threads : int, optional
        Threads that share the hands out; the number of processors if not given. The result does
        not depend on it.

    References
    ----------
    Lanctot et al. (2012), "No-regret learning in extensive-form games with imperfect recall",
    arXiv:1205.0622, for the regrets. Zinkevich et al. (2007) for regret matching.

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
        seed: int = 0,
        n_threads: int | None = None,
    ) -> None:
        graph = tree.graph
        if graph.n_players != 2:
            raise InputError(
                f"an abstraction is solved for two players, got {graph.n_players} players"
            )
        if variant.is_predictive:
            raise InputError(
                f"{variant.name} cannot be used with an abstraction; choose another variant, such "
                "as discounted"
            )
        if n_drawn is not None and n_drawn < 1:
            raise InputError(f"a pass draws a hand or more, got n_drawn={n_drawn}")
        self.tree = tree
        self.payoffs = payoffs or Payoffs()
        self.variant = variant
        self.iteration = 0
        self.n_drawn = n_drawn
        self.seed = seed
        self._regret_weight = 1.0
        self._states = make_states(self.tree, self.payoffs)
        self._defaults = initial_actions(graph, initial)
        self._dtype = np.dtype(dtype)
        self._sides = [
            kernels.Side(
                matches=graph.matches[player],
                default_action=self._defaults[player],
                children=self.tree.children[player],
                cum_regret=np.zeros((self.tree.children[player].size, n_hands), dtype),
                cum_policy=np.zeros((self.tree.children[player].size, n_hands), dtype),
            )
            for player, n_hands in enumerate(graph.n_hands)
        ]
        self._n_threads = n_threads or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._n_threads) if self._n_threads > 1 else None
        self._scratches = [self._make_scratch() for _ in range(self._n_threads)]

    @property
    def graph(self) -> BidGraph:
        """The compiled round."""
        return self.tree.graph

    @property
    def n_bytes(self) -> int:
        """Memory of what is stored and of the scratch arrays."""
        return estimate_bytes(self.tree, self._dtype, self.n_drawn, self._n_threads)

    def _make_scratch(self) -> _Scratch:
        n_states, width = self.tree.n_states, min(_BLOCK, max(self.graph.n_hands))
        n_rows = int(np.diff(self.graph.action_start).max()) + 1
        n_given = _count_given(self.graph, self.n_drawn)
        return _Scratch(
            reach=np.empty((n_states, width), self._dtype),
            value=np.empty((n_states, n_given, width), self._dtype),
            policy=np.empty((n_rows, width)),
            gain=np.empty((n_rows, width)),
            rows=np.empty((2, width)),
        )

    def step(self) -> None:
        """One iteration: player 0 updates against player 1's policy, then the other way round."""
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
        for traverser in range(2):
            self._run_pass(traverser, step, weights.average_weight)
        self._regret_weight /= weights.keep_positive

    def _run_pass(self, traverser: int, step: kernels.Step, average_weight: float) -> None:
        own, opp = self._sides[traverser], self._sides[1 - traverser]
        hands, reach, policy = self._reach_down(traverser)
        n_hands = self.graph.n_hands[traverser]
        edges = np.linspace(0, n_hands, self._n_blocks(traverser) + 1).astype(int).tolist()

        def run_share(thread: int) -> None:
            scratch = self._scratches[thread]
            for lo, hi in list(pairwise(edges))[thread :: self._n_threads]:
                scratch.reach[:] = 0.0
                scratch.reach[0] = 1.0
                kernels.average_down(
                    self._states,
                    own,
                    opp,
                    traverser,
                    average_weight,
                    lo,
                    hi,
                    scratch.reach,
                    scratch.policy,
                )
                kernels.regret_up(
                    self._states,
                    own,
                    opp,
                    traverser,
                    step,
                    hands,
                    reach,
                    policy,
                    lo,
                    hi,
                    scratch.value,
                    scratch.policy,
                    scratch.gain,
                    scratch.rows,
                )

        n_shares = min(self._n_threads, len(edges) - 1)
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

    def _n_blocks(self, traverser: int) -> int:
        """Parts into which a player's hands are divided; the result does not depend on it."""
        n_hands = self.graph.n_hands[traverser]
        n_blocks = math.ceil(n_hands / _BLOCK)
        if n_hands * self.tree.children[traverser].size > _LARGE_ENTRIES:
            n_blocks = min(max(n_blocks, self._n_threads), n_hands)
        return n_blocks

    def _reach_down(self, traverser: int) -> tuple[I8, F8, F8]:
        """Hands of the opponent that a pass meets, his reach, and what he does with them."""
        opponent = 1 - traverser
        hands, weights = self._given_hands(traverser)
        reach = np.zeros((self.tree.n_states, hands.size))
        reach[0] = weights
        policy = np.empty((self.tree.children[opponent].size, hands.size))
        column = np.empty((self._scratches[0].policy.shape[0], 1))
        kernels.reach_down(
            self._states,
            self._sides[traverser],
            self._sides[opponent],
            traverser,
            hands,
            reach,
            policy,
            column,
        )
        return hands, reach, policy

    def _given_hands(self, traverser: int) -> tuple[I8, F8]:
        probs = self.graph.hand_probs[1 - traverser]
        if self.n_drawn is None:
            return np.arange(probs.size), probs
        rng = np.random.default_rng((self.seed, self.iteration, traverser))
        return draw_hands(probs, self.n_drawn, rng.random())

    def average_strategy(self, *, is_last: bool = False) -> tuple[PublicTree, tuple[Real, ...]]:
        """The average strategy, and the merged states on which it is written.

        For each player float[E, H]; over the edges of a state it sums to 1 for every hand. Hands
        that never came to a state have the initial policy there. With ``is_last`` the solver gives
        up its arrays for it, and is of no use afterwards.
        """
        weights = tuple(side.cum_policy for side in self._sides)
        out = weights if is_last else None
        if is_last:
            self._sides.clear()
            self._scratches.clear()
        return self.tree, normalise_strategy(self.tree, weights, self._defaults, out)

    def weights(self) -> tuple[Real, ...]:
        """The average strategy as it is stored, not normalised: views of float[E, H]."""
        return tuple(side.cum_policy for side in self._sides)

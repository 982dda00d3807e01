"""Bounds of best responses by branch and bound, and the certificate that they give."""

from dataclasses import dataclass

import numpy as np

from liarsolve._typing import F8, I4
from liarsolve.game import BidGraph, PublicTree, StrategyProfile, mix_trees
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.core.pauses import run_with_pauses
from liarsolve.solvers.two_player import _bound_kernels as kernels
from liarsolve.solvers.two_player import _traversal_kernels
from liarsolve.solvers.two_player.traversals import make_graph, read_only, stack_sizes

__all__ = ["BoundedResponse", "MetStates", "bound_response", "search_response"]

_TOLERANCES = (0.05, 0.01, 0.002, 4e-4, 8e-5, 1.6e-5, 1e-6, 0.0)
"""Tolerances of one search after the other, as shares of the largest difference of payoffs. Each
costs two to five times as much as the one before. Smaller steps would spend more on bounds that
are given up for better ones: with recall 3 at 3, 3 dice of ``common``, 49,000 states lead to bounds
0.015 apart by steps of about 3, and 56,000 to 0.004 by these."""


@dataclass(frozen=True, slots=True)
class BoundedResponse:
    """What a best response against a strategy is worth: proved bounds.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).result
    >>> found = bound_response(result.profile, 0)
    >>> found.lo <= found.hi, found.is_exact
    (True, True)
    """

    lo: float
    """Utility that a plan of the responder reaches."""
    hi: float
    """Utility that no plan exceeds."""
    n_visits: int
    """States that all searches met."""

    @property
    def is_exact(self) -> bool:
        """Whether the bounds meet, but for rounding."""
        return self.hi - self.lo <= 1e-12 * max(1.0, abs(self.hi))


@dataclass(frozen=True, slots=True, eq=False)
class MetStates:
    """Sequences of bids that a search met, each after the one that it goes on from."""

    record: I4
    """The sequence before it (-1 at the start), the place of the action there, and the state of the
    strategy's tree to which it leads, int32[M, 3]."""
    mass: F8
    """The opponent's reach, float64[M]; never more than that of the sequence before."""

    @staticmethod
    def nothing() -> "MetStates":
        """No sequence at all."""
        return MetStates(np.empty((0, 3), np.int32), np.empty(0))


def bound_response(
    profile: StrategyProfile,
    responder: int,
    *,
    gap: float = 0.0,
    max_visits: int = 2**62,
    halt: Halt = NEVER,
) -> BoundedResponse:
    """Bound what a player could win against the other's strategy in the round as it is.

    The responder tells apart all sequences of bids and makes any legal bid, whatever abstraction
    the strategies use. Searches follow one another with falling tolerance until the bounds are
    close enough; the best bounds of all of them are kept.

    Parameters
    ----------
    profile : StrategyProfile
        The strategies of two players.
    responder : int
        Who responds.
    gap : float
        Distance of the bounds at which the search ends.
    max_visits : int
        States that all searches together visit at the most; the bounds hold all the same.
    halt : Halt
        What ends the search before, in the same way.

    Examples
    --------
    >>> from liarsolve import Recall, presets, solve
    >>> rules = presets.COMMON.replace(faces=3)
    >>> result = solve(rules, dice=(2, 1), abstraction=Recall(1), max_iterations=50).result
    >>> found = bound_response(result.profile, 0, gap=1e-3)
    >>> found.hi - found.lo <= 1e-3
    True

    References
    ----------
    Burch, Johanson and Bowling (2014), arXiv:1303.4441, on best responses that skip what cannot
    matter; Ballard (1983), "The *-minimax search procedure for trees containing chance nodes", for
    bounds that are passed down through averages.
    """
    return search_response(profile, responder, gap=gap, max_visits=max_visits, halt=halt)[0]


def search_response(
    profile: StrategyProfile,
    responder: int,
    *,
    gap: float = 0.0,
    max_visits: int = 2**62,
    n_records: int = 0,
    record_gap: float = 0.0,
    halt: Halt = NEVER,
) -> tuple[BoundedResponse, MetStates]:
    """`bound_response`, and what a search has met that came to its end.

    It is the first one after which the bounds are no more than ``record_gap`` apart, or the last.
    ``n_records`` is the most that is kept; nothing if it is 0.
    """
    search, n_last = _Search(profile, responder, n_records), 0
    for share in _TOLERANCES:
        left = max_visits - search.n_visits
        if left <= n_last or halt():  # it would be cut short, and say little
            break
        before = search.n_visits
        search.run(share * (search.most - search.least), left, halt)
        n_last = search.n_visits - before
        if search.found.hi - search.found.lo <= record_gap:
            search.is_recorded = True
        if search.found.hi - search.found.lo <= gap:
            break
    return search.found, search.met


class _Search:
    """Searches for the best response of one player, each from the start of the round."""

    def __init__(self, profile: StrategyProfile, responder: int, n_records: int = 0) -> None:
        tree = mix_trees(profile.tree, responder)
        graph, weights = tree.graph, profile.weights
        self.responder = responder
        self.probs = graph.hand_probs[responder]
        self.opponent_probs = graph.hand_probs[1 - responder]
        self.graph = make_graph(graph, profile.payoffs)
        self.most = float(self.graph.most[responder])
        self.least = float(self.graph.least[responder])
        self.tree = _traversal_kernels.Tree(
            node=read_only(tree.node),
            first_edge=read_only(tree.first_edge),
            last_visit=np.empty(0, np.int32),
            n_used=np.empty(0, np.int64),
        )
        self.own, self.opp = (
            _traversal_kernels.Side(
                matches=graph.matches[p],
                default_action=profile.defaults[p],
                children=read_only(tree.children[p]),
                is_live=read_only(np.empty(0, np.uint8)),
                cum_regret=read_only(weights[p][:0]),
                prediction=read_only(weights[p][:0]),
                cum_policy=read_only(weights[p]),
            )
            for p in (responder, 1 - responder)
        )
        self.scratch = _make_scratch(graph, tree, responder, n_records)
        self.met = MetStates.nothing()
        self.is_recorded = n_records == 0
        self.lo = np.full(self.probs.size, self.least)
        self.hi = np.full(self.probs.size, self.most)
        self.n_visits = 0

    @property
    def found(self) -> BoundedResponse:
        """Bounds by all searches, each hand by the one that has done best for it."""
        lo, hi = float(self.probs @ self.lo), float(self.probs @ self.hi)
        return BoundedResponse(lo, max(lo, hi), self.n_visits)

    def run(self, tolerance: float, max_visits: int, halt: Halt) -> None:
        scratch, graph = self.scratch, self.graph
        scratch.state[0], scratch.node[0], scratch.first_row[0] = 0, 0, 0
        scratch.cursor[0] = kernels.ENTERED
        scratch.reach[0] = self.opponent_probs
        scratch.mass[0] = self.opponent_probs.sum()
        scratch.hi[0], scratch.lo[0] = 0.0, 0.0
        scratch.floor[0] = self.lo  # no hand is worth less than what was reached with it
        scratch.progress[:] = 0

        def search(most: int) -> None:
            question = kernels.BoundQuestion(self.responder, tolerance, most)
            kernels.bound_response(graph, self.tree, self.own, self.opp, question, scratch)

        run_with_pauses(search, scratch.progress, self.lo.size * _WORK, max_visits, halt)
        self.n_visits += int(scratch.progress[1])
        self.lo = np.maximum(self.lo, scratch.lo[0])
        self.hi = np.minimum(self.hi, scratch.hi[0])
        n_met, is_cut = int(scratch.progress[3]), scratch.progress[1] >= max_visits or halt()
        if not self.is_recorded and (self.met.mass.size == 0 or not is_cut):
            self.met = MetStates(scratch.met[:n_met].copy(), scratch.met_mass[:n_met].copy())


_WORK = 20
"""A state costs so many times as much as in a plain traversal, since all its raises are bounded."""


def _make_scratch(
    graph: BidGraph, tree: PublicTree, responder: int, n_records: int
) -> kernels.BoundScratch:
    """Stacks deep enough for every path, and room for so many records of states."""
    depth, n_rows = stack_sizes(graph)
    n_own, n_opp = graph.n_hands[responder], graph.n_hands[1 - responder]
    return kernels.BoundScratch(
        hand_prob=graph.hand_probs[responder],
        state=np.zeros(depth, np.int64),
        node=np.zeros(depth, np.int64),
        cursor=np.zeros(depth, np.int64),
        first_row=np.zeros(depth, np.int64),
        mass=np.zeros(depth),
        open_mass=np.zeros(depth),
        reach=np.zeros((depth, n_opp)),
        floor=np.zeros((depth, n_own)),
        hi=np.zeros((depth, n_own)),
        lo=np.zeros((depth, n_own)),
        bound=np.zeros((n_rows, n_own)),
        action_mass=np.zeros(n_rows),
        is_open=np.zeros(n_rows, np.uint8),
        scale=np.zeros((tree.node.size, n_opp)),  # pages that are not met take no memory
        is_scaled=np.zeros(tree.node.size, np.uint8),
        match_sum=np.zeros(graph.round.total_dice + 2),
        value=np.zeros(n_own),
        part=np.zeros(n_opp),
        progress=np.zeros(4, np.int64),
        met=np.zeros((n_records, 3), np.int32),
        met_mass=np.zeros(n_records),
        record=np.zeros(depth, np.int32),
    )

"""Strategies of any number of players: what they are worth, and what each player could gain."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from liarsolve._typing import F8, I8, Real
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, Payoffs, PublicTree, default_actions
from liarsolve.solvers.core.certificate import ProfileCertificate
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.multiplayer import _traversal_kernels as kernels
from liarsolve.solvers.multiplayer.growing_tree import (
    flatten_tree,
    make_scratch,
    make_seats,
    run_traversal,
    start_traversal,
)
from liarsolve.solvers.two_player.traversals import make_graph

FlatTree: TypeAlias = kernels.Tree


def certify_profile(
    tree: PublicTree,
    strategy: tuple[Real, ...],
    payoffs: Payoffs | None = None,
    *,
    defaults: tuple[I8, ...] | None = None,
    threshold: float = 0.0,
    max_visits: int | None = None,
    halt: Halt = NEVER,
) -> ProfileCertificate:
    """Value of a strategy profile to every player, and of his best response to the others.

    The walks follow the rules, not the tree: where the tree has no state players act by default.
    What is left out counts in full against the strategies: best responses win the most there that
    can be won, the strategies themselves the least. So ``nash_conv`` is an upper bound, and exact
    if nothing is left out.

    Parameters
    ----------
    tree : PublicTree
        The tree on which the strategies are written.
    strategy : tuple of float[E, H]
        Action probabilities or weights of each player; a hand whose weights are all zero at a
        state plays the default there.
    payoffs : Payoffs
        What the outcomes are worth.
    defaults : tuple of int64[G, H], optional
        Action by node and hand where the strategy says nothing, -1 for the uniform policy;
        `default_actions` if not given.
    threshold : float
        Subtrees that the other players together reach with no more than this are not walked.
    max_visits : int, optional
        States that a walk visits at the most.
    halt : Halt
        What ends the walks before; what is left then counts in the same way.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1, 1)).result
    >>> certify_profile(result.tree, result.strategy).nash_conv <= 1e-3
    True

    References
    ----------
    Lanctot et al. (2017), arXiv:1711.00832, for ``nash_conv``.
    """
    graph = tree.graph
    _check_shapes(tree, strategy)
    defaults = default_actions(graph) if defaults is None else defaults
    return certify_flat(
        graph,
        flatten_tree(tree, strategy),
        payoffs or Payoffs(),
        defaults,
        threshold=threshold,
        max_visits=max_visits,
        halt=halt,
    )


def certify_flat(
    graph: BidGraph,
    flat: FlatTree,
    payoffs: Payoffs,
    defaults: tuple[I8, ...],
    *,
    threshold: float = 0.0,
    max_visits: int | None = None,
    halt: Halt = NEVER,
) -> ProfileCertificate:
    """`certify_profile` for a tree in the form of the kernels."""
    kernel_graph, seats = make_graph(graph, payoffs), make_seats(graph, defaults)
    scratch = make_scratch(graph)
    found: dict[bool, list[float]] = {False: [], True: []}
    for player in range(graph.n_players):
        for is_best_response, values in found.items():
            left_out = (kernel_graph.most if is_best_response else kernel_graph.least)[player]
            start_traversal(scratch, player, 0, int(flat.node[0]), graph.hand_probs)
            question = kernels.Question(
                traverser=player,
                is_best_response=is_best_response,
                hand=-1,
                threshold=threshold,
                max_visits=sys.maxsize if max_visits is None else max_visits,
                utility_left_out=float(left_out),
            )
            run_traversal(kernel_graph, seats, flat, question, scratch, halt)
            by_hand = scratch.value[0, : graph.n_hands[player]]
            values.append(float(graph.hand_probs[player] @ by_hand))
    return ProfileCertificate(tuple(found[False]), tuple(found[True]))


@dataclass(frozen=True, eq=False)
class Profile:
    """A strategy profile made ready for many questions about values."""

    tree: PublicTree
    strategy: tuple[Real, ...]
    payoffs: Payoffs
    flat: FlatTree
    defaults: tuple[I8, ...]

    @classmethod
    def of(cls, tree: PublicTree, strategy: tuple[Real, ...], payoffs: Payoffs) -> "Profile":
        """Flatten a profile, once."""
        _check_shapes(tree, strategy)
        flat = flatten_tree(tree, strategy)
        return cls(tree, strategy, payoffs, flat, default_actions(tree.graph))

    def hand_values(
        self,
        player: int,
        *,
        state: int = 0,
        node: int | None = None,
        reach: Sequence[F8] | None = None,
        is_best_response: bool = False,
        hand_id: int | None = None,
        max_visits: int = sys.maxsize,
    ) -> F8:
        """Value of each of ``player``'s hands while the others play their strategies.

        Parameters
        ----------
        player : int
            Whose hands.
        state : int
            Public state at which the walk starts, `NO_STATE` if the tree does not have it.
        node : int, optional
            Its graph node; needed only if the tree does not have the state.
        reach : sequence of float64[H], optional
            Reach of every player at ``state``, the chance of his hands if not given; that of
            ``player`` is not used. The values are counterfactual: divide by the product of the
            other players' sums for an expectation.
        is_best_response : bool
            Whether ``player`` plays a best response from there on, or his own strategy.
        hand_id : int, optional
            Follow his strategy for this hand alone, which is quicker; other values are not right.
        max_visits : int
            States to walk at the most; values are nan if they are not enough.
        """
        graph = self.tree.graph
        scratch = make_scratch(graph)
        node = int(self.tree.node[state]) if node is None else node
        start_traversal(scratch, player, state, node, graph.hand_probs if reach is None else reach)
        question = kernels.Question(
            traverser=player,
            is_best_response=is_best_response,
            hand=-1 if hand_id is None else hand_id,
            threshold=0.0,
            max_visits=max_visits,
            utility_left_out=0.0,
        )
        seats = make_seats(graph, self.defaults)
        traversed = run_traversal(
            make_graph(graph, self.payoffs), seats, self.flat, question, scratch
        )
        if traversed >= max_visits:
            return np.full(graph.n_hands[player], np.nan)
        return np.array(scratch.value[0, : graph.n_hands[player]])


def _check_shapes(tree: PublicTree, strategy: tuple[Real, ...]) -> None:
    for player, n_hands in enumerate(tree.graph.n_hands):
        expected = (tree.children[player].size, n_hands)
        if strategy[player].shape != expected:
            raise InputError(
                f"the strategy of player {player} must be float[E, H] = {expected}, "
                f"got shape {strategy[player].shape}"
            )

"""Strategies of any number of players: what they are worth, and what each player could gain."""

import sys
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from liarsolve._typing import F8, I8
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, Payoffs, Start, StrategyProfile
from liarsolve.solvers.core.certificate import ProfileCertificate
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.multiplayer import _traversal_records as records
from liarsolve.solvers.multiplayer.growing_tree import (
    flatten_tree,
    make_scratch,
    make_seats,
    run_traversal,
    start_traversal,
)
from liarsolve.solvers.two_player.best_response import FIRST_BID
from liarsolve.solvers.two_player.traversals import make_graph

FlatTree: TypeAlias = records.Tree


def certify_profile(
    profile: StrategyProfile,
    *,
    threshold: float = 0.0,
    max_visits: int | None = None,
    halt: Halt = NEVER,
) -> ProfileCertificate:
    """Value of a strategy profile to every player, and of their best response to the others.

    The traversals follow the rules, not the tree: where the tree has no state players act by
    default. What is left out counts in full against the strategies: best responses win the most
    there that can be won, the strategies themselves the least. So ``nash_conv`` is an upper bound,
    and exact if nothing is left out.

    Parameters
    ----------
    profile : StrategyProfile
        The strategies; where they say nothing, players act by its ``defaults``.
    threshold : float
        Subtrees that the other players together reach with no more than this are not traversed.
    max_visits : int, optional
        States that a traversal visits at the most.
    halt : Halt
        What ends the traversals before; what is left then counts in the same way.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1, 1)).result
    >>> certify_profile(result.profile).nash_conv <= 1e-3
    True

    References
    ----------
    Lanctot et al. (2017), arXiv:1711.00832, for ``nash_conv``.
    """
    _check_shapes(profile)
    return certify_flat(
        profile.tree.graph,
        flatten_tree(profile.tree, profile.weights),
        profile.payoffs,
        profile.defaults,
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
            question = records.Question(
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
class ProfileEvaluator:
    """A strategy profile made ready for many questions about values."""

    profile: StrategyProfile
    flat: FlatTree = field(init=False)

    def __post_init__(self) -> None:
        _check_shapes(self.profile)
        flat = flatten_tree(self.profile.tree, self.profile.weights)
        object.__setattr__(self, "flat", flat)

    def hand_values(
        self,
        player: int,
        start: Start = FIRST_BID,
        *,
        is_best_response: bool = False,
        hand_id: int | None = None,
        max_visits: int = sys.maxsize,
        halt: Halt = NEVER,
    ) -> F8:
        """Value of each of ``player``'s hands while the others play their strategies.

        Parameters
        ----------
        player : int
            Whose hands.
        start : Start
            Where the traversal starts. The values are counterfactual: divide by the product of the
            sums of the other players' reach for an expectation.
        is_best_response : bool
            Whether ``player`` plays a best response from there on, or their own strategy.
        hand_id : int, optional
            Follow the strategy for this hand alone, which is quicker; other values are not right.
        max_visits : int
            States to visit at the most; values are nan if they are not enough.
        halt : Halt
            What ends the walk before; values are nan then too.
        """
        tree, graph = self.profile.tree, self.profile.tree.graph
        scratch = make_scratch(graph)
        node = int(tree.node[start.state]) if start.node is None else start.node
        reach = graph.hand_probs if start.reach is None else start.reach
        start_traversal(scratch, player, start.state, node, reach)
        question = records.Question(
            traverser=player,
            is_best_response=is_best_response,
            hand=-1 if hand_id is None else hand_id,
            threshold=0.0,
            max_visits=max_visits,
            utility_left_out=0.0,
        )
        seats = make_seats(graph, self.profile.defaults)
        kernel_graph = make_graph(graph, self.profile.payoffs)
        traversed = run_traversal(kernel_graph, seats, self.flat, question, scratch, halt)
        if traversed >= max_visits:
            return np.full(graph.n_hands[player], np.nan)
        return np.array(scratch.value[0, : graph.n_hands[player]])


def _check_shapes(profile: StrategyProfile) -> None:
    tree, strategy = profile.tree, profile.weights
    for player, n_hands in enumerate(tree.graph.n_hands):
        expected = (tree.children[player].size, n_hands)
        if strategy[player].shape != expected:
            raise InputError(
                f"the strategy of player {player} must be float[E, H] = {expected}, "
                f"got shape {strategy[player].shape}"
            )

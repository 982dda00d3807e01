"""What strategies of forgetful players cost in the round as it is."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from liarsolve.game import StrategyProfile, mix_trees
from liarsolve.solvers.core.certificate import Certificate
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.two_player import _traversal_kernels
from liarsolve.solvers.two_player.bounded_response import BoundedResponse, bound_response
from liarsolve.solvers.two_player.traversals import (
    Traversal,
    make_graph,
    make_scratch,
    read_only,
    run_traversal,
    start_traversal,
)

_CLOSE = 0.01
"""Distance of the bounds of the exploitability, as a share of it, that counts as a measurement."""
_NEGLIGIBLE = 1e-6
"""Distance that counts as one, however small the exploitability is."""


@dataclass(frozen=True, slots=True)
class FullGameMeasure:
    """Best responses of players with perfect recall who may make any bid, as far as searched."""

    certificate: Certificate
    n_visits: int
    """Public states that the larger of the two searches met."""

    @property
    def is_complete(self) -> bool:
        """Whether the bounds of the exploitability are so close that it counts as measured.

        They hold all the same, but may be far apart.
        """
        least, most = self.certificate.exploitability_bounds
        return most - least <= _CLOSE * most + _NEGLIGIBLE


def measure_in_full_game(
    profile: StrategyProfile,
    *,
    gap: float = 0.0,
    max_visits: int,
    n_threads: int = 2,
    halt: Halt = NEVER,
) -> FullGameMeasure:
    """Bound best responses in the unabstracted round against strategies on merged states.

    The responder tells apart all sequences of bids and makes any legal bid; the other player does
    what the strategy says for the merged state to which a sequence leads, by the translation of
    `merge_states` where a bid is outside the abstraction. It is a search by branch and bound, see
    `bound_response`; the two responses are searched for at the same time.

    Parameters
    ----------
    profile : StrategyProfile
        The strategies.
    gap : float
        Distance of the bounds of each response at which its search ends.
    max_visits : int
        Public states that a search meets at the most.
    n_threads : int
        1 or 2; the result does not depend on it.
    halt : Halt
        What ends the searches before.

    Examples
    --------
    >>> from liarsolve import Recall, presets, solve
    >>> rules = presets.COMMON.replace(faces=3)
    >>> result = solve(rules, dice=(2, 1), abstraction=Recall(1), max_iterations=50).result
    >>> measured = measure_in_full_game(result.profile, max_visits=10**6)
    >>> measured.is_complete
    True

    References
    ----------
    Waugh et al. (2009), "Abstraction pathologies in extensive games", for measuring an
    abstraction in the game that it stands for.
    """

    def respond(player: int) -> BoundedResponse:
        return bound_response(profile, player, gap=gap, max_visits=max_visits, halt=halt)

    if n_threads > 1:
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(respond, range(2)))
    else:
        found = [respond(player) for player in range(2)]
    return FullGameMeasure(
        certificate=Certificate.of(
            [response.hi for response in found],
            profile.payoffs,
            [response.lo for response in found],
        ),
        n_visits=max(response.n_visits for response in found),
    )


def traverse_full_game(
    profile: StrategyProfile,
    player: int,
    *,
    threshold: float = 0.0,
    max_visits: int = sys.maxsize,
    halt: Halt = NEVER,
) -> tuple[float, int]:
    """Utility of a player's best response in the unabstracted round, and the states visited.

    Parameters
    ----------
    profile, threshold, max_visits, halt
        As for `liarsolve.solvers.certify`.
    player : int
        Who responds.
    """
    question = _traversal_kernels.Question(player, True, -1, threshold, max_visits)
    tree, weights = mix_trees(profile.tree, player), profile.weights
    graph = tree.graph
    scratch = make_scratch(graph)
    start_traversal(scratch, 0, 0, graph.hand_probs[1 - player])
    own, opp = (
        _traversal_kernels.Side(
            matches=graph.matches[p],
            default_action=profile.defaults[p],
            children=read_only(tree.children[p]),
            is_live=read_only(np.empty(0, np.uint8)),
            cum_regret=read_only(weights[p][:0]),
            prediction=read_only(weights[p][:0]),
            cum_policy=read_only(weights[p]),
        )
        for p in (player, 1 - player)
    )
    walk = Traversal(
        make_graph(graph, profile.payoffs),
        _traversal_kernels.Tree(
            node=read_only(tree.node),
            first_edge=read_only(tree.first_edge),
            last_visit=np.empty(0, np.int32),
            n_used=np.empty(0, np.int64),
        ),
        own,
        opp,
    )
    n_visits = run_traversal(walk, question, scratch, halt)
    return float(graph.hand_probs[player] @ scratch.value[0, : graph.n_hands[player]]), n_visits

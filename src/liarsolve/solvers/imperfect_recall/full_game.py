"""What strategies of players with imperfect recall lose in the full game."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from liarsolve.game import StrategyProfile, mix_trees
from liarsolve.solvers.core.certificate import Certificate
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.two_player import _traversal_kernels
from liarsolve.solvers.two_player.traversals import (
    Traversal,
    make_graph,
    make_scratch,
    read_only,
    run_traversal,
    start_traversal,
)


@dataclass(frozen=True, slots=True)
class FullGameMeasure:
    """Best responses of players who remember all and may make any bid, as far as traversed."""

    certificate: Certificate
    is_complete: bool
    """Whether all was traversed that is reached with more than the threshold. If not, what is left
    counts in full against the strategies: the bounds hold, but may be far from the truth."""
    n_visits: int
    """Public states that the larger of the two traversals met."""


def measure_in_full_game(
    profile: StrategyProfile,
    *,
    threshold: float = 0.0,
    max_visits: int,
    n_threads: int = 2,
    halt: Halt = NEVER,
) -> FullGameMeasure:
    """Play best responses in the unabstracted round against strategies on merged states.

    The responder tells apart all sequences of bids and makes any legal bid; each sequence is
    traversed on its own, and the other player does what the strategy says for the merged state to
    which it leads, by the translation of `merge_states` where a bid is outside the abstraction. The
    two responses are traversed at the same time.

    Parameters
    ----------
    profile, threshold
        As for `liarsolve.solvers.certify`.
    max_visits : int
        Public states that a response visits at the most.
    n_threads : int
        1 or 2.
    halt : Halt
        What ends the traversals before.

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

    def question(player: int) -> _traversal_kernels.Question:
        return _traversal_kernels.Question(player, True, -1, threshold, max_visits)

    def traverse(player: int) -> tuple[float, int]:
        return _respond_in_full_game(profile, player, question(player), halt)

    if n_threads > 1:
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(traverse, range(2)))
    else:
        results = [traverse(player) for player in range(2)]
    n_visits = max(visits for _, visits in results)
    return FullGameMeasure(
        certificate=Certificate.of([value for value, _ in results], profile.payoffs),
        is_complete=n_visits < max_visits,
        n_visits=n_visits,
    )


def _respond_in_full_game(
    profile: StrategyProfile,
    player: int,
    question: _traversal_kernels.Question,
    halt: Halt,
) -> tuple[float, int]:
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
    traversal = Traversal(
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
    n_visits = run_traversal(traversal, question, scratch, halt)
    return float(graph.hand_probs[player] @ scratch.value[0, : graph.n_hands[player]]), n_visits

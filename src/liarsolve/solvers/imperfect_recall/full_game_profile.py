"""What any number of players with imperfect recall could gain in the full game."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from liarsolve._typing import I8, Real
from liarsolve.game import Payoffs, PublicTree, default_actions, mix_trees
from liarsolve.solvers.core.certificate import ProfileCertificate
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.imperfect_recall.layout import make_states
from liarsolve.solvers.multiplayer import _traversal_records as records
from liarsolve.solvers.multiplayer.growing_tree import (
    make_scratch,
    make_seats,
    run_traversal,
    start_traversal,
)
from liarsolve.solvers.two_player._traversal_kernels import Graph
from liarsolve.solvers.two_player.traversals import make_graph


@dataclass(frozen=True, slots=True)
class FullGameProfileMeasure:
    """Best responses of players who remember all, if they could be traversed."""

    certificate: ProfileCertificate
    """If a traversal was not complete, only what is plain from the payoffs: it says nothing about
    the strategies."""
    is_complete: bool
    """Whether all was traversed that is reached with more than the threshold."""
    n_visits: int
    """Public states that the largest of the traversals met."""


def measure_profile_in_full_game(
    tree: PublicTree,
    entries: Real,
    payoffs: Payoffs,
    *,
    defaults: tuple[I8, ...] | None = None,
    threshold: float = 0.0,
    max_visits: int,
    n_threads: int = 2,
    halt: Halt = NEVER,
) -> FullGameProfileMeasure:
    """Play best responses in the unabstracted round against strategies on merged states.

    Parameters
    ----------
    tree : PublicTree
        Merged states of any number of players.
    entries : float[entries]
        Weights of all players' actions, player by player, each in the order of float[E, H].
    payoffs, defaults, threshold
        As for `liarsolve.solvers.certify_profile`.
    max_visits : int
        Public states that a traversal meets at the most. The first incomplete one is the last.
    n_threads : int
        Threads that share the traversals out.
    halt : Halt
        What ends the traversals before.
    """
    traversals = _Traversals(tree, entries, payoffs, defaults, threshold, max_visits, halt)
    players = range(tree.graph.n_players)
    questions = [(player, is_best) for is_best in (True, False) for player in players]
    found = [traversals.run(*questions[0])]
    if found[0][1] < max_visits:
        with ThreadPoolExecutor(n_threads) as pool:
            found += pool.map(lambda question: traversals.run(*question), questions[1:])
    n_visits = max(visits for _, visits in found)
    if n_visits < max_visits:
        best, values = (
            [value for value, _ in part] for part in (found[: len(players)], found[len(players) :])
        )
        certificate = ProfileCertificate(tuple(values), tuple(best))
    else:
        certificate = certify_nothing(tree, payoffs)
    return FullGameProfileMeasure(certificate, n_visits < max_visits, n_visits)


def certify_nothing(tree: PublicTree, payoffs: Payoffs) -> ProfileCertificate:
    """What holds of any strategies: the least and the most that each player can get."""
    table = payoffs.table(tree.graph.n_players)
    least, most = table.min(axis=(0, 1)), table.max(axis=(0, 1))
    return ProfileCertificate(tuple(least.tolist()), tuple(most.tolist()))


def join_entries(strategy: Sequence[Real]) -> Real:
    """Strategies of all players in one row, a copy."""
    entries: Real = np.concatenate([policy.reshape(-1) for policy in strategy])
    return entries


class _Traversals:
    """Traversals of the full game, by strategies on merged states."""

    def __init__(
        self,
        tree: PublicTree,
        entries: Real,
        payoffs: Payoffs,
        defaults: tuple[I8, ...] | None,
        threshold: float,
        max_visits: int,
        halt: Halt,
    ) -> None:
        states = make_states(tree, payoffs)
        self.tree, self.payoffs = tree, payoffs
        self.graph, self.threshold, self.max_visits = tree.graph, threshold, max_visits
        self.halt = halt
        self.kernel_graph = make_graph(tree.graph, payoffs)
        self.seats = make_seats(tree.graph, defaults or default_actions(tree.graph))
        nothing = np.empty(0, entries.dtype)
        self.flat = records.Tree(
            node=np.array(states.node),
            first_edge=states.first_edge,
            first_entry=states.first_entry,
            children=states.children,
            is_live=np.empty(0, np.uint8),
            cum_regret=nothing,
            prediction=nothing,
            cum_policy=entries,
            n_used=np.zeros(3, np.int64),
        )

    def run(self, player: int, is_best_response: bool) -> tuple[float, int]:
        """Utility of a player by their best response or by their strategy, and states visited."""
        left_out = (self.kernel_graph.most if is_best_response else self.kernel_graph.least)[player]
        scratch = make_scratch(self.graph)
        start_traversal(scratch, player, 0, int(self.flat.node[0]), self.graph.hand_probs)
        question = records.Question(
            traverser=player,
            is_best_response=is_best_response,
            hand=-1,
            threshold=self.threshold,
            max_visits=self.max_visits,
            utility_left_out=float(left_out),
        )
        graph, flat = self.kernel_graph, self.flat
        if is_best_response and self.tree.legal is not None:
            graph, flat = self._for_responder(player)
        visits = run_traversal(graph, self.seats, flat, question, scratch, self.halt)
        probs = self.graph.hand_probs[player]
        return float(probs @ scratch.value[0, : probs.size]), visits

    def _for_responder(self, player: int) -> tuple[Graph, records.Tree]:
        """Graph and tree in which a player may make any bid; what the others do stays in place."""
        mixed = mix_trees(self.tree, player)
        states = make_states(mixed, self.payoffs)
        flat = self.flat._replace(first_edge=states.first_edge, children=states.children)
        return make_graph(mixed.graph, self.payoffs), flat

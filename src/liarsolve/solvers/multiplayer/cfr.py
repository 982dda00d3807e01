"""Counterfactual regret minimization for any number of players."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from liarsolve._typing import Real
from liarsolve.game import BidGraph, Payoffs, PublicTree
from liarsolve.solvers.core.certificate import ProfileCertificate
from liarsolve.solvers.core.halt import NEVER
from liarsolve.solvers.core.variants import DISCOUNTED_CFR, CFRVariant
from liarsolve.solvers.multiplayer.growing_tree import MultiplayerTree, make_seats
from liarsolve.solvers.multiplayer.profile import certify_flat
from liarsolve.solvers.two_player.best_response import InitialPolicy, bound_visits, initial_actions
from liarsolve.solvers.two_player.cfr import normalise_strategy
from liarsolve.solvers.two_player.traversals import make_graph


class MultiplayerCFR:
    """CFR for a round of two or more players, with a vector over hands at every public state.

    It works as `CFRSolver` does, with a product of one reach vector for each player in place of
    the opponent's: a state is created when the others together reach it with more than
    ``threshold``, and until then everybody acts by the initial policy. Two players get the same
    strategies as there, bit for bit.

    For three and more players nothing promises that the average strategies come near an
    equilibrium. `certify` measures how near they have come.

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
        Bytes that the tree may take. When it cannot grow, the solver goes on with the states that
        it has, and ``is_out_of_memory`` says so.

    A step or a certificate that ``halt`` ends is brought to its end as fast as may be; the
    strategies are valid, but no step should follow.

    Examples
    --------
    >>> from liarsolve.game import compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> solver = MultiplayerCFR(compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1, 1))))
    >>> for _ in range(100):
    ...     solver.step()
    >>> solver.certify().nash_conv < 0.01
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
    ) -> None:
        self.graph = graph
        self.payoffs = payoffs or Payoffs()
        self.variant = variant
        self.iteration = 0
        self.halt = NEVER
        self.threshold = 0.0
        self.revisit_period = 1
        self.max_memory = max_memory
        self.is_out_of_memory = False
        self._defaults = initial_actions(graph, initial)
        self._kernel_graph = make_graph(graph, self.payoffs)
        seats = make_seats(graph, self._defaults)
        self._tree = MultiplayerTree(graph, seats, dtype, variant.is_predictive)

    @property
    def n_states(self) -> int:
        """Number of public states created."""
        return self._tree.n_states

    @property
    def n_bytes(self) -> int:
        """Memory of the tree."""
        return self._tree.n_bytes

    def step(self) -> None:
        """One iteration: the players update in turn, each against the others' latest policies.

        The pass that updates a player also adds to the average of the one before them, who has just
        been updated. Updates of all but player 0 are put off to the start of the next iteration,
        so that after each step all averages hold exactly the policies of iterations 1 to
        ``iteration``, as in the textbook algorithm.
        """
        for player in range(1, self.graph.n_players):
            if self.iteration == 0:  # the first policies enter the averages, nothing else happens
                self._run_pass(player, 1, 1)
                self._tree.drop_regrets()
            else:
                self._run_pass(player, self.iteration, self.iteration + 1)
        self.iteration += 1
        self._run_pass(0, self.iteration, self.iteration)

    def _run_pass(self, traverser: int, iteration: int, averaged_iteration: int) -> None:
        step = self.variant.step(
            iteration,
            averaged_iteration,
            threshold=self.threshold,
            may_create=not self.is_out_of_memory,
            revisit_period=self.revisit_period,
        )
        averaged = (traverser - 1) % self.graph.n_players
        self.is_out_of_memory |= self._tree.run_pass(
            self._kernel_graph,
            traverser,
            averaged,
            self.graph.hand_probs,
            step,
            self.max_memory,
            self.halt,
        )

    def to_state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Everything that `restore` needs: plain values, and arrays that are views."""
        values = {
            "iteration": self.iteration,
            "threshold": self.threshold,
            "revisit_period": self.revisit_period,
            "max_memory": self.max_memory,
            "is_out_of_memory": self.is_out_of_memory,
        }
        return values, self._tree.to_arrays()

    def restore(self, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on where `to_state` was taken, to the last bit."""
        self.iteration = int(values["iteration"])
        self.threshold = float(values["threshold"])
        self.revisit_period = int(values["revisit_period"])
        self.max_memory = float(values["max_memory"])
        self.is_out_of_memory = bool(values["is_out_of_memory"])
        self._tree.restore(arrays)

    def average_strategy(self) -> tuple[PublicTree, tuple[Real, ...]]:
        """The average strategies, and the tree on which they are written.

        For each player float[E, H]; over the edges of a state it sums to 1 for every hand. Hands
        that never came to a state have the initial policy there.
        """
        tree, weights = self._tree.finished()
        return tree, normalise_strategy(tree, weights, self._defaults, weights)

    def certify(
        self, threshold: float = 0.0, *, max_visits: int | None = None
    ) -> ProfileCertificate:
        """Values of the average strategies and of best responses to them.

        The work is bounded: what is not reached within ``max_visits`` states, by default a few for
        every state of the tree, counts in full against the strategies.
        """
        visits = bound_visits(self.n_states) if max_visits is None else max_visits
        return certify_flat(
            self.graph,
            self._tree.arrays,
            self.payoffs,
            self._defaults,
            threshold=threshold,
            max_visits=visits,
            halt=self.halt,
        )

"""Counterfactual regret minimization over the public tree, one vector over hands at every state.

The members of the family differ in what they keep of old regrets and how they weigh iterations,
so one solver serves them all: see `CFRVariant`.
"""

import math
from dataclasses import dataclass
from math import inf

import numpy as np

from liarsolve._typing import F8
from liarsolve.errors import InputError
from liarsolve.game import Payoffs, PublicTree
from liarsolve.solvers import _walk_kernels as kernels
from liarsolve.solvers.best_response import Certificate, certify, make_graph, make_scratch


@dataclass(frozen=True, slots=True, kw_only=True)
class CFRVariant:
    """A member of the CFR family with alternating updates.

    After iteration t positive cumulative regrets are multiplied by ``t**a / (t**a + 1)`` with
    a = ``positive_exponent``, negative ones likewise with ``negative_exponent``; iteration t has
    weight ``t**average_exponent`` in the average strategy. An exponent of ``inf`` keeps everything,
    ``-inf`` forgets negative regrets at once, which is regret matching plus.

    References
    ----------
    Brown and Sandholm (2019), "Solving imperfect-information games via discounted regret
    minimization", arXiv:1809.04040, section 3 for the three exponents.
    """

    name: str
    positive_exponent: float
    negative_exponent: float
    average_exponent: float
    is_predictive: bool = False
    """Match cumulative regrets plus those of the last iteration, as a guess of the next."""

    def step(self, iteration: int, opponent_iteration: int) -> kernels.Step:
        """Weights of the traverser's update and of the opponent's policy, counted from 1."""
        return kernels.Step(
            average_weight=math.pow(opponent_iteration, self.average_exponent),
            keep_positive=_keep(iteration, self.positive_exponent),
            keep_negative=_keep(iteration, self.negative_exponent),
            is_predictive=self.is_predictive,
        )


def _keep(iteration: int, exponent: float) -> float:
    if exponent in (inf, -inf):
        return 1.0 if exponent > 0 else 0.0
    weight = math.pow(iteration, exponent)
    return weight / (weight + 1.0)


CFR = CFRVariant(name="cfr", positive_exponent=inf, negative_exponent=inf, average_exponent=0.0)
"""Zinkevich et al. (2007), "Regret minimization in games with incomplete information"."""
CFR_PLUS = CFRVariant(
    name="cfr+", positive_exponent=inf, negative_exponent=-inf, average_exponent=1.0
)
"""Tammelin (2014), "Solving large imperfect information games using CFR+", arXiv:1407.5042."""
LINEAR_CFR = CFRVariant(
    name="linear", positive_exponent=1.0, negative_exponent=1.0, average_exponent=1.0
)
"""Brown and Sandholm (2019), arXiv:1809.04040, section 2."""
DISCOUNTED_CFR = CFRVariant(
    name="discounted", positive_exponent=1.5, negative_exponent=0.0, average_exponent=2.0
)
"""Brown and Sandholm (2019), arXiv:1809.04040, DCFR(3/2, 0, 2)."""
PREDICTIVE_CFR_PLUS = CFRVariant(
    name="predictive+",
    positive_exponent=inf,
    negative_exponent=-inf,
    average_exponent=2.0,
    is_predictive=True,
)
"""Farina, Kroer and Sandholm (2021), arXiv:2007.14358, with quadratic averaging."""

VARIANTS = {
    variant.name: variant
    for variant in (CFR, CFR_PLUS, LINEAR_CFR, DISCOUNTED_CFR, PREDICTIVE_CFR_PLUS)
}
"""The ready variants by name."""


def get_variant(name: str) -> CFRVariant:
    """Find a variant by name."""
    if name not in VARIANTS:
        raise InputError(f"there is no CFR variant {name!r}; choose one of {', '.join(VARIANTS)}")
    return VARIANTS[name]


class CFRSolver:
    """CFR on a complete public tree of a two-player round.

    Parameters
    ----------
    tree : PublicTree
        Every public state of the round.
    payoffs : Payoffs
        What the outcomes are worth.
    variant : CFRVariant
        Which member of the family.

    Examples
    --------
    >>> from liarsolve.game import build_complete_tree, compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> rules = presets.COMMON.replace(faces=3)
    >>> solver = CFRSolver(build_complete_tree(compile_graph(Round(rules, (1, 1)))))
    >>> for _ in range(100):
    ...     solver.step()
    >>> solver.certify().exploitability < 0.01  # the value is -1/9
    True
    """

    def __init__(
        self,
        tree: PublicTree,
        payoffs: Payoffs | None = None,
        variant: CFRVariant = DISCOUNTED_CFR,
    ) -> None:
        graph = tree.graph
        if graph.n_players != 2:
            raise InputError(f"CFRSolver solves rounds of two players, got {graph.n_players}")
        self.tree = tree
        self.payoffs = payoffs or Payoffs()
        self.variant = variant
        self.iteration = 0
        self._graph = make_graph(tree, self.payoffs)
        self._scratch = make_scratch(graph)
        self._sides = tuple(
            kernels.Side(
                children=children,
                matches=matches,
                cum_regret=np.zeros((children.size, n_hands)),
                prediction=np.zeros((children.size if variant.is_predictive else 0, n_hands)),
                cum_policy=np.zeros((children.size, n_hands)),
            )
            for children, matches, n_hands in zip(
                tree.children, graph.matches, graph.n_hands, strict=True
            )
        )

    def step(self) -> None:
        """One iteration: player 0 updates against player 1's policy, then the other way round.

        A pass updates one player's regrets and the other's average. Player 1's update is put off
        to the start of the next iteration, so that after each step both averages hold exactly the
        policies of iterations 1 to ``iteration``, as in the textbook algorithm.
        """
        if self.iteration == 0:  # player 0's first policy enters his average, nothing else happens
            self._run_pass(1, 1, 1)
            self._sides[1].cum_regret[:] = 0.0
            self._sides[1].prediction[:] = 0.0
        else:
            self._run_pass(1, self.iteration, self.iteration + 1)
        self.iteration += 1
        self._run_pass(0, self.iteration, self.iteration)

    def _run_pass(self, traverser: int, iteration: int, opponent_iteration: int) -> None:
        opponent = 1 - traverser
        probs = self.tree.graph.hand_probs[opponent]
        self._scratch.reach[0, : probs.size] = probs
        step = self.variant.step(iteration, opponent_iteration)
        kernels.cfr_pass(
            self._graph,
            self._sides[traverser],
            self._sides[opponent],
            traverser,
            step,
            self._scratch,
        )

    @property
    def cum_regret(self) -> tuple[F8, ...]:
        """Cumulative regrets of each player, float64[E, H]."""
        return tuple(side.cum_regret for side in self._sides)

    def average_strategy(self) -> tuple[F8, ...]:
        """The strategy that converges, for each player float64[E, H].

        Over the edges of a state it sums to 1 for every hand; it is uniform at information sets
        that were never reached.
        """
        return normalise_strategy(self.tree, tuple(side.cum_policy for side in self._sides))

    def certify(self) -> Certificate:
        """Exact best responses to the average strategy."""
        return certify(self.tree, tuple(side.cum_policy for side in self._sides), self.payoffs)


def normalise_strategy(tree: PublicTree, weights: tuple[F8, ...]) -> tuple[F8, ...]:
    """Scale action weights to probabilities, for each player float64[E, H].

    A hand whose weights are all zero at a state gets the uniform policy.
    """
    graph = tree.graph
    state_player = graph.player[tree.node]
    state_actions = np.diff(graph.action_start)[tree.node]
    result = []
    for player, weight in enumerate(weights):
        first = tree.first_edge[state_player == player]
        n_actions = state_actions[state_player == player]
        if first.size == 0:
            result.append(np.zeros_like(weight))
            continue
        # Edges of a state are consecutive and states are in edge order, so reduceat sums a state.
        total = np.repeat(np.add.reduceat(weight, first, axis=0), n_actions, axis=0)
        uniform = np.repeat(1.0 / n_actions, n_actions)[:, None]
        result.append(
            np.divide(weight, total, out=uniform + np.zeros_like(weight), where=total > 0)
        )
    return tuple(result)

"""Proof of a value in rational arithmetic.

A fraction is never recognised from a float. Both strategies are rounded to fractions, hand by hand
and state by state, and both best responses are evaluated exactly; if they come out equal, player 0
has that value for certain and player 1 allows no more, whatever the rounding did. The responses
traverse the rules, not the tree: where it has no state they meet the default, as in a certificate.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from liarsolve._typing import Real
from liarsolve.game import (
    NO_STATE,
    BidGraph,
    Payoffs,
    PublicTree,
    default_actions,
    outcome_ids,
)
from liarsolve.rules import Bid, Call

Number: TypeAlias = int | Fraction
ExactStrategy: TypeAlias = list[list[Fraction]]
"""Action probabilities of one player by edge and hand."""


@dataclass(frozen=True, slots=True)
class ExactWeights:
    """Chance of the hand times own action probabilities, as whole numbers."""

    total: int
    """What the chances of all hands of the player add up to."""
    by_edge: dict[int, dict[int, int]]
    """By edge and hand, without those at zero."""


_DENOMINATORS = (60, 1000, 10**4, 10**6)


def prove_value(
    tree: PublicTree,
    strategies: Iterable[tuple[Real, ...]],
    payoffs: Payoffs,
    on_step: Callable[[], None] = lambda: None,
) -> Fraction | None:
    """Prove the value of a round from strategies that are optimal up to rounding.

    Parameters
    ----------
    tree : PublicTree
        The tree of a two-player round on which the strategies are written.
    strategies : iterable of tuple of float64[E, H]
        Pairs of optimal strategies, tried one after the other. At a vertex of a linear program the
        probabilities are fractions, and with luck of small denominators.
    payoffs : Payoffs
        What the outcomes are worth.
    on_step : callable
        Called now and then; it may raise.

    Returns
    -------
    Fraction or None
        The value of the round to player 0; None if no rounding that was tried is optimal.

    Examples
    --------
    >>> from liarsolve import presets, solve_exact
    >>> result = solve_exact(presets.COMMON.replace(faces=3), dice=(1, 1)).result
    >>> prove_value(result.tree, [result.strategy], result.payoffs)
    Fraction(-1, 9)
    """
    lower, upper = [], []
    for strategy in strategies:
        for denominator in _DENOMINATORS:
            exact = [round_strategy(tree, p, strategy[p], denominator) for p in range(2)]
            lower.append(-exact_br_value(tree, exact[0], 1, payoffs, on_step))
            upper.append(exact_br_value(tree, exact[1], 0, payoffs, on_step))
            if max(lower) == min(upper):  # each is a bound, whichever rounding it came from
                return max(lower)
    return None


def round_strategy(
    tree: PublicTree, player: int, strategy: Real, max_denominator: int
) -> ExactStrategy:
    """Replace every probability by a near fraction, so that each policy sums to exactly 1.

    The largest probability of a policy is what the others leave.
    """
    graph = tree.graph
    nearest: dict[float, Fraction] = {}
    rounded = [[Fraction(0)] * strategy.shape[1] for _ in range(strategy.shape[0])]
    for state in range(tree.n_states):
        node = tree.node[state]
        if graph.player[node] != player:
            continue
        first = int(tree.first_edge[state])
        stop = first + int(graph.action_start[node + 1] - graph.action_start[node])
        policies = strategy[first:stop]
        for hand in range(strategy.shape[1]):
            largest = int(policies[:, hand].argmax())
            rest = Fraction(1)
            for k, prob in enumerate(policies[:, hand].tolist()):
                if k != largest and prob > 0.0:
                    if prob not in nearest:
                        nearest[prob] = Fraction(prob).limit_denominator(max_denominator)
                    rounded[first + k][hand] = nearest[prob]
                    rest -= nearest[prob]
            rounded[first + largest][hand] = rest
    return rounded


def exact_br_value(
    tree: PublicTree,
    opponent: "ExactStrategy | ExactWeights",
    player: int,
    payoffs: Payoffs,
    on_step: Callable[[], None] = lambda: None,
) -> Fraction:
    """Value of ``player``'s best response to the opponent's strategy, in rational arithmetic.

    ``on_step`` is called at every state that is visited; it may raise.
    """
    graph = tree.graph
    table = [[Fraction(row[player]) for row in o] for o in payoffs.table(2).tolist()]
    chances: tuple[Fraction, ...] = graph.exact_hand_probs[1 - player]
    unit = Fraction(1)
    if isinstance(opponent, ExactWeights):  # whole numbers are much quicker than fractions
        scale = math.lcm(*(payoff.denominator for row in table for payoff in row))
        table = [[payoff * scale for payoff in row] for row in table]
        unit = Fraction(1, scale * opponent.total)
        chances = tuple(chance * opponent.total for chance in chances)
    responder = _Responder(tree, opponent, player, table, on_step)
    values = responder.values(0, 0, dict(enumerate(map(_plain, chances))))
    own = graph.exact_hand_probs[player]
    return unit * sum((p * v for p, v in zip(own, values, strict=True)), Fraction(0))


def _plain(number: Fraction) -> Number:
    return number.numerator if number.denominator == 1 else number


class _Responder:
    """Depth-first best response; the opponent's reach is a dict without the hands at zero."""

    def __init__(
        self,
        tree: PublicTree,
        opponent: "ExactStrategy | ExactWeights",
        player: int,
        payoff: list[list[Fraction]],
        on_step: Callable[[], None],
    ) -> None:
        self.tree = tree
        self.opponent = opponent
        self.player = player
        self.payoff = [[_plain(number) for number in row] for row in payoff]
        self.on_step = on_step
        graph: BidGraph = tree.graph
        self.own = graph.matches[player].tolist()
        self.other = graph.matches[1 - player].tolist()
        self.defaults = default_actions(graph)[1 - player].tolist()
        self.defaulted: dict[tuple[int, tuple[int, ...]], list[Number]] = {}
        """Values below one way off the tree, by node and by the opponent's hands that come."""

    def values(self, state: int, node: int, reach: dict[int, Number]) -> list[Number]:
        """Counterfactual value of each own hand; ``state`` is `NO_STATE` off the tree."""
        self.on_step()
        graph = self.tree.graph
        caller = int(graph.player[node])
        first = NO_STATE if state == NO_STATE else int(self.tree.first_edge[state])
        results = []
        for k, action in enumerate(graph.actions(node)):
            after = reach
            if caller != self.player:
                after = self._after(node, first, k, reach)
                if not after:
                    continue
            if isinstance(action, Bid):
                target = int(graph.action_target[graph.action_start[node] + k])
                if state == NO_STATE:
                    results.append(self._default_values(target, after))
                    continue
                child = int(self.tree.children[caller][first + k])
                self.defaulted.clear()
                results.append(self.values(child, target, after))
            else:
                results.append(self._showdown(node, action, caller, after))
        combine = max if caller == self.player else sum
        return [combine(column) for column in zip(*results, strict=True)]

    def _default_values(self, node: int, reach: dict[int, Number]) -> list[Number]:
        """Off the tree hands drop out, and no reach changes, so that much comes up again."""
        key = (node, tuple(reach))
        if key not in self.defaulted:
            self.defaulted[key] = self.values(NO_STATE, node, reach)
        return self.defaulted[key]

    def _after(self, node: int, first: int, k: int, reach: dict[int, Number]) -> dict[int, Number]:
        """What is left of the opponent's reach when they take their action ``k``."""
        if first == NO_STATE:
            return {h: r for h, r in reach.items() if self.defaults[node][h] == k}
        if isinstance(self.opponent, ExactWeights):
            weights = self.opponent.by_edge.get(first + k, {})
            return {h: weights[h] for h in reach if h in weights}
        probs = self.opponent[first + k]
        return {h: r * probs[h] for h, r in reach.items() if probs[h]}

    def _showdown(
        self, node: int, call: Call, caller: int, reach: dict[int, Number]
    ) -> list[Number]:
        graph = self.tree.graph
        row, quantity = graph.match_class[node], int(graph.quantity[node])
        matches = np.arange(graph.round.dice[1 - self.player] + 1)
        count: list[Number] = [0] * matches.size
        for h, r in reach.items():
            count[self.other[row][h]] += r
        by_matches: dict[int, Number] = {}
        for own in set(self.own[row]):
            outcomes = outcome_ids(call, own + matches, quantity).tolist()
            by_matches[own] = sum(
                r * self.payoff[o][caller] for r, o in zip(count, outcomes, strict=True)
            )
        return [by_matches[own] for own in self.own[row]]

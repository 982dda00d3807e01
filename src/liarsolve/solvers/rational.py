"""Proof of a value in rational arithmetic.

A fraction is never recognised from a float. Both strategies are rounded to fractions, hand by hand
and state by state, and both best responses are evaluated exactly; if they come out equal, player 0
has that value for certain and player 1 allows no more, whatever the rounding did.
"""

from fractions import Fraction
from typing import TypeAlias

from liarsolve._typing import F8
from liarsolve.game import ActionKind, BidGraph, Payoffs, PublicTree

ExactStrategy: TypeAlias = list[list[Fraction]]
"""Action probabilities of one player by edge and hand."""

_DENOMINATORS = (60, 1000, 10**4, 10**5, 10**6, 10**7)


def prove_value(
    tree: PublicTree, strategy: tuple[F8, ...], payoffs: Payoffs
) -> Fraction | None:
    """Prove the value of a round from strategies that are optimal up to rounding.

    Parameters
    ----------
    tree : PublicTree
        The complete tree of a two-player round.
    strategy : tuple of float64[E, H]
        Optimal strategies at a vertex, as a linear program gives them: their probabilities are
        then fractions, and with luck of small denominators.
    payoffs : Payoffs
        What the outcomes are worth.

    Returns
    -------
    Fraction or None
        The value of the round to player 0; None if no rounding that was tried is optimal.
    """
    for denominator in _DENOMINATORS:
        exact = [round_strategy(tree, player, strategy[player], denominator) for player in range(2)]
        upper = exact_br_value(tree, exact[1], 0, payoffs)
        lower = -exact_br_value(tree, exact[0], 1, payoffs)
        if lower == upper:
            return lower
    return None


def round_strategy(
    tree: PublicTree, player: int, strategy: F8, max_denominator: int
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
    tree: PublicTree, opponent: ExactStrategy, player: int, payoffs: Payoffs
) -> Fraction:
    """Value of ``player``'s best response to the opponent's strategy, in rational arithmetic."""
    graph = tree.graph
    table = [
        [[Fraction(x).limit_denominator(10**6) for x in row] for row in outcome]
        for outcome in payoffs.table(2).tolist()
    ]
    responder = _Responder(tree, opponent, player, [[row[player] for row in o] for o in table])
    chances = graph.exact_hand_probs
    reach = dict(enumerate(chances[1 - player]))
    values = responder.values(0, reach)
    return sum((p * v for p, v in zip(chances[player], values, strict=True)), Fraction(0))


class _Responder:
    """Depth-first best response; the opponent's reach is a dict without the hands at zero."""

    def __init__(
        self,
        tree: PublicTree,
        opponent: ExactStrategy,
        player: int,
        payoff: list[list[Fraction]],
    ) -> None:
        self.tree = tree
        self.opponent = opponent
        self.player = player
        self.payoff = payoff
        graph: BidGraph = tree.graph
        self.own = graph.matches[player].tolist()
        self.other = graph.matches[1 - player].tolist()
        self.n_hands = graph.n_hands[player]

    def values(self, state: int, reach: dict[int, Fraction]) -> list[Fraction]:
        """Counterfactual value of each own hand."""
        graph = self.tree.graph
        node = int(self.tree.node[state])
        caller = int(graph.player[node])
        first = int(self.tree.first_edge[state])
        results = []
        for k, action in enumerate(range(graph.action_start[node], graph.action_start[node + 1])):
            after = reach
            if caller != self.player:
                probs = self.opponent[first + k]
                after = {h: r * probs[h] for h, r in reach.items() if probs[h]}
                if not after:
                    continue
            kind = graph.action_kind[action]
            if kind == ActionKind.RAISE:
                results.append(self.values(self.tree.children[caller][first + k], after))
            else:
                results.append(self._showdown(node, kind, caller, after))
        combine = max if caller == self.player else sum
        return [combine(column) for column in zip(*results, strict=True)]

    def _showdown(
        self, node: int, kind: int, caller: int, reach: dict[int, Fraction]
    ) -> list[Fraction]:
        graph = self.tree.graph
        row, quantity = graph.match_class[node], int(graph.quantity[node])
        count = [Fraction(0)] * (graph.round.dice[1 - self.player] + 1)
        for h, r in reach.items():
            count[self.other[row][h]] += r
        by_matches: dict[int, Fraction] = {}
        for own in set(self.own[row]):
            total = Fraction(0)
            for m, r in enumerate(count):
                if kind == ActionKind.CHALLENGE:
                    outcome = 0 if own + m < quantity else 1
                else:
                    outcome = 2 if own + m == quantity else 3
                total += r * self.payoff[outcome][caller]
            by_matches[own] = total
        return [by_matches[own] for own in self.own[row]]

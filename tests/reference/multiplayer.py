"""A round of any number of players, slow and exact: the clauses of `bidding` for more than two.

What the players do not know of each other's hands is kept as one probability for every combination
of hands, so that nothing here rests on beliefs being a product.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from reference.bidding import (
    LIAR,
    Action,
    Hand,
    History,
    Key,
    Policy,
    ReferenceGame,
    Strategies,
)

Others = tuple[Hand, ...]
"""Hands of all players but one, in turn order."""


@dataclass(frozen=True, kw_only=True)
class TableGame(ReferenceGame):
    """The rules of one round for any number of players, with what every player gets.

    Examples
    --------
    >>> game = TableGame(dice=(1, 1, 1), faces=2)
    >>> game.payoffs(((1, 2), (2, 2), "liar"), ((2,), (2,), (1,)))
    (Fraction(1, 2), Fraction(1, 2), Fraction(-1, 1))
    """

    def payoffs(self, history: History, hands: tuple[Hand, ...]) -> tuple[Fraction, ...]:
        """The loser pays 1 and the others share it; a right exact call takes from the others."""
        loser = self.loser(history, hands)
        caller = self.player_to_act(history[:-1])
        alone, amount = loser, Fraction(-1)
        if history[-1] != LIAR:
            win, lose = self.exact_payoff
            alone, amount = caller, Fraction(win) if loser is None else -Fraction(lose)
        share = -amount / (self.n_players - 1)
        return tuple(amount if seat == alone else share for seat in range(self.n_players))

    def deal_values(
        self, hands: tuple[Hand, ...], strategies: Strategies, history: History = ()
    ) -> tuple[Fraction, ...]:
        """What every player gets on average from ``history`` on, when the hands are ``hands``."""
        if not self.legal_actions(history):
            return self.payoffs(history, hands)
        player = self.player_to_act(history)
        policy = self.policy(strategies, player, hands[player], history)
        values = [Fraction(0)] * self.n_players
        for action, prob in policy.items():
            if prob:
                below = self.deal_values(hands, strategies, (*history, action))
                values = [value + prob * b for value, b in zip(values, below, strict=True)]
        return tuple(values)

    def expected_values(self, strategies: Strategies) -> tuple[Fraction, ...]:
        """What every player gets on average over the throws."""
        values = [Fraction(0)] * self.n_players
        for hands, prob in self.deals():
            below = self.deal_values(hands, strategies)
            values = [value + prob * b for value, b in zip(values, below, strict=True)]
        return tuple(values)

    def best_response_value(self, player: int, strategies: Strategies) -> Fraction:
        """The most that ``player`` can get on average while all others play ``strategies``."""
        others = self.other_deals(player)
        return sum(
            (
                prob * self.best_value(player, hand, (), others, strategies)
                for hand, prob in self.hands(player).items()
            ),
            Fraction(0),
        )

    def other_deals(self, player: int) -> dict[Others, Fraction]:
        """Every combination of the other players' hands, and how likely it is."""
        seats = [seat for seat in range(self.n_players) if seat != player]
        deals = {}
        for entries in product(*(self.hands(seat).items() for seat in seats)):
            prob = Fraction(1)
            for _, hand_prob in entries:
                prob *= hand_prob
            deals[tuple(hand for hand, _ in entries)] = prob
        return deals

    def best_value(
        self,
        player: int,
        hand: Hand,
        history: History,
        reach: Mapping[Others, Fraction],
        strategies: Strategies,
    ) -> Fraction:
        """Best sum of payoffs for ``player`` holding ``hand``.

        ``reach`` gives for the other players' hands the probability that they were dealt and that
        their holders made their part of ``history`` with them.
        """
        if not self.legal_actions(history):
            return sum(
                (
                    prob * self.payoffs(history, (*o[:player], hand, *o[player:]))[player]
                    for o, prob in reach.items()
                ),
                Fraction(0),
            )
        actor = self.player_to_act(history)
        if actor == player:
            return max(
                self.best_value(player, hand, (*history, action), reach, strategies)
                for action in self.legal_actions(history)
            )
        place = actor if actor < player else actor - 1
        total = Fraction(0)
        for action in self.legal_actions(history):
            passed_on = {}
            for others, prob in reach.items():
                policy = self.policy(strategies, actor, others[place], history)
                if prob * policy.get(action, 0):
                    passed_on[others] = prob * policy[action]
            if passed_on:
                total += self.best_value(player, hand, (*history, action), passed_on, strategies)
        return total

    def nash_conv(self, strategies: Strategies) -> Fraction:
        """Sum over the players of best response value minus value."""
        values = self.expected_values(strategies)
        return sum(
            (
                self.best_response_value(player, strategies) - values[player]
                for player in range(self.n_players)
            ),
            Fraction(0),
        )


class TableCFR:
    """Textbook counterfactual regret minimization with alternating updates, in floats.

    The players are updated in turn order. A player's current policy joins their average just before
    their own update, weighted with their own reach; with ``plus`` regrets are cut at 0 and
    iteration t counts t times in the average.
    """

    def __init__(self, game: TableGame, *, plus: bool = False) -> None:
        self.game = game
        self.plus = plus
        self.iteration = 0
        self.actions = {history: game.legal_actions(history) for history in game.histories()}
        self.deals = [(hands, float(prob)) for hands, prob in game.deals()]
        self.keys: list[Key] = [
            (player, hand, history)
            for player in range(game.n_players)
            for hand, history in game.information_sets(player)
        ]
        self.cum_regret = {key: dict.fromkeys(self.actions[key[2]], 0.0) for key in self.keys}
        self.cum_policy = {key: dict.fromkeys(self.actions[key[2]], 0.0) for key in self.keys}

    def iterate(self) -> None:
        """Update every player once."""
        self.iteration += 1
        for player in range(self.game.n_players):
            strategy = {key: normalised(regret) for key, regret in self.cum_regret.items()}
            self.add_to_average(player, strategy)
            gains: dict[Key, dict[Action, float]] = {key: defaultdict(float) for key in self.keys}
            for hands, prob in self.deals:
                self.traverse(player, hands, (), prob, strategy, gains)
            for key, by_action in gains.items():
                for action, gain in by_action.items():
                    total = self.cum_regret[key][action] + gain
                    self.cum_regret[key][action] = max(total, 0.0) if self.plus else total

    def add_to_average(self, player: int, strategy: Mapping[Key, Policy]) -> None:
        weight = self.iteration if self.plus else 1
        for _, hand, history in (key for key in self.keys if key[0] == player):
            reach = 1.0
            for turn in range(player, len(history), self.game.n_players):
                reach *= strategy[player, hand, history[:turn]][history[turn]]
            for action, prob in strategy[player, hand, history].items():
                self.cum_policy[player, hand, history][action] += weight * reach * prob

    def average_strategy(self) -> dict[Key, Policy]:
        """The average so far; uniform where a player never came."""
        return {key: normalised(weights) for key, weights in self.cum_policy.items()}

    def traverse(
        self,
        player: int,
        hands: tuple[Hand, ...],
        history: History,
        cf_reach: float,
        strategy: Mapping[Key, Policy],
        gains: Mapping[Key, dict[Action, float]],
    ) -> float:
        """Value for ``player`` from ``history`` on; adds to ``gains`` what they regret.

        ``cf_reach`` is the chance of the hands times what all others did to come here.
        """
        if history not in self.actions:
            return float(self.game.payoffs(history, hands)[player])
        actor = self.game.player_to_act(history)
        key = (actor, hands[actor], history)
        values = {
            action: self.traverse(
                player,
                hands,
                (*history, action),
                cf_reach if actor == player else cf_reach * prob,
                strategy,
                gains,
            )
            for action, prob in strategy[key].items()
        }
        value = sum(strategy[key][action] * values[action] for action in values)
        if actor == player:
            for action in values:
                gains[key][action] += cf_reach * (values[action] - value)
        return value


def normalised(weights: Mapping[Action, float]) -> dict[Action, float]:
    """Positive weights in proportion; uniform where there is none."""
    positive = {action: max(weight, 0.0) for action, weight in weights.items()}
    total = sum(positive.values())
    if total == 0:
        return dict.fromkeys(weights, 1 / len(weights))
    return {action: weight / total for action, weight in positive.items()}

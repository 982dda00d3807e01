"""CFR for players who remember the last bids only: slow, one history and one deal at a time."""

from collections import defaultdict
from itertools import product

from reference.bidding import ReferenceGame


class ImperfectRecallCFR:
    """Every history is traversed; what a player learns there goes to what they remember of it.

    Regrets are weighted by chance and by the choices of the others, averages by the player's own
    choices, in each case once for every history that looks the same to the player. With more than
    two players the game is a `TableGame`. With a chance of ``opponent_model_prob`` each of the
    others does throughout what one does who has learned nothing.

    With an ``own_reach_floor`` below 1 histories that look the same to a player count in their
    regrets by their own choices too, as if they took an action with ``1 - own_reach_floor`` times
    its probability, plus ``own_reach_floor``. For each hand they are
    then scaled as if they did not.
    """

    def __init__(
        self,
        game: ReferenceGame,
        n_bids: int,
        *,
        plus: bool = False,
        opponent_model_prob: float = 0.0,
        own_reach_floor: float = 1.0,
    ) -> None:
        self.game, self.n_bids, self.plus, self.opponent_model_prob = (
            game,
            n_bids,
            plus,
            opponent_model_prob,
        )
        self.own_reach_floor = own_reach_floor
        self.iteration = 0
        self.deals = [(hands, float(prob)) for hands, prob in game.deals()]
        self.cum_regret = defaultdict(lambda: defaultdict(float))
        self.cum_policy = defaultdict(lambda: defaultdict(float))

    def memory(self, history):
        """What is left of a history: the last bids, whether these are all, what is wild."""
        is_short = len(history) < self.n_bids
        return history[-self.n_bids :], is_short, self.game.jokers_live(history)

    def key(self, player, hand, history):
        """What a player tells apart: here, all their hands and what they remember."""
        return player, hand, self.memory(history)

    def actions(self, history):
        """What the players think of doing: here, all that is legal."""
        return self.game.legal_actions(history)

    def iterate(self):
        self.iteration += 1
        for player in range(self.game.n_players):
            policy = self.current_policies()
            regrets = defaultdict(lambda: defaultdict(float))
            self.plain, self.weighted = defaultdict(float), defaultdict(float)
            for (hands, prob), learned in product(self.deals, self.who_learned(player)):
                chance = prob
                for other in range(self.game.n_players):
                    if other != player:
                        chance *= (
                            1 - self.opponent_model_prob
                            if other in learned
                            else self.opponent_model_prob
                        )
                mixed = self.policies_of(learned, policy)
                self.traverse(player, hands, (), (chance, chance), mixed, regrets)
            for hand, prob in self.game.hands(player).items():
                self.add_to_average(player, hand, (), float(prob), policy)
            added = defaultdict(lambda: defaultdict(float))
            for (hand, key), gains in regrets.items():
                scale = self.plain[hand, key] / self.weighted[hand, key]
                for action, gain in gains.items():
                    added[key][action] += scale * gain
            for key, gains in added.items():
                for action, gain in gains.items():
                    total = self.cum_regret[key][action] + gain
                    self.cum_regret[key][action] = max(total, 0.0) if self.plus else total

    def who_learned(self, player):
        """Players who act by what they have learned: all, or every set that holds ``player``."""
        everybody = range(self.game.n_players)
        if self.opponent_model_prob == 0:
            return [set(everybody)]
        choices = [[True] if other == player else [True, False] for other in everybody]
        return [{p for p in everybody if flags[p]} for flags in product(*choices)]

    def policies_of(self, learned, policy):
        """``policy`` for those who learned, that of the beginning for all others."""
        return lambda player, hand, history: (
            policy(player, hand, history)
            if player in learned
            else self.look_up({}, player, hand, history)
        )

    def current_policies(self):
        """The policies of this moment, to be asked by player, hand and history."""
        table = {
            key: {a: max(r, 0.0) for a, r in regrets.items()}
            for key, regrets in self.cum_regret.items()
        }
        return lambda player, hand, history: self.look_up(table, player, hand, history)

    def average(self, player, hand, history):
        """The average so far at a history."""
        return self.look_up(self.cum_policy, player, hand, history)

    def look_up(self, table, player, hand, history):
        actions = self.actions(history)
        weights = table.get(self.key(player, hand, history), {})
        total = sum(weights.values())
        if total == 0:
            return dict.fromkeys(actions, 1 / len(actions))
        return {action: weights.get(action, 0.0) / total for action in actions}

    def traverse(self, player, hands, history, reach, policy, regrets):
        """Value for ``player``; ``reach`` is chance times the others' choices, twice.

        The second number counts the own choices too, as with a floor of the own reach.
        """
        if not self.game.legal_actions(history):
            return float(self.game.payoffs(history, hands)[player])
        mover = self.game.player_to_act(history)
        here = policy(mover, hands[mover], history)
        plain, own = reach
        if mover != player:
            return sum(
                p
                * self.traverse(player, hands, (*history, a), (plain * p, own * p), policy, regrets)
                for a, p in here.items()
            )
        values = {}
        for action, p in here.items():
            below = plain, own * ((1 - self.own_reach_floor) * p + self.own_reach_floor)
            values[action] = self.traverse(
                player, hands, (*history, action), below, policy, regrets
            )
        value = sum(here[a] * values[a] for a in here)
        if plain > 0:
            place = hands[player], self.key(player, hands[player], history)
            self.plain[place] += plain
            self.weighted[place] += own
            for action in here:
                regrets[place][action] += own * (values[action] - value)
        return value

    def add_to_average(self, player, hand, history, own_reach, policy):
        actions = self.actions(history)
        if actions and self.game.player_to_act(history) != player:
            for action in actions:
                self.add_to_average(player, hand, (*history, action), own_reach, policy)
        elif actions:
            weight = self.iteration if self.plus else 1
            sums = self.cum_policy[self.key(player, hand, history)]
            for action, p in policy(player, hand, history).items():
                sums[action] += weight * own_reach * p
                self.add_to_average(player, hand, (*history, action), own_reach * p, policy)

"""A responder who looks one reply ahead: slow, every deal and every history, in fractions."""

from fractions import Fraction

from reference.bidding import ReferenceGame, Strategies


class LocalResponder:
    """Knows the strategy of the opponent, all bids since the start, and the own dice.

    A call is worth what it pays by the responder's belief. A raise is worth what follows if the
    best call is made at the next turn; the responder does what is worth the most.
    """

    def __init__(self, game: ReferenceGame, player: int, strategies: Strategies) -> None:
        self.game, self.player, self.strategies = game, player, strategies

    def value(self) -> Fraction:
        """What the responder gets on average."""
        start = self.game.hands(1 - self.player)
        return sum(
            (
                prob * self.value_from(hand, (), start)
                for hand, prob in self.game.hands(self.player).items()
            ),
            Fraction(0),
        )

    def value_from(self, hand, history, reach):
        """Sum over the other's hands, each with the chance that it is held and came here."""
        actions = self.game.legal_actions(history)
        if not actions:
            return self.paid(hand, history, reach)
        if self.game.player_to_act(history) == self.player:
            best = max(actions, key=lambda action: self.worth(hand, (*history, action), reach))
            return self.value_from(hand, (*history, best), reach)
        return sum(
            self.value_from(hand, (*history, action), self.after(history, reach, action))
            for action in actions
        )

    def worth(self, hand, history, reach):
        """What an action that has just been made seems to be worth, summed in the same way."""
        total = Fraction(0)
        if not self.game.legal_actions(history):
            return self.paid(hand, history, reach)
        for reply in self.game.legal_actions(history):
            left = self.after(history, reach, reply)
            then = (*history, reply)
            calls = [a for a in self.game.legal_actions(then) if isinstance(a, str)]
            outcomes = [self.paid(hand, (*then, call), left) for call in calls]
            total += max(outcomes) if outcomes else self.paid(hand, then, left)
        return total

    def after(self, history, reach, action):
        """Chances of the other's hands once the responder has done this."""
        other = 1 - self.player
        return {
            theirs: prob * self.game.policy(self.strategies, other, theirs, history).get(action, 0)
            for theirs, prob in reach.items()
        }

    def paid(self, hand, history, reach):
        """What a finished round pays the responder."""
        return sum(
            prob
            * self.game.payoffs(history, (hand, h) if self.player == 0 else (h, hand))[self.player]
            for h, prob in reach.items()
        )

"""Where a player stands who asks for advice."""

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from liarsolve.cli._rule_arguments import parse_history
from liarsolve.dice import Hand, enumerate_hands, format_hand, hand_weight, parse_hand
from liarsolve.errors import InputError
from liarsolve.odds import p_at_least
from liarsolve.rules import CHALLENGE, Bid, PublicState, Round

if TYPE_CHECKING:
    from collections.abc import Sequence

    from liarsolve.game import Payoffs
    from liarsolve.strategy import Advice, Strategy


def seat_name(player: int, n_players: int) -> str:
    """Name a player by where he sits.

    >>> seat_name(0, 3), seat_name(1, 2), seat_name(2, 3)
    ('the first bidder', 'the second player', 'the player at seat 3')
    """
    if player == 0:
        return "the first bidder"
    return "the second player" if n_players == 2 else f"the player at seat {player + 1}"


@dataclass(frozen=True, slots=True)
class Situation:
    """A round after some bids, and the hand of the player on turn."""

    round: Round
    state: PublicState
    hand: Hand

    @property
    def player(self) -> int:
        """The player on turn, 0 for the first bidder."""
        return self.round.to_act(self.state)

    @property
    def bids(self) -> tuple[Bid, ...]:
        """Bids made so far."""
        return self.state.bids

    @property
    def last_bid(self) -> Bid | None:
        """The standing bid."""
        return self.state.last_bid

    def p_true(self) -> float | None:
        """Chance that the standing bid is true if all other dice are random; None without one."""
        bid = self.last_bid
        if bid is None:
            return None
        return p_at_least(
            bid.quantity,
            bid.face,
            total=self.round.total_dice,
            hand=self.hand,
            wild=self.round.wild_face(self.state),
            sides=self.round.rules.faces,
        )

    def own_reach(self, strategy: "Strategy") -> float:
        """Chance that the player makes his own bids with this hand."""
        return self._chance_of_bids(strategy, self.player, self.hand)

    def rival_reach(self, strategy: "Strategy") -> float:
        """Chance that the other players all make their bids, over all their hands."""
        faces, reach = self.round.rules.faces, 1.0
        for rival, n_dice in enumerate(self.round.dice):
            if rival != self.player:
                weighted = sum(
                    hand_weight(hand) * self._chance_of_bids(strategy, rival, hand)
                    for hand in enumerate_hands(n_dice, faces)
                )
                reach *= weighted / float(faces**n_dice)
        return reach

    def _chance_of_bids(self, strategy: "Strategy", player: int, hand: Hand) -> float:
        chance: float = prod(
            (
                strategy.probs(hand, self.bids[:k])[self.bids[k]]
                for k in range(player, len(self.bids), self.round.n_players)
            ),
            start=1.0,
        )
        return chance


def read_situation(round_: Round, hand: str, history: str) -> Situation:
    """Read bids and hand as they are written in a terminal.

    Raises
    ------
    IllegalActionError
        If the bids break the rules; the message names the clause.
    InputError
        If the round is over, or the hand does not fit the player on turn.

    >>> from liarsolve.rules import presets
    >>> read_situation(Round(presets.LIARS_DICE, (1, 1)), "4", "1x2,1x5").player
    0
    """
    state = round_.state_after(parse_history(history))
    if state.call is not None:
        raise InputError(f"the round is over after {state.call}; a history ends with a bid")
    player = round_.to_act(state)
    dice = parse_hand(hand, round_.rules.faces)
    n_dice = round_.dice[player]
    if len(dice) != n_dice:
        raise InputError(
            f"{seat_name(player, round_.n_players)} is on turn and has {n_dice} "
            f"{'die' if n_dice == 1 else 'dice'}, got the hand {format_hand(dice)!r}"
        )
    return Situation(round_, state, dice)


def p_true_after_bids(
    advice: "Sequence[Advice]", payoffs: "Payoffs", situation: Situation
) -> float | None:
    """Chance that the standing bid is true if the other players bid by their strategies.

    It is what the value of a challenge says; None where there is nothing to challenge.
    """
    player = situation.player
    values = [a.expected_value for a in advice if a.action is CHALLENGE]
    if_false, if_true = payoffs.table(situation.round.n_players)[:2, player, player].tolist()
    if not values or if_false == if_true:
        return None
    return float(min(max((if_false - values[0]) / (if_false - if_true), 0.0), 1.0))


def gain_by_best_reply(advice: "Sequence[Advice]") -> float:
    """What the best action is worth more than the mixture that the strategy plays."""
    mixture = sum(a.probability * a.expected_value for a in advice)
    return max(a.expected_value for a in advice) - mixture

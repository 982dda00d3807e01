"""A round of bidding as a game of its own: dice are dealt seat by seat, then bids are made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeAlias

from liarsolve.dice import Hand, enumerate_hands, format_hand, hand_weight, parse_hand
from liarsolve.errors import IllegalActionError, InputError, InputTypeError
from liarsolve.rules.bidding.actions import Action, Bid, Call, format_action, parse_action
from liarsolve.rules.bidding.round import Outcome, OutcomeKind, PublicState, Round
from liarsolve.rules.chance import Thrown

__all__ = ["BiddingPayoff", "BiddingState", "BiddingView", "one_against_all"]

BiddingPayoff: TypeAlias = Callable[[Round, Outcome], Sequence[float | Fraction]]
"""What each player gets at the end of a round."""


def one_against_all(round_: Round, outcome: Outcome) -> tuple[Fraction, ...]:
    """Whoever has lost pays 1, which the others share; whoever was right with an exact call gets 1.

    Between two players this is +1 to the winner and -1 to the loser.

    Examples
    --------
    >>> from liarsolve.rules import Round, presets
    >>> round_ = Round(presets.COMMON, (1, 1, 1))
    >>> outcome = round_.showdown(round_.state_after(["1x2", "liar"]), [(3,), (4,), (5,)])
    >>> [str(paid) for paid in one_against_all(round_, outcome)]
    ['-1', '1/2', '1/2']
    """
    if outcome.kind is OutcomeKind.BIDDER_LOSES:
        alone, stake = outcome.bidder, Fraction(-1)
    else:
        alone = outcome.caller
        stake = Fraction(1 if outcome.kind is OutcomeKind.EXACT_RIGHT else -1)
    share = -stake / (round_.n_players - 1)
    return tuple(stake if player == alone else share for player in range(round_.n_players))


@dataclass(frozen=True, slots=True)
class BiddingView:
    """What one player knows: their own dice, and all that was said; everybody's dice at the end.

    Examples
    --------
    >>> from liarsolve.rules.presets import COMMON
    >>> state = BiddingState(Round(COMMON, (1, 1)), hands=((2,), (3,)))
    >>> state.information_state(1).hand
    (3,)
    """

    player: int
    hand: Hand | None
    """None until their dice have fallen."""
    public: PublicState
    hands: tuple[Hand, ...] | None = None
    """All dice, once a call has ended the round."""


@dataclass(frozen=True)
class BiddingState:
    """A position of a round of bidding, with everybody's dice; it keeps `GameState`.

    Examples
    --------
    >>> from liarsolve.rules.presets import COMMON
    >>> state = BiddingState(Round(COMMON.replace(faces=3), (1, 1)))
    >>> state.is_chance, len(state.chance_outcomes())
    (True, 3)
    >>> state = state.apply(Thrown((2,))).apply(Thrown((3,))).apply(Bid(2, 2))
    >>> state.information_state(1).hand, [str(action) for action in state.legal_actions()]
    ((3,), ['2x3', 'liar'])
    >>> state.apply(state.parse_action("liar")).returns()
    (Fraction(-1, 1), Fraction(1, 1))
    """

    round: Round
    hands: tuple[Hand, ...] = ()
    """Dice that have fallen, of the first seats."""
    public: PublicState = field(default_factory=PublicState)
    payoff: BiddingPayoff = field(default=one_against_all, repr=False)

    @property
    def n_players(self) -> int:
        """Number of players."""
        return self.round.n_players

    @property
    def to_act(self) -> int | None:
        """Player whose turn it is; None while dice fall, and after the call."""
        return None if self.is_chance or self.is_terminal else self.round.to_act(self.public)

    @property
    def is_chance(self) -> bool:
        """Whether somebody's dice have not fallen yet."""
        return len(self.hands) < self.n_players

    @property
    def is_terminal(self) -> bool:
        """Whether a call has ended the round."""
        return self.public.is_terminal

    def legal_actions(self, player: int | None = None) -> tuple[Action | Thrown, ...]:
        """Bids from low to high, then the calls; while dice fall, the hands they may show."""
        if self.is_chance:
            return tuple(self.chance_outcomes())
        return self.round.legal_actions(self.public, player)

    def illegal_reason(self, action: Action | Thrown, player: int | None = None) -> str | None:
        """Say in one sentence why this may not be done now; None if it may.

        Raises
        ------
        InputTypeError
            If it is no action of bidding.
        """
        if not isinstance(action, Bid | Call | Thrown):
            raise InputTypeError(f"an action is a Bid, CHALLENGE, EXACT or Thrown, got {action!r}")
        if self.is_chance != isinstance(action, Thrown):
            return "the dice have to fall first" if self.is_chance else "all dice have fallen"
        if not isinstance(action, Thrown):
            return self.round.illegal_reason(self.public, action, player)
        seat = len(self.hands)
        if self._may_fall(action.hand):
            return None
        return (
            f"player {seat} throws {self.round.dice[seat]} dice with faces 1 to "
            f"{self.round.rules.faces}, in rising order, got {format_hand(action.hand)}"
        )

    def _may_fall(self, hand: Hand) -> bool:
        """Whether the next seat can throw this: so many faces, in rising order."""
        return (
            len(hand) == self.round.dice[len(self.hands)]
            and all(type(face) is int and 1 <= face <= self.round.rules.faces for face in hand)
            and hand == tuple(sorted(hand))
        )

    def apply(self, action: Action | Thrown, player: int | None = None) -> "BiddingState":
        """Position after this.

        Raises
        ------
        IllegalActionError
            With the sentence of `illegal_reason`.
        """
        reason = self.illegal_reason(action, player)
        if reason is not None:
            raise IllegalActionError(reason)
        if isinstance(action, Thrown):
            return replace(self, hands=(*self.hands, action.hand))
        return replace(self, public=self.round.next_state(self.public, action, player))

    def chance_outcomes(self) -> Mapping[Thrown, Fraction]:
        """Chance of every hand of the next seat whose dice have not fallen."""
        if not self.is_chance:
            return {}
        n_dice, faces = self.round.dice[len(self.hands)], self.round.rules.faces
        total = faces**n_dice
        return {
            Thrown(hand): Fraction(hand_weight(hand), total)
            for hand in enumerate_hands(n_dice, faces)
        }

    def information_state(self, player: int) -> BiddingView:
        """All that a player knows.

        Raises
        ------
        InputError
            If there is no such player.
        """
        if not 0 <= player < self.n_players:
            raise InputError(f"players are numbered 0 to {self.n_players - 1}, got {player}")
        hand = self.hands[player] if player < len(self.hands) else None
        return BiddingView(player, hand, self.public, self.hands if self.is_terminal else None)

    @property
    def outcome(self) -> Outcome:
        """How the round has ended.

        Raises
        ------
        InputError
            If it is not over.
        """
        if not self.is_terminal:
            raise InputError("the round is not over, nobody has called liar or exact yet")
        return self.round.showdown(self.public, self.hands)

    def returns(self) -> tuple[Fraction, ...]:
        """Utility of every player, by ``payoff``.

        Raises
        ------
        InputError
            If the round is not over.
        """
        return tuple(Fraction(utility) for utility in self.payoff(self.round, self.outcome))

    def parse_action(self, text: str) -> Action | Thrown:
        """Read a bid, a call, or what has fallen, such as ``thrown 3,3``."""
        word, _, rest = text.strip().partition(" ")
        if word.lower() == "thrown":
            return Thrown(parse_hand(rest, self.round.rules.faces))
        return parse_action(text)

    def format_action(self, action: Action | Thrown) -> str:
        """Write it as `parse_action` reads it."""
        if isinstance(action, Thrown):
            return f"thrown {format_hand(action.hand)}"
        return format_action(action)

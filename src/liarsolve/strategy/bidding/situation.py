"""What a player of a bidding round knows who has to decide."""

from collections.abc import Iterable
from dataclasses import dataclass

from liarsolve._checks import check_whole
from liarsolve.dice import Hand, format_hand, parse_hand
from liarsolve.errors import InputError, InputTypeError
from liarsolve.odds import p_at_least
from liarsolve.rules import Action, Bid, HandBonus, PublicState, Round, format_action
from liarsolve.strategy.spelling import Spelling, as_keyword

__all__ = ["BiddingSituation", "read_bidding_situation", "seat_name"]


def seat_name(player: int) -> str:
    """Name a player by their seat.

    >>> seat_name(0), seat_name(2)
    ('seat 1 (the first bidder)', 'seat 3')
    """
    return "seat 1 (the first bidder)" if player == 0 else f"seat {player + 1}"


@dataclass(frozen=True, slots=True)
class BiddingSituation:
    """A round after some bids, and the hand of the player on turn.

    `read_situation` makes one and sees that the rules allow it.
    """

    round: Round
    state: PublicState
    hand: Hand

    @property
    def player(self) -> int:
        """The player on turn, 0 for the first bidder."""
        return self.round.to_act(self.state)

    @property
    def seat(self) -> int:
        """The seat on turn, 1 for the first bidder."""
        return self.player + 1

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
        if self.round.rules.hand_bonus is not HandBonus.NONE:
            raise InputError(
                f"with hand_bonus={self.round.rules.hand_bonus.value}, hands count for other "
                "numbers of dice than they have, which these odds do not know; use hand_bonus=none"
            )
        return p_at_least(
            bid.quantity,
            bid.face,
            total=self.round.total_dice,
            hand=self.hand,
            wild=self.round.wild_face(self.state),
            sides=self.round.rules.faces,
        )


def read_bidding_situation(
    round_: Round,
    hand: Iterable[int] | str,
    history: Iterable[Action | str] = (),
    *,
    seat: int | None = None,
    spell: Spelling = as_keyword,
) -> BiddingSituation:
    """Read what a player knows, and see that the rules allow it.

    Parameters
    ----------
    round_ : Round
        Rules and dice.
    hand : faces or text
        Dice of the player on turn.
    history : iterable of bids
        Bids made so far, the first bidder's first.
    seat : int, optional
        The player's seat, 1 for the first bidder; refused if another one is on turn.
    spell : callable
        How messages write the arguments.

    Raises
    ------
    IllegalActionError
        If the bids break the rules; the message names the clause.
    InputError, InputTypeError
        If the round is over, or hand or seat do not fit the player on turn.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> read_bidding_situation(Round(presets.LIARS_DICE, (1, 1)), "4", ["1x2", "1x5"]).seat
    1
    """
    if isinstance(history, str) or not isinstance(history, Iterable):
        raise InputTypeError(f'a history is a list of bids such as ["1x2"], got {history!r}')
    state = round_.state_after(history)
    if state.call is not None:
        raise InputError(
            f"the round is over after {format_action(state.call)}; a history ends with a bid"
        )
    if not isinstance(hand, Iterable):
        raise InputTypeError(f'a hand is its faces, such as (1, 5) or "1,5", got {hand!r}')
    dice, player = parse_hand(hand, round_.rules.faces), round_.to_act(state)
    n_dice = round_.dice[player]
    if len(dice) != n_dice:
        raise InputError(
            f"{seat_name(player)} is on turn and has {n_dice} "
            f"{'die' if n_dice == 1 else 'dice'}, got the hand {format_hand(dice)!r}"
        )
    if seat is not None:
        _check_seat(check_whole("seat", seat), BiddingSituation(round_, state, dice), spell)
    return BiddingSituation(round_, state, dice)


def _check_seat(seat: int, situation: BiddingSituation, spell: Spelling) -> None:
    """Refuse a seat that is not on turn."""
    n_players, n_bids = situation.round.n_players, len(situation.bids)
    if not 1 <= seat <= n_players:
        raise InputError(f"{spell('seat')} is a number from 1 to {n_players} here, got {seat}")
    if seat != situation.seat:
        raise InputError(
            f"after {n_bids} {'bid' if n_bids == 1 else 'bids'} seat {situation.seat} is on turn, "
            f"not seat {seat}; leave out {spell('seat')}, or give the whole history"
        )

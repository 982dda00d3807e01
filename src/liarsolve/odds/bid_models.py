"""What a bid says about the hand of the player who made it.

A model gives the likelihood of the bid for each hand that its maker may hold, up to a factor that
is the same for all hands; `liarsolve.odds.Posterior` multiplies them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from liarsolve.dice import Hand, count_matches
from liarsolve.errors import InputError, InputTypeError
from liarsolve.odds._inputs import read_count
from liarsolve.odds.bid_odds import p_at_least

if TYPE_CHECKING:
    from liarsolve.odds.distribution import Probability

__all__ = ["BidModel", "Honest", "SeenBid", "Threshold", "Uninformative"]


@dataclass(frozen=True, slots=True)
class SeenBid:
    """A bid as all players see it.

    Examples
    --------
    >>> bid = SeenBid(player=0, quantity=2, face=6, total=5, wild=1, sides=6)
    >>> str(bid), bid.count_matches((1, 6, 3))
    ('2x6', 2)
    """

    player: int
    """Who made it: a position in `Posterior.n_dice`."""
    quantity: int
    face: int
    total: int
    """Dice on the table."""
    wild: int | None
    sides: int

    def count_matches(self, hand: Hand) -> int:
        """Count the dice of a hand that the bid counts."""
        return count_matches(hand, self.face, self.wild)

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}"


class BidModel(Protocol):
    """Anything with a ``likelihood``: how a player is thought to bid."""

    def likelihood(self, bid: SeenBid, hand: Hand) -> Probability:
        """Likelihood of ``bid`` from a player who holds ``hand``: 0 or more, of any scale."""
        ...


@dataclass(frozen=True, slots=True)
class Uninformative:
    """Bids that have nothing to do with the hand: likelihood 1.

    Examples
    --------
    >>> from liarsolve import Posterior
    >>> belief = Posterior((2,))
    >>> belief.after_bid(0, 1, 3, Uninformative()).p_at_least(1, 3) == belief.p_at_least(1, 3)
    True
    """

    def likelihood(self, bid: SeenBid, hand: Hand) -> Probability:
        """Likelihood of the bid, the same for every hand."""
        return 1


@dataclass(frozen=True, slots=True)
class Honest:
    """Bids that the player thinks true, going by their own dice and no other evidence.

    The likelihood is 1 if ``P(count >= quantity | hand) >= level`` and 0 otherwise, where the
    dice of all other players are fair and hidden.

    Raises
    ------
    InputError, InputTypeError
        If ``level`` is no chance.

    Examples
    --------
    One six of two dice was bid; nobody bids what they think false:

    >>> from liarsolve import Posterior
    >>> belief = Posterior((2,), wild=None)
    >>> after = belief.after_bid(0, 2, 6, Honest())
    >>> round(belief.p_at_least(1, 6), 3), after.p_at_least(1, 6)
    (0.306, 1.0)
    """

    level: Probability = 0.5
    """Chance from which on the player stands by a bid."""

    def __post_init__(self) -> None:
        _check_chance("level", self.level)

    def likelihood(self, bid: SeenBid, hand: Hand) -> Probability:
        """Likelihood of the bid: 1 or 0."""
        prob = p_at_least(
            bid.quantity, bid.face, total=bid.total, hand=hand, wild=bid.wild, sides=bid.sides
        )
        return int(prob >= float(self.level))


@dataclass(frozen=True, slots=True)
class Threshold:
    """Bids backed by so many matching dice of the player's own, or bluffs.

    The likelihood is 1 from hands with ``min_matches`` or more dice that match the bid, and
    ``bluff_rate`` from all others.

    Raises
    ------
    InputError, InputTypeError
        If ``min_matches`` is no number of dice, or ``bluff_rate`` no chance.

    Examples
    --------
    >>> from liarsolve import Posterior
    >>> belief = Posterior((2,), wild=None).after_bid(0, 1, 6, Threshold(min_matches=1))
    >>> belief.p_at_least(1, 6)
    1.0
    """

    min_matches: int
    bluff_rate: Probability = 0.0
    """How likely the bid is from a hand that does not back it, against one that does."""

    def __post_init__(self) -> None:
        if read_count(self.min_matches, "min_matches") is None:
            raise InputError(f"min_matches must be a number of dice, got {self.min_matches!r}")
        _check_chance("bluff_rate", self.bluff_rate)

    def likelihood(self, bid: SeenBid, hand: Hand) -> Probability:
        """Likelihood of the bid: 1 or ``bluff_rate``."""
        return 1 if bid.count_matches(hand) >= self.min_matches else self.bluff_rate


def _check_chance(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise InputTypeError(f"{name} must be a number from 0 to 1, got {value!r}")
    if not 0 <= value <= 1:
        raise InputError(f"{name} must be a chance from 0 to 1, got {value!r}")

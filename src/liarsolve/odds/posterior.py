"""Beliefs about hidden hands after bids, by Bayes' rule."""

from __future__ import annotations

import math
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from liarsolve._checks import check_flag, check_whole
from liarsolve.dice import Hand, count_hands_within, count_matches, enumerate_hands, hand_weight
from liarsolve.errors import GameTooLargeError, InputError, InputTypeError
from liarsolve.odds._inputs import read_count, read_face, read_hand, read_whole, read_wild_and_sides
from liarsolve.odds.bid_models import BidModel, SeenBid
from liarsolve.odds.distribution import Probability, TabulatedDistribution

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Posterior"]

MAX_HANDS = 10**6
"""Most hands that a belief about one player may range over; 24 six-sided dice have fewer."""

Weights: TypeAlias = tuple[Probability, ...]


@dataclass(frozen=True, slots=True)
class Posterior:
    """What a player may believe about the hidden hands, after the bids of the others.

    A bid depends on the bidder's own dice and on what all players know, and dice are thrown apart,
    so the belief about several players is a product, with one distribution of hands for each:
    ``P(hand | bids)`` is proportional to ``P(hand)`` times the likelihoods of that player's bids,
    where ``P(hand)`` is the share of rolls that show the hand. The likelihoods come from a bid
    model: `Uninformative`, `Honest`, `Threshold`, or any object with their ``likelihood``.

    A posterior does not change; `after_bid` gives a new one.

    Parameters
    ----------
    n_dice
        Hidden dice of each of the other players.
    hand
        Your own dice.
    wild, sides
        As in `liarsolve.odds.p_at_least`.
    exact
        Calculate in fractions, and give them. Likelihoods should then be whole numbers or
        fractions; a float counts as the binary fraction that it is.

    Raises
    ------
    InputError, InputTypeError
        If dice, faces or numbers of dice are not such.
    GameTooLargeError
        If a player has more than a million different hands.

    Examples
    --------
    Somebody with five dice bids six twos. You hold two of them. You think that they make this bid
    with two or more twos of their own, and three times in ten without:

    >>> from liarsolve.odds import Threshold
    >>> belief = Posterior((5, 5), hand=(2, 2, 3, 5, 6))
    >>> round(belief.p_at_least(6, 2), 4)
    0.4407
    >>> belief = belief.after_bid(0, 6, 2, Threshold(min_matches=2, bluff_rate=0.3))
    >>> round(belief.p_at_least(6, 2), 4)
    0.5731
    """

    n_dice: tuple[int, ...]
    hand: Hand = field(default=(), kw_only=True)
    wild: int | None = field(default=1, kw_only=True)
    sides: int = field(default=6, kw_only=True)
    exact: bool = field(default=False, kw_only=True)
    bids: tuple[tuple[SeenBid, BidModel], ...] = field(default=(), init=False)
    """The bids taken into account so far, and how each was read."""
    _weights: tuple[Weights, ...] = field(init=False, repr=False, compare=False)
    """Probability of each hand of each player, in the order of `enumerate_hands`."""

    def __post_init__(self) -> None:
        check_flag("exact", self.exact)
        wild, sides = read_wild_and_sides(self.wild, self.sides)
        if isinstance(self.n_dice, str | bytes) or not isinstance(self.n_dice, Iterable):
            raise InputTypeError(
                f"n_dice are numbers, one for each other player, as in (5, 4), got {self.n_dice!r}"
            )
        n_dice = tuple(_read_dice(n, sides) for n in self.n_dice)
        values = {
            "n_dice": n_dice,
            "hand": tuple(sorted(read_hand(self.hand, sides))),
            "wild": wild,
            "sides": sides,
            "_weights": tuple(_normalize(_prior(n, sides), self.exact) for n in n_dice),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def total(self) -> int:
        """All dice on the table."""
        return len(self.hand) + sum(self.n_dice)

    def after_bid(self, player: int, quantity: int, face: int, model: BidModel) -> Posterior:
        """Take a bid into account.

        Parameters
        ----------
        player
            Who made it: a position in ``n_dice``, from 0.
        quantity, face
            The bid.
        model
            How this player's bids go with their hands.

        Raises
        ------
        InputError
            If there is no such player or face, the model gives a likelihood that is negative or
            not finite, or no hand could have made the bid.
        """
        self._check_player(player)
        if not callable(getattr(model, "likelihood", None)):
            raise InputTypeError(
                f"a bid model has a likelihood, as Honest() and Threshold(2) have, got {model!r}"
            )
        number = read_whole(quantity, "quantity")
        chance = read_face(face, self.wild, self.sides)
        if number is None or chance is None:
            raise InputError(f"a bid needs numbers, got {quantity!r} dice of face {face!r}")
        bid = SeenBid(player, number, chance.face, self.total, self.wild, self.sides)
        weights = tuple(
            weight * _read_likelihood(model.likelihood(bid, hand), model, self.exact)
            for hand, weight in zip(self._hands(player), self._weights[player], strict=True)
        )
        if not any(weights):
            raise InputError(
                f"no hand of player {player} goes with the bid {bid} under {model!r}; "
                "use a model that allows for bluffs"
            )
        changed = copy(self)
        updated = _normalize(weights, self.exact)
        object.__setattr__(changed, "bids", (*self.bids, (bid, model)))
        object.__setattr__(
            changed,
            "_weights",
            (*self._weights[:player], updated, *self._weights[player + 1 :]),
        )
        return changed

    def hand_probs(self, player: int) -> dict[Hand, Probability]:
        """Probability of each hand that a player may hold, the impossible left out."""
        self._check_player(player)
        probs = zip(self._hands(player), self._weights[player], strict=True)
        return {hand: prob for hand, prob in probs if prob}

    def match_distribution(self, player: int, face: int) -> TabulatedDistribution:
        """Distribution of the number of dice in a player's hand that a bid on ``face`` counts."""
        self._check_player(player)
        return TabulatedDistribution(
            weights=self._match_weights(player, self._read_face(face)), exact=self.exact
        )

    def count_distribution(self, face: int) -> TabulatedDistribution:
        """Distribution of the number of dice on the whole table that a bid on ``face`` counts."""
        number = self._read_face(face)
        own = count_matches(self.hand, number, self.wild)
        weights: Weights = (*(0,) * own, 1)
        for player in range(len(self.n_dice)):
            weights = _convolve(weights, self._match_weights(player, number))
        weights += (0,) * (self.total + 1 - len(weights))
        return TabulatedDistribution(weights=weights, exact=self.exact)

    def p_at_least(self, quantity: int, face: int) -> Probability:
        """Chance that at least ``quantity`` dice show ``face``: that the bid is true."""
        return self.count_distribution(face).at_least(quantity)

    def p_exactly(self, quantity: int, face: int) -> Probability:
        """Chance that exactly ``quantity`` dice show ``face``."""
        return self.count_distribution(face).exactly(quantity)

    def p_fewer(self, quantity: int, face: int) -> Probability:
        """Chance that fewer than ``quantity`` dice show ``face``."""
        return self.count_distribution(face).fewer(quantity)

    def _hands(self, player: int) -> tuple[Hand, ...]:
        return enumerate_hands(self.n_dice[player], self.sides)

    def _match_weights(self, player: int, face: int) -> Weights:
        by_matches: list[list[Probability]] = [[] for _ in range(self.n_dice[player] + 1)]
        for hand, weight in zip(self._hands(player), self._weights[player], strict=True):
            by_matches[count_matches(hand, face, self.wild)].append(weight)
        return tuple(map(sum if self.exact else math.fsum, by_matches))

    def _check_player(self, player: int) -> None:
        positions = range(len(self.n_dice))
        if not isinstance(player, int | str) or isinstance(player, bool):
            player = check_whole("player", player)
        if player not in positions:
            raise InputError(
                f"player must be a position in n_dice, 0 to {len(self.n_dice) - 1}, got {player!r}"
            )

    def _read_face(self, face: int) -> int:
        chance = read_face(face, self.wild, self.sides)
        if chance is None:
            raise InputError(f"face must lie in 1..{self.sides}, got {face!r}")
        return chance.face


def _read_dice(n: object, sides: int) -> int:
    n_dice = read_count(n, "a number of dice")
    if n_dice is None:
        raise InputError(f"a number of dice must be a whole number, got {n!r}")
    if count_hands_within(n_dice, sides, MAX_HANDS) is None:
        raise GameTooLargeError(
            f"a belief ranges over all hands, at most {MAX_HANDS}, and {n_dice} dice of {sides} "
            "sides have more; take fewer dice"
        )
    return n_dice


@lru_cache(maxsize=64)
def _prior(n_dice: int, sides: int) -> tuple[int, ...]:
    """Count the rolls that show each hand, in the order of `enumerate_hands`."""
    return tuple(hand_weight(hand) for hand in enumerate_hands(n_dice, sides))


def _normalize(weights: Sequence[Probability], exact: bool) -> Weights:
    if exact:
        whole = Fraction(sum(weights))
        return tuple(weight / whole for weight in weights)
    total = math.fsum(weights)
    return tuple(weight / total for weight in weights)


def _read_likelihood(likelihood: Probability, model: BidModel, exact: bool) -> Probability:
    if not 0 <= likelihood < math.inf:
        raise InputError(
            f"a likelihood must be 0 or more and finite, got {likelihood} by {model!r}"
        )
    return Fraction(likelihood) if exact else float(likelihood)


def _convolve(a: Sequence[Probability], b: Sequence[Probability]) -> Weights:
    """Distribution of the sum of two independent counts."""
    distribution: list[Probability] = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            distribution[i + j] += x * y
    return tuple(distribution)

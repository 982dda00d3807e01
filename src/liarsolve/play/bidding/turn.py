"""What a player knows when it is their turn."""

from dataclasses import dataclass
from functools import lru_cache

from liarsolve.dice import Hand, count_matches, enumerate_hands, hand_weight
from liarsolve.odds import p_at_least, p_exactly
from liarsolve.rules import Action, Bid, HandBonus, PublicState, Round
from liarsolve.rules.bidding.hand_count import count_hand


@dataclass(frozen=True, slots=True)
class Turn:
    """A round from the seat of the player on turn: their own dice, and all that has been said.

    Examples
    --------
    >>> from liarsolve import Bid, Round, presets
    >>> perudo = Round(presets.PERUDO, (2, 1))
    >>> turn = Turn(perudo, (5,), (Bid(2, 5),), perudo.legal_actions(perudo.state_after(["2x5"])))
    >>> turn.seat, round(turn.p_true(), 3), round(turn.p_true(Bid(1, 1)), 3)
    (1, 0.556, 0.306)
    """

    round: Round
    hand: Hand
    """The player's own dice, faces in rising order."""
    bids: tuple[Bid, ...]
    """All bids so far, the oldest first."""
    actions: tuple[Action, ...]
    """What may be done: raises, the lowest first, then the calls."""

    @property
    def seat(self) -> int:
        """Number of the player: 0 is the first bidder."""
        return len(self.bids) % self.round.n_players

    @property
    def standing_bid(self) -> Bid | None:
        """The last bid; none at the start of the round."""
        return self.bids[-1] if self.bids else None

    @property
    def raises(self) -> tuple[Bid, ...]:
        """The bids that may be made, the lowest first."""
        return tuple(action for action in self.actions if isinstance(action, Bid))

    def p_true(self, bid: Bid | None = None) -> float:
        """Chance that a bid is true by the player's own dice, if all others are random.

        ``bid`` is the standing bid or one that may be made now; the standing bid if not given.
        At the start of the round, where none stands, the chance is 1.
        """
        if bid is None and not self.bids:
            return 1.0
        if self.round.rules.hand_bonus is not HandBonus.NONE:
            needed, ways = self._with_bonus(bid)
            return sum(ways[max(needed, 0) :]) / sum(ways)
        needed, unseen, hits = self._needed(bid)
        return _p_at_least(needed, unseen, hits, self.round.rules.faces)

    def p_exact(self) -> float:
        """Chance that the standing bid is exactly right; 0 where none stands."""
        if not self.bids:
            return 0.0
        if self.round.rules.hand_bonus is not HandBonus.NONE:
            needed, ways = self._with_bonus(None)
            return ways[needed] / sum(ways) if 0 <= needed < len(ways) else 0.0
        needed, unseen, hits = self._needed(None)
        return _p_exactly(needed, unseen, hits, self.round.rules.faces)

    def excess(self, bid: Bid | None = None) -> float:
        """Dice by which a bid goes beyond the player's own matches and the expected others.

        Examples
        --------
        With one three, two fives and six more dice, of which one is expected to show a three:

        >>> from liarsolve import Bid, Round, presets
        >>> round_ = Round(presets.COMMON, (3, 6))
        >>> Turn(round_, (3, 5, 5), (), round_.bids).excess(Bid(3, 3))
        1.0
        """
        if bid is None and not self.bids:
            return 0.0
        if self.round.rules.hand_bonus is not HandBonus.NONE:
            needed, ways = self._with_bonus(bid)
            total = sum(ways)
            return (needed * total - sum(count * n for count, n in enumerate(ways))) / total
        needed, unseen, hits = self._needed(bid)
        faces = self.round.rules.faces
        return (needed * faces - unseen * hits) / faces  # rounded once, so that 0 is 0

    def _with_bonus(self, bid: Bid | None) -> tuple[int, tuple[int, ...]]:
        """Matches that the other hands must count, and how many throws count each number of them.

        As hands count by themselves where some count for more or fewer dice than they have.
        """
        bids = self.bids if bid is None or bid == self.standing_bid else (*self.bids, bid)
        face, wild = bids[-1].face, self.round.wild_face(PublicState(bids))
        rules = self.round.rules
        others = (*self.round.dice[: self.seat], *self.round.dice[self.seat + 1 :])
        own = count_hand(self.hand, face, wild, rules.hand_bonus)
        ways = _counts_of_hands(tuple(sorted(others)), rules.faces, face, wild, rules.hand_bonus)
        return bids[-1].quantity - own, ways

    def _needed(self, bid: Bid | None) -> tuple[int, int, int]:
        """Matches that the other dice must show, their number, and the faces of a die that match.

        The wild face is the one that holds once the bid has been made.
        """
        bids = self.bids if bid is None or bid == self.standing_bid else (*self.bids, bid)
        asked = bids[-1]
        wild = self.round.wild_face(PublicState(bids))
        hits = 1 if wild is None or wild == asked.face else 2
        needed = asked.quantity - count_matches(self.hand, asked.face, wild)
        return needed, self.round.total_dice - len(self.hand), hits


@lru_cache(maxsize=4096)
def _counts_of_hands(
    dice: tuple[int, ...], faces: int, face: int, wild: int | None, bonus: HandBonus
) -> tuple[int, ...]:
    """How many throws of so many dice count every number of matches together."""
    ways = [1]
    for n_dice in dice:
        own = [0] * (n_dice + 2)
        for hand in enumerate_hands(n_dice, faces):
            own[count_hand(hand, face, wild, bonus)] += hand_weight(hand)
        both = [0] * (len(ways) + len(own) - 1)
        for i, m in enumerate(ways):
            for j, n in enumerate(own):
                both[i + j] += m * n
        ways = both
    return tuple(ways)


@lru_cache(maxsize=4096)
def _p_at_least(needed: int, unseen: int, hits: int, faces: int) -> float:
    return p_at_least(max(needed, 0), 2, unseen, wild=1 if hits == 2 else None, sides=faces)


@lru_cache(maxsize=4096)
def _p_exactly(needed: int, unseen: int, hits: int, faces: int) -> float:
    if needed < 0:
        return 0.0
    return p_exactly(needed, 2, unseen, wild=1 if hits == 2 else None, sides=faces)

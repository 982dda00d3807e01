"""What lies under the cup: so many dice, or cards dealt from a pack.

Suits never count, so a hand of cards is a multiset of ranks, as a hand of dice is one of faces. The
two differ in how often a hand comes and in what is drawn after some of it was kept.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb, prod

from liarsolve._checks import check_whole
from liarsolve.dice.hands import Hand, count_hands_within, enumerate_hands, hand_weight
from liarsolve.dice.rerolls import count_draws, count_throws, enumerate_kept
from liarsolve.errors import InputError

__all__ = ["Equipment"]

MAX_HANDS = 50_000
"""Most hands of dice or cards under one cup, which are all listed, in a second."""


@dataclass(frozen=True)
class Equipment:
    """The dice or cards of a cup game; made by `Equipment.dice` or `Equipment.cards`.

    Raises
    ------
    InputError, InputTypeError
        If the numbers are no whole numbers, make no hand, or make more than 50,000 different hands.

    Examples
    --------
    >>> poker_dice = Equipment.dice(5, 6)
    >>> len(poker_dice.hands), poker_dice.total_weight, poker_dice.n_redraws(2)
    (252, 7776, 36)
    >>> pack = Equipment.cards()
    >>> len(pack.hands), pack.total_weight, pack.n_redraws(2)
    (246, 42504, 210)
    """

    n_items: int
    """Dice under the cup, or cards in a hand."""
    n_faces: int
    """Faces of a die, or ranks of the pack; numbered from 1."""
    n_suits: int | None = None
    """Cards of each rank; ``None`` for dice."""

    def __post_init__(self) -> None:
        for name in ("n_items", "n_faces", "n_suits"):
            value = getattr(self, name)
            if value is not None or name != "n_suits":
                object.__setattr__(self, name, check_whole(name, value))
        if self.n_items < 1 or self.n_faces < 1:
            raise InputError(
                f"a hand needs a die with a face, got {self.n_items} dice of {self.n_faces} faces"
            )
        if self.n_suits is not None and self.n_cards < self.n_items:
            raise InputError(
                f"a hand of {self.n_items} cards needs a pack at least as large, got "
                f"{self.n_faces} ranks in {self.n_suits} suits"
            )

        if count_hands_within(self.n_items, self.n_faces, MAX_HANDS) is None:
            items, faces = ("dice", "faces") if self.n_suits is None else ("cards", "ranks")
            held = "1 die" if items == "dice" and self.n_items == 1 else f"{self.n_items} {items}"
            raise InputError(
                f"{held} of {self.n_faces} {faces} make more than {MAX_HANDS:,} "
                f"different hands; take fewer {items} or {faces}"
            )

    @classmethod
    def dice(cls, n_dice: int = 5, n_faces: int = 6) -> "Equipment":
        """Make a set of dice: 1 to ``n_faces`` on each.

        Raises
        ------
        InputError
            If there is no die or no face.
        """
        return cls(n_dice, n_faces)

    @classmethod
    def cards(cls, n_cards: int = 5, n_ranks: int = 6, n_suits: int = 4) -> "Equipment":
        """Make a pack, ``n_suits`` cards of each rank, from which ``n_cards`` are dealt.

        Raises
        ------
        InputError
            If the pack is smaller than a hand.
        """
        return cls(n_cards, n_ranks, n_suits)

    @property
    def is_cards(self) -> bool:
        """Whether hands are dealt from a pack."""
        return self.n_suits is not None

    def name_items(self, n: int | None = None) -> str:
        """Name what lies under the cup, with its number if it is given.

        >>> Equipment(5, 6).name_items(1), Equipment(5, 13, 4).name_items()
        ('1 die', 'cards')
        """
        one, more = ("card", "cards") if self.is_cards else ("die", "dice")
        word = one if n == 1 else more
        return word if n is None else f"{n} {word}"

    @property
    def n_cards(self) -> int:
        """Cards in the pack, 0 for dice."""
        return self.n_faces * (self.n_suits or 0)

    @property
    def most_alike(self) -> int:
        """How many of a hand can show the same face."""
        return self.n_items if self.n_suits is None else min(self.n_items, self.n_suits)

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """Every hand that can be; the position of a hand is its ``hand_id``."""
        hands = enumerate_hands(self.n_items, self.n_faces)
        return tuple(
            hand for hand in hands if all(hand.count(f) <= self.most_alike for f in set(hand))
        )

    @cached_property
    def hand_ids(self) -> dict[Hand, int]:
        """The ``hand_id`` of every hand."""
        return {hand: hand_id for hand_id, hand in enumerate(self.hands)}

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """Throws or deals that make each hand, in the order of `hands`."""
        if self.n_suits is None:
            return tuple(hand_weight(hand) for hand in self.hands)
        return tuple(
            prod(comb(self.n_suits, hand.count(rank)) for rank in set(hand)) for hand in self.hands
        )

    @property
    def total_weight(self) -> int:
        """All throws, or all deals: the sum of `weights`."""
        return self.n_redraws(self.n_items)

    @property
    def kept_hands(self) -> tuple[Hand, ...]:
        """Everything that can be kept of some hand: nothing first, whole hands last."""
        return enumerate_kept(self.n_items, self.n_faces, self.most_alike)

    def n_redraws(self, n_thrown: int) -> int:
        """Count the equally likely outcomes of throwing (drawing) ``n_thrown`` again.

        Cards that were put away are in the pack when it is drawn from (clause LC.2): with 24 cards
        and five in hand, k cards come from 19 + k.
        """
        if self.n_suits is None:
            return int(self.n_faces**n_thrown)
        return comb(self.n_cards - self.n_items + n_thrown, n_thrown)

    def redraw(self, kept: Hand) -> tuple[tuple[Hand, int], ...]:
        """Count the outcomes that lead to each hand: ``kept`` stays, the rest is thrown or drawn.

        Parameters
        ----------
        kept
            One of `kept_hands`: faces in rising order.

        Returns
        -------
        tuple of (hand, count)
            In the order of `hands`, counts above 0; they sum to ``n_redraws(n_items - len(kept))``.

        Raises
        ------
        InputError
            If no hand can hold what is kept.

        Examples
        --------
        >>> Equipment.dice(2, 3).redraw((2,))
        (((1, 2), 1), ((2, 2), 1), ((2, 3), 1))
        """
        return _count_redraws(self, kept)


@lru_cache(maxsize=4096)
def _count_redraws(equipment: Equipment, kept: Hand) -> tuple[tuple[Hand, int], ...]:
    if kept not in equipment.kept_hands:
        raise InputError(
            f"what is kept must be part of a hand of {equipment.n_items}, in rising order of the "
            f"faces 1 to {equipment.n_faces}, got {kept}"
        )
    n_thrown = equipment.n_items - len(kept)
    if equipment.n_suits is None:
        counts = count_throws(kept, n_thrown, equipment.n_faces)
    else:
        counts = count_draws(kept, n_thrown, equipment.n_faces, equipment.n_suits)
    return tuple(sorted(counts))

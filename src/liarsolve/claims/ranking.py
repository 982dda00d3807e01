"""Which hand beats which: rankings as data.

A hand has a category (a pair, a full house, ...). Categories compare first; within one, faces do,
the most repeated first and, among equally repeated ones, the highest first, as they are said:
``QQQ99``.
"""

from collections import Counter
from dataclasses import dataclass
from enum import Enum

from liarsolve.dice import Hand
from liarsolve.errors import RuleError

__all__ = [
    "CLASSIC",
    "FACES",
    "GENERALA_ACE_RUNS",
    "GENERALA_BOXES",
    "GENERALA_POKER",
    "GENERALA_WRAP_RUN",
    "MIA",
    "MULTIPLICITY",
    "POKER",
    "POKER_FACES",
    "RANKINGS",
    "Category",
    "Ranking",
    "count_ranking_dice",
]

POKER_FACES = "9TJQKA"
"""Faces of poker dice and ranks of the small pack, low to high; T is the ten."""


class Category(Enum):
    """Kind of a hand."""

    NOTHING = "nothing"
    """All different and no run, where that is worth less than anything that can be named."""
    SINGLES = "singles"
    """All different, where that is an ordinary hand: one die, Mia, small games."""
    NUMBER = "number"
    """So many dice of one face, worth their sum, as in the number boxes of Generala."""
    PAIR = "pair"
    TWO_PAIRS = "two_pairs"
    THREE = "three"
    STRAIGHT = "straight"
    """Any run, where they are worth the same."""
    LOW_RUN = "low_run"
    HIGH_RUN = "high_run"
    WRAP_RUN = "wrap_run"
    """The run that goes on from the highest face to the lowest: 3, 4, 5, 6, 1."""
    FULL = "full"
    FOUR = "four"
    FIVE = "five"
    LITTLE_MIA = "little_mia"
    """3 and 1."""
    MIA = "mia"
    """2 and 1."""


_CATEGORY_OF_GROUPS = {
    (): Category.SINGLES,
    (2,): Category.PAIR,
    (2, 2): Category.TWO_PAIRS,
    (3,): Category.THREE,
    (3, 2): Category.FULL,
    (4,): Category.FOUR,
    (5,): Category.FIVE,
}
"""Category by how often the repeated faces come."""

_N_RANKING = {
    Category.NOTHING: 1,
    Category.SINGLES: 1,
    Category.PAIR: 2,
    Category.TWO_PAIRS: 4,
    Category.THREE: 3,
    Category.FULL: 5,
    Category.FOUR: 4,
    Category.FIVE: 5,
}
"""Dice that make the category; the others are odd. All of them for what is not listed.

A hand without repeats goes by its highest die."""


def count_ranking_dice(category: Category, n_dice: int) -> int:
    """Count the dice of a hand of ``n_dice`` that make its category; the others are odd.

    >>> count_ranking_dice(Category.PAIR, 5), count_ranking_dice(Category.LOW_RUN, 5)
    (2, 5)
    """
    return min(_N_RANKING.get(category, n_dice), n_dice)


@dataclass(frozen=True)
class Ranking:
    """An order of hands.

    Raises
    ------
    RuleError
        If a category or a face is listed twice, or a special hand has a category that is not.

    Examples
    --------
    >>> POKER.category((1, 1, 4, 4, 4))
    <Category.FULL: 'full'>
    >>> POKER.say((1, 1, 4, 4, 4))
    (4, 4, 4, 1, 1)
    >>> POKER.key((1, 1, 4, 4, 4)) > POKER.key((2, 3, 4, 5, 6))
    True
    >>> CLASSIC.key((1, 1, 4, 4, 4)) > CLASSIC.key((2, 3, 4, 5, 6))
    False
    """

    name: str
    categories: tuple[Category, ...]
    """From low to high."""
    special_hands: tuple[tuple[Category, Hand], ...] = ()
    """Hands that make a category whatever their faces repeat: the straights, Mia."""
    face_names: str = ""
    """A letter for each face from 1 up; empty for plain numbers."""
    faces_low_to_high: tuple[int, ...] = ()
    """Order of the faces where it is not that of their numbers, such as ``(2, 3, 4, 5, 6, 1)``."""

    def __post_init__(self) -> None:
        if len(set(self.categories)) < len(self.categories) or not self.categories:
            raise RuleError(
                f"a ranking lists each of its categories once, got {_list(self.categories)}"
            )
        order = self.faces_low_to_high
        if sorted(order) != list(range(1, len(order) + 1)):
            raise RuleError(f"faces_low_to_high lists each face from 1 up once, got {order}")
        for category, hand in self.special_hands:
            if category not in self.categories:
                raise RuleError(
                    f"the hand {hand} belongs to {category.value}, which is not among the "
                    f"categories {_list(self.categories)}"
                )

    @property
    def has_boxes(self) -> bool:
        """Whether faces count only by their sum, in number boxes (``generala_boxes``)."""
        return Category.NUMBER in self.categories

    @property
    def is_strict(self) -> bool:
        """Whether no two different hands are worth the same."""
        hands = Counter(category for category, _ in self.special_hands)
        return not self.has_boxes and max(hands.values(), default=1) == 1

    def level(self, category: Category) -> int:
        """Place of a category, 0 for the lowest.

        Raises
        ------
        RuleError
            If the ranking does not have it.
        """
        if category not in self.categories:
            raise RuleError(
                f"the ranking {self.name} has the categories {_list(self.categories)}, "
                f"not {category.value}"
            )
        return self.categories.index(category)

    def pip(self, face: int) -> int:
        """Height of a face in comparisons."""
        return self.faces_low_to_high.index(face) + 1 if self.faces_low_to_high else face

    def category(self, hand: Hand) -> Category:
        """Name the kind of a hand.

        Raises
        ------
        RuleError
            If the ranking knows no such kind of hand.
        """
        for category, special in self.special_hands:
            if hand == special:
                return category
        counts = sorted((n for n in Counter(hand).values() if n > 1), reverse=True)
        found = _CATEGORY_OF_GROUPS.get(tuple(counts))
        if found is Category.SINGLES and Category.NOTHING in self.categories:
            return Category.NOTHING
        if found is not None and found in self.categories:
            return found
        if self.has_boxes:
            return Category.NUMBER
        raise RuleError(
            f"the ranking {self.name} knows {_list(self.categories)}, but no place for the hand "
            f"{hand}"
        )

    def counts_as(self, hand: Hand) -> Hand:
        """Give the hand that stands for all of its worth: 1, 1, 3, 4, 5 may count as 1 to 5."""
        category = self.category(hand)
        return next((first for special, first in self.special_hands if special is category), hand)

    def say(self, hand: Hand) -> tuple[int, ...]:
        """Put faces into the order in which they are said: most repeated first, then highest."""
        counts = Counter(hand)
        return tuple(sorted(hand, key=lambda face: (-counts[face], -self.pip(face))))

    def ranking_dice(self, hand: Hand) -> tuple[int, ...]:
        """List the dice that make the category, as they are said; the others are odd dice."""
        said = self.say(hand)
        return said[: count_ranking_dice(self.category(hand), len(said))]

    def leading_dice(self, hand: Hand) -> tuple[int, ...]:
        """List the first group of the dice that make the category: the queens of ``QQQ99``."""
        category, dice = self.category(hand), self.ranking_dice(hand)
        if category in (Category.TWO_PAIRS, Category.FULL):
            return dice[: dice.count(dice[0])]
        return dice

    def score(self, hand: Hand) -> int:
        """Find the largest sum of equal faces: what a hand is worth in number boxes."""
        return max(face * n for face, n in Counter(hand).items())

    def key(self, hand: Hand) -> tuple[int, ...]:
        """Give what hands are compared by: the higher hand has the larger tuple."""
        category = self.category(hand)
        if self.has_boxes:
            return (self.level(category), self.score(hand) if category is Category.NUMBER else 0)
        return (self.level(category), *map(self.pip, self.say(self.counts_as(hand))))


def _list(categories: tuple[Category, ...]) -> str:
    return ", ".join(category.value for category in categories)


_LOW_RUN, _HIGH_RUN = (1, 2, 3, 4, 5), (2, 3, 4, 5, 6)
_RUNS = ((Category.LOW_RUN, _LOW_RUN), (Category.HIGH_RUN, _HIGH_RUN))
_BELOW_RUNS = (Category.NOTHING, Category.PAIR, Category.TWO_PAIRS, Category.THREE)
_POKER_ORDER = (
    *_BELOW_RUNS,
    *(Category.LOW_RUN, Category.HIGH_RUN, Category.FULL, Category.FOUR, Category.FIVE),
)

CLASSIC = Ranking(
    "classic",
    (
        *(*_BELOW_RUNS, Category.FULL, Category.FOUR),
        *(Category.LOW_RUN, Category.HIGH_RUN, Category.FIVE),
    ),
    _RUNS,
    POKER_FACES,
)
"""The runs, called flushes there, above four of a kind (clause CL.12)."""

POKER = Ranking("poker", _POKER_ORDER, _RUNS, POKER_FACES)
"""Full house above the runs (clause BX.10)."""

GENERALA_POKER = Ranking("generala_poker", _POKER_ORDER, _RUNS)
"""The list of Generala filled up as in poker, on plain dice (clause DD?1)."""

GENERALA_WRAP_RUN = Ranking(
    "generala_wrap_run",
    (
        *(*_BELOW_RUNS, Category.LOW_RUN, Category.HIGH_RUN, Category.WRAP_RUN),
        *(Category.FULL, Category.FOUR, Category.FIVE),
    ),
    (*_RUNS, (Category.WRAP_RUN, (1, 3, 4, 5, 6))),
)
"""`GENERALA_POKER` with a third run 3, 4, 5, 6, 1, the highest (clause DD?8)."""

GENERALA_ACE_RUNS = Ranking(
    "generala_ace_runs",
    _POKER_ORDER,
    (*_RUNS, (Category.LOW_RUN, (1, 1, 3, 4, 5)), (Category.HIGH_RUN, (1, 3, 4, 5, 6))),
)
"""`GENERALA_POKER` where a one may stand for a missing two of a run (clause DD?8)."""

GENERALA_BOXES = Ranking(
    "generala_boxes",
    (Category.NUMBER, Category.STRAIGHT, Category.FULL, Category.FOUR, Category.FIVE),
    ((Category.STRAIGHT, _LOW_RUN), (Category.STRAIGHT, _HIGH_RUN)),
)
"""The boxes of Generala alone: below a straight, so many dice of a face count their sum."""

MIA = Ranking("mia", (Category.SINGLES, Category.PAIR, Category.MIA), ((Category.MIA, (1, 2)),))
"""Two dice: the larger first as tens, then the doubles, then 21."""

FACES = Ranking("faces", (Category.SINGLES,))
"""One die."""

MULTIPLICITY = Ranking(
    "multiplicity",
    tuple(_CATEGORY_OF_GROUPS.values()),  # they stand from low to high
)
"""Up to five dice without runs: the more alike the higher, then by faces."""

RANKINGS = {
    ranking.name: ranking
    for ranking in (
        *(CLASSIC, POKER, GENERALA_POKER, GENERALA_WRAP_RUN, GENERALA_ACE_RUNS, GENERALA_BOXES),
        *(MIA, FACES, MULTIPLICITY),
    )
}
"""The ready rankings by name."""

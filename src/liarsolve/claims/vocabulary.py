"""What can be said about one hand, in order, and when it is true.

A claim names a category and some faces. Which faces it may name is the claim detail; a set of all
claims of one kind, from low to high, is a `ClaimSet`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from liarsolve.claims.ranking import Category, Ranking
from liarsolve.dice import Hand
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import InputError, RuleError

if TYPE_CHECKING:
    from liarsolve._typing import B1

__all__ = ["Claim", "ClaimDetail", "ClaimSet", "NothingClaims", "Truth"]


class ClaimDetail(Enum):
    """Which faces a claim names."""

    FULL = "full"
    """All of the hand."""
    PREFIX = "prefix"
    """The ranking dice, then the odd dice from the highest down, as many as one likes (BX.9)."""
    SUBSET = "subset"
    """The ranking dice and any of the odd dice."""
    PRIMARY = "primary"
    """The ranking dice alone: a full house of queens on nines, a pair of jacks."""
    LEAD = "lead"
    """The first group alone: a full house of queens (DD?2)."""
    CATEGORY = "category"
    """No face: a pair."""


class NothingClaims(Enum):
    """What may be said of a hand that makes nothing."""

    NAMED = "named"
    """Each such hand as a whole: ace high, ace king high, ..."""
    PREFIX = "prefix"
    """As of any other hand, by the claim detail."""
    FORBIDDEN = "forbidden"


class Truth(Enum):
    """When a claim is true of a hand."""

    AT_LEAST = "at_least"
    """The hand is as high as the lowest hand that fits the claim, or higher."""
    MATCHES = "matches"
    """The hand fits: its category and the faces named are as said."""
    CONTAINS = "contains"
    """The dice named, with those that make the category, are among the hand."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A category and the faces named, the most repeated first, as people say them.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> claim = presets.BOX.parse_claim("pair of jacks with a queen")
    >>> claim.category.value, claim.faces
    ('pair', (3, 3, 4))
    """

    category: Category
    faces: tuple[int, ...] = ()


@dataclass(frozen=True)
class ClaimSet:
    """All claims of one kind, from low to high: a larger id is a higher claim.

    Raises
    ------
    RuleError
        If the ranking does not fit the dice, or there is nothing to claim.

    Examples
    --------
    >>> from liarsolve.claims import POKER
    >>> claims = ClaimSet(Equipment.dice(5, 6), POKER, ClaimDetail.PREFIX)
    >>> len(claims), claims[4]
    (363, Claim(category=<Category.PAIR: 'pair'>, faces=(1, 1)))
    >>> claims.index(Claim(Category.PAIR, (1, 1)))
    4
    >>> claims.is_true(4, (1, 2, 3, 3, 5), Truth.AT_LEAST)
    True
    >>> claims.truth_table(Truth.AT_LEAST).shape
    (363, 252)
    """

    equipment: Equipment
    ranking: Ranking
    detail: ClaimDetail = ClaimDetail.FULL
    nothing: NothingClaims = NothingClaims.NAMED

    def __post_init__(self) -> None:
        for faces in (self.ranking.face_names, self.ranking.faces_low_to_high):
            if faces and self.equipment.n_faces > len(faces):
                raise RuleError(
                    f"the ranking {self.ranking.name} is made for {len(faces)} faces, got "
                    f"{self.equipment.n_faces}"
                )
        if self.ranking.has_boxes and self.detail is not ClaimDetail.CATEGORY:
            raise RuleError(
                f"number boxes are claimed as a whole, so the claim detail of {self.ranking.name} "
                f"must be category, got {self.detail.value}"
            )

    def __len__(self) -> int:
        return len(self.claims)

    def __getitem__(self, claim_id: int) -> Claim:
        return self.claims[claim_id]

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def __contains__(self, claim: object) -> bool:
        return claim in self._ids

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """The claims; the position of a claim is its id."""
        found = {claim for claims in self._claims_of_hand.values() for claim in claims}
        return tuple(sorted(found, key=lambda claim: (self._key(claim), len(claim.faces))))

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Height of each claim, from 0.

        The same as its id, except where two claims are worth the same: in number boxes two threes
        are one six.
        """
        keys = [self._key(claim) for claim in self.claims]
        place = {key: rank for rank, key in enumerate(sorted(set(keys)))}
        return tuple(place[key] for key in keys)

    @cached_property
    def hand_ranks(self) -> tuple[int, ...]:
        """Height of each hand of the equipment, from 0, in the order of its hands."""
        keys = [self.ranking.key(hand) for hand in self.equipment.hands]
        place = {key: rank for rank, key in enumerate(sorted(set(keys)))}
        return tuple(place[key] for key in keys)

    @cached_property
    def least_ranks(self) -> tuple[int, ...]:
        """The lowest `hand_ranks` with which each claim is true, under truth at least."""
        least = [max(self.hand_ranks)] * len(self)
        if self.ranking.has_boxes:
            keys = sorted({self.ranking.key(hand) for hand in self.equipment.hands})
            return tuple(sum(key < self._key(claim) for key in keys) for claim in self)
        for hand, rank in zip(self.equipment.hands, self.hand_ranks, strict=True):
            for claim in self._claims_of_hand[hand]:
                claim_id = self._ids[claim]
                least[claim_id] = min(least[claim_id], rank)
        return tuple(least)

    def index(self, claim: Claim) -> int:
        """Give the id of a claim.

        Raises
        ------
        InputError
            If it cannot be said.
        """
        if claim not in self._ids:
            faces = " ".join(map(str, claim.faces))
            raise InputError(
                f"the claim {claim.category.value}{' with the faces ' * bool(faces)}{faces} is "
                f"not one of the {len(self)} claims with the claim detail {self.detail.value}"
            )
        return self._ids[claim]

    def claims_of_hand(self, hand: Hand) -> tuple[Claim, ...]:
        """List the claims that a hand fits, from low to high.

        Raises
        ------
        InputError
            If the hand cannot be.
        """
        claims = self._claims_of_hand[self.equipment.hands[self._hand_id(hand)]]
        return tuple(sorted(claims, key=self._ids.__getitem__))

    def is_true(self, claim_id: int, hand: Hand, truth: Truth = Truth.AT_LEAST) -> bool:
        """Whether a claim is true of a hand.

        Raises
        ------
        InputError
            If the hand cannot be.
        """
        hand_id = self._hand_id(hand)
        match truth:
            case Truth.AT_LEAST:
                return self.hand_ranks[hand_id] >= self.least_ranks[claim_id]
            case Truth.MATCHES:
                return self.claims[claim_id] in self._claims_of_hand[hand]
            case Truth.CONTAINS:
                return any(_is_part(dice, hand) for dice in self._needed_dice[claim_id])

    def truth_table(self, truth: Truth = Truth.AT_LEAST) -> "B1":
        """Tabulate which claim is true of which hand, bool[C, H], read-only.

        Rows are claims by id, columns the hands of the equipment.
        """
        if truth not in self._tables:
            import numpy as np

            hands = self.equipment.hands
            table = np.zeros((len(self), len(hands)), dtype=np.bool_)
            match truth:
                case Truth.AT_LEAST:
                    table[:] = np.array(self.hand_ranks) >= np.array(self.least_ranks)[:, None]
                case Truth.MATCHES:
                    for hand_id, hand in enumerate(hands):
                        table[
                            [self._ids[claim] for claim in self._claims_of_hand[hand]], hand_id
                        ] = True
                case Truth.CONTAINS:
                    held = np.array([self._count_faces(hand) for hand in hands])
                    for claim_id, needed in enumerate(self._needed_dice):
                        least = np.array([self._count_faces(dice) for dice in needed])
                        table[claim_id] = np.any(np.all(held[:, None] >= least, axis=2), axis=1)
            table.flags.writeable = False
            self._tables[truth] = table
        return self._tables[truth]

    @cached_property
    def _ids(self) -> dict[Claim, int]:
        return {claim: claim_id for claim_id, claim in enumerate(self.claims)}

    @cached_property
    def _tables(self) -> "dict[Truth, B1]":
        return {}

    @cached_property
    def _claims_of_hand(self) -> dict[Hand, tuple[Claim, ...]]:
        return {hand: tuple(self._fitting_claims(hand)) for hand in self.equipment.hands}

    @cached_property
    def _needed_dice(self) -> tuple[frozenset[Hand], ...]:
        """The sets of dice of which one must be in a hand for each claim to be contained in it."""
        needed: list[set[Hand]] = [set() for _ in self.claims]
        for hand, claims in self._claims_of_hand.items():
            ranking_dice = () if self.ranking.has_boxes else self.ranking.ranking_dice(hand)
            for claim in claims:
                dice = claim.faces if len(claim.faces) > len(ranking_dice) else ranking_dice
                if self.ranking.has_boxes and claim.category is not Category.NUMBER:
                    dice = hand
                if not claim.faces and claim.category in (Category.NOTHING, Category.SINGLES):
                    dice = ()  # no die makes such a hand, so any hand contains it
                needed[self._ids[claim]].add(tuple(sorted(dice)))
        return tuple(map(frozenset, needed))

    def _count_faces(self, dice: Hand) -> list[int]:
        return [dice.count(face) for face in range(1, self.equipment.n_faces + 1)]

    def _hand_id(self, hand: Hand) -> int:
        if hand not in self.equipment.hand_ids:
            raise InputError(
                f"a hand here has {self.equipment.n_items} faces from 1 to "
                f"{self.equipment.n_faces} in rising order, got {hand}"
            )
        return self.equipment.hand_ids[hand]

    def _key(self, claim: Claim) -> tuple[int, ...]:
        """Give what claims are compared by; a claim that says less is lower (BX.9)."""
        level = self.ranking.level(claim.category)
        if claim.category is Category.NUMBER:
            return (level, sum(claim.faces))
        return (level, *map(self.ranking.pip, claim.faces))

    def _fitting_claims(self, hand: Hand) -> Iterator[Claim]:
        category = self.ranking.category(hand)
        if category is Category.NUMBER:
            for face in sorted(set(hand)):
                yield Claim(category, (face,) * hand.count(face))
            return
        hand = self.ranking.counts_as(hand)
        said = self.ranking.say(hand)
        if category is Category.NOTHING and self.nothing is not NothingClaims.PREFIX:
            if self.nothing is NothingClaims.NAMED:
                yield Claim(category, said)
            return
        ranking_dice = self.ranking.ranking_dice(hand)
        odd = said[len(ranking_dice) :]
        match self.detail:
            case ClaimDetail.FULL:
                named = [said]
            case ClaimDetail.PREFIX:
                named = [ranking_dice + odd[:n] for n in range(len(odd) + 1)]
            case ClaimDetail.SUBSET:
                sizes = range(len(odd) + 1)
                named = [ranking_dice + some for n in sizes for some in combinations(odd, n)]
            case ClaimDetail.PRIMARY:
                named = [ranking_dice]
            case ClaimDetail.LEAD:
                named = [self.ranking.leading_dice(hand)]
            case ClaimDetail.CATEGORY:
                named = [()]
        yield from (Claim(category, faces) for faces in named)


def _is_part(dice: Hand, hand: Hand) -> bool:
    return all(dice.count(face) <= hand.count(face) for face in dice)

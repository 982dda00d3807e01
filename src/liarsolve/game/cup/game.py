"""Cup games as flat arrays: hands, keeps, what comes of a throw, and which claim is true."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from liarsolve._typing import B1, F8, I8
from liarsolve.dice import Hand
from liarsolve.errors import InputError


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CupGame:
    """One round of a cup game between two players, the second of whom sees what they accept.

    H hands, K keeps, C claims (in rising order), N numbers that can be thrown again, F families of
    keeps. A family is the set of keeps among which a hand chooses once the number is announced:
    hands with the same family share their stages. Family 0 is that of the first throw, where
    nothing is kept.
    """

    hands: tuple[Hand, ...]
    keeps: tuple[Hand, ...]
    """What can stay under the cup: every part of a hand."""
    distributions: tuple[Mapping[int, Fraction], ...]
    """Law of the hand that comes after each keep, by hand id."""
    redraw: F8
    """The same rounded to floats, [K, H]."""
    numbers: tuple[int | None, ...]
    """How many can be thrown again; a single `None` if that is not announced."""
    hand_family: I8
    """Family of each hand and number, [H, N]."""
    family_start: I8
    """Family f has the keeps ``family_keeps[family_start[f]:family_start[f + 1]]``, [F + 1]."""
    family_keeps: I8
    truth: B1
    """Whether a claim is true of a hand, [C, H]."""
    follows: B1
    """Whether the second claim may be made on top of the first, [C, C]: only later ones."""
    end_values: Mapping[int, tuple[Fraction, ...] | None]
    """Claims on top of which none can be made. The claimant's chance of winning by hand if they are
    accepted; `None` if the claim must be challenged."""

    @property
    def n_hands(self) -> int:
        """Number of hands."""
        return len(self.hands)

    @property
    def n_claims(self) -> int:
        """Number of claims."""
        return len(self.truth)

    @property
    def n_families(self) -> int:
        """Number of families of keeps."""
        return len(self.family_start) - 1

    def keeps_of(self, family: int) -> I8:
        """Ids of the keeps of a family."""
        return self.family_keeps[self.family_start[family] : self.family_start[family + 1]]

    @property
    def first_followers(self) -> I8 | None:
        """The least claim that may follow each, if all later ones may too; else None, int64[C]."""
        n_claims = self.n_claims
        first = n_claims - self.follows.sum(axis=1)
        is_suffix = np.arange(n_claims) >= first[:, None]
        if not (is_suffix == self.follows).all():
            return None
        result: I8 = first.astype(np.int64)
        return result


def build_cup_game(
    *,
    hands: Sequence[Hand],
    distributions: Mapping[Hand, Mapping[Hand, Fraction]],
    thrown: Iterable[int],
    is_announced: bool,
    truth: B1,
    follows: B1,
    end_values: Mapping[int, tuple[Fraction, ...] | None] | None = None,
) -> CupGame:
    """Number the keeps and their families, and lay everything out in arrays.

    Parameters
    ----------
    hands
        Every hand.
    distributions
        For every keep, the distribution of the hand that comes of it; the empty keep is the first
        throw.
    thrown
        How many dice may be thrown again.
    is_announced
        Whether that number is said aloud.
    truth, follows, end_values
        As in `CupGame`; without ``end_values`` claims that cannot be raised must be challenged.

    Raises
    ------
    InputError
        If nothing may be thrown again, or a claim may be followed by one that is not later.
    """
    if np.tril(follows).any():
        raise InputError("a claim may be followed only by later ones, got one that may come again")
    hand_ids = {hand: hand_id for hand_id, hand in enumerate(hands)}
    keeps = tuple(sorted(distributions, key=lambda keep: (len(keep), keep)))
    by_id = tuple({hand_ids[hand]: p for hand, p in distributions[keep].items()} for keep in keeps)
    redraw = np.zeros((len(keeps), len(hands)))
    for keep_id, distribution in enumerate(by_id):
        redraw[keep_id, list(distribution)] = [float(p) for p in distribution.values()]
    numbers = tuple(sorted(set(thrown)))
    if not numbers:
        raise InputError("there is no number of dice that may be thrown again")
    hand_family, families = _group_keeps(hands, keeps, numbers, is_announced=is_announced)
    ends = np.flatnonzero(~follows.any(axis=1)).tolist()
    return CupGame(
        hands=tuple(hands),
        keeps=keeps,
        distributions=by_id,
        redraw=redraw,
        numbers=numbers if is_announced else (None,),
        hand_family=hand_family,
        family_start=np.cumsum([0, *map(len, families)]).astype(np.int64),
        family_keeps=np.array([i for members in families for i in members], np.int64),
        truth=truth,
        follows=follows,
        end_values={claim: (end_values or {}).get(claim) for claim in ends},
    )


def _group_keeps(
    hands: Sequence[Hand], keeps: Sequence[Hand], numbers: tuple[int, ...], *, is_announced: bool
) -> tuple[I8, list[tuple[int, ...]]]:
    """Family of every hand and number, and the keeps of every family."""
    keep_ids = {keep: keep_id for keep_id, keep in enumerate(keeps)}
    groups = [(number,) for number in numbers] if is_announced else [numbers]
    families: dict[tuple[int, ...], int] = {(keep_ids[()],): 0}
    hand_family = np.zeros((len(hands), len(groups)), np.int64)
    for hand_id, hand in enumerate(hands):
        parts = parts_by_size(hand)
        for column, group in enumerate(groups):
            members = {keep_ids[part] for number in group for part in parts[len(hand) - number]}
            key = tuple(sorted(members))
            hand_family[hand_id, column] = families.setdefault(key, len(families))
    return hand_family, list(families)


def parts_by_size(hand: Hand) -> list[set[Hand]]:
    """Every part of a hand, by number of dice.

    >>> parts_by_size((1, 1, 2))[1] == {(1,), (2,)}
    True
    """
    parts: list[set[Hand]] = [set() for _ in range(len(hand) + 1)]
    for mask in range(1 << len(hand)):
        part = tuple(die for i, die in enumerate(hand) if mask >> i & 1)
        parts[len(part)].add(part)
    return parts

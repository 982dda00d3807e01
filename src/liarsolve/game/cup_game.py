"""Cup games as flat arrays: hands, what may be kept, how it is thrown again, which claim is true."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from liarsolve._typing import B1, F8, I8
from liarsolve.dice import Hand
from liarsolve.errors import InputError

NO_FAMILY = -1
"""Where a hand has no keeps of that number."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CupGame:
    """One round of a cup game between two players who look at what they accept.

    H hands, K keeps, C claims (in rising order), N numbers that can be thrown again, F families of
    keeps. A family is the set of keeps among which a hand chooses once the number is announced:
    hands with the same family share their stages.
    """

    hands: tuple[Hand, ...]
    hand_probs: F8
    """Law of the first hand, [H]."""
    keeps: tuple[Hand, ...]
    """What can stay under the cup: every part of a hand."""
    redraw: F8
    """Law of the hand that comes after each keep, [K, H]."""
    numbers: tuple[int | None, ...]
    """How many can be thrown again; a single `None` if that is not announced."""
    hand_family: I8
    """Family of each hand and number, or `NO_FAMILY`, [H, N]."""
    family_start: I8
    """Family f has the keeps ``family_keeps[family_start[f]:family_start[f + 1]]``, [F + 1]."""
    family_keeps: I8
    opening_family: int
    """The family of the first throw: nothing is kept."""
    truth: B1
    """Whether a claim is true of a hand, [C, H]."""
    follows: B1
    """Whether the second claim may be made on top of the first, [C, C]: only higher ones."""
    opens: B1
    """Whether a claim may be the first of a round, [C]."""
    ends: B1
    """Claims that nobody makes another on top of: they are challenged, or their acceptance ends
    the round, [C]."""
    end_value: F8
    """For those claims, the claimant's chance of winning when he is accepted, [C, H]; where they
    must be challenged, the truth."""

    @property
    def n_hands(self) -> int:
        """Number of hands."""
        return len(self.hands)

    @property
    def n_claims(self) -> int:
        """Number of claims."""
        return len(self.opens)

    @property
    def n_families(self) -> int:
        """Number of families of keeps."""
        return len(self.family_start) - 1


def build_cup_game(
    *,
    hands: Sequence[Hand],
    weights: Sequence[int],
    redraw: Mapping[Hand, Mapping[Hand, int]],
    thrown: Iterable[int],
    is_announced: bool,
    truth: B1,
    follows: B1,
    opens: B1,
    end_value: F8 | None = None,
) -> CupGame:
    """Number the keeps and their families, and lay everything out in arrays.

    Parameters
    ----------
    hands, weights
        Every hand, and in how many ways the first throw gives it.
    redraw
        For every keep, in how many ways each hand comes of it.
    thrown
        How many dice may be thrown again.
    is_announced
        Whether that number is said aloud.
    truth, follows, opens, end_value
        As in `CupGame`; without ``end_value`` claims that cannot be raised must be challenged.
    """
    hand_id = {hand: i for i, hand in enumerate(hands)}
    keeps = tuple(redraw)
    keep_id = {keep: i for i, keep in enumerate(keeps)}
    law = np.zeros((len(keeps), len(hands)))
    for i, ways in enumerate(redraw.values()):
        for hand, count in ways.items():
            law[i, hand_id[hand]] = count
    law /= law.sum(axis=1, keepdims=True)
    numbers = tuple(sorted(set(thrown)))
    if not numbers:
        raise InputError("there is no number of dice that may be thrown again")
    groups = [(number,) for number in numbers] if is_announced else [numbers]
    n_items = len(hands[0])
    families: dict[tuple[int, ...], int] = {(keep_id[()],): 0}
    hand_family = np.full((len(hands), len(groups)), NO_FAMILY, np.int64)
    for i, hand in enumerate(hands):
        parts = _parts_by_size(hand)
        for g, group in enumerate(groups):
            members = sorted(keep_id[part] for number in group for part in parts[n_items - number])
            hand_family[i, g] = families.setdefault(tuple(members), len(families))
    ends = ~follows.any(axis=1)
    if end_value is None:
        end_value = np.where(ends[:, None], truth, 0.0)
    sizes = [len(members) for members in families]
    return CupGame(
        hands=tuple(hands),
        hand_probs=np.array(weights, np.float64) / sum(weights),
        keeps=keeps,
        redraw=law,
        numbers=numbers if is_announced else (None,),
        hand_family=hand_family,
        family_start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        family_keeps=np.array([i for members in families for i in members], np.int64),
        opening_family=0,
        truth=truth,
        follows=follows,
        opens=opens,
        ends=ends,
        end_value=end_value,
    )


def _parts_by_size(hand: Hand) -> list[set[Hand]]:
    """Every part of a hand, by number of dice."""
    parts: list[set[Hand]] = [set() for _ in range(len(hand) + 1)]
    for mask in range(1 << len(hand)):
        part = tuple(die for i, die in enumerate(hand) if mask >> i & 1)
        parts[len(part)].add(part)
    return parts

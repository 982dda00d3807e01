"""How likely every hand under the cup is: after a fresh throw, a reroll, a draw of cards.

Outcomes are counted, so a float is the exact chance rounded once, and fractions come on request.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import inf, lcm
from typing import TYPE_CHECKING, TypeAlias

from liarsolve._checks import check_whole
from liarsolve.claims import (
    Category,
    Claim,
    Truth,
    format_hand,
    parse_any_claim,
    parse_hand,
    parse_kept,
)
from liarsolve.claims.notation import check_claims
from liarsolve.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from liarsolve._typing import F8
    from liarsolve.claims import ClaimSet
    from liarsolve.dice import Hand
    from liarsolve.odds._signatures import Fractions

__all__ = [
    "HandDistribution",
    "HandLike",
    "hand_distribution",
    "passed_distribution",
    "read_claim",
    "read_thrown",
    "read_truth",
]

Probability: TypeAlias = float | Fraction
"""A float, or a fraction where exact answers were asked for."""
HandLike: TypeAlias = "str | Iterable[int]"
"""Dice as text, such as ``QQQ99``, or as faces, such as ``(4, 4, 4, 1, 1)``."""


@dataclass(frozen=True, slots=True)
class HandDistribution:
    """Distribution of the hand under the cup; made by `hand_distribution` or `passed_distribution`.

    Probabilities are floats, or fractions if it was made with ``exact=True``.

    Examples
    --------
    >>> from liarsolve import presets
    >>> one_die = hand_distribution(presets.LIAR_DIE.claims, exact=True)
    >>> one_die.p_claim("5"), one_die.p_hand("5")
    (Fraction(1, 3), Fraction(1, 6))
    """

    claims: ClaimSet
    """What can be said of the hand; it holds the dice and the ranking too."""
    weights: tuple[int, ...]
    """Outcomes that lead to each hand, in the order of the hands of the equipment."""
    total: int
    """All outcomes."""
    is_exact: bool = False

    def p_hand(self, hand: HandLike) -> Probability:
        """Chance of one hand.

        Raises
        ------
        InputError
            If it cannot be.
        """
        return self._share(self.weights[self.claims.equipment.hand_ids[self._read(hand)]])

    def p_category(self, category: Category | str) -> Probability:
        """Chance of one kind of hand, neither better nor worse.

        Raises
        ------
        InputError
            If the ranking does not have it.
        """
        known = {kind.value: p for kind, p in self.categories().items()}
        name = category.value if isinstance(category, Category) else category
        if name not in known:
            raise InputError(f"the kinds of hands are {', '.join(known)}, got {name!r}")
        return known[name]

    def p_claim(self, claim: Claim | str, truth: Truth | str = Truth.AT_LEAST) -> Probability:
        """Chance that a claim is true.

        Parameters
        ----------
        claim
            A claim or its text. It may name more or fewer faces than ``claims`` do.
        truth
            When it is true: of a hand at least as high, of one that matches, of one that contains
            what was named.

        Raises
        ------
        InputError
            If there is no such claim.
        """
        found, claim_id = read_claim(claim, self.claims)
        kind = read_truth(truth)
        return self._share(
            sum(
                weight
                for hand, weight in zip(found.equipment.hands, self.weights, strict=True)
                if weight and found.is_true(claim_id, hand, kind)
            )
        )

    def p_higher(self, hand: HandLike) -> Probability:
        """Chance of a hand that beats ``hand``.

        Raises
        ------
        InputError
            If that hand cannot be.
        """
        ranks = self.claims.hand_ranks
        bar = ranks[self.claims.equipment.hand_ids[self._read(hand)]]
        outcomes = zip(self.weights, ranks, strict=True)
        return self._share(sum(weight for weight, rank in outcomes if rank > bar))

    def p_claims(self, truth: Truth | str = Truth.AT_LEAST) -> F8 | Fractions:
        """Chance that each claim is true, float64[C] (an object array of fractions if exact)."""
        import numpy as np

        table = self.claims.truth_table(read_truth(truth))
        counts = table.astype(object) @ np.array(self.weights, dtype=object)
        return np.array([self._share(count) for count in counts])

    def probs(self) -> F8 | Fractions:
        """Chance of each hand, float64[H] (an object array of fractions if exact)."""
        import numpy as np

        return np.array([self._share(weight) for weight in self.weights])

    def categories(self) -> dict[Category, Probability]:
        """Chance of each kind of hand, from low to high."""
        ranking = self.claims.ranking
        counts = dict.fromkeys(ranking.categories, 0)
        for hand, weight in zip(self.claims.equipment.hands, self.weights, strict=True):
            counts[ranking.category(hand)] += weight
        return {category: self._share(weight) for category, weight in counts.items()}

    def _share(self, weight: int) -> Probability:
        return Fraction(weight, self.total) if self.is_exact else weight / self.total

    def _read(self, hand: HandLike) -> Hand:
        return parse_hand(hand, self.claims)


def hand_distribution(
    claims: ClaimSet, kept: HandLike = (), *, exact: bool = False
) -> HandDistribution:
    """Give the distribution of the hand when ``kept`` stays and the rest is thrown, or drawn.

    Cards that were put away are drawn from again (clause LC.2).

    Parameters
    ----------
    claims
        What can be said, such as ``presets.BOX.claims``; it holds the dice and the ranking too.
    kept
        The dice or cards that stay; none for a fresh throw.
    exact
        Give fractions.

    Raises
    ------
    InputError, InputTypeError
        If ``kept`` cannot be part of a hand.

    Examples
    --------
    >>> from liarsolve import presets
    >>> distribution = hand_distribution(presets.BOX.claims, "JJ", exact=True)
    >>> distribution.p_claim("three jacks"), distribution.p_category("full")
    (Fraction(4, 9), Fraction(5, 54))
    >>> hand_distribution(presets.LIAR_CARDS.claims, "AA", exact=True).p_hand("AAAAK")
    Fraction(1, 385)
    """
    dice = parse_kept(kept, claims)
    equipment = claims.equipment
    counts = dict(equipment.redraw(dice))
    weights = tuple(counts.get(hand, 0) for hand in equipment.hands)
    return HandDistribution(claims, weights, sum(weights), exact)


def passed_distribution(
    claims: ClaimSet,
    hand: HandLike,
    n_thrown: int,
    *,
    keeps: Mapping[str | Hand, float] | None = None,
    exact: bool = False,
) -> HandDistribution:
    """Give the distribution of the hand when ``n_thrown`` unknown dice of ``hand`` are thrown.

    A player who has passed ``hand`` on knows so much: the next player says how many dice they
    throw, not which.

    Parameters
    ----------
    claims
        What can be said, such as ``presets.CLASSIC.claims``.
    hand
        The hand before the throw.
    n_thrown
        How many dice or cards were replaced.
    keeps
        How likely it is that each set of dice was kept, in any unit; by default each choice of
        dice is as likely as any other.
    exact
        Give fractions.

    Raises
    ------
    InputError, InputTypeError
        If the hand cannot be, ``n_thrown`` is more than it has, or ``keeps`` are not parts of the
        hand that leave ``n_thrown`` dice, with weights of which none is negative and some positive.

    Examples
    --------
    >>> from liarsolve import presets
    >>> distribution = passed_distribution(presets.BOX.claims, "QQQ99", 2, exact=True)
    >>> distribution.p_claim("full house, queens on nines")
    Fraction(1, 9)
    >>> box = presets.BOX.claims
    >>> distribution = passed_distribution(box, "QQQ99", 2, keeps={"QQQ": 1}, exact=True)
    >>> distribution.p_claim("full house, queens on nines")
    Fraction(4, 9)
    """
    old, equipment = parse_hand(hand, claims), claims.equipment
    n = read_thrown(n_thrown, equipment.n_items)
    if keeps is None:
        choices = Counter(combinations(old, equipment.n_items - n))
        weights_of_keeps = {kept: Fraction(count) for kept, count in choices.items()}
    else:
        weights_of_keeps = _read_keeps(keeps, claims, old, n)
    if not any(weights_of_keeps.values()):
        raise InputError("some set of dice must have been kept, got no weight above 0")
    scale = lcm(*(weight.denominator for weight in weights_of_keeps.values()))
    counts: Counter[Hand] = Counter()
    for kept, share in weights_of_keeps.items():
        for outcome, count in equipment.redraw(kept):
            counts[outcome] += count * int(share * scale)
    weights = tuple(counts[outcome] for outcome in equipment.hands)
    return HandDistribution(claims, weights, sum(weights), exact)


def _read_keeps(
    keeps: Mapping[str | Hand, float], claims: ClaimSet, old: Hand, n_thrown: int
) -> dict[Hand, Fraction]:
    """Read how likely each set of dice is to have been kept."""
    weights: dict[Hand, Fraction] = {}
    for dice, weight in keeps.items():
        kept = parse_kept(dice, claims)
        if len(kept) != len(old) - n_thrown or Counter(kept) - Counter(old):
            raise InputError(
                f"when {n_thrown} are thrown of {format_hand(old, claims.ranking)}, "
                f"{len(old) - n_thrown} of them stay, got {dice!r}"
            )
        if not 0 <= weight < inf:
            raise InputError(
                f"a weight must be a finite number, 0 or more, got {weight!r} for {dice!r}"
            )
        weights[kept] = weights.get(kept, Fraction(0)) + Fraction(weight)
    return weights


def read_claim(claim: Claim | str, claims: ClaimSet) -> tuple[ClaimSet, int]:
    """Find a claim among ``claims``, or among those that name more or fewer faces.

    Raises
    ------
    InputError
        If there is no such claim.
    """
    check_claims(claims)
    if isinstance(claim, Claim):
        return claims, claims.index(claim)
    found, read = parse_any_claim(claim, claims)
    return found, found.index(read)


def read_truth(truth: Truth | str) -> Truth:
    """Read the sense in which a claim is true.

    Raises
    ------
    InputError
        If there is no such sense.
    """
    try:
        return Truth(truth)
    except ValueError:
        known = ", ".join(kind.value for kind in Truth)
        raise InputError(f"truth must be one of {known}, got {truth!r}") from None


def read_thrown(n_thrown: int, n_items: int, name: str = "n_thrown") -> int:
    """Read how many dice are thrown again.

    Raises
    ------
    InputError
        If it is not in ``0..n_items``.
    InputTypeError
        If it is no whole number.
    """
    try:
        count = check_whole(name, n_thrown)
    except InputTypeError:
        raise InputTypeError(f"{name} must be a whole number, got {n_thrown!r}") from None
    if not 0 <= count <= n_items:
        raise InputError(f"{name} must lie in 0..{n_items}, got {count}")
    return count

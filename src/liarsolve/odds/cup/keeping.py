"""What to keep: the chance to reach a claim, or to beat one's hand, with every choice of dice."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Literal, overload

from liarsolve.claims import Truth, parse_hand, parse_kept
from liarsolve.errors import InputError, InputTypeError
from liarsolve.odds.cup.hands import read_claim, read_thrown, read_truth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from liarsolve.claims import Claim, ClaimSet
    from liarsolve.dice import Hand
    from liarsolve.dice.equipment import Equipment
    from liarsolve.odds.cup.hands import HandLike, Probability

__all__ = ["KeepOption", "best_keep", "keep_options", "p_claim"]


@dataclass(frozen=True, slots=True)
class KeepOption:
    """Dice to keep, the others to be thrown.

    Examples
    --------
    >>> from liarsolve import presets
    >>> best_keep("QQQ99", presets.BOX.claims, "four queens", exact=True)
    KeepOption(kept=(4, 4, 4), n_thrown=2, prob=Fraction(11, 36))
    """

    kept: Hand
    n_thrown: int
    prob: Probability
    """Chance to reach what is aimed at."""


@overload
def p_claim(
    claim: Claim | str,
    claims: ClaimSet,
    *,
    kept: HandLike = (),
    throws: int = 1,
    truth: Truth | str = Truth.AT_LEAST,
    exact: Literal[False] = False,
) -> float: ...
@overload
def p_claim(
    claim: Claim | str,
    claims: ClaimSet,
    *,
    kept: HandLike = (),
    throws: int = 1,
    truth: Truth | str = Truth.AT_LEAST,
    exact: Literal[True],
) -> Fraction: ...
def p_claim(
    claim: Claim | str,
    claims: ClaimSet,
    *,
    kept: HandLike = (),
    throws: int = 1,
    truth: Truth | str = Truth.AT_LEAST,
    exact: bool = False,
) -> float | Fraction:
    """Chance that a claim comes true by a throw, or by several with the best dice kept between.

    Parameters
    ----------
    claim
        The claim or its text. It may name more or fewer faces than ``claims`` do.
    claims
        What can be said, such as ``presets.BOX.claims``; it holds the dice and the ranking too.
    kept
        Dice or cards that stay in the first throw; none for a fresh one.
    throws
        How many throws there are at most; before each after the first, any dice may be kept.
    truth
        When the claim is true: ``at_least``, ``matches`` or ``contains``.
    exact
        Give a fraction. A float is the exact chance rounded once if there is one throw; with more,
        each further one may add a rounding.

    Raises
    ------
    InputError, InputTypeError
        If there is no such claim, ``kept`` cannot be part of a hand, or ``throws`` is not positive.

    Examples
    --------
    >>> from liarsolve import presets
    >>> box = presets.BOX.claims
    >>> p_claim("two pairs", box, exact=True)
    Fraction(77, 162)
    >>> p_claim("two pairs", box, kept="JJ", exact=True)
    Fraction(13, 18)
    >>> round(p_claim("five aces", box, throws=5), 4)
    0.0766
    """
    found, claim_id = read_claim(claim, claims)
    kind = read_truth(truth)
    is_good = [found.is_true(claim_id, hand, kind) for hand in found.equipment.hands]
    dice = parse_kept(kept, claims)
    return _chances(claims.equipment, is_good, [dice], _read_throws(throws), exact=exact)[dice]


def keep_options(
    hand: HandLike,
    claims: ClaimSet,
    claim: Claim | str | None = None,
    *,
    throws: int = 1,
    truth: Truth | str = Truth.AT_LEAST,
    min_thrown: int = 0,
    max_thrown: int | None = None,
    exact: bool = False,
) -> tuple[KeepOption, ...]:
    """Rank what may be kept of a hand, by the chance to reach a claim or to beat the hand.

    Parameters
    ----------
    hand
        The hand that one sees.
    claims
        What can be said, such as ``presets.BOX.claims``.
    claim
        What to reach; ``None`` for any hand higher than ``hand``.
    throws, truth, exact
        As in `p_claim`.
    min_thrown, max_thrown
        Fewest and most dice that may be thrown (in the first throw).

    Returns
    -------
    tuple of KeepOption
        Every different choice, the best first; among equals the one with fewest dice thrown, then
        the one with the higher dice kept.

    Raises
    ------
    InputError, InputTypeError
        If the hand cannot be, there is no such claim, or a limit is not in ``0..`` dice.

    Examples
    --------
    >>> from liarsolve import presets
    >>> options = keep_options("JJQ9T", presets.BOX.claims, "two pairs", exact=True)
    >>> [(option.kept, option.prob) for option in options[:2]]
    [((3, 3), Fraction(13, 18)), ((3, 3, 4), Fraction(2, 3))]
    """
    old = parse_hand(hand, claims)
    equipment = claims.equipment
    least = read_thrown(min_thrown, equipment.n_items, "min_thrown")
    most = read_thrown(
        equipment.n_items if max_thrown is None else max_thrown, equipment.n_items, "max_thrown"
    )
    if least > most:
        raise InputError(f"min_thrown must not exceed max_thrown, got {least} and {most}")
    if claim is None:
        bar = claims.hand_ranks[equipment.hand_ids[old]]
        is_good = [rank > bar for rank in claims.hand_ranks]
    else:
        found, claim_id = read_claim(claim, claims)
        is_good = [found.is_true(claim_id, other, read_truth(truth)) for other in equipment.hands]
    n = equipment.n_items
    keeps = [kept for kept in _list_parts(old) if least <= n - len(kept) <= most]
    chances = _chances(equipment, is_good, keeps, _read_throws(throws), exact=exact)
    height = claims.ranking.pip
    keeps.sort(key=lambda kept: sorted(map(height, kept), reverse=True), reverse=True)
    keeps.sort(key=lambda kept: (-chances[kept], n - len(kept)))  # stable
    return tuple(KeepOption(kept, n - len(kept), chances[kept]) for kept in keeps)


def best_keep(
    hand: HandLike,
    claims: ClaimSet,
    claim: Claim | str | None = None,
    *,
    throws: int = 1,
    truth: Truth | str = Truth.AT_LEAST,
    min_thrown: int = 0,
    max_thrown: int | None = None,
    exact: bool = False,
) -> KeepOption:
    """Find the dice to keep for the best chance to reach a claim, or to beat the hand.

    Parameters, errors and ties are those of `keep_options`.

    Examples
    --------
    >>> from liarsolve import presets
    >>> best_keep("QQQ99", presets.BOX.claims, exact=True)
    KeepOption(kept=(4, 4, 4), n_thrown=2, prob=Fraction(5, 12))
    """
    return keep_options(
        hand,
        claims,
        claim,
        throws=throws,
        truth=truth,
        min_thrown=min_thrown,
        max_thrown=max_thrown,
        exact=exact,
    )[0]


def _read_throws(throws: int) -> int:
    if isinstance(throws, bool) or not hasattr(throws, "__index__"):
        raise InputTypeError(f"throws must be a whole number, got {throws!r}")
    if throws.__index__() < 1:
        raise InputError(f"throws must be 1 or more, got {throws}")
    return throws.__index__()


def _list_parts(hand: Hand) -> list[Hand]:
    """List every different part of a hand."""
    sizes = range(len(hand) + 1)
    return list(dict.fromkeys(part for n in sizes for part in combinations(hand, n)))


def _chances(
    equipment: Equipment, is_good: Sequence[bool], keeps: list[Hand], throws: int, *, exact: bool
) -> dict[Hand, Probability]:
    """Give the chance of a good hand for each set of dice that is kept in the first throw."""
    worth: dict[Hand, int | Probability] = {
        hand: int(good) for hand, good in zip(equipment.hands, is_good, strict=True)
    }
    for _ in range(throws - 1):
        chance = _throw_once(equipment, worth, list(equipment.kept_hands), exact=exact)
        worth = {hand: max(chance[part] for part in _list_parts(hand)) for hand in worth}
    return _throw_once(equipment, worth, keeps, exact=exact)


def _throw_once(
    equipment: Equipment,
    worth: dict[Hand, int | Probability],
    keeps: list[Hand],
    *,
    exact: bool,
) -> dict[Hand, Probability]:
    """Average the worth of the hands that come out, for each set of dice that is kept."""
    chances: dict[Hand, Probability] = {}
    for kept in keeps:
        total = sum(count * worth[hand] for hand, count in equipment.redraw(kept))
        n_ways = equipment.n_redraws(equipment.n_items - len(kept))
        chances[kept] = total * Fraction(1, n_ways) if exact else float(total / n_ways)
    return chances

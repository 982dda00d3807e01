"""What comes out when some dice are kept and the rest thrown again, or cards drawn again.

Outcomes are counted, not estimated: `count_throws` out of ``n_faces ** n`` throws, `count_draws`
out of all draws from the cards that were not kept.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, prod

from liarsolve.dice.hands import Hand, enumerate_hands, hand_weight

__all__ = ["count_draws", "count_throws", "enumerate_kept"]


@lru_cache(maxsize=64)
def enumerate_kept(n_items: int, n_faces: int, most_alike: int) -> tuple[Hand, ...]:
    """List what can be kept of a hand: nothing first, whole hands last.

    At most ``most_alike`` dice or cards are equal. Within a size the order is that of
    `enumerate_hands`.

    >>> enumerate_kept(2, 2, 2)
    ((), (1,), (2,), (1, 1), (1, 2), (2, 2))
    >>> len(enumerate_kept(5, 6, 5)), len(enumerate_kept(5, 6, 4))
    (462, 456)
    """
    return tuple(
        kept
        for size in range(n_items + 1)
        for kept in combinations_with_replacement(range(1, n_faces + 1), size)
        if all(kept.count(face) <= most_alike for face in set(kept))
    )


def count_throws(kept: Hand, n_thrown: int, n_faces: int) -> Iterator[tuple[Hand, int]]:
    """Count the throws of ``n_thrown`` dice that lead to each hand, out of ``n_faces ** n_thrown``.

    >>> list(count_throws((2,), 1, 3))
    [((1, 2), 1), ((2, 2), 1), ((2, 3), 1)]
    """
    for thrown in enumerate_hands(n_thrown, n_faces):
        yield tuple(sorted(kept + thrown)), hand_weight(thrown)


def count_draws(kept: Hand, n_drawn: int, n_faces: int, n_suits: int) -> Iterator[tuple[Hand, int]]:
    """Count the draws of ``n_drawn`` cards that lead to each hand of ranks.

    All cards but the kept ones are in the pack, so the counts sum to ``C(cards - kept, n_drawn)``.

    >>> list(count_draws((1, 1), 1, 2, 2))
    [((1, 1, 2), 2)]
    """
    left = [n_suits - kept.count(rank) for rank in range(1, n_faces + 1)]
    for drawn in enumerate_hands(n_drawn, n_faces):
        count = prod(comb(left[rank - 1], drawn.count(rank)) for rank in set(drawn))
        if count:
            yield tuple(sorted(kept + drawn)), count

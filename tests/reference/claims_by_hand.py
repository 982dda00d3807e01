"""Which hand is higher and when a claim is true, written from the rules of the box game alone.

Hands are texts such as ``QQQ99`` of the faces 9TJQKA. Slow, and on purpose without anything of the
library: categories are found by looking, order by comparing lists, chances by going through all
throws.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, product

FACES = "9TJQKA"
BOX_ORDER = ("nothing", "pair", "two pairs", "three", "run", "full", "four", "five")
CLASSIC_ORDER = ("nothing", "pair", "two pairs", "three", "full", "four", "run", "five")


@cache
def arrange(hand):
    """Put the most repeated faces first, then the higher ones."""
    return "".join(sorted(hand, key=lambda f: (hand.count(f), FACES.index(f)), reverse=True))


@cache
def category(hand):
    counts = "".join(sorted((str(hand.count(face)) for face in set(hand)), reverse=True))
    if counts == "11111":
        return "run" if not {"9", "A"} <= set(hand) else "nothing"
    names = {"2111": "pair", "221": "two pairs", "311": "three", "32": "full", "41": "four"}
    return names.get(counts, "five")


@cache
def rank(hand, order=BOX_ORDER):
    return [order.index(category(hand))] + [FACES.index(face) for face in arrange(hand)]


ALL_HANDS = sorted({arrange(throw) for throw in product(FACES, repeat=5)}, key=rank)


@cache
def fits(claim, hand):
    """Whether a prefix claim such as ``JJ+Q`` is what could be quoted of a hand."""
    said, odd = claim.split("+") if "+" in claim else (claim, "")
    dice = {"pair": 2, "two pairs": 4, "three": 3, "four": 4}.get(category(hand), 5)
    return len(said) == dice and arrange(hand).startswith(said + odd)


@cache
def is_true(claim, hand, truth):
    if truth == "matches":
        return fits(claim, hand)
    if truth == "contains":
        quoted = claim.replace("+", "")
        return all(quoted.count(face) <= hand.count(face) for face in quoted)
    lowest = next(other for other in ALL_HANDS if fits(claim, other))  # they stand in order
    return rank(hand) >= rank(lowest)


def chance_of(is_good, kept):
    """Chance of a good hand when everything but ``kept`` is thrown once."""
    throws = list(product(FACES, repeat=5 - len(kept)))
    return Fraction(sum(is_good(kept + "".join(throw)) for throw in throws), len(throws))


def chance_of_cards(is_good, kept):
    """The same with cards: everything but ``kept`` is drawn from all the other 24 cards."""
    pack = list(FACES * 4)
    for card in kept:
        pack.remove(card)
    draws = list(combinations(pack, 5 - len(kept)))
    return Fraction(sum(is_good(kept + "".join(draw)) for draw in draws), len(draws))

"""The order of the bids, and which bid may follow which.

Every bid of a round gets a rank such that a legal raise always goes to a larger one: no sequence
of raises can come back to where it was. Under ``count_or_face`` and ``reset_quantity`` (and
``at_least_half``) the order is the whole rule; the others allow only some of the larger bids.
"""

from collections.abc import Callable

from liarsolve.rules.bidding.actions import Bid
from liarsolve.rules.bidding.options import OnesEntry, OnesSlot, RaiseRule, Wild
from liarsolve.rules.bidding.rule_set import RuleSet


def biddable_faces(rules: RuleSet, *, palifico: bool = False) -> tuple[int, ...]:
    """Faces that may be bid, from low to high; under the half rule, ones come first.

    >>> biddable_faces(RuleSet(ones_slot=OnesSlot.FACE_HIGH))
    (2, 3, 4, 5, 6, 1)
    """
    plain = tuple(range(1, rules.faces + 1))
    if palifico or rules.ones_slot is OnesSlot.FACE_LOW:
        return plain  # in a palifico round no face is special (PE?2)
    others = tuple(face for face in plain if face != rules.ones_face)
    if rules.ones_slot is OnesSlot.FORBIDDEN:
        return others
    if rules.ones_slot is OnesSlot.FACE_HIGH:
        return (*others, rules.ones_face)
    return (rules.ones_face, *others)


def enumerate_bids(rules: RuleSet, max_quantity: int, *, palifico: bool = False) -> tuple[Bid, ...]:
    """List all bids up to ``max_quantity`` dice, lowest first.

    >>> rules = RuleSet(faces=3, wild=Wild.ONES, ones_slot=OnesSlot.AFTER_2N)
    >>> " ".join(map(str, enumerate_bids(rules, 3)))
    '1x2 1x3 2x2 2x3 1x1 3x2 3x3 2x1 3x1'
    """
    faces = biddable_faces(rules, palifico=palifico)
    bids = (Bid(quantity, face) for quantity in range(1, max_quantity + 1) for face in faces)
    return tuple(sorted(bids, key=bid_rank(rules, palifico=palifico)))


def bid_rank(rules: RuleSet, *, palifico: bool = False) -> Callable[[Bid], tuple[int, int]]:
    """Make the key that sorts bids from the lowest to the highest.

    >>> key = bid_rank(RuleSet(wild=Wild.ONES, ones_slot=OnesSlot.AFTER_2N))
    >>> key(Bid(4, 6)) < key(Bid(2, 1)) < key(Bid(5, 2))
    True
    """
    place = {face: i for i, face in enumerate(biddable_faces(rules, palifico=palifico))}
    has_half_rule = rules.has_half_rule and not palifico

    def rank(bid: Bid) -> tuple[int, int]:
        if has_half_rule and bid.face == rules.ones_face:
            after = rules.ones_slot is OnesSlot.AFTER_2N
            return (2 * bid.quantity, len(place) if after else -1)
        if rules.raise_rule is RaiseRule.RESET_QUANTITY:
            return (place[bid.face], bid.quantity)
        return (bid.quantity, place[bid.face])

    return rank


def raise_problem(rules: RuleSet, last: Bid, bid: Bid, *, palifico: bool = False) -> str | None:
    """Say which clause forbids ``bid`` after ``last``; ``None`` if none does.

    Who bids does not matter here, and both bids can be made under these rules.

    >>> rules = RuleSet(wild=Wild.ONES, ones_slot=OnesSlot.AFTER_2N)
    >>> raise_problem(rules, Bid(4, 1), Bid(8, 2))
    'PE.3c after ones the quantity must be more than double, 4x1 needs at least 9; got 8x2'
    """
    if (
        rules.has_half_rule
        and not palifico
        and (last.face == rules.ones_face) != (bid.face == rules.ones_face)
    ):
        return _half_rule_problem(rules, last, bid)
    faces = biddable_faces(rules, palifico=palifico)
    more = bid.quantity - last.quantity
    higher = faces.index(bid.face) - faces.index(last.face)
    if rules.raise_rule is RaiseRule.COUNT_OR_FACE:
        legal = more > 0 or (more == 0 and higher > 0)
        need = "more dice, or as many of a higher face"
    elif rules.raise_rule is RaiseRule.RESET_QUANTITY:
        legal = higher > 0 or (higher == 0 and more > 0)
        need = "a higher face, or more dice of the same face"
    elif rules.raise_rule is RaiseRule.NO_DECREASE:
        legal = min(more, higher) >= 0 and (more, higher) != (0, 0)
        need = "more dice or a higher face, and neither may fall"
    else:
        legal = (more > 0 and higher == 0) or (more == 0 and higher > 0)
        need = "more dice of the same face, or as many of a higher face"
        if rules.raise_rule is RaiseRule.FACE_WRAP:
            legal = legal or (more > 0 and (last.face, bid.face) == (faces[-1], faces[0]))
            need += f", or more dice of face {faces[0]} after face {faces[-1]}"
    if legal:
        return None
    ranking = "" if faces[0] == min(faces) else f" (faces rank {', '.join(map(str, faces))})"
    return f"{_raise_clause(rules, palifico)} a raise needs {need}{ranking}; got {bid} on {last}"


def _raise_clause(rules: RuleSet, palifico: bool) -> str:
    if rules.raise_rule is not RaiseRule.COUNT_OR_FACE:
        return f"with raise_rule={rules.raise_rule.value},"
    if palifico:
        return "PE?2"
    return "PE.3a" if rules.ones_slot is OnesSlot.AFTER_2N else "LD.2"


def _half_rule_problem(rules: RuleSet, last: Bid, bid: Bid) -> str | None:
    """Judge a step from ones to another face or back, where a one counts double."""
    ones = "stars" if rules.wild is Wild.TOP_FACE else "ones"
    after = rules.ones_slot is OnesSlot.AFTER_2N
    if last.face == rules.ones_face:
        least = 2 * last.quantity + 1 if after else 2 * last.quantity
        if bid.quantity >= least:
            return None
        clause = "PE.3c" if after else "with ones_slot=before_2n,"
        double = "more than double" if after else "at least double"
        return (
            f"{clause} after {ones} the quantity must be {double}, "
            f"{last} needs at least {least}; got {bid}"
        )
    least = (last.quantity + 1) // 2 if after else last.quantity // 2 + 1
    if rules.ones_entry is OnesEntry.EXACT_HALF:
        if bid.quantity == least:
            return None
        return (
            f"PE?1 {ones} must be exactly half the quantity, rounded up, "
            f"{last} needs {least}; got {bid}"
        )
    if rules.ones_entry is OnesEntry.HALF_PLUS_ONE:
        if bid.quantity > least:
            return None
        return (
            f"PE?1 {ones} must be at least one more than half the quantity, rounded up, "
            f"{last} needs at least {least + 1}; got {bid}"
        )
    if bid.quantity >= least:
        return None
    clause = "PE.3b" if after else "with ones_slot=before_2n,"
    half = "at least half the quantity" if after else "more than half the quantity"
    return f"{clause} {ones} must be {half}, {last} needs at least {least}; got {bid}"

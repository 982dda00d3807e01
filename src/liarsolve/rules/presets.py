"""Rule sets under the names players know them by."""

from difflib import get_close_matches

from liarsolve.errors import RuleError
from liarsolve.rules.options import ExactWho, OnesSlot, OpenOnes, Wild, WildUntil
from liarsolve.rules.rule_set import RuleSet

__all__ = [
    "COMMON",
    "DUDO",
    "LIARS_DICE",
    "OPENSPIEL",
    "PERUDO",
    "PRESETS",
    "SNYD",
    "get_preset",
]

LIARS_DICE = RuleSet(name="liars_dice", wild=Wild.ONES, wild_until=WildUntil.ANY_ONES_BID)
"""Ones are the lowest face, and wild until somebody bids them."""

PERUDO = RuleSet(
    name="perudo",
    wild=Wild.ONES,
    ones_slot=OnesSlot.AFTER_2N,
    open_ones=OpenOnes.NO,
    exact_who=ExactWho.NEXT,
)
"""Ones are wild, may not open, and are bid by the half rule; with an exact call."""

COMMON = RuleSet(name="common")
"""No wild face; quantity, then face."""

OPENSPIEL = RuleSet(name="openspiel", wild=Wild.TOP_FACE)
"""The highest face is wild; quantity, then face; the game of most solver papers."""

SNYD = RuleSet(name="snyd", wild=Wild.ONES, ones_slot=OnesSlot.FORBIDDEN, open_ones=OpenOnes.NO)
"""Ones are wild and may not be bid."""

DUDO = RuleSet(name="dudo", wild=Wild.ONES, ones_slot=OnesSlot.BEFORE_2N)
"""Ones are wild; n ones stand just below 2n twos."""

PRESETS: dict[str, RuleSet] = {
    rules.name: rules for rules in (LIARS_DICE, PERUDO, COMMON, OPENSPIEL, SNYD, DUDO)
}
"""Every preset by its name."""


def get_preset(name: str) -> RuleSet:
    """Look up a preset.

    Raises
    ------
    RuleError
        If there is none of that name.

    >>> get_preset("perudo").ones_slot.value
    'after_2n'
    """
    word = str(name).strip().lower().replace("-", "_").replace(" ", "_")
    if word not in PRESETS:
        close = get_close_matches(word, PRESETS, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise RuleError(f"there is no preset {name!r}; {hint}the presets are {', '.join(PRESETS)}")
    return PRESETS[word]

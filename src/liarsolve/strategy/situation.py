"""What a player knows when they ask what to do: one record for each family of games."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from liarsolve._checks import check_flag
from liarsolve.claims import Claim
from liarsolve.errors import InputError, InputTypeError
from liarsolve.rules import Action, CupRules, Round, RuleSet
from liarsolve.strategy.bidding.situation import BiddingSituation, read_bidding_situation
from liarsolve.strategy.cup.situation import CupSituation, read_cup_situation

__all__ = ["Situation", "read_situation"]

Situation: TypeAlias = BiddingSituation | CupSituation
"""What a player knows who has to decide, in any game."""


def read_situation(
    rules: RuleSet | CupRules,
    *,
    hand: Iterable[int] | str | None = None,
    dice: Sequence[int] | None = None,
    history: Iterable[Action | str] | None = None,
    palifico: bool = False,
    seat: int | None = None,
    claim: Claim | str | None = None,
    passed: Iterable[int] | str | None = None,
    thrown: int | None = None,
    offered: Claim | str | None = None,
) -> Situation:
    """Read what a player knows, and see that the rules allow it.

    ``dice``, ``history``, ``palifico`` and ``seat`` are about rounds of bidding; ``claim``,
    ``passed``, ``thrown`` and ``offered`` about cup games, see `CupStrategy` for which to give.

    Parameters
    ----------
    rules : RuleSet or CupRules
        Rules of the round.
    hand : faces or text
        The hand that the player sees.
    dice : sequence of int
        Dice of each player, the first bidder's first.
    history : iterable of bids, optional
        Bids made so far; they say whose turn it is.
    palifico : bool
        Whether this is a palifico round.
    seat : int, optional
        The player's seat, 1 for the first bidder; refused if another one is on turn.
    claim : Claim or text, optional
        The claim that was accepted last.
    passed : faces or text, optional
        The hand with which it was accepted.
    thrown : int, optional
        How many of it were rerolled.
    offered : Claim or text, optional
        The claim that must be answered.

    Returns
    -------
    BiddingSituation or CupSituation
        `Solution.advise` takes it.

    Raises
    ------
    InputError, InputTypeError
        If the arguments make no situation of these rules.
    IllegalActionError
        If the rules forbid what is said to have happened.

    Examples
    --------
    >>> from liarsolve import presets
    >>> from liarsolve.strategy import read_situation
    >>> known = read_situation(presets.PERUDO, hand="3,3", dice=(1, 2), history=["1x3"])
    >>> known.seat, round(known.p_true(), 2)
    (2, 1.0)
    >>> read_situation(presets.MIA, offered="64", claim="52").question.value
    'answer'
    """
    # The parameters are the documentation, so there are more than eight.
    of_bidding = {"dice": dice, "history": history, "palifico": palifico or None, "seat": seat}
    of_cups = {"claim": claim, "passed": passed, "thrown": thrown, "offered": offered}
    is_cup = isinstance(rules, CupRules)
    for name, value in (of_bidding if is_cup else of_cups).items():
        if value is not None:
            family = "a cup game" if is_cup else "a round of bidding"
            raise InputTypeError(f"in {family} there is no {name}, got {name}={value!r}")
    if isinstance(rules, CupRules):
        return read_cup_situation(
            rules, hand=hand, claim=claim, passed=passed, thrown=thrown, offered=offered
        )
    if dice is None or isinstance(dice, str) or not isinstance(dice, Iterable):
        raise InputTypeError(f"dice are numbers, one for each player, as in (2, 1), got {dice!r}")
    if hand is None:
        raise InputError("say which hand the player on turn holds, such as hand=(3, 3)")
    round_ = Round(rules, tuple(dice), palifico=check_flag("palifico", palifico))
    return read_bidding_situation(round_, hand, () if history is None else history, seat=seat)

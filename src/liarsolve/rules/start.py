"""The first position of any round, whatever its family."""

from typing import overload

from liarsolve.errors import InputTypeError
from liarsolve.rules.bidding.game import BiddingState
from liarsolve.rules.bidding.round import Round
from liarsolve.rules.cup.game import CupGameState
from liarsolve.rules.cup.round import CupRound
from liarsolve.rules.game import GameState

__all__ = ["first_state"]


@overload
def first_state(table: Round) -> BiddingState: ...


@overload
def first_state(table: CupRound) -> CupGameState: ...


def first_state(table: Round | CupRound) -> GameState:
    """Position before any dice have fallen.

    Raises
    ------
    InputTypeError
        If it is no round of either family.

    Examples
    --------
    >>> from liarsolve.rules import CupRound, Round, presets
    >>> first_state(Round(presets.COMMON, (1, 1))).n_players
    2
    >>> first_state(CupRound(presets.CLASSIC, 3)).n_players
    3
    """
    if isinstance(table, Round):
        return BiddingState(table)
    if isinstance(table, CupRound):
        return CupGameState(table)
    raise InputTypeError(f"a round is a Round or a CupRound, got {table!r}")

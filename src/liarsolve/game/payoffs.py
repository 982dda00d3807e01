"""What a round is worth to each player, by how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from liarsolve._typing import F8, I8
from liarsolve.errors import InputError
from liarsolve.rules import CHALLENGE, Call, OutcomeKind

OUTCOMES = (
    OutcomeKind.BIDDER_LOSES,
    OutcomeKind.CHALLENGER_LOSES,
    OutcomeKind.EXACT_RIGHT,
    OutcomeKind.EXACT_WRONG,
)
"""Order of the outcome axis of every payoff table."""


def outcome_ids(call: Call, count: I8, quantity: int) -> I8:
    """Outcomes, as positions in `OUTCOMES`, of a call when ``count`` dice match the bid."""
    if call is CHALLENGE:
        return np.where(count < quantity, 0, 1)
    return np.where(count == quantity, 2, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Payoffs:
    """Utility of the player who called, by outcome; the bidder gets the negative.

    The defaults are +1 for the winner of the round and -1 for the loser. A number holds for
    whoever calls; a tuple has one for each player, as when the outcomes of a round are worth what
    the match is worth from there on.

    Examples
    --------
    >>> Payoffs.for_exact_call((2, 1))
    Payoffs(bidder_loses=1.0, challenger_loses=-1.0, exact_right=2.0, exact_wrong=-1.0)
    """

    bidder_loses: float | tuple[float, ...] = 1.0
    """What a right challenge pays the challenger."""
    challenger_loses: float | tuple[float, ...] = -1.0
    """What a wrong challenge pays the challenger."""
    exact_right: float | tuple[float, ...] = 1.0
    """What a right exact call pays the caller."""
    exact_wrong: float | tuple[float, ...] = -1.0
    """What a wrong exact call pays the caller."""

    def __post_init__(self) -> None:
        for name, value in self.to_dict().items():
            numbers = value if isinstance(value, tuple) else (value,)
            if not all(isfinite(number) for number in numbers):
                raise InputError(f"a payoff must be a finite number, got {name}={value}")

    @classmethod
    def for_exact_call(cls, exact_payoff: Sequence[float]) -> "Payoffs":
        """Payoffs whose exact call pays ``(win, lose)``: +win if right, -lose if wrong."""
        if not isinstance(exact_payoff, Sequence) or len(exact_payoff) != 2:
            raise InputError(
                f"exact_payoff is (win, lose), for instance (1, 1), got {exact_payoff!r}"
            )
        win, lose = (float(x) for x in exact_payoff)
        return cls(exact_right=win, exact_wrong=-lose)

    def to_dict(self) -> dict[str, float | tuple[float, ...]]:
        """Return the payoffs by outcome."""
        return {outcome.name.lower(): getattr(self, outcome.name.lower()) for outcome in OUTCOMES}

    def table(self, n_players: int) -> F8:
        """Utility of every player, float64[outcome, caller, P].

        The player before the caller is the bidder. Players who took no part get 0.
        """
        table = np.zeros((len(OUTCOMES), n_players, n_players))
        for kind, (name, value) in enumerate(self.to_dict().items()):
            by_caller = value if isinstance(value, tuple) else (value,) * n_players
            if len(by_caller) != n_players:
                raise InputError(
                    f"{name} needs one number, or one for each of {n_players} players, got {value}"
                )
            for caller, to_caller in enumerate(by_caller):
                table[kind, caller, caller] = to_caller
                table[kind, caller, caller - 1] = -to_caller
        table.flags.writeable = False
        return table

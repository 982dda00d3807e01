"""What a round is worth to each player, by how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import TypeAlias

import numpy as np

from liarsolve._checks import check_number, check_whole
from liarsolve._typing import F8, I8
from liarsolve.errors import InputError, InputTypeError
from liarsolve.rules import CHALLENGE, Call, OutcomeKind

_LARGEST = 1e6
"""Beyond, sums of payoffs have rounding errors that hide what a solver is to find."""
OUTCOMES = (
    OutcomeKind.BIDDER_LOSES,
    OutcomeKind.CHALLENGER_LOSES,
    OutcomeKind.EXACT_RIGHT,
    OutcomeKind.EXACT_WRONG,
)
"""Order of the outcome axis of every payoff table."""


def outcome_ids(call: Call, count: I8, quantity: int) -> I8:
    """Outcomes, as positions in `OUTCOMES`, of a call when ``count`` dice match the bid.

    Examples
    --------
    >>> from liarsolve.rules import CHALLENGE
    >>> outcome_ids(CHALLENGE, np.array([1, 2, 3]), 2).tolist()  # the bid was false, true, true
    [0, 1, 1]
    """
    if call is CHALLENGE:
        return np.where(count < quantity, 0, 1)
    return np.where(count == quantity, 2, 3)


Payoff: TypeAlias = float | tuple[float | tuple[float, ...], ...]
"""What an outcome is worth: a number, or for each caller a number or one for each player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payoffs:
    """Utility of the players, by outcome.

    Between two players a number is what the caller gets, and the bidder gets the negative; the
    defaults are +1 for the winner of the round and -1 for the loser. Among more players somebody
    has won or lost against the whole table: a challenged bidder, or whoever called. Their utility
    is as between two, and the others share in equal parts what they pay, or pay what they get: with
    the defaults the loser of a round pays 1. So the utilities of an outcome sum to 0.

    A number holds for whoever calls. A tuple has one for each player who may call, as when the
    outcomes of a round are worth what the match is worth from there on. A tuple of tuples says for
    each caller what every player gets, whatever that sums to.

    Examples
    --------
    >>> Payoffs.for_exact_call((2, 1))
    Payoffs(bidder_loses=1.0, challenger_loses=-1.0, exact_right=2.0, exact_wrong=-1.0)
    >>> Payoffs().table(3)[0, 1].tolist()  # player 1 was right to challenge player 0
    [-1.0, 0.5, 0.5]
    """

    bidder_loses: Payoff = 1.0
    """What a challenge costs the bidder if it is right, and brings the others."""
    challenger_loses: Payoff = -1.0
    """What a wrong challenge pays the challenger."""
    exact_right: Payoff = 1.0
    """What a right exact call pays the caller."""
    exact_wrong: Payoff = -1.0
    """What a wrong exact call pays the caller."""

    def __post_init__(self) -> None:
        for name, value in self.to_dict().items():
            numbers = value if isinstance(value, tuple) else (value,)
            for number in numbers:
                parts = number if isinstance(number, tuple) else (number,)
                for part in parts:
                    if isinstance(part, bool) or not isinstance(part, Real):
                        raise InputTypeError(f"a payoff is a number, got {name}={value!r}")
                if not all(isfinite(part) for part in parts):
                    raise InputError(f"a payoff must be a finite number, got {name}={value}")
                if max(map(abs, parts), default=0.0) > _LARGEST:
                    raise InputError(
                        f"a payoff lies within {_LARGEST:g} of 0, got {name}={value}; what counts "
                        "is how payoffs compare with one another"
                    )

    @classmethod
    def for_exact_call(cls, exact_payoff: Sequence[float]) -> "Payoffs":
        """Payoffs whose exact call pays ``(win, lose)``: +win if right, -lose if wrong."""
        if not isinstance(exact_payoff, Sequence) or len(exact_payoff) != 2:
            raise InputError(
                f"exact_payoff is (win, lose), for instance (1, 1), got {exact_payoff!r}"
            )
        win, lose = (  # floats are checked with the payoffs
            x if isinstance(x, float) else check_number("exact_payoff", x) for x in exact_payoff
        )
        return cls(exact_right=win, exact_wrong=-lose)

    def to_dict(self) -> dict[str, Payoff]:
        """Return the payoffs by outcome."""
        return {outcome.name.lower(): getattr(self, outcome.name.lower()) for outcome in OUTCOMES}

    def table(self, n_players: int) -> F8:
        """Utility of every player, float64[outcome, caller, P].

        The player before the caller is the bidder.
        """
        n_players = check_whole("n_players", n_players, at_least=2, at_most=1000)
        table = np.empty((len(OUTCOMES), n_players, n_players))
        for kind, (name, value) in enumerate(self.to_dict().items()):
            by_caller = value if isinstance(value, tuple) else (value,) * n_players
            if len(by_caller) != n_players:
                raise InputError(
                    f"{name} needs one number, or one for each of {n_players} players, got {value}"
                )
            for caller, payoff in enumerate(by_caller):
                if isinstance(payoff, tuple):
                    if len(payoff) != n_players:
                        raise InputError(
                            f"{name} needs a number for each of {n_players} players in every "
                            f"tuple, got {payoff}"
                        )
                    table[kind, caller] = payoff
                else:
                    table[kind, caller] = _against_the_table(
                        OUTCOMES[kind], payoff, caller, n_players
                    )
        table.flags.writeable = False
        return table


def _against_the_table(outcome: OutcomeKind, payoff: float, caller: int, n_players: int) -> F8:
    """Utility of every player if one has won or lost against all others, float64[P]."""
    if outcome is OutcomeKind.BIDDER_LOSES:
        alone, to_him = (caller - 1) % n_players, -payoff
    else:
        alone, to_him = caller, payoff
    utilities = np.full(n_players, -to_him / (n_players - 1))
    utilities[alone] = to_him
    return utilities

"""What is proved or measured about strategies."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from liarsolve.errors import InputError
from liarsolve.game import Payoffs

_ROUNDING = 1e-12
"""More than the rounding error of a best response: values are sums of at most some thousand terms
that add up to 1 in size, and each addition is off by at most 1.1e-16 of the sum."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What exact best responses in the true game prove about a pair of strategies.

    Player 0's strategy earns at least ``value_bounds[0]`` whatever player 1 does, and against
    player 1's nobody earns more than ``value_bounds[1]``, so the value of the game lies between.
    """

    br_values: tuple[float, ...]
    """Utility of each player's best response to the others' strategies, or a little more."""
    payoff_range: tuple[float, float] = (-math.inf, math.inf)
    """Least and most that a round can be worth to player 0."""
    least_br_values: tuple[float, ...] | None = None
    """Utility that a best response of each player has at the least; None if nobody has looked."""

    @classmethod
    def of(
        cls,
        br_values: Sequence[float],
        payoffs: Payoffs | None,
        least_br_values: Sequence[float] | None = None,
    ) -> "Certificate":
        """Certificate of a round with these payoffs, which no bound on its value exceeds.

        Examples
        --------
        >>> Certificate.of((0.5, 1.0), Payoffs()).value_bounds  # not a little below -1
        (-1.0, 0.500000000001)
        """
        utility = (payoffs or Payoffs()).table(2)[:, :, 0]
        least = None if least_br_values is None else tuple(least_br_values)
        return cls(tuple(br_values), (float(utility.min()), float(utility.max())), least)

    @property
    def value_bounds(self) -> tuple[float, float]:
        """Lower and upper bound on the value of the round to player 0, safe from rounding."""
        least, most = self.payoff_range
        lower, upper = -self.br_values[1] - _ROUNDING, self.br_values[0] + _ROUNDING
        return (min(max(lower, least), most), max(min(upper, most), least))

    @property
    def nash_conv(self) -> float:
        """Sum over players of what each could still gain; the game is zero-sum."""
        return max(sum(self.br_values), 0.0)  # less than 0 only by rounding

    @property
    def exploitability(self) -> float:
        """Half of `nash_conv`: what a strategy loses on average to a perfect opponent."""
        return self.nash_conv / 2

    @property
    def exploitability_bounds(self) -> tuple[float, float]:
        """What the exploitability lies between, both ends proved.

        Examples
        --------
        >>> Certificate((0.25, 0.5), least_br_values=(0.25, 0.25)).exploitability_bounds
        (0.25, 0.375)
        """
        least = 0.0 if self.least_br_values is None else sum(self.least_br_values) / 2
        return (min(max(least, 0.0), self.exploitability), self.exploitability)


@dataclass(frozen=True, slots=True)
class BoundedLoss:
    """What holds of two players whose best responses were not traversed to the end.

    What was left out counts in full against their strategies, so the bounds are true and may say
    little. What is lost lies between `lower_bound`, if one was found, and `exploitability`.
    """

    most: Certificate
    """What would hold if best responses earned all that was left out."""
    lower_bound: "LowerBound | None" = None
    """What the strategies lose at least; None if nobody has looked for it."""

    @property
    def br_values(self) -> tuple[float, ...]:
        """Most that a best response of each player could earn."""
        return self.most.br_values

    @property
    def value_bounds(self) -> tuple[float, float]:
        """Lower and upper bound on the value of the round to player 0."""
        return self.most.value_bounds

    @property
    def nash_conv(self) -> float:
        """Sum over players of what each could still gain at the most."""
        return self.most.nash_conv

    @property
    def exploitability(self) -> float:
        """Half of `nash_conv`: the most that the strategies lose on average."""
        return self.most.exploitability

    @property
    def exploitability_bounds(self) -> tuple[float, float]:
        """What the exploitability lies between, both ends proved."""
        return self.most.exploitability_bounds

    @property
    def least_br_values(self) -> tuple[float, ...] | None:
        """Utility that plans of each player reach."""
        return self.most.least_br_values


@dataclass(frozen=True, slots=True)
class ProfileCertificate:
    """What exact best responses in the true game say about the strategies of all players.

    With three or more players no bound on a value of the game follows: there may be many
    equilibria, worth different amounts, and each player's value here is that of these strategies.
    """

    values: tuple[float, ...]
    """Utility of each player when all follow their strategies, or a little less."""
    br_values: tuple[float, ...]
    """Utility of each player's best response to the others' strategies, or a little more."""

    @property
    def gains(self) -> tuple[float, ...]:
        """What each player could gain at the most by leaving their strategy, safe from rounding."""
        return tuple(
            max(best - value, 0.0) + _ROUNDING
            for best, value in zip(self.br_values, self.values, strict=True)
        )

    @property
    def nash_conv(self) -> float:
        """Sum over players of what each could gain; 0 exactly at a Nash equilibrium."""
        return sum(self.gains)

    @property
    def value_bounds(self) -> None:
        """None: there may be many equilibria, worth different amounts."""

    @property
    def exploitability(self) -> None:
        """None: it is about two players who play for the same stake; see `nash_conv`."""

    @property
    def exploitability_bounds(self) -> None:
        """None, as `exploitability`."""

    @property
    def least_br_values(self) -> None:
        """None: best responses were traversed in full."""


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """Nothing is known of the strategies: best responses are too long to traverse.

    That happens to large rounds of more than two players with an abstraction.
    """

    @property
    def br_values(self) -> None:
        """None."""

    @property
    def value_bounds(self) -> None:
        """None."""

    @property
    def nash_conv(self) -> None:
        """None."""

    @property
    def exploitability(self) -> None:
        """None."""

    @property
    def exploitability_bounds(self) -> None:
        """None."""

    @property
    def least_br_values(self) -> None:
        """None."""


AnyCertificate: TypeAlias = Certificate | BoundedLoss | ProfileCertificate | Unmeasured
"""What is known of strategies; which of the four it is says how it is known."""


def certificate_after(
    certificate: Certificate | ProfileCertificate,
    *,
    is_complete: bool,
    lower_bound: "LowerBound | None" = None,
) -> AnyCertificate:
    """What a measurement comes to, which may not have been traversed to the end.

    Examples
    --------
    >>> certificate_after(ProfileCertificate((0.0, 0.0), (0.1, 0.1)), is_complete=False)
    Unmeasured()
    >>> certificate_after(Certificate((0.1, 0.1)), is_complete=False).exploitability
    0.1
    """
    if is_complete:
        return certificate
    if isinstance(certificate, ProfileCertificate):
        return Unmeasured()
    return BoundedLoss(certificate, lower_bound)


@dataclass(frozen=True, slots=True, kw_only=True)
class LowerBound:
    """A lower bound of the exploitability of a pair of strategies, in utility per round.

    Responders that may be played in the true game earn so much on average; a best response earns
    as much or more.

    Examples
    --------
    >>> bound = LowerBound(
    ...     value=0.031, lo=0.027, hi=0.035, confidence=0.95, n_deals=5000,
    ...     br_values=(0.04, 0.022), method="a local best response",
    ... )
    >>> print(bound)
    at least 0.031 (95 %: 0.027 to 0.035) to a local best response
    """

    value: float
    """Half of what both responders earn: a mean over deals, or computed."""
    lo: float
    """Lower end of the confidence interval of ``value``; equal to it if nothing was drawn."""
    hi: float
    """Upper end. The exploitability itself may be above it: it is an interval of the bound."""
    confidence: float
    """Chance with which such an interval holds the expectation; 1 if nothing was drawn."""
    n_deals: int
    """Deals that were played for each seat; 0 if nothing was drawn."""
    br_values: tuple[float, float]
    """What the responder earns in each seat."""
    method: str
    """Who the responder is, in words that follow "loses to"."""

    def __post_init__(self) -> None:
        numbers = (self.lo, self.value, self.hi)
        if not all(map(math.isfinite, (*numbers, *self.br_values))) or len(self.br_values) != 2:
            raise InputError(f"a lower bound has finite numbers, got {self!r}")
        if not self.lo <= self.value <= self.hi:
            raise InputError(f"a bound lies in its interval, got {self!r}")

    def __str__(self) -> str:
        words = f"at least {self.value:.3g}"
        interval = f"{100 * self.confidence:g} %: {self.lo:.3g} to {self.hi:.3g}"
        if self.lo <= 0.0:
            words = f"nothing for certain ({interval})"
        elif self.n_deals:
            words += f" ({interval})"
        return f"{words} to {self.method}"

    def to_dict(self) -> dict[str, Any]:
        """Every field, as plain values for JSON."""
        return {
            "value": self.value,
            "lo": self.lo,
            "hi": self.hi,
            "confidence": self.confidence,
            "n_deals": self.n_deals,
            "br_values": list(self.br_values),
            "method": self.method,
        }

    @staticmethod
    def from_dict(values: Mapping[str, Any]) -> "LowerBound":  # Any: parsed JSON
        """Read what `to_dict` has written."""
        first, second = values["br_values"]
        return LowerBound(
            value=float(values["value"]),
            lo=float(values["lo"]),
            hi=float(values["hi"]),
            confidence=float(values["confidence"]),
            n_deals=int(values["n_deals"]),
            br_values=(float(first), float(second)),
            method=str(values["method"]),
        )

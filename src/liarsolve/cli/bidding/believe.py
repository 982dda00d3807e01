"""What the bids of the other players are taken to say about their hands: ``--believe``."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from liarsolve.errors import InputError

if TYPE_CHECKING:
    from liarsolve.dice import Hand
    from liarsolve.odds import BidModel, SeenBid
    from liarsolve.odds.distribution import Probability

DEFAULT_READING = "threshold:1,0.3"

BELIEVE_HELP = (
    "how to take the bids of the others: threshold:M,B (a bid comes from a hand with M dice or "
    "more that match it, and from other hands B times as often), honest:L (from a hand that sees "
    "a chance of L or more that it is true) or uninformative (default: "
    f"{DEFAULT_READING})"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to take a bid, with its numbers."""

    name: str
    level: float | None = None
    min_matches: int | None = None
    bluff_rate: float | None = None

    def model(self) -> "BidModel":
        """Make the model of bids."""
        from liarsolve.odds import Honest, Threshold, Uninformative

        if self.level is not None:
            return Honest(self.level)
        if self.min_matches is not None and self.bluff_rate is not None:
            return Threshold(self.min_matches, self.bluff_rate)
        return Uninformative()

    def __str__(self) -> str:
        numbers = [n for n in (self.level, self.min_matches, self.bluff_rate) if n is not None]
        return self.name + (":" if numbers else "") + ",".join(f"{n:g}" for n in numbers)

    def explain(self) -> str:
        """Say in words what a bid tells."""
        if self.level is not None:
            return (
                "a bid comes only from a hand that sees a chance of "
                f"{self.level:g} or more that it is true"
            )
        if self.min_matches is not None:
            dice = "one die" if self.min_matches == 1 else f"{self.min_matches} dice"
            return (
                f"a hand with {dice} or more that match bids so, and any other hand "
                f"{self.bluff_rate:g} times as often"
            )
        return "a bid says nothing about the hand"

    def to_dict(self) -> dict[str, str | float | None]:
        """Write the reading for programs."""
        return {
            "model": self.name,
            "level": self.level,
            "min_matches": self.min_matches,
            "bluff_rate": self.bluff_rate,
        }


def parse_reading(text: str | None) -> Reading:
    """Read ``--believe``: a name, and its numbers after a colon.

    Raises
    ------
    InputError
        If there is no such reading, or its numbers are none.

    >>> str(parse_reading("honest")), str(parse_reading("threshold:2")), str(parse_reading(None))
    ('honest:0.5', 'threshold:2,0.3', 'threshold:1,0.3')
    """
    name, colon, rest = (text or DEFAULT_READING).strip().lower().partition(":")
    words = rest.split(",") if colon else []
    try:
        if name == "uninformative" and not colon:
            return Reading(name)
        if name == "honest" and len(words) <= 1:
            return Reading(name, level=_chance(words[0]) if words else 0.5)
        if name == "threshold" and len(words) <= 2:
            matches = _whole(words[0]) if words else 1
            bluff_rate = _chance(words[1]) if len(words) > 1 else 0.3
            return Reading(name, min_matches=matches, bluff_rate=bluff_rate)
    except ValueError:
        pass
    raise InputError(
        "--believe is honest, threshold or uninformative, perhaps with numbers as in honest:0.5 "
        f"(a chance) or threshold:1,0.3 (dice, and a chance), got {text!r}"
    )


def _chance(word: str) -> float:
    chance = float(word)
    if not 0 <= chance <= 1:
        raise ValueError(word)
    return chance


def _whole(word: str) -> int:
    number = int(word)
    if not 0 <= number <= 10**6:
        raise ValueError(word)
    return number


@dataclass(frozen=True, slots=True)
class AtTheTime:
    """A model of bids that counts the face which was wild when the bid was made."""

    model: "BidModel"
    wild: int | None

    def likelihood(self, bid: "SeenBid", hand: "Hand") -> "Probability":
        """Likelihood of the bid by the model."""
        return self.model.likelihood(replace(bid, wild=self.wild), hand)

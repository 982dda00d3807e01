"""Abstractions: what players forget, so that large rounds come within reach."""

from dataclasses import dataclass

from liarsolve.errors import InputError, InputTypeError


@dataclass(frozen=True, slots=True)
class Recall:
    """Players remember the last few bids, who made them, and nothing else of the bidding.

    What decides which actions are legal and what a bid is worth, such as whether ones are still
    wild, is never forgotten. As long as no more bids than that have been made, players also know
    that these are all.

    Examples
    --------
    >>> Recall(3)
    Recall(n_bids=3)
    >>> print(Recall(3))
    recall 3
    """

    n_bids: int
    """Bids that a player remembers, the standing one among them; at least 1."""

    def __post_init__(self) -> None:
        if isinstance(self.n_bids, bool) or not hasattr(self.n_bids, "__index__"):
            raise InputTypeError(f"recall is a whole number of bids, got {self.n_bids!r}")
        object.__setattr__(self, "n_bids", self.n_bids.__index__())
        if self.n_bids < 1:
            raise InputError(
                f"players remember at least the standing bid: recall 1 or more, got {self.n_bids}"
            )

    def __str__(self) -> str:
        return f"recall {self.n_bids}"

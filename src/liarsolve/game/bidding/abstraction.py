"""Abstractions: what players leave out of account, so that large rounds come within reach."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from liarsolve._checks import check_whole
from liarsolve.errors import InputError, InputTypeError

PARTS = ("recall", "max_jump", "similar_hands")
"""Names of what an abstraction may leave out."""
_LEAST = {
    "recall": "players remember at least the standing bid: recall 1 or more",
    "max_jump": "players raise at least by one legal bid: jumps of up to 1 or more",
    "similar_hands": "players look at one bid above the standing one: hands by the next 1 or more",
}
"""What every part means at its smallest, which is 1."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Abstraction:
    """What players leave out of account; parts combine with ``&``.

    A strategy under an abstraction can be asked after any history all the same, and its
    exploitability in the full game is measured in the round as it is.

    Raises
    ------
    InputTypeError
        If a part is not a whole number.
    InputError
        If one is below 1, or nothing is left out.

    Examples
    --------
    >>> abstraction = Recall(3) & MaxJump(12)
    >>> abstraction
    Recall(3) & MaxJump(12)
    >>> print(abstraction)
    recall 3, jumps of up to 12
    """

    recall: int | None = None
    """Bids that a player remembers, the standing one among them; None if all of them."""
    max_jump: int | None = None
    """How far a raise goes at the most: to this many legal bids above the standing one. The
    opening bid is free. None if any raise may be made."""

    similar_hands: int | None = None
    """Bids above the standing one that hands are told apart by; None if all hands are."""

    def __post_init__(self) -> None:
        parts = self.parts
        if not parts:
            raise InputError("an abstraction leaves something out: write Recall(3) or MaxJump(12)")
        for name, value in parts.items():
            number = _read_bids(name, value)
            if number < 1:
                raise InputError(f"{_LEAST[name]}, got {number}")
            object.__setattr__(self, name, number)

    @property
    def parts(self) -> dict[str, int]:
        """What is left out, by field name."""
        return {name: value for name, value in self.to_dict().items() if value is not None}

    @property
    def habits(self) -> str:
        """Who these players are.

        Examples
        --------
        >>> (Recall(3) & MaxJump(12)).habits
        'players who forget all other bids and think of no higher raises'
        """
        words = {
            "recall": "forget all other bids",
            "max_jump": "think of no higher raises",
            "similar_hands": "tell hands apart by these bids alone",
        }
        return "players who " + _join([words[name] for name in self.parts])

    @property
    def responder(self) -> str:
        """Who a best response is that shares none of these habits."""
        words = {
            "recall": "forgets nothing",
            "max_jump": "makes any bid",
            "similar_hands": "sees all its dice",
        }
        return "a best response that " + _join([words[name] for name in self.parts])

    def __and__(self, other: "Abstraction") -> "Abstraction":
        """Both: what either leaves out is left out.

        Raises
        ------
        InputTypeError
            If ``other`` is no abstraction.
        InputError
            If both speak of the same part.
        """
        if not isinstance(other, Abstraction):
            raise InputTypeError(
                f"an abstraction is combined with another, such as MaxJump(12), got {other!r}"
            )
        for name in self.parts:
            if name in other.parts:
                raise InputError(
                    f"{self!r} and {other!r} both speak of {_name(name)}; write that part once"
                )
        return Abstraction(**self.parts, **other.parts)

    def __repr__(self) -> str:
        builders = {"recall": "Recall", "max_jump": "MaxJump", "similar_hands": "SimilarHands"}
        return " & ".join(f"{builders[name]}({value})" for name, value in self.parts.items())

    def __str__(self) -> str:
        words = {
            "recall": f"recall {self.recall}",
            "max_jump": f"jumps of up to {self.max_jump}",
            "similar_hands": f"hands by the next {self.similar_hands}",
        }
        return ", ".join(words[name] for name in self.parts)

    def to_dict(self) -> dict[str, int | None]:
        """Every part as a plain value, for manifests and JSON."""
        return {
            "recall": self.recall,
            "max_jump": self.max_jump,
            "similar_hands": self.similar_hands,
        }

    @classmethod
    def describe(cls, abstraction: "Abstraction | None") -> dict[str, int | None]:
        """`to_dict`, also where nothing is left out."""
        if abstraction is None:
            return dict.fromkeys(PARTS)
        return abstraction.to_dict()

    @staticmethod
    def from_dict(values: Mapping[str, Any]) -> "Abstraction | None":  # Any: parsed JSON
        """Read what `to_dict` has written, also among other entries; None if nothing is left out.

        Examples
        --------
        >>> Abstraction.from_dict({"rules": "common", "recall": 3})
        Recall(3)
        """
        parts = {name: values.get(name) for name in PARTS}
        given = {name: value for name, value in parts.items() if value is not None}
        return Abstraction(**given) if given else None


def Recall(n_bids: int) -> Abstraction:  # noqa: N802  # reads as the name of what it makes
    """Players remember the last few bids, who made them, and nothing else of the bidding.

    What decides which actions are legal and what a bid is worth, such as whether ones are still
    wild, is never forgotten. As long as no more bids than that have been made, players also know
    that these are all.

    Examples
    --------
    >>> Recall(3).recall
    3
    """
    return Abstraction(recall=n_bids)


def MaxJump(n_bids: int) -> Abstraction:  # noqa: N802
    """Players raise to one of the first few legal bids only; the opening bid is free.

    Others may still bid higher, and best responses do. Then the standing bid is the true one, but
    of the bids before it each is taken for the lowest from which the next one can be reached in a
    jump, if it was lower than that: see `merge_states`.

    Examples
    --------
    >>> MaxJump(12).max_jump
    12
    """
    return Abstraction(max_jump=n_bids)


def SimilarHands(n_bids: int) -> Abstraction:  # noqa: N802
    """Players tell hands apart by how many dice match the standing bid and the next few legal bids.

    Hands that are alike in that are played alike, though they may differ for higher bids. Before
    the opening bid no hands are alike. If all faces are among these bids, nothing is lost.

    Examples
    --------
    >>> print(Recall(3) & MaxJump(6) & SimilarHands(3))
    recall 3, jumps of up to 6, hands by the next 3
    """
    return Abstraction(similar_hands=n_bids)


def _join(words: list[str]) -> str:
    """Join words as in a sentence."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _read_bids(part: str, value: object) -> int:
    try:
        return check_whole(_name(part), value)
    except InputTypeError:
        wanted = f"{_name(part)} is a whole number of bids, got {value!r}"
        raise InputTypeError(wanted) from None


def _name(part: str) -> str:
    return part.replace("_", " ")

"""The protocol that positions of every game keep: rounds of bidding, rounds under a cup, matches.

Whatever plays games, shows them or hands them to other programs needs nothing but this; what a
position consists of, and which actions there are, is the family's own affair.
"""

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Protocol, Self, TypeVar

from liarsolve.errors import IllegalActionError

__all__ = ["GameState", "follow"]


class GameState(Protocol):
    """A position of a game, secrets included; positions are values and never change.

    Players are numbered in turn order, from 0. At a chance position `legal_actions` are what may
    fall, and `chance_outcomes` says how likely each is.
    """

    @property
    def n_players(self) -> int:
        """Number of players."""
        ...

    @property
    def to_act(self) -> int | None:
        """Player whose turn it is; None at a chance position, and when the game is over."""
        ...

    @property
    def is_chance(self) -> bool:
        """Whether something has to fall before anybody may act."""
        ...

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        ...

    def legal_actions(self, player: int | None = None) -> tuple[Any, ...]:
        """All that ``player`` (the one on turn) may do, or that may fall; none at the end."""
        ...

    def illegal_reason(self, action: Any, player: int | None = None) -> str | None:
        """Say in one sentence why ``player`` (the one on turn) may not do this; None if they may.

        Raises
        ------
        InputTypeError
            If it is no action of this family.
        """
        ...

    def apply(self, action: Any, player: int | None = None) -> Self:
        """Position after ``player`` (the one on turn) has done this, or after it has fallen.

        Raises
        ------
        IllegalActionError
            With the sentence of `illegal_reason`.
        """
        ...

    def chance_outcomes(self) -> Mapping[Any, Fraction]:
        """Chance of everything that may fall now; empty where nothing is due. They sum to 1."""
        ...

    def information_state(self, player: int) -> Hashable:
        """All that a player knows: equal for two positions just where they cannot tell them apart.

        It remembers everything that the player has seen or done (perfect recall).
        """
        ...

    def returns(self) -> tuple[Fraction, ...]:
        """Utility of every player.

        Raises
        ------
        InputError
            If the game is not over.
        """
        ...

    def parse_action(self, text: str) -> Any:
        """Read an action as `format_action` writes it, or as people say it."""
        ...

    def format_action(self, action: Any) -> str:
        """Write an action in its short form."""
        ...


S = TypeVar("S", bound=GameState)


def follow(state: S, actions: Iterable[Any]) -> S:
    """Position after actions, given as values or as text, and after what falls between them.

    Raises
    ------
    IllegalActionError
        With the number of the first illegal action, and the sentence of `illegal_reason`.

    Examples
    --------
    >>> from liarsolve.rules import Round, first_state, presets
    >>> state = follow(first_state(Round(presets.COMMON, (1, 1))), ["thrown 4", "thrown 2", "1x4"])
    >>> state.to_act, state.information_state(1).hand
    (1, (2,))
    """
    for number, entry in enumerate(actions, start=1):
        action = state.parse_action(entry) if isinstance(entry, str) else entry
        reason = state.illegal_reason(action)
        if reason is not None:
            raise IllegalActionError(f"action {number}, {state.format_action(action)}: {reason}")
        state = state.apply(action)
    return state

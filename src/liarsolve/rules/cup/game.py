"""A round of a cup game as a game of its own, with everything that chance does."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeAlias

from liarsolve.errors import InputError
from liarsolve.rules.calls import Call
from liarsolve.rules.chance import Thrown
from liarsolve.rules.cup.actions import CupAction, CupMove, format_cup_action, parse_cup_action
from liarsolve.rules.cup.round import CupRound
from liarsolve.rules.cup.state import CupHolding, CupOutcome, CupPhase, CupState

__all__ = ["CupGameState", "CupPayoff", "CupView", "loser_pays", "winner_takes"]

CupPayoff: TypeAlias = Callable[[CupRound, CupOutcome], Sequence[float | Fraction]]
"""What each player gets at the end of a round."""


def loser_pays(table: CupRound, outcome: CupOutcome) -> list[Fraction]:
    """The loser of the round pays 1, which the others share; twice as much where that is a rule.

    Between two players this is +1 to the winner and -1 to the loser.

    Examples
    --------
    >>> from liarsolve.rules import CupRound, follow, first_state, presets
    >>> table = CupRound(presets.BOX, 3)
    >>> outcome = table.outcome(table.state_after(["thrown 99QJT", "JJ", "liar"]))
    >>> [str(paid) for paid in loser_pays(table, outcome)]
    ['-1', '1/2', '1/2']
    """
    times = outcome.n_penalties
    share = Fraction(times, table.n_players - 1)
    return [Fraction(-times) if p == outcome.loser else share for p in range(table.n_players)]


def winner_takes(table: CupRound, outcome: CupOutcome) -> list[Fraction]:
    """The loser of the challenge gives 1 to its winner, and nobody else gets anything.

    Examples
    --------
    >>> from liarsolve.rules import CupRound, presets
    >>> table = CupRound(presets.BOX, 3)
    >>> outcome = table.outcome(table.state_after(["thrown 99QJT", "JJ", "liar"]))
    >>> [str(paid) for paid in winner_takes(table, outcome)]
    ['-1', '1', '0']
    """
    return [Fraction((p == outcome.winner) - (p == outcome.loser)) for p in range(table.n_players)]


@dataclass(frozen=True, slots=True)
class CupView:
    """What one player knows of a round: every turn, with None for what they have not seen.

    Examples
    --------
    >>> from liarsolve.rules.presets import LIAR_DIE
    >>> state = CupGameState(CupRound(LIAR_DIE)).apply(Thrown((2,)))
    >>> [state.information_state(player).turns[0].hand for player in (0, 1)]
    [(2,), None]
    """

    player: int
    turns: tuple[CupHolding, ...]
    phase: CupPhase
    response: Call | CupMove | None
    tried_hand: tuple[int, ...] | None
    n_tries: int


@dataclass(frozen=True)
class CupGameState:
    """A position of a round of a cup game, secrets included; it keeps `GameState`.

    Examples
    --------
    >>> from liarsolve.rules.presets import LIAR_DIE
    >>> state = CupGameState(CupRound(LIAR_DIE))
    >>> state.is_chance, len(state.chance_outcomes())
    (True, 6)
    >>> state = state.apply(Thrown((2,))).apply(state.parse_action("5"))
    >>> state.to_act, state.information_state(1).turns[0].hand
    (1, None)
    >>> state.apply(state.parse_action("liar")).returns()
    (Fraction(-1, 1), Fraction(1, 1))
    """

    table: CupRound
    cup: CupState | None = None
    """Where the round stands; its beginning if not given."""
    payoff: CupPayoff = field(default=loser_pays, repr=False)

    def __post_init__(self) -> None:
        if self.cup is None:
            object.__setattr__(self, "cup", self.table.initial_state())

    @property
    def _state(self) -> CupState:
        assert self.cup is not None  # filled in above
        return self.cup

    @property
    def n_players(self) -> int:
        """Number of players."""
        return self.table.n_players

    @property
    def to_act(self) -> int | None:
        """Player who has to act; None while a throw comes out, and after the round."""
        return self.table.to_act(self._state)

    @property
    def is_chance(self) -> bool:
        """Whether a throw has to come out before anybody may act."""
        return self._state.is_chance

    @property
    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self._state.is_terminal

    def legal_actions(self, player: int | None = None) -> tuple[CupAction, ...]:
        """All that may happen next: claims from low to high, keeps from few dice to many."""
        actions = self.table.legal_actions(self._state)
        if player is None:
            return actions
        return tuple(a for a in actions if self.illegal_reason(a, player) is None)

    def illegal_reason(self, action: CupAction, player: int | None = None) -> str | None:
        """Say in one sentence why this may not be done now; None if it may."""
        return self.table.illegal_reason(self._state, action, player)

    def apply(self, action: CupAction, player: int | None = None) -> "CupGameState":
        """Position after this.

        Raises
        ------
        IllegalActionError
            With the sentence of `illegal_reason`.
        """
        return replace(self, cup=self.table.next_state(self._state, action, player))

    def chance_outcomes(self) -> Mapping[Thrown, Fraction]:
        """Chance of every hand that the throw may leave under the cup."""
        return {
            Thrown(hand): prob for hand, prob in self.table.chance_distribution(self._state).items()
        }

    def information_state(self, player: int) -> CupView:
        """All that a player knows."""
        state = self._state
        return CupView(
            player=player,
            turns=self.table.view(state, player),
            phase=state.phase,
            response=state.response,
            tried_hand=state.tried_hand if self._shows_tries(player) else None,
            n_tries=state.n_tries,
        )

    def _shows_tries(self, player: int) -> bool:
        """Whether a player sees what the top hand is tried from: all do, once it was thrown."""
        return self._state.n_tries > 0 or self.is_terminal or player == self.to_act

    @property
    def outcome(self) -> CupOutcome:
        """How the round has ended.

        Raises
        ------
        InputError
            If it is not over.
        """
        if not self.is_terminal:
            raise InputError("the round is not over, nobody has answered for good yet")
        return self.table.outcome(self._state)

    def returns(self) -> tuple[Fraction, ...]:
        """Utility of every player, by ``payoff``.

        Raises
        ------
        InputError
            If the round is not over.
        """
        paid = self.payoff(self.table, self.outcome)
        return tuple(Fraction(utility) for utility in paid)

    def parse_action(self, text: str) -> CupAction:
        """Read a claim, liar, accept, concede, look, blind, keep JJ or thrown QQQ99."""
        return parse_cup_action(text, self.table.rules)

    def format_action(self, action: CupAction) -> str:
        """Write it as `parse_action` reads it."""
        return format_cup_action(action, self.table.rules)

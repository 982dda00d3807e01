"""A whole match as a game of its own, whatever its family: from the first throw to the winner."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Protocol

from liarsolve.errors import IllegalActionError, InputError
from liarsolve.rules.bidding.game import BiddingState, BiddingView
from liarsolve.rules.bidding.match import BiddingMatch
from liarsolve.rules.bidding.round import Round
from liarsolve.rules.bidding.rule_set import RuleSet
from liarsolve.rules.cup.game import CupGameState, CupView
from liarsolve.rules.cup.match import CupMatch
from liarsolve.rules.cup.round import CupRound
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.rules.start import first_state

__all__ = ["Match", "MatchState", "MatchView", "Score", "Starts", "match_of"]

_PLAYER = re.compile(r"\b(player(?: on turn,)?) ([0-9]+)\b")
"""How rounds name a player in their sentences."""


class Score(Protocol):
    """Where a match stands between two rounds: `BiddingScore` or `CupScore`."""

    @property
    def starter(self) -> int:
        """Who starts the next round."""
        ...

    @property
    def live(self) -> tuple[int, ...]:
        """Players who are still in."""
        ...


class Match(Protocol):
    """What `BiddingMatch` and `CupMatch` share; scores and outcomes are of their own kinds."""

    @property
    def rules(self) -> RuleSet | CupRules:
        """The rules."""
        ...

    @property
    def n_players(self) -> int:
        """Number of players who sat down."""
        ...

    def start(self, first: int = 0) -> Any:
        """Score before the first round, which ``first`` starts."""
        ...

    def winners(self, score: Any) -> tuple[int, ...]:
        """Players who have not lost, once the match is over; nobody before."""
        ...

    def seats(self, score: Any) -> tuple[int, ...]:
        """Players of the next round in turn order."""
        ...

    def round(self, score: Any) -> Round | CupRound:
        """Return the next round, its players in the order of `seats`."""
        ...

    def after(self, score: Any, outcome: Any) -> Any:
        """Score after a round that was played from ``score``."""
        ...


def match_of(rules: RuleSet | CupRules, n_players: int) -> BiddingMatch | CupMatch:
    """Seat players for a match by these rules.

    Raises
    ------
    InputError, InputTypeError
        If rules or number of players are not as `BiddingMatch` or `CupMatch` take them.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> match_of(presets.PERUDO, 3).start().dice, match_of(presets.MIA, 3).start().stakes
    ((5, 5, 5), (6, 6, 6))
    """
    if isinstance(rules, CupRules):
        return CupMatch(rules, n_players)
    return BiddingMatch(rules, n_players)


@dataclass(frozen=True, slots=True)
class Starts:
    """Chance decides who starts a match.

    >>> str(Starts(2))
    'starts 3'
    """

    player: int

    def __str__(self) -> str:
        return f"starts {self.player + 1}"


@dataclass(frozen=True, slots=True)
class MatchView:
    """What one player knows of a match: the score, and what they have seen of every round.

    Examples
    --------
    >>> from liarsolve.rules import follow, presets
    >>> state = MatchState(match_of(presets.LIAR_DIE, 2), first=0)
    >>> state = follow(state, ["thrown 2", "5"])
    >>> state.information_state(1).now.turns[0].hand is None
    True
    """

    player: int
    score: Score | None
    """None until somebody starts."""
    now: BiddingView | CupView | None
    """The round that is going on, its players in turn order; None where there is none."""
    past: tuple[BiddingView | CupView | None, ...] = ()
    """The rounds before, oldest first; None for those that were played after this player was
    out."""


@dataclass(frozen=True)
class MatchState:
    """A position of a match, secrets included; it keeps `GameState`.

    Players are numbered as they sit, to the left, and keep their numbers for the whole match.
    Between two rounds nothing is decided, so the next one begins with its throws at once.

    Parameters
    ----------
    match : BiddingMatch or CupMatch
        Rules and players, from `match_of`.
    first : int or None
        Who starts the first round; None leaves it to chance, every player being as likely (CL?6).
    score : BiddingScore or CupScore, optional
        Where the match stands; if given, it begins with the next round from there.

    Raises
    ------
    InputError
        If there is no such player.

    Examples
    --------
    >>> from liarsolve.rules import follow, presets
    >>> state = MatchState(match_of(presets.LIARS_DICE.replace(dice=1), 2), first=0)
    >>> state = follow(state, ["thrown 2", "thrown 3", "2x2", "liar"])
    >>> state.is_terminal, state.winners, state.returns()
    (True, (1,), (Fraction(-1, 1), Fraction(1, 1)))
    """

    match: Match
    first: int | None = field(default=None, compare=False)
    score: Score | None = None
    now: BiddingState | CupGameState | None = None
    """Position in the round that is going on; None before the first and after the last."""
    past: tuple[tuple[Score, BiddingState | CupGameState], ...] = field(default=(), repr=False)
    """Score before and last position of every round that is over, oldest first."""
    history: tuple[tuple[int | None, Any], ...] = field(default=(), compare=False, repr=False)
    """All that was done since the match was entered, oldest first: who did it, None for chance."""

    def __post_init__(self) -> None:
        if self.score is None and self.first is not None:
            object.__setattr__(self, "score", self.match.start(self.first))
        if self.score is not None and self.now is None and not self.is_terminal:
            object.__setattr__(self, "now", first_state(self.match.round(self.score)))

    @property
    def n_players(self) -> int:
        """Number of players who sat down."""
        return self.match.n_players

    @property
    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.score is not None and bool(self.winners)

    @property
    def winners(self) -> tuple[int, ...]:
        """Players who have not lost, once the match is over; nobody before."""
        return () if self.score is None else self.match.winners(self.score)

    @property
    def is_chance(self) -> bool:
        """Whether a throw has to come out, or who starts, before anybody may act."""
        return self.score is None or (self.now is not None and self.now.is_chance)

    @property
    def seats(self) -> tuple[int, ...]:
        """Players of the round in turn order; empty where there is none."""
        if self.now is None or self.score is None:
            return ()
        return self.match.seats(self.score)

    @property
    def to_act(self) -> int | None:
        """Player whose turn it is; None at a chance position, and after the match."""
        position = None if self.now is None else self.now.to_act
        return None if position is None else self.seats[position]

    def legal_actions(self, player: int | None = None) -> tuple[Any, ...]:
        """All that ``player`` (the one on turn) may do, or that may fall; none at the end."""
        if self.score is None:
            return tuple(self.chance_outcomes())
        if self.now is None:
            return ()
        position = self._position(player)
        if player is not None and position is None:
            return ()
        return self.now.legal_actions(position)

    def illegal_reason(self, action: Any, player: int | None = None) -> str | None:
        """Say in one sentence why ``player`` (the one on turn) may not do this; None if they may.

        Raises
        ------
        InputTypeError
            If it is no action of this family.
        """
        if self.is_terminal:
            return "the match is over"
        if isinstance(action, Starts) != (self.score is None):
            return "who starts is settled" if self.score else "who starts has to be settled first"
        if isinstance(action, Starts):
            return None if action in self.chance_outcomes() else self._no_player(action.player)
        assert self.now is not None  # the match goes on
        if player is not None and not 0 <= player < self.n_players:
            return self._no_player(player)
        position = self._position(player)
        if player is not None and position is None:
            return f"player {player} is out"
        reason = self.now.illegal_reason(action, position)
        return None if reason is None else self._by_seat(reason)

    def apply(self, action: Any, player: int | None = None) -> "MatchState":
        """Position after ``player`` (the one on turn) has done this, or after it has fallen.

        Raises
        ------
        IllegalActionError
            With the sentence of `illegal_reason`.
        """
        reason = self.illegal_reason(action, player)
        if reason is not None:
            raise IllegalActionError(reason)
        acting = self.to_act if player is None else player
        history = (*self.history, (None if self.is_chance else acting, action))
        if isinstance(action, Starts):
            return replace(self, score=self.match.start(action.player), history=history)
        assert self.now is not None  # no action is legal without a round
        assert self.score is not None
        now = self.now.apply(action, self._position(player))
        if not now.is_terminal:
            return replace(self, now=now, history=history)
        past = (*self.past, (self.score, now))
        score = self.match.after(self.score, now.outcome)
        return replace(self, score=score, now=None, past=past, history=history)

    def chance_outcomes(self) -> Mapping[Any, Fraction]:
        """Chance of everything that may fall now; empty where nothing is due. They sum to 1."""
        if self.score is None:
            chance = Fraction(1, self.n_players)
            return {Starts(player): chance for player in range(self.n_players)}
        return {} if self.now is None else self.now.chance_outcomes()

    def information_state(self, player: int) -> MatchView:
        """All that a player knows.

        Raises
        ------
        InputError
            If there is no such player.
        """
        if not 0 <= player < self.n_players:
            raise InputError(self._no_player(player))
        return MatchView(
            player=player,
            score=self.score,
            now=_view(self.match, self.score, self.now, player),
            past=tuple(_view(self.match, score, end, player) for score, end in self.past),
        )

    def returns(self) -> tuple[Fraction, ...]:
        """Utility of every player: the winners share 1, which the others pay.

        Between two players this is +1 to the winner and -1 to the loser.

        Raises
        ------
        InputError
            If the match is not over.
        """
        if not self.is_terminal:
            raise InputError("the match is not over")
        n_winners, n_losers = len(self.winners), self.n_players - len(self.winners)
        if n_losers == 0:
            return (Fraction(0),) * self.n_players
        return tuple(
            Fraction(1, n_winners) if player in self.winners else Fraction(-1, n_losers)
            for player in range(self.n_players)
        )

    def parse_action(self, text: str) -> Any:
        """Read an action as `format_action` writes it, or as people say it."""
        word, _, rest = text.strip().partition(" ")
        if word.lower() == "starts" and rest.strip().isdigit():
            return Starts(int(rest) - 1)
        if self.now is None:
            raise InputError(
                "the match is over" if self.is_terminal else
                f"who starts is written as in 'starts 1', got {text!r}"
            )  # fmt: skip
        return self.now.parse_action(text)

    def format_action(self, action: Any) -> str:
        """Write an action in its short form."""
        if isinstance(action, Starts) or self.now is None:
            return str(action)
        return self.now.format_action(action)

    def _position(self, player: int | None) -> int | None:
        """Where a player sits in the round; None for nobody, and for players who are out."""
        return self.seats.index(player) if player in self.seats else None

    def _by_seat(self, reason: str) -> str:
        """Name players as they sit in the match, where a round has counted from its starter."""
        return _PLAYER.sub(
            lambda named: f"{named.group(1)} {self.seats[int(named.group(2))]}", reason
        )

    def _no_player(self, player: int) -> str:
        return f"players are numbered 0 to {self.n_players - 1}, got {player}"


def _view(
    match: Match, score: Score | None, state: BiddingState | CupGameState | None, player: int
) -> BiddingView | CupView | None:
    """What a player knows of a round; None if they do not sit in it."""
    if score is None or state is None or player not in score.live:
        return None
    return state.information_state(match.seats(score).index(player))

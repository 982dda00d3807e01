"""What happens in a match, event by event, whatever its family."""

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from liarsolve.dice.hands import Hand
from liarsolve.errors import InputError
from liarsolve.rules.bidding.game import BiddingState
from liarsolve.rules.bidding.match import BiddingScore
from liarsolve.rules.bidding.round import Outcome
from liarsolve.rules.bidding.rule_set import RuleSet
from liarsolve.rules.chance import Thrown
from liarsolve.rules.cup.actions import Keep
from liarsolve.rules.cup.game import CupGameState
from liarsolve.rules.cup.match import CupScore
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.rules.cup.state import CupOutcome, CupPhase
from liarsolve.rules.match import MatchState, Starts

__all__ = [
    "DiceThrown",
    "MatchBegins",
    "MatchEnds",
    "MatchEvent",
    "MatchForfeited",
    "PlayerActs",
    "RoundBegins",
    "RoundEnds",
    "StarterSettled",
    "counts_of",
    "first_events",
    "match_events",
    "next_events",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchBegins:
    """Players sit down, numbered to the left.

    Examples
    --------
    >>> from liarsolve.rules import MatchState, match_of, presets
    >>> match_events(MatchState(match_of(presets.MIA, 2), first=1))[0].first
    1
    """

    rules: RuleSet | CupRules
    n_players: int
    first: int | None = None
    """Who starts; None where chance decides, or ``score`` says it."""
    score: BiddingScore | CupScore | None = None
    """Where the match begins, if not with all dice or lives."""
    names: tuple[str, ...] | None = None
    """What the players are called, if they have names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StarterSettled:
    """Chance has decided who starts (CL?6)."""

    player: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegins:
    """A round begins."""

    number: int
    """Its number in the match, from 1."""
    score: BiddingScore | CupScore
    seats: tuple[int, ...]
    """Players of the round in turn order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceThrown:
    """Dice have fallen, or cards were drawn."""

    player: int
    """Whose they are, or who has the cup."""
    hand: Hand
    """What they show now; in a cup game with what was kept."""
    seen_by: tuple[int, ...]
    """Players who see it now; the others, in bidding, when the round is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerActs:
    """A player says or does something."""

    player: int
    action: Any
    is_hidden: bool = False
    """Whether the others do not see it: which dice are kept (CL.9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnds:
    """A round is over, and was paid for."""

    number: int
    outcome: Outcome | CupOutcome
    """What was found, with players numbered as they sit in the match."""
    changes: tuple[int, ...]
    """Dice, lives or stakes that every player has won or lost by it."""
    revived: tuple[int, ...]
    """Players who had lost all, and were given one more."""
    out: tuple[int, ...]
    """Players who have gone out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnds:
    """The match is over."""

    winners: tuple[int, ...]
    score: BiddingScore | CupScore


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchForfeited:
    """A player could not go on, so that all others have won."""

    player: int
    reason: str
    """What went wrong, in one sentence."""


MatchEvent: TypeAlias = (
    MatchBegins
    | StarterSettled
    | RoundBegins
    | DiceThrown
    | PlayerActs
    | RoundEnds
    | MatchEnds
    | MatchForfeited
)
"""Anything that happens in a match."""


def match_events(
    state: MatchState, *, names: tuple[str, ...] | None = None
) -> tuple[MatchEvent, ...]:
    """List all that has happened in a match.

    Parameters
    ----------
    state : MatchState
        The match, which was played from its beginning, or from a score.
    names : tuple of str, optional
        What the players are called.

    Raises
    ------
    InputError
        If the match was entered in the middle of a round, so that nobody knows what came before.

    Examples
    --------
    >>> from liarsolve.rules import follow, match_of, presets
    >>> state = MatchState(match_of(presets.LIARS_DICE.replace(dice=1), 2), first=0)
    >>> state = follow(state, ["thrown 2", "thrown 3", "2x2", "liar"])
    >>> [type(event).__name__ for event in match_events(state)][-3:]
    ['PlayerActs', 'RoundEnds', 'MatchEnds']
    """
    begun = _beginning(state)
    events = list(first_events(begun, names=names))
    for player, action in state.history:
        after = begun.apply(action, player)
        events += next_events(begun, action, player, after)
        begun = after
    if begun != state:
        raise InputError(
            "the match was entered in the middle of a round, so what came before is not known; "
            "enter it at a score"
        )
    return tuple(events)


def first_events(
    state: MatchState, *, names: tuple[str, ...] | None = None
) -> tuple[MatchEvent, ...]:
    """Events that a match begins with, before any dice have fallen.

    >>> from liarsolve.rules import match_of, presets
    >>> len(first_events(MatchState(match_of(presets.MIA, 2)))), len(
    ...     first_events(MatchState(match_of(presets.MIA, 2), first=0))
    ... )
    (1, 2)
    """
    score = None if state.score is None else _score(state)
    first = None if score is None else score.starter
    if first is not None:
        is_start = score == state.match.start(first)
        score, first = (None, first) if is_start else (score, None)
    begins = MatchBegins(
        rules=state.match.rules, n_players=state.n_players, first=first, score=score, names=names
    )
    return (begins, *_round_begins(state), *_match_ends(state))


def next_events(
    before: MatchState, action: Any, player: int | None, after: MatchState
) -> tuple[MatchEvent, ...]:
    """Events of one step: ``action`` has led from one position to the next.

    >>> from liarsolve.rules import match_of, presets
    >>> start = MatchState(match_of(presets.MIA, 2), first=0)
    >>> after = start.apply(Thrown((1, 2)))
    >>> next_events(start, Thrown((1, 2)), None, after)
    (DiceThrown(player=0, hand=(1, 2), seen_by=(0,)),)
    """
    if isinstance(action, Starts):
        return (StarterSettled(player=action.player), *_round_begins(after))
    events: list[MatchEvent] = []
    if isinstance(action, Thrown):
        events.append(_thrown(before, action))
    else:
        actor = before.to_act if player is None else player
        assert actor is not None  # the action was legal
        hidden = isinstance(action, Keep)
        events.append(PlayerActs(player=actor, action=action, is_hidden=hidden))
    if len(after.past) > len(before.past):
        events.append(_round_ends(after))
        events += _match_ends(after)
        events += _round_begins(after)
    return tuple(events)


def counts_of(score: BiddingScore | CupScore) -> tuple[int, ...]:
    """What players lose in this match: lives or dice in bidding, stakes in a cup game.

    >>> from liarsolve.rules import BiddingScore
    >>> counts_of(BiddingScore(dice=(3, 2), starter=0))
    (3, 2)
    """
    if isinstance(score, CupScore):
        return score.stakes
    return score.lives or score.dice


def _beginning(state: MatchState) -> MatchState:
    """Where the match began that has led to this position."""
    is_drawn = bool(state.history) and isinstance(state.history[0][1], Starts)
    score = None if is_drawn else state.past[0][0] if state.past else state.score
    return MatchState(state.match, score=score)


def _score(state: MatchState) -> BiddingScore | CupScore:
    assert isinstance(state.score, BiddingScore | CupScore)  # there are no others
    return state.score


def _round_begins(state: MatchState) -> tuple[MatchEvent, ...]:
    if state.now is None or state.score is None:
        return ()
    return (RoundBegins(number=len(state.past) + 1, score=_score(state), seats=state.seats),)


def _match_ends(state: MatchState) -> tuple[MatchEvent, ...]:
    if not state.is_terminal:
        return ()
    return (MatchEnds(winners=state.winners, score=_score(state)),)


def _thrown(before: MatchState, thrown: Thrown) -> DiceThrown:
    """Say who has thrown, and who sees it."""
    now, seats = before.now, before.seats
    if isinstance(now, BiddingState):
        position = len(now.hands)
        return DiceThrown(player=seats[position], hand=thrown.hand, seen_by=(seats[position],))
    assert isinstance(now, CupGameState)
    assert now.cup is not None
    holder = now.cup.turns[-1].player
    if now.cup.phase is CupPhase.TRY:  # who has accepted throws in the open
        holder = (holder + 1) % len(seats)
        return DiceThrown(player=seats[holder], hand=thrown.hand, seen_by=tuple(sorted(seats)))
    return DiceThrown(player=seats[holder], hand=thrown.hand, seen_by=(seats[holder],))


def _round_ends(after: MatchState) -> RoundEnds:
    """Sum up the round that is over now."""
    before, end = after.past[-1]
    paid = _score(after)
    assert isinstance(before, BiddingScore | CupScore)  # there are no others
    seats = after.match.seats(before)
    players = range(after.n_players)
    old, new = counts_of(before), counts_of(paid)
    had, has = (x.had_extra or (False,) * after.n_players for x in (before, paid))
    return RoundEnds(
        number=len(after.past),
        outcome=_by_seat(end.outcome, seats),
        changes=tuple(new[player] - old[player] for player in players),
        revived=tuple(player for player in players if has[player] and not had[player]),
        out=tuple(player for player in before.live if player not in (*paid.live, *after.winners)),
    )


def _by_seat(outcome: Outcome | CupOutcome, seats: tuple[int, ...]) -> Outcome | CupOutcome:
    """Number players as they sit in the match, where a round has counted from its starter."""
    names: tuple[str, ...] = ("claimant", "challenger", "loser", "winner", "starter")
    if isinstance(outcome, Outcome):
        names = ("bidder", "caller", "loser", "winner")
    named = {name: getattr(outcome, name) for name in names}
    seated = {name: None if x is None else seats[x] for name, x in named.items()}
    return replace(outcome, **seated)  # type: ignore[arg-type]  # fields of either record

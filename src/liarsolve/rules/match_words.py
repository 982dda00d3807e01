"""What happens in a match in plain words, a line for each event."""

from collections.abc import Iterable, Sequence

from liarsolve.dice.words import count_word
from liarsolve.errors import InputError
from liarsolve.rules.bidding.round import Outcome, OutcomeKind
from liarsolve.rules.cup.match import CupScore
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.rules.cup.state import CupOutcome, CupOutcomeKind
from liarsolve.rules.match import MatchState
from liarsolve.rules.match_events import (
    DiceThrown,
    MatchBegins,
    MatchEnds,
    MatchEvent,
    MatchForfeited,
    PlayerActs,
    RoundBegins,
    RoundEnds,
    StarterSettled,
    counts_of,
    match_events,
)
from liarsolve.rules.match_log import write_action, write_hand

__all__ = ["describe_events", "describe_match"]

_INDENT = "  "


def describe_match(state: MatchState, *, names: tuple[str, ...] | None = None) -> str:
    """Tell a match in plain words, a line for everything that has happened.

    Raises
    ------
    InputError
        If the match was entered in the middle of a round.

    Examples
    --------
    >>> from liarsolve.rules import MatchState, follow, match_of, presets
    >>> state = MatchState(match_of(presets.LIARS_DICE.replace(dice=1, name="one die"), 2), first=0)
    >>> print(describe_match(follow(state, ["thrown 2", "thrown 3", "2x2", "liar"])))
    one die: 2 players, one die each. Seat 1 starts.
    Round 1: seat 1 starts. Dice: 1, 1.
      Seat 1 rolls 2.
      Seat 2 rolls 3.
      Seat 1: 2x2
      Seat 2: liar
      There is one, so 2x2 is false. Seat 1 loses one die and is out.
    Seat 2 has won the match.
    """
    return "\n".join(describe_events(match_events(state, names=names)))


def describe_events(events: Sequence[MatchEvent]) -> list[str]:
    """Tell events in plain words, a line each; what happens in a round is indented.

    Raises
    ------
    InputError
        If the match does not begin among them.

    Examples
    --------
    >>> from liarsolve.rules import MatchState, match_of, presets
    >>> from liarsolve.rules.match_events import first_events
    >>> describe_events(first_events(MatchState(match_of(presets.MIA, 2), first=1)))
    ['mia: 2 players, six lives each. Seat 2 starts.', 'Round 1: seat 2 starts. Lives: 6, 6.']
    """
    if not events or not isinstance(events[0], MatchBegins):
        raise InputError("events are told from the beginning of a match")
    words = _Words(events[0])
    return [words.describe(event) for event in events]


class _Words:
    """How the events of one match are told."""

    def __init__(self, begins: MatchBegins) -> None:
        self.rules = begins.rules
        self.is_cup = isinstance(begins.rules, CupRules)
        self.has_lives = begins.rules.lives > 0

    def describe(self, event: MatchEvent) -> str:
        """Tell one event."""
        match event:
            case MatchBegins():
                return self._begin(event)
            case StarterSettled():
                return f"Seat {event.player + 1} starts, by lot."
            case RoundBegins():
                return self._round_begins(event)
            case DiceThrown():
                return _INDENT + self._thrown(event)
            case PlayerActs():
                said = write_action(event.action, self.rules)
                hidden = " (hidden)" if event.is_hidden else ""
                return f"{_INDENT}Seat {event.player + 1}: {said}{hidden}"
            case RoundEnds():
                found = self._found(event.outcome)
                return f"{_INDENT}{found} {self._paid(event)}"
            case MatchEnds():
                return f"{_list_seats(event.winners)} {_have(event.winners)} won the match."
            case MatchForfeited():
                return f"Seat {event.player + 1} has lost the match: {event.reason}."

    def _begin(self, event: MatchBegins) -> str:
        n_each = self.rules.lives or getattr(self.rules, "dice", 0)
        text = f"{self.rules.name}: {event.n_players} players, {self._units(n_each)} each."
        if event.first is not None:
            text += f" Seat {event.first + 1} starts."
        if event.names is not None:
            named = [f"seat {seat} is {name}" for seat, name in enumerate(event.names, 1)]
            text += f" S{_list(named)[1:]}."
        return text

    def _round_begins(self, event: RoundBegins) -> str:
        score = event.score
        kind = "Lives" if self.has_lives else "Dice"
        counts = ", ".join(map(str, counts_of(score)))
        text = f"Round {event.number}: seat {score.starter + 1} starts. {kind}: {counts}."
        if isinstance(score, CupScore):
            extra = tuple(player for player, has in enumerate(score.has_extra) if has)
            if extra:
                text += f" {_list_seats(extra)} {_have(extra)} an extra life."
        elif score.is_palifico:
            text += " It is a palifico round."
        return text

    def _thrown(self, event: DiceThrown) -> str:
        verb = "rolls"
        if isinstance(self.rules, CupRules):
            verb = "draws and has" if self.rules.equipment.is_cards else "throws and has"
        where = ", for all to see" if len(event.seen_by) > 1 else ""
        return f"Seat {event.player + 1} {verb} {write_hand(event.hand, self.rules)}{where}."

    def _found(self, outcome: Outcome | CupOutcome) -> str:
        if isinstance(outcome, CupOutcome):
            return self._found_in_cup(outcome)
        bid, count = outcome.bid, outcome.count
        there = {0: "There are none", 1: "There is one"}.get(
            count, f"There are {count_word(count)}"
        )
        verdict = {
            OutcomeKind.BIDDER_LOSES: f"so {bid} is false",
            OutcomeKind.CHALLENGER_LOSES: f"so {bid} is true",
            OutcomeKind.EXACT_RIGHT: f"so {bid} is exactly right",
            OutcomeKind.EXACT_WRONG: f"so {bid} is not exactly right",
        }[outcome.kind]
        return f"{there}, {verdict}."

    def _found_in_cup(self, outcome: CupOutcome) -> str:
        claim = write_action(outcome.claim, self.rules)
        hand = write_hand(outcome.hand, self.rules)
        return {
            CupOutcomeKind.CLAIMANT_LOSES: f"There is {hand}, so {claim} is false.",
            CupOutcomeKind.CHALLENGER_LOSES: f"There is {hand}, so {claim} is true.",
            CupOutcomeKind.CONCEDED: f"{claim} is paid for unseen.",
            CupOutcomeKind.TOP_MADE: f"{claim} was made.",
            CupOutcomeKind.TOP_MISSED: f"{claim} was not made.",
        }[outcome.kind]

    def _paid(self, event: RoundEnds) -> str:
        """Say who has won or lost what."""
        parts = []
        for player, change in enumerate(event.changes):
            does = []
            if change:
                verb = "loses" if change < 0 else "wins"
                does.append(f"{verb} {self._units(abs(change))}")
            if player in event.revived:
                does.append(f"is given {self._units(1)} more")
            if player in event.out:
                does.append("is out")
            if does:
                parts.append(f"seat {player + 1} {_list(does)}")
        text = "; ".join(parts) or "nobody loses anything"
        return f"{text[0].upper()}{text[1:]}."

    def _units(self, count: int) -> str:
        one, many = ("life", "lives") if self.has_lives else ("die", "dice")
        return f"{count_word(count)} {one if count == 1 else many}"


def _list(parts: Iterable[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _list_seats(players: Sequence[int]) -> str:
    noun = "Seat" if len(players) == 1 else "Seats"
    return f"{noun} {_list(str(player + 1) for player in players)}" if players else "Nobody"


def _have(players: Sequence[int]) -> str:
    return "have" if len(players) > 1 else "has"

"""The log of a match: one JSON object a line, from which the same match is played again."""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from liarsolve.errors import InputError, LiarsolveError
from liarsolve.rules.bidding.round import Outcome
from liarsolve.rules.bidding.rule_set import RuleSet
from liarsolve.rules.cup.actions import format_cup_action
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.rules.cup.state import CupOutcome
from liarsolve.rules.match import MatchState, match_of
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
    first_events,
    match_events,
    next_events,
)
from liarsolve.rules.score_text import rules_from_dict, score_from_dict, score_to_dict

__all__ = [
    "LoggedMatch",
    "event_to_dict",
    "read_log",
    "read_matches",
    "replay",
    "write_action",
    "write_event",
    "write_hand",
    "write_log",
]

_SHOWN = 60
_MOST_PLAYERS = 1000
_KINDS = {
    MatchBegins: "match_begins",
    StarterSettled: "starts",
    RoundBegins: "round_begins",
    DiceThrown: "thrown",
    PlayerActs: "acts",
    RoundEnds: "round_ends",
    MatchEnds: "match_ends",
    MatchForfeited: "forfeited",
}
_STEPS = ("starts", "thrown", "acts")
"""Events that decide something; all others follow from them."""


def write_log(state: MatchState, *, names: tuple[str, ...] | None = None) -> list[str]:
    """Write all that has happened in a match, an event a line; `replay` reads it.

    Raises
    ------
    InputError
        If the match was entered in the middle of a round.

    Examples
    --------
    >>> from liarsolve.rules import MatchState, follow, match_of, presets
    >>> state = MatchState(match_of(presets.MIA, 2), first=0)
    >>> print(write_log(follow(state, ["thrown 21", "31"]))[-1])
    {"event": "acts", "seat": 1, "action": "31", "is_hidden": false}
    """
    rules = state.match.rules
    return [write_event(event, rules) for event in match_events(state, names=names)]


def write_event(event: MatchEvent, rules: RuleSet | CupRules) -> str:
    """Write one event as a line of a log.

    >>> from liarsolve.rules import presets
    >>> write_event(StarterSettled(player=0), presets.MIA)
    '{"event": "starts", "seat": 1}'
    """
    return json.dumps(event_to_dict(event, rules))


def event_to_dict(event: MatchEvent, rules: RuleSet | CupRules) -> dict[str, Any]:
    """Write one event as plain values; seats count from 1, and what does not apply is None.

    >>> from liarsolve.rules import presets
    >>> event_to_dict(MatchForfeited(player=1, reason="no answer in time"), presets.MIA)
    {'event': 'forfeited', 'seat': 2, 'reason': 'no answer in time'}
    """
    return {"event": _KINDS[type(event)]} | _parts(event, rules)


def replay(lines: Iterable[str]) -> MatchState:
    """Play a match again from its log; the position after the last line.

    Raises
    ------
    InputError
        If a line is damaged, or is not what follows from those before; with its number.

    Examples
    --------
    >>> from liarsolve.rules import MatchState, follow, match_of, presets
    >>> state = MatchState(match_of(presets.MIA, 2), first=0)
    >>> state = follow(state, ["thrown 21", "31", "liar"])
    >>> replay(write_log(state)) == state
    True
    """
    matches = read_log(lines)
    state = next(matches, None)
    if state is None:
        raise InputError("the log is empty; a match begins with match_begins")
    if next(matches, None) is not None:
        raise InputError("the log holds several matches; read_log reads them one by one")
    return state


def read_log(lines: Iterable[str]) -> Iterator[MatchState]:
    """Play all matches of a log again, one after the other: where each of them ended.

    Raises
    ------
    InputError
        As `replay`.

    Examples
    --------
    >>> from liarsolve.rules import MatchState, match_of, presets
    >>> log = write_log(MatchState(match_of(presets.MIA, 2), first=0))
    >>> [state.n_players for state in read_log(log + log)]
    [2, 2]
    """
    for logged in read_matches(lines):
        yield logged.state


@dataclass(frozen=True, slots=True)
class LoggedMatch:
    """A match of a log: where it ended, and all its events."""

    state: MatchState
    events: tuple[MatchEvent, ...]


def read_matches(lines: Iterable[str]) -> Iterator[LoggedMatch]:
    """Read all matches of a log with their events, also those that were forfeited.

    Raises
    ------
    InputError
        As `replay`.

    Examples
    --------
    >>> from liarsolve.rules import MatchState, match_of, presets
    >>> log = write_log(MatchState(match_of(presets.MIA, 2), first=0))
    >>> [len(logged.events) for logged in read_matches(log)]
    [2]
    """
    reader: _Reader | None = None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = _read_line(line)
            if entry["event"] == "match_begins":
                if reader is not None:
                    yield LoggedMatch(reader.state, tuple(reader.events))
                reader = _Reader(entry)
            elif reader is None:
                raise InputError(f"a match begins with match_begins, got {entry['event']}")
            else:
                reader.read(entry)
        except LiarsolveError as error:
            raise InputError(f"line {number} of the log: {error}") from error
    if reader is not None:
        yield LoggedMatch(reader.state, tuple(reader.events))


def _read_line(line: str) -> dict[str, Any]:
    """Read one JSON object that is an event."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"it is no JSON object, got {_shorten(line.strip())!r}") from error
    if not isinstance(entry, dict) or entry.get("event") not in _KINDS.values():
        raise InputError(
            f"an event is one of {', '.join(_KINDS.values())}, got {_shorten(line.strip())!r}"
        )
    return entry


class _Reader:
    """A match that is being read: where it stands, and which events have to follow."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.state, names = _begin(entry)
        self.events: list[MatchEvent] = []
        self._expected: deque[MatchEvent] = deque()
        self._is_over = False
        self._expect(first_events(self.state, names=names))
        self._meet(entry)

    def read(self, entry: Mapping[str, Any]) -> None:
        """Take the next event."""
        kind = entry["event"]
        if self._is_over:
            raise InputError(f"the match was forfeited, so nothing follows, got {kind}")
        if kind == "forfeited":
            seat = entry.get("seat")
            if type(seat) is not int or not 1 <= seat <= self.state.n_players:
                raise InputError(
                    f"a seat is a number from 1 to {self.state.n_players}, got {seat!r}"
                )
            reason = entry.get("reason")
            if not isinstance(reason, str):
                raise InputError(f"the reason of forfeited is text, got {reason!r}")
            self._is_over = True
            self.events.append(MatchForfeited(player=seat - 1, reason=reason))
            return
        if not self._expected and kind in _STEPS:
            self._step(entry)
        self._meet(entry)

    def _step(self, entry: Mapping[str, Any]) -> None:
        kind, before = entry["event"], self.state
        if kind == "starts":
            text = f"starts {entry.get('seat')}"
        else:
            said = entry.get("hand" if kind == "thrown" else "action")
            if not isinstance(said, str):
                raise InputError(f"what happens is written as text such as 4x3, got {said!r}")
            text = said
        if kind == "thrown":
            text = f"thrown {text}"
        player = None
        if kind == "acts":
            player = _whole(entry.get("seat")) - 1
        action = before.parse_action(text)
        self.state = before.apply(action, player)
        self._expect(next_events(before, action, player, self.state))

    def _expect(self, events: Iterable[MatchEvent]) -> None:
        self._expected.extend(events)

    def _meet(self, entry: Mapping[str, Any]) -> None:
        """Compare an event with the one that has to come."""
        if not self._expected:
            ended = "the match is over" if self.state.is_terminal else "a throw or an action is due"
            raise InputError(f"{ended}, got {entry['event']}")
        event = self._expected.popleft()
        self.events.append(event)
        expected = event_to_dict(event, self.state.match.rules)
        if expected["event"] != entry["event"]:
            raise InputError(f"here comes {expected['event']}, got {entry['event']}")
        for name in (*expected, *entry):
            if name not in expected:
                raise InputError(f"{entry['event']} has no {name!r}")
            if name == "rules" and name in entry:
                continue  # the match was set up by them; options that came later have their default
            if name not in entry or entry[name] != expected[name]:
                got = _shorten(json.dumps(entry.get(name)))
                raise InputError(
                    f"{name} of {entry['event']} is {_shorten(json.dumps(expected[name]))} here, "
                    f"got {got}"
                )


def _begin(entry: Mapping[str, Any]) -> tuple[MatchState, tuple[str, ...] | None]:
    """Set the match up that an event begins."""
    options, n_players, names = entry.get("rules"), entry.get("n_players"), entry.get("names")
    if not isinstance(options, dict):
        raise InputError(f"rules are an object of options, got {_shorten(json.dumps(options))}")
    if _whole(n_players) > _MOST_PLAYERS:
        raise InputError(f"a match has {_MOST_PLAYERS} players at most, got {n_players}")
    match = match_of(rules_from_dict(options), _whole(n_players))
    score = entry.get("score")
    first = entry.get("first")
    if score is not None:
        state = MatchState(match, score=score_from_dict(score, match))
    else:
        state = MatchState(match, first=None if first is None else _whole(first) - 1)
    if names is not None and not (
        isinstance(names, list) and all(isinstance(name, str) for name in names)
    ):
        raise InputError(f"names are a list of texts, got {_shorten(json.dumps(names))}")
    return state, None if names is None else tuple(names)


def _whole(value: object) -> int:
    if type(value) is not int:
        raise InputError(f"seats and players are whole numbers, got {_shorten(json.dumps(value))}")
    return value


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _seat(player: int | None) -> int | None:
    return None if player is None else player + 1


def _seats(players: Iterable[int]) -> list[int]:
    return [player + 1 for player in players]


def _parts(event: MatchEvent, rules: RuleSet | CupRules) -> dict[str, Any]:
    """Write what belongs to an event of its kind."""
    match event:
        case MatchBegins():
            return {
                "rules": event.rules.to_dict(),
                "n_players": event.n_players,
                "first": _seat(event.first),
                "score": None if event.score is None else score_to_dict(event.score),
                "names": None if event.names is None else list(event.names),
            }
        case RoundBegins():
            return {
                "round": event.number,
                "seats": _seats(event.seats),
                "score": score_to_dict(event.score),
            }
        case DiceThrown():
            hand = write_hand(event.hand, rules)
            return {"seat": event.player + 1, "hand": hand, "seen_by": _seats(event.seen_by)}
        case PlayerActs():
            action = write_action(event.action, rules)
            return {"seat": event.player + 1, "action": action, "is_hidden": event.is_hidden}
        case RoundEnds():
            return {
                "round": event.number,
                "outcome": _outcome(event.outcome, rules),
                "changes": list(event.changes),
                "revived": _seats(event.revived),
                "out": _seats(event.out),
            }
        case MatchEnds():
            return {"winners": _seats(event.winners), "score": score_to_dict(event.score)}
        case MatchForfeited():
            return {"seat": event.player + 1, "reason": event.reason}
    return {"seat": event.player + 1}


def write_hand(hand: tuple[int, ...], rules: RuleSet | CupRules) -> str:
    """Write dice as people of this game do.

    >>> from liarsolve.rules import presets
    >>> write_hand((1, 1, 4, 4, 4), presets.BOX), write_hand((2, 5), presets.PERUDO)
    ('QQQ99', '2,5')
    """
    if isinstance(rules, CupRules):
        return rules.format_hand(hand)
    return ",".join(map(str, hand))


def write_action(action: Any, rules: RuleSet | CupRules) -> str:
    """Write what a player does as it is read again.

    >>> from liarsolve.rules import Bid, presets
    >>> write_action(Bid(2, 5), presets.PERUDO)
    '2x5'
    """
    return format_cup_action(action, rules) if isinstance(rules, CupRules) else str(action)


def _outcome(outcome: Outcome | CupOutcome, rules: RuleSet | CupRules) -> dict[str, Any]:
    """Write how a round has ended, alike for both families."""
    if isinstance(outcome, Outcome):
        return {
            "kind": outcome.kind.value,
            "said": str(outcome.bid),
            "by": outcome.bidder + 1,
            "answered_by": outcome.caller + 1,
            "count": outcome.count,
            "hand": None,
            "loser": _seat(outcome.loser),
            "winner": _seat(outcome.winner),
        }
    return {
        "kind": outcome.kind.value,
        "said": write_action(outcome.claim, rules),
        "by": outcome.claimant + 1,
        "answered_by": outcome.challenger + 1,
        "count": None,
        "hand": write_hand(outcome.hand, rules),
        "loser": outcome.loser + 1,
        "winner": outcome.winner + 1,
    }

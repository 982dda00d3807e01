"""A position of a match, as one player knows it, in one line of text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from liarsolve.claims import Claim
from liarsolve.dice import Hand, format_hand, parse_hand
from liarsolve.errors import InputError, InputTypeError, LiarsolveError
from liarsolve.rules import (
    Bid,
    BiddingScore,
    BiddingState,
    CupPhase,
    CupRules,
    CupScore,
    CupView,
    ExtraLife,
    Look,
    MatchState,
    Palifico,
    PalificoFace,
    Round,
    RuleSet,
    match_of,
    parse_actions,
)
from liarsolve.rules.rules_text import format_rules, parse_rules
from liarsolve.rules.score_text import check_score
from liarsolve.strategy.bidding.situation import BiddingSituation, read_bidding_situation
from liarsolve.strategy.cup.situation import CupSituation, read_cup_situation
from liarsolve.strategy.situation import Situation
from liarsolve.strategy.spelling import Spelling, as_keyword

__all__ = ["Position", "format_position", "parse_position", "position_at", "position_of"]

T = TypeVar("T")

_MOST_DIGITS = 6
_BIDDING_PARTS = (
    *("dice", "lives", "starts", "palifico", "had_palifico", "had_extra"),
    *("seat", "hand", "said"),
)
_CUP_PARTS = (
    *("lives", "starts", "had_extra", "has_extra"),
    *("seat", "hand", "claim", "passed", "thrown", "offered"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a match stands, and what one player knows who asks; what does not apply is `None`.

    `parse_position` reads one and sees that the rules allow it.

    Examples
    --------
    >>> position = parse_position("liars_dice; dice 0,1,1; starts 3; hand 4; said 1x2")
    >>> position.player, position.round.dice, position.situation().seat
    (1, (1, 1), 2)
    """

    rules: RuleSet | CupRules
    score: BiddingScore | CupScore
    player: int | None = None
    """Who asks, as they sit in the match, from 0; None where it may be any."""
    hand: Hand | None = None
    """The dice of that player; in a cup game the hand that they see."""
    said: tuple[Bid, ...] = ()
    """Bids of this round."""
    claim: Claim | None = None
    """The claim that was accepted last."""
    passed: Hand | None = None
    """The hand with which it was accepted."""
    thrown: int | None = None
    """How many of it were thrown again."""
    offered: Claim | None = None
    """The claim that must be answered."""

    @property
    def n_players(self) -> int:
        """Players who sat down."""
        return len(self.score.stakes if isinstance(self.score, CupScore) else self.score.dice)

    @property
    def seats(self) -> tuple[int, ...]:
        """Players of the round in turn order."""
        live = self.score.live
        start = live.index(self.score.starter)
        return live[start:] + live[:start]

    @property
    def round(self) -> Round:
        """The round of bidding that goes on.

        Raises
        ------
        InputError
            If it is a cup game.
        """
        if not isinstance(self.rules, RuleSet) or not isinstance(self.score, BiddingScore):
            raise InputError(f"{self.rules.name} is a cup game, and not a round of bidding")
        score, seats = self.score, self.seats
        asks_who_had = self.rules.palifico_face is PalificoFace.EX_PALIFICO_MAY_CHANGE
        had = score.had_palifico if asks_who_had else ()
        places = {place for place, player in enumerate(seats) if had and had[player]}
        dice = tuple(score.dice[player] for player in seats)
        return Round(self.rules, dice, palifico=score.is_palifico, ex_palifico=frozenset(places))

    def situation(self, *, spell: Spelling = as_keyword) -> Situation:
        """What there is to decide, for `Solution.advise`.

        Raises
        ------
        InputError
            If the player who asks is not on turn, or their hand is not said.
        """
        if isinstance(self.rules, CupRules):
            return read_cup_situation(
                self.rules,
                hand=self.hand,
                claim=self.claim,
                passed=self.passed,
                thrown=self.thrown,
                offered=self.offered,
                spell=spell,
            )
        if self.hand is None or self.player is None:
            raise InputError("the position does not say which dice the player on turn holds")
        seat = self.seats.index(self.player) + 1
        return read_bidding_situation(self.round, self.hand, self.said, seat=seat, spell=spell)

    def __str__(self) -> str:
        return format_position(self)


def position_of(situation: Situation, *, n_players: int = 2) -> Position:
    """Position of a round by itself: seats count from its starter, and nobody else is in a match.

    A situation under a cup does not say how many players there are; ``n_players`` does.

    Raises
    ------
    InputError
        If the rules do not allow such a match, such as other dice where lives are what is lost.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> from liarsolve.strategy import read_situation
    >>> known = read_situation(presets.PERUDO, hand="3,3", dice=(1, 2), history=["1x3"])
    >>> str(position_of(known))
    'perudo; dice 1,2; starts 1; seat 2; hand 3,3; said 1x3'
    """
    if isinstance(situation, CupSituation):
        rules: RuleSet | CupRules = situation.rules
        match = match_of(rules, max(n_players, rules.min_players))
        position = Position(
            rules=rules,
            score=match.start(),
            player=None if situation.seat is None else situation.seat - 1,
            **_known(situation),
        )
    elif isinstance(situation, BiddingSituation):
        position = _position_of_bidding(situation)
    else:
        raise InputTypeError(f"a situation is what read_situation returns, got {situation!r}")
    check_score(match_of(position.rules, position.n_players), position.score)
    return position


def _position_of_bidding(situation: BiddingSituation) -> Position:
    round_ = situation.round
    rules = round_.rules
    n_out = max(0, rules.min_players - round_.n_players)
    dice = (*round_.dice, *(0,) * n_out)
    start = match_of(rules, len(dice)).start()
    assert isinstance(start, BiddingScore)
    is_new = round_.palifico and bool(start.had_palifico)
    return Position(
        rules=rules,
        score=BiddingScore(
            dice=dice,
            starter=0,
            lives=tuple(rules.lives if n_dice else 0 for n_dice in dice) if rules.lives else (),
            had_extra=start.had_extra,
            had_palifico=tuple(
                player in round_.ex_palifico or (is_new and player == 0)
                for player in range(len(start.had_palifico))
            ),
            is_palifico=round_.palifico,
        ),
        player=situation.player,
        hand=situation.hand,
        said=situation.bids,
    )


def position_at(state: MatchState) -> Position:
    """Position of a match, as the player on turn knows it.

    Raises
    ------
    InputError
        If nobody is on turn, or what that player knows cannot be said in one line: in cup games
        where hands are passed on unseen, or were seen by others.

    Examples
    --------
    >>> from liarsolve.rules import follow, presets
    >>> state = MatchState(match_of(presets.PERUDO.replace(dice=1), 2), first=1)
    >>> str(position_at(follow(state, ["thrown 4", "thrown 3", "1x2"])))
    'perudo dice=1; dice 1,1; starts 2; seat 1; hand 3; said 1x2'
    """
    score, now, player = state.score, state.now, state.to_act
    if player is None or now is None:
        raise InputError("nobody is on turn there: a throw is due, or the match is over")
    rules, place = state.match.rules, state.seats.index(player)
    if isinstance(now, BiddingState):
        assert isinstance(score, BiddingScore)  # a score of its family
        hand = now.hands[place]
        return Position(rules=rules, score=score, player=player, hand=hand, said=now.public.bids)
    assert isinstance(score, CupScore)
    view = now.information_state(place)
    return replace(_of_view(view, rules, score), player=player)


def _of_view(view: CupView, rules: RuleSet | CupRules, score: CupScore) -> Position:
    """Position of a cup game with all that a player has seen of it."""
    assert isinstance(rules, CupRules)  # rules of its family
    own = view.turns[-1]
    before = view.turns[-2] if len(view.turns) > 1 else None
    known: dict[str, Any] = {"claim": None if before is None else before.claim}
    if view.phase is CupPhase.KEEP:
        known["hand"] = None if before is None else before.hand
    elif view.phase in (CupPhase.CLAIM, CupPhase.ANSWER):
        if before is not None and rules.look is not Look.NEVER:
            known["passed"] = before.hand
            is_said = rules.announce_count and len(rules.reroll_counts) > 1
            known["thrown"] = own.n_thrown if is_said else None
        is_claim = view.phase is CupPhase.CLAIM
        known["hand" if is_claim else "offered"] = own.hand if is_claim else own.claim
    try:
        situation = read_cup_situation(rules, **known)
    except LiarsolveError as error:
        raise InputError(
            f"what this player of {rules.name} knows cannot be said in one line: {error}"
        ) from error
    return Position(rules=rules, score=score, **_known(situation))


def format_position(position: Position) -> str:
    """Write a position in one line, the inverse of `parse_position`; seats count from 1.

    Raises
    ------
    RuleError
        If the rules have a ranking of their own, which has no name that could be read.

    Examples
    --------
    >>> text = "mia; lives 6,2; starts 2; offered 64; claim 52"
    >>> format_position(parse_position(text))
    'mia; lives 6,2; starts 2; claim 52; offered 64'
    """
    score, rules = position.score, position.rules
    parts: dict[str, str | None] = {"starts": str(score.starter + 1)}
    parts["seat"] = None if position.player is None else str(position.player + 1)
    parts["had_extra"] = _seats_of(score.had_extra)
    if isinstance(score, CupScore):
        assert isinstance(rules, CupRules)  # a score of its family
        parts["lives"] = ",".join(map(str, score.stakes))
        parts["has_extra"] = _seats_of(score.has_extra)
        for name in ("hand", "passed"):
            hand = getattr(position, name)
            parts[name] = None if hand is None else rules.format_hand(hand)
        for name in ("claim", "offered"):
            claim = getattr(position, name)
            parts[name] = None if claim is None else rules.format_claim(claim)
        parts["thrown"] = None if position.thrown is None else str(position.thrown)
    else:
        name = "lives" if score.lives else "dice"
        parts[name] = ",".join(map(str, score.lives or score.dice))
        parts["palifico"] = "" if score.is_palifico else None
        others = [had and not (score.is_palifico and player == score.starter)
                  for player, had in enumerate(score.had_palifico)]  # fmt: skip
        parts["had_palifico"] = _seats_of(others)
        parts["hand"] = None if position.hand is None else format_hand(position.hand)
        parts["said"] = " ".join(map(str, position.said)) or None
    order = _CUP_PARTS if isinstance(score, CupScore) else _BIDDING_PARTS
    said = [f"{name} {parts[name]}".strip() for name in order if parts.get(name) is not None]
    return "; ".join([format_rules(rules), *said])


def parse_position(text: str) -> Position:
    """Read a position: rules, score, who asks, their hand, and what was said.

    Parts are separated by semicolons. The first are the rules: a preset, and options that differ
    from it. Then follow, in any order, ``dice 3,2,0`` (of all seats; ``lives`` where they are what
    is lost), ``starts 2`` (the seat that began this round), ``palifico`` (a palifico round),
    ``had_palifico 1,3`` and ``had_extra 1`` (seats that have had theirs), ``seat 3`` (who asks; the
    one on turn if not given), ``hand 3,3`` and ``said 2x3 3x3``. In a cup game they are ``lives``,
    ``starts``, ``had_extra``, ``has_extra`` (seats that live on an extra life), ``seat``, ``hand``,
    ``claim``, ``passed``, ``thrown`` and ``offered``, as `read_situation` takes them.

    Raises
    ------
    InputError, InputTypeError, RuleError
        If a part cannot be read, or they make no position.
    IllegalActionError
        If the rules forbid what was said.

    Examples
    --------
    >>> position = parse_position("perudo faces=3; dice 2,0,1; starts 3; hand 3,3; said 1x3")
    >>> position.player, position.score.dice
    (0, (2, 0, 1))
    """
    if not isinstance(text, str):
        raise InputTypeError(f"a position is a line of text, got {text!r}")
    first, *segments = (segment.strip() for segment in text.split(";"))
    if not first:
        raise InputError(
            "a position begins with its rules, as in 'perudo; dice 5,4; starts 1; hand 1,2,2,3,6'"
        )
    rules = parse_rules(first)
    known = _CUP_PARTS if isinstance(rules, CupRules) else _BIDDING_PARTS
    parts: dict[str, str] = {}
    for segment in segments:
        name, _, value = segment.partition(" ")
        name = name.lower()
        if name not in known:
            raise InputError(
                f"a position of {rules.name} has the parts {', '.join(known)}, got {segment!r}"
            )
        if name in parts:
            raise InputError(f"{name} is said twice in the position")
        parts[name] = value.strip()
    if isinstance(rules, CupRules):
        return _parse_cup(rules, parts)
    return _parse_bidding(rules, parts)


def _parse_bidding(rules: RuleSet, parts: Mapping[str, str]) -> Position:
    name, other = ("lives", "dice") if rules.lives else ("dice", "lives")
    if other in parts:
        raise InputError(f"{rules.name} is about {name}, so the position says {name}, not {other}")
    counts = _needed(parts, name, _numbers)
    n_players = len(counts)
    is_palifico = "palifico" in parts
    if parts.get("palifico"):
        raise InputError(f"palifico stands by itself, got {parts['palifico']!r} after it")
    starter = _optional(parts, "starts", _number, 1) - 1
    had = _optional(parts, "had_palifico", _numbers, ())
    if is_palifico and rules.palifico is not Palifico.OFF:
        had = (*had, starter + 1)
    score = BiddingScore(
        dice=tuple(rules.dice if n else 0 for n in counts) if rules.lives else counts,
        starter=starter,
        lives=counts if rules.lives else (),
        had_extra=_flags("had_extra", _extra(rules, parts, "had_extra"), n_players, rules),
        had_palifico=_flags("had_palifico", had, n_players, rules),
        is_palifico=is_palifico,
    )
    check_score(match_of(rules, n_players), score)
    bare = Position(rules=rules, score=score)
    state = bare.round.state_after(parse_actions(parts.get("said", "")))
    if state.call is not None:
        raise InputError(f"the round is over after {state.call}; a position ends with a bid")
    on_turn = bare.seats[bare.round.to_act(state)]
    player = _optional(parts, "seat", _number, on_turn + 1) - 1
    if player not in bare.seats:
        raise InputError(_no_seat(player, n_players))
    hand = None
    if "hand" in parts:
        hand = parse_hand(parts["hand"], rules.faces)
        if len(hand) != score.dice[player]:
            raise InputError(
                f"seat {player + 1} has {score.dice[player]} "
                f"{'die' if score.dice[player] == 1 else 'dice'}, got the hand {parts['hand']!r}"
            )
    return Position(rules=rules, score=score, player=player, hand=hand, said=state.bids)


def _parse_cup(rules: CupRules, parts: Mapping[str, str]) -> Position:
    stakes = _needed(parts, "lives", _numbers)
    n_players = len(stakes)
    had = _extra(rules, parts, "had_extra")
    has = _extra(rules, parts, "has_extra")
    score = CupScore(
        stakes=stakes,
        pool=rules.lives * n_players - sum(stakes),
        has_extra=_flags("has_extra", has, n_players, rules),
        had_extra=_flags("had_extra", (*had, *has), n_players, rules),
        starter=_optional(parts, "starts", _number, 1) - 1,
    )
    if score.pool < 0:
        raise InputError(
            f"{rules.name} begins with {rules.lives} lives each, got {sum(stakes)} in all"
        )
    match = match_of(rules, n_players)
    check_score(match, score)
    if match.winners(score):  # type: ignore[arg-type]  # a score of its family
        raise InputError("the match is over at this score")
    known: dict[str, Any] = {
        name: parts.get(name) for name in ("hand", "claim", "passed", "offered")
    }
    known["thrown"] = _optional(parts, "thrown", _number, None)
    seat = _optional(parts, "seat", _number, None)
    if known["hand"] is None and known["offered"] is None:
        leftover = [name for name, value in known.items() if value is not None]
        if leftover:
            raise InputError(
                f"{leftover[0]} goes with hand, the hand that is seen, or offered, the claim that "
                "must be answered"
            )
        situation = None
    else:
        situation = read_cup_situation(rules, **known)
    position = Position(rules=rules, score=score)
    if situation is not None:
        position = replace(position, **_known(situation))
    return _with_seat(position, situation, seat)


def _known(situation: CupSituation) -> dict[str, Any]:
    """What a situation of a cup game says, as the parts of a position."""
    return {
        "hand": situation.hand,
        "claim": None if situation.is_assumed else situation.claim,
        "passed": situation.passed,
        "thrown": situation.thrown,
        "offered": situation.offered,
    }


def _with_seat(position: Position, situation: CupSituation | None, seat: int | None) -> Position:
    """Add who asks, which the first claims of a round decide."""
    seats = position.seats
    place = None if situation is None else situation.seat
    player = None if place is None else seats[(place - 1) % len(seats)]
    if seat is None:
        return replace(position, player=player)
    if seat - 1 not in seats:
        raise InputError(_no_seat(seat - 1, position.n_players))
    if player is not None and player != seat - 1:
        raise InputError(f"seat {player + 1} has to act at this position, got seat {seat}")
    return replace(position, player=seat - 1)


def _no_seat(player: int, n_players: int) -> str:
    if 0 <= player < n_players:
        return f"seat {player + 1} is out"
    return f"seats are numbered 1 to {n_players}, got {player + 1}"


def _extra(rules: RuleSet | CupRules, parts: Mapping[str, str], name: str) -> tuple[int, ...]:
    """Seats that have or had an extra life, where the rules give any."""
    if name in parts and rules.extra_life is ExtraLife.OFF:
        raise InputError(f"{rules.name} gives no extra lives, so {name} would do nothing")
    seats: tuple[int, ...] = _optional(parts, name, _numbers, ())
    return seats


def _flags(
    name: str, seats: tuple[int, ...], n_players: int, rules: RuleSet | CupRules
) -> tuple[bool, ...]:
    """Turn seats into a flag for each; empty in bidding where nobody can have it."""
    for seat in seats:
        if not 1 <= seat <= n_players:
            raise InputError(f"{name} lists seats from 1 to {n_players}, got {seat}")
    if isinstance(rules, RuleSet):
        is_idle = {
            "had_extra": rules.extra_life is ExtraLife.OFF,
            "had_palifico": rules.palifico is Palifico.OFF,
        }[name]
        if is_idle and seats:
            raise InputError(f"{rules.name} has no palifico rounds, so {name} would do nothing")
        if is_idle:
            return ()
    return tuple(player + 1 in seats for player in range(n_players))


def _seats_of(flags: Any) -> str | None:
    """Write the seats that are flagged; None if none is."""
    return ",".join(str(player + 1) for player, flag in enumerate(flags) if flag) or None


def _needed(parts: Mapping[str, str], name: str, read: Callable[[str, str], T]) -> T:
    if name not in parts:
        raise InputError(f"the position does not say the {name} of every seat, as in '{name} 3,2'")
    return read(name, parts[name])


def _optional(
    parts: Mapping[str, str], name: str, read: Callable[[str, str], T], default: T | Any
) -> Any:  # Any: None stands in places for what is not said
    return read(name, parts[name]) if name in parts else default


def _number(name: str, text: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    if not is_number:
        raise InputError(f"{name} of a position is a whole number, got {text!r}")
    return int(text)


def _numbers(name: str, text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS for word in words):
        raise InputError(f"{name} of a position are numbers such as 3,2,1, got {text!r}")
    return tuple(map(int, words))

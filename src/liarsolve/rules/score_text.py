"""Scores of matches as plain values, for logs and for other programs."""

from collections.abc import Mapping
from typing import Any

from liarsolve.errors import InputError
from liarsolve.rules.bidding.match import BiddingMatch, BiddingScore
from liarsolve.rules.bidding.options import Loss
from liarsolve.rules.bidding.rule_set import RuleSet
from liarsolve.rules.cup.match import CupMatch, CupScore
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.rules.match_options import ExtraLife, MatchEnd

__all__ = ["check_score", "rules_from_dict", "score_from_dict", "score_to_dict"]

_MOST = 10**6
_PARTS = (
    *("starter", "dice", "lives", "pool", "has_extra", "had_extra"),
    *("had_palifico", "is_palifico", "winners"),
)
_FLAGS = ("had_extra", "had_palifico", "has_extra")


def rules_from_dict(options: Mapping[str, object]) -> RuleSet | CupRules:
    """Read the rules of either family, as ``to_dict`` of theirs wrote them.

    Raises
    ------
    RuleError
        If there is no such option or value, or the options make no sense together.

    >>> from liarsolve.rules import presets
    >>> rules_from_dict(presets.MIA.to_dict()) == presets.MIA
    True
    """
    kind = CupRules if "equipment" in options else RuleSet
    return kind.from_dict(options)


def score_to_dict(score: BiddingScore | CupScore) -> dict[str, Any]:
    """Write a score as plain values; seats count from 1, and what does not apply is None.

    >>> from liarsolve.rules import match_of, presets
    >>> score_to_dict(match_of(presets.LIARS_DICE, 2).start())["dice"]
    [5, 5]
    """
    values: dict[str, Any] = dict.fromkeys(_PARTS)
    values["starter"] = score.starter + 1
    if isinstance(score, CupScore):
        return values | {
            "lives": list(score.stakes),
            "pool": score.pool,
            "has_extra": list(score.has_extra),
            "had_extra": list(score.had_extra),
        }
    return values | {
        "dice": list(score.dice),
        "lives": list(score.lives) or None,
        "had_extra": list(score.had_extra) or None,
        "had_palifico": list(score.had_palifico) or None,
        "is_palifico": score.is_palifico,
        "winners": [player + 1 for player in score.winners],
    }


def score_from_dict(
    values: Mapping[str, Any], match: BiddingMatch | CupMatch
) -> BiddingScore | CupScore:
    """Read what `score_to_dict` wrote, as a score of this match.

    Raises
    ------
    InputError
        If it is no score of this match.

    >>> from liarsolve.rules import match_of, presets
    >>> match = match_of(presets.MIA, 3)
    >>> score_from_dict(score_to_dict(match.start()), match) == match.start()
    True
    """
    if not isinstance(values, Mapping):
        raise InputError(f"a score is an object of what every seat has, got {values!r}")
    is_cup = isinstance(match, CupMatch)
    if set(values) != set(_PARTS):
        raise InputError(f"a score has {', '.join(_PARTS)}, got {', '.join(map(str, values))}")
    starter = _whole("starter", values["starter"]) - 1
    score: BiddingScore | CupScore
    if is_cup:
        score = CupScore(
            stakes=_numbers("lives", values["lives"]),
            pool=_whole("pool", values["pool"]),
            has_extra=_flags("has_extra", values["has_extra"]),
            had_extra=_flags("had_extra", values["had_extra"]),
            starter=starter,
        )
    else:
        score = BiddingScore(
            dice=_numbers("dice", values["dice"]),
            starter=starter,
            lives=_numbers("lives", values["lives"]),
            had_extra=_flags("had_extra", values["had_extra"]),
            had_palifico=_flags("had_palifico", values["had_palifico"]),
            is_palifico=_flags("is_palifico", [values["is_palifico"]])[0],
            winners=tuple(x - 1 for x in _numbers("winners", values["winners"])),
        )
    check_score(match, score)
    return score


def check_score(match: BiddingMatch | CupMatch, score: BiddingScore | CupScore) -> None:
    """Refuse a score that no round of this match could be played from.

    Raises
    ------
    InputError
        With what is wrong.

    >>> from liarsolve.rules import match_of, presets
    >>> check_score(match_of(presets.COMMON, 3), BiddingScore(dice=(5, 0, 2), starter=1))
    Traceback (most recent call last):
    liarsolve.errors.InputError: seat 2 starts, but is out
    """
    if isinstance(match, CupMatch) != isinstance(score, CupScore):
        raise InputError(f"a score of {match.rules.name} is of its own family, got {score!r}")
    problem = (
        _lengths_problem(match, score)
        or (_cup_problem(match, score) if isinstance(score, CupScore) else None)
        or (_bidding_problem(match, score) if isinstance(score, BiddingScore) else None)
    )
    if problem is None and len(score.live) > 1 and score.starter not in score.live:
        problem = f"seat {score.starter + 1} starts, but is out"
    if problem is not None:
        raise InputError(problem)


def _lengths_problem(match: BiddingMatch | CupMatch, score: BiddingScore | CupScore) -> str | None:
    """Say which part of a score is not about all seats."""
    start: Any = match.start()
    if not 0 <= score.starter < match.n_players:
        return f"the starter is a seat from 1 to {match.n_players}, got {score.starter + 1}"
    for name in ("dice", "lives", "stakes", *_FLAGS):
        given, usual = getattr(score, name, ()), getattr(start, name, ())
        if len(given) != len(usual):
            return f"{name} has {len(usual)} values here, got {len(given)}"
        if any(not 0 <= value <= _MOST for value in given):
            return f"{name} has values from 0 to {_MOST}, got {given}"
    return None


def _cup_problem(match: BiddingMatch | CupMatch, score: CupScore) -> str | None:
    """Say what could not have come about in a cup game."""
    total = sum(score.stakes) + score.pool
    usual = match.rules.lives * match.n_players
    if total != usual:
        return f"the lives of all seats and the pool are {usual} together, got {total}"
    for player in range(match.n_players):
        if score.has_extra[player] and not score.had_extra[player]:
            return f"seat {player + 1} has an extra life that they were not given"
    n_given = sum(score.had_extra)
    most = {ExtraLife.OFF: 0, ExtraLife.FIRST_OUT: 1, ExtraLife.EVERYONE: match.n_players}
    if n_given > most[match.rules.extra_life]:
        return f"extra_life={match.rules.extra_life.value} gives no {n_given} extra lives"
    return None if score.live else "nobody is in any more"


def _bidding_problem(match: BiddingMatch | CupMatch, score: BiddingScore) -> str | None:
    """Say what could not have come about in bidding."""
    rules, live = match.rules, score.live
    assert isinstance(rules, RuleSet)  # the family was compared
    for player, n_lives in enumerate(score.lives):
        usual = rules.dice if n_lives else 0
        if score.dice[player] != usual:
            return (
                f"seat {player + 1} has {n_lives} lives, which are {usual} dice, got "
                f"{score.dice[player]}"
            )
    if any(not 0 <= player < match.n_players for player in score.winners):
        return f"winners are seats from 1 to {match.n_players}"
    if not score.winners and len(live) < 2:
        return "two seats or more have dice while a match goes on"
    is_first_out = rules.end is MatchEnd.FIRST_OUT_LOSES or rules.loss is Loss.WINNER_DISCARDS
    if not score.winners and is_first_out and len(live) < match.n_players:
        return "the match is over as soon as somebody is without dice"
    if score.is_palifico and score.had_palifico and not score.had_palifico[score.starter]:
        return f"a palifico round is that of its starter, seat {score.starter + 1}"
    return None


def _whole(name: str, value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise InputError(f"{name} is a whole number from 0 to {_MOST}, got {value!r}")
    return value


def _numbers(name: str, values: object) -> tuple[int, ...]:
    if values is None:
        return ()
    if not isinstance(values, list):
        raise InputError(f"{name} is a list of numbers, one for each seat, got {values!r}")
    return tuple(_whole(name, value) for value in values)


def _flags(name: str, values: object) -> tuple[bool, ...]:
    if values is None:
        return ()
    if not isinstance(values, list) or not all(isinstance(value, bool) for value in values):
        raise InputError(f"{name} is a list of true and false, one for each seat, got {values!r}")
    return tuple(values)

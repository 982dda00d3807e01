"""What every score of a match is worth: the result of `match_values`, and how it is stored."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from liarsolve._checks import check_flag, check_number, check_whole
from liarsolve.errors import InputError, InputTypeError, LiarsolveError, StorageError
from liarsolve.matches.scores import AnyScore, Scores, counts_of, seen_from_starter
from liarsolve.rules import CupRules, RuleSet
from liarsolve.rules.bidding.match import BiddingScore
from liarsolve.rules.cup.match import CupScore

FORMAT = "liarsolve match values"
FORMAT_VERSION = 1
_MOST_BYTES = 100_000_000


class MatchStop(Enum):
    """Why the work stopped; the value is a sentence that says what to do about it."""

    DONE = "every round of the match was solved to the target, or was known before"
    ROUND_LIMIT = (
        "some rounds were not solved to the target in their time; give them more, or accept the "
        "brackets, which are true as they are"
    )
    TIME_LIMIT = (
        "the time was over before every round was solved; what was finished is proved, and the "
        "brackets of the other scores are wide"
    )
    INTERRUPTED = (
        "interrupted; what was finished is proved, and the brackets of the other scores are wide"
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class MatchValues:
    """The chance of winning a match from every score, between bounds that are proved.

    A score is seen by the player who starts its round, and so are all chances: with ``(2, 1)`` the
    starter has two dice and the opponent one.

    Examples
    --------
    >>> from liarsolve import match_values, presets
    >>> values = match_values(presets.COMMON, dice=2)
    >>> low, high = values.bounds((2, 1))
    >>> round(low, 6), round(high, 6)
    (0.798557, 0.798557)
    """

    rules: RuleSet | CupRules
    target: float
    """How far from optimal the strategies of a round may be, in utility per round."""
    lower: tuple[float, ...]
    """Lower bound of the starter's chance of winning the match, by score."""
    upper: tuple[float, ...]
    stop: MatchStop
    n_rounds: int
    """Rounds that the values rest on."""
    n_solved: int
    """How many of them were solved for it; the others were known."""
    n_open: int
    """Rounds that were left unsolved; their scores rest on no more than that a chance lies
    between 0 and 1."""
    seconds: float

    @cached_property
    def _table(self) -> Scores:
        return Scores(self.rules)

    @property
    def scores(self) -> tuple[AnyScore, ...]:
        """Every score, with the starter of its round as player 0; fewer dice or lives first."""
        return tuple(self._table)

    def bounds(self, score: AnyScore | Sequence[int]) -> tuple[float, float]:
        """Bounds of the chance that who starts the next round wins the match.

        Parameters
        ----------
        score : BiddingScore, CupScore or pair of numbers
            Dice (or lives, or stakes) of both players, those of the starter first; or where a match
            stands, as `BiddingMatch` and `CupMatch` say it.

        Raises
        ------
        InputError
            If there is no such score.
        """
        number = self._number(score)
        return self.lower[number], self.upper[number]

    def width(self, score: AnyScore | Sequence[int] | None = None) -> float:
        """How far apart the bounds of a score are; without one, the most of all scores."""
        if score is None:
            return max(high - low for low, high in zip(self.lower, self.upper, strict=True))
        low, high = self.bounds(score)
        return high - low

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values for JSON."""
        return {
            "rules": self.rules.to_dict(),
            "target": self.target,
            "stop": self.stop.name.lower(),
            "rounds": self.n_rounds,
            "rounds_solved": self.n_solved,
            "rounds_open": self.n_open,
            "seconds": self.seconds,
            "width": self.width(),
            "scores": [
                describe_score(score) | {"bounds": [low, high]}
                for score, low, high in zip(self.scores, self.lower, self.upper, strict=True)
            ],
        }

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write everything as one JSON file, which `load_match_values` reads.

        Raises
        ------
        StorageError
            If the file is there already, unless ``overwrite`` allows to replace it, or cannot be
            written.
        """
        target = Path(path)
        overwrite = check_flag("overwrite", overwrite)
        if not overwrite and (target.exists() or target.is_symlink()):
            raise StorageError(f"{target} exists already; choose another file, or overwrite it")
        head = {"format": FORMAT, "version": FORMAT_VERSION}
        write_json(target, head | self.to_dict())

    def to_svg(self) -> str:
        """Draw the values as a heat map, as the text of an SVG picture that stands alone."""
        from liarsolve.matches.heat_map import draw_heat_map

        return draw_heat_map(self)

    def __str__(self) -> str:
        from liarsolve.matches.text import tabulate

        return tabulate(self)

    def __repr__(self) -> str:
        return (
            f"MatchValues(rules={self.rules.name!r}, scores={len(self.lower)}, "
            f"width={self.width():.3g}, stop={self.stop.name})"
        )

    def _number(self, score: AnyScore | Sequence[int]) -> int:
        if isinstance(score, BiddingScore | CupScore):
            number = self._table.find(score)
        elif isinstance(score, Sequence) and not isinstance(score, str) and len(score) == 2:
            own, other = (check_whole("a number of dice or lives", n) for n in score)
            number = self._table.at((own, other))
        else:
            raise InputTypeError(
                "a score is a pair such as (2, 1), the starter's dice first, or a BiddingScore or "
                f"CupScore, got {score!r}"
            )
        if number is None:
            raise InputError(f"there is no such score in this match, got {score}")
        return number


def describe_score(score: AnyScore) -> dict[str, Any]:
    """A score as plain values, the starter's part first.

    >>> describe_score(BiddingScore(dice=(1, 2), starter=1))["dice"]
    [2, 1]
    """
    score = seen_from_starter(score)
    has_lives = isinstance(score, CupScore) or bool(score.lives)
    return {
        "dice": None if isinstance(score, CupScore) else list(score.dice),
        "lives": list(counts_of(score)) if has_lives else None,
        "has_extra": list(score.has_extra) if isinstance(score, CupScore) else None,
        "had_extra": list(score.had_extra) if score.had_extra else None,
    }


def load_match_values(path: str | PathLike[str]) -> MatchValues:
    """Read what `MatchValues.save` wrote.

    Raises
    ------
    StorageError
        If there is no such file, or it holds something else.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from liarsolve import load_match_values, match_values, presets
    >>> path = f"{mkdtemp()}/table.json"
    >>> match_values(presets.COMMON, dice=2).save(path)
    >>> load_match_values(path)
    MatchValues(rules='common', scores=4, width=4.88e-15, stop=DONE)
    """
    found = read_json(Path(path))
    try:
        if found.get("format") != FORMAT or found.get("version") != FORMAT_VERSION:
            raise StorageError(f"{path} does not hold values of a match")
        return _values_from(found)
    except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, StorageError):
            raise
        raise StorageError(f"{path} is damaged: {error}") from error


def _values_from(found: Mapping[str, Any]) -> MatchValues:
    options = found["rules"]
    rules: RuleSet | CupRules
    rules = (CupRules if "equipment" in options else RuleSet).from_dict(options)
    scores = tuple(Scores(rules))
    rows = found["scores"]
    if [describe_score(score) for score in scores] != [
        {name: part for name, part in row.items() if name != "bounds"} for row in rows
    ]:
        raise ValueError("its scores are not those of its rules")
    bounds = [[check_number("a bound", b, at_least=0, at_most=1) for b in row["bounds"]]
              for row in rows]  # fmt: skip
    if not all(len(pair) == 2 and pair[0] <= pair[1] for pair in bounds):
        raise ValueError("bounds are two chances in rising order")
    return MatchValues(
        rules=rules,
        target=check_number("target", found["target"]),
        lower=tuple(low for low, _ in bounds),
        upper=tuple(high for _, high in bounds),
        stop=MatchStop[found["stop"].upper()],
        n_rounds=check_whole("rounds", found["rounds"], at_least=0),
        n_solved=check_whole("rounds_solved", found["rounds_solved"], at_least=0),
        n_open=check_whole("rounds_open", found["rounds_open"], at_least=0),
        seconds=check_number("seconds", found["seconds"], at_least=0),
    )


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    StorageError
        If it cannot be written.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            aside.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{path} could not be written: {error.strerror or error}") from error


def read_json(path: Path) -> dict[str, Any]:
    """Read a file that holds one JSON object.

    Raises
    ------
    StorageError
        If it cannot be read, or holds something else.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise StorageError(f"{path} is too large to be one of ours")
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        if isinstance(error, LiarsolveError):
            raise
        raise StorageError(f"{path} could not be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{path} is damaged: {error}") from error
    if not isinstance(found, dict):
        raise StorageError(f"{path} is damaged: it holds no JSON object")
    return found

"""How the options of the cup games are written that are neither words nor plain numbers."""

import re
from fractions import Fraction

from liarsolve.claims import RANKINGS, Ranking
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import InputError
from liarsolve.rules.option_text import OptionKind, parse_whole_number

__all__ = [
    "EQUIPMENT",
    "NUMBER_OR_ALL",
    "PENALTY",
    "PROB",
    "RANKING",
    "format_equipment",
    "format_penalty",
    "is_penalty",
    "parse_equipment",
]

_DICE_PATTERN = re.compile(r"dice\((\d+),(\d+)\)|(\d+)d(\d+)")
_CARDS_PATTERN = re.compile(r"cards\((\d+),(\d+),(\d+)\)")
_CARDS_24 = Equipment.cards(5, 6, 4)


def parse_equipment(value: object) -> Equipment:
    """Read what lies under the cup.

    Raises
    ------
    ValueError
        If it is neither dice nor cards, or there is no such hand.

    >>> parse_equipment("2d6") == parse_equipment("dice(2, 6)")
    True
    """
    if isinstance(value, Equipment):
        return value
    word = re.sub(r"\s", "", str(value).lower())
    if word == "cards24":
        return _CARDS_24
    if dice := _DICE_PATTERN.fullmatch(word):
        n_dice, n_faces = (number for number in dice.groups() if number is not None)
        return Equipment.dice(int(n_dice), int(n_faces))
    if cards := _CARDS_PATTERN.fullmatch(word):
        return Equipment.cards(*map(int, cards.groups()))
    raise InputError(f"equipment is written dice(5,6) or cards24, got {value!r}")


def format_equipment(equipment: Equipment) -> str:
    """Write what lies under the cup, the inverse of `parse_equipment`.

    >>> format_equipment(Equipment.dice(2, 6))
    'dice(2,6)'
    """
    n_items, n_faces, n_suits = equipment.n_items, equipment.n_faces, equipment.n_suits
    if equipment == _CARDS_24:
        return "cards24"
    return (
        f"dice({n_items},{n_faces})" if n_suits is None else f"cards({n_items},{n_faces},{n_suits})"
    )


def is_penalty(parts: object) -> bool:
    """Whether these are two whole numbers that cost something."""
    return (
        isinstance(parts, tuple)
        and len(parts) == 2
        and all(type(part) is int and part >= 0 for part in parts)
        and sum(parts) > 0
    )


def format_penalty(parts: tuple[int, int]) -> str:
    """Write a penalty: to the pool, to the other player.

    >>> format_penalty((1, 0))
    '1,0'
    """
    return f"{parts[0]},{parts[1]}"


def _parse_penalty(value: object) -> object:
    if isinstance(value, tuple):
        return value
    to_pool, comma, to_other = str(value).partition(",")
    if not comma:
        raise ValueError(value)
    return parse_whole_number(to_pool), parse_whole_number(to_other)


def _parse_ranking(value: object) -> Ranking:
    word = str(value).strip().lower()
    if isinstance(value, Ranking):
        return value
    if word not in RANKINGS:
        raise ValueError(word)
    return RANKINGS[word]


def _parse_prob(value: object) -> Fraction:
    if isinstance(value, bool):
        raise ValueError(value)  # every value that is refused is refused alike
    try:
        return Fraction(str(value))
    except ZeroDivisionError as error:
        raise ValueError(value) from error


def _parse_number_or_all(value: object) -> int | None:
    return None if value is None or str(value).strip() == "all" else parse_whole_number(value)


EQUIPMENT = OptionKind(
    "dice(5,6) for five dice with six faces, cards24 for five of 24 cards", parse_equipment
)
RANKING = OptionKind(", ".join(RANKINGS), _parse_ranking)
NUMBER_OR_ALL = OptionKind("a whole number of at least 1, or all", _parse_number_or_all)
PROB = OptionKind("a chance from 0 to 1, such as 1/20", _parse_prob)
PENALTY = OptionKind(
    "two whole numbers such as 1,0: to the pool and to the other player", _parse_penalty
)

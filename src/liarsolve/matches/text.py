"""Tables of values of a match, for people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from liarsolve._checks import check_whole
from liarsolve.matches.scores import AnyScore, counts_of
from liarsolve.matches.values import MatchValues
from liarsolve.rules import CupRules
from liarsolve.rules.cup.match import CupScore

_GAP = "  "
_MOST_DECIMALS = 2
_NOTHING = "."
"""Where two counts do not come up together."""

Label = tuple[int, bool]
"""Dice or lives of a player, and whether they live on an extra life."""


@dataclass(frozen=True, slots=True)
class Section:
    """The scores at which the same players have had an extra life or die."""

    title: str
    """Empty where nobody can get one."""
    rows: tuple[Label, ...]
    """What the starter has."""
    columns: tuple[Label, ...]
    """What the opponent has."""
    cells: Mapping[tuple[Label, Label], tuple[float, float]]
    """Bounds of the starter's chance, by what both have."""


def sections_of(values: MatchValues) -> tuple[Section, ...]:
    """Lay out the scores as tables: one, or one for each way in which extra lives were given."""
    parts: dict[tuple[bool, ...], dict[tuple[Label, Label], tuple[float, float]]] = {}
    for score in values.scores:
        cells = parts.setdefault(score.had_extra if any(score.had_extra) else (), {})
        cells[_labels(score)] = values.bounds(score)
    return tuple(
        Section(
            title=_title(had, has_some=len(parts) > 1, unit=unit_of(values)),
            rows=tuple(sorted({own for own, _ in cells})),
            columns=tuple(sorted({other for _, other in cells})),
            cells=cells,
        )
        for had, cells in sorted(parts.items())
    )


def unit_of(values: MatchValues) -> str:
    """What is counted: dice or lives."""
    is_lives = isinstance(values.rules, CupRules) or values.rules.lives > 0
    return "lives" if is_lives else "dice"


def write_label(label: Label) -> str:
    """Write what a player has; an extra life as ``x``.

    >>> write_label((3, False)), write_label((0, True)), write_label((1, True))
    ('3', 'x', '1x')
    """
    count, has_extra = label
    return f"{count or ''}x" if has_extra else str(count)


def write_chance(low: float, high: float, *, most_decimals: int = _MOST_DECIMALS) -> str:
    """Write a chance in per cent with the digits that are proved; else both bounds, outward.

    >>> write_chance(0.794842, 0.794843), write_chance(0.79481, 0.79489), write_chance(0.705, 0.82)
    ('79.48', '79.5', '70-82')
    """
    for decimals in range(most_decimals, -1, -1):
        texts = {f"{100 * bound:.{decimals}f}" for bound in (low, high)}
        if len(texts) == 1:
            return texts.pop()
    one = Decimal(1)
    least = (Decimal(low) * 100).quantize(one, ROUND_FLOOR)
    most = (Decimal(high) * 100).quantize(one, ROUND_CEILING)
    return f"{least}-{most}"


def tabulate(values: MatchValues, *, width: int = 80) -> str:
    """Write the starter's chances in per cent, the starter's dice down, the opponent's across.

    Parameters
    ----------
    values : MatchValues
        What to write.
    width : int
        Columns of the page, 20 or more; tables that are wider go on below.

    Examples
    --------
    >>> from liarsolve import match_values, presets
    >>> print(tabulate(match_values(presets.COMMON, dice=2)))
               opponent's dice
    starter's      1      2
            1  44.44  20.23
            2  79.86  49.50
    """
    width = check_whole("width", width, at_least=20)
    parts = []
    for section in sections_of(values):
        lines = [section.title] if section.title else []
        lines += _section_lines(section, unit_of(values), width)
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _section_lines(section: Section, unit: str, width: int) -> list[str]:
    heads = [write_label(label) for label in section.rows]
    left = max(len("starter's"), *map(len, heads))
    texts = {key: write_chance(*bounds) for key, bounds in section.cells.items()}
    across = [write_label(label) for label in section.columns]
    size = max(map(len, (*texts.values(), *across)))
    per_block = max((width - left) // (size + len(_GAP)), 1)
    lines: list[str] = []
    for start in range(0, len(across), per_block):
        chosen = section.columns[start : start + per_block]
        lines += [""] if start else []
        lines.append(" " * (left + len(_GAP)) + f"opponent's {unit}"[: width - left - len(_GAP)])
        lines.append(_line("starter's", across[start : start + per_block], left, size))
        for label, head in zip(section.rows, heads, strict=True):
            cells = [texts.get((label, other), _NOTHING) for other in chosen]
            lines.append(_line(head, cells, left, size))
    return lines


def _line(head: str, cells: Sequence[str], left: int, size: int) -> str:
    return head.rjust(left) + "".join(_GAP + cell.rjust(size) for cell in cells)


def _labels(score: AnyScore) -> tuple[Label, Label]:
    own, other = counts_of(score)
    extra = score.has_extra if isinstance(score, CupScore) else (False, False)
    return (own, extra[0]), (other, extra[1])


def _title(had: tuple[bool, ...], *, has_some: bool, unit: str) -> str:
    if not has_some:
        return ""
    what = "an extra life" if unit == "lives" else "an extra die"
    who = {
        (): "nobody has had",
        (True, False): "the starter has had",
        (False, True): "the opponent has had",
        (True, True): "both have had",
    }[had]
    return f"{who} {what}:"

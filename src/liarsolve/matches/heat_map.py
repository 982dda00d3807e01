"""Values of a match as a picture: a heat map in SVG that stands alone, on one page."""

from html import escape

from liarsolve.matches.text import Section, sections_of, unit_of, write_chance, write_label
from liarsolve.matches.values import MatchValues

_CELL, _LEFT, _TOP, _GAP = 64, 90, 74, 40
_WORST, _EVEN, _BEST = (178, 92, 40), (247, 244, 238), (38, 98, 140)
"""Colours of 0, 50 and 100 per cent: they can be told apart without seeing red or green."""


def draw_heat_map(values: MatchValues) -> str:
    """Draw the starter's chances as SVG text, the starter's dice down, the opponent's across.

    Examples
    --------
    >>> from liarsolve import match_values, presets
    >>> picture = draw_heat_map(match_values(presets.COMMON, dice=2))
    >>> picture.startswith("<svg"), picture.count("<rect")
    (True, 4)
    """
    sections = sections_of(values)
    width = _LEFT + _CELL * max(len(section.columns) for section in sections) + _GAP
    parts, y = [], 56
    for section in sections:
        parts.append(_draw_section(section, unit_of(values), y))
        y += _TOP + _CELL * len(section.rows) + _GAP
    width = max(width, 420)
    title = f"{values.rules.name}: the starter's chance of winning the match"
    note = (
        f"Per cent, proved: the widest bracket is {100 * values.width():.2g} % wide. Two numbers "
        "are bounds."
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" width="{width}" '
        f'height="{y}" font-family="sans-serif" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f"{_text(12, 24, escape(title), 15)}\n{_text(12, 42, escape(note), 10)}\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _draw_section(section: Section, unit: str, top: int) -> str:
    lines = []
    if section.title:
        lines.append(_text(12, top + 16, escape(section.title), 12))
    middle = _LEFT + _CELL * len(section.columns) // 2
    lines.append(_text(middle, top + 38, escape(f"opponent's {unit}"), 11, anchor="middle"))
    for column, label in enumerate(section.columns):
        x = _LEFT + _CELL * column + _CELL // 2
        lines.append(_text(x, top + 60, write_label(label), 12, anchor="middle"))
    lines.append(_text(12, top + 60, escape(f"starter's {unit}"), 11))
    for row, label in enumerate(section.rows):
        y = top + _TOP + _CELL * row
        lines.append(_text(_LEFT - 14, y + _CELL // 2 + 4, write_label(label), 12, anchor="end"))
        for column, other in enumerate(section.columns):
            if (label, other) in section.cells:
                low, high = section.cells[label, other]
                lines.append(_draw_cell(_LEFT + _CELL * column, y, low, high))
    return "\n".join(lines)


def _draw_cell(x: int, y: int, low: float, high: float) -> str:
    chance = (low + high) / 2
    colour = "#fff" if abs(chance - 0.5) > 0.28 else "#222"
    size = _CELL - 2
    return (
        f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{_shade(chance)}"/>'
        + _text(x + size // 2, y + size // 2 + 5, write_chance(low, high), 14, "middle", colour)
    )


def _shade(chance: float) -> str:
    """Colour of a chance, between three.

    >>> _shade(0.5), _shade(1.0)
    ('#f7f4ee', '#26628c')
    """
    end = _BEST if chance > 0.5 else _WORST
    share = min(abs(chance - 0.5) * 2, 1.0)
    mixed = (round(a + share * (b - a)) for a, b in zip(_EVEN, end, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _text(
    x: int, y: int, words: str, size: int, anchor: str = "start", colour: str = "#222"
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">'
        f"{words}</text>"
    )

"""The odds of every bid at one table, to read or to paste."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from liarsolve._checks import check_number, check_whole
from liarsolve.dice import Hand, count_matches, format_hand
from liarsolve.dice.words import face_word
from liarsolve.errors import InputError
from liarsolve.odds._inputs import (
    count_hits,
    read_count,
    read_hand,
    read_unseen,
    read_wild_and_sides,
)
from liarsolve.odds.bid_odds import p_at_least

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["OddsRow", "OddsTable", "format_percent", "odds_table"]

MAX_LINES = 10_000

_CELL = "padding: 0.1em 0.6em; border-bottom: 1px solid #ccc"


@dataclass(frozen=True, slots=True)
class OddsRow:
    """Odds that several faces share.

    Examples
    --------
    >>> row = odds_table(total=2).rows[0]
    >>> row.faces, row.own, row.p_at_least
    ((1,), 0, (0.3055555555555556, 0.027777777777777776))
    """

    faces: tuple[int, ...]
    own: int
    """Matches among one's own dice."""
    p_at_least: tuple[float, ...]
    """Chance of 1, 2, ... or more matches, up to all dice on the table."""


@dataclass(frozen=True, slots=True)
class OddsTable:
    """Odds of every bid at a table; made by `odds_table`. ``str`` gives the text.

    Examples
    --------
    >>> odds_table(total=2, hand=(3,)).p_at_least(2, 3)
    0.3333333333333333
    """

    total: int
    hand: Hand
    wild: int | None
    sides: int
    rows: tuple[OddsRow, ...]
    """One for each group of faces with equal odds, by the lowest face of the group."""

    def p_at_least(self, quantity: int, face: int) -> float:
        """Look up the chance that a bid is true.

        Raises
        ------
        InputError
            If the quantity is not in ``1..total`` or the face not on the dice.
        """
        quantity, face = check_whole("quantity", quantity), check_whole("face", face)
        if 1 <= quantity <= self.total:
            for row in self.rows:
                if face in row.faces:
                    return row.p_at_least[quantity - 1]
        raise InputError(
            f"the table holds bids from 1x1 to {self.total}x{self.sides}, got {quantity}x{face}"
        )

    def to_text(self) -> str:
        """Lay the table out for a terminal, a line for each quantity."""
        grid = self._grid()
        widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
        lines = ["  ".join(map(str.rjust, line, widths)) for line in grid]
        return "\n".join([self._title(), "", *lines[:2], "-" * len(lines[0]), *lines[2:]])

    def to_markdown(self) -> str:
        """Write the table in Markdown, a line for each quantity."""
        head, *body = [f"| {' | '.join(line)} |" for line in self._grid()]
        return "\n".join([self._title(), "", head, "|" + " ---: |" * (len(self.rows) + 1), *body])

    def to_html(self) -> str:
        """Write the table in HTML, shaded by the odds; it needs nothing from outside."""
        head, own, *body = self._grid()
        lines = [
            '<table style="border-collapse: collapse; text-align: right">',
            f'<caption style="text-align: left">{escape(self._title())}</caption>',
            "<thead>",
        ]
        for line in (head, own):
            cells = "".join(f'<th style="{_CELL}">{escape(cell)}</th>' for cell in line)
            lines.append(f"<tr>{cells}</tr>")
        lines += ["</thead>", "<tbody>"]
        for i, line in enumerate(body):
            cells = f'<th style="{_CELL}">{line[0]}</th>'
            for row, cell in zip(self.rows, line[1:], strict=True):
                shade = f"background: rgb(46 125 50 / {0.6 * row.p_at_least[i]:.2f})"
                cells += f'<td style="{_CELL}; {shade}">{escape(cell)}</td>'
            lines.append(f"<tr>{cells}</tr>")
        return "\n".join([*lines, "</tbody>", "</table>"])

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        """Show the table in a notebook."""
        return self.to_html()

    def _title(self) -> str:
        wild = "no face" if self.wild is None else face_word(self.wild)
        hand = f"you hold {format_hand(self.hand)}" if self.hand else "you hold none"
        return (
            f"Chance in percent that so many dice or more match a face: {self.total} dice, {hand}, "
            f"{wild} wild."
        )

    def _grid(self) -> list[list[str]]:
        """Write out all cells: faces, own matches, then a line for each quantity."""
        grid = [
            ["dice", *(_format_faces(row.faces) for row in self.rows)],
            ["yours", *(str(row.own) for row in self.rows)],
        ]
        grid += [
            [str(i + 1), *(format_percent(row.p_at_least[i]) for row in self.rows)]
            for i in range(self.total)
        ]
        return grid


def _format_faces(faces: Sequence[int]) -> str:
    """List faces, three or more in a row as a range: ``2-4 6``."""
    runs: list[list[int]] = []
    for face in faces:
        if runs and face == runs[-1][-1] + 1:
            runs[-1].append(face)
        else:
            runs.append([face])
    return " ".join(
        f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs
    )


_ROUNDING = 1e-9
"""By so much a chance may lie outside 0 to 1 that is the sum of many."""


def format_percent(prob: float) -> str:
    """Write a chance in percent; 0 and 100 are kept for chances that are 0 and 1 as floats.

    >>> [format_percent(p) for p in (1, 0.99999, 0.4407, 1e-9, 0)]
    ['100', '>99.9', '44.1', '<0.1', '0']
    """
    whole = min(max(check_number("prob", prob), 0.0), 1.0)
    if abs(whole - prob) > _ROUNDING:
        check_number("prob", prob, at_least=0, at_most=1)
    prob = whole
    if prob in (0, 1):
        return str(round(100 * prob))
    if prob < 0.0005:
        return "<0.1"
    return ">99.9" if prob >= 0.9995 else f"{100 * prob:.1f}"


def odds_table(
    total: int, *, hand: Sequence[int] = (), wild: int | None = 1, sides: int = 6
) -> OddsTable:
    """Tabulate the chance that a bid is true, for every bid at a table.

    Parameters
    ----------
    total
        All dice on the table, your own included.
    hand, wild, sides
        As in `liarsolve.odds.p_at_least`.

    Raises
    ------
    InputError, InputTypeError
        As `liarsolve.odds.p_at_least`.

    Examples
    --------
    >>> print(odds_table(5, hand=(1, 4)))
    Chance in percent that so many dice or more match a face: 5 dice, you hold 1,4, ones wild.
    <BLANKLINE>
     dice     1  2 3 5 6     4
    yours     1        1     2
    --------------------------
        1   100      100   100
        2  42.1     70.4   100
        3   7.4     25.9  70.4
        4   0.5      3.7  25.9
        5     0        0   3.7
    """
    wild_face, n_faces = read_wild_and_sides(wild, sides)
    dice = tuple(sorted(read_hand(hand, n_faces)))
    n_dice = read_count(total, "total")
    if n_dice is None:
        raise InputError(f"total must be a number of dice, got {total!r}")
    if n_dice > MAX_LINES:
        raise InputError(
            f"a table has a line for every number of dice, at most {MAX_LINES:,}, got "
            f"total={n_dice:,}; ask p_at_least for single bids"
        )
    unseen = read_unseen(None, n_dice, len(dice))
    groups: dict[tuple[int, int], list[int]] = {}
    for face in range(1, n_faces + 1):
        own = count_matches(dice, face, wild_face if face != wild_face else None)
        groups.setdefault((own, count_hits(face, wild_face)), []).append(face)
    rows = [
        OddsRow(
            tuple(faces),
            own,
            tuple(
                p_at_least(q, faces[0], unseen, own=own, wild=wild_face, sides=n_faces)
                for q in range(1, n_dice + 1)
            ),
        )
        for (own, _), faces in groups.items()
    ]
    return OddsTable(n_dice, dice, wild_face, n_faces, tuple(rows))

"""Tables and rows about cup games, laid out for the width of the page."""

from typing import TYPE_CHECKING

from liarsolve.cli._page import fill, page_width, show_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HEADING = 16
_NARROW = 60
"""Pages narrower than this have the headings of rows on lines of their own."""
_SMALLEST_SHARE = 0.01
_MARGIN = 2
_GAP = 3


def print_rows(rows: "Sequence[tuple[str, str]]") -> None:
    """Print pairs of a heading and a text, side by side where the page is wide enough."""
    is_narrow = page_width() < _NARROW
    for heading, text in rows:
        if is_narrow:
            print(heading)
        print(
            fill(
                text,
                initial_indent="  " if is_narrow else heading.ljust(_HEADING),
                subsequent_indent="  " if is_narrow else " " * _HEADING,
            )
        )


def print_table(
    headings: "Sequence[str]",
    rows: "Sequence[Sequence[str]]",
    *,
    right: "Sequence[bool]",
    title: str | None = None,
    total: bool = False,
) -> None:
    """Print a table; the last column takes several lines where the page is narrow.

    Its cells break after a comma. With ``total`` the last row stands apart.
    """
    from rich import box
    from rich.table import Table

    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    room = page_width() - sum(widths[:-1]) - _GAP * (len(widths) - 1) - 2 * _MARGIN
    if title is not None:
        print(fill(title))
    table = Table(box=box.SIMPLE)
    for heading, is_right in zip(headings, right, strict=True):
        table.add_column(heading, justify="right" if is_right else "left", no_wrap=True)
    for place, row in enumerate(rows):
        if total and place == len(rows) - 1:
            table.add_section()
        table.add_row(*row[:-1], break_list(row[-1], room))
    show_table(table)


def break_list(text: str, width: int) -> str:
    """Break a list after its commas, so that lines are no longer than ``width`` if they can be.

    >>> print(break_list("21 57 %, 53 12 %, 54 9 %", 18))
    21 57 %, 53 12 %,
    54 9 %
    """
    lines: list[str] = []
    for item in text.split(", "):
        if lines and len(lines[-1]) + len(item) + 3 <= width:
            lines[-1] += f", {item}"
        else:
            lines.append(item)
    return ",\n".join(lines)


def list_mixture(probs: "Mapping[str, float]") -> str:
    """List the actions that are played, the most frequent first; rare ones are left out.

    >>> list_mixture({"43": 0.704, "52": 0.004, "21": 0.292})
    '43 70 %, 21 29 %'
    """
    played = sorted(((-p, action) for action, p in probs.items() if p >= _SMALLEST_SHARE))
    return ", ".join(f"{action} {-100 * p:.0f} %" for p, action in played)

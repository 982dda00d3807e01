"""The page that commands print on: as wide as the terminal, and never broken inside a word."""

import os
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_NARROWEST = 40
"""Nothing is laid out for less; a terminal that is narrower still wraps lines itself."""
_USUAL = 80
"""Where there is no terminal, as in a pipe or a file."""
_WIDEST = 100
"""Lines of prose that are longer are hard to read, however wide the terminal may be."""
_CUT = "\N{HORIZONTAL ELLIPSIS}"
"""What rich puts where it cuts a cell; no command writes it."""


def page_width() -> int:
    """Columns to print in: those of the terminal within reason, 80 where there is none.

    The environment's ``COLUMNS`` counts as the terminal's word.
    """
    is_told = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit()
    columns = shutil.get_terminal_size((_USUAL, 24)).columns if is_told else _USUAL
    return max(_NARROWEST, min(columns, _WIDEST))


def make_console() -> "Console":
    """Make a console for tables on standard output, as wide as the page."""
    from rich.console import Console

    return Console(highlight=False, width=page_width())


def show_table(table: "Table") -> None:
    """Print a table on the page; off a terminal without the spaces that fill up its lines.

    No cell is ever cut: where the page has no room for all columns, cells take several lines.
    """
    console = make_console()
    with console.capture() as printed:
        console.print(table)
    if _CUT in printed.get():
        for column in table.columns:
            column.no_wrap, column.overflow = False, "fold"
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as printed:
        console.print(table)
    print("\n".join(line.rstrip() for line in printed.get().split("\n")), end="")


def fill(text: str, *, initial_indent: str = "", subsequent_indent: str | None = None) -> str:
    """Break a sentence into lines of the page; what hangs together is joined by a no-break space.

    Lines after the first are indented like the first unless ``subsequent_indent`` says otherwise.
    A number stays with its per cent sign, and words are broken only where they alone are longer
    than the page.
    """
    indent = initial_indent if subsequent_indent is None else subsequent_indent
    filled = textwrap.fill(
        text.replace(" %", "\0%"),
        page_width(),
        initial_indent=initial_indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
    return filled.replace("\0", " ").replace("\N{NO-BREAK SPACE}", " ")


def print_text(
    text: str, *, initial_indent: str = "", subsequent_indent: str | None = None
) -> None:
    """Print a sentence broken as `fill` breaks it."""
    print(fill(text, initial_indent=initial_indent, subsequent_indent=subsequent_indent))

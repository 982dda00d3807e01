"""Lines of a page: no wider than the terminal, never broken in a word or before a per cent."""

import pytest
from rich.table import Table

from liarsolve.cli._page import fill, page_width, show_table

SENTENCE = (
    "One five is true with 33.3 % by the dice alone, and with 78.2 % given the bids, if the other "
    "player bids by the well-known strategy of an equilibrium."
)


@pytest.mark.parametrize(
    ("columns", "width"), [("39", 40), ("40", 40), ("64", 64), ("300", 100), ("", 80), ("wide", 80)]
)
def test_width_is_that_of_the_terminal_within_reason(monkeypatch, columns, width):
    monkeypatch.setenv("COLUMNS", columns)
    assert page_width() == width


@pytest.mark.parametrize("columns", range(40, 101))
def test_lines_fit_and_keep_words_and_percentages_whole(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = fill(SENTENCE, initial_indent="- ", subsequent_indent="  ").split("\n")
    assert all(len(line) <= columns for line in lines)
    assert " ".join(line.strip() for line in lines) == f"- {SENTENCE}"
    assert not any(line.strip().startswith("%") for line in lines)


@pytest.mark.parametrize("columns", [40, 60])
def test_no_cell_of_a_table_is_cut(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    table = Table(box=None)
    table.add_column("hand", no_wrap=True)
    table.add_column("bids", no_wrap=True)
    table.add_row("1" * 35, "2" * 45)
    show_table(table)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= columns
    assert (out.count("1"), out.count("2")) == (35, 45)

import math
import re
from html.parser import HTMLParser

import pytest

from liarsolve import odds_table, p_at_least
from liarsolve.errors import InputError, InputTypeError
from liarsolve.odds import OddsRow, format_percent

TEXT = """\
Chance in percent that so many dice or more match a face: 5 dice, you hold 1,4, ones wild.

 dice     1  2-3 5-6     4
yours     1        1     2
--------------------------
    1   100      100   100
    2  42.1     70.4   100
    3   7.4     25.9  70.4
    4   0.5      3.7  25.9
    5     0        0   3.7"""

MARKDOWN = """\
Chance in percent that so many dice or more match a face: 2 dice, you hold none, no face wild.

| dice | 1-6 |
| ---: | ---: |
| yours | 0 |
| 1 | 30.6 |
| 2 | 2.8 |"""


def test_rows_group_faces_with_equal_odds():
    table = odds_table(25, hand=(6, 6, 1, 2, 3))
    assert [(row.faces, row.own) for row in table.rows] == [
        ((1,), 1),
        ((2, 3), 2),
        ((4, 5), 1),
        ((6,), 3),
    ]
    for face in range(1, 7):
        for q in range(1, 26):
            expected = p_at_least(q, face, total=25, hand=(6, 6, 1, 2, 3))
            assert table.p_at_least(q, face) == expected
    assert table.hand == (1, 2, 3, 6, 6)


def test_wild_face_and_others_are_apart_even_with_equal_matches():
    assert [row.faces for row in odds_table(4, hand=(1,)).rows] == [(1,), (2, 3, 4, 5, 6)]
    assert [row.faces for row in odds_table(4, hand=(1,), wild=None).rows] == [
        (1,),
        (2, 3, 4, 5, 6),
    ]
    assert [row.faces for row in odds_table(4, wild=None).rows] == [(1, 2, 3, 4, 5, 6)]
    assert odds_table(1, sides=2, wild=2).rows == (
        OddsRow((1,), 0, (1.0,)),
        OddsRow((2,), 0, (0.5,)),
    )


def test_text():
    table = odds_table(5, hand=(4, 1))
    assert table.to_text() == str(table) == TEXT.replace("2-3 5-6", "2 3 5 6")


def test_ranges_of_faces():
    header = odds_table(3, hand=(5,), sides=9).to_text().splitlines()[2]
    assert header.split() == ["dice", "1", "2-4", "6-9", "5"]


def test_markdown():
    assert odds_table(2, wild=None).to_markdown() == MARKDOWN


class _Cells(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.open_tags, self.rows = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.open_tags.append(tag)
        if tag == "tr":
            self.rows.append([])

    def handle_endtag(self, tag):
        assert self.open_tags.pop() == tag

    def handle_data(self, data):
        if self.open_tags and self.open_tags[-1] in ("th", "td"):
            self.rows[-1].append(data)


def test_html_has_the_cells_of_the_text():
    table = odds_table(12, hand=(4, 1))
    page = table.to_html()
    assert page == table._repr_html_()
    cells = _Cells(page)
    assert cells.open_tags == []
    in_text = [re.split(r"  +", line.strip()) for line in table.to_text().splitlines()[2:]]
    assert cells.rows == [line for line in in_text if len(line) > 1]
    assert "&lt;0.1" in page
    assert "http" not in page


def test_percentages_keep_certainty_apart():
    cells = [format_percent(p) for p in (0, 4e-300, 0.0005, 0.5, 0.99949, 0.9996, 1)]
    assert cells == ["0", "<0.1", "0.1", "50.0", "99.9", ">99.9", "100"]


def test_bad_arguments_are_named():
    table = odds_table(5)
    for q, face in ((0, 3), (6, 3), (2, 7)):
        with pytest.raises(InputError, match=f"bids from 1x1 to 5x6, got {q}x{face}"):
            table.p_at_least(q, face)
    with pytest.raises(InputError, match="total must be a number of dice, got nan"):
        odds_table(math.nan)
    with pytest.raises(InputError, match="at least 2, got 1"):
        odds_table(1, hand=(1, 2))
    with pytest.raises(InputTypeError, match="total must be a whole number, got None"):
        odds_table(None)

"""Tables of values for people."""

import pytest

from liarsolve import match_values, presets
from liarsolve.matches.text import tabulate, write_chance

COMMON = match_values(presets.COMMON, dice=2)
SPARE = match_values(presets.LIAR_DIE.replace(lives=2, extra_life="first_out"))
MIA = match_values(presets.MIA.replace(lives=9))


def test_a_small_table():
    assert str(COMMON).splitlines() == [
        "           opponent's dice",
        "starter's      1      2",
        "        1  44.44  20.23",
        "        2  79.86  49.50",
    ]


def test_extra_lives_have_tables_of_their_own():
    text = tabulate(SPARE)
    titles = [line for line in text.splitlines() if line.endswith(":")]
    assert titles == [
        "nobody has had an extra life:",
        "the opponent has had an extra life:",
        "the starter has had an extra life:",
    ]
    assert "        x  68.33  21.64" in text.splitlines()


@pytest.mark.parametrize("width", [20, 40, 79])
def test_wide_tables_go_on_below(width):
    lines = tabulate(MIA, width=width).splitlines()
    assert max(map(len, lines)) <= width
    cells = [cell for line in lines if "starter" not in line for cell in line.split()[1:]]
    assert len([cell for cell in cells if "." in cell]) == 81


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.5, 0.5, "50.00"),
        (0.49994, 0.50004, "50.0"),
        (0.4994, 0.5004, "50"),
        (0.4, 0.42, "40-42"),
        (0.0, 1.0, "0-100"),
        (0.123451, 0.123459, "12.35"),
        (0.004, 0.006, "0-1"),
    ],
)
def test_only_digits_that_are_proved(low, high, text):
    assert write_chance(low, high) == text

"""How a strategy opens the round, as a table."""

import math
import textwrap
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from liarsolve.cli._page import page_width
from liarsolve.cli.bidding.certificate import pays_by_winning

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from liarsolve.strategy import BiddingSolution

A = TypeVar("A")

_SMALLEST_SHARE = 0.01
_OTHER_WIDTH = 25
"""What a hand of five dice, its worth and the lines of a table take of a page."""
_LEAST_MIXTURE = 13
"""Columns that the widest action takes with its share."""
_BESIDE = 10
"""Columns that the margins of a table and the gaps between three columns take."""
_LEAST_SECONDS = 0.3
"""For what hands are worth, where no time is left."""


def opening_table(solution: "BiddingSolution", max_seconds: float | None = None) -> "Table":
    """Tabulate what the first bidder opens with, and what their hands are worth.

    The latter in what is left of the command's ``max_seconds``, if they are given, or in a moment;
    in a moment also after an interrupt.
    """
    from rich import box
    from rich.table import Table

    from liarsolve._clock import work_began
    from liarsolve.dice import format_hand
    from liarsolve.solvers import StopReason
    from liarsolve.solvers.core.halt import Halt
    from liarsolve.strategy.bidding.opening import tabulate_opening

    deadline = math.inf if max_seconds is None else work_began() + max_seconds
    if solution.stop is StopReason.INTERRUPTED:
        deadline = 0.0
    deadline = max(deadline, perf_counter() + _LEAST_SECONDS)
    opening, is_chance = tabulate_opening(solution, Halt(deadline)), pays_by_winning(solution)
    title = "How the first bidder opens"
    if len(opening.rows) < opening.n_hands:
        title += f": {len(opening.rows)} of {opening.n_hands} hands"
    if all(row.worth is None for row in opening.rows):
        title += ", without what they are worth, which would take long"
    headings = ("hand", "wins" if is_chance else "value", "bids")
    table = Table(box=box.SIMPLE, title=title, title_justify="left")
    for heading in headings:
        is_right = heading != "bids"
        table.add_column(heading, justify="right" if is_right else "left", no_wrap=True)
    names = [format_hand(row.hand) for row in opening.rows]
    worths = [_format_known(row.worth, is_chance=is_chance) for row in opening.rows]
    worth = _format_known(opening.worth, is_chance=is_chance)
    room = page_width() - _BESIDE - max(map(len, (headings[1], worth, *worths)))
    names, width = _fit_hands(names, room, faces=solution.rules.faces)
    for name, own_worth, row in zip(names, worths, opening.rows, strict=True):
        table.add_row(name, own_worth, format_mixture(row.probs, width))
    table.add_section()
    table.add_row("all", worth, format_mixture(opening.probs, width))
    return table


def _fit_hands(names: "Sequence[str]", room: int, *, faces: int) -> "tuple[list[str], int]":
    """Write hands so that beside them there is room for what is bid, and say how much that is.

    Long ones lose the commas, unless a face has two digits, and then take several lines.
    """
    most = room - _LEAST_MIXTURE
    if max(map(len, names)) > most and faces < 10:
        names = [name.replace(",", "") for name in names]
    lines = [textwrap.wrap(name.replace(",", ", "), most) for name in names]
    lines = [[line.replace(", ", ",") for line in part] for part in lines]
    widest = max(len("hand"), *(len(line) for part in lines for line in part))
    return ["\n".join(part) for part in lines], room - widest


def _format_known(value: float | None, *, is_chance: bool) -> str:
    return "" if value is None else format_worth(value, is_chance=is_chance)


def format_worth(value: float, *, is_chance: bool) -> str:
    """Write an expected value, as the chance of winning if it is one.

    >>> format_worth(0.25, is_chance=True), format_worth(0.25, is_chance=False)
    ('62.5 %', '+0.250')
    """
    if is_chance:
        return f"{max(50 * (1 + value), 0.0):.1f} %"
    return f"{round(value, 3) + 0.0:+.3f}"  # the sum turns -0.0 into 0.0


def format_mixture(probs: "Mapping[A, float]", width: int | None = None) -> str:
    """Write the actions that are played, the most frequent first; rare ones are left out.

    Long mixtures take several lines, which break between actions; if no ``width`` is given, so that
    they fit beside a hand and what it is worth.

    >>> from liarsolve.rules import CHALLENGE, Bid
    >>> format_mixture({Bid(1, 5): 0.704, Bid(1, 6): 0.004, CHALLENGE: 0.292})
    '1x5 70 %, liar 29 %'
    """
    played = [(p, action) for action, p in probs.items() if p >= _SMALLEST_SHARE]
    played.sort(key=lambda pair: -pair[0])
    words = ", ".join(f"{action}_{100 * p:.0f}_%" for p, action in played)
    width = max(page_width() - _OTHER_WIDTH, _LEAST_MIXTURE) if width is None else width
    return textwrap.fill(words, width).replace("_", " ")

"""The opening of a solved game as a small table for notebooks, without any program in it."""

import html
from collections.abc import Iterable, Sequence
from time import perf_counter

import numpy as np

from liarsolve.dice import format_hand
from liarsolve.solvers.core.halt import Halt
from liarsolve.strategy import BiddingSolution, CupSolution
from liarsolve.strategy.bidding.opening import tabulate_opening

__all__ = ["opening_table"]

_MOST_ROWS = 21
_MOST_SECONDS = 2.0
"""To work out what hands are worth: a table that shows by itself should keep nobody waiting."""
_SHOWN = 5e-4
"""Openings that are played less often by every hand of the table have no column."""


def opening_table(solution: BiddingSolution | CupSolution) -> str:
    """Write how a round opens as a table in HTML: hands by actions, and what is proved.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> text = opening_table(solve(presets.COMMON.replace(faces=2), dice=(1, 1)))
    >>> text.count("<tr>"), "<script" in text
    (3, False)
    """
    if isinstance(solution, CupSolution):
        return _cup_table(solution)
    opening = tabulate_opening(solution, Halt(perf_counter() + _MOST_SECONDS))
    actions = [
        action
        for action in opening.probs
        if any(row.probs[action] >= _SHOWN for row in opening.rows)
    ]
    rows = [
        (
            format_hand(row.hand),
            [_percent(row.probs[action]) for action in actions]
            + ([] if row.worth is None else [f"{row.worth:+.3f}"]),
        )
        for row in opening.rows
    ]
    has_worth = all(row.worth is not None for row in opening.rows)
    heads = ["hand", *map(str, actions), *(["value"] if has_worth else [])]
    if not has_worth:
        rows = [(name, cells[: len(actions)]) for name, cells in rows]
    bounds = solution.value_bounds
    caption = f"{solution.rules.name}, dice {', '.join(map(str, solution.dice))}: the opening bid. "
    if bounds is not None:
        caption += f"Value between {bounds[0]:.4g} and {bounds[1]:.4g}; "
    caption += f"{solution.rests_on}."
    if len(rows) < opening.n_hands:
        caption += f" {len(rows)} of {opening.n_hands} hands."
    return _table(caption, heads, rows)


def _cup_table(solution: CupSolution) -> str:
    low, high = solution.win_bounds
    caption = (
        f"{solution.rules.name}: the first player wins {100 * low:.3f} to {100 * high:.3f} %. "
    )
    if solution.result.next_claim >= 0 or solution.result.last_claim > 0:
        return _table(caption + "The opening is not solved yet.", [], [])
    rules, hands = solution.rules, solution.strategy.policy.game.hands
    rows = []
    for k in np.linspace(0, len(hands) - 1, min(len(hands), _MOST_ROWS)).astype(int).tolist():
        hand = hands[k]
        advice = solution.advise(hand=hand)
        best = [a for a in advice if a.probability >= _SHOWN][:3]
        made = ", ".join(
            f"{rules.format_claim(a.action)} {_percent(a.probability)}"  # type: ignore[arg-type]  # claims
            for a in best
        )
        wins = sum(a.probability * a.win_probability for a in advice)
        rows.append((rules.format_hand(hand), [made, _percent(wins)]))
    if len(rows) < len(hands):
        caption += f"{len(rows)} of {len(hands)} hands."
    return _table(caption, ["first throw", "mostly claims", "wins"], rows)


def _percent(prob: float) -> str:
    return f"{100 * prob:.1f}\N{NO-BREAK SPACE}%" if prob > 0.0 else "\N{MIDDLE DOT}"


def _table(caption: str, heads: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    top = "".join(f'<th scope="col">{html.escape(head)}</th>' for head in heads)
    lines = [
        f'<tr><th scope="row">{html.escape(name)}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, cells in rows
    ]
    return (
        f"<table><caption>{html.escape(caption)}</caption>"
        f"<thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )

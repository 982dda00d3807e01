"""How a strategy opens the round, as a table."""

import textwrap
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from liarsolve.cli._page import page_width
from liarsolve.cli.bidding.certificate import pays_by_winning

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.table import Table

    from liarsolve._typing import F8, Real
    from liarsolve.strategy import Solution

A = TypeVar("A")

_MOST_HANDS = 21
"""As many hands as two dice of six faces have; of more, `_FEW_HANDS` are shown."""
_FEW_HANDS = 12
_SMALLEST_SHARE = 0.01
_OTHER_WIDTH = 25
"""What a hand of five dice, its worth and the lines of a table take of a page."""
_LEAST_MIXTURE = 13
"""Columns that the widest action takes with its share."""
_MOST_WALK = 1e8
"""(public state, hand) pairs to walk for what hands are worth: some seconds."""


def opening_table(solution: "Solution") -> "Table":
    """Tabulate what the first bidder opens with, and what their hands are worth."""
    from rich import box
    from rich.table import Table

    from liarsolve.dice import format_hand

    result = solution.result
    graph = result.tree.graph
    hands, hand_probs = graph.hands[0], graph.hand_probs[0]
    actions = graph.actions(0)
    policy = result.strategy[0][: len(actions)]  # the root owns the first edges
    shown = _telling_hands(policy, hand_probs)
    values: dict[int, float] = {}
    with suppress(KeyboardInterrupt):  # the table is worth having without them
        values = _values_of(solution, shown)
    title = "How the first bidder opens"
    if len(shown) < len(hands):
        title += f": {len(shown)} of {len(hands)} hands"
    if not values:
        title += ", without what they are worth, which would take long"
    table = Table(box=box.SIMPLE, title=title, title_justify="left")
    table.add_column("hand", justify="right", no_wrap=True)
    table.add_column(
        "wins" if pays_by_winning(solution) else "value", justify="right", no_wrap=True
    )
    table.add_column("bids", no_wrap=True)
    names = {hand_id: format_hand(hands[hand_id]) for hand_id in shown}
    worths = {hand_id: _format_known(solution, values.get(hand_id)) for hand_id in shown}
    beside = max(map(len, worths.values())) + 10  # two columns more and the lines between them
    if max(map(len, names.values())) + beside + _LEAST_MIXTURE > page_width():
        names = {hand_id: name.replace(",", "") for hand_id, name in names.items()}
    width = max(page_width() - beside - max(map(len, names.values())), _LEAST_MIXTURE)
    for hand_id in shown:
        mixture = dict(zip(actions, policy[:, hand_id].tolist(), strict=True))
        table.add_row(names[hand_id], worths[hand_id], format_mixture(mixture, width))
    table.add_section()
    overall = dict(zip(actions, (policy @ hand_probs).tolist(), strict=True))
    worth = ""
    if values and len(values) == len(hands):
        mean = sum(float(hand_probs[hand_id]) * value for hand_id, value in values.items())
        worth = format_worth(mean, is_chance=pays_by_winning(solution))
    table.add_row("all", worth, format_mixture(overall, width))
    return table


def _values_of(solution: "Solution", shown: list[int]) -> dict[int, float]:
    """What hands are worth to the first bidder: all, or those shown where it takes its time.

    None are where play goes on for so long that they could not be worked out in some seconds.
    """
    import numpy as np

    from liarsolve.solvers import ProfileEvaluator, hand_values
    from liarsolve.solvers.imperfect_recall.solve import most_visits

    result = solution.result
    tree = result.tree
    if tree.abstraction is not None:  # too many ways lead through merged states to walk them all
        hands = {hand_id: tree.graph.hands[0][hand_id] for hand_id in shown}
        advice = {hand_id: solution.strategy.advise(hand) for hand_id, hand in hands.items()}
        return {
            hand_id: sum(a.probability * a.expected_value for a in actions)
            for hand_id, actions in advice.items()
        }
    max_visits = max(most_visits(tree.graph, _MOST_WALK), 1)
    if tree.graph.n_players == 2:
        values = hand_values(result.profile, 0, is_best_response=False, max_visits=max_visits)
    else:
        values = ProfileEvaluator(result.profile).hand_values(0, max_visits=max_visits)
    return {} if np.isnan(values).any() else dict(enumerate(values.tolist()))


def _format_known(solution: "Solution", value: float | None) -> str:
    return "" if value is None else format_worth(value, is_chance=pays_by_winning(solution))


def _telling_hands(policy: "Real", hand_probs: "F8") -> list[int]:
    """Choose hands: all if they are few; else, for every common opening, who makes it most."""
    if hand_probs.size <= _MOST_HANDS:
        return list(range(hand_probs.size))
    weights = policy * hand_probs
    chosen: set[int] = set()
    while len(chosen) < _FEW_HANDS:
        for action in (-weights.sum(axis=1)).argsort().tolist():
            rest = weights[action].copy()
            rest[list(chosen)] = -1.0
            if len(chosen) < _FEW_HANDS and rest.max() > 0.0:
                chosen.add(int(rest.argmax()))
    return sorted(chosen)


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

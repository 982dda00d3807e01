"""How a strategy opens a round: what is bid with which hand, and what the hands are worth."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from liarsolve._typing import F8, Real
from liarsolve.dice import Hand
from liarsolve.rules import Action
from liarsolve.solvers import ProfileEvaluator, hand_values
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.imperfect_recall.solve import most_visits
from liarsolve.strategy.bidding.solution import BiddingSolution

__all__ = ["Opening", "OpeningRow", "tabulate_opening"]

_MOST_HANDS = 21
"""As many hands as two dice of six faces have; of more, `_FEW_HANDS` are listed."""
_FEW_HANDS = 12
_MOST_VISITS = 1e8
"""(public state, hand) pairs to traverse for what hands are worth: some seconds."""


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """One hand of the first bidder."""

    hand: Hand
    probs: Mapping[Action, float]
    """How often each bid opens the round."""
    worth: float | None
    """Utility of the round with this hand; None if it would take long to work out."""


@dataclass(frozen=True, slots=True)
class Opening:
    """How the first bidder opens."""

    rows: tuple[OpeningRow, ...]
    """All hands if they are few, else those that show every common opening."""
    n_hands: int
    """Hands of the first bidder, listed or not."""
    probs: Mapping[Action, float]
    """How often each bid opens the round, over all hands."""
    worth: float | None
    """Utility of the round over all hands; None if it is not known for all of them."""


def tabulate_opening(solution: BiddingSolution, halt: Halt = NEVER) -> Opening:
    """Tabulate what the first bidder opens with, and what their hands are worth.

    An interrupt while that is worked out leaves out what hands are worth, and so does ``halt``.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> opening = tabulate_opening(solve(presets.COMMON.replace(faces=2), dice=(1, 1)))
    >>> [row.hand for row in opening.rows], opening.n_hands
    ([(1,), (2,)], 2)
    """
    result = solution.result
    graph = result.tree.graph
    hands, hand_probs = graph.hands[0], graph.hand_probs[0]
    actions = graph.actions(0)
    policy = result.strategy[0][: len(actions)]  # the root owns the first edges
    shown = _telling_hands(policy, hand_probs)
    values: dict[int, float] = {}
    with suppress(KeyboardInterrupt):  # the table is worth having without them
        values = _values_of(solution, shown, halt)
    rows = tuple(
        OpeningRow(
            hands[hand_id],
            dict(zip(actions, policy[:, hand_id].tolist(), strict=True)),
            values.get(hand_id),
        )
        for hand_id in shown
    )
    worth = None
    if len(values) == len(hands):
        worth = sum(float(hand_probs[hand_id]) * value for hand_id, value in values.items())
    overall = dict(zip(actions, (policy @ hand_probs).tolist(), strict=True))
    return Opening(rows, len(hands), overall, worth)


def _values_of(solution: BiddingSolution, shown: list[int], halt: Halt) -> dict[int, float]:
    """What hands are worth to the first bidder: all, or those shown where it takes its time.

    None are where play goes on for so long that they could not be worked out in some seconds, or
    where ``halt`` ends it.
    """
    if halt():
        return {}
    result = solution.result
    tree = result.tree
    if tree.abstraction is not None:  # too many histories lead through merged states
        hands = {hand_id: tree.graph.hands[0][hand_id] for hand_id in shown}
        advice = {hand_id: solution.strategy.advise(hand) for hand_id, hand in hands.items()}
        return {
            hand_id: sum(a.probability * a.expected_value for a in actions)
            for hand_id, actions in advice.items()
        }
    max_visits = max(most_visits(tree.graph, _MOST_VISITS), 1)
    if tree.graph.n_players == 2:
        values = hand_values(
            result.profile, 0, is_best_response=False, max_visits=max_visits, halt=halt
        )
    else:
        evaluator = ProfileEvaluator(result.profile)
        values = evaluator.hand_values(0, max_visits=max_visits, halt=halt)
    return {} if np.isnan(values).any() else dict(enumerate(values.tolist()))


def _telling_hands(policy: Real, hand_probs: F8) -> list[int]:
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

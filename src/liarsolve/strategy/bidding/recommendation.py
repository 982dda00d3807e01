"""What to do at an information set, and what that advice rests on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from liarsolve._typing import F8
from liarsolve.game import ActionKind, outcome_ids
from liarsolve.rules import CHALLENGE, EXACT, Action
from liarsolve.strategy.bidding.strategy import Advice, Place, Strategy

if TYPE_CHECKING:
    from liarsolve.strategy.situation import Situation

NOTABLE = 0.01
"""Utility that a player would notice: one round in two hundred. What is worth less is no reason to
leave the mixture."""
WEAK = 0.1
"""A `nash_conv` above this, one round in twenty, proves nothing about a single position."""
RARE = 0.001
"""Positions that come less often have hardly been met, and no certificate speaks of them."""
_STRAY = 0.1
"""Share of a mixture that may be left over from early iterations."""
_SURE = 2.0
"""Standard errors that a difference of estimated values must exceed."""


class Basis(Enum):
    """What a recommendation goes by; the value is the reason, in words."""

    MIXTURE = "how often the strategy plays each action"
    NEVER_REACHED = "the strategy never comes here, so how often it plays what says nothing"
    NOT_LEARNED = "the strategy has not learned enough here for its mixture to count"
    DOMINATED = "the strategy's mixture plays what another action beats whatever the dice"

    @property
    def is_by_value(self) -> bool:
        """Whether the expected values decide, and not the mixture."""
        return self is not Basis.MIXTURE


@dataclass(frozen=True, slots=True, eq=False)
class Recommendation:
    """What to do at an information set, with all that speaks for it."""

    seat: int
    """Whom it is for, 1 for the first bidder."""
    choice: tuple[tuple[Action, float], ...]
    """What to do and how often, the most frequent first; the shares sum to 1."""
    basis: Basis
    """Why this and nothing else."""
    advice: tuple[Advice, ...]
    """Every legal action as the strategy plays it, as of `Strategy.advise`."""
    dominated: frozenset[Action]
    """Actions that another one beats whatever the dice and whatever the others do."""
    tolerance: float
    """What an action in the choice may be worth less than the best, besides standard errors."""
    own_reach: float
    """Chance that the player makes their own bids with this hand."""
    rival_reach: float
    """Chance that the other players all make their bids, over all their hands."""


def recommend(
    strategy: Strategy,
    hand: "Situation | Iterable[int] | str",
    history: Iterable[Action | str] = (),
    *,
    nash_conv: float | None = None,
) -> Recommendation:
    """Say what to do: the strategy's mixture where it has weight, else what is worth most.

    In equilibrium every action of a mixture is worth the same, and the mixture is the advice. A
    solver that stopped early, or never came here, leaves mixtures that mean nothing, while the
    expected values beside them are those of play from here on. So the values decide where

    * nothing was learned: the tree has no such state, the player's own strategy never makes these
      bids with this hand, or one of the others never makes theirs with any; or
    * more than a tenth of the mixture is on actions that are worth less than the best one by more
      than the solver may be wrong by. That is `NOTABLE`, or ``nash_conv`` if it is more but not
      above `WEAK` and the position comes up in play (a certificate is an average over play: it
      says nothing of positions that are rarer than `RARE`); and two standard errors where values
      are estimates; or
    * more than a tenth of it is on actions that another one beats whatever the dice.

    A smaller part on such actions is left over from early iterations: it is taken out of the
    choice, and the mixture of the rest is the advice.

    Parameters
    ----------
    strategy : Strategy
        Whom to ask.
    hand, history
        As for `Strategy.advise`.
    nash_conv : float, optional
        Of the strategy, if it was measured.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> rules = presets.COMMON.replace(faces=3)
    >>> solution = solve(rules, dice=(1, 1), max_iterations=1, target=0)
    >>> advised = recommend(solution.strategy, (3,), ["1x3"], nash_conv=solution.nash_conv)
    >>> print(advised.seat, *advised.choice[0], advised.basis.name)
    2 2x3 1.0 MIXTURE
    """
    situation = strategy.situation(hand, history)
    standing = strategy.standing(situation)
    advice = strategy.advise(situation)
    dominated = _dominated_actions(strategy, standing.place, standing.hand_id)
    own, rival = standing.own_reach, standing.rival_reach
    tolerance = NOTABLE
    if min(own, rival) >= RARE and nash_conv is not None and nash_conv <= WEAK:
        tolerance = max(NOTABLE, nash_conv)
    candidates = [a for a in advice if a.action not in dominated]
    best = max(candidates, key=lambda a: (a.expected_value, a.probability))
    close = [a for a in candidates if _is_close(a, best, tolerance)]
    if len(advice) == 1:  # there is nothing to decide, and the tree need not have the state
        basis = Basis.MIXTURE
    elif not standing.is_learned or min(own, rival) == 0.0:
        basis = Basis.NEVER_REACHED
    elif sum(a.probability for a in advice if a.action in dominated) > _STRAY:
        basis = Basis.DOMINATED
    elif 1.0 - sum(a.probability for a in close) > _STRAY:
        basis = Basis.NOT_LEARNED
    else:
        basis = Basis.MIXTURE
    choice = [(best.action, 1.0)] if basis.is_by_value else _share_out(close)
    return Recommendation(
        seat=standing.place.player + 1,
        choice=tuple(choice),
        basis=basis,
        advice=advice,
        dominated=dominated,
        tolerance=tolerance,
        own_reach=own,
        rival_reach=rival,
    )


def _is_close(action: Advice, best: Advice, tolerance: float) -> bool:
    error = hypot(action.standard_error, best.standard_error)
    return action.expected_value >= best.expected_value - tolerance - _SURE * error


def _share_out(actions: Sequence[Advice]) -> list[tuple[Action, float]]:
    """Mixture of some actions, in the order of the advice."""
    total = sum(a.probability for a in actions)
    if total >= 1.0 - 1e-9:  # nothing was left out: to the last bit what the strategy plays
        total = 1.0
    return [(a.action, a.probability / total) for a in actions if a.probability > 0.0]


def _dominated_actions(strategy: Strategy, place: Place, hand_id: int) -> frozenset[Action]:
    """Actions that are worth no more than another one in any case, and less in some."""
    actions = strategy.tree.every_raise.graph.actions(place.node)
    worth = [_outcomes(strategy, place, hand_id, k) for k in range(len(actions))]
    return frozenset(
        action
        for action, mine in zip(actions, worth, strict=True)
        if any(_beats(other, mine) for other in worth)
    )


def _outcomes(strategy: Strategy, place: Place, hand_id: int, k: int) -> tuple[F8, F8]:
    """Least and most that an action can come to, by the number of the others' dice that match.

    A raise goes on to who knows what, so all that a round can come to is in its range, whatever
    the dice; but after the last bid there is nothing left but to call.
    """
    graph, payoffs = strategy.tree.every_raise.graph, strategy.payoffs
    table = payoffs.table(graph.n_players)
    player = place.player
    edge = int(graph.action_start[place.node]) + k
    n_others = graph.round.total_dice - graph.round.dice[player]

    def called(node: int, caller: int, kind: int) -> F8:
        own = graph.matches[player][graph.match_class[node], hand_id]
        call = CHALLENGE if kind == ActionKind.CHALLENGE else EXACT
        outcome = outcome_ids(call, own + np.arange(n_others + 1), int(graph.quantity[node]))
        worth: F8 = table[outcome, caller, player]
        return worth

    kind = int(graph.action_kind[edge])
    if kind != ActionKind.RAISE:
        worth = called(place.node, player, kind)
        return worth, worth
    after = int(graph.action_target[edge])
    kinds = graph.action_kind[graph.action_start[after] : graph.action_start[after + 1]]
    if not (kinds == ActionKind.RAISE).any():
        caller = int(graph.player[after])
        calls = np.array([called(after, caller, int(kind)) for kind in kinds])
        least, most = calls.min(), calls.max()
    else:
        has_exact = bool((graph.action_kind == ActionKind.EXACT).any())
        ends = table[: 4 if has_exact else 2, :, player]
        least, most = ends.min(), ends.max()
    return np.full(n_others + 1, least), np.full(n_others + 1, most)


def _beats(mine: tuple[F8, F8], other: tuple[F8, F8]) -> bool:
    """Whether the worst of mine is as good as the best of another one, and better somewhere."""
    least, (_, most) = mine[0], other
    if mine is other or (least < most).any():
        return False
    is_call = mine[0] is mine[1] and other[0] is other[1]
    if is_call:  # both are about the same dice
        return bool((least > most).any())
    return bool(mine[1].max() > other[0].min())

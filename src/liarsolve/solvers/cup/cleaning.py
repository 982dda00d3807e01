"""Strategies of a stage without rounding dust, and without actions that lose to others anyway.

A linear program leaves weights of 1e-16 on actions that are never played, and arbitrary play where
nobody ever gets. Neither is behaviour: read as such, dust says what a player holds who never
claims so.
"""

from dataclasses import replace

import numpy as np

from liarsolve._typing import F8
from liarsolve.game.cup.game import CupGame
from liarsolve.solvers.cup import _stage_kernels as kernels
from liarsolve.solvers.cup.stages import MARGIN, SLACK, StageSolution

__all__ = ["clean_stage", "drop_dust"]

_DUST = (1e-7, 1e-12)
"""Probabilities up to the first are dust, unless bounds suffer by it; then those up to the second.
Play that is optimal but for rounding has weights of 1e-2 and more, and dust of up to 1e-8 where the
bounds of two claims are as near to each other as `SLACK` leaves them."""


def drop_dust(probs: F8, dust: float) -> F8:
    """Probabilities of the last axis without those up to ``dust``, summing to 1 as before.

    What has none is returned as it is, bit for bit.

    >>> drop_dust(np.array([0.75, 0.25, 1e-16]), 1e-12).tolist()
    [0.75, 0.25, 0.0]
    """
    is_dust = (probs > 0.0) & (probs <= dust)
    if not is_dust.any():
        return probs
    kept = np.where(is_dust, 0.0, probs)
    total = kept.sum(axis=-1, keepdims=True)
    is_touched = is_dust.any(axis=-1, keepdims=True) & (total > 0.0)
    return np.where(is_touched, kept / np.where(total > 0.0, total, 1.0), probs)


def clean_stage(game: CupGame, tables: kernels.Tables, solution: StageSolution) -> StageSolution:
    """Leave out dust and dominated actions; the bounds are those of what is left.

    An action is dominated if another is better whatever the hand under the cup and whatever the
    other player does: to challenge a claim that is always true, say. Nobody is worse off by
    leaving it out, but play that no hand comes to may have it.
    """
    stage = _Stage(game, tables, solution)
    for dust in _DUST:
        cleaned = stage.clean(dust)
        if cleaned is solution:
            return solution
        is_kept = cleaned.low >= solution.low - SLACK / 2
        if is_kept and cleaned.high <= solution.high + SLACK / 2:
            return cleaned
    return cleaned


class _Stage:
    """The payoffs of a stage by hand and claim, [J, C]."""

    def __init__(self, game: CupGame, tables: kernels.Tables, solution: StageSolution) -> None:
        self.solution = solution
        self.distribution: F8 = game.redraw[np.ix_(solution.keeps, solution.hands)]
        self.truth: F8 = tables.truth[solution.hands]
        self.gain_low: F8 = tables.gain_low[solution.hands]
        self.gain_high: F8 = tables.gain_high[solution.hands]

    def clean(self, dust: float) -> StageSolution:
        solution = self.solution
        keep = drop_dust(solution.keep_probs, dust)
        made = self._without_dominated(drop_dust(solution.claim_probs, dust))
        accept = self._answers(solution.accept, dust)
        found = ((keep, solution.keep_probs), (made, solution.claim_probs))
        if all((new == old).all() for new, old in (*found, (accept, solution.accept))):
            return solution
        return replace(
            solution,
            keep_probs=keep,
            claim_probs=made,
            accept=accept,
            low=self._evaluate_mover(keep, made),
            high=self._evaluate_responder(accept),
        )

    def _without_dominated(self, made: F8) -> F8:
        """Claims with every hand, without those that lose to another however both are met."""
        least = np.minimum(self.truth, self.truth + self.gain_low)
        most = np.maximum(self.truth, self.truth + self.gain_high)
        is_dominated = most < least.max(axis=1, keepdims=True) - MARGIN
        lost = np.where(is_dominated, made, 0.0).sum(axis=1)
        if not lost.any():
            return made
        made = np.where(is_dominated, 0.0, made)
        made[np.arange(len(made)), least.argmax(axis=1)] += lost
        return made

    def _answers(self, accept: F8, dust: float) -> F8:
        """How often each claim is accepted: always or never if that is better for every hand."""
        accept = np.where(accept <= dust, 0.0, np.where(accept >= 1.0 - dust, 1.0, accept))
        always = (self.gain_high <= 0.0).all(axis=0) & (self.gain_high < 0.0).any(axis=0)
        never = (self.gain_low >= 0.0).all(axis=0) & (self.gain_low > 0.0).any(axis=0)
        answers: F8 = np.where(always, 1.0, np.where(never, 0.0, accept))
        return answers

    def _evaluate_mover(self, keep: F8, made: F8) -> float:
        """What the mover is sure of: each claim is met in the way that is worst for them."""
        reach = (keep @ self.distribution)[:, None] * made
        challenged, accepted = reach * self.truth, reach * self.gain_low
        sure = challenged.sum() + np.minimum(accepted.sum(axis=0), 0.0).sum()
        return max(float(sure) - MARGIN, 0.0)

    def _evaluate_responder(self, accept: F8) -> float:
        """What the mover can reach at most: they make the best claim, with the best keep."""
        best = (self.truth + accept * self.gain_high).max(axis=1)
        return min(float((self.distribution @ best).max()) + MARGIN, 1.0)

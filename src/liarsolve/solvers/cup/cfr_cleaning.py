"""Strategies that CFR has found, without rounding dust and without answers that only lose."""

import numpy as np

from liarsolve._typing import F8, I8
from liarsolve.game.cup.graph import CupInfosets, CupRuleTables, Decision
from liarsolve.rules import CHALLENGE, CupMove, CupPayoff, CupRound

__all__ = ["CupCleaner"]

_DUST = 1e-9
"""Chances of rounding: an average over n iterations has none between 0 and about 1 / n**3."""


class CupCleaner:
    """Leaves out what is not behaviour from the strategies on some information sets.

    Where a player never gets, an average says nothing and everything is played alike. There
    somebody would challenge a claim that no hand makes false, which loses for sure.
    """

    def __init__(self, table: CupRound, infosets: CupInfosets, payoff: CupPayoff) -> None:
        self._first = np.array(infosets.first, np.int64)
        self._place, self._share = self._forced_answers(table, infosets, payoff)

    def clean(self, strategy: F8) -> F8:
        """Strategies without dust and without answers that only lose, float64[A]; a fresh array.

        What needs no cleaning stays as it is, bit for bit.
        """
        cleaned = strategy.copy()
        is_dust = (cleaned > 0.0) & (cleaned <= _DUST)
        if is_dust.any():
            cleaned[is_dust] = 0.0
            total = np.add.reduceat(cleaned, self._first[:-1])
            touched = np.add.reduceat(is_dust.astype(np.int64), self._first[:-1]) > 0
            scale = np.where(touched, 1.0 / total, 1.0)
            cleaned *= np.repeat(scale, np.diff(self._first))
        cleaned[self._place] = self._share
        return cleaned

    @staticmethod
    def _forced_answers(table: CupRound, infosets: CupInfosets, payoff: CupPayoff) -> tuple[I8, F8]:
        """Places of answers to claims that are true of every hand, and how often they are given."""
        rules = CupRuleTables(table, payoff)
        hands = range(len(rules.is_true[0]))
        ends = [
            [rules.end(0, claim, hand, CHALLENGE)[1] for hand in hands]
            for claim in range(rules.n_claims)
        ]
        worst = min(map(min, ends))
        sure = [
            bool(np.all(rules.is_true[claim]))
            and max(ends[claim]) <= worst
            and list(rules.answers[claim]) == [CHALLENGE, CupMove.ACCEPT]
            for claim in range(rules.n_claims)
        ]
        places: list[int] = []
        for (player, decision, memory_id), infoset in infosets.ids.items():
            if decision == Decision.ANSWER:
                claim = infosets.memories[player].turns[memory_id][-1][1]
                if sure[claim]:
                    places.append(infosets.first[infoset])
        return (
            np.array([place for start in places for place in (start, start + 1)], np.int64),
            np.array([0.0, 1.0] * len(places)),
        )

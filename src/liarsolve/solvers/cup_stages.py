"""Stages of a cup game as the kernels take them: tables, families, bases and scratch arrays."""

from typing import Any

import numpy as np

from liarsolve._typing import F8, I8
from liarsolve.game.cup_game import CupGame
from liarsolve.solvers import _cup_kernels as kernels

MARGIN = 1e-12
"""More than the rounding error of a bound: it is a sum of at most some thousand products of
numbers of size one with weights that add up to 1, each off by a few units of 1.1e-16."""

_JITTER = 1e-10
_GOLDEN = 0.6180339887498949
_MAX_PIVOTS = 5_000


def lay_out_families(game: CupGame) -> kernels.Families:
    """Hands that can come in each family, and their laws, one family after another."""
    hands: list[I8] = []
    laws: list[F8] = []
    for family in range(game.n_families):
        law = game.redraw[game.keeps_of(family)]
        comes = np.flatnonzero(law.any(axis=0))
        hands.append(comes.astype(np.int64))
        laws.append(law[:, comes].ravel())
    return kernels.Families(
        hands=np.concatenate(hands),
        hand_start=np.cumsum([0, *(x.size for x in hands)]).astype(np.int64),
        law=np.concatenate(laws),
        law_start=np.cumsum([0, *(x.size for x in laws)]).astype(np.int64),
    )


def make_tables(n_hands: int, n_claims: int) -> kernels.Tables:
    """Tables without claims."""
    return kernels.Tables(*(np.zeros((n_hands, n_claims)) for _ in range(4)))


def set_column(tables: kernels.Tables, p: int, truth: F8, low: F8, high: F8) -> None:
    """Set claim p: whether it is true, and what the claimant wins when he is accepted."""
    tables.truth[:, p] = truth
    tables.gain[:, p] = 0.5 * (low + high) - truth
    tables.gain_low[:, p] = low - truth
    tables.gain_high[:, p] = high - truth


def make_standing(families: kernels.Families, n_claims: int) -> kernels.Standing:
    """Nothing solved yet: the mover may win nothing, or always."""
    n_families = families.hand_start.size - 1

    def ids(*shape: int) -> I8:
        return np.zeros(shape, np.int64)

    return kernels.Standing(
        key=ids(families.hands.size),
        best=np.ones(families.hands.size),
        side=ids(n_families, n_claims),
        row_claim=ids(n_families, n_claims + 1),
        col_hand=ids(n_families, n_claims + 1),
        col_item=ids(n_families, n_claims + 1),
        size=ids(n_families, 1),
        known=ids(n_families),
        accept=np.zeros((n_families, n_claims)),
        low=np.zeros(n_families),
        high=np.ones(n_families),
        pivots=ids(n_families),
        solved=ids(n_families),
    )


def make_effort(n_claims: int) -> kernels.Effort:
    """Right sides that are all a little different, so that ties do not make pivots empty."""
    jitter = _JITTER * (1.0 + np.arange(1, n_claims + 1) * _GOLDEN % 1.0)
    return kernels.Effort(
        jitter=jitter, zeros=np.zeros(n_claims), margin=MARGIN, max_pivots=_MAX_PIVOTS
    )


class Scratch:
    """Arrays that one thread works in."""

    def __init__(self, n_hands: int, n_claims: int, n_keeps: int) -> None:
        def ids(n: int) -> I8:
            return np.zeros(n, np.int64)

        side = n_claims + 1
        lu = kernels.Factors(
            row=ids(2 * side),
            value=np.zeros(2 * side),
            next=ids(2 * side),
            head=ids(side),
            degree=ids(side),
            dense=np.zeros((side, n_keeps)),
            is_open=ids(side),
            is_done=ids(side),
            open_row=ids(side),
            pivot_row=ids(side),
            pivot_value=np.zeros(side),
            target=ids(side),
            factor=np.zeros(side),
            upper_start=ids(side + 1),
            upper_column=ids(side * side),
            upper_value=np.zeros(side * side),
        )
        arrays: dict[str, Any] = {  # Any: of two dtypes
            **{name: ids(n_claims) for name in ("row_of", "unused", "used", "holder")},
            **{name: np.zeros(side) for name in ("swap", "weight", "dual", "step")},
            **{name: np.zeros(n_claims) for name in ("accept", "level", "level_step")},
            **{name: ids(n_hands) for name in ("reached", "n_others", "best_claim")},
            **{
                name: np.zeros(n_hands)
                for name in ("mass", "key_weight", "key_step", "value", "best")
            },
        }
        self.work = kernels.Work(lu=lu, n_sparse=ids(1), **arrays)
        self.keep = np.zeros(n_keeps)
        self.claim = np.zeros((n_hands, n_claims))

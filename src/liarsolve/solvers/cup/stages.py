"""Stages of a cup game as the kernels take them: tables, families, bases and scratch arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from liarsolve._typing import F8, I8
from liarsolve.game.cup.game import CupGame
from liarsolve.solvers.cup import _stage_kernels as kernels

MARGIN = 1e-12
"""More than the rounding error of a bound: it is a sum of at most some thousand products of
numbers of size one with weights that add up to 1, each off by a few units of 1.1e-16."""

SLACK = 1e-9
"""By how much the bounds of a state are widened, so that the strategies that are found again from
them, by pivots in another order, are sure to keep them."""

_JITTER = 1e-10
_GOLDEN = 0.6180339887498949
_MAX_PIVOTS = 5_000


def lay_out_families(game: CupGame, which: Sequence[int] | None = None) -> kernels.Families:
    """Hands that can come in each family, and their laws, one family after another."""
    hands: list[I8] = []
    distributions: list[F8] = []
    for family in range(game.n_families) if which is None else which:
        distribution = game.redraw[game.keeps_of(family)]
        comes = np.flatnonzero(distribution.any(axis=0))
        hands.append(comes.astype(np.int64))
        distributions.append(distribution[:, comes].ravel())
    return kernels.Families(
        hands=np.concatenate(hands),
        hand_start=np.cumsum([0, *(x.size for x in hands)]).astype(np.int64),
        distribution=np.concatenate(distributions),
        distribution_start=np.cumsum([0, *(x.size for x in distributions)]).astype(np.int64),
    )


def make_tables(n_hands: int, n_claims: int) -> kernels.Tables:
    """Tables without claims."""
    return kernels.Tables(*(np.zeros((n_hands, n_claims)) for _ in range(4)))


def set_column(tables: kernels.Tables, p: int, truth: F8, low: F8, high: F8) -> None:
    """Set claim p: whether it is true, and what the claimant wins when they are accepted."""
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
        frame=ids(n_families, 3, n_claims + 1),
        size=ids(n_families, 1),
        known=ids(n_families),
        accept=np.zeros((n_families, n_claims)),
        low=np.zeros(n_families),
        high=np.ones(n_families),
        pivots=ids(n_families),
        solved=ids(n_families),
    )


def make_effort(n_claims: int, margin: float = MARGIN) -> kernels.Effort:
    """Right sides that are all a little different, so that ties do not make pivots empty."""
    jitter: F8 = _JITTER * (1.0 + np.arange(1.0, n_claims + 1.0) * _GOLDEN % 1.0)
    return kernels.Effort(
        jitter=jitter, zeros=np.zeros(n_claims), margin=margin, max_pivots=_MAX_PIVOTS
    )


class Scratch:
    """Arrays that one thread works in."""

    def __init__(self, n_hands: int, n_claims: int, n_keeps: int) -> None:
        def ids(*shape: int) -> I8:
            return np.zeros(shape, np.int64)

        side = n_claims + 1
        lu = kernels.Factors(
            entry_ids=ids(2, 2 * side),
            entry=np.zeros(2 * side),
            dense=np.zeros((side, n_keeps)),
            ids=ids(8, side + 1),
            floats=np.zeros((2, side + 1)),
            upper_column=ids(side * side),
            upper=np.zeros(side * side),
        )
        self.work = kernels.Work(
            lu=lu,
            claim_ids=ids(5, side),
            by_claim=np.zeros((7, side)),
            hand_ids=ids(3, n_hands),
            by_hand=np.zeros((5, n_hands)),
        )
        self.keep = np.zeros(n_keeps)
        self.claim = np.zeros((n_hands, n_claims))


class Side(Enum):
    """Whose part of a stage is to be exact, where bounds of later states are apart."""

    MOVER = "mover"
    RESPONDER = "responder"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StageSolution:
    """Both strategies of one stage: J hands, S keeps, and the claims that may be worth making."""

    claims: tuple[int, ...]
    """Claims of the columns, the highest first."""
    hands: I8
    """Hands that can come, [J]."""
    keeps: I8
    """What can be kept, [S]."""
    keep_probs: F8
    """How often each is kept, [S]."""
    claim_probs: F8
    """How often each claim is made with each hand, [J, C]."""
    accept: F8
    """How often each claim is accepted, [C]."""
    low: float
    """What the mover is sure of with these strategies: their chance of winning."""
    high: float
    """What they can reach at most against this responder."""


def solve_one_stage(
    game: CupGame, family: int, claims: Sequence[int], tables: kernels.Tables, side: Side
) -> StageSolution:
    """Solve a stage without history, to rounding error.

    ``tables`` holds the claims in this order. The side that is to be exact plays against the
    worst that the bounds of later states allow.
    """
    gain = tables.gain_low if side is Side.MOVER else tables.gain_high
    exact = kernels.Tables(tables.truth, gain, tables.gain_low, tables.gain_high)
    return _solve_alone(game, family, claims, exact)[0]


def find_basis(
    game: CupGame, family: int, claims: Sequence[int], tables: kernels.Tables
) -> kernels.Basis:
    """Basis in which the pivots of a stage end: what an exact solution may be computed from."""
    return _solve_alone(game, family, claims, tables)[1]


def _solve_alone(
    game: CupGame, family: int, claims: Sequence[int], tables: kernels.Tables
) -> tuple[StageSolution, kernels.Basis]:
    families = lay_out_families(game, [family])
    n = len(claims)
    standing = make_standing(families, n)
    keeps = game.keeps_of(family)
    scratch = Scratch(game.n_hands, n, keeps.size)
    kernels.solve_families(
        kernels.Order(np.zeros(1, np.int64), n, 0.0),
        families,
        standing,
        tables,
        make_effort(n),
        scratch.work,
        scratch.keep,
        scratch.claim,
    )
    solution = StageSolution(
        claims=tuple(claims),
        hands=families.hands,
        keeps=keeps,
        keep_probs=scratch.keep,
        claim_probs=scratch.claim[: families.hands.size],
        accept=standing.accept[0],
        low=float(standing.low[0]),
        high=float(standing.high[0]),
    )
    return solution, kernels.basis_of(families, standing, 0)


def tabulate_claims(game: CupGame, claims: Sequence[int], low: F8, high: F8) -> kernels.Tables:
    """Tables of some claims, from the bounds of the states that follow them, [H, C]."""
    tables = make_tables(game.n_hands, len(claims))
    for p, claim in enumerate(claims):
        truth = game.truth[claim].astype(np.float64)
        set_column(tables, p, truth, 1.0 - high[:, claim], 1.0 - low[:, claim])
    return tables


def is_dominated(game: CupGame, claim: int, other: int, low: F8) -> bool:
    """Whether ``other`` is true of the same hands, and accepted worth as much or more to make.

    Whoever answers both alike then loses nothing by the lower one.
    """
    return bool(
        (game.truth[claim] == game.truth[other]).all() and (low[:, claim] >= low[:, other]).all()
    )

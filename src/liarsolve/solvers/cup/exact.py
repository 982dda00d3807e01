"""Small cup games in rational arithmetic.

The pivots of a stage end in a basis. What both players do by it is computed again in fractions; if
what the mover is then sure of is what the responder holds them to, that is the value, whatever
rounding errors the pivots were led by.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from liarsolve.errors import GameTooLargeError
from liarsolve.game.cup.game import CupGame
from liarsolve.solvers.cup._stage_kernels import (
    ACCEPTED,
    COL_HAND,
    COL_ITEM,
    MIXED,
    ROW_CLAIM,
    Basis,
)
from liarsolve.solvers.cup.stages import find_basis, make_tables, set_column

Values = list[Fraction]

_MOST_STAGES = 3_000
"""Stages in rational arithmetic take a few milliseconds each, where numbers are short."""


def solve_cup_exactly(game: CupGame) -> tuple[Fraction | None, list[Values]]:
    """Chance of winning of the first player, and of the mover after each claim, by hand.

    The first is `None` if there is a stage whose fractions prove nothing.

    Raises
    ------
    GameTooLargeError
        If the game has too many stages.
    """
    n_stages = game.n_families * game.n_claims
    if n_stages > _MOST_STAGES:
        raise GameTooLargeError(
            f"a game of {n_stages:,} stages is too large for rational arithmetic, which is made "
            f"for {_MOST_STAGES:,}; solve it to a target instead"
        )
    values: list[Values] = [[] for _ in range(game.n_claims)]
    for claim in range(game.n_claims - 1, -1, -1):
        if claim in game.end_values:
            won = game.end_values[claim]
            if won is None:
                won = tuple(Fraction(int(is_true)) for is_true in game.truth[claim])
            values[claim] = [1 - p for p in won]
            continue
        followers = np.flatnonzero(game.follows[claim])[::-1].tolist()
        of_family: dict[int, Fraction] = {}
        for family in np.unique(game.hand_family).tolist():
            value = _solve_stage(game, family, followers, values)
            if value is None:
                return None, values
            of_family[family] = value
        values[claim] = [max(of_family[int(f)] for f in row) for row in game.hand_family]
    opening = _solve_stage(game, 0, list(range(game.n_claims - 1, -1, -1)), values)
    return opening, values


@dataclass(frozen=True, slots=True, eq=False)
class _Stage:
    """A stage in fractions: laws by keep and hand, payoffs by hand and claim."""

    hands: list[int]
    distributions: list[Mapping[int, Fraction]]
    truth: list[list[Fraction]]
    gain: list[list[Fraction]]
    basis: Basis

    @property
    def n_claims(self) -> int:
        return len(self.truth[0])

    def payoff(self, i: int, p: int, accept: Fraction) -> Fraction:
        return self.truth[i][p] + accept * self.gain[i][p]


def _solve_stage(
    game: CupGame, family: int, followers: Sequence[int], values: Sequence[Values]
) -> Fraction | None:
    """Value of a stage; None if the basis proves none."""
    claims: list[int] = []
    for claim in followers:
        if not any(_is_dominated(game, claim, other, values) for other in claims):
            claims.append(claim)
    tables = make_tables(game.n_hands, len(claims))
    for p, claim in enumerate(claims):
        accepted = np.array([float(1 - v) for v in values[claim]])
        set_column(tables, p, game.truth[claim].astype(np.float64), accepted, accepted)
    basis = find_basis(game, family, claims, tables)
    distributions = [game.distributions[keep] for keep in game.keeps_of(family)]
    hands = sorted({hand for distribution in distributions for hand in distribution})
    truth = [[Fraction(int(game.truth[claim, h])) for claim in claims] for h in hands]
    gain = [
        [1 - values[claim][h] - truth[i][p] for p, claim in enumerate(claims)]
        for i, h in enumerate(hands)
    ]
    stage = _Stage(hands, distributions, truth, gain, basis)
    sure = _evaluate_mover(stage)
    return sure if sure is not None and sure == _evaluate_responder(stage) else None


def _is_dominated(game: CupGame, claim: int, other: int, values: Sequence[Values]) -> bool:
    is_same = bool((game.truth[claim] == game.truth[other]).all())
    return is_same and all(a >= b for a, b in zip(values[claim], values[other], strict=True))


def _columns(stage: _Stage) -> list[tuple[int, int]]:
    """Columns of the working matrix: position of a hand and claim, or -1 and keep."""
    size = int(stage.basis.size[0])
    return [
        (int(stage.basis.frame[COL_HAND, c]), int(stage.basis.frame[COL_ITEM, c]))
        for c in range(size)
    ]


def _matrix(stage: _Stage) -> list[list[Fraction]]:
    """Working matrix: rows are the value and the mixed claims."""
    basis, size = stage.basis, int(stage.basis.size[0])
    row_of = {int(basis.frame[ROW_CLAIM, r]): r for r in range(1, size)}
    matrix = [[Fraction(0)] * size for _ in range(size)]
    for c, (i, item) in enumerate(_columns(stage)):
        if i < 0:
            matrix[0][c] = Fraction(1)
            for j, h in enumerate(stage.hands):
                key = int(basis.key[j])
                if key in row_of:
                    matrix[row_of[key]][c] -= (
                        stage.distributions[item].get(h, 0) * stage.gain[j][key]
                    )
        else:
            key = int(basis.key[i])
            if item in row_of:
                matrix[row_of[item]][c] -= stage.gain[i][item]
            if key in row_of:
                matrix[row_of[key]][c] += stage.gain[i][key]
    return matrix


def _evaluate_mover(stage: _Stage) -> Fraction | None:
    """What the mover of the basis is sure of; None if it is no strategy."""
    size = int(stage.basis.size[0])
    weights = solve_linear(_matrix(stage), [Fraction(int(r == 0)) for r in range(size)])
    if weights is None or min(weights) < 0:
        return None
    made = [[Fraction(0)] * stage.n_claims for _ in stage.hands]
    left = [Fraction(0)] * len(stage.hands)
    for (i, item), weight in zip(_columns(stage), weights, strict=True):
        if i < 0:
            for j, h in enumerate(stage.hands):
                left[j] += weight * stage.distributions[item].get(h, 0)
        else:
            made[i][item] += weight
            left[i] -= weight
    for i, rest in enumerate(left):
        if rest < 0:
            return None
        made[i][int(stage.basis.key[i])] += rest
    total = Fraction(0)
    for p in range(stage.n_claims):
        challenged = sum((m[p] * t[p] for m, t in zip(made, stage.truth, strict=True)), Fraction(0))
        gained = sum((m[p] * g[p] for m, g in zip(made, stage.gain, strict=True)), Fraction(0))
        total += challenged + min(gained, Fraction(0))
    return total


def _evaluate_responder(stage: _Stage) -> Fraction | None:
    """What the responder of the basis holds the mover to; None if it is no strategy."""
    basis, size = stage.basis, int(stage.basis.size[0])
    fixed = [Fraction(int(basis.side[p] == ACCEPTED)) for p in range(stage.n_claims)]
    costs = []
    for i, item in _columns(stage):
        if i < 0:
            costs.append(
                sum(
                    (
                        stage.distributions[item].get(h, 0)
                        * stage.payoff(j, int(basis.key[j]), fixed[int(basis.key[j])])
                        for j, h in enumerate(stage.hands)
                    ),
                    Fraction(0),
                )
            )
        else:
            key = int(basis.key[i])
            costs.append(stage.payoff(i, item, fixed[item]) - stage.payoff(i, key, fixed[key]))
    transposed = [list(column) for column in zip(*_matrix(stage), strict=True)]
    duals = solve_linear(transposed, costs)
    if duals is None:
        return None
    accept = dict(enumerate(fixed))
    for r in range(1, size):
        accept[int(basis.frame[ROW_CLAIM, r])] = duals[r]
    if not all(0 <= q <= 1 for q in accept.values()):
        return None
    reached = _reached(stage)
    named = {int(basis.key[i]) for i in reached}
    named |= {item for i, item in _columns(stage) if i >= 0}
    named |= {p for p in range(stage.n_claims) if basis.side[p] == MIXED}
    best = [max(stage.payoff(i, p, accept[p]) for p in named) for i in range(len(stage.hands))]
    for p in range(stage.n_claims):
        if p not in named:
            q = _fit(stage, p, best, reached)
            best = [max(y, stage.payoff(i, p, q)) for i, y in enumerate(best)]
    return max(
        sum(
            (distribution.get(h, 0) * y for h, y in zip(stage.hands, best, strict=True)),
            Fraction(0),
        )
        for distribution in stage.distributions
    )


def _reached(stage: _Stage) -> list[int]:
    """Positions of hands that can come of what the basis keeps, or that it makes claims with."""
    columns = _columns(stage)
    kept = [stage.distributions[item] for i, item in columns if i < 0]
    claiming = {i for i, _ in columns if i >= 0}
    return [
        i
        for i, h in enumerate(stage.hands)
        if i in claiming or any(distribution.get(h, 0) > 0 for distribution in kept)
    ]


def _fit(stage: _Stage, p: int, best: Sequence[Fraction], reached: Sequence[int]) -> Fraction:
    """Acceptance of a claim by which no hand gains, or else none of those reached."""
    least, greatest = Fraction(0), Fraction(1)
    for i, y in enumerate(best):
        gain, room = stage.gain[i][p], y - stage.truth[i][p]
        if gain > 0:
            greatest = min(greatest, room / gain)
        elif gain < 0:
            least = max(least, room / gain)
        elif room < 0:
            least = Fraction(2)
    if least <= greatest:
        return (least + greatest) / 2
    needed = [
        (best[i] - stage.truth[i][p]) / stage.gain[i][p] for i in reached if stage.gain[i][p] < 0
    ]
    return min(max([Fraction(0), *needed]), Fraction(1))


def solve_linear(
    matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]
) -> list[Fraction] | None:
    """Solve a square system by elimination; None if it is singular.

    >>> solve_linear([[Fraction(2), Fraction(1)], [Fraction(0), Fraction(3)]], [1, 1])
    [Fraction(1, 3), Fraction(1, 3)]
    """
    rows = [[*row, x] for row, x in zip(matrix, right, strict=True)]
    size = len(rows)
    for k in range(size):
        at = next((r for r in range(k, size) if rows[r][k] != 0), None)
        if at is None:
            return None
        rows[k], rows[at] = rows[at], rows[k]
        for r in range(size):
            if r != k and rows[r][k] != 0:
                factor = rows[r][k] / rows[k][k]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[k], strict=True)]
    return [rows[k][size] / rows[k][k] for k in range(size)]

"""Kernels of the cup recursion: one stage as a small linear program, solved by pivots.

At a stage the mover has announced a number of dice. They choose which to keep, see the new hand j
(one of the J hands that can come), and names claim p (one of the first n claims of the tables).
The responder accepts it with probability q[p]. The mover wins with probability
``truth + q * gain``, where ``gain`` is what acceptance changes: the mover's chance when accepted
less that when challenged. The program of the mover is

    max  sum z * truth - sum alpha        over x, z, alpha, beta >= 0
    s.t. sum_p z[j, p] = sum_s law[s, j] x[s]       for every hand        (dual: y[j])
         sum_j -gain[j, p] z[j, p] - alpha[p] + beta[p] = 0   for every claim   (dual: q[p])
         sum_s x[s] = 1                                                   (dual: the value)

Every hand has a *key* claim, whose z is what the other basic ones leave of the hand's mass, so
that the working matrix has one row for each claim with 0 < q < 1 and one for the value.
"""

from typing import NamedTuple

import numpy as np

from liarsolve._jit import inner_kernel, kernel
from liarsolve._typing import F8, I8

CHALLENGED, ACCEPTED, MIXED = 0, 1, 2
"""How the responder treats a claim in a basis: q = 0, q = 1, or a row of the working matrix."""

_NONE = -1
_SLACK = -2
"""In place of the hand of a column: the slack of a mixed claim."""

_SMALL = 1e-11
"""Gains below this are taken to be none: some 1e4 roundings of order one."""
_PIVOT_SIZE = 1e-10
"""Pivots below this are taken to be zero, and so is what q lies outside [0, 1]."""
_CRUMB = 1e-14
"""What may fall below zero in a step for the sake of a larger pivot."""

_MOST_AGAIN = 20
"""Columns chosen after one pricing. Stages of 60 to 150 claims of ``classic`` took 885,000 pivots
and 47 s with none, 399,000 and 13 s with 20."""
_LEAST_AGAIN = 1e-7
"""Gain for which a column is chosen without pricing all of them anew."""


class Tables(NamedTuple):
    """Payoffs by hand and claim, [H, C]; the claims stand in the order in which they are added."""

    truth: F8
    """1 where the claim is true."""
    gain: F8
    """Estimate of what acceptance changes, by which pivots are chosen."""
    gain_low: F8
    """The same from below, for what the mover is sure of."""
    gain_high: F8
    """The same from above, for what the responder is sure of."""


class Stage(NamedTuple):
    """What differs from stage to stage of the same game."""

    hands: I8
    """The J hands that can come, [J]."""
    distribution: F8
    """Probability of each of them after each keep, [S, J]."""


class Basis(NamedTuple):
    """Where the pivots stand: modified in place, and taken up again when claims are added."""

    key: I8
    """Key claim of each hand, [J]."""
    side: I8
    """CHALLENGED, ACCEPTED or MIXED, [C]."""
    frame: I8
    """ROW_CLAIM, COL_HAND and COL_ITEM of the working matrix, [3, C + 1]."""
    size: I8
    """Number of rows and columns, [1]."""


ROW_CLAIM, COL_HAND, COL_ITEM = 0, 1, 2
"""Claim of each row but the first, which is the value; hand of each column, or -1 if it is a keep;
claim of each column, or the keep."""


class Factors(NamedTuple):
    """The working matrix and its factors: up to C + 1 rows and columns, S of the columns dense.

    Arrays are packed, since numba takes long to compile functions with many of them.
    """

    entry_ids: I8
    """_ROW (-1 if there is none) and _NEXT entry in the same row, of the sparse columns,
    [2, 2 C + 2]."""
    entry: F8
    """Entries of the sparse columns, [2 C + 2]."""
    dense: F8
    """[C + 1, S]."""
    ids: I8
    """_HEAD (first entry) and _DEGREE of rows, _IS_OPEN: rows not eliminated, in order _OPEN_ROW;
    _IS_DONE: columns eliminated, each by its _PIVOT_ROW from a _TARGET row (-1 if from none), where
    its part of U begins: _UPPER_START; [8, C + 2]."""
    floats: F8
    """_PIVOT: pivot of each sparse column, _FACTOR: how many times it was taken, [2, C + 2]."""
    upper_column: I8
    """Columns of the entries of U, [(C + 1)^2]."""
    upper: F8
    """Entries of U, [(C + 1)^2]."""


_ROW, _NEXT = 0, 1
_HEAD, _DEGREE, _IS_OPEN, _OPEN_ROW, _IS_DONE, _PIVOT_ROW, _TARGET, _UPPER_START = range(8)
_PIVOT, _FACTOR = 0, 1


class Work(NamedTuple):
    """Scratch arrays for stages of up to H hands, C claims and S keeps."""

    lu: Factors
    claim_ids: I8
    """_ROW_OF: row of a claim, _UNUSED: list of claims that nobody names, _USED: basic columns at a
    claim, _HOLDER: hand that sets q of an unused claim, and in the first place of _N_SPARSE the
    number of sparse columns; [5, C + 1]."""
    by_claim: F8
    """_WEIGHT, _DUAL and _STEP by column or row, _SPARE; _ACCEPT: q, _LEVEL: sum of -gain * z, and
    its _LEVEL_STEP by claim; [7, C + 1]."""
    hand_ids: I8
    """_REACHED, _N_OTHERS: basic columns besides the key, _BEST_CLAIM; [3, H]."""
    by_hand: F8
    """_MASS, _KEY_WEIGHT and its _KEY_STEP, _VALUE: y, _BEST: what q allows; [5, H]."""


_ROW_OF, _UNUSED, _USED, _HOLDER, _N_SPARSE = range(5)
_WEIGHT, _DUAL, _STEP, _SPARE, _ACCEPT, _LEVEL, _LEVEL_STEP = range(7)
_REACHED, _N_OTHERS, _BEST_CLAIM = range(3)
_MASS, _KEY_WEIGHT, _KEY_STEP, _VALUE, _BEST = range(5)


@inner_kernel
def start_basis(n: int, stage: Stage, tables: Tables, basis: Basis, work: Work) -> None:
    """Basis of a stage without history: name the highest true claim, or else the lowest."""
    n_keeps, n_hands = stage.distribution.shape
    for i in range(n_hands):
        h = stage.hands[i]
        basis.key[i] = n - 1
        for p in range(n):
            if tables.truth[h, p] > 0.0:
                basis.key[i] = p
                break
    best, best_keep = -1.0, 0
    for s in range(n_keeps):
        total = 0.0
        for i in range(n_hands):
            h, p = stage.hands[i], basis.key[i]
            total += stage.distribution[s, i] * tables.truth[h, p] * (1.0 + tables.gain[h, p])
        if total > best:
            best, best_keep = total, s
    for p in range(n):
        work.by_claim[_LEVEL, p] = 0.0
    for i in range(n_hands):
        p = basis.key[i]
        work.by_claim[_LEVEL, p] -= (
            stage.distribution[best_keep, i] * tables.gain[stage.hands[i], p]
        )
    for p in range(n):  # the mover has the lesser of truth and acceptance
        basis.side[p] = ACCEPTED if work.by_claim[_LEVEL, p] > 0.0 else CHALLENGED
    basis.size[0] = 1
    basis.frame[COL_HAND, 0] = _NONE
    basis.frame[COL_ITEM, 0] = best_keep


@inner_kernel
def _entry(tables: Tables, basis: Basis, h: int, p: int) -> float:
    """Payoff per unit of z[h, p], with q at the bound where the claim is not mixed."""
    payoff: float = tables.truth[h, p]
    if basis.side[p] == ACCEPTED:
        payoff += tables.gain[h, p]
    return payoff


@inner_kernel
def _put(lu: Factors, slot: int, row: int, value: float) -> None:
    """Place an entry of a sparse column, and hang it on its row."""
    lu.entry_ids[_ROW, slot], lu.entry[slot] = row, value
    if row != _NONE:
        lu.entry_ids[_NEXT, slot] = lu.ids[_HEAD, row]
        lu.ids[_HEAD, row] = slot
        lu.ids[_DEGREE, row] += 1


@inner_kernel
def _fill_matrix(stage: Stage, tables: Tables, basis: Basis, work: Work, lu: Factors) -> int:
    """Lay out the working matrix; the number of sparse columns, which come first.

    Column k of a hand's claim has at most two entries, in the slots 2 k and 2 k + 1: at the claim
    and at the hand's key. Columns of keeps are dense.
    """
    size, hands, distribution = basis.size[0], stage.hands, stage.distribution
    last = int(size - 1)
    for c in range(size - 1, -1, -1):
        if basis.frame[COL_HAND, c] == _NONE:
            item = basis.frame[COL_ITEM, c]
            basis.frame[COL_HAND, c], basis.frame[COL_ITEM, c] = (
                basis.frame[COL_HAND, last],
                basis.frame[COL_ITEM, last],
            )
            basis.frame[COL_HAND, last], basis.frame[COL_ITEM, last] = _NONE, item
            last -= 1
    n_sparse = last + 1
    n_dense = size - n_sparse
    for r in range(1, size):
        work.claim_ids[_ROW_OF, basis.frame[ROW_CLAIM, r]] = r
    for r in range(size):
        lu.ids[_HEAD, r] = _NONE
        lu.ids[_DEGREE, r] = 0
        lu.ids[_IS_OPEN, r] = 1
        for d in range(n_dense):
            lu.dense[r, d] = 0.0
    for c in range(n_sparse):
        j, item = basis.frame[COL_HAND, c], basis.frame[COL_ITEM, c]
        row = work.claim_ids[_ROW_OF, item] if basis.side[item] == MIXED else _NONE
        _put(lu, 2 * c, row, -tables.gain[hands[j], item])
        item = basis.key[j]
        row = work.claim_ids[_ROW_OF, item] if basis.side[item] == MIXED else _NONE
        _put(lu, 2 * c + 1, row, tables.gain[hands[j], item])
    for d in range(n_dense):
        s = basis.frame[COL_ITEM, n_sparse + d]
        lu.dense[0, d] = 1.0
        for i in range(hands.size):
            p = basis.key[i]
            if basis.side[p] == MIXED:
                lu.dense[work.claim_ids[_ROW_OF, p], d] -= (
                    distribution[s, i] * tables.gain[hands[i], p]
                )
    return n_sparse


@inner_kernel
def _pivot_slot(lu: Factors, k: int) -> int:
    """Slot of column k to eliminate with: the larger entry, or one whose row has fewer others."""
    first, second = 2 * k, 2 * k + 1
    if lu.entry_ids[_ROW, first] == _NONE:
        return second
    if lu.entry_ids[_ROW, second] == _NONE:
        return first
    a, b = abs(lu.entry[first]), abs(lu.entry[second])
    if lu.ids[_DEGREE, lu.entry_ids[_ROW, first]] <= lu.ids[_DEGREE, lu.entry_ids[_ROW, second]]:
        return first if a >= 0.1 * b else second
    return second if b >= 0.1 * a else first


@inner_kernel
def _move_row(lu: Factors, k: int, row: int, target: int, factor: float, n_upper: int) -> int:
    """Eliminate a row: its other entries become part of U, and go over to the target row."""
    slot = lu.ids[_HEAD, row]
    while slot != _NONE:
        following = lu.entry_ids[_NEXT, slot]
        column = slot // 2
        if column != k and lu.ids[_IS_DONE, column] == 0:
            lu.upper_column[n_upper] = column
            lu.upper[n_upper] = lu.entry[slot]
            n_upper += 1
            moved = -factor * lu.entry[slot]
            other = slot ^ 1
            if target == _NONE:
                lu.entry_ids[_ROW, slot] = _NONE
            elif lu.entry_ids[_ROW, other] == target:
                lu.entry[other] += moved
                lu.entry_ids[_ROW, slot] = _NONE
            else:
                _put(lu, slot, target, moved)
        slot = following
    return n_upper


@inner_kernel
def _factor(lu: Factors, size: int, n_sparse: int) -> bool:
    """Factor the working matrix, sparse columns first; False if it is singular."""
    n_dense = size - n_sparse
    n_upper = 0
    for k in range(n_sparse):
        lu.ids[_IS_DONE, k] = 0
    for k in range(n_sparse):
        slot = _pivot_slot(lu, k)
        row, target = lu.entry_ids[_ROW, slot], lu.entry_ids[_ROW, slot ^ 1]
        if row == _NONE or not abs(lu.entry[slot]) > 1e-12:
            return False
        factor = lu.entry[slot ^ 1] / lu.entry[slot] if target != _NONE else 0.0
        lu.ids[_PIVOT_ROW, k], lu.floats[_PIVOT, k] = row, lu.entry[slot]
        lu.ids[_TARGET, k], lu.floats[_FACTOR, k] = target, factor
        lu.ids[_UPPER_START, k] = n_upper
        n_upper = _move_row(lu, k, row, target, factor, n_upper)
        lu.ids[_IS_DONE, k] = 1
        lu.ids[_IS_OPEN, row] = 0
        if target != _NONE:
            lu.ids[_DEGREE, target] -= 1
            for d in range(n_dense):
                lu.dense[target, d] -= factor * lu.dense[row, d]
    lu.ids[_UPPER_START, n_sparse] = n_upper
    d = 0
    for r in range(size):
        if lu.ids[_IS_OPEN, r] == 1:
            lu.ids[_OPEN_ROW, d] = r
            d += 1
    for k in range(n_dense):
        at = k
        for r in range(k + 1, n_dense):
            if abs(lu.dense[lu.ids[_OPEN_ROW, r], k]) > abs(lu.dense[lu.ids[_OPEN_ROW, at], k]):
                at = r
        lu.ids[_OPEN_ROW, k], lu.ids[_OPEN_ROW, at] = lu.ids[_OPEN_ROW, at], lu.ids[_OPEN_ROW, k]
        row = lu.ids[_OPEN_ROW, k]
        if not abs(lu.dense[row, k]) > 1e-13:
            return False
        for r in range(k + 1, n_dense):
            other = lu.ids[_OPEN_ROW, r]
            lu.dense[other, k] /= lu.dense[row, k]
            for c in range(k + 1, n_dense):
                lu.dense[other, c] -= lu.dense[other, k] * lu.dense[row, c]
    return True


@inner_kernel
def _solve_columns(lu: Factors, size: int, n_sparse: int, x: F8, scratch: F8) -> None:
    """Solve matrix y = x, and put y in the place of x (rows in, columns out)."""
    n_dense = size - n_sparse
    for k in range(n_sparse):
        if lu.ids[_TARGET, k] != _NONE:
            x[lu.ids[_TARGET, k]] -= lu.floats[_FACTOR, k] * x[lu.ids[_PIVOT_ROW, k]]
    for k in range(n_dense):
        total = x[lu.ids[_OPEN_ROW, k]]
        for c in range(k):
            total -= lu.dense[lu.ids[_OPEN_ROW, k], c] * scratch[n_sparse + c]
        scratch[n_sparse + k] = total
    for k in range(n_dense - 1, -1, -1):
        total = scratch[n_sparse + k]
        for c in range(k + 1, n_dense):
            total -= lu.dense[lu.ids[_OPEN_ROW, k], c] * scratch[n_sparse + c]
        scratch[n_sparse + k] = total / lu.dense[lu.ids[_OPEN_ROW, k], k]
    for k in range(n_sparse - 1, -1, -1):
        row = lu.ids[_PIVOT_ROW, k]
        total = x[row]
        for u in range(lu.ids[_UPPER_START, k], lu.ids[_UPPER_START, k + 1]):
            total -= lu.upper[u] * scratch[lu.upper_column[u]]
        for d in range(n_dense):
            total -= lu.dense[row, d] * scratch[n_sparse + d]
        scratch[k] = total / lu.floats[_PIVOT, k]
    for c in range(size):
        x[c] = scratch[c]


@inner_kernel
def _solve_rows(lu: Factors, size: int, n_sparse: int, x: F8, scratch: F8) -> None:
    """Solve y matrix = x, and put y in the place of x (columns in, rows out)."""
    n_dense = size - n_sparse
    for k in range(n_sparse):
        row = lu.ids[_PIVOT_ROW, k]
        value = x[k] / lu.floats[_PIVOT, k]
        scratch[row] = value
        if value != 0.0:
            for u in range(lu.ids[_UPPER_START, k], lu.ids[_UPPER_START, k + 1]):
                x[lu.upper_column[u]] -= value * lu.upper[u]
            for d in range(n_dense):
                x[n_sparse + d] -= value * lu.dense[row, d]
    for k in range(n_dense):
        value = x[n_sparse + k] / lu.dense[lu.ids[_OPEN_ROW, k], k]
        x[n_sparse + k] = value
        for c in range(k + 1, n_dense):
            x[n_sparse + c] -= value * lu.dense[lu.ids[_OPEN_ROW, k], c]
    for k in range(n_dense - 1, -1, -1):
        value = x[n_sparse + k]
        for c in range(k):
            x[n_sparse + c] -= value * lu.dense[lu.ids[_OPEN_ROW, k], c]
        scratch[lu.ids[_OPEN_ROW, k]] = value
    for k in range(n_sparse - 1, -1, -1):
        if lu.ids[_TARGET, k] != _NONE:
            scratch[lu.ids[_PIVOT_ROW, k]] -= lu.floats[_FACTOR, k] * scratch[lu.ids[_TARGET, k]]
    for r in range(size):
        x[r] = scratch[r]


@inner_kernel
def _refactor(stage: Stage, tables: Tables, basis: Basis, work: Work) -> bool:
    """Lay out and factor the working matrix of the basis; False if it is singular."""
    work.claim_ids[_N_SPARSE, 0] = _fill_matrix(stage, tables, basis, work, work.lu)
    return _factor(work.lu, basis.size[0], work.claim_ids[_N_SPARSE, 0])


@inner_kernel
def _set_weights(
    n: int, stage: Stage, tables: Tables, basis: Basis, work: Work, jitter: F8
) -> None:
    """Set the weights of columns and keys, the mass of hands, and the levels of claims."""
    size, hands, distribution = basis.size[0], stage.hands, stage.distribution
    work.by_claim[_WEIGHT, 0] = 1.0
    for r in range(1, size):
        work.by_claim[_WEIGHT, r] = jitter[basis.frame[ROW_CLAIM, r]]
    _solve_columns(
        work.lu, size, work.claim_ids[_N_SPARSE, 0], work.by_claim[_WEIGHT], work.by_claim[_SPARE]
    )
    for i in range(hands.size):
        work.by_hand[_MASS, i] = 0.0
        work.hand_ids[_REACHED, i] = 0
        work.hand_ids[_N_OTHERS, i] = 0
    for c in range(size):
        if basis.frame[COL_HAND, c] == _NONE:
            s = basis.frame[COL_ITEM, c]
            for i in range(hands.size):
                work.by_hand[_MASS, i] += work.by_claim[_WEIGHT, c] * distribution[s, i]
                if distribution[s, i] > 0.0:
                    work.hand_ids[_REACHED, i] = 1
        else:  # basic at zero: its claims tie its key down
            work.hand_ids[_REACHED, basis.frame[COL_HAND, c]] = 1
    for i in range(hands.size):
        work.by_hand[_KEY_WEIGHT, i] = work.by_hand[_MASS, i]
    for p in range(n):
        work.by_claim[_LEVEL, p] = -jitter[p]
        work.claim_ids[_USED, p] = 0
    for c in range(size):
        j = basis.frame[COL_HAND, c]
        if j != _NONE:
            p = basis.frame[COL_ITEM, c]
            work.hand_ids[_N_OTHERS, j] += 1
            work.by_hand[_KEY_WEIGHT, j] -= work.by_claim[_WEIGHT, c]
            work.by_claim[_LEVEL, p] -= tables.gain[hands[j], p] * work.by_claim[_WEIGHT, c]
            work.claim_ids[_USED, p] += 1
    for i in range(hands.size):
        if work.hand_ids[_REACHED, i] == 1:
            p = basis.key[i]
            work.by_claim[_LEVEL, p] -= tables.gain[hands[i], p] * work.by_hand[_KEY_WEIGHT, i]
            work.claim_ids[_USED, p] += 1


@inner_kernel
def _set_duals(n: int, stage: Stage, tables: Tables, basis: Basis, work: Work) -> None:
    """Set q of the claims in use, the value of every hand reached, and dual[0], the value."""
    size, hands, distribution = basis.size[0], stage.hands, stage.distribution
    for c in range(size):
        j, item = basis.frame[COL_HAND, c], basis.frame[COL_ITEM, c]
        if j == _NONE:
            total = 0.0
            for i in range(hands.size):
                if distribution[item, i] > 0.0:
                    total += distribution[item, i] * _entry(tables, basis, hands[i], basis.key[i])
            work.by_claim[_DUAL, c] = total
        else:
            h = hands[j]
            work.by_claim[_DUAL, c] = _entry(tables, basis, h, item) - _entry(
                tables, basis, h, basis.key[j]
            )
    _solve_rows(
        work.lu, size, work.claim_ids[_N_SPARSE, 0], work.by_claim[_DUAL], work.by_claim[_SPARE]
    )
    for p in range(n):
        if basis.side[p] == MIXED:
            work.by_claim[_ACCEPT, p] = work.by_claim[_DUAL, work.claim_ids[_ROW_OF, p]]
        else:
            work.by_claim[_ACCEPT, p] = float(basis.side[p])
    for i in range(hands.size):
        if work.hand_ids[_REACHED, i] == 1:
            h, p = hands[i], basis.key[i]
            work.by_hand[_VALUE, i] = (
                tables.truth[h, p] + work.by_claim[_ACCEPT, p] * tables.gain[h, p]
            )


@inner_kernel
def _set_unused(n: int, stage: Stage, tables: Tables, basis: Basis, work: Work) -> None:
    """Give claims that nobody names the least q that no true hand would profit from."""
    n_unused = 0
    for p in range(n):
        work.claim_ids[_HOLDER, p] = _NONE
        if work.claim_ids[_USED, p] == 0 and basis.side[p] != MIXED:
            work.by_claim[_ACCEPT, p] = 0.0
            work.claim_ids[_UNUSED, n_unused] = p
            n_unused += 1
    for i in range(stage.hands.size):
        if work.hand_ids[_REACHED, i] == 0:
            continue
        h, y = stage.hands[i], work.by_hand[_VALUE, i]
        for u in range(n_unused):
            p = work.claim_ids[_UNUSED, u]
            short = tables.truth[h, p] - y + work.by_claim[_ACCEPT, p] * tables.gain[h, p]
            if short > 0.0 and tables.gain[h, p] < -1e-9:
                work.by_claim[_ACCEPT, p] = (tables.truth[h, p] - y) / -tables.gain[h, p]
                work.claim_ids[_HOLDER, p] = i
    for u in range(n_unused):  # a claim that stays at a bound needs no holder
        p = work.claim_ids[_UNUSED, u]
        if work.by_claim[_ACCEPT, p] >= 1.0:
            work.claim_ids[_HOLDER, p] = _NONE
            work.by_claim[_ACCEPT, p] = 1.0


@inner_kernel
def _price(n: int, stage: Stage, tables: Tables, work: Work) -> None:
    """Set the best payoff of every hand against q, and the claim that gives it."""
    accept = work.by_claim[_ACCEPT]
    for i in range(stage.hands.size):
        h = stage.hands[i]
        truth, gain = tables.truth[h], tables.gain[h]
        best, at = -1.0, 0
        for p in range(n):
            payoff = truth[p] + accept[p] * gain[p]
            if payoff > best:
                best, at = payoff, p
        work.by_hand[_BEST, i] = best
        work.hand_ids[_BEST_CLAIM, i] = at


@inner_kernel
def _add_row(basis: Basis, claim: int, hand: int, item: int) -> None:
    """Enlarge the working matrix by a claim's row and a column."""
    size = basis.size[0]
    basis.side[claim] = MIXED
    basis.frame[ROW_CLAIM, size] = claim
    basis.frame[COL_HAND, size] = hand
    basis.frame[COL_ITEM, size] = item
    basis.size[0] = size + 1


@inner_kernel
def _drop_row(basis: Basis, claim: int) -> None:
    size = basis.size[0]
    for r in range(1, size):
        if basis.frame[ROW_CLAIM, r] == claim:
            basis.frame[ROW_CLAIM, r] = basis.frame[ROW_CLAIM, size - 1]
            break


@inner_kernel
def _drop_column(basis: Basis, column: int) -> None:
    size = basis.size[0]
    basis.frame[COL_HAND, column] = basis.frame[COL_HAND, size - 1]
    basis.frame[COL_ITEM, column] = basis.frame[COL_ITEM, size - 1]


@inner_kernel
def _materialise(basis: Basis, work: Work, p: int) -> bool:
    """Make the q of an unused claim part of the basis; False if it was so already."""
    if work.claim_ids[_USED, p] > 0 or basis.side[p] == MIXED:
        return False
    if work.claim_ids[_HOLDER, p] != _NONE:
        _add_row(basis, p, work.claim_ids[_HOLDER, p], p)
    elif work.by_claim[_ACCEPT, p] >= 1.0:
        basis.side[p] = ACCEPTED
    else:
        basis.side[p] = CHALLENGED
    work.claim_ids[_USED, p] = 1
    return True


@inner_kernel
def drop_unused(n: int, stage: Stage, tables: Tables, basis: Basis, work: Work) -> None:
    """Take out rows of claims that only one column holds: nobody names them."""
    for p in range(n):
        work.claim_ids[_USED, p] = 0
    for i in range(stage.hands.size):
        work.claim_ids[_USED, basis.key[i]] += 1
    for c in range(basis.size[0]):
        if basis.frame[COL_HAND, c] != _NONE:
            work.claim_ids[_USED, basis.frame[COL_ITEM, c]] += 1
    for p in range(n):
        if basis.side[p] == MIXED and work.claim_ids[_USED, p] == 1:
            for c in range(basis.size[0]):
                if basis.frame[COL_HAND, c] != _NONE and basis.frame[COL_ITEM, c] == p:
                    _drop_row(basis, p)
                    _drop_column(basis, c)
                    basis.size[0] -= 1
                    basis.side[p] = CHALLENGED
                    break


@inner_kernel
def solve_stage(
    n: int,
    stage: Stage,
    tables: Tables,
    jitter: F8,
    tolerance: float,
    max_pivots: int,
    basis: Basis,
    work: Work,
) -> int:
    """Pivot until the value is known within the tolerance; the number of pivots, negative if stuck.

    n : claims that may be named, the first n of the tables
    jitter : float64[C], small and positive: right sides of the rows, so that no step is empty
    basis, work : modified in place
    """
    n_again = 0
    for pivot in range(max_pivots):
        if not _refactor(stage, tables, basis, work):
            return -pivot - 1
        _set_weights(n, stage, tables, basis, work, jitter)
        _set_duals(n, stage, tables, basis, work)
        hand, item = _SLACK, _choose_slack(basis, work)
        if item == _NONE and n_again > 0:
            n_again -= 1
            hand, item = _choose_again(stage, tables, basis, work)
        if item == _NONE:
            n_again = _MOST_AGAIN
            hand, item = _choose_column(n, stage, tables, basis, work, tolerance)
        if item == _NONE:
            return pivot
        if _make_room(stage, basis, work, hand, item):
            if not _refactor(stage, tables, basis, work):
                return -pivot - 1
            _set_weights(n, stage, tables, basis, work, jitter)
        _set_step(n, stage, tables, basis, work, hand, item)
        if not _exchange(n, stage, basis, work, hand, item):
            return -pivot - 1
    return -max_pivots


@inner_kernel
def _choose_slack(basis: Basis, work: Work) -> int:
    """Choose the mixed claim whose q has left [0, 1] farthest, -1 if none: its slack enters."""
    worst, claim = _PIVOT_SIZE, _NONE
    for r in range(1, basis.size[0]):
        q = work.by_claim[_DUAL, r]
        if max(-q, q - 1.0) > worst:
            worst = max(-q, q - 1.0)
            claim = basis.frame[ROW_CLAIM, r]
    return claim


@inner_kernel
def _make_room(stage: Stage, basis: Basis, work: Work, hand: int, item: int) -> bool:
    """Make the q of claims that come into use part of the basis; False if all were."""
    if hand == _SLACK:
        return False
    if hand != _NONE:
        return _materialise(basis, work, item)
    is_changed = False
    for i in range(stage.hands.size):
        if work.hand_ids[_REACHED, i] == 0 and stage.distribution[item, i] > 0.0:
            is_changed |= _materialise(basis, work, basis.key[i])
    return is_changed


@inner_kernel
def _choose_again(stage: Stage, tables: Tables, basis: Basis, work: Work) -> tuple[int, int]:
    """Choose among the best claims of each hand at the last pricing; the second is -1 if none.

    One pass over all hands and claims costs as much as the rest of some ten pivots.
    """
    best_gain, hand, item = 0.0, _NONE, _NONE
    for i in range(stage.hands.size):
        if work.hand_ids[_REACHED, i] == 1 and work.hand_ids[_BEST_CLAIM, i] >= 0:
            h, p = stage.hands[i], work.hand_ids[_BEST_CLAIM, i]
            if work.claim_ids[_USED, p] > 0 or basis.side[p] == MIXED:
                payoff = tables.truth[h, p] + work.by_claim[_ACCEPT, p] * tables.gain[h, p]
                excess = payoff - work.by_hand[_VALUE, i]
                if excess > _LEAST_AGAIN:
                    promise = excess * (max(work.by_hand[_MASS, i], 0.0) + 1e-12)
                    if promise > best_gain:
                        best_gain, hand, item = promise, i, p
    return hand, item


@inner_kernel
def _choose_column(
    n: int, stage: Stage, tables: Tables, basis: Basis, work: Work, tolerance: float
) -> tuple[int, int]:
    """Hand and claim that promise most, or -1 and a keep; the second is -1 at the optimum."""
    _set_unused(n, stage, tables, basis, work)
    _price(n, stage, tables, work)
    n_keeps, n_hands = stage.distribution.shape
    best_gain, hand, item = 0.0, _NONE, _NONE
    for i in range(n_hands):
        if work.hand_ids[_REACHED, i] == 0:
            work.by_hand[_VALUE, i] = work.by_hand[_BEST, i]
            basis.key[i] = work.hand_ids[_BEST_CLAIM, i]
        else:
            excess = work.by_hand[_BEST, i] - work.by_hand[_VALUE, i]
            if excess > _SMALL:
                promise = excess * (max(work.by_hand[_MASS, i], 0.0) + 1e-12)
                if promise > best_gain:
                    best_gain, hand, item = promise, i, work.hand_ids[_BEST_CLAIM, i]
    upper = 0.0
    for s in range(n_keeps):
        total, at_keys = 0.0, 0.0
        for i in range(n_hands):
            total += stage.distribution[s, i] * work.by_hand[_BEST, i]
            at_keys += stage.distribution[s, i] * work.by_hand[_VALUE, i]
        upper = max(upper, total)
        if at_keys - work.by_claim[_DUAL, 0] > max(best_gain, _SMALL):
            best_gain, hand, item = at_keys - work.by_claim[_DUAL, 0], _NONE, s
    if upper - work.by_claim[_DUAL, 0] <= tolerance:
        return _NONE, _NONE
    return hand, item


@inner_kernel
def _set_step(
    n: int, stage: Stage, tables: Tables, basis: Basis, work: Work, enter_hand: int, enter_item: int
) -> None:
    """Set by how much everything falls (rises, for keys and levels) per unit of what enters."""
    size, hands, distribution = basis.size[0], stage.hands, stage.distribution
    step = work.by_claim[_STEP]
    for r in range(size):
        step[r] = 0.0
    for i in range(hands.size):
        work.by_hand[_KEY_STEP, i] = 0.0
    for p in range(n):
        work.by_claim[_LEVEL_STEP, p] = 0.0
    if enter_hand == _NONE:
        step[0] = 1.0
        for i in range(hands.size):
            work.by_hand[_KEY_STEP, i] = distribution[enter_item, i]
            p = basis.key[i]
            if distribution[enter_item, i] > 0.0 and basis.side[p] == MIXED:
                step[work.claim_ids[_ROW_OF, p]] -= (
                    distribution[enter_item, i] * tables.gain[hands[i], p]
                )
    elif enter_hand >= 0:
        h, p = hands[enter_hand], basis.key[enter_hand]
        if basis.side[enter_item] == MIXED:
            step[work.claim_ids[_ROW_OF, enter_item]] -= tables.gain[h, enter_item]
        else:
            work.by_claim[_LEVEL_STEP, enter_item] -= tables.gain[h, enter_item]
        if basis.side[p] == MIXED:
            step[work.claim_ids[_ROW_OF, p]] += tables.gain[h, p]
        work.by_hand[_KEY_STEP, enter_hand] = -1.0
    else:  # alpha if q > 1, beta if q < 0
        r = work.claim_ids[_ROW_OF, enter_item]
        step[r] = -1.0 if work.by_claim[_DUAL, r] > 1.0 else 1.0
    _solve_columns(work.lu, size, work.claim_ids[_N_SPARSE, 0], step, work.by_claim[_SPARE])
    for c in range(size):
        j, item = basis.frame[COL_HAND, c], basis.frame[COL_ITEM, c]
        if j == _NONE:
            for i in range(hands.size):
                work.by_hand[_KEY_STEP, i] -= step[c] * distribution[item, i]
        else:
            work.by_hand[_KEY_STEP, j] += step[c]
            if basis.side[item] != MIXED:
                work.by_claim[_LEVEL_STEP, item] += tables.gain[hands[j], item] * step[c]
    for i in range(hands.size):
        p = basis.key[i]
        if basis.side[p] != MIXED and work.by_hand[_KEY_STEP, i] != 0.0:
            work.by_claim[_LEVEL_STEP, p] -= tables.gain[hands[i], p] * work.by_hand[_KEY_STEP, i]


@inner_kernel
def _slack_sign(basis: Basis, p: int) -> float:
    """Sign of a level in its slack, -level where challenged and level where accepted; 0 if none."""
    if basis.side[p] == MIXED:
        return 0.0
    return -1.0 if basis.side[p] == CHALLENGED else 1.0


@inner_kernel
def _shorten(limit: float, weight: float, fall: float) -> float:
    """Shorten a step so that what falls is not below a crumb under zero."""
    if fall > _PIVOT_SIZE:
        return min(limit, (max(weight, 0.0) + _CRUMB) / fall)
    return limit


@inner_kernel
def _gives_way(weight: float, fall: float, limit: float, best: float) -> bool:
    """Whether this one is at zero within the limit, and falls faster than the best so far."""
    return fall > max(best, _PIVOT_SIZE) and max(weight, 0.0) / fall <= limit


@inner_kernel
def _limit_step(n: int, stage: Stage, basis: Basis, work: Work, enter_hand: int) -> float:
    """How far the step can go; infinite if nothing falls."""
    limit = np.inf
    for c in range(basis.size[0]):
        limit = _shorten(limit, work.by_claim[_WEIGHT, c], work.by_claim[_STEP, c])
    for i in range(stage.hands.size):
        if work.hand_ids[_N_OTHERS, i] > 0 or i == enter_hand:
            limit = _shorten(limit, work.by_hand[_KEY_WEIGHT, i], -work.by_hand[_KEY_STEP, i])
    for p in range(n):
        sign = _slack_sign(basis, p)
        level, level_step = work.by_claim[_LEVEL, p], work.by_claim[_LEVEL_STEP, p]
        limit = _shorten(limit, sign * level, -sign * level_step)
    return limit


@inner_kernel
def _choose_leaving(
    n: int, stage: Stage, basis: Basis, work: Work, enter_hand: int
) -> tuple[int, int, int]:
    """Choose who leaves, the fastest within the limit: column, hand of a key, claim of a slack.

    The others are -1; all are if nothing falls.
    """
    limit = _limit_step(n, stage, basis, work, enter_hand)
    best, column, hand, slack = 0.0, _NONE, _NONE, _NONE
    for c in range(basis.size[0]):
        if _gives_way(work.by_claim[_WEIGHT, c], work.by_claim[_STEP, c], limit, best):
            best, column = work.by_claim[_STEP, c], c
    for i in range(stage.hands.size):
        fall = -work.by_hand[_KEY_STEP, i]
        is_free = work.hand_ids[_N_OTHERS, i] > 0 or i == enter_hand
        if is_free and _gives_way(work.by_hand[_KEY_WEIGHT, i], fall, limit, best):
            best, column, hand = fall, _NONE, i
    for p in range(n):
        sign = _slack_sign(basis, p)
        fall = -sign * work.by_claim[_LEVEL_STEP, p]
        if _gives_way(sign * work.by_claim[_LEVEL, p], fall, limit, best):
            best, column, hand, slack = fall, _NONE, _NONE, p
    return column, hand, slack


@inner_kernel
def _replace_key(basis: Basis, work: Work, hand: int) -> int:
    """Let another basic claim of a hand, the most played, become its key; the column that frees."""
    largest, column = 0.0, _NONE
    for c in range(basis.size[0]):
        weight = work.by_claim[_WEIGHT, c]
        if basis.frame[COL_HAND, c] == hand and (column == _NONE or weight > largest):
            largest, column = weight, c
    basis.key[hand] = basis.frame[COL_ITEM, column]
    return column


@inner_kernel
def _exchange(
    n: int, stage: Stage, basis: Basis, work: Work, enter_hand: int, enter_item: int
) -> bool:
    """Let the column enter and the first that falls to zero leave; False if none falls."""
    column, hand, slack = _choose_leaving(n, stage, basis, work, enter_hand)
    if column == _NONE and hand == _NONE and slack == _NONE:
        return False
    if hand != _NONE and hand == enter_hand:
        basis.key[hand] = enter_item
        return True
    if hand != _NONE:
        column = _replace_key(basis, work, hand)
    if enter_hand != _SLACK:
        if column != _NONE:
            basis.frame[COL_HAND, column] = enter_hand
            basis.frame[COL_ITEM, column] = enter_item
        else:
            _add_row(basis, slack, enter_hand, enter_item)
        return True
    row = work.claim_ids[_ROW_OF, enter_item]
    basis.side[enter_item] = ACCEPTED if work.by_claim[_DUAL, row] > 1.0 else CHALLENGED
    if column != _NONE:
        _drop_row(basis, enter_item)
        _drop_column(basis, column)
        basis.size[0] -= 1
    else:
        basis.frame[ROW_CLAIM, row] = slack
        basis.side[slack] = MIXED
    return True


@inner_kernel
def _settle(n: int, stage: Stage, tables: Tables, basis: Basis, work: Work, zeros: F8) -> bool:
    """Set weights without jitter, duals, and q of unused claims, for the basis as it is."""
    if not _refactor(stage, tables, basis, work):
        return False
    _set_weights(n, stage, tables, basis, work, zeros)
    _set_duals(n, stage, tables, basis, work)
    _set_unused(n, stage, tables, basis, work)
    return True


@inner_kernel
def spread_claims(n: int, stage: Stage, basis: Basis, work: Work, keep: F8, claim: F8) -> None:
    """Write the mover's strategy: probabilities of keeps, and of claims for every hand.

    keep : float64[S], claim : float64[J, C]; modified in place, rows sum to 1
    """
    n_keeps, n_hands = stage.distribution.shape
    for s in range(n_keeps):
        keep[s] = 0.0
    for i in range(n_hands):
        for p in range(n):
            claim[i, p] = 0.0
        claim[i, basis.key[i]] = max(work.by_hand[_KEY_WEIGHT, i], 0.0)
    total = 0.0
    for c in range(basis.size[0]):
        weight = max(work.by_claim[_WEIGHT, c], 0.0)
        if basis.frame[COL_HAND, c] == _NONE:
            keep[basis.frame[COL_ITEM, c]] = weight
            total += weight
        else:
            claim[basis.frame[COL_HAND, c], basis.frame[COL_ITEM, c]] = weight
    for s in range(n_keeps):
        keep[s] /= total
    for i in range(n_hands):
        total = 0.0
        for p in range(n):
            total += claim[i, p]
        if total > 0.0:
            for p in range(n):
                claim[i, p] /= total
        else:
            claim[i, basis.key[i]] = 1.0


@inner_kernel
def evaluate_mover(
    n: int, stage: Stage, tables: Tables, keep: F8, claim: F8, work: Work, margin: float
) -> float:
    """What a mover's strategy wins at least, whatever the responder does."""
    n_keeps, n_hands = stage.distribution.shape
    challenged, accepted = work.by_claim[_LEVEL], work.by_claim[_LEVEL_STEP]
    for p in range(n):
        challenged[p], accepted[p] = 0.0, 0.0
    for i in range(n_hands):
        mass = 0.0
        for s in range(n_keeps):
            mass += keep[s] * stage.distribution[s, i]
        if mass > 0.0:
            h = stage.hands[i]
            for p in range(n):
                if claim[i, p] > 0.0:
                    weight = mass * claim[i, p]
                    challenged[p] += weight * tables.truth[h, p]
                    accepted[p] += weight * (tables.truth[h, p] + tables.gain_low[h, p])
    total = 0.0
    for p in range(n):
        total += min(challenged[p], accepted[p])
    return max(total - margin, 0.0)


@inner_kernel
def choose_responses(
    n: int, stage: Stage, tables: Tables, basis: Basis, work: Work, accept: F8, best: F8
) -> None:
    """Write the responder's strategy q, and what each hand can reach against it at most.

    accept : float64[C], best : float64[J]; modified in place
    """
    n_hands = stage.hands.size
    for i in range(n_hands):
        best[i] = 0.0
    for p in range(n):
        accept[p] = min(max(work.by_claim[_ACCEPT, p], 0.0), 1.0)
        if work.claim_ids[_USED, p] > 0 or basis.side[p] == MIXED:
            raise_best(p, stage, tables, accept[p], best)
    for p in range(n):
        if work.claim_ids[_USED, p] == 0 and basis.side[p] != MIXED:
            low, high = fit_response(p, stage, tables, best)
            if low <= high:
                accept[p] = 0.5 * (low + high)
            else:
                raise_best(p, stage, tables, accept[p], best)


@inner_kernel
def raise_best(p: int, stage: Stage, tables: Tables, accept: float, best: F8) -> None:
    """Raise what each hand can reach to what claim p pays it."""
    for i in range(stage.hands.size):
        h = stage.hands[i]
        best[i] = max(best[i], tables.truth[h, p] + accept * tables.gain_high[h, p])


@inner_kernel
def fit_response(p: int, stage: Stage, tables: Tables, best: F8) -> tuple[float, float]:
    """Least and greatest q with which claim p pays no hand more than ``best``; crossed if none."""
    low, high = 0.0, 1.0
    for i in range(stage.hands.size):
        h = stage.hands[i]
        gain, room = tables.gain_high[h, p], best[i] - tables.truth[h, p]
        if gain > 0.0:
            if high * gain > room:
                high = room / gain
        elif low * gain > room:
            low = room / gain if gain < 0.0 else 2.0
    return low, high


@inner_kernel
def evaluate_responder(stage: Stage, best: F8, margin: float) -> float:
    """What the mover can win at most, if every hand reaches what it can."""
    n_keeps, n_hands = stage.distribution.shape
    highest = 0.0
    for s in range(n_keeps):
        total = 0.0
        for i in range(n_hands):
            total += stage.distribution[s, i] * best[i]
        highest = max(highest, total)
    return min(highest + margin, 1.0)


class Families(NamedTuple):
    """Stages of all families of keeps, one after another."""

    hands: I8
    hand_start: I8  # [F + 1]
    distribution: F8
    distribution_start: I8  # [F + 1]


class Standing(NamedTuple):
    """Where each family stands: bases, responses and bounds; modified in place."""

    key: I8  # as Families.hands
    best: F8  # as Families.hands: what each hand reaches at most
    side: I8  # [F, C]
    frame: I8  # [F, 3, C + 1]
    size: I8  # [F, 1]; 0 before the first solution
    known: I8  # [F]: claims that the solution knows of
    accept: F8  # [F, C]
    low: F8  # [F]
    high: F8  # [F]
    pivots: I8  # [F]
    solved: I8  # [F]


class Effort(NamedTuple):
    """How exactly to solve."""

    jitter: F8  # [C]
    zeros: F8  # [C]
    margin: float
    max_pivots: int


class Order(NamedTuple):
    """Which stages to solve, and how far."""

    which: I8
    """Ids of the families."""
    n: int
    """How many of the claims may be made, the first ones of the tables."""
    tolerance: float
    """How far apart the bounds of a stage may stay."""


@inner_kernel
def stage_of(families: Families, f: int) -> Stage:
    """Hands and distributions of a family."""
    hands = families.hands[families.hand_start[f] : families.hand_start[f + 1]]
    distribution = families.distribution[
        families.distribution_start[f] : families.distribution_start[f + 1]
    ]
    return Stage(hands, distribution.reshape((distribution.size // hands.size, hands.size)))


@kernel
def basis_of(families: Families, standing: Standing, f: int) -> Basis:
    """Basis of a family, as views."""
    return Basis(
        standing.key[families.hand_start[f] : families.hand_start[f + 1]],
        standing.side[f],
        standing.frame[f],
        standing.size[f],
    )


@kernel
def extend_families(
    n: int, families: Families, standing: Standing, tables: Tables, margin: float
) -> None:
    """Answer the claims that are new to each family, as well as its other answers allow.

    What the mover is sure of stays; what they can reach at most rises where no answer fits.
    """
    for f in range(standing.known.size):
        stage = stage_of(families, f)
        best = standing.best[families.hand_start[f] : families.hand_start[f + 1]]
        if standing.known[f] == 0:
            continue
        for p in range(standing.known[f], n):
            standing.side[f, p] = CHALLENGED
            least, greatest = fit_response(p, stage, tables, best)
            accept = min(max(0.5 * (least + greatest), 0.0), 1.0)
            standing.accept[f, p] = accept
            if least > greatest:
                raise_best(p, stage, tables, accept, best)
                high = evaluate_responder(stage, best, margin)
                standing.high[f] = max(standing.high[f], high)
        standing.known[f] = n


@kernel
def solve_families(
    order: Order,
    families: Families,
    standing: Standing,
    tables: Tables,
    effort: Effort,
    work: Work,
    keep: F8,
    claim: F8,
) -> None:
    """Solve some families for the first n claims, and prove bounds.

    standing : modified in place, in the rows of these families
    keep : float64[S], claim : float64[H, C]; overwritten
    """
    n, tolerance = order.n, order.tolerance
    for f in order.which:
        stage, basis = stage_of(families, f), basis_of(families, standing, f)
        best = standing.best[families.hand_start[f] : families.hand_start[f + 1]]
        accept = standing.accept[f]
        if basis.size[0] > 0:
            drop_unused(n, stage, tables, basis, work)
        else:
            start_basis(n, stage, tables, basis, work)
        for attempt in range(2):
            pivots = solve_stage(
                n, stage, tables, effort.jitter, 0.3 * tolerance, effort.max_pivots, basis, work
            )
            standing.pivots[f] += abs(pivots)
            if pivots >= 0 or attempt == 1:
                break
            start_basis(n, stage, tables, basis, work)
        standing.known[f] = n
        standing.solved[f] += 1
        if _settle(n, stage, tables, basis, work, effort.zeros):
            spread_claims(n, stage, basis, work, keep, claim)
            low = evaluate_mover(n, stage, tables, keep, claim, work, effort.margin)
            standing.low[f] = max(standing.low[f], low)
            choose_responses(n, stage, tables, basis, work, accept, best)
            standing.high[f] = evaluate_responder(stage, best, effort.margin)

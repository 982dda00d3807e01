"""Small copies of solutions, with what they cost."""

from dataclasses import replace

import numpy as np

from liarsolve._checks import check_instance, check_number, check_whole
from liarsolve._typing import Real
from liarsolve.errors import InputError
from liarsolve.game import StrategyProfile
from liarsolve.game.bidding.pruning import prune_tree
from liarsolve.solvers import (
    FullGameMeasure,
    certificate_after,
    certify,
    certify_profile,
    measure_in_full_game,
)
from liarsolve.solvers.imperfect_recall.full_game_profile import (
    FullGameProfileMeasure,
    join_entries,
    measure_profile_in_full_game,
)
from liarsolve.solvers.imperfect_recall.lower_bounds import bound_by_plans
from liarsolve.solvers.imperfect_recall.solve import most_visits
from liarsolve.solvers.two_player.best_response import bound_visits
from liarsolve.strategy.bidding.solution import BiddingSolution

_GAP = 1e-3
"""Distance of the bounds of each response in a new certificate, as a share of the exploitability
that the original has; and the least that this is a share of."""
_VISITS_SHARE = 8
"""A state in a search by branch and bound takes so many times what it takes in a traversal."""
_BITS: dict[int, type[np.uint8] | type[np.uint16]] = {8: np.uint8, 16: np.uint16}


def compact(solution: BiddingSolution, *, cutoff: float = 1e-3, bits: int = 16) -> BiddingSolution:
    """Leave out what play does not reach, and store probabilities in few bits.

    Actions less likely than ``cutoff`` are dropped, states go that then can be reached only if
    both players deviate, and the remaining probabilities are rounded to whole numbers. The
    certificate of the copy is measured anew, in the true game: the difference to that of the
    original is what the copy costs.

    Parameters
    ----------
    solution : BiddingSolution
        What to copy.
    cutoff : float
        Probability below which an action is never played.
    bits : int
        8 or 16.

    Raises
    ------
    InputTypeError
        If ``solution`` is of a cup game, or no solution.
    InputError
        If ``cutoff`` is not a probability below 1/2 or ``bits`` is neither 8 nor 16.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> solution = solve(presets.COMMON.replace(faces=3), dice=(1, 1), target=1e-4)
    >>> compact(solution, bits=8).exploitability < 0.01
    True
    """
    check_instance(
        "solution", solution, BiddingSolution, "what solve returns for a round of bidding"
    )
    cutoff = check_number("cutoff", cutoff)
    if not 0.0 <= cutoff < 0.5:
        raise InputError(f"cutoff is a probability below 0.5, got {cutoff}")
    if check_whole("bits", bits) not in _BITS:
        raise InputError(f"bits must be 8 or 16, got {bits}")
    result = solution.result
    dtype = _BITS[bits]
    weights = tuple(_quantise(policy, cutoff, dtype) for policy in result.strategy)
    if solution.abstraction is not None:
        return _remeasure(solution, weights)
    tree, edges = prune_tree(result.tree, tuple(np.any(w, axis=1) for w in weights))
    kept = tuple(w[e] for w, e in zip(weights, edges, strict=True))
    measure = certify_profile if solution.exploitability is None else certify
    profile = StrategyProfile(tree, kept, result.payoffs)
    certificate = measure(profile, max_visits=bound_visits(tree.n_states))
    compacted = replace(result, tree=tree, strategy=kept, certificate=certificate)
    return BiddingSolution(compacted, solution.exact_value)


def _remeasure(solution: BiddingSolution, weights: tuple[Real, ...]) -> BiddingSolution:
    """The same merged states with other weights; they are few, so that none is left out."""
    result, bound = solution.result, None
    max_visits = most_visits(result.tree.graph)
    measured: FullGameMeasure | FullGameProfileMeasure
    if solution.exploitability is not None:
        profile = StrategyProfile(result.tree, weights, result.payoffs)
        measured = measure_in_full_game(
            profile,
            gap=_GAP * max(solution.exploitability, _GAP),
            max_visits=max_visits // _VISITS_SHARE,
        )
        if not measured.is_complete:
            bound = bound_by_plans(measured.certificate)
    else:
        entries = join_entries(weights)
        measured = measure_profile_in_full_game(
            result.tree, entries, result.payoffs, threshold=1e-7, max_visits=max_visits
        )
    compacted = replace(
        result,
        strategy=weights,
        certificate=certificate_after(
            measured.certificate, is_complete=measured.is_complete, lower_bound=bound
        ),
    )
    return BiddingSolution(compacted, solution.exact_value)


def _quantise(policy: Real, cutoff: float, dtype: type[np.uint8] | type[np.uint16]) -> Real:
    scaled = np.rint(policy * np.iinfo(dtype).max)
    scaled[policy < cutoff] = 0.0
    weights: Real = scaled.astype(dtype)
    return weights

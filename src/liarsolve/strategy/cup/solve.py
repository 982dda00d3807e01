"""From the rules of a cup game to a solution."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from liarsolve._checks import check_callable, check_number, check_whole
from liarsolve.claims import Claim
from liarsolve.errors import GameTooLargeError, InputError
from liarsolve.game.cup.compile import compile_cup, size_problem, without_idle_passes
from liarsolve.rules.cup.round import CupRound
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.solvers import CupCFROptions, StopReason, solve_cup_cfr
from liarsolve.solvers.core.checkpoints import Callbacks
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.cup.exact import solve_cup_exactly
from liarsolve.solvers.cup.solve import CupProgressCallback, CupResult, solve_cup
from liarsolve.solvers.cup.unseen import is_unseen, solve_unseen
from liarsolve.strategy.cup.situation import read_claim
from liarsolve.strategy.cup.solution import CupSolution
from liarsolve.strategy.cup.table import CupTableSolution

_MOST_NODES = 200_000
"""Of a round that goes to CFR: unrolling them takes about two seconds."""
_MOST_PAIRS = 1_000
"""Hands times claims of such a round. A node has both, and more: in all presets with two dice or
more 600 pairs make more nodes than `_MOST_NODES` between three players who look."""
_MOST_ITERATIONS = 1_000

_MOST_EXACT_CLAIMS = 60
"""Claims up to which a round without choice of dice is proved as a fraction without being asked."""


def solve_cup_round(
    rules: CupRules,
    *,
    players: int = 2,
    target: float = 1e-3,
    max_seconds: float | None = None,
    n_threads: int | None = None,
    from_claim: Claim | str | None = None,
    on_progress: CupProgressCallback | None = None,
) -> CupSolution | CupTableSolution:
    """Solve a round of a cup game.

    Two players get an equilibrium, and bounds of the value of the round. With three and more the
    round has no value: strategies come with `CupTableSolution.nash_conv`, the sum of what each
    player could gain by changing their own play. Where everything is thrown again unseen, as in
    ``mia``, it is solved claim by claim for any number of players; other games go to CFR, if they
    are small.

    Blind passes are left out where two players gain nothing by them, as in ``box``; the rules of
    the solution say so.

    Games in which everything is thrown again after every claim, such as ``mia``, come out exactly,
    as a fraction.

    Parameters
    ----------
    rules : CupRules
        Rules of the round, such as ``presets.CLASSIC``.
    players : int
        Players at the table, two or more.
    target : float
        With three or more players, how large ``nash_conv`` may be. Between two,
        how large the exploitability may be, in utility per round, where the winner gets +1 and
        the loser -1. It is half the width of the bracket of that value, and the whole width of
        the bracket of the first player's chance of winning.
    max_seconds : float, optional
        Stop there in any case; `CupSolution.stop` says why the solver stopped.
    n_threads : int, optional
        Threads, the number of processors if not given. The result does not depend on it.
    from_claim : Claim or text, optional
        Solve only what can follow this claim and higher ones, which is enough for advice on them
        and takes seconds where the claim is high; between two players.
    on_progress : callable
        Called with a `CupProgress` now and then, or a `CupCFRProgress` where CFR solves the round.

    Returns
    -------
    CupSolution or CupTableSolution
        The latter for three or more players. The same for the same arguments, bit for bit, unless
        ``max_seconds`` or an interrupt stopped it.

    Raises
    ------
    RuleError
        If the rules make no recursion over rising claims, or the round may go on for ever.
    GameTooLargeError
        If the round is too large; the message says how large it is.
    InputError, InputTypeError
        If an argument is out of range.

    Examples
    --------
    >>> from liarsolve.rules.presets import MIA
    >>> solution = solve_cup_round(MIA)
    >>> solution.exact_win_probability
    Fraction(4078225781, 6294150720)
    """
    players = check_whole("players", players, at_least=2)
    target = check_number("target", target, at_least=0)
    if max_seconds is not None:
        max_seconds = check_number("max_seconds", max_seconds)
    if n_threads is not None:
        n_threads = check_whole("n_threads", n_threads, at_least=1)
    check_callable("on_progress", on_progress)
    if players > 2:
        if from_claim is not None:
            raise InputError(
                "with three or more players the whole round is solved; leave out from_claim, "
                f"got {from_claim!r}"
            )
        return _solve_table(
            rules, players, target=target, max_seconds=max_seconds, on_progress=on_progress
        )
    rules = without_idle_passes(rules)
    game = compile_cup(rules)
    result = solve_cup(
        game,
        target=target,
        max_seconds=max_seconds,
        n_threads=n_threads,
        on_progress=on_progress,
        last_claim=_claim_id(rules, from_claim),
    )
    is_small = game.n_families == 1 and game.n_claims <= _MOST_EXACT_CLAIMS
    is_done = result.stop in (StopReason.CONVERGED, StopReason.ROUNDING_LIMIT)
    exact = solve_cup_exactly(game)[0] if is_small and is_done else None
    return _with_exact(rules, result, exact)


def solve_cup_round_exactly(rules: CupRules) -> CupSolution:
    """Solve a small round of a cup game in rational arithmetic.

    Raises
    ------
    GameTooLargeError
        If the game has too many hands and claims.
    RuleError
        If the rules make no recursion over rising claims.

    Examples
    --------
    >>> from liarsolve.rules.presets import LIAR_DIE
    >>> solve_cup_round_exactly(LIAR_DIE.replace(faces=3)).exact_win_probability
    Fraction(13, 18)
    """
    rules = without_idle_passes(rules)
    game = compile_cup(rules)
    exact, _ = solve_cup_exactly(game)
    return _with_exact(rules, solve_cup(game, target=0.0), exact)


def _with_exact(rules: CupRules, result: CupResult, exact: Fraction | None) -> CupSolution:
    """The solution, with the fraction if one was proved."""
    if exact is None:
        return CupSolution(rules, result)
    low, high = result.win_bounds
    assert low <= exact <= high, f"two proofs disagree: {exact} is not in {low}..{high}"
    return CupSolution(rules, replace(result, stop=StopReason.EXACT), exact)


def _solve_table(
    rules: CupRules,
    players: int,
    *,
    target: float,
    max_seconds: float | None,
    on_progress: Callable[[Any], None] | None,  # Any: progress of either solver
) -> CupTableSolution:
    """Solve a round of three or more players."""
    too_large = size_problem(rules)
    if too_large is not None:
        raise GameTooLargeError(too_large)
    table = CupRound(rules, players)
    if is_unseen(table):
        return CupTableSolution(
            solve_unseen(table, target=target, max_seconds=max_seconds, on_progress=on_progress)
        )
    too_large = (
        f"{rules.name} with {players} players has more than {_MOST_NODES:,} nodes, since not all "
        "have seen the hand that was accepted; take fewer dice or faces, such as equipment="
        f"{_small_kit(rules)}, two players, or a game in which all is thrown again unseen, such "
        "as mia"
    )
    if len(rules.equipment.hands) * len(rules.claims) > _MOST_PAIRS:
        raise GameTooLargeError(too_large)
    try:
        result = solve_cup_cfr(
            rules,
            players,
            limits=Limits(
                target=target / players, max_iterations=_MOST_ITERATIONS, max_seconds=max_seconds
            ),
            options=CupCFROptions(max_nodes=_MOST_NODES),
            callbacks=Callbacks(on_progress=on_progress),
        )
    except GameTooLargeError as error:
        raise GameTooLargeError(too_large) from error
    return CupTableSolution(result)


def _small_kit(rules: CupRules) -> str:
    return "cards(2,3,3)" if rules.equipment.is_cards else "dice(2,3)"


def _claim_id(rules: CupRules, claim: Claim | str | None) -> int:
    return 0 if claim is None else read_claim(rules, "from_claim", claim)

"""From the rules of a cup game to a solution."""

from dataclasses import replace
from fractions import Fraction
from numbers import Real

from liarsolve.claims import Claim
from liarsolve.errors import InputTypeError, RuleError
from liarsolve.game.cup.compile import compile_cup, without_idle_passes
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.solvers import StopReason
from liarsolve.solvers.cup.exact import solve_cup_exactly
from liarsolve.solvers.cup.solve import CupProgressCallback, CupResult, solve_cup
from liarsolve.strategy.cup.solution import CupSolution

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
) -> CupSolution:
    """Solve a round of a cup game between two players.

    Blind passes are left out where two players gain nothing by them, as in ``box``; the rules of
    the solution say so.

    Games in which everything is thrown again after every claim, such as ``mia``, come out exactly,
    as a fraction.

    Parameters
    ----------
    rules : CupRules
        Rules of the round, such as ``presets.CLASSIC``.
    players : int
        Players at the table; only two can be solved claim by claim.
    target : float
        How large the exploitability may be, in utility per round, where the winner gets +1 and
        the loser -1. It is half the width of the bracket of that value, and the whole width of
        the bracket of the first player's chance of winning.
    max_seconds : float, optional
        Stop there in any case; `CupSolution.stop` says why the solver stopped.
    n_threads : int, optional
        Threads, the number of processors if not given. The result does not depend on it.
    from_claim : Claim or text, optional
        Solve only what can follow this claim and higher ones, which is enough for advice on them
        and takes seconds where the claim is high.
    on_progress : callable
        Called with a `CupProgress` now and then.

    Returns
    -------
    CupSolution
        The same for the same arguments, bit for bit, unless ``max_seconds`` or an interrupt
        stopped it.

    Raises
    ------
    RuleError
        If the rules, or the number of players, make no recursion over rising claims.
    InputError, InputTypeError
        If an argument is out of range.

    Examples
    --------
    >>> from liarsolve.rules.presets import MIA
    >>> solution = solve_cup_round(MIA)
    >>> solution.exact_win_probability
    Fraction(4078225781, 6294150720)
    """
    if not isinstance(players, int) or isinstance(players, bool):
        raise InputTypeError(f"players is a whole number, got {players!r}")
    if players != 2:
        raise RuleError(
            f"a round of {players} players cannot be solved claim by claim, since not all of them "
            "have seen the hand that was accepted; use players=2, or CFR: "
            "liarsolve.solvers.solve_cup_cfr"
        )
    _check_number("target", target)
    if max_seconds is not None:
        _check_number("max_seconds", max_seconds)
    rules = without_idle_passes(rules)
    game = compile_cup(rules)
    result = solve_cup(
        game,
        target=float(target),
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


def _claim_id(rules: CupRules, claim: Claim | str | None) -> int:
    if claim is None:
        return 0
    parsed = rules.parse_claim(claim) if isinstance(claim, str) else claim
    return rules.claims.index(parsed)


def _check_number(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputTypeError(f"{name} is a number, got {value!r}")

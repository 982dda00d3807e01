"""Small rounds solved by linear program, and their values proved."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter

from liarsolve._checks import check_callable, check_flag, check_number
from liarsolve._typing import Real
from liarsolve.errors import InputError
from liarsolve.game import Payoffs, compile_graph
from liarsolve.rules import RuleSet
from liarsolve.solvers import ProofCallback, ProofProgress, seek_proof, solve_lp
from liarsolve.strategy.bidding.solution import BiddingSolution
from liarsolve.strategy.bidding.solve import make_round, payoffs_from, sums_to_zero


def solve_exact(
    rules: RuleSet,
    dice: Sequence[int],
    *,
    exact_payoff: Sequence[float] | None = None,
    payoffs: Payoffs | None = None,
    palifico: bool = False,
    prove: bool = False,
    max_memory: float | None = None,
    max_seconds: float | None = None,
    on_progress: ProofCallback | None = None,
) -> BiddingSolution:
    """Solve a small round of two players by linear program, to rounding error.

    Parameters
    ----------
    rules, dice, exact_payoff, payoffs, palifico, max_memory
        As for `solve`.
    prove : bool
        Also look for the value as a fraction, proved by exact best responses to both strategies in
        rational arithmetic: `BiddingSolution.exact_value`. `BiddingSolution.proof` says why if none
        was found.
    max_seconds : float, optional
        Time for the linear program and the proof together.
    on_progress : callable, optional
        Called with a `ProofProgress` at every step and ten times a second during the proof.

    Raises
    ------
    LiarsolveError
        If the linear program is not solved in ``max_seconds``.

    Examples
    --------
    >>> from liarsolve import presets, solve_exact
    >>> solve_exact(presets.COMMON.replace(faces=3), dice=(1, 1), prove=True).exact_value
    Fraction(-1, 9)
    """
    started = perf_counter()
    check_flag("prove", prove)
    check_callable("on_progress", on_progress)
    if max_memory is not None:
        check_number("max_memory", max_memory)
    if max_seconds is not None:
        check_number("max_seconds", max_seconds, at_least=0)
    graph = compile_graph(make_round(rules, dice, palifico=palifico))
    payoffs = payoffs_from(exact_payoff, payoffs)
    if graph.n_players == 2 and not sums_to_zero(payoffs):
        raise InputError(
            "a linear program solves rounds in which the payoffs of the two players sum to 0; "
            "use solve for others"
        )

    def seconds_left() -> float | None:
        return None if max_seconds is None else max_seconds - (perf_counter() - started)

    def more_strategies() -> Iterator[tuple[Real, ...]]:
        """Vertices of programs: with luck their probabilities are fractions of small numbers."""
        yield result.strategy
        yield solve_lp(
            graph, payoffs=payoffs, max_memory=max_memory, leader=1, max_seconds=seconds_left()
        ).strategy

    if on_progress is not None:
        on_progress(ProofProgress("linear program", 0.0, 0.0))
    result = solve_lp(graph, payoffs=payoffs, max_memory=max_memory, max_seconds=max_seconds)
    solution = BiddingSolution(result)
    if not prove:
        return solution
    assert solution.exploitability is not None  # a linear program is about two players
    proof = seek_proof(
        result.profile,
        solution.exploitability,
        others=more_strategies(),
        max_seconds=seconds_left(),
        on_progress=on_progress,
    )
    return replace(solution, exact_value=proof.value, proof=proof)

"""Run CFR until the certificate is good enough."""

import math
import os
from time import perf_counter

from liarsolve.errors import GameTooLargeError, InputError
from liarsolve.game import (
    BidGraph,
    Payoffs,
    TreeSize,
    build_complete_tree,
    measure_complete_tree,
)
from liarsolve.solvers.cfr import DISCOUNTED_CFR, CFRSolver, CFRVariant
from liarsolve.solvers.result import ProgressCallback, SolveProgress, SolveResult, StopReason


def solve_cfr(
    graph: BidGraph,
    *,
    payoffs: Payoffs | None = None,
    target: float = 1e-3,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    max_memory: float | None = None,
    variant: CFRVariant = DISCOUNTED_CFR,
    on_progress: ProgressCallback | None = None,
) -> SolveResult:
    """Solve a two-player round by CFR on its complete public tree.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    payoffs : Payoffs
        What the outcomes are worth.
    target : float
        Stop when the certified exploitability is at or below this, in utility per round.
    max_iterations, max_seconds : optional
        Stop there if the target has not been reached; without them the target alone decides.
    max_memory : float, optional
        Bytes that may be used; nine tenths of the machine's memory if not given.
    variant : CFRVariant
        Which member of the CFR family.
    on_progress : callable
        Called with a `SolveProgress` at each certificate.

    Raises
    ------
    GameTooLargeError
        If the estimate of the memory needed is more than ``max_memory``; nothing is allocated then.
    """
    _check_limits(target, max_iterations, max_seconds, max_memory)
    size = measure_complete_tree(graph)
    memory = estimate_memory(size, variant)
    refuse_if_too_large(graph, size, memory, max_memory)
    started = perf_counter()
    solver = CFRSolver(build_complete_tree(graph), payoffs, variant)
    certificate = None
    stop = None
    next_check = 1
    history: list[tuple[float, float]] = []
    try:
        while stop is None:
            solver.step()
            seconds = perf_counter() - started
            if max_iterations is not None and solver.iteration >= max_iterations:
                stop = StopReason.ITERATION_LIMIT
            elif max_seconds is not None and seconds >= max_seconds:
                stop = StopReason.TIME_LIMIT
            if stop is None and solver.iteration < next_check:
                continue
            next_check = _next_check(solver.iteration)
            certificate = solver.certify()
            if certificate.exploitability <= target:
                stop = StopReason.CONVERGED
            seconds = perf_counter() - started
            history.append((seconds, certificate.exploitability))
            if on_progress is not None:
                on_progress(
                    SolveProgress(
                        iteration=solver.iteration,
                        certificate=certificate,
                        target=target,
                        seconds=seconds,
                        seconds_left=estimate_seconds_left(history, target),
                        n_states=solver.tree.n_states,
                    )
                )
    except KeyboardInterrupt:
        stop = StopReason.INTERRUPTED
        certificate = solver.certify()
    assert certificate is not None
    return SolveResult(
        tree=solver.tree,
        strategy=solver.average_strategy(),
        payoffs=solver.payoffs,
        certificate=certificate,
        stop=stop,
        method=variant.name,
        iterations=solver.iteration,
        seconds=perf_counter() - started,
        peak_memory_mb=memory / 1e6,
    )


def _next_check(iteration: int) -> int:
    """When to certify next: a certificate costs about one iteration, so a tenth is spent on it."""
    return iteration + max(1, iteration // 10) if iteration < 100 else iteration + iteration // 20


def estimate_seconds_left(history: list[tuple[float, float]], target: float) -> float | None:
    """Time to the target, if exploitability goes on falling as the same power of time.

    ``history`` holds pairs (seconds, exploitability); the second half of them is fitted.
    """
    seconds, last = history[-1]
    if last <= target:
        return 0.0
    earlier_seconds, earlier = history[len(history) // 2 - 1] if len(history) > 3 else history[-1]
    if target <= 0 or not earlier > last or not seconds > earlier_seconds:
        return None
    exponent = math.log(earlier / last) / math.log(seconds / earlier_seconds)
    growth = math.log(last / target) / exponent
    return seconds * math.expm1(growth) if growth < 50 else None


def estimate_memory(size: TreeSize, variant: CFRVariant) -> int:
    """Bytes that `CFRSolver` needs for a complete tree, with the final average strategy."""
    arrays = 4 if variant.is_predictive else 3
    return 8 * (arrays * size.n_entries + sum(size.n_edges) + 2 * size.n_states)


def refuse_if_too_large(
    graph: BidGraph, size: TreeSize, memory: float, max_memory: float | None
) -> None:
    """Raise `GameTooLargeError` with the estimate if the memory needed is not to be had."""
    allowed = 0.9 * machine_memory() if max_memory is None else max_memory
    if memory > allowed:
        dice = ",".join(map(str, graph.round.dice))
        raise GameTooLargeError(
            f"{graph.round.rules.name} with {dice} dice of {graph.round.rules.faces} faces has "
            f"{size.n_states:,} public states and needs about {_format_bytes(memory)}, but "
            f"{_format_bytes(allowed)} may be used; take fewer dice or faces, or raise max_memory"
        )


def machine_memory() -> float:
    """Bytes of memory of this machine; 8e9 where the system does not tell."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return 8e9


def _format_bytes(n_bytes: float) -> str:
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if n_bytes >= scale:
            return f"{n_bytes / scale:,.3g} {unit}"
    return f"{n_bytes / 1e3:,.3g} kB"


def _check_limits(
    target: float,
    max_iterations: int | None,
    max_seconds: float | None,
    max_memory: float | None,
) -> None:
    if not target >= 0:
        raise InputError(f"target is an exploitability of 0 or more, got {target}")
    limits = {
        "max_iterations": max_iterations,
        "max_seconds": max_seconds,
        "max_memory": max_memory,
    }
    for name, limit in limits.items():
        if limit is not None and not limit > 0:
            raise InputError(f"{name} must be more than 0, got {limit}")
    if target == 0 and max_iterations is None and max_seconds is None:
        raise InputError(
            "target 0 is never reached exactly; give max_iterations or max_seconds too, "
            "or use solve_exact"
        )

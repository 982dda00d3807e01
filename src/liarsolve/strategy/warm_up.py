"""Compile ahead: every kernel that a first answer needs, by asking each kind of question once.

The rounds are the smallest that there are, since a kernel is compiled alike for all of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from liarsolve import _jit_folder
from liarsolve._compiling import watch_compiling
from liarsolve.errors import InputError, StorageError
from liarsolve.game import Recall, SimilarHands, StrategyProfile, compile_graph, merge_states
from liarsolve.odds import p_at_least
from liarsolve.odds._arrays import COMPILED_LOOKUPS, COMPILED_TAILS
from liarsolve.odds._exact import EXACT_DICE
from liarsolve.rules import Round, presets
from liarsolve.solvers import (
    AbstractionCFR,
    CFRSolver,
    MultiplayerCFR,
    certify,
    certify_profile,
    measure_lower_bound,
    solve_cup_cfr,
)
from liarsolve.solvers.core.limits import Limits
from liarsolve.strategy.bidding.compact import compact
from liarsolve.strategy.bidding.exact import solve_exact
from liarsolve.strategy.bidding.strategy import Strategy
from liarsolve.strategy.solve import solve

_RULES = presets.COMMON.replace(faces=2)


@dataclass(frozen=True, slots=True)
class WarmedPart:
    """One kind of question, of which the first answer is ready now."""

    name: str
    n_compiled: int
    """Kernels that were not ready before, each with those that it calls."""
    seconds: float


def kernel_folder() -> Path:
    """Folder in which compiled kernels are kept.

    Raises
    ------
    StorageError
        If no folder can be written, so that every process compiles anew.
    InputError
        If the environment forbids to compile at all.
    """
    if not _jit_folder.is_compiling():
        raise InputError("NUMBA_DISABLE_JIT is set, so that nothing is compiled; unset it")
    folder = _jit_folder.cache_folder()
    if folder is None:
        raise StorageError(_jit_folder.why_no_folder())
    return folder


def kernel_bytes() -> int:
    """Bytes of the files of compiled kernels."""
    return sum(path.stat().st_size for path in _jit_folder.cached_files())


def part_names() -> list[str]:
    """Kinds of questions, in the order in which `warm_up` asks them."""
    return list(_PARTS)


def warm_up() -> Iterator[WarmedPart]:
    """Compile what is not ready yet, one kind of question after the other.

    Raises
    ------
    StorageError
        If no folder can be written.

    Examples
    --------
    >>> from liarsolve.strategy.warm_up import warm_up
    >>> parts = warm_up()  # nothing is compiled before they are asked for
    """
    kernel_folder()
    for name, ask in _PARTS.items():
        begun: list[None] = []

        def count(is_begun: bool, begun: list[None] = begun) -> None:
            if is_begun:
                begun.append(None)

        started = perf_counter()
        with watch_compiling(count):
            ask()
        yield WarmedPart(name, len(begun), perf_counter() - started)


def _ask_odds() -> None:
    for n_bids, total in ((COMPILED_LOOKUPS, EXACT_DICE), (COMPILED_TAILS, 2 * EXACT_DICE)):
        p_at_least(np.arange(n_bids) % total, 6, total)


def _ask_two() -> None:
    solution = solve(_RULES, (1, 1), target=0.1)
    solution.strategy.advise((1,))
    compact(solution).strategy.advise((1,))


def _ask_large_two() -> None:
    graph = compile_graph(Round(_RULES, (1, 1)))
    solver = CFRSolver(graph, dtype=np.float32, is_split=True, n_threads=1)
    solver.step()
    solver.certify()
    tree, strategy = solver.average_strategy()
    certify(StrategyProfile(tree, strategy))
    Strategy(tree, strategy, solver.payoffs).advise((1,))


def _ask_last_digits() -> None:
    solve(_RULES, (1, 1), target=1e-9).prove()


def _ask_exact() -> None:
    solve_exact(_RULES, (1, 1)).strategy.advise((1,))


def _ask_multiplayer() -> None:
    solution = solve(_RULES, (1, 1, 1), target=0.1, max_iterations=2)
    solution.strategy.advise((1,))
    compact(solution).strategy.advise((1,))


def _ask_large_multiplayer() -> None:
    solver = MultiplayerCFR(compile_graph(Round(_RULES, (1, 1, 1))), dtype=np.float32)
    solver.step()
    solver.certify()
    tree, strategy = solver.average_strategy()
    certify_profile(StrategyProfile(tree, strategy))
    Strategy(tree, strategy, solver.payoffs).advise((1,))


def _ask_recall(dice: tuple[int, ...], **options: Any) -> None:
    for abstraction in (Recall(1), Recall(1) & SimilarHands(1)):
        solution = solve(_RULES, dice, abstraction=abstraction, max_iterations=2, **options)
        solution.strategy.advise((1,))
    compact(solution).strategy.advise((1,))


def _ask_large_recall() -> None:
    graph = compile_graph(Round(_RULES, (1, 1)))
    solver = AbstractionCFR(merge_states(graph, Recall(1)), dtype=np.float32, n_drawn=2)
    solver.step()
    tree, strategy = solver.average_strategy()
    measure_lower_bound(
        StrategyProfile(tree, strategy), recall=1, n_refined=1_000, n_deals=2, n_threads=1
    )


def _ask_cup() -> None:
    solution = solve(presets.LIAR_DIE.replace(faces=2))
    solution.strategy.advise(offered="1")


def _ask_cup_cfr() -> None:
    solve_cup_cfr(presets.LIAR_DIE.replace(faces=2), limits=Limits(max_iterations=2))


_PARTS: dict[str, Callable[[], None]] = {
    "odds of thousands of bids": _ask_odds,
    "rounds of two players": _ask_two,
    "large rounds of two players": _ask_large_two,
    "values to the last digits": _ask_last_digits,
    "linear programs": _ask_exact,
    "rounds of three and more": _ask_multiplayer,
    "large rounds of three and more": _ask_large_multiplayer,
    "two players with short memories": lambda: _ask_recall((1, 1)),
    "the same, for other payoffs": lambda: _ask_recall((1, 1), exact_payoff=(1.0, 0.5)),
    "three players with short memories": lambda: _ask_recall((1, 1, 1)),
    "large rounds with short memories": _ask_large_recall,
    "cup games": _ask_cup,
    "cup games by iteration": _ask_cup_cfr,
}
"""Kinds of questions, and how to ask one of each."""

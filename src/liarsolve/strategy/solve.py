"""From rules and dice to a solution: what most programs call."""

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import Any

import numpy as np

from liarsolve._typing import Real
from liarsolve.errors import LiarsolveError, StorageError
from liarsolve.game import (
    BidGraph,
    Payoffs,
    PublicTree,
    check_tree,
    compile_graph,
)
from liarsolve.rules import Round, RuleSet
from liarsolve.solvers import (
    Certificate,
    ProgressCallback,
    SolveResult,
    StopReason,
    get_variant,
    prove_value,
    solve_cfr,
    solve_lp,
)
from liarsolve.strategy.solution import Solution
from liarsolve.strategy.storage import read_folder


def solve(
    rules: RuleSet,
    dice: Sequence[int],
    *,
    target: float = 1e-3,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    max_memory: float | None = None,
    exact_payoff: Sequence[float] = (1, 1),
    palifico: bool = False,
    variant: str = "discounted",
    on_progress: ProgressCallback | None = None,
) -> Solution:
    """Solve a round of two players, with a certificate.

    Parameters
    ----------
    rules : RuleSet
        Rules of the round, such as ``presets.LIARS_DICE``.
    dice : sequence of int
        Dice of each player, the first bidder's first.
    target : float
        Stop when the exploitability, certified by exact best responses, is at or below this;
        in utility per round, where the winner gets +1 and the loser -1.
    max_iterations, max_seconds : optional
        Stop there in any case; `Solution.stop` says why the solver stopped.
    max_memory : float, optional
        Bytes that may be used; four fifths of the machine's memory if not given.
    exact_payoff : (win, lose)
        What a right exact call pays the caller, and what a wrong one costs him.
    palifico : bool
        Whether this is a palifico round.
    variant : str
        Member of the CFR family: ``cfr``, ``cfr+``, ``linear``, ``discounted``, ``predictive+``.
    on_progress : callable
        Called with a `SolveProgress` now and then.

    Returns
    -------
    Solution
        The same for the same arguments, bit for bit, unless ``max_seconds`` or an interrupt
        stopped it.

    Raises
    ------
    GameTooLargeError
        If the game does not fit into memory; the message has the estimate.
    InputError, RuleError
        If the arguments make no game.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> solution = solve(presets.COMMON.replace(faces=3), dice=(1, 1), target=1e-4)
    >>> lo, hi = solution.value_bounds
    >>> lo <= -1 / 9 <= hi
    True
    """
    result = solve_cfr(
        compile_graph(Round(rules, tuple(dice), palifico=palifico)),
        payoffs=Payoffs.for_exact_call(exact_payoff),
        target=target,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
        max_memory=max_memory,
        variant=get_variant(variant),
        on_progress=on_progress,
    )
    return Solution(result)


def solve_exact(
    rules: RuleSet,
    dice: Sequence[int],
    *,
    exact_payoff: Sequence[float] = (1, 1),
    palifico: bool = False,
    prove: bool = False,
    max_memory: float | None = None,
) -> Solution:
    """Solve a small round of two players by linear program, to rounding error.

    Parameters
    ----------
    rules, dice, exact_payoff, palifico, max_memory
        As for `solve`.
    prove : bool
        Also look for the value as a fraction, proved by exact best responses to both strategies in
        rational arithmetic: `Solution.exact_value`, None if no proof was found.

    Examples
    --------
    >>> from liarsolve import presets, solve_exact
    >>> solve_exact(presets.COMMON.replace(faces=3), dice=(1, 1), prove=True).exact_value
    Fraction(-1, 9)
    """
    graph = compile_graph(Round(rules, tuple(dice), palifico=palifico))
    payoffs = Payoffs.for_exact_call(exact_payoff)
    result = solve_lp(graph, payoffs=payoffs, max_memory=max_memory)

    def strategies() -> Iterator[tuple[Real, ...]]:
        yield result.strategy
        yield solve_lp(graph, payoffs=payoffs, max_memory=max_memory, leader=1).strategy

    value = prove_value(result.tree, strategies(), payoffs) if prove else None
    return Solution(result, value)


def load(folder: str | PathLike[str], *, verify: bool | None = None) -> Solution:
    """Open a stored solution; its arrays stay on disk until they are asked for.

    Parameters
    ----------
    folder : path
        What `Solution.save` wrote.
    verify : bool, optional
        Whether to read everything and compare checksums; by default in folders of up to 256 MiB.

    Raises
    ------
    StorageError
        If the folder is missing, damaged or not a stored solution.
    """
    manifest, arrays, is_verified = read_folder(folder, verify=verify)
    try:
        round_ = Round(
            RuleSet.from_dict(manifest["rules"]),
            tuple(manifest["dice"]),
            palifico=manifest["palifico"],
        )
        graph = compile_graph(round_)
        tree = _tree_from(graph, arrays, verify=is_verified)
        result = _result_from(manifest, tree, arrays)
        exact = manifest["exact_value"]
        return Solution(result, None if exact is None else Fraction(exact))
    except StorageError as error:
        raise StorageError(f"{folder} is damaged: {error}") from error
    except (KeyError, TypeError, ValueError, LiarsolveError) as error:
        raise StorageError(f"{folder} has a damaged manifest: {error}") from error


def _tree_from(graph: BidGraph, arrays: Mapping[str, Any], *, verify: bool) -> PublicTree:
    def shape(name: str) -> tuple[int, ...]:
        if name not in arrays:
            raise StorageError(f"the array {name} is missing")
        return tuple(arrays[name].shape)

    expected: dict[str, tuple[type, tuple[int, ...]]] = {
        "node": (np.int32, shape("node")[:1]),
        "first_edge": (np.int64, shape("node")[:1]),
    }
    for player, n_hands in enumerate(graph.n_hands):
        n_edges = shape(f"children_{player}")[:1]
        expected[f"children_{player}"] = (np.int32, n_edges)
        policy = f"policy_{player}"
        is_single = policy in arrays and arrays[policy].dtype == np.float32
        expected[policy] = (np.float32 if is_single else np.float64, (*n_edges, n_hands))
    for name, (dtype, wanted) in expected.items():
        if shape(name) != wanted or arrays[name].dtype != dtype:
            raise StorageError(
                f"{name} should be {np.dtype(dtype)}{list(wanted)} for these rules and dice, "
                f"got {arrays[name].dtype}{list(shape(name))}"
            )
    tree = PublicTree(
        graph,
        arrays["node"],
        arrays["first_edge"],
        tuple(arrays[f"children_{player}"] for player in range(graph.n_players)),
    )
    if verify:
        check_tree(tree)
    return tree


def _result_from(
    manifest: Mapping[str, Any], tree: PublicTree, arrays: Mapping[str, Any]
) -> SolveResult:
    br_values = tuple(float(x) for x in manifest["br_values"])
    if len(br_values) != tree.graph.n_players or not all(map(math.isfinite, br_values)):
        raise ValueError(f"br_values must be one finite number per player, got {br_values}")
    return SolveResult(
        tree=tree,
        strategy=tuple(arrays[f"policy_{player}"] for player in range(tree.graph.n_players)),
        payoffs=Payoffs(**manifest["payoffs"]),
        certificate=Certificate(br_values),
        stop=StopReason[manifest["stop"].upper()],
        method=str(manifest["method"]),
        iterations=int(manifest["iterations"]),
        seconds=float(manifest["seconds"]),
        peak_memory_mb=float(manifest["peak_memory_mb"]),
    )

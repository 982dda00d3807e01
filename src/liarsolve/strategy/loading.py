"""Stored solutions, read back: rules, tree and result out of a manifest and its arrays."""

import math
from collections.abc import Mapping
from fractions import Fraction
from os import PathLike
from typing import Any

import numpy as np

from liarsolve._checks import check_number, check_whole
from liarsolve._typing import Real
from liarsolve.errors import InputError, LiarsolveError, StorageError
from liarsolve.game import (
    Abstraction,
    BidGraph,
    HandClasses,
    Payoffs,
    PublicTree,
    check_tree,
    compile_graph,
    group_hands,
    restrict_raises,
)
from liarsolve.rules import Round, RuleSet
from liarsolve.solvers import (
    AnyCertificate,
    Certificate,
    LowerBound,
    ProfileCertificate,
    Proof,
    ProofOutcome,
    SolveResult,
    StopReason,
    Unmeasured,
    certificate_after,
)
from liarsolve.strategy.bidding.solution import BiddingSolution
from liarsolve.strategy.cup.solution import FAMILY, CupSolution
from liarsolve.strategy.cup.solution import solution_from as cup_solution_from
from liarsolve.strategy.cup.table import TABLE_FAMILY, CupTableSolution, table_solution_from
from liarsolve.strategy.storage import read_folder, read_fraction, refuse_other_arrays, shorten

DAMAGE = (
    AttributeError,
    ArithmeticError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    LiarsolveError,
)
"""What reading a manifest raises that was not written by us."""

_ROUNDING = 1e-6
"""How far below 0 a probability may lie that a linear program has found."""

_WEIGHTS: dict[str, type] = {
    "float32": np.float32,
    "float64": np.float64,
    "uint8": np.uint8,
    "uint16": np.uint16,
}
"""Types in which policies are stored."""


def load(
    folder: str | PathLike[str], *, verify: bool | None = None
) -> BiddingSolution | CupSolution | CupTableSolution:
    """Open a stored solution; its arrays stay on disk until they are asked for.

    Parameters
    ----------
    folder : path
        What `BiddingSolution.save`, `CupSolution.save` or `CupTableSolution.save` wrote.
    verify : bool, optional
        Whether to read everything and compare checksums; by default in folders of up to 256 MiB.

    Raises
    ------
    StorageError
        If the folder is missing, damaged or not a stored solution.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from liarsolve import load, presets, solve
    >>> folder = f"{mkdtemp()}/liar-die"
    >>> solve(presets.LIAR_DIE).save(folder)
    >>> load(folder).rules.name
    'liar_die'
    """
    manifest, arrays, is_verified = read_folder(folder, verify=verify)
    try:
        solution = _solution_from(manifest, arrays, verify=is_verified)
        _check_agreement("", manifest, solution.to_dict())
        return solution
    except StorageError as error:
        raise StorageError(f"{folder} is damaged: {error}") from error
    except KeyError as error:
        raise StorageError(
            f"{folder} has a damaged manifest: it lacks {shorten(str(error))}"
        ) from error
    except DAMAGE as error:
        reason = shorten(" ".join(str(error).split()))
        raise StorageError(f"{folder} has a damaged manifest: {reason}") from error


def _solution_from(
    manifest: Mapping[str, Any], arrays: Mapping[str, Any], *, verify: bool
) -> BiddingSolution | CupSolution | CupTableSolution:
    if manifest.get("family") == FAMILY:
        return cup_solution_from(manifest, arrays, verify=verify)
    if manifest.get("family") == TABLE_FAMILY:
        return table_solution_from(manifest, arrays, verify=verify)
    round_, payoffs = round_from(manifest)
    abstraction = Abstraction.from_dict(manifest)
    tree = _tree_from(compile_graph(round_), arrays, abstraction, verify=verify)
    result = _result_from(manifest, tree, payoffs, arrays)
    if verify:
        for player, policy in enumerate(result.strategy):
            _check_weights(f"policy_{player}", policy)
    value = read_fraction(manifest["exact_value"])
    return BiddingSolution(result, value, _proof_from(manifest, value))


def _check_agreement(name: str, told: Any, found: Any) -> None:  # Any: parsed JSON
    """Make sure that a manifest says what the solution read from it says of itself.

    That refuses whatever was read as something else than what is written, such as True as 1.
    Numbers may differ by rounding, since versions of Python sum differently.
    """
    if isinstance(found, dict) and isinstance(told, dict):
        for key in found.keys() & told.keys() - {"rules"}:  # older ones had fewer options
            _check_agreement(f"{name}.{key}" if name else key, told[key], found[key])
        return
    if isinstance(found, list | tuple) and isinstance(told, list) and len(found) == len(told):
        for one, other in zip(told, found, strict=True):
            _check_agreement(name, one, other)
        return
    is_number = isinstance(found, float) and type(told) in (int, float)
    if (
        is_number
        and math.isfinite(found)
        and math.isclose(told, found, rel_tol=1e-9, abs_tol=1e-12)
    ):
        return
    if type(told) is not type(found) or isinstance(found, float) or told != found:
        raise ValueError(f"{name} cannot be {told!r}")


def _check_weights(name: str, weights: Real) -> None:
    """Make sure that probabilities, or whole numbers in their place, are such."""
    if weights.dtype.kind == "f" and not ((weights >= -_ROUNDING) & np.isfinite(weights)).all():
        raise StorageError(f"{name} holds a number that is no weight of an action")


def _proof_from(manifest: Mapping[str, Any], value: Fraction | None) -> Proof | None:
    outcome, reason = manifest.get("proof"), manifest.get("proof_reason")
    if outcome is None or reason is None:  # nobody looked, or before there were outcomes
        return None
    return Proof(outcome=ProofOutcome[outcome.upper()], reason=str(reason), value=value)


def _tree_from(
    graph: BidGraph, arrays: Mapping[str, Any], abstraction: Abstraction | None, *, verify: bool
) -> PublicTree:
    def shape(name: str) -> tuple[int, ...]:
        if name not in arrays:
            raise StorageError(f"the array {name} is missing")
        return tuple(arrays[name].shape)

    expected: dict[str, tuple[type, tuple[int, ...]]] = {
        "node": (np.int32, shape("node")[:1]),
        "first_edge": (np.int64, shape("node")[:1]),
    }
    classes = group_hands(graph, abstraction)
    for player, n_hands in enumerate(graph.n_hands):
        n_edges = shape(f"children_{player}")[:1]
        expected[f"children_{player}"] = (np.int32, n_edges)
        policy = f"policy_{player}"
        shape(policy)
        wanted = (*n_edges, n_hands) if classes is None else shape(policy)[:1]
        expected[policy] = (_WEIGHTS.get(str(arrays[policy].dtype), np.float64), wanted)
    within = restrict_raises(graph, None if abstraction is None else abstraction.max_jump)
    if within is not graph:
        expected["legal_first_edge"] = (np.int64, shape("node")[:1])
        for name in (f"legal_children_{player}" for player in range(graph.n_players)):
            expected[name] = (np.int32, shape(name)[:1])
    refuse_other_arrays(arrays, expected)
    for name, (dtype, wanted) in expected.items():
        if shape(name) != wanted or arrays[name].dtype != dtype:
            raise StorageError(
                f"{name} should be {np.dtype(dtype)}{list(wanted)} for these rules and dice, "
                f"got {arrays[name].dtype}{list(shape(name))}"
            )

    def tree_of(part: BidGraph, prefix: str, legal: PublicTree | None) -> PublicTree:
        children = (arrays[f"{prefix}children_{player}"] for player in range(graph.n_players))
        first_edge = arrays[f"{prefix}first_edge"]
        return PublicTree(part, arrays["node"], first_edge, tuple(children), abstraction, legal)

    legal = None if within is graph else tree_of(graph, "legal_", None)
    tree = tree_of(within, "", legal)
    if verify:
        try:
            check_tree(tree)
        except InputError as error:
            raise StorageError(str(error)) from error
    return tree


def _result_from(
    manifest: Mapping[str, Any], tree: PublicTree, payoffs: Payoffs, arrays: Mapping[str, Any]
) -> SolveResult:
    share = manifest.get("odds_share", 0.0)
    strategy = tuple(arrays[f"policy_{player}"] for player in range(tree.graph.n_players))
    classes = group_hands(tree.every_raise.graph, tree.abstraction)
    if classes is not None:
        _check_entries(classes, tree, strategy)
        strategy = classes.spread(tree, strategy)
    return SolveResult(
        tree=tree,
        strategy=strategy,
        payoffs=payoffs,
        certificate=_certificate_from(manifest, tree, payoffs),
        stop=StopReason[manifest["stop"].upper()],
        method=str(manifest["method"]),
        iterations=check_whole("iterations", manifest["iterations"], at_least=0),
        seconds=check_number("seconds", manifest["seconds"], at_least=0),
        peak_memory_mb=check_number("peak_memory_mb", manifest["peak_memory_mb"], at_least=0),
        opponent_model_prob=check_number("odds_share", share, at_least=0, at_most=1),
    )


def _check_entries(classes: HandClasses, tree: PublicTree, strategy: tuple[Real, ...]) -> None:
    node = tree.node
    if np.any(np.diff(node) < 0) or node[0] < 0 or node[-1] >= tree.graph.n_nodes:
        raise StorageError("states of hands that are alike must follow one another by their nodes")
    _, n_entries = classes.first_entries(tree)
    for player, (row, n) in enumerate(zip(strategy, n_entries.tolist(), strict=True)):
        if row.size != n:
            raise StorageError(f"policy_{player} should have {n} entries, got {row.size}")
        if tree.children[player].size != int(_count_edges(tree, player)):
            raise StorageError(f"children_{player} has not the edges of its states")


def _count_edges(tree: PublicTree, player: int) -> int:
    n_actions = np.diff(tree.graph.action_start)[tree.node]
    return int(n_actions[tree.graph.player[tree.node] == player].sum())


def _certificate_from(
    manifest: Mapping[str, Any], tree: PublicTree, payoffs: Payoffs
) -> AnyCertificate:
    n_players = tree.graph.n_players

    def numbers(name: str) -> tuple[float, ...]:
        values = tuple(float(x) for x in manifest[name])
        if len(values) != n_players or not all(map(math.isfinite, values)):
            raise ValueError(f"{name} must be one finite number per player, got {values}")
        return values

    is_complete, bound = manifest.get("is_walked") is not False, manifest.get("lower_bound")
    if manifest["br_values"] is None and not is_complete:
        return Unmeasured()
    certificate: Certificate | ProfileCertificate
    if manifest.get("values") is not None:
        certificate = ProfileCertificate(numbers("values"), numbers("br_values"))
    elif n_players == 2:  # or a folder that was written before there were more players
        least = None if manifest.get("least_br_values") is None else numbers("least_br_values")
        certificate = Certificate.of(numbers("br_values"), payoffs, least)
    else:
        raise ValueError("values are missing")
    return certificate_after(
        certificate,
        is_complete=is_complete,
        lower_bound=None if bound is None else LowerBound.from_dict(bound),
    )


def round_from(manifest: Mapping[str, Any]) -> tuple[Round, Payoffs]:
    """Round and payoffs that a manifest describes."""
    round_ = Round(
        RuleSet.from_dict(manifest["rules"]),
        tuple(manifest["dice"]),
        palifico=manifest["palifico"],
    )
    payoffs = {name: _tuples(value) for name, value in manifest["payoffs"].items()}
    return round_, Payoffs(**payoffs)


def _tuples(value: Any) -> Any:  # Any: parsed JSON
    return tuple(map(_tuples, value)) if isinstance(value, list) else value

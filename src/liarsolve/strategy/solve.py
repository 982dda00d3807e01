"""From rules and dice to a solution: what most programs call."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from os import PathLike
from time import perf_counter
from typing import Any, Literal, overload

import numpy as np

from liarsolve.claims import Claim
from liarsolve.errors import (
    InputError,
    InputTypeError,
    LiarsolveError,
    RuleError,
    StorageError,
)
from liarsolve.game import (
    Abstraction,
    Payoffs,
    compile_graph,
)
from liarsolve.rules import CupRules, Round, RuleSet
from liarsolve.solvers import (
    ProgressCallback,
    SolverState,
    StopReason,
    get_variant,
    solve_abstraction,
    solve_cfr,
    solve_many,
)
from liarsolve.solvers.cup.solve import CupProgressCallback
from liarsolve.solvers.imperfect_recall.solve import DEFAULT_VARIANT as FORGETFUL_VARIANT
from liarsolve.solvers.multiplayer.solve import DEFAULT_VARIANT
from liarsolve.strategy.bidding.solution import Solution
from liarsolve.strategy.checkpoints import (
    list_checkpoints,
    read_checkpoint,
    remove_checkpoints,
    write_checkpoint,
)
from liarsolve.strategy.cup.solution import CupSolution
from liarsolve.strategy.cup.solve import solve_cup_round
from liarsolve.strategy.cup.table import CupTableSolution
from liarsolve.strategy.loading import round_from


@overload
def solve(
    rules: RuleSet,
    dice: Sequence[int],
    *,
    target: float = 1e-3,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    max_memory: float | None = None,
    exact_payoff: Sequence[float] | None = None,
    payoffs: Payoffs | None = None,
    palifico: bool = False,
    variant: str | None = None,
    abstraction: Abstraction | None = None,
    seed: int | None = None,
    n_threads: int | None = None,
    on_progress: ProgressCallback | None = None,
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_seconds: float = 600.0,
) -> Solution: ...


@overload
def solve(
    rules: CupRules,
    dice: None = None,
    *,
    players: Literal[2] = 2,
    target: float = 1e-3,
    max_seconds: float | None = None,
    n_threads: int | None = None,
    on_progress: CupProgressCallback | None = None,
    from_claim: Claim | str | None = None,
) -> CupSolution: ...


@overload
def solve(
    rules: CupRules,
    dice: None = None,
    *,
    players: int,
    target: float = 1e-3,
    max_seconds: float | None = None,
    n_threads: int | None = None,
    on_progress: Callable[[Any], None] | None = None,  # Any: progress of either cup solver
) -> CupSolution | CupTableSolution: ...


def solve(
    rules: RuleSet | CupRules,
    dice: Sequence[int] | None = None,
    *,
    target: float = 1e-3,
    max_seconds: float | None = None,
    n_threads: int | None = None,
    on_progress: Callable[[Any], None] | None = None,  # Any: progress of either family
    **options: Any,
) -> Solution | CupSolution | CupTableSolution:
    """Solve a round, with a certificate.

    Rules of a cup game go to `solve_cup_round`, with the arguments that are named there.

    Two players get an equilibrium, and bounds on the value of the round. For three and more, or
    payoffs that do not sum to 0, no method promises to get near an equilibrium: the strategies come
    with `Solution.nash_conv`, measured by exact best responses of every player in the true game,
    and `Solution.values` says what each seat gets by them.

    Parameters
    ----------
    rules : RuleSet or CupRules
        Rules of the round, such as ``presets.LIARS_DICE``.
    dice : sequence of int
        Dice of each player, the first bidder's first; not for cup games, whose rules say it.
    target : float
        Stop when the exploitability, certified by exact best responses, is at or below this;
        in utility per round, where the winner gets +1 and the loser -1. With more than two players
        it is ``nash_conv`` that is compared, and the solver also stops where it falls no more.
    max_iterations, max_seconds : optional
        Stop there in any case; `Solution.stop` says why the solver stopped.
    max_memory : float, optional
        Bytes that may be used; four fifths of the machine's memory if not given.
    exact_payoff : (win, lose), optional
        What a right exact call pays the caller, and what a wrong one costs him; (1, 1) if not
        given.
    payoffs : Payoffs, optional
        What every outcome is worth, in place of ``exact_payoff``.
    palifico : bool
        Whether this is a palifico round.
    variant : str
        Member of the CFR family: ``cfr``, ``cfr+``, ``linear``, ``discounted``, ``predictive+``;
        if not given ``discounted`` for two players and with an abstraction, and ``predictive+``
        for more players.
    abstraction : Abstraction, optional
        What the players leave out of account, such as ``Recall(3)``, so that five dice each come
        within reach. ``target`` is about the true game then too: the exploitability is that against
        a best response that forgets nothing and may make any bid, wherever it can be walked, and
        `Solution.rests_on` says so; `Solution.is_measured` says whether anything is known. At most
        1,000 iterations if no other limit is given.
    seed : int, optional
        Of the draws by which large abstractions are solved, 0 if not given; nothing else is drawn.
    n_threads : int, optional
        Threads for large rounds of two players, the number of processors if not given. The result
        does not depend on it.
    on_progress : callable
        Called with a `SolveProgress` now and then.
    checkpoint : path, optional
        Folder for checkpoints, from which `resume` goes on if this solve is killed or stopped by a
        limit. They are removed when the target is reached.
    checkpoint_seconds : float
        Time between checkpoints.

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
    limits: dict[str, Any] = {
        "target": target,
        "max_seconds": max_seconds,
        "n_threads": n_threads,
        "on_progress": on_progress,
    }
    if isinstance(rules, CupRules):
        if dice is not None:
            raise InputTypeError(f"the rules of a cup game say how many dice, got dice={dice!r}")
        _refuse_unknown(options, _CUP_OPTIONS, "a cup game")
        return solve_cup_round(rules, **limits, **options)
    _refuse_unknown(options, _BIDDING_OPTIONS, "a bidding round")
    if dice is None:
        raise InputTypeError("a bidding round needs dice, one number for each player, as in (2, 1)")
    return _solve_bidding(rules, dice, **limits, **options)


def _solve_bidding(
    rules: RuleSet,
    dice: Sequence[int],
    *,
    target: float,
    max_seconds: float | None,
    n_threads: int | None,
    on_progress: ProgressCallback | None,
    max_iterations: int | None = None,
    max_memory: float | None = None,
    exact_payoff: Sequence[float] | None = None,
    payoffs: Payoffs | None = None,
    palifico: bool = False,
    variant: str | None = None,
    abstraction: Abstraction | None = None,
    seed: int | None = None,
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_seconds: float = 600.0,
) -> Solution:
    round_ = _round(rules, dice, palifico=palifico)
    payoffs = _payoffs_from(exact_payoff, payoffs)
    has_value = round_.n_players == 2 and _sums_to_zero(payoffs)
    if variant is None and abstraction is not None:
        variant = FORGETFUL_VARIANT.name
    elif variant is None:
        variant = "discounted" if has_value else DEFAULT_VARIANT.name
    limits: dict[str, Any] = {
        "target": target,
        "max_iterations": max_iterations,
        "max_seconds": max_seconds,
        "max_memory": max_memory,
        "variant": get_variant(variant).name,
    }
    for name in ("target", "max_iterations", "max_seconds", "max_memory"):
        if limits[name] is not None or name == "target":
            _number(name, limits[name])
    if checkpoint is not None and list_checkpoints(checkpoint):
        raise StorageError(
            f"{checkpoint} holds the checkpoint of another solve; resume it, or choose "
            "another folder"
        )
    if abstraction is not None:
        _check_abstraction(abstraction, seed)
    elif seed is not None:
        raise InputError("nothing is drawn without an abstraction; leave out seed")
    return _run(
        round_,
        payoffs,
        limits,
        abstraction=abstraction,
        seed=seed or 0,
        n_threads=n_threads,
        on_progress=on_progress,
        checkpoint=checkpoint,
        checkpoint_seconds=checkpoint_seconds,
    )


_AT_ONCE = 1e-9
"""Seconds that are left where compiling the round has taken all of them."""
_CUP_OPTIONS = ("players", "from_claim")
_BIDDING_OPTIONS = (
    "max_iterations",
    "max_memory",
    "exact_payoff",
    "payoffs",
    "palifico",
    "variant",
    "abstraction",
    "seed",
    "checkpoint",
    "checkpoint_seconds",
)


def _refuse_unknown(options: Mapping[str, Any], known: Sequence[str], game: str) -> None:
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise InputTypeError(
            f"to solve {game} there is no argument {unknown[0]}; beside the common ones it takes "
            f"{', '.join(known)}"
        )


def _check_abstraction(abstraction: object, seed: object) -> None:
    if not isinstance(abstraction, Abstraction):
        raise InputTypeError(f"an abstraction is a value such as Recall(3), got {abstraction!r}")
    is_seed = isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0
    if seed is not None and not is_seed:
        raise InputError(f"seed is a whole number of 0 or more, got {seed!r}")


def resume(
    checkpoint: str | PathLike[str],
    *,
    n_threads: int | None = None,
    on_progress: ProgressCallback | None = None,
    checkpoint_seconds: float = 600.0,
    **limits: float | None,
) -> Solution:
    """Go on with a solve that was killed, from its last checkpoint.

    The result has the same bits as that of an unbroken run, unless it was stopped by the clock.

    Parameters
    ----------
    checkpoint : path
        The folder that was given to `solve`.
    n_threads, on_progress, checkpoint_seconds
        As for `solve`.
    **limits
        Any of ``target``, ``max_iterations``, ``max_seconds``, ``max_memory`` in place of those
        of the solve. A new ``max_seconds`` counts from now, that of the solve from its beginning
        without the pause.

    Raises
    ------
    StorageError
        If there is no checkpoint in the folder, or it is damaged.
    """
    unknown = set(limits) - {"target", "max_iterations", "max_seconds", "max_memory"}
    if unknown:
        raise InputTypeError(f"resume() takes no {', '.join(sorted(unknown))}")
    settings, state = read_checkpoint(checkpoint)
    try:
        if limits.get("max_seconds") is not None:
            limits["max_seconds"] = _number("max_seconds", limits["max_seconds"]) + float(
                state.values["seconds"]
            )
        round_, payoffs = round_from(settings)
        parts = settings["abstraction"]
        return _run(
            round_,
            payoffs,
            {**settings["limits"], **limits},
            abstraction=None if parts is None else Abstraction(**parts),
            seed=int(settings["seed"]),
            n_threads=n_threads,
            on_progress=on_progress,
            checkpoint=checkpoint,
            checkpoint_seconds=checkpoint_seconds,
            resume_from=state,
        )
    except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, LiarsolveError) and not isinstance(error, RuleError):
            raise
        raise StorageError(f"the checkpoint in {checkpoint} is damaged: {error}") from error


def _run(
    round_: Round,
    payoffs: Payoffs,
    limits: Mapping[str, Any],
    *,
    abstraction: Abstraction | None,
    seed: int,
    n_threads: int | None,
    on_progress: ProgressCallback | None,
    checkpoint: str | PathLike[str] | None,
    checkpoint_seconds: float,
    resume_from: SolverState | None = None,
) -> Solution:
    def write(state: SolverState) -> None:
        assert checkpoint is not None
        write_checkpoint(checkpoint, settings, state)

    settings = {
        "rules": round_.rules.to_dict(),
        "dice": list(round_.dice),
        "palifico": round_.palifico,
        "payoffs": payoffs.to_dict(),
        "abstraction": None if abstraction is None else abstraction.to_dict(),
        "seed": seed,
        "limits": dict(limits),
    }
    started = perf_counter()
    graph = compile_graph(round_)
    options = {
        **limits,
        "variant": get_variant(limits["variant"]),
        "payoffs": payoffs,
        "on_progress": on_progress,
        "on_checkpoint": None if checkpoint is None else write,
        "checkpoint_seconds": checkpoint_seconds,
        "resume_from": resume_from,
    }
    if abstraction is not None:
        max_seconds = limits["max_seconds"]
        if max_seconds is not None and max_seconds > 0:
            left = max(max_seconds - (perf_counter() - started), _AT_ONCE)
            options["max_seconds"] = left
        result = solve_abstraction(graph, abstraction, seed=seed, n_threads=n_threads, **options)
    elif round_.n_players == 2 and _sums_to_zero(payoffs):
        result = solve_cfr(graph, n_threads=n_threads, **options)
    else:
        result = solve_many(graph, **options)
    if checkpoint is not None and result.stop is StopReason.CONVERGED:
        remove_checkpoints(checkpoint)
    return Solution(result)


def _round(rules: RuleSet, dice: Sequence[int], *, palifico: bool) -> Round:
    if isinstance(dice, str) or not isinstance(dice, Iterable):
        raise InputTypeError(f"dice are numbers, one for each player, as in (2, 1), got {dice!r}")
    return Round(rules, tuple(dice), palifico=palifico)


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputTypeError(f"{name} is a number, got {value!r}")
    return float(value)


def _sums_to_zero(payoffs: Payoffs) -> bool:
    """Whether two players play for the same stake."""
    return not np.any(payoffs.table(2).sum(axis=2))


def _payoffs_from(exact_payoff: Sequence[float] | None, payoffs: Payoffs | None) -> Payoffs:
    if payoffs is None:
        return Payoffs.for_exact_call((1, 1) if exact_payoff is None else exact_payoff)
    if exact_payoff is not None:
        raise InputError("give either exact_payoff or payoffs, not both")
    return payoffs

"""From rules and dice to a solution: what most programs call."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, overload

import numpy as np

from liarsolve._checks import check_flag, check_instance, check_whole
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
    AbstractionOptions,
    ProgressCallback,
    SolverState,
    StopReason,
    get_variant,
    solve_abstraction,
    solve_cfr,
    solve_multiplayer,
)
from liarsolve.solvers.core.checkpoints import Callbacks
from liarsolve.solvers.core.halt import listen
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.core.variants import DISCOUNTED_CFR, CFRVariant
from liarsolve.solvers.cup.solve import CupProgressCallback
from liarsolve.solvers.imperfect_recall.options import DEFAULT_VARIANT as IMPERFECT_RECALL_VARIANT
from liarsolve.solvers.multiplayer.solve import DEFAULT_VARIANT
from liarsolve.strategy.bidding.solution import Solution
from liarsolve.strategy.checkpoints import (
    CheckpointWriter,
    check_folder,
    prepare_folder,
    probe_folder,
    read_checkpoint,
    remove_checkpoints,
)
from liarsolve.strategy.cup.solution import CupSolution
from liarsolve.strategy.cup.solve import solve_cup_round
from liarsolve.strategy.cup.table import CupTableSolution
from liarsolve.strategy.loading import round_from
from liarsolve.strategy.oversize import refuse_oversize


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
    players: Literal[2] | None = None,
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
    from_claim: Claim | str | None = None,
) -> CupSolution | CupTableSolution: ...


def solve(
    rules: RuleSet | CupRules,
    dice: Sequence[int] | None = None,
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
    on_progress: Callable[[Any], None] | None = None,  # Any: progress of either family
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_seconds: float = 600.0,
    players: int | None = None,
    from_claim: Claim | str | None = None,
) -> Solution | CupSolution | CupTableSolution:
    """Solve a round, with a certificate.

    Rules of a cup game go to `solve_cup_round`; of the arguments ``target``, ``max_seconds``,
    ``n_threads`` and ``on_progress`` are for them too, ``players`` and ``from_claim`` for them
    alone.

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
        Stop there in any case; `Solution.stop` says why the solver stopped. The seconds include
        everything but compiling kernels, with a moment more for the last measurement.
    max_memory : float, optional
        Bytes that may be used for tables and trees; four fifths of the machine's memory if not
        given.
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
        Time between checkpoints. One that cannot be written gives a `CheckpointWarning`, once, and
        the solve goes on.
    players : int, optional
        Players of a cup game; only two can be solved claim by claim.
    from_claim : Claim or text, optional
        Solve only what can follow this claim of a cup game and higher ones.

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
    # The parameters are the documentation, so there are more than eight.
    if isinstance(rules, CupRules):
        if dice is not None:
            raise InputTypeError(f"the rules of a cup game say how many dice, got dice={dice!r}")
        _refuse_arguments(
            "a cup game",
            max_iterations=max_iterations,
            max_memory=max_memory,
            exact_payoff=exact_payoff,
            payoffs=payoffs,
            palifico=palifico or None,
            variant=variant,
            abstraction=abstraction,
            seed=seed,
            checkpoint=checkpoint,
            checkpoint_seconds=None if checkpoint_seconds == _USUAL_SECONDS else checkpoint_seconds,
        )
        return solve_cup_round(
            rules,
            players=2 if players is None else players,
            target=target,
            max_seconds=max_seconds,
            n_threads=n_threads,
            from_claim=from_claim,
            on_progress=on_progress,
        )
    _refuse_arguments("a bidding round", players=players, from_claim=from_claim)
    if dice is None:
        raise InputTypeError("a bidding round needs dice, one number for each player, as in (2, 1)")
    round_ = _round(rules, dice, palifico=check_flag("palifico", palifico))
    limits = Limits(
        target=target,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
        max_memory=max_memory,
    )
    game = _Game(round_, _payoffs_from(exact_payoff, payoffs), abstraction)
    if abstraction is not None:
        check_instance("abstraction", abstraction, Abstraction, "a value such as Recall(3)")
        seed = 0 if seed is None else check_whole("seed", seed, at_least=0)
    elif seed is not None:
        raise InputError("nothing is drawn without an abstraction; leave out seed")
    job = _Job(
        game=game,
        limits=limits,
        variant=game.choose_variant(variant),
        seed=seed or 0,
        n_threads=n_threads,
        on_progress=on_progress,
        checkpoint=None if checkpoint is None else check_folder(checkpoint),
        checkpoint_seconds=checkpoint_seconds,
    )
    job.check()
    if checkpoint is not None:
        prepare_folder(checkpoint)
    return _run(job)


_USUAL_SECONDS = 600.0
"""Between checkpoints."""
_AT_ONCE = 1e-9
"""Seconds that are left where compiling the round has taken all of them."""


@dataclass(frozen=True, slots=True)
class _Game:
    """What is solved."""

    round: Round
    payoffs: Payoffs
    abstraction: Abstraction | None

    @property
    def has_value(self) -> bool:
        """Whether two players play for the same stake."""
        return self.round.n_players == 2 and _sums_to_zero(self.payoffs)

    def choose_variant(self, name: str | None) -> CFRVariant:
        """The member of the CFR family that was named, or the usual one for such a game."""
        if name is not None:
            return get_variant(check_instance("variant", name, str, "the name of a CFR variant"))
        if self.abstraction is not None:
            return IMPERFECT_RECALL_VARIANT
        return DISCOUNTED_CFR if self.has_value else DEFAULT_VARIANT


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """A game, and how it is to be solved."""

    game: _Game
    limits: Limits
    variant: CFRVariant
    seed: int
    n_threads: int | None
    on_progress: ProgressCallback | None
    checkpoint: Path | None
    checkpoint_seconds: float
    resume_from: SolverState | None = None

    def check(self) -> None:
        """Refuse what no solver can take, before anything is compiled or written."""
        self.limits.check("an exploitability" if self.game.has_value else "a nash_conv")
        if self.game.abstraction is None:
            self.limits.refuse_endless(", or use solve_exact" if self.game.has_value else "")
        if self.n_threads is not None:
            check_whole("n_threads", self.n_threads, at_least=1)
        Callbacks(on_progress=self.on_progress, checkpoint_seconds=self.checkpoint_seconds)
        refuse_oversize(self.game.round, self.limits.max_memory, self.game.abstraction)

    def settings(self) -> dict[str, Any]:
        """What a checkpoint says about the solve, as plain values."""
        game, limits = self.game, self.limits
        return {
            "rules": game.round.rules.to_dict(),
            "dice": list(game.round.dice),
            "palifico": game.round.palifico,
            "payoffs": game.payoffs.to_dict(),
            "abstraction": None if game.abstraction is None else game.abstraction.to_dict(),
            "seed": self.seed,
            "limits": {**asdict(limits), "variant": self.variant.name},
        }


def _refuse_arguments(game: str, **arguments: object) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise InputTypeError(f"to solve {game} there is no argument {name}, got {value!r}")


def resume(
    checkpoint: str | PathLike[str],
    *,
    n_threads: int | None = None,
    on_progress: ProgressCallback | None = None,
    checkpoint_seconds: float = 600.0,
    **limits: float | None,
) -> Solution:
    """Go on with a solve that was killed or stopped by a limit, from its last checkpoint.

    If it was killed, the result has the same bits as that of an unbroken run, unless that was
    stopped by the clock. A limit that has stopped the solve is spent: without a new one it goes on
    to the target.

    Parameters
    ----------
    checkpoint : path
        The folder that was given to `solve`.
    n_threads, on_progress, checkpoint_seconds
        As for `solve`.
    **limits
        Any of ``target``, ``max_iterations``, ``max_seconds``, ``max_memory`` in place of those
        of the solve. New iterations and seconds count from now, those of the solve from its
        beginning without the pause.

    Raises
    ------
    StorageError
        If there is no checkpoint in the folder, or it is damaged.
    """
    unknown = set(limits) - {"target", "max_iterations", "max_seconds", "max_memory"}
    if unknown:
        raise InputTypeError(f"resume() takes no {', '.join(sorted(unknown))}")
    folder = check_folder(checkpoint)
    stored = read_checkpoint(folder)
    new = _limits_from(limits)
    try:
        game = _Game(*round_from(stored.settings), stored.abstraction)
        job = _Job(
            game=game,
            limits=stored.limits_to_go_on(new),
            variant=get_variant(stored.settings["limits"]["variant"]),
            seed=int(stored.settings["seed"]),
            n_threads=n_threads,
            on_progress=on_progress,
            checkpoint=folder,
            checkpoint_seconds=checkpoint_seconds,
            resume_from=stored.state,
        )
        job.check()
        probe_folder(folder)
        return _run(job)
    except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, LiarsolveError) and not isinstance(error, RuleError):
            raise
        raise StorageError(f"the checkpoint in {checkpoint} is damaged: {error}") from error


def _limits_from(given: Mapping[str, Any]) -> dict[str, Any]:
    """New limits, checked."""
    target = given.get("target")
    Limits(**{**given, "target": 1.0 if target is None else target}).check("an exploitability")
    return {name: value for name, value in given.items() if name != "target" or value is not None}


def _run(job: _Job) -> Solution:
    game, limits = job.game, job.limits
    writer = None
    if job.checkpoint is not None:
        writer = CheckpointWriter(job.checkpoint, job.settings())
    with listen():
        started = perf_counter()
        graph = compile_graph(game.round)
        seconds = limits.max_seconds
        if seconds is not None:  # what has been compiled took its share
            seconds = max(seconds - (perf_counter() - started), _AT_ONCE)
        limits = replace(limits, max_seconds=seconds)
        callbacks = Callbacks(
            on_progress=job.on_progress,
            on_checkpoint=writer,
            checkpoint_seconds=job.checkpoint_seconds,
            resume_from=job.resume_from,
        )
        if game.abstraction is not None:
            result = solve_abstraction(
                graph,
                game.abstraction,
                payoffs=game.payoffs,
                limits=limits,
                options=AbstractionOptions(
                    variant=job.variant, seed=job.seed, n_threads=job.n_threads
                ),
                callbacks=callbacks,
            )
        elif game.has_value:
            result = solve_cfr(
                graph,
                payoffs=game.payoffs,
                limits=limits,
                variant=job.variant,
                n_threads=job.n_threads,
                callbacks=callbacks,
            )
        else:
            result = solve_multiplayer(
                graph,
                payoffs=game.payoffs,
                limits=limits,
                variant=job.variant,
                callbacks=callbacks,
            )
    if job.checkpoint is not None and result.stop is StopReason.CONVERGED:
        remove_checkpoints(job.checkpoint)
    return Solution(result)


def _round(rules: RuleSet, dice: Sequence[int], *, palifico: bool) -> Round:
    if isinstance(dice, str) or not isinstance(dice, Iterable):
        raise InputTypeError(f"dice are numbers, one for each player, as in (2, 1), got {dice!r}")
    return Round(rules, tuple(dice), palifico=palifico)


def _sums_to_zero(payoffs: Payoffs) -> bool:
    """Whether two players play for the same stake."""
    return not np.any(payoffs.table(2).sum(axis=2))


def _payoffs_from(exact_payoff: Sequence[float] | None, payoffs: Payoffs | None) -> Payoffs:
    if payoffs is not None:
        check_instance("payoffs", payoffs, Payoffs, "a Payoffs")
    if payoffs is None:
        return Payoffs.for_exact_call((1, 1) if exact_payoff is None else exact_payoff)
    if exact_payoff is not None:
        raise InputError("give either exact_payoff or payoffs, not both")
    return payoffs

"""From rules and dice to a solution: what most programs call."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, overload

from liarsolve._checks import check_flag, check_instance, check_whole
from liarsolve.claims import Claim
from liarsolve.errors import InputError, InputTypeError, LiarsolveError, RuleError, StorageError
from liarsolve.game import Abstraction, Payoffs
from liarsolve.rules import CupRules, RuleSet
from liarsolve.solvers import ProgressCallback, get_variant
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.cup.solve import CupProgressCallback
from liarsolve.strategy.bidding.solution import BiddingSolution
from liarsolve.strategy.bidding.solve import Game, Job, make_round, payoffs_from, run_job
from liarsolve.strategy.checkpoints import (
    check_folder,
    prepare_folder,
    probe_folder,
    read_checkpoint,
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
    refine: bool = False,
    seed: int | None = None,
    n_threads: int | None = None,
    on_progress: ProgressCallback | None = None,
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_seconds: float = 600.0,
) -> BiddingSolution: ...


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
    refine: bool = False,
    seed: int | None = None,
    n_threads: int | None = None,
    on_progress: Callable[[Any], None] | None = None,  # Any: progress of either family
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_seconds: float = 600.0,
    players: int | None = None,
    from_claim: Claim | str | None = None,
) -> BiddingSolution | CupSolution | CupTableSolution:
    """Solve a round, with a certificate.

    Rules of a cup game go to `solve_cup_round`; of the arguments ``target``, ``max_seconds``,
    ``n_threads`` and ``on_progress`` are for them too, ``players`` and ``from_claim`` for them
    alone.

    Two players get an equilibrium, and bounds on the value of the round. For three and more, or
    payoffs that do not sum to 0, no method promises to get near an equilibrium: the strategies come
    with `BiddingSolution.nash_conv`, measured by exact best responses of every player in the true
    game, and `BiddingSolution.values` says what each seat gets by them.

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
        What a right exact call pays the caller, and what a wrong one costs them; (1, 1) if not
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
        a best response with perfect recall that may make any bid, wherever it can be computed, and
        `BiddingSolution.rests_on` says so; `BiddingSolution.certificate` is of the kind that tells
        what is known. At most 1,000 iterations if no other limit is given.
    refine : bool
        Whether to give states of their own to the sequences of bids by which best responses exploit
        players who forget, time and again, for two players and ``Recall(k)``. The strategies that
        measured best are kept. They take more memory, and there are no checkpoints of such a solve.
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
        A `BiddingSolution`; for rules of a cup game a `CupSolution`, or a `CupTableSolution` of
        three and more players. The same for the same arguments, bit for bit, unless ``max_seconds``
        or an interrupt stopped it.

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
            refine=check_flag("refine", refine) or None,
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
    round_ = make_round(rules, dice, palifico=check_flag("palifico", palifico))
    limits = Limits(
        target=target,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
        max_memory=max_memory,
    )
    game = Game(round_, payoffs_from(exact_payoff, payoffs), abstraction)
    if abstraction is not None:
        check_instance("abstraction", abstraction, Abstraction, "a value such as Recall(3)")
        seed = 0 if seed is None else check_whole("seed", seed, at_least=0)
    elif seed is not None:
        raise InputError("nothing is drawn without an abstraction; leave out seed")
    job = Job(
        game=game,
        limits=limits,
        variant=game.choose_variant(variant),
        refine=check_flag("refine", refine),
        seed=seed or 0,
        n_threads=n_threads,
        on_progress=on_progress,
        checkpoint=None if checkpoint is None else check_folder(checkpoint),
        checkpoint_seconds=checkpoint_seconds,
    )
    job.check()
    if checkpoint is not None:
        prepare_folder(checkpoint)
    return run_job(job)


_USUAL_SECONDS = 600.0
"""Between checkpoints."""


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
) -> BiddingSolution:
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

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from liarsolve import presets, resume, solve
    >>> folder = f"{mkdtemp()}/long"
    >>> rules = presets.COMMON.replace(faces=2)
    >>> begun = solve(rules, (1, 1), target=1e-6, max_iterations=20, checkpoint=folder)
    >>> begun.stop.name, resume(folder).stop.name
    ('ITERATION_LIMIT', 'CONVERGED')
    """
    unknown = set(limits) - {"target", "max_iterations", "max_seconds", "max_memory"}
    if unknown:
        raise InputTypeError(f"resume() takes no {', '.join(sorted(unknown))}")
    folder = check_folder(checkpoint)
    stored = read_checkpoint(folder)
    new = _limits_from(limits)
    try:
        game = Game(*round_from(stored.settings), stored.abstraction)
        job = Job(
            game=game,
            limits=stored.limits_to_go_on(new),
            variant=get_variant(stored.settings["limits"]["variant"]),
            seed=int(stored.settings["seed"]),
            n_threads=n_threads,
            on_progress=on_progress,
            checkpoint=folder,
            checkpoint_seconds=checkpoint_seconds,
            resume_from=stored.state,
            keep_checkpoint=new.get("target", 0.0) > stored.limits.target,
        )
        job.check()
        probe_folder(folder)
        return run_job(job)
    except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, LiarsolveError) and not isinstance(error, RuleError):
            raise
        raise StorageError(f"the checkpoint in {checkpoint} is damaged: {error}") from error


def _limits_from(given: Mapping[str, Any]) -> dict[str, Any]:
    """New limits, checked."""
    target = given.get("target")
    Limits(**{**given, "target": 1.0 if target is None else target}).check("an exploitability")
    return {name: value for name, value in given.items() if name != "target" or value is not None}

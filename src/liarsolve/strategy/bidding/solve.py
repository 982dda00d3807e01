"""A solve of a bidding round: what is solved, how, and which solver does it."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from liarsolve._checks import check_instance, check_whole
from liarsolve._clock import work_began
from liarsolve.errors import InputError, InputTypeError
from liarsolve.game import Abstraction, BidGraph, Payoffs, compile_graph
from liarsolve.rules import Round, RuleSet
from liarsolve.solvers import (
    AbstractionOptions,
    ProgressCallback,
    SolveResult,
    SolverState,
    StopReason,
    get_variant,
    solve_abstraction,
    solve_cfr,
    solve_multiplayer,
    solve_refined,
)
from liarsolve.solvers.core.checkpoints import Callbacks
from liarsolve.solvers.core.halt import listen
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.core.variants import DISCOUNTED_CFR, CFRVariant
from liarsolve.solvers.imperfect_recall.options import DEFAULT_VARIANT as IMPERFECT_RECALL_VARIANT
from liarsolve.solvers.imperfect_recall.refine import NO_CHECKPOINTS, check_refinement
from liarsolve.solvers.multiplayer.solve import DEFAULT_VARIANT
from liarsolve.strategy.bidding.oversize import refuse_hopeless, refuse_oversize
from liarsolve.strategy.bidding.solution import BiddingSolution
from liarsolve.strategy.checkpoints import CheckpointWriter, remove_checkpoints

__all__ = ["Game", "Job", "compile_once", "make_round", "payoffs_from", "run_job", "sums_to_zero"]

_AT_ONCE = 1e-9
"""Seconds that are left where compiling the round has taken all of them."""
_LEAST_SHARE = 0.25
"""Part of ``max_seconds`` that is left however long it took to start the command."""


_compiled: WeakValueDictionary[tuple[Round, int], BidGraph] = WeakValueDictionary()
"""By round and the identity of its rules: equal rounds may differ in what they cost in a match."""


def compile_once(round_: Round) -> BidGraph:
    """Compile a round, or return what is still in use of it: six players take some seconds."""
    key = round_, id(round_.rules)
    graph = _compiled.get(key)
    if graph is None:
        graph = _compiled[key] = compile_graph(round_)
    return graph


@dataclass(frozen=True, slots=True)
class Game:
    """What is solved."""

    round: Round
    payoffs: Payoffs
    abstraction: Abstraction | None

    @property
    def has_value(self) -> bool:
        """Whether two players play for the same stake."""
        return self.round.n_players == 2 and sums_to_zero(self.payoffs)

    def choose_variant(self, name: str | None) -> CFRVariant:
        """The member of the CFR family that was named, or the usual one for such a game."""
        if name is not None:
            return get_variant(check_instance("variant", name, str, "the name of a CFR variant"))
        if self.abstraction is not None:
            return IMPERFECT_RECALL_VARIANT
        return DISCOUNTED_CFR if self.has_value else DEFAULT_VARIANT


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A game, and how it is to be solved."""

    game: Game
    limits: Limits
    variant: CFRVariant
    seed: int
    n_threads: int | None
    on_progress: ProgressCallback | None
    checkpoint: Path | None
    checkpoint_seconds: float
    refine: bool = False
    """Whether states are told apart where players who forget are exploited."""
    resume_from: SolverState | None = None
    keep_checkpoint: bool = False
    """Whether it stays when the target is reached, since the solve had set out for a finer one."""

    def check(self) -> None:
        """Refuse what no solver can take, before anything is compiled or written."""
        self.limits.check("an exploitability" if self.game.has_value else "a nash_conv")
        if self.game.abstraction is None:
            self.limits.refuse_endless(", or use solve_exact" if self.game.has_value else "")
        if self.n_threads is not None:
            check_whole("n_threads", self.n_threads, at_least=1)
        Callbacks(on_progress=self.on_progress, checkpoint_seconds=self.checkpoint_seconds)
        if self.refine:
            game = self.game
            check_refinement(game.round.n_players, game.abstraction, game.payoffs)
            if self.checkpoint is not None:
                raise InputError(NO_CHECKPOINTS)
        refuse_oversize(self.game.round, self.limits.max_memory, self.game.abstraction)
        if self.game.abstraction is None:
            refuse_hopeless(self.game.round, self.limits)

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


def run_job(job: Job) -> BiddingSolution:
    """Compile the round, and let the solver that it needs go to work."""
    game, limits = job.game, job.limits
    writer = None
    if job.checkpoint is not None:
        writer = CheckpointWriter(job.checkpoint, job.settings())
    with listen():
        started = perf_counter()
        seconds = limits.max_seconds
        if seconds is not None:  # to start the command took its share
            seconds = max(seconds - (started - work_began()), _LEAST_SHARE * seconds)
        graph = compile_once(game.round)
        if seconds is not None:  # and so has what has been compiled
            seconds = max(seconds - (perf_counter() - started), _AT_ONCE)
        limits = replace(limits, max_seconds=seconds)
        callbacks = Callbacks(
            on_progress=job.on_progress,
            on_checkpoint=writer,
            checkpoint_seconds=job.checkpoint_seconds,
            resume_from=job.resume_from,
        )
        result = _solve(graph, job, limits, callbacks)
    is_done = result.stop is StopReason.CONVERGED and not job.keep_checkpoint
    if job.checkpoint is not None and is_done:
        remove_checkpoints(job.checkpoint)
    return BiddingSolution(result)


def _solve(graph: BidGraph, job: Job, limits: Limits, callbacks: Callbacks) -> SolveResult:
    """Call the solver of such rounds."""
    game = job.game
    if game.abstraction is not None:
        return (solve_refined if job.refine else solve_abstraction)(
            graph,
            game.abstraction,
            payoffs=game.payoffs,
            limits=limits,
            options=AbstractionOptions(variant=job.variant, seed=job.seed, n_threads=job.n_threads),
            callbacks=callbacks,
        )
    if game.has_value:
        return solve_cfr(
            graph,
            payoffs=game.payoffs,
            limits=limits,
            variant=job.variant,
            n_threads=job.n_threads,
            callbacks=callbacks,
        )
    return solve_multiplayer(
        graph, payoffs=game.payoffs, limits=limits, variant=job.variant, callbacks=callbacks
    )


def make_round(rules: RuleSet, dice: Sequence[int], *, palifico: bool) -> Round:
    """Rules and dice; `InputTypeError` if the dice are no numbers."""
    if isinstance(dice, str) or not isinstance(dice, Iterable):
        raise InputTypeError(f"dice are numbers, one for each player, as in (2, 1), got {dice!r}")
    return Round(rules, tuple(dice), palifico=palifico)


def sums_to_zero(payoffs: Payoffs) -> bool:
    """Whether two players play for the same stake."""
    return not np.any(payoffs.table(2).sum(axis=2))


def payoffs_from(exact_payoff: Sequence[float] | None, payoffs: Payoffs | None) -> Payoffs:
    """Payoffs, of which an exact call alone may be given."""
    if payoffs is not None:
        check_instance("payoffs", payoffs, Payoffs, "a Payoffs")
    if payoffs is None:
        return Payoffs.for_exact_call((1, 1) if exact_payoff is None else exact_payoff)
    if exact_payoff is not None:
        raise InputError("give either exact_payoff or payoffs, not both")
    return payoffs

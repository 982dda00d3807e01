"""The search for a proof of a value: its steps, its limits, and what it may come to.

What is proved of two dice against one with six faces, from strategies solved to 1e-9, measured by
``benchmarks/proofs.py`` without compilation on two processors that other programs kept busy too:

========== ==== ============= ======= ======
rules      dice value         solving proof
========== ==== ============= ======= ======
common     2,1  212027/771552 5.3 s   3.8 s
common     1,2  -22/81        11.1 s  0.5 s
snyd       2,1  7/27          18.3 s  2.3 s
snyd       1,2  -5/54         12.8 s  1.2 s
liars_dice 1,2  -5/54         3.4 s   1.2 s
liars_dice 2,1  not found     36.1 s  4.3 s
========== ==== ============= ======= ======

Two dice against two, ``common``, are worth -97993266983069/5815959611262048: solved to 8.5e-16 in
123 s, proved in 2.4 s. No fraction was found for ``liars_dice`` 2,1, which is solved to 5.2e-10.
``openspiel`` 2,1 is only solved to 4.6e-6 in 400 s, where no proof is sought. ``openspiel`` 1,2,
``dudo`` and ``perudo`` have not been measured.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from time import perf_counter
from typing import TypeAlias

import numpy as np

from liarsolve._typing import Real
from liarsolve.game import StrategyProfile
from liarsolve.solvers.core.halt import Halt
from liarsolve.solvers.core.memory import usable_memory
from liarsolve.solvers.exact.rational import exact_br_value, prove_value
from liarsolve.solvers.exact.tight_play import find_exact_weights
from liarsolve.solvers.two_player.cfr import normalise_strategy
from liarsolve.solvers.two_player.polish import polish

OPTIMAL = 1e-6
"""Exploitability up to which a proof is sought; it would be long, and in vain, for most others."""
_POLISHED = 1e-14
"""Exploitability, in units of payoff, up to which strategies are taken as they are. Linear programs
bring others to about the last digit of floats."""
_TOLERANCES = (1e-12, 1e-10, 1e-8)
"""How much worse an action may be that is taken for as good as the best, one after the other. What
is tight in 2 v 1 ``snyd`` and ``common`` is so to 1e-14, and the rest misses by 1e-10 at least."""
_SECONDS_BETWEEN_REPORTS = 0.1


class ProofOutcome(Enum):
    """What the search for a proof came to; the value is a sentence that says so."""

    PROVED = "both strategies prove the value in rational arithmetic"
    NOT_FOUND = "no fraction was found that both strategies prove to be the value"
    INTERRUPTED = "interrupted before a fraction was proved; the bounds of the value hold"
    TIME_LIMIT = (
        "the time was over before a fraction was proved; allow more, or accept the bounds of the "
        "value"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Whether the value of a round was proved as a fraction, and if not, why."""

    outcome: ProofOutcome
    reason: str
    """One sentence."""
    value: Fraction | None = None
    """The value to the first bidder, if it was proved."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ProofProgress:
    """State of the search for a proof, as ``on_progress`` receives it."""

    step: str
    """What is being done, in a few words."""
    share: float
    """Part of all steps that is done, roughly: they do not take equally long."""
    seconds: float


ProofCallback: TypeAlias = Callable[[ProofProgress], None]


def seek_proof(
    profile: StrategyProfile,
    exploitability: float,
    *,
    others: Iterable[tuple[Real, ...]] = (),
    max_seconds: float | None = None,
    on_progress: ProofCallback | None = None,
) -> Proof:
    """Look for the value of a two-player round as a fraction that both strategies prove.

    The strategies are finished by linear programs, made exact by what is tight for them, and
    judged by best responses in rational arithmetic. An interrupt ends the search, not the program.

    Parameters
    ----------
    profile : StrategyProfile
        Strategies of two players.
    exploitability : float
        What the strategy loses; nothing is sought for one that is not nearly optimal.
    others : iterable of tuple of float64[E, H]
        More pairs of strategies on the tree, for `prove_value` where all else has failed.
    max_seconds : float, optional
        Stop the search after this.
    on_progress : callable, optional
        Called with a `ProofProgress` at every step and ten times a second.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> solution = solve(presets.COMMON.replace(faces=3), dice=(1, 1), target=1e-9)
    >>> seek_proof(solution.result.profile, solution.exploitability).value
    Fraction(-1, 9)
    """
    tree, payoffs = profile.tree, profile.payoffs
    unit = float(np.ptp(payoffs.table(2))) / 2 or 1.0
    clock = _Clock(max_seconds, on_progress)
    value, outcome, reason = None, ProofOutcome.NOT_FOUND, None
    try:
        clock.check()
        if exploitability > OPTIMAL * unit:
            reason = (
                f"no proof was sought, since the strategies lose {exploitability:.3g}; that must "
                f"be {OPTIMAL * unit:.3g} or less"
            )
        else:
            weights = [np.asarray(w, np.float64) for w in profile.weights]
            strategy = normalise_strategy(tree, weights, profile.defaults)
            profile = replace(profile, weights=strategy)
            if exploitability > _POLISHED * unit:
                profile = _finish(profile, _POLISHED * unit / 10, clock)
            value = _prove_by_tight_play(profile, clock)
            if value is None:
                clock.begin("rounding to fractions", 0.9)
                value = prove_value(tree, others, payoffs, clock.check)
        if value is not None:
            outcome = ProofOutcome.PROVED
    except KeyboardInterrupt:
        outcome = ProofOutcome.INTERRUPTED
    except _OutOfTimeError:
        outcome = ProofOutcome.TIME_LIMIT
    return Proof(
        outcome=outcome,
        reason=reason or outcome.value,
        value=value,
        seconds=perf_counter() - clock.started,
    )


def _finish(profile: StrategyProfile, target: float, clock: "_Clock") -> StrategyProfile:
    clock.begin("linear programs", 0.0)
    polished = polish(
        profile,
        target,
        max_memory=usable_memory(None),
        halt=Halt(clock.deadline),
        on_round=lambda polished: clock.check(),
    )
    clock.check()
    return replace(profile, weights=polished.strategy)


def _prove_by_tight_play(profile: StrategyProfile, clock: "_Clock") -> Fraction | None:
    """Value that both strategies prove once they are exact; None if there is none."""
    bounds: list[list[Fraction]] = [[], []]
    for i, tolerance in enumerate(_TOLERANCES):
        for player, found in enumerate(bounds):
            width = 0.4 / len(_TOLERANCES)
            start = 0.1 + width * (2 * i + player)
            clock.begin(f"equations of seat {player + 1}", start, width / 2)
            weights = find_exact_weights(profile, player, tolerance, clock.check)
            if weights is not None:
                clock.begin(f"replies to seat {player + 1}", start + width / 2)
                loss = exact_br_value(
                    profile.tree, weights, 1 - player, profile.payoffs, clock.check
                )
                found.append(loss if player else -loss)
        if all(bounds) and max(bounds[0]) == min(bounds[1]):
            return max(bounds[0])
    return None


class _OutOfTimeError(Exception):
    """The time of a search is over."""


class _Clock:
    """Reports a search, and ends it in time."""

    def __init__(self, max_seconds: float | None, on_progress: ProofCallback | None) -> None:
        self.started = perf_counter()
        self.deadline = self.started + (float("inf") if max_seconds is None else max_seconds)
        self.on_progress = on_progress
        self.step, self.share, self.width, self.reported = "", 0.0, 0.0, 0.0

    def begin(self, step: str, share: float, width: float = 0.0) -> None:
        """Go on to another step, when so much of all is done; it is ``width`` of all itself."""
        self.step, self.share, self.width, self.reported = step, share, width, 0.0
        self.check()

    def check(self, part: float = 0.0) -> None:
        """Raise if the time is over; report now and then that a part of the step is done."""
        now = perf_counter()
        if now >= self.deadline:
            raise _OutOfTimeError
        is_due = now - self.reported >= _SECONDS_BETWEEN_REPORTS
        if self.on_progress is not None and self.step and is_due:
            self.reported = now
            share = self.share + part * self.width
            self.on_progress(ProofProgress(self.step, share, now - self.started))

"""Rounds in which everything is thrown again unseen, such as Mia, for any number of players.

After a claim was accepted nobody knows anything of the dice but who will throw them. So the state
is the claim alone, and a round is a recursion over rising claims for any number of players: at
each, two of them meet, the one who throws and claims and the next one who answers, and what they
play for are the payoffs of later states. With three or more players these are not opposite, so
that a stage is solved by iterations, not by a linear program; what a player could still gain is
computed exactly.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np

from liarsolve._typing import B1, F8
from liarsolve.errors import InputError, RuleError
from liarsolve.game.cup.compile import recursion_problem
from liarsolve.game.cup.graph import CupRuleTables
from liarsolve.rules import CHALLENGE, CupMove, CupRound, Look, loser_pays
from liarsolve.solvers.core.result import StopReason
from liarsolve.solvers.cup.cleaning import drop_dust
from liarsolve.solvers.cup.solve import CupProgress, CupProgressCallback

__all__ = ["UnseenResult", "UnseenTables", "is_unseen", "measure_unseen", "solve_unseen"]

METHOD = "recursion, predictive+"

_ROUNDING = 1e-12
"""More than the rounding error of a payoff: a sum of some thousand terms that add up to one."""
_CHECK_PERIOD = 100
_MOST_ITERATIONS = 20_000
"""Of one stage. Mia with two to six players takes up to 2,500 for gains of 1e-6."""
_DUST = (1e-2, 1e-3, 1e-5)
"""Probabilities that an average keeps of its first iterations. The largest of these is dropped that
leaves nobody more to gain than the tolerance."""
_TOLERANCE_SHARE, _MOST_TOLERANCE, _LEAST_TOLERANCE = 0.05, 1e-5, 1e-9
"""Tolerance of a stage as a share of the target, and its limits: gains add up over the stages that
follow one another, which are few in most rounds."""


def is_unseen(table: CupRound) -> bool:
    """Whether the claim accepted last is all that players know of a round.

    >>> from liarsolve.rules import presets
    >>> is_unseen(CupRound(presets.MIA, 3)), is_unseen(CupRound(presets.CLASSIC, 3))
    (True, False)
    """
    return table.rules.look is Look.NEVER and recursion_problem(table.rules) is None


@dataclass(frozen=True, eq=False)
class UnseenTables:
    """What a round pays, by claim, hand and place: C claims, H hands, P players.

    Place 0 is that of the player who claims, place 1 that of the next one, who answers, and so on.
    """

    table: CupRound
    distribution: F8
    """Distribution of the hand that is thrown, [H]."""
    truth: B1
    """Whether a claim is true of a hand, [C, H]."""
    challenged: F8
    """Payoffs if a claim is challenged, [C, H, P]."""
    ended: F8
    """Payoffs if a claim is accepted and the round ends with that, else 0, [C, H, P]."""
    goes_on: B1
    """Claims that may be accepted so that another one follows, [C]."""
    may_accept: B1
    """Claims that need not be challenged, [C]."""
    followers: tuple[tuple[int, ...], ...]
    """Claims that may follow each; those that may open a round come last, [C + 1]."""

    @classmethod
    def of(cls, table: CupRound) -> "UnseenTables":
        """Lay out a round.

        Raises
        ------
        RuleError
            If players see what was passed to them, or a round is no recursion over its claims.
        """
        problem = recursion_problem(table.rules)
        if problem is not None:
            raise RuleError(problem)
        if not is_unseen(table):
            raise RuleError(
                f"look={table.rules.look.value} lets players see what was passed to them, so that "
                "the claim is not all they know; use look=never"
            )
        tables = CupRuleTables(table, loser_pays)
        hands = range(len(table.rules.equipment.hands))
        claims = range(tables.n_claims)
        distribution = np.zeros(len(hands))
        for hand, p in tables.distributions[tables.nothing]:
            distribution[hand] = p
        followers = tuple(tuple(tables.claims_on(claim)) for claim in claims)
        may_accept = np.array([CupMove.ACCEPT in tables.answers[claim] for claim in claims])
        goes_on = may_accept & np.array([bool(after) for after in followers])
        shape = (len(claims), len(hands), table.n_players)
        ended = np.zeros(shape)
        for claim in np.flatnonzero(may_accept & ~goes_on).tolist():
            ended[claim] = [tables.end(0, claim, hand, CupMove.ACCEPT) for hand in hands]
        challenged = [[tables.end(0, claim, hand, CHALLENGE) for hand in hands] for claim in claims]
        return cls(
            table=table,
            distribution=distribution,
            truth=np.array(tables.is_true),
            challenged=np.array(challenged).reshape(shape),
            ended=ended,
            goes_on=goes_on,
            may_accept=may_accept,
            followers=(*followers, tuple(tables.claims_on(-1))),
        )

    @property
    def states(self) -> list[int]:
        """Claims after which somebody throws, from the highest down; -1 is the opening."""
        return [claim for claim in reversed(range(len(self.goes_on))) if self.goes_on[claim]] + [-1]

    def accepted(self, claims: list[int], values: F8) -> F8:
        """Payoffs by place if claims are accepted, given those of later states, [H, C, P].

        Whoever accepts is at place 0 of the state that follows.
        """
        later = np.roll(values[claims], 1, axis=1)
        paid = np.where(self.goes_on[claims, None, None], later[:, None, :], self.ended[claims])
        is_open = self.may_accept[claims, None, None]
        found: F8 = np.where(is_open, paid, self.challenged[claims]).transpose(1, 0, 2)
        return found


@dataclass(frozen=True, eq=False, kw_only=True)
class UnseenResult:
    """Strategies of all players by the claim accepted last, and what they earn.

    The last row of every array is the opening; rows of claims on which nothing follows are 0.
    """

    tables: UnseenTables
    claim_probs: F8
    """How often each claim is made with each hand, [C + 1, H, C]."""
    accept: F8
    """How often each claim is accepted, [C + 1, C]."""
    places: F8
    """Payoff by place if all play so, [C + 1, P]."""
    br_places: F8
    """Payoff by place of who changes their play alone for the best, [C + 1, P]."""
    stop: StopReason
    iterations: int
    """Of all stages."""
    seconds: float

    @property
    def table(self) -> CupRound:
        """The round."""
        return self.tables.table

    @property
    def values(self) -> tuple[float, ...]:
        """Expected payoff of every seat if all play so; the first one throws first."""
        return tuple(self.places[-1].tolist())

    @property
    def br_values(self) -> tuple[float, ...]:
        """Payoff of every seat if it alone changes its play for the best."""
        return tuple(self.br_places[-1].tolist())

    @property
    def nash_conv(self) -> float:
        """Sum over players of what each could gain by changing their own play."""
        return float(np.maximum(self.br_places[-1] - self.places[-1], 0.0).sum())

    @property
    def n_states(self) -> int:
        """Claims after which somebody throws, and the opening."""
        return len(self.tables.states)

    @property
    def peak_memory_mb(self) -> float:
        """Memory of the arrays, in units of 1e6 bytes."""
        tables = (self.tables.challenged, self.tables.ended, self.claim_probs, self.accept)
        return sum(array.nbytes for array in tables) / 1e6


def solve_unseen(
    table: CupRound,
    *,
    target: float = 1e-3,
    max_seconds: float | None = None,
    on_progress: CupProgressCallback | None = None,
) -> UnseenResult:
    """Solve a round in which everything is thrown again unseen, claim by claim.

    Parameters
    ----------
    table : CupRound
        The round, of two or more players.
    target : float
        How large ``nash_conv`` may be.
    max_seconds : float, optional
        From then on states are solved roughly; the result says how good it is.
    on_progress : callable
        Called with a `CupProgress` after each state.

    Raises
    ------
    RuleError
        If players see what was passed to them, or the round is no recursion over its claims.
    InputError
        If a number is out of range.

    References
    ----------
    Farina, Kroer and Sandholm (2021), "Faster game solving via predictive Blackwell
    approachability", arXiv:2007.14358, for the iterations at a stage.
    """
    if not target >= 0.0:
        raise InputError(f"the target is a nash_conv of 0 or more, got {target}")
    if max_seconds is not None and not max_seconds > 0.0:
        raise InputError(f"max_seconds is a time above 0, got {max_seconds}")
    run = _Run(UnseenTables.of(table), target, max_seconds)
    run.go(on_progress)
    return run.result()


class _Run:
    """A recursion that watches the clock."""

    def __init__(self, tables: UnseenTables, target: float, max_seconds: float | None) -> None:
        self.tables, self.target = tables, target
        share = _TOLERANCE_SHARE * target
        self.tolerance = min(max(share, _LEAST_TOLERANCE), _MOST_TOLERANCE)
        self.started = perf_counter()
        self.deadline = np.inf if max_seconds is None else self.started + max_seconds
        self.is_halted = threading.Event()
        n_claims, n_hands, n_players = tables.challenged.shape
        self.claim_probs = np.zeros((n_claims + 1, n_hands, n_claims))
        self.accept = np.zeros((n_claims + 1, n_claims))
        self.values = np.zeros((n_claims + 1, n_players))
        self.iterations = 0

    def is_late(self) -> bool:
        return self.is_halted.is_set() or perf_counter() >= self.deadline

    def go(self, on_progress: CupProgressCallback | None) -> None:
        """Solve state after state, roughly once there is no more time."""
        states = self.tables.states
        for done, state in enumerate(states, 1):
            try:
                self._solve(state)
                if on_progress is not None and not self.is_late():
                    on_progress(self._progress(done, len(states)))
            except KeyboardInterrupt:
                self.is_halted.set()
                self._solve(state)

    def _solve(self, state: int) -> None:
        claims = list(self.tables.followers[state])
        accepted = self.tables.accepted(claims, self.values)
        stage = _Stage(
            self.tables.distribution,
            self.tables.challenged[claims].transpose(1, 0, 2),
            accepted,
            self.tables.may_accept[claims],
        )
        solved = solve_stage(stage, self.tolerance, self.is_late)
        self.claim_probs[state] = 0.0
        self.claim_probs[state][:, claims] = solved.made
        self.accept[state, claims] = solved.accept
        self.values[state] = stage.values(solved.made, solved.accept)
        self.iterations += solved.iterations

    def _progress(self, done: int, n_states: int) -> CupProgress:
        seconds = perf_counter() - self.started
        return CupProgress(
            claims_done=done,
            n_claims=n_states,
            share=done / n_states,
            target=self.target,
            seconds=seconds,
            seconds_left=seconds * (n_states / done - 1.0),
            n_states=done,
            memory_mb=self.tables.challenged.nbytes / 1e6,
        )

    def result(self) -> UnseenResult:
        places, br_places = measure_unseen(self.tables, self.claim_probs, self.accept)
        for array in (self.claim_probs, self.accept, places, br_places):
            array.flags.writeable = False
        gain = float(np.maximum(br_places[-1] - places[-1], 0.0).sum())
        if self.is_halted.is_set():
            stop = StopReason.INTERRUPTED
        elif gain <= self.target:
            stop = StopReason.CONVERGED
        else:
            stop = StopReason.TIME_LIMIT if self.is_late() else StopReason.STALLED
        return UnseenResult(
            tables=self.tables,
            claim_probs=self.claim_probs,
            accept=self.accept,
            places=places,
            br_places=br_places,
            stop=stop,
            iterations=self.iterations,
            seconds=perf_counter() - self.started,
        )


class _Solved(NamedTuple):
    """Play at a stage: J hands, M claims that may be made."""

    made: F8
    """How often each claim is made with each hand, [J, M]."""
    accept: F8
    """How often each claim is accepted, [M]."""
    iterations: int


@dataclass(frozen=True, eq=False)
class _Stage:
    """One throw, one claim and one answer, with the payoffs of everybody, [J, M, P]."""

    distribution: F8
    challenged: F8
    accepted: F8
    may_accept: B1

    def mover(self, accept: F8) -> F8:
        """Payoff of the player who claims, by hand and claim, [J, M]."""
        payoff: F8 = (1.0 - accept) * self.challenged[:, :, 0] + accept * self.accepted[:, :, 0]
        return payoff

    def lead(self, made: F8) -> F8:
        """By how much it is better to accept each claim than to challenge it, weighted, [M]."""
        lead: F8 = self.distribution @ (made * (self.accepted[:, :, 1] - self.challenged[:, :, 1]))
        return np.where(self.may_accept, lead, 0.0)

    def gain(self, made: F8, accept: F8) -> float:
        """The most that either of the two could gain here."""
        payoff = self.mover(accept)
        mover = self.distribution @ (payoff.max(axis=1) - (made * payoff).sum(axis=1))
        lead = self.lead(made)
        responder = np.where(lead > 0.0, (1.0 - accept) * lead, -accept * lead).sum()
        return float(max(mover, responder))

    def values(self, made: F8, accept: F8) -> F8:
        """Payoff of every place, [P]."""
        reach = self.distribution[:, None] * made
        share = accept[None, :, None]
        paid = (1.0 - share) * self.challenged + share * self.accepted
        values: F8 = np.einsum("jm,jmp->p", reach, paid)
        return values

    def clean(self, made: F8, accept: F8, dust: float) -> tuple[F8, F8]:
        """Play without dust and without actions that lose to another however the rest falls."""
        made = drop_dust(made, dust)
        least = np.minimum(self.challenged[:, :, 0], self.accepted[:, :, 0])
        most = np.maximum(self.challenged[:, :, 0], self.accepted[:, :, 0])
        is_dominated = most < least.max(axis=1, keepdims=True)
        lost = np.where(is_dominated, made, 0.0).sum(axis=1)
        made = np.where(is_dominated, 0.0, made)
        made[np.arange(len(made)), least.argmax(axis=1)] += lost
        accept = np.where(accept <= dust, 0.0, np.where(accept >= 1.0 - dust, 1.0, accept))
        lead = (self.accepted - self.challenged)[self.distribution > 0.0, :, 1]
        always = (lead >= 0.0).all(axis=0) & (lead > 0.0).any(axis=0)
        never = (lead <= 0.0).all(axis=0) & (lead < 0.0).any(axis=0)
        accept = np.where(always, 1.0, np.where(never | ~self.may_accept, 0.0, accept))
        return made, accept


def solve_stage(stage: _Stage, tolerance: float, is_late: Callable[[], bool]) -> _Solved:
    """Solve a stage by regret matching that predicts, averaged with growing weights."""
    n_hands, n_claims = stage.challenged.shape[:2]
    made = np.full((n_hands, n_claims), 1.0 / n_claims)
    accept = np.where(stage.may_accept, 0.5, 0.0)
    made_sum, accept_sum, weight = np.zeros_like(made), np.zeros(n_claims), 0.0
    claim_regret, answer_regret = np.zeros_like(made), np.zeros((n_claims, 2))
    for iteration in range(1, _MOST_ITERATIONS + 1):
        lead = stage.lead(made)
        regret = np.stack([(1.0 - accept) * lead, -accept * lead], axis=1)
        answer_regret = np.maximum(answer_regret + regret, 0.0)
        usual = np.stack([accept, 1.0 - accept], axis=1)
        accept = _match(answer_regret + regret, usual)[:, 0]
        payoff = stage.mover(accept)
        regret = payoff - (made * payoff).sum(axis=1, keepdims=True)
        claim_regret = np.maximum(claim_regret + regret, 0.0)
        made = _match(claim_regret + regret, made)
        share = float(iteration) ** 2
        made_sum += share * made
        accept_sum += share * accept
        weight += share
        if iteration % _CHECK_PERIOD == 0:
            mean_made, mean_accept = made_sum / weight, accept_sum / weight
            if is_late() or stage.gain(mean_made, mean_accept) <= tolerance:
                break
    allowed = max(tolerance, stage.gain(mean_made, mean_accept))
    for dust in _DUST:
        cleaned = stage.clean(mean_made, mean_accept, dust)
        if stage.gain(*cleaned) <= allowed:
            return _Solved(*cleaned, iteration)
    return _Solved(*stage.clean(mean_made, mean_accept, 0.0), iteration)


def _match(regret: F8, usual: F8) -> F8:
    """Play in proportion to positive regret, as before where there is none."""
    positive = np.maximum(regret, 0.0)
    total = positive.sum(axis=1, keepdims=True)
    matched: F8 = np.where(total > 0.0, positive / np.where(total > 0.0, total, 1.0), usual)
    return matched


def measure_unseen(tables: UnseenTables, claim_probs: F8, accept: F8) -> tuple[F8, F8]:
    """What strategies earn from every state on, and what a player who changes their own play could.

    Since the state is public and the hand is thrown anew, the best response of one player is a
    recursion over claims too; nothing is estimated.

    Returns
    -------
    places, br_places
        By state and place, [C + 1, P].
    """
    n_claims, _, n_players = tables.challenged.shape
    places, best = np.zeros((n_claims + 1, n_players)), np.zeros((n_claims + 1, n_players))
    for state in tables.states:
        claims = list(tables.followers[state])
        made, share = claim_probs[state][:, claims], accept[state, claims]
        challenged = tables.challenged[claims].transpose(1, 0, 2)
        may_accept = tables.may_accept[claims]
        as_played = _Stage(
            tables.distribution, challenged, tables.accepted(claims, places), may_accept
        )
        places[state] = as_played.values(made, share)
        changed = _Stage(tables.distribution, challenged, tables.accepted(claims, best), may_accept)
        best[state] = changed.values(made, share)
        best[state, 0] = tables.distribution @ changed.mover(share).max(axis=1)
        reach = tables.distribution[:, None] * made
        answers = ((reach * paid[:, :, 1]).sum(axis=0) for paid in (challenged, changed.accepted))
        best[state, 1] = np.maximum(*answers).sum()
    least, most = tables.challenged.min(), tables.challenged.max()
    places, best = np.clip(places, least, most), np.clip(best, least, most)
    return places, np.where(best - places > _ROUNDING, best, places)

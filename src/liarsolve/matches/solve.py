"""From the rules of a match to the value of every score.

What a score is worth follows from what its round leads to: with V the starter's chance of winning
the match,

    V(score) = value of the round whose endings are worth V(what follows them).

Where a round has two outcomes that count, and p is the starter's chance of winning it,

    V(score) = p V(after winning) + (1 - p) V(after losing).

**Why brackets go up.** The value of a zero-sum round does not fall if what its endings are worth
does not. So with the lower bounds of all that follows in place of V, a lower bound of the round's
value is a lower bound of V(score); and likewise from above. With two outcomes the value is
``lose + p (win - lose)``, which grows with ``p`` as long as ``win >= lose``: then the lower end
comes of three lower ends, and the upper of three upper ones. Whether ``win >= lose`` is looked at
for either end. With a spare life for the first player who goes out it may be the other way round:
then both would rather lose, and it is that round which is solved.

**Matches that go back and forth.** Where dice are won back, scores follow each other in circles. A
match that is broken off after n rounds and then counts as lost is worth no more to the starter than
the whole match, whatever that is to be worth if it never ends; one that counts as won no less. So
0 and 1 are bounds of every score, and the step above makes better ones of them, again and again:
each is proved, however early one stops.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import suppress
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import numpy as np

from liarsolve._checks import check_callable, check_instance, check_number, check_whole
from liarsolve._typing import F8
from liarsolve.errors import InputError, InputTypeError, RuleError, StorageError
from liarsolve.game import StrategyProfile
from liarsolve.matches.kept_rounds import look_up_round, write_round
from liarsolve.matches.rounds import (
    Bracket,
    RoundJob,
    RoundResult,
    Stake,
    bounds_for,
    ending_probs,
    is_known,
    solve_round,
)
from liarsolve.matches.scores import Scores, Step, counts_of, describe_counts
from liarsolve.matches.values import MatchStop, MatchValues
from liarsolve.rules import CupRules, RuleSet
from liarsolve.rules.bidding.match import BiddingScore
from liarsolve.solvers import StopReason

T = TypeVar("T")

_ROUND_SECONDS = 60.0
_MOST_SWEEPS = 30
"""Over scores that follow each other in circles."""
_LEAST_SHARE = 0.8
"""Of a bracket that a sweep has to leave no more of, to be worth another one."""
_FIRST_TARGET = 10.0
"""Of the first sweep, as a multiple: it only has to say roughly what scores are worth."""
_MOVED = 0.2
"""Part of the target by which what a round is played for may move without solving it anew."""
_MOST_STEPS = 10_000
"""Of carrying bounds around in circles, after each of which they are bounds."""
_ROUNDING = 1e-15
"""More than the rounding error of one step: three operations on numbers up to 1."""


@dataclass(frozen=True, slots=True)
class MatchProgress:
    """How far the values of a match are, as ``on_progress`` receives it."""

    n_done: int
    """Rounds done."""
    n_rounds: int
    """Rounds to do in all, as far as that is known: scores that follow each other in circles are
    gone through more than once."""
    words: str
    """What was done last, such as ``2 v 1``."""
    seconds: float


def match_values(
    rules: RuleSet | CupRules,
    *,
    dice: int | None = None,
    target: float = 1e-3,
    round_seconds: float | None = None,
    max_seconds: float | None = None,
    on_progress: Callable[[MatchProgress], None] | None = None,
    executor: Executor | None = None,
    folder: str | PathLike[str] | None = None,
) -> MatchValues:
    """Find the chance of winning a match of two players from every score.

    Rounds that `certified_values` has are not solved anew, whatever the target. Where the loser,
    the winner or each in turn starts the next round, a round is solved once, whatever the score is
    worth; where who challenged matters too, or an exact call, it is solved for each score, for what
    its endings are worth there.

    Parameters
    ----------
    rules : RuleSet or CupRules
        Rules of the match.
    dice : int, optional
        Dice of each player at the start (with ``lives``: in every round), in place of those of the
        rules; every smaller number of either player is in the table too. Not for cup games.
    target : float
        How large the exploitability of a round may be, in utility: its bracket is that wide. Those
        of scores are wider, since a match has several rounds.
    round_seconds : float, optional
        Stop the solver of a round there in any case; 60 in bidding if not given, and no limit in
        cup games, whose rounds come to an end by themselves.
    max_seconds : float, optional
        Stop there in any case; `MatchValues.stop` says so.
    on_progress : callable, optional
        Called with a `MatchProgress` after every round.
    executor : concurrent.futures.Executor, optional
        Solves rounds that do not depend on each other side by side. The result is the same.
    folder : path, optional
        Every round is written there as soon as it is solved, and not solved again by another call.

    Returns
    -------
    MatchValues
        The same for the same arguments, bit for bit, unless the clock or an interrupt stopped it.

    Raises
    ------
    RuleError
        If a round has more outcomes than it can be solved for.
    InputError, InputTypeError
        If an argument is out of range.
    GameTooLargeError
        If a round does not fit into memory.

    Examples
    --------
    >>> from liarsolve import match_values, presets
    >>> values = match_values(presets.COMMON.replace(faces=3), dice=2, target=1e-6)
    >>> [round(values.bounds(score)[0], 4) for score in ((2, 2), (2, 1), (1, 2))]
    [0.5029, 0.7531, 0.2675]
    """
    check_instance("rules", rules, (RuleSet, CupRules), "rules such as presets.COMMON")  # type: ignore[arg-type]
    if dice is not None:
        if isinstance(rules, CupRules):
            raise InputTypeError(f"the rules of a cup game say how many dice, got dice={dice!r}")
        rules = rules.replace(dice=check_whole("dice", dice, at_least=1), name=rules.name)
    target = check_number("target", target, at_least=0)
    if round_seconds is not None:
        round_seconds = _seconds("round_seconds", round_seconds)
    elif isinstance(rules, RuleSet):
        round_seconds = _ROUND_SECONDS
    if max_seconds is not None:
        max_seconds = _seconds("max_seconds", max_seconds)
    check_callable("on_progress", on_progress)
    if executor is not None:
        check_instance("executor", executor, Executor, "a concurrent.futures.Executor")
    scores = Scores(rules)
    _refuse_circles(scores)
    work = _Work(
        scores=scores,
        target=target,
        round_seconds=round_seconds,
        deadline=None if max_seconds is None else perf_counter() + max_seconds,
        on_progress=on_progress,
        executor=executor,
        folder=None if folder is None else _make_folder(folder),
    )
    work.go()
    return work.result()


def _seconds(name: str, value: float) -> float:
    value = check_number(name, value, at_least=0)
    if value == 0:
        raise InputError(f"{name} is a number above 0, got {value:g}")
    return value


def _refuse_circles(scores: Scores) -> None:
    """Refuse cup games in which stakes go back and forth, and it matters who challenged."""
    rules = scores.rules
    if not isinstance(rules, CupRules):
        return
    for group in scores.groups:
        is_open = any(scores.steps[number].by_winner is None for number in group)
        if is_open and scores.has_loop(group):
            raise RuleError(
                f"with next_starter={rules.next_starter.value} and these penalties the stakes go "
                "back and forth in rounds of more than two outcomes, which is not solved for cup "
                "games; use next_starter=loser and the same penalty for both, or let something go "
                "to the pool"
            )


def _make_folder(folder: str | PathLike[str]) -> Path:
    if not isinstance(folder, str | PathLike) or not str(folder):
        raise InputTypeError(f"folder is the name of a folder, got {folder!r}")
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror or error}") from error
    return path


@dataclass(eq=False)
class _Work:
    """A table of values that is being filled."""

    scores: Scores
    target: float
    round_seconds: float | None
    deadline: float | None
    on_progress: Callable[[MatchProgress], None] | None
    executor: Executor | None
    folder: Path | None
    stop: MatchStop | None = None
    n_done: int = 0
    n_rounds: int = 0
    n_solved: int = 0
    is_short: bool = False
    """Whether a round was not solved to the target."""
    started: float = field(default_factory=perf_counter)

    def __post_init__(self) -> None:
        n = len(self.scores)
        self.low, self.high = np.zeros(n), np.ones(n)
        self.rounds: dict[tuple[int, int] | None, Bracket] = {}
        """Chance that the starter wins a round of two outcomes, by dice."""
        self.reversed_rounds: dict[tuple[int, int] | None, Bracket] = {}
        """Chance that the starter loses it, where both would rather lose."""

    def go(self) -> None:
        """Solve the rounds of two outcomes first, then go through the scores."""
        steps = self.scores.steps
        simple = list(dict.fromkeys(_dice(step) for step in steps if step.by_winner))
        self.n_rounds = len(simple) + sum(step.by_winner is None for step in steps)
        jobs = [(dice, self._job(dice)) for dice in simple]
        jobs.sort(key=lambda pair: not is_known(pair[1]))
        for dice, result in self._run(jobs, _words_of_dice):
            self.rounds[dice] = result.bounds
        for level in self._levels():
            alone = [group[0] for group in level if not self.scores.has_loop(group)]
            self._solve_alone(alone)
            for group in level:
                if self.scores.has_loop(group):
                    self._solve_loop(group)

    def result(self) -> MatchValues:
        """What was found."""
        stop = self.stop or (MatchStop.ROUND_LIMIT if self.is_short else MatchStop.DONE)
        return MatchValues(
            rules=self.scores.rules,
            target=self.target,
            lower=tuple(self.low.tolist()),
            upper=tuple(self.high.tolist()),
            stop=stop,
            n_rounds=self.n_rounds,
            n_solved=self.n_solved,
            n_open=max(self.n_rounds - self.n_done, 0),
            seconds=perf_counter() - self.started,
        )

    def _levels(self) -> Iterator[list[tuple[int, ...]]]:
        """Groups of scores that do not depend on each other, those that others need first."""
        level_of: dict[int, int] = {}
        levels: dict[int, list[tuple[int, ...]]] = {}
        for group in self.scores.groups:
            below = [
                level_of[follow.score]
                for number in group
                for follow in self.scores.steps[number].follows.values()
                if follow.chance is None and follow.score not in group
            ]
            level = 1 + max(below, default=-1)
            level_of.update(dict.fromkeys(group, level))
            levels.setdefault(level, []).append(group)
        for level in sorted(levels):
            yield levels[level]

    def _solve_alone(self, numbers: Sequence[int]) -> None:
        """Scores that do not come back: what follows them is known."""
        steps = self.scores.steps
        self._solve_reversed(numbers, 0.5 * (self.low + self.high))
        jobs = []
        for number in numbers:
            if steps[number].by_winner is None:
                jobs.append((number, self._stakes_job(steps[number])))
            else:
                self.low[number], self.high[number] = self._carry(steps[number])
        for number, result in self._run(jobs, self._words_of_score):
            self.low[number], self.high[number] = result.bounds

    def _carry(self, step: Step) -> Bracket:
        """Bounds of a score whose round has two outcomes, from those of what follows."""
        follows = step.by_winner
        assert follows is not None
        (win_low, win_high), (lose_low, lose_high) = (
            follow.worth(self.low, self.high) for follow in follows
        )
        dice = _dice(step)
        p_low, p_high = self.rounds.get(dice, (0.0, 1.0))
        q_low, q_high = self.reversed_rounds.get(dice, (0.0, 1.0))
        return (
            _mix(win_low, lose_low, p_low, q_low, -_ROUNDING),
            _mix(win_high, lose_high, p_high, q_high, _ROUNDING),
        )

    def _solve_reversed(self, numbers: Iterable[int], worth: F8) -> None:
        """Solve the rounds of scores at which a player would rather lose, if there are any.

        That happens with the one spare life of ``box``: at one life each, who loses gets it, and
        starts. Such a round is another game, with an equilibrium of its own.
        """
        jobs: list[tuple[tuple[int, int] | None, RoundJob]] = []
        for number in numbers:
            step = self.scores.steps[number]
            if step.by_winner is None:
                continue
            win, lose = (follow.worth(worth, worth)[0] for follow in step.by_winner)
            dice = _dice(step)
            if win < lose and dice not in (*self.reversed_rounds, *(key for key, _ in jobs)):
                stakes = tuple(
                    (ending, Stake(*[float(not is_won)] * 3))
                    for ending, is_won in step.wins.items()
                )
                jobs.append((dice, replace(self._job(dice), stakes=stakes)))
        self.n_rounds += len(jobs)
        for dice, result in self._run(jobs, _words_of_dice):
            self.reversed_rounds[dice] = result.bounds

    def _solve_loop(self, group: Sequence[int]) -> None:
        """Scores that follow each other in circles: solve their rounds, carry bounds, and again."""
        steps = self.scores.steps
        open_ = [number for number in group if steps[number].by_winner is None]
        guess, width = self._first_guess(group), np.inf
        solved_for: dict[int, RoundJob] = {}
        profiles: dict[int, StrategyProfile] = {}
        for sweep in range(_MOST_SWEEPS):
            self._solve_reversed(group, guess)
            target = self.target * (_FIRST_TARGET if sweep == 0 else 1.0)
            jobs = []
            for number in open_:
                job = self._stakes_job(steps[number], guess, target=target)
                if number not in profiles or self._has_moved(solved_for[number], job):
                    jobs.append((number, job))
            self.n_rounds += len(jobs) if sweep else 0
            solved_for.update(jobs)
            for number, result in self._run(jobs, self._words_of_score):
                self._improve({number: result.bounds})
                if result.solution is not None:
                    profiles[number] = result.solution.result.profile
            self._circle(group, profiles)
            now = float((self.high - self.low)[list(group)].max())
            is_stuck = sweep > 1 and now > _LEAST_SHARE * width
            if len(profiles) < len(open_) or now <= self.target or is_stuck or not jobs:
                return
            width, guess = now, self._next_guess(group, profiles, guess)

    def _has_moved(self, before: RoundJob, now: RoundJob) -> bool:
        """Whether a round is to be solved for something else, or better, than it was."""
        moved = max(
            abs(old.guess - new.guess)
            for (_, old), (_, new) in zip(before.stakes, now.stakes, strict=True)
        )
        return now.target < before.target or moved > _MOVED * self.target

    def _first_guess(self, group: Sequence[int]) -> F8:
        """Whoever has more dice is more likely to win."""
        guess = 0.5 * (self.low + self.high)
        for number in group:
            own, other = counts_of(self.scores.steps[number].score)
            guess[number] = own / (own + other)
        return guess

    def _next_guess(
        self,
        group: Sequence[int],
        profiles: dict[int, StrategyProfile],
        guess: F8,
    ) -> F8:
        """What the scores are worth if both players follow the strategies just found."""
        at = {number: i for i, number in enumerate(group)}
        matrix, right = np.eye(len(group)), np.zeros(len(group))
        for number in group:
            step = self.scores.steps[number]
            if number in profiles:
                probs = ending_probs(profiles[number], tuple(step.follows))
            else:
                p = sum(self.rounds.get(_dice(step), (0.0, 1.0))) / 2
                won = next(ending for ending, is_won in step.wins.items() if is_won)
                lost = next(ending for ending, is_won in step.wins.items() if not is_won)
                probs = {won: p, lost: 1.0 - p}
            total = sum(probs.values())
            for ending, prob in probs.items():
                follow, share = step.follows[ending], prob / total
                if follow.chance is None and follow.score in at:
                    sign = 1.0 if follow.is_starter else -1.0
                    matrix[at[number], at[follow.score]] -= sign * share
                    right[at[number]] += 0.0 if follow.is_starter else share
                else:
                    low, high = follow.worth(self.low, self.high)
                    right[at[number]] += share * (low + high) / 2
        new = guess.copy()
        with suppress(np.linalg.LinAlgError):
            new[list(group)] = np.linalg.solve(matrix, right)
        clipped: F8 = np.clip(new, self.low, self.high)
        return clipped

    def _circle(self, group: Sequence[int], profiles: dict[int, StrategyProfile]) -> None:
        """Carry bounds around until they move no more; each step leaves bounds."""
        enough = 1e-2 * self.target if profiles else 1e-15
        for _ in range(_MOST_STEPS):
            moved = 0.0
            for number in group:
                step = self.scores.steps[number]
                if step.by_winner is not None:
                    bounds = self._carry(step)
                elif number in profiles:
                    stakes = {e: f.worth(self.low, self.high) for e, f in step.follows.items()}
                    bounds = bounds_for(profiles[number], stakes)
                else:
                    continue
                moved = max(moved, self._improve({number: bounds}))
            if moved <= enough or self._is_late():
                return

    def _improve(self, bounds: dict[int, Bracket]) -> float:
        """Take bounds that are better than those known; by how much they are."""
        moved = 0.0
        for number, (low, high) in bounds.items():
            moved = max(moved, low - self.low[number], self.high[number] - high)
            self.low[number] = max(self.low[number], low)
            self.high[number] = min(self.high[number], high)
        return moved

    def _job(self, dice: tuple[int, int] | None) -> RoundJob:
        return RoundJob(
            rules=self.scores.rules,
            dice=dice,
            target=self.target,
            max_seconds=self.round_seconds,
            n_threads=None if self.executor is None else 1,
        )

    def _stakes_job(
        self, step: Step, guess: F8 | None = None, *, target: float | None = None
    ) -> RoundJob:
        """The round of a score, for what its endings are worth, by bounds or by a guess."""
        stakes = []
        for ending, follow in step.follows.items():
            low, high = follow.worth(self.low, self.high)
            middle = 0.5 * (low + high)
            if guess is not None:
                middle = follow.worth(guess, guess)[0]
            stakes.append((ending, Stake(middle, low, high)))
        return replace(
            self._job(_dice(step)),
            stakes=tuple(stakes),
            target=self.target if target is None else target,
            is_kept=guess is not None,
        )

    def _run(
        self, jobs: Sequence[tuple[T, RoundJob]], describe: Callable[[T], str]
    ) -> Iterator[tuple[T, RoundResult]]:
        """Solve rounds that do not depend on each other, and give each as soon as it is done."""
        waiting: list[tuple[T, RoundJob]] = []
        for key, job in jobs:
            found = look_up_round(self.folder, job)
            if found is None:
                waiting.append((key, job))
            else:
                self._note(found, describe(key), is_known=True)
                yield key, found
        for key, job, result in self._solve_all(waiting):
            if result.stop is StopReason.INTERRUPTED:
                self.stop = MatchStop.INTERRUPTED
                continue
            is_cut = job.max_seconds != self.round_seconds and result.stop is StopReason.TIME_LIMIT
            if not is_cut:
                write_round(self.folder, replace(job, max_seconds=self.round_seconds), result)
            self._note(result, describe(key))
            yield key, result

    def _solve_all(
        self, jobs: Sequence[tuple[T, RoundJob]]
    ) -> Iterator[tuple[T, RoundJob, RoundResult]]:
        try:
            if self.executor is None:
                for key, job in jobs:
                    if self._is_late():
                        return
                    job = replace(job, max_seconds=self._time_for_round())
                    yield key, job, solve_round(job)
                return
            yield from self._solve_aside(jobs, self.executor)
        except KeyboardInterrupt:
            self.stop = MatchStop.INTERRUPTED

    def _solve_aside(
        self, jobs: Sequence[tuple[T, RoundJob]], executor: Executor
    ) -> Iterator[tuple[T, RoundJob, RoundResult]]:
        if self._is_late():
            return
        jobs = [(key, replace(job, max_seconds=self._time_for_round())) for key, job in jobs]
        futures: dict[Future[RoundResult], tuple[T, RoundJob]] = {
            executor.submit(solve_round, job): (key, job) for key, job in jobs
        }
        left = None if self.deadline is None else max(self.deadline - perf_counter(), 0.0)
        try:
            for future in as_completed(futures, left):
                yield *futures[future], future.result()
        except TimeoutError:
            self.stop = MatchStop.TIME_LIMIT
        finally:
            for future in futures:
                future.cancel()

    def _note(self, result: RoundResult, words: str, *, is_known: bool = False) -> None:
        self.n_done += 1
        done = (None, StopReason.CONVERGED, StopReason.EXACT, StopReason.ROUNDING_LIMIT)
        self.n_solved += not is_known and result.stop is not None
        self.is_short |= result.stop not in done
        if self.on_progress is not None:
            seconds = perf_counter() - self.started
            self.on_progress(MatchProgress(self.n_done, self.n_rounds, words, seconds))

    def _is_late(self) -> bool:
        if self.stop is None and self.deadline is not None and perf_counter() >= self.deadline:
            self.stop = MatchStop.TIME_LIMIT
        return self.stop is not None

    def _time_for_round(self) -> float | None:
        if self.deadline is None:
            return self.round_seconds
        left = max(self.deadline - perf_counter(), 1e-3)
        return left if self.round_seconds is None else min(left, self.round_seconds)

    def _words_of_score(self, number: int) -> str:
        return describe_counts(self.scores.steps[number].score)


def _mix(win: float, lose: float, p: float, q: float, rounding: float) -> float:
    """What a round is worth that is won with chance p, or where losing is worth more, lost with q.

    ``p`` and ``q`` are bounds on the same side, on which ``rounding`` leads away from the middle.

    >>> _mix(0.8, 0.3, 0.4, 0.9, 0.0), _mix(0.3, 0.8, 0.4, 0.9, 0.0)
    (0.5, 0.75)
    """
    least, most = min(win, lose), max(win, lose)
    share = p if win >= lose else q
    return min(max(least + share * (most - least) + rounding, least), most)


def _dice(step: Step) -> tuple[int, int] | None:
    """Dice of the round of a score, the starter's first; None in a cup game."""
    score = step.score
    if isinstance(score, BiddingScore):
        own, other = score.dice
        return own, other
    return None


def _words_of_dice(dice: tuple[int, int] | None) -> str:
    return "the round" if dice is None else f"{dice[0]} v {dice[1]}"

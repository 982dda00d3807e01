"""Progress of a solver on standard error, if that is a terminal."""

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

    from liarsolve.matches import MatchProgress
    from liarsolve.play import HeadToHeadProgress, MatchContestProgress
    from liarsolve.play.head_to_head import ProgressCallback as ArenaProgressCallback
    from liarsolve.solvers import (
        CupCFRProgress,
        ProgressCallback,
        ProofCallback,
        ProofProgress,
        SolveProgress,
    )
    from liarsolve.solvers.cup.solve import CupProgress, CupProgressCallback

P = TypeVar("P")

_FIRST_WORDS = "starting"
_LAST_WORDS = "stopping: measuring what was reached (Ctrl-C again to do without)"


@dataclass(frozen=True, slots=True)
class _Live:
    """The line on the terminal that is being redrawn."""

    console: "Console"
    set_words: Callable[[str | None], None]
    """Show these words; with None those that it shows of itself."""


_live: list[_Live] = []


def is_live() -> bool:
    """Whether a line on the terminal is being redrawn."""
    return bool(_live)


def set_live_words(words: str | None) -> None:
    """Let the line that is being redrawn say something else; with None what it says of itself."""
    _live[-1].set_words(words)


def print_beside(text: str) -> None:
    """Print on standard error, above the line that is being redrawn if there is one."""
    if _live:
        _live[-1].console.print(text, markup=False, highlight=False, soft_wrap=True)
    else:
        print(text, file=sys.stderr)


@contextmanager
def _alive(live: _Live) -> Iterator[None]:
    _live.append(live)
    try:
        yield
    finally:
        _live.remove(live)


@contextmanager
def show_progress() -> "Iterator[ProgressCallback | None]":
    """Give the callback that draws how far the solver is; None if nobody would see it.

    The bar is drawn on a logarithmic scale, from the first certificate to the target.
    """
    start = 0.0

    def read(progress: "SolveProgress") -> tuple[float | None, str]:
        nonlocal start
        distance, share = progress.distance, None
        if distance is not None:
            start = start or distance
            share = share_done(start, distance, progress.target)
        return share, describe_progress(progress)

    with _show_bar(read) as bar, _noting_interrupts(bar):
        yield None if bar is None else bar.draw


@contextmanager
def show_cup_progress() -> "Iterator[CupProgressCallback | None]":
    """Give the callback that draws how far a cup game is solved; None if nobody would see it."""

    def read(progress: "CupProgress | CupCFRProgress") -> tuple[float | None, str]:
        # CFR, where it solves a small game of several players, does not know its share.
        return getattr(progress, "share", None), describe_cup_progress(progress)

    with _show_bar(read) as bar, _noting_interrupts(bar):
        yield None if bar is None else bar.draw


@contextmanager
def show_proof_progress() -> "Iterator[ProofCallback | None]":
    """Give the callback that draws how far a proof is; None if nobody would see it.

    A linear program cannot say how far it is, so the time goes on by itself.
    """

    def read(progress: "ProofProgress") -> tuple[float | None, str]:
        return progress.share, f"proving the value: {progress.step}"

    with _show_bar(read, first_words="proving the value", has_clock=True) as bar:
        yield None if bar is None else bar.draw


@contextmanager
def show_arena_progress() -> "Iterator[ArenaProgressCallback | None]":
    """Give the callback that draws how many deals are played; None if nobody would see it."""

    def read(progress: "HeadToHeadProgress") -> tuple[float | None, str]:
        return progress.n_played / progress.n_deals, describe_arena_progress(progress)

    with _show_bar(read, first_words="dealing") as bar:
        yield None if bar is None else bar.draw


@contextmanager
def show_contest_progress(
    names: "list[str]",
) -> "Iterator[Callable[[MatchContestProgress], None] | None]":
    """Give the callback that draws how many matches are played; None if nobody would see it."""

    def read(progress: "MatchContestProgress") -> tuple[float | None, str]:
        won = ", ".join(
            f"{name} {n_wins / progress.n_played:.0%}"
            for name, n_wins in zip(names, progress.wins, strict=True)
        )
        words = f"{progress.n_played:,} of {progress.n_matches:,} matches, {won}"
        return progress.n_played / progress.n_matches, words

    with _show_bar(read, first_words="playing") as bar:
        yield None if bar is None else bar.draw


@contextmanager
def show_match_progress() -> "Iterator[Callable[[MatchProgress], None] | None]":
    """Give the callback that draws how many rounds of a match are done; None if nobody sees it."""

    def read(progress: "MatchProgress") -> tuple[float | None, str]:
        return progress.n_done / progress.n_rounds, describe_match_progress(progress)

    with _show_bar(read, has_clock=True) as bar, _noting_interrupts(bar):
        yield None if bar is None else bar.draw


@dataclass(frozen=True)
class _Bar(Generic[P]):
    """What is drawn on the terminal."""

    draw: Callable[[P], None]
    say: Callable[[str], None]


@contextmanager
def _show_bar(
    read: Callable[[P], tuple[float | None, str]],
    *,
    first_words: str = _FIRST_WORDS,
    has_clock: bool = False,
) -> "Iterator[_Bar[P] | None]":
    """Give a bar that draws what ``read`` finds: the part that is done, and words."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn

    columns: list[ProgressColumn] = [BarColumn(bar_width=16)]
    columns.append(TextColumn("{task.description}", markup=False))
    if has_clock:
        columns.append(TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(first_words, total=None)
        description = first_words

        def say(words: str | None) -> None:
            bar.update(task, description=description if words is None else words, refresh=True)

        def draw(progress: P) -> None:
            nonlocal description
            share, description = read(progress)
            bar.update(
                task,
                total=None if share is None else 1.0,
                completed=share or 0.0,
                description=description,
            )

        with _alive(_Live(bar.console, say)):
            yield _Bar(draw, lambda text: bar.update(task, total=None, description=text))


@contextmanager
def _noting_interrupts(bar: "_Bar[P] | None") -> Iterator[None]:
    """Have Ctrl-C noted while a solver works, and say on the bar what it leads to."""
    from liarsolve.solvers.core.halt import listen

    with listen(None if bar is None else lambda: bar.say(_LAST_WORDS)):
        yield


@contextmanager
def show_status(words: str) -> Iterator[None]:
    """Show on a terminal that work goes on which cannot say how far it is."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status(words) as status:

        def say(other: str | None) -> None:
            status.update(words if other is None else other)

        with _alive(_Live(console, say)):
            yield


def share_done(start: float, now: float, target: float) -> float | None:
    """Part of the way from ``start`` down to ``target``, on a logarithmic scale.

    >>> share_done(0.1, 0.01, 0.001)
    0.5
    """
    if not start > target > 0.0:
        return None
    share = 1.0 if now <= target else math.log(start / now) / math.log(start / target)
    return min(max(share, 0.0), 1.0)


def describe_progress(progress: "SolveProgress") -> str:
    """Say in one short line how far a solver is."""
    distance = f"iteration {progress.iteration:,}"
    if progress.is_traversed:
        distance = f"{progress.distance:.1e} of {progress.target:.0e}"
    words = [distance, f"{progress.n_states:,} states", f"{progress.memory_mb:,.0f} MB"]
    if progress.seconds_left is not None:
        words.append(f"{format_seconds(progress.seconds_left)} left")
    return ", ".join(words)


def describe_cup_progress(progress: "CupProgress | CupCFRProgress") -> str:
    """Say in one short line how far a cup game is solved."""
    from liarsolve.solvers import CupCFRProgress

    if isinstance(progress, CupCFRProgress):
        return f"iteration {progress.iteration:,}, {progress.n_states:,} states"
    words = [
        f"{progress.claims_done:,} of {progress.n_claims:,} claims",
        f"{progress.n_states:,} states",
    ]
    if progress.seconds_left is not None:
        words.append(f"{format_seconds(progress.seconds_left)} left")
    return ", ".join(words)


def describe_arena_progress(progress: "HeadToHeadProgress") -> str:
    """Say in one short line how far a contest is.

    >>> from liarsolve.play import HeadToHeadProgress
    >>> describe_arena_progress(HeadToHeadProgress(500, 2000, 0.125, 10.0))
    '500 of 2,000 deals, +0.125 a round, 30 s left'
    """
    left = progress.seconds * (progress.n_deals - progress.n_played) / progress.n_played
    return (
        f"{progress.n_played:,} of {progress.n_deals:,} deals, {progress.mean:+.3f} a round, "
        f"{format_seconds(left)} left"
    )


def describe_match_progress(progress: "MatchProgress") -> str:
    """Say in one short line how many rounds of a match are done.

    >>> from liarsolve.matches import MatchProgress
    >>> describe_match_progress(MatchProgress(3, 25, "2 v 1", 10.0))
    '3 of 25 rounds, last 2 v 1'
    """
    return f"{progress.n_done:,} of {progress.n_rounds:,} rounds, last {progress.words}"


def format_seconds(seconds: float) -> str:
    """Write a duration with the unit that suits it.

    >>> [format_seconds(x) for x in (0.042, 3.21, 75, 600, 9000)]
    ['0.04 s', '3.2 s', '75 s', '10 min', '2.5 h']
    """
    if seconds < 1:
        return f"{seconds:.2f} s"
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"

"""What came out of a contest, as ``liarsolve arena`` prints it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from liarsolve.cli._progress import format_seconds
from liarsolve.cli.bidding.certificate import describe_round
from liarsolve.rules import OutcomeKind

if TYPE_CHECKING:
    from rich.table import Table

    from liarsolve.play import ExpectedResult, HeadToHead, Interval
    from liarsolve.rules import Round

_ENDINGS = {
    OutcomeKind.BIDDER_LOSES: "challenged, and the bid was false",
    OutcomeKind.CHALLENGER_LOSES: "challenged, and the bid was true",
    OutcomeKind.EXACT_RIGHT: "called exact, and right",
    OutcomeKind.EXACT_WRONG: "called exact, and wrong",
}


def show_contest(
    round_: "Round",
    names: Sequence[str],
    result: "HeadToHead",
    computed: "ExpectedResult | None" = None,
    *,
    seed: int,
    seconds: float,
) -> None:
    """Print who met whom, what came out in every seat, and how the rounds ended."""
    from rich.console import Console

    challenger, rival = names
    is_pair = round_.n_players == 2
    others = f"{rival} in the other seat" + ("" if is_pair else "s")
    print(f"{describe_round(round_)}\n{challenger} against {others}\n")
    challenger = Path(challenger).name or challenger  # folders may be named at length
    rows = [
        ("utility", f"{describe_interval(result.utility)} a round"),
        *([] if computed is None else [("computed", describe_computed(computed))]),
        ("verdict", describe_verdict(result, challenger)),
        ("won", f"{result.win_share:.1%} of {result.n_rounds:,} rounds"),
        ("deals", _describe_deals(result, seed, seconds)),
    ]
    for heading, text in rows:
        print(heading.ljust(16) + text)
    console = Console(highlight=False)
    print()
    console.print(seat_table(round_, result, challenger))
    console.print(ending_table(result, challenger))


def describe_interval(interval: "Interval") -> str:
    """Write a mean and the interval around it.

    >>> from liarsolve.play import Interval
    >>> describe_interval(Interval(0.0812, 0.0531, 0.1093))
    '+0.0812 (+0.0531 to +0.1093)'
    """
    mean, lo, hi = (f"{x + 0.0:+.4f}" for x in (interval.mean, interval.lo, interval.hi))
    return f"{mean} ({lo} to {hi})"


def describe_computed(computed: "ExpectedResult") -> str:
    """Write what was computed, and how far off it may be.

    >>> from liarsolve.play import ExpectedResult
    >>> describe_computed(ExpectedResult((0.25, -0.125), (2e-6, 4e-6), 1000))
    '+0.06250 a round, within 3e-06, over all dice'
    """
    return f"{computed.utility:+.5f} a round, within {computed.remainder:.1g}, over all dice"


def describe_verdict(result: "HeadToHead", challenger: str) -> str:
    """Say what the interval says."""
    percent = f"{100 * result.confidence:g} %"
    if result.utility.lo > 0.0:
        return f"{challenger} is ahead, at {percent} confidence"
    if result.utility.hi < 0.0:
        return f"{challenger} is behind, at {percent} confidence"
    return f"too close to tell at {percent} confidence"


def seat_table(round_: "Round", result: "HeadToHead", challenger: str) -> "Table":
    """What the challenger got in every seat."""
    from rich import box
    from rich.table import Table

    table = Table(title=f"What {challenger} gets a round", title_justify="left", box=box.SIMPLE)
    for heading in ("seat", "dice", "mean", "from", "to"):
        table.add_column(heading, justify="right")
    for seat, (n_dice, interval) in enumerate(zip(round_.dice, result.seats, strict=True), 1):
        numbers = (f"{x + 0.0:+.4f}" for x in (interval.mean, interval.lo, interval.hi))
        table.add_row(f"{seat}", f"{n_dice}", *numbers)
    return table


def ending_table(result: "HeadToHead", challenger: str) -> "Table":
    """How the rounds ended, and how those that a call of the challenger ended."""
    from rich import box
    from rich.table import Table

    table = Table(title="How the rounds ended", title_justify="left", box=box.SIMPLE)
    table.add_column("ending")
    table.add_column("rounds", justify="right")
    table.add_column(f"by a call of {challenger}", justify="right")
    for kind, count in result.endings.items():
        table.add_row(_ENDINGS[kind], f"{count:,}", f"{result.own_calls.get(kind, 0):,}")
    return table


def _describe_deals(result: "HeadToHead", seed: int, seconds: float) -> str:
    words = f"{result.n_deals:,} from each of {len(result.seats)} seats, seed {seed}"
    words += f", {format_seconds(seconds)}"
    return words + (" (interrupted)" if result.is_interrupted else "")

"""What came out of a contest, as ``liarsolve arena`` prints it."""

from pathlib import Path
from typing import TYPE_CHECKING

from liarsolve.cli._page import page_width, print_text, show_table
from liarsolve.cli._progress import format_seconds
from liarsolve.cli.bidding.certificate import describe_round, format_exploitability
from liarsolve.cli.cup.arguments import name_items
from liarsolve.rules import CupOutcomeKind, CupRound, OutcomeKind, Round

if TYPE_CHECKING:
    from rich.table import Table

    from liarsolve.cli._arena_contest import Contest
    from liarsolve.play import ExpectedResult, HeadToHead, Interval
    from liarsolve.play.head_to_head import EndingKind
    from liarsolve.strategy import BiddingSolution, CupSolution

_HEADING = 16
_ROOMY = 50
"""Columns from which the table of seats has room between its numbers."""
_ENDINGS: "dict[EndingKind, str]" = {
    OutcomeKind.BIDDER_LOSES: "challenged, and the bid was false",
    OutcomeKind.CHALLENGER_LOSES: "challenged, and the bid was true",
    OutcomeKind.EXACT_RIGHT: "called exact, and right",
    OutcomeKind.EXACT_WRONG: "called exact, and wrong",
    CupOutcomeKind.CLAIMANT_LOSES: "challenged, and the claim was false",
    CupOutcomeKind.CHALLENGER_LOSES: "challenged, and the claim was true",
    CupOutcomeKind.CONCEDED: "the highest claim was conceded",
    CupOutcomeKind.TOP_MADE: "the highest claim was accepted, and the hand made",
    CupOutcomeKind.TOP_MISSED: "the highest claim was accepted, and the hand missed",
}


def show_contest(
    contest: "Contest",
    result: "HeadToHead",
    computed: "ExpectedResult | None" = None,
    *,
    seed: int,
    seconds: float,
) -> None:
    """Print who met whom, what came out in every seat, and how the rounds ended."""
    game, (challenger, rival) = contest.game, contest.names
    others = f"{rival} in the other seat" + ("" if game.n_players == 2 else "s")
    print_text(describe_table(game))
    print_text(f"{challenger} against {others}")
    print()
    challenger = Path(challenger).name or challenger  # folders may be named at length
    solved = contest.solved
    rows = [
        ("utility", f"{describe_interval(result.utility)} a round"),
        *([] if computed is None else [("computed", describe_computed(computed))]),
        ("verdict", describe_verdict(result, challenger)),
        (
            "won" if len(result.seats) == 2 else "not lost",
            f"{result.win_share:.1%} of {result.n_rounds:,} rounds",
        ),
        ("deals", _describe_deals(result, seed, seconds)),
        *([] if solved is None else [("strategy", describe_solved(solved))]),
    ]
    for heading, text in rows:
        print_text(text, initial_indent=heading.ljust(_HEADING), subsequent_indent=" " * _HEADING)
    print()
    show_table(seat_table(game, result, challenger))
    show_table(ending_table(result, challenger))


def describe_table(game: "Round | CupRound") -> str:
    """Name rules, dice and players in one line.

    >>> from liarsolve.rules import presets
    >>> describe_table(CupRound(presets.MIA, 3))
    'mia: 2 dice under one cup, 21 claims, 3 players'
    """
    if isinstance(game, Round):
        return describe_round(game)
    items = name_items(game.rules, game.rules.equipment.n_items)
    n_claims = len(game.rules.claims)
    return f"{game.rules.name}: {items} under one cup, {n_claims} claims, {game.n_players} players"


def describe_solved(solution: "BiddingSolution | CupSolution") -> str:
    """Say how good the strategy is that was solved on the spot."""
    name, measured = "exploitability", solution.exploitability
    if measured is None:
        name, measured = "nash_conv", solution.nash_conv
    if measured is None:
        return f"how good it is was not measured, {format_seconds(solution.seconds)}"
    return f"{name} {format_exploitability(measured)} or less, {format_seconds(solution.seconds)}"


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


def seat_table(game: "Round | CupRound", result: "HeadToHead", challenger: str) -> "Table":
    """What the challenger got in every seat."""
    from rich import box
    from rich.table import Table

    table = Table(
        title=f"What {challenger} gets a round",
        title_justify="left",
        box=box.SIMPLE,
        padding=(0, 1) if page_width() >= _ROOMY else 0,
    )
    dice = game.dice if isinstance(game, Round) else None
    for heading in ("seat", *([] if dice is None else ["dice"]), "mean", "from", "to"):
        table.add_column(heading, justify="right", no_wrap=True)
    for seat, interval in enumerate(result.seats):
        n_dice = [] if dice is None else [f"{dice[seat]}"]
        numbers = (f"{x + 0.0:+.4f}" for x in (interval.mean, interval.lo, interval.hi))
        table.add_row(f"{seat + 1}", *n_dice, *numbers)
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

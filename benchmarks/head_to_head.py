"""Strategies with imperfect recall at the table: ``python benchmarks/head_to_head.py``.

Solves each round for players who remember three bids and for players who remember one, and lets
the first meet the second, the probability player and the honest one over paired deals; the second
meets the probability player too. ``--recalls 2,1`` and ``--max-jump 12`` choose other abstractions.
Between two strategies the result is computed too, over all dice. ``--loss`` measures at two dice
each what strategies with imperfect recall lose to a certified one, beside what they lose by
computation.
``--tables`` seats a strategy among three ready players.

    python benchmarks/head_to_head.py --rules common,perudo --dice 3,3 --seconds 600
    python benchmarks/head_to_head.py --folder strategies --deals 10000
    python benchmarks/head_to_head.py --loss --deals 20000
    python benchmarks/head_to_head.py --tables --seconds 1200

With ``--folder`` strategies are read from there if they are there, and saved there if not; the one
of five dice each under common with recall 3 is ``common-5-5-recall3``.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from games import describe_machine

from liarsolve import BiddingSolution, MaxJump, Recall, expected_result, head_to_head, load, solve
from liarsolve.cli._rule_arguments import parse_dice
from liarsolve.game import Abstraction
from liarsolve.play import (
    HeadToHead,
    HonestPlayer,
    ProbabilityPlayer,
    RandomPlayer,
    StrategyPlayer,
)
from liarsolve.play.bidding.players import PlayerLike
from liarsolve.rules import get_preset

CERTIFIED_TARGET = 1e-3
WIDTHS = (26, 11, 12, 21, 9, 28, 7, 7, 6)
HEADINGS = (
    "game",
    "challenger",
    "rival",
    "computed",
    "measured",
    "interval",
    "won",
    "deals",
    "s",
)


class Bench:
    """The arguments, and how they make strategies and contests."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args

    def abstraction(self, recall: int) -> Abstraction:
        """What players leave out of account who remember so many bids."""
        max_jump = self.args.max_jump
        return Recall(recall) if max_jump is None else Recall(recall) & MaxJump(max_jump)

    def solution(self, rules: str, dice: tuple[int, ...], recall: int | None) -> BiddingSolution:
        """Load a strategy, or solve for it and save it."""
        name = f"{rules}-{'-'.join(map(str, dice))}"
        if recall is not None:
            parts = self.abstraction(recall).parts
            name += "".join(f"-{part.replace('_', '-')}{value}" for part, value in parts.items())
        folder = None if self.args.folder is None else Path(self.args.folder) / name
        if folder is not None and folder.exists():
            solution = load(folder)
            assert isinstance(solution, BiddingSolution)
        elif recall is None:
            solution = solve(get_preset(rules), dice, target=CERTIFIED_TARGET)
        else:
            solution = solve(
                get_preset(rules),
                dice,
                abstraction=self.abstraction(recall),
                target=0,
                max_seconds=self.args.seconds,
            )
        print(f"{name}: {solution.iterations:,} iterations in {solution.seconds:.0f} s", flush=True)
        if folder is not None and not folder.exists():
            solution.save(folder)
        return solution

    def contest(
        self, dice: Sequence[int], game: str, names: tuple[str, str], *players: PlayerLike
    ) -> None:
        """Play two against each other, and print the row."""
        challenger, rival = players
        assert isinstance(challenger, BiddingSolution)
        computed = ""
        if isinstance(rival, BiddingSolution) and len(dice) == 2:
            exact = expected_result(challenger, rival, threshold=self.args.threshold)
            computed = f"{exact.utility:+.5f} +- {exact.remainder:.1e}"
        started = perf_counter()
        result = head_to_head(
            challenger.rules,
            challenger,
            rival,
            dice=dice,
            n_deals=self.args.deals,
            rng=self.args.seed,
            confidence=self.args.confidence,
        )
        print_row((game, *names, computed, *describe(result), f"{perf_counter() - started:.0f}"))


def describe(result: HeadToHead) -> tuple[str, ...]:
    """What was measured, as cells of a row."""
    mean = result.utility
    return (
        f"{mean.mean:+.4f}",
        f"{mean.lo:+.4f} to {mean.hi:+.4f} ({100 * result.confidence:g} %)",
        f"{result.win_share:.1%}",
        f"{result.n_deals:,}",
    )


def print_row(cells: Sequence[str]) -> None:
    """Print one line of the table, at once."""
    first, *others = cells
    rest = (cell.rjust(width) for cell, width in zip(others, WIDTHS[1:], strict=True))
    print(first.ljust(WIDTHS[0]), *rest, flush=True)


def games(args: argparse.Namespace, default: str) -> Iterator[tuple[str, tuple[int, ...], str]]:
    """Rules, dice and name of every game that was asked for."""
    for text in (args.dice or default).split():
        dice = parse_dice(text)
        for rules in args.rules.split(","):
            yield rules, dice, f"{rules} {' '.join(map(str, dice))}"


def run_pairs(bench: Bench) -> None:
    """One strategy with imperfect recall against another and ready players, two at the table."""
    for rules, dice, game in games(bench.args, "3,3 5,5"):
        more, less = map(int, bench.args.recalls.split(","))
        first, second = (bench.solution(rules, dice, recall) for recall in (more, less))
        names = f"recall {more}", f"recall {less}"
        print_row(HEADINGS)
        bench.contest(dice, game, names, first, second)
        bench.contest(dice, game, (names[0], "probability"), first, ProbabilityPlayer())
        bench.contest(dice, game, (names[0], "honest"), first, HonestPlayer())
        bench.contest(dice, game, (names[1], "probability"), second, ProbabilityPlayer())


def run_losses(bench: Bench) -> None:
    """What strategies with imperfect recall lose to a certified one."""
    for rules, dice, game in games(bench.args, "2,2"):
        certified = bench.solution(rules, dice, None)
        coarse = {recall: bench.solution(rules, dice, recall) for recall in (1, 2, 3)}
        print_row(HEADINGS)
        for recall, solution in coarse.items():
            bench.contest(dice, game, (f"recall {recall}", "certified"), solution, certified)


def run_tables(bench: Bench) -> None:
    """One strategy in each of four seats in turn, ready players in the others."""
    for rules, dice, game in games(bench.args, "5,5,5,5"):
        solution = bench.solution(rules, dice, bench.args.recall)
        name = f"recall {bench.args.recall}"
        print_row(HEADINGS)
        bench.contest(dice, game, (name, "probability"), solution, ProbabilityPlayer())
        bench.contest(dice, game, (name, "honest"), solution, HonestPlayer())
        bench.contest(dice, game, (name, "random"), solution, RandomPlayer())
        print_seats(bench, dice, solution)


def print_seats(bench: Bench, dice: tuple[int, ...], solution: BiddingSolution) -> None:
    """What the strategy gets in every seat among probability players."""
    result = head_to_head(
        solution.rules,
        StrategyPlayer(solution),
        ProbabilityPlayer(),
        dice=dice,
        n_deals=bench.args.deals,
        rng=bench.args.seed,
        confidence=bench.args.confidence,
    )
    for seat, interval in enumerate(result.seats, 1):
        print(f"  seat {seat}: {interval.mean:+.4f} ({interval.lo:+.4f} to {interval.hi:+.4f})")


def main() -> None:
    """Read the arguments, solve, play, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="common", help="presets, as in common,perudo (common)")
    parser.add_argument("--dice", help="sizes, as in '3,3 5,5' (those two; 2,2; 5,5,5,5)")
    parser.add_argument("--seconds", type=float, default=300.0, help="of each solve (300)")
    parser.add_argument("--recalls", default="3,1", help="of challenger and rival (3,1)")
    parser.add_argument("--max-jump", type=int, help="cap on the jumps of both (none)")
    parser.add_argument("--deals", type=int, default=5000, help="of each contest (5000)")
    parser.add_argument("--seed", type=int, default=0, help="of the contests (0)")
    parser.add_argument("--confidence", type=float, default=0.95, help="of the intervals (0.95)")
    parser.add_argument("--threshold", type=float, default=1e-7, help="of computed results (1e-7)")
    parser.add_argument("--folder", help="where strategies are kept")
    parser.add_argument("--loss", action="store_true", help="measure losses at two dice each")
    parser.add_argument("--tables", action="store_true", help="four players")
    parser.add_argument("--recall", type=int, default=1, help="of the strategy among four (1)")
    args = parser.parse_args()
    print(describe_machine())
    bench = Bench(args)
    if args.loss:
        run_losses(bench)
    elif args.tables:
        run_tables(bench)
    else:
        run_pairs(bench)


if __name__ == "__main__":
    main()

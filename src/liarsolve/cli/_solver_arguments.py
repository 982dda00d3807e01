"""Arguments that the commands share which solve a round: the game, and when to stop."""

import argparse
import re
from typing import TYPE_CHECKING, Any

from liarsolve.cli._rule_arguments import add_rule_arguments, parse_dice
from liarsolve.errors import InputError, StorageError

if TYPE_CHECKING:
    from liarsolve.game import Abstraction
    from liarsolve.rules import RuleSet
    from liarsolve.solvers import ProgressCallback
    from liarsolve.strategy import Solution

_SIZE_PATTERN = re.compile(r"([0-9]*\.?[0-9]+) *([kmgt])(i?)b", re.IGNORECASE)

_ABSTRACTION_FLAGS = ("recall", "max_jump", "similar_hands")
_SOLVER_FLAGS = (
    "target",
    "max_iterations",
    "max_seconds",
    "max_memory",
    "variant",
    *_ABSTRACTION_FLAGS,
)


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """Add rules, dice and payoffs."""
    add_rule_arguments(parser)
    parser.add_argument(
        "--dice", metavar="A,B", help="dice of each player, the first bidder's first, as in 2,1"
    )
    parser.add_argument(
        "--palifico", action="store_true", help="a palifico round, in which no face is wild"
    )
    parser.add_argument(
        "--exact-payoff",
        metavar="WIN,LOSE",
        help="what a right exact call wins and a wrong one costs (default: 1,1)",
    )


def add_limit_arguments(
    parser: argparse.ArgumentParser,
    *,
    target: str,
    max_seconds: str = "no limit",
    max_memory: str = "four fifths of the machine's",
) -> None:
    """Add the target and the limits, with their defaults in words."""
    parser.add_argument(
        "--target",
        type=float,
        metavar="X",
        help="stop at this certified exploitability, in utility per round; with more than two "
        f"players at this nash_conv (default: {target})",
    )
    parser.add_argument("--max-iterations", type=int, metavar="N", help="stop there in any case")
    parser.add_argument(
        "--max-seconds",
        type=float,
        metavar="S",
        help=f"stop there in any case (default: {max_seconds})",
    )
    parser.add_argument(
        "--max-memory",
        metavar="SIZE",
        help=f"memory of the solver's trees, such as 4GB or 500MB (default: {max_memory})",
    )
    parser.add_argument(
        "--variant",
        metavar="NAME",
        help="cfr, cfr+, linear, discounted or predictive+ (default: discounted, and predictive+ "
        "with more than two players)",
    )
    parser.add_argument(
        "--recall",
        type=int,
        metavar="K",
        help="let players remember the last K bids only, which brings five dice each within reach; "
        "what that costs in the true game is measured where it can be",
    )
    parser.add_argument(
        "--max-jump",
        type=int,
        metavar="J",
        help="let players think of the first J legal raises only, which makes large rounds smaller "
        "still; others may raise further all the same, also in the measurement",
    )
    parser.add_argument(
        "--similar-hands",
        type=int,
        metavar="N",
        help="let players tell hands apart only by the dice that match the standing bid and the "
        "next N legal ones, which makes strategies smaller",
    )


def refuse_solver_arguments(args: argparse.Namespace, reason: str) -> None:
    """Raise `InputError` if an argument was given that only iterating makes use of."""
    for name in _SOLVER_FLAGS:
        if getattr(args, name) is not None:
            raise InputError(f"{reason}, so --{name.replace('_', '-')} would do nothing")


def refuse_abstractions(args: argparse.Namespace, reason: str) -> None:
    """Raise `InputError` if an argument was given by which players leave something out."""
    for name in _ABSTRACTION_FLAGS:
        if getattr(args, name) is not None:
            raise InputError(
                f"{reason}, so --{name.replace('_', '-')} and --prove do not go together"
            )


def refuse_game_arguments(args: argparse.Namespace, reason: str) -> None:
    """Raise `InputError` if an argument was given that says which game to solve, or how."""
    for name in ("dice", "faces", "exact_payoff", "variant", *_ABSTRACTION_FLAGS, "checkpoint"):
        if getattr(args, name) is not None:
            raise InputError(f"{reason}, so --{name.replace('_', '-')} would do nothing")
    if args.set_options or args.palifico:
        flag = "--set" if args.set_options else "--palifico"
        raise InputError(f"{reason}, so {flag} would do nothing")


def require_dice(args: argparse.Namespace, *, most_players: int = 6) -> tuple[int, ...]:
    """Read ``--dice``, the number of each player.

    Raises
    ------
    InputError
        If it is missing, or not the dice of so many players.
    """
    if args.dice is None:
        raise InputError("say how many dice each player has, such as --dice 2,1")
    dice = parse_dice(args.dice)
    if not 2 <= len(dice) <= most_players:
        players = "two players" if most_players == 2 else f"two to {most_players} players"
        raise InputError(
            f"--dice takes a number for each of {players}, such as 2,1, got {args.dice}"
        )
    return dice


def parse_exact_payoff(text: str | None) -> tuple[float, float]:
    """Read what an exact call pays.

    Raises
    ------
    InputError
        If the text is not two numbers.

    >>> parse_exact_payoff("2,1"), parse_exact_payoff(None)
    ((2.0, 1.0), (1.0, 1.0))
    """
    if text is None:
        return 1.0, 1.0
    try:
        win, lose = (float(word) for word in text.split(","))
    except ValueError:
        raise InputError(f"--exact-payoff is WIN,LOSE, such as 2,1, got {text!r}") from None
    return win, lose


def parse_memory(text: str) -> float:
    """Read a size with its unit, in bytes.

    Raises
    ------
    InputError
        If the text is not a number with a unit.

    >>> parse_memory("1.5GB"), parse_memory("2 GiB") == 2 * 2**30
    (1500000000.0, True)
    """
    match = _SIZE_PATTERN.fullmatch(text.strip())
    if match is None:
        raise InputError(f"--max-memory is a size such as 4GB or 500MB, got {text!r}")
    power = "kmgt".index(match[2].lower()) + 1
    return float(match[1]) * float((1024 if match[3] else 1000) ** power)


def abstraction_from(args: argparse.Namespace) -> "Abstraction | None":
    """Read what the arguments let players leave out of account; None if nothing."""
    from liarsolve.game import Abstraction

    return Abstraction.from_dict({name: getattr(args, name) for name in _ABSTRACTION_FLAGS})


def solve_from(
    args: argparse.Namespace,
    rules: "RuleSet",
    dice: tuple[int, ...],
    *,
    target: float,
    max_seconds: float | None = None,
    max_memory: float | None = None,
    suggested: "Abstraction | None" = None,
    on_progress: "ProgressCallback | None" = None,
) -> "Solution":
    """Solve a round as the arguments ask for, with defaults for what they do not say."""
    from liarsolve.strategy import solve

    options: dict[str, Any] = {} if args.variant is None else {"variant": args.variant}
    abstraction = abstraction_from(args) or suggested
    if abstraction is not None:
        options["abstraction"] = abstraction
    if getattr(args, "checkpoint", None) is not None:
        options |= {"checkpoint": args.checkpoint, **_checkpoint_seconds(args)}
    return solve(
        rules,
        dice,
        target=target if args.target is None else args.target,
        max_iterations=args.max_iterations,
        max_seconds=max_seconds if args.max_seconds is None else args.max_seconds,
        max_memory=max_memory if args.max_memory is None else parse_memory(args.max_memory),
        exact_payoff=parse_exact_payoff(args.exact_payoff),
        palifico=args.palifico,
        on_progress=on_progress,
        **options,
    )


def resume_from(
    args: argparse.Namespace, *, on_progress: "ProgressCallback | None" = None
) -> "Solution":
    """Go on from the checkpoint that the arguments name, with the limits that they give anew."""
    from liarsolve.strategy import resume
    from liarsolve.strategy.checkpoints import list_checkpoints

    limits: dict[str, Any] = {
        name: getattr(args, name)
        for name in ("target", "max_iterations", "max_seconds")
        if getattr(args, name) is not None
    }
    if args.max_memory is not None:
        limits["max_memory"] = parse_memory(args.max_memory)
    options: dict[str, Any] = limits | _checkpoint_seconds(args)
    try:
        return resume(args.resume, on_progress=on_progress, **options)
    except StorageError as error:
        if list_checkpoints(args.resume):  # it is there, so the disk or the file is at fault
            raise
        raise InputError(str(error)) from error


def _checkpoint_seconds(args: argparse.Namespace) -> dict[str, Any]:
    given = args.checkpoint_seconds
    return {} if given is None else {"checkpoint_seconds": given}

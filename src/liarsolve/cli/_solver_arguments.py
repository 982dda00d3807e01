"""Arguments that the commands share which solve a round: the game, and when to stop."""

import argparse
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from liarsolve.cli._progress import format_seconds
from liarsolve.cli._rule_arguments import add_rule_arguments, parse_dice, rules_from
from liarsolve.errors import InputError, LiarsolveError, StorageError

if TYPE_CHECKING:
    from liarsolve.game import Abstraction
    from liarsolve.rules import RuleSet
    from liarsolve.solvers import ProgressCallback
    from liarsolve.strategy import BiddingSolution
    from liarsolve.strategy.checkpoints import StoredSolve

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
        if most_players == 2 and len(dice) > 2:
            raise InputError(
                f"--exact and --prove are about two players, such as --dice 2,1, got {args.dice}"
            )
        raise InputError(
            f"--dice takes a number for each of two to {most_players} players, such as 2,1, got "
            f"{args.dice}"
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
) -> "BiddingSolution":
    """Solve a round as the arguments ask for, with defaults for what they do not say."""
    from liarsolve.strategy import solve

    options: dict[str, Any] = {} if args.variant is None else {"variant": args.variant}
    abstraction = abstraction_from(args) or suggested
    if abstraction is not None:
        options["abstraction"] = abstraction
    if getattr(args, "refine", False):
        options["refine"] = True
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


def open_checkpoint(args: argparse.Namespace) -> "StoredSolve":
    """Read the checkpoint that ``--resume`` names, for the game that the arguments name, if any.

    Raises
    ------
    InputError
        If there is none, or the arguments say something else than it.
    """
    from liarsolve.strategy.checkpoints import list_checkpoints, read_checkpoint

    try:
        is_there = bool(list_checkpoints(args.resume))
    except StorageError as error:
        raise InputError(str(error)) from error
    if not is_there:
        raise InputError(f"there is no checkpoint in {args.resume!r}")
    stored = read_checkpoint(args.resume)  # if it fails, the disk or the file is at fault
    if args.checkpoint is not None:
        raise InputError("--resume goes on writing to its folder, so --checkpoint would do nothing")
    _refuse_contradictions(args, stored)
    return stored


def _refuse_contradictions(args: argparse.Namespace, stored: "StoredSolve") -> None:
    """Raise `InputError` if an argument says something else than the checkpoint."""
    from liarsolve.game import Payoffs
    from liarsolve.strategy.loading import round_from

    round_, payoffs = round_from(stored.settings)

    def compare(flag: str, given: object, own: object) -> None:
        if given != own:
            raise InputError(
                f"the checkpoint in {args.resume} says something else than {flag}: it holds "
                f"{describe_stored(stored)}; leave {flag} out, or resume another"
            )

    has_name = args.rules is not None
    if has_name or args.set_options or args.faces is not None:
        flag = "--rules" if has_name else "--faces" if args.faces is not None else "--set"
        rules = rules_from(args, preset=None if has_name else round_.rules)
        compare(flag, _options_of(rules), _options_of(round_.rules))
    if args.dice is not None:
        compare("--dice", parse_dice(args.dice), round_.dice)
    if args.palifico:
        compare("--palifico", True, round_.palifico)
    if args.exact_payoff is not None:
        payoff = parse_exact_payoff(args.exact_payoff)
        compare("--exact-payoff", Payoffs.for_exact_call(payoff), payoffs)
    if args.variant is not None:
        compare("--variant", args.variant, stored.settings["limits"]["variant"])
    own = stored.settings["abstraction"] or {}
    for name in _ABSTRACTION_FLAGS:
        if getattr(args, name) is not None:
            compare(f"--{name.replace('_', '-')}", getattr(args, name), own.get(name))


def _options_of(rules: "RuleSet") -> dict[str, object]:
    """What rules say, whatever they are called."""
    return {name: value for name, value in rules.to_dict().items() if name != "name"}


def describe_stored(stored: "StoredSolve") -> str:
    """Say in words what a checkpoint holds."""
    settings = stored.settings
    dice = ",".join(map(str, settings["dice"]))
    words = f"{settings['rules'].get('name', 'a round')} with dice {dice}"
    return words if stored.abstraction is None else f"{words}, {stored.abstraction}"


def describe_limits(stored: "StoredSolve", args: argparse.Namespace) -> str:
    """Say from where a solve goes on, and until when, by its own limits and those given anew."""
    limits = stored.limits
    noun = "iteration" if stored.iteration == 1 else "iterations"
    words = (
        f"going on with {describe_stored(stored)} after {stored.iteration:,} {noun} and "
        f"{format_seconds(stored.seconds)}, to a target of "
        f"{limits.target if args.target is None else args.target:g}"
    )
    for name, unit in (("max_iterations", ""), ("max_seconds", " s")):
        value, given = getattr(limits, name), getattr(args, name)
        flag = f"--{name.replace('_', '-')}"
        if given is not None:
            words += f"; {flag} {given:.4g}{unit} from now on"
        elif value is not None and stored.spent == name:
            words += f"; {flag} {value:.4g}{unit} is spent and limits nothing any more"
        elif value is not None:
            words += f"; {flag} {value:.4g}{unit} in all, as before"
    return words


def resume_from(
    args: argparse.Namespace, *, on_progress: "ProgressCallback | None" = None
) -> "BiddingSolution":
    """Go on from the checkpoint that the arguments name, with the limits that they give anew."""
    from liarsolve.strategy import resume

    limits: dict[str, Any] = {
        name: getattr(args, name)
        for name in ("target", "max_iterations", "max_seconds")
        if getattr(args, name) is not None
    }
    if args.max_memory is not None:
        limits["max_memory"] = parse_memory(args.max_memory)
    options: dict[str, Any] = limits | _checkpoint_seconds(args)
    return resume(args.resume, on_progress=on_progress, **options)


_OPTION_WORDS = {
    "max_iterations": "--max-iterations",
    "max_seconds": "--max-seconds",
    "round_seconds": "--round-seconds",
    "max_memory": "--max-memory",
    "target is an exploitability": "--target is an exploitability",
    "target 0 is": "--target 0 is",
    "target is a number": "--target is a number",
    "jumps of up to 1 or more": "--max-jump 1 or more",
    "hands by the next 1 or more": "--similar-hands 1 or more",
    "recall 1 or more": "--recall 1 or more",
    "exact_payoff": "--exact-payoff",
    "raise min_reach": "raise --min-reach",
    "checkpoint_seconds": "--checkpoint-seconds",
    "use solve_exact": "use --exact",
    "an abstraction such as Recall(1)": "--recall 1",
    "refine": "--refine",
}
_OPTION_PATTERN = re.compile("|".join(rf"(?<![\w-]){re.escape(w)}(?!\w)" for w in _OPTION_WORDS))


def speak_of_options(text: str) -> str:
    """Put the options of the command line for the arguments of the library.

    >>> speak_of_options("take fewer dice, or raise max_memory")
    'take fewer dice, or raise --max-memory'
    """
    return _OPTION_PATTERN.sub(lambda match: _OPTION_WORDS[match[0]], text)


@contextmanager
def options_in_errors() -> Iterator[None]:
    """Let errors from inside speak of options."""
    try:
        yield
    except LiarsolveError as error:
        error.args = tuple(speak_of_options(str(part)) for part in error.args)
        raise


@contextmanager
def checkpoint_warnings() -> Iterator[list[str]]:
    """Print the first warning about a checkpoint as a sentence, and collect all of them."""
    from liarsolve.strategy.checkpoints import CheckpointWarning

    found: list[str] = []

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, CheckpointWarning):
            found.append(str(message))
            print(f"liarsolve solve: {message}", file=sys.stderr)
        else:
            others(message, category, filename, lineno, file, line)

    with warnings.catch_warnings():
        warnings.simplefilter("always", CheckpointWarning)
        others, warnings.showwarning = warnings.showwarning, show
        yield found


def _checkpoint_seconds(args: argparse.Namespace) -> dict[str, Any]:
    given = args.checkpoint_seconds
    return {} if given is None else {"checkpoint_seconds": given}

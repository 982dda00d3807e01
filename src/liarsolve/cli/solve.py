"""The command ``liarsolve solve``: an equilibrium strategy with a certificate."""

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from liarsolve.cli._json import print_json, report_solution
from liarsolve.cli._output import print_remark
from liarsolve.cli._page import print_text, show_table
from liarsolve.cli._progress import show_progress, show_proof_progress
from liarsolve.cli._rule_arguments import rules_from
from liarsolve.cli._saved import describe_saved
from liarsolve.cli._solver_arguments import (
    abstraction_from,
    add_game_arguments,
    add_limit_arguments,
    checkpoint_warnings,
    describe_limits,
    open_checkpoint,
    options_in_errors,
    parse_exact_payoff,
    parse_memory,
    refuse_abstractions,
    refuse_solver_arguments,
    require_dice,
    resume_from,
    solve_from,
)
from liarsolve.cli.bidding.certificate import certificate_rows, describe_game
from liarsolve.cli.bidding.opening import opening_table
from liarsolve.cli.cup.arguments import add_players_argument, is_cup_preset
from liarsolve.cli.cup.solve import (
    check_cup_arguments,
    print_cup_json,
    show_cup,
    solve_cup_from,
)
from liarsolve.errors import InputError, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.table import Table

    from liarsolve.rules import RuleSet
    from liarsolve.strategy import BiddingSolution, Solution

_RULES = "liars_dice"
_TARGET = 1e-3
_PROOF_TARGET = 1e-9
"""With ``--prove``: strategies must be optimal but for rounding."""

_EPILOG = """\
examples:
  liarsolve solve --rules common --dice 2,1 --target 1e-4
  liarsolve solve --rules perudo --dice 1,1 --exact --prove
  liarsolve solve --rules snyd --dice 2,1 --prove
  liarsolve solve --dice 2,2 --max-seconds 60 --out two-each
  liarsolve solve --dice 3,2 --target 5e-3 --checkpoint long --out three-two
  liarsolve solve --resume long --out three-two
  liarsolve solve --rules perudo --dice 1,1,1 --target 1e-4
  liarsolve solve --dice 5,5 --recall 3 --max-seconds 3600 --checkpoint hour
  liarsolve solve --dice 3,3 --recall 2 --refine --max-seconds 600 --out three
  liarsolve solve --rules doubtful_dice --out doubtful
  liarsolve solve --rules mia
  liarsolve solve --rules mia --players 4

Values are those of the first bidder: +1 for a round won, -1 for one lost.
The exploitability is what the strategies lose on average to a perfect opponent;
it is proved by exact best responses. With three to six players the loser pays 1,
which the others share; every seat has its value by these strategies then, and
nash_conv is the sum of what each could gain by a best response: it is measured,
and may stay above the target. A limit that comes first is no failure: the
strategy and its certificate are printed. After Ctrl-C they are too, with exit
status 1. Cup games (classic, mia and others that `liarsolve rules` lists) are
solved claim by claim from the highest down; of the options only --players,
--target, --max-seconds and --exact are for them, and no --dice."""

_ADVICE_MEMORY = 4e9
_HEADING = 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    add_game_arguments(parser)
    add_players_argument(parser)
    parser.set_defaults(rules=None)  # so that --resume knows whether they were named
    add_limit_arguments(parser, target=f"{_TARGET:g}")
    parser.add_argument(
        "--refine",
        action="store_true",
        help="with --recall: let two players remember every bid of those sequences by which best "
        "responses gain most from what they forget, time and again; takes more memory",
    )
    parser.add_argument(
        "--exact", action="store_true", help="solve by linear program, to rounding error"
    )
    parser.add_argument(
        "--prove",
        action="store_true",
        help="prove the value as a fraction, within --max-seconds for all; without --exact the "
        "target becomes 1e-9",
    )
    parser.add_argument(
        "--checkpoint",
        metavar="FOLDER",
        help="keep a checkpoint there, from which --resume goes on if this is killed",
    )
    parser.add_argument(
        "--checkpoint-seconds",
        type=float,
        metavar="S",
        help="time between checkpoints (default: 600)",
    )
    parser.add_argument(
        "--resume", metavar="FOLDER", help="go on from the last checkpoint there, to the same bits"
    )
    parser.add_argument("--out", metavar="FOLDER", help="save the strategy there")
    parser.add_argument(
        "--overwrite", action="store_true", help="replace the strategy that --out has already"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Solve, save if asked to, and print."""
    with options_in_errors():
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    if args.resume is None and args.rules is None:
        args.rules = _RULES
    is_cup = is_cup_preset(args.rules)
    if is_cup:
        check_cup_arguments(args)
    elif args.players is not None:
        raise InputError(
            f"{args.rules} is a game of bidding, where --dice says how many players there are, so "
            "--players would do nothing"
        )
    _check_flags(args)
    if args.out is not None:
        if not args.out:
            raise InputError("--out names the folder to save to, such as --out two-each, got ''")
        _check_folder(Path(args.out), overwrite=args.overwrite)
    return _run_cup(args) if is_cup else _run_bidding(args)


def _run_bidding(args: argparse.Namespace) -> int:
    def report(folder: str | None) -> None:
        if args.json:
            more = {"target": target, "note": None, "folder": folder}
            print_json("solve", report_solution(solution) | more, kind="bidding")
            return
        rows = certificate_rows(solution, target)
        if solution.proof is not None and solution.exact_value is None:
            rows.append(("proof", solution.proof.reason))
        advice = _advise(args, solution)
        if advice is not None:
            rows.append(("advice", advice))
        _show(describe_game(solution), rows, folder, opening_table(solution, args.max_seconds))

    with checkpoint_warnings() as lost:
        solution, target = _solve(args)
    status = _save_and_report(args, solution, report)
    return 1 if lost else status


def _run_cup(args: argparse.Namespace) -> int:
    def report(folder: str | None) -> None:
        if args.json:
            print_cup_json(solution, target, note, folder)
            return
        show_cup(solution, target, note, folder)

    solution, target, note = solve_cup_from(args, target=_TARGET)
    return _save_and_report(args, solution, report)


def _save_and_report(
    args: argparse.Namespace,
    solution: "Solution",
    report: "Callable[[str | None], None]",
) -> int:
    """Save the solution if asked to, and print what ``report`` prints about it."""
    from liarsolve.solvers import ProofOutcome, StopReason
    from liarsolve.strategy import BiddingSolution

    problem = None
    if args.out is not None:
        try:
            solution.save(args.out, overwrite=args.overwrite)
        except StorageError as error:  # a strategy that cannot be saved is still worth printing
            problem = error
    report(None if problem is not None else args.out)
    if problem is not None:
        raise problem
    is_interrupted = solution.stop is StopReason.INTERRUPTED
    if isinstance(solution, BiddingSolution) and solution.proof is not None:
        is_interrupted |= solution.proof.outcome is ProofOutcome.INTERRUPTED
    return 1 if is_interrupted else 0


def _solve(args: argparse.Namespace) -> "tuple[BiddingSolution, float | None]":
    """Solve as the arguments ask for; also the target, if there was one."""
    if args.exact:
        from liarsolve.strategy import solve_exact

        rules, dice = rules_from(args), require_dice(args, most_players=2)
        with show_proof_progress() as on_progress:
            solution = solve_exact(
                rules,
                dice,
                exact_payoff=parse_exact_payoff(args.exact_payoff),
                palifico=args.palifico,
                prove=args.prove,
                max_memory=None if args.max_memory is None else parse_memory(args.max_memory),
                max_seconds=args.max_seconds,
                on_progress=on_progress,
            )
        return solution, None
    started = perf_counter()
    solution, target = _iterate(args)
    if args.prove:
        solution = _prove(solution, args.max_seconds, started)
    return solution, target


def _prove(
    solution: "BiddingSolution", max_seconds: float | None, started: float
) -> "BiddingSolution":
    """Prove the value, in what is left of the time."""
    from liarsolve.solvers import Proof, ProofOutcome, StopReason

    if solution.stop is StopReason.INTERRUPTED:
        outcome = ProofOutcome.INTERRUPTED
        return replace(solution, proof=Proof(outcome=outcome, reason=outcome.value))
    left = None if max_seconds is None else max(max_seconds - (perf_counter() - started), 0.0)
    with show_proof_progress() as on_progress:
        return solution.prove(max_seconds=left, on_progress=on_progress)


def _iterate(args: argparse.Namespace) -> "tuple[BiddingSolution, float | None]":
    """Solve by iterations; also the target, if it is known."""
    if args.resume is not None:
        stored = open_checkpoint(args)
        print(f"liarsolve solve: {describe_limits(stored, args)}", file=sys.stderr)
        target = stored.limits.target if args.target is None else args.target
        with show_progress() as on_progress:
            return resume_from(args, on_progress=on_progress), target
    rules, dice = rules_from(args), require_dice(args, most_players=2 if args.prove else 6)
    usual = _PROOF_TARGET if args.prove else _TARGET
    target = usual if args.target is None else args.target
    _warn_of_hours(args, rules, dice, target)
    with show_progress() as on_progress:
        return solve_from(args, rules, dice, target=target, on_progress=on_progress), target


def _warn_of_hours(
    args: argparse.Namespace, rules: "RuleSet", dice: tuple[int, ...], target: float
) -> None:
    """Say before a long solve that it is one, and what would end it."""
    from liarsolve.rules import Round
    from liarsolve.solvers.core.memory import format_count
    from liarsolve.strategy.bidding.oversize import MANY_STATES, MOST_STATES, count_states_above

    has_end = args.max_seconds is not None or args.max_iterations is not None
    if has_end or abstraction_from(args) is not None:
        return
    n_states = count_states_above(MANY_STATES, Round(rules, dice, palifico=args.palifico))
    if n_states is None or (n_states > MOST_STATES and args.max_memory is None):
        return  # refused later on, in words of its own
    print_remark(
        f"liarsolve solve: this round has {format_count(n_states)} public states, so a target of "
        f"{target:g} may take hours; Ctrl-C ends it with what is reached by then, and so would "
        "--max-seconds 600"
    )


def _advise(args: argparse.Namespace, solution: "BiddingSolution") -> str | None:
    """Say what would do better for a round that is too large to remember everything."""
    from liarsolve.game import Abstraction
    from liarsolve.solvers import StopReason, suggest_abstraction

    result = solution.result
    is_done = solution.stop in (StopReason.CONVERGED, StopReason.EXACT)
    if is_done or solution.abstraction is not None:
        return None
    suggested = suggest_abstraction(
        result.tree.graph,
        max_seconds=result.seconds if args.max_seconds is None else args.max_seconds,
        max_memory=_ADVICE_MEMORY if args.max_memory is None else parse_memory(args.max_memory),
    )
    if suggested is None:
        return None
    parts = Abstraction.to_dict(suggested).items()
    flags = " ".join(f"--{name.replace('_', '-')} {n}" for name, n in parts if n is not None)
    return (
        f"this round is too large for players who remember all bids; with {flags} they remember "
        "only the last bids, and the same time gets further"
    )


def _check_flags(args: argparse.Namespace) -> None:
    """Refuse arguments that would do nothing."""
    if args.refine:
        _check_refine(args)
    if args.exact:  # memory and time bound the linear program too
        others = {**vars(args), "max_memory": None, "max_seconds": None}
        refuse_solver_arguments(argparse.Namespace(**others), "--exact solves by linear program")
        for name in ("checkpoint", "resume"):
            if getattr(args, name) is not None:
                raise InputError(f"--exact solves in one piece, so --{name} would do nothing")
    elif args.prove:
        refuse_abstractions(
            args, "only strategies with perfect recall can prove the value of a round"
        )
    if args.checkpoint_seconds is not None and args.checkpoint is None and args.resume is None:
        raise InputError("--checkpoint-seconds needs --checkpoint, the folder to write to")
    if args.overwrite and args.out is None:
        raise InputError("--overwrite needs --out, the folder to replace")


def _check_refine(args: argparse.Namespace) -> None:
    """Refuse what is not solved with ``--refine``."""
    if args.exact or args.recall is None:
        given = "--exact" if args.exact else "no --recall"
        raise InputError(
            "--refine is about players who forget: it needs --recall, such as --recall 2, got "
            f"{given}"
        )
    for name in ("max_jump", "similar_hands"):
        if getattr(args, name) is not None:
            raise InputError(
                "--refine tells apart sequences of bids and nothing else, so it does not go "
                f"together with --{name.replace('_', '-')}"
            )
    for name in ("checkpoint", "resume"):
        if getattr(args, name) is not None:
            raise InputError(
                f"a solve that refines its states cannot be resumed yet, so leave out --{name} or "
                "--refine"
            )


def _check_folder(folder: Path, *, overwrite: bool) -> None:
    """See before the work begins that its result can be saved."""
    from liarsolve.strategy.storage import check_replaceable

    if folder.exists() or folder.is_symlink():
        if not overwrite:
            raise InputError(f"{folder} exists already; choose another folder, or add --overwrite")
        try:
            check_replaceable(folder)
        except StorageError as error:
            raise InputError(f"--overwrite replaces only a stored strategy: {error}") from error
    parent = next(p for p in folder.absolute().parents if p.exists())
    try:
        tempfile.TemporaryDirectory(dir=parent).cleanup()
    except OSError:
        raise InputError(
            f"{folder} cannot be written: {parent} is not a folder to write to"
        ) from None


def _show(game: str, rows: "Sequence[tuple[str, str]]", folder: str | None, table: "Table") -> None:
    print_text(game)
    print()
    for heading, text in rows:
        print_text(text, initial_indent=heading.ljust(_HEADING), subsequent_indent=" " * _HEADING)
    if folder is not None:
        print("saved".ljust(_HEADING) + describe_saved(folder))  # in one piece, to be copied
    print()
    show_table(table)

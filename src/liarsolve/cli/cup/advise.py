"""The part of ``liarsolve advise`` that is about cup games."""

import argparse
import json
from typing import TYPE_CHECKING

from liarsolve.cli._progress import show_cup_progress
from liarsolve.cli.cup.arguments import (
    SITUATION_FLAGS,
    cup_rules_from,
    given_flags,
    is_cup_preset,
    refuse_bidding_arguments,
)
from liarsolve.cli.cup.situation import CupSituation, Question, read_cup_situation
from liarsolve.errors import InputError, StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from liarsolve.strategy.cup.solution import CupSolution
    from liarsolve.strategy.cup.strategy import CupAdvice

EXAMPLES = """\
examples for cup games, after a first throw, an accepted claim, a throw, an offer:
  liarsolve advise --rules doubtful_dice --holding 44621
  liarsolve advise --rules classic --holding QQQ99 --claim KKAA9
  liarsolve advise --rules classic --holding QQQJT --passed QQQ99 --claim KKAA9 --thrown 2
  liarsolve advise --rules classic --offered "full house, kings on tens" --passed QQQ99 --thrown 2
  liarsolve advise --load classic --guide
"""

_DEFAULT_RULES = "classic"
_TARGET = 1e-4
_MAX_SECONDS = 60.0


def add_cup_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say where a player of a cup game stands."""
    group = parser.add_argument_group(
        "cup games", "such as --rules classic; limits: --target, and --max-seconds (default: 60)"
    )
    group.add_argument("--holding", metavar="HAND", help="the hand you see, such as QQQ99")
    group.add_argument(
        "--claim", metavar="CLAIM", help="the claim that was accepted last, such as KKAA9"
    )
    group.add_argument(
        "--passed", metavar="HAND", help="the hand it was accepted with, before the last throw"
    )
    group.add_argument(
        "--thrown", type=int, metavar="K", help="how many dice of it were thrown again"
    )
    group.add_argument(
        "--offered", metavar="CLAIM", help="the claim you must answer: accept or challenge"
    )
    group.add_argument(
        "--guide", action="store_true", help="in place of a situation: one page for the table"
    )


def is_about_a_cup(args: argparse.Namespace) -> bool:
    """Whether the arguments ask about a cup game.

    Raises
    ------
    InputError
        If they name the rules of bidding.
    """
    flags = given_flags(args, (*SITUATION_FLAGS, "guide"))
    if args.rules is None or is_cup_preset(args.rules):
        return bool(flags) or args.rules is not None
    if flags:
        hint = "; say --hand" if flags[0] == "--holding" else ""
        raise InputError(f"{args.rules} is a game of bidding, so {flags[0]} would do nothing{hint}")
    return False


def run_cup_advise(args: argparse.Namespace) -> int:
    """Solve or load, and print the advice or the guide."""
    from liarsolve.cli.cup.words import show_cup_advice
    from liarsolve.solvers import StopReason

    loaded = None if args.load is None else _load(args)
    if loaded is None:
        args.rules = args.rules or _DEFAULT_RULES
        refuse_bidding_arguments(args, args.rules)
        rules, note = cup_rules_from(args)
    else:
        rules, note = loaded.rules, None
    if args.guide:
        return _run_guide(args, loaded)
    situation = read_cup_situation(  # complain before the work
        rules, **{name: getattr(args, name) for name in SITUATION_FLAGS}
    )
    solution = loaded or _solve(args, situation)
    advice = solution.strategy.advise(**situation.keywords())
    if args.json:
        report = _report(solution, situation, advice)
        print(json.dumps(report | {"note": note, "folder": args.load}))
    else:
        show_cup_advice(solution, situation, advice, show_all=args.all, note=note)
    is_interrupted = loaded is None and solution.stop is StopReason.INTERRUPTED
    return 1 if is_interrupted else 0


def _solve(args: argparse.Namespace, situation: CupSituation) -> "CupSolution":
    """Solve what can follow the claim that was accepted, or all for an opening."""
    from liarsolve.strategy import solve

    with show_cup_progress() as on_progress:
        return solve(
            situation.rules,
            target=_TARGET if args.target is None else args.target,
            max_seconds=_MAX_SECONDS if args.max_seconds is None else args.max_seconds,
            from_claim=situation.claim,
            on_progress=on_progress,
        )


def _load(args: argparse.Namespace) -> "CupSolution":
    """Open a stored strategy, if it is one of the game that the other arguments speak of."""
    from liarsolve.strategy import load
    from liarsolve.strategy.cup.solution import CupSolution

    for flag in given_flags(args, ("target", "max_seconds")):
        raise InputError(
            f"--load opens a strategy that is solved already, so {flag} would do nothing"
        )
    try:
        solution = load(args.load)
    except StorageError as error:
        raise InputError(str(error)) from error
    held = f"{args.load} holds"
    if not isinstance(solution, CupSolution):
        raise InputError(
            f"{held} {solution.rules.name}, a game of bidding; ask it with --hand and --history"
        )
    refuse_bidding_arguments(args, solution.rules.name)
    if args.rules is not None or args.set_options or args.faces is not None:
        asked, _ = cup_rules_from(args, preset=None if args.rules else solution.rules)
        if asked.round_rules != solution.rules.round_rules:  # advice depends on no other option
            raise InputError(
                f"{held} {solution.rules.name}, not {asked.name}; leave out the rules, or --load"
            )
    return solution


def _report(
    solution: "CupSolution", situation: CupSituation, advice: "Sequence[CupAdvice]"
) -> dict[str, object]:
    from liarsolve.cli.cup.words import bounds_here, p_true_when_offered
    from liarsolve.rules import format_cup_action

    rules = situation.rules
    described = {
        name: situation.write(thing) if name != "thrown" and thing is not None else thing
        for name, thing in situation.keywords().items()
    }
    is_answer = situation.question is Question.ANSWER
    return (
        solution.to_dict()
        | {"question": situation.question.value, "is_claim_assumed": situation.is_assumed}
        | described
        | {
            "win_bounds_here": bounds_here(solution, situation),
            "p_true": p_true_when_offered(advice) if is_answer else None,
            "advice": [
                {
                    "action": format_cup_action(a.action, rules),
                    "probability": a.probability,
                    "expected_value": a.expected_value,
                    "win_probability": a.win_probability,
                }
                for a in advice
            ],
        }
    )


def _run_guide(args: argparse.Namespace, loaded: "CupSolution | None") -> int:
    """Print one page for the table."""
    from dataclasses import asdict

    from liarsolve.report import cup_guide, format_guide
    from liarsolve.solvers import StopReason
    from liarsolve.strategy import solve

    for flag in given_flags(args, SITUATION_FLAGS):
        raise InputError(f"--guide is about the whole game, so {flag} would do nothing")
    solution = loaded
    if solution is None:
        rules, _ = cup_rules_from(args)
        with show_cup_progress() as on_progress:
            solution = solve(
                rules,
                target=_TARGET if args.target is None else args.target,
                max_seconds=args.max_seconds,
                on_progress=on_progress,
            )
    guide = cup_guide(solution)
    if args.json:
        print(json.dumps(solution.to_dict() | asdict(guide) | {"folder": args.load}))
    else:
        print(format_guide(guide))
    is_interrupted = loaded is None and solution.stop is StopReason.INTERRUPTED
    return 1 if is_interrupted else 0

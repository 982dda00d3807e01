"""The part of ``liarsolve advise`` that is about cup games."""

import argparse
from typing import TYPE_CHECKING

from liarsolve.cli._json import print_json
from liarsolve.cli._page import page_width
from liarsolve.cli._position import print_position, write_position
from liarsolve.cli._progress import show_cup_progress
from liarsolve.cli.cup.arguments import (
    CUP_FLAGS,
    SITUATION_FLAGS,
    add_players_argument,
    check_size,
    cup_rules_from,
    given_flags,
    is_cup_preset,
    players_from,
    refuse_bidding_arguments,
    target_from,
)
from liarsolve.errors import InputError, StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from liarsolve.strategy import Position
    from liarsolve.strategy.cup.situation import CupSituation
    from liarsolve.strategy.cup.solution import CupSolution
    from liarsolve.strategy.cup.strategy import CupAdvice
    from liarsolve.strategy.cup.table import CupTableSolution

EXAMPLES = """\
examples for cup games, after a first throw, an accepted claim, a throw, an offer:
  liarsolve advise --rules doubtful_dice --hand 44621
  liarsolve advise --rules classic --hand QQQ99 --claim KKAA9
  liarsolve advise --rules classic --hand QQQJT --passed QQQ99 --claim KKAA9 --thrown 2
  liarsolve advise --rules classic --offered "full house, kings on tens" --passed QQQ99 --thrown 2
  liarsolve advise --rules mia --players 4 --offered 64 --claim 52
  liarsolve advise --load classic --guide

The rules of a cup game are named by --rules, or by the folder that --load opens.
"""

_TARGET = 1e-4
_MAX_SECONDS = 60.0


def add_cup_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say where a player of a cup game stands."""
    group = parser.add_argument_group(
        "cup games", "such as --rules classic; limits: --target, and --max-seconds (default: 60)"
    )
    group.add_argument("--holding", metavar="HAND", help="another word for --hand")
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
    add_players_argument(group)


def is_about_a_cup(args: argparse.Namespace) -> bool:
    """Whether the arguments ask about a cup game.

    Raises
    ------
    InputError
        If they name the rules of bidding.
    """
    if args.holding is not None:
        if args.hand is not None:
            raise InputError("--hand and --holding say the same, so give one of them")
        args.hand, args.holding = args.holding, None
    flags = given_flags(args, CUP_FLAGS)
    if args.rules is None and args.load is not None:
        return bool(flags) or _holds_a_cup_game(args.load)
    if args.rules is None:
        if flags:
            raise InputError(
                f"{flags[0]} is about a cup game; say which one with --rules, such as "
                "--rules classic, or open one with --load"
            )
        return False
    if is_cup_preset(args.rules):
        return True
    if flags:
        hint = "; say --dice" if flags[0] == "--players" else ""
        raise InputError(f"{args.rules} is a game of bidding, so {flags[0]} would do nothing{hint}")
    return False


def _holds_a_cup_game(folder: str) -> bool:
    """Whether a folder holds the solution of a cup game; what is damaged is told later."""
    from liarsolve.strategy.cup.solution import FAMILY
    from liarsolve.strategy.cup.table import TABLE_FAMILY
    from liarsolve.strategy.storage import read_folder

    try:
        manifest, _, _ = read_folder(folder, verify=False)
    except StorageError:
        return False
    return manifest.get("family") in (FAMILY, TABLE_FAMILY)


def run_cup_advise(args: argparse.Namespace, position: "Position | None" = None) -> int:
    """Solve or load, and print the advice or the guide."""
    from liarsolve.solvers import StopReason
    from liarsolve.strategy.cup.situation import read_cup_situation
    from liarsolve.strategy.spelling import as_option

    loaded = None if args.load is None else _load(args)
    if loaded is None:
        refuse_bidding_arguments(args, args.rules)
        rules, note = cup_rules_from(args)
        check_size(rules)
    else:
        rules, note = loaded.rules, None
    if args.guide:
        if position is not None:
            raise InputError("--guide is about the whole game, so --position would do nothing")
        return _run_guide(args, loaded)
    n_players = players_from(args) if loaded is None else loaded.n_players
    situation = read_cup_situation(  # complain before the work
        rules, **{name: getattr(args, name) for name in SITUATION_FLAGS}, spell=as_option
    )
    if n_players > 2:
        _refuse_later(situation, n_players)
    solution = loaded or _solve(args, situation, n_players)
    more = {
        "position": write_position(position, situation, n_players),
        "note": note,
        "folder": args.load,
    }
    _print_advice(args, solution, situation, more)
    if not args.json:
        print_position(position, situation, n_players)
    is_interrupted = loaded is None and solution.stop is StopReason.INTERRUPTED
    return 1 if is_interrupted else 0


def _print_advice(
    args: argparse.Namespace,
    solution: "CupSolution | CupTableSolution",
    situation: "CupSituation",
    more: "dict[str, str | None]",
) -> None:
    """Print the advice in words, or as JSON with ``more``."""
    from liarsolve.cli.cup.table_words import report_table_advice, show_table_advice
    from liarsolve.cli.cup.words import show_cup_advice
    from liarsolve.strategy.cup.table import CupTableSolution

    if isinstance(solution, CupTableSolution):
        if args.json:
            report = report_table_advice(solution, situation)
            print_json("advise", report | more, kind="cup_table")
        else:
            show_table_advice(solution, situation, show_all=args.all)
        return
    advice = solution.advise(situation)
    if args.json:
        print_json("advise", _report(solution, situation, advice) | more, kind="cup")
    else:
        show_cup_advice(solution, situation, advice, show_all=args.all, note=more["note"])


def _refuse_later(situation: "CupSituation", n_players: int) -> None:
    """Refuse advice where players know different things of what lies under the cup."""
    from liarsolve.rules import Look
    from liarsolve.strategy.cup.first_turns import first_turn_problem

    problem = first_turn_problem(situation, n_players)
    if problem is not None and situation.rules.look is not Look.NEVER:
        raise InputError(f"{problem}, with --hand or --offered alone")


def _solve(
    args: argparse.Namespace, situation: "CupSituation", n_players: int
) -> "CupSolution | CupTableSolution":
    """Solve what can follow the claim that was accepted, or all for an opening."""
    from liarsolve.strategy import solve

    with show_cup_progress() as on_progress:
        return solve(
            situation.rules,
            players=n_players,
            target=target_from(args, _TARGET),
            max_seconds=_MAX_SECONDS if args.max_seconds is None else args.max_seconds,
            on_progress=on_progress,
            from_claim=situation.claim if n_players == 2 else None,
        )


def _load(args: argparse.Namespace) -> "CupSolution | CupTableSolution":
    """Open a stored strategy, if it is one of the game that the other arguments speak of."""
    from liarsolve.strategy import load
    from liarsolve.strategy.cup.solution import CupSolution
    from liarsolve.strategy.cup.table import CupTableSolution

    for flag in given_flags(args, ("target", "max_seconds")):
        raise InputError(
            f"--load opens a strategy that is solved already, so {flag} would do nothing"
        )
    try:
        solution = load(args.load)
    except StorageError as error:
        raise InputError(str(error)) from error
    held = f"{args.load} holds"
    if not isinstance(solution, CupSolution | CupTableSolution):
        raise InputError(
            f"{held} {solution.rules.name}, a game of bidding; ask it with --hand and --history"
        )
    refuse_bidding_arguments(args, solution.rules.name)
    n_players = solution.n_players
    if args.players is not None and args.players != n_players:
        raise InputError(f"{held} a round of {n_players} players, got --players {args.players}")
    args.players = n_players
    if args.rules is not None or args.set_options or args.faces is not None:
        asked, _ = cup_rules_from(args, preset=None if args.rules else solution.rules)
        if asked.round_rules != solution.rules.round_rules:  # advice depends on no other option
            raise InputError(
                f"{held} {solution.rules.name}, not {asked.name}; leave out the rules, or --load"
            )
    return solution


def _report(
    solution: "CupSolution", situation: "CupSituation", advice: "Sequence[CupAdvice]"
) -> dict[str, object]:
    from liarsolve.cli.cup.words import describe_known
    from liarsolve.rules import format_cup_action
    from liarsolve.strategy.cup.situation import Question
    from liarsolve.strategy.cup.strategy import p_true_when_offered

    rules = situation.rules
    is_answer = situation.question is Question.ANSWER
    return (
        solution.to_dict()
        | {
            "question": situation.question.value,
            "seat": situation.seat,
            "is_claim_assumed": situation.is_assumed,
        }
        | describe_known(situation)
        | {
            "win_bounds_here": solution.strategy.win_bounds(situation),
            "p_true": p_true_when_offered(advice) if is_answer else None,
            "advice": [
                {
                    "action": format_cup_action(a.action, rules),
                    "probability": a.probability,
                    "expected_value": a.expected_value,
                    "win_probability": a.win_probability,
                    "loss_probability": 1.0 - a.win_probability,
                }
                for a in advice
            ],
        }
    )


def _run_guide(args: argparse.Namespace, loaded: "CupSolution | CupTableSolution | None") -> int:
    """Print one page for the table."""
    from dataclasses import asdict

    from liarsolve.report import cup_guide, format_guide
    from liarsolve.solvers import StopReason
    from liarsolve.strategy import solve
    from liarsolve.strategy.cup.table import CupTableSolution

    note = None
    for flag in given_flags(args, SITUATION_FLAGS):
        raise InputError(f"--guide is about the whole game, so {flag} would do nothing")
    if players_from(args) > 2:
        raise InputError(
            f"--guide is about two players, got a round of {args.players}; ask about situations, "
            "such as --offered 64"
        )
    if args.all:
        raise InputError("--guide has no actions to list, so --all would do nothing")
    solution = loaded
    if solution is None:
        rules, note = cup_rules_from(args)
        with show_cup_progress() as on_progress:
            solution = solve(
                rules,
                target=target_from(args, _TARGET),
                max_seconds=args.max_seconds,
                on_progress=on_progress,
            )
    assert not isinstance(solution, CupTableSolution)
    guide = cup_guide(solution)
    if args.json:
        # The guide has the name of the rules alone; the object says all of them.
        report = solution.to_dict()
        report |= {name: part for name, part in asdict(guide).items() if name not in report}
        print_json("advise", report | {"note": note, "folder": args.load}, kind="guide")
    else:
        print(format_guide(guide, width=page_width()))
    is_interrupted = loaded is None and solution.stop is StopReason.INTERRUPTED
    return 1 if is_interrupted else 0

"""The command ``liarsolve advise``: what to play with these dice, after these bids or claims."""

import argparse
from typing import TYPE_CHECKING

from liarsolve.cli._json import print_json, report_solution
from liarsolve.cli._position import (
    add_position_argument,
    print_position,
    take_position,
    write_position,
)
from liarsolve.cli._progress import show_progress
from liarsolve.cli._rule_arguments import parse_history, rules_from
from liarsolve.cli._solver_arguments import (
    abstraction_from,
    add_game_arguments,
    add_limit_arguments,
    parse_memory,
    refuse_solver_arguments,
    require_dice,
    solve_from,
)
from liarsolve.cli.bidding.stored import open_stored, refuse_other_game
from liarsolve.cli.cup.advise import (
    EXAMPLES,
    add_cup_arguments,
    is_about_a_cup,
    run_cup_advise,
)
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from liarsolve.game import Abstraction, BidGraph
    from liarsolve.rules import Round
    from liarsolve.strategy import BiddingSolution, Position, Recommendation
    from liarsolve.strategy.bidding.situation import BiddingSituation

_DEFAULT_RULES = "liars_dice"
_TARGET = 1e-4
_MAX_SECONDS = 20.0
_MAX_MEMORY = 2e9

_EPILOG = (
    """\
examples:
  liarsolve advise --rules liars_dice --dice 1,1 --hand 4 --history 1x2,1x5
  liarsolve advise --rules perudo --dice 2,1 --hand 3,3
  liarsolve advise --load two-each --hand 1,5 --history 1x5
  liarsolve advise --dice 5,5,5,5 --seat 2 --hand 2,3,3,5,6 --history 4x3
  liarsolve advise --position "perudo; dice 2,0,1; starts 3; hand 3,3; said 1x3"

The history begins with the first bidder; it says whose turn it is, and the hand
is that player's. After Ctrl-C the advice rests on what was reached by then, with
exit status 1.

"""
    + EXAMPLES
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "--hand",
        metavar="HAND",
        help="the dice of the player on turn, such as 3,3; in a cup game the hand you see, such "
        "as QQQ99",
    )
    parser.add_argument(
        "--seat",
        type=int,
        metavar="N",
        help="your seat, 1 for the first bidder; refused if the history leaves another one on turn",
    )
    parser.add_argument("--history", metavar="BIDS", help="the bids so far, such as 1x2,1x5")
    add_position_argument(parser)
    parser.add_argument(
        "--load", metavar="FOLDER", help="ask a strategy that `liarsolve solve --out` saved"
    )
    add_game_arguments(parser)
    parser.set_defaults(rules=None)  # so that --load can tell whether rules were given
    add_limit_arguments(
        parser,
        target=f"{_TARGET:g}",
        max_seconds=f"{_MAX_SECONDS:g}",
        max_memory=f"{_MAX_MEMORY / 1e9:g}GB",
    )
    add_cup_arguments(parser)
    parser.add_argument("--all", action="store_true", help="also list actions never played")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Solve or load, and print the advice."""
    position = take_position(args)
    if is_about_a_cup(args):
        return run_cup_advise(args, position)
    return _run_bidding(args, position)


def _run_bidding(args: argparse.Namespace, position: "Position | None") -> int:
    from liarsolve.cli.bidding.advice_words import show_advice
    from liarsolve.rules import Round
    from liarsolve.solvers import StopReason
    from liarsolve.strategy.bidding.solve import compile_once

    if args.hand is None:
        raise InputError("say which dice you hold, such as --hand 3,3")
    if args.load is not None:
        solution = _load(args)
        situation = _read_situation(solution.result.tree.graph.round, args)
    else:
        args.rules = args.rules or _DEFAULT_RULES
        rules, dice = rules_from(args), require_dice(args)
        round_ = Round(rules, dice, palifico=args.palifico)
        situation = _read_situation(round_, args)  # complain before the work
        with show_progress() as on_progress:
            graph = compile_once(round_)  # which `solve` finds there again
            solution = solve_from(
                args,
                rules,
                dice,
                target=_TARGET,
                max_seconds=_MAX_SECONDS,
                max_memory=_MAX_MEMORY,
                suggested=_suggest_abstraction(args, graph),
                on_progress=on_progress,
            )
    recommended = solution.recommend(situation)
    if args.json:
        report = _report(solution, situation, recommended)
        more = {"position": write_position(position, situation), "note": None, "folder": args.load}
        print_json("advise", report | more, kind="bidding")
    else:
        show_advice(solution, situation, recommended, show_all=args.all)
        print_position(position, situation)
    is_interrupted = args.load is None and solution.stop is StopReason.INTERRUPTED
    return 1 if is_interrupted else 0


def _read_situation(round_: "Round", args: argparse.Namespace) -> "BiddingSituation":
    from liarsolve.strategy.bidding.situation import read_bidding_situation
    from liarsolve.strategy.spelling import as_option

    history = parse_history(args.history or "")
    return read_bidding_situation(round_, args.hand, history, seat=args.seat, spell=as_option)


def _suggest_abstraction(args: argparse.Namespace, graph: "BidGraph") -> "Abstraction | None":
    """What players leave out where the arguments do not say it and the round is too large."""
    from liarsolve.solvers import suggest_abstraction

    if abstraction_from(args) is not None:
        return None
    given = args.max_memory
    return suggest_abstraction(
        graph,
        max_seconds=_MAX_SECONDS if args.max_seconds is None else args.max_seconds,
        max_memory=_MAX_MEMORY if given is None else parse_memory(given),
    )


def _load(args: argparse.Namespace) -> "BiddingSolution":
    """Open a stored strategy, if it is one of the game that the other arguments speak of."""
    refuse_solver_arguments(args, "--load opens a strategy that is solved already")
    solution = open_stored(args.load)
    refuse_other_game(args, solution, args.load, way_out="--load")
    return solution


def _report(
    solution: "BiddingSolution", situation: "BiddingSituation", recommended: "Recommendation"
) -> dict[str, object]:
    from liarsolve.cli.bidding.certificate import pays_by_winning
    from liarsolve.strategy import gain_by_best_reply, p_true_after_bids

    is_chance, advice = pays_by_winning(solution), recommended.advice
    return report_solution(solution) | {
        "hand": situation.hand,
        "history": [str(bid) for bid in situation.bids],
        "seat": recommended.seat,
        "recommended": [
            {"action": str(action), "probability": share} for action, share in recommended.choice
        ],
        "basis": recommended.basis.name.lower(),
        "p_true": situation.p_true(),
        "p_true_after_bids": p_true_after_bids(advice, solution.result.payoffs, situation),
        "own_reach": recommended.own_reach,
        "rival_reach": recommended.rival_reach,
        "gain_by_best_reply": gain_by_best_reply(advice),
        "advice": [
            {
                "action": str(a.action),
                "probability": a.probability,
                "expected_value": a.expected_value,
                "standard_error": a.standard_error,
                "win_probability": a.win_probability if is_chance else None,
                "is_dominated": a.action in recommended.dominated,
            }
            for a in advice
        ],
    }

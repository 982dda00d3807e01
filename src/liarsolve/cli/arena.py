"""The command ``liarsolve arena``: one player against another over paired deals."""

import argparse
from time import perf_counter
from typing import TYPE_CHECKING, Any

from liarsolve.cli._arena_contest import MAX_SECONDS, TARGET, Contest, compute, read_contest
from liarsolve.cli._arena_matches import (
    add_match_arguments,
    refuse_match_arguments,
    run_matches,
)
from liarsolve.cli._json import print_json, report_solution
from liarsolve.cli._progress import show_arena_progress
from liarsolve.cli._solver_arguments import add_game_arguments
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from liarsolve.play import HeadToHead

_DEALS = 1000
_CONFIDENCE = 0.95

_EPILOG = """\
examples:
  liarsolve arena --dice 5,5 --players probability,honest
  liarsolve solve --rules perudo --dice 5,5 --recall 3 --max-seconds 600 --out three
  liarsolve arena --players three,probability --deals 2000 --seed 1
  liarsolve arena --players three,one --computed
  liarsolve arena --rules perudo --dice 5,5,5,5 --players probability,random
  liarsolve arena --rules mia --players strategy,honest --deals 500 --seed 1
  liarsolve arena --match --rules perudo --players probability,honest,random
  liarsolve arena --match --player ./mybot --player honest --log matches.jsonl

Players are probability (challenges what has less than an even chance, bids what
is likeliest, claims the lowest that is true), honest (bids and claims the most
that they believe, challenges what they do not), random (does anything that is
allowed), strategy (an equilibrium, solved on the spot within --target and
--max-seconds), or a folder that `liarsolve solve --out` saved; ./random is a
folder of that name. Rules, dice and payoffs are those of the folder if they are
not given.

The first player is the challenger, the second the rival. Every deal is played
with the challenger in each seat in turn, over the same dice, and rivals in all
other seats; so luck with the dice and the advantage of a seat fall out. In cup
games (classic, mia and others that `liarsolve rules` lists) whoever has the
cup in a turn throws with the same luck. Amounts are utilities of a round: of
two players the winner gets 1 and the loser pays 1; of more the loser pays 1,
and the others share it. The interval is one of the mean over deals.

With --match whole matches are played, by two to six players who move on by one
seat from match to match: ready players, or programs that docs/bots.md describes.
A program that crashes, stalls or answers what is not allowed has lost the match.
After Ctrl-C what was played so far is printed, with exit status 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "--players", metavar="A,B", help="the challenger and the rival: names or folders"
    )
    add_game_arguments(parser)
    parser.add_argument("--seats", type=int, metavar="N", help="players in a cup game (default: 2)")
    parser.set_defaults(rules=None)  # so that a folder can tell whether rules were given
    parser.add_argument(
        "--deals",
        type=int,
        metavar="N",
        help=f"deals, each played from every seat (default: {_DEALS})",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", default=0, help="of dice and mixed play (default: 0)"
    )
    parser.add_argument(
        "--confidence",
        type=float,
        metavar="C",
        default=_CONFIDENCE,
        help=f"of the intervals (default: {_CONFIDENCE})",
    )
    _add_solving_arguments(parser)
    add_match_arguments(parser)
    parser.add_argument(
        "--computed",
        action="store_true",
        help="also compute what one strategy of bidding gets against the other, over all dice",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_solving_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--target",
        type=float,
        metavar="X",
        help=f"exploitability at which the solving of strategy stops (default: {TARGET:g})",
    )
    parser.add_argument(
        "--max-seconds",
        type=float,
        metavar="S",
        help=f"time for that in any case (default: {MAX_SECONDS:g})",
    )


def run(args: argparse.Namespace) -> int:
    """Play, and print what came out."""
    from liarsolve.cli._arena_words import show_contest
    from liarsolve.play import head_to_head

    if args.match:
        _check_numbers(args)
        return run_matches(args)
    refuse_match_arguments(args)
    args.deals = _DEALS if args.deals is None else args.deals
    _check_numbers(args)
    contest = read_contest(args)
    computed = compute(contest) if args.computed else None
    started = perf_counter()
    with show_arena_progress() as on_progress:
        result = head_to_head(
            contest.game,
            *contest.players,
            n_deals=args.deals,
            rng=args.seed,
            confidence=args.confidence,
            payoffs=contest.payoffs,
            on_progress=on_progress,
        )
    seconds = perf_counter() - started
    if args.json:
        more = {"computed": None if computed is None else computed.to_dict(), "seconds": seconds}
        print_json("arena", _describe(contest, args.seed) | _report_result(contest, result) | more)
    else:
        show_contest(contest, result, computed, seed=args.seed, seconds=seconds)
    return 1 if result.is_interrupted else 0


def _describe(contest: Contest, seed: int) -> dict[str, Any]:
    """What was played by whom, as plain values for JSON."""
    from liarsolve.rules import Round

    game, solved = contest.game, contest.solved
    is_bidding = isinstance(game, Round)
    return {
        "rules": game.rules.to_dict(),
        "dice": list(game.dice) if isinstance(game, Round) else None,
        "palifico": game.palifico if isinstance(game, Round) else None,
        "payoffs": contest.payoffs.to_dict() if contest.payoffs is not None else None,
        "family": "bidding" if is_bidding else "cup",
        "players": list(contest.names),
        "seed": seed,
        "solved": None if solved is None else report_solution(solved),
    }


def _report_result(contest: Contest, result: "HeadToHead") -> dict[str, Any]:
    """What came out, as plain values for JSON; every way in which a round can end is in it."""
    from liarsolve.rules import CupOutcomeKind, OutcomeKind, Round

    kinds = OutcomeKind if isinstance(contest.game, Round) else CupOutcomeKind
    endings = [
        {
            "ending": kind.value,
            "n_rounds": result.endings.get(kind, 0),
            "n_own_calls": result.own_calls.get(kind, 0),
        }
        for kind in kinds
    ]
    report = result.to_dict() | {"endings": endings}
    del report["own_calls"]
    return report


def _check_numbers(args: argparse.Namespace) -> None:
    """Complain before the work begins."""
    if args.deals is not None and args.deals < 2:
        raise InputError(f"--deals is at least 2, for an interval, got {args.deals}")
    if args.seed < 0:
        raise InputError(f"--seed is a whole number of 0 or more, got {args.seed}")
    if not 0.0 < args.confidence < 1.0:
        raise InputError(f"--confidence lies between 0 and 1, such as 0.95, got {args.confidence}")

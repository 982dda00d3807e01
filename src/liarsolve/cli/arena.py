"""The command ``liarsolve arena``: one player against another over paired deals."""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from liarsolve.cli._progress import show_arena_progress, show_status
from liarsolve.cli._rule_arguments import rules_from
from liarsolve.cli._solver_arguments import add_game_arguments, parse_exact_payoff, require_dice
from liarsolve.cli.bidding.stored import open_stored, refuse_other_game
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from liarsolve.game import Payoffs
    from liarsolve.play import ExpectedResult, Player
    from liarsolve.rules import Round
    from liarsolve.strategy import Solution

_DEFAULT_RULES = "liars_dice"
_DEALS = 1000
_CONFIDENCE = 0.95

_EPILOG = """\
examples:
  liarsolve arena --dice 5,5 --players probability,honest
  liarsolve solve --rules perudo --dice 5,5 --recall 3 --max-seconds 600 --out three
  liarsolve arena --players three,probability --deals 2000 --seed 1
  liarsolve arena --players three,one --computed
  liarsolve arena --rules perudo --dice 5,5,5,5 --players probability,random

Players are probability (challenges what has less than an even chance by his own
dice, and raises to the likeliest bid otherwise), honest (bids the most that he
believes, and challenges what he does not), random (does anything that is
allowed), or a folder that `liarsolve solve --out` saved; ./random is a folder of
that name. Rules, dice and payoffs are those of the folder if they are not given.

The first player is the challenger, the second his rival. Every deal is played
with the challenger in each seat in turn, over the same dice, and rivals in all
other seats; so luck with the dice and the advantage of a seat fall out. Amounts
are utilities of a round: of two players the winner gets 1 and the loser pays 1;
of more the loser pays 1, and the others share it. The interval is one of the
mean over deals. After Ctrl-C what was played so far is printed, with exit
status 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "--players", metavar="A,B", help="the challenger and his rival: names or folders"
    )
    add_game_arguments(parser)
    parser.set_defaults(rules=None)  # so that a folder can tell whether rules were given
    parser.add_argument(
        "--deals",
        type=int,
        metavar="N",
        default=_DEALS,
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
    parser.add_argument(
        "--computed",
        action="store_true",
        help="also compute what one stored strategy gets against the other, over all dice",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Play, and print what came out."""
    from liarsolve.cli._arena_words import show_contest
    from liarsolve.play import head_to_head

    _check_numbers(args)
    contest = _read_contest(args)
    challenger, rival = contest.players
    computed = _compute(contest) if args.computed else None
    started = perf_counter()
    with show_arena_progress() as on_progress:
        result = head_to_head(
            contest.round,
            challenger,
            rival,
            n_deals=args.deals,
            rng=args.seed,
            confidence=args.confidence,
            payoffs=contest.payoffs,
            on_progress=on_progress,
        )
    seconds = perf_counter() - started
    if args.json:
        round_ = contest.round
        game = {
            "rules": round_.rules.to_dict(),
            "dice": list(round_.dice),
            "palifico": round_.palifico,
            "payoffs": contest.payoffs.to_dict(),
            "players": list(contest.names),
            "seed": args.seed,
        }
        more = {"computed": None if computed is None else computed.to_dict(), "seconds": seconds}
        print(json.dumps(game | result.to_dict() | more))
    else:
        show_contest(
            contest.round, contest.names, result, computed, seed=args.seed, seconds=seconds
        )
    return 1 if result.is_interrupted else 0


@dataclass(frozen=True, slots=True)
class _Contest:
    """What the arguments ask for."""

    round: "Round"
    payoffs: "Payoffs"
    names: tuple[str, ...]
    players: "tuple[Player, ...]"


def _compute(contest: _Contest) -> "ExpectedResult":
    """What the challenger gets by the chances of both strategies."""
    from liarsolve.play import StrategyPlayer, expected_result

    first, second = contest.players
    if not (isinstance(first, StrategyPlayer) and isinstance(second, StrategyPlayer)):
        raise InputError("--computed is about two stored strategies, so both players are folders")
    if contest.round.n_players > 2:
        raise InputError(f"--computed is about two players, got dice for {contest.round.n_players}")
    with show_status("computing the expected result"):
        return expected_result(first.strategy, second.strategy)


def _read_contest(args: argparse.Namespace) -> _Contest:
    from liarsolve.game import Payoffs
    from liarsolve.play import READY_PLAYERS, StrategyPlayer
    from liarsolve.rules import Round

    names = _player_names(args.players)
    opened = {name: open_stored(name) for name in dict.fromkeys(names) if name not in READY_PLAYERS}
    for folder, solution in opened.items():
        refuse_other_game(args, solution, folder, way_out="choose another folder")
    if opened:
        (folder, first), *others = opened.items()
        for other_folder, other in others:
            _refuse_unlike(folder, first, other_folder, other)
        round_, payoffs = first.result.tree.graph.round, first.result.payoffs
    else:
        args.rules = args.rules or _DEFAULT_RULES
        round_ = Round(rules_from(args), require_dice(args), palifico=args.palifico)
        payoffs = Payoffs.for_exact_call(parse_exact_payoff(args.exact_payoff))
    players = tuple(
        StrategyPlayer(opened[name]) if name in opened else READY_PLAYERS[name]() for name in names
    )
    return _Contest(round_, payoffs, names, players)


def _player_names(text: str | None) -> tuple[str, str]:
    """Read ``--players``: names of ready players, or folders that are there."""
    from liarsolve.play import READY_PLAYERS

    if text is None:
        raise InputError("say who plays, such as --players probability,honest")
    names = [word.strip() for word in text.split(",")]
    if len(names) != 2 or not all(names):
        raise InputError(
            f"--players takes the challenger and his rival, such as probability,honest, got {text}"
        )
    for name in names:
        if name not in READY_PLAYERS and not Path(name).exists():
            ready = ", ".join(READY_PLAYERS)
            raise InputError(
                f"{name} is neither a player ({ready}) nor a folder that `liarsolve solve --out` "
                "saved"
            )
    return names[0], names[1]


def _refuse_unlike(folder: str, first: "Solution", other_folder: str, other: "Solution") -> None:
    """Refuse strategies for two different games."""
    rounds = [solution.result.tree.graph.round for solution in (first, other)]
    if rounds[0] != rounds[1]:
        held = " and ".join(
            f"{name} one of {round_.rules.name} with dice {','.join(map(str, round_.dice))}"
            + (" (palifico)" if round_.palifico else "")
            for name, round_ in zip((folder, other_folder), rounds, strict=True)
        )
        raise InputError(f"the players need strategies for the same round: {held}")
    if first.result.payoffs != other.result.payoffs:
        raise InputError(f"{folder} and {other_folder} hold strategies for different payoffs")


def _check_numbers(args: argparse.Namespace) -> None:
    """Complain before the work begins."""
    if args.deals < 2:
        raise InputError(f"--deals is at least 2, for an interval, got {args.deals}")
    if args.seed < 0:
        raise InputError(f"--seed is a whole number of 0 or more, got {args.seed}")
    if not 0.0 < args.confidence < 1.0:
        raise InputError(f"--confidence lies between 0 and 1, such as 0.95, got {args.confidence}")

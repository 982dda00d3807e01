"""Who plays what in ``liarsolve arena``: players and a game out of names, folders and rules."""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from liarsolve.cli._progress import show_cup_progress, show_progress, show_status
from liarsolve.cli._rule_arguments import any_rules_from, rules_from
from liarsolve.cli._solver_arguments import parse_exact_payoff, require_dice
from liarsolve.cli.bidding.stored import refuse_other_game
from liarsolve.cli.cup.arguments import is_cup_preset, refuse_bidding_arguments
from liarsolve.errors import InputError, StorageError

if TYPE_CHECKING:
    from liarsolve.game import Payoffs
    from liarsolve.play import ExpectedResult
    from liarsolve.rules import CupRound, CupRules, Round
    from liarsolve.strategy import BiddingSolution, CupSolution

STRATEGY = "strategy"
"""The player that is solved on the spot."""
TARGET = 1e-3
MAX_SECONDS = 60.0

_DEFAULT_RULES = "liars_dice"
_MAX_MEMORY = 2e9
_MOST_SEATS = 20


@dataclass(frozen=True, slots=True)
class Contest:
    """What the arguments ask for."""

    game: "Round | CupRound"
    payoffs: "Payoffs | None"
    """None in a cup game."""
    names: tuple[str, str]
    players: tuple[Any, Any]  # Any: players of either family of games
    solved: "BiddingSolution | CupSolution | None" = None
    """What the player named strategy plays."""


def read_contest(args: argparse.Namespace) -> Contest:
    """Read players and game; open folders, and solve the game if a player asks for it.

    Raises
    ------
    InputError
        If the arguments make no contest, or one of them would do nothing.
    """
    from liarsolve.play import READY_PLAYERS
    from liarsolve.strategy import CupSolution

    names = _player_names(args.players)
    _check_limits(args, names)
    opened = {
        name: _open(name)
        for name in dict.fromkeys(names)
        if name not in READY_PLAYERS and name != STRATEGY
    }
    if args.rules is not None:
        is_cup = is_cup_preset(args.rules)
    else:
        is_cup = isinstance(next(iter(opened.values()), None), CupSolution)
    return _read_cup(args, names, opened) if is_cup else _read_bidding(args, names, opened)


def compute(contest: Contest) -> "ExpectedResult":
    """What the challenger gets by the chances of both strategies.

    Raises
    ------
    InputError
        If they are not two strategies of a round of bidding between two.
    """
    from liarsolve.play import StrategyPlayer, expected_result

    first, second = contest.players
    if not (isinstance(first, StrategyPlayer) and isinstance(second, StrategyPlayer)):
        raise InputError(
            "--computed is about two strategies of bidding, so both players are folders, or "
            f"{STRATEGY}"
        )
    if contest.game.n_players > 2:
        raise InputError(f"--computed is about two players, got dice for {contest.game.n_players}")
    with show_status("computing the expected result"):
        return expected_result(first.strategy, second.strategy)


def _player_names(text: str | None) -> tuple[str, str]:
    """Read ``--players``: names of ready players, or folders that are there."""
    from liarsolve.play import READY_PLAYERS

    if text is None:
        raise InputError("say who plays, such as --players probability,honest")
    names = [word.strip() for word in text.split(",")]
    if len(names) != 2 or not all(names):
        raise InputError(
            "--players takes the challenger and the rival, such as probability,honest, got "
            f"{text!r}"
        )
    known = (*READY_PLAYERS, STRATEGY)
    unknown = [name for name in names if name not in known and not Path(name).exists()]
    if unknown:
        are = "is neither a player" if len(set(unknown)) == 1 else "are neither players"
        raise InputError(
            f"{' and '.join(dict.fromkeys(unknown))} {are} ({', '.join(known)}) nor a folder that "
            "`liarsolve solve --out` saved"
        )
    return names[0], names[1]


def _check_limits(args: argparse.Namespace, names: tuple[str, str]) -> None:
    """Refuse limits of the solver that are none, or would do nothing."""
    from liarsolve._checks import check_number

    for flag, value in (("--target", args.target), ("--max-seconds", args.max_seconds)):
        if value is None:
            continue
        check_number(flag, value, at_least=0)
        if flag == "--max-seconds" and value == 0.0:
            raise InputError(f"{flag} is a time above 0, got 0")
        if STRATEGY not in names:
            raise InputError(
                f"no player is {STRATEGY}, which is solved on the spot, so {flag} {value:g} would "
                "do nothing"
            )


def _open(folder: str) -> "BiddingSolution | CupSolution":
    from liarsolve.strategy import CupTableSolution, load

    try:
        solution = load(folder)
    except StorageError as error:
        raise InputError(str(error)) from error
    if isinstance(solution, CupTableSolution):
        raise InputError(
            f"{folder} holds strategies of {solution.n_players} players of {solution.rules.name}; "
            "the arena takes strategies of cup games of two"
        )
    return solution


def _read_bidding(
    args: argparse.Namespace,
    names: tuple[str, str],
    stored: "dict[str, BiddingSolution | CupSolution]",
) -> Contest:
    from liarsolve.game import Payoffs
    from liarsolve.play import READY_PLAYERS, StrategyPlayer
    from liarsolve.rules import Round
    from liarsolve.strategy import BiddingSolution

    if args.seats is not None:
        raise InputError("--seats is about cup games; in bidding --dice says how many players sit")
    opened: dict[str, BiddingSolution] = {}
    for folder, solution in stored.items():
        if not isinstance(solution, BiddingSolution):
            raise InputError(f"{folder} holds the cup game {solution.rules.name}, not bidding")
        opened[folder] = solution
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
    solved = _solve_bidding(args, round_, payoffs) if STRATEGY in names else None
    strategies = opened | ({} if solved is None else {STRATEGY: solved})
    first_player, second_player = (
        StrategyPlayer(strategies[name]) if name in strategies else READY_PLAYERS[name]()
        for name in names
    )
    return Contest(round_, payoffs, names, (first_player, second_player), solved)


def _solve_bidding(
    args: argparse.Namespace, round_: "Round", payoffs: "Payoffs"
) -> "BiddingSolution":
    """Solve a round within the limits; what is too large for them with imperfect recall."""
    from liarsolve.game import Payoffs, compile_graph
    from liarsolve.solvers import suggest_abstraction
    from liarsolve.strategy import solve

    right, wrong = payoffs.exact_right, payoffs.exact_wrong
    if (
        isinstance(right, tuple)
        or isinstance(wrong, tuple)
        or payoffs != Payoffs.for_exact_call((right, -wrong))
    ):
        raise InputError(
            f"{STRATEGY} cannot be solved for the payoffs of the other folder; solve it with "
            "liarsolve.solve, and save it"
        )
    seconds = MAX_SECONDS if args.max_seconds is None else args.max_seconds
    limits: dict[str, Any] = {"max_seconds": seconds, "max_memory": _MAX_MEMORY}
    abstraction = suggest_abstraction(compile_graph(round_), **limits)
    if abstraction is not None:
        limits["abstraction"] = abstraction
    with show_progress() as on_progress:
        solution = solve(
            round_.rules,
            round_.dice,
            target=TARGET if args.target is None else args.target,
            exact_payoff=(right, -wrong),
            palifico=round_.palifico,
            on_progress=on_progress,
            **limits,
        )
    _raise_if_interrupted(solution)
    return solution


def _read_cup(
    args: argparse.Namespace,
    names: tuple[str, str],
    stored: "dict[str, BiddingSolution | CupSolution]",
) -> Contest:
    from liarsolve.play import READY_PLAYERS, CupStrategyPlayer
    from liarsolve.rules import CupRound
    from liarsolve.strategy import CupSolution

    opened: dict[str, CupSolution] = {}
    for folder, solution in stored.items():
        if not isinstance(solution, CupSolution):
            raise InputError(f"{folder} holds {solution.rules.name}, a game of bidding, not a cup")
        opened[folder] = solution
    rules = _cup_rules_of(args, opened)
    n_seats = 2 if args.seats is None else args.seats
    if not 2 <= n_seats <= _MOST_SEATS:
        raise InputError(f"--seats is a whole number from 2 to {_MOST_SEATS}, got {n_seats}")
    if n_seats > 2 and (opened or STRATEGY in names):
        raise InputError(
            f"strategies of cup games are for two players, got --seats {n_seats}; leave it out, or "
            "let ready players meet"
        )
    solved = _solve_cup(args, rules) if STRATEGY in names else None
    strategies = opened | ({} if solved is None else {STRATEGY: solved})
    first_player, second_player = (
        CupStrategyPlayer(strategies[name]) if name in strategies else READY_PLAYERS[name]()
        for name in names
    )
    return Contest(CupRound(rules, n_seats), None, names, (first_player, second_player), solved)


def _cup_rules_of(args: argparse.Namespace, opened: "dict[str, CupSolution]") -> "CupRules":
    """Rules that the arguments ask for, or those of the folders, which have to agree with them."""
    from liarsolve.game.cup.compile import without_idle_passes
    from liarsolve.rules import CupRules

    first = next(iter(opened.values()), None)
    if first is None or args.rules is not None or args.set_options or args.faces is not None:
        rules = any_rules_from(args, preset=None if args.rules or first is None else first.rules)
    else:
        rules = first.rules
    assert isinstance(rules, CupRules)
    refuse_bidding_arguments(args, rules.name)
    if args.computed:
        raise InputError(f"{rules.name} is a cup game, and --computed is about bidding")
    wanted = (rules.round_rules, without_idle_passes(rules).round_rules)
    for folder, solution in opened.items():
        if solution.rules.round_rules not in wanted:
            raise InputError(
                f"{folder} holds {solution.rules.name}, not {rules.name}; leave out the rules, or "
                "choose another folder"
            )
    return rules


def _solve_cup(args: argparse.Namespace, rules: "CupRules") -> "CupSolution":
    from liarsolve.strategy import solve

    with show_cup_progress() as on_progress:
        solution = solve(
            rules,
            target=TARGET if args.target is None else args.target,
            max_seconds=MAX_SECONDS if args.max_seconds is None else args.max_seconds,
            on_progress=on_progress,
        )
    _raise_if_interrupted(solution)
    return solution


def _raise_if_interrupted(solution: "BiddingSolution | CupSolution") -> None:
    """After Ctrl-C nothing was played that could be printed."""
    from liarsolve.solvers import StopReason

    if solution.stop is StopReason.INTERRUPTED:
        raise KeyboardInterrupt


def _refuse_unlike(
    folder: str, first: "BiddingSolution", other_folder: str, other: "BiddingSolution"
) -> None:
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

"""The part of ``liarsolve solve`` that is about cup games."""

import argparse
from typing import TYPE_CHECKING

from liarsolve.cli._json import print_json
from liarsolve.cli._page import print_text
from liarsolve.cli._progress import format_seconds, show_cup_progress, show_status
from liarsolve.cli._solver_arguments import speak_of_options
from liarsolve.cli.bidding.certificate import format_bounds, format_exploitability
from liarsolve.cli.cup.arguments import (
    check_size,
    cup_rules_from,
    name_items,
    players_from,
    refuse_bidding_arguments,
    target_from,
)
from liarsolve.cli.cup.layout import print_rows
from liarsolve.cli.cup.opening import show_cup_opening
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from liarsolve.strategy.cup.solution import CupSolution
    from liarsolve.strategy.cup.table import CupTableSolution


def check_cup_arguments(args: argparse.Namespace) -> None:
    """Refuse arguments that would do nothing in a cup game."""
    refuse_bidding_arguments(args, args.rules)
    if players_from(args) > 2 and args.exact:
        raise InputError(
            f"--exact solves rounds of two players in fractions, got --players {args.players}; "
            "leave it out"
        )
    if args.prove:
        raise InputError("--exact proves the value of a cup game, so --prove would do nothing")
    if args.exact:
        for name in ("target", "max_seconds"):
            if getattr(args, name) is not None:
                flag = name.replace("_", "-")
                raise InputError(f"--exact solves in fractions, so --{flag} would do nothing")


def solve_cup_from(
    args: argparse.Namespace, *, target: float
) -> "tuple[CupSolution | CupTableSolution, float | None, str | None]":
    """Solve as the arguments ask for; also the target, if there was one, and what was left out."""
    from liarsolve.strategy import solve
    from liarsolve.strategy.cup.solve import solve_cup_round_exactly

    rules, note = cup_rules_from(args)
    check_size(rules)
    if args.exact:
        with show_status("solving in fractions"):
            return solve_cup_round_exactly(rules), None, note
    target = target_from(args, target)
    with show_cup_progress() as on_progress:
        solution = solve(
            rules,
            players=players_from(args),
            target=target,
            max_seconds=args.max_seconds,
            on_progress=on_progress,
        )
    return solution, target, note


def show_cup(
    solution: "CupSolution | CupTableSolution",
    target: float | None,
    note: str | None,
    folder: str | None,
) -> None:
    """Print what is proved about a solution, what it took, and how a round is opened."""
    from liarsolve.cli.cup.table_words import show_table_solution
    from liarsolve.strategy.cup.table import CupTableSolution

    if isinstance(solution, CupTableSolution):
        show_table_solution(solution, target, folder)
        return
    print_text(describe_cup(solution))
    print()
    rows = cup_certificate_rows(solution, target, note)
    print_rows([*rows, *([] if folder is None else [("saved", folder)])])
    print()
    show_cup_opening(solution)


def print_cup_json(
    solution: "CupSolution | CupTableSolution",
    target: float | None,
    note: str | None,
    folder: str | None,
) -> None:
    """Print everything that is known but the strategy as one JSON object."""
    more = {"target": target, "note": note, "folder": folder}
    print_json("solve", solution.to_dict() | more, kind="cup")


def describe_cup(solution: "CupSolution") -> str:
    """Name the game in one line."""
    rules = solution.rules
    n_claims = len(rules.claims)
    items = name_items(rules, rules.equipment.n_items)
    return f"{rules.name}: {items} under one cup, {n_claims} claims, two players"


def cup_certificate_rows(
    solution: "CupSolution", target: float | None, note: str | None
) -> list[tuple[str, str]]:
    """List what is proved and what it took, as pairs of a heading and a text."""
    result = solution.result
    distance = format_exploitability(solution.exploitability)
    if target is not None:
        distance += f" (target {target:g})"
    memory = f"{max(result.peak_memory_mb, 0.1):,.{1 if result.peak_memory_mb < 10 else 0}f} MB"
    rows = [
        *_value_rows(solution),
        ("exploitability", distance),
        ("states", f"{solution.n_states:,}: a hand, and the claim it was accepted with"),
        ("work", f"{result.n_stages:,} stages, {format_seconds(result.seconds)}, {memory}"),
        ("stopped", describe_stop(solution)),
    ]
    if note is not None:
        rows.append(("note", note))
    return rows


def _value_rows(solution: "CupSolution") -> list[tuple[str, str]]:
    """Say what a round is worth: a fraction if one is proved, else bounds."""
    value, chance = solution.exact_value, solution.exact_win_probability
    if value is None or chance is None:
        bounds = _join_bounds((100 * solution.win_bounds[0], 100 * solution.win_bounds[1]))
        return [
            ("value", f"{_join_bounds(solution.value_bounds)} for the first player"),
            ("they win", f"{bounds} % of the rounds"),
        ]
    return [
        (
            "value",
            f"{value} ({float(value):.9f}) for the first player, proved in rational arithmetic",
        ),
        ("they win", f"{chance} of the rounds ({100 * float(chance):.7f} %)"),
    ]


def describe_stop(solution: "CupSolution") -> str:
    """Say why the solver stopped."""
    if solution.exact_value is not None:
        return "the value is proved as a fraction"
    return speak_of_options(solution.stop.value)


def _join_bounds(bounds: tuple[float, float]) -> str:
    low, high = format_bounds(*bounds)
    return low if low == high else f"{low} to {high}"

"""What is proved about a solution, in words."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

from liarsolve.cli._progress import format_seconds

if TYPE_CHECKING:
    from liarsolve.rules import Round
    from liarsolve.strategy import Solution

_MOST_DECIMALS = 9
_UNMEASURED_STOPS = {
    "iteration_limit": "max_iterations were done; whether the target is reached is not known",
    "time_limit": "max_seconds were used up; whether the target is reached is not known",
    "interrupted": "interrupted; how good the strategies are is not known",
}
"""Why a solver stopped that could not measure what it reached."""


def format_bounds(lower: float, upper: float) -> tuple[str, str]:
    """Write a bracket with two digits of its width, rounded outward so that it stays true.

    >>> format_bounds(0.2747451, 0.2748881)
    ('0.27474', '0.27489')
    """
    width = upper - lower
    decimals = _MOST_DECIMALS
    if width > 0.0:
        decimals = min(max(2, 1 - math.floor(math.log10(width))), _MOST_DECIMALS)
    unit = Decimal(1).scaleb(-decimals)
    low = Decimal(lower).quantize(unit, ROUND_FLOOR)
    high = Decimal(upper).quantize(unit, ROUND_CEILING)
    return f"{low:f}", f"{high:f}"


def format_exploitability(value: float) -> str:
    """Write an exploitability; rounding may have left a linear program a little below zero.

    >>> format_exploitability(9.1234e-05), format_exploitability(-1e-17)
    ('9.12e-05', '0')
    """
    return f"{max(value, 0.0):.3g}"


def pays_by_winning(solution: "Solution") -> bool:
    """Whether of two the winner gets +1 and the loser -1, so that values are chances to win."""
    from liarsolve.game import Payoffs

    return solution.has_value and solution.result.payoffs == Payoffs()


def describe_game(solution: "Solution") -> str:
    """Name rules and dice of a solution in one line."""
    return describe_round(solution.result.tree.graph.round)


def describe_round(round_: "Round") -> str:
    """Name rules and dice in one line.

    >>> from liarsolve.rules import Round, presets
    >>> describe_round(Round(presets.PERUDO, (2, 1), palifico=True))
    'perudo: 2 dice against 1, 6 faces, palifico round'
    """
    rules, (first, *others) = round_.rules, round_.dice
    against = " against ".join(map(str, others))
    words = f"{rules.name}: {first} {'die' if first == 1 else 'dice'} against {against}"
    if "faces=" not in rules.name:
        words += f", {rules.faces} faces"
    return words + (", palifico round" if round_.palifico else "")


def certificate_rows(solution: "Solution", target: float | None) -> list[tuple[str, str]]:
    """List what is proved and what it took, as pairs of a heading and a text."""
    from liarsolve.game import measure_complete_tree

    result = solution.result
    n_states = result.tree.n_states
    n_complete = measure_complete_tree(result.tree.graph).n_states
    name = "exploitability" if solution.has_value else "nash_conv"
    distance = "not measured"
    if solution.is_measured:
        distance = format_exploitability(getattr(solution, name))
    if solution.lower_bound is not None:
        distance = f"{solution.lower_bound.value:.3g} or more, {distance} or less"
    if target is not None:
        distance += f" (target {target:g})"
    states = f"{n_states:,}"
    if solution.abstraction is not None:
        states += f" that players with {solution.abstraction} tell apart"
    elif n_states < n_complete:
        shown = f"{n_complete:,}" if n_complete < 1e12 else f"{n_complete:.3g}"
        states += f" of the {shown} public states of the round"
    if not solution.is_measured:
        rows = [("values", "not measured")]
    elif not solution.has_value:
        rows = [("values", _describe_values(solution)), ("could gain", _describe_gains(solution))]
    else:
        rows = [("value", _describe_value(solution))]
    if solution.exact_value is not None:
        rows.append(("exactly", f"{solution.exact_value}, proved in rational arithmetic"))
    if solution.abstraction is not None:
        rows.append(("rests on", solution.rests_on))
    return [
        *rows,
        (name, distance),
        ("states", states),
        ("work", _describe_work(solution)),
        ("stopped", describe_stop(solution)),
    ]


def describe_stop(solution: "Solution") -> str:
    """Say why the solver stopped, with the measure that the target was about."""
    if solution.result.is_traversed is False:
        words = _UNMEASURED_STOPS.get(solution.stop.name.lower(), solution.stop.name.lower())
        if not solution.is_measured:
            return words
        return words.partition(";")[0] + "; what the strategies lose lies between the bounds"
    name = "exploitability" if solution.has_value else "nash_conv"
    return solution.stop.value.replace("exploitability", name)


def _describe_value(solution: "Solution") -> str:
    is_traversed = solution.result.is_traversed is not False
    if (
        not is_traversed
        and min(solution.value_bounds) <= -1.0
        and max(solution.value_bounds) >= 1.0
    ):
        return "nothing is known of it"
    lower, upper = format_bounds(*solution.value_bounds)
    words = f"{lower} to {upper} for the first bidder"
    if pays_by_winning(solution) and is_traversed:
        middle = sum(solution.value_bounds) / 2
        decimals = 1 if solution.nash_conv < 0.01 else 0
        words += f", who wins {50 * (1 + middle):.{decimals}f} %"
    return words


def _describe_values(solution: "Solution") -> str:
    seats = [f"seat {seat} {value:+.4f}" for seat, value in enumerate(solution.values, 1)]
    return ", ".join(seats) + "; of these strategies, others may be worth other amounts"


def _describe_gains(solution: "Solution") -> str:
    gains = [f"seat {seat} {format_exploitability(gain)}" for seat, gain in _gains(solution)]
    return ", ".join(gains) + ", each alone at the most"


def _gains(solution: "Solution") -> "list[tuple[int, float]]":
    br_values = solution.result.certificate.br_values
    pairs = zip(br_values, solution.values, strict=True)
    return [(seat, best - value) for seat, (best, value) in enumerate(pairs, 1)]


def _describe_work(solution: "Solution") -> str:
    result = solution.result
    time = format_seconds(result.seconds)
    if result.method == "lp":
        return f"linear program, {time}"
    noun = "iteration" if result.iterations == 1 else "iterations"
    memory = f"{result.peak_memory_mb:,.{1 if result.peak_memory_mb < 10 else 0}f} MB"
    return f"{result.iterations:,} {noun} ({result.method}), {time}, {memory}"

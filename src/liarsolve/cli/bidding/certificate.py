"""What is proved about a solution, in words."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

from liarsolve.cli._progress import format_seconds
from liarsolve.cli._solver_arguments import speak_of_options

if TYPE_CHECKING:
    from liarsolve.rules import Round
    from liarsolve.strategy import BiddingSolution

_MOST_DECIMALS = 9
_VISIBLE = 5e-5
"""What shows in values that are written with four digits."""
_WIDE = 2.0
"""Per cent of rounds between the bounds from which on both are said."""
_UNMEASURED_STOPS = {
    "iteration_limit": "max_iterations came first; whether the target is reached is not known",
    "time_limit": "max_seconds came first; whether the target is reached is not known",
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


def pays_by_winning(solution: "BiddingSolution") -> bool:
    """Whether of two the winner gets +1 and the loser -1, so that values are chances to win."""
    from liarsolve.game import Payoffs

    return solution.value_bounds is not None and solution.result.payoffs == Payoffs()


def measure_name(solution: "BiddingSolution") -> str:
    """Name what the target was about."""
    return "nash_conv" if solution.exploitability is None else "exploitability"


def format_measure(solution: "BiddingSolution") -> str:
    """Write what the target was about; where best responses were cut short it is at most that."""
    distance = solution.exploitability
    distance = solution.nash_conv if distance is None else distance
    return "not measured" if distance is None else format_exploitability(distance)


def describe_game(solution: "BiddingSolution") -> str:
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


def certificate_rows(solution: "BiddingSolution", target: float | None) -> list[tuple[str, str]]:
    """List what is proved and what it took, as pairs of a heading and a text."""
    from liarsolve.game import measure_complete_tree

    result = solution.result
    n_states = result.tree.n_states
    n_complete = measure_complete_tree(result.tree.graph).n_states
    distance = format_measure(solution)
    if solution.lower_bound is not None:
        distance = f"{solution.lower_bound.value:.3g} or more, {distance} or less"
    if target is not None:
        distance += f" (target {target:g})"
    states = f"{n_states:,}"
    if solution.abstraction is not None:
        refined = ", refined," if solution.is_refined else ""
        states += f" that players with {solution.abstraction}{refined} tell apart"
    elif n_states < n_complete:
        shown = f"{n_complete:,}" if n_complete < 1e12 else f"{n_complete:.3g}"
        states += f" of the {shown} public states of the round"
    rows = _value_rows(solution)
    if solution.exact_value is not None:
        rows.append(("exactly", f"{solution.exact_value}, proved in rational arithmetic"))
    if solution.abstraction is not None:
        rows.append(("rests on", solution.rests_on))
    return [
        *rows,
        (measure_name(solution), distance),
        ("states", states),
        ("work", _describe_work(solution)),
        ("stopped", describe_stop(solution)),
    ]


def describe_stop(solution: "BiddingSolution") -> str:
    """Say why the solver stopped, with the measure that the target was about, and with options."""
    from liarsolve.solvers import BoundedLoss, Unmeasured

    reason = _UNMEASURED_STOPS.get(solution.stop.name.lower(), solution.stop.name.lower())
    match solution.certificate:
        case Unmeasured():
            pass
        case BoundedLoss():
            known = reason.partition(";")[0]
            reason = f"{known}; what the strategies lose lies between the bounds"
        case _:
            reason = solution.stop.value.replace("exploitability", measure_name(solution))
    return speak_of_options(reason)


def _value_rows(solution: "BiddingSolution") -> list[tuple[str, str]]:
    from liarsolve.solvers import BoundedLoss, Certificate, ProfileCertificate, Unmeasured

    match solution.certificate:
        case Unmeasured():
            return [("values", "not measured")]
        case ProfileCertificate() if solution.values is None:
            return [("values", "not known: too much was left out by then")]
        case ProfileCertificate(values=values, br_values=br_values):
            seats = [f"seat {seat} {value:+.4f}" for seat, value in enumerate(values, 1)]
            gains = [
                f"seat {seat} {format_exploitability(best - value)}"
                for seat, (best, value) in enumerate(zip(br_values, values, strict=True), 1)
            ]
            those = "of these strategies, others may be worth other amounts"
            if solution.left_out > _VISIBLE:
                those = f"at the least, of these strategies; {solution.left_out:.1e} was left out"
            return [
                ("values", f"{', '.join(seats)}; {those}"),
                ("could gain", f"{', '.join(gains)}, each alone at the most"),
            ]
        case BoundedLoss():
            assert solution.value_bounds is not None
            low, high = solution.value_bounds
            if low <= -1.0 and high >= 1.0:
                return [("value", "nothing is known of it")]
            return [("value", _describe_bounds(solution.value_bounds))]
        case Certificate(nash_conv=nash_conv):
            assert solution.value_bounds is not None
            words = _describe_bounds(solution.value_bounds)
            if pays_by_winning(solution):
                low, high = (50 * (1 + bound) for bound in solution.value_bounds)
                if high - low > _WIDE:
                    words += f", who wins {low:.0f} to {high:.0f} %"
                else:
                    decimals = 1 if nash_conv < 0.01 else 0
                    words += f", who wins {(low + high) / 2:.{decimals}f} %"
            return [("value", words)]


def _describe_bounds(bounds: tuple[float, float]) -> str:
    lower, upper = format_bounds(*bounds)
    return f"{lower} to {upper} for the first bidder"


def _describe_work(solution: "BiddingSolution") -> str:
    result = solution.result
    time = format_seconds(result.seconds)
    if result.method == "lp":
        return f"linear program, {time}"
    noun = "iteration" if result.iterations == 1 else "iterations"
    memory = f"{result.peak_memory_mb:,.{1 if result.peak_memory_mb < 10 else 0}f} MB"
    return f"{result.iterations:,} {noun} ({result.method}), {time}, {memory}"

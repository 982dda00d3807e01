"""Cup games with three or more players in words, for ``solve`` and ``advise``."""

from typing import TYPE_CHECKING

from liarsolve.cli._page import print_text
from liarsolve.cli._progress import format_seconds
from liarsolve.cli._solver_arguments import speak_of_options
from liarsolve.cli.bidding.certificate import format_exploitability
from liarsolve.cli.cup.arguments import name_items
from liarsolve.cli.cup.layout import print_rows
from liarsolve.cli.cup.opening import show_cup_opening
from liarsolve.cli.cup.words import describe_known, describe_offer, recommend, show_played
from liarsolve.rules import format_cup_action
from liarsolve.strategy.cup.analysis import weigh_offer
from liarsolve.strategy.cup.situation import CupSituation, Question
from liarsolve.strategy.cup.table_strategy import CupTableStrategy

if TYPE_CHECKING:
    from liarsolve.strategy.cup.table import CupTableSolution


def show_table_solution(
    solution: "CupTableSolution", target: float | None, folder: str | None
) -> None:
    """Print what every seat gets, what is known about it, and how a round is opened."""
    rules, n_players = solution.rules, solution.n_players
    items = name_items(rules, rules.equipment.n_items)
    print_text(
        f"{rules.name}: {items} under one cup, {len(rules.claims)} claims, {n_players} players"
    )
    print()
    print_rows([*_rows(solution, target), *([] if folder is None else [("saved", folder)])])
    print()
    if isinstance(solution.strategy, CupTableStrategy):
        show_cup_opening(solution.strategy)


def _rows(solution: "CupTableSolution", target: float | None) -> list[tuple[str, str]]:
    br_values, nash_conv = solution.br_values, solution.nash_conv
    values = [f"seat {seat} {value:+.4f}" for seat, value in enumerate(solution.values, 1)]
    gains = "not measured"
    if br_values is not None:
        pairs = zip(br_values, solution.values, strict=True)
        gains = ", ".join(
            f"seat {seat} {format_exploitability(best - value)}"
            for seat, (best, value) in enumerate(pairs, 1)
        )
        gains += ", each alone at the most"
    distance = "not measured" if nash_conv is None else format_exploitability(nash_conv)
    if target is not None:
        distance += f" (target {target:g})"
    unit = "claims accepted last" if solution.is_unseen else "information sets"
    result = solution.result
    memory = f"{max(result.peak_memory_mb, 0.1):,.1f} MB"
    return [
        ("values", f"{', '.join(values)}; the loser of a round pays 1, which the others share"),
        ("could gain", gains),
        ("nash_conv", distance),
        ("states", f"{solution.n_states:,} {unit}"),
        (
            "work",
            f"{solution.iterations:,} iterations, {format_seconds(solution.seconds)}, {memory}",
        ),
        ("stopped", describe_table_stop(solution)),
        ("approximate", "; ".join(solution.approximations)),
    ]


def describe_table_stop(solution: "CupTableSolution") -> str:
    """Say why the solver stopped, with the measure that the target was about."""
    words = solution.stop.value.replace("certified exploitability", "exploitability")
    return speak_of_options(words.replace("exploitability", "nash_conv"))


def report_table_advice(solution: "CupTableSolution", situation: CupSituation) -> dict[str, object]:
    """Gather the advice as plain values for JSON."""
    strategy, rules = solution.asked, solution.rules
    advice = strategy.advise(situation)
    p_true = None
    if situation.offered is not None:
        p_true = strategy.p_true(situation)
    return (
        solution.to_dict()
        | {
            "question": situation.question.value,
            "seat": situation.seat,
            "is_claim_assumed": False,
        }
        | describe_known(situation)
        | {
            "win_bounds_here": None,
            "p_true": p_true,
            "advice": [
                {
                    "action": format_cup_action(a.action, rules),
                    "probability": a.probability,
                    "expected_value": a.expected_value,
                    "win_probability": None,
                    "loss_probability": a.loss_probability,
                }
                for a in advice
            ],
        }
    )


def show_table_advice(
    solution: "CupTableSolution", situation: CupSituation, *, show_all: bool
) -> None:
    """Print the recommendation, the odds, the actions and what the answer rests on."""
    strategy, rules = solution.asked, solution.rules
    advice = strategy.advise(situation)
    print_text(recommend(situation, [(a.action, a.probability) for a in advice]))
    if situation.question is Question.ANSWER:
        print_text(describe_offer(weigh_offer(strategy, situation), situation))
    show_played(
        [(format_cup_action(a.action, rules), a.probability, a.loss_probability) for a in advice],
        "you lose",
        show_all=show_all,
    )
    sentences = [f"{words[0].upper()}{words[1:]}." for words in solution.approximations]
    print_text(
        f"This is how all {solution.n_players} players should play if each looks after themselves. "
        + " ".join(sentences)
    )

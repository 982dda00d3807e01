"""How the strategy of a cup game opens a round, as a table."""

from typing import TYPE_CHECKING

from liarsolve.cli.cup.layout import list_mixture, print_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from liarsolve.claims import Claim
    from liarsolve.rules import CupRules
    from liarsolve.strategy.cup.solution import CupSolution
    from liarsolve.strategy.cup.table_strategy import CupTableStrategy

_MOST_CLAIMS = 20
"""Of more, the row of all hands only says how many there are."""
_RARE = 1e-4
"""A claim that comes less often does not count as made."""


def show_cup_opening(solution: "CupSolution | CupTableStrategy") -> None:
    """Print what the first player claims with what they throw, and what the hands are worth."""
    from liarsolve.strategy.cup.opening import tabulate_cup_opening

    rules, opening = solution.rules, tabulate_cup_opening(solution)
    title = "What the first player claims"
    if len(opening.rows) < opening.n_hands:
        title += f": {len(opening.rows)} of {opening.n_hands} hands"
    is_two_player = opening.win_probability is not None
    rows = [
        (
            rules.format_hand(row.hand),
            _percent(row.loss_probability if row.win_probability is None else row.win_probability),
            _list_claims(row.probs, rules),
        )
        for row in opening.rows
    ]
    if opening.win_probability is not None:
        rows.append(("all", _percent(opening.win_probability), _sum_up(opening.probs, rules)))
    headings = ("hand", "wins" if is_two_player else "loses", "claims")
    print_table(headings, rows, right=(True, True, False), title=title, total=is_two_player)


def _sum_up(probs: "Mapping[Claim, float]", rules: "CupRules") -> str:
    """List claims, or say how many there are if they are many."""
    n_made = sum(p >= _RARE for p in probs.values())
    if n_made > _MOST_CLAIMS:
        return f"{n_made} claims, each at most {100 * max(probs.values()):.1f} %"
    return _list_claims(probs, rules)


def _list_claims(probs: "Mapping[Claim, float]", rules: "CupRules") -> str:
    return list_mixture({rules.format_claim(claim): p for claim, p in probs.items()})


def _percent(chance: float) -> str:
    return f"{100 * chance:.1f} %"

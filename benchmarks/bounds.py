"""Best responses traversed in full, and bounded: ``python benchmarks/bounds.py``.

Prints states, seconds and exploitability of a certificate by traversal and by branch and bound, for
strategies that some iterations have led to: 2 v 2 and 3 v 3 ``common`` with recall 3, and 3 v 3
``liars_dice`` with recall 2. ``--only common`` keeps to one preset, ``--dice 3,3`` to one
size, ``--iterations 300`` solves longer. ``--max-visits 1e7`` is where a response is cut off; what
it has not come to then counts in full.
"""

import argparse
from time import perf_counter

from games import describe_machine

from liarsolve import Recall, solve
from liarsolve.game import StrategyProfile
from liarsolve.rules import get_preset
from liarsolve.solvers.imperfect_recall.full_game import traverse_full_game
from liarsolve.solvers.two_player.bounded_response import bound_response

ROWS = (("common", (2, 2), 3), ("common", (3, 3), 3), ("liars_dice", (3, 3), 2))
"""Rules, dice and the bids that are remembered."""
_GAP = 0.01
"""Distance of the bounds, as a share of the upper one, at which a search ends."""
_LEAST_GAP = 1e-7
_HEADINGS = ("game", "recall", "method", "states", "seconds", "exploitability")
_WIDTHS = (16, 6, 16, 14, 9, 20)


def print_cells(*cells: str) -> None:
    """Print one line of the table, at once."""
    print(*(cell.rjust(width) for cell, width in zip(cells, _WIDTHS, strict=True)), flush=True)


def traverse(profile: StrategyProfile, max_visits: int) -> tuple[str, str, str]:
    """States, seconds and exploitability by a traversal of every state that play reaches."""
    started = perf_counter()
    found = [traverse_full_game(profile, player, max_visits=max_visits) for player in range(2)]
    seconds = perf_counter() - started
    most = sum(value for value, _ in found) / 2
    is_cut = any(n_visits >= max_visits for _, n_visits in found)
    words = f"at most {most:.6f}" if is_cut else f"{most:.6f}"
    return f"{sum(n_visits for _, n_visits in found):,}", f"{seconds:.2f}", words


def bound(profile: StrategyProfile, max_visits: int) -> tuple[str, str, str]:
    """The same by branch and bound, one player after the other; all searches are counted."""
    started, gap, n_visits = perf_counter(), _GAP, 0
    while True:
        found = [
            bound_response(profile, player, gap=gap, max_visits=max_visits) for player in range(2)
        ]
        n_visits += sum(response.n_visits for response in found)
        least, most = (sum(ends) / 2 for ends in zip(*((f.lo, f.hi) for f in found), strict=True))
        is_cut = any(response.n_visits >= max_visits // 2 for response in found)
        if most - least <= _GAP * most or gap < _LEAST_GAP or is_cut:
            break
        gap = min(gap / 2, _GAP * max(least, _LEAST_GAP))  # now it is known what a share of it is
    seconds = perf_counter() - started
    return f"{n_visits:,}", f"{seconds:.2f}", f"{max(least, 0.0):.6f}..{most:.6f}"


def main() -> None:
    """Solve each round for some iterations, and certify the strategies twice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="RULES", help="keep to one preset")
    parser.add_argument("--dice", metavar="A,B", help="keep to one size")
    parser.add_argument("--iterations", type=int, default=100, help="of each row (100)")
    parser.add_argument("--max-visits", type=float, default=5e7, help="states of a response (5e7)")
    args = parser.parse_args()
    print(describe_machine())
    print_cells(*_HEADINGS)
    for rules, dice, n_bids in ROWS:
        if args.only not in (None, rules) or args.dice not in (None, "{},{}".format(*dice)):
            continue
        profile = solve(
            get_preset(rules), dice, abstraction=Recall(n_bids), max_iterations=args.iterations
        ).result.profile
        name = f"{rules} {dice[0]} v {dice[1]}"
        for method, certify in (("traversal", traverse), ("branch and bound", bound)):
            cells = certify(profile, int(args.max_visits))
            print_cells(name, str(n_bids), method, *cells)


if __name__ == "__main__":
    main()

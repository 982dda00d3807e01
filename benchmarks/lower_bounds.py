"""What strategies lose at least, beside what they lose: ``python benchmarks/lower_bounds.py``.

Solves a round for players who remember the last bids only, and prints lower bounds of their loss by
each kind of responder, with the processor time that they took. Where the best response can be
computed, the loss itself stands before them: no bound is above it, but by chance. ``--dice 5,5
--recall 3 --iterations 30`` is a round where it cannot be computed.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

from games import describe_machine

from liarsolve.game import Recall, StrategyProfile, compile_graph
from liarsolve.rules import Round, get_preset
from liarsolve.solvers import (
    Limits,
    LowerBound,
    SolveResult,
    measure_lower_bound,
    solve_abstraction,
)
from liarsolve.solvers.imperfect_recall.abstract_response import find_response, refine_response

Row = tuple[str, Callable[[SolveResult], LowerBound | float]]


def evaluate_replies(result: SolveResult, recall: int, n_refined: int = 0) -> float:
    """Half of what both replies earn, exactly."""
    tree, total = result.tree, 0.0
    for player in range(2):
        response = find_response(
            StrategyProfile(tree, result.strategy, result.payoffs), player, recall=recall
        )
        if n_refined:
            response = refine_response(response, n_refined)
        total += float(tree.graph.hand_probs[player] @ response.evaluate(threshold=1e-10))
    return total / 2


def rows(recall: int, more: int, n_refined: int, n_deals: int) -> list[Row]:
    """Every kind of responder, by what it remembers."""

    def local(**options: Any) -> Callable[[SolveResult], LowerBound]:
        return lambda result: measure_lower_bound(
            result.profile, n_deals=n_deals, n_threads=1, **options
        )

    replies: list[Row] = [
        (f"reply with recall {k}", lambda result, k=k: evaluate_replies(result, k))
        for k in range(recall, recall + more + 1)
    ]
    return [
        *replies,
        (
            f"the first, {n_refined:,} likely sequences refined",
            lambda result: evaluate_replies(result, recall, n_refined),
        ),
        ("local best response", local(max_memory=1.0)),
        ("the same, guided by the first reply", local(recall=recall, n_refined=0)),
        ("what a solve would print", local()),
    ]


def main() -> None:
    """Solve and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="common", help="preset (default: common)")
    parser.add_argument("--dice", default="2,2", help="dice of both players (default: 2,2)")
    parser.add_argument("--recall", default="1,2,3", help="bids remembered (default: 1,2,3)")
    parser.add_argument("--iterations", type=int, default=500, help="of the solver (default: 500)")
    parser.add_argument("--more", type=int, default=2, help="bids that a reply remembers beside")
    parser.add_argument("--refined", type=int, default=5_000, help="sequences (default: 5000)")
    parser.add_argument("--deals", type=int, default=5_000, help="of each seat (default: 5000)")
    args = parser.parse_args()
    graph = compile_graph(
        Round(get_preset(args.rules), tuple(int(n) for n in args.dice.split(",")))
    )
    print(describe_machine())
    for recall in map(int, args.recall.split(",")):
        result = solve_abstraction(
            graph, Recall(recall), limits=Limits(target=0, max_iterations=args.iterations)
        )
        loss = (
            f"lose {result.certificate.exploitability:.4f}"
            if result.is_traversed
            else "not computed"
        )
        print(f"{args.rules} {args.dice}, recall {recall}, {result.iterations} iterations: {loss}")
        for name, measure in rows(recall, args.more, args.refined, args.deals):
            started = time.process_time()
            bound = measure(result)
            seconds = time.process_time() - started
            if isinstance(bound, LowerBound):
                words = f"{bound.value:.4f}"
                if bound.n_deals:
                    words += f" ({bound.lo:.4f} to {bound.hi:.4f})"
            else:
                words = f"{bound:.4f}"
            print(f"  {name:<46} {words:<28} {seconds:6.1f} s", flush=True)


if __name__ == "__main__":
    main()

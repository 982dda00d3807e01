"""What an opponent model brings in rounds of more than two players.

``python benchmarks/opponent_model.py --rules common --shares 0,0.1`` solves a round for every
opponent-model probability, as long each time, and lets each strategy meet the first one and
the ready players: the challenger sits in every seat in turn, the others are rivals.
"""

import argparse
from typing import TYPE_CHECKING

from games import describe_machine

from liarsolve import HonestPlayer, ProbabilityPlayer, Recall, Round, StrategyPlayer, head_to_head
from liarsolve.game import compile_graph
from liarsolve.rules import get_preset
from liarsolve.solvers import AbstractionOptions, Limits, solve_abstraction
from liarsolve.strategy import Strategy

if TYPE_CHECKING:
    from liarsolve.play import Player


def main() -> None:
    """Solve and play, and print one line for each contest."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="common", help="preset (common)")
    parser.add_argument("--dice", default="5,5,5,5", help="dice of each player (5,5,5,5)")
    parser.add_argument("--recall", type=int, default=1, help="bids remembered (1)")
    parser.add_argument(
        "--shares", default="0,0.1,0.2", help="opponent-model probabilities (0,0.1,0.2)"
    )
    parser.add_argument("--seconds", type=float, default=30.0, help="time for each solve (30)")
    parser.add_argument("--deals", type=int, default=800, help="deals of each contest (800)")
    args = parser.parse_args()
    round_ = Round(get_preset(args.rules), tuple(map(int, args.dice.split(","))))
    graph = compile_graph(round_)
    print(describe_machine())
    first: Player | None = None
    for share in map(float, args.shares.split(",")):
        result = solve_abstraction(
            graph,
            Recall(args.recall),
            limits=Limits(target=0, max_seconds=args.seconds),
            options=AbstractionOptions(max_visits=1, opponent_model_prob=share),
        )
        player = StrategyPlayer(Strategy(result.tree, result.strategy, result.payoffs))
        rivals: dict[str, Player] = {"by the odds": ProbabilityPlayer(), "honest": HonestPlayer()}
        if first is not None:
            rivals["the first"] = first
        first = first or player
        for name, rival in rivals.items():
            utility = head_to_head(round_, player, rival, n_deals=args.deals, rng=1).utility
            print(
                f"{args.rules} {args.dice} recall {args.recall}, {result.iterations} iterations, "
                f"share {share:g} against {name}: "
                f"{utility.mean:+.3f} ({utility.lo:+.3f} to {utility.hi:+.3f})",
                flush=True,
            )


if __name__ == "__main__":
    main()

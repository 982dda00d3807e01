"""One iteration of CFR+ beside OpenSpiel's C++ solver, in the same run.

Run with ``python benchmarks/peers.py``. OpenSpiel comes with ``pip install 'liarsolve[bench]'``.
An iteration is alternating: both players update once. Both programs run the same algorithm; the
first line shows it by what they have reached after some iterations. The last numbers of a line say
how many bytes of the arrays an iteration moves at least, per second, beside what copying a large
array moves in the same run. The last line is about players who remember four bids, OpenSpiel's
``liars_dice_ir``.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import pyspiel
from games import describe_machine, graph_of, imperfect_recall_solver, textbook_solver

from liarsolve.solvers import AbstractionCFR, CFRSolver

GAMES = (((1, 1), 6), ((2, 2), 3))
CHECKED_ITERATIONS = 20


def load_peer(dice: tuple[int, int], faces: int) -> pyspiel.Game:
    """OpenSpiel's game; it plays by the rules of the preset ``openspiel``."""
    return pyspiel.load_game(f"liars_dice(numdice={dice[0]},dice_sides={faces})")


def compare_progress(dice: tuple[int, int], faces: int, n_iterations: int) -> tuple[float, float]:
    """NashConv after the same number of iterations: ours, and OpenSpiel's by its own measure."""
    ours = textbook_solver(graph_of("openspiel", dice, faces=faces))
    game = load_peer(dice, faces)
    peer = pyspiel.CFRPlusSolver(game)
    for _ in range(n_iterations):
        ours.step()
        peer.evaluate_and_update_policy()
    return ours.certify().nash_conv, pyspiel.nash_conv(game, peer.average_policy())


def seconds_of(step: Callable[[], None], budget: float) -> tuple[float, float, int]:
    """Fastest and median time of a call, of as many as fit into ``budget`` seconds."""
    step()  # the first call compiles, and creates the tree
    times: list[float] = []
    while sum(times) < budget:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return min(times), sorted(times)[len(times) // 2], len(times)


def compare_times(
    solver: CFRSolver | AbstractionCFR, game: pyspiel.Game, budget: float
) -> tuple[float, str]:
    """Fastest iteration of ours in seconds, and a sentence about it and OpenSpiel's CFR+."""
    peer = pyspiel.CFRPlusSolver(game)
    best, median, n = seconds_of(solver.step, budget)
    peer_best, peer_median, peer_n = seconds_of(peer.evaluate_and_update_policy, budget)
    return best, (
        f"liarsolve {1e3 * best:.2f} ms (median {1e3 * median:.2f} of {n}), "
        f"OpenSpiel {1e3 * peer_best:.0f} ms (median {1e3 * peer_median:.0f} of {peer_n}); "
        f"ratio {peer_best / best:.0f} (of medians {peer_median / median:.0f})"
    )


def moved_bytes(solver: CFRSolver) -> int:
    """Bytes that one iteration of CFR reads and writes at least.

    Of each (edge, hand) pair, the regret is read in both passes and written in one, and the sum of
    policies is read and written in one.
    """
    entries = sum(strategy.size for strategy in solver.average_strategy()[1])
    return 5 * np.dtype(np.float64).itemsize * entries


def copy_speed(budget: float) -> float:
    """Bytes that copying a large array reads and writes, per second."""
    source, target = np.ones(2**24), np.empty(2**24)
    best, _, _ = seconds_of(lambda: np.copyto(target, source), budget)
    return 2 * source.nbytes / best


def main() -> None:
    """Print one line for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="time for each solver (5)")
    budget = parser.parse_args().seconds
    print(describe_machine())
    ours, theirs = compare_progress((1, 1), 4, CHECKED_ITERATIONS)
    print(
        f"nash_conv after {CHECKED_ITERATIONS} iterations, one die each, four faces: "
        f"liarsolve {ours:.12f}, OpenSpiel {theirs:.12f}"
    )
    memory_speed = copy_speed(budget / 4)
    for dice, faces in GAMES:
        solver = textbook_solver(graph_of("openspiel", dice, faces=faces))
        best, times = compare_times(solver, load_peer(dice, faces), budget)
        speed = moved_bytes(solver) / best
        print(
            f"{dice[0]} v {dice[1]}, {faces} faces: {times}; {speed / 1e9:.1f} GB/s, "
            f"copying {memory_speed / 1e9:.1f}"
        )
    graph = graph_of("openspiel", (1, 1))
    _, times = compare_times(
        imperfect_recall_solver(graph), pyspiel.load_game("liars_dice_ir"), budget
    )
    print(f"1 v 1, 6 faces, four bids remembered: {times}")


if __name__ == "__main__":
    main()

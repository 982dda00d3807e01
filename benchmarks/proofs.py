"""Which values of two dice against one are proved as fractions, and how long that takes.

    python benchmarks/proofs.py [--max-seconds 120] [PRESET ...]

Solves each preset with dice 2,1 and 1,2 to an exploitability of 1e-9 and proves the value, within
the time for both together. Prints rows of the table in `liarsolve.solvers.exact.proof`; times are
without compilation.
"""

import argparse
from time import perf_counter

from liarsolve import presets, solve
from liarsolve.rules import get_preset

DICE = ((2, 1), (1, 2))
TARGET = 1e-9


def main() -> None:
    """Measure and print one row after the other."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--max-seconds", type=float, default=120.0)
    parser.add_argument("presets", nargs="*", default=presets.BIDDING_PRESETS)
    args = parser.parse_args()
    solve(presets.COMMON.replace(faces=4), (2, 1), target=TARGET).prove()  # compile
    print("| rules | dice | value | solved to | in | proof | in |\n|---|---|---|---|---|---|---|")
    for name in args.presets:
        for dice in DICE:
            print(measure(name, dice, args.max_seconds), flush=True)


def measure(name: str, dice: tuple[int, int], max_seconds: float) -> str:
    """Row of one round."""
    started = perf_counter()
    solution = solve(get_preset(name), dice, target=TARGET, max_seconds=max_seconds)
    solved = perf_counter() - started
    proof = solution.prove(max_seconds=max(max_seconds - solved, 0.0)).proof
    assert proof is not None
    lower, upper = solution.value_bounds
    value = f"{lower:.7f} to {upper:.7f}" if proof.value is None else str(proof.value)
    return (
        f"| {name} | {dice[0]},{dice[1]} | {value} | {solution.exploitability:.1e} "
        f"| {solved:.1f} s | {proof.outcome.name.lower()} | {proof.seconds:.1f} s |"
    )


if __name__ == "__main__":
    main()

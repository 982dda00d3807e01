"""Whether two versions of the library give the same results, bit for bit.

    python benchmarks/same_bits.py --write before.json     # with the one version
    python benchmarks/same_bits.py --compare before.json   # with the other

Sixteen solves of every kind are stored as folders; what is compared is every array of theirs, and
the figures of the manifest but time, memory and versions. Nothing is stopped by the clock. Takes a
minute or two.
"""

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import liarsolve
from liarsolve import MaxJump, Recall, SimilarHands, presets, resume, solve, solve_exact

_OF_THE_MACHINE = {
    "seconds",
    "peak_memory_mb",
    "arrays",
    "format",
    "versions",
    "written_with",
    "crc32",
}
FACES_3 = {"faces": 3}


def _interrupted_and_resumed() -> Any:
    """A solve that stops early and goes on from its checkpoint."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "checkpoint"
        rules = presets.LIARS_DICE.replace(faces=3)
        solve(rules, (2, 1), target=1e-5, max_iterations=40, checkpoint=folder)
        return resume(folder, max_iterations=80)  # more


KINDS: dict[str, Callable[[], Any]] = {
    "two players": lambda: solve(presets.LIARS_DICE, (1, 1), target=1e-4),
    "growing tree": lambda: solve(presets.COMMON, (2, 2), target=2e-3),
    "exact call, payoffs": lambda: solve(presets.PERUDO, (1, 1), target=1e-4, exact_payoff=(2, 1)),
    "palifico": lambda: solve(presets.PERUDO, (1, 2), target=1e-3, palifico=True),
    "polished": lambda: solve(presets.COMMON, (2, 1), target=1e-9),
    "cfr+": lambda: solve(presets.SNYD, (1, 1), max_iterations=200, target=0, variant="cfr+"),
    "linear program": lambda: solve_exact(presets.OPENSPIEL.replace(faces=3), (1, 1), prove=True),
    "three players": lambda: solve(presets.PERUDO, (1, 1, 1), target=1e-2),
    "unlike stakes": lambda: solve(
        presets.COMMON.replace(**FACES_3),
        (1, 1),
        max_iterations=60,
        target=0,
        payoffs=liarsolve.game.Payoffs(bidder_loses=((1.0, -2.0), (-1.0, 2.0))),  # type: ignore[attr-defined]
    ),
    "recall": lambda: solve(presets.COMMON, (2, 1), abstraction=Recall(2), max_iterations=60),
    "recall, large": lambda: solve(
        presets.COMMON, (2, 2), abstraction=Recall(1), max_iterations=20, seed=3
    ),
    "short jumps": lambda: solve(
        presets.LIARS_DICE.replace(**FACES_3),
        (2, 1),
        abstraction=Recall(2) & MaxJump(4),
        max_iterations=60,
    ),
    "similar hands": lambda: solve(
        presets.COMMON.replace(faces=4), (2, 2), abstraction=SimilarHands(4), max_iterations=40
    ),
    "three players, recall": lambda: solve(
        presets.COMMON.replace(**FACES_3), (1, 1, 1), abstraction=Recall(1), max_iterations=40
    ),
    "checkpoint": _interrupted_and_resumed,
    "mia": lambda: solve(presets.MIA),
    "doubtful dice": lambda: solve(presets.DOUBTFUL_DICE, target=1e-2),
    "box from a claim": lambda: solve(presets.BOX, target=1e-3, from_claim="QQQQ"),
}


def fingerprint(solution: Any) -> dict[str, str]:
    """Hashes of the stored arrays, and the figures of the manifest as text."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "solution"
        solution.save(folder)
        manifest = json.loads((folder / "manifest.json").read_text())
        entries = {
            path.stem: hashlib.sha256(
                repr((a := np.load(path)).dtype).encode() + repr(a.shape).encode() + a.tobytes()
            ).hexdigest()[:16]
            for path in sorted(folder.glob("*.npy"))
        }
    figures = manifest.get("solution", manifest)
    return entries | {
        name: json.dumps(figures[name], sort_keys=True)
        for name in sorted(figures)
        if name not in _OF_THE_MACHINE
    }


def main() -> int:
    """Write or compare; 1 if something differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    group = parser.add_mutually_exclusive_group(required=True)
    group.add_argument("--write", type=Path, metavar="FILE")
    group.add_argument("--compare", type=Path, metavar="FILE")
    args = parser.parse_args()
    found = {}
    for kind, run in KINDS.items():
        print(kind, file=sys.stderr, flush=True)
        found[kind] = fingerprint(run())
    if args.write is not None:
        args.write.write_text(json.dumps(found, indent=1))
        return 0
    before = json.loads(args.compare.read_text())
    n_different = 0
    for kind, entries in found.items():
        old = before.get(kind, {})
        for name in sorted(old.keys() | entries.keys()):
            if old.get(name) != entries.get(name):
                n_different += 1
                print(f"{kind}: {name} was {old.get(name)}, is {entries.get(name)}")
    print(f"{len(found)} solves, {n_different} entries differ")
    return int(n_different > 0)


if __name__ == "__main__":
    sys.exit(main())

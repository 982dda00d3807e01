"""Games that the benchmarks share, by the names that the terminal takes."""

import os
import platform
from importlib.metadata import version

from liarsolve.game import BidGraph, Recall, compile_graph, merge_states
from liarsolve.rules import Round, get_preset
from liarsolve.solvers import CFR_PLUS, AbstractionCFR, CFRSolver, CFRVariant
from liarsolve.solvers.two_player.best_response import InitialPolicy


def graph_of(rules: str, dice: tuple[int, int], *, faces: int = 6) -> BidGraph:
    """Compile the rules of a preset."""
    return compile_graph(Round(get_preset(rules).replace(faces=faces), dice))


def textbook_solver(graph: BidGraph, variant: CFRVariant = CFR_PLUS) -> CFRSolver:
    """CFR as textbooks have it: the complete tree, and uniform play before the first regret."""
    return CFRSolver(graph, variant=variant, initial=InitialPolicy.UNIFORM)


def imperfect_recall_solver(graph: BidGraph, n_bids: int = 4) -> AbstractionCFR:
    """The same for players who remember the last bids only; histories count alike in regrets."""
    return AbstractionCFR(
        merge_states(graph, Recall(n_bids)),
        variant=CFR_PLUS,
        initial=InitialPolicy.UNIFORM,
        own_reach_floor=1.0,
    )


def describe_machine() -> str:
    """Name what a figure depends on."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("liarsolve", "numba", "numpy"))
    python = f"Python {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} processors; {python}, {packages}"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if "model name" in line]
        return names[0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()

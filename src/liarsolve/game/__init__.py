"""Rules compiled to flat arrays: the bid graph, the public tree, and the hand tables."""

from liarsolve.game.graph import ActionKind, BidGraph, compile_graph
from liarsolve.game.payoffs import Payoffs, outcome_ids
from liarsolve.game.tree import PublicTree, TreeSize, build_complete_tree, measure_complete_tree

__all__ = [
    "ActionKind",
    "BidGraph",
    "Payoffs",
    "PublicTree",
    "TreeSize",
    "build_complete_tree",
    "compile_graph",
    "measure_complete_tree",
    "outcome_ids",
]

"""Rules compiled to flat arrays: the bid graph, the public tree, and the hand tables."""

from liarsolve.game.default_policy import default_actions
from liarsolve.game.graph import ActionKind, BidGraph, compile_graph
from liarsolve.game.payoffs import Payoffs, outcome_ids
from liarsolve.game.tree import (
    NO_STATE,
    PublicTree,
    TreeSize,
    build_complete_tree,
    check_tree,
    join_trees,
    measure_complete_tree,
)

__all__ = [
    "NO_STATE",
    "ActionKind",
    "BidGraph",
    "Payoffs",
    "PublicTree",
    "TreeSize",
    "build_complete_tree",
    "check_tree",
    "compile_graph",
    "default_actions",
    "join_trees",
    "measure_complete_tree",
    "outcome_ids",
]

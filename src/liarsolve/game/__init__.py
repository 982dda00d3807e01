"""Rules compiled to flat arrays: the bid graph, the public tree, and the hand tables."""

from liarsolve.game.abstraction import Abstraction, MaxJump, Recall, SimilarHands
from liarsolve.game.cup_graph import CupPayoff, loser_pays, winner_takes
from liarsolve.game.cup_memory import PERFECT_RECALL, SINCE_HELD, CupMemory
from liarsolve.game.default_policy import default_actions
from liarsolve.game.graph import ActionKind, BidGraph, compile_graph
from liarsolve.game.hand_classes import HandClasses, group_hands
from liarsolve.game.merged_states import measure_merged_states, merge_states, mix_trees
from liarsolve.game.payoffs import Payoffs, outcome_ids
from liarsolve.game.restricted_graph import action_places, restrict_raises
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
    "PERFECT_RECALL",
    "SINCE_HELD",
    "Abstraction",
    "ActionKind",
    "BidGraph",
    "CupMemory",
    "CupPayoff",
    "HandClasses",
    "MaxJump",
    "Payoffs",
    "PublicTree",
    "Recall",
    "SimilarHands",
    "TreeSize",
    "action_places",
    "build_complete_tree",
    "check_tree",
    "compile_graph",
    "default_actions",
    "group_hands",
    "join_trees",
    "loser_pays",
    "measure_complete_tree",
    "measure_merged_states",
    "merge_states",
    "mix_trees",
    "outcome_ids",
    "restrict_raises",
    "winner_takes",
]

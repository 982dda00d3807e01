"""Rules compiled to flat arrays: the bid graph, the public tree, and the hand tables."""

from liarsolve.game.bidding.abstraction import Abstraction, MaxJump, Recall, SimilarHands
from liarsolve.game.bidding.default_policy import default_actions
from liarsolve.game.bidding.graph import ActionKind, BidGraph, compile_graph
from liarsolve.game.bidding.hand_classes import HandClasses, group_hands
from liarsolve.game.bidding.merged_states import measure_merged_states, merge_states, mix_trees
from liarsolve.game.bidding.payoffs import Payoffs, outcome_ids
from liarsolve.game.bidding.profile import Start, StrategyProfile
from liarsolve.game.bidding.refined_states import Sequences, join_sequences, refine_states
from liarsolve.game.bidding.restricted_graph import action_places, restrict_raises
from liarsolve.game.bidding.tree import (
    NO_STATE,
    PublicTree,
    TreeSize,
    build_complete_tree,
    check_tree,
    join_trees,
    measure_complete_tree,
)
from liarsolve.game.cup.memory import PERFECT_RECALL, SINCE_HELD, CupMemory

__all__ = [
    "NO_STATE",
    "PERFECT_RECALL",
    "SINCE_HELD",
    "Abstraction",
    "ActionKind",
    "BidGraph",
    "CupMemory",
    "HandClasses",
    "MaxJump",
    "Payoffs",
    "PublicTree",
    "Recall",
    "Sequences",
    "SimilarHands",
    "Start",
    "StrategyProfile",
    "TreeSize",
    "action_places",
    "build_complete_tree",
    "check_tree",
    "compile_graph",
    "default_actions",
    "group_hands",
    "join_sequences",
    "join_trees",
    "measure_complete_tree",
    "measure_merged_states",
    "merge_states",
    "mix_trees",
    "outcome_ids",
    "refine_states",
    "restrict_raises",
]

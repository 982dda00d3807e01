"""Dice and hands, without any rules: multisets, their weights, and what matches a face."""

from liarsolve.dice.hands import (
    Hand,
    count_hands,
    count_hands_within,
    count_matches,
    enumerate_hands,
    format_hand,
    hand_weight,
    parse_hand,
)

__all__ = [
    "Hand",
    "count_hands",
    "count_hands_within",
    "count_matches",
    "enumerate_hands",
    "format_hand",
    "hand_weight",
    "parse_hand",
]

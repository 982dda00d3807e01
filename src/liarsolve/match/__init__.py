"""Players against each other: ready players, single rounds over paired deals, exact results."""

from liarsolve.match.expected_result import ExpectedResult, expected_result
from liarsolve.match.head_to_head import HeadToHead, HeadToHeadProgress, Interval, head_to_head
from liarsolve.match.play import PlayedRound, play_round, throw_hands
from liarsolve.match.players import (
    READY_PLAYERS,
    HonestPlayer,
    Player,
    ProbabilityPlayer,
    RandomPlayer,
    StrategyPlayer,
    as_player,
)
from liarsolve.match.turn import Turn

__all__ = [
    "READY_PLAYERS",
    "ExpectedResult",
    "HeadToHead",
    "HeadToHeadProgress",
    "HonestPlayer",
    "Interval",
    "PlayedRound",
    "Player",
    "ProbabilityPlayer",
    "RandomPlayer",
    "StrategyPlayer",
    "Turn",
    "as_player",
    "expected_result",
    "head_to_head",
    "play_round",
    "throw_hands",
]

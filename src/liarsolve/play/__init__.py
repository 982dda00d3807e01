"""Players against each other: ready players, single rounds over paired deals, exact results."""

from liarsolve.play.bidding.expected_result import ExpectedResult, expected_result
from liarsolve.play.bidding.players import (
    READY_PLAYERS,
    HonestPlayer,
    Player,
    ProbabilityPlayer,
    RandomPlayer,
    StrategyPlayer,
    as_player,
)
from liarsolve.play.bidding.rounds import PlayedRound, play_round, throw_hands
from liarsolve.play.bidding.turn import Turn
from liarsolve.play.head_to_head import HeadToHead, HeadToHeadProgress, Interval, head_to_head

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

"""Players against each other: ready players, single rounds over paired deals, exact results."""

from liarsolve.match.cup_play import CupLuck, PlayedCupRound, play_cup_round
from liarsolve.match.cup_players import CupPlayer, CupStrategyPlayer, as_cup_player
from liarsolve.match.cup_turn import CupTurn
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
    "CupLuck",
    "CupPlayer",
    "CupStrategyPlayer",
    "CupTurn",
    "ExpectedResult",
    "HeadToHead",
    "HeadToHeadProgress",
    "HonestPlayer",
    "Interval",
    "PlayedCupRound",
    "PlayedRound",
    "Player",
    "ProbabilityPlayer",
    "RandomPlayer",
    "StrategyPlayer",
    "Turn",
    "as_cup_player",
    "as_player",
    "expected_result",
    "head_to_head",
    "play_cup_round",
    "play_round",
    "throw_hands",
]

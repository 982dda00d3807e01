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
from liarsolve.play.cup.players import CupPlayer, CupStrategyPlayer, as_cup_player
from liarsolve.play.cup.rounds import CupLuck, PlayedCupRound, play_cup_round
from liarsolve.play.cup.turn import CupTurn
from liarsolve.play.head_to_head import HeadToHead, HeadToHeadProgress, Interval, head_to_head

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

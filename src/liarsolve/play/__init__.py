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
from liarsolve.play.match import (
    Forfeit,
    MatchPlayer,
    MatchSeat,
    MatchTables,
    PlayedMatch,
    play_match,
)
from liarsolve.play.match_contest import (
    Contestant,
    ContestedMatch,
    MatchContest,
    MatchContestProgress,
    contest_matches,
)
from liarsolve.play.program import ProgramPlayer

__all__ = [
    "READY_PLAYERS",
    "Contestant",
    "ContestedMatch",
    "CupLuck",
    "CupPlayer",
    "CupStrategyPlayer",
    "CupTurn",
    "ExpectedResult",
    "Forfeit",
    "HeadToHead",
    "HeadToHeadProgress",
    "HonestPlayer",
    "Interval",
    "MatchContest",
    "MatchContestProgress",
    "MatchPlayer",
    "MatchSeat",
    "MatchTables",
    "PlayedCupRound",
    "PlayedMatch",
    "PlayedRound",
    "Player",
    "ProbabilityPlayer",
    "ProgramPlayer",
    "RandomPlayer",
    "StrategyPlayer",
    "Turn",
    "as_cup_player",
    "as_player",
    "contest_matches",
    "expected_result",
    "head_to_head",
    "play_cup_round",
    "play_match",
    "play_round",
    "throw_hands",
]

"""Rules of bidding and of cup games, in pure Python and exact: what may be done, who has won."""

from liarsolve.rules import presets
from liarsolve.rules.bidding.actions import (
    Action,
    Bid,
    format_action,
    parse_action,
    parse_actions,
)
from liarsolve.rules.bidding.game import BiddingPayoff, BiddingState, BiddingView, one_against_all
from liarsolve.rules.bidding.match import BiddingMatch, BiddingScore
from liarsolve.rules.bidding.options import (
    ChallengeWho,
    ExactWho,
    ExactWin,
    HandBonus,
    Loss,
    OnesEntry,
    OnesSlot,
    OpenMin,
    OpenOnes,
    Palifico,
    PalificoFace,
    RaiseRule,
    Wild,
    WildUntil,
)
from liarsolve.rules.bidding.round import Outcome, OutcomeKind, PublicState, Round
from liarsolve.rules.bidding.round_rules import BiddingRoundRules
from liarsolve.rules.bidding.rule_set import RuleSet, option_values
from liarsolve.rules.calls import CHALLENGE, EXACT, Call
from liarsolve.rules.chance import Thrown
from liarsolve.rules.cup.actions import (
    CupAction,
    CupMove,
    Keep,
    format_cup_action,
    parse_cup_action,
)
from liarsolve.rules.cup.game import (
    CupGameState,
    CupPayoff,
    CupView,
    loser_pays,
    winner_takes,
)
from liarsolve.rules.cup.match import CupMatch, CupScore, seats_by_throw
from liarsolve.rules.cup.options import (
    BlindClaim,
    BlindPass,
    ClaimRaise,
    Look,
    ShortPay,
    TopAccept,
    TopClaim,
)
from liarsolve.rules.cup.round import CupRound
from liarsolve.rules.cup.round_rules import CupRoundRules
from liarsolve.rules.cup.rule_set import CupRules, cup_option_values
from liarsolve.rules.cup.state import CupHolding, CupOutcome, CupOutcomeKind, CupPhase, CupState
from liarsolve.rules.describe import describe_rules, rule_sentences, summarize_rules
from liarsolve.rules.game import GameState, follow
from liarsolve.rules.match import Match, MatchState, MatchView, Score, Starts, match_of
from liarsolve.rules.match_events import MatchEvent, match_events
from liarsolve.rules.match_log import read_log, replay, write_log
from liarsolve.rules.match_options import ExtraLife, MatchEnd, NextStarter, StarterIfOut
from liarsolve.rules.match_words import describe_match
from liarsolve.rules.option_help import OptionHelp, explain_options
from liarsolve.rules.presets import BIDDING_PRESETS, CUP_PRESETS, PRESETS, get_preset
from liarsolve.rules.start import first_state

__all__ = [
    "BIDDING_PRESETS",
    "CHALLENGE",
    "CUP_PRESETS",
    "EXACT",
    "PRESETS",
    "Action",
    "Bid",
    "BiddingMatch",
    "BiddingPayoff",
    "BiddingRoundRules",
    "BiddingScore",
    "BiddingState",
    "BiddingView",
    "BlindClaim",
    "BlindPass",
    "Call",
    "ChallengeWho",
    "ClaimRaise",
    "CupAction",
    "CupGameState",
    "CupHolding",
    "CupMatch",
    "CupMove",
    "CupOutcome",
    "CupOutcomeKind",
    "CupPayoff",
    "CupPhase",
    "CupRound",
    "CupRoundRules",
    "CupRules",
    "CupScore",
    "CupState",
    "CupView",
    "ExactWho",
    "ExactWin",
    "ExtraLife",
    "GameState",
    "HandBonus",
    "Keep",
    "Look",
    "Loss",
    "Match",
    "MatchEnd",
    "MatchEvent",
    "MatchState",
    "MatchView",
    "NextStarter",
    "OnesEntry",
    "OnesSlot",
    "OpenMin",
    "OpenOnes",
    "OptionHelp",
    "Outcome",
    "OutcomeKind",
    "Palifico",
    "PalificoFace",
    "PublicState",
    "RaiseRule",
    "Round",
    "RuleSet",
    "Score",
    "ShortPay",
    "StarterIfOut",
    "Starts",
    "Thrown",
    "TopAccept",
    "TopClaim",
    "Wild",
    "WildUntil",
    "cup_option_values",
    "describe_match",
    "describe_rules",
    "explain_options",
    "first_state",
    "follow",
    "format_action",
    "format_cup_action",
    "get_preset",
    "loser_pays",
    "match_events",
    "match_of",
    "one_against_all",
    "option_values",
    "parse_action",
    "parse_actions",
    "parse_cup_action",
    "presets",
    "read_log",
    "replay",
    "rule_sentences",
    "seats_by_throw",
    "summarize_rules",
    "winner_takes",
    "write_log",
]

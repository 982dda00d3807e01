"""Rules of the bidding game, in pure Python and exact: what may be done, and who has won."""

from liarsolve.rules import presets
from liarsolve.rules.actions import (
    CHALLENGE,
    EXACT,
    Action,
    Bid,
    Call,
    format_action,
    parse_action,
)
from liarsolve.rules.describe import describe_rules, rule_sentences, summarize_rules
from liarsolve.rules.options import (
    ChallengeWho,
    ExactWho,
    OnesEntry,
    OnesSlot,
    OpenMin,
    OpenOnes,
    PalificoFace,
    RaiseRule,
    Wild,
    WildUntil,
)
from liarsolve.rules.presets import PRESETS, get_preset
from liarsolve.rules.round import Outcome, OutcomeKind, PublicState, Round
from liarsolve.rules.rule_set import RuleSet, option_values

__all__ = [
    "CHALLENGE",
    "EXACT",
    "PRESETS",
    "Action",
    "Bid",
    "Call",
    "ChallengeWho",
    "ExactWho",
    "OnesEntry",
    "OnesSlot",
    "OpenMin",
    "OpenOnes",
    "Outcome",
    "OutcomeKind",
    "PalificoFace",
    "PublicState",
    "RaiseRule",
    "Round",
    "RuleSet",
    "Wild",
    "WildUntil",
    "describe_rules",
    "format_action",
    "get_preset",
    "option_values",
    "parse_action",
    "presets",
    "rule_sentences",
    "summarize_rules",
]

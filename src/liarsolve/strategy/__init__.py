"""Solved rounds: solving, asking, storing and loading."""

from liarsolve.strategy.bidding.analysis import gain_by_best_reply, p_true_after_bids
from liarsolve.strategy.bidding.compact import compact
from liarsolve.strategy.bidding.exact import solve_exact
from liarsolve.strategy.bidding.opening import Opening, OpeningRow, tabulate_opening
from liarsolve.strategy.bidding.recommendation import Basis, Recommendation, recommend
from liarsolve.strategy.bidding.situation import BiddingSituation
from liarsolve.strategy.bidding.solution import BiddingSolution
from liarsolve.strategy.bidding.strategy import Advice, InformationSet, Strategy
from liarsolve.strategy.cup.analysis import (
    BestReply,
    ClaimsAfter,
    ThrowRow,
    WeighedOffer,
    best_reply,
    claims_after,
    odds_of_offer,
    weigh_offer,
)
from liarsolve.strategy.cup.opening import CupOpening, CupOpeningRow, tabulate_cup_opening
from liarsolve.strategy.cup.situation import CupSituation, Question
from liarsolve.strategy.cup.solution import CupSolution
from liarsolve.strategy.cup.strategy import CupAdvice, CupStrategy
from liarsolve.strategy.cup.table import CupTableSolution
from liarsolve.strategy.cup.table_strategy import CupTableAdvice, CupTableStrategy
from liarsolve.strategy.loading import load
from liarsolve.strategy.position import (
    Position,
    format_position,
    parse_position,
    position_at,
    position_of,
)
from liarsolve.strategy.situation import Situation, read_situation
from liarsolve.strategy.solution import AnyAdvice, AnyStrategy, Solution
from liarsolve.strategy.solve import resume, solve
from liarsolve.strategy.tables.certified_values import CertifiedValue, certified_values
from liarsolve.strategy.tables.recall_exploitability import (
    RecallExploitability,
    recall_exploitability,
)

__all__ = [
    "Advice",
    "AnyAdvice",
    "AnyStrategy",
    "Basis",
    "BestReply",
    "BiddingSituation",
    "BiddingSolution",
    "CertifiedValue",
    "ClaimsAfter",
    "CupAdvice",
    "CupOpening",
    "CupOpeningRow",
    "CupSituation",
    "CupSolution",
    "CupStrategy",
    "CupTableAdvice",
    "CupTableSolution",
    "CupTableStrategy",
    "InformationSet",
    "Opening",
    "OpeningRow",
    "Position",
    "Question",
    "RecallExploitability",
    "Recommendation",
    "Situation",
    "Solution",
    "Strategy",
    "ThrowRow",
    "WeighedOffer",
    "best_reply",
    "certified_values",
    "claims_after",
    "compact",
    "format_position",
    "gain_by_best_reply",
    "load",
    "odds_of_offer",
    "p_true_after_bids",
    "parse_position",
    "position_at",
    "position_of",
    "read_situation",
    "recall_exploitability",
    "recommend",
    "resume",
    "solve",
    "solve_exact",
    "tabulate_cup_opening",
    "tabulate_opening",
    "weigh_offer",
]

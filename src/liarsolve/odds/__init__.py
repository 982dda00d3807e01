"""Odds of bids, laws of counts, tables of odds, and beliefs after bids.

None of it imports numpy before an array is asked for.
"""

from liarsolve.odds.bid_models import BidModel, Honest, SeenBid, Threshold, Uninformative
from liarsolve.odds.bid_odds import (
    log_p_at_least,
    log_p_exactly,
    log_p_fewer,
    p_at_least,
    p_exactly,
    p_fewer,
)
from liarsolve.odds.distribution import (
    CountDistribution,
    Distribution,
    TabulatedDistribution,
    count_distribution,
)
from liarsolve.odds.largest_count import LargestCountDistribution, largest_count_distribution
from liarsolve.odds.posterior import Posterior
from liarsolve.odds.table import OddsRow, OddsTable, format_percent, odds_table

__all__ = [
    "BidModel",
    "CountDistribution",
    "Distribution",
    "Honest",
    "LargestCountDistribution",
    "OddsRow",
    "OddsTable",
    "Posterior",
    "SeenBid",
    "TabulatedDistribution",
    "Threshold",
    "Uninformative",
    "count_distribution",
    "format_percent",
    "largest_count_distribution",
    "log_p_at_least",
    "log_p_exactly",
    "log_p_fewer",
    "odds_table",
    "p_at_least",
    "p_exactly",
    "p_fewer",
]

"""Odds of bids and claims, distributions of counts and hands, and beliefs after bids.

Only the odds of a bid are loaded at once; numpy is imported when the first array comes.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from liarsolve.odds.bid_odds import (
    log_p_at_least,
    log_p_exactly,
    log_p_fewer,
    p_at_least,
    p_exactly,
    p_fewer,
)

if TYPE_CHECKING:
    from liarsolve.odds.bid_models import BidModel, Honest, SeenBid, Threshold, Uninformative
    from liarsolve.odds.cup.five_aces import p_five_aces
    from liarsolve.odds.cup.hands import HandDistribution, hand_distribution, passed_distribution
    from liarsolve.odds.cup.keeping import KeepOption, best_keep, keep_options, p_claim
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
    "HandDistribution",
    "Honest",
    "KeepOption",
    "LargestCountDistribution",
    "OddsRow",
    "OddsTable",
    "Posterior",
    "SeenBid",
    "TabulatedDistribution",
    "Threshold",
    "Uninformative",
    "best_keep",
    "count_distribution",
    "format_percent",
    "hand_distribution",
    "keep_options",
    "largest_count_distribution",
    "log_p_at_least",
    "log_p_exactly",
    "log_p_fewer",
    "odds_table",
    "p_at_least",
    "p_claim",
    "p_exactly",
    "p_fewer",
    "p_five_aces",
    "passed_distribution",
]

_HOME_OF_NAME = {
    "BidModel": "bid_models",
    "Honest": "bid_models",
    "SeenBid": "bid_models",
    "Threshold": "bid_models",
    "Uninformative": "bid_models",
    "CountDistribution": "distribution",
    "Distribution": "distribution",
    "TabulatedDistribution": "distribution",
    "count_distribution": "distribution",
    "p_five_aces": "cup.five_aces",
    "HandDistribution": "cup.hands",
    "hand_distribution": "cup.hands",
    "passed_distribution": "cup.hands",
    "KeepOption": "cup.keeping",
    "best_keep": "cup.keeping",
    "keep_options": "cup.keeping",
    "p_claim": "cup.keeping",
    "LargestCountDistribution": "largest_count",
    "largest_count_distribution": "largest_count",
    "Posterior": "posterior",
    "OddsRow": "table",
    "OddsTable": "table",
    "format_percent": "table",
    "odds_table": "table",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF_NAME:
        raise AttributeError(f"module 'liarsolve.odds' has no attribute {name!r}")
    value = getattr(import_module(f"liarsolve.odds.{_HOME_OF_NAME[name]}"), name)
    globals()[name] = value
    return value

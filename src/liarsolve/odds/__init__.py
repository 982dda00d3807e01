"""Odds of bids, distributions of counts, tables of odds, and beliefs after bids.

Nothing here imports numpy before an array is asked for.
"""

from liarsolve.odds.bid_odds import (
    log_p_at_least,
    log_p_exactly,
    log_p_fewer,
    p_at_least,
    p_exactly,
    p_fewer,
)

__all__ = [
    "log_p_at_least",
    "log_p_exactly",
    "log_p_fewer",
    "p_at_least",
    "p_exactly",
    "p_fewer",
]

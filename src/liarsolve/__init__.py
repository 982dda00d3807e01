"""Liar's Dice: the odds of a bid, and equilibrium strategies with a certificate.

Names are imported on first use, so that ``from liarsolve import p_at_least`` loads neither numba
nor scipy.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from liarsolve.rules import presets as presets

_HOME_OF_NAME = {
    "p_at_least": "liarsolve.odds",
    "p_exactly": "liarsolve.odds",
    "p_fewer": "liarsolve.odds",
    "log_p_at_least": "liarsolve.odds",
    "log_p_exactly": "liarsolve.odds",
    "log_p_fewer": "liarsolve.odds",
    "count_distribution": "liarsolve.odds",
    "largest_count_distribution": "liarsolve.odds",
    "odds_table": "liarsolve.odds",
    "Posterior": "liarsolve.odds",
    "presets": "liarsolve.rules",
    "Bid": "liarsolve.rules",
    "CHALLENGE": "liarsolve.rules",
    "EXACT": "liarsolve.rules",
    "RuleSet": "liarsolve.rules",
    "Round": "liarsolve.rules",
    "solve": "liarsolve.strategy",
    "solve_exact": "liarsolve.strategy",
    "load": "liarsolve.strategy",
}
"""The public names and the layer that defines each."""

__all__ = ["__version__", *sorted(_HOME_OF_NAME)]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF_NAME:
        raise AttributeError(f"module 'liarsolve' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF_NAME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

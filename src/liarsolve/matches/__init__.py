"""Whole matches of two players: what every score is worth, between bounds that are proved."""

from liarsolve.matches.heat_map import draw_heat_map
from liarsolve.matches.solve import MatchProgress, match_values
from liarsolve.matches.values import MatchStop, MatchValues, load_match_values

__all__ = [
    "MatchProgress",
    "MatchStop",
    "MatchValues",
    "draw_heat_map",
    "load_match_values",
    "match_values",
]

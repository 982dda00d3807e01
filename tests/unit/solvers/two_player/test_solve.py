"""When a solve stops and what it reports; what it refuses before it begins."""

from liarsolve import Round, presets
from liarsolve.game import compile_graph

STARS_2V1 = compile_graph(Round(presets.OPENSPIEL.replace(faces=3), (2, 1)))
VALUE = 7 / 27
"""Row of the table of values, proved as a fraction."""
ROUNDING = 1e-14

"""What is printed about solved games: tables and guides."""

from liarsolve.report.guide import AcceptedCase, CupGuide, FirstClaims, FirstThrows, cup_guide
from liarsolve.report.guide_text import format_guide

__all__ = [
    "AcceptedCase",
    "CupGuide",
    "FirstClaims",
    "FirstThrows",
    "cup_guide",
    "format_guide",
]

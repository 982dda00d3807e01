"""What can be said about one hand: rankings, claims and when they are true."""

from liarsolve.claims.ranking import (
    CLASSIC,
    FACES,
    GENERALA_ACE_RUNS,
    GENERALA_BOXES,
    GENERALA_POKER,
    GENERALA_WRAP_RUN,
    MIA,
    MULTIPLICITY,
    POKER,
    POKER_FACES,
    RANKINGS,
    Category,
    Ranking,
)
from liarsolve.claims.vocabulary import Claim, ClaimDetail, ClaimSet, NothingClaims, Truth

__all__ = [
    "CLASSIC",
    "FACES",
    "GENERALA_ACE_RUNS",
    "GENERALA_BOXES",
    "GENERALA_POKER",
    "GENERALA_WRAP_RUN",
    "MIA",
    "MULTIPLICITY",
    "POKER",
    "POKER_FACES",
    "RANKINGS",
    "Category",
    "Claim",
    "ClaimDetail",
    "ClaimSet",
    "NothingClaims",
    "Ranking",
    "Truth",
]

"""CFR family, best responses and certificates, linear programs, and what they return."""

from liarsolve.solvers.best_response import Certificate, certify, expected_value, hand_values
from liarsolve.solvers.cfr import CFRSolver, normalise_strategy
from liarsolve.solvers.cup_cfr import CupCFRProgress, measure_cup, solve_cup_cfr
from liarsolve.solvers.cup_cfr_result import CupCFRResult, CupMeasure, CupProfile
from liarsolve.solvers.linear_program import solve_lp
from liarsolve.solvers.many_player_cfr import ManyPlayerCFR
from liarsolve.solvers.profile import Profile, ProfileCertificate, certify_profile
from liarsolve.solvers.rational import prove_value
from liarsolve.solvers.recall_cfr import RecallCFR
from liarsolve.solvers.result import (
    CheckpointCallback,
    ProgressCallback,
    SolveProgress,
    SolveResult,
    SolverState,
    StopReason,
)
from liarsolve.solvers.solve_cfr import solve_cfr
from liarsolve.solvers.solve_many import solve_many
from liarsolve.solvers.solve_recall import solve_recall
from liarsolve.solvers.true_price import TruePrice, measure_true_price, values_against
from liarsolve.solvers.variants import (
    CFR,
    CFR_PLUS,
    DISCOUNTED_CFR,
    LINEAR_CFR,
    PREDICTIVE_CFR_PLUS,
    VARIANTS,
    CFRVariant,
    get_variant,
)

__all__ = [
    "CFR",
    "CFR_PLUS",
    "DISCOUNTED_CFR",
    "LINEAR_CFR",
    "PREDICTIVE_CFR_PLUS",
    "VARIANTS",
    "CFRSolver",
    "CFRVariant",
    "Certificate",
    "CheckpointCallback",
    "CupCFRProgress",
    "CupCFRResult",
    "CupMeasure",
    "CupProfile",
    "ManyPlayerCFR",
    "Profile",
    "ProfileCertificate",
    "ProgressCallback",
    "RecallCFR",
    "SolveProgress",
    "SolveResult",
    "SolverState",
    "StopReason",
    "TruePrice",
    "certify",
    "certify_profile",
    "expected_value",
    "get_variant",
    "hand_values",
    "measure_cup",
    "measure_true_price",
    "normalise_strategy",
    "prove_value",
    "solve_cfr",
    "solve_cup_cfr",
    "solve_lp",
    "solve_many",
    "solve_recall",
    "values_against",
]

"""CFR family, best responses and certificates, linear programs, and what they return."""

from liarsolve.solvers.core.certificate import (
    AnyCertificate,
    BoundedLoss,
    Certificate,
    LowerBound,
    ProfileCertificate,
    Unmeasured,
    certificate_after,
)
from liarsolve.solvers.core.checkpoints import Callbacks
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.core.result import (
    CheckpointCallback,
    ProgressCallback,
    SolveProgress,
    SolveResult,
    SolverState,
    StopReason,
)
from liarsolve.solvers.core.variants import (
    CFR,
    CFR_PLUS,
    DISCOUNTED_CFR,
    LINEAR_CFR,
    PREDICTIVE_CFR_PLUS,
    VARIANTS,
    CFRVariant,
    get_variant,
)
from liarsolve.solvers.cup.cfr import CupCFROptions, CupCFRProgress, measure_cup, solve_cup_cfr
from liarsolve.solvers.cup.cfr_result import CupCFRResult, CupMeasure, CupProfile
from liarsolve.solvers.exact.linear_program import solve_lp
from liarsolve.solvers.exact.proof import (
    Proof,
    ProofCallback,
    ProofOutcome,
    ProofProgress,
    seek_proof,
)
from liarsolve.solvers.exact.rational import prove_value
from liarsolve.solvers.imperfect_recall.cfr import AbstractionCFR
from liarsolve.solvers.imperfect_recall.choice import suggest_abstraction
from liarsolve.solvers.imperfect_recall.full_game import FullGameMeasure, measure_in_full_game
from liarsolve.solvers.imperfect_recall.lower_bounds import measure_lower_bound
from liarsolve.solvers.imperfect_recall.options import AbstractionOptions
from liarsolve.solvers.imperfect_recall.refine import REFINED, solve_refined
from liarsolve.solvers.imperfect_recall.solve import solve_abstraction
from liarsolve.solvers.imperfect_recall.values import values_against, values_of_actions
from liarsolve.solvers.multiplayer.cfr import MultiplayerCFR
from liarsolve.solvers.multiplayer.profile import ProfileEvaluator, certify_profile
from liarsolve.solvers.multiplayer.solve import solve_multiplayer
from liarsolve.solvers.two_player.best_response import (
    certify,
    expected_value,
    hand_values,
)
from liarsolve.solvers.two_player.cfr import CFRSolver, normalise_strategy
from liarsolve.solvers.two_player.solve import solve_cfr

__all__ = [
    "CFR",
    "CFR_PLUS",
    "DISCOUNTED_CFR",
    "LINEAR_CFR",
    "PREDICTIVE_CFR_PLUS",
    "REFINED",
    "VARIANTS",
    "AbstractionCFR",
    "AbstractionOptions",
    "AnyCertificate",
    "BoundedLoss",
    "CFRSolver",
    "CFRVariant",
    "Callbacks",
    "Certificate",
    "CheckpointCallback",
    "CupCFROptions",
    "CupCFRProgress",
    "CupCFRResult",
    "CupMeasure",
    "CupProfile",
    "FullGameMeasure",
    "Limits",
    "LowerBound",
    "MultiplayerCFR",
    "ProfileCertificate",
    "ProfileEvaluator",
    "ProgressCallback",
    "Proof",
    "ProofCallback",
    "ProofOutcome",
    "ProofProgress",
    "SolveProgress",
    "SolveResult",
    "SolverState",
    "StopReason",
    "Unmeasured",
    "certificate_after",
    "certify",
    "certify_profile",
    "expected_value",
    "get_variant",
    "hand_values",
    "measure_cup",
    "measure_in_full_game",
    "measure_lower_bound",
    "normalise_strategy",
    "prove_value",
    "seek_proof",
    "solve_abstraction",
    "solve_cfr",
    "solve_cup_cfr",
    "solve_lp",
    "solve_multiplayer",
    "solve_refined",
    "suggest_abstraction",
    "values_against",
    "values_of_actions",
]

"""Liar's Dice: the odds of a bid, and equilibrium strategies with a certificate.

Names are imported on first use, so that ``from liarsolve import p_at_least`` loads neither numba
nor scipy.
"""

from importlib import import_module

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in `typing`, whose import takes longer than all else here
if TYPE_CHECKING:  # what type checkers see; at run time `__getattr__` imports by name
    from liarsolve.errors import IllegalActionError, InputError, LiarsolveError, StorageError
    from liarsolve.game import Abstraction, MaxJump, Payoffs, Recall, SimilarHands
    from liarsolve.matches import MatchValues, load_match_values, match_values
    from liarsolve.odds import (
        Honest,
        Posterior,
        Threshold,
        Uninformative,
        best_keep,
        count_distribution,
        hand_distribution,
        keep_options,
        largest_count_distribution,
        log_p_at_least,
        log_p_exactly,
        log_p_fewer,
        odds_table,
        p_at_least,
        p_claim,
        p_exactly,
        p_fewer,
        p_five_aces,
        passed_distribution,
    )
    from liarsolve.play import (
        HonestPlayer,
        Player,
        ProbabilityPlayer,
        RandomPlayer,
        StrategyPlayer,
        Turn,
        expected_result,
        head_to_head,
        play_round,
    )
    from liarsolve.rules import CHALLENGE, EXACT, Bid, CupRound, CupRules, Round, RuleSet, presets
    from liarsolve.solvers import StopReason
    from liarsolve.strategy import (
        BiddingSolution,
        CupSolution,
        CupStrategy,
        CupTableSolution,
        CupTableStrategy,
        Solution,
        Strategy,
        certified_values,
        compact,
        load,
        read_situation,
        recall_exploitability,
        resume,
        solve,
        solve_exact,
    )

_HOME_OF_NAME = {
    "IllegalActionError": "liarsolve.errors",
    "InputError": "liarsolve.errors",
    "StorageError": "liarsolve.errors",
    "LiarsolveError": "liarsolve.errors",
    "Honest": "liarsolve.odds",
    "Threshold": "liarsolve.odds",
    "Uninformative": "liarsolve.odds",
    "p_at_least": "liarsolve.odds",
    "p_exactly": "liarsolve.odds",
    "p_fewer": "liarsolve.odds",
    "log_p_at_least": "liarsolve.odds",
    "log_p_exactly": "liarsolve.odds",
    "log_p_fewer": "liarsolve.odds",
    "count_distribution": "liarsolve.odds",
    "largest_count_distribution": "liarsolve.odds",
    "odds_table": "liarsolve.odds",
    "best_keep": "liarsolve.odds",
    "hand_distribution": "liarsolve.odds",
    "keep_options": "liarsolve.odds",
    "p_claim": "liarsolve.odds",
    "p_five_aces": "liarsolve.odds",
    "passed_distribution": "liarsolve.odds",
    "Posterior": "liarsolve.odds",
    "Abstraction": "liarsolve.game",
    "MaxJump": "liarsolve.game",
    "Payoffs": "liarsolve.game",
    "Recall": "liarsolve.game",
    "SimilarHands": "liarsolve.game",
    "MatchValues": "liarsolve.matches",
    "load_match_values": "liarsolve.matches",
    "match_values": "liarsolve.matches",
    "HonestPlayer": "liarsolve.play",
    "Player": "liarsolve.play",
    "ProbabilityPlayer": "liarsolve.play",
    "RandomPlayer": "liarsolve.play",
    "StrategyPlayer": "liarsolve.play",
    "Turn": "liarsolve.play",
    "expected_result": "liarsolve.play",
    "head_to_head": "liarsolve.play",
    "play_round": "liarsolve.play",
    "presets": "liarsolve.rules",
    "Bid": "liarsolve.rules",
    "CHALLENGE": "liarsolve.rules",
    "EXACT": "liarsolve.rules",
    "CupRound": "liarsolve.rules",
    "CupRules": "liarsolve.rules",
    "RuleSet": "liarsolve.rules",
    "Round": "liarsolve.rules",
    "StopReason": "liarsolve.solvers",
    "CupSolution": "liarsolve.strategy",
    "CupStrategy": "liarsolve.strategy",
    "CupTableSolution": "liarsolve.strategy",
    "CupTableStrategy": "liarsolve.strategy",
    "BiddingSolution": "liarsolve.strategy",
    "Solution": "liarsolve.strategy",
    "Strategy": "liarsolve.strategy",
    "certified_values": "liarsolve.strategy",
    "compact": "liarsolve.strategy",
    "read_situation": "liarsolve.strategy",
    "recall_exploitability": "liarsolve.strategy",
    "resume": "liarsolve.strategy",
    "solve": "liarsolve.strategy",
    "solve_exact": "liarsolve.strategy",
    "load": "liarsolve.strategy",
}
"""The public names and the layer that defines each."""

__all__ = [
    "CHALLENGE",
    "EXACT",
    "Abstraction",
    "Bid",
    "BiddingSolution",
    "CupRound",
    "CupRules",
    "CupSolution",
    "CupStrategy",
    "CupTableSolution",
    "CupTableStrategy",
    "Honest",
    "HonestPlayer",
    "IllegalActionError",
    "InputError",
    "LiarsolveError",
    "MatchValues",
    "MaxJump",
    "Payoffs",
    "Player",
    "Posterior",
    "ProbabilityPlayer",
    "RandomPlayer",
    "Recall",
    "Round",
    "RuleSet",
    "SimilarHands",
    "Solution",
    "StopReason",
    "StorageError",
    "Strategy",
    "StrategyPlayer",
    "Threshold",
    "Turn",
    "Uninformative",
    "__version__",
    "best_keep",
    "certified_values",
    "compact",
    "count_distribution",
    "expected_result",
    "hand_distribution",
    "head_to_head",
    "keep_options",
    "largest_count_distribution",
    "load",
    "load_match_values",
    "log_p_at_least",
    "log_p_exactly",
    "log_p_fewer",
    "match_values",
    "odds_table",
    "p_at_least",
    "p_claim",
    "p_exactly",
    "p_fewer",
    "p_five_aces",
    "passed_distribution",
    "play_round",
    "presets",
    "read_situation",
    "recall_exploitability",
    "resume",
    "solve",
    "solve_exact",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF_NAME:
        raise AttributeError(f"module 'liarsolve' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF_NAME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

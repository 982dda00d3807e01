"""How merged states are solved, beside the limits."""

from dataclasses import dataclass

from liarsolve._checks import check_whole
from liarsolve.solvers.core.limits import check_limits
from liarsolve.solvers.core.variants import DISCOUNTED_CFR, CFRVariant

DEFAULT_VARIANT = DISCOUNTED_CFR
"""Which member of the CFR family to take. ``nash_conv`` of ``common`` and ``perudo`` at 1, 1, 1
dice of six faces and of ``common`` at 2, 2, 2 dice of three, recall 2, after 300 iterations or when
it falls no more: cfr 2.0e-2, 2.5e-2, 4.5e-2; cfr+ 8.3e-3, 5.0e-3, 7.4e-4; linear 1.5e-2, 4.4e-3,
3.4e-2; discounted 9.7e-3, 4.9e-3, 2.9e-3 (all three after 215). With 4 joint hands drawn in a
pass: cfr 6.0e-2, 1.2e-1, 9.2e-2; cfr+ 5.5e-2, 7.7e-2, 7.9e-2; linear 6.5e-2, 1.6e-1, 9.9e-2;
discounted 5.1e-2, 8.2e-2, 9.3e-2. Between cfr+ and discounted nothing is decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstractionOptions:
    """How `solve_abstraction` solves merged states.

    Raises
    ------
    InputError, InputTypeError
        If ``max_visits`` or ``n_threads`` is no whole number above 0.

    Examples
    --------
    >>> AbstractionOptions(seed=3).n_drawn is None  # as many hands as there is time for
    True
    """

    variant: CFRVariant = DEFAULT_VARIANT
    """Which member of the CFR family; not a predictive one."""
    n_drawn: int | None = None
    """Joint hands of the others that a pass draws. If not given, all are met where that takes less
    than about a second, and a few are drawn elsewhere."""
    opponent_model_prob: float | None = None
    """As for `AbstractionCFR`. If not given, 0.2 at tables of three and more players where hands
    are drawn, and 0 elsewhere."""
    seed: int = 0
    """Of the draws."""
    max_visits: int | None = None
    """Public states that each best response visits at the most; if not given, what takes about half
    a minute, or less if ``max_seconds`` asks for it. If that is not enough, the certificate is a
    bound that may say little, and the result says so."""
    n_threads: int | None = None
    """Threads that share the work out, the number of processors if not given. The result does not
    depend on it."""

    def __post_init__(self) -> None:
        check_limits("a nash_conv", 0.0, max_visits=self.max_visits)
        if self.n_threads is not None:
            check_whole("n_threads", self.n_threads, at_least=1)

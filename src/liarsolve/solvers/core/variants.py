"""The CFR family: what its members keep of old regrets, and how they weigh iterations."""

import math
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from liarsolve.errors import InputError


class Step(NamedTuple):
    """What distinguishes the members of the CFR family in one iteration."""

    average_weight: float  # of the opponent's policy in their average strategy
    keep_positive: float  # factor on positive cumulative regrets after the update
    keep_negative: float  # factor on negative ones; 0 is regret matching plus
    is_predictive: bool  # the policy matches cum_regret + prediction
    threshold: float  # subtrees that the opponent reaches with no more than this are left out
    may_create: bool  # whether states may be created; if not, missing ones are left out too
    iteration: int
    revisit_period: int  # actions that no hand plays are traversed once in so many iterations


@dataclass(frozen=True, slots=True, kw_only=True)
class CFRVariant:
    """A member of the CFR family with alternating updates.

    After iteration t positive cumulative regrets are multiplied by ``t**a / (t**a + 1)`` with
    a = ``positive_exponent``, negative ones likewise with ``negative_exponent``; iteration t has
    weight ``t**average_exponent`` in the average strategy. An exponent of ``inf`` keeps everything,
    ``-inf`` forgets negative regrets at once, which is regret matching plus.

    References
    ----------
    Brown and Sandholm (2019), "Solving imperfect-information games via discounted regret
    minimization", arXiv:1809.04040, section 3 for the three exponents.
    """

    name: str
    positive_exponent: float
    negative_exponent: float
    average_exponent: float
    is_predictive: bool = False
    """Match cumulative regrets plus those of the last iteration, as a guess of the next."""

    def step(
        self,
        iteration: int,
        opponent_iteration: int,
        *,
        threshold: float,
        may_create: bool,
        revisit_period: int,
    ) -> Step:
        """Weights of the traverser's update and of the opponent's policy, counted from 1."""
        return Step(
            average_weight=math.pow(opponent_iteration, self.average_exponent),
            keep_positive=_keep(iteration, self.positive_exponent),
            keep_negative=_keep(iteration, self.negative_exponent),
            is_predictive=self.is_predictive,
            threshold=threshold,
            may_create=may_create,
            iteration=iteration,
            revisit_period=revisit_period,
        )


def _keep(iteration: int, exponent: float) -> float:
    if exponent in (inf, -inf):
        return 1.0 if exponent > 0 else 0.0
    weight = math.pow(iteration, exponent)
    return weight / (weight + 1.0)


CFR = CFRVariant(name="cfr", positive_exponent=inf, negative_exponent=inf, average_exponent=0.0)
"""Zinkevich et al. (2007), "Regret minimization in games with incomplete information"."""
CFR_PLUS = CFRVariant(
    name="cfr+", positive_exponent=inf, negative_exponent=-inf, average_exponent=1.0
)
"""Tammelin (2014), "Solving large imperfect information games using CFR+", arXiv:1407.5042."""
LINEAR_CFR = CFRVariant(
    name="linear", positive_exponent=1.0, negative_exponent=1.0, average_exponent=1.0
)
"""Brown and Sandholm (2019), arXiv:1809.04040, section 2."""
DISCOUNTED_CFR = CFRVariant(
    name="discounted", positive_exponent=1.5, negative_exponent=0.0, average_exponent=2.0
)
"""Brown and Sandholm (2019), arXiv:1809.04040, DCFR(3/2, 0, 2)."""
PREDICTIVE_CFR_PLUS = CFRVariant(
    name="predictive+",
    positive_exponent=inf,
    negative_exponent=-inf,
    average_exponent=2.0,
    is_predictive=True,
)
"""Farina, Kroer and Sandholm (2021), arXiv:2007.14358, with quadratic averaging."""

VARIANTS = {
    variant.name: variant
    for variant in (CFR, CFR_PLUS, LINEAR_CFR, DISCOUNTED_CFR, PREDICTIVE_CFR_PLUS)
}
"""The ready variants by name."""


def get_variant(name: str) -> CFRVariant:
    """Find a variant by name.

    Examples
    --------
    >>> get_variant("cfr+").name
    'cfr+'
    """
    if name not in VARIANTS:
        raise InputError(f"there is no CFR variant {name!r}; choose one of {', '.join(VARIANTS)}")
    return VARIANTS[name]

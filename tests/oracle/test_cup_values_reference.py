"""The values of solved cup games against the slow reference, on random small rules."""

from hypothesis import assume, given, settings

from liarsolve.game.cup_compile import compile_cup, recursion_problem
from liarsolve.solvers.cup_recursion import CupRecursion
from oracle.two_cups import CHOICES, SMALL_KITS, cup_rules, reference_of
from reference.cup_lp import Recursion

ROUNDING = 1e-10
"""The programs of the reference are solved in floats, to about 1e-14 each."""
LOOKS = {**CHOICES, "look": ["before_throw", "before_throw", "optional", "never"]}


@given(rules=cup_rules(SMALL_KITS, LOOKS))
@settings(max_examples=40, deadline=None)
def test_bounds_of_every_state_hold_the_value_of_the_reference(rules):
    """To throw all dice unseen is to look, and to throw all dice: it needs no case of its own."""
    assume(recursion_problem(rules) is None)
    compiled = compile_cup(rules)
    recursion = CupRecursion(compiled, 1e-8, n_threads=1)
    while recursion.next_claim >= 0:
        assert recursion.solve_next(lambda: False)
    reference = Recursion(reference_of(rules.replace(look="before_throw")))
    for h, hand in enumerate(compiled.hands):
        for c, claim in enumerate(reference.game.claims):
            if not reference.game.legal_claims(claim):
                continue
            low, high = recursion.low[h, c], recursion.high[h, c]
            assert low - ROUNDING <= reference.held(hand, claim) <= high + ROUNDING
            assert high - low <= 1e-8 * compiled.n_claims

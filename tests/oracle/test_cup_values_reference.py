"""The values of solved cup games against the slow reference, on random small rules."""

from hypothesis import assume, given, settings

from liarsolve.game.cup.compile import compile_cup, recursion_problem
from liarsolve.solvers.cup.policy import OPENING, CupPolicy
from liarsolve.solvers.cup.recursion import CupRecursion
from liarsolve.solvers.cup.solve import solve_cup
from liarsolve.solvers.cup.stages import Side
from oracle.two_cups import CHOICES, SMALL_KITS, TwoCups, cup_rules, reference_of
from reference.cup import ACCEPT, CHALLENGE
from reference.cup_lp import Recursion
from reference.cup_values import best_response, read_stage, wins

ROUNDING = 1e-10
"""The programs of the reference are solved in floats, to about 1e-14 each."""
TINY_KITS = SMALL_KITS[:4] + SMALL_KITS[6:]
LOOKS = {**CHOICES, "look": ["before_throw", "before_throw", "optional", "never"]}


@given(rules=cup_rules(SMALL_KITS, LOOKS))
@settings(max_examples=25, deadline=None)
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


def library_strategy(rules, solved):
    """What the library plays, asked for by what a player has seen since the last look."""
    game, policy = solved.game, CupPolicy(solved.game, solved.low, solved.high)
    sides = TwoCups(rules)
    ids = {claim: c for c, claim in enumerate(sides.game.claims)}
    hand_ids = {hand: h for h, hand in enumerate(game.hands)}

    def distribution(player, seen, actions):
        at = read_stage(seen)
        accepted = OPENING if at.over is None else ids[at.over]
        word = actions[0][0]
        if word == "keep":
            column = policy.best_number(hand_ids[at.held], accepted)
        elif at.held is not None:
            column = game.numbers.index(at.thrown)
        family = 0 if at.held is None else int(game.hand_family[hand_ids[at.held], column])
        if actions == [CHALLENGE]:
            return {CHALLENGE: 1.0}
        if word == "challenge":
            stage = policy.solve(accepted, family, Side.RESPONDER)
            like = policy.useful_claims(accepted)[ids[at.claim]]
            accept = float(stage.accept[stage.claims.index(like)])
            return {CHALLENGE: 1.0 - accept, ACCEPT: accept}
        stage = policy.solve(accepted, family, Side.MOVER)
        if word == "keep":
            kept = [("keep", game.keeps[keep]) for keep in stage.keeps]
            return dict(zip(kept, map(float, stage.keep_probs), strict=True))
        row = stage.claim_probs[list(stage.hands).index(hand_ids[at.new])]
        claims = [("claim", sides.game.claims[c]) for c in stage.claims]
        return dict(zip(claims, map(float, row), strict=True))

    return distribution


@given(rules=cup_rules(TINY_KITS))
@settings(max_examples=25, deadline=None)
def test_best_responses_in_the_unreduced_game_confirm_the_bracket(rules):
    assume(recursion_problem(rules) is None)
    solved = solve_cup(compile_cup(rules), target=1e-6, n_threads=1)
    low, high = solved.win_bounds
    game = reference_of(rules)
    assert low - ROUNDING <= Recursion(game).value <= high + ROUNDING
    assert high - low <= 1e-6
    distribution = library_strategy(rules, solved)
    assert best_response(game, 0, distribution, wins) <= high + ROUNDING
    assert best_response(game, 1, distribution, wins) <= 1 - low + ROUNDING

"""Strategies by CFR for cup games with blind passes or many players, against the slow reference.

What the library measures about its strategies is measured again here, in the unreduced round: what
every seat earns, and what its best response would.
"""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from liarsolve.errors import GameTooLargeError, RuleError
from liarsolve.game.cup.memory import PERFECT_RECALL, SINCE_HELD, CupMemory
from liarsolve.rules import CupMove, CupPhase, CupRules, Thrown
from liarsolve.solvers import CupCFROptions, Limits
from liarsolve.solvers.cup.cfr import solve_cup_cfr
from oracle.two_cups import ALL_CHOICES, SMALL_KITS, TwoCups, cup_rules
from reference.cup_values import best_response, evaluate

ROUNDING = 1e-11
"""Sums of some thousand products of chances, each off by a few units of 1.1e-16."""
TINY_KITS = [SMALL_KITS[0], SMALL_KITS[2]]
CHOICES = {name: values for name, values in ALL_CHOICES.items() if name != "announce_count"}
MOST_POSITIONS = 1_200
LOOKS = (CupMove.LOOK, CupMove.THROW_UNSEEN, CupMove.BLIND_PASS)
MEMORIES = [PERFECT_RECALL, SINCE_HELD, CupMemory(n_claims=1), CupMemory(n_claims=1, n_moves=0)]


def paid_by_loser(n_players):
    """The loser pays 1, which the others share."""

    def payoff(player, loser, _winner):
        return Fraction(-1) if player == loser else Fraction(1, n_players - 1)

    return payoff


def strategy_of(result, sides):
    """The strategies by what a player has seen; None if the round is too large to traverse here."""
    game, table = sides.game, result.table
    distributions = {}
    waiting = [(game.start(), table.initial_state())]
    n_positions = 0
    while waiting:
        at, state = waiting.pop()
        n_positions += 1
        if n_positions > MOST_POSITIONS:
            return None
        if at.stage in ("end", "try"):
            continue
        if at.stage == "throw":
            for after, _ in game.chances(at):
                is_thrown = state.phase is CupPhase.THROW
                thrown = table.next_state(state, Thrown(after.cup)) if is_thrown else state
                waiting.append((after, thrown))
            continue
        distribution = {}
        for action in game.actions(at):
            distribution[action], after = follow(result, state, sides.action(action))
            waiting.append((game.act(at, action), after))
        known = distributions.setdefault(at.seen[at.player], distribution)
        assert known == distribution  # what a player has not seen makes no difference
    return lambda _player, seen, _actions: distributions[seen]


def follow(result, state, steps):
    """Chance of the steps that make one action of the reference, and where they lead."""
    prob = 1.0
    for step in steps:
        if step in LOOKS and state.phase is not CupPhase.LOOK:
            continue  # the only way on, which the library has taken
        prob *= result.policy(state)[step]
        state = result.table.next_state(state, step)
    return prob, state


@given(
    rules=cup_rules(TINY_KITS, CHOICES),
    n_players=st.integers(2, 3),
    memory=st.sampled_from(MEMORIES),
    iterations=st.integers(1, 5),
)
@settings(max_examples=15, deadline=None)
def test_measures_are_those_of_the_unreduced_round(rules, n_players, memory, iterations):
    sizes = {"max_nodes": MOST_POSITIONS, "max_response_nodes": MOST_POSITIONS}
    try:
        result = solve_cup_cfr(
            rules,
            n_players,
            limits=Limits(max_iterations=iterations),
            options=CupCFROptions(memory=memory, **sizes),
        )
    except (RuleError, GameTooLargeError):
        assume(False)
    assume(result.nash_conv is not None)
    sides = TwoCups(rules, n_players)
    strategy = strategy_of(result, sides)
    assume(strategy is not None)
    payoff = paid_by_loser(n_players)
    values = evaluate(sides.game, strategy, payoff)
    assert result.values == pytest.approx(list(map(float, values)), abs=ROUNDING)
    for player in range(n_players):
        best = best_response(sides.game, player, strategy, payoff)
        assert result.measure.br_values[player] == pytest.approx(float(best), abs=ROUNDING)


def test_bracket_of_a_round_with_blind_passes_holds_its_proved_value():
    rules = CupRules(equipment=SMALL_KITS[2][0], ranking=SMALL_KITS[2][1]).replace(
        claim_detail="prefix", blind_pass="any"
    )
    result = solve_cup_cfr(
        rules, limits=Limits(target=1e-3), options=CupCFROptions(memory=PERFECT_RECALL)
    )
    low, high = result.value_bounds
    assert low <= 2 * 11 / 16 - 1 <= high
    assert high - low <= 2e-3

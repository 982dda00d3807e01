"""CFR on cup games against exact values, and its measurements against the slow reference."""

from fractions import Fraction

import numpy as np
import pytest

from liarsolve import solve
from liarsolve.claims import MULTIPLICITY
from liarsolve.dice.equipment import Equipment
from liarsolve.game.cup.compile import without_idle_passes
from liarsolve.game.cup.graph import build_cup_graph
from liarsolve.game.cup.memory import PERFECT_RECALL, SINCE_HELD, CupMemory
from liarsolve.rules import BlindPass, CupMove, CupPhase, CupRound, CupRules, Thrown, presets
from liarsolve.rules.cup.game import loser_pays, winner_takes
from liarsolve.solvers import CupCFROptions, Limits
from liarsolve.solvers.cup.cfr import measure_cup, solve_cup_cfr
from liarsolve.solvers.cup.cfr_result import CupProfile
from oracle.two_cups import TwoCups
from reference.cup_lp import solve_extensive
from reference.cup_values import evaluate, nash_conv, win_or_lose

ROUNDING = 1e-9
"""Feasibility tolerance of the programs is 1e-7, but their vertices are found to about 1e-14."""


def toy(n_dice, n_faces, **options):
    rules = CupRules(equipment=Equipment.dice(n_dice, n_faces), ranking=MULTIPLICITY)
    return rules.replace(**options)


def box(n_dice, n_faces, **options):
    prefix = {"claim_detail": "prefix", "nothing_claims": "prefix"}
    return toy(n_dice, n_faces, **(prefix | options))


# --- values of rounds of two ---------------------------------------------------------------------

LIAR_DIE = ["3/4", "13/18", "17/24", "103/150", "41/60", "661/980", "1497/2240"]
KEEPING = {(2, 2): "11/16", (2, 3): "421/648", (3, 2): "59/96"}


def assert_bracket_holds(result, chance, target):
    low, high = result.value_bounds
    assert low <= 2 * chance - 1 + 2 * ROUNDING
    assert 2 * chance - 1 - 2 * ROUNDING <= high
    assert high - low <= 2 * target + 2 * ROUNDING


@pytest.mark.parametrize("n_faces", range(2, 9))
def test_liar_die_has_its_published_value(n_faces):
    die = presets.LIAR_DIE.replace(faces=n_faces)
    result = solve_cup_cfr(die, limits=Limits(target=2e-4))
    assert_bracket_holds(result, Fraction(LIAR_DIE[n_faces - 2]), 2e-4)


def test_mia_has_its_published_value():
    result = solve_cup_cfr(presets.MIA, limits=Limits(target=1e-2))
    assert_bracket_holds(result, Fraction(4078225781, 6294150720), 1e-2)


@pytest.mark.parametrize(("size", "chance"), KEEPING.items())
def test_keep_games_have_their_published_values(size, chance):
    result = solve_cup_cfr(toy(*size), limits=Limits(target=5e-4))
    assert_bracket_holds(result, Fraction(chance), 5e-4)


@pytest.mark.parametrize("blind_pass", ["off", "only_if_bare", "any"])
@pytest.mark.parametrize("memory", [PERFECT_RECALL, SINCE_HELD], ids=str)
def test_blind_pass_is_worth_nothing_between_two(blind_pass, memory):
    # 11/16 is proved in the unreduced game, see test_cup_reference.py.
    result = solve_cup_cfr(
        box(2, 2, blind_pass=blind_pass),
        limits=Limits(target=3e-4),
        options=CupCFROptions(memory=memory),
    )
    assert_bracket_holds(result, Fraction(11, 16), 3e-4)


SMALL = {
    "one die, blind": toy(1, 3, blind_pass="any"),
    "one die, looking as one likes": toy(1, 4, look="optional"),
    "two coins, looking as one likes": toy(2, 2, look="optional"),
    "two coins, looking as one likes, blind": toy(2, 2, look="optional", blind_pass="any"),
    "two coins, hidden number": toy(2, 2, announce_count=False),
    "two coins, hidden number, blind": toy(2, 2, announce_count=False, blind_pass="any"),
    "two coins, exact claims, blind": toy(2, 2, truth="matches", blind_pass="any"),
    "two coins, a try at the top, blind": toy(
        2, 2, top_claim="accept_try", top_throws=2, blind_pass="any"
    ),
    "two coins, a try with the dice as passed": toy(
        2, 2, top_claim="accept_try", top_accept="carry_keep", top_throws=1
    ),
    "two coins, dice fall over": toy(2, 2, dislodge_prob="1/3"),
    "two coins, all thrown, blind": toy(2, 2, rethrow_all=True, blind_pass="any"),
    "two cards, blind": CupRules(equipment=Equipment.cards(2, 2, 2), ranking=MULTIPLICITY).replace(
        blind_pass="any"
    ),
    "two dice, categories": toy(2, 3, claim_detail="category", nothing_claims="prefix"),
}


@pytest.mark.parametrize("rules", SMALL.values(), ids=SMALL)
def test_bracket_holds_the_value_of_the_linear_program(rules):
    low, high = solve_extensive(TwoCups(rules).game)
    assert low == pytest.approx(high, abs=ROUNDING)
    for memory in (PERFECT_RECALL, SINCE_HELD):
        result = solve_cup_cfr(
            rules,
            limits=Limits(target=1e-3, max_iterations=5_000),
            options=CupCFROptions(memory=memory),
        )
        if memory is PERFECT_RECALL:
            assert result.stop.name == "CONVERGED"
        lower, upper = result.value_bounds
        assert lower <= 2 * low - 1 + 2 * ROUNDING
        assert 2 * low - 1 - 2 * ROUNDING <= upper


IDLE = {
    name: rules
    for name, rules in SMALL.items()
    if rules.blind_pass is not BlindPass.OFF
    and without_idle_passes(rules).blind_pass is BlindPass.OFF
}


@pytest.mark.parametrize("rules", IDLE.values(), ids=IDLE)
def test_recursion_without_blind_passes_has_the_value_of_the_game_with_them(rules):
    low, high = solve_extensive(TwoCups(rules).game)
    assert low == pytest.approx(high, abs=ROUNDING)
    lower, upper = solve(rules, target=1e-6).value_bounds
    assert lower <= 2 * low - 1 + 2 * ROUNDING
    assert 2 * low - 1 - 2 * ROUNDING <= upper
    assert upper - lower <= 2e-6


def test_games_with_idle_blind_passes_are_there_and_others_keep_theirs():
    assert len(IDLE) >= 5
    thrown_all = SMALL["two coins, all thrown, blind"]
    assert without_idle_passes(thrown_all) == thrown_all


# --- measurements --------------------------------------------------------------------------------

SHORT = CupMemory(since_held=True, n_claims=1, n_moves=1)
MEMORIES = [PERFECT_RECALL, SINCE_HELD, SHORT, CupMemory(n_claims=2, n_moves=0)]
MEASURED = {
    "one die": (toy(1, 3), 2),
    "one die, three players": (toy(1, 3), 3),
    "one die, blind, three players": (toy(1, 3, blind_pass="any"), 3),
    "one die, blind, four players": (toy(1, 3, blind_pass="any"), 4),
    "liar die, three players": (presets.LIAR_DIE.replace(faces=3), 3),
    "two coins, blind": (box(2, 2, blind_pass="any"), 2),
    "two coins, looking as one likes, three players": (toy(2, 2, look="optional"), 3),
    "two coins, hidden number, three players": (toy(2, 2, announce_count=False), 3),
    # Whoever has looked at two alike has one way to throw one: others may not notice that.
    "two coins, one thrown, three players": (
        toy(2, 2, min_rethrow=1, max_rethrow=1, top_claim="accept_try", top_throws=1),
        3,
    ),
    "two coins, one thrown or none, hidden number, three players": (
        toy(2, 2, max_rethrow=1, announce_count=False),
        3,
    ),
    "two coins, dice fall over, three players": (toy(2, 2, dislodge_prob="1/3"), 3),
    "two coins, a try at the top, three players": (
        toy(2, 2, top_claim="accept_try", top_accept="carry_keep", top_throws=2),
        3,
    ),
}


def random_strategy(table, memory, seed):
    """A strategy that mixes at random, and leaves out some actions."""
    _, infosets = build_cup_graph(table, [memory] * table.n_players)
    rng = np.random.default_rng(seed)
    probs = np.zeros(infosets.first[-1])
    for start, stop in zip(infosets.first, infosets.first[1:], strict=False):
        weights = rng.integers(0, 4, stop - start)
        weights[rng.integers(stop - start)] += 1
        probs[start:stop] = weights / weights.sum()
    return CupProfile(table=table, memory=memory, infosets=infosets, action_probs=probs)


def laws_of(strategy, sides):
    """What a strategy of the library does, by what a player of the reference has seen."""
    game, table = sides.game, strategy.table
    distributions = {}
    waiting = [(game.start(), table.initial_state())]
    while waiting:
        at, state = waiting.pop()
        if at.stage in ("end", "try"):
            continue
        if at.stage == "throw":
            for after, _ in game.chances(at):
                is_thrown = state.phase is CupPhase.THROW
                new = table.next_state(state, Thrown(after.cup)) if is_thrown else state
                waiting.append((after, new))
            continue
        distribution = {}
        for action in game.actions(at):
            distribution[action], new = follow(strategy, state, sides.action(action))
            waiting.append((game.act(at, action), new))
        assert (
            distributions.setdefault(at.seen[at.player], distribution) == distribution
        )  # nobody plays on hidden dice
    return lambda _player, seen, _actions: distributions[seen]


def follow(strategy, state, steps):
    """Chance of what is one action of the reference, and where it leads."""
    chance = 1.0
    looks = (CupMove.LOOK, CupMove.THROW_UNSEEN, CupMove.BLIND_PASS)
    for step in steps:
        if step in looks and state.phase is not CupPhase.LOOK:
            continue  # the library has gone the one way there is
        chance *= strategy.policy(state)[step]
        state = strategy.table.next_state(state, step)
    return chance, state


def share_of_loss(n_players):
    return lambda player, loser, winner: -1.0 if player == loser else 1.0 / (n_players - 1)


@pytest.mark.parametrize("memory", MEMORIES, ids=str)
@pytest.mark.parametrize(("rules", "n_players"), MEASURED.values(), ids=MEASURED)
def test_random_strategies_are_measured_as_by_the_reference(rules, n_players, memory):
    sides = TwoCups(rules, n_players)
    strategy = random_strategy(CupRound(rules, n_players), memory, seed=n_players)
    distribution = laws_of(strategy, sides)
    payoffs = [(loser_pays, share_of_loss(n_players)), (winner_takes, win_or_lose)]
    for payoff, paid in payoffs:
        found = measure_cup(strategy, payoff=payoff)
        expected = [float(value) for value in evaluate(sides.game, distribution, paid)]
        assert found.values == pytest.approx(expected, abs=1e-12)
        assert found.nash_conv == pytest.approx(
            float(nash_conv(sides.game, distribution, paid)), abs=1e-12
        )

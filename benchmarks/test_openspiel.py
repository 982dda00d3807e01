"""OpenSpiel's own measure of strategies that were solved here.

The rules of the preset ``openspiel`` are those of its ``liars_dice``. Its ``nash_conv`` knows
nothing of public trees, default actions or multisets of dice, so it checks all of them at once.
"""

from itertools import combinations, combinations_with_replacement

import pyspiel
import pytest

from liarsolve import CHALLENGE, Solution, presets, solve
from liarsolve.rules import Action
from liarsolve.solvers import certify


def information_states(n_dice: int, faces: int) -> list[tuple[str, list[str]]]:
    """Every hand with every rising sequence of bids, as OpenSpiel writes them."""
    bids = [f"{q}-{f}" for q in range(1, 2 * n_dice + 1) for f in range(1, faces + 1)]
    hands = combinations_with_replacement("123456"[:faces], n_dice)
    histories = [list(made) for n in range(len(bids) + 1) for made in combinations(bids, n)]
    return [("".join(hand), history) for hand in hands for history in histories]


def action_id(action: Action, n_dice: int, faces: int) -> int:
    """Number of an action in OpenSpiel: bids in rising order, then the challenge."""
    if action == CHALLENGE:
        return 2 * n_dice * faces
    return (action.quantity - 1) * faces + action.face - 1


def to_tabular_policy(solution: Solution, n_dice: int, faces: int) -> pyspiel.TabularPolicy:
    """The strategy at every information state; the table may not lack one."""
    table = {}
    for hand, history in information_states(n_dice, faces):
        bids = [bid.replace("-", "x") for bid in history]
        probs = solution.strategy.probs([int(die) for die in hand], bids)
        table[" ".join([hand, *history])] = [
            (action_id(action, n_dice, faces), p) for action, p in probs.items()
        ]
    return pyspiel.TabularPolicy(table)


@pytest.mark.parametrize(("n_dice", "faces"), [(1, 4), (1, 5), (1, 6), (2, 2)])
def test_nash_conv_is_what_the_certificate_says(n_dice, faces):
    rules = presets.OPENSPIEL.replace(faces=faces)
    solution = solve(rules, (n_dice, n_dice), target=1e-4)
    game = pyspiel.load_game(f"liars_dice(numdice={n_dice},dice_sides={faces})")
    policy = to_tabular_policy(solution, n_dice, faces)
    theirs = pyspiel.nash_conv(game, policy)
    result = solution.result
    whole = certify(result.tree, result.strategy, result.payoffs)  # leaves nothing out
    # Sums of up to 2**12 products of numbers up to 1, in another order.
    assert theirs == pytest.approx(whole.nash_conv, abs=1e-11)
    # What the solution's certificate leaves out, it counts against the strategies.
    assert 0 < theirs <= solution.nash_conv + 1e-11 <= 2e-4

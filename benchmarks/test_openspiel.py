"""OpenSpiel's own measure of strategies that were solved here, and its own recall of four bids.

The rules of the preset ``openspiel`` are those of its ``liars_dice``. Its ``nash_conv`` knows
nothing of public trees, default actions, merged states or multisets of dice, so it checks all of
them at once. Its ``liars_dice_ir`` is the same game for players who remember the last four bids.
"""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import pyspiel
import pytest
from games import imperfect_recall_solver

from liarsolve import CHALLENGE, BiddingSolution, Round, presets, solve
from liarsolve.game import Recall, compile_graph
from liarsolve.rules import Action
from liarsolve.solvers import certify, measure_in_full_game
from liarsolve.strategy import Strategy


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


def to_tabular_policy(solution: BiddingSolution, n_dice: int, faces: int) -> pyspiel.TabularPolicy:
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
    whole = certify(result.profile)  # leaves nothing out
    # Sums of up to 2**12 products of numbers up to 1, in another order.
    assert theirs == pytest.approx(whole.nash_conv, abs=1e-11)
    # What the solution's certificate leaves out, it counts against the strategies.
    assert 0 < theirs <= solution.nash_conv + 1e-11 <= 2e-4


@pytest.mark.parametrize("n_bids", [1, 2, 3])
def test_nash_conv_is_the_exploitability_in_the_full_game(n_bids):
    rules = presets.OPENSPIEL.replace(faces=4)
    solution = solve(rules, (1, 1), abstraction=Recall(n_bids), max_iterations=100)
    game = pyspiel.load_game("liars_dice(dice_sides=4)")
    theirs = pyspiel.nash_conv(game, to_tabular_policy(solution, 1, 4))
    result = solution.result
    whole = measure_in_full_game(result.profile, max_visits=10**6)
    assert whole.is_complete
    assert theirs == pytest.approx(whole.certificate.nash_conv, abs=1e-11)  # as above
    # What the solution's certificate leaves out, it counts against the strategies.
    assert 1e-3 < theirs <= solution.nash_conv + 1e-11


@pytest.mark.parametrize("faces", [3, 4])
def test_players_who_remember_four_bids_learn_the_same(faces):
    game = pyspiel.load_game(f"liars_dice_ir(dice_sides={faces})")
    peer = pyspiel.CFRPlusSolver(game)
    graph = compile_graph(Round(presets.OPENSPIEL.replace(faces=faces), (1, 1)))
    ours = imperfect_recall_solver(graph)
    for _ in range(20):
        ours.step()
        peer.evaluate_and_update_policy()
    tree, weights = ours.average_strategy()
    strategy, theirs = Strategy(tree, weights, ours.payoffs), peer.average_policy()
    compared = set()
    for state, dice, bids in decisions(game.new_initial_state(), faces):
        if state.information_state_string() not in compared:
            compared.add(state.information_state_string())
            probs = strategy.probs([dice[state.current_player()]], bids)
            expected = [p for _, p in sorted(theirs.action_probabilities(state).items())]
            assert list(probs.values()) == pytest.approx(expected, abs=1e-9)
    assert len(compared) == {3: 186, 4: 792}[faces]  # a hand, the last four bids, whose turn it is


def decisions(
    state: pyspiel.State, faces: int, dice: tuple[int, ...] = (), bids: tuple[str, ...] = ()
) -> Iterator[tuple[pyspiel.State, tuple[int, ...], tuple[str, ...]]]:
    """All states in which a player is to act, with the dice of both and the bids made."""
    if state.is_terminal():
        return
    if not state.is_chance_node():
        yield state, dice, bids
    for action in state.legal_actions():
        child = state.child(action)
        if state.is_chance_node():
            yield from decisions(child, faces, (*dice, action + 1), bids)
        elif action < 2 * faces:
            bid = f"{action // faces + 1}x{action % faces + 1}"
            yield from decisions(child, faces, dice, (*bids, bid))

"""Small copies of solutions: what is left out, and that the certificate says what it costs."""

import numpy as np
import pytest

from liarsolve import compact, load, presets, solve
from liarsolve.errors import InputError
from liarsolve.game import NO_STATE, check_tree
from liarsolve.solvers import certify

RULES = presets.PERUDO.replace(faces=3)


@pytest.fixture(scope="module")
def solution():
    return solve(RULES, (2, 1), target=1e-4)


@pytest.mark.parametrize(("bits", "cost"), [(8, 4e-2), (16, 2e-3)])
def test_a_copy_costs_what_rounding_can_cost(solution, bits, cost):
    """A policy is off by at most half a step and the cutoff for each action, on every move."""
    copy = compact(solution, cutoff=0.0, bits=bits)
    assert abs(copy.exploitability - solution.exploitability) < cost
    lo, hi = solution.value_bounds
    assert copy.value_bounds[0] <= hi
    assert copy.value_bounds[1] >= lo


def test_the_certificate_is_of_the_copy(solution):
    copy = compact(solution, cutoff=0.3, bits=8)
    result = copy.result
    assert copy.exploitability == certify(result.profile).nash_conv / 2
    assert copy.exploitability > 2 * solution.exploitability


def test_cutoff_and_bits_change_the_copy(solution):
    sizes = [compact(solution, cutoff=cutoff).result.tree.n_states for cutoff in (0.0, 1e-2, 0.3)]
    assert sizes[0] > sizes[1] > sizes[2]
    assert sizes[0] < solution.result.tree.n_states
    kinds = [compact(solution, bits=bits).result.strategy[0].dtype for bits in (8, 16)]
    assert kinds == [np.uint8, np.uint16]


def test_what_is_left_hangs_together(solution):
    copy = compact(solution, cutoff=1e-2)
    tree = copy.result.tree
    check_tree(tree)
    children = np.concatenate(tree.children)
    assert sorted(children[children != NO_STATE]) == list(range(1, tree.n_states))


def test_only_double_deviations_are_left_out(solution):
    """A dropped state has an action never played by each player above it."""
    copy = compact(solution, cutoff=1e-2)
    tree, weights = copy.result.tree, copy.result.strategy
    graph = tree.graph
    waiting = [(0, (True, True))]
    while waiting:
        state, chosen = waiting.pop()
        node, first = tree.node[state], tree.first_edge[state]
        player = graph.player[node]
        for k, action in enumerate(range(graph.action_start[node], graph.action_start[node + 1])):
            played = bool(weights[player][first + k].any())
            below = (chosen[0] and (player == 1 or played), chosen[1] and (player == 0 or played))
            child = tree.children[player][first + k]
            if child != NO_STATE:
                assert any(below)
                waiting.append((child, below))
            elif any(below) and graph.action_target[action] >= 0:
                before = solution.result.tree
                assert before.n_states > tree.n_states  # it was never created, or forced
                target = graph.action_target[action]
                moves = graph.action_start[target + 1] - graph.action_start[target]
                assert moves == 1 or not _has_state(solution, tree, state, k)


def _has_state(solution, tree, state, k):
    """Whether the original tree has the child that the copy lacks, found by the path of bids."""
    path, at = [k], state
    while at != 0:
        for player, children in enumerate(tree.children):
            for edge in np.flatnonzero(children == at):
                owner = np.flatnonzero(
                    (tree.graph.player[tree.node] == player)
                    & (tree.first_edge <= edge)
                    & (edge < tree.first_edge + np.diff(tree.graph.action_start)[tree.node])
                )[0]
                path.append(int(edge - tree.first_edge[owner]))
                parent = owner
        at = parent
    full, at = solution.result.tree, 0
    for step in reversed(path):
        player = full.graph.player[full.node[at]]
        at = full.children[player][full.first_edge[at] + step]
        if at == NO_STATE:
            return False
    return True


def test_a_copy_answers_and_is_stored_like_any_solution(solution, tmp_path):
    copy = compact(solution)
    copy.save(tmp_path / "copy")
    again = load(tmp_path / "copy")
    probs = again.strategy.probs((1, 3), ["1x2", "1x3"])
    assert sum(probs.values()) == pytest.approx(1.0, abs=1e-12)
    assert probs == copy.strategy.probs((1, 3), ["1x2", "1x3"])
    original = solution.strategy.probs((1, 3))
    for action, p in copy.strategy.probs((1, 3)).items():
        assert p == pytest.approx(original[action], abs=2e-3)  # the cutoff, and half a step


def test_a_copy_is_smaller_on_disk(solution, tmp_path):
    def size(folder):
        return sum(file.stat().st_size for file in folder.iterdir())

    solution.save(tmp_path / "full")
    compact(solution).save(tmp_path / "copy")
    assert 2 * size(tmp_path / "copy") < size(tmp_path / "full")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"cutoff": 0.5}, "cutoff is a probability below 0.5, got 0.5"),
        ({"cutoff": -0.1}, "cutoff is a probability below 0.5, got -0.1"),
        ({"bits": 4}, "bits must be 8 or 16, got 4"),
    ],
)
def test_bad_input(solution, options, sentence):
    with pytest.raises(InputError) as caught:
        compact(solution, **options)
    assert str(caught.value) == sentence

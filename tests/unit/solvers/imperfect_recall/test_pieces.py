"""Passes, replies and deals that pause have the bits of those that do not, or end when told to."""

import numpy as np
import pytest

from liarsolve import MaxJump, Recall, SimilarHands, presets
from liarsolve.game import StrategyProfile, compile_graph, merge_states
from liarsolve.rules import Round
from liarsolve.solvers import AbstractionCFR
from liarsolve.solvers.core.halt import Halt
from liarsolve.solvers.imperfect_recall import (
    abstract_response,
    local_response,
    lower_bounds,
    pieces,
)
from liarsolve.solvers.imperfect_recall.abstract_response import find_response, refine_response
from liarsolve.solvers.imperfect_recall.local_response import play_local_response
from liarsolve.solvers.imperfect_recall.lower_bounds import bound_solved
from liarsolve.solvers.imperfect_recall.pieces import HaltedError

RULES = presets.COMMON.replace(faces=3)
RECALL_1 = Recall(1)
KINDS = {
    "two players": ((2, 1), Recall(2), {}),
    "hands that are alike": ((2, 2), Recall(1) & SimilarHands(1), {}),
    "drawn hands, some left out": ((2, 2), Recall(1), {"n_drawn": 4, "revisit_period": 3}),
    "short jumps": ((2, 1), Recall(2) & MaxJump(2), {}),
    "three players": ((1, 1, 1), Recall(1), {"opponent_model_prob": 0.2}),
}


class HaltAfter(Halt):
    """Says so when it has been asked so many times."""

    def __init__(self, n_times):
        super().__init__()
        self.n_left = n_times

    def __call__(self):
        self.n_left -= 1
        return self.n_left < 0


def solver_after(kind, n_steps=12, n_threads=1):
    dice, abstraction, options = KINDS[kind]
    tree = merge_states(compile_graph(Round(RULES, dice)), abstraction)
    solver = AbstractionCFR(tree, n_threads=n_threads, **options)
    for _ in range(n_steps):
        solver.step()
    return solver


def a_profile(dice=(2, 2)):
    solver = AbstractionCFR(merge_states(compile_graph(Round(RULES, dice)), RECALL_1))
    for _ in range(5):
        solver.step()
    return StrategyProfile(*solver.average_strategy())


PROFILE = a_profile()


def arrays_of(solver):
    return solver.to_state()[1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("piece", [1, 100])
def test_pauses_within_a_pass_change_no_bit(monkeypatch, kind, piece):
    whole = arrays_of(solver_after(kind))
    monkeypatch.setattr(pieces, "PIECE", piece)
    for name, array in arrays_of(solver_after(kind)).items():
        assert np.array_equal(array, whole[name]), name


@pytest.mark.parametrize("kind", KINDS)
def test_a_pass_ends_soon_after_it_is_told_wherever_it_is(monkeypatch, kind):
    monkeypatch.setattr(pieces, "PIECE", 1)
    solver = solver_after(kind, 2)
    counting = solver.halt = HaltAfter(10**9)
    solver.step()
    n_looks = 10**9 - counting.n_left
    assert n_looks > solver.tree.n_states
    for n_times in range(0, n_looks, max(n_looks // 25, 1)):
        solver = solver_after(kind, 2)
        solver.halt = HaltAfter(n_times)
        solver.step()
        # Nothing but the other players' passes is begun after that, and one look ends each.
        assert -solver.halt.n_left <= solver.graph.n_players
        tree, strategy = solver.average_strategy()
        for policy, first in zip(strategy, tree.children, strict=True):
            assert policy.shape[0] == first.size
            assert np.all(policy >= 0.0)
            assert np.all(np.isfinite(policy))


def test_a_pass_that_is_not_begun_changes_nothing():
    solver = solver_after("two players")
    before = {name: array.copy() for name, array in arrays_of(solver).items()}
    solver.halt = HaltAfter(0)
    solver.step()
    assert all(np.array_equal(array, before[name]) for name, array in arrays_of(solver).items())


def found(profile=PROFILE, halt=None):
    halt = halt or Halt()
    response = refine_response(find_response(profile, 0, recall=2, halt=halt), 300, halt=halt)
    return response, response.evaluate(halt=halt)


def test_pauses_within_replies_change_no_bit(monkeypatch):
    whole, values = found()
    for module in (pieces, abstract_response):
        monkeypatch.setattr(module, "PIECE", 1)
    paused, same_values = found()
    assert np.array_equal(paused.choice, whole.choice)
    assert np.array_equal(paused.value, whole.value)
    assert np.array_equal(paused.raise_value, whole.raise_value)
    assert np.array_equal(same_values, values)


def test_a_reply_ends_where_it_is_told(monkeypatch):
    for module in (pieces, abstract_response):
        monkeypatch.setattr(module, "PIECE", 1)
    counting = HaltAfter(10**9)
    found(halt=counting)
    n_looks = 10**9 - counting.n_left
    for n_times in range(0, n_looks, max(n_looks // 25, 1)):
        halt = HaltAfter(n_times)
        with pytest.raises(HaltedError):
            found(halt=halt)
        assert halt.n_left == -1


@pytest.mark.parametrize("n_threads", [1, 2])
def test_deals_that_are_played_before_the_end_are_those_of_a_whole_run(monkeypatch, n_threads):
    whole = play_local_response(PROFILE, 1, n_deals=200, rng=4)
    monkeypatch.setattr(local_response, "_PIECE", 1.0)
    options = {"n_deals": 200, "rng": 4, "n_threads": n_threads}
    assert np.array_equal(play_local_response(PROFILE, 1, **options), whole)
    for n_times in (0, 1, 63, 64, 150):
        some = play_local_response(PROFILE, 1, halt=HaltAfter(n_times), **options)
        assert np.array_equal(some, whole[: some.size])
        assert some.size == n_times if n_threads == 1 else some.size <= n_times


def bound(monkeypatch, n_times, **limits):
    monkeypatch.setattr(lower_bounds, "Halt", lambda **_: HaltAfter(n_times))
    monkeypatch.setattr(local_response, "_PIECE", 1.0)
    limits = {"max_seconds": None, "max_memory": 0.0, "seed": 1, "n_threads": 1} | limits
    return bound_solved(PROFILE, **limits)


def test_a_bound_needs_deals_enough(monkeypatch):
    monkeypatch.setattr(lower_bounds, "_count_deals", lambda *_: 100)
    monkeypatch.setattr(lower_bounds, "_FEWEST_DEALS", 30)
    assert bound(monkeypatch, 100 + 29) is None
    assert bound(monkeypatch, 100 + 30).n_deals == 30


def test_where_there_is_no_time_for_deals_enough_none_is_played(monkeypatch):
    def play(*_arguments, **_options):
        raise AssertionError("nothing should be played")

    monkeypatch.setattr(lower_bounds, "play_local_response", play)
    with pytest.raises(AssertionError, match="nothing should be played"):
        bound(monkeypatch, 1000, max_seconds=3.0)
    monkeypatch.setattr(lower_bounds, "_REPLIES_A_SECOND", 1.0)
    assert bound(monkeypatch, 1000, max_seconds=3.0) is None

"""Which abstraction is suggested: none for small rounds, finer ones for more time."""

import pytest

from liarsolve import Round, presets
from liarsolve.game import MaxJump, Recall, compile_graph, merge_states
from liarsolve.solvers import AbstractionOptions, Limits, solve_abstraction, suggest_abstraction

FIVE_EACH = compile_graph(Round(presets.COMMON, (5, 5)))
FULL_TABLE = compile_graph(Round(presets.PERUDO, (5, 5, 5, 5)))


def suggest(graph, max_seconds=20.0, max_memory=8e9):
    return suggest_abstraction(graph, max_seconds=max_seconds, max_memory=max_memory)


@pytest.mark.parametrize("dice", [(1, 1), (3, 3), (5, 1), (1, 1, 1, 1), (2, 2, 1)])
def test_rounds_that_the_growing_tree_solves_need_none(dice):
    assert suggest(compile_graph(Round(presets.PERUDO, dice))) is None


def test_more_time_lets_players_remember_more():
    assert [suggest(FIVE_EACH, seconds) for seconds in (1, 20, 3600)] == [
        Recall(1),
        Recall(2),
        Recall(3),
    ]


def test_memory_limits_what_players_remember():
    assert suggest(FIVE_EACH, 3600, 1e9) == Recall(2)


def test_where_time_is_short_players_do_not_think_of_long_jumps():
    assert suggest(FULL_TABLE, 0.1) == Recall(1) & MaxJump(12)


def test_what_is_suggested_can_be_solved():
    abstraction = suggest(FULL_TABLE, 1.0)
    result = solve_abstraction(
        FULL_TABLE,
        abstraction,
        limits=Limits(max_iterations=1),
        options=AbstractionOptions(max_visits=1),
    )
    assert result.tree.n_states == merge_states(FULL_TABLE, abstraction).n_states

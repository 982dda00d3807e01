"""What a solve of a bidding round takes on, what it refuses, and how its time is counted."""

from dataclasses import replace

import pytest

from liarsolve import Payoffs, Recall, Round, presets, solve
from liarsolve._clock import counting_from, work_began
from liarsolve.cli.main import main
from liarsolve.errors import GameTooLargeError
from liarsolve.solvers.core.limits import Limits
from liarsolve.strategy.bidding import solve as module
from liarsolve.strategy.bidding.oversize import count_states_above, refuse_hopeless

RULES = presets.COMMON.replace(faces=2)


@pytest.mark.parametrize(("began", "left"), [(100.0, 60.0), (90.0, 50.0), (10.0, 15.0)])
def test_to_start_the_command_counts_but_a_share_is_left(monkeypatch, began, left):
    given = []

    class CaughtError(Exception):
        pass

    def catch(graph, job, limits, callbacks):
        given.append(limits.max_seconds)
        raise CaughtError

    monkeypatch.setattr(module, "_solve", catch)
    monkeypatch.setattr(module, "perf_counter", lambda: 100.0)
    with counting_from(began), pytest.raises(CaughtError):
        solve(RULES, (1, 1), max_seconds=60)
    assert given == [left]


def test_without_a_command_the_work_begins_when_it_is_asked_for(ticks):
    with counting_from(-5.0):
        assert work_began() == -5.0
    assert work_began() == ticks.now


@pytest.mark.parametrize("dice", [(4, 3), (5, 5), (10, 10), (5, 5, 5)])
def test_what_would_never_end_is_refused_unless_something_ends_it(dice):
    round_ = Round(presets.LIARS_DICE, dice)
    with pytest.raises(GameTooLargeError, match="public states, too many for a target of"):
        refuse_hopeless(round_, Limits())
    for limit in ({"max_seconds": 1}, {"max_iterations": 1}, {"max_memory": 1e9}):
        refuse_hopeless(round_, Limits(**limit))


def test_what_ends_after_hours_is_not_refused():
    three_each = Round(presets.LIARS_DICE, (3, 3))
    refuse_hopeless(three_each, Limits())
    assert count_states_above(1e10, three_each) == 68_719_476_736
    assert count_states_above(1e11, three_each) is None
    # In a palifico round most bids keep the face of the first one: many bids, few states.
    assert count_states_above(1e12, Round(presets.PERUDO, (6, 1), palifico=True)) is None


def test_the_command_says_which_options_would_do(capsys):
    assert main(["solve", "--dice", "5,5"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert " ".join(captured.err.split()) == (
        "liarsolve solve: liars_dice with 5,5 dice of 6 faces has 1.153e+18 public states, too "
        "many for a target of 0.001 in any reasonable time; give --recall 1, or a limit such as "
        "--max-seconds=600"
    )


@pytest.mark.parametrize(
    ("options", "is_warned"),
    [("", True), ("--max-memory 1GB", True), ("--max-seconds 9", False), ("--recall 1", False)],
)
def test_the_command_says_that_it_may_take_hours(capsys, monkeypatch, options, is_warned):
    def refuse(*args, **keywords):
        raise GameTooLargeError("too large for this test")

    monkeypatch.setattr("liarsolve.strategy.solve", refuse)
    assert main(["solve", "--dice", "3,3", *options.split()]) == 1
    words = " ".join(capsys.readouterr().err.split())
    assert ("6.872e+10 public states, so a target of 0.001 may take hours" in words) == is_warned
    assert words.endswith("too large for this test")


def test_players_who_forget_are_not_refused():
    game = module.Game(Round(presets.LIARS_DICE, (5, 5)), Payoffs(), Recall(1))
    job = module.Job(
        game=game,
        limits=Limits(),
        variant=game.choose_variant(None),
        seed=0,
        n_threads=None,
        on_progress=None,
        checkpoint=None,
        checkpoint_seconds=600.0,
    )
    job.check()
    with pytest.raises(GameTooLargeError):
        replace(job, game=replace(game, abstraction=None)).check()


def test_a_round_in_use_is_not_compiled_again():
    graph = module.compile_once(Round(RULES, (1, 1)))
    assert module.compile_once(Round(RULES, (1, 1))) is graph
    same = RULES.replace()  # equal, but with a name or costs of their own perhaps
    assert module.compile_once(Round(same, (1, 1))).round.rules is same
    assert module.compile_once(Round(RULES, (2, 1))) is not graph

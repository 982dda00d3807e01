"""Decisions judged by strategies, and never inside what the solver may be wrong by."""

from functools import cache

import pytest

from liarsolve import ProbabilityPlayer, RandomPlayer, presets, solve
from liarsolve.play._values import Values
from liarsolve.play.coach import Coaching, Decision, Verdict, describe_unjudged, judge, sum_up
from liarsolve.play.counsel import Counsel
from liarsolve.play.session import Opponent, Session

TINY = presets.COMMON.replace(dice=1, faces=2, lives=2)
RANDOM = Opponent("random", RandomPlayer())


@pytest.mark.parametrize(
    ("worth", "share", "margin", "verdict"),
    [
        (0.5, 0.0, 0.0, "best"),
        (0.495, 0.0, 0.0, "fine"),
        (0.45, 0.0, 0.0, "inaccuracy"),
        (0.45, 0.0, 0.06, "fine"),
        (0.45, 0.2, 0.06, "best"),
        (0.3, 0.2, 0.0, "mistake"),
        (0.3, 0.0, 0.19, "mistake"),
        (0.3, 0.0, 0.21, "fine"),
        (-0.4, 0.0, 0.95, "fine"),
    ],
)
def test_verdicts_go_by_the_loss_and_the_margin(worth, share, margin, verdict):
    values = Values((("a", 1.0 - share, 0.5), ("b", share, worth)), margin, 0.0)
    kind, loss, best = judge(values, "b")
    assert (kind.value, best) == (verdict, "a")
    assert loss == 0.5 - worth


@pytest.mark.parametrize("margin", [None, 1.0, 2.0])
def test_nothing_is_judged_where_nothing_is_known(margin):
    assert judge(Values((("a", 1.0, 0.5), ("b", 0.0, -1.0)), margin, 0.0), "b") is None


def decision(loss, verdict):
    return Decision(1, "2x2", "liar", loss, 0.0, 0.0, verdict, "So it is.")


def test_the_sum_names_the_three_dearest():
    kinds = [(0.5, Verdict.MISTAKE), (0.05, Verdict.INACCURACY), (0.0, Verdict.BEST)]
    kinds += [(0.3, Verdict.MISTAKE), (0.2, Verdict.MISTAKE), (0.005, Verdict.FINE)]
    assert sum_up([decision(*kind) for kind in kinds], 2) == [
        "Coach: 6 of 8 decisions judged: 1 best, 1 fine, 1 inaccuracy, 3 mistake. "
        "You lost 0.176 of a round per decision.",
        "Round 1: 2x2 lost 0.500 against liar. So it is.",
        "Round 1: 2x2 lost 0.300 against liar. So it is.",
        "Round 1: 2x2 lost 0.200 against liar. So it is.",
    ]


@cache
def solved_tiny():
    return solve(TINY, dice=(1, 1), target=1e-6)


def to_opening(coaching):
    """A match in which the person opens with a one in hand; then 2x2 cannot be true."""
    for seed in range(50):
        counsel = Counsel([solved_tiny()])
        match = Session(TINY, [RANDOM], seed=seed, counsel=counsel, coaching=coaching)
        if "You hold 1." in match.begin() and not match.state.now.public.bids:
            return match
    raise AssertionError("no such deal")


def test_now_tells_first_and_lets_choose_again():
    match = to_opening(Coaching.NOW)
    before = match.state
    told = match.say("2x2")
    assert told[0].startswith("Coach: 2x2 is a mistake; it loses ")
    assert told[1].startswith("2x2 is true with 0 % by your dice, and the likeliest reply is liar")
    assert told[2] == "Type 2x2 again to leave it so, or choose another move."
    assert match.state is before
    assert match.decisions == []
    assert match.say("2x2")[0] == "You bid 2x2, two twos."
    assert [d.move for d in match.decisions] == ["2x2"]


def test_another_move_takes_the_place_of_the_first():
    match = to_opening(Coaching.NOW)
    match.say("2x2")
    best = match.say("1x1")
    assert best[0].startswith("Coach: 1x1 is ")
    assert [d.move for d in match.decisions] == ["1x1"]


def test_after_tells_what_was_done_and_off_says_nothing():
    match = to_opening(Coaching.AFTER)
    told = match.say("2x2")
    assert told[0].startswith("Coach: 2x2 is a mistake")
    assert told[2] == "You bid 2x2, two twos."
    quiet = to_opening(Coaching.OFF)
    assert quiet.say("2x2")[0] == "You bid 2x2, two twos."
    assert not any("Coach" in line for line in quiet.say("quit"))
    assert any(line.startswith("Coach: 1 of 1 decisions judged") for line in match.say("quit"))


def test_the_strategy_itself_is_never_wrong():
    solved = solved_tiny()
    for seed in range(12):
        match = Session(
            TINY, [RANDOM], seed=seed, counsel=Counsel([solved]), coaching=Coaching.AFTER
        )
        match.begin()
        while not match.is_over:
            turn = match.turn(match.player)
            move = max(solved.strategy.probs(turn.hand, turn.bids).items(), key=lambda x: x[1])[0]
            match.say(str(move))
        assert not any(d.verdict.is_wrong for d in match.decisions), seed


def test_cups_are_judged_too():
    match = Session(
        presets.LIAR_DIE,
        [Opponent("odds", ProbabilityPlayer())],
        seed=2,
        coaching=Coaching.AFTER,
    )
    match.begin()
    assert match.say("liar")[0].startswith("Coach: liar is a mistake; it loses ")


def test_rounds_without_a_strategy_are_said_to_be_so_once():
    match = Session(presets.PERUDO, [RANDOM] * 2, seed=7, coaching=Coaching.AFTER)
    match.begin()
    first = match.say("liar")
    assert first[0] == "Coach: no strategy of this round is there, so your moves are not judged."
    assert match.decisions == []
    assert match.say("quit")[-1].startswith("Coach: none of your 1 decisions could be judged.")


def test_places_that_play_never_comes_to_are_not_judged_but_told():
    values = Values((("a", 1.0, 0.5), ("b", 0.0, 0.25)), None, 0.001)
    assert describe_unjudged(values, "b", str.upper) == (
        "Coach: not judged, since by the strategy nobody comes here; for what it is worth, it "
        "would give A 0.250 more."
    )
    rare = Values(values.options, 2.0, 0.001)
    assert describe_unjudged(rare, "a", str.upper) == (
        "Coach: not judged, since by the strategy play hardly ever comes here; for what it is "
        "worth, it would do so too."
    )


def test_a_match_without_decisions_has_nothing_to_judge():
    assert sum_up([], 0) == ["Coach: there was no decision to judge."]

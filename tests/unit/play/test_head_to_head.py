"""Contests over paired deals, and their intervals."""

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from liarsolve import (
    HonestPlayer,
    ProbabilityPlayer,
    RandomPlayer,
    Recall,
    Round,
    StrategyPlayer,
    expected_result,
    head_to_head,
    play_round,
    presets,
    solve,
)
from liarsolve.errors import IllegalActionError, InputError, InputTypeError
from liarsolve.game import Payoffs
from liarsolve.play import HeadToHead, Interval
from liarsolve.rules import OutcomeKind

SMALL = Round(presets.COMMON.replace(faces=3), (2, 1))
PERUDO = Round(presets.PERUDO.replace(faces=4), (2, 2))


class Recorder:
    """Plays like another, and writes down where it sat and what it held."""

    def __init__(self, player, *, waste=0):
        self.player, self.waste, self.seen = player, waste, []

    def act(self, turn, rng):
        self.seen.append((turn.seat, turn.hand, len(turn.bids)))
        action = self.player.act(turn, rng)
        rng.random(self.waste)
        return action


def play(challenger, rival, n_deals=50, rng=1, game=SMALL, **options):
    return head_to_head(game, challenger, rival, n_deals=n_deals, rng=rng, **options)


def by_deal(*args, n_seats=2, **options):
    """What every deal yielded, out of the running means."""
    means = []
    result = play(*args, on_progress=lambda p: means.append(p.mean * p.n_played), **options)
    return np.diff(means, prepend=0.0), result


@pytest.mark.parametrize("player", [RandomPlayer(), ProbabilityPlayer(), HonestPlayer()])
def test_a_player_gets_nothing_of_his_like_in_any_deal(player):
    deals, result = by_deal(player, player)
    assert np.all(deals == 0.0)
    assert result.utility == Interval(0.0, 0.0, 0.0)
    assert result.seats[0].mean == -result.seats[1].mean


def test_the_challenge_may_be_turned_around():
    forth, back = play(RandomPlayer(), HonestPlayer()), play(HonestPlayer(), RandomPlayer())
    assert forth.utility.mean == -back.utility.mean != 0.0
    assert forth.utility.lo == pytest.approx(-back.utility.hi)
    assert forth.endings == back.endings
    assert forth.win_share == pytest.approx(1 - back.win_share)


def test_the_same_dice_are_played_from_every_seat():
    recorder = Recorder(ProbabilityPlayer())
    play(recorder, RandomPlayer(), n_deals=20, game=Round(presets.PERUDO, (1, 2, 3)))
    rival = Recorder(RandomPlayer())
    play(ProbabilityPlayer(), rival, n_deals=20, game=Round(presets.PERUDO, (1, 2, 3)))
    assert {seat for seat, _, _ in recorder.seen} == {0, 1, 2}
    assert {len(hand) - seat for seat, hand, _ in recorder.seen} == {1}
    openings = [hand for seat, hand, n_bids in rival.seen if (seat, n_bids) == (0, 0)]
    # the rival opens twice a deal, over the same dice
    assert openings[::2] == openings[1::2]
    assert [h for s, h, n in recorder.seen if (s, n) == (0, 0)] == openings[::2]


def test_no_deal_depends_on_those_before_it():
    hands = []
    for waste in (0, 5):
        rival = Recorder(RandomPlayer(), waste=waste)
        play(RandomPlayer(), rival, n_deals=10)
        hands.append([hand for seat, hand, n_bids in rival.seen if (seat, n_bids) == (0, 0)])
    assert hands[0] == hands[1]
    few, _ = by_deal(RandomPlayer(), HonestPlayer(), n_deals=10)
    many, _ = by_deal(RandomPlayer(), HonestPlayer(), n_deals=30)
    assert np.allclose(few, many[:10], atol=1e-12)


def test_seeds():
    result = play(RandomPlayer(), HonestPlayer(), rng=3)
    assert result == play(RandomPlayer(), HonestPlayer(), rng=3)
    assert result == play(RandomPlayer(), HonestPlayer(), rng=np.random.default_rng(3))
    assert result != play(RandomPlayer(), HonestPlayer(), rng=4)
    generator = np.random.default_rng(3)
    first, second = (play(RandomPlayer(), HonestPlayer(), rng=generator) for _ in range(2))
    assert first == result != second


def test_the_interval_is_the_t_interval_of_the_mean_over_deals():
    deals, result = by_deal(RandomPlayer(), HonestPlayer(), n_deals=80, confidence=0.9)
    half = stats.t.ppf(0.95, 79) * deals.std(ddof=1) / sqrt(80)
    assert result.utility.mean == pytest.approx(deals.mean())
    assert result.utility.hi - result.utility.mean == pytest.approx(half)
    assert result.utility.mean - result.utility.lo == pytest.approx(half)


def test_confidence_widens_the_intervals():
    narrow, wide = (play(RandomPlayer(), HonestPlayer(), confidence=c) for c in (0.8, 0.99))
    assert narrow.utility.mean == wide.utility.mean
    pairs = zip((narrow.utility, *narrow.seats), (wide.utility, *wide.seats), strict=True)
    for inner, outer in pairs:
        assert outer.lo < inner.lo < inner.hi < outer.hi
    assert (narrow.confidence, wide.confidence) == (0.8, 0.99)


@pytest.mark.parametrize("dice", [(1, 2), (1, 2, 1), (1, 1, 1, 1)])
def test_what_the_numbers_have_to_do_with_each_other(dice):
    result = play(HonestPlayer(), RandomPlayer(), n_deals=30, game=Round(presets.PERUDO, dice))
    assert len(result.seats) == len(dice)
    assert result.n_deals == 30
    assert result.n_rounds == sum(result.endings.values()) == 30 * len(dice)
    assert result.utility.mean == pytest.approx(np.mean([seat.mean for seat in result.seats]))
    for kind, count in result.own_calls.items():
        assert 0 < count <= result.endings[kind]
    assert 0.0 < result.win_share < 1.0
    if len(dice) == 2:  # whoever wins gets 1, whoever loses pays 1
        assert result.utility.mean == pytest.approx(2 * result.win_share - 1)


def test_own_calls_are_those_of_the_challenger():
    class Caller:
        def act(self, turn, rng):
            return turn.actions[-1] if turn.bids else turn.actions[0]

    class Raiser:
        def act(self, turn, rng):
            return turn.actions[0]

    game = Round(presets.LIARS_DICE, (1, 1))
    result = play(Caller(), Raiser(), n_deals=20, game=game)
    assert dict(result.own_calls) == dict(result.endings)
    assert not play(Raiser(), Caller(), n_deals=20, game=game).own_calls


def test_payoffs_change_what_is_won():
    class Exact:
        def act(self, turn, rng):
            return turn.actions[-1] if turn.bids else turn.actions[0]

    plain = play(Exact(), ProbabilityPlayer(), game=PERUDO)
    assert plain.own_calls.keys() >= {OutcomeKind.EXACT_WRONG}
    paid = play(Exact(), ProbabilityPlayer(), game=PERUDO, payoffs=Payoffs(exact_wrong=-3.0))
    assert paid.utility.mean < plain.utility.mean
    assert paid.endings == plain.endings


def test_payoffs_are_those_of_the_strategy():
    paid = solve(PERUDO.rules, (1, 1), target=1e-2, exact_payoff=(3, 2))
    game = Round(PERUDO.rules, (1, 1))
    payoffs = Payoffs.for_exact_call((3, 2))
    for players in ((paid, RandomPlayer()), (RandomPlayer(), paid.strategy)):
        by_itself = play(*players, game=game)
        assert by_itself == play(*players, game=game, payoffs=payoffs)
        assert by_itself != play(*players, game=game, payoffs=Payoffs())
    played = [
        play_round(game, [paid, RandomPlayer()], rng=seed, payoffs=p).utilities
        for seed in range(10)
        for p in (None, payoffs)
    ]
    assert played[::2] == played[1::2]
    assert any(abs(utilities[0]) > 1.0 for utilities in played)


def test_rules_with_dice_are_a_round():
    rules = presets.COMMON.replace(faces=3)
    from_rules = play(RandomPlayer(), HonestPlayer(), game=rules, dice=[2, 1])
    assert from_rules == play(RandomPlayer(), HonestPlayer(), game=SMALL)


def test_progress_is_told_after_every_deal():
    told = []
    result = play(RandomPlayer(), HonestPlayer(), n_deals=7, on_progress=told.append)
    assert [(p.n_played, p.n_deals) for p in told] == [(k, 7) for k in range(1, 8)]
    assert told[-1].mean == pytest.approx(result.utility.mean)
    assert 0.0 < told[0].seconds <= told[-1].seconds


def test_ctrl_c_leaves_what_was_played():
    def press(progress):
        if progress.n_played == 12:
            raise KeyboardInterrupt

    result = play(RandomPlayer(), HonestPlayer(), n_deals=40, on_progress=press)
    whole = play(RandomPlayer(), HonestPlayer(), n_deals=12)
    assert result.is_interrupted
    assert not whole.is_interrupted
    assert result.to_dict() == whole.to_dict() | {"is_interrupted": True}


def test_ctrl_c_inside_of_a_deal_leaves_whole_deals():
    class Impatient:
        turns = 0

        def act(self, turn, rng):
            self.turns += 1
            if self.turns == 30:
                raise KeyboardInterrupt
            return turn.actions[-1]

    result = play(Impatient(), HonestPlayer(), n_deals=100)
    assert result.is_interrupted
    assert 2 <= result.n_deals < 30
    assert sum(result.endings.values()) == result.n_rounds == 2 * result.n_deals


def test_ctrl_c_before_there_is_an_interval():
    def press(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(RandomPlayer(), HonestPlayer(), on_progress=press)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"n_deals": 0}, InputError, "n_deals is a whole number of 2 or more, got 0"),
        ({"n_deals": 1}, InputError, "n_deals is a whole number of 2 or more, got 1"),
        ({"n_deals": 2.5}, InputTypeError, "n_deals is a whole number of 2 or more, got 2.5"),
        ({"n_deals": True}, InputTypeError, "n_deals is a whole number of 2 or more, got True"),
        ({"confidence": 1.0}, InputError, "confidence lies between 0 and 1, such as 0.95"),
        ({"confidence": 0.0}, InputError, "confidence lies between 0 and 1, such as 0.95"),
        ({"rng": "dice"}, InputTypeError, "rng is a numpy random Generator, or a seed of"),
        ({"dice": (2, 1)}, InputError, "a Round has its dice, (2, 1); leave out dice=(2, 1)"),
        ({"game": presets.COMMON}, InputError, "rules alone do not say how many dice there are"),
        ({"game": presets.COMMON, "dice": "21"}, InputTypeError, "as in (2, 1), got '21'"),
        (
            {"game": "perudo", "dice": (1, 1)},
            InputTypeError,
            "CupRules or a CupRound, got 'perudo'",
        ),
        ({"game": presets.MIA, "dice": (1, 1)}, InputError, "a cup game takes no dice, got dice="),
        ({"game": presets.MIA, "payoffs": Payoffs()}, InputError, "a cup game takes no payoffs"),
        ({"payoffs": (1, 2)}, InputTypeError, "payoffs is Payoffs, such as"),
        ({"on_progress": 3}, InputTypeError, "on_progress is a function, got 3"),
        ({"rng": -1}, InputError, "a seed of 0 or more, got -1"),
        ({"challenger": "honest"}, InputTypeError, "a player has a method act"),
        ({"payoffs": Payoffs(bidder_loses=(1.0,))}, InputError, "one for each of 2 players"),
    ],
)
def test_bad_arguments(options, error, words):
    arguments = {"challenger": RandomPlayer(), "rival": RandomPlayer()} | options
    with pytest.raises(error) as caught:
        play(**arguments)
    assert words in str(caught.value)


def test_illegal_play_is_no_result():
    class Wrong:
        def act(self, turn, rng):
            return turn.round.bids[0]

    with pytest.raises(
        IllegalActionError,
        match=r"Wrong object at .* in seat 2, holding . after 1x1, answered 1x1: ",
    ):
        play(Wrong(), Wrong())


@pytest.fixture(scope="module")
def pair():
    """A good and a bad strategy, with what the good one gets of the bad one."""
    rules = presets.COMMON.replace(faces=2)
    good = solve(rules, (2, 1), target=1e-4)
    bad = solve(rules, (2, 1), target=0, max_iterations=2)
    expected = expected_result(good, bad, threshold=0.0)
    assert expected.utility > 0.01
    return good, bad, expected


def test_intervals_cover_the_truth_as_often_as_they_say(pair):
    good, bad, expected = pair
    n_contests, confidence = 150, 0.8
    game = Round(good.rules, good.dice)
    players = StrategyPlayer(good), StrategyPlayer(bad)
    covered = []
    for seed in range(n_contests):
        result = play(*players, n_deals=60, rng=seed, game=game, confidence=confidence)
        pairs = zip(expected.seats, result.seats, strict=True)
        covered.append([expected.utility in result.utility, *(v in seat for v, seat in pairs)])
    # Four standard deviations of the share that is covered. Amounts of +1 and -1 are not normal,
    # which moves the true coverage by some hundredths at 60 deals.
    tolerance = 4 * sqrt(confidence * (1 - confidence) / n_contests)
    for share in np.mean(covered, axis=0):
        assert abs(share - confidence) < tolerance + 0.02


def test_pairing_makes_the_interval_narrower():
    rules = presets.COMMON.replace(faces=2)
    one, other = (solve(rules, (2, 1), target=target) for target in (1e-4, 1e-2))
    result = play(one, other, n_deals=300, game=Round(rules, (2, 1)))
    # If the two rounds of a deal had nothing to do with each other, the variance of their mean
    # would be this; measured is a seventh of it.
    apart = sum((seat.hi - seat.lo) ** 2 for seat in result.seats) / 4
    assert (result.utility.hi - result.utility.lo) ** 2 < 0.4 * apart
    assert isinstance(result, HeadToHead)


def test_the_loss_with_imperfect_recall_is_as_computed():
    rules, dice = presets.COMMON.replace(faces=4), (2, 2)
    certified = solve(rules, dice, target=5e-3)
    coarse = solve(rules, dice, abstraction=Recall(1), max_iterations=150)
    expected = expected_result(coarse, certified)
    assert -coarse.exploitability - certified.exploitability < expected.utility < 0.0
    measured = head_to_head(
        rules, coarse, certified, dice=dice, n_deals=1200, rng=1, confidence=0.999
    )
    assert expected.utility in measured.utility
    for value, seat in zip(expected.seats, measured.seats, strict=True):
        assert value in seat

"""Many matches between the same players."""

from fractions import Fraction

import pytest
from scipy.stats import binomtest

from liarsolve import HonestPlayer, RandomPlayer, presets
from liarsolve.errors import InputError
from liarsolve.play import contest_matches

RULES = presets.LIARS_DICE.replace(dice=1, faces=3)


def test_seats_move_on_and_wins_add_up():
    seen = []
    result = contest_matches(
        [HonestPlayer(), RandomPlayer(), RandomPlayer()],
        RULES,
        n_matches=30,
        rng=2,
        on_match=seen.append,
    )
    assert [match.order for match in seen[:4]] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    assert [match.number for match in seen] == list(range(1, 31))
    assert result.seat_matches == (10, 10, 10)
    assert sum(c.n_wins for c in result.contestants) == result.n_matches == 30
    assert all(sum(c.seat_wins) == c.n_wins for c in result.contestants)
    wins = [0, 0, 0]
    for match in seen:
        wins[match.order[match.played.winners[0]]] += 1
    assert wins == [c.n_wins for c in result.contestants]
    assert result.n_rounds == sum(len(match.played.rounds) for match in seen)


def test_the_interval_is_the_exact_binomial_one():
    result = contest_matches(
        [HonestPlayer(), RandomPlayer()], RULES, n_matches=40, rng=1, confidence=0.9
    )
    own = result.contestants[0]
    expected = binomtest(own.n_wins, 40).proportion_ci(0.9, method="exact")
    assert (own.win_chance.lo, own.win_chance.hi) == (expected.low, expected.high)
    assert Fraction(own.n_wins, 40) == Fraction(own.win_chance.mean)
    assert own.win_chance.lo < own.win_chance.mean < own.win_chance.hi


def test_a_contest_can_be_repeated_and_matches_do_not_depend_on_each_other():
    players = [RandomPlayer(), RandomPlayer()]
    first, second = (contest_matches(players, RULES, n_matches=20, rng=3) for _ in range(2))
    assert first == second
    assert first != contest_matches(players, RULES, n_matches=20, rng=4)


class Faint:
    """Fails in the first match that it starts, and plays on in the others."""

    def __init__(self):
        self.n_failed = 0

    def act(self, turn, rng):
        if not turn.bids and self.n_failed == 0:
            self.n_failed += 1
            raise RuntimeError("fainted")
        return turn.actions[-1]


def test_a_player_who_fails_loses_that_match_alone():
    seen = []
    result = contest_matches(
        [Faint(), HonestPlayer()], RULES, n_matches=6, rng=1, on_match=seen.append
    )
    assert [match.played.forfeit is not None for match in seen] == [True] + [False] * 5
    assert [c.n_forfeits for c in result.contestants] == [1, 0]
    assert seen[0].played.winners == (1,)


def test_ctrl_c_leaves_what_was_played():
    def stop(progress):
        if progress.n_played == 4:
            raise KeyboardInterrupt

    result = contest_matches(
        [HonestPlayer(), RandomPlayer()], RULES, n_matches=100, rng=1, on_progress=stop
    )
    assert (result.n_matches, result.is_interrupted) == (4, True)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"n_matches": 0}, "n_matches"),
        ({"confidence": 1.0}, "confidence lies between 0 and 1"),
        ({"rng": "x"}, "rng"),
        ({"on_match": 3}, "on_match"),
    ],
)
def test_wrong_arguments_are_refused(more, message):
    arguments = {"n_matches": 2, "rng": 1} | more
    with pytest.raises((InputError, TypeError), match=message):
        contest_matches([HonestPlayer(), RandomPlayer()], RULES, **arguments)

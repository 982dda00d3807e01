"""Single rounds between players."""

from collections import Counter
from math import sqrt

import numpy as np
import pytest

from liarsolve import (
    CHALLENGE,
    EXACT,
    Bid,
    HonestPlayer,
    ProbabilityPlayer,
    RandomPlayer,
    Round,
    play_round,
    presets,
    solve,
)
from liarsolve.errors import IllegalActionError, InputError, InputTypeError, RuleError
from liarsolve.game import Payoffs
from liarsolve.play import throw_hands
from liarsolve.rules import OutcomeKind, parse_action


class Scripted:
    """Says what is written down for it, one thing a turn."""

    def __init__(self, *lines):
        self.lines = [parse_action(line) for line in lines]
        self.turns = []

    def act(self, turn, rng):
        self.turns.append(turn)
        return self.lines[len(self.turns) - 1]

    def __repr__(self):
        return "Scripted()"


PERUDO = Round(presets.PERUDO, (2, 1))


def test_a_round_by_hand():
    first, second = Scripted("1x3", "liar"), Scripted("2x5")
    played = play_round(PERUDO, [first, second], ["3,5", "1"], rng=0)
    assert played.actions == (Bid(1, 3), Bid(2, 5), CHALLENGE)
    assert str(played) == "1x3 2x5 liar"
    assert played.hands == ((3, 5), (1,))
    assert played.round is PERUDO
    assert (played.outcome.kind, played.outcome.count) == (OutcomeKind.CHALLENGER_LOSES, 2)
    assert played.utilities == (-1.0, 1.0)


def test_players_are_shown_their_own_dice_and_what_was_said():
    first, second = Scripted("1x3", "liar"), Scripted("2x5")
    play_round(PERUDO, [first, second], ["5,3", "1"], rng=0)
    assert [turn.hand for turn in first.turns] == [(3, 5), (3, 5)]
    assert [turn.bids for turn in first.turns] == [(), (Bid(1, 3), Bid(2, 5))]
    assert [(turn.hand, turn.bids, turn.seat) for turn in second.turns] == [((1,), (Bid(1, 3),), 1)]
    for turn in first.turns + second.turns:
        assert turn.actions == PERUDO.legal_actions(PERUDO.state_after(turn.bids))


def test_payoffs_are_those_of_the_round():
    def utilities(payoffs):
        players = [Scripted("1x3"), Scripted("exact")]
        played = play_round(PERUDO, players, ["3,3", "1"], rng=0, payoffs=payoffs)
        assert played.outcome.kind is OutcomeKind.EXACT_WRONG
        return played.utilities

    assert utilities(None) == (1.0, -1.0)
    assert utilities(Payoffs.for_exact_call((2, 3))) == (3.0, -3.0)


def test_among_three_the_loser_pays_the_others():
    round_ = Round(presets.LIARS_DICE, (1, 1, 1))
    players = [Scripted("1x2"), Scripted("2x2"), Scripted("liar")]
    played = play_round(round_, players, ["2", "3", "4"], rng=0)
    assert played.utilities == (0.5, -1.0, 0.5)


def test_a_seed_says_it_all():
    def play(rng):
        return play_round(PERUDO, [RandomPlayer(), RandomPlayer()], rng=rng)

    assert play(5) == play(5) == play(np.random.default_rng(5))
    assert len({str(play(seed)) for seed in range(20)}) > 10
    generator = np.random.default_rng(5)
    assert play(generator) == play(5)
    assert play(generator) != play(5)  # it goes on


def test_given_hands_change_nothing_but_the_hands():
    thrown = play_round(PERUDO, [RandomPlayer(), RandomPlayer()], rng=5)
    given = play_round(PERUDO, [RandomPlayer(), RandomPlayer()], thrown.hands, rng=5)
    assert given == thrown


def test_solutions_may_sit_at_the_table():
    solution = solve(presets.PERUDO.replace(faces=3), (1, 1), target=1e-2)
    round_ = Round(solution.rules, solution.dice)
    played = play_round(round_, [solution, solution.strategy], rng=1)
    assert played.actions[-1] in (CHALLENGE, EXACT)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("9x9", "answered 9x9: opening bid refused: the dice have faces 1"),
        ("1x1", "at the start, answered 1x1: opening bid refused: PE.2"),
        ("liar", "answered liar: challenge refused: there is no bid to challenge yet"),
    ],
)
def test_what_is_not_allowed_is_refused(line, words):
    with pytest.raises(IllegalActionError) as caught:
        play_round(PERUDO, [Scripted(line), RandomPlayer()], rng=0)
    assert words in str(caught.value)


def test_an_answer_that_is_no_action_is_refused():
    player = Scripted()
    player.lines = ["1x3"]
    with pytest.raises(IllegalActionError, match="answered '1x3': an action is a Bid"):
        play_round(PERUDO, [player, RandomPlayer()], rng=0)


@pytest.mark.parametrize(
    ("players", "hands", "rng", "error", "words"),
    [
        ([RandomPlayer()], None, 0, InputError, "a round for 2 players got 1"),
        ([RandomPlayer()] * 2, ["3", "3"], 0, InputError, "(2, 1), got hands of (1, 1)"),
        ([RandomPlayer()] * 2, ["3,7", "3"], 0, InputError, "a die shows 1 to 6, got 7"),
        (
            [RandomPlayer()] * 2,
            None,
            None,
            InputTypeError,
            "Generator, or a seed of 0 or more, got None",
        ),
        (
            [RandomPlayer()] * 2,
            None,
            True,
            InputTypeError,
            "Generator, or a seed of 0 or more, got True",
        ),
        ([RandomPlayer()] * 2, None, -1, InputError, "a seed of 0 or more, got -1"),
        ([RandomPlayer(), "me"], None, 0, InputTypeError, "a player has a method act"),
    ],
)
def test_bad_arguments(players, hands, rng, error, words):
    with pytest.raises(error) as caught:
        play_round(PERUDO, players, hands, rng=rng)
    assert words in str(caught.value)


def test_calls_out_of_turn_cannot_be_played():
    rules = presets.PERUDO.replace(exact_who="any_but_bidder")
    with pytest.raises(RuleError, match="players are asked on their turn alone"):
        play_round(Round(rules, (1, 1, 1)), [RandomPlayer()] * 3, rng=0)
    two = play_round(Round(rules, (1, 1)), [RandomPlayer()] * 2, rng=0)  # nobody is out of turn
    assert two.actions


def test_dice_are_thrown_fairly():
    round_, n, rng = Round(presets.COMMON.replace(faces=3), (2, 1)), 3000, np.random.default_rng(2)
    throws = Counter(throw_hands(round_, rng) for _ in range(n))
    assert len(throws) == 6 * 3
    for (first, _), count in throws.items():
        p = (1 if first[0] == first[1] else 2) / 27
        assert abs(count - n * p) < 4.5 * sqrt(n * p * (1 - p))


def test_ready_players_meet_under_every_preset():
    for rules in (presets.LIARS_DICE, presets.PERUDO, presets.COMMON, presets.DUDO, presets.SNYD):
        round_ = Round(rules, (3, 2, 1, 2))
        players = [ProbabilityPlayer(), HonestPlayer(), RandomPlayer(), ProbabilityPlayer()]
        for seed in range(5):
            played = play_round(round_, players, rng=seed)
            outcome = round_.showdown(round_.state_after(played.actions), played.hands)
            assert outcome == played.outcome
            assert sum(played.utilities) == pytest.approx(0.0, abs=1e-12)

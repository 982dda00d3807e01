"""What the ready players do, turn by turn."""

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
    StrategyPlayer,
    Turn,
    p_at_least,
    presets,
    solve,
)
from liarsolve.dice import enumerate_hands
from liarsolve.errors import InputError, InputTypeError
from liarsolve.game import compile_graph, default_actions
from liarsolve.play import READY_PLAYERS, as_player
from liarsolve.rules import PublicState

RNG = np.random.default_rng(0)


def turn_after(round_, hand, history=()):
    state = round_.state_after(history)
    return Turn(round_, hand, state.bids, round_.legal_actions(state))


def act(player, round_, hand, history=()):
    return player.act(turn_after(round_, hand, history), RNG)


def states_by_node(round_):
    """One public state for every node of the bid graph."""
    found, waiting = {}, [PublicState()]
    while waiting:
        state = waiting.pop()
        if round_.graph_key(state) not in found:
            found[round_.graph_key(state)] = state
            raises = [a for a in round_.legal_actions(state) if isinstance(a, Bid)]
            waiting += [round_.next_state(state, bid) for bid in raises]
    return found.values()


def all_turns(round_):
    for state in states_by_node(round_):
        for hand in enumerate_hands(round_.dice[round_.to_act(state)], round_.rules.faces):
            yield Turn(round_, hand, state.bids, round_.legal_actions(state))


ROUNDS = [
    Round(presets.COMMON.replace(faces=3), (2, 1)),
    Round(presets.LIARS_DICE.replace(faces=3), (1, 2)),
    Round(presets.SNYD.replace(faces=3), (1, 1, 1)),
    Round(presets.PERUDO.replace(faces=4), (2, 1)),
    Round(presets.PERUDO.replace(faces=3), (1, 1), palifico=True),
]


@pytest.mark.parametrize("round_", ROUNDS[:3], ids=str)
def test_without_exact_calls_the_probability_player_is_the_default(round_):
    graph = compile_graph(round_)
    defaults = default_actions(graph)
    keys = sorted({round_.graph_key(state) for state in states_by_node(round_)})
    for turn in all_turns(round_):
        node = keys.index(round_.graph_key(PublicState(turn.bids)))
        place = defaults[turn.seat][node, graph.hand_ids[turn.seat][turn.hand]]
        assert ProbabilityPlayer().act(turn, RNG) == graph.actions(node)[place]


@pytest.mark.parametrize(
    ("hand", "history", "action"),
    [
        ((3, 3), [], Bid(1, 3)),  # certain, and lower than 2x3, which is so too
        ((2, 5), [], Bid(1, 2)),  # as sure as 1x5
        ((2, 5), ["1x5"], Bid(1, 6)),  # 11/36, as 2x2 and 2x5
        ((2, 5), ["2x4"], CHALLENGE),  # 1/36
        ((4, 5), ["2x4"], CHALLENGE),  # 11/36
        (
            (4, 4),
            ["2x4"],
            Bid(3, 4),
        ),  # true, so the player raises, though 3x4 has a chance of 11/36
        ((6, 6), ["4x5"], CHALLENGE),
    ],
)
def test_the_probability_player_by_hand(hand, history, action):
    assert act(ProbabilityPlayer(), Round(presets.COMMON, (2, 2)), hand, history) == action


def test_an_even_chance_is_believed():
    coins = Round(presets.COMMON.replace(faces=2), (1, 1))
    assert turn_after(coins, (2,), ["1x1"]).p_true() == 0.5
    assert act(ProbabilityPlayer(), coins, (2,), ["1x1"]) == Bid(1, 2)


def test_exact_calls_of_the_probability_player():
    perudo = Round(presets.PERUDO, (1, 1))
    # 1x5 stands; the own five counts, and the other die is neither a one nor a five with chance 2/3
    assert act(ProbabilityPlayer(), perudo, (5,), ["1x5"]) is EXACT
    assert act(ProbabilityPlayer(), Round(presets.LIARS_DICE, (1, 1)), (5,), ["1x5"]) == Bid(1, 6)
    # both dice must show fives or ones: a doubtful bid is never called exact
    assert act(ProbabilityPlayer(), perudo, (5,), ["2x5"]) is CHALLENGE


def test_at_the_end_of_the_bids_the_likelier_call_is_made():
    coins = Round(presets.PERUDO.replace(faces=2), (1, 1))
    last = ["1x2", str(coins.bids[-1])]
    turn = turn_after(coins, (1,), last)
    assert turn.raises == ()
    assert (turn.p_exact(), turn.p_true()) == (0.5, 0.5)
    assert ProbabilityPlayer().act(turn, RNG) is CHALLENGE  # both calls are as likely
    assert HonestPlayer().act(turn_after(coins, (2,), last), RNG) is CHALLENGE


@pytest.mark.parametrize(
    ("hand", "history", "action"),
    [
        ((3, 3), [], Bid(2, 3)),  # two own dice and a third of one more
        ((2, 5), [], Bid(1, 5)),
        ((2, 5), ["1x5"], CHALLENGE),  # believed, but nothing above it
        ((4, 4), ["2x4"], CHALLENGE),
        ((2, 5), ["1x2"], Bid(1, 5)),
        ((1, 6), ["1x1"], Bid(1, 6)),
        ((6, 6), ["1x6"], Bid(2, 6)),
        ((6, 6), ["1x2"], CHALLENGE),  # a third of a two is expected
    ],
)
def test_the_honest_player_by_hand(hand, history, action):
    assert act(HonestPlayer(), Round(presets.COMMON, (2, 2)), hand, history) == action


def test_what_is_expected_is_believed():
    round_ = Round(presets.COMMON, (1, 6))  # of six dice one is expected to match
    assert turn_after(round_, (3,)).excess(Bid(2, 3)) == 0.0
    assert act(HonestPlayer(), round_, (3,)) == Bid(2, 3)
    assert turn_after(round_, (3,)).excess(Bid(3, 3)) == 1.0


@pytest.mark.parametrize("round_", ROUNDS, ids=str)
def test_the_honest_player_never_bids_what_is_likely_false(round_):
    differs = False
    for turn in all_turns(round_):
        action = HonestPlayer().act(turn, RNG)
        assert action in turn.actions
        if isinstance(action, Bid) and (turn.bids or turn.excess(action) <= 0.0):
            assert turn.p_true(action) >= 0.5
        elif isinstance(action, Bid):  # an opening with nothing to believe
            assert all(turn.excess(bid) > 0.0 for bid in turn.raises)
            assert turn.p_true(action) == max(map(turn.p_true, turn.raises))
        differs |= action != ProbabilityPlayer().act(turn, RNG)
    assert differs


def test_an_honest_player_calls_exact_where_it_is_likelier_right():
    perudo = Round(presets.PERUDO, (1, 1))
    # 1x6 stands over an own six; nothing above it is believed
    assert act(HonestPlayer(), perudo, (6,), ["1x6"]) is EXACT
    assert act(HonestPlayer(), Round(presets.LIARS_DICE, (1, 1)), (6,), ["1x6"]) is CHALLENGE


def test_an_opening_that_nobody_can_believe():
    round_ = Round(presets.COMMON.replace(faces=3, open_min="n_players"), (1, 1))
    turn = turn_after(round_, (2,))
    assert turn.raises == (Bid(2, 1), Bid(2, 2), Bid(2, 3))
    assert HonestPlayer().act(turn, RNG) == Bid(2, 2)


def test_a_random_player_does_everything_equally_often():
    turn = turn_after(Round(presets.COMMON.replace(faces=2), (1, 1)), (1,), ["1x1"])
    n, rng = 4000, np.random.default_rng(7)
    counts = Counter(RandomPlayer().act(turn, rng) for _ in range(n))
    assert set(counts) == set(turn.actions)
    p = 1 / len(turn.actions)
    for count in counts.values():  # four standard deviations of a binomial count
        assert abs(count - n * p) < 4 * sqrt(n * p * (1 - p))


@pytest.fixture(scope="module")
def solution():
    return solve(presets.COMMON.replace(faces=3), (1, 1), target=1e-3)


def test_a_strategy_is_played_with_its_chances(solution):
    player, round_ = StrategyPlayer(solution), Round(solution.rules, solution.dice)
    turn = turn_after(round_, (1,))
    n, rng = 4000, np.random.default_rng(3)
    counts = Counter(player.act(turn, rng) for _ in range(n))
    probs = solution.strategy.probs((1,))
    assert sum(0.05 < p < 0.95 for p in probs.values()) >= 2  # it does mix
    for action, p in probs.items():
        assert abs(counts[action] - n * p) <= 4 * sqrt(n * p * (1 - p)) + 1e-9


def test_a_strategy_is_asked_once_for_each_place(solution, monkeypatch):
    asked = []
    ask = type(solution.strategy).probs

    def count(self, hand, history=()):
        asked.append((hand, tuple(history)))
        return ask(self, hand, history)

    monkeypatch.setattr(type(solution.strategy), "probs", count)
    player, round_ = StrategyPlayer(solution.strategy), Round(solution.rules, solution.dice)
    for _ in range(5):
        player.act(turn_after(round_, (1,)), RNG)
        player.act(turn_after(round_, (2,), ["1x2"]), RNG)
    assert asked == [((1,), ()), ((2,), (Bid(1, 2),))]


@pytest.mark.parametrize(
    ("round_", "words"),
    [
        (Round(presets.COMMON, (1, 1)), "but the round is common with dice (1, 1)"),
        (Round(presets.COMMON.replace(faces=3), (1, 2)), "with dice (1, 2)"),
        (Round(presets.COMMON.replace(faces=3), (1, 1), palifico=True), "only one is palifico"),
    ],
)
def test_a_strategy_refuses_other_rounds(solution, round_, words):
    with pytest.raises(InputError) as caught:
        act(StrategyPlayer(solution), round_, (1,))
    assert str(caught.value).startswith("the strategy is for common, faces=3 with dice (1, 1)")
    assert words in str(caught.value)


@pytest.mark.parametrize("thing", ["probability", None, 3, RandomPlayer])
def test_what_is_no_player(thing):
    with pytest.raises(InputTypeError, match="a player has a method act"):
        as_player(thing)


def test_a_strategy_player_takes_a_strategy(solution):
    with pytest.raises(InputTypeError, match="takes a BiddingSolution or Strategy, got 'folder'"):
        StrategyPlayer("folder")
    assert isinstance(as_player(solution), StrategyPlayer)
    player = RandomPlayer()
    assert as_player(player) is player


def test_players_say_who_they_are(solution):
    assert {name: repr(make()) for name, make in READY_PLAYERS.items()} == {
        "probability": "ProbabilityPlayer()",
        "honest": "HonestPlayer()",
        "random": "RandomPlayer()",
    }
    assert repr(StrategyPlayer(solution)) == (
        "StrategyPlayer(Strategy(rules='common, faces=3', dice=(1, 1)))"
    )


def test_a_turn_knows_the_odds():
    turn = turn_after(Round(presets.LIARS_DICE, (3, 2)), (1, 5, 5), ["1x5", "2x5"])
    assert (turn.seat, turn.standing_bid) == (0, Bid(2, 5))
    assert turn.p_true() == 1.0
    assert turn.p_true(Bid(4, 5)) == p_at_least(4, 5, 2, hand=(1, 5, 5))
    # a bid on ones ends their wildness, and then counts ones alone
    assert turn.p_true(Bid(2, 1)) == p_at_least(2, 1, 2, hand=(1, 5, 5), wild=None)
    locked = turn_after(Round(presets.LIARS_DICE, (3, 2)), (1, 5, 5), ["1x1", "2x2"])
    assert locked.p_true(Bid(3, 5)) == p_at_least(3, 5, 2, hand=(1, 5, 5), wild=None)
    assert locked.p_true() == p_at_least(2, 2, 2, hand=(1, 5, 5), wild=None)
    assert locked.p_exact() == 1 / 36


def test_a_turn_before_any_bid():
    turn = turn_after(Round(presets.COMMON, (1, 1)), (2,))
    assert (turn.seat, turn.standing_bid) == (0, None)
    assert (turn.p_true(), turn.p_exact(), turn.excess()) == (1.0, 0.0, 0.0)
    assert len(turn.raises) == len(turn.actions) == 12

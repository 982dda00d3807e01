import re
from collections import Counter

import pytest

from liarsolve.dice import count_hands
from liarsolve.errors import IllegalActionError, InputError, InputTypeError, RuleError
from liarsolve.rules import CHALLENGE, EXACT, Bid, PublicState, Round, RuleSet, presets

PERUDO, COMMON = presets.PERUDO, presets.COMMON


def test_a_round_knows_its_dice():
    round_ = Round(PERUDO, [3, 2, 1])
    assert (round_.dice, round_.n_players, round_.total_dice) == ((3, 2, 1), 3, 6)
    assert round_ == Round(PERUDO, (3, 2, 1))
    assert hash(round_) == hash(Round(PERUDO, (3, 2, 1)))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            ("perudo", (1, 1)),
            InputTypeError,
            "rules are a RuleSet such as presets.PERUDO, got 'perudo'",
        ),
        ((PERUDO, (3,)), InputError, "a round needs two players or more, got dice=(3,)"),
        (
            (PERUDO, (3, 0)),
            InputError,
            "each player needs a die, got dice=(3, 0); a player without dice has lost",
        ),
        ((PERUDO, (3, 1.5)), InputTypeError, "dice are whole numbers, one per player, got 1.5"),
        ((PERUDO, (True, 1)), InputTypeError, "dice are whole numbers, one per player, got True"),
        (
            (COMMON.replace(open_min="1.5n"), (1, 1)),
            RuleError,
            "no opening bid is legal with 2 dice: open_min=1.5n asks for 3 or more",
        ),
    ],
)
def test_a_round_that_cannot_be_played_is_refused(arguments, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        Round(*arguments)


def test_players_who_have_been_palifico_must_exist():
    with pytest.raises(InputError, match=r"^players are numbered 0 to 1, got 2$"):
        Round(PERUDO, (1, 1), ex_palifico=frozenset({2}))


def test_bid_ids_are_positions():
    round_ = Round(PERUDO, (2, 2))
    assert [round_.bid_id(bid) for bid in round_.bids] == list(range(24))
    with pytest.raises(IllegalActionError, match=r"^bid refused: PE\?7 there are 4 dice on the "):
        round_.bid_id(Bid(5, 2))
    with pytest.raises(
        IllegalActionError, match=r"^bid refused: the dice have faces 1 to 6, got 1x7$"
    ):
        round_.bid_id(Bid(1, 7))


def test_the_initial_state_is_empty():
    round_ = Round(PERUDO, (1, 1))
    state = round_.initial_state()
    assert state == PublicState() == round_.state_after([])
    assert (state.bids, state.last_bid, state.is_terminal) == ((), None, False)
    assert (round_.to_act(state), round_.bidder(state)) == (0, None)


def test_a_state_remembers_bids_and_caller():
    round_ = Round(PERUDO, (1, 1, 1))
    state = round_.state_after(["1x2", Bid(2, 2), "calza"])
    assert state == PublicState(bids=(Bid(1, 2), Bid(2, 2)), call=EXACT, caller=2)
    assert (state.last_bid, state.is_terminal, round_.bidder(state)) == (Bid(2, 2), True, 1)
    assert hash(state) == hash(round_.state_after(["1x2", "2x2", "exact"]))


def test_nothing_may_be_done_after_a_call():
    round_ = Round(PERUDO, (1, 1))
    state = round_.state_after(["1x2", "liar"])
    assert round_.legal_actions(state) == ()
    assert round_.illegal_reason(state, Bid(2, 2)) == (
        "raise refused: the round is over, player 1 has called liar"
    )


def test_legal_actions_are_bids_lowest_first_then_the_calls():
    round_ = Round(PERUDO, (1, 1))
    assert " ".join(map(str, round_.legal_actions(round_.state_after(["1x5"])))) == (
        "1x6 2x2 2x3 2x4 2x5 2x6 1x1 2x1 liar exact"
    )


def test_only_the_player_on_turn_may_bid():
    round_ = Round(PERUDO, (1, 1, 1))
    state = round_.state_after(["1x2"])
    assert round_.illegal_reason(state, Bid(2, 2), player=2) == (
        "raise refused: it is the turn of player 1, not of player 2"
    )
    assert round_.legal_actions(round_.initial_state(), player=1) == ()


@pytest.mark.parametrize(
    ("action", "player", "error", "message"),
    [
        ("1x2", None, InputTypeError, "an action is a Bid, CHALLENGE or EXACT, got '1x2'"),
        (CHALLENGE, 3, InputError, "players are numbered 0 to 1, got 3"),
        (CHALLENGE, -1, InputError, "players are numbered 0 to 1, got -1"),
        (CHALLENGE, "0", InputTypeError, "a player is a whole number, got '0'"),
    ],
)
def test_questions_that_make_no_sense_are_refused(action, player, error, message):
    round_ = Round(PERUDO, (1, 1))
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        round_.illegal_reason(round_.initial_state(), action, player)


def test_next_state_refuses_with_the_reason():
    round_ = Round(COMMON, (1, 1))
    with pytest.raises(
        IllegalActionError, match=r"^raise refused: LD\.2 a raise needs more dice, or as many of a "
    ):
        round_.next_state(round_.state_after(["2x2"]), Bid(1, 3))


def test_a_history_is_refused_at_its_first_illegal_action():
    with pytest.raises(IllegalActionError) as caught:
        Round(COMMON, (1, 1)).state_after(["1x2", "1x1", "9x9"])
    assert str(caught.value) == (
        "action 2, 1x1: raise refused: LD.2 a raise needs more dice, or as many of a higher face; "
        "got 1x1 on 1x2"
    )


def test_a_showdown_tells_all():
    round_ = Round(PERUDO, (2, 1))
    outcome = round_.showdown(round_.state_after(["2x5", "3x5", "liar"]), [(5, 1), (5,)])
    assert repr(outcome) == (
        "Outcome(kind=<OutcomeKind.CHALLENGER_LOSES: 'challenger_loses'>, count=3, "
        "bid=Bid(quantity=3, face=5), bidder=1, caller=0, loser=0, winner=1)"
    )


@pytest.mark.parametrize(
    ("history", "hands", "message"),
    [
        (
            ["1x2"],
            [(1, 1), (1,)],
            "a showdown needs a call, but nobody has called liar or exact yet",
        ),
        (["1x2", "liar"], [(1, 1)], "a showdown needs the hands of all 2 players, got 1"),
        (["1x2", "liar"], [(1, 1), (1, 2)], "player 1 has 1 dice, got the hand '1,2'"),
        (["1x2", "liar"], [(1, 7), (1,)], "a die shows 1 to 6, got 7 in the hand 1,7"),
    ],
)
def test_a_showdown_that_cannot_be_is_refused(history, hands, message):
    round_ = Round(PERUDO, (2, 1))
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        round_.showdown(round_.state_after(history), hands)


def count_decision_states(round_):
    """Number of public states at which each player is to act, by a sum over the graph."""
    start = round_.initial_state()
    frontier = {round_.graph_key(start): (start, 1)}
    n_states = Counter()
    while frontier:
        following = {}
        for state, n_paths in frontier.values():
            n_states[round_.to_act(state)] += n_paths
            for action in round_.legal_actions(state):
                if isinstance(action, Bid):
                    child = round_.next_state(state, action)
                    key = round_.graph_key(child)
                    following[key] = (child, n_paths + following.get(key, (child, 0))[1])
        frontier = following
    return n_states


ORDERS = {
    "qf": {},
    "fq": {"raise_rule": "reset_quantity"},
    "ones_high": {"ones_slot": "face_high"},
    "dudo": {"ones_slot": "before_2n"},
    "perudo": {"ones_slot": "after_2n"},
    "no_ones": {"ones_slot": "forbidden"},
}
WILD = {
    "none": {},
    "high": {"wild": "top_face"},
    "ones": {"wild": "ones"},
    "ones_lock": {"wild": "ones", "wild_until": "any_ones_bid"},
}


# Information sets of both players, from the linear programs of tests/reference/game_values.json,
# which were written independently of this library.
@pytest.mark.parametrize(
    ("dice", "faces", "wild", "order", "open_ones", "n_bids", "n_infosets"),
    [
        ((1, 1), 6, "high", "fq", "yes", 12, [12288, 12288]),
        ((2, 1), 4, "high", "qf", "yes", 12, [20480, 8192]),
        ((1, 1), 6, "none", "fq", "yes", 12, [12288, 12288]),
        ((2, 1), 4, "ones", "dudo", "no", 12, [19190, 7672]),
        ((2, 1), 4, "ones", "dudo", "yes", 12, [20480, 8192]),
        ((1, 1), 6, "ones", "no_ones", "yes", 10, [3072, 3072]),
        ((2, 1), 4, "ones", "ones_high", "no", 12, [19120, 7644]),
        ((2, 1), 4, "ones", "perudo", "no", 12, [20310, 8120]),
        ((1, 1), 6, "ones_lock", "perudo", "no", 12, [12282, 12276]),
        ((1, 1), 6, "ones_lock", "qf", "no", 12, [6048, 6048]),
        ((1, 1), 2, "ones_lock", "qf", "no", 4, [6, 6]),
    ],
)
def test_information_sets_are_those_of_the_reference(
    dice, faces, wild, order, open_ones, n_bids, n_infosets
):
    rules = RuleSet(faces=faces).replace(open_ones=open_ones, **WILD[wild], **ORDERS[order])
    round_ = Round(rules, dice)
    n_states = count_decision_states(round_)
    assert len(round_.bids) == n_bids
    assert [n_states[p] * count_hands(dice[p], faces) for p in (0, 1)] == n_infosets

"""What holds for every round of a cup game: arguments, refusals, text, and what players see."""

import re

import pytest

from liarsolve.claims import Category, Claim
from liarsolve.errors import IllegalActionError, InputError, InputTypeError
from liarsolve.rules import (
    CHALLENGE,
    EXACT,
    CupMove,
    CupPhase,
    CupRound,
    Keep,
    Round,
    Thrown,
    format_cup_action,
    parse_cup_action,
    presets,
)

BOX, CLASSIC = presets.BOX, presets.CLASSIC
HISTORY = ["thrown JJQT9", "JJ", "accept", "look", "keep JJ", "thrown JJJ99", "JJJ", "accept"]


@pytest.fixture
def table():
    return CupRound(BOX, 3)


@pytest.mark.parametrize(
    ("rules", "n_players", "error", "message"),
    [
        (presets.PERUDO, 2, InputTypeError, "rules of a cup game are CupRules such as presets.CL"),
        (BOX, "2", InputTypeError, "the number of players is a whole number, got '2'"),
        (BOX, True, InputTypeError, "the number of players is a whole number, got True"),
        (BOX, 1, InputError, "a round needs two players or more, got 1"),
    ],
)
def test_arguments_of_a_round_are_checked(rules, n_players, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        CupRound(rules, n_players)


def test_a_round_of_bidding_refuses_a_cup_game():
    message = (
        "classic is a cup game, which CupRound plays; a Round takes rules of bidding such as "
        "presets.PERUDO"
    )
    with pytest.raises(InputTypeError, match=f"^{message}$"):
        Round(CLASSIC, (1, 1))


@pytest.mark.parametrize(
    ("n_actions", "action", "reason"),
    [
        (0, CHALLENGE, "challenge refused: a throw has to come out first"),
        (1, CHALLENGE, "challenge refused: player 0 has to claim"),
        (1, Thrown((1, 1, 1, 1, 1)), "throw refused: player 0 has to claim"),
        (2, CupMove.BLIND_PASS, "blind refused: player 1 has to answer the claim"),
        (2, EXACT, "exact call refused: there is no exact call in a cup game"),
        (3, Keep(()), "keep refused: player 1 has to say first whether they look"),
        (4, CHALLENGE, "challenge refused: player 1 has to say what they keep"),
        (5, Keep(()), "keep refused: a throw has to come out first"),
        (8, CHALLENGE, "challenge refused: player 2 has to say first whether they look"),
    ],
)
def test_what_has_no_place_now_is_refused(table, n_actions, action, reason):
    state = table.state_after(HISTORY[:n_actions])
    assert table.illegal_reason(state, action) == reason
    with pytest.raises(IllegalActionError, match=f"^{re.escape(reason)}$"):
        table.next_state(state, action)


def test_after_the_round_nothing_is_legal(table):
    state = table.state_after([*HISTORY[:2], "liar"])
    assert (state.is_terminal, table.to_act(state), table.legal_actions(state)) == (True, None, ())
    assert table.illegal_reason(state, CHALLENGE) == "challenge refused: the round is over"


def test_a_claim_that_cannot_be_made_is_refused(table):
    state = table.state_after(HISTORY[:1])
    claim = Claim(Category.PAIR, (3, 3, 1))
    assert table.illegal_reason(state, claim) == (
        "claim refused: with claim_detail=prefix no claim is pair with the faces (3, 3, 1)"
    )


def test_players_out_of_turn_are_refused(table):
    state = table.state_after(HISTORY[:1])
    claim = BOX.parse_claim("JJ")
    assert table.illegal_reason(state, claim, player=0) is None
    assert table.illegal_reason(state, claim, player=1) == (
        "claim refused: it is the turn of player 0, not of player 1"
    )
    thrown = Thrown((1, 1, 1, 1, 1))
    assert table.illegal_reason(table.initial_state(), thrown, player=0) == (
        "throw refused: a throw has to come out, which is not for player 0 to decide"
    )
    with pytest.raises(InputError, match=r"^players are numbered 0 to 2, got 3$"):
        table.illegal_reason(state, claim, player=3)
    with pytest.raises(InputTypeError, match=r"^a player is a whole number, got 'x'$"):
        table.view(state, "x")


def test_other_objects_are_no_actions(table):
    message = "an action of a cup game is a Claim, CHALLENGE, a CupMove, Keep or Thrown, got 'JJ'"
    with pytest.raises(InputTypeError, match=f"^{message}$"):
        table.illegal_reason(table.initial_state(), "JJ")


def test_a_history_names_its_first_illegal_action(table):
    message = "action 3, TT: claim refused: player 1 has to answer the claim"
    with pytest.raises(IllegalActionError, match=f"^{message}$"):
        table.state_after(["thrown JJQT9", "JJ", "TT"])


def test_an_outcome_needs_the_end_of_the_round(table):
    with pytest.raises(InputError, match=r"^the round is not over, nobody has answered for good"):
        table.outcome(table.state_after(HISTORY))


def test_keeps_are_listed_from_few_dice_to_many(table):
    state = table.state_after(["thrown JJQT9", "JJ", "accept", "look"])
    kept = [keep.faces for keep in table.legal_actions(state)]
    assert kept[:5] == [(), (1,), (2,), (3,), (4,)]
    assert kept[-1] == (1, 2, 3, 3, 4)
    assert len(kept) == 2**3 * 3


def test_throws_are_listed_with_their_chances(table):
    state = table.state_after(HISTORY[:5])
    assert [thrown.hand for thrown in table.legal_actions(state)] == list(
        table.chance_distribution(state)
    )
    assert table.chance_distribution(table.state_after(HISTORY[:2])) == {}


@pytest.mark.parametrize(
    ("options", "limits", "reason"),
    [
        ({"max_rethrow": 2}, {0, 1, 2}, "CL.9 a player throws 0 to 2; to keep J is to throw 4"),
        ({"min_rethrow": 5}, {5}, "DD?3 a player throws 5; to keep J is to throw 4"),
        (
            {"rethrow_all": True},
            {5},
            "with rethrow_all=true a player throws 5; to keep J is to throw 4",
        ),
    ],
)
def test_how_many_may_be_thrown(options, limits, reason):
    table = CupRound(CLASSIC.replace(**options), 3)
    state = table.state_after(["thrown JJQT9", "JJT9Q", "accept"])
    assert {5 - len(keep.faces) for keep in table.legal_actions(state)} == limits
    assert table.illegal_reason(state, Keep((3,))) == f"keep refused: {reason}"


def test_a_claim_that_nothing_may_follow_has_to_be_challenged():
    rules = presets.LIAR_CARDS.replace(
        claim_detail="full", blind_pass="off", raise_rule="componentwise"
    )
    table = CupRound(rules, 2)
    state = table.state_after(["thrown JJQT9", "AAAA9"])
    assert table.illegal_reason(state, CupMove.ACCEPT) == (
        "accept refused: nothing may follow AAAA9, so it has to be challenged"
    )


def test_everybody_sees_the_hand_after_a_challenge_but_not_after_a_concession():
    rules = presets.MIA.replace(top_claim="concede_1_or_look_2")
    table = CupRound(rules, 3)
    for answer, seen in (("liar", (1, 3)), ("concede", None)):
        state = table.state_after(["thrown 31", "21", answer])
        assert [table.view(state, player)[0].hand for player in (1, 2)] == [seen, seen]
        assert table.view(state, 0)[0].hand == (1, 3)


def test_who_tries_for_the_top_hand_sees_the_dice_if_he_starts_from_them():
    for top_accept, seen in (("fresh_keep", None), ("carry_keep", (1, 6, 6, 6, 6))):
        table = CupRound(CLASSIC.replace(top_accept=top_accept), 3)
        state = table.state_after(["thrown AAAA9", "AAAAA", "accept"])
        assert table.view(state, 1)[0].hand == seen
        assert table.view(state, 2)[0].hand is None


def test_a_hand_is_known_to_those_who_had_it_in_front_of_them(table):
    state = table.state_after([*HISTORY, "look"])
    seen = [[turn.hand for turn in table.view(state, player)] for player in range(3)]
    first, second = (1, 2, 3, 3, 4), (1, 1, 3, 3, 3)
    assert seen == [[first, None, None], [first, second, None], [None, second, None]]


def test_with_two_players_a_hand_passed_and_looked_at_is_known_to_both():
    table = CupRound(BOX, 2)
    state = table.state_after(HISTORY[:6])
    first, second = (1, 2, 3, 3, 4), (1, 1, 3, 3, 3)
    assert [turn.hand for turn in table.view(state, 1)] == [first, second]
    assert [turn.hand for turn in table.view(state, 0)] == [first, None]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("liar", CHALLENGE),
        ("accept", CupMove.ACCEPT),
        ("concede", CupMove.CONCEDE),
        ("look", CupMove.LOOK),
        ("blind", CupMove.BLIND_PASS),
        ("throw unseen", CupMove.THROW_UNSEEN),
        ("keep none", Keep(())),
        ("keep JJ", Keep((3, 3))),
        ("thrown QQQ99", Thrown((1, 1, 4, 4, 4))),
        ("JJ+Q", Claim(Category.PAIR, (3, 3, 4))),
    ],
)
def test_actions_are_written_and_read(text, action):
    assert format_cup_action(action, BOX) == text
    assert parse_cup_action(text, BOX) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (" Dudo", CHALLENGE),
        ("challenge", CHALLENGE),
        ("believe", CupMove.ACCEPT),
        ("pass  blind", CupMove.BLIND_PASS),
        ("KEEP J J", Keep((3, 3))),
        ("keep", Keep(())),
        ("a pair of jacks with a queen", Claim(Category.PAIR, (3, 3, 4))),
    ],
)
def test_actions_are_read_generously(text, action):
    assert parse_cup_action(text, BOX) == action


def test_what_is_no_action_is_refused():
    with pytest.raises(InputTypeError, match=r"^an action is written as text such as accept or l"):
        parse_cup_action(3, BOX)
    with pytest.raises(InputError, match=r"^a hand has 5 dice, got 4 in 'QQQ9'$"):
        parse_cup_action("thrown QQQ9", BOX)
    with pytest.raises(InputError, match="shrug"):
        parse_cup_action("shrug", BOX)


def test_phases_follow_each_other_in_a_turn(table):
    phases = [table.state_after(HISTORY[:n]).phase for n in range(len(HISTORY) + 1)]
    assert [phase.value for phase in phases] == [
        *("throw", "claim", "answer", "look", "keep", "throw", "claim", "answer", "look"),
    ]
    assert table.state_after([*HISTORY, "blind", "JJJ+T", "liar"]).phase is CupPhase.OVER

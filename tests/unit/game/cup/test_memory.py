import pytest

from liarsolve.errors import InputError
from liarsolve.game.cup.memory import (
    PERFECT_RECALL,
    SINCE_HELD,
    CupMemory,
    Memories,
    observe,
)
from liarsolve.rules import CupRound, presets


def remembered(memory, actions, player, n_players=2, rules=presets.BOX):
    """What a player remembers after a beginning of a round, written as players write it."""
    table = CupRound(rules, n_players)
    state = table.state_after(actions)
    turns = ()
    for seen in observe(table, table.view(state, player), player):
        turns = memory.after(turns, seen)
    kit, claims = rules.equipment, rules.claims
    return [
        (
            move,
            rules.format_claim(claims[claim]) if claim >= 0 else None,
            rules.format_hand(kit.hands[hand]) if hand >= 0 else None,
            kept,
        )
        for move, claim, hand, kept in turns
    ]


OPENING, BLIND, UNSEEN, NOT_SAID, NOT_REMEMBERED = -2, -3, -4, -5, -6
START = ["thrown JJQT9", "JJ", "accept", "look", "keep JJQ", "thrown JJQAA", "JJ+Q"]


def test_who_throws_and_claims_knows_the_hand():
    assert remembered(PERFECT_RECALL, START[:2], 0) == [(OPENING, "JJ", "JJQT9", -1)]
    assert remembered(PERFECT_RECALL, START[:2], 1) == [(OPENING, "JJ", None, -1)]


def test_who_looks_knows_what_he_was_passed_and_what_he_keeps():
    known = remembered(PERFECT_RECALL, START, 1)
    assert known[0] == (OPENING, "JJ", "JJQT9", -1)
    move, claim, hand, kept = known[1]
    assert (move, claim, hand) == (2, "JJ+Q", "AAJJQ")
    assert presets.BOX.equipment.kept_hands[kept] == presets.BOX.parse_kept("JJQ")


def test_others_know_how_many_were_thrown():
    assert remembered(PERFECT_RECALL, START, 0)[1] == (2, "JJ+Q", None, -1)
    hidden = presets.CLASSIC.replace(announce_count=False)
    actions = ["thrown JJQT9", "JJQT9", "accept", "keep JJQ", "thrown JJQAA", "AAKQJ"]
    known = remembered(PERFECT_RECALL, actions, 0, rules=hidden)
    assert known[1] == (NOT_SAID, "AAKQJ", None, -1)


def test_nobody_learns_a_hand_by_a_blind_pass():
    actions = [*START[:3], "blind", "JJ+Q"]
    assert remembered(PERFECT_RECALL, actions, 1) == [
        (OPENING, "JJ", None, -1),
        (BLIND, "JJ+Q", None, -1),
    ]


def test_looking_leaves_nothing_to_remember():
    actions = [*START, "accept", "look"]
    assert remembered(SINCE_HELD, actions, 0) == [(NOT_REMEMBERED, "JJ+Q", "AAJJQ", -1)]
    assert len(remembered(PERFECT_RECALL, actions, 0)) == 2


def test_passing_on_leaves_the_hand_and_the_claim():
    assert remembered(SINCE_HELD, START, 1) == [(2, "JJ+Q", "AAJJQ", -1)]
    assert remembered(SINCE_HELD, START[:-1], 1) == [
        (NOT_REMEMBERED, "JJ", "JJQT9", -1),
        (2, None, "AAJJQ", -1),
    ]


def test_a_blind_pass_leaves_all_remembered():
    actions = [*START, "accept", "blind", "JJ+QT"]
    assert remembered(SINCE_HELD, actions, 1) == [
        (2, "JJ+Q", "AAJJQ", -1),
        (BLIND, "JJ+QT", None, -1),
    ]


@pytest.mark.parametrize("player", [0, 1, 2])
def test_a_throw_of_all_dice_leaves_nothing_to_remember(player):
    actions = [*START[:4], "keep none", "thrown JJQAA", "JJ+Q"]
    known = remembered(SINCE_HELD, actions, player, 3)
    assert known[-1][:2] == (5, "JJ+Q")
    if player != 1:
        assert known == [(NOT_REMEMBERED, "JJ", None, -1), (5, "JJ+Q", None, -1)]


def test_unseen_throws_leave_the_last_claim_alone():
    actions = ["thrown 1", "1", "accept", "thrown 4", "2", "accept", "thrown 3", "5"]
    known = remembered(SINCE_HELD, actions, 1, rules=presets.LIAR_DIE)
    assert known == [(NOT_REMEMBERED, "2", None, -1), (UNSEEN, "5", None, -1)]


def test_last_claims_and_moves_are_remembered():
    actions = [*START, "accept", "look", "keep JJQ", "thrown JJQA9", "JJ+QT"]
    short = CupMemory(n_claims=1, n_moves=2)
    assert remembered(short, actions, 3, 4) == [
        (2, None, None, -1),
        (2, "JJ+QT", None, -1),
    ]
    shorter = CupMemory(n_claims=2, n_moves=0)
    assert remembered(shorter, actions, 3, 4) == [
        (NOT_REMEMBERED, "JJ+Q", None, -1),
        (NOT_REMEMBERED, "JJ+QT", None, -1),
    ]


def test_memories_with_the_same_content_have_the_same_number():
    memories = Memories(CupMemory(n_claims=1, n_moves=0))
    start = memories.after(0, ("opens", 0))
    after = {
        memories.after(
            memories.after(memories.after(memories.after(start, ("claims", 1)), move), passed),
            ("claims", 5),
        )
        for move, passed in [(("throws", 2), ("renewed", 0)), (("blind", 0), ("renewed", 0))]
    }
    assert len(after) == 1
    assert memories.turns[after.pop()] == ((NOT_REMEMBERED, 5, -1, -1),)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"n_claims": 0},
            "n_claims must be a whole number of at least 1, or None for all, got 0",
        ),
        (
            {"n_moves": -1},
            "n_moves must be a whole number of at least 0, or None for all, got -1",
        ),
        (
            {"n_claims": 1.0},
            "n_claims must be a whole number of at least 1, or None for all, got 1.0",
        ),
    ],
)
def test_what_cannot_be_remembered_is_refused(options, message):
    with pytest.raises(InputError) as caught:
        CupMemory(**options)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("memory", "text"),
    [
        (CupMemory(), "everything"),
        (SINCE_HELD, "since the cup was last held"),
        (CupMemory(n_moves=0, n_claims=3), "the last 3 claims, no moves"),
    ],
)
def test_memories_read_as_text(memory, text):
    assert str(memory) == text
    assert memory.is_perfect == (text == "everything")

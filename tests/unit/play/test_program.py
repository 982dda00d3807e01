"""Players that are programs, and everything that can go wrong with them."""

import json
import os
import shlex
import sys

import pytest

from liarsolve import HonestPlayer, presets
from liarsolve.errors import InputError
from liarsolve.play import ProgramPlayer, contest_matches, play_match

RULES = presets.LIARS_DICE.replace(dice=2, faces=3)
LAST = "answer(message['actions'][-1])"

HEAD = """
import json, os, sys, time
def answer(action): print(json.dumps({"action": action}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if NOTES: open(NOTES, "a").write(line)
    if message["type"] == "act":
        """


def program(body, notes=""):
    """A program that does this when it is asked."""
    code = HEAD.replace("NOTES", repr(str(notes))) + body
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


def play(body, *, rules=RULES, timeout=20.0, seed=1, notes=""):
    player = ProgramPlayer(program(body, notes), timeout=timeout)
    try:
        return play_match([player, HonestPlayer()], rules, rng=seed, forfeits=True)
    finally:
        player.close()


@pytest.mark.parametrize(
    "rules", [RULES, presets.LIAR_DIE, presets.BOX.replace(lives=1), presets.MIA.replace(lives=1)]
)
def test_a_program_plays_a_match_to_its_end(rules):
    played = play(LAST, rules=rules)
    assert played.forfeit is None
    assert len(played.winners) == 1


def test_it_is_told_what_its_seat_sees(tmp_path):
    notes = tmp_path / "notes"
    played = play(LAST, notes=notes)
    messages = [json.loads(line) for line in notes.read_text().splitlines()]
    kinds = [message["type"] for message in messages]
    assert kinds[:3] == ["match_begins", "round_begins", "act"]
    assert kinds[-1] == "match_ends"
    assert kinds.count("round_ends") == len(played.rounds)
    begins, asked = messages[0], messages[2]
    assert (begins["seat"], begins["n_players"], begins["protocol"]) == (1, 2, 1)
    assert begins["rules"] == RULES.to_dict()
    first = played.rounds[0]
    assert asked["hand"] == ",".join(map(str, first.hands[0]))
    assert (asked["dice"], asked["place"], asked["said"]) == ([2, 2], 1, [])
    assert asked["actions"] == [str(bid) for bid in first.round.bids]
    ended = next(message for message in messages if message["type"] == "round_ends")
    assert ended["hands"] == [",".join(map(str, hand)) for hand in first.hands]
    assert messages[-1]["winners"] == [player + 1 for player in played.winners]


def test_in_a_cup_game_it_does_not_see_what_is_passed_unseen(tmp_path):
    notes = tmp_path / "notes"
    play(LAST, rules=presets.LIAR_DIE.replace(lives=2), notes=notes, seed=2)
    asked = [json.loads(line) for line in notes.read_text().splitlines()]
    answers = [m for m in asked if m["type"] == "act" and m["phase"] == "answer"]
    assert answers
    assert all(message["hand"] is None for message in answers)
    assert all(message["turns"][-1]["hand"] is None for message in answers)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("sys.exit(3)", "has ended with status 3"),
        ("print('hello', flush=True)", "answered 'hello'; an answer is one JSON object, such as"),
        ("print('[1]', flush=True)", "answered '[1]'; an answer is one JSON object, such as"),
        ("print('{\"action\": 4}', flush=True)", "answered '{\"action\": 4}'; an action is text"),
        ("answer('seven')", 'answered \'{"action": "seven"}\': an action is a bid such as 4x3'),
        ("answer('9x9')", "answered 9x9: opening bid refused: "),
        ("answer('liar')", "answered liar: challenge refused: there is no bid to challenge yet"),
        ("print('x' * 2_000_000, flush=True)", "answered with more than 1,048,576 bytes"),
        ("os.write(1, b'\\xff\\xfe\\n')", "an answer is one JSON object, such as"),
    ],
)
def test_what_goes_wrong_loses_the_match_with_a_reason(body, reason):
    played = play(body)
    assert played.winners == (1,)
    assert played.forfeit.player == 0
    assert reason in played.forfeit.reason
    assert "\n" not in played.forfeit.reason


def test_a_program_that_stalls_has_lost():
    played = play("time.sleep(60)", timeout=0.2)
    assert played.forfeit.reason.endswith("gave no answer in 0.2 seconds")


def test_words_that_nobody_asked_for():
    played = play('os.write(1, b\'{"action": "1x1"}\\nmore\\n\')', seed=3)
    assert played.forfeit.reason.endswith("said something without being asked")


def test_a_program_that_is_not_there():
    player = ProgramPlayer("./no-such-program")
    played = play_match([HonestPlayer(), player], RULES, rng=1, forfeits=True)
    assert played.winners == (0,)
    assert played.forfeit.reason == "./no-such-program cannot be started: No such file or directory"


def test_after_a_failure_it_is_started_again_and_nothing_else_stops(tmp_path):
    mark = tmp_path / "mark"
    body = f"""
        if not os.path.exists({str(mark)!r}):
            open({str(mark)!r}, "w").close()
            sys.exit(1)
        {LAST}""".strip()
    player = ProgramPlayer(program(body), timeout=20.0)
    result = contest_matches([player, HonestPlayer()], RULES, n_matches=4, rng=1)
    player.close()
    assert [c.n_forfeits for c in result.contestants] == [1, 0]
    assert result.n_matches == 4


def test_it_ends_when_it_is_closed(tmp_path):
    notes = tmp_path / "pid"
    player = ProgramPlayer(program(f"open({str(notes)!r}, 'w').write(str(os.getpid())); {LAST}"))
    play_match([player, HonestPlayer()], RULES, rng=1)
    pid = int(notes.read_text())
    os.kill(pid, 0)  # it still runs
    player.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    ("command", "timeout", "message"),
    [
        ("", 5.0, "a player that is a program needs a command, such as ./mybot"),
        ("'open", 5.0, 'the command "\'open" cannot be read: No closing quotation'),
        ("./bot", 0.0, "a program has a time above 0 to answer, got 0.0"),
    ],
)
def test_wrong_commands_are_refused(command, timeout, message):
    with pytest.raises(InputError) as caught:
        ProgramPlayer(command, timeout=timeout)
    assert str(caught.value) == message

"""A match as a conversation: to the winner by all presets, and wrong answers on the way."""

import pytest

from liarsolve import HonestPlayer, ProbabilityPlayer, RandomPlayer, presets
from liarsolve.errors import InputError, RuleError
from liarsolve.play.session import COMMANDS, Opponent, Session
from liarsolve.rules import PRESETS, CupRules

ODDS, HONEST = Opponent("odds", ProbabilityPlayer()), Opponent("honest", HonestPlayer())
RANDOM = Opponent("random", RandomPlayer())
TINY = presets.LIARS_DICE.replace(dice=1, faces=3)


def play_out(session, answer, most=2000):
    """Answer every question with the first of some words that is taken; all lines."""
    lines = session.begin()
    for _ in range(most):
        if session.is_over:
            return lines
        before = session.state
        for word in answer:
            lines += session.say(word)
            if session.state is not before:
                break
    raise AssertionError("the match does not end")


def small(rules):
    return rules if isinstance(rules, CupRules) else rules.replace(dice=2)


OUT_OF_TURN = ("asmodee", "wikipedia")
"""Presets in which players call out of turn."""


@pytest.mark.parametrize("name", OUT_OF_TURN)
def test_games_with_calls_out_of_turn_are_refused_with_a_way_out(name):
    with pytest.raises(RuleError, match=r"--set challenge_who=next --set exact_who=next$"):
        Session(PRESETS[name], [ODDS])


def test_an_extra_die_is_told():
    rules = TINY.replace(dice=1, extra_life="everyone")
    lines = play_out(Session(rules, [RANDOM], seed=5), ["liar", "1."])
    told = [line for line in lines if "and get" in line]
    assert told
    assert all("the last die and get" in line for line in told)
    assert "Nobody loses anything." not in lines


@pytest.mark.parametrize("n_players", [2, 3])
@pytest.mark.parametrize("name", [name for name in PRESETS if name not in OUT_OF_TURN])
def test_a_match_goes_from_the_first_throw_to_the_winner(name, n_players):
    rules = small(PRESETS[name])
    session = Session(rules, [ODDS, RANDOM][: n_players - 1], seat=n_players, seed=5)
    lines = play_out(session, ["liar", "1."])
    assert session.state.is_terminal
    winners = session.state.winners
    assert len(winners) == 1 or PRESETS[name].end.value != "last_standing"
    rounds = "1 round" if session.n_rounds == 1 else f"{session.n_rounds} rounds"
    assert lines[-1].endswith(f" the match after {rounds}.")
    for player in winners:
        assert ("ou" if player == n_players - 1 else f"eat {player + 1}") in lines[-1]
    assert session.say("liar") == ["The match is over."]


@pytest.mark.parametrize("rules", [TINY, presets.LIAR_DIE, presets.MIA], ids=lambda r: r.name)
def test_same_seed_and_answers_bring_the_same_lines(rules):
    def played(seed):
        return play_out(Session(rules, [HONEST, RANDOM], seed=seed), ["1.", "liar"])

    assert played(3) == played(3)
    assert any(played(seed) != played(3) for seed in range(4, 8))


def test_commands_leave_the_dice_as_they_are():
    plain = play_out(Session(TINY, [RANDOM, RANDOM], seed=4), ["1.", "liar"])
    session = Session(TINY, [RANDOM, RANDOM], seed=4)
    noisy = play_out(session, ["help", "number", "score", "log", "list", "nonsense", "1.", "liar"])
    told = [line for line in plain if line.startswith(("You throw", "All dice"))]
    assert [line for line in noisy if line in told and "throw" in line][-1:] != []
    assert plain[-1] == noisy[-1]
    assert {line for line in told if "All dice" in line} <= set(noisy)


def test_every_turn_tells_what_there_is_to_know():
    session = Session(presets.PERUDO, [ODDS, ODDS], seed=7)
    assert session.begin() == [
        "perudo, 3 players. You are seat 1. Seat 2 is odds. Seat 3 is odds.",
        "Type a move as you would say it, or its number with a dot; help lists the commands.",
        "Round 1. Seat 3 bids first.",
        "You throw 1 5 5 6 6.",
        "Seat 3 bids 1x2, one two.",
        "Your turn.",
        "Score: you five dice, seat 2 five dice, seat 3 five dice.",
        "You hold 1 5 5 6 6.",
        "Said: seat 3 1x2.",
        "To beat: 1x2, one two, bid by seat 3. Ones are wild.",
        "1. 1x3, one three",
        "2. 1x4, one four",
        "3. 1x5, one five",
        "4. 1x6, one six",
        "5. 2x2, two twos",
        "6. 1x1, one one",
        "7. liar: you say that the bid is false",
        "8. exact: you say that 1x2 is exactly right",
        "And 83 more (list).",
    ]
    session.say("four threes")
    assert session.say("7.")[:4] == [
        "You call liar.",
        "All dice: you 1 5 5 6 6; seat 2 3 3 3 3 4; seat 3 1 1 2 3 3.",
        "There are nine threes, ones included: the bid of 6x3 was true.",
        "You lose one die: you have four dice.",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("1x2", "raise refused: PE.3a a raise needs more dice, or as many of a higher face"),
        ("9x9", "raise refused: the dice have faces 1 to 6, got 9x9"),
        ("99x2", "raise refused: PE?7 there are 15 dice on the table, got 99x2"),
        ("thrown 1,1,1,1,1", "it is your turn to say something, and not to throw"),
        ("starts 2", "who starts is settled"),
        ("accept", "an action is a bid such as 4x3, liar or exact, got 'accept'"),
        ("9.", "the list goes from 1. to 8., got '9.'"),
        ("0.", "the list goes from 1. to 8., got '0.'"),
        ("", "Type a move; list writes out all moves, help the commands."),
        ("log everything", "log is typed alone, or as log all, got log everything"),
        ("\0\ufffd" * 500, "an action is a bid such as 4x3, liar or exact, got"),
        ("9" * 5000 + ".", "the list goes from 1. to 8., got '999999999999'"),
        ("9" * 5000, "an action is a bid such as 4x3, liar or exact, got"),
    ],
)
def test_a_wrong_answer_is_a_sentence_and_changes_nothing(words, sentence):
    session = Session(presets.PERUDO, [ODDS, ODDS], seed=7)
    session.begin()
    before = session.state
    assert session.say(words)[0].startswith(sentence)
    assert session.state == before


def test_numbers_with_a_dot_are_the_list_and_bare_ones_are_claims_first():
    session = Session(presets.LIAR_DIE, [ODDS], seed=2)
    session.begin()
    assert session.say("2.")[0] == "You accept."
    two = session.state.parse_action("2")
    assert session.read_move("1.") == session.read_move("#1") == session.read_move("2") == two
    assert session.read_move("5.") == session.read_move("6")
    assert session.say("1")[0].startswith("claim refused: CL.9 a claim must be higher")
    mia = Session(presets.MIA, [ODDS], seed=2)
    mia.begin()
    assert mia.read_move("1") == mia.read_move("1.")  # it is no claim of two dice


def test_sentences_of_the_rules_name_seats():
    session = Session(presets.CLASSIC, [ODDS], seed=3)
    session.begin()
    session.say("liar")
    assert session.say("liar")[0] == "challenge refused: seat 1 has to claim"


def test_the_dice_of_others_stay_hidden_until_the_showdown():
    session = Session(TINY, [RANDOM, RANDOM], seed=1)
    lines = session.begin()
    assert not any(line.startswith(("Seat 2 throw", "Seat 3 throw", "All dice")) for line in lines)
    assert sum("throw" in line for line in lines) == 1


def test_leaving_tells_the_score():
    session = Session(TINY, [RANDOM], seed=1)
    session.begin()
    assert session.say("QUIT") == [
        "You leave the match in round 1.",
        "Score: you one die, seat 2 one die.",
    ]
    assert session.is_over


def test_help_lists_every_command():
    session = Session(TINY, [RANDOM], seed=1)
    session.begin()
    told = session.say("help")
    for word in COMMANDS:
        assert sum(line.startswith(f"{word}: ") for line in told) == 1


def test_the_log_is_of_the_round_or_of_all():
    session = Session(presets.LIARS_DICE.replace(dice=2), [ODDS], seed=1)
    session.begin()
    while session.n_rounds == 0:
        session.say("liar" if session.state.now.public.bids else "1.")
    assert session.say("log")[0].startswith("Round 2. ")
    told = session.say("log all")
    assert told[0].startswith("Round 1. ")
    assert any(line.startswith("All dice: ") for line in told)


def test_what_cannot_be_played_is_refused():
    with pytest.raises(InputError, match="seat"):
        Session(TINY, [RANDOM], seat=3)
    with pytest.raises(RuleError, match="players are asked on their turn alone"):
        Session(TINY.replace(challenge_who="any"), [RANDOM])


def test_whoever_is_out_is_told_how_the_rounds_of_the_others_end():
    for seed in range(20):
        session = Session(TINY, [RANDOM, RANDOM, RANDOM], seed=seed)
        lines = play_out(session, ["liar", "3."])
        if session.player in session.state.winners or session.n_rounds < 3:
            continue
        k = lines.index("The others play on; this is how their rounds end.")
        assert "You lose one die: you are out." in lines[k - 4 : k]
        assert any(line.startswith("All dice: ") for line in lines[k:])
        assert not any(" bids " in line for line in lines[k:] if "first" not in line)
        return
    raise AssertionError("the person never went out early")

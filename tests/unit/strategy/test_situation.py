"""What a player knows who asks, in both families."""

import pytest

from liarsolve import presets, read_situation, solve
from liarsolve.errors import IllegalActionError, InputError, InputTypeError
from liarsolve.rules import Bid
from liarsolve.strategy import BiddingSituation, CupSituation, Question, recommend

RULES = presets.CLASSIC.replace(equipment="dice(3,4)")
COMMON = presets.COMMON.replace(faces=3)


@pytest.fixture(scope="module")
def solution():
    return solve(RULES, target=1e-4)


@pytest.fixture(scope="module")
def duel():
    return solve(COMMON, dice=(2, 1))


@pytest.fixture(scope="module")
def mia():
    return solve(presets.MIA, players=3, target=1e-2)


def test_a_situation_of_bidding_says_whose_turn_it_is():
    known = read_situation(COMMON, hand="3", dice=(2, 1), history=["1x2"], seat=2)
    assert isinstance(known, BiddingSituation)
    assert (known.seat, known.player, known.hand, known.bids) == (2, 1, (3,), (Bid(1, 2),))
    assert known.last_bid == Bid(1, 2)
    assert known.p_true() == pytest.approx(5 / 9)
    assert read_situation(COMMON, hand=(1, 2), dice=(2, 1)).p_true() is None


def test_a_situation_is_asked_about_as_hand_and_history_are(duel):
    known = read_situation(COMMON, hand="3", dice=(2, 1), history=["1x2"])
    strategy, said = duel.strategy, ((3,), ["1x2"])
    assert duel.advise(known) == strategy.advise(known) == strategy.advise(*said)
    assert strategy.probs(known) == strategy.probs(*said)
    assert strategy.sample(known, rng=3) == strategy.sample(*said, rng=3)
    assert duel.recommend(known).choice == duel.recommend(*said).choice
    assert recommend(strategy, known).advice == strategy.advise(*said)


@pytest.mark.parametrize(
    "known",
    [
        {"hand": "QTT"},
        {"hand": "TT9", "claim": "TT9"},
        {"hand": "QQ9", "claim": "TT9", "passed": "TT9", "thrown": 2},
        {"offered": "QQ9", "passed": "TT9", "thrown": 2},
    ],
    ids=str,
)
def test_a_cup_situation_is_asked_about_as_keywords_are(solution, known):
    situation, strategy = read_situation(RULES, **known), solution.strategy
    advice = strategy.advise(**known)
    assert solution.advise(situation) == strategy.advise(situation) == advice
    assert solution.advise(**known) == advice
    assert strategy.probs(situation) == strategy.probs(**known)
    assert strategy.sample(situation, rng=1) == strategy.sample(**known, rng=1)
    if "hand" in known:
        others = {name: value for name, value in known.items() if name != "hand"}
        assert strategy.advise(holding=known["hand"], **others) == advice


def test_a_table_is_asked_as_two_players_are(mia):
    situation = read_situation(presets.MIA, offered="64", claim="52")
    strategy = mia.strategy
    assert mia.advise(situation) == strategy.advise(offered="64", claim="52")
    assert strategy.p_true(situation) == strategy.p_true("64", claim="52")
    found = strategy.offer_frequency(situation)
    assert found == strategy.offer_frequency("64", claim="52")
    assert mia.advise(hand="52") == mia.advise(holding="52")


@pytest.mark.parametrize(
    ("keywords", "question"),
    [
        ({"hand": "52"}, Question.OPENING),
        ({"hand": "52", "claim": "41"}, Question.CLAIM),
        ({"offered": "52"}, Question.ANSWER),
    ],
)
def test_nobody_keeps_anything_in_mia(keywords, question):
    assert read_situation(presets.MIA, **keywords).question is question


def test_what_was_assumed_is_said():
    assumed = read_situation(RULES, offered="QQ9", passed="TT9", thrown=2)
    assert isinstance(assumed, CupSituation)
    assert (assumed.is_assumed, assumed.write(assumed.claim)) == (True, "TT9")
    assert not read_situation(RULES, offered="QQ9", passed="TT9", thrown=2, claim="99T").is_assumed


def test_a_number_that_is_the_only_one_need_not_be_said():
    rules = RULES.replace(equipment="dice(2,3)", min_rethrow=2)
    assert len(rules.reroll_counts) == 1
    strategy = solve(rules, target=1e-2).strategy
    known = {"hand": "JJ", "claim": "TT", "passed": "TT"}
    bare = strategy.probs(**known)
    assert strategy.probs(**known, thrown=rules.reroll_counts[0]) == bare
    with pytest.raises(InputError, match="thrown is the number of dice, 2; got 1"):
        strategy.probs(**known, thrown=1)


@pytest.mark.parametrize(
    ("rules", "known", "error", "sentence"),
    [
        (COMMON, {"hand": "3"}, InputTypeError, "dice are numbers, one for each player"),
        (COMMON, {"dice": (1, 1)}, InputError, "say which hand the player on turn holds"),
        (COMMON, {"claim": "66"}, InputTypeError, "in a round of bidding there is no claim"),
        (RULES, {"hand": "QTT", "dice": (1, 1)}, InputTypeError, "in a cup game there is no dice"),
        (
            COMMON,
            {"hand": "3", "dice": (1, 1), "seat": 2},
            InputError,
            "after 0 bids seat 1 is on turn, not seat 2; leave out seat, or",
        ),
        (COMMON, {"hand": "3", "dice": (1, 1), "seat": 3}, InputError, "from 1 to 2 here, got 3"),
        (COMMON, {"hand": "3", "dice": (1, 1), "history": "1x2"}, InputTypeError, "is a list of"),
        (
            COMMON,
            {"hand": "3", "dice": (1, 1), "history": ["2x2", "1x2"]},
            IllegalActionError,
            "1x2",
        ),
        (RULES, {"hand": 5}, InputTypeError, "hand is a hand as text or faces, such as"),
        (RULES, {"offered": 5}, InputTypeError, "offered is a claim as text"),
        (
            RULES,
            {"hand": "QTT", "claim": "TT9", "passed": "999", "thrown": 1.5},
            InputTypeError,
            "thrown",
        ),
    ],
    ids=str,
)
def test_what_makes_no_situation_gets_a_sentence(rules, known, error, sentence):
    with pytest.raises(error, match=sentence):
        read_situation(rules, **known)


def test_a_situation_of_another_game_is_refused(solution, duel):
    cup = read_situation(RULES, hand="QTT")
    bidding = read_situation(COMMON, hand="3", dice=(1, 1))
    with pytest.raises(InputTypeError, match="a round of bidding has a BiddingSituation"):
        duel.advise(cup)
    with pytest.raises(InputTypeError, match="is asked about a CupSituation"):
        solution.advise(bidding)
    with pytest.raises(InputError, match=r"with dice \(1, 1\), not of common, faces=3 with dice"):
        duel.advise(bidding)
    with pytest.raises(InputError, match="but the situation is of mia"):
        solution.advise(read_situation(presets.MIA, hand="52"))
    with pytest.raises(InputTypeError, match="a situation says it all, so claim would do nothing"):
        solution.advise(cup, claim="TT9")
    with pytest.raises(InputTypeError, match="a situation has its history"):
        duel.advise(read_situation(COMMON, hand="33", dice=(2, 1)), ["1x2"])
    with pytest.raises(InputError, match="hand and holding say the same"):
        solution.advise(hand="QTT", holding="QTT")


def test_bounds_are_those_of_the_states(solution):
    def bounds(**keywords):
        return solution.strategy.win_bounds(read_situation(RULES, **keywords))

    low, high = bounds(hand="QTT")
    assert (low, high) == solution.win_bounds
    state = RULES.equipment.hand_ids[(1, 2, 2)], RULES.claims.index(RULES.parse_claim("TT9"))
    kept = bounds(hand="TT9", claim="TT9")
    assert kept == (solution.result.low[state], solution.result.high[state])
    thrown = [
        bounds(hand="TT9", claim="TT9", passed="TT9", thrown=k)[0] for k in RULES.reroll_counts
    ]
    assert max(thrown) == pytest.approx(kept[0], abs=1e-4)  # what is best is thrown
    low, high = bounds(hand="QQ9", claim="TT9", passed="TT9", thrown=2)
    answer = bounds(offered="QQ9", claim="TT9", passed="TT9", thrown=2)
    assert answer == (1.0 - high, 1.0 - low)


def test_how_often_a_claim_is_made_adds_up(solution):
    total = 0.0
    for claim in RULES.claims:
        situation = read_situation(RULES, offered=RULES.format_claim(claim))
        total += solution.strategy.offer_frequency(situation)
    assert total == pytest.approx(1.0)

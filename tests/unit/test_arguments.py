"""Arguments of any kind: what cannot be meant, or is too large, is refused in one sentence."""

import numpy as np
import pytest

import liarsolve
from liarsolve import Round, RuleSet, presets
from liarsolve.dice import count_hands, enumerate_hands, parse_hand
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import GameTooLargeError, InputError, LiarsolveError
from liarsolve.game import Payoffs, compile_graph
from liarsolve.odds import format_percent

ROUND = Round(presets.COMMON, (1, 1))
BELIEF = liarsolve.Posterior((2, 2))
TABLE = liarsolve.odds_table(5)
CLAIMS = presets.BOX.claims

CALLS = {
    "p_at_least face": lambda x: liarsolve.p_at_least(4, x, 10),
    "p_at_least wild": lambda x: liarsolve.p_at_least(4, 3, 10, wild=x),
    "p_at_least sides": lambda x: liarsolve.p_at_least(4, 3, 10, sides=x),
    "p_at_least exact": lambda x: liarsolve.p_at_least(4, 3, 10, exact=x),
    "p_fewer total": lambda x: liarsolve.p_fewer(4, 3, total=x, hand=(1,)),
    "count_distribution face": lambda x: liarsolve.count_distribution(x, 10),
    "count_distribution sides": lambda x: liarsolve.count_distribution(3, 10, sides=x),
    "count_distribution exact": lambda x: liarsolve.count_distribution(3, 10, exact=x),
    "odds_table": lambda x: liarsolve.odds_table(x, hand=(1,)),
    "odds_table wild": lambda x: liarsolve.odds_table(5, wild=x),
    "table quantity": lambda x: TABLE.p_at_least(x, 3),
    "table face": lambda x: TABLE.p_at_least(1, x),
    "largest_count": lambda x: liarsolve.largest_count_distribution(5, exact=x),
    "largest_count faces": lambda x: liarsolve.largest_count_distribution(5, faces=x),
    "Posterior": lambda x: liarsolve.Posterior(x),
    "Posterior exact": lambda x: liarsolve.Posterior((2,), exact=x),
    "after_bid player": lambda x: BELIEF.after_bid(x, 1, 2, liarsolve.Honest()),
    "after_bid face": lambda x: BELIEF.after_bid(0, 1, x, liarsolve.Honest()),
    "after_bid model": lambda x: BELIEF.after_bid(0, 1, 2, x),
    "hand_probs": lambda x: BELIEF.hand_probs(x),
    "format_percent": lambda x: format_percent(x),
    "hand_distribution": lambda x: liarsolve.hand_distribution(x),
    "p_claim": lambda x: liarsolve.p_claim("two pairs", x),
    "passed_distribution": lambda x: liarsolve.passed_distribution(CLAIMS, "QQQ99", x),
    "best_keep": lambda x: liarsolve.best_keep("QQQ99", x),
    "keep_options": lambda x: liarsolve.keep_options("QQQ99", x),
    "Round": lambda x: Round(x, (1, 1)),
    "Round dice": lambda x: Round(presets.COMMON, x),
    "Round palifico": lambda x: Round(presets.COMMON, (1, 1), palifico=x),
    "Bid quantity": lambda x: liarsolve.Bid(x, 1),
    "bid_id": lambda x: ROUND.bid_id(x),
    "state_after": lambda x: ROUND.state_after(x),
    "legal_actions": lambda x: ROUND.legal_actions(x),
    "legal_actions player": lambda x: ROUND.legal_actions(ROUND.initial_state(), x),
    "illegal_reason": lambda x: ROUND.illegal_reason(ROUND.initial_state(), x),
    "to_act": lambda x: ROUND.to_act(x),
    "from_dict": lambda x: RuleSet.from_dict(x),
    "cup from_dict": lambda x: liarsolve.CupRules.from_dict(x),
    "compile_graph": lambda x: compile_graph(x),
    "Recall": lambda x: liarsolve.Recall(x),
    "MaxJump": lambda x: liarsolve.MaxJump(x),
    "Payoffs": lambda x: Payoffs(bidder_loses=x),
    "Payoffs table": lambda x: Payoffs().table(x),
    "compact": lambda x: liarsolve.compact(x),
    "Equipment": lambda x: Equipment(x, 3),
    "count_hands": lambda x: count_hands(x, 3),
    "parse_hand": lambda x: parse_hand(x, 6),
    "parse_hand faces": lambda x: parse_hand("1", x),
}
WRONG = [2.5, "x", {"a"}, -1, float("nan"), object(), b"x", 1 + 2j, np.arange(3.0)]


@pytest.mark.parametrize("name", CALLS)
def test_arguments_of_another_kind_are_one_sentence(name):
    for value in WRONG:
        try:
            CALLS[name](value)
        except LiarsolveError as error:
            sentence = str(error)
        else:
            sentence = ""  # a value that can be meant, such as a NaN among questions
        assert "\n" not in sentence.replace(repr(value), ""), value


@pytest.mark.parametrize("name", sorted(set(CALLS) - {"p_at_least face", "p_fewer total"}))
def test_an_object_is_never_meant(name):
    with pytest.raises(LiarsolveError):
        CALLS[name](object())


def many(faces):
    return presets.COMMON.replace(faces=faces)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: liarsolve.odds_table(10**7), InputError, "at most 10,000, got total=10,000,000"),
        (
            lambda: liarsolve.p_at_least(4, 3, 10**9, exact=True),
            InputError,
            "up to 100,000 hidden dice, got 1,000,000,000",
        ),
        (
            lambda: liarsolve.count_distribution(3, 10**9).pmf,
            InputError,
            "the chances of all counts of 1,000,000,000 dice are too many to list",
        ),
        (
            lambda: liarsolve.largest_count_distribution(10**6),
            InputError,
            "up to 300 hidden dice, got 1,000,000",
        ),
        (lambda: liarsolve.Posterior((10**9, 1)), GameTooLargeError, "take fewer dice"),
        (lambda: liarsolve.Posterior((10**6,), sides=10**6), GameTooLargeError, "take fewer dice"),
        (lambda: Round(presets.COMMON, (10**9, 1)), InputError, "at most 100,000 bids"),
        (lambda: Round(many(10**6), (1, 1)), InputError, "at most 100,000 bids"),
        (
            lambda: compile_graph(Round(presets.COMMON, (30, 30))),
            GameTooLargeError,
            "30 dice of 6 faces show more than 100,000 different hands; take fewer",
        ),
        (
            lambda: compile_graph(Round(many(1000), (1, 1))),
            GameTooLargeError,
            "allow 2,000 bids and some 4,000,000 raises, and at most 1,000,000 can be laid out",
        ),
        (lambda: enumerate_hands(1000, 1000), GameTooLargeError, "too many to list"),
        (lambda: Equipment.dice(5, 1000), InputError, "more than 50,000 different hands"),
        (lambda: Equipment.cards(5, 1000), InputError, "5 cards of 1000 ranks make more than"),
    ],
    ids=range(13),
)
def test_sizes_are_refused_before_the_work(call, error, sentence):
    with pytest.raises(error) as caught:
        call()
    assert sentence in str(caught.value)

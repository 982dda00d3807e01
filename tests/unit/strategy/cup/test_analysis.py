"""What an answer of the strategy of a cup game says beside what to do."""

from fractions import Fraction

import pytest

from liarsolve import keep_options, presets, read_situation, solve
from liarsolve.rules import CHALLENGE, CupMove, Keep
from liarsolve.strategy.cup.analysis import best_reply, claims_after, odds_of_offer, weigh_offer
from liarsolve.strategy.cup.strategy import CupAdvice

RULES = presets.CLASSIC.replace(equipment="dice(2,3)", nothing_claims="named")


@pytest.fixture(scope="module")
def strategy():
    return solve(RULES, target=1e-6).strategy


@pytest.mark.parametrize(
    ("rules", "known", "odds"),
    [
        # 64 and 65, six doubles and 21 are 2 + 2 + 6 + 2 throws of 36.
        (presets.MIA, {"offered": "64"}, ((), 2, 12 / 36)),
        (presets.MIA, {"offered": "64", "claim": "52"}, ((), 2, 12 / 36)),
        # Of a pair of jacks: one is kept, so the other comes again with one throw of three.
        (RULES, {"offered": "JJ", "claim": "TT", "passed": "JT", "thrown": 1}, ((3,), 1, 1 / 3)),
        (RULES, {"offered": "JJ", "claim": "TT", "passed": "JT", "thrown": 2}, ((), 2, 1 / 9)),
        (RULES, {"offered": "JJ"}, ((), 2, 1 / 9)),
    ],
)
def test_odds_of_an_offer_are_the_best_that_may_be_tried(rules, known, odds):
    found = odds_of_offer(read_situation(rules, **known))
    assert (found.kept, found.n_thrown, found.prob) == (*odds[:2], pytest.approx(odds[2]))


def test_a_number_that_nobody_says_may_be_any():
    rules = RULES.replace(announce_count="no")
    known = read_situation(rules, offered="JJ", claim="TT", passed="JT")
    assert odds_of_offer(known) == keep_options("JT", rules.claims, "JJ")[0]


def test_offers_are_weighed_by_the_strategy(strategy):
    known = read_situation(RULES, offered="JT", claim="T9", passed="T9", thrown=1)
    offer = weigh_offer(strategy, known)
    assert offer.odds == odds_of_offer(known)
    assert offer.p_true == strategy.p_true(known)
    assert offer.is_made == (strategy.offer_frequency(known) > 0.0)


def test_what_the_strategy_never_claims_is_told():
    # With a six only the six is claimed, and a one is no bluff that gains anything.
    strategy = solve(presets.LIAR_DIE).strategy
    known = [read_situation(presets.LIAR_DIE, offered=claim) for claim in "15"]
    offers = [weigh_offer(strategy, one) for one in known]
    assert [offer.is_made for offer in offers] == [False, True]
    assert offers[0].p_true == 1.0  # whatever was thrown is a one or more


def test_the_best_reply_gains_what_the_mixture_leaves():
    advice = [CupAdvice(CHALLENGE, 0.5, 0.25), CupAdvice(CupMove.ACCEPT, 0.5, 0.75)]
    reply = best_reply(advice)
    assert (reply.action, reply.gain) == (CupMove.ACCEPT, 0.25)
    assert best_reply([CupAdvice(CHALLENGE, 1.0, 0.4)]).gain == 0.0


def test_claims_after_a_throw_are_those_of_the_strategy(strategy):
    known = read_situation(RULES, hand="JT", claim="T9")
    after = claims_after(strategy, known, Keep((3,)))
    assert (after.n_thrown, after.n_other, after.other_prob) == (1, 0, 0.0)
    assert sum(row.prob for row in after.rows) == pytest.approx(1.0)
    for row in after.rows:
        probs = strategy.probs(hand=row.hand, claim="T9", passed="JT", thrown=1)
        assert row.probs == probs


def test_of_many_throws_the_most_frequent_are_listed(strategy, monkeypatch):
    monkeypatch.setattr("liarsolve.strategy.cup.analysis._MOST_THROWS", 4)
    known = read_situation(RULES, hand="JT", claim="T9")
    after = claims_after(strategy, known, Keep(()))
    # Three pairs come with 1/9 each, three other hands with 2/9: those first, then the best pair.
    assert [row.prob for row in after.rows] == pytest.approx([2 / 9] * 3 + [1 / 9])
    assert [RULES.format_hand(row.hand) for row in after.rows] == ["JT", "J9", "T9", "JJ"]
    assert (after.n_other, after.other_prob) == (2, float(Fraction(2, 9)))

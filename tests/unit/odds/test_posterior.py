import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

import pytest

from liarsolve import Posterior, p_at_least
from liarsolve.errors import GameTooLargeError, InputError, InputTypeError
from liarsolve.odds import Honest, SeenBid, Threshold, Uninformative


@dataclass(frozen=True)
class Loud:
    """A way of bidding of the test's own: the more matches the likelier."""

    def likelihood(self, bid, hand):
        return 1 + bid.count_matches(hand) ** 2


MODELS = [Uninformative(), Honest(Fraction(1, 4)), Threshold(2, Fraction(1, 5)), Loud()]


def posterior_by_enumeration(n_dice, hand, bids, *, wild, sides):
    """Weight of every joint roll, by going through all of them."""
    weights = {}
    total = len(hand) + sum(n_dice)
    for roll in product(range(1, sides + 1), repeat=sum(n_dice)):
        starts = [sum(n_dice[:i]) for i in range(len(n_dice) + 1)]
        hands = [tuple(sorted(roll[a:b])) for a, b in pairwise(starts)]
        weight = Fraction(1)
        for player, q, face, model in bids:
            bid = SeenBid(player, q, face, total, wild, sides)
            weight *= model.likelihood(bid, hands[player])
        weights[tuple(hands)] = weights.get(tuple(hands), 0) + weight
    return weights


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize(("sides", "wild"), [(3, 1), (4, None), (3, 3)])
def test_beliefs_match_enumeration(model, sides, wild):
    n_dice, hand = (2, 3), (1, 2)
    bids = [(0, 2, 3, Loud()), (1, 3, 3, model), (0, 3, 2, model)]
    belief = Posterior(n_dice, hand=hand, wild=wild, sides=sides, exact=True)
    for bid in bids:
        belief = belief.after_bid(*bid)
    weights = posterior_by_enumeration(n_dice, hand, bids, wild=wild, sides=sides)
    whole = sum(weights.values())

    for player in (0, 1):
        for own_hand, prob in belief.hand_probs(player).items():
            assert prob == sum(w for h, w in weights.items() if h[player] == own_hand) / whole
        assert sum(belief.hand_probs(player).values()) == 1
    for face in range(1, sides + 1):
        for q in range(9):
            counts = {
                hands: sum(die in (face, wild) for die in (*hand, *hands[0], *hands[1]))
                for hands in weights
            }
            true = sum(w for hands, w in weights.items() if counts[hands] >= q) / whole
            exactly = sum(w for hands, w in weights.items() if counts[hands] == q) / whole
            assert belief.p_at_least(q, face) == true
            assert belief.p_exactly(q, face) == exactly
            assert belief.p_fewer(q, face) == 1 - true
        matches = [sum(die in (face, wild) for die in hands[1]) for hands in weights]
        two = sum(w for w, n in zip(weights.values(), matches, strict=True) if n == 2) / whole
        assert belief.match_distribution(1, face).exactly(2) == two


def test_floats_agree_with_fractions():
    exact = Posterior((5, 4), hand=(2, 2, 3, 5, 6), exact=True)
    floats = Posterior((5, 4), hand=(2, 2, 3, 5, 6))
    for bid in ((0, 4, 2, MODELS[2]), (1, 5, 2, Loud()), (0, 6, 2, MODELS[1])):
        exact, floats = exact.after_bid(*bid), floats.after_bid(*bid)
    assert type(floats.p_at_least(6, 2)) is float
    assert floats.p_at_least(6, 2) == pytest.approx(float(exact.p_at_least(6, 2)), rel=1e-13)
    distribution = exact.hand_probs(0)
    for hand, prob in floats.hand_probs(0).items():
        assert prob == pytest.approx(float(distribution[hand]), rel=1e-13)


def test_without_evidence_the_odds_are_the_plain_ones():
    belief = Posterior((5, 2, 0), hand=(1, 6), exact=True)
    told = belief.after_bid(1, 3, 6, Uninformative())
    for distribution in (belief, told):
        for q in range(11):
            expected = p_at_least(q, 6, total=9, hand=(1, 6), exact=True)
            assert distribution.p_at_least(q, 6) == expected
    assert belief.total == 9
    assert belief.count_distribution(6).n_counts == 10
    assert Posterior((), hand=(1, 6)).p_at_least(2, 6) == 1.0


def test_a_bid_moves_the_belief_of_its_maker_only():
    prior = Posterior((5, 5))
    after = prior.after_bid(1, 4, 6, Threshold(3, 0.1))
    assert after.hand_probs(0) == prior.hand_probs(0)
    assert after.match_distribution(1, 6).mean > prior.match_distribution(1, 6).mean
    assert after.p_at_least(4, 6) > prior.p_at_least(4, 6)
    assert (prior.bids, len(after.bids)) == ((), 1)
    assert prior == Posterior((5, 5)) != after
    assert after == Posterior((5, 5)).after_bid(1, 4, 6, Threshold(3, 0.1))
    assert str(after.bids[0][0]) == "4x6"


def test_honest_bidder_stands_by_his_own_odds():
    model = Honest(0.5)
    bid = SeenBid(0, quantity=5, face=6, total=10, wild=1, sides=6)
    for hand in ((2, 3, 4, 5, 5), (1, 3, 4, 5, 6), (1, 1, 6, 6, 6)):
        true = p_at_least(5, 6, total=10, hand=hand) >= 0.5
        assert model.likelihood(bid, hand) == int(true)
    assert Honest(Fraction(1, 3)).likelihood(SeenBid(0, 1, 3, 1, 1, 6), ()) == 1  # exactly 1/3


def test_threshold_bidder_bluffs_at_his_rate():
    bid = SeenBid(0, quantity=5, face=6, total=10, wild=1, sides=6)
    likelihoods = [Threshold(2, 0.25).likelihood(bid, h) for h in ((1, 6), (6, 2), (2, 3))]
    assert likelihoods == [1, 0.25, 0.25]
    assert Threshold(0).likelihood(bid, (2, 3)) == 1
    assert Threshold(1).likelihood(bid, (2, 3)) == 0


def test_impossible_hands_are_left_out():
    distribution = Posterior((2,), exact=True).after_bid(0, 2, 6, Threshold(2)).hand_probs(0)
    assert distribution == {(1, 1): Fraction(1, 4), (1, 6): Fraction(1, 2), (6, 6): Fraction(1, 4)}


@dataclass(frozen=True)
class Broken:
    value: float

    def likelihood(self, bid, hand):
        return self.value


def test_bad_arguments_are_named():
    belief = Posterior((2, 2))
    with pytest.raises(InputError, match=r"no hand of player 0 goes with the bid 9x6 under Honest"):
        belief.after_bid(0, 9, 6, Honest(0.5))
    for value in (-1.0, math.inf, math.nan):
        with pytest.raises(InputError, match="a likelihood must be 0 or more and finite"):
            belief.after_bid(0, 1, 6, Broken(value))
    for player in (2, -1, "Ann"):
        with pytest.raises(InputError, match="player must be a position in n_dice, 0 to 1"):
            belief.hand_probs(player)
    with pytest.raises(InputError, match="a bid needs numbers"):
        belief.after_bid(0, math.nan, 6, Uninformative())
    for ask in (belief.count_distribution, lambda face: belief.match_distribution(0, face)):
        with pytest.raises(InputError, match=r"face must lie in 1\.\.6, got 7"):
            ask(7)
        with pytest.raises(InputError, match=r"face must lie in 1\.\.6, got nan"):
            ask(math.nan)
    with pytest.raises(InputError, match=r"a number of dice must lie in .*, got -1"):
        Posterior((2, -1))
    with pytest.raises(InputError, match="a number of dice must be a whole number, got nan"):
        Posterior((math.nan,))
    with pytest.raises(InputError, match=r"a die of the hand must show 1\.\.6, got 7"):
        Posterior((2,), hand=(7,))
    for n in (40, 10**7):
        with pytest.raises(GameTooLargeError, match=f"{n} dice of 6 sides have more"):
            Posterior((n,))


@pytest.mark.parametrize("make", [Honest, lambda rate: Threshold(1, rate)])
def test_bad_models_are_named(make):
    for rate in (-0.1, 1.5, math.nan):
        with pytest.raises(InputError, match="must be a chance from 0 to 1"):
            make(rate)
    for rate in (True, "0.5"):
        with pytest.raises(InputTypeError, match="must be a number from 0 to 1"):
            make(rate)
    with pytest.raises(InputError, match="min_matches must"):
        Threshold(math.nan)
    with pytest.raises(InputError, match="min_matches must lie in"):
        Threshold(-1)

"""How the strategy of a cup game opens a round."""

import pytest

from liarsolve import presets, solve
from liarsolve.strategy.cup import opening as module
from liarsolve.strategy.cup.opening import tabulate_cup_opening

RULES = presets.DOUBTFUL_DICE.replace(equipment="dice(2,3)")


@pytest.fixture(scope="module")
def solution():
    return solve(RULES, target=1e-6)


def test_rows_of_two_players_are_what_the_strategy_plays_and_wins(solution):
    opening = tabulate_cup_opening(solution)
    keys = [RULES.ranking.key(row.hand) for row in opening.rows]
    assert keys == sorted(keys)
    assert opening.n_hands == len(opening.rows) == 6
    frequencies = dict.fromkeys(RULES.claims, 0.0)
    for row in opening.rows:
        played = solution.strategy.probs(hand=row.hand)
        assert row.probs == {claim: p for claim, p in played.items() if claim in row.probs}
        assert sum(row.probs.values()) == pytest.approx(1.0)
        advice = solution.strategy.advise(hand=row.hand)
        chance = sum(a.probability * a.win_probability for a in advice)
        assert (row.win_probability, row.loss_probability) == (chance, 1.0 - chance)
        for claim, p in row.probs.items():
            frequencies[claim] += p * (1 if row.hand[0] == row.hand[1] else 2) / 9
    assert opening.probs == pytest.approx({c: frequencies[c] for c in opening.probs})
    assert sum(opening.probs.values()) == pytest.approx(1.0)
    low, high = solution.win_bounds
    assert low <= opening.win_probability <= high


def test_liar_die_is_opened_as_by_hand():
    # A 3 cannot lose; whoever throws it claims it. The chances of the three hands, 1/3, 5/6 and 1,
    # make 13/18 in the mean, which is the value proved in fractions.
    opening = tabulate_cup_opening(solve(presets.LIAR_DIE.replace(faces=3)))
    wins = [row.win_probability for row in opening.rows]
    assert wins == pytest.approx([1 / 3, 5 / 6, 1.0])
    assert opening.win_probability == pytest.approx(13 / 18)


def test_rows_of_three_players_are_what_the_strategy_plays_and_loses():
    solution = solve(presets.MIA, players=3, target=1e-3)
    opening = tabulate_cup_opening(solution.strategy)
    assert opening.n_hands == len(opening.rows) == 21
    assert [presets.MIA.format_hand(row.hand) for row in opening.rows][::20] == ["31", "21"]
    for row in opening.rows[::5]:
        assert row.probs == dict(solution.strategy.probs(hand=row.hand))
        assert row.win_probability is None
    weights = presets.MIA.equipment.weights
    by_hand = {row.hand: row.loss_probability for row in opening.rows}
    pairs = zip(presets.MIA.equipment.hands, weights, strict=True)
    mean = sum(by_hand[hand] * weight / 36 for hand, weight in pairs)
    assert opening.loss_probability == pytest.approx(mean)
    assert opening.win_probability is None
    assert sum(opening.probs.values()) == pytest.approx(1.0)


def test_of_many_hands_some_are_listed(solution, monkeypatch):
    monkeypatch.setattr(module, "_MOST_HANDS", 3)
    monkeypatch.setattr(module, "_FEW_HANDS", 2)
    everything = [row.hand for row in tabulate_cup_opening(solution).rows]
    monkeypatch.setattr(module, "_MOST_HANDS", 6)
    assert len(everything) == 2
    hands = [row.hand for row in tabulate_cup_opening(solution).rows]
    # Of nine throws in order, those a quarter and three quarters of the way up: 2.25 and 6.75.
    weights = [1 if hand[0] == hand[1] else 2 for hand in hands]
    ends = [sum(weights[: place + 1]) for place in range(6)]
    assert everything == [
        next(hand for hand, end in zip(hands, ends, strict=True) if end >= middle)
        for middle in (2.25, 6.75)
    ]

"""Cup games as arrays: keeps, families, laws, and which rules are refused."""

from fractions import Fraction

import numpy as np
import pytest

from liarsolve.claims import MULTIPLICITY, NothingClaims
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import InputError, RuleError
from liarsolve.game.cup.compile import compile_cup, recursion_problem, throw_distribution
from liarsolve.game.cup.game import build_cup_game
from liarsolve.rules import CupRules, presets

BOX = presets.BOX.replace(blind_pass="off")
CARDS = presets.LIAR_CARDS.replace(blind_pass="off")


def toy(n_dice, n_faces, **options):
    rules = CupRules(
        equipment=Equipment.dice(n_dice, n_faces),
        ranking=MULTIPLICITY,
        nothing_claims=NothingClaims.NAMED,
    )
    return rules.replace(**options)


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (presets.CLASSIC, (252, 248, 1056)),
        (BOX, (252, 363, 1056)),
        (CARDS, (246, 357, 1026)),
        (presets.DOUBTFUL_DICE, (252, 37, 804)),  # keeping all five is not among the choices
        (presets.MIA, (21, 21, 1)),
        (presets.LIAR_DIE, (6, 6, 1)),
    ],
    ids=lambda x: getattr(x, "name", None),
)
def test_sizes_of_the_presets(rules, sizes):
    game = compile_cup(rules)
    assert (game.n_hands, game.n_claims, game.n_families) == sizes
    assert game.first_followers.tolist() == list(range(1, game.n_claims + 1))
    np.testing.assert_allclose(game.redraw.sum(axis=1), 1.0, rtol=1e-14)


def test_hands_share_families_where_they_can_keep_the_same():
    game = compile_cup(presets.CLASSIC)
    ids = presets.CLASSIC.equipment.hand_ids
    pair, two_pairs = ids[1, 1, 2, 3, 4], ids[1, 2, 2, 3, 4]
    by_number = dict(zip(game.numbers, game.hand_family[pair], strict=True))
    others = dict(zip(game.numbers, game.hand_family[two_pairs], strict=True))
    assert by_number[5] == others[5] == 0
    assert by_number[4] == others[4]  # one of 1, 2, 3, 4
    assert by_number[3] != others[3]  # 11 or 22
    kept = {game.keeps[keep] for keep in game.keeps_of(by_number[4])}
    assert kept == {(1,), (2,), (3,), (4,)}


def test_a_number_that_is_not_announced_joins_all_keeps_in_one_family():
    game = compile_cup(toy(2, 2, announce_count=False))
    assert game.numbers == (None,)
    mixed = game.hand_family[game.hands.index((1, 2)), 0]
    kept = {game.keeps[keep] for keep in game.keeps_of(mixed)}
    assert kept == {(), (1,), (2,), (1, 2)}


def test_limits_of_the_rethrow_are_the_numbers():
    assert compile_cup(toy(3, 2, min_rethrow=1, max_rethrow=2)).numbers == (1, 2)
    assert compile_cup(toy(3, 2, rethrow_all=True)).numbers == (3,)


def test_dice_that_may_fall_over_are_thrown_too():
    rules = toy(2, 2, dislodge_prob="1/3")
    assert throw_distribution(rules, (2,)) == {
        (1, 2): Fraction(2, 3) * Fraction(1, 2) + Fraction(1, 3) * Fraction(1, 2),
        (2, 2): Fraction(2, 3) * Fraction(1, 2) + Fraction(1, 3) * Fraction(1, 4),
        (1, 1): Fraction(1, 3) * Fraction(1, 4),
    }
    assert throw_distribution(rules, (1, 2)) == {(1, 2): 1}  # nothing is thrown, so nothing falls


def test_the_truth_test_of_the_rules_is_that_of_the_game():
    tables = [compile_cup(toy(2, 3, truth=truth)).truth for truth in ("at_least", "matches")]
    assert tables[0].sum() == 21
    assert tables[1].sum() == 6


def test_an_accepted_top_claim_is_worth_what_the_tries_leave():
    game = compile_cup(presets.CLASSIC)
    (claim,) = game.end_values
    assert claim == 247
    assert set(game.end_values[claim]) == {1 - presets.CLASSIC.try_success((1, 1, 1, 1, 1))}
    carried = compile_cup(presets.CLASSIC.replace(top_accept="carry_keep")).end_values[claim]
    assert carried[-1] == 0  # five aces were passed: the try cannot fail
    assert carried[0] == game.end_values[claim][0]
    assert compile_cup(BOX).end_values == {362: None}


def test_claims_that_are_worth_the_same_may_not_follow_each_other():
    rules = CupRules().replace(ranking="generala_boxes", claim_detail="category")
    first = compile_cup(rules).first_followers
    ranks = rules.claims.ranks
    assert len(set(ranks)) < len(ranks)
    for claim, follower in enumerate(first[:-1]):
        assert ranks[follower] > ranks[claim] == ranks[follower - 1]


def test_rules_of_raising_that_are_no_order_have_no_first_followers():
    game = compile_cup(toy(3, 3, raise_rule="componentwise"))
    assert game.first_followers is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"blind_pass": "any"}, "blind_pass=any cannot .* use blind_pass=off$"),
        ({"raise_rule": "equal_or_higher"}, "raise_rule=equal_or_higher .* use raise_rule=higher$"),
        ({"look": "optional", "max_rethrow": 2}, "look=optional .* use max_rethrow=all"),
        (
            {"top_claim": "concede_1_or_look_2"},
            "top_claim=concede_1_or_look_2 cannot .* use top_claim=must_challenge",
        ),
    ],
    ids=str,
)
def test_rules_without_a_recursion_are_refused_with_the_option_to_change(change, message):
    with pytest.raises(RuleError, match=message):
        compile_cup(BOX.replace(**change))


def test_looking_may_be_optional_where_all_dice_may_be_thrown_anyhow():
    assert recursion_problem(BOX.replace(look="optional")) is None


def small_game(**changes):
    certain = {(1,): {(1,): Fraction(1)}, (2,): {(2,): Fraction(1)}}
    arguments = {
        "hands": ((1,), (2,)),
        "distributions": {(): {(1,): Fraction(1, 2), (2,): Fraction(1, 2)}, **certain},
        "thrown": (1,),
        "is_announced": True,
        "truth": np.array([[True, True], [False, True]]),
        "follows": np.array([[False, True], [False, False]]),
    }
    return build_cup_game(**arguments | changes)


def test_games_are_laid_out_by_hand():
    game = small_game()
    assert game.end_values == {1: None}
    assert game.keeps == ((), (1,), (2,))
    np.testing.assert_array_equal(game.redraw, [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]])
    assert game.hand_family.tolist() == [[0], [0]]


def test_games_that_could_go_on_for_ever_or_nowhere_are_refused():
    with pytest.raises(InputError, match="may be followed only by later ones"):
        small_game(follows=np.array([[True, True], [False, False]]))
    with pytest.raises(InputError, match="no number of dice that may be thrown again"):
        small_game(thrown=())

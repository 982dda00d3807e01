"""The clauses of the cup games on lives, stakes, who is out and who starts, by their numbers."""

import re
from dataclasses import replace

import pytest

from liarsolve.errors import InputError, InputTypeError
from liarsolve.rules import CupMatch, CupRound, presets, seats_by_throw

CLASSIC, BOX, DOUBTFUL_DICE, MIA = presets.CLASSIC, presets.BOX, presets.DOUBTFUL_DICE, presets.MIA
TRUE_CLAIM, FALSE_CLAIM = "thrown 5", "thrown 1"
"""The throw that makes the claim of five in `play` true or false."""


def simplified(rules):
    """The same bookkeeping, with rounds of one die and one claim."""
    return rules.replace(
        equipment="dice(1,6)",
        ranking="faces",
        claim_detail="full",
        top_claim="must_challenge",
        blind_pass="off",
    )


def play(match, score, *throws):
    """Play rounds in which the starter claims five and the neighbour challenges."""
    for throw in throws:
        table = CupRound(match.rules, len(match.seats(score)))
        score = match.after(score, table.outcome(table.state_after([throw, "5", "liar"])))
    return score


@pytest.fixture
def classic():
    return CupMatch(simplified(CLASSIC), 3)


@pytest.fixture
def box():
    return CupMatch(simplified(BOX), 3)


@pytest.fixture
def stakes():
    return CupMatch(simplified(DOUBTFUL_DICE).replace(min_rethrow=0), 3)


def test_cl_1_every_player_starts_with_three_chips(classic):
    score = classic.start()
    assert (score.stakes, score.pool, score.live) == ((3, 3, 3), 0, (0, 1, 2))


def test_cl_1_and_cl_q7_three_players_or_two():
    assert CupMatch(CLASSIC, 2).n_players == 2
    official = CLASSIC.replace(min_players=3)
    assert CupMatch(official, 3).n_players == 3
    message = "min_players=3 asks for as many players to start a game, got 2"
    with pytest.raises(InputError, match=f"^{message}$"):
        CupMatch(official, 2)


def test_cl_2_the_highest_die_shoots_first_and_the_next_sits_at_his_left():
    assert seats_by_throw([2, 5, 1, 6]) == (3, 1, 0, 2)


def test_cl_q6_tied_players_throw_again():
    message = "CL?6 players 0 and 2 both threw 5 and throw again"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        seats_by_throw([5, 1, 5])


def test_cl_7_a_chip_goes_to_the_pool(classic):
    score = play(classic, classic.start(), FALSE_CLAIM)
    assert (score.stakes, score.pool) == ((2, 3, 3), 1)
    assert play(classic, classic.start(), TRUE_CLAIM).stakes == (3, 2, 3)


def test_cl_8_the_challenger_throws_next_and_seats_turn_with_him(classic):
    score = play(classic, classic.start(first=1), FALSE_CLAIM)
    assert score.starter == 2
    assert classic.seats(score) == (2, 0, 1)
    assert play(classic, score, TRUE_CLAIM).stakes == (2, 2, 3)


def test_cl_11_without_chips_a_player_is_out(classic):
    # 0 lies and pays; 1 lies and pays; 2 lies and pays; three times
    score = play(classic, classic.start(), *[FALSE_CLAIM] * 6)
    assert score.stakes == (1, 1, 1)
    score = play(classic, score, FALSE_CLAIM)
    assert (score.live, score.pool) == ((1, 2), 7)
    assert classic.seats(score) == (1, 2)


def test_cl_11_the_first_player_to_lose_three_lives_gets_one_more():
    match = CupMatch(simplified(CLASSIC).replace(extra_life="first_out"), 3)
    score = play(match, match.start(), *[FALSE_CLAIM] * 7)
    assert (score.stakes, score.live) == ((0, 1, 1), (0, 1, 2))
    assert score.has_extra == (True, False, False)
    score = play(match, score, FALSE_CLAIM)  # the second gets none
    assert (score.stakes, score.live) == ((0, 0, 1), (0, 2))


def test_cl_q3_the_next_live_player_to_the_left_starts_for_one_who_has_gone_out(classic):
    score = play(classic, classic.start(), *[FALSE_CLAIM] * 6)
    # 0 claims the truth, 1 challenges and goes out, 2 starts in their place
    score = play(classic, score, TRUE_CLAIM)
    assert (score.live, score.starter) == ((0, 2), 2)
    winner_starts = CupMatch(simplified(CLASSIC).replace(starter_if_out="winner_of_call"), 3)
    score = play(winner_starts, winner_starts.start(), *[FALSE_CLAIM] * 6, TRUE_CLAIM)
    assert (score.live, score.starter) == ((0, 2), 0)


def test_cl_q5_an_extra_life_carries_no_stake():
    match = CupMatch(simplified(CLASSIC).replace(extra_life="first_out", lives=1), 2)
    score = play(match, match.start(), FALSE_CLAIM)
    assert (score.stakes, score.has_extra, score.pool) == ((0, 1), (True, False), 1)
    assert not match.is_over(score)
    score = play(match, score, TRUE_CLAIM)  # 1 claims the truth, 0 loses the extra life
    assert (score.live, score.pool, match.winners(score)) == ((1,), 1, (1,))


def test_cl_q5_an_extra_life_for_everybody():
    match = CupMatch(simplified(CLASSIC).replace(extra_life="everyone", lives=1), 3)
    score = play(match, match.start(), FALSE_CLAIM, FALSE_CLAIM, FALSE_CLAIM)
    assert (score.stakes, score.has_extra) == ((0, 0, 0), (True, True, True))
    score = play(match, score, FALSE_CLAIM)
    assert score.live == (1, 2)


def test_cl_13_the_last_player_in_wins_and_the_next_game_starts_one_place_further(classic):
    score = play(classic, classic.start(), *[FALSE_CLAIM] * 7)
    assert classic.winners(score) == ()
    score = play(classic, score, FALSE_CLAIM)
    assert (classic.is_over(score), classic.winners(score), score.pool) == (True, (2,), 8)
    assert [classic.start_next(first).starter for first in range(3)] == [1, 2, 0]


def test_cl_q9_the_survivor_takes_all_chips(classic):
    score = play(classic, classic.start(), *[FALSE_CLAIM] * 8)
    (winner,) = classic.winners(score)
    assert score.pool + score.stakes[winner] == 3 * 3
    assert sum(score.stakes) == score.stakes[winner]


def test_bx_1_three_lives_and_one_spare_life_for_the_first_who_loses_all(box):
    score = play(box, box.start(), FALSE_CLAIM, FALSE_CLAIM, FALSE_CLAIM)
    assert (score.stakes, score.has_extra, score.live) == (
        (0, 3, 3),
        (True, False, False),
        (0, 1, 2),
    )
    score = play(box, score, FALSE_CLAIM)
    assert (score.live, score.has_extra, score.had_extra) == (
        (1, 2),
        (False, False, False),
        (True, False, False),
    )
    score = play(box, score, FALSE_CLAIM, FALSE_CLAIM, FALSE_CLAIM)  # the second gets none
    assert box.winners(score) == (2,)


def test_bx_2_any_player_may_be_the_first_thrower(box):
    assert [box.seats(box.start(first)) for first in range(3)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


def test_bx_5_the_player_who_lost_the_life_starts_again(box):
    assert play(box, box.start(), FALSE_CLAIM).starter == 0
    assert play(box, box.start(), TRUE_CLAIM).starter == 1


def test_bx_q5_the_next_live_player_starts_for_the_eliminated(box):
    score = play(box, box.start(first=1), *[FALSE_CLAIM] * 4)
    assert (score.live, score.starter, box.seats(score)) == ((0, 2), 2, (2, 0))


def test_bx_q6_the_owner_of_the_spare_life_restarts_the_round(box):
    score = play(box, box.start(first=1), *[FALSE_CLAIM] * 3)
    assert (score.stakes, score.starter) == ((3, 0, 3), 1)


@pytest.mark.parametrize("n_players", [2, 7, 20])
def test_dd_1_any_number_of_players_puts_out_three_stakes_each(n_players):
    assert CupMatch(DOUBTFUL_DICE, n_players).start().stakes == (3,) * n_players


def test_dd_5_a_liar_gives_one_stake_to_the_centre_and_one_to_his_left(stakes):
    score = play(stakes, stakes.start(), FALSE_CLAIM)
    assert (score.stakes, score.pool, score.starter) == ((1, 4, 3), 1, 1)
    assert play(stakes, stakes.start(), TRUE_CLAIM).stakes == (3, 2, 3)


@pytest.mark.parametrize(
    ("short_pay", "stakes_after", "pool"),
    [("pool_first", (0, 4, 3), 2), ("challenger_first", (0, 5, 3), 1)],
)
def test_dd_q5_a_liar_with_one_stake_left(short_pay, stakes_after, pool):
    rules = simplified(DOUBTFUL_DICE).replace(min_rethrow=0, short_pay=short_pay)
    match = CupMatch(rules, 3)
    score = play(match, match.start(), FALSE_CLAIM)
    assert (score.stakes, score.pool) == ((1, 4, 3), 1)
    score = play(match, replace(score, starter=0), FALSE_CLAIM)
    assert (score.stakes, score.pool, score.live) == (stakes_after, pool, (1, 2))


@pytest.mark.parametrize(
    ("short_pay", "stakes_after"), [("pool_first", (0, 3)), ("challenger_first", (0, 4))]
)
def test_dd_q5_the_second_gets_what_the_first_leaves(short_pay, stakes_after):
    rules = simplified(DOUBTFUL_DICE).replace(
        min_rethrow=0, lives=2, penalty_liar="1,2", short_pay=short_pay
    )
    match = CupMatch(rules, 2)
    assert play(match, match.start(), FALSE_CLAIM).stakes == stakes_after


def test_dd_9_stakes_are_conserved_and_a_game_ends_after_few_challenges(stakes):
    score, n_rounds = stakes.start(), 0
    while not stakes.is_over(score):
        score = play(stakes, score, (FALSE_CLAIM, TRUE_CLAIM)[n_rounds % 2])
        n_rounds += 1
        assert sum(score.stakes) + score.pool == 9
    assert n_rounds <= 3 * 3 - 1


def test_dd_10_a_player_without_stakes_is_out_and_the_last_one_wins(stakes):
    score = play(stakes, stakes.start(), FALSE_CLAIM, TRUE_CLAIM, FALSE_CLAIM)
    assert score.stakes == (2, 4, 0)
    assert score.live == (0, 1)
    score = play(stakes, score, FALSE_CLAIM)
    assert (stakes.winners(score), score.stakes) == ((1,), (0, 5, 0))


def test_dd_q9_stakes_may_exceed_three_and_any_player_may_be_first(stakes):
    score = stakes.start(first=2)
    assert stakes.seats(score) == (2, 0, 1)
    assert play(stakes, score, FALSE_CLAIM).stakes == (4, 3, 1)


def test_mia_a_double_penalty_may_be_more_than_is_left():
    rules = MIA.replace(top_claim="concede_1_or_look_2", lives=3)
    match = CupMatch(rules, 2)
    table = CupRound(rules, 2)
    double = table.outcome(table.state_after(["thrown 21", "21", "liar"]))
    score = match.after(match.start(), double)
    assert (score.stakes, score.pool, score.starter) == ((3, 1), 2, 1)
    table_lost = table.outcome(table.state_after(["thrown 31", "21", "concede"]))
    score = match.after(score, table_lost)
    assert (score.stakes, score.starter) == ((2, 1), 0)
    score = match.after(score, double)
    assert (score.stakes, match.winners(score)) == ((2, 0), (0,))


def test_the_game_may_end_with_the_first_player_out():
    match = CupMatch(simplified(BOX).replace(end="first_out_loses", extra_life="off"), 3)
    score = play(match, match.start(), FALSE_CLAIM, FALSE_CLAIM, FALSE_CLAIM)
    assert match.is_over(score)
    assert match.winners(score) == (1, 2)


def test_a_game_that_is_over_goes_no_further(classic):
    over = play(classic, classic.start(), *[FALSE_CLAIM] * 8)
    table = CupRound(classic.rules, 2)
    result = table.outcome(table.state_after([TRUE_CLAIM, "5", "liar"]))
    with pytest.raises(InputError, match=r"^the game is over; start_next starts another$"):
        classic.after(over, result)


@pytest.mark.parametrize(
    ("rules", "n_players", "error", "message"),
    [
        ("classic", 3, InputTypeError, "rules of a cup game are CupRules such as presets.CLASSIC"),
        (CLASSIC, 2.5, InputTypeError, "the number of players is a whole number, got 2.5"),
        (CLASSIC, True, InputTypeError, "the number of players is a whole number, got True"),
        (CLASSIC, 1, InputError, "min_players=2 asks for as many players to start a game, got 1"),
    ],
)
def test_arguments_of_a_game_are_checked(rules, n_players, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        CupMatch(rules, n_players)


def test_the_first_player_has_to_sit_at_the_table(classic):
    with pytest.raises(InputError, match=r"^players are numbered 0 to 2, got 3$"):
        classic.start(3)

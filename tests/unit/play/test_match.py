"""Whole matches between players."""

import pytest

from liarsolve import HonestPlayer, ProbabilityPlayer, RandomPlayer, presets, solve
from liarsolve.errors import IllegalActionError, InputError, InputTypeError, PlayerError
from liarsolve.play import MatchTables, play_match
from liarsolve.rules import CHALLENGE, PRESETS, Bid, replay, write_log


def small(rules):
    """Return these rules with less to play."""
    if rules.family == "bidding":
        return rules.replace(dice=2, faces=4)
    if rules.look.value == "never":
        return rules.replace(lives=1)
    return rules.replace(lives=1, equipment="dice(2,3)", ranking="multiplicity")


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "liar_cards"])
@pytest.mark.parametrize("n_players", [2, 4])
def test_every_preset_is_played_by_the_ready_players(name, n_players):
    rules = small(PRESETS[name])
    players = [ProbabilityPlayer(), HonestPlayer(), RandomPlayer(), RandomPlayer()][:n_players]
    played = play_match(players, rules, rng=3, first=1)
    state = played.state()
    assert (state.winners, state.score) == (played.winners, played.score)
    assert len(state.past) == len(played.rounds)
    assert state.past[0][0].starter == 1
    assert replay(write_log(state)) == state
    assert played.forfeit is None


def test_a_seed_says_everything():
    players = [RandomPlayer(), ProbabilityPlayer()]
    matches = [play_match(players, presets.PERUDO, rng=seed) for seed in (1, 1, 2)]
    assert matches[0] == matches[1]
    assert matches[0] != matches[2]


@pytest.mark.parametrize("rules", [presets.LIARS_DICE, presets.PERUDO, presets.BLUFF])
def test_what_ready_players_remember_changes_nothing(rules):
    """The tables remember answers by dice, standing bid and lock; players asked anew agree."""

    class Fresh(ProbabilityPlayer):
        """Of another type, so that nothing is remembered."""

    class Frank(HonestPlayer):
        """The same."""

    rules, tables = rules.replace(dice=3), MatchTables(rules.replace(dice=3))
    for seed in range(20):
        ready = [ProbabilityPlayer(), HonestPlayer(), RandomPlayer()]
        fresh = [Fresh(), Frank(), RandomPlayer()]
        kept = play_match(ready, rules, rng=seed, tables=tables)
        anew = play_match(fresh, rules, rng=seed)
        assert [str(round_) for round_ in kept.rounds] == [str(round_) for round_ in anew.rounds]
        assert (kept.winners, kept.score) == (anew.winners, anew.score)


class Broken:
    """Raises when asked for the second time."""

    n_asked = 0

    def act(self, turn, rng):
        self.n_asked += 1
        if self.n_asked == 2:
            raise ValueError("out of ideas")
        return turn.actions[0]


class Cheat:
    """Bids what nobody may bid."""

    def act(self, turn, rng):
        return Bid(99, 1)


def test_who_fails_loses_the_match_or_it_is_an_error():
    players = [HonestPlayer(), Broken(), HonestPlayer()]
    with pytest.raises(PlayerError, match=r"Broken object .* raised ValueError: out of ideas$"):
        play_match(players, presets.LIARS_DICE, rng=1)
    played = play_match(
        [HonestPlayer(), Broken(), HonestPlayer()], presets.LIARS_DICE, rng=1, forfeits=True
    )
    assert (played.forfeit.player, played.forfeit.reason) == (1, "out of ideas")
    assert played.winners == (0, 2)
    with pytest.raises(IllegalActionError, match=r"answered 99x1: opening bid refused: PE\?7"):
        play_match([Cheat(), HonestPlayer()], presets.LIARS_DICE, rng=1)
    played = play_match([Cheat(), HonestPlayer()], presets.LIARS_DICE, rng=1, forfeits=True)
    assert "answered 99x1: opening bid refused: PE?7" in played.forfeit.reason
    assert (played.winners, played.rounds) == ((1,), ())


class Witness(RandomPlayer):
    """Notes what it is told of the match."""

    def __init__(self):
        self.told = []

    def begin_match(self, match, player):
        self.told.append(("match", match.n_players, player))

    def begin_round(self, seat):
        self.told.append(("round", seat.number, seat.score, seat.player))

    def end_round(self, played, score):
        self.told.append(("end", score))

    def end_match(self, winners):
        self.told.append(("won", winners))


def test_players_are_told_of_the_match_if_they_want_to_know():
    witness = Witness()
    played = play_match([RandomPlayer(), witness], presets.LIARS_DICE.replace(dice=1), rng=5)
    start = played.match.start(0)
    assert witness.told == [
        ("match", 2, 1),
        ("round", 1, start, 1),
        ("end", played.score),
        ("won", played.winners),
    ]


def test_a_strategy_of_one_round_plays_no_match():
    solution = solve(presets.COMMON.replace(faces=2), (1, 1))
    with pytest.raises(InputError, match=r"^a strategy is solved for one round, and a match has "):
        play_match([solution, RandomPlayer()], presets.COMMON, rng=1)
    with pytest.raises(InputTypeError):
        play_match([RandomPlayer(), 7], presets.COMMON, rng=1)
    with pytest.raises(InputError, match="min_players=2 asks for as many players"):
        play_match([RandomPlayer()], presets.COMMON, rng=1)


class Shy:
    """Calls exact whenever it may, and raises otherwise."""

    def act(self, turn, rng):
        return turn.actions[0] if not turn.bids else CHALLENGE


def test_nobody_calls_out_of_turn_in_a_match():
    played = play_match([Shy()] * 3, presets.WIKIPEDIA, rng=1)
    assert [round_.caller for round_ in played.rounds] == [1]

"""Cup games between players: what they see, what they do, and contests over the same luck."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from liarsolve import (
    CHALLENGE,
    CupRound,
    HonestPlayer,
    ProbabilityPlayer,
    RandomPlayer,
    StrategyPlayer,
    head_to_head,
    presets,
    solve,
)
from liarsolve.claims import Claim
from liarsolve.errors import IllegalActionError, InputError, InputTypeError, PlayerError
from liarsolve.play import (
    CupLuck,
    CupStrategyPlayer,
    CupTurn,
    as_cup_player,
    play_cup_round,
)
from liarsolve.rules import CupMove, CupOutcomeKind, CupPhase, Keep, Thrown

READY = (HonestPlayer(), ProbabilityPlayer(), RandomPlayer())
GAMES = (
    presets.MIA,
    presets.LIAR_DIE,
    presets.CLASSIC,
    presets.BOX,
    presets.LIAR_CARDS,
    presets.DOUBTFUL_DICE,
)
RNG = np.random.default_rng(0)


class Recorder:
    """Plays like another, and keeps what it was shown."""

    def __init__(self, player):
        self.player, self.turns = player, []

    def act(self, turn, rng):
        self.turns.append(turn)
        return self.player.act(turn, rng)


class Scripted:
    """Does what is written down, one thing a turn."""

    def __init__(self, *lines):
        self.lines = list(lines)

    def act(self, turn, rng):
        return self.lines.pop(0)


def at(rules, *history, n_players=2):
    return CupTurn.at(CupRound(rules, n_players), history)


def act(player, rules, *history):
    return player.act(at(rules, *history), RNG)


def write(action, rules):
    return rules.format_claim(action) if isinstance(action, Claim) else str(action)


# What a player sees


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_what_is_seen_does_not_depend_on_hidden_dice(rules):
    """Every throw that a player cannot see is exchanged for others: the view stays the same."""
    round_, rng, n_compared = CupRound(rules, 2), np.random.default_rng(3), 0
    for seed in range(6):
        played = play_cup_round(round_, [RandomPlayer(), RandomPlayer()], rng=seed)
        state = round_.initial_state()
        for action in played.actions[:-1]:
            before, state = state, round_.next_state(state, action)
            if not isinstance(action, Thrown) or before.phase is not CupPhase.THROW:
                continue
            claim = next(iter(round_.legal_actions(state)))
            seen = set()
            laws = list(round_.chance_distribution(before))
            for k in rng.integers(len(laws), size=4).tolist():
                thrown = round_.next_state(before, Thrown(laws[k]))
                claimed = round_.next_state(thrown, claim)
                seat = round_.to_act(claimed)
                seen.add(
                    CupTurn(
                        round_,
                        seat,
                        claimed.phase,
                        round_.view(claimed, seat),
                        round_.legal_actions(claimed),
                    )
                )
                n_compared += claimed.turns[-1].hand != played.outcome.hand
            assert len(seen) == 1
    assert n_compared > 0


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_players_are_shown_nothing_that_is_hidden(rules):
    recorder = Recorder(RandomPlayer())
    for seed in range(20):
        play_cup_round(CupRound(rules, 3), [recorder, RandomPlayer(), RandomPlayer()], rng=seed)
    answers = [turn for turn in recorder.turns if turn.phase is CupPhase.ANSWER]
    assert answers
    for turn in answers:
        assert turn.turns[-1].hand is None
        assert turn.turns[-1].kept is None
    for turn in recorder.turns:
        others = [t for t in turn.turns if t.player != turn.seat]
        assert all(t.kept is None for t in others)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_a_turn_is_what_the_rules_say_is_seen(rules):
    for n_players in (2, 3):
        round_, recorder = CupRound(rules, n_players), Recorder(ProbabilityPlayer())
        seated = [recorder, *[RandomPlayer()] * (n_players - 1)]
        for seed in range(4):
            recorder.turns.clear()
            played = play_cup_round(round_, seated, rng=seed)
            state, expected = round_.initial_state(), []
            for action in played.actions:
                if round_.to_act(state) == 0:
                    expected.append((round_.view(state, 0), round_.legal_actions(state)))
                state = round_.next_state(state, action)
            assert [(turn.turns, turn.actions) for turn in recorder.turns] == expected


def test_a_turn_knows_what_was_passed_and_thrown():
    passed = ["thrown QQQ99", "99JJ", "accept", "look", "keep QQQ", "thrown QQQ9T"]
    turn = at(presets.BOX, *passed, "QQQ")
    assert (turn.seat, turn.phase, turn.thrown) == (0, CupPhase.ANSWER, 2)
    assert presets.BOX.format_hand(turn.passed) == "QQQ99"
    assert (turn.hand, turn.turns[-1].hand) == (None, None)
    assert turn.p_true() == 1.0  # the three queens may all have been kept
    first = at(presets.MIA, "thrown 21", "62")
    assert first.p_true() == pytest.approx(16 / 36)
    assert first.passed is None


def test_nobody_acts_while_a_throw_is_due():
    with pytest.raises(InputError, match="nobody has to act there"):
        at(presets.MIA)


def test_what_is_true_of_an_unseen_hand_is_not_known():
    turn = at(presets.MIA, "thrown 21", "62")
    with pytest.raises(InputError, match="who sees no hand"):
        turn.is_true(turn.standing_claim)
    own = at(presets.MIA, "thrown 62")
    is_true = {write(claim, own.rules): own.is_true(claim) for claim in own.actions}
    assert (is_true["61"], is_true["62"], is_true["63"]) == (True, True, False)


# What ready players do


@pytest.mark.parametrize(
    ("history", "honest", "by_the_odds"),
    [
        (["thrown 62"], "62", "31"),
        (["thrown 62", "61", "accept", "thrown 65"], "65", "62"),
        (["thrown 62", "61", "accept", "thrown 41"], "62", "62"),  # neither has anything true
        (["thrown 62", "51"], "accept", "accept"),  # 26 of 36 throws make it
        (["thrown 62", "65"], "liar", "liar"),  # 10 of 36
    ],
)
def test_ready_players_in_mia_by_hand(history, honest, by_the_odds):
    rules = presets.MIA
    assert write(act(HonestPlayer(), rules, *history), rules) == honest
    assert write(act(ProbabilityPlayer(), rules, *history), rules) == by_the_odds


def test_ready_players_keep_what_is_likeliest_to_beat_the_claim():
    history = ["thrown QQQ99", "QQQ", "accept"]
    if at(presets.BOX, *history).phase is CupPhase.LOOK:
        assert act(HonestPlayer(), presets.BOX, *history) is CupMove.LOOK
        history.append("look")
    for player in (HonestPlayer(), ProbabilityPlayer()):
        keep = act(player, presets.BOX, *history)
        turn = at(presets.BOX, *history)
        assert turn.p_reach(keep.faces) == max(turn.p_reach(k.faces) for k in turn.actions)
        assert turn.p_reach(keep.faces) == 1.0  # a full house is there already


def test_a_claim_as_likely_true_as_not_is_believed():
    rules = presets.LIAR_DIE
    assert at(rules, "thrown 1", "4").p_true() == 0.5
    assert act(HonestPlayer(), rules, "thrown 1", "4") is CupMove.ACCEPT
    assert act(HonestPlayer(), rules, "thrown 1", "5") is CHALLENGE


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("n_players", [2, 3])
def test_ready_players_finish_every_game(rules, n_players):
    round_ = CupRound(rules, n_players)
    for seed in range(4):
        seated = [READY[(seed + k) % 3] for k in range(n_players)]
        played = play_cup_round(round_, seated, rng=seed)
        assert round_.outcome(round_.state_after(played.actions)) == played.outcome
        assert sum(played.utilities) == pytest.approx(0.0, abs=1e-12)
        assert played == play_cup_round(round_, seated, rng=np.random.default_rng(seed))


def test_a_concession_is_played():
    rules = presets.MIA.replace(top_claim="concede_1_or_look_2")
    history = ["thrown 31", rules.format_claim(rules.claims[rules.top_claim_id])]
    assert set(at(rules, *history).actions) == {CHALLENGE, CupMove.CONCEDE}
    assert act(HonestPlayer(), rules, *history) is CHALLENGE  # hardly anybody throws that


# Contests


@pytest.mark.parametrize("player", READY, ids=repr)
@pytest.mark.parametrize("n_players", [2, 3])
def test_a_player_gets_nothing_of_its_like_in_any_deal(player, n_players):
    means = []
    result = head_to_head(
        CupRound(presets.DOUBTFUL_DICE, n_players), player, player, n_deals=8, rng=1,
        on_progress=lambda progress: means.append(progress.mean),
    )  # fmt: skip
    assert len(result.seats) == n_players
    assert means == pytest.approx([0.0] * 8, abs=1e-12)
    assert result.n_rounds == sum(result.endings.values()) == 8 * n_players


def test_the_same_throws_come_from_every_seat():
    recorder, rival = Recorder(HonestPlayer()), Recorder(ProbabilityPlayer())
    head_to_head(presets.MIA, recorder, rival, n_deals=20, rng=5)
    firsts = [
        [t.turns[0].hand for t in who.turns if t.phase is CupPhase.CLAIM and len(t.turns) == 1]
        for who in (recorder, rival)
    ]
    assert firsts[0] == firsts[1]
    assert len(set(firsts[0])) > 5


def test_luck_is_that_of_the_turn_and_rises_with_the_hand():
    seeds = np.random.SeedSequence(4).spawn(2)
    luck, again = CupLuck(seeds[0]), CupLuck(np.random.SeedSequence(4).spawn(1)[0])
    assert again.throw(2) == luck.throw(2)
    assert [luck.throw(k) for k in range(3)] == [again.throw(k) for k in range(3)]
    assert luck.try_for_top(0) == again.try_for_top(0) != luck.throw(0)
    assert CupLuck(seeds[1]).throw(0) != luck.throw(0)


def test_throws_are_fair():
    class Caller:
        def act(self, turn, rng):
            return CHALLENGE if turn.phase is CupPhase.ANSWER else turn.actions[0]

    n, counts = 1800, Counter()
    rng = np.random.default_rng(2)
    for _ in range(n):
        played = play_cup_round(CupRound(presets.LIAR_DIE), [Caller(), Caller()], rng=rng)
        counts[played.outcome.hand] += 1
    assert set(counts) == {(face,) for face in range(1, 7)}
    for count in counts.values():  # four standard deviations of a binomial count
        assert abs(count - n / 6) < 4 * (n * 5 / 36) ** 0.5


def test_seeds_and_endings():
    def play(rng):
        return head_to_head(presets.MIA, HonestPlayer(), RandomPlayer(), n_deals=30, rng=rng)

    result = play(1)
    assert result == play(1) == play(np.random.default_rng(1)) != play(2)
    assert set(result.endings) <= set(CupOutcomeKind)
    for kind, count in result.own_calls.items():
        assert 0 < count <= result.endings[kind]
    assert result.to_dict()["seats"][1]["seat"] == 2


# Strategies


@pytest.fixture(scope="module")
def mia():
    return solve(presets.MIA)


@pytest.fixture(scope="module")
def small():
    """Two dice of which any may be kept, solved."""
    return solve(presets.BOX.replace(equipment="dice(2,6)"))


def test_an_equilibrium_against_itself_lies_in_its_bracket(mia, small):
    for solution, n_deals in ((mia, 2000), (small, 400)):
        result = head_to_head(
            solution.rules, solution, solution, n_deals=n_deals, rng=1, confidence=0.99
        )
        low, high = solution.value_bounds
        first, second = result.seats
        assert first.lo <= low <= high <= first.hi
        assert second.lo <= -high <= -low <= second.hi
        assert result.utility.mean == 0.0
        assert first.hi - first.lo < 0.3  # so that it says something


@pytest.mark.parametrize("rival", READY, ids=repr)
def test_an_equilibrium_loses_nothing_to_anybody(mia, small, rival):
    for solution in (mia, small):
        result = head_to_head(solution.rules, solution, rival, n_deals=150, rng=2, confidence=0.999)
        assert result.utility.hi > -solution.exploitability
        assert result.utility.mean > -0.1


def test_a_strategy_is_played_with_its_chances(mia):
    player, turn = CupStrategyPlayer(mia), at(presets.MIA, "thrown 31")
    probs, rng, n = mia.strategy.probs(holding="31"), np.random.default_rng(1), 3000
    counts = Counter(player.act(turn, rng) for _ in range(n))
    for action, p in probs.items():
        assert abs(counts[action] - n * p) <= 4 * (n * p * (1 - p)) ** 0.5 + 1e-9
    assert len(counts) > 3


def test_the_strategy_is_asked_about_what_happened(small, monkeypatch):
    asked = defaultdict(list)
    probs = type(small.strategy).probs

    def ask(self, **situation):
        asked[tuple(k for k, v in situation.items() if v is not None)].append(situation)
        return probs(self, **situation)

    monkeypatch.setattr(type(small.strategy), "probs", ask)
    head_to_head(
        presets.BOX.replace(equipment="dice(2,6)"), small, RandomPlayer(), n_deals=40, rng=1
    )
    assert set(asked) == {
        ("holding",),
        ("offered",),
        ("claim", "holding"),
        ("claim", "passed", "thrown", "holding"),
        ("claim", "passed", "thrown", "offered"),
    }
    n_blind = [s for s in asked["claim", "passed", "thrown", "offered"] if s["thrown"] == 0]
    assert n_blind  # a blind pass of the rival is answered like keeping all


def test_strategies_of_other_games_are_refused(mia):
    with pytest.raises(InputError, match="the strategy is for mia, but the round is box"):
        head_to_head(presets.BOX, mia, HonestPlayer(), n_deals=2, rng=0)
    with pytest.raises(InputError, match="is for two players, but the round is for 3"):
        head_to_head(CupRound(presets.MIA, 3), HonestPlayer(), mia, n_deals=2, rng=0)
    with pytest.raises(InputError, match="cannot be played by a strategy of a cup game"):
        head_to_head(presets.COMMON, mia, HonestPlayer(), dice=(1, 1), n_deals=2, rng=0)
    bidding = solve(presets.COMMON.replace(faces=2), (1, 1), target=1e-1)
    for player in (bidding, bidding.strategy, StrategyPlayer(bidding)):
        with pytest.raises(InputError, match="cannot be played by a strategy of bidding"):
            head_to_head(presets.MIA, player, HonestPlayer(), n_deals=2, rng=0)
    with pytest.raises(InputTypeError, match="takes a CupSolution or CupStrategy, got 'mia'"):
        CupStrategyPlayer("mia")
    part = solve(presets.LIAR_DIE, from_claim="4")
    with pytest.raises(InputError, match="by a strategy for what follows 4 alone"):
        CupStrategyPlayer(part)
    assert repr(CupStrategyPlayer(mia)) == "CupStrategyPlayer(CupStrategy(rules='mia'))"


# Players that fail


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "answered None: an action of a cup game is a Claim, CHALLENGE"),
        ("liar", "answered 'liar': an action of a cup game"),
        (np.zeros(3), "answered array([0., 0., 0.]): an action of a cup game"),
        (CHALLENGE, "in seat 1, after thrown 62 answered liar: challenge refused: player 0 has"),
        (Keep((1, 9)), "answered keep"),
        (Thrown((1, 1)), "an action of a cup game is a Claim"),
        (presets.BOX.claims[3], "answered 65431: claim refused: CL.5"),
    ],
    ids=str,
)
def test_nonsense_is_refused_with_player_seat_and_place(answer, words):
    with pytest.raises(IllegalActionError) as caught:
        play_cup_round(CupRound(presets.MIA), [Scripted(answer), RandomPlayer()], rng=0)
    assert words in str(caught.value)
    assert "Scripted object" in str(caught.value)
    assert "in seat 1, after thrown 62" in str(caught.value)


class Raising:
    def act(self, turn, rng):
        raise ZeroDivisionError("no chips left")

    def __repr__(self):
        raise RuntimeError("not even a name")


def test_a_player_that_raises_is_named():
    with pytest.raises(PlayerError) as caught:
        play_cup_round(CupRound(presets.MIA), [HonestPlayer(), Raising()], rng=0)
    assert str(caught.value) == (
        "a Raising in seat 2, after thrown 62, 62 raised ZeroDivisionError: no chips left"
    )
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(PlayerError) as caught:
        head_to_head(presets.COMMON, Raising(), HonestPlayer(), dice=(2, 1), n_deals=2, rng=1)
    assert str(caught.value).startswith("a Raising in seat 1, holding ")
    assert str(caught.value).endswith("at the start, raised ZeroDivisionError: no chips left")


def test_players_who_never_challenge_come_to_an_end():
    class Endless:
        def act(self, turn, rng):
            return CupMove.ACCEPT if turn.phase is CupPhase.ANSWER else turn.actions[0]

    rules = presets.LIAR_DIE.replace(raise_rule="equal_or_higher")
    with pytest.raises(PlayerError, match="would play for ever"):
        play_cup_round(CupRound(rules), [Endless(), Endless()], rng=0)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((presets.MIA, [RandomPlayer()] * 2), InputTypeError, "a CupRound such as"),
        ((CupRound(presets.MIA), [RandomPlayer()]), InputError, "for 2 players got 1"),
        ((CupRound(presets.MIA), ["me"] * 2), InputTypeError, "has a method act(turn, rng)"),
        ((CupRound(presets.MIA), [HonestPlayer] * 2), InputTypeError, "has a method act"),
    ],
)
def test_bad_arguments(arguments, error, words):
    with pytest.raises(error) as caught:
        play_cup_round(*arguments, rng=0)
    assert words in str(caught.value)


def test_generators_that_cannot_spawn_are_refused():
    class Seedless(np.random.bit_generator.ISeedSequence):
        def generate_state(self, n_words, dtype=np.uint32):
            return np.arange(n_words, dtype=dtype)

    rng = np.random.Generator(np.random.PCG64(Seedless()))
    with pytest.raises(InputError, match="rng must be a generator that can spawn others"):
        head_to_head(presets.MIA, HonestPlayer(), RandomPlayer(), n_deals=2, rng=rng)


def test_a_player_stays_as_they_are(mia):
    player = RandomPlayer()
    assert as_cup_player(player) is player
    assert isinstance(as_cup_player(mia.strategy), CupStrategyPlayer)

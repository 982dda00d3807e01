"""Cup games of three and more players: solved, asked, stored and read back."""

import json
import zlib

import numpy as np
import pytest

from liarsolve import CupTableSolution, compact, load, presets, solve
from liarsolve.errors import (
    GameTooLargeError,
    IllegalActionError,
    InputError,
    InputTypeError,
    StorageError,
)
from liarsolve.rules import CHALLENGE, CupMove
from liarsolve.solvers import CupProfile
from liarsolve.strategy.storage import MANIFEST

SEEN = presets.CLASSIC.replace(equipment="dice(2,3)")


@pytest.fixture(scope="module")
def mia():
    return solve(presets.MIA, players=3, target=1e-4)


@pytest.fixture(scope="module")
def seen():
    return solve(SEEN, players=3, target=1e-2)


def test_mia_of_three_is_solved_for_every_seat(mia):
    assert isinstance(mia, CupTableSolution)
    assert (mia.n_players, mia.n_states, len(mia.values)) == (3, 20 + 1, 3)
    assert sum(mia.values) == pytest.approx(0.0, abs=1e-12)
    assert mia.nash_conv <= 1e-4
    assert mia.nash_conv == pytest.approx(
        sum(best - value for best, value in zip(mia.br_values, mia.values, strict=True))
    )
    assert "several equilibria" in mia.approximations[-1]


@pytest.mark.parametrize("claim", [None, "31", "65", "55"])
def test_what_is_advised_adds_up(mia, claim):
    strategy = mia.strategy
    total = 0.0
    for hand, weight in zip(
        presets.MIA.equipment.hands, presets.MIA.equipment.weights, strict=True
    ):
        advice = strategy.advise(holding=hand, claim=claim)
        assert sum(a.probability for a in advice) == pytest.approx(1.0)
        assert all(-1.0 <= a.expected_value <= 0.5 for a in advice)
        total += weight / 36 * sum(a.probability * a.expected_value for a in advice)
        for a in advice:  # the loser pays 1 and the two others get a half
            assert a.expected_value == pytest.approx(0.5 - 1.5 * a.loss_probability)
    state = -1 if claim is None else presets.MIA.claims.index(presets.MIA.parse_claim(claim))
    assert total == pytest.approx(mia.result.places[state, 0], abs=1e-12)
    legal = mia.result.tables.followers[state]
    offers = [presets.MIA.claims[claim_id] for claim_id in legal]
    made = sum(strategy.offer_frequency(offer, claim=claim) for offer in offers)
    assert made == pytest.approx(1.0)


def test_what_must_be_done_is_done(mia):
    strategy = mia.strategy
    assert strategy.probs(offered="21") == {CHALLENGE: 1.0}
    assert strategy.probs(offered="31") == {CupMove.ACCEPT: 1.0, CHALLENGE: 0.0}
    assert strategy.p_true("31") == 1.0
    assert strategy.sample(offered="21", rng=1) is CHALLENGE
    assert repr(strategy) == "CupTableStrategy(rules='mia', players=3)"


@pytest.mark.parametrize(
    ("keywords", "error", "sentence"),
    [
        ({"offered": 61}, InputTypeError, "offered is a claim as text, such as '21', or a Claim"),
        ({"holding": 7}, InputTypeError, "hand is a hand as text or faces, such as '21', got 7"),
        ({}, InputError, "say either hand, the hand you see, or offered, the claim you must"),
        (
            {"offered": "43", "claim": "51"},
            IllegalActionError,
            "higher than the last one; got 43 on 51",
        ),
        (
            {"holding": "43", "claim": "21"},
            IllegalActionError,
            "accept refused: BX.8 the highest claim, 21, has to be challenged",
        ),
    ],
)
def test_nonsense_gets_a_sentence(mia, keywords, error, sentence):
    with pytest.raises(error, match=sentence):
        mia.strategy.probs(**keywords)


def test_a_seed_below_zero_is_refused(mia):
    with pytest.raises(InputError, match="a seed of 0 or more, got -1"):
        mia.strategy.sample(offered="43", rng=-1)


def test_small_games_that_look_go_to_cfr(seen):
    assert isinstance(seen.strategy, CupProfile)
    assert seen.nash_conv <= 1e-2
    assert seen.to_dict()["memory"] == {"since_held": True, "n_claims": None, "n_moves": None}


@pytest.mark.parametrize("name", ["mia", "seen"])
def test_what_is_saved_is_read_back(name, request, tmp_path):
    solution = request.getfixturevalue(name)
    solution.save(tmp_path / name)
    again = load(tmp_path / name)
    assert isinstance(again, CupTableSolution)
    assert again.to_dict() == solution.to_dict()
    arrays = [
        s.result.claim_probs if s.is_unseen else s.result.strategy.action_probs
        for s in (solution, again)
    ]
    assert arrays[0].tobytes() == np.asarray(arrays[1]).tobytes()
    with pytest.raises(StorageError, match="exists already"):
        solution.save(tmp_path / name)


@pytest.mark.parametrize(
    ("key", "value"),
    [("players", 4), ("rules", {}), ("stop", "never"), ("values", [0.0]), ("nodes", 3)],
)
def test_a_damaged_manifest_is_said_to_be(seen, tmp_path, key, value):
    seen.save(tmp_path / "seen")
    path = tmp_path / "seen" / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))
    with pytest.raises(StorageError, match="damaged"):
        load(tmp_path / "seen")


def test_probabilities_that_are_none_are_refused(mia, tmp_path):
    mia.save(tmp_path / "mia")
    path = tmp_path / "mia" / MANIFEST
    manifest = json.loads(path.read_text())
    accept = np.full_like(mia.result.accept, 2.0)
    np.save(tmp_path / "mia" / "accept.npy", accept)
    manifest["arrays"]["accept"]["crc32"] = zlib.crc32(accept.data)
    manifest["crc32"] = None
    path.write_text(json.dumps(manifest))
    with pytest.raises(StorageError, match="are not probabilities"):
        load(tmp_path / "mia")


def test_every_solution_of_a_cup_game_has_the_same_fields(mia, seen):
    two = solve(presets.LIAR_DIE.replace(faces=2)).to_dict()
    assert set(mia.to_dict()) == set(seen.to_dict()) == set(two)


@pytest.mark.parametrize(
    ("rules", "arguments", "error", "sentence"),
    [
        (presets.CLASSIC, {"players": 3}, GameTooLargeError, "more than 200,000 nodes, since not"),
        (
            presets.MIA.replace(equipment="dice(2,300)"),
            {},
            GameTooLargeError,
            "2 dice with 300 faces make 45,150 hands, and up to 4,000 can be solved; take fewer",
        ),
        (
            presets.MIA.replace(equipment="dice(2,300)"),
            {"players": 3},
            GameTooLargeError,
            "make 45,150 hands",
        ),
        (
            presets.CLASSIC.replace(top_throws=1_000_000),
            {},
            GameTooLargeError,
            "top_throws=1000000 is more than can be computed in fractions; up to 1,000 throws can",
        ),
        (presets.MIA, {"players": 3, "from_claim": "43"}, InputError, "leave out from_claim"),
    ],
)
def test_what_is_too_large_is_refused_at_once(rules, arguments, error, sentence):
    with pytest.raises(error, match=sentence):
        solve(rules, **arguments)


def test_compact_takes_bidding_alone(mia):
    for solution in (mia, solve(presets.LIAR_DIE.replace(faces=2))):
        with pytest.raises(
            InputTypeError, match="solution is what solve returns for a round of bidding"
        ):
            compact(solution)

"""Strategies of players to whom some hands are alike: asked, stored by class and read back."""

import json
import zlib

import numpy as np
import pytest

from liarsolve import MaxJump, Recall, SimilarHands, compact, load, presets, solve
from liarsolve.errors import StorageError
from liarsolve.game import group_hands

ALIKE = Recall(2) & MaxJump(4) & SimilarHands(1)
SOLVED = solve(
    presets.COMMON.replace(faces=4), (3, 2), abstraction=ALIKE, target=0, max_iterations=40
)


def test_hands_that_are_alike_are_played_alike():
    probs = SOLVED.strategy.probs
    # One die of each kind shows 2 or 3, the faces of the standing and of the next bid.
    assert probs((1, 2, 3), ["1x1", "1x2"]) == probs((2, 3, 4), ["1x1", "1x2"])
    assert probs((1, 2, 3), []) != probs((2, 3, 4), [])


def test_solution_says_what_it_rests_on():
    assert SOLVED.rests_on == (
        "recall 2, jumps of up to 4, hands by the next 1: strategies of players who forget all "
        "other bids, think of no higher raises and tell hands apart by these bids alone, which "
        f"lose {SOLVED.exploitability:.3g} a round to a best response that forgets nothing, makes "
        "any bid and sees all its dice, measured in the true game"
    )
    assert SOLVED.to_dict()["similar_hands"] == 1


def test_saved_by_class_and_loaded_it_is_the_same(tmp_path):
    SOLVED.save(tmp_path / "alike")
    loaded = load(tmp_path / "alike")
    assert loaded.to_dict() == SOLVED.to_dict()
    assert loaded.abstraction == ALIKE
    pairs = zip(loaded.result.strategy, SOLVED.result.strategy, strict=True)
    for player, (policy, same) in enumerate(pairs):
        assert policy.dtype == same.dtype
        assert np.array_equal(policy, same)
        stored = np.load(tmp_path / "alike" / f"policy_{player}.npy")
        assert stored.ndim == 1
        assert 0 < stored.size < 0.7 * policy.size
    asked = ((1, 2, 3), ["1x1", "2x3"])
    assert loaded.strategy.advise(*asked) == SOLVED.strategy.advise(*asked)


def test_a_compact_copy_keeps_classes(tmp_path):
    copy = compact(SOLVED, bits=16)
    copy.save(tmp_path / "small")
    loaded = load(tmp_path / "small")
    assert loaded.result.strategy[0].dtype == np.uint16
    assert loaded.exploitability == pytest.approx(SOLVED.exploitability, abs=2e-3)
    tree, classes = copy.result.tree, group_hands(copy.result.tree.every_raise.graph, ALIKE)
    again = classes.spread(tree, classes.gather(tree, copy.result.strategy))
    for policy, same in zip(again, loaded.result.strategy, strict=True):
        assert np.array_equal(policy, same)


def test_whoever_does_not_forget_may_merge_hands():
    rules = presets.COMMON.replace(faces=3)
    alone = solve(rules, (2, 1), abstraction=SimilarHands(1), target=0, max_iterations=40)
    assert alone.rests_on.startswith(
        "hands by the next 1: strategies of players who tell hands apart by these bids alone, "
    )
    assert alone.to_dict()["recall"] is None


def test_a_table_may_merge_hands():
    rules = presets.COMMON.replace(faces=2)
    table = solve(rules, (2, 1, 1), abstraction=ALIKE, max_iterations=20)
    assert table.nash_conv > 0.0
    assert "hands by the next 1" in table.rests_on


# --- damaged folders --------------------------------------------------------------------------


def rewrite(folder, name, change):
    """Change an array and what the manifest says of it, as no accident would."""
    path = folder / f"{name}.npy"
    array = np.ascontiguousarray(change(np.load(path)))
    np.save(path, array)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["arrays"][name] |= {"crc32": zlib.crc32(array.data), "shape": list(array.shape)}
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_entries_that_are_missing_are_found(tmp_path):
    SOLVED.save(tmp_path / "alike")
    rewrite(tmp_path / "alike", "policy_0", lambda row: row[:-1])
    with pytest.raises(StorageError, match=r"policy_0 should have \d+ entries, got \d+"):
        load(tmp_path / "alike")


@pytest.mark.parametrize("verify", [True, False])
def test_states_out_of_order_are_found(tmp_path, verify):
    SOLVED.save(tmp_path / "alike")
    rewrite(tmp_path / "alike", "node", lambda node: node[::-1])
    with pytest.raises(StorageError, match="is damaged"):
        load(tmp_path / "alike", verify=verify)


def test_another_number_of_bids_is_found(tmp_path):
    SOLVED.save(tmp_path / "alike")
    path = tmp_path / "alike" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"similar_hands": 2}))
    with pytest.raises(StorageError, match=r"policy_0 should have \d+ entries"):
        load(tmp_path / "alike")

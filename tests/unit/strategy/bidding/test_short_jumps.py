"""Strategies of players who do not jump far: asked after any history, stored and read back."""

import json
from itertools import pairwise

import numpy as np
import pytest

from liarsolve import MaxJump, Recall, compact, load, presets, solve
from liarsolve.errors import IllegalActionError, StorageError
from liarsolve.game import check_tree
from liarsolve.rules import CHALLENGE, Bid

RULES = presets.LIARS_DICE.replace(faces=3)
SHORT = solve(
    RULES, (2, 1), abstraction=Recall(2) & MaxJump(3), target=0, max_iterations=60, n_threads=1
)
ROUNDING = 1e-6
"""Policies are stored in float32."""


def histories(round_, most_bids=3):
    waiting = [()]
    for history in waiting:
        yield history
        if len(history) < most_bids:
            actions = round_.legal_actions(round_.state_after(history))
            waiting += [(*history, a) for a in actions if isinstance(a, Bid)]


def test_every_history_can_be_asked():
    strategy, round_ = SHORT.strategy, SHORT.strategy.tree.graph.round
    for history in histories(round_):
        hand = (1, 2) if len(history) % 2 == 0 else (3,)
        probs = strategy.probs(hand, history)
        assert tuple(probs) == round_.legal_actions(round_.state_after(history))
        assert sum(probs.values()) == pytest.approx(1.0, abs=ROUNDING)
        raises = [probs[action] for action in probs if isinstance(action, Bid)]
        assert not history or not any(raises[3:])
        assert probs[strategy.sample(hand, history, rng=len(history))] > 0.0


def test_what_breaks_the_rules_is_refused():
    with pytest.raises(IllegalActionError, match="action 2, 1x2"):
        SHORT.strategy.probs((1, 2), ["1x3", "1x2"])


def test_a_far_jump_is_answered_as_a_near_one():
    probs = SHORT.strategy.probs
    assert probs((2, 3), ["1x2", "3x2"]) == probs((2, 3), ["2x2", "3x2"])


def test_advice_has_the_value_of_raises_that_nobody_makes():
    """It is what the raise brings if all go on by the strategies: here by every deal."""
    strategy = SHORT.strategy
    for hand, history in (((1, 2), ()), ((2,), ("1x2",)), ((1, 3), ("1x2", "1x3"))):
        player = len(history) % 2
        for advice in strategy.advise(hand, history):
            if isinstance(advice.action, Bid):
                after = (*history, advice.action)
                expected = value_by_deals(strategy, player, hand, history, after)
                assert advice.expected_value == pytest.approx(expected, abs=ROUNDING)
    far = [a for a in strategy.advise((2,), ["1x2"]) if a.action == Bid(3, 3)]
    assert far[0].probability == 0.0


def value_by_deals(strategy, player, hand, history, after):
    round_, total, weight = strategy.tree.graph.round, 0.0, 0.0
    rival = strategy.tree.graph.hands[1 - player]
    for other, prob in zip(rival, strategy.tree.graph.hand_probs[1 - player], strict=True):
        hands = (hand, other) if player == 0 else (other, hand)
        chance = prob
        for n in range(1 - player, len(history), 2):
            made = round_.state_after(history[: n + 1]).last_bid
            chance *= strategy.probs(other, history[:n])[made]
        weight += chance
        if chance:
            total += chance * play_out(strategy, hands, after)[player]
    return total / weight


def play_out(strategy, hands, history):
    round_ = strategy.tree.graph.round
    state = round_.state_after(history)
    if state.is_terminal:
        winner = round_.showdown(state, hands).winner
        return np.array([1.0, -1.0]) * (1 if winner == 0 else -1)
    value = np.zeros(2)
    for action, p in strategy.probs(hands[round_.to_act(state)], history).items():
        if p:
            value += p * play_out(strategy, hands, (*history, action))
    return value


def test_solution_says_what_it_rests_on():
    assert SHORT.rests_on == (
        "recall 2, jumps of up to 3: strategies of players who forget all other bids and think of "
        f"no higher raises, which lose {SHORT.exploitability:.3g} a round to a best response that "
        "forgets nothing and makes any bid, measured in the true game"
    )
    assert "abstraction=Recall(2) & MaxJump(3)" in repr(SHORT)
    assert (SHORT.to_dict()["recall"], SHORT.to_dict()["max_jump"]) == (2, 3)


def test_farther_jumps_cost_less():
    measures = [
        solve(RULES, (1, 1), abstraction=MaxJump(j), target=0, max_iterations=200).exploitability
        for j in (1, 3, 6)
    ]
    assert all(more > less for more, less in pairwise(measures))


def test_saved_and_loaded_it_is_the_same(tmp_path):
    SHORT.save(tmp_path / "short")
    loaded = load(tmp_path / "short")
    assert loaded.to_dict() == SHORT.to_dict()
    assert (loaded.abstraction, loaded.rests_on) == (Recall(2) & MaxJump(3), SHORT.rests_on)
    check_tree(loaded.result.tree)
    for asked in (((1, 3), ["1x2", "1x3"]), ((1, 3), ["1x2", "3x2"]), ((2,), ["3x2"])):
        assert loaded.strategy.advise(*asked) == SHORT.strategy.advise(*asked)


def test_a_compact_copy_is_measured_against_any_bid():
    copy = compact(SHORT, bits=16)
    assert copy.abstraction == SHORT.abstraction
    assert copy.exploitability == pytest.approx(SHORT.exploitability, abs=2e-3)
    assert copy.strategy.probs((2,), ["1x2"])[CHALLENGE] < 1.0


# --- damaged folders --------------------------------------------------------------------------


def damaged(tmp_path, **entries):
    SHORT.save(tmp_path / "short")
    path = tmp_path / "short" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"crc32": None} | entries))
    return tmp_path / "short"


@pytest.mark.parametrize("max_jump", [2, 4, None])
def test_a_cap_that_is_not_that_of_the_tree_is_found(tmp_path, max_jump):
    with pytest.raises(StorageError, match="is damaged"):
        load(damaged(tmp_path, max_jump=max_jump))


def test_a_cap_below_one_is_found(tmp_path):
    with pytest.raises(StorageError, match=r"damaged manifest: .* 1 or more, got 0"):
        load(damaged(tmp_path, max_jump=0))


def test_missing_readings_are_found(tmp_path):
    folder = damaged(tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text()) | {"crc32": None}
    del manifest["arrays"]["legal_children_1"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(StorageError, match=r"legal_children_1\.npy is not in its manifest"):
        load(folder)


def rewrite(folder, name, change):
    """Change an array and its checksum, as no accident would."""
    import zlib

    path = folder / f"{name}.npy"
    array = np.load(path)
    change(array)
    np.save(path, array)
    manifest = json.loads((folder / "manifest.json").read_text()) | {"crc32": None}
    manifest["arrays"][name]["crc32"] = zlib.crc32(array.data)
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_readings_that_contradict_the_tree_are_found(tmp_path):
    folder = damaged(tmp_path)

    def swap(below):
        """Another state at the same node: the rules lead there, the tree does not."""
        tree = SHORT.result.tree
        first = tree.legal.first_edge[tree.graph.player[tree.node] == 0]
        edge = next(e for e in first[1:] if np.sum(tree.node == tree.node[below[e]]) > 1)
        alike = np.flatnonzero(tree.node == tree.node[below[edge]])
        below[edge] = alike[alike != below[edge]][0]

    rewrite(folder, "legal_children_0", swap)
    with pytest.raises(StorageError, match="leads elsewhere than among all that are legal"):
        load(folder)
    rewrite(folder, "legal_children_0", lambda below: below.fill(10**6))
    with pytest.raises(StorageError, match=r"children in a tree must lie in -1\.\."):
        load(folder)

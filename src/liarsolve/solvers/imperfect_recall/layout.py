"""Merged states and joint hands of a round, as the kernels take them."""

import math
from collections.abc import Sequence

import numpy as np

from liarsolve._typing import F8, I8, Real
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, Payoffs, PublicTree
from liarsolve.solvers.core.variants import CFRVariant
from liarsolve.solvers.imperfect_recall import _cfr_records as records
from liarsolve.solvers.imperfect_recall._value_kernels import Profile
from liarsolve.solvers.two_player.traversals import read_only

_MOST_PLAYERS = 6
LEAST_DRAWN = 16
"""Joint hands that the first passes draw, and all passes of large rounds where memory is short."""


def check_options(variant: CFRVariant, n_drawn: int | None) -> None:
    """Raise `InputError` if merged states cannot be solved so.

    Examples
    --------
    >>> from liarsolve.solvers.core.variants import DISCOUNTED_CFR
    >>> check_options(DISCOUNTED_CFR, 0)
    Traceback (most recent call last):
    liarsolve.errors.InputError: a pass draws a hand or more, got n_drawn=0
    """
    if variant.is_predictive:
        raise InputError(
            f"{variant.name} cannot be used with an abstraction; choose another variant, such "
            "as discounted"
        )
    if n_drawn is not None and n_drawn < 1:
        raise InputError(f"a pass draws a hand or more, got n_drawn={n_drawn}")


def make_states(tree: PublicTree, payoffs: Payoffs) -> records.States:
    """Merged states with the edges and entries of all players in one row."""
    graph = tree.graph
    mover = graph.player[tree.node]
    n_hands = np.array(graph.n_hands)
    n_edges = np.array([children.size for children in tree.children])
    edge_start, entry_start = _starts(n_edges), _starts(n_edges * n_hands)
    return records.States(
        node=read_only(tree.node),
        first_edge=edge_start[mover] + tree.first_edge,
        first_entry=entry_start[mover] + tree.first_edge * n_hands[mover],
        children=np.concatenate(tree.children),
        player=graph.player,
        quantity=graph.quantity,
        match_class=graph.match_class,
        action_start=graph.action_start,
        action_kind=graph.action_kind,
        payoff=payoffs.table(graph.n_players),
    )


def find_twins(states: records.States) -> records.Twins:
    """Groups of states from which every action leads to the same one.

    With imperfect recall there are many: after the next bid nobody remembers what told them apart.
    """
    node, first_edge, children = states.node, states.first_edge, states.children
    order = np.argsort(first_edge)
    last_child = np.empty(node.size, np.int64)
    last_child[order] = np.maximum.reduceat(children, first_edge[order])
    key = node * np.int64(node.size + 1) + last_child + 1
    state = np.argsort(key, kind="stable").astype(np.int32)
    is_first = np.diff(key[state], prepend=-1) != 0
    first = np.flatnonzero(is_first)
    # Merged states that share one child share all of them; not so where some were told apart again.
    n_actions = np.diff(states.action_start)[node[state]]
    offset = np.arange(children.size) - np.repeat(_starts(n_actions), n_actions)
    edges, same_edges = (
        np.repeat(first_edge[twins], n_actions) + offset
        for twins in (state, state[first][np.cumsum(is_first) - 1])
    )
    if not np.array_equal(children[edges], children[same_edges]):
        key = _number_rows(states)
        state = np.argsort(key, kind="stable").astype(np.int32)
        first = np.flatnonzero(np.diff(key[state], prepend=-1))
    group_done = np.full(node.size, -1, np.int32)
    first = np.append(first, node.size)
    group_done[state[first[1:] - 1]] = np.arange(first.size - 1)
    return records.Twins(state, first, group_done)


def _number_rows(states: records.States) -> I8:
    """The same number for states of a node whose actions all lead to the same states, int64[S]."""
    n_states = states.node.size
    n_actions = np.diff(states.action_start)[states.node]
    key = states.node.astype(np.int64)
    for k in range(int(n_actions.max())):
        own = np.flatnonzero(n_actions > k)
        pairs = key[own] * (n_states + 1) + states.children[states.first_edge[own] + k] + 1
        key[own] = n_states + np.unique(pairs, return_inverse=True)[1]
        key = np.unique(key, return_inverse=True)[1].astype(np.int64)
    return key


def split_entries(tree: PublicTree, entries: Real) -> tuple[Real, ...]:
    """Entries of all players in one row, as views float[E, H] of each."""
    shapes = [(c.size, n) for c, n in zip(tree.children, tree.graph.n_hands, strict=True)]
    starts = _starts(np.array([math.prod(shape) for shape in shapes]))
    return tuple(
        entries[start : start + math.prod(shape)].reshape(shape)
        for start, shape in zip(starts, shapes, strict=True)
    )


def make_profile(tree: PublicTree, strategy: Sequence[Real]) -> Profile:
    """Strategies as they are stored, without a copy."""
    weights = [read_only(policy) for policy in strategy]
    nothing = read_only(weights[0][:0])
    n_edges = np.array([children.size for children in tree.children])
    return Profile(
        weights=(*weights, *[nothing] * (_MOST_PLAYERS - len(weights))),
        edge_start=_starts(n_edges),
    )


def make_others(graph: BidGraph, player: int, joint_hands: I8) -> records.Others:
    """Joint hands of all players but one.

    joint_hands : int64[P, M], hand of each player in each; the row of ``player`` is not used. Hands
        from ``graph.n_hands`` on are the same ones again, of a player who goes by the odds.
    """
    n_players, n_joint = joint_hands.shape
    found = [
        np.unique(joint_hands[other] if other != player else np.zeros(0, np.int64))
        for other in range(n_players)
    ]
    hands = np.zeros((n_players, max(ids.size for ids in found)), np.int64)
    place = np.zeros((n_players, n_joint), np.int64)
    matches = np.zeros((graph.matches[0].shape[0], n_joint), np.int64)
    by_odds = np.zeros(hands.shape, np.uint8)
    for other, ids in enumerate(found):
        if other != player:
            by_odds[other, : ids.size], hands[other, : ids.size] = np.divmod(
                ids, graph.n_hands[other]
            )
            place[other] = np.searchsorted(ids, joint_hands[other])
            matches += graph.matches[other][:, joint_hands[other] % graph.n_hands[other]]
    return records.Others(hands, np.array([ids.size for ids in found]), place, matches, by_odds)


def all_joint_hands(hand_probs: Sequence[F8], player: int) -> tuple[I8, F8]:
    """Every joint hand of the players but one, int64[P, M], and its chance."""
    others = [other for other in range(len(hand_probs)) if other != player]
    n_hands = [hand_probs[other].size for other in others]
    ids = np.indices(n_hands).reshape(len(others), -1)
    chances = np.ones(ids.shape[1])
    joint_hands = np.zeros((len(hand_probs), ids.shape[1]), np.int64)
    for other, row in zip(others, ids, strict=True):
        joint_hands[other] = row
        chances *= hand_probs[other][row]
    return joint_hands, chances


def draw_joint_hands(
    hand_probs: Sequence[F8], player: int, n_draws: int, rng: np.random.Generator
) -> tuple[I8, F8]:
    """Joint hands of the players but one, int64[P, M], and the weight of each.

    Of every player hands are drawn at equal distances of probability, from a random point on; the
    hands of the others are then put together in random order. So on average the weight of a joint
    hand is its chance, and of each player alone hands come as evenly as they can. What is drawn
    twice comes once with twice the weight.

    Examples
    --------
    >>> probs = [np.array([0.25, 0.5, 0.25])] * 3
    >>> hands, weights = draw_joint_hands(probs, 0, 4, np.random.default_rng(1))
    >>> sorted(np.repeat(hands[2], (4 * weights).astype(int)).tolist())
    [0, 1, 1, 2]
    """
    others = [other for other in range(len(hand_probs)) if other != player]
    points = rng.random(len(others))
    drawn = np.zeros((len(hand_probs), n_draws), np.int64)
    for other, point in zip(others, points, strict=True):
        probs = hand_probs[other]
        places = (np.arange(n_draws) + point) / n_draws
        ids = np.searchsorted(np.cumsum(probs), places, side="right")
        ids = np.minimum(ids, probs.size - 1)
        drawn[other] = ids if other == others[0] else rng.permutation(ids)
    joint_hands, counts = np.unique(drawn, axis=1, return_counts=True)
    return joint_hands, counts / n_draws


def meet_joint_hands(
    hand_probs: Sequence[F8], player: int, n_drawn: int | None, iteration: int, seed: int
) -> tuple[I8, F8]:
    """Joint hands of the players but one that a pass meets, and the weight of each.

    They are all if ``n_drawn`` is None. Otherwise so many are drawn, or in the first passes twice
    as many as the iteration, for what these add will soon count little; where all are no more, all
    are met.
    """
    if n_drawn is None:
        return all_joint_hands(hand_probs, player)
    n_joint = math.prod(probs.size for probs in hand_probs) // hand_probs[player].size
    n_draws = min(n_drawn, max(LEAST_DRAWN, 2 * iteration))
    if n_draws >= n_joint:
        return all_joint_hands(hand_probs, player)
    rng = np.random.default_rng((seed, iteration, player))
    return draw_joint_hands(hand_probs, player, n_draws, rng)


def _starts(sizes: I8) -> I8:
    starts: I8 = np.cumsum(sizes) - sizes
    return starts

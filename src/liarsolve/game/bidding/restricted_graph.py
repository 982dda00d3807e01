"""Bid graphs with fewer raises: the same nodes, and what players do not think of left out."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from liarsolve._typing import I8
from liarsolve.errors import InputError
from liarsolve.game.bidding.graph import ActionKind, BidGraph


def restrict_raises(graph: BidGraph, max_jump: int | Sequence[int | None] | None) -> BidGraph:
    """Leave every node its first raises and its calls.

    Legal raises are counted at the node itself, so that this means the same under every order of
    bids. The opening bid is free.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    max_jump : int, None or a sequence of these
        Raises that a node keeps, None for all; or this for each player, as where one of them
        responds to the others as they like.

    Returns
    -------
    BidGraph
        ``graph`` itself if nothing is left out.

    Raises
    ------
    InputError
        If there are not as many numbers as players.

    Examples
    --------
    >>> from liarsolve.game import compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    >>> [str(action) for action in graph.actions(1)]
    ['1x2', '2x1', '2x2', 'liar']
    >>> [str(action) for action in restrict_raises(graph, 1).actions(1)]
    ['1x2', 'liar']
    """
    n_players = graph.n_players
    by_player = max_jump if isinstance(max_jump, Sequence) else [max_jump] * n_players
    if len(by_player) != n_players:
        raise InputError(
            f"max_jump is one number, or one for each of {n_players} players, got "
            f"{len(by_player)} numbers"
        )
    most = np.array([graph.action_kind.size if n is None else n for n in by_player])
    n_actions = np.diff(graph.action_start)
    node = np.repeat(np.arange(graph.n_nodes), n_actions)
    place = np.arange(node.size) - graph.action_start[node]  # raises come before calls
    is_kept = (graph.action_kind != ActionKind.RAISE) | (place < most[graph.player[node]])
    is_kept |= node == 0
    if is_kept.all():
        return graph
    n_kept = np.bincount(node[is_kept], minlength=graph.n_nodes)
    return replace(
        graph,
        action_start=_read_only(np.concatenate([[0], np.cumsum(n_kept)])),
        action_kind=_read_only(graph.action_kind[is_kept]),
        action_target=_read_only(graph.action_target[is_kept]),
    )


def action_places(part: BidGraph, whole: BidGraph) -> I8:
    """Place at its node of ``whole`` of every action of ``part``, a restriction of it, int64[A].

    Examples
    --------
    >>> from liarsolve.game import compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1)))
    >>> part = restrict_raises(graph, 1)
    >>> action_places(part, graph)[part.action_start[1] : part.action_start[2]].tolist()
    [0, 3]
    """

    def keys(graph: BidGraph) -> tuple[I8, I8]:
        node = np.repeat(np.arange(graph.n_nodes), np.diff(graph.action_start))
        what = 3 * (graph.action_target + 1) + graph.action_kind
        return node, node * 3 * (graph.n_nodes + 1) + what

    node, key = keys(whole)
    _, wanted = keys(part)
    found = np.flatnonzero(np.isin(key, wanted))
    places: I8 = found - whole.action_start[node[found]]
    return places


def _read_only(array: I8) -> I8:
    array = np.ascontiguousarray(array, np.int64)
    array.flags.writeable = False
    return array

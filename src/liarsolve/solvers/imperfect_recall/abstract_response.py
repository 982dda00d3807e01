"""Good replies to a fixed strategy with imperfect recall, and what they are worth exactly."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from liarsolve._typing import F4, F8, I2, I4, I8
from liarsolve.errors import InputError
from liarsolve.game import (
    NO_STATE,
    ActionKind,
    BidGraph,
    PublicTree,
    Recall,
    StrategyProfile,
    merge_states,
    mix_trees,
)
from liarsolve.game.bidding.merged_states import number_edges
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.imperfect_recall import _response_kernels as kernels
from liarsolve.solvers.imperfect_recall import _response_records as records
from liarsolve.solvers.imperfect_recall.pieces import PIECE, HaltedError, is_run
from liarsolve.solvers.two_player.traversals import read_only

_ROUNDS = 3
"""Times that a reply is found to the beliefs that the last one leaves."""
_FIRST_MASS, _LAST_MASS = 0.1, 1e-9
"""Chance of a sequence of bids that gets a state of its own: from the first on as small as there is
room for."""
_REFINING_ROUNDS = 2
"""The same where states are added to those for which a reply was found."""
_EXPLORE = 0.3
"""How often beliefs take the responder to do something else than they last chose, so that they know
what to do wherever they may come."""


@dataclass(frozen=True, eq=False, repr=False)
class AbstractResponse:
    """What one player does at merged states against the fixed strategy of the other.

    Any such policy may be played in the true game, so what it earns there is a lower bound of what
    a best response earns, however it was found.
    """

    player: int
    """The responder."""
    tree: PublicTree
    """The states that they tell apart."""
    fixed: records.Fixed
    """The same as arrays, with the opponent's strategy."""
    choice: I2
    """Their action by its place at the node, int16[S, H]."""
    value: F4
    """What they expect from each state on, by beliefs that may be wrong, float32[S, H]."""
    raise_value: F4
    """The same if they raise, float32[S, H]."""

    def evaluate(self, *, threshold: float = 0.0, n_threads: int = 1, halt: Halt = NEVER) -> F8:
        """Utility of the policy in the true game for each of the responder's hands, float64[H].

        Parameters
        ----------
        threshold : float
            Where the opponent comes with no more than this the round counts as lost, so that the
            value can only become less.
        n_threads : int
            The result does not depend on it.
        halt : Halt
            What ends it before.

        Raises
        ------
        HaltedError
            If that does.
        """
        n_states, n_hands = self.choice.shape
        out = np.zeros(n_hands)
        n_opp = self.fixed.opp_probs.size
        responder = records.Responder(self.player, self.choice, _EXPLORE)

        def evaluate(thread: int) -> None:
            scratch = records.ReachScratch(
                reach=np.empty((n_states, n_opp)),
                is_reached=np.empty(n_states, np.uint8),
                policy=np.empty((_most_actions(self.tree.graph) + 1, n_opp)),
            )
            for hand in range(thread, n_hands, n_threads):
                value = out[hand : hand + 1]

                def go_on(start: int, n_work: int, hand: int = hand, value: F8 = value) -> int:
                    return kernels.evaluate_choices(
                        self.fixed, responder, hand, threshold, scratch, value, start, n_work
                    )

                _run(go_on, 0, n_states, halt)

        with ThreadPoolExecutor(n_threads) as pool:
            list(pool.map(evaluate, range(n_threads)))
        return out

    def __repr__(self) -> str:
        return f"AbstractResponse(player={self.player}, tree={self.tree!r})"


def find_response(
    profile: StrategyProfile,
    player: int,
    *,
    recall: int | None = None,
    halt: Halt = NEVER,
) -> AbstractResponse:
    """Find a good reply to the strategy of the other player, on merged states.

    Backward induction over the merged states, by what the responder believes about the opponent's
    hand there. The beliefs are those of the histories that their last reply takes, of every hand
    alike, so the reply is a guess; but if they remember all there is one history to each state,
    and it is a best response.

    Parameters
    ----------
    profile : StrategyProfile
        Written on merged states; of the responder's own strategy nothing is used.
    player : int
        The responder.
    recall : int, optional
        Bids that the responder remembers, no fewer than the strategy; as many if not given.
    halt : Halt
        What ends the search before there is a reply.

    Raises
    ------
    HaltedError
        If it does.
    InputError
        If there are more than two players, or the responder remembers less than the strategy.

    Examples
    --------
    >>> from liarsolve.game import StrategyProfile, compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> from liarsolve.solvers import AbstractionCFR, certify
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
    >>> solver = AbstractionCFR(merge_states(graph, Recall(1)))
    >>> solver.step()
    >>> profile = StrategyProfile(*solver.average_strategy())
    >>> response = find_response(profile, 0, recall=6)  # that is all bids there are
    >>> value = float(graph.hand_probs[0] @ response.evaluate())
    >>> abs(value - certify(profile).br_values[0]) < 1e-6
    True
    """
    fixed, states = fix_opponent(profile, player, recall=recall)
    _refuse_to_lack_states(states)
    choice = np.full((states.n_states, states.graph.n_hands[player]), -1, np.int16)
    return _respond(fixed, states, records.Responder(player, choice, _EXPLORE), _ROUNDS, halt)


def _respond(
    fixed: records.Fixed,
    states: PublicTree,
    responder: records.Responder,
    n_rounds: int,
    halt: Halt,
) -> AbstractResponse:
    """Reply to the beliefs that the choices leave, some times in turn.

    responder : ``choice`` is modified in place; -1 for all actions alike
    """
    graph, n_states, player = states.graph, states.n_states, responder.player
    n_own, n_opp = graph.n_hands[player], graph.n_hands[1 - player]
    values = records.Values(
        round=np.empty((n_states, n_own), np.float32),
        after_raise=np.empty((n_states, n_own), np.float32),
    )
    # The table of values is not needed yet, so the chances of the own hands may lie there.
    beliefs = records.Beliefs(opp=np.empty((n_states, n_opp), np.float32), own=values.round)
    scratch = _make_scratch(graph, player)

    def believe(start: int, n_work: int) -> int:
        return kernels.believe_down(fixed, responder, beliefs, scratch, start, n_work)

    def respond(start: int, n_work: int) -> int:
        return kernels.respond_up(fixed, responder, beliefs, values, scratch, start, n_work)

    for _ in range(n_rounds):
        beliefs.own[:] = beliefs.opp[:] = 0.0
        beliefs.own[0], beliefs.opp[0] = graph.hand_probs[player], graph.hand_probs[1 - player]
        _run(believe, 0, n_states, halt)
        _run(respond, n_states, 0, halt)
    return AbstractResponse(
        player, states, fixed, responder.choice, values.round, values.after_raise
    )


def _make_scratch(graph: BidGraph, player: int) -> records.ReplyScratch:
    n_opp, n_actions = graph.n_hands[1 - player], _most_actions(graph)
    return records.ReplyScratch(
        policy=np.empty((n_actions + 1, n_opp)),
        share=np.empty(n_actions),
        weight=np.empty(n_opp),
        counts=np.empty(graph.round.dice[1 - player] + 2),
        row=np.empty(graph.n_hands[player]),
    )


def _run(piece: Callable[[int, int], int], start: int, end: int, halt: Halt) -> None:
    """Run a kernel to its end; `HaltedError` if there is no time for that."""
    if not is_run(piece, start, end, halt):
        raise HaltedError


def refine_response(
    response: AbstractResponse, max_states: int, *, halt: Halt = NEVER
) -> AbstractResponse:
    """Let the responder remember every bid of the sequences that are likely, and reply anew.

    Each of them gets a state of its own, and where play leaves them it goes on from the states that
    there were. How unlikely a sequence may be is settled by how many there is room for.

    Parameters
    ----------
    response : AbstractResponse
        A reply that was found before; it also says what is likely.
    max_states : int
        Sequences that get a state at the most.
    halt : Halt
        What ends the search before there is a reply.

    Raises
    ------
    HaltedError
        If it does.
    """
    fixed, states, player = response.fixed, response.tree, response.player
    graph, opponent = states.graph, 1 - player
    n_actions = _most_actions(graph)
    below = [np.empty(max_states * n_actions, np.int32) for _ in range(2)]
    unfolded = records.Unfolded(
        np.empty(max_states, np.int64),
        np.empty(max_states, np.int64),
        below[player],
        below[opponent],
    )
    beliefs = records.Beliefs(
        opp=np.empty((max_states, graph.n_hands[opponent]), np.float32),
        own=np.empty((max_states, graph.n_hands[player]), np.float32),
    )
    responder = records.Responder(player, response.choice, _EXPLORE)
    scratch = _make_scratch(graph, player)
    found: tuple[I8, I8, list[I4]] | None = None
    least_mass = _FIRST_MASS
    while found is None or least_mass > _LAST_MASS:
        beliefs.own[0] = graph.hand_probs[player]
        n = _unfold(fixed, responder, least_mass, unfolded, beliefs, scratch, halt)
        if n < 0:
            break
        origin = unfolded.origin[:n]
        n_edges = np.diff(graph.action_start)[states.node[origin]]
        mover = graph.player[states.node[origin]]
        used = [int(n_edges[mover == p].sum()) for p in range(2)]
        found = (
            origin.copy(),
            unfolded.first_edge[:n].copy(),
            [below[p][: used[p]].copy() for p in range(2)],
        )
        least_mass /= 4.0
    if found is None:
        return response
    del unfolded, beliefs, below  # as much memory as the tables that come now
    choice = np.concatenate([response.choice[found[0]], response.choice])
    fixed, states = _add_states(fixed, states, player, *found)
    responder = responder._replace(choice=choice)
    return _respond(fixed, states, responder, _REFINING_ROUNDS, halt)


def _unfold(
    fixed: records.Fixed,
    responder: records.Responder,
    least_mass: float,
    unfolded: records.Unfolded,
    beliefs: records.Beliefs,
    scratch: records.ReplyScratch,
    halt: Halt,
) -> int:
    """Number of states that `unfold_likely` finds; -1 if there is no room for them."""
    progress = np.zeros(4, np.int64)
    done = 0
    while done == 0:
        if halt():
            raise HaltedError
        done = kernels.unfold_likely(
            fixed, responder, least_mass, unfolded, beliefs, scratch, progress, PIECE
        )
    return int(progress[1]) if done > 0 else -1


def _add_states(
    fixed: records.Fixed,
    states: PublicTree,
    player: int,
    origin: I8,
    first_edge: I8,
    below: list[I4],
) -> tuple[records.Fixed, PublicTree]:
    """Put the states that `unfold_likely` has found in front of the others."""
    graph, n_new = states.graph, origin.size
    shift = np.array([part.size for part in below])[graph.player[states.node]]
    children = tuple(
        np.concatenate(
            [
                np.where(new < NO_STATE, n_new - 2 - new, new),
                np.where(old == NO_STATE, NO_STATE, old + n_new),
            ]
        ).astype(np.int32)
        for new, old in zip(below, states.children, strict=True)
    )
    added = PublicTree(
        graph,
        np.concatenate([states.node[origin], states.node]),
        np.concatenate([first_edge, states.first_edge + shift]),
        children,
    )
    added_fixed = fixed._replace(
        node=read_only(added.node),
        first_edge=read_only(added.first_edge),
        row=read_only(np.concatenate([fixed.row[origin], fixed.row])),
        own_children=read_only(added.children[player]),
        opp_children=read_only(added.children[1 - player]),
    )
    return added_fixed, added


def fix_opponent(
    profile: StrategyProfile,
    player: int,
    *,
    recall: int | None = None,
) -> tuple[records.Fixed, PublicTree]:
    """States that a responder tells apart, with the opponent's strategy; see `find_response`.

    Without ``recall`` the tree need not be merged, and may lack states: the opponent then plays the
    default.
    """
    _check(profile, player, recall)
    tree = profile.tree
    is_translated = tree.legal is not None  # and so are the bids that its states stand for
    tree = mix_trees(tree, player)
    graph, opponent = tree.graph, 1 - player
    states, origin = tree, np.arange(tree.n_states)
    if recall is not None and (is_translated or recall > count_remembered(tree)):
        states, origin = _join_states(merge_states(graph, Recall(recall)), tree)
    fixed = records.Fixed(
        node=read_only(states.node),
        first_edge=read_only(states.first_edge),
        row=read_only(tree.first_edge[origin]),
        own_children=read_only(states.children[player]),
        opp_children=read_only(states.children[opponent]),
        player=graph.player,
        quantity=graph.quantity,
        match_class=graph.match_class,
        action_start=graph.action_start,
        action_kind=graph.action_kind,
        action_target=graph.action_target,
        payoff=read_only(profile.payoffs.table(2)[:, :, player]),
        own_matches=graph.matches[player],
        opp_matches=graph.matches[opponent],
        opp_probs=graph.hand_probs[opponent],
        default_action=profile.defaults[opponent],
        weights=read_only(profile.weights[opponent]),
    )
    return fixed, states


def _check(profile: StrategyProfile, player: int, recall: int | None) -> None:
    tree, graph, strategy = profile.tree, profile.tree.graph, profile.weights
    if graph.n_players != 2:
        raise InputError(f"a response is found between two players, got {graph.n_players}")
    if player not in (0, 1):
        raise InputError(f"the responder is player 0 or 1, got {player!r}")
    expected = (tree.children[1 - player].size, graph.n_hands[1 - player])
    if strategy[1 - player].shape != expected:
        raise InputError(
            f"the strategy of player {1 - player} must be float[E, H] = {expected}, "
            f"got shape {strategy[1 - player].shape}"
        )
    if recall is None:
        return
    if tree.abstraction is None:
        raise InputError("only a strategy of players with imperfect recall is answered with recall")
    remembered = count_remembered(tree)
    if recall < remembered:
        raise InputError(
            f"a responder remembers as much as the strategy or more: recall {remembered} or more, "
            f"got {recall}"
        )


def _refuse_to_lack_states(tree: PublicTree) -> None:
    graph = tree.graph
    is_raise = graph.action_kind == ActionKind.RAISE
    node = np.repeat(np.arange(graph.n_nodes), np.diff(graph.action_start))
    n_raises = np.bincount(node[is_raise], minlength=graph.n_nodes)
    n_children = sum(np.count_nonzero(children != NO_STATE) for children in tree.children)
    if n_children != n_raises[tree.node].sum():
        raise InputError(
            "a reply is found where a tree has all its states, but this one lacks some"
        )


def count_remembered(tree: PublicTree) -> int:
    """Bids that the players of a strategy remember at the most."""
    n_bids = len(tree.graph.round.bids)
    if tree.abstraction is None or tree.abstraction.recall is None:
        return n_bids
    return min(tree.abstraction.recall, n_bids)


def _join_states(fine: PublicTree, coarse: PublicTree) -> tuple[PublicTree, I8]:
    """States that tell apart what either of two trees of a graph does, and the coarse one of each.

    They are those of the finer tree, but for a few: where bids are translated, what a player
    remembers of the true bids does not always say how they are read.
    """
    graph, n_coarse = fine.graph, coarse.n_states
    arriving: list[list[tuple[I8, I4]]] = [[] for _ in range(graph.n_nodes)]
    children: list[list[I4]] = [[np.empty(0, np.int32)] for _ in range(2)]
    node, pairs = [], []
    n_states = 0
    for g in range(graph.n_nodes):  # a raise leads to a larger node
        keys = np.zeros(1, np.int64)
        if arriving[g]:
            keys, place = np.unique(
                np.concatenate([key for key, _ in arriving[g]]), return_inverse=True
            )
            start = 0
            for key, child in arriving[g]:
                child[:] = n_states + place[start : start + key.size]
                start += key.size
            arriving[g].clear()
        elif g > 0:
            continue  # only raises that were left out lead there
        player, n_here = int(graph.player[g]), keys.size
        n_states += n_here
        node.append(np.full(n_here, g, np.int32))
        pairs.append(keys)
        actions = range(graph.action_start[g], graph.action_start[g + 1])
        below = np.full((n_here, len(actions)), NO_STATE, np.int32)
        children[player].append(below)
        first, first_coarse = fine.first_edge[keys // n_coarse], coarse.first_edge[keys % n_coarse]
        for k, action in enumerate(actions):
            if graph.action_kind[action] == ActionKind.RAISE:
                key = fine.children[player][first + k].astype(np.int64) * n_coarse
                key += coarse.children[player][first_coarse + k]
                arriving[int(graph.action_target[action])].append((key, below[:, k]))
    nodes = np.concatenate(node)
    states = PublicTree(
        graph,
        nodes,
        number_edges(graph, nodes),
        tuple(np.concatenate([part.reshape(-1) for part in parts]) for parts in children),
        fine.abstraction,
    )
    return states, np.concatenate(pairs) % n_coarse


def count_states(graph: BidGraph, recall: int) -> float:
    """Public states that players tell apart who remember so many bids, or a few more.

    Nothing is built for it. It is exact unless a wild lock makes bids of one sequence lead to
    several nodes.

    Examples
    --------
    >>> from liarsolve.game import compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> count_states(compile_graph(Round(presets.COMMON, (2, 2))), 3)
    4096.0
    """
    sources = np.repeat(np.arange(graph.n_nodes), np.diff(graph.action_start))
    is_raise = graph.action_target >= 0
    sources, targets = sources[is_raise], graph.action_target[is_raise]

    def after_a_raise(histories: F8) -> F8:
        return np.bincount(targets, histories[sources], graph.n_nodes).astype(np.float64)

    complete = np.zeros(graph.n_nodes)  # histories from the start, all of them remembered
    complete[0] = 1.0
    recent = np.ones(graph.n_nodes)  # of the last bids, whatever was before them
    recent[0] = 0.0
    total = 0.0
    for n_bids in range(min(recall, len(graph.round.bids))):
        total += complete.sum()
        complete = after_a_raise(complete)
        if n_bids > 0:
            recent = after_a_raise(recent)
    return float(total + recent.sum())


def _most_actions(graph: BidGraph) -> int:
    return int(np.diff(graph.action_start).max())

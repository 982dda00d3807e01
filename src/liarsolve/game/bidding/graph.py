"""The bid graph: what the rules allow, compiled to arrays.

A node is what the rules still care about: the standing bid, the player to act, and whether the
wild lock holds. There are at most a few hundred; the public tree is this graph unrolled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np

from liarsolve._checks import check_instance
from liarsolve._typing import F8, I8
from liarsolve.dice import Hand, count_hands_within, count_matches, enumerate_hands, hand_weight
from liarsolve.errors import GameTooLargeError, RuleError
from liarsolve.rules import CHALLENGE, EXACT, Action, Bid, HandBonus, PublicState, Round

NO_BID = -1
MAX_HANDS = 100_000
"""Most hands of one player; 14 dice of six faces have 11,628, 25 have 142,506."""
MAX_RAISES = 1_000_000
"""Most pairs of bids, for each player: the rules are asked about every raise, in some seconds."""
_Key: TypeAlias = tuple[int, int, bool]


class ActionKind(IntEnum):
    """What an edge of the graph does; the value is its code in the arrays."""

    RAISE = 0
    CHALLENGE = 1
    EXACT = 2


@dataclass(frozen=True, eq=False, repr=False)
class BidGraph:
    """Bids, calls and hands of one round as flat, read-only arrays.

    Axes: G nodes (node 0 is the start, and a raise leads to a larger node), A actions of all nodes
    together, C match classes, H hands of one player. Node g owns actions
    ``action_start[g]:action_start[g + 1]``: raises in rising order, then the calls.
    """

    round: Round
    player: I8
    """Player to act, int64[G]."""
    standing: I8
    """Id of the standing bid, `NO_BID` at the start, int64[G]."""
    quantity: I8
    """Quantity of the standing bid, 0 at the start, int64[G]."""
    match_class: I8
    """Which dice match the standing bid: a row of ``matches``, int64[G]."""
    action_start: I8
    """int64[G + 1]."""
    action_kind: I8
    """`ActionKind`, int64[A]."""
    action_target: I8
    """Node that a raise leads to, -1 for a call, int64[A]."""
    matches: tuple[I8, ...]
    """For each player, how many of a hand's dice match, int64[C, H]."""

    def __repr__(self) -> str:
        rules = self.round.rules.name
        return f"BidGraph(rules={rules!r}, dice={self.round.dice}, n_nodes={self.n_nodes})"

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return self.player.size

    @property
    def n_players(self) -> int:
        """Number of players."""
        return self.round.n_players

    @cached_property
    def hands(self) -> tuple[tuple[Hand, ...], ...]:
        """For each player, their hands by ``hand_id``."""
        return tuple(enumerate_hands(n, self.round.rules.faces) for n in self.round.dice)

    @cached_property
    def hand_ids(self) -> tuple[dict[Hand, int], ...]:
        """For each player, the inverse of ``hands``."""
        return tuple({hand: i for i, hand in enumerate(hands)} for hands in self.hands)

    @property
    def n_hands(self) -> tuple[int, ...]:
        """Number of hands of each player."""
        return tuple(len(hands) for hands in self.hands)

    @cached_property
    def exact_hand_probs(self) -> tuple[tuple[Fraction, ...], ...]:
        """For each player, the chance of every hand."""
        faces = self.round.rules.faces
        return tuple(
            tuple(Fraction(hand_weight(hand), faces**n_dice) for hand in hands)
            for hands, n_dice in zip(self.hands, self.round.dice, strict=True)
        )

    @cached_property
    def hand_probs(self) -> tuple[F8, ...]:
        """For each player, the chance of every hand, float64[H]."""
        arrays = tuple(np.array(probs, np.float64) for probs in self.exact_hand_probs)
        for array in arrays:
            array.flags.writeable = False
        return arrays

    def actions(self, node: int) -> tuple[Action, ...]:
        """What may be done at a node, in the order of its edges."""
        if node not in self._actions:
            edges = range(self.action_start[node], self.action_start[node + 1])
            self._actions[node] = tuple(self._action(edge) for edge in edges)
        return self._actions[node]

    @cached_property
    def _actions(self) -> dict[int, tuple[Action, ...]]:
        """What `actions` has found so far."""
        return {}

    def _action(self, edge: int) -> Action:
        kind = ActionKind(self.action_kind[edge])
        if kind is ActionKind.RAISE:
            return self.round.bids[int(self.standing[self.action_target[edge]])]
        return CHALLENGE if kind is ActionKind.CHALLENGE else EXACT


def compile_graph(round_: Round) -> BidGraph:
    """Compile the rules of a round.

    Only the rules' own ``legal_actions`` and ``graph_key`` are asked, at one public state for
    every node, so an option of the rules needs no code here.

    Raises
    ------
    RuleError
        If players out of turn may call, as the arrays know one player to act; or if hands count
        for other numbers of dice than they have.
    GameTooLargeError
        If a player has more than 100,000 hands, or the round more than a million raises.

    Examples
    --------
    >>> from liarsolve.rules import Round, presets
    >>> graph = compile_graph(Round(presets.COMMON, (1, 1)))
    >>> graph.n_nodes, graph.n_hands
    (24, (6, 6))
    """
    check_instance("round_", round_, Round, "a Round such as Round(presets.PERUDO, (2, 1))")
    problem = size_problem(round_)
    if problem is not None:
        raise GameTooLargeError(problem)
    if round_.n_players > 2:
        _refuse_calls_out_of_turn(round_)
    if round_.rules.hand_bonus is not HandBonus.NONE:
        raise RuleError(
            f"hand_bonus={round_.rules.hand_bonus.value} lets hands count for other numbers of "
            "dice than they have, which solving does not know; use hand_bonus=none"
        )
    samples, actions = _sample_states(round_)
    order = sorted(samples)  # by standing bid first
    node_of = {key: node for node, key in enumerate(order)}
    classes: dict[tuple[int, int | None], int] = {}
    player, standing, quantity, match_class = [], [], [], []
    start, kinds, targets = [0], [], []
    for key in order:
        state = samples[key]
        bid = state.last_bid
        player.append(round_.to_act(state))
        standing.append(NO_BID if bid is None else round_.bid_id(bid))
        quantity.append(0 if bid is None else bid.quantity)
        match_class.append(0 if bid is None else _class_of(round_, state, bid, classes))
        for action, target in actions[key]:
            if target is not None:
                kinds.append(ActionKind.RAISE)
                targets.append(node_of[target])
            else:
                kinds.append(ActionKind.CHALLENGE if action is CHALLENGE else ActionKind.EXACT)
                targets.append(-1)
        start.append(len(kinds))
    return BidGraph(
        round=round_,
        player=_ints(player),
        standing=_ints(standing),
        quantity=_ints(quantity),
        match_class=_ints(match_class),
        action_start=_ints(start),
        action_kind=_ints(kinds),
        action_target=_ints(targets),
        matches=_match_tables(round_, classes),
    )


def size_problem(round_: Round) -> str | None:
    """Say what would take hours or all memory if it were laid out; None if nothing would.

    >>> from liarsolve.rules.presets import COMMON
    >>> print(size_problem(Round(COMMON, (30, 30))))
    30 dice of 6 faces show more than 100,000 different hands; take fewer dice or faces
    """
    faces = round_.rules.faces
    for n_dice in round_.dice:
        if count_hands_within(n_dice, faces, MAX_HANDS) is None:
            return (
                f"{n_dice} dice of {faces} faces show more than {MAX_HANDS:,} different hands; "
                "take fewer dice or faces"
            )
    n_raises = round_.n_players * len(round_.bids) ** 2 // 2
    if n_raises > MAX_RAISES:
        return (
            f"{round_.total_dice} dice of {faces} faces allow {len(round_.bids):,} bids and some "
            f"{n_raises:,} raises, and at most {MAX_RAISES:,} can be laid out; take fewer dice or "
            "faces"
        )
    return None


def _sample_states(
    round_: Round,
) -> tuple[dict[_Key, PublicState], dict[_Key, list[tuple[Action, _Key | None]]]]:
    """One public state for every node by its graph key, and the actions there with their target."""
    first = round_.initial_state()
    samples = {round_.graph_key(first): first}
    actions: dict[_Key, list[tuple[Action, _Key | None]]] = {}
    waiting = list(samples)
    while waiting:
        key = waiting.pop()
        state, found = samples[key], actions.setdefault(key, [])
        for action in round_.legal_actions(state):
            target = None
            if isinstance(action, Bid):
                after = PublicState((*state.bids, action))
                target = round_.graph_key(after)
                if target not in samples:
                    samples[target] = after
                    waiting.append(target)
            found.append((action, target))
    return samples, actions


def _class_of(
    round_: Round, state: PublicState, bid: Bid, classes: dict[tuple[int, int | None], int]
) -> int:
    wild = round_.wild_face(state)
    key = (bid.face, None if wild == bid.face else wild)
    return classes.setdefault(key, len(classes))


def _match_tables(round_: Round, classes: dict[tuple[int, int | None], int]) -> tuple[I8, ...]:
    faces = round_.rules.faces
    return tuple(
        _ints(
            [
                [count_matches(hand, face, wild) for hand in enumerate_hands(n_dice, faces)]
                for face, wild in classes
            ]
        )
        for n_dice in round_.dice
    )


def _refuse_calls_out_of_turn(round_: Round) -> None:
    state = round_.initial_state()
    state = round_.next_state(state, round_.legal_actions(state)[0])
    for player in range(round_.n_players):
        if player != round_.to_act(state) and round_.legal_actions(state, player):
            raise RuleError(
                "calls out of turn cannot be solved; use challenge_who=next and exact_who=next"
            )


def _ints(values: Sequence[int] | Sequence[Sequence[int]]) -> I8:
    array = np.array(values, np.int64)
    array.flags.writeable = False
    return array

"""Rounds of cup games unrolled into flat arrays, for any number of players and any memory.

A node is what is under the cup, who has to do what, and what every player remembers. Plays that
agree in all of these share their node, so the round is a graph without cycles: claims rise. With
`PERFECT_RECALL` for all it is the tree of the round, up to plays that nobody can tell apart.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from liarsolve._typing import F8, I4, I8
from liarsolve.errors import GameTooLargeError, InputError, RuleError
from liarsolve.game.cup.memory import NOT_KNOWN, CupMemory, Memories, Observation
from liarsolve.rules import (
    BlindClaim,
    Call,
    ClaimRaise,
    CupHolding,
    CupMove,
    CupPhase,
    CupRound,
    CupState,
    Keep,
)
from liarsolve.rules.cup.game import CupPayoff, loser_pays

__all__ = [
    "CupGraph",
    "CupInfosets",
    "CupPruning",
    "CupRuleTables",
    "Decision",
    "build_cup_graph",
]


class Decision(IntEnum):
    """What a player decides at a node, in the order in which it comes up on a claim."""

    ANSWER = 0
    LOOK = 1
    KEEP = 2
    CLAIM = 4


_THROW = 3
"""The step between `Decision.KEEP` and `Decision.CLAIM`."""
_N_STEPS = 5
Key: TypeAlias = tuple[int, ...]
"""A node among those of one step and one claim: holder, hand or keep, memory of every player."""


@dataclass(eq=False)
class CupInfosets:
    """Information sets of the players, with the place of their actions in the strategy arrays."""

    memories: tuple[Memories, ...]
    """Memories of each player by number."""
    ids: dict[tuple[int, int, int], int] = field(default_factory=dict)
    """Number of an information set, given player, `Decision` and memory."""
    first: list[int] = field(default_factory=lambda: [0])
    """Information set i has the actions ``first[i]:first[i + 1]``."""
    player: list[int] = field(default_factory=list)

    def place(self, player: int, decision: int, memory_id: int, n_actions: int) -> int:
        """Place of the first action of an information set, which is made if it is new."""
        key = (player, decision, memory_id)
        found = self.ids.get(key)
        if found is None:
            found = self.ids[key] = len(self.player)
            self.player.append(player)
            self.first.append(self.first[-1] + n_actions)
        return self.first[found]


@dataclass(frozen=True, eq=False, kw_only=True)
class CupPruning:
    """What a best response need not traverse, since the others hardly ever let it get there."""

    action_probs: F8
    """Strategies of the others, float64[A]."""
    threshold: float
    """Nodes that chance and the others reach with no more than this are left out."""
    payoff: float
    """What the responder is taken to get there: the most that they can get anywhere."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CupGraph:
    """Nodes in an order in which edges lead forward only; N nodes, E edges, P players, L ends.

    The ends of the round are numbered after the nodes, ``N`` to ``N + L - 1``.
    """

    edge_start: I8
    """Node x has the edges ``edge_start[x]:edge_start[x + 1]``, [N + 1]."""
    child: I4
    """Node or end where an edge leads, [E]."""
    prob: F8
    """Chance of an edge; 1 where a player decides, [E]."""
    player: I4
    """Who decides at a node, -1 for chance, [N]."""
    action: I4
    """Place of the node's first action in the strategy arrays, -1 for chance, [N]."""
    level_start: I8
    """Nodes of one level, ``level_start[i]:level_start[i + 1]``, hold whole information sets."""
    payoff: F8
    """[P, L]."""
    left_out: float = 0.0
    """Chance of reaching what a `CupPruning` has left out, in sum."""

    @property
    def n_nodes(self) -> int:
        """Number of nodes, ends left out."""
        return len(self.player)

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return len(self.child)


def endless_problem(table: CupRound) -> str | None:
    """Say why a round may go on for ever; `None` if it cannot."""
    rules = table.rules
    if rules.raise_rule is ClaimRaise.EQUAL_OR_HIGHER:
        return (
            "raise_rule=equal_or_higher lets a round go on for ever, which cannot be unrolled; "
            "use raise_rule=higher"
        )
    if rules.blind_claim is BlindClaim.SAME:
        return (
            "blind_claim=same lets a round go on for ever, which cannot be unrolled; "
            "use blind_claim=higher"
        )
    return None


def build_cup_graph(
    table: CupRound,
    memories: Sequence[CupMemory],
    *,
    infosets: CupInfosets | None = None,
    responder: int | None = None,
    pruning: CupPruning | None = None,
    payoff: CupPayoff = loser_pays,
    max_nodes: int = 1_000_000,
) -> tuple[CupGraph, CupInfosets]:
    """Unroll a round.

    Parameters
    ----------
    table : CupRound
        The round.
    memories : sequence of CupMemory
        What each player goes by.
    infosets : CupInfosets, optional
        Information sets that strategies are written on; those that are missing are added.
    responder : int, optional
        A player whose information sets are numbered apart, for a best response to the strategies
        of the others.
    pruning : CupPruning, optional
        What to leave out of a best response; without it nothing.
    payoff : callable
        What each player gets at the end.
    max_nodes : int
        Most nodes to make.

    Returns
    -------
    graph, infosets
        The information sets are those of the responder alone if there is one.

    Raises
    ------
    RuleError
        If the round may go on for ever.
    GameTooLargeError
        If there are more nodes than ``max_nodes``.

    Examples
    --------
    >>> from liarsolve.game.cup.memory import PERFECT_RECALL
    >>> from liarsolve.rules import presets
    >>> table = CupRound(presets.LIAR_DIE.replace(faces=2), 2)
    >>> graph, infosets = build_cup_graph(table, [PERFECT_RECALL] * 2)
    >>> graph.n_nodes, graph.n_edges, len(infosets.player)
    (7, 14, 3)
    """
    problem = endless_problem(table)
    if problem is not None:
        raise RuleError(problem)
    if len(memories) != table.n_players:
        raise InputError(
            f"each of the {table.n_players} players needs a memory, got {len(memories)}"
        )
    unrolling = _Unrolling(table, memories, infosets, responder, payoff, max_nodes)
    unrolling.pruning = pruning
    return unrolling.run()


class CupRuleTables:
    """Rules as tables by number."""

    def __init__(self, table: CupRound, payoff: CupPayoff) -> None:
        self.table, self.payoff = table, payoff
        rules = table.rules
        kit = rules.equipment
        self.n_players, self.n_claims = table.n_players, len(rules.claims)
        keep_ids = {kept: keep_id for keep_id, kept in enumerate(kit.kept_hands)}
        self.followers = [rules.legal_claims(c) for c in range(self.n_claims)]
        self.first_claims = rules.legal_claims(None)
        self.is_true = rules.claims.truth_table(rules.truth)
        self.sizes = [kit.n_items - len(kept) for kept in kit.kept_hands]
        """Dice thrown beside what is kept."""
        self.keeps: list[list[int]] = []
        for hand in kit.hands:
            state = CupState(
                turns=(CupHolding(player=0, hand=hand), CupHolding(player=1, has_looked=True)),
                phase=CupPhase.KEEP,
            )
            keeps = [a for a in table.legal_actions(state) if isinstance(a, Keep)]
            self.keeps.append([keep_ids[keep.faces] for keep in keeps])
        self.distributions: list[list[tuple[int, float]]] = []
        for kept in kit.kept_hands:
            turn = CupHolding(player=0, kept=kept, n_thrown=kit.n_items - len(kept))
            distribution = table.chance_distribution(CupState(turns=(turn,), phase=CupPhase.THROW))
            self.distributions.append(
                [(kit.hand_ids[hand], float(p)) for hand, p in distribution.items()]
            )
        self.nothing = keep_ids[()]
        self.must_throw_all = rules.reroll_counts == (kit.n_items,)
        self.is_count_public = rules.announce_count or len(rules.reroll_counts) == 1
        self.looks = [self._looks(claim) for claim in range(self.n_claims)]
        self.answers = [self._answers(claim) for claim in range(self.n_claims)]

    def claims_on(self, claim: int) -> tuple[int, ...]:
        """List what may follow a claim; -1 stands for no claim."""
        return self.first_claims if claim < 0 else self.followers[claim]

    def _looks(self, claim: int) -> list[CupMove]:
        """What a player may do with the cup when they have accepted a claim, as `CupRound` says."""
        turns = (CupHolding(player=0, claim=self.table.rules.claims[claim]), CupHolding(player=1))
        state = CupState(turns=turns, phase=CupPhase.LOOK)
        return list(self.table.legal_actions(state))  # type: ignore[arg-type]  # looks are moves

    def _answers(self, claim: int) -> list[Call | CupMove]:
        """What may be answered to a claim."""
        turns = (CupHolding(player=0, claim=self.table.rules.claims[claim]),)
        state = CupState(turns=turns, phase=CupPhase.ANSWER)
        return list(self.table.legal_actions(state))  # type: ignore[arg-type]  # answers are calls

    def end(
        self, claimant: int, claim: int, hand: int, answer: Call | CupMove
    ) -> tuple[float, ...]:
        """Payoffs after the last answer, in the mean over the throws for the top hand."""
        rules = self.table.rules
        if answer is not CupMove.ACCEPT:
            return self._paid(claimant, claim, hand, answer, None)
        success = float(rules.try_success(rules.equipment.hands[hand]))
        made, missed = (
            self._paid(claimant, claim, hand, answer, is_made) for is_made in (True, False)
        )
        return tuple(success * a + (1.0 - success) * b for a, b in zip(made, missed, strict=True))

    def _paid(
        self,
        claimant: int,
        claim: int,
        hand: int,
        answer: Call | CupMove,
        is_made: bool | None,
    ) -> tuple[float, ...]:
        rules = self.table.rules
        turn = CupHolding(
            player=claimant, claim=rules.claims[claim], hand=rules.equipment.hands[hand]
        )
        outcome = self.table.outcome(
            CupState(
                turns=(turn,),
                phase=CupPhase.OVER,
                response=answer,
                tried_hand=rules.top_hand if is_made else None,
            )
        )
        paid = tuple(float(x) for x in self.payoff(self.table, outcome))
        if len(paid) != self.n_players:
            raise InputError(
                f"the payoff must have one number for each of the {self.n_players} players, "
                f"got {paid}"
            )
        return paid


class _Unrolling:
    """The work of `build_cup_graph`: claim by claim from the lowest up, step by step."""

    def __init__(
        self,
        table: CupRound,
        memories: Sequence[CupMemory],
        infosets: CupInfosets | None,
        responder: int | None,
        payoff: CupPayoff,
        max_nodes: int,
    ) -> None:
        self.rules = CupRuleTables(table, payoff)
        self.n_players = table.n_players
        self.max_nodes = max_nodes
        self.infosets = infosets or CupInfosets(tuple(map(Memories, memories)))
        self.responder = -1 if responder is None else responder
        self.memories = list(self.infosets.memories)
        self.own = self.infosets
        if responder is not None:
            self.memories[responder] = Memories(memories[responder])
            self.own = CupInfosets(tuple(self.memories))
        n_levels = (self.rules.n_claims + 1) * _N_STEPS
        self.waiting: list[dict[Key, int]] = [{} for _ in range(n_levels)]
        """Nodes to be opened, by level: claim by claim, step by step."""
        self.n_nodes = 0
        self.same: dict[int, int] = {}
        """Nodes that turned out to be others."""
        self.pruning: CupPruning | None = None
        self.reach: list[float] = []
        """Chance of reaching each node by chance and the others, where some are to be pruned."""
        self.here = 1.0
        """That of the node being opened."""
        self.pruned: list[int] = []
        self.known: dict[Key, int] = {}
        """Number of what the responder knows when they know everything."""
        self.order: list[int] = []
        self.level_start = [0]
        self.player: list[int] = []
        self.action: list[int] = []
        self.edge_start = [0]
        self.child: list[int] = []
        """Nodes, or ends as negative numbers from -1 down."""
        self.prob: list[float] = []
        self.ends: dict[tuple[float, ...], int] = {}
        self.end_of: dict[tuple[int, int, int, Call | CupMove], int] = {}

    def run(self) -> tuple[CupGraph, CupInfosets]:
        """Open all nodes that play can reach."""
        start = self._all_see([0] * self.n_players, ("opens", 0))
        self.reach[self._node(_THROW, -1, (0, self.rules.nothing, *start))] = 1.0
        steps = (self._answer, self._look, self._keep, self._throw, self._claim)
        for level, waiting in enumerate(self.waiting):
            claim, step = level // _N_STEPS - 1, level % _N_STEPS
            if self.pruning is not None:
                waiting = self._prune(waiting, self.pruning.threshold)
            # Who keeps all goes past the throw, which others may not notice.
            if self.responder >= 0 and (step != _THROW or self.rules.is_count_public):
                waiting = self._merge_known(waiting, level)
            for key, node in waiting.items():
                self.here = self.reach[node]
                steps[step](claim, key)
                self.order.append(node)
                self.edge_start.append(len(self.child))
            if waiting:
                self.level_start.append(len(self.order))
            self.waiting[level] = {}
        return self._graph(), self.own

    def _answer(self, claim: int, key: Key) -> None:
        """Lay out the answers of the neighbour of the claimant."""
        holder, hand, *minds = key
        neighbour = (holder + 1) % self.n_players
        answers = self.rules.answers[claim]
        self._decide(neighbour, Decision.ANSWER, minds, len(answers))
        for answer in answers:
            is_over = answer is not CupMove.ACCEPT or not self.rules.claims_on(claim)
            if is_over:
                self._edge(self._end(holder, claim, hand, answer))
            else:
                self._edge(self._to_look(claim, neighbour, hand, minds))

    def _look(self, claim: int, key: Key) -> None:
        """Lay out what a player may do with the cup that they have accepted."""
        holder, hand, *minds = key
        looks = self.rules.looks[claim]
        self._decide(holder, Decision.LOOK, minds, len(looks))
        for look in looks:
            self._edge(self._after_look(claim, holder, hand, minds, look))

    def _keep(self, claim: int, key: Key) -> None:
        """Lay out what a player may keep."""
        holder, hand, *minds = key
        keeps = self.rules.keeps[hand]
        self._decide(holder, Decision.KEEP, minds, len(keeps))
        for keep in keeps:
            self._edge(self._after_keep(claim, holder, hand, minds, keep))

    def _throw(self, claim: int, key: Key) -> None:
        """Lay out what comes of a throw."""
        holder, keep, *minds = key
        self.player.append(-1)
        self.action.append(-1)
        for hand, prob in self.rules.distributions[keep]:
            known = self._one_sees(minds, holder, ("thrown", hand))
            self._edge(self._to_claim(claim, holder, hand, known), prob)

    def _claim(self, claim: int, key: Key) -> None:
        """Lay out what a player may claim."""
        holder, hand, *minds = key
        claims = self.rules.claims_on(claim)
        self._decide(holder, Decision.CLAIM, minds, len(claims))
        for new in claims:
            self._edge(self._after_claim(holder, hand, minds, new))

    # Where a player has one way to go on, as everybody knows, they are taken there without a node.
    # Nodes of one level then look alike to whoever does not know what is hidden.

    def _to_look(self, claim: int, holder: int, hand: int, minds: list[int]) -> int:
        looks = self.rules.looks[claim]
        if len(looks) == 1:
            return self._after_look(claim, holder, hand, minds, looks[0])
        return self._node(Decision.LOOK, claim, (holder, hand, *minds))

    def _after_look(
        self, claim: int, holder: int, hand: int, minds: list[int], look: CupMove
    ) -> int:
        if look is CupMove.BLIND_PASS:
            return self._to_claim(claim, holder, hand, self._all_see(minds, ("blind", 0)))
        if look is CupMove.THROW_UNSEEN:
            minds = self._all_see(self._all_see(minds, ("unseen", 0)), ("renewed", 0))
            return self._node(_THROW, claim, (holder, self.rules.nothing, *minds))
        minds = self._one_sees(minds, holder, ("sees", hand))
        if self.rules.must_throw_all:
            return self._after_keep(claim, holder, hand, minds, self.rules.nothing)
        return self._node(Decision.KEEP, claim, (holder, hand, *minds))

    def _after_keep(self, claim: int, holder: int, hand: int, minds: list[int], keep: int) -> int:
        n_thrown = self.rules.sizes[keep]
        said = n_thrown if self.rules.is_count_public else -1
        known = [
            memory.after(mind, ("throws", n_thrown if player == holder else said))
            for player, (memory, mind) in enumerate(zip(self.memories, minds, strict=True))
        ]
        if self.rules.is_count_public and keep == self.rules.nothing:
            known = self._all_see(known, ("renewed", 0))
        known = self._one_sees(known, holder, ("keeps", keep))
        if n_thrown == 0:
            known = self._one_sees(known, holder, ("thrown", hand))
            return self._to_claim(claim, holder, hand, known)
        return self._node(_THROW, claim, (holder, keep, *known))

    def _to_claim(self, claim: int, holder: int, hand: int, minds: list[int]) -> int:
        claims = self.rules.claims_on(claim)
        if len(claims) == 1:
            return self._after_claim(holder, hand, minds, claims[0])
        return self._node(Decision.CLAIM, claim, (holder, hand, *minds))

    def _after_claim(self, holder: int, hand: int, minds: list[int], claim: int) -> int:
        answers = self.rules.answers[claim]
        if len(answers) == 1:
            return self._end(holder, claim, hand, answers[0])
        minds = self._all_see(minds, ("claims", claim))
        return self._node(Decision.ANSWER, claim, (holder, hand, *minds))

    def _end(self, claimant: int, claim: int, hand: int, answer: Call | CupMove) -> int:
        key = (claimant, claim, hand, answer)
        end = self.end_of.get(key)
        if end is None:
            paid = self.rules.end(claimant, claim, hand, answer)
            end = self.end_of[key] = self.ends.setdefault(paid, -1 - len(self.ends))
        return end

    def _all_see(self, minds: Sequence[int], seen: Observation) -> list[int]:
        return [memory.after(mind, seen) for memory, mind in zip(self.memories, minds, strict=True)]

    def _one_sees(self, minds: Sequence[int], player: int, seen: Observation) -> list[int]:
        known = list(minds)
        known[player] = self.memories[player].after(minds[player], seen)
        return known

    def _decide(
        self, player: int, decision: Decision, minds: Sequence[int], n_actions: int
    ) -> None:
        infosets = self.own if player == self.responder else self.infosets
        self.player.append(player)
        self.action.append(infosets.place(player, decision, minds[player], n_actions))

    def _edge(self, child: int, prob: float = 1.0) -> None:
        self.child.append(child)
        self.prob.append(prob)
        if self.pruning is not None and child >= 0:
            if self.player[-1] not in (-1, self.responder):
                place = self.action[-1] + len(self.child) - 1 - self.edge_start[-1]
                prob = float(self.pruning.action_probs[place])
            self.reach[child] += self.here * prob

    def _node(self, step: int, claim: int, key: Key) -> int:
        """Node of a key, which is made if it is new."""
        waiting = self.waiting[(claim + 1) * _N_STEPS + step]
        node = waiting.get(key)
        if node is None:
            node = waiting[key] = self.n_nodes
            self.reach.append(0.0)
            self.n_nodes += 1
            if self.n_nodes > self.max_nodes:
                raise GameTooLargeError(
                    f"{self.rules.table.rules.name} with {self.n_players} players and these "
                    f"memories has more than {self.max_nodes} nodes; remember less, take fewer "
                    "dice or faces, or raise max_nodes"
                )
        return node

    def _prune(self, waiting: dict[Key, int], threshold: float) -> dict[Key, int]:
        """Leave out nodes that are hardly ever reached; all edges to them have been laid out."""
        left = {key: node for key, node in waiting.items() if self.reach[node] > threshold}
        self.pruned += [node for node in waiting.values() if self.reach[node] <= threshold]
        return left

    def _merge_known(self, waiting: dict[Key, int], level: int) -> dict[Key, int]:
        """Leave out how the responder came to know everything.

        Where their memory leaves one node only, they know what is under the cup and all that the
        others go by; what else they remember has no part in what follows, so such nodes with
        different pasts are one. That costs a best response nothing.
        """
        place = 2 + self.responder
        n_alike = Counter(key[place] for key in waiting)
        merged: dict[Key, int] = {}
        for key, node in waiting.items():
            if n_alike[key[place]] == 1:
                world = (level, *key[:place], *key[place + 1 :])
                tag = NOT_KNOWN - 1 - self.known.setdefault(world, len(self.known))
                mind = self.memories[self.responder].number(((tag,) * 4,))
                key = (*key[:place], mind, *key[place + 1 :])
            kept = merged.setdefault(key, node)
            if kept != node:
                self.same[node] = kept
                self.reach[kept] += self.reach[node]
        return merged

    def _graph(self) -> CupGraph:
        """Number nodes in the order in which they were opened, and lay everything out."""
        n_nodes = len(self.order)
        left_out = 0.0
        if self.pruning is not None and self.pruned:
            best = (self.pruning.payoff,) * self.n_players
            end = self.ends.setdefault(best, -1 - len(self.ends))
            left_out = math.fsum(self.reach[node] for node in self.pruned)
        ends = list(self.ends)
        rank = np.zeros(self.n_nodes, np.int64)
        rank[self.order] = np.arange(n_nodes)
        if self.same:
            rank[list(self.same)] = rank[list(self.same.values())]
        if self.pruned:
            rank[self.pruned] = n_nodes - 1 - end
        child = np.array(self.child, np.int64)
        is_end = child < 0
        child[~is_end] = rank[child[~is_end]]
        child[is_end] = n_nodes - 1 - child[is_end]
        return CupGraph(
            edge_start=_read_only(self.edge_start, np.int64),
            child=_read_only(child, np.int32),
            prob=_read_only(self.prob, np.float64),
            player=_read_only(self.player, np.int32),
            action=_read_only(self.action, np.int32),
            level_start=_read_only(self.level_start, np.int64),
            payoff=_read_only(np.array(ends).T, np.float64),
            left_out=left_out,
        )


def _read_only(values: ArrayLike, dtype: type[np.generic]) -> NDArray[Any]:
    array = np.array(values, dtype, order="C")
    array.flags.writeable = False
    return array

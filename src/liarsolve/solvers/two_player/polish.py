"""Finish a strategy that is nearly an equilibrium by linear programs.

CFR soon knows what is played, but not how often to many digits: its error falls about as one over
the iterations. Where it has come near, play visits few of the states, and few actions there are
good enough to matter; the sequence form of just these is a small linear program, whose solution is
exact as far as the program goes. What the program leaves out it may get wrong, so three things keep
it in hand: weights may move only so far from where they are (a box), what the opponent's best
responses find is added to the program (cuts), and a strategy is replaced only by one that loses
less to a best response in the true game.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from liarsolve._typing import B1, F8, I4, Real
from liarsolve.game import PublicTree, StrategyProfile
from liarsolve.solvers.core.aside import run_aside
from liarsolve.solvers.core.certificate import Certificate
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.two_player import _polish_kernels as kernels
from liarsolve.solvers.two_player.best_response import bound_visits, hand_values
from liarsolve.solvers.two_player.traversals import make_pass_graph

_SLACK = 0.02
"""Actions that leave a hand so much less than its best one, where the opponent is sure to come, are
in the programs. Between 0.003 and 0.03 programs grow threefold, and fewer of them are needed: 1 v 1
``openspiel`` is below 1e-6 after 9 programs with 0.03 and after 15 with 0.01, 1 v 2 ``snyd`` takes
0.8 s with 0.01 and 2.5 s with 0.03."""
_LEAST_PROB = 1e-4
"""Actions that are taken with more than this are in the program of their player."""
_TREMBLE = 1e-7
"""Share of random actions with which what is near the best is judged where nobody comes."""
_BOX_SHARE = 0.02
"""How far the probability of an action may move."""
_BOX_PER_LOSS = 30.0
"""How far any weight may move: so many times what the players lose, for each unit of payoff, and of
the chance of the likeliest hand. Rare sequences may change altogether."""
_GROWTH, _SHRINK = 3.0, 0.6
"""Of the box, after a better strategy and after one that is not. With boxes that never shrink,
2 v 1 ``liars_dice`` took from 1e-4 to 1e-9 more than twice as long."""
_ROUNDS = 24
_VAIN_ROUNDS = 6
"""Rounds without a better strategy of either player after which no more are tried."""
_INTERIOR_ENTRIES = 150_000
"""Entries of a program from which on the interior-point method is quicker than the simplex method:
2 v 2 ``common``, 200,000 entries, 2.5 s against 3.5 s, but 1 v 1 ``openspiel``, 15,000, four times
slower."""
_TOLERANCE = 1e-9
"""Of the constraints of a program, and of its optimum."""
_MOST_ENTRIES = 1_000_000
"""Of a program that is worth while: about a minute."""
_BYTES_PER_PAIR, _BYTES_PER_ENTRY = 60, 1000
"""Memory for each (edge, hand) pair of the tree, and for each entry of a program; measured on 2 v 2
``common``: 200 MB in all for 1.8 million pairs and 217,754 entries."""
_LEAST_WEIGHT = 1e-12
"""A hand that comes to a state with no more than this keeps its policy there."""


@dataclass(frozen=True, eq=False)
class Polished:
    """What came out: strategies that lose no more than those before."""

    strategy: tuple[F8, ...]
    certificate: Certificate
    n_programs: int
    """Linear programs that were solved; 0 if they would be too large."""
    n_bytes: float
    """Memory of the largest of them, and of the arrays beside it."""


def polish(
    profile: StrategyProfile,
    target: float,
    *,
    threshold: float = 0.0,
    max_memory: float = math.inf,
    budget: float = math.inf,
    halt: Halt = NEVER,
    on_round: Callable[[Polished], None] | None = None,
) -> Polished:
    """Bring an exploitability down to ``target`` by linear programs, or as far as they get.

    Parameters
    ----------
    profile : StrategyProfile
        Action probabilities of both players, not far from an equilibrium.
    target : float
        Exploitability, in utility per round.
    threshold : float
        Of the certificates, see `certify`.
    max_memory : float
        Bytes that may be used; programs that need more are not solved.
    budget : float
        Entries of all programs together, after which no more are begun.
    halt : Halt
        After it says so no program is begun; its deadline ends one that is being solved.
    on_round : callable
        Called with what there is after a program for each player.

    References
    ----------
    Koller, Megiddo and von Stengel (1996), "Efficient computation of equilibria for extensive
    two-person games", for the sequence form. Bosansky, Kiekintveld, Lisy and Pechoucek (2014), "An
    exact double-oracle algorithm for zero-sum extensive-form games with imperfect information", for
    programs of a part of the sequences that best responses enlarge.
    """
    strategy = profile.weights
    game = _Game(profile)
    n_bytes = _BYTES_PER_PAIR * sum(policy.size for policy in strategy)
    game.most_entries = int(min(_MOST_ENTRIES, (max_memory - n_bytes) / _BYTES_PER_ENTRY))
    sides = [_Side(game, p, np.asarray(strategy[p], np.float64)) for p in range(2)]

    for side, loss in zip(sides, _measure(game, strategy, threshold), strict=True):
        side.loss = loss
        side.mark_near_best(sides[1 - side.player].policy)
    width = _BOX_PER_LOSS * _certificate(sides).exploitability / game.unit
    n_vain = 0
    for _ in range(_ROUNDS):
        policies = [side.policy for side in sides]
        for side in sides:
            if not side.is_done and not halt():
                answers = sides[1 - side.player].is_near
                policies[side.player] = side.next_policy(answers, width, target, halt.deadline)
        losses = _measure(game, policies, threshold)
        n_vain = 0 if _take_better(sides, policies, losses) else n_vain + 1
        polished = Polished(
            strategy=tuple(side.policy for side in sides),
            certificate=_certificate(sides),
            n_programs=sum(side.n_programs for side in sides),
            n_bytes=n_bytes + _BYTES_PER_ENTRY * max(side.most_entries for side in sides),
        )
        if on_round is not None:
            on_round(polished)
        is_over = all(side.is_done for side in sides) or halt()
        is_over |= sum(side.n_entries for side in sides) >= budget or n_vain == _VAIN_ROUNDS
        if polished.certificate.exploitability <= target or is_over:
            break
    return polished


def _take_better(sides: "list[_Side]", policies: list[F8], losses: list[float]) -> bool:
    """Keep the policies that lose less than those before; returns whether there is one."""
    has_better = False
    for side, loss in zip(sides, losses, strict=True):
        side.mark_near_best(policies[1 - side.player])
        if loss < side.loss:
            side.loss, side.policy = loss, policies[side.player]
            side.box *= _GROWTH
            has_better = True
        elif not side.is_done:
            side.box *= _SHRINK
    return has_better


@dataclass(frozen=True, eq=False)
class TightConstraints:
    """What holds with equality for a strategy of one player that loses least: linear equations.

    Every row says that a sum is zero. The first columns are the chances of the player's hands,
    which are known; then come the weights of their actions, and what the other player gets, where a
    best response takes them.
    """

    rows: list[dict[int, float]]
    """Coefficients by column."""
    n_columns: int
    columns: I4
    """Column of the weight of each action and hand, int32[E, H]; `NOTHING` if it has none."""
    weights: F8
    """Chance of the hand times the player's own action probabilities, float64[E, H]."""


def list_tight_constraints(
    profile: StrategyProfile, player: int, tolerance: float
) -> TightConstraints:
    """Constraints that are tight at a strategy which is optimal but for rounding.

    Parameters
    ----------
    profile : StrategyProfile
        As for `polish`.
    player : int
        Whose strategy is meant; of the other player's nothing is used.
    tolerance : float
        Answers that leave the other player no more than this below their best one are taken for
        equally good, in units of payoff; weights of a tenth of it count for nothing.
    """
    tree, game = profile.tree, _Game(profile)
    side = _Side(game, player, np.asarray(profile.weights[player], np.float64))
    other, edges = 1 - player, game.edges[player]
    reach = side._carry(player, side.policy, 0.0)
    is_tight = np.zeros((tree.children[other].size, tree.graph.n_hands[other]), np.bool_)
    kernels.mark_tight(
        game.pass_graphs[other],
        game.seen_by(other),
        kernels.Opponent(side.policy, 0.0, reach),
        tolerance * game.unit,
        np.empty((tree.n_states, is_tight.shape[1])),
        np.empty(is_tight.shape),
        np.zeros((tree.n_states, is_tight.shape[1]), np.bool_),
        is_tight,
    )
    above = reach[edges.state]
    is_likeliest = side.policy == np.maximum.reduceat(side.policy, edges.first)[edges.place]
    weights = above * side.policy
    is_played = (weights > 0.1 * tolerance) | (is_likeliest & (above > 0.1 * tolerance))
    program = _Program(game, player, is_played & edges.is_known[:, None], is_tight)
    rows: list[dict[int, float]] = [{} for _ in range(program.entries.is_equality.size)]
    if not program.is_too_large:
        entries = (program.entries.row, program.entries.column, program.entries.coefficient)
        for row, column, entry in zip(*(array.tolist() for array in entries), strict=True):
            rows[row][column] = rows[row].get(column, 0.0) + entry
    return TightConstraints(rows, program.n_columns, program.edge_column, weights)


def _measure(game: "_Game", policies: Sequence[Real], threshold: float = 0.0) -> list[float]:
    """What the other player's best response wins against each player."""
    tree, profile = game.tree, replace(game.profile, weights=tuple(policies))
    values = (
        hand_values(profile, 1 - p, threshold=threshold, max_visits=bound_visits(tree.n_states))
        for p in range(2)
    )
    return [float(tree.graph.hand_probs[1 - p] @ v) for p, v in enumerate(values)]


class _Game:
    """The round and its tree, as the programs of both players see them."""

    def __init__(self, profile: StrategyProfile) -> None:
        tree, payoffs = profile.tree, profile.payoffs
        graph, table = tree.graph, payoffs.table(2)
        self.profile, self.tree = profile, tree
        self.n_actions = np.diff(graph.action_start)
        self.pass_graphs = tuple(make_pass_graph(graph, payoffs, p) for p in range(2))
        self.most = table.max(axis=(0, 1))
        self.unit = float(table.max() - table.min()) / 2 or 1.0
        self.most_entries = _MOST_ENTRIES
        self.edges = tuple(_Edges(tree, p) for p in range(2))
        lacks_replies = np.zeros(tree.n_states, np.bool_)
        for p, edges in enumerate(self.edges):
            edges.is_known = (self.pass_graphs[p].leaf[edges.action] >= 0) | (tree.children[p] >= 0)
            lacks_replies[edges.state[~edges.is_known]] = True
        for p, edges in enumerate(self.edges):
            children = tree.children[p]
            edges.is_explored = ~((children >= 0) & lacks_replies[children])

    def seen_by(self, player: int) -> kernels.SeenTree:
        """The tree, as the kernels take it."""
        tree = self.tree
        return kernels.SeenTree(
            player, tree.node, tree.first_edge, tree.children[player], tree.children[1 - player]
        )


class _Edges:
    """What belongs to the edges of one player."""

    def __init__(self, tree: PublicTree, player: int) -> None:
        graph = tree.graph
        mine = np.flatnonzero(graph.player[tree.node] == player)
        mine = mine[np.argsort(tree.first_edge[mine])]
        self.first = tree.first_edge[mine]
        """First edge of each of the player's states."""
        self.place = np.repeat(np.arange(mine.size), np.diff(graph.action_start)[tree.node[mine]])
        """Which of the player's states, int64[E]."""
        self.state = mine[self.place]
        action = np.arange(self.place.size) - self.first[self.place]
        self.action = graph.action_start[tree.node[self.state]] + action
        """In the bid graph, int64[E]."""
        self.is_known = np.empty(0, np.bool_)
        """bool[E]: whether the tree says what comes after; set by the game."""
        self.is_explored = np.empty(0, np.bool_)
        """bool[E]: whether it has every reply as well; set by the game."""


def _certificate(sides: "list[_Side]") -> Certificate:
    return Certificate.of((sides[1].loss, sides[0].loss), sides[0].game.profile.payoffs)


@dataclass(eq=False)
class _Side:
    """One player's strategy, and what their programs are made of."""

    game: _Game
    player: int
    policy: F8
    """float64[E, H], the best so far."""
    loss: float = math.inf
    """What the other player's best response wins against it."""
    box: float = 1.0
    """How far weights may move, as a multiple of the first distance."""
    n_near_done: int = -1
    """How many actions were near the best when a program could gain nothing any more."""
    n_programs: int = 0
    n_entries: int = 0
    """In all of them."""
    most_entries: int = 0
    """In the largest."""
    is_near: B1 = field(init=False)
    """bool[E, H]: actions that were near the best against some strategy of the other player."""

    def __post_init__(self) -> None:
        self.is_near = np.zeros(self.policy.shape, np.bool_)

    @property
    def is_done(self) -> bool:
        """Whether no program can gain anything, with the actions that are known."""
        return int(self.is_near.sum()) == self.n_near_done

    def mark_near_best(self, other_policy: F8) -> None:
        """Remember which actions are near the best against a strategy of the other player."""
        tree, other = self.game.tree, 1 - self.player
        n_own = self.policy.shape[1]
        kernels.mark_near_best(
            self.game.pass_graphs[self.player],
            self.game.seen_by(self.player),
            kernels.Opponent(other_policy, _TREMBLE, self._carry(other, other_policy, _TREMBLE)),
            _SLACK,
            np.empty((tree.n_states, n_own)),
            np.empty((int(self.game.n_actions.max()), n_own)),
            self.is_near,
        )

    def _carry(self, player: int, policy: F8, perturbation: float) -> F8:
        """Reach of each hand of a player at every state, float64[S, H]."""
        tree = self.game.tree
        reach = np.empty((tree.n_states, policy.shape[1]))
        reach[0] = tree.graph.hand_probs[player]
        kernels.carry_reach(
            tree.graph.player,
            self.game.n_actions,
            self.game.seen_by(player),
            policy,
            perturbation,
            reach,
        )
        return reach

    def next_policy(self, is_answer: B1, width: float, target: float, deadline: float) -> F8:
        """The strategy that loses least to the other's ``is_answer``, bool[E, H], in the box.

        ``self.policy`` itself if there is none, or if it is no better than this by a tenth of
        ``target``; then the player is done, since the loss is convex in the weights. So they are
        too if the program is too large.
        """
        tree, edges = self.game.tree, self.game.edges[self.player]
        above = self._carry(self.player, self.policy, 0.0)[edges.state]
        weights = above * self.policy
        move = np.maximum(_BOX_SHARE * above, width * tree.graph.hand_probs[self.player].max())
        move *= self.box
        upper = weights + move
        upper[~edges.is_explored] = weights[~edges.is_explored]
        is_allowed = (self.policy > _LEAST_PROB) | self.is_near
        is_allowed &= edges.is_known[:, None]
        program = _Program(self.game, self.player, is_allowed, is_answer)
        if program.is_too_large:
            self.n_near_done = int(self.is_near.sum())
            return self.policy
        self.n_programs += 1
        self.n_entries += program.entries.row.size
        self.most_entries = max(self.most_entries, program.entries.row.size)
        loss, weights = program.solve(np.maximum(weights - move, 0.0), upper, deadline)
        if loss > self.loss - 0.1 * target:
            self.n_near_done = int(self.is_near.sum()) if math.isfinite(loss) else -1
            return self.policy
        total = np.add.reduceat(weights, edges.first)[edges.place]
        is_met = total > _LEAST_WEIGHT
        return np.where(is_met, weights / np.where(is_met, total, 1.0), self.policy)


class _Program:
    """The sequence-form program of one player, the leader.

    Columns are the leader's weights (the chance of a hand times its action probabilities), their
    sums over hands that match a bid equally often, and what every hand of the other player gets
    from a state on. The rows say that weights are shared out among actions, and that the other gets
    at least what each of their answers is worth; what they get in all is minimised.
    """

    def __init__(self, game: _Game, leader: int, is_allowed: B1, is_answer: B1) -> None:
        tree, other = game.tree, 1 - leader
        self.own_probs, self.other_probs = (tree.graph.hand_probs[p] for p in (leader, other))
        sequence = np.empty((tree.n_states, self.own_probs.size), np.int32)
        sequence[0] = np.arange(self.own_probs.size)
        answer = np.empty((tree.n_states, self.other_probs.size), np.int32)
        self.edge_column = np.empty(is_allowed.shape, np.int32)
        n_entries = n_rows = 0
        for _ in range(2):  # to count, and to fill
            self.entries = kernels.Entries(
                row=np.empty(n_entries, np.int32),
                column=np.empty(n_entries, np.int32),
                coefficient=np.empty(n_entries),
                is_equality=np.empty(n_rows, np.bool_),
                n_used=np.zeros(3, np.int64),
            )
            kernels.list_entries(
                game.pass_graphs[other],
                float(game.most[other]),
                game.seen_by(leader),
                kernels.Choice(is_allowed, is_answer),
                kernels.Columns(sequence, answer, self.edge_column),
                self.entries,
            )
            n_entries, n_rows, self.n_columns = self.entries.n_used.tolist()
            if n_entries > game.most_entries:
                break

    @property
    def is_too_large(self) -> bool:
        """Whether it was only counted."""
        return bool(self.entries.n_used[0] > self.entries.row.size)

    def solve(self, lower: F8, upper: F8, deadline: float) -> tuple[float, F8]:
        """What the leader loses, and their weights; infinity where the program was not solved.

        lower, upper : float64[E, H], bounds of the weights
        """
        n_own, n_other = self.own_probs.size, self.other_probs.size
        cost = np.zeros(self.n_columns)
        cost[n_own : n_own + n_other] = self.other_probs
        bounds = np.full((self.n_columns, 2), (-np.inf, np.inf))
        bounds[:n_own] = self.own_probs[:, None]
        has_column = self.edge_column != kernels.NOTHING
        columns = self.edge_column[has_column]
        bounds[columns, 0], bounds[columns, 1] = lower[has_column], upper[has_column]
        is_equality = self.entries.is_equality
        at_most, equal = self._matrix(~is_equality, -1.0), self._matrix(is_equality, 1.0)
        solve = partial(
            linprog,
            cost,
            A_ub=at_most,
            b_ub=np.zeros(at_most.shape[0]),
            A_eq=equal,
            b_eq=np.zeros(equal.shape[0]),
            bounds=bounds,
            method="highs-ds" if self.entries.row.size < _INTERIOR_ENTRIES else "highs-ipm",
            options={
                "primal_feasibility_tolerance": _TOLERANCE,
                "dual_feasibility_tolerance": _TOLERANCE,
                "ipm_optimality_tolerance": _TOLERANCE,
                "time_limit": max(deadline - perf_counter(), 0.0),
            },
        )
        result = run_aside(solve)
        weights = np.zeros(lower.shape)
        if result.x is None:
            return math.inf, weights
        weights[has_column] = np.maximum(result.x[columns], 0.0)
        return float(result.fun), weights

    def _matrix(self, is_row: B1, sign: float) -> Any:  # Any: scipy's, sparse
        """Coefficients of these rows, times ``sign``."""
        entries = self.entries
        chosen = is_row[entries.row]
        rows = (np.cumsum(is_row) - 1)[entries.row[chosen]]
        return coo_array(
            (sign * entries.coefficient[chosen], (rows, entries.column[chosen])),
            shape=(int(is_row.sum()), self.n_columns),
        ).tocsc()

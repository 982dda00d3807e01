"""Counterfactual regret minimization with imperfect recall, over merged public states."""

import math
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from liarsolve._lanes import pad
from liarsolve._typing import F8, I8, U1, Real
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, Payoffs, PublicTree, group_hands
from liarsolve.solvers.core.halt import NEVER
from liarsolve.solvers.core.variants import DISCOUNTED_CFR, CFRVariant
from liarsolve.solvers.imperfect_recall import _cfr_kernels as kernels
from liarsolve.solvers.imperfect_recall import _cfr_records as records
from liarsolve.solvers.imperfect_recall import _opponent_kernels as opponent_kernels
from liarsolve.solvers.imperfect_recall._class_kernels import mark_live, merge_classes
from liarsolve.solvers.imperfect_recall.layout import (
    check_options,
    find_twins,
    make_others,
    make_states,
    meet_joint_hands,
    split_entries,
)
from liarsolve.solvers.imperfect_recall.pieces import is_run
from liarsolve.solvers.multiplayer.growing_tree import make_seats
from liarsolve.solvers.two_player.best_response import InitialPolicy, initial_actions
from liarsolve.solvers.two_player.cfr import normalise_strategy

DEFAULT_OWN_REACH_FLOOR = 1e-3
"""Exploitability in the full game, in thousandths, after 30 to 480 iterations at 3, 2 dice of
``common`` with recall 3: with 1, 57, 24, 25, 27, 32; with 0.1, 60, 18, 10, 9, 7; with 1e-3, 46, 17,
9, 8, 7; with 1e-4, 42, 16, 8, 8, 7. (All but 1 with a tremble that was shared out among the
actions.) To weigh the histories takes time, whatever the tremble: about a third more at 5, 5."""
_BLOCK = 64
"""Most hands of a player that are taken at once: the values of a block stay in the caches."""
_LARGE_ENTRIES = 100_000
"""(edge, hand) pairs from which on two threads find enough to do."""
_ROOM = 1.25
"""What is allocated for what is needed, so that a little more does not need new memory."""


def estimate_bytes(
    tree: PublicTree,
    dtype: DTypeLike,
    n_drawn: int | None,
    n_threads: int,
    *,
    opponent_model_prob: float = 0.0,
) -> int:
    """Bytes that a `AbstractionCFR` takes, if the others come everywhere with all hands."""
    n_hands, item = tree.graph.n_hands, np.dtype(dtype).itemsize
    n_pairs = tree.n_states * _count_given(tree.graph, n_drawn, opponent_model_prob)
    sizes = [_block_size(tree, player) for player in range(len(n_hands))]
    n_blocks = max(math.ceil(n / size) for n, size in zip(n_hands, sizes, strict=True))
    n_edges = [children.size for children in tree.children]
    is_copied = tree.abstraction is not None and tree.abstraction.similar_hands is not None
    n_arrays = 3 if is_copied else 2
    stored = n_arrays * item * sum(e * h for e, h in zip(n_edges, n_hands, strict=True))
    values = item * n_threads * (2 * n_pairs + tree.n_states) * max(sizes)
    pairs = (item + 4 + 4 + 8 + 2 * (4 + item)) * n_pairs
    return stored + values + pairs + n_blocks * (sum(n_edges) + tree.n_states)


def _block_size(tree: PublicTree, player: int) -> int:
    """Hands of a player in a block, whatever the number of threads: a multiple of the lanes."""
    n_hands = tree.graph.n_hands[player]
    n_parts = 2 if n_hands * tree.children[player].size > _LARGE_ENTRIES else 1
    return pad(min(math.ceil(n_hands / n_parts), _BLOCK))


def count_joint_hands(graph: BidGraph) -> int:
    """Most joint hands of the others that a player may face."""
    return math.prod(graph.n_hands) // min(graph.n_hands)


def _count_given(graph: BidGraph, n_drawn: int | None, opponent_model_prob: float) -> int:
    """Most joint hands of the others that a pass meets, of two kinds if some go by the odds."""
    n_joint = count_joint_hands(graph)
    if opponent_model_prob > 0.0:
        n_joint *= 2 ** (graph.n_players - 1)
    return n_joint if n_drawn is None else min(n_drawn, n_joint)


class AbstractionCFR:
    """CFR for a round of two or more players who do not remember all that was bid.

    Different histories may lead to what a player remembers. In the regrets each counts by the
    chance and the choices of the others, and by how far the player takes it with the hand that they
    hold: who does not remember their first bids may still trust that they were those that they
    make. Their average strategy is weighted by their own choices alone. If all is remembered there
    is one history, and this is the textbook algorithm; if not, or with more than two players, no
    theorem promises an equilibrium, and the exploitability in the full game is for `certify` and
    `certify_profile` to say, which traverse the round as it is.

    A pass meets every joint hand of the others, or some that are drawn. Hands that the abstraction
    does not tell apart share their regrets and averages, each by its chance.

    Parameters
    ----------
    tree : PublicTree
        Public states, merged by what the players take into account: see `merge_states`.
    payoffs : Payoffs
        What the outcomes are worth.
    variant : CFRVariant
        Which member of the family; not a predictive one.
    initial : InitialPolicy
        What a player does before they have anything to regret.
    dtype : numpy dtype
        Type in which regrets, averages and values are stored; sums are float64.
    n_drawn : int, optional
        Joint hands of the others that a pass draws at the most, or meets one and all if they are
        no more; the first passes draw fewer. If not given, every pass meets them all.
    opponent_model_prob : float
        Chance, from 0 to below 1, with which a player reckons of each other one that they go by the
        odds for the whole round (they act by ``initial``) and not by what they have learned. At a
        table of several players nobody learns otherwise what to do after bids that nobody would
        make.
    own_reach_floor : float
        How far every action counts as taken, whatever the player does, when histories are
        compared: above 0, so that they know what to think wherever they may come, and up to 1, with
        which every history counts alike.
    revisit_period : int
        In late iterations, unless some hands are alike, what no hand of the traverser plays is met
        once in so many passes, and what is found there counts so many times. Nearly all of a large
        round is that. The period is at most half the square root of the iteration.
    seed : int
        Of the draws.
    n_threads : int, optional
        Threads that share the hands out; the number of processors if not given. The result does
        not depend on it.

    References
    ----------
    Lanctot et al. (2012), "No-regret learning in extensive-form games with imperfect recall",
    arXiv:1205.0622, for the regrets with ``own_reach_floor`` 1. Piccione and Rubinstein (1997), "On
    the interpretation of decision problems with imperfect recall", for beliefs that follow from
    what the player does. Zinkevich et al. (2007) for regret matching. Johanson,
    Zinkevich and Bowling (2007), "Computing robust counter-strategies", for opponents who play a
    given strategy with some chance.

    A step that ``halt`` ends leaves out what it has not come to. The strategy is valid, but no step
    should follow.

    Examples
    --------
    >>> from liarsolve.game import Recall, StrategyProfile, compile_graph, merge_states
    >>> from liarsolve.rules import Round, presets
    >>> from liarsolve.solvers import certify
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
    >>> solver = AbstractionCFR(merge_states(graph, Recall(1)))
    >>> for _ in range(100):
    ...     solver.step()
    >>> profile = StrategyProfile(*solver.average_strategy())
    >>> certify(profile).exploitability < 0.01  # in the true game
    True
    """

    def __init__(
        self,
        tree: PublicTree,
        payoffs: Payoffs | None = None,
        variant: CFRVariant = DISCOUNTED_CFR,
        *,
        initial: InitialPolicy = InitialPolicy.LIKELIEST,
        dtype: DTypeLike = np.float64,
        n_drawn: int | None = None,
        opponent_model_prob: float = 0.0,
        own_reach_floor: float = DEFAULT_OWN_REACH_FLOOR,
        revisit_period: int = 1,
        seed: int = 0,
        n_threads: int | None = None,
    ) -> None:
        graph = tree.graph
        check_options(variant, n_drawn)
        if not 0.0 <= opponent_model_prob < 1.0:
            raise InputError(
                "opponent_model_prob is a chance from 0 to below 1, "
                f"got opponent_model_prob={opponent_model_prob}"
            )
        if not 0.0 < own_reach_floor <= 1.0:
            raise InputError(
                "own_reach_floor is a weight above 0 and up to 1, "
                f"got own_reach_floor={own_reach_floor}"
            )
        if revisit_period < 1:
            raise InputError(
                f"what nobody plays is met once in 1 pass or more, got {revisit_period=}"
            )
        self.tree = tree
        self.payoffs = payoffs or Payoffs()
        self.variant = variant
        self.iteration = 0
        self.halt = NEVER
        self.n_drawn = n_drawn
        self.opponent_model_prob = opponent_model_prob
        self.own_reach_floor = float(own_reach_floor)
        self.revisit_period = revisit_period
        self.seed = seed
        self._last_visit = 0
        self._regret_weight = 1.0
        states = make_states(self.tree, self.payoffs)
        self._alike = group_hands(tree.every_raise.graph, tree.abstraction)
        self._defaults = initial_actions(graph, initial)
        if self._alike is not None:
            self._defaults = self._alike.act_alike(self._defaults)
        self._dtype = np.dtype(dtype)
        n_edges = [children.size for children in tree.children]
        n_entries = sum(e * h for e, h in zip(n_edges, graph.n_hands, strict=True))
        sizes = [_block_size(tree, player) for player in range(graph.n_players)]
        n_blocks = max(-(-n // size) for n, size in zip(graph.n_hands, sizes, strict=True))
        self._is_met = np.empty((n_blocks, tree.n_states), np.uint8)
        self._blocks = [self._make_blocks(player, size) for player, size in enumerate(sizes)]
        self._sums = records.Sums(
            cum_regret=np.zeros(n_entries, dtype),
            cum_policy=np.zeros(n_entries, dtype),
            is_live=np.zeros((n_blocks, sum(n_edges)), np.uint8),
            block_size=np.array(sizes),
        )
        self._table = records.Table(
            states, find_twins(states), make_seats(graph, self._defaults), self._sums
        )
        self._n_threads = n_threads or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._n_threads) if self._n_threads > 1 else None
        self._scratches = [self._make_scratch() for _ in range(self._n_threads)]
        # Kept from pass to pass: the system takes longer to hand out clean memory than a pass does.
        n_pairs = tree.n_states * _count_given(graph, n_drawn, opponent_model_prob)
        self._reach: Real = np.empty(n_pairs, dtype)
        self._pair = np.empty(n_pairs, np.int32)
        self._first_pair = np.empty(tree.n_states + 1, np.int64)
        self._joint_hand = np.empty(n_pairs, np.int32)
        self._first_move = np.empty(n_pairs + 1, np.int64)
        self._action, self._prob = np.empty(0, np.int32), np.empty(0, dtype)

    @property
    def graph(self) -> BidGraph:
        """The compiled round."""
        return self.tree.graph

    @property
    def n_bytes(self) -> int:
        """Memory of what is stored and of the scratch arrays."""
        arrays = [*self._sums, self._is_met, self._reach, self._pair, self._joint_hand]
        arrays += [self._first_move, self._action, self._prob]
        if self._alike is not None:
            arrays.append(self._sums.cum_policy)  # of which `entries` makes a copy
        for scratch in self._scratches:
            arrays += [scratch.reach, scratch.chance, scratch.value]
        return sum(array.nbytes for array in arrays)

    @property
    def n_threads(self) -> int:
        """Threads that share the hands out."""
        return self._n_threads

    def blocks(self, player: int) -> list[tuple[int, tuple[int, int]]]:
        """The blocks of a player's hands: number, first hand and the one after the last."""
        return [(block.number, (block.lo, block.hi)) for block in self._blocks[player]]

    def _make_blocks(self, player: int, size: int) -> list[records.Block]:
        matches = self.graph.matches[player].astype(np.float64)
        n_hands = matches.shape[1]
        matches = np.pad(matches, ((0, 0), (0, -n_hands % size)))
        return [
            records.Block(player, number, lo, hi, matches, self._is_met[number])
            for number, (lo, hi) in enumerate(pairwise([*range(0, n_hands, size), n_hands]))
        ]

    def _make_scratch(self) -> records.BlockScratch:
        width = int(self._sums.block_size.max())
        n_rows = int(np.diff(self.graph.action_start).max()) + 1
        n_most = max(n_rows, _count_given(self.graph, self.n_drawn, self.opponent_model_prob))
        return records.BlockScratch(
            reach=np.empty((self.tree.n_states, width), self._dtype),
            value=np.empty((0, width), self._dtype),
            rows=np.empty(2 * n_rows, np.int64),
            policy=np.zeros((n_rows, width)),
            below=np.empty(n_most, np.int64),
            weight=np.empty(n_most),
            gain=np.empty((2, width)),
            chance=np.empty((0, width), self._dtype),
            carried=np.empty((n_most, width)),
        )

    def step(self) -> None:
        """One iteration: the players update in turn, each against the others' latest policies."""
        self.iteration += 1
        weights = self.variant.step(
            self.iteration,
            self.iteration,
            threshold=0.0,
            may_create=False,
            revisit_period=1,
        )
        # Old positive regrets are not made smaller but new ones larger: the same in proportion,
        # and right where a state is left out.
        step = records.Step(
            regret_weight=self._regret_weight,
            keep_negative=weights.keep_negative / weights.keep_positive,
            visit_weight=self._visit_weight(),
            own_reach_floor=self.own_reach_floor,
        )
        for traverser in range(self.graph.n_players):
            self._run_pass(traverser, step, weights.average_weight)
        self._regret_weight /= weights.keep_positive

    def _visit_weight(self) -> float:
        """Passes that one to what the traverser does not play stands for; 0 to leave it out."""
        passes = self.iteration - self._last_visit
        if self._alike is None and passes < min(
            self.revisit_period, math.isqrt(self.iteration) // 2
        ):
            return 0.0
        self._last_visit = self.iteration
        return float(passes)

    def _run_pass(self, traverser: int, step: records.Step, average_weight: float) -> None:
        table, n_states = self._table, self.tree.n_states

        def average(thread: int, block: records.Block) -> bool:
            block.is_met[:] = 0
            return is_run(
                lambda start, n_work: kernels.average_down(
                    table, block, average_weight, self._scratches[thread], start, n_work
                ),
                0,
                n_states,
                self.halt,
            )

        # Hands that are alike are counted together before negative regrets are made smaller.
        keep_negative = step.keep_negative
        if self._alike is not None:
            step = step._replace(keep_negative=1.0)
        if not self._is_shared_out(traverser, average):
            return
        is_wanted = np.ones(n_states, np.uint8)
        if step.visit_weight == 0.0:
            self._is_met[: len(self._blocks[traverser])].max(axis=0, out=is_wanted)
        found = self._reach_down(traverser, is_wanted)
        if found is None:
            return
        others, opp_reach = found
        self._is_shared_out(
            traverser, lambda thread, block: self._learn(thread, block, step, others, opp_reach)
        )
        if self._alike is not None:  # also what was not finished, so that they stay alike
            first_pair = opp_reach.first_pair
            self._merge(self._sums.cum_regret, traverser, keep_negative, first_pair)
            mark_live(table.states, table.seats, self._sums, traverser, first_pair)

    def _learn(
        self,
        thread: int,
        block: records.Block,
        step: records.Step,
        others: records.Others,
        opp_reach: records.OpponentReach,
    ) -> bool:
        """Add the regrets of a block; returns whether there was time for all."""
        table, n_states = self._table, self.tree.n_states
        scratch = self._scratches[thread]
        if len(scratch.value) < opp_reach.first_pair[-1]:
            n_rows = min(int(_ROOM * int(opp_reach.first_pair[-1])), self._joint_hand.size)
            shape = (n_rows, scratch.value.shape[1])
            nothing = np.empty((0, shape[1]), self._dtype)
            self._scratches[thread] = scratch._replace(value=nothing, chance=nothing)
            scratch = scratch._replace(
                value=np.empty(shape, self._dtype), chance=np.empty(shape, self._dtype)
            )
            self._scratches[thread] = scratch

        def clear(start: int, n_work: int) -> int:
            chance = scratch.chance
            return kernels.clear_chance(table, block, step, opp_reach, chance, start, n_work)

        def weigh(start: int, n_work: int) -> int:
            return kernels.weigh_down(table, block, step, opp_reach, scratch, start, n_work)

        def regret(start: int, n_work: int) -> int:
            return kernels.regret_up(table, block, step, others, opp_reach, scratch, start, n_work)

        return (
            is_run(clear, 0, n_states, self.halt)
            and is_run(weigh, 0, n_states, self.halt)
            and is_run(regret, n_states, 0, self.halt)
        )

    def _merge(self, entries: Real, player: int, keep_negative: float, first_pair: I8) -> None:
        assert self._alike is not None
        merge_classes(
            self._table.states,
            entries,
            self._alike.of_hand,
            self.graph.hand_probs[player],
            player,
            keep_negative,
            first_pair,
            np.empty((2, max(self.graph.n_hands))),
        )

    def _is_shared_out(self, traverser: int, work: Callable[[int, records.Block], bool]) -> bool:
        """Do some work for every block of the traverser's hands; returns whether all was done."""
        blocks = self._blocks[traverser]

        def run_share(thread: int) -> bool:
            return all(work(thread, block) for block in blocks[thread :: self._n_threads])

        n_shares = min(self._n_threads, len(blocks))
        if n_shares == 1 or self._pool is None:
            return all(run_share(thread) for thread in range(n_shares))
        futures = [self._pool.submit(run_share, thread) for thread in range(n_shares)]
        try:
            return all(future.result() for future in futures)
        finally:  # after an interrupt, nobody may touch the arrays while threads still do
            wait(futures)

    def _reach_down(
        self, traverser: int, is_wanted: U1
    ) -> tuple[records.Others, records.OpponentReach] | None:
        """Joint hands that a pass meets, how the others come with them, and what they do.

        None if there is no time for it.
        """
        joint_hands, weights = self._given_hands(traverser)
        others = make_others(self.graph, traverser, joint_hands)
        shape = (self.tree.n_states, weights.size)
        while True:
            opp_reach = records.OpponentReach(
                reach=self._reach[: math.prod(shape)].reshape(shape),
                pair=self._pair[: math.prod(shape)].reshape(shape),
                first_pair=self._first_pair,
                joint_hand=self._joint_hand,
                first_move=self._first_move,
                action=self._action,
                prob=self._prob,
            )
            opp_reach.reach[:] = 0.0
            opp_reach.reach[0] = weights
            n_moves = self._count_moves(traverser, others, opp_reach, is_wanted)
            if n_moves is None:
                return None
            if n_moves <= self._action.size:
                return others, opp_reach
            n_moves = int(_ROOM * n_moves)
            self._action, self._prob = np.empty(n_moves, np.int32), np.empty(n_moves, self._dtype)

    def _count_moves(
        self,
        traverser: int,
        others: records.Others,
        opp_reach: records.OpponentReach,
        is_wanted: U1,
    ) -> int | None:
        """Fill in as many moves of the others as there is room for, and count them all."""
        most_hands, most_actions = others.hands.shape[1], len(self._scratches[0].policy)
        scratch = records.MoveScratch(
            n_moves_of=np.empty(most_hands, np.int64),
            action=np.empty((most_hands, most_actions), np.int32),
            prob=np.empty((most_hands, most_actions)),
            carried=np.empty(others.place.shape[1]),
        )
        progress = np.zeros(3, np.int64)

        def reach(_start: int, n_work: int) -> int:
            return opponent_kernels.reach_down(
                self._table, traverser, others, opp_reach, is_wanted, scratch, progress, n_work
            )

        is_whole = is_run(reach, 0, self.tree.n_states, self.halt)
        return int(progress[2]) if is_whole else None

    def _given_hands(self, traverser: int) -> tuple[I8, F8]:
        share, hand_probs = self.opponent_model_prob, self.graph.hand_probs
        if share > 0.0:
            hand_probs = tuple(np.concatenate([(1 - share) * p, share * p]) for p in hand_probs)
        return meet_joint_hands(hand_probs, traverser, self.n_drawn, self.iteration, self.seed)

    def to_state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Everything that `restore` needs: plain values, and arrays that are views."""
        values = {
            "iteration": self.iteration,
            "last_visit": self._last_visit,
            "regret_weight": self._regret_weight,
        }
        sums = self._sums
        arrays: dict[str, NDArray[Any]] = {
            "cum_regret": sums.cum_regret,
            "cum_policy": sums.cum_policy,
            "is_live": sums.is_live,
        }
        return values, arrays

    def restore(self, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on where `to_state` was taken, to the last bit."""
        self.iteration = int(values["iteration"])
        self._last_visit = int(values["last_visit"])
        self._regret_weight = float(values["regret_weight"])
        self._sums.cum_regret[:] = arrays["cum_regret"]
        self._sums.cum_policy[:] = arrays["cum_policy"]
        self._sums.is_live[:] = arrays["is_live"]

    def average_strategy(self, *, is_last: bool = False) -> tuple[PublicTree, tuple[Real, ...]]:
        """The average strategy, and the merged states on which it is written.

        For each player float[E, H]; over the edges of a state it sums to 1 for every hand. Hands
        that never came to a state have the initial policy there. With ``is_last`` the solver gives
        up its arrays for it, and is of no use afterwards.
        """
        weights = self.weights()
        out = weights if is_last else None
        if is_last:
            del self._sums, self._table
            self._scratches.clear()
        return self.tree, normalise_strategy(self.tree, weights, self._defaults, out)

    @property
    def entries(self) -> Real:
        """The average strategies as they are stored, in one row: see `split_entries`.

        If some hands are alike, a copy in which they are, and which is normalised.
        """
        if self._alike is None:
            return self._sums.cum_policy
        entries = self._sums.cum_policy.copy()
        everywhere = np.arange(self.tree.n_states + 1)
        for player in range(self.graph.n_players):
            self._merge(entries, player, 1.0, everywhere)
        weights = split_entries(self.tree, entries)
        normalise_strategy(self.tree, weights, self._defaults, weights)
        return entries

    def weights(self) -> tuple[Real, ...]:
        """The entries of each player: views of float[E, H]."""
        return split_entries(self.tree, self.entries)

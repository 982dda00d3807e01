"""Asking a strategy what to do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from liarsolve._typing import F8, I8, Real
from liarsolve.dice import format_hand, parse_hand
from liarsolve.errors import InputError, InputTypeError
from liarsolve.game import (
    NO_STATE,
    BidGraph,
    Payoffs,
    PublicTree,
    action_places,
    default_actions,
    outcome_ids,
)
from liarsolve.rules import Action, Bid, Call, format_action
from liarsolve.solvers import Profile, hand_values, values_of_actions


@dataclass(frozen=True, slots=True)
class Advice:
    """One legal action at an information set."""

    action: Action
    probability: float
    """How often the strategy plays it."""
    expected_value: float
    """Utility of the round to the player after this action, if all go on by the strategy."""
    standard_error: float = 0.0
    """Of the expected value, where it is an estimate from drawn hands."""

    @property
    def win_probability(self) -> float:
        """Chance of winning a round of two, where winning pays +1 and losing -1."""
        return min(max((self.expected_value + 1.0) / 2.0, 0.0), 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class Strategy:
    """All players' strategies for one round, by hand and by the bids made so far.

    A history is a sequence of bids from the start of the round, as `Bid` or as text (``"2x3"``);
    it says whose turn it is. A hand is that player's own dice, in any order.

    Whoever needs all hands at once goes from place to place with `start` and `after`, and asks
    `policy` there.
    """

    tree: PublicTree
    weights: tuple[Real, ...]
    """For each player, the weights of his actions by edge and hand, [E, H]; where all are 0 and
    where the tree has no state, he plays by `default_actions`."""
    payoffs: Payoffs

    def probs(
        self, hand: Iterable[int] | str, history: Iterable[Action | str] = ()
    ) -> Mapping[Action, float]:
        """Probability of every legal action, 0 for those that an abstraction leaves out.

        Raises
        ------
        InputError
            If the hand does not fit the dice of the player to act.
        IllegalActionError
            If the history breaks the rules.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> strategy = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).strategy
        >>> probs = strategy.probs(hand=(1,), history=["2x1"])
        >>> {str(action): round(p, 2) for action, p in probs.items()}
        {'2x2': 0.0, 'liar': 1.0}
        """
        _, place = self._follow(history)
        hand_id = self._hand_id(place, hand)
        column = self.policy(place, slice(hand_id, hand_id + 1))[:, 0]
        return dict(zip(self._graph.actions(place.node), column.tolist(), strict=True))

    def __repr__(self) -> str:
        round_ = self.tree.graph.round
        return f"Strategy(rules={round_.rules.name!r}, dice={round_.dice})"

    def sample(
        self,
        hand: Iterable[int] | str,
        history: Iterable[Action | str] = (),
        *,
        rng: np.random.Generator | int,
    ) -> Action:
        """Draw an action; ``rng`` is a numpy generator or a seed."""
        if isinstance(rng, bool) or not isinstance(rng, np.random.Generator | int | np.integer):
            raise InputTypeError(f"rng is a numpy random Generator or a seed, got {rng!r}")
        actions = self.probs(hand, history)
        point = np.random.default_rng(rng).random() * sum(actions.values())
        for action, p in actions.items():
            point -= p
            if point < 0.0:
                return action
        return max(actions, key=lambda action: actions[action])  # rounding left a crumb

    def advise(
        self, hand: Iterable[int] | str, history: Iterable[Action | str] = ()
    ) -> tuple[Advice, ...]:
        """Every legal action with its probability and expected value, the most played first.

        The expected value weighs every other player's hands by how his strategy would have come
        here; all go on by their strategies. Where a strategy would never have made its bids with
        any hand, that player's dice are taken to be random.

        With an abstraction and more than two players there may be too many joint hands of the
        others. The value of a raise is an estimate then, from some that are drawn by these weights,
        always the same ones; `Advice.standard_error` says how far off it may be.
        """
        place, reach_of = self._locate(history)
        hand_id = self._hand_id(place, hand)
        beliefs = [
            reach / reach.sum() if reach.sum() > 0.0 else probs
            for reach, probs in zip(reach_of, self._graph.hand_probs, strict=True)
        ]
        values = self._action_values(place, hand_id, beliefs)
        probs = self.policy(place, slice(hand_id, hand_id + 1))[:, 0]  # to the last bit as `probs`
        actions = self._graph.actions(place.node)
        advice = [
            Advice(action, float(p), value, error)
            for action, p, (value, error) in zip(actions, probs, values, strict=True)
        ]
        return tuple(sorted(advice, key=lambda a: (-a.probability, -a.expected_value)))

    def start(self) -> "Place":
        """Place at which the round begins."""
        return Place(0, int(self.tree.node[0]), int(self.tree.graph.player[0]))

    def after(self, place: "Place", k: int) -> "Place":
        """Place after the k-th legal action, a raise."""
        tree, graph = self.tree.every_raise, self._graph
        node = int(graph.action_target[graph.action_start[place.node] + k])
        state = NO_STATE
        if place.state != NO_STATE:
            state = int(tree.children[place.player][tree.first_edge[place.state] + k])
        return Place(state, node, int(graph.player[node]))

    def policy(self, place: "Place", hands: slice = slice(None)) -> F8:
        """Probabilities of all legal actions at a place, for all hands or some.

        Returns
        -------
        float64[A, H]
            Actions in the order of the bids, then the calls; hands by ``hand_id``.
        """
        start, stop = (int(n) for n in self.tree.graph.action_start[place.node : place.node + 2])
        n_actions = stop - start
        chosen = self._defaults[place.player][place.node, hands]
        policy: F8 = (np.arange(n_actions)[:, None] == chosen).astype(np.float64)
        if place.state != NO_STATE:
            first = int(self.tree.first_edge[place.state])
            weights = self.weights[place.player][first : first + n_actions, hands]
            total = weights.sum(axis=0, dtype=np.float64)
            np.divide(weights, total, out=policy, where=total > 0.0)
        if self.tree.legal is None:
            return policy
        legal: F8 = np.zeros((len(self._graph.actions(place.node)), policy.shape[1]))
        legal[self._known_places[start:stop]] = policy
        return legal

    def _action_values(
        self, place: "Place", hand_id: int, beliefs: list[F8]
    ) -> list[tuple[float, float]]:
        """Value of every action, and its standard error."""
        result = []
        values, errors = np.empty(0), np.empty(0)
        if self.tree.abstraction is not None:
            values, errors = values_of_actions(
                self.tree,
                self.weights,
                self.payoffs,
                place.player,
                hand_id,
                place.state,
                beliefs,
                defaults=self._defaults,
            )
        for k, action in enumerate(self._graph.actions(place.node)):
            if not isinstance(action, Bid):
                result.append((self._call_value(place, action, hand_id, beliefs), 0.0))
            elif self.tree.abstraction is not None:
                result.append((float(values[k]), float(errors[k])))
            else:
                after = self.after(place, k)
                result.append((self._raise_value(place.player, after, hand_id, beliefs), 0.0))
        return result

    def _raise_value(self, player: int, after: "Place", hand_id: int, beliefs: list[F8]) -> float:
        if self.tree.graph.n_players > 2:
            values = self._profile.hand_values(
                player, state=after.state, node=after.node, reach=beliefs, hand_id=hand_id
            )
        else:
            values = hand_values(
                self.tree,
                self.weights,
                player,
                self.payoffs,
                state=after.state,
                node=after.node,
                reach=beliefs[1 - player],
                defaults=self._defaults,
                is_best_response=False,
                hand_id=hand_id,
            )
        return float(values[hand_id])

    def _call_value(self, place: "Place", call: Call, hand_id: int, beliefs: list[F8]) -> float:
        graph = self.tree.graph
        player, row = place.player, graph.match_class[place.node]
        pmf = np.ones(1)  # of the number of matches among the other players' dice
        for other, belief in enumerate(beliefs):
            if other != player:
                pmf = np.convolve(pmf, np.bincount(graph.matches[other][row], belief))
        count = graph.matches[player][row, hand_id] + np.arange(pmf.size)
        outcome = outcome_ids(call, count, int(graph.quantity[place.node]))
        return float(pmf @ self.payoffs.table(graph.n_players)[outcome, player, player])

    @cached_property
    def _profile(self) -> Profile:
        return Profile.of(self.tree, self.weights, self.payoffs)

    @cached_property
    def _defaults(self) -> tuple[I8, ...]:
        return default_actions(self.tree.graph)

    @property
    def _graph(self) -> BidGraph:
        """The round with all that may be done; that of the tree may leave out raises."""
        return self.tree.every_raise.graph

    @cached_property
    def _known_places(self) -> I8:
        """Place among all legal actions of every action of the tree's graph."""
        return action_places(self.tree.graph, self._graph)

    def _follow(self, history: Iterable[Action | str]) -> tuple[list[tuple["Place", int]], "Place"]:
        """Places on the way with the action taken at each, and the place after a history."""
        graph = self._graph
        if isinstance(history, str):
            raise InputTypeError(f'a history is a list of bids such as ["1x2"], got {history!r}')
        public_state = graph.round.state_after(history)
        if public_state.call is not None:
            raise InputError(f"the round is over after {format_action(public_state.call)}")
        path, place = [], self.start()
        for bid in public_state.bids:
            k = graph.actions(place.node).index(bid)
            path.append((place, k))
            place = self.after(place, k)
        return path, place

    def _locate(self, history: Iterable[Action | str]) -> tuple["Place", list[F8]]:
        """Place after a history, and each player's reach there."""
        path, after = self._follow(history)
        reach = [probs.copy() for probs in self._graph.hand_probs]
        for place, k in path:
            reach[place.player] *= self.policy(place)[k]
        return after, reach

    def _hand_id(self, place: "Place", hand: Iterable[int] | str) -> int:
        graph = self.tree.graph
        dice = parse_hand(hand, graph.round.rules.faces)
        n_dice = graph.round.dice[place.player]
        if len(dice) != n_dice:
            raise InputError(
                f"player {place.player} is to act and has {n_dice} "
                f"{'die' if n_dice == 1 else 'dice'}, got the hand {format_hand(dice)!r}"
            )
        return graph.hand_ids[place.player][dice]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a round stands; the state is `NO_STATE` if the tree does not have it."""

    state: int
    node: int
    player: int

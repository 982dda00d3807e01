"""Asking a strategy what to do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from liarsolve._typing import F8
from liarsolve.dice import format_hand, parse_hand
from liarsolve.errors import InputError, InputTypeError
from liarsolve.game import Payoffs, PublicTree, outcome_ids
from liarsolve.rules import Action, Bid, Call, format_action
from liarsolve.solvers import hand_values


@dataclass(frozen=True, slots=True)
class Advice:
    """One legal action at an information set."""

    action: Action
    probability: float
    """How often the strategy plays it."""
    expected_value: float
    """Utility of the action against the other player's strategy, with best replies later on."""

    @property
    def win_probability(self) -> float:
        """Chance of winning the round, where winning pays +1 and losing -1."""
        return (self.expected_value + 1.0) / 2.0


@dataclass(frozen=True, eq=False)
class Strategy:
    """Both players' strategies for one round, by hand and by the bids made so far.

    A history is a sequence of bids from the start of the round, as `Bid` or as text (``"2x3"``);
    it says whose turn it is. A hand is that player's own dice, in any order.
    """

    tree: PublicTree
    probs_by_edge: tuple[F8, ...]
    """For each player, float64[E, H]."""
    payoffs: Payoffs

    def probs(
        self, hand: Iterable[int] | str, history: Iterable[Action | str] = ()
    ) -> Mapping[Action, float]:
        """Probability of every legal action.

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
        >>> {str(action): p for action, p in strategy.probs(hand=(1,), history=["2x1"]).items()}
        {'2x2': 0.0, 'liar': 1.0}
        """
        state, _ = self._locate(history)
        player, hand_id = self._player_and_hand(state, hand)
        column = self._rows(state, player)[:, hand_id]
        return {action: float(p) for action, p in zip(self._actions(state), column, strict=True)}

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
        """Every legal action with its probability and expected value, the best first.

        The expected value weighs the other player's hands by how his strategy would have come
        here, and supposes best replies to it later on. Actions whose values differ by less than a
        millionth are ordered by probability. Where his strategy would never have made these bids
        with any hand, his dice are taken to be random.
        """
        state, reach_of = self._locate(history)
        player, hand_id = self._player_and_hand(state, hand)
        reach = reach_of[1 - player]
        if not reach.sum() > 0.0:
            reach = self.tree.graph.hand_probs[1 - player]
        values = self._action_values(state, player, hand_id, reach / reach.sum())
        probs = self._rows(state, player)[:, hand_id]
        advice = [
            Advice(action, float(p), value)
            for action, p, value in zip(self._actions(state), probs, values, strict=True)
        ]
        return tuple(sorted(advice, key=lambda a: (-round(a.expected_value, 6), -a.probability)))

    def _action_values(self, state: int, player: int, hand_id: int, reach: F8) -> list[float]:
        tree, graph = self.tree, self.tree.graph
        node = int(tree.node[state])
        first = int(tree.first_edge[state])
        result = []
        for k, action in enumerate(graph.actions(node)):
            if isinstance(action, Bid):
                child = int(tree.children[player][first + k])
                values = hand_values(
                    tree, self.probs_by_edge, player, self.payoffs, state=child, reach=reach
                )
                result.append(float(values[hand_id]))
            else:
                result.append(self._call_value(node, action, player, hand_id, reach))
        return result

    def _call_value(self, node: int, call: Call, player: int, hand_id: int, reach: F8) -> float:
        graph = self.tree.graph
        row = graph.match_class[node]
        count = graph.matches[player][row, hand_id] + graph.matches[1 - player][row]
        outcome = outcome_ids(call, count, int(graph.quantity[node]))
        return float(reach @ self.payoffs.table(graph.n_players)[outcome, player, player])

    def _locate(self, history: Iterable[Action | str]) -> tuple[int, list[F8]]:
        """State after a history, and each player's reach there."""
        tree, graph = self.tree, self.tree.graph
        if isinstance(history, str):
            raise InputTypeError(f'a history is a list of bids such as ["1x2"], got {history!r}')
        public_state = graph.round.state_after(history)
        if public_state.call is not None:
            raise InputError(f"the round is over after {format_action(public_state.call)}")
        state = 0
        reach = [probs.copy() for probs in graph.hand_probs]
        for bid in public_state.bids:
            player = int(graph.player[tree.node[state]])
            k = self._actions(state).index(bid)
            reach[player] *= self._rows(state, player)[k]
            state = int(tree.children[player][tree.first_edge[state] + k])
        return state, reach

    def _actions(self, state: int) -> tuple[Action, ...]:
        return self.tree.graph.actions(int(self.tree.node[state]))

    def _rows(self, state: int, player: int) -> F8:
        first = int(self.tree.first_edge[state])
        return self.probs_by_edge[player][first : first + len(self._actions(state))]

    def _player_and_hand(self, state: int, hand: Iterable[int] | str) -> tuple[int, int]:
        graph = self.tree.graph
        player = int(graph.player[self.tree.node[state]])
        dice = parse_hand(hand, graph.round.rules.faces)
        n_dice = graph.round.dice[player]
        if len(dice) != n_dice:
            raise InputError(
                f"player {player} is to act and has {n_dice} {'die' if n_dice == 1 else 'dice'}, "
                f"got the hand {format_hand(dice)!r}"
            )
        return player, graph.hand_ids[player][dice]

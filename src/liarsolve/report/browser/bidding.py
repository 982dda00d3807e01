"""What a page shows of a solved round of bidding."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from liarsolve._typing import F8
from liarsolve.errors import InputError
from liarsolve.game import BidGraph
from liarsolve.report.browser.blocks import (
    round_reach,
    thousandths,
    thousandths_of_probs,
)
from liarsolve.rules import Bid, rule_sentences
from liarsolve.strategy import BiddingSolution
from liarsolve.strategy.bidding.strategy import Place

__all__ = ["MOST_BYTES", "BiddingPages", "count_histories"]

MOST_BYTES = 25_000_000
"""Largest page that is written: browsers open it without delay, and mail still takes it."""
_BYTES_PER_NUMBER = 0.8
"""Of a page, packed and in base64: 0.54 to 1.0 were measured on rounds of two dice each, of four
and six faces; the more states, the less."""
_FEW_HISTORIES = 1000
"""All are written where there are no more, also those that play does not come to."""
_USUAL_REACH = 1e-3
_GREY = 1e-3
"""Hands are grey that make their own bids on the way less often than this."""


@dataclass(frozen=True, slots=True)
class History:
    """A public state that is written: the bids so far, and how each player comes there."""

    bids: tuple[Bid, ...]
    place: Place
    reach: list[F8]
    """For each player, the chance of every hand together with their own bids."""

    @property
    def path(self) -> str:
        """How links name it."""
        return ",".join(map(str, self.bids))

    @property
    def chance(self) -> float:
        """How often play comes here."""
        return float(np.prod([of_hands.sum() for of_hands in self.reach]))


def count_histories(graph: BidGraph) -> int:
    """Count the sequences of bids that the rules allow, the empty one included.

    >>> from liarsolve.game import compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> count_histories(compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1))))
    16
    """
    counts = [1] * graph.n_nodes
    for node in reversed(range(graph.n_nodes)):  # a raise leads to a larger node
        targets = graph.action_target[graph.action_start[node] : graph.action_start[node + 1]]
        counts[node] += sum(counts[target] for target in targets.tolist() if target >= 0)
    return counts[0]


@dataclass(frozen=True)
class BiddingPages:
    """The data of a page about a round of bidding.

    Every history that is written has all hands of the player on turn with the probability and the
    expected value of every action, what is to be believed of the others' dice, and how often play
    comes there.
    """

    solution: BiddingSolution
    min_reach: float | None
    """Write public states to which play comes so often; None: all if they are few."""
    with_values: bool = True
    """Whether expected values are worked out, which takes long in large rounds."""

    @cached_property
    def least(self) -> float:
        """How often play comes to the states that are written, at the least."""
        if self.min_reach is not None:
            return self.min_reach
        return 0.0 if self.n_histories <= _FEW_HISTORIES else _USUAL_REACH

    @cached_property
    def n_histories(self) -> int:
        """Sequences of bids that the rules allow."""
        return count_histories(self._graph)

    @cached_property
    def written(self) -> list[History]:
        """All histories that are written, in the order of their bids.

        Raises
        ------
        InputError
            If they would make a page of more than 25 MB.
        """
        found, n_numbers = [], 0
        for history in self._reached():
            found.append(history)
            n_actions = len(self._graph.actions(history.place.node))
            n_hands = self._graph.n_hands[history.place.player]
            n_numbers += n_hands * (2 * n_actions + 2) + sum(self._graph.n_hands)
            if n_numbers * _BYTES_PER_NUMBER > MOST_BYTES:
                raise InputError(
                    f"the page would be larger than {MOST_BYTES // 10**6} MB with all public "
                    f"states that play comes to with a chance of {self.least:g} or more; raise "
                    "min_reach"
                )
        return found

    def _reached(self) -> Iterator[History]:
        strategy, graph = self.solution.strategy, self._graph
        stack = [History((), strategy.start(), [probs.copy() for probs in graph.hand_probs])]
        while stack:
            history = stack.pop()
            yield history
            place, policy = history.place, strategy.policy(history.place)
            actions = graph.actions(place.node)
            for k in reversed(range(len(actions))):
                bid = actions[k]
                if not isinstance(bid, Bid):
                    continue
                reach = list(history.reach)
                reach[place.player] = reach[place.player] * policy[k]
                if float(np.prod([of_hands.sum() for of_hands in reach])) >= self.least:
                    after = strategy.after(place, k)
                    stack.append(History((*history.bids, bid), after, reach))

    def blocks(self) -> dict[str, Any]:
        """All data of the page by block: ``meta``, and one for each first bid."""
        branches: dict[str, dict[str, Any]] = {"": {}}
        largest_error = 0.0
        for history in self.written:
            first = str(history.bids[0]) if history.bids else ""
            state, error = self._state(history)
            branches.setdefault(first, {})[history.path] = state
            largest_error = max(largest_error, error)
        names = {first: f"b{k}" for k, first in enumerate(branches)}
        meta = self._meta(largest_error) | {"branches": names}
        return {"meta": meta} | {names[first]: states for first, states in branches.items()}

    def _state(self, history: History) -> tuple[dict[str, Any], float]:
        """One public state as plain numbers, and the largest standard error of its values."""
        strategy, place = self.solution.strategy, history.place
        beliefs = [
            reach / reach.sum() if reach.sum() > 0.0 else probs
            for reach, probs in zip(history.reach, self._graph.hand_probs, strict=True)
        ]
        rivals = history.chance
        own = history.reach[place.player]
        by_hand = own * (rivals / own.sum()) if own.sum() > 0.0 else np.zeros(own.size)
        state: dict[str, Any] = {
            "n": place.node,
            "r": float(f"{history.chance:.3g}"),
            "h": round_reach(by_hand),
            "g": np.flatnonzero(own <= _GREY * self._graph.hand_probs[place.player]).tolist(),
            "p": thousandths_of_probs(strategy.policy(place)),
            "b": [
                None if player == place.player else thousandths_of_probs(belief)
                for player, belief in enumerate(beliefs)
            ],
            "t": thousandths_of_probs(self._chance_true(place, beliefs)) if history.bids else None,
            "v": None,
        }
        if not self.with_values:
            return state, 0.0
        values, errors = strategy.expected_values(place, beliefs)
        state["v"] = thousandths(values)
        return state, float(errors.max())

    def _chance_true(self, place: Place, beliefs: list[F8]) -> F8:
        """Chance by hand that the standing bid is true, if the others hold what is believed."""
        graph = self._graph
        row = int(graph.match_class[place.node])
        tail = self._tail(place.player, row, beliefs)
        missing = int(graph.quantity[place.node]) - graph.matches[place.player][row]
        chance: F8 = tail[np.clip(missing, 0, tail.size - 1)]
        return chance

    def _tail(self, player: int, row: int, beliefs: list[F8]) -> F8:
        """Chance that at least k dice of the others match, for k from 0 to one too many."""
        pmf = np.ones(1)
        for other, belief in enumerate(beliefs):
            if other != player:
                pmf = np.convolve(pmf, np.bincount(self._graph.matches[other][row], belief))
        tail: F8 = np.append(np.cumsum(pmf[::-1])[::-1], 0.0)
        return np.clip(tail, 0.0, 1.0)

    def _meta(self, largest_error: float) -> dict[str, Any]:
        solution, graph = self.solution, self._graph
        n_classes = graph.matches[0].shape[0]
        probs = list(graph.hand_probs)
        players = range(graph.n_players)
        return {
            "family": "bidding",
            "title": _title(solution),
            "rules": list(rule_sentences(solution.rules)),
            "facts": [[name, text] for name, text in _facts(solution).items()],
            "note": self._note(largest_error),
            "written": len(self.written),
            "histories": self.n_histories,
            "minReach": self.least,
            "hands": [[list(hand) for hand in hands] for hands in graph.hands],
            "handProbs": [thousandths_of_probs(of_hands) for of_hands in probs],
            "nodes": [self._node(node) for node in range(graph.n_nodes)],
            "matches": [of_player.tolist() for of_player in graph.matches],
            "tails": [
                [np.round(self._tail(p, row, probs), 6).tolist() for row in range(n_classes)]
                for p in players
            ],
        }

    def _note(self, largest_error: float) -> str:
        """What is on the page and what is not."""
        n_written, n_histories = len(self.written), self.n_histories
        shown = f"{n_histories:,}" if n_histories < 1e12 else f"{n_histories:.3g}"
        words = f"This page has {n_written:,} of the {shown} sequences of bids"
        if n_written < n_histories:
            words += f": those that come up with a chance of {100 * self.least:g} % or more"
        words += "."
        if not self.with_values:
            words += " Expected values were left out."
        if largest_error > 0.0:
            words += f" Values are estimates, with standard errors up to {largest_error:.2g}."
        return words

    def _node(self, node: int) -> dict[str, Any]:
        graph = self._graph
        start, stop = graph.action_start[node : node + 2].tolist()
        return {
            "p": int(graph.player[node]),
            "q": int(graph.quantity[node]),
            "c": int(graph.match_class[node]),
            "a": [str(action) for action in graph.actions(node)],
            "t": graph.action_target[start:stop].tolist(),
        }

    @property
    def _graph(self) -> BidGraph:
        """The round with all that may be done, also what an abstraction leaves out."""
        return self.solution.result.tree.every_raise.graph


def _title(solution: BiddingSolution) -> str:
    against = " against ".join(map(str, solution.dice[1:]))
    noun = "die" if solution.dice[0] == 1 else "dice"
    palifico = ", palifico round" if solution.result.tree.graph.round.palifico else ""
    return f"{solution.rules.name}: {solution.dice[0]} {noun} against {against}{palifico}"


def _facts(solution: BiddingSolution) -> Mapping[str, str]:
    """Value and certificate in words, by heading."""
    facts = {}
    if solution.value_bounds is not None:
        low, high = solution.value_bounds
        facts["Value for the first bidder"] = (
            f"between {np.floor(low * 1e5) / 1e5:.5f} and {np.ceil(high * 1e5) / 1e5:.5f} "
            "in utility of a round"
        )
    elif solution.values is not None:
        seats = enumerate(solution.values, 1)
        facts["Values of these strategies"] = ", ".join(
            f"seat {seat} {value:+.4f}" for seat, value in seats
        )
    if solution.exact_value is not None:
        facts["Exact value"] = f"{solution.exact_value}, proved in rational arithmetic"
    facts["Certificate"] = solution.rests_on
    facts["Solver"] = f"{solution.iterations:,} iterations; stopped: {solution.stop.value}"
    return facts

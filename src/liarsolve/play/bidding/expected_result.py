"""What one strategy gets against another, computed over all dice and all chances of both."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from liarsolve._typing import F8
from liarsolve.errors import InputError, InputTypeError
from liarsolve.game import ActionKind, BidGraph, Payoffs, compile_graph, outcome_ids
from liarsolve.rules import CHALLENGE, EXACT
from liarsolve.strategy import BiddingSolution, Strategy


@dataclass(frozen=True, slots=True)
class ExpectedResult:
    """Expected utility of one strategy against another, per round of two players."""

    seats: tuple[float, float]
    """Utility of the first strategy as first bidder, and as second player."""
    remainders: tuple[float, float]
    """How far each of ``seats`` may be off, since what is almost never reached was left out."""
    n_states: int
    """Public states that were met, in both orders together."""

    @property
    def utility(self) -> float:
        """Mean over both seats, which is what `head_to_head` measures."""
        return sum(self.seats) / 2

    @property
    def remainder(self) -> float:
        """How far `utility` may be off."""
        return sum(self.remainders) / 2

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON."""
        return {
            "utility": self.utility,
            "remainder": self.remainder,
            "seats": list(self.seats),
            "remainders": list(self.remainders),
            "n_states": self.n_states,
        }


def expected_result(
    first: BiddingSolution | Strategy,
    second: BiddingSolution | Strategy,
    *,
    threshold: float = 1e-9,
    payoffs: Payoffs | None = None,
) -> ExpectedResult:
    """Compute what a strategy gets against another one of the same round, from both seats.

    The sequences of bids are traversed one by one, with the chances of all hands of both players in
    vectors; the strategies may be written on different trees. A sequence that is reached with a
    chance of ``threshold`` or less is left out. It counts as the middle of what can be won and
    lost, and `ExpectedResult.remainder` says how much can be wrong by that.

    Parameters
    ----------
    first, second : BiddingSolution or Strategy
        For the same two-player round.
    threshold : float
        Chance up to which a sequence of bids is left out; with 0 none is that can be reached.
    payoffs : Payoffs, optional
        What the outcomes are worth; those of ``first`` if not given.

    Raises
    ------
    InputError
        If the strategies are not for the same round of two players, or ``threshold`` is negative.

    Examples
    --------
    >>> from liarsolve import Recall, presets, solve
    >>> rules = presets.COMMON.replace(faces=2)
    >>> good = solve(rules, dice=(2, 1), target=1e-4)
    >>> coarse = solve(rules, dice=(2, 1), abstraction=Recall(1))
    >>> expected_result(coarse, good).utility <= 1e-4
    True
    """
    strategies = tuple(_strategy_of(x) for x in (first, second))
    rounds = [strategy.tree.graph.round for strategy in strategies]
    if rounds[0] != rounds[1] or rounds[0].n_players != 2:
        raise InputError(
            "two strategies for the same round of two players can be compared, got "
            + " and ".join(map(repr, strategies))
        )
    if not threshold >= 0.0:
        raise InputError(f"threshold is a chance of 0 or more, got {threshold}")
    graph = compile_graph(rounds[0])
    table = (payoffs or strategies[0].payoffs).table(2)
    traversals = [
        _traverse(graph, pair, table[:, :, seat], threshold)
        for seat, pair in enumerate((strategies, strategies[::-1]))
    ]
    return ExpectedResult(
        seats=(traversals[0].value, traversals[1].value),
        remainders=(traversals[0].remainder, traversals[1].remainder),
        n_states=traversals[0].n_states + traversals[1].n_states,
    )


@dataclass(frozen=True, slots=True)
class _Traversal:
    value: float
    remainder: float
    n_states: int


def _traverse(
    graph: BidGraph, strategies: tuple[Strategy, ...], utility: F8, threshold: float
) -> _Traversal:
    """Expected ``utility``, float64[outcome, caller], when each seat has its strategy."""
    calls = {}
    value = left_out = 0.0
    n_states = 0
    starts = tuple(strategy.start() for strategy in strategies)
    waiting = [(0, starts, graph.hand_probs)]
    while waiting:
        node, places, reach = waiting.pop()
        n_states += 1
        player = int(graph.player[node])
        acted = strategies[player].policy(places[player]) * reach[player]
        chances = acted.sum(axis=1) * reach[1 - player].sum()
        is_kept = chances > threshold
        left_out += float(chances[~is_kept].sum())
        first = int(graph.action_start[node])
        for k in np.flatnonzero(is_kept).tolist():
            after = (acted[k], reach[1]) if player == 0 else (reach[0], acted[k])
            if graph.action_kind[first + k] != ActionKind.RAISE:
                if (node, k) not in calls:
                    calls[node, k] = _utility_by_count(graph, node, first + k, utility)
                value += float(_count_chances(graph, node, after) @ calls[node, k])
                continue
            raised = tuple(s.after(p, k) for s, p in zip(strategies, places, strict=True))
            waiting.append((int(graph.action_target[first + k]), raised, after))
    most, least = float(utility.max()), float(utility.min())
    return _Traversal(
        value + left_out * (most + least) / 2, left_out * (most - least) / 2, n_states
    )


def _count_chances(graph: BidGraph, node: int, reach: tuple[F8, ...]) -> F8:
    """Reach of both players by the number of dice that match the standing bid."""
    row = graph.match_class[node]
    first, second = (
        np.bincount(graph.matches[p][row], reach[p], minlength=graph.round.dice[p] + 1)
        for p in range(2)
    )
    return np.asarray(np.convolve(first, second), np.float64)


def _utility_by_count(graph: BidGraph, node: int, edge: int, utility: F8) -> F8:
    """Utility of a call by the number of dice that match the standing bid."""
    call = CHALLENGE if graph.action_kind[edge] == ActionKind.CHALLENGE else EXACT
    count = np.arange(graph.round.total_dice + 1)
    outcome = outcome_ids(call, count, int(graph.quantity[node]))
    by_count: F8 = utility[outcome, int(graph.player[node])]
    return by_count


def _strategy_of(source: BiddingSolution | Strategy) -> Strategy:
    strategy = source.strategy if isinstance(source, BiddingSolution) else source
    if not isinstance(strategy, Strategy):
        raise InputTypeError(f"a BiddingSolution or Strategy can be compared, got {source!r}")
    return strategy

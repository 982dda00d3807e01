"""Rounds that are refused at once: their tables would not fit, or their solve would never end."""

import math

from liarsolve.errors import GameTooLargeError
from liarsolve.game import Abstraction, compile_graph, measure_complete_tree
from liarsolve.game.bidding.graph import size_problem
from liarsolve.rules import Round
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.core.memory import format_bytes, format_count, usable_memory

_BYTES_A_HAND = 1000
"""Of a hand: its dice, chance and number as Python objects, which take most of it."""
_BYTES_AN_ACTION = 300
"""Of an action at a node, while the rules are asked and the arrays are made."""
_TABLES = 7
"""Numbers for each (node, hand) pair: matches, chances, what is done by default."""
_BYTES_AN_ENTRY = 8
"""Of an action and a hand in the tree: its regret and its weight. Every reply to every opening bid
makes a state; there are half as many as pairs of bids, with half as many actions as bids."""
_NODES_A_BID = 2
"""Nodes for each bid: who has made it."""

MOST_STATES = 1e12
"""Public states of a round that is solved with no limit. Three dice against three have 7e10, and
reach 1e-3 after an hour; every further die multiplies them by 64."""

MANY_STATES = 1e10
"""Public states from which on a solve without a limit of time may take hours."""


def least_bytes(round_: Round, *, is_merged: bool) -> float:
    """Memory that a round needs before the first iteration, from its dice and faces alone."""
    faces = round_.rules.faces
    n_bids = float(round_.total_dice * faces)
    hands = [float(math.comb(n + faces - 1, n)) for n in round_.dice]
    n_nodes = _NODES_A_BID * n_bids
    tables = 8.0 * n_nodes * sum(hands) * (1 if is_merged else _TABLES)
    needed = _BYTES_A_HAND * sum(hands) + _BYTES_AN_ACTION * n_nodes * n_bids / 2 + tables
    if not is_merged:
        needed += 8.0 * n_bids**2 * max(hands)  # two stacks, of half so many rows
        needed += _BYTES_AN_ENTRY * n_bids**3 / 4 * sum(hands) / len(hands)
    return needed


def refuse_oversize(
    round_: Round, max_memory: float | None, abstraction: Abstraction | None
) -> None:
    """Refuse a round whose tables would not fit, before anything is compiled.

    Raises
    ------
    GameTooLargeError
        With the estimate, and what would do.
    """
    memory = usable_memory(max_memory)
    try:
        needed = least_bytes(round_, is_merged=abstraction is not None)
    except OverflowError:  # more hands than a float can count
        needed = math.inf
    if needed <= memory:
        return
    advice = "take fewer dice or faces"
    if abstraction is None and least_bytes_fit(round_, memory):
        advice = "give an abstraction such as Recall(1), or take fewer dice or faces"
    dice = ",".join(map(str, round_.dice))
    size = "more than can be counted" if math.isinf(needed) else format_bytes(needed)
    raise GameTooLargeError(
        f"{round_.rules.name} with {dice} dice of {round_.rules.faces} faces needs at least {size} "
        f"for its hands and the replies to opening bids, but {format_bytes(memory)} may be used; "
        f"{advice}"
    )


def refuse_hopeless(round_: Round, limits: Limits) -> None:
    """Refuse a round that no target of use would ever end, unless some limit does.

    Raises
    ------
    GameTooLargeError
        With the number of public states, and what would do.
    """
    given = (limits.max_seconds, limits.max_iterations, limits.max_memory)
    n_states = None
    if all(limit is None for limit in given):
        n_states = count_states_above(MOST_STATES, round_)
    if n_states is None:
        return
    dice = ",".join(map(str, round_.dice))
    raise GameTooLargeError(
        f"{round_.rules.name} with {dice} dice of {round_.rules.faces} faces has "
        f"{format_count(n_states)} public states, too many for a target of {limits.target:g} in "
        "any reasonable time; give an abstraction such as Recall(1), or a limit such as "
        "max_seconds=600"
    )


def count_states_above(least: float, round_: Round) -> int | None:
    """Public states of a round, or None if it has no more than ``least``."""
    if len(round_.bids) <= math.log2(least):  # every set of bids makes a state at the most
        return None
    n_states = measure_complete_tree(compile_graph(round_)).n_states
    return n_states if n_states > least else None


def least_bytes_fit(round_: Round, memory: float) -> bool:
    """Whether a solve with imperfect recall would fit."""
    if size_problem(round_) is not None:
        return False
    try:
        return least_bytes(round_, is_merged=True) <= memory
    except OverflowError:
        return False

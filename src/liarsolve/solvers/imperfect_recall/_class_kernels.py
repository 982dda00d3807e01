"""What hands share that players do not tell apart, between passes over merged states."""

from liarsolve._jit import kernel
from liarsolve._typing import F8, I2, I8, Real
from liarsolve.solvers.imperfect_recall._cfr_records import States, Sums
from liarsolve.solvers.multiplayer._traversal_records import Seats


@kernel
def merge_classes(
    states: States,
    values: Real,
    of_hand: I2,
    hand_probs: F8,
    player: int,
    keep_negative: float,
    first_pair: I8,
    sums: F8,
) -> None:
    """Give hands of a player that are alike the mean of what they have, each by its chance.

    values : float[entries], modified in place at their states that have pairs
    of_hand : int16[G, most hands], class of each hand
    hand_probs : float64[H], of the player
    keep_negative : factor on means below 0
    first_pair : int64[S + 1]
    sums : float64[2, most hands], scratch
    """
    n_hands = hand_probs.size
    for s in range(states.node.size):
        g = states.node[s]
        if states.player[g] != player or first_pair[s] == first_pair[s + 1]:
            continue
        for k in range(states.action_start[g + 1] - states.action_start[g]):
            at = states.first_entry[s] + k * n_hands
            for h in range(n_hands):
                sums[0, h] = 0.0
                sums[1, h] = 0.0
            for h in range(n_hands):
                sums[0, of_hand[g, h]] += hand_probs[h] * values[at + h]
                sums[1, of_hand[g, h]] += hand_probs[h]
            for h in range(n_hands):
                mean = sums[0, of_hand[g, h]] / sums[1, of_hand[g, h]]
                values[at + h] = mean if mean > 0.0 else mean * keep_negative


@kernel
def mark_live(states: States, seats: Seats, sums: Sums, player: int, first_pair: I8) -> None:
    """Find out again which edges some hand of a block regrets, at the player's states with pairs.

    first_pair : int64[S + 1]
    """
    n_hands, size = seats.n_hands[player], sums.block_size[player]
    for s in range(states.node.size):
        g = states.node[s]
        if states.player[g] != player or first_pair[s] == first_pair[s + 1]:
            continue
        for k in range(states.action_start[g + 1] - states.action_start[g]):
            at, edge = states.first_entry[s] + k * n_hands, states.first_edge[s] + k
            for lo in range(0, n_hands, size):
                best = 0.0
                for h in range(lo, min(lo + size, n_hands)):
                    best = max(best, float(sums.cum_regret[at + h]))
                sums.is_live[lo // size, edge] = best > 0.0

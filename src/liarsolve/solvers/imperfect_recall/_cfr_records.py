"""What passes over merged states are given, as tuples of flat arrays.

What is stored lies in one flat array for all players, player by player: edge k of a state owns the
entries ``first_entry + k * n_hands`` onward, one for every hand of the player to act.
"""

from typing import NamedTuple

from liarsolve._typing import F8, I4, I8, U1, Real
from liarsolve.solvers.multiplayer._traversal_records import Seats


class States(NamedTuple):
    """Merged states, parents before children, and the rules at their graph nodes."""

    node: I4  # int32[S]
    first_edge: I8  # int64[S], among the edges of all players
    first_entry: I8  # int64[S]
    children: I4  # int32[E of all players]
    player: I8  # int64[G]
    quantity: I8  # int64[G]
    match_class: I8  # int64[G]
    action_start: I8  # int64[G + 1]
    action_kind: I8  # int64[A]
    payoff: F8  # float64[outcome, caller, P]


class Twins(NamedTuple):
    """Groups of states from which every action leads to the same: all come before those."""

    state: I4  # int32[S]: all states, the twins of a group side by side
    first: I8  # int64[groups + 1]
    group_done: I4  # int32[S]: the group of which a state is the last, or -1


class Sums(NamedTuple):
    """What the players learn."""

    cum_regret: Real  # float[entries]
    cum_policy: Real  # float[entries]
    is_live: U1  # uint8[blocks, E of all players]: whether a hand of a block regrets an edge
    block_size: I8  # int64[P]: hands of each player in a block


class Others(NamedTuple):
    """Joint hands of all players but the traverser: M of them, made of D hands of each at most."""

    hands: I8  # int64[P, D]: different hands of each player
    n_hands: I8  # int64[P]: how many they are
    place: I8  # int64[P, M]: which of them a player holds in a joint hand
    matches: I8  # int64[C, M]: how many of all their dice match
    by_odds: U1  # uint8[P, D]: whether the player with this hand plays the default throughout


class OpponentReach(NamedTuple):
    """How the others come to each state with their joint hands, and what they do there.

    They come to few states with few hands, so these *pairs* are numbered, state by state.
    """

    reach: Real  # float[S, M]
    pair: I4  # int32[S, M]: number of the pair, -1 where they do not come
    first_pair: I8  # int64[S + 1]
    joint_hand: I4  # int32[>= pairs]
    first_move: I8  # int64[> pairs]: what the others do; nothing where the traverser is to act
    action: I4  # int32[>= moves]: by its place at the node
    prob: Real  # float[>= moves]


class Step(NamedTuple):
    """What one pass does with what it finds."""

    regret_weight: float  # of this pass in the cumulative regrets
    keep_negative: float  # factor on negative ones after the update; 0 is regret matching plus
    visit_weight: float  # passes that one to what the traverser does not play stands for; or 0
    own_reach_floor: float  # see `weigh_down`


class Table(NamedTuple):
    """All that a pass goes over, and what the players have learned."""

    states: States
    twins: Twins
    seats: Seats
    sums: Sums


class Block(NamedTuple):
    """The hands of the traverser that are taken at once."""

    traverser: int
    number: int  # among the blocks of the traverser
    lo: int
    hi: int  # one more than the last of them
    matches: F8  # float64[C, >= padded hands]: how many dice of each hand of the traverser match
    is_met: U1  # uint8[S]: states to which one of these hands may come


class MoveScratch(NamedTuple):
    """Where one pass works out what the others do."""

    n_moves_of: I8  # int64[D]
    action: I4  # int32[D, most actions]
    prob: F8  # float64[D, most actions]
    carried: F8  # float64[M]


class BlockScratch(NamedTuple):
    """Where one thread works on a block of hands; each row of hands is padded, or longer."""

    reach: Real  # float[S, hands]
    value: Real  # float[>= pairs, hands]: utility where the others come
    chance: Real  # float[>= pairs, hands]: how likely the pairs are, up to a factor for each hand
    rows: I8  # int64[2 * actions]
    policy: F8  # float64[> most actions, hands]
    below: I8  # int64[max(M, actions)]
    weight: F8  # float64[max(M, actions)]
    gain: F8  # float64[2, hands]
    carried: F8  # float64[M, hands]

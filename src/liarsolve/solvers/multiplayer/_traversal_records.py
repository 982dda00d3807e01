"""What traversals of rounds with any number of players are given, as tuples of flat arrays."""

from typing import NamedTuple

from liarsolve._typing import F8, I4, I8, U1, Real


class Seats(NamedTuple):
    """Hands of all players; H is the largest number of hands."""

    n_hands: I8  # int64[P]
    matches: I8  # int64[P, C, H]
    default_action: I8  # int64[G, H]: place of the action at its node, -1 for the uniform policy


class Tree(NamedTuple):
    """States, edges of all of them, and entries; arrays may be longer than what is in use."""

    node: I4  # int32[S]: graph node of each state
    first_edge: I8  # int64[S]
    first_entry: I8  # int64[S]
    children: I4  # int32[E]: state, or NO_STATE
    is_live: U1  # uint8[E]: whether some hand has a positive regret, so that the row need be read
    cum_regret: Real  # float[entries]
    prediction: Real  # float[entries]: regrets of the last iteration, predictive variant only
    cum_policy: Real  # float[entries]: weighted sum of policies, or any unnormalised strategy
    n_used: I8  # int64[3]: states, edges, entries


class Question(NamedTuple):
    """What `evaluate` is to find out."""

    traverser: int
    is_best_response: bool  # or they play their own average strategy
    hand: int  # the one hand that counts, -1 for all
    threshold: float  # subtrees that the others reach with no more are not traversed
    max_visits: int  # states to be traversed at the most
    utility_left_out: float  # what the traverser is taken to get in what is not traversed


class Scratch(NamedTuple):
    """Stacks of one traversal: D exceeds the depth of the tree, H is the most hands of a player."""

    state: I8  # int64[D]
    node: I8  # int64[D]
    cursor: I8  # int64[D]: the action that is being traversed
    policy_start: I8  # int64[D]: first row of ``policy`` that belongs to the state
    only_average: I8  # int64[D]: whether the others do not come here, but one average is kept
    reach_row: I8  # int64[D, P]: row of ``reach`` that holds each player's reach
    reach: F8  # float64[P + D, H]
    mass: F8  # float64[P + D]: sum of each row of ``reach``
    others: F8  # float64[D]: product of the masses of all players but the traverser
    weight: F8  # float64[D]: iterations that a visit stands for
    value: F8  # float64[D, H]
    policy: F8  # float64[actions of one path, H]
    is_live: I8  # int64[actions of one path]: whether somebody plays the action
    action_value: F8  # float64[actions of one path, H]: counterfactual values of own actions
    action_weight: F8  # float64[actions of one path]: as ``weight``; 0 where it was left out
    match_sum: F8  # float64[dice + 2]
    match_mass: F8  # float64[dice + 2]
    progress: I8  # int64[3]: depth at which `evaluate` stands, states visited, where to pause
    n_left: I8  # int64[1]: times that `cfr_pass` may come to a state before it pauses

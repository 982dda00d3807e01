"""What responders to one fixed strategy are given, as tuples of flat arrays."""

from typing import NamedTuple

from liarsolve._typing import F4, F8, I2, I4, I8, U1, Real


class Fixed(NamedTuple):
    """The responder's states, the rules as they pay them, and what their opponent does."""

    node: I4  # int32[S]
    first_edge: I8  # int64[S]
    row: I8  # int64[S]: first row of the opponent's policy in ``weights``
    own_children: I4  # int32[E]
    opp_children: I4  # int32[E]
    player: I8  # int64[G]
    quantity: I8  # int64[G]
    match_class: I8  # int64[G]
    action_start: I8  # int64[G + 1]
    action_kind: I8  # int64[A]
    action_target: I8  # int64[A]
    payoff: F8  # float64[outcome, caller], to the responder
    own_matches: I8  # int64[C, H]
    opp_matches: I8  # int64[C, H]
    opp_probs: F8  # float64[H]
    default_action: I8  # int64[G, H]: place of the opponent's action, -1 for the uniform policy
    weights: Real  # float[rows, H], the opponent's strategy, of any scale


class Responder(NamedTuple):
    """What the responder does."""

    player: int
    choice: I2  # int16[S, H]: their action by its place; -1 for all alike
    explore: float  # how often they do anything else, all actions alike


class Beliefs(NamedTuple):
    """Chances of both players' hands at every state."""

    opp: F4  # float32[S, H]
    own: F4  # float32[S, H]


class Values(NamedTuple):
    """What the responder expects with each of their hands."""

    round: F4  # float32[S, H]: utility of the round from a state on
    after_raise: F4  # float32[S, H]: the same if they raise


class Unfolded(NamedTuple):
    """States that stand for one sequence of bids each, with their parents first; U at the most."""

    origin: I8  # int64[U]: state in which each of them was before
    first_edge: I8  # int64[U]: among the edges of the player to act
    own_children: I4  # int32[E]: new state; -1 for a call; -2 - s for the state s that there was
    opp_children: I4  # int32[E]


class ReplyScratch(NamedTuple):
    """Where replies are worked out at one state."""

    policy: F8  # float64[> most actions, H of the opponent]
    share: F8  # float64[most actions]
    weight: F8  # float64[H of the opponent]
    counts: F8  # float64[> dice of the opponent + 1]
    row: F8  # float64[H of the responder]


class ReachScratch(NamedTuple):
    """Where one hand of the responder is evaluated."""

    reach: F8  # float64[S, H of the opponent]
    is_reached: U1  # uint8[S]
    policy: F8  # float64[> most actions, H of the opponent]


class PlayScratch(NamedTuple):
    """Where one responder works out their next action; all of it is scratch."""

    belief: F8  # float64[H of the opponent]: their hands, given what they have done
    policy: F8  # float64[> most actions, H of the opponent]
    share: F8  # float64[most actions]: how often the opponent replies so
    worth: F8  # float64[most actions]: utility after each reply, as far as one looks ahead

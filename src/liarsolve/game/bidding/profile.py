"""Strategies of all players on a public tree, as one record of arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from liarsolve._typing import F8, I8, Real
from liarsolve.game.bidding.default_policy import default_actions
from liarsolve.game.bidding.payoffs import Payoffs
from liarsolve.game.bidding.tree import PublicTree


@dataclass(frozen=True, slots=True, eq=False)
class StrategyProfile:
    """A strategy of every player, the tree on which they are written, and what they play for.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).result
    >>> profile = StrategyProfile(result.tree, result.strategy, result.payoffs)
    >>> profile.weights[0].shape == (result.tree.children[0].size, 2)
    True
    """

    tree: PublicTree
    weights: tuple[Real, ...]
    """Action probabilities or weights of each player, [E, H]. A hand whose weights are all zero at
    a state plays the default there."""
    payoffs: Payoffs = field(default_factory=Payoffs)
    """What the outcomes are worth; +1 to the winner and -1 to the loser if not given."""
    defaults: tuple[I8, ...] = ()
    """Action of each player by node and hand where the strategy says nothing, int64[G, H]; -1 is
    the uniform policy. `default_actions` if not given."""

    def __post_init__(self) -> None:
        if not self.defaults:
            object.__setattr__(self, "defaults", default_actions(self.tree.graph))

    def __repr__(self) -> str:
        return f"StrategyProfile(tree={self.tree!r}, payoffs={self.payoffs!r})"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Start:
    """Public state at which a traversal starts, and with which hands the players come there.

    Examples
    --------
    >>> Start()  # the first bid, with all hands as likely as they are dealt
    Start(state=0, node=None, reach=None)
    """

    state: int = 0
    """Public state, `NO_STATE` if the tree does not have it."""
    node: int | None = None
    """Its graph node; needed only if the tree does not have the state."""
    reach: Sequence[F8] | None = None
    """Reach of every player, float64[H]; the chance of their hands if not given. That of the player
    whose values are wanted is not used."""

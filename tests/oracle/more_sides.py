"""Rounds of any number of players for the library and for the slow reference at once."""

from dataclasses import dataclass
from functools import cached_property

from liarsolve.game import Payoffs
from oracle.two_sides import TwoSides
from reference.bidding import EXACT
from reference.multiplayer import TableGame


@dataclass(frozen=True, kw_only=True)
class PaidTable(TableGame):
    """The reference with any payoff to every player, by outcome and caller."""

    paid: tuple | None = None
    """For each outcome and each caller what every player gets; None for the default."""

    def payoffs(self, history, hands):
        if self.paid is None:
            return super().payoffs(history, hands)
        bidder, caller = (self.player_to_act(history[:-n]) for n in (2, 1))
        is_right = self.loser(history, hands) in (bidder, None)
        return self.paid[2 * (history[-1] == EXACT) + (not is_right)][caller]


@dataclass(frozen=True)
class MoreSides(TwoSides):
    """One round of any number of players, for the library and for the reference."""

    paid: tuple | None = None

    @cached_property
    def game(self):
        return PaidTable(
            dice=self.dice,
            palifico=self.palifico,
            ex_palifico=self.ex_palifico,
            paid=self.paid,
            **self.options,
        )

    @cached_property
    def payoffs(self):
        if self.paid is None:
            return Payoffs()
        names = ("bidder_loses", "challenger_loses", "exact_right", "exact_wrong")
        vectors = [tuple(tuple(map(float, v)) for v in by_caller) for by_caller in self.paid]
        return Payoffs(**dict(zip(names, vectors, strict=True)))

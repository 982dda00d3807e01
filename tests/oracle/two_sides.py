"""The same round twice: compiled by the library, and as the slow reference plays it."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np
from hypothesis import strategies as st

from liarsolve import Round, RuleSet
from liarsolve.errors import RuleError
from liarsolve.game import NO_STATE, ActionKind, Payoffs, build_complete_tree, compile_graph
from liarsolve.rules import Bid
from reference.bidding import EXACT, OPTIONS, ReferenceGame, seeded_strategy


def plain(action):
    """An action of the library as the reference writes it."""
    return (action.quantity, action.face) if isinstance(action, Bid) else str(action)


@dataclass(frozen=True, kw_only=True)
class PaidGame(ReferenceGame):
    """The reference with any payoff to the caller for each of the four outcomes."""

    to_caller: tuple[Fraction, Fraction, Fraction, Fraction]
    """After a right challenge, a wrong one, a right exact call, a wrong one."""

    def payoffs(self, history, hands):
        bidder, caller = (self.player_to_act(history[:-n]) for n in (2, 1))
        is_right = self.loser(history, hands) in (bidder, None)
        paid = self.to_caller[2 * (history[-1] == EXACT) + (not is_right)]
        return (paid, -paid) if caller == 0 else (-paid, paid)


@dataclass(frozen=True)
class TwoSides:
    """One two-player round; ``options`` are those of the reference, by name."""

    options: dict
    dice: tuple[int, int]
    palifico: bool = False
    ex_palifico: tuple[bool, bool] = (False, False)
    to_caller: tuple[Fraction, Fraction, Fraction, Fraction] = (1, -1, 1, -1)

    @cached_property
    def round(self):
        return Round(
            RuleSet.from_dict(self.options),
            self.dice,
            palifico=self.palifico,
            ex_palifico=frozenset(p for p, was in enumerate(self.ex_palifico) if was),
        )

    @cached_property
    def game(self):
        return PaidGame(
            dice=self.dice,
            palifico=self.palifico,
            ex_palifico=self.ex_palifico,
            to_caller=tuple(map(Fraction, self.to_caller)),
            **self.options,
        )

    @cached_property
    def payoffs(self):
        right, wrong, exact_right, exact_wrong = map(float, self.to_caller)
        return Payoffs(
            bidder_loses=right,
            challenger_loses=wrong,
            exact_right=exact_right,
            exact_wrong=exact_wrong,
        )

    @cached_property
    def graph(self):
        return compile_graph(self.round)

    @cached_property
    def tree(self):
        return build_complete_tree(self.graph)

    def seeded(self, seed):
        """Reference strategy as a table, and the same as weights float64[E, H] of each player."""
        strategy = seeded_strategy(self.game, seed)
        table = {
            (player, hand, history): strategy(player, hand, history)
            for player in range(len(self.dice))
            for hand, history in self.game.information_sets(player)
        }
        return table, weights_of(self.tree, table)


def histories_of(tree):
    """The bids that lead to each state of a tree, as the reference writes them."""
    graph = tree.graph
    histories = {0: ()}
    for state in range(tree.n_states):  # a child has a larger id
        node = tree.node[state]
        kinds = graph.action_kind[graph.action_start[node] : graph.action_start[node + 1]]
        for k, action in enumerate(graph.actions(node)):
            if kinds[k] == ActionKind.RAISE:
                child = tree.children[graph.player[node]][tree.first_edge[state] + k]
                if child != NO_STATE:
                    histories[int(child)] = (*histories[state], plain(action))
    return [histories[state] for state in range(tree.n_states)]


def exact_weights_of(tree, table):
    """Entries of a reference table by edge and hand, for each player a list of rows."""
    graph = tree.graph
    weights = tuple([None] * children.size for children in tree.children)
    for state, history in enumerate(histories_of(tree)):
        node = tree.node[state]
        player = int(graph.player[node])
        for k, action in enumerate(graph.actions(node)):
            weights[player][tree.first_edge[state] + k] = [
                table[player, hand, history].get(plain(action), Fraction(0))
                for hand in graph.hands[player]
            ]
    return weights


def weights_of(tree, table):
    """The same as float64[E, H] of each player."""
    return tuple(
        np.array(rows, np.float64).reshape(-1, n_hands)  # a player may have no turn at all
        for rows, n_hands in zip(exact_weights_of(tree, table), tree.graph.n_hands, strict=True)
    )


def all_options():
    """Every combination of options that makes sense, at two faces."""
    names = [name for name in OPTIONS if name != "palifico_face"]
    for values in product(*(OPTIONS[name] for name in names)):
        options = dict(zip(names, values, strict=True)) | {"faces": 2}
        try:
            Round(RuleSet.from_dict(options), (1, 1))
        except RuleError:
            continue
        speaks_of_ones = options["ones_slot"] == "forbidden" or options["open_ones"] == "no"
        if options["wild"] == "top_face" and speaks_of_ones:
            continue  # the library bars the stars then, the reference face 1
        yield options


ALL_OPTIONS = list(all_options())
SIZES = [((1, 1), 2), ((1, 1), 3), ((2, 1), 2), ((1, 2), 2), ((1, 1), 4), ((2, 2), 2)]
"""Dice and faces with at most eight bids."""


@st.composite
def small_rounds(draw):
    """Any rules, any payoffs, few dice with few faces."""
    dice, faces = draw(st.sampled_from(SIZES))
    palifico = draw(st.booleans())
    options = draw(st.sampled_from(ALL_OPTIONS)) | {
        "faces": faces,
        "palifico_face": draw(st.sampled_from(OPTIONS["palifico_face"])),
    }
    if palifico:  # the rules page gives palifico rounds an order of their own (PE?2)
        options["raise_rule"] = "count_or_face"
    # Quarters are exact as floats.
    payoff = st.integers(-8, 8).map(lambda n: Fraction(n, 4))
    return TwoSides(
        options=options,
        dice=dice,
        palifico=palifico,
        ex_palifico=draw(st.tuples(st.booleans(), st.booleans())),
        to_caller=draw(st.just((1, -1, 1, -1)) | st.tuples(payoff, payoff, payoff, payoff)),
    )


TILTED = (Fraction(17, 16), Fraction(-15, 16), Fraction(2), Fraction(-9, 16))
"""With payoffs of +-1 actions often tie, and then rounding decides what is played next."""
TILTED_ROUNDS = {
    "common": TwoSides({"faces": 3}, (1, 1), to_caller=TILTED),
    "two dice against one": TwoSides({"faces": 2}, (2, 1), to_caller=TILTED),
    "wild lock": TwoSides(
        {"faces": 3, "wild": "ones", "wild_until": "any_ones_bid"}, (1, 1), to_caller=TILTED
    ),
    "half rule, exact call": TwoSides(
        {"faces": 3, "wild": "ones", "ones_slot": "after_2n", "exact_who": "next"},
        (1, 1),
        to_caller=TILTED,
    ),
    "palifico": TwoSides({"faces": 2, "wild": "ones"}, (1, 2), palifico=True, to_caller=TILTED),
}

"""Asking a strategy what to do."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from liarsolve._checks import check_number, check_rng, check_whole
from liarsolve._typing import F8, I8, Real
from liarsolve.dice import Hand
from liarsolve.errors import InputError, InputTypeError
from liarsolve.game import (
    NO_STATE,
    BidGraph,
    Payoffs,
    PublicTree,
    Start,
    StrategyProfile,
    action_places,
    default_actions,
    outcome_ids,
)
from liarsolve.rules import Action, Bid, Call
from liarsolve.solvers import ProfileEvaluator, hand_values, values_of_actions
from liarsolve.strategy.bidding.situation import BiddingSituation, read_bidding_situation
from liarsolve.strategy.cup.situation import CupSituation

if TYPE_CHECKING:
    from liarsolve.strategy.situation import Situation

_DUST = {np.dtype(np.float32): 1e-9, np.dtype(np.float64): 1e-12}
"""Probabilities up to this are left over from rounding: nobody ever plays so. In doubles, averages
hold such crumbs from 1e-30 to 1e-14, and nothing more up to this bound. A certificate is off by
less than its own rounding where they are swept away."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One legal action at an information set."""

    action: Action
    probability: float
    """How often the strategy plays it."""
    expected_value: float
    """Utility of the round to the player after this action, if all go on by the strategy."""
    standard_error: float = 0.0
    """Of the expected value, where it is an estimate from drawn hands."""

    @property
    def win_probability(self) -> float:
        """Chance of winning a round of two, where winning pays +1 and losing -1."""
        return min(max((self.expected_value + 1.0) / 2.0, 0.0), 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class Strategy:
    """All players' strategies for one round, by hand and by the bids made so far.

    A history is a sequence of bids from the start of the round, as `Bid` or as text (``"2x3"``);
    it says whose turn it is. A hand is that player's own dice, in any order. In place of both may
    stand a `BiddingSituation`, as of `read_situation`.

    Whoever needs all hands at once goes from place to place with `start` and `after`, and asks
    `policy` there.
    """

    tree: PublicTree
    weights: tuple[Real, ...]
    """For each player, the weights of their actions by edge and hand, [E, H]; where all are 0
    and where the tree has no state, they play by `default_actions`."""
    payoffs: Payoffs

    def probs(
        self, hand: "Situation | Iterable[int] | str", history: Iterable[Action | str] = ()
    ) -> Mapping[Action, float]:
        """Probability of every legal action, 0 for those that an abstraction leaves out.

        Raises
        ------
        InputError
            If the hand does not fit the dice of the player to act.
        IllegalActionError
            If the history breaks the rules.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> strategy = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).strategy
        >>> probs = strategy.probs(hand=(1,), history=["2x1"])
        >>> {str(action): round(p, 2) for action, p in probs.items()}
        {'2x2': 0.0, 'liar': 1.0}
        """
        situation = self.situation(hand, history)
        _, place = self._follow(situation)
        hand_id = self._hand_id(situation)
        column = self.policy(place, slice(hand_id, hand_id + 1))[:, 0]
        return dict(zip(self._graph.actions(place.node), column.tolist(), strict=True))

    def __repr__(self) -> str:
        round_ = self.tree.graph.round
        return f"Strategy(rules={round_.rules.name!r}, dice={round_.dice})"

    def sample(
        self,
        hand: "Situation | Iterable[int] | str",
        history: Iterable[Action | str] = (),
        *,
        rng: np.random.Generator | int,
    ) -> Action:
        """Draw an action; ``rng`` is a numpy generator or a seed."""
        generator = check_rng(rng)
        actions = self.probs(hand, history)
        point = generator.random() * sum(actions.values())
        for action, p in actions.items():
            point -= p
            if point < 0.0:
                return action
        return max(actions, key=lambda action: actions[action])  # rounding left a crumb

    def advise(
        self, hand: "Situation | Iterable[int] | str", history: Iterable[Action | str] = ()
    ) -> tuple[Advice, ...]:
        """Every legal action with its probability and expected value, the most played first.

        The expected value weighs every other player's hands by how their strategy would have come
        here; all go on by their strategies. Where a strategy would never have made its bids with
        any hand, that player's dice are taken to be random.

        With an abstraction and more than two players there may be too many joint hands of the
        others. The value of a raise is an estimate then, from some that are drawn by these weights,
        always the same ones; `Advice.standard_error` says how far off it may be.
        """
        situation = self.situation(hand, history)
        place, reach_of = self._locate(situation)
        hand_id = self._hand_id(situation)
        beliefs = [
            reach / reach.sum() if reach.sum() > 0.0 else probs
            for reach, probs in zip(reach_of, self._graph.hand_probs, strict=True)
        ]
        values = self._action_values(place, hand_id, beliefs)
        probs = self.policy(place, slice(hand_id, hand_id + 1))[:, 0]  # to the last bit as `probs`
        actions = self._graph.actions(place.node)
        advice = [
            Advice(action, float(p), value, error)
            for action, p, (value, error) in zip(actions, probs, values, strict=True)
        ]
        return tuple(sorted(advice, key=lambda a: (-a.probability, -a.expected_value)))

    def start(self) -> "Place":
        """Place at which the round begins."""
        return Place(0, int(self.tree.node[0]), int(self.tree.graph.player[0]))

    def after(self, place: "Place", k: int) -> "Place":
        """Place after the k-th legal action, a raise."""
        tree, graph = self.tree.every_raise, self._graph
        node = int(graph.action_target[graph.action_start[place.node] + k])
        state = NO_STATE
        if place.state != NO_STATE:
            state = int(tree.children[place.player][tree.first_edge[place.state] + k])
        return Place(state, node, int(graph.player[node]))

    def policy(self, place: "Place", hands: slice = slice(None)) -> F8:
        """Probabilities of all legal actions at a place, for all hands or some.

        What rounding has left over, probabilities of 1e-12 and less (1e-9 of strategies that are
        stored in single precision), is 0.

        Returns
        -------
        float64[A, H]
            Actions in the order of the bids, then the calls; hands by ``hand_id``.
        """
        start, stop = (int(n) for n in self.tree.graph.action_start[place.node : place.node + 2])
        n_actions = stop - start
        chosen = self._defaults[place.player][place.node, hands]
        policy: F8 = (np.arange(n_actions)[:, None] == chosen).astype(np.float64)
        if place.state != NO_STATE:
            first = int(self.tree.first_edge[place.state])
            weights = self.weights[place.player][first : first + n_actions, hands]
            total = weights.sum(axis=0, dtype=np.float64)
            np.divide(weights, total, out=policy, where=total > 0.0)
            _sweep(policy, _DUST.get(weights.dtype, 0.0))
        if self.tree.legal is None:
            return policy
        legal: F8 = np.zeros((len(self._graph.actions(place.node)), policy.shape[1]))
        legal[self._known_places[start:stop]] = policy
        return legal

    def standing(
        self, hand: "Situation | Iterable[int] | str", history: Iterable[Action | str] = ()
    ) -> "Standing":
        """Where a player stands with a hand after these bids, and how often play comes there."""
        situation = self.situation(hand, history)
        path, place = self._follow(situation)
        hand_id = self._hand_id(situation)
        own, rivals = 1.0, [probs.copy() for probs in self._graph.hand_probs]
        for before, k in path:
            if before.player == place.player:
                own *= float(self.policy(before, slice(hand_id, hand_id + 1))[k, 0])
            else:
                rivals[before.player] *= self.policy(before)[k]
        rival = 1.0
        for player, reach in enumerate(rivals):
            rival *= float(reach.sum()) if player != place.player else 1.0
        is_learned = place.state != NO_STATE
        if is_learned:
            start, stop = self.tree.graph.action_start[place.node : place.node + 2]
            first = int(self.tree.first_edge[place.state])
            is_learned = bool(
                self.weights[place.player][first : first + int(stop - start), hand_id].any()
            )
        return Standing(place, hand_id, own, rival, is_learned)

    def information_sets(
        self, player: int | None = None, *, min_reach: float = 0.0
    ) -> "Iterator[InformationSet]":
        """Go through the information sets of a round, one at a time.

        They come in the order of their histories, each bid followed by all that can come after it,
        and for each history in the order of the hands. Nothing is kept of those that have passed,
        so that memory does not grow; but their number doubles with every bid that can be made. In
        all but small rounds ask for those that play comes to, with ``min_reach``.

        Parameters
        ----------
        player : int, optional
            Only those of one player, 0 for the first bidder.
        min_reach : float
            Leave out information sets to which play comes less often than this; with 0 there are
            all that the rules allow.

        Raises
        ------
        InputError
            If there is no such player, or ``min_reach`` is no chance.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> solution = solve(presets.COMMON.replace(faces=2), dice=(1, 1), target=1e-6)
        >>> sum(1 for _ in solution.strategy.information_sets())  # 2 hands at 16 histories
        32
        >>> known = next(solution.strategy.information_sets(player=1, min_reach=0.1))
        >>> known.seat, known.hand, [str(bid) for bid in known.history]
        (2, (1,), ['1x1'])
        >>> {str(action): round(p, 2) for action, p in known.probs.items()}
        {'1x2': 0.42, '2x1': 0.58, '2x2': 0.0, 'liar': 0.0}
        """
        if player is not None:
            player = check_whole("player", player, at_least=0, at_most=self._graph.n_players - 1)
        least = check_number("min_reach", min_reach, at_least=0, at_most=1)
        return self._information_sets(player, least)

    def _information_sets(self, player: int | None, least: float) -> "Iterator[InformationSet]":
        graph = self._graph
        stack: list[tuple[Place, tuple[Bid, ...], list[F8]]] = []
        stack.append((self.start(), (), list(graph.hand_probs)))
        while stack:
            place, history, reach = stack.pop()
            rivals = 1.0
            for other, of_hands in enumerate(reach):
                rivals *= float(of_hands.sum()) if other != place.player else 1.0
            actions, policy = graph.actions(place.node), self.policy(place)
            if player is None or player == place.player:
                for hand_id, hand in enumerate(graph.hands[place.player]):
                    chance = float(reach[place.player][hand_id]) * rivals
                    if chance >= least:
                        probs = dict(zip(actions, policy[:, hand_id].tolist(), strict=True))
                        yield InformationSet(place.player + 1, hand, history, probs, chance)
            for k in reversed(range(len(actions))):
                bid, mine = actions[k], reach[place.player] * policy[k]
                if isinstance(bid, Bid) and float(mine.sum()) * rivals >= least:
                    below = [*reach]
                    below[place.player] = mine
                    stack.append((self.after(place, k), (*history, bid), below))

    def _action_values(
        self, place: "Place", hand_id: int, beliefs: list[F8]
    ) -> list[tuple[float, float]]:
        """Value of every action, and its standard error."""
        result = []
        values, errors = np.empty(0), np.empty(0)
        if self.tree.abstraction is not None:
            values, errors = values_of_actions(
                self._profile,
                place.player,
                hand_id,
                place.state,
                beliefs,
            )
        for k, action in enumerate(self._graph.actions(place.node)):
            if not isinstance(action, Bid):
                result.append((self._call_value(place, action, hand_id, beliefs), 0.0))
            elif self.tree.abstraction is not None:
                result.append((float(values[k]), float(errors[k])))
            else:
                after = self.after(place, k)
                result.append((self._raise_value(place.player, after, hand_id, beliefs), 0.0))
        return result

    def expected_values(self, place: "Place", beliefs: list[F8]) -> tuple[F8, F8]:
        """Expected values of all legal actions at a place, for all hands at once.

        They are those of `advise`, and quicker to have than hand by hand where no abstraction
        merges states.

        Parameters
        ----------
        place : Place
            Where the round stands.
        beliefs : list of float64[H]
            Chances of every player's hands, each summing to 1; the player on turn has their own
            hand, whatever stands there.

        Returns
        -------
        float64[A, H], float64[A, H]
            The values and their standard errors; axes as of `policy`.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> strategy = solve(presets.COMMON.replace(faces=2), dice=(1, 1), target=1e-6).strategy
        >>> beliefs = list(strategy.tree.graph.hand_probs)
        >>> values, _ = strategy.expected_values(strategy.start(), beliefs)
        >>> advice = {str(a.action): a.expected_value for a in strategy.advise("1")}
        >>> values.shape, bool(values[0, 0] == advice["1x1"])
        ((4, 2), True)
        """
        n_hands = self._graph.n_hands[place.player]
        if self.tree.abstraction is not None:
            pairs = [self._action_values(place, hand_id, beliefs) for hand_id in range(n_hands)]
            both: F8 = np.array(pairs, np.float64).transpose(2, 1, 0)
            return both[0], both[1]
        actions = self._graph.actions(place.node)
        values = np.empty((len(actions), n_hands))
        for k, action in enumerate(actions):
            if isinstance(action, Bid):
                values[k] = self._raise_values(place.player, self.after(place, k), None, beliefs)
            else:
                values[k] = self._call_values(place, action, range(n_hands), beliefs)
        return values, np.zeros_like(values)

    def _raise_value(self, player: int, after: "Place", hand_id: int, beliefs: list[F8]) -> float:
        return float(self._raise_values(player, after, hand_id, beliefs)[hand_id])

    def _raise_values(
        self, player: int, after: "Place", hand_id: int | None, beliefs: list[F8]
    ) -> F8:
        """Values of all hands after a raise; only that of ``hand_id`` is right if it is given."""
        start = Start(state=after.state, node=after.node, reach=beliefs)
        if self.tree.graph.n_players > 2:
            return self._evaluator.hand_values(player, start, hand_id=hand_id)
        return hand_values(self._profile, player, start, is_best_response=False, hand_id=hand_id)

    def _call_value(self, place: "Place", call: Call, hand_id: int, beliefs: list[F8]) -> float:
        return self._call_values(place, call, [hand_id], beliefs)[0]

    def _call_values(
        self, place: "Place", call: Call, hand_ids: Iterable[int], beliefs: list[F8]
    ) -> list[float]:
        graph = self.tree.graph
        player, row = place.player, graph.match_class[place.node]
        pmf = np.ones(1)  # of the number of matches among the other players' dice
        for other, belief in enumerate(beliefs):
            if other != player:
                pmf = np.convolve(pmf, np.bincount(graph.matches[other][row], belief))
        paid = self.payoffs.table(graph.n_players)[:, player, player]
        others, quantity = np.arange(pmf.size), int(graph.quantity[place.node])
        values = []
        for hand_id in hand_ids:
            count = graph.matches[player][row, hand_id] + others
            values.append(float(pmf @ paid[outcome_ids(call, count, quantity)]))
        return values

    @cached_property
    def _profile(self) -> StrategyProfile:
        return StrategyProfile(self.tree, self.weights, self.payoffs, self._defaults)

    @cached_property
    def _evaluator(self) -> ProfileEvaluator:
        return ProfileEvaluator(self._profile)

    @cached_property
    def _defaults(self) -> tuple[I8, ...]:
        return default_actions(self.tree.graph)

    @property
    def _graph(self) -> BidGraph:
        """The round with all that may be done; that of the tree may leave out raises."""
        return self.tree.every_raise.graph

    @cached_property
    def _known_places(self) -> I8:
        """Place among all legal actions of every action of the tree's graph."""
        return action_places(self.tree.graph, self._graph)

    def situation(
        self, hand: "Situation | Iterable[int] | str", history: Iterable[Action | str] = ()
    ) -> BiddingSituation:
        """Take the situation that the strategy is asked about, or read it from hand and history.

        Raises
        ------
        InputTypeError
            If it is none of a bidding round, or there is a history beside it.
        InputError, IllegalActionError
            If it is of another round; and as `read_situation`.
        """
        round_ = self._graph.round
        if isinstance(hand, BiddingSituation):
            if history != ():
                raise InputTypeError(f"a situation has its history, got {history!r} beside it")
            if hand.round != round_:
                raise InputError(
                    f"the situation is of {hand.round.rules.name} with dice {hand.round.dice}, not "
                    f"of {round_.rules.name} with dice {round_.dice}"
                    + (", or one of them is palifico" if hand.round.dice == round_.dice else "")
                )
            return hand
        if isinstance(hand, CupSituation):
            raise InputTypeError(f"a round of bidding has a BiddingSituation, got {hand!r}")
        return read_bidding_situation(round_, hand, history)

    def _follow(self, situation: BiddingSituation) -> tuple[list[tuple["Place", int]], "Place"]:
        """Places on the way with the action taken at each, and the place where it stands."""
        graph = self._graph
        path, place = [], self.start()
        for bid in situation.bids:
            k = graph.actions(place.node).index(bid)
            path.append((place, k))
            place = self.after(place, k)
        return path, place

    def _locate(self, situation: BiddingSituation) -> tuple["Place", list[F8]]:
        """Place where a situation stands, and each player's reach there."""
        path, after = self._follow(situation)
        reach = [probs.copy() for probs in self._graph.hand_probs]
        for place, k in path:
            reach[place.player] *= self.policy(place)[k]
        return after, reach

    def _hand_id(self, situation: BiddingSituation) -> int:
        return self.tree.graph.hand_ids[situation.player][situation.hand]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a round stands; the state is `NO_STATE` if the tree does not have it."""

    state: int
    node: int
    player: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands who is on turn, and how often play comes there by the strategy."""

    place: Place
    hand_id: int
    own_reach: float
    """Chance that the player makes their own bids with this hand."""
    rival_reach: float
    """Chance that the other players all make their bids, over all their hands."""
    is_learned: bool
    """Whether the strategy says anything here; if not, it goes by `default_actions`."""


@dataclass(frozen=True, slots=True)
class InformationSet:
    """What a player on turn knows, and what the strategy does there."""

    seat: int
    """Who is on turn, 1 for the first bidder."""
    hand: Hand
    """Dice of the player on turn."""
    history: tuple[Bid, ...]
    """All bids so far."""
    probs: Mapping[Action, float]
    """Probability of every legal action."""
    reach: float
    """Chance that a round comes here when all play by the strategy: of the hand, and of all bids
    over all hands of the others."""


def _sweep(policy: F8, dust: float) -> None:
    """Set what rounding has left over to 0, in place; other hands keep every bit."""
    is_dust = (policy > 0.0) & (policy <= dust)
    if is_dust.any():
        touched = is_dust.any(axis=0)
        policy[is_dust] = 0.0
        policy[:, touched] /= policy[:, touched].sum(axis=0)

"""One round of bidding Liar's Dice, slow and exact: the oracle for the library.

Nothing here is compiled, ordered, numbered or shared with the library. A history is the tuple of
actions made so far, a bid is ``(quantity, face)``, the two calls are ``"liar"`` and ``"exact"``, a
hand is the sorted tuple of its faces, and every question is put to the clauses of the rules, on the
history, one at a time. Probabilities and values are fractions unless a strategy brings floats.

The numbers of clauses (PE.3, LD.4) are those of the project's rules page.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import combinations_with_replacement, product
from math import factorial

LIAR = "liar"
EXACT = "exact"

Bid = tuple[int, int]
Action = Bid | str
History = tuple[Action, ...]
Hand = tuple[int, ...]
Policy = Mapping[Action, Fraction]
Key = tuple[int, Hand, History]
Strategies = Callable[[int, Hand, History], Policy] | Mapping[Key, Policy]

OPTIONS = {
    "wild": ("none", "ones", "top_face"),
    "wild_until": ("never_locked", "any_ones_bid", "opening_ones"),
    "ones_slot": ("face_low", "face_high", "after_2n", "before_2n", "forbidden"),
    "open_ones": ("yes", "no"),
    "ones_entry": ("at_least_half", "exact_half", "half_plus_one"),
    "raise_rule": ("count_or_face", "reset_quantity", "strict", "no_decrease", "face_wrap"),
    "exact_who": ("off", "next"),
    "palifico_face": ("one_die_may_change", "locked_all", "ex_palifico_may_change", "none"),
    "open_min": (1, "n_players", "1.5n"),
}


@dataclass(frozen=True, kw_only=True)
class ReferenceGame:
    """The rules of one round, for players holding ``dice`` dice in turn order.

    Examples
    --------
    >>> game = ReferenceGame(dice=(1, 1), faces=2)
    >>> game.legal_actions(((1, 2),))
    ((2, 1), (2, 2), 'liar')
    >>> game.payoffs(((1, 2), (2, 2), "liar"), ((2,), (2,)))
    (Fraction(-1, 1), Fraction(1, 1))
    """

    dice: tuple[int, ...]
    faces: int = 6
    wild: str = "none"
    wild_until: str = "never_locked"
    ones_slot: str = "face_low"
    open_ones: str = "yes"
    ones_entry: str = "at_least_half"
    raise_rule: str = "count_or_face"
    exact_who: str = "off"
    exact_payoff: tuple[Fraction | int, Fraction | int] = (1, 1)
    """What an exact call brings its caller if right, and costs them if wrong."""
    palifico: bool = False
    palifico_face: str = "one_die_may_change"
    ex_palifico: tuple[bool, ...] = ()
    """Who has been palifico before, for ``ex_palifico_may_change``; empty means nobody."""
    open_min: int | str = 1

    def __post_init__(self) -> None:
        for name, allowed in OPTIONS.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} must be one of {allowed}, got {getattr(self, name)!r}")
        if len(self.dice) < 2 or min(self.dice) < 1:
            raise ValueError(f"two or more players need a die each, got dice={self.dice}")
        if self.raise_rule == "reset_quantity" and self.ones_have_half_rule and not self.palifico:
            # 1 one -> 3 twos -> 1 three -> 1 one: each step would be legal.
            raise ValueError(f"reset_quantity with ones_slot={self.ones_slot} runs in circles")
        if not any(self.may_open(bid) for bid in self.bids()):
            raise ValueError(f"no opening bid is legal with open_min={self.open_min!r}")

    # --- the table ---------------------------------------------------------------------------

    @property
    def n_players(self) -> int:
        return len(self.dice)

    def player_to_act(self, history: History) -> int:
        """Seat whose turn it is; seat 0 opens and only the next player answers (PE?8, LD?3)."""
        return len(history) % self.n_players

    def hands(self, player: int) -> dict[Hand, Fraction]:
        """Every hand of a player and how likely a throw of their dice is to show it."""
        n_dice = self.dice[player]
        probs = {}
        for hand in combinations_with_replacement(range(1, self.faces + 1), n_dice):
            ways = factorial(n_dice)
            for face in set(hand):
                ways //= factorial(hand.count(face))
            probs[hand] = Fraction(ways, self.faces**n_dice)
        return probs

    def deals(self) -> Iterator[tuple[tuple[Hand, ...], Fraction]]:
        """Every combination of hands, one per player, with its probability."""
        tables = [self.hands(player).items() for player in range(self.n_players)]
        for entries in product(*tables):
            prob = Fraction(1)
            for _, hand_prob in entries:
                prob *= hand_prob
            yield tuple(hand for hand, _ in entries), prob

    # --- which bids may be made --------------------------------------------------------------

    @property
    def ones_have_half_rule(self) -> bool:
        return self.ones_slot in ("after_2n", "before_2n")

    @property
    def wild_face(self) -> int | None:
        return {"none": None, "ones": 1, "top_face": self.faces}[self.wild]

    @property
    def ones(self) -> int:
        """Face that the words "ones" of the bidding options mean; stars may take their place."""
        return self.faces if self.wild == "top_face" and self.ones_have_half_rule else 1

    def bids(self) -> list[Bid]:
        """Every bid that exists, not above the number of dice on the table (PE?7)."""
        faces = range(1, self.faces + 1)
        if self.ones_slot == "forbidden" and not self.palifico:
            faces = range(2, self.faces + 1)
        return [(quantity, face) for quantity in range(1, sum(self.dice) + 1) for face in faces]

    def may_open(self, bid: Bid) -> bool:
        """PE.2, LD?2 and ``open_min``; in a palifico round any face may open (PE.7)."""
        quantity, face = bid
        if self.open_min == "n_players" and quantity < self.n_players:
            return False
        if self.open_min == "1.5n" and 2 * quantity < 3 * self.n_players:
            return False
        return self.palifico or self.open_ones == "yes" or face != self.ones

    def may_raise(self, old: Bid, new: Bid, player: int) -> bool:
        """Whether ``player`` may make the bid ``new`` over the standing bid ``old``."""
        if self.palifico:
            return self.palifico_may_raise(old, new, player)
        if self.ones_have_half_rule:
            if old[1] == self.ones and new[1] == self.ones:
                return new[0] > old[0]
            if new[1] == self.ones:
                return self.may_enter_ones(old[0], new[0])
            if old[1] == self.ones:
                return self.may_leave_ones(old[0], new[0])
        return self.follows_raise_rule(old, new)

    def may_enter_ones(self, quantity: int, n_ones: int) -> bool:
        """PE.3(b): half the current quantity rounded up, or with PE?1 at least that many.

        On the star board n stars lie just before 2n, so they beat 2n - 1 of a face but not 2n:
        more than half is needed.
        """
        if self.ones_slot == "after_2n":
            needed = quantity // 2 if quantity % 2 == 0 else quantity // 2 + 1
        else:
            needed = quantity // 2 + 1
        if self.ones_entry == "half_plus_one":
            return n_ones >= needed + 1
        return n_ones == needed if self.ones_entry == "exact_half" else n_ones >= needed

    def may_leave_ones(self, n_ones: int, quantity: int) -> bool:
        """PE.3(c): greater than double; on the star board 2n of a face come after n stars."""
        return quantity > 2 * n_ones if self.ones_slot == "after_2n" else quantity >= 2 * n_ones

    def face_rank(self, face: int) -> int:
        """Height of a face among the faces; ones are lowest, or highest with face_high (LD?1)."""
        return self.faces + 1 if face == 1 and self.ones_slot == "face_high" else face

    def follows_raise_rule(self, old: Bid, new: Bid) -> bool:
        """``raise_rule``, between faces that are not subject to the half rule."""
        more, same_count = new[0] > old[0], new[0] == old[0]
        old_rank, new_rank = self.face_rank(old[1]), self.face_rank(new[1])
        higher, same_face = new_rank > old_rank, new_rank == old_rank
        if self.raise_rule == "count_or_face":
            return more or (same_count and higher)
        if self.raise_rule == "reset_quantity":
            return higher or (same_face and more)
        if self.raise_rule == "no_decrease":
            return (more or same_count) and (higher or same_face) and (more or higher)
        if (same_face and more) or (same_count and higher):
            return True
        if self.raise_rule == "strict":
            return False
        ranks = {self.face_rank(face) for _, face in self.bids()}
        if self.ones_have_half_rule:
            ranks.discard(self.face_rank(self.ones))
        return more and old_rank == max(ranks) and new_rank == min(ranks)

    def palifico_may_raise(self, old: Bid, new: Bid, player: int) -> bool:
        """PE.7 and PE?2: (quantity, face) with ones lowest; who may change the face differs."""
        if not (new[0] > old[0] or (new[0] == old[0] and new[1] > old[1])):
            return False
        if new[1] == old[1] or self.palifico_face == "none":
            return True
        if self.palifico_face == "one_die_may_change":
            return self.dice[player] == 1
        if self.palifico_face == "ex_palifico_may_change":
            return bool(self.ex_palifico) and self.ex_palifico[player]
        return False

    def legal_actions(self, history: History) -> tuple[Action, ...]:
        """What the player to act may do: bids by quantity and face, then the calls."""
        if not history:
            return tuple(bid for bid in self.bids() if self.may_open(bid))
        standing = history[-1]
        if isinstance(standing, str):
            return ()
        player = self.player_to_act(history)
        raises = tuple(bid for bid in self.bids() if self.may_raise(standing, bid, player))
        exact_allowed = self.exact_who == "next" and not self.palifico  # PE?3, PE?4
        return (*raises, LIAR, EXACT) if exact_allowed else (*raises, LIAR)

    def histories(self, start: History = ()) -> Iterator[History]:
        """Every history at which somebody has to act, from ``start`` on."""
        if self.legal_actions(start):
            yield start
        for action in self.legal_actions(start):
            yield from self.histories((*start, action))

    def information_sets(self, player: int) -> Iterator[tuple[Hand, History]]:
        """Every hand of a player with every history at which they act."""
        for history in self.histories():
            if self.player_to_act(history) == player:
                for hand in self.hands(player):
                    yield hand, history

    # --- the showdown ------------------------------------------------------------------------

    def jokers_live(self, bids: History) -> bool:
        """Whether the wild face still stands for others after these bids (LD.4, LD?2, PE.7)."""
        if self.wild_face is None or self.palifico:
            return False
        faces = [bid[1] for bid in bids]
        if self.wild_until == "any_ones_bid":
            return self.wild_face not in faces
        return not (self.wild_until == "opening_ones" and faces[0] == self.wild_face)

    def count(self, bids: History, hands: tuple[Hand, ...]) -> int:
        """Dice on the table that match the last of ``bids`` (PE.1, PE.4)."""
        face = bids[-1][1]
        matching = {face}
        if self.jokers_live(bids):
            matching.add(self.wild_face)
        return sum(die in matching for hand in hands for die in hand)

    def loser(self, history: History, hands: tuple[Hand, ...]) -> int | None:
        """Seat that loses a die at the end of the round (PE.5, PE.6); None: an exact call right."""
        *bids, call = history
        count, quantity = self.count(tuple(bids), hands), bids[-1][0]
        bidder = self.player_to_act(tuple(bids[:-1]))
        caller = self.player_to_act(tuple(bids))
        if call == LIAR:
            return caller if count >= quantity else bidder
        if call == EXACT:
            return None if count == quantity else caller
        raise ValueError(f"the round is not over after {history}")

    def payoffs(self, history: History, hands: tuple[Hand, ...]) -> tuple[Fraction, Fraction]:
        """What each of two players gets: +-1 after a challenge, ``exact_payoff`` after exact."""
        if self.n_players != 2:
            raise ValueError(f"payoffs are defined for two players, not {self.n_players}")
        loser = self.loser(history, hands)
        caller = self.player_to_act(history[:-1])
        if history[-1] == LIAR:
            to_caller = Fraction(1 if loser != caller else -1)
        else:
            win, lose = self.exact_payoff
            to_caller = Fraction(win) if loser is None else -Fraction(lose)
        return (to_caller, -to_caller) if caller == 0 else (-to_caller, to_caller)

    # --- values of strategies (two players) --------------------------------------------------

    def policy(self, strategies: Strategies, player: int, hand: Hand, history: History) -> Policy:
        """What ``strategies`` plays here, checked: legal actions with probabilities that sum to 1.

        Actions that a policy leaves out have probability 0.
        """
        if isinstance(strategies, Mapping):
            policy = strategies[player, hand, history]
        else:
            policy = strategies(player, hand, history)
        if not set(policy) <= set(self.legal_actions(history)):
            raise ValueError(f"illegal action after {history}: {dict(policy)}")
        if min(policy.values()) < 0 or abs(sum(policy.values()) - 1) > 1e-9:
            raise ValueError(f"not a probability distribution after {history}: {dict(policy)}")
        return policy

    def deal_value(
        self, hands: tuple[Hand, ...], strategies: Strategies, history: History = ()
    ) -> Fraction:
        """What player 0 gets on average from ``history`` on, when the hands are ``hands``."""
        if not self.legal_actions(history):
            return self.payoffs(history, hands)[0]
        player = self.player_to_act(history)
        policy = self.policy(strategies, player, hands[player], history)
        value = Fraction(0)
        for action, prob in policy.items():
            if prob:
                value += prob * self.deal_value(hands, strategies, (*history, action))
        return value

    def expected_value(self, strategies: Strategies) -> Fraction:
        """What player 0 gets on average over the throws; player 1 gets the negative."""
        return sum(
            (prob * self.deal_value(hands, strategies) for hands, prob in self.deals()), Fraction(0)
        )

    def best_response_value(self, player: int, strategies: Strategies) -> Fraction:
        """The most that ``player`` can get on average while the other one plays ``strategies``."""
        others = self.hands(1 - player)
        return sum(
            (
                prob * self.best_value(player, hand, (), others, strategies)
                for hand, prob in self.hands(player).items()
            ),
            Fraction(0),
        )

    def best_value(
        self,
        player: int,
        hand: Hand,
        history: History,
        reach: Mapping[Hand, Fraction],
        strategies: Strategies,
    ) -> Fraction:
        """Best sum of payoffs for ``player`` holding ``hand``.

        ``reach`` gives for each hand of the opponent the probability that they were dealt it and
        made their part of ``history`` with it.
        """
        if not self.legal_actions(history):
            return sum(
                (
                    prob
                    * self.payoffs(history, (hand, other) if player == 0 else (other, hand))[player]
                    for other, prob in reach.items()
                ),
                Fraction(0),
            )
        if self.player_to_act(history) == player:
            return max(
                self.best_value(player, hand, (*history, action), reach, strategies)
                for action in self.legal_actions(history)
            )
        policies = {other: self.policy(strategies, 1 - player, other, history) for other in reach}
        total = Fraction(0)
        for action in self.legal_actions(history):
            passed_on = {
                other: prob * policies[other].get(action, 0) for other, prob in reach.items()
            }
            if any(passed_on.values()):
                total += self.best_value(player, hand, (*history, action), passed_on, strategies)
        return total

    def nash_conv(self, strategies: Strategies) -> Fraction:
        """Sum over both players of best response value minus value (the values cancel)."""
        return self.best_response_value(0, strategies) + self.best_response_value(1, strategies)


# --- strategies ------------------------------------------------------------------------------


def uniform_strategy(game: ReferenceGame) -> Callable[[int, Hand, History], Policy]:
    """Every legal action equally likely."""

    def policy(_player: int, _hand: Hand, history: History) -> Policy:
        actions = game.legal_actions(history)
        return dict.fromkeys(actions, Fraction(1, len(actions)))

    return policy


def seeded_weight(seed: int, player: int, hand: Hand, history: History, action: Action) -> int:
    """Integer from 0 to 4 that depends on nothing but the arguments."""
    text = repr((seed, player, hand, history, action))
    return sha256(text.encode()).digest()[0] % 5


def seeded_strategy(game: ReferenceGame, seed: int) -> Callable[[int, Hand, History], Policy]:
    """Strategy that looks random and is the same in every process; it never plays some actions.

    An action's probability is proportional to `seeded_weight`; all are equal where all are 0.
    """

    def policy(player: int, hand: Hand, history: History) -> Policy:
        actions = game.legal_actions(history)
        weights = {a: seeded_weight(seed, player, hand, history, a) for a in actions}
        total = sum(weights.values())
        if total == 0:
            return dict.fromkeys(actions, Fraction(1, len(actions)))
        return {action: Fraction(weight, total) for action, weight in weights.items()}

    return policy


def tabulate(game: ReferenceGame, strategies: Strategies) -> dict[Key, Policy]:
    """The same strategies as a table over all information sets of both players."""
    return {
        (player, hand, history): game.policy(strategies, player, hand, history)
        for player in range(game.n_players)
        for hand, history in game.information_sets(player)
    }


def snap(table: Mapping[Key, Policy], denominator: int) -> dict[Key, Policy]:
    """Round a table of floats to multiples of ``1 / denominator``; each policy sums to exactly 1.

    What rounding down leaves over goes to the likeliest action.
    """
    snapped = {}
    for key, policy in table.items():
        parts = {action: int(prob * denominator) for action, prob in policy.items()}
        likeliest = max(policy, key=lambda action: policy[action])
        parts[likeliest] += denominator - sum(parts.values())
        snapped[key] = {action: Fraction(part, denominator) for action, part in parts.items()}
    return snapped


# --- counterfactual regret minimization ------------------------------------------------------


class ReferenceCFR:
    """Textbook counterfactual regret minimization, one traversal per deal and update.

    Parameters
    ----------
    game : ReferenceGame
        Two players.
    plus : bool
        CFR+: cumulative regrets are cut at 0 after every update and iteration t counts t times
        in the average. Otherwise plain CFR, every iteration counting once.
    alternating : bool
        Player 0 is updated first and player 1 answers the new policy; otherwise both are updated
        from the same pair of policies.
    average_in : "own_update" or "opponent_update"
        A player's current policy joins their average just before their own update, or during the
        opponent's. The two differ only with alternating updates, and only for player 0.
    number : float or Fraction
        Numbers to compute with; fractions grow quickly and suit a handful of iterations.

    References
    ----------
    Zinkevich et al. (2007), Regret minimization in games with incomplete information.
    Tammelin (2014), arXiv:1407.5042, for CFR+.
    """

    def __init__(
        self,
        game: ReferenceGame,
        *,
        plus: bool = False,
        alternating: bool = True,
        average_in: str = "own_update",
        number: Callable[..., Fraction | float] = float,
    ) -> None:
        if average_in not in ("own_update", "opponent_update"):
            raise ValueError(f"average_in must be own_update or opponent_update, got {average_in}")
        self.game = game
        self.plus = plus
        self.alternating = alternating
        self.average_in = average_in
        self.number = number
        self.iteration = 0
        self.actions = {history: game.legal_actions(history) for history in game.histories()}
        self.deals = [(hands, number(prob)) for hands, prob in game.deals()]
        self.keys = [
            (player, hand, history)
            for player in (0, 1)
            for hand, history in game.information_sets(player)
        ]
        self.cum_regret = {key: dict.fromkeys(self.actions[key[2]], number(0)) for key in self.keys}
        """Summed regrets, weighted with chance (both hands) and the opponent's reach."""
        self.cum_policy = {key: dict.fromkeys(self.actions[key[2]], number(0)) for key in self.keys}
        """Summed policies, weighted with the player's own reach (chance left out)."""
        self.payoff = {
            (hands, (*history, call)): number(game.payoffs((*history, call), hands)[0])
            for hands, _ in self.deals
            for history, actions in self.actions.items()
            for call in actions
            if isinstance(call, str)
        }

    def iterate(self, n_iterations: int = 1) -> None:
        for _ in range(n_iterations):
            self.iteration += 1
            if self.alternating:
                self.update((0,))
                self.update((1,))
            else:
                self.update((0, 1))

    def current_strategy(self) -> dict[Key, Policy]:
        """Regret matching: in proportion to positive regret, uniform where there is none."""
        return {
            key: self.normalised({a: max(r, self.number(0)) for a, r in regrets.items()})
            for key, regrets in self.cum_regret.items()
        }

    def average_strategy(self) -> dict[Key, Policy]:
        """The average so far; uniform where a player never came."""
        return {key: self.normalised(weights) for key, weights in self.cum_policy.items()}

    def normalised(self, weights: Policy) -> Policy:
        total = sum(weights.values())
        if total == 0:
            return dict.fromkeys(weights, self.number(1) / len(weights))
        return {action: weight / total for action, weight in weights.items()}

    def update(self, players: tuple[int, ...]) -> None:
        """Let ``players`` learn from one traversal of all deals under the current strategies."""
        strategy = self.current_strategy()
        regret = {key: defaultdict(self.number) for key in self.keys if key[0] in players}
        for hands, prob in self.deals:
            self.traverse(hands, (), prob, (self.number(1), self.number(1)), strategy, regret)
        for player in players:
            averaged = player if self.average_in == "own_update" else 1 - player
            for hand in self.game.hands(averaged):
                self.add_to_average(averaged, hand, (), self.number(1), strategy)
        for key, gains in regret.items():
            for action, gain in gains.items():
                total = self.cum_regret[key][action] + gain
                self.cum_regret[key][action] = max(total, self.number(0)) if self.plus else total

    def traverse(
        self,
        hands: tuple[Hand, ...],
        history: History,
        prob: Fraction,
        reach: tuple[Fraction, ...],
        strategy: Mapping[Key, Policy],
        regret: Mapping[Key, dict[Action, Fraction]],
    ) -> Fraction:
        """Value for player 0 from ``history`` on; adds to ``regret`` what its players regret."""
        if history not in self.actions:
            return self.payoff[hands, history]
        player = self.game.player_to_act(history)
        key = (player, hands[player], history)
        values = {}
        for action, action_prob in strategy[key].items():
            passed_on = tuple(
                r * action_prob if seat == player else r for seat, r in enumerate(reach)
            )
            values[action] = self.traverse(
                hands, (*history, action), prob, passed_on, strategy, regret
            )
        value = sum(strategy[key][action] * values[action] for action in values)
        if key in regret:
            sign = 1 if player == 0 else -1
            for action in values:
                gain = sign * (values[action] - value)
                regret[key][action] += prob * reach[1 - player] * gain
        return value

    def add_to_average(
        self,
        player: int,
        hand: Hand,
        history: History,
        own_reach: Fraction,
        strategy: Mapping[Key, Policy],
    ) -> None:
        """Add the current policy of ``player`` at ``history`` and below, for one of their hands."""
        if history not in self.actions:
            return
        if self.game.player_to_act(history) != player:
            for action in self.actions[history]:
                self.add_to_average(player, hand, (*history, action), own_reach, strategy)
            return
        weight = self.iteration if self.plus else 1
        for action, prob in strategy[player, hand, history].items():
            self.cum_policy[player, hand, history][action] += weight * own_reach * prob
            self.add_to_average(player, hand, (*history, action), own_reach * prob, strategy)

"""Exact values of two-player cup games: linear programs and a recursion, in plain words.

Three ways that share only the rules of `reference.cup`:

* the sequence form of the full extensive game with perfect recall, one linear program a player;
* the backward recursion over (hand, claim), where whoever accepts looks;
* for games in which all dice are thrown unseen, a recursion over the claim alone, in fractions.

Values are the chance that player 0 wins the round.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, hstack

from reference.cup import ACCEPT, CHALLENGE, Action, Claim, Hand, Position, ReferenceCup, Seen
from reference.cup_values import Strategy, best_response, mixture, wins

# --- sequence form ---------------------------------------------------------------------------


@dataclass
class SequenceForm:
    """Sequences of actions of both players, and the chance of winning for each pair of them.

    References
    ----------
    Koller, Megiddo, von Stengel (1996), "Efficient computation of equilibria for extensive
    two-person games", for the program.
    """

    sequences: tuple[dict[object, int], dict[object, int]] = field(
        default_factory=lambda: ({(): 0}, {(): 0})
    )
    """Number of each (what is seen, action), the empty sequence first."""
    decisions: tuple[dict[Seen, tuple[int, list[Action]]], ...] = field(
        default_factory=lambda: ({}, {})
    )
    """Of each information set: the sequence that leads there and the actions."""
    wins: dict[tuple[int, int], float] = field(default_factory=dict)
    """Chance that player 0 wins, dice included, summed over the ends of each pair."""

    def add(self, game: ReferenceCup, start: Position, cut: Callable | None) -> None:
        """Walk all histories from ``start``; ``cut`` may give the value of a proper subgame."""
        waiting = [(start, (0, 0), Fraction(1))]
        while waiting:
            at, reached, chance = waiting.pop()
            if at.stage == "end":
                self._pay(reached, chance * (at.rival == 0))
            elif at.stage in ("throw", "try"):
                waiting += [(after, reached, chance * p) for after, p in game.chances(at)]
            elif cut and at.stage == "keep" and all(at.knows) and at is not start:
                won = cut(at.cup, at.claim)
                self._pay(reached, float(chance) * (won if at.player == 0 else 1 - won))
            else:
                for action in game.actions(at):
                    after = self._number(at, action, reached, game)
                    waiting.append((game.act(at, action), after, chance))

    def _pay(self, reached: tuple[int, int], amount: Fraction | float) -> None:
        self.wins[reached] = self.wins.get(reached, 0.0) + float(amount)

    def _number(
        self, at: Position, action: Action, reached: tuple[int, int], game: ReferenceCup
    ) -> tuple[int, int]:
        player, seen = at.player, at.seen[at.player]
        if seen not in self.decisions[player]:
            self.decisions[player][seen] = (reached[player], game.actions(at))
        if self.decisions[player][seen][0] != reached[player]:
            raise AssertionError(f"player {player} has forgotten how he came to {seen}")
        numbers = self.sequences[player]
        mine = numbers.setdefault((seen, action), len(numbers))
        return (mine, reached[1]) if player == 0 else (reached[0], mine)

    def flow(self, player: int) -> tuple[coo_array, np.ndarray]:
        """Constraints of a realization plan: the empty sequence is 1, and nothing gets lost."""
        rows, columns, entries = [0], [0], [1.0]
        for row, (seen, (parent, actions)) in enumerate(self.decisions[player].items(), 1):
            for action in actions:
                rows.append(row)
                columns.append(self.sequences[player][seen, action])
                entries.append(1.0)
            rows.append(row)
            columns.append(parent)
            entries.append(-1.0)
        shape = (len(self.decisions[player]) + 1, len(self.sequences[player]))
        right = np.zeros(shape[0])
        right[0] = 1.0
        return coo_array((entries, (rows, columns)), shape=shape), right

    def payoff(self) -> coo_array:
        pairs = np.array(list(self.wins)).T
        shape = (len(self.sequences[0]), len(self.sequences[1]))
        return coo_array((list(self.wins.values()), (pairs[0], pairs[1])), shape=shape)

    def solve_for(self, player: int) -> tuple[float, np.ndarray]:
        """Value and realization plan that is best against the worst that the other can do."""
        won = self.payoff() if player == 0 else -self.payoff().T
        own, own_right = self.flow(player)
        other, other_right = self.flow(1 - player)
        n_own, n_rows = own.shape[1], other.shape[0]
        blank = coo_array((own.shape[0], n_rows))
        solved = linprog(
            np.concatenate([np.zeros(n_own), -other_right]),
            A_ub=hstack([-won.T, other.T]).tocsr(),
            b_ub=np.zeros(other.shape[1]),
            A_eq=hstack([own, blank]).tocsr(),
            b_eq=own_right,
            bounds=[(0, None)] * n_own + [(None, None)] * n_rows,
            method="highs",
        )
        if solved.status != 0:
            raise AssertionError(solved.message)
        return -solved.fun, solved.x[:n_own]

    def strategy(self, player: int, plan: np.ndarray, largest: int) -> Strategy:
        """Play of a realization plan, in fractions of denominators up to ``largest``."""
        laws = {}
        for seen, (_, actions) in self.decisions[player].items():
            weights = [max(plan[self.sequences[player][seen, a]], 0.0) for a in actions]
            total = sum(weights)
            if total < 1e-9:
                law = [Fraction(1, len(actions))] * len(actions)
            else:
                law = [Fraction(w / total).limit_denominator(largest) for w in weights]
                law = [part / sum(law) for part in law]
            laws[seen] = dict(zip(actions, law, strict=True))
        return lambda _player, seen, _actions: laws[seen]


def sequence_form(game: ReferenceCup) -> SequenceForm:
    """The whole game from the first throw, nothing left out."""
    is_endless = game.raise_rule == "equal_or_higher" or game.blind_claim == "same"
    if game.n_players != 2 or is_endless:
        raise ValueError("the program needs two players and claims that rise")
    form = SequenceForm()
    form.add(game, game.start(), None)
    return form


def solve_extensive(game: ReferenceCup) -> tuple[float, float]:
    """Chances of winning that players 0 and 1 can each hold player 0 to: equal up to rounding.

    Examples
    --------
    >>> [round(bound, 9) for bound in solve_extensive(ReferenceCup(n_dice=1, n_faces=2))]
    [0.75, 0.75]
    """
    form = sequence_form(game)
    return form.solve_for(0)[0], -form.solve_for(1)[0]


def prove_extensive(game: ReferenceCup, largest: int = 2000) -> tuple[Fraction, Fraction]:
    """Proven bounds of the value: rounded plans of both programs, each met by a best response."""
    form = sequence_form(game)
    plans = [form.strategy(player, form.solve_for(player)[1], largest) for player in range(2)]
    both = mixture(plans)
    lower = 1 - best_response(game, 1, both, wins)
    upper = best_response(game, 0, both, wins)
    return Fraction(lower), Fraction(upper)


def solve_with_resets(game: ReferenceCup) -> tuple[float, float]:
    """The same value, every proper subgame solved once.

    Where the player to move has looked at a hand that the other is certain of too, both know all
    that matters from there on: the rest is a game of its own, whatever came before.
    """

    @cache
    def held(hand: Hand, claim: Claim) -> float:
        return solve_from(game.holding(hand, claim))[0]

    def solve_from(start: Position) -> tuple[float, float]:
        form = SequenceForm()
        form.add(game, start, held)
        return form.solve_for(0)[0], -form.solve_for(1)[0]

    return solve_from(game.start())


# --- recursion over hands and claims ---------------------------------------------------------


def solve_recursion(game: ReferenceCup) -> float:
    """Backward recursion over rising claims: one small program for each (hand, claim)."""
    if game.look != "before_throw" or game.blind_pass != "off":
        raise ValueError("the recursion needs that whoever accepts looks")

    @cache
    def held(hand: Hand, claim: Claim) -> float:
        """Chance to win of the player who has accepted ``claim`` and sees ``hand``."""
        keeps = game.keeps(hand)
        if not game.announce_count:
            return stage(keeps, claim)
        sizes = sorted({len(kept) for kept in keeps})
        return max(stage([k for k in keeps if len(k) == size], claim) for size in sizes)

    def stage(keeps: list[Hand], standing: Claim | None) -> float:
        """Chance to win of a mover who secretly keeps one of ``keeps``, then claims.

        Variables: chance of each keep; of each (keep, new hand, claim); of winning by each claim,
        which the responder makes the smaller of what challenging and accepting leave.
        """
        claims = game.legal_claims(standing)
        results = [list(game.thrown(kept).items()) for kept in keeps]
        cells = [
            (k, hand, claim)
            for k, result in enumerate(results)
            for hand, _ in result
            for claim in claims
        ]
        n_keeps, n_claims = len(keeps), len(claims)
        n_all = n_keeps + len(cells) + n_claims
        place = {cell: n_keeps + i for i, cell in enumerate(cells)}
        equal, right, below = [], [], []
        row = np.zeros(n_all)
        row[:n_keeps] = 1.0
        equal.append(row)
        right.append(1.0)
        for k, result in enumerate(results):
            for hand, prob in result:
                row = np.zeros(n_all)
                row[k] = -float(prob)
                for claim in claims:
                    row[place[k, hand, claim]] = 1.0
                equal.append(row)
                right.append(0.0)
        for c, claim in enumerate(claims):
            for answer in answers(claim):
                row = np.zeros(n_all)
                row[n_all - n_claims + c] = 1.0
                for k, result in enumerate(results):
                    for hand, _ in result:
                        row[place[k, hand, claim]] = -mover_wins(answer, claim, hand)
                below.append(row)
        cost = np.zeros(n_all)
        cost[n_all - n_claims :] = -1.0
        solved = linprog(
            cost,
            A_ub=np.array(below),
            b_ub=np.zeros(len(below)),
            A_eq=np.array(equal),
            b_eq=np.array(right),
            bounds=(0, None),
            method="highs",
        )
        if solved.status != 0:
            raise AssertionError(solved.message)
        return -float(solved.fun)

    def answers(claim: Claim) -> list[Action]:
        may_try = claim == game.claims[-1] and game.top_claim == "accept_try"
        return [CHALLENGE, ACCEPT] if game.legal_claims(claim) or may_try else [CHALLENGE]

    @cache
    def mover_wins(answer: Action, claim: Claim, hand: Hand) -> float:
        if answer == CHALLENGE:
            return float(game.is_true(claim, hand))
        if not game.legal_claims(claim):
            return float(1 - game.top_chance(hand))
        return 1.0 - held(hand, claim)

    return stage([()], None)


# --- recursion over the claim alone ----------------------------------------------------------


def solve_unseen(game: ReferenceCup) -> dict[Claim | None, Fraction]:
    """Chance to win of whoever must throw all dice unseen over each standing claim; exact.

    Let ``a`` be the mover's chance once a claim is accepted: it is the same for every hand. If the
    responder accepts the claim with chance q, lying wins q a and the truth 1 - q (1 - a). To hold
    lies to t he sets q = min(1, t / a), for a larger q only lessens what the truth wins. So the
    value is the least, over t, of the mean over hands of the better of t and the best truth. For
    each hand that is a largest of linear functions of t between neighbouring values of a, and a
    truth that has a < t wins a < t: the better of both bends only at the values of a.
    """
    if game.look != "never" or game.blind_pass != "off" or game.top_claim != "must_challenge":
        raise ValueError("the recursion needs that all dice are thrown unseen")

    true_claims = {hand: {c for c in game.claims if game.is_true(c, hand)} for hand in game.hands}

    @cache
    def value(standing: Claim | None) -> Fraction:
        claims = game.legal_claims(standing)
        accepted = {claim: 1 - value(claim) for claim in claims if game.legal_claims(claim)}
        limits = sorted({Fraction(0), *accepted.values()})
        # What is least over t is convex in t, as a program whose right side is t: go downhill.
        low, high = 0, len(limits) - 1
        while low < high:
            middle = (low + high) // 2
            if mean(limits[middle], claims, accepted) <= mean(limits[middle + 1], claims, accepted):
                high = middle
            else:
                low = middle + 1
        return mean(limits[low], claims, accepted)

    def mean(t: Fraction, claims: list[Claim], accepted: dict[Claim, Fraction]) -> Fraction:
        truth = {}
        for claim in claims:
            a = accepted.get(claim)
            if a is None:
                truth[claim] = Fraction(1)  # must be challenged
            elif a == 0:
                truth[claim] = Fraction(0)  # accepted always, to the mover's loss
            else:
                truth[claim] = 1 - min(Fraction(1), t / a) * (1 - a)
        best = sorted(claims, key=truth.__getitem__, reverse=True)
        total = Fraction(0)
        for hand, prob in game.hands.items():
            honest = next((truth[c] for c in best if c in true_claims[hand]), Fraction(0))
            total += prob * max(t, honest)
        return total

    return {standing: value(standing) for standing in [*reversed(game.claims[:-1]), None]}

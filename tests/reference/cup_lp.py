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
from reference.cup_values import Strategy, best_response, mixture, read_stage, wins

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
            raise AssertionError(f"player {player} has forgotten how they came to {seen}")
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
        distributions = {}
        for seen, (_, actions) in self.decisions[player].items():
            weights = [max(plan[self.sequences[player][seen, a]], 0.0) for a in actions]
            total = sum(weights)
            if total < 1e-9:
                distribution = [Fraction(1, len(actions))] * len(actions)
            else:
                distribution = [Fraction(w / total).limit_denominator(largest) for w in weights]
                distribution = [part / sum(distribution) for part in distribution]
            distributions[seen] = dict(zip(actions, distribution, strict=True))
        return lambda _player, seen, _actions: distributions[seen]


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


@dataclass(frozen=True)
class StagePlay:
    """One small game solved: what the mover keeps and claims, when the responder accepts."""

    value: float
    """Chance to win of the mover."""
    keep: dict[Hand, float]
    claim: dict[tuple[Hand, Hand, Claim], float]
    """Chance of a keep, the hand that comes of it and the claim, all three."""
    challenge: dict[Claim, float]


class Recursion:
    """Backward recursion over rising claims: one small program for each (hand, claim).

    Examples
    --------
    >>> round(Recursion(ReferenceCup(n_dice=1, n_faces=2)).value, 9)
    0.75
    """

    def __init__(self, game: ReferenceCup) -> None:
        if game.look != "before_throw" or game.blind_pass != "off" or game.n_players != 2:
            raise ValueError("the recursion needs two players of whom the one who accepts looks")
        if game.raise_rule == "equal_or_higher":
            raise ValueError("the recursion needs claims that rise")
        self.game = game
        self._stages: dict[object, StagePlay] = {}

    @property
    def value(self) -> float:
        """Chance that player 0 wins."""
        return self.stage(None, None, self.game.n_dice).value

    def counts(self, hand: Hand) -> list[int | None]:
        """Numbers of dice that may be thrown; one None if the number is not said."""
        if not self.game.announce_count:
            return [None]
        return sorted({self.game.n_dice - len(kept) for kept in self.game.keeps(hand)})

    def held(self, hand: Hand, claim: Claim) -> float:
        """Chance to win of the player who has accepted ``claim`` and sees ``hand``."""
        return max(self.stage(hand, claim, thrown).value for thrown in self.counts(hand))

    def stage(self, held: Hand | None, over: Claim | None, thrown: int | None) -> StagePlay:
        """Play of a mover who throws so many dice of ``held``, and of the responder."""
        key = (held, over, thrown)
        if key not in self._stages:
            keeps = [()] if held is None else self.game.keeps(held)
            if held is not None and thrown is not None:
                keeps = [kept for kept in keeps if self.game.n_dice - len(kept) == thrown]
            self._stages[key] = self._solve(keeps, self.game.legal_claims(over))
        return self._stages[key]

    def _solve(self, keeps: list[Hand], claims: list[Claim]) -> StagePlay:
        """Solve for a mover who secretly keeps one of ``keeps``, then makes one of ``claims``.

        Variables: chance of each keep; of each (keep, new hand, claim); of winning by each claim,
        which the responder makes the smaller of what challenging and accepting leave. How much
        each of the two binds is how often it is done.
        """
        distributions = {kept: self.game.thrown(kept) for kept in keeps}
        cells = [(kept, hand, c) for kept in keeps for hand in distributions[kept] for c in claims]
        place = {name: i for i, name in enumerate([*keeps, *cells, *claims])}
        equal, right = [np.array([float(name in distributions) for name in place])], [1.0]
        for kept in keeps:
            for hand, prob in distributions[kept].items():
                row = np.zeros(len(place))
                row[place[kept]] = -float(prob)
                row[[place[kept, hand, claim] for claim in claims]] = 1.0
                equal.append(row)
                right.append(0.0)
        answers = [(claim, answer) for claim in claims for answer in self._answers(claim)]
        below = np.zeros((len(answers), len(place)))
        for row, (claim, answer) in zip(below, answers, strict=True):
            row[place[claim]] = 1.0
            for kept in keeps:
                for hand in distributions[kept]:
                    row[place[kept, hand, claim]] = -self._mover_wins(answer, claim, hand)
        solved = linprog(
            np.array([-float(name in claims) for name in place]),
            A_ub=below,
            b_ub=np.zeros(len(below)),
            A_eq=np.array(equal),
            b_eq=np.array(right),
            bounds=(0, None),
            method="highs",
        )
        if solved.status != 0:
            raise AssertionError(solved.message)
        weights = dict(zip(answers, -solved.ineqlin.marginals, strict=True))
        return StagePlay(
            value=-float(solved.fun),
            keep={kept: solved.x[place[kept]] for kept in keeps},
            claim={cell: solved.x[place[cell]] for cell in cells},
            challenge={claim: weights[claim, CHALLENGE] for claim in claims},
        )

    def _answers(self, claim: Claim) -> list[Action]:
        may_try = claim == self.game.claims[-1] and self.game.top_claim == "accept_try"
        can_raise = bool(self.game.legal_claims(claim))
        return [CHALLENGE, ACCEPT] if can_raise or may_try else [CHALLENGE]

    def _mover_wins(self, answer: Action, claim: Claim, hand: Hand) -> float:
        if answer == CHALLENGE:
            return float(self.game.is_true(claim, hand))
        if not self.game.legal_claims(claim):
            return float(1 - self.game.top_chance(hand))
        return 1.0 - self.held(hand, claim)

    def strategy(self, player: int, seen: Seen, actions: list[Action]) -> dict[Action, float]:
        """Play the stages, forgetting all that came before the last look.

        Never passes blind; a blind pass of the other is met as if the other had looked and kept
        all.
        """
        at = read_stage(seen)
        if actions[0][0] == "keep":
            best = max(self.counts(at.held), key=lambda n: self.stage(at.held, at.over, n).value)
            weights = {("keep", k): p for k, p in self.stage(at.held, at.over, best).keep.items()}
        else:
            thrown = self.game.n_dice if at.held is None else at.thrown
            if at.thrown is None and self.game.announce_count and at.held is not None:
                thrown = 0  # passed on blind
            play = self.stage(at.held, at.over, thrown)
            if actions[0][0] == "claim":
                kept = () if at.kept is None else at.kept
                weights = {a: play.claim[kept, at.new, a[1]] for a in actions}
            else:
                challenge = min(max(play.challenge[at.claim], 0.0), 1.0)
                weights = {CHALLENGE: challenge, ACCEPT: 1.0 - challenge}
        weights = {a: max(weights.get(a, 0.0), 0.0) for a in actions}
        total = sum(weights.values())
        return {a: w / total for a, w in weights.items()}


def solve_recursion(game: ReferenceCup) -> float:
    """Chance that player 0 wins, by the recursion over (hand, claim)."""
    return Recursion(game).value


# --- recursion over the claim alone ----------------------------------------------------------


def solve_unseen(game: ReferenceCup) -> dict[Claim | None, Fraction]:
    """Chance to win of whoever must throw all dice unseen over each standing claim; exact.

    Let ``a`` be the mover's chance once a claim is accepted: it is the same for every hand. If the
    responder accepts the claim with chance q, lying wins q a and the truth 1 - q (1 - a). To hold
    lies to t the responder sets q = min(1, t / a), for a larger q only lessens what the truth wins.
    So the value is the least, over t, of the mean over hands of the better of t and the best truth.
    For each hand that is a largest of linear functions of t between neighbouring values of a, and a
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

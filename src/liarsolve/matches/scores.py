"""Every score of a match of two players, and what may follow it."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, TypeAlias

from liarsolve.errors import GameTooLargeError, RuleError
from liarsolve.matches.bidding.endings import bidding_outcomes
from liarsolve.matches.cup.endings import cup_outcomes
from liarsolve.rules import CupRules, RuleSet
from liarsolve.rules.bidding.match import BiddingMatch, BiddingScore
from liarsolve.rules.cup.match import CupMatch, CupScore

AnyScore: TypeAlias = BiddingScore | CupScore
Ending: TypeAlias = tuple[str, int]
"""How a round ended, and who called: 0 for the player who started it."""

_MOST_SCORES = 100_000


@dataclass(frozen=True, slots=True)
class Follow:
    """What the match comes to after a round."""

    chance: float | None
    """With what chance the starter of the round has won, if the match is over; a match in which
    nobody has lost counts half."""
    score: int
    """Number of the next score otherwise, -1 where there is none."""
    is_starter: bool
    """Whether who started the round starts the next one too."""

    def worth(self, low: Any, high: Any) -> tuple[float, float]:  # Any: lists or arrays
        """Bounds of the starter's chance of winning the match, given those of all scores."""
        if self.chance is not None:
            return self.chance, self.chance
        if self.is_starter:
            return float(low[self.score]), float(high[self.score])
        return 1.0 - float(high[self.score]), 1.0 - float(low[self.score])


@dataclass(frozen=True, slots=True)
class Step:
    """A score, and what follows each ending of its round."""

    score: AnyScore
    follows: Mapping[Ending, Follow]
    wins: Mapping[Ending, bool]
    """Whether the starter has won the round."""

    @property
    def by_winner(self) -> tuple[Follow, Follow] | None:
        """What follows if the starter wins, and if they lose; None if that is not all that counts.

        The round is then played for the same two outcomes whatever they are worth, so its
        equilibrium does not depend on the rest of the match.
        """
        won = {self.follows[ending] for ending, is_won in self.wins.items() if is_won}
        lost = {self.follows[ending] for ending, is_won in self.wins.items() if not is_won}
        if len(won) == len(lost) == 1:
            return won.pop(), lost.pop()
        return None


class Scores:
    """All scores that may come up, each with the starter of its round as player 0.

    Parameters
    ----------
    rules : RuleSet or CupRules
        The rules; every pair of dice, or lives, up to those at the start is a score.

    Raises
    ------
    RuleError
        If a round has more outcomes than it can be solved for.
    GameTooLargeError
        If there are more scores than 100,000.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> scores = Scores(presets.COMMON.replace(dice=2))
    >>> [score.dice for score in scores]
    [(1, 1), (1, 2), (2, 1), (2, 2)]
    """

    def __init__(self, rules: RuleSet | CupRules) -> None:
        self.rules = rules
        self.match = _seat_two(rules)
        most = _count_at_start(rules)
        if most**2 > _MOST_SCORES:
            raise GameTooLargeError(
                f"{rules.name} has {most**2:,} scores, and up to {_MOST_SCORES:,} can be solved"
            )
        ends: dict[AnyScore, list[tuple[Ending, bool, AnyScore]]] = {}
        waiting = deque(
            _at_counts(self.match, (a, b)) for a, b in product(range(1, most + 1), repeat=2)
        )
        while waiting:
            score = waiting.popleft()
            if score in ends:
                continue
            if len(ends) >= _MOST_SCORES:
                raise GameTooLargeError(
                    f"{rules.name} has more than {_MOST_SCORES:,} scores, which is more than can "
                    "be solved"
                )
            ends[score] = list(self._ends(score))
            waiting.extend(
                seen_from_starter(after)
                for _, _, after in ends[score]
                if not self.match.winners(after)
            )
        found = sorted(ends, key=_rank)
        self._numbers: dict[AnyScore, int] = {score: number for number, score in enumerate(found)}
        self.steps = tuple(self._step(score, ends[score]) for score in found)

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[AnyScore]:
        return (step.score for step in self.steps)

    def find(self, score: AnyScore) -> int | None:
        """Number of a score, whoever starts its round; None if it cannot come up."""
        return self._numbers.get(seen_from_starter(score))

    def at(self, counts: tuple[int, int]) -> int | None:
        """Number of the score with so many dice or lives where nobody has had an extra one yet."""
        return self._numbers.get(_at_counts(self.match, counts))

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of scores between which a match may go back and forth, what follows them first.

        A score that never comes back makes a group of its own.
        """
        return _strong_components([
            {follow.score for follow in step.follows.values() if follow.chance is None}
            for step in self.steps
        ])  # fmt: skip

    def has_loop(self, group: Iterable[int]) -> bool:
        """Whether a match may come back to a score of a group."""
        group = set(group)
        return any(
            follow.score in group
            for number in group
            for follow in self.steps[number].follows.values()
            if follow.chance is None
        )

    def _ends(self, score: AnyScore) -> Iterator[tuple[Ending, bool, AnyScore]]:
        match, outcomes = self.match, _outcomes(self.match, score)
        for kind, caller, is_won, alike in outcomes:
            after = {_settled(match, match.after(score, outcome)) for outcome in alike}
            if len(after) > 1:
                raise RuleError(
                    f"with {_way_of_losing(self.rules)} a round at {describe_counts(score)} has "
                    "more outcomes than it can be solved for; use loss=one, or a single die each"
                )
            yield (kind, caller), is_won, after.pop()

    def _step(self, score: AnyScore, ends: list[tuple[Ending, bool, AnyScore]]) -> Step:
        follows, wins = {}, {}
        for ending, is_won, after in ends:
            wins[ending] = is_won
            winners = self.match.winners(after)
            if winners:
                chance = 0.5 if len(winners) > 1 else float(winners == (0,))
                follows[ending] = Follow(chance, -1, is_starter=True)
            else:
                number = self._numbers[seen_from_starter(after)]
                follows[ending] = Follow(None, number, is_starter=after.starter == 0)
        return Step(score, follows, wins)


def seen_from_starter(score: AnyScore) -> AnyScore:
    """The same score with the starter of its round as player 0.

    Two players who change seats play the same match. What lies in the pool is the winner's,
    whoever that is, and changes nothing either.

    >>> seen_from_starter(BiddingScore(dice=(1, 2), starter=1)).dice
    (2, 1)
    """
    is_swapped = score.starter == 1
    if isinstance(score, CupScore):
        parts: dict[str, Any] = {
            name: getattr(score, name) for name in ("stakes", "has_extra", "had_extra")
        }
        parts["pool"] = 0
    else:
        names = ("dice", "lives", "had_extra", "had_palifico")
        parts = {name: getattr(score, name) for name in names}
    if is_swapped:
        parts |= {name: value[::-1] for name, value in parts.items() if isinstance(value, tuple)}
    return replace(score, starter=0, **parts)


def counts_of(score: AnyScore) -> tuple[int, int]:
    """Dice, lives or stakes of both players, the first player's first."""
    own, other = score.stakes if isinstance(score, CupScore) else score.lives or score.dice
    return own, other


def describe_counts(score: AnyScore) -> str:
    """Write dice, lives or stakes of both players, the starter's first.

    >>> describe_counts(BiddingScore(dice=(1, 2), starter=1))
    '2 v 1'
    """
    own, other = counts_of(seen_from_starter(score))
    return f"{own} v {other}"


def _seat_two(rules: RuleSet | CupRules) -> Any:  # Any: the match of the family of the rules
    if rules.min_players > 2:
        raise RuleError(
            f"min_players={rules.min_players}, but values of matches are of two players; use "
            "min_players=2"
        )
    return CupMatch(rules, 2) if isinstance(rules, CupRules) else BiddingMatch(rules, 2)


def _count_at_start(rules: RuleSet | CupRules) -> int:
    return rules.lives if isinstance(rules, CupRules) else rules.lives or rules.dice


def _at_counts(match: BiddingMatch | CupMatch, counts: tuple[int, int]) -> AnyScore:
    """Score with so many dice or lives, and nothing else that has happened."""
    start = match.start()
    if isinstance(start, CupScore):
        return replace(start, stakes=counts)
    return replace(start, lives=counts) if start.lives else replace(start, dice=counts)


def _settled(match: Any, score: AnyScore) -> AnyScore:  # Any: the match of the score's family
    """The score itself, or once the match is over a score that says no more than who has won."""
    winners = match.winners(score)
    if not winners or isinstance(score, CupScore):
        return score
    return replace(score, starter=0)


def _outcomes(
    match: BiddingMatch | CupMatch, score: AnyScore
) -> Iterator[tuple[str, int, bool, tuple[Any, ...]]]:
    if isinstance(match, CupMatch):
        assert isinstance(score, CupScore)
        return cup_outcomes(match, score)
    assert isinstance(score, BiddingScore)
    return bidding_outcomes(match, score)


def _way_of_losing(rules: RuleSet | CupRules) -> str:
    return f"loss={rules.loss.value}" if isinstance(rules, RuleSet) else "these penalties"


def _rank(score: AnyScore) -> tuple[Any, ...]:
    """Order of scores: fewer dice or lives first."""
    counts = counts_of(score)
    extra = score.has_extra if isinstance(score, CupScore) else ()
    return sum(counts), counts, extra, score.had_extra


def _strong_components(after: list[set[int]]) -> tuple[tuple[int, ...], ...]:
    """Strongly connected parts of a graph, those that others lead to first (Tarjan 1972)."""
    order: dict[int, int] = {}
    least: dict[int, int] = {}
    stack: list[int] = []
    parts: list[tuple[int, ...]] = []
    done: set[int] = set()
    for root in range(len(after)):
        path = [] if root in order else [(root, iter(sorted(after[root])))]
        if path:
            order[root] = least[root] = len(order)
            stack.append(root)
        while path:
            node, others = path[-1]
            other = next(others, None)
            if other is None:
                path.pop()
                if path:
                    parent = path[-1][0]
                    least[parent] = min(least[parent], least[node])
                if least[node] == order[node]:
                    at = stack.index(node)
                    parts.append(tuple(sorted(stack[at:])))
                    done.update(stack[at:])
                    del stack[at:]
            elif other not in order:
                order[other] = least[other] = len(order)
                stack.append(other)
                path.append((other, iter(sorted(after[other]))))
            elif other not in done:
                least[node] = min(least[node], order[other])
    return tuple(parts)

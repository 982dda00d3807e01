"""What a cup game keeps count of between rounds: lives or stakes, who is in, who starts.

Chips only move from players to the pool and to each other; the last player in takes the pool, so
that the chance of winning is what every player plays for (CL?9).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import or_

from liarsolve.errors import InputError, InputTypeError
from liarsolve.rules.cup.options import ShortPay
from liarsolve.rules.cup.round import CupRound
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.rules.cup.state import CupOutcome
from liarsolve.rules.match_options import ExtraLife, MatchEnd, StarterIfOut

__all__ = ["CupMatch", "CupScore", "seats_by_throw"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CupScore:
    """Where a game stands between two rounds; players are numbered as they sit, to the left.

    Examples
    --------
    >>> from liarsolve.rules.presets import CLASSIC
    >>> score = CupMatch(CLASSIC, 3).start()
    >>> score.stakes, score.live
    ((3, 3, 3), (0, 1, 2))
    """

    stakes: tuple[int, ...]
    """Lives or stakes in front of each player."""
    pool: int
    """Stakes in the middle."""
    has_extra: tuple[bool, ...]
    """Who lives on an extra life, which carries no stake (CL?5)."""
    had_extra: tuple[bool, ...]
    """Who has been given one, used up or not."""
    starter: int
    """Who starts the next round."""

    @property
    def live(self) -> tuple[int, ...]:
        """Players who are still in."""
        return tuple(
            player
            for player, (stakes, extra) in enumerate(zip(self.stakes, self.has_extra, strict=True))
            if stakes > 0 or extra
        )


@dataclass(frozen=True)
class CupMatch:
    """A game: rounds until one player is left, or until the first has gone out.

    Parameters
    ----------
    rules : CupRules
        The rules.
    n_players : int
        Players who sit down, at least ``rules.min_players``.

    Raises
    ------
    InputError, InputTypeError
        If rules or players are not as described.

    Examples
    --------
    >>> from liarsolve.rules.presets import DOUBTFUL_DICE
    >>> match = CupMatch(DOUBTFUL_DICE, 3)
    >>> score = match.start()
    >>> table = match.round(score)
    >>> result = table.outcome(table.state_after(["thrown 66123", "three sixes", "liar"]))
    >>> score = match.after(score, result)
    >>> score.stakes, score.pool, score.starter  # the liar loses two, the doubter gains one
    ((1, 4, 3), 1, 1)
    """

    rules: CupRules
    n_players: int

    def __post_init__(self) -> None:
        if not isinstance(self.rules, CupRules):
            raise InputTypeError(
                f"rules of a cup game are CupRules such as presets.CLASSIC, got {self.rules!r}"
            )
        if isinstance(self.n_players, bool) or not hasattr(self.n_players, "__index__"):
            raise InputTypeError(f"the number of players is a whole number, got {self.n_players!r}")
        if self.n_players < self.rules.min_players:
            raise InputError(
                f"min_players={self.rules.min_players} asks for as many players to start a game, "
                f"got {self.n_players}"
            )

    def start(self, first: int = 0) -> CupScore:
        """Deal out lives; ``first`` throws first.

        The players settle who that is by a throw (`seats_by_throw`), or as they like.

        Raises
        ------
        InputError
            If there is no such player.
        """
        if not 0 <= first < self.n_players:
            raise InputError(f"players are numbered 0 to {self.n_players - 1}, got {first}")
        return CupScore(
            stakes=(self.rules.lives,) * self.n_players,
            pool=0,
            has_extra=(False,) * self.n_players,
            had_extra=(False,) * self.n_players,
            starter=first,
        )

    def start_next(self, first: int) -> CupScore:
        """Start another game: the first seat moves one place to the left (CL.13)."""
        return self.start((first + 1) % self.n_players)

    def is_over(self, score: CupScore) -> bool:
        """Whether the game is decided."""
        if self.rules.end is MatchEnd.SINGLE_ROUND:
            return score != self.start(score.starter)
        if self.rules.end is MatchEnd.FIRST_OUT_LOSES:
            return len(score.live) < self.n_players
        return len(score.live) == 1

    def winners(self, score: CupScore) -> tuple[int, ...]:
        """Players who have not lost, once the game is over; nobody before.

        One, who takes the pool; or all but one, unless ``end=last_standing``.
        """
        if not self.is_over(score):
            return ()
        if self.rules.end is MatchEnd.SINGLE_ROUND:
            return tuple(
                player
                for player, stakes in enumerate(score.stakes)
                if stakes >= self.rules.lives and not score.had_extra[player]
            )
        return score.live

    def seats(self, score: CupScore) -> tuple[int, ...]:
        """Players of the next round in turn order: position i is player i of the `CupRound`."""
        live = score.live
        start = live.index(score.starter)
        return live[start:] + live[:start]

    def round(self, score: CupScore) -> CupRound:
        """Return the next round, its players in the order of `seats`.

        Raises
        ------
        InputError
            If the game is over.
        """
        self._check_running(score)
        return CupRound(self.rules, len(score.live))

    def _check_running(self, score: CupScore) -> None:
        if self.is_over(score):
            raise InputError("the game is over; start_next starts another")

    def after(self, score: CupScore, outcome: CupOutcome) -> CupScore:
        """Pay for a round that was played from ``score``, and say who starts the next.

        Raises
        ------
        InputError
            If the game is over.
        """
        self._check_running(score)
        seats = self.seats(score)
        loser, winner = seats[outcome.loser], seats[outcome.winner]
        paid = self._pay(score, loser, winner, outcome)
        paid = self._give_extra_life(paid, loser)
        return replace(paid, starter=self._starter(paid, seats[outcome.starter], winner))

    def _pay(self, score: CupScore, loser: int, winner: int, outcome: CupOutcome) -> CupScore:
        """Move what is owed, as far as the loser has it; an extra life pays for one stake."""
        stakes = list(score.stakes)
        if self.rules.short_pay is ShortPay.POOL_FIRST:
            to_pool = min(outcome.to_pool, stakes[loser])
            to_winner = min(outcome.to_winner, stakes[loser] - to_pool)
        else:
            to_winner = min(outcome.to_winner, stakes[loser])
            to_pool = min(outcome.to_pool, stakes[loser] - to_winner)
        is_short = to_pool + to_winner < outcome.to_pool + outcome.to_winner
        stakes[loser] -= to_pool + to_winner
        stakes[winner] += to_winner
        has_extra = list(score.has_extra)
        has_extra[loser] &= not is_short
        return replace(
            score, stakes=tuple(stakes), pool=score.pool + to_pool, has_extra=tuple(has_extra)
        )

    def _give_extra_life(self, score: CupScore, loser: int) -> CupScore:
        """Give a player who has gone out another life, if there is one left."""
        has_chance = {
            ExtraLife.OFF: False,
            ExtraLife.FIRST_OUT: not any(score.had_extra),
            ExtraLife.EVERYONE: not score.had_extra[loser],
        }[self.rules.extra_life]
        if loser in score.live or not has_chance:
            return score
        is_loser = [player == loser for player in range(self.n_players)]
        return replace(
            score,
            has_extra=tuple(map(or_, score.has_extra, is_loser)),
            had_extra=tuple(map(or_, score.had_extra, is_loser)),
        )

    def _starter(self, score: CupScore, starter: int, winner: int) -> int:
        if starter in score.live:
            return starter
        if self.rules.starter_if_out is StarterIfOut.WINNER_OF_CALL:
            return winner
        return next(
            player
            for step in range(1, self.n_players)
            if (player := (starter + step) % self.n_players) in score.live
        )


def seats_by_throw(throws: Sequence[int]) -> tuple[int, ...]:
    """Seat players by one die each: the highest throws first, the next sits to their left (CL.2).

    Returns
    -------
    tuple of int
        Positions in ``throws``, in turn order.

    Raises
    ------
    InputError
        If players are tied; they throw again (CL?6).

    >>> seats_by_throw([3, 6, 1])
    (1, 0, 2)
    """
    order = sorted(range(len(throws)), key=lambda player: -throws[player])
    for player, follower in pairwise(order):
        if throws[player] == throws[follower]:
            raise InputError(
                f"CL?6 players {player} and {follower} both threw {throws[player]} and throw again"
            )
    return tuple(order)

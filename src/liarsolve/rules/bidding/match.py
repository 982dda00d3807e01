"""What a match of bidding keeps count of between rounds: dice or lives, who is in, who starts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from liarsolve._checks import check_whole
from liarsolve.errors import InputError, InputTypeError
from liarsolve.rules.bidding.options import ExactWin, Loss, Palifico
from liarsolve.rules.bidding.round import Outcome, OutcomeKind, Round
from liarsolve.rules.bidding.rule_set import RuleSet
from liarsolve.rules.match_options import ExtraLife, MatchEnd, NextStarter, StarterIfOut

__all__ = ["BiddingMatch", "BiddingScore"]

_PALIFICO_PLAYERS = 3
"""Fewest players left for a palifico round (PE?6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BiddingScore:
    """Where a match stands between two rounds; players are numbered as they sit, to the left.

    Examples
    --------
    >>> from liarsolve.rules.presets import PERUDO
    >>> score = BiddingMatch(PERUDO, 3).start()
    >>> score.dice, score.live
    ((5, 5, 5), (0, 1, 2))
    """

    dice: tuple[int, ...]
    """Dice that each player throws in the next round; 0 for players who are out."""
    starter: int
    """Who starts the next round."""
    lives: tuple[int, ...] = ()
    """Lives of each player, if they are what is lost; empty if dice are."""
    had_extra: tuple[bool, ...] = ()
    """Who has been given an extra life or die, used up or not; empty if nobody can be."""
    had_palifico: tuple[bool, ...] = ()
    """Who has had a palifico round of their own; empty if there are none."""
    is_palifico: bool = False
    """Whether the next round is a palifico round."""
    winners: tuple[int, ...] = ()
    """Players who have not lost, once the match is over; nobody before."""

    @property
    def live(self) -> tuple[int, ...]:
        """Players who are still in."""
        return tuple(player for player, n_dice in enumerate(self.dice) if n_dice > 0)


@dataclass(frozen=True)
class BiddingMatch:
    """A match: rounds until one player is left, or as ``rules.end`` says.

    Parameters
    ----------
    rules : RuleSet
        The rules.
    n_players : int
        Players who sit down, at least ``rules.min_players``.

    Raises
    ------
    InputError, InputTypeError
        If rules or players are not as described.

    Examples
    --------
    >>> from liarsolve.rules.presets import LIARS_DICE
    >>> match = BiddingMatch(LIARS_DICE, 3)
    >>> score = match.start()
    >>> table = match.round(score)
    >>> hands = [(2, 2, 3, 4, 6), (1, 3, 3, 5, 5), (2, 4, 4, 6, 6)]
    >>> outcome = table.showdown(table.state_after(["4x3", "6x3", "liar"]), hands)
    >>> score = match.after(score, outcome)  # there are three threes and a wild one: four
    >>> score.dice, score.starter
    ((5, 4, 5), 1)
    """

    rules: RuleSet
    n_players: int

    def __post_init__(self) -> None:
        if not isinstance(self.rules, RuleSet):
            raise InputTypeError(
                f"rules of bidding are a RuleSet such as presets.PERUDO, got {self.rules!r}"
            )
        least = self.rules.min_players
        n_players = check_whole("the number of players", self.n_players)
        object.__setattr__(self, "n_players", n_players)
        if n_players < least:
            raise InputError(
                f"min_players={least} asks for as many players to start a match, got {n_players}"
            )

    def start(self, first: int = 0) -> BiddingScore:
        """Deal out dice; ``first`` bids first.

        Raises
        ------
        InputError
            If there is no such player.
        """
        if not 0 <= first < self.n_players:
            raise InputError(f"players are numbered 0 to {self.n_players - 1}, got {first}")
        rules, nobody = self.rules, (False,) * self.n_players
        return BiddingScore(
            dice=(rules.dice,) * self.n_players,
            starter=first,
            lives=(rules.lives,) * self.n_players if rules.lives else (),
            had_extra=() if rules.extra_life is ExtraLife.OFF else nobody,
            had_palifico=() if rules.palifico is Palifico.OFF else nobody,
        )

    def is_over(self, score: BiddingScore) -> bool:
        """Whether the match is decided."""
        return bool(score.winners)

    def winners(self, score: BiddingScore) -> tuple[int, ...]:
        """Players who have not lost, once the match is over; nobody before."""
        return score.winners

    def seats(self, score: BiddingScore) -> tuple[int, ...]:
        """Players of the next round in turn order: position i is player i of the `Round`."""
        live = score.live
        start = live.index(score.starter)
        return live[start:] + live[:start]

    def round(self, score: BiddingScore) -> Round:
        """Return the next round, its players in the order of `seats`.

        Raises
        ------
        InputError
            If the match is over.
        """
        self._check_running(score)
        seats = self.seats(score)
        return Round(
            self.rules,
            tuple(score.dice[player] for player in seats),
            palifico=score.is_palifico,
            ex_palifico=frozenset(
                position
                for position, player in enumerate(seats)
                if score.had_palifico and score.had_palifico[player]
            ),
        )

    def after(self, score: BiddingScore, outcome: Outcome) -> BiddingScore:
        """Pay for a round that was played from ``score``, and say who starts the next.

        Raises
        ------
        InputError
            If the match is over.
        """
        self._check_running(score)
        seats = self.seats(score)
        changes = {seats[player]: by for player, by in self._changes(outcome, len(seats)).items()}
        paid, revived = self._pay(score, changes)
        winners = self._winners(score, paid, changes)
        starter = self._starter(score, paid, outcome)
        # whoever was given a die after the last one was lost has not come down to it
        dropped = self._new_palifico(score, paid, changes, revived)
        if dropped is not None and not winners:
            had = tuple(had or player == dropped for player, had in enumerate(paid.had_palifico))
            return replace(paid, starter=dropped, had_palifico=had, is_palifico=True)
        return replace(paid, starter=starter, is_palifico=False, winners=winners)

    def _check_running(self, score: BiddingScore) -> None:
        if not isinstance(score, BiddingScore):
            raise InputTypeError(f"a score is what start or after return, got {score!r}")
        if score.winners:
            raise InputError("the match is over; start begins another")

    def _changes(self, outcome: Outcome, n_seats: int) -> Mapping[int, int]:
        """Dice or lives that players of the round win or lose, before caps and debts."""
        if outcome.kind in (OutcomeKind.BIDDER_LOSES, OutcomeKind.CHALLENGER_LOSES):
            return self._changes_by_challenge(outcome, n_seats)
        caller, bidder, win = outcome.caller, outcome.bidder, self.rules.exact_win
        if outcome.kind is OutcomeKind.EXACT_WRONG:
            return self._handed_over({caller: self.rules.exact_fail}, to=bidder)
        if win in (ExactWin.GAIN_1, ExactWin.GAIN_2):
            return {caller: 1 if win is ExactWin.GAIN_1 else 2}
        if win is ExactWin.NOTHING:
            return {}
        losers = [bidder]
        if win is ExactWin.OTHERS_LOSE_1:
            losers = [player for player in range(n_seats) if player != caller]
        return self._handed_over(dict.fromkeys(losers, 1), to=caller)

    def _changes_by_challenge(self, outcome: Outcome, n_seats: int) -> Mapping[int, int]:
        is_bid_false = outcome.kind is OutcomeKind.BIDDER_LOSES
        bidder, caller = outcome.bidder, outcome.caller
        loser, winner = (bidder, caller) if is_bid_false else (caller, bidder)
        if self.rules.loss is Loss.WINNER_DISCARDS:
            return {winner: -1}
        gap = abs(outcome.count - outcome.bid.quantity)
        if self.rules.exact_bid_bonus and gap == 0:
            losers = [player for player in range(n_seats) if player != bidder]
            return self._handed_over(dict.fromkeys(losers, 1), to=bidder)
        n_lost = max(gap, 1) if self.rules.loss is Loss.DIFFERENCE else 1
        return self._handed_over({loser: n_lost}, to=winner)

    def _handed_over(self, lost: Mapping[int, int], *, to: int) -> Mapping[int, int]:
        """Turn losses into changes; what is lost goes to a player where the rules say so."""
        changes = {player: -n_lost for player, n_lost in lost.items()}
        if self.rules.loss is Loss.TRANSFER:
            changes[to] = sum(lost.values())
        return changes

    def _pay(
        self, score: BiddingScore, changes: Mapping[int, int]
    ) -> tuple[BiddingScore, frozenset[int]]:
        """Carry out changes, as far as the losers have what they owe; also who was revived."""
        rules = self.rules
        counts = list(score.lives or score.dice)
        all_of_it = rules.loss is Loss.WHOLE_ROUND
        owed = 0
        for player, change in changes.items():
            if change < 0:
                n_lost = counts[player] if all_of_it else min(-change, counts[player])
                counts[player] -= n_lost
                owed += n_lost
        for player, change in changes.items():
            if change > 0 and rules.loss is Loss.TRANSFER:
                counts[player] += owed
            elif change > 0:
                counts[player] = max(counts[player], min(counts[player] + change, self._cap))
        counts, had_extra, revived = self._revive(score, counts, changes)
        dice = counts
        if score.lives:
            dice = [rules.dice if n_lives > 0 else 0 for n_lives in counts]
        paid = replace(
            score,
            dice=tuple(dice),
            lives=tuple(counts) if score.lives else (),
            had_extra=had_extra,
        )
        return paid, revived

    @property
    def _cap(self) -> int:
        """Most dice, or lives, that gains lead to."""
        if self.rules.gain_cap is not None:
            return self.rules.gain_cap
        return self.rules.lives or self.rules.dice

    def _revive(
        self, score: BiddingScore, counts: list[int], losers: Iterable[int]
    ) -> tuple[list[int], tuple[bool, ...], frozenset[int]]:
        """Give players who have just gone out another die or life, if there is one left."""
        had_extra, revived = list(score.had_extra), set()
        for player in self._clockwise(score.starter):
            is_out = player in losers and counts[player] == 0
            if not is_out or not had_extra:
                continue
            is_first = self.rules.extra_life is ExtraLife.FIRST_OUT
            if any(had_extra) if is_first else had_extra[player]:
                continue
            counts[player], had_extra[player] = 1, True
            revived.add(player)
        return counts, tuple(had_extra), frozenset(revived)

    def _clockwise(self, first: int) -> list[int]:
        return [(first + step) % self.n_players for step in range(self.n_players)]

    def _winners(
        self, score: BiddingScore, paid: BiddingScore, changes: Mapping[int, int]
    ) -> tuple[int, ...]:
        """Players who have not lost, if the match is over now."""
        end, live = self.rules.end, paid.live
        if self.rules.loss is Loss.WINNER_DISCARDS:
            rid = tuple(player for player in score.live if player not in live)
            if end is MatchEnd.SINGLE_ROUND:
                return tuple(changes)
            return rid
        if end is MatchEnd.SINGLE_ROUND:
            return tuple(player for player in score.live if changes.get(player, 0) >= 0)
        if end is MatchEnd.FIRST_OUT_LOSES:
            return live if len(live) < self.n_players else ()
        return live if len(live) == 1 else ()

    def _starter(self, score: BiddingScore, paid: BiddingScore, outcome: Outcome) -> int:
        seats, rule = self.seats(score), self.rules.next_starter
        bidder, caller = seats[outcome.bidder], seats[outcome.caller]
        is_exact = outcome.kind in (OutcomeKind.EXACT_RIGHT, OutcomeKind.EXACT_WRONG)
        is_caller_right = outcome.kind in (OutcomeKind.BIDDER_LOSES, OutcomeKind.EXACT_RIGHT)
        winner, loser = (caller, bidder) if is_caller_right else (bidder, caller)
        starter = {
            NextStarter.CHALLENGER: caller,
            NextStarter.LOSER: loser,
            NextStarter.WINNER: winner,
            NextStarter.ROTATE: self._clockwise(score.starter)[1],
            NextStarter.CALLER_OF_EXACT: caller if is_exact else loser,
        }[rule]
        live = paid.live
        if starter in live or not live:
            return starter
        if self.rules.starter_if_out is StarterIfOut.WINNER_OF_CALL and winner in live:
            return winner
        return next(player for player in self._clockwise(starter) if player in live)

    def _new_palifico(
        self,
        score: BiddingScore,
        paid: BiddingScore,
        changes: Mapping[int, int],
        revived: frozenset[int],
    ) -> int | None:
        """Player who has just come down to one die for the first time, if that counts."""
        if self.rules.palifico is Palifico.OFF or len(paid.live) < _PALIFICO_PLAYERS:
            return None
        return next(
            (
                player
                for player in self._clockwise(score.starter)
                if changes.get(player, 0) < 0
                and paid.dice[player] == 1
                and not paid.had_palifico[player]
                and player not in revived
            ),
            None,
        )

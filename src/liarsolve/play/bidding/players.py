"""Players of single rounds: what one has to be able to do, and ready ones."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol, TypeAlias, overload

import numpy as np

from liarsolve.dice import Hand
from liarsolve.errors import InputError, InputTypeError
from liarsolve.game import Payoffs
from liarsolve.play._mixture import Mixture, draw_action, to_mixture
from liarsolve.play.bidding.turn import Turn
from liarsolve.play.cup.players import play_by_the_odds, play_honestly
from liarsolve.play.cup.turn import CupTurn
from liarsolve.rules import CHALLENGE, EXACT, Action, Bid, Call, CupAction, Round
from liarsolve.strategy import BiddingSolution, Strategy

_REMEMBERED = 1 << 16
"""Mixtures that a player of a strategy keeps: some 50 MB at the most."""


class Player(Protocol):
    """Whoever can say what to do when it is their turn.

    Examples
    --------
    A player who always raises as little as they can, and calls when there is nothing left to bid:

    >>> class Timid:
    ...     def act(self, turn, rng):
    ...         return turn.actions[0]
    """

    def act(self, turn: Turn, rng: np.random.Generator) -> Action:
        """Choose one of ``turn.actions``.

        A player who mixes takes chances from ``rng``, which belongs to their seat in this round:
        then results can be repeated, and games over the same dice go alike for like players.
        """
        ...


PlayerLike: TypeAlias = Player | BiddingSolution | Strategy
"""A player, or a solved round that is played as it says."""


class StrategyPlayer:
    """Plays as a solved strategy says, with its own chances.

    Every action takes one number of the random generator, so that two players with much the same
    strategy do much the same where their generators are the same.

    Parameters
    ----------
    strategy : BiddingSolution or Strategy
        It holds for the round that it was solved for.

    Examples
    --------
    >>> import numpy as np
    >>> from liarsolve import presets, solve
    >>> solution = solve(presets.COMMON.replace(faces=2), dice=(1, 1))
    >>> round_ = Round(solution.rules, solution.dice)
    >>> turn = Turn(round_, (2,), (Bid(2, 1),), (Bid(2, 2), CHALLENGE))
    >>> print(StrategyPlayer(solution).act(turn, np.random.default_rng(0)))
    liar
    """

    def __init__(self, strategy: BiddingSolution | Strategy) -> None:
        self.strategy = strategy.strategy if isinstance(strategy, BiddingSolution) else strategy
        if not isinstance(self.strategy, Strategy):
            raise InputTypeError(
                f"a StrategyPlayer takes a BiddingSolution or Strategy, got {strategy!r}"
            )
        self._round = self.strategy.tree.graph.round
        self._mixture = lru_cache(maxsize=_REMEMBERED)(self._ask)

    def act(self, turn: Turn, rng: np.random.Generator) -> Action:
        """Draw an action by the chances of the strategy."""
        if turn.round is not self._round:
            self.check_round(turn.round)
        return draw_action(self._mixture(turn.bids, turn.hand), rng)

    def _ask(self, bids: tuple[Bid, ...], hand: Hand) -> Mixture[Action]:
        return to_mixture(self.strategy.probs(hand, bids))

    def check_round(self, round_: Round) -> None:
        """Refuse a round that the strategy was not solved for, once for each such object.

        Raises
        ------
        InputError
            If it is another one.
        """
        own = self._round
        if round_ != own:
            raise InputError(
                f"the strategy is for {own.rules.name} with dice {own.dice}, but the round is "
                f"{round_.rules.name} with dice {round_.dice}"
                + ("" if own.palifico == round_.palifico else ", and only one is palifico")
            )
        self._round = round_

    def __repr__(self) -> str:
        return f"StrategyPlayer({self.strategy!r})"


class ProbabilityPlayer:
    """Believes its own dice and nobody's bids: all other dice are random to it.

    The player challenges a bid that has less than an even chance. Otherwise the player makes the
    raise that is likeliest to be true, however unlikely that is; the lowest if several are equally
    likely. Where the rules offer an exact call, it takes the place of a raise if it is more likely
    right than wrong. Where no raise is left, the player makes the call that is likelier right, the
    challenge if both are equally likely.

    Without exact calls this is how strategies play where nothing was learned
    (`liarsolve.game.default_actions`).

    In a cup game such players assume that the other player kept the dice that fit the claim best,
    and that everything that they have not seen was thrown afresh (`CupTurn.p_true`). They challenge
    a claim that then has less than an even chance, and accept it otherwise. They keep the dice with
    which a claim that may follow is likeliest to come true, the most of them if several choices are
    equally good, and make the lowest claim that is true, or the lowest of all if none is.

    Examples
    --------
    >>> from liarsolve import Round, play_round, presets
    >>> players = [ProbabilityPlayer(), ProbabilityPlayer()]
    >>> print(play_round(Round(presets.COMMON, (2, 2)), players, ["3,3", "4,6"], rng=0))
    1x3 liar
    """

    @overload
    def act(self, turn: Turn, rng: np.random.Generator) -> Action: ...
    @overload
    def act(self, turn: CupTurn, rng: np.random.Generator) -> CupAction: ...
    def act(self, turn: Turn | CupTurn, rng: np.random.Generator) -> Action | CupAction:
        """Challenge below an even chance, raise to the likeliest bid otherwise."""
        if isinstance(turn, CupTurn):
            return play_by_the_odds(turn)
        if CHALLENGE in turn.actions and turn.p_true() < 0.5:
            return CHALLENGE
        if EXACT in turn.actions and turn.p_exact() > 0.5:
            return EXACT
        raises = turn.raises
        return max(raises, key=turn.p_true) if raises else _likelier_call(turn)

    def __repr__(self) -> str:
        return "ProbabilityPlayer()"


class HonestPlayer:
    """Says what it believes, and believes what its dice and the expected rest bear out.

    The player believes a bid if its quantity is at most the number of own dice that match plus the
    number to be expected among all others. Such a bid is never more likely false than true, since
    at least the whole part of an expected number shows up with an even chance or better.

    A bid that the player does not believe is challenged. Otherwise the player makes the highest bid
    that they believe, which tells all that they have. If they believe no raise, they make the call
    that is likelier right, though they may think the bid true; the challenge if both are equally
    likely. At the start of a round, where nobody can call, they then make the likeliest bid, the
    lowest if several are equally likely.

    There are two differences to `ProbabilityPlayer`: this player never raises to a doubtful bid,
    and goes at once as high as it believes.

    In a cup game honest players tell all that they have: the highest claim that is true of their
    hand, or the lowest of all if none that they may make is. They keep dice and answer claims as
    `ProbabilityPlayer` does, so they believe what is as likely true as not.

    Examples
    --------
    >>> from liarsolve import Round, play_round, presets
    >>> players = [HonestPlayer(), HonestPlayer()]
    >>> print(play_round(Round(presets.COMMON, (2, 2)), players, ["3,3", "4,6"], rng=0))
    2x3 liar
    """

    @overload
    def act(self, turn: Turn, rng: np.random.Generator) -> Action: ...
    @overload
    def act(self, turn: CupTurn, rng: np.random.Generator) -> CupAction: ...
    def act(self, turn: Turn | CupTurn, rng: np.random.Generator) -> Action | CupAction:
        """Challenge what is not believed, bid the most that is believed otherwise."""
        if isinstance(turn, CupTurn):
            return play_honestly(turn)
        if CHALLENGE in turn.actions and turn.excess() > 0.0:
            return CHALLENGE
        for bid in reversed(turn.raises):
            if turn.excess(bid) <= 0.0:
                return bid
        if turn.bids:
            return _likelier_call(turn)
        return max(turn.raises, key=turn.p_true)

    def __repr__(self) -> str:
        return "HonestPlayer()"


class RandomPlayer:
    """Does anything that the rules allow, every action equally often.

    Examples
    --------
    >>> from liarsolve import Round, play_round, presets
    >>> round_ = Round(presets.COMMON, (2, 2))
    >>> play_round(round_, [RandomPlayer()] * 2, rng=0).actions == play_round(
    ...     round_, [RandomPlayer()] * 2, rng=0
    ... ).actions
    True
    """

    @overload
    def act(self, turn: Turn, rng: np.random.Generator) -> Action: ...
    @overload
    def act(self, turn: CupTurn, rng: np.random.Generator) -> CupAction: ...
    def act(self, turn: Turn | CupTurn, rng: np.random.Generator) -> Action | CupAction:
        """Draw one of the actions."""
        return turn.actions[int(rng.random() * len(turn.actions))]

    def __repr__(self) -> str:
        return "RandomPlayer()"


READY_PLAYERS: Mapping[str, Callable[[], Player]] = MappingProxyType(
    {"probability": ProbabilityPlayer, "honest": HonestPlayer, "random": RandomPlayer}
)
"""Players that need nothing to be solved, by the names that ``liarsolve arena`` knows."""


def as_player(player: PlayerLike) -> Player:
    """Make a player of a solved round; a player is returned as it is.

    Raises
    ------
    InputTypeError
        If it is neither.

    Examples
    --------
    >>> from liarsolve.play import HonestPlayer
    >>> as_player(HonestPlayer())
    HonestPlayer()
    """
    if isinstance(player, BiddingSolution | Strategy):
        return StrategyPlayer(player)
    if isinstance(player, type) or not callable(getattr(player, "act", None)):
        raise InputTypeError(
            "a player has a method act(turn, rng), or is a BiddingSolution or Strategy, "
            f"got {player!r}"
        )
    return player


def payoffs_of(players: Iterable[Player]) -> Payoffs:
    """Payoffs that the first strategy among the players was solved for, the usual ones if none."""
    strategies = (player.strategy for player in players if isinstance(player, StrategyPlayer))
    return next((strategy.payoffs for strategy in strategies), Payoffs())


def _likelier_call(turn: Turn) -> Call:
    if EXACT not in turn.actions:
        return CHALLENGE
    return EXACT if turn.p_exact() > 1.0 - turn.p_true() else CHALLENGE

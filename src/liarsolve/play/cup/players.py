"""How the ready players play cup games, and a player of a solved one."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeAlias

import numpy as np

from liarsolve.claims import Claim
from liarsolve.errors import InputError, InputTypeError
from liarsolve.game.cup.compile import without_idle_passes
from liarsolve.play._mixture import Mixture, draw_action, to_mixture
from liarsolve.play.cup.turn import CupTurn
from liarsolve.rules import CHALLENGE, CupAction, CupMove, CupPhase, CupRound, CupRules, Keep
from liarsolve.rules.cup.options import Look
from liarsolve.strategy import CupSolution, CupStrategy

__all__ = ["CupPlayer", "CupPlayerLike", "CupStrategyPlayer", "as_cup_player"]

_REMEMBERED = 1 << 14
"""Situations whose mixtures a player of a strategy keeps."""


class CupPlayer(Protocol):
    """Whoever can say what to do in a cup game when it is their turn.

    Examples
    --------
    A player who believes everything, and always claims the least and keeps all that they may:

    >>> class Trusting:
    ...     def act(self, turn, rng):
    ...         is_answer = turn.phase.value == "answer" and len(turn.actions) > 1
    ...         return turn.actions[1 if is_answer else -1 if turn.phase.value == "keep" else 0]
    """

    def act(self, turn: CupTurn, rng: np.random.Generator) -> CupAction:
        """Choose one of ``turn.actions``.

        A player who mixes takes chances from ``rng``, which belongs to their seat in this round.
        """
        ...


CupPlayerLike: TypeAlias = CupPlayer | CupSolution | CupStrategy
"""A player of cup games, or a solved round that is played as it says."""


class CupStrategyPlayer:
    """Plays a round of a cup game between two players as a solved strategy says.

    Parameters
    ----------
    strategy : CupSolution or CupStrategy
        It holds for the rules that it was solved for, and for the same with blind passes where
        two players gain nothing by them: such a pass is answered as if the other had looked and
        kept all.

    Raises
    ------
    InputError
        If only what follows high claims was solved.

    Examples
    --------
    >>> import numpy as np
    >>> from liarsolve import CupRound, presets, solve
    >>> player = CupStrategyPlayer(solve(presets.LIAR_DIE))
    >>> turn = CupTurn.at(CupRound(presets.LIAR_DIE), ["thrown 2", "6"])
    >>> print(player.act(turn, np.random.default_rng(0)))
    liar
    """

    def __init__(self, strategy: CupSolution | CupStrategy) -> None:
        self.strategy = strategy.strategy if isinstance(strategy, CupSolution) else strategy
        if not isinstance(self.strategy, CupStrategy):
            raise InputTypeError(
                f"a CupStrategyPlayer takes a CupSolution or CupStrategy, got {strategy!r}"
            )
        lowest = self.strategy.lowest_claim
        if lowest > 0:
            said = self.strategy.rules.format_claim(self.strategy.rules.claims[lowest])
            raise InputError(
                f"a whole round cannot be played by a strategy for what follows {said} alone; "
                "solve without from_claim"
            )
        self._mixture = lru_cache(maxsize=_REMEMBERED)(self._ask)
        self._round: CupRound | None = None

    def act(self, turn: CupTurn, rng: np.random.Generator) -> CupAction:
        """Draw an action by the chances of the strategy."""
        if turn.round is not self._round:
            self.check_round(turn.round)
        if turn.phase is CupPhase.LOOK:  # what is solved looks wherever there is a choice
            return CupMove.LOOK if CupMove.LOOK in turn.actions else CupMove.THROW_UNSEEN
        return draw_action(self._mixture(*situation_items(turn, self.strategy.rules)), rng)

    def check_round(self, round_: CupRound) -> None:
        """Refuse a round that the strategy was not solved for.

        Raises
        ------
        InputError
            If it is one of other rules, or for more players than two.
        """
        own = self.strategy.rules
        if round_.n_players != 2:
            raise InputError(
                f"the strategy is for two players, but the round is for {round_.n_players}"
            )
        if own not in (round_.rules, without_idle_passes(round_.rules)):
            raise InputError(
                f"the strategy is for {own.name}, but the round is {round_.rules.name}"
            )
        self._round = round_

    def _ask(self, *situation: tuple[str, Any]) -> Mixture[CupAction]:
        return to_mixture(self.strategy.probs(**dict(situation)))

    def __repr__(self) -> str:
        return f"CupStrategyPlayer({self.strategy!r})"


def situation_items(turn: CupTurn, rules: CupRules) -> tuple[tuple[str, Any], ...]:
    """What `CupStrategy.probs` wants to know of a turn, as pairs of keyword and value."""
    own = turn.turns[-1]
    known: dict[str, Any] = {"claim": None, "passed": None, "thrown": None}
    is_later = len(turn.turns) > 1
    if is_later:
        known["claim"] = turn.turns[-2].claim
    if is_later and turn.phase is not CupPhase.KEEP and rules.look is not Look.NEVER:
        known["passed"] = turn.passed
        is_public = rules.announce_count and len(rules.reroll_counts) > 1
        known["thrown"] = own.n_thrown if is_public else None
    what = "offered" if turn.phase is CupPhase.ANSWER else "holding"
    known[what] = own.claim if turn.phase is CupPhase.ANSWER else turn.hand
    return tuple(known.items())


def as_cup_player(player: CupPlayerLike) -> CupPlayer:
    """Make a player of a solved cup game; a player stays as they are.

    Raises
    ------
    InputTypeError
        If it is neither.

    Examples
    --------
    >>> from liarsolve.play import HonestPlayer
    >>> as_cup_player(HonestPlayer())
    HonestPlayer()
    """
    if isinstance(player, CupSolution | CupStrategy):
        return CupStrategyPlayer(player)
    if isinstance(player, type) or not callable(getattr(player, "act", None)):
        raise InputTypeError(
            "a player of a cup game has a method act(turn, rng), or is a CupSolution or "
            f"CupStrategy, got {player!r}"
        )
    return player


def play_by_the_odds(turn: CupTurn) -> CupAction:
    """What `ProbabilityPlayer` does in a cup game."""
    return _play(turn, turn.actions)


def play_honestly(turn: CupTurn) -> CupAction:
    """What `HonestPlayer` does in a cup game."""
    return _play(turn, turn.actions[::-1])


def _play(turn: CupTurn, claims: Sequence[CupAction]) -> CupAction:
    """Make the first of ``claims`` that is true, and do everything else by the odds."""
    actions = turn.actions
    order: tuple[CupAction, ...]
    match turn.phase:
        case CupPhase.CLAIM:
            if turn.hand is None:
                return actions[0]
            is_true = (
                claim for claim in claims if isinstance(claim, Claim) and turn.is_true(claim)
            )
            return next(is_true, actions[0])
        case CupPhase.KEEP:
            keeps = [action for action in actions if isinstance(action, Keep)]
            return max(reversed(keeps), key=lambda keep: turn.p_reach(keep.faces))
        case CupPhase.LOOK:
            order = (CupMove.LOOK, CupMove.THROW_UNSEEN, CupMove.BLIND_PASS)
        case _ if turn.p_true() < 0.5:
            order = (CHALLENGE, CupMove.CONCEDE, CupMove.ACCEPT)
        case _:
            order = (CupMove.ACCEPT, CupMove.CONCEDE, CHALLENGE)
    return next(move for move in order if move in actions)

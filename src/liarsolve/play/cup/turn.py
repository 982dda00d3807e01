"""What a player of a cup game knows when they have to act."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import lcm

import numpy as np

from liarsolve._typing import B1, F8, I8
from liarsolve.claims import Claim
from liarsolve.dice import Hand
from liarsolve.errors import InputError
from liarsolve.game.cup.compile import throw_distribution
from liarsolve.rules import CupAction, CupHolding, CupPhase, CupRound, CupRules

__all__ = ["CupTurn"]

_REMEMBERED = 1 << 14
_LARGEST = 1 << 50
"""Weights up to this are whole, so that equal chances are equal as floats too."""


@dataclass(frozen=True, slots=True)
class CupTurn:
    """A round of a cup game from the seat of the player who has to act.

    It holds what that player knows and nothing else: `CupRound.view` says what that is.

    Examples
    --------
    >>> from liarsolve import CupRound, presets
    >>> turn = CupTurn.at(CupRound(presets.MIA), ["thrown 21", "62"])
    >>> turn.seat, turn.phase.value, [str(action) for action in turn.actions]
    (1, 'answer', ['liar', 'accept'])
    >>> turn.turns[0].hand is None, round(turn.p_true(), 3)
    (True, 0.444)
    """

    round: CupRound
    seat: int
    """Number of the player: 0 throws first."""
    phase: CupPhase
    """What the player has to do: to claim, to answer, to look or to say what is kept."""
    turns: tuple[CupHolding, ...]
    """Everybody's time with the cup, the oldest first; what the player does not know is None."""
    actions: tuple[CupAction, ...]
    """What may be done: claims from low to high, keeps from few dice to many."""

    @classmethod
    def at(cls, round_: CupRound, history: tuple[CupAction | str, ...] | list[str]) -> "CupTurn":
        """Build the turn after actions and throws, as `CupRound.state_after` reads them.

        Raises
        ------
        InputError
            If nobody has to act there.
        """
        state = round_.state_after(history)
        seat = round_.to_act(state)
        if seat is None:
            raise InputError("nobody has to act there: a throw is due, or the round is over")
        return cls(round_, seat, state.phase, round_.view(state, seat), round_.legal_actions(state))

    @property
    def rules(self) -> CupRules:
        """Rules of the round."""
        return self.round.rules

    @property
    def hand(self) -> Hand | None:
        """The hand that the player sees now, to claim on or keep dice of; None if they see none."""
        if self.phase is CupPhase.CLAIM:
            return self.turns[-1].hand
        return self.passed if self.phase is CupPhase.KEEP else None

    @property
    def standing_claim(self) -> Claim | None:
        """The claim that was made last; None before the first."""
        claims = (turn.claim for turn in reversed(self.turns))
        return next((claim for claim in claims if claim is not None), None)

    @property
    def passed(self) -> Hand | None:
        """The hand that was passed on last, if the player knows it; None before any was."""
        return self.turns[-2].hand if len(self.turns) > 1 else None

    @property
    def thrown(self) -> int | None:
        """Dice that were thrown since then, if the player knows the number."""
        return self.turns[-1].n_thrown

    def is_true(self, claim: Claim) -> bool:
        """Whether a claim is true of the hand that the player sees.

        Raises
        ------
        InputError
            If they see none.
        """
        if self.hand is None:
            raise InputError("a player who sees no hand does not know what is true of it")
        claims = self.rules.claims
        return claims.is_true(claims.index(claim), self.hand, self.rules.truth)

    def p_true(self) -> float:
        """Chance that the claim to be answered is true, if the dice that fit it best were kept.

        The player knows the hand before the throw, and how many dice were thrown, or takes the
        number that makes the claim likeliest where it is secret. Where they have not seen the hand,
        it is the chance after a fresh throw. Where no claim is to be answered the chance is 1.
        """
        turn, rules = self.turns[-1], self.rules
        if self.phase is not CupPhase.ANSWER or turn.claim is None:
            return 1.0
        claim_id, passed = rules.claims.index(turn.claim), self.passed
        if passed is None or not (turn.has_looked or turn.is_blind):
            return _p_claim(rules, (), claim_id)
        n_items = rules.equipment.n_items
        numbers = rules.reroll_counts if turn.n_thrown is None else (turn.n_thrown,)
        keeps = {kept for number in numbers for kept in combinations(passed, n_items - number)}
        return max(_p_claim(rules, kept, claim_id) for kept in keeps)

    def p_reach(self, kept: Hand) -> float:
        """Chance of a hand of which a claim that may follow is true, if these dice are kept."""
        claims, last = self.rules.claims, self.standing_claim
        accepted = None if last is None else claims.index(last)
        return _p_follow(self.rules, kept, accepted)


@lru_cache(maxsize=_REMEMBERED)
def _weights(rules: CupRules, kept: Hand) -> tuple[I8 | F8, float]:
    """Weights of all hands if these dice are kept, and their sum; whole if they are not huge."""
    law = throw_distribution(rules, kept)
    scale = lcm(*(p.denominator for p in law.values()))
    is_whole = scale < _LARGEST
    n_hands = len(rules.equipment.hands)
    weights: I8 | F8 = np.zeros(n_hands, np.int64) if is_whole else np.zeros(n_hands)
    for hand, p in law.items():
        weights[rules.equipment.hand_ids[hand]] = int(p * scale) if is_whole else float(p)
    return weights, float(scale) if is_whole else float(weights.sum())


@lru_cache(maxsize=_REMEMBERED)
def _p_claim(rules: CupRules, kept: Hand, claim_id: int) -> float:
    weights, total = _weights(rules, kept)
    return float(weights[rules.claims.truth_table(rules.truth)[claim_id]].sum() / total)


@lru_cache(maxsize=_REMEMBERED)
def _p_follow(rules: CupRules, kept: Hand, accepted: int | None) -> float:
    weights, total = _weights(rules, kept)
    return float(weights[_hands_to_follow(rules, accepted)].sum() / total)


@lru_cache(maxsize=_REMEMBERED)
def _hands_to_follow(rules: CupRules, accepted: int | None) -> B1:
    """Hands of which a claim is true that may follow an accepted one, bool[H]."""
    following = list(rules.legal_claims(accepted))
    return np.asarray(rules.claims.truth_table(rules.truth)[following].any(axis=0))

"""Asking the strategy of a cup game with several players where all is thrown again unseen."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from liarsolve._checks import check_rng
from liarsolve._typing import F8
from liarsolve.claims import Claim
from liarsolve.errors import InputError
from liarsolve.rules import CHALLENGE, CupMove
from liarsolve.rules.cup.actions import CupAction
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.solvers.cup.policy import OPENING
from liarsolve.solvers.cup.unseen import UnseenResult
from liarsolve.strategy.cup.situation import CupSituation, situation_from

if TYPE_CHECKING:
    from liarsolve.strategy.situation import Situation

__all__ = ["CupTableAdvice", "CupTableStrategy"]


@dataclass(frozen=True, slots=True)
class CupTableAdvice:
    """One legal action in a situation of a cup game with several players."""

    action: CupAction
    probability: float
    """How often the strategy plays it."""
    expected_value: float
    """Payoff of the player who acts, if all go on by the strategy: the loser of the round pays 1,
    which the others share."""
    loss_probability: float
    """Chance that this player is the one who loses the round."""


@dataclass(frozen=True, eq=False, repr=False)
class CupTableStrategy:
    """Strategies of all players for a round in which everything is thrown again unseen.

    All play alike, wherever they sit, for nobody knows more than the claim that was accepted last.
    The situations, and what to give for them:

    * the first throw, what to claim: ``hand``;
    * thrown after a claim was accepted, what to claim: ``hand``, ``claim``;
    * an opening claim, whether to believe it: ``offered``;
    * a later claim: ``offered``, with ``claim`` the one that was accepted before.
    """

    result: UnseenResult

    @property
    def rules(self) -> CupRules:
        """The rules of the round."""
        return self.result.table.rules

    def probs(
        self,
        situation: "Situation | None" = None,
        *,
        hand: Iterable[int] | str | None = None,
        claim: Claim | str | None = None,
        offered: Claim | str | None = None,
        holding: Iterable[int] | str | None = None,
    ) -> Mapping[CupAction, float]:
        """Probability of every legal action.

        Raises
        ------
        InputError, InputTypeError
            If hands and claims make no situation of these rules.
        IllegalActionError
            If the rules forbid what is said to have happened.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> strategy = solve(presets.LIAR_DIE, players=3).strategy
        >>> {str(action): p for action, p in strategy.probs(offered="6").items()}
        {'liar': 1.0}
        """
        advice = self.advise(situation, hand=hand, claim=claim, offered=offered, holding=holding)
        return {item.action: item.probability for item in advice}

    def sample(
        self,
        situation: "Situation | None" = None,
        *,
        rng: np.random.Generator | int,
        hand: Iterable[int] | str | None = None,
        claim: Claim | str | None = None,
        offered: Claim | str | None = None,
        holding: Iterable[int] | str | None = None,
    ) -> CupAction:
        """Draw an action; ``rng`` is a numpy generator or a seed."""
        generator = check_rng(rng)
        actions = self.probs(situation, hand=hand, claim=claim, offered=offered, holding=holding)
        chances = np.array(list(actions.values()))
        return list(actions)[int(generator.choice(chances.size, p=chances / chances.sum()))]

    def advise(
        self,
        situation: "Situation | None" = None,
        *,
        hand: Iterable[int] | str | None = None,
        claim: Claim | str | None = None,
        offered: Claim | str | None = None,
        holding: Iterable[int] | str | None = None,
    ) -> tuple[CupTableAdvice, ...]:
        """Every legal action with its probability and worth, the most played first.

        Where the strategy would never have made the claim that is offered, the dice are taken to
        be as they fell. Raises as `probs`.
        """
        known = situation_from(
            self.rules, situation, hand=hand, claim=claim, offered=offered, holding=holding
        )
        state = self._state(known)
        if known.offered is not None:
            advice = self._answers(state, self.rules.claims.index(known.offered))
        else:
            assert known.hand is not None
            advice = self._claims(state, self.rules.equipment.hand_ids[known.hand])
        return tuple(sorted(advice, key=lambda a: (-a.probability, -a.expected_value)))

    def offer_frequency(
        self, offered: "Situation | Claim | str", *, claim: Claim | str | None = None
    ) -> float:
        """How often the claim that is offered is made, where it could be."""
        state, claim_id = self._offer(offered, claim)
        result = self.result
        return float(result.tables.distribution @ result.claim_probs[state][:, claim_id])

    def p_true(
        self, offered: "Situation | Claim | str", *, claim: Claim | str | None = None
    ) -> float:
        """Chance that the claim offered is true, as `advise` takes it."""
        state, claim_id = self._offer(offered, claim)
        chance = float(self._belief(state, claim_id) @ self.result.tables.truth[claim_id])
        return min(chance, 1.0)  # a sum of chances that are rounded

    def __repr__(self) -> str:
        table = self.result.table
        return f"CupTableStrategy(rules={table.rules.name!r}, players={table.n_players})"

    def _offer(self, offered: object, claim: object) -> tuple[int, int]:
        """The claim accepted last and the one offered."""
        is_known = isinstance(offered, CupSituation)
        known = situation_from(
            self.rules,
            offered if is_known else None,
            offered=None if is_known else offered,
            claim=claim,
        )
        if known.offered is None:
            raise InputError(f"no claim is offered in {known!r}")
        return self._state(known), self.rules.claims.index(known.offered)

    def _state(self, situation: CupSituation) -> int:
        """The claim accepted last, -1 for the opening."""
        return OPENING if situation.claim is None else self.rules.claims.index(situation.claim)

    def _claims(self, state: int, hand: int) -> list[CupTableAdvice]:
        result = self.result
        claims = list(result.tables.followers[state])
        accepted = result.tables.accepted(claims, result.places)[hand, :, 0]
        challenged = result.tables.challenged[claims, hand, 0]
        accept = result.accept[state, claims]
        worth = (1.0 - accept) * challenged + accept * accepted
        made = result.claim_probs[state][hand, claims]
        return [
            self._advice(self.rules.claims[claim], float(p), float(value))
            for claim, p, value in zip(claims, made, worth, strict=True)
        ]

    def _answers(self, state: int, offered: int) -> list[CupTableAdvice]:
        result, tables = self.result, self.result.tables
        belief = self._belief(state, offered)
        accept = float(result.accept[state, offered])
        challenged = float(belief @ tables.challenged[offered, :, 1])
        advice = [self._advice(CHALLENGE, 1.0 - accept, challenged)]
        if tables.may_accept[offered]:
            accepted = tables.accepted([offered], result.places)[:, 0, 1]
            advice.append(self._advice(CupMove.ACCEPT, accept, float(belief @ accepted)))
        return advice

    def _belief(self, state: int, offered: int) -> F8:
        """Distribution of the hand under the cup, given the claim and the strategy."""
        reach = self.result.tables.distribution * self.result.claim_probs[state][:, offered]
        if not reach.any():
            reach = self.result.tables.distribution
        belief: F8 = reach / reach.sum()
        return belief

    def _advice(self, action: CupAction, probability: float, value: float) -> CupTableAdvice:
        value = min(max(value, -1.0), 1.0 / (self.result.table.n_players - 1))  # but for rounding
        return CupTableAdvice(action, probability, value, self.loss_probability(value))

    def loss_probability(self, value: float) -> float:
        """Chance of losing the round that a payoff stands for: the loser pays 1 to all others."""
        return loss_probability(value, self.result.table.n_players)


def loss_probability(value: float, n_players: int) -> float:
    """Chance of losing the round that a payoff stands for: the loser pays 1 to all others.

    >>> loss_probability(0.5, 3), loss_probability(-1.0, 3)
    (0.0, 1.0)
    """
    others = n_players - 1
    return min(max((1.0 - others * value) / (1 + others), 0.0), 1.0)

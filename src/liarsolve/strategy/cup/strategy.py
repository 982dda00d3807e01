"""Asking the strategy of a cup game what to do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from liarsolve._checks import check_rng
from liarsolve._typing import F8
from liarsolve.claims import Claim
from liarsolve.dice import Hand
from liarsolve.errors import (
    InputError,
    NotSolvedError,
)
from liarsolve.game.cup.game import CupGame
from liarsolve.rules import CHALLENGE
from liarsolve.rules.cup.actions import CupAction, CupMove, Keep
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.solvers.cup.policy import OPENING, CupPolicy
from liarsolve.solvers.cup.stages import Side, StageSolution
from liarsolve.strategy.cup.situation import CupSituation, Question, situation_from

if TYPE_CHECKING:
    from liarsolve.strategy.situation import Situation


@dataclass(frozen=True, slots=True)
class CupAdvice:
    """One legal action in a situation of a cup game."""

    action: CupAction
    probability: float
    """How often the strategy plays it."""
    win_probability: float
    """Chance of winning the round after this action, if both go on by the strategy."""

    @property
    def expected_value(self) -> float:
        """The same as utility: +1 for a round won, -1 for a round lost."""
        return 2.0 * self.win_probability - 1.0


@dataclass(frozen=True, eq=False, repr=False)
class CupStrategy:
    """Both players' strategies for one round of a cup game.

    What a player does depends on what both know since the last acceptance, and on the hand if they
    have seen it. The situations, and what to give for them:

    * the first throw, what to claim: ``hand``;
    * a claim accepted and the hand seen, what to keep: ``hand``, ``claim``;
    * thrown again, what to claim: ``hand`` the new one, ``claim`` the one accepted, ``passed``
      the hand that was passed with it, and ``thrown``, how many dice were thrown;
    * an opening claim, whether to believe it: ``offered``;
    * a later claim: ``offered``, with ``passed`` the hand that the other player looked at,
      ``claim`` what had been claimed about it, and ``thrown``. Without ``claim``, it is taken to
      be the highest that was true of the hand passed and may be followed by the one offered.

    Where everything is thrown again unseen, ``passed`` and ``thrown`` are left out; where the
    number is not announced, ``thrown`` is. Hands and claims are given as text (``"QQQ99"``, ``"full
    house, queens on nines"``), hands also as faces, claims also as `Claim`. In place of all that
    may stand a `CupSituation`, as of `read_situation`; ``holding`` is another word for ``hand``.
    """

    rules: CupRules
    policy: CupPolicy
    lowest_claim: int = 0
    """States after lower claims were not solved, nor was the opening if this is not 0."""

    def probs(
        self,
        situation: "Situation | None" = None,
        *,
        hand: Iterable[int] | str | None = None,
        claim: Claim | str | None = None,
        passed: Iterable[int] | str | None = None,
        thrown: int | None = None,
        offered: Claim | str | None = None,
        holding: Iterable[int] | str | None = None,
    ) -> Mapping[CupAction, float]:
        """Probability of every legal action.

        Raises
        ------
        InputError
            If hands, claims and numbers make no situation of these rules.
        IllegalActionError
            If the rules forbid what is said to have happened.
        NotSolvedError
            If only states after higher claims were solved.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> strategy = solve(presets.LIAR_DIE).strategy
        >>> for action, p in strategy.probs(offered="5").items():
        ...     print(action, round(p, 3))
        liar 0.6
        accept 0.4
        """
        advice = self.advise(
            situation,
            hand=hand,
            claim=claim,
            passed=passed,
            thrown=thrown,
            offered=offered,
            holding=holding,
        )
        return {item.action: item.probability for item in advice}

    def sample(
        self,
        situation: "Situation | None" = None,
        *,
        rng: np.random.Generator | int,
        hand: Iterable[int] | str | None = None,
        claim: Claim | str | None = None,
        passed: Iterable[int] | str | None = None,
        thrown: int | None = None,
        offered: Claim | str | None = None,
        holding: Iterable[int] | str | None = None,
    ) -> CupAction:
        """Draw an action; ``rng`` is a numpy generator or a seed."""
        generator = check_rng(rng)
        actions = self.probs(
            situation,
            hand=hand,
            claim=claim,
            passed=passed,
            thrown=thrown,
            offered=offered,
            holding=holding,
        )
        point = generator.random() * sum(actions.values())
        for action, p in actions.items():
            point -= p
            if point < 0.0:
                return action
        return max(actions, key=lambda action: actions[action])  # rounding left a crumb

    def offer_frequency(
        self,
        offered: "Situation | Claim | str",
        *,
        claim: Claim | str | None = None,
        passed: Iterable[int] | str | None = None,
        thrown: int | None = None,
    ) -> float:
        """How often the other player makes the claim that is offered, where they were to claim.

        Raises as `probs`.
        """
        known = self._offer(offered, claim=claim, passed=passed, thrown=thrown)
        accepted, family = self.stage_of(known)
        self._check_solved(accepted)
        mover = self.policy.solve(accepted, family, Side.MOVER)
        reach = self._reach(mover, self._claim_id(known.offered))
        return 0.0 if reach is None else float(reach.sum())

    def p_true(
        self,
        offered: "Situation | Claim | str",
        *,
        claim: Claim | str | None = None,
        passed: Iterable[int] | str | None = None,
        thrown: int | None = None,
    ) -> float:
        """Chance that the claim offered is true if the other player goes by the strategy.

        Where the strategy would not make it, the dice are taken to be as they fell. Raises as
        `probs`.
        """
        known = self._offer(offered, claim=claim, passed=passed, thrown=thrown)
        return p_true_when_offered(self.advise(known))

    def win_bounds(self, situation: "Situation") -> tuple[float, float]:
        """Bounds of the chance of winning of the player who asks.

        They are proved for the last point at which both players knew all: before the last throw, or
        with the hand that is seen now.
        """
        known, policy = situation_from(self.rules, situation), self.policy
        if known.question is Question.KEEP:
            state = self._hand_id(known.hand), self._claim_id(known.claim)
            return float(policy.low[state]), float(policy.high[state])
        low, high = policy.stage_bounds(*self.stage_of(known))
        return (1.0 - high, 1.0 - low) if known.question is Question.ANSWER else (low, high)

    def stage_of(self, situation: CupSituation) -> tuple[int, int]:
        """The claim accepted last, and the family of dice that may have been kept of the hand."""
        if situation.claim is None:
            return OPENING, 0
        accepted = self._claim_id(situation.claim)
        if situation.passed is None:
            return accepted, 0
        numbers = self._game.numbers
        column = 0 if len(numbers) == 1 else numbers.index(situation.thrown)
        return accepted, int(self._game.hand_family[self._hand_id(situation.passed), column])

    def _offer(self, offered: object, **known: Any) -> CupSituation:
        if isinstance(offered, CupSituation):
            return situation_from(self.rules, offered, **known)
        return situation_from(self.rules, None, offered=offered, **known)

    def advise(
        self,
        situation: "Situation | None" = None,
        *,
        hand: Iterable[int] | str | None = None,
        claim: Claim | str | None = None,
        passed: Iterable[int] | str | None = None,
        thrown: int | None = None,
        offered: Claim | str | None = None,
        holding: Iterable[int] | str | None = None,
    ) -> tuple[CupAdvice, ...]:
        """Every legal action with its probability and chance of winning, the most played first.

        Where the strategy would never have made the claim that is offered, the dice are taken to
        be as they fell, whatever was claimed. Raises as `probs`.
        """
        known = situation_from(
            self.rules,
            situation,
            hand=hand,
            claim=claim,
            passed=passed,
            thrown=thrown,
            offered=offered,
            holding=holding,
        )
        accepted, family = self.stage_of(known)
        self._check_solved(accepted)
        match known.question:
            case Question.ANSWER:
                advice = self._answers(self._claim_id(known.offered), accepted, family)
            case Question.KEEP:
                advice = self._keeps(accepted, self._hand_id(known.hand))
            case Question.OPENING | Question.CLAIM:
                advice = self._claims(accepted, family, self._hand_id(known.hand))
        return tuple(sorted(advice, key=lambda a: (-a.probability, -a.win_probability)))

    def __repr__(self) -> str:
        return f"CupStrategy(rules={self.rules.name!r})"

    @property
    def _game(self) -> CupGame:
        return self.policy.game

    def _claims(self, accepted: int, family: int, hand: int) -> list[CupAdvice]:
        """What to claim with a hand."""
        mover, payoffs = self._stage(accepted, family)
        rows = np.flatnonzero(mover.hands == hand)
        if rows.size == 0:
            raise InputError(
                f"{self._format_hand(hand)} cannot come of the hand passed by throwing that many"
            )
        row = int(rows[0])
        made = dict(zip(mover.claims, mover.claim_probs[row].tolist(), strict=True))
        return [
            CupAdvice(
                self.rules.claims[claim], made.get(claim, 0.0), _clip(float(payoffs[claim][row]))
            )
            for claim in sorted(payoffs)
        ]

    def _keeps(self, accepted: int, hand: int) -> list[CupAdvice]:
        """Which dice to keep of a hand."""
        game = self._game
        best = self.policy.best_number(hand, accepted)
        advice = []
        for column, family in enumerate(game.hand_family[hand]):
            mover, payoffs = self._stage(accepted, int(family))
            reach = np.array(list(payoffs.values())).max(axis=0)
            for keep, prob in zip(mover.keeps, mover.keep_probs, strict=True):
                value = float(game.redraw[keep, mover.hands] @ reach)
                probability = float(prob) if column == best else 0.0
                advice.append(CupAdvice(Keep(game.keeps[keep]), probability, _clip(value)))
        return advice

    def _answers(self, offered: int, accepted: int, family: int) -> list[CupAdvice]:
        """Whether to accept a claim."""
        game = self._game
        like = self.policy.useful_claims(accepted)[offered]
        responder = self.policy.solve(accepted, family, Side.RESPONDER)
        accept = _clip(float(responder.accept[responder.claims.index(like)]))
        mover = self.policy.solve(accepted, family, Side.MOVER)
        belief = self._belief(mover, offered)
        truth = game.truth[offered, mover.hands]
        challenge = CupAdvice(CHALLENGE, 1.0 - accept, _clip(float(belief @ ~truth)))
        if game.end_values.get(offered, ()) is None:  # it must be challenged
            return [CupAdvice(CHALLENGE, 1.0, challenge.win_probability)]
        value = _clip(float(belief @ self._values(offered)[mover.hands]))
        return [challenge, CupAdvice(CupMove.ACCEPT, accept, value)]

    def _thrown(self, mover: StageSolution) -> F8:
        """Distribution of the mover's hand before they claim."""
        distribution: F8 = mover.keep_probs @ self._game.redraw[np.ix_(mover.keeps, mover.hands)]
        return distribution

    def _reach(self, mover: StageSolution, offered: int) -> F8 | None:
        """Chance of every hand together with the claim; None if it is made with no hand."""
        if offered not in mover.claims:
            return None
        reach: F8 = self._thrown(mover) * mover.claim_probs[:, mover.claims.index(offered)]
        return reach if reach.any() else None

    def _belief(self, mover: StageSolution, offered: int) -> F8:
        """Distribution of the hand under the cup, given the claim and the mover's strategy."""
        reach = self._reach(mover, offered)
        if reach is None:
            reach = self._thrown(mover)
        belief: F8 = reach / reach.sum()
        return belief

    def _stage(self, accepted: int, family: int) -> tuple[StageSolution, dict[int, F8]]:
        """The mover's part, and for every claim their chance of winning by hand."""
        game = self._game
        mover = self.policy.solve(accepted, family, Side.MOVER)
        responder = self.policy.solve(accepted, family, Side.RESPONDER)
        payoffs = {}
        for claim, like in self.policy.useful_claims(accepted).items():
            accept = responder.accept[responder.claims.index(like)]
            truth = game.truth[claim, mover.hands].astype(np.float64)
            accepted_value = 1.0 - self._values(claim)[mover.hands]
            payoffs[claim] = (1.0 - accept) * truth + accept * accepted_value
        return mover, payoffs

    def _values(self, claim: int) -> F8:
        """Chance of winning of who accepts a claim, by the hand that they then see."""
        return 0.5 * (self.policy.low[:, claim] + self.policy.high[:, claim])

    def _check_solved(self, accepted: int) -> None:
        if self.lowest_claim > 0 and accepted < self.lowest_claim:
            lowest = self._format_claim(self.lowest_claim)
            raise NotSolvedError(f"only what follows {lowest} and higher claims was solved")

    def _hand_id(self, hand: Hand | None) -> int:
        assert hand is not None
        return self.rules.equipment.hand_ids[hand]

    def _claim_id(self, claim: Claim | None) -> int:
        assert claim is not None
        return self.rules.claims.index(claim)

    def _format_hand(self, hand: int) -> str:
        return self.rules.format_hand(self._game.hands[hand])

    def _format_claim(self, claim: int) -> str:
        return self.rules.format_claim(self.rules.claims[claim])


def p_true_when_offered(advice: Iterable[CupAdvice]) -> float:
    """Chance that the claim offered is true if the other player goes by their strategy."""
    return 1.0 - next(a.win_probability for a in advice if a.action is CHALLENGE)


def _clip(p: float) -> float:
    """A probability, without the crumbs of rounding."""
    return min(max(p, 0.0), 1.0) + 0.0  # the sum turns -0.0 into 0.0

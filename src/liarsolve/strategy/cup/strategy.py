"""Asking the strategy of a cup game what to do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from liarsolve._typing import F8
from liarsolve.claims import Claim
from liarsolve.errors import (
    IllegalActionError,
    InputError,
    InputTypeError,
    NotSolvedError,
)
from liarsolve.game.cup.game import CupGame
from liarsolve.rules import CHALLENGE
from liarsolve.rules.cup.actions import CupAction, CupMove, Keep
from liarsolve.rules.cup.options import Look
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.solvers.cup.policy import OPENING, CupPolicy
from liarsolve.solvers.cup.stages import Side, StageSolution


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

    What a player does depends on what both know since the last acceptance, and on the hand if he
    has seen it. The situations, and what to give for them:

    * the first throw, what to claim: ``holding``;
    * a claim accepted and the hand seen, what to keep: ``holding``, ``claim``;
    * thrown again, what to claim: ``holding`` the new hand, ``claim`` the one accepted, ``passed``
      the hand that was passed with it, and ``thrown``, how many dice were thrown;
    * an opening claim, whether to believe it: ``offered``;
    * a later claim: ``offered``, with ``passed`` the hand that the other player looked at,
      ``claim`` what had been claimed about it, and ``thrown``. Without ``claim``, it is taken to
      be the highest that was true of the hand passed and may be followed by the one offered.

    Where everything is thrown again unseen, ``passed`` and ``thrown`` are left out; where the
    number is not announced, ``thrown`` is. Hands and claims are given as text (``"QQQ99"``, ``"full
    house, queens on nines"``), hands also as faces, claims also as `Claim`.
    """

    rules: CupRules
    policy: CupPolicy
    lowest_claim: int = 0
    """States after lower claims were not solved, nor was the opening if this is not 0."""

    def probs(
        self,
        *,
        holding: Iterable[int] | str | None = None,
        claim: Claim | str | None = None,
        passed: Iterable[int] | str | None = None,
        thrown: int | None = None,
        offered: Claim | str | None = None,
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
            holding=holding, claim=claim, passed=passed, thrown=thrown, offered=offered
        )
        return {item.action: item.probability for item in advice}

    def sample(
        self,
        *,
        rng: np.random.Generator | int,
        holding: Iterable[int] | str | None = None,
        claim: Claim | str | None = None,
        passed: Iterable[int] | str | None = None,
        thrown: int | None = None,
        offered: Claim | str | None = None,
    ) -> CupAction:
        """Draw an action; ``rng`` is a numpy generator or a seed."""
        if isinstance(rng, bool) or not isinstance(rng, np.random.Generator | int | np.integer):
            raise InputTypeError(f"rng is a numpy random Generator or a seed, got {rng!r}")
        actions = self.probs(
            holding=holding, claim=claim, passed=passed, thrown=thrown, offered=offered
        )
        point = np.random.default_rng(rng).random() * sum(actions.values())
        for action, p in actions.items():
            point -= p
            if point < 0.0:
                return action
        return max(actions, key=lambda action: actions[action])  # rounding left a crumb

    def advise(
        self,
        *,
        holding: Iterable[int] | str | None = None,
        claim: Claim | str | None = None,
        passed: Iterable[int] | str | None = None,
        thrown: int | None = None,
        offered: Claim | str | None = None,
    ) -> tuple[CupAdvice, ...]:
        """Every legal action with its probability and chance of winning, the most played first.

        Where the strategy would never have made the claim that is offered, the dice are taken to
        be as they fell, whatever was claimed. Raises as `probs`.
        """
        if (holding is None) == (offered is None):
            raise InputError(
                "say either the hand you are holding, or the claim you were offered, "
                f"got holding={holding!r} and offered={offered!r}"
            )
        if offered is not None:
            advice = self._answers(self._claim_id(offered), claim, passed, thrown)
        else:
            assert holding is not None
            hand = self._hand_id(holding)
            if claim is None:
                self._refuse_extras("before a claim was accepted", passed, thrown)
                advice = self._claims(OPENING, 0, hand)
            elif self._sees_first and passed is None:
                self._refuse_extras("while you look at the hand you accepted", None, thrown)
                advice = self._keeps(self._accepted(claim), hand)
            else:
                accepted = self._accepted(claim)
                advice = self._claims(accepted, self._family(passed, thrown), hand)
        return tuple(sorted(advice, key=lambda a: (-a.probability, -a.win_probability)))

    def __repr__(self) -> str:
        return f"CupStrategy(rules={self.rules.name!r})"

    @property
    def _game(self) -> CupGame:
        return self.policy.game

    @property
    def _sees_first(self) -> bool:
        """Whether a player sees what he accepts before he throws."""
        return self.rules.look is not Look.NEVER

    def _claims(self, accepted: int, family: int, hand: int) -> list[CupAdvice]:
        """What to claim with a hand."""
        self._check_solved(accepted)
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
        self._check_solved(accepted)
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

    def _answers(
        self,
        offered: int,
        claim: Claim | str | None,
        passed: Iterable[int] | str | None,
        thrown: int | None,
    ) -> list[CupAdvice]:
        """Whether to accept a claim."""
        game = self._game
        if claim is None and passed is None:
            self._refuse_extras("with an opening claim", None, thrown)
            accepted, family = OPENING, 0
        else:
            family = self._family(passed, thrown)
            accepted = (
                self._assume_claim(passed, offered) if claim is None else self._claim_id(claim)
            )
            if not game.follows[accepted, offered]:
                raise IllegalActionError(
                    f"{self._format_claim(offered)} may not follow {self._format_claim(accepted)}"
                )
        self._check_solved(accepted)
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

    def _belief(self, mover: StageSolution, offered: int) -> F8:
        """Law of the hand under the cup, given the claim and the mover's strategy."""
        law: F8 = mover.keep_probs @ self._game.redraw[np.ix_(mover.keeps, mover.hands)]
        if offered in mover.claims:
            reach: F8 = law * mover.claim_probs[:, mover.claims.index(offered)]
            if reach.sum() > 0.0:
                law = reach
        belief: F8 = law / law.sum()
        return belief

    def _stage(self, accepted: int, family: int) -> tuple[StageSolution, dict[int, F8]]:
        """The mover's part, and for every claim his chance of winning by hand."""
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
        """Chance of winning of who accepts a claim, by the hand that he then sees."""
        return 0.5 * (self.policy.low[:, claim] + self.policy.high[:, claim])

    def _family(self, passed: Iterable[int] | str | None, thrown: int | None) -> int:
        """Family of keeps of the hand that was passed, and the number that was announced."""
        game = self._game
        if not self._sees_first:
            self._refuse_extras("where everything is thrown again unseen", passed, thrown)
            return 0
        if passed is None:
            raise InputError("say which hand was passed on, such as passed='QQQ99'")
        hand = self._hand_id(passed)
        if game.numbers == (None,):
            if thrown is not None:
                raise InputError(f"the number of dice thrown is not announced, got thrown={thrown}")
            return int(game.hand_family[hand, 0])
        if thrown not in game.numbers:
            numbers = ", ".join(map(str, game.numbers))
            raise InputError(f"thrown is the number of dice thrown, one of {numbers}; got {thrown}")
        return int(game.hand_family[hand, game.numbers.index(thrown)])

    def _assume_claim(self, passed: Iterable[int] | str | None, offered: int) -> int:
        """The highest claim that was true of the hand passed, below the one offered."""
        game = self._game
        if passed is None:
            raise InputError("say which claim came before, such as claim='QQ'")
        true_of_it = game.truth[:, self._hand_id(passed)]
        before = np.flatnonzero(game.follows[:, offered])
        if before.size == 0:
            raise IllegalActionError(
                f"{self._format_claim(offered)} may follow no other claim, so it opened the round"
            )
        true_before = before[true_of_it[before]]
        return int(true_before[-1] if true_before.size else before[0])

    def _accepted(self, claim: Claim | str) -> int:
        accepted = self._claim_id(claim)
        if accepted in self._game.end_values:
            raise IllegalActionError(
                f"no claim may follow {self._format_claim(accepted)}, so nothing is to be done"
            )
        return accepted

    def _check_solved(self, accepted: int) -> None:
        if self.lowest_claim > 0 and accepted < self.lowest_claim:
            lowest = self._format_claim(self.lowest_claim)
            raise NotSolvedError(f"only what follows {lowest} and higher claims was solved")

    def _refuse_extras(self, where: str, passed: object, thrown: object) -> None:
        for name, value in (("passed", passed), ("thrown", thrown)):
            if value is not None:
                raise InputError(f"{where} there is no {name}, got {name}={value!r}")

    def _hand_id(self, hand: Iterable[int] | str) -> int:
        return self.rules.equipment.hand_ids[self.rules.parse_hand(hand)]

    def _claim_id(self, claim: Claim | str) -> int:
        parsed = self.rules.parse_claim(claim) if isinstance(claim, str) else claim
        return self.rules.claims.index(parsed)

    def _format_hand(self, hand: int) -> str:
        return self.rules.format_hand(self._game.hands[hand])

    def _format_claim(self, claim: int) -> str:
        return self.rules.format_claim(self.rules.claims[claim])


def _clip(p: float) -> float:
    """A probability, without the crumbs of rounding."""
    return min(max(p, 0.0), 1.0) + 0.0  # the sum turns -0.0 into 0.0

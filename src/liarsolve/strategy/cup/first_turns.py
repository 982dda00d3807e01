"""Asking strategies of cup games with several players about the first throw and the first claim."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from liarsolve._typing import F8
from liarsolve.claims import Claim
from liarsolve.errors import InputError
from liarsolve.game.cup.graph import CupGraph, build_cup_graph
from liarsolve.rules import CHALLENGE, CupState, Thrown
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.solvers.cup.action_values import action_values
from liarsolve.solvers.cup.cfr_result import CupCFRResult
from liarsolve.strategy.cup.situation import CupSituation, Question, situation_from
from liarsolve.strategy.cup.table_strategy import CupTableAdvice, loss_probability

if TYPE_CHECKING:
    from liarsolve.strategy.situation import Situation

__all__ = ["CupFirstTurns", "first_turn_problem"]


def first_turn_problem(situation: CupSituation, n_players: int) -> str | None:
    """Say why a situation of a game in which players look is not all that one has to know.

    Examples
    --------
    >>> from liarsolve import presets, read_situation
    >>> first_turn_problem(read_situation(presets.CLASSIC, hand="QQQ99"), 3) is None
    True
    """
    if situation.question is Question.OPENING:
        return None
    if situation.question is Question.ANSWER and situation.claim is None:
        return None
    return (
        f"in {situation.rules.name} with {n_players} players it matters later in a round who sits "
        "where and has seen which hand; advice is given on the first throw and on the first claim"
    )


@dataclass(frozen=True, eq=False, repr=False)
class CupFirstTurns:
    """Advice on the first throw, to seat 1, and on the first claim, to seat 2.

    Later in a round it matters who sits where and has seen which hand, which a `CupSituation` does
    not say; `CupProfile.policy` tells what is played then.
    """

    result: CupCFRResult

    @property
    def rules(self) -> CupRules:
        """The rules of the round."""
        return self.result.table.rules

    def advise(
        self, situation: "Situation | None" = None, **known: Any
    ) -> tuple[CupTableAdvice, ...]:
        """Every legal action with its probability and worth, the most played first.

        Where the strategy would never have made the claim that is offered, the dice are taken to
        be as they fell.

        Raises
        ------
        InputError
            If something else is asked than the first throw and the first claim.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> rules = presets.CLASSIC.replace(equipment="dice(2,2)")
        >>> solution = solve(rules, players=3, target=0.1)
        >>> advice = CupFirstTurns(solution.result).advise(offered="99")
        >>> sorted(str(a.action) for a in advice)
        ['accept', 'liar']
        """
        asked = self._read(situation, **known)
        if asked.question is Question.OPENING:
            assert asked.hand is not None
            return self._choices(self._state(Thrown(asked.hand)), self._probs)
        assert asked.offered is not None
        hand = self.rules.equipment.hands[0]  # whoever answers has not seen it
        probs = self._probs if self.offer_frequency(asked) else self._claimed_always(asked.offered)
        state = self._state(Thrown(hand), asked.offered)
        if len(self.result.table.legal_actions(state)) > 1:
            return self._choices(state, probs)
        p_true = self.p_true(asked)
        others = self.result.table.n_players - 1
        value = (1.0 - p_true) / others - p_true
        return (CupTableAdvice(CHALLENGE, 1.0, value, p_true),)

    def offer_frequency(self, situation: CupSituation) -> float:
        """How often the claim that is offered opens the round."""
        return sum(self._made(self._read(situation)).values())

    def p_true(self, situation: CupSituation) -> float:
        """Chance that the claim offered is true, as `advise` takes it."""
        asked = self._read(situation)
        made = self._made(asked)
        if not any(made.values()):
            made = dict(zip(self._hands, self._chances, strict=True))
        claims = self.rules.claims
        claim_id = claims.index(asked.offered)  # type: ignore[arg-type]  # `_made` refuses None
        is_true = [p for h, p in made.items() if claims.is_true(claim_id, h, self.rules.truth)]
        return min(sum(is_true) / sum(made.values()), 1.0)

    @property
    def _probs(self) -> F8:
        return self.result.strategy.action_probs

    @cached_property
    def _graph(self) -> CupGraph:
        strategy, table = self.result.strategy, self.result.table
        graph, _ = build_cup_graph(
            table,
            [strategy.memory] * table.n_players,
            infosets=strategy.infosets,
            max_nodes=self.result.n_nodes,
        )
        return graph

    @property
    def _hands(self) -> tuple[tuple[int, ...], ...]:
        return self.rules.equipment.hands

    @property
    def _chances(self) -> list[float]:
        weights = self.rules.equipment.weights
        return [weight / sum(weights) for weight in weights]

    def _read(self, situation: "Situation | None", **known: Any) -> CupSituation:
        asked = situation_from(self.rules, situation, **known)
        problem = first_turn_problem(asked, self.result.table.n_players)
        if problem is not None:
            raise InputError(f"{problem}; ask strategy.policy(state)")
        return asked

    def _state(self, *history: Thrown | Claim) -> CupState:
        return self.result.table.state_after(history)

    def _made(self, asked: CupSituation) -> Mapping[tuple[int, ...], float]:
        """Chance of every first hand together with the claim that is offered."""
        if asked.offered is None:
            raise InputError(f"no claim is offered in {asked!r}")
        policy = self.result.strategy.policy
        return {
            hand: chance * policy(self._state(Thrown(hand))).get(asked.offered, 0.0)
            for hand, chance in zip(self._hands, self._chances, strict=True)
        }

    def _claimed_always(self, claim: Claim) -> F8:
        """The strategies, but that the first player claims this whatever they have thrown."""
        probs = self._probs.copy()
        for hand in self._hands:
            state = self._state(Thrown(hand))
            first, stop = self.result.strategy.actions_at(state)
            probs[first:stop] = 0.0
            probs[first + self.result.table.legal_actions(state).index(claim)] = 1.0
        return probs

    def _choices(self, state: CupState, probs: F8) -> tuple[CupTableAdvice, ...]:
        """What may be done in a state, with the values that these strategies give it."""
        table = self.result.table
        player = table.to_act(state)
        assert player is not None
        first, stop = self.result.strategy.actions_at(state)
        values = action_values(self._graph, probs, player)[first:stop].tolist()
        played = self._probs[first:stop].tolist()
        advice = [
            CupTableAdvice(action, p, value, loss_probability(value, table.n_players))
            for action, p, value in zip(table.legal_actions(state), played, values, strict=True)
        ]
        return tuple(sorted(advice, key=lambda a: (-a.probability, -a.expected_value)))

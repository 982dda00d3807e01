"""What a page shows of a solved cup game: first claims, answers, and what is kept."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from liarsolve._typing import F8
from liarsolve.dice import Hand
from liarsolve.errors import InputError
from liarsolve.report.browser.blocks import thousandths, thousandths_of_probs
from liarsolve.rules import Look, rule_sentences
from liarsolve.rules.cup.actions import CupAction, format_cup_action
from liarsolve.solvers.cup.policy import OPENING
from liarsolve.solvers.cup.stages import Side, StageSolution
from liarsolve.strategy.cup.solution import CupSolution
from liarsolve.strategy.cup.strategy import CupAdvice

__all__ = ["CupPages"]

_FEW_STATES = 1000
_USUAL_REACH = 1e-3
_ACCEPTED = "accepted"
"""Last step of the path to what comes after a claim was accepted."""


@dataclass(frozen=True)
class CupPages:
    """The data of a page about a cup game of two players.

    Places are the opening, every first claim that is offered, and what comes after it was accepted.
    """

    solution: CupSolution
    min_reach: float | None

    @cached_property
    def least(self) -> float:
        """How often hands come to the places after an acceptance, at the least."""
        if self.min_reach is not None:
            return self.min_reach
        return 0.0 if self.solution.n_states <= _FEW_STATES else _USUAL_REACH

    def blocks(self) -> dict[str, Any]:
        """All data of the page by block: ``meta``, the opening, and one for each first claim.

        Raises
        ------
        InputError
            If the round was not solved from its first throw on.
        """
        result = self.solution.result
        if result.next_claim >= 0 or result.last_claim > 0:
            raise InputError(
                "a page needs the whole round, and this one is solved only from higher claims on; "
                "give the solver more time"
            )
        blocks: dict[str, Any] = {"b0": {"": self._opening()}}
        names = {"": "b0"}
        n_written = 1
        for claim in sorted(self._policy.useful_claims(OPENING)):
            places = {self._write(claim): self._offered(claim)}
            frequency = self._reach_of(claim)
            accepted = self._accepted(claim, frequency)
            if accepted is not None:
                places[f"{self._write(claim)}/{_ACCEPTED}"] = accepted
            n_written += len(places)
            names[self._write(claim)] = f"b{len(names)}"
            blocks[names[self._write(claim)]] = places
        return {"meta": self._meta(names, n_written)} | blocks

    def _opening(self) -> dict[str, Any]:
        """What to claim with every first throw."""
        hands = [self._game.hands[hand] for hand in self._mover.hands]
        advice = [self.solution.advise(hand=hand) for hand in hands]
        by_claim = {self._claim_id(a.action): a.action for a in advice[0]}
        actions = [by_claim[claim] for claim in sorted(by_claim)]
        columns = [[self._name(action), [self._name(action)]] for action in actions]
        rows = self._rows(hands, self._thrown, advice, actions)
        return {
            "heading": "The first throw: what to claim",
            "summary": ["Both players start with nothing known."],
            "rowHead": "hand",
            "extraHeads": ["comes up"],
            "columns": columns,
            "rows": rows,
            "beliefs": [],
        }

    def _offered(self, claim: int) -> dict[str, Any]:
        """Whether to believe a first claim."""
        name = self._write(claim)
        advice = self.solution.advise(offered=self._claims[claim])
        reach = self._reach_of(claim)
        is_made = reach.sum() > 0.0
        belief = reach / reach.sum() if is_made else self._thrown
        truth = self._game.truth[claim, self._mover.hands]
        goes_on = claim not in self._game.end_values
        heading = [
            f"It is made in {100 * reach.sum():.1f}\N{NO-BREAK SPACE}% of rounds."
            if is_made
            else "The strategy never makes it; the dice are taken to be as they fell."
        ]
        heading.append(
            f"It is true in {100 * float(belief @ truth):.1f}\N{NO-BREAK SPACE}% of the cases, "
            f"and in {100 * float(self._thrown @ truth):.1f}\N{NO-BREAK SPACE}% by the dice alone."
        )
        columns = [
            [self._name(a.action), [name, _ACCEPTED] if str(a.action) == "accept" else None]
            for a in advice
        ]
        if not goes_on:
            columns = [[text, None] for text, _ in columns]
        names = [self._hand(self._game.hands[hand]) for hand in self._mover.hands]
        return {
            "heading": f"{name} is offered: accept or call",
            "summary": heading,
            "rowHead": "whoever answers",
            "extraHeads": ["comes here"],
            "columns": columns,
            "rows": [_row("any dice", float(reach.sum()), advice)],
            "beliefs": [
                {
                    "title": "What lies under the cup",
                    "names": names,
                    "now": thousandths_of_probs(belief),
                    "before": thousandths_of_probs(self._thrown),
                }
            ],
        }

    def _accepted(self, claim: int, reach: F8) -> dict[str, Any] | None:
        """What to keep, or to claim where nobody looks; None where the round does not go on."""
        if claim in self._game.end_values:
            return None
        offered = self.solution.advise(offered=self._claims[claim])
        accept = sum(a.probability for a in offered if str(a.action) == "accept")
        is_unseen = self.solution.rules.look is Look.NEVER
        if is_unseen and reach.sum() * accept < self.least:
            return None
        # Where nobody looks, the dice are thrown again, and come as they fall.
        chances = self._thrown * (reach.sum() * accept) if is_unseen else reach * accept
        rows = [k for k, chance in enumerate(chances.tolist()) if chance >= self.least]
        hands = [self._game.hands[self._mover.hands[k]] for k in rows]
        advice = [self.solution.advise(hand=hand, claim=self._claims[claim]) for hand in hands]
        actions: dict[CupAction, None] = {}
        for of_hand in advice:
            actions.update((a.action, None) for a in of_hand if is_unseen or a.probability > 0.0)
        if not actions:
            return None
        what = "thrown again unseen, what to claim" if is_unseen else "seen, what to keep"
        return {
            "heading": f"{self._write(claim)} was accepted: {what}",
            "summary": [f"It is accepted in {100 * accept:.1f}\N{NO-BREAK SPACE}% of the cases."],
            "rowHead": "hand",
            "extraHeads": ["comes here"],
            "columns": [[self._name(action), None] for action in actions],
            "rows": self._rows(hands, chances[rows], advice, list(actions)),
            "beliefs": [],
        }

    def _rows(
        self,
        hands: list[Hand],
        chances: F8,
        advice: list[tuple[CupAdvice, ...]],
        actions: list[CupAction],
    ) -> list[dict[str, Any]]:
        rows = []
        for hand, chance, of_hand in zip(hands, chances.tolist(), advice, strict=True):
            by_action = {a.action: a for a in of_hand}
            found = [by_action.get(action) for action in actions]
            rows.append(_row(self._hand(hand), chance, found))
        return rows

    def _meta(self, names: dict[str, str], n_written: int) -> dict[str, Any]:
        solution = self.solution
        low, high = solution.win_bounds
        facts = [["The first player wins", f"between {100 * low:.3f} and {100 * high:.3f} %"]]
        if solution.exact_win_probability is not None:
            facts.append(["Exactly", str(solution.exact_win_probability)])
        facts.append(
            ["Certificate", f"the strategies lose at most {solution.exploitability:.3g} a round"]
        )
        facts.append(["Solver", f"{solution.iterations:,} stages; stopped: {solution.stop.value}"])
        note = f"This page shows {n_written:,} places: first claims, answers, what comes next."
        if self.least > 0.0:
            note += f" Hands that come up with a chance below {100 * self.least:g} % are left out."
        return {
            "family": "cup",
            "title": f"{solution.rules.name}: strategies of two players",
            "rules": list(rule_sentences(solution.rules)),
            "facts": facts,
            "note": note,
            "written": n_written,
            "minReach": self.least,
            "branches": names,
        }

    def _name(self, action: CupAction) -> str:
        return format_cup_action(action, self.solution.rules)

    def _claim_id(self, action: CupAction) -> int:
        claim_id: int = self._claims.index(action)
        return claim_id

    def _hand(self, hand: Hand) -> str:
        return self.solution.rules.format_hand(hand)

    def _write(self, claim: int) -> str:
        return self.solution.rules.format_claim(self._claims[claim])

    @property
    def _claims(self) -> Any:  # Any: a sequence that knows its order
        return self.solution.rules.claims

    @property
    def _policy(self) -> Any:  # Any: CupPolicy
        return self.solution.strategy.policy

    @property
    def _game(self) -> Any:  # Any: CupGame
        return self._policy.game

    @cached_property
    def _mover(self) -> StageSolution:
        """The first player's part of the opening."""
        mover: StageSolution = self._policy.solve(OPENING, 0, Side.MOVER)
        return mover

    @cached_property
    def _thrown(self) -> F8:
        """Distribution of the first throw."""
        thrown: F8 = self._game.redraw[self._mover.keeps[0], self._mover.hands]
        return thrown

    def _reach_of(self, claim: int) -> F8:
        """Chance of every first hand together with a claim."""
        if claim not in self._mover.claims:
            return np.zeros_like(self._thrown)
        column = self._mover.claims.index(claim)
        reach: F8 = self._thrown * self._mover.claim_probs[:, column]
        return reach


def _row(name: str, chance: float, advice: Any) -> dict[str, Any]:  # Any: advice with gaps
    """One line of a table; actions that this hand does not have are left empty."""
    probs = np.array([0.0 if a is None else a.probability for a in advice])
    return {
        "name": name,
        "r": float(f"{chance:.3g}"),
        "extras": [],
        "p": thousandths_of_probs(probs),
        "v": [None if a is None else thousandths(np.array([a.win_probability]))[0] for a in advice],
    }

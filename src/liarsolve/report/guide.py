"""What a player should remember of a solved cup game: a page of figures read off its strategy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from liarsolve.claims import Category, Claim, ClaimDetail, ClaimSet, spell_claim
from liarsolve.errors import InputError
from liarsolve.rules import CupRules, Look
from liarsolve.solvers.cup.policy import OPENING
from liarsolve.solvers.cup.stages import Side, StageSolution
from liarsolve.strategy.cup.solution import CupSolution

if TYPE_CHECKING:
    from liarsolve._typing import F8, I8

__all__ = ["AcceptedCase", "CupGuide", "FirstClaims", "FirstThrows", "cup_guide"]

_FEWEST_KINDS = 4
"""Games with fewer kinds of hands are told by runs of neighbours instead."""
_MOST_RUNS = 7
_TAIL = 0.1
"""Part of the claims that is left out at either end when their usual range is told."""
_RARE = 5e-4
"""Cases and claims that come less often are not told."""
_SMALL_PART = 0.1
"""Lies, or truths, that are a smaller part of the cases of one kind are not told apart."""
_BELIEVED = 0.9
_SAME = 0.005
"""Less than a page of whole percents shows."""
_DOUBTED = 0.5 + 1e-6
"""Every other time, but for rounding."""


@dataclass(frozen=True, slots=True)
class FirstThrows:
    """First throws of one kind, and what to claim with them."""

    hands: str
    share: float
    """Part of all first throws."""
    p_true: float
    """How often the claim is true."""
    lowest: str
    """Claims usually lie between this one and ..."""
    highest: str
    win_probability: float


@dataclass(frozen=True, slots=True)
class FirstClaims:
    """Claims of one kind that open a round, and how they are met."""

    claims: str
    share: float
    """Part of all first claims."""
    p_true: float | None
    """How often they are true; `None` if they are never made."""
    most_accepted: float
    """How often they are accepted: the one that is believed most ..."""
    least_accepted: float
    """... and the one that is believed least."""


@dataclass(frozen=True, slots=True)
class AcceptedCase:
    """A claim that was accepted, the hand that is seen then, and how to go on."""

    hand: str
    """Empty where nobody looks before they throw."""
    claim: str
    is_true: bool | None
    keep: str
    keep_probability: float
    lowest: str
    """After the throw, claims usually lie between this one and ..."""
    highest: str
    p_true: float
    """How often the claims made after it are true."""
    accept: float
    """How often they should be accepted."""
    win_probability: float


@dataclass(frozen=True, slots=True)
class CupGuide:
    """One page about a cup game of two players."""

    rules: str
    items: str
    """What lies under the cup, in words."""
    win_bounds: tuple[float, float]
    """Bounds of the first player's chance of winning the round."""
    exploitability: float
    p_first_claim_true: float
    lowest_claim: str
    """The lowest claim that is made first, but for rare ones."""
    p_lower: float
    """How often a claim is made first that is lower."""
    believed_to: str | None
    """First claims up to this one are accepted nine times in ten or more."""
    p_believed: float | None
    """How often those are accepted at the least."""
    doubted_from: str | None
    """First claims from this one on are challenged at least every other time."""
    is_falling: bool
    """Whether claims of a higher kind are never accepted more often, in the mean of their kind."""
    first_throws: tuple[FirstThrows, ...]
    first_claims: tuple[FirstClaims, ...]
    accepted: tuple[AcceptedCase, ...]
    """The likeliest cases of each kind after the first claim was accepted: samples."""
    n_accepted: int
    """Cases that can come after the first claim was accepted, those shown among them."""


def cup_guide(solution: CupSolution) -> CupGuide:
    """Read one page off the strategy of a cup game.

    Raises
    ------
    InputError
        If the round was not solved from its first throw on.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> guide = cup_guide(solve(presets.LIAR_DIE))
    >>> guide.lowest_claim, guide.believed_to, guide.doubted_from
    ('2', '2', '4')
    """
    result = solution.result
    if result.next_claim >= 0 or result.last_claim > 0:
        raise InputError(
            "a guide needs the whole round, and this one is solved only from higher claims on; "
            "give the solver more time"
        )
    page = _Page(solution)
    equipment = solution.rules.equipment
    believed = page.believed()
    first_claims = tuple(page.first_claims())
    means = [0.5 * (row.most_accepted + row.least_accepted) for row in first_claims]
    return CupGuide(
        rules=solution.rules.name,
        items=f"{equipment.n_items} {_items(solution.rules)}",
        win_bounds=solution.win_bounds,
        exploitability=solution.exploitability,
        p_first_claim_true=float((page.made * page.truth).sum()),
        lowest_claim=page.write(page.in_use[0]),
        p_lower=float(page.frequency[page.claims < page.in_use[0]].sum()),
        believed_to=page.write(believed[-1]) if believed else None,
        p_believed=min(page.accept[claim] for claim in believed) if believed else None,
        doubted_from=page.doubted_from(),
        is_falling=all(b <= a + _SAME for a, b in pairwise(means)),
        first_throws=tuple(page.first_throws()),
        first_claims=first_claims,
        accepted=tuple(page.accepted()),
        n_accepted=page.count_accepted(),
    )


def _items(rules: CupRules) -> str:
    if rules.equipment.is_cards:
        return "cards"
    return "die" if rules.equipment.n_items == 1 else "dice"


class _Page:
    """The first stage of a round as arrays: J hands, M claims that may be worth making."""

    def __init__(self, solution: CupSolution) -> None:
        self.solution = solution
        self.rules = solution.rules
        self.policy = solution.strategy.policy
        game = self.game = self.policy.game
        mover = self.policy.solve(OPENING, 0, Side.MOVER)
        self.hands = mover.hands
        self.distribution: F8 = game.redraw[mover.keeps[0], mover.hands]
        self.claims = np.array(mover.claims)
        self.claim_probs = mover.claim_probs
        self.made: F8 = self.distribution[:, None] * mover.claim_probs
        self.frequency: F8 = self.made.sum(axis=0)
        self.truth = game.truth[self.claims][:, self.hands].T
        self.in_use: list[int] = sorted(self.claims[self.frequency >= _RARE].tolist())
        """Claims that are made, from low to high."""
        self.accept = self._acceptance(OPENING, 0)

    def write(self, claim: int) -> str:
        return self.rules.format_claim(self.rules.claims[claim])

    def _acceptance(self, accepted: int, family: int) -> dict[int, float]:
        """How often each claim that may follow is accepted."""
        responder = self.policy.solve(accepted, family, Side.RESPONDER)
        accept = dict(zip(responder.claims, responder.accept.tolist(), strict=True))
        useful = self.policy.useful_claims(accepted)
        found = {}
        for claim in sorted(useful):
            must_challenge = self.game.end_values.get(claim, ()) is None
            found[claim] = 0.0 if must_challenge else min(max(accept[useful[claim]], 0.0), 1.0)
        return found

    def heard(self) -> list[int]:
        """Claims that the table of first claims is about, from low to high.

        Of a kind that is made they are those made, else all.
        """
        found: list[int] = []
        for _, claims in self._claim_kinds():
            found += [claim for claim in claims if claim in self.in_use] or claims
        return sorted(found)

    def believed(self) -> list[int]:
        """Claims from the lowest up that are believed, all of them."""
        return list(takewhile(lambda claim: self.accept[claim] >= _BELIEVED, self.heard()))

    def doubted_from(self) -> str | None:
        """The lowest claim from which all are doubted."""
        heard = reversed(self.heard())
        doubted = list(takewhile(lambda claim: self.accept[claim] <= _DOUBTED, heard))
        return self.write(doubted[-1]) if doubted else None

    def first_throws(self) -> Iterator[FirstThrows]:
        """What to claim with the hands of every kind, from low to high."""
        for name, rows in self._hand_kinds():
            share = float(self.distribution[rows].sum())
            made = self.made[rows]
            lowest, highest = self._usual_range(self.claims, made.sum(axis=0))
            yield FirstThrows(
                hands=name,
                share=share,
                p_true=float((made * self.truth[rows]).sum()) / share,
                lowest=lowest,
                highest=highest,
                win_probability=sum(self.distribution[row] * self._chance(row) for row in rows)
                / share,
            )

    def first_claims(self) -> Iterator[FirstClaims]:
        """How first claims of every kind are met, from low to high."""
        column = {claim: k for k, claim in enumerate(self.claims.tolist())}
        for name, claims in self._claim_kinds():
            columns = [column[claim] for claim in claims if claim in column]
            share = float(self.frequency[columns].sum())
            p_true = float((self.made * self.truth)[:, columns].sum())
            in_use = [claim for claim in claims if claim in self.in_use]
            accepted = [self.accept[claim] for claim in in_use or claims]
            yield FirstClaims(
                claims=name,
                share=share,
                p_true=p_true / share if share >= _RARE else None,
                most_accepted=max(accepted),
                least_accepted=min(accepted),
            )

    def _mass(self) -> "F8":
        """Chance of every hand and claim with which the round goes on, [J, M]."""
        goes_on = [claim not in self.game.end_values for claim in self.claims.tolist()]
        accept = np.array([self.accept[claim] for claim in self.claims.tolist()])
        mass: F8 = self.made * (accept * goes_on)
        return mass

    def count_accepted(self) -> int:
        """Count the cases in which the round goes on, as players can tell them apart."""
        cases = self._mass() > 0.0
        return int((cases.any(axis=0) if self.rules.look is Look.NEVER else cases).sum())

    def accepted(self) -> Iterator[AcceptedCase]:
        """The likeliest cases of every kind in which the round goes on."""
        mass = self._mass()
        if self.rules.look is Look.NEVER:
            for _, claims in self._claim_kinds():
                columns = np.flatnonzero(np.isin(self.claims, claims))
                if columns.size and mass[:, columns].sum() >= _RARE:
                    best = int(columns[np.argmax(mass[:, columns].sum(axis=0))])
                    yield self._unseen_case(int(self.claims[best]))
            return
        for _, rows in self._hand_kinds():
            of_kind = mass[rows].sum()
            for part in (self.truth[rows], ~self.truth[rows]):
                masses = mass[rows] * part
                if of_kind >= _RARE and masses.sum() >= _SMALL_PART * of_kind:
                    row, column = divmod(int(np.argmax(masses)), masses.shape[1])
                    yield self._seen_case(int(self.hands[rows[row]]), int(self.claims[column]))

    def _seen_case(self, hand: int, claim: int) -> AcceptedCase:
        number = self.policy.best_number(hand, claim)
        family = int(self.game.hand_family[hand, number])
        mover = self.policy.solve(claim, family, Side.MOVER)
        kept = int(np.argmax(mover.keep_probs))
        value = 0.5 * (self.policy.low[hand, claim] + self.policy.high[hand, claim])
        return self._case(
            mover,
            self._acceptance(claim, family),
            hand=self.rules.format_hand(self.game.hands[hand]),
            claim=self.write(claim),
            is_true=bool(self.game.truth[claim, hand]),
            keep=self.rules.format_hand(self.game.keeps[int(mover.keeps[kept])]) or "nothing",
            keep_probability=float(mover.keep_probs[kept]),
            win_probability=float(value),
        )

    def _unseen_case(self, claim: int) -> AcceptedCase:
        mover = self.policy.solve(claim, 0, Side.MOVER)
        value = 0.5 * (self.policy.low[0, claim] + self.policy.high[0, claim])
        return self._case(
            mover,
            self._acceptance(claim, 0),
            hand="",
            claim=self.write(claim),
            is_true=None,
            keep="nothing",
            keep_probability=1.0,
            win_probability=float(value),
        )

    def _case(
        self,
        mover: StageSolution,
        acceptance: dict[int, float],
        **seen: Any,  # Any: the other fields of a case
    ) -> AcceptedCase:
        distribution = mover.keep_probs @ self.game.redraw[mover.keeps][:, mover.hands]
        made = distribution[:, None] * mover.claim_probs
        truth = self.game.truth[list(mover.claims)][:, mover.hands].T
        frequency = made.sum(axis=0)
        accept = np.array([acceptance[claim] for claim in mover.claims])
        lowest, highest = self._usual_range(np.array(mover.claims), frequency)
        return AcceptedCase(
            lowest=lowest,
            highest=highest,
            p_true=float((made * truth).sum()),
            accept=float(frequency @ accept),
            **seen,
        )

    def _usual_range(self, claims: "I8", frequency: "F8") -> tuple[str, str]:
        """Claims between which most of those lie that are made."""
        by_height = np.argsort(claims)
        total = np.cumsum(frequency[by_height])
        places = np.searchsorted(total, total[-1] * np.array([_TAIL, 1.0 - _TAIL]))
        lowest, highest = claims[by_height[np.minimum(places, total.size - 1)]].tolist()
        return self.write(lowest), self.write(highest)

    def _chance(self, row: int) -> float:
        """Chance of winning with a hand that was thrown first."""
        advice = self.solution.strategy.advise(hand=self.game.hands[self.hands[row]])
        return sum(a.probability * a.win_probability for a in advice)

    def _hand_kinds(self) -> list[tuple[str, list[int]]]:
        """Rows of the hands of each kind, from low to high."""
        rules = self.rules
        hands = [self.game.hands[hand] for hand in self.hands]
        rows = sorted(range(len(hands)), key=lambda row: rules.ranking.key(hands[row]))
        kinds = [rules.ranking.category(hands[row]) for row in rows]
        names = [rules.format_hand(hands[row]) for row in rows]
        return [(name, [rows[k] for k in part]) for name, part in _group(rules, kinds, names)]

    def _claim_kinds(self) -> list[tuple[str, list[int]]]:
        """Claims of each kind, from low to high."""
        claims = list(self.rules.claims)
        names = [self.rules.format_claim(claim) for claim in claims]
        return list(_group(self.rules, [claim.category for claim in claims], names))


def _group(
    rules: CupRules, kinds: Sequence[Category], names: Sequence[str]
) -> Iterator[tuple[str, list[int]]]:
    """Group neighbours by kind where there are kinds enough, else in runs of about one size."""
    places = range(len(kinds))
    if len(set(kinds)) >= _FEWEST_KINDS:
        for kind, part in groupby(places, key=lambda k: kinds[k]):
            yield _name_kind(rules, kind), list(part)
        return
    n_runs = min(_MOST_RUNS, len(places))
    for run in np.array_split(np.array(places), n_runs):
        first, last = names[run[0]], names[run[-1]]
        yield (first if len(run) == 1 else f"{first} to {last}"), run.tolist()


def _name_kind(rules: CupRules, kind: Category) -> str:
    if kind is Category.NOTHING:
        return "nothing"
    bare = ClaimSet(rules.equipment, rules.ranking, ClaimDetail.CATEGORY)
    return spell_claim(Claim(kind), bare)

"""Where a player of a cup game stands who asks for advice."""

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from liarsolve.cli.cup.arguments import name_items
from liarsolve.errors import IllegalActionError, InputError

if TYPE_CHECKING:
    from liarsolve.claims import Claim
    from liarsolve.dice import Hand
    from liarsolve.rules import CupRules


class Question(Enum):
    """What there is to decide."""

    OPENING = "opening"
    """The first throw of the round was made: what to claim."""
    KEEP = "keep"
    """A claim was accepted and the hand is seen: what to keep."""
    CLAIM = "claim"
    """It was thrown again: what to claim."""
    ANSWER = "answer"
    """A claim is offered: accept or challenge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CupSituation:
    """A decision in a round of two players; what does not belong to it is `None`."""

    rules: "CupRules"
    question: Question
    holding: "Hand | None" = None
    claim: "Claim | None" = None
    """The claim that was accepted last, by the player who acts or by the other."""
    passed: "Hand | None" = None
    """The hand with which that claim was accepted."""
    thrown: int | None = None
    offered: "Claim | None" = None
    is_assumed: bool = False
    """Whether the claim accepted was not said, but taken to be the highest that was true."""

    def keywords(self) -> dict[str, Any]:
        """The situation as `CupStrategy.advise` takes it."""
        names = ("holding", "claim", "passed", "thrown", "offered")
        return {name: getattr(self, name) for name in names}

    def write(self, thing: "Claim | Hand") -> str:
        """Write a claim or a hand in its short form."""
        if isinstance(thing, tuple):
            return self.rules.format_hand(thing)
        return self.rules.format_claim(thing)


def read_cup_situation(
    rules: "CupRules",
    *,
    holding: str | None = None,
    claim: str | None = None,
    passed: str | None = None,
    thrown: int | None = None,
    offered: str | None = None,
) -> CupSituation:
    """Read a situation as it is written in a terminal, and see that the rules allow it.

    Raises
    ------
    InputError
        If hands or claims cannot be read, or they make no situation.
    IllegalActionError
        If the rules forbid what is said to have happened.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> read_cup_situation(presets.CLASSIC, holding="QQQ99", claim="KKAA9").question
    <Question.KEEP: 'keep'>
    """
    if (holding is None) == (offered is None):
        said = "both" if holding is not None else "neither"
        raise InputError(
            "say either --hand, the hand you see, or --offered, the claim you must answer; "
            f"got {said}"
        )
    hand = None if holding is None else rules.parse_hand(holding)
    before = None if passed is None else rules.parse_hand(passed)
    accepted = None if claim is None else rules.parse_claim(claim)
    answered = None if offered is None else rules.parse_claim(offered)
    is_later = accepted is not None or (answered is not None and before is not None)
    question = _question(rules, hand, is_later=is_later, has_passed=before is not None)
    _check_throw(rules, question, before, thrown, is_later=is_later)
    is_assumed = is_later and accepted is None
    if is_assumed:
        assert before is not None
        assert answered is not None
        accepted = _assume_claim(rules, before, answered)
    if accepted is not None:
        _check_claims(rules, accepted, answered)
    if hand is not None and before is not None and thrown is not None:
        _check_dice(rules, before, thrown, hand)
    return CupSituation(
        rules=rules,
        question=question,
        holding=hand,
        claim=accepted,
        passed=before,
        thrown=thrown,
        offered=answered,
        is_assumed=is_assumed,
    )


def seat_of(situation: CupSituation) -> int | None:
    """Seat of the player who asks, 1 for the first to throw; None where it may be any."""
    if situation.claim is not None:
        return None
    return 1 if situation.question is Question.OPENING else 2


def _question(
    rules: "CupRules", hand: "Hand | None", *, is_later: bool, has_passed: bool
) -> Question:
    from liarsolve.rules import Look

    if hand is None:
        return Question.ANSWER
    if not is_later:
        return Question.OPENING
    is_seen = rules.look is not Look.NEVER
    return Question.KEEP if is_seen and not has_passed else Question.CLAIM


def _check_throw(
    rules: "CupRules",
    question: Question,
    passed: "Hand | None",
    thrown: int | None,
    *,
    is_later: bool,
) -> None:
    """See that what is said of the throw belongs to the situation."""
    from liarsolve.rules import Look

    flags = [
        f for f, v in (("--passed", passed is not None), ("--thrown", thrown is not None)) if v
    ]
    if flags and rules.look is Look.NEVER:
        raise InputError(
            f"in {rules.name} all {name_items(rules)} are thrown again unseen, so {flags[0]} would "
            "do nothing"
        )
    if flags and question in (Question.OPENING, Question.KEEP):
        need = "--claim, the claim you accepted" if question is Question.OPENING else "--passed"
        what = (
            f"{flags[0]} is about a later throw"
            if question is Question.OPENING
            else "--thrown says that you have thrown again"
        )
        raise InputError(f"{what}, so it needs {need}")
    if flags and not is_later:
        raise InputError(f"{flags[0]} is about a later throw, so it needs --passed or --claim")
    if not is_later or rules.look is Look.NEVER or question is Question.KEEP:
        return
    if passed is None:
        raise InputError(
            "a claim after another one needs --passed, the hand that was accepted and seen, such "
            f"as --passed {rules.format_hand(rules.top_hand)}"
        )
    _check_number(rules, thrown)


def _check_number(rules: "CupRules", thrown: int | None) -> None:
    if not rules.announce_count:
        if thrown is not None:
            raise InputError(f"in {rules.name} nobody says how many are thrown, got {thrown}")
        return
    counts = ", ".join(map(str, rules.reroll_counts))
    if thrown is None:
        raise InputError(f"say how many {name_items(rules)} were --thrown: one of {counts}")
    if thrown not in rules.reroll_counts:
        raise InputError(f"--thrown is the number of {name_items(rules)}, {counts}; got {thrown}")


def _check_claims(rules: "CupRules", accepted: "Claim", offered: "Claim | None") -> None:
    """See that a claim may follow the one accepted."""
    from liarsolve.rules import TopClaim

    claims, write = rules.claims, rules.format_claim
    accepted_id = claims.index(accepted)
    if offered is not None:
        problem = rules.follow_problem(accepted_id, claims.index(offered))
        if problem is not None:
            raise IllegalActionError(
                f"{write(offered)} may not follow {write(accepted)}: {problem}"
            )
    elif accepted_id == rules.top_claim_id and rules.top_claim is not TopClaim.MUST_REPEAT:
        after = (
            "whoever accepts it throws for it, and that ends the round"
            if rules.top_claim is TopClaim.ACCEPT_TRY
            else "it must be challenged"
        )
        raise IllegalActionError(f"{write(accepted)} is the highest claim: {after}")


def _check_dice(rules: "CupRules", before: "Hand", thrown: int, after: "Hand") -> None:
    """See that a hand can come of another one."""
    n_kept = rules.equipment.n_items - thrown
    n_common = (Counter(before) & Counter(after)).total()
    if n_common < n_kept and not rules.dislodge_prob:
        verb = "drawn" if rules.equipment.is_cards else "thrown"
        raise InputError(
            f"{rules.format_hand(after)} cannot come of {rules.format_hand(before)} when {thrown} "
            f"{'is' if thrown == 1 else 'are'} {verb}: {name_items(rules, n_kept)} must be the "
            f"same, and {n_common} {'is' if n_common == 1 else 'are'}"
        )


def _assume_claim(rules: "CupRules", passed: "Hand", offered: "Claim") -> "Claim":
    """The highest claim that was true of the hand passed and may be followed by the one offered."""
    claims = rules.claims
    offered_id = claims.index(offered)
    before = [c for c in range(len(claims)) if rules.may_follow(c, offered_id)]
    if not before:
        raise IllegalActionError(
            f"{rules.format_claim(offered)} may follow no other claim, so it opened the round; "
            "leave out --passed"
        )
    true_before = [c for c in before if claims.is_true(c, passed, rules.truth)]
    return claims[true_before[-1] if true_before else before[0]]

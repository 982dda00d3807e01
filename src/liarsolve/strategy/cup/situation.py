"""What a player of a cup game knows who has to decide."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from liarsolve._checks import check_whole
from liarsolve.claims import Claim
from liarsolve.dice import Hand
from liarsolve.errors import IllegalActionError, InputError, InputTypeError
from liarsolve.rules import CupRules, Look, TopClaim
from liarsolve.strategy.spelling import Spelling, as_keyword

__all__ = ["CupSituation", "Question", "read_claim", "read_cup_situation"]


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
    """A decision in a round of a cup game; what does not belong to it is `None`.

    `read_situation` makes one and sees that the rules allow it.
    """

    rules: CupRules
    question: Question
    hand: Hand | None = None
    """The hand that the player sees, if they do."""
    claim: Claim | None = None
    """The claim that was accepted last, by the player who acts or by another."""
    passed: Hand | None = None
    """The hand with which that claim was accepted."""
    thrown: int | None = None
    """How many of it were thrown again, where that is said."""
    offered: Claim | None = None
    """The claim that must be answered."""
    is_assumed: bool = False
    """Whether the claim accepted was not said, but taken to be the highest that was true."""

    @property
    def seat(self) -> int | None:
        """Seat of the player who asks, 1 for the first to throw; None where it may be any."""
        if self.claim is not None:
            return None
        return 1 if self.question is Question.OPENING else 2

    def write(self, thing: Claim | Hand) -> str:
        """Write a claim or a hand in its short form."""
        if isinstance(thing, tuple):
            return self.rules.format_hand(thing)
        return self.rules.format_claim(thing)


def read_cup_situation(
    rules: CupRules,
    *,
    hand: Iterable[int] | str | None = None,
    claim: Claim | str | None = None,
    passed: Iterable[int] | str | None = None,
    thrown: int | None = None,
    offered: Claim | str | None = None,
    spell: Spelling = as_keyword,
) -> CupSituation:
    """Read what a player knows, and see that the rules allow it.

    Parameters
    ----------
    rules : CupRules
        Rules of the round.
    hand : faces or text, optional
        The hand that the player sees.
    claim : Claim or text, optional
        The claim that was accepted last.
    passed : faces or text, optional
        The hand with which it was accepted.
    thrown : int, optional
        How many of it were thrown again.
    offered : Claim or text, optional
        The claim that must be answered.
    spell : callable
        How messages write the arguments.

    Raises
    ------
    InputError, InputTypeError
        If hands or claims cannot be read, or they make no situation.
    IllegalActionError
        If the rules forbid what is said to have happened.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> read_cup_situation(presets.CLASSIC, hand="QQQ99", claim="KKAA9").question
    <Question.KEEP: 'keep'>
    """
    if (hand is None) == (offered is None):
        said = "both" if hand is not None else "neither"
        raise InputError(
            f"say either {spell('hand')}, the hand you see, or {spell('offered')}, the claim you "
            f"must answer; got {said}"
        )
    seen = None if hand is None else _read_hand(rules, "hand", hand)
    before = None if passed is None else _read_hand(rules, "passed", passed)
    accepted = None if claim is None else rules.claims[read_claim(rules, "claim", claim)]
    answered = None if offered is None else rules.claims[read_claim(rules, "offered", offered)]
    is_later = accepted is not None or (answered is not None and before is not None)
    question = _question(rules, seen, is_later=is_later, has_passed=before is not None)
    if thrown is not None:
        thrown = check_whole("thrown", thrown)
    _check_throw(rules, question, before, thrown, is_later=is_later, spell=spell)
    is_assumed = is_later and accepted is None
    if is_assumed:
        assert before is not None
        assert answered is not None
        accepted = _assume_claim(rules, before, answered, spell)
    if accepted is not None:
        _check_claims(rules, accepted, answered)
    if seen is not None and before is not None:
        _check_dice(rules, before, thrown, seen)
    return CupSituation(
        rules=rules,
        question=question,
        hand=seen,
        claim=accepted,
        passed=before,
        thrown=thrown,
        offered=answered,
        is_assumed=is_assumed,
    )


def situation_from(
    rules: CupRules,
    situation: object,
    *,
    hand: Iterable[int] | str | None = None,
    holding: Iterable[int] | str | None = None,
    **known: Any,
) -> CupSituation:
    """Take the situation that a strategy of these rules is asked about, or read it.

    Raises
    ------
    InputTypeError
        If it is none of a cup game, or there are other arguments beside it.
    InputError
        If it is of other rules; and as `read_cup_situation`.
    """
    said = {"hand": hand, "holding": holding, **known}
    given = [name for name, value in said.items() if value is not None]
    if situation is None:
        if hand is not None and holding is not None:
            raise InputError("hand and holding say the same, so give one of them")
        return read_cup_situation(rules, hand=holding if hand is None else hand, **known)
    if not isinstance(situation, CupSituation):
        raise InputTypeError(
            f"the strategy of a cup game is asked about a CupSituation, got {situation!r}; give "
            "hands and claims by name, such as hand= and claim="
        )
    if given:
        raise InputTypeError(f"a situation says it all, so {given[0]} would do nothing")
    if situation.rules.round_rules != rules.round_rules:
        raise InputError(
            f"the strategy is for {rules.name}, but the situation is of {situation.rules.name}"
        )
    return situation


def _question(rules: CupRules, hand: Hand | None, *, is_later: bool, has_passed: bool) -> Question:
    if hand is None:
        return Question.ANSWER
    if not is_later:
        return Question.OPENING
    is_seen = rules.look is not Look.NEVER
    return Question.KEEP if is_seen and not has_passed else Question.CLAIM


def _check_throw(
    rules: CupRules,
    question: Question,
    passed: Hand | None,
    thrown: int | None,
    *,
    is_later: bool,
    spell: Spelling,
) -> None:
    """See that what is said of the throw belongs to the situation."""
    said = {"passed": passed, "thrown": thrown}
    flags = [spell(name) for name, value in said.items() if value is not None]
    if flags and rules.look is Look.NEVER:
        raise InputError(
            f"in {rules.name} all {rules.equipment.name_items()} are thrown again unseen, so "
            f"{flags[0]} would do nothing"
        )
    if flags and question in (Question.OPENING, Question.KEEP):
        need = spell("passed")
        if question is Question.OPENING:
            need = f"{spell('claim')}, the claim you accepted"
        what = (
            f"{flags[0]} is about a later throw"
            if question is Question.OPENING
            else f"{spell('thrown')} says that you have thrown again"
        )
        raise InputError(f"{what}, so it needs {need}")
    if flags and not is_later:
        raise InputError(
            f"{flags[0]} is about a later throw, so it needs {spell('passed')} or {spell('claim')}"
        )
    if not is_later or rules.look is Look.NEVER or question is Question.KEEP:
        return
    if passed is None:
        raise InputError(
            f"a claim after another one needs {spell('passed')}, the hand that was accepted and "
            f"seen, such as {spell('passed', rules.format_hand(rules.top_hand))}"
        )
    _check_number(rules, thrown, spell)


def _check_number(rules: CupRules, thrown: int | None, spell: Spelling) -> None:
    if not rules.announce_count:
        if thrown is not None:
            raise InputError(f"in {rules.name} nobody says how many are thrown, got {thrown}")
        return
    counts = ", ".join(map(str, rules.reroll_counts))
    items = rules.equipment.name_items()
    if thrown is None:
        if len(rules.reroll_counts) == 1:  # so nobody need say it
            return
        raise InputError(f"say how many {items} were {spell('thrown')}: one of {counts}")
    if thrown not in rules.reroll_counts:
        raise InputError(f"{spell('thrown')} is the number of {items}, {counts}; got {thrown}")


def _check_claims(rules: CupRules, accepted: Claim, offered: Claim | None) -> None:
    """See that a claim may follow the one accepted."""
    claims, write = rules.claims, rules.format_claim
    accepted_id = claims.index(accepted)
    if offered is not None:
        problem = rules.follow_problem(accepted_id, claims.index(offered))
        if problem is not None:
            raise IllegalActionError(
                f"claim refused: {problem}; got {write(offered)} on {write(accepted)}"
            )
    elif accepted_id == rules.top_claim_id and rules.top_claim is not TopClaim.MUST_REPEAT:
        raise IllegalActionError(_top_claim_problem(rules, write(accepted)))


def _top_claim_problem(rules: CupRules, said: str) -> str:
    """Say why nobody who accepted the highest claim plays on."""
    option = f"with top_claim={rules.top_claim.value}"
    match rules.top_claim:
        case TopClaim.MUST_CHALLENGE:
            return f"accept refused: BX.8 the highest claim, {said}, has to be challenged"
        case TopClaim.CONCEDE_1_OR_LOOK_2:
            return f"accept refused: {option} the highest claim, {said}, is conceded or challenged"
        case _:
            return (
                f"{option} whoever accepts the highest claim, {said}, throws for it, and that ends "
                "the round"
            )


def _check_dice(rules: CupRules, before: Hand, thrown: int | None, after: Hand) -> None:
    """See that a hand can come of another one."""
    if thrown is None:
        if rules.look is Look.NEVER:
            return
        thrown = max(rules.reroll_counts)
    n_kept = rules.equipment.n_items - thrown
    n_common = (Counter(before) & Counter(after)).total()
    if n_common < n_kept and not rules.dislodge_prob:
        verb = "drawn" if rules.equipment.is_cards else "thrown"
        raise InputError(
            f"{rules.format_hand(after)} cannot come of {rules.format_hand(before)} when {thrown} "
            f"{'is' if thrown == 1 else 'are'} {verb}: {rules.equipment.name_items(n_kept)} must "
            f"be the same, and {n_common} {'is' if n_common == 1 else 'are'}"
        )


def _assume_claim(rules: CupRules, passed: Hand, offered: Claim, spell: Spelling) -> Claim:
    """The highest claim that was true of the hand passed and may be followed by the one offered."""
    claims = rules.claims
    offered_id = claims.index(offered)
    before = [c for c in range(len(claims)) if rules.may_follow(c, offered_id)]
    if not before:
        raise IllegalActionError(
            f"{rules.format_claim(offered)} may follow no other claim, so it opened the round; "
            f"leave out {spell('passed')}"
        )
    true_before = [c for c in before if claims.is_true(c, passed, rules.truth)]
    return claims[true_before[-1] if true_before else before[0]]


def _read_hand(rules: CupRules, name: str, hand: object) -> Hand:
    """Read an argument that is a hand.

    Raises
    ------
    InputTypeError
        If it is neither text nor faces.
    InputError
        If it is no hand of the rules.

    >>> from liarsolve.rules.presets import MIA
    >>> _read_hand(MIA, "hand", 43)
    Traceback (most recent call last):
    liarsolve.errors.InputTypeError: hand is a hand as text or faces, such as '21', got 43
    """
    if not isinstance(hand, str | Iterable):
        example = rules.format_hand(rules.top_hand)
        raise InputTypeError(
            f"{name} is a hand as text or faces, such as '{example}', got {hand!r}"
        )
    return rules.parse_hand(hand)


def read_claim(rules: CupRules, name: str, claim: object) -> int:
    """Read an argument that is a claim: its number in ``rules.claims``.

    Raises
    ------
    InputTypeError
        If it is neither text nor a `Claim`.
    InputError
        If it is no claim of the rules.

    >>> from liarsolve.rules.presets import MIA
    >>> read_claim(MIA, "offered", 43)
    Traceback (most recent call last):
    liarsolve.errors.InputTypeError: offered is a claim as text, such as '21', or a Claim, got 43
    """
    if not isinstance(claim, str | Claim):
        example = rules.format_claim(rules.claims[rules.top_claim_id])
        raise InputTypeError(
            f"{name} is a claim as text, such as '{example}', or a Claim, got {claim!r}"
        )
    return rules.claims.index(rules.parse_claim(claim) if isinstance(claim, str) else claim)

"""Hands and claims as people write and say them.

Short forms name the dice: ``QQQ99`` is a hand or a full house, ``JJ+Q`` a pair of jacks with a
queen. Where a claim leaves open what else makes its category, ``x`` stands for it: ``QQQxx`` is a
full house of queens, ``QQxx`` two pairs, the higher of queens. Poker dice and cards have the faces
9TJQKA, where T may be written 10; plain dice have their numbers.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

from liarsolve.claims._phrases import iter_phrases, name_face, normalize_phrase
from liarsolve.claims.ranking import Category, Ranking, count_ranking_dice
from liarsolve.claims.vocabulary import Claim, ClaimDetail, ClaimSet, NothingClaims
from liarsolve.dice import Hand
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import InputError, InputTypeError

__all__ = [
    "format_claim",
    "format_hand",
    "parse_any_claim",
    "parse_claim",
    "parse_hand",
    "parse_kept",
    "spell_claim",
]


def format_hand(hand: Iterable[int], ranking: Ranking) -> str:
    """Write a hand, or some dice of it: the most repeated first, then the highest.

    >>> from liarsolve.claims import GENERALA_POKER, POKER
    >>> format_hand((1, 1, 4, 4, 4), POKER), format_hand((2, 2, 3, 3, 3), GENERALA_POKER)
    ('QQQ99', '33322')
    """
    return _join(ranking, ranking.say(tuple(hand)))


def parse_hand(text: str | Iterable[int], claims: ClaimSet) -> Hand:
    """Read a whole hand, in any order, from ``"QQQ99"``, ``"10 10 9 9 J"`` or its faces.

    Raises
    ------
    InputError
        If it has too few or too many dice, or a face that they do not have.
    InputTypeError
        If a face is neither text nor a whole number.

    Examples
    --------
    >>> from liarsolve.claims import POKER
    >>> claims = ClaimSet(Equipment.dice(5, 6), POKER)
    >>> parse_hand("9Q9QQ", claims), parse_hand((1, 4, 1, 4, 4), claims)
    ((1, 1, 4, 4, 4), (1, 1, 4, 4, 4))
    """
    hand = parse_kept(text, claims)
    if len(hand) != claims.equipment.n_items:
        raise InputError(f"a hand has {_name_items(claims)}, got {len(hand)} in {text!r}")
    return hand


def check_claims(claims: object) -> None:
    """Make sure of the claims that a hand is read for.

    Raises
    ------
    InputTypeError
        If they are something else.
    """
    if not isinstance(claims, ClaimSet):
        raise InputTypeError(f"claims are those of a game, as presets.BOX.claims, got {claims!r}")


def parse_kept(text: str | Iterable[int], claims: ClaimSet) -> Hand:
    """Read some dice or cards of a hand, perhaps none.

    Raises
    ------
    InputError, InputTypeError
        As `parse_hand`.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> parse_kept("QQ", presets.CLASSIC.claims), parse_kept("", presets.CLASSIC.claims)
    ((4, 4), ())
    """
    check_claims(claims)
    if not isinstance(text, Iterable):
        raise InputTypeError(f"dice are text such as QQ9, or a list of faces, got {text!r}")
    faces = tuple(sorted(_read_faces(text, claims)))
    equipment = claims.equipment
    if len(faces) > equipment.n_items:
        raise InputError(f"a hand has {_name_items(claims)}, got {len(faces)} in {text!r}")
    for face in faces:
        if faces.count(face) > equipment.most_alike:
            name = name_face(claims.ranking, face, count=2)
            raise InputError(
                f"the pack has {equipment.n_suits} {name}, got {faces.count(face)} in {text!r}"
            )
    return faces


def format_claim(claim: Claim, claims: ClaimSet) -> str:
    """Write a claim in its short form.

    >>> from liarsolve.claims import POKER
    >>> claims = ClaimSet(Equipment.dice(5, 6), POKER, ClaimDetail.PREFIX)
    >>> format_claim(Claim(Category.PAIR, (3, 3, 4)), claims)
    'JJ+Q'
    """
    if not claim.faces:
        return _usual_phrase(claim, claims)
    if claims.detail is ClaimDetail.FULL:
        return _join(claims.ranking, claim.faces)
    n = _n_ranking(claim)
    start = _join(claims.ranking, claim.faces[:n]) + "x" * _n_open(claim, claims)
    return f"{start}+{_join(claims.ranking, claim.faces[n:])}" if claim.faces[n:] else start


def spell_claim(claim: Claim, claims: ClaimSet) -> str:
    """Say a claim in words.

    >>> from liarsolve.claims import GENERALA_POKER, POKER
    >>> claims = ClaimSet(Equipment.dice(5, 6), POKER, ClaimDetail.PREFIX)
    >>> spell_claim(Claim(Category.PAIR, (3, 3, 4)), claims)
    'pair of jacks with a queen'
    >>> spell_claim(Claim(Category.FULL, (4, 4, 4, 1, 1)), claims)
    'full house, queens on nines'
    >>> plain = ClaimSet(Equipment.dice(5, 6), GENERALA_POKER)
    >>> spell_claim(Claim(Category.FULL, (4, 4, 4, 2, 2)), plain)
    'three fours and two twos'
    """
    return _usual_phrase(claim, claims)


def parse_claim(text: str, claims: ClaimSet) -> Claim:
    """Read a claim, in short form or in words.

    Raises
    ------
    InputError
        If it is none of the claims.

    Examples
    --------
    >>> from liarsolve.claims import POKER
    >>> claims = ClaimSet(Equipment.dice(5, 6), POKER, ClaimDetail.PREFIX)
    >>> parse_claim("JJ+Q", claims) == parse_claim("a pair of jacks with a queen", claims)
    True
    """
    claim = _find_claim(text, claims)
    if claim is None:
        raise InputError(_explain(text, claims))
    return claim


def parse_any_claim(text: str, claims: ClaimSet) -> tuple[ClaimSet, Claim]:
    """Read a claim that may name more or fewer faces than ``claims`` do: "two pairs", "QQxx".

    Returns
    -------
    ClaimSet, Claim
        The claim, and the claims among which it was found: ``claims`` themselves if possible.

    Raises
    ------
    InputError
        If the ranking has no such claim.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> claims, claim = parse_any_claim("two pairs", presets.CLASSIC.claims)
    >>> claims is presets.CLASSIC.claims, claim.category.value
    (False, 'two_pairs')
    """
    claim = _find_claim(text, claims)
    if claim is not None:
        return claims, claim
    found = _find_elsewhere(text, claims)
    if found is None:
        raise InputError(_explain(text, claims))
    return found


def _find_elsewhere(text: str, claims: ClaimSet) -> tuple[ClaimSet, Claim] | None:
    """Look for a claim among those of other claim details."""
    details = () if claims.ranking.has_boxes else tuple(ClaimDetail)
    for nothing in (NothingClaims.NAMED, NothingClaims.PREFIX):
        for detail in details:
            found = _shared_set(claims.equipment, claims.ranking, detail, nothing)
            claim = _find_claim(text, found)
            if claim is not None:
                return found, claim
    return None


@lru_cache(maxsize=64)
def _shared_set(
    equipment: Equipment, ranking: Ranking, detail: ClaimDetail, nothing: NothingClaims
) -> ClaimSet:
    return ClaimSet(equipment, ranking, detail, nothing)


def _find_claim(text: str, claims: ClaimSet) -> Claim | None:
    if not isinstance(text, str):
        raise InputTypeError(f"a claim is a text such as 'full house' or 'QQQ99', got {text!r}")
    try:
        faces = _read_faces(text.lower().replace("x", ""), claims)
    except InputError:
        faces = ()
    if faces:
        n_open = text.lower().count("x")
        claim = _claims_by_short_form(claims).get((tuple(sorted(faces)), n_open))
        if claim is not None:
            return claim
    said = _claims_by_phrase(claims).get(normalize_phrase(text))
    faces = _read_face_words(text, claims)
    listed = _claims_by_short_form(claims).get((tuple(sorted(faces)), 0)) if faces else None
    is_usual = said is not None and text.strip().lower() == _usual_phrase(said, claims)
    if said is not None and listed is not None and said != listed and not is_usual:
        both = " or ".join(format_claim(claim, claims) for claim in (listed, said))
        raise InputError(f"{text!r} could be {both}; write one of these")
    return listed if said is None else said


def _read_face_words(text: str, claims: ClaimSet) -> tuple[int, ...]:
    """Read faces said one by one, as in six one or queen ten; none if a word is another one."""
    named = {
        name_face(claims.ranking, face): face for face in range(1, claims.equipment.n_faces + 1)
    }
    words = re.sub(r"[,+-]", " ", text.lower()).split()
    faces = tuple(named.get(word, 0) for word in words if word not in ("a", "an", "and"))
    return faces if all(faces) else ()


@lru_cache(maxsize=64)
def _claims_by_short_form(claims: ClaimSet) -> dict[tuple[Hand, int], Claim]:
    found = {}
    for claim in claims:
        if claim.faces:
            found[tuple(sorted(claim.faces)), _n_open(claim, claims)] = claim
    return found


@lru_cache(maxsize=64)
def _claims_by_phrase(claims: ClaimSet) -> dict[str, Claim]:
    """Claims by what they are called; the usual names take precedence over other ones."""
    found: dict[str, Claim] = {}
    for claim in claims:
        found.setdefault(normalize_phrase(_usual_phrase(claim, claims)), claim)
    for claim in claims:
        for phrase in _phrases(claim, claims):
            found.setdefault(normalize_phrase(phrase), claim)
    return found


def _phrases(claim: Claim, claims: ClaimSet) -> Iterable[str]:
    runner = _runners(claims).get(claim, "")
    n_ranking = count_ranking_dice(claim.category, len(claim.faces))
    return iter_phrases(claim, claims.ranking, n_ranking, runner)


def _usual_phrase(claim: Claim, claims: ClaimSet) -> str:
    claims.index(claim)  # refuse what cannot be said here
    return next(iter(_phrases(claim, claims)))


@lru_cache(maxsize=64)
def _runners(claims: ClaimSet) -> dict[Claim, str]:
    """Name the claims of hands that make nothing.

    Whole hands go by their faces from the top down to the first gap, as long as that tells them
    apart (clause BX.10: ace high, ace king high); otherwise all faces are listed.
    """
    bare = [claim for claim in claims if claim.category is Category.NOTHING and claim.faces]
    tops = {claim: _top_run(claim, claims.ranking) for claim in bare}
    if claims.nothing is NothingClaims.PREFIX or len(set(tops.values())) < len(tops):
        tops = {claim: claim.faces for claim in bare}
    return {
        claim: " ".join(name_face(claims.ranking, face) for face in faces) + " high"
        for claim, faces in tops.items()
    }


def _top_run(claim: Claim, ranking: Ranking) -> tuple[int, ...]:
    pips = [ranking.pip(face) for face in claim.faces]
    n = 1
    while n < len(pips) and pips[n] == pips[n - 1] - 1:
        n += 1
    return claim.faces[:n]


def _n_ranking(claim: Claim) -> int:
    """Count the faces of a claim that are said before the odd ones."""
    n_faces = len(claim.faces)
    if claim.category in (Category.NOTHING, Category.SINGLES):
        return n_faces
    return count_ranking_dice(claim.category, n_faces)


def _n_open(claim: Claim, claims: ClaimSet) -> int:
    """Count the dice that make the category of a claim but are not named."""
    if not claim.faces or claim.category is Category.NUMBER:
        return 0
    return max(count_ranking_dice(claim.category, claims.equipment.n_items) - len(claim.faces), 0)


def _join(ranking: Ranking, faces: Iterable[int]) -> str:
    names = [ranking.face_names[face - 1 : face] or str(face) for face in faces]
    return ("," if any(len(name) > 1 for name in names) else "").join(names)


def _read_faces(text: str | Iterable[int], claims: ClaimSet) -> tuple[int, ...]:
    """Read faces in any order; signs between them do not matter."""
    if isinstance(text, str) and re.search(r"^\s*,|,\s*,|,\s*$", text):
        raise InputError(f"there is a face between any two commas, got {text!r}")
    n_faces, letters = (
        claims.equipment.n_faces,
        claims.ranking.face_names[: claims.equipment.n_faces],
    )
    if not isinstance(text, str):
        faces = []
        for face in text:
            if isinstance(face, bool) or not hasattr(face, "__index__"):
                raise InputTypeError(f"a face is a whole number, got {face!r}")
            faces.append(face.__index__())
        known = range(1, n_faces + 1)
    elif letters:
        signs = text.upper().replace("10", "T")
        faces = [letters.find(sign) + 1 for sign in signs if sign not in " ,+-"]
        known = range(1, len(letters) + 1)
    else:
        faces = _read_numbers(text, n_faces)
        known = range(1, n_faces + 1)
    if any(face not in known for face in faces):
        alphabet = letters if letters else f"1 to {n_faces}"
        raise InputError(f"the faces are {alphabet}, got {text!r}")
    return tuple(faces)


def _read_numbers(text: str, n_faces: int) -> list[int]:
    for sign in ",+-":
        text = text.replace(sign, " ")
    words = text.split() if n_faces > 9 else list(text.replace(" ", ""))
    return [int(word) if word.isdecimal() else 0 for word in words]


def _name_kind(claims: ClaimSet) -> str:
    return "cards" if claims.equipment.is_cards else "dice"


def _name_items(claims: ClaimSet) -> str:
    n_items = claims.equipment.n_items
    one = "card" if claims.equipment.is_cards else "die"
    return f"1 {one}" if n_items == 1 else f"{n_items} {_name_kind(claims)}"


def _explain(text: str, claims: ClaimSet) -> str:
    """Say why a text is not one of the claims, in one sentence."""
    shown = f"{text!r} is not one of the {len(claims)} claims"
    elsewhere = _find_elsewhere(text, claims)
    if elsewhere is not None:
        found, claim = elsewhere
        if claim.category is Category.NOTHING and claims.nothing is NothingClaims.FORBIDDEN:
            return f"{shown}; a hand that makes nothing cannot be claimed here"
        fuller = next((c for c in claims if c.faces[: len(claim.faces)] == claim.faces), None)
        if claims.detail is ClaimDetail.FULL and claim.faces and fuller is not None:
            example = spell_claim(fuller, claims)
            return f"{shown}; name the other {_name_kind(claims)} too, such as {example!r}"
        return (
            f"{shown}; they have the claim detail {claims.detail.value}, not {found.detail.value}"
        )
    is_short = any(sign.isdigit() for sign in text) or (text.isupper() and " " not in text.strip())
    if is_short and not _is_faces(text, claims):
        known = claims.ranking.face_names or f"1 to {claims.equipment.n_faces}"
        return f"{shown}; the faces are {known}"
    phrases = _claims_by_phrase(claims)
    close = get_close_matches(normalize_phrase(text), phrases, n=1, cutoff=0.75)
    if close and not is_short:
        return f"{shown}; did you mean {spell_claim(phrases[close[0]], claims)!r}?"
    low, high = (spell_claim(claims[claim_id], claims) for claim_id in (0, len(claims) - 1))
    return f"{shown}, which run from {low!r} to {high!r}"


def _is_faces(text: str, claims: ClaimSet) -> bool:
    try:
        return bool(_read_faces(text.lower().replace("x", ""), claims))
    except InputError:
        return False

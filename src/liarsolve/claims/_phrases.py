"""The phrases by which a claim is said, the usual one first."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from liarsolve.claims.ranking import POKER_FACES, Category, Ranking
from liarsolve.claims.vocabulary import Claim
from liarsolve.dice.words import count_word, face_word

__all__ = ["iter_phrases", "name_category", "name_face", "normalize_phrase"]

_POKER_WORDS = dict(zip(POKER_FACES, ("nine", "ten", "jack", "queen", "king", "ace"), strict=True))

_BARE_CATEGORIES = {
    Category.NOTHING: ("nothing", "no pair", "pryle"),
    Category.SINGLES: ("all different",),
    Category.PAIR: ("a pair", "one pair"),
    Category.TWO_PAIRS: ("two pairs",),
    Category.THREE: ("three of a kind", "triple"),
    Category.STRAIGHT: ("straight", "run"),
    Category.LOW_RUN: ("low straight", "low run", "low flush", "small straight"),
    Category.HIGH_RUN: (
        *("high straight", "high run", "high flush", "large straight"),
        *("royal", "royal flush"),
    ),
    Category.WRAP_RUN: ("wrapped straight", "wrapped run"),
    Category.FULL: ("full house", "full"),
    Category.FOUR: ("four of a kind", "poker"),
    Category.FIVE: ("five of a kind", "generala"),
    Category.LITTLE_MIA: ("little mia",),
    Category.MIA: ("mia", "meier", "meyer"),
}

_FILLERS = frozenset(("a", "an", "the", "of", "and", "to", "my"))
"""Words that may be left out.

"With" may not, as three threes with a two and a one are no full house, nor may "on": queens on
nines are one, queens and nines are two pairs.
"""

_SYNONYMS = {"plus": "with", "over": "on"}

_NUMBER_WORDS = {str(n): count_word(n) for n in range(1, 13)}


def name_category(category: Category) -> str:
    """Name a kind of hand as claims do, without an article.

    >>> name_category(Category.HIGH_RUN), name_category(Category.PAIR)
    ('high straight', 'pair')
    """
    usual = _BARE_CATEGORIES.get(category, (category.value.replace("_", " "),))[0]
    return usual.removeprefix("a ")


def name_face(ranking: Ranking, face: int, *, count: int = 1) -> str:
    """Name a face as it is said of ``count`` dice: a queen, two queens."""
    letter = ranking.face_names[face - 1 : face]
    if letter in _POKER_WORDS:
        return _POKER_WORDS[letter] + ("s" if count != 1 else "")
    return face_word(face, count=count)


def normalize_phrase(text: str) -> str:
    """Bring a phrase to the form in which phrases are compared.

    >>> normalize_phrase("Full house, Queens on 9s"), normalize_phrase("full of queens on nines")
    ('full house queen on nine', 'full queen on nine')
    """
    for sign in ",.:;-+'":
        text = text.replace(sign, " ")
    return " ".join(_singular(word) for word in text.lower().split() if word not in _FILLERS)


def _singular(word: str) -> str:
    if word == "sixes":
        return "six"
    stem = word[:-1] if word.endswith("s") and word[:-1] else word
    return _SYNONYMS.get(word, _NUMBER_WORDS.get(stem, stem))


def iter_phrases(claim: Claim, ranking: Ranking, n_ranking: int, runner: str) -> Iterator[str]:
    """List the phrases that say a claim.

    Parameters
    ----------
    claim, ranking
        The claim and the ranking it belongs to.
    n_ranking
        How many of its faces make the category; the others are odd dice.
    runner
        What a hand that makes nothing is called, such as "ace king high".
    """
    if not claim.faces or claim.category in (Category.MIA, Category.LITTLE_MIA):
        yield from _BARE_CATEGORIES[claim.category]
        return
    if claim.category is Category.NOTHING:
        yield from (runner, f"nothing, {runner}")
        return
    ranking_dice, odd = claim.faces[:n_ranking], claim.faces[n_ranking:]
    for order in permutations(odd):
        for phrase in _iter_ranking_phrases(claim.category, ranking, ranking_dice):
            yield phrase + (f" with {_list_faces(ranking, order)}" if order else "")


def _iter_ranking_phrases(
    category: Category, ranking: Ranking, faces: Sequence[int]
) -> Iterator[str]:
    """Say the ranking dice, the usual phrase first."""
    first, second = faces[0], faces[-1]
    one, many = name_face(ranking, first), name_face(ranking, first, count=2)
    match category:
        case Category.PAIR:
            yield from (f"pair of {many}", f"two {many}", f"double {many}")
        case Category.TWO_PAIRS if first == second:
            yield from (f"two pairs, {many}", f"two pairs, {one} high")
        case Category.TWO_PAIRS:
            seconds = name_face(ranking, second, count=2)
            yield from (f"two pairs, {many} and {seconds}", f"two {many} and two {seconds}")
            yield from (f"{many} and {seconds}", f"pair of {many} and pair of {seconds}")
            yield f"two pairs, {many} on {seconds}"
        case Category.THREE | Category.FOUR | Category.FIVE:
            yield f"{count_word(len(faces))} {many}"
            yield f"{count_word(len(faces))} of a kind, {many}"
        case Category.FULL if first == second:
            yield from (f"full house, {many}", f"{many} full")
        case Category.FULL:
            yield from _iter_full_houses(ranking, first, second)
        case Category.NUMBER:
            yield f"{count_word(len(faces))} {name_face(ranking, first, count=len(faces))}"
        case Category.SINGLES:
            yield _list_faces(ranking, faces)
        case _:  # the straights name all their dice
            yield from _BARE_CATEGORIES[category]
            yield f"{one} high straight"


def _iter_full_houses(ranking: Ranking, three: int, two: int) -> Iterator[str]:
    threes, twos = name_face(ranking, three, count=2), name_face(ranking, two, count=2)
    counted = f"three {threes} and two {twos}"
    named = f"full house, {threes} on {twos}"
    yield from (named, counted) if ranking.face_names else (counted, named)
    yield from (f"{threes} full of {twos}", f"{threes} full on {twos}", f"{threes} on {twos}")
    yield f"full house, {counted}"


def _list_faces(ranking: Ranking, faces: Sequence[int]) -> str:
    """Name single dice: a queen, a ten and a nine."""
    words = []
    for face in faces:
        name = name_face(ranking, face)
        words.append(f"an {name}" if name.startswith(("a", "8", "11", "18")) else f"a {name}")
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)

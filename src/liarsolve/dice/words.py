"""Counts and faces in the words that players use."""

__all__ = ["COUNT_OF_WORD", "FACE_OF_WORD", "count_word", "face_word", "spell_bid"]

_COUNTS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
_FACES = ("one", "two", "three", "four", "five", "six")

COUNT_OF_WORD = {word: count for count, word in enumerate(_COUNTS) if count > 0} | {"a": 1, "an": 1}
"""Numbers of dice by the words for them."""

FACE_OF_WORD = (
    {word: (face, False) for face, word in enumerate(_COUNTS) if face > 0}
    | {f"{word}es" if word.endswith("x") else f"{word}s": (face, True)
       for face, word in enumerate(_COUNTS) if face > 0}
    | {"ace": (1, False), "aces": (1, True)}
)  # fmt: skip
"""Faces by the words for them, and whether the word speaks of several dice."""


def count_word(count: int) -> str:
    """Write a number of dice, as a word up to twelve.

    >>> count_word(9), count_word(25)
    ('nine', '25')
    """
    return _COUNTS[count] if 0 <= count < len(_COUNTS) else str(count)


def face_word(face: int, *, count: int = 2) -> str:
    """Name a face as it is said of ``count`` dice: a six, two sixes.

    >>> face_word(6), face_word(6, count=1), face_word(8)
    ('sixes', 'six', '8s')
    """
    is_named = 1 <= face <= len(_FACES)
    name = _FACES[face - 1] if is_named else str(face)
    if count == 1:
        return name
    return name + ("es" if name.endswith("x") else "s")


def spell_bid(quantity: int, face: int) -> str:
    """Say a bid in words.

    >>> spell_bid(9, 6), spell_bid(1, 3)
    ('nine sixes', 'one three')
    """
    return f"{count_word(quantity)} {face_word(face, count=quantity)}"

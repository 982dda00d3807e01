"""Counts and faces in the words that players use."""

__all__ = ["count_word", "face_word", "spell_bid"]

_COUNTS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
_FACES = ("one", "two", "three", "four", "five", "six")


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

import pytest

from liarsolve.claims import (
    CLASSIC,
    FACES,
    GENERALA_ACE_RUNS,
    GENERALA_BOXES,
    GENERALA_POKER,
    GENERALA_WRAP_RUN,
    MIA,
    MULTIPLICITY,
    POKER,
    Category,
    Claim,
    ClaimDetail,
    ClaimSet,
    NothingClaims,
    format_claim,
    format_hand,
    parse_any_claim,
    parse_claim,
    parse_hand,
    parse_kept,
    spell_claim,
)
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import InputError, InputTypeError
from liarsolve.rules import presets

DICE, CARDS = Equipment.dice(5, 6), Equipment.cards()
BOX = ClaimSet(DICE, POKER, ClaimDetail.PREFIX)
CLASSIC_CLAIMS = ClaimSet(DICE, CLASSIC, ClaimDetail.FULL, NothingClaims.FORBIDDEN)
LIAR_CARDS = ClaimSet(CARDS, POKER, ClaimDetail.PREFIX)
DOUBTFUL = ClaimSet(DICE, GENERALA_POKER, ClaimDetail.LEAD, NothingClaims.FORBIDDEN)
DOUBTFUL_FULL = ClaimSet(DICE, GENERALA_POKER, ClaimDetail.FULL, NothingClaims.FORBIDDEN)
BOXES = ClaimSet(DICE, GENERALA_BOXES, ClaimDetail.CATEGORY)
MIA_CLAIMS = ClaimSet(Equipment.dice(2, 6), MIA)
LIAR_DIE = ClaimSet(Equipment.dice(1, 6), FACES)
SETS = [
    *(CLASSIC_CLAIMS, LIAR_CARDS, BOXES, MIA_CLAIMS, LIAR_DIE),
    *(ClaimSet(Equipment.dice(1, n), FACES) for n in (2, 9, 10, 20)),
    *(
        ClaimSet(DICE, ranking, detail, nothing)
        for ranking in (POKER, GENERALA_POKER)
        for detail in ClaimDetail
        for nothing in NothingClaims
    ),
    *(ClaimSet(DICE, GENERALA_WRAP_RUN, detail) for detail in ClaimDetail),
    *(ClaimSet(DICE, GENERALA_ACE_RUNS, detail) for detail in ClaimDetail),
    *(ClaimSet(Equipment.dice(3, 3), MULTIPLICITY, detail) for detail in ClaimDetail),
    *(ClaimSet(Equipment.dice(5, 7), MULTIPLICITY, detail) for detail in ClaimDetail),
]


def name_set(claims):
    return "-".join(
        (claims.ranking.name, claims.detail.value, claims.nothing.value, str(len(claims)))
    )


@pytest.mark.parametrize("claims", SETS, ids=name_set)
def test_writing_and_reading_are_inverses(claims):
    for claim in claims:
        assert parse_claim(format_claim(claim, claims), claims) == claim
        assert parse_claim(spell_claim(claim, claims), claims) == claim
    assert len({format_claim(claim, claims) for claim in claims}) == len(claims)
    assert len({spell_claim(claim, claims) for claim in claims}) == len(claims)


@pytest.mark.parametrize("claims", [BOX, LIAR_CARDS, DOUBTFUL, MIA_CLAIMS, LIAR_DIE], ids=name_set)
def test_hands_and_their_texts_are_inverses(claims):
    for hand in claims.equipment.hands:
        assert parse_hand(format_hand(hand, claims.ranking), claims) == hand
    for kept in claims.equipment.kept_hands:
        assert parse_kept(format_hand(kept, claims.ranking), claims) == kept


@pytest.mark.parametrize(
    ("claims", "claim", "short", "words"),
    [
        (BOX, (Category.PAIR, 3, 3, 4), "JJ+Q", "pair of jacks with a queen"),
        (
            BOX,
            (Category.PAIR, 6, 6, 5, 4, 1),
            "AA+KQ9",
            "pair of aces with a king, a queen and a nine",
        ),
        (BOX, (Category.FULL, 4, 4, 4, 1, 1), "QQQ99", "full house, queens on nines"),
        (BOX, (Category.TWO_PAIRS, 4, 4, 1, 1), "QQ99", "two pairs, queens and nines"),
        (BOX, (Category.HIGH_RUN, 6, 5, 4, 3, 2), "AKQJT", "high straight"),
        (BOX, (Category.NOTHING, 6, 4, 3, 2, 1), "AQJT9", "ace high"),
        (BOX, (Category.NOTHING, 6, 5, 3, 2, 1), "AKJT9", "ace king high"),
        (BOX, (Category.FOUR, 3, 3, 3, 3, 6), "JJJJ+A", "four jacks with an ace"),
        (BOX, (Category.FIVE, 6, 6, 6, 6, 6), "AAAAA", "five aces"),
        (
            CLASSIC_CLAIMS,
            (Category.PAIR, 1, 1, 4, 3, 2),
            "99QJT",
            "pair of nines with a queen, a jack and a ten",
        ),
        (DOUBTFUL, (Category.FULL, 4, 4, 4), "444xx", "full house, fours"),
        (DOUBTFUL, (Category.TWO_PAIRS, 6, 6), "66xx", "two pairs, sixes"),
        (DOUBTFUL_FULL, (Category.FULL, 4, 4, 4, 2, 2), "44422", "three fours and two twos"),
        (BOXES, (Category.NUMBER, 3, 3), "33", "two threes"),
        (BOXES, (Category.NUMBER, 6), "6", "one six"),
        (BOXES, (Category.FULL,), "full house", "full house"),
        (MIA_CLAIMS, (Category.MIA, 2, 1), "21", "mia"),
        (MIA_CLAIMS, (Category.SINGLES, 5, 4), "54", "a five with a four"),
        (MIA_CLAIMS, (Category.PAIR, 6, 6), "66", "pair of sixes"),
        (LIAR_DIE, (Category.SINGLES, 6), "6", "a six"),
        (ClaimSet(Equipment.dice(1, 10), FACES), (Category.SINGLES, 10), "10", "a 10"),
    ],
)
def test_claims_read_as_people_say_them(claims, claim, short, words):
    category, *faces = claim
    claim = Claim(category, tuple(faces))
    assert format_claim(claim, claims) == short
    assert spell_claim(claim, claims) == words


@pytest.mark.parametrize(
    ("claims", "text", "short"),
    [
        (BOX, "jj + q", "JJ+Q"),
        (BOX, "QJJ", "JJ+Q"),
        (BOX, "10 10 + Q", "TT+Q"),
        (BOX, "A pair of Jacks with a ten and a queen", "JJ+QT"),
        (BOX, "two jacks plus a queen", "JJ+Q"),
        (BOX, "queens full of nines", "QQQ99"),
        (BOX, "full house: 3 queens and 2 nines", "QQQ99"),
        (BOX, "queens over 9s", "QQQ99"),
        (BOX, "queens and 9s", "QQ99"),
        (BOX, "two pairs, queens over nines", "QQ99"),
        (BOX, "royal flush", "AKQJT"),
        (BOX, "ace high straight", "AKQJT"),
        (BOX, "low run", "KQJT9"),
        (BOX, "five of a kind, aces", "AAAAA"),
        (BOX, "nothing, ace king high", "AKJT9"),
        (DOUBTFUL, "fours full", "444xx"),
        (DOUBTFUL_FULL, "full house, fours on twos", "44422"),
        (DOUBTFUL_FULL, "3 fours and 2 twos", "44422"),
        (MIA_CLAIMS, "12", "21"),
        (MIA_CLAIMS, "Meier", "21"),
        (MIA_CLAIMS, "double sixes", "66"),
        (LIAR_DIE, "six", "6"),
    ],
)
def test_other_ways_to_say_a_claim(claims, text, short):
    assert format_claim(parse_claim(text, claims), claims) == short


def test_two_numbers_and_a_full_house_are_told_apart():
    threes = ClaimSet(DICE, GENERALA_POKER, ClaimDetail.PREFIX)
    assert parse_claim("three threes with a two and a one", threes).category is Category.THREE
    assert parse_claim("three threes and two ones", threes).category is Category.FULL


@pytest.mark.parametrize(
    ("text", "detail", "claim"),
    [
        ("two pairs", ClaimDetail.CATEGORY, Claim(Category.TWO_PAIRS)),
        ("QQxx", ClaimDetail.LEAD, Claim(Category.TWO_PAIRS, (4, 4))),
        ("JJ+9", ClaimDetail.SUBSET, Claim(Category.PAIR, (3, 3, 1))),
        ("JJ+Q", ClaimDetail.PREFIX, Claim(Category.PAIR, (3, 3, 4))),
    ],
)
def test_claims_of_another_detail_are_found(text, detail, claim):
    found, read = parse_any_claim(text, BOX)
    assert (found.detail, read) == (detail, claim)


@pytest.mark.parametrize(
    ("claims", "text", "message"),
    [
        (BOX, "33322", "'33322' is not one of the 363 claims; the faces are 9TJQKA"),
        (DOUBTFUL, "777", "'777' is not one of the 37 claims; the faces are 1 to 6"),
        (
            *(BOX, "JJ+9"),
            "'JJ+9' is not one of the 363 claims; they have the claim detail prefix, not subset",
        ),
        (
            *(BOX, "two pairs"),
            "'two pairs' is not one of the 363 claims; they have the claim detail prefix, not "
            "category",
        ),
        (
            *(BOX, "pare of jacks"),
            "'pare of jacks' is not one of the 363 claims; did you mean 'pair of jacks'?",
        ),
        (
            *(BOX, "what"),
            "'what' is not one of the 363 claims, which run from 'ace high' to 'five aces'",
        ),
        (
            *(BOX, "AAAAAA"),
            "'AAAAAA' is not one of the 363 claims, which run from 'ace high' to 'five aces'",
        ),
        (BOX, "", "'' is not one of the 363 claims, which run from 'ace high' to 'five aces'"),
        (
            *(CLASSIC_CLAIMS, "AQJT9"),
            "'AQJT9' is not one of the 248 claims; a hand that makes nothing cannot be claimed "
            "here",
        ),
        (
            *(BOXES, "two pairs"),
            "'two pairs' is not one of the 22 claims, which run from 'one one' to 'five of a kind'",
        ),
    ],
)
def test_nonsense_gets_one_sentence(claims, text, message):
    with pytest.raises(InputError) as caught:
        parse_claim(text, claims)
    assert str(caught.value) == message


def test_nonsense_is_none_of_any_claims():
    with pytest.raises(InputError, match="'what' is not one of the 363 claims, which run from"):
        parse_any_claim("what", BOX)
    with pytest.raises(InputError, match="'what' is not one of the 22 claims, which run from"):
        parse_any_claim("what", BOXES)


@pytest.mark.parametrize(
    ("claims", "text", "error", "message"),
    [
        (BOX, "QQQ9", InputError, "a hand has 5 dice, got 4 in 'QQQ9'"),
        (BOX, "QQQ999", InputError, "a hand has 5 dice, got 6 in 'QQQ999'"),
        (LIAR_CARDS, "QQQ9", InputError, "a hand has 5 cards, got 4 in 'QQQ9'"),
        (LIAR_CARDS, "QQQQQ", InputError, "the pack has 4 queens, got 5 in 'QQQQQ'"),
        (BOX, "QQQ98", InputError, "the faces are 9TJQKA, got 'QQQ98'"),
        (DOUBTFUL, "12347", InputError, "the faces are 1 to 6, got '12347'"),
        (DOUBTFUL, (1, 2, 3, 4, 0), InputError, r"the faces are 1 to 6, got (1, 2, 3, 4, 0)"),
        (DOUBTFUL, (1, 2, 3, 4, True), InputTypeError, "a face is a whole number, got True"),
    ],
)
def test_hands_that_cannot_be_are_refused(claims, text, error, message):
    with pytest.raises(error) as caught:
        parse_hand(text, claims)
    assert str(caught.value) == message


def test_a_claim_is_a_text():
    with pytest.raises(InputTypeError, match="a claim is a text such as 'full house' or 'QQQ99'"):
        parse_claim(33, BOX)


@pytest.mark.parametrize(
    ("rules", "text", "claim"),
    [
        (presets.MIA, "six one", "61"),
        (presets.MIA, "one and a six", "61"),
        (presets.MIA, "6 1", "61"),
        (presets.MIA, "6-1", "61"),
        (presets.MIA, "six six", "66"),
        (presets.MIA, "Mia", "21"),
        (presets.CLASSIC, "ace, king, queen, jack, ten", "AKQJT"),
        (presets.BOX, "jack jack queen", "JJ+Q"),
    ],
)
def test_the_faces_of_a_claim_may_be_said_one_by_one(rules, text, claim):
    assert rules.format_claim(rules.parse_claim(text)) == claim


def test_two_ways_to_read_a_claim_get_a_sentence():
    with pytest.raises(InputError, match=r"^'two one' could be 21 or 11; write one of these$"):
        parse_claim("two one", MIA_CLAIMS)


@pytest.mark.parametrize("text", ["Q,,Q,Q,9,9", ",QQQ99", "QQQ99,"])
def test_a_gap_in_a_hand_is_no_face(text):
    with pytest.raises(InputError, match=r"^there is a face between any two commas, got "):
        presets.CLASSIC.parse_hand(text)

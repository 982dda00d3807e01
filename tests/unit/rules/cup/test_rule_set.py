import pickle
import re
from dataclasses import fields
from fractions import Fraction

import pytest

from liarsolve import CupRound, CupRules
from liarsolve.claims import POKER, RANKINGS, ClaimDetail, Ranking, Truth
from liarsolve.dice.equipment import Equipment
from liarsolve.errors import RuleError
from liarsolve.rules import CUP_PRESETS, CupRoundRules, Look, cup_option_values, presets

CLASSIC, BOX, LIAR_CARDS = presets.CLASSIC, presets.BOX, presets.LIAR_CARDS
DOUBTFUL_DICE, MIA, LIAR_DIE = presets.DOUBTFUL_DICE, presets.MIA, presets.LIAR_DIE


def refuses(make, message):
    with pytest.raises(RuleError, match=f"^{re.escape(message)}$"):
        make()


def test_the_presets_decide_what_their_clauses_say():
    keys = ("lives", "claim_detail", "top_claim", "next_starter", "blind_pass", "extra_life")
    assert {name: [r.to_dict()[key] for key in keys] for name, r in CUP_PRESETS.items()} == {
        "classic": [3, "full", "accept_try", "challenger", "off", "off"],
        "box": [3, "prefix", "must_challenge", "loser", "any", "first_out"],
        "army_mess": [3, "prefix", "must_challenge", "loser", "any", "off"],
        "liar_cards": [3, "prefix", "must_challenge", "loser", "any", "first_out"],
        "doubtful_dice": [3, "lead", "must_challenge", "challenger", "off", "off"],
        "mia": [6, "full", "must_challenge", "loser", "off", "off"],
        "liar_die": [1, "full", "must_challenge", "loser", "off", "off"],
    }
    assert (CLASSIC.top_accept.value, CLASSIC.top_throws) == ("fresh_keep", 5)
    assert DOUBTFUL_DICE.penalty_liar == (1, 1)


@pytest.mark.parametrize(
    ("rules", "n_claims", "counts"),
    [
        (CLASSIC, 248, (0, 1, 2, 3, 4, 5)),
        (BOX, 363, (0, 1, 2, 3, 4, 5)),
        (LIAR_CARDS, 357, (0, 1, 2, 3, 4, 5)),
        (DOUBTFUL_DICE, 37, (1, 2, 3, 4, 5)),
        (MIA, 21, (2,)),
        (LIAR_DIE, 6, (1,)),
        (CLASSIC.replace(min_rethrow=2, max_rethrow=3), 248, (2, 3)),
    ],
    ids=lambda value: value.name if isinstance(value, CupRules) else None,
)
def test_claims_and_numbers_thrown(rules, n_claims, counts):
    assert (len(rules.claims), rules.reroll_counts) == (n_claims, counts)
    assert rules.top_claim_id == n_claims - 1


def test_replace_takes_the_strings_of_players():
    rules = BOX.replace(
        equipment="3d4",
        ranking="multiplicity",
        truth="contains",
        max_rethrow="2",
        dislodge_prob="0.05",
        penalty_liar="1, 2",
        announce_count="no",
    )
    assert rules.equipment == Equipment.dice(3, 4)
    assert rules.ranking is RANKINGS["multiplicity"]
    assert (rules.truth, rules.max_rethrow) == (Truth.CONTAINS, 2)
    assert (rules.dislodge_prob, rules.penalty_liar) == (Fraction(1, 20), (1, 2))
    assert rules.announce_count is False
    assert rules.name == (
        "box, equipment=dice(3,4), ranking=multiplicity, truth=contains, max_rethrow=2, "
        "dislodge_prob=1/20, penalty_liar=1,2, announce_count=false"
    )
    assert rules.replace(max_rethrow="all").max_rethrow is None


def test_replace_takes_values():
    assert BOX.replace(
        equipment=Equipment.cards(),
        claim_detail=ClaimDetail.FULL,
        ranking=POKER,
        max_rethrow=None,
        look=Look.OPTIONAL,
        dislodge_prob=Fraction(0),
        penalty_doubter=(0, 1),
    ) == LIAR_CARDS.replace(claim_detail="full", look="optional", penalty_doubter="0,1")


def test_what_hangs_on_an_option_goes_with_it():
    tried = CLASSIC.replace(top_accept="carry_keep", top_throws=3)
    assert tried.replace(top_claim="must_challenge") == CLASSIC.replace(top_claim="must_challenge")
    assert tried.replace(top_claim="must_challenge").name == (
        "classic, top_accept=carry_keep, top_throws=3, top_claim=must_challenge"
    )
    same = BOX.replace(blind_claim="same")
    assert same.replace(blind_pass="off") == BOX.replace(blind_pass="off")
    with pytest.raises(RuleError, match=r"^top_throws=4 counts the throws for the top hand"):
        tried.replace(top_claim="must_challenge", top_throws=4)


def test_replace_leaves_the_original_alone_and_the_name_is_a_label():
    assert BOX.replace(lives=5) != BOX
    assert BOX.lives == 3
    renamed = BOX.replace(name="house rules")
    assert (renamed, hash(renamed)) == (BOX, hash(BOX))
    assert BOX.replace(lives=3).name == "box"


@pytest.mark.parametrize(
    ("text", "equipment"),
    [
        ("dice(5,6)", Equipment.dice(5, 6)),
        (" Dice (2, 6)", Equipment.dice(2, 6)),
        ("2d6", Equipment.dice(2, 6)),
        ("cards24", Equipment.cards(5, 6, 4)),
        ("cards(3,4,2)", Equipment.cards(3, 4, 2)),
    ],
)
def test_equipment_is_read(text, equipment):
    rules = CupRules(ranking=RANKINGS["multiplicity"]).replace(equipment=text)
    assert rules.equipment == equipment
    assert CupRules.from_dict(rules.to_dict()).equipment == equipment


def test_faces_change_the_faces_of_the_dice():
    assert LIAR_DIE.replace(faces="8").equipment == Equipment.dice(1, 8)
    assert len(LIAR_DIE.replace(faces=8).claims) == 8
    message = (
        "faces=8 changes the faces of the dice; give the whole equipment instead, such as "
        "equipment=dice(5,6)"
    )
    refuses(lambda: LIAR_CARDS.replace(faces=8), message)
    refuses(lambda: LIAR_DIE.replace(faces=8, equipment="2d6"), message)
    refuses(
        lambda: LIAR_DIE.replace(faces="six"),
        "faces=six is not allowed; allowed: a whole number of at least 2",
    )


@pytest.mark.parametrize("rules", CUP_PRESETS.values(), ids=list(CUP_PRESETS))
def test_dict_and_pickle_round_trips(rules):
    copy = CupRules.from_dict(rules.to_dict())
    assert (copy, copy.name) == (rules, rules.name)
    assert all(type(value) in (str, int, bool) for value in rules.to_dict().values())
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_missing_options_take_their_default():
    assert CupRules.from_dict({}) == CupRules()
    assert set(cup_option_values()) | {"name"} == set(CupRules().to_dict())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"look": "maybe"}, "look=maybe is not allowed; allowed: before_throw, never, optional"),
        ({"look": True}, "look=True is not allowed; allowed: before_throw, never, optional"),
        ({"rethrow_all": "perhaps"}, "rethrow_all=perhaps is not allowed; allowed: true, false"),
        ({"lives": "three"}, "lives=three is not allowed; allowed: a whole number of at least 1"),
        ({"lives": 0}, "lives must be a whole number of at least 1, got 0"),
        ({"top_throws": 0}, "top_throws must be a whole number of at least 1, got 0"),
        ({"min_players": 1}, "min_players must be a whole number of at least 2, got 1"),
        ({"max_rethrow": 0}, "max_rethrow must be a whole number of at least 1, or None for all, "
            "got 0"),
        ({"max_rethrow": "few"}, "max_rethrow=few is not allowed; allowed: a whole number of at "
            "least 1, or all"),
        ({"equipment": "spoons"}, "equipment=spoons is not allowed; allowed: dice(5,6) for five "
            "dice with six faces, cards24 for five of 24 cards"),
        ({"equipment": "dice(0,6)"}, "equipment=dice(0,6) is not allowed; allowed: dice(5,6) for "
            "five dice with six faces, cards24 for five of 24 cards"),
        ({"ranking": "bridge"}, f"ranking=bridge is not allowed; allowed: {', '.join(RANKINGS)}"),
        ({"dislodge_prob": "2"}, "dislodge_prob must be a Fraction from 0 to 1, got Fraction(2, "
            "1)"),
        ({"dislodge_prob": "1/0"}, "dislodge_prob=1/0 is not allowed; allowed: a chance from 0 to "
            "1, such as 1/20"),
        ({"dislodge_prob": False}, "dislodge_prob=False is not allowed; allowed: a chance from 0 "
            "to 1, such as 1/20"),
        ({"penalty_liar": "1"}, "penalty_liar=1 is not allowed; allowed: two whole numbers such "
            "as 1,0: to the pool and to the other player"),
        ({"penalty_liar": "0,0"}, "penalty_liar must be two whole numbers, to the pool and to the "
            "other player, at least one of them above 0, got (0, 0)"),
        ({"name": 3}, "name must be text, got 3"),
        ({"live": 3}, "there is no rule option 'live'; did you mean lives? the options are "
            + ", ".join(cup_option_values())),
    ],
)  # fmt: skip
def test_a_value_that_does_not_exist_is_refused(options, message):
    refuses(lambda: CupRules().replace(**options), message)
    refuses(lambda: CupRules.from_dict(options), message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"look": "never"},
            "look must be a member of Look, got 'never'; "
            "text goes through CupRules.replace or CupRules.from_dict",
        ),
        (
            {"equipment": "5d6"},
            "equipment must be of type Equipment, got '5d6'; "
            "text goes through CupRules.replace or CupRules.from_dict",
        ),
        ({"rethrow_all": 1}, "rethrow_all must be True or False, got 1"),
        ({"dislodge_prob": 0.5}, "dislodge_prob must be a Fraction from 0 to 1, got 0.5"),
        ({"lives": True}, "lives must be a whole number of at least 1, got True"),
    ],
)
def test_the_constructor_takes_no_text(options, message):
    refuses(lambda: CupRules(**options), message)


@pytest.mark.parametrize(
    ("rules", "options", "message"),
    [
        (BOX, {"claim_detail": "lead", "raise_rule": "componentwise"},
            "raise_rule=componentwise compares claims group by group, which claim_detail=lead "
            "does not name throughout; use claim_detail=full or claim_detail=primary"),
        (BOX, {"faces": 8},
            "ranking=poker names the 6 faces 9, T, J, Q, K, A, the equipment has 8; use "
            "ranking=multiplicity, or fewer faces"),
        (CLASSIC, {"equipment": "1d6"},
            "nothing_claims=forbidden leaves nothing to claim with this equipment under "
            "ranking=classic; use nothing_claims=named or ranking=multiplicity"),
        (MIA, {"min_rethrow": 1},
            "rethrow_all=true throws everything each time, which leaves no part to "
            "min_rethrow=1, max_rethrow=all; use min_rethrow=0, max_rethrow=all"),
        (CLASSIC, {"max_rethrow": 6},
            "min_rethrow=0, max_rethrow=6 cannot be met with a hand of 5; use "
            "0 <= min_rethrow <= max_rethrow <= 5"),
        (CLASSIC, {"min_rethrow": 3, "max_rethrow": 2},
            "min_rethrow=3, max_rethrow=2 cannot be met with a hand of 5; use "
            "0 <= min_rethrow <= max_rethrow <= 5"),
        (CLASSIC, {"look": "never"},
            "look=never leaves players no choice of what they throw; use rethrow_all=true, "
            "or look=before_throw"),
        (CLASSIC, {"look": "optional", "max_rethrow": 2},
            "look=optional lets a player throw everything unseen, which max_rethrow=2 forbids; "
            "use max_rethrow=all or look=before_throw"),
        (LIAR_CARDS, {"dislodge_prob": "1/20"},
            "dislodge_prob=1/20 knocks dice over, but cards are drawn; use dislodge_prob=0"),
        (MIA, {"dislodge_prob": "1/20"},
            "dislodge_prob=1/20 knocks kept dice over, but rethrow_all=true keeps none; use "
            "dislodge_prob=0"),
        (CLASSIC, {"blind_claim": "same"},
            "blind_claim=same is for players who pass on unseen, but blind_pass=off; use "
            "blind_pass=any or blind_claim=higher"),
        (DOUBTFUL_DICE, {"blind_pass": "any"},
            "blind_pass=any throws nothing, which min_rethrow=1 forbids; use min_rethrow=0 or "
            "blind_pass=off"),
        (CLASSIC, {"blind_pass": "only_if_bare"},
            "blind_pass=only_if_bare asks whether odd dice were named, which claim_detail=full "
            "leaves no choice about; use claim_detail=prefix or blind_pass=any"),
        (CLASSIC, {"top_claim": "must_repeat"},
            "top_claim=must_repeat repeats a claim, which raise_rule=higher forbids; use "
            "raise_rule=equal_or_higher or top_claim=must_challenge"),
        (LIAR_CARDS, {"top_claim": "accept_try"},
            "top_claim=accept_try throws dice to make the top hand, but cards are drawn; use "
            "top_claim=must_challenge"),
        (MIA, {"top_claim": "accept_try"},
            "top_claim=accept_try needs a top hand of equal dice, but the highest hand of "
            "ranking=mia is (1, 2); use top_claim=must_challenge"),
        (MIA, {"announce_count": False},
            "announce_count=false hides a number that is always 2; use announce_count=true"),
        (CLASSIC, {"min_rethrow": 3, "max_rethrow": 3, "announce_count": False},
            "announce_count=false hides a number that is always 3; use announce_count=true"),
        (BOX, {"top_throws": 3},
            "top_throws=3 counts the throws for the top hand, which top_claim=must_challenge does "
            "not allow; use top_claim=accept_try or top_throws=5"),
        (BOX, {"top_accept": "carry_keep"},
            "top_accept=carry_keep says how the top hand is tried for, which "
            "top_claim=must_challenge does not allow; use top_claim=accept_try or "
            "top_accept=fresh_keep"),
        (CLASSIC, {"short_pay": "challenger_first"},
            "short_pay=challenger_first divides what is owed to two, but no penalty goes to both "
            "the pool and a player; use penalty_liar=1,1 or short_pay=pool_first"),
    ],
)  # fmt: skip
def test_options_that_make_no_sense_together_are_refused(rules, options, message):
    refuses(lambda: rules.replace(**options), message)


def test_a_ranking_that_does_not_fit_is_refused():
    with pytest.raises(RuleError, match=r"^the ranking mia knows "):
        MIA.replace(equipment="5d6")
    with pytest.raises(RuleError, match=r"^number boxes are claimed as a whole"):
        DOUBTFUL_DICE.replace(ranking="generala_boxes")


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        (DOUBTFUL_DICE, {"ranking": "generala_boxes", "claim_detail": "category"}),
        (MIA, {"blind_pass": "any", "blind_claim": "same", "raise_rule": "equal_or_higher"}),
        (MIA, {"look": "optional", "blind_pass": "any"}),
        (BOX, {"blind_pass": "only_if_bare", "claim_detail": "subset"}),
        (BOX, {"end": "first_out_loses", "extra_life": "everyone"}),
        (CLASSIC, {"top_accept": "fresh_all", "top_throws": 1}),
        (CLASSIC, {"equipment": "dice(2,3)"}),
    ],
)
def test_unusual_options_that_can_be_played_are_allowed(rules, options):
    changed = rules.replace(**options)
    assert {option: changed.to_dict()[option] for option in options} == options
    assert CupRound(changed, 2).initial_state().turns


def test_opening_claims_are_all_claims_and_nothing_follows_the_top():
    for rules in CUP_PRESETS.values():
        assert rules.legal_claims(None) == tuple(range(len(rules.claims)))
        assert rules.legal_claims(rules.top_claim_id) == ()
        assert rules.follow_problem(rules.top_claim_id, 0) == (
            f"with top_claim={rules.top_claim.value} nothing may follow the highest claim"
        )


def test_higher_claims_follow():
    for previous in (0, 100, 246):
        assert CLASSIC.legal_claims(previous) == tuple(range(previous + 1, 248))
        assert all(CLASSIC.may_follow(previous, c) == (c > previous) for c in range(248))


def test_claims_of_equal_worth_do_not_follow_each_other():
    boxes = DOUBTFUL_DICE.replace(ranking="generala_boxes", claim_detail="category")
    two_threes, one_six = (
        next(c for c, claim in enumerate(boxes.claims) if claim.faces == faces)
        for faces in ((3, 3), (6,))
    )
    assert not boxes.may_follow(two_threes, one_six)
    assert not boxes.may_follow(one_six, two_threes)
    equal = boxes.replace(raise_rule="equal_or_higher")
    assert equal.may_follow(two_threes, one_six)
    assert equal.may_follow(one_six, two_threes)


def test_bare_claims_leave_odd_dice_to_name():
    bare = {BOX.format_claim(BOX.claims[c]) for c in BOX.bare_claims}
    assert {"JJ", "QQJJ", "999", "AAAA"} <= bare
    assert not bare & {"JJ+Q", "QQJJ+A", "QQQ99", "AAAAA", "AQJT9"}
    assert len(bare) == 6 + 15 + 6 + 6


def test_the_top_hand():
    assert CLASSIC.top_hand == (6, 6, 6, 6, 6)
    assert LIAR_CARDS.top_hand == (5, 6, 6, 6, 6)
    assert MIA.top_hand == (1, 2)
    assert isinstance(CLASSIC.ranking, Ranking)


@pytest.mark.parametrize(
    ("options", "is_same_round"),
    [
        ({"name": "ours"}, True),
        ({"lives": 5}, True),
        ({"penalty_liar": "2,1", "penalty_doubter": "0,1"}, True),
        ({"penalty_liar": "1,1", "short_pay": "challenger_first"}, True),
        ({"next_starter": "winner", "starter_if_out": "winner_of_call"}, True),
        ({"extra_life": "everyone", "end": "first_out_loses", "min_players": 3}, True),
        ({"truth": "matches"}, False),
        ({"announce_count": False}, False),
        ({"top_throws": 4}, False),
        ({"equipment": "dice(4,6)"}, False),
    ],
    ids=str,
)
def test_rules_of_a_round_are_equal_whatever_a_game_counts(options, is_same_round):
    changed = CLASSIC.replace(**options)
    assert (changed.round_rules == CLASSIC.round_rules) is is_same_round
    assert (changed == CLASSIC) is ("name" in options)
    assert changed.round_rules.claims is changed.claims


def test_rules_of_a_round_are_the_first_options_of_all_rules():
    round_options = [f.name for f in fields(CupRoundRules)]
    assert list(CLASSIC.to_dict())[: len(round_options)] == round_options
    assert list(CLASSIC.to_dict())[len(round_options) :] == [
        "lives",
        "penalty_liar",
        "penalty_doubter",
        "short_pay",
        "next_starter",
        "starter_if_out",
        "extra_life",
        "end",
        "min_players",
    ]


def test_rules_of_a_round_are_checked_alone():
    refuses(
        lambda: CupRoundRules(top_throws=0),
        "top_throws must be a whole number of at least 1, got 0",
    )
    refuses(
        lambda: CupRoundRules(dislodge_prob=Fraction(1, 2), rethrow_all=True),
        "dislodge_prob=1/2 knocks kept dice over, but rethrow_all=true keeps none; use "
        "dislodge_prob=0",
    )


def test_dd_4_the_combinations_are_those_of_generala():
    """Straight 20, full house 30, four 40, generala 50 and more: in this order, and on top."""
    order = [DOUBTFUL_DICE.format_claim(claim) for claim in DOUBTFUL_DICE.claims]
    straights, full, four, generala = order[-20:-18], order[-18:-12], order[-12:-6], order[-6:]
    assert straights == ["54321", "65432"]
    assert full == [f"{face * 3}xx" for face in "123456"]
    assert four == [face * 4 for face in "123456"]
    assert generala == [face * 5 for face in "123456"]

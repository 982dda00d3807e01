import pytest

from liarsolve.rules import CUP_PRESETS, describe_rules, presets, rule_sentences, summarize_rules

CLASSIC, BOX, LIAR_CARDS = presets.CLASSIC, presets.BOX, presets.LIAR_CARDS
DOUBTFUL_DICE, MIA, LIAR_DIE = presets.DOUBTFUL_DICE, presets.MIA, presets.LIAR_DIE


def test_classic_in_plain_words():
    assert describe_rules(CLASSIC) == (
        "The rules of classic\n"
        "- Five dice with faces 9, 10, J, Q, K, A lie hidden under one cup. The first player "
        "throws all of them once and looks (CL.3, BX.3, DD.2).\n"
        "- Hands rank, from high to low: five of a kind, run A K Q J 10, run K Q J 10 9, four of a "
        "kind, full house, three of a kind, two pairs, pair, nothing. Within a kind the most "
        "repeated face compares first, then the others from the highest down (CL.12, BX.10).\n"
        "- Then the cup goes to the left with a claim, true or false, which names the whole hand "
        "(CL.4). A hand that makes nothing cannot be claimed (CL.5, DD?10).\n"
        '- Only the left neighbour answers: they challenge, saying "liar", or accept. After a '
        "challenge the hand is shown; if the hand is at least as high as was claimed, the claim is "
        "true (CL.7).\n"
        "- Players who accept look at what they were passed, keep what they like, and throw the "
        "rest again, once: 0 to 5 dice (CL.9, BX.6); they say how many, not which. They look at "
        "what comes (BX?7).\n"
        "- Nobody passes on a hand they have not seen.\n"
        "- Then they claim in turn: strictly higher than the accepted claim, whatever they hold "
        "(CL.9, BX.6, DD.9).\n"
        "- The highest claim, AAAAA, may be challenged, or accepted: the neighbour then has five "
        "throws to make it; they throw everything, and then again what does not fit (CL?1). If "
        "they make it, the claimant loses; if not, they do (CL.10).\n"
        "- A false claim costs its maker one life; a wrong challenge costs the challenger one life "
        "(CL.7, BX.5, DD.5).\n"
        "- The next round is started by the player who answered the last claim, whoever has lost "
        "(CL.8, DD.6, CL?2); if that player is out, by the next player to their left (CL?3, "
        "BX?5).\n"
        "- A game takes two players or more, who start with three lives each; who has none left is "
        "out. The last player in wins (CL.13, BX.1, DD.10)."
    )


@pytest.mark.parametrize(
    ("rules", "options", "words"),
    [
        (CLASSIC, {"equipment": "cards24", "top_claim": "must_challenge"}, "Five cards are dealt"),
        (
            CLASSIC,
            {"equipment": "cards24", "top_claim": "must_challenge"},
            "of 24: 9, 10, J, Q, K,",
        ),
        (CLASSIC, {"equipment": "cards24", "top_claim": "must_challenge"}, "goes back into the pa"),
        (CLASSIC, {"equipment": "2d3", "ranking": "multiplicity"}, "Two dice with faces 1 to 3"),
        (CLASSIC, {"ranking": "poker"}, "five of a kind, four of a kind, full house, run A K Q J"),
        (
            DOUBTFUL_DICE,
            {"ranking": "generala_boxes", "claim_detail": "category"},
            "so many dice of one face, by their sum.",
        ),
        (
            CLASSIC,
            {"claim_detail": "prefix"},
            "as many of the odd dice as one likes, from the high",
        ),
        (CLASSIC, {"claim_detail": "subset"}, "and any odd ones (BX?2)"),
        (CLASSIC, {"claim_detail": "primary"}, "and no odd ones (BX?2)"),
        (CLASSIC, {"claim_detail": "lead"}, "names the kind and its first group"),
        (CLASSIC, {"claim_detail": "category"}, "names the kind alone"),
        (CLASSIC, {"nothing_claims": "named"}, "makes nothing is claimed as a whole (BX.10)"),
        (BOX, {"nothing_claims": "prefix"}, "the highest dice are named, as many as one likes"),
        (CLASSIC, {"truth": "matches"}, "a higher hand does not help"),
        (CLASSIC, {"truth": "contains"}, "if what was named is among the hand"),
        (CLASSIC, {"raise_rule": "equal_or_higher"}, "as high as the accepted claim, or higher"),
        (CLASSIC, {"raise_rule": "componentwise"}, "the first group is higher and no other is low"),
        (CLASSIC, {"min_rethrow": 1}, "1 to 5 dice (DD?3)"),
        (CLASSIC, {"max_rethrow": 2}, "0 to 2 dice"),
        (CLASSIC, {"min_rethrow": 2, "max_rethrow": 2}, "once: 2 dice"),
        (CLASSIC, {"rethrow_all": True}, "look at what they were passed, throw all of it again"),
        (MIA, {"look": "optional"}, "either throw everything again unseen (BX?4), or look"),
        (CLASSIC, {"rethrow_all": True, "look": "never"}, "do not look at what they were passed"),
        (CLASSIC, {"blind_pass": "any"}, "may pass the hand on unseen, with a claim tha"),
        (BOX, {"blind_pass": "only_if_bare"}, "could have named odd dice and named none"),
        (BOX, {"blind_claim": "same"}, "with the same claim, or one that may follow"),
        (CLASSIC, {"announce_count": False}, "the others do not learn how many (DD?4)"),
        (CLASSIC, {"dislodge_prob": "1/20"}, "knocks each kept die over with chance 1/20"),
        (CLASSIC, {"top_claim": "must_challenge"}, "AAAAA, must be challenged (BX.8, DD?7)"),
        (MIA, {"top_claim": "concede_1_or_look_2"}, "pays once without looking, or challenges"),
        (
            MIA,
            {"top_claim": "must_repeat", "raise_rule": "equal_or_higher"},
            "21, may be accepted, but then has to be claimed again.",
        ),
        (CLASSIC, {"top_accept": "carry_keep"}, "what fits among the dice they were passed stays"),
        (
            CLASSIC,
            {"top_accept": "fresh_all", "top_throws": 1},
            "one throw to make it; they throw e",
        ),
        (CLASSIC, {"lives": 1}, "who start with one life each"),
        (CLASSIC, {"penalty_liar": "1,1"}, "one stake to the pool and one stake to the challenger"),
        (CLASSIC, {"penalty_doubter": "0,2"}, "two stakes to the player they challenged"),
        (DOUBTFUL_DICE, {"short_pay": "challenger_first"}, "pays the other player first (DD?5)"),
        (CLASSIC, {"next_starter": "loser"}, "started by the player who has lost (BX.5)"),
        (CLASSIC, {"next_starter": "winner"}, "started by the player who has won"),
        (
            CLASSIC,
            {"starter_if_out": "winner_of_call"},
            "if that player is out, by the winner of the round",
        ),
        (CLASSIC, {"extra_life": "first_out"}, "first player of the game to lose all gets one mor"),
        (CLASSIC, {"extra_life": "everyone"}, "Every player who has lost all gets one more, once"),
        (CLASSIC, {"end": "first_out_loses"}, "The first player to go out has lost the game."),
        (CLASSIC, {"min_players": 3}, "A game takes three players or more"),
    ],
)
def test_every_option_has_its_words(rules, options, words):
    changed = rules.replace(**options)
    assert words in describe_rules(changed)
    assert words not in describe_rules(rules)
    assert describe_rules(changed).count("\n- ") == len(rule_sentences(changed)) == 11


def test_one_die_and_two_dice():
    assert "One die with faces 1 to 6 lies hidden under one cup." in describe_rules(LIAR_DIE)
    assert "\n- The higher face is the higher hand.\n" in describe_rules(LIAR_DIE)
    assert "from high to low: 2 1, pair, all different." in describe_rules(MIA)


@pytest.mark.parametrize("rules", CUP_PRESETS.values(), ids=list(CUP_PRESETS))
def test_sentences_end_and_begin_as_sentences_do(rules):
    for sentence in rule_sentences(rules):
        assert sentence[0].isupper()
        assert sentence[-1] == "."
        assert "  " not in sentence


@pytest.mark.parametrize(
    ("rules", "options", "summary"),
    [
        (CLASSIC, {"claim_detail": "subset"}, "any odd dice named, or none"),
        (CLASSIC, {"claim_detail": "primary"}, "no odd dice named"),
        (CLASSIC, {"claim_detail": "category"}, "categories claimed"),
        (CLASSIC, {"max_rethrow": 3}, "throw up to 3"),
        (BOX, {"look": "optional"}, "look or not"),
        (MIA, {"top_claim": "concede_1_or_look_2"}, "top conceded, or challenged for double"),
        (
            MIA,
            {"top_claim": "must_repeat", "raise_rule": "equal_or_higher"},
            "top may be repeated",
        ),
    ],
)
def test_what_a_summary_tells(rules, options, summary):
    assert summary in summarize_rules(rules.replace(**options)).split("; ")
    assert summary not in summarize_rules(rules).split("; ")

import pytest

from liarsolve.rules import (
    PRESETS,
    RuleSet,
    describe_rules,
    option_values,
    presets,
    rule_sentences,
    summarize_rules,
)


def test_perudo_in_plain_words():
    assert describe_rules(presets.PERUDO) == (
        "The rules of perudo\n"
        "- Players roll their own dice in secret. The dice have faces 1 to 6. A bid QxF claims "
        "that at least Q dice of all players together show face F: 2x1 is two ones (PE.1).\n"
        "- Ones are wild: they count for every bid on another face; a bid on ones counts ones "
        "alone (PE.4).\n"
        "- The first player opens with a bid on any face except ones (PE.2).\n"
        "- Then players in turn raise: more dice of any face, or as many dice of a higher face "
        "(PE.3a). Faces rank 2, 3, 4, 5, 6. Ones stand apart, since they count double: n ones are "
        "the bid just above 2n sixes and just below 2n+1 twos. So after a bid on another face, "
        "ones must be at least half its quantity, rounded up (PE.3b); after ones, more ones, or "
        "more than double their quantity of another face (PE.3c).\n"
        "- Nobody may bid more dice than are on the table (PE?7).\n"
        '- Instead of raising, the player on turn may challenge the standing bid by saying "liar" '
        "(dudo). All dice are shown: if at least as many match as were bid, the challenger loses, "
        "otherwise the bidder loses (PE.5).\n"
        '- The player on turn may say "exact" (calza). The caller wins if exactly as many dice '
        "match as were bid, otherwise they lose (PE.6).\n"
        "- A player who has come down to one die for the first time starts a palifico round, "
        "while three or more are left (PE?6). In it no face is wild, the faces rank from 1 "
        "upwards, each may be bid and may open, and there is no exact call; after the opening bid "
        "only players with one die may change the face (PE.7).\n"
        "- A match takes two players or more, with five dice each at the start.\n"
        "- Whoever loses a challenge loses one die (PE.5, LD.5).\n"
        "- A right exact call wins the caller one die, up to five (PE.6, PE?4); a wrong one costs "
        "one die (PE.6).\n"
        "- The next round is started by the player who has lost; after an exact call by its "
        "caller, right or wrong (PE?5); if that player is out, by the next player to their left.\n"
        "- Who has no dice left is out. The last player in wins (LD.1)."
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"faces": 8}, "faces 1 to 8"),
        ({"wild": "top_face", "faces": 8}, "8s are wild"),
        ({"wild": "ones", "wild_until": "any_ones_bid"}, "also for later bids on other faces (LD"),
        ({"wild": "ones", "wild_until": "opening_ones"}, "If the opening bid is on ones"),
        ({"ones_slot": "face_high"}, "Faces rank 2, 3, 4, 5, 6, 1."),
        ({"wild": "ones", "ones_slot": "before_2n"}, "n ones are the bid just below 2n twos"),
        (
            {"wild": "top_face", "ones_slot": "before_2n"},
            "n sixes are the bid just below 2n ones",
        ),
        ({"wild": "ones", "ones_slot": "forbidden"}, "except ones, which may never be bid"),
        ({"open_ones": "no"}, "any face except ones (PE.2)."),
        (
            {"wild": "ones", "ones_slot": "after_2n", "ones_entry": "exact_half"},
            "ones must be exactly half its quantity, rounded up (PE?1)",
        ),
        (
            {"wild": "ones", "ones_slot": "after_2n", "ones_entry": "half_plus_one"},
            "ones must be at least one more than half its quantity, rounded up (PE?1)",
        ),
        ({"hand_bonus": "straight_zero"}, "five dice or more in a row counts nothing."),
        ({"hand_bonus": "five_alike_plus_1"}, "or more that all match counts one more."),
        ({"hand_bonus": "stairs"}, "such as 1,2,3, counts one more than its dice for any face."),
        ({"raise_rule": "reset_quantity"}, "raise: any number of dice of a higher face, or more"),
        ({"raise_rule": "strict"}, "raise: more dice of the same face, or as many"),
        ({"raise_rule": "no_decrease"}, "neither may fall"),
        ({"raise_rule": "face_wrap"}, "after sixes, more dice of the lowest face, ones"),
        ({"open_min": "n_players"}, "on at least as many dice as there are players."),
        ({"open_min": "1.5n"}, "one and a half times as many dice as there are players"),
        ({"cap_bids": "false"}, "one die more than are on the table, though it is always false"),
        ({"challenge_who": "any"}, "also out of turn (LD?3)"),
        ({"exact_who": "any_but_bidder"}, 'Every player but the bidder may say "exact"'),
        ({"exact_who": "off_turn_only"}, "neither the bidder nor on turn may say"),
        ({"exact_who": "next", "exact_min_players": 3}, "This needs at least 3 players."),
        ({"palifico_face": "locked_all"}, "after the opening bid nobody may change the face"),
        ({"palifico_face": "ex_palifico_may_change"}, "who have had such a round of their own"),
        ({"palifico_face": "none"}, "after the opening bid everybody may change the face"),
        ({"dice": 3}, "with three dice each at the start"),
        ({"lives": 2}, "with five dice each in every round, and two lives"),
        ({"loss": "difference"}, "as much as the count is away from the bid, one die at least"),
        ({"loss": "transfer"}, "gives one die to the winner"),
        ({"loss": "whole_round"}, "loses all dice"),
        ({"loss": "winner_discards"}, "The first player without dice has won."),
        ({"exact_who": "next", "exact_win": "gain_2"}, "wins the caller two dice, up to five"),
        ({"exact_who": "next", "exact_win": "others_lose_1"}, "makes all others lose one die"),
        ({"exact_who": "next", "exact_win": "bidder_loses_1"}, "makes the bidder lose one die"),
        ({"exact_who": "next", "exact_win": "nothing"}, "A right exact call brings nothing"),
        ({"exact_who": "next", "exact_fail": 2}, "a wrong one costs two dice"),
        ({"exact_who": "next", "gain_cap": 7}, "up to seven"),
        ({"exact_bid_bonus": "yes"}, "all but the bidder lose one die"),
        ({"palifico": "first_time"}, "starts a palifico round"),
        ({"next_starter": "challenger"}, "started by the player who challenged or called"),
        ({"next_starter": "winner"}, "started by the player who has won"),
        ({"next_starter": "rotate"}, "to the left of the one who started"),
        ({"next_starter": "caller_of_exact"}, "after an exact call by its caller"),
        ({"starter_if_out": "winner_of_call"}, "by the winner of the round"),
        ({"extra_life": "first_out"}, "The first player of the match to lose all gets one die"),
        ({"extra_life": "everyone"}, "Every player who has lost all gets one die more, once"),
        ({"end": "first_out_loses"}, "The first player to go out has lost the match."),
        ({"end": "single_round"}, "The match is one round, and who loses nothing in it wins."),
        ({"min_players": 3}, "A match takes three players or more"),
    ],
)
def test_every_option_has_its_words(options, words):
    rules = RuleSet().replace(**options)
    assert words in describe_rules(rules)
    assert words not in describe_rules(RuleSet())
    assert describe_rules(rules).count("\n- ") == len(rule_sentences(rules))
    has_exact = rules.exact_who.value != "off"  # what it brings is a sentence of its own
    assert len(rule_sentences(rules)) == 12 + has_exact


def test_a_summary_for_every_preset():
    assert {name: summarize_rules(rules) for name, rules in PRESETS.items()} == {
        "liars_dice": "ones wild until anybody bids them; quantity, then face",
        "perudo": "ones wild; quantity, then face; n ones just above 2n sixes; ones may not open; "
        "exact call",
        "common": "no wild face; quantity, then face",
        "openspiel": "sixes wild; quantity, then face",
        "snyd": "ones wild; quantity, then face; no bids on ones",
        "dudo": "ones wild; quantity, then face; n ones just below 2n twos",
        "asmodee": "ones wild; quantity, then face; n ones just above 2n sixes; ones may not open; "
        "exact call by anybody",
        "bluff": "sixes wild; quantity, then face; n sixes just below 2n ones; the difference is "
        "lost",
        "chui_niu": "ones wild until anybody bids them; quantity, then face; ones rank highest",
        "dudo_ai": "ones wild; quantity, then face; no bids on ones; winners put dice away",
        "liars_bar": "no wild face; quantity, then face; more ones after sixes; two lives",
        "mu_zhao": "ones wild; quantity, then face; n ones just below 2n twos; exact call",
        "red_dead": "no wild face; quantity, then face; exact call; the first bid goes round",
        "transfer": "ones wild until anybody bids them; quantity, then face; the winner gets the "
        "die",
        "wikipedia": "no wild face; quantity, then face; anybody may challenge; exact call; one "
        "round",
        "classic": "cup, 5 dice; whole hands claimed; keep any; top may be tried for in 5 throws",
        "box": "cup, 5 dice; odd dice named at will; keep any; blind pass; top must be challenged",
        "army_mess": "cup, 5 dice; odd dice named at will; keep any; blind pass; top must be "
        "challenged; the first one out loses",
        "liar_cards": "cup, 5 cards; odd cards named at will; keep any; blind pass; top must be "
        "challenged",
        "doubtful_dice": "cup, 5 dice; first group claimed; throw 1 to 5; top must be challenged",
        "mia": "cup, 2 dice; whole hands claimed; all thrown each time; top must be challenged",
        "liar_die": "cup, 1 die; whole hands claimed; all thrown each time; top must be challenged",
    }


@pytest.mark.parametrize(
    ("options", "summary"),
    [
        ({"raise_rule": "reset_quantity"}, "no wild face; face, then quantity"),
        ({"ones_slot": "face_high"}, "no wild face; quantity, then face; ones rank highest"),
        (
            {"wild": "ones", "wild_until": "opening_ones"},
            "ones wild unless they open; quantity, then face",
        ),
    ],
)
def test_summaries_of_other_rules(options, summary):
    assert summarize_rules(RuleSet().replace(**options)) == summary


def test_option_values_need_no_example_to_be_understood():
    assert option_values()["exact_who"] == "off, next, any_but_bidder, off_turn_only"

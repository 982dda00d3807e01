"""Every option of the cup games changes what may be done, what is seen, or what it is worth."""

from random import Random

import pytest

from liarsolve.rules import CupMatch, CupRound, cup_option_values, presets

BOX, CLASSIC = presets.BOX, presets.CLASSIC
# Two dice with three faces, and one die with three: small enough to walk every round.
TWO_DICE = {"equipment": "dice(2,3)", "ranking": "multiplicity"}
SMALL = CLASSIC.replace(**TWO_DICE, top_claim="must_challenge")
TRY = CLASSIC.replace(**TWO_DICE, top_throws=2)
ONE_DIE = presets.LIAR_DIE.replace(faces=3, lives=2)
BLIND = SMALL.replace(claim_detail="prefix", blind_pass="any")
EQUAL = ONE_DIE.replace(raise_rule="equal_or_higher")
STAKES = ONE_DIE.replace(penalty_liar="1,1")

# option, value, value to compare with, rules
CHANGES = [
    ("equipment", "dice(2,3)", "dice(2,2)", SMALL),
    ("equipment", "cards(2,3,2)", "dice(2,3)", SMALL),
    ("ranking", "classic", "poker", CLASSIC),
    ("claim_detail", "full", "prefix", CLASSIC),
    ("claim_detail", "subset", "prefix", CLASSIC),
    ("claim_detail", "primary", "lead", CLASSIC),
    ("claim_detail", "category", "lead", CLASSIC),
    ("nothing_claims", "named", "forbidden", BOX),
    ("nothing_claims", "prefix", "named", BOX),
    ("truth", "at_least", "matches", SMALL),
    ("truth", "contains", "matches", SMALL.replace(claim_detail="lead")),
    ("raise_rule", "higher", "equal_or_higher", SMALL),
    ("raise_rule", "componentwise", "higher", CLASSIC.replace(top_claim="must_challenge")),
    ("min_rethrow", 1, 0, SMALL),
    ("max_rethrow", 1, "all", SMALL),
    ("rethrow_all", True, False, SMALL),
    ("look", "before_throw", "optional", SMALL),
    ("look", "never", "before_throw", ONE_DIE),
    ("blind_pass", "any", "off", BLIND),
    ("blind_pass", "only_if_bare", "any", BOX),
    ("blind_claim", "same", "higher", BLIND),
    ("announce_count", False, True, SMALL),
    ("dislodge_prob", "1/20", "0", SMALL),
    ("top_claim", "must_challenge", "accept_try", TRY),
    ("top_claim", "concede_1_or_look_2", "must_challenge", ONE_DIE),
    ("top_claim", "must_repeat", "must_challenge", EQUAL),
    ("top_accept", "fresh_keep", "carry_keep", TRY),
    ("top_accept", "fresh_all", "fresh_keep", TRY),
    ("top_throws", 1, 2, TRY),
    ("lives", 2, 3, ONE_DIE),
    ("penalty_liar", "2,0", "1,0", ONE_DIE),
    ("penalty_doubter", "0,1", "1,0", ONE_DIE),
    ("short_pay", "challenger_first", "pool_first", STAKES),
    ("next_starter", "challenger", "loser", ONE_DIE),
    ("next_starter", "winner", "loser", ONE_DIE),
    ("next_starter", "rotate", "loser", ONE_DIE),
    ("starter_if_out", "winner_of_call", "next_left", ONE_DIE),
    ("extra_life", "first_out", "off", ONE_DIE),
    ("extra_life", "everyone", "first_out", ONE_DIE),
    ("end", "first_out_loses", "last_standing", ONE_DIE),
    ("end", "single_round", "last_standing", ONE_DIE),
]


def picture_of_rounds(rules):
    """What three players may do, see, and lose in some rounds, the same ones for all rules."""
    table, rng, seen = CupRound(rules, 3), Random(1), []
    for _ in range(25):
        state = table.initial_state()
        while not state.is_terminal and len(state.turns) < 5:
            legal = table.legal_actions(state)
            seen.append((legal, table.chance_distribution(state)))
            seen += [table.view(state, player) for player in range(3)]
            # the ends and the middle of what is legal: low and high claims, all dice and none
            tried = [*legal[:2], legal[len(legal) // 2], *legal[-2:]]
            state = table.next_state(state, rng.choice(tried))
        if state.is_terminal:
            seen.append(table.outcome(state))
    return seen


def picture_of_games(rules):
    """The scores that follow when the claim of the top face is always challenged."""
    match = CupMatch(rules, 3)
    top = rules.format_claim(rules.claims[rules.top_claim_id - 1])
    seen, scores = [], [match.start()]
    for _ in range(5):
        following = []
        for score in scores:
            table = CupRound(rules, len(match.seats(score)))
            for throw in ("1", "3"):
                end = table.state_after([f"thrown {throw}", top, "liar"])
                after = match.after(score, table.outcome(end))
                seen.append((after, match.winners(after)))
                if not match.is_over(after):
                    following.append(after)
        scores = following
    return seen


@pytest.mark.parametrize(("option", "value", "other", "rules"), CHANGES)
def test_the_option_changes_the_game(option, value, other, rules):
    picture = picture_of_games if rules in (ONE_DIE, STAKES) else picture_of_rounds
    if option in ("look", "top_claim"):
        picture = picture_of_rounds
    with_value, with_other = (rules.replace(**{option: v}) for v in (value, other))
    assert picture(with_value) != picture(with_other)


def test_every_option_and_every_enum_value_is_tried():
    tried = {option: set() for option in cup_option_values()}
    for option, value, other, _ in CHANGES:
        tried[option] |= {str(value).lower(), str(other).lower()}
    tried["min_players"] = {"2", "3"}  # in test_cup_match.py
    for option, values in cup_option_values().items():
        is_list = all(" " not in value for value in values.split(", "))
        if is_list and option != "ranking":  # rankings have tests of their own
            assert set(values.split(", ")) <= tried[option]
        assert len(tried[option]) > 1

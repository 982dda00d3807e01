"""Matches that are played at random, for tests of whatever holds for all of them."""

from hypothesis import strategies as st

MOST_STEPS = 20_000
"""Positions of a match; random play needs some hundreds."""


def play(state, rng):
    """Play at random to the end, and yield every position; calls come often enough to end it."""
    for _ in range(MOST_STEPS):
        yield state
        if state.is_terminal:
            return
        if state.is_chance:
            outcomes = state.chance_outcomes()
            actions, weights = list(outcomes), [float(chance) for chance in outcomes.values()]
            state = state.apply(rng.choices(actions, weights)[0])
            continue
        legal = state.legal_actions()
        calls = [action for action in legal if str(action) in ("liar", "exact")]
        choice = rng.choice(calls if calls and rng.random() < 0.3 else legal)
        state = state.apply(choice)
    raise AssertionError("the match does not end")


def small(rules):
    """Return these rules with less under a cup, so that a match is short work."""
    if rules.family == "bidding":
        return rules.replace(dice=2, faces=4)
    if rules.look.value == "never":
        return rules.replace(lives=2)
    return rules.replace(lives=2, equipment="dice(2,3)", ranking="multiplicity")


BIDDING = st.fixed_dictionaries(
    {"dice": st.integers(1, 2), "faces": st.integers(2, 4)},
    optional={
        "wild": st.sampled_from(["none", "ones", "top_face"]),
        "lives": st.integers(0, 2),
        "loss": st.sampled_from(["one", "difference", "transfer", "whole_round"]),
        "challenge_who": st.sampled_from(["next", "any"]),
        "exact_who": st.sampled_from(["off", "next", "any_but_bidder", "off_turn_only"]),
        "exact_win": st.sampled_from(["gain_1", "others_lose_1", "bidder_loses_1", "nothing"]),
        "exact_fail": st.integers(1, 2),
        "exact_bid_bonus": st.booleans(),
        "palifico": st.sampled_from(["off", "first_time"]),
        "palifico_face": st.sampled_from(["one_die_may_change", "locked_all", "none"]),
        "next_starter": st.sampled_from(
            ["challenger", "loser", "winner", "rotate", "caller_of_exact"]
        ),
        "starter_if_out": st.sampled_from(["next_left", "winner_of_call"]),
        "extra_life": st.sampled_from(["off", "first_out", "everyone"]),
        "end": st.sampled_from(["last_standing", "first_out_loses", "single_round"]),
    },
)
"""Options of bidding, of which some make no sense together."""

CUP = st.fixed_dictionaries(
    {
        "lives": st.integers(1, 3),
        "next_starter": st.sampled_from(["challenger", "loser", "winner", "rotate"]),
        "extra_life": st.sampled_from(["off", "first_out", "everyone"]),
        "end": st.sampled_from(["last_standing", "first_out_loses", "single_round"]),
        "penalty_liar": st.sampled_from(["1,0", "1,1", "0,1", "2,0"]),
        "penalty_doubter": st.sampled_from(["1,0", "1,1"]),
    }
)
"""Options of cup games."""

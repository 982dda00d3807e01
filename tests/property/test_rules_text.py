from hypothesis import given
from hypothesis import strategies as st

from liarsolve.errors import LiarsolveError
from liarsolve.rules import Bid, Call, RuleSet, format_action, option_values, parse_action

bids = st.builds(Bid, st.integers(1, 10**6), st.integers(1, 10**6))
VALUES = {
    option: ["2", "3", "12"] if "number" in values else values.split(", ")
    for option, values in option_values().items()
}


@given(bid=bids)
def test_bids_round_trip(bid):
    assert Bid.parse(str(bid)) == bid


@given(action=st.one_of(bids, st.sampled_from(Call)))
def test_actions_round_trip(action):
    assert parse_action(format_action(action)) == action


def result_or_error(func, argument):
    """What the function gives, and the refusal; any other exception fails the test."""
    try:
        return func(argument), None
    except LiarsolveError as error:
        return None, str(error)


@given(text=st.one_of(st.text(max_size=8), st.text("0123x ", max_size=5)))
def test_any_text_is_an_action_or_refused_with_what_was_read(text):
    action, refusal = result_or_error(parse_action, text)
    if action is None:
        assert repr(text) in refusal or "is at least 1, got 0" in refusal
    else:
        assert parse_action(format_action(action)) == action


@given(
    name=st.text(max_size=8),
    options=st.fixed_dictionaries(
        {}, optional={o: st.sampled_from(values) for o, values in VALUES.items()}
    ),
)
def test_rule_sets_round_trip_or_are_refused_with_a_way_out(name, options):
    rules, refusal = result_or_error(RuleSet.from_dict, {"name": name, **options})
    if rules is None:
        assert "; use " in refusal
    else:
        plain = rules.to_dict()
        copy = RuleSet.from_dict(plain)
        assert (copy, copy.name) == (rules, name)
        assert {o: str(plain[o]).lower() for o in options} == options

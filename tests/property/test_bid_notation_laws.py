"""However a bid is written, it is read back as the same one."""

from hypothesis import example, given
from hypothesis import strategies as st

from liarsolve.dice.words import spell_bid
from liarsolve.rules import CHALLENGE, EXACT, Bid, format_action, parse_action, parse_actions

BIDS = st.builds(Bid, st.integers(1, 10**6), st.integers(1, 40))
FORMS = (
    "{q}x{f}",
    "{q} x {f}",
    "{q}\N{MULTIPLICATION SIGN}{f}",
    "{q}-{f}",
    "{q} {f}s",
    "[Bid] {q} {f}",
    "[Bid: {q}, {f}]",
)
WRITTEN = st.tuples(BIDS, st.sampled_from((*FORMS, None))).map(
    lambda pair: (
        pair[0],
        spell_bid(pair[0].quantity, pair[0].face)
        if pair[1] is None
        else pair[1].format(q=pair[0].quantity, f=pair[0].face),
    )
)


@given(WRITTEN)
def test_a_bid_is_read_in_every_form(written):
    bid, text = written
    assert Bid.parse(text) == bid
    assert Bid.parse(text.upper()) == bid
    assert parse_action(str(bid)) == bid


@example([(Bid(1, 7), "one 7")], ", ")
@given(st.lists(WRITTEN), st.sampled_from((", ", ",", " ", "; ", "\n")))
def test_a_history_is_read_in_every_form(written, between):
    text = between.join(text for _, text in written)
    assert parse_actions(text) == tuple(bid for bid, _ in written)


@given(st.lists(BIDS | st.sampled_from((CHALLENGE, EXACT))))
def test_printing_and_reading_a_history_are_inverses(actions):
    assert parse_actions(",".join(map(format_action, actions))) == tuple(actions)

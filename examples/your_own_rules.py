"""Rules of your own house, and a round played by hand."""

from liarsolve import Bid, Round, presets

# Perudo, but ones may open, anybody may challenge, and dice have four faces.
rules = presets.PERUDO.replace(open_ones="yes", challenge_who="any", faces=4)
table = Round(rules, dice=(2, 2, 1))  # three players; player 0 bids first

state = table.initial_state()
print("opening bids:", *table.legal_actions(state))

state = table.state_after(["2x3", "2x1"])
print("player", table.to_act(state), "may:", *table.legal_actions(state))
print("player 0 may:", *table.legal_actions(state, player=0))
print(table.illegal_reason(state, Bid(4, 2)))

state = table.state_after(["2x3", "2x1", "5x2", "liar"])
outcome = table.showdown(state, hands=[(1, 3), (2, 2), (4,)])
print(f"{outcome.bid} was bid, the count is {outcome.count}: player {outcome.loser} loses")

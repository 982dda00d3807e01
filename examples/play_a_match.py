"""Play a match by script: what a person would type, and what they would be told."""

from liarsolve import HonestPlayer, ProbabilityPlayer, presets
from liarsolve.play.session import Opponent, Session

rules = presets.PERUDO.replace(dice=2)
others = [Opponent("odds", ProbabilityPlayer()), Opponent("honest", HonestPlayer())]
match = Session(rules, others, seat=1, seed=7)

lines = match.begin()
while not match.is_over:
    turn = match.turn(match.player)  # what the person knows
    doubtful = bool(turn.bids) and turn.p_true() < 0.5
    lines += match.say("liar" if doubtful else "1.")  # words, or the first of the short list
print("\n".join(line for line in lines if not line[:1].isdecimal()))

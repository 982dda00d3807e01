"""Solve a round of two dice against one, and read what to do."""

from liarsolve import presets, solve

solution = solve(presets.COMMON, dice=(2, 1), target=1e-4)
lower, upper = solution.value_bounds
print(f"the first bidder wins {lower:.5f} to {upper:.5f} a round on average")
print(f"exploitability {solution.exploitability:.1e}: {solution.stop.value}")

for action, prob in solution.strategy.probs(hand=(3,), history=["1x4"]).items():
    if prob > 0.01:
        print(f"the other player, with a 3, answers 1x4 with {action} in {prob:.0%}")

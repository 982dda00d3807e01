"""Three players with a die each: what the seats are worth, and what nobody can gain by much."""

from liarsolve import presets, solve

solution = solve(presets.PERUDO.replace(faces=4), dice=(1, 1, 1), target=1e-3)
for seat, value in enumerate(solution.values, 1):
    print(f"seat {seat}: {value:+.3f} a round")
print(f"all three together could gain {solution.nash_conv:.1e} by exact best responses")
for advice in solution.strategy.advise(hand=(3,), history=["1x2", "1x3"])[:3]:
    print(f"seat 3 holds a three after 1x2, 1x3: {advice.action} {advice.probability:.0%}")

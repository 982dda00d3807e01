"""The value of a round as a fraction, proved in rational arithmetic.

A value that is only computed in floating-point numbers may hide a slip in the twelfth digit. Here
both players' optimal strategies are rounded to fractions, and exact best responses to them show
that neither player can do better.
"""

from liarsolve import presets, solve_exact

GAMES = [
    ("no face is wild", presets.COMMON, (1, 1)),
    ("ones are wild and not bid", presets.SNYD, (1, 1)),
    ("the highest of five is wild", presets.OPENSPIEL.replace(faces=5), (1, 1)),
    ("ones are wild, n below 2n", presets.DUDO.replace(faces=4), (1, 1)),
    ("three faces, one against two", presets.COMMON.replace(faces=3), (1, 2)),
]

for name, rules, dice in GAMES:
    solution = solve_exact(rules, dice, prove=True)
    value = solution.exact_value
    found = "no proof found" if value is None else f"{value} = {float(value):+.6f}"
    print(f"{name:30}{dice[0]} v {dice[1]}   {found}")

"""The chance of winning a whole match from every score, and what a die is worth.

All numbers lie between proved bounds; these rules need no solving, since the values of their
rounds come with the library.
"""

from liarsolve import match_values, presets

values = match_values(presets.LIARS_DICE, dice=2)
print("The starter's chance of winning the match, in per cent:")
print(values)

ahead, even = (sum(values.bounds(score)) / 2 for score in ((2, 1), (1, 1)))
print(f"\nA second die against one is worth {100 * (ahead - even):.1f} % of a match.")
print(f"No bracket is wider than {100 * values.width():.2g} %.")

"""What are the odds? Five players hold five dice each, ones are wild, and Ann bids nine sixes."""

from liarsolve import Posterior, count_distribution, odds_table, p_at_least, p_exactly
from liarsolve.odds import Threshold

hand = (1, 2, 3, 6, 6)
true = p_at_least(9, 6, total=25, hand=hand)
print(f"I hold {hand}. Nine sixes are true with {true:.1%}", end=" ")
print(f"({p_at_least(9, 6, total=25, hand=hand, exact=True)}),")
print(f"and there are exactly nine with {p_exactly(9, 6, total=25, hand=hand):.1%}.\n")

for face in (2, 4, 6):
    count = count_distribution(face, total=25, hand=hand)
    print(
        f"{count.mean:.1f} dice match {face} on average; {count.max_bid(0.5)}x{face} is still even."
    )

# Ann bids sixes when two of her own dice match, and once in four times when they do not.
belief = Posterior((5, 5, 5, 5), hand=hand).after_bid(0, 9, 6, Threshold(2, bluff_rate=0.25))
print(f"\nIf that is how Ann bids, her nine sixes are true with {belief.p_at_least(9, 6):.1%}.\n")

print(odds_table(8, hand=(1, 6)))

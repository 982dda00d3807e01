"""A bot of one's own against a solved strategy: what it gets a round, over the same dice."""

from liarsolve import CHALLENGE, head_to_head, presets, solve


class Bluffer:
    """Bids one more of its last die's face as long as it can, and never believes a long shot."""

    def act(self, turn, rng):
        """Choose one of ``turn.actions``."""
        if turn.bids and turn.p_true() < 0.4:
            return CHALLENGE
        favourites = [bid for bid in turn.raises if bid.face == turn.hand[-1]]
        return (favourites or turn.actions)[0]


solution = solve(presets.LIARS_DICE.replace(faces=4), dice=(2, 1), target=5e-3)
result = head_to_head(solution.rules, Bluffer(), solution, dice=(2, 1), n_deals=2000, rng=1)
print(f"the bot gets {result.utility.mean:+.3f} a round and wins {result.win_share:.1%} of them;")
print(f"95 % interval {result.utility.lo:+.3f} to {result.utility.hi:+.3f}")
for dice, seat in zip(solution.dice, result.seats, strict=True):
    print(f"with {dice} of the 3 dice: {seat.mean:+.3f} ({seat.lo:+.3f} to {seat.hi:+.3f})")

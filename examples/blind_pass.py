"""What the blind pass is worth to those who are allowed it, in small box games.

In the box game a player may pass the box on without looking, with a higher claim. Between two
players that is worth nothing: whoever passed the box knows the hand, so looking first cannot hurt.
Among three there are many equilibria. In the game below the first player gets the same in all that
were found, and the blind pass moves the others' shares less than another method of solving does.
"""

from liarsolve import CupRules
from liarsolve.claims import MULTIPLICITY
from liarsolve.dice.equipment import Equipment
from liarsolve.rules import loser_pays, winner_takes
from liarsolve.solvers import (
    DISCOUNTED_CFR,
    LINEAR_CFR,
    PREDICTIVE_CFR_PLUS,
    CupCFROptions,
    Limits,
    solve_cup_cfr,
)


def small_box(n_dice: int, n_faces: int, blind_pass: str) -> CupRules:
    """Box game with fewer dice: a claim names the ranking dice, and odd dice as one likes."""
    rules = CupRules(equipment=Equipment.dice(n_dice, n_faces), ranking=MULTIPLICITY)
    return rules.replace(claim_detail="prefix", nothing_claims="prefix", blind_pass=blind_pass)


print("Two players: bounds of the first player's chance of winning, proved")
print(f"{'dice':12}{'no blind pass':>20}{'any blind pass':>20}{'worth at most':>16}")
for n_dice, n_faces in ((1, 6), (2, 2), (3, 2)):
    bounds = []
    for blind_pass in ("off", "any"):
        result = solve_cup_cfr(small_box(n_dice, n_faces, blind_pass), limits=Limits(target=2e-4))
        bounds.append([(1 + bound) / 2 for bound in result.value_bounds])
    (low, high), (blind_low, blind_high) = bounds
    worth = max(blind_high - low, high - blind_low)
    words = [f"{low:.4f} to {high:.4f}" for low, high in bounds]
    print(f"{n_dice} x {n_faces} faces {words[0]:>20}{words[1]:>20}{worth:16.4f}")

print("\nThree players, two dice of two faces: what each seat gets, by three methods")
for payoff, words in ((loser_pays, "the loser pays both"), (winner_takes, "the loser pays one")):
    for blind_pass in ("off", "any"):
        print(f"{words}, blind pass {blind_pass}")
        for variant in (PREDICTIVE_CFR_PLUS, DISCOUNTED_CFR, LINEAR_CFR):
            rules = small_box(2, 2, blind_pass)
            result = solve_cup_cfr(
                rules,
                3,
                limits=Limits(target=2e-4),
                options=CupCFROptions(payoff=payoff, variant=variant),
            )
            seats = "".join(f"{value:9.3f}" for value in result.values)
            print(f"  {variant.name:14}{seats}   could gain {result.nash_conv:.4f}")

"""A cup game: solve it, ask what to do, save it and open it again.

Two players pass three dice under one cup. Whoever accepts a claim sees the dice, keeps some, throws
the others, and must claim more.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from liarsolve import load, presets, solve
from liarsolve.rules import format_cup_action

rules = presets.BOX.replace(equipment="dice(3,6)", claim_detail="full", blind_pass="off")
solution = solve(rules, target=1e-5)
low, high = solution.win_bounds
print(f"whoever throws first wins {100 * low:.3f} to {100 * high:.3f} % of the rounds")


def show(title: str, **situation: object) -> None:
    """Print what is played in a situation, and how often."""
    print(title)
    for advice in solution.strategy.advise(**situation):
        if advice.probability > 0.01:
            action = format_cup_action(advice.action, rules)
            print(f"  {action:10}{advice.probability:5.0%}, wins {advice.win_probability:.1%}")


with TemporaryDirectory() as folder:
    solution.save(f"{folder}/three-dice")
    files = sorted(path.name for path in Path(folder, "three-dice").iterdir())
    print("saved as", *files)
    solution = load(f"{folder}/three-dice")

    show("I threw T J Q first:", holding="TJQ")
    show("I am offered a pair of queens with a nine:", offered="QQ9")
    show("I accepted it and see Q Q 9:", holding="QQ9", claim="QQ9")
    show(
        "I threw one of them again and see Q Q J:",
        holding="QQJ",
        claim="QQ9",
        passed="QQ9",
        thrown=1,
    )
    show(
        "One of Q Q 9 was thrown; I am told of three queens:",
        offered="QQQ",
        claim="QQ9",
        passed="QQ9",
        thrown=1,
    )

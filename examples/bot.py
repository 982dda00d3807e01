"""A player that is a program: `liarsolve arena --match` asks it, line by line (docs/bots.md).

Run it as one of the players of matches:

    liarsolve arena --match --player "python examples/bot.py" --player honest --matches 20

It believes a bid if its own dice and a third of all others bear it out, and raises as little as it
may. In cup games it accepts what it may, and makes the lowest claim.
"""

import json
import sys


def choose(message: dict) -> str:
    """Choose one of the actions that are allowed."""
    actions = message["actions"]
    if message["phase"] is not None:  # a cup game
        return next((action for action in actions if action != "liar"), actions[0])
    if not message["said"]:
        return actions[0]
    quantity, face = map(int, message["said"][-1].split("x"))
    own = [int(die) for die in message["hand"].split(",")]
    others = sum(message["dice"]) - len(own)
    is_believed = quantity <= own.count(face) + others / 3
    return actions[0] if is_believed else "liar"


def main() -> None:
    """Answer whenever the arena asks; all other messages are news."""
    line = ""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "act":
            print(json.dumps({"action": choose(message)}), flush=True)
    if not line:
        print(__doc__)  # nobody has asked anything


if __name__ == "__main__":
    main()

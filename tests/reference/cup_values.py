"""Values and best responses of the cup games, by traversing every history of the unreduced game."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple

from reference.cup import Action, Claim, Hand, Position, ReferenceCup, Seen

Number = Fraction | float
Strategy = Callable[[int, Seen, list[Action]], Mapping[Action, Number]]
"""Distribution over the actions of a player, given all that they have seen."""
Payoff = Callable[[int, int, int], Number]
"""What a player gets, given himself, the loser and the winner of the challenge."""
Bundle = list[tuple[Position, Number]]
"""Positions with their chances, all alike to one player."""


def win_or_lose(player: int, loser: int, winner: int) -> int:
    """+1 to the winner of the challenge, -1 to its loser, nothing to anybody else."""
    return (player == winner) - (player == loser)


def wins(player: int, loser: int, winner: int) -> int:
    """1 to the winner of the challenge: in expectation, the chance of winning."""
    return int(player == winner)


def survives(player: int, loser: int, winner: int) -> int:
    """1 to everybody but the loser: in expectation, the chance of not losing the round."""
    return int(player != loser)


def steps(game: ReferenceCup, at: Position, strategy: Strategy) -> list[tuple[Position, Number]]:
    """The next positions and their chances, the player whose turn it is playing ``strategy``."""
    if at.stage in ("throw", "try"):
        return list(game.chances(at))
    policy = strategy(at.player, at.seen[at.player], game.actions(at))
    return [(game.act(at, action), prob) for action, prob in policy.items() if prob]


def evaluate(
    game: ReferenceCup,
    strategy: Strategy,
    payoff: Payoff = win_or_lose,
    start: Position | None = None,
) -> list[Number]:
    """Expected payoff of each player if all play ``strategy``.

    Examples
    --------
    >>> game = ReferenceCup(n_dice=1, n_faces=2)
    >>> evaluate(game, uniform, wins)
    [Fraction(5, 8), Fraction(3, 8)]
    """
    at = game.start() if start is None else start
    players = range(game.n_players)
    if at.stage == "end":
        return [Fraction(payoff(seat, at.player, at.rival)) for seat in players]
    total: list[Number] = [Fraction(0)] * game.n_players
    for after, prob in steps(game, at, strategy):
        gains = evaluate(game, strategy, payoff, after)
        total = [sum_ + prob * gain for sum_, gain in zip(total, gains, strict=True)]
    return total


def best_response(
    game: ReferenceCup,
    player: int,
    strategy: Strategy,
    payoff: Payoff = win_or_lose,
    start: Position | None = None,
) -> Number:
    """Most that ``player`` can expect while all others play ``strategy``.

    They decide once for all positions that look alike to them. Nobody forgets what they have seen,
    so those positions come apart in later decisions as own observations differ, and never join.
    """
    at = game.start() if start is None else start

    def value(bundle: Bundle) -> Number:
        settled: Number = Fraction(0)
        decisions: dict[Seen, Bundle] = {}
        waiting = list(bundle)
        while waiting:
            position, prob = waiting.pop()
            if position.stage == "end":
                settled += prob * payoff(player, position.player, position.rival)
            elif position.stage in ("claim", "answer", "keep") and position.player == player:
                decisions.setdefault(position.seen[player], []).append((position, prob))
            else:
                waiting += [
                    (after, prob * chance) for after, chance in steps(game, position, strategy)
                ]
        for alike in decisions.values():
            options = game.actions(alike[0][0])
            settled += max(
                value([(game.act(position, action), prob) for position, prob in alike])
                for action in options
            )
        return settled

    return value([(at, Fraction(1))])


def nash_conv(game: ReferenceCup, strategy: Strategy, payoff: Payoff = win_or_lose) -> Number:
    """What the players could still gain by best responses, one at a time, summed."""
    now = evaluate(game, strategy, payoff)
    return sum(
        best_response(game, seat, strategy, payoff) - now[seat] for seat in range(game.n_players)
    )


def uniform(player: int, seen: Seen, actions: list[Action]) -> dict[Action, Fraction]:
    return {action: Fraction(1, len(actions)) for action in actions}


def seeded(seed: object) -> Strategy:
    """A fixed strategy out of a hash of what is seen, with zeros among its chances."""

    def policy(player: int, seen: Seen, actions: list[Action]) -> dict[Action, Fraction]:
        digest = sha256(repr((seed, player, seen)).encode()).digest()
        weights = [digest[i % len(digest)] % 5 for i in range(len(actions))]
        if not any(weights):
            weights[digest[-1] % len(weights)] = 1
        total = sum(weights)
        return {
            action: Fraction(weight, total) for action, weight in zip(actions, weights, strict=True)
        }

    return policy


def mixture(strategies: Sequence[Strategy]) -> Strategy:
    """Strategy of seat i taken from ``strategies[i]``."""

    def policy(player: int, seen: Seen, actions: list[Action]) -> Mapping[Action, Number]:
        return strategies[player](player, seen, actions)

    return policy


class Stage(NamedTuple):
    """What is common knowledge since a hand was last accepted and seen, and what came of it."""

    held: Hand | None = None
    """The hand accepted, known to whoever passed it and whoever looked; None before the first."""
    over: Claim | None = None
    """The claim that was accepted with it."""
    thrown: int | None = None
    """How many dice were then thrown, if that was said."""
    kept: Hand | None = None
    """Which dice the player then kept."""
    new: Hand | None = None
    """The hand that the player then threw."""
    claim: Claim | None = None
    """The standing claim."""


def read_stage(seen: Seen) -> Stage:
    """Forget all that a player has seen but the last stage, between two looks of theirs.

    Examples
    --------
    >>> coin = Claim((1,), (1,), ())
    >>> read_stage((("hand", (2,)), (0, "claim", coin), (1, "accept"), (1, "throws", 1)))
    ... # doctest: +NORMALIZE_WHITESPACE
    Stage(held=(2,), over=Claim(category=(1,), groups=(1,), kickers=()), thrown=1, kept=None,
          new=None, claim=None)
    """
    at, is_looking = Stage(), False
    for event in seen:
        if event[0] == "hand" and is_looking:
            at, is_looking = at._replace(held=event[1]), False
        elif event[0] == "hand":
            at = at._replace(new=event[1])
        elif event[0] == "keep":
            at = at._replace(kept=event[1])
        elif event[1] == "accept":
            # Whoever passed the hand goes by the own throw; whoever accepted it sees it next.
            is_looking = at.new is None
            at = Stage(held=at.new, over=at.claim)
        elif event[1] == "blind":
            # To whoever knows the hand, as if the other had looked, kept all and claimed.
            at = Stage(held=at.new, over=at.claim, thrown=None, claim=event[2])
        elif event[1] == "throws":
            at = at._replace(thrown=event[2])
        elif event[1] == "claim":
            at = at._replace(claim=event[2])
        else:
            raise ValueError(f"stages end with looking, got {event}")
    return at

"""Advice in words that a player understands."""

import textwrap
from typing import TYPE_CHECKING

from liarsolve.cli._progress import format_seconds
from liarsolve.cli.bidding.certificate import (
    describe_stop,
    format_bounds,
    format_exploitability,
    pays_by_winning,
)
from liarsolve.cli.bidding.opening import format_worth
from liarsolve.cli.bidding.situation import Situation, gain_by_best_reply, p_true_after_bids
from liarsolve.dice import format_hand
from liarsolve.dice.words import spell_bid
from liarsolve.odds import format_percent
from liarsolve.rules import CHALLENGE, Bid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from liarsolve.rules import Action
    from liarsolve.strategy import Advice, Solution

_WIDTH = 80
_RARE = 0.001
"""Actions and positions that come less often count as never."""
_NOTABLE_GAIN = 0.01
_WEAK = 0.05
"""Exploitability, half of nash_conv, from which on advice is called a guess: one round in twenty
is lost by it."""


def show_advice(
    solution: "Solution", situation: Situation, advice: "Sequence[Advice]", *, show_all: bool
) -> None:
    """Print the recommendation, the odds, the actions and what the answer rests on."""
    from rich.console import Console

    is_chance = pays_by_winning(solution)
    if solution.result.is_walked is False:
        _print("How good this advice is was not measured (see below).")
    elif solution.nash_conv > 2 * _WEAK:
        _print(
            "This is a first guess: the solver has not come far in the time it had (see below). "
            "Give it more with --max-seconds, or load a solved strategy."
        )
    _print(_recommend(situation, advice))
    if situation.last_bid is not None:
        _print(_weigh_bid(solution, situation, advice))
    shown = [a for a in advice if show_all or a.probability >= _RARE]
    Console(highlight=False).print(_action_table(shown, is_chance=is_chance))
    n_hidden = len(advice) - len(shown)
    if n_hidden:
        others = "One other is" if n_hidden == 1 else f"{n_hidden} others are"
        _print(f"{others} hardly ever played; --all lists {'it' if n_hidden == 1 else 'them'}.")
    for note in _notes(solution, situation, advice):
        _print(note)
    _print(_basis(solution))


def _print(sentence: str) -> None:
    print(textwrap.fill(sentence, _WIDTH, break_long_words=False, break_on_hyphens=False))


def _recommend(situation: Situation, advice: "Sequence[Advice]") -> str:
    start = f"You hold {format_hand(situation.hand)} and "
    last = situation.last_bid
    start += "open the round: " if last is None else f"must answer {last}: "
    return start + describe_mixture(advice, is_opening=last is None) + "."


def describe_mixture(advice: "Sequence[Advice]", *, is_opening: bool) -> str:
    """Say what to do and how often, at most three actions."""
    return join_mixture(
        [(_describe_action(a.action, is_opening=is_opening), a.probability) for a in advice]
    )


def join_mixture(actions: "Sequence[tuple[str, float]]") -> str:
    """Join at most three actions, given with their probability, the most frequent first.

    >>> join_mixture([("accept", 0.71), ("challenge", 0.29)])
    'accept (7 times in 10) or challenge (3 times in 10)'
    """
    (name, probability), *others = actions
    if probability >= 0.995:
        return name
    if probability >= 0.95:
        return f"{name}, almost always"
    named = [(name, probability), *((n, p) for n, p in others[:2] if p >= 0.05)]
    words = [f"{n} ({_describe_frequency(p)})" for n, p in named]
    if 1.0 - sum(p for _, p in named) >= 0.05:
        words.append("something else")
    return ", ".join(words[:-1]) + (" or " if len(words) > 1 else "") + words[-1]


def _describe_action(action: "Action", *, is_opening: bool) -> str:
    if isinstance(action, Bid):
        return f"bid {action}" if is_opening else f"raise to {action}"
    return "call liar" if action is CHALLENGE else "call exact"


def _describe_frequency(probability: float) -> str:
    """Say how often in ten, as people count.

    >>> _describe_frequency(0.68), _describe_frequency(0.06)
    ('7 times in 10', 'once in 10')
    """
    tenths = min(max(round(10 * probability), 1), 9)
    return "once in 10" if tenths == 1 else f"{tenths} times in 10"


def _weigh_bid(solution: "Solution", situation: Situation, advice: "Sequence[Advice]") -> str:
    """Say how likely the standing bid is, before and after reading the bids."""
    bid, by_dice = situation.last_bid, situation.p_true()
    if bid is None or by_dice is None:
        return ""
    words = spell_bid(bid.quantity, bid.face).capitalize()
    if by_dice in (0.0, 1.0):
        return (
            f"{words} {'must' if by_dice else 'cannot'} be true, whatever "
            f"{_others(situation, 'holds', 'hold')}."
        )
    words += f" {'is' if bid.quantity == 1 else 'are'} true with {format_percent(by_dice)} % "
    words += "by the dice alone"
    after_bids = p_true_after_bids(advice, solution.result.payoffs, situation)
    if after_bids is not None:
        words += (
            f", and with {format_percent(after_bids)} % given the bids, if "
            f"{_others(situation, 'bids', 'bid')} by the strategy"
        )
    return words + "."


def _action_table(advice: "Sequence[Advice]", *, is_chance: bool) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE)
    table.add_column("action")
    table.add_column("how often", justify="right")
    if is_chance:
        table.add_column("you win", justify="right")
    table.add_column("expected value", justify="right")
    for a in advice:
        chance = [format_worth(a.expected_value, is_chance=True)] if is_chance else []
        table.add_row(
            str(a.action),
            f"{100 * a.probability:.1f} %",
            *chance,
            format_worth(a.expected_value, is_chance=False),
        )
    return table


def _notes(solution: "Solution", situation: Situation, advice: "Sequence[Advice]") -> "list[str]":
    """Say where the certificate of the whole round says little about this position."""
    notes = []
    rival_reach = situation.rival_reach(solution.strategy)
    if rival_reach < _RARE:
        how = "hardly ever" if rival_reach > 0.0 else "never"
        holds = "he holds" if situation.round.n_players == 2 else "they hold"
        notes.append(
            f"By the strategy {_others(situation)} would {how} have bid like this, so what {holds} "
            + ("is little more than a guess." if rival_reach > 0.0 else "is taken to be random.")
        )
    if situation.own_reach(solution.strategy) < _RARE:
        notes.append("By the strategy you would not have bid like this with your hand.")
    gain = gain_by_best_reply(advice)
    if gain > _NOTABLE_GAIN:
        best = max(advice, key=lambda a: a.expected_value)
        name = _describe_action(best.action, is_opening=not situation.bids)
        notes.append(
            f"Here the strategy is not at its best: to {name} is worth {gain:.3f} more than the "
            "mixture."
        )
    return notes


def _others(situation: Situation, one: str = "", more: str = "") -> str:
    """Name the other player or players, with a verb for one or for more."""
    words = f"the other player {one}" if situation.round.n_players == 2 else f"the others {more}"
    return words.strip()


def _basis(solution: "Solution") -> str:
    result = solution.result
    if not solution.is_measured:
        time = format_seconds(result.seconds)
        return f"This rests on {solution.rests_on}. Solved in {time}: {describe_stop(solution)}."
    if not solution.has_value:
        return (
            "This rests on strategies for the whole round by which all "
            f"{len(solution.dice)} players together could gain at most "
            f"{format_exploitability(solution.nash_conv)} a round, each by leaving his alone; "
            "there may be other equilibria with other advice. Solved in "
            f"{format_seconds(result.seconds)}: {describe_stop(solution)}."
        )
    if solution.abstraction is not None:
        time = format_seconds(result.seconds)
        return f"This rests on {solution.rests_on}; solved in {time}: {describe_stop(solution)}."
    lower, upper = format_bounds(*solution.value_bounds)
    return (
        "This rests on strategies for the whole round that lose at most "
        f"{format_exploitability(solution.exploitability)} a round on average to a perfect "
        f"opponent (value {lower} to {upper} for the first bidder); solved in "
        f"{format_seconds(result.seconds)}: {result.stop.value}."
    )

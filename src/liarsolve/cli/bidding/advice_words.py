"""Advice in words that a player understands."""

from typing import TYPE_CHECKING

from liarsolve.cli._page import page_width, print_text, show_table
from liarsolve.cli._progress import format_seconds
from liarsolve.cli.bidding.certificate import (
    describe_stop,
    format_bounds,
    format_exploitability,
    pays_by_winning,
)
from liarsolve.cli.bidding.opening import format_worth
from liarsolve.dice import format_hand
from liarsolve.dice.words import spell_bid
from liarsolve.odds import format_percent
from liarsolve.rules import CHALLENGE, Bid
from liarsolve.strategy import BiddingSituation, gain_by_best_reply, p_true_after_bids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from liarsolve.rules import Action
    from liarsolve.strategy import Advice, BiddingSolution, Recommendation

_NARROW = 60
"""Columns up to which the headings of tables take two lines."""
_RARE = 0.001
"""Actions and positions that come less often count as never."""
_NOTABLE_GAIN = 0.01
_WEAK = 0.05
"""Exploitability, half of nash_conv, from which on advice is called a guess: one round in twenty
is lost by it."""


def show_advice(
    solution: "BiddingSolution",
    situation: BiddingSituation,
    recommended: "Recommendation",
    *,
    show_all: bool,
) -> None:
    """Print the recommendation, the odds, the actions and what the answer rests on."""
    from liarsolve.solvers import BoundedLoss, Unmeasured

    is_chance, certificate = pays_by_winning(solution), solution.certificate
    if isinstance(certificate, BoundedLoss | Unmeasured):
        print_text("How good this advice is was not measured (see below).")
    elif certificate.nash_conv > 2 * _WEAK:
        print_text(
            "This is a first guess: the solver has not come far in the time it had (see below). "
            "Give it more with --max-seconds, or load a solved strategy."
        )
    print_text(_recommend(situation, recommended))
    if recommended.basis.is_by_value:
        print_text(f"This goes by the expected values: {recommended.basis.value}.")
    if situation.last_bid is not None:
        print_text(_weigh_bid(solution, situation, recommended.advice))
    chosen = dict(recommended.choice)
    advice = recommended.advice
    if recommended.basis.is_by_value:  # what is advised comes first, however rarely it is played
        advice = tuple(sorted(advice, key=lambda a: a.action not in chosen))
    shown = [a for a in advice if show_all or a.probability >= _RARE or a.action in chosen]
    show_table(_action_table(shown, is_chance=is_chance))
    n_hidden = len(advice) - len(shown)
    if n_hidden:
        print_text(describe_unlisted(n_hidden))
    for note in _notes(situation, recommended):
        print_text(note)
    print_text(_basis(solution))


def _recommend(situation: BiddingSituation, recommended: "Recommendation") -> str:
    start = f"You, at seat {recommended.seat}, hold {format_hand(situation.hand)} and "
    last = situation.last_bid
    start += "open the round: " if last is None else f"must answer {last}: "
    return start + describe_mixture(recommended.choice, is_opening=last is None) + "."


def describe_unlisted(n_actions: int) -> str:
    """Say that actions were left out, and how to see them.

    >>> describe_unlisted(1), describe_unlisted(2)  # doctest: +NORMALIZE_WHITESPACE
    ('One other is hardly ever played; --all lists it.',
     '2 others are hardly ever played; --all lists them.')
    """
    if n_actions == 1:
        return "One other is hardly ever played; --all lists it."
    return f"{n_actions} others are hardly ever played; --all lists them."


def describe_mixture(choice: "Sequence[tuple[Action, float]]", *, is_opening: bool) -> str:
    """Say what to do and how often, at most three actions."""
    return join_mixture(
        [(_describe_action(action, is_opening=is_opening), share) for action, share in choice]
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


def _weigh_bid(
    solution: "BiddingSolution", situation: BiddingSituation, advice: "Sequence[Advice]"
) -> str:
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

    is_estimate = any(a.standard_error > 0.0 for a in advice)
    headings = ["how often", *(["you win"] if is_chance else []), "expected value"]
    headings += ["give or take"] if is_estimate else []
    table = Table(box=box.SIMPLE, pad_edge=page_width() >= _NARROW)
    table.add_column("action", no_wrap=True)
    for heading in headings:
        if page_width() < _NARROW:
            heading = "\n".join(heading.rsplit(" ", 1))
        table.add_column(heading, justify="right", no_wrap=True)
    for a in advice:
        cells = [format_worth(a.expected_value, is_chance=True)] if is_chance else []
        cells.append(format_worth(a.expected_value, is_chance=False))
        cells += [f"{2 * a.standard_error:.3f}"] if is_estimate else []
        table.add_row(str(a.action), f"{100 * a.probability:.1f} %", *cells)
    return table


def _notes(situation: BiddingSituation, recommended: "Recommendation") -> "list[str]":
    """Say where the certificate of the whole round says little about this position."""
    notes = []
    rival_reach = recommended.rival_reach
    if rival_reach < _RARE:
        how = "hardly ever" if rival_reach > 0.0 else "never"
        notes.append(
            f"By the strategy {_others(situation)} would {how} have bid like this, so what they "
            "hold "
            + ("is little more than a guess." if rival_reach > 0.0 else "is taken to be random.")
        )
    if recommended.own_reach < _RARE:
        notes.append("By the strategy you would not have bid like this with your hand.")
    gain = gain_by_best_reply(recommended.advice)
    if gain > _NOTABLE_GAIN and not recommended.basis.is_by_value:
        best = max(recommended.advice, key=lambda a: a.expected_value)
        name = _describe_action(best.action, is_opening=not situation.bids)
        notes.append(
            f"Here the strategy is not at its best: to {name} is worth {gain:.3f} more than the "
            "mixture."
        )
    return notes


def _others(situation: BiddingSituation, one: str = "", more: str = "") -> str:
    """Name the other player or players, with a verb for one or for more."""
    words = f"the other player {one}" if situation.round.n_players == 2 else f"the others {more}"
    return words.strip()


def _basis(solution: "BiddingSolution") -> str:
    from liarsolve.solvers import Certificate, ProfileCertificate

    solved = f"olved in {format_seconds(solution.seconds)}: "
    match solution.certificate:
        case ProfileCertificate(nash_conv=nash_conv):
            return (
                "This rests on strategies for the whole round by which all "
                f"{solution.n_players} players together could gain at most "
                f"{format_exploitability(nash_conv)} a round, each by leaving theirs alone; "
                f"there may be other equilibria with other advice. S{solved}"
                f"{describe_stop(solution)}."
            )
        case Certificate(exploitability=loss) if solution.abstraction is None:
            assert solution.value_bounds is not None
            lower, upper = format_bounds(*solution.value_bounds)
            return (
                "This rests on strategies for the whole round that lose at most "
                f"{format_exploitability(loss)} a round on average to a perfect opponent (value "
                f"{lower} to {upper} for the first bidder); s{solved}{describe_stop(solution)}."
            )
    stop = "; s" if solution.exploitability is not None else ". S"
    return f"This rests on {solution.rests_on}{stop}{solved}{describe_stop(solution)}."

"""The argument ``--position``: where a match stands and what was said, in one line."""

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from liarsolve.cli._page import print_text
from liarsolve.errors import InputError, LiarsolveError

if TYPE_CHECKING:
    from liarsolve.strategy import Position, Situation

_SAID = (
    *("rules", "set_options", "faces", "dice", "palifico", "history", "hand", "holding"),
    *("seat", "players", "claim", "passed", "thrown", "offered", "total", "unseen", "own", "wild"),
)
"""Arguments of which a position says what they are about."""


def add_position_argument(parser: argparse._ActionsContainer) -> None:
    """Add ``--position``, which `take_position` reads."""
    parser.add_argument(
        "--position",
        metavar="LINE",
        help="in place of rules, dice, hand and what was said: all of it in one line, such as "
        "'perudo; dice 2,0,1; starts 3; hand 3,3; said 1x3'",
    )


def take_position(args: argparse.Namespace, *, also: Iterable[str] = ()) -> "Position | None":
    """Turn ``--position`` into the arguments that say the same; None if there is none.

    Arguments named in ``also`` may be given beside it.

    Raises
    ------
    InputError
        If other arguments say what the position says.
    LiarsolveError
        As `liarsolve.strategy.parse_position`.
    """
    if args.position is None:
        return None
    from liarsolve.rules import CupRules
    from liarsolve.rules.rules_text import format_rules
    from liarsolve.strategy import parse_position

    for name in _SAID:
        if name not in also and getattr(args, name, None) not in (None, False, []):
            flag = "--set" if name == "set_options" else f"--{name}"
            raise InputError(f"--position says it all, so {flag} would do nothing; leave one out")
    position = parse_position(args.position)
    preset, *options = format_rules(position.rules).split()
    args.rules, args.set_options = preset, options
    if isinstance(position.rules, CupRules):
        _take_cup(args, position)
    else:
        _take_bidding(args, position)
    return position


def _take_bidding(args: argparse.Namespace, position: "Position") -> None:
    from liarsolve.dice import format_hand

    round_ = position.round
    if round_.ex_palifico:
        raise InputError(
            "palifico_face=ex_palifico_may_change goes by who has had a palifico round, which this "
            "command does not know; take one_die_may_change, locked_all or none"
        )
    args.dice = ",".join(map(str, round_.dice))
    args.palifico = round_.palifico
    args.history = " ".join(map(str, position.said))
    if position.hand is not None and position.player is not None:
        args.hand = format_hand(position.hand)
        args.seat = position.seats.index(position.player) + 1


def _take_cup(args: argparse.Namespace, position: "Position") -> None:
    from liarsolve.rules import CupRules

    rules = position.rules
    assert isinstance(rules, CupRules)  # the caller has asked
    for name in ("hand", "passed"):
        hand = getattr(position, name)
        setattr(args, name, None if hand is None else rules.format_hand(hand))
    for name in ("claim", "offered"):
        claim = getattr(position, name)
        setattr(args, name, None if claim is None else rules.format_claim(claim))
    args.thrown = position.thrown
    args.players = len(position.score.live)


def take_claim_position(args: argparse.Namespace, position: "Position") -> None:
    """Ask for the odds of the claim that a position of a cup game offers.

    Raises
    ------
    InputError
        If no claim is offered there.
    """
    if args.offered is None:
        raise InputError(
            "odds are about the claim that is offered, and this position has none; say offered, "
            "or ask advise"
        )
    args.claim, args.hand = args.offered, args.passed
    if position.passed is None:
        args.thrown = None


def write_position(
    position: "Position | None", situation: "Situation", n_players: int = 2
) -> str | None:
    """Write where advice was asked for; None where rules and dice make no match.

    A situation under a cup does not say how many players there are; ``n_players`` does.

    Without a position that was given it is a round by itself, the first bidder at seat 1.
    """
    from liarsolve.strategy import format_position, position_of

    try:
        return format_position(position or position_of(situation, n_players=n_players))
    except LiarsolveError:
        return None


def print_position(position: "Position | None", situation: "Situation", n_players: int = 2) -> None:
    """Print that line, and how seats are counted above, if not as in it."""
    line = write_position(position, situation, n_players)
    if line is not None:
        print_text(f"Position: {line}")
    print_seat_remark(position)


def print_seat_remark(position: "Position | None") -> None:
    """Say how seats are counted above, if not as in the position that was given."""
    if position is not None and position.score.starter != 0:
        print_text(
            "Above, seats count from the starter of the round, who is seat "
            f"{position.score.starter + 1} of the position."
        )

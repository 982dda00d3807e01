"""The command ``liarsolve odds``: the odds of a bid and its neighbours, of all bids, of a claim."""

import argparse
import json
from typing import TYPE_CHECKING

from liarsolve.cli.cup.odds import (
    EXAMPLES,
    add_claim_arguments,
    is_about_a_cup,
    run_claim_odds,
)
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from liarsolve.odds import CountDistribution, OddsTable
    from liarsolve.rules import Bid

_EXAMPLES = """\
examples:
  liarsolve odds --bid 9x6 --total 25 --hand 6,6,1,2,3
  liarsolve odds --bid 4x1 --unseen 10 --own 2
  liarsolve odds --total 10 --hand 3,3,1,5,6         all bids"""

_LADDER_FACES = 5
"""How far the faces beside that of the bid reach: all of them on ordinary dice."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = f"{_EXAMPLES}\n\n{EXAMPLES}"
    parser.add_argument("--bid", metavar="QxF", help="9x6 is nine sixes; without it, all bids")
    parser.add_argument("--total", type=int, metavar="N", help="all dice on the table, yours too")
    parser.add_argument("--unseen", type=int, metavar="N", help="or only the dice of the others")
    parser.add_argument("--hand", metavar="A,B,...", help="the dice you hold: 6,6,1,2,3 or JJQ9T")
    parser.add_argument(
        "--own", type=int, metavar="N", help="or only how many of yours match; goes with --unseen"
    )
    parser.add_argument("--wild", default="1", metavar="F", help="the wild face (1), or none")
    parser.add_argument("--sides", type=int, default=6, metavar="N", help="faces of a die (6)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_claim_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Print the odds of one bid, of all, or of a claim."""
    from liarsolve.dice import parse_hand

    if is_about_a_cup(args):
        run_claim_odds(args)
        return 0
    if args.sides < 1:
        raise InputError(f"--sides must be 1 or more, got {args.sides}")
    hand = () if args.hand is None else parse_hand(args.hand, args.sides)
    wild = _parse_wild(args.wild)
    if args.bid is None:
        _print_table(args, hand, wild)
    else:
        _print_bid(args, hand, wild)
    return 0


def _parse_wild(text: str) -> int | None:
    if text == "none":
        return None
    try:
        return int(text)
    except ValueError:
        raise InputError(f"--wild must be a face such as 1, or none, got {text!r}") from None


def _print_table(args: argparse.Namespace, hand: tuple[int, ...], wild: int | None) -> None:
    from liarsolve.odds import count_distribution, odds_table

    if args.own is not None:
        raise InputError("--own belongs to one face, so it needs --bid; give --hand for all bids")
    unseen = count_distribution(
        1, args.unseen, total=args.total, hand=hand, wild=wild, sides=args.sides
    ).unseen
    table = odds_table(unseen + len(hand), hand=hand, wild=wild, sides=args.sides)
    print(json.dumps(_table_report(table)) if args.json else table)


def _table_report(table: "OddsTable") -> dict[str, object]:
    rows = [
        {"faces": row.faces, "own": row.own, "p_at_least": row.p_at_least} for row in table.rows
    ]
    return {
        "total": table.total,
        "hand": table.hand,
        "wild": table.wild,
        "sides": table.sides,
        "rows": rows,
    }


def _print_bid(args: argparse.Namespace, hand: tuple[int, ...], wild: int | None) -> None:
    from liarsolve.odds import count_distribution
    from liarsolve.rules import Bid

    bid = Bid.parse(args.bid)

    def law_of(face: int) -> "CountDistribution":
        return count_distribution(
            face,
            args.unseen,
            total=args.total,
            hand=hand,
            own=args.own,
            wild=wild,
            sides=args.sides,
        )

    rungs = [
        (rung, law_of(rung.face))
        for rung in _iter_ladder(bid, args.sides, one_face=args.own is not None)
    ]
    ladder = [(rung, law) for rung, law in rungs if rung == bid or rung.quantity <= law.support[1]]
    if args.json:
        print(json.dumps(_bid_report(bid, law_of(bid.face), hand, ladder)))
    else:
        _show_bid(bid, law_of(bid.face), hand, ladder)


def _iter_ladder(bid: "Bid", sides: int, *, one_face: bool) -> "Iterator[Bid]":
    """List bids in rising order: the face with one less to two more dice, other faces between."""
    from liarsolve.rules import Bid

    if bid.quantity > 1:
        yield Bid(bid.quantity - 1, bid.face)
    for face in range(1, sides + 1):
        if face == bid.face or (abs(face - bid.face) <= _LADDER_FACES and not one_face):
            yield Bid(bid.quantity, face)
    yield Bid(bid.quantity + 1, bid.face)
    yield Bid(bid.quantity + 2, bid.face)


def _odds_report(bid: "Bid", law: "CountDistribution") -> dict[str, object]:
    return {
        "bid": str(bid),
        "quantity": bid.quantity,
        "face": bid.face,
        "own": law.own,
        "p_at_least": law.at_least(bid.quantity),
        "p_exactly": law.exactly(bid.quantity),
        "p_fewer": law.fewer(bid.quantity),
    }


def _bid_report(
    bid: "Bid",
    law: "CountDistribution",
    hand: tuple[int, ...],
    ladder: "list[tuple[Bid, CountDistribution]]",
) -> dict[str, object]:
    return _odds_report(bid, law) | {
        "needed": max(bid.quantity - law.own, 0),
        "unseen": law.unseen,
        "hand": hand,
        "wild": law.wild,
        "sides": law.sides,
        "largest_even_quantity": law.max_bid(0.5),
        "ladder": [_odds_report(rung, rung_law) for rung, rung_law in ladder],
    }


def _show_bid(
    bid: "Bid",
    law: "CountDistribution",
    hand: tuple[int, ...],
    ladder: "list[tuple[Bid, CountDistribution]]",
) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from liarsolve.dice.words import spell_bid

    console = Console(highlight=False)
    q = bid.quantity
    words = spell_bid(q, bid.face).capitalize()
    console.print(f"{words}: {_explain(bid, law, hand)}", soft_wrap=True)

    true, exact, false = _percents(bid, law)
    answers = Table(box=box.SIMPLE, show_header=False)
    answers.add_column()
    answers.add_column(justify="right")
    answers.add_row(f"true, {q} or more", f"{true} %")
    answers.add_row(f"exactly {q}", f"{exact} %")
    answers.add_row(f"false, {q - 1} or fewer" if q > 1 else "false, none", f"{false} %")
    console.print(answers)

    rungs = Table(box=box.SIMPLE, title="Bids around it", title_justify="left")
    for heading in ("bid", "yours", "true %", "exactly %", "false %"):
        rungs.add_column(heading, justify="right")
    for rung, rung_law in ladder:
        style = "bold" if rung == bid else None
        rungs.add_row(str(rung), str(rung_law.own), *_percents(rung, rung_law), style=style)
    console.print(rungs)
    even = law.max_bid(0.5)
    if even > 0:
        console.print(
            f"The highest bid on this face that is at least even is {spell_bid(even, bid.face)}.",
            soft_wrap=True,
        )


def _percents(bid: "Bid", law: "CountDistribution") -> tuple[str, str, str]:
    """Write the odds of truth, exactness and falsehood."""
    from liarsolve.odds import format_percent

    return (
        format_percent(float(law.at_least(bid.quantity))),
        format_percent(float(law.exactly(bid.quantity))),
        format_percent(float(law.fewer(bid.quantity))),
    )


def _explain(bid: "Bid", law: "CountDistribution", hand: tuple[int, ...]) -> str:
    """Say what the hidden dice must show, in one sentence."""
    needed = bid.quantity - law.own
    start = _describe_own(bid, law, hand)
    hidden = f"the {law.unseen} hidden dice" if law.unseen != 1 else "the hidden die"
    if needed <= 0:
        return f"{start}, so the bid is true whatever {hidden} may show."
    if needed > law.unseen:
        return f"{start}, so {needed} more would have to match, and only {law.unseen} are hidden."
    if law.unseen == 1:
        return f"{start}, so {hidden} must match, which it does with a chance of {law.hit_prob}."
    return (
        f"{start}, so at least {needed} of {hidden} must match, and each does with a chance of "
        f"{law.hit_prob}."
    )


def _describe_own(bid: "Bid", law: "CountDistribution", hand: tuple[int, ...]) -> str:
    from liarsolve.dice.words import count_word, face_word, spell_bid

    if not hand:
        return f"you hold {law.own or 'none'}"
    n_plain = hand.count(bid.face)
    n_wild = law.own - n_plain
    parts = []
    if n_plain:
        parts.append(spell_bid(n_plain, bid.face))
    if n_wild and law.wild is not None:
        number = "a" if n_wild == 1 else count_word(n_wild)
        parts.append(f"{number} wild {face_word(law.wild, count=n_wild)}")
    return f"you hold {law.own or 'none'}" + (f" ({' and '.join(parts)})" if parts else "")

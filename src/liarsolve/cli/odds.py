"""The command ``liarsolve odds``: the odds of a bid and its neighbours, of all bids, of a claim."""

import argparse

from liarsolve.cli._position import (
    add_position_argument,
    print_seat_remark,
    take_claim_position,
    take_position,
)
from liarsolve.cli._rule_arguments import add_option_arguments
from liarsolve.cli.bidding.believe import BELIEVE_HELP
from liarsolve.cli.cup.arguments import given_flags, is_cup_preset
from liarsolve.cli.cup.odds import (
    EXAMPLES,
    add_claim_arguments,
    asks_for_claim,
    run_claim_odds,
)
from liarsolve.errors import InputError

_EXAMPLES = """\
examples:
  liarsolve odds --bid 9x6 --total 25 --hand 6,6,1,2,3
  liarsolve odds --bid 4x1 --unseen 10 --own 2
  liarsolve odds --bid 9x6 --total 25 --rules perudo
  liarsolve odds --total 10 --hand 3,3,1,5,6         all bids
  liarsolve odds --dice 5,5 --history 2x3,4x3 --hand 1,2,3,5,6
                     the standing bid, by what the bids say about the dice
  liarsolve odds --position "perudo; dice 2,0,1; starts 3; hand 3,3; said 1x3"
                     the same, of a match"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = f"{_EXAMPLES}\n\n{EXAMPLES}"
    parser.add_argument(
        "--rules",
        metavar="PRESET",
        help="rules of bidding (default: liars_dice) or of a cup game (default with --claim: "
        "classic); `liarsolve rules` lists them",
    )
    add_option_arguments(parser, also_sides=True)
    parser.add_argument(
        "--hand", metavar="A,B,...", help="the dice you hold: 6,6,1,2,3, or JJQ9T under a cup"
    )
    add_position_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    _add_bid_arguments(parser)
    add_claim_arguments(parser)


def _add_bid_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("bids on the dice of all players")
    group.add_argument(
        "--bid",
        metavar="QxF",
        help="9x6 is nine sixes; without it, the last of --history, or all bids",
    )
    group.add_argument("--total", type=int, metavar="N", help="all dice on the table, yours too")
    group.add_argument("--unseen", type=int, metavar="N", help="or only the dice of the others")
    group.add_argument(
        "--dice", metavar="A,B,...", help="or the dice of each player, the first bidder's first"
    )
    group.add_argument(
        "--own", type=int, metavar="N", help="or only how many of yours match; goes with --unseen"
    )
    group.add_argument(
        "--wild", metavar="F", help="in place of --rules: the wild face, throughout, or none"
    )
    group.add_argument(
        "--palifico", action="store_true", help="a palifico round, in which no face is wild"
    )
    group.add_argument(
        "--history", metavar="BIDS", help="the bids so far, such as 2x3,4x3; needs --dice"
    )
    group.add_argument(
        "--seat",
        type=int,
        metavar="N",
        help="your seat, 1 for the first bidder (default: the one on turn)",
    )
    group.add_argument("--believe", metavar="HOW", help=BELIEVE_HELP)


def run(args: argparse.Namespace) -> int:
    """Print the odds of one bid, of all, or of a claim."""
    position = take_position(args)
    if position is not None:
        _refuse_other_family(args)
        if is_cup_preset(args.rules):
            take_claim_position(args, position)
    flag = asks_for_claim(args)
    if flag is not None and args.bid is not None:
        raise InputError(f"--bid is about bidding and {flag} about a cup game; leave out one")
    if flag is not None or is_cup_preset(args.rules):
        run_claim_odds(args)
        return 0
    from liarsolve.cli.bidding.odds import answer_bid, answer_table
    from liarsolve.cli.bidding.odds_question import read_bid_question

    question = read_bid_question(args)
    if question.bid is None:
        answer_table(question, as_json=args.json)
    else:
        answer_bid(question, question.bid, as_json=args.json)
    if not args.json:
        print_seat_remark(position)
    return 0


def _refuse_other_family(args: argparse.Namespace) -> None:
    """Refuse arguments about another kind of game than that of the position."""
    is_cup = is_cup_preset(args.rules)
    flags = given_flags(args, ("bid", "believe") if is_cup else ("beat", "keep", "throws"))
    if flags:
        held, other = ("a cup game", "bidding") if is_cup else ("bidding", "a cup game")
        raise InputError(f"{flags[0]} is about {other}, and the position about {held}")

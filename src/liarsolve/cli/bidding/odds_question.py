"""What ``liarsolve odds`` is asked about bids, read and checked against the rules."""

import argparse
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from liarsolve.cli._rule_arguments import parse_history, parse_table, rules_from
from liarsolve.cli.bidding.believe import Reading, parse_reading
from liarsolve.errors import GameTooLargeError, IllegalActionError, InputError
from liarsolve.rules import (
    Bid,
    HandBonus,
    OnesSlot,
    PublicState,
    Round,
    RuleSet,
    Wild,
    WildUntil,
    get_preset,
)
from liarsolve.rules.bidding.bid_order import biddable_faces

if TYPE_CHECKING:
    from liarsolve.dice import Hand

DEFAULT_RULES = "liars_dice"

_MOST_BIDS = 100_000
"""Bids of a round whose history is checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidQuestion:
    """A bid, or all of them, at a table of which so much is known."""

    rules: RuleSet
    """The order of the bids; ``wild`` and the lock go by it unless ``plain_wild`` says so."""
    is_told_rules: bool
    """Whether the rules were named or changed, rather than taken by default."""
    has_plain_wild: bool
    """Whether ``--wild`` names the wild face, which then is wild throughout."""
    plain_wild: int | None
    palifico: bool
    bid: Bid | None
    """``None`` asks for the table of all bids."""
    hand: "Hand | None"
    own: int | None
    total: int | None
    unseen: int | None
    dice: tuple[int, ...] | None
    seat: int | None
    """The seat whose hand is known, from 1."""
    history: tuple[Bid, ...] | None
    """Bids so far; ``None`` if nothing is known of them."""
    reading: Reading | None
    """What the bids of the others are taken to say; ``None`` without such bids."""

    @property
    def named_rules(self) -> RuleSet | None:
        """The rules, if they say all that is asked; no rules have every wild face."""
        if not self.has_plain_wild:
            return self.rules
        wild = Wild.NONE if self.plain_wild is None else {
            1: Wild.ONES, self.rules.faces: Wild.TOP_FACE
        }.get(self.plain_wild)  # fmt: skip
        if wild is None:
            return None
        return replace(self.rules, wild=wild, name=f"common, wild={wild.value}")

    @property
    def before(self) -> tuple[Bid, ...]:
        """Bids made before the one that is asked about."""
        history = self.history or ()
        return history[:-1] if history and history[-1] == self.bid else history

    def wild_after(self, bids: tuple[Bid, ...]) -> int | None:
        """Face that still counts for every other one after these bids, the last among them."""
        rules = self.rules
        if self.has_plain_wild:
            return self.plain_wild
        if self.palifico or rules.wild is Wild.NONE:
            return None
        ones = rules.ones_face
        if rules.wild_until is WildUntil.ANY_ONES_BID:
            is_locked = any(bid.face == ones for bid in bids)
        elif rules.wild_until is WildUntil.OPENING_ONES:
            is_locked = self.history is not None and bool(bids) and bids[0].face == ones
        else:
            is_locked = False
        return None if is_locked else ones

    def illegal_reason(self) -> str | None:
        """Say why the bid may not be made, as far as can be told; ``None`` if it may."""
        if self.bid is None:
            return None
        if self.dice is not None and self.history is not None:
            round_ = Round(self.rules, self.dice, palifico=self.palifico)
            return round_.illegal_reason(PublicState(self.before), self.bid)
        n_dice = self.n_dice
        if self.rules.cap_bids and n_dice is not None and self.bid.quantity > n_dice:
            return f"bid refused: PE?7 there are {n_dice} dice on the table, got {self.bid}"
        return None

    @property
    def n_dice(self) -> int | None:
        """Dice on the table, if it is known how many there are."""
        if self.dice is not None:
            return sum(self.dice)
        if self.total is not None:
            return self.total
        n_own = len(self.hand) if self.hand is not None else None
        return None if self.unseen is None or n_own is None else self.unseen + n_own

    @property
    def rivals(self) -> tuple[int, ...]:
        """Seats whose hands are hidden, from 1."""
        return tuple(s for s in range(1, len(self.dice or ()) + 1) if s != self.seat)


def read_bid_question(args: argparse.Namespace) -> BidQuestion:
    """Read the arguments.

    Raises
    ------
    InputError, IllegalActionError
        If they cannot be read, do not go together, or the history breaks the rules.
    GameTooLargeError
        If there are too many bids to check a history.
    """
    has_plain_wild, wild = _read_wild(args)
    rules = _read_rules(args, has_plain_wild)
    if wild is not None and not 1 <= wild <= rules.faces:
        raise InputError(f"--wild must be a face from 1 to {rules.faces}, or none, got {wild}")
    hand = _read_hand(args, rules.faces)
    dice = _read_table(args, hand)
    history = _read_history(args, rules, dice)
    bid = None if args.bid is None else Bid.parse(args.bid)
    if bid is None and history:
        bid = history[-1]
    question = BidQuestion(
        rules=rules,
        is_told_rules=args.rules is not None or bool(args.set_options),
        has_plain_wild=has_plain_wild,
        plain_wild=wild,
        palifico=args.palifico,
        bid=bid,
        hand=hand,
        own=args.own,
        total=args.total if dice is None else sum(dice),
        unseen=args.unseen,
        dice=dice,
        seat=_read_seat(args, hand, dice, history),
        history=history,
        reading=None,
    )
    if bid is not None:
        _check_bid(question, bid)
    if bid is None and args.own is not None:
        raise InputError("--own belongs to one face, so it needs --bid; give --hand for all bids")
    return replace(question, reading=_read_reading(args, question))


def _read_wild(args: argparse.Namespace) -> tuple[bool, int | None]:
    """Read ``--wild``: whether it is there, and the face."""
    if args.wild is None:
        return False, None
    for flag, given in (("--rules", args.rules), ("--set", args.set_options)):
        if given:
            raise InputError(
                f"{flag} is about rules, which say what is wild, and so does --wild {args.wild}; "
                "leave one out, or say --set wild=none, ones or top_face"
            )
    if args.palifico or args.history is not None:
        flag = "--palifico" if args.palifico else "--history"
        raise InputError(f"{flag} goes by the rules, so it needs --rules in place of --wild")
    if args.wild == "none":
        return True, None
    if not (args.wild.isascii() and args.wild.isdigit() and len(args.wild) < 10):
        raise InputError(f"--wild must be a face such as 1, or none, got {args.wild!r}")
    return True, int(args.wild)


def _read_rules(args: argparse.Namespace, has_plain_wild: bool) -> RuleSet:
    preset = get_preset("common" if has_plain_wild else args.rules or DEFAULT_RULES)
    if not isinstance(preset, RuleSet):
        raise InputError(
            f"{args.rules} is a cup game, where claims are made: give --claim, or rules of bidding "
            "such as perudo"
        )
    rules = rules_from(args, preset=preset)
    if rules.hand_bonus is not HandBonus.NONE:
        raise InputError(
            f"with hand_bonus={rules.hand_bonus.value}, hands count for other numbers of dice than "
            "they have, which these odds do not know; use hand_bonus=none"
        )
    is_plain = rules.wild is Wild.NONE and rules.ones_slot is OnesSlot.FACE_LOW
    if args.palifico and is_plain and args.history is None:
        raise InputError(
            f"--palifico changes no odds by the rules of {rules.name}, where no face is wild"
        )
    return rules


def _read_hand(args: argparse.Namespace, n_faces: int) -> "Hand | None":
    from liarsolve.dice import parse_hand

    if args.hand is None:
        return None
    hand = parse_hand(args.hand, n_faces)
    if not hand:
        raise InputError(
            "--hand is empty; give the dice that you hold, such as 3,3,1, or leave it out"
        )
    return hand


def _read_table(args: argparse.Namespace, hand: "Hand | None") -> tuple[int, ...] | None:
    """Read ``--dice``, and check that the number of dice is said once."""
    names = [f"--{name}" for name in ("total", "unseen", "dice") if getattr(args, name) is not None]
    if len(names) != 1:
        raise InputError(
            "say how many dice there are: --total (all dice on the table), --unseen (those of the "
            f"others) or --dice (those of each player); got {' and '.join(names) or 'none'}"
        )
    for name in ("total", "unseen", "own"):
        number = getattr(args, name)
        if number is not None and not 0 <= number <= 10**12:
            raise InputError(f"--{name} is a number of dice from 0 to 10**12, got {number}")
    if args.own is not None and args.unseen is None:
        raise InputError(
            f"--own {args.own} does not say how many dice you hold, so {names[0]} leaves open how "
            "many are hidden; give --unseen instead"
        )
    if args.own is not None and hand is not None:
        raise InputError("--hand says how many of your dice match, and --own too; leave one out")
    if args.total is not None and hand is not None and len(hand) > args.total:
        raise InputError(
            f"--total counts your own dice too, so it is at least {len(hand)}, got {args.total}"
        )
    if args.dice is None:
        for flag in ("history", "seat"):
            if getattr(args, flag) is not None:
                raise InputError(
                    f"--{flag} needs the dice of each player, the first bidder's first, such as "
                    f"--dice 5,5,5, in place of {names[0]}"
                )
        return None
    return parse_table(args.dice)


def _read_history(
    args: argparse.Namespace, rules: RuleSet, dice: tuple[int, ...] | None
) -> tuple[Bid, ...] | None:
    """Read the bids so far, and check them by the rules."""
    if dice is None:
        return None
    n_bids = (sum(dice) + 1) * rules.faces
    if n_bids > _MOST_BIDS:
        raise GameTooLargeError(
            f"a round with --dice {args.dice} has about {n_bids:,} bids, and at most "
            f"{_MOST_BIDS:,} are told apart; give --total for the odds of a bid"
        )
    round_ = Round(rules, dice, palifico=args.palifico)
    if args.history is None:
        return None
    actions = parse_history(args.history)
    state = round_.state_after(actions)
    if state.call is not None:
        raise InputError(f"the round is over after {state.call}; a history ends with a bid")
    return state.bids


def _read_seat(
    args: argparse.Namespace,
    hand: "Hand | None",
    dice: tuple[int, ...] | None,
    history: tuple[Bid, ...] | None,
) -> int | None:
    """Find the seat whose hand is known: the one that is named, or the one on turn."""
    if dice is None:
        return None
    seat: int | None = args.seat
    if seat is not None and not 1 <= seat <= len(dice):
        raise InputError(f"--seat is a number from 1 to {len(dice)} here, got {seat}")
    if hand is None:
        if seat is not None:
            raise InputError("--seat says whose dice --hand shows, so it needs --hand")
        return None
    if history is None:
        if seat is not None:
            raise InputError("--seat says who made which bid, so it needs --history")
        if len(hand) not in dice:
            raise InputError(
                f"nobody has {len(hand)} dice with --dice {args.dice}, got --hand {args.hand}"
            )
        return None
    if seat is None:
        seat = len(history) % len(dice) + 1
    n_dice = dice[seat - 1]
    if len(hand) != n_dice:
        hint = "" if args.seat is not None else "; --seat says which seat is yours"
        on_turn = "" if args.seat is not None else " is on turn and"
        raise InputError(
            f"seat {seat}{on_turn} has {n_dice} {'die' if n_dice == 1 else 'dice'}, got "
            f"--hand {args.hand}{hint}"
        )
    return seat


def _check_bid(question: BidQuestion, bid: Bid) -> None:
    """Refuse a bid that these rules do not have, or that may not follow the history."""
    rules = question.rules
    if bid.face > rules.faces:
        raise InputError(f"the dice have faces 1 to {rules.faces}, got --bid {bid}")
    is_biddable = (
        question.palifico
        or rules.ones_slot is not OnesSlot.FORBIDDEN
        or bid.face in biddable_faces(rules)
    )
    if not is_biddable:
        raise IllegalActionError(
            f"ones_slot=forbidden {bid} is not a bid by the rules of {rules.name}, where ones may "
            "not be bid"
        )
    if question.history is not None:
        reason = question.illegal_reason()
        if reason is not None:
            raise IllegalActionError(f"--bid {bid} after --history: {reason}")


def _read_reading(args: argparse.Namespace, question: BidQuestion) -> Reading | None:
    """Read what the bids of the others are taken to say, if there are any."""
    n_players = len(question.dice or ())
    others = [
        bid
        for i, bid in enumerate(question.history or ())
        if i % n_players + 1 != question.seat
    ]  # fmt: skip
    if others:
        return parse_reading(args.believe)
    if args.believe is not None:
        raise InputError(
            "--believe says how to take the bids of the other players, and there are none in "
            "--history"
        )
    return None

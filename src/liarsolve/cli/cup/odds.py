"""The part of ``liarsolve odds`` that is about one hand under the cup: claims, what to keep."""

import argparse
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from liarsolve.cli._json import print_json
from liarsolve.cli._page import print_text, show_table
from liarsolve.cli._rule_arguments import any_rules_from
from liarsolve.errors import InputError

if TYPE_CHECKING:
    from liarsolve.dice import Hand
    from liarsolve.odds import HandDistribution, KeepOption
    from liarsolve.rules import CupRules

EXAMPLES = """\
examples with one hand under a cup:
  liarsolve odds --claim "full house, queens on nines"
  liarsolve odds --hand JJQ9T --keep JJ --claim "two pairs"
  liarsolve odds --hand QQQ99 --beat --rules box     what to keep to beat it
  liarsolve odds --hand QQQ99 --thrown 2             unknown which two
"""

DEFAULT_CUP_RULES = "classic"

_ROWS_SHOWN = 10
_BIDDING_ARGUMENTS = (
    *("bid", "total", "unseen", "dice", "own", "wild", "palifico", "history", "seat", "believe"),
)
_CLAIM_ARGUMENTS = ("claim", "beat", "keep", "thrown", "throws")
_MOST_THROWS = 1_000
"""The work grows with each; a thousand take a second."""


def add_claim_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that concern a hand under the cup."""
    group = parser.add_argument_group("a hand under the cup")
    group.add_argument("--claim", metavar="CLAIM", help="QQQ99, JJ+Q or 'two pairs'")
    group.add_argument("--beat", action="store_true", help="in place of --claim: beat --hand")
    group.add_argument(
        "--holding", dest="hand", metavar="HAND", default=argparse.SUPPRESS, help="same as --hand"
    )
    group.add_argument("--keep", metavar="DICE", help="the dice that stay, such as JJ")
    group.add_argument("--thrown", type=int, metavar="K", help="how many dice are thrown")
    group.add_argument("--throws", type=int, metavar="N", help="in up to N throws (default: 1)")


def asks_for_claim(args: argparse.Namespace) -> str | None:
    """Name an argument that is about a hand under the cup; None if there is none."""
    given = (name for name in _CLAIM_ARGUMENTS if getattr(args, name) not in (None, False))
    name = next(given, None)
    return None if name is None else f"--{name}"


def run_claim_odds(args: argparse.Namespace) -> None:
    """Print the odds of a claim, what to keep, or the law of the hand.

    Raises
    ------
    InputError
        If the arguments do not go together or cannot be read.
    """
    question = _read_question(args)
    if question.aim is None:
        _answer_law(question, as_json=args.json)
    else:
        _answer_aim(question, as_json=args.json)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """What was asked, read and checked."""

    rules: "CupRules"
    aim: str | None
    """The claim as it is said, "beat QQQ99", or ``None`` for the law of the hand."""
    claim: str | None
    hand: "Hand | None"
    kept: "Hand | None"
    n_thrown: int | None
    throws: int

    def write(self, dice: "Hand") -> str:
        from liarsolve.claims import format_hand

        return format_hand(dice, self.rules.ranking)


def _read_question(args: argparse.Namespace) -> _Question:
    from liarsolve.claims import format_hand, parse_any_claim, parse_hand, parse_kept, spell_claim

    rules = _read_rules(args)
    hand = None if args.hand is None else parse_hand(args.hand, rules.claims)
    kept = None if args.keep is None else parse_kept(args.keep, rules.claims)
    _check_dice(args, rules, hand, kept)
    aim = None
    if args.claim is not None:
        found, claim = parse_any_claim(args.claim, rules.claims)
        aim = spell_claim(claim, found)
    elif args.beat and hand is not None:
        aim = f"beat {format_hand(hand, rules.ranking)}"
    return _Question(
        rules=rules,
        aim=aim,
        claim=args.claim,
        hand=hand,
        kept=kept,
        n_thrown=args.thrown,
        throws=1 if args.throws is None else args.throws,
    )


def _read_rules(args: argparse.Namespace) -> "CupRules":
    from liarsolve.rules import CUP_PRESETS, CupRules, get_preset

    for name in _BIDDING_ARGUMENTS:
        if getattr(args, name) not in (None, False):
            raise InputError(
                f"--{name} belongs to bids on the dice of all players, not to a hand under the cup"
            )
    rules = any_rules_from(args, preset=get_preset(args.rules or DEFAULT_CUP_RULES))
    if not isinstance(rules, CupRules):
        raise InputError(
            f"claims about a hand under the cup need one of the rules {', '.join(CUP_PRESETS)}, "
            f"got {args.rules!r}"
        )
    if rules.dislodge_prob:
        raise InputError(
            f"these odds are those of throws that knock no die over, got dislodge_prob="
            f"{rules.dislodge_prob}"
        )
    return rules


def _check_dice(
    args: argparse.Namespace, rules: "CupRules", hand: "Hand | None", kept: "Hand | None"
) -> None:
    n_items = rules.equipment.n_items
    if args.beat and (hand is None or args.claim is not None):
        raise InputError(
            "--beat is about beating --hand, so it needs a hand and goes without --claim"
        )
    if args.thrown is not None and not 0 <= args.thrown <= n_items:
        raise InputError(f"--thrown must lie in 0..{n_items}, got {args.thrown}")
    if kept is not None and args.thrown is not None and len(kept) + args.thrown != n_items:
        raise InputError(
            f"of {n_items} dice, {n_items - len(kept)} are thrown when {args.keep or 'no dice'} "
            f"stay, got --thrown {args.thrown}"
        )
    if hand is None and kept is None and args.thrown not in (None, n_items):
        raise InputError(f"--thrown {args.thrown} needs the --hand or the dice in --keep")
    if hand is not None and kept is not None and any(kept.count(f) > hand.count(f) for f in kept):
        raise InputError(f"--keep must be part of the hand {args.hand}, got {args.keep}")
    if rules.rethrow_all and kept:
        raise InputError(
            f"in {rules.name} everything is thrown again, so that --keep {args.keep} cannot be; "
            "leave it out"
        )
    if args.throws is not None and args.throws < 1:
        raise InputError(f"--throws must be 1 or more, got {args.throws}")
    if args.throws is not None and args.throws > _MOST_THROWS:
        raise InputError(
            f"--throws must be {_MOST_THROWS:,} or less, after which hardly anything fails to come "
            f"that can, got {args.throws}"
        )


def _options(question: _Question) -> "tuple[KeepOption, ...]":
    """Rank the choices of dice that the rules and the question leave open."""
    from liarsolve.odds import keep_options

    if question.hand is None:
        return ()
    counts = question.rules.reroll_counts
    if question.rules.rethrow_all and question.throws > 1:  # nothing stays between the throws
        once = _options(replace(question, throws=1))
        return tuple(replace(option, prob=_within(option.prob, question.throws)) for option in once)
    if question.kept is not None:
        counts = (*counts, len(question.hand) - len(question.kept))
    if question.n_thrown is not None:
        counts = (question.n_thrown,)
    return keep_options(
        question.hand,
        question.rules.claims,
        question.claim,
        throws=question.throws,
        truth=question.rules.truth,
        min_thrown=min(counts),
        max_thrown=max(counts),
        exact=question.throws == 1,
    )


def _chance(question: _Question, options: "tuple[KeepOption, ...]") -> float | Fraction:
    """Give the chance with the dice that are kept: those named, or the best."""
    from liarsolve.odds import p_claim

    if question.hand is None:
        claims, truth, kept = question.rules.claims, question.rules.truth, question.kept or ()
        claim = str(question.claim)
        if question.rules.rethrow_all:
            once = p_claim(claim, claims, kept=kept, truth=truth, exact=True)
            return _within(once, question.throws)
        if question.throws == 1:
            return p_claim(claim, claims, kept=kept, truth=truth, exact=True)
        return p_claim(claim, claims, kept=kept, truth=truth, throws=question.throws)
    if question.kept is None:
        return options[0].prob
    return next(option.prob for option in options if option.kept == question.kept)


def _within(once: float | Fraction, throws: int) -> float | Fraction:
    """Chance that it comes in one of several throws that have nothing to do with one another."""
    return once if throws == 1 else float(1 - (1 - once) ** throws)


def _unknown_chance(question: _Question) -> float | Fraction | None:
    """Give the chance if it is not known which dice of the hand were thrown."""
    from liarsolve.odds import passed_distribution

    if question.hand is None or question.n_thrown is None or question.kept is not None:
        return None
    if question.throws != 1:
        return None
    law = passed_distribution(question.rules.claims, question.hand, question.n_thrown, exact=True)
    if question.claim is None:
        return law.p_higher(question.hand)
    return law.p_claim(question.claim, question.rules.truth)


def _answer_aim(question: _Question, *, as_json: bool) -> None:
    options = _options(question)
    chance, unknown = _chance(question, options), _unknown_chance(question)
    is_given = question.hand is None or question.kept is not None
    kept = question.kept if is_given else options[0].kept
    if as_json:
        report = _common_report(question) | {
            "truth": question.rules.truth.value,
            "aim": question.aim,
            "keep": question.write(kept or ()),
            "throws": question.throws,
            **_write_chance(chance),
            "options": [
                {
                    "keep": question.write(option.kept),
                    "thrown": option.n_thrown,
                    **_write_chance(option.prob),
                }
                for option in options
            ],
            "unknown_which": None if unknown is None else _write_chance(unknown),
        }
        print_json("odds", report, kind="claim")
        return
    _show_aim(question, kept or (), chance, options, unknown)


def _common_report(question: _Question) -> dict[str, object]:
    """Write what was asked, the same fields in every answer about a cup."""
    return {
        "rules": question.rules.to_dict(),
        "hand": None if question.hand is None else question.write(question.hand),
        "thrown": question.n_thrown,
    }


def _write_chance(chance: float | Fraction) -> dict[str, float | str | None]:
    """Write a chance, and the fraction that it is if that was found."""
    return {"p": float(chance), "exact": str(chance) if isinstance(chance, Fraction) else None}


def _show_aim(
    question: _Question,
    kept: "Hand",
    chance: float | Fraction,
    options: "tuple[KeepOption, ...]",
    unknown: float | Fraction | None,
) -> None:
    from rich import box
    from rich.table import Table

    from liarsolve.odds import format_percent

    aim = str(question.aim)
    how = _describe_throw(question, kept)
    print_text(
        f"{aim[0].upper()}{aim[1:]}{_better(question)}, {question.rules.name} rules, {how}: "
        f"{_percent(chance)}."
    )
    if unknown is not None:
        n = question.n_thrown
        print_text(f"If it is not known which {n} were thrown: {_percent(unknown)}.")
    if not options:
        return
    table = Table(box=box.SIMPLE)
    for heading in ("keep", "thrown", "chance %"):
        table.add_column(heading, justify="right")
    for place, option in enumerate(options):
        if place < _ROWS_SHOWN or option.kept == question.kept:
            table.add_row(
                question.write(option.kept) or "-",
                str(option.n_thrown),
                format_percent(float(option.prob)),
                style="bold" if option.kept == kept else None,
            )
    show_table(table)
    if len(options) > _ROWS_SHOWN:
        print_text(f"The best {_ROWS_SHOWN} of {len(options)} choices; --json gives all.")


def _better(question: _Question) -> str:
    """Say in which sense a claim is to be true."""
    from liarsolve.claims import Truth

    if question.claim is None:
        return ""
    words = {Truth.AT_LEAST: " or better", Truth.MATCHES: ", no better", Truth.CONTAINS: ""}
    return words[question.rules.truth]


def _percent(chance: float | Fraction) -> str:
    from liarsolve.odds import format_percent

    text = f"{format_percent(float(chance))} %"
    return f"{text} ({chance})" if isinstance(chance, Fraction) and 0 < chance < 1 else text


def _describe_throw(question: _Question, kept: "Hand") -> str:
    cards = question.rules.equipment.is_cards
    thing, verb = ("cards", "drawn") if cards else ("dice", "thrown")
    n = question.rules.equipment.n_items - len(kept)
    if n == 0:
        how = f"all {thing} kept"
    elif not kept:
        how = f"all {thing} {verb}" if question.hand else f"{n} {thing} {verb}"
    else:
        how = f"{question.write(kept)} kept and {n} {verb}"
    return how + (f", in up to {question.throws} throws" if question.throws > 1 else "")


def _answer_law(question: _Question, *, as_json: bool) -> None:
    """Print how likely each kind of hand is."""
    from liarsolve.odds import hand_distribution, passed_distribution

    claims = question.rules.claims
    if question.throws != 1:
        raise InputError("--throws needs a --claim to aim at, or --beat")
    if question.kept is None and question.hand is not None:
        if question.n_thrown is None:
            raise InputError(
                "with --hand, say what is asked: --claim, --beat, the dice to --keep or how many "
                "were --thrown"
            )
        law = passed_distribution(claims, question.hand, question.n_thrown, exact=True)
        how = f"{question.n_thrown} thrown of {question.write(question.hand)}, unknown which"
    else:
        law = hand_distribution(claims, question.kept or (), exact=True)
        how = _describe_throw(question, question.kept or ())
    if as_json:
        print_json("odds", _law_report(question, law), kind="distribution")
    else:
        _show_law(question, law, how)


def _law_report(question: _Question, law: "HandDistribution") -> dict[str, object]:
    return _common_report(question) | {
        "keep": None if question.kept is None else question.write(question.kept),
        "categories": [
            {"category": category.value, **_write_chance(chance)}
            for category, chance in law.categories().items()
        ],
        "hands": [
            {"hand": question.write(hand), **_write_chance(chance)}
            for hand, chance in zip(law.claims.equipment.hands, law.probs(), strict=True)
            if chance
        ],
    }


def _show_law(question: _Question, law: "HandDistribution", how: str) -> None:
    from rich import box
    from rich.table import Table

    from liarsolve.claims._phrases import name_category
    from liarsolve.odds import format_percent

    print_text(f"What comes out, {question.rules.name} rules, {how}:")
    table = Table(box=box.SIMPLE)
    table.add_column("hand")
    for heading in ("chance %", "or better %"):
        table.add_column(heading, justify="right")
    better = Fraction(0)
    for category, chance in reversed(law.categories().items()):
        better += Fraction(chance)
        table.add_row(
            name_category(category),
            format_percent(float(chance)),
            format_percent(float(better)),
        )
    show_table(table)

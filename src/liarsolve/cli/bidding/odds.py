"""The part of ``liarsolve odds`` that is about bids: their odds, alone or after other bids."""

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from liarsolve.cli._json import print_json
from liarsolve.cli._page import make_console, page_width, print_text, show_table
from liarsolve.cli.bidding.believe import AtTheTime
from liarsolve.dice import count_matches, format_hand
from liarsolve.errors import InputError
from liarsolve.odds import Posterior, count_distribution, format_percent, odds_table
from liarsolve.rules import Bid, WildUntil
from liarsolve.rules.bidding.bid_order import bid_rank, biddable_faces, raise_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.table import Table

    from liarsolve.cli.bidding.odds_question import BidQuestion
    from liarsolve.odds import CountDistribution, Distribution, OddsTable

_LADDER_FACES = 5
"""How far the faces beside that of the bid reach: all of them on ordinary dice."""
_CHANCES = ("true", "exactly", "false")
_LONG_HAND = 12
_MOST_LINES = 10_000
"""Lines of the table of all bids."""


def answer_table(question: "BidQuestion", *, as_json: bool) -> None:
    """Print the odds of all bids."""
    table = _make_table(question)
    if as_json:
        print_json("odds", _table_report(question, table), kind="table")
    else:
        _show_table(question, table)


def answer_bid(question: "BidQuestion", bid: Bid, *, as_json: bool) -> None:
    """Print the odds of a bid and of those around it."""
    odds = BidOdds(question, bid)
    if as_json:
        print_json("odds", _bid_report(odds), kind="bid")
    else:
        _show_bid(odds)


class BidOdds:
    """The laws of count that the answer is made from."""

    def __init__(self, question: "BidQuestion", bid: Bid) -> None:
        self.question = question
        self.bid = bid
        self.hand = question.hand or ()
        self.wild = question.wild_after((*question.before, bid))
        alone = self.alone(bid)
        self.own, self.unseen, self.hit_prob = alone.own, alone.unseen, alone.hit_prob
        self.law = self.law_of(bid)
        self.ladder = tuple(
            rung
            for rung in sorted(self._iter_ladder(), key=self._rank)
            if rung == bid or rung.quantity <= self.own_of(rung) + self.unseen
        )

    def alone(self, rung: Bid) -> "CountDistribution":
        """Law of the count by the dice alone, whatever was bid."""
        question, wild = self.question, self._wild_of(rung)
        if question.dice is not None:
            return count_distribution(
                rung.face,
                total=sum(question.dice),
                hand=self.hand,
                wild=wild,
                sides=question.rules.faces,
            )
        return count_distribution(
            rung.face,
            question.unseen,
            total=question.total,
            hand=self.hand,
            own=question.own,
            wild=wild,
            sides=question.rules.faces,
        )

    def law_of(self, rung: Bid) -> "Distribution":
        """Law of the count that decides about a bid, after the bids of the others."""
        if self.question.reading is None:
            return self.alone(rung)
        return self._belief(self._wild_of(rung)).count_distribution(rung.face)

    def own_of(self, rung: Bid) -> int:
        """Count the dice of the hand that match a bid."""
        if self.question.own is not None:
            return self.question.own
        return count_matches(self.hand, rung.face, self._wild_of(rung))

    def may_follow(self, rung: Bid) -> bool:
        """Whether a bid may be the next after the one that is asked about."""
        q = self.question
        return rung != self.bid and (
            raise_problem(q.rules, self.bid, rung, palifico=q.palifico) is None
        )

    def _wild_of(self, rung: Bid) -> int | None:
        before = self.question.before
        if rung == self.bid or not self.may_follow(rung):
            return self.question.wild_after((*before, rung))
        return self.question.wild_after((*before, self.bid, rung))

    @property
    def _rank(self) -> "Callable[[Bid], tuple[int, int]]":
        return bid_rank(self.question.rules, palifico=self.question.palifico)

    @lru_cache(maxsize=4)  # noqa: B019  # one object for each run of the command
    def _belief(self, wild: int | None) -> Posterior:
        """What the bids so far say about the hidden hands, for counting with this wild face."""
        question, reading = self.question, self.question.reading
        assert question.dice is not None  # else there is no history
        assert reading is not None
        rivals, history = question.rivals, question.history or ()
        belief = Posterior(
            tuple(question.dice[seat - 1] for seat in rivals),
            hand=self.hand,
            wild=wild,
            sides=question.rules.faces,
        )
        for i, bid in enumerate(history):
            seat = i % len(question.dice) + 1
            if seat == question.seat:
                continue
            model = AtTheTime(reading.model(), question.wild_after(history[: i + 1]))
            try:
                belief = belief.after_bid(rivals.index(seat), bid.quantity, bid.face, model)
            except InputError as error:
                raise InputError(
                    f"no hand of seat {seat} goes with the bid {bid} under --believe {reading}; "
                    "take one that allows for bluffs, such as threshold:1,0.3"
                ) from error
        return belief

    def _iter_ladder(self) -> "Iterator[Bid]":
        """List the bids around: the face with one less to two more dice, other faces between."""
        bid, question = self.bid, self.question
        if bid.quantity > 1:
            yield Bid(bid.quantity - 1, bid.face)
        for step in range(3):
            yield Bid(bid.quantity + step, bid.face)
        if question.own is not None:
            return  # how many of the hand match another face is not known
        for face in biddable_faces(question.rules, palifico=question.palifico):
            if face != bid.face and (
                abs(face - bid.face) <= _LADDER_FACES or face == question.rules.ones_face
            ):
                yield self._beside(face)

    def _beside(self, face: int) -> Bid:
        """Find the bid on another face next to this one: as many dice, except by the half rule."""
        rules, q = self.question.rules, self.bid.quantity
        ones = rules.ones_face
        if rules.has_half_rule and not self.question.palifico and ones in (face, self.bid.face):
            least = (q + 1) // 2 if face == ones else 2 * q
            candidates = (Bid(n, face) for n in (least, least + 1))
            return next(candidate for candidate in candidates if self.may_follow(candidate))
        return Bid(q, face)


def _make_table(question: "BidQuestion") -> "OddsTable":
    """Tabulate all bids that the rules have."""
    hand = question.hand or ()
    total = question.n_dice
    if total is None:
        assert question.unseen is not None  # else the number of dice is known
        total = question.unseen
    if total > _MOST_LINES:
        raise InputError(
            f"the table of all bids with {total:,} dice has as many lines, and {_MOST_LINES:,} at "
            "most are printed; give one bid, such as --bid 3x6"
        )
    rules = question.rules
    table = odds_table(total, hand=hand, wild=question.wild_after(()), sides=rules.faces)
    known = set(biddable_faces(rules, palifico=question.palifico))
    rows = (
        replace(row, faces=tuple(face for face in row.faces if face in known)) for row in table.rows
    )
    return replace(table, rows=tuple(row for row in rows if row.faces))


def _common_report(question: "BidQuestion") -> dict[str, object]:
    """Write what was asked, the same fields in every answer about bids."""
    rules = question.named_rules
    return {
        "rules": None if rules is None else rules.to_dict(),
        "palifico": question.palifico,
        "sides": question.rules.faces,
        "hand": question.hand,
        "total": question.n_dice,
        "dice": question.dice,
        "seat": question.seat,
    }


def _table_report(question: "BidQuestion", table: "OddsTable") -> dict[str, object]:
    rows = [
        {"faces": row.faces, "own": row.own, "p_at_least": row.p_at_least} for row in table.rows
    ]
    return _common_report(question) | {"wild": table.wild, "total": table.total, "rows": rows}


def _odds_report(odds: BidOdds, rung: Bid) -> dict[str, object]:
    return {
        "bid": str(rung),
        "quantity": rung.quantity,
        "face": rung.face,
        "own": odds.own_of(rung),
        **_law_report(rung, odds.law_of(rung)),
    }


def _law_report(bid: Bid, law: "Distribution") -> dict[str, object]:
    return {
        "p_at_least": law.at_least(bid.quantity),
        "p_exactly": law.exactly(bid.quantity),
        "p_fewer": law.fewer(bid.quantity),
    }


def _bid_report(odds: BidOdds) -> dict[str, object]:
    question, bid = odds.question, odds.bid
    reading, history = question.reading, question.history
    return (
        _odds_report(odds, bid)
        | _common_report(question)
        | {
            "needed": max(bid.quantity - odds.own, 0),
            "unseen": odds.unseen,
            "wild": odds.wild,
            "illegal_reason": question.illegal_reason(),
            "largest_even_quantity": odds.law.max_bid(0.5),
            "history": None if history is None else [str(b) for b in history],
            "believe": None if reading is None else reading.to_dict(),
            "dice_alone": None if reading is None else _law_report(bid, odds.alone(bid)),
            "ladder": [
                _odds_report(odds, rung) | {"may_follow": odds.may_follow(rung)}
                for rung in odds.ladder
            ],
        }
    )


def _show_table(question: "BidQuestion", table: "OddsTable") -> None:
    title, _, *lines = table.to_text().split("\n")
    if len(table.hand) > _LONG_HAND:  # so that it can be broken
        hand = format_hand(table.hand)
        title = title.replace(hand, hand.replace(",", ", "), 1)
    print_text(title)
    print()
    if max(map(len, lines)) <= page_width():
        print("\n".join(lines))
    else:
        _show_in_blocks(table)
    if question.is_told_rules:
        _show_lock(question)


def _show_in_blocks(table: "OddsTable") -> None:
    """Print a table that is wider than the page a few columns at a time."""
    columns = len(table.rows)
    while columns > 1:
        columns -= 1
        blocks = [
            replace(table, rows=table.rows[i : i + columns])
            for i in range(0, len(table.rows), columns)
        ]
        if all(len(_body(block)[-1]) <= page_width() for block in blocks):
            break
    else:
        blocks = [replace(table, rows=(row,)) for row in table.rows]
    print("\n\n".join("\n".join(_body(block)) for block in blocks))


def _body(table: "OddsTable") -> list[str]:
    return table.to_text().split("\n")[2:]


def _show_lock(question: "BidQuestion") -> None:
    """Say until when ones are wild, where the rules end it and the bids so far are not known."""
    lock = question.rules.wild_until
    is_wild = question.wild_after(()) is not None and not question.has_plain_wild
    if question.history is not None or not is_wild or lock is WildUntil.NEVER_LOCKED:
        return
    when = "bids ones" if lock is WildUntil.ANY_ONES_BID else "opens with ones"
    print_text(
        f"\nAs soon as anybody {when}, they are wild no more: ask with --set wild=none then."
    )


def _show_bid(odds: BidOdds) -> None:
    from liarsolve.dice.words import spell_bid

    question, bid = odds.question, odds.bid
    if question.history:
        print_text(_describe_history(question))
    words = spell_bid(bid.quantity, bid.face).capitalize()
    print_text(f"{words}: {_explain(odds)}")
    reason = question.illegal_reason()
    if reason is not None:
        print_text(f"The rules do not allow this bid: {reason.partition(': ')[2]}.")
    if question.reading is not None:
        print_text(f"Bids are read as {question.reading}: {question.reading.explain()}.")
    show_table(_answers(odds))
    show_table(_rungs(odds))
    even = odds.law.max_bid(0.5)
    if even > 0:
        print_text(
            f"The highest bid on this face that is at least even is {spell_bid(even, bid.face)}."
        )
    if question.is_told_rules and bid.face != question.rules.ones_face:
        _show_lock(question)


def _describe_history(question: "BidQuestion") -> str:
    n_players = len(question.dice or (1,))
    bids = [f"{bid} (seat {i % n_players + 1})" for i, bid in enumerate(question.history or ())]
    yours = "" if question.seat is None else f" You sit at seat {question.seat}."
    return f"Bids so far: {', '.join(bids)}.{yours}".replace(" (seat ", "\N{NO-BREAK SPACE}(seat ")


def _answers(odds: BidOdds) -> "Table":
    """Lay out the odds of truth, exactness and falsehood."""
    from rich import box
    from rich.table import Table

    q, has_bids = odds.bid.quantity, odds.question.reading is not None
    answers = Table(box=box.SIMPLE, show_header=has_bids)
    answers.add_column()
    laws = [odds.law]
    if has_bids:
        laws.append(odds.alone(odds.bid))
        answers.add_column("after\nthese bids", justify="right", no_wrap=True)
        answers.add_column("by dice\nalone", justify="right", no_wrap=True)
    else:
        answers.add_column(justify="right", no_wrap=True)
    names = (
        f"true, {q} or more",
        f"exactly {q}",
        f"false, {q - 1} or fewer" if q > 1 else "false, none",
    )
    for name, *chances in zip(names, *(_percents(odds.bid, law) for law in laws), strict=True):
        answers.add_row(name, *(f"{chance} %" for chance in chances))
    return answers


def _rungs(odds: BidOdds) -> "Table":
    """Lay out the bids around, lowest first, with as many columns as the page has room for."""
    wide = {"bid": "bid", "yours": "yours"} | {name: f"{name} %" for name in _CHANCES}
    plain = {"bid": "bid", "yours": "own"} | {name: name for name in _CHANCES}
    short = {"bid": "bid", "true": "true", "false": "false"}
    tables = (
        _rung_table(odds, headings, title)
        for headings, title in (
            (wide, "Bids around it"),
            (plain, "Bids around it, in per cent"),
            (short, "Bids around it, in per cent"),
        )
    )
    console = make_console()
    endless = console.options.update(max_width=1000)
    for table in tables:
        if console.measure(table, options=endless).maximum <= page_width():
            break
    return table


def _rung_table(odds: BidOdds, headings: dict[str, str], title: str) -> "Table":
    from rich import box
    from rich.table import Table

    rungs = Table(box=box.SIMPLE, title=title, title_justify="left")
    for heading in headings.values():
        rungs.add_column(heading, justify="right", no_wrap=True)
    for rung in odds.ladder:
        percents = dict(zip(_CHANCES, _percents(rung, odds.law_of(rung)), strict=True))
        cells = {"bid": str(rung), "yours": str(odds.own_of(rung))} | percents
        style = "bold" if rung == odds.bid else None
        rungs.add_row(*(cells[name] for name in headings), style=style)
    return rungs


def _percents(bid: Bid, law: "Distribution") -> tuple[str, str, str]:
    """Write the odds of truth, exactness and falsehood."""
    return (
        format_percent(float(law.at_least(bid.quantity))),
        format_percent(float(law.exactly(bid.quantity))),
        format_percent(float(law.fewer(bid.quantity))),
    )


def _explain(odds: BidOdds) -> str:
    """Say what the hidden dice must show, in one sentence."""
    needed, unseen = odds.bid.quantity - odds.own, odds.unseen
    start = _describe_own(odds)
    hidden = f"the {unseen} hidden dice" if unseen != 1 else "the hidden die"
    if needed <= 0:
        return f"{start}, so the bid is true whatever {hidden} may show."
    if needed > unseen:
        return f"{start}, so {needed} more would have to match, and only {unseen} are hidden."
    must = f"at least {needed} of {hidden} must match" if unseen != 1 else f"{hidden} must match"
    if odds.question.reading is not None:
        return f"{start}, so {must}."
    each = "each does" if unseen != 1 else "it does"
    return f"{start}, so {must}, and {each} with a chance of {odds.hit_prob}."


def _describe_own(odds: BidOdds) -> str:
    from liarsolve.dice.words import count_word, face_word, spell_bid

    if odds.question.hand is None:
        if odds.question.dice is not None and odds.question.history is not None:
            return "all dice are hidden"
        return f"you hold {odds.own or 'none'}"
    n_plain = odds.hand.count(odds.bid.face)
    n_wild = odds.own - n_plain
    parts = []
    if n_plain:
        parts.append(spell_bid(n_plain, odds.bid.face))
    if n_wild and odds.wild is not None:
        number = "a" if n_wild == 1 else count_word(n_wild)
        parts.append(f"{number} wild {face_word(odds.wild, count=n_wild)}")
    return f"you hold {odds.own or 'none'}" + (f" ({' and '.join(parts)})" if parts else "")

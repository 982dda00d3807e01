"""The guide to a cup game as a page of text."""

import re
import textwrap
from collections.abc import Sequence

from liarsolve.report.guide import AcceptedCase, CupGuide, FirstClaims, FirstThrows

__all__ = ["format_guide"]

_WIDTH = 80
_SURE = 0.95


def format_guide(guide: CupGuide) -> str:
    """Write a guide as one page of at most 80 columns.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> from liarsolve.report import cup_guide
    >>> page = format_guide(cup_guide(solve(presets.LIAR_DIE)))
    >>> print(page.splitlines()[0])
    HOW TO PLAY LIAR_DIE
    """
    is_seen = any(case.hand for case in guide.accepted)
    parts = [
        _fill(f"HOW TO PLAY {guide.rules.upper()}"),
        _fill(_introduction(guide)),
        "\n1. WHAT TO CLAIM FIRST",
        _fill(_say_first(guide)),
        _table(
            ("you threw", "of all", "true", "claim", "you win"),
            [_throw_row(row) for row in guide.first_throws],
        ),
        "\n2. WHEN TO CHALLENGE A FIRST CLAIM",
        _fill(_say_challenge(guide)),
        _table(
            ("you hear", "of all", "true", "accept"),
            [_claim_row(row) for row in guide.first_claims],
        ),
        f"\n3. WHAT TO {'KEEP, AND WHAT TO ' * is_seen}SAY AFTER ACCEPTING",
        _fill(_say_next(guide, is_seen=is_seen)),
    ]
    if guide.accepted:
        parts.append(_case_table(guide.accepted, is_seen=is_seen))
    return "\n".join(parts)


def _introduction(guide: CupGuide) -> str:
    low, high = guide.win_bounds
    words = (
        f"Two players, {guide.items} under one cup. If both play like this, whoever throws first "
        f"wins {50 * (low + high):.1f} % of the rounds"
    )
    words += (
        f", give or take {50 * (high - low):.1f}."
        if guide.exploitability >= 5e-4
        else ", and nobody can do better against it."
    )
    ends = [(row.lowest, row.highest) for row in guide.first_throws]
    ends += [(case.lowest, case.highest) for case in guide.accepted]
    claims = " ".join(claim for pair in ends for claim in pair)
    if re.search("[9TJQKA]T|T[9TJQKA]", claims):
        words += " T is a ten."
    if re.search("[0-9TJQKA]x", claims):
        words += " An x stands for what is not named."
    return words


def _say_first(guide: CupGuide) -> str:
    return (
        f"{_percent(guide.p_first_claim_true)} of your first claims should be true; none should be "
        f"lower than {guide.lowest_claim}. Eight claims in ten lie in the range given here."
    )


def _say_challenge(guide: CupGuide) -> str:
    words = []
    if guide.believed_to is not None:
        words.append(f"Accept whatever does not exceed {guide.believed_to}.")
    if guide.doubted_from is not None:
        words.append(f"From {guide.doubted_from} on, challenge every other time or more.")
    words.append("As a rule, the higher the claim, the less often it is to be accepted.")
    return " ".join(words)


def _say_next(guide: CupGuide, *, is_seen: bool) -> str:
    if not guide.accepted:
        return "No first claim after which the round goes on is made and accepted."
    known = "Everything is thrown again unseen."
    if is_seen:
        known = (
            "You accepted the first claim and see what is there: the likeliest cases of each kind, "
            "with what to keep."
        )
    return (
        f"{known} Then claim in the range given; whether to accept is for the other player, who "
        "should do it as often as is said. About as often as you win, your claims should be true."
    )


def _throw_row(row: FirstThrows) -> Sequence[str]:
    return (
        row.hands,
        _percent(row.share),
        _percent(row.p_true),
        _range(row.lowest, row.highest),
        _percent(row.win_probability),
    )


def _claim_row(row: FirstClaims) -> Sequence[str]:
    most, least = _percent(row.most_accepted), _percent(row.least_accepted)
    return (
        row.claims,
        _percent(row.share),
        "-" if row.p_true is None else _percent(row.p_true),
        most if most == least else f"{most} down to {least}",
    )


def _range(lowest: str, highest: str) -> str:
    return lowest if lowest == highest else f"{lowest} to {highest}"


def _case_table(cases: Sequence[AcceptedCase], *, is_seen: bool) -> str:
    rows = []
    for case in cases:
        keep = case.keep
        if case.keep_probability < _SURE:
            keep += f" ({_percent(case.keep_probability)})"
        row = (
            _range(case.lowest, case.highest),
            _percent(case.accept),
            _percent(case.win_probability),
        )
        claim = case.claim if case.is_true is not False else f"{case.claim}, a lie"
        rows.append((case.hand, claim, keep, *row) if is_seen else (claim, *row))
    seen = ("you see", "accepted as", "keep") if is_seen else ("you accepted",)
    return _table((*seen, "then claim", "accept", "you win"), rows)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Align the columns; those of figures to the right."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    are_figures = [all(cell[-1:] in "%-" for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for row in (headings, *rows):
        cells = [
            cell.rjust(width) if is_figure else cell.ljust(width)
            for cell, width, is_figure in zip(row, widths, are_figures, strict=True)
        ]
        lines.append(("  " + "  ".join(cells)).rstrip())
    lines.insert(1, "  " + "-" * (sum(widths) + 2 * (len(widths) - 1)))
    return "\n".join(["", *lines])


def _fill(text: str) -> str:
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _percent(p: float) -> str:
    """Write a part in whole percent; 0 and 100 are kept for what hardly ever fails.

    >>> [_percent(p) for p in (0.0, 0.002, 0.532, 0.998, 1.0)]
    ['0 %', '<1 %', '53 %', '>99 %', '100 %']
    """
    if 1e-4 < p < 0.005:
        return "<1 %"
    if 0.995 <= p < 1.0 - 1e-4:
        return ">99 %"
    return f"{100 * p:.0f} %"

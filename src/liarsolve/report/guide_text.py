"""The guide to a cup game as a page of text."""

import re
import textwrap
from collections.abc import Sequence

from liarsolve.report.guide import AcceptedCase, CupGuide, FirstClaims, FirstThrows

__all__ = ["format_guide"]

_SURE = 0.95
_ALWAYS = 0.995
"""What is shown as 100 % or more than 99 %."""
_NEAR = 0.03
"""Chances that are about the same."""


def format_guide(guide: CupGuide, *, width: int = 80) -> str:
    """Write a guide as one page of at most ``width`` columns, 40 or more.

    Every sentence says what the tables below it show.

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
        _fill(f"HOW TO PLAY {guide.rules.upper()}", width),
        _fill(_introduction(guide), width),
        "\n1. WHAT TO CLAIM FIRST",
        _fill(_say_first(guide), width),
        _table(
            ("you threw", "of all", "true", "claim", "you win"),
            [_throw_row(row) for row in guide.first_throws],
            width,
        ),
        "\n2. WHEN TO CHALLENGE A FIRST CLAIM",
        _fill(_say_challenge(guide), width),
        _table(
            ("you hear", "of all", "true", "accept"),
            [_claim_row(row) for row in guide.first_claims],
            width,
        ),
        "\n" + _fill(f"3. WHAT TO {'KEEP, AND WHAT TO ' * is_seen}SAY AFTER ACCEPTING", width),
        _fill(_say_next(guide, is_seen=is_seen), width),
    ]
    if guide.accepted:
        parts.append(_case_table(guide.accepted, width, is_seen=is_seen))
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
    few = "hardly any" if guide.p_lower > 0.0 else "none"
    return (
        f"{_percent(guide.p_first_claim_true)} of your first claims should be true; {few} should "
        f"be lower than {guide.lowest_claim}. Eight claims in ten or more lie in the range given "
        "here."
    )


def _say_challenge(guide: CupGuide) -> str:
    words = []
    if guide.believed_to is not None:
        assert guide.p_believed is not None
        often = "" if guide.p_believed >= _ALWAYS else "nine times in ten or more "
        words.append(f"Accept {often}whatever does not exceed {guide.believed_to}.")
    if guide.doubted_from is not None:
        words.append(f"From {guide.doubted_from} on, challenge every other time or more.")
    if guide.is_falling:
        words.append("The higher the kind of claim, the less often it is to be accepted.")
    elif not words:
        words.append("Accept as often as is said here.")
    return " ".join(words)


def _say_next(guide: CupGuide, *, is_seen: bool) -> str:
    if not guide.accepted:
        return "No first claim after which the round goes on is made and accepted."
    known = "Everything is thrown again unseen."
    if is_seen:
        known = "You accepted the first claim and see what is there."
    n_shown = len(guide.accepted)
    shown = "These are all cases."
    if n_shown < guide.n_accepted:
        shown = (
            f"These are samples, {n_shown} of {guide.n_accepted:,} cases: the likeliest of each "
            "kind."
        )
    gaps = [case.p_true - case.win_probability for case in guide.accepted]
    often = "About" if max(map(abs, gaps)) <= _NEAR else "At least"
    keep = ", with what to keep" if is_seen else ""
    return (
        f"{known} {shown} Claim in the range given{keep}; whether to accept is for the other "
        f"player, who should do it as often as is said. {often} as often as you win, your claims "
        "should be true."
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


def _case_table(cases: Sequence[AcceptedCase], width: int, *, is_seen: bool) -> str:
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
    return _table((*seen, "then claim", "accept", "you win"), rows, width)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> str:
    """Align the columns, those of figures to the right; or a list where the page is too narrow."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    if 2 + sum(widths) + 2 * (len(widths) - 1) > width:
        return "\n".join(["", *(_list_row(headings, row, width) for row in rows)])
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


def _list_row(headings: Sequence[str], row: Sequence[str], width: int) -> str:
    """One row of a table as some lines: every cell after its heading."""
    parts = [f"{heading} {cell}" for heading, cell in zip(headings[1:], row[1:], strict=True)]
    first = _fill(f"{headings[0]} {row[0]}:", width, indent=2)
    return f"{first}\n{_fill(', '.join(parts), width, indent=4)}"


def _fill(text: str, width: int, *, indent: int = 0) -> str:
    """Break a text into lines, never between a number and its per cent sign."""
    filled = textwrap.fill(
        text.replace(" %", "\0%"),
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )
    return filled.replace("\0", " ")


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

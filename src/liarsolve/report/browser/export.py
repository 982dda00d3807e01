"""One HTML file about a solved game, from the templates beside this module."""

import html
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from liarsolve._checks import check_flag, check_number
from liarsolve.errors import InputError, InputTypeError, StorageError
from liarsolve.report.browser.bidding import MOST_BYTES, BiddingPages
from liarsolve.report.browser.blocks import pack
from liarsolve.report.browser.cup import CupPages
from liarsolve.strategy import BiddingSolution, CupSolution

__all__ = ["Explorer", "Page", "explore", "export_html", "make_page"]

_FRAME_HEIGHT = 640
"""Pixels of a page inside a notebook."""


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    """A page about a solved game, as text."""

    html: str
    """The whole file."""
    n_written: int
    """Public states that can be looked at."""
    min_reach: float
    """How often play comes to those that are written, at the least."""

    @property
    def n_bytes(self) -> int:
        """Size of the file."""
        return len(self.html.encode())

    def __repr__(self) -> str:
        return f"Page(n_written={self.n_written}, min_reach={self.min_reach:g})"


@dataclass(frozen=True, slots=True, repr=False)
class Explorer:
    """A page inside a notebook, in a frame of its own."""

    page: Page

    def _repr_html_(self) -> str:
        """Write the frame; what is in it can neither reach the notebook nor the network."""
        return (
            f'<iframe title="strategy browser" sandbox="allow-scripts" width="100%" '
            f'height="{_FRAME_HEIGHT}" style="border:1px solid #8888" '
            f'srcdoc="{html.escape(self.page.html)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Explorer({self.page!r}): shown in a notebook; elsewhere use export_html"


def make_page(
    solution: BiddingSolution | CupSolution,
    *,
    min_reach: float | None = None,
    values: bool = True,
) -> Page:
    """Make a page to look around in a strategy: one HTML text that needs nothing else.

    Parameters
    ----------
    solution : BiddingSolution or CupSolution
        What `solve` returned.
    min_reach : float, optional
        Write the states to which play comes so often or more; the page says so. By default those
        with a chance of a thousandth, and all states of rounds that have at most 1,000.
    values : bool
        Whether expected values are worked out, which takes long in large rounds of bidding.
        Pages about cup games have them anyway.

    Raises
    ------
    InputError
        If ``min_reach`` is no chance, the page would be larger than 25 MB, or ``values`` is false
        for a cup game.
    InputTypeError
        If it is none of these solutions.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> solution = solve(presets.COMMON.replace(faces=2), dice=(1, 1))
    >>> make_page(solution)
    Page(n_written=16, min_reach=0)
    """
    least = min_reach
    if least is not None:
        least = check_number("min_reach", least, at_least=0, at_most=1)
    check_flag("values", values)
    pages: BiddingPages | CupPages
    if isinstance(solution, BiddingSolution):
        pages = BiddingPages(solution, least, values)
    elif isinstance(solution, CupSolution):
        if not values:
            raise InputError(
                "values=False is about rounds of bidding; pages about cup games have values anyway"
            )
        pages = CupPages(solution, least)
    else:
        raise InputTypeError(
            "a page is made of a solved round of bidding or cup game of two players, got "
            f"{solution!r}"
        )
    blocks = pages.blocks()
    text = _assemble(blocks)
    size = len(text.encode())
    if size > MOST_BYTES:
        raise InputError(
            f"the page would have {size / 1e6:.0f} MB, and at most {MOST_BYTES // 10**6} MB are "
            "written; raise min_reach"
        )
    return Page(text, blocks["meta"]["written"], blocks["meta"]["minReach"])


def export_html(
    solution: BiddingSolution | CupSolution,
    path: str | PathLike[str],
    *,
    min_reach: float | None = None,
    values: bool = True,
) -> Page:
    """Write a page to look around in a strategy, which any browser opens from disk.

    A file that is there already is replaced. Arguments and errors are those of `make_page`.

    Raises
    ------
    StorageError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from liarsolve import presets, solve
    >>> solution = solve(presets.COMMON.replace(faces=2), dice=(1, 1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = export_html(solution, Path(folder) / "page.html")
    >>> page.n_bytes < 100_000
    True
    """
    try:
        target = Path(path)
    except TypeError:
        raise InputTypeError(f"path is the name of a file, got {path!r}") from None
    _refuse_bad_target(target)  # said before the work, not after it
    page = make_page(solution, min_reach=min_reach, values=values)
    target = target.resolve()  # a link stays one, and what it leads to is replaced
    beside = target.with_name(f".{target.name}.part")
    try:
        beside.write_text(page.html, encoding="utf-8")
        beside.replace(target)  # so that nobody ever sees half of a page
    except OSError as error:
        raise StorageError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):  # gone already, if all went well
            beside.unlink(missing_ok=True)
    return page


def _refuse_bad_target(target: Path) -> None:
    reason = ""
    if target.is_dir():
        reason = "it is a folder"
    elif target.exists() and not target.is_file():
        reason = "it is there already, and no ordinary file"
    elif not target.parent.is_dir():
        reason = f"there is no folder {target.parent}"
    if reason:
        raise StorageError(f"{target} cannot be written: {reason}")


def explore(
    solution: BiddingSolution | CupSolution,
    *,
    min_reach: float | None = None,
    values: bool = True,
) -> Explorer:
    """Show the page in a notebook; arguments and errors are those of `make_page`.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> explore(solve(presets.LIAR_DIE))._repr_html_()[:35]
    '<iframe title="strategy browser" sa'
    """
    return Explorer(make_page(solution, min_reach=min_reach, values=values))


def _assemble(blocks: Mapping[str, Any]) -> str:
    """Put code, style and data into the template; all that speaks of the game is packed."""
    packed = "\n".join(
        f'<script type="application/octet-stream" id="data-{name}">{pack(block)}</script>'
        for name, block in blocks.items()
    )
    parts = {
        "title": html.escape(blocks["meta"]["title"]),
        "style": _template("browser.css"),
        "code": _template("browser.js"),
        "data": packed,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _template("page.html"))


@cache
def _template(name: str) -> str:
    return files("liarsolve.report.browser").joinpath(name).read_text(encoding="utf-8")

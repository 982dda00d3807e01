"""Say on standard error that kernels are being compiled, while nothing else is to be seen."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from liarsolve._compiling import watch_compiling
from liarsolve.cli import _progress
from liarsolve.cli._page import fill

_WORDS = "compiling (once; later runs start at once)"


def is_quiet() -> bool:
    """Whether the environment asks for no such lines: ``LIARSOLVE_QUIET`` is not 0."""
    return os.environ.get("LIARSOLVE_QUIET", "") not in ("", "0")


@contextmanager
def announce_compiling() -> Iterator[None]:
    """Say so once, in the line of progress if there is one; or how to keep what is compiled."""
    is_told = False

    def tell(is_begun: bool) -> None:
        nonlocal is_told
        from liarsolve._jit_folder import cache_folder, why_no_folder  # numba is there by now

        is_kept = cache_folder() is not None
        if _progress.is_live():
            _progress.set_live_words((_WORDS if is_kept else "compiling") if is_begun else None)
            if is_kept:
                return
        if is_told or not is_begun:
            return
        is_told = True
        line = _WORDS if is_kept else f"compiling: {why_no_folder()}"
        _progress.print_beside(fill(line))

    if is_quiet() or sys.stderr is None:
        yield
        return
    with watch_compiling(tell):
        yield

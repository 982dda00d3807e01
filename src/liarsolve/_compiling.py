"""Word of kernels that are being compiled, for whoever shows it; loads no numba."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

CompileCallback = Callable[[bool], None]
"""Called with true when a kernel begins to be compiled, and with false when it is done."""

_callbacks: list[CompileCallback] = []


@contextmanager
def watch_compiling(callback: CompileCallback) -> Iterator[None]:
    """Call ``callback`` as long as this lasts; kernels that are read from disk are no occasion."""
    _callbacks.append(callback)
    try:
        yield
    finally:
        _callbacks.remove(callback)


def report_compiling(is_begun: bool) -> None:
    """Tell everybody who watches."""
    for callback in _callbacks:
        callback(is_begun)

"""The one place that calls numba, so that every kernel is compiled with the same options."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import event

from liarsolve._compiling import report_compiling
from liarsolve._jit_cache import KernelCache

P = ParamSpec("P")
R = TypeVar("R")


def kernel(func: Callable[P, R]) -> Callable[P, R]:
    """Compile ``func`` with the project's options, keeping its type.

    Machine code is cached on disk. Where no cache folder can be written the kernel is compiled anew
    in each process, and so it is where the files of the cache are damaged.
    """
    return _compile(func)


def inner_kernel(func: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that only other kernels call, without the code that Python would need.

    Taking apart records of arrays is much of what a small kernel compiles to: the cup kernels took
    24 s of processor time to compile with it, 19 s without. Called from Python, such a kernel
    would end the process.
    """
    return _compile(func, no_cpython_wrapper=True)


def inlined_kernel(func: Callable[P, R]) -> Callable[P, R]:
    """Compile an inner kernel that others call in their inner loops, and copy it into each of them.

    LLVM would not do so by itself, since array arguments make the call look expensive: one
    iteration of CFR at one die each took 1.34 ms without and 0.88 ms with this.
    """
    return _compile(func, no_cpython_wrapper=True, forceinline=True)


def _compile(func: Callable[P, R], **more: bool) -> Callable[P, R]:
    # C code calls no kernel, so none needs numba's wrapper for that.
    options = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True, **more}
    njit: Any = numba.njit  # its types do not keep the signature of ``func``
    compiled: Any = njit(**options)(func)
    if compiled is not func:  # as it is with NUMBA_DISABLE_JIT
        with suppress(RuntimeError):  # numba: "no locator available"
            compiled._cache = KernelCache(func)
    return cast("Callable[P, R]", compiled)


class _CompileListener(event.Listener):
    """Passes on when a kernel of this package is compiled, with all those that it calls."""

    def __init__(self) -> None:
        self._depth = 0

    def on_start(self, event: Any) -> None:  # Any: numba's
        if self._depth or event.data["dispatcher"].py_func.__module__.startswith("liarsolve."):
            self._depth += 1
            if self._depth == 1:
                report_compiling(True)

    def on_end(self, event: Any) -> None:  # Any: numba's
        if self._depth:
            self._depth -= 1
            if self._depth == 0:
                report_compiling(False)


event.register("numba:compile", _CompileListener())  # type: ignore[no-untyped-call]

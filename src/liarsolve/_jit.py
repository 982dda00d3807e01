"""The one place that calls numba, so that every kernel is compiled with the same options."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar, cast

import numba

from liarsolve._jit_cache import KernelCache

P = ParamSpec("P")
R = TypeVar("R")


def kernel(func: Callable[P, R]) -> Callable[P, R]:
    """Compile ``func`` with the project's options, keeping its type.

    Machine code is cached on disk. Where no cache folder can be written the kernel is compiled anew
    in each process, and so it is where the files of the cache are damaged.
    """
    return _compile(func)


def inlined_kernel(func: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that others call in their inner loops, and copy it into each of them.

    LLVM would not do so by itself, since array arguments make the call look expensive: one
    iteration of CFR at one die each took 1.34 ms without and 0.88 ms with this.
    """
    return _compile(func, forceinline=True)


def _compile(func: Callable[P, R], *, forceinline: bool = False) -> Callable[P, R]:
    options = {"error_model": "numpy", "nogil": True, "forceinline": forceinline}
    njit: Any = numba.njit  # its types do not keep the signature of ``func``
    compiled: Any = njit(**options)(func)
    if compiled is not func:  # as it is with NUMBA_DISABLE_JIT
        with suppress(RuntimeError):  # numba: "no locator available"
            compiled._cache = KernelCache(func)
    return cast("Callable[P, R]", compiled)

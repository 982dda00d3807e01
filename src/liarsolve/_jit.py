"""The one place that calls numba, so that every kernel is compiled with the same options."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(func: Callable[P, R]) -> Callable[P, R]:
    """Compile ``func`` with the project's options, keeping its type.

    Machine code is cached on disk. Where no cache folder can be written, numba refuses to
    decorate at all; the kernel is then compiled anew in each process.
    """
    options = {"error_model": "numpy", "nogil": True}
    try:
        compiled = numba.njit(cache=True, **options)(func)
    except RuntimeError:  # numba: "no locator available"
        compiled = numba.njit(**options)(func)
    return cast("Callable[P, R]", compiled)  # numba ships no types

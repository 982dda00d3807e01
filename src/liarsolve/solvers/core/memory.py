"""How much memory there is, and what to say where it is too little."""

import os

from liarsolve.errors import GameTooLargeError
from liarsolve.game import BidGraph, measure_complete_tree

DEFAULT_MEMORY_SHARE = 0.8
"""Part of the machine's memory that a solver may use if nothing else is said."""


def machine_memory() -> float:
    """Bytes of memory of this machine; 8e9 where the system does not tell."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return 8e9


def usable_memory(max_memory: float | None) -> float:
    """Bytes that may be used: as many as were given, or a share of the machine's."""
    return DEFAULT_MEMORY_SHARE * machine_memory() if max_memory is None else max_memory


def refuse_if_too_large(
    graph: BidGraph, memory: float, max_memory: float, advice: str = "take fewer dice or faces"
) -> None:
    """Raise `GameTooLargeError` with the estimate if the memory needed is not to be had."""
    if memory > max_memory:
        dice = ",".join(map(str, graph.round.dice))
        n_states = measure_complete_tree(graph).n_states
        raise GameTooLargeError(
            f"{graph.round.rules.name} with {dice} dice of {graph.round.rules.faces} faces has "
            f"{format_count(n_states)} public states and needs at least {format_bytes(memory)}, "
            f"but {format_bytes(max_memory)} may be used; {advice}, or raise max_memory"
        )


def format_count(n: int) -> str:
    """Write a number of states in four digits, however many it has.

    >>> format_count(4096), format_count(10**400)
    ('4096', '1.000e+400')
    """
    if n < 10**300:
        return f"{n:.4g}"
    digits = str(n)
    return f"{digits[0]}.{digits[1:4]}e+{len(digits) - 1}"


def format_bytes(n_bytes: float) -> str:
    """Write a size with the unit that suits it.

    >>> format_bytes(2.5e9), format_bytes(1200)
    ('2.5 GB', '1.2 kB')
    """
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if n_bytes >= scale:
            return f"{n_bytes / scale:,.3g} {unit}"
    return f"{n_bytes / 1e3:,.3g} kB"
